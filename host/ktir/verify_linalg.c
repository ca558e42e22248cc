/* SPDX-License-Identifier: Apache-2.0 */
/* linalg. */
#include "internal.h"

/* The extent of each loop follows from the operands' shapes; they must agree. */
static bool check_loops(stp_verifier_t *v, const stp_ir_op_t *op) {
  int64_t extent[2 * STP_IR_MAX_RANK];
  int from[2 * STP_IR_MAX_RANK];
  int num_loops = op->u.linalg.num_loops;
  for (int i = 0; i < num_loops; i++) {
    from[i] = -1;
    extent[i] = STP_IR_DYNAMIC;
  }
  for (int k = 0; k < op->num_operands; k++) {
    const stp_affine_map_t *map = op->u.linalg.maps[k];
    const stp_ir_type_t *type = op->operands[k]->type;
    for (int r = 0; r < map->num_results; r++) {
      if (map->results[r]->kind != STP_AFFINE_DIM) {
        continue;
      }
      int loop = (int)map->results[r]->value;
      int64_t size = type->dims[r];
      if (from[loop] >= 0 && size != STP_IR_DYNAMIC && extent[loop] != STP_IR_DYNAMIC &&
          extent[loop] != size) {
        return stp_v_error_at(v, op, op->operand_locs[k],
                              "dimension %d of operand %d has size %lld, but operand %d asks for "
                              "%lld",
                              r, k, (long long)size, from[loop], (long long)extent[loop]);
      }
      if (from[loop] < 0 || extent[loop] == STP_IR_DYNAMIC) {
        from[loop] = k;
        extent[loop] = size;
      }
    }
  }
  for (int i = 0; i < num_loops; i++) {
    if (from[i] < 0) {
      return stp_v_error(v, op, "no operand tells how long loop %d is", i);
    }
  }
  return true;
}

/* Maps of outputs are permutations of the parallel loops; maps of inputs may also be constant. */
static bool check_maps(stp_verifier_t *v, const stp_ir_op_t *op) {
  stp_loc_t loc = stp_v_attr_loc(op, "indexing_maps");
  for (int k = 0; k < op->num_operands; k++) {
    const stp_affine_map_t *map = op->u.linalg.maps[k];
    bool out = k >= op->u.linalg.num_ins;
    unsigned seen = 0;
    for (int r = 0; r < map->num_results; r++) {
      const stp_affine_expr_t *e = map->results[r];
      if (e->kind == STP_AFFINE_CONST && !out) {
        if (e->value < 0 || (op->operands[k]->type->dims[r] != STP_IR_DYNAMIC &&
                             e->value >= op->operands[k]->type->dims[r])) {
          return stp_v_error_at(v, op, loc, "indexing map %d reads outside operand %d", k, k);
        }
        continue;
      }
      if (e->kind != STP_AFFINE_DIM) {
        return stp_v_error_at(v, op, loc, "result %d of indexing map %d must be a single dimension",
                              r, k);
      }
      if (out && op->u.linalg.iterators[e->value] == STP_ITER_REDUCTION) {
        return stp_v_error_at(v, op, loc,
                              "indexing map %d of an output must not use the reduction "
                              "dimension %d",
                              k, (int)e->value);
      }
      if ((seen >> e->value & 1) != 0) {
        return stp_v_error_at(v, op, loc, "indexing map %d uses dimension %d twice", k,
                              (int)e->value);
      }
      seen |= 1u << e->value;
    }
    if (!out) {
      continue;
    }
    for (int i = 0; i < op->u.linalg.num_loops; i++) {
      if (op->u.linalg.iterators[i] == STP_ITER_PARALLEL && (seen >> i & 1) == 0) {
        return stp_v_error_at(v, op, loc,
                              "indexing map %d of an output must use the parallel "
                              "dimension %d",
                              k, i);
      }
    }
  }
  return true;
}

static bool check_results(stp_verifier_t *v, const stp_ir_op_t *op) {
  if (op->num_results != op->u.linalg.num_outs) {
    return stp_v_error(v, op, "has %d outputs, but %d results", op->u.linalg.num_outs,
                       op->num_results);
  }
  for (int i = 0; i < op->num_results; i++) {
    if (op->results[i]->type != op->u.linalg.outs[i]->type) {
      return stp_v_error(v, op, "result %d is '%s', but its output is '%s'", i,
                         stp_v_type(v, op->results[i]->type),
                         stp_v_type(v, op->u.linalg.outs[i]->type));
    }
  }
  return true;
}

static bool check_matmul(stp_verifier_t *v, const stp_ir_op_t *op) {
  stp_ir_elem_t a = op->operands[0]->type->elem;
  stp_ir_elem_t b = op->operands[1]->type->elem;
  stp_ir_elem_t c = op->operands[2]->type->elem;
  bool is_float = stp_ir_elem_is_float(c);
  if (stp_ir_elem_is_float(a) != is_float || stp_ir_elem_is_float(b) != is_float ||
      (!is_float && (a == STP_ELEM_INDEX || b == STP_ELEM_INDEX))) {
    return stp_v_error(v, op, "multiplies %s by %s into %s; all must be floats or all integers",
                       stp_ir_elem_name(a), stp_ir_elem_name(b), stp_ir_elem_name(c));
  }
  if (stp_ir_elem_bits(c) < stp_ir_elem_bits(a) || stp_ir_elem_bits(c) < stp_ir_elem_bits(b)) {
    return stp_v_error_at(
        v, op, op->operand_locs[2], "output of type %s is narrower than an input of type %s",
        stp_ir_elem_name(c), stp_ir_elem_name(stp_ir_elem_bits(a) > stp_ir_elem_bits(b) ? a : b));
  }
  return true;
}

