/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Smoke test: no bytes whatever crash the reader or the argument analysis. Kernels, broken kernels
 * and kernels in generic form are edited at random, with fixed seeds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"
#include "files.h"

#ifndef ROUNDS
#define ROUNDS 60 /* per file */
#endif

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static const char *const tokens[] = {"%",      "#",
                                     "{",      "}",
                                     "(",      ")",
                                     "[",      "]",
                                     "<",      ">",
                                     ",",      ":",
                                     "=",      "->",
                                     "? x",    "-1",
                                     "0",      "0x7f",
                                     "1.0",    "i1",
                                     "index",  "tensor<",
                                     "\"",     "^bb",
                                     "//",     "return",
                                     "dense<", "9223372036854775807",
                                     "mod",    "memref<?xf16>",
                                     "loc("};

/* One random edit; returns the new length. `buffer` has room for `room` bytes. */
static size_t edit(char *buffer, size_t len, size_t room, uint64_t *rng) {
  size_t at = len > 0 ? next_random(rng) % len : 0;
  size_t span = 1 + next_random(rng) % 40;
  if (span > len - at) {
    span = len - at;
  }
  switch (next_random(rng) % 6) {
  case 0: /* change a byte */
    if (len > 0) {
      buffer[at] = (char)next_random(rng);
    }
    return len;
  case 1: /* delete */
    memmove(buffer + at, buffer + at + span, len - at - span);
    return len - span;
  case 2: { /* duplicate */
    if (len + span > room) {
      return len;
    }
    memmove(buffer + at + span, buffer + at, len - at);
    return len + span;
  }
  case 3: /* cut off */
    return at;
  case 4: { /* copy from elsewhere */
    size_t from = len > 0 ? next_random(rng) % len : 0;
    if (from + span <= len) {
      memmove(buffer + at, buffer + from, span);
    }
    return len;
  }
  default: { /* insert a token */
    const char *token = tokens[next_random(rng) % (sizeof tokens / sizeof *tokens)];
    size_t n = strlen(token);
    if (len + n > room) {
      return len;
    }
    memmove(buffer + at + n, buffer + at, len - at);
    memcpy(buffer + at, token, n);
    return len + n;
  }
  }
}

/* Read, and if that works, go on with everything that works on a module. */
static bool try_text(const char *text, size_t len) {
  char *exact = malloc(len > 0 ? len : 1);
  assert_non_null(exact);
  memcpy(exact, text, len);
  stp_diags_t diags;
  stp_diags_init(&diags, "mutant.mlir", exact, len);
  stp_ir_module_t *module = stp_ktir_read("mutant.mlir", exact, len, &diags);
  assert_true((module != NULL) == (diags.num_errors == 0));
  for (int i = 0; module != NULL && i < module->num_funcs; i++) {
    stp_ir_func_t *func = module->funcs[i];
    if (func->body == NULL || func->num_tiles > 1000) {
      continue;
    }
    stp_arena_t arena;
    stp_arena_init(&arena);
    bool bound[8] = {true, true, true, true, true, true, true, true};
    int64_t values[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    stp_bindings_t bindings = {8, bound, values};
    stp_kernel_args_t args;
    (void)stp_args_analyze(func, &bindings, &arena, &diags, &args);
    stp_arena_free(&arena);
  }
  bool ok = module != NULL;
  if (ok) {
    char *printed = stp_test_print(module);
    free(printed);
  }
  char *rendered = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&rendered, &size);
  assert_non_null(out);
  stp_diags_print(&diags, out);
  fclose(out);
  free(rendered);
  stp_ir_module_free(module);
  stp_diags_free(&diags);
  free(exact);
  return ok;
}

static void mutate(const char *text, size_t len, uint64_t seed) {
  uint64_t rng = seed * 0x9e3779b97f4a7c15u + 1;
  size_t room = len + 4096;
  char *buffer = malloc(room);
  assert_non_null(buffer);
  for (int round = 0; round < ROUNDS; round++) {
    memcpy(buffer, text, len);
    size_t n = len;
    for (uint64_t edits = 1 + next_random(&rng) % 4; edits > 0; edits--) {
      n = edit(buffer, n, room, &rng);
    }
    try_text(buffer, n);
  }
  free(buffer);
}

static void mutate_dir(const char *dir, bool generic) {
  size_t count;
  char **names = stp_test_list_dir(dir, &count);
  for (size_t i = 0; i < count; i++) {
    size_t len;
    char *text = stp_test_read_file(names[i], &len);
    if (generic) {
      stp_diags_t diags;
      stp_diags_init(&diags, names[i], text, len);
      stp_ir_module_t *module = stp_ktir_read(names[i], text, len, &diags);
      assert_non_null(module);
      char *printed = stp_test_print(module);
      stp_ir_module_free(module);
      stp_diags_free(&diags);
      mutate(printed, strlen(printed), i + 1000);
      free(printed);
    } else {
      mutate(text, len, i);
    }
    free(text);
  }
  stp_test_free_names(names, count);
}

static void test_kernels(void **state) {
  (void)state;
  mutate_dir(KERNELS_DIR, false);
}

static void test_generic(void **state) {
  (void)state;
  mutate_dir(KERNELS_DIR, true);
}

static void test_broken(void **state) {
  (void)state;
  mutate_dir(BROKEN_DIR, false);
}

/* Texts that are hostile on purpose. */
static void test_hostile(void **state) {
  (void)state;
  size_t n = 200000;
  char *text = malloc(n + 100);
  assert_non_null(text);
  const char *const fills[] = {"(",
                               "[",
                               "{",
                               "<",
                               "tensor<",
                               "module {",
                               "\"",
                               "-",
                               "#a = [",
                               "func.func @f() { ",
                               "!t = !ktdp.tile_future<",
                               "%",
                               "^",
                               "\n",
                               "affine_map<(d0) -> (",
                               "loc(",
                               "-----",
                               "\xff\xfe",
                               "0x",
                               "1."};
  for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
    size_t len = strlen(fills[i]);
    for (size_t k = 0; k + len <= n; k += len) {
      memcpy(text + k, fills[i], len);
    }
    (void)try_text(text, n / len * len);
  }
  memset(text, 0, n);
  assert_false(try_text(text, n));
  /* Nested regions, nested attributes, a long chain of additions. */
  struct {
    const char *head, *part, *tail;
  } nests[] = {{"func.func @f(%c: i1) {\n", "scf.if %c {\n", ""},
               {"#a = ", "[", ""},
               {"#m = affine_map<(d0) -> (d0", " + d0", ")>\n"},
               {"#m = affine_map<(d0) -> (", "-", "d0)>\n"},
               {"#m = affine_map<(d0) -> (", "(", "d0)>\n"}};
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
    size_t at = strlen(nests[i].head);
    memcpy(text, nests[i].head, at);
    size_t part = strlen(nests[i].part);
    while (at + part < n) {
      memcpy(text + at, nests[i].part, part);
      at += part;
    }
    memcpy(text + at, nests[i].tail, strlen(nests[i].tail));
    assert_false(try_text(text, at + strlen(nests[i].tail)));
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_generic),
      cmocka_unit_test(test_broken),
      cmocka_unit_test(test_hostile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
