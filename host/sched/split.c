/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles too large for LX. A large tile that is loaded is not brought to LX at once: its place is
 * only noted. Stores of what is computed from such tiles gather in a group, and the group becomes a
 * loop (or several, nested) over pieces: granules of the last dimension, or rows; each iteration
 * loads, computes and stores a piece of each tile.
 *
 * KTIR's ops take effect in program order, whole tiles at a time. A group does the same piece by
 * piece, which is the same only if no piece meets another one in memory: of any two accesses of one
 * buffer, one of them a store, either both are the same tile, or they lie apart. A store that does
 * not obey this with the group begins a new one; what a store would change while it is still to be
 * read is brought to LX before.
 */
#include <string.h>

#include "build.h"
#include "stp_isa.h"

enum {
  MAX_PARTS = 128, /* values of a group */
  PIECE = 65536    /* bytes of a tile's piece: enough to cover DRAM's latency with two of them */
};

/* ---- bytes of tiles ------------------------------------------------------------------------ */

/* Bytes in LX; more than LX has if it is very many. */
static int64_t tile_bytes(stp_ir_elem_t elem, int rank, const int64_t *dims) {
  int64_t n = rank ? (dims[rank - 1] + STP_LANES16 - 1) / STP_LANES16 * STP_LANES16 : STP_LANES16;
  for (int d = 0; d < rank - 1; d++) {
    if (__builtin_mul_overflow(n, dims[d], &n)) return INT64_MAX;
  }
  return __builtin_mul_overflow(n, stp_ir_elem_bytes(elem), &n) ? INT64_MAX : n;
}

bool stp_split_is_large(const stp_builder_t *b, const stp_ir_type_t *type) {
  return tile_bytes(type->elem, type->rank, type->dims) > b->plan->large;
}

/* ---- what is still to be read -------------------------------------------------------------- */

/* The op, or the one around it, that stands in `block`; NULL if it is not in there. */
static const stp_ir_op_t *op_in(const stp_ir_op_t *op, const stp_ir_block_t *block) {
  while (op && op->block != block) op = op->block->parent;
  return op;
}

/* Is what is computed from the value used at `at` or later? If `at` is in a loop inside the value's
 * block, everything in that loop is. The walk comes to each value once. */
static bool used_from(stp_builder_t *b, const stp_ir_value_t *v, const stp_ir_block_t *block,
                      const stp_ir_op_t *at, int depth, unsigned stamp) {
  if (b->use_stamps[v->id] == stamp) return false;
  b->use_stamps[v->id] = stamp;
  for (const stp_ir_use_t *u = v->uses; u; u = u->next) {
    const stp_ir_op_t *use = op_in(u->op, block), *now = op_in(at, block);
    if (!use || !now || depth == 64) return true;
    while (now && now != use) now = now->next;
    if (now) return true;
    for (int i = 0; i < u->op->num_results; i++) {
      if (used_from(b, u->op->results[i], block, at, depth + 1, stamp)) return true;
    }
  }
  return false;
}

static bool tile_used_from(stp_builder_t *b, const stp_tval_t *t, const stp_ir_op_t *at) {
  const stp_ir_block_t *block = t->ssa->def->block;
  unsigned stamp = ++b->stamp;
  bool used = used_from(b, t->ssa, block, at, 0, stamp);
  for (int i = 0; i < t->num_also; i++) used |= used_from(b, t->also[i], block, at, 0, stamp);
  return used;
}

/* Is the load still to be done, and would a store at or before `at` change it? */
static bool endangered(stp_builder_t *b, const stp_tval_t *t, const stp_access_t *store,
                       const stp_ir_op_t *at) {
  return t->kind == STP_TV_LOAD && t->access->arg == store->arg &&
         !stp_access_apart(t->access, store) && tile_used_from(b, t, at);
}

