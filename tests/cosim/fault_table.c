/* SPDX-License-Identifier: Apache-2.0 */
#include "fault_table.h"

#include "stp_isa.h"

/* Units by kind. */
enum {
  MNI = 1u << STP_UNIT_MNI_LU | 1u << STP_UNIT_MNI_SU,
  LX_LU = 1u << STP_UNIT_LX_LU0 | 1u << STP_UNIT_LX_LU1,
  PT = 1u << STP_UNIT_PT0 | 1u << STP_UNIT_PT1,
  SFU = 1u << STP_UNIT_SFU0 | 1u << STP_UNIT_SFU1,
  LX_SU = 1u << STP_UNIT_LX_SU0 | 1u << STP_UNIT_LX_SU1,
  LX = LX_LU | LX_SU,
  ALL = MNI | LX | PT | SFU,
};

/* ---- programs ---------------------------------------------------------------------------- */

void fault_put(stp_asm_t *a, uint64_t word) {
  const uint32_t pc = stp_asm_op(a, STP_OP_NOP, 0, 0, 0, 0, 0);
  a->words[pc] = word;
}

/* The instruction that faults, whatever it is. */
static void fault(stp_asm_t *a, uint64_t word) {
  stp_asm_at(a, FAULT_LINE, FAULT_COL);
  fault_put(a, word);
  stp_asm_at(a, 1, 1);
}

void fault_halt(stp_asm_t *a) {
  stp_asm_op(a, STP_OP_HALT, 0, 0, 0, 0, 0);
}

void fault_cfg(stp_asm_t *a, unsigned field, int64_t value) {
  stp_asm_op(a, STP_OP_CFG, 0, 0, 0, field, value);
}

/* Instructions that only take time. */
static void spin(stp_asm_t *a, unsigned times) {
  const int loop = stp_asm_loop(a, 0, times);
  stp_asm_op(a, STP_OP_ADDI, 3, 3, 0, 0, 1);
  stp_asm_op(a, STP_OP_XORI, 3, 3, 0, 0, 5);
  stp_asm_loop_end(a, loop);
}

static void just_halt(stp_asm_t *a) {
  fault_halt(a);
}

static void spin_and_halt(stp_asm_t *a) {
  spin(a, 300);
  fault_halt(a);
}

/* ILLEGAL */

static void zeros(stp_asm_t *a) {
  fault(a, 0);
}

static void no_opcode(stp_asm_t *a) {
  spin(a, 3);
  fault(a, stp_insn(0xff, 1, 2, 3, 4, 0x12345));
}

static void reserved_field(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_NOP, 0, 0, 0, 0, 9));
}

static void other_kind(stp_asm_t *a) {
  const bool pt = a->kind == STP_KIND_PT;
  fault(a, stp_insn(pt ? STP_OP_XFER : STP_OP_WLOAD, 0, 0, 0, pt ? 0 : 1 << 2, pt ? 5 : 0));
}

static void no_special_register(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_SPR, 1, 0, 0, STP_SPRS, 0));
}

static void no_field(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_CFG, 0, 0, 0, a->kind <= STP_KIND_MNI_SU ? 7 : 8, 0));
}

static void scalar_without_lx(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_LDX, 1, 0, 0, 3, 0));
}

static void pt_format(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_MM, 0, 0, 0, STP_FMT_F32 << 7 | 1 << 2, 0));
}

static void sfu_format(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_VADD, 0, 0, 0, 0, 15 << 24));
}

/* BAD_TOKEN */

static void wait_for_no_unit(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_WAIT, 0, 0, 0, 4 * STP_UNITS, 0));
}

static void post_to_no_unit(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_POST, 0, 0, 0, 63, 0));
}

/* TRAPIF */

static void trap_on_purpose(stp_asm_t *a) {
  stp_asm_li(a, 4, 1);
  fault(a, stp_insn(STP_OP_TRAPIF, 0, 4, 0, 0, 1234));
  fault_halt(a);
}

