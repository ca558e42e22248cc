/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Row passes: random expressions of reductions along rows, broadcasts along rows and columns,
 * scalars and elementwise ops, also in linalg.generic, of random types, shapes and lengths, on the
 * C model of a core and in the interpreter; both must leave the same bits. `test_sched_rows CASES
 * [FIRST]` runs more of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "text.h"

enum { MAX_VALUES = 48 };

static unsigned cases = 150, first_case = 1;

typedef struct value {
  char name[8];
  const char *elem;
} value_t;

typedef struct kernel {
  text_t t;
  uint64_t seed;
  int rows, cols, tiles, num_full, num_row, next;
  value_t full[MAX_VALUES], row[MAX_VALUES]; /* rows x cols; rows */
  const char *vec;                           /* type of the loaded vector of cols, or NULL */
} kernel_t;

static unsigned pick(kernel_t *k, unsigned n) {
  k->seed ^= k->seed << 13;
  k->seed ^= k->seed >> 7;
  k->seed ^= k->seed << 17;
  return (unsigned)(k->seed >> 33) % n;
}

static const char *pick_elem(kernel_t *k) {
  static const char *const elems[] = {"f16", "f16", "bf16", "f32"};
  return elems[pick(k, 4)];
}

static const char *shape(const kernel_t *k, bool row, const char *elem) {
  static char s[4][40];
  static unsigned at;
  char *out = s[at++ % 4];
  if (row)
    snprintf(out, sizeof s[0], "%dx%s", k->rows, elem);
  else
    snprintf(out, sizeof s[0], "%dx%dx%s", k->rows, k->cols, elem);
  return out;
}

static value_t *add_value(kernel_t *k, bool row, const char *elem) {
  value_t *v = row ? &k->row[k->num_row++] : &k->full[k->num_full++];
  assert_true(k->num_row <= MAX_VALUES && k->num_full <= MAX_VALUES);
  snprintf(v->name, sizeof v->name, "t%d", k->next++);
  v->elem = elem;
  return v;
}

/* Later values more often than early ones. */
static value_t *pick_value(kernel_t *k, bool row) {
  int n = row ? k->num_row : k->num_full;
  unsigned a = pick(k, (unsigned)n), b = pick(k, (unsigned)n);
  return (row ? k->row : k->full) + (a > b ? a : b);
}

/* The value in another type. */
static value_t *convert(kernel_t *k, bool row, value_t *v, const char *elem) {
  while (v->elem != elem) {
    bool wide = strcmp(v->elem, "f32") == 0;
    const char *to = wide ? elem : "f32";
    value_t *c = add_value(k, row, to);
    put(&k->t, "%%%s = arith.%s %%%s : tensor<%s> to tensor<%s>\n", c->name,
        wide ? "truncf" : "extf", v->name, shape(k, row, v->elem), shape(k, row, to));
    v = c;
  }
  return v;
}

static void put_op(kernel_t *k, bool row) {
  static const char *const two[] = {"addf",     "subf",     "mulf",    "mulf",   "divf",
                                    "maximumf", "minimumf", "maxnumf", "minnumf"};
  value_t *x = pick_value(k, row), *y = pick_value(k, row);
  unsigned op = pick(k, 14);
  if (op < 9) y = convert(k, row, y, x->elem);
  const char *s = shape(k, row, x->elem);
  if (op >= 12) {
    y = convert(k, row, y, x->elem);
    char c[8];
    snprintf(c, sizeof c, "t%d", k->next++);
    value_t *r = add_value(k, row, x->elem);
    put(&k->t, "%%%s = arith.cmpf %s, %%%s, %%%s : tensor<%s>\n", c, op == 12 ? "olt" : "une",
        x->name, y->name, s);
    put(&k->t, "%%%s = arith.select %%%s, %%%s, %%%s : tensor<%s>, tensor<%s>\n", r->name, c,
        y->name, x->name, shape(k, row, "i1"), s);
    return;
  }
  value_t *r = add_value(k, row, x->elem);
  if (op < 9)
    put(&k->t, "%%%s = arith.%s %%%s, %%%s : tensor<%s>\n", r->name, two[op], x->name, y->name, s);
  else
    put(&k->t, "%%%s = %s %%%s : tensor<%s>\n", r->name,
        op == 9    ? "arith.negf"
        : op == 10 ? "math.absf"
                   : "math.exp",
        x->name, s);
}

static void put_reduction(kernel_t *k) {
  static const char *const ops[] = {"addf", "addf", "maximumf", "minimumf", "maxnumf", "minnumf"};
  static const char *const starts[] = {"0.0", "-0.0", "1.5", "-100.0"};
  value_t *x = pick_value(k, false);
  if (pick(k, 3) == 0) x = convert(k, false, x, "f32");
  value_t *r = add_value(k, true, x->elem);
  put(&k->t, "%%%s_from = arith.constant dense<%s> : tensor<%s>\n", r->name, starts[pick(k, 4)],
      shape(k, true, x->elem));
  put(&k->t,
      "%%%s = linalg.reduce { arith.%s } ins(%%%s : tensor<%s>) outs(%%%s_from : tensor<%s>) "
      "dimensions = [1]\n",
      r->name, ops[pick(k, 6)], x->name, shape(k, false, x->elem), r->name,
      shape(k, true, x->elem));
}

