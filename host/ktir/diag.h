/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics: collected as values, rendered like a compiler's, and checked against the
 * `expected-error` comments of a test file.
 */
#ifndef STP_KTIR_DIAG_H
#define STP_KTIR_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"

/* A place in the source text: line and column count from 1; line 0 means "no place". */
typedef struct stp_loc {
  uint32_t line;
  uint32_t col;
} stp_loc_t;

typedef enum { STP_DIAG_ERROR, STP_DIAG_WARNING, STP_DIAG_NOTE } stp_severity_t;

typedef struct stp_diag {
  stp_severity_t severity;
  stp_loc_t loc;
  const char *message; /* without severity, file or line; owned by the list */
  int order;           /* index of the error or warning it belongs to, in order of emission */
} stp_diag_t;

#define STP_DIAG_MAX_ERRORS 20

typedef struct stp_diags {
  stp_arena_t arena;
  const char *file;    /* shown before the line number; not owned */
  const char *text;    /* the source, for the caret line; may be NULL; not owned */
  size_t len;          /* bytes in text */
  uint32_t first_line; /* line number of the first line of text (1 unless it is a section) */
  STP_VEC(stp_diag_t) list;
  int num_errors; /* errors seen; only the first STP_DIAG_MAX_ERRORS are in the list */
  int num_warnings;
  int num_groups;
} stp_diags_t;

/* `file` and `text` must outlive the list. */
void stp_diags_init(stp_diags_t *diags, const char *file, const char *text, size_t len);
void stp_diags_free(stp_diags_t *diags);

/* Add one diagnostic. A note belongs to the error or warning added last. */
void stp_diags_add(stp_diags_t *diags, stp_severity_t severity, stp_loc_t loc, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* True once STP_DIAG_MAX_ERRORS errors are in the list: the producer should stop. */
bool stp_diags_full(const stp_diags_t *diags);
/* Order by position (errors found by late passes move up); notes stay with their error. */
void stp_diags_sort(stp_diags_t *diags);
/* Render: "file:line:col: error: message", the source line and a caret. */
void stp_diags_print(const stp_diags_t *diags, FILE *out);

/*
 * Compare with the comments of the source text:
 *   // expected-error@LINE[:COL] {{message}}    also expected-warning and expected-note
 * LINE is absolute or relative (@+1, @-2), @above or @below, or absent (the comment's own line);
 * a space before @ is allowed. The text between braces must be a part of the message. Every error
 * and warning must be expected, and every expected one must be there. What differs is written to
 * `out`. Returns the number of differences.
 */
int stp_diags_check(const stp_diags_t *diags, FILE *out);

#endif
