// An iterator type that does not exist.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 15 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

func.func @mask(%x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [8, 16], strides: [16, 1] {
    coordinate_set = #all, memory_space = #ktdp.memory_space<global>
  } : memref<8x16xf32>
  %xt = ktdp.construct_access_tile %xv[%c0, %c0] {
    access_tile_set = #all, access_tile_order = #order
  } : memref<8x16xf32> -> !ktdp.access_tile<8x16xindex>
  %v = ktdp.load %xt : !ktdp.access_tile<8x16xindex> -> tensor<8x16xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  %low = arith.constant 0xFF800000 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      // expected-error@+1:37 {{'linalg.generic' op iterator type must be "parallel" or "reduction"}}
      iterator_types = ["parallel", "window"]}
      ins(%v : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%e: f32, %o: f32):
      %row = linalg.index 0 : index
      %col = linalg.index 1 : index
      %keep = arith.cmpi ule, %col, %row : index
      %m = arith.select %keep, %e, %low : f32
      linalg.yield %m : f32
  } -> tensor<8x16xf32>
  ktdp.store %r, %xt : tensor<8x16xf32>, !ktdp.access_tile<8x16xindex>
  return
}
