/* SPDX-License-Identifier: Apache-2.0 */
/* linalg and tensor ops against plain C. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"

/* A kernel of one tile that loads whole row-major buffers and stores one. Shapes are "2x3xf16". */
typedef struct {
  FILE *f;
  char *text;
  size_t size;
  int count;
} kernel_t;

static void shape_dims(const char *shape, int *rank, int64_t *dims) {
  *rank = 0;
  char *end;
  while (*shape >= '0' && *shape <= '9') {
    dims[(*rank)++] = strtoll(shape, &end, 10);
    shape = end + 1;
  }
}

static void buffer(kernel_t *k, const char *name, const char *shape) {
  int rank;
  int64_t dims[8], stride = 1, strides[8];
  shape_dims(shape, &rank, dims);
  for (int d = rank - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= dims[d];
  }
  const char *elem = strrchr(shape, 'x') + 1;
  char whole[64] = "";
  snprintf(whole, sizeof whole, "%.*s", (int)(elem - shape), shape);
  fprintf(k->f, "    %%v%s = ktdp.construct_memory_view %%p%s, sizes: [", name, name);
  for (int d = 0; d < rank; d++) fprintf(k->f, "%s%lld", d ? ", " : "", (long long)dims[d]);
  fprintf(k->f, "], strides: [");
  for (int d = 0; d < rank; d++) fprintf(k->f, "%s%lld", d ? ", " : "", (long long)strides[d]);
  fprintf(k->f,
          "] {memory_space = #ktdp.spyre_memory_space<HBM>} : memref<%s>\n"
          "    %%t%s = ktdp.construct_access_tile %%v%s[",
          shape, name, name);
  for (int d = 0; d < rank; d++) fprintf(k->f, "%s%%c0", d ? ", " : "");
  fprintf(k->f, "] {access_tile_set = affine_set<(");
  for (int d = 0; d < rank; d++) fprintf(k->f, "%sd%d", d ? ", " : "", d);
  fprintf(k->f, ") : (");
  for (int d = 0; d < rank; d++) {
    fprintf(k->f, "%sd%d >= 0, -d%d + %lld >= 0", d ? ", " : "", d, d, (long long)dims[d] - 1);
  }
  fprintf(k->f, ")>, access_tile_order = affine_map<(");
  for (int d = 0; d < rank; d++) fprintf(k->f, "%sd%d", d ? ", " : "", d);
  fprintf(k->f, ") -> (");
  for (int d = 0; d < rank; d++) fprintf(k->f, "%sd%d", d ? ", " : "", d);
  fprintf(k->f, ")>} : memref<%s> -> !ktdp.access_tile<%sindex>\n", shape, whole);
  if (name[0] != 'y') {
    fprintf(k->f, "    %%x%s = ktdp.load %%t%s : !ktdp.access_tile<%sindex> -> tensor<%s>\n", name,
            name, whole, shape);
  }
}

/* Inputs %x0, %x1, ...; `body` makes %r. */
static void open_kernel(bench_t *b, int num_ins, const char *const *ins, const char *out,
                        const char *body) {
  kernel_t k = {0};
  k.f = open_memstream(&k.text, &k.size);
  fprintf(k.f, "module {\n  func.func @k(");
  for (int i = 0; i < num_ins; i++) fprintf(k.f, "%%p%d: index, ", i);
  fprintf(k.f, "%%py: index) {\n    %%c0 = arith.constant 0 : index\n");
  for (int i = 0; i < num_ins; i++) {
    char name[8];
    snprintf(name, sizeof name, "%d", i);
    buffer(&k, name, ins[i]);
  }
  buffer(&k, "y", out);
  const char *elem = strrchr(out, 'x') + 1;
  fprintf(k.f,
          "    %s\n    ktdp.store %%r, %%ty : tensor<%s>, !ktdp.access_tile<%.*sindex>\n"
          "    return\n  }\n}\n",
          body, out, (int)(elem - out), out);
  fclose(k.f);
  bench_open(b, k.text, 0, NULL);
  free(k.text);
}

static void open1(bench_t *b, const char *in, const char *out, const char *body) {
  const char *ins[1] = {in};
  open_kernel(b, 1, ins, out, body);
}

static void open2(bench_t *b, const char *in0, const char *in1, const char *out, const char *body) {
  const char *ins[2] = {in0, in1};
  open_kernel(b, 2, ins, out, body);
}

