// RMS norm of the rows of a 64x1000 f16 matrix, in f32 inside: y = x / sqrt(mean of x squared + eps) * gamma.
// 4 compute tiles of 16 rows each.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 999 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#along = affine_map<(d0) -> (d0)>

module {
  func.func @rmsnorm(%x: index, %gamma: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x1000xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [64, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x1000xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x1000xf16> -> !ktdp.access_tile<16x1000xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x1000xf16> -> !ktdp.access_tile<16x1000xindex>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [1000], strides: [1] {
      coordinate_set = #vector, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1000xf16>
    %gamma_tile = ktdp.construct_access_tile %gamma_view[%c0] {
      access_tile_set = #vector, access_tile_order = #along
    } : memref<1000xf16> -> !ktdp.access_tile<1000xindex>

    %in = ktdp.load %x_tile : !ktdp.access_tile<16x1000xindex> -> tensor<16x1000xf16>
    %g = ktdp.load %gamma_tile : !ktdp.access_tile<1000xindex> -> tensor<1000xf16>
    %x32 = arith.extf %in : tensor<16x1000xf16> to tensor<16x1000xf32>
    %g32 = arith.extf %g : tensor<1000xf16> to tensor<1000xf32>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %share = arith.constant dense<0.001> : tensor<16xf32>
    %eps = arith.constant dense<1.0e-6> : tensor<16xf32>
    %wide = tensor.empty() : tensor<16x1000xf32>

    %square = arith.mulf %x32, %x32 : tensor<16x1000xf32>
    %squares = linalg.reduce { arith.addf }
        ins(%square : tensor<16x1000xf32>)
        outs(%zero : tensor<16xf32>)
        dimensions = [1]
    %mean = arith.mulf %squares, %share : tensor<16xf32>
    %above = arith.addf %mean, %eps : tensor<16xf32>
    %scale = math.rsqrt %above : tensor<16xf32>
    %scale_rows = linalg.broadcast
        ins(%scale : tensor<16xf32>)
        outs(%wide : tensor<16x1000xf32>)
        dimensions = [1]
    %norm = arith.mulf %x32, %scale_rows : tensor<16x1000xf32>
    %gamma_rows = linalg.broadcast
        ins(%g32 : tensor<1000xf32>)
        outs(%wide : tensor<16x1000xf32>)
        dimensions = [0]
    %scaled = arith.mulf %norm, %gamma_rows : tensor<16x1000xf32>
    %out = arith.truncf %scaled : tensor<16x1000xf32> to tensor<16x1000xf16>
    ktdp.store %out, %y_tile : tensor<16x1000xf16>, !ktdp.access_tile<16x1000xindex>
    return
  }
}
