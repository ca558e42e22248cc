/* SPDX-License-Identifier: Apache-2.0 */
/* Custom forms of linalg. */
#include "internal.h"

typedef struct {
  stp_ref_vec_t refs;
  stp_type_vec_t types;
  stp_loc_t loc;
} operands_t;

/* ins(%a, %b : T, T) */
static bool group(stp_parser_t *p, operands_t *g) {
  stp_p_next(p);
  g->loc = p->tok.loc;
  return stp_p_expect(p, '(') &&
         (stp_p_take(p, ')') || (stp_p_ref_list(p, &g->refs) && stp_p_expect(p, ':') &&
                                 stp_p_type_list(p, &g->types) && stp_p_expect(p, ')')));
}

/* [1, 0] as a list of integers */
static bool int_list(stp_parser_t *p, stp_op_state_t *s, const char *name) {
  stp_int_vec_t ints = {0};
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_expect(p, '[')) {
    return false;
  }
  while (!stp_p_is(p, ']')) {
    int64_t value;
    if (ints.count == STP_IR_MAX_RANK) {
      return stp_p_error(p, loc, "more than %d dimensions", STP_IR_MAX_RANK);
    }
    if (!stp_p_integer(p, &value, NULL)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &ints, value);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  stp_p_add_attr(p, s, name, stp_attr_ints(p, loc, ints.data, ints.count));
  return stp_p_expect(p, ']');
}

/* { arith.addf }: a body of that op alone. Gives its kind; the body is made later. */
static bool shorthand(stp_parser_t *p, stp_op_state_t *s, stp_ir_op_kind_t *kind, stp_loc_t *loc) {
  *kind = STP_OP_NONE;
  if (!stp_p_is(p, '{') || s->kind == STP_OP_LINALG_GENERIC) {
    return true;
  }
  stp_lexer_t lex = p->lex;
  stp_tok_t tok = p->tok;
  stp_p_next(p);
  if (p->tok.kind != TOK_ID || memchr(p->tok.text, '.', p->tok.len) == NULL) {
    p->lex = lex;
    p->tok = tok;
    return true;
  }
  *loc = p->tok.loc;
  *kind = stp_op_from_name(p->tok.text, p->tok.len);
  if (*kind == STP_OP_NONE || stp_op_info(*kind)->syntax != SYNTAX_SAME) {
    return stp_p_expected(p, "an elementwise op such as arith.addf");
  }
  stp_p_next(p);
  if (stp_p_is_word(p, "fastmath") || stp_p_is_word(p, "overflow")) {
    stp_p_next(p);
    if (!stp_p_is(p, '<') || !stp_p_skip_balanced(p)) {
      return false;
    }
  }
  stp_attr_vec_t ignored = {0};
  return stp_p_optional_attr_dict(p, &ignored) && stp_p_expect(p, '}');
}

/* The body that a shorthand stands for. */
static bool shorthand_body(stp_parser_t *p, stp_op_state_t *s, stp_ir_op_kind_t kind, stp_loc_t loc,
                           int num_ins) {
  stp_ir_block_t *block = stp_p_new_block(p, loc);
  stp_op_state_t inner = {.kind = kind, .loc = loc, .name = stp_ir_op_name(kind)};
  bool reduce = s->kind == STP_OP_LINALG_REDUCE;
  int operands = stp_op_info(kind)->min_operands;
  if (operands != (reduce ? 2 : num_ins) || (reduce && num_ins != 1)) {
    return stp_p_error(p, loc, "'%s' op in short form needs a body op of %d operands and one input",
                       s->name, reduce ? 2 : num_ins);
  }
  for (int i = 0; i < s->operands.count; i++) {
    const stp_ir_type_t *elem = stp_type_scalar(p->module, s->operands.data[i]->type->elem);
    if (elem == NULL) {
      return stp_p_op_error(p, s, "operand %d must be a tensor", i);
    }
    stp_p_block_arg(p, block, i < num_ins ? "in" : "out", elem, loc);
  }
  for (int i = 0; i < operands; i++) {
    /* linalg.reduce puts the accumulator first. */
    STP_VEC_PUSH(p->arena, &inner.operands, block->args[reduce ? 1 - i : i]);
    STP_VEC_PUSH(p->arena, &inner.operand_locs, loc);
  }
  STP_VEC_PUSH(p->arena, &inner.results, inner.operands.data[0]->type);
  stp_ir_op_t *op = stp_p_make_op(p, block, &inner);
  if (op == NULL) {
    return false;
  }
  stp_op_state_t yield = {
      .kind = STP_OP_LINALG_YIELD, .loc = loc, .name = stp_ir_op_name(STP_OP_LINALG_YIELD)};
  STP_VEC_PUSH(p->arena, &yield.operands, op->results[0]);
  STP_VEC_PUSH(p->arena, &yield.operand_locs, loc);
  STP_VEC_PUSH(p->arena, &s->regions, block);
  return stp_p_make_op(p, block, &yield) != NULL;
}