static void open3(bench_t *b, const char *in0, const char *in1, const char *in2, const char *out,
                  const char *body) {
  const char *ins[3] = {in0, in1, in2};
  open_kernel(b, 3, ins, out, body);
}

/* Run, float64 first: the exact run may change inputs. */
static void run(bench_t *b) {
  assert_true(bench_float64(b));
  bench_run(b);
}

static float get(const bench_t *b, int i, int64_t at) {
  return (float)value_of(b->args.buffers[i].storage, bench_get(b, i, at));
}

/* ---- products ------------------------------------------------------------------------------- */

static float chain8(const float *a, const float *w, int k, float acc) {
  for (int i = 0; i < k; i += 8) {
    float s = 0;
    for (int q = i; q < i + 8 && q < k; q++) s = fmaf(a[q], w[q], s);
    acc += s;
  }
  return acc;
}

static float chain1(const float *a, const float *w, int k, float acc) {
  for (int i = 0; i < k; i++) acc = fmaf(a[i], w[i], acc);
  return acc;
}

typedef struct {
  const char *a, *w, *c, *body;
  int batch, m, n, k;
  bool ta, tw, single; /* transposed operands; f32 products */
} product_t;

static void product(const product_t *p) {
  bench_t b;
  open3(&b, p->a, p->w, p->c, p->c, p->body);
  for (int i = 0; i < 3; i++) bench_random(&b, i, 40 + (uint32_t)i, 3);
  run(&b);
  stp_ir_elem_t elem = b.args.buffers[3].storage;
  float *a = calloc((size_t)p->k, sizeof *a), *w = calloc((size_t)p->k, sizeof *w);
  for (int g = 0; g < p->batch; g++) {
    for (int i = 0; i < p->m; i++) {
      for (int j = 0; j < p->n; j++) {
        int at = (g * p->m + i) * p->n + j;
        double sum = (double)get(&b, 2, at);
        for (int k = 0; k < p->k; k++) {
          a[k] = get(&b, 0, g * p->m * p->k + (p->ta ? k * p->m + i : i * p->k + k));
          w[k] = get(&b, 1, g * p->n * p->k + (p->tw ? j * p->k + k : k * p->n + j));
          sum += (double)a[k] * (double)w[k];
        }
        float y = (p->single ? chain1 : chain8)(a, w, p->k, get(&b, 2, at));
        if (bench_get(&b, 3, at) != bits_of(elem, (double)y)) {
          fail_msg("%s: element %d is %llx, not %llx", p->body, at,
                   (unsigned long long)bench_get(&b, 3, at),
                   (unsigned long long)bits_of(elem, (double)y));
        }
        assert_true(fabs(b.wide[3].wide[at] - sum) < 1e-9);
      }
    }
  }
  free(a);
  free(w);
  bench_close(&b);
}

