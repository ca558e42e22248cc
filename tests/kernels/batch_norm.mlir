// Batch norm of a 100x600 f16 matrix, down the columns, in f32 inside: y = (x - mean) / sqrt(variance + eps).
// 4 compute tiles of 150 columns each.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 99 >= 0, d1 >= 0, -d1 + 599 >= 0)>
#columns = affine_set<(d0, d1) : (d0 >= 0, -d0 + 99 >= 0, d1 >= 0, -d1 + 149 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#per_column = affine_map<(d0, d1) -> (d1)>

module {
  func.func @batch_norm(%x: index, %y: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c150 = arith.constant 150 : index
    %id = ktdp.get_compute_tile_id : index
    %col = arith.muli %id, %c150 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [100, 600], strides: [600, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<100x600xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [100, 600], strides: [600, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<100x600xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%c0, %col] {
      access_tile_set = #columns, access_tile_order = #order
    } : memref<100x600xf16> -> !ktdp.access_tile<100x150xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%c0, %col] {
      access_tile_set = #columns, access_tile_order = #order
    } : memref<100x600xf16> -> !ktdp.access_tile<100x150xindex>

    %in = ktdp.load %x_tile : !ktdp.access_tile<100x150xindex> -> tensor<100x150xf16>
    %x32 = arith.extf %in : tensor<100x150xf16> to tensor<100x150xf32>
    %zero = arith.constant dense<0.0> : tensor<150xf32>
    %share = arith.constant dense<0.01> : tensor<150xf32>
    %eps = arith.constant dense<1.0e-5> : tensor<150xf32>
    %wide = tensor.empty() : tensor<100x150xf32>
    %sum = linalg.reduce { arith.addf }
        ins(%x32 : tensor<100x150xf32>)
        outs(%zero : tensor<150xf32>)
        dimensions = [0]
    %mean = arith.mulf %sum, %share : tensor<150xf32>
    %means = linalg.broadcast
        ins(%mean : tensor<150xf32>)
        outs(%wide : tensor<100x150xf32>)
        dimensions = [0]
    %away = arith.subf %x32, %means : tensor<100x150xf32>
    %square = arith.mulf %away, %away : tensor<100x150xf32>
    %squares = linalg.generic {
        indexing_maps = [#order, #per_column],
        iterator_types = ["reduction", "parallel"]}
        ins(%square : tensor<100x150xf32>)
        outs(%zero : tensor<150xf32>) {
      ^bb0(%element: f32, %all: f32):
        %next = arith.addf %all, %element : f32
        linalg.yield %next : f32
    } -> tensor<150xf32>
    %variance = arith.mulf %squares, %share : tensor<150xf32>
    %above = arith.addf %variance, %eps : tensor<150xf32>
    %scale = math.rsqrt %above : tensor<150xf32>
    %scales = linalg.broadcast
        ins(%scale : tensor<150xf32>)
        outs(%wide : tensor<100x150xf32>)
        dimensions = [0]
    %norm = arith.mulf %away, %scales : tensor<100x150xf32>
    %out = arith.truncf %norm : tensor<100x150xf32> to tensor<100x150xf16>
    ktdp.store %out, %y_tile : tensor<100x150xf16>, !ktdp.access_tile<100x150xindex>
    return
  }
}
