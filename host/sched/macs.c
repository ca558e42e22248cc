/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiply-adds of the kernel's products, over all tiles and iterations. Rows, columns and
 * reduction indices that lie outside a view are padding and do not count.
 */
#include "build.h"

enum { MAX_STEPS = 1 << 20 }; /* of the walk; beyond, products count whole */

void stp_build_macs(stp_builder_t *b, int64_t m, int64_t n, int64_t k, const stp_access_t *a,
                    const stp_access_t *w, bool turned) {
  stp_macs_t *x = stp_arena_alloc(b->plan->arena, sizeof *x);
  x->block = b->block;
  x->size[0] = m;
  x->size[1] = n;
  x->size[2] = k;
  const stp_access_t *from[2] = {a, w};
  const int dims[2][2] = {{0, 2}, {turned ? 1 : 2, turned ? 2 : 1}};
  for (int i = 0; i < 2; i++) {
    for (int d = 0; from[i] && d < 2; d++) {
      if (!from[i]->dims[d].clipped) continue;
      x->clip_dim[x->num_clips] = dims[i][d];
      x->clip[x->num_clips++] = from[i]->dims[d].limit;
    }
  }
  x->next = b->plan->macs;
  b->plan->macs = x;
}

typedef struct walk {
  const stp_plan_t *p;
  const int64_t *args; /* values of scalars that are job arguments */
  int64_t env[STP_PLAN_SYMS];
  int64_t steps;
} walk_t;

static int64_t value(const walk_t *w, const stp_lin_t *a);

static int64_t symbol(const walk_t *w, int index) {
  const stp_sym_t *s = &w->p->syms[index];
  if (s->kind == STP_SYM_SCALAR) return w->args[s->index];
  if (s->kind != STP_SYM_OP) return w->env[index];
  int64_t x = value(w, &s->a);
  if (s->op == STP_LINOP_SELECT) return x ? value(w, &s->b) : value(w, &s->d);
  if (s->op == STP_LINOP_ALU) return stp_alu((unsigned)s->index, x, value(w, &s->b));
  uint64_t up = (uint64_t)x << (64 - s->index);
  return (int64_t)up >> (64 - s->index);
}

static int64_t value(const walk_t *w, const stp_lin_t *a) {
  uint64_t v = (uint64_t)a->c;
  for (int i = 0; i < a->n; i++) v += (uint64_t)a->t[i].k * (uint64_t)symbol(w, a->t[i].sym);
  return (int64_t)v;
}

static uint64_t once(const walk_t *w, const stp_macs_t *x) {
  int64_t size[3] = {x->size[0], x->size[1], x->size[2]};
  for (int i = 0; w && i < x->num_clips; i++) {
    int64_t limit = value(w, &x->clip[i]), *s = &size[x->clip_dim[i]];
    if (limit < *s) *s = limit < 0 ? 0 : limit;
  }
  return (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
}

/* Loops around a product, outermost first. */
static int loops_around(const stp_block_t *block, const stp_loop_t **loops, int max) {
  int n = 0;
  for (const stp_block_t *b = block; b->parent && n < max; b = b->parent->block)
    loops[n++] = b->parent->loop;
  for (int i = 0; i < n / 2; i++) {
    const stp_loop_t *t = loops[i];
    loops[i] = loops[n - 1 - i];
    loops[n - 1 - i] = t;
  }
  return n;
}

static uint64_t iterate(walk_t *w, const stp_macs_t *x, const stp_loop_t **loops, int n) {
  if (++w->steps > MAX_STEPS) return 0;
  if (n == 0) return once(w, x);
  const stp_loop_t *l = loops[0];
  int64_t first = value(w, &l->lb);
  uint64_t sum = 0;
  int64_t *next = NULL;
  if (l->num_carries) next = stp_arena_array(w->p->arena, (size_t)l->num_carries, sizeof *next);
  for (int i = 0; i < l->num_carries; i++)
    w->env[l->carries[i].sym] = value(w, &l->carries[i].init);
  int64_t trip = l->trip >= 0 ? l->trip : value(w, &l->count);
  if (l->none && stp_block_contains(l->none, x->block)) trip = trip <= 0;
  for (int64_t i = 0; i < trip && w->steps <= MAX_STEPS; i++) {
    w->env[l->sym] = first + i * l->step;
    sum += iterate(w, x, loops + 1, n - 1);
    for (int k = 0; next && k < l->num_carries; k++) next[k] = value(w, &l->carries[k].next);
    for (int k = 0; next && k < l->num_carries; k++) w->env[l->carries[k].sym] = next[k];
  }
  return sum;
}

uint64_t stp_plan_macs(const stp_plan_t *p, const int64_t *args) {
  enum { MAX_LOOPS = STP_PLAN_LOOPS };
  walk_t *w = stp_arena_alloc(p->arena, sizeof *w);
  w->p = p;
  w->args = args;
  uint64_t total = 0;
  const stp_ir_func_t *f = p->func;
  for (const stp_macs_t *x = p->macs; x; x = x->next) {
    const stp_loop_t *loops[MAX_LOOPS];
    int n = loops_around(x->block, loops, MAX_LOOPS);
    uint64_t sum = 0;
    bool varies = x->num_clips > 0;
    for (int i = 0; i < n; i++) varies |= loops[i]->trip < 0;
    w->steps = 0;
    for (int64_t t = 0; varies && t < f->num_tiles && w->steps <= MAX_STEPS; t++) {
      for (int s = 0; s < p->num_syms; s++) {
        int64_t at = t;
        if (p->syms[s].kind != STP_SYM_TILE) continue;
        for (int d = 0; d < p->syms[s].index; d++) at /= f->grid[d];
        w->env[s] = at % f->grid[p->syms[s].index];
      }
      sum += iterate(w, x, loops, n);
    }
    if (!varies || w->steps > MAX_STEPS) {
      sum = (uint64_t)f->num_tiles * once(NULL, x);
      for (int i = 0; i < n; i++) sum *= loops[i]->trip < 0 ? 1 : (uint64_t)loops[i]->trip;
    }
    total += sum;
  }
  return total;
}