static void test_products(void **state) {
  (void)state;
  static const product_t list[] = {
      {"5x19xf16", "19x7xf16", "5x7xf32",
       "%r = linalg.matmul ins(%x0, %x1 : tensor<5x19xf16>, tensor<19x7xf16>)\n"
       "  outs(%x2 : tensor<5x7xf32>) -> tensor<5x7xf32>",
       1, 5, 7, 19, false, false, false},
      {"5x16xbf16", "16x7xbf16", "5x7xbf16",
       "%r = linalg.matmul ins(%x0, %x1 : tensor<5x16xbf16>, tensor<16x7xbf16>)\n"
       "  outs(%x2 : tensor<5x7xbf16>) -> tensor<5x7xbf16>",
       1, 5, 7, 16, false, false, false},
      {"5x19xf32", "19x7xf32", "5x7xf32",
       "%r = linalg.matmul ins(%x0, %x1 : tensor<5x19xf32>, tensor<19x7xf32>)\n"
       "  outs(%x2 : tensor<5x7xf32>) -> tensor<5x7xf32>",
       1, 5, 7, 19, false, false, true},
      {"5x19xf16", "19x7xf16", "5x7xf32", /* extended operands take the native way */
       "%a = arith.extf %x0 : tensor<5x19xf16> to tensor<5x19xf32>\n"
       "%w = arith.extf %x1 : tensor<19x7xf16> to tensor<19x7xf32>\n"
       "%r = linalg.matmul ins(%a, %w : tensor<5x19xf32>, tensor<19x7xf32>)\n"
       "  outs(%x2 : tensor<5x7xf32>) -> tensor<5x7xf32>",
       1, 5, 7, 19, false, false, false},
      {"19x5xf16", "19x7xf16", "5x7xf16",
       "%r = linalg.matmul_transpose_a ins(%x0, %x1 : tensor<19x5xf16>, tensor<19x7xf16>)\n"
       "  outs(%x2 : tensor<5x7xf16>) -> tensor<5x7xf16>",
       1, 5, 7, 19, true, false, false},
      {"5x19xf16", "7x19xf16", "5x7xf32",
       "%r = linalg.matmul_transpose_b ins(%x0, %x1 : tensor<5x19xf16>, tensor<7x19xf16>)\n"
       "  outs(%x2 : tensor<5x7xf32>) -> tensor<5x7xf32>",
       1, 5, 7, 19, false, true, false},
      {"3x5x9xf16", "3x9x2xf16", "3x5x2xf32",
       "%r = linalg.batch_matmul ins(%x0, %x1 : tensor<3x5x9xf16>, tensor<3x9x2xf16>)\n"
       "  outs(%x2 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>",
       3, 5, 2, 9, false, false, false},
      {"3x5x9xf16", "3x2x9xf16", "3x5x2xf32",
       "%r = linalg.batch_matmul_transpose_b ins(%x0, %x1 : tensor<3x5x9xf16>, "
       "tensor<3x2x9xf16>)\n"
       "  outs(%x2 : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>",
       3, 5, 2, 9, false, true, false},
      {"5x19xf16", "7x19xf16", "5x7xf32",
       "%r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,\n"
       "  affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]\n"
       "  ins(%x0, %x1 : tensor<5x19xf16>, tensor<7x19xf16>)\n"
       "  outs(%x2 : tensor<5x7xf32>) -> tensor<5x7xf32>",
       1, 5, 7, 19, false, true, false},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) product(&list[i]);
}

static void test_integer_product(void **state) {
  (void)state;
  bench_t b;
  open3(&b, "3x50xi8", "50x4xi8", "3x4xi32", "3x4xi32",
        "%r = linalg.matmul ins(%x0, %x1 : tensor<3x50xi8>, tensor<50x4xi8>)\n"
        "  outs(%x2 : tensor<3x4xi32>) -> tensor<3x4xi32>");
  for (int i = 0; i < 150; i++) bench_set(&b, 0, i, (uint64_t)(i * 37));
  for (int i = 0; i < 200; i++) bench_set(&b, 1, i, (uint64_t)(i * 91 + 5));
  for (int i = 0; i < 12; i++) bench_set(&b, 2, i, 0x7fffff00u + (uint64_t)i);
  bench_run(&b);
  for (int i = 0; i < 12; i++) {
    uint32_t sum = 0x7fffff00u + (uint32_t)i;
    for (int k = 0; k < 50; k++) {
      sum += (uint32_t)((int8_t)((i / 4 * 50 + k) * 37) * (int8_t)((k * 4 + i % 4) * 91 + 5));
    }
    assert_int_equal(bench_get(&b, 3, i), sum);
  }
  bench_close(&b);
}

