/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and functions, and the entry points of the reader. */
#include <stdlib.h>

#include "internal.h"

/* ---- attributes of functions and modules -------------------------------------------------- */

static bool grid_attr(stp_parser_t *p, const stp_ir_attr_t *attr) {
  stp_ir_func_t *func = p->func;
  if (attr->kind != STP_ATTR_ARRAY && attr->kind != STP_ATTR_INTS) {
    return stp_p_error(p, attr->loc, "grid must be a list of integers such as [32] or [4, 8]");
  }
  if (attr->count < 1 || attr->count > STP_IR_MAX_RANK) {
    return stp_p_error(p, attr->loc, "grid must have 1 to %d dimensions, but has %d",
                       STP_IR_MAX_RANK, attr->count);
  }
  func->grid_rank = attr->count;
  func->num_tiles = 1;
  for (int i = 0; i < attr->count; i++) {
    stp_loc_t loc = attr->loc;
    int64_t size;
    if (attr->kind == STP_ATTR_INTS) {
      size = attr->ints[i];
    } else {
      loc = attr->items[i]->loc;
      if (attr->items[i]->kind != STP_ATTR_INT) {
        return stp_p_error(p, loc, "grid must be a list of integers such as [32] or [4, 8]");
      }
      size = attr->items[i]->i;
    }
    if (size < 1) {
      return stp_p_error(p, loc, "grid dimension %d must be positive, but is %lld", i,
                         (long long)size);
    }
    if (__builtin_mul_overflow(func->num_tiles, size, &func->num_tiles) ||
        func->num_tiles > INT32_MAX) {
      return stp_p_error(p, attr->loc, "grid has more than 2147483647 tiles");
    }
    func->grid[i] = size;
  }
  return true;
}

static bool func_attrs(stp_parser_t *p, const stp_attr_vec_t *attrs) {
  stp_ir_func_t *func = p->func;
  func->attrs = attrs->data;
  func->num_attrs = attrs->count;
  for (int i = 0; i < attrs->count; i++) {
    const stp_ir_named_attr_t *a = &attrs->data[i];
    if (strcmp(a->name, "grid") == 0) {
      if (!grid_attr(p, a->value)) {
        return false;
      }
    } else if (strcmp(a->name, "sym_name") == 0 && a->value->kind == STP_ATTR_STRING) {
      func->name = a->value->str;
    } else if (strcmp(a->name, "function_type") == 0 && a->value->kind == STP_ATTR_FUNC_TYPE) {
      bool same = func->body == NULL || func->body->num_args == a->value->num_inputs;
      for (int k = 0; same && func->body != NULL && k < a->value->num_inputs; k++) {
        same = func->body->args[k]->type == a->value->types[k];
      }
      if (!same) {
        return stp_p_error(p, a->value->loc,
                           "function_type does not have the types of the body's arguments");
      }
      func->num_result_types = a->value->count - a->value->num_inputs;
      func->result_types =
          func->num_result_types > 0 ? a->value->types + a->value->num_inputs : NULL;
    } else if (strcmp(a->name, "sym_visibility") == 0 || strcmp(a->name, "arg_attrs") == 0 ||
               strcmp(a->name, "res_attrs") == 0) {
      continue;
    } else if (strchr(a->name, '.') != NULL) {
      stp_p_warn(p, a->loc, "attribute '%s' is ignored", a->name);
    } else {
      return stp_p_error(p, a->loc, "unknown function attribute '%s'; expected 'grid'", a->name);
    }
  }
  return true;
}

static bool module_attrs(stp_parser_t *p, const stp_attr_vec_t *attrs) {
  p->module->attrs = attrs->data;
  p->module->num_attrs = attrs->count;
  for (int i = 0; i < attrs->count; i++) {
    const stp_ir_named_attr_t *a = &attrs->data[i];
    if (strchr(a->name, '.') != NULL) {
      stp_p_warn(p, a->loc, "attribute '%s' is ignored", a->name);
    } else if (strcmp(a->name, "sym_name") != 0 && strcmp(a->name, "sym_visibility") != 0) {
      return stp_p_error(p, a->loc, "unknown module attribute '%s'", a->name);
    }
  }
  return true;
}

/* ---- functions --------------------------------------------------------------------------- */

static bool add_func(stp_parser_t *p) {
  stp_ir_func_t *func = p->func;
  if (func->name == NULL) {
    return stp_p_error(p, func->loc, "this function has no name");
  }
  for (int i = 0; i < p->funcs.count; i++) {
    if (strcmp(p->funcs.data[i]->name, func->name) == 0) {
      stp_p_error(p, func->loc, "redefinition of function '@%s'", func->name);
      stp_diags_add(p->diags, STP_DIAG_NOTE, p->funcs.data[i]->loc, "it is first defined here");
      return false;
    }
  }
  if (p->funcs.count == 1000) {
    return stp_p_error(p, func->loc, "more than 1000 functions");
  }
  STP_VEC_PUSH(p->arena, &p->funcs, func);
  return true;
}

