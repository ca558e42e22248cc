// Layer norm of the rows of a 64x1000 f16 matrix as compilers of tile programs write it: a loop over rows, results of
// reductions as scalars, linalg.generic. y = (x - mean) / sqrt(variance + eps) * gamma, four compute tiles of 16 rows.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#one_row = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 999 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 999 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#along = affine_map<(d0) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

module {
  func.func @norm_rows(%x: index, %gamma: index, %y: index, %eps: f32) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %n = arith.constant 1000 : i32
    %count = arith.sitofp %n : i32 to f32
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    %id = ktdp.get_compute_tile_id : index
    %first = arith.muli %id, %c16 : index
    %end = arith.addi %first, %c16 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x1000xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [64, 1000], strides: [1000, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x1000xf16>
    %gamma_view = ktdp.construct_memory_view %gamma, sizes: [1000], strides: [1] {
      coordinate_set = #vector, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1000xf16>
    %gamma_tile = ktdp.construct_access_tile %gamma_view[%c0] {
      access_tile_set = #vector, access_tile_order = #along
    } : memref<1000xf16> -> !ktdp.access_tile<1000xindex>
    %scale = ktdp.load %gamma_tile : !ktdp.access_tile<1000xindex> -> tensor<1000xf16>

    scf.for %row = %first to %end step %c1 {
      %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
        access_tile_set = #one_row, access_tile_order = #order
      } : memref<64x1000xf16> -> !ktdp.access_tile<1x1000xindex>
      %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
        access_tile_set = #one_row, access_tile_order = #order
      } : memref<64x1000xf16> -> !ktdp.access_tile<1x1000xindex>
      %half = ktdp.load %x_tile : !ktdp.access_tile<1x1000xindex> -> tensor<1x1000xf16>
      %in = arith.extf %half : tensor<1x1000xf16> to tensor<1x1000xf32>
      %sum = linalg.reduce { arith.addf }
          ins(%in : tensor<1x1000xf32>)
          outs(%zero : tensor<1xf32>)
          dimensions = [1]
      %sum_scalar = tensor.extract %sum[%c0] : tensor<1xf32>
      %mean = arith.divf %sum_scalar, %count : f32
      %means = tensor.splat %mean : tensor<1x1000xf32>
      %away = arith.subf %in, %means : tensor<1x1000xf32>
      %square = arith.mulf %away, %away : tensor<1x1000xf32>
      %squares = linalg.reduce ins(%square : tensor<1x1000xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
        (%element: f32, %all: f32) {
          %next = arith.addf %element, %all : f32
          linalg.yield %next : f32
        }
      %squares_scalar = tensor.extract %squares[%c0] : tensor<1xf32>
      %variance = arith.divf %squares_scalar, %count : f32
      %above = arith.addf %variance, %eps : f32
      %root = math.sqrt %above : f32
      %empty = tensor.empty() : tensor<1x1000xf16>
      %out = linalg.generic {
          indexing_maps = [#order, #columns, #order],
          iterator_types = ["parallel", "parallel"]}
          ins(%away, %scale : tensor<1x1000xf32>, tensor<1000xf16>)
          outs(%empty : tensor<1x1000xf16>) {
        ^bb0(%distance: f32, %factor: f16, %unused: f16):
          %norm = arith.divf %distance, %root : f32
          %wide = arith.extf %factor : f16 to f32
          %scaled = arith.mulf %norm, %wide : f32
          %narrow = arith.truncf %scaled : f32 to f16
          linalg.yield %narrow : f16
      } -> tensor<1x1000xf16>
      ktdp.store %out, %y_tile : tensor<1x1000xf16>, !ktdp.access_tile<1x1000xindex>
      scf.yield
    }
    return
  }
}