/* NaN and infinity go through a product; padding of K touches neither. */
static void test_product_specials(void **state) {
  (void)state;
  bench_t b;
  open3(&b, "2x3xf16", "3x2xf16", "2x2xf16", "2x2xf16",
        "%r = linalg.matmul ins(%x0, %x1 : tensor<2x3xf16>, tensor<3x2xf16>)\n"
        "  outs(%x2 : tensor<2x2xf16>) -> tensor<2x2xf16>");
  for (int i = 0; i < 6; i++) bench_set(&b, 0, i, 0x3c00);
  for (int i = 0; i < 6; i++) bench_set(&b, 1, i, 0x4000);
  for (int i = 0; i < 4; i++) bench_set(&b, 2, i, 0);
  bench_set(&b, 0, 1, 0x7c00); /* row 0: infinity */
  bench_set(&b, 1, 3, 0);      /* column 1: 0 * inf for row 0 */
  run(&b);
  assert_int_equal(bench_get(&b, 3, 0), 0x7c00);
  assert_int_equal(bench_get(&b, 3, 1), 0x7e00);
  assert_int_equal(bench_get(&b, 3, 2), bits_of(STP_ELEM_F16, 6));
  assert_int_equal(bench_get(&b, 3, 3), bits_of(STP_ELEM_F16, 4));
  assert_true(isinf(b.wide[3].wide[0]) && isnan(b.wide[3].wide[1]));
  bench_close(&b);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static float fold64(float *lanes) {
  for (int n = 32; n > 0; n /= 2) {
    for (int i = 0; i < n; i++) lanes[i] += lanes[i + n];
  }
  return lanes[0];
}

static void test_sum_inner(void **state) {
  (void)state;
  static const char *const bodies[3] = {
      "%r = linalg.reduce { arith.addf } ins(%x0 : tensor<3x200xf16>)\n"
      "  outs(%x1 : tensor<3xf16>) dimensions = [1]",
      "%r = linalg.reduce ins(%x0 : tensor<3x200xf16>) outs(%x1 : tensor<3xf16>)\n"
      "  dimensions = [1] (%in: f16, %acc: f16) {\n"
      "    %s = arith.addf %acc, %in : f16\n    linalg.yield %s : f16\n  }",
      "%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>,\n"
      "  affine_map<(d0, d1) -> (d1)>], iterator_types = [\"reduction\", \"parallel\"]}\n"
      "  ins(%x0 : tensor<3x200xf16>) outs(%x1 : tensor<3xf16>) {\n"
      "  ^bb0(%in: f16, %acc: f16):\n"
      "    %s = arith.addf %in, %acc : f16\n    linalg.yield %s : f16\n  } -> tensor<3xf16>"};
  for (int k = 0; k < 3; k++) {
    bench_t b;
    open2(&b, "3x200xf16", "3xf16", "3xf16", bodies[k]);
    bench_random(&b, 0, 61, 5);
    bench_random(&b, 1, 62, 5);
    run(&b);
    for (int i = 0; i < 3; i++) {
      float lanes[64] = {0};
      double sum = (double)get(&b, 1, i);
      for (int j = 0; j < 200; j++) {
        lanes[j % 64] += get(&b, 0, i * 200 + j);
        sum += (double)get(&b, 0, i * 200 + j);
      }
      float y = get(&b, 1, i) + fold64(lanes);
      assert_int_equal(bench_get(&b, 2, i), bits_of(STP_ELEM_F16, (double)y));
      assert_true(fabs(b.wide[2].wide[i] - sum) < 1e-9);
    }
    bench_close(&b);
  }
}

/* Both dimensions: the innermost index chooses the lane. */
static void test_sum_both(void **state) {
  (void)state;
  bench_t b;
  open2(&b, "7x3x70xf32", "3xf32", "3xf32",
        "%r = linalg.reduce { arith.addf } ins(%x0 : tensor<7x3x70xf32>)\n"
        "  outs(%x1 : tensor<3xf32>) dimensions = [0, 2]");
  bench_random(&b, 0, 63, 1000);
  bench_random(&b, 1, 64, 5);
  run(&b);
  for (int i = 0; i < 3; i++) {
    float lanes[64] = {0};
    for (int g = 0; g < 7; g++) {
      for (int j = 0; j < 70; j++) lanes[j % 64] += get(&b, 0, (g * 3 + i) * 70 + j);
    }
    assert_int_equal(bench_get(&b, 2, i), f32_bits(get(&b, 1, i) + fold64(lanes)));
  }
  bench_close(&b);
}

static void test_sum_outer(void **state) {
  (void)state;
  bench_t b;
  open2(&b, "90x5xbf16", "5xbf16", "5xbf16",
        "%r = linalg.reduce { arith.addf } ins(%x0 : tensor<90x5xbf16>)\n"
        "  outs(%x1 : tensor<5xbf16>) dimensions = [0]");
  bench_random(&b, 0, 65, 3);
  bench_random(&b, 1, 66, 3);
  run(&b);
  for (int j = 0; j < 5; j++) {
    float acc = get(&b, 1, j);
    for (int i = 0; i < 90; i++) acc += get(&b, 0, i * 5 + j);
    assert_int_equal(bench_get(&b, 2, j), bits_of(STP_ELEM_BF16, (double)acc));
  }
  bench_close(&b);
}

/* Combiners that are not a lone addition fold in order and round every time. */
static void test_folds(void **state) {
  (void)state;
  bench_t b;
  open2(&b, "3x20xf16", "3xf16", "3xf16",
        "%r = linalg.reduce { arith.mulf } ins(%x0 : tensor<3x20xf16>)\n"
        "  outs(%x1 : tensor<3xf16>) dimensions = [1]");
  bench_random(&b, 0, 67, 2);
  for (int i = 0; i < 3; i++) bench_set(&b, 1, i, 0x3c00);
  run(&b);
  for (int i = 0; i < 3; i++) {
    double acc = 1;
    for (int j = 0; j < 20; j++) {
      acc = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, (double)get(&b, 0, i * 20 + j) * acc));
    }
    assert_int_equal(bench_get(&b, 2, i), bits_of(STP_ELEM_F16, acc));
  }
  bench_close(&b);
  /* A sum of squares: the addition is not alone. */
  open2(&b, "3x90xf16", "3xf16", "3xf16",
        "%r = linalg.reduce ins(%x0 : tensor<3x90xf16>) outs(%x1 : tensor<3xf16>)\n"
        "  dimensions = [1] (%in: f16, %acc: f16) {\n"
        "    %q = arith.mulf %in, %in : f16\n    %s = arith.addf %q, %acc : f16\n"
        "    linalg.yield %s : f16\n  }");
  bench_random(&b, 0, 68, 2);
  for (int i = 0; i < 3; i++) bench_set(&b, 1, i, 0);
  run(&b);
  for (int i = 0; i < 3; i++) {
    double acc = 0;
    for (int j = 0; j < 90; j++) {
      double x = (double)get(&b, 0, i * 90 + j);
      double q = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, x * x));
      acc = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, q + acc));
    }
    assert_int_equal(bench_get(&b, 2, i), bits_of(STP_ELEM_F16, acc));
  }
  bench_close(&b);
}

