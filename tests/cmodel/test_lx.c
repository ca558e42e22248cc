/* LX-LU and LX-SU against references that are written here from the contract, byte by byte. */
#include "engines.h"

static void random_agen(agen_t *g, uint64_t *seed, bool store) {
  memset(g, 0, sizeof *g);
  g->mode = rnd(seed) % 3;
  const int64_t size = g->mode == 0 ? 128 : g->mode == 1 ? 2 : 4;
  g->a = (1u << 19) + rnd(seed) % 100 * (uint64_t)size;
  for (unsigned k = 0; k < 4; k++) {
    g->n[k] = 1 + (int64_t)(rnd(seed) % 5);
    g->s[k] = (int64_t)(rnd(seed) % 50000) - 25000;
    g->s[k] -= g->s[k] % size;
  }
  g->lim0 = rnd(seed) % 2 ? 1 << 20 : (int64_t)(rnd(seed) % (uint64_t)(g->n[0] * 128 + 10));
  g->lim1 = rnd(seed) % 2 ? 1 << 20 : (int64_t)(rnd(seed) % 5);
  g->pad = store ? 0 : (uint32_t)rnd(seed);
}

/* Sticks flow LX-LU -> SFU (a copy) -> LX-SU; both ends are checked against nested loops. */
static void lx_patterns(void **state) {
  bench_t *b = *state;
  uint64_t seed = 21;
  uint8_t *lx = malloc(STP_LX_BYTES), *now = stp_core_lx(b->core);
  seen_t *seen = calloc(1, sizeof *seen);
  assert_true(lx != NULL && seen != NULL);
  seen->unit = STP_UNIT_LX_LU1;
  for (size_t n = 0; n < STP_LX_BYTES; n++) now[n] = (uint8_t)rnd(&seed);
  for (unsigned round = 0; round < 200; round++) {
    agen_t g, h;
    random_agen(&g, &seed, false);
    random_agen(&h, &seed, true);
    /* The store must not meet what the load still reads: stores go to the upper half. */
    h.a += 1u << 20;
    memcpy(h.n, g.n, sizeof h.n);
    const int64_t total = g.n[0] * g.n[1] * g.n[2] * g.n[3];
    memcpy(lx, now, STP_LX_BYTES);
    emit_agen(b, STP_UNIT_LX_LU1, &g, STP_OP_LD, 1);
    emit(b, STP_UNIT_LX_LU1, halt());
    emit(b, STP_UNIT_SFU1, loop_to(0, total, 1));
    emit(b, STP_UNIT_SFU1, vmov(STP_V_OUT, STP_V_X));
    emit(b, STP_UNIT_SFU1, halt());
    emit_agen(b, STP_UNIT_LX_SU1, &h, STP_OP_ST, 0);
    emit(b, STP_UNIT_LX_SU1, halt());
    seen->count = 0;
    stp_core_set_tap(b->core, on_stick, seen);
    const stp_core_state_t s = bench_run(b);
    assert_int_equal(s.trapped | s.running, 0);
    assert_false(s.leftover_fifo);
    assert_int_equal(seen->count, total);
    size_t at = 0;
    uint64_t written = 0, bytes = 0;
    for (int64_t i3 = 0; i3 < g.n[3]; i3++)
      for (int64_t i2 = 0; i2 < g.n[2]; i2++)
        for (int64_t i1 = 0; i1 < g.n[1]; i1++)
          for (int64_t i0 = 0; i0 < g.n[0]; i0++, at++) {
            const int64_t from =
                (int64_t)g.a + i0 * g.s[0] + i1 * g.s[1] + i2 * g.s[2] + i3 * g.s[3];
            const int64_t to = (int64_t)h.a + i0 * h.s[0] + i1 * h.s[1] + i2 * h.s[2] + i3 * h.s[3];
            uint8_t stick[128];
            unsigned stored = 0;
            for (int64_t k = 0; k < 128; k++) {
              if (g.mode != 0)
                stick[k] = lx[from + k % (g.mode == 1 ? 2 : 4)];
              else if (i1 >= g.lim1 || 128 * i0 + k >= g.lim0)
                stick[k] = (uint8_t)(g.pad >> 8 * (k % 4));
              else
                stick[k] = lx[from + k];
            }
            assert_memory_equal(stick, seen->stick[at].data, 128);
            assert_int_equal(seen->stick[at].addr, 1);
            for (int64_t k = 0; k < 128; k++) {
              const bool in = h.mode == 1   ? k < 2
                              : h.mode == 2 ? k < 4
                                            : i1 < h.lim1 && 128 * i0 + k < h.lim0;
              if (!in) continue;
              lx[to + k] = stick[k];
              stored++;
            }
            written += stored != 0;
            bytes += stored;
          }
    assert_memory_equal(lx, now, STP_LX_BYTES);
    assert_int_equal(stat(b, STP_UNIT_LX_LU1, STP_STAT_ITEMS), total);
    assert_int_equal(stat(b, STP_UNIT_LX_LU1, STP_STAT_BYTES), 128 * total);
    assert_int_equal(stat(b, STP_UNIT_LX_SU1, STP_STAT_ITEMS), written);
    assert_int_equal(stat(b, STP_UNIT_LX_SU1, STP_STAT_BYTES), bytes);
  }
  free(lx);
  free(seen);
}

