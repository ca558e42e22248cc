/* SPDX-License-Identifier: Apache-2.0 */
#include "affine.h"

#include <string.h>

/* ---- building ---------------------------------------------------------------------------- */

static const stp_affine_expr_t *leaf(stp_arena_t *a, stp_affine_kind_t kind, int64_t value) {
  stp_affine_expr_t *e = stp_arena_alloc(a, sizeof *e);
  e->kind = kind;
  e->value = value;
  return e;
}

const stp_affine_expr_t *stp_affine_const(stp_arena_t *a, int64_t value) {
  return leaf(a, STP_AFFINE_CONST, value);
}

const stp_affine_expr_t *stp_affine_dim(stp_arena_t *a, int position) {
  return leaf(a, STP_AFFINE_DIM, position);
}

const stp_affine_expr_t *stp_affine_sym(stp_arena_t *a, int position) {
  return leaf(a, STP_AFFINE_SYM, position);
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* One step of arithmetic; b > 0 is required for the divisions. */
static bool apply(stp_affine_kind_t kind, int64_t x, int64_t y, int64_t *result) {
  switch (kind) {
  case STP_AFFINE_ADD:
    return !__builtin_add_overflow(x, y, result);
  case STP_AFFINE_MUL:
    return !__builtin_mul_overflow(x, y, result);
  case STP_AFFINE_FLOORDIV:
    if (y <= 0) {
      return false;
    }
    *result = floor_div(x, y);
    return true;
  case STP_AFFINE_CEILDIV:
    if (y <= 0) {
      return false;
    }
    *result = x / y + (x % y > 0);
    return true;
  case STP_AFFINE_MOD:
    if (y <= 0) {
      return false;
    }
    *result = x - floor_div(x, y) * y;
    return true;
  default:
    return false;
  }
}

static bool is_const(const stp_affine_expr_t *e, int64_t value) {
  return e->kind == STP_AFFINE_CONST && e->value == value;
}

const stp_affine_expr_t *stp_affine_binary(stp_arena_t *a, stp_affine_kind_t kind,
                                           const stp_affine_expr_t *lhs,
                                           const stp_affine_expr_t *rhs) {
  if (lhs->kind == STP_AFFINE_CONST && rhs->kind == STP_AFFINE_CONST) {
    int64_t value;
    return apply(kind, lhs->value, rhs->value, &value) ? stp_affine_const(a, value) : NULL;
  }
  if (kind == STP_AFFINE_ADD && is_const(rhs, 0)) {
    return lhs;
  }
  if (kind == STP_AFFINE_ADD && is_const(lhs, 0)) {
    return rhs;
  }
  if (kind == STP_AFFINE_MUL && is_const(rhs, 1)) {
    return lhs;
  }
  if (kind == STP_AFFINE_MUL && is_const(lhs, 1)) {
    return rhs;
  }
  stp_affine_expr_t *e = stp_arena_alloc(a, sizeof *e);
  e->kind = kind;
  e->lhs = lhs;
  e->rhs = rhs;
  return e;
}

const stp_affine_map_t *stp_affine_map_identity(stp_arena_t *a, int num_dims) {
  stp_affine_map_t *map = stp_arena_alloc(a, sizeof *map);
  const stp_affine_expr_t **results = stp_arena_array(a, (size_t)num_dims, sizeof(void *));
  for (int i = 0; i < num_dims; i++) {
    results[i] = stp_affine_dim(a, i);
  }
  map->num_dims = map->num_results = num_dims;
  map->results = results;
  return map;
}

const stp_affine_set_t *stp_affine_set_box(stp_arena_t *a, int num_dims, const int64_t *sizes) {
  stp_affine_set_t *set = stp_arena_alloc(a, sizeof *set);
  const stp_affine_expr_t **list = stp_arena_array(a, (size_t)num_dims * 2, sizeof(void *));
  set->num_dims = num_dims;
  for (int i = 0; i < num_dims; i++) {
    const stp_affine_expr_t *dim = stp_affine_dim(a, i);
    const stp_affine_expr_t *minus =
        stp_affine_binary(a, STP_AFFINE_MUL, dim, stp_affine_const(a, -1));
    const stp_affine_expr_t *top =
        sizes[i] >= 0 ? stp_affine_const(a, sizes[i] - 1)
                      : stp_affine_binary(a, STP_AFFINE_ADD, stp_affine_sym(a, set->num_syms++),
                                          stp_affine_const(a, -1));
    list[2 * i] = dim;
    list[2 * i + 1] = stp_affine_binary(a, STP_AFFINE_ADD, minus, top);
  }
  set->num_constraints = 2 * num_dims;
  set->constraints = list;
  set->eq = stp_arena_array(a, (size_t)num_dims * 2, sizeof(bool));
  return set;
}

const stp_affine_expr_t *stp_affine_renumber(stp_arena_t *a, const stp_affine_expr_t *e,
                                             const int *positions) {
  if (e->kind == STP_AFFINE_DIM) {
    return stp_affine_dim(a, positions[e->value]);
  }
  if (e->lhs == NULL) {
    return e;
  }
  stp_affine_expr_t *copy = stp_arena_copy(a, e, sizeof *e);
  copy->lhs = stp_affine_renumber(a, e->lhs, positions);
  copy->rhs = stp_affine_renumber(a, e->rhs, positions);
  return copy;
}

/* ---- questions --------------------------------------------------------------------------- */

bool stp_affine_is_symbolic(const stp_affine_expr_t *e) {
  return e->kind == STP_AFFINE_CONST || e->kind == STP_AFFINE_SYM ||
         (e->kind != STP_AFFINE_DIM && stp_affine_is_symbolic(e->lhs) &&
          stp_affine_is_symbolic(e->rhs));
}

bool stp_affine_uses_dim(const stp_affine_expr_t *e, int position) {
  if (e->kind == STP_AFFINE_DIM) {
    return e->value == position;
  }
  return e->lhs != NULL &&
         (stp_affine_uses_dim(e->lhs, position) || stp_affine_uses_dim(e->rhs, position));
}

bool stp_affine_eval(const stp_affine_expr_t *e, const int64_t *dims, const int64_t *syms,
                     int64_t *result) {
  switch (e->kind) {
  case STP_AFFINE_CONST:
    *result = e->value;
    return true;
  case STP_AFFINE_DIM:
    *result = dims[e->value];
    return true;
  case STP_AFFINE_SYM:
    *result = syms[e->value];
    return true;
  default:
    break;
  }
  int64_t x, y;
  return stp_affine_eval(e->lhs, dims, syms, &x) && stp_affine_eval(e->rhs, dims, syms, &y) &&
         apply(e->kind, x, y, result);
}

bool stp_affine_set_contains(const stp_affine_set_t *set, const int64_t *dims, const int64_t *syms,
                             bool *result) {
  *result = true;
  for (int i = 0; i < set->num_constraints; i++) {
    int64_t value;
    if (!stp_affine_eval(set->constraints[i], dims, syms, &value)) {
      return false;
    }
    if (set->eq[i] ? value != 0 : value < 0) {
      *result = false;
    }
  }
  return true;
}

/* Adds scale * e to the coefficients. */
static bool add_linear(const stp_affine_expr_t *e, int64_t scale, int64_t *dim_coef,
                       int64_t *sym_coef, int64_t *constant) {
  int64_t *target = NULL;
  int64_t amount = scale;
  switch (e->kind) {
  case STP_AFFINE_CONST:
    target = constant;
    if (__builtin_mul_overflow(scale, e->value, &amount)) {
      return false;
    }
    break;
  case STP_AFFINE_DIM:
    target = &dim_coef[e->value];
    break;
  case STP_AFFINE_SYM:
    target = &sym_coef[e->value];
    break;
  case STP_AFFINE_ADD:
    return add_linear(e->lhs, scale, dim_coef, sym_coef, constant) &&
           add_linear(e->rhs, scale, dim_coef, sym_coef, constant);
  case STP_AFFINE_MUL: {
    const stp_affine_expr_t *factor = e->rhs->kind == STP_AFFINE_CONST ? e->rhs : e->lhs;
    const stp_affine_expr_t *rest = factor == e->rhs ? e->lhs : e->rhs;
    return factor->kind == STP_AFFINE_CONST &&
           !__builtin_mul_overflow(scale, factor->value, &amount) &&
           add_linear(rest, amount, dim_coef, sym_coef, constant);
  }
  default:
    return false;
  }
  return !__builtin_add_overflow(*target, amount, target);
}

bool stp_affine_linear(const stp_affine_expr_t *e, int num_dims, int num_syms, int64_t *dim_coef,
                       int64_t *sym_coef, int64_t *constant) {
  memset(dim_coef, 0, (size_t)num_dims * sizeof *dim_coef);
  memset(sym_coef, 0, (size_t)num_syms * sizeof *sym_coef);
  *constant = 0;
  return add_linear(e, 1, dim_coef, sym_coef, constant);
}

bool stp_affine_map_permutation(const stp_affine_map_t *map, int *perm) {
  if (map->num_syms != 0 || map->num_results != map->num_dims || map->num_dims > 64) {
    return false;
  }
  uint64_t seen = 0;
  for (int i = 0; i < map->num_results; i++) {
    const stp_affine_expr_t *e = map->results[i];
    if (e->kind != STP_AFFINE_DIM || (seen >> e->value & 1) != 0) {
      return false;
    }
    seen |= (uint64_t)1 << e->value;
    perm[i] = (int)e->value;
  }
  return true;
}

bool stp_affine_map_is_identity(const stp_affine_map_t *map) {
  if (map->num_results != map->num_dims) {
    return false;
  }
  for (int i = 0; i < map->num_results; i++) {
    if (map->results[i]->kind != STP_AFFINE_DIM || map->results[i]->value != i) {
      return false;
    }
  }
  return true;
}

/* ---- bounds of sets ---------------------------------------------------------------------- */

#define MAX_DIMS 64
typedef __int128 wide_t;

/* One constraint, with the symbols' values put in: sum coef[i]*d_i + constant (>= 0 or == 0). */
typedef struct {
  int64_t coef[MAX_DIMS];
  int64_t constant;
} row_t;

static bool make_row(const stp_affine_set_t *set, int i, const int64_t *syms, row_t *row) {
  int64_t sym_coef[MAX_DIMS];
  if (set->num_dims > MAX_DIMS || set->num_syms > MAX_DIMS ||
      !stp_affine_linear(set->constraints[i], set->num_dims, set->num_syms, row->coef, sym_coef,
                         &row->constant)) {
    return false;
  }
  for (int s = 0; s < set->num_syms; s++) {
    int64_t term;
    if (sym_coef[s] != 0 && (__builtin_mul_overflow(sym_coef[s], syms[s], &term) ||
                             __builtin_add_overflow(row->constant, term, &row->constant))) {
      return false;
    }
  }
  return true;
}

static wide_t floor_wide(wide_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

static int64_t clamp(wide_t x) {
  return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}

/* coef*d + rest >= 0 where coef != 0: narrow [*lo, *hi]; true if something changed. */
static bool narrow(int64_t coef, wide_t rest, int64_t *lo, int64_t *hi) {
  if (coef > 0) {
    int64_t bound = clamp(-floor_wide(rest, coef)); /* ceil(-rest / coef) */
    if (bound > *lo) {
      *lo = bound;
      return true;
    }
  } else {
    int64_t bound = clamp(floor_wide(rest, coef == INT64_MIN ? INT64_MAX : -coef));
    if (bound < *hi) {
      *hi = bound;
      return true;
    }
  }
  return false;
}

static void make_empty(const stp_affine_set_t *set, int64_t *lo, int64_t *hi) {
  for (int i = 0; i < set->num_dims; i++) {
    lo[i] = 0;
    hi[i] = -1;
  }
}

static bool all_bounded(const stp_affine_set_t *set, const int64_t *lo, const int64_t *hi) {
  for (int i = 0; i < set->num_dims; i++) {
    if (lo[i] == INT64_MIN || hi[i] == INT64_MAX) {
      return false;
    }
  }
  return true;
}

bool stp_affine_set_as_box(const stp_affine_set_t *set, const int64_t *syms, int64_t *lo,
                           int64_t *hi) {
  bool empty = false;
  for (int i = 0; i < set->num_dims; i++) {
    lo[i] = INT64_MIN;
    hi[i] = INT64_MAX;
  }
  for (int i = 0; i < set->num_constraints; i++) {
    row_t row;
    if (!make_row(set, i, syms, &row)) {
      return false;
    }
    int dim = -1;
    for (int d = 0; d < set->num_dims; d++) {
      if (row.coef[d] != 0) {
        if (dim >= 0) {
          return false;
        }
        dim = d;
      }
    }
    if (dim < 0) {
      empty = empty || (set->eq[i] ? row.constant != 0 : row.constant < 0);
      continue;
    }
    narrow(row.coef[dim], row.constant, &lo[dim], &hi[dim]);
    if (set->eq[i]) {
      if (row.coef[dim] == INT64_MIN) {
        return false;
      }
      narrow(-row.coef[dim], -(wide_t)row.constant, &lo[dim], &hi[dim]);
    }
  }
  if (!empty && !all_bounded(set, lo, hi)) {
    return false;
  }
  if (empty) {
    make_empty(set, lo, hi);
  }
  return true;
}

/* The largest value of coef*d for lo <= d <= hi; false if unbounded. */
static bool largest(int64_t coef, int64_t lo, int64_t hi, wide_t *result) {
  if (coef == 0) {
    *result = 0;
    return true;
  }
  int64_t end = coef > 0 ? hi : lo;
  *result = (wide_t)coef * end;
  return end != INT64_MIN && end != INT64_MAX;
}

static bool propagate(const row_t *row, int num_dims, int64_t *lo, int64_t *hi) {
  bool changed = false;
  for (int d = 0; d < num_dims; d++) {
    if (row->coef[d] == 0) {
      continue;
    }
    wide_t rest = row->constant;
    bool bounded = true;
    for (int k = 0; k < num_dims && bounded; k++) {
      wide_t term;
      if (k != d) {
        bounded = largest(row->coef[k], lo[k], hi[k], &term);
        rest += bounded ? term : 0;
      }
    }
    if (bounded) {
      changed = narrow(row->coef[d], rest, &lo[d], &hi[d]) || changed;
    }
  }
  return changed;
}

bool stp_affine_set_bounds(const stp_affine_set_t *set, const int64_t *syms, int64_t *lo,
                           int64_t *hi) {
  if (set->num_dims > MAX_DIMS) {
    return false;
  }
  for (int i = 0; i < set->num_dims; i++) {
    lo[i] = INT64_MIN;
    hi[i] = INT64_MAX;
  }
  /* A skewed set may keep shrinking by one a round: the limit only makes the box larger. */
  bool changed = true;
  for (int round = 0; round < 64 && changed; round++) {
    changed = false;
    for (int i = 0; i < set->num_constraints; i++) {
      row_t row;
      if (!make_row(set, i, syms, &row)) {
        continue;
      }
      changed = propagate(&row, set->num_dims, lo, hi) || changed;
      if (set->eq[i]) {
        bool ok = row.constant != INT64_MIN;
        for (int d = 0; d < set->num_dims; d++) {
          ok = ok && row.coef[d] != INT64_MIN;
          row.coef[d] = ok ? -row.coef[d] : 0;
        }
        row.constant = ok ? -row.constant : 0;
        changed = (ok && propagate(&row, set->num_dims, lo, hi)) || changed;
      }
    }
    for (int d = 0; d < set->num_dims; d++) {
      if (lo[d] > hi[d]) {
        make_empty(set, lo, hi);
        return true;
      }
    }
  }
  return all_bounded(set, lo, hi);
}

int64_t stp_affine_set_count(const stp_affine_set_t *set, const int64_t *syms, int64_t limit) {
  int64_t lo[MAX_DIMS] = {0}, hi[MAX_DIMS] = {0}, at[MAX_DIMS] = {0};
  if (set->num_dims > MAX_DIMS) {
    return -1;
  }
  bool box = stp_affine_set_as_box(set, syms, lo, hi);
  if (!box && !stp_affine_set_bounds(set, syms, lo, hi)) {
    return -1;
  }
  int64_t volume = 1;
  for (int d = 0; d < set->num_dims; d++) {
    int64_t size;
    if (hi[d] < lo[d]) {
      return 0;
    }
    if (__builtin_sub_overflow(hi[d], lo[d], &size) || __builtin_add_overflow(size, 1, &size) ||
        __builtin_mul_overflow(volume, size, &volume)) {
      return -1;
    }
    at[d] = lo[d];
  }
  if (box) {
    return volume;
  }
  if (volume > limit) {
    return -1;
  }
  int64_t count = 0;
  for (int64_t i = 0; i < volume; i++) {
    bool inside;
    if (!stp_affine_set_contains(set, at, syms, &inside)) {
      return -1;
    }
    count += inside;
    for (int d = set->num_dims - 1; d >= 0 && ++at[d] > hi[d]; d--) {
      at[d] = lo[d];
    }
  }
  return count;
}

/* ---- equality and text ------------------------------------------------------------------- */

bool stp_affine_expr_equal(const stp_affine_expr_t *a, const stp_affine_expr_t *b) {
  return a == b || (a->kind == b->kind && a->value == b->value &&
                    (a->lhs == NULL || (stp_affine_expr_equal(a->lhs, b->lhs) &&
                                        stp_affine_expr_equal(a->rhs, b->rhs))));
}

bool stp_affine_map_equal(const stp_affine_map_t *a, const stp_affine_map_t *b) {
  if (a == b) {
    return true;
  }
  if (a->num_dims != b->num_dims || a->num_syms != b->num_syms ||
      a->num_results != b->num_results) {
    return false;
  }
  for (int i = 0; i < a->num_results; i++) {
    if (!stp_affine_expr_equal(a->results[i], b->results[i])) {
      return false;
    }
  }
  return true;
}

bool stp_affine_set_equal(const stp_affine_set_t *a, const stp_affine_set_t *b) {
  if (a == b) {
    return true;
  }
  if (a->num_dims != b->num_dims || a->num_syms != b->num_syms ||
      a->num_constraints != b->num_constraints) {
    return false;
  }
  for (int i = 0; i < a->num_constraints; i++) {
    if (a->eq[i] != b->eq[i] || !stp_affine_expr_equal(a->constraints[i], b->constraints[i])) {
      return false;
    }
  }
  return true;
}

const char *stp_affine_expr_text(stp_arena_t *a, const stp_affine_expr_t *e) {
  static const char *const ops[] = {
      [STP_AFFINE_ADD] = "+",
      [STP_AFFINE_MUL] = "*",
      [STP_AFFINE_FLOORDIV] = "floordiv",
      [STP_AFFINE_CEILDIV] = "ceildiv",
      [STP_AFFINE_MOD] = "mod",
  };
  switch (e->kind) {
  case STP_AFFINE_CONST:
    return stp_arena_printf(a, "%lld", (long long)e->value);
  case STP_AFFINE_DIM:
    return stp_arena_printf(a, "d%lld", (long long)e->value);
  case STP_AFFINE_SYM:
    return stp_arena_printf(a, "s%lld", (long long)e->value);
  default:
    break;
  }
  const char *lhs = stp_affine_expr_text(a, e->lhs);
  const char *rhs = stp_affine_expr_text(a, e->rhs);
  if (e->kind == STP_AFFINE_MUL && is_const(e->rhs, -1)) {
    return stp_arena_printf(a, e->lhs->lhs != NULL ? "-(%s)" : "-%s", lhs);
  }
  if (e->kind == STP_AFFINE_ADD) {
    return stp_arena_printf(a, e->rhs->kind == STP_AFFINE_ADD ? "%s + (%s)" : "%s + %s", lhs, rhs);
  }
  return stp_arena_printf(a, "%s%s%s %s %s%s%s", e->lhs->lhs != NULL ? "(" : "", lhs,
                          e->lhs->lhs != NULL ? ")" : "", ops[e->kind],
                          e->rhs->lhs != NULL ? "(" : "", rhs, e->rhs->lhs != NULL ? ")" : "");
}

static const char *space_text(stp_arena_t *a, int num_dims, int num_syms) {
  const char *text = "(";
  for (int i = 0; i < num_dims; i++) {
    text = stp_arena_printf(a, "%s%sd%d", text, i > 0 ? ", " : "", i);
  }
  text = stp_arena_printf(a, "%s)", text);
  for (int i = 0; i < num_syms; i++) {
    text = stp_arena_printf(a, "%s%ss%d", text, i > 0 ? ", " : "[", i);
  }
  return num_syms > 0 ? stp_arena_printf(a, "%s]", text) : text;
}

const char *stp_affine_map_text(stp_arena_t *a, const stp_affine_map_t *map) {
  const char *text = stp_arena_printf(a, "%s -> (", space_text(a, map->num_dims, map->num_syms));
  for (int i = 0; i < map->num_results; i++) {
    text = stp_arena_printf(a, "%s%s%s", text, i > 0 ? ", " : "",
                            stp_affine_expr_text(a, map->results[i]));
  }
  return stp_arena_printf(a, "%s)", text);
}

const char *stp_affine_set_text(stp_arena_t *a, const stp_affine_set_t *set) {
  const char *text = stp_arena_printf(a, "%s : (", space_text(a, set->num_dims, set->num_syms));
  for (int i = 0; i < set->num_constraints; i++) {
    text = stp_arena_printf(a, "%s%s%s %s 0", text, i > 0 ? ", " : "",
                            stp_affine_expr_text(a, set->constraints[i]), set->eq[i] ? "==" : ">=");
  }
  return stp_arena_printf(a, "%s)", text);
}
