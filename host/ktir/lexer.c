/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "internal.h"

bool stp_p_error(stp_parser_t *p, stp_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(p->arena, format, args);
  va_end(args);
  stp_diags_add(p->diags, STP_DIAG_ERROR, loc, "%s", message);
  return false;
}

void stp_p_warn(stp_parser_t *p, stp_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(p->arena, format, args);
  va_end(args);
  stp_diags_add(p->diags, STP_DIAG_WARNING, loc, "%s", message);
}

bool stp_p_expected(stp_parser_t *p, const char *what) {
  const stp_tok_t *tok = &p->tok;
  if (tok->kind == TOK_ERROR) {
    return false;
  }
  if (tok->kind == TOK_END) {
    return stp_p_error(p, tok->loc, "expected %s, got the end of the text", what);
  }
  int len = tok->len > 40 ? 40 : (int)tok->len;
  return stp_p_error(p, tok->loc, "expected %s, got '%.*s'", what, len, tok->text);
}

/* ---- characters -------------------------------------------------------------------------- */

static bool is_id_start(char c) {
  return isalpha((unsigned char)c) || c == '_';
}
static bool is_id(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}
static bool is_suffix(char c) {
  return is_id(c) || c == '-';
}

static void skip_blanks(stp_lexer_t *lex) {
  while (lex->pos < lex->end) {
    char c = *lex->pos;
    if (c == '\n') {
      lex->pos++;
      lex->line++;
      lex->line_start = lex->pos;
      lex->first = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      lex->pos++;
    } else if (c == '/' && lex->end - lex->pos >= 2 && lex->pos[1] == '/') {
      const char *newline = memchr(lex->pos, '\n', (size_t)(lex->end - lex->pos));
      lex->pos = newline != NULL ? newline : lex->end;
    } else {
      return;
    }
  }
}

static stp_tok_kind_t lex_number(stp_lexer_t *lex) {
  const char *p = lex->pos;
  const char *end = lex->end;
  if (end - p >= 3 && p[0] == '0' && p[1] == 'x' && isxdigit((unsigned char)p[2])) {
    for (p += 2; p < end && isxdigit((unsigned char)*p); p++) {
    }
    lex->pos = p;
    return TOK_INT;
  }
  while (p < end && isdigit((unsigned char)*p)) {
    p++;
  }
  lex->pos = p;
  if (p == end || *p != '.') {
    return TOK_INT;
  }
  for (p++; p < end && isdigit((unsigned char)*p); p++) {
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char *q = p + 1;
    if (q < end && (*q == '+' || *q == '-')) {
      q++;
    }
    if (q < end && isdigit((unsigned char)*q)) {
      while (q < end && isdigit((unsigned char)*q)) {
        q++;
      }
      p = q;
    }
  }
  lex->pos = p;
  return TOK_FLOAT;
}

/* After a sigil: digits, or a name. False if there is neither. */
static bool lex_suffix(stp_lexer_t *lex) {
  const char *p = lex->pos;
  if (p < lex->end && isdigit((unsigned char)*p)) {
    while (p < lex->end && isdigit((unsigned char)*p)) {
      p++;
    }
  } else {
    while (p < lex->end && is_suffix(*p)) {
      /* In #a->b the arrow is not part of the name. */
      if (*p == '-' && p + 1 < lex->end && p[1] == '>') {
        break;
      }
      p++;
    }
  }
  bool some = p > lex->pos;
  lex->pos = p;
  return some;
}

static bool lex_string(stp_lexer_t *lex) {
  const char *p = lex->pos; /* after the opening quote */
  while (p < lex->end && *p != '\n' && *p != '"') {
    p += *p == '\\' && p + 1 < lex->end && p[1] != '\n' ? 2 : 1;
  }
  lex->pos = p;
  if (p >= lex->end || *p != '"') {
    return false;
  }
  lex->pos++;
  return true;
}

static stp_tok_kind_t lex_punct(stp_lexer_t *lex) {
  static const struct {
    const char *text;
    stp_tok_kind_t kind;
  } pairs[] = {
      {"->", TOK_ARROW}, {">=", TOK_GE}, {"<=", TOK_LE}, {"==", TOK_EQEQ}, {"::", TOK_COLONCOLON}};
  size_t left = (size_t)(lex->end - lex->pos);
  if (left >= 3 && memcmp(lex->pos, "...", 3) == 0) {
    lex->pos += 3;
    return TOK_ELLIPSIS;
  }
  for (size_t i = 0; left >= 2 && i < sizeof pairs / sizeof *pairs; i++) {
    if (memcmp(lex->pos, pairs[i].text, 2) == 0) {
      lex->pos += 2;
      return pairs[i].kind;
    }
  }
  char c = *lex->pos++;
  return c != 0 && strchr("()[]{}<>,=:?+-*|/", c) != NULL ? TOK_PUNCT : TOK_ERROR;
}

