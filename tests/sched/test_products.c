/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices: random chains of them with what may come in between (biases, residuals,
 * activations, reductions, conversions), of random types and shapes, whole or in steps of k, on the
 * C model of a core and in the interpreter; both must leave the same bits. `test_sched_products
 * CASES [FIRST]` runs more of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "text.h"

static unsigned cases = 120, first_case = 1;

typedef struct kernel {
  text_t head, body;
  uint64_t seed;
  const char *elem; /* of operands */
  int tiles, rows, args, next;
  /* the value at hand */
  char name[16];
  const char *type;
  int cols;
  bool big, huge; /* huge: a matrix that is brought to LX part by part */
} kernel_t;

static unsigned pick(kernel_t *k, unsigned n) {
  k->seed ^= k->seed << 13;
  k->seed ^= k->seed >> 7;
  k->seed ^= k->seed << 17;
  return (unsigned)(k->seed >> 33) % n;
}

static int size(kernel_t *k) {
  static const int sizes[] = {1,  2,  3,  5,  7,  8,   9,   16,  17,  31,  33,  37, 40,
                              63, 64, 65, 70, 72, 100, 128, 130, 200, 256, 300, 333};
  return sizes[pick(k, k->big ? 25 : 21)];
}

static const char *shape(int rows, int cols, const char *elem) {
  static char s[8][40];
  static unsigned at;
  char *out = s[at++ % 8];
  if (rows)
    snprintf(out, sizeof s[0], "%dx%dx%s", rows, cols, elem);
  else
    snprintf(out, sizeof s[0], "%dx%s", cols, elem);
  return out;
}

static const char *tile_shape(int rows, int cols) {
  static char s[4][40];
  static unsigned at;
  char *out = s[at++ % 4];
  snprintf(out, sizeof s[0], "%dx%d", rows, cols);
  return out;
}

/* A new argument, its name to `name`. */
static void argument(kernel_t *k, char name[16]) {
  snprintf(name, 16, "a%d", k->args);
  put(&k->head, "%s%%%s: index", k->args ? ", " : "", name);
  k->args++;
}

static const char *here(const kernel_t *k) {
  return shape(k->rows, k->cols, k->type);
}

static void becomes(kernel_t *k, const char *name, const char *type) {
  memcpy(k->name, name, sizeof k->name);
  k->type = type;
}

static void fresh(kernel_t *k, char name[16]) {
  snprintf(name, 16, "t%d", k->next++);
}

/* A tile of all rows of this compute tile, loaded to a new value. */
static void load_rows(kernel_t *k, int cols, const char *elem, char value[16]) {
  char a[16];
  argument(k, a);
  put_tile(&k->body, a, elem, k->tiles * k->rows, cols, cols, 1, "%row", "%c0", k->rows, cols);
  fresh(k, value);
  put_load(&k->body, value, a, shape(k->rows, cols, elem), tile_shape(k->rows, cols));
}

static void convert(kernel_t *k, const char *elem) {
  if (strcmp(k->type, elem) == 0) return;
  bool wide = strcmp(k->type, "f32") == 0;
  char c[16];
  fresh(k, c);
  put(&k->body, "%%%s = arith.%s %%%s : tensor<%s> to tensor<%s>\n", c, wide ? "truncf" : "extf",
      k->name, here(k), shape(k->rows, k->cols, elem));
  becomes(k, c, elem);
}

static void two(kernel_t *k, const char *op, const char *other) {
  char c[16];
  fresh(k, c);
  put(&k->body, "%%%s = arith.%s %%%s, %%%s : tensor<%s>\n", c, op, k->name, other, here(k));
  becomes(k, c, k->type);
}

static void constant(kernel_t *k, const char *value, char name[16]) {
  fresh(k, name);
  put(&k->body, "%%%s = arith.constant dense<%s> : tensor<%s>\n", name, value, here(k));
}

