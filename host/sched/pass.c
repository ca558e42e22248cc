/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes: the cone of elementwise ops and row reductions behind a value becomes one run of sticks
 * through SFU. Leaves are buffers in LX, accumulators of PT, and constants.
 */
#include <string.h>

#include "build.h"
#include "stp_isa.h"

/* How the shape of a value relates to the rows of the pass. */
typedef enum {
  WANT_FULL, /* rows x inner */
  WANT_ROW,  /* rows: one value per row */
  WANT_COL,  /* inner: one row for all */
  WANT_ONE   /* one element for all */
} want_t;

typedef struct cone {
  stp_builder_t *b;
  const stp_ir_op_t *op;
  stp_pass_t *pass;
  int64_t rows, inner;  /* of the whole tile */
  const stp_tval_t *pt; /* the product whose accumulators are drained, or NULL */
  bool failed;
  struct {
    const stp_tval_t *t;
    want_t want;
  } memo[STP_PASS_NODES];
} cone_t;

static int fail(cone_t *c, const stp_tval_t *t, const char *what) {
  if (!c->failed) {
    stp_plan_error(c->b->plan, t->loc, "'%s' op %s", t->op_name, what);
  }
  c->failed = true;
  return -1;
}

static int add_node(cone_t *c, const stp_tval_t *t, want_t want, const stp_node_t *node) {
  stp_pass_t *pass = c->pass;
  if (pass->num_nodes == STP_PASS_NODES)
    return fail(c, t, "belongs to an expression too large for the scheduler");
  c->memo[pass->num_nodes].t = t;
  c->memo[pass->num_nodes].want = want;
  pass->nodes[pass->num_nodes] = *node;
  return pass->num_nodes++;
}

static int add_stream(cone_t *c, const stp_tval_t *t, want_t want) {
  stp_pass_t *pass = c->pass;
  stp_stream_t s = {.buf = t->buf,
                    .at = t->offset,
                    .row_bcast = want == WANT_COL || want == WANT_ONE,
                    .splat = want == WANT_ROW || want == WANT_ONE};
  if (t->kind == STP_TV_CARRY) s.init = t->init;
  int i = 0;
  while (i < pass->num_streams &&
         (pass->streams[i].buf != s.buf || pass->streams[i].row_bcast != s.row_bcast ||
          pass->streams[i].splat != s.splat || !stp_lin_equal(&pass->streams[i].at, &s.at))) {
    i++;
  }
  if (i == pass->num_streams) {
    if (i == STP_PASS_STREAMS)
      return fail(c, t, "belongs to an expression of too many tiles for the scheduler");
    pass->streams[pass->num_streams++] = s;
  }
  return i;
}

static int visit(cone_t *c, stp_tval_t *t, want_t want);

/* Is it one value for each row, or down the columns for each granule? */
static bool per_line(const cone_t *c, want_t want) {
  return want == (c->pass->down ? WANT_COL : WANT_ROW) || want == WANT_ONE;
}

static int depth(stp_tval_t *t) {
  if (t->depth) return t->depth;
  int most = 0;
  for (int i = 0; i < t->num_srcs; i++) {
    int d = depth(t->srcs[i]);
    if (d > most) most = d;
  }
  return t->depth = most + 1;
}

static int visit_op(cone_t *c, stp_tval_t *t, want_t want, stp_node_t *n) {
  n->kind = STP_NODE_OP;
  n->op = t->op;
  n->fn = t->fn;
  n->num_srcs = t->num_srcs;
  bool row = per_line(c, want), full = false; /* of constants alone: what is wanted */
  /* The longest way first: what is made early waits in registers. Not so if PT holds SFU up. */
  int order[3] = {0, 1, 2};
  for (int i = 1; i < t->num_srcs && i < 3 && !c->pt; i++) {
    for (int k = i; k > 0 && depth(t->srcs[order[k]]) > depth(t->srcs[order[k - 1]]) + 1; k--) {
      int swap = order[k];
      order[k] = order[k - 1];
      order[k - 1] = swap;
    }
  }
  for (int k = 0; k < t->num_srcs; k++) {
    int i = order[k];
    n->src[i] = visit(c, t->srcs[i], want);
    if (n->src[i] < 0) return -1;
    const stp_node_t *s = &c->pass->nodes[n->src[i]];
    if (s->level > n->level) n->level = s->level;
    row |= s->row;
    full |= !s->row && s->kind != STP_NODE_CONST;
  }
  n->row = row && !full;
  return add_node(c, t, want, n);
}

