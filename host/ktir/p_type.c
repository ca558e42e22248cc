/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "internal.h"

bool stp_p_is_type(const stp_parser_t *p) {
  const stp_tok_t *t = &p->tok;
  if (t->kind == TOK_BANG) {
    return true;
  }
  if (t->kind != TOK_ID) {
    return stp_p_is(p, '(');
  }
  static const char *const words[] = {"tensor", "memref", "index",  "vector",  "none", "complex",
                                      "tuple",  "bf16",   "f16",    "f32",     "f64",  "tf32",
                                      "f80",    "f128",   "f8E5M2", "f8E4M3FN"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (stp_p_is_word(p, words[i])) {
      return true;
    }
  }
  size_t i = t->text[0] == 's' || t->text[0] == 'u' ? 1 : 0; /* si8, ui8 */
  if (t->len <= i + 1 || t->text[i] != 'i') {
    return false;
  }
  for (i++; i < t->len; i++) {
    if (!isdigit((unsigned char)t->text[i])) {
      return false;
    }
  }
  return true;
}

static bool scalar(stp_parser_t *p, const stp_ir_type_t **type) {
  if (p->tok.kind != TOK_ID) {
    return stp_p_expected(p, "a type");
  }
  stp_ir_elem_t elem = stp_elem_from_name(p->tok.text, p->tok.len);
  if (elem == STP_ELEM_NONE) {
    if (!stp_p_is_type(p)) {
      return stp_p_expected(p, "a type");
    }
    return stp_p_error(p, p->tok.loc,
                       "type '%.*s' is not supported; the element types are i1, i8, i16, i32, i64, "
                       "index, f16, bf16, f32, f8E4M3FN and f8E5M2",
                       (int)p->tok.len, p->tok.text);
  }
  *type = stp_type_scalar(p->module, elem);
  stp_p_next(p);
  return true;
}

/* dims: (number | `?`) `x` ... up to the element type */
static bool dimension_list(stp_parser_t *p, int *rank, int64_t *dims) {
  *rank = 0;
  while (p->tok.kind == TOK_INT || stp_p_is(p, '?')) {
    stp_loc_t loc = p->tok.loc;
    int64_t size = STP_IR_DYNAMIC;
    if (p->tok.kind == TOK_INT) {
      /* "0x8xf16" reads as a hexadecimal number: take the decimal digits only. */
      size = 0;
      const char *q = p->tok.text;
      const char *end = p->tok.text + p->tok.len;
      for (; q < end && isdigit((unsigned char)*q); q++) {
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, *q - '0', &size)) {
          return stp_p_error(p, loc, "dimension does not fit in 64 bits");
        }
      }
      stp_p_reset_to(p, q);
    } else {
      stp_p_next(p);
    }
    if (*rank == STP_IR_MAX_RANK) {
      return stp_p_error(p, loc, "more than %d dimensions are not supported", STP_IR_MAX_RANK);
    }
    dims[(*rank)++] = size;
    if (p->tok.kind != TOK_ID || p->tok.text[0] != 'x') {
      return stp_p_expected(p, "'x' in the dimension list");
    }
    stp_p_reset_to(p, p->tok.text + 1);
  }
  return true;
}

static bool check_count(stp_parser_t *p, stp_loc_t loc, const stp_ir_type_t *type) {
  int64_t bytes = 16; /* of the widest element, with room to multiply */
  for (int i = 0; i < type->rank; i++) {
    if (type->dims[i] != STP_IR_DYNAMIC && type->dims[i] != 0 &&
        __builtin_mul_overflow(bytes, type->dims[i], &bytes)) {
      return stp_p_error(p, loc, "this shape has more elements than 64 bits can count");
    }
  }
  return true;
}

