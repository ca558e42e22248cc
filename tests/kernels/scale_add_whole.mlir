// y = 1.5 * x + y for 1,048,576 f16 elements in a single compute tile: each of its tiles fills LX by itself, so the compiler
// cuts them into pieces; y is read and written in place.
#all = affine_set<(d0) : (d0 >= 0, -d0 + 1048575 >= 0)>
#order = affine_map<(d0) -> (d0)>

module {
  func.func @scale_add_whole(%x: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %factor = arith.constant dense<1.5> : tensor<1048576xf16>
    %x_view = ktdp.construct_memory_view %x, sizes: [1048576], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1048576xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [1048576], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1048576xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%c0] {
      access_tile_set = #all, access_tile_order = #order
    } : memref<1048576xf16> -> !ktdp.access_tile<1048576xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%c0] {
      access_tile_set = #all, access_tile_order = #order
    } : memref<1048576xf16> -> !ktdp.access_tile<1048576xindex>
    %a = ktdp.load %x_tile : !ktdp.access_tile<1048576xindex> -> tensor<1048576xf16>
    %b = ktdp.load %y_tile : !ktdp.access_tile<1048576xindex> -> tensor<1048576xf16>
    %scaled = arith.mulf %a, %factor : tensor<1048576xf16>
    %sum = arith.addf %scaled, %b : tensor<1048576xf16>
    ktdp.store %sum, %y_tile : tensor<1048576xf16>, !ktdp.access_tile<1048576xindex>
    return
  }
}
