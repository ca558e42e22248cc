/* The functions of vfunc for the fast implementations: the integers of docs/numerics.md (Functions)
 * in loops over a block of lanes that the compiler turns into vector instructions. Compiled as
 * fast.c is; STP_NUM_FUNCS names the copy.
 *
 * All of a function's steps are done for all lanes, also for those whose operand is special; their
 * results are replaced at the end. Products are of 32 bits by 32 to 64, which vector units have; of
 * a negative product shifted right, only the low 32 bits are taken, which a shift without sign
 * gives as well. The wide result becomes a double without loss: what is beyond its bits is folded
 * into the lowest one, which no rounding to 24 bits or fewer can tell from the exact value.
 */
#include "formats.h"
#include "stp_func_tables.h"

#include <string.h>

#define ONE (UINT64_C(1) << STP_FUNC_FRAC)
#define F32_INF 0x7f800000u
#define F32_ONE 0x3f800000u

static inline float as_float(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}
static inline uint32_t as_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}
static inline double as_double(uint64_t u) {
  double d;
  memcpy(&d, &u, 8);
  return d;
}
static inline uint64_t double_bits(double d) {
  uint64_t u;
  memcpy(&u, &d, 8);
  return u;
}

/* What the steps hand on, lane by lane. */
struct lanes {
  uint32_t x[STP_NUM_BLOCK];                       /* operand, f32 */
  uint32_t m[STP_NUM_BLOCK];                       /* significand, leading bit at 23; 0 for 0 */
  int32_t e[STP_NUM_BLOCK];                        /* its exponent; below -127 for 0 */
  uint32_t f[STP_NUM_BLOCK], table[STP_NUM_BLOCK]; /* where to evaluate which table */
  uint64_t p[STP_NUM_BLOCK];                       /* its value */
  uint64_t z[STP_NUM_BLOCK];                       /* the wide result, below 2^52, */
  int32_t exp[STP_NUM_BLOCK];                      /* times 2^exp, */
  uint32_t sign[STP_NUM_BLOCK];                    /* its sign, in place */
  uint32_t fixed[STP_NUM_BLOCK];                   /* not ~0: the result instead, f32 */
};

static void take_apart(struct lanes *v, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    const uint32_t x = v->x[i], field = x >> 23 & 0xff, frac = x & 0x7fffff;
    /* A subnormal's significand as a float has its leading bit in place. */
    const uint32_t low = as_bits((float)(int32_t)frac);
    v->m[i] = field ? frac | 0x800000u : frac ? (low & 0x7fffff) | 0x800000u : 0;
    v->e[i] = field ? (int32_t)field - 127 : (int32_t)(low >> 23) - 127 - 149;
  }
}

static void evaluate(struct lanes *v, unsigned n) {
  uint64_t c0[STP_NUM_BLOCK];
  int32_t c1[STP_NUM_BLOCK], c2[STP_NUM_BLOCK], c3[STP_NUM_BLOCK];
  for (unsigned i = 0; i < n; i++) {
    const struct stp_func_cubic *s = &stp_func_cubic[v->table[i] << 5 | v->f[i] >> 27];
    c0[i] = (uint64_t)s->c0;
    c1[i] = s->c1;
    c2[i] = s->c2;
    c3[i] = s->c3;
  }
  for (unsigned i = 0; i < n; i++) {
    const int32_t d = (int32_t)(v->f[i] & 0x7ffffff);
    const int32_t a2 = c2[i] + (int32_t)((uint64_t)((int64_t)c3[i] * (d >> 11)) >> 16);
    const int32_t a1 = c1[i] + (int32_t)((uint64_t)((int64_t)a2 * (d >> 3)) >> 24);
    v->p[i] = c0[i] + (uint64_t)(int64_t)(int32_t)((uint64_t)((int64_t)a1 * d) >> 27);
  }
}

