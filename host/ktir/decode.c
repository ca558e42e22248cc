/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From attributes and operands to the payload of an op, for the custom and the generic form alike.
 * What is checked here is what makes the payload well formed; meaning is verified later.
 */
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

/* ---- which attributes an op may have ------------------------------------------------------ */

static const char *allowed_attrs(stp_ir_op_kind_t kind) {
  switch (kind) {
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
    return "coordinate_set memory_space static_sizes static_strides operandSegmentSizes";
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
    return "access_tile_set access_tile_order base_map operandSegmentSizes";
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
    return "variables_space_set variables_space_order per_dim_subscript_kinds "
           "per_dim_subscript_maps operandSegmentSizes";
  case STP_OP_KTDP_RUNTIME_ARG_EXTRACT:
    return "kind";
  case STP_OP_KTDP_INTER_TILE_PRODUCE:
    return "producer_tiles_per_group";
  case STP_OP_KTDP_INTER_TILE_CONSUME:
  case STP_OP_KTDP_INTER_TILE_REDUCE:
    return "consumer_tiles_per_group producer_dependency_per_consumer operandSegmentSizes";
  case STP_OP_KTDP_INTER_TILE_REDUCE_SCATTER:
    return "consumer_tiles_per_group producer_dependency_per_consumer scatter_dim "
           "operandSegmentSizes";
  case STP_OP_SCF_PARALLEL:
    return "operandSegmentSizes";
  case STP_OP_SCF_FORALL:
    return "staticLowerBound staticUpperBound staticStep mapping operandSegmentSizes";
  case STP_OP_ARITH_CONSTANT:
    return "value";
  case STP_OP_ARITH_CMPI:
    return "predicate";
  case STP_OP_ARITH_CMPF:
    return "predicate fastmath";
  case STP_OP_LINALG_GENERIC:
    return "indexing_maps iterator_types operandSegmentSizes doc library_call";
  case STP_OP_LINALG_REDUCE:
  case STP_OP_LINALG_BROADCAST:
    return "dimensions";
  case STP_OP_LINALG_TRANSPOSE:
    return "permutation";
  case STP_OP_LINALG_INDEX:
    return "dim";
  case STP_OP_LINALG_MAP:
    return "";
  case STP_OP_TENSOR_EXTRACT_SLICE:
  case STP_OP_TENSOR_INSERT_SLICE:
  case STP_OP_TENSOR_PARALLEL_INSERT_SLICE:
  case STP_OP_MEMREF_SUBVIEW:
    return "static_offsets static_sizes static_strides operandSegmentSizes";
  case STP_OP_TENSOR_EXPAND_SHAPE:
    return "reassociation static_output_shape";
  case STP_OP_TENSOR_COLLAPSE_SHAPE:
    return "reassociation";
  default:
    break;
  }
  if (STP_OP_IS_MATMUL(kind)) {
    return "indexing_maps operandSegmentSizes cast";
  }
  if (STP_OP_IS_LINALG(kind)) {
    return "operandSegmentSizes";
  }
  if (STP_OP_IS_ELEMENTWISE(kind)) {
    return "fastmath overflowFlags roundingmode isExact nonNeg";
  }
  return "";
}

static bool in_words(const char *words, const char *word) {
  size_t len = strlen(word);
  for (const char *w = words; *w != 0;) {
    size_t n = strcspn(w, " ");
    if (n == len && memcmp(w, word, n) == 0) {
      return true;
    }
    w += n + (w[n] == ' ');
  }
  return false;
}

static bool check_attr_names(stp_parser_t *p, const stp_ir_op_t *op) {
  const char *allowed = allowed_attrs(op->kind);
  for (int i = 0; i < op->num_attrs; i++) {
    const char *name = op->attrs[i].name;
    for (int k = 0; k < i; k++) {
      if (strcmp(op->attrs[k].name, name) == 0) {
        return op_error(p, op, op->attrs[k].loc, "attribute '%s' cannot be given here", name);
      }
    }
    if (in_words(allowed, name)) {
      continue;
    }
    if (strchr(name, '.') == NULL) {
      return op_error(p, op, op->attrs[i].loc, "unknown attribute '%s'%s%s", name,
                      *allowed != 0 ? "; expected one of: " : "; this op has none", allowed);
    }
    if (strcmp(name, "steeple.storage") == 0 && op->kind == STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
      continue;
    }
    if (strncmp(name, "ktdp.", 5) == 0 || strncmp(name, "steeple.", 8) == 0) {
      return op_error(p, op, op->attrs[i].loc, "unknown attribute '%s'", name);
    }
    if (strcmp(name, "linalg.memoized_indexing_maps") != 0) {
      stp_p_warn(p, op->attrs[i].loc, "'%s' op attribute '%s' is ignored", stp_ir_op_name(op->kind),
                 name);
    }
  }
  return true;
}

