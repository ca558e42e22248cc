/* SPDX-License-Identifier: Apache-2.0 */
/* Custom forms of tensor, and memref.subview. */
#include "internal.h"

static bool result(stp_parser_t *p, stp_op_state_t *s) {
  const stp_ir_type_t *type;
  if (!stp_p_type(p, &type)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, type);
  return true;
}

static bool attrs_and_result(stp_parser_t *p, stp_op_state_t *s) {
  return stp_p_optional_attr_dict(p, &s->attrs) && stp_p_expect(p, ':') && result(p, s);
}

/* [%i, %j], perhaps empty */
static bool bracket_refs(stp_parser_t *p, char open, char close, stp_ref_vec_t *refs) {
  return stp_p_expect(p, open) &&
         (stp_p_take(p, close) || (stp_p_ref_list(p, refs) && stp_p_expect(p, close)));
}

/* (%d, %e) : T */
static bool empty(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  return bracket_refs(p, '(', ')', &refs) && attrs_and_result(p, s) &&
         stp_p_operands_index(p, s, &refs);
}

/* %s[%d] : T */
static bool splat(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t value;
  stp_ref_vec_t refs = {0};
  if (!stp_p_ref(p, &value) || (stp_p_is(p, '[') && !bracket_refs(p, '[', ']', &refs)) ||
      !attrs_and_result(p, s)) {
    return false;
  }
  const stp_ir_type_t *type = s->results.data[0];
  if (type->kind != STP_TYPE_TENSOR) {
    return stp_p_op_error(p, s, "result must be a tensor, but is '%s'",
                          stp_ir_type_text(p->arena, type));
  }
  return stp_p_operand(p, s, &value, stp_type_scalar(p->module, type->elem)) &&
         stp_p_operands_index(p, s, &refs);
}

/* %t[%i, %j] : T */
static bool extract(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t tensor;
  stp_ref_vec_t refs = {0};
  const stp_ir_type_t *type;
  if (!stp_p_ref(p, &tensor) || !bracket_refs(p, '[', ']', &refs) ||
      !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &type)) {
    return false;
  }
  if (type->kind != STP_TYPE_TENSOR) {
    return stp_p_op_error(p, s, "operand must be a tensor, but is '%s'",
                          stp_ir_type_text(p->arena, type));
  }
  STP_VEC_PUSH(p->arena, &s->results, stp_type_scalar(p->module, type->elem));
  return stp_p_operand(p, s, &tensor, type) && stp_p_operands_index(p, s, &refs);
}

/* %s[0, %o] [4, 4] [1, 1] : T to T    or    %s into %d[...] [...] [...] : T into T */
static bool slice(stp_parser_t *p, stp_op_state_t *s) {
  bool insert =
      s->kind == STP_OP_TENSOR_INSERT_SLICE || s->kind == STP_OP_TENSOR_PARALLEL_INSERT_SLICE;
  static const char *const names[] = {"static_offsets", "static_sizes", "static_strides"};
  stp_ref_t source, dest = {0};
  stp_int_vec_t fixed[3] = {0};
  stp_ref_vec_t dynamic[3] = {0};
  const stp_ir_type_t *from, *to;
  if (!stp_p_ref(p, &source) ||
      (insert && !(stp_p_expect_word(p, "into") && stp_p_ref(p, &dest)))) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  for (int i = 0; i < 3; i++) {
    if (!stp_p_mixed_list(p, '[', ']', &fixed[i], &dynamic[i])) {
      return false;
    }
  }
  if (!stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &from) ||
      !stp_p_expect_word(p, insert ? "into" : "to") || !stp_p_type(p, &to)) {
    return false;
  }
  if (!stp_p_operand(p, s, &source, from) || (insert && !stp_p_operand(p, s, &dest, to))) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    stp_p_add_attr(p, s, names[i], stp_attr_ints(p, loc, fixed[i].data, fixed[i].count));
    if (!stp_p_operands_index(p, s, &dynamic[i])) {
      return false;
    }
  }
  int64_t segments[] = {1, 1, dynamic[0].count, dynamic[1].count, dynamic[2].count};
  stp_p_add_segments(p, s, insert ? 5 : 4, insert ? segments : segments + 1);
  if (s->kind != STP_OP_TENSOR_PARALLEL_INSERT_SLICE) {
    STP_VEC_PUSH(p->arena, &s->results, to);
  }
  return true;
}