static void test_extremes(void **state) {
  (void)state;
  static const char *const names[4] = {"maximumf", "minimumf", "maxnumf", "minnumf"};
  for (int k = 0; k < 4; k++) {
    char body[256];
    snprintf(body, sizeof body,
             "%%i = arith.constant dense<%s> : tensor<4xf16>\n"
             "%%r = linalg.reduce { arith.%s } ins(%%x0 : tensor<4x70xf16>)\n"
             "  outs(%%i : tensor<4xf16>) dimensions = [1]",
             k % 2 == 0 ? "0xFC00" : "0x7C00", names[k]);
    bench_t b;
    open1(&b, "4x70xf16", "4xf16", body);
    bench_random(&b, 0, 69, 4);
    bench_set(&b, 0, 75, 0x7e33); /* a NaN in row 1 */
    for (int j = 0; j < 70; j++) bench_set(&b, 0, 140 + j, j % 2 ? 0x8000 : 0);
    for (int j = 0; j < 70; j++) bench_set(&b, 0, 210 + j, 0x7d00);
    run(&b);
    for (int i = 0; i < 2; i++) {
      double y = k % 2 == 0 ? -HUGE_VAL : HUGE_VAL;
      for (int j = 0; j < 70; j++) {
        double x = (double)get(&b, 0, i * 70 + j);
        if (isnan(x) ? k < 2 : k % 2 == 0 ? x > y : x < y) y = x;
        if (isnan(x) && k < 2) break;
      }
      assert_int_equal(bench_get(&b, 1, i), bits_of(STP_ELEM_F16, y));
    }
    assert_int_equal(bench_get(&b, 1, 2), k % 2 == 0 ? 0 : 0x8000);
    assert_int_equal(bench_get(&b, 1, 3), k < 2 ? 0x7e00 : k == 2 ? 0xfc00 : 0x7c00);
    bench_close(&b);
  }
}

