/* SPDX-License-Identifier: Apache-2.0 */
/* Ops, blocks and names: the custom forms themselves are in syntax_*.c. */
#include "internal.h"

/* ---- the table of ops -------------------------------------------------------------------- */

static const stp_op_info_t op_infos[] = {
    [STP_OP_NONE] = {"?", SYNTAX_NONE, 0, 0, 0, 0, 0},
#define STP_OP(kind, name, syntax, min_ops, max_ops, min_res, max_res, regions)                    \
  [STP_OP_##kind] = {name, SYNTAX_##syntax, min_ops, max_ops, min_res, max_res, regions},
#include "ops.def"
#undef STP_OP
};

const stp_op_info_t *stp_op_info(stp_ir_op_kind_t kind) {
  return &op_infos[kind];
}
const char *stp_ir_op_name(stp_ir_op_kind_t kind) {
  return op_infos[kind].name;
}

stp_ir_op_kind_t stp_op_from_name(const char *name, size_t len) {
  if (len == 6 && memcmp(name, "return", 6) == 0) {
    return STP_OP_FUNC_RETURN;
  }
  for (int k = STP_OP_NONE + 1; k < STP_OP_COUNT; k++) {
    if (strlen(op_infos[k].name) == len && memcmp(op_infos[k].name, name, len) == 0) {
      return (stp_ir_op_kind_t)k;
    }
  }
  return STP_OP_NONE;
}

bool stp_p_op_error(stp_parser_t *p, const stp_op_state_t *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(p->arena, format, args);
  va_end(args);
  return stp_p_error(p, s->loc, "'%s' op %s", s->name, message);
}

/* ---- names ------------------------------------------------------------------------------- */

static unsigned bucket_of(const char *name, size_t len) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < len; i++) {
    hash = (hash ^ (uint8_t)name[i]) * 16777619u;
  }
  return hash % STP_NAME_BUCKETS;
}

static stp_name_t *find_name(const stp_parser_t *p, const char *name, size_t len) {
  for (stp_name_t *n = p->names[bucket_of(name, len)]; n != NULL; n = n->next) {
    if (n->len == len && memcmp(n->name, name, len) == 0) {
      return n;
    }
  }
  return NULL;
}

static stp_forward_t *find_forward(stp_parser_t *p, const char *name, size_t len) {
  for (int i = 0; i < p->forwards.count; i++) {
    stp_forward_t *f = &p->forwards.data[i];
    if (f->len == len && memcmp(f->name, name, len) == 0) {
      return f;
    }
  }
  return NULL;
}

/* Make names visible until their region ends. */
static bool define(stp_parser_t *p, const char *name, size_t len, stp_loc_t loc,
                   stp_ir_value_t **values, int count) {
  stp_name_t *old = find_name(p, name, len);
  if (old != NULL) {
    stp_p_error(p, loc, "redefinition of value '%%%.*s'", (int)len, name);
    stp_diags_add(p->diags, STP_DIAG_NOTE, old->loc, "it is first defined here");
    return false;
  }
  stp_forward_t *forward = find_forward(p, name, len);
  if (forward != NULL && !forward->reported) {
    stp_p_error(p, forward->loc, "value '%%%.*s' is used where its definition does not reach",
                (int)len, name);
    stp_diags_add(p->diags, STP_DIAG_NOTE, loc, "it is defined here");
    forward->reported = true;
  }
  stp_name_t *n = stp_arena_alloc(p->arena, sizeof *n);
  stp_name_t **bucket = &p->names[bucket_of(name, len)];
  *n = (stp_name_t){name, len, values, count, p->level, loc, *bucket};
  *bucket = n;
  STP_VEC_PUSH(p->arena, &p->scope, n);
  return true;
}

/* Forget the names of regions deeper than `level`. Buckets are stacks, as the scope is. */
static void leave_scope(stp_parser_t *p, int level) {
  while (p->scope.count > 0 && p->scope.data[p->scope.count - 1]->level > level) {
    stp_name_t *n = p->scope.data[--p->scope.count];
    p->names[bucket_of(n->name, n->len)] = n->next;
  }
}

