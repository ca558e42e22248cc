/* SPDX-License-Identifier: Apache-2.0 */
/* Constants only: the arithmetic of kernels is in the numerics library. */
#include <math.h>

#include "internal.h"

typedef struct {
  int exponent_bits, mantissa_bits;
  bool no_infinity; /* f8E4M3FN: all ones is the only NaN, overflow gives NaN */
} format_t;

static format_t format_of(stp_ir_elem_t elem) {
  switch (elem) {
  case STP_ELEM_F16:
    return (format_t){5, 10, false};
  case STP_ELEM_BF16:
    return (format_t){8, 7, false};
  case STP_ELEM_F8E4M3FN:
    return (format_t){4, 3, true};
  case STP_ELEM_F8E5M2:
    return (format_t){5, 2, false};
  default:
    return (format_t){8, 23, false};
  }
}

uint64_t stp_float_to_bits(stp_ir_elem_t elem, double value) {
  format_t f = format_of(elem);
  uint64_t sign = (uint64_t)(signbit(value) != 0) << (f.exponent_bits + f.mantissa_bits);
  uint64_t exponent_mask = ((uint64_t)1 << f.exponent_bits) - 1;
  uint64_t mantissa_mask = ((uint64_t)1 << f.mantissa_bits) - 1;
  uint64_t infinity = exponent_mask << f.mantissa_bits;
  if (f.no_infinity) {
    infinity |= mantissa_mask; /* its NaN stands for what cannot be represented */
  }
  if (isnan(value)) {
    return f.no_infinity ? infinity : infinity | (uint64_t)1 << (f.mantissa_bits - 1);
  }
  double magnitude = fabs(value);
  if (isinf(magnitude)) {
    return sign | infinity;
  }
  if (magnitude == 0) {
    return sign;
  }
  int bias = (1 << (f.exponent_bits - 1)) - 1;
  int exponent;
  frexp(magnitude, &exponent);
  exponent--; /* 1 <= magnitude / 2^exponent < 2 */
  if (exponent < 1 - bias) {
    exponent = 1 - bias; /* subnormal */
  }
  /* Scaled so that the last mantissa bit has weight 1: exact, since only powers of two move. */
  double scaled = ldexp(magnitude, f.mantissa_bits - exponent);
  double floored = floor(scaled);
  uint64_t mantissa = (uint64_t)floored;
  double rest = scaled - floored;
  if (rest > 0.5 || (rest == 0.5 && (mantissa & 1) != 0)) {
    mantissa++;
  }
  /* A carry out of the mantissa moves into the exponent by itself. */
  uint64_t bits = mantissa;
  if (mantissa > mantissa_mask) {
    bits = ((uint64_t)(exponent + bias) << f.mantissa_bits) + (mantissa - mantissa_mask - 1);
  }
  return sign | (bits >= infinity ? infinity : bits);
}