/* Two outputs: the value and place of the maximum. */
static void test_argmax(void **state) {
  (void)state;
  bench_t b;
  open1(&b, "3x40xf32", "3xi32",
        "%i = arith.constant dense<0xFF800000> : tensor<3xf32>\n"
        "%z = arith.constant dense<-1> : tensor<3xi32>\n"
        "%m, %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,\n"
        "  affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],\n"
        "  iterator_types = [\"parallel\", \"reduction\"]} ins(%x0 : tensor<3x40xf32>)\n"
        "  outs(%i, %z : tensor<3xf32>, tensor<3xi32>) {\n"
        "  ^bb0(%in: f32, %best: f32, %at: i32):\n"
        "    %j = linalg.index 1 : index\n    %k = arith.index_cast %j : index to i32\n"
        "    %c = arith.cmpf ogt, %in, %best : f32\n"
        "    %nb = arith.select %c, %in, %best : f32\n"
        "    %na = arith.select %c, %k, %at : i32\n"
        "    linalg.yield %nb, %na : f32, i32\n  } -> (tensor<3xf32>, tensor<3xi32>)");
  bench_random(&b, 0, 70, 4);
  run(&b);
  for (int i = 0; i < 3; i++) {
    int best = 0;
    for (int j = 1; j < 40; j++) {
      if (get(&b, 0, i * 40 + j) > get(&b, 0, i * 40 + best)) best = j;
    }
    assert_int_equal(bench_get(&b, 1, i), best);
  }
  bench_close(&b);
}

/* ---- elementwise and movement --------------------------------------------------------------- */

static void test_generic_broadcast(void **state) {
  (void)state;
  bench_t b;
  open2(&b, "4x6xf16", "6xf16", "4x6xf32",
        "%o = tensor.empty() : tensor<4x6xf32>\n"
        "%k = arith.constant 0.5 : f16\n"
        "%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,\n"
        "  affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],\n"
        "  iterator_types = [\"parallel\", \"parallel\"]}\n"
        "  ins(%x0, %x1 : tensor<4x6xf16>, tensor<6xf16>) outs(%o : tensor<4x6xf32>) {\n"
        "  ^bb0(%a: f16, %c: f16, %out: f32):\n"
        "    %p = arith.cmpf olt, %a, %c : f16\n"
        "    %y = scf.if %p -> (f16) {\n      scf.yield %a : f16\n    } else {\n"
        "      %m = arith.mulf %c, %k : f16\n      scf.yield %m : f16\n    }\n"
        "    %w = arith.extf %y : f16 to f32\n    linalg.yield %w : f32\n  } -> tensor<4x6xf32>");
  bench_random(&b, 0, 71, 4);
  bench_random(&b, 1, 72, 4);
  run(&b);
  for (int i = 0; i < 24; i++) {
    float a = get(&b, 0, i), c = get(&b, 1, i % 6);
    float want = a < c ? a : (float)value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, (double)c * 0.5));
    assert_int_equal(bench_get(&b, 2, i), f32_bits(want));
    assert_true(b.wide[2].wide[i] == (a < c ? (double)a : (double)c * 0.5));
  }
  bench_close(&b);
}

static void test_move(void **state) {
  (void)state;
  bench_t b;
  open1(&b, "2x3x4xi16", "4x2x3x2xi16",
        "%to = tensor.empty() : tensor<4x2x3xi16>\n"
        "%t = linalg.transpose ins(%x0 : tensor<2x3x4xi16>) outs(%to : tensor<4x2x3xi16>)\n"
        "  permutation = [2, 0, 1]\n"
        "%o = tensor.empty() : tensor<4x2x3x2xi16>\n"
        "%r = linalg.broadcast ins(%t : tensor<4x2x3xi16>) outs(%o : tensor<4x2x3x2xi16>)\n"
        "  dimensions = [3]");
  for (int i = 0; i < 24; i++) bench_set(&b, 0, i, (uint64_t)i * 1000);
  run(&b);
  for (int i = 0; i < 48; i++) {
    int k = i / 12, g = i / 6 % 2, j = i / 2 % 3;
    assert_int_equal(bench_get(&b, 1, i), (uint16_t)(((g * 3 + j) * 4 + k) * 1000));
  }
  bench_close(&b);
}

