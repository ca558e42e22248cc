/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler can do beyond the project's kernels: shapes of products, expressions, formats,
 * rows. Every kernel is written by the test, run on the C model, and compared bit for bit with
 * plain C.
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

/* ---- products ---------------------------------------------------------------------------------
 */

/* One tile of m x k by k x n; `out` f32, f16 or bf16. */
static void product_of(int m, int n, int k, const char *in, const char *out, unsigned skew) {
  text_t t = {.n = 0};
  char as[64], ws[64], cs[64], at[64], wt[64], ct[64];
  unsigned fin = in[0] == 'b' ? STP_FMT_BF16 : STP_FMT_F16,
           fout = out[0] == 'b' ? STP_FMT_BF16 : STP_FMT_F16;
  put_head(&t, "%a: index, %w: index, %c: index", "1");
  put_tile(&t, "a", in, m, k, k, 1, "%c0", "%c0", m, k);
  put_tile(&t, "w", in, k, n, n, 1, "%c0", "%c0", k, n);
  put_tile(&t, "c", out, m, n, n, 1, "%c0", "%c0", m, n);
  snprintf(as, sizeof as, "%dx%dx%s", m, k, in);
  snprintf(ws, sizeof ws, "%dx%dx%s", k, n, in);
  snprintf(cs, sizeof cs, "%dx%dx%s", m, n, out);
  snprintf(at, sizeof at, "%dx%d", m, k);
  snprintf(wt, sizeof wt, "%dx%d", k, n);
  snprintf(ct, sizeof ct, "%dx%d", m, n);
  put_load(&t, "x", "a", as, at);
  put_load(&t, "y", "w", ws, wt);
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<%s>\n", cs);
  put(&t,
      "%%r = linalg.matmul ins(%%x, %%y : tensor<%s>, tensor<%s>) outs(%%zero : tensor<%s>) -> "
      "tensor<%s>\n",
      as, ws, cs, cs);
  put_store(&t, "r", "c", cs, ct);
  put_end(&t);
  bench_t b;
  start(&b, &t, skew, 1);
  assert_true(bench_run(&b, 1));
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      float acc = 0;
      for (int q = 0; q < k; q += 8) {
        float sum = 0;
        for (int x = q; x < q + 8 && x < k; x++) {
          sum = fmaf(widen(fin, get(&b, 0, (size_t)(i * k + x))),
                     widen(fin, get(&b, 1, (size_t)(x * n + j))), sum);
        }
        acc += sum;
      }
      uint32_t want = out[0] == 'f' && out[1] == '3' ? as_bits(acc) : narrow(fout, acc);
      assert_int_equal(get(&b, 2, (size_t)(i * n + j)), want);
    }
  }
  bench_close(&b);
}

static void product_shapes(void **state) {
  (void)state;
  static const int dims[][3] = {{64, 64, 64},   {1, 1, 1},    {1, 64, 8},    {2, 3, 5},
                                {5, 3, 7},      {63, 65, 9},  {64, 128, 64}, {33, 100, 130},
                                {128, 64, 200}, {7, 500, 64}, {16, 16, 512}};
  for (unsigned i = 0; i < sizeof dims / sizeof dims[0]; i++) {
    product_of(dims[i][0], dims[i][1], dims[i][2], "f16", i % 2 ? "f32" : "f16", i % 3 * 2);
  }
  product_of(40, 70, 90, "bf16", "f32", 0);
  product_of(40, 70, 90, "bf16", "bf16", 6);
}

