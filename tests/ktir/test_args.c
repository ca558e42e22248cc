/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels want from their caller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"
#include "files.h"

typedef struct {
  stp_ir_module_t *module;
  stp_arena_t arena;
  stp_diags_t diags;
  stp_kernel_args_t args;
  bool ok;
} result_t;

/* Analyse the only function of the text with the values of its first scalars by argument number. */
static result_t analyze(const char *text, int count, const bool *bound, const int64_t *values) {
  result_t r;
  memset(&r, 0, sizeof r);
  r.module = stp_test_read(text, 0);
  stp_arena_init(&r.arena);
  stp_diags_init(&r.diags, "test.mlir", text, strlen(text));
  stp_bindings_t bindings = {count, bound, values};
  stp_ir_func_t *func = stp_ir_func_find(r.module, NULL);
  assert_non_null(func);
  r.ok = stp_args_analyze(func, &bindings, &r.arena, &r.diags, &r.args);
  return r;
}

static result_t analyze_right(const char *text, int count, const bool *bound,
                              const int64_t *values) {
  result_t r = analyze(text, count, bound, values);
  stp_diags_print(&r.diags, stderr);
  assert_true(r.ok);
  return r;
}

static void finish(result_t *r) {
  stp_ir_module_free(r->module);
  stp_arena_free(&r->arena);
  stp_diags_free(&r->diags);
}

static void expect_error(const char *text, int count, const bool *bound, const int64_t *values,
                         uint32_t line, const char *message) {
  result_t r = analyze(text, count, bound, values);
  assert_false(r.ok);
  assert_true(r.diags.list.count > 0);
  if (strstr(r.diags.list.data[0].message, message) == NULL) {
    stp_diags_print(&r.diags, stderr);
  }
  assert_non_null(strstr(r.diags.list.data[0].message, message));
  assert_int_equal(r.diags.list.data[0].loc.line, line);
  finish(&r);
}

static void expect_buffer(const result_t *r, int number, const char *name, bool in, bool out,
                          stp_ir_elem_t elem, int64_t extent, int rank, const int64_t *shape) {
  assert_true(number < r->args.num_buffers);
  const stp_kernel_buffer_t *b = &r->args.buffers[number];
  assert_string_equal(b->name, name);
  assert_int_equal(b->loaded, in);
  assert_int_equal(b->stored, out);
  assert_int_equal(b->elem, elem);
  assert_int_equal(b->extent, extent);
  assert_int_equal(b->rank, rank);
  for (int i = 0; i < rank; i++) {
    assert_int_equal(b->shape[i], shape[i]);
  }
}

#define VIEW1(name, offset, size, type)                                                            \
  "  %" name " = ktdp.construct_memory_view %" offset ", sizes: [" size "], strides: [1] {\n"      \
  "    memory_space = #ktdp.memory_space<global>} : memref<" type ">\n"
#define TILE1(name, view, at, type)                                                                \
  "  %" name " = ktdp.construct_access_tile %" view "[" at "] {\n"                                 \
  "    access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>,\n"                           \
  "    access_tile_order = affine_map<(d0) -> (d0)>} : memref<" type ">\n"                         \
  "      -> !ktdp.access_tile<16xindex>\n"
#define LOAD1(name, tile, elem)                                                                    \
  "  %" name " = ktdp.load %" tile " : <16xindex> -> tensor<16x" elem ">\n"
#define STORE1(data, tile, elem)                                                                   \
  "  ktdp.store %" data ", %" tile " : tensor<16x" elem ">, <16xindex>\n"

static void test_kernels(void **state) {
  (void)state;
  static const struct {
    const char *file;
    stp_ir_elem_t out;
    int64_t shape[3][2];
    int rank;
  } kernels[] = {
      {"vector_add", STP_ELEM_F16, {{4096}, {4096}, {4096}}, 1},
      {"vector_add_1m", STP_ELEM_F16, {{1048576}, {1048576}, {1048576}}, 1},
      {"vector_add_dynamic", STP_ELEM_F16, {{4000}, {4000}, {4000}}, 1},
      {"matmul_64", STP_ELEM_F32, {{64, 64}, {64, 64}, {64, 64}}, 2},
      {"matmul_256_f16", STP_ELEM_F16, {{256, 256}, {256, 256}, {256, 256}}, 2},
      {"matmul_37x129x75", STP_ELEM_F32, {{37, 129}, {129, 75}, {37, 75}}, 2},
  };
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s.mlir", KERNELS_DIR, kernels[i].file);
    size_t len;
    char *raw = stp_test_read_file(path, &len);
    char *text = malloc(len + 1);
    assert_non_null(text);
    memcpy(text, raw, len);
    text[len] = 0;
    bool bound[4] = {false, false, false, true};
    int64_t values[4] = {0, 0, 0, 4000};
    result_t r = analyze_right(text, 4, bound, values);
    assert_int_equal(r.args.num_buffers, 3);
    static const char *const names[] = {"a", "b", "c"};
    for (int k = 0; k < 3; k++) {
      int64_t extent = kernels[i].shape[k][0] * (kernels[i].rank == 2 ? kernels[i].shape[k][1] : 1);
      expect_buffer(&r, k, names[k], k < 2, k == 2, k < 2 ? STP_ELEM_F16 : kernels[i].out, extent,
                    kernels[i].rank, kernels[i].shape[k]);
      assert_int_equal(r.args.params[k].kind, STP_PARAM_ADDRESS);
    }
    finish(&r);
    free(text);
    free(raw);
  }
}

