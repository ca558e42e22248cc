/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles, loops, branches, scalars and limits. */
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
#define BOX1(last) "access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + " last " >= 0)>"

/* A kernel that stores the tensor<4xi64> %r at element %at of %p, which has `size` elements. */
static void open_store(bench_t *b, const char *args, const char *grid, int size, const char *body,
                       int num_scalars, const int64_t (*scalars)[2]) {
  char text[4096];
  snprintf(text, sizeof text,
           "func.func @k(%%p: index%s) attributes {grid = %s} {\n"
           "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
           "  %%c4 = arith.constant 4 : index\n%s\n"
           "  %%v = ktdp.construct_memory_view %%p, sizes: [%d], strides: [1] {" HBM
           "} : memref<%dxi64>\n"
           "  %%t = ktdp.construct_access_tile %%v[%%at] {" BOX1(
               "3") ", " ID1 "} : memref<%dxi64> -> !ktdp.access_tile<4xindex>\n"
                    "  ktdp.store %%r, %%t : tensor<4xi64>, !ktdp.access_tile<4xindex>\n"
                    "  return\n}\n",
           args, grid, body, size, size, size);
  bench_open(b, text, num_scalars, scalars);
}

/* Dimension 0 of the grid varies fastest. */
static void test_grid(void **state) {
  (void)state;
  bench_t b;
  open_store(&b, "", "[2, 3]", 24,
             "  %x, %y = ktdp.get_compute_tile_id : index, index\n"
             "  %c10 = arith.constant 10 : index\n  %c2 = arith.constant 2 : index\n"
             "  %a = arith.muli %y, %c10 : index\n  %s = arith.addi %a, %x : index\n"
             "  %f = arith.muli %y, %c2 : index\n  %g = arith.addi %f, %x : index\n"
             "  %at = arith.muli %g, %c4 : index\n"
             "  %k = arith.index_cast %s : index to i64\n"
             "  %r = tensor.splat %k : tensor<4xi64>",
             0, NULL);
  bench_run(&b);
  for (int i = 0; i < 24; i++) assert_int_equal(bench_get(&b, 0, i), i / 8 * 10 + i / 4 % 2);
  bench_close(&b);
}

/* Fibonacci: iter_args move at once. Bounds from a scalar argument. */
static void test_for(void **state) {
  (void)state;
  for (int64_t n = 0; n < 30; n += 7) {
    const int64_t scalars[1][2] = {{1, n}};
    bench_t b;
    open_store(&b, ", %n: index", "[1]", 4,
               "  %i0 = arith.constant 0 : i64\n  %i1 = arith.constant 1 : i64\n"
               "  %at = arith.constant 0 : index\n"
               "  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0, %b = %i1) -> (i64, "
               "i64) {\n"
               "    %s = arith.addi %a, %b : i64\n    scf.yield %b, %s : i64, i64\n  }\n"
               "  %r = tensor.from_elements %x, %y, %x, %y : tensor<4xi64>",
               1, scalars);
    bench_run(&b);
    uint64_t x = 0, y = 1;
    for (int64_t i = 0; i < n; i++) {
      uint64_t s = x + y;
      x = y;
      y = s;
    }
    for (int i = 0; i < 4; i++) assert_int_equal(bench_get(&b, 0, i), i % 2 ? y : x);
    bench_close(&b);
  }
}

static void test_if(void **state) {
  (void)state;
  bench_t b;
  open_store(&b, "", "[4]", 16,
             "  %id = ktdp.get_compute_tile_id : index\n"
             "  %at = arith.muli %id, %c4 : index\n  %c2 = arith.constant 2 : index\n"
             "  %m = arith.remui %id, %c2 : index\n  %c = arith.cmpi eq, %m, %c0 : index\n"
             "  %k = arith.index_cast %id : index to i64\n"
             "  %d = scf.if %c -> (i64) {\n    %e = arith.muli %k, %k : i64\n"
             "    scf.yield %e : i64\n  } else {\n    %e = arith.constant -5 : i64\n"
             "    scf.yield %e : i64\n  }\n"
             "  %r = tensor.splat %d : tensor<4xi64>",
             0, NULL);
  bench_run(&b);
  for (int i = 0; i < 16; i++) {
    int id = i / 4;
    assert_int_equal((int64_t)bench_get(&b, 0, i), id % 2 == 0 ? id * id : -5);
  }
  bench_close(&b);
}

