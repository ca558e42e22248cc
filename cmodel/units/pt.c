/* PT: weight banks, multiplication of rows, and the accumulator file. */
#include <string.h>

#include "units_int.h"

static stp_step_t bad_operand(stp_pt_t *pt, stp_unit_t *u, uint64_t value) {
  if (pt->draining) return STP_STEP_BLOCKED; /* an earlier drain has its effects first */
  stp_unit_trap(u, STP_CAUSE_BAD_OPERAND, value, u->cur.pc);
  return STP_STEP_TRAP;
}

uint64_t stp_pt_drain(stp_core_t *c, stp_unit_t *u) {
  stp_pt_t *pt = &c->pt[u->corelet];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_PT_SFU);
  uint64_t work = 0;
  while (pt->drain_stick != pt->drain_end && !stp_fifo_full(f) && !c->tap_stop) {
    const uint32_t *row = pt->acc[pt->drain_half][pt->drain_stick >> 1];
    memcpy(stp_fifo_back(f), row + (pt->drain_stick & 1) * STP_LANES32, STP_STICK_BYTES);
    stp_fifo_push(c, u, f, pt->drain_pc, 0);
    pt->drain_stick++;
    work++;
  }
  pt->draining = pt->drain_stick != pt->drain_end;
  return work;
}

static stp_step_t wload(stp_core_t *c, stp_unit_t *u, uint64_t *work) {
  stp_pt_t *pt = &c->pt[u->corelet];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_LXLU_PT);
  const unsigned aux = u->cur.insn->aux, bank = aux & 1, end = (aux >> 2 & 0xf) * STP_PT_ROWS;
  pt->wide_format[bank] = -1;
  while (u->i[0] != end) {
    if (f->count == 0) return STP_STEP_BLOCKED;
    memcpy(pt->weight[bank][u->i[0]++], stp_fifo_front(f), STP_STICK_BYTES);
    stp_fifo_pop(f);
    ++*work;
  }
  return STP_STEP_DONE;
}

static void widen_bank(stp_core_t *c, stp_pt_t *pt, unsigned bank, unsigned format) {
  if (pt->wide_format[bank] == (int)format) return;
  c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, format, STP_PT_BLOCKS * STP_PT_ROWS * STP_LANES16,
              pt->weight[bank], NULL, NULL, pt->wide[bank]);
  pt->wide_format[bank] = (int)format;
}

/* The rows b .. b + a - 1 of mm, aload and drain. */
static bool rows_ok(const stp_unit_t *u, uint64_t *bad) {
  *bad = u->cur.a > STP_PT_ACC_ROWS ? u->cur.a : u->cur.b;
  return u->cur.a <= STP_PT_ACC_ROWS && u->cur.b <= STP_PT_ACC_ROWS - u->cur.a;
}

static stp_step_t mm(stp_core_t *c, stp_unit_t *u, uint64_t *work) {
  stp_pt_t *pt = &c->pt[u->corelet];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_LXLU_PT);
  const unsigned aux = u->cur.insn->aux, bank = aux & 1, half = aux >> 1 & 1, nblk = aux >> 2 & 0xf;
  const unsigned format = aux >> 7;
  _Alignas(64) uint32_t a[STP_LANES16];
  widen_bank(c, pt, bank, format);
  while (u->i[0] != u->cur.a) {
    if (f->count == 0) return STP_STEP_BLOCKED;
    uint32_t *acc = pt->acc[half][u->cur.b + u->i[0]++];
    c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, format, nblk * STP_PT_ROWS, stp_fifo_front(f),
                NULL, NULL, a);
    stp_fifo_pop(f);
    if ((aux >> 6 & 1) != 0) memset(acc, 0, sizeof pt->acc[half][0]);
    c->num->pt_row(nblk, a, pt->wide[bank], acc);
    u->count[STP_STAT_MACS] += (uint64_t)nblk * STP_PT_ROWS * STP_LANES16;
    *work += nblk;
  }
  return STP_STEP_DONE;
}

static stp_step_t aload(stp_core_t *c, stp_unit_t *u, uint64_t *work) {
  stp_pt_t *pt = &c->pt[u->corelet];
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_LXLU_PT);
  const unsigned aux = u->cur.insn->aux, half = aux >> 1 & 1, format = aux >> 7;
  const unsigned per_row = format == STP_FMT_F32 ? 2 : 1;
  while (u->i[0] != u->cur.a * per_row) {
    if (f->count == 0) return STP_STEP_BLOCKED;
    uint32_t *acc = pt->acc[half][u->cur.b + u->i[0] / per_row];
    if (format == STP_FMT_F32)
      memcpy(acc + u->i[0] % 2 * STP_LANES32, stp_fifo_front(f), STP_STICK_BYTES);
    else
      c->num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, format, STP_LANES16, stp_fifo_front(f), NULL,
                  NULL, acc);
    stp_fifo_pop(f);
    u->i[0]++;
    ++*work;
  }
  return STP_STEP_DONE;
}

static stp_step_t drain(stp_core_t *c, stp_unit_t *u) {
  stp_pt_t *pt = &c->pt[u->corelet];
  if (pt->draining) return STP_STEP_BLOCKED;
  pt->draining = u->cur.a != 0;
  pt->drain_half = u->cur.insn->aux >> 1 & 1;
  pt->drain_stick = (uint16_t)(2 * u->cur.b);
  pt->drain_end = (uint16_t)(2 * (u->cur.b + u->cur.a));
  pt->drain_pc = u->cur.pc;
  return STP_STEP_DONE;
}

stp_step_t stp_pt_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  (void)budget; /* a payload takes at most 512 steps */
  stp_pt_t *pt = &c->pt[u->corelet];
  const unsigned op = u->cur.insn->op;
  uint64_t bad;
  if (op == STP_OP_WLOAD) return wload(c, u, work);
  if (u->fresh && !rows_ok(u, &bad)) return bad_operand(pt, u, bad);
  if (op == STP_OP_DRAIN) return drain(c, u);
  /* A half that drains is not written. */
  if (pt->draining && pt->drain_half == (u->cur.insn->aux >> 1 & 1)) return STP_STEP_BLOCKED;
  return op == STP_OP_MM ? mm(c, u, work) : aload(c, u, work);
}
