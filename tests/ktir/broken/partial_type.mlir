// A partial of another type than its future.
#all = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>
#groups = affine_set<(g) : (g == 0)>

func.func @total(%x: index) attributes {grid = [4]} {
  %zero = arith.constant 0.0 : f32
  %part = tensor.splat %zero : tensor<1x64xf32>
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all
      -> <(tensor<1x64xf32>), groups = #groups> {
    ^bb0(%g: index):
      // expected-error@+1:7 {{'ktdp.yield_partial' op partials 0 is 'f32', but 'tensor<1x64xf32>' is expected}}
      ktdp.yield_partial %zero : f32
  }
  %sum = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all,
      identity(%part : tensor<1x64xf32>)
      : <(tensor<1x64xf32>), groups = #groups> -> tensor<64xf32> {
    ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
      %s = arith.addf %l, %r : tensor<1x64xf32>
      ktdp.yield_reduced %s : tensor<1x64xf32>
  }
  return
}
