/* SPDX-License-Identifier: Apache-2.0 */
/* arith and math. */
#include "internal.h"

static bool same_shape(const stp_ir_type_t *a, const stp_ir_type_t *b) {
  return a->kind == b->kind && a->rank == b->rank &&
         (a->rank == 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

static bool check_class(stp_verifier_t *v, const stp_ir_op_t *op, const stp_ir_type_t *type,
                        stp_loc_t loc, bool want_float) {
  if (!stp_type_is_scalar_or_tensor(type) ||
      (want_float ? !stp_ir_elem_is_float(type->elem) : !stp_ir_elem_is_int(type->elem))) {
    return stp_v_error_at(v, op, loc, "works on %s, not on '%s'",
                          want_float ? "floating-point numbers" : "integers and index",
                          stp_v_type(v, type));
  }
  return true;
}

static bool verify_same(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  bool integer = STP_OP_IS_INT_BINARY(op->kind) || op->kind == STP_OP_MATH_ABSI;
  for (int i = 0; i < op->num_operands; i++) {
    if (op->operands[i]->type != type) {
      return stp_v_error_at(v, op, op->operand_locs[i],
                            "operands and result must be of one type, but '%s' and '%s' are given",
                            stp_v_type(v, op->operands[i]->type), stp_v_type(v, type));
    }
  }
  int64_t divisor;
  if (op->kind >= STP_OP_ARITH_DIVSI && op->kind <= STP_OP_ARITH_REMUI &&
      stp_ir_value_constant(op->operands[1], &divisor) && divisor == 0) {
    return stp_v_error_at(v, op, op->operand_locs[1], "divides by zero");
  }
  return check_class(v, op, type, op->operand_locs[0], !integer);
}

static bool verify_cast(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *from = op->operands[0]->type;
  const stp_ir_type_t *to = op->results[0]->type;
  if (!stp_type_is_scalar_or_tensor(from) || !stp_type_is_scalar_or_tensor(to) ||
      !same_shape(from, to)) {
    return stp_v_error(v, op, "operand and result must have one shape, but '%s' and '%s' are given",
                       stp_v_type(v, from), stp_v_type(v, to));
  }
  bool from_float = stp_ir_elem_is_float(from->elem);
  bool to_float = stp_ir_elem_is_float(to->elem);
  bool from_index = from->elem == STP_ELEM_INDEX;
  bool to_index = to->elem == STP_ELEM_INDEX;
  bool from_int = !from_float && !from_index;
  bool to_int = !to_float && !to_index;
  int grow = stp_ir_elem_bits(to->elem) - stp_ir_elem_bits(from->elem);
  bool ok;
  const char *rule;
  switch (op->kind) {
  case STP_OP_ARITH_EXTF:
    ok = from_float && to_float && grow > 0;
    rule = "a float to a wider float";
    break;
  case STP_OP_ARITH_TRUNCF:
    ok = from_float && to_float && grow < 0;
    rule = "a float to a narrower float";
    break;
  case STP_OP_ARITH_CONVERTF:
    ok = from_float && to_float && grow == 0 && from != to;
    rule = "a float to another float of the same width";
    break;
  case STP_OP_ARITH_EXTSI:
  case STP_OP_ARITH_EXTUI:
    ok = from_int && to_int && grow > 0;
    rule = "an integer to a wider integer";
    break;
  case STP_OP_ARITH_TRUNCI:
    ok = from_int && to_int && grow < 0;
    rule = "an integer to a narrower integer";
    break;
  case STP_OP_ARITH_SITOFP:
  case STP_OP_ARITH_UITOFP:
    ok = from_int && to_float;
    rule = "an integer to a float";
    break;
  case STP_OP_ARITH_FPTOSI:
  case STP_OP_ARITH_FPTOUI:
    ok = from_float && to_int;
    rule = "a float to an integer";
    break;
  case STP_OP_ARITH_INDEX_CAST:
  case STP_OP_ARITH_INDEX_CASTUI:
    ok = (from_index && to_int) || (from_int && to_index);
    rule = "an integer to index or index to an integer";
    break;
  default:
    ok = !from_index && !to_index && grow == 0;
    rule = "a value to another type of the same width";
    break;
  }
  return ok || stp_v_error(v, op, "casts %s, not '%s' to '%s'", rule, stp_v_type(v, from),
                           stp_v_type(v, to));
}

static bool verify_cmp(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->operands[0]->type;
  const stp_ir_type_t *result = op->results[0]->type;
  if (op->operands[1]->type != type) {
    return stp_v_error_at(v, op, op->operand_locs[1],
                          "compares two values of one type, but '%s' and '%s' are given",
                          stp_v_type(v, type), stp_v_type(v, op->operands[1]->type));
  }
  if (!check_class(v, op, type, op->operand_locs[0], op->kind == STP_OP_ARITH_CMPF)) {
    return false;
  }
  if (!same_shape(type, result) || result->elem != STP_ELEM_I1) {
    return stp_v_error(v, op, "result must be i1 of the operands' shape, but is '%s'",
                       stp_v_type(v, result));
  }
  return true;
}

static bool verify_select(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *condition = op->operands[0]->type;
  const stp_ir_type_t *type = op->results[0]->type;
  if (!stp_type_is_scalar_or_tensor(type) || op->operands[1]->type != type ||
      op->operands[2]->type != type) {
    return stp_v_error(v, op, "both values and the result must be of one type, scalar or tensor");
  }
  bool scalar = condition->kind == STP_TYPE_SCALAR;
  if (condition->elem != STP_ELEM_I1 || (!scalar && !same_shape(condition, type))) {
    return stp_v_error_at(v, op, op->operand_locs[0],
                          "condition must be i1, or a tensor of i1 of the values' shape, but is "
                          "'%s'",
                          stp_v_type(v, condition));
  }
  return true;
}

bool stp_verify_arith(stp_verifier_t *v, stp_ir_op_t *op) {
  if (op->kind == STP_OP_ARITH_CONSTANT) {
    return true;
  }
  if (STP_OP_IS_CAST(op->kind)) {
    return verify_cast(v, op);
  }
  if (op->kind == STP_OP_ARITH_CMPI || op->kind == STP_OP_ARITH_CMPF) {
    return verify_cmp(v, op);
  }
  if (op->kind == STP_OP_ARITH_SELECT) {
    return verify_select(v, op);
  }
  return verify_same(v, op);
}
