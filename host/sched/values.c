/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops that compute float values: constants, elementwise ops on tensors and scalars, reductions,
 * broadcasts, linalg.generic. They add nothing to the plan: a description of the value is kept
 * until something needs it. A scalar is a tensor of no dimensions.
 */
#include <string.h>

#include "build.h"
#include "stp_isa.h"

static bool unsupported(stp_builder_t *b, const stp_ir_op_t *op) {
  return stp_build_error(b, op, "is not supported by the scheduler yet");
}

static stp_tval_t *make_op(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v,
                           unsigned opcode, unsigned fn) {
  stp_tval_t *t = stp_build_tval(b, op, v, STP_TV_OP);
  t->op = opcode;
  t->fn = fn;
  return t;
}

/* `src` repeated along the dimensions of the set. `v`: the value of which this is a description. */
static stp_tval_t *make_broadcast(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v,
                                  stp_tval_t *src, unsigned dims) {
  bool constant = src->kind == STP_TV_CONST;
  stp_tval_t *t = stp_build_tval(b, op, v, constant ? STP_TV_CONST : STP_TV_BCAST);
  t->elem = src->elem;
  t->bits = src->bits;
  t->bcast_dims = dims;
  if (constant) return t;
  t->num_srcs = 1;
  t->srcs[0] = src;
  return t;
}

static unsigned all_dims(int rank) {
  return (1u << rank) - 1;
}

/* ---- elementwise ------------------------------------------------------------------------- */

typedef struct elementwise {
  stp_ir_op_kind_t kind;
  unsigned op, fn;
} elementwise_t;

static const elementwise_t elementwise_table[] = {
    {STP_OP_ARITH_ADDF, STP_OP_VADD, 0},
    {STP_OP_ARITH_SUBF, STP_OP_VSUB, 0},
    {STP_OP_ARITH_MULF, STP_OP_VMUL, 0},
    {STP_OP_ARITH_DIVF, STP_OP_VDIV, 0},
    {STP_OP_ARITH_MAXIMUMF, STP_OP_VMAX, 0},
    {STP_OP_ARITH_MINIMUMF, STP_OP_VMIN, 0},
    {STP_OP_ARITH_MAXNUMF, STP_OP_VMAXNUM, 0},
    {STP_OP_ARITH_MINNUMF, STP_OP_VMINNUM, 0},
    {STP_OP_ARITH_NEGF, STP_OP_VNEG, 0},
    {STP_OP_MATH_ABSF, STP_OP_VABS, 0},
    {STP_OP_MATH_EXP, STP_OP_VFUNC, STP_VFUNC_EXP},
    {STP_OP_MATH_EXP2, STP_OP_VFUNC, STP_VFUNC_EXP2},
    {STP_OP_MATH_LOG, STP_OP_VFUNC, STP_VFUNC_LOG},
    {STP_OP_MATH_LOG2, STP_OP_VFUNC, STP_VFUNC_LOG2},
    {STP_OP_MATH_RSQRT, STP_OP_VFUNC, STP_VFUNC_RSQRT},
    {STP_OP_MATH_TANH, STP_OP_VFUNC, STP_VFUNC_TANH},
    {STP_OP_MATH_ERF, STP_OP_VFUNC, STP_VFUNC_ERF},
    {STP_OP_MATH_SIN, STP_OP_VFUNC, STP_VFUNC_SIN},
    {STP_OP_MATH_COS, STP_OP_VFUNC, STP_VFUNC_COS},
    {STP_OP_MATH_FMA, STP_OP_VFMA, 0},
    {STP_OP_MATH_SQRT, STP_OP_VSQRT, 0},
    {STP_OP_LINALG_ADD, STP_OP_VADD, 0},
    {STP_OP_LINALG_SUB, STP_OP_VSUB, 0},
    {STP_OP_LINALG_MUL, STP_OP_VMUL, 0},
    {STP_OP_LINALG_DIV, STP_OP_VDIV, 0},
    {STP_OP_LINALG_MAX, STP_OP_VMAX, 0},
    {STP_OP_LINALG_MIN, STP_OP_VMIN, 0},
    {STP_OP_LINALG_NEGF, STP_OP_VNEG, 0},
    {STP_OP_LINALG_ABS, STP_OP_VABS, 0},
    {STP_OP_LINALG_EXP, STP_OP_VFUNC, STP_VFUNC_EXP},
    {STP_OP_LINALG_LOG, STP_OP_VFUNC, STP_VFUNC_LOG},
    {STP_OP_LINALG_RSQRT, STP_OP_VFUNC, STP_VFUNC_RSQRT},
    {STP_OP_LINALG_TANH, STP_OP_VFUNC, STP_VFUNC_TANH},
    {STP_OP_LINALG_ERF, STP_OP_VFUNC, STP_VFUNC_ERF},
    {STP_OP_LINALG_RECIPROCAL, STP_OP_VFUNC, STP_VFUNC_RECIPROCAL},
    {STP_OP_LINALG_SQRT, STP_OP_VSQRT, 0},
    {STP_OP_LINALG_SQUARE, STP_OP_VMUL, 0},
};

