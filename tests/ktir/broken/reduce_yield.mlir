// A body that yields nothing.
#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 63 >= 0)>
#order = affine_map<(d0, d1) -> (d0, d1)>

func.func @normalize(%x: index, %y: index) attributes {grid = [1]} {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFC00 : f16
  %xv = ktdp.construct_memory_view %x, sizes: [4, 64], strides: [64, 1] {
    coordinate_set = #all, memory_space = #ktdp.memory_space<global>
  } : memref<4x64xf16>
  %yv = ktdp.construct_memory_view %y, sizes: [4, 64], strides: [64, 1] {
    coordinate_set = #all, memory_space = #ktdp.memory_space<global>
  } : memref<4x64xf16>
  %xt = ktdp.construct_access_tile %xv[%c0, %c0] {
    access_tile_set = #all, access_tile_order = #order
  } : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
  %yt = ktdp.construct_access_tile %yv[%c0, %c0] {
    access_tile_set = #all, access_tile_order = #order
  } : memref<4x64xf16> -> !ktdp.access_tile<4x64xindex>
  %v = ktdp.load %xt : !ktdp.access_tile<4x64xindex> -> tensor<4x64xf16>
  %init = tensor.splat %low : tensor<4xf16>
  %max = linalg.reduce ins(%v : tensor<4x64xf16>) outs(%init : tensor<4xf16>) dimensions = [1]
      (%in: f16, %out: f16) {
        %m = arith.maximumf %in, %out : f16
        // expected-error@+1:9 {{'linalg.yield' op yields 0 values, but 'linalg.reduce' has 1 outputs}}
        linalg.yield
      }
  %empty = tensor.empty() : tensor<4x64xf16>
  %wide = linalg.broadcast ins(%max : tensor<4xf16>) outs(%empty : tensor<4x64xf16>) dimensions = [1]
  %r = arith.subf %v, %wide : tensor<4x64xf16>
  ktdp.store %r, %yt : tensor<4x64xf16>, !ktdp.access_tile<4x64xindex>
  return
}
