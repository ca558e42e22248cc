/* SPDX-License-Identifier: Apache-2.0 */
/* Custom forms of arith, math and the terminators, and the choice among all custom forms. */
#include "internal.h"

bool stp_p_mixed_list(stp_parser_t *p, char open, char close, stp_int_vec_t *statics,
                      stp_ref_vec_t *dynamics) {
  if (!stp_p_expect(p, open)) {
    return false;
  }
  while (!stp_p_is(p, close)) {
    int64_t value = STP_IR_DYNAMIC;
    if (statics->count == STP_IR_MAX_RANK) {
      return stp_p_error(p, p->tok.loc, "more than %d entries", STP_IR_MAX_RANK);
    }
    if (p->tok.kind == TOK_VALUE) {
      stp_ref_t ref;
      if (!stp_p_ref(p, &ref)) {
        return false;
      }
      STP_VEC_PUSH(p->arena, dynamics, ref);
    } else if (p->tok.kind == TOK_INT || stp_p_is(p, '-')) {
      if (!stp_p_integer(p, &value, NULL)) {
        return false;
      }
    } else {
      return stp_p_expected(p, "an integer or a value such as %x");
    }
    STP_VEC_PUSH(p->arena, statics, value);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  return stp_p_expect(p, close);
}

/* Flags that may follow the operands of arith and math ops. They allow, but do not ask for, other
   results: all are accepted, and nothing depends on them. */
static bool flags(stp_parser_t *p, stp_op_state_t *s) {
  for (;;) {
    if (stp_p_is_word(p, "fastmath") || stp_p_is_word(p, "overflow")) {
      stp_p_next(p);
      if (!stp_p_is(p, '<')) {
        return stp_p_expected(p, "'<'");
      }
      if (!stp_p_skip_balanced(p)) {
        return false;
      }
    } else if (!stp_p_take_word(p, "exact") && !stp_p_take_word(p, "nneg") &&
               !(STP_OP_IS_CAST(s->kind) && stp_p_take_word(p, "to_nearest_even"))) {
      break;
    }
  }
  if (p->tok.kind == TOK_ID) {
    return stp_p_expected(p, "':'");
  }
  return true;
}

/* %a, %b {attrs} : T */
static bool same(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_type_vec_t types = {0};
  const stp_ir_type_t *type;
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_ref_list(p, &refs) || !flags(p, s) || !stp_p_optional_attr_dict(p, &s->attrs) ||
      !stp_p_expect(p, ':') || !stp_p_type(p, &type)) {
    return false;
  }
  int expected = stp_op_info(s->kind)->min_operands;
  if (refs.count != expected) {
    return stp_p_error(p, loc, "'%s' op expected %d operand%s, got %d", s->name, expected,
                       expected == 1 ? "" : "s", refs.count);
  }
  for (int i = 0; i < refs.count; i++) {
    STP_VEC_PUSH(p->arena, &types, type);
  }
  STP_VEC_PUSH(p->arena, &s->results, type);
  return stp_p_operands(p, s, &refs, &types, loc);
}

/* %a : T to T */
static bool cast(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t ref;
  const stp_ir_type_t *from, *to;
  if (!stp_p_ref(p, &ref) || !flags(p, s) || !stp_p_optional_attr_dict(p, &s->attrs) ||
      !stp_p_expect(p, ':') || !stp_p_type(p, &from) || !stp_p_expect_word(p, "to") ||
      !stp_p_type(p, &to)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, to);
  return stp_p_operand(p, s, &ref, from);
}

static const char *const cmpi_names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                         "sge", "ult", "ule", "ugt", "uge"};
static const char *const cmpf_names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                         "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

/* slt, %a, %b : T */
static bool cmp(stp_parser_t *p, stp_op_state_t *s) {
  bool integer = s->kind == STP_OP_ARITH_CMPI;
  const char *const *names = integer ? cmpi_names : cmpf_names;
  int count = integer ? 10 : 16;
  int predicate = -1;
  for (int i = 0; i < count; i++) {
    if (stp_p_is_word(p, names[i])) {
      predicate = i;
    }
  }
  if (predicate < 0) {
    return stp_p_expected(p, integer ? "a predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt or "
                                       "uge"
                                     : "a predicate: false, oeq, ogt, oge, olt, ole, one, ord, "
                                       "ueq, ugt, uge, ult, ule, une, uno or true");
  }
  stp_p_add_attr(p, s, "predicate", stp_attr_int(p, p->tok.loc, predicate));
  stp_p_next(p);
  stp_ref_t a, b;
  const stp_ir_type_t *type;
  if (!stp_p_expect(p, ',') || !stp_p_ref(p, &a) || !stp_p_expect(p, ',') || !stp_p_ref(p, &b) ||
      !flags(p, s) || !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') ||
      !stp_p_type(p, &type)) {
    return false;
  }
  const stp_ir_type_t *result =
      type->kind == STP_TYPE_TENSOR
          ? stp_type_shaped(p->module, STP_TYPE_TENSOR, STP_ELEM_I1, type->rank, type->dims)
          : stp_type_scalar(p->module, STP_ELEM_I1);
  STP_VEC_PUSH(p->arena, &s->results, result);
  return stp_p_operand(p, s, &a, type) && stp_p_operand(p, s, &b, type);
}

