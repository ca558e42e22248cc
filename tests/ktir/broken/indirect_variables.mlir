// A variable that the set does not bound.
#vars = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

func.func @gather(%x: index, %t: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %xv = ktdp.construct_memory_view %x, sizes: [100, 64], strides: [64, 1] {
    memory_space = #ktdp.memory_space<global>
  } : memref<100x64xf16>
  %tv = ktdp.construct_memory_view %t, sizes: [8], strides: [1] {
    memory_space = #ktdp.memory_space<global>
  } : memref<8xi32>
  %yv = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {
    memory_space = #ktdp.memory_space<global>
  } : memref<8x64xf16>
  %xt = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c, %z)
      %xv[ind(%tv[%r]), (%c)] {
    // expected-error@+1:27 {{'ktdp.construct_indirect_access_tile' op variables_space_set has 2 dimensions, but there are 3 intermediate variables}}
    variables_space_set = #vars, variables_space_order = #order
  } : memref<100x64xf16>, memref<8xi32> -> !ktdp.access_tile<8x64xindex>
  %yt = ktdp.construct_access_tile %yv[%c0, %c0] {
    access_tile_set = #vars, access_tile_order = #order
  } : memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>
  %v = ktdp.load %xt : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf16>
  ktdp.store %v, %yt : tensor<8x64xf16>, !ktdp.access_tile<8x64xindex>
  return
}
