// y = x + x for a single f16 element: the smallest tile there is.
#one = affine_set<(d0) : (d0 >= 0, -d0 >= 0)>
#order = affine_map<(d0) -> (d0)>

module {
  func.func @one_element(%x: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [1], strides: [1] {
      coordinate_set = #one, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [1], strides: [1] {
      coordinate_set = #one, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%c0] {
      access_tile_set = #one, access_tile_order = #order
    } : memref<1xf16> -> !ktdp.access_tile<1xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%c0] {
      access_tile_set = #one, access_tile_order = #order
    } : memref<1xf16> -> !ktdp.access_tile<1xindex>
    %v = ktdp.load %x_tile : !ktdp.access_tile<1xindex> -> tensor<1xf16>
    %sum = arith.addf %v, %v : tensor<1xf16>
    ktdp.store %sum, %y_tile : tensor<1xf16>, !ktdp.access_tile<1xindex>
    return
  }
}
