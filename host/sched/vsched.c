/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a pass's instructions. SFU issues in order and writes back in order, so an
 * instruction that waits for an earlier result, or whose result would come before that of a slower
 * instruction, holds up all that follow. This reorders the code so that less waits; sticks of each
 * FIFO keep their order. Only speed depends on the latencies below.
 */
#include <stdlib.h>
#include <string.h>

#include "stp_isa.h"
#include "vbody.h"

/* Cycles from issue to write-back (rtl/sfu/sfu.sv). */
static int latency(const stp_vinst_t *i) {
  switch (i->op) {
  case STP_OP_VMIN:
  case STP_OP_VMAX:
  case STP_OP_VMINNUM:
  case STP_OP_VMAXNUM:
  case STP_OP_VCMP:
  case STP_OP_VUNPACK:
  case STP_OP_VSPLAT:
    return 2;
  case STP_OP_VADD:
  case STP_OP_VSUB:
  case STP_OP_VMUL:
  case STP_OP_VFMA:
  case STP_OP_VACC:
    return 6;
  case STP_OP_VFUNC:
    if (i->fn == STP_VFUNC_EXP || i->fn == STP_VFUNC_EXP2) return 7;
    return i->fn == STP_VFUNC_RECIPROCAL ? 17 : 14;
  case STP_OP_VFOLD:
    return 16;
  case STP_OP_VDIV:
  case STP_OP_VSQRT:
    return 17;
  default:
    return 3;
  }
}

typedef struct state {
  const stp_vbody_t *v;
  int (*preds)[4]; /* instructions whose results it needs, -1: none */
  int *after; /* the instruction before it on one of its FIFOs (X, P, OUT), three each, -1: none */
  int *ready; /* cycle at which the result of a scheduled instruction may be used, -1: not scheduled
               */
  int issue;  /* cycle of the last issue */
  int written; /* cycle of the last write-back */
} state_t;

static void find_preds(state_t *s) {
  const stp_vbody_t *v = s->v;
  int def[STP_VBODY_INSTS], fifo[3] = {-1, -1, -1};
  for (int r = 0; r < v->num_regs; r++) def[r] = -1;
  for (int n = 0; n < v->num_insts; n++) {
    const stp_vinst_t *i = &v->insts[n];
    for (int k = 0; k < 4; k++) s->preds[n][k] = -1;
    for (int k = 0; k < 3; k++) s->after[3 * n + k] = -1;
    for (int k = 0; k < i->num_srcs; k++) {
      if (i->src[k].kind == STP_VSRC_REG) s->preds[n][k] = def[i->src[k].reg];
      int f = i->src[k].kind == STP_VSRC_X ? 0 : i->src[k].kind == STP_VSRC_P ? 1 : -1;
      if (f < 0) continue;
      s->after[3 * n + f] = fifo[f];
      fifo[f] = n;
    }
    if (i->dst < 0 || i->tee) {
      s->after[3 * n + 2] = fifo[2];
      fifo[2] = n;
    }
    if (i->dst < 0) continue;
    if (i->updates) s->preds[n][3] = def[i->dst];
    def[i->dst] = n;
  }
}

/* The earliest cycle at which an instruction could issue now; -1: something it needs is not
 * scheduled yet. */
static int earliest(const state_t *s, int n) {
  int at = s->issue + 1;
  for (int k = 0; k < 3; k++) {
    if (s->after[3 * n + k] >= 0 && s->ready[s->after[3 * n + k]] < 0) return -1;
  }
  for (int k = 0; k < 4; k++) {
    int p = s->preds[n][k];
    if (p < 0) continue;
    if (s->ready[p] < 0) return -1;
    if (s->ready[p] > at) at = s->ready[p];
  }
  int slow = s->written + 1 - latency(&s->v->insts[n]);
  return slow > at ? slow : at;
}

static void commit(state_t *s, int n, int at) {
  s->issue = at;
  s->written = at + latency(&s->v->insts[n]);
  s->ready[n] = s->written;
}

/* A part in the order as it is; the cycle of its last issue. */
static int in_order(state_t *s, int first, int end) {
  state_t before = *s;
  for (int n = first; n < end; n++) commit(s, n, earliest(s, n));
  int issue = s->issue;
  for (int n = first; n < end; n++) s->ready[n] = -1;
  s->issue = before.issue;
  s->written = before.written;
  return issue;
}

/* Of the next instructions of a part that could go, the one that issues first, or whose result is
 * there first; of several, the one that stands first. */
