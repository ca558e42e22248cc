/* SPDX-License-Identifier: Apache-2.0 */
/* Custom forms of ktdp. */
#include "internal.h"

/* : index, index */
static bool tile_id(stp_parser_t *p, stp_op_state_t *s) {
  return stp_p_optional_attr_dict(p, &s->attrs) && stp_p_expect(p, ':') &&
         stp_p_type_list(p, &s->results);
}

/* %offset, sizes: [4, %n], strides: [%n, 1] {attrs} : memref<...> */
static bool memory_view(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t offset;
  stp_int_vec_t fixed[2] = {0};
  stp_ref_vec_t dynamic[2] = {0};
  stp_loc_t locs[2];
  static const char *const words[] = {"sizes", "strides"};
  static const char *const names[] = {"static_sizes", "static_strides"};
  if (!stp_p_ref(p, &offset)) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (!stp_p_expect(p, ',') || !stp_p_expect_word(p, words[i]) || !stp_p_expect(p, ':')) {
      return false;
    }
    locs[i] = p->tok.loc;
    if (!stp_p_mixed_list(p, '[', ']', &fixed[i], &dynamic[i])) {
      return false;
    }
  }
  const stp_ir_type_t *type;
  if (!stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &type)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, type);
  for (int i = 0; i < 2; i++) {
    stp_p_add_attr(p, s, names[i], stp_attr_ints(p, locs[i], fixed[i].data, fixed[i].count));
  }
  int64_t segments[] = {1, dynamic[0].count, dynamic[1].count};
  stp_p_add_segments(p, s, 3, segments);
  return stp_p_operand(p, s, &offset, stp_type_scalar(p->module, STP_ELEM_INDEX)) &&
         stp_p_operands_index(p, s, &dynamic[0]) && stp_p_operands_index(p, s, &dynamic[1]);
}

/* (%a, %b : T, T) {attrs} : T */
static bool distributed_view(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_type_vec_t types = {0};
  if (!stp_p_expect(p, '(') || !stp_p_ref_list(p, &refs) || !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_type_list(p, &types) || !stp_p_expect(p, ')') ||
      !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') ||
      !stp_p_type_list(p, &s->results)) {
    return false;
  }
  return stp_p_operands(p, s, &refs, &types, loc);
}

static bool symbols(stp_parser_t *p, stp_ref_vec_t *syms) {
  return !stp_p_take_word(p, "symbols") ||
         (stp_p_expect(p, '(') &&
          (stp_p_take(p, ')') || (stp_p_ref_list(p, syms) && stp_p_expect(p, ')'))));
}

/* %view[affine of values] [symbols(%s)] {attrs} : T -> T */
static bool access_tile(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t base;
  stp_ref_vec_t dims = {0}, map_syms = {0}, syms = {0};
  const stp_affine_map_t *map;
  const stp_ir_type_t *from, *to;
  if (!stp_p_ref(p, &base)) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_affine_of_values(p, '[', ']', &map, &dims, &map_syms) || !symbols(p, &syms) ||
      !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &from) ||
      !stp_p_expect_arrow(p) || !stp_p_type_elided(p, STP_TYPE_ACCESS_TILE, &to)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, to);
  stp_p_add_attr(p, s, "base_map", stp_attr_map(p, loc, map));
  int64_t segments[] = {1, dims.count + map_syms.count, syms.count};
  stp_p_add_segments(p, s, 3, segments);
  return stp_p_operand(p, s, &base, from) && stp_p_operands_index(p, s, &dims) &&
         stp_p_operands_index(p, s, &map_syms) && stp_p_operands_index(p, s, &syms);
}

typedef struct {
  const stp_affine_map_t *map;
  stp_loc_t loc;
  bool indirect;
  stp_ref_t table;
  stp_ref_vec_t values;
} subscript_t;

static int find_ref(const stp_ref_vec_t *refs, const stp_ref_t *ref) {
  for (int i = 0; i < refs->count; i++) {
    const stp_ref_t *r = &refs->data[i];
    if (r->len == ref->len && r->number == ref->number && memcmp(r->name, ref->name, r->len) == 0) {
      return i;
    }
  }
  return -1;
}

