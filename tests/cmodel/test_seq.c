/* The sequencer: each scalar instruction, control flow, tokens and traps.
 *
 * Registers are seen through traps: a program compares one with the value that this test expects
 * and, if they differ, traps with the number of the check. */
#include "bench.h"

#define U STP_UNIT_MNI_SU

static int setup(void **state) {
  *state = bench_open();
  return 0;
}
static int teardown(void **state) {
  bench_close(*state);
  return 0;
}

/* rd := any 64-bit value. */
static void li64(bench_t *b, unsigned rd, uint64_t v) {
  emit(b, U, insn(STP_OP_ADDI, rd, 0, 0, 0, (int32_t)(uint32_t)v));
  emit(b, U, insn(STP_OP_MOVHI, rd, rd, 0, 0, (int32_t)(uint32_t)(v >> 32)));
}

/* Traps with code n unless register r holds v. Uses r30 and r31. */
static void check(bench_t *b, unsigned r, uint64_t v, int n) {
  li64(b, 31, v);
  emit(b, U, insn(STP_OP_SNE, 30, r, 31, 0, 0));
  emit(b, U, insn(STP_OP_TRAPIF, 0, 30, 0, 0, n));
}

static void expect_halt(bench_t *b) {
  const stp_core_state_t s = bench_run(b);
  if (s.trapped != 0)
    fail_msg("check %lld at pc %llu", (long long)stat(b, U, STP_STAT_TRAP_ADDR),
             (unsigned long long)(stat(b, U, STP_STAT_STATE) >> 16 & 0xffff));
  assert_int_equal(s.running, 0);
  assert_false(s.deadlock);
  assert_int_equal(stat(b, U, STP_STAT_STATE) & 0x7ff, 0x100); /* halted */
}

/* What an ALU operation gives, from the contract's words alone: written apart from the model. */
static uint64_t want(const char *name, uint64_t a, uint64_t b) {
  const __int128 sa = (int64_t)a, sb = (int64_t)b;
  if (strcmp(name, "add") == 0) return (uint64_t)(sa + sb);
  if (strcmp(name, "sub") == 0) return (uint64_t)(sa - sb);
  if (strcmp(name, "mul") == 0) return (uint64_t)((unsigned __int128)a * b);
  if (strcmp(name, "and") == 0) return a & b;
  if (strcmp(name, "or") == 0) return a | b;
  if (strcmp(name, "xor") == 0) return a ^ b;
  if (strcmp(name, "shl") == 0) return (uint64_t)((unsigned __int128)a << (b % 64));
  if (strcmp(name, "shr") == 0) return a >> (b % 64);
  if (strcmp(name, "sra") == 0) return (uint64_t)(sa >> (b % 64));
  if (strcmp(name, "slt") == 0) return sa < sb;
  if (strcmp(name, "sltu") == 0) return a < b;
  if (strcmp(name, "seq") == 0) return a == b;
  if (strcmp(name, "sne") == 0) return a != b;
  if (strcmp(name, "min") == 0) return sa < sb ? a : b;
  if (strcmp(name, "max") == 0) return sa < sb ? b : a;
  if (strcmp(name, "minu") == 0) return a < b ? a : b;
  if (strcmp(name, "maxu") == 0) return a < b ? b : a;
  if (strcmp(name, "divs") == 0) return b == 0 ? ~0ull : (uint64_t)(sa / sb);
  if (strcmp(name, "divu") == 0) return b == 0 ? ~0ull : a / b;
  if (strcmp(name, "rems") == 0) return b == 0 ? a : (uint64_t)(sa % sb);
  if (strcmp(name, "remu") == 0) return b == 0 ? a : a % b;
  fail_msg("no rule for %s", name);
  return 0;
}

