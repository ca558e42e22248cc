/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices. A product is computed where it is used: the accumulators take at most 64
 * rows of 64 columns for each corelet, so that a larger one is computed part by part, and each part
 * is drained at once by the pass that uses it. Only an accumulator that a loop carries stays where
 * it is from one iteration to the next.
 */
#include <string.h>

#include "build.h"
#include "stp_isa.h"

/* ---- accumulators -------------------------------------------------------------------------- */

/* First free row of each half. */
static void free_rows(const stp_builder_t *b, int64_t base[2]) {
  base[0] = base[1] = 0;
  for (int i = 0; i < b->num_chains; i++) {
    const stp_chain_t *c = &b->chains[i];
    for (int h = 0; h < 2 && c->live; h++) {
      if (c->base[h] >= 0 && c->base[h] + c->rows > base[h]) base[h] = c->base[h] + c->rows;
    }
  }
}

static int64_t most_rows(const stp_builder_t *b) {
  int64_t base[2];
  free_rows(b, base);
  return STP_PT_ACC_ROWS - (base[0] < base[1] ? base[0] : base[1]);
}

/* Of two matrices, into one with rows and columns in their order. */
static bool is_product(const stp_ir_op_t *op) {
  return STP_OP_IN(op->kind, LINALG_MATMUL, LINALG_MATMUL_TRANSPOSE_B);
}

/* Does operand i, of loops m, n and k, have the dimensions d0 and d1? */
static bool runs_along(const stp_ir_op_t *op, int i, int d0, int d1) {
  const stp_affine_map_t *map = op->u.linalg.maps[i];
  const int dims[2] = {d0, d1};
  bool ok = map->num_results == 2;
  for (int d = 0; ok && d < 2; d++)
    ok = map->results[d]->kind == STP_AFFINE_DIM && map->results[d]->value == dims[d];
  return ok;
}

/* Does the product add to the value that the innermost loop carries, and to nothing else? */
static bool is_chain(const stp_ir_op_t *op) {
  if (!is_product(op)) return false;
  const stp_ir_value_t *out = op->u.linalg.outs[0], *r = op->results[0];
  return out->block == op->block && !out->def && out->index > 0 && out->num_uses == 1 &&
         r->num_uses == 1 && r->type->elem == STP_ELEM_F32 && r->uses->op == op->block->last &&
         op->block->last->kind == STP_OP_SCF_YIELD && r->uses->operand == out->index - 1;
}

/* Is the constant, or the first value of what a loop carries, +0 or -0? */
static bool is_zero(const stp_tval_t *t) {
  uint32_t sign = t->elem == STP_ELEM_F32 ? 0x80000000u : 0x8000u;
  return (t->kind == STP_TV_CONST || (t->kind == STP_TV_CARRY && !t->init)) &&
         (t->bits & ~sign) == 0;
}

static int products_in(const stp_ir_block_t *block) {
  int n = 0;
  for (const stp_ir_op_t *op = block->first; op; op = op->next) {
    n += STP_OP_IS_MATMUL(op->kind);
    for (int r = 0; r < op->num_regions; r++) n += op->regions[r] ? products_in(op->regions[r]) : 0;
  }
  return n;
}

void stp_build_chains(stp_builder_t *b, const stp_ir_op_t *loop) {
  const stp_ir_block_t *body = loop->regions[0];
  int others = products_in(body), mine = 0;
  for (const stp_ir_op_t *op = body->first; op; op = op->next) mine += is_chain(op);
  others -= mine;
  int64_t base[2];
  free_rows(b, base);
  /* A lone one may take either half, so that the next execution of the loop fills one while the
   * other drains. */
  bool either = mine == 1 && !others && base[0] == base[1];
  for (const stp_ir_op_t *op = body->first; op; op = op->next) {
    if (!is_chain(op) || b->num_chains == STP_PLAN_MATMULS) continue;
    const stp_ir_type_t *type = op->results[0]->type;
    const stp_tval_t *out = b->tvals[op->u.linalg.outs[0]->id];
    if (stp_ir_type_count(type) <= 0 || !out || out->kind != STP_TV_CARRY || !is_zero(out))
      continue;
    stp_matmul_t m = {.m = type->dims[0], .n = type->dims[1]};
    int64_t rows = stp_matmul_rows(&m, 0).count * stp_matmul_granules(&m, 0).count;
    free_rows(b, base);
    int h = base[1] > base[0] && base[1] + rows <= STP_PT_ACC_ROWS ? 1 : 0;
    if (base[h] + rows > STP_PT_ACC_ROWS) h ^= 1;
    if (base[h] + rows > STP_PT_ACC_ROWS) continue;
    /* What else the body multiplies needs room. */
    if (others && base[h ^ 1] > STP_PT_ACC_ROWS / 2) continue;
    stp_chain_t *c = &b->chains[b->num_chains++];
    *c = (stp_chain_t){.op = op, .rows = rows, .live = true};
    c->base[h] = (int)base[h];
    c->base[h ^ 1] = either ? (int)base[h ^ 1] : -1;
  }
}

