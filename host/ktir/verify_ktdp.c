/* SPDX-License-Identifier: Apache-2.0 */
/* ktdp. */
#include "internal.h"

#define MAX_POINTS (1 << 22) /* of sets that are no box, counted one by one */

static bool dim_value(const stp_ir_dim_t *dim, int64_t *value) {
  *value = dim->value;
  return dim->ssa == NULL || stp_ir_value_constant(dim->ssa, value);
}

static bool verify_tile_id(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_func_t *func = v->func;
  for (int i = 0; i < op->num_results; i++) {
    if (!stp_type_is_index(op->results[i]->type)) {
      return stp_v_error(v, op, "all results must be index, but result %d is '%s'", i,
                         stp_v_type(v, op->results[i]->type));
    }
  }
  if (op->num_results > func->grid_rank) {
    stp_v_warn(v, op, "gives %d coordinates, but the grid has %d dimension%s; the others are 0",
               op->num_results, func->grid_rank, func->grid_rank == 1 ? "" : "s");
  }
  int large = 0;
  for (int i = 0; i < func->grid_rank; i++) {
    large += func->grid[i] > 1;
  }
  if (op->num_results < func->grid_rank && large > 1) {
    stp_v_warn(v, op, "gives only the first %d of the grid's %d coordinates", op->num_results,
               func->grid_rank);
  }
  return true;
}

static bool verify_view(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  for (int i = 0; i < type->rank; i++) {
    int64_t size, stride;
    if (dim_value(&op->u.view.sizes[i], &size)) {
      if (size < 0) {
        return stp_v_error_at(v, op, stp_v_attr_loc(op, "static_sizes"),
                              "size %d must not be negative, but is %lld", i, (long long)size);
      }
      if (type->dims[i] != STP_IR_DYNAMIC && size != type->dims[i]) {
        return stp_v_error_at(v, op, stp_v_attr_loc(op, "static_sizes"),
                              "size %d is %lld, but the result is '%s'", i, (long long)size,
                              stp_v_type(v, type));
      }
    }
    if (type->strides != NULL && type->strides[i] != STP_IR_DYNAMIC &&
        dim_value(&op->u.view.strides[i], &stride) && stride != type->strides[i]) {
      return stp_v_error_at(v, op, stp_v_attr_loc(op, "static_strides"),
                            "stride %d is %lld, but the result is '%s'", i, (long long)stride,
                            stp_v_type(v, type));
    }
  }
  if (type->space != NULL && !stp_space_equal(type->space, op->u.view.space)) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "memory_space"),
                          "memory_space differs from that of '%s'", stp_v_type(v, type));
  }
  if (op->u.view.space->kind == STP_SPACE_CT_LOCAL &&
      op->u.view.space->tile >= v->func->num_tiles) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "memory_space"),
                          "names compute tile %lld, but the grid has %lld tile%s",
                          (long long)op->u.view.space->tile, (long long)v->func->num_tiles,
                          v->func->num_tiles == 1 ? "" : "s");
  }
  int64_t lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
  if (op->u.view.set->num_syms == 0 && stp_affine_set_bounds(op->u.view.set, NULL, lo, hi)) {
    for (int i = 0; i < type->rank; i++) {
      int64_t size;
      if (dim_value(&op->u.view.sizes[i], &size) && hi[i] >= lo[i] &&
          (uint64_t)hi[i] - (uint64_t)lo[i] >= (uint64_t)size) {
        return stp_v_error_at(v, op, stp_v_attr_loc(op, "coordinate_set"),
                              "coordinate_set spans %lld to %lld in dimension %d, but the size is "
                              "%lld",
                              (long long)lo[i], (long long)hi[i], i, (long long)size);
      }
    }
  }
  return true;
}

