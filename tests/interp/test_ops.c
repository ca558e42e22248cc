/* SPDX-License-Identifier: Apache-2.0 */
/* arith and math, element by element, against the host's arithmetic. */
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

typedef struct {
  const char *name;
  stp_ir_elem_t elem;
} type_t;

static const type_t floats[] = {
    {"f16", STP_ELEM_F16}, {"bf16", STP_ELEM_BF16}, {"f32", STP_ELEM_F32}};

static char *body_text(const char *format, ...) {
  static char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

static void open_elementwise(bench_t *b, int num_ins, const char *a, const char *c, const char *out,
                             int n, const char *body) {
  const char *ins[3] = {a, c, a};
  char *text = elementwise_kernel(num_ins, ins, out, n, body);
  bench_open(b, text, 0, NULL);
  free(text);
}

/* ---- floats --------------------------------------------------------------------------------- */

static double ref_add(double x, double y) {
  return x + y;
}
static double ref_sub(double x, double y) {
  return x - y;
}
static double ref_mul(double x, double y) {
  return x * y;
}
static double ref_div(double x, double y) {
  return x / y;
}
static double ref_maximum(double x, double y) {
  if (isnan(x) || isnan(y)) return (double)NAN;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}
static double ref_minimum(double x, double y) {
  if (isnan(x) || isnan(y)) return (double)NAN;
  if (x == y) return signbit(x) ? x : y;
  return x < y ? x : y;
}
static double ref_maxnum(double x, double y) {
  return isnan(x) ? y : isnan(y) ? x : ref_maximum(x, y);
}
static double ref_minnum(double x, double y) {
  return isnan(x) ? y : isnan(y) ? x : ref_minimum(x, y);
}

static const struct {
  const char *name;
  double (*f)(double, double);
} binaries[] = {
    {"arith.addf", ref_add},         {"arith.subf", ref_sub},       {"arith.mulf", ref_mul},
    {"arith.divf", ref_div},         {"arith.remf", fmod},          {"arith.maximumf", ref_maximum},
    {"arith.minimumf", ref_minimum}, {"arith.maxnumf", ref_maxnum}, {"arith.minnumf", ref_minnum},
};

static bool same_number(double x, double y) {
  return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

/* All pairs of special values, then random ones. For f32 the double result may be rounded again:
   sums, products and quotients of 24 bits survive that. */
static void test_float_binary(void **state) {
  (void)state;
  enum { PAIRS = 900, N = 2000 };
  for (size_t t = 0; t < 3; t++) {
    stp_ir_elem_t elem = floats[t].elem;
    for (size_t k = 0; k < sizeof binaries / sizeof binaries[0]; k++) {
      bench_t b;
      open_elementwise(
          &b, 2, floats[t].name, floats[t].name, floats[t].name, N,
          body_text("%%r = %s %%x0, %%x1 : tensor<%dx%s>", binaries[k].name, N, floats[t].name));
      uint64_t bits[32];
      bench_random(&b, 0, (uint32_t)k, 10);
      bench_random(&b, 1, (uint32_t)k + 50, 10);
      assert_int_equal(special_bits(elem, bits), 30);
      for (int i = 0; i < PAIRS; i++) {
        bench_set(&b, 0, i, bits[i / 30]);
        bench_set(&b, 1, i, bits[i % 30]);
      }
      assert_true(bench_float64(&b));
      bench_run(&b);
      for (int i = 0; i < N; i++) {
        double x = value_of(elem, bench_get(&b, 0, i)), y = value_of(elem, bench_get(&b, 1, i));
        double want = binaries[k].f(x, y);
        if (bench_get(&b, 2, i) != bits_of(elem, want)) {
          fail_msg("%s on %s: %a, %a gave %llx, not %llx", binaries[k].name, floats[t].name, x, y,
                   (unsigned long long)bench_get(&b, 2, i),
                   (unsigned long long)bits_of(elem, want));
        }
        assert_true(same_number(b.wide[2].wide[i], want));
        uint64_t rounded = 0;
        memcpy(&rounded, b.wide[2].data + i * stp_ir_elem_bytes(elem),
               (size_t)stp_ir_elem_bytes(elem));
        assert_int_equal(rounded, bits_of(elem, want));
      }
      bench_close(&b);
    }
  }
}

static void test_float_unary(void **state) {
  (void)state;
  for (size_t t = 0; t < 3; t++) {
    stp_ir_elem_t elem = floats[t].elem;
    static const char *const names[] = {"arith.negf", "math.absf", "math.ceil", "math.floor"};
    for (int k = 0; k < 4; k++) {
      bench_t b;
      enum { N = 400 };
      open_elementwise(&b, 1, floats[t].name, NULL, floats[t].name, N,
                       body_text("%%r = %s %%x0 : tensor<%dx%s>", names[k], N, floats[t].name));
      uint64_t bits[32];
      bench_random(&b, 0, 77, 20);
      for (int i = special_bits(elem, bits) - 1; i >= 0; i--) bench_set(&b, 0, i, bits[i]);
      bench_run(&b);
      uint64_t sign = (uint64_t)1 << (8 * stp_ir_elem_bytes(elem) - 1);
      for (int i = 0; i < N; i++) {
        uint64_t x = bench_get(&b, 0, i);
        uint64_t want = k == 0   ? x ^ sign
                        : k == 1 ? x & ~sign
                        : k == 2 ? bits_of(elem, ceil(value_of(elem, x)))
                                 : bits_of(elem, floor(value_of(elem, x)));
        assert_int_equal(bench_get(&b, 1, i), want);
      }
      bench_close(&b);
    }
  }
}

static void test_fma(void **state) {
  (void)state;
  enum { N = 3000 };
  for (size_t t = 0; t < 3; t++) {
    stp_ir_elem_t elem = floats[t].elem;
    bench_t b;
    open_elementwise(
        &b, 3, floats[t].name, floats[t].name, floats[t].name, N,
        body_text("%%r = math.fma %%x0, %%x1, %%x2 : tensor<%dx%s>", N, floats[t].name));
    for (int i = 0; i < 3; i++) bench_random(&b, i, 5 + (uint32_t)i, i == 2 ? 0.01 : 4);
    bench_set(&b, 0, 0, bits_of(elem, HUGE_VAL));
    bench_set(&b, 1, 0, 0);
    bench_run(&b);
    assert_int_equal(bench_get(&b, 3, 0), bits_of(elem, (double)NAN));
    for (int i = 1; i < N; i++) {
      double x = value_of(elem, bench_get(&b, 0, i)), y = value_of(elem, bench_get(&b, 1, i));
      double z = value_of(elem, bench_get(&b, 2, i));
      /* Products of 11 bits are exact in double, and their sums here are too. */
      uint64_t want = elem == STP_ELEM_F32 ? f32_bits(fmaf((float)x, (float)y, (float)z))
                                           : bits_of(elem, x * y + z);
      assert_int_equal(bench_get(&b, 3, i), want);
    }
    bench_close(&b);
  }
}

static bool ref_cmp(int predicate, double x, double y) {
  bool u = isnan(x) || isnan(y);
  const bool table[16] = {false,       !u && x == y, x > y,       x >= y,      x < y,
                          x <= y,      !u && x != y, !u,          u || x == y, u || x > y,
                          u || x >= y, u || x < y,   u || x <= y, u || x != y, u,
                          true};
  return table[predicate];
}

static void test_cmpf_select(void **state) {
  (void)state;
  static const char *const names[16] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                        "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  for (size_t t = 0; t < 3; t++) {
    stp_ir_elem_t elem = floats[t].elem;
    uint64_t bits[32];
    special_bits(elem, bits);
    for (int k = 0; k < 16; k++) {
      bench_t b, s;
      open_elementwise(
          &b, 2, floats[t].name, floats[t].name, "i1", 900,
          body_text("%%r = arith.cmpf %s, %%x0, %%x1 : tensor<900x%s>", names[k], floats[t].name));
      open_elementwise(&s, 2, floats[t].name, floats[t].name, floats[t].name, 900,
                       body_text("%%c = arith.cmpf %s, %%x0, %%x1 : tensor<900x%s>\n"
                                 "%%r = arith.select %%c, %%x0, %%x1 : tensor<900xi1>, "
                                 "tensor<900x%s>",
                                 names[k], floats[t].name, floats[t].name));
      for (int i = 0; i < 900; i++) {
        bench_set(&b, 0, i, bits[i / 30]);
        bench_set(&b, 1, i, bits[i % 30]);
        bench_set(&s, 0, i, bits[i / 30]);
        bench_set(&s, 1, i, bits[i % 30]);
      }
      bench_run(&b);
      bench_run(&s);
      assert_true(bench_float64(&b));
      for (int i = 0; i < 900; i++) {
        bool want = ref_cmp(k, value_of(elem, bits[i / 30]), value_of(elem, bits[i % 30]));
        assert_int_equal(bench_get(&b, 2, i), want);
        assert_int_equal(b.wide[2].data[i], want);
        assert_int_equal(bench_get(&s, 2, i), bits[want ? i / 30 : i % 30]);
      }
      bench_close(&b);
      bench_close(&s);
    }
  }
}

static double ref_rsqrt(double x) {
  return 1 / sqrt(x);
}

static const struct {
  const char *name;
  double (*f)(double);
  double scale; /* of random operands */
} functions[] = {
    {"exp", exp, 10},          {"exp2", exp2, 15}, {"log", log, 10},  {"log2", log2, 10},
    {"rsqrt", ref_rsqrt, 100}, {"sqrt", sqrt, 10}, {"tanh", tanh, 2}, {"erf", erf, 1},
    {"sin", sin, 100},         {"cos", cos, 100},
};

static void test_functions(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
    for (size_t t = 0; t < 3; t++) {
      stp_ir_elem_t elem = floats[t].elem;
      bench_t b;
      enum { N = 3000 };
      open_elementwise(
          &b, 1, floats[t].name, NULL, floats[t].name, N,
          body_text("%%r = math.%s %%x0 : tensor<%dx%s>", functions[k].name, N, floats[t].name));
      bench_random(&b, 0, 31, functions[k].scale);
      uint64_t bits[32];
      for (int i = special_bits(elem, bits) - 1; i >= 0; i--) bench_set(&b, 0, i, bits[i]);
      assert_true(bench_float64(&b));
      bench_run(&b);
      stp_interp_error_t e;
      assert_true(stp_interp_compare(&b.args.buffers[1], b.exact[1].data, b.wide[1].wide, &e));
      assert_true(e.max_ulp > 0.3 && e.max_ulp <= (elem == STP_ELEM_F32 ? 0.6 : 0.5001));
      for (int i = 0; i < N; i++) {
        double x = functions[k].f(value_of(elem, bench_get(&b, 0, i))), got = b.wide[1].wide[i];
        assert_true(isnan(x) ? isnan(got) : got == x && !signbit(got) == !signbit(x));
        double y = value_of(elem, bench_get(&b, 1, i)), rounded = value_of(elem, bits_of(elem, x));
        assert_int_equal(isnan(y), isnan(x));
        if (isinf(x) || x == 0) assert_true(y == x && !signbit(y) == !signbit(x));
        if (elem != STP_ELEM_F32 && isfinite(rounded))
          assert_true(fabs(y - x) <= fabs(rounded - x) * 1.001);
      }
      bench_close(&b);
    }
  }
}