static void alu_ops(void **state) {
  bench_t *b = *state;
  static const uint64_t values[] = {
      0,
      1,
      2,
      63,
      64,
      ~0ull,
      0x8000000000000000ull,
      1ull << 31,
      0x7fffffffu,
      0xffffffffu,
      1ull << 40,
      -17ull,
      0x123456789abcdefull,
      ~0ull >> 1,
      1000003,
      -1ull << 31,
  };
  const size_t count = sizeof values / sizeof values[0];
  unsigned tested = 0;
  for (unsigned op = STP_OP_ADD; op < STP_OP_ADD + 21; op++) {
    const char *name = stp_insn_table[op].name;
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < count; j++) {
        li64(b, 1, values[i]);
        li64(b, 2, values[j]);
        emit(b, U, insn(op, 3, 1, 2, 0, 0));
        check(b, 3, want(name, values[i], values[j]), (int)(100 * i + j));
        const int32_t imm = (int32_t)(uint32_t)values[j];
        emit(b, U, insn(op + 0x20, 4, 1, 0, 0, imm));
        check(b, 4, want(name, values[i], (uint64_t)(int64_t)imm), (int)(100 * i + j + 50));
        tested++;
      }
      emit(b, U, halt());
      expect_halt(b);
    }
  }
  assert_int_equal(tested, 21 * count * count);
}

static void moves_args_specials(void **state) {
  bench_t *b = *state;
  li64(b, 1, 0x1122334455667788ull);
  check(b, 1, 0x1122334455667788ull, 1);
  emit(b, U, insn(STP_OP_ADDI, 0, 0, 0, 0, 5)); /* r0 stays zero */
  check(b, 0, 0, 2);
  li64(b, 2, 77);
  emit(b, U, insn(STP_OP_CMOVNZ, 2, 1, 0, 0, 0));
  check(b, 2, 77, 3);
  emit(b, U, insn(STP_OP_CMOVNZ, 2, 1, 2, 0, 0));
  check(b, 2, 0x1122334455667788ull, 4);
  emit(b, U, insn(STP_OP_SPR, 3, 0, 0, STP_SPR_CORE, 0));
  check(b, 3, 3, 5);
  emit(b, U, insn(STP_OP_SPR, 3, 0, 0, STP_SPR_CORES, 0));
  check(b, 3, 8, 6);
  emit(b, U, insn(STP_OP_SPR, 3, 0, 0, STP_SPR_CORELET, 0));
  check(b, 3, 0, 7);
  emit(b, U, insn(STP_OP_SPR, 3, 0, 0, STP_SPR_UNIT, 0));
  check(b, 3, U, 8);
  bench_arg(b, U, 63, 0xfeedull << 40);
  emit(b, U, li(4, 60));
  emit(b, U, insn(STP_OP_ARG, 5, 4, 0, 0, 3));
  check(b, 5, 0xfeedull << 40, 9);
  emit(b, U, insn(STP_OP_NOP, 0, 0, 0, 0, 0));
  emit(b, U, halt());
  expect_halt(b);
  /* The other corelet. */
  emit(b, STP_UNIT_SFU1, insn(STP_OP_SPR, 3, 0, 0, STP_SPR_CORELET, 0));
  emit(b, STP_UNIT_SFU1, insn(STP_OP_TRAPIF, 0, 3, 0, 0, -2));
  bench_run(b);
  expect_trap(b, STP_UNIT_SFU1, STP_CAUSE_TRAPIF, 1, 0xfffffffffeull);
}

static void scalar_loads(void **state) {
  bench_t *b = *state;
  uint8_t *lx = stp_core_lx(b->core);
  for (unsigned n = 0; n < 16; n++) lx[0x1000 + n] = (uint8_t)(0x81 + n);
  emit(b, U, li(1, 0x1008));
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 0, -7));
  check(b, 2, 0x82, 1);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 4, -7));
  check(b, 2, 0xffffffffffffff82ull, 2);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 1, -6));
  check(b, 2, 0x8483, 3);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 5, -6));
  check(b, 2, 0xffffffffffff8483ull, 4);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 2, -4));
  check(b, 2, 0x88878685, 5);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 6, -4));
  check(b, 2, 0xffffffff88878685ull, 6);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 3, 0));
  check(b, 2, 0x908f8e8d8c8b8a89ull, 7);
  emit(b, U, insn(STP_OP_LDX, 2, 1, 0, 7, 0));
  check(b, 2, 0x908f8e8d8c8b8a89ull, 8);
  emit(b, U, halt());
  expect_halt(b);

  emit(b, U, insn(STP_OP_LDX, 2, 0, 0, 3, 0x1004));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_LX_MISALIGNED, 0, 0x1004);
  emit(b, U, insn(STP_OP_LDX, 2, 0, 0, 0, STP_LX_BYTES));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_LX_RANGE, 0, STP_LX_BYTES);
  emit(b, U, insn(STP_OP_LDX, 2, 0, 0, 0, -1));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_LX_RANGE, 0, 0xffffffffffull);
  emit(b, STP_UNIT_PT0, insn(STP_OP_LDX, 2, 0, 0, 0, 0));
  bench_run(b);
  expect_trap(b, STP_UNIT_PT0, STP_CAUSE_ILLEGAL, 0,
              insn(STP_OP_LDX, 2, 0, 0, 0, 0) & 0xffffffffffull);
}

