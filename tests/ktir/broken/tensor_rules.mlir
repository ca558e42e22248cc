// Sizes for more dimensions than are dynamic.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.empty' op has 2 sizes, but 'tensor<?x4xf16>' has 1 dynamic dimensions}}
  %t = tensor.empty(%i, %i) : tensor<?x4xf16>
  return
}
// -----
// An index that is none.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:23 {{'tensor.empty' op operand 0 must be index, not 'i32'}}
  %t = "tensor.empty"(%k) : (i32) -> tensor<?x4xf16>
  return
}
// -----
// A result that is no tensor.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.empty' op result must be a tensor, but is 'f16'}}
  %t = "tensor.empty"() : () -> f16
  return
}
// -----
// An element of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:23 {{'tensor.splat' op operand 0 must be 'f16', not 'f32'}}
  %t = "tensor.splat"(%w) : (f32) -> tensor<4xf16>
  return
}
// -----
// Too few indices.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract' op has 1 indices for a tensor of rank 2}}
  %e = tensor.extract %t[%i] : tensor<4x8xf16>
  return
}
// -----
// An extract of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract' op result must be 'f16', not 'f32'}}
  %e = "tensor.extract"(%t, %i, %i) : (tensor<4x8xf16>, index, index) -> f32
  return
}
// -----
// A slice of another element type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract_slice' op element types of 'tensor<4x8xf16>' and 'tensor<4x4xf32>' differ}}
  %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<4x8xf16> to tensor<4x4xf32>
  return
}
// -----
// An inserted slice of another element type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %s = tensor.splat %w : tensor<4x4xf32>
  // expected-error@+1:8 {{'tensor.insert_slice' op element types of 'tensor<4x4xf32>' and 'tensor<4x8xf16>' differ}}
  %r = tensor.insert_slice %s into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf16>
  return
}
// -----
// An insertion that changes the shape.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %s = tensor.splat %h : tensor<4x4xf16>
  // expected-error@+1:8 {{'tensor.insert_slice' op result must be 'tensor<4x8xf16>' like the destination, not 'tensor<8x4xf16>'}}
  %r = "tensor.insert_slice"(%s, %t) {static_offsets = [0, 0], static_sizes = [4, 4], static_strides = [1, 1], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (tensor<4x4xf16>, tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}
// -----
// A slice from a negative offset.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract_slice' op offset and size of dimension 0 must not be negative}}
  %s = tensor.extract_slice %t[-1, 0] [4, 4] [1, 1] : tensor<4x8xf16> to tensor<4x4xf16>
  return
}
// -----
// Groups of another element type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.collapse_shape' op element types of 'tensor<4x8xf16>' and 'tensor<32xf32>' differ}}
  %s = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf16> into tensor<32xf32>
  return
}
// -----
// Dimensions that no group holds.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:33 {{'tensor.collapse_shape' op only dimensions of size 1 may be left out of the groups}}
  %s = tensor.collapse_shape %t [] : tensor<4x8xf16> into tensor<f16>
  return
}
// -----
// Groups out of order.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:34 {{'tensor.collapse_shape' op groups must list the dimensions in order: 0, 1, 2, ...}}
  %s = tensor.collapse_shape %t [[1, 0]] : tensor<4x8xf16> into tensor<32xf16>
  return
}
// -----
// More groups than dimensions.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:33 {{'tensor.collapse_shape' op has 2 groups of 2 dimensions in all, but 'tensor<32xf16>' has rank 1 and 'tensor<4x8xf16>' rank 2}}
  %s = tensor.collapse_shape %t [[0], [1]] : tensor<4x8xf16> into tensor<32xf16>
  return
}
// -----
// Groups that are no list.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:53 {{'tensor.collapse_shape' op attribute 'reassociation' must be a list of lists of dimensions}}
  %s = "tensor.collapse_shape"(%t) {reassociation = 1} : (tensor<4x8xf16>) -> tensor<32xf16>
  return
}
// -----
// A collapse to a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.collapse_shape' op works on tensors, not on 'tensor<4x8xf16>' and 'f16'}}
  %s = "tensor.collapse_shape"(%t) {reassociation = [[0, 1]]} : (tensor<4x8xf16>) -> f16
  return
}
// -----
// An output shape that is another.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.expand_shape' op output_shape has 4 in dimension 0, but the result has 2}}
  %s = tensor.expand_shape %t [[0, 1], [2]] output_shape [4, 1, 8] : tensor<4x8xf16> into tensor<2x2x8xf16>
  return
}
// -----
// A reshape to another element type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %n = tensor.from_elements %i, %i : tensor<2xindex>
  // expected-error@+1:8 {{'tensor.reshape' op element types of 'tensor<4x8xf16>' and 'tensor<8x4xf32>' differ}}
  %s = tensor.reshape %t(%n) : (tensor<4x8xf16>, tensor<2xindex>) -> tensor<8x4xf32>
  return
}
// -----
// A reshape with too few sizes.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %n = tensor.from_elements %i : tensor<1xindex>
  // expected-error@+1:26 {{'tensor.reshape' op the shape must be a tensor of 2 integers, not 'tensor<1xindex>'}}
  %s = tensor.reshape %t(%n) : (tensor<4x8xf16>, tensor<1xindex>) -> tensor<8x4xf16>
  return
}
// -----
// A reshape to more elements.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %n = tensor.from_elements %i, %i : tensor<2xindex>
  // expected-error@+1:8 {{'tensor.reshape' op reshapes 32 elements into 40}}
  %s = tensor.reshape %t(%n) : (tensor<4x8xf16>, tensor<2xindex>) -> tensor<8x5xf16>
  return
}
// -----
// A reshape of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %n = tensor.from_elements %i, %i : tensor<2xindex>
  // expected-error@+1:8 {{'tensor.reshape' op operand must be a tensor, but is 'f16'}}
  %s = tensor.reshape %h(%n) : (f16, tensor<2xindex>) -> tensor<8x5xf16>
  return
}
// -----
// Too few elements.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.from_elements' op has 2 elements for 'tensor<3xindex>'}}
  %n = tensor.from_elements %i, %i : tensor<3xindex>
  return
}
// -----
// Elements of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:35 {{'tensor.from_elements' op operand 1 must be 'index', not 'i32'}}
  %n = "tensor.from_elements"(%i, %k) : (index, i32) -> tensor<2xindex>
  return
}
// -----
// Elements of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.from_elements' op result must be a tensor, but is 'index'}}
  %n = "tensor.from_elements"(%i) : (index) -> index
  return
}
// -----
// A generated element of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %m = tensor.generate {
  ^bb0(%p: index):
    // expected-error@+1:18 {{'tensor.yield' op operand 0 must be 'f16', not 'f32'}}
    tensor.yield %w : f32
  } : tensor<8xf16>
  return
}
// -----
// A generating body with too many arguments.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.generate' op body must have 1 arguments, but has 2}}
  %m = tensor.generate {
  ^bb0(%p: index, %q: index):
    tensor.yield %h : f16
  } : tensor<8xf16>
  return
}
// -----
// A generating body whose argument is no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %m = tensor.generate {
  // expected-error@+1:8 {{'tensor.generate' op argument 0 of the body must be index, not 'i32'}}
  ^bb0(%p: i32):
    tensor.yield %h : f16
  } : tensor<8xf16>
  return
}
// -----
// A generated scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.generate' op result must be a tensor, but is 'f16'}}
  %m = tensor.generate {
  ^bb0(%p: index):
    tensor.yield %h : f16
  } : f16
  return
}
// -----
// A dimension that is not there.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  %c2 = arith.constant 2 : index
  // expected-error@+1:23 {{'tensor.dim' op 'tensor<4x8xf16>' has no dimension 2}}
  %d = tensor.dim %t, %c2 : tensor<4x8xf16>
  return
}
// -----
// A dimension of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.dim' op operand must be a tensor, but is 'f16'}}
  %d = "tensor.dim"(%h, %i) : (f16, index) -> index
  return
}
// -----
// A dimension that is no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.dim' op result must be index}}
  %d = "tensor.dim"(%t, %i) : (tensor<4x8xf16>, index) -> i32
  return
}
// -----
// A slice of a scalar.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'tensor.extract_slice' op works on tensors, not on 'f16' and 'tensor<4xf16>'}}
  %s = "tensor.extract_slice"(%h) {static_offsets = [0], static_sizes = [4], static_strides = [1], operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (f16) -> tensor<4xf16>
  return
}
// -----
// A slice of two sources.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract_slice' op needs one source}}
  %s = "tensor.extract_slice"(%t, %t) {static_offsets = [0, 0], static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 2, 0, 0, 0>} : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// A segment that is negative.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:131 {{'tensor.extract_slice' op operandSegmentSizes must be 4 numbers that add up to 1}}
  %s = "tensor.extract_slice"(%t) {static_offsets = [0, 0], static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 2, -1, 0, 0>} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// Offsets that are no integers.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:53 {{'tensor.extract_slice' op attribute 'static_offsets' must be a list of integers}}
  %s = "tensor.extract_slice"(%t) {static_offsets = [0, "a"], static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// Offsets that are missing.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract_slice' op requires attribute 'static_offsets'}}
  %s = "tensor.extract_slice"(%t) {static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// An offset without its value.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:53 {{'tensor.extract_slice' op offsets has 1 dynamic entries, but 0 values}}
  %s = "tensor.extract_slice"(%t) {static_offsets = [0, -9223372036854775808], static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
// -----
// An offset that is no index.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:57 {{'tensor.extract_slice' op offsets takes values of type 'index'}}
  %s = "tensor.extract_slice"(%t, %k) {static_offsets = [0, -9223372036854775808], static_sizes = [4, 8], static_strides = [1, 1], operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf16>, i32) -> tensor<4x8xf16>
  return
}
// -----
// Sizes that are not those of the result.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'tensor.extract_slice' op sizes 4x? do not match the shape of 'tensor<4x4xf16>'}}
  %s = tensor.extract_slice %t[0, 0] [4, %i] [1, 1] : tensor<4x8xf16> to tensor<4x4xf16>
  return
}
