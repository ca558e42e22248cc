/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every op on integer scalars, of every width, computed by the sequencers of the units from an
 * argument that stays one and from the index of a loop, against the interpreter: the result picks,
 * eight bits at a time, the rows of a matrix that are copied to the output. What the scheduler
 * refuses, it must refuse, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp.h"
#include "text.h"

enum { ROWS = 256, COLS = 4, STEPS = 5 };

static const struct {
  const char *name;
  int bits, digits;
} types[] = {{"index", 64, 8}, {"i64", 64, 8}, {"i32", 32, 5}, {"i8", 8, 2}, {"i1", 1, 2}};
enum { INDEX, I64, I32, I8, I1, TYPES };

/* Both operands, as index: %n is any number, %j a loop's index from 0 to 4. */
static const struct {
  const char *a, *b;
  bool a_natural; /* the scheduler knows that a >= 0, b > 0, at 8 bits and more */
  bool b_positive;
} operands[] = {
    {"%a0 = arith.addi %n, %c0 : index", "%b0 = arith.subi %j, %c2 : index", false, false},
    {"%a0 = arith.addi %n, %c0 : index", "%b0 = arith.addi %j, %c1 : index", false, true},
    {"%a0 = arith.addi %n, %j : index", "%b0 = arith.constant 4 : index", false, true},
    {"%a0 = arith.subi %n, %j : index", "%b0 = arith.constant 5 : index", false, true},
    {"%a0 = arith.andi %n, %c127 : index", "%b0 = arith.addi %j, %c1 : index", true, true},
    {"%a0 = arith.andi %n, %c127 : index", "%b0 = arith.constant 8 : index", true, true},
    {"%a0 = arith.addi %j, %c2 : index", "%b0 = arith.constant 1 : index", true, true},
    {"%a0 = arith.subi %j, %c2 : index", "%b0 = arith.muli %n, %c1 : index", false, false},
    {"%a0 = arith.muli %n, %n : index", "%b0 = arith.muli %n, %j : index", false, false},
    {"%a0 = arith.constant -7 : index", "%b0 = arith.constant 3 : index", false, true},
};
enum { OPERANDS = sizeof operands / sizeof *operands };

/* No lowest number of a type among them: divided by -1 it has no result. */
static const int64_t values[] = {
    0,     1,     -1,         5,         63,         64,        100,
    127,   -127,  200,        255,       1000,       -1001,     65535,
    70000, -5467, INT32_MAX,  -65537000, 1099511640, INT64_MAX, INT64_MIN + 5,
    -2,    3,     4294967295, 9000000019};
enum { VALUES = sizeof values / sizeof *values };

/* A kernel around ops that make %r of %a and %b, all of a type, for each %j. */
static void kernel(text_t *t, int type, int pair, const char *ops) {
  const char *name = types[type].name;
  t->n = 0;
  put_head(t, "%x: index, %y: index, %n: index", "1");
  put(t,
      "%%c1 = arith.constant 1 : index\n%%c2 = arith.constant 2 : index\n"
      "%%c8 = arith.constant 8 : index\n%%c127 = arith.constant 127 : index\n"
      "%%c255 = arith.constant 255 : index\n%%steps = arith.constant %d : index\n"
      "%%digits = arith.constant %d : index\n"
      "scf.for %%j = %%c0 to %%steps step %%c1 {\n%s\n%s\n",
      STEPS, types[type].digits, operands[pair].a, operands[pair].b);
  for (const char *v = "ab"; *v; v++) {
    if (type == INDEX) {
      put(t, "%%%c = arith.addi %%%c0, %%c0 : index\n", *v, *v);
    } else if (type == I64 || pair % 2) {
      put(t, "%%%c = arith.index_cast %%%c0 : index to %s\n", *v, *v, name);
    } else {
      put(t,
          "%%%c1 = arith.index_cast %%%c0 : index to i64\n%%%c = arith.trunci %%%c1 : i64 to %s\n",
          *v, *v, *v, *v, name);
    }
  }
  put(t, "%s", ops);
  if (type == INDEX)
    put(t, "%%w = arith.addi %%r, %%c0 : index\n");
  else if (type == I64 || pair % 2)
    put(t, "%%w = arith.index_cast %%r : %s to index\n", name);
  else
    put(t, "%%r1 = arith.extsi %%r : %s to i64\n%%w = arith.index_cast %%r1 : i64 to index\n",
        name);
  put(t, "%%first = arith.muli %%j, %%digits : index\n"
         "scf.for %%k = %%c0 to %%digits step %%c1 {\n%%by = arith.muli %%k, %%c8 : index\n"
         "%%high = arith.shrsi %%w, %%by : index\n%%row = arith.andi %%high, %%c255 : index\n"
         "%%to = arith.addi %%first, %%k : index\n");
  put_tile(t, "x", "f16", ROWS, COLS, COLS, 1, "%row", "%c0", 1, COLS);
  put_load(t, "v", "x", "1x4xf16", "1x4");
  put_tile(t, "y", "f16", STEPS * types[type].digits, COLS, COLS, 1, "%to", "%c0", 1, COLS);
  put_store(t, "v", "y", "1x4xf16", "1x4");
  put(t, "}\n}\n");
  put_end(t);
}

