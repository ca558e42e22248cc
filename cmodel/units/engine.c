/* What engines share: the queue from the sequencer, posts, and the order of payloads in MNI and LX
 * units. */
#include <string.h>

#include "units_int.h"

stp_payload_t stp_take(stp_unit_t *u) {
  const stp_payload_t p = u->queue[0];
  u->queue[0] = u->queue[1];
  u->queued--;
  u->count[STP_STAT_PAYLOADS]++;
  return p;
}

bool stp_post(stp_core_t *c, const stp_unit_t *u, unsigned token) {
  uint8_t *count = &c->token[u->id][token >> 2][token & 3];
  if (*count == STP_TOKEN_MAX) return false;
  ++*count;
  return true;
}

uint64_t stp_posts_push(stp_unit_t *u, const uint64_t begun[STP_POST_CLASSES]) {
  stp_posts_t *q = &u->posts;
  if (q->count == STP_POST_QUEUE) return 0;
  q->entry[q->count].token = (uint8_t)stp_take(u).insn->aux;
  memcpy(q->entry[q->count].mark, begun, sizeof q->entry[0].mark);
  q->count++;
  return 1;
}

uint64_t stp_posts_fire(stp_core_t *c, stp_unit_t *u, const uint64_t done[STP_POST_CLASSES]) {
  stp_posts_t *q = &u->posts;
  if (q->count == 0) return 0;
  for (unsigned k = 0; k < STP_POST_CLASSES; k++)
    if (done[k] < q->entry[0].mark[k]) return 0;
  if (!stp_post(c, u, q->entry[0].token)) return 0;
  q->entry[0] = q->entry[1];
  q->count--;
  return 1;
}

static stp_step_t transfer_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  switch (u->kind) {
  case STP_KIND_LX_LU:
    return stp_lx_lu_step(c, u, work, budget);
  case STP_KIND_LX_SU:
    return stp_lx_su_step(c, u, work, budget);
  default:
    return stp_mni_step(c, u, work, budget);
  }
}

/* MNI and LX units: takes the oldest payload if it may. cfg never waits, as transfers have their
 * own copy of the descriptor; one post waits behind the transfer in hand; a transfer waits for
 * both. */
static uint64_t take_access(const stp_core_t *c, stp_unit_t *u) {
  const stp_payload_t *p = &u->queue[0];
  switch (p->insn->op) {
  case STP_OP_CFG:
    if (stp_cfg_write(u, p)) break;
    if (u->active || u->pending || stp_turn_full(c, u)) return 0;
    stp_unit_trap(u, STP_CAUSE_BAD_OPERAND, p->c, p->pc);
    return 1;
  case STP_OP_POST:
    if (u->pending) return 0;
    u->pending = true;
    u->pending_token = (uint8_t)p->insn->aux;
    break;
  default:
    if (u->active || u->pending) return 0;
    u->active = true;
    u->cur = *p;
    u->i[0] = u->i[1] = u->i[2] = u->i[3] = 0;
    memcpy(u->desc, u->cfg, sizeof u->desc);
    break;
  }
  stp_take(u);
  return 1;
}

static uint64_t access_run(stp_core_t *c, stp_unit_t *u, uint64_t budget) {
  uint64_t work = 0;
  while (work < budget && !c->tap_stop) {
    const uint64_t before = work;
    work += stp_turn_run(c, u);
    if (u->active && !c->tap_stop) {
      const stp_step_t s = transfer_step(c, u, &work, budget);
      if (s == STP_STEP_TRAP) return work + 1;
      if (s == STP_STEP_DONE) {
        u->active = false;
        work++;
      }
    }
    if (!u->active && u->pending && !stp_turn_full(c, u) && stp_post(c, u, u->pending_token)) {
      u->pending = false;
      work++;
    }
    if (u->queued != 0) work += take_access(c, u);
    if (!u->running || work == before) break;
  }
  return work;
}

uint64_t stp_engine_run(stp_core_t *c, stp_unit_t *u, uint64_t budget) {
  switch (u->kind) {
  case STP_KIND_PT:
    return stp_pt_run(c, u, budget);
  case STP_KIND_SFU:
    return stp_sfu_run(c, u, budget);
  default:
    return access_run(c, u, budget);
  }
}

bool stp_engine_idle(const stp_core_t *c, const stp_unit_t *u) {
  if (u->queued != 0) return false;
  switch (u->kind) {
  case STP_KIND_PT:
    return stp_pt_idle(c, u);
  case STP_KIND_SFU:
    return stp_sfu_idle(c, u);
  default:
    return !u->active && !u->pending && !stp_turn_full(c, u);
  }
}

void stp_engine_clear(stp_core_t *c, stp_unit_t *u) {
  u->active = u->pending = u->bad = false;
  u->queued = 0;
  u->posts.count = 0;
  if (u->kind == STP_KIND_LX_LU) stp_turn_clear(c, u);
  if (u->kind == STP_KIND_PT) stp_pt_clear(c, u);
  if (u->kind == STP_KIND_SFU) stp_sfu_clear(c, u);
}
