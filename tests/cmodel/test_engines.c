/* PT and SFU, one at a time, then a core, against references that are written here from the
 * contract: byte by byte, lane by lane. */
#include "engines.h"

/* --- PT --- */

/* One lane: value of a 16-bit lane as f32 bits, by the integer numerics. */
static uint32_t widen(unsigned format, uint16_t v) {
  return stp_num_exact()->op(STP_OP_VUNPACK, 0, STP_FMT_F32, format, v, 0, 0);
}

static uint16_t lane16(const uint8_t *stick, unsigned n) {
  return (uint16_t)(stick[2 * n] | stick[2 * n + 1] << 8);
}

/* 16-bit values whose products do not all overflow: small integers and fractions, some special. */
static uint16_t value16(uint64_t *seed, unsigned format) {
  const uint64_t r = rnd(seed);
  if (r % 61 == 0) return (uint16_t)(r >> 32);
  return (uint16_t)stp_num_from_double(format, ((double)(r >> 40 & 0xffff) - 32768.0) / 1024.0);
}

static void pt(void **state) {
  bench_t *b = *state;
  const struct stp_num *x = stp_num_exact();
  uint64_t seed = 31;
  uint8_t *lx = stp_core_lx(b->core);
  const unsigned lu = STP_UNIT_LX_LU0, u = STP_UNIT_PT0, sf = STP_UNIT_SFU0, su = STP_UNIT_LX_SU0;
  static uint32_t acc[2][64][64];
  uint8_t *weight[2] = {NULL, NULL};
  for (unsigned round = 0; round < 12; round++) {
    unsigned stick = 0, out = 0, rows_drained = 0;
    const unsigned format = round % 2;
    uint64_t macs = 0;
    static uint32_t want[64 * 64][64];
    for (size_t n = 0; n < 60000; n++) {
      const uint16_t v = value16(&seed, format);
      lx[2 * n] = (uint8_t)v;
      lx[2 * n + 1] = (uint8_t)(v >> 8);
    }
    /* Start values of both halves, then weights, multiplications and drains at random. */
    for (unsigned step = 0; step < 24; step++) {
      const unsigned op = step < 2 ? 1 : step < 4 ? 0 : rnd(&seed) % 4;
      const unsigned bank = step % 2, half = step < 2 ? step : rnd(&seed) % 2;
      const unsigned nblk = step < 4 ? 8 : 1 + rnd(&seed) % 8;
      unsigned a = step < 2 ? 64 : rnd(&seed) % 20;
      const unsigned at = step < 2 ? 0 : rnd(&seed) % (64 - a + 1);
      const unsigned mode = op == 1 ? rnd(&seed) % 3 : 0;
      emit(b, u, li(1, a));
      emit(b, u, li(2, at));
      if (op == 0) {
        emit(b, u, insn(STP_OP_WLOAD, 0, 0, 0, bank | nblk << 2, 0));
        if (weight[bank] == NULL) weight[bank] = malloc(64 * 128);
        memcpy(weight[bank], lx + 128 * stick, 8 * nblk * 128);
        stick += 8 * nblk;
      } else if (op == 1) {
        emit(b, u, insn(STP_OP_ALOAD, 0, 1, 2, half << 1 | mode << 7, 0));
        for (unsigned r = 0; r < a; r++) {
          for (unsigned j = 0; j < 64; j++) {
            const uint8_t *p = lx + 128 * stick + 4 * j;
            if (mode == 2)
              acc[half][at + r][j] = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                                     (uint32_t)p[3] << 24;
            else
              acc[half][at + r][j] = widen(mode, lane16(lx + 128 * stick, j));
          }
          stick += mode == 2 ? 2 : 1;
        }
      } else if (op == 2) {
        const unsigned first = rnd(&seed) % 2;
        emit(b, u,
             insn(STP_OP_MM, 0, 1, 2, bank | half << 1 | nblk << 2 | first << 6 | format << 7, 0));
        for (unsigned r = 0; r < a; r++, stick++) {
          for (unsigned j = 0; j < 64; j++) {
            uint32_t *q = &acc[half][at + r][j];
            if (first) *q = 0;
            for (unsigned k = 0; k < nblk; k++) {
              uint32_t chunk = 0;
              for (unsigned n = 8 * k; n < 8 * k + 8; n++)
                chunk = x->op(STP_OP_VFMA, 0, STP_FMT_F32, 0,
                              widen(format, lane16(lx + 128 * stick, n)),
                              widen(format, lane16(weight[bank] + 128 * n, j)), chunk);
              *q = x->op(STP_OP_VADD, 0, STP_FMT_F32, 0, *q, chunk, 0);
            }
          }
          macs += 512 * nblk;
        }
      } else {
        emit(b, u, insn(STP_OP_DRAIN, 0, 1, 2, half << 1, 0));
        memcpy(want[rows_drained], acc[half][at], a * sizeof want[0]);
        rows_drained += a;
      }
    }
    emit(b, u, halt());
    assert_true(stick * 128 < 120000);
    agen_t g = {.a = 0, .n = {stick, 1, 1, 1}, .s = {128}, .lim0 = 1 << 23, .lim1 = 1};
    emit_agen(b, lu, &g, STP_OP_LD, 0);
    emit(b, lu, halt());
    out = 2 * rows_drained;
    emit(b, sf, loop_to(0, out, 1));
    emit(b, sf, vmov(STP_V_OUT, STP_V_P));
    emit(b, sf, halt());
    agen_t h = {.a = 1 << 20, .n = {out, 1, 1, 1}, .s = {128}, .lim0 = 0xffffff, .lim1 = 1};
    emit_agen(b, su, &h, STP_OP_ST, 0);
    emit(b, su, halt());
    const stp_core_state_t s = bench_run(b);
    assert_int_equal(s.trapped | s.running, 0);
    assert_false(s.leftover_fifo);
    assert_memory_equal(lx + (1 << 20), want, out * 128);
    assert_int_equal(stat(b, u, STP_STAT_MACS), macs);
    assert_int_equal(stat(b, u, STP_STAT_ITEMS), out);
  }
  free(weight[0]);
  free(weight[1]);
}

