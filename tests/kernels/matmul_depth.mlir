// C = A * B with f32 accumulation, 64 x depth by depth x 64, where the depth is an argument: a loop over blocks of 32, of
// which the last one reaches past the views' ends and reads zeros there.
#a_all = affine_set<(d0, d1)[k] : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + k - 1 >= 0)>
#b_all = affine_set<(d0, d1)[k] : (d0 >= 0, -d0 + k - 1 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#a_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 31 >= 0)>
#b_part = affine_set<(d0, d1) : (d0 >= 0, -d0 + 31 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#c_all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

module {
  func.func @matmul_depth(%a: index, %b: index, %c: index, %depth: index) attributes {grid = [1]} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>

    %a_view = ktdp.construct_memory_view %a, sizes: [64, %depth], strides: [%depth, 1] {
      coordinate_set = #a_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x?xf16>
    %b_view = ktdp.construct_memory_view %b, sizes: [%depth, 64], strides: [64, 1] {
      coordinate_set = #b_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<?x64xf16>
    %c_view = ktdp.construct_memory_view %c, sizes: [64, 64], strides: [64, 1] {
      coordinate_set = #c_all, memory_space = #ktdp.spyre_memory_space<HBM>
    } : memref<64x64xf32>

    %sum = scf.for %k = %c0 to %depth step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %a_tile = ktdp.construct_access_tile %a_view[%c0, %k] {
        access_tile_set = #a_part, access_tile_order = #order
      } : memref<64x?xf16> -> !ktdp.access_tile<64x32xindex>
      %b_tile = ktdp.construct_access_tile %b_view[%k, %c0] {
        access_tile_set = #b_part, access_tile_order = #order
      } : memref<?x64xf16> -> !ktdp.access_tile<32x64xindex>
      %x = ktdp.load %a_tile : !ktdp.access_tile<64x32xindex> -> tensor<64x32xf16>
      %w = ktdp.load %b_tile : !ktdp.access_tile<32x64xindex> -> tensor<32x64xf16>
      %next = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x64xf16>)
        outs(%acc : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }

    %c_tile = ktdp.construct_access_tile %c_view[%c0, %c0] {
      access_tile_set = #c_all, access_tile_order = #order
    } : memref<64x64xf32> -> !ktdp.access_tile<64x64xindex>
    ktdp.store %sum, %c_tile : tensor<64x64xf32>, !ktdp.access_tile<64x64xindex>
    return
  }
}
