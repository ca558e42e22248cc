/* SPDX-License-Identifier: Apache-2.0 */
/* Affine expressions and sets, and the evaluation of integer ops, against brute force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"
#include "files.h"

/* The set of the text, reached through a module attribute; it belongs to the module. */
static const stp_affine_set_t *read_set(const char *text, stp_ir_module_t **module) {
  char source[600];
  snprintf(source, sizeof source,
           "#s = affine_set<%s>\nmodule attributes {x.s = #s} {\n  func.func @f() {\n    return\n"
           "  }\n}\n",
           text);
  *module = stp_test_read(source, 1);
  assert_int_equal((*module)->num_attrs, 1);
  assert_int_equal((*module)->attrs[0].value->kind, STP_ATTR_SET);
  return (*module)->attrs[0].value->set;
}

static void check_box(const char *text, int64_t sym, bool box, bool bounded, const int64_t *lo,
                      const int64_t *hi, int64_t count) {
  stp_ir_module_t *module;
  const stp_affine_set_t *set = read_set(text, &module);
  int64_t l[8];
  int64_t h[8];
  assert_int_equal(stp_affine_set_as_box(set, &sym, l, h), box);
  bool empty = false;
  for (int i = 0; box && i < set->num_dims; i++) {
    empty = empty || h[i] < l[i];
    assert_true(count == 0 || (l[i] == lo[i] && h[i] == hi[i]));
  }
  assert_true(!box || empty == (count == 0));
  assert_int_equal(stp_affine_set_bounds(set, &sym, l, h), bounded);
  for (int i = 0; bounded && count > 0 && i < set->num_dims; i++) {
    assert_true(l[i] <= lo[i] && h[i] >= hi[i]);
  }
  assert_int_equal(stp_affine_set_count(set, &sym, 100000), count);
  stp_ir_module_free(module);
}

static void test_boxes(void **state) {
  (void)state;
  const int64_t zero[4] = {0, 0, 0, 0};
  check_box("(d0, d1) : (d0 >= 0, -d0 + 3 >= 0, d1 >= 0, -d1 + 4 >= 0)", 0, true, true, zero,
            (int64_t[]){3, 4}, 20);
  check_box("(d0) : (d0 - 5 == 0)", 0, true, true, (int64_t[]){5}, (int64_t[]){5}, 1);
  check_box("(d0) : (2 * d0 - 5 == 0)", 0, true, true, zero, zero, 0);
  check_box("(d0) : (3 * d0 - 4 >= 0, 20 - 3 * d0 >= 0)", 0, true, true, (int64_t[]){2},
            (int64_t[]){6}, 5);
  check_box("(d0) : (d0 + 7 >= 0, -d0 - 2 >= 0)", 0, true, true, (int64_t[]){-7}, (int64_t[]){-2},
            6);
  check_box("(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)", 9, true, true, zero, (int64_t[]){8}, 9);
  check_box("(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)", 0, true, true, zero, (int64_t[]){-1}, 0);
  check_box("(d0)[s0] : (d0 >= 0, 4 - d0 >= 0, s0 - 1 >= 0)", 0, true, true, zero, (int64_t[]){-1},
            0);
  check_box("(d0) : (d0 >= 0)", 0, false, false, zero, zero, -1);
  check_box("() : ()", 0, true, true, zero, zero, 1);
}

static void test_other_sets(void **state) {
  (void)state;
  const int64_t zero[4] = {0, 0, 0, 0};
  /* Triangle, skewed band, every third point, and a set bounded through another dim only. */
  check_box("(d0, d1) : (d0 >= 0, 3 - d0 >= 0, d1 >= 0, d0 - d1 >= 0)", 0, false, true, zero,
            (int64_t[]){3, 3}, 10);
  check_box("(d0, d1) : (d0 >= 0, 9 - d0 >= 0, d1 - d0 >= 0, d0 + 2 - d1 >= 0)", 0, false, true,
            zero, (int64_t[]){9, 11}, 30);
  check_box("(d0) : (d0 >= 0, 20 - d0 >= 0, d0 mod 3 == 0)", 0, false, true, zero, (int64_t[]){20},
            7);
  check_box("(d0, d1) : (d0 + d1 - 4 == 0, d0 >= 0, d1 >= 0)", 0, false, true, zero,
            (int64_t[]){4, 4}, 5);
  check_box("(d0, d1) : (d0 - d1 >= 0)", 0, false, false, zero, zero, -1);
}

static int64_t eval_text(const char *expr, int64_t a, int64_t b, bool *ok) {
  char text[200];
  snprintf(text, sizeof text, "(d0, d1)[s0] : (%s >= 0)", expr);
  stp_ir_module_t *module;
  const stp_affine_set_t *set = read_set(text, &module);
  int64_t dims[2] = {a, b};
  int64_t sym = 5;
  int64_t value = 0;
  *ok = stp_affine_eval(set->constraints[0], dims, &sym, &value);
  stp_ir_module_free(module);
  return value;
}