/* A view per tile, through additions and casts: one dimension of the whole extent. */
static void test_union_of_views(void **state) {
  (void)state;
  result_t r =
      analyze_right("func.func @f(%x: i64, %k: index) attributes {grid = [4]} {\n"
                    "  %c0 = arith.constant 0 : index\n  %id = ktdp.get_compute_tile_id : index\n"
                    "  %p = arith.index_cast %x : i64 to index\n"
                    "  %o = arith.muli %id, %k : index\n  %at = arith.addi %o, %p : index\n" VIEW1(
                        "v", "at", "16", "16xf16") TILE1("t", "v", "%c0", "16xf16")
                        LOAD1("a", "t", "f16") STORE1("a", "t", "f16") "  return\n}\n",
                    2, (bool[]){false, true}, (int64_t[]){0, 100});
  assert_int_equal(r.args.num_buffers, 1);
  expect_buffer(&r, 0, "x", true, true, STP_ELEM_F16, 316, 1, (int64_t[]){316});
  assert_int_equal(r.args.params[0].kind, STP_PARAM_ADDRESS);
  assert_int_equal(r.args.params[1].kind, STP_PARAM_SCALAR);
  finish(&r);
}

/* A pointer that a loop advances. */
static void test_pointer_loop(void **state) {
  (void)state;
  result_t r = analyze_right(
      "func.func @f(%x: index, %n: index) {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %c20 = arith.constant 20 : index\n"
      "  %e = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (index) {\n" VIEW1(
          "v", "p", "16", "16xf16") TILE1("t", "v", "%c0", "16xf16")
          LOAD1("a", "t",
                "f16") "  %q = arith.addi %p, %c20 : index\n    scf.yield %q : index\n  }\n"
                       "  return\n}\n",
      2, (bool[]){false, true}, (int64_t[]){0, 3});
  expect_buffer(&r, 0, "x", true, false, STP_ELEM_F16, 56, 1, (int64_t[]){56});
  finish(&r);
}

/* Branches: taken or not as far as is known; both where data decide. */
static void test_branches(void **state) {
  (void)state;
  static const char text[] =
      "func.func @f(%x: index, %n: index, %h: f32) {\n"
      "  %c0 = arith.constant 0 : index\n  %c64 = arith.constant 64 : index\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %known = arith.cmpi sgt, %n, %c0 : index\n"
      "  %data = arith.cmpf ogt, %h, %zero : f32\n" VIEW1("v", "x", "16",
                                                          "16xf16") TILE1("t", "v", "%c0", "16xf16")
          LOAD1("a", "t",
                "f16") "  scf.if %known {\n"
                       "  %p = arith.addi %x, %c64 : index\n" VIEW1("w", "p", "16", "16xf16")
                           TILE1("u", "w", "%c0", "16xf16") STORE1(
                               "a", "u",
                               "f16") "  }\n"
                                      "  %far = arith.muli %c64, %c64 : index\n  scf.if %data {\n"
                                      "  %q = arith.addi %x, %far : index\n" VIEW1(
                                          "z", "q", "16", "16xf16") TILE1("y", "z", "%c0", "16xf16")
                                          STORE1("a", "y", "f16") "  }\n  return\n}\n";
  bool bound[3] = {false, true, false};
  result_t r = analyze_right(text, 3, bound, (int64_t[]){0, 1, 0});
  expect_buffer(&r, 0, "x", true, true, STP_ELEM_F16, 4112, 1, (int64_t[]){4112});
  finish(&r);
  char *shorter = malloc(sizeof text);
  assert_non_null(shorter);
  memcpy(shorter, text, sizeof text);
  char *data = strstr(shorter, "scf.if %data");
  assert_non_null(data);
  memcpy(data, "scf.if %known", 13); /* one letter longer: eats the blank */
  data[13] = '{';
  r = analyze_right(shorter, 3, bound, (int64_t[]){0, 0, 0});
  expect_buffer(&r, 0, "x", true, true, STP_ELEM_F16, 16, 1, (int64_t[]){16});
  finish(&r);
  free(shorter);
}