static void lx_traps(void **state) {
  bench_t *b = *state;
  const unsigned lu = STP_UNIT_LX_LU0, su = STP_UNIT_LX_SU0;
  /* The second stick is misaligned: the first has left. */
  agen_t g = {.a = 256, .n = {2, 1, 1, 1}, .s = {64}, .lim0 = 1000, .lim1 = 1};
  emit_agen(b, lu, &g, STP_OP_LD, 0);
  const stp_core_state_t s = bench_run(b);
  expect_trap(b, lu, STP_CAUSE_LX_MISALIGNED, 12, 320);
  assert_true(s.leftover_fifo);
  assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 1);
  g = (agen_t){.a = STP_LX_BYTES, .n = {1, 1, 1, 1}, .lim0 = 1000, .lim1 = 1};
  emit_agen(b, lu, &g, STP_OP_LD, 0);
  bench_run(b);
  expect_trap(b, lu, STP_CAUSE_LX_RANGE, 12, STP_LX_BYTES);
  g.a = 3;
  g.mode = 1;
  emit_agen(b, lu, &g, STP_OP_LD, 0);
  bench_run(b);
  expect_trap(b, lu, STP_CAUSE_LX_MISALIGNED, 12, 3);
  /* LX-SU needs no stick to find a bad address. */
  g = (agen_t){.a = 0, .n = {1, 1, 1, 1}, .lim0 = 1000, .lim1 = 1};
  g.a = (uint64_t)-128;
  emit_agen(b, su, &g, STP_OP_ST, 0);
  bench_run(b);
  expect_trap(b, su, STP_CAUSE_LX_RANGE, 12, 0xffffffff80ull);
  /* Strides have 22 bits with sign, counts 24 without. */
  emit(b, lu, cfg(STP_CFG_LX_S3, (1 << 21) - 1));
  emit(b, lu, cfg(STP_CFG_LX_S0, -(1 << 21)));
  emit(b, lu, cfg(STP_CFG_LX_S1, 1 << 21));
  bench_run(b);
  expect_trap(b, lu, STP_CAUSE_BAD_OPERAND, 2, 1 << 21);
  emit(b, su, cfg(STP_CFG_LX_S2, -(1 << 21) - 1));
  bench_run(b);
  expect_trap(b, su, STP_CAUSE_BAD_OPERAND, 0, 0xffffdfffffull);
  emit(b, su, cfg(STP_CFG_LX_N0, 0xffffff));
  emit(b, su, cfg(STP_CFG_LX_N1, 1 << 24));
  bench_run(b);
  expect_trap(b, su, STP_CAUSE_BAD_OPERAND, 1, 1 << 24);
  /* Wholly past the limit: no address. */
  g.lim1 = 0;
  emit_agen(b, lu, &g, STP_OP_LD, 1);
  emit(b, lu, halt());
  emit(b, STP_UNIT_SFU0, vmov(0, STP_V_X));
  emit(b, STP_UNIT_SFU0, halt());
  assert_int_equal(bench_run(b).trapped, 0);
  /* A FIFO that nobody empties: sixteen sticks, then a deadlock. */
  g = (agen_t){.a = 0, .n = {17, 1, 1, 1}, .lim0 = 1 << 20, .lim1 = 1};
  emit_agen(b, lu, &g, STP_OP_LD, 1);
  emit(b, lu, halt());
  const stp_core_state_t t = bench_run(b);
  assert_true(t.deadlock && t.leftover_fifo);
  assert_int_equal(t.blocked, 1u << lu);
  assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 16);
}

