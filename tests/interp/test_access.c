/* SPDX-License-Identifier: Apache-2.0 */
/* Views, access tiles, loads and stores: what they reach, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

#define HBM "memory_space = #ktdp.spyre_memory_space<HBM>"
#define ID1 "access_tile_order = affine_map<(d0) -> (d0)>"
#define ID2 "access_tile_order = affine_map<(d0, d1) -> (d0, d1)>"
#define BOX1(last) "access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + " last " >= 0)>"

/* Buffer 0 holds 1000, 1001, ... */
static void count_up(bench_t *b) {
  for (int64_t i = 0; i < bench_extent(b, 0); i++) bench_set(b, 0, i, (uint64_t)(1000 + i));
}

static void check(const bench_t *b, int buffer, const int *want, int n) {
  for (int i = 0; i < n; i++) assert_int_equal(bench_get(b, buffer, i), want[i]);
}

/* A kernel that loads a tile of %v (6x8 i32) through the given set and order and stores it flat. */
static void gather_set(const char *set, const char *order, const char *shape, const char *base,
                       const int *want, int n) {
  char text[2048];
  snprintf(text, sizeof text,
           "func.func @k(%%p: index, %%q: index) {\n"
           "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
           "  %%v = ktdp.construct_memory_view %%p, sizes: [6, 8], strides: [8, 1] {" HBM
           "} : memref<6x8xi32>\n"
           "  %%t = ktdp.construct_access_tile %%v[%s] {access_tile_set = affine_set<%s>, "
           "access_tile_order = affine_map<%s>} : memref<6x8xi32> -> !ktdp.access_tile<%sindex>\n"
           "  %%x = ktdp.load %%t : !ktdp.access_tile<%sindex> -> tensor<%si32>\n"
           "  %%f = tensor.collapse_shape %%x [[0, 1]] : tensor<%si32> into tensor<%dxi32>\n"
           "  %%w = ktdp.construct_memory_view %%q, sizes: [%d], strides: [1] {" HBM
           "} : memref<%dxi32>\n"
           "  %%u = ktdp.construct_access_tile %%w[%%c0] {access_tile_set = affine_set<(d0) : (d0 "
           ">= 0, -d0 + %d >= 0)>, " ID1 "} : memref<%dxi32> -> !ktdp.access_tile<%dxindex>\n"
           "  ktdp.store %%f, %%u : tensor<%dxi32>, !ktdp.access_tile<%dxindex>\n"
           "  return\n}\n",
           base, set, order, shape, shape, shape, shape, n, n, n, n - 1, n, n, n, n);
  bench_t b;
  bench_open(&b, text, 0, NULL);
  count_up(&b);
  bench_run(&b);
  check(&b, 1, want, n);
  bench_close(&b);
}

static void test_sets(void **state) {
  (void)state;
  const int box[] = {1009, 1010, 1017, 1018, 1025, 1026};
  gather_set("(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 1 >= 0)", "(d0, d1) -> (d0, d1)",
             "3x2x", "%c1, %c1", box, 6);
  const int turned[] = {1009, 1017, 1025, 1010, 1018, 1026};
  gather_set("(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 1 >= 0)", "(d0, d1) -> (d1, d0)",
             "2x3x", "%c1, %c1", turned, 6);
  const int shifted[] = {1018, 1019, 1026, 1027};
  gather_set("(d0, d1) : (d0 - 2 >= 0, -d0 + 3 >= 0, d1 - 2 >= 0, -d1 + 3 >= 0)",
             "(d0, d1) -> (d0, d1)", "2x2x", "%c0, %c0", shifted, 4);
  const int triangle[] = {1000, 1008, 1009, 1016, 1017, 1018};
  gather_set("(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, d0 - d1 >= 0)", "(d0, d1) -> (d0, d1)",
             "2x3x", "%c0, %c0", triangle, 6);
  const int strided[] = {1001, 1004, 1007, 1009, 1012, 1015};
  gather_set("(d0, d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 7 >= 0, d1 mod 3 - 1 == 0)",
             "(d0, d1) -> (d0, d1)", "2x3x", "%c0, %c0", strided, 6);
  const int diagonal[] = {1001, 1010, 1019, 1028};
  gather_set("(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 - d0 - 1 == 0)", "(d0, d1) -> (d0, d1)", "2x2x",
             "%c0, %c0", diagonal, 4);
  const int subscripts[] = {1018, 1019};
  gather_set("(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 1 >= 0)", "(d0, d1) -> (d0, d1)", "1x2x",
             "%c1 + %c1, %c1 * 2", subscripts, 2);
}