/* Views at constant offsets are bound by their names; places in LX too. */
static void test_constant_views(void **state) {
  (void)state;
  result_t r = analyze_right(
      "func.func @f(%n: index) attributes {grid = [2]} {\n"
      "  %c0 = arith.constant 0 : index\n  %c512 = arith.constant 512 : index\n"
      "  %id = ktdp.get_compute_tile_id : index\n"
      "  %step = arith.muli %id, %n : index\n  %at = arith.addi %step, %c512 : index\n" VIEW1(
          "src", "c512", "32", "32xi32") TILE1("t", "src", "%c0", "32xi32") LOAD1("a", "t", "i32")
          VIEW1("dst", "at", "16", "16xi32") TILE1("u", "dst", "%c0", "16xi32") STORE1(
              "a", "u",
              "i32") "  %lx = ktdp.construct_memory_view %c512, sizes: [16], strides: [1] {\n"
                     "    memory_space = #ktdp.memory_space<ct_local, ct_id = 1>} : "
                     "memref<16xi32>\n"
                     "  return\n}\n",
      1, (bool[]){true}, (int64_t[]){1000});
  assert_int_equal(r.args.num_buffers, 3);
  assert_int_equal(r.args.params[0].kind, STP_PARAM_SCALAR);
  expect_buffer(&r, 0, "src", true, false, STP_ELEM_I32, 32, 1, (int64_t[]){32});
  assert_int_equal(r.args.buffers[0].start, 512);
  assert_int_equal(r.args.buffers[0].arg, -1);
  expect_buffer(&r, 1, "dst", false, true, STP_ELEM_I32, 1016, 1, (int64_t[]){1016});
  assert_int_equal(r.args.buffers[1].start, 512);
  expect_buffer(&r, 2, "lx", false, false, STP_ELEM_I32, 16, 1, (int64_t[]){16});
  assert_int_equal(r.args.buffers[2].space.kind, STP_SPACE_CT_LOCAL);
  assert_int_equal(r.args.buffers[2].space.tile, 1);
  finish(&r);
}

/* Column halves of one matrix, put together again: the matrix is the shape. */
static void test_distributed(void **state) {
  (void)state;
  result_t r = analyze_right(
      "func.func @f(%x: index) {\n"
      "  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n"
      "  %y = arith.addi %x, %c32 : index\n"
      "  %l = ktdp.construct_memory_view %x, sizes: [8, 32], strides: [64, 1] {coordinate_set = "
      "affine_set<(a, b) : (a >= 0, 7 - a >= 0, b >= 0, 31 - b >= 0)>, memory_space = "
      "#ktdp.memory_space<global>} : memref<8x32xf16>\n"
      "  %h = ktdp.construct_memory_view %y, sizes: [8, 32], strides: [64, 1] {coordinate_set = "
      "affine_set<(a, b) : (a >= 0, 7 - a >= 0, b - 32 >= 0, 63 - b >= 0)>, memory_space = "
      "#ktdp.memory_space<global>} : memref<8x32xf16>\n"
      "  %d = ktdp.construct_distributed_memory_view (%l, %h : memref<8x32xf16>, memref<8x32xf16>) "
      ": memref<8x64xf16>\n"
      "  %t = ktdp.construct_access_tile %d[%c0, %c0] {access_tile_set = affine_set<(a, b) : (a >= "
      "0, 7 - a >= 0, b >= 0, 63 - b >= 0)>, access_tile_order = affine_map<(a, b) -> (a, b)>} : "
      "memref<8x64xf16> -> !ktdp.access_tile<8x64xindex>\n"
      "  %v = ktdp.load %t : <8x64xindex> -> tensor<8x64xf16>\n  return\n}\n",
      0, NULL, NULL);
  expect_buffer(&r, 0, "x", true, false, STP_ELEM_F16, 512, 2, (int64_t[]){8, 64});
  finish(&r);
}

