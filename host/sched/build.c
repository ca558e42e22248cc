/* SPDX-License-Identifier: Apache-2.0 */
/* From IR to plan: walks the ops in program order, keeps what is known of every value, and adds
 * steps. */
#include "build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stp_isa.h"

bool stp_plan_error(stp_plan_t *p, stp_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(p->arena, format, args);
  va_end(args);
  stp_diags_add(p->diags, STP_DIAG_ERROR, loc, "%s", message);
  p->failed = true;
  return false;
}

bool stp_build_error(stp_builder_t *b, const stp_ir_op_t *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(b->plan->arena, format, args);
  va_end(args);
  return stp_plan_error(b->plan, op->loc, "'%s' op %s", stp_ir_op_name(op->kind), message);
}

int stp_plan_sym(stp_plan_t *p, const stp_sym_t *sym) {
  if (p->num_syms == STP_PLAN_SYMS) {
    stp_plan_error(p, p->func->loc, "function '%s' has too much index arithmetic for the scheduler",
                   p->func->name);
    return 0;
  }
  p->syms[p->num_syms] = *sym;
  return p->num_syms++;
}

stp_frame_t *stp_build_frame(stp_builder_t *b, stp_block_t *scope) {
  stp_plan_t *p = b->plan;
  if (scope->frame) return scope->frame;
  if (p->num_frames == STP_PLAN_FRAMES) {
    stp_plan_error(p, p->func->loc, "function '%s' has too many loops for the scheduler",
                   p->func->name);
    return NULL;
  }
  stp_frame_t *f = stp_arena_alloc(p->arena, sizeof *f);
  f->scope = scope;
  p->frames[p->num_frames++] = f;
  scope->frame = f;
  stp_sym_t ring = {.kind = STP_SYM_RING, .index = p->num_frames - 1, .block = scope};
  f->ring = stp_plan_sym(p, &ring);
  return f;
}

stp_buf_t *stp_build_buf(stp_builder_t *b, const stp_ir_op_t *op, const char *name,
                         stp_ir_elem_t elem, int rank, const int64_t *dims) {
  stp_plan_t *p = b->plan;
  if (p->num_bufs == STP_PLAN_BUFS) {
    stp_plan_error(p, p->func->loc, "function '%s' has too many tiles for the scheduler",
                   p->func->name);
    return NULL;
  }
  stp_buf_t *buf = stp_arena_alloc(p->arena, sizeof *buf);
  buf->id = p->num_bufs;
  buf->name = name;
  buf->elem = elem;
  buf->rank = rank;
  buf->rows = 1;
  for (int d = 0; d < rank; d++) {
    buf->dims[d] = dims[d];
    /* stp_build_check_tensor() has found that the number of elements fits 64 bits. */
    if (d < rank - 1) buf->rows *= dims[d];
  }
  buf->inner = rank ? dims[rank - 1] : 1;
  buf->granules = (buf->inner - 1) / STP_LANES16 + 1;
  buf->alloc_rows = buf->rows;
  int64_t bytes, pitch;
  if (__builtin_mul_overflow(buf->granules, STP_LANES16 * stp_ir_elem_bytes(elem), &pitch) ||
      __builtin_mul_overflow(buf->rows, pitch, &bytes) || bytes > STP_LX_BYTES) {
    p->lx_full = true;
    stp_build_error(b, op,
                    "needs a whole tile in LX that exceeds it, which the scheduler cannot split");
    return NULL;
  }
  buf->pitch = pitch;
  buf->frame = stp_build_frame(b, b->block);
  if (!buf->frame) return NULL;
  p->bufs[p->num_bufs++] = buf;
  return buf;
}

/* The buffer has a frame of its own, since it changes hands at other times than those of the loop's
 * body. */
