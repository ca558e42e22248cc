// c = a * b, 5x7 by 7x3, f16 inputs, f32 result: one compute tile smaller than anything the machine
// is made of.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 6 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 6 >= 0, d1 >= 0, -d1 + 2 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 2 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_5x7x3(%a: index, %b: index, %c: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [5, 7], strides: [7, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<5x7xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [7, 3], strides: [3, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<7x3xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [5, 3], strides: [3, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<5x3xf32>
    %a_tile = ktdp.construct_access_tile %a_view[%c0, %c0] {
      access_tile_set = #a_all, access_tile_order = #order
    } : memref<5x7xf16> -> !ktdp.access_tile<5x7xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%c0, %c0] {
      access_tile_set = #b_all, access_tile_order = #order
    } : memref<7x3xf16> -> !ktdp.access_tile<7x3xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%c0, %c0] {
      access_tile_set = #c_all, access_tile_order = #order
    } : memref<5x3xf32> -> !ktdp.access_tile<5x3xindex>

    %x = ktdp.load %a_tile : !ktdp.access_tile<5x7xindex> -> tensor<5x7xf16>
    %w = ktdp.load %b_tile : !ktdp.access_tile<7x3xindex> -> tensor<7x3xf16>
    %zero = arith.constant dense<0.0> : tensor<5x3xf32>
    %sum = linalg.matmul ins(%x, %w : tensor<5x7xf16>, tensor<7x3xf16>)
        outs(%zero : tensor<5x3xf32>) -> tensor<5x3xf32>
    ktdp.store %sum, %c_tile : tensor<5x3xf32>, !ktdp.access_tile<5x3xindex>
    return
  }
}
