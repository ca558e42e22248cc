/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops whose trip count only the machine knows, and indices that only it can check: kernels
 * written by the test, compiled once with an argument that stays one, run on the C model with many
 * values of it, none at all among them, and compared bit for bit with plain C.
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

/* Compile with argument `arg` kept at run time; the buffers have room for `most`. */
static void start_kept(bench_t *b, const text_t *t, int arg, int64_t most) {
  if (!bench_compile_text(b, "kernel.mlir", t->s, arg, most, true)) {
    fprintf(stderr, "%s\n", t->s);
    fail();
  }
  assert_int_equal(b->job->num_scalars, 1);
  assert_true(b->job->scalars[0].arg >= 0);
}

/* Fresh buffers, and the argument's value for the next run. */
static void prepare(bench_t *b, int64_t value, unsigned skew, double scale) {
  bench_place(b, skew);
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    if (b->job->buffers[i].dir & STP_JOB_READ) bench_random(b, i, i + 7, scale);
  }
  b->job->scalars[0].value = value;
}

/* ---- tensors that loops carry ------------------------------------------------------------ */

/* acc = acc * 0.5 + x[i] from `begin` on, for i from 0 to %n by `step`; y = acc. */
static void carry_of(const char *elem, unsigned fmt, int rows, int step, const char *begin) {
  enum { COLS = 90, MOST = 7 };
  text_t t = {.n = 0};
  char shape[64], access[64];
  snprintf(shape, sizeof shape, "%dx%dx%s", rows, COLS, elem);
  snprintf(access, sizeof access, "%dx%d", rows, COLS);
  put_head(&t, "%a: index, %b: index, %n: index", "2");
  put(&t,
      "%%step = arith.constant %d : index\n%%init = arith.constant dense<%s> : tensor<%s>\n"
      "%%half = arith.constant dense<0.5> : tensor<%s>\n"
      "%%sum = scf.for %%i = %%c0 to %%n step %%step iter_args(%%acc = %%init) -> (tensor<%s>) {\n",
      step, begin, shape, shape, shape);
  put_tile(&t, "a", elem, MOST * step + rows, COLS, COLS, 1, "%i", "%c0", rows, COLS);
  put_load(&t, "x", "a", shape, access);
  put(&t,
      "%%1 = arith.mulf %%acc, %%half : tensor<%s>\n%%2 = arith.addf %%1, %%x : tensor<%s>\n"
      "scf.yield %%2 : tensor<%s>\n}\n",
      shape, shape, shape);
  put_tile(&t, "b", elem, rows, COLS, COLS, 1, "%c0", "%c0", rows, COLS);
  put_store(&t, "sum", "b", shape, access);
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 2, MOST * step);
  uint32_t half = stp_num_from_double(fmt, 0.5), from = stp_num_from_double(fmt, atof(begin));
  for (int n = 0; n <= MOST * step; n++) {
    prepare(&b, n, (unsigned)n % 3 * 4, 3);
    assert_true(bench_run(&b, 1));
    for (size_t i = 0; i < (size_t)(rows * COLS); i++) {
      uint32_t acc = from;
      for (int k = 0; k < n; k += step) {
        acc = op2(STP_OP_VADD, fmt, op2(STP_OP_VMUL, fmt, acc, half),
                  get(&b, 0, (size_t)k * COLS + i));
      }
      assert_int_equal(get(&b, 1, i), acc);
    }
  }
  b.job->scalars[0].value = -5;
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < (size_t)(rows * COLS); i++) assert_int_equal(get(&b, 1, i), from);
  bench_close(&b);
}

/* The same from a value that is loaded, and from twice that: two tensors that change places, acc,
 * old = acc * 0.5 + x[i] + old, acc. */