/* ---- reading attributes ------------------------------------------------------------------- */

static const stp_ir_attr_t *require(stp_parser_t *p, const stp_ir_op_t *op, const char *name,
                                    stp_ir_attr_kind_t kind, const char *what) {
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, name);
  if (attr == NULL) {
    op_error(p, op, op->loc, "requires attribute '%s'", name);
    return NULL;
  }
  if (attr->kind != kind) {
    op_error(p, op, attr->loc, "attribute '%s' must be %s", name, what);
    return NULL;
  }
  return attr;
}

static const stp_affine_set_t *require_set(stp_parser_t *p, const stp_ir_op_t *op,
                                           const char *name) {
  const stp_ir_attr_t *attr = require(p, op, name, STP_ATTR_SET, "an affine set");
  return attr != NULL ? attr->set : NULL;
}

static const stp_affine_map_t *require_map(stp_parser_t *p, const stp_ir_op_t *op,
                                           const char *name) {
  const stp_ir_attr_t *attr = require(p, op, name, STP_ATTR_MAP, "an affine map");
  return attr != NULL ? attr->map : NULL;
}

/* A list of integers, written array<i64: 1, 2> or [1, 2]. */
static bool require_ints(stp_parser_t *p, const stp_ir_op_t *op, const char *name, int *count,
                         const int64_t **ints) {
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, name);
  if (attr == NULL) {
    return op_error(p, op, op->loc, "requires attribute '%s'", name);
  }
  *count = attr->count;
  if (attr->kind == STP_ATTR_INTS) {
    *ints = attr->ints;
    return true;
  }
  int64_t *list = stp_arena_array(p->arena, (size_t)attr->count, sizeof *list);
  bool ok = attr->kind == STP_ATTR_ARRAY;
  for (int i = 0; ok && i < attr->count; i++) {
    ok = attr->items[i]->kind == STP_ATTR_INT;
    list[i] = attr->items[i]->i;
  }
  *ints = list;
  return ok || op_error(p, op, attr->loc, "attribute '%s' must be a list of integers", name);
}

/* The sizes of the op's groups of operands; they must add up. */
static bool segments(stp_parser_t *p, const stp_ir_op_t *op, int count, int *sizes) {
  int given;
  const int64_t *ints;
  if (!require_ints(p, op, "operandSegmentSizes", &given, &ints)) {
    return false;
  }
  stp_loc_t loc = stp_ir_op_attr(op, "operandSegmentSizes")->loc;
  int64_t total = 0;
  for (int i = 0; i < given && i < count; i++) {
    if (ints[i] < 0 || ints[i] > op->num_operands) {
      total = -1;
      break;
    }
    sizes[i] = (int)ints[i];
    total += ints[i];
  }
  if (given != count || total != op->num_operands) {
    return op_error(p, op, loc, "operandSegmentSizes must be %d numbers that add up to %d", count,
                    op->num_operands);
  }
  return true;
}

/* Static numbers with holes, filled with SSA values. Advances *next over the operands used. */
static bool mixed(stp_parser_t *p, const stp_ir_op_t *op, const char *name, int rank,
                  stp_ir_value_t **values, int num_values, const stp_ir_dim_t **dims) {
  int count = 0;
  const int64_t *ints = NULL;
  if (!require_ints(p, op, name, &count, &ints)) {
    return false;
  }
  stp_loc_t loc = stp_ir_op_attr(op, name)->loc;
  if (strncmp(name, "static_", 7) == 0) {
    name += 7; /* what the custom form calls it */
  }
  if (count != rank) {
    return op_error(p, op, loc, "%s has %d entries, but the rank is %d", name, count, rank);
  }
  stp_ir_dim_t *list = stp_arena_array(p->arena, (size_t)rank, sizeof *list);
  int next = 0;
  for (int i = 0; i < rank; i++) {
    list[i].value = ints[i];
    if (ints[i] == STP_IR_DYNAMIC) {
      if (next == num_values) {
        break;
      }
      list[i].value = 0;
      list[i].ssa = values[next++];
      if (!stp_type_is_index(list[i].ssa->type)) {
        return op_error(p, op, loc, "%s takes values of type 'index'", name);
      }
    }
  }
  int holes = 0;
  for (int i = 0; i < rank; i++) {
    holes += ints[i] == STP_IR_DYNAMIC;
  }
  if (holes != num_values) {
    return op_error(p, op, loc, "%s has %d dynamic entries, but %d values", name, holes,
                    num_values);
  }
  *dims = list;
  return true;
}