static bool result_types(stp_parser_t *p) {
  stp_type_vec_t types = {0};
  if (p->tok.kind != TOK_ARROW) {
    return true;
  }
  if (!stp_p_result_types(p, &types)) {
    return false;
  }
  p->func->result_types = types.data;
  p->func->num_result_types = types.count;
  return true;
}

/* func.func [private|public] @name(args) [-> types] [attributes {...}] [body] */
static bool func_custom(stp_parser_t *p) {
  stp_arg_vec_t args = {0};
  stp_attr_vec_t attrs = {0};
  stp_p_next(p);
  stp_ir_func_t *func = stp_p_new_func(p, p->tok.loc);
  bool declaration = stp_p_take_word(p, "private");
  if (!declaration) {
    (void)(stp_p_take_word(p, "public") || stp_p_take_word(p, "nested"));
  }
  func->loc = p->tok.loc;
  if (p->tok.kind != TOK_AT) {
    return stp_p_expected(p, "the name of the function such as @add");
  }
  func->name = stp_arena_strndup(p->arena, p->tok.text + 1, p->tok.len - 1);
  stp_p_next(p);
  if (declaration && stp_p_is(p, '(')) {
    stp_lexer_t lex = p->lex;
    stp_tok_t tok = p->tok;
    stp_p_next(p);
    bool named = p->tok.kind == TOK_VALUE || stp_p_is(p, ')');
    p->lex = lex;
    p->tok = tok;
    stp_type_vec_t types = {0};
    if (!(named ? stp_p_args(p, &args) : stp_p_paren_types(p, &types))) {
      return false;
    }
  } else if (!stp_p_args(p, &args)) {
    return false;
  }
  if (!result_types(p)) {
    return false;
  }
  if (stp_p_take_word(p, "attributes") && (!stp_p_attr_dict(p, &attrs) || !func_attrs(p, &attrs))) {
    return false;
  }
  if (stp_p_is(p, '{')) {
    if (!stp_p_func_body(p, &args)) {
      return false;
    }
  } else if (!declaration) {
    return stp_p_expected(p, "'attributes' or '{'");
  }
  return stp_p_skip_location(p) && add_func(p);
}

/* "func.func"() <{...}> ({ ^bb0(...): ... }) {...} : () -> () */
static bool func_generic(stp_parser_t *p) {
  stp_attr_vec_t attrs = {0};
  stp_type_vec_t types = {0};
  stp_p_new_func(p, p->tok.loc);
  stp_p_next(p);
  if (!stp_p_expect(p, '(') || !stp_p_expect(p, ')')) {
    return false;
  }
  if (stp_p_take(p, '<') && !(stp_p_attr_dict(p, &attrs) && stp_p_expect(p, '>'))) {
    return false;
  }
  if (!stp_p_expect(p, '(') || !stp_p_func_body(p, NULL) || !stp_p_expect(p, ')') ||
      !stp_p_optional_attr_dict(p, &attrs) || !stp_p_expect(p, ':') ||
      !stp_p_paren_types(p, &types) || !stp_p_result_types(p, &types)) {
    return false;
  }
  return func_attrs(p, &attrs) && stp_p_skip_location(p) && add_func(p);
}

/* ---- modules ----------------------------------------------------------------------------- */

static bool items(stp_parser_t *p, bool inside);

/* ktdf_arch.device @name [attributes {...}] [import(...)] [{...}]: no business of ours. */
static bool skip_device(stp_parser_t *p) {
  stp_p_warn(p, p->tok.loc, "'ktdf_arch.device' is ignored");
  stp_p_next(p);
  while (p->tok.kind == TOK_AT || stp_p_is_word(p, "attributes") || stp_p_is_word(p, "import") ||
         stp_p_is(p, '{') || stp_p_is(p, '(')) {
    if (stp_p_is(p, '{') || stp_p_is(p, '(')) {
      if (!stp_p_skip_balanced(p)) {
        return false;
      }
    } else {
      stp_p_next(p);
    }
  }
  return true;
}

static bool module_custom(stp_parser_t *p) {
  stp_attr_vec_t attrs = {0};
  stp_p_next(p);
  if (p->tok.kind == TOK_AT) {
    stp_p_next(p);
  }
  if (stp_p_take_word(p, "attributes") &&
      (!stp_p_attr_dict(p, &attrs) || !module_attrs(p, &attrs))) {
    return false;
  }
  return stp_p_expect(p, '{') && items(p, true) && stp_p_expect(p, '}') && stp_p_skip_location(p);
}

