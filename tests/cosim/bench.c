/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/runtime/fill.h"

/* A job that takes longer has lost its way: the longest of the list takes some 50,000 cycles. */
#define MAX_CYCLES 2000000u

void complain(const char *name, const char *format, ...) {
  va_list args;
  fflush(stdout);
  fprintf(stderr, "%s: ", name);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

/* ---- the list ---------------------------------------------------------------------------- */

static bool take(char *field, size_t size, const char *word) {
  if (word == NULL || strlen(word) >= size) return false;
  memcpy(field, word, strlen(word) + 1);
  return true;
}

static bool number(const char *word, double *value) {
  char *end = NULL;
  if (word == NULL) return false;
  *value = strtod(word, &end);
  return end != word && *end == '\0' && *value > 0;
}

static bool floor_of(const char *word, item_t *item) {
  if (word == NULL) return false;
  if (strcmp(word, "-") == 0) return true;
  if (strncmp(word, "pt=", 3) == 0) return number(word + 3, &item->min_pt);
  return strncmp(word, "dram=", 5) == 0 && number(word + 5, &item->min_dram);
}

static bool parse_item(char *line, item_t *item) {
  char *rest = NULL;
  memset(item, 0, sizeof *item);
  if (!take(item->name, sizeof item->name, strtok_r(line, " \t", &rest)) ||
      !take(item->file, sizeof item->file, strtok_r(NULL, " \t", &rest)) ||
      !take(item->config, sizeof item->config, strtok_r(NULL, " \t", &rest)) ||
      !number(strtok_r(NULL, " \t", &rest), &item->max_error) ||
      !floor_of(strtok_r(NULL, " \t", &rest), item)) {
    return false;
  }
  for (char *word; (word = strtok_r(NULL, " \t", &rest)) != NULL; item->num_args++) {
    if (item->num_args == MAX_CASE_ARGS || strchr(word, '=') == NULL ||
        !take(item->args[item->num_args], sizeof item->args[0], word)) {
      return false;
    }
  }
  return true;
}

bool list_read(list_t *list) {
  static const char path[] = COSIM_TESTS "/cosim/kernels.list";
  char line[512];
  unsigned at = 0;
  bool good = true;
  list->count = 0;
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    complain(path, "cannot be read");
    return false;
  }
  while (good && fgets(line, sizeof line, f) != NULL) {
    at++;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') continue;
    good = list->count < MAX_CASES && parse_item(line, &list->items[list->count]);
    if (good) list->count++;
  }
  fclose(f);
  if (!good) complain(path, "line %u is no case", at);
  return good;
}

const item_t *list_find(const list_t *list, const char *name) {
  for (unsigned i = 0; i < list->count; i++) {
    if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
  }
  complain(name, "there is no such case in tests/cosim/kernels.list");
  return NULL;
}

/* ---- kernels ----------------------------------------------------------------------------- */

static char *read_text(const char *path, size_t *len) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  char *text = malloc(1 << 20);
  *len = text != NULL ? fread(text, 1, 1 << 20, f) : 0;
  fclose(f);
  return text;
}

static bool bind(const item_t *item, const stp_parameter_t *params, unsigned num_params,
                 stp_scalar_t *scalars) {
  for (unsigned i = 0; i < item->num_args; i++) {
    static const char kept[] = "dynamic:";
    const bool dynamic = strncmp(item->args[i], kept, sizeof kept - 1) == 0;
    const char *name = item->args[i] + (dynamic ? sizeof kept - 1 : 0), *value = strchr(name, '=');
    const size_t len = (size_t)(value++ - name);
    stp_error_t e;
    unsigned p = 0;
    while (p < num_params &&
           (strlen(params[p].name) != len || strncmp(params[p].name, name, len) != 0)) {
      p++;
    }
    if (p == num_params || !params[p].scalar) {
      complain(item->name, "the kernel has no scalar argument for %s", item->args[i]);
      return false;
    }
    scalars[i].position = p;
    scalars[i].dynamic = dynamic;
    if (stp_parse_scalar(params[p].type, value, &scalars[i].value, &e) != 0) {
      complain(item->name, "%s", e.text);
      return false;
    }
  }
  return true;
}

