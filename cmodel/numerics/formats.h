/* Private to cmodel/numerics: formats as numbers, and the one place where integers are rounded. */
#ifndef STP_NUM_FORMATS_H
#define STP_NUM_FORMATS_H

#include "numerics.h"

/* Lanes in a caller's buffer, whatever it was declared as (a stick is often an array of bytes). */
typedef uint16_t __attribute__((may_alias)) stp_lane16_t;
typedef uint32_t __attribute__((may_alias)) stp_lane32_t;

static inline uint32_t stp_load(const void *row, unsigned bytes, unsigned i) {
  if (!row) return 0;
  return bytes == 2 ? ((const stp_lane16_t *)row)[i] : ((const stp_lane32_t *)row)[i];
}

static inline void stp_store(void *row, unsigned bytes, unsigned i, uint32_t v) {
  if (bytes == 2)
    ((stp_lane16_t *)row)[i] = (uint16_t)v;
  else
    ((stp_lane32_t *)row)[i] = v;
}

/* A binary format: p significant bits, smallest normal exponent emin (of the leading bit), ebits of
 * exponent field. */
struct stp_fmt_desc {
  int p, emin, ebits;
  uint32_t nan;
};

static inline struct stp_fmt_desc stp_fmt_desc(unsigned fmt) {
  switch (fmt) {
  case STP_FMT_F16:
    return (struct stp_fmt_desc){11, -14, 5, STP_NAN_F16};
  case STP_FMT_BF16:
    return (struct stp_fmt_desc){8, -126, 8, STP_NAN_BF16};
  default:
    return (struct stp_fmt_desc){24, -126, 8, STP_NAN_F32};
  }
}

static inline uint32_t stp_fmt_sign(struct stp_fmt_desc d) {
  return 1u << (d.p - 1 + d.ebits);
}
static inline uint32_t stp_fmt_inf(struct stp_fmt_desc d) {
  return ((1u << d.ebits) - 1) << (d.p - 1);
}

/* An unpacked number. Finite: (-1)^sign * sig * 2^exp, sig with its leading bit at 62. */
enum stp_class { STP_ZERO, STP_FINITE, STP_INF, STP_NAN };
struct stp_unpacked {
  enum stp_class cls;
  bool sign;
  int exp;
  uint64_t sig;
};

struct stp_unpacked stp_unpack(unsigned fmt, uint32_t bits);

/* Rounds (-1)^sign * sig * 2^exp to fmt, nearest even, with subnormals and overflow to infinity.
 * sig may be 0; its lowest bit may stand for anything non-zero below it, provided that sig >= 2^27.
 */
uint32_t stp_round(unsigned fmt, bool sign, int exp, uint64_t sig);

/* vcmp predicates as a set of outcomes: bit 0 equal, 1 greater, 2 less, 3 unordered. */
static inline unsigned stp_predicate_set(unsigned fn) {
  static const uint8_t set[16] = {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15, 0};
  return set[fn & 15];
}
static inline bool stp_predicate_unsigned(unsigned fn) {
  return fn >= STP_VCMP_UGT && fn <= STP_VCMP_ULE;
}

/* A function (STP_VFUNC_..., not the reciprocal, which is a division) of f32 bits to fmt, by the
 * algorithm of numerics.md in scalar integers. */
uint32_t stp_func(unsigned fn, unsigned fmt, uint32_t x);

/* The fast implementations work rows in blocks of this many lanes. */
#define STP_NUM_BLOCK 64

/* The same functions on up to STP_NUM_BLOCK lanes of f32, for the fast implementations: rounded to
 * f32, or, if `odd`, rounded to odd there: rounding that once more to f16 or bf16 is right. */
void stp_funcs_portable(unsigned fn, bool odd, unsigned n, const float *in, float *out);
#ifdef STP_NUM_HAVE_AVX2
void stp_funcs_avx2(unsigned fn, bool odd, unsigned n, const float *in, float *out);
#endif

/* Operations on bits and integers, a lane at a time; true if op is one of them. */
bool stp_bits_op(unsigned op, unsigned fmt, uint32_t a, uint32_t b, uint32_t c, uint32_t *out);

extern const struct stp_num stp_num_exact_table, stp_num_portable_table;
#ifdef STP_NUM_HAVE_AVX2
extern const struct stp_num stp_num_avx2_table;
#endif

#endif