static void trap_late(stp_asm_t *a) {
  spin(a, 300);
  trap_on_purpose(a);
}

/* BAD_LOOP */

static void loop_that_ends_before(stp_asm_t *a) {
  stp_asm_li(a, 4, 1);
  fault(a, stp_insn(STP_OP_LOOP, 0, 0, 0, 0, 2 << 12 | 1));
}

static void loops_too_deep(stp_asm_t *a) {
  for (unsigned i = 0; i < STP_LOOP_DEPTH; i++) {
    fault_put(a, stp_insn(STP_OP_LOOP, 0, 0, 0, 0, (int64_t)(1 << 12 | (60 - i))));
  }
  fault(a, stp_insn(STP_OP_LOOP, 0, 0, 0, 0, 1 << 12 | 40));
}

static void unloop(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_UNLOOP, 0, 0, 0, 0, 0));
}

/* PC_RANGE */

static void jump_beyond(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_JMP, 0, 0, 0, 0, STP_PROG_WORDS));
}

static void call_before(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_JAL, 5, 0, 0, 0, -1));
}

static void return_beyond(stp_asm_t *a) {
  stp_asm_li(a, 4, (int64_t)7 << 32);
  fault(a, stp_insn(STP_OP_JR, 0, 4, 0, 0, 0));
}

static void branch_beyond(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_BGEU, 0, 0, 0, 0, STP_PROG_WORDS + 5));
}

static void skip_to_the_end(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_LOOP, 0, 0, 0, 0, STP_PROG_WORDS - 1));
}

static void off_the_end(stp_asm_t *a) {
  for (unsigned i = 0; i < STP_PROG_WORDS; i++) stp_asm_op(a, STP_OP_NOP, 0, 0, 0, 0, 0);
}

/* ARG_RANGE */

static void argument_beyond(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_ARG, 5, 0, 0, 0, STP_ARGS));
}

static void argument_before(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_ARG, 5, 0, 0, 0, -1));
}

/* LX_MISALIGNED, LX_RANGE: at the address in r4 */

static void scalar_misaligned(stp_asm_t *a) {
  stp_asm_li(a, 4, 4);
  fault(a, stp_insn(STP_OP_LDX, 5, 4, 0, 3, 0));
}

static void scalar_beyond(stp_asm_t *a) {
  stp_asm_li(a, 4, STP_LX_BYTES);
  fault(a, stp_insn(STP_OP_LDX, 5, 4, 0, 0, 0));
}

/* ld or st; mode 0: stick, 1: 16 bits, 2: 32 bits. */
static void access_lx(stp_asm_t *a, int64_t addr, unsigned mode) {
  stp_asm_li(a, 4, addr);
  fault(a, stp_insn(a->kind == STP_KIND_LX_LU ? STP_OP_LD : STP_OP_ST, 0, 4, 0, mode << 1, 0));
  fault_halt(a);
}

static void stick_misaligned(stp_asm_t *a) {
  access_lx(a, 64, 0);
}

static void half_misaligned(stp_asm_t *a) {
  access_lx(a, 3, 1);
}

static void word_misaligned(stp_asm_t *a) {
  access_lx(a, 6, 2);
}

static void stick_beyond(stp_asm_t *a) {
  access_lx(a, STP_LX_BYTES, 0);
}

static void stick_before(stp_asm_t *a) {
  access_lx(a, -128, 0);
}

static void word_beyond(stp_asm_t *a) {
  access_lx(a, STP_LX_BYTES + 4, 2);
}

/* A row of 128 bytes; r4, r5: global and LX address. */
static void transfer(stp_asm_t *a, int64_t lx, unsigned traps) {
  stp_asm_li(a, 5, lx);
  fault(a, stp_insn(STP_OP_XFER, 0, 4, 5, traps, 0));
  fault_halt(a);
}

