/* SPDX-License-Identifier: Apache-2.0 */
/* Affine expressions, maps and sets as trees. Immutable once built; owned by an arena. */
#ifndef STP_KTIR_AFFINE_H
#define STP_KTIR_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

typedef enum {
  STP_AFFINE_CONST,
  STP_AFFINE_DIM,
  STP_AFFINE_SYM,
  STP_AFFINE_ADD,
  STP_AFFINE_MUL,      /* one side is free of dims */
  STP_AFFINE_FLOORDIV, /* right side is free of dims; evaluation fails unless it is positive */
  STP_AFFINE_CEILDIV,
  STP_AFFINE_MOD
} stp_affine_kind_t;

typedef struct stp_affine_expr {
  stp_affine_kind_t kind;
  int64_t value; /* the constant, or the position of the dim or symbol */
  const struct stp_affine_expr *lhs, *rhs;
} stp_affine_expr_t;

typedef struct stp_affine_map {
  int num_dims, num_syms, num_results;
  const stp_affine_expr_t *const *results;
} stp_affine_map_t;

/* The points where every expression is >= 0 (or == 0 where `eq` is set). */
typedef struct stp_affine_set {
  int num_dims, num_syms, num_constraints;
  const stp_affine_expr_t *const *constraints;
  const bool *eq;
} stp_affine_set_t;

/* Build, folding constants; NULL when the constant arithmetic overflows 64 bits. */
const stp_affine_expr_t *stp_affine_const(stp_arena_t *a, int64_t value);
const stp_affine_expr_t *stp_affine_dim(stp_arena_t *a, int position);
const stp_affine_expr_t *stp_affine_sym(stp_arena_t *a, int position);
const stp_affine_expr_t *stp_affine_binary(stp_arena_t *a, stp_affine_kind_t kind,
                                           const stp_affine_expr_t *lhs,
                                           const stp_affine_expr_t *rhs);
const stp_affine_map_t *stp_affine_map_identity(stp_arena_t *a, int num_dims);
/* The set 0 <= d_i < sizes[i]; a negative size stands for symbol s_k, numbered left to right. */
const stp_affine_set_t *stp_affine_set_box(stp_arena_t *a, int num_dims, const int64_t *sizes);

/* The same expression with dim i renumbered to positions[i]. */
const stp_affine_expr_t *stp_affine_renumber(stp_arena_t *a, const stp_affine_expr_t *e,
                                             const int *positions);

bool stp_affine_is_symbolic(const stp_affine_expr_t *e); /* free of dims */
bool stp_affine_uses_dim(const stp_affine_expr_t *e, int position);

/* Evaluate at integers. False on overflow or on division by a number that is not positive. */
bool stp_affine_eval(const stp_affine_expr_t *e, const int64_t *dims, const int64_t *syms,
                     int64_t *result);
bool stp_affine_set_contains(const stp_affine_set_t *set, const int64_t *dims, const int64_t *syms,
                             bool *result);

/*
 * Coefficients of a linear expression: value = constant + sum dims + sum syms. False where the
 * expression has floordiv, ceildiv, mod or a product of symbols. Arrays have at least one entry.
 */
bool stp_affine_linear(const stp_affine_expr_t *e, int num_dims, int num_syms, int64_t *dim_coef,
                       int64_t *sym_coef, int64_t *constant);

/* True if the map is a permutation of its dims; perm[i] = the dim that result i names. */
bool stp_affine_map_permutation(const stp_affine_map_t *map, int *perm);
bool stp_affine_map_is_identity(const stp_affine_map_t *map);

/*
 * Is the set, for the given symbols, a box lo[i] <= d_i <= hi[i]? True only if every constraint
 * bounds one dim with coefficient +-1 or +-c (divided out) and every dim is bounded on both sides.
 * An empty box has hi < lo in some dim. False: not a box (or unbounded): use the two below.
 */
bool stp_affine_set_as_box(const stp_affine_set_t *set, const int64_t *syms, int64_t *lo,
                           int64_t *hi);
/*
 * A bounding box of any set by propagation of its linear constraints. False: some dim stays
 * unbounded. The box may be larger than the hull. An empty set may give hi < lo.
 */
bool stp_affine_set_bounds(const stp_affine_set_t *set, const int64_t *syms, int64_t *lo,
                           int64_t *hi);
/* Number of points, by enumeration inside the bounds; -1 if unbounded or more than `limit` tries.
 */
int64_t stp_affine_set_count(const stp_affine_set_t *set, const int64_t *syms, int64_t limit);

bool stp_affine_expr_equal(const stp_affine_expr_t *a, const stp_affine_expr_t *b);
bool stp_affine_map_equal(const stp_affine_map_t *a, const stp_affine_map_t *b);
bool stp_affine_set_equal(const stp_affine_set_t *a, const stp_affine_set_t *b);

/* Text as MLIR prints it, without the affine_map<> or affine_set<> around it. */
const char *stp_affine_expr_text(stp_arena_t *a, const stp_affine_expr_t *e);
const char *stp_affine_map_text(stp_arena_t *a, const stp_affine_map_t *map);
const char *stp_affine_set_text(stp_arena_t *a, const stp_affine_set_t *set);

#endif