static stp_chain_t *find_chain(stp_builder_t *b, const stp_ir_op_t *op) {
  for (int i = 0; i < b->num_chains; i++) {
    if (b->chains[i].op == op) return &b->chains[i];
  }
  return NULL;
}

void stp_build_end_chain(stp_builder_t *b, const stp_matmul_t *m) {
  for (int i = 0; i < b->num_chains; i++) {
    if (b->chains[i].op == m->op) b->chains[i].live = false;
  }
}

/* ---- the op -------------------------------------------------------------------------------- */

static bool check_operand(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t) {
  if (t->elem == STP_ELEM_F16 || t->elem == STP_ELEM_BF16) return true;
  return stp_build_error(b, op, "of '%s' operands is not supported by the scheduler yet",
                         stp_ir_elem_name(t->elem));
}

/* An operand; an extension to f32 of a 16-bit one is the same to PT. A transposition changes
 * *turned. */
static stp_tval_t *operand(stp_builder_t *b, const stp_ir_op_t *op, int i, bool *turned) {
  stp_tval_t *t = stp_build_operand(b, op, op->u.linalg.ins[i]);
  for (; t && t->kind == STP_TV_TURNED; t = t->srcs[0]) *turned = !*turned;
  if (t && t->kind == STP_TV_OP && t->op == STP_OP_VUNPACK) t = t->srcs[0];
  return t && check_operand(b, op, t) ? t : NULL;
}

static const stp_access_t *loaded_from(const stp_tval_t *t) {
  return t->kind == STP_TV_LOAD ? t->access : t->kind == STP_TV_BUF ? t->buf->access : NULL;
}

static stp_matmul_t *new_matmul(stp_builder_t *b, const stp_ir_op_t *op, const stp_tval_t *t) {
  stp_plan_t *p = b->plan;
  if (p->num_matmuls == STP_PLAN_MATMULS) {
    stp_plan_error(p, p->func->loc, "function '%s' has too many products for the scheduler",
                   p->func->name);
    return NULL;
  }
  stp_matmul_t *m = stp_arena_alloc(p->arena, sizeof *m);
  m->id = p->num_matmuls++;
  m->op = op;
  m->fmt = t->prod[0]->elem == STP_ELEM_BF16;
  m->elem = t->elem;
  m->m = t->dims[0];
  m->n = t->dims[1];
  m->k = t->prod[0]->dims[1];
  m->turned = t->turned;
  return m;
}

/* A whole operand in LX. Rows up to a whole chunk follow: zeros, if it is loaded. */
static stp_buf_t *place(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, bool chunks) {
  stp_buf_t *buf = stp_build_materialise(b, op, t);
  if (!buf || !chunks) return buf;
  int64_t rows = (buf->rows + STP_PT_ROWS - 1) / STP_PT_ROWS * STP_PT_ROWS;
  if (buf->alloc_rows < rows) buf->alloc_rows = rows;
  return buf;
}

static void choose_rows(const stp_builder_t *b, stp_matmul_t *m) {
  int64_t base[2], rows = stp_matmul_rows(m, 0).count * stp_matmul_granules(m, 0).count;
  free_rows(b, base);
  for (int h = 0; h < 2; h++) m->base[h] = base[h] + rows <= STP_PT_ACC_ROWS ? (int)base[h] : -1;
}

