// c = a * b, 1x2048 by 2048x512, f16 inputs, f32 result, as in the decoding phase of a language
// model: one compute tile, whose right matrix alone fills LX.
#a_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 2047 >= 0)>
#b_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2047 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 0 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_decode(%a: index, %b: index, %c: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %a_view = ktdp.construct_memory_view %a, sizes: [1, 2048], strides: [2048, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1x2048xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [2048, 512], strides: [512, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<2048x512xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [1, 512], strides: [512, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1x512xf32>
    %a_tile = ktdp.construct_access_tile %a_view[%c0, %c0] {
      access_tile_set = #a_all, access_tile_order = #order
    } : memref<1x2048xf16> -> !ktdp.access_tile<1x2048xindex>
    %b_tile = ktdp.construct_access_tile %b_view[%c0, %c0] {
      access_tile_set = #b_all, access_tile_order = #order
    } : memref<2048x512xf16> -> !ktdp.access_tile<2048x512xindex>
    %c_tile = ktdp.construct_access_tile %c_view[%c0, %c0] {
      access_tile_set = #c_all, access_tile_order = #order
    } : memref<1x512xf32> -> !ktdp.access_tile<1x512xindex>

    %x = ktdp.load %a_tile : !ktdp.access_tile<1x2048xindex> -> tensor<1x2048xf16>
    %w = ktdp.load %b_tile : !ktdp.access_tile<2048x512xindex> -> tensor<2048x512xf16>
    %zero = arith.constant dense<0.0> : tensor<1x512xf32>
    %sum = linalg.matmul ins(%x, %w : tensor<1x2048xf16>, tensor<2048x512xf16>)
        outs(%zero : tensor<1x512xf32>) -> tensor<1x512xf32>
    ktdp.store %sum, %c_tile : tensor<1x512xf32>, !ktdp.access_tile<1x512xindex>
    return
  }
}
