/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of tests/kernels against plain C that follows numerics.md with the host's floats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"
#include "numerics.h"

static void check_error(bench_t *b, int buffer, double max_abs, double max_ulp) {
  stp_interp_error_t e;
  assert_true(stp_interp_compare(&b->args.buffers[buffer], b->exact[buffer].data,
                                 b->wide[buffer].wide, &e));
  if (!(e.max_abs <= max_abs && e.max_ulp <= max_ulp)) {
    fail_msg("error against float64: %g at %lld, %g ulp at %lld", e.max_abs, (long long)e.at_abs,
             e.max_ulp, (long long)e.at_ulp);
  }
}

/* Run float64 first: it copies the inputs, which the exact run may change. */
static void run_both(bench_t *b) {
  assert_true(bench_float64(b));
  bench_run(b);
}

/* ---- vector add ----------------------------------------------------------------------------- */

static void add_file(const char *path, int64_t n) {
  bench_t b;
  const int64_t scalars[1][2] = {{3, n}};
  bench_open_file(&b, path, n >= 0, scalars);
  bench_random(&b, 0, 1, 100);
  bench_random(&b, 1, 2, 3);
  int64_t count = bench_extent(&b, 2);
  if (n >= 0) assert_int_equal(count, n);
  if (count > 8) { /* special values */
    bench_set(&b, 0, 0, 0x7c00);
    bench_set(&b, 1, 0, 0xfc00);
    bench_set(&b, 0, 1, 0x7bff);
    bench_set(&b, 1, 1, 0x7bff);
    bench_set(&b, 0, 2, 0x8000);
    bench_set(&b, 1, 2, 0x8000);
    bench_set(&b, 0, 3, 0x7c01);
    bench_set(&b, 0, 4, 0x0001);
    bench_set(&b, 1, 4, 0x8002);
  }
  run_both(&b);
  for (int64_t i = 0; i < count; i++) {
    double x = value_of(STP_ELEM_F16, bench_get(&b, 0, i));
    double y = value_of(STP_ELEM_F16, bench_get(&b, 1, i));
    assert_int_equal(bench_get(&b, 2, i), bits_of(STP_ELEM_F16, x + y));
    if (i != 1 && !isnan(x + y)) assert_true(b.wide[2].wide[i] == x + y);
  }
  bench_close(&b);
}

static void test_vector_add(void **state) {
  (void)state;
  add_file(KERNELS "/vector_add.mlir", -1);
  add_file(KERNELS "/vector_add_1m.mlir", -1);
  const int64_t sizes[] = {0, 1, 127, 128, 129, 3000, 4096};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    add_file(KERNELS "/vector_add_dynamic.mlir", sizes[i]);
  }
}

/* ---- matmul --------------------------------------------------------------------------------- */

typedef struct {
  const char *path;
  int m, k, n, step;
  bool strict_f16;
} product_t;

static void product(const product_t *p) {
  bench_t b;
  bench_open_file(&b, p->path, 0, NULL);
  bench_random(&b, 0, 11, 2);
  bench_random(&b, 1, 12, 2);
  bench_set(&b, 0, 3, 0x0001);
  bench_set(&b, 0, 5, 0x8000);
  run_both(&b);
  float *a = malloc((size_t)(p->m * p->k) * sizeof *a),
        *w = malloc((size_t)(p->k * p->n) * sizeof *w);
  for (int i = 0; i < p->m * p->k; i++) {
    a[i] = (float)value_of(STP_ELEM_F16, bench_get(&b, 0, i));
  }
  for (int i = 0; i < p->k * p->n; i++) {
    w[i] = (float)value_of(STP_ELEM_F16, bench_get(&b, 1, i));
  }
  for (int i = 0; i < p->m; i++) {
    for (int j = 0; j < p->n; j++) {
      float acc = 0;
      double sum = 0;
      for (int k0 = 0; k0 < p->k; k0 += p->step) {
        float part = p->strict_f16 ? 0 : acc;
        for (int k = k0; k < k0 + p->step; k += 8) {
          float s = 0;
          for (int q = k; q < k + 8 && q < k0 + p->step; q++) {
            s = fmaf(a[i * p->k + q], w[q * p->n + j], s);
            sum += (double)a[i * p->k + q] * (double)w[q * p->n + j];
          }
          part += s;
        }
        if (p->strict_f16) {
          part = (float)value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, (double)part));
          acc = (float)value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, (double)acc + (double)part));
        } else {
          acc = part;
        }
      }
      uint64_t want = p->strict_f16 ? bits_of(STP_ELEM_F16, (double)acc) : f32_bits(acc);
      assert_int_equal(bench_get(&b, 2, i * p->n + j), want);
      assert_true(fabs(b.wide[2].wide[i * p->n + j] - sum) < 1e-9);
    }
  }
  check_error(&b, 2, p->strict_f16 ? 0.2 : 1e-3, HUGE_VAL);
  free(a);
  free(w);
  bench_close(&b);
}

