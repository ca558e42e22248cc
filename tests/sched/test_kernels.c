/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The project's kernels, compiled and run on the C model of a core, compared bit for bit with plain
 * C that follows docs/numerics.md. Each runs on one core and on several in turn, with aligned and
 * unaligned buffers.
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

static const char *kernel(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", KERNELS, name);
  return path;
}

static uint32_t f16_op(unsigned op, unsigned fn, uint32_t a, uint32_t b) {
  return stp_num_exact()->op(op, fn, STP_FMT_F16, 0, a, b, 0);
}

static uint16_t load16(const uint8_t *p, size_t i) {
  uint16_t v;
  memcpy(&v, p + 2 * i, 2);
  return v;
}

static float widen(uint16_t v) {
  return (float)stp_num_to_double(STP_FMT_F16, v);
}

static uint16_t narrow(float v) {
  uint32_t bits;
  memcpy(&bits, &v, 4);
  return (uint16_t)stp_num_exact()->op(STP_OP_VPACK, 0, STP_FMT_F16, 0, bits, 0, 0);
}

static void fill_inputs(bench_t *b, unsigned skew, double scale) {
  bench_place(b, skew);
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    if (b->job->buffers[i].dir & STP_JOB_READ) bench_random(b, i, i + 1 + skew, scale);
  }
}

/* Run `check` after runs on 1 and 3 cores, with buffers at a stick's start and 2 and 34 bytes past
 * it. */
static void run_variants(bench_t *b, double scale, void (*check)(bench_t *)) {
  static const unsigned skews[] = {0, 2, 34};
  for (unsigned s = 0; s < 3; s++) {
    for (unsigned cores = 1; cores <= 3; cores += 2) {
      fill_inputs(b, skews[s], scale);
      assert_true(bench_run(b, cores));
      check(b);
    }
  }
}

/* ---- vector add ----------------------------------------------------------------------------- */

static void check_add(bench_t *b) {
  size_t n = b->job->buffers[0].bytes / 2;
  if (b->job->num_scalars) n = (size_t)b->job->scalars[0].value;
  const uint8_t *x = bench_buffer(b, 0), *y = bench_buffer(b, 1), *z = bench_buffer(b, 2);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(load16(z, i), f16_op(STP_OP_VADD, 0, load16(x, i), load16(y, i)));
  }
}

static void add_static(void **state) {
  (void)state;
  bench_t b;
  assert_true(bench_compile(&b, kernel("vector_add.mlir"), -1, 0, false));
  assert_int_equal(b.job->num_buffers, 3);
  assert_int_equal(b.job->compulsory_bytes, 3 * 8192);
  run_variants(&b, 100, check_add);
  bench_close(&b);
}

static void add_dynamic(void **state) {
  (void)state;
  static const int64_t sizes[] = {4096, 4000, 4001, 129, 1};
  for (int dynamic = 0; dynamic < 2; dynamic++) {
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      bench_t b;
      assert_true(bench_compile(&b, kernel("vector_add_dynamic.mlir"), 3, sizes[i], dynamic != 0));
      assert_int_equal(b.job->scalars[0].arg >= 0, dynamic);
      run_variants(&b, 100, check_add);
      bench_close(&b);
    }
  }
}

static void add_million(void **state) {
  (void)state;
  bench_t b;
  assert_true(bench_compile(&b, kernel("vector_add_1m.mlir"), -1, 0, false));
  fill_inputs(&b, 0, 100);
  assert_true(bench_run(&b, 1));
  check_add(&b);
  bench_close(&b);
}

/* ---- products -------------------------------------------------------------------------------- */

typedef struct shape {
  size_t m, n, k, step;
} shape_t;

/* Products of `step` values of k: chunks of eight by FMA, added to acc. */
static float product(const uint8_t *a, const uint8_t *w, const shape_t *s, size_t i, size_t j,
                     size_t k0, float acc) {
  for (size_t k = k0; k < k0 + s->step; k += 8) {
    float sum = 0;
    for (size_t x = k; x < k + 8 && x < k0 + s->step; x++) {
      sum = fmaf(widen(load16(a, i * s->k + x)), widen(load16(w, x * s->n + j)), sum);
    }
    acc += sum;
  }
  return acc;
}

