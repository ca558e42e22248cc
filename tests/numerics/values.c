#include "values.h"

uint64_t rng_next(struct rng *r) {
  uint64_t z = r->s += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Bits of fraction, and of the whole lane, of a float format. */
static unsigned frac_bits(unsigned fmt) {
  return fmt == STP_FMT_F16 ? 10 : fmt == STP_FMT_BF16 ? 7 : 23;
}
static unsigned lane_bits(unsigned fmt) {
  return stp_fmt_bytes(fmt) * 8;
}

unsigned special_values(unsigned fmt, uint32_t out[64]) {
  unsigned n = 0;
  if (fmt == STP_FMT_I32) {
    static const uint32_t i32[] = {
        0,          1,          2,          3,          0x7f,       0x80,       0x7ff,
        0x800,      0x801,      0x803,      0xffff,     0x10000,    65504,      65519,
        65520,      0xffffff,   0x1000000,  0x1000001,  0x1000003,  0x7fffff7f, 0x7fffff80,
        0x7fffffbf, 0x7fffffc0, 0x7fffffff, 0x80000000, 0x80000001, 0x80000040, 0x80000041,
        0xff000000, 0xfeffffff, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa};
    while (n < sizeof i32 / sizeof i32[0]) {
      out[n] = i32[n];
      n++;
    }
    return n;
  }
  const unsigned p = frac_bits(fmt), w = lane_bits(fmt);
  const uint32_t top = (1u << (w - 1 - p)) - 1, one = (top >> 1) << p, ones = (1u << p) - 1;
  const uint32_t magnitudes[] = {
      0, /* zero */
      1, /* smallest subnormal */
      2,
      3,
      ones >> 1,
      ones,    /* largest subnormal */
      1u << p, /* smallest normal */
      (1u << p) + 1,
      (2u << p) | ones,
      one - (1u << p), /* one half */
      one - 1,
      one,
      one + 1,
      one + (1u << (p - 1)), /* one and a half */
      one + ones,
      one + (1u << p),      /* two */
      one + ((p + 1) << p), /* where the last place is two */
      one - ((p + 1) << p),
      one + ((w - 1) << p > (top << p) - one ? 1u << p : (w - 1) << p),
      (top << p) - (1u << p), /* largest power of two */
      (top << p) - 2,
      (top << p) - 1,           /* largest finite */
      top << p,                 /* infinity */
      top << p | 1,             /* signalling NaN */
      top << p | 1u << (p - 1), /* quiet NaN */
      top << p | ones,          /* quiet NaN with payload */
  };
  for (unsigned i = 0; i < sizeof magnitudes / sizeof magnitudes[0]; i++) {
    out[n++] = magnitudes[i];
    out[n++] = magnitudes[i] | 1u << (w - 1);
  }
  return n;
}

uint32_t random_value(struct rng *r, unsigned fmt) {
  const uint64_t x = rng_next(r);
  const uint32_t v = (uint32_t)x;
  if (fmt == STP_FMT_I32) {
    uint32_t special[64];
    if ((x >> 32 & 7) == 0) return special[(x >> 40) % special_values(fmt, special)];
    return x >> 32 & 8 ? v : (uint32_t)((int32_t)v >> (x >> 40 & 31));
  }
  const unsigned p = frac_bits(fmt), w = lane_bits(fmt);
  const uint32_t mask = w == 32 ? 0xffffffffu : (1u << w) - 1, top = (1u << (w - 1 - p)) - 1;
  const uint32_t sign = 1u << (w - 1), frac = (1u << p) - 1;
  uint32_t special[64];
  switch (x >> 32 & 15) {
  case 0:
    return special[(x >> 40) % special_values(fmt, special)];
  case 1:
    return v & (sign | frac); /* subnormal */
  case 2:
    return (v & (sign | frac)) | (uint32_t)(x >> 40 & 3) << p; /* about the smallest normal */
  case 3:
    return (v & (sign | frac)) | (top - (uint32_t)(x >> 40 & 3)) << p; /* about the largest */
  case 4:
    return v & mask & ~(frac >> 2); /* short fraction: ties */
  case 5:
    return (v & mask) | (frac >> 2);
  case 6:
  case 7:
  case 8:
  case 9:
  case 10: /* about one */
    return (v & (sign | frac)) | ((top >> 1) - 4 + (uint32_t)(x >> 40 & 7)) << p;
  default:
    return v & mask;
  }
}

void random_operands(struct rng *r, unsigned fmt, uint32_t v[3]) {
  for (unsigned i = 0; i < 3; i++) v[i] = random_value(r, fmt);
  if (fmt == STP_FMT_I32) {
    if ((rng_next(r) & 7) == 0) v[1] = v[0];
    return;
  }
  const uint64_t x = rng_next(r);
  const unsigned p = frac_bits(fmt), w = lane_bits(fmt);
  const uint32_t mask = w == 32 ? 0xffffffffu : (1u << w) - 1, sign = 1u << (w - 1);
  switch (x & 7) {
  case 0: /* the same, or the opposite, give or take some last places */
    v[1] = ((v[0] ^ (x & 8 ? sign : 0)) + (uint32_t)(x >> 8 & 7) - 4) & mask;
    break;
  case 1: /* exponents a few steps apart */
    v[1] = (v[1] & (sign | ((1u << p) - 1))) |
           ((v[0] + (((uint32_t)(x >> 8) % (2 * p + 8)) << p) - ((p + 4) << p)) & mask & ~sign &
            ~((1u << p) - 1));
    break;
  case 2:
  case 3: { /* an addend that nearly cancels the product, or lies where it decides a tie */
    const double product = stp_num_to_double(fmt, v[0]) * stp_num_to_double(fmt, v[1]);
    v[2] = (stp_num_from_double(fmt, -product) + (uint32_t)(x >> 8 & 7) - 4) & mask;
    if (x & 16) v[2] = (v[2] - ((uint32_t)(x >> 16) % (3 * p) << p)) & mask;
    if (x & 32) v[2] ^= sign;
    break;
  }
  case 4: /* products with few bits */
    v[0] &= mask & ~((1u << (p / 2)) - 1);
    v[1] &= mask & ~((1u << (p / 2)) - 1);
    break;
  default:
    break;
  }
}