void stp_p_next(stp_parser_t *p) {
  stp_lexer_t *lex = &p->lex;
  skip_blanks(lex);
  stp_tok_t *tok = &p->tok;
  tok->text = lex->pos;
  tok->loc.line = lex->line;
  tok->loc.col = (uint32_t)(lex->pos - lex->line_start) + 1;
  tok->first = lex->first;
  tok->len = 0;
  lex->first = false;
  if (lex->pos >= lex->end) {
    tok->kind = TOK_END;
    return;
  }
  char c = *lex->pos;
  const char *problem = NULL;
  if (is_id_start(c)) {
    while (lex->pos < lex->end && is_id(*lex->pos)) {
      lex->pos++;
    }
    tok->kind = TOK_ID;
  } else if (isdigit((unsigned char)c)) {
    tok->kind = lex_number(lex);
  } else if (c == '"') {
    lex->pos++;
    tok->kind = lex_string(lex) ? TOK_STRING : TOK_ERROR;
    problem = "this string has no end on its line";
  } else if (c == '%' || c == '#' || c == '!' || c == '^') {
    lex->pos++;
    tok->kind = c == '%' ? TOK_VALUE : c == '#' ? TOK_HASH : c == '!' ? TOK_BANG : TOK_CARET;
    if (!lex_suffix(lex)) {
      tok->kind = TOK_ERROR;
      problem = stp_arena_printf(p->arena, "expected a name after '%c'", c);
    }
  } else if (c == '@') {
    lex->pos++;
    tok->kind = TOK_AT;
    problem = "expected a name after '@'";
    if (lex->pos < lex->end && *lex->pos == '"') {
      lex->pos++;
      tok->kind = lex_string(lex) ? TOK_AT : TOK_ERROR;
    } else if (!lex_suffix(lex)) {
      tok->kind = TOK_ERROR;
    }
  } else {
    tok->kind = lex_punct(lex);
    if (tok->kind == TOK_ERROR) {
      while ((c & 0x80) != 0 && lex->pos < lex->end && (*lex->pos & 0x80) != 0) {
        lex->pos++; /* one error for a run of foreign characters */
      }
      problem = isprint((unsigned char)c)
                    ? stp_arena_printf(p->arena, "unexpected character '%c'", c)
                    : stp_arena_printf(p->arena, "unexpected byte 0x%02X", (unsigned)(uint8_t)c);
    }
  }
  tok->len = (size_t)(lex->pos - tok->text);
  if (tok->kind == TOK_PUNCT) {
    lex->braces += (c == '{') - (c == '}');
  }
  if (tok->kind == TOK_ERROR) {
    stp_p_error(p, tok->loc, "%s", problem);
  }
}

void stp_p_reset_to(stp_parser_t *p, const char *text) {
  p->lex.pos = text;
  stp_p_next(p);
}

/* ---- small helpers ----------------------------------------------------------------------- */

bool stp_p_is(const stp_parser_t *p, char punct) {
  return p->tok.kind == TOK_PUNCT && p->tok.text[0] == punct;
}

bool stp_p_is_word(const stp_parser_t *p, const char *word) {
  return p->tok.kind == TOK_ID && p->tok.len == strlen(word) &&
         memcmp(p->tok.text, word, p->tok.len) == 0;
}

bool stp_p_take(stp_parser_t *p, char punct) {
  if (!stp_p_is(p, punct)) {
    return false;
  }
  stp_p_next(p);
  return true;
}

bool stp_p_take_word(stp_parser_t *p, const char *word) {
  if (!stp_p_is_word(p, word)) {
    return false;
  }
  stp_p_next(p);
  return true;
}

bool stp_p_take_arrow(stp_parser_t *p) {
  if (p->tok.kind != TOK_ARROW) {
    return false;
  }
  stp_p_next(p);
  return true;
}

bool stp_p_expect(stp_parser_t *p, char punct) {
  char what[] = {'\'', punct, '\'', 0};
  /* `>>` and `>=` need no care: they are lexed as single '>' but for ">=". */
  if (punct == '>' && p->tok.kind == TOK_GE) {
    stp_p_reset_to(p, p->tok.text + 1);
    return true;
  }
  return stp_p_take(p, punct) || stp_p_expected(p, what);
}

