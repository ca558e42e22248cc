/* SPDX-License-Identifier: Apache-2.0 */
/* scf. */
#include "internal.h"

/* The operands of a terminator have the given types. */
static bool check_yield(stp_verifier_t *v, const stp_ir_op_t *yield, int count,
                        stp_ir_value_t *const *results) {
  if (yield->num_operands != count) {
    return stp_v_error(v, yield, "yields %d value%s, but '%s' has %d result%s", yield->num_operands,
                       yield->num_operands == 1 ? "" : "s",
                       stp_ir_op_name(yield->block->parent->kind), count, count == 1 ? "" : "s");
  }
  for (int i = 0; i < count; i++) {
    if (yield->operands[i]->type != results[i]->type) {
      return stp_v_error_at(
          v, yield, yield->operand_locs[i], "yields '%s' as value %d, but result %d is '%s'",
          stp_v_type(v, yield->operands[i]->type), i, i, stp_v_type(v, results[i]->type));
    }
  }
  return true;
}

static bool check_args(stp_verifier_t *v, const stp_ir_op_t *op, const stp_ir_block_t *body,
                       int num_index, const stp_ir_type_t *index, int num_inits,
                       stp_ir_value_t *const *inits) {
  if (body->num_args != num_index + num_inits) {
    return stp_v_error(v, op, "body must have %d arguments, but has %d", num_index + num_inits,
                       body->num_args);
  }
  for (int i = 0; i < body->num_args; i++) {
    const stp_ir_type_t *want = i < num_index ? index : inits[i - num_index]->type;
    if (body->args[i]->type != want) {
      return stp_v_error_at(v, op, body->args[i]->loc,
                            "argument %d of the body must be '%s', not "
                            "'%s'",
                            i, stp_v_type(v, want), stp_v_type(v, body->args[i]->type));
    }
  }
  return true;
}

static bool check_results(stp_verifier_t *v, const stp_ir_op_t *op, int num_inits,
                          stp_ir_value_t *const *inits) {
  if (op->num_results != num_inits) {
    return stp_v_error(v, op, "has %d initial values, but %d results", num_inits, op->num_results);
  }
  for (int i = 0; i < num_inits; i++) {
    if (op->results[i]->type != inits[i]->type) {
      return stp_v_error(v, op, "result %d is '%s', but its initial value is '%s'", i,
                         stp_v_type(v, op->results[i]->type), stp_v_type(v, inits[i]->type));
    }
  }
  return true;
}

static bool verify_for(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->u.loop.lb->type;
  if (type->kind != STP_TYPE_SCALAR || !stp_ir_elem_is_int(type->elem) ||
      op->u.loop.ub->type != type || op->u.loop.step->type != type) {
    return stp_v_error(v, op,
                       "bounds and step must be of one integer type, but are '%s', '%s' and "
                       "'%s'",
                       stp_v_type(v, type), stp_v_type(v, op->u.loop.ub->type),
                       stp_v_type(v, op->u.loop.step->type));
  }
  /* As a signed number, the one step that an i1 can be is -1. */
  if (type->elem == STP_ELEM_I1)
    return stp_v_error(v, op, "cannot count in 'i1', which has no positive step");
  int64_t step;
  if (stp_ir_value_constant(op->u.loop.step, &step) && step <= 0) {
    return stp_v_error_at(v, op, op->operand_locs[2], "step must be positive, but is %lld",
                          (long long)step);
  }
  return check_args(v, op, op->regions[0], 1, type, op->u.loop.num_inits, op->u.loop.inits) &&
         check_results(v, op, op->u.loop.num_inits, op->u.loop.inits) &&
         check_yield(v, op->regions[0]->last, op->num_results, op->results);
}

