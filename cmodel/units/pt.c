/* PT: three processes side by side, as in the RTL. The loader takes wload, mm and aload in order
 * and their sticks from the FIFO; rows of an mm collect in groups of up to eight, which are
 * multiplied as soon as earlier drains of their half are over; drains send accumulator rows when
 * earlier writes of their half are over. */
#include <string.h>

#include "units_int.h"

static stp_pt_t *pt_of(stp_core_t *c, const stp_unit_t *u) {
  return &c->pt[u->corelet];
}

static uint64_t drain(stp_core_t *c, stp_unit_t *u, stp_pt_t *pt) {
  const stp_pt_send_t *s = &pt->send[0];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_PT_SFU);
  uint64_t work = 0;
  if (pt->sends == 0 || pt->done[STP_PT_WRITES + s->half] < s->writes) return 0;
  while (pt->sent != 2u * s->rows && !stp_fifo_full(f) && !c->tap_stop) {
    const uint32_t *row = pt->acc[s->half][s->row + pt->sent / 2];
    memcpy(stp_fifo_back(f), row + pt->sent % 2 * STP_LANES32, STP_STICK_BYTES);
    stp_fifo_push(c, u, f, s->pc, 0);
    pt->sent++;
    work++;
  }
  if (pt->sent == 2u * s->rows) {
    pt->done[STP_PT_SENDS + s->half]++;
    pt->send[0] = pt->send[1];
    pt->sends--;
    pt->sent = 0;
    work++;
  }
  return work;
}

/* Whether every drain that a write of this half must wait for is over. */
static bool drained(const stp_pt_t *pt, unsigned half, uint64_t drains) {
  return pt->done[STP_PT_SENDS + half] >= drains;
}

static void widen_bank(stp_core_t *c, stp_pt_t *pt, unsigned bank, unsigned format) {
  if (pt->wide_format[bank] == (int)format) return;
  c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, format, STP_PT_BLOCKS * STP_PT_ROWS * STP_LANES16,
              pt->weight[bank], NULL, NULL, pt->wide[bank]);
  pt->wide_format[bank] = (int)format;
}

/* Multiplies the oldest group. */
static uint64_t walk(stp_core_t *c, stp_unit_t *u, stp_pt_t *pt) {
  const stp_pt_group_t *g = &pt->group[pt->walk];
  _Alignas(64) uint32_t a[STP_LANES16];
  if (pt->held == 0 || !drained(pt, g->half, g->drains)) return 0;
  widen_bank(c, pt, g->bank, g->format);
  for (unsigned r = 0; r < g->rows; r++) {
    uint32_t *acc = pt->acc[g->half][g->row + r];
    c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, g->format, g->nblk * STP_PT_ROWS, g->stick[r],
                NULL, NULL, a);
    if (g->zero) memset(acc, 0, sizeof pt->acc[0][0]);
    c->num->pt_row(g->nblk, a, pt->wide[g->bank], acc);
  }
  const uint64_t steps = (uint64_t)g->rows * g->nblk;
  u->count[STP_STAT_MACS] += steps * STP_PT_ROWS * STP_LANES16;
  if (g->last) pt->done[STP_PT_WRITES + g->half]++;
  pt->walk = (pt->walk + 1) % STP_PT_GROUPS;
  pt->held--;
  return steps;
}

/* Whether a group that waits uses the bank, or writes the half, of a load. */
static bool group_in_way(const stp_pt_t *pt, const stp_pt_load_t *l) {
  for (unsigned n = 0; n < pt->held; n++) {
    const stp_pt_group_t *g = &pt->group[(pt->walk + n) % STP_PT_GROUPS];
    if (l->op == STP_OP_WLOAD ? g->bank == l->bank : g->half == l->half) return true;
  }
  return false;
}

static void load_weight(stp_pt_t *pt, const stp_pt_load_t *l, const uint8_t *stick) {
  memcpy(pt->weight[l->bank][pt->at], stick, STP_STICK_BYTES);
  pt->wide_format[l->bank] = -1;
}

static void load_start(stp_core_t *c, stp_pt_t *pt, const stp_pt_load_t *l, const uint8_t *stick) {
  if (l->format == STP_FMT_F32) {
    uint32_t *acc = pt->acc[l->half][l->row + pt->at / 2];
    memcpy(acc + pt->at % 2 * STP_LANES32, stick, STP_STICK_BYTES);
  } else {
    c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, l->format, STP_LANES16, stick, NULL, NULL,
                pt->acc[l->half][l->row + pt->at]);
  }
}

/* The row sticks of an mm: rows at % 8 of the group that is being filled. */
static void load_row(stp_pt_t *pt, const stp_pt_load_t *l, const uint8_t *stick) {
  stp_pt_group_t *g = &pt->group[(pt->walk + pt->held) % STP_PT_GROUPS];
  const unsigned r = pt->at % STP_PT_ROWS;
  memcpy(g->stick[r], stick, STP_STICK_BYTES);
  const bool last = pt->at + 1u == l->rows;
  if (!last && r != STP_PT_ROWS - 1) return;
  g->rows = (uint8_t)(r + 1);
  g->bank = l->bank;
  g->half = l->half;
  g->nblk = l->nblk;
  g->zero = l->zero;
  g->format = l->format;
  g->row = (uint8_t)(l->row + pt->at - r);
  g->last = last;
  g->drains = l->drains;
  pt->held++;
}

