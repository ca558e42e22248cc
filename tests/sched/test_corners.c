/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in corners of the scheduler, each once compiled wrongly or without end, on the model
 * against the interpreter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "text.h"

/* ---- values that share what they are computed from ----------------------------------------------
 */

/* %v0 doubled n times: 2^n ways from the last value to the first. */
static void put_doublings(text_t *t, const char *shape, int n) {
  for (int i = 0; i < n; i++)
    put(t, "%%v%d = arith.addf %%v%d, %%v%d : tensor<%s>\n", i + 1, i, i, shape);
}

static void doubled(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_tile(&t, "x", "f16", 5, 100, 100, 1, "%c0", "%c0", 5, 100);
  put_tile(&t, "y", "f16", 5, 100, 100, 1, "%c0", "%c0", 5, 100);
  put_load(&t, "v0", "x", "5x100xf16", "5x100");
  put_doublings(&t, "5x100xf16", 60);
  put_store(&t, "v60", "y", "5x100xf16", "5x100");
  put_end(&t);
  assert_true(check_kernel(0, t.s, 1e-6));
}

static void doubled_rows(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_tile(&t, "x", "f16", 5, 100, 100, 1, "%c0", "%c0", 5, 100);
  put_tile(&t, "y", "f16", 5, 100, 100, 1, "%c0", "%c0", 5, 100);
  put_load(&t, "v0", "x", "5x100xf16", "5x100");
  put_doublings(&t, "5x100xf16", 40);
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<5xf16>\n"
          "%%sum = linalg.reduce { arith.addf } ins(%%v40 : tensor<5x100xf16>) outs(%%zero : "
          "tensor<5xf16>) dimensions = [1]\n"
          "%%wide = tensor.empty() : tensor<5x100xf16>\n"
          "%%sums = linalg.broadcast ins(%%sum : tensor<5xf16>) outs(%%wide : tensor<5x100xf16>) "
          "dimensions = [1]\n"
          "%%r = arith.subf %%v40, %%sums : tensor<5x100xf16>\n");
  put_store(&t, "r", "y", "5x100xf16", "5x100");
  put_end(&t);
  assert_true(check_kernel(1, t.s, 1e-6));
}

static void doubled_product(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %w: index, %y: index", "1");
  put_tile(&t, "x", "f16", 4, 30, 30, 1, "%c0", "%c0", 4, 30);
  put_tile(&t, "w", "f16", 30, 60, 60, 1, "%c0", "%c0", 30, 60);
  put_tile(&t, "y", "f32", 4, 60, 60, 1, "%c0", "%c0", 4, 60);
  put_load(&t, "a", "x", "4x30xf16", "4x30");
  put_load(&t, "b", "w", "30x60xf16", "30x60");
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<4x60xf32>\n"
          "%%v0 = linalg.matmul ins(%%a, %%b : tensor<4x30xf16>, tensor<30x60xf16>) outs(%%zero : "
          "tensor<4x60xf32>) -> tensor<4x60xf32>\n");
  put_doublings(&t, "4x60xf32", 50);
  put_store(&t, "v50", "y", "4x60xf32", "4x60");
  put_end(&t);
  assert_true(check_kernel(2, t.s, 1));
}

/* Outside a loop, and used in it. */
static void doubled_outside(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_tile(&t, "x", "f16", 20, 70, 70, 1, "%c0", "%c0", 20, 70);
  put_tile(&t, "y", "f16", 20, 70, 70, 1, "%c0", "%c0", 20, 70);
  put_load(&t, "v0", "x", "20x70xf16", "20x70");
  put_doublings(&t, "20x70xf16", 36);
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<20x70xf16>\n"
          "%%c1 = arith.constant 1 : index\n"
          "%%c3 = arith.constant 3 : index\n"
          "%%r = scf.for %%i = %%c0 to %%c3 step %%c1 iter_args(%%s = %%zero) -> "
          "(tensor<20x70xf16>) {\n"
          "%%next = arith.addf %%s, %%v36 : tensor<20x70xf16>\n"
          "scf.yield %%next : tensor<20x70xf16>\n"
          "}\n");
  put_store(&t, "r", "y", "20x70xf16", "20x70");
  put_end(&t);
  assert_true(check_kernel(3, t.s, 1e-8));
}

