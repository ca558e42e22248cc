/* SPDX-License-Identifier: Apache-2.0 */
/* The iteration space of linalg ops: from the name where there is one, else from attributes. */
#include "internal.h"

static bool op_error(stp_parser_t *p, const stp_ir_op_t *op, stp_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool op_error(stp_parser_t *p, const stp_ir_op_t *op, stp_loc_t loc, const char *format,
                     ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(p->arena, format, args);
  va_end(args);
  return stp_p_error(p, loc, "'%s' op %s", stp_ir_op_name(op->kind), message);
}

static void set_loops(stp_parser_t *p, stp_ir_op_t *op, int num_loops, unsigned reductions) {
  stp_ir_iter_t *list = stp_arena_array(p->arena, (size_t)num_loops, sizeof *list);
  for (int i = 0; i < num_loops; i++) {
    list[i] = (reductions >> i & 1) != 0 ? STP_ITER_REDUCTION : STP_ITER_PARALLEL;
  }
  op->u.linalg.num_loops = num_loops;
  op->u.linalg.iterators = list;
}

/* The map that picks the given loops. */
static const stp_affine_map_t *pick(stp_parser_t *p, int num_loops, int count, const int *loops) {
  stp_affine_map_t *map = stp_arena_alloc(p->arena, sizeof *map);
  const stp_affine_expr_t **results = stp_arena_array(p->arena, (size_t)count, sizeof(void *));
  for (int i = 0; i < count; i++) {
    results[i] = stp_affine_dim(p->arena, loops[i]);
  }
  map->num_dims = num_loops;
  map->num_results = count;
  map->results = results;
  return map;
}

static bool tensor_operands(stp_parser_t *p, const stp_ir_op_t *op, int first) {
  for (int i = first; i < op->num_operands; i++) {
    if (op->operands[i]->type->kind != STP_TYPE_TENSOR) {
      return op_error(p, op, op->operand_locs[i], "operand %d must be a tensor, not '%s'", i,
                      stp_ir_type_text(p->arena, op->operands[i]->type));
    }
  }
  return true;
}

/* ---- attributes --------------------------------------------------------------------------- */

static bool given_maps(stp_parser_t *p, stp_ir_op_t *op, const stp_ir_attr_t *attr) {
  if (attr->kind != STP_ATTR_ARRAY || attr->count != op->num_operands) {
    return op_error(p, op, attr->loc, "indexing_maps must be a list of %d affine maps",
                    op->num_operands);
  }
  const stp_affine_map_t **maps =
      stp_arena_array(p->arena, (size_t)op->num_operands, sizeof(void *));
  for (int i = 0; i < attr->count; i++) {
    const stp_ir_attr_t *item = attr->items[i];
    if (item->kind != STP_ATTR_MAP) {
      return op_error(p, op, item->loc, "indexing map %d must be an affine map", i);
    }
    maps[i] = item->map;
    if (maps[i]->num_dims != op->u.linalg.num_loops || maps[i]->num_syms != 0) {
      return op_error(p, op, item->loc, "indexing map %d must have %d dimensions and no symbols", i,
                      op->u.linalg.num_loops);
    }
    int rank = op->operands[i]->type->kind == STP_TYPE_SCALAR ? 0 : op->operands[i]->type->rank;
    if (maps[i]->num_results != rank) {
      return op_error(p, op, item->loc,
                      "indexing map %d has %d results, but operand %d has rank %d", i,
                      maps[i]->num_results, i, rank);
    }
  }
  op->u.linalg.maps = maps;
  return true;
}

static bool generic(stp_parser_t *p, stp_ir_op_t *op) {
  const stp_ir_attr_t *iterators = stp_ir_op_attr(op, "iterator_types");
  const stp_ir_attr_t *maps = stp_ir_op_attr(op, "indexing_maps");
  if (iterators == NULL || maps == NULL) {
    return op_error(p, op, op->loc, "requires attribute '%s'",
                    maps == NULL ? "indexing_maps" : "iterator_types");
  }
  if (iterators->kind != STP_ATTR_ARRAY || iterators->count > 2 * STP_IR_MAX_RANK) {
    return op_error(p, op, iterators->loc,
                    "iterator_types must be a list of \"parallel\" and \"reduction\"");
  }
  unsigned reductions = 0;
  for (int i = 0; i < iterators->count; i++) {
    const stp_ir_attr_t *item = iterators->items[i];
    bool text = item->kind == STP_ATTR_STRING || item->kind == STP_ATTR_KEYWORD;
    bool reduction = text && strcmp(item->str, "reduction") == 0;
    if (!reduction && !(text && strcmp(item->str, "parallel") == 0)) {
      return op_error(p, op, item->loc, "iterator type must be \"parallel\" or \"reduction\"");
    }
    reductions |= (unsigned)reduction << i;
  }
  set_loops(p, op, iterators->count, reductions);
  return given_maps(p, op, maps);
}

static bool dim_list(stp_parser_t *p, stp_ir_op_t *op, const char *name, int limit) {
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, name);
  if (attr == NULL) {
    return op_error(p, op, op->loc, "requires attribute '%s'", name);
  }
  bool ok = attr->kind == STP_ATTR_INTS || attr->kind == STP_ATTR_ARRAY;
  for (int i = 0; ok && attr->kind == STP_ATTR_ARRAY && i < attr->count; i++) {
    ok = attr->items[i]->kind == STP_ATTR_INT;
  }
  if (!ok) {
    return op_error(p, op, attr->loc, "attribute '%s' must be a list of integers", name);
  }
  int64_t *dims = stp_arena_array(p->arena, (size_t)attr->count, sizeof *dims);
  unsigned seen = 0;
  for (int i = 0; i < attr->count; i++) {
    dims[i] = attr->kind == STP_ATTR_INTS ? attr->ints[i] : attr->items[i]->i;
    if (dims[i] < 0 || dims[i] >= limit) {
      return op_error(p, op, attr->loc, "%s: %lld is not a dimension from 0 to %d", name,
                      (long long)dims[i], limit - 1);
    }
    if ((seen >> dims[i] & 1) != 0) {
      return op_error(p, op, attr->loc, "%s: %lld is listed twice", name, (long long)dims[i]);
    }
    seen |= 1u << dims[i];
  }
  op->u.linalg.num_dims = attr->count;
  op->u.linalg.dims = dims;
  return true;
}

