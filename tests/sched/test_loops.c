/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts in memory, memory that is read and written, loops with stores, loops that carry, nested
 * loops: kernels written by the test, run on the C model, and compared bit for bit with plain C.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics.h"
#include "stp_isa.h"
#include "text.h"

/* ---- memory -----------------------------------------------------------------------------------
 */

/* A copy through LX, with elements `step` apart and rows `pitch` apart in memory. */
static void copy_of(const char *elem, int rows, int cols, int pitch, int step, unsigned skew) {
  text_t t = {.n = 0};
  char shape[64], access[64];
  snprintf(shape, sizeof shape, "%dx%dx%s", rows, cols, elem);
  snprintf(access, sizeof access, "%dx%d", rows, cols);
  put_head(&t, "%a: index, %b: index", "1");
  put_tile(&t, "a", elem, rows, cols, pitch, step, "%c0", "%c0", rows, cols);
  put_tile(&t, "b", elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  put_load(&t, "x", "a", shape, access);
  put_store(&t, "x", "b", shape, access);
  put_end(&t);
  bench_t b;
  start(&b, &t, skew, 3);
  assert_true(bench_run(&b, 1));
  assert_int_equal(b.unit_work[STP_UNIT_SFU0], 0);
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < cols; c++) {
      assert_int_equal(get(&b, 1, (size_t)(r * cols + c)),
                       get(&b, 0, (size_t)(r * pitch + c * step)));
    }
  }
  bench_close(&b);
}

static void copies(void **state) {
  (void)state;
  copy_of("f16", 3, 100, 100, 1, 0);
  copy_of("f16", 20, 50, 123, 1, 2);
  copy_of("f32", 17, 40, 1, 17, 4); /* columns: a transposed view */
  copy_of("f16", 9, 70, 300, 3, 8);
}

/* A loop that loads, computes and stores; two tiles, an inner trip count of its own. */
static void store_in_loop(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %b: index", "2");
  put(&t, "%%id = ktdp.get_compute_tile_id : index\n%%c15 = arith.constant 15 : index\n%%c3 = "
          "arith.constant 3 : index\n"
          "%%first = arith.muli %%id, %%c15 : index\n%%end = arith.addi %%first, %%c15 : index\n"
          "scf.for %%i = %%first to %%end step %%c3 {\n");
  put_tile(&t, "a", "f16", 30, 200, 200, 1, "%i", "%c0", 3, 200);
  put_tile(&t, "b", "f16", 30, 200, 200, 1, "%i", "%c0", 3, 200);
  put_load(&t, "x", "a", "3x200xf16", "3x200");
  put(&t, "%%y = arith.addf %%x, %%x : tensor<3x200xf16>\n");
  put_store(&t, "y", "b", "3x200xf16", "3x200");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 2, 3);
  for (unsigned cores = 1; cores <= 3; cores++) {
    assert_true(bench_run(&b, cores));
    for (size_t i = 0; i < 6000; i++) {
      assert_int_equal(get(&b, 1, i), op2(STP_OP_VADD, STP_FMT_F16, get(&b, 0, i), get(&b, 0, i)));
    }
  }
  bench_close(&b);
}

/* A constant goes to memory without any input; several stores of one value. */
static void fill_twice(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %b: index", "1");
  put_tile(&t, "a", "f32", 5, 70, 70, 1, "%c0", "%c0", 5, 70);
  put_tile(&t, "b", "f32", 5, 70, 70, 1, "%c0", "%c0", 5, 70);
  put(&t, "%%x = arith.constant dense<1.25> : tensor<5x70xf32>\n");
  put_store(&t, "x", "a", "5x70xf32", "5x70");
  put_store(&t, "x", "b", "5x70xf32", "5x70");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 3);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < 350; i++) {
    assert_int_equal(get(&b, 0, i), as_bits(1.25f));
    assert_int_equal(get(&b, 1, i), as_bits(1.25f));
  }
  bench_close(&b);
}

/* ---- loops that carry ------------------------------------------------------------------------ */