/* ---- casts ---------------------------------------------------------------------------------- */

static void test_float_casts(void **state) {
  (void)state;
  for (size_t f = 0; f < 3; f++) {
    for (size_t t = 0; t < 3; t++) {
      if (f == t) continue;
      stp_ir_elem_t from = floats[f].elem, to = floats[t].elem;
      const char *op = t == 2 ? "extf" : f == 2 ? "truncf" : "convertf";
      bench_t b;
      enum { N = 1000 };
      open_elementwise(&b, 1, floats[f].name, NULL, floats[t].name, N,
                       body_text("%%r = arith.%s %%x0 : tensor<%dx%s> to tensor<%dx%s>", op, N,
                                 floats[f].name, N, floats[t].name));
      uint64_t bits[32];
      bench_random(&b, 0, 3, f == 1 ? 1e30 : 100);
      for (int i = special_bits(from, bits) - 1; i >= 0; i--) bench_set(&b, 0, i, bits[i]);
      assert_true(bench_float64(&b));
      bench_run(&b);
      for (int i = 0; i < N; i++) {
        double x = value_of(from, bench_get(&b, 0, i));
        assert_int_equal(bench_get(&b, 1, i), bits_of(to, x));
        assert_true(same_number(b.wide[1].wide[i], x)); /* no rounding */
      }
      bench_close(&b);
    }
  }
}

