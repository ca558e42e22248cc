// o = softmax(q k^T / 8) v: attention of 128 queries to 256 keys, 64 numbers each, f16; scores and
// softmax are f32. Two compute tiles of 64 queries.
#q_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#k_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#q_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @attention(%q: index, %k: index, %v: index, %o: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 64 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %rows : index

    %q_view = ktdp.construct_memory_view %q, sizes: [128, 64], strides: [64, 1] {
      coordinate_set = #q_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x64xf16>
    %k_view = ktdp.construct_memory_view %k, sizes: [256, 64], strides: [64, 1] {
      coordinate_set = #k_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x64xf16>
    %v_view = ktdp.construct_memory_view %v, sizes: [256, 64], strides: [64, 1] {
      coordinate_set = #k_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x64xf16>
    %o_view = ktdp.construct_memory_view %o, sizes: [128, 64], strides: [64, 1] {
      coordinate_set = #q_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x64xf16>
    %q_acc = ktdp.construct_access_tile %q_view[%row, %c0] {
      access_tile_set = #q_tile, access_tile_order = #order
    } : memref<128x64xf16> -> !ktdp.access_tile<64x64xindex>
    %k_acc = ktdp.construct_access_tile %k_view[%c0, %c0] {
      access_tile_set = #k_all, access_tile_order = #order
    } : memref<256x64xf16> -> !ktdp.access_tile<256x64xindex>
    %v_acc = ktdp.construct_access_tile %v_view[%c0, %c0] {
      access_tile_set = #k_all, access_tile_order = #order
    } : memref<256x64xf16> -> !ktdp.access_tile<256x64xindex>
    %o_acc = ktdp.construct_access_tile %o_view[%row, %c0] {
      access_tile_set = #q_tile, access_tile_order = #order
    } : memref<128x64xf16> -> !ktdp.access_tile<64x64xindex>
    %qv = ktdp.load %q_acc : !ktdp.access_tile<64x64xindex> -> tensor<64x64xf16>
    %kv = ktdp.load %k_acc : !ktdp.access_tile<256x64xindex> -> tensor<256x64xf16>
    %vv = ktdp.load %v_acc : !ktdp.access_tile<256x64xindex> -> tensor<256x64xf16>

    // scores: q k^T / sqrt(64)
    %s_zero = arith.constant dense<0.0> : tensor<64x256xf32>
    %s_mm = linalg.matmul_transpose_b ins(%qv, %kv : tensor<64x64xf16>, tensor<256x64xf16>)
        outs(%s_zero : tensor<64x256xf32>) -> tensor<64x256xf32>
    %scale = arith.constant dense<0.125> : tensor<64x256xf32>
    %s = arith.mulf %s_mm, %scale : tensor<64x256xf32>

    // softmax over the rows
    %low = arith.constant dense<0xFF800000> : tensor<64xf32>
    %max = linalg.reduce { arith.maximumf } ins(%s : tensor<64x256xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    %full = tensor.empty() : tensor<64x256xf32>
    %max_b = linalg.broadcast ins(%max : tensor<64xf32>) outs(%full : tensor<64x256xf32>) dimensions = [1]
    %d = arith.subf %s, %max_b : tensor<64x256xf32>
    %e = math.exp %d : tensor<64x256xf32>
    %none = arith.constant dense<0.0> : tensor<64xf32>
    %sum = linalg.reduce { arith.addf } ins(%e : tensor<64x256xf32>) outs(%none : tensor<64xf32>) dimensions = [1]
    %sum_b = linalg.broadcast ins(%sum : tensor<64xf32>) outs(%full : tensor<64x256xf32>) dimensions = [1]
    %p = arith.divf %e, %sum_b : tensor<64x256xf32>
    %p16 = arith.truncf %p : tensor<64x256xf32> to tensor<64x256xf16>

    // weighted sum of v
    %o_zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %o_mm = linalg.matmul ins(%p16, %vv : tensor<64x256xf16>, tensor<256x64xf16>)
        outs(%o_zero : tensor<64x64xf32>) -> tensor<64x64xf32>
    %ov = arith.truncf %o_mm : tensor<64x64xf32> to tensor<64x64xf16>
    ktdp.store %ov, %o_acc : tensor<64x64xf16>, !ktdp.access_tile<64x64xindex>
    return
  }
}