/* acc = acc * 0.5 + x[i], f16, over `trips` rows-blocks; starts at `begin`. */
static void carry_of(int trips, const char *begin, double begin_value, int rows, unsigned skew) {
  text_t t = {.n = 0};
  char shape[64], access[64];
  int cols = 90;
  snprintf(shape, sizeof shape, "%dx%dxf16", rows, cols);
  snprintf(access, sizeof access, "%dx%d", rows, cols);
  put_head(&t, "%a: index, %b: index", "1");
  put(&t,
      "%%end = arith.constant %d : index\n%%step = arith.constant %d : index\n"
      "%%init = arith.constant dense<%s> : tensor<%s>\n%%half = arith.constant dense<0.5> : "
      "tensor<%s>\n"
      "%%sum = scf.for %%i = %%c0 to %%end step %%step iter_args(%%acc = %%init) -> (tensor<%s>) "
      "{\n",
      trips * rows, rows, begin, shape, shape, shape);
  put_tile(&t, "a", "f16", trips ? trips * rows : rows, cols, cols, 1, "%i", "%c0", rows, cols);
  put_load(&t, "x", "a", shape, access);
  put(&t,
      "%%1 = arith.mulf %%acc, %%half : tensor<%s>\n%%2 = arith.addf %%1, %%x : "
      "tensor<%s>\nscf.yield %%2 : tensor<%s>\n}\n",
      shape, shape, shape);
  put_tile(&t, "b", "f16", rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  put_store(&t, "sum", "b", shape, access);
  put_end(&t);
  bench_t b;
  start(&b, &t, skew, 3);
  assert_true(bench_run(&b, 1));
  uint32_t half = stp_num_from_double(STP_FMT_F16, 0.5);
  for (size_t i = 0; i < (size_t)(rows * cols); i++) {
    uint32_t acc = stp_num_from_double(STP_FMT_F16, begin_value);
    for (size_t k = 0; k < (size_t)trips; k++) {
      acc = op2(STP_OP_VADD, STP_FMT_F16, op2(STP_OP_VMUL, STP_FMT_F16, acc, half),
                get(&b, 0, k * (size_t)(rows * cols) + i));
    }
    assert_int_equal(get(&b, 1, i), acc);
  }
  bench_close(&b);
}

static void carried(void **state) {
  (void)state;
  for (int trips = 1; trips < 7; trips++) carry_of(trips, "0.0", 0, 4, 0);
  carry_of(5, "-1.5", -1.5, 1, 2);
  carry_of(9, "2.0", 2, 7, 4);
}

/* ---- memory that is read and written ----------------------------------------------------------
 */

/* One argument, `trips` iterations of: load rows at %i * `from_step` + `from`, double them, store
   at %i * `to_step` + `to`; then, if `again`, load what was stored, and store it 40 rows further
   on. Compared with the same in plain C. */
static void in_place_of(int trips, int from_step, int from, int to_step, int to, bool again) {
  enum { ROWS = 3, COLS = 70, ALL = 90 };
  text_t t = {.n = 0};
  put_head(&t, "%a: index", "1");
  put(&t, "%%end = arith.constant %d : index\n%%c1 = arith.constant 1 : index\n", trips);
  static const char *const names[] = {"fs", "f", "ts", "t", "far"};
  int values[] = {from_step, from, to_step, to, 40};
  for (int i = 0; i < 5; i++) put(&t, "%%%s = arith.constant %d : index\n", names[i], values[i]);
  put(&t,
      "%%a_view = ktdp.construct_memory_view %%a, sizes: [%d, %d], strides: [%d, 1] {\n"
      "  coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
      "0)>,\n"
      "  memory_space = #ktdp.spyre_memory_space<HBM>\n} : memref<%dx%dxf16>\n",
      ALL, COLS, COLS, ALL - 1, COLS - 1, ALL, COLS);
  put(&t, "scf.for %%i = %%c0 to %%end step %%c1 {\n%%1 = arith.muli %%i, %%fs : index\n%%2 = "
          "arith.addi %%1, %%f : index\n"
          "%%3 = arith.muli %%i, %%ts : index\n%%4 = arith.addi %%3, %%t : index\n%%5 = arith.addi "
          "%%4, %%far : index\n");
  const char *const rows[] = {"%2", "%4", "%5"};
  for (int i = 0; i < (again ? 3 : 2); i++) {
    put(&t,
        "%%t%d = ktdp.construct_access_tile %%a_view[%s, %%c0] {\n"
        "  access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
        "0)>,\n"
        "  access_tile_order = affine_map<(d0, d1) -> (d0, d1)>\n"
        "} : memref<%dx%dxf16> -> !ktdp.access_tile<%dx%dxindex>\n",
        i, rows[i], ROWS - 1, COLS - 1, ALL, COLS, ROWS, COLS);
  }
  put(&t, "%%x = ktdp.load %%t0 : !ktdp.access_tile<3x70xindex> -> tensor<3x70xf16>\n"
          "%%y = arith.addf %%x, %%x : tensor<3x70xf16>\n"
          "ktdp.store %%y, %%t1 : tensor<3x70xf16>, !ktdp.access_tile<3x70xindex>\n");
  if (again) {
    put(&t, "%%z = ktdp.load %%t1 : !ktdp.access_tile<3x70xindex> -> tensor<3x70xf16>\n"
            "ktdp.store %%z, %%t2 : tensor<3x70xf16>, !ktdp.access_tile<3x70xindex>\n");
  }
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 2, 0.001);
  static uint16_t want[ALL * COLS];
  memcpy(want, bench_buffer(&b, 0), sizeof want);
  for (int i = 0; i < trips; i++) {
    uint16_t tile[ROWS * COLS];
    memcpy(tile, want + (i * from_step + from) * COLS, sizeof tile);
    for (int k = 0; k < ROWS * COLS; k++)
      tile[k] = (uint16_t)op2(STP_OP_VADD, STP_FMT_F16, tile[k], tile[k]);
    memcpy(want + (i * to_step + to) * COLS, tile, sizeof tile);
    if (again) memcpy(want + (i * to_step + to + 40) * COLS, tile, sizeof tile);
  }
  assert_true(bench_run(&b, 1));
  assert_memory_equal(bench_buffer(&b, 0), want, sizeof want);
  bench_close(&b);
}

