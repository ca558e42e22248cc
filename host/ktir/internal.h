/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the KTIR reader. The way from text to IR:
 *
 *   lexer.c   characters -> tokens
 *   p_type.c, p_affine.c, p_attr.c   types, affine maps and sets, attributes
 *   parser.c  modules, functions, blocks, scopes, the generic form, recovery after errors
 *   syntax_*.c  custom forms: they give the same operands and attributes as the generic form
 *   decode.c  attributes -> the payload `u` of each op
 *   verify_*.c  rules that need the whole function
 *
 * A parse function returns false after it has reported an error; the caller then gives up too, up
 * to the op, where parsing starts again at the next line that can begin an op.
 */
#ifndef STP_KTIR_INTERNAL_H
#define STP_KTIR_INTERNAL_H

#include <stdarg.h>
#include <string.h>

#include "ir.h"

/* ---- tokens ------------------------------------------------------------------------------ */

typedef enum {
  TOK_END,
  TOK_ERROR,  /* a malformed token; the lexer has reported it */
  TOK_ID,     /* bare identifier, may contain dots: scf.for */
  TOK_VALUE,  /* %name */
  TOK_HASH,   /* #name, #1 */
  TOK_BANG,   /* !name */
  TOK_CARET,  /* ^name */
  TOK_AT,     /* @name or @"name" */
  TOK_STRING, /* "..." */
  TOK_INT,    /* 12, 0x1F */
  TOK_FLOAT,  /* 1.5, 1.0e-3 */
  TOK_ARROW,  /* -> */
  TOK_GE,     /* >= */
  TOK_LE,     /* <= */
  TOK_EQEQ,   /* == */
  TOK_COLONCOLON,
  TOK_ELLIPSIS,
  TOK_PUNCT /* one character, in text[0] */
} stp_tok_kind_t;

typedef struct stp_tok {
  stp_tok_kind_t kind;
  const char *text; /* into the source, including the sigil */
  size_t len;
  stp_loc_t loc;
  bool first; /* the first token of its line */
} stp_tok_t;

typedef struct stp_lexer {
  const char *pos, *end;
  const char *line_start;
  uint32_t line;
  bool first;
  int braces; /* `{` minus `}` up to and including the current token */
} stp_lexer_t;

/* ---- the parser -------------------------------------------------------------------------- */

#define STP_MAX_DEPTH 64          /* nesting of regions, types and attributes */
#define STP_MAX_AFFINE_NODES 2000 /* per expression list */
#define STP_MAX_TEXT ((size_t)64 << 20)

/* A visible name: `%x` and, if it stands for several results, `%x#0`, `%x#1`, ... */
typedef struct stp_name {
  const char *name;
  size_t len;
  stp_ir_value_t **values;
  int count;
  int level; /* of region nesting */
  stp_loc_t loc;
  struct stp_name *next; /* in its bucket */
} stp_name_t;

/* A name used before it was defined. */
typedef struct stp_forward {
  const char *name;
  size_t len;
  stp_loc_t loc; /* of the first use */
  bool reported;
} stp_forward_t;

typedef struct stp_alias {
  const char *name; /* with its sigil */
  size_t len;
  const stp_ir_attr_t *attr; /* or */
  const stp_ir_type_t *type;
  struct stp_alias *next;
} stp_alias_t;

#define STP_ALIAS_BUCKETS 256
#define STP_NAME_BUCKETS 1024

typedef struct stp_parser {
  stp_ir_module_t *module;
  stp_arena_t *arena; /* the module's */
  stp_diags_t *diags;
  stp_lexer_t lex;
  stp_tok_t tok;
  int depth;
  stp_alias_t *aliases[STP_ALIAS_BUCKETS];
  STP_VEC(stp_ir_func_t *) funcs;

  /* the function being read */
  stp_ir_func_t *func;
  stp_ir_block_t *block;
  int level;                   /* of region nesting, for scopes */
  STP_VEC(stp_name_t *) scope; /* all visible names, innermost last */
  stp_name_t *names[STP_NAME_BUCKETS];
  STP_VEC(stp_forward_t) forwards;
} stp_parser_t;

