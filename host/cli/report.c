/* SPDX-License-Identifier: Apache-2.0 */
/* steeple report: kernels on RTL, model and interpreter, and a table of what came out. */
#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../job/job.h"

enum { R_ON = OPT_COMMON, R_ARG, R_DYNAMIC, R_JSON };

static const cli_option_t options[] = {
    CLI_MACHINE_OPTIONS,
    {"on", "MACHINE", "rtl (and model), or the model alone; what the build has"},
    {"arg", "NAME=VALUE", "a scalar argument, for all kernels that have one of this name"},
    {"dynamic", "NAME", "keep scalars of this name at run time"},
    {"json", NULL, "print a line of JSON per kernel instead of the table"},
};

typedef struct report {
  cli_machine_t machine;
  const char *on;
  bool json;
  cli_kernel_t options; /* its arguments and names for --dynamic */
  unsigned failed, kernels;
  int worst;
} report_t;

static int parse(const cli_command_t *self, report_t *r, int argc, char **argv) {
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    int status = EXIT_RIGHT;
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      r->kernels++;
    } else if (option < OPT_COMMON) {
      status = cli_machine_option(&r->machine, self, option, args.value);
    } else if (option == R_ON) {
      r->on = args.value;
    } else if (option == R_ARG) {
      status = cli_bind(self, r->options.args, &r->options.num_args, args.value);
    } else if (option == R_DYNAMIC) {
      status = cli_keep(self, &r->options, args.value);
    } else {
      r->json = true;
    }
    if (status != EXIT_RIGHT) return status;
  }
  if (r->kernels == 0) return cli_usage(self, "no kernel is given");
  if (r->on == NULL) r->on = stp_machine_known("rtl") ? "rtl" : "model";
  if (!stp_machine_known(r->on)) {
    return cli_usage(self,
                     strcmp(r->on, "rtl") == 0 ? "this build of Steeple has no machine '%s'"
                                               : "there is no machine '%s'",
                     r->on);
  }
  if (strcmp(r->on, "rtl") != 0) return cli_machine_no_rtl(&r->machine, self);
  return EXIT_RIGHT;
}

#define ROW "%-22s %10s %7s %9s %6s %6s %9s %9s %7s  %-26s %s\n"

static void cell(char *buf, size_t size, const char *format, double value) {
  if (isnan(value)) {
    snprintf(buf, size, "-");
  } else {
    snprintf(buf, size, format, value);
  }
}

static const char *verdict(const report_t *r, const cli_outcome_t *o, int status) {
  if (!o->result.complete || o->result.launch.status != STP_JOB_OK) return "FAILED";
  if (strcmp(r->on, "model") == 0) {
    if (!o->checked) return "not compared";
    return o->equal_reference ? "model = interpreter" : "DIFFERS";
  }
  if (status != EXIT_RIGHT && cli_outcome_equal(o)) return "not compared";
  if (o->checked_rtl && !o->equal_machines) return "RTL AND MODEL DIFFER";
  if (o->checked && !o->equal_reference) return "INTERPRETER DIFFERS";
  return "RTL = model = interpreter";
}

static void row(const report_t *r, const cli_kernel_t *k, const cli_outcome_t *o, int status) {
  const cli_result_t *res = &o->result;
  const bool cycles = res->complete && res->launch.has_cycles;
  char c[32], l[32], w[32], pt[32], mem[32], khz[32], sticks[32], sec[32], err[64] = "-";
  cell(c, sizeof c, "%.0f", cycles ? (double)res->launch.cycles : NAN);
  cell(l, sizeof l, "%.0f", cycles ? (double)res->launch.launch_cycles : NAN);
  cell(w, sizeof w, "%.0f",
       cycles ? (double)(res->launch.cycles - res->launch.launch_cycles) : NAN);
  cell(pt, sizeof pt, "%.1f", 100 * res->pt_share);
  cell(mem, sizeof mem, "%.1f", 100 * res->dram_share);
  cell(khz, sizeof khz, "%.1f", res->sim_khz);
  cell(sticks, sizeof sticks, "%.0f", o->checked_rtl ? (double)o->sticks : NAN);
  cell(sec, sizeof sec, "%.2f", res->complete ? res->launch.seconds : NAN);
  if (o->checked) snprintf(err, sizeof err, "%.3g (%.3g ulp)", o->max_error, o->max_ulp);
  printf(ROW, stp_kernel_job(k->kernel)->kernel, c, l, w, pt, mem, khz, sticks, sec,
         verdict(r, o, status), err);
  fflush(stdout);
}