static void pt_traps(void **state) {
  bench_t *b = *state;
  const unsigned u = STP_UNIT_PT1;
  static const struct {
    unsigned op, aux;
    int64_t a, b, bad;
  } cases[] = {
      {STP_OP_MM, 1 << 2, 65, 0, 65},         {STP_OP_MM, 1 << 2, 64, 1, 1},
      {STP_OP_ALOAD, 0, -1, 0, 0xffffffffff}, {STP_OP_DRAIN, 0, 10, 55, 55},
      {STP_OP_DRAIN, 0, 0, 65, 65},
  };
  for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
    emit(b, u, li(1, cases[n].a));
    emit(b, u, li(2, cases[n].b));
    emit(b, u, insn(cases[n].op, 0, 1, 2, cases[n].aux, 0));
    bench_run(b);
    expect_trap(b, u, STP_CAUSE_BAD_OPERAND, 2, (uint64_t)cases[n].bad);
  }
  /* No rows: nothing is taken. A drain that cannot end holds back the trap behind it, and the post.
   */
  emit(b, u, insn(STP_OP_MM, 0, 0, 0, 1 << 2, 0));
  emit(b, u, li(1, 9));
  emit(b, u, insn(STP_OP_DRAIN, 0, 1, 0, 0, 0));
  emit(b, u, insn(STP_OP_MM, 0, 0, 0, 0, 0));
  stp_core_state_t s = bench_run(b);
  assert_true(s.deadlock);
  assert_int_equal(s.blocked, 1u << u);
  emit(b, u, li(1, 9));
  emit(b, u, insn(STP_OP_DRAIN, 0, 1, 0, 0, 0));
  emit(b, u, post_to(u, 0));
  s = bench_run(b);
  assert_true(s.deadlock && !s.leftover_token);
  /* While one half drains to a full FIFO, the other half goes on. */
  const unsigned lu = STP_UNIT_LX_LU1;
  emit(b, u, li(1, 9));
  emit(b, u, insn(STP_OP_DRAIN, 0, 1, 0, 0, 0));
  emit(b, u, insn(STP_OP_MM, 0, 1, 0, 2 | 1 << 2, 0));
  agen_t g = {.a = 0, .n = {9, 1, 1, 1}, .lim0 = 1 << 20, .lim1 = 1};
  emit_agen(b, lu, &g, STP_OP_LD, 0);
  emit(b, lu, halt());
  s = bench_run(b);
  assert_int_equal(s.running, 1u << u);
  assert_int_equal(stat(b, u, STP_STAT_MACS), 9 * 512);
}