static void in_place(void **state) {
  (void)state;
  for (int again = 0; again < 2; again++) {
    in_place_of(1, 0, 5, 0, 5, again);  /* once, the same place */
    in_place_of(6, 3, 0, 3, 0, again);  /* in place, moving on */
    in_place_of(6, 0, 4, 0, 4, again);  /* the same place again and again */
    in_place_of(6, 3, 0, 3, 3, again);  /* each iteration reads what the one before wrote */
    in_place_of(6, 3, 3, 3, 0, again);  /* each writes what the one before read */
    in_place_of(6, 1, 0, 1, 2, again);  /* overlaps */
    in_place_of(6, 2, 20, 0, 1, again); /* stores to one place */
  }
}

/* Rows of a view that overlap: 50 elements, 10 apart. Each iteration doubles two rows, which hold
 * what the one before wrote. */
static void in_place_overlapping(void **state) {
  (void)state;
  enum { ROWS = 16, COLS = 50, PITCH = 10, ALL = (ROWS - 1) * PITCH + COLS };
  text_t t = {.n = 0};
  put_head(&t, "%a: index", "1");
  put(&t, "%%end = arith.constant %d : index\n%%c2 = arith.constant 2 : index\n", ROWS);
  put(&t, "scf.for %%i = %%c0 to %%end step %%c2 {\n");
  put_tile(&t, "a", "f16", ROWS, COLS, PITCH, 1, "%i", "%c0", 2, COLS);
  put_load(&t, "x", "a", "2x50xf16", "2x50");
  put(&t, "%%y = arith.addf %%x, %%x : tensor<2x50xf16>\n");
  put_store(&t, "y", "a", "2x50xf16", "2x50");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 0.001);
  uint16_t want[ALL];
  memcpy(want, bench_buffer(&b, 0), sizeof want);
  for (int i = 0; i < ROWS; i += 2) {
    uint16_t tile[2 * COLS];
    for (int k = 0; k < 2 * COLS; k++) {
      uint16_t v = want[(i + k / COLS) * PITCH + k % COLS];
      tile[k] = (uint16_t)op2(STP_OP_VADD, STP_FMT_F16, v, v);
    }
    for (int k = 0; k < 2 * COLS; k++) want[(i + k / COLS) * PITCH + k % COLS] = tile[k];
  }
  assert_true(bench_run(&b, 1));
  assert_memory_equal(bench_buffer(&b, 0), want, sizeof want);
  bench_close(&b);
}

/* One loop stores, the next one reads what it stored, from the last row on, and a load after both
 * reads a row again: in each of two tiles, or in each iteration of a loop around. */
