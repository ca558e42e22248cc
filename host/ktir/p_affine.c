/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

typedef struct {
  const char *name;
  size_t len;
  bool symbol;
  int position;
} variable_t;

typedef struct {
  stp_parser_t *p;
  STP_VEC(variable_t) variables;
  /* Subscripts: SSA values instead of declared names. */
  bool of_values;
  stp_ref_vec_t *dims, *syms;
  int nodes;
} affine_parser_t;

static bool expression(affine_parser_t *a, const stp_affine_expr_t **result);

static bool build(affine_parser_t *a, stp_loc_t loc, stp_affine_kind_t kind,
                  const stp_affine_expr_t *lhs, const stp_affine_expr_t *rhs,
                  const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  if (lhs == NULL || rhs == NULL) {
    return false;
  }
  if (++a->nodes > STP_MAX_AFFINE_NODES) {
    return stp_p_error(p, loc, "affine expression is too long");
  }
  if (kind == STP_AFFINE_MUL && !stp_affine_is_symbolic(lhs) && !stp_affine_is_symbolic(rhs)) {
    return stp_p_error(p, loc, "not affine: one side of a product must be free of dimensions");
  }
  if (kind > STP_AFFINE_MUL) {
    if (!stp_affine_is_symbolic(rhs)) {
      return stp_p_error(p, loc, "not affine: the divisor must be free of dimensions");
    }
    if (rhs->kind == STP_AFFINE_CONST && rhs->value <= 0) {
      return stp_p_error(p, loc, "the divisor must be positive, but is %lld",
                         (long long)rhs->value);
    }
  }
  *result = stp_affine_binary(p->arena, kind, lhs, rhs);
  return *result != NULL || stp_p_error(p, loc, "integer overflow in affine expression");
}

static bool value_operand(affine_parser_t *a, bool symbol, const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  stp_ref_t ref;
  if (!stp_p_ref(p, &ref)) {
    return false;
  }
  stp_ref_vec_t *list = symbol ? a->syms : a->dims;
  for (int i = 0; i < list->count; i++) {
    const stp_ref_t *old = &list->data[i];
    if (old->len == ref.len && old->number == ref.number &&
        memcmp(old->name, ref.name, ref.len) == 0) {
      *result = symbol ? stp_affine_sym(p->arena, i) : stp_affine_dim(p->arena, i);
      return true;
    }
  }
  if (list->count == 32) {
    return stp_p_error(p, ref.loc, "more than 32 values in one subscript list");
  }
  STP_VEC_PUSH(p->arena, list, ref);
  *result = symbol ? stp_affine_sym(p->arena, list->count - 1)
                   : stp_affine_dim(p->arena, list->count - 1);
  return true;
}

static bool variable_operand(affine_parser_t *a, const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  for (int i = 0; i < a->variables.count; i++) {
    const variable_t *v = &a->variables.data[i];
    if (v->len == p->tok.len && memcmp(v->name, p->tok.text, v->len) == 0) {
      *result =
          v->symbol ? stp_affine_sym(p->arena, v->position) : stp_affine_dim(p->arena, v->position);
      stp_p_next(p);
      return true;
    }
  }
  return stp_p_error(p, p->tok.loc, "'%.*s' is neither a dimension nor a symbol here",
                     (int)p->tok.len, p->tok.text);
}

static bool factor(affine_parser_t *a, const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  stp_loc_t loc = p->tok.loc;
  bool ok;
  if (!stp_p_enter(p)) {
    return false;
  }
  if (stp_p_is(p, '-')) {
    stp_p_next(p);
    const stp_affine_expr_t *inner = NULL;
    ok = factor(a, &inner) &&
         build(a, loc, STP_AFFINE_MUL, inner, stp_affine_const(p->arena, -1), result);
  } else if (stp_p_take(p, '(')) {
    ok = expression(a, result) && stp_p_expect(p, ')');
  } else if (p->tok.kind == TOK_INT) {
    int64_t value;
    ok = stp_p_integer(p, &value, NULL);
    *result = ok ? stp_affine_const(p->arena, value) : NULL;
  } else if (a->of_values && p->tok.kind == TOK_VALUE) {
    ok = value_operand(a, false, result);
  } else if (a->of_values && stp_p_take_word(p, "symbol")) {
    ok = stp_p_expect(p, '(') && value_operand(a, true, result) && stp_p_expect(p, ')');
  } else if (!a->of_values && p->tok.kind == TOK_ID) {
    ok = variable_operand(a, result);
  } else {
    ok = stp_p_expected(p, "an affine expression");
  }
  stp_p_leave(p);
  return ok;
}

static bool term(affine_parser_t *a, const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  if (!factor(a, result)) {
    return false;
  }
  for (;;) {
    stp_affine_kind_t kind;
    stp_loc_t loc = p->tok.loc;
    if (stp_p_is(p, '*')) {
      kind = STP_AFFINE_MUL;
    } else if (stp_p_is_word(p, "floordiv")) {
      kind = STP_AFFINE_FLOORDIV;
    } else if (stp_p_is_word(p, "ceildiv")) {
      kind = STP_AFFINE_CEILDIV;
    } else if (stp_p_is_word(p, "mod")) {
      kind = STP_AFFINE_MOD;
    } else {
      return true;
    }
    stp_p_next(p);
    const stp_affine_expr_t *rhs = NULL;
    if (!factor(a, &rhs) || !build(a, loc, kind, *result, rhs, result)) {
      return false;
    }
  }
}

