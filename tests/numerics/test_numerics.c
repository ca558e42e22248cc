/* The numerics library against itself and against the host.
 *
 * The exact (integer) implementation is checked against definitions that share nothing with it:
 * values by ldexp, rounding by comparing distances to neighbours in long double, binary32
 * operations by the host's own. Then both fast implementations must equal the exact one:
 * exhaustively for one 16-bit operand, on all pairs (triples for FMA) of special values, and on
 * random operands drawn where rounding is hard. argv[1] is the number of random cases per operation
 * and format (default 100000).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "values.h"

static const unsigned floats[] = {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32};
static const char *const fmt_name[] = {"f16", "bf16", "f32", "f32p", "i32", "i16"};

struct context {
  long cases;
};

static const struct stp_num *const *fast_tables(void) {
  static const struct stp_num *tables[3];
  if (!tables[0]) { /* once: stp_num_fast() asks the processor */
    tables[0] = stp_num_portable();
    tables[1] = stp_num_fast() != stp_num_portable() ? stp_num_fast() : NULL;
  }
  return tables;
}

static bool is_nan(unsigned fmt, uint32_t v) {
  return isnan(stp_num_to_double(fmt, v));
}

static uint32_t canonical_nan(unsigned fmt) {
  return fmt == STP_FMT_F16 ? STP_NAN_F16 : fmt == STP_FMT_BF16 ? STP_NAN_BF16 : STP_NAN_F32;
}

static unsigned bits_of(unsigned fmt) {
  return 8 * stp_fmt_bytes(fmt);
}

/* ---- the exact implementation against definitions ---- */

/* The value of the bits by the definition of the format. */
static double value_by_definition(unsigned fmt, uint32_t v) {
  const int p = fmt == STP_FMT_F16 ? 10 : fmt == STP_FMT_BF16 ? 7 : 23;
  const int bias = fmt == STP_FMT_F16 ? 15 : 127, top = 2 * bias + 1;
  const int e = (int)(v >> p) & top;
  const double f = v & ((1u << p) - 1), sign = v >> (bits_of(fmt) - 1) & 1 ? -1 : 1;
  if (e == top) return f != 0 ? (double)NAN : sign * HUGE_VAL;
  return sign * (e ? ldexp(f + ldexp(1, p), e - bias - p) : ldexp(f, 1 - bias - p));
}

static void values_are_as_defined(void **state) {
  (void)state;
  struct rng r = {1};
  for (unsigned k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < 65536; i++) {
      const uint32_t v = floats[k] == STP_FMT_F32 ? random_value(&r, STP_FMT_F32) : i;
      const double want = value_by_definition(floats[k], v), got = stp_num_to_double(floats[k], v);
      assert_true(isnan(want) ? isnan(got) : want == got && !signbit(want) == !signbit(got));
      const uint32_t back = stp_num_from_double(floats[k], got);
      assert_int_equal(back, isnan(got) ? canonical_nan(floats[k]) : v);
    }
  }
}

/* Fails unless r is `want` rounded to nearest even: no neighbour is nearer, and of two equally
 * near, r is the even one. `want` must be exact, or off by less than the distance of any result to
 * a tie. */
static void assert_rounded(unsigned fmt, uint32_t r, long double want) {
  const uint32_t sign = 1u << (bits_of(fmt) - 1);
  const uint32_t inf = fmt == STP_FMT_F16 ? 0x7c00 : fmt == STP_FMT_BF16 ? 0x7f80 : 0x7f800000;
  if (isnan(want)) {
    assert_int_equal(r, canonical_nan(fmt));
    return;
  }
  assert_false(is_nan(fmt, r));
  if (want != 0) assert_int_equal((r & sign) != 0, want < 0);
  const uint32_t magnitude = r & ~sign;
  /* Past the largest finite value the format goes on as if exponents were unbounded; that value
   * stands for infinity. */
  const long double beyond = 2 * (long double)value_by_definition(fmt, inf - 1) -
                             (long double)value_by_definition(fmt, inf - 2);
  const long double a = fabsl(want);
  const long double here =
      magnitude == inf ? beyond : (long double)value_by_definition(fmt, magnitude);
  if (magnitude == inf && a > beyond) return;
  const long double d = fabsl(a - here);
  if (magnitude > 0) {
    const long double down = fabsl(a - (long double)value_by_definition(fmt, magnitude - 1));
    assert_true(d < down || (d == down && !(magnitude & 1)));
  }
  if (magnitude < inf) {
    const long double next =
        magnitude + 1 == inf ? beyond : (long double)value_by_definition(fmt, magnitude + 1);
    const long double up = fabsl(a - next);
    assert_true(d < up || (d == up && !(magnitude & 1)));
  }
}