static void branches(void **state) {
  bench_t *b = *state;
  static const struct {
    unsigned op;
    int64_t a, b;
    bool taken;
  } cases[] = {
      {STP_OP_BEQ, 5, 5, true},   {STP_OP_BEQ, 5, 6, false},  {STP_OP_BNE, 5, 5, false},
      {STP_OP_BNE, 5, -5, true},  {STP_OP_BLT, -1, 1, true},  {STP_OP_BLT, 1, -1, false},
      {STP_OP_BLT, 1, 1, false},  {STP_OP_BGE, 1, 1, true},   {STP_OP_BGE, -1, 1, false},
      {STP_OP_BGE, 2, -3, true},  {STP_OP_BLTU, 1, -1, true}, {STP_OP_BLTU, -1, 1, false},
      {STP_OP_BLTU, 4, 4, false}, {STP_OP_BGEU, -1, 1, true}, {STP_OP_BGEU, 1, -1, false},
      {STP_OP_BGEU, 4, 4, true},
  };
  for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
    emit(b, U, li(1, cases[n].a));
    emit(b, U, li(2, cases[n].b));
    const unsigned here = b->at[U];
    emit(b, U, insn(cases[n].op, 0, 1, 2, 0, here + 3));
    emit(b, U, li(3, 1));
    emit(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, here + 4));
    emit(b, U, li(3, 2));
    check(b, 3, cases[n].taken ? 2 : 1, (int)n);
  }
  const unsigned here = b->at[U];
  emit(b, U, insn(STP_OP_JAL, 7, 0, 0, 0, here + 3));
  emit(b, U, li(9, 1));
  emit(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, here + 4));
  emit(b, U, insn(STP_OP_JR, 0, 7, 0, 0, 0));
  check(b, 7, here + 1, 100);
  check(b, 9, 1, 101);
  emit(b, U, halt());
  expect_halt(b);
}

static void loops(void **state) {
  bench_t *b = *state;
  /* Eight deep, each body twice, innermost a single instruction. */
  emit(b, U, li(1, 0));
  emit(b, U, li(2, 1));
  const unsigned first = b->at[U];
  for (unsigned d = 0; d < 8; d++) emit(b, U, loop_to(2, 1, first + 8 + (7 - d)));
  emit(b, U, insn(STP_OP_ADDI, 1, 1, 0, 0, 1));
  for (unsigned d = 0; d < 7; d++) emit(b, U, insn(STP_OP_ADDI, 3, 3, 0, 0, 1));
  check(b, 1, 256, 1);
  check(b, 3, 2 + 4 + 8 + 16 + 32 + 64 + 128, 2);
  /* No trips: zero, and negative. */
  emit(b, U, loop_to(0, 0, b->at[U] + 1));
  emit(b, U, li(1, 1));
  check(b, 1, 256, 3);
  emit(b, U, loop_to(0, -5, b->at[U] + 2));
  emit(b, U, li(1, 1));
  emit(b, U, li(1, 2));
  check(b, 1, 256, 4);
  /* A branch out of a loop with unloop, and one back from its last instruction. */
  emit(b, U, li(8, 6));
  const unsigned here = b->at[U];
  emit(b, U, li(4, 0));
  emit(b, U, loop_to(0, 10, here + 3));
  emit(b, U, insn(STP_OP_ADDI, 4, 4, 0, 0, 1));
  emit(b, U, insn(STP_OP_BEQ, 0, 4, 8, 0, here + 5));
  emit(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, here + 6));
  emit(b, U, insn(STP_OP_UNLOOP, 0, 0, 0, 0, 0));
  check(b, 4, 6, 5);
  emit(b, U, halt());
  expect_halt(b);
}