static bool verify_distributed(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *type = op->results[0]->type;
  if (type->kind != STP_TYPE_MEMREF) {
    return stp_v_error(v, op, "result must be a memref, but is '%s'", stp_v_type(v, type));
  }
  for (int i = 0; i < op->num_operands; i++) {
    const stp_ir_type_t *part = op->operands[i]->type;
    if (part->kind != STP_TYPE_MEMREF) {
      return stp_v_error_at(v, op, op->operand_locs[i], "partition %d must be a memref, not '%s'",
                            i, stp_v_type(v, part));
    }
    if (part->elem != type->elem) {
      return stp_v_error_at(v, op, op->operand_locs[i],
                            "partition %d has element type %s, but the result has %s", i,
                            stp_ir_elem_name(part->elem), stp_ir_elem_name(type->elem));
    }
    if (part->rank != type->rank) {
      return stp_v_error_at(v, op, op->operand_locs[i],
                            "partition %d has rank %d, but the result has rank %d", i, part->rank,
                            type->rank);
    }
    const stp_ir_op_t *view = op->operands[i]->def;
    int64_t lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
    if (view == NULL || view->kind != STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW ||
        view->u.view.set->num_syms != 0 || !stp_affine_set_bounds(view->u.view.set, NULL, lo, hi)) {
      continue;
    }
    for (int d = 0; d < type->rank; d++) {
      if (type->dims[d] != STP_IR_DYNAMIC && hi[d] >= lo[d] &&
          (lo[d] < 0 || hi[d] >= type->dims[d])) {
        return stp_v_error_at(v, op, op->operand_locs[i],
                              "partition %d spans %lld to %lld in dimension %d, outside the "
                              "result's size %lld",
                              i, (long long)lo[d], (long long)hi[d], d, (long long)type->dims[d]);
      }
    }
  }
  return true;
}

static bool all_constant(stp_ir_value_t *const *values, int count, int64_t *result) {
  for (int i = 0; i < count; i++) {
    if (!stp_ir_value_constant(values[i], &result[i])) {
      return false;
    }
  }
  return true;
}

/* A tile that nothing uses may be nonsense: that is worth a warning only. */
static bool bad_set(stp_verifier_t *v, const stp_ir_op_t *op, stp_loc_t loc, const char *message) {
  if (op->results[0]->num_uses > 0) {
    return stp_v_error_at(v, op, loc, "%s", message);
  }
  stp_diags_add(v->diags, STP_DIAG_WARNING, loc, "'%s' op %s", stp_ir_op_name(op->kind), message);
  return true;
}

/* The set's points, in the order of the order map, fill the tile. */
static bool check_set(stp_verifier_t *v, const stp_ir_op_t *op, const char *set_name,
                      const char *order_name, const stp_affine_set_t *set,
                      const stp_affine_map_t *order, int num_syms, stp_ir_value_t *const *syms) {
  const stp_ir_type_t *type = op->results[0]->type;
  stp_loc_t loc = stp_v_attr_loc(op, set_name);
  int perm[64];
  if (type->kind != STP_TYPE_ACCESS_TILE) {
    return stp_v_error(v, op, "result must be an access tile, but is '%s'", stp_v_type(v, type));
  }
  if (set->num_syms != num_syms) {
    return stp_v_error_at(v, op, loc, "%s has %d symbols, but %d symbol operands are given",
                          set_name, set->num_syms, num_syms);
  }
  if (order->num_dims != set->num_dims || !stp_affine_map_permutation(order, perm)) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, order_name),
                          "%s must be a permutation of %d dimensions", order_name, set->num_dims);
  }
  if (type->rank != set->num_dims) {
    return stp_v_error(v, op, "result '%s' has rank %d, but %s has %d dimensions",
                       stp_v_type(v, type), type->rank, set_name, set->num_dims);
  }
  int64_t values[64], lo[64], hi[64];
  if (num_syms > 64 || !all_constant(syms, num_syms, values)) {
    return true; /* known at run time only */
  }
  int64_t count = stp_ir_type_count(type);
  int64_t points = stp_affine_set_count(set, values, MAX_POINTS);
  if (points < 0 && !stp_affine_set_bounds(set, values, lo, hi)) {
    return stp_v_error_at(v, op, loc, "%s is not bounded", set_name);
  }
  if (points < 0 || count < 0 || points == count) {
    return true;
  }
  if (stp_affine_set_as_box(set, values, lo, hi)) {
    for (int i = 0; i < type->rank; i++) {
      int64_t extent = hi[perm[i]] < lo[perm[i]] ? 0 : hi[perm[i]] - lo[perm[i]] + 1;
      if (extent != type->dims[i]) {
        return bad_set(v, op, loc,
                       stp_arena_printf(&v->scratch,
                                        "%s has %lld points in dimension %d, but the tile is '%s'",
                                        set_name, (long long)extent, perm[i], stp_v_type(v, type)));
      }
    }
  }
  return bad_set(
      v, op, loc,
      stp_arena_printf(&v->scratch, "%s has %lld points, but the tile '%s' has %lld elements",
                       set_name, (long long)points, stp_v_type(v, type), (long long)count));
}