static void reorder(state_t *s, int first, int end, const stp_vorder_t *by, int *order) {
  int done = first;
  while (done < end) {
    int best = -1, best_at = 0, best_key = 0;
    while (s->ready[first] >= 0) first++;
    for (int n = first; n < end && n < first + by->window; n++) {
      int at = s->ready[n] >= 0 ? -1 : earliest(s, n);
      int key = at + (by->results ? latency(&s->v->insts[n]) : 0);
      if (at >= 0 && (best < 0 || key < best_key)) {
        best = n;
        best_at = at;
        best_key = key;
      }
    }
    /* There is always one: `first` never waits for a later one. */
    order[done++] = best;
    commit(s, best, best_at);
  }
}

bool stp_vbody_schedule(stp_vbody_t *v, const stp_vorder_t *by) {
  size_t count = (size_t)v->num_insts;
  state_t s = {.v = v, .issue = -1, .written = -1};
  s.preds = calloc(count + 1, sizeof *s.preds);
  s.after = calloc(count * 3 + 1, sizeof *s.after);
  s.ready = calloc(count + 1, sizeof *s.ready);
  int *order = calloc(count + 1, sizeof *order);
  stp_vinst_t *insts = calloc(count + 1, sizeof *insts);
  bool ok = s.preds && s.after && s.ready && order && insts;
  if (ok) {
    find_preds(&s);
    for (size_t n = 0; n < count; n++) s.ready[n] = -1;
    for (int p = 0, first = 0; p < v->num_parts; first = v->parts[p++].insts) {
      int end = v->parts[p].insts;
      state_t before = s;
      int plain = in_order(&s, first, end);
      reorder(&s, first, end, by, order);
      if (s.issue < plain) continue;
      s.issue = before.issue;
      s.written = before.written;
      for (int n = first; n < end; n++) s.ready[n] = -1;
      for (int n = first; n < end; n++) {
        order[n] = n;
        commit(&s, n, earliest(&s, n));
      }
    }
    for (size_t n = 0; n < count; n++) insts[n] = v->insts[order[n]];
    memcpy(v->insts, insts, count * sizeof *insts);
  }
  free(s.preds);
  free(s.after);
  free(s.ready);
  free(order);
  free(insts);
  return ok;
}

/* ---- cycles ------------------------------------------------------------------------------------
 */

typedef struct timing {
  int64_t ready[STP_VBODY_REGS + 2];
  int64_t issue, written;
} timing_t;

static void wait_for(int64_t *at, int64_t ready) {
  if (ready > *at) *at = ready;
}

static bool pair_source(const stp_vinst_t *i) {
  return i->op == STP_OP_VPACK ||
         (i->fmt == STP_FMT_F32P && i->op != STP_OP_VUNPACK && i->op != STP_OP_VACC);
}

static void step(timing_t *c, const stp_vinst_t *i) {
  int64_t at = c->issue + 1;
  bool pair = i->fmt == STP_FMT_F32P;
  for (int s = 0; s < i->num_srcs; s++) {
    if (i->src[s].kind != STP_VSRC_REG) continue;
    int r = i->src[s].reg + i->src[s].high;
    wait_for(&at, c->ready[r]);
    if (pair_source(i)) wait_for(&at, c->ready[r + 1]);
  }
  if (i->updates) wait_for(&at, c->ready[i->dst]);
  wait_for(&at, c->written + 1 - latency(i));
  int64_t written = at + latency(i);
  c->issue = at;
  c->written = written;
  if (i->dst < 0) return;
  bool high = i->op == STP_OP_VMOV && i->fn == 1; /* to the second stick of a pair */
  c->ready[i->dst + high] = written;
  if (pair) c->ready[i->dst + 1] = written;
}

int64_t stp_vbody_cycles(const stp_vbody_t *v) {
  timing_t c = {.issue = -1, .written = -1};
  /* Once more from the start, after itself. */
  int64_t before = 0;
  for (int round = 0; round < 2; round++) {
    before = c.issue;
    for (int p = 0, n = 0; p < v->num_parts; n = v->parts[p++].insts) {
      const stp_vpart_t *part = &v->parts[p];
      int64_t took = 0;
      for (int64_t t = 0; t < part->times && t < 3; t++) {
        int64_t last = c.issue;
        for (int i = n; i < part->insts; i++) step(&c, &v->insts[i]);
        took = c.issue - last;
      }
      /* The third time takes as long as all others. */
      if (part->times > 3) {
        int64_t more = (part->times - 3) * took;
        c.issue += more;
        c.written += more;
        for (int r = 0; r < STP_VBODY_REGS + 2; r++)
          c.ready[r] += c.ready[r] > c.issue - more ? more : 0;
      }
    }
  }
  return c.issue - before;
}
