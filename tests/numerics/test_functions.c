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

int main(int argc, char **argv) {
  struct context ctx = {argc > 1 ? atol(argv[1]) : 100000};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(functions_are_accurate, &ctx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