static void test_named(void **state) {
  (void)state;
  bench_t b;
  open3(&b, "20xf16", "20xf16", "20xi1", "20xf16",
        "%o = tensor.empty() : tensor<20xf16>\n"
        "%two = arith.constant 2.0 : f16\n"
        "%f = linalg.fill ins(%two : f16) outs(%o : tensor<20xf16>) -> tensor<20xf16>\n"
        "%a = linalg.add ins(%x0, %x1 : tensor<20xf16>, tensor<20xf16>) outs(%o : tensor<20xf16>) "
        "-> tensor<20xf16>\n"
        "%s = linalg.square ins(%a : tensor<20xf16>) outs(%o : tensor<20xf16>) -> tensor<20xf16>\n"
        "%q = linalg.reciprocal ins(%s : tensor<20xf16>) outs(%o : tensor<20xf16>) -> "
        "tensor<20xf16>\n"
        "%m = linalg.max ins(%q, %f : tensor<20xf16>, tensor<20xf16>) outs(%o : tensor<20xf16>) "
        "-> tensor<20xf16>\n"
        "%c = linalg.select ins(%x2, %m, %x0 : tensor<20xi1>, tensor<20xf16>, tensor<20xf16>) "
        "outs(%o : tensor<20xf16>) -> tensor<20xf16>\n"
        "%r = linalg.map { math.absf } ins(%c : tensor<20xf16>) outs(%o : tensor<20xf16>)");
  bench_random(&b, 0, 73, 1);
  bench_random(&b, 1, 74, 1);
  for (int i = 0; i < 20; i++) bench_set(&b, 2, i, i % 4 != 0);
  run(&b);
  for (int i = 0; i < 20; i++) {
    double a = value_of(STP_ELEM_F16,
                        bits_of(STP_ELEM_F16, (double)get(&b, 0, i) + (double)get(&b, 1, i)));
    double s = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, a * a));
    double q = value_of(STP_ELEM_F16, bits_of(STP_ELEM_F16, 1 / s));
    double y = i % 4 == 0 ? fabs((double)get(&b, 0, i)) : q > 2 ? q : 2;
    assert_int_equal(bench_get(&b, 3, i), bits_of(STP_ELEM_F16, y));
  }
  bench_close(&b);
}

/* Functions as named ops and, on scalars, in a generic's body: the nearest f16, both. */
static void test_functions(void **state) {
  (void)state;
  static double (*const f[])(double) = {exp, log, sqrt, tanh, erf};
  static const char *const names[] = {"exp", "log", "sqrt", "tanh", "erf"};
  for (size_t k = 0; k < sizeof f / sizeof f[0]; k++) {
    char body[2][512];
    snprintf(body[0], sizeof body[0],
             "%%o = tensor.empty() : tensor<20xf16>\n"
             "%%r = linalg.%s ins(%%x0 : tensor<20xf16>) outs(%%o : tensor<20xf16>) -> "
             "tensor<20xf16>",
             names[k]);
    snprintf(body[1], sizeof body[1],
             "%%o = tensor.empty() : tensor<20xf16>\n"
             "%%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
             "(d0)>], iterator_types = [\"parallel\"]} ins(%%x0 : tensor<20xf16>) outs(%%o : "
             "tensor<20xf16>) {\n"
             "  ^bb0(%%a: f16, %%out: f16):\n    %%y = math.%s %%a : f16\n"
             "    linalg.yield %%y : f16\n  } -> tensor<20xf16>",
             names[k]);
    for (int n = 0; n < 2; n++) {
      bench_t b;
      open1(&b, "20xf16", "20xf16", body[n]);
      bench_random(&b, 0, 75, 3);
      run(&b);
      for (int i = 0; i < 20; i++) {
        double want = f[k]((double)get(&b, 0, i));
        assert_int_equal(bench_get(&b, 1, i), bits_of(STP_ELEM_F16, want));
        assert_true(isnan(want) ? isnan(b.wide[1].wide[i]) : b.wide[1].wide[i] == want);
      }
      bench_close(&b);
    }
  }
}