#define GATHER(rows)                                                                               \
  "func.func @f(%x: index, %i: index, %n: index) {\n"                                              \
  "  %xv = ktdp.construct_memory_view %x, sizes: [" rows ", 4], strides: [4, 1] {\n"               \
  "    memory_space = #ktdp.memory_space<global>} : memref<?x4xf16>\n" VIEW1(                      \
      "iv", "i", "16",                                                                             \
      "16xi32") "  %t = ktdp.construct_indirect_access_tile intermediate_variables(%r, %c)\n"      \
                "      %xv[ind(%iv[%r]), (%c)] {variables_space_set = affine_set<(a, b) : (a >= "  \
                "0, 15 - a >= 0, b "                                                               \
                ">= 0, 3 - b >= 0)>, variables_space_order = affine_map<(a, b) -> (a, b)>} : "     \
                "memref<?x4xf16>, "                                                                \
                "memref<16xi32> -> !ktdp.access_tile<16x4xindex>\n"                                \
                "  %v = ktdp.load %t : <16x4xindex> -> tensor<16x4xf16>\n  return\n}\n"

static void test_index_table(void **state) {
  (void)state;
  result_t r = analyze_right(GATHER("%n"), 3, (bool[]){false, false, true}, (int64_t[]){0, 0, 77});
  expect_buffer(&r, 0, "x", true, false, STP_ELEM_F16, 308, 2, (int64_t[]){77, 4});
  expect_buffer(&r, 1, "i", true, false, STP_ELEM_I32, 16, 1, (int64_t[]){16});
  assert_false(r.args.buffers[0].is_index);
  assert_true(r.args.buffers[1].is_index);
  assert_int_equal(r.args.buffers[1].index_limit, 77);
  finish(&r);
}

static void test_storage(void **state) {
  (void)state;
  result_t r = analyze_right(
      "func.func @f(%x: index) {\n  %v = ktdp.construct_memory_view %x, sizes: [16], strides: [1] "
      "{memory_space = #ktdp.memory_space<global>, steeple.storage = \"dl16\"} : memref<16xf32>\n"
      "  return\n}\n",
      0, NULL, NULL);
  assert_int_equal(r.args.buffers[0].elem, STP_ELEM_F32);
  assert_int_equal(r.args.buffers[0].storage, STP_ELEM_DL16);
  finish(&r);
}

static void test_runtime_arg(void **state) {
  (void)state;
  result_t r = analyze_right(
      "func.func @f(%p: !ktdp.runtime_arg<index>, %m: !ktdp.runtime_arg<index, granularity=32, "
      "upperbound=300>) {\n"
      "  %x = ktdp.runtime_arg_extract value from %p : <index> -> index\n"
      "  %n = ktdp.runtime_arg_extract value from %m : <index, granularity=32, upperbound=300> -> "
      "index\n" VIEW1("v", "x", "%n", "?xf16") "  return\n}\n",
      2, (bool[]){false, true}, (int64_t[]){0, 96});
  assert_int_equal(r.args.params[0].kind, STP_PARAM_ADDRESS);
  assert_int_equal(r.args.params[1].kind, STP_PARAM_SCALAR);
  assert_int_equal(r.args.params[1].granularity, 32);
  assert_int_equal(r.args.params[1].upperbound, 300);
  expect_buffer(&r, 0, "p", false, false, STP_ELEM_F16, 96, 1, (int64_t[]){96});
  finish(&r);
}

/* Views of parallel loops: all of their iterations count. */
static void test_parallel(void **state) {
  (void)state;
  static const char text[] =
      "func.func @f(%x: index, %n: index) {\n  %c0 = arith.constant 0 : index\n"
      "  %c3 = arith.constant 3 : index\n"
      "  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %n) step (%n, %c3) {\n"
      "    %k = arith.addi %i, %j : index\n    %p = arith.addi %x, %k : index\n" VIEW1(
          "v", "p", "16", "16xf16") "  }\n  return\n}\n";
  result_t r = analyze_right(text, 2, (bool[]){false, true}, (int64_t[]){0, 2});
  expect_buffer(&r, 0, "x", false, false, STP_ELEM_F16, 18, 1, (int64_t[]){18});
  finish(&r);
  r = analyze_right(text, 2, (bool[]){false, true}, (int64_t[]){0, 8});
  expect_buffer(&r, 0, "x", false, false, STP_ELEM_F16, 22, 1, (int64_t[]){22});
  finish(&r);
  expect_error(text, 2, (bool[]){false, true}, (int64_t[]){0, 0}, 4, "step must be positive");
  expect_error(text, 0, NULL, NULL, 1, "argument '%n' needs a value");
}