static bool module_generic(stp_parser_t *p) {
  stp_attr_vec_t attrs = {0};
  stp_type_vec_t types = {0};
  stp_p_next(p);
  if (!stp_p_expect(p, '(') || !stp_p_expect(p, ')')) {
    return false;
  }
  if (stp_p_take(p, '<') && !(stp_p_attr_dict(p, &attrs) && stp_p_expect(p, '>'))) {
    return false;
  }
  return stp_p_expect(p, '(') && stp_p_expect(p, '{') && items(p, true) && stp_p_expect(p, '}') &&
         stp_p_expect(p, ')') && stp_p_optional_attr_dict(p, &attrs) && module_attrs(p, &attrs) &&
         stp_p_expect(p, ':') && stp_p_paren_types(p, &types) && stp_p_result_types(p, &types) &&
         stp_p_skip_location(p);
}

/* #name = attribute, !name = type */
static bool alias(stp_parser_t *p) {
  stp_tok_t name = p->tok;
  stp_p_next(p);
  if (!stp_p_expect(p, '=')) {
    return false;
  }
  if (stp_p_find_alias(p, name.text, name.len) != NULL) {
    return stp_p_error(p, name.loc, "redefinition of alias '%.*s'", (int)name.len, name.text);
  }
  if (memchr(name.text, '.', name.len) != NULL) {
    return stp_p_error(p, name.loc, "the name of an alias must not contain '.'");
  }
  const stp_ir_attr_t *attr = NULL;
  const stp_ir_type_t *type = NULL;
  if (name.kind == TOK_HASH ? !stp_p_attr(p, &attr) : !stp_p_type(p, &type)) {
    stp_p_define_alias(p, name.text, name.len, NULL,
                       NULL); /* its uses need no error of their own */
    return false;
  }
  stp_p_define_alias(p, name.text, name.len, attr, type);
  return true;
}

static bool is_string(const stp_parser_t *p, const char *text) {
  return p->tok.kind == TOK_STRING && p->tok.len == strlen(text) + 2 &&
         memcmp(p->tok.text + 1, text, p->tok.len - 2) == 0;
}

static bool starts_item(const stp_parser_t *p) {
  return p->tok.kind == TOK_HASH || p->tok.kind == TOK_BANG || p->tok.kind == TOK_STRING ||
         stp_p_is_word(p, "func.func") || stp_p_is_word(p, "module");
}

static bool item(stp_parser_t *p, bool inside) {
  if (p->tok.kind == TOK_HASH || p->tok.kind == TOK_BANG) {
    return alias(p);
  }
  if (stp_p_is_word(p, "func.func")) {
    return func_custom(p);
  }
  if (is_string(p, "func.func")) {
    return func_generic(p);
  }
  bool custom = stp_p_is_word(p, "module") || stp_p_is_word(p, "builtin.module");
  if (custom || is_string(p, "builtin.module")) {
    if (inside) {
      return stp_p_error(p, p->tok.loc, "modules inside modules are not supported");
    }
    return custom ? module_custom(p) : module_generic(p);
  }
  if (stp_p_is_word(p, "ktdf_arch.device")) {
    return skip_device(p);
  }
  return stp_p_expected(p, inside ? "'func.func'" : "'module' or 'func.func'");
}

/* Functions and aliases up to `}` or the end. After an error, go on with the next one. */
static bool items(stp_parser_t *p, bool inside) {
  bool ok = true;
  while (p->tok.kind != TOK_END && !(inside && stp_p_is(p, '}'))) {
    int braces = p->lex.braces;
    const char *start = p->tok.text;
    if (item(p, inside)) {
      continue;
    }
    ok = false;
    if (p->tok.text == start) {
      stp_p_next(p);
    }
    while (p->tok.kind != TOK_END && !stp_diags_full(p->diags) && p->lex.braces >= braces &&
           !(p->lex.braces == braces && p->tok.first && starts_item(p))) {
      stp_p_next(p);
    }
    if (stp_diags_full(p->diags)) {
      return false;
    }
  }
  return ok;
}

/* ---- entry points ------------------------------------------------------------------------ */

