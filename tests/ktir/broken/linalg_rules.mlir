// A map of a dimension that no operand has.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %h : tensor<f16>
  // expected-error@+1:8 {{'linalg.generic' op no operand tells how long loop 0 is}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%h : f16) outs(%z : tensor<f16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<f16>
  return
}
// -----
// A constant subscript outside its operand.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:40 {{'linalg.generic' op indexing map 0 reads outside operand 0}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (4, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A sum as a subscript.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:40 {{'linalg.generic' op result 0 of indexing map 0 must be a single dimension}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A diagonal.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:40 {{'linalg.generic' op indexing map 0 uses dimension 0 twice}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// An output that repeats a dimension.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %h : tensor<4xf16>
  // expected-error@+1:40 {{'linalg.generic' op indexing map 1 of an output must use the parallel dimension 1}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%z : tensor<4xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4xf16>
  return
}
// -----
// Iterators that are no list.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:127 {{'linalg.generic' op iterator_types must be a list of "parallel" and "reduction"}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = "parallel"} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A map too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:40 {{'linalg.generic' op indexing_maps must be a list of 2 affine maps}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A map that is a number.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:75 {{'linalg.generic' op indexing map 1 must be an affine map}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, 1], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A map of too many dimensions.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:75 {{'linalg.generic' op indexing map 1 must have 2 dimensions and no symbols}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A body with an argument too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.generic' op body must have 2 arguments, but has 1}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A body that yields another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    %s = arith.extf %p : f16 to f32
    // expected-error@+1:18 {{'linalg.yield' op yields 'f32' as value 0, but output 0 holds 'f16'}}
    linalg.yield %s : f32
  } -> tensor<4x8xf16>
  return
}
// -----
// No maps.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.generic' op requires attribute 'indexing_maps'}}
  %r = linalg.generic {iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// No segments.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.generic' op requires attribute 'operandSegmentSizes'}}
  %r = "linalg.generic"(%t, %e) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}> ({
  ^bb0(%p: f16, %q: f16):
    "linalg.yield"(%p) : (f16) -> ()
  }) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// Segments that do not add up.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:186 {{'linalg.generic' op operandSegmentSizes must be 2 numbers that add up to 2}}
  %r = "linalg.generic"(%t, %e) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%p: f16, %q: f16):
    "linalg.yield"(%p) : (f16) -> ()
  }) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// No output.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.generic' op has 0 outputs}}
  %r = "linalg.generic"(%t, %e) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], operandSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%p: f16, %q: f16):
    "linalg.yield"(%p) : (f16) -> ()
  }) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// Two outputs, one result.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.generic' op has 2 outputs, but 1 results}}
  %r = "linalg.generic"(%t, %e, %e) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"], operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%p: f16, %q: f16, %s: f16):
    "linalg.yield"(%p, %p) : (f16, f16) -> ()
  }) : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// A result of another type than its output.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.exp' op result 0 is 'tensor<4x8xf32>', but its output is 'tensor<4x8xf16>'}}
  %r = "linalg.exp"(%t, %e) ({
  }) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf32>
  return
}
// -----
// A product of floats by integers.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %k : tensor<8x4xi32>
  %o = tensor.empty() : tensor<4x4xf32>
  // expected-error@+1:8 {{'linalg.matmul' op multiplies f16 by i32 into f32; all must be floats or all integers}}
  %r = linalg.matmul ins(%t, %z : tensor<4x8xf16>, tensor<8x4xi32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
// A product of a vector.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %h : tensor<8xf16>
  %o = tensor.empty() : tensor<4x4xf32>
  // expected-error@+1:30 {{'linalg.matmul' op operand 1 must have rank 2, but is 'tensor<8xf16>'}}
  %r = linalg.matmul ins(%t, %z : tensor<4x8xf16>, tensor<8xf16>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
// A product of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %o = tensor.empty() : tensor<4x4xf32>
  // expected-error@+1:30 {{'linalg.matmul' op operand 1 must be a tensor, not 'f16'}}
  %r = linalg.matmul ins(%t, %h : tensor<4x8xf16>, f16) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
// A sum of two types.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %w : tensor<4x8xf32>
  // expected-error@+1:23 {{'linalg.add' op operand 0 has element type f16, but f32 is expected}}
  %r = linalg.add ins(%t, %t : tensor<4x8xf16>, tensor<4x8xf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
// An exponential of integers.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %z = tensor.splat %k : tensor<4x8xi32>
  // expected-error@+1:8 {{'linalg.exp' op works on floating-point numbers, not on i32}}
  %r = linalg.exp ins(%z : tensor<4x8xi32>) outs(%z : tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
// A sum of two ranks.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %h : tensor<8xf16>
  // expected-error@+1:27 {{'linalg.add' op operand 1 must have the shape of the output, but is 'tensor<8xf16>'}}
  %r = linalg.add ins(%t, %z : tensor<4x8xf16>, tensor<8xf16>) outs(%t : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// A fill by a tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:24 {{'linalg.fill' op operand 0 must be a scalar, but is 'tensor<4x8xf16>'}}
  %r = linalg.fill ins(%t : tensor<4x8xf16>) outs(%t : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// A map whose body has an argument too many.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.map' op body must have 1 arguments, but has 3}}
  %r = linalg.map ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>)
    (%p: f16, %q: f16, %s: f16) {
      linalg.yield %p : f16
    }
  return
}
// -----
// A permutation too short.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<8x4xf16>
  // expected-error@+1:92 {{'linalg.transpose' op permutation of 1 dimensions for an input of rank 2 and an output of rank 2}}
  %r = linalg.transpose ins(%t : tensor<4x8xf16>) outs(%e : tensor<8x4xf16>) permutation = [1]
  return
}
// -----
// A permutation that repeats.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<8x4xf16>
  // expected-error@+1:92 {{'linalg.transpose' op permutation: 1 is listed twice}}
  %r = linalg.transpose ins(%t : tensor<4x8xf16>) outs(%e : tensor<8x4xf16>) permutation = [1, 1]
  return
}
// -----
// A permutation that is no list.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<8x4xf16>
  // expected-error@+1:50 {{'linalg.transpose' op attribute 'permutation' must be a list of integers}}
  %r = "linalg.transpose"(%t, %e) {permutation = 3} : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  return
}
// -----
// No permutation.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<8x4xf16>
  // expected-error@+1:8 {{'linalg.transpose' op requires attribute 'permutation'}}
  %r = "linalg.transpose"(%t, %e) : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  return
}
// -----
// A broadcast of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:29 {{'linalg.broadcast' op operand 0 must be a tensor, not 'f16'}}
  %r = linalg.broadcast ins(%h : f16) outs(%e : tensor<4x8xf16>) dimensions = [0, 1]
  return
}
// -----
// A reduction of no dimension.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:103 {{'linalg.reduce' op reduces no dimension}}
  %r = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf16>) outs(%t : tensor<4x8xf16>) dimensions = []
  return
}
// -----
// A reduction of dimensions out of order.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %z = tensor.splat %h : tensor<f16>
  // expected-error@+1:99 {{'linalg.reduce' op dimensions must be in ascending order}}
  %r = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf16>) outs(%z : tensor<f16>) dimensions = [1, 0]
  return
}
// -----
// A reduction into a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:28 {{'linalg.reduce' op operand 1 must be a tensor, not 'f16'}}
  %r = "linalg.reduce"(%t, %h) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%p: f16, %q: f16):
    "linalg.yield"(%p) : (f16) -> ()
  }) : (tensor<4x8xf16>, f16) -> f16
  return
}
// -----
// An odd number of operands.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'linalg.reduce' op needs as many outputs as inputs}}
  %r = "linalg.reduce"(%t, %t, %t) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%p: f16):
    "linalg.yield"(%p) : (f16) -> ()
  }) : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> f16
  return
}
// -----
// A number of a loop outside linalg.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'linalg.index' op must be in the body of a linalg op}}
  %r = linalg.index 0 : index
  return
}
// -----
// A number of a loop that is no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    // expected-error@+1:10 {{'linalg.index' op result must be index, not 'i32'}}
    %n = "linalg.index"() {dim = 0} : () -> i32
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// A number of a loop beyond all.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%p: f16, %q: f16):
    // expected-error@+1:34 {{'linalg.index' op attribute 'dim' must be from 0 to 7, not 99}}
    %n = "linalg.index"() {dim = 99} : () -> index
    linalg.yield %p : f16
  } -> tensor<4x8xf16>
  return
}
// -----
// An access tile as an operand.
func.func @f(%a: !ktdp.access_tile<4x8xindex>, %t: tensor<4x8xf16>) {
  // expected-error@+1:23 {{'linalg.exp' op operand 0 must be a tensor or a scalar, not '!ktdp.access_tile<4x8xindex>'}}
  %r = linalg.exp ins(%a : !ktdp.access_tile<4x8xindex>) outs(%t : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// A short form with too few operands.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %e = tensor.empty() : tensor<4x8xf16>
  // expected-error@+1:21 {{'linalg.map' op in short form needs a body op of 2 operands and one input}}
  %r = linalg.map { math.exp } ins(%t, %t : tensor<4x8xf16>, tensor<4x8xf16>) outs(%e : tensor<4x8xf16>)
  return
}