/* ---- named ops ---------------------------------------------------------------------------- */

static bool matmul(stp_parser_t *p, stp_ir_op_t *op) {
  bool batch = op->kind >= STP_OP_LINALG_BATCH_MATMUL;
  bool transpose_a = op->kind == STP_OP_LINALG_MATMUL_TRANSPOSE_A ||
                     op->kind == STP_OP_LINALG_BATCH_MATMUL_TRANSPOSE_A;
  bool transpose_b = op->kind == STP_OP_LINALG_MATMUL_TRANSPOSE_B ||
                     op->kind == STP_OP_LINALG_BATCH_MATMUL_TRANSPOSE_B;
  int b = batch ? 1 : 0; /* loops: batch, m, n, k */
  int m = b, n = b + 1, k = b + 2;
  if (!tensor_operands(p, op, 0)) {
    return false;
  }
  set_loops(p, op, b + 3, 1u << k);
  const stp_ir_attr_t *maps = stp_ir_op_attr(op, "indexing_maps");
  if (maps != NULL) {
    return given_maps(p, op, maps);
  }
  for (int i = 0; i < 3; i++) {
    if (op->operands[i]->type->rank != b + 2) {
      return op_error(p, op, op->operand_locs[i], "operand %d must have rank %d, but is '%s'", i,
                      b + 2, stp_ir_type_text(p->arena, op->operands[i]->type));
    }
  }
  int loops[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  loops[0][b] = transpose_a ? k : m;
  loops[0][b + 1] = transpose_a ? m : k;
  loops[1][b] = transpose_b ? n : k;
  loops[1][b + 1] = transpose_b ? k : n;
  loops[2][b] = m;
  loops[2][b + 1] = n;
  const stp_affine_map_t **list = stp_arena_array(p->arena, 3, sizeof(void *));
  for (int i = 0; i < 3; i++) {
    list[i] = pick(p, b + 3, b + 2, loops[i]);
  }
  op->u.linalg.maps = list;
  return true;
}

/* Elementwise ops, fill, copy and map: every tensor has the shape of the output. */
static bool elementwise(stp_parser_t *p, stp_ir_op_t *op) {
  if (!tensor_operands(p, op, op->kind == STP_OP_LINALG_FILL ? 1 : 0)) {
    return false;
  }
  int rank = op->operands[op->num_operands - 1]->type->rank;
  const stp_affine_map_t **maps =
      stp_arena_array(p->arena, (size_t)op->num_operands, sizeof(void *));
  for (int i = 0; i < op->num_operands; i++) {
    const stp_ir_type_t *type = op->operands[i]->type;
    bool scalar = type->kind == STP_TYPE_SCALAR || (op->kind == STP_OP_LINALG_FILL && i == 0);
    if (scalar ? type->kind != STP_TYPE_SCALAR : type->rank != rank) {
      return op_error(p, op, op->operand_locs[i], "operand %d must %s, but is '%s'", i,
                      scalar ? "be a scalar" : "have the shape of the output",
                      stp_ir_type_text(p->arena, type));
    }
    maps[i] = scalar ? pick(p, rank, 0, NULL) : stp_affine_map_identity(p->arena, rank);
  }
  set_loops(p, op, rank, 0);
  op->u.linalg.maps = maps;
  return true;
}

static unsigned dims_mask(const stp_ir_op_t *op) {
  unsigned mask = 0;
  for (int i = 0; i < op->u.linalg.num_dims; i++) {
    mask |= 1u << op->u.linalg.dims[i];
  }
  return mask;
}

/* The map that picks the loops outside the mask. */
static const stp_affine_map_t *pick_others(stp_parser_t *p, int num_loops, unsigned mask) {
  int loops[STP_IR_MAX_RANK] = {0};
  int count = 0;
  for (int i = 0; i < num_loops; i++) {
    if ((mask >> i & 1) == 0) {
      loops[count++] = i;
    }
  }
  return pick(p, num_loops, count, loops);
}

static bool broadcast(stp_parser_t *p, stp_ir_op_t *op) {
  if (!tensor_operands(p, op, 0)) {
    return false;
  }
  int rank = op->operands[1]->type->rank;
  if (!dim_list(p, op, "dimensions", rank)) {
    return false;
  }
  int in_rank = op->operands[0]->type->rank;
  if (in_rank + op->u.linalg.num_dims != rank) {
    return op_error(p, op, stp_ir_op_attr(op, "dimensions")->loc,
                    "input of rank %d and %d dimensions do not give the output's rank %d", in_rank,
                    op->u.linalg.num_dims, rank);
  }
  const stp_affine_map_t **maps = stp_arena_array(p->arena, 2, sizeof(void *));
  maps[0] = pick_others(p, rank, dims_mask(op));
  maps[1] = stp_affine_map_identity(p->arena, rank);
  set_loops(p, op, rank, 0);
  op->u.linalg.maps = maps;
  return true;
}

static bool transpose(stp_parser_t *p, stp_ir_op_t *op) {
  if (!tensor_operands(p, op, 0)) {
    return false;
  }
  int rank = op->operands[1]->type->rank;
  if (!dim_list(p, op, "permutation", rank)) {
    return false;
  }
  if (op->operands[0]->type->rank != rank || op->u.linalg.num_dims != rank) {
    return op_error(p, op, stp_ir_op_attr(op, "permutation")->loc,
                    "permutation of %d dimensions for an input of rank %d and an output of rank %d",
                    op->u.linalg.num_dims, op->operands[0]->type->rank, rank);
  }
  int loops[STP_IR_MAX_RANK] = {0};
  for (int i = 0; i < rank; i++) {
    loops[op->u.linalg.dims[i]] = i; /* output dim i is input dim dims[i] */
  }
  const stp_affine_map_t **maps = stp_arena_array(p->arena, 2, sizeof(void *));
  maps[0] = pick(p, rank, rank, loops);
  maps[1] = stp_affine_map_identity(p->arena, rank);
  set_loops(p, op, rank, 0);
  op->u.linalg.maps = maps;
  return true;
}

static bool reduce(stp_parser_t *p, stp_ir_op_t *op) {
  int n = op->num_operands / 2;
  if (op->num_operands % 2 != 0) {
    return op_error(p, op, op->loc, "needs as many outputs as inputs");
  }
  op->u.linalg.num_ins = op->u.linalg.num_outs = n;
  op->u.linalg.outs = op->operands + n;
  if (!tensor_operands(p, op, 0)) {
    return false;
  }
  int rank = op->operands[0]->type->rank;
  if (!dim_list(p, op, "dimensions", rank)) {
    return false;
  }
  const stp_affine_map_t **maps =
      stp_arena_array(p->arena, (size_t)op->num_operands, sizeof(void *));
  for (int i = 0; i < op->num_operands; i++) {
    bool out = i >= n;
    int expected = out ? rank - op->u.linalg.num_dims : rank;
    if (op->operands[i]->type->rank != expected) {
      return op_error(p, op, op->operand_locs[i], "operand %d must have rank %d, but is '%s'", i,
                      expected, stp_ir_type_text(p->arena, op->operands[i]->type));
    }
    maps[i] = out ? pick_others(p, rank, dims_mask(op)) : stp_affine_map_identity(p->arena, rank);
  }
  set_loops(p, op, rank, dims_mask(op));
  op->u.linalg.maps = maps;
  return true;
}

/* ---- bodies ------------------------------------------------------------------------------- */

/* The op if the body is that one op on the element and the accumulator, and its yield. */
static stp_ir_op_kind_t find_combiner(const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->u.linalg.body;
  if (op->u.linalg.num_ins != 1 || op->u.linalg.num_outs != 1 || body->num_args != 2 ||
      body->first == NULL || body->first->next == NULL || body->first->next != body->last) {
    return STP_OP_NONE;
  }
  const stp_ir_op_t *inner = body->first;
  bool binary = STP_OP_IS_INT_BINARY(inner->kind) || STP_OP_IS_FLOAT_BINARY(inner->kind);
  if (!binary || body->last->kind != STP_OP_LINALG_YIELD || body->last->num_operands != 1 ||
      body->last->operands[0] != inner->results[0]) {
    return STP_OP_NONE;
  }
  bool in_order = inner->operands[0] == body->args[0] && inner->operands[1] == body->args[1];
  bool swapped = inner->operands[0] == body->args[1] && inner->operands[1] == body->args[0];
  switch (inner->kind) {
  case STP_OP_ARITH_SUBI: /* not commutative: not a fold in either order */
  case STP_OP_ARITH_DIVSI:
  case STP_OP_ARITH_DIVUI:
  case STP_OP_ARITH_CEILDIVSI:
  case STP_OP_ARITH_CEILDIVUI:
  case STP_OP_ARITH_FLOORDIVSI:
  case STP_OP_ARITH_REMSI:
  case STP_OP_ARITH_REMUI:
  case STP_OP_ARITH_SHLI:
  case STP_OP_ARITH_SHRSI:
  case STP_OP_ARITH_SHRUI:
  case STP_OP_ARITH_SUBF:
  case STP_OP_ARITH_DIVF:
  case STP_OP_ARITH_REMF:
    return STP_OP_NONE;
  default:
    return in_order || swapped ? inner->kind : STP_OP_NONE;
  }
}

static bool has_reduction(const stp_ir_op_t *op) {
  for (int i = 0; i < op->u.linalg.num_loops; i++) {
    if (op->u.linalg.iterators[i] == STP_ITER_REDUCTION) {
      return true;
    }
  }
  return false;
}

/* How many operands are inputs: from operandSegmentSizes where the op has it. */
static bool split_operands(stp_parser_t *p, stp_ir_op_t *op) {
  int outs = 1;
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, "operandSegmentSizes");
  if (attr != NULL) {
    bool ok = attr->kind == STP_ATTR_INTS && attr->count == 2 && attr->ints[0] >= 0 &&
              attr->ints[1] >= 0 && attr->ints[0] <= op->num_operands &&
              attr->ints[0] + attr->ints[1] == op->num_operands;
    if (!ok) {
      return op_error(p, op, attr->loc, "operandSegmentSizes must be 2 numbers that add up to %d",
                      op->num_operands);
    }
    outs = (int)attr->ints[1];
  } else if (op->kind == STP_OP_LINALG_GENERIC) {
    return op_error(p, op, op->loc, "requires attribute 'operandSegmentSizes'");
  }
  if (outs < 1 || (op->kind != STP_OP_LINALG_GENERIC && outs != 1)) {
    return op_error(p, op, op->loc, "has %d outputs", outs);
  }
  op->u.linalg.num_outs = outs;
  op->u.linalg.num_ins = op->num_operands - outs;
  return true;
}