static stp_ir_value_t *new_value(stp_parser_t *p, const char *name, const stp_ir_type_t *type,
                                 stp_loc_t loc) {
  stp_ir_value_t *v = stp_arena_alloc(p->arena, sizeof *v);
  v->id = p->func->num_values++;
  v->name = name;
  v->type = type;
  v->loc = loc;
  return v;
}

bool stp_p_ref(stp_parser_t *p, stp_ref_t *ref) {
  if (p->tok.kind != TOK_VALUE) {
    return stp_p_expected(p, "a value such as %x");
  }
  *ref = (stp_ref_t){p->tok.text + 1, p->tok.len - 1, -1, p->tok.loc};
  const char *end = p->tok.text + p->tok.len;
  stp_p_next(p);
  if (p->tok.kind == TOK_HASH && p->tok.text == end) {
    int64_t number = 0;
    for (size_t i = 1; i < p->tok.len; i++) {
      char c = p->tok.text[i];
      if (c < '0' || c > '9' || i > 6) {
        return stp_p_error(p, p->tok.loc, "expected a result number after '#'");
      }
      number = number * 10 + (c - '0');
    }
    ref->number = (int)number;
    stp_p_next(p);
  }
  return true;
}

bool stp_p_ref_list(stp_parser_t *p, stp_ref_vec_t *refs) {
  do {
    stp_ref_t ref;
    if (!stp_p_ref(p, &ref)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, refs, ref);
  } while (stp_p_take(p, ','));
  return true;
}

bool stp_p_operand(stp_parser_t *p, stp_op_state_t *s, const stp_ref_t *ref,
                   const stp_ir_type_t *type) {
  const stp_name_t *n = find_name(p, ref->name, ref->len);
  stp_ir_value_t *value = NULL;
  if (n != NULL) {
    int number = ref->number < 0 ? 0 : ref->number;
    if (number >= n->count) {
      stp_p_error(p, ref->loc, "'%%%.*s' has %d result%s, there is no number %d", (int)ref->len,
                  ref->name, n->count, n->count == 1 ? "" : "s", number);
      stp_diags_add(p->diags, STP_DIAG_NOTE, n->loc, "it is defined here");
      return false;
    }
    value = n->values[number];
  } else {
    if (find_forward(p, ref->name, ref->len) == NULL) {
      stp_forward_t forward = {ref->name, ref->len, ref->loc, p->forwards.count > 100};
      if (forward.reported) {
        return stp_p_error(p, ref->loc, "use of undeclared value '%%%.*s'", (int)ref->len,
                           ref->name);
      }
      STP_VEC_PUSH(p->arena, &p->forwards, forward);
    }
    value = new_value(p, stp_arena_strndup(p->arena, ref->name, ref->len), stp_type_none(p->module),
                      ref->loc);
  }
  if (value->type->kind == STP_TYPE_NONE) {
    s->poisoned = true;
  } else if (type != NULL && value->type != type) {
    stp_p_error(p, ref->loc, "'%s' op operand '%%%.*s' has type '%s', but '%s' is expected here",
                s->name, (int)ref->len, ref->name, stp_ir_type_text(p->arena, value->type),
                stp_ir_type_text(p->arena, type));
    stp_diags_add(p->diags, STP_DIAG_NOTE, value->loc, "it is defined here");
    return false;
  }
  STP_VEC_PUSH(p->arena, &s->operands, value);
  STP_VEC_PUSH(p->arena, &s->operand_locs, ref->loc);
  return true;
}

bool stp_p_operands(stp_parser_t *p, stp_op_state_t *s, const stp_ref_vec_t *refs,
                    const stp_type_vec_t *types, stp_loc_t loc) {
  if (refs->count != types->count) {
    return stp_p_error(p, loc, "'%s' op has %d operand%s here, but %d type%s", s->name, refs->count,
                       refs->count == 1 ? "" : "s", types->count, types->count == 1 ? "" : "s");
  }
  bool ok = true;
  for (int i = 0; i < refs->count; i++) {
    ok = stp_p_operand(p, s, &refs->data[i], types->data[i]) && ok;
  }
  return ok;
}

