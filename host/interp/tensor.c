/* SPDX-License-Identifier: Apache-2.0 */
/* tensor. */
#include "internal.h"

#include <string.h>

/* A new tensor of the result's type; its dynamic sizes come from the operands from `first` on. */
static stp_tensor_t *new_sized(stp_run_t *r, const stp_ir_op_t *op, int first) {
  const stp_ir_type_t *type = op->results[0]->type;
  int64_t dims[STP_IR_MAX_RANK] = {0};
  for (int i = 0; i < type->rank; i++) {
    dims[i] = type->dims[i];
    if (dims[i] == STP_IR_DYNAMIC && !stp_env_int(r, op, op->operands[first++], &dims[i])) {
      return NULL;
    }
  }
  return stp_tensor_new(r, op, type->elem, type->rank, dims);
}

static bool run_splat(stp_run_t *r, const stp_ir_op_t *op) {
  stp_tensor_t *t = new_sized(r, op, 1);
  if (t == NULL) return false;
  for (int64_t i = 0; i < t->count; i++) t->cells[i] = r->env[op->operands[0]->id].cell;
  stp_env_set_obj(r, op->results[0], &t->obj);
  return true;
}

static bool run_extract(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_tensor_t *t = stp_env_tensor(r, op->operands[0]);
  int64_t at = 0, index = 0;
  for (int d = 0; d < t->rank; d++) {
    if (!stp_env_int(r, op, op->operands[d + 1], &index)) return false;
    if (index < 0 || index >= t->dims[d]) {
      return stp_run_error(r, op, "index %lld is outside dimension %d of size %lld",
                           (long long)index, d, (long long)t->dims[d]);
    }
    at = at * t->dims[d] + index;
  }
  stp_env_set_cell(r, op->results[0], t->cells[at]);
  return true;
}

/* Offsets, sizes and strides of a slice of `large`, checked. */
static bool slice_bounds(stp_run_t *r, const stp_ir_op_t *op, const stp_tensor_t *large,
                         int64_t *offsets, int64_t *sizes, int64_t *strides) {
  for (int d = 0; d < large->rank; d++) {
    if (!stp_env_dim(r, op, &op->u.slice.offsets[d], &offsets[d]) ||
        !stp_env_dim(r, op, &op->u.slice.sizes[d], &sizes[d]) ||
        !stp_env_dim(r, op, &op->u.slice.strides[d], &strides[d])) {
      return false;
    }
    int64_t last;
    if (sizes[d] < 0 || (sizes[d] > 0 && (__builtin_mul_overflow(sizes[d] - 1, strides[d], &last) ||
                                          __builtin_add_overflow(last, offsets[d], &last) ||
                                          last < 0 || last >= large->dims[d] || offsets[d] < 0 ||
                                          offsets[d] >= large->dims[d]))) {
      return stp_run_error(r, op,
                           "offset %lld, size %lld and stride %lld reach outside dimension %d of "
                           "size %lld",
                           (long long)offsets[d], (long long)sizes[d], (long long)strides[d], d,
                           (long long)large->dims[d]);
    }
  }
  return true;
}

/* Copy between the slice of `large` and all of `small`, row-major. */
static void copy_slice(stp_tensor_t *large, stp_tensor_t *small, const int64_t *offsets,
                       const int64_t *sizes, const int64_t *strides, bool insert) {
  int64_t p[STP_IR_MAX_RANK] = {0};
  for (int64_t i = 0; i < small->count; i++) {
    int64_t at = 0;
    for (int d = 0; d < large->rank; d++) {
      at = at * large->dims[d] + offsets[d] + p[d] * strides[d];
    }
    if (insert)
      large->cells[at] = small->cells[i];
    else
      small->cells[i] = large->cells[at];
    int d = large->rank - 1;
    while (d >= 0 && ++p[d] == sizes[d]) p[d--] = 0;
  }
}

static bool run_extract_slice(stp_run_t *r, const stp_ir_op_t *op) {
  stp_tensor_t *large = stp_env_tensor(r, op->u.slice.source);
  const stp_ir_type_t *type = op->results[0]->type;
  int64_t offsets[STP_IR_MAX_RANK] = {0}, sizes[STP_IR_MAX_RANK] = {0},
          strides[STP_IR_MAX_RANK] = {0};
  if (!slice_bounds(r, op, large, offsets, sizes, strides)) return false;
  int64_t dims[STP_IR_MAX_RANK] = {0};
  int n = 0;
  for (int d = 0; d < large->rank; d++) {
    if ((op->u.slice.dropped >> d & 1) != 0) continue;
    if (type->dims[n] != STP_IR_DYNAMIC && type->dims[n] != sizes[d]) {
      return stp_run_error(r, op, "has size %lld in dimension %d", (long long)sizes[d], d);
    }
    dims[n++] = sizes[d];
  }
  stp_tensor_t *t = stp_tensor_new(r, op, type->elem, n, dims);
  if (t == NULL) return false;
  copy_slice(large, t, offsets, sizes, strides, false);
  stp_env_set_obj(r, op->results[0], &t->obj);
  return true;
}

/* Also tensor.parallel_insert_slice, which has no result: its destination changes. */
static bool run_insert_slice(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_value_t *to = op->num_results > 0 ? op->results[0] : op->u.slice.dest;
  stp_tensor_t *large = stp_env_tensor(r, op->u.slice.dest);
  stp_tensor_t *small = stp_env_tensor(r, op->u.slice.source);
  int64_t offsets[STP_IR_MAX_RANK] = {0}, sizes[STP_IR_MAX_RANK] = {0},
          strides[STP_IR_MAX_RANK] = {0}, count = 1;
  if (!slice_bounds(r, op, large, offsets, sizes, strides)) return false;
  for (int d = 0; d < large->rank; d++) count *= sizes[d];
  if (count != small->count) {
    return stp_run_error(r, op, "puts %lld elements where there is room for %lld",
                         (long long)small->count, (long long)count);
  }
  stp_tensor_t *t = stp_tensor_new(r, op, large->elem, large->rank, large->dims);
  if (t == NULL) return false;
  if (t->count > 0) memcpy(t->cells, large->cells, (size_t)t->count * sizeof *t->cells);
  copy_slice(t, small, offsets, sizes, strides, true);
  stp_env_set_obj(r, to, &t->obj);
  return true;
}