static void buffer(stp_asm_t *a, int64_t offset) {
  stp_asm_op(a, STP_OP_ARG, 4, 0, 0, 0, 0);
  stp_asm_op(a, STP_OP_ADDI, 4, 4, 0, 0, offset);
  fault_cfg(a, STP_CFG_MNI_N0, STP_STICK_BYTES);
}

static void row_beyond_lx(stp_asm_t *a) {
  buffer(a, 0);
  transfer(a, STP_LX_BYTES, 0);
}

static void row_across_the_end_of_lx(stp_asm_t *a) {
  buffer(a, 0);
  transfer(a, STP_LX_BYTES - 64, 0);
}

/* GLOBAL_RANGE */

static void row_beyond_memory(stp_asm_t *a) {
  buffer(a, 0);
  stp_asm_li(a, 4, ((int64_t)1 << STP_ADDR_BITS) + 256);
  transfer(a, 0, 0);
}

static void row_across_the_end_of_memory(stp_asm_t *a) {
  buffer(a, 0);
  stp_asm_li(a, 4, ((int64_t)1 << STP_ADDR_BITS) - 64);
  transfer(a, 0, 0);
}

/* BAD_OPERAND */

static void count_too_large(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_CFG, 0, 0, 0, 0, 1 << 24));
}

static void count_negative(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_CFG, 0, 0, 0, 3, -1));
}

static void global_stride_too_large(stp_asm_t *a) {
  stp_asm_li(a, 4, (int64_t)1 << 39);
  fault(a, stp_insn(STP_OP_CFG, 0, 4, 0, STP_CFG_MNI_GS2, 0));
}

static void lx_stride_too_large(stp_asm_t *a) {
  const bool mni = a->kind <= STP_KIND_MNI_SU;
  fault(a, stp_insn(STP_OP_CFG, 0, 0, 0, mni ? STP_CFG_MNI_LS1 : STP_CFG_LX_S0, 1 << 21));
}

static void lx_stride_too_small(stp_asm_t *a) {
  const bool mni = a->kind <= STP_KIND_MNI_SU;
  fault(a, stp_insn(STP_OP_CFG, 0, 0, 0, mni ? STP_CFG_MNI_LS3 : STP_CFG_LX_S3, -(1 << 21) - 1));
}

static void no_blocks(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_WLOAD, 0, 0, 0, 0, 0));
}

static void too_many_blocks(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_MM, 0, 0, 0, 9 << 2, 0));
}

static void too_many_rows(stp_asm_t *a) {
  stp_asm_li(a, 4, STP_PT_ACC_ROWS + 1);
  fault(a, stp_insn(STP_OP_DRAIN, 0, 4, 0, 0, 0));
}

static void rows_beyond(stp_asm_t *a) {
  stp_asm_li(a, 4, 10);
  stp_asm_li(a, 5, STP_PT_ACC_ROWS - 4);
  fault(a, stp_insn(STP_OP_ALOAD, 0, 4, 5, STP_FMT_F32 << 7, 0));
}

uint64_t fault_sfu(unsigned op, unsigned format, unsigned vd, unsigned va, unsigned vb) {
  return stp_insn(op, 0, 0, 0, 0, (int64_t)(format << 24 | vb << 12 | va << 6 | vd));
}

static void no_operand(stp_asm_t *a) {
  fault(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, 0, STP_V_ZERO + 1, 0));
}

static void odd_pair(stp_asm_t *a) {
  fault(a, fault_sfu(STP_OP_VADD, STP_FMT_F32P, 0, 3, 0));
}

static void fifo_twice(stp_asm_t *a) {
  fault(a, fault_sfu(STP_OP_VADD, STP_FMT_F16, 0, STP_V_X, STP_V_X));
}

static void no_lane(stp_asm_t *a) {
  fault(a, fault_sfu(STP_OP_VSPLAT, STP_FMT_F32, 0, 0, STP_LANES32));
}

/* LIMIT */

