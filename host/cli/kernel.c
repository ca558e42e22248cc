/* SPDX-License-Identifier: Apache-2.0 */
/* The options that choose a kernel and give it arguments; progress. */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../job/job.h"
#include "../runtime/fill.h"

int cli_bind(const cli_command_t *command, cli_binding_t *list, unsigned *count, const char *text) {
  const char *equal = strchr(text, '=');
  if (equal == NULL || equal == text || equal[1] == '\0') {
    return cli_usage(command, "'%s' is not NAME=VALUE", text);
  }
  if (*count == CLI_MAX_BINDINGS) {
    return cli_usage(command, "more than %d arguments", CLI_MAX_BINDINGS);
  }
  const char *name = text[0] == '%' ? text + 1 : text;
  list[(*count)++] = (cli_binding_t){name, equal + 1, (size_t)(equal - name), false};
  return EXIT_RIGHT;
}

int cli_keep(const cli_command_t *command, cli_kernel_t *k, const char *name) {
  if (name[0] == '%') name++;
  if (name[0] == '\0' || strchr(name, '=') != NULL) {
    return cli_usage(command,
                     "'--dynamic %s': the name of a scalar is wanted; --arg gives its value", name);
  }
  if (k->num_dynamic == CLI_MAX_BINDINGS) {
    return cli_usage(command, "more than %d arguments", CLI_MAX_BINDINGS);
  }
  k->dynamic[k->num_dynamic++] = (cli_binding_t){name, "", strlen(name), false};
  return EXIT_RIGHT;
}

static bool is_position(const cli_binding_t *b, int position) {
  char text[16];
  const int n = snprintf(text, sizeof text, "%d", position);
  return position >= 0 && (size_t)n == b->name_len && memcmp(text, b->name, b->name_len) == 0;
}

static bool is_name(const cli_binding_t *b, const char *name) {
  return strlen(name) == b->name_len && memcmp(name, b->name, b->name_len) == 0;
}

/* The binding of a parameter: by its name, else by its position. A second one is an error. */
static int find(const cli_command_t *command, cli_binding_t *list, unsigned count, const char *name,
                int position, cli_binding_t **found) {
  *found = NULL;
  for (unsigned pass = 0; pass < 2 && *found == NULL; pass++) {
    for (unsigned i = 0; i < count; i++) {
      if (list[i].used ||
          !(pass == 0 ? is_name(&list[i], name) : is_position(&list[i], position))) {
        continue;
      }
      if (*found != NULL) return cli_usage(command, "argument '%s' is given twice", name);
      *found = &list[i];
    }
  }
  if (*found != NULL) (*found)->used = true;
  return EXIT_RIGHT;
}

/* A binding that was not used: say why, if `scalars` and `buffers` of the kernel may be bound. */
static int refuse(const cli_command_t *command, const cli_kernel_t *k, const cli_binding_t *b,
                  bool scalars, bool buffers) {
  const stp_job_t *job = stp_kernel_job(k->kernel);
  const char *path = cli_file_name(k->path);
  const int n = (int)b->name_len;
  char names[512] = "";
  size_t len = 0;
  for (unsigned i = 0; i < stp_kernel_buffers(k->kernel) + job->num_scalars; i++) {
    const bool is_buffer = i < stp_kernel_buffers(k->kernel);
    const stp_job_scalar_t *s = is_buffer ? NULL : &job->scalars[i - stp_kernel_buffers(k->kernel)];
    const char *name = is_buffer ? stp_kernel_buffer(k->kernel, i).name : s->name;
    const int position = is_buffer ? stp_kernel_buffer(k->kernel, i).position : (int)s->position;
    if (is_name(b, name) || is_position(b, position)) {
      if (is_buffer ? buffers : scalars) {
        return cli_usage(command, "%s: argument '%.*s' is given twice", path, n, b->name);
      }
      return cli_usage(command, "%s: argument '%.*s' is a %s, but a %s is wanted here", path, n,
                       b->name, is_buffer ? "buffer" : "scalar", is_buffer ? "scalar" : "buffer");
    }
    if (!(is_buffer ? buffers : scalars) || len >= sizeof names) continue;
    len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len > 0 ? ", " : "", name);
  }
  return cli_usage(command, "%s: no argument '%.*s' (there is: %s)", path, n, b->name,
                   len > 0 ? names : "none");
}

static int unused(const cli_command_t *command, const cli_kernel_t *k, const cli_binding_t *list,
                  unsigned count, bool scalars, bool buffers) {
  for (unsigned i = 0; i < count && !k->lenient; i++) {
    if (!list[i].used) return refuse(command, k, &list[i], scalars, buffers);
  }
  return EXIT_RIGHT;
}