static bool check_base(stp_verifier_t *v, const stp_ir_op_t *op, const stp_ir_value_t *base) {
  if (base->type->kind == STP_TYPE_TENSOR) {
    return stp_v_error_at(v, op, op->operand_locs[0],
                          "a tensor as base is not supported; expected "
                          "a memref");
  }
  return base->type->kind == STP_TYPE_MEMREF ||
         stp_v_error_at(v, op, op->operand_locs[0], "base must be a memref, not '%s'",
                        stp_v_type(v, base->type));
}

/* Where all is constant: does the tile stay inside the static dimensions of its base? */
static bool check_range(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *base = op->u.access.base->type;
  int64_t indices[64], syms[64], lo[64], hi[64];
  const stp_affine_map_t *map = op->u.access.map;
  if (op->u.access.num_indices > 64 || op->u.access.num_syms > 64 ||
      !all_constant(op->u.access.syms, op->u.access.num_syms, syms) ||
      !stp_affine_set_as_box(op->u.access.set, syms, lo, hi)) {
    return true;
  }
  int64_t known[64] = {0};
  bool is_known[64] = {false};
  for (int i = 0; i < op->u.access.num_indices; i++) {
    is_known[i] = stp_ir_value_constant(op->u.access.indices[i], &indices[i]);
    known[i] = is_known[i] ? indices[i] : 0;
  }
  for (int d = 0; d < base->rank; d++) {
    bool constant = base->dims[d] != STP_IR_DYNAMIC && hi[d] >= lo[d];
    for (int i = 0; constant && i < map->num_dims; i++) {
      constant = is_known[i] || !stp_affine_uses_dim(map->results[d], i);
    }
    int64_t corner, first, last;
    if (!constant || map->num_syms > 0 ||
        !stp_affine_eval(map->results[d], known, known, &corner) ||
        __builtin_add_overflow(corner, lo[d], &first) ||
        __builtin_add_overflow(corner, hi[d], &last)) {
      continue;
    }
    if (first < 0 || last >= base->dims[d]) {
      return stp_v_error(v, op, "reaches from %lld to %lld in dimension %d, outside '%s'",
                         (long long)first, (long long)last, d, stp_v_type(v, base));
    }
  }
  return true;
}

static bool verify_access(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_affine_map_t *map = op->u.access.map;
  const stp_affine_set_t *set = op->u.access.set;
  if (!check_base(v, op, op->u.access.base)) {
    return false;
  }
  int rank = op->u.access.base->type->rank;
  if (map->num_dims + map->num_syms != op->u.access.num_indices) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "base_map"),
                          "base_map expects %d operands, but got %d", map->num_dims + map->num_syms,
                          op->u.access.num_indices);
  }
  if (map->num_results != rank) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "base_map"),
                          "has %d subscripts, but '%s' has rank %d", map->num_results,
                          stp_v_type(v, op->u.access.base->type), rank);
  }
  if (set->num_dims != rank) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "access_tile_set"),
                          "access_tile_set has %d dimensions, but '%s' has rank %d", set->num_dims,
                          stp_v_type(v, op->u.access.base->type), rank);
  }
  return check_set(v, op, "access_tile_set", "access_tile_order", set, op->u.access.order,
                   op->u.access.num_syms, op->u.access.syms) &&
         check_range(v, op);
}

static bool verify_indirect(stp_verifier_t *v, const stp_ir_op_t *op) {
  if (!check_base(v, op, op->u.indirect.base)) {
    return false;
  }
  const stp_ir_block_t *body = op->regions[0];
  const stp_affine_set_t *set = op->u.indirect.set;
  int rank = op->u.indirect.base->type->rank;
  if (body->first != body->last) {
    return stp_v_error(v, op, "must have an empty body");
  }
  if (op->u.indirect.num_subscripts != rank) {
    return stp_v_error(v, op, "has %d subscripts, but '%s' has rank %d",
                       op->u.indirect.num_subscripts, stp_v_type(v, op->u.indirect.base->type),
                       rank);
  }
  if (set->num_dims != body->num_args) {
    return stp_v_error_at(v, op, stp_v_attr_loc(op, "variables_space_set"),
                          "variables_space_set has %d dimensions, but there are %d intermediate "
                          "variables",
                          set->num_dims, body->num_args);
  }
  for (int i = 0; i < rank; i++) {
    const stp_ir_subscript_t *sub = &op->u.indirect.subscripts[i];
    stp_loc_t loc = stp_ir_op_attr(op, "per_dim_subscript_maps")->items[i]->loc;
    if (sub->table == NULL) {
      if (sub->map->num_results != 1) {
        return stp_v_error_at(v, op, loc, "direct subscript %d must have one result, but has %d", i,
                              sub->map->num_results);
      }
      continue;
    }
    const stp_ir_type_t *table = sub->table->type;
    if (table->kind != STP_TYPE_MEMREF ||
        (table->elem != STP_ELEM_I32 && table->elem != STP_ELEM_I64 &&
         table->elem != STP_ELEM_INDEX)) {
      return stp_v_error_at(v, op, loc,
                            "index view of subscript %d must be a memref of i32, i64 or index, not "
                            "'%s'",
                            i, stp_v_type(v, table));
    }
    if (sub->map->num_results != table->rank) {
      return stp_v_error_at(v, op, loc,
                            "subscript %d has %d indices, but its index view has rank "
                            "%d",
                            i, sub->map->num_results, table->rank);
    }
  }
  return check_set(v, op, "variables_space_set", "variables_space_order", set, op->u.indirect.order,
                   op->u.indirect.num_syms, op->u.indirect.syms);
}