static int report_kernel(const cli_command_t *self, report_t *r, const char *path) {
  cli_kernel_t *k = calloc(1, sizeof *k);
  if (k == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  *k = r->options;
  k->path = path;
  k->seed = r->machine.seed;
  k->lenient = true;
  for (unsigned i = 0; i < k->num_args; i++) k->args[i].used = false;
  for (unsigned i = 0; i < k->num_dynamic; i++) k->dynamic[i].used = false;
  const bool is_rtl = strcmp(r->on, "rtl") == 0;
  int status = cli_kernel_load(self, k, true);
  if (status == EXIT_RIGHT) {
    const cli_request_t q = {
        .on = r->on, .check = stp_kernel_has_text(k->kernel), .check_rtl = is_rtl};
    stp_images_t out;
    stp_error_t error;
    cli_outcome_t o;
    if (stp_images_new(k->kernel, &out, &error) != 0) {
      status = cli_error(&error);
    } else {
      status = cli_perform(&r->machine, k, &q, &out, &o);
      if (r->json) {
        cli_outcome_json(&r->machine, k, &q, &o, false);
      } else {
        row(r, k, &o, status);
      }
      stp_images_free(&out);
    }
    cli_kernel_t *all = &r->options;
    for (unsigned i = 0; i < all->num_args; i++) all->args[i].used |= k->args[i].used;
    for (unsigned i = 0; i < all->num_dynamic; i++) all->dynamic[i].used |= k->dynamic[i].used;
    cli_kernel_free(k);
  }
  free(k);
  return status;
}

static int find_unused(const cli_command_t *self, const cli_binding_t *list, unsigned count,
                       int worst) {
  for (unsigned i = 0; i < count && worst == EXIT_RIGHT; i++) {
    if (!list[i].used) {
      worst =
          cli_usage(self, "no kernel has an argument '%.*s'", (int)list[i].name_len, list[i].name);
    }
  }
  return worst;
}

static int report(const cli_command_t *self, int argc, char **argv) {
  report_t *r = calloc(1, sizeof *r);
  if (r == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  cli_machine_init(&r->machine);
  int worst = parse(self, r, argc, argv);
  if (worst == EXIT_RIGHT) {
    if (!r->json) {
      printf(ROW, "kernel", "cycles", "launch", "work", "PT %", "mem %", "sim kHz", "sticks",
             "seconds", "equal", "error against float64");
      fflush(stdout);
    }
    cli_args_t args = {.command = self, .argc = argc, .argv = argv};
    for (int option; (option = cli_next(&args)) != CLI_END;) {
      if (option != CLI_POSITIONAL) continue;
      const int status = report_kernel(self, r, args.value);
      if (status > worst) worst = status;
    }
    worst = find_unused(self, r->options.args, r->options.num_args, worst);
    worst = find_unused(self, r->options.dynamic, r->options.num_dynamic, worst);
  }
  free(r);
  return worst;
}

const cli_command_t cli_report = {
    .name = "report",
    .synopsis = "KERNEL.mlir... [OPTION]...",
    .summary = "run kernels on RTL, model and interpreter, compare, and print a table",
    .text =
        "Every stick that leaves a unit is compared between RTL and model, and final memory "
        "between\n"
        "all three. Buffers are random. The exit code is the worst of all kernels.\n\n"
        "columns: cycles from doorbell to interrupt; launch: of them, before the first unit "
        "starts\n"
        "and after the last one stops; work: all others; PT and mem: share of the peak\n"
        "(multiply-adds / (1,024 * cycles), compulsory bytes / (128 * cycles)); sim kHz: "
        "simulated\n"
        "cycles per millisecond; sticks compared; seconds of the host for the run; largest error\n"
        "against float64.\n",
    .options = options,
    .num_options = sizeof options / sizeof *options,
    .run = report,
};
