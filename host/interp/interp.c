/* SPDX-License-Identifier: Apache-2.0 */
/* The walk over the ops, tile by tile. */
#include "interp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MAX_TEXT 512

static void report(stp_run_t *r, stp_severity_t severity, const stp_ir_op_t *op, const char *text) {
  if (r->func->num_tiles > 1) {
    stp_diags_add(r->diags, severity, op->loc, "'%s' op %s, in compute tile %lld",
                  stp_ir_op_name(op->kind), text, (long long)r->tile);
  } else {
    stp_diags_add(r->diags, severity, op->loc, "'%s' op %s", stp_ir_op_name(op->kind), text);
  }
}

bool stp_run_error(stp_run_t *r, const stp_ir_op_t *op, const char *format, ...) {
  char text[MAX_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  report(r, STP_DIAG_ERROR, op, text);
  return false;
}

bool stp_run_warn(stp_run_t *r, const stp_ir_op_t *op, const char *format, ...) {
  char text[MAX_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  report(r, STP_DIAG_WARNING, op, text);
  return true;
}

/* ---- control flow --------------------------------------------------------------------------- */

/* Assign values to others at once; some may be both. */
static bool assign(stp_run_t *r, const stp_ir_op_t *op, int count, stp_ir_value_t *const *to,
                   stp_ir_value_t *const *from) {
  if (count == 0) return true;
  stp_val_t *values = calloc((size_t)count, sizeof *values);
  if (values == NULL) return stp_run_error(r, op, "finds no memory");
  for (int i = 0; i < count; i++) {
    values[i] = r->env[from[i]->id];
    if (values[i].obj != NULL) stp_obj_ref(values[i].obj);
  }
  for (int i = 0; i < count; i++) stp_env_set(r, to[i], values[i]);
  free(values);
  return true;
}

static bool run_for(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->regions[0];
  int n = op->u.loop.num_inits;
  int64_t lb = 0, ub = 0, step = 0;
  if (!stp_env_int(r, op, op->u.loop.lb, &lb) || !stp_env_int(r, op, op->u.loop.ub, &ub) ||
      !stp_env_int(r, op, op->u.loop.step, &step)) {
    return false;
  }
  if (step <= 0) {
    return stp_run_error(r, op, "step must be positive, but is %lld", (long long)step);
  }
  if (!assign(r, op, n, body->args + 1, op->u.loop.inits)) return false;
  for (int64_t i = lb; i < ub;) {
    stp_env_set_int(r, body->args[0], i);
    if (!stp_run_block(r, body) || !assign(r, op, n, body->args + 1, body->last->operands)) {
      return false;
    }
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return assign(r, op, n, op->results, body->args + 1);
}

static bool run_if(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *branch = op->regions[r->env[op->operands[0]->id].cell.u != 0 ? 0 : 1];
  return branch == NULL || (stp_run_block(r, branch) &&
                            assign(r, op, op->num_results, op->results, branch->last->operands));
}

/* The loops of scf.parallel and scf.forall. */
typedef struct {
  int64_t lb[STP_IR_MAX_RANK * 2], ub[STP_IR_MAX_RANK * 2], step[STP_IR_MAX_RANK * 2];
  bool empty;
} nest_t;

static bool find_nest(stp_run_t *r, const stp_ir_op_t *op, nest_t *nest) {
  nest->empty = false;
  if (op->u.parallel.rank > (int)(sizeof nest->lb / sizeof nest->lb[0])) {
    return stp_run_error(r, op, "has more loops than the interpreter supports");
  }
  for (int d = 0; d < op->u.parallel.rank; d++) {
    if (!stp_env_dim(r, op, &op->u.parallel.lb[d], &nest->lb[d]) ||
        !stp_env_dim(r, op, &op->u.parallel.ub[d], &nest->ub[d]) ||
        !stp_env_dim(r, op, &op->u.parallel.step[d], &nest->step[d])) {
      return false;
    }
    if (nest->step[d] <= 0) {
      return stp_run_error(r, op, "step must be positive, but is %lld", (long long)nest->step[d]);
    }
    nest->empty = nest->empty || nest->lb[d] >= nest->ub[d];
  }
  return true;
}

static bool next_point(const nest_t *nest, int rank, int64_t *p) {
  for (int d = rank - 1; d >= 0; d--) {
    if (!__builtin_add_overflow(p[d], nest->step[d], &p[d]) && p[d] < nest->ub[d]) return true;
    p[d] = nest->lb[d];
  }
  return false;
}

/* Reductions fold in the order of the iterations: body(so far, new). */
static bool fold_values(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_op_t *reduce = op->regions[0]->last;
  for (int i = 0; i < reduce->num_operands; i++) {
    const stp_ir_block_t *body = reduce->regions[i];
    stp_env_copy(r, body->args[0], op->results[i]);
    stp_env_copy(r, body->args[1], reduce->operands[i]);
    if (!stp_run_block(r, body)) return false;
    stp_env_copy(r, op->results[i], body->last->operands[0]);
  }
  return true;
}

/* The slices of one iteration go into the results; the body always sees the initial values. */
static bool insert_slices(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->regions[0];
  int rank = op->u.parallel.rank, n = op->u.parallel.num_inits;
  return assign(r, op, n, body->args + rank, op->results) &&
         stp_run_block(r, body->last->regions[0]) &&
         assign(r, op, n, op->results, body->args + rank) &&
         assign(r, op, n, body->args + rank, op->u.parallel.inits);
}

static bool run_parallel(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->regions[0];
  int rank = op->u.parallel.rank, n = op->u.parallel.num_inits;
  bool forall = op->kind == STP_OP_SCF_FORALL;
  nest_t nest = {0};
  if (!find_nest(r, op, &nest) || !assign(r, op, n, op->results, op->u.parallel.inits) ||
      (forall && !assign(r, op, n, body->args + rank, op->u.parallel.inits))) {
    return false;
  }
  if (nest.empty) return true;
  int64_t p[STP_IR_MAX_RANK * 2] = {0};
  for (int d = 0; d < rank; d++) p[d] = nest.lb[d];
  do {
    for (int d = 0; d < rank; d++) stp_env_set_int(r, body->args[d], p[d]);
    if (!stp_run_block(r, body) || !(forall ? insert_slices(r, op) : fold_values(r, op))) {
      return false;
    }
  } while (next_point(&nest, rank, p));
  return true;
}

/* ---- ops ------------------------------------------------------------------------------------ */

static bool run_arg_extract(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->operands[0]->type;
  if (op->u.extract == STP_ARG_VALUE) {
    stp_env_copy(r, op->results[0], op->operands[0]);
  } else {
    stp_env_set_int(r, op->results[0],
                    op->u.extract == STP_ARG_GRANULARITY ? type->granularity : type->upperbound);
  }
  return true;
}

static bool run_tile_id(stp_run_t *r, const stp_ir_op_t *op) {
  for (int i = 0; i < op->num_results; i++) {
    stp_env_set_int(r, op->results[i], stp_tile_coordinate(r->func, r->tile, i));
  }
  return true;
}

bool stp_run_op(stp_run_t *r, const stp_ir_op_t *op) {
  if (STP_OP_IS_ELEMENTWISE(op->kind)) return stp_run_elementwise(r, op);
  switch (op->kind) {
  case STP_OP_ARITH_CONSTANT:
    return stp_run_constant(r, op);
  case STP_OP_KTDP_GET_COMPUTE_TILE_ID:
    return run_tile_id(r, op);
  case STP_OP_KTDP_RUNTIME_ARG_EXTRACT:
    return run_arg_extract(r, op);
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
  case STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW:
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
  case STP_OP_KTDP_LOAD:
  case STP_OP_KTDP_STORE:
  case STP_OP_MEMREF_SUBVIEW:
    return stp_run_access(r, op);
  case STP_OP_SCF_FOR:
    return run_for(r, op);
  case STP_OP_SCF_IF:
    return run_if(r, op);
  case STP_OP_SCF_PARALLEL:
  case STP_OP_SCF_FORALL:
    return run_parallel(r, op);
  case STP_OP_LINALG_INDEX:
    stp_env_set_int(r, op->results[0], r->point[op->u.dim]);
    return true;
  case STP_OP_TENSOR_EMPTY:
  case STP_OP_TENSOR_SPLAT:
  case STP_OP_TENSOR_EXTRACT:
  case STP_OP_TENSOR_EXTRACT_SLICE:
  case STP_OP_TENSOR_INSERT_SLICE:
  case STP_OP_TENSOR_PARALLEL_INSERT_SLICE:
  case STP_OP_TENSOR_EXPAND_SHAPE:
  case STP_OP_TENSOR_COLLAPSE_SHAPE:
  case STP_OP_TENSOR_RESHAPE:
  case STP_OP_TENSOR_FROM_ELEMENTS:
  case STP_OP_TENSOR_GENERATE:
  case STP_OP_TENSOR_DIM:
    return stp_run_tensor(r, op);
  default:
    if (STP_OP_IS_LINALG(op->kind)) return stp_run_linalg(r, op);
    return stp_run_error(r, op, "is not supported by the interpreter");
  }
}

static bool is_terminator(const stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_FUNC_RETURN:
  case STP_OP_SCF_YIELD:
  case STP_OP_SCF_REDUCE:
  case STP_OP_SCF_REDUCE_RETURN:
  case STP_OP_SCF_FORALL_IN_PARALLEL:
  case STP_OP_LINALG_YIELD:
  case STP_OP_TENSOR_YIELD:
    return true;
  default:
    return false;
  }
}

bool stp_run_block(stp_run_t *r, const stp_ir_block_t *block) {
  for (const stp_ir_op_t *op = block->first; op != NULL; op = op->next) {
    if (op == block->last && is_terminator(op)) break;
    r->steps++;
    if (r->options->max_steps != 0 && r->steps > r->options->max_steps) {
      return stp_run_error(r, op, "is beyond the limit of %llu steps",
                           (unsigned long long)r->options->max_steps);
    }
    if (!stp_run_op(r, op)) return false;
  }
  return true;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool bind_arguments(stp_run_t *r) {
  const stp_ir_block_t *body = r->func->body;
  for (int i = 0; i < body->num_args; i++) {
    const stp_ir_value_t *arg = body->args[i];
    const stp_param_t *param = &r->args->params[i];
    stp_val_t val = {.kind = VAL_SCALAR};
    if (param->kind == STP_PARAM_ADDRESS) {
      val.base = arg;
    } else if (arg->num_uses == 0) {
      val.cell.u = 0;
    } else if (r->scalars == NULL || i >= r->scalars->count || !r->scalars->bound[i]) {
      stp_diags_add(r->diags, STP_DIAG_ERROR, arg->loc, "argument '%%%s' needs a value", arg->name);
      return false;
    } else if (stp_ir_elem_is_int(param->elem)) {
      val.cell.i = stp_int_wrap((uint64_t)r->scalars->values[i], stp_ir_elem_bits(param->elem));
    } else if (!stp_cell_from_bits(r, param->elem, (uint64_t)r->scalars->values[i], &val.cell)) {
      stp_diags_add(r->diags, STP_DIAG_ERROR, arg->loc,
                    "argument of type %s is not supported by the interpreter",
                    stp_ir_elem_name(param->elem));
      return false;
    }
    stp_env_set(r, arg, val);
  }
  return true;
}

static void clear_env(stp_run_t *r) {
  for (int i = 0; i < r->func->num_values; i++) {
    stp_obj_unref(r->env[i].obj);
    r->env[i] = (stp_val_t){0};
  }
}

bool stp_interp_run(const stp_ir_func_t *func, const stp_bindings_t *scalars,
                    const stp_kernel_args_t *args, const stp_interp_buffer_t *buffers,
                    const stp_interp_options_t *options, stp_diags_t *diags) {
  stp_run_t r = {.func = func,
                 .scalars = scalars,
                 .args = args,
                 .buffers = buffers,
                 .options = options,
                 .diags = diags,
                 .num = stp_num_exact(),
                 .wide = options->mode == STP_INTERP_FLOAT64};
  r.env = calloc((size_t)func->num_values + 1, sizeof *r.env);
  r.race_reported = calloc((size_t)func->num_values * 2 + 2, sizeof *r.race_reported);
  bool ok = r.env != NULL && r.race_reported != NULL;
  if (!ok) {
    stp_diags_add(diags, STP_DIAG_ERROR, func->loc, "no memory to interpret '@%s'", func->name);
  }
  ok = ok && stp_mem_setup(&r);
  for (r.tile = 0; ok && r.tile < func->num_tiles; r.tile++) {
    ok = bind_arguments(&r) && stp_run_block(&r, func->body);
    clear_env(&r);
    stp_mem_end_tile(&r);
  }
  stp_mem_finish(&r);
  free(r.env);
  free(r.race_reported);
  return ok;
}

bool stp_interp_compare(const stp_kernel_buffer_t *buffer, const void *data, const double *wide,
                        stp_interp_error_t *error) {
  *error = (stp_interp_error_t){0, 0, 0, 0};
  int fmt = stp_num_fmt(buffer->storage);
  if (fmt < 0) return false;
  for (int64_t i = 0; i < buffer->extent; i++) {
    uint32_t bits;
    if (stp_fmt_bytes((unsigned)fmt) == 2) {
      uint16_t half;
      memcpy(&half, (const uint8_t *)data + 2 * i, 2);
      bits = half;
    } else {
      memcpy(&bits, (const uint8_t *)data + 4 * i, 4);
    }
    double got = stp_num_to_double((unsigned)fmt, bits), want = wide[i];
    double ulps = stp_num_ulps((unsigned)fmt, bits, want), diff = fabs(got - want);
    if ((isnan(got) && isnan(want)) || got == want) {
      diff = ulps = 0;
    } else if (isnan(diff)) {
      diff = HUGE_VAL;
    }
    if (diff > error->max_abs) {
      error->max_abs = diff;
      error->at_abs = i;
    }
    if (ulps > error->max_ulp) {
      error->max_ulp = ulps;
      error->at_ulp = i;
    }
  }
  return true;
}
