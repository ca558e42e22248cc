/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader on right texts. First the kernels as a whole; then spellings, each of which must give
 * the same IR as its twin in another spelling; then single decoded facts; then diagnostics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "files.h"

/* ---- kernels ----------------------------------------------------------------------------- */

static void test_kernels_round_trip(void **state) {
  (void)state;
  size_t count;
  char **names = stp_test_list_dir(KERNELS_DIR, &count);
  for (size_t i = 0; i < count; i++) {
    size_t len;
    char *text = stp_test_read_file(names[i], &len);
    stp_diags_t diags;
    stp_diags_init(&diags, names[i], text, len);
    stp_ir_module_t *module = stp_ktir_read(names[i], text, len, &diags);
    stp_diags_print(&diags, stderr);
    assert_non_null(module);
    assert_int_equal(diags.list.count, 0);
    assert_non_null(stp_ir_func_find(module, NULL));
    char *generic = stp_test_print(module);
    stp_ir_module_t *again = stp_test_read(generic, 0);
    char *second = stp_test_print(again);
    assert_string_equal(generic, second);
    free(generic);
    free(second);
    stp_ir_module_free(again);
    stp_ir_module_free(module);
    stp_diags_free(&diags);
    free(text);
  }
  stp_test_free_names(names, count);
}

/* Each value's uses are listed, once, in order; ids are dense. */
static void test_uses(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read("func.func @f(%x: index) {\n"
                                          "  %a = arith.addi %x, %x : index\n"
                                          "  %b = arith.muli %a, %x : index\n"
                                          "  return\n"
                                          "}\n",
                                          0);
  stp_ir_func_t *func = stp_ir_func_find(module, "f");
  assert_non_null(func);
  assert_int_equal(func->num_values, 3);
  assert_int_equal(func->num_ops, 3);
  const stp_ir_value_t *x = func->body->args[0];
  const stp_ir_op_t *add = func->body->first;
  assert_int_equal(x->num_uses, 3);
  assert_ptr_equal(x->uses->op, add);
  assert_int_equal(x->uses->operand, 0);
  assert_int_equal(x->uses->next->operand, 1);
  assert_ptr_equal(x->uses->next->next->op, add->next);
  assert_null(x->uses->next->next->next);
  assert_string_equal(add->results[0]->name, "a");
  assert_int_equal(add->loc.line, 2);
  assert_int_equal(add->loc.col, 8);
  assert_int_equal(add->results[0]->loc.col, 3);
  stp_ir_module_free(module);
}

/* ---- spellings --------------------------------------------------------------------------- */

#define VIEW(space)                                                                                \
  "#s = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>\n"                                             \
  "func.func @f(%x: index) {\n"                                                                    \
  "  %v = ktdp.construct_memory_view %x, sizes: [64], strides: [1] {\n"                            \
  "    coordinate_set = #s, memory_space = " space "} : memref<64xf16>\n"                          \
  "  return\n}\n"

#define BODY(ops) "func.func @f(%i: index, %b: i1, %h: f16) {\n" ops "  return\n}\n"