/* A value that is the same along the row, copied to every granule of it. */
static int spread(cone_t *c, const stp_tval_t *t, int src) {
  const stp_node_t *s = &c->pass->nodes[src];
  const stp_node_t n = {.kind = STP_NODE_OP,
                        .elem = s->elem,
                        .op = STP_OP_VMOV,
                        .stream = -1,
                        .level = s->level,
                        .num_srcs = 1,
                        .src = {src}};
  return add_node(c, t, WANT_FULL, &n);
}

static int visit_reduce(cone_t *c, stp_tval_t *t, want_t want, stp_node_t *n) {
  if (want != (c->pass->down ? WANT_COL : WANT_ROW) || t->outer != c->pass->down)
    return fail(c, t, "at this place of an expression is not supported by the scheduler yet");
  n->kind = STP_NODE_REDUCE;
  n->fn = t->fn;
  n->start = t->bits;
  n->num_srcs = 1;
  n->row = true;
  n->src[0] = visit(c, t->srcs[0], WANT_FULL);
  if (n->src[0] < 0) return -1;
  const stp_node_t *s = &c->pass->nodes[n->src[0]];
  if (s->row || s->kind == STP_NODE_CONST) {
    n->src[0] = spread(c, t->srcs[0], n->src[0]);
    if (n->src[0] < 0) return -1;
    s = &c->pass->nodes[n->src[0]];
  }
  n->level = s->level + 1;
  return add_node(c, t, want, n);
}

static int64_t row_length(const stp_tval_t *t) {
  return t->rank ? t->dims[t->rank - 1] : 1;
}

static int64_t row_count(const stp_tval_t *t) {
  int64_t n = 1;
  for (int d = 0; d < t->rank - 1; d++) n *= t->dims[d];
  return n;
}

/* Has the value the rows of the pass, one element for each, or the elements of one? */
static bool fits(int64_t rows, int64_t inner, const stp_tval_t *t, want_t want) {
  if (want == WANT_FULL) return row_count(t) == rows && row_length(t) == inner;
  if (want == WANT_ONE) rows = 1;
  if (want == WANT_ONE) want = WANT_ROW;
  return row_count(t) * row_length(t) == (want == WANT_ROW ? rows : inner);
}

static int visit(cone_t *c, stp_tval_t *t, want_t want) {
  if (t->kind != STP_TV_CONST && !fits(c->rows, c->inner, t, want))
    return fail(c, t, "meets rows of another shape here, which the scheduler does not support yet");
  for (int i = 0; i < c->pass->num_nodes; i++) {
    if (c->memo[i].t == t && c->memo[i].want == want) return i;
  }
  stp_node_t n = {.elem = t->elem, .stream = -1, .bits = t->bits, .row = per_line(c, want)};
  switch (t->kind) {
  case STP_TV_CONST:
    n.kind = STP_NODE_CONST;
    break;
  case STP_TV_CARRY:
    if (want != WANT_FULL)
      return fail(c, t, "carries a value that is broadcast, which is not supported yet");
    if (!stp_build_carry(c->b, c->op, t)) {
      c->failed = true;
      return -1;
    }
    /* fall through */
  case STP_TV_LOAD:
    if (t->kind == STP_TV_LOAD && !stp_build_place_load(c->b, c->op, t)) {
      c->failed = true;
      return -1;
    }
    /* fall through */
  case STP_TV_BUF:
    n.kind = STP_NODE_STREAM;
    n.stream = add_stream(c, t, want);
    if (n.stream < 0) return -1;
    if (want == WANT_ROW && t->buf->rows != 1) {
      return fail(c, t,
                  "broadcasts a tile of several rows, which is not supported by the scheduler yet");
    }
    break;
  case STP_TV_PT:
    if (want != WANT_FULL)
      return fail(c, t, "is broadcast, which is not supported by the scheduler yet");
    if (t != c->pt) return fail(c, t, "meets another product in one expression");
    n.kind = STP_NODE_PT;
    n.elem = STP_ELEM_F32;
    if (t->elem != STP_ELEM_F32) {
      /* The accumulators round to the product's type. */
      int pt = add_node(c, NULL, want, &n);
      if (pt < 0) return -1;
      n = (stp_node_t){
          .kind = STP_NODE_OP, .elem = t->elem, .op = STP_OP_VPACK, .num_srcs = 1, .src = {pt}};
    }
    break;
  case STP_TV_OP:
    return visit_op(c, t, want, &n);
  case STP_TV_REDUCE:
    return visit_reduce(c, t, want, &n);
  case STP_TV_BCAST: {
    unsigned all = (1u << t->rank) - 1, last = all & ~(all >> 1);
    if (t->bcast_dims == all) return visit(c, t->srcs[0], c->rows > 1 ? WANT_ONE : WANT_ROW);
    if (want != WANT_FULL)
      return fail(c, t, "of a broadcast is not supported by the scheduler yet");
    if (t->bcast_dims == last) return visit(c, t->srcs[0], WANT_ROW);
    if (t->bcast_dims == (all & ~last)) return visit(c, t->srcs[0], WANT_COL);
    return fail(c, t, "along these dimensions is not supported by the scheduler yet");
  }
  default:
    return fail(c, t, "has a result that the scheduler cannot place yet");
  }
  return add_node(c, t, want, &n);
}