/* ---- dynamic sizes -------------------------------------------------------------------------- */

/* 2 tiles of a 4x8 window on an n x m matrix: copies it, and adds what lies beyond as +0. */
static const char dynamic_kernel[] =
    "func.func @k(%p: index, %q: index, %n: index, %m: index) attributes {grid = [2]} {\n"
    "  %c0 = arith.constant 0 : index\n  %c4 = arith.constant 4 : index\n"
    "  %id = ktdp.get_compute_tile_id : index\n  %row = arith.muli %id, %c4 : index\n"
    "  %v = ktdp.construct_memory_view %p, sizes: [%n, %m], strides: [%m, 1] {" HBM
    "} : memref<?x?xf16>\n"
    "  %w = ktdp.construct_memory_view %q, sizes: [%n, %m], strides: [%m, 1] {" HBM
    "} : memref<?x?xf16>\n"
    "  %t = ktdp.construct_access_tile %v[%row, %c0] {access_tile_set = affine_set<(d0, d1) : (d0 "
    ">= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, " ID2
    "} : memref<?x?xf16> -> !ktdp.access_tile<4x8xindex>\n"
    "  %u = ktdp.construct_access_tile %w[%row, %c0] {access_tile_set = affine_set<(d0, d1) : (d0 "
    ">= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 7 >= 0)>, " ID2
    "} : memref<?x?xf16> -> !ktdp.access_tile<4x8xindex>\n"
    "  %x = ktdp.load %t : !ktdp.access_tile<4x8xindex> -> tensor<4x8xf16>\n"
    "  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
    "  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf16>) outs(%z : tensor<4xf16>) "
    "dimensions = [1]\n"
    "  %e = tensor.empty() : tensor<4x8xf16>\n"
    "  %y = linalg.broadcast ins(%s : tensor<4xf16>) outs(%e : tensor<4x8xf16>) dimensions = [1]\n"
    "  ktdp.store %y, %u : tensor<4x8xf16>, !ktdp.access_tile<4x8xindex>\n"
    "  return\n}\n";

static void test_dynamic(void **state) {
  (void)state;
  for (int n = 0; n <= 8; n += 2) {
    for (int m = 1; m <= 8; m += 3) {
      const int64_t scalars[2][2] = {{2, n}, {3, m}};
      bench_t b;
      bench_open(&b, dynamic_kernel, 2, scalars);
      assert_int_equal(bench_extent(&b, 0), n * m);
      for (int i = 0; i < n * m; i++) bench_set(&b, 0, i, bits_of(STP_ELEM_F16, i + 1));
      bench_run(&b);
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += i * m + j + 1;
        for (int j = 0; j < m; j++) {
          assert_int_equal(bench_get(&b, 1, i * m + j), bits_of(STP_ELEM_F16, sum));
        }
      }
      bench_close(&b);
    }
  }
}

/* Before the start of a dynamic dimension is out of range too: a window from row -2. */
static void test_dynamic_below(void **state) {
  (void)state;
  bench_t b;
  const int64_t scalars[1][2] = {{2, 5}};
  bench_open(
      &b,
      "func.func @k(%p: index, %q: index, %n: index) {\n"
      "  %c0 = arith.constant 0 : index\n  %m2 = arith.constant -2 : index\n"
      "  %v = ktdp.construct_memory_view %p, sizes: [%n], strides: [1] {" HBM "} : memref<?xi32>\n"
      "  %w = ktdp.construct_memory_view %q, sizes: [9], strides: [1] {" HBM "} : memref<9xi32>\n"
      "  %t = ktdp.construct_access_tile %v[%m2] {" BOX1(
          "8") ", " ID1 "} : memref<?xi32> -> !ktdp.access_tile<9xindex>\n"
               "  %u = ktdp.construct_access_tile %w[%c0] {" BOX1(
                   "8") ", " ID1 "} : memref<9xi32> -> !ktdp.access_tile<9xindex>\n"
                        "  %x = ktdp.load %t : !ktdp.access_tile<9xindex> -> tensor<9xi32>\n"
                        "  ktdp.store %x, %u : tensor<9xi32>, !ktdp.access_tile<9xindex>\n"
                        "  %y = arith.addi %x, %x : tensor<9xi32>\n"
                        "  ktdp.store %y, %t : tensor<9xi32>, !ktdp.access_tile<9xindex>\n"
                        "  return\n}\n",
      1, scalars);
  count_up(&b);
  bench_run(&b);
  const int want[] = {0, 0, 1000, 1001, 1002, 1003, 1004, 0, 0};
  check(&b, 1, want, 9);
  const int twice[] = {2000, 2002, 2004, 2006, 2008};
  check(&b, 0, twice, 5);
  bench_close(&b);
}

