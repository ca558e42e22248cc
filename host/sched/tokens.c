/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token counters between the producers and the consumers of buffers. An ordered pair of units has
 * few counters, so buffers share them, if both sides come to them in the same order: then it does
 * not matter whose token it is. Where the order differs, a consumer waits earlier, for what it
 * needs later as well, or gives back later. That is possible within a scope, whose buffers are used
 * once per execution each; not between scopes, which take turns in ways of their own.
 */
#include "plan.h"

enum { MAX_USERS = 2 * STP_PLAN_BUFS, MAX_GROUPS = MAX_USERS };

/* A buffer whose tokens go over a pair of units: those that say "full", or those that say "free".
 */
typedef struct user {
  stp_buf_t *buf;
  unsigned *index; /* of the counter */
  bool full;
  int group;
} user_t;

typedef struct group {
  const void *key;
  bool full;
  int size, first, count; /* counters */
} group_t;

typedef struct pair {
  stp_plan_t *p;
  unsigned from, to;
  int num_users, num_groups;
  user_t users[MAX_USERS];
  group_t groups[MAX_GROUPS];
} pair_t;

/* What a loop carries changes hands in orders that depend on the iteration: it shares with nobody.
 * Tiles that are loaded once, before the turns, come first on both sides. */
static const void *key_of(const stp_buf_t *buf) {
  return buf->carried || buf->result_of ? (const void *)buf : buf->frame->scope;
}

static void add_user(pair_t *x, stp_buf_t *buf, unsigned *index, bool full) {
  const void *key = key_of(buf);
  int g = 0;
  while (g < x->num_groups && (x->groups[g].key != key || x->groups[g].full != full)) g++;
  if (g == x->num_groups) x->groups[x->num_groups++] = (group_t){.key = key, .full = full};
  x->groups[g].size++;
  x->users[x->num_users++] = (user_t){buf, index, full, g};
}

static void find_users(pair_t *x) {
  x->num_users = x->num_groups = 0;
  for (int n = 0; n < x->p->num_bufs; n++) {
    stp_buf_t *buf = x->p->bufs[n];
    for (int i = 0; i < buf->num_edges; i++) {
      stp_edge_t *e = &buf->edges[i];
      if (e->from == x->from && e->to == x->to) add_user(x, buf, &e->full, true);
      if (e->to == x->from && e->from == x->to) add_user(x, buf, &e->free, false);
    }
  }
}

/* The step in which the producer comes to the buffer, first or last. */
static int made(const user_t *u, const pair_t *x) {
  if (u->buf->once) return -1;
  return u->full ? u->buf->writes_to[x->from] : u->buf->writes_from[x->to];
}

/* The step in which the consumer comes to it. */
static int *used(const user_t *u, const pair_t *x) {
  return u->full ? &u->buf->first[x->to] : &u->buf->last[x->from];
}

/* Would the two sides come to both in different orders? */
static bool crossed(const user_t *a, const user_t *b, const pair_t *x) {
  if (a->buf->once || b->buf->once) return false;
  int made_a = made(a, x), made_b = made(b, x), used_a = *used(a, x), used_b = *used(b, x);
  return (made_a <= made_b && used_a > used_b) || (made_b <= made_a && used_b > used_a);
}

/* One counter for each group, the others to those with many buffers. */
static bool share_out(pair_t *x, int taken) {
  int left = STP_TOKENS_PER_PAIR - taken - x->num_groups;
  for (int g = 0; g < x->num_groups; g++) x->groups[g].count = 1;
  for (; left > 0; left--) {
    group_t *most = NULL;
    for (int g = 0; g < x->num_groups; g++) {
      group_t *y = &x->groups[g];
      if (y->size <= y->count) continue;
      if (!most || y->size * most->count > most->size * y->count) most = y;
    }
    if (!most) break;
    most->count++;
  }
  for (int g = 0, at = taken; g < x->num_groups; g++) {
    x->groups[g].first = at;
    at += x->groups[g].count;
  }
  return left >= 0;
}

/* Choose a counter of its group for a buffer: one that nothing has; else one on which no order
 * would have to change; else any that can count all copies. */
static bool choose(pair_t *x, int n) {
  user_t *u = &x->users[n];
  const group_t *g = &x->groups[u->group];
  int best = -1, best_cost = 0;
  for (int i = g->first; i < g->first + g->count; i++) {
    int copies = u->buf->frame->copies, cost = 0;
    for (int k = 0; k < n; k++) {
      const user_t *v = &x->users[k];
      if (v->group != u->group || *v->index != (unsigned)i) continue;
      copies += v->buf->frame->copies;
      cost += crossed(u, v, x) ? 100 : 1;
    }
    if (copies > STP_TOKEN_MAX || (best >= 0 && cost >= best_cost)) continue;
    best = i;
    best_cost = cost;
  }
  if (best >= 0) *u->index = (unsigned)best;
  return best >= 0;
}

/* Make the consumer come to what shares a counter in the producer's order. True if it had to be
 * changed. */
static bool put_in_order(pair_t *x) {
  bool changed = false;
  for (int a = 0; a < x->num_users; a++) {
    for (int b = 0; b < x->num_users; b++) {
      user_t *u = &x->users[a], *v = &x->users[b];
      if (a == b || u->group != v->group || *u->index != *v->index || u->buf->once ||
          v->buf->once || made(u, x) > made(v, x))
        continue;
      int *first = used(u, x), *second = used(v, x);
      if (*first <= *second) continue;
      if (u->full)
        *first = *second; /* wait for both */
      else
        *second = *first; /* give back both */
      changed = true;
    }
  }
  return changed;
}

bool stp_tokens(stp_plan_t *p, const int taken[STP_UNITS][STP_UNITS]) {
  pair_t *x = stp_arena_alloc(p->arena, sizeof *x);
  x->p = p;
  for (x->from = 0; x->from < STP_UNITS; x->from++) {
    for (x->to = 0; x->to < STP_UNITS; x->to++) {
      find_users(x);
      bool ok = x->num_users == 0 || share_out(x, taken[x->from][x->to]);
      for (int n = 0; ok && n < x->num_users; n++) ok = choose(x, n);
      if (!ok) {
        return stp_plan_error(
            p, p->func->loc, "function '%s' has more tiles between two units than there are tokens",
            p->func->name);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (x->from = 0; x->from < STP_UNITS; x->from++) {
      for (x->to = 0; x->to < STP_UNITS; x->to++) {
        find_users(x);
        changed |= put_in_order(x);
      }
    }
  }
  return true;
}