/* ---- products in the cone ------------------------------------------------------------------ */

/* Is the value used by something that is not in the cone? */
static bool used_elsewhere(stp_builder_t *b, stp_tval_t *root, const stp_tval_t *t) {
  return t->ssa->num_uses != 1 && t->ssa->num_uses > stp_cone_uses(b, root, t);
}

/*
 * Find the products in the cone of `root`. One can be drained right into the pass, if nothing else
 * uses it, or what is made of it on the way; the others are brought to LX first.
 */
static bool settle_products(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *root,
                            stp_tval_t *t, bool row_wise, stp_tval_t **mine, unsigned stamp) {
  if (t->kind == STP_TV_PT) {
    if (t->matmul && t->block != b->block) {
      return stp_plan_error(b->plan, t->loc,
                            "'%s' op is used in another block, which is not supported yet",
                            t->op_name);
    }
    bool shared = t != root && used_elsewhere(b, root, t);
    if (!shared && !row_wise && (!*mine || *mine == t)) {
      *mine = t;
      return true;
    }
    return stp_build_materialise(b, op, t) != NULL;
  }
  if (t->stamp_over == stamp) return true;
  t->stamp_over = stamp;
  for (int i = 0; i < t->num_srcs; i++) {
    stp_tval_t *s = t->srcs[i];
    if (!stp_cone_has(b, s, STP_TV_PT)) continue;
    if (s->kind != STP_TV_PT && s->block == b->block && used_elsewhere(b, root, s)) {
      if (!stp_build_materialise(b, op, s)) return false;
    } else if (!settle_products(b, op, root, s, row_wise, mine, stamp)) {
      return false;
    }
  }
  return true;
}

/* Reductions of rows that are not those of the pass, or down its columns if that does not do so,
 * are brought to LX first. */
static bool settle_reductions(stp_builder_t *b, const stp_ir_op_t *op, const stp_tval_t *shape,
                              bool down, stp_tval_t *t, unsigned stamp) {
  if (t->stamp_over == stamp) return true;
  t->stamp_over = stamp;
  if (t->kind == STP_TV_REDUCE &&
      (t->outer != down || !fits(row_count(shape), row_length(shape), t->srcs[0], WANT_FULL)))
    return stp_build_materialise(b, op, t) != NULL;
  for (int i = 0; i < t->num_srcs; i++) {
    if (!settle_reductions(b, op, shape, down, t->srcs[i], stamp)) return false;
  }
  return true;
}

/* Where the part begins in what the pass reads and writes. */
static bool place_part(cone_t *c, const stp_tile_part_t *part, bool whole_out) {
  stp_pass_t *pass = c->pass;
  bool ok = true;
  for (int i = 0; i < pass->num_streams; i++) {
    stp_stream_t *s = &pass->streams[i];
    int64_t bytes = stp_ir_elem_bytes(s->buf->elem);
    if (!s->row_bcast)
      ok &= stp_lin_add(&s->at, &s->at, &part->row, s->splat ? bytes : s->buf->pitch);
    if (!s->splat) ok &= stp_lin_add(&s->at, &s->at, &part->col, bytes);
  }
  for (int i = 0; i < pass->num_outs && whole_out; i++) {
    stp_out_t *o = &pass->outs[i];
    ok &= stp_lin_add(&o->at, &o->at, &part->row, o->buf->pitch) &&
          stp_lin_add(&o->at, &o->at, &part->col, stp_ir_elem_bytes(o->buf->elem));
  }
  pass->rows = part->rows;
  pass->inner = part->cols;
  return ok || stp_build_error(c->b, c->op, "has an index that is too complex");
}

