/* The MNI engines against a reference that is written here from the contract: byte by byte. */
#include "engines.h"

typedef struct xfer {
  uint64_t a, b;
  int64_t n[4], gs[4], ls[4], lim[4];
  unsigned traps;
} xfer_t;

static void emit_xfer(bench_t *b, unsigned unit, const xfer_t *x) {
  for (unsigned k = 0; k < 4; k++) {
    emit(b, unit, cfg(STP_CFG_MNI_N0 + k, x->n[k]));
    emit(b, unit, cfg(STP_CFG_MNI_LIM0 + k, x->lim[k]));
    if (k == 0) continue;
    emit(b, unit, cfg(STP_CFG_MNI_GS1 + k - 1, x->gs[k]));
    emit(b, unit, cfg(STP_CFG_MNI_LS1 + k - 1, x->ls[k]));
  }
  emit(b, unit, li(1, (int64_t)x->a));
  emit(b, unit, li(2, (int64_t)x->b));
  emit(b, unit, insn(STP_OP_XFER, 3, 1, 2, x->traps, 100));
}

static void random_xfer(xfer_t *x, uint64_t *seed) {
  static const int64_t rows[] = {1, 2, 3, 7, 64, 126, 127, 128, 129, 255, 256, 257, 300, 500};
  memset(x, 0, sizeof *x);
  x->n[0] = rows[rnd(seed) % 14];
  for (unsigned k = 1; k < 4; k++) x->n[k] = 1 + (int64_t)(rnd(seed) % 4);
  x->a = (1u << 20) + rnd(seed) % 1000;
  x->b = (1u << 19) + rnd(seed) % 1000;
  for (unsigned k = 1; k < 4; k++) {
    x->gs[k] = (int64_t)(rnd(seed) % 40000) - 20000;
    x->ls[k] = (int64_t)(rnd(seed) % 20000) - 10000;
  }
  for (unsigned k = 0; k < 4; k++) {
    const uint64_t r = rnd(seed) % 4;
    x->lim[k] = r == 0 ? (int64_t)(rnd(seed) % (uint64_t)(x->n[k] + 1)) : r == 1 ? -3 : 0x7fffffff;
    if (r == 1 && k != 0) x->lim[k] = x->n[k];
  }
}

/* Calls fn for each byte of the transfer, in order; v: a limit does not cut it off. */
typedef void (*byte_fn)(void *user, uint64_t g, uint64_t l, bool v);
static void each_byte(const xfer_t *x, byte_fn fn, void *user) {
  for (int64_t i3 = 0; i3 < x->n[3]; i3++)
    for (int64_t i2 = 0; i2 < x->n[2]; i2++)
      for (int64_t i1 = 0; i1 < x->n[1]; i1++)
        for (int64_t i0 = 0; i0 < x->n[0]; i0++)
          fn(user, x->a + (uint64_t)(i0 + i1 * x->gs[1] + i2 * x->gs[2] + i3 * x->gs[3]),
             x->b + (uint64_t)(i0 + i1 * x->ls[1] + i2 * x->ls[2] + i3 * x->ls[3]),
             i0 < x->lim[0] && i1 < x->lim[1] && i2 < x->lim[2] && i3 < x->lim[3]);
}

typedef struct copy {
  uint8_t *mem, *lx;
  bool load;
  uint64_t bytes;
} copy_t;

static void copy_byte(void *user, uint64_t g, uint64_t l, bool v) {
  copy_t *c = user;
  if (c->load) {
    c->lx[l] = v ? c->mem[g] : 0;
    c->bytes++;
  } else if (v) {
    c->mem[g] = c->lx[l];
    c->bytes++;
  }
}