/* A product, then an expression of it, a loaded tile and a bias for every row. */
static void epilogue(void **state) {
  (void)state;
  enum { M = 37, N = 70, K = 20 };
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %w: index, %d: index, %e: index, %c: index, %f: index", "1");
  put_tile(&t, "a", "f16", M, K, K, 1, "%c0", "%c0", M, K);
  put_tile(&t, "w", "f16", K, N, N, 1, "%c0", "%c0", K, N);
  put_tile(&t, "d", "f16", M, N, N, 1, "%c0", "%c0", M, N);
  put_vector(&t, "e", "f16", N);
  put_tile(&t, "c", "f16", M, N, N, 1, "%c0", "%c0", M, N);
  put_tile(&t, "f", "f16", M, N, N, 1, "%c0", "%c0", M, N);
  put_load(&t, "x", "a", "37x20xf16", "37x20");
  put_load(&t, "y", "w", "20x70xf16", "20x70");
  put_load(&t, "z", "d", "37x70xf16", "37x70");
  put_load(&t, "bias", "e", "70xf16", "70");
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<37x70xf16>\n"
          "%%r = linalg.matmul ins(%%x, %%y : tensor<37x20xf16>, tensor<20x70xf16>) outs(%%zero : "
          "tensor<37x70xf16>) -> "
          "tensor<37x70xf16>\n"
          "%%s = arith.addf %%r, %%z : tensor<37x70xf16>\n"
          "%%u = arith.maximumf %%s, %%zero : tensor<37x70xf16>\n"
          "%%wide = tensor.empty() : tensor<37x70xf16>\n"
          "%%rows = linalg.broadcast ins(%%bias : tensor<70xf16>) outs(%%wide : tensor<37x70xf16>) "
          "dimensions = [0]\n"
          "%%v = arith.mulf %%u, %%rows : tensor<37x70xf16>\n");
  put_store(&t, "u", "c", "37x70xf16", "37x70");
  put_store(&t, "v", "f", "37x70xf16", "37x70");
  put_end(&t);
  bench_t b;
  start(&b, &t, 10, 1);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < M; i++) {
    for (size_t j = 0; j < N; j++) {
      float acc = 0;
      for (size_t q = 0; q < K; q += 8) {
        float sum = 0;
        for (size_t x = q; x < q + 8 && x < K; x++) {
          sum = fmaf(widen(STP_FMT_F16, get(&b, 0, i * K + x)),
                     widen(STP_FMT_F16, get(&b, 1, x * N + j)), sum);
        }
        acc += sum;
      }
      uint32_t u = op2(STP_OP_VADD, STP_FMT_F16, narrow(STP_FMT_F16, acc), get(&b, 2, i * N + j));
      u = op2(STP_OP_VMAX, STP_FMT_F16, u, 0);
      assert_int_equal(get(&b, 4, i * N + j), u);
      assert_int_equal(get(&b, 5, i * N + j), op2(STP_OP_VMUL, STP_FMT_F16, u, get(&b, 3, j)));
    }
  }
  bench_close(&b);
}

/* ---- expressions ------------------------------------------------------------------------------
 */

/* exp(-|x| * 0.5) where x < y, else sqrt((x - y) / 3): constants, selection, several uses of an
 * input. */
static void expression_of(const char *elem, unsigned fmt, int rows, int cols, unsigned skew) {
  text_t t = {.n = 0};
  char shape[64], access[64], args[64];
  snprintf(shape, sizeof shape, "%dx%dx%s", rows, cols, elem);
  snprintf(access, sizeof access, "%dx%d", rows, cols);
  snprintf(args, sizeof args, "%%a: index, %%b: index, %%c: index");
  put_head(&t, args, "3");
  put(&t,
      "%%id = ktdp.get_compute_tile_id : index\n%%rows = arith.constant %d : index\n"
      "%%row = arith.muli %%id, %%rows : index\n",
      rows);
  for (const char *n = "abc"; *n; n++) {
    char name[2] = {*n, 0};
    put_tile(&t, name, elem, 3 * rows, cols, cols, 1, "%row", "%c0", rows, cols);
  }
  put_load(&t, "x", "a", shape, access);
  put_load(&t, "y", "b", shape, access);
  put(&t,
      "%%half = arith.constant dense<0.5> : tensor<%s>\n%%three = arith.constant dense<3.0> : "
      "tensor<%s>\n"
      "%%1 = math.absf %%x : tensor<%s>\n%%2 = arith.negf %%1 : tensor<%s>\n%%3 = arith.mulf %%2, "
      "%%half : tensor<%s>\n"
      "%%4 = math.exp %%3 : tensor<%s>\n%%5 = arith.subf %%x, %%y : tensor<%s>\n%%6 = arith.divf "
      "%%5, %%three : tensor<%s>\n"
      "%%s = math.sqrt %%6 : tensor<%s>\n%%7 = arith.cmpf olt, %%x, %%y : tensor<%s>\n"
      "%%8 = arith.select %%7, %%4, %%s : tensor<%dx%dxi1>, tensor<%s>\n",
      shape, shape, shape, shape, shape, shape, shape, shape, shape, shape, rows, cols, shape);
  put_store(&t, "8", "c", shape, access);
  put_end(&t);
  bench_t b;
  start(&b, &t, skew, 4);
  assert_true(bench_run(&b, 2));
  uint32_t half = stp_num_from_double(fmt, 0.5), three = stp_num_from_double(fmt, 3),
           sign = fmt == STP_FMT_F32 ? 1u << 31 : 1u << 15;
  for (size_t i = 0; i < (size_t)(3 * rows * cols); i++) {
    uint32_t x = get(&b, 0, i), y = get(&b, 1, i);
    uint32_t e =
        op3(STP_OP_VFUNC, STP_VFUNC_EXP, fmt, 0, op2(STP_OP_VMUL, fmt, x | sign, half), 0, 0);
    uint32_t d = op2(STP_OP_VDIV, fmt, op2(STP_OP_VSUB, fmt, x, y), three);
    uint32_t s = op3(STP_OP_VSQRT, 0, fmt, 0, d, 0, 0);
    assert_int_equal(get(&b, 2, i), op3(STP_OP_VCMP, STP_VCMP_OLT, fmt, 0, x, y, 0) ? e : s);
  }
  bench_close(&b);
}