static void test_matmul(void **state) {
  (void)state;
  static const product_t list[] = {
      {KERNELS "/matmul_64.mlir", 64, 64, 64, 32, false},
      {KERNELS "/matmul_64_f16.mlir", 64, 64, 64, 32, true},
      {KERNELS "/matmul_37x129x75.mlir", 37, 129, 75, 43, false},
      {KERNELS "/matmul_37x129x75_f16.mlir", 37, 129, 75, 43, true},
      {KERNELS "/matmul_256.mlir", 256, 256, 256, 64, false},
      {KERNELS "/matmul_256_f16.mlir", 256, 256, 256, 64, true},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) product(&list[i]);
}

/* ---- softmax -------------------------------------------------------------------------------- */

#define ROWS 64
#define COLS 1000

static void softmax_row(const uint16_t *x, uint16_t *y) {
  double max = -HUGE_VAL;
  bool nan = false;
  for (int i = 0; i < COLS; i++) {
    double v = value_of(STP_ELEM_F16, x[i]);
    nan = nan || isnan(v);
    max = v > max ? v : max;
  }
  if (nan) max = (double)NAN;
  float lanes[64] = {0};
  uint16_t e[COLS];
  for (int i = 0; i < COLS; i++) {
    uint64_t d = bits_of(STP_ELEM_F16, value_of(STP_ELEM_F16, x[i]) - max);
    /* exp has tests of its own, in tests/numerics */
    e[i] = (uint16_t)stp_num_fast()->op(STP_OP_VFUNC, STP_VFUNC_EXP, STP_FMT_F16, 0, (uint32_t)d, 0,
                                        0);
    lanes[i % 64] += (float)value_of(STP_ELEM_F16, e[i]);
  }
  for (int n = 32; n > 0; n /= 2) {
    for (int i = 0; i < n; i++) lanes[i] += lanes[i + n];
  }
  double sum = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, (double)lanes[0]));
  for (int i = 0; i < COLS; i++) {
    y[i] = (uint16_t)bits_of(STP_ELEM_F16, value_of(STP_ELEM_F16, e[i]) / sum);
  }
}

static void test_softmax(void **state) {
  (void)state;
  bench_t b;
  bench_open_file(&b, KERNELS "/softmax.mlir", 0, NULL);
  bench_random(&b, 0, 21, 6);
  for (int i = 0; i < COLS; i++) { /* a mask, as attention has it, and worse */
    if (i > 10) bench_set(&b, 0, i, 0xfc00);
    if (i % 3 == 0) bench_set(&b, 0, COLS + i, 0xfc00);
    bench_set(&b, 0, 2 * COLS + i, 0xfc00);
  }
  bench_set(&b, 0, 3 * COLS + 5, 0x7c00);
  bench_set(&b, 0, 4 * COLS + 5, 0x7e01);
  run_both(&b);
  uint16_t x[COLS], y[COLS];
  for (int row = 0; row < ROWS; row++) {
    for (int i = 0; i < COLS; i++) x[i] = (uint16_t)bench_get(&b, 0, row * COLS + i);
    softmax_row(x, y);
    for (int i = 0; i < COLS; i++) assert_int_equal(bench_get(&b, 1, row * COLS + i), y[i]);
  }
  assert_int_equal(bench_get(&b, 1, 2 * COLS), 0x7e00); /* exp(-inf + inf) */
  assert_int_equal(bench_get(&b, 1, 20), 0);            /* masked out */
  check_error(&b, 1, 1e-3, 8);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vector_add),
      cmocka_unit_test(test_matmul),
      cmocka_unit_test(test_softmax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
