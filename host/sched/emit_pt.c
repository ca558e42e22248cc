/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PT: products and drains. Weight banks alternate from product to product, so that the next weights
 * load while the last rows multiply; accumulator halves alternate from chain to chain, so that one
 * drains while the other fills. The machine interlocks both, so a repeated bank or half costs time
 * and nothing else.
 */
#include "emit.h"

enum { FULL = STP_PT_ROWS * STP_PT_BLOCKS };

bool stp_emit_starts(const stp_emit_t *e, const stp_matmul_t *m) {
  return !m->acc && (!m->chain || e->first[m->chain->id]);
}

bool stp_emit_loads_start(const stp_emit_t *e, const stp_matmul_t *m) {
  if (!m->start || !stp_emit_starts(e, m)) return false;
  return !m->start->carried || !e->first[m->start->carried->id];
}

/* Start values of all accumulator rows. */
static void load_start(stp_emit_t *e, const stp_matmul_t *m, unsigned half) {
  unsigned fmt = m->start->elem == STP_ELEM_F16 ? 0 : m->start->elem == STP_ELEM_BF16 ? 1 : 2;
  stp_lin_t rows = stp_lin_const(stp_matmul_rows(m, e->corelet).count *
                                 stp_matmul_granules(m, e->corelet).count),
            first = stp_lin_const(m->base[half]);
  unsigned a = stp_emit_reg(e, &rows), b = stp_emit_reg(e, &first);
  stp_asm_op(e->as, STP_OP_ALOAD, 0, a, b, half << 1 | fmt << 7, 0);
  stp_emit_done(e);
}

/* The half and the first row of a product's accumulators. Halves alternate where both have room. */
static unsigned choose_half(stp_emit_t *e, const stp_matmul_t *m) {
  unsigned half = e->half;
  if (m->base[half] < 0) half ^= 1;
  e->half = half ^ 1;
  return half;
}

/* One panel of k: for every column block its weights, then all rows. */
static void panel(stp_emit_t *e, const stp_matmul_t *m, unsigned half, int64_t k, bool zero) {
  int64_t rows = stp_matmul_rows(m, e->corelet).count,
          granules = stp_matmul_granules(m, e->corelet).count;
  unsigned chunks = (unsigned)((k + STP_PT_ROWS - 1) / STP_PT_ROWS);
  stp_lin_t rows_lin = stp_lin_const(rows);
  for (int64_t n = 0; n < granules; n++) {
    stp_lin_t first = stp_lin_const(m->base[half] + n * rows);
    unsigned bank = e->bank;
    e->bank ^= 1;
    stp_asm_op(e->as, STP_OP_WLOAD, 0, 0, 0, bank | chunks << 2, 0);
    unsigned a = stp_emit_reg(e, &rows_lin), b = stp_emit_reg(e, &first);
    unsigned aux = bank | half << 1 | chunks << 2 | (zero ? 1u << 6 : 0) | m->fmt << 7;
    stp_asm_op(e->as, STP_OP_MM, 0, a, b, aux, 0);
    stp_emit_done(e);
  }
}

/* LX-LU sends sticks that are zeros throughout. */
static void clear(stp_emit_t *e, const stp_matmul_t *m) {
  unsigned half = e->matmul_half[m->id];
  stp_lin_t rows = stp_lin_const(stp_matmul_rows(m, e->corelet).count *
                                 stp_matmul_granules(m, e->corelet).count),
            first = stp_lin_const(m->base[half]);
  unsigned a = stp_emit_reg(e, &rows), b = stp_emit_reg(e, &first);
  stp_asm_op(e->as, STP_OP_ALOAD, 0, a, b, half << 1 | STP_FMT_F16 << 7, 0);
  stp_emit_done(e);
}

static void multiply(stp_emit_t *e, const stp_matmul_t *m) {
  const stp_matmul_t *acc = m->acc ? m->acc : m;
  bool fresh = stp_emit_starts(e, m);
  if (fresh) e->matmul_half[m->id] = choose_half(e, m);
  unsigned half = e->matmul_half[acc->id];
  if (stp_emit_loads_start(e, m)) {
    load_start(e, m, half);
    fresh = false;
  }
  int64_t panels = m->k / FULL, rest = m->k % FULL;
  if (fresh && panels) {
    panel(e, m, half, FULL, true);
    panels--;
    fresh = false;
  }
  /* Banks alternate, so the code of a turn holds an even number of column blocks. */
  int64_t granules = stp_matmul_granules(m, e->corelet).count, unroll = granules % 2 ? 2 : 1;
  if (panels > 2 * unroll) {
    int loop = stp_emit_loop(e, panels / unroll);
    for (int64_t i = 0; i < unroll; i++) panel(e, m, half, FULL, false);
    stp_emit_loop_end(e, loop);
    panels %= unroll;
  }
  for (int64_t i = 0; i < panels; i++) panel(e, m, half, FULL, false);
  if (rest) panel(e, m, half, rest, fresh);
}

void stp_emit_pt(stp_emit_t *e, const stp_step_t *s) {
  if (s->kind == STP_STEP_MATMUL) {
    multiply(e, s->matmul);
    return;
  }
  if (s->kind == STP_STEP_CLEAR) {
    clear(e, s->matmul);
    return;
  }
  const stp_matmul_t *m = s->pass->matmul;
  unsigned half = e->matmul_half[m->id];
  stp_lin_t rows = stp_lin_const(stp_matmul_rows(m, e->corelet).count *
                                 stp_matmul_granules(m, e->corelet).count),
            first = stp_lin_const(m->base[half]);
  unsigned a = stp_emit_reg(e, &rows), b = stp_emit_reg(e, &first);
  stp_asm_op(e->as, STP_OP_DRAIN, 0, a, b, half << 1, 0);
  stp_emit_done(e);
}
