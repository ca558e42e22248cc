// c = a * b, 37x129 by 129x75, f16 inputs: one compute tile, k in three steps of 43.
// Strict f16: every step's product rounds to f16, and so does its addition; the result is f16.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 128 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 128 >= 0, d1 >= 0, -d1 + 74 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 74 >= 0)>
#a_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 42 >= 0)>
#b_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 42 >= 0, d1 >= 0, -d1 + 74 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 36 >= 0, d1 >= 0, -d1 + 74 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_37x129x75_f16(%a: index, %b: index, %c: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 43 : index
    %k_end = arith.constant 129 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [37, 129], strides: [129, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<37x129xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [129, 75], strides: [75, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<129x75xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [37, 75], strides: [75, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<37x75xf16>

    %zero = arith.constant dense<0.0> : tensor<37x75xf16>
    %sum = scf.for %k = %c0 to %k_end step %step iter_args(%acc = %zero) -> (tensor<37x75xf16>) {
      %a_acc = ktdp.construct_access_tile %a_view[%c0, %k] {
        access_tile_set = #a_tile, access_tile_order = #order
      } : memref<37x129xf16> -> !ktdp.access_tile<37x43xindex>
      %b_acc = ktdp.construct_access_tile %b_view[%k, %c0] {
        access_tile_set = #b_tile, access_tile_order = #order
      } : memref<129x75xf16> -> !ktdp.access_tile<43x75xindex>
      %x = ktdp.load %a_acc : !ktdp.access_tile<37x43xindex> -> tensor<37x43xf16>
      %w = ktdp.load %b_acc : !ktdp.access_tile<43x75xindex> -> tensor<43x75xf16>
      %part = linalg.matmul ins(%x, %w : tensor<37x43xf16>, tensor<43x75xf16>)
          outs(%zero : tensor<37x75xf16>) -> tensor<37x75xf16>
      %next = arith.addf %acc, %part : tensor<37x75xf16>
      scf.yield %next : tensor<37x75xf16>
    }

    %c_acc = ktdp.construct_access_tile %c_view[%c0, %c0] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<37x75xf16> -> !ktdp.access_tile<37x75xindex>
    ktdp.store %sum, %c_acc : tensor<37x75xf16>, !ktdp.access_tile<37x75xindex>
    return
  }
}