/* strided<[64, 1], offset: ?> */
static bool strided_layout(stp_parser_t *p, int rank, int64_t *strides, int64_t *offset) {
  stp_loc_t loc = p->tok.loc;
  stp_p_next(p);
  int n = 0;
  *offset = 0;
  if (!stp_p_expect(p, '<') || !stp_p_expect(p, '[')) {
    return false;
  }
  while (!stp_p_is(p, ']')) {
    if (n == STP_IR_MAX_RANK) {
      return stp_p_error(p, loc, "more than %d strides", STP_IR_MAX_RANK);
    }
    strides[n] = STP_IR_DYNAMIC;
    if (!stp_p_take(p, '?') && !stp_p_integer(p, &strides[n], NULL)) {
      return false;
    }
    n++;
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  if (!stp_p_expect(p, ']')) {
    return false;
  }
  if (stp_p_take(p, ',')) {
    *offset = STP_IR_DYNAMIC;
    if (!stp_p_expect_word(p, "offset") || !stp_p_expect(p, ':') ||
        (!stp_p_take(p, '?') && !stp_p_integer(p, offset, NULL))) {
      return false;
    }
  }
  if (n != rank) {
    return stp_p_error(p, loc, "%d strides for %d dimensions", n, rank);
  }
  return stp_p_expect(p, '>');
}

static bool memref_tail(stp_parser_t *p, stp_ir_type_t *type, int64_t *strides) {
  while (stp_p_take(p, ',')) {
    if (stp_p_is_word(p, "strided")) {
      if (type->strides != NULL || type->space != NULL) {
        return stp_p_error(p, p->tok.loc, "the layout comes once, before the memory space");
      }
      if (!strided_layout(p, type->rank, strides, &type->offset)) {
        return false;
      }
      type->strides = strides;
      continue;
    }
    const stp_ir_attr_t *attr;
    if (!stp_p_attr(p, &attr)) {
      return false;
    }
    if (attr->kind == STP_ATTR_SPACE && type->space == NULL) {
      type->space = attr->space;
    } else if (attr->kind == STP_ATTR_MAP && type->space == NULL) {
      if (attr->map->num_dims != type->rank || !stp_affine_map_is_identity(attr->map)) {
        return stp_p_error(p, attr->loc,
                           "a memref layout must be strided<...> or the identity map");
      }
    } else {
      return stp_p_error(p, attr->loc,
                         "expected strided<...> or one memory space such as "
                         "#ktdp.spyre_memory_space<HBM>");
    }
  }
  return true;
}

static bool shaped(stp_parser_t *p, stp_ir_type_kind_t kind, const stp_ir_type_t **result) {
  int64_t dims[STP_IR_MAX_RANK];
  int64_t strides[STP_IR_MAX_RANK];
  stp_ir_type_t type = {.kind = kind, .dims = dims};
  stp_loc_t loc = p->tok.loc;
  if (!stp_p_expect(p, '<')) {
    return false;
  }
  if (stp_p_is(p, '*')) {
    return stp_p_error(p, p->tok.loc, "unranked types are not supported");
  }
  if (!dimension_list(p, &type.rank, dims)) {
    return false;
  }
  stp_loc_t elem_loc = p->tok.loc;
  const stp_ir_type_t *elem = NULL;
  if (!scalar(p, &elem) || elem == NULL) {
    return false;
  }
  type.elem = elem->elem;
  if (kind == STP_TYPE_ACCESS_TILE && type.elem != STP_ELEM_INDEX) {
    return stp_p_error(p, elem_loc, "tile element type must be 'index', but got: '%s'",
                       stp_ir_elem_name(type.elem));
  }
  if (kind == STP_TYPE_MEMREF && !memref_tail(p, &type, strides)) {
    return false;
  }
  if (kind == STP_TYPE_TENSOR && stp_p_is(p, ',')) {
    return stp_p_error(p, p->tok.loc, "tensor encodings are not supported");
  }
  if (!stp_p_expect(p, '>') || !check_count(p, loc, &type)) {
    return false;
  }
  *result = stp_type_unique(p->module, &type);
  return true;
}

/* <(T, T), groups = set> or <T, groups = set> */
static bool tile_future(stp_parser_t *p, const stp_ir_type_t **result) {
  stp_type_vec_t members = {0};
  if (!stp_p_expect(p, '<')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  if (stp_p_is(p, '(')) {
    if (!stp_p_paren_types(p, &members)) {
      return false;
    }
  } else {
    const stp_ir_type_t *type = NULL;
    if (!stp_p_type(p, &type)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, &members, type);
  }
  for (int i = 0; i < members.count; i++) {
    if (members.data[i]->kind != STP_TYPE_TENSOR) {
      return stp_p_error(p, loc, "the members of a tile_future must be tensors");
    }
  }
  if (members.count == 0) {
    return stp_p_error(p, loc, "a tile_future has at least one member");
  }
  const stp_ir_attr_t *groups;
  if (!stp_p_expect(p, ',') || !stp_p_expect_word(p, "groups") || !stp_p_expect(p, '=') ||
      !stp_p_attr(p, &groups)) {
    return false;
  }
  if (groups->kind != STP_ATTR_SET || groups->set->num_dims != 1 || groups->set->num_syms != 0) {
    return stp_p_error(p, groups->loc, "groups must be an affine set of one dim and no symbols");
  }
  stp_ir_type_t type = {.kind = STP_TYPE_TILE_FUTURE,
                        .num_members = members.count,
                        .members = members.data,
                        .groups = groups->set};
  *result = stp_type_unique(p->module, &type);
  return stp_p_expect(p, '>');
}

/* <index, granularity=3, upperbound=300> */
static bool runtime_arg(stp_parser_t *p, const stp_ir_type_t **result) {
  stp_ir_type_t type = {.kind = STP_TYPE_RUNTIME_ARG};
  const stp_ir_type_t *under = NULL;
  if (!stp_p_expect(p, '<') || !scalar(p, &under)) {
    return false;
  }
  type.elem = under->elem;
  while (stp_p_take(p, ',')) {
    bool granularity = stp_p_is_word(p, "granularity");
    if (!granularity && !stp_p_is_word(p, "upperbound")) {
      return stp_p_expected(p, "'granularity' or 'upperbound'");
    }
    const char *word = granularity ? "granularity" : "upperbound";
    int64_t *field = granularity ? &type.granularity : &type.upperbound;
    if (*field != 0) {
      return stp_p_error(p, p->tok.loc, "duplicate '%s'", word);
    }
    stp_p_next(p);
    if (!stp_p_expect(p, '=')) {
      return false;
    }
    stp_loc_t loc = p->tok.loc;
    if (!stp_p_integer(p, field, NULL)) {
      return false;
    }
    if (*field <= 0) {
      return stp_p_error(p, loc, "runtime_arg %s must be positive, but got: %lld", word,
                         (long long)*field);
    }
  }
  *result = stp_type_unique(p->module, &type);
  return stp_p_expect(p, '>');
}

static bool body_of(stp_parser_t *p, stp_ir_type_kind_t kind, const stp_ir_type_t **type) {
  switch (kind) {
  case STP_TYPE_TILE_FUTURE:
    return tile_future(p, type);
  case STP_TYPE_RUNTIME_ARG:
    return runtime_arg(p, type);
  default:
    return shaped(p, kind, type);
  }
}

bool stp_p_type_elided(stp_parser_t *p, stp_ir_type_kind_t kind, const stp_ir_type_t **type) {
  if (!stp_p_is(p, '<')) {
    return stp_p_type(p, type);
  }
  if (!stp_p_enter(p)) {
    return false;
  }
  bool ok = body_of(p, kind, type);
  stp_p_leave(p);
  return ok;
}

static bool dialect_type(stp_parser_t *p, const stp_ir_type_t **type) {
  static const struct {
    const char *name;
    stp_ir_type_kind_t kind;
  } names[] = {{"!ktdp.access_tile", STP_TYPE_ACCESS_TILE},
               {"!ktdp.tile_future", STP_TYPE_TILE_FUTURE},
               {"!ktdp.runtime_arg", STP_TYPE_RUNTIME_ARG}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (p->tok.len == strlen(names[i].name) &&
        memcmp(p->tok.text, names[i].name, p->tok.len) == 0) {
      stp_p_next(p);
      return body_of(p, names[i].kind, type);
    }
  }
  const stp_alias_t *alias = stp_p_find_alias(p, p->tok.text, p->tok.len);
  if (alias == NULL) {
    return memchr(p->tok.text, '.', p->tok.len) != NULL
               ? stp_p_error(p, p->tok.loc,
                             "unknown type '%.*s'; the ktdp types are access_tile, tile_future "
                             "and runtime_arg",
                             (int)p->tok.len, p->tok.text)
               : stp_p_error(p, p->tok.loc, "undefined type alias '%.*s'", (int)p->tok.len,
                             p->tok.text);
  }
  if (alias->type == NULL) {
    return false; /* the error is at its definition */
  }
  *type = alias->type;
  stp_p_next(p);
  return true;
}

bool stp_p_type(stp_parser_t *p, const stp_ir_type_t **type) {
  if (!stp_p_enter(p)) {
    return false;
  }
  bool ok;
  if (p->tok.kind == TOK_BANG) {
    ok = dialect_type(p, type);
  } else if (stp_p_take_word(p, "tensor")) {
    ok = shaped(p, STP_TYPE_TENSOR, type);
  } else if (stp_p_take_word(p, "memref")) {
    ok = shaped(p, STP_TYPE_MEMREF, type);
  } else {
    ok = scalar(p, type);
  }
  stp_p_leave(p);
  return ok;
}

bool stp_p_type_list(stp_parser_t *p, stp_type_vec_t *types) {
  do {
    const stp_ir_type_t *type = NULL;
    if (!stp_p_type(p, &type)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, types, type);
  } while (stp_p_take(p, ','));
  return true;
}

bool stp_p_paren_types(stp_parser_t *p, stp_type_vec_t *types) {
  return stp_p_expect(p, '(') &&
         (stp_p_take(p, ')') || (stp_p_type_list(p, types) && stp_p_expect(p, ')')));
}

bool stp_p_result_types(stp_parser_t *p, stp_type_vec_t *types) {
  if (!stp_p_expect_arrow(p)) {
    return false;
  }
  if (stp_p_is(p, '(')) {
    return stp_p_paren_types(p, types);
  }
  const stp_ir_type_t *type = NULL;
  if (!stp_p_type(p, &type)) {
    return false;
  }
  STP_VEC_PUSH(p->arena, types, type);
  return true;
}