static void carry_from(bool kept) {
  enum { ROWS = 3, COLS = 90, MOST = 5 };
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %s: index, %b: index, %n: index", "2");
  put(&t, "%%c1 = arith.constant 1 : index\n%%most = arith.constant 5 : index\n"
          "%%half = arith.constant dense<0.5> : tensor<3x90xf16>\n");
  put_tile(&t, "s", "f16", ROWS, COLS, COLS, 1, "%c0", "%c0", ROWS, COLS);
  put_load(&t, "v", "s", "3x90xf16", "3x90");
  put(&t,
      "%%d = arith.addf %%v, %%v : tensor<3x90xf16>\n"
      "%%r:2 = scf.for %%i = %%c0 to %s step %%c1 iter_args(%%acc = %%d, %%old = %%v) -> "
      "(tensor<3x90xf16>, tensor<3x90xf16>) {\n",
      kept ? "%n" : "%most");
  put_tile(&t, "a", "f16", MOST + ROWS, COLS, COLS, 1, "%i", "%c0", ROWS, COLS);
  put_load(&t, "x", "a", "3x90xf16", "3x90");
  put(&t, "%%1 = arith.mulf %%acc, %%half : tensor<3x90xf16>\n"
          "%%2 = arith.addf %%1, %%x : tensor<3x90xf16>\n"
          "%%3 = arith.addf %%2, %%old : tensor<3x90xf16>\n"
          "scf.yield %%3, %%acc : tensor<3x90xf16>, tensor<3x90xf16>\n}\n");
  put_tile(&t, "b", "f16", ROWS, COLS, COLS, 1, "%c0", "%c0", ROWS, COLS);
  put_store(&t, "r#0", "b", "3x90xf16", "3x90");
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 3, MOST);
  uint32_t half = stp_num_from_double(STP_FMT_F16, 0.5);
  for (int n = kept ? 0 : MOST; n <= MOST; n++) {
    prepare(&b, n, 0, 0.25);
    assert_true(bench_run(&b, 1));
    for (size_t i = 0; i < ROWS * COLS; i++) {
      uint32_t old = get(&b, 1, i), acc = op2(STP_OP_VADD, STP_FMT_F16, old, old);
      for (int k = 0; k < n; k++) {
        uint32_t next = op2(STP_OP_VMUL, STP_FMT_F16, acc, half);
        next = op2(STP_OP_VADD, STP_FMT_F16, next, get(&b, 0, (size_t)k * COLS + i));
        next = op2(STP_OP_VADD, STP_FMT_F16, next, old);
        old = acc;
        acc = next;
      }
      assert_int_equal(get(&b, 2, i), acc);
    }
  }
  bench_close(&b);
}

static void carried(void **state) {
  (void)state;
  carry_from(false);
  carry_from(true);
  carry_of("f16", STP_FMT_F16, 4, 4, "0.0");
  carry_of("f16", STP_FMT_F16, 1, 1, "-1.5");
  carry_of("f32", STP_FMT_F32, 3, 3, "2.0");
}

/* c = a * w over %k, 8 at a time, then twice: the accumulators stay in PT, also if there is nothing
 * to add. The loop is in another one that runs %k / 8 + 1 times, the first of which adds nothing.
 */