/* 16-bit sums, products and FMAs are exact in long double only if their spread is small; TwoSum
 * tells. */
static bool exact_sum(long double x, long double y, long double *sum) {
  const long double s = x + y, bb = s - x;
  *sum = s;
  return !isfinite(s) || (x - (s - bb)) + (y - bb) == 0;
}

static void exact_rounds_once(void **state) {
  const struct context *ctx = *state;
  const struct stp_num *x = stp_num_exact();
  struct rng r = {2};
  long checked = 0;
  for (unsigned k = 0; k < 2; k++) {
    const unsigned f = floats[k];
    for (long i = 0; i < ctx->cases; i++) {
      uint32_t v[3];
      random_operands(&r, f, v);
      const long double a = value_by_definition(f, v[0]), b = value_by_definition(f, v[1]),
                        c = value_by_definition(f, v[2]);
      long double s;
      if (exact_sum(a, b, &s)) assert_rounded(f, x->op(STP_OP_VADD, 0, f, f, v[0], v[1], 0), s);
      if (exact_sum(a, -b, &s)) assert_rounded(f, x->op(STP_OP_VSUB, 0, f, f, v[0], v[1], 0), s);
      assert_rounded(f, x->op(STP_OP_VMUL, 0, f, f, v[0], v[1], 0), a * b);
      /* A quotient of 8 or 11 bits is no nearer to a tie than 2^-24 of itself, unless it is one. */
      assert_rounded(f, x->op(STP_OP_VDIV, 0, f, f, v[0], v[1], 0), a / b);
      /* A root that is no square is no nearer to a tie than about 2^-24 of itself. */
      assert_rounded(f, x->op(STP_OP_VSQRT, 0, f, f, v[0], 0, 0), sqrtl(a));
      if (exact_sum(a * b, c, &s)) {
        assert_rounded(f, x->op(STP_OP_VFMA, 0, f, f, v[0], v[1], v[2]), s);
        checked++;
      }
    }
  }
  assert_true(checked > ctx->cases / 4);
}

static uint32_t bits32(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return f != f ? STP_NAN_F32 : u;
}

static float float32(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}

