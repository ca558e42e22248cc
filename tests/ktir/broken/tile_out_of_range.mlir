// A tile at a constant place outside its view.
#a = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#b = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

func.func @product(%x: index, %w: index, %y: index, %n: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xv = ktdp.construct_memory_view %x, sizes: [16, 32], strides: [32, 1] {
    coordinate_set = #a, memory_space = #ktdp.memory_space<global>
  } : memref<16x32xf16>
  %wv = ktdp.construct_memory_view %w, sizes: [32, 64], strides: [64, 1] {
    coordinate_set = #b, memory_space = #ktdp.memory_space<global>
  } : memref<32x64xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [16, 64], strides: [64, 1] {
    coordinate_set = #c, memory_space = #ktdp.memory_space<global>
  } : memref<16x64xf32>
  %xt = ktdp.construct_access_tile %xv[%c0, %c0] {
    access_tile_set = #a, access_tile_order = #order
  } : memref<16x32xf16> -> !ktdp.access_tile<16x32xindex>
  %wt = ktdp.construct_access_tile %wv[%c0, %c0] {
    access_tile_set = #b, access_tile_order = #order
  } : memref<32x64xf16> -> !ktdp.access_tile<32x64xindex>
  // expected-error@+1:9 {{'ktdp.construct_access_tile' op reaches from 1 to 16 in dimension 0, outside 'memref<16x64xf32>'}}
  %yt = ktdp.construct_access_tile %yv[%c1, %c0] {
    access_tile_set = #c, access_tile_order = #order
  } : memref<16x64xf32> -> !ktdp.access_tile<16x64xindex>
  %a = ktdp.load %xt : !ktdp.access_tile<16x32xindex> -> tensor<16x32xf16>
  %b = ktdp.load %wt : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32>) {
    %next = linalg.matmul ins(%a, %b : tensor<16x32xf16>, tensor<32x64xf16>)
        outs(%acc : tensor<16x64xf32>) -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  ktdp.store %sum, %yt : tensor<16x64xf32>, !ktdp.access_tile<16x64xindex>
  return
}