/* {attrs} or #alias of a dictionary, and indexing_maps = [...] */
static bool leading_attrs(stp_parser_t *p, stp_op_state_t *s) {
  if (s->kind == STP_OP_LINALG_GENERIC && p->tok.kind == TOK_HASH) {
    const stp_ir_attr_t *attr;
    if (!stp_p_attr(p, &attr)) {
      return false;
    }
    if (attr->kind != STP_ATTR_DICT) {
      return stp_p_error(p, attr->loc, "expected a dictionary of attributes");
    }
    for (int i = 0; i < attr->count; i++) {
      stp_p_add_attr(p, s, attr->keys[i], attr->items[i]);
    }
  }
  while (stp_p_is_word(p, "indexing_maps")) {
    const stp_ir_attr_t *attr;
    stp_p_next(p);
    if (!stp_p_expect(p, '=') || !stp_p_attr(p, &attr)) {
      return false;
    }
    stp_p_add_attr(p, s, "indexing_maps", attr);
  }
  return stp_p_optional_attr_dict(p, &s->attrs);
}

static bool linalg(stp_parser_t *p, stp_op_state_t *s, stp_syntax_t syntax) {
  operands_t ins = {0}, outs = {0};
  stp_ir_op_kind_t body = STP_OP_NONE;
  stp_loc_t body_loc = s->loc;
  if (!shorthand(p, s, &body, &body_loc) || !leading_attrs(p, s)) {
    return false;
  }
  if (stp_p_is_word(p, "ins") && !group(p, &ins)) {
    return false;
  }
  if (!stp_p_is_word(p, "outs")) {
    return stp_p_expected(p, ins.refs.count > 0 ? "'outs'" : "'ins' or 'outs'");
  }
  if (!group(p, &outs)) {
    return false;
  }
  if (!stp_p_operands(p, s, &ins.refs, &ins.types, ins.loc) ||
      !stp_p_operands(p, s, &outs.refs, &outs.types, outs.loc)) {
    return false;
  }
  if (s->kind != STP_OP_LINALG_REDUCE && s->kind != STP_OP_LINALG_MAP &&
      syntax != SYNTAX_LINALG_DIMS) {
    int64_t segments[] = {ins.refs.count, outs.refs.count};
    stp_p_add_segments(p, s, 2, segments);
  }
  if (s->kind == STP_OP_LINALG_GENERIC && stp_p_take_word(p, "attrs") &&
      !(stp_p_expect(p, '=') && stp_p_attr_dict(p, &s->attrs))) {
    return false;
  }
  const char *dims = s->kind == STP_OP_LINALG_TRANSPOSE ? "permutation" : "dimensions";
  if (syntax == SYNTAX_LINALG_DIMS || s->kind == STP_OP_LINALG_REDUCE) {
    if (!stp_p_expect_word(p, dims) || !stp_p_expect(p, '=') || !int_list(p, s, dims)) {
      return false;
    }
  }
  if (body != STP_OP_NONE) {
    if (!s->poisoned && !shorthand_body(p, s, body, body_loc, ins.refs.count)) {
      return false;
    }
  } else if (syntax == SYNTAX_LINALG_BODY) {
    stp_arg_vec_t args = {0};
    bool named = s->kind != STP_OP_LINALG_GENERIC;
    if (named && !stp_p_is(p, '(')) {
      return stp_p_expected(p, "'(' and the arguments of the body");
    }
    if ((named && !stp_p_args(p, &args)) || !stp_p_region(p, s, &args, STP_OP_NONE)) {
      return false;
    }
  }
  if (p->tok.kind == TOK_ARROW) {
    return stp_p_result_types(p, &s->results);
  }
  s->results = outs.types; /* left out: the results are the outs */
  return true;
}

bool stp_p_custom_linalg(stp_parser_t *p, stp_op_state_t *s) {
  stp_syntax_t syntax = stp_op_info(s->kind)->syntax;
  if (syntax != SYNTAX_LINALG_INDEX) {
    return linalg(p, s, syntax);
  }
  stp_loc_t loc = p->tok.loc;
  int64_t dim;
  const stp_ir_type_t *type;
  if (!stp_p_integer(p, &dim, NULL) || !stp_p_optional_attr_dict(p, &s->attrs) ||
      !stp_p_expect(p, ':') || !stp_p_type(p, &type)) {
    return false;
  }
  stp_p_add_attr(p, s, "dim", stp_attr_int(p, loc, dim));
  STP_VEC_PUSH(p->arena, &s->results, type);
  return true;
}