/* The three processes of PT go on beside each other, as far as their buffers reach. */
static void pt_beside(void **state) {
  bench_t *b = *state;
  const unsigned u = STP_UNIT_PT0, lu = STP_UNIT_LX_LU0, sf = STP_UNIT_SFU0;
  /* SFU takes nothing until PT has posted, and PT posts only behind a drain of 20 sticks: one half
   * waits, the other half's rows, and the weights, must go on. */
  emit(b, u, li(1, 10));
  emit(b, u, insn(STP_OP_WLOAD, 0, 0, 0, 1 << 2, 0));
  emit(b, u, insn(STP_OP_DRAIN, 0, 1, 0, 0, 0));
  emit(b, u, post_to(lu, 0));
  emit(b, u, insn(STP_OP_WLOAD, 0, 0, 0, 1 | 1 << 2, 0));
  emit(b, u, insn(STP_OP_MM, 0, 1, 0, 3 | 1 << 2, 0));
  emit(b, u, halt());
  agen_t g = {.a = 0, .n = {26, 1, 1, 1}, .lim0 = 1 << 20, .lim1 = 1};
  emit_agen(b, lu, &g, STP_OP_LD, 0);
  emit(b, lu, cfg(STP_CFG_LX_N0, 20));
  emit(b, lu, insn(STP_OP_LD, 0, 0, 0, 1, 0)); /* what SFU adds to the drained rows */
  emit(b, lu, wait_from(u, 0));
  emit(b, lu, halt());
  emit(b, sf, loop_to(0, 20, 1));
  emit(b, sf, sfu(STP_OP_VADD, STP_FMT_F32, 0, STP_V_X, STP_V_P, 0));
  emit(b, sf, halt());
  stp_core_state_t s = bench_run(b);
  assert_int_equal(s.running | s.trapped, 0);
  assert_false(s.leftover_fifo || s.leftover_token);

  /* Behind a drain that nobody takes, an mm of the same half takes two groups of rows and no more.
   */
  for (unsigned rows = 32; rows < 34; rows++) {
    emit(b, u, li(1, 9));
    emit(b, u, insn(STP_OP_DRAIN, 0, 1, 0, 0, 0));
    emit(b, u, li(1, 40));
    emit(b, u, insn(STP_OP_MM, 0, 1, 0, 1 << 2, 0));
    emit(b, u, halt());
    g.n[0] = rows;
    emit_agen(b, lu, &g, STP_OP_LD, 0);
    emit(b, lu, halt());
    s = bench_run(b);
    assert_true(s.deadlock);
    assert_int_equal(s.blocked,
                     1u << u | (rows == 33 ? 1u << lu : 0)); /* 16 in groups, 16 in the FIFO */
    assert_int_equal(stat(b, u, STP_STAT_MACS), 0);
    assert_int_equal(stat(b, u, STP_STAT_STATE) >> 16 & 0xffff, 4); /* the halt */
  }
}

/* --- SFU --- */

static void put(uint8_t *p, unsigned bytes, uint32_t v) {
  for (unsigned k = 0; k < bytes; k++) p[k] = (uint8_t)(v >> 8 * k);
}
static uint32_t get(const uint8_t *p, unsigned bytes) {
  uint32_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint32_t)p[k] << 8 * k;
  return v;
}

/* What one instruction gives, by the integer numerics, from three operands of two sticks each and
 * the old destination. */
