/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"
#include "runtime_int.h"

#include <stdlib.h>
#include <string.h>

#include "../interp/interp.h"

/* The buffers of one run: `images` is what they point to, `wide` what a float64 run leaves. */
typedef struct run {
  stp_images_t images;
  stp_interp_buffer_t *buffers;
} run_t;

static void free_run(run_t *r) {
  for (unsigned i = 0; r->buffers != NULL && i < r->images.count; i++) free(r->buffers[i].wide);
  free(r->buffers);
  r->buffers = NULL;
  stp_images_free(&r->images);
}

static int make_run(const stp_kernel_t *k, const stp_images_t *in, bool wide, run_t *r,
                    stp_error_t *error) {
  r->buffers = NULL;
  if (stp_images_new(k, &r->images, error) != 0) return -1;
  r->buffers = calloc(in->count > 0 ? in->count : 1, sizeof *r->buffers);
  bool ok = r->buffers != NULL;
  for (unsigned i = 0; ok && i < in->count; i++) {
    const stp_kernel_buffer_t *b = &k->args.buffers[i];
    memcpy(r->images.data[i], in->data[i], (size_t)k->job->buffers[i].bytes);
    r->buffers[i].data = r->images.data[i];
    if (!wide || !stp_ir_elem_is_float(b->elem)) continue;
    r->buffers[i].wide = calloc((size_t)b->extent + 1, sizeof(double));
    ok = r->buffers[i].wide != NULL;
  }
  if (ok) return 0;
  free_run(r);
  return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
}

static int interpret(const stp_kernel_t *k, stp_interp_mode_t mode, const run_t *r,
                     FILE *diagnostics, stp_error_t *error) {
  const stp_interp_options_t options = {.mode = mode};
  stp_diags_t diags;
  stp_diags_init(&diags, k->module->file, k->module->text, k->module->len);
  const bool ok = stp_interp_run(k->func, &k->bindings, &k->args, r->buffers, &options, &diags);
  stp_diags_sort(&diags);
  if (diagnostics != NULL) stp_diags_print(&diags, diagnostics);
  stp_diags_free(&diags);
  if (ok) return 0;
  return stp_fail(error, STP_ERROR_INPUT, "%s: the interpreter%s stopped at an error",
                  k->module->file, mode == STP_INTERP_EXACT ? "" : " (in float64)");
}

int stp_reference_run(const stp_kernel_t *k, const stp_images_t *in, FILE *diagnostics,
                      stp_reference_t *ref, stp_error_t *error) {
  memset(ref, 0, sizeof *ref);
  if (k->module == NULL) {
    return stp_fail(error, STP_ERROR_USAGE, "a job file has no text to interpret");
  }
  run_t exact, wide;
  if (make_run(k, in, false, &exact, error) != 0) return -1;
  if (make_run(k, in, true, &wide, error) != 0) {
    free_run(&exact);
    return -1;
  }
  int status = interpret(k, STP_INTERP_EXACT, &exact, diagnostics, error);
  if (status == 0) status = interpret(k, STP_INTERP_FLOAT64, &wide, diagnostics, error);
  for (unsigned i = 0; status == 0 && i < in->count; i++) {
    const stp_kernel_buffer_t *b = &k->args.buffers[i];
    stp_interp_error_t e;
    if (!b->stored || wide.buffers[i].wide == NULL ||
        !stp_interp_compare(b, exact.images.data[i], wide.buffers[i].wide, &e)) {
      continue;
    }
    if (e.max_abs > ref->max_error) ref->max_error = e.max_abs;
    if (e.max_ulp > ref->max_ulp) ref->max_ulp = e.max_ulp;
  }
  if (status == 0) {
    ref->images = exact.images;
    exact.images = (stp_images_t){0};
  }
  free_run(&exact);
  free_run(&wide);
  return status;
}

void stp_reference_free(stp_reference_t *reference) {
  stp_images_free(&reference->images);
}
