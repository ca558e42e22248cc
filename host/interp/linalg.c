/* SPDX-License-Identifier: Apache-2.0 */
/* linalg: products, sums, bodies run point by point, and the named elementwise ops. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define LANES 64

static bool is_empty(const stp_space_t *s) {
  for (int i = 0; i < s->num_loops; i++) {
    if (s->extents[i] == 0) return true;
  }
  return false;
}

static int64_t at(const stp_stream_t *stream, int num_loops, const int64_t *p) {
  int64_t i = stream->start;
  for (int k = 0; k < num_loops; k++) i += stream->strides[k] * p[k];
  return i;
}

/* The next point of the listed loops, the last one fastest; false after the last point. */
static bool step(const stp_space_t *s, const int *loops, int count, int64_t *p) {
  for (int i = count - 1; i >= 0; i--) {
    if (++p[loops[i]] < s->extents[loops[i]]) return true;
    p[loops[i]] = 0;
  }
  return false;
}

static int list_loops(const stp_ir_op_t *op, stp_ir_iter_t kind, int *loops) {
  int n = 0;
  for (int i = 0; i < op->u.linalg.num_loops; i++) {
    if (op->u.linalg.iterators[i] == kind) loops[n++] = i;
  }
  return n;
}

static bool unsupported(stp_run_t *r, const stp_ir_op_t *op, stp_ir_elem_t elem) {
  return stp_run_error(r, op, "on %s is not supported by the interpreter's numerics",
                       stp_ir_elem_name(elem));
}

/* ---- products ------------------------------------------------------------------------------- */

typedef struct {
  const struct stp_num *num;
  const uint32_t *a, *w; /* widened to f32 */
  int64_t a_step, w_step, k;
} chain_t;

/* numerics.md: chunks of eight products, ascending. */
static uint32_t chunks(const chain_t *c, uint32_t acc) {
  const uint32_t *a = c->a, *w = c->w;
  for (int64_t k = 0; k < c->k;) {
    uint32_t s = 0;
    for (int64_t end = k + 8; k < end && k < c->k; k++) {
      s = c->num->op(STP_OP_VFMA, 0, STP_FMT_F32, 0, *a, *w, s);
      a += c->a_step;
      w += c->w_step;
    }
    acc = c->num->op(STP_OP_VADD, 0, STP_FMT_F32, 0, acc, s, 0);
  }
  return acc;
}

/* numerics.md: f32 inputs, one FMA each. */
static uint32_t single(const chain_t *c, uint32_t acc) {
  for (int64_t k = 0; k < c->k; k++) {
    acc = c->num->op(STP_OP_VFMA, 0, STP_FMT_F32, 0, c->a[k * c->a_step], c->w[k * c->w_step], acc);
  }
  return acc;
}

/* 16-bit numbers, perhaps extended to f32 by an op of their own. */
static bool is_narrow(const stp_ir_value_t *v) {
  if (v->def != NULL && v->def->kind == STP_OP_ARITH_EXTF) v = v->def->operands[0];
  return v->type->elem == STP_ELEM_F16 || v->type->elem == STP_ELEM_BF16;
}

static uint32_t widen(const stp_run_t *r, stp_ir_elem_t elem, uint64_t bits) {
  return elem == STP_ELEM_F32 ? (uint32_t)bits
                              : r->num->op(STP_OP_VCVT, 0, STP_FMT_F32, (unsigned)stp_num_fmt(elem),
                                           (uint32_t)bits, 0, 0);
}

static uint64_t narrow(const stp_run_t *r, stp_ir_elem_t elem, uint32_t bits) {
  return elem == STP_ELEM_F32
             ? bits
             : r->num->op(STP_OP_VCVT, 0, (unsigned)stp_num_fmt(elem), STP_FMT_F32, bits, 0, 0);
}

static uint32_t *widen_all(stp_run_t *r, const stp_ir_op_t *op, const stp_tensor_t *t) {
  uint32_t *x = malloc((size_t)(t->count + 1) * sizeof *x);
  if (x == NULL) {
    stp_run_error(r, op, "finds no memory");
    return NULL;
  }
  for (int64_t i = 0; i < t->count; i++) x[i] = widen(r, t->elem, t->cells[i].u);
  return x;
}

