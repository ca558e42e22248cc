/* SPDX-License-Identifier: Apache-2.0 */
/* SFU: the code of passes, repeated. */
#include <stdlib.h>

#include "emit.h"
#include "vbody.h"

static unsigned operand(const stp_vsrc_t *s, unsigned splat_code) {
  switch ((stp_vsrc_kind_t)s->kind) {
  case STP_VSRC_REG:
    return (unsigned)s->reg + s->high;
  case STP_VSRC_X:
    return STP_V_X;
  case STP_VSRC_P:
    return STP_V_P;
  case STP_VSRC_SPLAT:
    return splat_code;
  case STP_VSRC_MASK:
    return STP_VMASK_REG;
  default:
    return STP_V_ZERO;
  }
}

static void emit_inst(stp_emit_t *e, const stp_vinst_t *i) {
  unsigned v[3] = {0, 0, 0}, scalar[2] = {0, 0}, dst;
  uint32_t bits[2] = {0, 0};
  int splats = 0;
  for (int s = 0; s < i->num_srcs; s++) {
    unsigned code = STP_V_SA;
    if (i->src[s].kind == STP_VSRC_SPLAT) {
      int k = 0;
      while (k < splats && bits[k] != i->src[s].bits) k++;
      if (k == 2) {
        stp_plan_error(e->plan, e->plan->func->loc,
                       "function '%s' has an operation on three different constants, which "
                       "the scheduler does not support yet",
                       e->plan->func->name);
        e->failed = true;
        return;
      }
      if (k == splats) {
        stp_lin_t c = stp_lin_const((int32_t)i->src[s].bits);
        bits[splats] = i->src[s].bits;
        scalar[splats++] = stp_emit_reg(e, &c);
      }
      code = k ? STP_V_SB : STP_V_SA;
    }
    v[s] = operand(&i->src[s], code);
  }
  bool high = i->op == STP_OP_VMOV && i->fn == 1;
  dst = i->dst < 0 ? STP_V_OUT : (unsigned)i->dst + high;
  stp_asm_sfu(e->as, i->op, i->fmt, dst, v[0], v[1], v[2], high ? 0 : i->fn, i->src_fmt, i->tee,
              scalar[0], scalar[1]);
  stp_emit_done(e);
}

static void emit_body(stp_emit_t *e, const stp_vbody_t *v) {
  for (int p = 0, n = 0; p < v->num_parts && !e->failed; p++) {
    int loop = stp_emit_loop(e, v->parts[p].times);
    for (; n < v->parts[p].insts && !e->failed; n++) emit_inst(e, &v->insts[n]);
    stp_emit_loop_end(e, loop);
  }
}

/* Constants into registers before the loop. */
static void hoist(stp_emit_t *e, const stp_vbody_t *v) {
  for (int i = 0; i < v->num_insts; i++) {
    for (int s = 0; s < v->insts[i].num_srcs; s++) {
      if (v->insts[i].src[s].kind != STP_VSRC_SPLAT) continue;
      stp_lin_t c = stp_lin_const((int32_t)v->insts[i].src[s].bits);
      stp_emit_reg(e, &c);
      stp_emit_done(e);
    }
  }
}

static void repeat(stp_emit_t *e, const stp_vbody_t *v, int64_t count) {
  hoist(e, v);
  int loop = stp_emit_loop(e, count);
  emit_body(e, v);
  stp_emit_loop_end(e, loop);
}

static void emit_mask(stp_emit_t *e, int tail);

