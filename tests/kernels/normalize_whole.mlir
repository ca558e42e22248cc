// y[r, :] = x[r, :] * gain - mean of the row, for a 4,096 x 300 bf16 matrix in a single compute tile of 2.5 MB: the compiler
// cuts it into blocks of rows. Rows are 512 elements apart in memory.
#x_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 4095 >= 0, d1 >= 0, -d1 + 299 >= 0)>
#gains = affine_set<(d0) : (d0 >= 0, -d0 + 299 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>
#order1 = affine_map<(d0) -> (d0)>

module {
  func.func @normalize_whole(%x: index, %gain: index, %y: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %x_view = ktdp.construct_memory_view %x, sizes: [4096, 300], strides: [512, 1] {
      coordinate_set = #x_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096x300xbf16>
    %gain_view = ktdp.construct_memory_view %gain, sizes: [300], strides: [1] {
      coordinate_set = #gains, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<300xbf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [4096, 300], strides: [300, 1] {
      coordinate_set = #x_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<4096x300xbf16>
    %x_tile = ktdp.construct_access_tile %x_view[%c0, %c0] {
      access_tile_set = #x_all, access_tile_order = #order
    } : memref<4096x300xbf16> -> !ktdp.access_tile<4096x300xindex>
    %gain_tile = ktdp.construct_access_tile %gain_view[%c0] {
      access_tile_set = #gains, access_tile_order = #order1
    } : memref<300xbf16> -> !ktdp.access_tile<300xindex>
    %y_tile = ktdp.construct_access_tile %y_view[%c0, %c0] {
      access_tile_set = #x_all, access_tile_order = #order
    } : memref<4096x300xbf16> -> !ktdp.access_tile<4096x300xindex>

    %v = ktdp.load %x_tile : !ktdp.access_tile<4096x300xindex> -> tensor<4096x300xbf16>
    %g = ktdp.load %gain_tile : !ktdp.access_tile<300xindex> -> tensor<300xbf16>
    %zero = arith.constant dense<0.0> : tensor<4096xbf16>
    %share = arith.constant dense<3.333e-03> : tensor<4096xbf16>
    %empty = tensor.empty() : tensor<4096x300xbf16>
    %sum = linalg.reduce { arith.addf } ins(%v : tensor<4096x300xbf16>) outs(%zero : tensor<4096xbf16>) dimensions = [1]
    %mean = arith.mulf %sum, %share : tensor<4096xbf16>
    %means = linalg.broadcast ins(%mean : tensor<4096xbf16>) outs(%empty : tensor<4096x300xbf16>) dimensions = [1]
    %gains = linalg.broadcast ins(%g : tensor<300xbf16>) outs(%empty : tensor<4096x300xbf16>) dimensions = [0]
    %scaled = arith.mulf %v, %gains : tensor<4096x300xbf16>
    %r = arith.subf %scaled, %means : tensor<4096x300xbf16>
    ktdp.store %r, %y_tile : tensor<4096x300xbf16>, !ktdp.access_tile<4096x300xindex>
    return
  }
}