static bool exact_product(stp_run_t *r, const stp_ir_op_t *op, const stp_space_t *s,
                          const int *loops, int n, stp_tensor_t *out) {
  const stp_tensor_t *ta = stp_env_tensor(r, op->operands[0]);
  const stp_tensor_t *tw = stp_env_tensor(r, op->operands[1]);
  const stp_ir_elem_t elems[3] = {ta->elem, tw->elem, out->elem};
  for (int i = 0; i < 3; i++) {
    if (stp_num_fmt(elems[i]) < 0) return unsupported(r, op, elems[i]);
  }
  uint32_t *a = widen_all(r, op, ta), *w = a != NULL ? widen_all(r, op, tw) : NULL;
  if (w != NULL) {
    bool native = is_narrow(op->operands[0]) && is_narrow(op->operands[1]);
    int k = s->num_loops - 1;
    chain_t c = {.num = r->num,
                 .a_step = s->streams[0].strides[k],
                 .w_step = s->streams[1].strides[k],
                 .k = s->extents[k]};
    int64_t p[STP_MAX_LOOPS] = {0};
    do {
      stp_cell_t *y = &out->cells[at(&s->streams[2], s->num_loops, p)];
      c.a = a + at(&s->streams[0], s->num_loops, p);
      c.w = w + at(&s->streams[1], s->num_loops, p);
      uint32_t acc = widen(r, out->elem, y->u);
      y->u = narrow(r, out->elem, native ? chunks(&c, acc) : single(&c, acc));
    } while (step(s, loops, n, p));
  }
  free(a);
  free(w);
  return w != NULL;
}