static int bind_scalars(const cli_command_t *command, cli_kernel_t *k, const stp_parameter_t *p,
                        unsigned count, stp_scalar_t *scalars, unsigned *num) {
  stp_error_t error;
  *num = 0;
  for (unsigned i = 0; i < count; i++) {
    cli_binding_t *b;
    if (!p[i].scalar) continue;
    const int status = find(command, k->args, k->num_args, p[i].name, (int)i, &b);
    if (status != EXIT_RIGHT) return status;
    if (b == NULL) {
      return cli_usage(command, "%s: scalar argument '%s' (%s) has no value: give --arg %s=VALUE",
                       cli_file_name(k->path), p[i].name, p[i].type, p[i].name);
    }
    scalars[*num].position = i;
    if (stp_parse_scalar(p[i].type, b->value, &scalars[*num].value, &error) != 0) {
      return cli_usage(command, "argument '%s': %s", p[i].name, error.text);
    }
    const int kept = find(command, k->dynamic, k->num_dynamic, p[i].name, (int)i, &b);
    if (kept != EXIT_RIGHT) return kept;
    scalars[*num].dynamic = b != NULL;
    (*num)++;
  }
  for (unsigned i = 0; i < k->num_dynamic && !k->lenient; i++) {
    if (!k->dynamic[i].used) {
      return cli_usage(command, "%s: '--dynamic %s': the kernel has no such scalar argument",
                       cli_file_name(k->path), k->dynamic[i].name);
    }
  }
  return EXIT_RIGHT;
}

static int fill_buffer(const cli_command_t *command, cli_kernel_t *k, unsigned i) {
  const stp_buffer_info_t b = stp_kernel_buffer(k->kernel, i);
  uint8_t *data = k->inputs.data[i];
  stp_error_t error;
  cli_binding_t *bound;
  const int status = find(command, k->args, k->num_args, b.name, b.position, &bound);
  if (status != EXIT_RIGHT) return status;
  if (bound == NULL) {
    if (b.read) stp_fill_random(&b, k->seed, data);
    return EXIT_RIGHT;
  }
  const char *v = bound->value;
  uint64_t seed = k->seed;
  if (v[0] == '@') {
    return stp_fill_npy(&b, v + 1, k->convert, data, &error) == 0 ? EXIT_RIGHT : cli_error(&error);
  }
  if (strcmp(v, "zeros") == 0) {
    memset(data, 0, (size_t)b.bytes);
    return EXIT_RIGHT;
  }
  if (strcmp(v, "random") == 0 ||
      (strncmp(v, "random:", 7) == 0 && cli_number(v + 7, UINT64_MAX, &seed))) {
    stp_fill_random(&b, seed, data);
    return EXIT_RIGHT;
  }
  return cli_usage(command,
                   "argument '%s' is the address of a buffer: it takes @file.npy, "
                   "random, random:SEED or zeros, not '%s'",
                   b.name, v);
}

/* Names that --out may use; the value stays the file's path. */
static int check_outs(const cli_command_t *command, cli_kernel_t *k) {
  for (unsigned i = 0; i < stp_kernel_buffers(k->kernel); i++) {
    const stp_buffer_info_t b = stp_kernel_buffer(k->kernel, i);
    cli_binding_t *bound;
    const int status = find(command, k->outs, k->num_outs, b.name, b.position, &bound);
    if (status != EXIT_RIGHT) return status;
  }
  return unused(command, k, k->outs, k->num_outs, false, true);
}

/* A kernel from a job file: its scalars have values already, others are refused. */
static int load_job(const cli_command_t *command, cli_kernel_t *k, size_t len) {
  stp_error_t error;
  if (stp_kernel_load(cli_file_name(k->path), k->text, len, &k->kernel, &error) != 0) {
    return cli_error(&error);
  }
  const stp_job_t *job = stp_kernel_job(k->kernel);
  if (k->func != NULL && strcmp(k->func, job->kernel) != 0) {
    return cli_usage(command, "the job was made from function '%s'", job->kernel);
  }
  if (k->num_dynamic > 0) {
    return cli_usage(command, "--dynamic is for compiling a kernel; this is a job file");
  }
  for (uint32_t i = 0; i < job->num_scalars; i++) {
    const stp_job_scalar_t *s = &job->scalars[i];
    cli_binding_t *b;
    int64_t value;
    const int status = find(command, k->args, k->num_args, s->name, (int)s->position, &b);
    if (status != EXIT_RIGHT) return status;
    if (b == NULL) continue;
    if (stp_parse_scalar(stp_job_elem_name(s->elem), b->value, &value, &error) != 0) {
      return cli_usage(command, "argument '%s': %s", s->name, error.text);
    }
    if (stp_kernel_set_scalar(k->kernel, (unsigned)s->position, value, &error) != 0)
      return cli_usage(command, "%s", error.text);
  }
  return EXIT_RIGHT;
}