/* 2^f; the coefficients of all its segments are positive. */
static void evaluate_pow2(const uint32_t *f, unsigned n, uint64_t *y) {
  uint64_t c0[STP_NUM_BLOCK];
  uint32_t c1[STP_NUM_BLOCK], c2[STP_NUM_BLOCK];
  for (unsigned i = 0; i < n; i++) {
    const struct stp_func_seg *s = &stp_func_pow2[f[i] >> 25];
    c0[i] = (uint64_t)s->c0;
    c1[i] = (uint32_t)s->c1;
    c2[i] = (uint32_t)s->c2;
  }
  for (unsigned i = 0; i < n; i++) {
    const uint32_t d = f[i] & 0x1ffffff;
    const uint32_t slope = c1[i] + (uint32_t)((uint64_t)c2[i] * (d >> 9) >> 16);
    y[i] = c0[i] + ((uint64_t)slope * d >> 25);
  }
}

/* The table's value times a multiplier of 32 bits, without its lowest 12 bits: one bit stands for
 * them. */
static inline uint64_t times(uint64_t p, uint32_t m) {
  const uint64_t z = (uint64_t)(uint32_t)(p >> 3) * m;
  return z >> 12 | ((z & 0xfff) != 0);
}

static void exponential(unsigned fn, struct lanes *v, unsigned n) {
  const bool sigmoid = fn == STP_VFUNC_SIGMOID;
  const uint32_t limit = fn == STP_VFUNC_EXP2 ? 135 : 134;
  const uint64_t scale = fn == STP_VFUNC_EXP2 ? UINT64_C(1) << STP_FUNC_LOG2E_FRAC : STP_FUNC_LOG2E;
  const uint32_t scale_low = (uint32_t)scale, scale_high = (uint32_t)(scale >> 32);
  uint64_t u[STP_NUM_BLOCK], y[STP_NUM_BLOCK];
  uint32_t f[STP_NUM_BLOCK];
  for (unsigned i = 0; i < n; i++) {
    const uint32_t x = v->x[i], field = x >> 23 & 0xff;
    const uint32_t m = field ? (x & 0x7fffff) | 0x800000u : 0;
    const uint64_t product = (uint64_t)m * scale_low + ((uint64_t)(m * scale_high) << 32);
    const uint32_t shift = field > limit ? 20 : 155 - field;
    u[i] = shift > 63 ? 0 : product >> (shift & 63);
    const uint64_t t = x >> 31 ? 0 - u[i] : u[i];
    f[i] = (uint32_t)t;
    v->exp[i] = (int32_t)(t >> 32);
    const uint32_t above = sigmoid ? F32_ONE : F32_INF;
    v->fixed[i] = field < limit ? ~0u : x >> 31 ? 0 : above;
    v->sign[i] = 0;
  }
  evaluate_pow2(f, n, y);
  if (!sigmoid) {
    for (unsigned i = 0; i < n; i++) {
      v->z[i] = y[i];
      v->exp[i] -= STP_FUNC_FRAC;
    }
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    const uint32_t high = (uint32_t)(u[i] >> 32);
    const uint32_t shift = high >= 16 ? 4 : high >= 8 ? 3 : 2;
    v->f[i] = (uint32_t)(u[i] >> shift);
    v->table[i] = STP_FUNC_T_SIGMOID + (high >= 4) + (high >= 8) + (high >= 16);
  }
  evaluate(v, n);
  for (unsigned i = 0; i < n; i++) {
    const bool negative = v->x[i] >> 31;
    const uint64_t p = u[i] >> 37 ? ONE : v->p[i];
    const uint64_t product = times(p, (uint32_t)(y[i] >> 3));
    v->z[i] = negative ? product : p;
    v->exp[i] = negative ? v->exp[i] - 50 : -STP_FUNC_FRAC;
  }
}

