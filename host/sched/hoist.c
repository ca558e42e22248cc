/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers that need not be repeated: a load in a loop of what the loop does not change is done
 * before it; a load that is the same for every compute tile is done once; and a tile that already
 * lies in LX is not loaded again.
 */
#include <string.h>

#include "build.h"

/* Do executions of the block change the form? */
static bool varies(const stp_plan_t *p, const stp_lin_t *a, const stp_block_t *block) {
  for (int i = 0; i < a->n; i++) {
    const stp_block_t *b = p->syms[a->t[i].sym].block;
    if (b && stp_block_contains(block, b)) return true;
  }
  return false;
}

static bool access_varies(const stp_plan_t *p, const stp_access_t *a, const stp_block_t *block) {
  bool v = varies(p, &a->offset, block);
  for (int d = 0; d < a->rank; d++) {
    v |= varies(p, &a->dims[d].stride, block);
    if (a->dims[d].clipped) v |= varies(p, &a->dims[d].limit, block);
  }
  return v;
}

/* May a store in the block write to the buffer? */
static bool is_stored(const stp_block_t *block, int arg) {
  for (const stp_step_t *s = block ? block->first : NULL; s; s = s->next) {
    if (s->kind == STP_STEP_STORE && s->access.arg == arg) return true;
    if (s->kind == STP_STEP_LOOP &&
        (is_stored(s->loop->body, arg) || is_stored(s->loop->none, arg)))
      return true;
  }
  return false;
}

static bool may_move(const stp_plan_t *p, const stp_step_t *s, const stp_block_t *block) {
  return s->kind == STP_STEP_LOAD && s->buf->frame && s->access.num_checks == 0 &&
         !access_varies(p, &s->access, block) && !is_stored(block, s->access.arg);
}

static void unlink_step(stp_step_t *s) {
  stp_block_t *block = s->block;
  stp_step_t **at = &block->first;
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  block->last = NULL;
  block->num_steps = 0;
  for (stp_step_t *i = block->first; i; i = i->next) {
    i->index = block->num_steps++;
    block->last = i;
  }
}

bool stp_hoist_loop(stp_builder_t *b, stp_step_t *loop) {
  stp_plan_t *p = b->plan;
  stp_block_t *body = loop->loop->body;
  for (stp_step_t *s = body->first, *next; s && p->hoist; s = next) {
    next = s->next;
    if (!may_move(p, s, body)) continue;
    stp_frame_t *frame = stp_build_frame(b, loop->block);
    if (!frame) return false;
    unlink_step(s);
    stp_build_link(loop->block, s, loop);
    s->buf->frame = frame;
  }
  return true;
}

bool stp_hoist_turns(stp_builder_t *b) {
  stp_plan_t *p = b->plan;
  if (p->func->num_tiles == 1 || !p->hoist) return true;
  stp_frame_t *frame = NULL;
  for (stp_step_t *s = p->body->first, *next; s; s = next) {
    next = s->next;
    if (p->num_once == STP_PLAN_ONCE || !may_move(p, s, p->body)) continue;
    if (!frame) {
      stp_frame_t *shared = p->body->frame;
      p->body->frame = NULL;
      frame = stp_build_frame(b, p->body);
      p->body->frame = shared;
      if (!frame) return false;
    }
    unlink_step(s);
    s->next = NULL;
    s->buf->frame = frame;
    s->buf->once = true;
    p->once[p->num_once++] = s;
  }
  return true;
}

/* ---- the same tile again ------------------------------------------------------------------- */

static bool same_tile(const stp_access_t *x, const stp_access_t *y) {
  if (!stp_access_same(x, y) || x->elem != y->elem) return false;
  for (int d = 0; d < x->rank; d++) {
    const stp_access_dim_t *i = &x->dims[d], *k = &y->dims[d];
    if (i->clipped != k->clipped || (i->clipped && !stp_lin_equal(&i->limit, &k->limit)))
      return false;
  }
  return true;
}

void stp_hoist_stored(stp_builder_t *b, int arg) {
  int kept = 0;
  for (int i = 0; i < b->num_loaded; i++) {
    if (b->loaded[i]->access->arg != arg) b->loaded[kept++] = b->loaded[i];
  }
  b->num_loaded = kept;
}

stp_tval_t *stp_hoist_loaded(const stp_builder_t *b, const stp_access_t *access,
                             const stp_ir_type_t *type) {
  for (int i = 0; i < b->num_loaded; i++) {
    stp_tval_t *t = b->loaded[i];
    if (t->block == b->block && t->num_also < STP_TV_ALSO && t->rank == type->rank &&
        memcmp(t->dims, type->dims, (size_t)t->rank * sizeof *t->dims) == 0 &&
        same_tile(t->access, access))
      return t;
  }
  return NULL;
}

void stp_hoist_note(stp_builder_t *b, stp_tval_t *t) {
  enum { MOST = sizeof b->loaded / sizeof b->loaded[0] };
  if (b->num_loaded == MOST) b->num_loaded = 0;
  b->loaded[b->num_loaded++] = t;
}