bool stp_build_matmul(stp_builder_t *b, const stp_ir_op_t *op) {
  if (!is_product(op)) return stp_build_error(b, op, "is not supported by the scheduler yet");
  for (int i = 0; i < 3; i++) {
    if (stp_ir_type_count(op->operands[i]->type) <= 0) {
      return stp_build_error(
          b, op, "with an empty or dynamic shape is not supported by the scheduler yet");
    }
  }
  bool a_turned = runs_along(op, 0, 2, 0), w_turned = runs_along(op, 1, 1, 2);
  if (!(a_turned || runs_along(op, 0, 0, 2)) || !(w_turned || runs_along(op, 1, 2, 1)) ||
      !runs_along(op, 2, 0, 1))
    return stp_build_error(b, op, "with these indexing maps is not supported by the scheduler yet");
  stp_tval_t *a = operand(b, op, 0, &a_turned), *w = operand(b, op, 1, &w_turned);
  if (!a || !w) return false;
  if (a_turned)
    return stp_build_error(b, op,
                           "of a transposed left matrix is not supported by the scheduler yet");
  if (a->elem != w->elem) {
    return stp_build_error(b, op,
                           "of operands of different types is not supported by the scheduler yet");
  }
  stp_tval_t *out = stp_build_operand(b, op, op->u.linalg.outs[0]);
  if (!out || !stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_tval_t *t = stp_build_tval(b, op, op->results[0], STP_TV_PT);
  t->prod[0] = a;
  t->prod[1] = w;
  t->prod_op = op;
  t->turned = w_turned;
  stp_build_macs(b, a->dims[0], t->dims[1], a->dims[1], loaded_from(a), loaded_from(w), w_turned);
  const stp_chain_t *c = find_chain(b, op);
  if (!c) {
    if (out->kind != STP_TV_CONST || !is_zero(out)) t->prod[2] = out;
    return true;
  }
  stp_buf_t *ab = place(b, op, a, false), *wb = ab ? place(b, op, w, !w_turned) : NULL;
  stp_matmul_t *m = wb ? new_matmul(b, op, t) : NULL;
  if (!m) return false;
  m->a = ab;
  m->w = wb;
  m->chain = b->block->parent->loop;
  memcpy(m->base, c->base, sizeof m->base);
  t->matmul = m;
  stp_build_step(b, STP_STEP_MATMUL, op->loc)->matmul = m;
  return true;
}

void stp_build_chain_result(stp_builder_t *b, const stp_matmul_t *m, stp_tval_t *result) {
  stp_chain_t *c = find_chain(b, m->op);
  if (c) c->result = result;
}

/* Bring sums that wait in the accumulators to LX if a product finds little room beside them. */
static bool make_room(stp_builder_t *b, const stp_ir_op_t *op) {
  for (int i = 0; i < b->num_chains && most_rows(b) < STP_PT_ACC_ROWS / 2; i++) {
    stp_chain_t *c = &b->chains[i];
    if (!c->live || !c->result || c->result->block != b->block) continue;
    if (!stp_build_materialise(b, op, c->result)) return false;
  }
  if (most_rows(b) > 0) return true;
  return stp_build_error(b, op, "finds no accumulators free, which the scheduler does not support");
}

/* ---- part by part -------------------------------------------------------------------------- */

/* Rows or columns: `count` parts of `size`, then one of `rest`. */
typedef struct pieces {
  int64_t size, count, rest;
} pieces_t;

/* As few parts as `most` allows, all of about the same size. */
static pieces_t cut(int64_t length, int64_t most, int64_t unit) {
  int64_t parts = (length + most - 1) / most, size = (length + parts - 1) / parts;
  int64_t round = (size + unit - 1) / unit * unit;
  if (round <= most) size = round;
  if (size > length) size = length;
  return (pieces_t){size, length / size, length % size};
}

typedef struct drain {
  stp_builder_t *b;
  const stp_ir_op_t *op; /* what asks for the value */
  stp_tval_t *t, *pt;
  const stp_dest_t *dest;
  bool cols;
  int order[2];    /* the outer dimension, the inner one */
  pieces_t dim[2]; /* rows, granules of columns */
  pieces_t depth;  /* steps of k */
  stp_tile_part_t part;
  struct {
    stp_tval_t *load; /* lies in memory: parts of it are loaded where they are used */
    bool panel;       /* with all of k at a time, else step by step */
    stp_buf_t *buf;
    bool mine;      /* buf holds what the part takes, and nothing else */
  } in[2];          /* left, right */
  stp_buf_t *start; /* values that the sums start from, or NULL */
} drain_t;

enum { MOST_GRANULES = 8 }; /* of a part, for each corelet: bounds the code */

/* Cycles of PT and LX-LU for 64 steps of k. */
static int64_t cost(int64_t rows, int64_t granules) {
  int64_t load = STP_LANES16 + rows, multiply = STP_PT_BLOCKS * (rows < 4 ? 4 : rows);
  return granules * (load > multiply ? load : multiply);
}

/* Sizes of the parts. Corelets split the rows, or the columns if there are few rows: then each
 * loads half of the right matrix only. */
static void choose_parts(drain_t *d, int64_t m, int64_t n, int64_t most) {
  int64_t granules = (n + STP_LANES16 - 1) / STP_LANES16, best = 0;
  for (int64_t g = 1; g <= MOST_GRANULES && g <= granules && g <= most; g++) {
    int64_t rows = 2 * (most / g), parts = (granules + g - 1) / g;
    pieces_t p = cut(m, rows, 2 * STP_PT_ROWS);
    int64_t c = p.count * parts * cost((p.size + 1) / 2, g) +
                (p.rest ? parts * cost((p.rest + 1) / 2, g) : 0);
    if (best && c >= best) continue;
    best = c;
    d->cols = false;
    d->dim[0] = p;
    d->dim[1] = cut(granules, g, 1);
  }
  if (m > most || granules < 2) return;
  int64_t g = most / m < MOST_GRANULES ? most / m : MOST_GRANULES;
  pieces_t p = cut(granules, 2 * g, 2);
  int64_t c = p.count * cost(m, (p.size + 1) / 2) + (p.rest ? cost(m, (p.rest + 1) / 2) : 0);
  if (c >= best) return;
  d->cols = true;
  d->dim[0] = (pieces_t){m, 1, 0};
  d->dim[1] = p;
}

/* A loop step whose variable counts from 0; its body becomes the current block. */
static stp_loop_t *open_loop(drain_t *d, int64_t trip, stp_lin_t *var) {
  stp_loop_t *loop = stp_build_loop(d->b, d->pt->prod_op);
  if (!loop) return NULL;
  loop->step = 1;
  loop->trip = trip;
  stp_sym_t sym = {.kind = STP_SYM_LOOP,
                   .index = loop->id,
                   .block = loop->body,
                   .bounded = true,
                   .exact = true,
                   .hi = trip - 1};
  loop->sym = stp_plan_sym(d->b->plan, &sym);
  *var = stp_lin_sym(loop->sym);
  d->b->block = loop->body;
  return loop;
}

/* ---- operands ------------------------------------------------------------------------------ */

enum {
  PANEL = STP_LX_BYTES / 8, /* bytes of an operand that are loaded at a time */
  STEP = STP_LX_BYTES / 16  /* bytes of both for a step of k */
};

/* May parts of a tile in memory be loaded where they are used, while the result is stored part by
 * part? */
static bool may_stream(const drain_t *d, const stp_tval_t *t) {
  const stp_access_t *store = d->dest->store;
  return t->kind == STP_TV_LOAD && t->block == d->b->block &&
         (!store || store->arg != t->access->arg || stp_access_apart(store, t->access));
}

/* What a loop carries from zeros on may be taken as it is: the first iteration has none. */
static bool find_start(drain_t *d) {
  stp_tval_t *t = d->pt->prod[2];
  if (!t) return true;
  if (t->kind == STP_TV_CARRY && is_zero(t) && t->block == d->b->block)
    d->start = stp_build_carry(d->b, d->op, t);
  else
    d->start = stp_build_materialise(d->b, d->pt->prod_op, t);
  return d->start != NULL;
}

static bool find_operands(drain_t *d) {
  for (int i = 0; i < 2; i++) {
    stp_tval_t *t = d->pt->prod[i];
    if (may_stream(d, t))
      d->in[i].load = t;
    else
      d->in[i].buf = place(d->b, d->pt->prod_op, t, i == 1 && !d->pt->turned);
    if (!d->in[i].load && !d->in[i].buf) return false;
  }
  return true;
}

static int64_t in_sticks(int64_t elements) {
  return (elements + STP_LANES16 - 1) / STP_LANES16 * STP_LANES16;
}

/* Which dimension goes outside, what of the operands is kept meanwhile, steps of k. */
static void choose_order(drain_t *d, int64_t k) {
  d->order[0] = d->in[1].load && !d->in[0].load;
  d->order[1] = !d->order[0];
  int64_t row = in_sticks(k) * 2, col = k * d->dim[1].size * STP_STICK_BYTES, step = 0;
  int outer = d->order[0];
  d->in[outer].panel = (outer ? col : row * d->dim[0].size) <= PANEL;
  if (d->in[0].load && !d->in[0].panel) step += d->dim[0].size * 2;
  if (d->in[1].load && !d->in[1].panel) step += d->dim[1].size * STP_STICK_BYTES;
  int64_t most = step ? STEP / step / STP_LANES16 * STP_LANES16 : k;
  d->depth = cut(k, most < STP_LANES16 ? STP_LANES16 : most, STP_LANES16);
}

/* Does k run along the operand's rows? */
static bool along_rows(const drain_t *d, int i) {
  return i == 0 || d->pt->turned;
}

/* Load the operand's part for a range of k. */
static bool load_part(drain_t *d, int i, const stp_lin_t *k, int64_t depth) {
  stp_builder_t *b = d->b;
  stp_tval_t *t = d->in[i].load;
  const stp_lin_t *at = i ? &d->part.col : &d->part.row;
  int64_t size = i ? d->part.cols : d->part.rows;
  stp_tile_part_t part = {.rows = depth, .cols = size, .row = *k, .col = *at};
  if (along_rows(d, i))
    part = (stp_tile_part_t){.rows = size, .cols = depth, .row = *at, .col = *k};
  d->in[i].buf = stp_build_load_part(b, d->pt->prod_op, t, &part);
  d->in[i].mine = true;
  if (!d->in[i].buf) return false;
  if (!along_rows(d, i))
    d->in[i].buf->alloc_rows = (depth + STP_PT_ROWS - 1) / STP_PT_ROWS * STP_PT_ROWS;
  return true;
}

/* ---- the steps of a part ------------------------------------------------------------------- */

/* Bytes from an operand's start to what the part takes from k on. */
static bool place_of(drain_t *d, int i, const stp_lin_t *k, stp_lin_t *at) {
  const stp_buf_t *buf = d->in[i].buf;
  const stp_lin_t *part = i ? &d->part.col : &d->part.row;
  bool rows = along_rows(d, i), mine = d->in[i].mine, step = mine && !d->in[i].panel;
  int64_t bytes = stp_ir_elem_bytes(buf->elem);
  *at = stp_lin_const(0);
  if (!mine && !stp_lin_add(at, at, part, rows ? buf->pitch : bytes)) goto bad;
  if (!step && !stp_lin_add(at, at, k, rows ? bytes : buf->pitch)) goto bad;
  return true;
bad:
  return stp_build_error(d->b, d->op, "has an index that is too complex");
}

/* A product of the part for k's range, with what it loads for it. */
static stp_matmul_t *multiply(drain_t *d, const stp_lin_t *k, int64_t depth) {
  for (int i = 0; i < 2; i++) {
    if (d->in[i].load && !d->in[i].panel && !load_part(d, i, k, depth)) return NULL;
  }
  stp_builder_t *b = d->b;
  stp_matmul_t *m = new_matmul(b, d->pt->prod_op, d->pt);
  if (!m) return NULL;
  m->a = d->in[0].buf;
  m->w = d->in[1].buf;
  m->m = d->part.rows;
  m->n = d->part.cols;
  m->k = depth;
  m->cols = d->cols;
  choose_rows(b, m);
  if (!place_of(d, 0, k, &m->a_at) || !place_of(d, 1, k, &m->w_at)) return NULL;
  stp_build_step(b, STP_STEP_MATMUL, d->pt->loc)->matmul = m;
  return m;
}

static bool one_part(drain_t *d) {
  stp_builder_t *b = d->b;
  stp_block_t *outer = b->block;
  const pieces_t *p = &d->depth;
  stp_lin_t k = stp_lin_const(0);
  stp_loop_t *loop = NULL;
  if (p->count > 1) {
    loop = open_loop(d, p->count, &k);
    if (!loop || !stp_lin_scale(&k, &k, p->size)) return false;
  }
  stp_matmul_t *m = multiply(d, &k, p->size);
  b->block = outer;
  if (!m) return false;
  m->chain = loop;
  m->start = d->start;
  if (d->start &&
      (!stp_lin_scale(&m->start_at, &d->part.row, d->start->pitch) ||
       !stp_lin_add(&m->start_at, &m->start_at, &d->part.col, stp_ir_elem_bytes(d->start->elem))))
    return stp_build_error(b, d->op, "has an index that is too complex");
  if (p->rest) {
    k = stp_lin_const(p->count * p->size);
    stp_matmul_t *more = multiply(d, &k, p->rest);
    if (!more) return false;
    more->acc = m;
  }
  return stp_build_one_pass(b, d->op, d->t, d->dest, &d->part, d->pt, m);
}

static bool parts(drain_t *d, int level);

/* The operand whose part this is, if it is kept for all parts of the other dimension; then those.
 */
static bool inner_parts(drain_t *d, int level) {
  int i = d->order[level];
  if (d->in[i].load && d->in[i].panel) {
    stp_lin_t zero = stp_lin_const(0);
    if (!load_part(d, i, &zero, d->pt->prod[0]->dims[1])) return false;
  }
  return parts(d, level + 1);
}

static bool parts(drain_t *d, int level) {
  if (level == 2) return one_part(d);
  stp_builder_t *b = d->b;
  int dim = d->order[level];
  const pieces_t *p = &d->dim[dim];
  int64_t unit = dim ? STP_LANES16 : 1, length = d->pt->dims[dim];
  stp_lin_t *at = dim ? &d->part.col : &d->part.row;
  int64_t *size = dim ? &d->part.cols : &d->part.rows;
  /* The last granule of the columns may be partial, which the last part has then. */
  int64_t count = p->count, rest = length - p->count * p->size * unit;
  if (rest < 0) {
    count--;
    rest += p->size * unit;
  }
  *size = p->size * unit;
  *at = stp_lin_const(0);
  stp_block_t *outer = b->block;
  if (count > 1) {
    if (!open_loop(d, count, at) || !stp_lin_scale(at, at, *size)) return false;
  }
  bool ok = count == 0 || inner_parts(d, level);
  b->block = outer;
  if (!ok || rest == 0) return ok;
  *at = stp_lin_const(count * p->size * unit);
  *size = rest;
  return inner_parts(d, level);
}

bool stp_build_drain(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, stp_tval_t *pt,
                     const stp_dest_t *dest) {
  if (pt->matmul) {
    if (!stp_build_one_pass(b, op, t, dest, NULL, pt, pt->matmul)) return false;
    stp_build_end_chain(b, pt->matmul);
    return true;
  }
  drain_t d = {.b = b, .op = op, .t = t, .pt = pt, .dest = dest};
  if (!find_operands(&d) || !find_start(&d) || !make_room(b, op)) return false;
  choose_parts(&d, pt->dims[0], pt->dims[1], most_rows(b));
  choose_order(&d, pt->prod[0]->dims[1]);
  return parts(&d, 0);
}

bool stp_build_part(stp_builder_t *b, const stp_ir_op_t *op, const stp_access_t *whole,
                    const stp_tile_part_t *part, stp_access_t *access) {
  const stp_lin_t *at[2] = {&part->row, &part->col};
  int64_t size[2] = {part->rows, part->cols};
  *access = *whole;
  for (int d = 0; d < 2; d++) {
    stp_access_dim_t *dim = &access->dims[d];
    bool ok = true;
    if (stp_lin_is_const(&dim->stride))
      ok = stp_lin_add(&access->offset, &access->offset, at[d], dim->stride.c);
    else if (stp_lin_is_const(at[d]))
      ok = stp_lin_add(&access->offset, &access->offset, &dim->stride, at[d]->c);
    else
      return stp_build_error(
          b, op,
          "of a tile that is cut along a variable stride is not supported by the scheduler yet");
    if (dim->clipped) ok = ok && stp_lin_add(&dim->limit, &dim->limit, at[d], -1);
    if (!ok) return stp_build_error(b, op, "has an index that is too complex");
    dim->count = size[d];
  }
  return true;
}

stp_buf_t *stp_build_load_part(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                               const stp_tile_part_t *part) {
  const int64_t dims[2] = {part->rows, part->cols};
  stp_access_t access;
  if (!stp_build_part(b, op, t->access, part, &access)) return NULL;
  stp_buf_t *buf = stp_build_buf(b, op, t->ssa->name, t->elem, 2, dims);
  if (!buf) return NULL;
  buf->loaded = true;
  stp_step_t *s = stp_build_step(b, STP_STEP_LOAD, t->loc);
  s->buf = buf;
  s->access = access;
  return buf;
}
