/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and kernels: from KTIR text to a job. */
#include "runtime_int.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../sched/sched.h"

void stp_error_set(stp_error_t *error, stp_error_kind_t kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  error->kind = kind;
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
}

double stp_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double stp_cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *copy(const char *data, size_t len) {
  char *p = malloc(len + 1);
  if (p == NULL) return NULL;
  memcpy(p, data, len);
  p[len] = '\0';
  return p;
}

/* The reason in one line, for callers that do not show diagnostics. */
static int fail_diags(const stp_diags_t *diags, const char *what, stp_error_t *error) {
  return stp_fail(error, STP_ERROR_INPUT, "%s: %d error%s", what, diags->num_errors,
                  diags->num_errors == 1 ? "" : "s");
}

static void show(stp_diags_t *diags, FILE *out) {
  stp_diags_sort(diags);
  if (out != NULL) stp_diags_print(diags, out);
}

int stp_module_read(const char *file, const char *text, size_t len, FILE *diagnostics,
                    stp_module_t **module, stp_error_t *error) {
  *module = NULL;
  stp_module_t *m = calloc(1, sizeof *m);
  if (m == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  stp_arena_init(&m->arena);
  m->file = copy(file, strlen(file));
  m->text = copy(text, len);
  m->len = len;
  if (m->file == NULL || m->text == NULL) {
    stp_module_free(m);
    return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  }
  stp_diags_t diags;
  stp_diags_init(&diags, m->file, m->text, m->len);
  m->ir = stp_ktir_read(m->file, m->text, m->len, &diags);
  show(&diags, diagnostics);
  const int status = m->ir != NULL ? 0 : fail_diags(&diags, m->file, error);
  stp_diags_free(&diags);
  if (status != 0) {
    stp_module_free(m);
    return status;
  }
  *module = m;
  return 0;
}

void stp_module_free(stp_module_t *m) {
  if (m == NULL) return;
  if (m->ir != NULL) stp_ir_module_free(m->ir);
  stp_arena_free(&m->arena);
  free(m->file);
  free(m->text);
  free(m);
}

static int find_func(stp_module_t *m, const char *name, stp_ir_func_t **func, stp_error_t *error) {
  *func = stp_ir_func_find(m->ir, name);
  if (*func != NULL) return 0;
  char list[512] = "";
  size_t at = 0;
  for (int i = 0; i < m->ir->num_funcs && at < sizeof list; i++) {
    const int n =
        snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", m->ir->funcs[i]->name);
    at += n > 0 ? (size_t)n : 0;
  }
  if (m->ir->num_funcs == 0) {
    return stp_fail(error, STP_ERROR_INPUT, "%s: there is no function in the text", m->file);
  }
  if (name == NULL) {
    return stp_fail(error, STP_ERROR_USAGE, "%s has several functions, name one: %s", m->file,
                    list);
  }
  return stp_fail(error, STP_ERROR_USAGE, "%s has no function '%s' (there is: %s)", m->file, name,
                  list);
}

int stp_module_parameters(stp_module_t *m, const char *name, FILE *diagnostics,
                          const stp_parameter_t **parameters, unsigned *count, stp_error_t *error) {
  stp_ir_func_t *func;
  if (find_func(m, name, &func, error) != 0) return -1;
  stp_diags_t diags;
  stp_diags_init(&diags, m->file, m->text, m->len);
  stp_kernel_args_t args;
  const bool ok = stp_args_classify(func, &m->arena, &diags, &args);
  show(&diags, diagnostics);
  const int status = ok ? 0 : fail_diags(&diags, m->file, error);
  stp_diags_free(&diags);
  if (status != 0) return status;
  stp_parameter_t *p = stp_arena_array(&m->arena, (size_t)args.num_params, sizeof *p);
  for (int i = 0; i < args.num_params; i++) {
    p[i].name = args.params[i].name;
    p[i].type = stp_ir_elem_name(args.params[i].elem);
    p[i].scalar = args.params[i].kind == STP_PARAM_SCALAR;
  }
  *parameters = p;
  *count = (unsigned)args.num_params;
  return 0;
}

/* `dynamic`: by parameter, which stay scalars of the job. */
static int bind(stp_kernel_t *k, const stp_scalar_t *scalars, unsigned count, bool **dynamic,
                stp_error_t *error) {
  const int n = k->func->body != NULL ? k->func->body->num_args : 0;
  bool *bound = stp_arena_array(&k->arena, (size_t)n, sizeof *bound);
  *dynamic = stp_arena_array(&k->arena, (size_t)n, sizeof **dynamic);
  int64_t *values = stp_arena_array(&k->arena, (size_t)n, sizeof *values);
  for (unsigned i = 0; i < count; i++) {
    if (scalars[i].position >= (unsigned)n) {
      return stp_fail(error, STP_ERROR_USAGE, "function '%s' has no parameter %u", k->func->name,
                      scalars[i].position);
    }
    bound[scalars[i].position] = true;
    (*dynamic)[scalars[i].position] = scalars[i].dynamic;
    values[scalars[i].position] = scalars[i].value;
  }
  k->bindings = (stp_bindings_t){.count = n, .bound = bound, .values = values};
  return 0;
}

int stp_kernel_compile(stp_module_t *m, const char *name, const stp_scalar_t *scalars,
                       unsigned num_scalars, FILE *diagnostics, stp_kernel_t **kernel,
                       stp_error_t *error) {
  *kernel = NULL;
  stp_kernel_t *k = calloc(1, sizeof *k);
  if (k == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  stp_arena_init(&k->arena);
  k->module = m;
  bool *dynamic = NULL;
  if (find_func(m, name, &k->func, error) != 0 ||
      bind(k, scalars, num_scalars, &dynamic, error) != 0) {
    stp_kernel_free(k);
    return -1;
  }
  stp_diags_t diags;
  stp_diags_init(&diags, m->file, m->text, m->len);
  const stp_compile_options_t options = {
      .bindings = &k->bindings, .dynamic = dynamic, .text = m->text, .text_len = m->len};
  const bool ok = stp_compile(k->func, &options, &k->job, &diags) == 0;
  show(&diags, diagnostics);
  const int status = ok ? 0 : fail_diags(&diags, m->file, error);
  stp_diags_free(&diags);
  if (status != 0) {
    stp_kernel_free(k);
    return status;
  }
  /* The compiler has analysed the same arguments without error. */
  stp_diags_init(&diags, m->file, m->text, m->len);
  if (!stp_args_analyze(k->func, &k->bindings, &k->arena, &diags, &k->args) ||
      (uint32_t)k->args.num_buffers != k->job->num_buffers) {
    stp_diags_free(&diags);
    stp_kernel_free(k);
    return stp_fail(error, STP_ERROR_MACHINE, "%s: the job's buffers are not the kernel's",
                    m->file);
  }
  stp_diags_free(&diags);
  *kernel = k;
  return 0;
}

int stp_kernel_load(const char *file, const void *data, size_t len, stp_kernel_t **kernel,
                    stp_error_t *error) {
  *kernel = NULL;
  stp_kernel_t *k = calloc(1, sizeof *k);
  if (k == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  stp_arena_init(&k->arena);
  char text[512];
  if (stp_job_load(data, len, &k->job, text, sizeof text) != 0) {
    stp_kernel_free(k);
    return stp_fail(error, STP_ERROR_INPUT, "%s: %s", file, text);
  }
  if (k->job->contract != STP_CONTRACT_VERSION) {
    stp_error_set(error, STP_ERROR_INPUT,
                  "%s: the job was compiled for contract version %08x, this is version %08x", file,
                  (unsigned)k->job->contract, STP_CONTRACT_VERSION);
    stp_kernel_free(k);
    return -1;
  }
  *kernel = k;
  return 0;
}

bool stp_kernel_has_text(const stp_kernel_t *k) {
  return k->module != NULL;
}

int stp_kernel_set_scalar(stp_kernel_t *k, unsigned position, int64_t value, stp_error_t *error) {
  for (uint32_t i = 0; i < k->job->num_scalars; i++) {
    stp_job_scalar_t *s = &k->job->scalars[i];
    if (s->position != (int32_t)position) continue;
    if (value == s->value) return 0;
    if (k->func != NULL || s->arg < 0) {
      return stp_fail(error, STP_ERROR_USAGE, "the job was compiled for %s = %" PRId64, s->name,
                      s->value);
    }
    if (value < 0 || value > s->value) {
      return stp_fail(error, STP_ERROR_USAGE,
                      "the job's buffers have room for %s from 0 to %" PRId64, s->name, s->value);
    }
    s->value = value;
    /* How much work it is now, only the kernel's text says. */
    k->job->macs = k->job->compulsory_bytes = 0;
    return 0;
  }
  return stp_fail(error, STP_ERROR_USAGE, "the job has no scalar at position %u", position);
}

void stp_kernel_free(stp_kernel_t *k) {
  if (k == NULL) return;
  if (k->job != NULL) stp_job_free(k->job);
  stp_arena_free(&k->arena);
  free(k);
}

unsigned stp_kernel_buffers(const stp_kernel_t *k) {
  return k->job->num_buffers;
}

stp_buffer_info_t stp_kernel_buffer(const stp_kernel_t *k, unsigned i) {
  const stp_job_buffer_t *b = &k->job->buffers[i];
  const stp_kernel_buffer_t *a = k->module != NULL ? &k->args.buffers[i] : NULL;
  return (stp_buffer_info_t){
      .name = b->name,
      .type = stp_job_elem_name(b->elem),
      .elem_bytes = stp_job_elem_bytes(b->elem),
      .rank = b->rank,
      .dims = b->dims,
      .bytes = b->bytes,
      .position = b->position,
      .read = (b->dir & STP_JOB_READ) != 0,
      .written = (b->dir & STP_JOB_WRITTEN) != 0,
      .is_index = a != NULL && a->is_index,
      .index_limit = a != NULL ? a->index_limit : 0,
  };
}

const struct stp_job *stp_kernel_job(const stp_kernel_t *k) {
  return k->job;
}