static void exact_f32_is_the_hosts(void **state) {
  const struct context *ctx = *state;
  const struct stp_num *x = stp_num_exact();
  const unsigned f = STP_FMT_F32;
  struct rng r = {3};
  for (long i = 0; i < ctx->cases; i++) {
    uint32_t v[3];
    random_operands(&r, f, v);
    const float a = float32(v[0]), b = float32(v[1]), c = float32(v[2]);
    assert_int_equal(x->op(STP_OP_VADD, 0, f, f, v[0], v[1], 0), bits32(a + b));
    assert_int_equal(x->op(STP_OP_VSUB, 0, f, f, v[0], v[1], 0), bits32(a - b));
    assert_int_equal(x->op(STP_OP_VMUL, 0, f, f, v[0], v[1], 0), bits32(a * b));
    assert_int_equal(x->op(STP_OP_VDIV, 0, f, f, v[0], v[1], 0), bits32(a / b));
    assert_int_equal(x->op(STP_OP_VSQRT, 0, f, f, v[0], 0, 0), bits32(sqrtf(a)));
    assert_int_equal(x->op(STP_OP_VFMA, 0, f, f, v[0], v[1], v[2]), bits32(fmaf(a, b, c)));
    const bool predicates[16] = {a == b,
                                 a > b,
                                 a >= b,
                                 a < b,
                                 a <= b,
                                 a < b || a > b,
                                 a == a && b == b,
                                 !(a < b || a > b),
                                 !(a <= b),
                                 !(a < b),
                                 !(a >= b),
                                 !(a > b),
                                 !(a == b),
                                 a != a || b != b,
                                 true,
                                 false};
    for (unsigned p = 0; p < 16; p++)
      assert_int_equal(x->op(STP_OP_VCMP, p, f, f, v[0], v[1], 0), predicates[p] ? 0xffffffffu : 0);
    const uint32_t n = random_value(&r, STP_FMT_I32);
    assert_int_equal(x->op(STP_OP_VCVT, 0, f, STP_FMT_I32, n, 0, 0), bits32((float)(int32_t)n));
    assert_rounded(STP_FMT_F16, x->op(STP_OP_VCVT, 0, STP_FMT_F16, STP_FMT_I32, n, 0, 0),
                   (int32_t)n);
    assert_rounded(STP_FMT_BF16, x->op(STP_OP_VCVT, 0, STP_FMT_BF16, STP_FMT_I32, n, 0, 0),
                   (int32_t)n);
    if (!isnan(a)) {
      assert_rounded(STP_FMT_F16, x->op(STP_OP_VPACK, 0, STP_FMT_F16, f, v[0], 0, 0), a);
      assert_rounded(STP_FMT_BF16, x->op(STP_OP_VPACK, 0, STP_FMT_BF16, f, v[0], 0, 0), a);
    }
    const long long t = isnan(a)        ? 0
                        : a >= 0x1p31f  ? INT32_MAX
                        : a <= -0x1p31f ? INT32_MIN
                                        : (long long)a;
    assert_int_equal((int32_t)x->op(STP_OP_VCVT, 0, STP_FMT_I32, f, v[0], 0, 0), t);
  }
}

/* ---- minima, maxima and bit operations: a table from the text of numerics.md ---- */

static void minima_and_maxima(void **state) {
  (void)state;
  static const struct {
    uint32_t a, b, min, max, minnum, maxnum;
  } t[] = {
      {0x0000, 0x8000, 0x8000, 0x0000, 0x8000, 0x0000},
      {0x8000, 0x0000, 0x8000, 0x0000, 0x8000, 0x0000},
      {0x7d01, 0x3c00, 0x7e00, 0x7e00, 0x3c00, 0x3c00},
      {0x3c00, 0xfe01, 0x7e00, 0x7e00, 0x3c00, 0x3c00},
      {0xfe00, 0x7c01, 0x7e00, 0x7e00, 0x7e00, 0x7e00},
      {0xfc00, 0x7bff, 0xfc00, 0x7bff, 0xfc00, 0x7bff},
      {0x8001, 0x8002, 0x8002, 0x8001, 0x8002, 0x8001},
      {0x3c00, 0x3c01, 0x3c00, 0x3c01, 0x3c00, 0x3c01},
  };
  const struct stp_num *all[4] = {stp_num_exact(), stp_num_portable(), stp_num_fast(), NULL};
  for (const struct stp_num *const *n = all; *n; n++) {
    for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
      assert_int_equal((*n)->op(STP_OP_VMIN, 0, STP_FMT_F16, 0, t[i].a, t[i].b, 0), t[i].min);
      assert_int_equal((*n)->op(STP_OP_VMAX, 0, STP_FMT_F16, 0, t[i].a, t[i].b, 0), t[i].max);
      assert_int_equal((*n)->op(STP_OP_VMINNUM, 0, STP_FMT_F16, 0, t[i].a, t[i].b, 0), t[i].minnum);
      assert_int_equal((*n)->op(STP_OP_VMAXNUM, 0, STP_FMT_F16, 0, t[i].a, t[i].b, 0), t[i].maxnum);
    }
    assert_int_equal((*n)->op(STP_OP_VABS, 0, STP_FMT_F16, 0, 0xfd01, 0, 0), 0x7d01);
    assert_int_equal((*n)->op(STP_OP_VNEG, 0, STP_FMT_F32, 0, 0x7f800001, 0, 0), 0xff800001);
    assert_int_equal((*n)->op(STP_OP_VNOT, 0, STP_FMT_I16, 0, 0x1234, 0, 0), 0xedcb);
    assert_int_equal((*n)->op(STP_OP_VSEL, 0, STP_FMT_F16, 0, 0x8000, 1, 2), 1);
    assert_int_equal((*n)->op(STP_OP_VSEL, 0, STP_FMT_F16, 0, 0x0000, 1, 2), 2);
    assert_int_equal((*n)->op(STP_OP_VSRA, 0, STP_FMT_I32, 0, 0x80000000, 35, 0), 0xf0000000);
    assert_int_equal((*n)->op(STP_OP_VSHR, 0, STP_FMT_I32, 0, 0x80000000, 35, 0), 0x10000000);
    assert_int_equal((*n)->op(STP_OP_VIMUL, 0, STP_FMT_I32, 0, 0x80000001, 3, 0), 0x80000003);
    assert_int_equal((*n)->op(STP_OP_VCMP, STP_VCMP_ULT, STP_FMT_I32, 0, 1, 0xffffffff, 0),
                     0xffffffff);
    assert_int_equal((*n)->op(STP_OP_VCMP, STP_VCMP_OLT, STP_FMT_I32, 0, 1, 0xffffffff, 0), 0);
    /* An operation that is not supported writes nothing. */
    uint32_t out = 5;
    assert_false((*n)->row(STP_OP_VIADD, 0, STP_FMT_F16, 0, 1, &out, &out, NULL, &out));
    assert_false((*n)->row(STP_OP_VADD, 0, STP_FMT_DL16, 0, 1, &out, &out, NULL, &out));
    assert_int_equal(out, 5);
  }
}