static void logarithm(unsigned fn, struct lanes *v, unsigned n) {
  const bool natural = fn == STP_VFUNC_LOG;
  const uint64_t unit = natural ? STP_FUNC_LN2 : UINT64_C(1) << STP_FUNC_LN2_FRAC;
  const uint32_t unit_low = (uint32_t)unit, unit_high = (uint32_t)(unit >> 32);
  for (unsigned i = 0; i < n; i++) {
    v->f[i] = v->m[i] << 9;
    v->table[i] = natural ? STP_FUNC_T_LOG : STP_FUNC_T_LOG2;
  }
  evaluate(v, n);
  for (unsigned i = 0; i < n; i++) {
    const uint32_t x = v->x[i], frac = v->m[i] & 0x7fffff, upper = frac >> 22;
    const uint32_t r = upper ? 0x800000u - frac : 2 * frac;
    const uint64_t z = (uint64_t)(uint32_t)(v->p[i] >> 3) * (r << 8);
    const int32_t k = v->e[i] + (int32_t)upper;
    const uint32_t whole_e = (uint32_t)(k < 0 ? -k : k);
    const uint64_t whole = (uint64_t)whole_e * unit_low + ((uint64_t)(whole_e * unit_high) << 32);
    const uint64_t part = z >> (63 - STP_FUNC_LN2_FRAC);
    const uint64_t sum = whole + ((upper != 0) == (k < 0) ? part : 0 - part);
    v->z[i] = k == 0 ? z >> 12 | ((z & 0xfff) != 0) : sum;
    v->exp[i] = k == 0 ? 12 - 63 : -STP_FUNC_LN2_FRAC;
    v->sign[i] = (k == 0 ? upper : (uint32_t)k >> 31) << 31;
    uint32_t fixed = x == F32_INF ? F32_INF : ~0u;
    fixed = x >> 31 ? STP_NAN_F32 : fixed;
    v->fixed[i] = v->m[i] == 0 ? F32_INF | 0x80000000u : fixed;
  }
}

static void inverse_root(struct lanes *v, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    v->f[i] = v->m[i] << 9;
    v->table[i] = STP_FUNC_T_RSQRT1 + (uint32_t)(v->e[i] & 1);
  }
  evaluate(v, n);
  for (unsigned i = 0; i < n; i++) {
    const uint32_t x = v->x[i];
    v->z[i] = v->p[i];
    v->exp[i] = -(v->e[i] >> 1) - STP_FUNC_FRAC;
    v->sign[i] = 0;
    uint32_t fixed = x == F32_INF ? 0 : ~0u;
    fixed = x >> 31 ? STP_NAN_F32 : fixed;
    v->fixed[i] = v->m[i] == 0 ? x | F32_INF : fixed;
  }
}

/* tanh and erf. */
static void saturating(unsigned fn, struct lanes *v, unsigned n) {
  const uint32_t table = fn == STP_VFUNC_TANH ? STP_FUNC_T_TANH : STP_FUNC_T_ERF;
  const int32_t limit = fn == STP_VFUNC_TANH ? 4 : 2;
  for (unsigned i = 0; i < n; i++) {
    const int32_t e = v->e[i];
    const uint32_t m = v->m[i] << 8, shift = (uint32_t)(-1 - e);
    const uint32_t small = shift > 31 ? 0 : m >> (shift & 31);
    v->f[i] = e >= 0 ? m << 1 : small;
    v->table[i] = table + (uint32_t)(e < 0 ? 0 : e >= limit ? limit : e + 1);
  }
  evaluate(v, n);
  for (unsigned i = 0; i < n; i++) {
    const int32_t e = v->e[i];
    const uint64_t product = times(v->p[i], v->m[i] << 8);
    v->z[i] = e >= 0 ? v->p[i] : product;
    v->exp[i] = e >= 0 ? -STP_FUNC_FRAC : e - 50;
    v->sign[i] = v->x[i] & 0x80000000u;
    v->fixed[i] = e >= limit ? F32_ONE | (v->x[i] & 0x80000000u) : ~0u;
  }
}