bool stp_p_operands_index(stp_parser_t *p, stp_op_state_t *s, const stp_ref_vec_t *refs) {
  bool ok = true;
  for (int i = 0; i < refs->count; i++) {
    ok = stp_p_operand(p, s, &refs->data[i], stp_type_scalar(p->module, STP_ELEM_INDEX)) && ok;
  }
  return ok;
}

void stp_p_add_attr(stp_parser_t *p, stp_op_state_t *s, const char *name,
                    const stp_ir_attr_t *value) {
  stp_ir_named_attr_t entry = {name, value->loc, value};
  STP_VEC_PUSH(p->arena, &s->attrs, entry);
}

void stp_p_add_segments(stp_parser_t *p, stp_op_state_t *s, int count, const int64_t *sizes) {
  stp_p_add_attr(p, s, "operandSegmentSizes", stp_attr_ints(p, s->loc, sizes, count));
}

/* ---- blocks ------------------------------------------------------------------------------ */

stp_ir_block_t *stp_p_new_block(stp_parser_t *p, stp_loc_t loc) {
  stp_ir_block_t *block = stp_arena_alloc(p->arena, sizeof *block);
  block->func = p->func;
  block->loc = loc;
  return block;
}

stp_ir_value_t *stp_p_block_arg(stp_parser_t *p, stp_ir_block_t *block, const char *name,
                                const stp_ir_type_t *type, stp_loc_t loc) {
  stp_ir_value_t *v = new_value(p, name, type, loc);
  stp_ir_value_t **args =
      stp_arena_array(p->arena, (size_t)block->num_args + 1, sizeof(stp_ir_value_t *));
  if (block->num_args > 0) {
    memcpy(args, block->args, (size_t)block->num_args * sizeof(void *));
  }
  v->block = block;
  v->index = block->num_args;
  args[block->num_args++] = v;
  block->args = args;
  return v;
}

static bool add_args(stp_parser_t *p, stp_ir_block_t *block, const stp_arg_vec_t *args) {
  bool ok = true;
  for (int i = 0; i < args->count; i++) {
    const stp_ref_t *ref = &args->data[i].ref;
    stp_ir_value_t **slot = stp_arena_alloc(p->arena, sizeof(stp_ir_value_t *));
    *slot = stp_p_block_arg(p, block, stp_arena_strndup(p->arena, ref->name, ref->len),
                            args->data[i].type, ref->loc);
    ok = define(p, ref->name, ref->len, ref->loc, slot, 1) && ok;
  }
  return ok;
}

bool stp_p_args(stp_parser_t *p, stp_arg_vec_t *args) {
  if (!stp_p_expect(p, '(')) {
    return false;
  }
  while (!stp_p_is(p, ')')) {
    stp_arg_t arg;
    stp_attr_vec_t attrs = {0};
    if (args->count == 1000) {
      return stp_p_error(p, p->tok.loc, "more than 1000 arguments");
    }
    if (!stp_p_ref(p, &arg.ref) || !stp_p_expect(p, ':') || !stp_p_type(p, &arg.type)) {
      return false;
    }
    if (stp_p_is(p, '{')) {
      stp_loc_t loc = p->tok.loc;
      if (!stp_p_attr_dict(p, &attrs)) {
        return false;
      }
      for (int i = 0; i < attrs.count; i++) {
        if (strchr(attrs.data[i].name, '.') == NULL) {
          return stp_p_error(p, attrs.data[i].loc, "unknown argument attribute '%s'",
                             attrs.data[i].name);
        }
      }
      if (attrs.count > 0) {
        stp_p_warn(p, loc, "argument attributes are ignored");
      }
    }
    if (!stp_p_skip_location(p)) {
      return false;
    }
    STP_VEC_PUSH(p->arena, args, arg);
    if (!stp_p_take(p, ',')) {
      break;
    }
  }
  return stp_p_expect(p, ')');
}