static const struct {
  const char *one, *other;
} same[] = {
    {VIEW("#ktdp.spyre_memory_space<HBM>"), VIEW("#ktdp.memory_space<global>")},
    {VIEW("#ktdp.spyre_memory_space<LX>"), VIEW("#ktdp.memory_space<ct_local>")},
    {VIEW("#ktdp.spyre_memory_space<LX, core = 0>"),
     VIEW("#ktdp.memory_space<ct_local, ct_id = 0>")},
    /* With and without a module around it; comments, locations, other white space. */
    {BODY(""), "module {\n  func.func @f(%i: index, %b: i1, %h: f16) {\n    return\n  }\n}\n"},
    {BODY(""), "// c\nmodule @m attributes {} { func.func public @f(%i : index loc(\"a\":1:2),\n"
               "%b:i1,%h:f16){return loc(#loc) } loc(unknown)} loc(#loc)\n"
               "#loc = loc(\"a.mlir\":1:2)\n"},
    {BODY(""), "\"builtin.module\"() ({\n\"func.func\"() <{function_type = (index, i1, f16) -> (), "
               "sym_name = \"f\"}> ({\n^bb0(%0: index, %1: i1, %2: f16):\n\"func.return\"() : () "
               "-> ()\n}) : () -> ()\n}) : () -> ()\n"},
    /* Typed grids. */
    {"func.func @f() attributes {grid = [4, 8]} {\n  return\n}\n",
     "func.func @f() attributes {\"grid\" = [4 : index, 8 : i64]} {\n  return\n}\n"},
    /* arith: flags, attributes, generic form. */
    {BODY("  %c = arith.addi %i, %i : index\n"),
     BODY("  %c = arith.addi %i, %i overflow<nsw, nuw> : index\n")},
    {BODY("  %c = arith.addf %h, %h : f16\n"),
     BODY("  %c = arith.addf %h, %h fastmath<contract> : f16\n")},
    {BODY("  %c = arith.addf %h, %h : f16\n"),
     BODY("  %c = \"arith.addf\"(%h, %h) : (f16, f16) -> f16\n")},
    {BODY("  %c = arith.cmpi sle, %i, %i : index\n"),
     BODY("  %c = \"arith.cmpi\"(%i, %i) <{predicate = 3 : i64}> : (index, index) -> i1\n")},
    {BODY("  %c = arith.select %b, %h, %h : f16\n"),
     BODY("  %c = arith.select %b, %h, %h : i1, f16\n")},
    /* Constants: hexadecimal floats, splats and lists, booleans. */
    {BODY("  %c = arith.constant 1.5 : f16\n"), BODY("  %c = arith.constant 0x3E00 : f16\n")},
    {BODY("  %c = arith.constant -1.0e0 : f16\n"), BODY("  %c = arith.constant 0xBC00 : f16\n")},
    {BODY("  %c = arith.constant 1 : i1\n"), BODY("  %c = arith.constant true\n")},
    {BODY("  %c = arith.constant -1 : i32\n"), BODY("  %c = arith.constant 0xFFFFFFFF : i32\n")},
    {BODY("  %c = arith.constant dense<[1.0, 0.0]> : tensor<2xf16>\n"),
     BODY("  %c = arith.constant dense<[0x3C00, 0x0000]> : tensor<2xf16>\n")},
    {BODY("  %c = arith.constant dense<7> : tensor<2x2xi32>\n"),
     BODY("  %c = \"arith.constant\"() <{value = dense<7> : tensor<2x2xi32>}> : () -> "
          "tensor<2x2xi32>\n")},
    /* scf: types without parentheses, implicit yields, block labels. */
    {BODY("  %r = scf.for %k = %i to %i step %i iter_args(%a = %h) -> (f16) {\n"
          "    scf.yield %a : f16\n  }\n"),
     BODY("  %r = scf.for %k = %i to %i step %i iter_args(%a = %h) -> f16 : index {\n"
          "    scf.yield %a : f16\n  }\n")},
    {BODY("  scf.for %k = %i to %i step %i {\n  }\n"),
     BODY("  scf.for %k = %i to %i step %i : index {\n    scf.yield\n  }\n")},
    {BODY("  scf.for %k = %i to %i step %i {\n  }\n"),
     BODY("  \"scf.for\"(%i, %i, %i) ({\n  ^bb0(%k: index):\n    \"scf.yield\"() : () -> ()\n"
          "  }) : (index, index, index) -> ()\n")},
    {BODY("  scf.if %b {\n  }\n"),
     BODY("  \"scf.if\"(%b) ({\n    \"scf.yield\"() : () -> ()\n  }, {\n  }) : (i1) -> ()\n")},
    {BODY("  %r = scf.if %b -> (f16) {\n    scf.yield %h : f16\n  } else {\n"
          "    scf.yield %h : f16\n  }\n"),
     BODY("  %r = scf.if %b -> f16 {\n    scf.yield %h : f16\n  } else {\n"
          "    scf.yield %h : f16\n  }\n")},
    /* linalg: short bodies, results left out, iterator types as attributes, traits by alias. */
    {BODY("  %z = arith.constant dense<0.0> : tensor<4x8xf16>\n"
          "  %o = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.reduce { arith.addf } ins(%z : tensor<4x8xf16>) outs(%o : tensor<4xf16>) "
          "dimensions = [1]\n"),
     BODY("  %z = arith.constant dense<0.0> : tensor<4x8xf16>\n"
          "  %o = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.reduce ins(%z : tensor<4x8xf16>) outs(%o : tensor<4xf16>)\n"
          "    dimensions = [1] (%in: f16, %out: f16) {\n"
          "      %s = arith.addf %out, %in : f16\n      linalg.yield %s : f16\n    }\n")},
    {BODY("  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.exp ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>) -> tensor<4xf16>\n"),
     BODY("  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.exp ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>)\n")},
    {"#m = affine_map<(d0) -> (d0)>\n" BODY(
         "  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
         "  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = [\"parallel\"]}\n"
         "    ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>) {\n"
         "  ^bb0(%a: f16, %o: f16):\n    linalg.yield %a : f16\n  } -> tensor<4xf16>\n"),
     "#t = {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
     "iterator_types = [\"parallel\"]}\n" BODY(
         "  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
         "  %r = linalg.generic #t ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>) {\n"
         "  ^bb0(%a: f16, %o: f16):\n    linalg.yield %a : f16\n  } -> tensor<4xf16>\n")},
    {BODY("  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.map { math.exp } ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>)\n"),
     BODY("  %z = arith.constant dense<0.0> : tensor<4xf16>\n"
          "  %r = linalg.map ins(%z : tensor<4xf16>) outs(%z : tensor<4xf16>)\n"
          "    (%in: f16, %out: f16) {\n"
          "      %e = math.exp %in : f16\n      linalg.yield %e : f16\n    }\n")},
    /* tensor: the older expand_shape. */
    {BODY("  %z = arith.constant dense<0.0> : tensor<8xf16>\n"
          "  %r = tensor.expand_shape %z [[0, 1]] output_shape [2, 4] : tensor<8xf16> into "
          "tensor<2x4xf16>\n"),
     BODY("  %z = arith.constant dense<0.0> : tensor<8xf16>\n"
          "  %r = tensor.expand_shape %z [[0, 1]] : tensor<8xf16> into tensor<2x4xf16>\n")},
    /* Types by alias. */
    {BODY("  %z = tensor.splat %h : tensor<8xf16>\n"),
     "!t = tensor<8xf16>\n" BODY("  %z = tensor.splat %h : !t\n")},
    /* Multiple results. */
    {BODY("  %p, %q = ktdp.get_compute_tile_id : index, index\n"
          "  %s = arith.addi %p, %q : index\n"),
     BODY("  %p:2 = ktdp.get_compute_tile_id : index, index\n"
          "  %s = arith.addi %p#0, %p#1 : index\n")},
    /* Constraints turned round. */
    {"#s = affine_set<(d0) : (d0 >= 0, 7 - d0 >= 0)>\n" BODY(
         "  %v = ktdp.construct_memory_view %i, sizes: [8], strides: [1] {coordinate_set = #s, "
         "memory_space = #ktdp.memory_space<global>} : memref<8xf16>\n"),
     BODY("  %v = ktdp.construct_memory_view %i, sizes: [8], strides: [1] {coordinate_set = "
          "affine_set<(x) : (0 <= x, x <= 7)>, "
          "memory_space = #ktdp.memory_space<global>} : memref<8xf16>\n")},
};