static bool all_index(stp_parser_t *p, const stp_ir_op_t *op, int first, int count,
                      const char *what) {
  for (int i = first; i < first + count; i++) {
    if (!stp_type_is_index(op->operands[i]->type)) {
      return op_error(p, op, op->operand_locs[i], "%s must be of type 'index', not '%s'", what,
                      stp_ir_type_text(p->arena, op->operands[i]->type));
    }
  }
  return true;
}

/* ---- ktdp --------------------------------------------------------------------------------- */

static bool view_storage(stp_parser_t *p, stp_ir_op_t *op, const stp_ir_type_t *type) {
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, "steeple.storage");
  op->u.view.storage = type->elem;
  if (attr == NULL) {
    return true;
  }
  if (attr->kind != STP_ATTR_STRING || strcmp(attr->str, "dl16") != 0) {
    return op_error(p, op, attr->loc, "attribute 'steeple.storage' must be \"dl16\"");
  }
  if (type->elem != STP_ELEM_F32) {
    return op_error(p, op, attr->loc, "storage \"dl16\" needs a view of f32, not of %s",
                    stp_ir_elem_name(type->elem));
  }
  op->u.view.storage = STP_ELEM_DL16;
  return true;
}

static bool memory_view(stp_parser_t *p, stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  int sizes[3];
  if (type->kind != STP_TYPE_MEMREF) {
    return op_error(p, op, op->loc, "result must be a memref, but is '%s'",
                    stp_ir_type_text(p->arena, type));
  }
  if (!segments(p, op, 3, sizes)) {
    return false;
  }
  if (sizes[0] != 1) {
    return op_error(p, op, op->loc, "needs one offset");
  }
  if (!all_index(p, op, 0, 1, "the offset") ||
      !mixed(p, op, "static_sizes", type->rank, op->operands + 1, sizes[1], &op->u.view.sizes) ||
      !mixed(p, op, "static_strides", type->rank, op->operands + 1 + sizes[1], sizes[2],
             &op->u.view.strides)) {
    return false;
  }
  op->u.view.offset = op->operands[0];
  op->u.view.set_syms = op->operands + 1;
  const stp_ir_attr_t *space = stp_ir_op_attr(op, "memory_space");
  if (space != NULL && space->kind != STP_ATTR_SPACE) {
    return op_error(p, op, space->loc, "attribute 'memory_space' must be a ktdp memory space");
  }
  op->u.view.space = space != NULL ? space->space : type->space;
  if (op->u.view.space == NULL) {
    return op_error(p, op, op->loc, "requires attribute 'memory_space'");
  }
  if (stp_ir_op_attr(op, "coordinate_set") != NULL) {
    op->u.view.set = require_set(p, op, "coordinate_set");
    if (op->u.view.set == NULL) {
      return false;
    }
    stp_loc_t loc = stp_ir_op_attr(op, "coordinate_set")->loc;
    if (op->u.view.set->num_dims != type->rank) {
      return op_error(p, op, loc, "coordinate_set has %d dimensions, but the view has %d",
                      op->u.view.set->num_dims, type->rank);
    }
    if (op->u.view.set->num_syms > sizes[1]) {
      return op_error(p, op, loc,
                      "coordinate_set has %d symbols, but the view has %d dynamic sizes",
                      op->u.view.set->num_syms, sizes[1]);
    }
  } else {
    int64_t box[STP_IR_MAX_RANK];
    for (int i = 0; i < type->rank; i++) {
      box[i] = op->u.view.sizes[i].ssa != NULL || op->u.view.sizes[i].value < 0
                   ? -1
                   : op->u.view.sizes[i].value;
    }
    op->u.view.set = stp_affine_set_box(p->arena, type->rank, box);
  }
  op->u.view.num_set_syms = op->u.view.set->num_syms;
  return view_storage(p, op, type);
}

