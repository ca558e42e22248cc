// A negative size.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:100 {{'ktdp.construct_memory_view' op size 0 must not be negative, but is -1}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [-1, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> memref<8x8xf16>
  return
}
// -----
// A stride that the type says otherwise.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:125 {{'ktdp.construct_memory_view' op stride 0 is 8, but the result is 'memref<8x8xf16, strided<[9, 1]>>'}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> memref<8x8xf16, strided<[9, 1]>>
  return
}
// -----
// A space that the type says otherwise.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:57 {{'ktdp.construct_memory_view' op memory_space differs from that of 'memref<8x8xf16, #ktdp.memory_space<ct_local, ct_id = 0>>'}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> memref<8x8xf16, #ktdp.spyre_memory_space<LX, core = 0>>
  return
}
// -----
// A view that is a tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'ktdp.construct_memory_view' op result must be a memref, but is 'tensor<8x8xf16>'}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<8x8xf16>
  return
}
// -----
// A view without an address.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'ktdp.construct_memory_view' op needs one offset}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 0, 1, 0>} : (index) -> memref<8x8xf16>
  return
}
// -----
// A view at an i32.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:37 {{'ktdp.construct_memory_view' op the offset must be of type 'index', not 'i32'}}
  %v = "ktdp.construct_memory_view"(%k) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> memref<8x8xf16>
  return
}
// -----
// A space that is a number.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:57 {{'ktdp.construct_memory_view' op attribute 'memory_space' must be a ktdp memory space}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = 1, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> memref<8x8xf16>
  return
}
// -----
// A coordinate set that is a number.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:193 {{'ktdp.construct_memory_view' op attribute 'coordinate_set' must be an affine set}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>, coordinate_set = 1} : (index) -> memref<8x8xf16>
  return
}
// -----
// A coordinate set with a symbol for no size.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:193 {{'ktdp.construct_memory_view' op coordinate_set has 1 symbols, but the view has 0 dynamic sizes}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>, coordinate_set = affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 >= 0, d1 >= 0, 7 - d1 >= 0)>} : (index) -> memref<8x8xf16>
  return
}
// -----
// A storage that needs another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:194 {{'ktdp.construct_memory_view' op storage "dl16" needs a view of f32, not of f16}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>, steeple.storage = "dl16"} : (index) -> memref<8x8xf16>
  return
}
// -----
// An attribute twice.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:176 {{attribute 'memory_space' is given twice}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>, memory_space = #ktdp.memory_space<global>} : (index) -> memref<8x8xf16>
  return
}
// -----
// An attribute of the dialect that it does not have.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:176 {{'ktdp.construct_memory_view' op unknown attribute 'ktdp.other'}}
  %v = "ktdp.construct_memory_view"(%x) {memory_space = #ktdp.memory_space<global>, static_sizes = [8, 8], static_strides = [8, 1], operandSegmentSizes = array<i32: 1, 0, 0>, ktdp.other = 1} : (index) -> memref<8x8xf16>
  return
}
// -----
// Coordinates of a tile that are no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'ktdp.get_compute_tile_id' op all results must be index, but result 0 is 'i32'}}
  %r = "ktdp.get_compute_tile_id"() : () -> i32
  return
}
// -----
// A distributed view that is a tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %p = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
  // expected-error@+1:8 {{'ktdp.construct_distributed_memory_view' op result must be a memref, but is 'tensor<8x8xf16>'}}
  %d = "ktdp.construct_distributed_memory_view"(%p) : (memref<4x8xf16>) -> tensor<8x8xf16>
  return
}
// -----
// A partition that is a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:49 {{'ktdp.construct_distributed_memory_view' op partition 0 must be a memref, not 'index'}}
  %d = "ktdp.construct_distributed_memory_view"(%x) : (index) -> memref<8x8xf16>
  return
}
// -----
// A partition of another element type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %p = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
  // expected-error@+1:49 {{'ktdp.construct_distributed_memory_view' op partition 0 has element type f16, but the result has f32}}
  %d = "ktdp.construct_distributed_memory_view"(%p) : (memref<4x8xf16>) -> memref<8x8xf32>
  return
}
// -----
// A partition of another rank.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %p = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
  // expected-error@+1:49 {{'ktdp.construct_distributed_memory_view' op partition 0 has rank 2, but the result has rank 1}}
  %d = "ktdp.construct_distributed_memory_view"(%p) : (memref<4x8xf16>) -> memref<8xf16>
  return
}
// -----
// A partition outside its view.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %p = ktdp.construct_memory_view %x, sizes: [4, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<4x8xf16>
  // expected-error@+1:49 {{'ktdp.construct_distributed_memory_view' op partition 0 spans 0 to 3 in dimension 0, outside the result's size 2}}
  %d = "ktdp.construct_distributed_memory_view"(%p) : (memref<4x8xf16>) -> memref<2x8xf16>
  return
}
// -----
// An access tile that is a tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:8 {{'ktdp.construct_access_tile' op result must be an access tile, but is 'tensor<4x8xf16>'}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> tensor<4x8xf16>
  return
}
// -----
// A tile of a tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:38 {{'ktdp.construct_access_tile' op a tensor as base is not supported; expected a memref}}
  %t2 = "ktdp.construct_access_tile"(%t, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (tensor<4x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  return
}
// -----
// A tile of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:38 {{'ktdp.construct_access_tile' op base must be a memref, not 'f16'}}
  %t2 = "ktdp.construct_access_tile"(%h, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (f16, index, index) -> !ktdp.access_tile<4x8xindex>
  return
}
// -----
// A set with a symbol for no operand.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:113 {{'ktdp.construct_access_tile' op access_tile_set has 1 symbols, but 0 symbol operands are given}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1)[s] : (d0 >= 0, s - d0 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A tile of another rank than its set.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:8 {{'ktdp.construct_access_tile' op result '!ktdp.access_tile<32xindex>' has rank 1, but access_tile_set has 2 dimensions}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<32xindex>
  return
}
// -----
// A set that is no box, of another size.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:113 {{'ktdp.construct_access_tile' op access_tile_set has 10 points, but the tile '!ktdp.access_tile<4x8xindex>' has 32 elements}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, d0 - d1 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Two bases.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:8 {{'ktdp.construct_access_tile' op needs one base}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 2, 1, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A subscript that is no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:45 {{'ktdp.construct_access_tile' op a subscript must be of type 'index', not 'i32'}}
  %t = "ktdp.construct_access_tile"(%v, %i, %k) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, i32) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A map of other operands than there are.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:61 {{'ktdp.construct_access_tile' op base_map expects 1 operands, but got 2}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0) -> (d0, d0)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A set of another rank than its view.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:113 {{'ktdp.construct_access_tile' op access_tile_set has 1 dimensions, but 'memref<8x8xf16>' has rank 2}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0) : (d0 >= 0, 3 - d0 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// No map.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:8 {{'ktdp.construct_access_tile' op requires attribute 'base_map'}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A map that is a set.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:61 {{'ktdp.construct_access_tile' op attribute 'base_map' must be an affine map}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// A tile that nothing uses may be of any size.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-warning@+1:113 {{'ktdp.construct_access_tile' op access_tile_set has 8 points in dimension 1, but the tile is '!ktdp.access_tile<4x9xindex>'}}
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x9xindex>
  // expected-error@+1:8 {{'arith.bitcast' op casts a value to another type of the same width, not 'f16' to 'f32'}}
  %u = arith.bitcast %h : f16 to f32
  return
}
// -----
// A load from a memref.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  // expected-error@+1:18 {{'ktdp.load' op expected an access tile, got 'memref<8x8xf16>'}}
  %l = ktdp.load %v : memref<8x8xf16> -> tensor<8x8xf16>
  return
}
// -----
// A load of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %t = "ktdp.construct_access_tile"(%v, %i, %i) {base_map = affine_map<(d0, d1) -> (d0, d1)>, access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x8xf16>, index, index) -> !ktdp.access_tile<4x8xindex>
  // expected-error@+1:8 {{'ktdp.load' op result must be a tensor, but is 'f16'}}
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> f16
  return
}
// -----
// Indirect: a base too many.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:8 {{'ktdp.construct_indirect_access_tile' op needs one base}}
  %t = "ktdp.construct_indirect_access_tile"(%v, %v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 2, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>, memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a captured i32.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:50 {{'ktdp.construct_indirect_access_tile' op a subscript must be of type 'index', not 'i32'}}
  %t = "ktdp.construct_indirect_access_tile"(%v, %k) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 1, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>, i32) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a kind too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:263 {{'ktdp.construct_indirect_access_tile' op has 1 subscript kinds, but 2 subscript maps}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a kind that is a number.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:266 {{'ktdp.construct_indirect_access_tile' op subscript 1 must be a bool and an affine map}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, 0], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a map of too few dimensions.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:301 {{'ktdp.construct_indirect_access_tile' op subscript 1 must be a map of 2 dimensions and no symbols}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a subscript without its index view.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:229 {{'ktdp.construct_indirect_access_tile' op has more indirect subscripts than index views}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, true], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: an index view without its subscript.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:8 {{'ktdp.construct_indirect_access_tile' op has 1 index views, but 0 indirect subscripts}}
  %t = "ktdp.construct_indirect_access_tile"(%v, %s) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>, memref<8xi32>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: a direct subscript of two results.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:271 {{'ktdp.construct_indirect_access_tile' op direct subscript 0 must have one result, but has 2}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: an op in the body.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:8 {{'ktdp.construct_indirect_access_tile' op must have an empty body}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%p: index, %q: index):
    %n = arith.addi %p, %q : index
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// Indirect: an attribute that is none.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %v = ktdp.construct_memory_view %x, sizes: [8, 8], strides: [8, 1] {memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>
  %s = ktdp.construct_memory_view %x, sizes: [8], strides: [1] {memory_space = #ktdp.memory_space<global>} : memref<8xi32>
  // expected-error@+1:378 {{'ktdp.construct_indirect_access_tile' op unknown attribute 'other'; expected one of: variables_space_set variables_space_order per_dim_subscript_kinds per_dim_subscript_maps operandSegmentSizes}}
  %t = "ktdp.construct_indirect_access_tile"(%v) <{variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, variables_space_order = affine_map<(d0, d1) -> (d0, d1)>, per_dim_subscript_kinds = [false, false], per_dim_subscript_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>], operandSegmentSizes = array<i32: 1, 0, 0, 0>, other = 1}> ({
  ^bb0(%p: index, %q: index):
    "ktdp.region_terminator"() : () -> ()
  }) : (memref<8x8xf16>) -> !ktdp.access_tile<4x8xindex>
  %l = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>
  return
}
// -----
// An argument that is no runtime_arg.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:35 {{'ktdp.runtime_arg_extract' op expected a runtime_arg, got 'index'}}
  %r = "ktdp.runtime_arg_extract"(%i) {kind = 0} : (index) -> index
  return
}
// -----
// A kind beyond all.
func.func @f(%a: !ktdp.runtime_arg<index, upperbound=9>) {
  // expected-error@+1:47 {{'ktdp.runtime_arg_extract' op attribute 'kind' must be from 0 to 2, not 3}}
  %r = "ktdp.runtime_arg_extract"(%a) {kind = 3} : (!ktdp.runtime_arg<index, upperbound=9>) -> index
  return
}
// -----
// A value of another type.
func.func @f(%a: !ktdp.runtime_arg<index, upperbound=9>) {
  // expected-error@+1:8 {{'ktdp.runtime_arg_extract' op result must be 'index', not 'i32'}}
  %r = "ktdp.runtime_arg_extract"(%a) {kind = 0} : (!ktdp.runtime_arg<index, upperbound=9>) -> i32
  return
}
// -----
// A bound of another type.
func.func @f(%a: !ktdp.runtime_arg<index, upperbound=9>) {
  // expected-error@+1:8 {{'ktdp.runtime_arg_extract' op result must be index, not 'i32'}}
  %r = "ktdp.runtime_arg_extract"(%a) {kind = 2} : (!ktdp.runtime_arg<index, upperbound=9>) -> i32
  return
}
// -----
// A grid of two dimensions, of which one is asked for.
func.func @f(%h: f16) attributes {grid = [2, 2]} {
  // expected-warning@+1:9 {{'ktdp.get_compute_tile_id' op gives only the first 1 of the grid's 2 coordinates}}
  %id = ktdp.get_compute_tile_id : index
  // expected-error@+1:8 {{'arith.bitcast' op casts a value to another type of the same width, not 'f16' to 'f32'}}
  %u = arith.bitcast %h : f16 to f32
  return
}