static bool verify_if(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->operands[0]->type;
  if (type->kind != STP_TYPE_SCALAR || type->elem != STP_ELEM_I1) {
    return stp_v_error_at(v, op, op->operand_locs[0], "condition must be i1, not '%s'",
                          stp_v_type(v, type));
  }
  if (op->regions[0] == NULL) {
    return stp_v_error(v, op, "has no then branch");
  }
  if (op->regions[1] == NULL && op->num_results > 0) {
    return stp_v_error(v, op, "has results, so it needs an else branch");
  }
  for (int i = 0; i < 2; i++) {
    if (op->regions[i] == NULL) {
      continue;
    }
    if (op->regions[i]->num_args != 0) {
      return stp_v_error(v, op, "branches have no arguments");
    }
    if (!check_yield(v, op->regions[i]->last, op->num_results, op->results)) {
      return false;
    }
  }
  return true;
}

static bool check_steps(stp_verifier_t *v, const stp_ir_op_t *op) {
  for (int i = 0; i < op->u.parallel.rank; i++) {
    const stp_ir_dim_t *step = &op->u.parallel.step[i];
    int64_t value = step->value;
    if ((step->ssa == NULL || stp_ir_value_constant(step->ssa, &value)) && value <= 0) {
      return stp_v_error(v, op, "step %d must be positive, but is %lld", i, (long long)value);
    }
  }
  return true;
}

static bool verify_parallel(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *index = stp_type_scalar(v->module, STP_ELEM_INDEX);
  const stp_ir_op_t *reduce = op->regions[0]->last;
  if (!check_args(v, op, op->regions[0], op->u.parallel.rank, index, 0, NULL) ||
      !check_results(v, op, op->u.parallel.num_inits, op->u.parallel.inits) ||
      !check_steps(v, op)) {
    return false;
  }
  return check_yield(v, reduce, op->num_results, op->results);
}

static bool verify_forall(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *index = stp_type_scalar(v->module, STP_ELEM_INDEX);
  const stp_ir_block_t *body = op->regions[0];
  int rank = op->u.parallel.rank;
  if (!check_args(v, op, body, rank, index, op->u.parallel.num_inits, op->u.parallel.inits) ||
      !check_results(v, op, op->u.parallel.num_inits, op->u.parallel.inits) ||
      !check_steps(v, op)) {
    return false;
  }
  for (const stp_ir_op_t *o = body->last->regions[0]->first; o != NULL; o = o->next) {
    if (o->kind != STP_OP_TENSOR_PARALLEL_INSERT_SLICE) {
      return stp_v_error(v, o, "is not allowed in 'scf.forall.in_parallel'");
    }
    if (o->u.slice.dest->block != body || o->u.slice.dest->index < rank) {
      return stp_v_error_at(v, o, o->operand_locs[1],
                            "destination must be a shared output of the 'scf.forall'");
    }
  }
  return true;
}

static bool verify_reduce(stp_verifier_t *v, const stp_ir_op_t *op) {
  if (op->block->parent == NULL || op->block->parent->kind != STP_OP_SCF_PARALLEL) {
    return stp_v_error(v, op, "must be in 'scf.parallel'");
  }
  if (op->num_regions != op->num_operands) {
    return stp_v_error(v, op, "has %d operands, but %d bodies", op->num_operands, op->num_regions);
  }
  for (int i = 0; i < op->num_operands; i++) {
    const stp_ir_type_t *type = op->operands[i]->type;
    const stp_ir_block_t *body = op->regions[i];
    if (body->num_args != 2 || body->args[0]->type != type || body->args[1]->type != type) {
      return stp_v_error(v, op, "body %d must have two arguments of type '%s'", i,
                         stp_v_type(v, type));
    }
    if (body->last->operands[0]->type != type) {
      return stp_v_error(v, body->last, "returns '%s', but '%s' is reduced",
                         stp_v_type(v, body->last->operands[0]->type), stp_v_type(v, type));
    }
  }
  return true;
}

bool stp_verify_scf(stp_verifier_t *v, stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_SCF_FOR:
    return verify_for(v, op);
  case STP_OP_SCF_IF:
    return verify_if(v, op);
  case STP_OP_SCF_PARALLEL:
    return verify_parallel(v, op);
  case STP_OP_SCF_FORALL:
    return verify_forall(v, op);
  case STP_OP_SCF_REDUCE:
    return verify_reduce(v, op);
  default:
    return true;
  }
}
