// Sums of the columns of an n x 512 f16 matrix, in f32: a loop whose upper bound is an argument. Four compute tiles of 128
// columns each.
#matrix = affine_set<(d0, d1)[n] : (d0 >= 0, -d0 + n - 1 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#row = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 127 >= 0)>
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 511 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @column_sums(%x: index, %y: index, %n: index) attributes {grid = [4]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<1x128xf32>

    %id = ktdp.get_compute_tile_id : index
    %column = arith.muli %id, %c128 : index

    %x_view = ktdp.construct_memory_view %x, sizes: [%n, 512], strides: [512, 1] {
      coordinate_set = #matrix, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x512xf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [1, 512], strides: [512, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<1x512xf32>

    %sums = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1x128xf32>) {
      %x_tile = ktdp.construct_access_tile %x_view[%i, %column] {
        access_tile_set = #row, access_tile_order = #order
      } : memref<?x512xf16> -> !ktdp.access_tile<1x128xindex>
      %v = ktdp.load %x_tile : !ktdp.access_tile<1x128xindex> -> tensor<1x128xf16>
      %wide = arith.extf %v : tensor<1x128xf16> to tensor<1x128xf32>
      %next = arith.addf %acc, %wide : tensor<1x128xf32>
      scf.yield %next : tensor<1x128xf32>
    }

    %y_tile = ktdp.construct_access_tile %y_view[%c0, %column] {
      access_tile_set = #row, access_tile_order = #order
    } : memref<1x512xf32> -> !ktdp.access_tile<1x128xindex>
    ktdp.store %sums, %y_tile : tensor<1x128xf32>, !ktdp.access_tile<1x128xindex>
    return
  }
}