static bool is_terminator(stp_ir_op_kind_t kind) {
  switch (kind) {
  case STP_OP_FUNC_RETURN:
  case STP_OP_SCF_YIELD:
  case STP_OP_SCF_REDUCE:
  case STP_OP_SCF_REDUCE_RETURN:
  case STP_OP_SCF_FORALL_IN_PARALLEL:
  case STP_OP_LINALG_YIELD:
  case STP_OP_TENSOR_YIELD:
  case STP_OP_KTDP_YIELD_PARTIAL:
  case STP_OP_KTDP_YIELD_REDUCED:
  case STP_OP_KTDP_REGION_TERMINATOR:
    return true;
  default:
    return false;
  }
}

static bool parse_op(stp_parser_t *p, stp_ir_block_t *block);

bool stp_p_looks_like_op(stp_parser_t *p) {
  if (p->tok.kind == TOK_STRING) {
    return true;
  }
  if (p->tok.kind == TOK_ID) {
    /* No clause of a custom form (ins, iter_args, ...) has a dot in its name. */
    return memchr(p->tok.text, '.', p->tok.len) != NULL || stp_p_is_word(p, "return") ||
           stp_p_is_word(p, "module");
  }
  if (p->tok.kind != TOK_VALUE) {
    return false;
  }
  /* %a = ...   %a:2 = ...   %a, %b = ... */
  stp_lexer_t lex = p->lex;
  stp_tok_t tok = p->tok;
  int errors = p->diags->num_errors;
  bool found = false;
  for (int i = 0; i < 64; i++) {
    stp_p_next(p);
    if (stp_p_is(p, '=')) {
      found = true;
      break;
    }
    if (!stp_p_is(p, ',') && !stp_p_is(p, ':') && p->tok.kind != TOK_VALUE &&
        p->tok.kind != TOK_INT) {
      break;
    }
  }
  if (p->diags->num_errors == errors) {
    p->lex = lex;
    p->tok = tok;
  }
  return found;
}

/* After an error in an op that began at brace depth `braces`: go to where the next op may begin,
   or to the brace that closes the block. */
static void recover(stp_parser_t *p, int braces) {
  while (p->tok.kind != TOK_END && !stp_diags_full(p->diags)) {
    if (p->lex.braces < braces) {
      return;
    }
    if (p->lex.braces == braces && p->tok.first && stp_p_looks_like_op(p)) {
      return;
    }
    stp_p_next(p);
  }
}

/* The ops up to `}`. False only where reading must stop. */
static bool block_body(stp_parser_t *p, stp_ir_block_t *block) {
  stp_ir_block_t *outer = p->block;
  p->block = block;
  while (!stp_p_is(p, '}') && p->tok.kind != TOK_END) {
    int braces = p->lex.braces;
    const char *start = p->tok.text;
    if (p->tok.kind == TOK_CARET) {
      stp_p_error(p, p->tok.loc, "a region must have a single block");
      p->func->broken = true;
      while (p->tok.kind != TOK_END && p->lex.braces >= braces && !stp_diags_full(p->diags)) {
        stp_p_next(p);
      }
    } else if (!parse_op(p, block)) {
      p->func->broken = true;
      if (p->tok.text == start) {
        stp_p_next(p);
      }
      recover(p, braces);
    }
    if (stp_diags_full(p->diags)) {
      return false;
    }
  }
  p->block = outer;
  return true;
}