static int warnings_of(const char *text) {
  return strstr(text, "get_compute_tile_id : index, index") != NULL ? 1 : 0;
}

static void check_same(const char *one, const char *other) {
  stp_ir_module_t *a = stp_test_read(one, warnings_of(one));
  stp_ir_module_t *b = stp_test_read(other, warnings_of(other));
  char *x = stp_test_print(a);
  char *y = stp_test_print(b);
  assert_string_equal(x, y);
  free(x);
  free(y);
  stp_ir_module_free(a);
  stp_ir_module_free(b);
}

static void test_spellings(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    check_same(same[i].one, same[i].other);
  }
}

static void test_return(void **state) {
  (void)state;
  check_same("func.func @f() {\n  return\n}\n", "func.func @f() {\n  func.return\n}\n");
}

/* Texts that must be read, without warnings unless said. */
static const struct {
  int warnings;
  const char *text;
} readable[] = {
    {0, ""},
    {0, "module {\n}\n"},
    {0, "func.func private @g(index) -> index\nfunc.func @f() {\n  return\n}\n"},
    {0, "func.func @f(%a: memref<4x?xf16, strided<[8, 1], offset: ?>, "
        "#ktdp.spyre_memory_space<LX, core = 0>>) {\n  return\n}\n"},
    {0, "func.func @f(%a: !ktdp.access_tile<? x 64 x index>, %b: !ktdp.access_tile<index>,\n"
        "  %c: !ktdp.access_tile<0x4xindex>) {\n  return\n}\n"},
    {0, "func.func @f(%a: !ktdp.runtime_arg<index, upperbound=300, granularity=3>) {\n"
        "  %v = ktdp.runtime_arg_extract value from %a : <index, granularity=3, upperbound=300> -> "
        "index\n  return\n}\n"},
    /* Foreign attributes and the device are ignored, with a warning each. */
    {1, "func.func @f() attributes {grid = [1], other.note = \"x\"} {\n  return\n}\n"},
    {1, "module attributes {foo.bar = #foo.baz<1, [2]>} {\n}\n"},
    {1, "module {\n  ktdf_arch.device @d attributes {x = #ktdf_arch.map<#ktdp.memory_space<global> "
        "= \"DDR\">} import(\"d.mlir\")\n  func.func @f() {\n    return\n  }\n}\n"},
    {1, BODY("  %c = arith.addi %i, %i {foo.bar} : index\n")},
    /* Attributes of every kind. */
    {0,
     BODY("  %c = \"arith.addi\"(%i, %i) {overflowFlags = #arith.overflow<nsw>, isExact, nonNeg = "
          "true,\n    roundingmode = {a = 1.5 : f32, b = f16, c = (f16, i1) -> (f32, i8), d = @s, "
          "e = \"x\\0A\\22\",\n      f = dense<[1, 2]> : tensor<2xi32>}} : (index, index) -> "
          "index\n")},
    /* Intermediate variables, both ways of writing direct subscripts, symbols. */
    {0, "func.func @f(%x: index, %t: index, %n: index) {\n"
        "  %xv = ktdp.construct_memory_view %x, sizes: [%n, 64], strides: [64, 1] {\n"
        "    memory_space = #ktdp.memory_space<global>} : memref<?x64xf16>\n"
        "  %tv = ktdp.construct_memory_view %t, sizes: [8], strides: [1] {\n"
        "    memory_space = #ktdp.memory_space<global>} : memref<8xi64>\n"
        "  %a = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c)\n"
        "      %xv[ind(%tv[%r + %n - %n]), (%c mod 64)] symbols(%n) {\n"
        "    variables_space_set = affine_set<(r, c)[s] : (r >= 0, s - r - 1 >= 0, c >= 0, 63 - c "
        ">= 0)>,\n    variables_space_order = affine_map<(r, c) -> (r, c)>\n"
        "  } : memref<?x64xf16>, memref<8xi64> -> !ktdp.access_tile<?x64xindex>\n"
        "  %l = ktdp.load %a : <?x64xindex> -> tensor<?x64xf16>\n  return\n}\n"},
    /* A triangle: six points for a tile of six. */
    {0, "func.func @f(%x: index) {\n  %c0 = arith.constant 0 : index\n"
        "  %v = ktdp.construct_memory_view %x, sizes: [3, 3], strides: [3, 1] {\n"
        "    memory_space = #ktdp.memory_space<global>} : memref<3x3xf16>\n"
        "  %a = ktdp.construct_access_tile %v[%c0, %c0] {\n"
        "    access_tile_set = affine_set<(i, j) : (i >= 0, 2 - i >= 0, j >= 0, i - j >= 0)>,\n"
        "    access_tile_order = affine_map<(i, j) -> (j, i)>\n"
        "  } : memref<3x3xf16> -> !ktdp.access_tile<2x3xindex>\n"
        "  %l = ktdp.load %a : <2x3xindex> -> tensor<2x3xf16>\n  return\n}\n"},
    /* scf.parallel with a reduction, scf.forall with shared outputs. */
    {0,
     BODY("  %r = scf.parallel (%p, %q) = (%i, %i) to (%i, %i) step (%i, %i) init (%h) -> f16 {\n"
          "    scf.reduce(%h : f16) {\n    ^bb0(%x: f16, %y: f16):\n"
          "      %s = arith.addf %x, %y : f16\n      scf.reduce.return %s : f16\n    }\n  }\n")},
    {0, BODY("  scf.parallel (%p) = (%i) to (%i) step (%i) {\n  }\n")},
    {0, BODY("  %z = tensor.splat %h : tensor<8xf16>\n  %one = tensor.splat %h : tensor<1xf16>\n"
             "  %r = scf.forall (%p) in (8) shared_outs(%o = %z) -> (tensor<8xf16>) {\n"
             "    scf.forall.in_parallel {\n"
             "      tensor.parallel_insert_slice %one into %o[%p] [1] [1] : tensor<1xf16> into "
             "tensor<8xf16>\n    }\n  }\n")},
    {0, BODY("  scf.forall (%p, %q) = (0, %i) to (8, %i) step (2, 1) {\n  }\n")},
    {0, BODY("  %m = tensor.generate %i {\n  ^bb0(%x: index, %y: index):\n"
             "    tensor.yield %h : f16\n  } : tensor<?x8xf16>\n"
             "  %d = tensor.dim %m, %i : tensor<?x8xf16>\n"
             "  %s = tensor.from_elements %d, %d : tensor<2xindex>\n"
             "  %t = tensor.reshape %m(%s) : (tensor<?x8xf16>, tensor<2xindex>) -> "
             "tensor<?x?xf16>\n")},
    {0, BODY("  %v = ktdp.construct_memory_view %i, sizes: [8, 8], strides: [8, 1] {\n"
             "    memory_space = #ktdp.memory_space<global>} : memref<8x8xf16>\n"
             "  %s = memref.subview %v[0, %i] [8, 1] [1, 1] : memref<8x8xf16> to "
             "memref<8xf16, strided<[8], offset: ?>>\n")},
    {0, BODY("  %z = arith.constant dense<0.0> : tensor<4x8xf16>\n"
             "  %o = arith.constant dense<0.0> : tensor<4x4xf32>\n"
             "  %r = linalg.matmul_transpose_b ins(%z, %z : tensor<4x8xf16>, tensor<4x8xf16>) "
             "outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
             "  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
             "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%z, %z : "
             "tensor<4x8xf16>, tensor<4x8xf16>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>\n")},
};