static stp_ir_module_t *read_text(const char *file, const char *text, size_t len, uint32_t line,
                                  stp_diags_t *diags) {
  stp_ir_module_t *module = calloc(1, sizeof *module);
  stp_parser_t *p = calloc(1, sizeof *p);
  if (module == NULL || p == NULL) {
    stp_diags_add(diags, STP_DIAG_ERROR, (stp_loc_t){0, 0}, "out of memory");
    free(module);
    free(p);
    return NULL;
  }
  stp_arena_init(&module->arena);
  module->file = stp_arena_strndup(&module->arena, file, strlen(file));
  stp_types_init(module);
  p->module = module;
  p->arena = &module->arena;
  p->diags = diags;
  p->lex = (stp_lexer_t){
      .pos = text, .end = text + len, .line_start = text, .line = line, .first = true};
  int errors = diags->num_errors;
  if (len > STP_MAX_TEXT) {
    stp_diags_add(diags, STP_DIAG_ERROR, (stp_loc_t){0, 0}, "the text is longer than %zu bytes",
                  STP_MAX_TEXT);
  } else {
    stp_p_next(p);
    items(p, false);
  }
  module->funcs = p->funcs.data;
  module->num_funcs = p->funcs.count;
  for (int i = 0; i < module->num_funcs && !stp_diags_full(diags); i++) {
    if (module->funcs[i]->body != NULL && !module->funcs[i]->broken) {
      stp_verify_func(module, module->funcs[i], diags);
    }
  }
  free(p);
  stp_diags_sort(diags);
  if (diags->num_errors > errors) {
    stp_ir_module_free(module);
    return NULL;
  }
  return module;
}

stp_ir_module_t *stp_ktir_read(const char *file, const char *text, size_t len, stp_diags_t *diags) {
  return read_text(file, text, len, 1, diags);
}

void stp_ir_module_free(stp_ir_module_t *module) {
  if (module != NULL) {
    stp_arena_free(&module->arena);
    free(module);
  }
}

int stp_ktir_verify_diagnostics(const char *file, const char *text, size_t len, FILE *out) {
  int differences = 0;
  uint32_t line = 1;
  const char *end = text + len;
  const char *p = text;
  for (;;) {
    /* One section: up to a line that begins with the separator. */
    const char *stop = p;
    uint32_t lines = 0;
    while (stop < end && !(end - stop >= 8 && memcmp(stop, "// -----", 8) == 0)) {
      const char *newline = memchr(stop, '\n', (size_t)(end - stop));
      stop = newline != NULL ? newline + 1 : end;
      lines += newline != NULL;
    }
    stp_diags_t diags;
    stp_diags_init(&diags, file, p, (size_t)(stop - p));
    diags.first_line = line;
    stp_ir_module_free(read_text(file, p, (size_t)(stop - p), line, &diags));
    differences += stp_diags_check(&diags, out);
    stp_diags_free(&diags);
    if (stop >= end) {
      return differences;
    }
    const char *newline = memchr(stop, '\n', (size_t)(end - stop));
    if (newline == NULL) {
      return differences;
    }
    p = newline + 1;
    line += lines + 1;
  }
}

stp_ir_func_t *stp_ir_func_find(const stp_ir_module_t *module, const char *name) {
  stp_ir_func_t *found = NULL;
  for (int i = 0; i < module->num_funcs; i++) {
    stp_ir_func_t *func = module->funcs[i];
    if (func->body == NULL || (name != NULL && strcmp(func->name, name) != 0)) {
      continue;
    }
    if (found != NULL) {
      return NULL;
    }
    found = func;
  }
  return found;
}

const stp_ir_attr_t *stp_ir_op_attr(const stp_ir_op_t *op, const char *name) {
  for (int i = 0; i < op->num_attrs; i++) {
    if (strcmp(op->attrs[i].name, name) == 0) {
      return op->attrs[i].value;
    }
  }
  return NULL;
}

stp_ir_op_t *stp_ir_walk(const stp_ir_block_t *root, const stp_ir_op_t *op) {
  if (op == NULL) {
    return root->first;
  }
  for (int i = 0; i < op->num_regions; i++) {
    if (op->regions[i] != NULL && op->regions[i]->first != NULL) {
      return op->regions[i]->first;
    }
  }
  for (;;) {
    if (op->next != NULL) {
      return op->next;
    }
    /* Leave this block: on with the parent's next region, or with what comes after it. */
    const stp_ir_block_t *block = op->block;
    if (block == root || block->parent == NULL) {
      return NULL;
    }
    op = block->parent;
    int i = 0;
    while (op->regions[i] != block) {
      i++;
    }
    for (i++; i < op->num_regions; i++) {
      if (op->regions[i] != NULL && op->regions[i]->first != NULL) {
        return op->regions[i]->first;
      }
    }
  }
}

bool stp_ir_value_constant(const stp_ir_value_t *value, int64_t *result) {
  if (value->def == NULL || value->def->kind != STP_OP_ARITH_CONSTANT ||
      value->type->kind != STP_TYPE_SCALAR || !stp_ir_elem_is_int(value->type->elem)) {
    return false;
  }
  *result = (int64_t)value->def->u.constant->bits[0];
  return true;
}