/* Loads of all kinds in a row, most of them transposing, with posts between them: every stick
 * against blocks that are gathered element by element. */
static void lx_transposes(void **state) {
  bench_t *b = *state;
  const unsigned lu = STP_UNIT_LX_LU0, sf = STP_UNIT_SFU0;
  uint64_t seed = 41;
  uint8_t *lx = stp_core_lx(b->core);
  seen_t *seen = calloc(1, sizeof *seen);
  uint8_t(*want)[128] = malloc(20000 * sizeof *want);
  assert_true(seen != NULL && want != NULL);
  seen->unit = lu;
  for (size_t n = 0; n < STP_LX_BYTES; n++) lx[n] = (uint8_t)rnd(&seed);
  for (unsigned round = 0; round < 60; round++) {
    size_t total = 0;
    unsigned waits = 0;
    for (unsigned k = 1 + rnd(&seed) % 5; k != 0; k--) {
      agen_t g;
      random_agen(&g, &seed, false);
      const bool turn = rnd(&seed) % 4 != 0;
      if (turn) {
        g.mode = 1 + rnd(&seed) % 2;
        for (unsigned d = 0; d < 4; d++) g.s[d] -= g.s[d] % 128;
        g.a -= g.a % 128;
        if (rnd(&seed) % 2) {
          g.n[1] = 1 + (int64_t)(rnd(&seed) % 70);
          g.n[2] = 1;
          g.s[1] = ((int64_t)(rnd(&seed) % 47) - 23) * 128;
        }
        if (rnd(&seed) % 2) g.lim1 = (int64_t)(rnd(&seed) % 70);
      }
      const unsigned size = g.mode == 1 ? 2 : 4, most = 128 / size;
      int64_t cols = rnd(&seed) % 2 ? (int64_t)(rnd(&seed) % 70) : (int64_t)rnd(&seed) >> 1;
      emit(b, lu, li(2, cols));
      cols = (int32_t)cols;
      emit(b, lu, insn(STP_OP_CFG, 0, 2, 0, STP_CFG_LX_COLS, 0));
      emit_agen(b, lu, &g, STP_OP_LD, 1 | (turn ? 8 : 0));
      for (unsigned n = rnd(&seed) % 3; n != 0; n--, waits++) emit(b, lu, post_to(sf, 0));
      if (rnd(&seed) % 3 == 0) {
        emit(b, lu, post_to(lu, 1));
        emit(b, lu, wait_from(lu, 1));
      }
      uint8_t row[64][128];
      unsigned rows = 0;
      int64_t left = g.n[0] * g.n[1] * g.n[2] * g.n[3];
      for (int64_t i3 = 0; i3 < g.n[3]; i3++)
        for (int64_t i2 = 0; i2 < g.n[2]; i2++)
          for (int64_t i1 = 0; i1 < g.n[1]; i1++)
            for (int64_t i0 = 0; i0 < g.n[0]; i0++) {
              const int64_t from =
                  (int64_t)g.a + i0 * g.s[0] + i1 * g.s[1] + i2 * g.s[2] + i3 * g.s[3];
              uint8_t stick[128];
              for (int64_t k2 = 0; k2 < 128; k2++) {
                const bool out = i1 >= g.lim1 || 128 * i0 + k2 >= g.lim0;
                if (!turn && g.mode != 0)
                  stick[k2] = lx[from + k2 % size];
                else
                  stick[k2] = out ? (uint8_t)(g.pad >> 8 * (k2 % 4)) : lx[from + k2];
              }
              left--;
              if (!turn) {
                memcpy(want[total++], stick, 128);
                continue;
              }
              memcpy(row[rows++], stick, 128);
              if (rows != most && left != 0) continue;
              for (; rows != most; rows++)
                for (unsigned k2 = 0; k2 < 128; k2++)
                  row[rows][k2] = (uint8_t)(g.pad >> 8 * (k2 % 4));
              for (int64_t j = 0; j < most && j < cols; j++, total++)
                for (unsigned i = 0; i < most; i++)
                  memcpy(want[total] + i * size, row[i] + j * size, size);
              rows = 0;
            }
    }
    emit(b, lu, halt());
    assert_true(total < 20000 && waits < 16);
    emit(b, sf, loop_to(0, (int64_t)total, 1));
    emit(b, sf, vmov(0, STP_V_X));
    for (; waits != 0; waits--) emit(b, sf, wait_from(lu, 0));
    emit(b, sf, halt());
    seen->count = 0;
    stp_core_set_tap(b->core, on_stick, seen);
    const stp_core_state_t s = bench_run(b);
    assert_int_equal(s.trapped | s.running, 0);
    assert_false(s.leftover_fifo || s.leftover_token);
    assert_int_equal(seen->count, total);
    for (size_t n = 0; n < total; n++) {
      assert_memory_equal(want[n], seen->stick[n].data, 128);
      assert_int_equal(seen->stick[n].addr, 1);
    }
    assert_int_equal(stat(b, lu, STP_STAT_ITEMS), total);
    assert_int_equal(stat(b, lu, STP_STAT_BYTES), 128 * total);
  }
  free(want);
  free(seen);
}