static void test_errors(void **state) {
  (void)state;
  /* Two addresses in one offset. */
  expect_error("func.func @f(%x: index, %y: index) {\n  %p = arith.addi %x, %y : index\n" VIEW1(
                   "v", "p", "16", "16xf16") "  return\n}\n",
               0, NULL, NULL, 3, "offset is made from two addresses");
  /* Two widths on one address. */
  expect_error("func.func @f(%x: index) {\n" VIEW1("v", "x", "16", "16xf16")
                   VIEW1("w", "x", "16", "16xf32") "  return\n}\n",
               0, NULL, NULL, 4, "of another width");
  /* An unbound scalar, through arithmetic. */
  expect_error(
      "func.func @f(%x: index,\n    %n: index) {\n  %m = arith.muli %n, %n : index\n" VIEW1(
          "v", "x", "%m", "?xf16") "  return\n}\n",
      0, NULL, NULL, 2,
      "argument '%n' needs a value: the size of a "
      "'ktdp.construct_memory_view' depends on it");
  /* A size that data decide. */
  expect_error(
      "func.func @f(%x: index) {\n  %c0 = arith.constant 0 : index\n" VIEW1(
          "v", "x", "16", "16xindex") TILE1("t", "v", "%c0", "16xindex")
          LOAD1("a", "t", "index") "  %n = tensor.extract %a[%c0] : tensor<16xindex>\n" VIEW1(
              "w", "x", "%n", "?xindex") "  return\n}\n",
      0, NULL, NULL, 11, "size '%n' is not known before the kernel runs");
  /* Before the argument. */
  expect_error(
      "func.func @f(%x: index) {\n  %c4 = arith.constant 4 : index\n"
      "  %p = arith.subi %x, %c4 : index\n" VIEW1("v", "p", "16", "16xf16") "  return\n}\n",
      0, NULL, NULL, 4, "reaches 4 elements before the start of '%x'");
  /* Beyond the address space. */
  expect_error("func.func @f(%x: index) {\n" VIEW1("v", "x", "1099511627776",
                                                   "1099511627776xf16") "  return\n}\n",
               0, NULL, NULL, 1, "beyond the device's 40-bit addresses");
  /* A size computed from an address. */
  expect_error("func.func @f(%x: index) {\n" VIEW1("v", "x", "%x", "?xf16") "  return\n}\n", 0,
               NULL, NULL, 2, "size '%x' depends on the address '%x'");
  /* Negative sizes, endless work, results and arguments that a kernel cannot have. */
  expect_error(
      "func.func @f(%x: index, %n: index) {\n" VIEW1("v", "x", "%n", "?xf16") "  return\n}\n", 2,
      (bool[]){false, true}, (int64_t[]){0, -1}, 2, "must not be negative");
  expect_error("func.func @f(%x: index, %n: index) {\n  %c0 = arith.constant 0 : index\n"
               "  %c1 = arith.constant 1 : index\n  scf.for %i = %c0 to %n step %c1 {\n" VIEW1(
                   "v", "x", "16", "16xf16") "  }\n  return\n}\n",
               2, (bool[]){false, true}, (int64_t[]){0, INT64_MAX}, 1, "take too long");
  expect_error("func.func @f(%x: index, %n: index) {\n  %c0 = arith.constant 0 : index\n"
               "  scf.for %i = %c0 to %n step %n {\n    %p = arith.addi %x, %i : index\n" VIEW1(
                   "v", "p", "16", "16xf16") "  }\n  return\n}\n",
               2, (bool[]){false, true}, (int64_t[]){0, -4}, 3, "step must be positive, but is -4");
  /* A last element that 64 bits cannot count. */
  expect_error("func.func @f(%x: index, %n: index) {\n"
               "  %v = ktdp.construct_memory_view %x, sizes: [16], strides: [%n] {\n"
               "    memory_space = #ktdp.memory_space<global>} : memref<16xf16>\n  return\n}\n",
               2, (bool[]){false, true}, (int64_t[]){0, INT64_MAX / 4}, 2,
               "reaches beyond what 64 bits can address");
  expect_error("func.func @f(%x: index) -> index {\n  return %x : index\n}\n", 0, NULL, NULL, 1,
               "must not return values");
  expect_error("func.func @f(%x: tensor<4xf16>) {\n  return\n}\n", 0, NULL, NULL, 1,
               "must be index, an integer or a float");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),        cmocka_unit_test(test_union_of_views),
      cmocka_unit_test(test_pointer_loop),   cmocka_unit_test(test_branches),
      cmocka_unit_test(test_constant_views), cmocka_unit_test(test_distributed),
      cmocka_unit_test(test_index_table),    cmocka_unit_test(test_storage),
      cmocka_unit_test(test_runtime_arg),    cmocka_unit_test(test_parallel),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