static void sfu_want(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt,
                     const uint8_t *const v[3], const uint8_t *old, unsigned lane_no, uint32_t ra,
                     uint8_t *out) {
  const struct stp_num *x = stp_num_exact();
  const unsigned bytes = stp_fmt_bytes(fmt);
  const unsigned lanes = fmt == STP_FMT_F32P ? 64 : 128 / bytes;
  const unsigned in = op == STP_OP_VPACK                          ? 4
                      : op == STP_OP_VUNPACK || op == STP_OP_VACC ? 2
                                                                  : bytes;
  if (op == STP_OP_VFOLD) {
    uint32_t t[64];
    static const unsigned fold_op[] = {STP_OP_VADD, STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM,
                                       STP_OP_VMAXNUM};
    for (unsigned n = 0; n < lanes; n++) t[n] = get(v[0] + n * in, in);
    for (unsigned w = lanes / 2; w != 0; w /= 2)
      for (unsigned n = 0; n < w; n++) t[n] = x->op(fold_op[fn], 0, fmt, 0, t[n], t[n + w], 0);
    for (unsigned n = 0; n < lanes; n++) put(out + n * bytes, bytes, t[0]);
    return;
  }
  for (unsigned n = 0; n < lanes; n++) {
    uint32_t r;
    if (op == STP_OP_VSPLAT)
      r = get(v[0] + lane_no * bytes, bytes);
    else if (op == STP_OP_VLANE)
      r = n + ra;
    else if (op == STP_OP_VACC)
      r = x->op(op, 0, fmt, sfmt, get(v[0] + n * in, in), 0, get(old + n * 4, 4));
    else
      r = x->op(op, fn, fmt, sfmt, get(v[0] + n * in, in), get(v[1] + n * in, in),
                get(v[2] + n * in, in));
    put(out + n * bytes, bytes, r);
  }
}

/* Every instruction in every format with every function, on registers, FIFOs, splats and zero. */
static void sfu_all(void **state) {
  bench_t *b = *state;
  uint64_t seed = 41;
  uint8_t *lx = stp_core_lx(b->core);
  const unsigned lu = STP_UNIT_LX_LU0, u = STP_UNIT_SFU0, su = STP_UNIT_LX_SU0;
  unsigned cases = 0;
  for (unsigned op = STP_OP_VMOV; op <= STP_OP_VSQRT; op++) {
    const struct stp_insn_info *info = &stp_insn_table[op];
    const unsigned sources = (unsigned)(info->syntax[1] - '0');
    const unsigned fns = op == STP_OP_VCMP    ? 16
                         : op == STP_OP_VFOLD ? 5
                         : op == STP_OP_VFUNC ? STP_VFUNCS
                                              : 1;
    for (unsigned fmt = 0; fmt < 6; fmt++) {
      if ((info->formats >> fmt & 1) == 0) continue;
      for (unsigned fn = 0; fn < fns; fn++) {
        for (unsigned sfmt = 0; sfmt < 6; sfmt++) {
          const bool wide = fmt == STP_FMT_F32 || fmt == STP_FMT_I32;
          bool ok = sfmt == 0;
          if (op == STP_OP_VCVT)
            ok = wide ? sfmt == STP_FMT_F32 || sfmt == STP_FMT_I32 : sfmt <= STP_FMT_BF16;
          if (op == STP_OP_VUNPACK || op == STP_OP_VACC) ok = sfmt <= STP_FMT_BF16;
          if (op == STP_OP_VFOLD && fn == STP_VFOLD_ADD)
            ok = ok && (fmt == STP_FMT_F32 || fmt == STP_FMT_F32P);
          if (op == STP_OP_VCMP && fmt == STP_FMT_I32)
            ok = ok && fn != STP_VCMP_ORD && fn != STP_VCMP_UNO;
          if (!ok) continue;
          for (unsigned variant = 0; variant < 4; variant++, cases++) {
            /* Registers r0..r7 get random sticks from X first. */
            for (unsigned n = 0; n < 9 * 128; n++) lx[n] = (uint8_t)rnd(&seed);
            for (unsigned n = 0; n < 9 * 64; n++) {
              const uint16_t v = value16(&seed, STP_FMT_BF16);
              if (rnd(&seed) % 3) put(lx + 2 * n, 2, v);
            }
            const bool pair = op == STP_OP_VPACK ||
                              (fmt == STP_FMT_F32P && op != STP_OP_VUNPACK && op != STP_OP_VACC);
            const bool pair_out = fmt == STP_FMT_F32P;
            unsigned operand[3] = {2, 4, 6};
            if (variant == 1) operand[0] = pair ? STP_V_SA : STP_V_X;
            if (variant == 2) operand[0] = 4, operand[1] = STP_V_SB, operand[2] = STP_V_SA;
            if (variant == 3) operand[1] = STP_V_ZERO, operand[2] = pair ? STP_V_ZERO : STP_V_X;
            const uint64_t ra = rnd(&seed), rb = rnd(&seed);
            const unsigned lane_no = rnd(&seed) % (wide ? 32 : 64);
            const unsigned vd = pair_out ? 0 : variant == 1 ? STP_V_OUT : 1;
            const bool tee = !pair_out && variant == 2;
            bool took = false;
            uint8_t buf[3][256], want[256] = {0};
            const unsigned in = op == STP_OP_VPACK                          ? 4
                                : op == STP_OP_VUNPACK || op == STP_OP_VACC ? 2
                                                                            : stp_fmt_bytes(fmt);
            for (unsigned n = 0; n < 3; n++) {
              if (operand[n] < 32) memcpy(buf[n], lx + 128 * operand[n], 256);
              for (unsigned k = 0; k < 256; k += in) {
                if (operand[n] == STP_V_SA) put(buf[n] + k, in, (uint32_t)ra);
                if (operand[n] == STP_V_SB) put(buf[n] + k, in, (uint32_t)rb);
                if (operand[n] == STP_V_ZERO) put(buf[n] + k, in, 0);
              }
              if (operand[n] == STP_V_X) {
                memcpy(buf[n], lx + 128 * 8, 128);
                if (n < sources) took = true;
              }
              if (n >= sources && !(op == STP_OP_VSPLAT && n == 1)) operand[n] = 0;
            }
            if (op == STP_OP_VSPLAT) operand[1] = lane_no;
            const uint8_t *const v[3] = {buf[0], buf[1], buf[2]};
            sfu_want(op, fn, fmt, sfmt, v, lx + 128 * vd % 32, lane_no, (uint32_t)ra, want);

            for (unsigned n = 0; n < 8; n++) emit(b, u, vmov(n, STP_V_X));
            emit(b, u, insn(STP_OP_ADDI, 1, 0, 0, 0, (int32_t)(uint32_t)ra));
            emit(b, u, insn(STP_OP_ADDI, 2, 0, 0, 0, (int32_t)(uint32_t)rb));
            uint64_t word = sfu_fn(sfu(op, fmt, vd, operand[0], operand[1], operand[2]), fn, sfmt) |
                            (uint64_t)tee << 32 | 1ull << 46 | 2ull << 41;
            emit(b, u, word);
            if (vd != STP_V_OUT && !tee) emit(b, u, vmov(STP_V_OUT, vd));
            if (pair_out) emit(b, u, vmov(STP_V_OUT, vd + 1));
            if (!took) emit(b, u, vmov(9, STP_V_X));
            emit(b, u, halt());
            agen_t g = {.a = 0, .n = {9, 1, 1, 1}, .s = {128}, .lim0 = 1 << 20, .lim1 = 1};
            emit_agen(b, lu, &g, STP_OP_LD, 1);
            emit(b, lu, halt());
            agen_t h = {.a = 4096,
                        .n = {pair_out ? 2 : 1, 1, 1, 1},
                        .s = {128},
                        .lim0 = 1 << 20,
                        .lim1 = 1};
            emit_agen(b, su, &h, STP_OP_ST, 0);
            emit(b, su, halt());
            const stp_core_state_t s = bench_run(b);
            if (s.trapped | s.running | s.leftover_fifo)
              fail_msg("%s fmt %u fn %u sfmt %u variant %u: trapped %x running %x", info->name, fmt,
                       fn, sfmt, variant, s.trapped, s.running);
            if (memcmp(lx + 4096, want, pair_out ? 256 : 128) != 0)
              fail_msg("%s fmt %u fn %u sfmt %u variant %u differs", info->name, fmt, fn, sfmt,
                       variant);
          }
        }
      }
    }
  }
  print_message("%u cases\n", cases);
  assert_true(cases > 600);
}

