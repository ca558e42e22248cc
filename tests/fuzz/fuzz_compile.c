/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: whatever the reader takes is compiled, or refused with an error that has a place.
 * A job that comes out survives saving and loading.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sched.h"

static void save_and_load(const stp_job_t *job) {
  uint8_t *data = NULL, *again = NULL;
  size_t len = 0, again_len = 0;
  char err[256] = "";
  FUZZ_CHECK(stp_job_save(job, &data, &len, err, sizeof err) == 0);
  stp_job_t *loaded = NULL;
  if (stp_job_load(data, len, &loaded, err, sizeof err) != 0) fprintf(stderr, "%s\n", err);
  FUZZ_CHECK(loaded != NULL);
  FUZZ_CHECK(stp_job_save(loaded, &again, &again_len, err, sizeof err) == 0);
  FUZZ_CHECK(len == again_len && memcmp(data, again, len) == 0);
  stp_job_free(loaded);
  free(again);
  free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  stp_diags_t diags;
  stp_diags_init(&diags, "fuzz.mlir", text, size);
  stp_ir_module_t *module = stp_ktir_read("fuzz.mlir", text, size, &diags);
  for (int i = 0; module != NULL && i < module->num_funcs; i++) {
    stp_ir_func_t *func = module->funcs[i];
    if (func->body == NULL || func->num_tiles > 4096) continue;
    bool bound[8] = {true, true, true, true, true, true, true, true};
    int64_t values[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    stp_bindings_t bindings = {8, bound, values};
    stp_compile_options_t options = {.bindings = &bindings, .text = text, .text_len = size};
    stp_job_t *job = NULL;
    int before = diags.num_errors;
    int status = stp_compile(func, &options, &job, &diags);
    FUZZ_CHECK((status == 0) == (job != NULL));
    FUZZ_CHECK((status == 0) == (diags.num_errors == before));
    if (job != NULL) save_and_load(job);
    stp_job_free(job);
  }
  stp_ir_module_free(module);
  stp_diags_free(&diags);
  return 0;
}