static bool reshaped(stp_run_t *r, const stp_ir_op_t *op, const int64_t *dims) {
  const stp_tensor_t *from = stp_env_tensor(r, op->operands[0]);
  const stp_ir_type_t *type = op->results[0]->type;
  stp_tensor_t *t = stp_tensor_new(r, op, from->elem, type->rank, dims);
  if (t == NULL) return false;
  bool ok = t->count == from->count;
  if (ok && t->count > 0) memcpy(t->cells, from->cells, (size_t)t->count * sizeof *t->cells);
  int64_t count = t->count;
  stp_env_set_obj(r, op->results[0], &t->obj);
  return ok || stp_run_error(r, op, "reshapes %lld elements into %lld", (long long)from->count,
                             (long long)count);
}

static bool run_expand(stp_run_t *r, const stp_ir_op_t *op) {
  int64_t dims[STP_IR_MAX_RANK] = {0};
  for (int i = 0; i < op->results[0]->type->rank; i++) {
    if (!stp_env_dim(r, op, &op->u.reshape.shape[i], &dims[i])) return false;
  }
  return reshaped(r, op, dims);
}

static bool run_collapse(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_tensor_t *from = stp_env_tensor(r, op->operands[0]);
  int64_t dims[STP_IR_MAX_RANK] = {0};
  int next = 0;
  for (int g = 0; g < op->u.reshape.num_groups; g++) {
    dims[g] = 1;
    for (int i = 0; i < op->u.reshape.group_size[g]; i++) dims[g] *= from->dims[next++];
  }
  return reshaped(r, op, dims);
}

static bool run_reshape(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_tensor_t *shape = stp_env_tensor(r, op->operands[1]);
  const stp_ir_type_t *type = op->results[0]->type;
  int64_t dims[STP_IR_MAX_RANK] = {0};
  for (int i = 0; i < type->rank; i++) {
    dims[i] = shape->cells[i].i;
    if (type->dims[i] != STP_IR_DYNAMIC && type->dims[i] != dims[i]) {
      return stp_run_error(r, op, "is given size %lld in dimension %d, but its result has %lld",
                           (long long)dims[i], i, (long long)type->dims[i]);
    }
  }
  return reshaped(r, op, dims);
}

static bool run_from_elements(stp_run_t *r, const stp_ir_op_t *op) {
  stp_tensor_t *t = new_sized(r, op, 0);
  if (t == NULL) return false;
  for (int i = 0; i < op->num_operands; i++) t->cells[i] = r->env[op->operands[i]->id].cell;
  stp_env_set_obj(r, op->results[0], &t->obj);
  return true;
}

static bool run_generate(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->regions[0];
  stp_tensor_t *t = new_sized(r, op, 0);
  if (t == NULL) return false;
  int64_t p[STP_IR_MAX_RANK] = {0};
  bool ok = true;
  for (int64_t i = 0; ok && i < t->count; i++) {
    for (int d = 0; d < t->rank; d++) stp_env_set_int(r, body->args[d], p[d]);
    ok = stp_run_block(r, body);
    if (ok) t->cells[i] = r->env[body->last->operands[0]->id].cell;
    int d = t->rank - 1;
    while (d >= 0 && ++p[d] == t->dims[d]) p[d--] = 0;
  }
  stp_env_set_obj(r, op->results[0], &t->obj);
  return ok;
}

static bool run_dim(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_tensor_t *t = stp_env_tensor(r, op->operands[0]);
  int64_t d = 0;
  if (!stp_env_int(r, op, op->operands[1], &d)) return false;
  if (d < 0 || d >= t->rank) {
    return stp_run_error(r, op, "asks for dimension %lld of a tensor of rank %d", (long long)d,
                         t->rank);
  }
  stp_env_set_int(r, op->results[0], t->dims[d]);
  return true;
}

bool stp_run_tensor(stp_run_t *r, const stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_TENSOR_EMPTY: {
    stp_tensor_t *t = new_sized(r, op, 0); /* zeros, as ktir.md says */
    if (t == NULL) return false;
    stp_env_set_obj(r, op->results[0], &t->obj);
    return true;
  }
  case STP_OP_TENSOR_SPLAT:
    return run_splat(r, op);
  case STP_OP_TENSOR_EXTRACT:
    return run_extract(r, op);
  case STP_OP_TENSOR_EXTRACT_SLICE:
    return run_extract_slice(r, op);
  case STP_OP_TENSOR_INSERT_SLICE:
  case STP_OP_TENSOR_PARALLEL_INSERT_SLICE:
    return run_insert_slice(r, op);
  case STP_OP_TENSOR_EXPAND_SHAPE:
    return run_expand(r, op);
  case STP_OP_TENSOR_COLLAPSE_SHAPE:
    return run_collapse(r, op);
  case STP_OP_TENSOR_RESHAPE:
    return run_reshape(r, op);
  case STP_OP_TENSOR_FROM_ELEMENTS:
    return run_from_elements(r, op);
  case STP_OP_TENSOR_GENERATE:
    return run_generate(r, op);
  default:
    return run_dim(r, op);
  }
}
