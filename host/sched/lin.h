/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer values known to a sequencer: a constant plus multiples of symbols. A symbol is what
 * cannot be folded: a job argument, a tile coordinate, a loop variable, a place in a ring of
 * buffers, or an operation on such values.
 */
#ifndef STP_SCHED_LIN_H
#define STP_SCHED_LIN_H

#include <stdbool.h>
#include <stdint.h>

#define STP_LIN_TERMS 8

typedef struct stp_lin {
  int64_t c;
  int n;
  struct {
    int sym; /* ascending */
    int64_t k;
  } t[STP_LIN_TERMS];
} stp_lin_t;

typedef enum {
  STP_SYM_ARG,     /* job argument `index`: a device address in bytes */
  STP_SYM_SCALAR,  /* job argument `index`: a scalar that is not specialised */
  STP_SYM_TILE,    /* coordinate `index` of the compute tile */
  STP_SYM_CORELET, /* 0 or 1 */
  STP_SYM_LOOP,    /* variable of a loop */
  STP_SYM_CARRY,   /* a scalar that a loop carries; or what it was in the end */
  STP_SYM_RING,    /* offset of a frame's copy that is in turn */
  STP_SYM_OP       /* an operation on a, b, d */
} stp_sym_kind_t;

typedef enum {
  STP_LINOP_ALU,    /* alu operation `index` (arch/isa.toml) of a and b */
  STP_LINOP_SELECT, /* a != 0 ? b : d */
  STP_LINOP_SEXT    /* low `index` bits of a, sign-extended */
} stp_linop_t;

struct stp_block;

typedef struct stp_sym {
  stp_sym_kind_t kind;
  int index;
  stp_linop_t op;
  stp_lin_t a, b, d;
  bool bounded; /* lo <= value <= hi */
  bool exact;   /* TILE, LOOP: the value is lo at some time, and hi */
  int64_t lo, hi;
  const struct stp_block *block; /* the block whose executions change it; NULL: it never changes */
} stp_sym_t;

static inline stp_lin_t stp_lin_const(int64_t c) {
  stp_lin_t r = {c, 0, {{0, 0}}};
  return r;
}
static inline bool stp_lin_is_const(const stp_lin_t *a) {
  return a->n == 0;
}
stp_lin_t stp_lin_sym(int sym);
bool stp_lin_equal(const stp_lin_t *a, const stp_lin_t *b);
/* False on 64-bit overflow or too many terms; the result is then not defined. `r` may be an
 * operand. */
bool stp_lin_add(stp_lin_t *r, const stp_lin_t *a, const stp_lin_t *b, int64_t scale_b);
bool stp_lin_scale(stp_lin_t *r, const stp_lin_t *a, int64_t k);

/* The range of a form from those of its symbols; false if it has none (or it exceeds 64 bits). */
bool stp_lin_range(const stp_lin_t *a, const stp_sym_t *syms, int64_t *lo, int64_t *hi);
/* One alu operation on numbers, as a sequencer does it. `op` is the n of arch/isa.toml. */
int64_t stp_alu(unsigned op, int64_t a, int64_t b);

#endif
