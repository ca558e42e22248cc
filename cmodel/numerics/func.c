/* Functions of the SFU in integers, step by step as docs/numerics.md (Functions) has them: classify
 * and reduce, evaluate a table, multiply or add, round once. Right shifts of negative numbers round
 * down. */
#include "formats.h"
#include "stp_func_tables.h"

#define ONE (INT64_C(1) << STP_FUNC_FRAC)

/* An operand: bits of f32, taken apart. m is the significand with its leading bit at 23 (0 for
 * zero), of value m * 2^(e - 23); subnormals are normalised; zero has e = -127. */
struct operand {
  uint32_t bits, field, m;
  int e;
  bool sign;
};

static struct operand take_apart(uint32_t x) {
  struct operand a = {
      .bits = x, .field = x >> 23 & 0xff, .m = x & 0x7fffff, .e = -127, .sign = x >> 31};
  if (a.field) {
    a.m |= 0x800000u;
    a.e = (int)a.field - 127;
  } else if (a.m) {
    const int shift = __builtin_clz(a.m) - 8;
    a.m <<= shift;
    a.e = -126 - shift;
  }
  return a;
}

/* 2^f in units of 2^-34, f in units of 2^-32. */
static int64_t pow2(uint32_t f) {
  const struct stp_func_seg s = stp_func_pow2[f >> (32 - STP_FUNC_SEG_BITS)];
  const int64_t d = f & ((1u << (32 - STP_FUNC_SEG_BITS)) - 1);
  return s.c0 + (((s.c1 + ((s.c2 * (d >> 9)) >> 16)) * d) >> 25);
}

/* The value of a cubic table at f in units of 2^-32, in units of 2^-34. */
static int64_t cubic(unsigned table, uint32_t f) {
  const struct stp_func_cubic s = stp_func_cubic[table << 5 | f >> 27];
  const int64_t d = f & 0x7ffffff;
  const int64_t a2 = s.c2 + ((s.c3 * (d >> 11)) >> 16);
  const int64_t a1 = s.c1 + ((a2 * (d >> 3)) >> 24);
  return s.c0 + ((a1 * d) >> 27);
}

/* The table's value times a multiplier of 32 bits. */
static uint64_t times(int64_t p, uint32_t m) {
  return (uint64_t)(p >> 3) * m;
}

static uint32_t infinity(unsigned fmt, bool sign) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  return (sign ? stp_fmt_sign(d) : 0) | stp_fmt_inf(d);
}

static uint32_t one(unsigned fmt, bool sign) {
  return stp_round(fmt, sign, 0, 1);
}

/* exp, exp2 and sigmoid: a power of two of t, the operand times log2(e) or 1, in units of 2^-32. */
static uint32_t exponential(unsigned fn, unsigned fmt, struct operand a) {
  if (a.field >= (fn == STP_VFUNC_EXP2 ? 135u : 134u)) {
    if (a.sign) return 0;
    return fn == STP_VFUNC_SIGMOID ? one(fmt, false) : infinity(fmt, false);
  }
  const uint64_t m = a.field ? a.m : 0;
  const uint64_t product =
      m * (fn == STP_VFUNC_EXP2 ? UINT64_C(1) << STP_FUNC_LOG2E_FRAC : STP_FUNC_LOG2E);
  const unsigned shift = 155 - a.field;
  const int64_t u = shift > 63 ? 0 : (int64_t)(product >> shift);
  int64_t p = ONE;
  if (fn == STP_VFUNC_SIGMOID && u >> 37 == 0) {
    if (u >> 34 == 0)
      p = cubic(STP_FUNC_T_SIGMOID, (uint32_t)(u >> 2));
    else if (u >> 35 == 0)
      p = cubic(STP_FUNC_T_SIGMOID4, (uint32_t)(u >> 2));
    else if (u >> 36 == 0)
      p = cubic(STP_FUNC_T_SIGMOID8, (uint32_t)(u >> 3));
    else
      p = cubic(STP_FUNC_T_SIGMOID16, (uint32_t)(u >> 4));
  }
  if (fn == STP_VFUNC_SIGMOID && !a.sign) return stp_round(fmt, false, -STP_FUNC_FRAC, (uint64_t)p);
  const int64_t t = a.sign ? -u : u;
  const int64_t y = pow2((uint32_t)t);
  const int n = (int)(t >> 32);
  if (fn == STP_VFUNC_SIGMOID) return stp_round(fmt, false, n - 62, times(p, (uint32_t)(y >> 3)));
  return stp_round(fmt, false, n - STP_FUNC_FRAC, (uint64_t)y);
}