static void scratch(void **state) {
  (void)state;
  enum { ROWS = 6, COLS = 150, TIMES = 2 };
  for (int around = 0; around < 2; around++) {
    text_t t = {.n = 0};
    put_head(&t, "%x: index, %s: index, %y: index", around ? "1" : "2");
    put(&t,
        "%%rows = arith.constant %d : index\n%%last = arith.constant %d : index\n"
        "%%c1 = arith.constant 1 : index\n%%c2 = arith.constant 2 : index\n",
        ROWS, ROWS - 1);
    put(&t, around ? "scf.for %%id = %%c0 to %%c2 step %%c1 {\n"
                   : "%%id = ktdp.get_compute_tile_id : index\n");
    put(&t, "%%base = arith.muli %%id, %%rows : index\n"
            "scf.for %%i = %%c0 to %%rows step %%c1 {\n%%1 = arith.addi %%base, %%i : index\n");
    put_tile(&t, "x", "f16", ROWS * TIMES, COLS, COLS, 1, "%1", "%c0", 1, COLS);
    put_tile(&t, "s", "f16", ROWS * TIMES, COLS, COLS, 1, around ? "%i" : "%1", "%c0", 1, COLS);
    put_load(&t, "v", "x", "1x150xf16", "1x150");
    put(&t, "%%d = arith.addf %%v, %%v : tensor<1x150xf16>\n");
    put_store(&t, "d", "s", "1x150xf16", "1x150");
    put(&t, "}\nscf.for %%j = %%c0 to %%rows step %%c1 {\n%%2 = arith.subi %%last, %%j : index\n"
            "%%3 = arith.addi %%base, %%2 : index\n%%4 = arith.addi %%base, %%j : index\n");
    put_tile(&t, "s", "f16", ROWS * TIMES, COLS, COLS, 1, around ? "%2" : "%3", "%c0", 1, COLS);
    put_tile(&t, "y", "f16", (ROWS + 1) * TIMES, COLS, COLS, 1, "%4", "%c0", 1, COLS);
    put_load(&t, "w", "s", "1x150xf16", "1x150");
    put_store(&t, "w", "y", "1x150xf16", "1x150");
    put(&t, "}\n%%5 = arith.muli %%rows, %%c2 : index\n%%6 = arith.addi %%5, %%id : index\n");
    put_tile(&t, "s", "f16", ROWS * TIMES, COLS, COLS, 1, around ? "%c2" : "%base", "%c0", 1, COLS);
    put_tile(&t, "y", "f16", (ROWS + 1) * TIMES, COLS, COLS, 1, "%6", "%c0", 1, COLS);
    put_load(&t, "u", "s", "1x150xf16", "1x150");
    put_store(&t, "u", "y", "1x150xf16", "1x150");
    put(&t, around ? "}\n" : "");
    put_end(&t);
    bench_t b;
    start(&b, &t, 2, 3);
    assert_true(bench_run(&b, 1));
    for (size_t i = 0; i < (ROWS + 1) * TIMES * COLS; i++) {
      size_t row = i / COLS, id = row < ROWS * TIMES ? row / ROWS : row - ROWS * TIMES;
      size_t from = row < ROWS * TIMES ? ROWS - 1 - row % ROWS : around ? 2 : 0;
      uint32_t x = get(&b, 0, (id * ROWS + from) * COLS + i % COLS);
      assert_int_equal(get(&b, 2, i), op2(STP_OP_VADD, STP_FMT_F16, x, x));
    }
    bench_close(&b);
  }
}

/* A loop of no trips: the job does nothing, but some unit must run. */
static void nothing(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %b: index", "3");
  put_vector(&t, "a", "f16", 70);
  put_vector(&t, "b", "f16", 70);
  put(&t, "%%c1 = arith.constant 1 : index\nscf.for %%i = %%c0 to %%c0 step %%c1 {\n");
  put_load(&t, "x", "a", "70xf16", "70");
  put_store(&t, "x", "b", "70xf16", "70");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 1);
  unsigned units = 0;
  for (unsigned u = 0; u < STP_UNITS; u++) units += b.job->programs[u].count > 0;
  assert_int_equal(units, 1);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < 70; i++) assert_int_equal(get(&b, 1, i), BENCH_POISON << 8 | BENCH_POISON);
  bench_close(&b);
}

/* ---- nested loops -------------------------------------------------------------------------------
 */

/* For each of 4 row blocks i: acc = w[i]; for each of `inner` j: acc = exp(acc * x[j]) + w[i]; y[i]
 * = acc, starting at 0.5. */