/* What the kernel should leave. */
static void interpret(bench_t *b, int64_t n, uint8_t *memory) {
  stp_arena_t arena;
  stp_arena_init(&arena);
  stp_ir_func_t *func = stp_ir_func_find(b->module, NULL);
  const bool bound[3] = {false, false, true};
  const int64_t scalars[3] = {0, 0, n};
  stp_bindings_t bindings = {.count = 3, .bound = bound, .values = scalars};
  stp_kernel_args_t args;
  bool ok = stp_args_analyze(func, &bindings, &arena, &b->diags, &args);
  stp_interp_buffer_t buffers[BENCH_ARGS] = {{NULL, NULL}};
  for (int i = 0; ok && i < args.num_buffers; i++) buffers[i].data = memory + b->base[i];
  stp_interp_options_t options = {.mode = STP_INTERP_EXACT};
  ok = ok && stp_interp_run(func, &bindings, &args, buffers, &options, &b->diags);
  if (!ok) stp_diags_print(&b->diags, stderr);
  assert_true(ok);
  stp_arena_free(&arena);
}

/* Compile and run with some of the values, or be refused with `refusal` in the message. */
static void check(int type, int pair, const char *ops, const char *refusal) {
  static unsigned turn;
  text_t t;
  kernel(&t, type, pair, ops);
  bench_t b;
  bool compiled = bench_try(&b, "kernel.mlir", t.s, 2, 1 << 20, true);
  const char *message = compiled ? "" : b.diags.list.data[0].message;
  if (compiled != !refusal || (refusal && !strstr(message, refusal)))
    fail_msg("%s, operands %d, expected '%s', not '%s':\n%s", types[type].name, pair,
             refusal ? refusal : "", message, t.s);
  for (int i = 0; compiled && i < 4; i++, turn++) {
    int64_t n = values[turn % VALUES];
    bench_place(&b, 0);
    bench_random(&b, 0, turn, 100);
    b.job->scalars[0].value = n;
    uint8_t *want = malloc(b.memory_size);
    memcpy(want, b.memory, b.memory_size);
    interpret(&b, n, want);
    if (!bench_run(&b, 1) || memcmp(want, b.memory, b.memory_size) != 0)
      fail_msg("%s, operands %d, n = %lld:\n%s", types[type].name, pair, (long long)n, t.s);
    free(want);
  }
  bench_close(&b);
}

static void binary(const char *op, int type, int pair, const char *fix, const char *refusal) {
  char ops[400];
  const char *name = types[type].name;
  if (fix)
    snprintf(ops, sizeof ops,
             "%%f = arith.constant %s : %s\n%%b2 = arith.%s %%b, %%f : %s\n"
             "%%r = arith.%s %%a, %%b2 : %s\n",
             fix + 4, name, fix[0] == 'o' ? "ori" : "andi", name, op, name);
  else
    snprintf(ops, sizeof ops, "%%r = arith.%s %%a, %%b : %s\n", op, name);
  check(type, pair, ops, refusal);
}

static void arithmetic(void **state) {
  (void)state;
  static const char *const ops[] = {"addi", "subi",  "muli",  "andi",  "ori",
                                    "xori", "maxsi", "minsi", "maxui", "minui"};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int type = 0; type < TYPES; type++)
      for (int pair = 0; pair < OPERANDS; pair++) binary(ops[i], type, pair, NULL, NULL);
}

/* By less than the width. */
static void shifts(void **state) {
  (void)state;
  static const char *const ops[] = {"shli", "shrsi", "shrui"};
  for (int i = 0; i < 3; i++) {
    for (int type = 0; type < I1; type++) {
      for (int pair = 0; pair < OPERANDS; pair++) {
        bool refused = i == 2 && types[type].bits < 64 && !operands[pair].a_natural;
        binary(ops[i], type, pair,
               types[type].bits == 64   ? "and 63"
               : types[type].bits == 32 ? "and 31"
                                        : "and 7",
               refused ? "known not to be negative" : NULL);
      }
    }
  }
}

/* By odd numbers where the divisor may be 0. */
static void divisions(void **state) {
  (void)state;
  static const struct {
    const char *op;
    bool is_unsigned, rounds;
  } ops[] = {{"divsi", false, false},  {"remsi", false, false},     {"divui", true, false},
             {"remui", true, false},   {"floordivsi", false, true}, {"ceildivsi", false, true},
             {"ceildivui", true, true}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    for (int type = 0; type < I1; type++) {
      for (int pair = 0; pair < OPERANDS; pair++) {
        bool natural = operands[pair].a_natural, positive = operands[pair].b_positive;
        bool sign = ops[i].is_unsigned && !natural && (types[type].bits < 64 || ops[i].rounds);
        binary(ops[i].op, type, pair, positive ? NULL : "or  1",
               sign                         ? "known not to be negative"
               : ops[i].rounds && !positive ? "known to be positive"
                                            : NULL);
      }
    }
  }
  check(INDEX, 0, "%z = arith.constant 0 : index\n%r = arith.divsi %a, %z : index\n",
        "divides by zero");
  check(I32, 4, "%z = arith.constant 0 : i32\n%r = arith.ceildivui %a, %z : i32\n",
        "divides by zero");
}

