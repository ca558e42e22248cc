/* SPDX-License-Identifier: Apache-2.0 */
/* steeple run: a kernel on a machine. */
#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../job/job.h"
#include "stp_isa.h"

enum {
  OPT_FUNC = OPT_COMMON,
  OPT_ON,
  OPT_ARG,
  OPT_DYNAMIC,
  OPT_OUT,
  OPT_CONVERT,
  OPT_CHECK,
  OPT_TRACE,
  OPT_WINDOW,
  OPT_COUNTERS,
  OPT_JSON,
};

static const cli_option_t options[] = {
    CLI_MACHINE_OPTIONS,
    {"func", "NAME", "the function to run, if the text has several"},
    {"on", "MACHINE", "rtl or model"},
    {"arg", "NAME=VALUE",
     "an argument, by name or position (0=...): a number for a scalar;\n"
     "for a buffer @file.npy, random, random:SEED or zeros"},
    {"dynamic", "NAME", "keep this scalar at run time instead of compiling for its value"},
    {"out", "NAME=FILE", "write a buffer to a .npy file afterwards"},
    {"convert", NULL, "round the elements of .npy files to the types of buffers"},
    {"check", "[=rtl]",
     "compare the results with the interpreter; --check=rtl also compares\n"
     "RTL and model: every stick that leaves a unit, and final memory"},
    {"trace", "FILE", "rtl: write a trace; the name ends in .fst or .vcd"},
    {"trace-window", "FIRST:LAST",
     "only cycles FIRST to LAST (since reset) of it; either may be\nleft out"},
    {"counters", NULL, "show the counters of all units"},
    {"json", NULL, "print one line of JSON to standard output"},
};

typedef struct run {
  cli_kernel_t kernel;
  cli_machine_t machine;
  cli_request_t request;
  bool counters, json, window;
} run_t;

static bool parse_window(const char *text, uint64_t *first, uint64_t *last) {
  char copy[64];
  const char *colon = strchr(text, ':');
  if (colon == NULL || (size_t)(colon - text) >= sizeof copy) return false;
  memcpy(copy, text, (size_t)(colon - text));
  copy[colon - text] = '\0';
  *first = 0;
  *last = UINT64_MAX;
  if (copy[0] != '\0' && !cli_number(copy, UINT64_MAX, first)) return false;
  if (colon[1] != '\0' && !cli_number(colon + 1, UINT64_MAX, last)) return false;
  return *first <= *last;
}

static int take_option(const cli_command_t *self, run_t *r, int option, const char *value) {
  cli_kernel_t *k = &r->kernel;
  if (option < OPT_COMMON) return cli_machine_option(&r->machine, self, option, value);
  switch (option) {
  case OPT_FUNC:
    k->func = value;
    break;
  case OPT_ON:
    r->request.on = value;
    break;
  case OPT_ARG:
    return cli_bind(self, k->args, &k->num_args, value);
  case OPT_DYNAMIC:
    return cli_keep(self, k, value);
  case OPT_OUT:
    return cli_bind(self, k->outs, &k->num_outs, value);
  case OPT_CONVERT:
    k->convert = true;
    break;
  case OPT_CHECK:
    if (value != NULL && strcmp(value, "rtl") != 0) {
      return cli_usage(self, "'--check=%s': there is --check and --check=rtl", value);
    }
    r->request.check = true;
    r->request.check_rtl |= value != NULL;
    break;
  case OPT_TRACE:
    r->request.trace = value;
    break;
  case OPT_WINDOW:
    if (!parse_window(value, &r->request.trace_first, &r->request.trace_last)) {
      return cli_usage(self, "'--trace-window %s': FIRST:LAST is wanted, FIRST at most LAST",
                       value);
    }
    r->window = true;
    break;
  case OPT_COUNTERS:
    r->counters = true;
    break;
  default:
    r->json = true;
  }
  return EXIT_RIGHT;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static int parse(const cli_command_t *self, run_t *r, int argc, char **argv) {
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (;;) {
    const int option = cli_next(&args);
    if (option == CLI_END) break;
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      if (r->kernel.path != NULL) return cli_usage(self, "more than one kernel is given");
      r->kernel.path = args.value;
      continue;
    }
    const int status = take_option(self, r, option, args.value);
    if (status != EXIT_RIGHT) return status;
  }
  r->kernel.seed = r->machine.seed;
  if (r->kernel.path == NULL) return cli_usage(self, "no kernel is given");
  if (r->request.on == NULL) return cli_usage(self, "--on rtl or --on model is wanted");
  if (strcmp(r->request.on, "rtl") != 0 && strcmp(r->request.on, "model") != 0) {
    return cli_usage(self, "there is no machine '%s' (there is: model, rtl)", r->request.on);
  }
  if (!stp_machine_known(r->request.on) || (r->request.check_rtl && !stp_machine_known("rtl"))) {
    return cli_usage(self, "this build of Steeple has no machine 'rtl'");
  }
  const bool on_rtl = strcmp(r->request.on, "rtl") == 0;
  if (!on_rtl && !r->request.check_rtl) {
    const int status = cli_machine_no_rtl(&r->machine, self);
    if (status != EXIT_RIGHT) return status;
  }
  if (r->window && r->request.trace == NULL) {
    return cli_usage(self, "--trace-window is a part of a trace: give --trace FILE");
  }
  if (r->request.trace != NULL && !on_rtl) {
    return cli_usage(self, "the model has no signals to trace; use --on rtl");
  }
  if (r->request.trace != NULL && r->machine.options.fast_arithmetic) {
    return cli_usage(self,
                     "--arith fast has no signals of the arithmetic: trace with --arith full");
  }
  if (r->request.trace != NULL && !ends_with(r->request.trace, ".fst") &&
      !ends_with(r->request.trace, ".vcd")) {
    return cli_usage(self, "trace file '%s' ends in neither .fst nor .vcd", r->request.trace);
  }
  return EXIT_RIGHT;
}

