/* SPDX-License-Identifier: Apache-2.0 */
/* Custom forms of scf. */
#include "internal.h"

/* (%a = %init, ...) : the arguments get their types later. */
static bool assignments(stp_parser_t *p, stp_arg_vec_t *args, stp_ref_vec_t *inits) {
  if (!stp_p_expect(p, '(')) {
    return false;
  }
  while (!stp_p_is(p, ')')) {
    stp_arg_t arg = {0};
    stp_ref_t init;
    if (!stp_p_ref(p, &arg.ref) || !stp_p_expect(p, '=') || !stp_p_ref(p, &init)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, args, arg);
    STP_VEC_PUSH(p->arena, inits, init);
    if (args->count > 1000) {
      return stp_p_error(p, arg.ref.loc, "more than 1000 arguments");
    }
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  return stp_p_expect(p, ')');
}

/* Give args[first...] the result types and add the initial values as operands. */
static bool bind_inits(stp_parser_t *p, stp_op_state_t *s, stp_arg_vec_t *args, int first,
                       const stp_ref_vec_t *inits, stp_loc_t loc) {
  if (s->results.count != inits->count) {
    return stp_p_error(p, loc, "'%s' op has %d initial value%s, but %d result type%s", s->name,
                       inits->count, inits->count == 1 ? "" : "s", s->results.count,
                       s->results.count == 1 ? "" : "s");
  }
  for (int i = 0; i < inits->count; i++) {
    args->data[first + i].type = s->results.data[i];
    if (!stp_p_operand(p, s, &inits->data[i], s->results.data[i])) {
      return false;
    }
  }
  return true;
}

/* %i = %lb to %ub step %s [iter_args(...) -> (T)] [: T] { } */
static bool for_op(stp_parser_t *p, stp_op_state_t *s) {
  stp_arg_vec_t args = {0};
  stp_ref_vec_t inits = {0};
  stp_arg_t induction = {0};
  stp_ref_t lb, ub, step;
  if (stp_p_is_word(p, "unsigned")) {
    return stp_p_error(p, p->tok.loc, "'scf.for' op with unsigned comparison is not supported");
  }
  if (!stp_p_ref(p, &induction.ref) || !stp_p_expect(p, '=') || !stp_p_ref(p, &lb) ||
      !stp_p_expect_word(p, "to") || !stp_p_ref(p, &ub) || !stp_p_expect_word(p, "step") ||
      !stp_p_ref(p, &step)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &args, induction);
  stp_loc_t loc = p->tok.loc;
  if (stp_p_take_word(p, "iter_args") &&
      (!assignments(p, &args, &inits) || !stp_p_result_types(p, &s->results))) {
    return false;
  }
  const stp_ir_type_t *type = stp_type_scalar(p->module, STP_ELEM_INDEX);
  if (stp_p_take(p, ':') && !stp_p_type(p, &type)) {
    return false;
  }
  args.data[0].type = type;
  return stp_p_operand(p, s, &lb, type) && stp_p_operand(p, s, &ub, type) &&
         stp_p_operand(p, s, &step, type) && bind_inits(p, s, &args, 1, &inits, loc) &&
         stp_p_region(p, s, &args, STP_OP_SCF_YIELD) && stp_p_optional_attr_dict(p, &s->attrs);
}

/* %c [-> (T)] { } [else { }] */
static bool if_op(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t condition;
  if (!stp_p_ref(p, &condition) ||
      (p->tok.kind == TOK_ARROW && !stp_p_result_types(p, &s->results)) ||
      !stp_p_operand(p, s, &condition, stp_type_scalar(p->module, STP_ELEM_I1)) ||
      !stp_p_region(p, s, NULL, STP_OP_SCF_YIELD)) {
    return false;
  }
  if (stp_p_take_word(p, "else")) {
    if (!stp_p_region(p, s, NULL, STP_OP_SCF_YIELD)) {
      return false;
    }
  } else {
    STP_VEC_PUSH(p->arena, &s->regions, NULL);
  }
  return stp_p_optional_attr_dict(p, &s->attrs);
}

static bool paren_refs(stp_parser_t *p, stp_ref_vec_t *refs) {
  return stp_p_expect(p, '(') &&
         (stp_p_take(p, ')') || (stp_p_ref_list(p, refs) && stp_p_expect(p, ')')));
}

static void index_args(stp_parser_t *p, const stp_ref_vec_t *refs, stp_arg_vec_t *args) {
  for (int i = 0; i < refs->count; i++) {
    stp_arg_t arg = {refs->data[i], stp_type_scalar(p->module, STP_ELEM_INDEX)};
    STP_VEC_PUSH(p->arena, args, arg);
  }
}

/* (%i, %j) = (%lb, ...) to (%ub, ...) step (%s, ...) [init (%x, ...)] [-> T] { } */
static bool parallel(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t names = {0}, lb = {0}, ub = {0}, step = {0}, inits = {0};
  stp_arg_vec_t args = {0};
  if (!paren_refs(p, &names) || !stp_p_expect(p, '=') || !paren_refs(p, &lb) ||
      !stp_p_expect_word(p, "to") || !paren_refs(p, &ub) || !stp_p_expect_word(p, "step") ||
      !paren_refs(p, &step)) {
    return false;
  }
  int rank = names.count;
  if (lb.count != rank || ub.count != rank || step.count != rank) {
    return stp_p_op_error(p, s,
                          "has %d induction variables, %d lower bounds, %d upper bounds and "
                          "%d steps",
                          rank, lb.count, ub.count, step.count);
  }
  stp_loc_t loc = p->tok.loc;
  if ((stp_p_take_word(p, "init") && !paren_refs(p, &inits)) ||
      (p->tok.kind == TOK_ARROW && !stp_p_result_types(p, &s->results))) {
    return false;
  }
  stp_arg_vec_t init_args = {0};
  for (int i = 0; i < inits.count; i++) {
    stp_arg_t none = {0};
    STP_VEC_PUSH(p->arena, &init_args, none);
  }
  index_args(p, &names, &args);
  int64_t segments[] = {rank, rank, rank, inits.count};
  stp_p_add_segments(p, s, 4, segments);
  return stp_p_operands_index(p, s, &lb) && stp_p_operands_index(p, s, &ub) &&
         stp_p_operands_index(p, s, &step) && bind_inits(p, s, &init_args, 0, &inits, loc) &&
         stp_p_region(p, s, &args, STP_OP_SCF_REDUCE) && stp_p_optional_attr_dict(p, &s->attrs);
}

/* (%i) in (8) or (%i) = (0) to (8) step (1), [shared_outs(%o = %x) -> (T)] { } */
static bool forall(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t names = {0}, dynamic[3] = {0}, inits = {0};
  stp_int_vec_t fixed[3] = {0}; /* lower bounds, upper bounds, steps */
  stp_arg_vec_t args = {0};
  if (!paren_refs(p, &names)) {
    return false;
  }
  if (stp_p_take_word(p, "in")) {
    if (!stp_p_mixed_list(p, '(', ')', &fixed[1], &dynamic[1])) {
      return false;
    }
    for (int i = 0; i < fixed[1].count; i++) {
      STP_VEC_PUSH(p->arena, &fixed[0], 0);
      STP_VEC_PUSH(p->arena, &fixed[2], 1);
    }
  } else if (!stp_p_expect(p, '=') || !stp_p_mixed_list(p, '(', ')', &fixed[0], &dynamic[0]) ||
             !stp_p_expect_word(p, "to") ||
             !stp_p_mixed_list(p, '(', ')', &fixed[1], &dynamic[1]) ||
             !stp_p_expect_word(p, "step") ||
             !stp_p_mixed_list(p, '(', ')', &fixed[2], &dynamic[2])) {
    return false;
  }
  int rank = names.count;
  if (fixed[0].count != rank || fixed[1].count != rank || fixed[2].count != rank) {
    return stp_p_op_error(p, s,
                          "has %d induction variables, %d lower bounds, %d upper bounds and "
                          "%d steps",
                          rank, fixed[0].count, fixed[1].count, fixed[2].count);
  }
  index_args(p, &names, &args);
  stp_loc_t loc = p->tok.loc;
  if (stp_p_take_word(p, "shared_outs") &&
      (!assignments(p, &args, &inits) || !stp_p_result_types(p, &s->results))) {
    return false;
  }
  static const char *const attr_names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  for (int i = 0; i < 3; i++) {
    stp_p_add_attr(p, s, attr_names[i], stp_attr_ints(p, s->loc, fixed[i].data, fixed[i].count));
    if (!stp_p_operands_index(p, s, &dynamic[i])) {
      return false;
    }
  }
  int64_t segments[] = {dynamic[0].count, dynamic[1].count, dynamic[2].count, inits.count};
  stp_p_add_segments(p, s, 4, segments);
  return bind_inits(p, s, &args, rank, &inits, loc) &&
         stp_p_region(p, s, &args, STP_OP_SCF_FORALL_IN_PARALLEL) &&
         stp_p_optional_attr_dict(p, &s->attrs);
}

/* [(%a, %b : T, T) { ^bb0(...): }, { ^bb0(...): }] */
static bool reduce(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_type_vec_t types = {0};
  if (stp_p_take(p, '(') && !stp_p_take(p, ')')) {
    stp_loc_t loc = p->tok.loc;
    if (!stp_p_ref_list(p, &refs) || !stp_p_expect(p, ':') || !stp_p_type_list(p, &types) ||
        !stp_p_expect(p, ')') || !stp_p_operands(p, s, &refs, &types, loc)) {
      return false;
    }
    do {
      if (!stp_p_region(p, s, NULL, STP_OP_NONE)) {
        return false;
      }
    } while (stp_p_take(p, ','));
  }
  return true;
}

bool stp_p_custom_scf(stp_parser_t *p, stp_op_state_t *s) {
  switch (stp_op_info(s->kind)->syntax) {
  case SYNTAX_FOR:
    return for_op(p, s);
  case SYNTAX_IF:
    return if_op(p, s);
  case SYNTAX_PARALLEL:
    return parallel(p, s);
  case SYNTAX_FORALL:
    return forall(p, s);
  case SYNTAX_SCF_REDUCE:
    return reduce(p, s);
  default:
    return stp_p_region(p, s, NULL, STP_OP_NONE);
  }
}