static void product(void **state) {
  (void)state;
  enum { M = 9, N = 70, K = 40 };
  for (int negative = 0; negative < 2; negative++) {
    text_t t = {.n = 0};
    put_head(&t, "%a: index, %w: index, %c: index, %k: index", "1");
    put(&t,
        "%%c8 = arith.constant 8 : index\n%%c9 = arith.constant 9 : index\n"
        "%%c1 = arith.constant 1 : index\n%%end = arith.addi %%k, %%c1 : index\n"
        "%%zero = arith.constant dense<%s0.0> : tensor<9x70xf32>\n"
        "scf.for %%i = %%c0 to %%end step %%c8 {\n"
        "%%r = scf.for %%q = %%c0 to %%i step %%c8 iter_args(%%acc = %%zero) -> "
        "(tensor<9x70xf32>) {\n",
        negative ? "-" : "");
    put_tile(&t, "a", "f16", M, K, K, 1, "%c0", "%q", M, 8);
    put_tile(&t, "w", "f16", K, N, N, 1, "%q", "%c0", 8, N);
    put_load(&t, "x", "a", "9x8xf16", "9x8");
    put_load(&t, "y", "w", "8x70xf16", "8x70");
    put(&t, "%%s = linalg.matmul ins(%%x, %%y : tensor<9x8xf16>, tensor<8x70xf16>) outs(%%acc : "
            "tensor<9x70xf32>) -> tensor<9x70xf32>\nscf.yield %%s : tensor<9x70xf32>\n}\n"
            "%%at = arith.divui %%i, %%c8 : index\n%%row = arith.muli %%at, %%c9 : index\n");
    put_tile(&t, "c", "f32", (K / 8 + 1) * M, N, N, 1, "%row", "%c0", M, N);
    put_store(&t, "r", "c", "9x70xf32", "9x70");
    put(&t, "}\n");
    put_end(&t);
    bench_t b;
    start_kept(&b, &t, 3, K);
    for (int k = 0; k <= K; k += 8) {
      prepare(&b, k, (unsigned)k % 3 * 4, 1);
      assert_true(bench_run(&b, 1));
      for (size_t block = 0; block <= (size_t)k / 8; block++) {
        for (size_t i = 0; i < M; i++) {
          for (size_t j = 0; j < N; j++) {
            float acc = negative ? -0.0f : 0.0f;
            for (size_t q = 0; q < block * 8; q += 8) {
              float sum = 0;
              for (size_t x = q; x < q + 8; x++) {
                sum = fmaf(widen(STP_FMT_F16, get(&b, 0, i * K + x)),
                           widen(STP_FMT_F16, get(&b, 1, x * N + j)), sum);
              }
              acc = q ? acc + sum : sum;
            }
            assert_int_equal(get(&b, 2, (block * M + i) * N + j), as_bits(acc));
          }
        }
      }
    }
    bench_close(&b);
  }
}

/* ---- memory ------------------------------------------------------------------------------ */

/* for i to %n: row[i * to + 3] = 2 * row[i * from]: iterations meet in memory. */
static void in_place_of(int from, int to) {
  enum { COLS = 70, ALL = 64, MOST = 6 };
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %n: index", "1");
  put(&t,
      "%%c1 = arith.constant 1 : index\n%%c3 = arith.constant 3 : index\n"
      "%%fs = arith.constant %d : index\n%%ts = arith.constant %d : index\n"
      "scf.for %%i = %%c0 to %%n step %%c1 {\n%%1 = arith.muli %%i, %%fs : index\n"
      "%%2 = arith.muli %%i, %%ts : index\n%%3 = arith.addi %%2, %%c3 : index\n",
      from, to);
  put_tile(&t, "a", "f16", ALL, COLS, COLS, 1, "%1", "%c0", 3, COLS);
  put_load(&t, "x", "a", "3x70xf16", "3x70");
  put(&t, "%%y = arith.addf %%x, %%x : tensor<3x70xf16>\n");
  put(&t, "%%b_tile = ktdp.construct_access_tile %%a_view[%%3, %%c0] {\n"
          "  access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 2 >= 0, d1 >= 0, -d1 + 69 >= "
          "0)>,\n  access_tile_order = affine_map<(d0, d1) -> (d0, d1)>\n"
          "} : memref<64x70xf16> -> !ktdp.access_tile<3x70xindex>\n");
  put_store(&t, "y", "b", "3x70xf16", "3x70");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 1, MOST);
  for (int n = 0; n <= MOST; n++) {
    static uint16_t want[ALL * COLS];
    prepare(&b, n, 2, 0.001);
    memcpy(want, bench_buffer(&b, 0), (size_t)b.job->buffers[0].bytes);
    for (int i = 0; i < n; i++) {
      uint16_t tile[3 * COLS];
      memcpy(tile, want + i * from * COLS, sizeof tile);
      for (int k = 0; k < 3 * COLS; k++)
        tile[k] = (uint16_t)op2(STP_OP_VADD, STP_FMT_F16, tile[k], tile[k]);
      memcpy(want + (i * to + 3) * COLS, tile, sizeof tile);
    }
    assert_true(bench_run(&b, 1));
    assert_memory_equal(bench_buffer(&b, 0), want, (size_t)b.job->buffers[0].bytes);
  }
  bench_close(&b);
}

static void in_place(void **state) {
  (void)state;
  in_place_of(3, 3); /* each iteration reads what the one before wrote */
  in_place_of(1, 2);
  in_place_of(0, 3);
  in_place_of(4, 1);
}