static void expressions(void **state) {
  (void)state;
  expression_of("f16", STP_FMT_F16, 1, 1, 0);
  expression_of("f16", STP_FMT_F16, 1, 700, 2);
  expression_of("f16", STP_FMT_F16, 7, 64, 4);
  expression_of("bf16", STP_FMT_BF16, 5, 190, 0);
  expression_of("f32", STP_FMT_F32, 6, 33, 4);
  expression_of("f32", STP_FMT_F32, 1, 4000, 12);
}

/* Every function, as a math op and as a named op where there is one; linalg.square reads its
 * operand twice. */
static void functions(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned op, fn;
  } list[] = {
      {"math.exp", STP_OP_VFUNC, STP_VFUNC_EXP},
      {"math.exp2", STP_OP_VFUNC, STP_VFUNC_EXP2},
      {"math.log", STP_OP_VFUNC, STP_VFUNC_LOG},
      {"math.log2", STP_OP_VFUNC, STP_VFUNC_LOG2},
      {"math.sqrt", STP_OP_VSQRT, 0},
      {"math.rsqrt", STP_OP_VFUNC, STP_VFUNC_RSQRT},
      {"math.tanh", STP_OP_VFUNC, STP_VFUNC_TANH},
      {"math.erf", STP_OP_VFUNC, STP_VFUNC_ERF},
      {"math.sin", STP_OP_VFUNC, STP_VFUNC_SIN},
      {"math.cos", STP_OP_VFUNC, STP_VFUNC_COS},
      {"linalg.exp", STP_OP_VFUNC, STP_VFUNC_EXP},
      {"linalg.log", STP_OP_VFUNC, STP_VFUNC_LOG},
      {"linalg.sqrt", STP_OP_VSQRT, 0},
      {"linalg.rsqrt", STP_OP_VFUNC, STP_VFUNC_RSQRT},
      {"linalg.tanh", STP_OP_VFUNC, STP_VFUNC_TANH},
      {"linalg.erf", STP_OP_VFUNC, STP_VFUNC_ERF},
      {"linalg.reciprocal", STP_OP_VFUNC, STP_VFUNC_RECIPROCAL},
      {"linalg.square", STP_OP_VMUL, 0},
  };
  static const char *const elems[] = {"f16", "bf16", "f32"};
  static const unsigned fmts[] = {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32};
  for (unsigned k = 0; k < 3 * sizeof list / sizeof list[0]; k++) {
    const unsigned o = k / 3, fmt = fmts[k % 3];
    text_t t = {.n = 0};
    char shape[32];
    snprintf(shape, sizeof shape, "3x70x%s", elems[k % 3]);
    put_head(&t, "%a: index, %b: index", "1");
    put_tile(&t, "a", elems[k % 3], 3, 70, 70, 1, "%c0", "%c0", 3, 70);
    put_tile(&t, "b", elems[k % 3], 3, 70, 70, 1, "%c0", "%c0", 3, 70);
    put_load(&t, "x", "a", shape, "3x70");
    if (list[o].name[0] == 'm')
      put(&t, "%%r = %s %%x : tensor<%s>\n", list[o].name, shape);
    else
      put(&t,
          "%%e = tensor.empty() : tensor<%s>\n%%r = %s ins(%%x : tensor<%s>) outs(%%e : "
          "tensor<%s>) "
          "-> tensor<%s>\n",
          shape, list[o].name, shape, shape, shape);
    put_store(&t, "r", "b", shape, "3x70");
    put_end(&t);
    bench_t b;
    start(&b, &t, 0, 4);
    assert_true(bench_run(&b, 1));
    for (size_t i = 0; i < 210; i++) {
      const uint32_t x = get(&b, 0, i);
      assert_int_equal(get(&b, 1, i), op3(list[o].op, list[o].fn, fmt, 0, x, x, 0));
    }
    bench_close(&b);
  }
}