static void mni(bench_t *b, bool load, unsigned cases, uint64_t seed) {
  const unsigned unit = load ? STP_UNIT_MNI_LU : STP_UNIT_MNI_SU;
  uint8_t *mem = malloc(MEM_BYTES), *lx = malloc(STP_LX_BYTES), *replay = malloc(MEM_BYTES);
  seen_t *seen = calloc(1, sizeof *seen);
  assert_true(mem != NULL && lx != NULL && replay != NULL && seen != NULL);
  for (size_t n = 0; n < MEM_BYTES; n++) b->mem[n] = (uint8_t)rnd(&seed);
  for (size_t n = 0; n < STP_LX_BYTES; n++) stp_core_lx(b->core)[n] = (uint8_t)rnd(&seed);
  for (unsigned n = 0; n < cases; n++) {
    xfer_t x;
    random_xfer(&x, &seed);
    memcpy(mem, b->mem, MEM_BYTES);
    memcpy(lx, stp_core_lx(b->core), STP_LX_BYTES);
    memcpy(replay, load ? lx : mem, load ? STP_LX_BYTES : MEM_BYTES);
    copy_t c = {.mem = mem, .lx = lx, .load = load};
    each_byte(&x, copy_byte, &c);
    seen->unit = unit;
    seen->count = 0;
    /* Half of the cases without a tap: that is another path for stores. */
    const bool tapped = n % 2 == 0;
    stp_core_set_tap(b->core, tapped ? on_stick : NULL, seen);
    emit_xfer(b, unit, &x);
    emit(b, unit, insn(STP_OP_TRAPIF, 0, 3, 0, 0, 0)); /* r3 = r1 + 100 by post-increment */
    const unsigned pc = b->at[unit] - 2;
    bench_run(b);
    expect_trap(b, unit, STP_CAUSE_TRAPIF, pc + 1, 0);
    assert_memory_equal(mem, b->mem, MEM_BYTES);
    assert_memory_equal(lx, stp_core_lx(b->core), STP_LX_BYTES);
    assert_int_equal(stat(b, unit, STP_STAT_BYTES), c.bytes);
    assert_int_equal(stat(b, unit, STP_STAT_PAYLOADS), 15);
    if (!tapped) continue;
    /* The sticks, replayed, give the same memory; they are aligned, non-empty, as many as were
     * counted; and no stick of one row is told twice. */
    assert_int_equal(stat(b, unit, STP_STAT_ITEMS), seen->count);
    uint64_t bytes = 0;
    for (size_t s = 0; s < seen->count; s++) {
      /* The RTL does not tell. */
      if (seen->stick[s].pc != -1) assert_int_equal(seen->stick[s].pc, pc);
      assert_int_equal(seen->stick[s].addr % 128, 0);
      unsigned some = 0;
      for (unsigned k = 0; k < 128; k++) {
        if (!strobed(seen->stick[s].strb, k)) continue;
        replay[seen->stick[s].addr + k] = seen->stick[s].data[k];
        some++;
      }
      assert_true(some != 0);
      bytes += some;
    }
    assert_int_equal(bytes, c.bytes);
    assert_memory_equal(replay, load ? lx : mem, load ? STP_LX_BYTES : MEM_BYTES);
  }
  free(mem);
  free(lx);
  free(replay);
  free(seen);
}

static void mni_load(void **state) {
  mni(*state, true, 60, 11);
}
static void mni_store(void **state) {
  mni(*state, false, 60, 12);
}

/* Every pair of alignments, lengths around a stick: pieces counted exactly. */
static void mni_pieces(void **state) {
  bench_t *b = *state;
  for (unsigned g = 0; g < 128; g += 31) {
    for (unsigned l = 0; l < 128; l += 29) {
      for (unsigned n = 1; n < 300; n += 37) {
        for (unsigned unit = STP_UNIT_MNI_LU; unit <= STP_UNIT_MNI_SU; unit++) {
          xfer_t x = {.a = 0x1000 + g, .b = 0x2000 + l, .n = {n, 1, 1, 1}, .lim = {1000, 1, 1, 1}};
          emit_xfer(b, unit, &x);
          emit(b, unit, halt());
          bench_run(b);
          const unsigned at = unit == STP_UNIT_MNI_LU ? l : g;
          assert_int_equal(stat(b, unit, STP_STAT_ITEMS), (at + n + 127) / 128);
        }
      }
    }
  }
}