static void test_readable(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
    stp_ir_module_t *module = stp_test_read(readable[i].text, readable[i].warnings);
    char *generic = stp_test_print(module);
    stp_ir_module_t *again = stp_test_read(generic, 0);
    char *second = stp_test_print(again);
    assert_string_equal(generic, second);
    free(generic);
    free(second);
    stp_ir_module_free(again);
    stp_ir_module_free(module);
  }
}

/* ---- decoded facts ----------------------------------------------------------------------- */

static stp_ir_op_t *find_op(stp_ir_module_t *module, stp_ir_op_kind_t kind) {
  stp_ir_func_t *func = module->funcs[0];
  for (stp_ir_op_t *op = stp_ir_walk(func->body, NULL); op != NULL;
       op = stp_ir_walk(func->body, op)) {
    if (op->kind == kind) {
      return op;
    }
  }
  fail_msg("no %s", stp_ir_op_name(kind));
  return NULL;
}

static uint64_t constant_bits(const char *constant) {
  char text[200];
  snprintf(text, sizeof text, "func.func @f() {\n  %%c = arith.constant %s\n  return\n}\n",
           constant);
  stp_ir_module_t *module = stp_test_read(text, 0);
  uint64_t bits = find_op(module, STP_OP_ARITH_CONSTANT)->u.constant->bits[0];
  stp_ir_module_free(module);
  return bits;
}