static bool expression(affine_parser_t *a, const stp_affine_expr_t **result) {
  stp_parser_t *p = a->p;
  if (!term(a, result)) {
    return false;
  }
  while (stp_p_is(p, '+') || stp_p_is(p, '-')) {
    bool minus = stp_p_is(p, '-');
    stp_loc_t loc = p->tok.loc;
    stp_p_next(p);
    const stp_affine_expr_t *rhs = NULL;
    if (!term(a, &rhs)) {
      return false;
    }
    if (minus && !build(a, loc, STP_AFFINE_MUL, rhs, stp_affine_const(p->arena, -1), &rhs)) {
      return false;
    }
    if (!build(a, loc, STP_AFFINE_ADD, *result, rhs, result)) {
      return false;
    }
  }
  return true;
}

/* (d0, d1)[s0] */
static bool declarations(affine_parser_t *a, int *num_dims, int *num_syms) {
  stp_parser_t *p = a->p;
  for (int symbols = 0; symbols < 2; symbols++) {
    int n = 0;
    if (symbols && !stp_p_is(p, '[')) {
      *num_syms = 0;
      return true;
    }
    char close = symbols ? ']' : ')';
    if (!stp_p_expect(p, symbols ? '[' : '(')) {
      return false;
    }
    while (!stp_p_is(p, close)) {
      if (p->tok.kind != TOK_ID) {
        return stp_p_expected(p, symbols ? "the name of a symbol" : "the name of a dimension");
      }
      if (n == 32) {
        return stp_p_error(p, p->tok.loc, "more than 32 dimensions or symbols");
      }
      for (int i = 0; i < a->variables.count; i++) {
        if (a->variables.data[i].len == p->tok.len &&
            memcmp(a->variables.data[i].name, p->tok.text, p->tok.len) == 0) {
          return stp_p_error(p, p->tok.loc, "'%.*s' is declared twice", (int)p->tok.len,
                             p->tok.text);
        }
      }
      variable_t v = {p->tok.text, p->tok.len, symbols != 0, n++};
      STP_VEC_PUSH(p->arena, &a->variables, v);
      stp_p_next(p);
      if (!stp_p_take(p, ',')) {
        break;
      }
    }
    if (!stp_p_expect(p, close)) {
      return false;
    }
    *(symbols ? num_syms : num_dims) = n;
  }
  return true;
}

typedef STP_VEC(const stp_affine_expr_t *) expr_vec_t;

static bool expression_list(affine_parser_t *a, char close, expr_vec_t *list) {
  stp_parser_t *p = a->p;
  while (!stp_p_is(p, close)) {
    const stp_affine_expr_t *e = NULL;
    if (!expression(a, &e)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, list, e);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  return stp_p_expect(p, close);
}

bool stp_p_affine_map_body(stp_parser_t *p, const stp_affine_map_t **result) {
  affine_parser_t a = {.p = p};
  stp_affine_map_t *map = stp_arena_alloc(p->arena, sizeof *map);
  expr_vec_t list = {0};
  if (!declarations(&a, &map->num_dims, &map->num_syms) || !stp_p_expect_arrow(p) ||
      !stp_p_expect(p, '(') || !expression_list(&a, ')', &list)) {
    return false;
  }
  map->num_results = list.count;
  map->results = list.data;
  *result = map;
  return true;
}

bool stp_p_affine_set_body(stp_parser_t *p, const stp_affine_set_t **result) {
  affine_parser_t a = {.p = p};
  stp_affine_set_t *set = stp_arena_alloc(p->arena, sizeof *set);
  expr_vec_t list = {0};
  STP_VEC(bool) eq = {0};
  if (!declarations(&a, &set->num_dims, &set->num_syms) || !stp_p_expect(p, ':') ||
      !stp_p_expect(p, '(')) {
    return false;
  }
  while (!stp_p_is(p, ')')) {
    const stp_affine_expr_t *lhs = NULL;
    const stp_affine_expr_t *rhs = NULL;
    if (!expression(&a, &lhs)) {
      return false;
    }
    stp_tok_t op = p->tok;
    if (op.kind != TOK_GE && op.kind != TOK_LE && op.kind != TOK_EQEQ) {
      return stp_p_expected(p, "'>=', '<=' or '=='");
    }
    stp_p_next(p);
    if (!expression(&a, &rhs)) {
      return false;
    }
    const stp_affine_expr_t *minus = stp_affine_const(p->arena, -1);
    if (op.kind == TOK_LE) {
      const stp_affine_expr_t *swap = lhs;
      lhs = rhs;
      rhs = swap;
    }
    if (!build(&a, op.loc, STP_AFFINE_MUL, rhs, minus, &rhs) ||
        !build(&a, op.loc, STP_AFFINE_ADD, lhs, rhs, &lhs)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &list, lhs);
    STP_VEC_PUSH(p->arena, &eq, op.kind == TOK_EQEQ);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  set->num_constraints = list.count;
  set->constraints = list.data;
  set->eq = eq.data;
  *result = set;
  return stp_p_expect(p, ')');
}

bool stp_p_affine_of_values(stp_parser_t *p, char open, char close, const stp_affine_map_t **map,
                            stp_ref_vec_t *dims, stp_ref_vec_t *syms) {
  affine_parser_t a = {.p = p, .of_values = true, .dims = dims, .syms = syms};
  expr_vec_t list = {0};
  if (open == 0) {
    const stp_affine_expr_t *e = NULL;
    if (!expression(&a, &e)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &list, e);
  } else if (!stp_p_expect(p, open) || !expression_list(&a, close, &list)) {
    return false;
  }
  stp_affine_map_t *result = stp_arena_alloc(p->arena, sizeof *result);
  result->num_dims = dims->count;
  result->num_syms = syms->count;
  result->num_results = list.count;
  result->results = list.data;
  *map = result;
  return true;
}
