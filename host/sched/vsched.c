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

enum { WINDOW = 48 };

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
    return 7;
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

static void reset(state_t *s) {
  for (int n = 0; n < s->v->num_insts; n++) s->ready[n] = -1;
  s->issue = s->written = -1;
}

static int in_order(state_t *s) {
  reset(s);
  for (int n = 0; n < s->v->num_insts; n++) commit(s, n, earliest(s, n));
  return s->issue;
}

bool stp_vbody_schedule(stp_vbody_t *v) {
  int count = v->num_insts, done = 0, first = 0;
  state_t s = {.v = v};
  s.preds = calloc((size_t)count + 1, sizeof *s.preds);
  s.after = calloc((size_t)count * 3 + 1, sizeof *s.after);
  s.ready = calloc((size_t)count + 1, sizeof *s.ready);
  stp_vinst_t *order = calloc((size_t)count + 1, sizeof *order);
  bool better = false;
  if (s.preds && s.after && s.ready && order) {
    find_preds(&s);
    int before = in_order(&s);
    reset(&s);
    /* Of the next instructions that could go, the one that issues first; of several, the one that
     * stands first. */
    while (done < count) {
      int best = -1, best_at = 0;
      while (s.ready[first] >= 0) first++;
      for (int n = first; n < count && n < first + WINDOW; n++) {
        int at = s.ready[n] >= 0 ? -1 : earliest(&s, n);
        if (at >= 0 && (best < 0 || at < best_at)) {
          best = n;
          best_at = at;
        }
      }
      if (best < 0) break; /* not possible: `first` never waits for a later one */
      order[done++] = v->insts[best];
      commit(&s, best, best_at);
    }
    better = done == count && s.issue < before;
    if (better) memcpy(v->insts, order, (size_t)count * sizeof *order);
  }
  free(s.preds);
  free(s.after);
  free(s.ready);
  free(order);
  return better;
}