/* A vector along the rows (dimension 0 repeated) or the columns, added. */
static void add_vector(kernel_t *k, int dimension) {
  char a[16], v[16], w[16], full[16], length[16];
  int n = dimension ? k->rows : k->cols;
  const char *elem = strcmp(k->type, "f32") == 0 && pick(k, 2) ? k->elem : k->type;
  argument(k, a);
  put_vector(&k->body, a, elem, n);
  fresh(k, v);
  snprintf(length, sizeof length, "%d", n);
  put_load(&k->body, v, a, shape(0, n, elem), length);
  if (elem != k->type) {
    fresh(k, w);
    put(&k->body, "%%%s = arith.extf %%%s : tensor<%s> to tensor<%s>\n", w, v, shape(0, n, elem),
        shape(0, n, k->type));
    memcpy(v, w, sizeof v);
  }
  fresh(k, full);
  put(&k->body,
      "%%%s_to = tensor.empty() : tensor<%s>\n"
      "%%%s = linalg.broadcast ins(%%%s : tensor<%s>) outs(%%%s_to : tensor<%s>) dimensions = "
      "[%d]\n",
      full, here(k), full, v, shape(0, n, k->type), full, here(k), dimension);
  two(k, "addf", full);
}

static void less_row_maximum(kernel_t *k) {
  char m[16], full[16];
  const char *row = shape(0, k->rows, k->type);
  fresh(k, m);
  fresh(k, full);
  put(&k->body,
      "%%%s_from = arith.constant dense<-100.0> : tensor<%s>\n"
      "%%%s = linalg.reduce { arith.maximumf } ins(%%%s : tensor<%s>) outs(%%%s_from : tensor<%s>) "
      "dimensions = [1]\n",
      m, row, m, k->name, here(k), m, row);
  put(&k->body,
      "%%%s_to = tensor.empty() : tensor<%s>\n"
      "%%%s = linalg.broadcast ins(%%%s : tensor<%s>) outs(%%%s_to : tensor<%s>) dimensions = "
      "[1]\n",
      full, here(k), full, m, row, full, here(k));
  two(k, "subf", full);
}

static void epilogue(kernel_t *k) {
  char c[16], d[16], x[16];
  switch (pick(k, 9)) {
  case 0:
    constant(k, "0.0", c);
    two(k, "maximumf", c);
    break;
  case 1:
    constant(k, "0.125", c);
    two(k, "mulf", c);
    break;
  case 2:
    memcpy(c, k->name, sizeof c);
    two(k, "addf", c);
    break;
  case 3: /* x / (1 + exp(-x)) */
    memcpy(x, k->name, sizeof x);
    fresh(k, c);
    put(&k->body,
        "%%%s_neg = arith.negf %%%s : tensor<%s>\n%%%s = math.exp %%%s_neg : tensor<%s>\n", c, x,
        here(k), c, c, here(k));
    constant(k, "1.0", d);
    becomes(k, c, k->type);
    two(k, "addf", d);
    memcpy(d, k->name, sizeof d);
    becomes(k, x, k->type);
    two(k, "divf", d);
    break;
  case 4:
  case 5:
    if (k->args < BENCH_ARGS - 2) add_vector(k, 0);
    break;
  case 6:
    if (k->args < BENCH_ARGS - 2 && k->tiles == 1) add_vector(k, 1);
    break;
  case 7:
    if (k->args >= BENCH_ARGS - 2) break;
    load_rows(k, k->cols, k->type, c);
    two(k, "addf", c);
    break;
  default:
    less_row_maximum(k);
  }
}

/* A right matrix lies as it is, or transposed, which has three spellings. */
enum { AS_IT_IS, OP_TRANSPOSES, MAPS_TRANSPOSE, TRANSPOSED_FIRST };

static int pick_layout(kernel_t *k) {
  return pick(k, 2) ? AS_IT_IS : OP_TRANSPOSES + (int)pick(k, 3);
}