/* f16 to f32 and back: values of two widths in one expression. */
static void mixed_widths(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %b: index, %c: index, %d: index", "1");
  put_tile(&t, "a", "f16", 9, 100, 100, 1, "%c0", "%c0", 9, 100);
  put_tile(&t, "b", "f32", 9, 100, 100, 1, "%c0", "%c0", 9, 100);
  put_tile(&t, "c", "bf16", 9, 100, 100, 1, "%c0", "%c0", 9, 100);
  put_tile(&t, "d", "f32", 9, 100, 100, 1, "%c0", "%c0", 9, 100);
  put_load(&t, "x", "a", "9x100xf16", "9x100");
  put_load(&t, "y", "b", "9x100xf32", "9x100");
  put(&t, "%%1 = arith.extf %%x : tensor<9x100xf16> to tensor<9x100xf32>\n%%2 = arith.mulf %%1, "
          "%%y : tensor<9x100xf32>\n"
          "%%3 = arith.truncf %%2 : tensor<9x100xf32> to tensor<9x100xbf16>\n");
  put_store(&t, "3", "c", "9x100xbf16", "9x100");
  put_store(&t, "2", "d", "9x100xf32", "9x100");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 100);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < 900; i++) {
    float v = widen(STP_FMT_F16, get(&b, 0, i)) * as_float(get(&b, 1, i));
    assert_int_equal(get(&b, 2, i), narrow(STP_FMT_BF16, v));
    assert_int_equal(get(&b, 3, i), as_bits(v));
  }
  bench_close(&b);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* Sum (from a start value), maximum and minimum of rows, stored as vectors, and x - sum. */
