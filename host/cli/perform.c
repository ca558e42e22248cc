/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with checks: RTL against model, machine against interpreter. */
#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../job/job.h"
#include "../runtime/reference.h"
#include "stp_isa.h"

bool cli_outcome_equal(const cli_outcome_t *o) {
  return (!o->checked || o->equal_reference) && (!o->checked_rtl || o->equal_machines);
}

/* Does RTL equal the model? The sticks have been compared on the way. */
static int compare_machines(const cli_machine_t *m, const cli_kernel_t *k, stp_stick_check_t *check,
                            const stp_images_t *model, const stp_images_t *rtl, cli_outcome_t *o) {
  stp_error_t error;
  stp_device_t *d;
  const struct stp_machine_options options = {.config = m->options.config};
  o->checked_rtl = true;
  o->sticks = stp_stick_check_compared(check);
  if (stp_device_open("model", &options, &d, &error) != 0) return cli_error(&error);
  int status = stp_stick_check_finish(check, "rtl", d, k->kernel, &k->inputs, &error);
  stp_device_close(d);
  if (status == 0) status = stp_images_compare(k->kernel, "rtl", rtl, "model", model, &error);
  o->equal_machines = status == 0;
  return status == 0 ? EXIT_RIGHT : cli_error(&error);
}

static int compare_reference(const cli_kernel_t *k, const char *name, const stp_images_t *images,
                             cli_outcome_t *o) {
  stp_error_t error;
  stp_reference_t ref;
  if (stp_reference_run(k->kernel, &k->inputs, stderr, &ref, &error) != 0) return cli_error(&error);
  o->checked = true;
  o->max_error = ref.max_error;
  o->max_ulp = ref.max_ulp;
  const int status =
      stp_images_compare(k->kernel, name, images, "the interpreter", &ref.images, &error);
  stp_reference_free(&ref);
  o->equal_reference = status == 0;
  return status == 0 ? EXIT_RIGHT : cli_error(&error);
}

/* Both machines; `log` and `check` exist, `other` takes the results that were not asked for. */
static int run_both(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *q,
                    stp_stick_log_t *log, stp_stick_check_t *check, stp_images_t *out,
                    stp_images_t *other, cli_outcome_t *o) {
  const bool on_rtl = strcmp(q->on, "rtl") == 0;
  stp_images_t *model_out = on_rtl ? other : out, *rtl_out = on_rtl ? out : other;
  cli_result_t model, rtl;
  memset(&rtl, 0, sizeof rtl);
  const cli_run_request_t first = {.machine = "model", .record = log};
  int status = cli_run_on(m, k, &first, model_out, &model);
  o->model_seconds = model.launch.seconds;
  o->result = model;
  if (status != EXIT_RIGHT) return status;
  const cli_run_request_t second = {.machine = "rtl",
                                    .trace = q->trace,
                                    .trace_first = q->trace_first,
                                    .trace_last = q->trace_last,
                                    .bytes_total = model.launch.dram_read_bytes +
                                                   model.launch.dram_write_bytes,
                                    .check = check};
  status = cli_run_on(m, k, &second, rtl_out, &rtl);
  if (on_rtl) o->result = rtl;
  return status == EXIT_RIGHT ? compare_machines(m, k, check, model_out, rtl_out, o) : status;
}

static int run_checked(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *q,
                       stp_images_t *out, cli_outcome_t *o) {
  stp_error_t error;
  stp_images_t other;
  if (stp_images_new(k->kernel, &other, &error) != 0) return cli_error(&error);
  stp_stick_log_t *log = stp_stick_log_new();
  stp_stick_check_t *check = log != NULL ? stp_stick_check_new(log) : NULL;
  const int status = check != NULL ? run_both(m, k, q, log, check, out, &other, o)
                                   : cli_fail(EXIT_TRAP, "out of memory");
  stp_stick_check_free(check);
  stp_stick_log_free(log);
  stp_images_free(&other);
  return status;
}

int cli_perform(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *q,
                stp_images_t *out, cli_outcome_t *o) {
  memset(o, 0, sizeof *o);
  o->result.machine = q->on;
  o->max_error = o->max_ulp = o->result.pt_share = o->result.dram_share = o->result.sim_khz = NAN;
  int status;
  if (q->check_rtl) {
    status = run_checked(m, k, q, out, o);
  } else {
    const cli_run_request_t request = {.machine = q->on,
                                       .trace = q->trace,
                                       .trace_first = q->trace_first,
                                       .trace_last = q->trace_last};
    status = cli_run_on(m, k, &request, out, &o->result);
  }
  if (!q->check || !o->result.complete || o->result.launch.status != STP_JOB_OK ||
      (status != EXIT_RIGHT && status != EXIT_DIFFERS)) {
    return status;
  }
  const int reference = compare_reference(k, q->on, out, o);
  return reference != EXIT_RIGHT ? reference : status;
}