/* ---- fast against exact ---- */

/* The rows of all fast implementations must equal the exact one; a, b, c hold n lanes each. */
static void compare_rows(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, unsigned n,
                         const void *a, const void *b, const void *c) {
  uint32_t want[256], got[256];
  assert_true(n <= 256);
  memset(want, 0, sizeof want);
  assert_true(stp_num_exact()->row(op, fn, fmt, sfmt, n, a, b, c, want));
  bool equal = true;
  for (const struct stp_num *const *num = fast_tables(); *num; num++) {
    memset(got, 0, sizeof got);
    assert_true((*num)->row(op, fn, fmt, sfmt, n, a, b, c, got));
    if (memcmp(want, got, sizeof want) == 0) continue;
    equal = false;
    for (unsigned i = 0; i < n; i++) {
      const bool half = stp_fmt_bytes(fmt) == 2;
      const uint32_t w = half ? ((uint16_t *)want)[i] : want[i],
                     g = half ? ((uint16_t *)got)[i] : got[i];
      const unsigned from = op == STP_OP_VPACK ? 4
                            : op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC
                                ? stp_fmt_bytes(sfmt)
                                : stp_fmt_bytes(fmt);
      if (w != g)
        print_error("%s: op 0x%x fn %u fmt %s sfmt %s lane %u: a %x b %x c %x gives %x, exact %x\n",
                    (*num)->name, op, fn, fmt_name[fmt], fmt_name[sfmt], i,
                    from == 2 ? ((const uint16_t *)a)[i] : ((const uint32_t *)a)[i],
                    half ? ((const uint16_t *)b)[i] : ((const uint32_t *)b)[i],
                    half ? ((const uint16_t *)c)[i] : ((const uint32_t *)c)[i], g, w);
    }
  }
  assert_true(equal);
}

static void put(void *row, unsigned fmt, unsigned i, uint32_t v) {
  if (stp_fmt_bytes(fmt) == 2)
    ((uint16_t *)row)[i] = (uint16_t)v;
  else
    ((uint32_t *)row)[i] = v;
}