static void sfu_trap(bench_t *b, uint64_t word, unsigned cause, uint64_t addr) {
  emit(b, STP_UNIT_SFU0, word);
  bench_run(b);
  expect_trap(b, STP_UNIT_SFU0, cause, 0, addr);
}

static void sfu_traps(void **state) {
  bench_t *b = *state;
  const unsigned f16 = STP_FMT_F16, pair = STP_FMT_F32P;
  const uint64_t illegal[] = {
      sfu(STP_OP_VADD, STP_FMT_I32, 0, 0, 0, 0),
      sfu(STP_OP_VMOV, STP_FMT_DL16, 0, 0, 0, 0),
      sfu(STP_OP_VMOV, 15, 0, 0, 0, 0),
      sfu(STP_OP_VMOV, f16, 0, 0, 1, 0),
      sfu(STP_OP_VADD, f16, 0, 0, 0, 1),
      sfu(STP_OP_VADD, f16, 0, 0, 0, 0) | 1u << 28,
      sfu_fn(sfu(STP_OP_VADD, f16, 0, 0, 0, 0), 1, 0),
      sfu_fn(sfu(STP_OP_VADD, f16, 0, 0, 0, 0), 0, 1),
      sfu_fn(sfu(STP_OP_VFUNC, f16, 0, 0, 0, 0), STP_VFUNCS, 0),
      sfu_fn(sfu(STP_OP_VFOLD, f16, 0, 0, 0, 0), STP_VFOLD_ADD, 0),
      sfu_fn(sfu(STP_OP_VFOLD, f16, 0, 0, 0, 0), 5, 0),
      sfu_fn(sfu(STP_OP_VCVT, f16, 0, 0, 0, 0), 0, STP_FMT_F32),
      sfu_fn(sfu(STP_OP_VUNPACK, pair, 0, 0, 0, 0), 0, STP_FMT_F32),
      sfu_fn(sfu(STP_OP_VCMP, STP_FMT_I32, 0, 0, 0, 0), STP_VCMP_ORD, 0),
      sfu(STP_OP_VMOV, f16, 0, 0, 0, 0) | 1ull << 51,
  };
  for (size_t n = 0; n < sizeof illegal / sizeof illegal[0]; n++)
    sfu_trap(b, illegal[n], STP_CAUSE_ILLEGAL, illegal[n] & 0xffffffffffull);
  sfu_trap(b, sfu(STP_OP_VMOV, f16, 33, 0, 0, 0), STP_CAUSE_BAD_OPERAND, 33);
  sfu_trap(b, sfu(STP_OP_VMOV, f16, 0, 37, 0, 0), STP_CAUSE_BAD_OPERAND, 37);
  sfu_trap(b, sfu(STP_OP_VADD, f16, 0, 32, 32, 0), STP_CAUSE_BAD_OPERAND, 32);
  sfu_trap(b, sfu(STP_OP_VFMA, f16, 0, 33, 0, 33), STP_CAUSE_BAD_OPERAND, 33);
  sfu_trap(b, sfu(STP_OP_VADD, pair, 0, 3, 0, 0), STP_CAUSE_BAD_OPERAND, 3);
  sfu_trap(b, sfu(STP_OP_VADD, pair, 0, 2, 32, 0), STP_CAUSE_BAD_OPERAND, 32);
  sfu_trap(b, sfu(STP_OP_VADD, pair, 5, 2, 2, 0), STP_CAUSE_BAD_OPERAND, 5);
  sfu_trap(b, sfu(STP_OP_VADD, pair, 32, 2, 2, 0), STP_CAUSE_BAD_OPERAND, 32);
  sfu_trap(b, sfu(STP_OP_VPACK, f16, 0, 33, 0, 0), STP_CAUSE_BAD_OPERAND, 33);
  sfu_trap(b, sfu(STP_OP_VSPLAT, STP_FMT_F32, 0, 0, 32, 0), STP_CAUSE_BAD_OPERAND, 32);
  sfu_trap(b, sfu(STP_OP_VADD, pair, 0, 2, 2, 0) | 1ull << 32, STP_CAUSE_BAD_OPERAND, 0);
}