static void reductions_of(const char *elem, unsigned fmt, int rows, int cols, const char *begin,
                          double begin_value) {
  text_t t = {.n = 0};
  char shape[64], access[64], vec[64], vaccess[64];
  snprintf(shape, sizeof shape, "%dx%dx%s", rows, cols, elem);
  snprintf(access, sizeof access, "%dx%d", rows, cols);
  snprintf(vec, sizeof vec, "%dx%s", rows, elem);
  snprintf(vaccess, sizeof vaccess, "%d", rows);
  put_head(&t, "%a: index, %b: index, %c: index, %d: index, %e: index", "1");
  put_tile(&t, "a", elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  put_vector(&t, "b", elem, rows);
  put_vector(&t, "c", elem, rows);
  put_vector(&t, "d", elem, rows);
  put_tile(&t, "e", elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  put_load(&t, "x", "a", shape, access);
  put(&t, "%%s0 = arith.constant dense<%s> : tensor<%s>\n", begin, vec);
  static const char *const ops[] = {"addf", "maximumf", "minnumf"};
  for (int i = 0; i < 3; i++) {
    put(&t,
        "%%r%d = linalg.reduce { arith.%s } ins(%%x : tensor<%s>) outs(%%s0 : tensor<%s>) "
        "dimensions = [1]\n",
        i, ops[i], shape, vec);
  }
  put(&t,
      "%%wide = tensor.empty() : tensor<%s>\n%%rows = linalg.broadcast ins(%%r0 : tensor<%s>) "
      "outs(%%wide : tensor<%s>) "
      "dimensions = [1]\n%%y = arith.subf %%x, %%rows : tensor<%s>\n%%n = arith.negf %%r2 : "
      "tensor<%s>\n",
      shape, vec, shape, shape, vec);
  put_store(&t, "r0", "b", vec, vaccess);
  put_store(&t, "r1", "c", vec, vaccess);
  put_store(&t, "n", "d", vec, vaccess);
  put_store(&t, "y", "e", shape, access);
  put_end(&t);
  bench_t b;
  start(&b, &t, 4, 10);
  assert_true(bench_run(&b, 1));
  uint32_t s0 = stp_num_from_double(fmt, begin_value), *x = malloc((size_t)cols * sizeof *x);
  for (size_t r = 0; r < (size_t)rows; r++) {
    uint32_t max = s0, min = s0;
    for (size_t i = 0; i < (size_t)cols; i++) {
      x[i] = get(&b, 0, r * (size_t)cols + i);
      max = op2(STP_OP_VMAX, fmt, max, x[i]);
      min = op2(STP_OP_VMINNUM, fmt, min, x[i]);
    }
    float f = (float)begin_value + row_sum(fmt, x, (size_t)cols);
    uint32_t sum = fmt == STP_FMT_F32 ? as_bits(f) : narrow(fmt, f);
    assert_int_equal(get(&b, 1, r), sum);
    assert_int_equal(get(&b, 2, r), max);
    assert_int_equal(get(&b, 3, r), min ^ (fmt == STP_FMT_F32 ? 1u << 31 : 1u << 15));
    for (size_t i = 0; i < (size_t)cols; i++) {
      assert_int_equal(get(&b, 4, r * (size_t)cols + i), op2(STP_OP_VSUB, fmt, x[i], sum));
    }
  }
  free(x);
  bench_close(&b);
}

static void reductions(void **state) {
  (void)state;
  reductions_of("f16", STP_FMT_F16, 5, 1000, "0.0", 0);
  reductions_of("f16", STP_FMT_F16, 1, 64, "1.5", 1.5);
  reductions_of("bf16", STP_FMT_BF16, 6, 3, "-2.0", -2);
  reductions_of("f32", STP_FMT_F32, 3, 500, "0.0", 0);
  reductions_of("f32", STP_FMT_F32, 2, 65, "0.25", 0.25);
  reductions_of("f16", STP_FMT_F16, 2, 4000, "0.0", 0);
}

/* Sums of rows of two lengths in one expression: c = sum(a) + sum(b), d = b * sum(a). */
static void row_lengths_of(const char *elem, unsigned fmt, int rows, int a_cols, int b_cols) {
  text_t t = {.n = 0};
  char vec[64], vaccess[64], b_shape[64], b_access[64];
  snprintf(vec, sizeof vec, "%dx%s", rows, elem);
  snprintf(vaccess, sizeof vaccess, "%d", rows);
  snprintf(b_shape, sizeof b_shape, "%dx%dx%s", rows, b_cols, elem);
  snprintf(b_access, sizeof b_access, "%dx%d", rows, b_cols);
  put_head(&t, "%a: index, %b: index, %c: index, %d: index", "1");
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<%s>\n", vec);
  for (int i = 0; i < 2; i++) {
    char name[2] = {(char)('a' + i), 0}, sum[3] = {'s', (char)('a' + i), 0}, shape[64], access[64];
    int cols = i ? b_cols : a_cols;
    snprintf(shape, sizeof shape, "%dx%dx%s", rows, cols, elem);
    snprintf(access, sizeof access, "%dx%d", rows, cols);
    put_tile(&t, name, elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
    put_load(&t, i ? "y" : "x", name, shape, access);
    put(&t,
        "%%%s = linalg.reduce { arith.addf } ins(%%%s : tensor<%s>) outs(%%zero : tensor<%s>) "
        "dimensions = [1]\n",
        sum, i ? "y" : "x", shape, vec);
  }
  put_vector(&t, "c", elem, rows);
  put_tile(&t, "d", elem, rows, b_cols, b_cols, 1, "%c0", "%c0", rows, b_cols);
  put(&t,
      "%%both = arith.addf %%sa, %%sb : tensor<%s>\n%%wide = tensor.empty() : tensor<%s>\n"
      "%%spread = linalg.broadcast ins(%%sa : tensor<%s>) outs(%%wide : tensor<%s>) "
      "dimensions = [1]\n%%z = arith.mulf %%y, %%spread : tensor<%s>\n",
      vec, b_shape, vec, b_shape, b_shape);
  put_store(&t, "both", "c", vec, vaccess);
  put_store(&t, "z", "d", b_shape, b_access);
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 1);
  assert_true(bench_run(&b, 1));
  uint32_t row[512], sum[2];
  for (size_t r = 0; r < (size_t)rows; r++) {
    for (unsigned i = 0; i < 2; i++) {
      size_t cols = (size_t)(i ? b_cols : a_cols);
      for (size_t k = 0; k < cols; k++) row[k] = get(&b, i, r * cols + k);
      float f = row_sum(fmt, row, cols);
      sum[i] = fmt == STP_FMT_F32 ? as_bits(f) : narrow(fmt, f);
    }
    assert_int_equal(get(&b, 2, r), op2(STP_OP_VADD, fmt, sum[0], sum[1]));
    for (size_t k = 0; k < (size_t)b_cols; k++) {
      assert_int_equal(get(&b, 3, r * (size_t)b_cols + k), op2(STP_OP_VMUL, fmt, row[k], sum[0]));
    }
  }
  bench_close(&b);
}

static void row_lengths(void **state) {
  (void)state;
  row_lengths_of("f16", STP_FMT_F16, 5, 128, 64);
  row_lengths_of("f16", STP_FMT_F16, 4, 64, 320);
  row_lengths_of("f16", STP_FMT_F16, 3, 100, 192);
  row_lengths_of("f32", STP_FMT_F32, 4, 64, 100);
}

/* A loaded value for every row. */
static void row_splat(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%a: index, %b: index, %c: index", "1");
  put_tile(&t, "a", "f16", 11, 130, 130, 1, "%c0", "%c0", 11, 130);
  put_vector(&t, "b", "f16", 11);
  put_tile(&t, "c", "f16", 11, 130, 130, 1, "%c0", "%c0", 11, 130);
  put_load(&t, "x", "a", "11x130xf16", "11x130");
  put_load(&t, "s", "b", "11xf16", "11");
  put(&t, "%%wide = tensor.empty() : tensor<11x130xf16>\n"
          "%%m = linalg.broadcast ins(%%s : tensor<11xf16>) outs(%%wide : tensor<11x130xf16>) "
          "dimensions = [1]\n"
          "%%y = arith.mulf %%x, %%m : tensor<11x130xf16>\n");
  put_store(&t, "y", "c", "11x130xf16", "11x130");
  put_end(&t);
  bench_t b;
  start(&b, &t, 2, 3);
  assert_true(bench_run(&b, 1));
  for (size_t i = 0; i < 11 * 130; i++) {
    assert_int_equal(get(&b, 2, i),
                     op2(STP_OP_VMUL, STP_FMT_F16, get(&b, 0, i), get(&b, 1, i / 130)));
  }
  bench_close(&b);
}

/* Values that are the same along the row, stored over the whole row: a broadcast reduction, an
 * operation on it, a broadcast of loaded values, an expression of constants. */
static void spread_of(const char *elem, unsigned fmt, int rows, int cols) {
  text_t t = {.n = 0};
  char shape[64], access[64], vec[64], vaccess[64];
  snprintf(shape, sizeof shape, "%dx%dx%s", rows, cols, elem);
  snprintf(access, sizeof access, "%dx%d", rows, cols);
  snprintf(vec, sizeof vec, "%dx%s", rows, elem);
  snprintf(vaccess, sizeof vaccess, "%d", rows);
  put_head(&t, "%a: index, %b: index, %c: index, %d: index, %e: index, %f: index", "1");
  put_tile(&t, "a", elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  put_vector(&t, "b", elem, rows);
  static const char *const outs[] = {"c", "d", "e", "f"};
  for (int i = 0; i < 4; i++) {
    put_tile(&t, outs[i], elem, rows, cols, cols, 1, "%c0", "%c0", rows, cols);
  }
  put_load(&t, "x", "a", shape, access);
  put_load(&t, "s", "b", vec, vaccess);
  put(&t,
      "%%zero = arith.constant dense<0.0> : tensor<%s>\n%%wide = tensor.empty() : tensor<%s>\n"
      "%%two = arith.constant dense<2.0> : tensor<%s>\n"
      "%%sum = linalg.reduce { arith.addf } ins(%%x : tensor<%s>) outs(%%zero : tensor<%s>) "
      "dimensions = [1]\n",
      vec, shape, shape, shape, vec);
  put(&t,
      "%%r0 = linalg.broadcast ins(%%sum : tensor<%s>) outs(%%wide : tensor<%s>) dimensions = [1]\n"
      "%%r1 = arith.negf %%r0 : tensor<%s>\n"
      "%%r2 = linalg.broadcast ins(%%s : tensor<%s>) outs(%%wide : tensor<%s>) dimensions = [1]\n"
      "%%r3 = arith.mulf %%two, %%two : tensor<%s>\n",
      vec, shape, shape, vec, shape, shape);
  static const char *const values[] = {"r0", "r1", "r2", "r3"};
  for (int i = 0; i < 4; i++) put_store(&t, values[i], outs[i], shape, access);
  put_end(&t);
  bench_t b;
  start(&b, &t, 2, 10);
  assert_true(bench_run(&b, 1));
  const uint32_t four = stp_num_from_double(fmt, 4);
  uint32_t *x = malloc((size_t)cols * sizeof *x);
  for (size_t r = 0; r < (size_t)rows; r++) {
    for (size_t i = 0; i < (size_t)cols; i++) x[i] = get(&b, 0, r * (size_t)cols + i);
    const float f = row_sum(fmt, x, (size_t)cols);
    const uint32_t sum = fmt == STP_FMT_F32 ? as_bits(f) : narrow(fmt, f);
    for (size_t i = r * (size_t)cols; i < (r + 1) * (size_t)cols; i++) {
      assert_int_equal(get(&b, 2, i), sum);
      assert_int_equal(get(&b, 3, i), sum ^ (fmt == STP_FMT_F32 ? 1u << 31 : 1u << 15));
      assert_int_equal(get(&b, 4, i), get(&b, 1, r));
      assert_int_equal(get(&b, 5, i), four);
    }
  }
  free(x);
  bench_close(&b);
}

static void spread(void **state) {
  (void)state;
  spread_of("f16", STP_FMT_F16, 16, 64);
  spread_of("bf16", STP_FMT_BF16, 3, 130);
  spread_of("f32", STP_FMT_F32, 5, 200);
}

/* ---- job files ----------------------------------------------------------------------------------
 */

static void job_file(void **state) {
  (void)state;
  bench_t b;
  assert_true(bench_compile(&b, KERNELS "/matmul_37x129x75.mlir", -1, 0, false));
  uint8_t *data, *again;
  size_t len, len_again;
  char err[256];
  stp_job_t *copy;
  assert_int_equal(stp_job_save(b.job, &data, &len, err, sizeof err), 0);
  assert_int_equal(stp_job_load(data, len, &copy, err, sizeof err), 0);
  assert_int_equal(stp_job_save(copy, &again, &len_again, err, sizeof err), 0);
  assert_int_equal(len, len_again);
  assert_memory_equal(data, again, len);
  assert_string_equal(copy->kernel, "matmul_37x129x75");
  assert_int_equal(copy->buffers[2].dir, STP_JOB_WRITTEN);
  assert_non_null(stp_job_find_line(copy, STP_UNIT_MNI_LU, b.job->programs[0].count / 2));
  stp_job_free(copy);
  /* Every prefix is refused, and no byte can make the reader crash. */
  for (size_t n = 0; n < len; n++) {
    assert_int_equal(stp_job_load(data, n, &copy, err, sizeof err), -1);
    assert_true(err[0] != 0);
  }
  uint32_t x = 12345;
  for (int i = 0; i < 20000; i++) {
    memcpy(again, data, len);
    for (int k = 0; k < 1 + i % 3; k++) {
      x = x * 1664525u + 1013904223u;
      again[(x >> 8) % (i % 2 ? len : 256)] = (uint8_t)(x >> 3);
    }
    if (stp_job_load(again, len, &copy, err, sizeof err) == 0) stp_job_free(copy);
  }
  free(data);
  free(again);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(product_shapes), cmocka_unit_test(epilogue),
      cmocka_unit_test(expressions),    cmocka_unit_test(functions),
      cmocka_unit_test(mixed_widths),   cmocka_unit_test(reductions),
      cmocka_unit_test(row_splat),      cmocka_unit_test(spread),
      cmocka_unit_test(job_file),       cmocka_unit_test(row_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