static bool subscript(stp_parser_t *p, subscript_t *sub) {
  stp_ref_vec_t syms = {0};
  sub->loc = p->tok.loc;
  sub->indirect = stp_p_take_word(p, "ind");
  if (sub->indirect) {
    if (!stp_p_expect(p, '(') || !stp_p_ref(p, &sub->table) ||
        !stp_p_affine_of_values(p, '[', ']', &sub->map, &sub->values, &syms) ||
        !stp_p_expect(p, ')')) {
      return false;
    }
  } else if (!stp_p_is(p, '(') && p->tok.kind != TOK_VALUE) {
    return stp_p_expected(p, "'ind(' or '('");
  } else if (!stp_p_affine_of_values(p, 0, 0, &sub->map, &sub->values, &syms)) {
    return false; /* the parentheses around (%a + %b) are part of the expression */
  }
  return syms.count == 0 ||
         stp_p_error(p, syms.data[0].loc, "symbol(...) is not allowed in an indirect subscript");
}

/* The same map over the captured values, then the variables. */
static const stp_affine_map_t *unify(stp_parser_t *p, const subscript_t *sub,
                                     const stp_ref_vec_t *captured,
                                     const stp_ref_vec_t *variables) {
  int positions[32];
  for (int i = 0; i < sub->values.count; i++) {
    int variable = find_ref(variables, &sub->values.data[i]);
    positions[i] =
        variable >= 0 ? captured->count + variable : find_ref(captured, &sub->values.data[i]);
  }
  stp_affine_map_t *map = stp_arena_alloc(p->arena, sizeof *map);
  const stp_affine_expr_t **results =
      stp_arena_array(p->arena, (size_t)sub->map->num_results, sizeof(void *));
  for (int i = 0; i < sub->map->num_results; i++) {
    results[i] = stp_affine_renumber(p->arena, sub->map->results[i], positions);
  }
  map->num_dims = captured->count + variables->count;
  map->num_results = sub->map->num_results;
  map->results = results;
  return map;
}

