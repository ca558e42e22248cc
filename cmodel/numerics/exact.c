/* The integer implementation: the check of the fast one, and the interpreter's arithmetic. Plain
 * rather than quick. */
#include "formats.h"

static struct stp_unpacked special(enum stp_class cls, bool sign) {
  return (struct stp_unpacked){cls, sign, 0, 0};
}

/* Moves the leading bit of a non-zero sig to 62. */
static struct stp_unpacked normal(bool sign, int exp, uint64_t sig) {
  if (sig >> 63) { /* one bit too many: keep what is lost in the lowest bit */
    sig = sig >> 1 | (sig & 1);
    exp++;
  }
  const int shift = __builtin_clzll(sig) - 1;
  return (struct stp_unpacked){STP_FINITE, sign, exp - shift, sig << shift};
}

static uint32_t pack(unsigned fmt, struct stp_unpacked u) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  switch (u.cls) {
  case STP_NAN:
    return d.nan;
  case STP_INF:
    return (u.sign ? stp_fmt_sign(d) : 0) | stp_fmt_inf(d);
  case STP_ZERO:
    return u.sign ? stp_fmt_sign(d) : 0;
  default:
    return stp_round(fmt, u.sign, u.exp, u.sig);
  }
}

/* Products and sums below are not rounded: 48 bits of product are exact; bits lost in an alignment
 * are kept as one sticky bit, which lies more than ten bits below any place where a result is
 * rounded. */
static struct stp_unpacked mul(struct stp_unpacked a, struct stp_unpacked b) {
  const bool sign = a.sign != b.sign;
  if (a.cls == STP_NAN || b.cls == STP_NAN) return special(STP_NAN, false);
  if (a.cls == STP_INF || b.cls == STP_INF)
    return special(a.cls == STP_ZERO || b.cls == STP_ZERO ? STP_NAN : STP_INF, sign);
  if (a.cls == STP_ZERO || b.cls == STP_ZERO) return special(STP_ZERO, sign);
  return normal(sign, a.exp + b.exp + 78, (a.sig >> 39) * (b.sig >> 39));
}

static struct stp_unpacked add(struct stp_unpacked a, struct stp_unpacked b) {
  if (a.cls == STP_NAN || b.cls == STP_NAN) return special(STP_NAN, false);
  if (a.cls == STP_INF && b.cls == STP_INF) return a.sign == b.sign ? a : special(STP_NAN, false);
  if (a.cls == STP_INF) return a;
  if (b.cls == STP_INF) return b;
  if (a.cls == STP_ZERO && b.cls == STP_ZERO) return special(STP_ZERO, a.sign && b.sign);
  if (a.cls == STP_ZERO) return b;
  if (b.cls == STP_ZERO) return a;
  if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig)) {
    struct stp_unpacked t = a;
    a = b;
    b = t;
  }
  const int d = a.exp - b.exp;
  uint64_t low = d > 62 ? 1 : b.sig >> d | ((b.sig & ((UINT64_C(1) << d) - 1)) != 0);
  if (a.sign == b.sign) return normal(a.sign, a.exp, a.sig + low);
  if (a.sig == low) return special(STP_ZERO, false);
  return normal(a.sign, a.exp, a.sig - low);
}

static struct stp_unpacked divide(struct stp_unpacked a, struct stp_unpacked b) {
  const bool sign = a.sign != b.sign;
  if (a.cls == STP_NAN || b.cls == STP_NAN) return special(STP_NAN, false);
  if (a.cls == b.cls && (a.cls == STP_INF || a.cls == STP_ZERO)) return special(STP_NAN, false);
  if (a.cls == STP_INF || b.cls == STP_ZERO) return special(STP_INF, sign);
  if (a.cls == STP_ZERO || b.cls == STP_INF) return special(STP_ZERO, sign);
  const uint64_t divisor = b.sig >> 39, q = a.sig / divisor;
  return normal(sign, a.exp - b.exp - 40, q << 1 | (a.sig % divisor != 0));
}

/* Bit by bit: the largest r with r * r <= x, and a last bit for what is left. */
static struct stp_unpacked square_root(struct stp_unpacked a) {
  if (a.cls == STP_NAN || a.cls == STP_ZERO) return a;
  if (a.sign) return special(STP_NAN, false);
  if (a.cls == STP_INF) return a;
  /* 24 bits are in use: x has an even exponent, 55 bits at most, and a root of at least 27. */
  const bool odd = (a.exp + 39) & 1;
  const uint64_t x = (a.sig >> 39) << (odd ? 31 : 30);
  uint64_t r = 0;
  for (uint64_t bit = UINT64_C(1) << 27; bit; bit >>= 1)
    if ((r | bit) * (r | bit) <= x) r |= bit;
  return normal(false, (a.exp + 39 - odd - 30) / 2 - 1, r << 1 | (r * r != x));
}