static void test_int_float_casts(void **state) {
  (void)state;
  static const int64_t values[] = {0,
                                   1,
                                   -1,
                                   127,
                                   -128,
                                   128,
                                   32767,
                                   -32768,
                                   2049,
                                   -2051,
                                   16777217,
                                   2147483647,
                                   -2147483648LL,
                                   4294967295LL,
                                   16777219,
                                   INT64_MAX,
                                   INT64_MIN,
                                   0x4000004000000001,
                                   0x7fffff4000000000,
                                   33554433};
  enum { N = sizeof values / sizeof values[0] };
  static const struct {
    const char *name;
    int bits;
  } ints[] = {{"i1", 1}, {"i8", 8}, {"i16", 16}, {"i32", 32}, {"i64", 64}};
  for (int k = 0; k < 5; k++) {
    for (size_t t = 0; t < 3; t++) {
      for (int u = 0; u < 2; u++) {
        bench_t b;
        open_elementwise(&b, 1, ints[k].name, NULL, floats[t].name, N,
                         body_text("%%r = arith.%s %%x0 : tensor<%dx%s> to tensor<%dx%s>",
                                   u ? "uitofp" : "sitofp", N, ints[k].name, N, floats[t].name));
        for (int i = 0; i < N; i++) bench_set(&b, 0, i, (uint64_t)values[i] & (k ? ~0ull : 1));
        bench_run(&b);
        for (int i = 0; i < N; i++) {
          int drop = 64 - ints[k].bits;
          int64_t s = (int64_t)((uint64_t)values[i] << drop) >> drop;
          uint64_t z = (uint64_t)values[i] << drop >> drop;
          /* Straight to float is one rounding; the narrow formats would overflow or fit double. */
          uint64_t want =
              t == 2 ? (u ? f32_bits((float)z) : f32_bits((float)s))
                     : bits_of(floats[t].elem, u ? (double)(z | (z >> 53 ? 1 : 0)) : (double)s);
          if (t != 2 && (s > (1ll << 53) || z > (1ull << 53))) continue;
          assert_int_equal(bench_get(&b, 1, i), want);
        }
        bench_close(&b);
      }
    }
  }
}

