// A string without an end.
#all = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>
#tile = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
#order = affine_map<(d0) -> (d0)>

func.func @double(%x: index, %y: index) attributes {grid = [8]} {
  %c64 = arith.constant 64 : index
  %id = ktdp.get_compute_tile_id : index
  %at = arith.muli %id, %c64 : index
  %in_view = ktdp.construct_memory_view %x, sizes: [512], strides: [1] {
    // expected-error@+1:35 {{this string has no end on its line}}
    coordinate_set = #all, note = "unfinished, memory_space = #ktdp.memory_space<global>
  } : memref<512xf16>
  %out_view = ktdp.construct_memory_view %y, sizes: [512], strides: [1] {
    coordinate_set = #all, memory_space = #ktdp.memory_space<global>
  } : memref<512xf16>
  %in_tile = ktdp.construct_access_tile %in_view[%at] {
    access_tile_set = #tile, access_tile_order = #order
  } : memref<512xf16> -> !ktdp.access_tile<64xindex>
  %out_tile = ktdp.construct_access_tile %out_view[%at] {
    access_tile_set = #tile, access_tile_order = #order
  } : memref<512xf16> -> !ktdp.access_tile<64xindex>
  %v = ktdp.load %in_tile : !ktdp.access_tile<64xindex> -> tensor<64xf16>
  %sum = arith.addf %v, %v : tensor<64xf16>
  ktdp.store %sum, %out_tile : tensor<64xf16>, !ktdp.access_tile<64xindex>
  return
}
