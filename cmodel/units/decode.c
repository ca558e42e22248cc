/* Words to decoded instructions. What can be wrong with a word by itself is found here, once. */
#include <string.h>

#include "units_int.h"

/* Which fields an instruction names, from its syntax letters in arch/isa.toml. */
static void named_fields(const char *syntax, bool *rd, bool *ra, bool *rb, bool *aux, bool *imm) {
  *rd = *ra = *rb = *aux = *imm = false;
  if (syntax[0] == 'v') {
    *ra = *rb = *aux = *imm = true;
    return;
  }
  for (const char *s = syntax; *s != '\0'; s++) {
    switch (*s) {
    case 'd':
      *rd = true;
      break;
    case 'a':
      *ra = true;
      break;
    case 'b':
      *rb = true;
      break;
    case 'i':
    case 'p':
      *imm = true;
      break;
    case 't':
    case 'x':
    case 's':
    case 'f':
    case 'u':
      *aux = true;
      break;
    case 'l':
    case 'm':
      *ra = *imm = true;
      break;
    default:
      break;
    }
  }
}

static void trap(stp_insn_t *i, unsigned cause, uint64_t addr) {
  i->cause = (uint8_t)cause;
  i->trap_addr = addr & STP_ADDR_MASK;
}

/* Whether aux has a bit set outside mask. */
static bool aux_outside(const stp_insn_t *i, unsigned mask) {
  return (i->aux & ~mask) != 0;
}

static bool fields_ok(const stp_insn_t *i, unsigned kind) {
  switch (i->op) {
  case STP_OP_LDX:
    return !aux_outside(i, 0x7);
  case STP_OP_SPR:
    return i->aux < STP_SPRS;
  case STP_OP_CFG:
    if (i->aux >= 16) return false;
    if (kind == STP_KIND_MNI_LU || kind == STP_KIND_MNI_SU) return stp_cfg_names[0][i->aux] != NULL;
    if (kind == STP_KIND_LX_LU || kind == STP_KIND_LX_SU) return stp_cfg_names[1][i->aux] != NULL;
    return false;
  case STP_OP_WAIT:
  case STP_OP_POST:
    return !aux_outside(i, 0x3f);
  case STP_OP_XFER:
    return !aux_outside(i, 0xf);
  case STP_OP_LD:
    return !aux_outside(i, 0xf) && (i->aux & 0x6) != 0x6 && (i->aux & 0xe) != 0x8;
  case STP_OP_ST:
    return !aux_outside(i, 0x6) && (i->aux & 0x6) != 0x6;
  case STP_OP_WLOAD:
    return !aux_outside(i, 0x3d);
  case STP_OP_MM:
    return (i->aux >> 7) <= STP_FMT_BF16;
  case STP_OP_ALOAD:
    return !aux_outside(i, 0x182) && (i->aux >> 7) <= STP_FMT_F32;
  case STP_OP_DRAIN:
    return !aux_outside(i, 0x2);
  default:
    return true;
  }
}

void stp_decode(uint64_t word, unsigned kind, stp_insn_t *out) {
  bool rd, ra, rb, aux, imm;
  memset(out, 0, sizeof *out);
  out->op = (uint8_t)(word >> 56);
  out->rd = (word >> 51) & 31;
  out->ra = (word >> 46) & 31;
  out->rb = (word >> 41) & 31;
  out->aux = (word >> 32) & 0x1ff;
  out->imm = (int32_t)(uint32_t)word;
  const struct stp_insn_info *info = &stp_insn_table[out->op];
  if (info->name == NULL || (info->kinds >> kind & 1) == 0) {
    trap(out, STP_CAUSE_ILLEGAL, word);
    return;
  }
  out->payload = info->payload;
  out->postinc = info->postinc;
  named_fields(info->syntax, &rd, &ra, &rb, &aux, &imm);
  if ((!rd && out->rd != 0) || (!ra && out->ra != 0) || (!rb && out->rb != 0) ||
      (!aux && out->aux != 0) || (!imm && out->imm != 0) || !fields_ok(out, kind)) {
    trap(out, STP_CAUSE_ILLEGAL, word);
    return;
  }
  if ((out->op == STP_OP_WAIT || out->op == STP_OP_POST) && out->aux >= 4 * STP_UNITS)
    trap(out, STP_CAUSE_BAD_TOKEN, out->aux);
  if (out->op == STP_OP_WLOAD || out->op == STP_OP_MM) {
    unsigned nblk = out->aux >> 2 & 0xf;
    if (nblk < 1 || nblk > STP_PT_BLOCKS) {
      trap(out, STP_CAUSE_BAD_OPERAND, nblk);
      out->late = 1;
    }
  }
  if (info->syntax[0] == 'v') {
    out->late = 1;
    stp_decode_sfu(word, out);
  }
}