/* A tile too large for LX, which another store may change: who still reads it is looked for. */
static void doubled_large(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_tile(&t, "x", "f16", 1024, 1280, 1280, 1, "%c0", "%c0", 1024, 1280);
  put_tile(&t, "y", "f16", 1024, 1280, 1280, 1, "%c0", "%c0", 1024, 1280);
  put_load(&t, "v0", "x", "1024x1280xf16", "1024x1280");
  put_doublings(&t, "1024x1280xf16", 50);
  put_store(&t, "v0", "y", "1024x1280xf16", "1024x1280");
  put_store(&t, "v50", "x", "1024x1280xf16", "1024x1280");
  put_end(&t);
  bench_t b;
  assert_true(bench_compile_text(&b, "k.mlir", t.s, -1, 0, false));
  bench_close(&b);
}

/* ---- long expressions ---------------------------------------------------------------------------
 */

/* Over many granules, in a loop: code for several of them side by side would not fit a program. */
static void long_code(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %y: index", "1");
  put_tile(&t, "x", "f32", 40, 300, 300, 1, "%c0", "%c0", 40, 300);
  put_tile(&t, "y", "f32", 40, 300, 300, 1, "%c0", "%c0", 40, 300);
  put_load(&t, "v0", "x", "40x300xf32", "40x300");
  put_doublings(&t, "40x300xf32", 55);
  put(&t, "%%c1 = arith.constant 1 : index\n"
          "%%c3 = arith.constant 3 : index\n"
          "%%r = scf.for %%i = %%c0 to %%c3 step %%c1 iter_args(%%s = %%v0) -> "
          "(tensor<40x300xf32>) {\n"
          "%%next = arith.subf %%s, %%v55 : tensor<40x300xf32>\n"
          "scf.yield %%next : tensor<40x300xf32>\n"
          "}\n");
  put_store(&t, "r", "y", "40x300xf32", "40x300");
  put_end(&t);
  assert_true(check_kernel(4, t.s, 1));
}

/* As the epilogue of a product. */
static void long_epilogue(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %w: index, %y: index", "1");
  put_tile(&t, "x", "f16", 20, 30, 30, 1, "%c0", "%c0", 20, 30);
  put_tile(&t, "w", "f16", 30, 70, 70, 1, "%c0", "%c0", 30, 70);
  put_tile(&t, "y", "f32", 20, 70, 70, 1, "%c0", "%c0", 20, 70);
  put_load(&t, "a", "x", "20x30xf16", "20x30");
  put_load(&t, "b", "w", "30x70xf16", "30x70");
  put(&t, "%%zero = arith.constant dense<0.0> : tensor<20x70xf32>\n"
          "%%v0 = linalg.matmul ins(%%a, %%b : tensor<20x30xf16>, tensor<30x70xf16>) outs(%%zero : "
          "tensor<20x70xf32>) -> tensor<20x70xf32>\n");
  put_doublings(&t, "20x70xf32", 55);
  put_store(&t, "v55", "y", "20x70xf32", "20x70");
  put_end(&t);
  assert_true(check_kernel(5, t.s, 1));
}

/* ---- messages -----------------------------------------------------------------------------------
 */

/* A loop after an op that is refused is not refused for that. */
static void one_error(void **state) {
  (void)state;
  text_t t = {.n = 0};
  put_head(&t, "%x: index, %n: index", "1");
  put_tile(&t, "x", "f16", 5, 60, 60, 1, "%c0", "%c0", 5, 60);
  put_load(&t, "v", "x", "5x60xf16", "5x60");
  put(&t, "%%r = math.ceil %%v : tensor<5x60xf16>\n"
          "%%c2 = arith.constant 2 : index\n"
          "scf.for %%i = %%c0 to %%n step %%c2 {\n");
  put_store(&t, "v", "x", "5x60xf16", "5x60");
  put(&t, "}\n");
  put_end(&t);
  bench_t b;
  assert_false(bench_try(&b, "k.mlir", t.s, 1, 7, true));
  assert_int_equal(b.diags.num_errors, 1);
  assert_non_null(strstr(b.diags.list.data[0].message, "'math.ceil' op"));
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubled),         cmocka_unit_test(doubled_rows),
      cmocka_unit_test(doubled_product), cmocka_unit_test(doubled_outside),
      cmocka_unit_test(doubled_large),   cmocka_unit_test(long_code),
      cmocka_unit_test(long_epilogue),   cmocka_unit_test(one_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
