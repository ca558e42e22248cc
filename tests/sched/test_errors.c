/* SPDX-License-Identifier: Apache-2.0 */
/* What the scheduler refuses: kernels that leave their views, and what is not supported, each with
 * its message and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* A kernel around a body: views of a 64x100 f16 matrix at %x and %y, %id of 4 tiles, %n a scalar.
 * BODY starts at line 14. */
#define HEAD                                                                                       \
  "#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 63 >= 0, d1 >= 0, -d1 + 99 >= 0)>\n"               \
  "#tile = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 99 >= 0)>\n"              \
  "#order = affine_map<(d0, d1) -> (d0, d1)>\n"                                                    \
  "func.func @k(%x: index, %y: index, %n: index) attributes {grid = [4]} {\n"                      \
  "  %c0 = arith.constant 0 : index\n"                                                             \
  "  %c1 = arith.constant 1 : index\n"                                                             \
  "  %c16 = arith.constant 16 : index\n"                                                           \
  "  %id = ktdp.get_compute_tile_id : index\n"                                                     \
  "  %row = arith.muli %id, %c16 : index\n"                                                        \
  "  %xv = ktdp.construct_memory_view %x, sizes: [64, 100], strides: [100, 1] { coordinate_set = " \
  "#all, "                                                                                         \
  "memory_space = #ktdp.spyre_memory_space<HBM> } : memref<64x100xf16>\n"                          \
  "  %yv = ktdp.construct_memory_view %y, sizes: [64, 100], strides: [100, 1] { coordinate_set = " \
  "#all, "                                                                                         \
  "memory_space = #ktdp.spyre_memory_space<HBM> } : memref<64x100xf16>\n"                          \
  "  %xt = ktdp.construct_access_tile %xv[%row, %c0] { access_tile_set = #tile, "                  \
  "access_tile_order = #order } : "                                                                \
  "memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"                                        \
  "  %yt = ktdp.construct_access_tile %yv[%row, %c0] { access_tile_set = #tile, "                  \
  "access_tile_order = #order } : "                                                                \
  "memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
#define LOAD "  %v = ktdp.load %xt : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n"
#define STORE "  ktdp.store %r, %yt : tensor<16x100xf16>, !ktdp.access_tile<16x100xindex>\n"
#define TAIL "  return\n}\n"
#define AT(index)                                                                                  \
  "  %t = ktdp.construct_access_tile %xv[" index                                                   \
  ", %c0] { access_tile_set = #tile, access_tile_order = #order } : "                              \
  "memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"                                        \
  "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL

typedef struct refused {
  const char *text;
  unsigned line;
  const char *message;
} refused_t;