/* 48 sticks fit between SFU and LX-SU: a FIFO, and SFU's own buffer. Posts and halts wait until
 * that is empty. */
static void sfu_out(void **state) {
  bench_t *b = *state;
  const unsigned u = STP_UNIT_SFU1, su = STP_UNIT_LX_SU1;
  for (int64_t n = 48; n < 50; n++) {
    emit(b, u, loop_to(0, n, 1));
    emit(b, u, vmov(STP_V_OUT, STP_V_ZERO));
    emit(b, u, post_to(su, 0));
    emit(b, u, halt());
    stp_core_state_t s = bench_run(b);
    assert_true(s.deadlock && s.leftover_fifo && !s.leftover_token);
    assert_int_equal(stat(b, u, STP_STAT_ITEMS), 16);
    assert_int_equal(stat(b, u, STP_STAT_PAYLOADS), n + 1);
  }
  emit(b, u, loop_to(0, 100, 1));
  emit(b, u, vmov(STP_V_OUT, STP_V_ZERO));
  emit(b, u, post_to(su, 0));
  emit(b, u, halt());
  agen_t h = {.a = 0, .n = {100, 1, 1, 1}, .s = {128}, .lim0 = 1 << 20, .lim1 = 1};
  emit_agen(b, su, &h, STP_OP_ST, 0);
  emit(b, su, wait_from(u, 0));
  emit(b, su, halt());
  stp_core_state_t s = bench_run(b);
  assert_int_equal(s.running | s.trapped, 0);
  /* A trap, too, waits for the sticks before it. */
  for (unsigned n = 0; n < 30; n++) emit(b, u, vmov(STP_V_OUT, STP_V_ZERO));
  emit(b, u, vmov(STP_V_OUT, 40));
  s = bench_run(b);
  assert_true(s.deadlock && s.trapped == 0);
}