/* intermediate_variables(%m, %k) %x[ind(%t[%m, %k]), (%k)] [symbols(%s)] {attrs} : T, T -> T */
static bool indirect_tile(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t variables = {0}, captured = {0}, syms = {0}, views = {0};
  STP_VEC(subscript_t) subs = {0};
  stp_type_vec_t types = {0};
  stp_ref_t base;
  if (!stp_p_expect_word(p, "intermediate_variables") || !stp_p_expect(p, '(') ||
      (!stp_p_is(p, ')') && !stp_p_ref_list(p, &variables)) || !stp_p_expect(p, ')')) {
    return false;
  }
  if (variables.count > STP_IR_MAX_RANK) {
    return stp_p_op_error(p, s, "has more than %d intermediate variables", STP_IR_MAX_RANK);
  }
  if (!stp_p_ref(p, &base) || !stp_p_expect(p, '[')) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &views, base);
  while (!stp_p_is(p, ']')) {
    subscript_t sub = {0};
    if (subs.count == STP_IR_MAX_RANK) {
      return stp_p_error(p, p->tok.loc, "more than %d subscripts", STP_IR_MAX_RANK);
    }
    if (!subscript(p, &sub)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &subs, sub);
    if (sub.indirect) {
      STP_VEC_PUSH(p->arena, &views, sub.table);
    }
    for (int i = 0; i < sub.values.count; i++) {
      if (find_ref(&variables, &sub.values.data[i]) < 0 &&
          find_ref(&captured, &sub.values.data[i]) < 0) {
        STP_VEC_PUSH(p->arena, &captured, sub.values.data[i]);
      }
    }
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  if (!stp_p_expect(p, ']') || !symbols(p, &syms) || !stp_p_optional_attr_dict(p, &s->attrs) ||
      !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t types_loc = p->tok.loc;
  const stp_ir_type_t *to;
  if (!stp_p_type_list(p, &types) || !stp_p_expect_arrow(p) ||
      !stp_p_type_elided(p, STP_TYPE_ACCESS_TILE, &to)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, to);
  const stp_ir_attr_t **kinds = stp_arena_array(p->arena, (size_t)subs.count, sizeof(void *));
  const stp_ir_attr_t **maps = stp_arena_array(p->arena, (size_t)subs.count, sizeof(void *));
  for (int i = 0; i < subs.count; i++) {
    kinds[i] = stp_attr_bool(p, subs.data[i].loc, subs.data[i].indirect);
    maps[i] = stp_attr_map(p, subs.data[i].loc, unify(p, &subs.data[i], &captured, &variables));
  }
  stp_p_add_attr(p, s, "per_dim_subscript_kinds", stp_attr_array(p, s->loc, kinds, subs.count));
  stp_p_add_attr(p, s, "per_dim_subscript_maps", stp_attr_array(p, s->loc, maps, subs.count));
  int64_t segments[] = {1, views.count - 1, captured.count, syms.count};
  stp_p_add_segments(p, s, 4, segments);
  if (!stp_p_operands(p, s, &views, &types, types_loc) || !stp_p_operands_index(p, s, &captured) ||
      !stp_p_operands_index(p, s, &syms)) {
    return false;
  }
  stp_ir_block_t *block = stp_p_new_block(p, s->loc);
  for (int i = 0; i < variables.count; i++) {
    const stp_ref_t *v = &variables.data[i];
    stp_p_block_arg(p, block, stp_arena_strndup(p->arena, v->name, v->len),
                    stp_type_scalar(p->module, STP_ELEM_INDEX), v->loc);
  }
  stp_op_state_t end = {.kind = STP_OP_KTDP_REGION_TERMINATOR,
                        .loc = s->loc,
                        .name = stp_ir_op_name(STP_OP_KTDP_REGION_TERMINATOR)};
  STP_VEC_PUSH(p->arena, &s->regions, block);
  return stp_p_make_op(p, block, &end) != NULL;
}

/* %t {attrs} : access tile -> T */
static bool load(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t tile;
  const stp_ir_type_t *from;
  return stp_p_ref(p, &tile) && stp_p_optional_attr_dict(p, &s->attrs) && stp_p_expect(p, ':') &&
         stp_p_type_elided(p, STP_TYPE_ACCESS_TILE, &from) && stp_p_result_types(p, &s->results) &&
         stp_p_operand(p, s, &tile, from);
}

/* %data, %t {attrs} : T, access tile */
static bool store(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t data, tile;
  const stp_ir_type_t *type, *to;
  return stp_p_ref(p, &data) && stp_p_expect(p, ',') && stp_p_ref(p, &tile) &&
         stp_p_optional_attr_dict(p, &s->attrs) && stp_p_expect(p, ':') && stp_p_type(p, &type) &&
         stp_p_expect(p, ',') && stp_p_type_elided(p, STP_TYPE_ACCESS_TILE, &to) &&
         stp_p_operand(p, s, &data, type) && stp_p_operand(p, s, &tile, to);
}

/* value|granularity|upperbound from %a : runtime_arg {attrs} -> T */
static bool arg_extract(stp_parser_t *p, stp_op_state_t *s) {
  static const char *const words[] = {"value", "granularity", "upperbound"};
  int kind = -1;
  for (int i = 0; i < 3; i++) {
    if (stp_p_is_word(p, words[i])) {
      kind = i;
    }
  }
  if (kind < 0) {
    return stp_p_expected(p, "'value', 'granularity' or 'upperbound'");
  }
  stp_p_add_attr(p, s, "kind", stp_attr_int(p, p->tok.loc, kind));
  stp_p_next(p);
  stp_ref_t arg;
  const stp_ir_type_t *from;
  return stp_p_expect_word(p, "from") && stp_p_ref(p, &arg) && stp_p_expect(p, ':') &&
         stp_p_type_elided(p, STP_TYPE_RUNTIME_ARG, &from) &&
         stp_p_optional_attr_dict(p, &s->attrs) && stp_p_result_types(p, &s->results) &&
         stp_p_operand(p, s, &arg, from);
}

/* name = attribute */
static bool clause(stp_parser_t *p, stp_op_state_t *s, const char *name) {
  const stp_ir_attr_t *attr;
  stp_p_next(p);
  if (!stp_p_expect(p, '=') || !stp_p_attr(p, &attr)) {
    return false;
  }
  stp_p_add_attr(p, s, name, attr);
  return true;
}

/* producer_tiles_per_group = set [: T, T] -> future { ^bb0(%g: index): } */
static bool produce(stp_parser_t *p, stp_op_state_t *s) {
  stp_type_vec_t partials = {0};
  const stp_ir_type_t *future;
  if (!stp_p_is_word(p, "producer_tiles_per_group")) {
    return stp_p_expected(p, "'producer_tiles_per_group'");
  }
  if (!clause(p, s, "producer_tiles_per_group") || !stp_p_optional_attr_dict(p, &s->attrs)) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  if ((stp_p_take(p, ':') && !stp_p_type_list(p, &partials)) || !stp_p_expect_arrow(p) ||
      !stp_p_type_elided(p, STP_TYPE_TILE_FUTURE, &future)) {
    return false;
  }
  bool same = partials.count == 0 || partials.count == future->num_members;
  for (int i = 0; same && i < partials.count; i++) {
    same = partials.data[i] == future->members[i];
  }
  if (!same) {
    return stp_p_error(p, loc, "'%s' op types of the partials differ from those of '%s'", s->name,
                       stp_ir_type_text(p->arena, future));
  }
  STP_VEC_PUSH(p->arena, &s->results, future);
  return stp_p_region(p, s, NULL, STP_OP_NONE);
}

/* (%f) consumer_tiles_per_group = set, identity(%i : T) : future -> T [{ ^bb0(...): }] */
static bool consume(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t future;
  stp_ref_vec_t identities = {0};
  stp_type_vec_t identity_types = {0};
  const stp_ir_type_t *type;
  if (!stp_p_expect(p, '(') || !stp_p_ref(p, &future) || !stp_p_expect(p, ')')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  do {
    static const char *const clauses[] = {"consumer_tiles_per_group",
                                          "producer_dependency_per_consumer", "scatter_dim"};
    const char *name = NULL;
    for (int i = 0; i < 3; i++) {
      if (stp_p_is_word(p, clauses[i])) {
        name = clauses[i];
      }
    }
    if (name != NULL) {
      if (!clause(p, s, name)) {
        return false;
      }
    } else if (stp_p_take_word(p, "identity")) {
      if (!stp_p_expect(p, '(') || !stp_p_ref_list(p, &identities) || !stp_p_expect(p, ':') ||
          !stp_p_type_list(p, &identity_types) || !stp_p_expect(p, ')')) {
        return false;
      }
    } else {
      return stp_p_expected(p, "'consumer_tiles_per_group', 'producer_dependency_per_consumer' or "
                               "'identity'");
    }
  } while (stp_p_take(p, ','));
  if (!stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') ||
      !stp_p_type_elided(p, STP_TYPE_TILE_FUTURE, &type) || !stp_p_result_types(p, &s->results) ||
      !stp_p_operand(p, s, &future, type) ||
      !stp_p_operands(p, s, &identities, &identity_types, loc)) {
    return false;
  }
  if (s->kind == STP_OP_KTDP_INTER_TILE_CONSUME) {
    return true;
  }
  int64_t segments[] = {1, identities.count};
  stp_p_add_segments(p, s, 2, segments);
  return stp_p_region(p, s, NULL, STP_OP_NONE);
}

bool stp_p_custom_ktdp(stp_parser_t *p, stp_op_state_t *s) {
  switch (stp_op_info(s->kind)->syntax) {
  case SYNTAX_TILE_ID:
    return tile_id(p, s);
  case SYNTAX_MEMORY_VIEW:
    return memory_view(p, s);
  case SYNTAX_DISTRIBUTED_VIEW:
    return distributed_view(p, s);
  case SYNTAX_ACCESS_TILE:
    return access_tile(p, s);
  case SYNTAX_INDIRECT_TILE:
    return indirect_tile(p, s);
  case SYNTAX_LOAD:
    return load(p, s);
  case SYNTAX_STORE:
    return store(p, s);
  case SYNTAX_ARG_EXTRACT:
    return arg_extract(p, s);
  case SYNTAX_PRODUCE:
    return produce(p, s);
  case SYNTAX_CONSUME:
    return consume(p, s);
  default:
    return stp_p_op_error(p, s, "has no custom form");
  }
}