static struct stp_unpacked negate(struct stp_unpacked a) {
  a.sign = !a.sign;
  return a;
}

/* Order of finite values and infinities as integers; -0 lies just below +0. */
static int64_t order(unsigned fmt, uint32_t bits) {
  const uint32_t sign = stp_fmt_sign(stp_fmt_desc(fmt));
  const int64_t magnitude = bits & (sign - 1);
  return bits & sign ? -magnitude - 1 : magnitude;
}

static bool is_nan(unsigned fmt, uint32_t bits) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  return (bits & (stp_fmt_sign(d) - 1)) > stp_fmt_inf(d);
}

static uint32_t extreme(unsigned fmt, uint32_t a, uint32_t b, bool max, bool number) {
  const bool an = is_nan(fmt, a), bn = is_nan(fmt, b);
  if (an && bn) return stp_fmt_desc(fmt).nan;
  if (an || bn) return !number ? stp_fmt_desc(fmt).nan : an ? b : a;
  return (order(fmt, a) < order(fmt, b)) == max ? b : a;
}

static uint32_t compare(unsigned fmt, unsigned fn, uint32_t a, uint32_t b) {
  unsigned outcome;
  if (fmt == STP_FMT_I32) {
    const bool less = stp_predicate_unsigned(fn) ? a < b : (int32_t)a < (int32_t)b;
    outcome = a == b ? 1 : less ? 4 : 2;
  } else if (is_nan(fmt, a) || is_nan(fmt, b)) {
    outcome = 8;
  } else {
    const uint32_t magnitude = stp_fmt_sign(stp_fmt_desc(fmt)) - 1;
    const int64_t x = order(fmt, a), y = order(fmt, b);
    outcome = ((a | b) & magnitude) == 0 || x == y ? 1 : x > y ? 2 : 4;
  }
  const uint32_t ones = stp_fmt_bytes(fmt) == 2 ? 0xffffu : 0xffffffffu;
  return stp_predicate_set(fn) & outcome ? ones : 0;
}

/* Toward zero, saturating; NaN gives 0. */
static uint32_t to_i32(struct stp_unpacked u) {
  if (u.cls == STP_NAN || u.cls == STP_ZERO) return 0;
  if (u.cls == STP_INF || u.exp + 62 >= 31) return u.sign ? 0x80000000u : 0x7fffffffu;
  const int drop = -u.exp; /* the leading bit is below 2^31, so at least 32 bits go */
  const uint32_t magnitude = drop > 62 ? 0 : (uint32_t)(u.sig >> drop);
  return u.sign ? 0u - magnitude : magnitude;
}

static uint32_t from_i32(unsigned fmt, uint32_t bits) {
  const bool sign = bits >> 31;
  return stp_round(fmt, sign, 0, sign ? UINT64_C(0x100000000) - bits : bits);
}

static uint32_t convert(unsigned to, unsigned from, uint32_t bits) {
  if (from == STP_FMT_I32 && to == STP_FMT_I32) return bits;
  if (from == STP_FMT_I32) return from_i32(to, bits);
  if (to == STP_FMT_I32) return to_i32(stp_unpack(from, bits));
  return pack(to, stp_unpack(from, bits));
}

