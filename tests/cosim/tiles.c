/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random kernels on tiles of about the size of LX or larger: elementwise expressions, reductions
 * and broadcasts along rows, views with odd strides, several inputs and outputs, outputs in place.
 * The model must leave the interpreter's bits.
 */
#include "cosim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/runtime/reference.h"

enum { MAX_RANK = 3, MAX_VALUES = 32 };

typedef struct gen {
  uint64_t random;
  char text[32768];
  int n;
  const char *elem;
  int rank, grid;
  int64_t dims[MAX_RANK];
  char shape[64]; /* of a tile: "300x20" */
  int num_values, next;
  char values[MAX_VALUES][16];
} gen_t;

static uint64_t draw(gen_t *g, uint64_t below) {
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (g->random >> 11) % below;
}

static void put(gen_t *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(gen_t *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  g->n += vsnprintf(g->text + g->n, sizeof g->text - (size_t)g->n, format, args);
  va_end(args);
  if ((size_t)g->n >= sizeof g->text) abort();
}

static void put_set(gen_t *g, int rank, const int64_t *dims) {
  put(g, "affine_set<(");
  for (int d = 0; d < rank; d++) put(g, "%sd%d", d ? ", " : "", d);
  put(g, ") : (");
  for (int d = 0; d < rank; d++)
    put(g, "%sd%d >= 0, -d%d + %" PRId64 " >= 0", d ? ", " : "", d, d, dims[d] - 1);
  put(g, ")>");
}

static void put_type(gen_t *g, int rank, const int64_t *dims) {
  put(g, "memref<");
  for (int d = 0; d < rank; d++) put(g, "%" PRId64 "x", dims[d]);
  put(g, "%s>", g->elem);
}

/* A view of the tiles of all compute tiles on an argument, and the access tile %NAME_t. */
static void put_view(gen_t *g, const char *name, const char *arg, int rank, const int64_t *tile,
                     int grid, bool dense) {
  static const char *const orders[] = {"(d0) -> (d0)", "(d0, d1) -> (d0, d1)",
                                       "(d0, d1, d2) -> (d0, d1, d2)"};
  int64_t all[MAX_RANK], strides[MAX_RANK];
  for (int d = 0; d < rank; d++) all[d] = tile[d];
  all[0] *= grid;
  strides[rank - 1] = dense || tile[rank - 1] > 3000 ? 1 : 1 + (int64_t)draw(g, 3);
  for (int d = rank - 2; d >= 0; d--)
    strides[d] = strides[d + 1] * all[d + 1] + (dense ? 0 : (int64_t)draw(g, 9));
  put(g, "%%%s_v = ktdp.construct_memory_view %%%s, sizes: [", name, arg);
  for (int d = 0; d < rank; d++) put(g, "%s%" PRId64, d ? ", " : "", all[d]);
  put(g, "], strides: [");
  for (int d = 0; d < rank; d++) put(g, "%s%" PRId64, d ? ", " : "", strides[d]);
  put(g, "] { coordinate_set = ");
  put_set(g, rank, all);
  put(g, ", memory_space = #ktdp.spyre_memory_space<HBM> } : ");
  put_type(g, rank, all);
  put(g, "\n%%%s_t = ktdp.construct_access_tile %%%s_v[", name, name);
  for (int d = 0; d < rank; d++) put(g, "%s", d ? ", %c0" : grid > 1 ? "%start" : "%c0");
  put(g, "] { access_tile_set = ");
  put_set(g, rank, tile);
  put(g, ", access_tile_order = affine_map<%s> } : ", orders[rank - 1]);
  put_type(g, rank, all);
  put(g, " -> !ktdp.access_tile<");
  for (int d = 0; d < rank; d++) put(g, "%" PRId64 "x", tile[d]);
  put(g, "index>\n");
}

static void add_value(gen_t *g, const char *name) {
  if (g->num_values == MAX_VALUES) return;
  snprintf(g->values[g->num_values++], sizeof g->values[0], "%s", name);
}

static const char *pick(gen_t *g) {
  return g->values[draw(g, (uint64_t)g->num_values)];
}

static void put_load(gen_t *g, const char *value, const char *name) {
  put(g, "%%%s = ktdp.load %%%s_t : !ktdp.access_tile<%sxindex> -> tensor<%sx%s>\n", value, name,
      g->shape, g->shape, g->elem);
  add_value(g, value);
}

static void put_ops(gen_t *g, int count) {
  static const char *const ops[] = {"addf", "subf", "mulf", "maximumf"};
  for (int i = 0; i < count; i++) {
    char name[16];
    snprintf(name, sizeof name, "w%d", g->next++);
    const char *x = pick(g), *y = pick(g);
    put(g, "%%%s = arith.%s %%%s, %%%s : tensor<%sx%s>\n", name, ops[draw(g, 4)], x, y, g->shape,
        g->elem);
    add_value(g, name);
  }
}

static void put_broadcast(gen_t *g, const char *name, const char *from, int64_t length, int along) {
  put(g,
      "%%%s_e = tensor.empty() : tensor<%sx%s>\n%%%s = linalg.broadcast ins(%%%s : tensor<%" PRId64
      "x%s>) outs(%%%s_e : tensor<%sx%s>) dimensions = [%d]\n",
      name, g->shape, g->elem, name, from, length, g->elem, name, g->shape, g->elem, along);
  add_value(g, name);
  char sum[16];
  snprintf(sum, sizeof sum, "%s_s", name);
  put(g, "%%%s = arith.subf %%%s, %%%s : tensor<%sx%s>\n", sum, pick(g), name, g->shape, g->elem);
  add_value(g, sum);
}

/* A reduction of the rows, a row for all, an element for each row. */
static void put_row_wise(gen_t *g) {
  int64_t rows = g->dims[0], cols = g->dims[1];
  if (draw(g, 2)) {
    put(g,
        "%%z = arith.constant dense<0.0> : tensor<%" PRId64 "x%s>\n%%red = linalg.reduce { "
        "arith.%s } ins(%%%s : tensor<%sx%s>) outs(%%z : tensor<%" PRId64
        "x%s>) dimensions = [1]\n",
        rows, g->elem, draw(g, 2) ? "addf" : "maximumf", pick(g), g->shape, g->elem, rows, g->elem);
    put_broadcast(g, "reds", "red", rows, 1);
  }
  for (int along = 0; along < 2; along++) {
    const int64_t length = along ? rows : cols;
    if (draw(g, 2)) continue;
    char name[16], all[16];
    snprintf(name, sizeof name, "r%d", along);
    snprintf(all, sizeof all, "rs%d", along);
    put_view(g, name, "v", 1, &length, 1, true);
    put(g,
        "%%%s = ktdp.load %%%s_t : !ktdp.access_tile<%" PRId64 "xindex> -> tensor<%" PRId64
        "x%s>\n",
        name, name, length, length, g->elem);
    put_broadcast(g, all, name, length, along);
  }
}

static void choose_shape(gen_t *g) {
  static const int64_t totals[] = {300000, 700000, 1100000, 1600000},
                       cols[] = {1, 7, 64, 100, 333, 1000, 1024, 5000, 150000};
  int64_t total = totals[draw(g, 4)] + (int64_t)draw(g, 5000);
  g->rank = 1 + (int)draw(g, 3);
  g->dims[g->rank - 1] = g->rank == 1 ? total : cols[draw(g, 9)];
  if (g->rank == 3) g->dims[1] = 1 + (int64_t)draw(g, 5);
  if (g->rank > 1) {
    int64_t row = g->dims[g->rank - 1] < 64 ? 64 : g->dims[g->rank - 1];
    g->dims[0] = total / row / (g->rank == 3 ? g->dims[1] : 1) + 1;
  }
  int n = 0;
  for (int d = 0; d < g->rank; d++) {
    n +=
        snprintf(g->shape + n, sizeof g->shape - (size_t)n, "%s%" PRId64, d ? "x" : "", g->dims[d]);
  }
}

static void generate(gen_t *g, uint64_t seed) {
  static const char *const elems[] = {"f16", "bf16", "f32"};
  memset(g, 0, sizeof *g);
  g->random = seed * 0x9e3779b97f4a7c15u + 1;
  for (int i = 0; i < 8; i++) draw(g, 2);
  g->elem = elems[draw(g, 3)];
  g->grid = draw(g, 4) ? 1 : 2;
  choose_shape(g);
  put(g,
      "func.func @tiles(%%i0: index, %%i1: index, %%v: index, %%o0: index, %%o1: index) attributes "
      "{grid = [%d]} {\n%%c0 = arith.constant 0 : index\n%%id = ktdp.get_compute_tile_id : index\n"
      "%%rows = arith.constant %" PRId64 " : index\n%%start = arith.muli %%id, %%rows : index\n",
      g->grid, g->dims[0]);
  /* So that every argument is the address of a buffer. */
  const int64_t one = 1;
  static const char *const args[] = {"i0", "i1", "v", "o0", "o1"};
  for (int i = 0; i < 5; i++) {
    char name[16];
    snprintf(name, sizeof name, "arg%d", i);
    put_view(g, name, args[i], 1, &one, 1, true);
  }
  int inputs = 1 + (int)draw(g, 2);
  for (int i = 0; i < inputs; i++) {
    char name[16], value[16], arg[16];
    snprintf(name, sizeof name, "a%d", i);
    snprintf(value, sizeof value, "x%d", i);
    snprintf(arg, sizeof arg, "i%d", i);
    put_view(g, name, arg, g->rank, g->dims, g->grid, draw(g, 2));
    put_load(g, value, name);
  }
  if (!draw(g, 3)) {
    put(g, "%%k = arith.constant dense<-0.25> : tensor<%sx%s>\n", g->shape, g->elem);
    add_value(g, "k");
  }
  put_ops(g, 1 + (int)draw(g, 4));
  if (g->rank == 2 && g->dims[1] <= 1000 && g->elem[1] != '3' && draw(g, 2)) put_row_wise(g);
  bool in_place = draw(g, 2);
  int outputs = 1 + (int)draw(g, 2);
  for (int i = 0; i < outputs; i++) {
    char name[16], arg[16];
    const bool here = i == 0 && in_place;
    snprintf(name, sizeof name, here ? "a0" : "b%d", i);
    snprintf(arg, sizeof arg, "o%d", i);
    if (!here) put_view(g, name, arg, g->rank, g->dims, g->grid, draw(g, 2));
    put(g, "ktdp.store %%%s, %%%s_t : tensor<%sx%s>, !ktdp.access_tile<%sxindex>\n",
        g->values[g->num_values - 1], name, g->shape, g->elem, g->shape);
    /* What comes after may read what was stored, or what was there before. */
    if (here && draw(g, 2)) put_load(g, "again", "a0");
    put_ops(g, 1);
  }
  put(g, "return\n}\n");
}

static bool run_case(uint64_t seed) {
  gen_t *g = malloc(sizeof *g);
  item_t item = {.config = "c1"};
  work_t w = {0};
  run_t run = {0};
  stp_reference_t ref = {0};
  stp_error_t e;
  if (g == NULL) return false;
  generate(g, seed);
  snprintf(item.name, sizeof item.name, "tiles %" PRIu64, seed);
  snprintf(item.file, sizeof item.file, "tiles_%" PRIu64 ".mlir", seed);
  bool good = work_open_text(&w, &item, g->text, strlen(g->text)) &&
              work_run(&w, "model", NULL, NULL, NULL, &run);
  if (good && stp_reference_run(w.kernel, &w.in, stderr, &ref, &e) != 0) {
    complain(item.name, "%s", e.text);
    good = false;
  } else if (good) {
    good = same_images(&w, "the model", &run.out, "the interpreter", &ref.images);
    stp_reference_free(&ref);
  }
  if (!good) fprintf(stderr, "%s", g->text);
  run_free(&run);
  work_close(&w);
  free(g);
  return good;
}

bool cosim_tiles(uint64_t first, uint64_t last) {
  bool good = true;
  for (uint64_t seed = first; seed <= last && good; seed++) good = run_case(seed);
  if (good) printf("%" PRIu64 " kernels equal\n", last - first + 1);
  return good;
}