static void tokens(void **state) {
  bench_t *b = *state;
  const unsigned from = STP_UNIT_SFU0, to = STP_UNIT_LX_SU1;
  /* More posts than a counter holds: the post waits for the consumer. */
  emit(b, from, loop_to(0, 40, 1));
  emit(b, from, post_to(to, 2));
  emit(b, from, wait_from(to, 0));
  emit(b, from, halt());
  emit(b, to, loop_to(0, 40, 1));
  emit(b, to, wait_from(from, 2));
  emit(b, to, post_to(from, 0));
  emit(b, to, halt());
  const stp_core_state_t s = bench_run(b);
  assert_int_equal(s.running | s.trapped, 0);
  assert_false(s.leftover_token);
  assert_int_equal(stat(b, from, STP_STAT_PAYLOADS), 40);
  assert_int_equal(stat(b, from, STP_STAT_INSNS), 1 + 40 + 1 + 1);
  assert_int_equal(stat(b, to, STP_STAT_INSNS), 1 + 40 + 1 + 1);

  /* To itself; and one that stays. */
  emit(b, U, post_to(U, 3));
  emit(b, U, wait_from(U, 3));
  emit(b, U, post_to(STP_UNIT_MNI_LU, 0));
  emit(b, U, halt());
  const stp_core_state_t t = bench_run(b);
  assert_int_equal(t.running | t.trapped, 0);
  assert_true(t.leftover_token);
  assert_false(t.deadlock);

  emit(b, U, wait_from(10, 0));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_BAD_TOKEN, 0, 40);
  emit(b, U, post_to(15, 3));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_BAD_TOKEN, 0, 63);
}

static void deadlock(void **state) {
  bench_t *b = *state;
  emit(b, STP_UNIT_PT0, wait_from(STP_UNIT_SFU0, 0));
  emit(b, STP_UNIT_PT0, halt());
  emit(b, STP_UNIT_SFU0, loop_to(0, 16, 1));
  emit(b, STP_UNIT_SFU0, post_to(U, 1));
  emit(b, STP_UNIT_SFU0, halt());
  emit(b, U, halt());
  stp_core_state_t s = bench_run(b);
  assert_true(s.deadlock);
  assert_int_equal(s.running, 1u << STP_UNIT_PT0 | 1u << STP_UNIT_SFU0);
  assert_int_equal(s.blocked, s.running);
  assert_int_equal(stat(b, STP_UNIT_PT0, STP_STAT_STATE), 0x600); /* runs, blocked, pc 0 */
  assert_true(s.leftover_token);
  /* With a trap somewhere it is no deadlock, but it has stopped. */
  emit(b, STP_UNIT_PT0, wait_from(STP_UNIT_SFU0, 0));
  emit(b, U, li(1, 1));
  emit(b, U, insn(STP_OP_TRAPIF, 0, 1, 0, 0, 1234));
  s = bench_run(b);
  assert_false(s.deadlock);
  assert_true(s.stopped);
  assert_int_equal(s.running, 1u << STP_UNIT_PT0);
  expect_trap(b, U, STP_CAUSE_TRAPIF, 1, 1234);
  /* halt ends what blocks; clear forgets it. */
  stp_core_halt(b->core);
  stp_core_get_state(b->core, &s);
  assert_int_equal(s.running, 0);
  stp_core_clear(b->core);
  stp_core_get_state(b->core, &s);
  assert_int_equal(s.trapped | s.stopped | s.leftover_token, 0);
}