static bool float_only(stp_ir_op_kind_t kind) {
  return STP_OP_IN(kind, LINALG_EXP, LINALG_ERF) || kind == STP_OP_LINALG_POWF;
}

static bool check_elems(stp_verifier_t *v, const stp_ir_op_t *op) {
  stp_ir_elem_t elem = op->operands[op->num_operands - 1]->type->elem;
  for (int i = 0; i < op->num_operands; i++) {
    stp_ir_elem_t other = op->operands[i]->type->elem;
    stp_ir_elem_t want = op->kind == STP_OP_LINALG_SELECT && i == 0 ? STP_ELEM_I1 : elem;
    if (other != want) {
      return stp_v_error_at(v, op, op->operand_locs[i],
                            "operand %d has element type %s, but %s is expected", i,
                            stp_ir_elem_name(other), stp_ir_elem_name(want));
    }
  }
  if (float_only(op->kind) && !stp_ir_elem_is_float(elem)) {
    return stp_v_error(v, op, "works on floating-point numbers, not on %s", stp_ir_elem_name(elem));
  }
  return true;
}

static bool check_body(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->u.linalg.body;
  int ins = op->u.linalg.num_ins;
  int count = op->num_operands;
  bool short_map = op->kind == STP_OP_LINALG_MAP && body->num_args == ins;
  if (body->num_args != count && !short_map) {
    return stp_v_error(v, op, "body must have %d arguments, but has %d",
                       op->kind == STP_OP_LINALG_MAP ? ins : count, body->num_args);
  }
  for (int i = 0; i < body->num_args; i++) {
    const stp_ir_type_t *want = stp_type_scalar(v->module, op->operands[i]->type->elem);
    if (body->args[i]->type != want) {
      return stp_v_error_at(v, op, body->args[i]->loc,
                            "argument %d of the body must be '%s', not "
                            "'%s'",
                            i, stp_v_type(v, want), stp_v_type(v, body->args[i]->type));
    }
  }
  const stp_ir_op_t *yield = body->last;
  if (yield->num_operands != op->u.linalg.num_outs) {
    return stp_v_error(v, yield, "yields %d values, but '%s' has %d outputs", yield->num_operands,
                       stp_ir_op_name(op->kind), op->u.linalg.num_outs);
  }
  for (int i = 0; i < yield->num_operands; i++) {
    const stp_ir_type_t *want = stp_type_scalar(v->module, op->u.linalg.outs[i]->type->elem);
    if (yield->operands[i]->type != want) {
      return stp_v_error_at(v, yield, yield->operand_locs[i],
                            "yields '%s' as value %d, but output %d holds '%s'",
                            stp_v_type(v, yield->operands[i]->type), i, i, stp_v_type(v, want));
    }
  }
  for (const stp_ir_op_t *o = stp_ir_walk(body, NULL); o != NULL; o = stp_ir_walk(body, o)) {
    bool ok = STP_OP_IS_ELEMENTWISE(o->kind) || o->kind == STP_OP_ARITH_CONSTANT ||
              o->kind == STP_OP_LINALG_INDEX || o->kind == STP_OP_LINALG_YIELD ||
              o->kind == STP_OP_SCF_IF || o->kind == STP_OP_SCF_YIELD ||
              o->kind == STP_OP_TENSOR_EXTRACT;
    if (!ok) {
      return stp_v_error(v, o, "is not allowed in the body of '%s'", stp_ir_op_name(op->kind));
    }
  }
  return true;
}

static bool verify_index(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_op_t *parent = op->block->parent;
  while (parent != NULL && !STP_OP_IS_LINALG(parent->kind)) {
    parent = parent->block->parent;
  }
  if (parent == NULL) {
    return stp_v_error(v, op, "must be in the body of a linalg op");
  }
  if (op->u.dim >= parent->u.linalg.num_loops) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "dim"),
                          "asks for dimension %d, but '%s' has %d", op->u.dim,
                          stp_ir_op_name(parent->kind), parent->u.linalg.num_loops);
  }
  if (!stp_type_is_index(op->results[0]->type)) {
    return stp_v_error(v, op, "result must be index, not '%s'",
                       stp_v_type(v, op->results[0]->type));
  }
  return true;
}

static bool check_reduce_dims(stp_verifier_t *v, const stp_ir_op_t *op) {
  for (int i = 1; i < op->u.linalg.num_dims; i++) {
    if (op->u.linalg.dims[i] <= op->u.linalg.dims[i - 1]) {
      return stp_v_error_at(v, op, stp_v_attr_loc(op, "dimensions"),
                            "dimensions must be in ascending order");
    }
  }
  if (op->u.linalg.num_dims == 0) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "dimensions"), "reduces no dimension");
  }
  return true;
}

bool stp_verify_linalg(stp_verifier_t *v, stp_ir_op_t *op) {
  if (op->kind == STP_OP_LINALG_INDEX) {
    return verify_index(v, op);
  }
  if (op->kind == STP_OP_LINALG_YIELD) {
    return true;
  }
  if (!check_maps(v, op) || !check_loops(v, op) || !check_results(v, op)) {
    return false;
  }
  if (STP_OP_IS_MATMUL(op->kind)) {
    return check_matmul(v, op);
  }
  if (op->kind == STP_OP_LINALG_REDUCE && !check_reduce_dims(v, op)) {
    return false;
  }
  return op->u.linalg.body != NULL ? check_body(v, op) : check_elems(v, op);
}