static void unary_16_bit_exhaustive(void **state) {
  (void)state;
  static const unsigned ops[][3] = {
      {STP_OP_VABS, STP_FMT_F16, 0},
      {STP_OP_VABS, STP_FMT_BF16, 0},
      {STP_OP_VNEG, STP_FMT_F16, 0},
      {STP_OP_VNEG, STP_FMT_BF16, 0},
      {STP_OP_VFUNC, STP_FMT_F16, 0},
      {STP_OP_VFUNC, STP_FMT_BF16, 0},
      {STP_OP_VSQRT, STP_FMT_F16, 0},
      {STP_OP_VSQRT, STP_FMT_BF16, 0},
      {STP_OP_VUNPACK, STP_FMT_F32P, STP_FMT_F16},
      {STP_OP_VUNPACK, STP_FMT_F32P, STP_FMT_BF16},
      {STP_OP_VCVT, STP_FMT_F16, STP_FMT_F16},
      {STP_OP_VCVT, STP_FMT_F16, STP_FMT_BF16},
      {STP_OP_VCVT, STP_FMT_BF16, STP_FMT_F16},
      {STP_OP_VCVT, STP_FMT_BF16, STP_FMT_BF16},
      {STP_OP_VCVT, STP_FMT_F32, STP_FMT_F16},
      {STP_OP_VCVT, STP_FMT_F32, STP_FMT_BF16},
      {STP_OP_VCVT, STP_FMT_I32, STP_FMT_F16},
      {STP_OP_VCVT, STP_FMT_I32, STP_FMT_BF16},
  };
  for (unsigned k = 0; k < sizeof ops / sizeof ops[0]; k++) {
    for (unsigned base = 0; base < 65536; base += 256) {
      uint16_t a[256];
      uint32_t zero[256] = {0};
      for (unsigned i = 0; i < 256; i++) a[i] = (uint16_t)(base + i);
      compare_rows(ops[k][0], STP_VFUNC_EXP, ops[k][1], ops[k][2], 256, a, zero, zero);
    }
  }
}

static const struct {
  unsigned op, sources, fmts; /* fmts: bit per format */
} operations[] = {
    {STP_OP_VADD, 2, 0xf},   {STP_OP_VSUB, 2, 0xf},    {STP_OP_VMUL, 2, 0xf},
    {STP_OP_VFMA, 3, 0xf},   {STP_OP_VDIV, 2, 0xf},    {STP_OP_VMIN, 2, 0xf},
    {STP_OP_VMAX, 2, 0xf},   {STP_OP_VMINNUM, 2, 0xf}, {STP_OP_VMAXNUM, 2, 0xf},
    {STP_OP_VABS, 1, 0xf},   {STP_OP_VNEG, 1, 0xf},    {STP_OP_VSEL, 3, 0x3f},
    {STP_OP_VAND, 2, 0x3f},  {STP_OP_VOR, 2, 0x3f},    {STP_OP_VXOR, 2, 0x3f},
    {STP_OP_VNOT, 1, 0x3f},  {STP_OP_VIADD, 2, 0x10},  {STP_OP_VISUB, 2, 0x10},
    {STP_OP_VIMUL, 2, 0x10}, {STP_OP_VSHL, 2, 0x10},   {STP_OP_VSHR, 2, 0x10},
    {STP_OP_VSRA, 2, 0x10},  {STP_OP_VIMIN, 2, 0x10},  {STP_OP_VIMAX, 2, 0x10},
    {STP_OP_VFUNC, 1, 0xf},  {STP_OP_VMOV, 1, 0x3f},   {STP_OP_VSQRT, 1, 0xf},
};
#define OPERATIONS (sizeof operations / sizeof operations[0])

static unsigned value_fmt(unsigned fmt) {
  return fmt == STP_FMT_F32P ? STP_FMT_F32 : fmt == STP_FMT_I16 ? STP_FMT_F16 : fmt;
}

