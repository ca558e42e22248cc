// c = a * transpose(w), 128x256 by (192x256)^T: f16 inputs, f32 sums and result. The weights lie as layers store
// them, a row of 256 for each output: 2x3 compute tiles of one 64x64 output tile each.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#w_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 191 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 191 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_bt(%a: index, %w: index, %c: index) attributes {grid = [3, 2]} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %id_n, %id_m = ktdp.get_compute_tile_id : index, index
    %row = arith.muli %id_m, %step : index
    %col = arith.muli %id_n, %step : index

    %a_view = ktdp.construct_memory_view %a, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x256xf16>
    %w_view = ktdp.construct_memory_view %w, sizes: [192, 256], strides: [256, 1] {
      coordinate_set = #w_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<192x256xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [128, 192], strides: [192, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x192xf32>
    %a_acc = ktdp.construct_access_tile %a_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<128x256xf16> -> !ktdp.access_tile<64x256xindex>
    %w_acc = ktdp.construct_access_tile %w_view[%col, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<192x256xf16> -> !ktdp.access_tile<64x256xindex>
    %c_acc = ktdp.construct_access_tile %c_view[%row, %col] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<128x192xf32> -> !ktdp.access_tile<64x64xindex>

    %x = ktdp.load %a_acc : !ktdp.access_tile<64x256xindex> -> tensor<64x256xf16>
    %y = ktdp.load %w_acc : !ktdp.access_tile<64x256xindex> -> tensor<64x256xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = linalg.matmul_transpose_b ins(%x, %y : tensor<64x256xf16>, tensor<64x256xf16>)
        outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
    ktdp.store %r, %c_acc : tensor<64x64xf32>, !ktdp.access_tile<64x64xindex>
    return
  }
}