stp_buf_t *stp_build_carry(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t) {
  if (t->buf) return t->buf;
  stp_block_t *block = b->block;
  stp_frame_t *frame = t->block->frame;
  t->block->frame = NULL;
  b->block = t->block;
  t->buf = stp_build_buf(b, op, t->ssa->name, t->elem, t->rank, t->dims);
  b->block = block;
  t->block->frame = frame;
  if (t->buf) t->buf->carried = t->block->parent->loop;
  return t->buf;
}

void stp_build_link(stp_block_t *block, stp_step_t *s, const stp_step_t *next) {
  stp_step_t **at = &block->first;
  while (*at && *at != next) at = &(*at)->next;
  s->block = block;
  s->next = *at;
  *at = s;
  if (!s->next) block->last = s;
  block->num_steps = 0;
  for (stp_step_t *i = block->first; i; i = i->next) i->index = block->num_steps++;
}

stp_step_t *stp_build_step(stp_builder_t *b, stp_step_kind_t kind, stp_loc_t loc) {
  stp_step_t *s = stp_arena_alloc(b->plan->arena, sizeof *s);
  stp_block_t *block = b->block;
  s->kind = kind;
  s->loc = loc;
  s->block = block;
  s->index = block->num_steps++;
  if (block->last)
    block->last->next = s;
  else
    block->first = s;
  block->last = s;
  return s;
}

stp_tval_t *stp_build_tval(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v,
                           stp_tv_kind_t kind) {
  stp_tval_t *t = stp_arena_alloc(b->plan->arena, sizeof *t);
  t->kind = kind;
  t->ssa = v;
  t->loc = op->loc;
  t->op_name = stp_ir_op_name(op->kind);
  t->elem = v->type->elem;
  t->rank = v->type->rank;
  t->dims = v->type->dims;
  t->block = b->block;
  b->tvals[v->id] = t;
  return t;
}

bool stp_build_check_tensor(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_type_t *type) {
  if (stp_ir_type_count(type) < 0)
    return stp_build_error(b, op,
                           "with a dynamic tensor shape is not supported by the "
                           "scheduler yet");
  if (stp_ir_type_count(type) == 0)
    return stp_build_error(b, op,
                           "with an empty tensor is not supported by the "
                           "scheduler yet");
  if (type->elem != STP_ELEM_F16 && type->elem != STP_ELEM_BF16 && type->elem != STP_ELEM_F32) {
    return stp_build_error(b, op,
                           "with elements of type '%s' is not supported by the scheduler yet",
                           stp_ir_elem_name(type->elem));
  }
  return true;
}

static bool unsupported(stp_builder_t *b, const stp_ir_op_t *op) {
  return stp_build_error(b, op, "is not supported by the scheduler yet");
}