static void test_float_constants(void **state) {
  (void)state;
  assert_int_equal(constant_bits("1.0 : f16"), 0x3c00);
  assert_int_equal(constant_bits("-0.0 : f16"), 0x8000);
  assert_int_equal(constant_bits("65504.0 : f16"), 0x7bff);
  assert_int_equal(constant_bits("65519.9 : f16"), 0x7bff);
  assert_int_equal(constant_bits("65520.0 : f16"), 0x7c00); /* to infinity */
  assert_int_equal(constant_bits("5.9604645e-8 : f16"), 0x0001);
  assert_int_equal(constant_bits("2.9802322e-8 : f16"), 0x0000);  /* just under half: down */
  assert_int_equal(constant_bits("2.98023224e-8 : f16"), 0x0001); /* just over half */
  assert_int_equal(constant_bits("1.00048828125 : f16"), 0x3c00); /* a tie, to even */
  assert_int_equal(constant_bits("1.00146484375 : f16"), 0x3c02);
  assert_int_equal(constant_bits("1.0e-5 : f32"), 0x3727c5ac);
  assert_int_equal(constant_bits("1.0e39 : f32"), 0x7f800000);
  assert_int_equal(constant_bits("1.00390625 : bf16"), 0x3f80);
  assert_int_equal(constant_bits("1.01171875 : bf16"), 0x3f82);
  assert_int_equal(constant_bits("448.0 : f8E4M3FN"), 0x7e);
  assert_int_equal(constant_bits("1000.0 : f8E4M3FN"), 0x7f);
  assert_int_equal(constant_bits("57344.0 : f8E5M2"), 0x7b);
  assert_int_equal(constant_bits("1.0e500 : f16"), 0x7c00); /* no double either */
  assert_int_equal(constant_bits("-1.0e500 : f32"), 0xff800000);
  assert_int_equal(constant_bits("-1.0e500 : f8E5M2"), 0xfc);
  assert_int_equal(constant_bits("0xFC00 : f16"), 0xfc00);
  assert_int_equal(constant_bits("-7 : i8"), (uint64_t)-7);
  assert_int_equal(constant_bits("255 : i8"), (uint64_t)-1);
}