static void check_product(bench_t *b, const shape_t *s) {
  const uint8_t *a = bench_buffer(b, 0), *w = bench_buffer(b, 1), *c = bench_buffer(b, 2);
  bool strict = b->job->buffers[2].elem == STP_JOB_ELEM_F16;
  for (size_t i = 0; i < s->m; i++) {
    for (size_t j = 0; j < s->n; j++) {
      float acc = 0;
      uint16_t acc16 = 0;
      for (size_t k = 0; k < s->k; k += s->step) {
        if (strict)
          acc16 = (uint16_t)f16_op(STP_OP_VADD, 0, acc16, narrow(product(a, w, s, i, j, k, 0)));
        else
          acc = product(a, w, s, i, j, k, acc);
      }
      if (strict) {
        assert_int_equal(load16(c, i * s->n + j), acc16);
      } else {
        assert_memory_equal(c + 4 * (i * s->n + j), &acc, 4);
      }
    }
  }
  assert_int_equal(b->job->macs, s->m * s->n * s->k);
}

static const shape_t small = {64, 64, 64, 32}, large = {256, 256, 256, 64},
                     ragged = {37, 75, 129, 43};
static void check_small(bench_t *b) {
  check_product(b, &small);
}
static void check_large(bench_t *b) {
  check_product(b, &large);
}
static void check_ragged(bench_t *b) {
  check_product(b, &ragged);
}

static void products(const char *name, void (*check)(bench_t *), bool variants) {
  bench_t b;
  assert_true(bench_compile(&b, kernel(name), -1, 0, false));
  if (variants) {
    run_variants(&b, 1, check);
  } else {
    fill_inputs(&b, 0, 1);
    assert_true(bench_run(&b, 1));
    check(&b);
  }
  bench_close(&b);
}

static void matmul_64(void **state) {
  (void)state, products("matmul_64.mlir", check_small, true);
}
static void matmul_64_f16(void **state) {
  (void)state, products("matmul_64_f16.mlir", check_small, true);
}
static void matmul_256(void **state) {
  (void)state, products("matmul_256.mlir", check_large, false);
}
static void matmul_256_f16(void **state) {
  (void)state, products("matmul_256_f16.mlir", check_large, false);
}
static void matmul_ragged(void **state) {
  (void)state, products("matmul_37x129x75.mlir", check_ragged, true);
}
static void matmul_ragged_f16(void **state) {
  (void)state, products("matmul_37x129x75_f16.mlir", check_ragged, true);
}

/* ---- softmax --------------------------------------------------------------------------------- */

static void check_softmax(bench_t *b) {
  enum { ROWS = 64, N = 1000 };
  for (size_t r = 0; r < ROWS; r++) {
    const uint8_t *x = bench_buffer(b, 0) + r * N * 2, *y = bench_buffer(b, 1) + r * N * 2;
    uint32_t max = 0xfc00;
    uint16_t e[N];
    float lane[64] = {0};
    for (size_t i = 0; i < N; i++) max = f16_op(STP_OP_VMAX, 0, max, load16(x, i));
    for (size_t i = 0; i < N; i++) {
      e[i] = (uint16_t)f16_op(STP_OP_VFUNC, STP_VFUNC_EXP,
                              f16_op(STP_OP_VSUB, 0, load16(x, i), max), 0);
      lane[i % 64] += widen(e[i]);
    }
    for (size_t half = 32; half; half /= 2) {
      for (size_t i = 0; i < half; i++) lane[i] += lane[i + half];
    }
    uint16_t sum = narrow(lane[0]);
    for (size_t i = 0; i < N; i++)
      assert_int_equal(load16(y, i), f16_op(STP_OP_VDIV, 0, e[i], sum));
  }
}

static void softmax(void **state) {
  (void)state;
  bench_t b;
  assert_true(bench_compile(&b, kernel("softmax.mlir"), -1, 0, false));
  run_variants(&b, 4, check_softmax);
  /* Masked elements: -inf must give 0. */
  fill_inputs(&b, 0, 4);
  for (size_t i = 0; i < 64 * 1000; i += 3) memcpy(bench_buffer(&b, 0) + 2 * i, "\x00\xfc", 2);
  assert_true(bench_run(&b, 1));
  check_softmax(&b);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(add_static),        cmocka_unit_test(add_dynamic),
      cmocka_unit_test(add_million),       cmocka_unit_test(matmul_64),
      cmocka_unit_test(matmul_64_f16),     cmocka_unit_test(matmul_256),
      cmocka_unit_test(matmul_256_f16),    cmocka_unit_test(matmul_ragged),
      cmocka_unit_test(matmul_ragged_f16), cmocka_unit_test(softmax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