static bool add_store(stp_builder_t *b, const stp_ir_op_t *op, stp_buf_t *buf,
                      const stp_dest_t *dest, const stp_tile_part_t *part) {
  stp_access_t access = *dest->store;
  if (part && !stp_build_part(b, op, dest->store, part, &access)) return false;
  stp_step_t *s = stp_build_step(b, STP_STEP_STORE, op->loc);
  s->buf = buf;
  s->access = access;
  return true;
}

bool stp_build_one_pass(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                        const stp_dest_t *dest, const stp_tile_part_t *part, const stp_tval_t *pt,
                        stp_matmul_t *matmul) {
  stp_pass_t *pass = stp_arena_alloc(b->plan->arena, sizeof *pass);
  const stp_tval_t *inner = stp_cone_reduction(b, t), *shape = inner ? inner->srcs[0] : t;
  pass->rows = row_count(shape);
  pass->inner = row_length(shape);
  pass->matmul = matmul;
  pass->cols = matmul && matmul->cols;
  pass->down = inner && inner->outer;
  pass->brief = b->plan->brief;
  cone_t c = {.b = b, .op = op, .pass = pass, .rows = pass->rows, .inner = pass->inner, .pt = pt};
  stp_buf_t *buf = dest->buf;
  if (!buf) {
    const int64_t dims[2] = {part ? part->rows : 0, part ? part->cols : 0};
    buf = stp_build_buf(b, op, t->ssa->name, t->elem, part ? 2 : t->rank, part ? dims : t->dims);
    if (!buf) return false;
  }
  /* LX-SU puts the rows' values one after the other. */
  if (inner && buf->rows != 1) {
    fail(&c, inner, "to a tile of several rows is not supported by the scheduler yet");
    return false;
  }
  int node = visit(&c, t, !inner ? WANT_FULL : inner->outer ? WANT_COL : WANT_ROW);
  if (node >= 0 && !inner && pass->nodes[node].row) node = spread(&c, t, node);
  if (node < 0) return false;
  pass->outs[pass->num_outs++] = (stp_out_t){.node = node, .buf = buf, .last = dest->last};
  if (part && !place_part(&c, part, dest->buf != NULL)) return false;
  pass->granules = (pass->inner + STP_LANES16 - 1) / STP_LANES16;
  pass->lanes32 = true;
  bool per_row = inner != NULL;
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (n->elem != STP_ELEM_F32 || n->kind == STP_NODE_REDUCE) pass->lanes32 = false;
    if (n->row || n->kind == STP_NODE_REDUCE) per_row = true;
  }
  for (int i = 0; i < pass->num_streams; i++)
    per_row |= pass->streams[i].row_bcast || pass->streams[i].splat;
  if (matmul)
    pass->mode = per_row ? STP_PASS_BLOCK : STP_PASS_PT;
  else
    pass->mode = per_row ? STP_PASS_ROW : STP_PASS_FLAT;
  stp_build_step(b, STP_STEP_PASS,
                 op->kind == STP_OP_SCF_YIELD || op->kind == STP_OP_KTDP_STORE ? t->loc : op->loc)
      ->pass = pass;
  return dest->buf || add_store(b, op, buf, dest, part);
}

bool stp_build_pass(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                    const stp_dest_t *dest) {
  stp_tval_t *mine = NULL;
  const stp_tval_t *inner = stp_cone_reduction(b, t);
  bool rows = stp_cone_row_wise(b, t);
  if (!settle_products(b, op, t, t, rows, &mine, ++b->stamp)) return false;
  if (!settle_reductions(b, op, inner ? inner->srcs[0] : t, inner && inner->outer, t, ++b->stamp))
    return false;
  if (mine) return stp_build_drain(b, op, t, mine, dest);
  return stp_build_one_pass(b, op, t, dest, NULL, NULL, NULL);
}

stp_buf_t *stp_build_materialise(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t) {
  if (t->kind == STP_TV_LOAD) return stp_build_place_load(b, op, t);
  if (t->kind == STP_TV_BUF) return t->buf;
  stp_buf_t *buf = stp_build_buf(b, op, t->ssa->name, t->elem, t->rank, t->dims);
  const stp_dest_t dest = {.buf = buf};
  if (!buf || !stp_build_pass(b, op, t, &dest)) return NULL;
  /* Later uses in this block and in loops inside it read the buffer. Uses elsewhere compute the
     value again. What a loop carries stays what it is: its yield needs that. */
  if (t->block == b->block && t->kind != STP_TV_CARRY) {
    t->kind = STP_TV_BUF;
    t->buf = buf;
    t->num_srcs = 0;
  }
  return buf;
}