/* ---- refused -------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *message, unsigned line) {
  bench_t b;
  bench_open(&b, text, 0, NULL);
  for (int i = 0; i < b.args.num_buffers; i++) {
    for (int64_t k = 0; k < bench_extent(&b, i); k++) bench_set(&b, i, k, (uint64_t)k);
  }
  bench_fails(&b, message, line);
  bench_close(&b);
}

static void test_refused(void **state) {
  (void)state;
  /* Static dimensions, known only when a tile runs. */
  refuse("func.func @k(%p: index, %q: index) attributes {grid = [3]} {\n"
         "  %c4 = arith.constant 4 : index\n"
         "  %id = ktdp.get_compute_tile_id : index\n  %i = arith.muli %id, %c4 : index\n"
         "  %v = ktdp.construct_memory_view %p, sizes: [10], strides: [1] {" HBM
         "} : memref<10xi32>\n"
         "  %t = ktdp.construct_access_tile %v[%i] {" BOX1(
             "3") ", " ID1 "} : memref<10xi32> -> !ktdp.access_tile<4xindex>\n"
                  "  %x = ktdp.load %t : !ktdp.access_tile<4xindex> -> tensor<4xi32>\n"
                  "  return\n}\n",
         "reaches coordinate 10 in dimension 0 of '%v', whose size is 10, in compute tile 2", 7);
  /* Two tiles that write different values to one place. */
  refuse("func.func @k(%p: index) attributes {grid = [2]} {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %id = ktdp.get_compute_tile_id : index\n"
         "  %k = arith.index_cast %id : index to i32\n"
         "  %x = tensor.splat %k : tensor<4xi32>\n"
         "  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {" HBM
         "} : memref<4xi32>\n"
         "  %t = ktdp.construct_access_tile %v[%c0] {" BOX1(
             "3") ", " ID1 "} : memref<4xi32> -> !ktdp.access_tile<4xindex>\n"
                  "  ktdp.store %x, %t : tensor<4xi32>, !ktdp.access_tile<4xindex>\n"
                  "  return\n}\n",
         "writes element 0 of 'p', to which tile 0 has written another value", 8);
  /* Index entries: 0, 1, 2, ... up to 7, but the view has 4 rows. */
  refuse(
      "func.func @k(%p: index, %q: index) {\n"
      "  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {" HBM "} : memref<4xi32>\n"
      "  %x = ktdp.construct_memory_view %q, sizes: [8], strides: [1] {" HBM "} : memref<8xi32>\n"
      "  %t = ktdp.construct_indirect_access_tile intermediate_variables(%i) %v[ind(%x[%i])] {\n"
      "    variables_space_set = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>,\n"
      "    variables_space_order = affine_map<(d0) -> (d0)>\n"
      "  } : memref<4xi32>, memref<8xi32> -> !ktdp.access_tile<8xindex>\n"
      "  %y = ktdp.load %t : !ktdp.access_tile<8xindex> -> tensor<8xi32>\n"
      "  return\n}\n",
      "finds index 4 in '%x', outside dimension 0 of '%v', whose size is 4", 8);
}

/* What only a run can tell: sizes, sets and subscripts that depend on %n = 5. BODY starts at
 * line 7. */
#define FIVE                                                                                       \
  "func.func @k(%p: index, %q: index) {\n"                                                         \
  "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"                           \
  "  %c3 = arith.constant 3 : index\n  %n = arith.addi %c2, %c3 : index\n"                         \
  "  %v = ktdp.construct_memory_view %p, sizes: [16], strides: [1] {" HBM "} : memref<16xi32>\n"
#define TILE(name, view, at, set, shape, type)                                                     \
  "  %" name " = ktdp.construct_access_tile %" view "[" at "]" set ", " ID1 "} : " type            \
  " -> !ktdp.access_tile<" shape "xindex>\n"
#define LOAD(name, tile, shape)                                                                    \
  "  %" name " = ktdp.load %" tile " : !ktdp.access_tile<" shape "xindex> -> tensor<" shape        \
  "xi32>\n"
#define UP_TO_N(more)                                                                              \
  " symbols(%n) {access_tile_set = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 >= 0" more ")>"

