/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "internal.h"

/* ---- aliases ----------------------------------------------------------------------------- */

static unsigned alias_bucket(const char *name, size_t len) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < len; i++) {
    hash = (hash ^ (uint8_t)name[i]) * 16777619u;
  }
  return hash % STP_ALIAS_BUCKETS;
}

const stp_alias_t *stp_p_find_alias(const stp_parser_t *p, const char *name, size_t len) {
  for (const stp_alias_t *a = p->aliases[alias_bucket(name, len)]; a != NULL; a = a->next) {
    if (a->len == len && memcmp(a->name, name, len) == 0) {
      return a;
    }
  }
  return NULL;
}

void stp_p_define_alias(stp_parser_t *p, const char *name, size_t len, const stp_ir_attr_t *attr,
                        const stp_ir_type_t *type) {
  stp_alias_t *a = stp_arena_alloc(p->arena, sizeof *a);
  stp_alias_t **bucket = &p->aliases[alias_bucket(name, len)];
  *a = (stp_alias_t){name, len, attr, type, *bucket};
  *bucket = a;
}

/* ---- making attributes ------------------------------------------------------------------- */

static stp_ir_attr_t *new_attr(stp_parser_t *p, stp_loc_t loc, stp_ir_attr_kind_t kind) {
  stp_ir_attr_t *attr = stp_arena_alloc(p->arena, sizeof *attr);
  attr->kind = kind;
  attr->loc = loc;
  return attr;
}

const stp_ir_attr_t *stp_attr_ints(stp_parser_t *p, stp_loc_t loc, const int64_t *ints, int count) {
  stp_ir_attr_t *attr = new_attr(p, loc, STP_ATTR_INTS);
  attr->ints = stp_arena_copy(p->arena, ints, (size_t)count * sizeof *ints);
  attr->count = count;
  return attr;
}

const stp_ir_attr_t *stp_attr_int(stp_parser_t *p, stp_loc_t loc, int64_t value) {
  stp_ir_attr_t *attr = new_attr(p, loc, STP_ATTR_INT);
  attr->i = value;
  return attr;
}

const stp_ir_attr_t *stp_attr_bool(stp_parser_t *p, stp_loc_t loc, bool value) {
  stp_ir_attr_t *attr = new_attr(p, loc, STP_ATTR_BOOL);
  attr->i = value;
  return attr;
}

const stp_ir_attr_t *stp_attr_array(stp_parser_t *p, stp_loc_t loc,
                                    const stp_ir_attr_t *const *items, int count) {
  stp_ir_attr_t *attr = new_attr(p, loc, STP_ATTR_ARRAY);
  attr->items = items;
  attr->count = count;
  return attr;
}

const stp_ir_attr_t *stp_attr_map(stp_parser_t *p, stp_loc_t loc, const stp_affine_map_t *map) {
  stp_ir_attr_t *attr = new_attr(p, loc, STP_ATTR_MAP);
  attr->map = map;
  return attr;
}

/* ---- dense constants --------------------------------------------------------------------- */

/* The bits of one number as an element of a type. */
static bool number_bits(stp_parser_t *p, stp_loc_t loc, stp_ir_elem_t elem, const stp_ir_attr_t *n,
                        uint64_t *bits) {
  const char *name = stp_ir_elem_name(elem);
  int width = stp_ir_elem_bits(elem);
  if (stp_ir_elem_is_float(elem)) {
    if (n->kind == STP_ATTR_FLOAT) {
      *bits = stp_float_to_bits(elem, n->f);
      return true;
    }
    if (n->kind == STP_ATTR_INT && n->hex) {
      if (width < 64 && (uint64_t)n->i >> width != 0) {
        return stp_p_error(p, loc, "hexadecimal constant does not fit in '%s'", name);
      }
      *bits = (uint64_t)n->i;
      return true;
    }
    return stp_p_error(p, loc, "expected a floating-point number for type '%s'", name);
  }
  if (elem == STP_ELEM_I1 && n->kind == STP_ATTR_BOOL) {
    *bits = (uint64_t)n->i;
    return true;
  }
  if (n->kind != STP_ATTR_INT) {
    return stp_p_error(p, loc, "expected an integer for type '%s'", name);
  }
  if (width < 64 && (n->i < -((int64_t)1 << (width - 1)) || n->i >= (int64_t)1 << width)) {
    return stp_p_error(p, loc, "integer constant %lld does not fit in '%s'", (long long)n->i, name);
  }
  if (elem == STP_ELEM_I1) {
    *bits = n->i != 0;
  } else {
    *bits = (uint64_t)n->i << (64 - width);
    *bits = (uint64_t)((int64_t)*bits >> (64 - width));
  }
  return true;
}