static void test_float_int_casts(void **state) {
  (void)state;
  static const double values[] = {
      0,     -0.9,   0.99,  1.5, -1.5, 127.9, 128,  -128.9, -129, 255.5,    256,       32767.5,
      32768, -32769, 65504, 3e9, -3e9, 5e9,   1e19, -1e19,  2e19, HUGE_VAL, -HUGE_VAL, (double)NAN};
  enum { N = sizeof values / sizeof values[0] };
  static const struct {
    const char *name;
    int bits;
  } ints[] = {{"i8", 8}, {"i16", 16}, {"i32", 32}, {"i64", 64}};
  for (int k = 0; k < 4; k++) {
    for (int u = 0; u < 2; u++) {
      bench_t b;
      open_elementwise(&b, 1, "f32", NULL, ints[k].name, N,
                       body_text("%%r = arith.%s %%x0 : tensor<%dxf32> to tensor<%dx%s>",
                                 u ? "fptoui" : "fptosi", N, N, ints[k].name));
      for (int i = 0; i < N; i++) bench_set(&b, 0, i, f32_bits((float)values[i]));
      assert_true(bench_float64(&b));
      bench_run(&b);
      for (int i = 0; i < N; i++) {
        int bits = ints[k].bits;
        long double lo = u ? 0 : -ldexpl(1, bits - 1), hi = ldexpl(1, u ? bits : bits - 1) - 1;
        long double x = truncl((long double)(float)values[i]);
        x = isnan(x) ? 0 : x < lo ? lo : x > hi ? hi : x;
        uint64_t want = x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
        if (bits < 64) want &= ((uint64_t)1 << bits) - 1;
        assert_int_equal(bench_get(&b, 1, i), want);
        uint64_t wide = 0;
        memcpy(&wide, b.wide[1].data + i * bits / 8, (size_t)bits / 8);
        assert_int_equal(wide, want);
      }
      bench_close(&b);
    }
  }
}