static void test_parallel(void **state) {
  (void)state;
  bench_t b;
  open_store(
      &b, "", "[1]", 4,
      "  %at = arith.constant 0 : index\n"
      "  %i1 = arith.constant 100 : i64\n  %c3 = arith.constant 3 : index\n"
      "  %s = scf.parallel (%i, %j) = (%c0, %c1) to (%c3, %c4) step (%c1, %c1) init (%i1) -> "
      "i64 {\n"
      "    %m = arith.muli %i, %j : index\n    %k = arith.index_cast %m : index to i64\n"
      "    scf.reduce(%k : i64) {\n    ^bb0(%l: i64, %q: i64):\n"
      "      %d = arith.addi %l, %q : i64\n      scf.reduce.return %d : i64\n    }\n  }\n"
      "  %z = arith.constant dense<9> : tensor<4xi64>\n"
      "  %f = scf.forall (%i) in (3) shared_outs(%o = %z) -> (tensor<4xi64>) {\n"
      /* the body sees what came in, not what other iterations insert */
      "    %e = tensor.extract %o[%i] : tensor<4xi64>\n"
      "    %k = arith.index_cast %i : index to i64\n    %y = arith.addi %k, %e : i64\n"
      "    %t1 = tensor.from_elements %y : tensor<1xi64>\n"
      "    %i2 = arith.addi %i, %c1 : index\n"
      "    scf.forall.in_parallel {\n"
      "      tensor.parallel_insert_slice %t1 into %o[%i2] [1] [1] : tensor<1xi64> into "
      "tensor<4xi64>\n    }\n  }\n"
      "  %w = tensor.splat %s : tensor<4xi64>\n"
      "  %r = arith.addi %f, %w : tensor<4xi64>",
      0, NULL);
  bench_run(&b);
  int sum = 100 + (0 + 1 + 2) * (1 + 2 + 3);
  const int want[4] = {9, 9, 10, 11};
  for (int i = 0; i < 4; i++) assert_int_equal(bench_get(&b, 0, i), sum + want[i]);
  bench_close(&b);
}

/* A view made in a loop from a moving address; several addresses of one argument. */
static void test_addresses(void **state) {
  (void)state;
  bench_t b;
  bench_open(&b,
             "func.func @k(%p: index, %q: i32, %s: f16) {\n"
             "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
             "  %c3 = arith.constant 3 : index\n  %c5 = arith.constant 5 : index\n"
             "  %z = arith.extf %s : f16 to f32\n  %i = arith.sitofp %q : i32 to f32\n"
             "  %y = arith.mulf %z, %i : f32\n"
             "  %e = scf.for %n = %c0 to %c3 step %c1 iter_args(%a = %p) -> (index) {\n"
             "    %v = ktdp.construct_memory_view %a, sizes: [2], strides: [1] {" HBM
             "} : memref<2xf32>\n"
             "    %t = ktdp.construct_access_tile %v[%c0] {" BOX1(
                 "1") ", " ID1 "} : memref<2xf32> -> !ktdp.access_tile<2xindex>\n"
                      "    %x = tensor.splat %y : tensor<2xf32>\n"
                      "    ktdp.store %x, %t : tensor<2xf32>, !ktdp.access_tile<2xindex>\n"
                      "    %b = arith.addi %a, %c5 : index\n    scf.yield %b : index\n  }\n"
                      "  return\n}\n",
             2, (const int64_t[2][2]){{1, -3}, {2, 0x3c01}});
  assert_true(bench_float64(&b));
  bench_run(&b);
  float want = -3.0f * (1.0f + 1.0f / 1024);
  for (int i = 0; i < 12; i++) {
    assert_int_equal(bench_get(&b, 0, i), i % 5 < 2 ? f32_bits(want) : 0x5a5a5a5a);
    if (i % 5 < 2) assert_true(b.wide[0].wide[i] == (double)want);
  }
  bench_close(&b);
}

static void test_limits(void **state) {
  (void)state;
  bench_t b;
  const int64_t scalars[1][2] = {{1, 1000000}};
  open_store(&b, ", %n: index", "[1]", 4,
             "  %at = arith.constant 0 : index\n  %i0 = arith.constant 0 : i64\n"
             "  %x = scf.for %i = %c0 to %n step %c1 iter_args(%a = %i0) -> (i64) {\n"
             "    %s = arith.addi %a, %a : i64\n    scf.yield %s : i64\n  }\n"
             "  %r = tensor.splat %x : tensor<4xi64>",
             1, scalars);
  const stp_interp_options_t options = {STP_INTERP_EXACT, 5000};
  assert_false(stp_interp_run(b.func, &b.scalars, &b.args, b.exact, &options, &b.diags));
  assert_non_null(strstr(b.diags.list.data[0].message, "beyond the limit of 5000 steps"));
  assert_int_equal(b.diags.list.data[0].loc.line, 8);
  b.bound[1] = false;
  bench_fails(&b, "argument '%n' needs a value", 1);
  b.bound[1] = true;
  uint8_t *data = b.exact[0].data;
  b.exact[0].data = NULL;
  bench_fails(&b, "address '%p' has no memory", 1);
  b.exact[0].data = data;
  bench_run(&b);
  bench_close(&b);
}

static void test_refused(void **state) {
  (void)state;
  bench_t b;
  open_store(&b, "", "[1]", 4,
             "  %at = arith.constant 0 : index\n"
             "  %m = arith.muli %p, %c4 : index\n  %k = arith.index_cast %m : index to i64\n"
             "  %r = tensor.splat %k : tensor<4xi64>",
             0, NULL);
  bench_fails(&b, "'arith.muli' op computes with an address", 6);
  bench_close(&b);
  const int64_t zero[1][2] = {{1, 0}};
  open_store(&b, ", %n: index", "[1]", 4,
             "  %at = arith.constant 0 : index\n"
             "  %m = arith.divsi %c4, %n : index\n  %k = arith.index_cast %m : index to i64\n"
             "  %r = tensor.splat %k : tensor<4xi64>",
             1, zero);
  bench_fails(&b, "'arith.divsi' op divides by zero", 6);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grid),      cmocka_unit_test(test_for),
      cmocka_unit_test(test_if),        cmocka_unit_test(test_parallel),
      cmocka_unit_test(test_addresses), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