bool stp_attr_to_dense(stp_parser_t *p, const stp_ir_attr_t *attr, const stp_ir_type_t *type,
                       const stp_ir_dense_t **result) {
  if (attr->kind == STP_ATTR_DENSE) {
    if (attr->dense->type != type) {
      return stp_p_error(p, attr->loc, "constant of type '%s' where '%s' is expected",
                         stp_ir_type_text(p->arena, attr->dense->type),
                         stp_ir_type_text(p->arena, type));
    }
    *result = attr->dense;
    return true;
  }
  if (type->kind != STP_TYPE_SCALAR) {
    return stp_p_error(p, attr->loc, "expected dense<...> for type '%s'",
                       stp_ir_type_text(p->arena, type));
  }
  stp_ir_dense_t *dense = stp_arena_alloc(p->arena, sizeof *dense);
  uint64_t *bits = stp_arena_alloc(p->arena, sizeof *bits);
  if (!number_bits(p, attr->loc, type->elem, attr, bits)) {
    return false;
  }
  dense->type = type;
  dense->splat = true;
  dense->count = 1;
  dense->bits = bits;
  *result = dense;
  return true;
}

/* -?number, true or false, without a type. */
static bool number(stp_parser_t *p, stp_ir_attr_t *attr) {
  attr->loc = p->tok.loc;
  if (stp_p_is_word(p, "true") || stp_p_is_word(p, "false")) {
    attr->kind = STP_ATTR_BOOL;
    attr->i = stp_p_is_word(p, "true");
    stp_p_next(p);
    return true;
  }
  bool minus = false;
  if (stp_p_is(p, '-')) {
    /* Look ahead for a float: integers take care of their own sign. */
    stp_lexer_t lex = p->lex;
    stp_tok_t tok = p->tok;
    stp_p_next(p);
    minus = p->tok.kind == TOK_FLOAT;
    if (!minus) {
      p->lex = lex;
      p->tok = tok;
    }
  }
  if (p->tok.kind == TOK_FLOAT) {
    char buffer[400];
    if (p->tok.len >= sizeof buffer) {
      return stp_p_error(p, p->tok.loc, "this number is too long");
    }
    memcpy(buffer, p->tok.text, p->tok.len);
    buffer[p->tok.len] = 0;
    attr->kind = STP_ATTR_FLOAT;
    attr->f = strtod(buffer, NULL);
    attr->f = minus ? -attr->f : attr->f;
    stp_p_next(p);
    return true;
  }
  attr->kind = STP_ATTR_INT;
  return stp_p_integer(p, &attr->i, &attr->hex);
}

typedef STP_VEC(stp_ir_attr_t) number_vec_t;