/* All tuples of special values, in rows of up to 256. */
static void special_values_agree(void **state) {
  (void)state;
  for (unsigned k = 0; k < OPERATIONS; k++) {
    for (unsigned f = 0; f < 6; f++) {
      if (!(operations[k].fmts >> f & 1)) continue;
      uint32_t s[64];
      const unsigned n = special_values(value_fmt(f), s), sources = operations[k].sources;
      for (unsigned x = 0; x < n; x++) {
        for (unsigned y = 0; y < (sources > 1 ? n : 1); y++) {
          uint32_t a[64], b[64], c[64];
          for (unsigned z = 0; z < n; z++) {
            put(a, f, z, s[x]);
            put(b, f, z, s[y]);
            put(c, f, z, s[z]);
          }
          compare_rows(operations[k].op, 0, f, f, sources > 2 ? n : 1, a, b, c);
        }
      }
    }
  }
  for (unsigned f = 0; f < 5; f++) {
    uint32_t s[64], a[64], b[64];
    const unsigned n = special_values(value_fmt(f), s);
    for (unsigned fn = 0; fn < 16; fn++) {
      for (unsigned x = 0; x < n; x++) {
        for (unsigned z = 0; z < n; z++) {
          put(a, f, z, s[x]);
          put(b, f, z, s[z]);
        }
        compare_rows(STP_OP_VCMP, fn, f, f, n, a, b, a);
      }
    }
  }
}

static void random_values_agree(void **state) {
  const struct context *ctx = *state;
  struct rng r = {4};
  for (unsigned k = 0; k < OPERATIONS; k++) {
    for (unsigned f = 0; f < 6; f++) {
      if (!(operations[k].fmts >> f & 1) || f == STP_FMT_F32P) continue;
      for (long i = 0; i < ctx->cases; i += 200) {
        uint32_t a[200], b[200], c[200];
        for (unsigned z = 0; z < 200; z++) {
          uint32_t v[3];
          random_operands(&r, value_fmt(f), v);
          put(a, f, z, v[0]);
          put(b, f, z, v[1]);
          put(c, f, z, v[2]);
        }
        compare_rows(operations[k].op, 0, f, f, 200, a, b, c);
      }
    }
  }
  for (long i = 0; i < ctx->cases; i += 200) {
    uint32_t a[200], b[200], h[200];
    for (unsigned z = 0; z < 200; z++) {
      a[z] = random_value(&r, STP_FMT_F32);
      b[z] = random_value(&r, STP_FMT_I32);
    }
    for (unsigned to = 0; to < 3; to++) {
      compare_rows(STP_OP_VCVT, 0, floats[to], STP_FMT_F32, 200, a, a, a);
      compare_rows(STP_OP_VCVT, 0, floats[to], STP_FMT_I32, 200, b, b, b);
    }
    compare_rows(STP_OP_VCVT, 0, STP_FMT_I32, STP_FMT_F32, 200, a, a, a);
    compare_rows(STP_OP_VCVT, 0, STP_FMT_I32, STP_FMT_I32, 200, b, b, b);
    for (unsigned to = 0; to < 2; to++) {
      compare_rows(STP_OP_VPACK, 0, to, 0, 200, a, a, a);
      for (unsigned z = 0; z < 200; z++) put(h, to, z, random_value(&r, to));
      compare_rows(STP_OP_VACC, 0, STP_FMT_F32P, to, 200, h, a, a);
      compare_rows(STP_OP_VCMP, (unsigned)(i / 200 % 16), to, 0, 199, h, (uint16_t *)h + 1, a);
    }
    for (unsigned fn = 0; fn < 16; fn++) {
      compare_rows(STP_OP_VCMP, fn, STP_FMT_F32, 0, 199, a, a + 1, a);
      compare_rows(STP_OP_VCMP, fn, STP_FMT_I32, 0, 199, b, b + 1, b);
    }
  }
}

/* ---- PT rows and folds ---- */

