// c = a * b, 512x512x512, f16 inputs: 8x8 compute tiles of one 64x64 output tile each, k in steps of
// 64. The f32 accumulator is carried round the loop through `outs`; the result is f32.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#a_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#b_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_512(%a: index, %b: index, %c: index) attributes {grid = [8, 8]} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 64 : index
    %cols = arith.constant 64 : index
    %step = arith.constant 64 : index
    %k_end = arith.constant 512 : index
    %id_n, %id_m = ktdp.get_compute_tile_id : index, index
    %row = arith.muli %id_m, %rows : index
    %col = arith.muli %id_n, %cols : index

    %a_view = ktdp.construct_memory_view %a, sizes: [512, 512], strides: [512, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512x512xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [512, 512], strides: [512, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512x512xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [512, 512], strides: [512, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512x512xf32>

    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %k_end step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %a_acc = ktdp.construct_access_tile %a_view[%row, %k] {
        access_tile_set = #a_tile, access_tile_order = #order
      } : memref<512x512xf16> -> !ktdp.access_tile<64x64xindex>
      %b_acc = ktdp.construct_access_tile %b_view[%k, %col] {
        access_tile_set = #b_tile, access_tile_order = #order
      } : memref<512x512xf16> -> !ktdp.access_tile<64x64xindex>
      %x = ktdp.load %a_acc : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
      %w = ktdp.load %b_acc : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
      %next = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>)
          outs(%acc : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }

    %c_acc = ktdp.construct_access_tile %c_view[%row, %col] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<512x512xf32> -> !ktdp.access_tile<64x64xindex>
    ktdp.store %sum, %c_acc : tensor<64x64xf32>, !ktdp.access_tile<64x64xindex>
    return
  }
}
