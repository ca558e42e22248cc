/* The functions of vfunc: the exact implementation's error against long double, its special values,
 * points where a function must be exact, and the fast implementations against it.
 *
 * All 65,536 inputs in the 16-bit formats; in f32 the boundaries of every exponent and random
 * values from where the function is neither constant nor out of range. argv[1] is the number of
 * random values per function (default 100000). Prints the largest error of each function and
 * format.
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
static const char *const fmt_name[] = {"f16", "bf16", "f32"};

struct context {
  long cases;
};

static long double want_reciprocal(long double x) {
  return 1 / x;
}
static long double want_rsqrt(long double x) {
  return 1 / sqrtl(x);
}
static long double want_sigmoid(long double x) {
  return 1 / (1 + expl(-x));
}

/* What a function is measured by: random f32 arguments come from lo to hi, uniformly or with a
 * uniform exponent; `limit` is the bound of the error in f32, of which the 16-bit formats get half
 * at most. */
static const struct function {
  long double (*want)(long double);
  double lo, hi;
  double limit;
} functions[STP_VFUNCS] = {
    [STP_VFUNC_EXP] = {expl, -105, 89, 0.55},
    [STP_VFUNC_EXP2] = {exp2l, -151, 129, 0.55},
    [STP_VFUNC_LOG] = {logl, 0, 4, 0.6},
    [STP_VFUNC_LOG2] = {log2l, 0, 4, 0.6},
    [STP_VFUNC_RECIPROCAL] = {want_reciprocal, -8, 8, 0.5},
    [STP_VFUNC_RSQRT] = {want_rsqrt, 0, 8, 0.6},
    [STP_VFUNC_TANH] = {tanhl, -10, 10, 0.6},
    [STP_VFUNC_ERF] = {erfl, -4.5, 4.5, 0.6},
    [STP_VFUNC_SIGMOID] = {want_sigmoid, -105, 20, 0.65},
    [STP_VFUNC_SIN] = {sinl, -20, 20, 0.6},
    [STP_VFUNC_COS] = {cosl, -20, 20, 0.6},
};

static uint32_t call(unsigned fn, unsigned fmt, uint32_t v) {
  return stp_num_exact()->op(STP_OP_VFUNC, fn, fmt, 0, v, 0, 0);
}

static uint32_t bits32(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

/* The i-th f32 argument: the boundaries of every exponent first, then random ones. */
#define BOUNDARIES 65536
static uint32_t argument(const struct function *f, struct rng *r, long i) {
  if (i < BOUNDARIES)
    return (uint32_t)(i & 0x1ff) << 23 | ((uint32_t)(i >> 9 & 0x7f) - 64) % 0x800000;
  const uint64_t bits = rng_next(r);
  switch (i % 4) {
  case 0: /* any bits: huge arguments of sin and cos among them */
    return (uint32_t)bits;
  case 1: /* around 1, where logarithms vanish, at all scales */
    return 0x3f800000u + (uint32_t)((int64_t)bits >> (40 + bits % 23));
  default:
    return bits32((float)(f->lo + (double)(bits >> 11) * 0x1p-53 * (f->hi - f->lo)));
  }
}

/* The f32 nearest to multiples of pi/2, found by trying all: the reduction has to leave enough of
 * them. */
static void circular_at_its_hardest(void **state) {
  (void)state;
  static const uint32_t near[] = {0x6f79be45u, 0x50a3e87fu};
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t v = near[k / 2] | (k & 1) << 31;
    const long double x = (long double)stp_num_to_double(STP_FMT_F32, v);
    assert_true(fminl(fabsl(sinl(x)), fabsl(cosl(x))) < 0x1p-28L);
    assert_true(stp_num_ulps(STP_FMT_F32, call(STP_VFUNC_SIN, STP_FMT_F32, v), sinl(x)) < 0.51);
    assert_true(stp_num_ulps(STP_FMT_F32, call(STP_VFUNC_COS, STP_FMT_F32, v), cosl(x)) < 0.51);
  }
}

