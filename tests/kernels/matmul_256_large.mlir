// c = a * b, 256x256x256, f16 inputs: 2x2 compute tiles of 128x128, k in steps of 64. The f32
// accumulator that the loop carries through `outs` is larger than the accumulators of the matrix unit.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#a_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#b_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_256_large(%a: index, %b: index, %c: index) attributes {grid = [2, 2]} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 128 : index
    %cols = arith.constant 128 : index
    %step = arith.constant 64 : index
    %k_end = arith.constant 256 : index
    %id_n, %id_m = ktdp.get_compute_tile_id : index, index
    %row = arith.muli %id_m, %rows : index
    %col = arith.muli %id_n, %cols : index

    %a_view = ktdp.construct_memory_view %a, sizes: [256, 256], strides: [256, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x256xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [256, 256], strides: [256, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x256xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [256, 256], strides: [256, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x256xf32>

    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %k_end step %step iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
      %a_acc = ktdp.construct_access_tile %a_view[%row, %k] {
        access_tile_set = #a_tile, access_tile_order = #order
      } : memref<256x256xf16> -> !ktdp.access_tile<128x64xindex>
      %b_acc = ktdp.construct_access_tile %b_view[%k, %col] {
        access_tile_set = #b_tile, access_tile_order = #order
      } : memref<256x256xf16> -> !ktdp.access_tile<64x128xindex>
      %x = ktdp.load %a_acc : !ktdp.access_tile<128x64xindex> -> tensor<128x64xf16>
      %w = ktdp.load %b_acc : !ktdp.access_tile<64x128xindex> -> tensor<64x128xf16>
      %next = linalg.matmul ins(%x, %w : tensor<128x64xf16>, tensor<64x128xf16>)
          outs(%acc : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %next : tensor<128x128xf32>
    }

    %c_acc = ktdp.construct_access_tile %c_view[%row, %col] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<256x256xf32> -> !ktdp.access_tile<128x128xindex>
    ktdp.store %sum, %c_acc : tensor<128x128xf32>, !ktdp.access_tile<128x128xindex>
    return
  }
}
