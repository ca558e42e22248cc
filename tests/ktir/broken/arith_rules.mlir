// Operands of two types.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:25 {{'arith.addf' op operands and result must be of one type, but 'f32' and 'f16' are given}}
  %r = "arith.addf"(%h, %w) : (f16, f32) -> f16
  return
}
// -----
// A cast to another shape.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %t = tensor.splat %h : tensor<4x8xf16>
  // expected-error@+1:8 {{'arith.extf' op operand and result must have one shape, but 'tensor<4x8xf16>' and 'tensor<8x4xf32>' are given}}
  %r = "arith.extf"(%t) : (tensor<4x8xf16>) -> tensor<8x4xf32>
  return
}
// -----
// A comparison of two types.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:25 {{'arith.cmpi' op compares two values of one type, but 'i32' and 'index' are given}}
  %r = "arith.cmpi"(%k, %i) {predicate = 0} : (i32, index) -> i1
  return
}
// -----
// A comparison of floats as integers.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:21 {{'arith.cmpi' op works on integers and index, not on 'f16'}}
  %r = "arith.cmpi"(%h, %h) {predicate = 0} : (f16, f16) -> i1
  return
}
// -----
// A comparison that gives an i32.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.cmpf' op result must be i1 of the operands' shape, but is 'i32'}}
  %r = "arith.cmpf"(%h, %h) {predicate = 0} : (f16, f16) -> i32
  return
}
// -----
// A predicate beyond all.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:42 {{'arith.cmpf' op attribute 'predicate' must be from 0 to 15, not 16}}
  %r = "arith.cmpf"(%h, %h) {predicate = 16} : (f16, f16) -> i1
  return
}
// -----
// A predicate that is none.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:42 {{'arith.cmpi' op attribute 'predicate' must be a predicate's number}}
  %r = "arith.cmpi"(%k, %k) {predicate = "eq"} : (i32, i32) -> i1
  return
}
// -----
// No predicate.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.cmpi' op requires attribute 'predicate'}}
  %r = "arith.cmpi"(%k, %k) : (i32, i32) -> i1
  return
}
// -----
// A choice between two types.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.select' op both values and the result must be of one type, scalar or tensor}}
  %r = "arith.select"(%b, %h, %w) : (i1, f16, f32) -> f16
  return
}
// -----
// A choice by an i32.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:23 {{'arith.select' op condition must be i1, or a tensor of i1 of the values' shape, but is 'i32'}}
  %r = "arith.select"(%k, %h, %h) : (i32, f16, f16) -> f16
  return
}
// -----
// A constant without a value.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.constant' op requires attribute 'value'}}
  %r = "arith.constant"() : () -> i32
  return
}
// -----
// A return of another type.
func.func @f(%x: index) -> i32 {
  // expected-error@+1:10 {{'func.return' op returns 'index' as result 0, but the function says 'i32'}}
  return %x : index
}
// -----
// A return of too many values.
func.func @f(%x: index) -> (index) {
  // expected-error@+1:3 {{'func.return' op returns 2 values, but the function has 1 result}}
  return %x, %x : index, index
}
// -----
// A block that ends with another op's end.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  scf.for %p = %i to %i step %i {
    // expected-error@+1:5 {{'tensor.yield' op ends this block, but 'scf.yield' is expected}}
    tensor.yield %h : f16
  }
  return
}
// -----
// A bitcast to another width.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.bitcast' op casts a value to another type of the same width, not 'f16' to 'f32'}}
  %r = arith.bitcast %h : f16 to f32
  return
}
// -----
// A narrowing that widens.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.truncf' op casts a float to a narrower float, not 'f16' to 'f32'}}
  %r = arith.truncf %h : f16 to f32
  return
}
// -----
// A conversion to the same type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.convertf' op casts a float to another float of the same width, not 'f16' to 'f16'}}
  %r = arith.convertf %h : f16 to f16
  return
}
// -----
// An integer widened to a narrower one.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.extsi' op casts an integer to a wider integer, not 'i32' to 'i8'}}
  %r = arith.extsi %k : i32 to i8
  return
}
// -----
// An integer narrowed to a wider one.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.trunci' op casts an integer to a narrower integer, not 'i32' to 'i64'}}
  %r = arith.trunci %k : i32 to i64
  return
}
// -----
// A float from a float.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.sitofp' op casts an integer to a float, not 'f16' to 'f32'}}
  %r = arith.sitofp %h : f16 to f32
  return
}
// -----
// An integer from an integer.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'arith.fptosi' op casts a float to an integer, not 'i32' to 'i64'}}
  %r = arith.fptosi %k : i32 to i64
  return
}
