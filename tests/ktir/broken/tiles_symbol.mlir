// A set of tiles that does not depend on the group.
#all = affine_set<(i) : (i >= 0, -i + 3 >= 0)>
#groups = affine_set<(g) : (g == 0)>

func.func @total(%x: index) attributes {grid = [4]} {
  %zero = arith.constant 0.0 : f32
  %part = tensor.splat %zero : tensor<1x64xf32>
  // expected-error@+1:59 {{'ktdp.inter_tile_produce' op producer_tiles_per_group must be a set of 1 dimension and 1 symbol, not 1 and 0}}
  %f = ktdp.inter_tile_produce producer_tiles_per_group = #all
      -> <(tensor<1x64xf32>), groups = #groups> {
    ^bb0(%g: index):
      ktdp.yield_partial %part : tensor<1x64xf32>
  }
  // expected-error@+1:64 {{'ktdp.inter_tile_reduce' op consumer_tiles_per_group must be a set of 1 dimension and 1 symbol, not 1 and 0}}
  %sum = ktdp.inter_tile_reduce(%f) consumer_tiles_per_group = #all,
      identity(%part : tensor<1x64xf32>)
      : <(tensor<1x64xf32>), groups = #groups> -> tensor<64xf32> {
    ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
      %s = arith.addf %l, %r : tensor<1x64xf32>
      ktdp.yield_reduced %s : tensor<1x64xf32>
  }
  return
}