static bool run_matmul(stp_run_t *r, const stp_ir_op_t *op) {
  stp_space_t s;
  stp_tensor_t *out = NULL;
  bool ok = stp_find_space(r, op, &s) && (out = stp_new_result(r, op, 0)) != NULL;
  int loops[STP_MAX_LOOPS] = {0}, k = s.num_loops - 1;
  int n = list_loops(op, STP_ITER_PARALLEL, loops);
  bool is_float = stp_ir_elem_is_float(op->results[0]->type->elem);
  if (ok && out->count > 0 && s.extents[k] > 0) {
    if (is_float && !r->wide) {
      ok = exact_product(r, op, &s, loops, n, out);
    } else {
      int width = stp_ir_elem_bits(out->elem);
      int64_t p[STP_MAX_LOOPS] = {0};
      do {
        stp_cell_t *y = &out->cells[at(&s.streams[2], s.num_loops, p)];
        const stp_cell_t *a = s.streams[0].cells + at(&s.streams[0], s.num_loops, p);
        const stp_cell_t *w = s.streams[1].cells + at(&s.streams[1], s.num_loops, p);
        int64_t da = s.streams[0].strides[k], dw = s.streams[1].strides[k];
        for (int64_t i = 0; i < s.extents[k]; i++) {
          if (is_float) {
            y->f += a[i * da].f * w[i * dw].f;
          } else {
            const uint64_t sum = y->u + a[i * da].u * w[i * dw].u;
            y->i = stp_int_wrap(sum, width);
          }
        }
      } while (step(&s, loops, n, p));
    }
  }
  if (out != NULL) stp_env_set_obj(r, op->results[0], &out->obj);
  free(s.streams);
  return ok;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* The reduction loops in the row-major order of the source; *inner: its innermost dimension is
   among them (and is the last in the list). */
static int source_order(const stp_ir_op_t *op, int *loops, bool *inner) {
  const stp_affine_map_t *map = op->u.linalg.maps[0];
  int all[STP_MAX_LOOPS], count = list_loops(op, STP_ITER_REDUCTION, all), n = 0;
  for (int i = 0; i < count; i++) { /* loops that the source does not see repeat it */
    bool seen = false;
    for (int d = 0; d < map->num_results; d++) {
      seen = seen || (map->results[d]->kind == STP_AFFINE_DIM && map->results[d]->value == all[i]);
    }
    if (!seen) loops[n++] = all[i];
  }
  *inner = false;
  for (int d = 0; d < map->num_results; d++) {
    const stp_affine_expr_t *e = map->results[d];
    *inner = e->kind == STP_AFFINE_DIM && op->u.linalg.iterators[e->value] == STP_ITER_REDUCTION;
    if (*inner) loops[n++] = (int)e->value;
  }
  return n;
}

static uint32_t add_f32(const stp_run_t *r, uint32_t a, uint32_t b) {
  return r->num->op(STP_OP_VADD, 0, STP_FMT_F32, 0, a, b, 0);
}

static bool run_sum(stp_run_t *r, const stp_ir_op_t *op, const stp_space_t *s, stp_tensor_t *out) {
  stp_ir_elem_t elem = out->elem;
  int outer[STP_MAX_LOOPS] = {0}, loops[STP_MAX_LOOPS] = {0};
  bool inner;
  int num_outer = list_loops(op, STP_ITER_PARALLEL, outer);
  int num_loops = source_order(op, loops, &inner);
  if (!r->wide && stp_num_fmt(elem) < 0) return unsupported(r, op, elem);
  int64_t p[STP_MAX_LOOPS] = {0};
  do {
    stp_cell_t *y = &out->cells[at(&s->streams[1], s->num_loops, p)];
    uint32_t lanes[LANES] = {0};
    uint32_t acc = r->wide || inner ? 0 : widen(r, elem, y->u);
    double wide = 0;
    do {
      stp_cell_t x = s->streams[0].cells[at(&s->streams[0], s->num_loops, p)];
      if (r->wide) {
        wide += x.f;
      } else {
        uint32_t *lane = inner ? &lanes[p[loops[num_loops - 1]] % LANES] : &acc;
        *lane = add_f32(r, *lane, widen(r, elem, x.u));
      }
    } while (step(s, loops, num_loops, p));
    if (r->wide) {
      y->f += wide;
    } else {
      if (inner) {
        uint32_t sum = r->num->fold(STP_VFOLD_ADD, STP_FMT_F32, LANES, lanes);
        acc = add_f32(r, widen(r, elem, y->u), sum);
      }
      y->u = narrow(r, elem, acc);
    }
  } while (step(s, outer, num_outer, p));
  return true;
}

/* ---- bodies --------------------------------------------------------------------------------- */

static bool run_points(stp_run_t *r, const stp_ir_op_t *op, const stp_space_t *s,
                       stp_tensor_t **outs) {
  const stp_ir_block_t *body = op->u.linalg.body;
  int ins = op->u.linalg.num_ins, num_outs = op->u.linalg.num_outs;
  int loops[STP_MAX_LOOPS] = {0};
  for (int i = 0; i < s->num_loops; i++) loops[i] = i;
  int64_t p[STP_MAX_LOOPS] = {0};
  const int64_t *saved = r->point;
  r->point = p;
  bool ok = true;
  do {
    for (int k = 0; k < body->num_args; k++) {
      int64_t i = at(&s->streams[k], s->num_loops, p);
      stp_env_set_cell(r, body->args[k],
                       k < ins ? s->streams[k].cells[i] : outs[k - ins]->cells[i]);
    }
    ok = stp_run_block(r, body);
    for (int k = 0; ok && k < num_outs; k++) {
      outs[k]->cells[at(&s->streams[ins + k], s->num_loops, p)] =
          r->env[body->last->operands[k]->id].cell;
    }
  } while (ok && step(s, loops, s->num_loops, p));
  r->point = saved;
  return ok;
}

static bool run_body(stp_run_t *r, const stp_ir_op_t *op) {
  stp_space_t s;
  stp_tensor_t **outs = NULL;
  bool ok = stp_find_space(r, op, &s) && (outs = stp_new_results(r, op)) != NULL;
  if (ok && !is_empty(&s)) {
    ok = op->u.linalg.combiner == STP_OP_ARITH_ADDF ? run_sum(r, op, &s, outs[0])
                                                    : run_points(r, op, &s, outs);
  }
  for (int i = 0; outs != NULL && i < op->u.linalg.num_outs; i++) {
    stp_env_set_obj(r, op->results[i], &outs[i]->obj);
  }
  free(outs);
  free(s.streams);
  return ok;
}

/* ---- named elementwise ops, and those that only move ----------------------------------------- */

static const struct {
  stp_ir_op_kind_t kind, on_floats, on_ints, on_i1; /* NONE: not on that */
} named[] = {
    {STP_OP_LINALG_ADD, STP_OP_ARITH_ADDF, STP_OP_ARITH_ADDI, STP_OP_ARITH_ORI},
    {STP_OP_LINALG_SUB, STP_OP_ARITH_SUBF, STP_OP_ARITH_SUBI, STP_OP_NONE},
    {STP_OP_LINALG_MUL, STP_OP_ARITH_MULF, STP_OP_ARITH_MULI, STP_OP_ARITH_ANDI},
    {STP_OP_LINALG_DIV, STP_OP_ARITH_DIVF, STP_OP_ARITH_DIVSI, STP_OP_NONE},
    {STP_OP_LINALG_DIV_UNSIGNED, STP_OP_NONE, STP_OP_ARITH_DIVUI, STP_OP_NONE},
    {STP_OP_LINALG_MAX, STP_OP_ARITH_MAXIMUMF, STP_OP_ARITH_MAXSI, STP_OP_NONE},
    {STP_OP_LINALG_MIN, STP_OP_ARITH_MINIMUMF, STP_OP_ARITH_MINSI, STP_OP_NONE},
    {STP_OP_LINALG_POWF, STP_OP_MATH_POWF, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_SELECT, STP_OP_ARITH_SELECT, STP_OP_ARITH_SELECT, STP_OP_ARITH_SELECT},
    {STP_OP_LINALG_EXP, STP_OP_MATH_EXP, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_LOG, STP_OP_MATH_LOG, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_ABS, STP_OP_MATH_ABSF, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_CEIL, STP_OP_MATH_CEIL, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_FLOOR, STP_OP_MATH_FLOOR, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_NEGF, STP_OP_ARITH_NEGF, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_RECIPROCAL, STP_OP_ARITH_DIVF, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_SQUARE, STP_OP_ARITH_MULF, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_SQRT, STP_OP_MATH_SQRT, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_RSQRT, STP_OP_MATH_RSQRT, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_TANH, STP_OP_MATH_TANH, STP_OP_NONE, STP_OP_NONE},
    {STP_OP_LINALG_ERF, STP_OP_MATH_ERF, STP_OP_NONE, STP_OP_NONE},
};

static stp_ir_op_kind_t plain_kind(stp_ir_op_kind_t kind, stp_ir_elem_t elem) {
  for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
    if (named[i].kind == kind) {
      return stp_ir_elem_is_float(elem) ? named[i].on_floats
             : elem == STP_ELEM_I1      ? named[i].on_i1
                                        : named[i].on_ints;
    }
  }
  return STP_OP_NONE;
}

