/* SFU: one stick, or one pair of sticks, an instruction. Results that go to LX-SU wait in a buffer
 * where the FIFO is full, and the unit goes on. */
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

/* Operations on raw bits, whatever the format. */
static bool bits(unsigned op, unsigned n, const void *a, const void *b, void *out) {
  if (op == STP_OP_VMOV) {
    memcpy(out, a, n);
    return true;
  }
  if (op < STP_OP_VAND || op > STP_OP_VNOT) return false;
  for (unsigned k = 0; k < n; k += 8) {
    uint64_t x, y;
    memcpy(&x, (const uint8_t *)a + k, 8);
    memcpy(&y, (const uint8_t *)b + k, 8);
    const uint64_t r = op == STP_OP_VAND   ? x & y
                       : op == STP_OP_VOR  ? x | y
                       : op == STP_OP_VXOR ? x ^ y
                                           : ~x;
    memcpy((uint8_t *)out + k, &r, 8);
  }
  return true;
}

static void compute(const stp_core_t *c, const stp_unit_t *u, const void *v[3], void *out) {
  const stp_insn_t *i = u->cur.insn;
  const unsigned bytes = stp_fmt_bytes(i->format);
  const unsigned lanes = bytes == 2 || i->format == STP_FMT_F32P ? STP_LANES16 : STP_LANES32;
  uint32_t *w = out;
  if (bits(i->op, lanes * bytes, v[0], v[1], out)) return;
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

/* What posts wait for. */
enum { INSNS, OUTS };

static uint64_t flush(stp_core_t *c, stp_unit_t *u, stp_sfu_t *sfu) {
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_SFU_LXSU);
  uint64_t work = 0;
  while (sfu->outs != 0 && !stp_fifo_full(f) && !c->tap_stop) {
    memcpy(stp_fifo_back(f), sfu->out[sfu->out_head], STP_STICK_BYTES);
    stp_fifo_push(c, u, f, sfu->out_pc[sfu->out_head], 0);
    sfu->out_head = (sfu->out_head + 1) % STP_SFU_OUT;
    sfu->outs--;
    sfu->done[OUTS]++;
    work++;
  }
  return work;
}

static void send(stp_core_t *c, stp_unit_t *u, stp_sfu_t *sfu, const uint8_t *stick) {
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_SFU_LXSU);
  if (sfu->outs == 0 && !stp_fifo_full(f)) {
    memcpy(stp_fifo_back(f), stick, STP_STICK_BYTES);
    stp_fifo_push(c, u, f, u->cur.pc, 0);
    sfu->done[OUTS]++;
  } else {
    const unsigned at = (sfu->out_head + sfu->outs++) % STP_SFU_OUT;
    memcpy(sfu->out[at], stick, STP_STICK_BYTES);
    sfu->out_pc[at] = u->cur.pc;
  }
}

static bool to_out(const stp_insn_t *i) {
  return i->vd == STP_V_OUT || i->tee != 0;
}

/* Does the instruction in hand, if all that it needs is there. */
static uint64_t issue(stp_core_t *c, stp_unit_t *u, stp_sfu_t *sfu) {
  const stp_insn_t *i = u->cur.insn;
  stp_fifo_t *x = stp_unit_fifo(c, u, STP_FIFO_LXLU_SFU), *p = stp_unit_fifo(c, u, STP_FIFO_PT_SFU);
  const unsigned operand[3] = {i->va, i->vb, i->vc};
  bool use_x = false, use_p = false;
  for (unsigned n = 0; n < 3 && n < i->sources; n++) {
    use_x |= operand[n] == STP_V_X;
    use_p |= operand[n] == STP_V_P;
  }
  if ((use_x && x->count == 0) || (use_p && p->count == 0)) return 0;
  if (to_out(i) && sfu->outs == STP_SFU_OUT) return 0;

  const bool pair = i->format == STP_FMT_F32P;
  const unsigned bytes = source_lane(i);
  const bool pair_source = i->op == STP_OP_VPACK || (pair && bytes == 4);
  static const vec_t none;
  vec_t tmp[3], result;
  const void *v[3] = {none.byte, none.byte, none.byte};
  for (unsigned n = 0; n < 3 && n < i->sources; n++)
    v[n] = source(c, u, operand[n], pair_source, bytes, &tmp[n]);
  compute(c, u, v, result.byte);
  if (use_x) stp_fifo_pop(x);
  if (use_p) stp_fifo_pop(p);
  if (i->vd < STP_SFU_REGS)
    memcpy(sfu->reg[i->vd], result.byte, pair ? 2 * STP_STICK_BYTES : STP_STICK_BYTES);
  if (to_out(i)) send(c, u, sfu, result.byte);
  sfu->done[INSNS]++;
  u->active = false;
  return 1;
}

/* Takes the oldest payload, if it may. */
static uint64_t take(stp_unit_t *u, stp_sfu_t *sfu) {
  if (u->queued == 0 || u->bad) return 0;
  const stp_insn_t *i = u->queue[0].insn;
  if (i->op == STP_OP_POST) return stp_posts_push(u, sfu->begun);
  if (i->cause != STP_CAUSE_NONE) {
    u->bad = true;
    u->bad_payload = stp_take(u);
    return 1;
  }
  if (u->active) return 0;
  u->active = true;
  u->cur = stp_take(u);
  sfu->begun[INSNS]++;
  sfu->begun[OUTS] += to_out(i);
  return 1;
}

static bool at_rest(const stp_unit_t *u, const stp_sfu_t *sfu) {
  return !u->active && sfu->outs == 0 && u->posts.count == 0;
}

uint64_t stp_sfu_run(stp_core_t *c, stp_unit_t *u, uint64_t budget) {
  stp_sfu_t *sfu = &c->sfu[u->corelet];
  uint64_t work = 0;
  while (work < budget && !c->tap_stop) {
    const uint64_t before = work;
    if (sfu->outs != 0) work += flush(c, u, sfu);
    if (u->active) work += issue(c, u, sfu);
    if (u->posts.count != 0) work += stp_posts_fire(c, u, sfu->done);
    work += take(u, sfu);
    if (u->bad && at_rest(u, sfu)) {
      const stp_insn_t *i = u->bad_payload.insn;
      stp_unit_trap(u, i->cause, i->trap_addr, u->bad_payload.pc);
      return work + 1;
    }
    if (work == before) break;
  }
  return work;
}

bool stp_sfu_idle(const stp_core_t *c, const stp_unit_t *u) {
  return at_rest(u, &c->sfu[u->corelet]) && !u->bad;
}

void stp_sfu_clear(stp_core_t *c, stp_unit_t *u) {
  stp_sfu_t *sfu = &c->sfu[u->corelet];
  sfu->outs = sfu->out_head = 0;
  memset(sfu->begun, 0, sizeof sfu->begun);
  memset(sfu->done, 0, sizeof sfu->done);
}
