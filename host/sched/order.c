/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a kernel both reads and writes, or writes twice. MNI-LU and MNI-SU run apart, and
 * DRAM may answer writes in any order; so accesses of one buffer that may overlap within a tile are
 * ordered by tokens, where data flow does not do it. Two tiles never depend on each other through
 * memory: KTIR forbids it.
 */
#include "plan.h"

enum { MAX_ACCESSES = 64 };

bool stp_access_same(const stp_access_t *x, const stp_access_t *y) {
  if (x->arg != y->arg || x->rank != y->rank || !stp_lin_equal(&x->offset, &y->offset))
    return false;
  for (int d = 0; d < x->rank; d++) {
    if (x->dims[d].count != y->dims[d].count ||
        !stp_lin_equal(&x->dims[d].stride, &y->dims[d].stride))
      return false;
  }
  return true;
}

/* Elements between the first and the last of a tile; -1 if not known. */
static int64_t span(const stp_access_t *a) {
  int64_t n = 0, part;
  for (int d = 0; d < a->rank; d++) {
    const stp_access_dim_t *dim = &a->dims[d];
    if (!stp_lin_is_const(&dim->stride) || dim->stride.c < 0 ||
        __builtin_mul_overflow(dim->stride.c, dim->count - 1, &part) ||
        __builtin_add_overflow(n, part, &n)) {
      return -1;
    }
  }
  return n;
}

/* The distance of their starts is a constant that keeps them apart. */
bool stp_access_apart(const stp_access_t *x, const stp_access_t *y) {
  stp_lin_t d;
  int64_t sx = span(x), sy = span(y);
  if (!stp_lin_add(&d, &y->offset, &x->offset, -1) || !stp_lin_is_const(&d) || sx < 0 || sy < 0)
    return false;
  return d.c > sx || -d.c > sy;
}

/* Counts and strides, of a tile and of loops that move it. */
typedef struct grid {
  int n;
  int64_t count[STP_IR_MAX_RANK + STP_PLAN_DEPTH], stride[STP_IR_MAX_RANK + STP_PLAN_DEPTH];
} grid_t;

/* Are all its points apart? Each stride is past all that the smaller ones span. */
static bool all_apart(const grid_t *g) {
  int64_t done = 0, reach = 0;
  for (int n = 0; n < g->n; n++) {
    int64_t least = INT64_MAX, part;
    int with = 0;
    for (int d = 0; d < g->n; d++) {
      if (g->count[d] == 1) continue;
      if (g->stride[d] <= 0) return false;
      if (g->stride[d] > done && g->stride[d] < least) least = g->stride[d];
    }
    for (int d = 0; d < g->n; d++) {
      if (g->count[d] == 1 || g->stride[d] != least) continue;
      if (++with > 1 || least <= reach || __builtin_mul_overflow(least, g->count[d] - 1, &part) ||
          __builtin_add_overflow(reach, part, &reach))
        return false;
    }
    done = least;
  }
  return true;
}

static bool add_tile(grid_t *g, const stp_access_t *a) {
  for (int d = 0; d < a->rank; d++) {
    if (a->dims[d].count > 1 && !stp_lin_is_const(&a->dims[d].stride)) return false;
    g->count[g->n] = a->dims[d].count;
    g->stride[g->n++] = a->dims[d].stride.c;
  }
  return true;
}

bool stp_access_distinct(const stp_access_t *a) {
  grid_t g = {0};
  return add_tile(&g, a) && all_apart(&g);
}

/* The same tile in different iterations of the loops around it: do they never overlap? */
static bool iterations_apart(const stp_plan_t *p, const stp_step_t *s) {
  grid_t g = {0};
  if (!add_tile(&g, &s->access)) return false;
  for (int i = 0; i < s->access.offset.n; i++) {
    /* What a loop changes in another way may bring the tile anywhere. */
    const stp_sym_t *x = &p->syms[s->access.offset.t[i].sym];
    if (x->kind == STP_SYM_CARRY || (x->kind == STP_SYM_OP && x->block && x->block->parent))
      return false;
  }
  for (const stp_block_t *b = s->block; b->parent; b = b->parent->block) {
    const stp_loop_t *loop = b->parent->loop;
    if (g.n == STP_IR_MAX_RANK + STP_PLAN_DEPTH) return false;
    for (int i = 0; i < loop->lb.n; i++) {
      const stp_block_t *from = p->syms[loop->lb.t[i].sym].block;
      if (from && from->parent) return false;
    }
    g.count[g.n] = loop->branch ? 1 : loop->trip < 0 ? STP_LOOP_TRIPS : loop->trip;
    g.stride[g.n] = 0;
    for (int i = 0; i < s->access.offset.n; i++) {
      if (s->access.offset.t[i].sym == loop->sym &&
          __builtin_mul_overflow(s->access.offset.t[i].k, loop->step, &g.stride[g.n]))
        return false;
    }
    g.n++;
  }
  return all_apart(&g);
}