static void test_bitcast(void **state) {
  (void)state;
  bench_t b;
  open_elementwise(&b, 1, "f16", NULL, "f16", 30,
                   "%i = arith.bitcast %x0 : tensor<30xf16> to tensor<30xi16>\n"
                   "%c = arith.constant dense<3> : tensor<30xi16>\n"
                   "%j = arith.xori %i, %c : tensor<30xi16>\n"
                   "%r = arith.bitcast %j : tensor<30xi16> to tensor<30xf16>");
  uint64_t bits[32];
  for (int i = special_bits(STP_ELEM_F16, bits) - 1; i >= 0; i--) bench_set(&b, 0, i, bits[i]);
  assert_true(bench_float64(&b));
  bench_run(&b);
  for (int i = 0; i < 30; i++) {
    assert_int_equal(bench_get(&b, 1, i), bits[i] ^ 3);
    double x = value_of(STP_ELEM_F16, bits[i]);
    if (!isnan(x)) {
      assert_true(same_number(b.wide[1].wide[i], value_of(STP_ELEM_F16, bits[i] ^ 3)) ||
                  isnan(value_of(STP_ELEM_F16, bits[i] ^ 3)));
    }
  }
  bench_close(&b);
}

/* ---- integers ------------------------------------------------------------------------------- */

/* i8, every pair for which the op has a result, in the arithmetic of C. */
static bool ref_int(int op, int8_t a, int8_t b, int *out) {
  uint8_t ua = (uint8_t)a, ub = (uint8_t)b;
  bool signed_division = op == 3 || op == 5 || op == 7;
  if (op >= 3 && op <= 9 && b == 0) return false;
  if (signed_division && a == -128 && b == -1) return false;
  if (op >= 13 && op <= 15 && ub >= 8) return false;
  switch (op) {
  case 0:
    *out = a + b;
    return true;
  case 1:
    *out = a - b;
    return true;
  case 2:
    *out = a * b;
    return true;
  case 3:
    *out = a / b;
    return true;
  case 4:
    *out = ua / ub;
    return true;
  case 5:
    *out = (int)ceil((double)a / b);
    return true;
  case 6:
    *out = (int)ceil((double)ua / ub);
    return true;
  case 7:
    *out = (int)floor((double)a / b);
    return true;
  case 8:
    *out = a % b;
    return true;
  case 9:
    *out = ua % ub;
    return true;
  case 10:
    *out = a & b;
    return true;
  case 11:
    *out = a | b;
    return true;
  case 12:
    *out = a ^ b;
    return true;
  case 13:
    *out = ua << ub;
    return true;
  case 14:
    *out = (int)floor((double)a / (1 << ub));
    return true;
  case 15:
    *out = ua >> ub;
    return true;
  case 16:
    *out = a > b ? a : b;
    return true;
  case 17:
    *out = ua > ub ? ua : ub;
    return true;
  case 18:
    *out = a < b ? a : b;
    return true;
  default:
    *out = ua < ub ? ua : ub;
    return true;
  }
}

static void test_int_binary(void **state) {
  (void)state;
  static const char *const names[] = {"addi",      "subi",      "muli",       "divsi", "divui",
                                      "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui",
                                      "andi",      "ori",       "xori",       "shli",  "shrsi",
                                      "shrui",     "maxsi",     "maxui",      "minsi", "minui"};
  for (int op = 0; op < 20; op++) {
    bench_t b;
    enum { N = 65536 };
    open_elementwise(&b, 2, "i8", "i8", "i8", N,
                     body_text("%%r = arith.%s %%x0, %%x1 : tensor<%dxi8>", names[op], N));
    int want;
    for (int i = 0; i < N; i++) {
      bool has = ref_int(op, (int8_t)(i >> 8), (int8_t)i, &want);
      bench_set(&b, 0, i, has ? (uint64_t)i >> 8 : 1);
      bench_set(&b, 1, i, has ? (uint64_t)i & 255 : 1);
    }
    bench_run(&b);
    for (int i = 0; i < N; i++) {
      int8_t x = (int8_t)bench_get(&b, 0, i), y = (int8_t)bench_get(&b, 1, i);
      assert_true(ref_int(op, x, y, &want));
      if (bench_get(&b, 2, i) != (uint8_t)want) fail_msg("arith.%s %d, %d", names[op], x, y);
    }
    bench_close(&b);
  }
}

