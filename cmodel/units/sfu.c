/* SFU: one stick, or one pair of sticks, a payload. */
#include <string.h>

#include "units_int.h"

typedef union vec {
  _Alignas(64) uint8_t byte[2 * STP_STICK_BYTES];
  uint16_t h[2 * STP_LANES16];
  uint32_t w[2 * STP_LANES32];
} vec_t;

/* A source. Registers are used in place, the rest is made in *tmp. FIFO sticks are not taken yet.
 */
static const void *source(stp_core_t *c, const stp_unit_t *u, unsigned operand, bool pair,
                          unsigned bytes, vec_t *tmp) {
  if (operand < STP_SFU_REGS) return c->sfu[u->corelet].reg[operand];
  if (operand == STP_V_X) return stp_fifo_front(stp_unit_fifo(c, u, STP_FIFO_LXLU_SFU));
  if (operand == STP_V_P) return stp_fifo_front(stp_unit_fifo(c, u, STP_FIFO_PT_SFU));
  const uint64_t value = operand == STP_V_SA ? u->cur.a : operand == STP_V_SB ? u->cur.b : 0;
  const unsigned n = pair ? 2 * STP_STICK_BYTES : STP_STICK_BYTES;
  if (bytes == 2)
    for (unsigned k = 0; k < n / 2; k++) tmp->h[k] = (uint16_t)value;
  else
    for (unsigned k = 0; k < n / 4; k++) tmp->w[k] = (uint32_t)value;
  return tmp->byte;
}

/* Bytes of a lane of the sources. */
static unsigned source_lane(const stp_insn_t *i) {
  switch (i->op) {
  case STP_OP_VPACK:
    return 4;
  case STP_OP_VUNPACK:
  case STP_OP_VACC:
    return 2;
  default:
    return stp_fmt_bytes(i->format);
  }
}

static void splat(void *out, unsigned bytes, unsigned n, uint32_t value) {
  uint16_t *h = out;
  uint32_t *w = out;
  if (bytes == 2)
    for (unsigned k = 0; k < n; k++) h[k] = (uint16_t)value;
  else
    for (unsigned k = 0; k < n; k++) w[k] = value;
}

static uint32_t lane(const void *stick, unsigned bytes, unsigned n) {
  uint16_t h;
  uint32_t w;
  if (bytes == 2) {
    memcpy(&h, (const uint8_t *)stick + 2 * n, 2);
    return h;
  }
  memcpy(&w, (const uint8_t *)stick + 4 * n, 4);
  return w;
}

static void compute(const stp_core_t *c, const stp_unit_t *u, const void *v[3], void *out) {
  const stp_insn_t *i = u->cur.insn;
  const unsigned bytes = stp_fmt_bytes(i->format);
  const unsigned lanes = bytes == 2 || i->format == STP_FMT_F32P ? STP_LANES16 : STP_LANES32;
  uint32_t *w = out;
  switch (i->op) {
  case STP_OP_VFOLD:
    splat(out, bytes, lanes, c->num->fold(i->function, i->format, lanes, v[0]));
    return;
  case STP_OP_VSPLAT:
    splat(out, bytes, lanes, lane(v[0], bytes, i->vb % lanes));
    return;
  case STP_OP_VLANE:
    for (unsigned k = 0; k < lanes; k++) w[k] = k + (uint32_t)u->cur.a;
    return;
  case STP_OP_VACC:
    c->num->row(i->op, 0, i->format, i->source, lanes, v[0], NULL, c->sfu[u->corelet].reg[i->vd],
                out);
    return;
  default:
    c->num->row(i->op, i->function, i->format, i->source, lanes, v[0], v[1], v[2], out);
    return;
  }
}

stp_step_t stp_sfu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  (void)work;
  (void)budget;
  const stp_insn_t *i = u->cur.insn;
  stp_fifo_t *x = stp_unit_fifo(c, u, STP_FIFO_LXLU_SFU), *p = stp_unit_fifo(c, u, STP_FIFO_PT_SFU);
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_SFU_LXSU);
  const unsigned sources = i->sources;
  const unsigned operand[3] = {i->va, i->vb, i->vc};
  bool use_x = false, use_p = false;
  for (unsigned n = 0; n < sources; n++) {
    use_x |= operand[n] == STP_V_X;
    use_p |= operand[n] == STP_V_P;
  }
  if ((use_x && x->count == 0) || (use_p && p->count == 0)) return STP_STEP_BLOCKED;
  const bool to_out = i->vd == STP_V_OUT || i->tee;
  if (to_out && stp_fifo_full(f)) return STP_STEP_BLOCKED;

  const bool pair = i->format == STP_FMT_F32P;
  const bool pair_source = i->op == STP_OP_VPACK || (pair && source_lane(i) == 4);
  const unsigned bytes = source_lane(i);
  vec_t tmp[3], result;
  const void *v[3] = {NULL, NULL, NULL};
  for (unsigned n = 0; n < sources; n++)
    v[n] = source(c, u, operand[n], pair_source, bytes, &tmp[n]);
  compute(c, u, v, result.byte);
  if (use_x) stp_fifo_pop(x);
  if (use_p) stp_fifo_pop(p);
  if (i->vd < STP_SFU_REGS)
    memcpy(c->sfu[u->corelet].reg[i->vd], result.byte,
           pair ? 2 * STP_STICK_BYTES : STP_STICK_BYTES);
  if (to_out) {
    memcpy(stp_fifo_back(f), result.byte, STP_STICK_BYTES);
    stp_fifo_push(c, u, f, u->cur.pc, 0);
  }
  return STP_STEP_DONE;
}