/* Two tiles in any two iterations of a loop: are they always apart? */
static bool always_apart(const stp_plan_t *p, const stp_access_t *x, const stp_access_t *y,
                         const stp_loop_t *loop) {
  stp_lin_t ox = x->offset, oy = y->offset, d;
  int64_t k[2] = {0, 0}, lo, hi, sx = span(x), sy = span(y);
  stp_lin_t *o[2] = {&ox, &oy};
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < o[a]->n; i++) {
      if (o[a]->t[i].sym == loop->sym) k[a] = o[a]->t[i].k;
    }
    stp_lin_t var = stp_lin_sym(loop->sym);
    if (!stp_lin_add(o[a], o[a], &var, -k[a])) return false;
  }
  const stp_sym_t *s = &p->syms[loop->sym];
  if (!stp_lin_add(&d, &oy, &ox, -1) || !stp_lin_is_const(&d) || sx < 0 || sy < 0 || !s->bounded)
    return false;
  lo = hi = d.c;
  for (int a = 0; a < 2; a++) {
    int64_t f = a ? k[1] : -k[0], u, v;
    if (__builtin_mul_overflow(f, s->lo, &u) || __builtin_mul_overflow(f, s->hi, &v)) return false;
    if (__builtin_add_overflow(lo, u < v ? u : v, &lo) ||
        __builtin_add_overflow(hi, u < v ? v : u, &hi))
      return false;
  }
  return lo > sx || -hi > sy;
}

/* Does what the store writes come, in this block's execution, from what the load brings? */
static bool flows(const stp_step_t *load, const stp_step_t *store) {
  const stp_buf_t *reached[STP_PLAN_BUFS];
  int n = 0;
  reached[n++] = load->buf;
  for (const stp_step_t *s = load->next; s && s != store; s = s->next) {
    if (s->kind != STP_STEP_PASS) continue;
    bool from = false;
    for (int i = 0; i < s->pass->num_streams; i++) {
      for (int r = 0; r < n; r++) from |= s->pass->streams[i].buf == reached[r];
    }
    if (from && n < STP_PLAN_BUFS) reached[n++] = s->pass->outs[0].buf;
  }
  /* Only if every stick that is written waits for the whole load: the store's token comes after the
     pass, whose token comes after the load. */
  for (int r = 0; r < n; r++) {
    if (reached[r] == store->buf) return true;
  }
  return false;
}

static bool before(const stp_step_t *x, const stp_step_t *y) {
  return x->block == y->block && x->index < y->index;
}

static unsigned unit_of(const stp_step_t *s) {
  return s->kind == STP_STEP_LOAD ? STP_UNIT_MNI_LU : STP_UNIT_MNI_SU;
}

/* `from` before `to`: the accesses, in their blocks or in steps around them. */
static bool add_order_in(stp_plan_t *p, const stp_block_t *block, const stp_step_t *from,
                         const stp_step_t *to, bool carried) {
  if (p->num_orders == STP_PLAN_ORDERS) {
    return stp_plan_error(p, to->loc, "too many accesses of the same memory for the scheduler");
  }
  p->orders[p->num_orders++] = (stp_order_t){.from = stp_step_in(from, block),
                                             .to = stp_step_in(to, block),
                                             .from_unit = unit_of(from),
                                             .to_unit = unit_of(to),
                                             .carried = carried};
  return true;
}

static bool add_order(stp_plan_t *p, const stp_step_t *from, const stp_step_t *to, bool carried) {
  return add_order_in(p, from->block, from, to, carried);
}

/* Splits off what loops change. */
static bool split_varying(const stp_plan_t *p, const stp_lin_t *a, stp_lin_t *fixed,
                          stp_lin_t *varying) {
  *fixed = stp_lin_const(a->c);
  *varying = stp_lin_const(0);
  for (int i = 0; i < a->n; i++) {
    const stp_sym_t *s = &p->syms[a->t[i].sym];
    stp_lin_t term = stp_lin_sym(a->t[i].sym);
    stp_lin_t *to = s->block && s->block->parent ? varying : fixed;
    if (!stp_lin_add(to, to, &term, a->t[i].k)) return false;
  }
  return true;
}