static bool run_named(stp_run_t *r, const stp_ir_op_t *op, const stp_space_t *s,
                      stp_tensor_t *out) {
  stp_row_t row = {.kind = plain_kind(op->kind, out->elem),
                   .from = out->elem,
                   .to = out->elem,
                   .count = out->count,
                   .out = out->cells};
  if (row.kind == STP_OP_NONE) return unsupported(r, op, out->elem);
  int ins = op->u.linalg.num_ins;
  for (int i = 0; i < ins; i++) {
    row.in[i] = s->streams[i].cells;
    row.step[i] = op->operands[i]->type->kind == STP_TYPE_TENSOR;
  }
  stp_cell_t one = {0};
  if (op->kind == STP_OP_LINALG_SQUARE) {
    row.in[1] = row.in[0];
    row.step[1] = row.step[0];
  } else if (op->kind == STP_OP_LINALG_RECIPROCAL) {
    if (stp_num_fmt(out->elem) < 0) return unsupported(r, op, out->elem);
    if (r->wide)
      one.f = 1;
    else
      one.u = stp_cell_from_double(out->elem, 1);
    row.in[1] = row.in[0];
    row.step[1] = row.step[0];
    row.in[0] = &one;
    row.step[0] = 0;
  }
  return stp_run_row(r, op, &row);
}

static bool run_plain(stp_run_t *r, const stp_ir_op_t *op) {
  stp_space_t s;
  stp_tensor_t *out = NULL;
  bool ok = stp_find_space(r, op, &s) && (out = stp_new_result(r, op, 0)) != NULL;
  if (ok && !is_empty(&s)) {
    bool moves = op->kind == STP_OP_LINALG_COPY || op->kind == STP_OP_LINALG_FILL ||
                 op->kind == STP_OP_LINALG_BROADCAST || op->kind == STP_OP_LINALG_TRANSPOSE;
    if (!moves) {
      ok = run_named(r, op, &s, out);
    } else {
      int loops[STP_MAX_LOOPS] = {0};
      int64_t p[STP_MAX_LOOPS] = {0}, next = 0; /* outputs are the loops in order */
      for (int i = 0; i < s.num_loops; i++) loops[i] = i;
      do {
        out->cells[next++] = s.streams[0].cells[at(&s.streams[0], s.num_loops, p)];
      } while (step(&s, loops, s.num_loops, p));
    }
  }
  if (out != NULL) stp_env_set_obj(r, op->results[0], &out->obj);
  free(s.streams);
  return ok;
}

bool stp_run_linalg(stp_run_t *r, const stp_ir_op_t *op) {
  if (STP_OP_IS_MATMUL(op->kind)) return run_matmul(r, op);
  return op->u.linalg.body != NULL ? run_body(r, op) : run_plain(r, op);
}