static void test_refused_at_run_time(void **state) {
  (void)state;
  refuse(FIVE "  %w = ktdp.construct_memory_view %q, sizes: [%n], strides: [1] {" HBM
              "} : memref<4xi32>\n  return\n}\n",
         "has size 5 in dimension 0", 7);
  refuse(FIVE TILE("t", "v", "%c0", UP_TO_N(", d0 mod 2 == 0"), "2", "memref<16xi32>")
             LOAD("x", "t", "2") "  return\n}\n",
         "moves a tile of 2 elements, but its set has more points", 8);
  refuse(FIVE TILE("t", "v", "%c0", UP_TO_N(", d0 mod 2 == 0"), "4", "memref<16xi32>")
             LOAD("x", "t", "4") "  return\n}\n",
         "moves a tile of 4 elements, but its set has fewer points", 8);
  refuse(FIVE TILE("t", "v", "%c0", UP_TO_N(", d0 mod 2 == 0"), "?", "memref<16xi32>")
             LOAD("x", "t", "?") "  return\n}\n",
         "has a dynamic shape, but its set is no box", 7);
  refuse(FIVE TILE("t", "v", "%n * 4611686018427387904", " {" BOX1("3"), "4", "memref<16xi32>")
             LOAD("x", "t", "4") "  return\n}\n",
         "subscript 0 has no value: it overflows or divides by zero", 7);
  refuse(FIVE "  %s = memref.subview %v[%n] [12] [1] : memref<16xi32> to memref<12xi32, "
              "strided<[1], offset: ?>>\n  return\n}\n",
         "offset 5, size 12 and stride 1 reach outside dimension 0 of size 16", 7);
  refuse(FIVE TILE("t", "v", "%c0", UP_TO_N(""), "?", "memref<16xi32>") LOAD("x", "t", "?")
             TILE("u", "v", "%c0", " {" BOX1("3"), "?",
                  "memref<16xi32>") "  ktdp.store %x, %u : tensor<?xi32>, "
                                    "!ktdp.access_tile<?xindex>\n  return\n}\n",
         "stores a tensor of size 6 in dimension 0 to a tile of size 4", 10);
  refuse(FIVE "  %w = ktdp.construct_memory_view %q, sizes: [16], strides: [1] {coordinate_set = "
              "affine_set<(d0) : (d0 >= 0)>, " HBM "} : memref<16xi32>\n"
              "  %d = ktdp.construct_distributed_memory_view (%v, %w : memref<16xi32>, "
              "memref<16xi32>) : memref<?xi32>\n  return\n}\n",
         "has partition 1, whose coordinate set is not bounded", 8);
  refuse(FIVE "  %d = ktdp.construct_distributed_memory_view (%v : memref<16xi32>) : "
              "memref<16xi32>\n"
              "  %s = memref.subview %d[0] [4] [1] : memref<16xi32> to memref<4xi32, "
              "strided<[1]>>\n  return\n}\n",
         "of a distributed view is not supported by the interpreter", 8);
}

/* A tile may write again what another wrote, if the bits are the same; reading it is worth a
   warning. */
static void test_races(void **state) {
  (void)state;
  bench_t b;
  bench_open(&b,
             "func.func @k(%p: index, %q: index) attributes {grid = [4]} {\n"
             "  %c0 = arith.constant 0 : index\n"
             "  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {" HBM
             "} : memref<4xi32>\n"
             "  %t = ktdp.construct_access_tile %v[%c0] {" BOX1(
                 "3") ", " ID1 "} : memref<4xi32> -> !ktdp.access_tile<4xindex>\n"
                      "  %x = ktdp.load %t : !ktdp.access_tile<4xindex> -> tensor<4xi32>\n"
                      "  ktdp.store %x, %t : tensor<4xi32>, !ktdp.access_tile<4xindex>\n"
                      "  return\n}\n",
             0, NULL);
  count_up(&b);
  bench_run(&b);
  assert_int_equal(b.diags.num_warnings, 1);
  assert_non_null(
      strstr(b.diags.list.data[0].message, "reads part of 'p' that tile 0 has written"));
  assert_int_equal(b.diags.list.data[0].loc.line, 5);
  const int want[] = {1000, 1001, 1002, 1003};
  check(&b, 0, want, 4);
  bench_close(&b);
}

