// c = a + b for 4,096 f16 elements: 32 compute tiles, 128 elements each. All sizes are static.
#all = affine_set<(d0) : (d0 >= 0, -d0 + 4095 >= 0)>
#tile = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>
#order = affine_map<(d0) -> (d0)>

module {
  func.func @vector_add(%a: index, %b: index, %c: index) attributes {grid = [32]} {
    %c128 = arith.constant 128 : index
    %id = ktdp.get_compute_tile_id : index
    %start = arith.muli %id, %c128 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [4096], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [4096], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [4096], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096xf16>

    %a_tile = ktdp.construct_access_tile %a_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<4096xf16> -> !ktdp.access_tile<128xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<4096xf16> -> !ktdp.access_tile<128xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<4096xf16> -> !ktdp.access_tile<128xindex>

    %x = ktdp.load %a_tile : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %y = ktdp.load %b_tile : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %sum = arith.addf %x, %y : tensor<128xf16>
    ktdp.store %sum, %c_tile : tensor<128xf16>, !ktdp.access_tile<128xindex>
    return
  }
}
