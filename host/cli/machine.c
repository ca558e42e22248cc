/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../job/job.h"

void cli_machine_init(cli_machine_t *m) {
  *m = (cli_machine_t){.options = {.config = "c1"}};
}

int cli_machine_option(cli_machine_t *m, const cli_command_t *command, int option,
                       const char *value) {
  static const struct {
    uint64_t least, most;
  } range[OPT_COMMON] = {
      [OPT_SEED] = {0, UINT64_MAX},          [OPT_DRAM_LATENCY] = {1, 1000000},
      [OPT_RANDOM_STALLS] = {1, UINT64_MAX}, [OPT_INIT_SEED] = {1, UINT64_MAX},
      [OPT_MAX_CYCLES] = {1, UINT64_MAX},    [OPT_WATCHDOG] = {1, UINT32_MAX},
  };
  uint64_t n = 0;
  if (option < OPT_CONSOLE && option != OPT_CONFIG && option != OPT_COMPARE_PROCESSOR &&
      option != OPT_ARITH &&
      (!cli_number(value, range[option].most, &n) || n < range[option].least)) {
    return cli_usage(command, "'--%s %s': a number of at least %llu is wanted",
                     command->options[option].name, value, (unsigned long long)range[option].least);
  }
  switch (option) {
  case OPT_SEED:
    m->seed = n;
    break;
  case OPT_CONFIG:
    /* c and the number of cores; which of them there are is the machine's to say. */
    if (value[0] != 'c' || !cli_number(value + 1, STP_MAX_CORES, &n) || n == 0) {
      return cli_usage(command, "there is no configuration '%s' (there is: c1)", value);
    }
    m->options.config = value;
    break;
  case OPT_DRAM_LATENCY:
    m->options.dram_latency = (uint32_t)n;
    break;
  case OPT_RANDOM_STALLS:
    m->options.random_seed = n;
    break;
  case OPT_INIT_SEED:
    m->options.init_seed = n;
    break;
  case OPT_COMPARE_PROCESSOR:
    m->options.compare_processor = 1;
    break;
  case OPT_ARITH:
    if (strcmp(value, "full") != 0 && strcmp(value, "fast") != 0) {
      return cli_usage(command, "'--arith %s': there is --arith full and --arith fast", value);
    }
    m->options.fast_arithmetic = strcmp(value, "fast") == 0;
    break;
  case OPT_MAX_CYCLES:
    m->max_cycles = n;
    break;
  case OPT_WATCHDOG:
    m->watchdog = n;
    break;
  case OPT_FIRMWARE:
    m->firmware = value;
    break;
  case OPT_PROCESSOR_LOG:
    m->processor_log = value;
    break;
  default:
    m->console = true;
  }
  return EXIT_RIGHT;
}

int cli_machine_no_rtl(const cli_machine_t *m, const cli_command_t *command) {
  const struct stp_machine_options *o = &m->options;
  const int option = o->dram_latency != 0        ? OPT_DRAM_LATENCY
                     : o->random_seed != 0       ? OPT_RANDOM_STALLS
                     : o->init_seed != 0         ? OPT_INIT_SEED
                     : o->compare_processor != 0 ? OPT_COMPARE_PROCESSOR
                     : o->fast_arithmetic != 0   ? OPT_ARITH
                                                 : OPT_COMMON;
  if (option == OPT_COMMON) return EXIT_RIGHT;
  return cli_usage(command, "--%s is for the RTL, which does not run here",
                   command->options[option].name);
}

static void console(void *user, uint8_t byte) {
  (void)user;
  fputc(byte, stderr);
}

static void figures(const stp_job_t *job, cli_result_t *r) {
  const stp_launch_t *l = &r->launch;
  const double cycles = (double)l->cycles;
  r->pt_share = r->dram_share = r->sim_khz = NAN;
  if (!l->has_cycles || l->cycles == 0) return;
  if (l->seconds > 0) r->sim_khz = cycles / l->seconds / 1e3;
  if (l->status != STP_JOB_OK) return; /* the work was not done: it has no share of peak */
  r->pt_share = (double)job->macs / (1024.0 * l->cores * cycles);
  r->dram_share = (double)job->compulsory_bytes / (STP_STICK_BYTES * cycles);
}

static int failed(const cli_run_request_t *q, const stp_error_t *error) {
  return q->quiet ? EXIT_TRAP : cli_error(error);
}

/* The bytes that the model moves in the same run of a kernel. */
static uint64_t model_traffic(const void *user) {
  const cli_kernel_t *k = user;
  const cli_run_request_t q = {.machine = "model", .quiet = true};
  cli_machine_t m;
  cli_machine_init(&m);
  m.max_cycles = (uint64_t)1 << 32;
  cli_result_t r;
  stp_images_t out;
  stp_error_t error;
  if (stp_images_new(k->kernel, &out, &error) != 0) return 0;
  const int status = cli_run_on(&m, k, &q, &out, &r);
  stp_images_free(&out);
  return status == EXIT_RIGHT ? r.launch.dram_read_bytes + r.launch.dram_write_bytes : 0;
}

static uint64_t cycles_now(struct stp_machine *machine) {
  struct stp_machine_stats s;
  machine->ops->stats(machine, &s);
  return s.cycles;
}