/* Every tile reads all and changes one element: both ways round are reported, once each. */
static void test_races_both_ways(void **state) {
  (void)state;
  bench_t b;
  const char *text =
      "func.func @k(%p: index) attributes {grid = [4]} {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %id = ktdp.get_compute_tile_id : index\n"
      "  %v = ktdp.construct_memory_view %p, sizes: [4], strides: [1] {" HBM "} : memref<4xi32>\n"
      "  %t = ktdp.construct_access_tile %v[%c0] {" BOX1(
          "3") ", " ID1 "} : memref<4xi32> -> !ktdp.access_tile<4xindex>\n"
               "  %u = ktdp.construct_access_tile %v[%id] {" BOX1(
                   "0") ", " ID1 "} : memref<4xi32> -> !ktdp.access_tile<1xindex>\n"
                        "  %x = ktdp.load %t : !ktdp.access_tile<4xindex> -> tensor<4xi32>\n"
                        "  %e = tensor.extract_slice %x[0] [1] [1] : tensor<4xi32> to "
                        "tensor<1xi32>\n"
                        "  %d = arith.addi %e, %e : tensor<1xi32>\n"
                        "  ktdp.store %d, %u : tensor<1xi32>, !ktdp.access_tile<1xindex>\n"
                        "  return\n}\n";
  bench_open(&b, text, 0, NULL);
  count_up(&b);
  bench_run(&b);
  assert_int_equal(b.diags.num_warnings, 2);
  assert_non_null(
      strstr(b.diags.list.data[0].message, "reads part of 'p' that tile 0 has written"));
  assert_non_null(
      strstr(b.diags.list.data[1].message, "writes part of 'p' that other tiles have read"));
  bench_close(&b);
}

/* ---- indirect ------------------------------------------------------------------------------- */

static void test_gather(void **state) {
  (void)state;
  bench_t b;
  bench_open(&b,
             "func.func @k(%p: index, %q: index, %o: index) {\n"
             "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
             "  %v = ktdp.construct_memory_view %p, sizes: [10, 4], strides: [4, 1] {" HBM
             "} : memref<10x4xi32>\n"
             "  %x = ktdp.construct_memory_view %q, sizes: [2, 3], strides: [3, 1] {" HBM
             "} : memref<2x3xi64>\n"
             "  %w = ktdp.construct_memory_view %o, sizes: [3, 4], strides: [4, 1] {" HBM
             "} : memref<3x4xi32>\n"
             "  %t = ktdp.construct_indirect_access_tile intermediate_variables(%i, %j) "
             "%v[ind(%x[%c1, %i]), (%j)] {\n"
             "    variables_space_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 "
             "+ 3 >= 0)>,\n"
             "    variables_space_order = affine_map<(d0, d1) -> (d0, d1)>\n"
             "  } : memref<10x4xi32>, memref<2x3xi64> -> !ktdp.access_tile<3x4xindex>\n"
             "  %u = ktdp.construct_access_tile %w[%c0, %c0] {access_tile_set = affine_set<(d0, "
             "d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 3 >= 0)>, " ID2
             "} : memref<3x4xi32> -> !ktdp.access_tile<3x4xindex>\n"
             "  %y = ktdp.load %t : !ktdp.access_tile<3x4xindex> -> tensor<3x4xi32>\n"
             "  ktdp.store %y, %u : tensor<3x4xi32>, !ktdp.access_tile<3x4xindex>\n"
             /* and scatter: the last of two equal targets wins */
             "  %n = arith.constant dense<[[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]> : "
             "tensor<3x4xi32>\n"
             "  ktdp.store %n, %t : tensor<3x4xi32>, !ktdp.access_tile<3x4xindex>\n"
             "  return\n}\n",
             0, NULL);
  count_up(&b);
  const int64_t index[6] = {99, -1, 99, 7, 2, 7};
  for (int i = 0; i < 6; i++) bench_set(&b, 1, i, (uint64_t)index[i]);
  bench_run(&b);
  for (int i = 0; i < 12; i++) {
    assert_int_equal(bench_get(&b, 2, i), 1000 + index[3 + i / 4] * 4 + i % 4);
  }
  for (int i = 0; i < 40; i++) {
    assert_int_equal(bench_get(&b, 0, i), i / 4 == 7 ? 3 : i / 4 == 2 ? 2 : 1000 + i);
  }
  bench_close(&b);
}

/* ---- views ---------------------------------------------------------------------------------- */