/* result = left * right + from, for tensors of these shapes; right is n x k unless AS_IT_IS. */
static void put_product(kernel_t *k, int layout, const char *result, const char *left,
                        const char *right, const char *from, const char *left_shape, int depth,
                        int n, const char *type) {
  const char *lies = layout == AS_IT_IS ? shape(depth, n, k->elem) : shape(n, depth, k->elem);
  char turned[32];
  if (layout == TRANSPOSED_FIRST) {
    const char *to = shape(depth, n, k->elem);
    put(&k->body,
        "%%%s_to = tensor.empty() : tensor<%s>\n"
        "%%%s_turned = linalg.transpose ins(%%%s : tensor<%s>) outs(%%%s_to : tensor<%s>) "
        "permutation = [1, 0]\n",
        right, to, right, right, lies, right, to);
    snprintf(turned, sizeof turned, "%s_turned", right);
    right = turned;
    lies = to;
  }
  put(&k->body,
      "%%%s = linalg.matmul%s %s ins(%%%s, %%%s : tensor<%s>, tensor<%s>) outs(%%%s : tensor<%s>) "
      "-> tensor<%s>\n",
      result, layout == OP_TRANSPOSES ? "_transpose_b" : "",
      layout == MAPS_TRANSPOSE ? "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                                 "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]"
                               : "",
      left, right, left_shape, lies, from, type, type);
}

/* Views and loads the right matrix. */
static void load_right(kernel_t *k, int layout, const char *value, const char *arg, int rows, int n,
                       const char *at, int depth) {
  if (layout == AS_IT_IS) {
    put_tile(&k->body, arg, k->elem, rows, n, n, 1, at, "%c0", depth, n);
    put_load(&k->body, value, arg, shape(depth, n, k->elem), tile_shape(depth, n));
  } else {
    put_tile(&k->body, arg, k->elem, n, rows, rows, 1, "%c0", at, n, depth);
    put_load(&k->body, value, arg, shape(n, depth, k->elem), tile_shape(n, depth));
  }
}

/* The value at hand times a new matrix. */
static void product(kernel_t *k) {
  char a[16], w[16], p[16];
  static const int widths[] = {300, 512, 600, 777};
  int n = k->huge ? widths[pick(k, 4)] : size(k), depth = k->cols;
  k->huge = false;
  const char *type = pick(k, 3) ? "f32" : k->elem;
  convert(k, k->elem);
  argument(k, a);
  fresh(k, w);
  const int layout = pick_layout(k);
  load_right(k, layout, w, a, depth, n, "%c0", depth);
  fresh(k, p);
  const char *r = shape(k->rows, n, type);
  char from[24];
  snprintf(from, sizeof from, "%s_from", p);
  if (pick(k, 6) == 0 && k->args < BENCH_ARGS - 2)
    load_rows(k, n, type, from);
  else
    put(&k->body, "%%%s = arith.constant dense<%s> : tensor<%s>\n", from,
        pick(k, 10) ? "0.0" : "0.5", r);
  put_product(k, layout, p, k->name, w, from, here(k), depth, n, r);
  k->cols = n;
  becomes(k, p, type);
}

