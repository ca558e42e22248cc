// y = (silu(x gate) * (x up)) down, a feed-forward layer of a language model: 64x256 rows, 512 hidden
// columns, f16, all three products and what lies between them in f32. Two compute tiles of 32 rows; the
// hidden columns in steps of 128, over which the f32 accumulator of the last product is carried.
#x_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#up_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#down_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 511 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#x_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#up_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 255 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#down_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 127 >= 0, d1 >= 0, -d1 + 255 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @swiglu(%x: index, %gate: index, %up: index, %down: index, %y: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 32 : index
    %step = arith.constant 128 : index
    %hidden = arith.constant 512 : index
    %id = ktdp.get_compute_tile_id : index
    %row = arith.muli %id, %rows : index

    %x_view = ktdp.construct_memory_view %x, sizes: [64, 256], strides: [256, 1] {
      coordinate_set = #x_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x256xf16>
    %gate_view = ktdp.construct_memory_view %gate, sizes: [256, 512], strides: [512, 1] {
      coordinate_set = #up_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x512xf16>
    %up_view = ktdp.construct_memory_view %up, sizes: [256, 512], strides: [512, 1] {
      coordinate_set = #up_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<256x512xf16>
    %down_view = ktdp.construct_memory_view %down, sizes: [512, 256], strides: [256, 1] {
      coordinate_set = #down_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<512x256xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [64, 256], strides: [256, 1] {
      coordinate_set = #x_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x256xf16>
    %x_acc = ktdp.construct_access_tile %x_view[%row, %c0] {
      access_tile_set = #x_tile, access_tile_order = #order
    } : memref<64x256xf16> -> !ktdp.access_tile<32x256xindex>
    %xv = ktdp.load %x_acc : !ktdp.access_tile<32x256xindex> -> tensor<32x256xf16>
    %zero = arith.constant dense<0.0> : tensor<32x256xf32>
    %none = arith.constant dense<0.0> : tensor<32x128xf32>
    %one = arith.constant dense<1.0> : tensor<32x128xf32>
    %sum = scf.for %j = %c0 to %hidden step %step iter_args(%acc = %zero) -> (tensor<32x256xf32>) {
      %gate_acc = ktdp.construct_access_tile %gate_view[%c0, %j] {
        access_tile_set = #up_tile, access_tile_order = #order
      } : memref<256x512xf16> -> !ktdp.access_tile<256x128xindex>
      %up_acc = ktdp.construct_access_tile %up_view[%c0, %j] {
        access_tile_set = #up_tile, access_tile_order = #order
      } : memref<256x512xf16> -> !ktdp.access_tile<256x128xindex>
      %down_acc = ktdp.construct_access_tile %down_view[%j, %c0] {
        access_tile_set = #down_tile, access_tile_order = #order
      } : memref<512x256xf16> -> !ktdp.access_tile<128x256xindex>
      %wg = ktdp.load %gate_acc : !ktdp.access_tile<256x128xindex> -> tensor<256x128xf16>
      %wu = ktdp.load %up_acc : !ktdp.access_tile<256x128xindex> -> tensor<256x128xf16>
      %wd = ktdp.load %down_acc : !ktdp.access_tile<128x256xindex> -> tensor<128x256xf16>
      %g = linalg.matmul ins(%xv, %wg : tensor<32x256xf16>, tensor<256x128xf16>)
          outs(%none : tensor<32x128xf32>) -> tensor<32x128xf32>
      %u = linalg.matmul ins(%xv, %wu : tensor<32x256xf16>, tensor<256x128xf16>)
          outs(%none : tensor<32x128xf32>) -> tensor<32x128xf32>
      %ng = arith.negf %g : tensor<32x128xf32>
      %e = math.exp %ng : tensor<32x128xf32>
      %d = arith.addf %e, %one : tensor<32x128xf32>
      %s = arith.divf %g, %d : tensor<32x128xf32>
      %h = arith.mulf %s, %u : tensor<32x128xf32>
      %h16 = arith.truncf %h : tensor<32x128xf32> to tensor<32x128xf16>
      %next = linalg.matmul ins(%h16, %wd : tensor<32x128xf16>, tensor<128x256xf16>)
          outs(%acc : tensor<32x256xf32>) -> tensor<32x256xf32>
      scf.yield %next : tensor<32x256xf32>
    }
    %r = arith.truncf %sum : tensor<32x256xf32> to tensor<32x256xf16>
    %y_acc = ktdp.construct_access_tile %y_view[%row, %c0] {
      access_tile_set = #x_tile, access_tile_order = #order
    } : memref<64x256xf16> -> !ktdp.access_tile<32x256xindex>
    ktdp.store %r, %y_acc : tensor<32x256xf16>, !ktdp.access_tile<32x256xindex>
    return
  }
}
