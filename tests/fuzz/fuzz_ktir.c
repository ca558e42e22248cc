/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The KTIR reader: any bytes give a module or errors. What is read can be printed, what is printed
 * can be read again and prints the same, and the analysis of arguments takes it.
 */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "fuzz.h"
#include "ir.h"

static char *print(const stp_ir_module_t *module) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  stp_ir_print(module, out);
  fclose(out);
  return text;
}

static void analyze(stp_ir_module_t *module, stp_diags_t *diags) {
  for (int i = 0; i < module->num_funcs; i++) {
    stp_ir_func_t *func = module->funcs[i];
    if (func->body == NULL || func->num_tiles > 100) continue;
    stp_arena_t arena;
    stp_arena_init(&arena);
    bool bound[8] = {true, true, true, true, true, true, true, true};
    int64_t values[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    stp_bindings_t bindings = {8, bound, values};
    stp_kernel_args_t args;
    (void)stp_args_analyze(func, &bindings, &arena, diags, &args);
    stp_arena_free(&arena);
  }
}

static void read_again(const char *text) {
  stp_diags_t diags;
  stp_diags_init(&diags, "printed.mlir", text, strlen(text));
  stp_ir_module_t *module = stp_ktir_read("printed.mlir", text, strlen(text), &diags);
  if (module == NULL) {
    stp_diags_print(&diags, stderr);
    fputs(text, stderr);
  }
  FUZZ_CHECK(module != NULL);
  char *printed = print(module);
  FUZZ_CHECK(strcmp(text, printed) == 0);
  free(printed);
  stp_ir_module_free(module);
  stp_diags_free(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  stp_diags_t diags;
  stp_diags_init(&diags, "fuzz.mlir", text, size);
  stp_ir_module_t *module = stp_ktir_read("fuzz.mlir", text, size, &diags);
  FUZZ_CHECK((module != NULL) == (diags.num_errors == 0));
  if (module != NULL) {
    char *printed = print(module);
    read_again(printed);
    free(printed);
    analyze(module, &diags);
  }
  char *rendered = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&rendered, &length);
  FUZZ_CHECK(out != NULL);
  stp_diags_print(&diags, out);
  fclose(out);
  free(rendered);
  stp_ir_module_free(module);
  stp_diags_free(&diags);
  return 0;
}