static void test_view(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read(
      "func.func @f(%x: index, %m: index, %k: index) {\n"
      "  %v = ktdp.construct_memory_view %x, sizes: [%m, 4, %k], strides: [%k, 9, 1] {\n"
      "    memory_space = #ktdp.spyre_memory_space<LX, core = 0>} : memref<?x4x?xf32>\n"
      "  return\n}\n",
      0);
  const stp_ir_op_t *op = find_op(module, STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW);
  stp_ir_value_t **args = module->funcs[0]->body->args;
  assert_ptr_equal(op->u.view.offset, args[0]);
  assert_ptr_equal(op->u.view.sizes[0].ssa, args[1]);
  assert_null(op->u.view.sizes[1].ssa);
  assert_int_equal(op->u.view.sizes[1].value, 4);
  assert_ptr_equal(op->u.view.sizes[2].ssa, args[2]);
  assert_ptr_equal(op->u.view.strides[0].ssa, args[2]);
  assert_int_equal(op->u.view.strides[1].value, 9);
  assert_int_equal(op->u.view.storage, STP_ELEM_F32);
  assert_int_equal(op->u.view.space->kind, STP_SPACE_CT_LOCAL);
  assert_int_equal(op->u.view.space->tile, 0);
  /* No coordinate_set: the sizes, dynamic ones as symbols from left to right. */
  assert_int_equal(op->u.view.num_set_syms, 2);
  assert_ptr_equal(op->u.view.set_syms[0], args[1]);
  assert_ptr_equal(op->u.view.set_syms[1], args[2]);
  int64_t syms[2] = {5, 6};
  int64_t lo[3];
  int64_t hi[3];
  assert_true(stp_affine_set_as_box(op->u.view.set, syms, lo, hi));
  assert_int_equal(hi[0], 4);
  assert_int_equal(hi[1], 3);
  assert_int_equal(hi[2], 5);
  stp_ir_module_free(module);
}

static void test_access_subscripts(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read(
      "func.func @f(%x: index, %i: index, %j: index) {\n"
      "  %v = ktdp.construct_memory_view %x, sizes: [64, 64], strides: [64, 1] {\n"
      "    memory_space = #ktdp.memory_space<global>} : memref<64x64xf32>\n"
      "  %a = ktdp.construct_access_tile %v[%i + 2 * %j, %i - 3] {\n"
      "    access_tile_set = affine_set<(a, b) : (a >= 0, 3 - a >= 0, b >= 0, 7 - b >= 0)>,\n"
      "    access_tile_order = affine_map<(a, b) -> (b, a)>\n"
      "  } : memref<64x64xf32> -> !ktdp.access_tile<8x4xindex>\n"
      "  %l = ktdp.load %a : !ktdp.access_tile<8x4xindex> -> tensor<8x4xf32>\n"
      "  return\n}\n",
      0);
  const stp_ir_op_t *op = find_op(module, STP_OP_KTDP_CONSTRUCT_ACCESS_TILE);
  assert_int_equal(op->u.access.num_indices, 2);
  int64_t at[2] = {10, 100};
  int64_t value;
  assert_true(stp_affine_eval(op->u.access.map->results[0], at, NULL, &value));
  assert_int_equal(value, 210);
  assert_true(stp_affine_eval(op->u.access.map->results[1], at, NULL, &value));
  assert_int_equal(value, 7);
  int perm[2];
  assert_true(stp_affine_map_permutation(op->u.access.order, perm));
  assert_int_equal(perm[0], 1);
  stp_ir_module_free(module);
}