/* The element type of the memory behind an access tile; NONE if it is not known here. */
static stp_ir_elem_t tile_elem(const stp_ir_value_t *tile) {
  const stp_ir_op_t *def = tile->def;
  if (def != NULL && def->kind == STP_OP_KTDP_CONSTRUCT_ACCESS_TILE) {
    return def->u.access.base->type->elem;
  }
  if (def != NULL && def->kind == STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE) {
    return def->u.indirect.base->type->elem;
  }
  return STP_ELEM_NONE;
}

static bool check_transfer(stp_verifier_t *v, const stp_ir_op_t *op, const stp_ir_value_t *tile,
                           stp_loc_t tile_loc, const stp_ir_type_t *data, const char *what) {
  const stp_ir_type_t *type = tile->type;
  if (type->kind != STP_TYPE_ACCESS_TILE) {
    return stp_v_error_at(v, op, tile_loc, "expected an access tile, got '%s'",
                          stp_v_type(v, type));
  }
  if (data->kind != STP_TYPE_TENSOR) {
    return stp_v_error(v, op, "%s must be a tensor, but is '%s'", what, stp_v_type(v, data));
  }
  if (type->rank != data->rank ||
      memcmp(type->dims, data->dims, (size_t)type->rank * sizeof *type->dims) != 0) {
    return stp_v_error(v, op, "%s '%s' does not have the shape of '%s'", what, stp_v_type(v, data),
                       stp_v_type(v, type));
  }
  stp_ir_elem_t elem = tile_elem(tile);
  if (elem != STP_ELEM_NONE && elem != data->elem) {
    return stp_v_error(v, op, "%s has element type %s, but the memory holds %s", what,
                       stp_ir_elem_name(data->elem), stp_ir_elem_name(elem));
  }
  return true;
}

static bool verify_extract(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *arg = op->operands[0]->type;
  const stp_ir_type_t *result = op->results[0]->type;
  if (arg->kind != STP_TYPE_RUNTIME_ARG) {
    return stp_v_error_at(v, op, op->operand_locs[0], "expected a runtime_arg, got '%s'",
                          stp_v_type(v, arg));
  }
  if (op->u.extract == STP_ARG_VALUE) {
    return (result->kind == STP_TYPE_SCALAR && result->elem == arg->elem) ||
           stp_v_error(v, op, "result must be '%s', not '%s'", stp_ir_elem_name(arg->elem),
                       stp_v_type(v, result));
  }
  bool granularity = op->u.extract == STP_ARG_GRANULARITY;
  if ((granularity ? arg->granularity : arg->upperbound) == 0) {
    return stp_v_error(v, op, "asks for the %s, but '%s' has none",
                       granularity ? "granularity" : "upperbound", stp_v_type(v, arg));
  }
  return stp_type_is_index(result) ||
         stp_v_error(v, op, "result must be index, not '%s'", stp_v_type(v, result));
}

/* ---- inter-tile --------------------------------------------------------------------------- */

static bool check_tiles(stp_verifier_t *v, const stp_ir_op_t *op, const char *name,
                        const stp_affine_set_t *set, int dims) {
  return set == NULL || (set->num_dims == dims && set->num_syms == 1) ||
         stp_v_error_at(v, op, stp_v_attr_loc(op, name),
                        "%s must be a set of %d dimension%s and 1 symbol, not %d and %d", name,
                        dims, dims == 1 ? "" : "s", set->num_dims, set->num_syms);
}