static uint32_t exact_op(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t a,
                         uint32_t b, uint32_t c) {
  if (!stp_num_supports(op, fn, fmt, sfmt)) return 0;
  if (fmt == STP_FMT_F32P) fmt = STP_FMT_F32;
  if (sfmt == STP_FMT_F32P) sfmt = STP_FMT_F32;
  if (stp_fmt_bytes(fmt) == 2 && op != STP_OP_VPACK && op != STP_OP_VCVT) {
    a &= 0xffff;
    b &= 0xffff;
    c &= 0xffff;
  }
  if (stp_fmt_bytes(sfmt) == 2 && (op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC))
    a &= 0xffff;
  uint32_t out;
  if (stp_bits_op(op, fmt, a, b, c, &out)) return out;
#define U(x) stp_unpack(fmt, x)
  switch (op) {
  case STP_OP_VADD:
    return pack(fmt, add(U(a), U(b)));
  case STP_OP_VSUB:
    return pack(fmt, add(U(a), negate(U(b))));
  case STP_OP_VMUL:
    return pack(fmt, mul(U(a), U(b)));
  case STP_OP_VFMA:
    return pack(fmt, add(mul(U(a), U(b)), U(c)));
  case STP_OP_VDIV:
    return pack(fmt, divide(U(a), U(b)));
  case STP_OP_VSQRT:
    return pack(fmt, square_root(U(a)));
  case STP_OP_VMIN:
    return extreme(fmt, a, b, false, false);
  case STP_OP_VMAX:
    return extreme(fmt, a, b, true, false);
  case STP_OP_VMINNUM:
    return extreme(fmt, a, b, false, true);
  case STP_OP_VMAXNUM:
    return extreme(fmt, a, b, true, true);
  case STP_OP_VCMP:
    return compare(fmt, fn, a, b);
  case STP_OP_VCVT:
  case STP_OP_VUNPACK:
    return convert(fmt, sfmt, a);
  case STP_OP_VPACK:
    return convert(fmt, STP_FMT_F32, a);
  case STP_OP_VACC:
    return pack(STP_FMT_F32, add(stp_unpack(STP_FMT_F32, c), stp_unpack(sfmt, a)));
  case STP_OP_VFUNC:
    if (fn == STP_VFUNC_RECIPROCAL)
      return pack(fmt, divide(stp_unpack(STP_FMT_F32, 0x3f800000u), U(a)));
    return stp_func(fn, fmt, convert(STP_FMT_F32, fmt, a));
  default:
    return 0;
  }
#undef U
}

static bool exact_row(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, unsigned lanes,
                      const void *a, const void *b, const void *c, void *out) {
  if (!stp_num_supports(op, fn, fmt, sfmt)) return false;
  const unsigned to = stp_fmt_bytes(fmt);
  unsigned from = to;
  if (op == STP_OP_VPACK) from = 4;
  if (op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC) from = stp_fmt_bytes(sfmt);
  for (unsigned i = 0; i < lanes; i++) {
    const uint32_t r =
        exact_op(op, fn, fmt, sfmt, stp_load(a, from, i), stp_load(b, to, i), stp_load(c, to, i));
    stp_store(out, to, i, r);
  }
  return true;
}

static uint32_t exact_fold(unsigned fn, unsigned fmt, unsigned lanes, const void *a) {
  static const uint8_t op[] = {STP_OP_VADD, STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM,
                               STP_OP_VMAXNUM};
  uint32_t v[64];
  if (fn >= sizeof op || lanes == 0 || lanes > 64 || (lanes & (lanes - 1)) != 0) return 0;
  for (unsigned i = 0; i < lanes; i++) v[i] = stp_load(a, stp_fmt_bytes(fmt), i);
  for (unsigned n = lanes / 2; n; n /= 2)
    for (unsigned i = 0; i < n; i++) v[i] = exact_op(op[fn], 0, fmt, fmt, v[i], v[i + n], 0);
  return v[0];
}

static void exact_pt_row(unsigned nblk, const uint32_t *a, const uint32_t (*w)[64],
                         uint32_t acc[64]) {
  for (unsigned k = 0; k < nblk; k++) {
    for (unsigned j = 0; j < 64; j++) {
      uint32_t chunk = 0;
      for (unsigned i = 8 * k; i < 8 * k + 8; i++)
        chunk = exact_op(STP_OP_VFMA, 0, STP_FMT_F32, STP_FMT_F32, a[i], w[i][j], chunk);
      acc[j] = exact_op(STP_OP_VADD, 0, STP_FMT_F32, STP_FMT_F32, acc[j], chunk, 0);
    }
  }
}

static void exact_pt_step(unsigned fmt, unsigned lanes, uint16_t a, const uint16_t *w,
                          const uint32_t *c, uint32_t *out) {
  const uint32_t x = convert(STP_FMT_F32, fmt, a);
  for (unsigned j = 0; j < lanes; j++)
    out[j] = exact_op(STP_OP_VFMA, 0, STP_FMT_F32, STP_FMT_F32, x, convert(STP_FMT_F32, fmt, w[j]),
                      c[j]);
}

const struct stp_num stp_num_exact_table = {
    .name = "exact",
    .op = exact_op,
    .row = exact_row,
    .fold = exact_fold,
    .pt_row = exact_pt_row,
    .pt_step = exact_pt_step,
};
