#include "formats.h"

#include <math.h>
#include <string.h>

unsigned stp_fmt_bytes(unsigned fmt) {
  switch (fmt) {
  case STP_FMT_F16:
  case STP_FMT_BF16:
  case STP_FMT_I16:
    return 2;
  case STP_FMT_F32:
  case STP_FMT_F32P:
  case STP_FMT_I32:
    return 4;
  default:
    return 0;
  }
}

bool stp_fmt_is_float(unsigned fmt) {
  return fmt == STP_FMT_F16 || fmt == STP_FMT_BF16 || fmt == STP_FMT_F32 || fmt == STP_FMT_F32P;
}

struct stp_unpacked stp_unpack(unsigned fmt, uint32_t bits) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  const uint32_t top = (1u << d.ebits) - 1;
  const uint32_t field = bits >> (d.p - 1) & top;
  const uint32_t frac = bits & ((1u << (d.p - 1)) - 1);
  struct stp_unpacked u = {STP_FINITE, (bits & stp_fmt_sign(d)) != 0, 0, 0};
  if (field == top) {
    u.cls = frac ? STP_NAN : STP_INF;
    return u;
  }
  if (field == 0 && frac == 0) {
    u.cls = STP_ZERO;
    return u;
  }
  u.sig = field ? frac | 1u << (d.p - 1) : frac;
  u.exp = (field ? (int)field - 1 : 0) + d.emin - (d.p - 1);
  const int shift = __builtin_clzll(u.sig) - 1;
  u.sig <<= shift;
  u.exp -= shift;
  return u;
}

uint32_t stp_round(unsigned fmt, bool sign, int exp, uint64_t sig) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  const uint32_t s = sign ? stp_fmt_sign(d) : 0;
  if (sig == 0) return s;
  const int shift = __builtin_clzll(sig);
  sig <<= shift;
  exp -= shift;
  int lead = exp + 63; /* exponent of the leading bit */
  int drop = 64 - d.p; /* bits of sig below the last place */
  uint32_t field = 0;
  if (lead < d.emin)
    drop += d.emin - lead;
  else
    field = (uint32_t)(lead - d.emin); /* one too low: the leading bit adds one below */
  uint64_t q = drop > 63 ? 0 : sig >> drop;
  bool half = drop <= 64 && (sig >> (drop - 1) & 1);
  bool below = drop > 64 || (sig & ((UINT64_C(1) << (drop - 1)) - 1)) != 0;
  if (half && (below || (q & 1))) q++;
  if (lead > 1 - d.emin) return s | stp_fmt_inf(d); /* the largest exponent is 1 - emin */
  uint32_t r = (field << (d.p - 1)) + (uint32_t)q; /* a carry out of q moves to the next exponent */
  return s | (r > stp_fmt_inf(d) ? stp_fmt_inf(d) : r);
}

double stp_num_to_double(unsigned fmt, uint32_t bits) {
  if (fmt == STP_FMT_I32) return (double)(int32_t)bits;
  if (fmt == STP_FMT_I16) return (double)(int16_t)bits;
  struct stp_unpacked u = stp_unpack(fmt, bits);
  double v = 0;
  switch (u.cls) {
  case STP_ZERO:
    break;
  case STP_FINITE:
    v = ldexp((double)u.sig, u.exp);
    break; /* at most 24 bits of sig are set: exact */
  case STP_INF:
    v = HUGE_VAL;
    break;
  case STP_NAN:
    return (double)NAN;
  }
  return u.sign ? -v : v;
}

uint32_t stp_num_from_double(unsigned fmt, double value) {
  if (fmt == STP_FMT_I32 || fmt == STP_FMT_I16) {
    const int32_t lo = fmt == STP_FMT_I32 ? INT32_MIN : INT16_MIN;
    const int32_t hi = fmt == STP_FMT_I32 ? INT32_MAX : INT16_MAX;
    int32_t i = isnan(value) ? 0 : value <= lo ? lo : value >= hi ? hi : (int32_t)value;
    return fmt == STP_FMT_I32 ? (uint32_t)i : (uint16_t)i;
  }
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  if (isnan(value)) return d.nan;
  const bool sign = signbit(value) != 0;
  if (isinf(value)) return (sign ? stp_fmt_sign(d) : 0) | stp_fmt_inf(d);
  int exp;
  double m = frexp(fabs(value), &exp);
  return stp_round(fmt, sign, exp - 63, (uint64_t)ldexp(m, 63));
}

double stp_num_ulps(unsigned fmt, uint32_t bits, long double want) {
  const struct stp_fmt_desc d = stp_fmt_desc(fmt);
  const double got = stp_num_to_double(fmt, bits);
  if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : HUGE_VAL;
  const long double largest = ldexpl(2.0L - ldexpl(1, 1 - d.p), 1 - d.emin);
  /* Beyond the largest finite value by half a place or more, infinity is the rounded result. */
  const long double edge = ldexpl(2.0L - ldexpl(1, -d.p), 1 - d.emin);
  if (isinf(got))
    return fabsl(want) > largest && (want > 0) == (got > 0)
               ? fabsl(want) >= edge ? 0
                                     : (double)((edge - fabsl(want)) / ldexpl(1, 2 - d.emin - d.p))
               : HUGE_VAL;
  if (isinf(want)) return HUGE_VAL;
  int e;
  frexpl(want, &e);
  e -= 1;
  if (want == 0 || e < d.emin) e = d.emin;
  return (double)(fabsl((long double)got - want) / ldexpl(1, e - (d.p - 1)));
}
