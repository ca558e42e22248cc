/* SPDX-License-Identifier: Apache-2.0 */
#include "diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void stp_diags_init(stp_diags_t *diags, const char *file, const char *text, size_t len) {
  memset(diags, 0, sizeof *diags);
  stp_arena_init(&diags->arena);
  diags->file = file;
  diags->text = text;
  diags->len = len;
  diags->first_line = 1;
}

void stp_diags_free(stp_diags_t *diags) {
  stp_arena_free(&diags->arena);
  memset(diags, 0, sizeof *diags);
}

void stp_diags_add(stp_diags_t *diags, stp_severity_t severity, stp_loc_t loc, const char *format,
                   ...) {
  if (severity == STP_DIAG_ERROR) {
    diags->num_errors++;
    if (diags->num_errors > STP_DIAG_MAX_ERRORS) {
      return;
    }
  } else if (diags->num_errors > STP_DIAG_MAX_ERRORS) {
    return;
  }
  if (severity == STP_DIAG_WARNING) {
    diags->num_warnings++;
  }
  if (severity != STP_DIAG_NOTE || diags->num_groups == 0) {
    diags->num_groups++;
  }
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(&diags->arena, format, args);
  va_end(args);
  stp_diag_t diag = {severity, loc, message, diags->num_groups - 1};
  STP_VEC_PUSH(&diags->arena, &diags->list, diag);
}

bool stp_diags_full(const stp_diags_t *diags) {
  return diags->num_errors >= STP_DIAG_MAX_ERRORS;
}

/* ---- order ------------------------------------------------------------------------------- */

typedef struct {
  stp_loc_t loc; /* of the group's first entry */
  stp_diag_t diag;
  int index;
} sort_key_t;

static int compare(const void *a, const void *b) {
  const sort_key_t *x = a;
  const sort_key_t *y = b;
  if (x->diag.order != y->diag.order) {
    if (x->loc.line != y->loc.line) {
      return x->loc.line < y->loc.line ? -1 : 1;
    }
    if (x->loc.col != y->loc.col) {
      return x->loc.col < y->loc.col ? -1 : 1;
    }
    return x->diag.order < y->diag.order ? -1 : 1;
  }
  return x->index < y->index ? -1 : x->index > y->index;
}

void stp_diags_sort(stp_diags_t *diags) {
  int n = diags->list.count;
  if (n < 2) {
    return;
  }
  sort_key_t *keys = stp_arena_array(&diags->arena, (size_t)n, sizeof *keys);
  for (int i = 0; i < n; i++) {
    keys[i].diag = diags->list.data[i];
    keys[i].index = i;
    bool first = i == 0 || keys[i].diag.order != keys[i - 1].diag.order;
    keys[i].loc = first ? keys[i].diag.loc : keys[i - 1].loc;
  }
  qsort(keys, (size_t)n, sizeof *keys, compare);
  for (int i = 0; i < n; i++) {
    diags->list.data[i] = keys[i].diag;
  }
}

/* ---- rendering --------------------------------------------------------------------------- */

/* The text of a line, without its end; NULL if there is none. */
static const char *source_line(const stp_diags_t *diags, uint32_t line, size_t *len) {
  if (diags->text == NULL || line < diags->first_line) {
    return NULL;
  }
  const char *p = diags->text;
  const char *end = diags->text + diags->len;
  for (uint32_t n = diags->first_line; n < line; n++) {
    const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    if (newline == NULL) {
      return NULL;
    }
    p = newline + 1;
  }
  const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
  *len = (size_t)((newline != NULL ? newline : end) - p);
  return p;
}

void stp_diags_print(const stp_diags_t *diags, FILE *out) {
  static const char *const names[] = {"error", "warning", "note"};
  for (int i = 0; i < diags->list.count; i++) {
    const stp_diag_t *d = &diags->list.data[i];
    if (d->loc.line == 0) {
      fprintf(out, "%s: %s: %s\n", diags->file, names[d->severity], d->message);
      continue;
    }
    fprintf(out, "%s:%u:%u: %s: %s\n", diags->file, d->loc.line, d->loc.col, names[d->severity],
            d->message);
    size_t len = 0;
    const char *line = source_line(diags, d->loc.line, &len);
    if (line == NULL || len > 400) {
      continue;
    }
    for (size_t k = 0; k < len; k++) {
      fputc(line[k] == '\t' || (unsigned char)line[k] >= 0x20 ? line[k] : '?', out);
    }
    fputc('\n', out);
    for (size_t k = 0; k + 1 < d->loc.col; k++) {
      fputc(k < len && line[k] == '\t' ? '\t' : ' ', out);
    }
    fputs("^\n", out);
  }
  if (diags->num_errors > STP_DIAG_MAX_ERRORS) {
    fprintf(out, "%s: error: %d errors in all; only the first %d are shown\n", diags->file,
            diags->num_errors, STP_DIAG_MAX_ERRORS);
  }
}