static void put_broadcast(kernel_t *k, const char *name, const char *elem, const char *from,
                          int dimension) {
  value_t *r = add_value(k, false, elem);
  put(&k->t, "%%%s_to = tensor.empty() : tensor<%s>\n", r->name, shape(k, false, elem));
  put(&k->t,
      "%%%s = linalg.broadcast ins(%%%s : tensor<%s>) outs(%%%s_to : tensor<%s>) dimensions = "
      "[%d]\n",
      r->name, name, from, r->name, shape(k, false, elem), dimension);
}

/* exp(a - r) * v + 0.5 and the like, with operands of several shapes. */
static void put_generic(kernel_t *k) {
  static const char *const ops[] = {"addf", "subf", "mulf", "maximumf"};
  value_t *a = pick_value(k, false), *r = convert(k, true, pick_value(k, true), a->elem);
  bool vec = k->vec && strcmp(k->vec, a->elem) == 0, outer = pick(k, 2);
  value_t *o = add_value(k, false, a->elem);
  const char *e = a->elem, *s = shape(k, false, e);
  text_t *t = &k->t;
  put(t, "%%%s_to = tensor.empty() : tensor<%s>\n", o->name, s);
  if (outer) put(t, "%%%s_half = arith.constant 0.5 : %s\n", o->name, e);
  put(t,
      "%%%s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, "
      "d1) -> (d0)>%s, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
      "\"parallel\"]} ins(%%%s, %%%s%s : tensor<%s>, tensor<%s>",
      o->name, vec ? ", affine_map<(d0, d1) -> (d1)>" : "", a->name, r->name, vec ? ", %vec" : "",
      s, shape(k, true, e));
  if (vec) put(t, ", tensor<%dx%s>", k->cols, e);
  put(t, ") outs(%%%s_to : tensor<%s>) {\n^bb0(%%x : %s, %%y : %s%s%s, %%w : %s):\n", o->name, s, e,
      e, vec ? ", %z : " : "", vec ? e : "", e);
  if (!outer) put(t, "%%h = arith.constant 0.5 : %s\n", e);
  put(t, "%%1 = arith.%s %%x, %%y : %s\n%%2 = math.exp %%1 : %s\n", ops[pick(k, 4)], e, e);
  put(t, "%%3 = arith.%s %%2, %%%s : %s\n", ops[pick(k, 4)], vec ? "z" : "x", e);
  put(t, "%%4 = arith.%s %%3, %%%s%s : %s\nlinalg.yield %%4 : %s\n} -> tensor<%s>\n",
      ops[pick(k, 4)], outer ? o->name : "h", outer ? "_half" : "", e, e, s);
}

/* A reduction down the columns, and something of it, spread over rows again. */
static void put_columns(kernel_t *k) {
  static const char *const ops[] = {"addf", "addf", "maximumf", "minnumf"};
  value_t *x = pick_value(k, false);
  if (pick(k, 3) == 0) x = convert(k, false, x, "f32");
  int n = k->next++;
  const char *e = x->elem;
  text_t *t = &k->t;
  put(t, "%%c%d_from = arith.constant dense<%s> : tensor<%dx%s>\n", n, pick(k, 2) ? "0.0" : "-1.5",
      k->cols, e);
  put(t,
      "%%c%d_all = linalg.reduce { arith.%s } ins(%%%s : tensor<%s>) outs(%%c%d_from : "
      "tensor<%dx%s>) dimensions = [0]\n",
      n, ops[pick(k, 4)], x->name, shape(k, false, e), n, k->cols, e);
  char name[16], from[24];
  snprintf(name, sizeof name, "c%d_all", n);
  if (pick(k, 2)) {
    put(t, "%%c%d = math.absf %%%s : tensor<%dx%s>\n", n, name, k->cols, e);
    snprintf(name, sizeof name, "c%d", n);
  }
  snprintf(from, sizeof from, "%dx%s", k->cols, e);
  put_broadcast(k, name, e, from, 0);
}

/* A scalar that the whole vector, or the only row, gives, spread over rows. */
static void put_scalar(kernel_t *k) {
  text_t *t = &k->t;
  const char *e;
  int n = k->next++;
  if (k->rows == 1) {
    value_t *r = pick_value(k, true);
    e = r->elem;
    put(t, "%%s%d = tensor.extract %%%s[%%c0] : tensor<1x%s>\n", n, r->name, e);
  } else if (k->vec) {
    e = k->vec;
    put(t,
        "%%s%d_from = arith.constant dense<0.0> : tensor<%s>\n%%s%d_all = linalg.reduce { "
        "arith.addf } ins(%%vec : tensor<%dx%s>) outs(%%s%d_from : tensor<%s>) dimensions = [0]\n"
        "%%s%d = tensor.extract %%s%d_all[] : tensor<%s>\n",
        n, e, n, k->cols, e, n, e, n, n, e);
  } else {
    return;
  }
  bool row = pick(k, 2);
  put(t, "%%k%d = arith.constant 3 : i32\n%%m%d = arith.sitofp %%k%d : i32 to %s\n", n, n, n, e);
  put(t, "%%d%d = arith.divf %%s%d, %%m%d : %s\n", n, n, n, e);
  value_t *r = add_value(k, row, e);
  put(t, "%%%s = tensor.splat %%d%d : tensor<%s>\n", r->name, n, shape(k, row, e));
}

