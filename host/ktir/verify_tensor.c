/* SPDX-License-Identifier: Apache-2.0 */
/* tensor, and memref.subview. */
#include "internal.h"

static bool want_tensor(stp_verifier_t *v, const stp_ir_op_t *op, const stp_ir_type_t *type,
                        const char *what) {
  return type->kind == STP_TYPE_TENSOR ||
         stp_v_error(v, op, "%s must be a tensor, but is '%s'", what, stp_v_type(v, type));
}

static bool want_indices(stp_verifier_t *v, const stp_ir_op_t *op, int first) {
  for (int i = first; i < op->num_operands; i++) {
    if (!stp_type_is_index(op->operands[i]->type)) {
      return stp_v_error_at(v, op, op->operand_locs[i], "operand %d must be index, not '%s'", i,
                            stp_v_type(v, op->operands[i]->type));
    }
  }
  return true;
}

static bool want_elem(stp_verifier_t *v, const stp_ir_op_t *op, int operand, stp_ir_elem_t elem) {
  const stp_ir_type_t *type = op->operands[operand]->type;
  return (type->kind == STP_TYPE_SCALAR && type->elem == elem) ||
         stp_v_error_at(v, op, op->operand_locs[operand], "operand %d must be '%s', not '%s'",
                        operand, stp_ir_elem_name(elem), stp_v_type(v, type));
}

static int num_dynamic(const stp_ir_type_t *type) {
  int n = 0;
  for (int i = 0; i < type->rank; i++) {
    n += type->dims[i] == STP_IR_DYNAMIC;
  }
  return n;
}

/* One size operand for each ? of the result. */
static bool check_dynamic(stp_verifier_t *v, const stp_ir_op_t *op, int first) {
  const stp_ir_type_t *type = op->results[0]->type;
  int given = op->num_operands - first;
  int want = num_dynamic(type);
  if (given != want) {
    return stp_v_error(v, op, "has %d sizes, but '%s' has %d dynamic dimensions", given,
                       stp_v_type(v, type), want);
  }
  return want_indices(v, op, first);
}

static bool verify_extract(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->operands[0]->type;
  if (!want_tensor(v, op, type, "operand") || !want_indices(v, op, 1)) {
    return false;
  }
  if (op->num_operands - 1 != type->rank) {
    return stp_v_error(v, op, "has %d indices for a tensor of rank %d", op->num_operands - 1,
                       type->rank);
  }
  for (int i = 0; i < type->rank; i++) {
    int64_t index;
    if (type->dims[i] != STP_IR_DYNAMIC && stp_ir_value_constant(op->operands[i + 1], &index) &&
        (index < 0 || index >= type->dims[i])) {
      return stp_v_error_at(v, op, op->operand_locs[i + 1],
                            "index %lld is outside dimension %d of size %lld", (long long)index, i,
                            (long long)type->dims[i]);
    }
  }
  const stp_ir_type_t *result = op->results[0]->type;
  if (result->kind != STP_TYPE_SCALAR || result->elem != type->elem) {
    return stp_v_error(v, op, "result must be '%s', not '%s'", stp_ir_elem_name(type->elem),
                       stp_v_type(v, result));
  }
  return true;
}

static bool dim_value(const stp_ir_dim_t *dim, int64_t *value) {
  *value = dim->value;
  return dim->ssa == NULL || stp_ir_value_constant(dim->ssa, value);
}

static bool verify_slice(stp_verifier_t *v, const stp_ir_op_t *op) {
  bool insert = op->u.slice.dest != NULL;
  const stp_ir_type_t *large = op->operands[insert]->type;
  const stp_ir_type_t *small = insert ? op->operands[0]->type : op->results[0]->type;
  if (large->elem != small->elem) {
    return stp_v_error(v, op, "element types of '%s' and '%s' differ",
                       stp_v_type(v, op->operands[0]->type), stp_v_type(v, insert ? large : small));
  }
  if (insert && op->num_results > 0 && op->results[0]->type != large) {
    return stp_v_error(v, op, "result must be '%s' like the destination, not '%s'",
                       stp_v_type(v, large), stp_v_type(v, op->results[0]->type));
  }
  for (int i = 0; i < op->u.slice.rank; i++) {
    int64_t offset, size, stride, last;
    bool has_offset = dim_value(&op->u.slice.offsets[i], &offset);
    bool has_size = dim_value(&op->u.slice.sizes[i], &size);
    bool has_stride = dim_value(&op->u.slice.strides[i], &stride);
    if ((has_offset && offset < 0) || (has_size && size < 0)) {
      return stp_v_error(v, op, "offset and size of dimension %d must not be negative", i);
    }
    if (!has_offset || !has_size || !has_stride || size == 0 || large->dims[i] == STP_IR_DYNAMIC) {
      continue;
    }
    if (__builtin_mul_overflow(size - 1, stride, &last) ||
        __builtin_add_overflow(last, offset, &last) || last < 0 || last >= large->dims[i] ||
        offset >= large->dims[i]) {
      return stp_v_error(v, op,
                         "offset %lld, size %lld and stride %lld reach outside dimension %d of "
                         "size %lld",
                         (long long)offset, (long long)size, (long long)stride, i,
                         (long long)large->dims[i]);
    }
  }
  return true;
}

