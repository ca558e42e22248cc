// c = a + b for 1,048,576 f16 elements: 32 compute tiles, 32,768 contiguous elements each. A tile of
// the three vectors together is 192 KB.
#all = affine_set<(d0) : (d0 >= 0, -d0 + 1048575 >= 0)>
#tile = affine_set<(d0) : (d0 >= 0, -d0 + 32767 >= 0)>
#order = affine_map<(d0) -> (d0)>

module {
  func.func @vector_add_1m(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %block = arith.constant 32768 : index
    %id = ktdp.get_compute_tile_id : index
    %start = arith.muli %id, %block : index

    %a_view = ktdp.construct_memory_view %a, sizes: [1048576], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1048576xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [1048576], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1048576xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [1048576], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1048576xf16>

    %a_tile = ktdp.construct_access_tile %a_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<1048576xf16> -> !ktdp.access_tile<32768xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<1048576xf16> -> !ktdp.access_tile<32768xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<1048576xf16> -> !ktdp.access_tile<32768xindex>

    %x = ktdp.load %a_tile : !ktdp.access_tile<32768xindex> -> tensor<32768xf16>
    %y = ktdp.load %b_tile : !ktdp.access_tile<32768xindex> -> tensor<32768xf16>
    %sum = arith.addf %x, %y : tensor<32768xf16>
    ktdp.store %sum, %c_tile : tensor<32768xf16>, !ktdp.access_tile<32768xindex>
    return
  }
}