static void test_eval(void **state) {
  (void)state;
  bool ok;
  for (int64_t a = -9; a <= 9; a++) {
    int64_t down = a >= 0 ? a / 4 : -((-a + 3) / 4);
    int64_t up = a >= 0 ? (a + 3) / 4 : -(-a / 4);
    assert_int_equal(eval_text("d0 floordiv 4", a, 0, &ok), down);
    assert_int_equal(eval_text("d0 ceildiv 4", a, 0, &ok), up);
    assert_int_equal(eval_text("d0 mod 4", a, 0, &ok), a - 4 * down);
  }
  assert_int_equal(eval_text("d0 - d1 * 3 + s0", 10, 2, &ok), 9);
  assert_int_equal(eval_text("-(d0 + d1) * 2", 3, 4, &ok), -14);
  assert_int_equal(eval_text("1 - 2 - 3 + d0 - d0", 1, 0, &ok), -4);
  assert_true(ok);
  eval_text("d0 * 4", INT64_MAX / 2, 0, &ok);
  assert_false(ok);
  eval_text("d0 floordiv s0", 1, 0, &ok);
  assert_true(ok);
  eval_text("d0 mod (s0 - 5)", 1, 0, &ok);
  assert_false(ok);
}

/* ---- integer ops ------------------------------------------------------------------------- */

static stp_ival_t run(const char *op, const char *type, const char *result, int64_t x, int64_t y) {
  char text[300];
  snprintf(text, sizeof text,
           "func.func @f(%%x: %s, %%y: %s) {\n  %%r = \"%s\"(%%x, %%y) : (%s, %s) -> %s\n"
           "  return\n}\n",
           type, type, op, type, type, result);
  if (strncmp(op, "arith.cmpi", 10) == 0) {
    snprintf(
        text, sizeof text,
        "func.func @f(%%x: %s, %%y: %s) {\n  %%r = arith.cmpi %s, %%x, %%y : %s\n  return\n}\n",
        type, type, op + 11, type);
  }
  stp_ir_module_t *module = stp_test_read(text, 0);
  stp_ir_func_t *func = module->funcs[0];
  bool bound[2] = {true, true};
  int64_t values[2] = {x, y};
  stp_bindings_t bindings = {2, bound, values};
  stp_ival_t r = stp_eval_value(func, &bindings, 0, func->body->first->results[0]);
  stp_ir_module_free(module);
  return r;
}

static void expect(const char *op, const char *type, int64_t x, int64_t y, int64_t want) {
  stp_ival_t r = run(op, type, type, x, y);
  assert_true(r.known);
  assert_int_equal(r.value, want);
}

static void test_integer_ops(void **state) {
  (void)state;
  for (int64_t x = -7; x <= 7; x++) {
    for (int64_t y = -3; y <= 3; y++) {
      if (y == 0) {
        assert_false(run("arith.divsi", "i32", "i32", x, y).known);
        assert_false(run("arith.remui", "i32", "i32", x, y).known);
        continue;
      }
      double q = (double)x / (double)y;
      int64_t floored = (int64_t)q - (q < (double)(int64_t)q);
      int64_t ceiled = (int64_t)q + (q > (double)(int64_t)q);
      expect("arith.divsi", "i32", x, y, x / y);
      expect("arith.remsi", "i32", x, y, x % y);
      expect("arith.floordivsi", "i32", x, y, floored);
      expect("arith.ceildivsi", "i32", x, y, ceiled);
      expect("arith.divui", "i32", x, y, (int32_t)((uint32_t)x / (uint32_t)y));
      expect("arith.remui", "i32", x, y, (int32_t)((uint32_t)x % (uint32_t)y));
      expect("arith.maxsi", "i32", x, y, x > y ? x : y);
      expect("arith.minui", "i32", x, y, (uint32_t)x < (uint32_t)y ? x : y);
    }
  }
  expect("arith.addi", "i8", 127, 1, -128);
  expect("arith.subi", "index", 3, 5, -2);
  expect("arith.muli", "i16", 300, 300, (int16_t)90000);
  expect("arith.ceildivui", "index", 7, 2, 4);
  expect("arith.shli", "i8", 1, 7, -128);
  expect("arith.shrsi", "i8", -128, 3, -16);
  expect("arith.shrui", "i8", -128, 3, 16);
  expect("arith.andi", "i32", 12, 10, 8);
  expect("arith.ori", "i32", 12, 10, 14);
  expect("arith.xori", "i32", 12, 10, 6);
  assert_false(run("arith.shli", "i8", "i8", 1, 8).known);
  assert_false(run("arith.divsi", "i8", "i8", -128, -1).known);
  assert_int_equal(run("arith.remsi", "index", "index", INT64_MIN, -1).value, 0);
  assert_int_equal(run("arith.cmpi slt", "i8", "i1", -1, 1).value, 1);
  assert_int_equal(run("arith.cmpi ult", "i8", "i1", -1, 1).value, 0);
  assert_int_equal(run("arith.cmpi sge", "index", "i1", 4, 4).value, 1);
}