static bool verify_reassociate(stp_verifier_t *v, const stp_ir_op_t *op) {
  bool expand = op->kind == STP_OP_TENSOR_EXPAND_SHAPE;
  const stp_ir_type_t *large = expand ? op->results[0]->type : op->operands[0]->type;
  const stp_ir_type_t *small = expand ? op->operands[0]->type : op->results[0]->type;
  if (large->elem != small->elem) {
    return stp_v_error(v, op, "element types of '%s' and '%s' differ",
                       stp_v_type(v, op->operands[0]->type), stp_v_type(v, op->results[0]->type));
  }
  int next = 0;
  for (int g = 0; g < op->u.reshape.num_groups; g++) {
    int64_t product = 1;
    bool dynamic = false;
    for (int i = 0; i < op->u.reshape.group_size[g]; i++, next++) {
      dynamic = dynamic || large->dims[next] == STP_IR_DYNAMIC;
      product = dynamic ? 0 : product * large->dims[next];
    }
    if (dynamic ? small->dims[g] != STP_IR_DYNAMIC : small->dims[g] != product) {
      return stp_v_error_at(v, op, stp_v_attr_loc(op, "reassociation"),
                            "group %d of '%s' does not make up dimension %d of '%s'", g,
                            stp_v_type(v, large), g, stp_v_type(v, small));
    }
  }
  for (; next < large->rank; next++) { /* no groups: all dims are 1 */
    if (large->dims[next] != 1) {
      return stp_v_error_at(v, op, stp_v_attr_loc(op, "reassociation"),
                            "only dimensions of size 1 may be left out of the groups");
    }
  }
  for (int i = 0; expand && i < large->rank; i++) {
    int64_t size;
    if (dim_value(&op->u.reshape.shape[i], &size) && large->dims[i] != STP_IR_DYNAMIC &&
        size != large->dims[i]) {
      return stp_v_error(v, op, "output_shape has %lld in dimension %d, but the result has %lld",
                         (long long)size, i, (long long)large->dims[i]);
    }
  }
  return true;
}

static bool verify_reshape(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *from = op->operands[0]->type;
  const stp_ir_type_t *shape = op->operands[1]->type;
  const stp_ir_type_t *to = op->results[0]->type;
  if (!want_tensor(v, op, from, "operand") || !want_tensor(v, op, shape, "the shape") ||
      !want_tensor(v, op, to, "result")) {
    return false;
  }
  if (from->elem != to->elem) {
    return stp_v_error(v, op, "element types of '%s' and '%s' differ", stp_v_type(v, from),
                       stp_v_type(v, to));
  }
  if (shape->rank != 1 || shape->dims[0] != to->rank || !stp_ir_elem_is_int(shape->elem)) {
    return stp_v_error_at(v, op, op->operand_locs[1],
                          "the shape must be a tensor of %d integers, not '%s'", to->rank,
                          stp_v_type(v, shape));
  }
  int64_t a = stp_ir_type_count(from);
  int64_t b = stp_ir_type_count(to);
  if (a >= 0 && b >= 0 && a != b) {
    return stp_v_error(v, op, "reshapes %lld elements into %lld", (long long)a, (long long)b);
  }
  return true;
}

static bool verify_from_elements(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  if (!want_tensor(v, op, type, "result")) {
    return false;
  }
  if (stp_ir_type_count(type) != op->num_operands) {
    return stp_v_error(v, op, "has %d elements for '%s'", op->num_operands, stp_v_type(v, type));
  }
  for (int i = 0; i < op->num_operands; i++) {
    if (!want_elem(v, op, i, type->elem)) {
      return false;
    }
  }
  return true;
}

static bool verify_generate(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  const stp_ir_block_t *body = op->regions[0];
  if (!want_tensor(v, op, type, "result") || !check_dynamic(v, op, 0)) {
    return false;
  }
  if (body->num_args != type->rank) {
    return stp_v_error(v, op, "body must have %d arguments, but has %d", type->rank,
                       body->num_args);
  }
  for (int i = 0; i < body->num_args; i++) {
    if (!stp_type_is_index(body->args[i]->type)) {
      return stp_v_error_at(v, op, body->args[i]->loc,
                            "argument %d of the body must be index, not '%s'", i,
                            stp_v_type(v, body->args[i]->type));
    }
  }
  return want_elem(v, body->last, 0, type->elem);
}

static bool verify_dim(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->operands[0]->type;
  int64_t dim;
  if (!want_tensor(v, op, type, "operand") || !want_indices(v, op, 1)) {
    return false;
  }
  if (stp_ir_value_constant(op->operands[1], &dim) && (dim < 0 || dim >= type->rank)) {
    return stp_v_error_at(v, op, op->operand_locs[1], "'%s' has no dimension %lld",
                          stp_v_type(v, type), (long long)dim);
  }
  return stp_type_is_index(op->results[0]->type) || stp_v_error(v, op, "result must be index");
}

bool stp_verify_tensor(stp_verifier_t *v, stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_TENSOR_EMPTY:
    return want_tensor(v, op, op->results[0]->type, "result") && check_dynamic(v, op, 0);
  case STP_OP_TENSOR_SPLAT:
    return want_tensor(v, op, op->results[0]->type, "result") &&
           want_elem(v, op, 0, op->results[0]->type->elem) && check_dynamic(v, op, 1);
  case STP_OP_TENSOR_EXTRACT:
    return verify_extract(v, op);
  case STP_OP_TENSOR_EXTRACT_SLICE:
  case STP_OP_TENSOR_INSERT_SLICE:
  case STP_OP_TENSOR_PARALLEL_INSERT_SLICE:
  case STP_OP_MEMREF_SUBVIEW:
    return verify_slice(v, op);
  case STP_OP_TENSOR_EXPAND_SHAPE:
  case STP_OP_TENSOR_COLLAPSE_SHAPE:
    return verify_reassociate(v, op);
  case STP_OP_TENSOR_RESHAPE:
    return verify_reshape(v, op);
  case STP_OP_TENSOR_FROM_ELEMENTS:
    return verify_from_elements(v, op);
  case STP_OP_TENSOR_GENERATE:
    return verify_generate(v, op);
  case STP_OP_TENSOR_DIM:
    return verify_dim(v, op);
  default:
    return true;
  }
}
