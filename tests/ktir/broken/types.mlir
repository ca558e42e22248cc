// More dimensions than are supported.
// expected-error@+1:41 {{more than 8 dimensions are not supported}}
func.func @f(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16>) {
  return
}
// -----
// A shape of too many elements.
// expected-error@+1:24 {{this shape has more elements than 64 bits can count}}
func.func @f(%a: tensor<4294967296x4294967296xf16>) {
  return
}
// -----
// A dimension of more than 64 bits.
// expected-error@+1:25 {{dimension does not fit in 64 bits}}
func.func @f(%a: tensor<99999999999999999999xf16>) {
  return
}
// -----
// An unranked tensor.
// expected-error@+1:25 {{unranked types are not supported}}
func.func @f(%a: tensor<*xf16>) {
  return
}
// -----
// An encoding.
// expected-error@+1:30 {{tensor encodings are not supported}}
func.func @f(%a: tensor<4xf16, "a">) {
  return
}
// -----
// Tiles of floats.
// expected-error@+1:38 {{tile element type must be 'index', but got: 'f16'}}
func.func @f(%a: !ktdp.access_tile<4xf16>) {
  return
}
// -----
// Two strides for one dimension.
// expected-error@+1:32 {{2 strides for 1 dimensions}}
func.func @f(%a: memref<4xf16, strided<[1, 1]>>) {
  return
}
// -----
// A layout twice.
// expected-error@+1:46 {{the layout comes once, before the memory space}}
func.func @f(%a: memref<4xf16, strided<[1]>, strided<[1]>>) {
  return
}
// -----
// A stride that is a word.
// expected-error@+1:41 {{expected an integer, got 'a'}}
func.func @f(%a: memref<4xf16, strided<[a]>>) {
  return
}
// -----
// An offset without its number.
// expected-error@+1:53 {{expected an integer, got 'a'}}
func.func @f(%a: memref<4xf16, strided<[1], offset: a>>) {
  return
}
// -----
// A layout without brackets.
// expected-error@+1:40 {{expected '[', got '1'}}
func.func @f(%a: memref<4xf16, strided<1>>) {
  return
}
// -----
// A layout that turns.
// expected-error@+1:34 {{a memref layout must be strided<...> or the identity map}}
func.func @f(%a: memref<4x4xf16, affine_map<(a, b) -> (b, a)>>) {
  return
}
// -----
// The identity as a layout, and a space twice.
// expected-error@+1:92 {{expected strided<...> or one memory space such as #ktdp.spyre_memory_space<HBM>}}
func.func @f(%a: memref<4x4xf16, affine_map<(a, b) -> (a, b)>, #ktdp.memory_space<global>, #ktdp.memory_space<global>>) {
  return
}
// -----
// A granularity of nothing.
// expected-error@+1:55 {{runtime_arg granularity must be positive, but got: 0}}
func.func @f(%a: !ktdp.runtime_arg<index, granularity=0>) {
  return
}
// -----
// A bound twice.
// expected-error@+1:57 {{duplicate 'upperbound'}}
func.func @f(%a: !ktdp.runtime_arg<index, upperbound=3, upperbound=4>) {
  return
}
// -----
// A word that is none.
// expected-error@+1:43 {{expected 'granularity' or 'upperbound', got 'bound'}}
func.func @f(%a: !ktdp.runtime_arg<index, bound=3>) {
  return
}
// -----
// A bound without its number.
// expected-error@+1:54 {{expected '=', got '3'}}
func.func @f(%a: !ktdp.runtime_arg<index, upperbound 3>) {
  return
}
// -----
// A type that is none.
// expected-error@+1:18 {{unknown type '!ktdp.other'; the ktdp types are access_tile, tile_future and runtime_arg}}
func.func @f(%a: !ktdp.other<index>) {
  return
}
// -----
// An alias that is none.
// expected-error@+1:18 {{undefined type alias '!other'}}
func.func @f(%a: !other) {
  return
}
// -----
// An alias of a broken type, used.
// expected-error@+1:15 {{expected a type, got 'other'}}
!a = tensor<4xother>
func.func @f(%a: !a) {
  return
}
// -----
// A type that is a word.
// expected-error@+1:18 {{expected a type, got 'other'}}
func.func @f(%a: other) {
  return
}
// -----
// A tile without its shape.
// expected-error@+1:35 {{expected '<', got ')'}}
func.func @f(%a: !ktdp.access_tile) {
  return
}
// -----
// A dimension list without its x.
// expected-error@+1:27 {{expected 'x' in the dimension list, got 'f16'}}
func.func @f(%a: tensor<4 f16>) {
  return
}