static void print_counters(const stp_launch_t *l, FILE *out) {
  for (unsigned c = 0; c < l->cores; c++) {
    fprintf(out, "core %u:\n%-8s", c, "unit");
    for (unsigned k = STP_STAT_CYCLES; k < STP_COUNTERS; k++) {
      fprintf(out, " %11s", stp_counter_names[k]);
    }
    fprintf(out, " %11s\n", "idle");
    for (unsigned u = 0; u < STP_UNITS; u++) {
      fprintf(out, "%-8s", stp_unit_names[u]);
      for (unsigned k = STP_STAT_CYCLES; k < STP_COUNTERS; k++) {
        fprintf(out, " %11" PRIu64, l->counters[c][u][k]);
      }
      fprintf(out, " %11" PRIu64 "\n", cli_idle(l->counters[c][u]));
    }
  }
}

static void print_result(const run_t *r, const cli_outcome_t *o) {
  const cli_result_t *res = &o->result;
  const stp_job_t *job = stp_kernel_job(r->kernel.kernel);
  const stp_launch_t *l = &res->launch;
  fprintf(stderr, "%s on %s %s: ", job->kernel, r->request.on, r->machine.options.config);
  if (l->has_cycles) {
    fprintf(stderr,
            "%" PRIu64 " cycles (%" PRIu64
            " of them launch), PT %.1f %%, memory %.1f %%, %.2f s, %.1f kHz\n",
            l->cycles, l->launch_cycles, 100 * res->pt_share, 100 * res->dram_share, l->seconds,
            res->sim_khz);
  } else {
    fprintf(stderr, "done in %.3f s (the model has no clock)\n", l->seconds);
  }
  if (r->machine.options.compare_processor) {
    fprintf(stderr, "processor = simulator: yes (%" PRIu64 " instructions since reset)\n",
            res->stats.retired_compared);
  }
  if (o->checked_rtl) {
    fprintf(stderr, "rtl = model: %s (%" PRIu64 " sticks, final memory)\n",
            o->equal_machines ? "yes" : "NO", o->sticks);
  }
  if (o->checked) {
    fprintf(stderr, "%s = interpreter: %s; error against float64: %.3g, %.3g ulp\n", r->request.on,
            o->equal_reference ? "yes" : "NO", o->max_error, o->max_ulp);
  }
}

static int run_kernel(run_t *r) {
  cli_kernel_t *k = &r->kernel;
  stp_images_t out;
  stp_error_t error;
  cli_outcome_t outcome;
  if (stp_images_new(k->kernel, &out, &error) != 0) return cli_error(&error);
  int status = cli_perform(&r->machine, k, &r->request, &out, &outcome);
  const bool ran = outcome.result.complete && outcome.result.launch.status == STP_JOB_OK;
  if (ran) {
    const int saved = cli_kernel_save(k, &out);
    if (saved != EXIT_RIGHT) status = saved;
    print_result(r, &outcome);
  }
  if (r->counters && outcome.result.complete) print_counters(&outcome.result.launch, stderr);
  if (r->json) cli_outcome_json(&r->machine, k, &r->request, &outcome, r->counters);
  stp_images_free(&out);
  return status;
}

static int run(const cli_command_t *self, int argc, char **argv) {
  run_t *r = calloc(1, sizeof *r);
  if (r == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  cli_machine_init(&r->machine);
  r->request.trace_last = UINT64_MAX;
  int status = parse(self, r, argc, argv);
  if (status == EXIT_RIGHT) status = cli_kernel_load(self, &r->kernel, true);
  if (status == EXIT_RIGHT) {
    if (r->request.check && !stp_kernel_has_text(r->kernel.kernel)) {
      status = cli_usage(self, "a job file has no text to interpret: --check wants the kernel");
    } else {
      status = run_kernel(r);
    }
    cli_kernel_free(&r->kernel);
  }
  free(r);
  return status;
}

const cli_command_t cli_run = {
    .name = "run",
    .synopsis = "KERNEL.mlir --on rtl|model [OPTION]...",
    .summary = "compile a KTIR kernel and run it on a machine",
    .text = "KERNEL.mlir may be -, standard input. What is not bound is random (docs/random.md); "
            "buffers\n"
            "that are only written start as a pattern of 0xa5.\n",
    .options = options,
    .num_options = sizeof options / sizeof *options,
    .run = run,
};