/* ---- JSON -------------------------------------------------------------------------------- */

uint64_t cli_idle(const uint64_t *counters) {
  static const unsigned kinds[] = {STP_STAT_BUSY, STP_STAT_STALL_IN, STP_STAT_STALL_OUT,
                                   STP_STAT_STALL_TOKEN, STP_STAT_STALL_MEM};
  uint64_t idle = counters[STP_STAT_CYCLES];
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) idle -= counters[kinds[i]];
  return idle;
}

static void json_counters(const stp_launch_t *l) {
  printf(", \"counters\": [");
  for (unsigned c = 0; c < l->cores; c++) {
    for (unsigned u = 0; u < STP_UNITS; u++) {
      printf("%s{\"core\": %u, \"unit\": \"%s\"", c + u > 0 ? ", " : "", c, stp_unit_names[u]);
      for (unsigned k = 0; k < STP_COUNTERS; k++) {
        printf(", \"%s\": %" PRIu64, stp_counter_names[k], l->counters[c][u][k]);
      }
      printf(", \"idle\": %" PRIu64 "}", cli_idle(l->counters[c][u]));
    }
  }
  putchar(']');
}

static void json_string(const char *key, const char *value) {
  printf(", \"%s\": ", key);
  cli_json_string(stdout, value);
}

static void json_number(const char *key, double value) {
  printf(", \"%s\": ", key);
  cli_json_number(stdout, value);
}

static void json_whole(const char *key, bool known, uint64_t value) {
  if (known) {
    printf(", \"%s\": %" PRIu64, key, value);
  } else {
    printf(", \"%s\": null", key);
  }
}

void cli_outcome_json(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *q,
                      const cli_outcome_t *o, bool counters) {
  const stp_job_t *job = stp_kernel_job(k->kernel);
  const cli_result_t *r = &o->result;
  const stp_launch_t *l = &r->launch;
  const bool known = r->complete, cycles = known && l->has_cycles;
  printf("{\"kernel\": ");
  cli_json_string(stdout, job->kernel);
  json_string("file", job->file);
  json_string("machine", q->on);
  json_string("config", m->options.config);
  if (strcmp(q->on, "rtl") == 0) json_string("arith", m->options.fast_arithmetic ? "fast" : "full");
  json_string("status", !known                     ? "failed"
                        : l->status < STP_STATUSES ? stp_status_names[l->status]
                                                   : "unknown");
  json_whole("tiles", true, job->tiles);
  json_whole("cycles", cycles, l->cycles);
  json_whole("launch_cycles", cycles, l->launch_cycles);
  json_whole("work_cycles", cycles, l->cycles - l->launch_cycles);
  if (known && !cycles) json_whole("steps", true, l->cycles);
  json_whole("macs", true, job->macs);
  json_number("pt_share", r->pt_share);
  json_whole("dram_bytes", true, job->compulsory_bytes);
  json_number("dram_share", r->dram_share);
  json_whole("dram_read_bytes", known, l->dram_read_bytes);
  json_whole("dram_write_bytes", known, l->dram_write_bytes);
  json_number("seconds", known ? l->seconds : NAN);
  json_number("sim_khz", r->sim_khz);
  json_whole("retired", known, l->retired);
  if (m->options.compare_processor) {
    json_whole("retired_compared", known, r->stats.retired_compared);
  }
  if (known && l->status == STP_JOB_TRAP) {
    json_string("cause", l->cause < STP_CAUSES ? stp_cause_names[l->cause] : "unknown");
    json_whole("core", true, l->core);
    json_string("unit", l->unit < STP_UNITS ? stp_unit_names[l->unit] : "unknown");
    json_whole("pc", true, l->pc);
    json_whole("addr", true, l->addr);
    const stp_job_line_t *line = stp_job_find_line(job, l->unit, l->pc);
    json_whole("line", line != NULL, line != NULL ? line->line : 0);
  }
  if (q->check) {
    printf(", \"equal\": %s", !o->checked ? "null" : cli_outcome_equal(o) ? "true" : "false");
    json_number("max_error", o->max_error);
    json_number("max_ulp", o->max_ulp);
  }
  if (q->check_rtl) {
    printf(", \"rtl_equals_model\": %s", !o->checked_rtl     ? "null"
                                         : o->equal_machines ? "true"
                                                             : "false");
    json_whole("sticks", o->checked_rtl, o->sticks);
  }
  if (counters && known) json_counters(l);
  printf("}\n");
  fflush(stdout);
}
