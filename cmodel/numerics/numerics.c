#include "formats.h"

#ifdef STP_NUM_HAVE_AVX2
#include <cpuid.h>
#endif

static bool is_16bit_float(unsigned fmt) {
  return fmt == STP_FMT_F16 || fmt == STP_FMT_BF16;
}

bool stp_num_supports(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt) {
  switch (op) {
  case STP_OP_VMOV:
  case STP_OP_VAND:
  case STP_OP_VOR:
  case STP_OP_VXOR:
  case STP_OP_VNOT:
  case STP_OP_VSEL:
    return stp_fmt_bytes(fmt) != 0;
  case STP_OP_VADD:
  case STP_OP_VSUB:
  case STP_OP_VMUL:
  case STP_OP_VFMA:
  case STP_OP_VDIV:
  case STP_OP_VMIN:
  case STP_OP_VMAX:
  case STP_OP_VMINNUM:
  case STP_OP_VMAXNUM:
  case STP_OP_VABS:
  case STP_OP_VNEG:
  case STP_OP_VSQRT:
    return stp_fmt_is_float(fmt);
  case STP_OP_VCMP:
    return fn < 16 && (stp_fmt_is_float(fmt) || fmt == STP_FMT_I32);
  case STP_OP_VIADD:
  case STP_OP_VISUB:
  case STP_OP_VIMUL:
  case STP_OP_VSHL:
  case STP_OP_VSHR:
  case STP_OP_VSRA:
  case STP_OP_VIMIN:
  case STP_OP_VIMAX:
    return fmt == STP_FMT_I32;
  case STP_OP_VCVT: /* every pair, though the instruction only takes formats of one width */
    return (stp_fmt_is_float(fmt) || fmt == STP_FMT_I32) &&
           (stp_fmt_is_float(sfmt) || sfmt == STP_FMT_I32);
  case STP_OP_VPACK:
    return is_16bit_float(fmt);
  case STP_OP_VUNPACK:
  case STP_OP_VACC:
    return (fmt == STP_FMT_F32P || fmt == STP_FMT_F32) && is_16bit_float(sfmt);
  case STP_OP_VFUNC:
    return stp_fmt_is_float(fmt) && fn < STP_VFUNCS;
  default:
    return false;
  }
}

const struct stp_num *stp_num_exact(void) {
  return &stp_num_exact_table;
}

const struct stp_num *stp_num_portable(void) {
  return &stp_num_portable_table;
}

const struct stp_num *stp_num_fast(void) {
#ifdef STP_NUM_HAVE_AVX2
  unsigned a, b, c, d;
  /* clang 14 has no name for F16C, so it is asked for directly. */
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C))
    return &stp_num_avx2_table;
#endif
  return &stp_num_portable_table;
}
