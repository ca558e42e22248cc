// c = a * b, 333x517 by 517x203, f16 inputs, nothing a multiple of anything: 3x4 compute tiles of
// 112x64, k in five steps of 104. The views have dynamic sizes, so that tiles clip at their edges:
// elements outside read as +0 and are not written.
#all = affine_set<(d0, d1)[s0, s1] : (d0 >= 0, -d0 + s0 - 1 >= 0, d1 >= 0, -d1 + s1 - 1 >= 0)>
#a_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 111 >= 0, d1 >= 0, -d1 + 103 >= 0)>
#b_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 103 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 111 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_333x517x203(%a: index, %b: index, %c: index) attributes {grid = [4, 3]} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 112 : index
    %cols = arith.constant 64 : index
    %step = arith.constant 104 : index
    %m = arith.constant 333 : index
    %n = arith.constant 203 : index
    %k_end = arith.constant 517 : index
    %id_n, %id_m = ktdp.get_compute_tile_id : index, index
    %row = arith.muli %id_m, %rows : index
    %col = arith.muli %id_n, %cols : index

    %a_view = ktdp.construct_memory_view %a, sizes: [%m, %k_end], strides: [517, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x?xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%k_end, %n], strides: [203, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x?xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [%m, %n], strides: [203, 1] {
      coordinate_set = #all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x?xf32>

    %zero = arith.constant dense<0.0> : tensor<112x64xf32>
    %sum = scf.for %k = %c0 to %k_end step %step iter_args(%acc = %zero) -> (tensor<112x64xf32>) {
      %a_acc = ktdp.construct_access_tile %a_view[%row, %k] {
        access_tile_set = #a_tile, access_tile_order = #order
      } : memref<?x?xf16> -> !ktdp.access_tile<112x104xindex>
      %b_acc = ktdp.construct_access_tile %b_view[%k, %col] {
        access_tile_set = #b_tile, access_tile_order = #order
      } : memref<?x?xf16> -> !ktdp.access_tile<104x64xindex>
      %x = ktdp.load %a_acc : !ktdp.access_tile<112x104xindex> -> tensor<112x104xf16>
      %w = ktdp.load %b_acc : !ktdp.access_tile<104x64xindex> -> tensor<104x64xf16>
      %next = linalg.matmul ins(%x, %w : tensor<112x104xf16>, tensor<104x64xf16>)
          outs(%acc : tensor<112x64xf32>) -> tensor<112x64xf32>
      scf.yield %next : tensor<112x64xf32>
    }

    %c_acc = ktdp.construct_access_tile %c_view[%row, %col] {
      access_tile_set = #c_tile, access_tile_order = #order
    } : memref<?x?xf32> -> !ktdp.access_tile<112x64xindex>
    ktdp.store %sum, %c_acc : tensor<112x64xf32>, !ktdp.access_tile<112x64xindex>
    return
  }
}