static void pt_rows_agree(void **state) {
  const struct context *ctx = *state;
  for (const struct stp_num *const *num = fast_tables(); *num; num++) {
    struct rng r = {5};
    for (long i = 0; i < ctx->cases / 512; i++) {
      const unsigned fmt = i & 1, nblk = 1 + i % 8;
      uint16_t h[64];
      uint32_t a[64], w[64][64], want[64], got[64], plain[64];
      for (unsigned k = 0; k < 8 * nblk; k++) {
        for (unsigned j = 0; j < 64; j++)
          h[j] = (uint16_t)(i % 16 ? rng_next(&r) & 0xbbff : random_value(&r, fmt));
        assert_true((*num)->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64, h, NULL, NULL, w[k]));
      }
      for (unsigned j = 0; j < 64; j++)
        h[j] = (uint16_t)(i % 16 ? rng_next(&r) & 0xbbff : random_value(&r, fmt));
      (*num)->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64, h, NULL, NULL, a);
      for (unsigned j = 0; j < 64; j++) want[j] = got[j] = plain[j] = random_value(&r, STP_FMT_F32);
      stp_num_exact()->pt_row(nblk, a, (const uint32_t(*)[64])w, want);
      (*num)->pt_row(nblk, a, (const uint32_t(*)[64])w, got);
      assert_memory_equal(want, got, sizeof want);
      /* and the text of numerics.md, with the host's fmaf */
      for (unsigned j = 0; j < 64; j++) {
        for (unsigned b = 0; b < nblk; b++) {
          float chunk = 0;
          for (unsigned k = 8 * b; k < 8 * b + 8; k++)
            chunk = fmaf(float32(a[k]), float32(w[k][j]), chunk);
          plain[j] = bits32(float32(plain[j]) + chunk);
        }
      }
      assert_memory_equal(plain, got, sizeof plain);
    }
  }
}

static void pt_steps_agree(void **state) {
  const struct context *ctx = *state;
  for (const struct stp_num *const *num = fast_tables(); *num; num++) {
    struct rng r = {7};
    for (long i = 0; i < ctx->cases / 64; i++) {
      const unsigned fmt = i & 1, lanes = i % 8 == 7 ? 64 - i / 8 % 64 : 64;
      const uint16_t a = (uint16_t)random_value(&r, fmt);
      uint16_t w[64];
      uint32_t c[64], want[64], got[64];
      for (unsigned j = 0; j < 64; j++) {
        w[j] = (uint16_t)random_value(&r, fmt);
        c[j] = random_value(&r, STP_FMT_F32);
        want[j] = got[j] = j;
      }
      stp_num_exact()->pt_step(fmt, lanes, a, w, c, want);
      (*num)->pt_step(fmt, lanes, a, w, c, got);
      assert_memory_equal(want, got, sizeof want);
      (*num)->pt_step(fmt, lanes, a, w, c, c); /* in place */
      assert_memory_equal(want, c, lanes * sizeof *c);
    }
  }
}

static void folds_agree(void **state) {
  const struct context *ctx = *state;
  for (const struct stp_num *const *num = fast_tables(); *num; num++) {
    struct rng r = {6};
    for (long i = 0; i < ctx->cases / 64; i++) {
      const unsigned f = floats[i % 3], fn = f == STP_FMT_F32 ? i / 3 % 5 : 1 + i / 3 % 4;
      const unsigned lanes = i & 1 ? 64 : 32;
      uint32_t a[64];
      for (unsigned j = 0; j < 64; j++)
        put(a, f, j, random_value(&r, f) & (i % 5 ? 0xffffbfffu : ~0u));
      assert_int_equal((*num)->fold(fn, f, lanes, a), stp_num_exact()->fold(fn, f, lanes, a));
      if (fn == STP_VFOLD_ADD) {
        float v[64];
        memcpy(v, a, sizeof v);
        for (unsigned n = lanes / 2; n; n /= 2)
          for (unsigned j = 0; j < n; j++) v[j] = v[j] + v[j + n];
        assert_int_equal(stp_num_exact()->fold(fn, f, lanes, a), bits32(v[0]));
      }
    }
  }
}

int main(int argc, char **argv) {
  struct context ctx = {argc > 1 ? atol(argv[1]) : 100000};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(values_are_as_defined, &ctx),
      cmocka_unit_test_prestate(exact_rounds_once, &ctx),
      cmocka_unit_test_prestate(exact_f32_is_the_hosts, &ctx),
      cmocka_unit_test_prestate(minima_and_maxima, &ctx),
      cmocka_unit_test_prestate(unary_16_bit_exhaustive, &ctx),
      cmocka_unit_test_prestate(special_values_agree, &ctx),
      cmocka_unit_test_prestate(random_values_agree, &ctx),
      cmocka_unit_test_prestate(pt_rows_agree, &ctx),
      cmocka_unit_test_prestate(pt_steps_agree, &ctx),
      cmocka_unit_test_prestate(folds_agree, &ctx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