static void bytes_past_limit(stp_asm_t *a) {
  buffer(a, 256);
  fault_cfg(a, STP_CFG_MNI_LIM0, 64);
  transfer(a, 0, 1);
}

/* The second row, 256 bytes on, is past the limit: the first has been moved. */
static void row_past_limit(stp_asm_t *a, unsigned k) {
  buffer(a, 0);
  fault_cfg(a, STP_CFG_MNI_N0 + k, 2);
  fault_cfg(a, STP_CFG_MNI_GS1 + k - 1, 256);
  fault_cfg(a, STP_CFG_MNI_LIM0 + k, 1);
  transfer(a, 0, 1u << k);
}

static void row1_past_limit(stp_asm_t *a) {
  row_past_limit(a, 1);
}

static void row2_past_limit(stp_asm_t *a) {
  row_past_limit(a, 2);
}

static void row3_past_limit(stp_asm_t *a) {
  row_past_limit(a, 3);
}

/* BUS */

static void bad_stick(stp_asm_t *a) {
  buffer(a, BAD_STICK);
  transfer(a, 0, 0);
}

/* Five good sticks before the bad one, and a post that must not take effect. */
static void bad_stick_in_a_row(stp_asm_t *a) {
  buffer(a, BAD_STICK - 5 * STP_STICK_BYTES);
  fault_cfg(a, STP_CFG_MNI_N0, 7 * STP_STICK_BYTES);
  stp_asm_at(a, FAULT_LINE, FAULT_COL);
  stp_asm_op(a, STP_OP_XFER, 0, 4, 0, 0, 0);
  stp_asm_at(a, 1, 1);
  stp_asm_token(a, STP_OP_POST, STP_UNIT_PT0, 0);
  fault_halt(a);
}

/* WATCHDOG */

static void endless(stp_asm_t *a) {
  const int label = stp_asm_label(a);
  stp_asm_bind(a, label);
  stp_asm_branch(a, STP_OP_JMP, 0, 0, label);
}

/* DEADLOCK */

static void wait_for_nobody(stp_asm_t *a) {
  fault(a, stp_insn(STP_OP_WAIT, 0, 0, 0, STP_UNIT_MNI_LU * 4 + 1, 0));
  fault_halt(a);
}

/* The counter takes STP_TOKEN_MAX posts; the unit stops at its halt, behind the one too many. */
static void post_too_often(stp_asm_t *a) {
  for (unsigned i = 0; i <= STP_TOKEN_MAX; i++) stp_asm_token(a, STP_OP_POST, STP_UNIT_MNI_SU, 3);
  fault(a, stp_insn(STP_OP_HALT, 0, 0, 0, 0, 0));
}

/* A FIFO under a finished producer: a stick is wanted that never comes. */
static void take_from_empty(stp_asm_t *a) {
  switch (a->kind) {
  case STP_KIND_PT:
    stp_asm_op(a, STP_OP_WLOAD, 0, 0, 0, 1 << 2, 0);
    break;
  case STP_KIND_SFU:
    fault_put(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, 0, STP_V_X, 0));
    break;
  default:
    stp_asm_op(a, STP_OP_ST, 0, 0, 0, 0, 0);
  }
  fault(a, stp_insn(STP_OP_HALT, 0, 0, 0, 0, 0));
}

static void take_from_idle_pt(stp_asm_t *a) {
  fault_put(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, 0, STP_V_P, 0));
  fault(a, stp_insn(STP_OP_HALT, 0, 0, 0, 0, 0));
}