/* --- a whole core --- */

/* z := x + y on f16 by corelet 0: all units but PT, with double buffers and tokens. */
static void vector_add(void **state) {
  bench_t *b = *state;
  uint64_t seed = 51;
  const unsigned lu = STP_UNIT_MNI_LU, lx = STP_UNIT_LX_LU0, s = STP_UNIT_SFU0,
                 su = STP_UNIT_LX_SU0, out = STP_UNIT_MNI_SU;
  const int64_t tiles = 16, sticks = 32, bytes = sticks * 128;
  const uint32_t x = 1 << 16, y = 1 << 18, z = 1 << 20;
  for (uint32_t n = 0; n < 1 << 20; n++) b->mem[n] = (uint8_t)rnd(&seed);
  bench_arg(b, lu, 0, x);
  bench_arg(b, lu, 1, y);
  bench_arg(b, out, 2, z);

  /* MNI-LU: tile t of x and y to buffer t mod 2 at 0 or 2 * bytes. */
  emit(b, lu, insn(STP_OP_ARG, 1, 0, 0, 0, 0));
  emit(b, lu, insn(STP_OP_ARG, 2, 0, 0, 0, 1));
  emit(b, lu, cfg(STP_CFG_MNI_N0, bytes));
  unsigned at = emit(b, lu, loop_to(0, tiles, 0));
  emit(b, lu, insn(STP_OP_SLTI, 5, 3, 0, 0, 2));
  emit(b, lu, insn(STP_OP_BNE, 0, 5, 0, 0, at + 4));
  emit(b, lu, wait_from(lx, 0));
  emit(b, lu, insn(STP_OP_ANDI, 4, 3, 0, 0, 1));
  emit(b, lu, insn(STP_OP_MULI, 4, 4, 0, 0, 2 * bytes));
  emit(b, lu, insn(STP_OP_XFER, 1, 1, 4, 0, bytes));
  emit(b, lu, insn(STP_OP_ADDI, 4, 4, 0, 0, bytes));
  emit(b, lu, insn(STP_OP_XFER, 2, 2, 4, 0, bytes));
  emit(b, lu, post_to(lx, 0));
  emit(b, lu, insn(STP_OP_ADDI, 3, 3, 0, 0, 1));
  b->word[lu][at] = loop_to(0, tiles, b->at[lu] - 1);
  emit(b, lu, halt());

  /* LX-LU: pairs of sticks x, y. */
  emit(b, lx, cfg(STP_CFG_LX_N0, 2));
  emit(b, lx, cfg(STP_CFG_LX_S0, bytes));
  emit(b, lx, cfg(STP_CFG_LX_N1, sticks));
  emit(b, lx, cfg(STP_CFG_LX_S1, 128));
  at = emit(b, lx, 0);
  emit(b, lx, wait_from(lu, 0));
  emit(b, lx, insn(STP_OP_LD, 0, 4, 0, 1, 0));
  emit(b, lx, post_to(lu, 0));
  emit(b, lx, insn(STP_OP_XORI, 4, 4, 0, 0, 2 * bytes));
  b->word[lx][at] = loop_to(0, tiles, b->at[lx] - 1);
  emit(b, lx, halt());

  at = emit(b, s, loop_to(0, tiles * sticks, 2));
  emit(b, s, vmov(0, STP_V_X));
  emit(b, s, sfu(STP_OP_VADD, STP_FMT_F16, STP_V_OUT, 0, STP_V_X, 0));
  emit(b, s, halt());

  /* LX-SU to a double buffer at 4 * bytes; MNI-SU from there. */
  emit(b, su, cfg(STP_CFG_LX_N0, sticks));
  emit(b, su, cfg(STP_CFG_LX_S0, 128));
  emit(b, su, li(4, 4 * bytes));
  at = emit(b, su, 0);
  emit(b, su, insn(STP_OP_SLTI, 5, 3, 0, 0, 2));
  emit(b, su, insn(STP_OP_BNE, 0, 5, 0, 0, at + 4));
  emit(b, su, wait_from(out, 0));
  emit(b, su, insn(STP_OP_ST, 0, 4, 0, 0, 0));
  emit(b, su, post_to(out, 0));
  emit(b, su, insn(STP_OP_XORI, 4, 4, 0, 0, bytes));
  emit(b, su, insn(STP_OP_ADDI, 3, 3, 0, 0, 1));
  b->word[su][at] = loop_to(0, tiles, b->at[su] - 1);
  emit(b, su, halt());

  emit(b, out, insn(STP_OP_ARG, 1, 0, 0, 0, 2));
  emit(b, out, cfg(STP_CFG_MNI_N0, bytes));
  emit(b, out, li(4, 4 * bytes));
  at = emit(b, out, 0);
  emit(b, out, wait_from(su, 0));
  emit(b, out, insn(STP_OP_XFER, 1, 1, 4, 0, bytes));
  emit(b, out, post_to(su, 0));
  emit(b, out, insn(STP_OP_XORI, 4, 4, 0, 0, bytes));
  b->word[out][at] = loop_to(0, tiles, b->at[out] - 1);
  emit(b, out, halt());

  const stp_core_state_t st = bench_run(b);
  assert_int_equal(st.trapped | st.running, 0);
  assert_false(st.leftover_fifo);
  for (uint32_t n = 0; n < tiles * bytes; n += 2) {
    const uint32_t want = stp_num_exact()->op(STP_OP_VADD, 0, STP_FMT_F16, 0,
                                              get(b->mem + x + n, 2), get(b->mem + y + n, 2), 0);
    assert_int_equal(get(b->mem + z + n, 2), want);
  }
  assert_int_equal(stat(b, s, STP_STAT_ITEMS), tiles * sticks);
  assert_int_equal(stat(b, s, STP_STAT_PAYLOADS), 2 * tiles * sticks);
}

