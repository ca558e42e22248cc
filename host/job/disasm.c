/* SPDX-License-Identifier: Apache-2.0 */
/* The disassembler: driven by the syntax letters of the generated instruction table (arch/isa.toml
 * explains them). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "asm.h"

typedef struct text {
  char *buf;
  size_t size;
  int len;
} text_t;

static void put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_t *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t at = (size_t)t->len < t->size ? (size_t)t->len : t->size;
  int n = vsnprintf(t->size ? t->buf + at : NULL, t->size - at, format, args);
  va_end(args);
  if (n > 0) t->len += n;
}

static void put_source(text_t *t, unsigned v, uint64_t w) {
  switch (v) {
  case STP_V_X:
    put(t, "x");
    break;
  case STP_V_P:
    put(t, "p");
    break;
  case STP_V_SA:
    put(t, "s(r%u)", stp_insn_ra(w));
    break;
  case STP_V_SB:
    put(t, "s(r%u)", stp_insn_rb(w));
    break;
  case STP_V_ZERO:
    put(t, "zero");
    break;
  default:
    if (v < STP_SFU_REGS)
      put(t, "v%u", v);
    else
      put(t, "?%u", v);
  }
}

static const char *name_of(const char *const *names, unsigned count, unsigned i) {
  return i < count ? names[i] : "?";
}

/* vadd.f16 v3+out, v0, x */
static void put_sfu(text_t *t, uint64_t w, const struct stp_insn_info *info) {
  unsigned op = stp_insn_op(w), aux = stp_insn_aux(w), function = aux >> 1 & 15,
           source = aux >> 5 & 15;
  uint32_t imm = (uint32_t)stp_insn_imm(w);
  put(t, "%s.%s", info->name, name_of(stp_format_names, STP_FORMATS, imm >> 24 & 15));
  if (op == STP_OP_VCMP) put(t, ".%s", name_of(stp_vcmp_names, STP_VCMPS, function));
  if (op == STP_OP_VFOLD) put(t, ".%s", name_of(stp_vfold_names, STP_VFOLDS, function));
  if (op == STP_OP_VFUNC) put(t, ".%s", name_of(stp_vfunc_names, STP_VFUNCS, function));
  if (op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC) {
    put(t, ".%s", name_of(stp_format_names, STP_FORMATS, source));
  }
  unsigned vd = imm & 63;
  if (vd == STP_V_OUT)
    put(t, " out");
  else
    put(t, " v%u%s", vd, aux & 1 ? "+out" : "");
  int sources = info->syntax[1] - '0';
  for (int i = 0; i < sources; i++) {
    put(t, ", ");
    put_source(t, imm >> (6 + 6 * i) & 63, w);
  }
  if (op == STP_OP_VSPLAT) put(t, ", %u", imm >> 12 & 63);
  if (op == STP_OP_VLANE) put(t, ", r%u", stp_insn_ra(w));
}

static void put_operand(text_t *t, char letter, uint64_t w, unsigned kind) {
  unsigned aux = stp_insn_aux(w), ra = stp_insn_ra(w);
  int32_t imm = stp_insn_imm(w);
  switch (letter) {
  case 'd':
    put(t, "r%u", stp_insn_rd(w));
    break;
  case 'a':
    put(t, "r%u", ra);
    break;
  case 'b':
    put(t, "r%u", stp_insn_rb(w));
    break;
  case 'i':
    put(t, "%" PRId32, imm);
    break;
  case 'p':
    put(t, "@%" PRId32, imm);
    break;
  case 'u':
    put(t, "0x%x", aux);
    break;
  case 'x':
    put(t, "%s", name_of(stp_spr_names, STP_SPRS, aux));
    break;
  case 't':
    put(t, "%s.%u", name_of(stp_unit_names, STP_UNITS, aux >> 2 & 15), aux & 3);
    break;
  case 'l':
    put(t, "r%u + %u, @%u", ra, (uint32_t)imm >> 12, (unsigned)imm & 0xfff);
    break;
  case 'm':
    if (ra)
      put(t, "[r%u + %" PRId32 "]", ra, imm);
    else
      put(t, "[%" PRId32 "]", imm);
    break;
  case 's':
    put(t, "%c%u", aux & 4 ? 's' : 'u', 8u << (aux & 3));
    break;
  case 'f': {
    const char *name = aux < 16 ? stp_cfg_names[kind > STP_KIND_MNI_SU][aux] : NULL;
    if (name)
      put(t, "%s", name);
    else
      put(t, "?%u", aux);
    break;
  }
  default:
    put(t, "?");
  }
}

int stp_disasm(uint64_t word, unsigned kind, char *buf, size_t n) {
  text_t t = {buf, n, 0};
  const struct stp_insn_info *info = &stp_insn_table[stp_insn_op(word)];
  if (n) buf[0] = 0;
  if (!info->name || kind >= 16 || !(info->kinds >> kind & 1)) {
    put(&t, ".word 0x%016" PRIx64, word);
  } else if (info->syntax[0] == 'v') {
    put_sfu(&t, word, info);
  } else {
    put(&t, "%s", info->name);
    for (const char *s = info->syntax; *s; s++) {
      if (*s == ',') continue;
      put(&t, s == info->syntax ? " " : ", ");
      put_operand(&t, *s, word, kind);
    }
  }
  return t.len;
}
