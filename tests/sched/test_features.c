/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler can do beyond the project's kernels: shapes of products, expressions, formats,
 * layouts, loops with stores. Every kernel is written by the test, run on the C model, and compared
 * bit for bit with plain C.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"
#include "numerics.h"
#include "stp_isa.h"

/* ---- writing kernels --------------------------------------------------------------------------
 */

typedef struct text {
  char s[16384];
  int n;
} text_t;

static void put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_t *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  t->n += vsnprintf(t->s + t->n, sizeof t->s - (size_t)t->n, format, args);
  va_end(args);
  assert_true(t->n < (int)sizeof t->s);
}

/* View and access tile of a rows x cols matrix on argument `name`; tile of tr x tc at [row, col]
 * (SSA names). */
static void put_tile(text_t *t, const char *name, const char *elem, int rows, int cols, int pitch,
                     int step, const char *row, const char *col, int tr, int tc) {
  put(t,
      "%%%s_view = ktdp.construct_memory_view %%%s, sizes: [%d, %d], strides: [%d, %d] {\n"
      "  coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
      "0)>,\n"
      "  memory_space = #ktdp.spyre_memory_space<HBM>\n} : memref<%dx%dx%s>\n",
      name, name, rows, cols, pitch, step, rows - 1, cols - 1, rows, cols, elem);
  put(t,
      "%%%s_tile = ktdp.construct_access_tile %%%s_view[%s, %s] {\n"
      "  access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
      "0)>,\n"
      "  access_tile_order = affine_map<(d0, d1) -> (d0, d1)>\n"
      "} : memref<%dx%dx%s> -> !ktdp.access_tile<%dx%dxindex>\n",
      name, name, row, col, tr - 1, tc - 1, rows, cols, elem, tr, tc);
}

static void put_vector(text_t *t, const char *name, const char *elem, int size) {
  put(t,
      "%%%s_view = ktdp.construct_memory_view %%%s, sizes: [%d], strides: [1] {\n"
      "  coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + %d >= 0)>,\n"
      "  memory_space = #ktdp.spyre_memory_space<HBM>\n} : memref<%dx%s>\n"
      "%%%s_tile = ktdp.construct_access_tile %%%s_view[%%c0] {\n"
      "  access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + %d >= 0)>,\n"
      "  access_tile_order = affine_map<(d0) -> (d0)>\n"
      "} : memref<%dx%s> -> !ktdp.access_tile<%dxindex>\n",
      name, name, size, size - 1, size, elem, name, name, size - 1, size, elem, size);
}

static void put_load(text_t *t, const char *value, const char *name, const char *shape,
                     const char *access) {
  put(t, "%%%s = ktdp.load %%%s_tile : !ktdp.access_tile<%sxindex> -> tensor<%s>\n", value, name,
      access, shape);
}

static void put_store(text_t *t, const char *value, const char *name, const char *shape,
                      const char *access) {
  put(t, "ktdp.store %%%s, %%%s_tile : tensor<%s>, !ktdp.access_tile<%sxindex>\n", value, name,
      shape, access);
}

static void put_head(text_t *t, const char *args, const char *grid) {
  put(t, "module {\nfunc.func @k(%s) attributes {grid = [%s]} {\n%%c0 = arith.constant 0 : index\n",
      args, grid);
}

static void put_end(text_t *t) {
  put(t, "return\n}\n}\n");
}

static void start(bench_t *b, const text_t *t, unsigned skew, double scale) {
  if (!bench_compile_text(b, "kernel.mlir", t->s, -1, 0, false)) {
    fprintf(stderr, "%s\n", t->s);
    fail();
  }
  bench_place(b, skew);
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    if (b->job->buffers[i].dir & STP_JOB_READ) bench_random(b, i, i + 7, scale);
  }
}

/* ---- values -----------------------------------------------------------------------------------
 */

static uint32_t get(bench_t *b, unsigned buffer, size_t i) {
  unsigned bytes = stp_job_elem_bytes(b->job->buffers[buffer].elem);
  uint32_t v = 0;
  memcpy(&v, bench_buffer(b, buffer) + i * bytes, bytes);
  return v;
}

static uint32_t op3(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t x, uint32_t y,
                    uint32_t z) {
  return stp_num_exact()->op(op, fn, fmt, sfmt, x, y, z);
}

static uint32_t op2(unsigned op, unsigned fmt, uint32_t x, uint32_t y) {
  return op3(op, 0, fmt, 0, x, y, 0);
}

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t v;
  memcpy(&v, &f, 4);
  return v;
}

static float widen(unsigned fmt, uint32_t v) {
  return (float)stp_num_to_double(fmt, v);
}

static uint32_t narrow(unsigned fmt, float v) {
  return op3(STP_OP_VPACK, 0, fmt, 0, as_bits(v), 0, 0);
}

/* The sum of a row by docs/numerics.md, as f32. */
static float row_sum(unsigned fmt, const uint32_t *x, size_t n) {
  float lane[64] = {0};
  for (size_t i = 0; i < n; i++) lane[i % 64] += widen(fmt, x[i]);
  for (size_t half = 32; half; half /= 2) {
    for (size_t i = 0; i < half; i++) lane[i] += lane[i + half];
  }
  return lane[0];
}

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

/* exp(-|x| * 0.5) where x < y, else (x - y) / 3: constants, selection, several uses of an input. */
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
      "%%7 = arith.cmpf olt, %%x, %%y : tensor<%s>\n"
      "%%8 = arith.select %%7, %%4, %%6 : tensor<%dx%dxi1>, tensor<%s>\n",
      shape, shape, shape, shape, shape, shape, shape, shape, shape, rows, cols, shape);
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
    assert_int_equal(get(&b, 2, i), op3(STP_OP_VCMP, STP_VCMP_OLT, fmt, 0, x, y, 0) ? e : d);
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
      cmocka_unit_test(product_shapes),
      cmocka_unit_test(epilogue),
      cmocka_unit_test(expressions),
      cmocka_unit_test(mixed_widths),
      cmocka_unit_test(reductions),
      cmocka_unit_test(row_splat),
      cmocka_unit_test(spread),
      cmocka_unit_test(copies),
      cmocka_unit_test(store_in_loop),
      cmocka_unit_test(fill_twice),
      cmocka_unit_test(carried),
      cmocka_unit_test(job_file),
      cmocka_unit_test(in_place),
      cmocka_unit_test(nested),
      cmocka_unit_test(nested_product),
      cmocka_unit_test(row_lengths),
      cmocka_unit_test(in_place_overlapping),
      cmocka_unit_test(nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
