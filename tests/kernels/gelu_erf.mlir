// GELU by the error function, of a 128x512 f16 matrix, in f32 inside: y = x / 2 * (1 + erf(x / sqrt(2))).
// 8 compute tiles of 16 rows each.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#rows = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @gelu_erf(%x: index, %y: index) attributes {grid = [8]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %c16 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 512], strides: [512, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x512xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [128, 512], strides: [512, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x512xf16>
    %x_tile = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<128x512xf16> -> !ktdp.access_tile<16x512xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #rows, access_tile_order = #order
    } : memref<128x512xf16> -> !ktdp.access_tile<16x512xindex>

    %in = ktdp.load %x_tile : !ktdp.access_tile<16x512xindex> -> tensor<16x512xf16>
    %x32 = arith.extf %in : tensor<16x512xf16> to tensor<16x512xf32>
    %half = arith.constant dense<0.5> : tensor<16x512xf32>
    %one = arith.constant dense<1.0> : tensor<16x512xf32>
    %root = arith.constant dense<0.70710678118654752> : tensor<16x512xf32>
    %arg = arith.mulf %x32, %root : tensor<16x512xf32>
    %f = math.erf %arg : tensor<16x512xf32>
    %above = arith.addf %f, %one : tensor<16x512xf32>
    %halves = arith.mulf %x32, %half : tensor<16x512xf32>
    %gelu = arith.mulf %halves, %above : tensor<16x512xf32>
    %out = arith.truncf %gelu : tensor<16x512xf32> to tensor<16x512xf16>
    ktdp.store %out, %y_tile : tensor<16x512xf16>, !ktdp.access_tile<16x512xindex>
    return
  }
}