static bool access_tile(stp_parser_t *p, stp_ir_op_t *op) {
  int sizes[3];
  if (!segments(p, op, 3, sizes)) {
    return false;
  }
  if (sizes[0] != 1) {
    return op_error(p, op, op->loc, "needs one base");
  }
  op->u.access.base = op->operands[0];
  op->u.access.num_indices = sizes[1];
  op->u.access.indices = op->operands + 1;
  op->u.access.num_syms = sizes[2];
  op->u.access.syms = op->operands + 1 + sizes[1];
  op->u.access.map = require_map(p, op, "base_map");
  op->u.access.set = op->u.access.map != NULL ? require_set(p, op, "access_tile_set") : NULL;
  op->u.access.order = op->u.access.set != NULL ? require_map(p, op, "access_tile_order") : NULL;
  return op->u.access.order != NULL && all_index(p, op, 1, sizes[1] + sizes[2], "a subscript");
}

static bool indirect_tile(stp_parser_t *p, stp_ir_op_t *op) {
  int sizes[4];
  if (!segments(p, op, 4, sizes)) {
    return false;
  }
  if (sizes[0] != 1) {
    return op_error(p, op, op->loc, "needs one base");
  }
  op->u.indirect.base = op->operands[0];
  op->u.indirect.num_captured = sizes[2];
  op->u.indirect.captured = op->operands + 1 + sizes[1];
  op->u.indirect.num_syms = sizes[3];
  op->u.indirect.syms = op->operands + 1 + sizes[1] + sizes[2];
  if (!all_index(p, op, 1 + sizes[1], sizes[2] + sizes[3], "a subscript")) {
    return false;
  }
  const stp_ir_attr_t *kinds =
      require(p, op, "per_dim_subscript_kinds", STP_ATTR_ARRAY, "a list of bools");
  const stp_ir_attr_t *maps = kinds != NULL ? require(p, op, "per_dim_subscript_maps",
                                                      STP_ATTR_ARRAY, "a list of affine maps")
                                            : NULL;
  if (maps == NULL) {
    return false;
  }
  if (kinds->count != maps->count) {
    return op_error(p, op, maps->loc, "has %d subscript kinds, but %d subscript maps", kinds->count,
                    maps->count);
  }
  int num_dims = sizes[2] + op->regions[0]->num_args;
  int next = 1;
  stp_ir_subscript_t *subs = stp_arena_array(p->arena, (size_t)maps->count, sizeof *subs);
  for (int i = 0; i < maps->count; i++) {
    if (kinds->items[i]->kind != STP_ATTR_BOOL || maps->items[i]->kind != STP_ATTR_MAP) {
      return op_error(p, op, maps->loc, "subscript %d must be a bool and an affine map", i);
    }
    subs[i].map = maps->items[i]->map;
    if (subs[i].map->num_dims != num_dims || subs[i].map->num_syms != 0) {
      return op_error(p, op, maps->items[i]->loc,
                      "subscript %d must be a map of %d dimensions and no symbols", i, num_dims);
    }
    if (kinds->items[i]->i != 0) {
      if (next > sizes[1]) {
        return op_error(p, op, kinds->loc, "has more indirect subscripts than index views");
      }
      subs[i].table = op->operands[next++];
    }
  }
  if (next != sizes[1] + 1) {
    return op_error(p, op, op->loc, "has %d index views, but %d indirect subscripts", sizes[1],
                    next - 1);
  }
  op->u.indirect.num_subscripts = maps->count;
  op->u.indirect.subscripts = subs;
  op->u.indirect.set = require_set(p, op, "variables_space_set");
  op->u.indirect.order =
      op->u.indirect.set != NULL ? require_map(p, op, "variables_space_order") : NULL;
  return op->u.indirect.order != NULL;
}