/* Scalars and tensors go different ways to the same meaning; i64 has its own extremes. */
static void test_int_wide(void **state) {
  (void)state;
  bench_t b;
  open_elementwise(&b, 2, "i64", "i64", "i64", 6,
                   "%m = arith.muli %x0, %x1 : tensor<6xi64>\n"
                   "%a = math.absi %m : tensor<6xi64>\n"
                   "%r = arith.addi %a, %x0 : tensor<6xi64>");
  const int64_t x[6] = {INT64_MAX, INT64_MIN, -1, 1ll << 33, 5, -7};
  const int64_t y[6] = {3, 1, INT64_MIN, 1ll << 33, -6, -8};
  for (int i = 0; i < 6; i++) {
    bench_set(&b, 0, i, (uint64_t)x[i]);
    bench_set(&b, 1, i, (uint64_t)y[i]);
  }
  bench_run(&b);
  for (int i = 0; i < 6; i++) {
    uint64_t m = (uint64_t)x[i] * (uint64_t)y[i];
    if ((int64_t)m < 0) m = 0 - m;
    assert_int_equal(bench_get(&b, 2, i), m + (uint64_t)x[i]);
  }
  bench_close(&b);
  open_elementwise(&b, 1, "i8", NULL, "i32", 256,
                   "%s = arith.extsi %x0 : tensor<256xi8> to tensor<256xi32>\n"
                   "%u = arith.extui %x0 : tensor<256xi8> to tensor<256xi32>\n"
                   "%i = arith.index_cast %s : tensor<256xi32> to tensor<256xindex>\n"
                   "%k = arith.index_cast %i : tensor<256xindex> to tensor<256xi32>\n"
                   "%c8 = arith.constant dense<8> : tensor<256xi32>\n"
                   "%h = arith.shli %u, %c8 : tensor<256xi32>\n"
                   "%t = arith.trunci %h : tensor<256xi32> to tensor<256xi16>\n"
                   "%v = arith.extsi %t : tensor<256xi16> to tensor<256xi32>\n"
                   "%lt = arith.cmpi slt, %k, %c8 : tensor<256xi32>\n"
                   "%r = arith.select %lt, %v, %k : tensor<256xi1>, tensor<256xi32>");
  for (int i = 0; i < 256; i++) bench_set(&b, 0, i, (uint64_t)i);
  bench_run(&b);
  for (int i = 0; i < 256; i++) {
    int32_t k = (int8_t)i;
    int32_t v = (int16_t)(i << 8);
    assert_int_equal(bench_get(&b, 1, i), (uint32_t)(k < 8 ? v : k));
  }
  bench_close(&b);
}

static void test_cmpi(void **state) {
  (void)state;
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  for (int k = 0; k < 10; k++) {
    bench_t b;
    enum { N = 65536 };
    open_elementwise(&b, 2, "i8", "i8", "i1", N,
                     body_text("%%r = arith.cmpi %s, %%x0, %%x1 : tensor<%dxi8>", names[k], N));
    for (int i = 0; i < N; i++) {
      bench_set(&b, 0, i, (uint64_t)i >> 8);
      bench_set(&b, 1, i, (uint64_t)i & 255);
    }
    bench_run(&b);
    for (int i = 0; i < N; i++) {
      int8_t x = (int8_t)(i >> 8), y = (int8_t)i;
      uint8_t u = (uint8_t)x, v = (uint8_t)y;
      const bool want[] = {x == y, x != y, x<y, x <= y, x> y, x >= y, u<v, u <= v, u> v, u >= v};
      assert_int_equal(bench_get(&b, 2, i), want[k]);
    }
    bench_close(&b);
  }
}