static int load_text(const cli_command_t *command, cli_kernel_t *k, size_t len) {
  stp_error_t error;
  if (stp_module_read(cli_file_name(k->path), k->text, len, stderr, &k->module, &error) != 0) {
    return cli_error(&error);
  }
  const stp_parameter_t *p;
  unsigned count, num;
  if (stp_module_parameters(k->module, k->func, stderr, &p, &count, &error) != 0) {
    return cli_error(&error);
  }
  stp_scalar_t *scalars = calloc(count > 0 ? count : 1, sizeof *scalars);
  if (scalars == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  int status = bind_scalars(command, k, p, count, scalars, &num);
  if (status == EXIT_RIGHT &&
      stp_kernel_compile(k->module, k->func, scalars, num, stderr, &k->kernel, &error) != 0) {
    status = cli_error(&error);
  }
  free(scalars);
  return status;
}

static int load(const cli_command_t *command, cli_kernel_t *k, bool fill) {
  stp_error_t error;
  size_t len;
  k->text = cli_read_file(k->path, &len);
  if (k->text == NULL) return EXIT_BAD_INPUT;
  const bool is_job = len >= 6 && memcmp(k->text, "STPJOB", 6) == 0;
  int status = is_job ? load_job(command, k, len) : load_text(command, k, len);
  if (status != EXIT_RIGHT) return status;
  if (!fill) return unused(command, k, k->args, k->num_args, true, false);
  if (stp_images_new(k->kernel, &k->inputs, &error) != 0) return cli_error(&error);
  for (unsigned i = 0; i < stp_kernel_buffers(k->kernel); i++) {
    status = fill_buffer(command, k, i);
    if (status != EXIT_RIGHT) return status;
  }
  status = unused(command, k, k->args, k->num_args, true, true);
  return status == EXIT_RIGHT ? check_outs(command, k) : status;
}

int cli_kernel_load(const cli_command_t *command, cli_kernel_t *k, bool fill) {
  if (k->path == NULL) return cli_usage(command, "no kernel is given");
  const int status = load(command, k, fill);
  if (status != EXIT_RIGHT) cli_kernel_free(k);
  return status;
}

int cli_kernel_save(const cli_kernel_t *k, const stp_images_t *images) {
  for (unsigned n = 0; n < k->num_outs; n++) {
    char path[4096];
    snprintf(path, sizeof path, "%s",
             k->outs[n].value[0] == '@' ? k->outs[n].value + 1 : k->outs[n].value);
    for (unsigned pass = 0, done = 0; pass < 2 && !done; pass++) {
      for (unsigned i = 0; i < images->count && !done; i++) {
        const stp_buffer_info_t b = stp_kernel_buffer(k->kernel, i);
        stp_error_t error;
        if (!(pass == 0 ? is_name(&k->outs[n], b.name) : is_position(&k->outs[n], b.position))) {
          continue;
        }
        if (stp_save_npy(&b, path, images->data[i], &error) != 0) return cli_error(&error);
        done = 1;
      }
    }
  }
  return EXIT_RIGHT;
}

void cli_kernel_free(cli_kernel_t *k) {
  stp_images_free(&k->inputs);
  stp_kernel_free(k->kernel);
  stp_module_free(k->module);
  free(k->text);
  k->kernel = NULL;
  k->module = NULL;
  k->text = NULL;
}

/* ---- progress ---------------------------------------------------------------------------- */

static uint64_t bytes_moved(const cli_progress_t *p) {
  struct stp_machine_stats s;
  p->m->ops->stats(p->m, &s);
  return s.dram_read_bytes + s.dram_write_bytes;
}

void cli_progress_start(cli_progress_t *p, stp_device_t *device) {
  p->m = stp_device_machine(device);
  p->bytes_before = bytes_moved(p);
  p->tty = isatty(STDERR_FILENO) != 0;
  p->next = p->tty ? 0.5 : 5;
}

int cli_progress(void *progress, uint64_t cycles, double seconds) {
  cli_progress_t *p = progress;
  if (p->check != NULL && stp_stick_check_failed(p->check)) return 1;
  if (seconds < p->next) return 0;
  p->next = seconds + (p->tty ? 0.2 : 5);
  p->shown = true;
  fprintf(stderr, "%ssteeple: %s: %" PRIu64 " %s, %.1f k%s", p->tty ? "\r" : "", p->machine, cycles,
          p->has_cycles ? "cycles" : "steps", (double)cycles / seconds / 1e3,
          p->has_cycles ? "Hz" : " a second");
  /* Asked late, so that short runs do without. The model's own progress does not matter. */
  if (p->bytes_total == 0 && p->has_cycles && p->expect != NULL) {
    p->bytes_total = p->expect(p->expect_user);
    p->expect = NULL;
  }
  if (p->bytes_total > 0) {
    double share = (double)(bytes_moved(p) - p->bytes_before) / (double)p->bytes_total;
    if (share > 1) share = 1;
    fprintf(stderr, ", %3.0f %% done", 100 * share);
  }
  fputs(p->tty ? "   " : "\n", stderr);
  fflush(stderr);
  return 0;
}

void cli_progress_end(cli_progress_t *p) {
  if (p->shown && p->tty) fputs("\r\033[K", stderr);
}