void stp_emit_sfu(stp_emit_t *e, const stp_step_t *s) {
  const stp_pass_t *pass = s->pass;
  stp_vbody_t *v = malloc(sizeof *v);
  unsigned absent = 0;
  for (int i = 0; i < pass->num_streams; i++) {
    const stp_loop_t *loop = pass->streams[i].buf->carried;
    if (loop && e->first[loop->id] && !pass->streams[i].init) absent |= 1u << i;
  }
  bool pt = pass->mode == STP_PASS_PT || pass->mode == STP_PASS_BLOCK;
  int64_t rows = pass->mode == STP_PASS_ROW ? stp_pass_lines(pass, e->corelet).count
                                            : stp_pass_rows(pass, e->corelet).count,
          outer = pt ? stp_pass_blocks(pass, e->corelet).count : 1;
  bool ok = v != NULL;
  int loop = stp_emit_loop(e, outer);
  if (ok && (pass->mode == STP_PASS_ROW || pass->mode == STP_PASS_BLOCK)) {
    stp_pass_t block = pass->mode == STP_PASS_BLOCK ? stp_pass_block(pass) : *pass;
    if (e->masks && stp_vrow_uses_mask(&block)) emit_mask(e, stp_pass_tail(&block));
    for (int64_t left = rows, size = pass->row.group; ok && left > 0; left %= size) {
      if (size > left) size = left;
      ok = stp_vrow_make(v, &block, size, absent);
      if (ok) repeat(e, v, left / size);
    }
  } else if (ok) {
    int64_t inner = pt                ? rows
                    : pass->rows == 1 ? stp_part_rows(pass->granules, e->corelet).count
                                      : rows * pass->granules;
    int64_t group = stp_vbody_group(pass, inner);
    ok = group > 0;
    for (int64_t left = inner, size = group; ok && left > 0; size = left) {
      ok = stp_vbody_make(v, pass, size, absent);
      if (ok) repeat(e, v, left / size);
      left -= left / size * size;
    }
  }
  stp_emit_loop_end(e, loop);
  free(v);
  if (ok || e->failed) return;
  stp_plan_error(
      e->plan, s->loc,
      "an expression over rows of %lld elements needs more SFU registers than there are; the "
      "scheduler does not split it yet",
      (long long)pass->inner);
  e->failed = true;
}

/* Lanes below `tail`, compared as i32 in the two halves of a granule, then narrowed, as -1.0 or 0.
 */
static void emit_mask(stp_emit_t *e, int tail) {
  stp_lin_t n = stp_lin_const(tail), half = stp_lin_const(STP_LANES32);
  unsigned rn = stp_emit_reg(e, &n), rh = stp_emit_reg(e, &half);
  stp_asm_t *as = e->as;
  for (unsigned i = 0; i < 2; i++) {
    stp_asm_sfu(as, STP_OP_VLANE, STP_FMT_I32, i, 0, 0, 0, 0, 0, false, i ? rh : 0, 0);
    stp_asm_sfu(as, STP_OP_VCMP, STP_FMT_I32, i, i, STP_V_SA, 0, STP_VCMP_OLT, 0, false, rn, 0);
    stp_asm_sfu(as, STP_OP_VCVT, STP_FMT_F32, i, i, 0, 0, 0, STP_FMT_I32, false, 0, 0);
  }
  stp_asm_sfu(as, STP_OP_VPACK, STP_FMT_F16, STP_VMASK_REG, 0, 0, 0, 0, 0, false, 0, 0);
  stp_emit_done(e);
}

/* The tail that row passes need a mask for, 0: none; -1: several. */
static int find_tail(const stp_block_t *block) {
  int tail = 0;
  for (const stp_step_t *s = block->first; s; s = s->next) {
    int t = 0;
    if (s->kind == STP_STEP_LOOP) t = find_tail(s->loop->body);
    if (s->kind == STP_STEP_PASS && s->pass->mode == STP_PASS_ROW && stp_vrow_uses_mask(s->pass))
      t = stp_pass_tail(s->pass);
    if (t) tail = tail == 0 || tail == t ? t : -1;
  }
  return tail;
}

/* One mask is made once; several are made by the passes, each time. */
void stp_emit_sfu_prologue(stp_emit_t *e) {
  int tail = find_tail(e->plan->body);
  e->masks = tail < 0;
  if (tail > 0) emit_mask(e, tail);
}