/* ---- what has no answer --------------------------------------------------------------------- */

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *body, *message;
  } list[] = {
      {"f16", "%r = math.log1p %x0 : tensor<4xf16>", "on f16 is not supported"},
      {"f32", "%r = math.powf %x0, %x0 : tensor<4xf32>", "on f32 is not supported"},
      {"f8E4M3FN", "%r = arith.addf %x0, %x0 : tensor<4xf8E4M3FN>", "on f8E4M3FN is not supported"},
      {"i32",
       "%z = arith.constant dense<[1, 2, 0, 3]> : tensor<4xi32>\n"
       "%r = arith.divsi %x0, %z : tensor<4xi32>",
       "divides by zero"},
      {"i32",
       "%z = arith.constant dense<-1> : tensor<4xi32>\n"
       "%m = arith.constant dense<-2147483648> : tensor<4xi32>\n"
       "%r = arith.divsi %m, %z : tensor<4xi32>",
       "divides the lowest number by -1"},
      {"i32",
       "%z = arith.constant dense<32> : tensor<4xi32>\n"
       "%r = arith.shli %x0, %z : tensor<4xi32>",
       "shifts by the width"},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    bench_t b;
    open_elementwise(&b, 1, list[i].type, NULL, list[i].type, 4, list[i].body);
    bench_fails(&b, list[i].message, 0);
    bench_close(&b);
  }
}

/* f8 moves and is selected, though nothing is computed with it. */
static void test_move_f8(void **state) {
  (void)state;
  bench_t b;
  open_elementwise(&b, 2, "f8E5M2", "i1", "f8E5M2", 256,
                   "%k = arith.constant dense<0x7D> : tensor<256xf8E5M2>\n"
                   "%r = arith.select %x1, %x0, %k : tensor<256xi1>, tensor<256xf8E5M2>");
  for (int i = 0; i < 256; i++) {
    bench_set(&b, 0, i, (uint64_t)i);
    bench_set(&b, 1, i, i % 3 != 0);
  }
  bench_run(&b);
  for (int i = 0; i < 256; i++) assert_int_equal(bench_get(&b, 2, i), i % 3 != 0 ? i : 0x7d);
  bench_close(&b);
}

static void test_compare(void **state) {
  (void)state;
  stp_kernel_buffer_t buffer = {.storage = STP_ELEM_F16, .elem = STP_ELEM_F16, .extent = 5};
  const uint16_t data[5] = {0x3c00, 0x7c00, 0x7e00, 0x0001, 0x4000};
  double wide[5] = {1, HUGE_VAL, (double)NAN, 0, 2};
  stp_interp_error_t e;
  assert_true(stp_interp_compare(&buffer, data, wide, &e));
  assert_true(e.max_abs == ldexp(1, -24) && e.at_abs == 3 && e.max_ulp == 1 && e.at_ulp == 3);
  wide[4] = 2 + 3 * ldexp(1, -9); /* 3 places at 2 */
  wide[3] = ldexp(1, -24);
  assert_true(stp_interp_compare(&buffer, data, wide, &e));
  assert_true(e.max_abs == 3 * ldexp(1, -9) && e.at_abs == 4 && e.max_ulp == 3 && e.at_ulp == 4);
  wide[2] = 1; /* NaN where there is a number */
  assert_true(stp_interp_compare(&buffer, data, wide, &e));
  assert_true(isinf(e.max_abs) && e.at_abs == 2 && isinf(e.max_ulp) && e.at_ulp == 2);
  wide[2] = (double)NAN;
  wide[1] = -HUGE_VAL;
  assert_true(stp_interp_compare(&buffer, data, wide, &e));
  assert_true(isinf(e.max_abs) && e.at_abs == 1);
  buffer.storage = STP_ELEM_I16;
  assert_false(stp_interp_compare(&buffer, data, wide, &e));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float_binary),
      cmocka_unit_test(test_float_unary),
      cmocka_unit_test(test_fma),
      cmocka_unit_test(test_cmpf_select),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_float_casts),
      cmocka_unit_test(test_int_float_casts),
      cmocka_unit_test(test_float_int_casts),
      cmocka_unit_test(test_bitcast),
      cmocka_unit_test(test_int_binary),
      cmocka_unit_test(test_int_wide),
      cmocka_unit_test(test_cmpi),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_move_f8),
      cmocka_unit_test(test_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