/* %s [[0, 1], [2]] [output_shape [2, %n, 4]] : T into T */
static bool reassociate(stp_parser_t *p, stp_op_state_t *s) {
  bool expand = s->kind == STP_OP_TENSOR_EXPAND_SHAPE;
  stp_ref_t source;
  const stp_ir_attr_t *groups;
  const stp_ir_type_t *from, *to;
  stp_int_vec_t fixed = {0};
  stp_ref_vec_t dynamic = {0};
  if (!stp_p_ref(p, &source)) {
    return false;
  }
  if (!stp_p_is(p, '[')) {
    return stp_p_expected(p, "'[' and the groups of dimensions");
  }
  if (!stp_p_attr(p, &groups)) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  bool shape = expand && stp_p_take_word(p, "output_shape");
  if ((shape && !stp_p_mixed_list(p, '[', ']', &fixed, &dynamic)) ||
      !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &from) ||
      !stp_p_expect_word(p, "into") || !stp_p_type(p, &to)) {
    return false;
  }
  stp_p_add_attr(p, s, "reassociation", groups);
  if (expand) {
    if (!shape) { /* the older form: the type says it all */
      for (int i = 0; i < to->rank; i++) {
        STP_VEC_PUSH(p->arena, &fixed, to->dims[i]);
      }
    }
    stp_p_add_attr(p, s, "static_output_shape", stp_attr_ints(p, loc, fixed.data, fixed.count));
  }
  STP_VEC_PUSH(p->arena, &s->results, to);
  return stp_p_operand(p, s, &source, from) && stp_p_operands_index(p, s, &dynamic);
}

/* %s(%shape) : (T, T) -> T */
static bool reshape(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_ref_t source;
  stp_type_vec_t types = {0};
  if (!stp_p_ref(p, &source)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &refs, source);
  if (!bracket_refs(p, '(', ')', &refs) || !stp_p_optional_attr_dict(p, &s->attrs) ||
      !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  return stp_p_paren_types(p, &types) && stp_p_result_types(p, &s->results) &&
         stp_p_operands(p, s, &refs, &types, loc);
}

/* %a, %b : T */
static bool from_elements(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  if ((p->tok.kind == TOK_VALUE && !stp_p_ref_list(p, &refs)) || !attrs_and_result(p, s)) {
    return false;
  }
  const stp_ir_type_t *type = s->results.data[0];
  if (type->kind != STP_TYPE_TENSOR) {
    return stp_p_op_error(p, s, "result must be a tensor, but is '%s'",
                          stp_ir_type_text(p->arena, type));
  }
  for (int i = 0; i < refs.count; i++) {
    if (!stp_p_operand(p, s, &refs.data[i], stp_type_scalar(p->module, type->elem))) {
      return false;
    }
  }
  return true;
}

/* %d, %e { ^bb0(%i: index): } : T */
static bool generate(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  return (p->tok.kind != TOK_VALUE || stp_p_ref_list(p, &refs)) &&
         stp_p_operands_index(p, s, &refs) && stp_p_region(p, s, NULL, STP_OP_NONE) &&
         attrs_and_result(p, s);
}

/* %t, %i : T */
static bool dim(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_t tensor, index;
  const stp_ir_type_t *type;
  const stp_ir_type_t *index_type = stp_type_scalar(p->module, STP_ELEM_INDEX);
  if (!stp_p_ref(p, &tensor) || !stp_p_expect(p, ',') || !stp_p_ref(p, &index) ||
      !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':') || !stp_p_type(p, &type)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->results, index_type);
  return stp_p_operand(p, s, &tensor, type) && stp_p_operand(p, s, &index, index_type);
}

bool stp_p_custom_tensor(stp_parser_t *p, stp_op_state_t *s) {
  switch (stp_op_info(s->kind)->syntax) {
  case SYNTAX_EMPTY:
    return empty(p, s);
  case SYNTAX_SPLAT:
    return splat(p, s);
  case SYNTAX_EXTRACT:
    return extract(p, s);
  case SYNTAX_SLICE:
    return slice(p, s);
  case SYNTAX_REASSOCIATE:
    return reassociate(p, s);
  case SYNTAX_RESHAPE:
    return reshape(p, s);
  case SYNTAX_FROM_ELEMENTS:
    return from_elements(p, s);
  case SYNTAX_GENERATE:
    return generate(p, s);
  default:
    return dim(p, s);
  }
}