/* Strides of all kinds, an offset, a subview, and a store whose targets repeat. */
static void test_strides(void **state) {
  (void)state;
  bench_t b;
  bench_open(&b,
             "func.func @k(%p: index, %q: index) {\n"
             "  %c0 = arith.constant 0 : index\n  %c20 = arith.constant 20 : index\n"
             "  %a = arith.addi %p, %c20 : index\n"
             "  %v = ktdp.construct_memory_view %a, sizes: [3, 4], strides: [-8, 2] {" HBM
             "} : memref<3x4xi32>\n"
             "  %s = memref.subview %v[1, 1] [2, 2] [1, 2] : memref<3x4xi32> to memref<2x2xi32, "
             "strided<[-8, 4], offset: ?>>\n"
             "  %w = ktdp.construct_memory_view %q, sizes: [2, 2], strides: [2, 1] {" HBM
             "} : memref<2x2xi32>\n"
             "  %z = ktdp.construct_memory_view %q, sizes: [2, 2], strides: [1, 0] {" HBM
             "} : memref<2x2xi32>\n"
             "  %t = ktdp.construct_access_tile %s[%c0, %c0] {access_tile_set = affine_set<(d0, "
             "d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " ID2
             "} : memref<2x2xi32, strided<[-8, 4], offset: ?>> -> !ktdp.access_tile<2x2xindex>\n"
             "  %u = ktdp.construct_access_tile %w[%c0, %c0] {access_tile_set = affine_set<(d0, "
             "d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " ID2
             "} : memref<2x2xi32> -> !ktdp.access_tile<2x2xindex>\n"
             "  %y = ktdp.construct_access_tile %z[%c0, %c0] {access_tile_set = affine_set<(d0, "
             "d1) : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " ID2
             "} : memref<2x2xi32> -> !ktdp.access_tile<2x2xindex>\n"
             "  %x = ktdp.load %t : !ktdp.access_tile<2x2xindex> -> tensor<2x2xi32>\n"
             "  ktdp.store %x, %u : tensor<2x2xi32>, !ktdp.access_tile<2x2xindex>\n"
             "  %r = ktdp.load %u : !ktdp.access_tile<2x2xindex> -> tensor<2x2xi32>\n"
             "  %d = arith.addi %r, %r : tensor<2x2xi32>\n"
             "  ktdp.store %d, %y : tensor<2x2xi32>, !ktdp.access_tile<2x2xindex>\n"
             "  return\n}\n",
             0, NULL);
  count_up(&b);
  bench_run(&b);
  /* %s[i][j] = 20 - 8 (i + 1) + 2 (1 + 2 j) */
  const int want[] = {2 * 1018, 2 * 1010, 1006, 1010};
  check(&b, 1, want, 4);
  bench_close(&b);
}

/* Partitions of 3, 2 and the rest of 8 rows; where sets overlap the first wins. */
static void test_distributed(void **state) {
  (void)state;
  const char *text =
      "func.func @k(%p: index, %q: index, %r: index, %o: index) attributes {grid = [2]} {\n"
      "  %c0 = arith.constant 0 : index\n  %c4 = arith.constant 4 : index\n"
      "  %id = ktdp.get_compute_tile_id : index\n  %row = arith.muli %id, %c4 : index\n"
      "  %a = ktdp.construct_memory_view %p, sizes: [3, 2], strides: [2, 1] {coordinate_set = "
      "affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " HBM
      "} : memref<3x2xi32>\n"
      "  %b = ktdp.construct_memory_view %q, sizes: [3, 2], strides: [1, 3] {coordinate_set = "
      "affine_set<(d0, d1) : (d0 - 2 >= 0, -d0 + 4 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " HBM
      "} : memref<3x2xi32>\n"
      "  %c = ktdp.construct_memory_view %r, sizes: [3, 2], strides: [2, 1] {coordinate_set = "
      "affine_set<(d0, d1) : (d0 - 5 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " HBM
      "} : memref<3x2xi32>\n"
      "  %v = ktdp.construct_distributed_memory_view (%a, %b, %c : memref<3x2xi32>, "
      "memref<3x2xi32>, memref<3x2xi32>) : memref<8x2xi32>\n"
      "  %w = ktdp.construct_memory_view %o, sizes: [8, 2], strides: [2, 1] {" HBM
      "} : memref<8x2xi32>\n"
      "  %t = ktdp.construct_access_tile %v[%row, %c0] {access_tile_set = affine_set<(d0, d1) : "
      "(d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " ID2
      "} : memref<8x2xi32> -> !ktdp.access_tile<4x2xindex>\n"
      "  %u = ktdp.construct_access_tile %w[%row, %c0] {access_tile_set = affine_set<(d0, d1) : "
      "(d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 1 >= 0)>, " ID2
      "} : memref<8x2xi32> -> !ktdp.access_tile<4x2xindex>\n"
      "  %x = ktdp.load %t : !ktdp.access_tile<4x2xindex> -> tensor<4x2xi32>\n"
      "  ktdp.store %x, %u : tensor<4x2xi32>, !ktdp.access_tile<4x2xindex>\n"
      "  return\n}\n";
  bench_t b;
  bench_open(&b, text, 0, NULL);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 6; i++) bench_set(&b, k, i, (uint64_t)(100 * k + i));
  }
  bench_run(&b);
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 2; j++) {
      int want = i < 3 ? 2 * i + j : i < 5 ? 100 + (i - 2) + 3 * j : 200 + 2 * (i - 5) + j;
      assert_int_equal(bench_get(&b, 3, 2 * i + j), want);
    }
  }
  bench_close(&b);
  /* A hole between the partitions. */
  char *hole = strdup(text);
  char *at = strstr(hole, "d0 - 5 >= 0");
  memcpy(at, "d0 - 6 >= 0", 11);
  refuse(hole, "that is in none of its partitions (the first dimension's is 5)", 13);
  free(hole);
}

