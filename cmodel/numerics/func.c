/* Functions of the SFU: fixed-point range reduction, then a table of parabolas (docs/numerics.md,
 * Functions). */
#include "formats.h"
#include "stp_func_tables.h"

/* y in units of 2^-STP_FUNC_FRAC for the fraction f in units of 2^-32. Right shifts of negative
 * numbers round down. */
static int64_t evaluate(const struct stp_func_seg *table, uint32_t f) {
  const struct stp_func_seg s = table[f >> (32 - STP_FUNC_SEG_BITS)];
  const int64_t d = f & ((1u << (32 - STP_FUNC_SEG_BITS)) - 1);
  return s.c0 + (((s.c1 + ((s.c2 * (d >> 9)) >> 16)) * d) >> 25);
}

uint32_t stp_exp(unsigned fmt, uint32_t x) {
  const struct stp_fmt_desc desc = stp_fmt_desc(fmt);
  const uint32_t field = x >> 23 & 0xff, frac = x & 0x7fffff;
  const bool negative = x >> 31;
  if (field == 255 && frac) return desc.nan;
  if (field >= 134) return negative ? 0 : stp_fmt_inf(desc); /* |x| >= 128 */
  const uint64_t product = (field ? frac | 0x800000u : 0) * STP_FUNC_LOG2E;
  const unsigned shift = 155 - field;
  const int64_t u =
      shift > 63 ? 0 : (int64_t)(product >> shift); /* |x| * log2(e) in units of 2^-32 */
  const int64_t t = negative ? -u : u;
  const int64_t y = evaluate(stp_func_pow2, (uint32_t)t);
  return stp_round(fmt, false, (int)(t >> 32) - STP_FUNC_FRAC, (uint64_t)y);
}