/* A FIFO with a finished consumer: it takes 16 sticks. */
static void send_too_much(stp_asm_t *a, bool to_sfu) {
  const unsigned sticks = STP_FIFO_DEPTH + 4;
  switch (a->kind) {
  case STP_KIND_LX_LU:
    fault_cfg(a, STP_CFG_LX_N0, sticks);
    stp_asm_op(a, STP_OP_LD, 0, 0, 0, to_sfu ? 1 : 0, 0);
    break;
  case STP_KIND_PT:
    stp_asm_li(a, 4, sticks / 2);
    stp_asm_op(a, STP_OP_DRAIN, 0, 4, 0, 0, 0);
    break;
  default: {
    const int loop = stp_asm_loop(a, 0, sticks);
    fault_put(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, STP_V_ZERO, 0));
    stp_asm_loop_end(a, loop);
  }
  }
}

static void fill_fifo(stp_asm_t *a) {
  send_too_much(a, false);
  fault(a, stp_insn(STP_OP_HALT, 0, 0, 0, 0, 0));
}

static void fill_fifo_of_sfu(stp_asm_t *a) {
  send_too_much(a, true);
  fault(a, stp_insn(STP_OP_HALT, 0, 0, 0, 0, 0));
}

/* LEFTOVER */

static void post_to_nobody(stp_asm_t *a) {
  stp_asm_token(a, STP_OP_POST, STP_UNIT_MNI_SU, 2);
  fault_halt(a);
}

static void one_stick(stp_asm_t *a) {
  switch (a->kind) {
  case STP_KIND_LX_LU:
    stp_asm_op(a, STP_OP_LD, 0, 0, 0, 0, 0);
    break;
  case STP_KIND_PT:
    stp_asm_li(a, 4, 1);
    stp_asm_op(a, STP_OP_DRAIN, 0, 4, 0, 0, 0);
    break;
  default:
    fault_put(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, STP_V_ZERO, 0));
  }
  fault_halt(a);
}

static void one_stick_to_sfu(stp_asm_t *a) {
  stp_asm_op(a, STP_OP_LD, 0, 0, 0, 1, 0);
  fault_halt(a);
}

/* ---- the table --------------------------------------------------------------------------- */

#define TRAP(cause, addr) STP_JOB_TRAP, STP_CAUSE_##cause, (addr), NOBODY, NULL, false
#define ENDS(status) STP_JOB_##status, STP_CAUSE_NONE, 0, NOBODY, NULL, false
#define LOW40 (((uint64_t)1 << STP_ADDR_BITS) - 1)

