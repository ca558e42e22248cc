// y = 2 x for even rows of an n x 300 bf16 matrix; odd ones are stored negated, in the mirrored place: scf.if with a tensor
// and an integer as results, in a loop whose bound is an argument. Two compute tiles, each of n rows.
#all = affine_set<(d0, d1)[n] : (d0 >= 0, -d0 + n - 1 >= 0, d1 >= 0, -d1 + 299 >= 0)>
#row = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 299 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @every_other(%x: index, %y: index, %n: index) attributes {grid = [2]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = arith.muli %n, %c2 : index
    %id = ktdp.get_compute_tile_id : index
    %base = arith.muli %id, %n : index
    %x_view = ktdp.construct_memory_view %x, sizes: [%rows, 300], strides: [300, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x300xbf16>
    %y_view = ktdp.construct_memory_view %y, sizes: [%rows, 300], strides: [300, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x300xbf16>
    scf.for %i = %c0 to %n step %c1 {
      %at = arith.addi %base, %i : index
      %odd = arith.remui %i, %c2 : index
      %is_odd = arith.cmpi eq, %odd, %c1 : index
      %x_tile = ktdp.construct_access_tile %x_view[%at, %c0] {
        access_tile_set = #row, access_tile_order = #order
      } : memref<?x300xbf16> -> !ktdp.access_tile<1x300xindex>
      %v = ktdp.load %x_tile : !ktdp.access_tile<1x300xindex> -> tensor<1x300xbf16>
      %r:2 = scf.if %is_odd -> (tensor<1x300xbf16>, index) {
        %negative = arith.negf %v : tensor<1x300xbf16>
        %half = arith.divui %n, %c2 : index
        %twice = arith.muli %half, %c2 : index
        %mirrored = arith.subi %twice, %i : index
        %to = arith.addi %base, %mirrored : index
        scf.yield %negative, %to : tensor<1x300xbf16>, index
      } else {
        %double = arith.addf %v, %v : tensor<1x300xbf16>
        scf.yield %double, %at : tensor<1x300xbf16>, index
      }
      %y_tile = ktdp.construct_access_tile %y_view[%r#1, %c0] {
        access_tile_set = #row, access_tile_order = #order
      } : memref<?x300xbf16> -> !ktdp.access_tile<1x300xindex>
      ktdp.store %r#0, %y_tile : tensor<1x300xbf16>, !ktdp.access_tile<1x300xindex>
    }
    return
  }
}