/* %c, %a, %b : T   or   : condition type, T */
static bool select(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t c, a, b;
  const stp_ir_type_t *condition = stp_type_scalar(p->module, STP_ELEM_I1);
  const stp_ir_type_t *type;
  if (!stp_p_ref(p, &c) || !stp_p_expect(p, ',') || !stp_p_ref(p, &a) || !stp_p_expect(p, ',') ||
      !stp_p_ref(p, &b) || !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') ||
      !stp_p_type(p, &type)) {
    return false;
  }
  if (stp_p_take(p, ',')) {
    condition = type;
    if (!stp_p_type(p, &type)) {
      return false;
    }
  }
  STP_VEC_PUSH(p->arena, &s->results, type);
  return stp_p_operand(p, s, &c, condition) && stp_p_operand(p, s, &a, type) &&
         stp_p_operand(p, s, &b, type);
}

/* {attrs} value : T */
static bool constant(stp_parser_t *p, stp_op_state_t *s) {
  const stp_ir_attr_t *value;
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_attr(p, &value)) {
    return false;
  }
  const stp_ir_type_t *type = value->type;
  if (value->kind == STP_ATTR_DENSE) {
    type = value->dense->type;
  } else if (value->kind == STP_ATTR_BOOL) {
    type = stp_type_scalar(p->module, STP_ELEM_I1);
  } else if (value->kind == STP_ATTR_INT && type == NULL) {
    type = stp_type_scalar(p->module, STP_ELEM_I64);
  } else if (value->kind != STP_ATTR_INT && value->kind != STP_ATTR_FLOAT) {
    return stp_p_error(p, loc, "'arith.constant' op expected a number, a bool or dense<...>");
  }
  if (type == NULL) {
    return stp_p_expected(p, "':' and the type of the constant");
  }
  stp_p_add_attr(p, s, "value", value);
  STP_VEC_PUSH(p->arena, &s->results, type);
  return true;
}

/* {attrs} %a, %b : T, T   or nothing */
static bool terminator(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_type_vec_t types = {0};
  if (!stp_p_optional_attr_dict(p, &s->attrs)) {
    return false;
  }
  if (p->tok.kind != TOK_VALUE || (p->tok.first && stp_p_looks_like_op(p))) {
    return true;
  }
  if (!stp_p_ref_list(p, &refs) || !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  return stp_p_type_list(p, &types) && stp_p_operands(p, s, &refs, &types, loc);
}

bool stp_p_custom(stp_parser_t *p, stp_op_state_t *s) {
  switch (stp_op_info(s->kind)->syntax) {
  case SYNTAX_BARE:
    return stp_p_optional_attr_dict(p, &s->attrs);
  case SYNTAX_RETURN:
    return terminator(p, s);
  case SYNTAX_SAME:
    return same(p, s);
  case SYNTAX_CAST:
    return cast(p, s);
  case SYNTAX_CMP:
    return cmp(p, s);
  case SYNTAX_SELECT:
    return select(p, s);
  case SYNTAX_CONSTANT:
    return constant(p, s);
  case SYNTAX_FOR:
  case SYNTAX_IF:
  case SYNTAX_PARALLEL:
  case SYNTAX_FORALL:
  case SYNTAX_SCF_REDUCE:
  case SYNTAX_IN_PARALLEL:
    return stp_p_custom_scf(p, s);
  case SYNTAX_LINALG:
  case SYNTAX_LINALG_DIMS:
  case SYNTAX_LINALG_BODY:
  case SYNTAX_LINALG_INDEX:
    return stp_p_custom_linalg(p, s);
  case SYNTAX_EMPTY:
  case SYNTAX_SPLAT:
  case SYNTAX_EXTRACT:
  case SYNTAX_SLICE:
  case SYNTAX_REASSOCIATE:
  case SYNTAX_RESHAPE:
  case SYNTAX_FROM_ELEMENTS:
  case SYNTAX_GENERATE:
  case SYNTAX_DIM:
    return stp_p_custom_tensor(p, s);
  default:
    return stp_p_custom_ktdp(p, s);
  }
}
