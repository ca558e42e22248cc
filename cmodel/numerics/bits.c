/* Operations on bits and integers, for the integer implementation; fast.c does them a row at a
 * time. */
#include "formats.h"

static uint32_t sign_bit(unsigned fmt) {
  return stp_fmt_bytes(fmt) == 2 ? 0x8000u : 0x80000000u;
}

bool stp_bits_op(unsigned op, unsigned fmt, uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
  switch (op) {
  case STP_OP_VMOV:
    *out = a;
    break;
  case STP_OP_VABS:
    *out = a & ~sign_bit(fmt);
    break;
  case STP_OP_VNEG:
    *out = a ^ sign_bit(fmt);
    break;
  case STP_OP_VSEL:
    *out = a ? b : c;
    break;
  case STP_OP_VAND:
    *out = a & b;
    break;
  case STP_OP_VOR:
    *out = a | b;
    break;
  case STP_OP_VXOR:
    *out = a ^ b;
    break;
  case STP_OP_VNOT:
    *out = stp_fmt_bytes(fmt) == 2 ? ~a & 0xffffu : ~a;
    break;
  case STP_OP_VIADD:
    *out = a + b;
    break;
  case STP_OP_VISUB:
    *out = a - b;
    break;
  case STP_OP_VIMUL:
    *out = a * b;
    break;
  case STP_OP_VSHL:
    *out = a << (b & 31);
    break;
  case STP_OP_VSHR:
    *out = a >> (b & 31);
    break;
  case STP_OP_VSRA:
    *out = (uint32_t)((int32_t)a >> (b & 31));
    break;
  case STP_OP_VIMIN:
    *out = (int32_t)a < (int32_t)b ? a : b;
    break;
  case STP_OP_VIMAX:
    *out = (int32_t)a > (int32_t)b ? a : b;
    break;
  default:
    return false;
  }
  return true;
}