/* Loops over a part of a part: for each tile t, i to %n - t, j from i to %n: y[j] = x[i] + x[j]. */
static void triangle(void **state) {
  (void)state;
  enum { COLS = 100, MOST = 7, TILES = 3 };
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index, %n: index", "3");
  put(&t,
      "%%c1 = arith.constant 1 : index\n%%rows = arith.constant %d : index\n"
      "%%id = ktdp.get_compute_tile_id : index\n%%end = arith.subi %%n, %%id : index\n"
      "scf.for %%i = %%c0 to %%end step %%c1 {\n",
      MOST);
  put_tile(&t, "x", "f16", MOST, COLS, COLS, 1, "%i", "%c0", 1, COLS);
  put_load(&t, "xi", "x", "1x100xf16", "1x100");
  put(&t, "scf.for %%j = %%i to %%n step %%c1 {\n");
  put(&t, "%%z_tile = ktdp.construct_access_tile %%x_view[%%j, %%c0] {\n"
          "  access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 >= 0, d1 >= 0, -d1 + 99 >= "
          "0)>,\n  access_tile_order = affine_map<(d0, d1) -> (d0, d1)>\n"
          "} : memref<7x100xf16> -> !ktdp.access_tile<1x100xindex>\n");
  put_load(&t, "xj", "z", "1x100xf16", "1x100");
  put(&t, "%%s = arith.addf %%xi, %%xj : tensor<1x100xf16>\n"
          "%%1 = arith.muli %%id, %%rows : index\n%%2 = arith.addi %%1, %%j : index\n");
  put_tile(&t, "y", "f16", MOST * TILES, COLS, COLS, 1, "%2", "%c0", 1, COLS);
  put_store(&t, "s", "y", "1x100xf16", "1x100");
  put(&t, "}\n}\n");
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 2, MOST);
  for (int n = 0; n <= MOST; n++) {
    prepare(&b, n, 0, 3);
    assert_true(bench_run(&b, 1));
    for (int id = 0; id < TILES; id++) {
      for (int j = 0; j < MOST; j++) {
        /* The last i that stored this row. */
        int i = j < n - id ? j : n - id - 1;
        for (int c = 0; c < COLS; c++) {
          uint32_t have = get(&b, 1, (size_t)((id * MOST + j) * COLS + c)),
                   want = BENCH_POISON << 8 | BENCH_POISON;
          if (j < n && i >= 0) {
            want = op2(STP_OP_VADD, STP_FMT_F16, get(&b, 0, (size_t)(i * COLS + c)),
                       get(&b, 0, (size_t)(j * COLS + c)));
          }
          assert_int_equal(have, want);
        }
      }
    }
  }
  bench_close(&b);
}

/* Scalars that the loop carries: rows are read in the order of (a, b) = (b, (3 a + b) mod 7) from
 * (1, 2) on, also in a loop inside that starts at a; the row of the last a is stored once more.
 * With `kept`, %n trips of it; else 6. */