static const refused_t cases[] = {
    {HEAD "  %i = arith.addi %row, %c1 : index\n" AT("%i"), 16,
     "'ktdp.load' op reads indices up to 64 in dimension 0, but the view has only 64"},
    {HEAD "  %i = arith.subi %row, %c1 : index\n" AT("%i"), 16,
     "'ktdp.load' op reads from index -1 on in dimension 0, before the view's first element"},
    {HEAD AT("%n"), 14,
     "'ktdp.construct_access_tile' op needs the value of argument '%n', which is not bound"},
    {HEAD LOAD "  %r = math.ceil %v : tensor<16x100xf16>\n" STORE TAIL, 15,
     "'math.ceil' op is not supported by the scheduler yet"},
    {HEAD LOAD "  %z = arith.constant dense<0.0> : tensor<f16>\n"
               "  %m = linalg.reduce { arith.addf } ins(%v : tensor<16x100xf16>) outs(%z : "
               "tensor<f16>) dimensions = [0, 1]\n"
               "  %s = tensor.extract %m[] : tensor<f16>\n"
               "  %r = tensor.splat %s : tensor<16x100xf16>\n" STORE TAIL,
     16,
     "'linalg.reduce' op along dimensions other than the last one, or all but the last one, is not "
     "supported by the scheduler yet"},
    {HEAD "  %c = arith.constant dense<1> : tensor<16x100xi32>\n" LOAD
          "  %f = arith.sitofp %c : tensor<16x100xi32> to tensor<16x100xf16>\n"
          "  %r = arith.addf %v, %f : tensor<16x100xf16>\n" STORE TAIL,
     14, "'arith.constant' op with elements of type 'i32' is not supported by the scheduler yet"},
    /* Moved by one element within its memory: no piece may be stored before all are loaded. */
    {"#all = affine_set<(d0) : (d0 >= 0, -d0 + 2097152 >= 0)>\n"
     "#tile = affine_set<(d0) : (d0 >= 0, -d0 + 2097151 >= 0)>\n"
     "func.func @k(%x: index) attributes {grid = [1]} {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %c1 = arith.constant 1 : index\n"
     "  %xv = ktdp.construct_memory_view %x, sizes: [2097153], strides: [1] { coordinate_set = "
     "#all, memory_space = "
     "#ktdp.spyre_memory_space<HBM> } : memref<2097153xf16>\n"
     "  %xt = ktdp.construct_access_tile %xv[%c0] { access_tile_set = #tile, access_tile_order = "
     "affine_map<(d0) -> (d0)> } "
     ": memref<2097153xf16> -> !ktdp.access_tile<2097152xindex>\n"
     "  %yt = ktdp.construct_access_tile %xv[%c1] { access_tile_set = #tile, access_tile_order = "
     "affine_map<(d0) -> (d0)> } "
     ": memref<2097153xf16> -> !ktdp.access_tile<2097152xindex>\n"
     "  %v = ktdp.load %xt : !ktdp.access_tile<2097152xindex> -> tensor<2097152xf16>\n"
     "  ktdp.store %v, %yt : tensor<2097152xf16>, !ktdp.access_tile<2097152xindex>\n  return\n}\n",
     9,
     "'ktdp.load' op needs a whole tile in LX that exceeds it, which the scheduler cannot split"},
    /* Transpositions that PT cannot have. */
    {"#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 15 >= 0)>\n"
     "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
     "func.func @k(%x: index) attributes {grid = [1]} {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %xv = ktdp.construct_memory_view %x, sizes: [16, 16], strides: [16, 1] { coordinate_set = "
     "#all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<16x16xf16>\n"
     "  %xt = ktdp.construct_access_tile %xv[%c0, %c0] { access_tile_set = #all, "
     "access_tile_order = #id } : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>\n"
     "  %v = ktdp.load %xt : !ktdp.access_tile<16x16xindex> -> tensor<16x16xf16>\n"
     "  %z = arith.constant dense<0.0> : tensor<16x16xf16>\n"
     "  %r = linalg.matmul_transpose_a ins(%v, %v : tensor<16x16xf16>, tensor<16x16xf16>) outs(%z "
     ": tensor<16x16xf16>) -> tensor<16x16xf16>\n"
     "  ktdp.store %r, %xt : tensor<16x16xf16>, !ktdp.access_tile<16x16xindex>\n  return\n}\n",
     9,
     "'linalg.matmul_transpose_a' op of a transposed left matrix is not supported by the scheduler "
     "yet"},
    {"#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 15 >= 0)>\n"
     "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
     "func.func @k(%x: index) attributes {grid = [1]} {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %xv = ktdp.construct_memory_view %x, sizes: [16, 16], strides: [16, 1] { coordinate_set = "
     "#all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<16x16xf16>\n"
     "  %xt = ktdp.construct_access_tile %xv[%c0, %c0] { access_tile_set = #all, "
     "access_tile_order = #id } : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>\n"
     "  %v = ktdp.load %xt : !ktdp.access_tile<16x16xindex> -> tensor<16x16xf16>\n"
     "  %z = arith.constant dense<0.0> : tensor<16x16xf16>\n"
     "  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) "
     "-> (k, m)>, affine_map<(m, n, k) -> (n, m)>] ins(%v, %v : tensor<16x16xf16>, "
     "tensor<16x16xf16>) outs(%z : tensor<16x16xf16>) -> tensor<16x16xf16>\n"
     "  ktdp.store %r, %xt : tensor<16x16xf16>, !ktdp.access_tile<16x16xindex>\n  return\n}\n",
     9, "'linalg.matmul' op with these indexing maps is not supported by the scheduler yet"},
    {"#all = affine_set<(d0, d1) : (d0 >= 0, -d0 + 15 >= 0, d1 >= 0, -d1 + 15 >= 0)>\n"
     "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
     "func.func @k(%x: index) attributes {grid = [1]} {\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %xv = ktdp.construct_memory_view %x, sizes: [16, 16], strides: [16, 1] { coordinate_set = "
     "#all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<16x16xf16>\n"
     "  %xt = ktdp.construct_access_tile %xv[%c0, %c0] { access_tile_set = #all, "
     "access_tile_order = #id } : memref<16x16xf16> -> !ktdp.access_tile<16x16xindex>\n"
     "  %v = ktdp.load %xt : !ktdp.access_tile<16x16xindex> -> tensor<16x16xf16>\n"
     "  %z = arith.constant dense<0.0> : tensor<16x16xf16>\n"
     "  %r = linalg.transpose ins(%v : tensor<16x16xf16>) outs(%z : tensor<16x16xf16>) permutation "
     "= [1, 0]\n"
     "  ktdp.store %r, %xt : tensor<16x16xf16>, !ktdp.access_tile<16x16xindex>\n  return\n}\n",
     9,
     "'linalg.transpose' op of anything but an operand of a product is not supported by the "
     "scheduler yet"},
    /* Views. */
    {HEAD
     "  %w = ktdp.construct_memory_view %c0, sizes: [64, 100], strides: [100, 1] { coordinate_set "
     "= #all, memory_space = #ktdp.spyre_memory_space<LX> } : memref<64x100xf16>\n"
     "  %t = ktdp.construct_access_tile %w[%row, %c0] { access_tile_set = #tile, access_tile_order "
     "= #order } : memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     14, "'ktdp.construct_memory_view' op in LX memory is not supported by the scheduler yet"},
    {HEAD
     "  %w = ktdp.construct_memory_view %c16, sizes: [64, 100], strides: [100, 1] { coordinate_set "
     "= #all, memory_space = #ktdp.spyre_memory_space<HBM> } : memref<64x100xf16>\n"
     "  %t = ktdp.construct_access_tile %w[%row, %c0] { access_tile_set = #tile, access_tile_order "
     "= #order } : memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     14,
     "'ktdp.construct_memory_view' op has a view at a constant address, which the scheduler does "
     "not support yet"},
    {HEAD
     "  %w = ktdp.construct_memory_view %x, sizes: [64, 100], strides: [100, 1] { coordinate_set = "
     "affine_set<(d0, d1) : (d0 >= 0, -d0 + 62 >= 0, d1 >= 0, -d1 + 99 >= 0)>, memory_space = "
     "#ktdp.spyre_memory_space<HBM> } : memref<64x100xf16>\n"
     "  %t = ktdp.construct_access_tile %w[%row, %c0] { access_tile_set = #tile, access_tile_order "
     "= #order } : memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     14,
     "'ktdp.construct_memory_view' op with a coordinate_set other than all of its sizes is not "
     "supported by the scheduler yet"},
    {HEAD
     "  %w = ktdp.construct_memory_view %n, sizes: [16, 100], strides: [100, 1] { memory_space = "
     "#ktdp.spyre_memory_space<HBM>, steeple.storage = \"dl16\" } : memref<16x100xf32>\n"
     "  %t = ktdp.construct_access_tile %w[%c0, %c0] { access_tile_set = #tile, access_tile_order "
     "= #order } : memref<16x100xf32> -> !ktdp.access_tile<16x100xindex>\n"
     "  %v = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf32>\n"
     "  %r = arith.truncf %v : tensor<16x100xf32> to tensor<16x100xf16>\n" STORE TAIL,
     14,
     "'ktdp.construct_memory_view' op with steeple.storage is not supported by the scheduler yet"},
    {HEAD
     "  %w = ktdp.construct_distributed_memory_view (%xv : memref<64x100xf16>) : "
     "memref<64x100xf16>\n"
     "  %t = ktdp.construct_access_tile %w[%row, %c0] { access_tile_set = #tile, access_tile_order "
     "= #order } : memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     14, "'ktdp.construct_distributed_memory_view' op is not supported by the scheduler yet"},
    /* Access tiles. */
    {HEAD "  %t = ktdp.construct_access_tile %xv[%row, %c0] { access_tile_set = affine_set<(d0, "
          "d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, d0 - d1 >= 0)>, access_tile_order = #order } : "
          "memref<64x100xf16> -> !ktdp.access_tile<2x5xindex>\n"
          "  %r = ktdp.load %t : !ktdp.access_tile<2x5xindex> -> tensor<2x5xf16>\n"
          "  ktdp.store %r, %t : tensor<2x5xf16>, !ktdp.access_tile<2x5xindex>\n" TAIL,
     14,
     "'ktdp.construct_access_tile' op with a set that is not a box is not supported by the "
     "scheduler yet"},
    {HEAD "  %t = ktdp.construct_access_tile %xv[%row, %c0] { access_tile_set = #tile, "
          "access_tile_order = affine_map<(d0, d1) -> (d1, d0)> } : memref<64x100xf16> -> "
          "!ktdp.access_tile<100x16xindex>\n"
          "  %r = ktdp.load %t : !ktdp.access_tile<100x16xindex> -> tensor<100x16xf16>\n"
          "  ktdp.store %r, %t : tensor<100x16xf16>, !ktdp.access_tile<100x16xindex>\n" TAIL,
     14,
     "'ktdp.construct_access_tile' op with an order other than the identity is not supported by "
     "the scheduler yet"},
    {HEAD
     "  %t = ktdp.construct_access_tile %xv[%row, %c0] symbols(%id) { access_tile_set = "
     "affine_set<(d0, d1)[s0] : (d0 >= 0, s0 - d0 >= 0, d1 >= 0, -d1 + 99 >= 0)>, "
     "access_tile_order = #order } : memref<64x100xf16> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     14,
     "'ktdp.construct_access_tile' op with a set that is not known at compile time is not "
     "supported by the scheduler yet"},
    {HEAD
     "  %i = ktdp.construct_memory_view %n, sizes: [16], strides: [1] { memory_space = "
     "#ktdp.spyre_memory_space<HBM> } : memref<16xi32>\n"
     "  %t = ktdp.construct_indirect_access_tile intermediate_variables(%p, %q) %xv[ind(%i[%p]), "
     "(%q)] { variables_space_set = #tile, variables_space_order = #order } : memref<64x100xf16>, "
     "memref<16xi32> -> !ktdp.access_tile<16x100xindex>\n"
     "  %r = ktdp.load %t : !ktdp.access_tile<16x100xindex> -> tensor<16x100xf16>\n" STORE TAIL,
     15, "'ktdp.construct_indirect_access_tile' op is not supported by the scheduler yet"},
    /* Values. */
    {HEAD LOAD "  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf16>\n"
               "  %d = tensor.extract %c[%c0] : tensor<2xf16>\n"
               "  %s = tensor.splat %d : tensor<16x100xf16>\n"
               "  %r = arith.addf %v, %s : tensor<16x100xf16>\n" STORE TAIL,
     15, "'arith.constant' op with different elements is not supported by the scheduler yet"},
    {HEAD LOAD "  %d = tensor.extract %v[%c0, %c0] : tensor<16x100xf16>\n"
               "  %r = tensor.splat %d : tensor<16x100xf16>\n" STORE TAIL,
     15,
     "'tensor.extract' op from a tensor of more than one element is not supported by the scheduler "
     "yet"},
    {HEAD LOAD "  %i = arith.index_cast %id : index to i32\n"
               "  %d = arith.sitofp %i : i32 to f16\n"
               "  %r = tensor.splat %d : tensor<16x100xf16>\n" STORE TAIL,
     16,
     "'arith.sitofp' op of an integer that is not known at compile time is not supported by the "
     "scheduler yet"},
    {HEAD LOAD "  %i = arith.fptosi %v : tensor<16x100xf16> to tensor<16x100xi16>\n"
               "  %r = arith.sitofp %i : tensor<16x100xi16> to tensor<16x100xf16>\n" STORE TAIL,
     15, "'arith.fptosi' op is not supported by the scheduler yet"},
    {HEAD LOAD "  %b = arith.bitcast %v : tensor<16x100xf16> to tensor<16x100xbf16>\n"
               "  %r = arith.bitcast %b : tensor<16x100xbf16> to tensor<16x100xf16>\n" STORE TAIL,
     15, "'arith.bitcast' op is not supported by the scheduler yet"},
    {HEAD LOAD
     "  %c = arith.constant dense<true> : tensor<16x100xi1>\n"
     "  %r = arith.select %c, %v, %v : tensor<16x100xi1>, tensor<16x100xf16>\n" STORE TAIL,
     15, "'arith.constant' op with elements of type 'i1' is not supported by the scheduler yet"},
    {HEAD LOAD
     "  %f = arith.extf %v : tensor<16x100xf16> to tensor<16x100xf32>\n"
     "  %c = arith.cmpf ogt, %f, %f : tensor<16x100xf32>\n"
     "  %r = arith.select %c, %v, %v : tensor<16x100xi1>, tensor<16x100xf16>\n" STORE TAIL,
     17,
     "'arith.select' op needs a condition that is a comparison of values of the same width; others "
     "are not supported by the scheduler yet"},
    /* Reductions, and linalg.generic. */
    {HEAD LOAD "  %e = tensor.empty() : tensor<16x100xf16>\n"
               "  %z = arith.constant dense<1.0> : tensor<16xf16>\n"
               "  %m = linalg.reduce { arith.mulf } ins(%v : tensor<16x100xf16>) outs(%z : "
               "tensor<16xf16>) dimensions = [1]\n"
               "  %r = linalg.broadcast ins(%m : tensor<16xf16>) outs(%e : tensor<16x100xf16>) "
               "dimensions = [1]\n" STORE TAIL,
     17, "'linalg.reduce' op with this combiner is not supported by the scheduler yet"},
    {HEAD LOAD "  %e = tensor.empty() : tensor<16x100xf16>\n"
               "  %z = arith.constant dense<0.0> : tensor<16xf16>\n"
               "  %s = linalg.reduce { arith.addf } ins(%v : tensor<16x100xf16>) outs(%z : "
               "tensor<16xf16>) dimensions = [1]\n"
               "  %m = linalg.reduce { arith.maximumf } ins(%v : tensor<16x100xf16>) outs(%s : "
               "tensor<16xf16>) dimensions = [1]\n"
               "  %r = linalg.broadcast ins(%m : tensor<16xf16>) outs(%e : tensor<16x100xf16>) "
               "dimensions = [1]\n" STORE TAIL,
     18,
     "'linalg.reduce' op with an initial value that is not a constant is not supported by the "
     "scheduler yet"},
    {HEAD LOAD "  %e = tensor.empty() : tensor<16x100xf16>\n"
               "  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, #order], "
               "iterator_types = [\"parallel\", \"parallel\"]} ins(%v : tensor<16x100xf16>) "
               "outs(%e : tensor<16x100xf16>) {\n"
               "  ^bb0(%p: f16, %q: f16):\n"
               "    linalg.yield %p : f16\n"
               "  } -> tensor<16x100xf16>\n" STORE TAIL,
     16, "'linalg.generic' op with these maps is not supported by the scheduler yet"},
    {HEAD LOAD "  %z = arith.constant dense<0.0> : tensor<16xf16>\n"
               "  %m = linalg.generic {indexing_maps = [#order, #order, affine_map<(d0, d1) -> "
               "(d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%v, %v : "
               "tensor<16x100xf16>, tensor<16x100xf16>) outs(%z : tensor<16xf16>) {\n"
               "  ^bb0(%p: f16, %q: f16, %o: f16):\n"
               "    %m = arith.mulf %p, %q : f16\n"
               "    %s = arith.addf %m, %o : f16\n"
               "    linalg.yield %s : f16\n"
               "  } -> tensor<16xf16>\n"
               "  %e = tensor.empty() : tensor<16x100xf16>\n"
               "  %r = linalg.broadcast ins(%m : tensor<16xf16>) outs(%e : tensor<16x100xf16>) "
               "dimensions = [1]\n" STORE TAIL,
     16, "'linalg.generic' op that reduces several operands is not supported by the scheduler yet"},
    {HEAD LOAD
     "  %e = tensor.empty() : tensor<16x100xf16>\n"
     "  %r = linalg.generic {indexing_maps = [#order, #order], iterator_types = [\"parallel\", "
     "\"parallel\"]} ins(%v : tensor<16x100xf16>) outs(%e : tensor<16x100xf16>) {\n"
     "  ^bb0(%p: f16, %q: f16):\n"
     "    %i = linalg.index 1 : index\n"
     "    %j = arith.index_cast %i : index to i32\n"
     "    %f = arith.sitofp %j : i32 to f16\n"
     "    linalg.yield %f : f16\n"
     "  } -> tensor<16x100xf16>\n" STORE TAIL,
     18, "'linalg.index' op is not supported by the scheduler yet"},
};

static void refusals(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bench_t b;
    bool ok = bench_try(&b, "k.mlir", cases[i].text, -1, 0, false);
    bool found = false;
    for (int d = 0; d < b.diags.list.count; d++) {
      const stp_diag_t *e = &b.diags.list.data[d];
      found |= e->severity == STP_DIAG_ERROR && e->loc.line == cases[i].line &&
               strcmp(e->message, cases[i].message) == 0;
    }
    if (ok || !found) {
      wrong++;
      fprintf(stderr, "case %zu: expected line %u: %s\n", i, cases[i].line, cases[i].message);
      stp_diags_print(&b.diags, stderr);
    }
    bench_close(&b);
  }
  assert_int_equal(wrong, 0);
}

/* Errors do not hide each other: both bad loads are reported. */
static void several_errors(void **state) {
  (void)state;
  bench_t b;
  assert_false(bench_try(&b, "k.mlir", HEAD "  %i = arith.addi %row, %c1 : index\n" AT("%i") "", -1,
                         0, false));
  assert_int_equal(b.diags.num_errors, 1);
  bench_close(&b);
  assert_false(bench_try(
      &b, "k.mlir",
      HEAD LOAD
      "  %a = math.ceil %v : tensor<16x100xf16>\n  %b = math.floor %v : tensor<16x100xf16>\n"
      "  %r = arith.addf %a, %b : tensor<16x100xf16>\n" STORE TAIL,
      -1, 0, false));
  assert_int_equal(b.diags.num_errors, 2);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(several_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