static void write_kernel(kernel_t *k) {
  static const int lengths[] = {1,   3,   31,  32,  33,   63,   64,   65,  100,
                                128, 200, 320, 511, 1000, 1536, 2500, 5000};
  text_t *t = &k->t;
  k->rows = 1 + (int)pick(k, pick(k, 2) ? 6 : 40);
  k->cols = lengths[pick(k, sizeof lengths / sizeof lengths[0])];
  bool per_row = pick(k, 2);
  k->tiles = per_row ? 1 : 1 + (int)pick(k, 3);
  const char *a = pick_elem(k), *b = pick_elem(k), *v = pick_elem(k), *s = pick_elem(k);
  char tile[40], grid[8], from[24];
  snprintf(tile, sizeof tile, "%dx%d", k->rows, k->cols);
  snprintf(grid, sizeof grid, "%d", k->tiles);
  put_head(t, "%a: index, %b: index, %v: index, %s: index, %o: index, %q: index", grid);
  put(t,
      "%%id = ktdp.get_compute_tile_id : index\n%%rows = arith.constant %d : index\n"
      "%%row = arith.muli %%id, %%rows : index\n",
      k->rows);
  put_tile(t, "a", a, k->tiles * k->rows, k->cols, k->cols, 1, "%row", "%c0", k->rows, k->cols);
  put_tile(t, "b", b, k->tiles * k->rows, k->cols, k->cols, 1, "%row", "%c0", k->rows, k->cols);
  put_vector(t, "v", v, k->cols);
  put_vector(t, "s", s, k->rows);
  put_load(t, add_value(k, false, a)->name, "a", shape(k, false, a), tile);
  if (pick(k, 2)) put_load(t, add_value(k, false, b)->name, "b", shape(k, false, b), tile);
  snprintf(from, sizeof from, "%d", k->rows);
  put_load(t, add_value(k, true, s)->name, "s", shape(k, true, s), from);
  if (pick(k, 2)) {
    char vector[24];
    snprintf(from, sizeof from, "%d", k->cols);
    snprintf(vector, sizeof vector, "%dx%s", k->cols, v);
    put_load(t, "vec", "v", vector, from);
    k->vec = v;
    put_broadcast(k, "vec", v, vector, 0);
  }
  for (unsigned n = 2 + pick(k, 9); n > 0; n--) {
    unsigned what = pick(k, 11);
    if (what < 4) {
      put_op(k, false);
    } else if (what == 4) {
      put_op(k, true);
    } else if (what == 5) {
      value_t *r = pick_value(k, true);
      put_broadcast(k, r->name, r->elem, shape(k, true, r->elem), 1);
    } else if (what == 6) {
      put_generic(k);
    } else if (what == 7) {
      put_scalar(k);
    } else if (what == 8) {
      put_columns(k);
    } else {
      put_reduction(k);
    }
  }
  /* A result of whole rows, and one of an element for each. */
  value_t *o = pick_value(k, false), *q = &k->row[k->num_row - 1];
  put_tile(t, "o", o->elem, k->tiles * k->rows, k->cols, k->cols, 1, "%row", "%c0", k->rows,
           k->cols);
  put_store(t, o->name, "o", shape(k, false, o->elem), tile);
  if (per_row && k->num_row > 1) {
    snprintf(from, sizeof from, "%d", k->rows);
    put_vector(t, "q", q->elem, k->rows);
    put_store(t, q->name, "q", shape(k, true, q->elem), from);
  }
  put_end(t);
}

/* False if the scheduler refuses the kernel. */
static bool run_case(unsigned number) {
  kernel_t *k = calloc(1, sizeof *k);
  k->seed = number * 0x9e3779b97f4a7c15u | 1;
  for (int i = 0; i < 8; i++) pick(k, 2);
  write_kernel(k);
  bool compiled = check_kernel(number, k->t.s, 2);
  free(k);
  return compiled;
}

static void random_rows(void **state) {
  (void)state;
  unsigned compiled = 0;
  for (unsigned i = 0; i < cases; i++) compiled += run_case(first_case + i);
  print_message("%u of %u kernels compiled and ran\n", compiled, cases);
  assert_true(compiled * 10 >= cases * 9);
}

int main(int argc, char **argv) {
  if (argc > 1) cases = (unsigned)strtoul(argv[1], NULL, 0);
  if (argc > 2) first_case = (unsigned)strtoul(argv[2], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