bool stp_p_region(stp_parser_t *p, stp_op_state_t *s, const stp_arg_vec_t *args,
                  stp_ir_op_kind_t terminator) {
  stp_ir_block_t *block = stp_p_new_block(p, p->tok.loc);
  bool ok = stp_p_enter(p) && stp_p_expect(p, '{');
  if (!ok) {
    return false;
  }
  p->level++;
  stp_arg_vec_t label_args = {0};
  if (p->tok.kind == TOK_CARET) {
    if (args != NULL && args->count > 0) {
      ok = stp_p_error(p, p->tok.loc, "the arguments of this block are given already");
    }
    stp_p_next(p);
    if (ok && stp_p_is(p, '(')) {
      ok = stp_p_args(p, &label_args);
    }
    ok = ok && stp_p_expect(p, ':');
    args = &label_args;
  }
  ok = ok && (args == NULL || add_args(p, block, args));
  if (ok && !block_body(p, block)) {
    return false;
  }
  ok = ok && stp_p_expect(p, '}');
  leave_scope(p, p->level - 1);
  p->level--;
  stp_p_leave(p);
  if (!ok) {
    return false;
  }
  if (terminator != STP_OP_NONE && (block->last == NULL || !is_terminator(block->last->kind))) {
    stp_op_state_t yield = {.kind = terminator, .loc = s->loc, .name = stp_ir_op_name(terminator)};
    if (terminator == STP_OP_SCF_FORALL_IN_PARALLEL) {
      STP_VEC_PUSH(p->arena, &yield.regions, stp_p_new_block(p, s->loc));
    }
    if (stp_p_make_op(p, block, &yield) == NULL) {
      return false;
    }
  }
  STP_VEC_PUSH(p->arena, &s->regions, block);
  return true;
}

/* ---- making ops -------------------------------------------------------------------------- */

static bool check_count(stp_parser_t *p, const stp_op_state_t *s, const char *what, int count,
                        int min, int max) {
  if (count < min || (max >= 0 && count > max)) {
    const char *range = min == max ? stp_arena_printf(p->arena, "%d", min)
                        : max < 0  ? stp_arena_printf(p->arena, "at least %d", min)
                                   : stp_arena_printf(p->arena, "%d to %d", min, max);
    return stp_p_op_error(p, s, "expected %s %s%s, got %d", range, what, max == 1 ? "" : "s",
                          count);
  }
  return true;
}

static bool check_counts(stp_parser_t *p, const stp_op_state_t *s) {
  const stp_op_info_t *info = stp_op_info(s->kind);
  if (!check_count(p, s, "operand", s->operands.count, info->min_operands, info->max_operands) ||
      !check_count(p, s, "result", s->results.count, info->min_results, info->max_results)) {
    return false;
  }
  if (info->regions >= 0) {
    int max = info->regions == 0 && STP_OP_IS_LINALG(s->kind) ? 1 : info->regions;
    return check_count(p, s, "region", s->regions.count, info->regions, max);
  }
  return true;
}

stp_ir_op_t *stp_p_make_op(stp_parser_t *p, stp_ir_block_t *block, stp_op_state_t *s) {
  if (!check_counts(p, s)) {
    return NULL;
  }
  if (block->last != NULL && is_terminator(block->last->kind)) {
    stp_p_error(p, s->loc, "'%s' op comes after the end of its block", s->name);
    stp_diags_add(p->diags, STP_DIAG_NOTE, block->last->loc, "the block ends here");
    return NULL;
  }
  stp_ir_op_t *op = stp_arena_alloc(p->arena, sizeof *op);
  op->kind = s->kind;
  op->loc = s->loc;
  op->num_operands = s->operands.count;
  op->operands = s->operands.data;
  op->operand_locs = s->operand_locs.data;
  op->num_regions = s->regions.count;
  op->regions = s->regions.data;
  op->num_attrs = s->attrs.count;
  op->attrs = s->attrs.data;
  op->num_results = s->results.count;
  op->results = stp_arena_array(p->arena, (size_t)op->num_results, sizeof(void *));
  for (int i = 0; i < op->num_results; i++) {
    op->results[i] = new_value(p, "", s->results.data[i], s->loc);
    op->results[i]->def = op;
    op->results[i]->index = i;
  }
  for (int i = 0; i < op->num_regions; i++) {
    if (op->regions[i] != NULL) {
      op->regions[i]->parent = op;
    }
  }
  op->block = block;
  if (!stp_decode_op(p, op, s)) {
    return NULL;
  }
  op->prev = block->last;
  *(block->last != NULL ? &block->last->next : &block->first) = op;
  block->last = op;
  p->func->num_ops++;
  return op;
}