/* ---- expected-error comments ------------------------------------------------------------- */

typedef struct {
  stp_severity_t severity;
  uint32_t line, col; /* col 0: any */
  const char *text;
  size_t len;
  bool found;
  uint32_t written_at;
} expected_t;

/* Read what follows "expected-error": [ ][@where[:col]] {{text}}. NULL if it is malformed. */
static const char *parse_expected(const char *p, const char *end, uint32_t line, expected_t *e) {
  while (p < end && *p == ' ') {
    p++;
  }
  e->line = line;
  e->col = 0;
  if (p < end && *p == '@') {
    p++;
    if (end - p >= 5 && memcmp(p, "below", 5) == 0) {
      e->line = line + 1;
      p += 5;
    } else if (end - p >= 5 && memcmp(p, "above", 5) == 0) {
      e->line = line - 1;
      p += 5;
    } else {
      char sign = p < end && (*p == '+' || *p == '-') ? *p++ : 0;
      uint32_t n = 0;
      const char *digits = p;
      while (p < end && isdigit((unsigned char)*p) && n < 100000000) {
        n = n * 10 + (uint32_t)(*p++ - '0');
      }
      if (p == digits) {
        return NULL;
      }
      e->line = sign == '+' ? line + n : sign == '-' ? line - n : n;
    }
    if (p < end && *p == ':') {
      p++;
      while (p < end && isdigit((unsigned char)*p) && e->col < 100000000) {
        e->col = e->col * 10 + (uint32_t)(*p++ - '0');
      }
    }
  }
  while (p < end && *p == ' ') {
    p++;
  }
  if (end - p < 2 || p[0] != '{' || p[1] != '{') {
    return NULL;
  }
  p += 2;
  e->text = p;
  while (end - p >= 2 && !(p[0] == '}' && p[1] == '}')) {
    p++;
  }
  if (end - p < 2) {
    return NULL;
  }
  e->len = (size_t)(p - e->text);
  return p + 2;
}

static bool contains(const char *text, const char *part, size_t len) {
  size_t n = strlen(text);
  for (size_t i = 0; i + len <= n; i++) {
    if (memcmp(text + i, part, len) == 0) {
      return true;
    }
  }
  return false;
}

int stp_diags_check(const stp_diags_t *diags, FILE *out) {
  static const struct {
    const char *word;
    stp_severity_t severity;
  } words[] = {{"expected-error", STP_DIAG_ERROR},
               {"expected-warning", STP_DIAG_WARNING},
               {"expected-note", STP_DIAG_NOTE}};
  static const char *const names[] = {"error", "warning", "note"};
  int differences = 0;
  stp_arena_t arena;
  stp_arena_init(&arena);
  STP_VEC(expected_t) list = {0};
  const char *end = diags->text + diags->len;
  uint32_t line = diags->first_line;
  for (const char *p = diags->text; p < end; line++) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *stop = newline != NULL ? newline : end;
    const char *q = p;
    while (q < stop) {
      expected_t e = {0};
      size_t skip = 1;
      for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t n = strlen(words[w].word);
        if ((size_t)(stop - q) >= n && memcmp(q, words[w].word, n) == 0) {
          const char *after = parse_expected(q + n, stop, line, &e);
          e.severity = words[w].severity;
          e.written_at = line;
          if (after == NULL) {
            fprintf(out, "%s:%u: malformed %s comment\n", diags->file, line, words[w].word);
            differences++;
            skip = n;
          } else {
            STP_VEC_PUSH(&arena, &list, e);
            skip = (size_t)(after - q);
          }
          break;
        }
      }
      q += skip;
    }
    p = newline != NULL ? newline + 1 : end;
  }
  for (int i = 0; i < diags->list.count; i++) {
    const stp_diag_t *d = &diags->list.data[i];
    bool found = false;
    for (int k = 0; k < list.count && !found; k++) {
      expected_t *e = &list.data[k];
      if (!e->found && e->severity == d->severity && e->line == d->loc.line &&
          (e->col == 0 || e->col == d->loc.col) && contains(d->message, e->text, e->len)) {
        found = e->found = true;
      }
    }
    if (!found && d->severity != STP_DIAG_NOTE) {
      fprintf(out, "%s:%u:%u: unexpected %s: %s\n", diags->file, d->loc.line, d->loc.col,
              names[d->severity], d->message);
      differences++;
    }
  }
  for (int k = 0; k < list.count; k++) {
    const expected_t *e = &list.data[k];
    if (!e->found) {
      fprintf(out, "%s:%u: expected %s at line %u was not produced: %.*s\n", diags->file,
              e->written_at, names[e->severity], e->line, (int)e->len, e->text);
      differences++;
    }
  }
  stp_arena_free(&arena);
  return differences;
}