static void test_linalg_facts(void **state) {
  (void)state;
  stp_ir_module_t *module = stp_test_read(
      BODY("  %z = arith.constant dense<0.0> : tensor<4x8xf16>\n"
           "  %o = arith.constant dense<0.0> : tensor<8xf16>\n"
           "  %r = linalg.reduce { arith.maxnumf } ins(%z : tensor<4x8xf16>) outs(%o : "
           "tensor<8xf16>) dimensions = [0]\n"
           "  %e = tensor.empty() : tensor<8x4xf16>\n"
           "  %t = linalg.transpose ins(%z : tensor<4x8xf16>) outs(%e : tensor<8x4xf16>) "
           "permutation = [1, 0]\n"
           "  %p = tensor.extract_slice %z[1, 0] [1, 8] [1, 1] : tensor<4x8xf16> to "
           "tensor<8xf16>\n"),
      0);
  const stp_ir_op_t *reduce = find_op(module, STP_OP_LINALG_REDUCE);
  assert_int_equal(reduce->u.linalg.combiner, STP_OP_ARITH_MAXNUMF);
  assert_int_equal(reduce->u.linalg.num_loops, 2);
  assert_int_equal(reduce->u.linalg.iterators[0], STP_ITER_REDUCTION);
  assert_int_equal(reduce->u.linalg.iterators[1], STP_ITER_PARALLEL);
  assert_int_equal(reduce->u.linalg.maps[1]->results[0]->value, 1);
  /* The short form puts the accumulator first. */
  const stp_ir_block_t *body = reduce->u.linalg.body;
  assert_ptr_equal(body->first->operands[0], body->args[1]);
  const stp_ir_op_t *transpose = find_op(module, STP_OP_LINALG_TRANSPOSE);
  assert_int_equal(transpose->u.linalg.maps[0]->results[0]->value, 1);
  const stp_ir_op_t *slice = find_op(module, STP_OP_TENSOR_EXTRACT_SLICE);
  assert_int_equal(slice->u.slice.dropped, 1);
  stp_ir_module_free(module);
}

static stp_ir_op_kind_t combiner_of(const char *body) {
  char text[800];
  snprintf(text, sizeof text,
           "func.func @f() {\n  %%z = arith.constant dense<0.0> : tensor<4x8xf16>\n"
           "  %%o = arith.constant dense<0.0> : tensor<4xf16>\n"
           "  %%r = linalg.reduce ins(%%z : tensor<4x8xf16>) outs(%%o : tensor<4xf16>) dimensions "
           "= [1]\n    (%%a: f16, %%b: f16) {\n%s    }\n  return\n}\n",
           body);
  stp_ir_module_t *module = stp_test_read(text, 0);
  stp_ir_op_kind_t kind = find_op(module, STP_OP_LINALG_REDUCE)->u.linalg.combiner;
  stp_ir_module_free(module);
  return kind;
}

static void test_combiner(void **state) {
  (void)state;
  assert_int_equal(combiner_of("%s = arith.addf %a, %b : f16\nlinalg.yield %s : f16\n"),
                   STP_OP_ARITH_ADDF);
  assert_int_equal(combiner_of("%s = arith.addf %b, %a : f16\nlinalg.yield %s : f16\n"),
                   STP_OP_ARITH_ADDF);
  assert_int_equal(combiner_of("%s = arith.addf %a, %a : f16\nlinalg.yield %s : f16\n"),
                   STP_OP_NONE);
  assert_int_equal(combiner_of("%s = arith.addf %a, %b : f16\nlinalg.yield %a : f16\n"),
                   STP_OP_NONE);
  assert_int_equal(combiner_of("%s = arith.subf %a, %b : f16\nlinalg.yield %s : f16\n"),
                   STP_OP_NONE);
  assert_int_equal(combiner_of("%c = arith.cmpf ogt, %a, %b : f16\n"
                               "%s = arith.select %c, %a, %b : f16\nlinalg.yield %s : f16\n"),
                   STP_OP_NONE);
}