/* ---- the generic form -------------------------------------------------------------------- */

static bool generic_regions(stp_parser_t *p, stp_op_state_t *s) {
  if (!stp_p_take(p, '(')) {
    return true;
  }
  do {
    /* An empty region, `{}`, is an absent one where the op may have none. */
    stp_lexer_t lex = p->lex;
    stp_tok_t tok = p->tok;
    stp_p_next(p);
    bool absent = stp_p_is(p, '}') && s->kind == STP_OP_SCF_IF && s->regions.count == 1;
    if (absent) {
      stp_p_next(p);
      STP_VEC_PUSH(p->arena, &s->regions, NULL);
      continue;
    }
    p->lex = lex;
    p->tok = tok;
    stp_ir_op_kind_t terminator = s->kind == STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE
                                      ? STP_OP_KTDP_REGION_TERMINATOR
                                      : STP_OP_NONE;
    if (!stp_p_region(p, s, NULL, terminator)) {
      return false;
    }
  } while (stp_p_take(p, ','));
  return stp_p_expect(p, ')');
}

static bool generic_form(stp_parser_t *p, stp_op_state_t *s) {
  stp_ref_vec_t refs = {0};
  stp_type_vec_t types = {0};
  if (!stp_p_expect(p, '(') || (!stp_p_is(p, ')') && !stp_p_ref_list(p, &refs)) ||
      !stp_p_expect(p, ')')) {
    return false;
  }
  if (stp_p_is(p, '[')) {
    return stp_p_error(p, p->tok.loc, "successor blocks are not supported");
  }
  if (stp_p_take(p, '<') && !(stp_p_attr_dict(p, &s->attrs) && stp_p_expect(p, '>'))) {
    return false;
  }
  if (!generic_regions(p, s) || !stp_p_optional_attr_dict(p, &s->attrs) || !stp_p_expect(p, ':')) {
    return false;
  }
  stp_loc_t loc = p->tok.loc;
  return stp_p_paren_types(p, &types) && stp_p_result_types(p, &s->results) &&
         stp_p_operands(p, s, &refs, &types, loc);
}

/* ---- one op ------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  size_t len;
  stp_loc_t loc;
  int count;
} result_name_t;
typedef STP_VEC(result_name_t) result_names_t;

/* %a, %b:2 = */
static bool result_names(stp_parser_t *p, result_names_t *names, int *total) {
  *total = 0;
  while (p->tok.kind == TOK_VALUE) {
    result_name_t n = {p->tok.text + 1, p->tok.len - 1, p->tok.loc, 1};
    stp_p_next(p);
    if (stp_p_take(p, ':')) {
      stp_loc_t loc = p->tok.loc;
      int64_t count;
      if (!stp_p_integer(p, &count, NULL)) {
        return false;
      }
      if (count < 1 || count > 1000) {
        return stp_p_error(p, loc, "a number of results from 1 to 1000 is expected");
      }
      n.count = (int)count;
    }
    STP_VEC_PUSH(p->arena, names, n);
    *total += n.count;
    if (*total > 1000) {
      return stp_p_error(p, n.loc, "more than 1000 results");
    }
    if (!stp_p_take(p, ',')) {
      return stp_p_expect(p, '=');
    }
  }
  return names->count == 0 || stp_p_expected(p, "a value such as %x");
}