/* Partitions that are no boxes, even and odd coordinates, of a size that follows from them. */
static void test_interleaved(void **state) {
  (void)state;
  bench_t b;
  bench_open(
      &b,
      "func.func @k(%p: index, %q: index, %o: index) {\n  %c0 = arith.constant 0 : index\n"
      "  %a = ktdp.construct_memory_view %p, sizes: [8], strides: [1] {coordinate_set = "
      "affine_set<(d0) : (d0 >= 0, 7 - d0 >= 0, d0 mod 2 == 0)>, " HBM "} : memref<8xi32>\n"
      "  %b = ktdp.construct_memory_view %q, sizes: [8], strides: [1] {coordinate_set = "
      "affine_set<(d0) : (d0 >= 0, 7 - d0 >= 0, d0 mod 2 - 1 == 0)>, " HBM "} : memref<8xi32>\n"
      "  %v = ktdp.construct_distributed_memory_view (%a, %b : memref<8xi32>, "
      "memref<8xi32>) : memref<?xi32>\n"
      "  %w = ktdp.construct_memory_view %o, sizes: [10], strides: [1] {" HBM "} : memref<10xi32>\n"
      "  %t = ktdp.construct_access_tile %v[%c0] {" BOX1(
          "9") ", " ID1 "} : memref<?xi32> -> !ktdp.access_tile<10xindex>\n"
               "  %u = ktdp.construct_access_tile %w[%c0] {" BOX1(
                   "9") ", " ID1 "} : memref<10xi32> -> !ktdp.access_tile<10xindex>\n"
                        "  %x = ktdp.load %t : !ktdp.access_tile<10xindex> -> "
                        "tensor<10xi32>\n"
                        "  ktdp.store %x, %u : tensor<10xi32>, !ktdp.access_tile<10xindex>\n"
                        "  return\n}\n",
      0, NULL);
  for (int i = 0; i < 8; i++) {
    bench_set(&b, 0, i, (uint64_t)(100 + i));
    bench_set(&b, 1, i, (uint64_t)(200 + i));
  }
  bench_run(&b);
  /* Both begin at the first coordinate that they have; beyond the dynamic size there is 0. */
  const int want[] = {100, 200, 102, 202, 104, 204, 106, 206, 0, 0};
  check(&b, 2, want, 10);
  bench_close(&b);
}

/* Views at constant offsets share memory where they overlap; so do two types of one width. */
static void test_constant_views(void **state) {
  (void)state;
  bench_t b;
  bench_open(
      &b,
      "func.func @k(%q: index) {\n"
      "  %c0 = arith.constant 0 : index\n  %c100 = arith.constant 100 : index\n"
      "  %c53 = arith.constant 53 : index\n"
      "  %v = ktdp.construct_memory_view %c100, sizes: [8], strides: [1] {" HBM
      "} : memref<8xf16>\n"
      "  %w = ktdp.construct_memory_view %c53, sizes: [2], strides: [1] {" HBM "} : memref<2xi32>\n"
      "  %o = ktdp.construct_memory_view %q, sizes: [8], strides: [1] {" HBM "} : memref<8xi16>\n"
      "  %tv = ktdp.construct_access_tile %v[%c0] {" BOX1(
          "7") ", " ID1 "} : memref<8xf16> -> !ktdp.access_tile<8xindex>\n"
               "  %tw = ktdp.construct_access_tile %w[%c0] {" BOX1(
                   "1") ", " ID1 "} : memref<2xi32> -> !ktdp.access_tile<2xindex>\n"
                        "  %to = ktdp.construct_access_tile %o[%c0] {" BOX1(
                            "7") ", " ID1 "} : memref<8xi16> -> !ktdp.access_tile<8xindex>\n"
                                 "  %a = arith.constant dense<1.5> : tensor<8xf16>\n"
                                 "  ktdp.store %a, %tv : tensor<8xf16>, "
                                 "!ktdp.access_tile<8xindex>\n"
                                 "  %b = arith.constant dense<[65538, -1]> : tensor<2xi32>\n"
                                 "  ktdp.store %b, %tw : tensor<2xi32>, "
                                 "!ktdp.access_tile<2xindex>\n"
                                 "  %x = ktdp.load %tv : !ktdp.access_tile<8xindex> -> "
                                 "tensor<8xf16>\n"
                                 "  %y = arith.bitcast %x : tensor<8xf16> to tensor<8xi16>\n"
                                 "  ktdp.store %y, %to : tensor<8xi16>, "
                                 "!ktdp.access_tile<8xindex>\n"
                                 "  return\n}\n",
      0, NULL);
  assert_true(bench_float64(&b));
  bench_run(&b);
  const int want[] = {0x3e00, 0x3e00, 0x3e00, 0x3e00, 0x3e00, 0x3e00, 2, 1};
  check(&b, 0, want, 8);
  for (int i = 0; i < 8; i++) { /* through float64 as well: the bits survive */
    assert_int_equal(b.wide[0].data[2 * i] | b.wide[0].data[2 * i + 1] << 8, want[i]);
  }
  assert_int_equal(b.args.buffers[1].extent, 8);
  for (int i = 0; i < 8; i++) assert_int_equal(bench_get(&b, 1, i), want[i]);
  assert_int_equal(bench_get(&b, 2, 0), 65538);
  assert_int_equal(bench_get(&b, 2, 1), 0xffffffff);
  assert_true(b.wide[1].wide[0] == 1.5);
  bench_close(&b);
}

