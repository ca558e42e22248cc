// A future that is a tensor.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_produce' op result must be a tile_future, but is 'tensor<1x64xf32>'}}
  %f = "ktdp.inter_tile_produce"() <{producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%g: index):
    "ktdp.yield_partial"(%part) : (tensor<1x64xf32>) -> ()
  }) : () -> tensor<1x64xf32>
  return
}
// -----
// A group that is no index.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_produce' op body must have one argument of type index, the group}}
  %f = "ktdp.inter_tile_produce"() <{producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%g: i32):
    "ktdp.yield_partial"(%part) : (tensor<1x64xf32>) -> ()
  }) : () -> !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>
  return
}
// -----
// Two partials for one member.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  %f = "ktdp.inter_tile_produce"() <{producer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%g: index):
    // expected-error@+1:5 {{'ktdp.yield_partial' op has 2 partials, but 1 are expected for '!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(d0) : (d0 == 0)>>'}}
    "ktdp.yield_partial"(%part, %part) : (tensor<1x64xf32>, tensor<1x64xf32>) -> ()
  }) : () -> !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>
  return
}
// -----
// No set of tiles.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_produce' op requires attribute 'producer_tiles_per_group'}}
  %f = "ktdp.inter_tile_produce"() <{}> ({
  ^bb0(%g: index):
    "ktdp.yield_partial"(%part) : (tensor<1x64xf32>) -> ()
  }) : () -> !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>
  return
}
// -----
// A sum of what is no future.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:33 {{'ktdp.inter_tile_reduce' op expected a tile_future, got 'tensor<1x64xf32>'}}
  %s = "ktdp.inter_tile_reduce"(%part) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (tensor<1x64xf32>) -> tensor<64xf32>
  return
}
// -----
// Two results for one member.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:10 {{'ktdp.inter_tile_reduce' op has 2 results, but '!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(d0) : (d0 == 0)>>' has 1 members}}
  %s:2 = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> (tensor<64xf32>, tensor<64xf32>)
  return
}
// -----
// A result of another size.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_reduce' op result 0 is 'tensor<65xf32>', which is no reshape of 'tensor<1x64xf32>'}}
  %s = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<65xf32>
  return
}
// -----
// An argument of the body too few.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_reduce' op has 1 arguments of the body, but 2 are expected for '!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(d0) : (d0 == 0)>>'}}
  %s = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<64xf32>
  return
}
// -----
// A dependency that is a number.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:163 {{'ktdp.inter_tile_reduce' op attribute 'producer_dependency_per_consumer' must be an affine set}}
  %s = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, producer_dependency_per_consumer = 1}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<64xf32>
  return
}
// -----
// A dependency of one dimension.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:163 {{'ktdp.inter_tile_reduce' op producer_dependency_per_consumer must be a set of 2 dimensions and 1 symbol, not 1 and 1}}
  %s = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, producer_dependency_per_consumer = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<64xf32>
  return
}
// -----
// Two identities for one member.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:8 {{'ktdp.inter_tile_reduce' op has 2 identities, but 1 are expected for '!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(d0) : (d0 == 0)>>'}}
  %s = "ktdp.inter_tile_reduce"(%fut, %part, %part) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<64xf32>
  return
}
// -----
// A scattered dimension beyond all.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:150 {{'ktdp.inter_tile_reduce_scatter' op attribute 'scatter_dim' must be the number of a dimension}}
  %s = "ktdp.inter_tile_reduce_scatter"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, scatter_dim = 99}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<64xf32>
  return
}
// -----
// An attribute that only others have.
func.func @f(%fut: !ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>, %part: tensor<1x64xf32>, %w: f32) attributes {grid = [4]} {
  // expected-error@+1:128 {{'ktdp.inter_tile_reduce' op unknown attribute 'scatter_dim'; expected one of: consumer_tiles_per_group producer_dependency_per_consumer operandSegmentSizes}}
  %s = "ktdp.inter_tile_reduce"(%fut) <{consumer_tiles_per_group = affine_set<(i)[g] : (i - 4 * g >= 0, -i + 4 * g + 3 >= 0)>, scatter_dim = 0}> ({
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<1x64xf32>):
    "ktdp.yield_reduced"(%l) : (tensor<1x64xf32>) -> ()
  }) : (!ktdp.tile_future<(tensor<1x64xf32>), groups = affine_set<(g) : (g == 0)>>) -> tensor<64xf32>
  return
}
// -----
// A member that is a scalar.
// expected-error@+1:36 {{the members of a tile_future must be tensors}}
func.func @f(%a: !ktdp.tile_future<(f32), groups = affine_set<(g) : (g == 0)>>) {
  return
}
// -----
// A future without members.
// expected-error@+1:36 {{a tile_future has at least one member}}
func.func @f(%a: !ktdp.tile_future<(), groups = affine_set<(g) : (g == 0)>>) {
  return
}
// -----
// Groups of two dimensions.
// expected-error@+1:60 {{groups must be an affine set of one dim and no symbols}}
func.func @f(%a: !ktdp.tile_future<tensor<4xf32>, groups = affine_set<(g, h) : (g == 0)>>) {
  return
}
// -----
// A future without groups.
// expected-error@+1:49 {{expected ',', got '>'}}
func.func @f(%a: !ktdp.tile_future<tensor<4xf32>>) {
  return
}