static bool inter_tile(stp_parser_t *p, stp_ir_op_t *op) {
  bool produce = op->kind == STP_OP_KTDP_INTER_TILE_PRODUCE;
  op->u.inter.scatter_dim = -1;
  op->u.inter.tiles =
      require_set(p, op, produce ? "producer_tiles_per_group" : "consumer_tiles_per_group");
  if (op->u.inter.tiles == NULL) {
    return false;
  }
  if (produce) {
    return true;
  }
  op->u.inter.future = op->operands[0];
  op->u.inter.num_identities = op->num_operands - 1;
  op->u.inter.identities = op->operands + 1;
  if (stp_ir_op_attr(op, "producer_dependency_per_consumer") != NULL) {
    op->u.inter.dependencies = require_set(p, op, "producer_dependency_per_consumer");
    if (op->u.inter.dependencies == NULL) {
      return false;
    }
  }
  const stp_ir_attr_t *dim = stp_ir_op_attr(op, "scatter_dim");
  if (dim != NULL) {
    if (dim->kind != STP_ATTR_INT || dim->i < 0 || dim->i >= STP_IR_MAX_RANK) {
      return op_error(p, op, dim->loc, "attribute 'scatter_dim' must be the number of a dimension");
    }
    op->u.inter.scatter_dim = dim->i;
  }
  return true;
}

/* ---- scf ---------------------------------------------------------------------------------- */

static bool parallel(stp_parser_t *p, stp_ir_op_t *op) {
  int sizes[4];
  if (!segments(p, op, 4, sizes)) {
    return false;
  }
  int rank = sizes[0];
  stp_ir_dim_t *lists = stp_arena_array(p->arena, 3 * (size_t)rank + 1, sizeof *lists);
  if (sizes[1] != rank || sizes[2] != rank || rank > STP_IR_MAX_RANK) {
    return op_error(p, op, op->loc,
                    "needs as many lower bounds, upper bounds and steps, at most %d",
                    STP_IR_MAX_RANK);
  }
  for (int i = 0; i < 3 * rank; i++) {
    lists[i].ssa = op->operands[i];
  }
  op->u.parallel.rank = rank;
  op->u.parallel.lb = lists;
  op->u.parallel.ub = lists + rank;
  op->u.parallel.step = lists + 2 * rank;
  op->u.parallel.num_inits = sizes[3];
  op->u.parallel.inits = op->operands + 3 * rank;
  return all_index(p, op, 0, 3 * rank, "a bound or step");
}

static bool forall(stp_parser_t *p, stp_ir_op_t *op) {
  int sizes[4], rank;
  const int64_t *ints;
  if (!segments(p, op, 4, sizes) || !require_ints(p, op, "staticUpperBound", &rank, &ints)) {
    return false;
  }
  if (rank > STP_IR_MAX_RANK) {
    return op_error(p, op, op->loc, "has more than %d dimensions", STP_IR_MAX_RANK);
  }
  stp_ir_value_t **values = op->operands;
  op->u.parallel.rank = rank;
  op->u.parallel.num_inits = sizes[3];
  op->u.parallel.inits = values + sizes[0] + sizes[1] + sizes[2];
  return mixed(p, op, "staticLowerBound", rank, values, sizes[0], &op->u.parallel.lb) &&
         mixed(p, op, "staticUpperBound", rank, values + sizes[0], sizes[1], &op->u.parallel.ub) &&
         mixed(p, op, "staticStep", rank, values + sizes[0] + sizes[1], sizes[2],
               &op->u.parallel.step);
}

/* ---- tensor ------------------------------------------------------------------------------- */

static bool is_shaped(const stp_ir_type_t *type) {
  return type->kind == STP_TYPE_TENSOR || type->kind == STP_TYPE_MEMREF;
}

/* Which dims of the larger shape does the smaller one lack? */
static bool dropped_dims(stp_parser_t *p, stp_ir_op_t *op, const stp_ir_type_t *small) {
  int next = 0;
  for (int d = 0; d < op->u.slice.rank; d++) {
    const stp_ir_dim_t *size = &op->u.slice.sizes[d];
    int64_t value = size->ssa != NULL ? STP_IR_DYNAMIC : size->value;
    if (next < small->rank && small->dims[next] == value) {
      next++;
    } else if (value == 1) {
      op->u.slice.dropped |= 1u << d;
    } else {
      next = -1;
      break;
    }
  }
  if (next != small->rank) {
    const char *text = "";
    for (int d = 0; d < op->u.slice.rank; d++) {
      const stp_ir_dim_t *size = &op->u.slice.sizes[d];
      text = size->ssa != NULL ? stp_arena_printf(p->arena, "%s%s?", text, d > 0 ? "x" : "")
                               : stp_arena_printf(p->arena, "%s%s%lld", text, d > 0 ? "x" : "",
                                                  (long long)size->value);
    }
    return op_error(p, op, op->loc, "sizes %s do not match the shape of '%s'", text,
                    stp_ir_type_text(p->arena, small));
  }
  return true;
}