/* Give the names to the results of the op, or to poisoned values if there is none. */
static bool define_results(stp_parser_t *p, const result_names_t *names, const stp_ir_op_t *op) {
  int next = 0;
  bool ok = true;
  for (int i = 0; i < names->count; i++) {
    const result_name_t *n = &names->data[i];
    stp_ir_value_t **values = stp_arena_array(p->arena, (size_t)n->count, sizeof(void *));
    for (int k = 0; k < n->count; k++) {
      values[k] =
          op != NULL ? op->results[next++] : new_value(p, "", stp_type_none(p->module), n->loc);
      values[k]->name = n->count == 1
                            ? stp_arena_strndup(p->arena, n->name, n->len)
                            : stp_arena_printf(p->arena, "%.*s#%d", (int)n->len, n->name, k);
      values[k]->loc = n->loc;
    }
    ok = define(p, n->name, n->len, n->loc, values, n->count) && ok;
  }
  return ok;
}

static bool op_text(stp_parser_t *p, stp_op_state_t *s) {
  stp_tok_t tok = p->tok;
  bool generic = tok.kind == TOK_STRING;
  if (!generic && tok.kind != TOK_ID) {
    return stp_p_expected(p, "an op");
  }
  const char *name = generic ? tok.text + 1 : tok.text;
  size_t len = generic ? tok.len - 2 : tok.len;
  s->loc = tok.loc;
  s->kind = stp_op_from_name(name, len);
  if (s->kind == STP_OP_NONE) {
    if (len > 60) {
      len = 60;
    }
    return stp_p_error(p, tok.loc, "unknown op '%.*s'%s", (int)len, name,
                       memchr(name, '.', len) == NULL ? "; expected an op such as 'ktdp.load'"
                                                      : "");
  }
  s->name = stp_ir_op_name(s->kind);
  stp_p_next(p);
  if (generic) {
    return generic_form(p, s);
  }
  return stp_p_custom(p, s);
}

static bool parse_op(stp_parser_t *p, stp_ir_block_t *block) {
  result_names_t names = {0};
  int total = 0;
  stp_op_state_t s = {0};
  stp_ir_op_t *op = NULL;
  bool ok = result_names(p, &names, &total);
  if (ok) {
    s.num_names = total;
    ok = op_text(p, &s) && stp_p_skip_location(p);
  }
  if (ok && total > 0 && total != s.results.count) {
    ok = stp_p_op_error(p, &s, "has %d result%s, but %d name%s given", s.results.count,
                        s.results.count == 1 ? "" : "s", total, total == 1 ? " is" : "s are");
  }
  if (ok && !s.poisoned) {
    op = stp_p_make_op(p, block, &s);
    ok = op != NULL;
  } else if (ok) {
    p->func->broken = true; /* the operand's error is reported already, or will be */
  }
  return define_results(p, &names, op) && ok;
}

/* ---- functions --------------------------------------------------------------------------- */

static void finish_function(stp_parser_t *p) {
  for (int i = 0; i < p->forwards.count; i++) {
    const stp_forward_t *f = &p->forwards.data[i];
    if (!f->reported) {
      stp_p_error(p, f->loc, "use of undeclared value '%%%.*s'", (int)f->len, f->name);
    }
  }
  if (p->forwards.count > 0) {
    p->func->broken = true;
  }
  p->forwards.count = 0;
}

stp_ir_func_t *stp_p_new_func(stp_parser_t *p, stp_loc_t loc) {
  stp_ir_func_t *func = stp_arena_alloc(p->arena, sizeof *func);
  func->loc = loc;
  func->module = p->module;
  func->grid_rank = 1;
  func->grid[0] = 1;
  func->num_tiles = 1;
  p->func = func;
  p->level = 0;
  p->scope.count = 0;
  p->forwards.count = 0;
  memset(p->names, 0, sizeof p->names);
  return func;
}

bool stp_p_func_body(stp_parser_t *p, const stp_arg_vec_t *args) {
  stp_op_state_t holder = {.loc = p->func->loc, .name = "func.func"};
  bool ok = stp_p_region(p, &holder, args, STP_OP_NONE);
  if (holder.regions.count > 0) {
    p->func->body = holder.regions.data[0];
  }
  finish_function(p);
  return ok;
}
