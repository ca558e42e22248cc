// An elementwise chain with a value for each row and one for each column, all 64x300 f16:
// z = max((x * scale[row] + shift[column]) * y - shift[column], 0). 4 compute tiles of 16 rows each.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 299 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 299 >= 0)>
#vector = affine_set<(d0) : (d0 >= 0, -d0 + 299 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#heights = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#part = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>
#along = affine_map<(d0) -> (d0)>

module {
  func.func @chain(%x: index, %y: index, %scale: index, %shift: index, %z: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 300], strides: [300, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x300xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [64, 300], strides: [300, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x300xf16>
    %z_view = ktdp.construct_memory_view %z, sizes: [64, 300], strides: [300, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x300xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x300xf16> -> !ktdp.access_tile<16x300xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x300xf16> -> !ktdp.access_tile<16x300xindex>
    %z_tile = ktdp.construct_access_tile %z_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<64x300xf16> -> !ktdp.access_tile<16x300xindex>
    %shift_view = ktdp.construct_memory_view %shift, sizes: [300], strides: [1] {
      coordinate_set = #vector, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<300xf16>
    %shift_tile = ktdp.construct_access_tile %shift_view[%c0] {
      access_tile_set = #vector, access_tile_order = #along
    } : memref<300xf16> -> !ktdp.access_tile<300xindex>
    %scale_view = ktdp.construct_memory_view %scale, sizes: [64], strides: [1] {
      coordinate_set = #heights, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64xf16>
    %scale_tile = ktdp.construct_access_tile %scale_view[%row] {
      access_tile_set = #part, access_tile_order = #along
    } : memref<64xf16> -> !ktdp.access_tile<16xindex>

    %xv = ktdp.load %x_tile : !ktdp.access_tile<16x300xindex> -> tensor<16x300xf16>
    %yv = ktdp.load %y_tile : !ktdp.access_tile<16x300xindex> -> tensor<16x300xf16>
    %sv = ktdp.load %scale_tile : !ktdp.access_tile<16xindex> -> tensor<16xf16>
    %cv = ktdp.load %shift_tile : !ktdp.access_tile<300xindex> -> tensor<300xf16>
    %wide = tensor.empty() : tensor<16x300xf16>
    %zero = arith.constant dense<0.0> : tensor<16x300xf16>
    %scales = linalg.broadcast
        ins(%sv : tensor<16xf16>)
        outs(%wide : tensor<16x300xf16>)
        dimensions = [1]
    %shifts = linalg.broadcast
        ins(%cv : tensor<300xf16>)
        outs(%wide : tensor<16x300xf16>)
        dimensions = [0]
    %a = arith.mulf %xv, %scales : tensor<16x300xf16>
    %b = arith.addf %a, %shifts : tensor<16x300xf16>
    %c = arith.mulf %b, %yv : tensor<16x300xf16>
    %d = arith.subf %c, %shifts : tensor<16x300xf16>
    %e = arith.maximumf %d, %zero : tensor<16x300xf16>
    ktdp.store %e, %z_tile : tensor<16x300xf16>, !ktdp.access_tile<16x300xindex>
    return
  }
}