bool work_open_text(work_t *w, const item_t *item, const char *text, size_t len) {
  stp_error_t e = {.text = "out of memory"};
  stp_scalar_t scalars[MAX_CASE_ARGS];
  const stp_parameter_t *params;
  unsigned num_params;
  memset(w, 0, sizeof *w);
  w->item = item;
  bool good = stp_module_read(item->file, text, len, stderr, &w->module, &e) == 0 &&
              stp_module_parameters(w->module, NULL, stderr, &params, &num_params, &e) == 0;
  if (good && !bind(item, params, num_params, scalars)) return false;
  good =
      good &&
      stp_kernel_compile(w->module, NULL, scalars, item->num_args, stderr, &w->kernel, &e) == 0 &&
      stp_images_new(w->kernel, &w->in, &e) == 0;
  if (!good) {
    complain(item->name, "%s", e.text);
    return false;
  }
  for (unsigned i = 0; i < w->in.count; i++) {
    const stp_buffer_info_t b = stp_kernel_buffer(w->kernel, i);
    if (b.read) stp_fill_random(&b, 0, w->in.data[i]);
  }
  return true;
}

bool work_open(work_t *w, const item_t *item) {
  char path[1024];
  size_t len = 0;
  memset(w, 0, sizeof *w);
  snprintf(path, sizeof path, "%s/kernels/%s", COSIM_TESTS, item->file);
  char *text = read_text(path, &len);
  if (text == NULL) {
    complain(item->name, "%s cannot be read", path);
    return false;
  }
  bool good = work_open_text(w, item, text, len);
  free(text);
  return good;
}

void work_close(work_t *w) {
  stp_images_free(&w->in);
  stp_kernel_free(w->kernel);
  stp_module_free(w->module);
  memset(w, 0, sizeof *w);
}

/* ---- runs -------------------------------------------------------------------------------- */

/* A tap that remembers whether it stopped the machine. */
typedef struct stopper {
  stp_tap_fn fn;
  void *user;
  bool stopped;
} stopper_t;

static int stopping_tap(void *user, const struct stp_tap *tap) {
  stopper_t *s = user;
  if (s->fn(s->user, tap) != 0) s->stopped = true;
  return s->stopped;
}

static int stop_launch(void *user, uint64_t cycles, double seconds) {
  (void)cycles;
  (void)seconds;
  return ((const stopper_t *)user)->stopped;
}

bool work_run(const work_t *w, const char *machine, const struct stp_machine_options *options,
              stp_tap_fn tap, void *user, run_t *run) {
  struct stp_machine_options o = options != NULL ? *options : (struct stp_machine_options){0};
  stopper_t stopper = {.fn = tap, .user = user};
  const stp_launch_options_t launch = {
      .progress = stop_launch, .progress_user = &stopper, .max_cycles = MAX_CYCLES};
  stp_device_t *d;
  stp_error_t e;
  memset(run, 0, sizeof *run);
  o.config = w->item->config;
  if (stp_images_new(w->kernel, &run->out, &e) != 0 || stp_device_open(machine, &o, &d, &e) != 0) {
    complain(w->item->name, "%s", e.text);
    return false;
  }
  struct stp_machine *m = stp_device_machine(d);
  if (tap != NULL) m->ops->set_tap(m, stopping_tap, &stopper);
  bool good = stp_execute(d, w->kernel, &w->in, &run->out, &launch, &run->launch, &e) == 0;
  m->ops->stats(m, &run->stats);
  stp_device_close(d);
  if (stopper.stopped) return true;
  if (!good) {
    complain(w->item->name, "%s", e.text);
  } else if (run->launch.status != STP_JOB_OK) {
    char text[1024];
    stp_launch_describe(w->kernel, &run->launch, text, sizeof text);
    complain(w->item->name, "%s: %s", machine, text);
    good = false;
  }
  return good;
}

void run_free(run_t *run) {
  stp_images_free(&run->out);
}

bool same_images(const work_t *w, const char *a_name, const stp_images_t *a, const char *b_name,
                 const stp_images_t *b) {
  stp_error_t e;
  if (stp_images_compare(w->kernel, a_name, a, b_name, b, &e) == 0) return true;
  complain(w->item->name, "%s", e.text);
  return false;
}