/* Between jobs: registers start as zero; after a halt nothing starts before a clear. */
static void clear_and_start(void **state) {
  bench_t *b = *state;
  stp_core_state_t s;
  emit(b, U, insn(STP_OP_TRAPIF, 0, 5, 0, 0, 1));
  emit(b, U, li(5, 1));
  emit(b, U, cfg(STP_CFG_MNI_N0, 5));
  emit(b, U, post_to(U, 0));
  emit(b, U, halt());
  bench_load(b);
  for (unsigned n = 0; n < 2; n++) {
    stp_core_start(b->core, b->used);
    while (stp_core_run(b->core, 1000) != 0) continue;
    stp_core_get_state(b->core, &s);
    assert_int_equal(s.trapped, 0);
    assert_true(s.leftover_token && s.stopped);
    stp_core_clear(b->core);
    stp_core_get_state(b->core, &s);
    assert_false(s.leftover_token || s.stopped);
  }
  stp_core_halt(b->core);
  stp_core_start(b->core, b->used);
  stp_core_get_state(b->core, &s);
  assert_int_equal(s.running, 0);
  stp_core_clear(b->core);
  stp_core_start(b->core, 0);
  stp_core_get_state(b->core, &s);
  assert_false(s.stopped);
  /* Started twice without a clear: what a register holds stays. */
  stp_core_start(b->core, b->used);
  while (stp_core_run(b->core, 1000) != 0) continue;
  stp_core_start(b->core, b->used);
  while (stp_core_run(b->core, 1000) != 0) continue;
  expect_trap(b, U, STP_CAUSE_TRAPIF, 0, 1);
}

static void endless(void **state) {
  bench_t *b = *state;
  stp_core_state_t s;
  emit(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, 0));
  emit(b, STP_UNIT_PT1, halt());
  bench_load(b);
  stp_core_start(b->core, b->used);
  for (unsigned n = 0; n < 20; n++) assert_true(stp_core_run(b->core, 100) >= 100);
  stp_core_get_state(b->core, &s);
  assert_int_equal(s.running, 1u << U); /* the other one had its turn */
  assert_int_equal(s.blocked, 0);
  assert_false(s.stopped);
  stp_core_halt(b->core);
  stp_core_get_state(b->core, &s);
  assert_true(s.stopped);
  assert_int_equal(stp_core_run(b->core, 100), 0);
}

/* Runs one word at pc 1 of a unit after a nop, and expects a trap. */
static void trap_case(bench_t *b, unsigned unit, uint64_t word, unsigned cause, uint64_t addr) {
  emit(b, unit, insn(STP_OP_NOP, 0, 0, 0, 0, 0));
  emit(b, unit, word);
  bench_run(b);
  expect_trap(b, unit, cause, 1, addr);
  /* What the engine finds has left the sequencer. */
  const unsigned op = word >> 56;
  const bool late = cause == STP_CAUSE_BAD_OPERAND && stp_insn_table[op].payload;
  assert_int_equal(stat(b, unit, STP_STAT_INSNS), late ? 2 : 1);
}

static void illegal_case(bench_t *b, unsigned unit, uint64_t word) {
  trap_case(b, unit, word, STP_CAUSE_ILLEGAL, word & 0xffffffffffull);
}