/* The instruction of an op, and its function; 0: there is none. */
static unsigned find_opcode(const stp_ir_op_t *op, stp_ir_elem_t from, unsigned *fn) {
  stp_ir_elem_t to = op->results[0]->type->elem;
  bool narrow_from = from == STP_ELEM_F16 || from == STP_ELEM_BF16;
  bool narrow_to = to == STP_ELEM_F16 || to == STP_ELEM_BF16;
  *fn = 0;
  switch (op->kind) {
  case STP_OP_ARITH_EXTF:
  case STP_OP_ARITH_TRUNCF:
  case STP_OP_ARITH_CONVERTF:
    if (narrow_from && to == STP_ELEM_F32) return STP_OP_VUNPACK;
    if (from == STP_ELEM_F32 && narrow_to) return STP_OP_VPACK;
    return narrow_from && narrow_to ? STP_OP_VCVT : 0;
  case STP_OP_ARITH_CMPF:
    *fn = op->u.cmpf == STP_CMPF_FALSE ? STP_VCMP_FALSE : (unsigned)op->u.cmpf - 1;
    return STP_OP_VCMP;
  case STP_OP_ARITH_SELECT:
    return STP_OP_VSEL;
  default:
    break;
  }
  for (size_t i = 0; i < sizeof elementwise_table / sizeof elementwise_table[0]; i++) {
    if (elementwise_table[i].kind != op->kind) continue;
    *fn = elementwise_table[i].fn;
    return elementwise_table[i].op;
  }
  return 0;
}

/* An operand. In the body of a linalg.generic, a scalar from outside is the same everywhere. */
static stp_tval_t *float_operand(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v) {
  stp_tval_t *t = stp_build_operand(b, op, v);
  if (!t || !b->shape || t->rank == b->shape->rank) return t;
  stp_tval_t *kept = b->tvals[v->id], *spread;
  spread = make_broadcast(b, op, v, t, all_dims(b->shape->rank));
  b->tvals[v->id] = kept;
  return spread;
}

static bool build_elementwise(stp_builder_t *b, const stp_ir_op_t *op, stp_ir_value_t **ins,
                              int num_ins) {
  const stp_ir_value_t *v = op->results[0];
  unsigned fn, opcode = find_opcode(op, ins[0]->type->elem, &fn);
  if (!opcode) return unsupported(b, op);
  bool compares = opcode == STP_OP_VCMP;
  if (!stp_build_check_tensor(b, op, compares ? ins[0]->type : v->type)) return false;
  stp_tval_t *srcs[3] = {NULL, NULL, NULL};
  for (int i = 0; i < num_ins; i++) {
    /* A condition that is no comparison of floats has no description. */
    if (!b->tvals[ins[i]->id] && ins[i]->type->elem == STP_ELEM_I1 && b->has_lin[ins[i]->id])
      return stp_build_error(b, op, "by an integer is not supported by the scheduler yet");
    srcs[i] = float_operand(b, op, ins[i]);
    if (!srcs[i]) return false;
  }
  if (opcode == STP_OP_VSEL &&
      (!srcs[0] || srcs[0]->kind != STP_TV_OP || srcs[0]->op != STP_OP_VCMP ||
       stp_ir_elem_bytes(srcs[0]->elem) != stp_ir_elem_bytes(v->type->elem))) {
    return stp_build_error(
        b, op,
        "needs a condition that is a comparison of values of the same width; others are not "
        "supported by the scheduler yet");
  }
  stp_tval_t *t = make_op(b, op, v, opcode, fn);
  /* A comparison's lanes are as wide as what is compared. */
  if (compares) t->elem = ins[0]->type->elem;
  t->num_srcs = num_ins;
  if (op->kind == STP_OP_LINALG_SQUARE) srcs[t->num_srcs++] = srcs[0];
  memcpy(t->srcs, srcs, sizeof srcs);
  return true;
}

