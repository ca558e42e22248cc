// Layer norm of the rows of a 64x4096 f16 matrix, in f32 inside: y = (x - mean) / sqrt(variance + eps) * gamma + beta.
// 8 compute tiles of 8 rows each.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 4095 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 4095 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 4095 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#along = affine_map<(d0) -> (d0)>

module {
  func.func @layernorm(%x: index, %gamma: index, %beta: index, %y: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c8 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 4096], strides: [4096, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x4096xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [64, 4096], strides: [4096, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x4096xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x4096xf16> -> !ktdp.access_tile<8x4096xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x4096xf16> -> !ktdp.access_tile<8x4096xindex>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [4096], strides: [1] {
      coordinate_set = #vector, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096xf16>
    %beta_view = ktdp.construct_memory_view %beta, sizes: [4096], strides: [1] {
      coordinate_set = #vector, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096xf16>
    %gamma_tile = ktdp.construct_access_tile %gamma_view[%c0] {
      access_tile_set = #vector, access_tile_order = #along
    } : memref<4096xf16> -> !ktdp.access_tile<4096xindex>
    %beta_tile = ktdp.construct_access_tile %beta_view[%c0] {
      access_tile_set = #vector, access_tile_order = #along
    } : memref<4096xf16> -> !ktdp.access_tile<4096xindex>

    %in = ktdp.load %x_tile : !ktdp.access_tile<8x4096xindex> -> tensor<8x4096xf16>
    %g = ktdp.load %gamma_tile : !ktdp.access_tile<4096xindex> -> tensor<4096xf16>
    %b = ktdp.load %beta_tile : !ktdp.access_tile<4096xindex> -> tensor<4096xf16>
    %x32 = arith.extf %in : tensor<8x4096xf16> to tensor<8x4096xf32>
    %g32 = arith.extf %g : tensor<4096xf16> to tensor<4096xf32>
    %b32 = arith.extf %b : tensor<4096xf16> to tensor<4096xf32>
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %share = arith.constant dense<0.000244140625> : tensor<8xf32>
    %eps = arith.constant dense<1.0e-5> : tensor<8xf32>
    %wide = tensor.empty() : tensor<8x4096xf32>

    // What each row's elements are on average, and how far from that.
    %sum = linalg.reduce { arith.addf }
        ins(%x32 : tensor<8x4096xf32>)
        outs(%zero : tensor<8xf32>)
        dimensions = [1]
    %mean = arith.mulf %sum, %share : tensor<8xf32>
    %mean_rows = linalg.broadcast
        ins(%mean : tensor<8xf32>)
        outs(%wide : tensor<8x4096xf32>)
        dimensions = [1]
    %away = arith.subf %x32, %mean_rows : tensor<8x4096xf32>
    %square = arith.mulf %away, %away : tensor<8x4096xf32>
    %squares = linalg.reduce { arith.addf }
        ins(%square : tensor<8x4096xf32>)
        outs(%zero : tensor<8xf32>)
        dimensions = [1]
    %variance = arith.mulf %squares, %share : tensor<8xf32>
    %above = arith.addf %variance, %eps : tensor<8xf32>
    %scale = math.rsqrt %above : tensor<8xf32>
    %scale_rows = linalg.broadcast
        ins(%scale : tensor<8xf32>)
        outs(%wide : tensor<8x4096xf32>)
        dimensions = [1]

    %norm = arith.mulf %away, %scale_rows : tensor<8x4096xf32>
    %gamma_rows = linalg.broadcast
        ins(%g32 : tensor<4096xf32>)
        outs(%wide : tensor<8x4096xf32>)
        dimensions = [0]
    %beta_rows = linalg.broadcast
        ins(%b32 : tensor<4096xf32>)
        outs(%wide : tensor<8x4096xf32>)
        dimensions = [0]
    %scaled = arith.mulf %norm, %gamma_rows : tensor<8x4096xf32>
    %sum_beta = arith.addf %scaled, %beta_rows : tensor<8x4096xf32>
    %out = arith.truncf %sum_beta : tensor<8x4096xf32> to tensor<8x4096xf16>
    ktdp.store %out, %y_tile : tensor<8x4096xf16>, !ktdp.access_tile<8x4096xindex>
    return
  }
}