static bool slice(stp_parser_t *p, stp_ir_op_t *op) {
  bool insert =
      op->kind == STP_OP_TENSOR_INSERT_SLICE || op->kind == STP_OP_TENSOR_PARALLEL_INSERT_SLICE;
  int sizes[5] = {0};
  if (!segments(p, op, insert ? 5 : 4, sizes)) {
    return false;
  }
  int *list = sizes + insert;
  if (sizes[0] != 1 || (insert && sizes[1] != 1)) {
    return op_error(p, op, op->loc, "needs one source%s", insert ? " and one destination" : "");
  }
  op->u.slice.source = op->operands[0];
  op->u.slice.dest = insert ? op->operands[1] : NULL;
  const stp_ir_type_t *large = op->operands[insert]->type;
  const stp_ir_type_t *small = insert ? op->operands[0]->type : op->results[0]->type;
  stp_ir_type_kind_t kind = op->kind == STP_OP_MEMREF_SUBVIEW ? STP_TYPE_MEMREF : STP_TYPE_TENSOR;
  if (large->kind != kind || small->kind != kind) {
    return op_error(p, op, op->loc, "works on %ss, not on '%s' and '%s'",
                    kind == STP_TYPE_TENSOR ? "tensor" : "memref",
                    stp_ir_type_text(p->arena, op->operands[0]->type),
                    stp_ir_type_text(p->arena, insert ? large : small));
  }
  stp_ir_value_t **values = op->operands + 1 + insert;
  op->u.slice.rank = large->rank;
  return mixed(p, op, "static_offsets", large->rank, values, list[1], &op->u.slice.offsets) &&
         mixed(p, op, "static_sizes", large->rank, values + list[1], list[2], &op->u.slice.sizes) &&
         mixed(p, op, "static_strides", large->rank, values + list[1] + list[2], list[3],
               &op->u.slice.strides) &&
         dropped_dims(p, op, small);
}

static bool reassociate(stp_parser_t *p, stp_ir_op_t *op) {
  bool expand = op->kind == STP_OP_TENSOR_EXPAND_SHAPE;
  const stp_ir_type_t *from = op->operands[0]->type;
  const stp_ir_type_t *to = op->results[0]->type;
  if (from->kind != STP_TYPE_TENSOR || to->kind != STP_TYPE_TENSOR) {
    return op_error(p, op, op->loc, "works on tensors, not on '%s' and '%s'",
                    stp_ir_type_text(p->arena, from), stp_ir_type_text(p->arena, to));
  }
  const stp_ir_type_t *large = expand ? to : from;
  const stp_ir_type_t *small = expand ? from : to;
  const stp_ir_attr_t *attr =
      require(p, op, "reassociation", STP_ATTR_ARRAY, "a list of lists of dimensions");
  if (attr == NULL) {
    return false;
  }
  int *group = stp_arena_array(p->arena, (size_t)attr->count, sizeof *group);
  int next = 0;
  for (int i = 0; i < attr->count; i++) {
    const stp_ir_attr_t *item = attr->items[i];
    bool ok = item->kind == STP_ATTR_ARRAY && item->count > 0;
    for (int k = 0; ok && k < item->count; k++) {
      ok = item->items[k]->kind == STP_ATTR_INT && item->items[k]->i == next;
      next++;
    }
    if (!ok) {
      return op_error(p, op, item->loc, "groups must list the dimensions in order: 0, 1, 2, ...");
    }
    group[i] = item->count;
  }
  if (attr->count != small->rank || (next != large->rank && attr->count > 0)) {
    return op_error(p, op, attr->loc,
                    "has %d groups of %d dimensions in all, but '%s' has rank %d "
                    "and '%s' rank %d",
                    attr->count, next, stp_ir_type_text(p->arena, small), small->rank,
                    stp_ir_type_text(p->arena, large), large->rank);
  }
  op->u.reshape.num_groups = attr->count;
  op->u.reshape.group_size = group;
  return !expand || mixed(p, op, "static_output_shape", large->rank, op->operands + 1,
                          op->num_operands - 1, &op->u.reshape.shape);
}

/* ---- the rest ----------------------------------------------------------------------------- */

