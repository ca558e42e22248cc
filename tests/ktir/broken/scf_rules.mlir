// Bounds of two types.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.for' op bounds and step must be of one integer type, but are 'index', 'index' and 'i32'}}
  "scf.for"(%i, %i, %k) ({
  ^bb0(%p: index):
    scf.yield
  }) : (index, index, i32) -> ()
  return
}
// -----
// A loop that counts in bits.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.for' op cannot count in 'i1', which has no positive step}}
  "scf.for"(%b, %b, %b) ({
  ^bb0(%p: i1):
    scf.yield
  }) : (i1, i1, i1) -> ()
  return
}
// -----
// A body without the induction variable.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.for' op body must have 1 arguments, but has 0}}
  "scf.for"(%i, %i, %i) ({
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
// An induction variable of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  "scf.for"(%i, %i, %i) ({
  // expected-error@+1:8 {{'scf.for' op argument 0 of the body must be 'index', not 'i32'}}
  ^bb0(%p: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
// An initial value without a result.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.for' op has 1 initial values, but 0 results}}
  "scf.for"(%i, %i, %i, %h) ({
  ^bb0(%p: index, %q: f16):
    scf.yield
  }) : (index, index, index, f16) -> ()
  return
}
// -----
// A result of another type than its initial value.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'scf.for' op result 0 is 'f32', but its initial value is 'f16'}}
  %r = "scf.for"(%i, %i, %i, %h) ({
  ^bb0(%p: index, %q: f16):
    scf.yield %w : f32
  }) : (index, index, index, f16) -> f32
  return
}
// -----
// An unsigned loop.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:11 {{'scf.for' op with unsigned comparison is not supported}}
  scf.for unsigned %p = %i to %i step %i {
  }
  return
}
// -----
// A condition that is no i1.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:12 {{'scf.if' op condition must be i1, not 'i32'}}
  "scf.if"(%k) ({
    scf.yield
  }, {
  }) : (i32) -> ()
  return
}
// -----
// A branch with an argument.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.if' op branches have no arguments}}
  "scf.if"(%b) ({
  ^bb0(%p: index):
    scf.yield
  }, {
  }) : (i1) -> ()
  return
}
// -----
// No then branch.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:17 {{the block that ends here must end with 'scf.yield'}}
  "scf.if"(%b) ({
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}
// -----
// A parallel loop that does not advance.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %c0 = arith.constant 0 : index
  // expected-error@+1:3 {{'scf.parallel' op step 0 must be positive, but is 0}}
  scf.parallel (%p) = (%i) to (%i) step (%c0) {
  }
  return
}
// -----
// A parallel loop with a bound too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.parallel' op has 2 induction variables, 1 lower bounds, 2 upper bounds and 2 steps}}
  scf.parallel (%p, %q) = (%i) to (%i, %i) step (%i, %i) {
  }
  return
}
// -----
// A parallel loop with segments that differ.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.parallel' op needs as many lower bounds, upper bounds and steps, at most 8}}
  "scf.parallel"(%i, %i, %i) ({
  ^bb0(%p: index):
    "scf.reduce"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0, 0>} : (index, index, index) -> ()
  return
}
// -----
// A parallel loop over i32.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:18 {{'scf.parallel' op a bound or step must be of type 'index', not 'i32'}}
  "scf.parallel"(%k, %k, %k) ({
  ^bb0(%p: index):
    "scf.reduce"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (i32, i32, i32) -> ()
  return
}
// -----
// A parallel loop that reduces nothing.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:8 {{'scf.reduce' op yields 0 values, but 'scf.parallel' has 1 result}}
  %r = scf.parallel (%p) = (%i) to (%i) step (%i) init (%h) -> f16 {
  }
  return
}
// -----
// A reduction outside of a parallel loop.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  scf.for %p = %i to %i step %i {
    // expected-error@+2:5 {{'scf.reduce' op must be in 'scf.parallel'}}
    // expected-error@+1:5 {{'scf.reduce' op ends this block, but 'scf.yield' is expected}}
    scf.reduce
  }
  return
}
// -----
// A reduction with a body too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %r = scf.parallel (%p) = (%i) to (%i) step (%i) init (%h) -> f16 {
    // expected-error@+1:5 {{'scf.reduce' op has 1 operands, but 0 bodies}}
    "scf.reduce"(%h) : (f16) -> ()
  }
  return
}
// -----
// A reduction of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %r = scf.parallel (%p) = (%i) to (%i) step (%i) init (%h) -> f16 {
    // expected-error@+1:5 {{'scf.reduce' op body 0 must have two arguments of type 'f16'}}
    scf.reduce(%h : f16) {
    ^bb0(%y: f32, %z: f32):
      scf.reduce.return %y : f32
    }
  }
  return
}
// -----
// A reduction that returns another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %r = scf.parallel (%p) = (%i) to (%i) step (%i) init (%h) -> f16 {
    scf.reduce(%h : f16) {
    ^bb0(%y: f16, %z: f16):
      // expected-error@+1:7 {{'scf.reduce.return' op returns 'f32', but 'f16' is reduced}}
      scf.reduce.return %w : f32
    }
  }
  return
}
// -----
// An op where only insertions may be.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  scf.forall (%p) in (8) {
    scf.forall.in_parallel {
      // expected-error@+1:12 {{'arith.addi' op is not allowed in 'scf.forall.in_parallel'}}
      %n = arith.addi %i, %i : index
    }
  }
  return
}
// -----
// An insertion into what is not shared.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %z = tensor.splat %h : tensor<8xf16>
  %one = tensor.splat %h : tensor<1xf16>
  %r = scf.forall (%p) in (8) shared_outs(%o = %z) -> (tensor<8xf16>) {
    scf.forall.in_parallel {
      // expected-error@+1:46 {{'tensor.parallel_insert_slice' op destination must be a shared output of the 'scf.forall'}}
      tensor.parallel_insert_slice %one into %z[%p] [1] [1] : tensor<1xf16> into tensor<8xf16>
    }
  }
  return
}
// -----
// A forall with a bound too few.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.forall' op has 2 induction variables, 1 lower bounds, 1 upper bounds and 1 steps}}
  scf.forall (%p, %q) in (8) {
  }
  return
}
// -----
// A forall that does not advance.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.forall' op step 0 must be positive, but is 0}}
  scf.forall (%p) = (0) to (8) step (0) {
  }
  return
}
// -----
// A forall with an output too many.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %z = tensor.splat %h : tensor<8xf16>
  // expected-error@+1:33 {{'scf.forall' op has 1 initial value, but 2 result types}}
  %r:2 = scf.forall (%p) in (8) shared_outs(%o = %z) -> (tensor<8xf16>, tensor<8xf16>) {
  }
  return
}
// -----
// A forall of nine dimensions.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:3 {{'scf.forall' op has more than 8 dimensions}}
  "scf.forall"() ({
    "scf.forall.in_parallel"() ({
    }) : () -> ()
  }) {staticUpperBound = array<i64: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>} : () -> ()
  return
}
// -----
// Words that are missing.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:25 {{expected 'step', got '{'}}
  scf.for %p = %i to %i {
  }
  return
}
// -----
// A forall without a range.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:19 {{expected '=', got 'from'}}
  scf.forall (%p) from (8) {
  }
  return
}
// -----
// A parallel loop without steps.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  // expected-error@+1:36 {{expected 'step', got '{'}}
  scf.parallel (%p) = (%i) to (%i) {
  }
  return
}
// -----
// A yielded value of another type.
func.func @f(%x: index, %i: index, %b: i1, %h: f16, %w: f32, %k: i32) {
  %r = scf.for %p = %i to %i step %i iter_args(%q = %h) -> (f16) {
    // expected-error@+1:15 {{'scf.yield' op yields 'f32' as value 0, but result 0 is 'f16'}}
    scf.yield %w : f32
  }
  return
}