static uint32_t logarithm(unsigned fn, unsigned fmt, struct operand a) {
  if (a.m == 0) return infinity(fmt, true);
  if (a.sign) return stp_fmt_desc(fmt).nan;
  if (a.field == 255) return infinity(fmt, false);
  const uint32_t frac = a.m & 0x7fffff;
  const bool upper = frac >> 22;
  const int n = a.e + upper;
  const uint32_t r =
      upper ? 0x800000u - frac : 2 * frac; /* |r| in units of 2^-24; its sign: upper */
  const uint64_t z =
      times(cubic(fn == STP_VFUNC_LOG ? STP_FUNC_T_LOG : STP_FUNC_T_LOG2, frac << 9), r << 8);
  if (n == 0) return stp_round(fmt, upper, -63, z); /* z = 0: log(1) = +0, as upper is false then */
  const uint64_t whole = (uint64_t)(n < 0 ? -n : n) *
                         (fn == STP_VFUNC_LOG ? STP_FUNC_LN2 : UINT64_C(1) << STP_FUNC_LN2_FRAC);
  const uint64_t part = z >> (63 - STP_FUNC_LN2_FRAC);
  return stp_round(fmt, n < 0, -STP_FUNC_LN2_FRAC, upper == (n < 0) ? whole + part : whole - part);
}

static uint32_t inverse_root(unsigned fmt, struct operand a) {
  if (a.m == 0) return infinity(fmt, a.sign);
  if (a.sign) return stp_fmt_desc(fmt).nan;
  if (a.field == 255) return 0;
  const bool odd = a.e & 1;
  const int64_t p = cubic(odd ? STP_FUNC_T_RSQRT2 : STP_FUNC_T_RSQRT1, a.m << 9);
  return stp_round(fmt, false, -((a.e - odd) / 2) - STP_FUNC_FRAC, (uint64_t)p);
}

/* tanh and erf. */
static uint32_t saturating(unsigned fn, unsigned fmt, struct operand a) {
  const bool t = fn == STP_VFUNC_TANH;
  if (a.e >= (t ? 4 : 2)) return one(fmt, a.sign);
  const unsigned table = t ? STP_FUNC_T_TANH : STP_FUNC_T_ERF;
  if (a.e >= 0)
    return stp_round(fmt, a.sign, -STP_FUNC_FRAC,
                     (uint64_t)cubic(table + 1 + (unsigned)a.e, a.m << 9));
  const uint32_t m = a.m << 8;
  const int shift = -1 - a.e;
  const int64_t p = cubic(table, shift > 31 ? 0 : m >> shift);
  return stp_round(fmt, a.sign, a.e - 62, times(p, m));
}

/* sin and cos: the operand in quarter turns, reduced to the nearest whole number of them. */
static uint32_t circular(unsigned fn, unsigned fmt, struct operand a) {
  if (a.field == 255) return stp_fmt_desc(fmt).nan;
  const int s = a.e < -2 ? -2 - a.e : 0; /* f below is in units of 2^-(62 + s) */
  const uint32_t *w = stp_func_two_over_pi[a.e < -2 ? 0 : a.e + 2];
  const uint64_t product = ((uint64_t)a.m * w[0] >> 32) + (uint64_t)a.m * w[1] +
                           ((uint64_t)(uint32_t)(a.m * w[2]) << 32); /* modulo 2^64 */
  uint64_t f = product & ((UINT64_C(1) << 62) - 1);
  unsigned quarter = (unsigned)(product >> 62);
  const bool back = f >> 61;
  if (back) {
    quarter++;
    f ^= (UINT64_C(1) << 62) - 1;
  }
  if (fn == STP_VFUNC_COS) quarter++;
  const uint32_t at = s > 31 ? 0 : (uint32_t)(f >> 29) >> s;
  const bool minus = quarter >> 1 & 1;
  const bool odd_sign = fn == STP_VFUNC_SIN && a.sign;
  if (quarter & 1)
    return stp_round(fmt, minus != odd_sign, -STP_FUNC_FRAC, (uint64_t)cubic(STP_FUNC_T_COS, at));
  const bool sign = (minus != odd_sign) != back;
  if (f == 0) return stp_round(fmt, sign, 0, 0);
  const int lead = __builtin_clzll(f);
  const uint32_t m = (uint32_t)(f << lead >> 32);
  return stp_round(fmt, sign, -61 - lead - s, times(cubic(STP_FUNC_T_SIN, at), m));
}

uint32_t stp_func(unsigned fn, unsigned fmt, uint32_t x) {
  const struct operand a = take_apart(x);
  if (a.field == 255 && a.m != 0x800000u) return stp_fmt_desc(fmt).nan;
  switch (fn) {
  case STP_VFUNC_EXP:
  case STP_VFUNC_EXP2:
  case STP_VFUNC_SIGMOID:
    return exponential(fn, fmt, a);
  case STP_VFUNC_LOG:
  case STP_VFUNC_LOG2:
    return logarithm(fn, fmt, a);
  case STP_VFUNC_RSQRT:
    return inverse_root(fmt, a);
  case STP_VFUNC_TANH:
  case STP_VFUNC_ERF:
    return saturating(fn, fmt, a);
  default:
    return circular(fn, fmt, a);
  }
}