static void mni_traps(void **state) {
  bench_t *b = *state;
  uint8_t *lx = stp_core_lx(b->core);
  memset(b->mem, 7, 1 << 16);
  /* The third row leaves LX: two are there, the third is untouched. */
  xfer_t x = {.a = 0, .b = STP_LX_BYTES - 300, .n = {128, 4, 1, 1}, .lim = {1000, 9, 9, 9}};
  x.ls[1] = 100;
  emit_xfer(b, 0, &x);
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_LX_RANGE, 16, STP_LX_BYTES - 100);
  assert_int_equal(lx[STP_LX_BYTES - 200 + 127], 7);
  assert_int_equal(lx[STP_LX_BYTES - 200 + 128], 0xa5);
  /* Global space: the second row starts below 0. */
  x = (xfer_t){.a = 64, .b = 0, .n = {64, 2, 1, 1}, .lim = {1000, 9, 9, 9}};
  x.gs[1] = -65;
  x.ls[1] = 64;
  emit_xfer(b, 0, &x);
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_GLOBAL_RANGE, 16, 0xffffffffffull);
  assert_int_equal(lx[63], 7);
  assert_int_equal(lx[64], 0xa5);
  /* A row that ends past 2^40; the same is fine where a limit cuts it off. */
  for (unsigned cut = 0; cut < 2; cut++) {
    for (unsigned k = 0; k < 4; k++) emit(b, 0, cfg(STP_CFG_MNI_N0 + k, k == 0 ? 256 : 1));
    emit(b, 0, li(1, 255));
    emit(b, 0, insn(STP_OP_MOVHI, 1, 1, 0, 0, 0));
    emit(b, 0, insn(STP_OP_MOVHI, 2, 0, 0, 0, 256));
    emit(b, 0, insn(STP_OP_SUB, 1, 2, 1, 0, 0));
    emit(b, 0, cfg(STP_CFG_MNI_LIM1, cut ? 0 : 1));
    emit(b, 0, insn(STP_OP_XFER, 0, 1, 0, 0, 0));
    emit(b, 0, halt());
    const stp_core_state_t s = bench_run(b);
    if (cut)
      assert_int_equal(s.trapped, 0);
    else
      expect_trap(b, 0, STP_CAUSE_GLOBAL_RANGE, 9, 0xffffffff01ull);
  }
  assert_int_equal(lx[0], 0);
  /* Limits that trap: of the bytes at once, of rows at the first past it. */
  memset(lx, 0xee, 4096);
  x = (xfer_t){.a = 0x100, .b = 0, .n = {128, 3, 2, 1}, .lim = {127, 9, 9, 9}, .traps = 1};
  emit_xfer(b, 0, &x);
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_LIMIT, 16, 0x100);
  assert_int_equal(lx[0], 0xee);
  x = (xfer_t){.a = 0x100, .b = 0, .n = {128, 3, 2, 1}, .lim = {128, 2, 9, 9}, .traps = 2};
  x.gs[1] = 0x1000;
  x.ls[1] = 128;
  emit_xfer(b, 0, &x);
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_LIMIT, 16, 0x2100);
  assert_int_equal(lx[255], 7);
  assert_int_equal(lx[256], 0xee);
  assert_int_equal(stat(b, 0, STP_STAT_ITEMS), 2);
  /* Stores: a limit that does not trap stores nothing, and what it cuts off may lie anywhere. */
  memset(b->mem, 7, 4096);
  x = (xfer_t){.a = 0, .b = 0, .n = {128, 2, 1, 1}, .lim = {64, 1, 9, 9}};
  x.gs[1] = -1000;
  x.ls[1] = -1000;
  emit_xfer(b, 1, &x);
  emit(b, 1, halt());
  assert_int_equal(bench_run(b).trapped, 0);
  assert_int_equal(b->mem[63], 7);
  assert_int_equal(b->mem[63 - 1], 7);
  assert_int_equal(b->mem[64], 7);
  assert_int_equal(stat(b, 1, STP_STAT_BYTES), 64);
  /* Bus errors: the stick's address; what came before is there. */
  memset(b->mem, 9, 4096);
  memset(lx, 0xee, 4096);
  b->bad = 0x200;
  x = (xfer_t){.a = 0x150, .b = 0x40, .n = {400, 1, 1, 1}, .lim = {1000, 9, 9, 9}};
  emit_xfer(b, 0, &x);
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_BUS, 16, 0x200);
  assert_int_equal(lx[0x40], 9);
  assert_int_equal(lx[0x7f], 9);
  assert_int_equal(stat(b, 0, STP_STAT_ITEMS), 1);
  memset(lx, 0xee, 4096);
  emit_xfer(b, 1, &x);
  bench_run(b);
  expect_trap(b, 1, STP_CAUSE_BUS, 16, 0x200);
  assert_int_equal(b->mem[0x1ff], 0xee);
  assert_int_equal(b->mem[0x200], 9);
  /* The RTL has later writes under way when the answer comes: it may have sent all 400 bytes. */
  assert_in_range(stat(b, 1, STP_STAT_BYTES), 0x200 - 0x150, 400);
  b->bad = 0;
  /* Counts of zero do nothing, not even check; counts too large do. */
  x = (xfer_t){.a = 0, .b = 0x7fffffff, .n = {1, 1, 0, 1}, .lim = {0, 0, 0, 0}, .traps = 15};
  emit_xfer(b, 1, &x);
  emit(b, 1, cfg(STP_CFG_MNI_N3, 0x1000000));
  bench_run(b);
  expect_trap(b, 1, STP_CAUSE_BAD_OPERAND, 17, 0x1000000);
  /* Strides out of range: 22 bits in LX, 40 in global memory. */
  emit(b, 0, cfg(STP_CFG_MNI_LS1, -(1 << 21)));
  emit(b, 0, cfg(STP_CFG_MNI_LS2, 1 << 21));
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_BAD_OPERAND, 1, 1 << 21);
  emit(b, 0, insn(STP_OP_MOVHI, 1, 0, 0, 0, -128));
  emit(b, 0, insn(STP_OP_CFG, 0, 1, 0, STP_CFG_MNI_GS3, 0));
  emit(b, 0, insn(STP_OP_CFG, 0, 1, 0, STP_CFG_MNI_GS1, -1));
  bench_run(b);
  expect_trap(b, 0, STP_CAUSE_BAD_OPERAND, 2, 0x7fffffffff);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(mni_load, setup, teardown),
      cmocka_unit_test_setup_teardown(mni_store, setup, teardown),
      cmocka_unit_test_setup_teardown(mni_pieces, setup, teardown),
      cmocka_unit_test_setup_teardown(mni_traps, setup, teardown),
  };
  return cmocka_run_group_tests_name("cmodel mni", tests, NULL, NULL);
}