/* LX belongs to the tile and starts as what is bound to it; it does not survive the tile. */
static void test_lx(void **state) {
  (void)state;
  bench_t b;
  bench_open(
      &b,
      "func.func @k(%p: index, %q: index) attributes {grid = [3]} {\n"
      "  %c0 = arith.constant 0 : index\n  %c4 = arith.constant 4 : index\n"
      "  %id = ktdp.get_compute_tile_id : index\n  %i = arith.muli %id, %c4 : index\n"
      "  %l = ktdp.construct_memory_view %c0, sizes: [4], strides: [1] {memory_space = "
      "#ktdp.spyre_memory_space<LX>} : memref<4xi32>\n"
      "  %v = ktdp.construct_memory_view %p, sizes: [12], strides: [1] {" HBM "} : memref<12xi32>\n"
      "  %w = ktdp.construct_memory_view %q, sizes: [12], strides: [1] {" HBM "} : memref<12xi32>\n"
      "  %tl = ktdp.construct_access_tile %l[%c0] {" BOX1(
          "3") ", " ID1 "} : memref<4xi32> -> !ktdp.access_tile<4xindex>\n"
               "  %tv = ktdp.construct_access_tile %v[%i] {" BOX1(
                   "3") ", " ID1 "} : memref<12xi32> -> !ktdp.access_tile<4xindex>\n"
                        "  %tw = ktdp.construct_access_tile %w[%i] {" BOX1(
                            "3") ", " ID1 "} : memref<12xi32> -> !ktdp.access_tile<4xindex>\n"
                                 "  %x = ktdp.load %tl : !ktdp.access_tile<4xindex> -> "
                                 "tensor<4xi32>\n"
                                 "  %y = ktdp.load %tv : !ktdp.access_tile<4xindex> -> "
                                 "tensor<4xi32>\n"
                                 "  %z = arith.addi %x, %y : tensor<4xi32>\n"
                                 "  ktdp.store %z, %tl : tensor<4xi32>, "
                                 "!ktdp.access_tile<4xindex>\n"
                                 "  %u = ktdp.load %tl : !ktdp.access_tile<4xindex> -> "
                                 "tensor<4xi32>\n"
                                 "  ktdp.store %u, %tw : tensor<4xi32>, "
                                 "!ktdp.access_tile<4xindex>\n"
                                 "  return\n}\n",
      0, NULL);
  count_up(&b);
  assert_int_equal(b.args.buffers[2].space.kind, STP_SPACE_CT_LOCAL);
  for (int i = 0; i < 4; i++) bench_set(&b, 2, i, (uint64_t)(10 * i));
  bench_run(&b);
  for (int i = 0; i < 12; i++) assert_int_equal(bench_get(&b, 1, i), 1000 + i + 10 * (i % 4));
  for (int i = 0; i < 4; i++) assert_int_equal(bench_get(&b, 2, i), 10 * i);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sets),
      cmocka_unit_test(test_dynamic),
      cmocka_unit_test(test_dynamic_below),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_refused_at_run_time),
      cmocka_unit_test(test_races),
      cmocka_unit_test(test_races_both_ways),
      cmocka_unit_test(test_gather),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_distributed),
      cmocka_unit_test(test_interleaved),
      cmocka_unit_test(test_constant_views),
      cmocka_unit_test(test_lx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
