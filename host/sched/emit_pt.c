/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PT: products and drains. Weight banks alternate from product to product, so that the next weights
 * load while the last rows multiply; accumulator halves alternate from chain to chain, so that one
 * drains while the other fills. The machine interlocks both, so a repeated bank or half costs time
 * and nothing else.
 */
#include "emit.h"

static void multiply(stp_emit_t *e, const stp_matmul_t *m) {
  int64_t rows = stp_part_rows(m->m, e->corelet).count, full = STP_PT_ROWS * STP_PT_BLOCKS;
  bool fresh = !m->chain || e->first[m->chain->id];
  if (fresh) {
    e->matmul_half[m->id] = e->half;
    e->half ^= 1;
  }
  unsigned half = e->matmul_half[m->id];
  stp_lin_t rows_lin = stp_lin_const(rows);
  for (int64_t k = 0; k < m->k; k += full) {
    int64_t left = m->k - k;
    unsigned chunks = (unsigned)(((left < full ? left : full) + STP_PT_ROWS - 1) / STP_PT_ROWS);
    for (int64_t n = 0; n < m->w->granules; n++) {
      stp_lin_t first = stp_lin_const(n * rows);
      unsigned bank = e->bank;
      e->bank ^= 1;
      stp_asm_op(e->as, STP_OP_WLOAD, 0, 0, 0, bank | chunks << 2, 0);
      unsigned a = stp_emit_reg(e, &rows_lin), b = stp_emit_reg(e, &first);
      unsigned aux = bank | half << 1 | chunks << 2 | (fresh && k == 0 ? 1u << 6 : 0) | m->fmt << 7;
      stp_asm_op(e->as, STP_OP_MM, 0, a, b, aux, 0);
      stp_emit_done(e);
    }
  }
}

/* LX-LU sends sticks that are zeros throughout. */
static void clear(stp_emit_t *e, const stp_matmul_t *m) {
  stp_lin_t rows = stp_lin_const(stp_part_rows(m->m, e->corelet).count * m->w->granules);
  unsigned a = stp_emit_reg(e, &rows);
  stp_asm_op(e->as, STP_OP_ALOAD, 0, a, 0, e->matmul_half[m->id] << 1 | STP_FMT_F16 << 7, 0);
  stp_emit_done(e);
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
  stp_lin_t rows = stp_lin_const(stp_part_rows(m->m, e->corelet).count * m->w->granules);
  unsigned a = stp_emit_reg(e, &rows);
  stp_asm_op(e->as, STP_OP_DRAIN, 0, a, 0, e->matmul_half[m->id] << 1, 0);
  stp_emit_done(e);
}