/* A product of new matrices in steps of k, summed up in f32. */
static void stepped_product(kernel_t *k) {
  char a[16], w[16], p[16];
  int steps = 1 + (int)pick(k, 5), step = size(k), n = size(k), depth = steps * step;
  argument(k, a);
  argument(k, w);
  fresh(k, p);
  const char *r = shape(k->rows, n, "f32");
  put(&k->body,
      "%%%s_from = arith.constant dense<%s> : tensor<%s>\n%%%s_step = arith.constant %d : index\n"
      "%%%s_end = arith.constant %d : index\n"
      "%%%s = scf.for %%%s_k = %%c0 to %%%s_end step %%%s_step iter_args(%%%s_sum = %%%s_from) -> "
      "(tensor<%s>) {\n",
      p, pick(k, 6) ? "0.0" : "-1.5", r, p, step, p, depth, p, p, p, p, p, p, r);
  char at[24];
  snprintf(at, sizeof at, "%%%s_k", p);
  put_tile(&k->body, a, k->elem, k->tiles * k->rows, depth, depth, 1, "%row", at, k->rows, step);
  put_load(&k->body, "x", a, shape(k->rows, step, k->elem), tile_shape(k->rows, step));
  const int layout = pick_layout(k);
  load_right(k, layout, "y", w, depth, n, at, step);
  char sum[24];
  snprintf(sum, sizeof sum, "%s_sum", p);
  put_product(k, layout, "n", "x", "y", sum, shape(k->rows, step, k->elem), step, n, r);
  put(&k->body, "scf.yield %%n : tensor<%s>\n}\n", r);
  k->cols = n;
  becomes(k, p, "f32");
}

static void store(kernel_t *k) {
  char a[16];
  argument(k, a);
  put_tile(&k->body, a, k->type, k->tiles * k->rows, k->cols, k->cols, 1, "%row", "%c0", k->rows,
           k->cols);
  put_store(&k->body, k->name, a, here(k), tile_shape(k->rows, k->cols));
}

static void write_kernel(kernel_t *k) {
  k->elem = pick(k, 2) ? "f16" : "bf16";
  k->big = pick(k, 3) == 0;
  k->tiles = 1 + (pick(k, 3) == 0 ? (int)pick(k, 3) : 0);
  k->rows = size(k);
  k->huge = pick(k, 16) == 0;
  if (k->huge) k->rows = 1 + (int)pick(k, pick(k, 2) ? 4 : 20);
  if (pick(k, 3) == 0 && !k->huge) {
    stepped_product(k);
  } else {
    static const int depths[] = {900, 1000, 1337, 2048};
    int cols = k->huge ? depths[pick(k, 4)] : size(k);
    char c[16];
    load_rows(k, cols, k->elem, c);
    k->cols = cols;
    becomes(k, c, k->elem);
    product(k);
  }
  for (int stages = (int)pick(k, 3);; stages--) {
    for (unsigned n = pick(k, 4); n > 0; n--) epilogue(k);
    if (pick(k, 5) == 0 && k->args < BENCH_ARGS - 2) store(k);
    if (stages == 0 || k->args >= BENCH_ARGS - 2) break;
    product(k);
  }
  if (pick(k, 2)) convert(k, pick(k, 2) ? k->elem : "f32");
  store(k);
}

static bool run_case(unsigned number) {
  kernel_t *k = calloc(1, sizeof *k);
  k->seed = number * 0x9e3779b97f4a7c15u | 1;
  for (int i = 0; i < 8; i++) pick(k, 2);
  write_kernel(k);
  text_t *t = calloc(1, sizeof *t);
  char grid[8];
  snprintf(grid, sizeof grid, "%d", k->tiles);
  put_head(t, k->head.s, grid);
  put(t,
      "%%id = ktdp.get_compute_tile_id : index\n%%rows = arith.constant %d : index\n"
      "%%row = arith.muli %%id, %%rows : index\n",
      k->rows);
  put(t, "%s", k->body.s);
  put_end(t);
  bool compiled = check_kernel(number, t->s, 1);
  free(t);
  free(k);
  return compiled;
}

static void random_products(void **state) {
  (void)state;
  unsigned compiled = 0;
  for (unsigned i = 0; i < cases; i++) compiled += run_case(first_case + i);
  print_message("%u of %u kernels compiled and ran\n", compiled, cases);
  assert_true(compiled * 10 >= cases * 9);
}

int main(int argc, char **argv) {
  if (argc > 1) cases = (unsigned)strtoul(argv[1], NULL, 0);
  if (argc > 2) first_case = (unsigned)strtoul(argv[2], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