static void functions_are_accurate(void **state) {
  const struct context *ctx = *state;
  bool failed = false;
  for (unsigned fn = 0; fn < STP_VFUNCS; fn++) {
    const struct function *f = &functions[fn];
    print_message("%-10s", stp_vfunc_names[fn]);
    for (unsigned k = 0; k < 3; k++) {
      const bool wide = floats[k] == STP_FMT_F32;
      struct rng r = {7 + fn};
      double worst = 0;
      uint32_t where = 0;
      const long n = wide ? BOUNDARIES + ctx->cases : 65536;
      for (long i = 0; i < n; i++) {
        const uint32_t v = wide ? argument(f, &r, i) : (uint32_t)i;
        const double x = stp_num_to_double(floats[k], v);
        const double ulps =
            stp_num_ulps(floats[k], call(fn, floats[k], v), f->want((long double)x));
        if (ulps > worst || ulps != ulps) {
          worst = ulps != ulps ? HUGE_VAL : ulps;
          where = v;
        }
      }
      print_message("  %s %.4f ulp at 0x%0*x", fmt_name[k], worst, wide ? 8 : 4, where);
      failed |= !(worst <= (wide ? f->limit : 0.51));
    }
    print_message("\n");
  }
  assert_false(failed);
}

static uint32_t with(unsigned fn, unsigned fmt, double x) {
  return call(fn, fmt, stp_num_from_double(fmt, x));
}

/* The table of special values, and the points where a function is exact. */
static void special_values_are_as_stated(void **state) {
  (void)state;
  const double nan = (double)NAN, inf = HUGE_VAL;
  static const double x[] = {-HUGE_VAL, -1, -0.0, 0.0, HUGE_VAL};
  const double want[STP_VFUNCS][5] = {
      /*                       -inf  -1   -0    +0   +inf */
      [STP_VFUNC_EXP] = {0.0, 2, 1, 1, inf},
      [STP_VFUNC_EXP2] = {0.0, 0.5, 1, 1, inf},
      [STP_VFUNC_LOG] = {nan, nan, -inf, -inf, inf},
      [STP_VFUNC_LOG2] = {nan, nan, -inf, -inf, inf},
      [STP_VFUNC_RECIPROCAL] = {-0.0, -1, -inf, inf, 0.0},
      [STP_VFUNC_RSQRT] = {nan, nan, -inf, inf, 0.0},
      [STP_VFUNC_TANH] = {-1, 2, -0.0, 0.0, 1},
      [STP_VFUNC_ERF] = {-1, 2, -0.0, 0.0, 1},
      [STP_VFUNC_SIGMOID] = {0.0, 2, 0.5, 0.5, 1},
      [STP_VFUNC_SIN] = {nan, 2, -0.0, 0.0, nan},
      [STP_VFUNC_COS] = {nan, 2, 1, 1, nan},
  };
  for (unsigned k = 0; k < 3; k++) {
    const unsigned f = floats[k];
    const int emin = f == STP_FMT_F16 ? -24 : f == STP_FMT_BF16 ? -133 : -149;
    const int emax = f == STP_FMT_F16 ? 15 : 127;
    for (unsigned fn = 0; fn < STP_VFUNCS; fn++) {
      for (unsigned i = 0; i < 5; i++) {
        if (want[fn][i] == 2) continue; /* stated nowhere */
        assert_int_equal(with(fn, f, x[i]), stp_num_from_double(f, want[fn][i]));
      }
      const uint32_t quiet = stp_num_from_double(f, nan),
                     sign = f == STP_FMT_F32 ? 1u << 31 : 0x8000;
      assert_int_equal(call(fn, f, quiet | sign | 1), quiet);
      assert_int_equal(call(fn, f, stp_num_from_double(f, inf) | 1), quiet); /* signalling */
    }
    for (int e = emin; e <= emax; e++) {
      const double power = ldexp(1, e);
      assert_int_equal(with(STP_VFUNC_EXP2, f, e), stp_num_from_double(f, power));
      assert_int_equal(with(STP_VFUNC_LOG2, f, power), stp_num_from_double(f, e));
      if (e % 2 == 0 && e > -2 * emax)
        assert_int_equal(with(STP_VFUNC_RSQRT, f, power), stp_num_from_double(f, ldexp(1, -e / 2)));
    }
    assert_int_equal(with(STP_VFUNC_LOG, f, 1), 0);
    /* The smallest subnormal is its own sine, and its own hyperbolic tangent. */
    assert_int_equal(call(STP_VFUNC_SIN, f, 1), 1);
    assert_int_equal(call(STP_VFUNC_TANH, f, 1), 1);
    /* Saturation. */
    assert_int_equal(with(STP_VFUNC_TANH, f, -17), stp_num_from_double(f, -1));
    assert_int_equal(with(STP_VFUNC_ERF, f, 5), stp_num_from_double(f, 1));
    assert_int_equal(with(STP_VFUNC_SIGMOID, f, 200), stp_num_from_double(f, 1));
    assert_int_equal(with(STP_VFUNC_SIGMOID, f, -200), 0);
  }
}

