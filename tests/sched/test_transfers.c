/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is not transferred twice: kernels written by the test, run on the C model, with the bytes
 * that were read from memory counted, and results compared with plain C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics.h"
#include "stp_isa.h"
#include "text.h"

enum { ROWS = 4, COLS = 192, TILE = ROWS * COLS * 2 }; /* whole sticks */

static uint32_t add(uint32_t x, uint32_t y) {
  return op2(STP_OP_VADD, STP_FMT_F16, x, y);
}

static void put_matrix(text_t *t, const char *name, int rows, const char *row, int tile_rows) {
  put_tile(t, name, "f16", rows, COLS, COLS, 1, row, "%c0", tile_rows, COLS);
}

/* The same tile twice: one transfer, unless a store may have changed it in between. */
static void again(void **state) {
  (void)state;
  for (int stored = 0; stored < 3; stored++) {
    text_t t = {.n = 0};
    put_head(&t, "%x: index, %y: index, %z: index", "1");
    put_matrix(&t, "x", ROWS, "%c0", ROWS);
    put_matrix(&t, "y", ROWS, "%c0", ROWS);
    put_matrix(&t, "z", ROWS, "%c0", ROWS);
    put_load(&t, "a", "x", "4x192xf16", "4x192");
    put(&t, "%%d = arith.addf %%a, %%a : tensor<4x192xf16>\n");
    if (stored == 1) put_store(&t, "d", "z", "4x192xf16", "4x192");
    if (stored == 2) put_store(&t, "d", "x", "4x192xf16", "4x192");
    put_load(&t, "b", "x", "4x192xf16", "4x192");
    put(&t, "%%s = arith.addf %%a, %%b : tensor<4x192xf16>\n");
    put_store(&t, "s", "y", "4x192xf16", "4x192");
    put_end(&t);
    bench_t b;
    start(&b, &t, 0, 1);
    static uint16_t before[ROWS * COLS];
    memcpy(before, bench_buffer(&b, 0), sizeof before);
    assert_true(bench_run(&b, 1));
    assert_int_equal(b.dram_reads, stored == 2 ? 2 * TILE : TILE);
    for (size_t i = 0; i < ROWS * COLS; i++) {
      uint32_t x = before[i], d = add(x, x);
      assert_int_equal(get(&b, 1, i), add(x, stored == 2 ? d : x));
    }
    bench_close(&b);
  }
}

/* A load that nothing uses. */
static void dead(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_matrix(&t, "x", ROWS, "%c0", ROWS);
  put_matrix(&t, "y", ROWS, "%c0", ROWS);
  put_load(&t, "a", "x", "4x192xf16", "4x192");
  put(&t, "%%s = arith.constant dense<2.0> : tensor<4x192xf16>\n");
  put_store(&t, "s", "y", "4x192xf16", "4x192");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 1);
  assert_true(bench_run(&b, 1));
  assert_int_equal(b.dram_reads, 0);
  bench_close(&b);
}

/* Compute tiles, in each a loop over i, in each one over j: y[i, j] of the tile = x + w, where w is
 * read in the innermost loop from row `of` of a matrix. `store`: w's row is written there, too. */