static void circular(unsigned fn, struct lanes *v, unsigned n) {
  const uint64_t mask = (UINT64_C(1) << 62) - 1;
  uint32_t w0[STP_NUM_BLOCK], w1[STP_NUM_BLOCK], w2[STP_NUM_BLOCK];
  uint32_t odd[STP_NUM_BLOCK];
  uint64_t r[STP_NUM_BLOCK];
  for (unsigned i = 0; i < n; i++) {
    const int32_t row = v->e[i] < -2 ? 0 : v->e[i] > 127 ? 129 : v->e[i] + 2;
    w0[i] = stp_func_two_over_pi[row][0];
    w1[i] = stp_func_two_over_pi[row][1];
    w2[i] = stp_func_two_over_pi[row][2];
  }
  const uint32_t ahead = fn == STP_VFUNC_COS, signs = fn == STP_VFUNC_SIN ? 0x80000000u : 0;
  for (unsigned i = 0; i < n; i++) {
    const uint32_t m = v->m[i], s = v->e[i] < -2 ? (uint32_t)(-2 - v->e[i]) : 0;
    const uint64_t product =
        ((uint64_t)m * w0[i] >> 32) + (uint64_t)m * w1[i] + ((uint64_t)(m * w2[i]) << 32);
    const uint32_t back = (uint32_t)(product >> 61) & 1;
    const uint32_t quarter = (uint32_t)(product >> 62) + back + ahead;
    r[i] = back ? ~product & mask : product & mask;
    odd[i] = quarter & 1;
    v->f[i] = s > 31 ? 0 : (uint32_t)(r[i] >> 29) >> (s & 31);
    v->table[i] = quarter & 1 ? STP_FUNC_T_COS : STP_FUNC_T_SIN;
    v->sign[i] = (quarter << 30 & 0x80000000u) ^ (v->x[i] & signs) ^ (quarter & 1 ? 0 : back << 31);
    v->exp[i] = -(int32_t)s;
    v->fixed[i] = (v->x[i] & F32_INF) == F32_INF ? STP_NAN_F32 : ~0u;
  }
  evaluate(v, n);
  for (unsigned i = 0; i < n; i++) {
    /* The leading bit of r, from its upper 52 bits as a double. No r but 0 is below 2^32: no f32 is
     * so near to a multiple of pi/2. */
    const uint64_t d = double_bits(as_double(r[i] >> 9 | UINT64_C(0x4330000000000000)) - 0x1p52);
    const uint32_t lead = 63 - 9 - ((uint32_t)(d >> 52) - 1023);
    const uint32_t m = r[i] ? (uint32_t)(r[i] << (lead & 63) >> 32) : 0;
    const uint64_t product = times(v->p[i], m);
    v->z[i] = odd[i] ? v->p[i] : product;
    v->exp[i] = odd[i] ? -STP_FUNC_FRAC : v->exp[i] - 49 - (int32_t)(lead & 63);
  }
}

/* The results as floats: rounded to nearest, or, for a narrower format to round again, to odd. */
static void finish(const struct lanes *v, unsigned n, bool odd, float *out) {
  for (unsigned i = 0; i < n; i++) {
    const double z = as_double(v->z[i] | UINT64_C(0x4330000000000000)) - 0x1p52;
    const double scaled = z * as_double((uint64_t)(uint32_t)(v->exp[i] + 1023) << 52);
    const float f = (float)scaled;
    uint32_t u = as_bits(f);
    if (odd) u += (double)f == scaled || (u & 1) ? 0 : (double)f < scaled ? 1u : ~0u;
    u |= v->sign[i];
    u = v->fixed[i] != ~0u ? v->fixed[i] : u;
    out[i] = as_float((v->x[i] & 0x7fffffffu) > F32_INF ? STP_NAN_F32 : u);
  }
}

void STP_NUM_FUNCS(unsigned fn, bool odd, unsigned n, const float *in, float *out) {
  struct lanes v;
  memcpy(v.x, in, n * sizeof *in);
  switch (fn) {
  case STP_VFUNC_EXP:
  case STP_VFUNC_EXP2:
  case STP_VFUNC_SIGMOID:
    exponential(fn, &v, n);
    break;
  case STP_VFUNC_LOG:
  case STP_VFUNC_LOG2:
    take_apart(&v, n);
    logarithm(fn, &v, n);
    break;
  case STP_VFUNC_RSQRT:
    take_apart(&v, n);
    inverse_root(&v, n);
    break;
  case STP_VFUNC_TANH:
  case STP_VFUNC_ERF:
    take_apart(&v, n);
    saturating(fn, &v, n);
    break;
  default:
    take_apart(&v, n);
    circular(fn, &v, n);
    break;
  }
  finish(&v, n, odd, out);
}