static void scalars_of(bool kept, bool inner) {
  enum { COLS = 100, MOST = 6, ROWS = 8 };
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index, %z: index, %n: index", "2");
  put(&t,
      "%%c1 = arith.constant 1 : index\n%%c2 = arith.constant 2 : index\n"
      "%%c3 = arith.constant 3 : index\n%%c7 = arith.constant 7 : index\n"
      "%%most = arith.constant 6 : index\n%%id = ktdp.get_compute_tile_id : index\n"
      "%%base = arith.muli %%id, %%most : index\n"
      "%%r:3 = scf.for %%i = %%c0 to %s step %%c1 iter_args(%%a = %%c1, %%b = %%c2, %%at = "
      "%%base) -> (index, index, index) {\n",
      kept ? "%n" : "%most");
  put(&t, "%%1 = arith.muli %%a, %%c3 : index\n%%2 = arith.addi %%1, %%b : index\n"
          "%%3 = arith.remui %%2, %%c7 : index\n");
  if (inner) {
    put(&t, "%%q = scf.for %%j = %%c0 to %%c2 step %%c1 iter_args(%%s = %%a) -> (index) {\n"
            "%%4 = arith.addi %%s, %%c3 : index\n%%5 = arith.remui %%4, %%c7 : index\n"
            "scf.yield %%5 : index\n}\n");
  }
  put_tile(&t, "x", "f16", ROWS, COLS, COLS, 1, inner ? "%q" : "%a", "%c0", 1, COLS);
  put_tile(&t, "y", "f16", MOST * 2, COLS, COLS, 1, "%at", "%c0", 1, COLS);
  put_load(&t, "v", "x", "1x100xf16", "1x100");
  put(&t, "%%d = arith.addf %%v, %%v : tensor<1x100xf16>\n");
  put_store(&t, "d", "y", "1x100xf16", "1x100");
  put(&t, "%%next = arith.addi %%at, %%c1 : index\n"
          "scf.yield %%b, %%3, %%next : index, index, index\n}\n");
  put_tile(&t, "x", "f16", ROWS, COLS, COLS, 1, "%r#0", "%c0", 1, COLS);
  put_tile(&t, "z", "f16", 2, COLS, COLS, 1, "%id", "%c0", 1, COLS);
  put_load(&t, "last", "x", "1x100xf16", "1x100");
  put_store(&t, "last", "z", "1x100xf16", "1x100");
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 3, MOST);
  for (int n = kept ? 0 : MOST; n <= MOST; n++) {
    prepare(&b, n, 0, 3);
    assert_true(bench_run(&b, 1));
    for (int id = 0; id < 2; id++) {
      int a = 1, next = 2;
      for (int i = 0; i < n; i++) {
        int from = inner ? ((a + 3) % 7 + 3) % 7 : a, then = (3 * a + next) % 7;
        for (int c = 0; c < COLS; c++) {
          uint32_t x = get(&b, 0, (size_t)(from * COLS + c));
          assert_int_equal(get(&b, 1, (size_t)((id * MOST + i) * COLS + c)),
                           op2(STP_OP_VADD, STP_FMT_F16, x, x));
        }
        a = next;
        next = then;
      }
      for (int c = 0; c < COLS; c++)
        assert_int_equal(get(&b, 2, (size_t)(id * COLS + c)), get(&b, 0, (size_t)(a * COLS + c)));
    }
  }
  bench_close(&b);
}

static void scalars(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) scalars_of(i & 1, i & 2);
}

/* Two tiles; in each, for i to %n: an if gives a row number and a tensor, another one stores it
 * here or there, or nothing. */