static bool check_members(stp_verifier_t *v, const stp_ir_op_t *op, const char *what, int count,
                          stp_ir_value_t *const *values, int times, const stp_ir_type_t *future) {
  if (count != future->num_members * times) {
    return stp_v_error(v, op, "has %d %s, but %d are expected for '%s'", count, what,
                       future->num_members * times, stp_v_type(v, future));
  }
  for (int i = 0; i < count; i++) {
    const stp_ir_type_t *want = future->members[i % future->num_members];
    if (values[i]->type != want) {
      return stp_v_error(v, op, "%s %d is '%s', but '%s' is expected", what, i,
                         stp_v_type(v, values[i]->type), stp_v_type(v, want));
    }
  }
  return true;
}

static bool verify_produce(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *future = op->results[0]->type;
  const stp_ir_block_t *body = op->regions[0];
  if (future->kind != STP_TYPE_TILE_FUTURE) {
    return stp_v_error(v, op, "result must be a tile_future, but is '%s'", stp_v_type(v, future));
  }
  if (!check_tiles(v, op, "producer_tiles_per_group", op->u.inter.tiles, 1)) {
    return false;
  }
  if (body->num_args != 1 || !stp_type_is_index(body->args[0]->type)) {
    return stp_v_error(v, op, "body must have one argument of type index, the group");
  }
  return check_members(v, body->last, "partials", body->last->num_operands, body->last->operands, 1,
                       future);
}

static bool verify_consume(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_type_t *future = op->operands[0]->type;
  if (future->kind != STP_TYPE_TILE_FUTURE) {
    return stp_v_error_at(v, op, op->operand_locs[0], "expected a tile_future, got '%s'",
                          stp_v_type(v, future));
  }
  if (!check_tiles(v, op, "consumer_tiles_per_group", op->u.inter.tiles, 1) ||
      !check_tiles(v, op, "producer_dependency_per_consumer", op->u.inter.dependencies, 2)) {
    return false;
  }
  if (op->num_results != future->num_members) {
    return stp_v_error(v, op, "has %d results, but '%s' has %d members", op->num_results,
                       stp_v_type(v, future), future->num_members);
  }
  bool scatter = op->kind == STP_OP_KTDP_INTER_TILE_REDUCE_SCATTER;
  for (int i = 0; i < op->num_results; i++) {
    const stp_ir_type_t *type = op->results[i]->type;
    int64_t have = stp_ir_type_count(future->members[i]);
    if (type->kind != STP_TYPE_TENSOR || type->elem != future->members[i]->elem ||
        (!scatter && have != stp_ir_type_count(type))) {
      return stp_v_error(v, op, "result %d is '%s', which is no reshape of '%s'", i,
                         stp_v_type(v, type), stp_v_type(v, future->members[i]));
    }
  }
  if (op->kind == STP_OP_KTDP_INTER_TILE_CONSUME) {
    return true;
  }
  const stp_ir_block_t *body = op->regions[0];
  return (op->u.inter.num_identities == 0 ||
          check_members(v, op, "identities", op->u.inter.num_identities, op->u.inter.identities, 1,
                        future)) &&
         check_members(v, op, "arguments of the body", body->num_args, body->args, 2, future) &&
         check_members(v, body->last, "values", body->last->num_operands, body->last->operands, 1,
                       future);
}

bool stp_verify_ktdp(stp_verifier_t *v, stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_KTDP_GET_COMPUTE_TILE_ID:
    return verify_tile_id(v, op);
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
    return verify_view(v, op);
  case STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW:
    return verify_distributed(v, op);
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
    return verify_access(v, op);
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
    return verify_indirect(v, op);
  case STP_OP_KTDP_LOAD:
    return check_transfer(v, op, op->operands[0], op->operand_locs[0], op->results[0]->type,
                          "result");
  case STP_OP_KTDP_STORE:
    return check_transfer(v, op, op->operands[1], op->operand_locs[1], op->operands[0]->type,
                          "data");
  case STP_OP_KTDP_RUNTIME_ARG_EXTRACT:
    return verify_extract(v, op);
  case STP_OP_KTDP_INTER_TILE_PRODUCE:
    return verify_produce(v, op);
  case STP_OP_KTDP_INTER_TILE_CONSUME:
  case STP_OP_KTDP_INTER_TILE_REDUCE:
  case STP_OP_KTDP_INTER_TILE_REDUCE_SCATTER:
    return verify_consume(v, op);
  default:
    return true;
  }
}