static void nested_of(int inner) {
  enum { ROWS = 5, COLS = 100, OUTER = 4 };
  text_t t = {.n = 0};
  put_head(&t, "%w: index, %x: index, %y: index", "1");
  put(&t,
      "%%outer = arith.constant 20 : index\n%%step = arith.constant 5 : index\n%%inner = "
      "arith.constant %d : index\n"
      "%%init = arith.constant dense<0.5> : tensor<5x100xf16>\nscf.for %%i = %%c0 to %%outer step "
      "%%step {\n",
      inner * 5);
  put_tile(&t, "w", "f16", ROWS * OUTER, COLS, COLS, 1, "%i", "%c0", ROWS, COLS);
  put_load(&t, "wi", "w", "5x100xf16", "5x100");
  put(&t, "%%r = scf.for %%j = %%c0 to %%inner step %%step iter_args(%%acc = %%init) -> "
          "(tensor<5x100xf16>) {\n");
  put_tile(&t, "x", "f16", ROWS * inner, COLS, COLS, 1, "%j", "%c0", ROWS, COLS);
  put_load(&t, "xj", "x", "5x100xf16", "5x100");
  put(&t,
      "%%1 = arith.mulf %%acc, %%xj : tensor<5x100xf16>\n%%2 = math.exp %%1 : tensor<5x100xf16>\n"
      "%%3 = arith.addf %%2, %%wi : tensor<5x100xf16>\nscf.yield %%3 : tensor<5x100xf16>\n}\n");
  put_tile(&t, "y", "f16", ROWS * OUTER, COLS, COLS, 1, "%i", "%c0", ROWS, COLS);
  put_store(&t, "r", "y", "5x100xf16", "5x100");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 4, 1);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < OUTER; i++) {
    for (size_t k = 0; k < ROWS * COLS; k++) {
      uint32_t acc = stp_num_from_double(STP_FMT_F16, 0.5);
      for (size_t j = 0; j < (size_t)inner; j++) {
        acc = op2(STP_OP_VMUL, STP_FMT_F16, acc, get(&b, 1, j * ROWS * COLS + k));
        acc = op3(STP_OP_VFUNC, STP_VFUNC_EXP, STP_FMT_F16, 0, acc, 0, 0);
        acc = op2(STP_OP_VADD, STP_FMT_F16, acc, get(&b, 0, i * ROWS * COLS + k));
      }
      assert_int_equal(get(&b, 2, i * ROWS * COLS + k), acc);
    }
  }
  bench_close(&b);
}

static void nested(void **state) {
  (void)state;
  for (int inner = 1; inner < 6; inner++) nested_of(inner);
}

/* A loop over row blocks with a product in each that runs over k: 3 blocks, the accumulator starts
 * again for each. */
static void nested_product(void **state) {
  (void)state;
  enum { M = 8, N = 64, K = 40, STEP = 8, OUTER = 3 };
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %w: index, %c: index", "1");
  put(&t, "%%rows = arith.constant 24 : index\n%%c8 = arith.constant 8 : index\n%%depth = "
          "arith.constant 40 : index\n"
          "%%zero = arith.constant dense<0.0> : tensor<8x64xf32>\nscf.for %%i = %%c0 to %%rows "
          "step %%c8 {\n"
          "%%r = scf.for %%k = %%c0 to %%depth step %%c8 iter_args(%%acc = %%zero) -> "
          "(tensor<8x64xf32>) {\n");
  put_tile(&t, "a", "f16", M * OUTER, K, K, 1, "%i", "%k", M, STEP);
  put_tile(&t, "w", "f16", K, N, N, 1, "%k", "%c0", STEP, N);
  put_load(&t, "x", "a", "8x8xf16", "8x8");
  put_load(&t, "y", "w", "8x64xf16", "8x64");
  put(&t, "%%n = linalg.matmul ins(%%x, %%y : tensor<8x8xf16>, tensor<8x64xf16>) outs(%%acc : "
          "tensor<8x64xf32>) -> "
          "tensor<8x64xf32>\nscf.yield %%n : tensor<8x64xf32>\n}\n");
  put_tile(&t, "c", "f32", M * OUTER, N, N, 1, "%i", "%c0", M, N);
  put_store(&t, "r", "c", "8x64xf32", "8x64");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 1);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < M * OUTER; i++) {
    for (size_t j = 0; j < N; j++) {
      float acc = 0;
      for (size_t k = 0; k < K; k += 8) {
        float sum = 0;
        for (size_t q = k; q < k + 8; q++) {
          sum = fmaf(widen(STP_FMT_F16, get(&b, 0, i * K + q)),
                     widen(STP_FMT_F16, get(&b, 1, q * N + j)), sum);
        }
        acc += sum;
      }
      assert_int_equal(get(&b, 2, i * N + j), as_bits(acc));
    }
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies),         cmocka_unit_test(store_in_loop),
      cmocka_unit_test(fill_twice),     cmocka_unit_test(carried),
      cmocka_unit_test(in_place),       cmocka_unit_test(nested),
      cmocka_unit_test(nested_product), cmocka_unit_test(in_place_overlapping),
      cmocka_unit_test(nothing),        cmocka_unit_test(scratch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