static void traps(void **state) {
  bench_t *b = *state;
  illegal_case(b, U, 0);
  illegal_case(b, U, insn(0xff, 0, 0, 0, 0, 0));
  illegal_case(b, U, insn(STP_OP_LD, 0, 0, 0, 0, 0));  /* of another unit */
  illegal_case(b, U, insn(STP_OP_NOP, 1, 0, 0, 0, 0)); /* fields that must be zero */
  illegal_case(b, U, insn(STP_OP_HALT, 0, 1, 0, 0, 0));
  illegal_case(b, U, insn(STP_OP_ADDI, 1, 1, 1, 0, 0));
  illegal_case(b, U, insn(STP_OP_ADD, 1, 1, 1, 0, 1));
  illegal_case(b, U, insn(STP_OP_ADD, 1, 1, 1, 1, 0));
  illegal_case(b, U, insn(STP_OP_WAIT, 0, 0, 0, 64, 0));
  illegal_case(b, U, insn(STP_OP_LDX, 1, 0, 0, 8, 0));
  illegal_case(b, U, insn(STP_OP_SPR, 1, 0, 0, 4, 0));
  illegal_case(b, U, insn(STP_OP_XFER, 0, 0, 0, 16, 0));
  illegal_case(b, U, cfg(7, 1));
  illegal_case(b, STP_UNIT_LX_LU0, cfg(8, 1));
  illegal_case(b, STP_UNIT_PT0, cfg(0, 1));
  illegal_case(b, STP_UNIT_LX_LU0, insn(STP_OP_LD, 0, 0, 0, 6, 0));
  illegal_case(b, STP_UNIT_LX_SU0, insn(STP_OP_ST, 0, 0, 0, 1, 0));
  illegal_case(b, STP_UNIT_PT0, insn(STP_OP_MM, 0, 0, 0, 2 << 7 | 1 << 2, 0));
  illegal_case(b, STP_UNIT_PT0, insn(STP_OP_ALOAD, 0, 0, 0, 3 << 7, 0));
  illegal_case(b, STP_UNIT_PT0, insn(STP_OP_WLOAD, 0, 0, 0, 1 << 2 | 2, 0));

  trap_case(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, 1024), STP_CAUSE_PC_RANGE, 1024);
  trap_case(b, U, insn(STP_OP_JMP, 0, 0, 0, 0, -1), STP_CAUSE_PC_RANGE, 0xffffffffffull);
  trap_case(b, U, insn(STP_OP_BEQ, 0, 0, 0, 0, 5000), STP_CAUSE_PC_RANGE, 5000);
  trap_case(b, U, insn(STP_OP_ARG, 1, 0, 0, 0, 64), STP_CAUSE_ARG_RANGE, 64);
  trap_case(b, U, insn(STP_OP_ARG, 1, 0, 0, 0, -1), STP_CAUSE_ARG_RANGE, 0xffffffffffull);
  trap_case(b, U, loop_to(0, 2, 1), STP_CAUSE_BAD_LOOP, 1);
  trap_case(b, U, loop_to(0, 0, 0), STP_CAUSE_BAD_LOOP, 0);
  trap_case(b, U, insn(STP_OP_UNLOOP, 0, 0, 0, 0, 0), STP_CAUSE_BAD_LOOP, 0);
  trap_case(b, STP_UNIT_PT0, insn(STP_OP_WLOAD, 0, 0, 0, 0, 0), STP_CAUSE_BAD_OPERAND, 0);
  trap_case(b, STP_UNIT_PT0, insn(STP_OP_MM, 0, 0, 0, 9 << 2, 0), STP_CAUSE_BAD_OPERAND, 9);

  /* Nine deep. */
  for (unsigned d = 0; d < 9; d++) emit(b, U, loop_to(0, 1, 30 - d));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_BAD_LOOP, 8, 22);
  /* Off the end of the program. */
  for (unsigned n = 0; n < STP_PROG_WORDS; n++) emit(b, U, insn(STP_OP_NOP, 0, 0, 0, 0, 0));
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_PC_RANGE, 1024, 1024);
  assert_int_equal(stat(b, U, STP_STAT_INSNS), 1024);
  /* The engine's earlier trap wins over the sequencer's. */
  emit(b, U, cfg(STP_CFG_MNI_N0, -1));
  emit(b, U, insn(STP_OP_TRAPIF, 0, 0, 0, 0, 1));
  emit(b, U, 0);
  bench_run(b);
  expect_trap(b, U, STP_CAUSE_BAD_OPERAND, 0, 0xffffffffffull);
}

static void loader_limits(void **state) {
  bench_t *b = *state;
  const uint64_t words[4] = {0};
  assert_int_equal(stp_core_load_program(b->core, 1, 256, words), -1);
  assert_int_equal(stp_core_load_program(b->core, 1, 255, words), 0);
  assert_int_equal(stp_core_load_args(b->core, 1, 16, words), -1);
  assert_int_equal(stp_core_load_args(b->core, 1, 15, words), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(alu_ops, setup, teardown),
      cmocka_unit_test_setup_teardown(moves_args_specials, setup, teardown),
      cmocka_unit_test_setup_teardown(scalar_loads, setup, teardown),
      cmocka_unit_test_setup_teardown(branches, setup, teardown),
      cmocka_unit_test_setup_teardown(loops, setup, teardown),
      cmocka_unit_test_setup_teardown(tokens, setup, teardown),
      cmocka_unit_test_setup_teardown(deadlock, setup, teardown),
      cmocka_unit_test_setup_teardown(clear_and_start, setup, teardown),
      cmocka_unit_test_setup_teardown(endless, setup, teardown),
      cmocka_unit_test_setup_teardown(traps, setup, teardown),
      cmocka_unit_test_setup_teardown(loader_limits, setup, teardown),
  };
  return cmocka_run_group_tests_name("cmodel sequencer", tests, NULL, NULL);
}
