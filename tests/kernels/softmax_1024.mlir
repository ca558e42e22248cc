// Row softmax of a 1024x1000 f16 matrix: y[r, :] = exp(x[r, :] - max) / sum. 64 compute tiles of 16
// rows each; every step rounds to f16.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 1023 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @softmax(%x: index, %y: index) attributes {grid = [64]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f16
    %neg_inf = arith.constant 0xFC00 : f16

    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [1024, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1024x1000xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [1024, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1024x1000xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<1024x1000xf16> -> !ktdp.access_tile<16x1000xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<1024x1000xf16> -> !ktdp.access_tile<16x1000xindex>

    %in = ktdp.load %x_tile : !ktdp.access_tile<16x1000xindex> -> tensor<16x1000xf16>

    // The maximum of each row, spread over the row.
    %max_init = tensor.splat %neg_inf : tensor<16xf16>
    %max = linalg.reduce { arith.maximumf }
        ins(%in : tensor<16x1000xf16>)
        outs(%max_init : tensor<16xf16>)
        dimensions = [1]
    %wide = tensor.empty() : tensor<16x1000xf16>
    %max_rows = linalg.broadcast
        ins(%max : tensor<16xf16>)
        outs(%wide : tensor<16x1000xf16>)
        dimensions = [1]

    %shifted = arith.subf %in, %max_rows : tensor<16x1000xf16>
    %e = math.exp %shifted : tensor<16x1000xf16>

    // The sum of each row, spread over the row.
    %sum_init = tensor.splat %zero : tensor<16xf16>
    %sum = linalg.reduce { arith.addf }
        ins(%e : tensor<16x1000xf16>)
        outs(%sum_init : tensor<16xf16>)
        dimensions = [1]
    %sum_rows = linalg.broadcast
        ins(%sum : tensor<16xf16>)
        outs(%wide : tensor<16x1000xf16>)
        dimensions = [1]

    %out = arith.divf %e, %sum_rows : tensor<16x1000xf16>
    ktdp.store %out, %y_tile : tensor<16x1000xf16>, !ktdp.access_tile<16x1000xindex>
    return
  }
}
