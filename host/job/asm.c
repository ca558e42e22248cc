/* SPDX-License-Identifier: Apache-2.0 */
#include "asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned stp_unit_kind(unsigned unit) {
  if (unit < STP_UNIT_LX_LU0) return unit;
  return (unit - STP_UNIT_LX_LU0) % 4 + STP_KIND_LX_LU;
}

void stp_asm_init(stp_asm_t *a, unsigned unit) {
  memset(a, 0, sizeof *a);
  a->unit = unit;
  a->kind = stp_unit_kind(unit);
}

static void fail(stp_asm_t *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(stp_asm_t *a, const char *format, ...) {
  if (a->error[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(a->error, sizeof a->error, format, args);
  va_end(args);
}

static void append(stp_asm_t *a, uint64_t word) {
  if (a->count >= STP_PROG_WORDS) {
    fail(a, "the program of %s exceeds %d instructions", stp_unit_names[a->unit], STP_PROG_WORDS);
    return;
  }
  const stp_asm_line_t *last = a->num_lines ? &a->lines[a->num_lines - 1] : NULL;
  uint32_t line = last ? last->line : 0, col = last ? last->col : 0;
  if (line != a->line || col != a->col) {
    a->lines[a->num_lines++] = (stp_asm_line_t){a->count, a->line, a->col};
  }
  a->words[a->count++] = word;
}

uint32_t stp_asm_op(stp_asm_t *a, unsigned op, unsigned rd, unsigned ra, unsigned rb, unsigned aux,
                    int64_t imm) {
  uint32_t pc = a->count;
  const struct stp_insn_info *info = op < 256 ? &stp_insn_table[op] : NULL;
  if (!info || !info->name || !(info->kinds >> a->kind & 1)) {
    fail(a, "%s has no instruction 0x%02x", stp_unit_names[a->unit], op);
    return pc;
  }
  if (rd >= STP_REGS || ra >= STP_REGS || rb >= STP_REGS || aux >= 512) {
    fail(a, "%s: %s: an operand is out of range", stp_unit_names[a->unit], info->name);
    return pc;
  }
  if (imm < INT32_MIN || imm > INT32_MAX) {
    fail(a, "%s: %s: %lld exceeds 32 bits", stp_unit_names[a->unit], info->name, (long long)imm);
    return pc;
  }
  append(a, stp_insn(op, rd, ra, rb, aux, (int32_t)imm));
  return pc;
}

void stp_asm_li(stp_asm_t *a, unsigned rd, int64_t value) {
  int32_t low = (int32_t)(uint32_t)(uint64_t)value;
  stp_asm_op(a, STP_OP_ADDI, rd, 0, 0, 0, low);
  if (value != low) stp_asm_op(a, STP_OP_MOVHI, rd, rd, 0, 0, (int32_t)(value >> 32));
}

void stp_asm_token(stp_asm_t *a, unsigned op, unsigned peer, unsigned index) {
  stp_asm_op(a, op, 0, 0, 0, peer * STP_TOKENS_PER_PAIR + index, 0);
}

void stp_asm_sfu(stp_asm_t *a, unsigned op, unsigned fmt, unsigned vd, unsigned va, unsigned vb,
                 unsigned vc, unsigned function, unsigned src_fmt, bool tee, unsigned ra,
                 unsigned rb) {
  unsigned aux = (tee ? 1u : 0u) | function << 1 | src_fmt << 5;
  uint32_t imm = vd | va << 6 | vb << 12 | vc << 18 | fmt << 24;
  stp_asm_op(a, op, 0, ra, rb, aux, (int32_t)imm);
}

int stp_asm_label(stp_asm_t *a) {
  if (a->num_labels == (int)(sizeof a->labels / sizeof a->labels[0])) {
    fail(a, "too many labels");
    return 0;
  }
  a->labels[a->num_labels] = -1;
  return a->num_labels++;
}

void stp_asm_bind(stp_asm_t *a, int label) {
  a->labels[label] = (int32_t)a->count;
  a->last_loop_end = a->count; /* who jumps here must not jump past the end of a loop */
}

void stp_asm_branch(stp_asm_t *a, unsigned op, unsigned ra, unsigned rb, int label) {
  if (a->num_fixups == (int)(sizeof a->fixups / sizeof a->fixups[0])) {
    fail(a, "too many branches");
    return;
  }
  uint32_t pc = stp_asm_op(a, op, 0, ra, rb, 0, 0);
  a->fixups[a->num_fixups].pc = (uint16_t)pc;
  a->fixups[a->num_fixups].label = (uint16_t)label;
  a->num_fixups++;
}

int stp_asm_loop(stp_asm_t *a, unsigned ra, int64_t count) {
  if (count < 0 || count >= 1 << 19) {
    fail(a, "a loop count of %lld does not fit the instruction", (long long)count);
    count = 0;
  }
  if (++a->depth > STP_LOOP_DEPTH) fail(a, "loops nested deeper than %d", STP_LOOP_DEPTH);
  return (int)stp_asm_op(a, STP_OP_LOOP, 0, ra, 0, 0, count << 12);
}

void stp_asm_loop_end(stp_asm_t *a, int loop) {
  a->depth--;
  if (a->count == (uint32_t)loop + 1 || a->last_loop_end == a->count)
    stp_asm_op(a, STP_OP_NOP, 0, 0, 0, 0, 0);
  if (a->error[0]) return;
  a->words[loop] |= a->count - 1;
  a->last_loop_end = a->count;
}

void stp_asm_at(stp_asm_t *a, uint32_t line, uint32_t col) {
  a->line = line;
  a->col = col;
}

int stp_asm_finish(stp_asm_t *a) {
  for (int i = 0; i < a->num_fixups && !a->error[0]; i++) {
    int32_t pc = a->labels[a->fixups[i].label];
    if (pc < 0 || (uint32_t)pc >= a->count) {
      fail(a, "%s: a branch to a label that is not bound to an instruction",
           stp_unit_names[a->unit]);
      break;
    }
    a->words[a->fixups[i].pc] = (a->words[a->fixups[i].pc] & ~(uint64_t)0xffffffffu) | (uint32_t)pc;
  }
  if (a->depth) fail(a, "%s: a loop without its end", stp_unit_names[a->unit]);
  return a->error[0] ? -1 : 0;
}

const char *stp_asm_error(const stp_asm_t *a) {
  return a->error;
}