/* All predicates, and the choices that go with them, at 8 bits and at one, where true is -1. */
static void test_comparisons(void **state) {
  (void)state;
  for (int bits = 1; bits <= 8; bits += 7) {
    const char *type = bits == 1 ? "i1" : "i8";
    for (int64_t x = bits == 1 ? 0 : -2; x < 2; x++) {
      for (int64_t y = bits == 1 ? 0 : -2; y < 2; y++) {
        int64_t sx = bits == 1 ? -x : x, sy = bits == 1 ? -y : y;
        uint64_t ux = (uint64_t)x & 255, uy = (uint64_t)y & 255;
        const struct {
          const char *op;
          bool want;
        } cases[] = {{"arith.cmpi eq", x == y},   {"arith.cmpi ne", x != y},
                     {"arith.cmpi slt", sx < sy}, {"arith.cmpi sle", sx <= sy},
                     {"arith.cmpi sgt", sx > sy}, {"arith.cmpi sge", sx >= sy},
                     {"arith.cmpi ult", ux < uy}, {"arith.cmpi ule", ux <= uy},
                     {"arith.cmpi ugt", ux > uy}, {"arith.cmpi uge", ux >= uy}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
          assert_int_equal(run(cases[i].op, type, "i1", x, y).value, cases[i].want);
        expect("arith.maxsi", type, x, y, sx > sy ? x : y);
        expect("arith.minsi", type, x, y, sx < sy ? x : y);
        expect("arith.maxui", type, x, y, ux > uy ? x : y);
        expect("arith.minui", type, x, y, ux < uy ? x : y);
      }
    }
  }
  expect("arith.addi", "i1", 1, 1, 0);
  expect("arith.xori", "i1", 1, 1, 0);
}

static void test_casts(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read("func.func @f(%x: i8) {\n"
                                          "  %a = arith.extsi %x : i8 to i32\n"
                                          "  %b = arith.extui %x : i8 to i32\n"
                                          "  %c = arith.index_cast %x : i8 to index\n"
                                          "  %d = arith.index_castui %x : i8 to index\n"
                                          "  %e = arith.constant 511 : i32\n"
                                          "  %g = arith.trunci %e : i32 to i8\n"
                                          "  %t = arith.constant true\n"
                                          "  %h = arith.extsi %t : i1 to i32\n"
                                          "  %k = arith.select %t, %a, %b : i32\n"
                                          "  return\n}\n",
                                          0);
  static const int64_t want[] = {-2, 254, -2, 254, 511, -1, 1, -1, -2};
  stp_ir_func_t *func = module->funcs[0];
  bool bound = true;
  int64_t value = -2;
  stp_bindings_t bindings = {1, &bound, &value};
  const stp_ir_op_t *op = func->body->first;
  for (size_t i = 0; i < sizeof want / sizeof *want; i++, op = op->next) {
    stp_ival_t r = stp_eval_value(func, &bindings, 0, op->results[0]);
    assert_true(r.known);
    assert_int_equal(r.value, want[i]);
    assert_false(stp_eval_value(func, NULL, 0, func->body->args[0]).known);
  }
  stp_ir_module_free(module);
}

static void test_tile_coordinates(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read("func.func @f() attributes {grid = [2, 3, 4]} {\n"
                                          "  %a, %b, %c = ktdp.get_compute_tile_id : index, index, "
                                          "index\n  return\n}\n",
                                          0);
  stp_ir_func_t *func = module->funcs[0];
  assert_int_equal(func->num_tiles, 24);
  for (int64_t t = 0; t < 24; t++) {
    assert_int_equal(stp_tile_coordinate(func, t, 0), t % 2);
    assert_int_equal(stp_tile_coordinate(func, t, 1), t / 2 % 3);
    assert_int_equal(stp_tile_coordinate(func, t, 2), t / 6);
    assert_int_equal(stp_tile_coordinate(func, t, 3), 0);
    assert_int_equal(stp_eval_value(func, NULL, t, func->body->first->results[1]).value, t / 2 % 3);
  }
  stp_ir_module_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_boxes),
      cmocka_unit_test(test_other_sets),
      cmocka_unit_test(test_eval),
      cmocka_unit_test(test_integer_ops),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_casts),
      cmocka_unit_test(test_tile_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
