// y = gelu(x w1 + b1) w2 + b2 in bf16, a perceptron of two layers, 128x256 rows, 512 hidden columns, 128
// results: one compute tile. Sums and gelu (its exact form, with erf) are f32.
#x_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#w1_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#b1_all = affine_set<(d0) : (d0 >= 0, -d0 + 511 >= 0)>
#w2_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#b2_all = affine_set<(d0) : (d0 >= 0, -d0 + 127 >= 0)>
#y_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#order1 = affine_map<(d0) -> (d0)>

module {
  func.func @mlp_bf16(%x: index, %w1: index, %b1: index, %w2: index, %b2: index, %y: index)
      attributes {grid = [1]} {
    %c0 = arith.constant 0 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [128, 256], strides: [256, 1] {
      coordinate_set = #x_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x256xbf16>
    %w1_view = ktdp.construct_memory_view %w1, sizes: [256, 512], strides: [512, 1] {
      coordinate_set = #w1_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x512xbf16>
    %b1_view = ktdp.construct_memory_view %b1, sizes: [512], strides: [1] {
      coordinate_set = #b1_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512xbf16>
    %w2_view = ktdp.construct_memory_view %w2, sizes: [512, 128], strides: [128, 1] {
      coordinate_set = #w2_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512x128xbf16>
    %b2_view = ktdp.construct_memory_view %b2, sizes: [128], strides: [1] {
      coordinate_set = #b2_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128xbf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [128, 128], strides: [128, 1] {
      coordinate_set = #y_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<128x128xbf16>
    %x_acc = ktdp.construct_access_tile %x_view[%c0, %c0] {
      access_tile_set = #x_all, access_tile_order = #order
    } : memref<128x256xbf16> -> !ktdp.access_tile<128x256xindex>
    %w1_acc = ktdp.construct_access_tile %w1_view[%c0, %c0] {
      access_tile_set = #w1_all, access_tile_order = #order
    } : memref<256x512xbf16> -> !ktdp.access_tile<256x512xindex>
    %b1_acc = ktdp.construct_access_tile %b1_view[%c0] {
      access_tile_set = #b1_all, access_tile_order = #order1
    } : memref<512xbf16> -> !ktdp.access_tile<512xindex>
    %w2_acc = ktdp.construct_access_tile %w2_view[%c0, %c0] {
      access_tile_set = #w2_all, access_tile_order = #order
    } : memref<512x128xbf16> -> !ktdp.access_tile<512x128xindex>
    %b2_acc = ktdp.construct_access_tile %b2_view[%c0] {
      access_tile_set = #b2_all, access_tile_order = #order1
    } : memref<128xbf16> -> !ktdp.access_tile<128xindex>
    %y_acc = ktdp.construct_access_tile %y_view[%c0, %c0] {
      access_tile_set = #y_all, access_tile_order = #order
    } : memref<128x128xbf16> -> !ktdp.access_tile<128x128xindex>
    %xv = ktdp.load %x_acc : !ktdp.access_tile<128x256xindex> -> tensor<128x256xbf16>
    %w1v = ktdp.load %w1_acc : !ktdp.access_tile<256x512xindex> -> tensor<256x512xbf16>
    %b1v = ktdp.load %b1_acc : !ktdp.access_tile<512xindex> -> tensor<512xbf16>
    %w2v = ktdp.load %w2_acc : !ktdp.access_tile<512x128xindex> -> tensor<512x128xbf16>
    %b2v = ktdp.load %b2_acc : !ktdp.access_tile<128xindex> -> tensor<128xbf16>

    // h = gelu(x w1 + b1)
    %h_zero = arith.constant dense<0.0> : tensor<128x512xf32>
    %h_mm = linalg.matmul ins(%xv, %w1v : tensor<128x256xbf16>, tensor<256x512xbf16>)
        outs(%h_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
    %b1f = arith.extf %b1v : tensor<512xbf16> to tensor<512xf32>
    %b1e = tensor.empty() : tensor<128x512xf32>
    %b1b = linalg.broadcast ins(%b1f : tensor<512xf32>) outs(%b1e : tensor<128x512xf32>) dimensions = [0]
    %h_b = arith.addf %h_mm, %b1b : tensor<128x512xf32>
    %half = arith.constant dense<0.5> : tensor<128x512xf32>
    %one = arith.constant dense<1.0> : tensor<128x512xf32>
    %root = arith.constant dense<0.70710677> : tensor<128x512xf32>
    %h_r = arith.mulf %h_b, %root : tensor<128x512xf32>
    %h_e = math.erf %h_r : tensor<128x512xf32>
    %h_o = arith.addf %h_e, %one : tensor<128x512xf32>
    %h_h = arith.mulf %h_b, %half : tensor<128x512xf32>
    %h_g = arith.mulf %h_h, %h_o : tensor<128x512xf32>
    %h = arith.truncf %h_g : tensor<128x512xf32> to tensor<128x512xbf16>

    // y = h w2 + b2
    %y_zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %y_mm = linalg.matmul ins(%h, %w2v : tensor<128x512xbf16>, tensor<512x128xbf16>)
        outs(%y_zero : tensor<128x128xf32>) -> tensor<128x128xf32>
    %b2f = arith.extf %b2v : tensor<128xbf16> to tensor<128xf32>
    %b2e = tensor.empty() : tensor<128x128xf32>
    %b2b = linalg.broadcast ins(%b2f : tensor<128xf32>) outs(%b2e : tensor<128x128xf32>) dimensions = [0]
    %y_b = arith.addf %y_mm, %b2b : tensor<128x128xf32>
    %yv = arith.truncf %y_b : tensor<128x128xf32> to tensor<128x128xbf16>
    ktdp.store %yv, %y_acc : tensor<128x128xbf16>, !ktdp.access_tile<128x128xindex>
    return
  }
}