/* Which cycles since reset a trace holds: what --trace-window wants to know. */
static void say_trace(struct stp_machine *machine, const cli_run_request_t *q, uint64_t start) {
  const uint64_t now = cycles_now(machine), end = now > start ? now - 1 : start;
  const uint64_t first = q->trace_first > start ? q->trace_first : start;
  const uint64_t last = q->trace_last < end ? q->trace_last : end;
  if (first > last) {
    cli_fail(0, "%s has no cycles: the job took cycles %" PRIu64 " to %" PRIu64, q->trace, start,
             end);
  } else {
    cli_fail(0, "%s has cycles %" PRIu64 " to %" PRIu64, q->trace, first, last);
  }
}

static int launch(stp_device_t *d, const cli_machine_t *m, const cli_kernel_t *k,
                  const cli_run_request_t *q, stp_images_t *out, cli_result_t *r) {
  struct stp_machine *machine = stp_device_machine(d);
  stp_error_t error;
  cli_progress_t progress = {.machine = q->machine,
                             .has_cycles = strcmp(q->machine, "model") != 0,
                             .bytes_total = q->bytes_total,
                             .expect = model_traffic,
                             .expect_user = k,
                             .check = q->check};
  const stp_launch_options_t options = {.progress = q->quiet ? NULL : cli_progress,
                                        .progress_user = &progress,
                                        .max_cycles = m->max_cycles,
                                        .watchdog = (uint32_t)m->watchdog};
  if (q->record != NULL) machine->ops->set_tap(machine, stp_stick_log_record, q->record);
  if (q->check != NULL) machine->ops->set_tap(machine, stp_stick_check_tap, q->check);
  const uint64_t start = cycles_now(machine);
  if (q->trace != NULL &&
      machine->ops->trace_on(machine, q->trace, q->trace_first, q->trace_last) != 0) {
    return cli_fail(EXIT_BAD_INPUT, "%s: %s", q->machine, machine->error);
  }
  cli_progress_start(&progress, d);
  int status = stp_execute(d, k->kernel, &k->inputs, out, &options, &r->launch, &error);
  cli_progress_end(&progress);
  if (q->trace != NULL && machine->ops->trace_off(machine) != 0) {
    return cli_fail(EXIT_BAD_INPUT, "%s: %s", q->trace, machine->error);
  }
  if (q->trace != NULL && !q->quiet) say_trace(machine, q, start);
  if (q->check != NULL && stp_stick_check_failed(q->check)) return EXIT_RIGHT;
  if (status != 0) return failed(q, &error);
  r->complete = true;
  machine->ops->stats(machine, &r->stats);
  figures(stp_kernel_job(k->kernel), r);
  if (r->launch.status != STP_JOB_OK) {
    char text[1024];
    stp_launch_describe(k->kernel, &r->launch, text, sizeof text);
    return q->quiet ? EXIT_TRAP : cli_fail(EXIT_TRAP, "%s: %s", q->machine, text);
  }
  return EXIT_RIGHT;
}

/* A line of the processor log: cycle, pc, instruction; register that was written; access; trap. */
static void log_retired(void *user, const struct stp_retired *r) {
  FILE *f = user;
  fprintf(f, "%10" PRIu64 " %08" PRIx32 " %08" PRIx32, r->cycle, r->pc, r->insn);
  if (r->rd != 0) fprintf(f, " x%u=%08" PRIx32, r->rd, r->rd_value);
  if (r->load) fprintf(f, " load %08" PRIx32, r->addr);
  if (r->store) fprintf(f, " store %08" PRIx32 "=%08" PRIx32, r->addr, r->value);
  if (r->trap) fprintf(f, " trap %d", r->trap - 1);
  fputc('\n', f);
}

static int close_log(const cli_machine_t *m, FILE *log, int status) {
  if (log == NULL) return status;
  const bool bad = ferror(log) != 0;
  if (fclose(log) != 0 || bad) {
    return cli_fail(EXIT_BAD_INPUT, "%s: cannot be written", m->processor_log);
  }
  return status;
}

int cli_run_on(const cli_machine_t *m, const cli_kernel_t *k, const cli_run_request_t *q,
               stp_images_t *out, cli_result_t *r) {
  memset(r, 0, sizeof *r);
  r->machine = q->machine;
  struct stp_machine_options o = m->options;
  if (m->console) o.console = console;
  o.trace = q->trace != NULL;
  stp_device_t *d = NULL;
  stp_error_t error;
  char *image = NULL;
  FILE *log = NULL;
  if (m->firmware != NULL) {
    o.firmware = image = cli_read_file(m->firmware, &o.firmware_bytes);
    if (image == NULL) return EXIT_BAD_INPUT;
  }
  if (m->processor_log != NULL) {
    o.retired = log_retired;
    o.retired_user = log = fopen(m->processor_log, "w");
    if (log == NULL) {
      free(image);
      return cli_fail(EXIT_BAD_INPUT, "%s: cannot be written", m->processor_log);
    }
  }
  int status = EXIT_RIGHT;
  if (stp_device_open(q->machine, &o, &d, &error) != 0) status = failed(q, &error);
  if (status == EXIT_RIGHT) status = launch(d, m, k, q, out, r);
  stp_device_close(d);
  free(image);
  return close_log(m, log, status);
}