/* How far the transposer goes when its columns have nowhere to go, and what a trap leaves. */
static void lx_transposer_waits(void **state) {
  bench_t *b = *state;
  const unsigned lu = STP_UNIT_LX_LU1, sf = STP_UNIT_SFU1;
  const agen_t block = {
      .a = 0, .n = {64, 1, 1, 1}, .s = {128}, .lim0 = 1 << 20, .lim1 = 1, .mode = 1};
  /* One block drains, one is full, the third load waits for a block; cfg and post go on behind it,
   * and the fourth load stays in the queue. */
  emit_agen(b, lu, &block, STP_OP_LD, 8);
  for (unsigned n = 0; n < 2; n++) emit(b, lu, insn(STP_OP_LD, 0, 0, 0, 2 | 8, 0));
  emit(b, lu, cfg(STP_CFG_LX_PAD, 1));
  emit(b, lu, post_to(lu, 0));
  emit(b, lu, insn(STP_OP_LD, 0, 0, 0, 2 | 8, 0));
  emit(b, lu, wait_from(lu, 0));
  stp_core_state_t s = bench_run(b);
  assert_true(s.deadlock && !s.leftover_token);
  assert_int_equal(s.blocked, 1u << lu);
  assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 16);
  assert_int_equal(stat(b, lu, STP_STAT_PAYLOADS), 11 + 3 + 2);
  assert_int_equal(stat(b, lu, STP_STAT_STATE) >> 16 & 0xffff, 12 + 6);
  /* A plain load, a post and a bad cfg wait for the columns. */
  for (unsigned way = 0; way < 3; way++) {
    emit_agen(b, lu, &block, STP_OP_LD, 8);
    emit(b, lu, li(3, -1));
    emit(b, lu,
         way == 0   ? insn(STP_OP_LD, 0, 0, 0, 0, 0)
         : way == 1 ? post_to(lu, 0)
                    : insn(STP_OP_CFG, 0, 3, 0, STP_CFG_LX_N0, 0));
    emit(b, lu, wait_from(lu, 0));
    s = bench_run(b);
    assert_true(s.deadlock && !s.leftover_token);
    assert_int_equal(s.blocked, 1u << lu);
    assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 16);
    assert_int_equal(stat(b, lu, STP_STAT_PAYLOADS), way == 2 ? 12 : 13);
  }
  /* No column leaves: nothing waits. */
  emit_agen(b, lu, &block, STP_OP_LD, 8);
  b->at[lu]--;
  emit(b, lu, cfg(STP_CFG_LX_COLS, -5));
  for (unsigned n = 0; n < 5; n++) emit(b, lu, insn(STP_OP_LD, 0, 0, 0, 2 | 8, 0));
  emit(b, lu, post_to(sf, 0));
  emit(b, lu, halt());
  emit(b, sf, wait_from(lu, 0));
  emit(b, sf, halt());
  s = bench_run(b);
  assert_false(s.running || s.trapped || s.leftover_fifo || s.leftover_token);
  /* A bad row: the block before it has left, its own has not. */
  agen_t g = {.a = STP_LX_BYTES - 65 * 128,
              .n = {32, 3, 1, 1},
              .s = {128, 32 * 128},
              .lim0 = 1 << 20,
              .lim1 = 3,
              .mode = 2};
  emit_agen(b, lu, &g, STP_OP_LD, 9);
  emit(b, sf, loop_to(0, 70, 1));
  emit(b, sf, vmov(0, STP_V_X));
  s = bench_run(b);
  expect_trap(b, lu, STP_CAUSE_LX_RANGE, 12, STP_LX_BYTES);
  assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 64);
  assert_false(s.leftover_fifo);
  /* While the block before it is stuck, it is not noticed. */
  emit_agen(b, lu, &g, STP_OP_LD, 9);
  emit(b, sf, loop_to(0, 10, 1));
  emit(b, sf, vmov(0, STP_V_X));
  emit(b, sf, wait_from(lu, 0));
  s = bench_run(b);
  assert_true(s.deadlock);
  assert_int_equal(s.blocked, 1u << lu | 1u << sf);
  assert_int_equal(stat(b, lu, STP_STAT_ITEMS), 26);
  g.a = 64;
  emit_agen(b, lu, &g, STP_OP_LD, 9);
  s = bench_run(b);
  expect_trap(b, lu, STP_CAUSE_LX_MISALIGNED, 12, 64);
  /* Elements of a stick, or of no size, do not exist; nor does it in LX-SU. */
  const unsigned bad[] = {8, 14};
  for (unsigned n = 0; n < 2; n++) {
    const uint64_t word = insn(STP_OP_LD, 0, 0, 0, bad[n], 0);
    emit(b, lu, word);
    bench_run(b);
    expect_trap(b, lu, STP_CAUSE_ILLEGAL, 0, word & (((uint64_t)1 << STP_ADDR_BITS) - 1));
  }
  const uint64_t word = insn(STP_OP_ST, 0, 0, 0, 2 | 8, 0);
  emit(b, STP_UNIT_LX_SU0, word);
  bench_run(b);
  expect_trap(b, STP_UNIT_LX_SU0, STP_CAUSE_ILLEGAL, 0,
              word & (((uint64_t)1 << STP_ADDR_BITS) - 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(lx_patterns, setup, teardown),
      cmocka_unit_test_setup_teardown(lx_traps, setup, teardown),
      cmocka_unit_test_setup_teardown(lx_transposes, setup, teardown),
      cmocka_unit_test_setup_teardown(lx_transposer_waits, setup, teardown),
  };
  return cmocka_run_group_tests_name("cmodel lx", tests, NULL, NULL);
}