static bool iteration_space(stp_parser_t *p, stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_LINALG_GENERIC:
    return generic(p, op);
  case STP_OP_LINALG_BROADCAST:
    return broadcast(p, op);
  case STP_OP_LINALG_TRANSPOSE:
    return transpose(p, op);
  default:
    return STP_OP_IS_MATMUL(op->kind) ? matmul(p, op) : elementwise(p, op);
  }
}

bool stp_decode_linalg(stp_parser_t *p, stp_ir_op_t *op) {
  op->u.linalg.ins = op->operands;
  if (op->kind == STP_OP_LINALG_REDUCE) {
    if (!reduce(p, op)) {
      return false;
    }
  } else {
    if (!split_operands(p, op) || !iteration_space(p, op)) {
      return false;
    }
    op->u.linalg.outs = op->operands + op->u.linalg.num_ins;
  }
  if (op->kind == STP_OP_LINALG_REDUCE || op->kind == STP_OP_LINALG_MAP ||
      op->kind == STP_OP_LINALG_GENERIC) {
    op->u.linalg.body = op->regions[0];
    if (has_reduction(op)) {
      op->u.linalg.combiner = find_combiner(op);
    }
  } else {
    op->num_regions = 0; /* what the generic form spells out, the name says */
  }
  return true;
}