/* ---- constants and scalars ------------------------------------------------------------------- */

static bool build_const(stp_builder_t *b, const stp_ir_op_t *op, uint32_t bits) {
  if (!stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_build_tval(b, op, op->results[0], STP_TV_CONST)->bits = bits;
  return true;
}

static bool build_constant(stp_builder_t *b, const stp_ir_op_t *op) {
  const stp_ir_dense_t *c = op->u.constant;
  const stp_ir_value_t *v = op->results[0];
  if (v->type->kind == STP_TYPE_SCALAR && stp_ir_elem_is_int(v->type->elem)) {
    b->lins[v->id] = stp_lin_const((int64_t)c->bits[0]);
    b->has_lin[v->id] = true;
    return true;
  }
  bool splat = c->splat;
  for (int64_t i = 1; !splat && i <= c->count; i++) {
    if (i == c->count)
      splat = true;
    else if (c->bits[i] != c->bits[0])
      break;
  }
  if (!splat)
    return stp_build_error(b, op, "with different elements is not supported by the scheduler yet");
  return build_const(b, op, (uint32_t)c->bits[0]);
}

static bool build_splat(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *scalar) {
  const stp_ir_value_t *v = op->results[0];
  if (!stp_build_check_tensor(b, op, v->type)) return false;
  stp_tval_t *src = stp_build_operand(b, op, scalar);
  return src && make_broadcast(b, op, v, src, all_dims(v->type->rank)) != NULL;
}

/* The only element of a tensor. */
static bool build_extract(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_tval_t *src = stp_build_operand(b, op, op->operands[0]);
  if (!src) return false;
  if (stp_ir_type_count(op->operands[0]->type) != 1)
    return stp_build_error(
        b, op, "from a tensor of more than one element is not supported by the scheduler yet");
  for (int i = 1; i < op->num_operands; i++) {
    stp_lin_t index;
    if (!stp_build_lin(b, op, op->operands[i], &index)) return false;
    if (!stp_lin_is_const(&index) || index.c != 0)
      return stp_build_error(b, op,
                             "at an index that is not known to be 0 is out of bounds or not "
                             "supported by the scheduler yet");
  }
  b->tvals[op->results[0]->id] = src;
  return true;
}

/* A known integer as a float. */
static bool build_from_integer(stp_builder_t *b, const stp_ir_op_t *op) {
  const stp_ir_value_t *from = op->operands[0], *v = op->results[0];
  if (v->type->kind != STP_TYPE_SCALAR) return unsupported(b, op);
  stp_lin_t lin;
  if (!stp_build_lin(b, op, from, &lin)) return false;
  /* A signed i1 is 0 or -1, and kept as 0 or 1. */
  if (op->kind == STP_OP_ARITH_SITOFP && from->type->elem == STP_ELEM_I1 &&
      !stp_lin_scale(&lin, &lin, -1)) {
    return false;
  }
  const int64_t exact = (int64_t)1 << 53;
  if (!stp_lin_is_const(&lin) || lin.c > exact || lin.c < -exact ||
      (op->kind == STP_OP_ARITH_UITOFP && lin.c < 0)) {
    return stp_build_error(
        b, op,
        "of an integer that is not known at compile time is not supported by the scheduler "
        "yet");
  }
  return build_const(b, op, (uint32_t)stp_float_to_bits(v->type->elem, (double)lin.c));
}

/* ---- reductions and broadcasts -----------------------------------------------------------------
 */

static int fold_function(stp_ir_op_kind_t combiner) {
  switch (combiner) {
  case STP_OP_ARITH_ADDF:
    return STP_VFOLD_ADD;
  case STP_OP_ARITH_MAXIMUMF:
    return STP_VFOLD_MAX;
  case STP_OP_ARITH_MINIMUMF:
    return STP_VFOLD_MIN;
  case STP_OP_ARITH_MAXNUMF:
    return STP_VFOLD_MAXNUM;
  case STP_OP_ARITH_MINNUMF:
    return STP_VFOLD_MINNUM;
  default:
    return -1;
  }
}

/* A reduction of `src` along its last dimension, or along all others (outer). */
static bool reduce(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *src, bool outer) {
  int fn = fold_function(op->u.linalg.combiner);
  stp_tval_t *start = stp_build_operand(b, op, op->u.linalg.outs[0]);
  if (!start) return false;
  if (fn < 0)
    return stp_build_error(b, op, "with this combiner is not supported by the scheduler yet");
  if (start->kind != STP_TV_CONST) {
    return stp_build_error(
        b, op,
        "with an initial value that is not a constant is not supported by the scheduler yet");
  }
  if (!stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_tval_t *t = stp_build_tval(b, op, op->results[0], STP_TV_REDUCE);
  t->fn = (unsigned)fn;
  t->outer = outer;
  t->bits = start->bits;
  t->num_srcs = 1;
  t->srcs[0] = src;
  return true;
}

static bool build_reduce(stp_builder_t *b, const stp_ir_op_t *op) {
  if (op->u.linalg.num_ins != 1) return unsupported(b, op);
  stp_tval_t *src = stp_build_operand(b, op, op->u.linalg.ins[0]);
  if (!src) return false;
  unsigned dims = 0, last = 1u << (src->rank - 1);
  for (int i = 0; i < op->u.linalg.num_dims; i++) dims |= 1u << op->u.linalg.dims[i];
  if (dims != last && dims != last - 1) {
    return stp_build_error(b, op,
                           "along dimensions other than the last one, or all but the last one, is "
                           "not supported by the scheduler yet");
  }
  return reduce(b, op, src, dims != last);
}

static bool build_broadcast(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_tval_t *src = stp_build_operand(b, op, op->u.linalg.ins[0]);
  if (!src || !stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  unsigned dims = 0;
  for (int i = 0; i < op->u.linalg.num_dims; i++) dims |= 1u << op->u.linalg.dims[i];
  make_broadcast(b, op, op->results[0], src, dims);
  return true;
}

/* ---- linalg.generic and linalg.map -------------------------------------------------------------
 */

/* The loops that an operand's map names, which must be in ascending order. */
static bool map_loops(const stp_affine_map_t *map, unsigned *loops) {
  int64_t last = -1;
  *loops = 0;
  for (int i = 0; i < map->num_results; i++) {
    const stp_affine_expr_t *e = map->results[i];
    if (e->kind != STP_AFFINE_DIM || e->value <= last) return false;
    last = e->value;
    *loops |= 1u << last;
  }
  return true;
}

/* The value that an op yields as a value of its own. */
static void take_yield(stp_builder_t *b, const stp_ir_op_t *op, const stp_tval_t *y) {
  stp_tval_t *t = stp_build_tval(b, op, op->results[0], y->kind);
  if (y->kind == STP_TV_CONST) {
    t->bits = y->bits;
    return;
  }
  if (y->kind == STP_TV_OP || y->kind == STP_TV_BCAST) {
    const stp_tval_t own = *t;
    *t = *y;
    t->ssa = own.ssa;
    t->loc = own.loc;
    t->op_name = own.op_name;
    return;
  }
  t->kind = STP_TV_OP;
  t->op = STP_OP_VMOV;
  t->num_srcs = 1;
  t->srcs[0] = b->tvals[y->ssa->id];
}

static bool build_generic_op(stp_builder_t *b, const stp_ir_op_t *op) {
  if (op->kind == STP_OP_ARITH_CONSTANT) return build_constant(b, op);
  if (!STP_OP_IS_ELEMENTWISE(op->kind)) return unsupported(b, op);
  return build_elementwise(b, op, op->operands, op->num_operands);
}

static bool build_generic(stp_builder_t *b, const stp_ir_op_t *op) {
  int n = op->u.linalg.num_loops, num_ins = op->u.linalg.num_ins;
  const stp_ir_block_t *body = op->u.linalg.body;
  unsigned loops, all = all_dims(n);
  if (op->num_results != 1 || op->u.linalg.num_outs != 1) return unsupported(b, op);
  unsigned reduced = 0, last = all & ~(all >> 1);
  for (int i = 0; i < n; i++)
    reduced |= op->u.linalg.iterators[i] == STP_ITER_REDUCTION ? 1u << i : 0;
  if (!map_loops(op->u.linalg.maps[num_ins], &loops) || loops != (all & ~reduced) ||
      (reduced && reduced != last && reduced != (all & ~last))) {
    return stp_build_error(b, op,
                           "with these iterators and maps is not supported by the scheduler yet");
  }
  const stp_ir_type_t *outer = b->shape, *shape = op->results[0]->type;
  if (reduced) {
    stp_tval_t *src = num_ins == 1 ? stp_build_operand(b, op, op->u.linalg.ins[0]) : NULL;
    if (num_ins == 1 && !src) return false;
    if (!src || !map_loops(op->u.linalg.maps[0], &loops) || loops != all)
      return stp_build_error(b, op,
                             "that reduces several operands is not supported by the scheduler yet");
    return reduce(b, op, src, reduced != last);
  }
  if (!stp_build_check_tensor(b, op, shape)) return false;
  for (int i = 0; i < body->num_args; i++) {
    const stp_ir_value_t *v = i < num_ins ? op->u.linalg.ins[i] : op->u.linalg.outs[0],
                         *arg = body->args[i];
    if (i >= num_ins && arg->num_uses == 0) continue;
    stp_tval_t *src = stp_build_operand(b, op, v);
    if (!src) return false;
    if (!map_loops(op->u.linalg.maps[i], &loops))
      return stp_build_error(b, op, "with these maps is not supported by the scheduler yet");
    b->tvals[arg->id] = src;
    if (loops == all) continue;
    b->shape = shape;
    make_broadcast(b, op, arg, src, all & ~loops);
    b->shape = outer;
  }
  bool ok = true;
  b->shape = shape;
  for (const stp_ir_op_t *i = body->first; ok && i != body->last; i = i->next)
    ok = build_generic_op(b, i);
  stp_tval_t *y = ok ? float_operand(b, op, body->last->operands[0]) : NULL;
  b->shape = outer;
  if (y) take_yield(b, op, y);
  return y != NULL;
}

/* LX-LU transposes what goes to PT; nothing else does. */
static bool build_transpose(stp_builder_t *b, const stp_ir_op_t *op) {
  const stp_ir_value_t *v = op->results[0];
  if (v->type->rank != 2 || op->u.linalg.dims[0] == 0) return unsupported(b, op);
  for (const stp_ir_use_t *use = v->uses; use; use = use->next) {
    if (STP_OP_IS_MATMUL(use->op->kind) && use->operand < use->op->u.linalg.num_ins) continue;
    return stp_build_error(
        b, op, "of anything but an operand of a product is not supported by the scheduler yet");
  }
  stp_tval_t *src = stp_build_operand(b, op, op->u.linalg.ins[0]);
  if (!src) return false;
  stp_tval_t *t = stp_build_tval(b, op, v, STP_TV_TURNED);
  t->srcs[t->num_srcs++] = src;
  return true;
}

bool stp_build_value(stp_builder_t *b, const stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_ARITH_CONSTANT:
    return build_constant(b, op);
  case STP_OP_ARITH_SITOFP:
  case STP_OP_ARITH_UITOFP:
    return build_from_integer(b, op);
  case STP_OP_TENSOR_EMPTY:
    return build_const(b, op, 0);
  case STP_OP_TENSOR_SPLAT:
    return build_splat(b, op, op->operands[0]);
  case STP_OP_TENSOR_EXTRACT:
    return build_extract(b, op);
  case STP_OP_LINALG_FILL:
    return build_splat(b, op, op->u.linalg.ins[0]);
  case STP_OP_LINALG_REDUCE:
    return build_reduce(b, op);
  case STP_OP_LINALG_BROADCAST:
    return build_broadcast(b, op);
  case STP_OP_LINALG_TRANSPOSE:
    return build_transpose(b, op);
  case STP_OP_LINALG_GENERIC:
  case STP_OP_LINALG_MAP:
    return build_generic(b, op);
  default:
    break;
  }
  if (STP_OP_IS_ELEMENTWISE(op->kind))
    return build_elementwise(b, op, op->operands, op->num_operands);
  if (STP_OP_IS_LINALG_ELEMENTWISE(op->kind))
    return build_elementwise(b, op, op->u.linalg.ins, op->u.linalg.num_ins);
  return unsupported(b, op);
}