/* Nested lists of numbers; dims[] is what the nesting says (-1: not seen yet). */
static bool dense_list(stp_parser_t *p, int depth, int64_t *dims, int *rank, number_vec_t *list) {
  if (depth == STP_IR_MAX_RANK) {
    return stp_p_error(p, p->tok.loc, "dense<> nested more than %d deep", STP_IR_MAX_RANK);
  }
  stp_loc_t loc = p->tok.loc;
  stp_p_next(p); /* [ */
  int64_t n = 0;
  while (!stp_p_is(p, ']')) {
    if (stp_p_is(p, '[')) {
      if (*rank == depth + 1 && list->count > 0) {
        return stp_p_error(p, p->tok.loc, "dense<> mixes numbers and lists");
      }
      if (!dense_list(p, depth + 1, dims, rank, list)) {
        return false;
      }
    } else {
      if (*rank < 0) {
        *rank = depth + 1;
      }
      stp_ir_attr_t item = {0};
      if (*rank != depth + 1) {
        return stp_p_error(p, p->tok.loc, "dense<> mixes numbers and lists");
      }
      if (!number(p, &item)) {
        return false;
      }
      STP_VEC_PUSH(p->arena, list, item);
    }
    n++;
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  if (!stp_p_expect(p, ']')) {
    return false;
  }
  if (dims[depth] >= 0 && dims[depth] != n) {
    return stp_p_error(p, loc, "this list has %lld entries, but the one before has %lld",
                       (long long)n, (long long)dims[depth]);
  }
  dims[depth] = n;
  if (*rank < depth + 1) {
    *rank = depth + 1;
  }
  return true;
}

/* dense<...> : tensor<...> */
static bool dense(stp_parser_t *p, stp_ir_attr_t *attr) {
  int64_t dims[STP_IR_MAX_RANK];
  int rank = -1;
  number_vec_t list = {0};
  for (int i = 0; i < STP_IR_MAX_RANK; i++) {
    dims[i] = -1;
  }
  stp_p_next(p);
  if (!stp_p_expect(p, '<')) {
    return false;
  }
  bool splat = !stp_p_is(p, '[') && !stp_p_is(p, '>');
  if (p->tok.kind == TOK_STRING) {
    return stp_p_error(p, p->tok.loc, "hexadecimal strings in dense<> are not supported");
  }
  if (splat) {
    stp_ir_attr_t item = {0};
    if (!number(p, &item)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &list, item);
  } else if (stp_p_is(p, '[') && !dense_list(p, 0, dims, &rank, &list)) {
    return false;
  }
  const stp_ir_type_t *type;
  if (!stp_p_expect(p, '>') || !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t type_loc = p->tok.loc;
  if (!stp_p_type(p, &type)) {
    return false;
  }
  int64_t count = stp_ir_type_count(type);
  if (type->kind != STP_TYPE_TENSOR || count < 0) {
    return stp_p_error(p, type_loc, "dense<> needs a tensor type of static shape");
  }
  if (!splat && list.count > 0) {
    bool same = rank == type->rank;
    for (int i = 0; same && i < rank; i++) {
      same = dims[i] == type->dims[i];
    }
    if (!same) {
      return stp_p_error(p, attr->loc, "the lists in dense<> do not have the shape of '%s'",
                         stp_ir_type_text(p->arena, type));
    }
  } else if (!splat && count != 0) {
    return stp_p_error(p, attr->loc, "dense<> has no elements for '%s'",
                       stp_ir_type_text(p->arena, type));
  }
  stp_ir_dense_t *d = stp_arena_alloc(p->arena, sizeof *d);
  uint64_t *bits = stp_arena_array(p->arena, (size_t)list.count, sizeof *bits);
  for (int i = 0; i < list.count; i++) {
    if (!number_bits(p, list.data[i].loc, type->elem, &list.data[i], &bits[i])) {
      return false;
    }
  }
  d->type = type;
  d->splat = splat;
  d->count = list.count;
  d->bits = bits;
  attr->kind = STP_ATTR_DENSE;
  attr->dense = d;
  return true;
}

/* ---- memory spaces and other dialect attributes ------------------------------------------- */

/* <HBM>, <LX, core = 3>, <global>, <ct_local, ct_id = 3> */
static bool memory_space(stp_parser_t *p, bool spyre, stp_ir_attr_t *attr) {
  stp_ir_space_t *space = stp_arena_alloc(p->arena, sizeof *space);
  const char *local = spyre ? "LX" : "ct_local";
  const char *global = spyre ? "HBM" : "global";
  const char *key = spyre ? "core" : "ct_id";
  stp_loc_t loc = p->tok.loc;
  space->tile = -1;
  if (!stp_p_expect(p, '<')) {
    return false;
  }
  stp_tok_t name = p->tok;
  if (stp_p_is_word(p, "L0") || stp_p_is_word(p, "unspecified")) {
    return stp_p_error(p, name.loc, "memory space '%.*s' is not supported; expected '%s' or '%s'",
                       (int)name.len, name.text, global, local);
  }
  if (stp_p_take_word(p, local)) {
    space->kind = STP_SPACE_CT_LOCAL;
  } else if (stp_p_take_word(p, global)) {
    space->kind = STP_SPACE_GLOBAL;
  } else {
    return stp_p_expected(p, stp_arena_printf(p->arena, "'%s' or '%s'", global, local));
  }
  if (stp_p_take(p, ',')) {
    if (!stp_p_expect_word(p, key) || !stp_p_expect(p, '=')) {
      return false;
    }
    stp_loc_t value_loc = p->tok.loc;
    if (!stp_p_integer(p, &space->tile, NULL)) {
      return false;
    }
    if (space->kind == STP_SPACE_GLOBAL) {
      return stp_p_error(p, loc, "'%s' is only valid for '%s', but the memory space is '%s'", key,
                         local, global);
    }
    if (space->tile < 0) {
      return stp_p_error(p, value_loc, "'%s' must not be negative, but is %lld", key,
                         (long long)space->tile);
    }
  }
  attr->kind = STP_ATTR_SPACE;
  attr->space = space;
  return stp_p_expect(p, '>');
}

/* Dialects whose attributes this reader knows; any other prefix is foreign. */
static bool is_own_dialect(const char *name, size_t len) {
  static const char *const own[] = {"ktdp", "arith", "linalg", "scf",     "tensor",
                                    "math", "func",  "memref", "builtin", "steeple"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    size_t n = strlen(own[i]);
    if (len > n && name[n] == '.' && memcmp(name, own[i], n) == 0) {
      return true;
    }
  }
  return false;
}

static bool word_is(const stp_tok_t *tok, const char *word) {
  return tok->len == strlen(word) && memcmp(tok->text, word, tok->len) == 0;
}

static bool hash_attr(stp_parser_t *p, stp_ir_attr_t *attr, const stp_ir_attr_t **result) {
  stp_tok_t name = p->tok;
  stp_p_next(p);
  const stp_alias_t *alias = stp_p_find_alias(p, name.text, name.len);
  if (alias != NULL) {
    if (alias->attr == NULL) {
      return false; /* the error is at its definition */
    }
    stp_ir_attr_t *copy = stp_arena_copy(p->arena, alias->attr, sizeof *copy);
    copy->loc = name.loc; /* errors about the value point at its use */
    *result = copy;
    return true;
  }
  if (word_is(&name, "#ktdp.spyre_memory_space")) {
    return memory_space(p, true, attr);
  }
  if (word_is(&name, "#ktdp.memory_space")) {
    return memory_space(p, false, attr);
  }
  if (word_is(&name, "#linalg.iterator_type") || word_is(&name, "#arith.fastmath") ||
      word_is(&name, "#arith.overflow") || word_is(&name, "#linalg.binary_fn") ||
      word_is(&name, "#linalg.unary_fn") || word_is(&name, "#linalg.type_fn")) {
    attr->kind = STP_ATTR_KEYWORD;
    attr->mnemonic = stp_arena_strndup(p->arena, name.text + 1, name.len - 1);
    if (!stp_p_expect(p, '<')) {
      return false;
    }
    const char *text = "";
    do { /* fastmath<nnan,ninf> */
      if (p->tok.kind != TOK_ID) {
        return stp_p_expected(p, "a keyword");
      }
      text = stp_arena_printf(p->arena, "%s%s%.*s", text, *text != 0 ? "," : "", (int)p->tok.len,
                              p->tok.text);
      stp_p_next(p);
    } while (stp_p_take(p, ','));
    attr->str = text;
    return stp_p_expect(p, '>');
  }
  if (memchr(name.text, '.', name.len) == NULL) {
    return stp_p_error(p, name.loc, "undefined attribute alias '%.*s'", (int)name.len, name.text);
  }
  if (is_own_dialect(name.text + 1, name.len - 1)) {
    return stp_p_error(p, name.loc, "unknown attribute '%.*s'", (int)name.len, name.text);
  }
  attr->kind = STP_ATTR_OPAQUE;
  return !stp_p_is(p, '<') || stp_p_skip_balanced(p);
}

/* ---- attributes -------------------------------------------------------------------------- */

static bool optional_type(stp_parser_t *p, stp_ir_attr_t *attr) {
  return !stp_p_take(p, ':') || stp_p_type(p, &attr->type);
}

typedef STP_VEC(const stp_ir_attr_t *) item_vec_t;

static bool array(stp_parser_t *p, stp_ir_attr_t *attr) {
  item_vec_t items = {0};
  stp_p_next(p);
  while (!stp_p_is(p, ']')) {
    const stp_ir_attr_t *item;
    if (!stp_p_attr(p, &item)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &items, item);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  attr->kind = STP_ATTR_ARRAY;
  attr->count = items.count;
  attr->items = items.data;
  return stp_p_expect(p, ']');
}

/* array<i64: 1, 2> */
static bool dense_array(stp_parser_t *p, stp_ir_attr_t *attr) {
  STP_VEC(int64_t) ints = {0};
  const stp_ir_type_t *type;
  stp_p_next(p);
  if (!stp_p_expect(p, '<')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_type(p, &type)) {
    return false;
  }
  if (type->kind != STP_TYPE_SCALAR || !stp_ir_elem_is_int(type->elem)) {
    return stp_p_error(p, loc, "expected an integer type in array<>");
  }
  if (stp_p_take(p, ':')) {
    while (!stp_p_is(p, '>')) {
      int64_t value;
      if (stp_p_is_word(p, "true") || stp_p_is_word(p, "false")) {
        value = stp_p_is_word(p, "true");
        stp_p_next(p);
      } else if (!stp_p_integer(p, &value, NULL)) {
        return false;
      }
      STP_VEC_PUSH(p->arena, &ints, value);
      if (!stp_p_take(p, ',')) {
        break;
      }
    }
  }
  attr->kind = STP_ATTR_INTS;
  attr->count = ints.count;
  attr->ints = ints.data;
  return stp_p_expect(p, '>');
}

static bool dictionary(stp_parser_t *p, stp_ir_attr_t *attr) {
  stp_attr_vec_t entries = {0};
  if (!stp_p_attr_dict(p, &entries)) {
    return false;
  }
  item_vec_t items = {0};
  STP_VEC(const char *) keys = {0};
  for (int i = 0; i < entries.count; i++) {
    STP_VEC_PUSH(p->arena, &items, entries.data[i].value);
    STP_VEC_PUSH(p->arena, &keys, entries.data[i].name);
  }
  attr->kind = STP_ATTR_DICT;
  attr->count = items.count;
  attr->items = items.data;
  attr->keys = keys.data;
  return true;
}

static bool word_attr(stp_parser_t *p, stp_ir_attr_t *attr) {
  if (stp_p_take_word(p, "affine_map")) {
    attr->kind = STP_ATTR_MAP;
    return stp_p_expect(p, '<') && stp_p_affine_map_body(p, &attr->map) && stp_p_expect(p, '>');
  }
  if (stp_p_take_word(p, "affine_set")) {
    attr->kind = STP_ATTR_SET;
    return stp_p_expect(p, '<') && stp_p_affine_set_body(p, &attr->set) && stp_p_expect(p, '>');
  }
  if (stp_p_is_word(p, "dense")) {
    return dense(p, attr);
  }
  if (stp_p_is_word(p, "array")) {
    return dense_array(p, attr);
  }
  if (stp_p_take_word(p, "unit")) {
    attr->kind = STP_ATTR_UNIT;
    return true;
  }
  if (stp_p_is_word(p, "loc")) {
    attr->kind = STP_ATTR_OPAQUE;
    return stp_p_skip_location(p);
  }
  if (stp_p_is_word(p, "dense_resource") || stp_p_is_word(p, "sparse") ||
      stp_p_is_word(p, "distinct") || stp_p_is_word(p, "opaque") || stp_p_is_word(p, "strided")) {
    return stp_p_error(p, p->tok.loc, "'%.*s' attributes are not supported", (int)p->tok.len,
                       p->tok.text);
  }
  return stp_p_expected(p, "an attribute value");
}

static bool attr_value(stp_parser_t *p, stp_ir_attr_t *attr, const stp_ir_attr_t **result) {
  switch (p->tok.kind) {
  case TOK_HASH:
    return hash_attr(p, attr, result);
  case TOK_STRING:
    attr->kind = STP_ATTR_STRING;
    return stp_p_string(p, &attr->str) && optional_type(p, attr);
  case TOK_AT:
    attr->kind = STP_ATTR_SYMBOL;
    attr->str = stp_arena_strndup(p->arena, p->tok.text + 1, p->tok.len - 1);
    stp_p_next(p);
    return true;
  case TOK_INT:
  case TOK_FLOAT:
    return number(p, attr) && optional_type(p, attr);
  case TOK_ID:
    if (stp_p_is_word(p, "true") || stp_p_is_word(p, "false")) {
      return number(p, attr);
    }
    break;
  default:
    if (stp_p_is(p, '-')) {
      return number(p, attr) && optional_type(p, attr);
    }
    if (stp_p_is(p, '[')) {
      return array(p, attr);
    }
    if (stp_p_is(p, '{')) {
      return dictionary(p, attr);
    }
    if (stp_p_is(p, '(')) { /* a function type, as in the generic form of func.func */
      stp_type_vec_t types = {0};
      attr->kind = STP_ATTR_FUNC_TYPE;
      if (!stp_p_paren_types(p, &types)) {
        return false;
      }
      attr->num_inputs = types.count;
      if (!stp_p_result_types(p, &types)) {
        return false;
      }
      attr->count = types.count;
      attr->types = types.data;
      return true;
    }
    break;
  }
  if (stp_p_is_type(p)) {
    attr->kind = STP_ATTR_TYPE;
    return stp_p_type(p, &attr->type);
  }
  if (p->tok.kind == TOK_ID) {
    return word_attr(p, attr);
  }
  return stp_p_expected(p, "an attribute value");
}

bool stp_p_attr(stp_parser_t *p, const stp_ir_attr_t **result) {
  if (!stp_p_enter(p)) {
    return false;
  }
  stp_ir_attr_t *attr = new_attr(p, p->tok.loc, STP_ATTR_UNIT);
  *result = attr;
  bool ok = attr_value(p, attr, result);
  stp_p_leave(p);
  return ok;
}

bool stp_p_attr_dict(stp_parser_t *p, stp_attr_vec_t *attrs) {
  if (!stp_p_expect(p, '{')) {
    return false;
  }
  while (!stp_p_is(p, '}')) {
    stp_ir_named_attr_t entry = {.loc = p->tok.loc};
    if (p->tok.kind == TOK_STRING) {
      if (!stp_p_string(p, &entry.name)) {
        return false;
      }
    } else if (p->tok.kind == TOK_ID) {
      entry.name = stp_p_text(p, &p->tok);
      stp_p_next(p);
    } else {
      return stp_p_expected(p, "the name of an attribute");
    }
    if (attrs->count == 64) {
      return stp_p_error(p, entry.loc, "more than 64 attributes");
    }
    for (int i = 0; i < attrs->count; i++) {
      if (strcmp(attrs->data[i].name, entry.name) == 0) {
        return stp_p_error(p, entry.loc, "attribute '%s' is given twice", entry.name);
      }
    }
    if (stp_p_take(p, '=')) {
      if (!stp_p_attr(p, &entry.value)) {
        return false;
      }
    } else {
      entry.value = new_attr(p, entry.loc, STP_ATTR_UNIT);
    }
    STP_VEC_PUSH(p->arena, attrs, entry);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  return stp_p_expect(p, '}');
}

bool stp_p_optional_attr_dict(stp_parser_t *p, stp_attr_vec_t *attrs) {
  return !stp_p_is(p, '{') || stp_p_attr_dict(p, attrs);
}

bool stp_p_skip_location(stp_parser_t *p) {
  if (!stp_p_is_word(p, "loc")) {
    return true;
  }
  stp_p_next(p);
  return stp_p_is(p, '(') ? stp_p_skip_balanced(p) : stp_p_expected(p, "'('");
}
