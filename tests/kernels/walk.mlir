// A walk over the rows of a 64 x 500 f16 matrix: n steps, each to row (5 r + 3) mod 64. The state starts from a given row and
// is halved before each row is added. The loop carries a tensor and an integer; its bound is an argument.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 499 >= 0)>
#row = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 499 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @walk(%x: index, %start: index, %y: index, %n: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %half = arith.constant dense<0.5> : tensor<1x500xf16>
    %x_view = ktdp.construct_memory_view %x, sizes: [64, 500], strides: [500, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x500xf16>
    %start_view = ktdp.construct_memory_view %start, sizes: [1, 500], strides: [500, 1] {
      coordinate_set = #row, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1x500xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [1, 500], strides: [500, 1] {
      coordinate_set = #row, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1x500xf16>
    %start_tile = ktdp.construct_access_tile %start_view[%c0, %c0] {
      access_tile_set = #row, access_tile_order = #order
    } : memref<1x500xf16> -> !ktdp.access_tile<1x500xindex>
    %first = ktdp.load %start_tile : !ktdp.access_tile<1x500xindex> -> tensor<1x500xf16>

    %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%state = %first, %r = %c0) -> (tensor<1x500xf16>, index) {
      %x_tile = ktdp.construct_access_tile %x_view[%r, %c0] {
        access_tile_set = #row, access_tile_order = #order
      } : memref<64x500xf16> -> !ktdp.access_tile<1x500xindex>
      %v = ktdp.load %x_tile : !ktdp.access_tile<1x500xindex> -> tensor<1x500xf16>
      %less = arith.mulf %state, %half : tensor<1x500xf16>
      %next = arith.addf %less, %v : tensor<1x500xf16>
      %far = arith.muli %r, %c5 : index
      %farther = arith.addi %far, %c3 : index
      %to = arith.remui %farther, %c64 : index
      scf.yield %next, %to : tensor<1x500xf16>, index
    }

    %y_tile = ktdp.construct_access_tile %y_view[%c0, %c0] {
      access_tile_set = #row, access_tile_order = #order
    } : memref<1x500xf16> -> !ktdp.access_tile<1x500xindex>
    ktdp.store %end#0, %y_tile : tensor<1x500xf16>, !ktdp.access_tile<1x500xindex>
    return
  }
}