/* Append an error; returns false so that it can end a parse function. */
bool stp_p_error(stp_parser_t *p, stp_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void stp_p_warn(stp_parser_t *p, stp_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected WHAT, got 'token'" at the current token. */
bool stp_p_expected(stp_parser_t *p, const char *what);

/* lexer.c */
void stp_p_next(stp_parser_t *p);                       /* read the next token into p->tok */
void stp_p_reset_to(stp_parser_t *p, const char *text); /* re-lex from inside the current token */
bool stp_p_is(const stp_parser_t *p, char punct);
bool stp_p_is_word(const stp_parser_t *p, const char *word); /* bare identifier */
bool stp_p_take(stp_parser_t *p, char punct);                /* true and advance if it is there */
bool stp_p_take_word(stp_parser_t *p, const char *word);
bool stp_p_take_arrow(stp_parser_t *p);
bool stp_p_expect(stp_parser_t *p, char punct);
bool stp_p_expect_word(stp_parser_t *p, const char *word);
bool stp_p_expect_arrow(stp_parser_t *p);
/* A decimal or hexadecimal integer with optional minus; `hex` may be NULL. */
bool stp_p_integer(stp_parser_t *p, int64_t *value, bool *hex);
bool stp_p_string(stp_parser_t *p, const char **text); /* decoded */
/* Skip one balanced (...), [...], {...} or <...> that begins at the current token. */
bool stp_p_skip_balanced(stp_parser_t *p);
bool stp_p_enter(stp_parser_t *p); /* nesting limit; pair with stp_p_leave */
void stp_p_leave(stp_parser_t *p);
const char *stp_p_text(stp_parser_t *p, const stp_tok_t *tok); /* copy of the token's text */

/* types.c: unique types */
void stp_types_init(stp_ir_module_t *module);
const stp_ir_type_t *stp_type_unique(stp_ir_module_t *module, const stp_ir_type_t *type);
const stp_ir_type_t *stp_type_scalar(stp_ir_module_t *module, stp_ir_elem_t elem);
const stp_ir_type_t *stp_type_shaped(stp_ir_module_t *module, stp_ir_type_kind_t kind,
                                     stp_ir_elem_t elem, int rank, const int64_t *dims);
const stp_ir_type_t *stp_type_none(stp_ir_module_t *module);
bool stp_type_is_index(const stp_ir_type_t *type);
bool stp_type_is_scalar_or_tensor(const stp_ir_type_t *type);
stp_ir_elem_t stp_elem_from_name(const char *name, size_t len);
bool stp_space_equal(const stp_ir_space_t *a, const stp_ir_space_t *b);
const char *stp_space_text(stp_arena_t *arena, const stp_ir_space_t *space);

/* p_type.c */
bool stp_p_type(stp_parser_t *p, const stp_ir_type_t **type);
bool stp_p_is_type(const stp_parser_t *p);
/* Where MLIR lets !ktdp.access_tile and friends be left out: `<4xindex>` or the whole type. */
bool stp_p_type_elided(stp_parser_t *p, stp_ir_type_kind_t kind, const stp_ir_type_t **type);
/* type (`,` type)*  without parentheses. */
typedef STP_VEC(const stp_ir_type_t *) stp_type_vec_t;
bool stp_p_type_list(stp_parser_t *p, stp_type_vec_t *types);
/* `->` then a type or a parenthesised list of types. */
bool stp_p_result_types(stp_parser_t *p, stp_type_vec_t *types);
bool stp_p_paren_types(stp_parser_t *p, stp_type_vec_t *types);

/* p_affine.c */
bool stp_p_affine_map_body(stp_parser_t *p, const stp_affine_map_t **map); /* (d0) -> (d0) */
bool stp_p_affine_set_body(stp_parser_t *p, const stp_affine_set_t **set);

/* An operand as written, not looked up yet. */
typedef struct stp_ref {
  const char *name; /* without % */
  size_t len;
  int number; /* of %x#1, or -1 */
  stp_loc_t loc;
} stp_ref_t;
typedef STP_VEC(stp_ref_t) stp_ref_vec_t;
/* [affine expressions of SSA values]: the values become dims in the order of first use, those in
   symbol(%x) become symbols. open and close are the brackets; 0: one expression without any. */
bool stp_p_affine_of_values(stp_parser_t *p, char open, char close, const stp_affine_map_t **map,
                            stp_ref_vec_t *dims, stp_ref_vec_t *syms);

/* p_attr.c */
bool stp_p_attr(stp_parser_t *p, const stp_ir_attr_t **attr);
typedef STP_VEC(stp_ir_named_attr_t) stp_attr_vec_t;
bool stp_p_attr_dict(stp_parser_t *p, stp_attr_vec_t *attrs);          /* `{` ... `}` */
bool stp_p_optional_attr_dict(stp_parser_t *p, stp_attr_vec_t *attrs); /* if there is one */
bool stp_p_skip_location(stp_parser_t *p);                             /* loc(...) if it is there */
/* The value of a constant of a type: from a number, a bool or dense<...>. */
bool stp_attr_to_dense(stp_parser_t *p, const stp_ir_attr_t *attr, const stp_ir_type_t *type,
                       const stp_ir_dense_t **dense);
void stp_p_define_alias(stp_parser_t *p, const char *name, size_t len, const stp_ir_attr_t *attr,
                        const stp_ir_type_t *type);
const stp_alias_t *stp_p_find_alias(const stp_parser_t *p, const char *name, size_t len);

/* Make attributes. */
const stp_ir_attr_t *stp_attr_ints(stp_parser_t *p, stp_loc_t loc, const int64_t *ints, int count);
const stp_ir_attr_t *stp_attr_int(stp_parser_t *p, stp_loc_t loc, int64_t value);
const stp_ir_attr_t *stp_attr_bool(stp_parser_t *p, stp_loc_t loc, bool value);
const stp_ir_attr_t *stp_attr_array(stp_parser_t *p, stp_loc_t loc,
                                    const stp_ir_attr_t *const *items, int count);
const stp_ir_attr_t *stp_attr_map(stp_parser_t *p, stp_loc_t loc, const stp_affine_map_t *map);

/* ---- ops while they are read ------------------------------------------------------------- */

/* Everything about an op before it is made; custom forms fill it. */
typedef struct stp_op_state {
  stp_ir_op_kind_t kind;
  stp_loc_t loc;
  const char *name; /* "arith.addf" */
  STP_VEC(stp_ir_value_t *) operands;
  STP_VEC(stp_loc_t) operand_locs;
  stp_type_vec_t results;
  stp_attr_vec_t attrs;
  STP_VEC(stp_ir_block_t *) regions;
  bool poisoned; /* an operand comes from an op in error: skip checks */
  int num_names; /* results as written before `=` */
} stp_op_state_t;

typedef enum {
#define STP_SYNTAX(name) SYNTAX_##name,
#include "syntax.def"
#undef STP_SYNTAX
  SYNTAX_COUNT
} stp_syntax_t;

typedef struct stp_op_info {
  const char *name;
  stp_syntax_t syntax;
  int min_operands, max_operands, min_results, max_results, regions;
} stp_op_info_t;
const stp_op_info_t *stp_op_info(stp_ir_op_kind_t kind);
stp_ir_op_kind_t stp_op_from_name(const char *name, size_t len);

/* Append an error about an op: "'arith.addf' op ...". */
bool stp_p_op_error(stp_parser_t *p, const stp_op_state_t *s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* parser.c: operands */
bool stp_p_ref(stp_parser_t *p, stp_ref_t *ref); /* %name[#n] */
/* (`,`-separated refs, at least one unless `optional`.) */
bool stp_p_ref_list(stp_parser_t *p, stp_ref_vec_t *refs);
/* Look up and append to the state's operands; `type` NULL: whatever it has. */
bool stp_p_operand(stp_parser_t *p, stp_op_state_t *s, const stp_ref_t *ref,
                   const stp_ir_type_t *type);
bool stp_p_operands(stp_parser_t *p, stp_op_state_t *s, const stp_ref_vec_t *refs,
                    const stp_type_vec_t *types, stp_loc_t loc);
bool stp_p_operands_index(stp_parser_t *p, stp_op_state_t *s, const stp_ref_vec_t *refs);
void stp_p_add_attr(stp_parser_t *p, stp_op_state_t *s, const char *name,
                    const stp_ir_attr_t *value);
void stp_p_add_segments(stp_parser_t *p, stp_op_state_t *s, int count, const int64_t *sizes);

/* A named and typed block argument. */
typedef struct stp_arg {
  stp_ref_t ref;
  const stp_ir_type_t *type;
} stp_arg_t;
typedef STP_VEC(stp_arg_t) stp_arg_vec_t;
/* (%a: T, %b: T) */
bool stp_p_args(stp_parser_t *p, stp_arg_vec_t *args);
/*
 * Read `{ ops }` as a region of the op. `args` are its block's arguments (may be empty); if the
 * text begins with a ^label, that gives the arguments instead. A terminator of the given kind is
 * inserted where the text has none (NONE: it must be there).
 */
bool stp_p_region(stp_parser_t *p, stp_op_state_t *s, const stp_arg_vec_t *args,
                  stp_ir_op_kind_t terminator);
/* An empty block with arguments, for regions that have no text. */
stp_ir_block_t *stp_p_new_block(stp_parser_t *p, stp_loc_t loc);
stp_ir_value_t *stp_p_block_arg(stp_parser_t *p, stp_ir_block_t *block, const char *name,
                                const stp_ir_type_t *type, stp_loc_t loc);
/* Make the op from its state, append it to the block and decode it. NULL after an error. */
stp_ir_op_t *stp_p_make_op(stp_parser_t *p, stp_ir_block_t *block, stp_op_state_t *s);

/* Could an op begin at the current token, which is the first of its line? */
bool stp_p_looks_like_op(stp_parser_t *p);

/* Functions: start one; read its body. */
stp_ir_func_t *stp_p_new_func(stp_parser_t *p, stp_loc_t loc);
bool stp_p_func_body(stp_parser_t *p, const stp_arg_vec_t *args);

/* syntax_*.c: read the custom form of the op up to its end. */
bool stp_p_custom(stp_parser_t *p, stp_op_state_t *s);
bool stp_p_custom_ktdp(stp_parser_t *p, stp_op_state_t *s);
bool stp_p_custom_scf(stp_parser_t *p, stp_op_state_t *s);
bool stp_p_custom_linalg(stp_parser_t *p, stp_op_state_t *s);
bool stp_p_custom_tensor(stp_parser_t *p, stp_op_state_t *s);
/* [4, %n]: static numbers and SSA values mixed; dynamic entries are STP_IR_DYNAMIC. */
typedef STP_VEC(int64_t) stp_int_vec_t;
bool stp_p_mixed_list(stp_parser_t *p, char open, char close, stp_int_vec_t *statics,
                      stp_ref_vec_t *dynamics);

/* decode.c */
bool stp_decode_op(stp_parser_t *p, stp_ir_op_t *op, const stp_op_state_t *s);
bool stp_decode_linalg(stp_parser_t *p, stp_ir_op_t *op);

/* ---- verification ------------------------------------------------------------------------ */

typedef struct stp_verifier {
  stp_ir_module_t *module;
  stp_ir_func_t *func;
  stp_diags_t *diags;
  stp_arena_t scratch;
} stp_verifier_t;

void stp_verify_func(stp_ir_module_t *module, stp_ir_func_t *func, stp_diags_t *diags);
/* "'arith.addf' op ..." at the op; at a given operand; returns false. */
bool stp_v_error(stp_verifier_t *v, const stp_ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool stp_v_error_at(stp_verifier_t *v, const stp_ir_op_t *op, stp_loc_t loc, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
void stp_v_warn(stp_verifier_t *v, const stp_ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *stp_v_type(stp_verifier_t *v, const stp_ir_type_t *type); /* its text */
stp_loc_t stp_v_attr_loc(const stp_ir_op_t *op, const char *name);    /* or the op's */
bool stp_verify_ktdp(stp_verifier_t *v, stp_ir_op_t *op);
bool stp_verify_scf(stp_verifier_t *v, stp_ir_op_t *op);
bool stp_verify_arith(stp_verifier_t *v, stp_ir_op_t *op);
bool stp_verify_linalg(stp_verifier_t *v, stp_ir_op_t *op);
bool stp_verify_tensor(stp_verifier_t *v, stp_ir_op_t *op);

#endif