const fault_t cosim_fault_table[] = {
    {"a word of zeros", ALL, zeros, TRAP(ILLEGAL, 0)},
    {"an opcode that is none", ALL, no_opcode, TRAP(ILLEGAL, 0)},
    {"a reserved field that is set", ALL, reserved_field, TRAP(ILLEGAL, 0)},
    {"an instruction of another unit", ALL, other_kind, TRAP(ILLEGAL, 0)},
    {"a special register that is none", ALL, no_special_register, TRAP(ILLEGAL, 0)},
    {"a descriptor field that is none", ALL, no_field, TRAP(ILLEGAL, 0)},
    {"a scalar load without a port to LX", PT | SFU, scalar_without_lx, TRAP(ILLEGAL, 0)},
    {"a product of f32", PT, pt_format, TRAP(ILLEGAL, 0)},
    {"a format that is none", SFU, sfu_format, TRAP(ILLEGAL, 0)},
    {"a wait for unit 10", ALL, wait_for_no_unit, TRAP(BAD_TOKEN, 4 * STP_UNITS)},
    {"a post to unit 15", ALL, post_to_no_unit, TRAP(BAD_TOKEN, 63)},
    {"trapif", ALL, trap_on_purpose, TRAP(TRAPIF, 1234)},
    {"a loop that ends before it begins", ALL, loop_that_ends_before, TRAP(BAD_LOOP, 1)},
    {"a loop too many", ALL, loops_too_deep, TRAP(BAD_LOOP, 40)},
    {"unloop without a loop", ALL, unloop, TRAP(BAD_LOOP, 0)},
    {"a jump out of the program", ALL, jump_beyond, TRAP(PC_RANGE, STP_PROG_WORDS)},
    {"a call to -1", ALL, call_before, TRAP(PC_RANGE, LOW40)},
    {"a jump to a register's 7 << 32", ALL, return_beyond, TRAP(PC_RANGE, (uint64_t)7 << 32)},
    {"a branch out of the program", ALL, branch_beyond, TRAP(PC_RANGE, STP_PROG_WORDS + 5)},
    {"a loop skipped to the end", ALL, skip_to_the_end, TRAP(PC_RANGE, STP_PROG_WORDS)},
    {"no halt", ALL, off_the_end, TRAP(PC_RANGE, STP_PROG_WORDS)},
    {"argument 64", ALL, argument_beyond, TRAP(ARG_RANGE, STP_ARGS)},
    {"argument -1", ALL, argument_before, TRAP(ARG_RANGE, LOW40)},
    {"a misaligned scalar", MNI | LX, scalar_misaligned, TRAP(LX_MISALIGNED, 4)},
    {"a misaligned stick", LX, stick_misaligned, TRAP(LX_MISALIGNED, 64)},
    {"a misaligned element of 16 bits", LX, half_misaligned, TRAP(LX_MISALIGNED, 3)},
    {"a misaligned element of 32 bits", LX, word_misaligned, TRAP(LX_MISALIGNED, 6)},
    {"a scalar beyond LX", MNI | LX, scalar_beyond, TRAP(LX_RANGE, STP_LX_BYTES)},
    {"a stick beyond LX", LX, stick_beyond, TRAP(LX_RANGE, STP_LX_BYTES)},
    {"a stick before LX", LX, stick_before, TRAP(LX_RANGE, LOW40 - 127)},
    {"an element beyond LX", LX, word_beyond, TRAP(LX_RANGE, STP_LX_BYTES + 4)},
    {"a row beyond LX", MNI, row_beyond_lx, TRAP(LX_RANGE, STP_LX_BYTES)},
    {"a row across the end of LX", MNI, row_across_the_end_of_lx,
     TRAP(LX_RANGE, STP_LX_BYTES - 64)},
    {"a row beyond memory", MNI, row_beyond_memory, TRAP(GLOBAL_RANGE, 256)},
    {"a row across the end of memory", MNI, row_across_the_end_of_memory,
     TRAP(GLOBAL_RANGE, LOW40 - 63)},
    {"a count of 2^24", MNI | LX, count_too_large, TRAP(BAD_OPERAND, 1 << 24)},
    {"a negative count", MNI | LX, count_negative, TRAP(BAD_OPERAND, LOW40)},
    {"a global stride of 2^39", MNI, global_stride_too_large, TRAP(BAD_OPERAND, (uint64_t)1 << 39)},
    {"an LX stride of 2^21", MNI | LX, lx_stride_too_large, TRAP(BAD_OPERAND, 1 << 21)},
    {"an LX stride below -2^21", MNI | LX, lx_stride_too_small,
     TRAP(BAD_OPERAND, LOW40 - (1 << 21))},
    {"no blocks of weights", PT, no_blocks, TRAP(BAD_OPERAND, 0)},
    {"nine blocks of weights", PT, too_many_blocks, TRAP(BAD_OPERAND, 9)},
    {"65 rows", PT, too_many_rows, TRAP(BAD_OPERAND, STP_PT_ACC_ROWS + 1)},
    {"rows beyond the accumulators", PT, rows_beyond, TRAP(BAD_OPERAND, STP_PT_ACC_ROWS - 4)},
    {"an operand that is none", SFU, no_operand, TRAP(BAD_OPERAND, STP_V_ZERO + 1)},
    {"a pair at an odd register", SFU, odd_pair, TRAP(BAD_OPERAND, 3)},
    {"a FIFO twice", SFU, fifo_twice, TRAP(BAD_OPERAND, STP_V_X)},
    {"lane 32 of 32", SFU, no_lane, TRAP(BAD_OPERAND, STP_LANES32)},
    {"bytes past a limit", MNI, bytes_past_limit, TRAP(LIMIT, 256)},
    {"a row past limit 1", MNI, row1_past_limit, TRAP(LIMIT, 256)},
    {"a row past limit 2", MNI, row2_past_limit, TRAP(LIMIT, 256)},
    {"a row past limit 3", MNI, row3_past_limit, TRAP(LIMIT, 256)},
    {"a bus error", MNI, bad_stick, TRAP(BUS, BAD_STICK)},
    {"a bus error in a row", MNI, bad_stick_in_a_row, TRAP(BUS, BAD_STICK)},

    {"a job without programs", 1, NULL, ENDS(BAD_DESCRIPTOR)},
    {"a bus error at the arguments", ALL, just_halt, ENDS(BUS_ERROR)},
    {"an endless loop", ALL, endless, ENDS(WATCHDOG)},
    {"a wait for nobody", ALL, wait_for_nobody, ENDS(DEADLOCK)},
    {"a post too many", ALL, post_too_often, ENDS(DEADLOCK)},
    {"a FIFO that stays empty", PT | SFU | LX_SU, take_from_empty, ENDS(DEADLOCK)},
    {"a FIFO that PT leaves empty", SFU, take_from_idle_pt, ENDS(DEADLOCK)},
    {"a FIFO that nobody empties", LX_LU | PT | SFU, fill_fifo, ENDS(DEADLOCK)},
    {"a FIFO that SFU does not empty", LX_LU, fill_fifo_of_sfu, ENDS(DEADLOCK)},
    {"a token left over", ALL, post_to_nobody, ENDS(LEFTOVER)},
    {"a stick left over", LX_LU | PT | SFU, one_stick, ENDS(LEFTOVER)},
    {"a stick for SFU left over", LX_LU, one_stick_to_sfu, ENDS(LEFTOVER)},

    /* Two at once: the lowest-numbered unit that trapped counts, whoever was first; the others run
       on until they halt, trap or block. */
    {"trapif, and another later", ALL & ~(1u << STP_UNIT_LX_SU1), trap_on_purpose, STP_JOB_TRAP,
     STP_CAUSE_TRAPIF, 1234, STP_UNIT_LX_SU1, trap_late, false},
    {"trapif, and another before", ALL & ~(1u << STP_UNIT_LX_SU1), trap_late, STP_JOB_TRAP,
     STP_CAUSE_TRAPIF, 1234, STP_UNIT_LX_SU1, zeros, false},
    {"trapif, and a unit that is blocked", ALL & ~(1u << STP_UNIT_PT0), trap_on_purpose,
     STP_JOB_TRAP, STP_CAUSE_TRAPIF, 1234, STP_UNIT_PT0, wait_for_nobody, true},
    {"trapif, and a unit that halts later", ALL & ~(1u << STP_UNIT_MNI_LU), trap_on_purpose,
     STP_JOB_TRAP, STP_CAUSE_TRAPIF, 1234, STP_UNIT_MNI_LU, spin_and_halt, false},
    {"trapif, and sticks left over", ALL & ~(1u << STP_UNIT_LX_LU0), trap_on_purpose, STP_JOB_TRAP,
     STP_CAUSE_TRAPIF, 1234, STP_UNIT_LX_LU0, one_stick, false},
    {"trapif, and an endless loop", ALL & ~(1u << STP_UNIT_SFU0), trap_on_purpose, STP_JOB_WATCHDOG,
     STP_CAUSE_TRAPIF, 1234, STP_UNIT_SFU0, endless, true},
    {"two units that are blocked", ALL & ~(1u << STP_UNIT_MNI_SU), wait_for_nobody,
     STP_JOB_DEADLOCK, STP_CAUSE_NONE, 0, STP_UNIT_MNI_SU, wait_for_nobody, true},
};
const unsigned cosim_fault_count = sizeof cosim_fault_table / sizeof *cosim_fault_table;