stp_tval_t *stp_build_operand(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v) {
  stp_tval_t *t = b->tvals[v->id];
  if (!t && !b->plan->failed)
    stp_build_error(b, op, "uses '%%%s', which the scheduler cannot place yet", v->name);
  return t;
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

static bool build_elementwise(stp_builder_t *b, const stp_ir_op_t *op, stp_ir_value_t **ins,
                              int num_ins) {
  const stp_ir_value_t *v = op->results[0];
  unsigned opcode = 0, fn = 0;
  for (size_t i = 0; i < sizeof elementwise_table / sizeof elementwise_table[0]; i++) {
    if (elementwise_table[i].kind == op->kind) {
      opcode = elementwise_table[i].op;
      fn = elementwise_table[i].fn;
    }
  }
  stp_ir_elem_t from = ins[0]->type->elem, to = v->type->elem;
  bool narrow_from = from == STP_ELEM_F16 || from == STP_ELEM_BF16;
  bool narrow_to = to == STP_ELEM_F16 || to == STP_ELEM_BF16;
  switch (op->kind) {
  case STP_OP_ARITH_EXTF:
  case STP_OP_ARITH_TRUNCF:
  case STP_OP_ARITH_CONVERTF:
    if (narrow_from && to == STP_ELEM_F32)
      opcode = STP_OP_VUNPACK;
    else if (from == STP_ELEM_F32 && narrow_to)
      opcode = STP_OP_VPACK;
    else if (narrow_from && narrow_to)
      opcode = STP_OP_VCVT;
    break;
  case STP_OP_ARITH_CMPF:
    if (!stp_build_check_tensor(b, op, ins[0]->type)) return false;
    opcode = STP_OP_VCMP;
    fn = op->u.cmpf == STP_CMPF_FALSE ? STP_VCMP_FALSE : (unsigned)op->u.cmpf - 1;
    break;
  case STP_OP_ARITH_SELECT:
    opcode = STP_OP_VSEL;
    break;
  default:
    break;
  }
  if (!opcode) return unsupported(b, op);
  if (opcode != STP_OP_VCMP && !stp_build_check_tensor(b, op, v->type)) return false;
  stp_tval_t *srcs[3] = {NULL, NULL, NULL};
  for (int i = 0; i < num_ins; i++) {
    if (ins[i]->type->kind != STP_TYPE_TENSOR) return unsupported(b, op);
    srcs[i] = stp_build_operand(b, op, ins[i]);
    if (!srcs[i]) return false;
  }
  if (opcode == STP_OP_VSEL && (srcs[0]->kind != STP_TV_OP || srcs[0]->op != STP_OP_VCMP ||
                                stp_ir_elem_bytes(srcs[0]->elem) != stp_ir_elem_bytes(to))) {
    return stp_build_error(
        b, op,
        "needs a condition that is a comparison of values of the same width; others are not "
        "supported by the scheduler yet");
  }
  stp_tval_t *t = stp_build_tval(b, op, v, STP_TV_OP);
  /* A comparison's lanes are as wide as what is compared. */
  if (opcode == STP_OP_VCMP) t->elem = from;
  t->op = opcode;
  t->fn = fn;
  t->num_srcs = num_ins;
  if (op->kind == STP_OP_LINALG_SQUARE) srcs[t->num_srcs++] = srcs[0];
  memcpy(t->srcs, srcs, sizeof srcs);
  return true;
}

/* ---- tensors of known values --------------------------------------------------------------- */

static bool build_const(stp_builder_t *b, const stp_ir_op_t *op, uint32_t bits) {
  if (!stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_build_tval(b, op, op->results[0], STP_TV_CONST)->bits = bits;
  return true;
}

static bool build_constant(stp_builder_t *b, const stp_ir_op_t *op) {
  const stp_ir_dense_t *c = op->u.constant;
  const stp_ir_value_t *v = op->results[0];
  if (v->type->kind == STP_TYPE_SCALAR) {
    if (stp_ir_elem_is_int(v->type->elem)) {
      b->lins[v->id] = stp_lin_const((int64_t)c->bits[0]);
      b->has_lin[v->id] = true;
    } else {
      b->bits[v->id] = (uint32_t)c->bits[0];
      b->has_bits[v->id] = true;
    }
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
  if (!b->has_bits[scalar->id]) {
    return stp_build_error(
        b, op, "of a scalar that is not a float constant is not supported by the scheduler yet");
  }
  return build_const(b, op, b->bits[scalar->id]);
}

/* ---- reductions ---------------------------------------------------------------------------- */

static bool build_reduce(stp_builder_t *b, const stp_ir_op_t *op) {
  if (op->u.linalg.num_ins != 1) return unsupported(b, op);
  stp_tval_t *src = stp_build_operand(b, op, op->u.linalg.ins[0]),
             *start = stp_build_operand(b, op, op->u.linalg.outs[0]);
  if (!src || !start) return false;
  if (op->u.linalg.num_dims != 1 || op->u.linalg.dims[0] != src->rank - 1) {
    return stp_build_error(
        b, op, "along dimensions other than the last one is not supported by the scheduler yet");
  }
  unsigned fn;
  switch (op->u.linalg.combiner) {
  case STP_OP_ARITH_ADDF:
    fn = STP_VFOLD_ADD;
    break;
  case STP_OP_ARITH_MAXIMUMF:
    fn = STP_VFOLD_MAX;
    break;
  case STP_OP_ARITH_MINIMUMF:
    fn = STP_VFOLD_MIN;
    break;
  case STP_OP_ARITH_MAXNUMF:
    fn = STP_VFOLD_MAXNUM;
    break;
  case STP_OP_ARITH_MINNUMF:
    fn = STP_VFOLD_MINNUM;
    break;
  default:
    return stp_build_error(b, op, "with this combiner is not supported by the scheduler yet");
  }
  if (start->kind != STP_TV_CONST) {
    return stp_build_error(
        b, op,
        "with an initial value that is not a constant is not supported by the scheduler yet");
  }
  if (!stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_tval_t *t = stp_build_tval(b, op, op->results[0], STP_TV_REDUCE);
  t->fn = fn;
  t->bits = start->bits;
  t->num_srcs = 1;
  t->srcs[0] = src;
  return true;
}

static bool build_broadcast(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_tval_t *src = stp_build_operand(b, op, op->u.linalg.ins[0]);
  if (!src || !stp_build_check_tensor(b, op, op->results[0]->type)) return false;
  stp_tval_t *t = stp_build_tval(b, op, op->results[0], STP_TV_BCAST);
  for (int i = 0; i < op->u.linalg.num_dims; i++) t->bcast_dims |= 1u << op->u.linalg.dims[i];
  t->num_srcs = 1;
  t->srcs[0] = src;
  return true;
}

/* ---- memory -------------------------------------------------------------------------------- */

static bool build_load(stp_builder_t *b, const stp_ir_op_t *op) {
  const stp_ir_value_t *v = op->results[0];
  stp_access_t access;
  if (!stp_build_access(b, op, op->operands[0], &access)) return false;
  if (!stp_build_check_tensor(b, op, v->type)) return false;
  stp_tval_t *t = stp_hoist_loaded(b, &access, v->type);
  if (t) {
    /* The same tile again. */
    t->also[t->num_also++] = v;
    b->tvals[v->id] = t;
    return true;
  }
  t = stp_build_tval(b, op, v, STP_TV_LOAD);
  stp_access_t *place = stp_arena_alloc(b->plan->arena, sizeof *place);
  *place = access;
  t->access = place;
  stp_hoist_note(b, t);
  if (!stp_split_is_large(b, v->type)) return stp_build_place_load(b, op, t) != NULL;
  if (access.num_checks) {
    /* A load that brings nothing, but checks its indices here. */
    stp_step_t *s = stp_build_step(b, STP_STEP_LOAD, op->loc);
    s->buf = stp_arena_alloc(b->plan->arena, sizeof *s->buf);
    s->access = access;
    place->num_checks = 0;
  }
  if (b->num_lazy == STP_PLAN_BUFS)
    return stp_build_error(b, op, "is one load too many for the scheduler");
  b->lazy[b->num_lazy++] = t;
  return true;
}

stp_buf_t *stp_build_place_load(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t) {
  if (t->kind == STP_TV_BUF) return t->buf;
  if (!stp_split_flush(b, op)) return NULL;
  stp_block_t *block = b->block;
  const stp_step_t *next = NULL;
  for (const stp_block_t *at = block; at != t->block; at = at->parent->block) next = at->parent;
  b->block = t->block;
  stp_buf_t *buf = stp_build_buf(b, t->ssa->def, t->ssa->name, t->elem, t->rank, t->dims);
  b->block = block;
  if (!buf) return NULL;
  buf->loaded = true;
  stp_step_t *s = stp_arena_alloc(b->plan->arena, sizeof *s);
  s->kind = STP_STEP_LOAD;
  s->loc = t->loc;
  s->buf = buf;
  s->access = *t->access;
  buf->access = &s->access;
  stp_build_link(t->block, s, next);
  t->kind = STP_TV_BUF;
  t->buf = buf;
  return buf;
}

bool stp_build_store_step(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                          const stp_access_t *access) {
  if (t->kind != STP_TV_BUF && t->kind != STP_TV_LOAD && t->ssa->num_uses == 1)
    return stp_build_pass(b, op, t, &(stp_dest_t){.store = access});
  stp_buf_t *buf = stp_build_materialise(b, op, t);
  if (!buf) return false;
  stp_step_t *s = stp_build_step(b, STP_STEP_STORE, op->loc);
  s->buf = buf;
  s->access = *access;
  return true;
}

static bool build_store(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_access_t access;
  bool taken;
  if (!stp_build_access(b, op, op->operands[1], &access)) return false;
  stp_tval_t *t = stp_build_operand(b, op, op->operands[0]);
  if (!t || !stp_build_check_tensor(b, op, op->operands[0]->type)) return false;
  if (!stp_split_store(b, op, t, &access, &taken)) return false;
  stp_hoist_stored(b, access.arg);
  return taken || stp_build_store_step(b, op, t, &access);
}

/* ---- the walk ------------------------------------------------------------------------------ */

static bool build_tile_id(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_plan_t *p = b->plan;
  for (int i = 0; i < op->num_results; i++) {
    int64_t size = i < p->func->grid_rank ? p->func->grid[i] : 1;
    const stp_ir_value_t *v = op->results[i];
    b->has_lin[v->id] = true;
    if (size == 1) {
      b->lins[v->id] = stp_lin_const(0);
      continue;
    }
    int sym = -1;
    for (int s = 0; s < p->num_syms && sym < 0; s++) {
      if (p->syms[s].kind == STP_SYM_TILE && p->syms[s].index == i) sym = s;
    }
    if (sym < 0) {
      stp_sym_t s = {.kind = STP_SYM_TILE,
                     .index = i,
                     .bounded = true,
                     .exact = true,
                     .lo = 0,
                     .hi = size - 1,
                     .block = p->body};
      sym = stp_plan_sym(p, &s);
    }
    b->lins[v->id] = stp_lin_sym(sym);
  }
  return true;
}

static bool build_op(stp_builder_t *b, const stp_ir_op_t *op) {
  bool scalar = op->num_results > 0 && op->results[0]->type->kind == STP_TYPE_SCALAR;
  switch (op->kind) {
  case STP_OP_KTDP_GET_COMPUTE_TILE_ID:
    return build_tile_id(b, op);
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
    return true; /* looked at by loads and stores */
  case STP_OP_KTDP_LOAD:
    return build_load(b, op);
  case STP_OP_KTDP_STORE:
    return build_store(b, op);
  case STP_OP_FUNC_RETURN:
    if (op->num_operands)
      return stp_build_error(b, op, "of values is not supported by the scheduler yet");
    return true;
  case STP_OP_SCF_YIELD:
    return true;
  case STP_OP_SCF_FOR:
    return stp_build_for(b, op);
  case STP_OP_ARITH_CONSTANT:
    return build_constant(b, op);
  case STP_OP_TENSOR_EMPTY:
    return build_const(b, op, 0);
  case STP_OP_TENSOR_SPLAT:
    return build_splat(b, op, op->operands[0]);
  case STP_OP_LINALG_FILL:
    return build_splat(b, op, op->u.linalg.ins[0]);
  case STP_OP_LINALG_REDUCE:
    return build_reduce(b, op);
  case STP_OP_LINALG_BROADCAST:
    return build_broadcast(b, op);
  default:
    break;
  }
  if (STP_OP_IS_ELEMENTWISE(op->kind)) {
    if (scalar && stp_ir_elem_is_int(op->results[0]->type->elem) &&
        stp_ir_elem_is_int(op->operands[0]->type->elem)) {
      return stp_build_scalar_op(b, op);
    }
    if (scalar)
      return stp_build_error(b, op, "on float scalars is not supported by the scheduler yet");
    return build_elementwise(b, op, op->operands, op->num_operands);
  }
  if (STP_OP_IS_MATMUL(op->kind)) return stp_build_matmul(b, op);
  if (STP_OP_IS_LINALG_ELEMENTWISE(op->kind)) {
    return build_elementwise(b, op, op->u.linalg.ins, op->u.linalg.num_ins);
  }
  return unsupported(b, op);
}

bool stp_build_ops(stp_builder_t *b, const stp_ir_block_t *block) {
  bool ok = true;
  for (const stp_ir_op_t *op = block->first; op && !stp_diags_full(b->plan->diags); op = op->next) {
    /* Go on after an error, to report more of them; what depends on the failed op stays silent. */
    ok &= build_op(b, op);
  }
  ok = ok && !b->plan->failed && stp_split_flush(b, block->last);
  /* What the block loaded is gone. */
  int kept = 0;
  for (int i = 0; i < b->num_lazy; i++) {
    if (b->lazy[i]->block != b->block) b->lazy[kept++] = b->lazy[i];
  }
  b->num_lazy = kept;
  return ok && !b->plan->failed;
}

static bool build_argument(stp_builder_t *b, int i) {
  stp_plan_t *p = b->plan;
  const stp_param_t *param = &p->args.params[i];
  const stp_ir_value_t *v = p->func->body->args[i];
  const stp_bindings_t *bound = b->options->bindings;
  p->scalar_arg[i] = -1;
  if (param->kind == STP_PARAM_ADDRESS) {
    stp_sym_t s = {.kind = STP_SYM_ARG, .index = param->buffer};
    b->lins[v->id] = stp_lin_sym(stp_plan_sym(p, &s));
    b->has_lin[v->id] = true;
    return true;
  }
  if (!bound || i >= bound->count || !bound->bound[i]) return true; /* an error where it is used */
  if (v->type->kind != STP_TYPE_SCALAR || !stp_ir_elem_is_int(v->type->elem)) {
    return stp_plan_error(
        p, v->loc, "scalar argument '%%%s' of type '%s' is not supported by the scheduler yet",
        v->name, stp_ir_type_text(p->arena, v->type));
  }
  b->has_lin[v->id] = true;
  b->lins[v->id] = stp_lin_const(bound->values[i]);
  if (b->options->dynamic && b->options->dynamic[i]) {
    if (p->num_args == STP_ARGS) {
      return stp_plan_error(p, p->func->loc, "function '%s' has more than %d arguments",
                            p->func->name, STP_ARGS);
    }
    p->scalar_arg[i] = p->num_args++;
    stp_sym_t s = {.kind = STP_SYM_SCALAR, .index = p->scalar_arg[i]};
    b->lins[v->id] = stp_lin_sym(stp_plan_sym(p, &s));
  }
  return true;
}

bool stp_build(stp_plan_t *p, const stp_compile_options_t *options) {
  stp_ir_func_t *func = p->func;
  stp_arena_t *arena = p->arena;
  size_t n = (size_t)func->num_values;
  stp_builder_t b = {
      .plan = p,
      .options = options,
      .has_lin = stp_arena_array(arena, n, sizeof(bool)),
      .lins = stp_arena_array(arena, n, sizeof(stp_lin_t)),
      .has_bits = stp_arena_array(arena, n, sizeof(bool)),
      .bits = stp_arena_array(arena, n, sizeof(uint32_t)),
      .tvals = stp_arena_array(arena, n, sizeof(stp_tval_t *)),
  };
  p->body = stp_arena_alloc(arena, sizeof *p->body);
  b.block = p->body;
  stp_sym_t corelet = {.kind = STP_SYM_CORELET, .bounded = true, .lo = 0, .hi = 1};
  p->corelet = stp_plan_sym(p, &corelet);

  if (p->args.num_buffers > STP_ARGS || func->body->num_args > STP_ARGS) {
    return stp_plan_error(p, func->loc, "function '%s' has more than %d arguments", func->name,
                          STP_ARGS);
  }
  p->num_args = p->args.num_buffers;
  for (int i = 0; i < func->body->num_args; i++) {
    if (!build_argument(&b, i)) return false;
  }
  return stp_build_ops(&b, func->body) && stp_hoist_turns(&b);
}