static void branches(void **state) {
  (void)state;
  enum { COLS = 100, MOST = 7, TILES = 2 };
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index, %z: index, %n: index", "2");
  put(&t, "%%c1 = arith.constant 1 : index\n%%c2 = arith.constant 2 : index\n"
          "%%c3 = arith.constant 3 : index\n%%c7 = arith.constant 7 : index\n"
          "%%id = ktdp.get_compute_tile_id : index\n%%base = arith.muli %%id, %%c7 : index\n"
          "%%k = arith.constant dense<1.5> : tensor<1x100xf16>\n"
          "scf.for %%i = %%c0 to %%n step %%c1 {\n%%m = arith.remui %%i, %%c3 : index\n"
          "%%is0 = arith.cmpi eq, %%m, %%c0 : index\n%%is1 = arith.cmpi eq, %%m, %%c1 : index\n"
          "%%at = arith.addi %%base, %%i : index\n");
  put_tile(&t, "x", "f16", MOST * TILES, COLS, COLS, 1, "%at", "%c0", 1, COLS);
  put_load(&t, "v", "x", "1x100xf16", "1x100");
  put(&t, "%%r:2 = scf.if %%is0 -> (tensor<1x100xf16>, index) {\n"
          "%%d = arith.addf %%v, %%v : tensor<1x100xf16>\n"
          "scf.yield %%d, %%at : tensor<1x100xf16>, index\n} else {\n"
          "%%f = arith.mulf %%v, %%k : tensor<1x100xf16>\n"
          "%%less = arith.subi %%c7, %%i : index\n%%lesser = arith.subi %%less, %%c1 : index\n"
          "%%back = arith.addi %%base, %%lesser : index\n"
          "scf.yield %%f, %%back : tensor<1x100xf16>, index\n}\n"
          "%%odd = arith.remui %%i, %%c2 : index\n%%is = arith.cmpi eq, %%odd, %%c1 : index\n"
          "scf.if %%is {\n");
  put_tile(&t, "y", "f16", MOST * TILES, COLS, COLS, 1, "%r#1", "%c0", 1, COLS);
  put_store(&t, "r#0", "y", "1x100xf16", "1x100");
  put(&t, "} else {\nscf.if %%is1 {\n");
  put_tile(&t, "z", "f16", MOST * TILES, COLS, COLS, 1, "%r#1", "%c0", 1, COLS);
  put(&t, "%%s = arith.addf %%r#0, %%v : tensor<1x100xf16>\n");
  put_store(&t, "s", "z", "1x100xf16", "1x100");
  put(&t, "} else {\n%%none = arith.addf %%v, %%v : tensor<1x100xf16>\n}\n}\n}\n");
  put_end(&t);
  bench_t b;
  start_kept(&b, &t, 3, MOST);
  static uint16_t want[2][MOST * TILES * COLS];
  uint32_t k = stp_num_from_double(STP_FMT_F16, 1.5);
  for (int n = 0; n <= MOST; n++) {
    prepare(&b, n, 0, 3);
    memset(want, BENCH_POISON, sizeof want);
    for (int q = 0; q < TILES * n; q++) {
      int i = q % n, base = q / n * MOST, row = base + (i % 3 == 0 ? i : MOST - 1 - i);
      for (int c = 0; c < COLS; c++) {
        uint32_t x = get(&b, 0, (size_t)((base + i) * COLS + c));
        uint32_t r =
            i % 3 == 0 ? op2(STP_OP_VADD, STP_FMT_F16, x, x) : op2(STP_OP_VMUL, STP_FMT_F16, x, k);
        if (i % 2)
          want[0][row * COLS + c] = (uint16_t)r;
        else if (i % 3 == 1)
          want[1][row * COLS + c] = (uint16_t)op2(STP_OP_VADD, STP_FMT_F16, r, x);
      }
    }
    assert_true(bench_run(&b, 1));
    assert_memory_equal(bench_buffer(&b, 1), want[0], sizeof want[0]);
    assert_memory_equal(bench_buffer(&b, 2), want[1], sizeof want[1]);
  }
  bench_close(&b);
}

/* ---- checks on the machine --------------------------------------------------------------- */

/* Row %n of 8: in range it is copied, else MNI traps at the load; also if nothing uses what is
 * loaded. */
static void out_of_range(void **state) {
  (void)state;
  for (int used = 0; used < 2; used++) {
    text_t t = {.n = 0};
    put_head(&t, "%x: index, %y: index, %n: index", "1");
    put_tile(&t, "x", "f16", 8, 100, 100, 1, "%n", "%c0", 2, 100);
    put_tile(&t, "y", "f16", 2, 100, 100, 1, "%c0", "%c0", 2, 100);
    put_load(&t, "v", "x", "2x100xf16", "2x100");
    if (!used) put(&t, "%%u = arith.constant dense<1.0> : tensor<2x100xf16>\n");
    put_store(&t, used ? "v" : "u", "y", "2x100xf16", "2x100");
    put_end(&t);
    bench_t b;
    start_kept(&b, &t, 2, 6);
    for (int n = -2; n <= 9; n++) {
      prepare(&b, n, 0, 3);
      bool right = n >= 0 && n <= 6;
      b.quiet = !right;
      assert_int_equal(bench_run(&b, 1), right);
      if (!right) assert_int_equal(b.cause, STP_CAUSE_TRAPIF);
      for (size_t i = 0; right && used && i < 200; i++)
        assert_int_equal(get(&b, 1, i), get(&b, 0, (size_t)n * 100 + i));
    }
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(carried),  cmocka_unit_test(product),      cmocka_unit_test(in_place),
      cmocka_unit_test(triangle), cmocka_unit_test(out_of_range), cmocka_unit_test(scalars),
      cmocka_unit_test(branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
