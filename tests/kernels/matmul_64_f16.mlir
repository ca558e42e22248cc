// c = a * b, 64x64x64, f16 inputs: one compute tile, k in two steps of 32.
// Strict f16: every step's product rounds to f16, and so does its addition; the result is f16.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#a_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#b_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_64_f16(%a: index, %b: index, %c: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 32 : index
    %k_end = arith.constant 64 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x64xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x64xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x64xf16>

    %zero = arith.constant dense<0.0> : tensor<64x64xf16>
    %sum = scf.for %k = %c0 to %k_end step %step iter_args(%acc = %zero) -> (tensor<64x64xf16>) {
      %a_acc = ktdp.construct_access_tile %a_view[%c0, %k] {
        access_tile_set = #a_tile, access_tile_order = #order
      } : memref<64x64xf16> -> !ktdp.access_tile<64x32xindex>
      %b_acc = ktdp.construct_access_tile %b_view[%k, %c0] {
        access_tile_set = #b_tile, access_tile_order = #order
      } : memref<64x64xf16> -> !ktdp.access_tile<32x64xindex>
      %x = ktdp.load %a_acc : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
      %w = ktdp.load %b_acc : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
      %part = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x64xf16>)
          outs(%zero : tensor<64x64xf16>) -> tensor<64x64xf16>
      %next = arith.addf %acc, %part : tensor<64x64xf16>
      scf.yield %next : tensor<64x64xf16>
    }

    %c_acc = ktdp.construct_access_tile %c_view[%c0, %c0] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<64x64xf16> -> !ktdp.access_tile<64x64xindex>
    ktdp.store %sum, %c_acc : tensor<64x64xf16>, !ktdp.access_tile<64x64xindex>
    return
  }
}
