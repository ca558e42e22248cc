// c = a + b for n f16 elements, n being a scalar argument: 32 compute tiles of 128 elements cover up
// to 4,096. Elements at and beyond n read as +0 and are not written.
#all = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
#tile = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>
#order = affine_map<(d0) -> (d0)>

module {
  func.func @vector_add_dynamic(%a: index, %b: index, %c: index, %n: index)
      attributes {grid = [32]} {
    %c128 = arith.constant 128 : index
    %id = ktdp.get_compute_tile_id : index
    %start = arith.muli %id, %c128 : index

    %a_view = ktdp.construct_memory_view %a, sizes: [%n], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%n], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [%n], strides: [1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?xf16>

    %a_tile = ktdp.construct_access_tile %a_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<?xf16> -> !ktdp.access_tile<128xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<?xf16> -> !ktdp.access_tile<128xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%start] {
      access_tile_set = #tile, access_tile_order = #order
    } : memref<?xf16> -> !ktdp.access_tile<128xindex>

    %x = ktdp.load %a_tile : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %y = ktdp.load %b_tile : !ktdp.access_tile<128xindex> -> tensor<128xf16>
    %sum = arith.addf %x, %y : tensor<128xf16>
    ktdp.store %sum, %c_tile : tensor<128xf16>, !ktdp.access_tile<128xindex>
    return
  }
}
