// A branch that yields another type.
func.func @shapes(%x: index) attributes {grid = [2, 2]} {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f16
  %flag = arith.constant true
  %t = tensor.splat %one : tensor<4x8xf16>
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf16> into tensor<32xf16>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [8, 4] : tensor<32xf16> into tensor<8x4xf16>
  %part = tensor.extract_slice %t[0, 2] [4, 4] [1, 1] : tensor<4x8xf16> to tensor<4x4xf16>
  %whole = tensor.insert_slice %part into %t[0, 4] [4, 4] [1, 1] : tensor<4x4xf16> into tensor<4x8xf16>
  %e = tensor.extract %whole[%c0, %c0] : tensor<4x8xf16>
  %wide = arith.extf %e : f16 to f32
  %pick = scf.if %flag -> (f32) {
    // expected-error@+1:15 {{'scf.yield' op yields 'f16' as value 0, but result 0 is 'f32'}}
    scf.yield %e : f16
  } else {
    %z = arith.constant 0.0 : f32
    scf.yield %z : f32
  }
  return
}
