/* Numbers of Steeple: every arithmetic rule of docs/numerics.md, in C.
 *
 * There are two implementations of one interface. The fast one uses the host's float arithmetic;
 * the exact one uses integers alone and is the check of the first. Both give the same bits on every
 * input. Neither keeps any state.
 *
 * Values travel as raw bits. A lane of f16, bf16 and i16 is a uint16_t, a lane of f32 and i32 a
 * uint32_t; a row of lanes is an array of those, aligned as they are. Formats, operations,
 * predicates and functions are numbered as in the contract (stp_arch.h, stp_isa.h); f32p (a
 * register pair) is a row of 64 f32 lanes here.
 */
#ifndef STP_NUMERICS_H
#define STP_NUMERICS_H

#include <stdbool.h>
#include <stdint.h>

#include "stp_arch.h"
#include "stp_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The NaN that every arithmetic operation gives. */
#define STP_NAN_F16 0x7e00u
#define STP_NAN_BF16 0x7fc0u
#define STP_NAN_F32 0x7fc00000u

/* One implementation of the arithmetic. */
struct stp_num {
  const char *name;

  /* One lane. Bits of a 16-bit lane are in the low half; the high half of arguments is ignored,
   * that of the result is 0. op    STP_OP_V..., one for which stp_num_supports() holds (else the
   * result is 0) fn    predicate of vcmp (STP_VCMP_...) or function of vfunc (STP_VFUNC_...); else
   * ignored fmt   format of the instruction: of sources and result, but for the operations below
   *   sfmt  format of the source of vcvt, vunpack and vacc; else ignored
   * vcmp gives lanes of all ones or zeros, as wide as fmt. vpack takes f32. vacc takes the 16-bit
   * lane as a and the accumulator as c. */
  uint32_t (*op)(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t a, uint32_t b,
                 uint32_t c);

  /* The same on `lanes` lanes, any number. Sources that the operation does not take may be NULL.
   * `out` may be one of the sources, if its lanes are as wide as theirs; otherwise they must not
   * overlap. False, with nothing written: the operation is not supported. */
  bool (*row)(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, unsigned lanes, const void *a,
              const void *b, const void *c, void *out);

  /* Folds `lanes` lanes (a power of two, at most 64) of a: lane i with i + lanes/2, then lanes/4,
   * ..., 1. Gives lane 0 (0 where fn or lanes is not as said). fn is STP_VFOLD_...; add is for f32
   * only. */
  uint32_t (*fold)(unsigned fn, unsigned fmt, unsigned lanes, const void *a);

  /* PT: one row of activations against a weight bank of nblk 8x64 blocks. For each block b in
   * ascending order: chunk[j] = chain of eight f32 FMAs from +0 over a[8b+i] * w[8b+i][j], i
   * ascending;   acc[j] = acc[j] + chunk[j] Inputs are f16 or bf16 values widened to f32 bits
   * (row() with vunpack); acc is f32 bits. */
  void (*pt_row)(unsigned nblk, const uint32_t *a, const uint32_t (*w)[64], uint32_t acc[64]);

  /* One step of a PE row of PT: out[j] = c[j] + a * w[j] by an f32 FMA, on `lanes` lanes. a and w
   * are f16 or bf16 as fmt says, c and out f32 bits. out may be c. */
  void (*pt_step)(unsigned fmt, unsigned lanes, uint16_t a, const uint16_t *w, const uint32_t *c,
                  uint32_t *out);
};

/* The fast implementation for this host's processor. Each call asks the processor what it can do,
 * which takes microseconds in a virtual machine: call once and keep the pointer. */
const struct stp_num *stp_num_fast(void);

/* The fast implementation without any instruction-set extension; for tests. */
const struct stp_num *stp_num_portable(void);

/* The integer implementation. */
const struct stp_num *stp_num_exact(void);

/* Whether op() and row() know this combination. */
bool stp_num_supports(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt);

/* Bytes of a lane, 0 for a format that has no lanes here. */
unsigned stp_fmt_bytes(unsigned fmt);

/* Whether fmt is a floating-point format that this library knows. */
bool stp_fmt_is_float(unsigned fmt);

/* Conversions for readers and reports. To double: exact. From double: rounded once, nearest even
 * (i32, i16: toward zero, saturating, NaN gives 0). */
double stp_num_to_double(unsigned fmt, uint32_t bits);
uint32_t stp_num_from_double(unsigned fmt, double value);

/* Distance of bits from the exact value `want` in units of the last place of the format at `want`
 * (for |want| in the subnormal range: the smallest subnormal). 0 where both are NaN or the same
 * infinity, or both beyond the largest finite value; HUGE_VAL where only one is. For f16, bf16 and
 * f32. */
double stp_num_ulps(unsigned fmt, uint32_t bits, long double want);

#ifdef __cplusplus
}
#endif

#endif