static void comparisons(void **state) {
  (void)state;
  static const char *const predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                           "sge", "ult", "ule", "ugt", "uge"};
  char ops[400];
  for (int i = 0; i < 10; i++) {
    for (int type = 0; type < TYPES; type++) {
      const char *name = types[type].name;
      for (int pair = 0; pair < OPERANDS; pair++) {
        /* The larger, the smaller, or one more than either. */
        snprintf(ops, sizeof ops,
                 "%%c = arith.cmpi %s, %%a, %%b : %s\n%%d = arith.constant %s : %s\n"
                 "%%m = arith.addi %%a, %%d : %s\n%%r = arith.select %%c, %%m, %%b : %s\n",
                 predicates[i], name, type == I1 ? "true" : "1", name, name, name);
        if (type == I1) {
          snprintf(ops, sizeof ops, "%%r = arith.cmpi %s, %%a, %%b : i1\n", predicates[i]);
        }
        check(type, pair, ops, NULL);
      }
    }
  }
}

static void casts(void **state) {
  (void)state;
  static const struct {
    int type;
    const char *ops, *refusal; /* the latter if a is not known to be natural */
  } cases[] = {
      {I64, "%h = arith.trunci %a : i64 to i16\n%r = arith.extsi %h : i16 to i64\n", NULL},
      {I64, "%h = arith.trunci %a : i64 to i1\n%r = arith.extsi %h : i1 to i64\n", NULL},
      {I64, "%h = arith.trunci %a : i64 to i1\n%r = arith.extui %h : i1 to i64\n", NULL},
      {I8, "%h = arith.extui %a : i8 to i32\n%r = arith.trunci %h : i32 to i8\n",
       "known not to be negative"},
      {I8, "%h = arith.index_castui %a : i8 to index\n%r = arith.index_cast %h : index to i8\n",
       "known not to be negative"},
      {INDEX,
       "%h = arith.index_castui %a : index to i64\n%r = arith.index_castui %h : i64 to index\n",
       NULL},
      {INDEX, "%h = arith.index_cast %a : index to i1\n%r = arith.index_castui %h : i1 to index\n",
       NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int pair = 0; pair < OPERANDS; pair++)
      check(cases[i].type, pair, cases[i].ops, operands[pair].a_natural ? NULL : cases[i].refusal);
  }
}

/* Known integers as floats, splat. */
static void to_float(void **state) {
  (void)state;
  static const struct {
    const char *type, *value;
    bool negative;
  } numbers[] = {{"i1", "true", false},      {"i1", "false", false},     {"i8", "-5", true},
                 {"i8", "127", false},       {"i32", "2049", false},     {"i32", "-2051", true},
                 {"i64", "16777217", false}, {"i64", "16777219", false}, {"i64", "65520", false},
                 {"i64", "-33554435", true}};
  static const char *const floats[] = {"f16", "bf16", "f32"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    for (int k = 0; k < 6; k++) {
      const char *to = floats[k / 2];
      text_t t = {.n = 0};
      bench_t b;
      put_head(&t, "%y: index", "1");
      put(&t, "%%i = arith.constant %s%s%s\n%%f = arith.%citofp %%i : %s to %s\n", numbers[i].value,
          numbers[i].type[1] == '1' ? "" : " : ", numbers[i].type[1] == '1' ? "" : numbers[i].type,
          k % 2 ? 'u' : 's', numbers[i].type, to);
      put(&t, "%%t = tensor.splat %%f : tensor<4x%s>\n", to);
      put_vector(&t, "y", to, 4);
      char shape[16];
      snprintf(shape, sizeof shape, "4x%s", to);
      put_store(&t, "t", "y", shape, "4");
      put_end(&t);
      if (k % 2 && numbers[i].negative) { /* a large number, which is not computed exactly */
        assert_false(bench_try(&b, "kernel.mlir", t.s, -1, 0, false));
        assert_non_null(strstr(b.diags.list.data[0].message, "not known at compile time"));
      } else {
        if (!bench_compile_text(&b, "kernel.mlir", t.s, -1, 0, false)) fail_msg("%s", t.s);
        bench_place(&b, 0);
        uint8_t *want = malloc(b.memory_size);
        memcpy(want, b.memory, b.memory_size);
        interpret(&b, 0, want);
        if (!bench_run(&b, 1) || memcmp(want, b.memory, b.memory_size) != 0) fail_msg("%s", t.s);
        free(want);
      }
      bench_close(&b);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic),  cmocka_unit_test(shifts), cmocka_unit_test(divisions),
      cmocka_unit_test(comparisons), cmocka_unit_test(casts),  cmocka_unit_test(to_float),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