static void test_tensor(void **state) {
  (void)state;
  bench_t b;
  open1(&b, "6x8xi32", "2x12xi32",
        "%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
        "%s = tensor.extract_slice %x0[%c1, 0] [2, 4] [3, 2] : tensor<6x8xi32> to tensor<2x4xi32>\n"
        "%d = tensor.extract_slice %x0[5, 0] [1, 8] [1, 1] : tensor<6x8xi32> to tensor<8xi32>\n"
        "%e = tensor.expand_shape %d [[0, 1]] output_shape [2, 4] : tensor<8xi32> into "
        "tensor<2x4xi32>\n"
        "%z = arith.constant dense<7> : tensor<2x12xi32>\n"
        "%i = tensor.insert_slice %s into %z[0, 0] [2, 4] [1, 3] : tensor<2x4xi32> into "
        "tensor<2x12xi32>\n"
        "%j = tensor.insert_slice %e into %i[0, 1] [2, 4] [1, 3] : tensor<2x4xi32> into "
        "tensor<2x12xi32>\n"
        "%x = tensor.extract %x0[%c1, %c3] : tensor<6x8xi32>\n"
        "%f = tensor.from_elements %x, %x : tensor<2xi32>\n"
        "%g = tensor.generate {\n^bb0(%p: index, %q: index):\n"
        "  %n = tensor.dim %x0, %c1 : tensor<6x8xi32>\n"
        "  %h = arith.muli %p, %n : index\n  %l = arith.addi %h, %q : index\n"
        "  %k = arith.index_cast %l : index to i32\n  tensor.yield %k : i32\n"
        "} : tensor<2x12xi32>\n"
        "%a = arith.addi %j, %g : tensor<2x12xi32>\n"
        "%cs = tensor.collapse_shape %a [[0, 1]] : tensor<2x12xi32> into tensor<24xi32>\n"
        "%w = tensor.insert_slice %f into %cs[22] [2] [1] : tensor<2xi32> into tensor<24xi32>\n"
        "%sh = arith.constant dense<[2, 12]> : tensor<2xindex>\n"
        "%r = tensor.reshape %w(%sh) : (tensor<24xi32>, tensor<2xindex>) -> tensor<2x12xi32>");
  for (int i = 0; i < 48; i++) bench_set(&b, 0, i, (uint64_t)i * 100);
  run(&b);
  for (int i = 0; i < 24; i++) {
    int row = i / 12, col = i % 12, want = 7;
    if (col % 3 == 0) want = ((1 + 3 * row) * 8 + 2 * (col / 3)) * 100;
    if (col % 3 == 1) want = (40 + row * 4 + col / 3) * 100;
    want += row * 8 + col;
    if (i >= 22) want = 1100;
    assert_int_equal(bench_get(&b, 1, i), want);
  }
  bench_close(&b);
}

/* What only a run can find out. */
static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *body, *message;
  } list[] = {
      {"%i = tensor.extract %x0[%c0, %c0] : tensor<4x6xi64>\n"
       "%j = arith.index_cast %i : i64 to index\n"
       "%s = tensor.extract_slice %x0[%j, 0] [2, 2] [1, 1] : tensor<4x6xi64> to tensor<2x2xi64>\n"
       "%r = arith.addi %s, %s : tensor<2x2xi64>",
       "offset 3, size 2 and stride 1 reach outside dimension 0 of size 4"},
      {"%i = tensor.extract %x0[%c0, %c0] : tensor<4x6xi64>\n"
       "%j = arith.index_cast %i : i64 to index\n"
       "%k = arith.addi %j, %j : index\n"
       "%e = tensor.extract %x0[%c0, %k] : tensor<4x6xi64>\n"
       "%r = tensor.splat %e : tensor<2x2xi64>",
       "index 6 is outside dimension 1 of size 6"},
      {"%i = tensor.extract %x0[%c0, %c0] : tensor<4x6xi64>\n"
       "%j = arith.index_cast %i : i64 to index\n"
       "%z = arith.constant dense<1> : tensor<4xi64>\n"
       "%d = tensor.empty(%j) : tensor<?xi64>\n"
       "%o = linalg.add ins(%z, %z : tensor<4xi64>, tensor<4xi64>) outs(%z : tensor<4xi64>) -> "
       "tensor<4xi64>\n"
       "%c = linalg.copy ins(%d : tensor<?xi64>) outs(%z : tensor<4xi64>) -> tensor<4xi64>\n"
       "%r = tensor.expand_shape %c [[0, 1]] output_shape [2, 2] : tensor<4xi64> into "
       "tensor<2x2xi64>",
       "but another operand asks for 3"},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    bench_t b;
    open1(&b, "4x6xi64", "2x2xi64", list[i].body);
    for (int k = 0; k < 24; k++) bench_set(&b, 0, k, 3);
    bench_fails(&b, list[i].message, 0);
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_integer_product),
      cmocka_unit_test(test_product_specials),
      cmocka_unit_test(test_sum_inner),
      cmocka_unit_test(test_sum_both),
      cmocka_unit_test(test_sum_outer),
      cmocka_unit_test(test_folds),
      cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_argmax),
      cmocka_unit_test(test_generic_broadcast),
      cmocka_unit_test(test_move),
      cmocka_unit_test(test_named),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_tensor),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