/* Bring to LX what a store that comes now would change. */
static bool settle_loads(stp_builder_t *b, const stp_access_t *store, const stp_ir_op_t *at) {
  for (int i = 0; i < b->num_lazy; i++) {
    if (endangered(b, b->lazy[i], store, at) && !stp_build_place_load(b, at, b->lazy[i]))
      return false;
  }
  return true;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* What the cone of a value reads. */
typedef struct leaves {
  int num_loads;
  stp_tval_t *loads[STP_SPLIT_LOADS];
  bool fixed; /* holds what cannot be computed piece by piece */
} leaves_t;

static void find_leaves(stp_builder_t *b, stp_tval_t *t, leaves_t *l, unsigned stamp) {
  if (t->stamp == stamp) return;
  t->stamp = stamp;
  if (t->kind == STP_TV_LOAD) {
    if (l->num_loads == STP_SPLIT_LOADS || t->block != b->block)
      l->fixed = true;
    else
      l->loads[l->num_loads++] = t;
  }
  if (t->kind == STP_TV_CARRY || t->kind == STP_TV_PT) l->fixed = true;
  for (int i = 0; i < t->num_srcs; i++) find_leaves(b, t->srcs[i], l, stamp);
}

/* Piece by piece is the same as tile by tile. */
static bool piecewise(const stp_access_t *x, const stp_access_t *y) {
  return x->arg != y->arg || stp_access_apart(x, y) ||
         (stp_access_same(x, y) && stp_access_distinct(x));
}

static bool fits_group(const stp_builder_t *b, const leaves_t *l, const stp_tval_t *t,
                       const stp_access_t *access) {
  const stp_split_t *s = &b->split;
  if (s->num_stores == STP_SPLIT_STORES || s->num_loads + l->num_loads > STP_SPLIT_LOADS)
    return false;
  if (s->num_stores) {
    const stp_tval_t *first = s->stores[0].value;
    if (first->rank != t->rank ||
        memcmp(first->dims, t->dims, (size_t)t->rank * sizeof *t->dims) != 0)
      return false;
  }
  for (int i = 0; i < s->num_loads; i++) {
    if (!piecewise(s->loads[i]->access, access)) return false;
  }
  for (int i = 0; i < s->num_stores; i++) {
    if (!piecewise(&s->stores[i].access, access)) return false;
    for (int k = 0; k < l->num_loads; k++) {
      if (!piecewise(l->loads[k]->access, &s->stores[i].access)) return false;
    }
  }
  return true;
}

static bool in_group(const stp_split_t *s, const stp_tval_t *t) {
  for (int i = 0; i < s->num_loads; i++) {
    if (s->loads[i] == t) return true;
  }
  return false;
}

/* Does the store, or one of the group, have to wait until the group is done? */
static bool must_flush(stp_builder_t *b, const leaves_t *l, const stp_tval_t *t,
                       const stp_access_t *access, const stp_ir_op_t *op) {
  if (!fits_group(b, l, t, access)) return true;
  for (int i = 0; i < b->num_lazy; i++) {
    const stp_tval_t *x = b->lazy[i];
    bool mine = in_group(&b->split, x);
    for (int k = 0; k < l->num_loads; k++) mine |= l->loads[k] == x;
    if (!mine && !piecewise(x->access, access) && endangered(b, x, access, op)) return true;
  }
  return false;
}

bool stp_split_store(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                     const stp_access_t *access, bool *taken) {
  leaves_t l = {0};
  find_leaves(b, t, &l, ++b->stamp);
  bool large = l.num_loads > 0 || stp_split_is_large(b, op->operands[0]->type);
  *taken = large && !l.fixed && t->kind != STP_TV_BUF;
  for (int i = 0; i < l.num_loads; i++) *taken &= piecewise(l.loads[i]->access, access);
  if (!*taken) return stp_split_flush(b, op) && settle_loads(b, access, op->next);
  if (must_flush(b, &l, t, access, op)) {
    if (!stp_split_flush(b, op)) return false;
    for (int i = 0; i < b->num_lazy; i++) {
      stp_tval_t *x = b->lazy[i];
      bool mine = false;
      for (int k = 0; k < l.num_loads; k++) mine |= l.loads[k] == x;
      if (!mine && !piecewise(x->access, access) && endangered(b, x, access, op) &&
          !stp_build_place_load(b, op, x))
        return false;
    }
  }
  stp_split_t *s = &b->split;
  s->stores[s->num_stores].op = op;
  s->stores[s->num_stores].value = t;
  s->stores[s->num_stores++].access = *access;
  for (int i = 0; i < l.num_loads; i++) {
    if (!in_group(s, l.loads[i])) s->loads[s->num_loads++] = l.loads[i];
  }
  return true;
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* How a dimension of the group's tiles is cut. */
typedef struct cut {
  int64_t size, piece;
  bool whole; /* a row that is reduced or broadcast */
  int sym;    /* the loop's variable: the index of the piece's first element; -1: not cut */
} cut_t;

/* A value of the group. Labels: by its dimensions, which of the group's it is; -1: none, whole. */
typedef struct part {
  stp_tval_t *t, *piece;
  int labels[STP_IR_MAX_RANK];
  int src[3];
} part_t;

typedef struct pieces {
  stp_builder_t *b;
  const stp_split_t *group;
  int num_cuts, num_parts;
  cut_t cuts[STP_IR_MAX_RANK];
  part_t parts[MAX_PARTS];
  bool row_wise, slices; /* slices: parts of tiles that lie in LX whole are read */
} pieces_t;

static bool is_loaded(const pieces_t *p, const stp_tval_t *t) {
  return t->kind == STP_TV_LOAD || in_group(p->group, t);
}

/* Note a value and, before it, what it is computed from. Its number, or -1 if it is one too many.
 */
static int find_part(pieces_t *p, stp_tval_t *t, const int *labels) {
  size_t size = (size_t)t->rank * sizeof *labels;
  for (int i = 0; i < p->num_parts; i++) {
    if (p->parts[i].t == t && memcmp(p->parts[i].labels, labels, size) == 0) return i;
  }
  int src_labels[STP_IR_MAX_RANK], n = 0, src[3] = {0};
  for (int d = 0; d < t->rank; d++) {
    if (t->kind != STP_TV_BCAST || !(t->bcast_dims >> d & 1)) src_labels[n++] = labels[d];
  }
  /* What is reduced; and of the only element of a tensor, as a scalar, all. */
  while (n < STP_IR_MAX_RANK) src_labels[n++] = -1;
  if (t->kind == STP_TV_REDUCE && t->outer) {
    for (int d = 0; d < t->srcs[0]->rank; d++) src_labels[d] = -1;
    src_labels[t->srcs[0]->rank - 1] = labels[0];
  }
  for (int i = 0; i < t->num_srcs && !is_loaded(p, t); i++) {
    src[i] = find_part(p, t->srcs[i], src_labels);
    if (src[i] < 0) return -1;
  }
  if (t->kind == STP_TV_REDUCE || t->kind == STP_TV_BCAST) p->row_wise = true;
  if (t->kind == STP_TV_BCAST && labels[t->rank - 1] >= 0)
    p->cuts[labels[t->rank - 1]].whole = true;
  for (int d = 0; d < t->rank && t->kind == STP_TV_BUF && !is_loaded(p, t); d++)
    p->slices |= labels[d] >= 0;
  if (p->num_parts == MAX_PARTS) return -1;
  part_t *part = &p->parts[p->num_parts];
  part->t = t;
  memcpy(part->labels, labels, size);
  memcpy(part->src, src, sizeof src);
  return p->num_parts++;
}

static void part_dims(const pieces_t *p, const part_t *part, int64_t *dims) {
  for (int d = 0; d < part->t->rank; d++)
    dims[d] = part->labels[d] < 0 ? part->t->dims[d] : p->cuts[part->labels[d]].piece;
}

/* Bytes of the largest tile that the loop brings to LX, as the cuts are. */
static int64_t largest(const pieces_t *p) {
  int64_t most = 0, dims[STP_IR_MAX_RANK] = {0};
  for (int i = 0; i < p->num_parts; i++) {
    const stp_tval_t *t = p->parts[i].t;
    if (t->kind == STP_TV_BUF && !is_loaded(p, t)) continue;
    part_dims(p, &p->parts[i], dims);
    int64_t n = tile_bytes(t->elem, t->rank, dims);
    if (n > most) most = n;
  }
  return most;
}

/* The largest piece of a dimension for which all tiles are small enough, in steps of `unit`. */
static void choose_piece(pieces_t *p, cut_t *c, int64_t unit, int64_t target) {
  int64_t units = (c->size - 1) / unit + 1, lo = 1, hi = units;
  while (lo < hi) {
    int64_t mid = lo + (hi - lo + 1) / 2;
    c->piece = mid * unit;
    if (largest(p) <= target)
      lo = mid;
    else
      hi = mid - 1;
  }
  /* Better a bit smaller, if the last piece is like the others then. Of tiles in LX, no piece may
     reach past the end. */
  int64_t n = lo, least = p->slices ? 1 : (lo + 1) / 2;
  while (n > least && units % n) n--;
  c->piece = (units % n ? lo : n) * unit;
}

/* From the last dimension on: whole as long as tiles stay small; then one is cut into pieces, and
 * the ones before it into single places. */
static void choose_cuts(pieces_t *p) {
  int64_t target = p->b->plan->large < PIECE ? p->b->plan->large : PIECE;
  for (int d = 0; d < p->num_cuts; d++) p->cuts[d].piece = p->cuts[d].whole ? p->cuts[d].size : 1;
  for (int d = p->num_cuts - 1; d >= 0; d--) {
    cut_t *c = &p->cuts[d];
    if (c->whole) continue;
    c->piece = c->size;
    if (largest(p) <= target) continue;
    bool granules = !p->row_wise && d == p->num_cuts - 1 && c->size > STP_LANES16;
    choose_piece(p, c, granules ? STP_LANES16 : 1, target);
    /* Row by row, only one corelet has work. */
    if (p->row_wise && c->piece == 1 && c->size % 2 == 0) {
      c->piece = 2;
      if (largest(p) > STP_LX_BYTES / 16) c->piece = 1;
    }
    return;
  }
}

static bool fail_group(const pieces_t *p, const char *what) {
  return stp_build_error(p->b, p->group->stores[0].op, "%s", what);
}

/* The loops over the pieces; the innermost body becomes the current block. */
static bool make_loops(pieces_t *p) {
  stp_builder_t *b = p->b;
  for (int d = 0; d < p->num_cuts; d++) {
    cut_t *c = &p->cuts[d];
    c->sym = -1;
    if (c->piece >= c->size) continue;
    stp_loop_t *loop = stp_build_loop(b, p->group->stores[0].op);
    if (!loop) return false;
    loop->step = c->piece;
    loop->trip = (c->size - 1) / c->piece + 1;
    stp_sym_t sym = {.kind = STP_SYM_LOOP,
                     .index = loop->id,
                     .bounded = true,
                     .exact = true,
                     .hi = (loop->trip - 1) * c->piece,
                     .block = loop->body};
    c->sym = loop->sym = stp_plan_sym(b->plan, &sym);
    b->block = loop->body;
  }
  return !b->plan->failed;
}

/* The piece of a tile in memory. */
static bool cut_access(const pieces_t *p, const int *labels, stp_access_t *a) {
  for (int d = 0; d < a->rank; d++) {
    const cut_t *c = labels[d] < 0 ? NULL : &p->cuts[labels[d]];
    if (!c || c->sym < 0) continue;
    stp_access_dim_t *x = &a->dims[d];
    stp_lin_t at = stp_lin_sym(c->sym), by, size = stp_lin_const(c->size);
    if (stp_lin_is_const(&x->stride)) {
      if (!stp_lin_scale(&by, &at, x->stride.c)) return false;
    } else {
      by = stp_build_alu(p->b, STP_OP_MUL, &x->stride, &at);
    }
    if (!stp_lin_add(&a->offset, &a->offset, &by, 1)) return false;
    if (c->size % c->piece) {
      x->limit = x->clipped ? stp_build_alu(p->b, STP_OP_MIN, &x->limit, &size) : size;
      x->clipped = true;
    }
    x->count = c->piece;
    if (x->clipped && !stp_lin_add(&x->limit, &x->limit, &at, -1)) return false;
  }
  a->num_checks = 0; /* of the whole tile: made before */
  return !p->b->plan->failed;
}

/* Where the piece of a tile that lies in LX begins, in bytes. */
static bool slice_offset(const pieces_t *p, const part_t *part, stp_lin_t *offset) {
  const stp_buf_t *buf = part->t->buf;
  int64_t step = stp_ir_elem_bytes(buf->elem);
  *offset = part->t->offset;
  for (int d = buf->rank - 1; d >= 0; d--) {
    if (part->labels[d] >= 0 && p->cuts[part->labels[d]].sym >= 0) {
      stp_lin_t at = stp_lin_sym(p->cuts[part->labels[d]].sym);
      if (!stp_lin_add(offset, offset, &at, step)) return false;
    }
    step = d == buf->rank - 1 ? buf->pitch : step * buf->dims[d];
  }
  return true;
}

static bool make_piece(pieces_t *p, part_t *part) {
  stp_builder_t *b = p->b;
  stp_tval_t *t = part->t, *n = stp_arena_alloc(b->plan->arena, sizeof *n);
  int64_t *dims = stp_arena_array(b->plan->arena, (size_t)t->rank + 1, sizeof *dims);
  part_dims(p, part, dims);
  *n = *t;
  n->dims = dims;
  n->block = b->block;
  part->piece = n;
  for (int i = 0; i < t->num_srcs; i++) n->srcs[i] = p->parts[part->src[i]].piece;
  if (is_loaded(p, t)) {
    n->kind = STP_TV_LOAD;
    n->num_srcs = 0;
    stp_access_t *access = stp_arena_alloc(b->plan->arena, sizeof *access);
    *access = *t->access;
    n->access = access;
    return cut_access(p, part->labels, access) && stp_build_place_load(b, t->ssa->def, n);
  }
  if (t->kind == STP_TV_BUF && !slice_offset(p, part, &n->offset)) return false;
  return true;
}

static bool make_cone(pieces_t *p, part_t *part) {
  if (part->piece) return true;
  for (int i = 0; i < part->t->num_srcs && !is_loaded(p, part->t); i++) {
    if (!make_cone(p, &p->parts[part->src[i]])) return false;
  }
  return make_piece(p, part);
}

/* What a store needs, and all loads before it in the kernel. */
static bool make_pieces(pieces_t *p, const stp_ir_op_t *store, part_t *root) {
  for (int i = 0; i < p->num_parts; i++) {
    part_t *part = &p->parts[i];
    if (part->piece || !is_loaded(p, part->t)) continue;
    const stp_ir_op_t *op = part->t->ssa->def;
    while (op && op != store) op = op->next;
    if (op && !make_piece(p, part)) return false;
  }
  return make_cone(p, root);
}

static bool emit_group(pieces_t *p) {
  stp_builder_t *b = p->b;
  const stp_split_t *g = p->group;
  const stp_tval_t *first = g->stores[0].value;
  int labels[STP_IR_MAX_RANK], roots[STP_SPLIT_STORES];
  p->num_cuts = first->rank;
  for (int d = 0; d < first->rank; d++) {
    labels[d] = d;
    p->cuts[d].size = first->dims[d];
  }
  for (int i = 0; i < g->num_stores; i++) {
    roots[i] = find_part(p, g->stores[i].value, labels);
    if (roots[i] < 0) return fail_group(p, "stores an expression too large for the scheduler");
  }
  choose_cuts(p);
  if (largest(p) > STP_LX_BYTES / 4)
    return fail_group(p, "stores what is computed from rows that exceed LX");
  if (!make_loops(p)) return false;
  for (int i = 0; i < g->num_stores; i++) {
    stp_access_t access = g->stores[i].access;
    if (!make_pieces(p, g->stores[i].op, &p->parts[roots[i]]) || !cut_access(p, labels, &access)) {
      return b->plan->failed ? false : fail_group(p, "has an index that is too complex");
    }
    if (!stp_build_store_step(b, g->stores[i].op, p->parts[roots[i]].piece, &access)) return false;
  }
  return true;
}

bool stp_split_flush(stp_builder_t *b, const stp_ir_op_t *at) {
  if (!b->split.num_stores) return true;
  stp_split_t group = b->split;
  b->split.num_stores = b->split.num_loads = 0;
  for (int i = 0; i < group.num_stores; i++) {
    if (!settle_loads(b, &group.stores[i].access, at)) return false;
  }
  stp_block_t *block = b->block;
  pieces_t *p = stp_arena_alloc(b->plan->arena, sizeof *p);
  p->b = b;
  p->group = &group;
  bool ok = emit_group(p);
  b->block = block;
  return ok;
}