static void loops_of(const char *of, int tiles, bool store, int transfers) {
  enum { I = 3, J = 5 };
  text_t t = {.n = 0};
  char grid[16];
  snprintf(grid, sizeof grid, "%d", tiles);
  put_head(&t, "%x: index, %w: index, %y: index", grid);
  put(&t,
      "%%c1 = arith.constant 1 : index\n%%ni = arith.constant %d : index\n"
      "%%nj = arith.constant %d : index\n%%id = ktdp.get_compute_tile_id : index\n"
      "scf.for %%i = %%c0 to %%ni step %%c1 {\nscf.for %%j = %%c0 to %%nj step %%c1 {\n"
      "%%1 = arith.muli %%id, %%ni : index\n%%2 = arith.addi %%1, %%i : index\n"
      "%%3 = arith.muli %%2, %%nj : index\n%%4 = arith.addi %%3, %%j : index\n",
      I, J);
  put_matrix(&t, "x", tiles * I * J, "%4", 1);
  put_matrix(&t, "w", 8, of, 1);
  put_matrix(&t, "y", tiles * I * J, "%4", 1);
  put_load(&t, "a", "x", "1x192xf16", "1x192");
  put_load(&t, "b", "w", "1x192xf16", "1x192");
  put(&t, "%%s = arith.addf %%a, %%b : tensor<1x192xf16>\n");
  put_store(&t, "s", "y", "1x192xf16", "1x192");
  if (store) {
    put(&t, "%%d = arith.addf %%b, %%b : tensor<1x192xf16>\n");
    put_store(&t, "d", "w", "1x192xf16", "1x192");
  }
  put(&t, "}\n}\n");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 0.001);
  static uint16_t w[8 * COLS];
  memcpy(w, bench_buffer(&b, 1), (size_t)b.job->buffers[1].bytes);
  for (unsigned cores = 1; cores <= (store ? 1 : 3); cores++) {
    assert_true(bench_run(&b, cores));
    if (cores == 1) assert_int_equal(b.dram_reads, (tiles * I * J + transfers) * COLS * 2);
    for (int n = 0; n < tiles * I * J; n++) {
      int row = of[1] == 'i' && of[2] ? n / J / I : of[1] == 'i' ? n / J % I : 0;
      for (int c = 0; c < COLS; c++) {
        uint16_t *v = &w[row * COLS + c];
        assert_int_equal(get(&b, 2, (size_t)(n * COLS + c)),
                         add(get(&b, 0, (size_t)(n * COLS + c)), *v));
        if (store) *v = (uint16_t)add(*v, *v);
      }
    }
  }
  bench_close(&b);
}

static void loops(void **state) {
  (void)state;
  loops_of("%c0", 1, false, 1);
  loops_of("%c0", 4, false, 1); /* once for all tiles */
  loops_of("%id", 4, false, 4); /* once a tile */
  loops_of("%i", 1, false, 3);  /* once an outer iteration */
  loops_of("%i", 4, false, 12);
  loops_of("%c0", 1, true, 15); /* changed in each */
}

/* A bias row for every tile, and a scale that only rows of the second loop use. */
static void for_all_tiles(void **state) {
  (void)state;
  enum { TILES = 7 };
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %b: index, %y: index", "7");
  put(&t, "%%id = ktdp.get_compute_tile_id : index\n%%c4 = arith.constant 4 : index\n"
          "%%row = arith.muli %%id, %%c4 : index\n");
  put_matrix(&t, "x", ROWS * TILES, "%row", ROWS);
  put_vector(&t, "b", "f16", COLS);
  put_matrix(&t, "y", ROWS * TILES, "%row", ROWS);
  put_load(&t, "v", "x", "4x192xf16", "4x192");
  put_load(&t, "bias", "b", "192xf16", "192");
  put(&t, "%%e = tensor.empty() : tensor<4x192xf16>\n%%all = linalg.broadcast ins(%%bias : "
          "tensor<192xf16>) outs(%%e : tensor<4x192xf16>) dimensions = [0]\n"
          "%%s = arith.addf %%v, %%all : tensor<4x192xf16>\n");
  put_store(&t, "s", "y", "4x192xf16", "4x192");
  put_end(&t);
  bench_t b;
  start(&b, &t, 0, 1);
  for (unsigned cores = 1; cores <= 9; cores += 2) {
    assert_true(bench_run(&b, cores));
    unsigned busy = cores < TILES ? cores : TILES;
    assert_int_equal(b.dram_reads, TILES * TILE + busy * COLS * 2);
    for (size_t i = 0; i < TILES * ROWS * COLS; i++)
      assert_int_equal(get(&b, 2, i), add(get(&b, 0, i), get(&b, 1, i % COLS)));
  }
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(again),
      cmocka_unit_test(dead),
      cmocka_unit_test(loops),
      cmocka_unit_test(for_all_tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