static bool predicate(stp_parser_t *p, stp_ir_op_t *op) {
  const stp_ir_attr_t *attr = require(p, op, "predicate", STP_ATTR_INT, "a predicate's number");
  if (attr == NULL) {
    return false;
  }
  int64_t max = op->kind == STP_OP_ARITH_CMPI ? STP_CMPI_UGE : STP_CMPF_TRUE;
  if (attr->i < 0 || attr->i > max) {
    return op_error(p, op, attr->loc, "attribute 'predicate' must be from 0 to %lld, not %lld",
                    (long long)max, (long long)attr->i);
  }
  if (op->kind == STP_OP_ARITH_CMPI) {
    op->u.cmpi = (stp_ir_cmpi_t)attr->i;
  } else {
    op->u.cmpf = (stp_ir_cmpf_t)attr->i;
  }
  return true;
}

static bool small_int(stp_parser_t *p, stp_ir_op_t *op, const char *name, int limit, int *result) {
  const stp_ir_attr_t *attr = require(p, op, name, STP_ATTR_INT, "an integer");
  if (attr == NULL) {
    return false;
  }
  if (attr->i < 0 || attr->i >= limit) {
    return op_error(p, op, attr->loc, "attribute '%s' must be from 0 to %d, not %lld", name,
                    limit - 1, (long long)attr->i);
  }
  *result = (int)attr->i;
  return true;
}

static bool decode(stp_parser_t *p, stp_ir_op_t *op) {
  int number = 0;
  switch (op->kind) {
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
    return memory_view(p, op);
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
    return access_tile(p, op);
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
    return indirect_tile(p, op);
  case STP_OP_KTDP_INTER_TILE_PRODUCE:
  case STP_OP_KTDP_INTER_TILE_CONSUME:
  case STP_OP_KTDP_INTER_TILE_REDUCE:
  case STP_OP_KTDP_INTER_TILE_REDUCE_SCATTER:
    return inter_tile(p, op);
  case STP_OP_KTDP_RUNTIME_ARG_EXTRACT:
    if (!small_int(p, op, "kind", 3, &number)) {
      return false;
    }
    op->u.extract = number == 0   ? STP_ARG_VALUE
                    : number == 1 ? STP_ARG_GRANULARITY
                                  : STP_ARG_UPPERBOUND;
    return true;
  case STP_OP_SCF_FOR:
    op->u.loop.lb = op->operands[0];
    op->u.loop.ub = op->operands[1];
    op->u.loop.step = op->operands[2];
    op->u.loop.num_inits = op->num_operands - 3;
    op->u.loop.inits = op->operands + 3;
    return true;
  case STP_OP_SCF_PARALLEL:
    return parallel(p, op);
  case STP_OP_SCF_FORALL:
    return forall(p, op);
  case STP_OP_ARITH_CONSTANT: {
    const stp_ir_attr_t *value = stp_ir_op_attr(op, "value");
    if (value == NULL) {
      return op_error(p, op, op->loc, "requires attribute 'value'");
    }
    return stp_attr_to_dense(p, value, op->results[0]->type, &op->u.constant);
  }
  case STP_OP_ARITH_CMPI:
  case STP_OP_ARITH_CMPF:
    return predicate(p, op);
  case STP_OP_LINALG_INDEX:
    return small_int(p, op, "dim", STP_IR_MAX_RANK, &op->u.dim);
  case STP_OP_TENSOR_EXTRACT_SLICE:
  case STP_OP_TENSOR_INSERT_SLICE:
  case STP_OP_TENSOR_PARALLEL_INSERT_SLICE:
  case STP_OP_MEMREF_SUBVIEW:
    return slice(p, op);
  case STP_OP_TENSOR_EXPAND_SHAPE:
  case STP_OP_TENSOR_COLLAPSE_SHAPE:
    return reassociate(p, op);
  default:
    break;
  }
  if (!STP_OP_IS_LINALG(op->kind)) {
    return true;
  }
  for (int i = 0; i < op->num_operands; i++) {
    if (!is_shaped(op->operands[i]->type) && op->operands[i]->type->kind != STP_TYPE_SCALAR) {
      return op_error(p, op, op->operand_locs[i],
                      "operand %d must be a tensor or a scalar, not "
                      "'%s'",
                      i, stp_ir_type_text(p->arena, op->operands[i]->type));
    }
  }
  return stp_decode_linalg(p, op);
}

bool stp_decode_op(stp_parser_t *p, stp_ir_op_t *op, const stp_op_state_t *s) {
  (void)s;
  return check_attr_names(p, op) && decode(p, op);
}
