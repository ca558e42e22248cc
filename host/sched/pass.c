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
  WANT_COL   /* inner: one row for all */
} want_t;

typedef struct cone {
  stp_builder_t *b;
  const stp_ir_op_t *op;
  stp_pass_t *pass;
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
  stp_stream_t s = {t->buf, want == WANT_COL, want == WANT_ROW};
  int i = 0;
  while (i < pass->num_streams &&
         (pass->streams[i].buf != s.buf || pass->streams[i].row_bcast != s.row_bcast ||
          pass->streams[i].splat != s.splat)) {
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

static int visit_op(cone_t *c, stp_tval_t *t, want_t want, stp_node_t *n) {
  n->kind = STP_NODE_OP;
  n->op = t->op;
  n->fn = t->fn;
  n->num_srcs = t->num_srcs;
  n->row = true;
  for (int i = 0; i < t->num_srcs; i++) {
    n->src[i] = visit(c, t->srcs[i], want);
    if (n->src[i] < 0) return -1;
    const stp_node_t *s = &c->pass->nodes[n->src[i]];
    if (s->level > n->level) n->level = s->level;
    if (!s->row && s->kind != STP_NODE_CONST) n->row = false;
  }
  return add_node(c, t, want, n);
}

static int visit_reduce(cone_t *c, stp_tval_t *t, want_t want, stp_node_t *n) {
  if (want != WANT_ROW)
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
    return fail(c, t,
                "of a value that is the same along the row is not supported by the scheduler yet");
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
static bool fits(const stp_pass_t *pass, const stp_tval_t *t, want_t want) {
  if (want == WANT_FULL) return row_count(t) == pass->rows && row_length(t) == pass->inner;
  return row_count(t) * row_length(t) == (want == WANT_ROW ? pass->rows : pass->inner);
}

static int visit(cone_t *c, stp_tval_t *t, want_t want) {
  if (!fits(c->pass, t, want))
    return fail(c, t, "meets rows of another shape here, which the scheduler does not support yet");
  for (int i = 0; i < c->pass->num_nodes; i++) {
    if (c->memo[i].t == t && c->memo[i].want == want) return i;
  }
  stp_node_t n = {.elem = t->elem, .stream = -1, .bits = t->bits, .row = want == WANT_ROW};
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
    if (t->block != c->b->block)
      return fail(c, t, "is used in another block, which is not supported yet");
    if (c->pass->matmul && c->pass->matmul != t->matmul)
      return fail(c, t, "meets another product in one expression");
    c->pass->matmul = t->matmul;
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
    if (want != WANT_FULL)
      return fail(c, t, "of a broadcast is not supported by the scheduler yet");
    unsigned all = (1u << t->rank) - 1, last = 1u << (t->rank - 1);
    int src;
    if (t->bcast_dims == last)
      src = visit(c, t->srcs[0], WANT_ROW);
    else if (t->bcast_dims == (all & ~last))
      src = visit(c, t->srcs[0], WANT_COL);
    else
      return fail(c, t, "along these dimensions is not supported by the scheduler yet");
    return src;
  }
  default:
    return fail(c, t, "has a result that the scheduler cannot place yet");
  }
  return add_node(c, t, want, &n);
}

/* Find the products in the cone of `t`. Those that cannot be drained right into this pass are
 * brought to LX first. */
static bool settle_products(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, bool shared,
                            bool row_wise, const stp_matmul_t **mine) {
  if (t->kind == STP_TV_PT) {
    if (!shared && !row_wise && (!*mine || *mine == t->matmul)) {
      *mine = t->matmul;
      return true;
    }
    return stp_build_materialise(b, op, t) != NULL;
  }
  for (int i = 0; i < t->num_srcs; i++) {
    stp_tval_t *s = t->srcs[i];
    bool more = s->ssa->num_uses > 1;
    if (!settle_products(b, op, s, shared || more, row_wise, mine)) return false;
  }
  return true;
}

/* Does the cone hold a reduction or a broadcast, so that rows must be kept whole? */
static bool row_wise(const stp_tval_t *t) {
  if (t->kind == STP_TV_REDUCE || t->kind == STP_TV_BCAST) return true;
  for (int i = 0; i < t->num_srcs; i++) {
    if (row_wise(t->srcs[i])) return true;
  }
  return false;
}

/* The reduction whose row values make up a value that is not broadcast again: its source has the
 * pass's shape. */
static const stp_tval_t *reduction(const stp_tval_t *t) {
  if (t->kind == STP_TV_REDUCE) return t;
  if (t->kind == STP_TV_BCAST) return NULL;
  for (int i = 0; i < t->num_srcs; i++) {
    const stp_tval_t *r = reduction(t->srcs[i]);
    if (r) return r;
  }
  return NULL;
}

/* Reductions of rows that are not those of the pass are brought to LX first. */
static bool settle_reductions(stp_builder_t *b, const stp_ir_op_t *op, const stp_pass_t *pass,
                              stp_tval_t *t) {
  if (t->kind == STP_TV_REDUCE && !fits(pass, t->srcs[0], WANT_FULL))
    return stp_build_materialise(b, op, t) != NULL;
  for (int i = 0; i < t->num_srcs; i++) {
    if (!settle_reductions(b, op, pass, t->srcs[i])) return false;
  }
  return true;
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

bool stp_build_pass(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, stp_buf_t *buf,
                    stp_buf_t *last) {
  const stp_matmul_t *mine = NULL;
  bool rows = row_wise(t);
  if (!settle_products(b, op, t, false, rows, &mine)) return false;
  stp_pass_t *pass = stp_arena_alloc(b->plan->arena, sizeof *pass);
  const stp_tval_t *inner = reduction(t), *shape = inner ? inner->srcs[0] : t;
  pass->rows = row_count(shape);
  pass->inner = row_length(shape);
  pass->granules = (pass->inner + STP_LANES16 - 1) / STP_LANES16;
  cone_t c = {.b = b, .op = op, .pass = pass};
  if (!settle_reductions(b, op, pass, t)) return false;
  /* LX-SU puts the rows' values one after the other. */
  if (inner && buf->rows != 1) {
    fail(&c, inner, "to a tile of several rows is not supported by the scheduler yet");
    return false;
  }
  int node = visit(&c, t, inner ? WANT_ROW : WANT_FULL);
  if (node >= 0 && !inner && pass->nodes[node].row) node = spread(&c, t, node);
  if (node < 0) return false;
  pass->outs[pass->num_outs++] = (stp_out_t){node, buf, last};
  pass->lanes32 = true;
  bool per_row = inner != NULL;
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (n->elem != STP_ELEM_F32 || n->kind == STP_NODE_REDUCE) pass->lanes32 = false;
    if (n->row || n->kind == STP_NODE_REDUCE) per_row = true;
  }
  for (int i = 0; i < pass->num_streams; i++)
    per_row |= pass->streams[i].row_bcast || pass->streams[i].splat;
  pass->mode = per_row ? STP_PASS_ROW : pass->matmul ? STP_PASS_PT : STP_PASS_FLAT;
  if (per_row && pass->matmul)
    return stp_build_error(b, op, "mixes a product with rows, which is not supported yet");
  stp_build_step(b, STP_STEP_PASS,
                 op->kind == STP_OP_SCF_YIELD || op->kind == STP_OP_KTDP_STORE ? t->loc : op->loc)
      ->pass = pass;
  return true;
}

stp_buf_t *stp_build_materialise(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t) {
  if (t->kind == STP_TV_BUF) return t->buf;
  stp_buf_t *buf = stp_build_buf(b, op, t->ssa->name, t->elem, t->rank, t->dims);
  if (!buf || !stp_build_pass(b, op, t, buf, NULL)) return NULL;
  /* Later uses in this block and in loops inside it read the buffer. Uses elsewhere compute the
     value again, which a product does not allow; stp_build_pass has checked that. */
  if (t->block == b->block) {
    t->kind = STP_TV_BUF;
    t->buf = buf;
    t->num_srcs = 0;
  }
  return buf;
}