/* Never falls where it should not: a comparison of results must not turn around. */
static void monotonic_in_16_bits(void **state) {
  (void)state;
  static const struct {
    unsigned fn;
    int direction;
    bool negative; /* on negative arguments too */
  } list[] = {
      {STP_VFUNC_EXP, 1, true},   {STP_VFUNC_EXP2, 1, true},    {STP_VFUNC_LOG, 1, false},
      {STP_VFUNC_LOG2, 1, false}, {STP_VFUNC_RSQRT, -1, false}, {STP_VFUNC_TANH, 1, true},
      {STP_VFUNC_ERF, 1, true},   {STP_VFUNC_SIGMOID, 1, true},
  };
  for (size_t j = 0; j < sizeof list / sizeof list[0]; j++) {
    for (unsigned k = 0; k < 2; k++) {
      const unsigned f = floats[k];
      const int32_t inf = f == STP_FMT_F16 ? 0x7c00 : 0x7f80;
      double last = -HUGE_VAL * list[j].direction;
      for (int32_t i = list[j].negative ? -inf : 1; i <= inf; i++) {
        const uint32_t v = i < 0 ? (uint32_t)-i | 0x8000u : (uint32_t)i;
        const double y = stp_num_to_double(f, call(list[j].fn, f, v));
        assert_true(list[j].direction > 0 ? y >= last : y <= last);
        last = y;
      }
    }
  }
}

static void fast_is_exact(const struct stp_num *num, unsigned fn, unsigned fmt, const void *row) {
  uint32_t got[64], want[64];
  assert_true(num->row(STP_OP_VFUNC, fn, fmt, 0, 64, row, NULL, NULL, got));
  assert_true(stp_num_exact()->row(STP_OP_VFUNC, fn, fmt, 0, 64, row, NULL, NULL, want));
  const unsigned bytes = stp_fmt_bytes(fmt);
  if (memcmp(got, want, 64 * bytes) == 0) return;
  for (unsigned i = 0; i < 64; i++)
    if (memcmp((char *)got + i * bytes, (char *)want + i * bytes, bytes) != 0) {
      uint32_t v = 0, g = 0, w = 0;
      memcpy(&v, (const char *)row + i * bytes, bytes);
      memcpy(&g, (const char *)got + i * bytes, bytes);
      memcpy(&w, (const char *)want + i * bytes, bytes);
      print_error("%s: %s of 0x%x gives 0x%x, exact 0x%x\n", num->name, stp_vfunc_names[fn], v, g,
                  w);
    }
  fail();
}

static void fast_agrees(void **state) {
  const struct context *ctx = *state;
  const struct stp_num *const nums[] = {stp_num_portable(), stp_num_fast()};
  for (unsigned n = 0; n < (nums[0] == nums[1] ? 1 : 2); n++) {
    for (unsigned fn = 0; fn < STP_VFUNCS; fn++) {
      for (unsigned k = 0; k < 2; k++) {
        for (unsigned base = 0; base < 65536; base += 64) {
          uint16_t row[64];
          for (unsigned i = 0; i < 64; i++) row[i] = (uint16_t)(base + i);
          fast_is_exact(nums[n], fn, floats[k], row);
        }
      }
      struct rng r = {99 + fn};
      for (long i = 0; i < BOUNDARIES + ctx->cases;) {
        uint32_t row[64];
        for (unsigned j = 0; j < 64; j++) row[j] = argument(&functions[fn], &r, i++);
        fast_is_exact(nums[n], fn, STP_FMT_F32, row);
      }
    }
  }
}

int main(int argc, char **argv) {
  struct context ctx = {argc > 1 ? atol(argv[1]) : 100000};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(functions_are_accurate, &ctx),
      cmocka_unit_test(circular_at_its_hardest),
      cmocka_unit_test_prestate(special_values_are_as_stated, &ctx),
      cmocka_unit_test_prestate(monotonic_in_16_bits, &ctx),
      cmocka_unit_test_prestate(fast_agrees, &ctx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