/* The sticks of the load in hand, as far as they are there and have a place. */
static uint64_t load(stp_core_t *c, stp_unit_t *u, stp_pt_t *pt) {
  const stp_pt_load_t *l = &pt->load[0];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_LXLU_PT);
  uint64_t work = 0;
  unsigned end = 0;
  if (pt->loads == 0) return 0;
  switch (l->op) {
  case STP_OP_WLOAD:
    if (group_in_way(pt, l)) return 0;
    end = l->nblk * STP_PT_ROWS;
    break;
  case STP_OP_ALOAD:
    if (group_in_way(pt, l) || !drained(pt, l->half, l->drains)) return 0;
    end = l->format == STP_FMT_F32 ? 2u * l->rows : l->rows;
    break;
  default:
    end = l->rows;
    break;
  }
  while (pt->at != end && f->count != 0) {
    const uint8_t *stick = stp_fifo_front(f);
    if (l->op == STP_OP_MM) {
      if (pt->held == STP_PT_GROUPS) break;
      load_row(pt, l, stick);
    } else if (l->op == STP_OP_WLOAD) {
      load_weight(pt, l, stick);
    } else {
      load_start(c, pt, l, stick);
    }
    stp_fifo_pop(f);
    pt->at++;
    work++;
  }
  if (pt->at == end) {
    if (l->op == STP_OP_WLOAD) pt->done[STP_PT_WLOADS]++;
    if (l->op == STP_OP_ALOAD) pt->done[STP_PT_WRITES + l->half]++;
    pt->at = 0;
    pt->loads--;
    memmove(&pt->load[0], &pt->load[1], pt->loads * sizeof pt->load[0]);
    work++;
  }
  return work;
}

/* The value that makes the operands of mm, aload or drain bad. */
static bool bad_operand(const stp_payload_t *p, uint64_t *value) {
  if (p->insn->cause != STP_CAUSE_NONE) {
    *value = p->insn->trap_addr;
    return true;
  }
  if (p->insn->op == STP_OP_WLOAD) return false;
  *value = p->a > STP_PT_ACC_ROWS ? p->a : p->b;
  return p->a > STP_PT_ACC_ROWS || p->b > STP_PT_ACC_ROWS - p->a;
}

/* Hands the oldest payload on. */
static uint64_t dispatch(stp_unit_t *u, stp_pt_t *pt) {
  if (u->queued == 0 || u->bad) return 0;
  const stp_payload_t *p = &u->queue[0];
  const unsigned op = p->insn->op, aux = p->insn->aux, half = aux >> 1 & 1;
  uint64_t bad;
  if (op == STP_OP_POST) return stp_posts_push(u, pt->begun);
  if (bad_operand(p, &bad)) {
    u->bad = true;
    u->bad_payload = stp_take(u);
    return 1;
  }
  if (op != STP_OP_WLOAD && p->a == 0) {
    stp_take(u);
    return 1;
  }
  if (op == STP_OP_DRAIN) {
    if (pt->sends == STP_PT_DRAINS) return 0;
    pt->send[pt->sends++] = (stp_pt_send_t){.half = (uint8_t)half,
                                            .row = (uint8_t)p->b,
                                            .rows = (uint8_t)p->a,
                                            .pc = p->pc,
                                            .writes = pt->begun[STP_PT_WRITES + half]};
    pt->begun[STP_PT_SENDS + half]++;
  } else {
    if (pt->loads == STP_PT_LOADS) return 0;
    pt->load[pt->loads++] = (stp_pt_load_t){.op = (uint8_t)op,
                                            .bank = aux & 1,
                                            .half = (uint8_t)half,
                                            .nblk = aux >> 2 & 0xf,
                                            .zero = aux >> 6 & 1,
                                            .format = (uint8_t)(aux >> 7),
                                            .rows = (uint8_t)p->a,
                                            .row = (uint8_t)p->b,
                                            .drains = pt->begun[STP_PT_SENDS + half]};
    pt->begun[op == STP_OP_WLOAD ? STP_PT_WLOADS : STP_PT_WRITES + half]++;
  }
  stp_take(u);
  return 1;
}

static bool at_rest(const stp_unit_t *u, const stp_pt_t *pt) {
  return pt->loads == 0 && pt->held == 0 && pt->sends == 0 && u->posts.count == 0;
}

uint64_t stp_pt_run(stp_core_t *c, stp_unit_t *u, uint64_t budget) {
  stp_pt_t *pt = pt_of(c, u);
  uint64_t work = 0;
  while (work < budget && !c->tap_stop) {
    const uint64_t before = work;
    work += drain(c, u, pt);
    work += walk(c, u, pt);
    work += load(c, u, pt);
    work += stp_posts_fire(c, u, pt->done);
    work += dispatch(u, pt);
    if (u->bad && at_rest(u, pt)) {
      uint64_t value = 0;
      bad_operand(&u->bad_payload, &value);
      stp_unit_trap(u, STP_CAUSE_BAD_OPERAND, value, u->bad_payload.pc);
      return work + 1;
    }
    if (work == before) break;
  }
  return work;
}

bool stp_pt_idle(const stp_core_t *c, const stp_unit_t *u) {
  return at_rest(u, &c->pt[u->corelet]) && !u->bad;
}

void stp_pt_clear(stp_core_t *c, stp_unit_t *u) {
  stp_pt_t *pt = pt_of(c, u);
  pt->loads = pt->at = pt->held = pt->walk = pt->sends = pt->sent = 0;
  memset(pt->begun, 0, sizeof pt->begun);
  memset(pt->done, 0, sizeof pt->done);
  pt->wide_format[0] = pt->wide_format[1] = -1;
}