/* Two tiles in any two iterations of whatever loops: are they apart for sure? */
static bool ever_apart(const stp_plan_t *p, const stp_access_t *x, const stp_access_t *y) {
  stp_lin_t fx, vx, fy, vy, d;
  int64_t lo, hi, xl, xh, yl, yh, sx = span(x), sy = span(y);
  if (sx < 0 || sy < 0 || !split_varying(p, &x->offset, &fx, &vx) ||
      !split_varying(p, &y->offset, &fy, &vy) || !stp_lin_add(&d, &fy, &fx, -1))
    return false;
  if (!stp_lin_range(&d, p->syms, &lo, &hi) || !stp_lin_range(&vx, p->syms, &xl, &xh) ||
      !stp_lin_range(&vy, p->syms, &yl, &yh))
    return false;
  if (__builtin_add_overflow(lo, yl, &lo) || __builtin_sub_overflow(lo, xh, &lo) ||
      __builtin_add_overflow(hi, yh, &hi) || __builtin_sub_overflow(hi, xl, &hi))
    return false;
  return lo > sx || -hi > sy;
}

/* Accesses at different places of the tree: the steps of the innermost block that holds both are
 * ordered, whole loops perhaps. */
static bool order_apart(stp_plan_t *p, const stp_step_t *load, const stp_step_t *store) {
  if (ever_apart(p, &load->access, &store->access)) return true;
  const stp_block_t *block = load->block;
  while (!stp_block_contains(block, store->block)) block = block->parent->block;
  if (stp_step_in(load, block) == stp_step_in(store, block)) {
    /* Only one of them happens. */
    return !block->parent ||
           (add_order_in(p, block, store, load, true) && add_order_in(p, block, load, store, true));
  }
  bool load_first = stp_step_in(load, block)->index < stp_step_in(store, block)->index;
  const stp_step_t *first = load_first ? load : store, *second = load_first ? store : load;
  return add_order_in(p, block, first, second, false) &&
         (!block->parent || add_order_in(p, block, second, first, true));
}

static bool order_pair(stp_plan_t *p, stp_step_t *load, stp_step_t *store) {
  if (load->block != store->block) return order_apart(p, load, store);
  const stp_block_t *block = load->block;
  bool same = stp_access_same(&load->access, &store->access);
  bool one_loop = block->parent && !block->parent->block->parent;
  if (one_loop && always_apart(p, &load->access, &store->access, block->parent->loop)) return true;
  bool now = !same && stp_access_apart(&load->access, &store->access);
  if (!now) {
    if (before(store, load)) {
      if (!add_order(p, store, load, false)) return false;
    } else if (!flows(load, store) && !add_order(p, load, store, false)) {
      return false;
    }
  }
  if (!block->parent || (same && iterations_apart(p, load))) return true;
  /* Iterations meet. Within a body ordered as store, load (or load, store), the tokens of every
     iteration also order earlier stores before later loads (or earlier loads before later stores).
   */
  bool store_first = before(store, load) && !now;
  if (!store_first && !add_order(p, store, load, true)) return false;
  return (!before(store, load) && !now) || add_order(p, load, store, true);
}

/* Two stores, or one in different iterations: the later one waits until the earlier one's writes
 * are answered. */
static void order_stores(const stp_plan_t *p, stp_step_t *x, stp_step_t *y) {
  bool disjoint = x != y && x->block == y->block && stp_access_apart(&x->access, &y->access) &&
                  !x->block->parent;
  if (x == y) disjoint = !x->block->parent || iterations_apart(p, x);
  if (disjoint) return;
  x->fence = true;
  y->fence = true;
}

static void collect(const stp_block_t *block, stp_step_t **list, int *n) {
  for (stp_step_t *s = block->first; s; s = s->next) {
    if (s->kind == STP_STEP_LOOP) {
      collect(s->loop->body, list, n);
      if (s->loop->none) collect(s->loop->none, list, n);
    } else if ((s->kind == STP_STEP_LOAD || s->kind == STP_STEP_STORE) && *n < MAX_ACCESSES)
      list[(*n)++] = s;
  }
}

bool stp_order(stp_plan_t *p) {
  stp_step_t *list[MAX_ACCESSES];
  int n = 0;
  collect(p->body, list, &n);
  if (n == MAX_ACCESSES) {
    return stp_plan_error(p, p->func->loc,
                          "function '%s' has too many loads and stores for the scheduler",
                          p->func->name);
  }
  for (int i = 0; i < n; i++) {
    for (int k = i; k < n; k++) {
      stp_step_t *x = list[i], *y = list[k];
      if (x->access.arg != y->access.arg) continue;
      /* Loads that nothing uses are not done. */
      if ((x->kind == STP_STEP_LOAD && !x->buf->consumers) ||
          (y->kind == STP_STEP_LOAD && !y->buf->consumers))
        continue;
      if (x->kind == STP_STEP_STORE && y->kind == STP_STEP_STORE)
        order_stores(p, x, y);
      else if (x->kind != y->kind &&
               !order_pair(p, x->kind == STP_STEP_LOAD ? x : y, x->kind == STP_STEP_LOAD ? y : x)) {
        return false;
      }
    }
  }
  return true;
}