/* The tap can end a run, which then goes on as if nothing had been. */
static void tap_stops(void **state) {
  bench_t *b = *state;
  seen_t *seen = calloc(1, sizeof *seen);
  assert_non_null(seen);
  seen->unit = STP_UNIT_LX_LU0;
  seen->stop_at = 5;
  agen_t g = {.a = 0, .n = {30, 1, 1, 1}, .s = {128}, .lim0 = 1 << 20, .lim1 = 1};
  emit_agen(b, STP_UNIT_LX_LU0, &g, STP_OP_LD, 1);
  emit(b, STP_UNIT_LX_LU0, halt());
  emit(b, STP_UNIT_SFU0, loop_to(0, 30, 1));
  emit(b, STP_UNIT_SFU0, vmov(0, STP_V_X));
  emit(b, STP_UNIT_SFU0, halt());
  bench_load(b);
  stp_core_set_tap(b->core, on_stick, seen);
  stp_core_start(b->core, b->used);
  stp_core_run(b->core, 1000000);
  assert_true(stp_core_tap_stopped(b->core));
  assert_int_equal(seen->count, 5);
  while (stp_core_run(b->core, 10) != 0) assert_false(stp_core_tap_stopped(b->core));
  assert_int_equal(seen->count, 30);
  stp_core_state_t s;
  stp_core_get_state(b->core, &s);
  assert_true(s.stopped && s.running == 0 && s.trapped == 0 && !s.leftover_fifo);
  free(seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(pt, setup, teardown),
      cmocka_unit_test_setup_teardown(pt_traps, setup, teardown),
      cmocka_unit_test_setup_teardown(pt_beside, setup, teardown),
      cmocka_unit_test_setup_teardown(sfu_all, setup, teardown),
      cmocka_unit_test_setup_teardown(sfu_traps, setup, teardown),
      cmocka_unit_test_setup_teardown(sfu_out, setup, teardown),
      cmocka_unit_test_setup_teardown(vector_add, setup, teardown),
      cmocka_unit_test_setup_teardown(tap_stops, setup, teardown),
  };
  return cmocka_run_group_tests_name("cmodel engines", tests, NULL, NULL);
}