static void test_walk(void **state) {
  (void)state;
  stp_ir_module_t *module =
      stp_test_read(BODY("  scf.if %b {\n    scf.for %k = %i to %i step %i {\n    }\n  } else {\n"
                         "    %n = arith.negf %h : f16\n  }\n"),
                    0);
  static const stp_ir_op_kind_t expected[] = {
      STP_OP_SCF_IF,     STP_OP_SCF_FOR,   STP_OP_SCF_YIELD,  STP_OP_SCF_YIELD,
      STP_OP_ARITH_NEGF, STP_OP_SCF_YIELD, STP_OP_FUNC_RETURN};
  const stp_ir_block_t *body = module->funcs[0]->body;
  size_t n = 0;
  for (stp_ir_op_t *op = stp_ir_walk(body, NULL); op != NULL; op = stp_ir_walk(body, op)) {
    assert_true(n < sizeof expected / sizeof *expected);
    assert_int_equal(op->kind, expected[n++]);
  }
  assert_int_equal(n, sizeof expected / sizeof *expected);
  stp_ir_module_free(module);
}

/* ---- diagnostics ------------------------------------------------------------------------- */

static char *diagnose(const char *text, int *errors) {
  stp_diags_t diags;
  stp_diags_init(&diags, "k.mlir", text, strlen(text));
  stp_ir_module_t *module = stp_ktir_read("k.mlir", text, strlen(text), &diags);
  char *rendered = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&rendered, &len);
  assert_non_null(out);
  stp_diags_print(&diags, out);
  fclose(out);
  *errors = diags.num_errors;
  stp_ir_module_free(module);
  stp_diags_free(&diags);
  return rendered;
}

static void test_rendering(void **state) {
  (void)state;
  int errors;
  char *text = diagnose("func.func @f(%x: index) {\n\t%y = arith.addf %x, %x : index\n"
                        "  %x = arith.constant 1 : index\n  return\n}\n",
                        &errors);
  assert_string_equal(text, "k.mlir:3:3: error: redefinition of value '%x'\n"
                            "  %x = arith.constant 1 : index\n"
                            "  ^\n"
                            "k.mlir:1:14: note: it is first defined here\n"
                            "func.func @f(%x: index) {\n"
                            "             ^\n");
  free(text);
  text = diagnose("func.func @f(%x: index) {\n\t%y = arith.addf %x, %x : index\n  return\n}\n",
                  &errors);
  assert_string_equal(text, "k.mlir:2:18: error: 'arith.addf' op works on floating-point numbers, "
                            "not on 'index'\n"
                            "\t%y = arith.addf %x, %x : index\n"
                            "\t                ^\n");
  free(text);
}

static void test_limit(void **state) {
  (void)state;
  char text[4000] = "func.func @f() {\n";
  for (int i = 0; i < 50; i++) {
    strcat(text, "  foo.bar\n");
  }
  strcat(text, "  return\n}\n");
  int errors;
  char *rendered = diagnose(text, &errors);
  int shown = 0;
  for (const char *p = strstr(rendered, "unknown op"); p != NULL; p = strstr(p + 1, "unknown op")) {
    shown++;
  }
  assert_int_equal(shown, STP_DIAG_MAX_ERRORS);
  free(rendered);
}

/* Errors come out in the order of the text, whatever pass finds them. */
static void test_order(void **state) {
  (void)state;
  int errors;
  char *text = diagnose("func.func @f() {\n  %a = arith.negf %late : f16\n  foo.bar\n  return\n}\n"
                        "func.func @g(%x: index) {\n  %y = math.exp %x : index\n  return\n}\n",
                        &errors);
  assert_int_equal(errors, 3);
  const char *first = strstr(text, "k.mlir:2:19: error: use of undeclared value '%late'");
  const char *second = strstr(text, "k.mlir:3:3: error: unknown op 'foo.bar'");
  const char *third = strstr(text, "k.mlir:7:17: error: 'math.exp' op");
  assert_true(first != NULL && second != NULL && third != NULL);
  assert_true(first < second && second < third);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_round_trip),
      cmocka_unit_test(test_uses),
      cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_return),
      cmocka_unit_test(test_readable),
      cmocka_unit_test(test_float_constants),
      cmocka_unit_test(test_view),
      cmocka_unit_test(test_access_subscripts),
      cmocka_unit_test(test_linalg_facts),
      cmocka_unit_test(test_combiner),
      cmocka_unit_test(test_walk),
      cmocka_unit_test(test_rendering),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