bool stp_p_expect_word(stp_parser_t *p, const char *word) {
  return stp_p_take_word(p, word) || stp_p_expected(p, stp_arena_printf(p->arena, "'%s'", word));
}

bool stp_p_expect_arrow(stp_parser_t *p) {
  return stp_p_take_arrow(p) || stp_p_expected(p, "'->'");
}

bool stp_p_integer(stp_parser_t *p, int64_t *value, bool *hex) {
  stp_loc_t loc = p->tok.loc;
  bool minus = stp_p_take(p, '-');
  if (p->tok.kind != TOK_INT) {
    return stp_p_expected(p, "an integer");
  }
  bool is_hex = p->tok.len > 2 && p->tok.text[1] == 'x';
  uint64_t number = 0;
  bool fits = true;
  for (size_t i = is_hex ? 2 : 0; i < p->tok.len; i++) {
    char c = p->tok.text[i];
    unsigned digit = isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                               : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
    fits = fits && !__builtin_mul_overflow(number, is_hex ? 16u : 10u, &number) &&
           !__builtin_add_overflow(number, digit, &number);
  }
  uint64_t limit = is_hex && !minus ? UINT64_MAX : minus ? (uint64_t)1 << 63 : INT64_MAX;
  if (!fits || number > limit) {
    return stp_p_error(p, loc, "integer does not fit in 64 bits");
  }
  *value = (int64_t)(minus ? 0 - number : number);
  if (hex != NULL) {
    *hex = is_hex;
  }
  stp_p_next(p);
  return true;
}

bool stp_p_string(stp_parser_t *p, const char **text) {
  if (p->tok.kind != TOK_STRING) {
    return stp_p_expected(p, "a string");
  }
  const char *s = p->tok.text + 1;
  size_t len = p->tok.len - 2;
  char *copy = stp_arena_alloc(p->arena, len + 1);
  size_t n = 0;
  for (size_t i = 0; i < len; i++) {
    char c = s[i];
    if (c == '\\' && i + 1 < len) {
      char d = s[++i];
      if (d == 'n') {
        c = '\n';
      } else if (d == 't') {
        c = '\t';
      } else if (i + 1 < len && isxdigit((unsigned char)d) && isxdigit((unsigned char)s[i + 1])) {
        int high = isdigit((unsigned char)d) ? d - '0' : tolower((unsigned char)d) - 'a' + 10;
        char e = s[++i];
        int low = isdigit((unsigned char)e) ? e - '0' : tolower((unsigned char)e) - 'a' + 10;
        c = (char)(high * 16 + low);
      } else {
        c = d;
      }
    }
    copy[n++] = c;
  }
  *text = copy;
  stp_p_next(p);
  return true;
}

bool stp_p_skip_balanced(stp_parser_t *p) {
  char stack[STP_MAX_DEPTH];
  int depth = 0;
  stp_loc_t loc = p->tok.loc;
  do {
    if (p->tok.kind == TOK_ERROR) {
      return false;
    }
    if (p->tok.kind == TOK_END) {
      return stp_p_error(p, loc, "this bracket is never closed");
    }
    char c = p->tok.kind == TOK_PUNCT ? p->tok.text[0] : 0;
    if (p->tok.kind == TOK_GE && depth > 0 && stack[depth - 1] == '>') {
      stp_p_reset_to(p, p->tok.text + 1);
      depth--;
      continue;
    }
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (depth == STP_MAX_DEPTH) {
        return stp_p_error(p, p->tok.loc, "nested too deeply");
      }
      stack[depth++] = c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (depth == 0 || stack[depth - 1] != c) {
        return stp_p_error(p, p->tok.loc, "unbalanced '%c'", c);
      }
      depth--;
    }
    stp_p_next(p);
  } while (depth > 0);
  return true;
}

bool stp_p_enter(stp_parser_t *p) {
  if (p->depth >= STP_MAX_DEPTH) {
    return stp_p_error(p, p->tok.loc, "nested too deeply (more than %d levels)", STP_MAX_DEPTH);
  }
  p->depth++;
  return true;
}

void stp_p_leave(stp_parser_t *p) {
  p->depth--;
}

const char *stp_p_text(stp_parser_t *p, const stp_tok_t *tok) {
  return stp_arena_strndup(p->arena, tok->text, tok->len);
}
