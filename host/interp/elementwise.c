/* SPDX-License-Identifier: Apache-2.0 */
/* arith and math on scalars and tensors. */
#include "internal.h"

/* The only scalars that may be addresses are integers, and few ops keep them so. */
static bool run_address(stp_run_t *r, const stp_ir_op_t *op) {
  stp_ival_t in[3] = {{0}, {0}, {0}};
  for (int i = 0; i < op->num_operands; i++) {
    const stp_val_t *v = &r->env[op->operands[i]->id];
    in[i] = (stp_ival_t){true, v->base, v->cell.i};
  }
  stp_ival_t y = stp_eval_op(op, in);
  if (!y.known) return stp_run_error(r, op, "computes with an address");
  stp_env_set(r, op->results[0],
              (stp_val_t){.kind = VAL_SCALAR, .cell = {.i = y.value}, .base = y.base});
  return true;
}

bool stp_run_elementwise(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  /* Of the values: a select's first operand is its condition. */
  const stp_ir_type_t *from = op->operands[op->num_operands - 1]->type;
  stp_row_t row = {.kind = op->kind, .from = from->elem, .to = type->elem, .count = 1};
  if (op->kind == STP_OP_ARITH_CMPI) row.predicate = (unsigned)op->u.cmpi;
  if (op->kind == STP_OP_ARITH_CMPF) row.predicate = (unsigned)op->u.cmpf;
  const stp_tensor_t *shape = NULL;
  for (int i = 0; i < op->num_operands; i++) {
    const stp_val_t *v = &r->env[op->operands[i]->id];
    if (v->kind == VAL_SCALAR) {
      if (v->base != NULL) return run_address(r, op);
      row.in[i] = &v->cell;
      row.step[i] = 0;
      continue;
    }
    const stp_tensor_t *t = (const stp_tensor_t *)v->obj;
    row.in[i] = t->cells;
    row.step[i] = 1;
    for (int d = 0; shape != NULL && d < t->rank; d++) {
      if (t->dims[d] != shape->dims[d]) {
        return stp_run_error(r, op, "has operands of %lld and %lld elements in dimension %d",
                             (long long)shape->dims[d], (long long)t->dims[d], d);
      }
    }
    shape = t;
  }
  stp_cell_t scalar;
  if (shape == NULL) { /* a tensor has a tensor among its operands */
    row.out = &scalar;
    if (!stp_run_row(r, op, &row)) return false;
    stp_env_set_cell(r, op->results[0], scalar);
    return true;
  }
  stp_tensor_t *t = stp_tensor_new(r, op, type->elem, shape->rank, shape->dims);
  if (t == NULL) return false;
  row.count = t->count;
  row.out = t->cells;
  bool ok = stp_run_row(r, op, &row);
  stp_env_set_obj(r, op->results[0], &t->obj);
  return ok;
}

bool stp_run_constant(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_dense_t *c = op->u.constant;
  const stp_ir_type_t *type = op->results[0]->type;
  stp_cell_t cell = {0};
  stp_tensor_t *t = NULL;
  if (type->kind == STP_TYPE_TENSOR) {
    t = stp_tensor_new(r, op, type->elem, type->rank, type->dims);
    if (t == NULL) return false;
    stp_env_set_obj(r, op->results[0], &t->obj);
  }
  for (int64_t i = 0; i < c->count; i++) {
    if (!stp_cell_from_bits(r, type->elem, c->bits[i], &cell)) {
      return stp_run_error(r, op, "of elements of type %s is not supported by the interpreter",
                           stp_ir_elem_name(type->elem));
    }
    if (t != NULL && !c->splat) t->cells[i] = cell;
  }
  for (int64_t i = 0; t != NULL && c->splat && i < t->count; i++) t->cells[i] = cell;
  if (t == NULL) stp_env_set_cell(r, op->results[0], cell);
  return true;
}
