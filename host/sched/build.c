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
  const stp_ir_type_t *shape = b->shape ? b->shape : v->type;
  t->rank = shape->rank;
  t->dims = shape->dims;
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

stp_tval_t *stp_build_operand(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v) {
  stp_tval_t *t = b->tvals[v->id];
  if (!t && !b->plan->failed)
    stp_build_error(b, op, "uses '%%%s', which the scheduler cannot place yet", v->name);
  return t;
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

static bool is_int_scalar(const stp_ir_value_t *v) {
  return v->type->kind == STP_TYPE_SCALAR && stp_ir_elem_is_int(v->type->elem);
}

static bool build_op(stp_builder_t *b, const stp_ir_op_t *op) {
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
  case STP_OP_SCF_IF:
    return stp_build_if(b, op);
  default:
    break;
  }
  if (STP_OP_IS_ELEMENTWISE(op->kind) && is_int_scalar(op->results[0]) &&
      is_int_scalar(op->operands[op->kind == STP_OP_ARITH_SELECT ? 1 : 0])) {
    return stp_build_scalar_op(b, op);
  }
  if (STP_OP_IS_MATMUL(op->kind)) return stp_build_matmul(b, op);
  return stp_build_value(b, op);
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
  bool is_float = v->type->elem == STP_ELEM_F16 || v->type->elem == STP_ELEM_BF16 ||
                  v->type->elem == STP_ELEM_F32;
  if (v->type->kind == STP_TYPE_SCALAR && is_float &&
      !(b->options->dynamic && b->options->dynamic[i])) {
    stp_tval_t *t = stp_arena_alloc(p->arena, sizeof *t);
    *t = (stp_tval_t){.kind = STP_TV_CONST,
                      .ssa = v,
                      .loc = v->loc,
                      .op_name = "func.func",
                      .elem = v->type->elem,
                      .block = p->body,
                      .bits = (uint32_t)bound->values[i]};
    b->tvals[v->id] = t;
    return true;
  }
  if (!is_int_scalar(v)) {
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
      .tvals = stp_arena_array(arena, n, sizeof(stp_tval_t *)),
      .use_stamps = stp_arena_array(arena, n, sizeof(unsigned)),
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