/* Whether an SFU source takes a pair of sticks rather than one. */
static bool source_is_pair(const stp_insn_t *i) {
  if (i->op == STP_OP_VPACK) return true;
  if (i->op == STP_OP_VUNPACK || i->op == STP_OP_VACC) return false;
  return i->format == STP_FMT_F32P;
}

static bool is_fifo(unsigned operand) {
  return operand == STP_V_X || operand == STP_V_P;
}

void stp_decode_sfu(uint64_t word, stp_insn_t *i) {
  const struct stp_insn_info *info = &stp_insn_table[i->op];
  const unsigned sources = (unsigned)(info->syntax[1] - '0') & 3;
  const bool has_source_format =
      i->op == STP_OP_VCVT || i->op == STP_OP_VUNPACK || i->op == STP_OP_VACC;
  i->vd = word & 0x3f;
  i->va = word >> 6 & 0x3f;
  i->vb = word >> 12 & 0x3f;
  i->vc = word >> 18 & 0x3f;
  i->format = word >> 24 & 0xf;
  i->sources = sources;
  i->tee = i->aux & 1;
  i->function = i->aux >> 1 & 0xf;
  i->source = i->aux >> 5 & 0xf;

  bool ok = (word >> 28 & 0xf) == 0 && (info->formats >> i->format & 1) != 0;
  if (i->op == STP_OP_VFOLD) {
    ok = ok && i->function < STP_VFOLDS;
    if (i->function == STP_VFOLD_ADD)
      ok = ok && (i->format == STP_FMT_F32 || i->format == STP_FMT_F32P);
  } else if (i->op == STP_OP_VFUNC) {
    ok = ok && i->function < STP_VFUNCS;
  } else if (i->op != STP_OP_VCMP) {
    ok = ok && i->function == 0;
  }
  if (i->op == STP_OP_VCMP && i->format == STP_FMT_I32)
    ok = ok && i->function != STP_VCMP_ORD && i->function != STP_VCMP_UNO;
  if (i->op == STP_OP_VCVT) {
    const bool wide = i->format == STP_FMT_F32 || i->format == STP_FMT_I32;
    const bool source_wide = i->source == STP_FMT_F32 || i->source == STP_FMT_I32;
    ok = ok && (info->formats >> i->source & 1) != 0 && wide == source_wide;
  } else if (has_source_format) {
    ok = ok && i->source <= STP_FMT_BF16;
  } else {
    ok = ok && i->source == 0;
  }
  const unsigned v[3] = {i->va, i->vb, i->vc};
  for (unsigned n = sources; n < 3; n++)
    if (!(i->op == STP_OP_VSPLAT && n == 1)) ok = ok && v[n] == 0;
  if (!ok) {
    trap(i, STP_CAUSE_ILLEGAL, word);
    return;
  }

  unsigned fifos = 0;
  for (unsigned n = 0; n < 3 && n < sources; n++) {
    if (v[n] > STP_V_ZERO) {
      trap(i, STP_CAUSE_BAD_OPERAND, v[n]);
      return;
    }
    if (source_is_pair(i) && (is_fifo(v[n]) || (v[n] < STP_SFU_REGS && (v[n] & 1) != 0))) {
      trap(i, STP_CAUSE_BAD_OPERAND, v[n]);
      return;
    }
    if (is_fifo(v[n])) {
      if (fifos >> (v[n] & 1) & 1) {
        trap(i, STP_CAUSE_BAD_OPERAND, v[n]);
        return;
      }
      fifos |= 1u << (v[n] & 1);
    }
  }
  const bool result_is_pair = i->format == STP_FMT_F32P;
  if (i->vd > STP_V_OUT || (result_is_pair && (i->vd == STP_V_OUT || (i->vd & 1) != 0))) {
    trap(i, STP_CAUSE_BAD_OPERAND, i->vd);
    return;
  }
  /* One stick a payload goes to OUT, and only once. */
  if (i->tee != 0 && (result_is_pair || i->vd == STP_V_OUT)) {
    trap(i, STP_CAUSE_BAD_OPERAND, i->vd);
    return;
  }
  if (i->op == STP_OP_VSPLAT) {
    const bool wide = i->format == STP_FMT_F32 || i->format == STP_FMT_I32;
    if (wide && i->vb >= STP_LANES32) trap(i, STP_CAUSE_BAD_OPERAND, i->vb);
  }
}
