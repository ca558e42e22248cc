/* SPDX-License-Identifier: Apache-2.0 */
/* steeple bench: how fast RTL with full and with fast arithmetic and the model simulate. */
#include "machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../job/job.h"

#define KERNEL STEEPLE_KERNELS "/matmul_512.mlir"

/* Rates are per second of this process on a processor: what else the host does costs none. A short
   run is repeated, and the fastest counts. */
#define ENOUGH_SECONDS 1.0
#define MAX_RUNS 10

#define IDLE_CYCLES 500000u

enum { B_ARG, B_JSON };

static const cli_option_t options[] = {
    {"arg", "NAME=VALUE", "a scalar argument, for all kernels that have one of this name"},
    {"json", NULL, "print a line of JSON per kernel instead of the table"},
};

/* What is measured beside each other; the first is what ratios refer to. */
static const struct variant {
  const char *name, *machine, *arith;
} variants[] = {
    {"rtl full", "rtl", "full"},
    {"rtl fast", "rtl", "fast"},
    {"model", "model", NULL},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct bench {
  bool json;
  cli_binding_t args[CLI_MAX_BINDINGS];
  unsigned num_args, kernels;
  double idle_khz[VARIANTS]; /* NAN: no clock */
} bench_t;

/* One machine's figures of one kernel. */
typedef struct figures {
  cli_result_t result; /* of the fastest run */
  unsigned runs;
} figures_t;

static cli_machine_t machine_of(const struct variant *v) {
  cli_machine_t m;
  cli_machine_init(&m);
  m.options.fast_arithmetic = v->arith != NULL && strcmp(v->arith, "fast") == 0;
  return m;
}

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Simulated kHz of a machine that has no job: firmware waits, and no unit runs. An exit code. */
static int measure_idle(const struct variant *v, double *khz) {
  *khz = NAN;
  if (v->arith == NULL) return EXIT_RIGHT;
  const cli_machine_t m = machine_of(v);
  stp_device_t *d;
  stp_error_t error;
  if (stp_device_open(v->machine, &m.options, &d, &error) != 0) return cli_error(&error);
  struct stp_machine *machine = stp_device_machine(d);
  uint64_t ran = 0;
  const double start = cpu_now();
  int status = EXIT_RIGHT;
  if (machine->ops->run(machine, IDLE_CYCLES, &ran) != 0) {
    status = cli_fail(EXIT_TRAP, "%s: %s", v->name, machine->error);
  } else {
    *khz = (double)ran / (cpu_now() - start) / 1e3;
  }
  stp_device_close(d);
  return status;
}

/* Runs the kernel; `out` gets the results. An exit code. */
static int measure(const struct variant *v, const cli_kernel_t *k, stp_images_t *out,
                   figures_t *f) {
  const cli_machine_t m = machine_of(v);
  const cli_run_request_t q = {.machine = v->machine};
  double spent = 0;
  for (f->runs = 0; f->runs == 0 || (spent < ENOUGH_SECONDS && f->runs < MAX_RUNS); f->runs++) {
    cli_result_t r;
    const int status = cli_run_on(&m, k, &q, out, &r);
    if (status != EXIT_RIGHT) return status;
    if (f->runs == 0 || r.launch.cpu_seconds < f->result.launch.cpu_seconds) f->result = r;
    spent += r.launch.cpu_seconds;
  }
  return EXIT_RIGHT;
}

static double speed(const stp_job_t *job, const figures_t *f) {
  return job->macs == 0 ? NAN : (double)job->macs / f->result.launch.cpu_seconds;
}

static double khz(const figures_t *f) {
  const stp_launch_t *l = &f->result.launch;
  return l->has_cycles ? (double)l->cycles / l->cpu_seconds / 1e3 : NAN;
}

static double ratio(const figures_t *first, const figures_t *f) {
  return first->result.launch.cpu_seconds / f->result.launch.cpu_seconds;
}

#define ROW "  %-10s %10s %9s %9s %9s %10s %14s %9s\n"

static const char *cell(char *buf, size_t size, const char *format, double value) {
  if (isnan(value)) {
    snprintf(buf, size, "-");
  } else {
    snprintf(buf, size, format, value);
  }
  return buf;
}

static void print_table(const bench_t *b, const cli_kernel_t *k, const figures_t *all) {
  const stp_job_t *job = stp_kernel_job(k->kernel);
  printf("%s: %" PRIu64 " multiply-adds, %" PRIu64 " compulsory bytes\n", job->kernel, job->macs,
         job->compulsory_bytes);
  printf(ROW, "machine", "cycles", "seconds", "cpu s", "sim kHz", "idle kHz", "M mult-adds/s",
         "times");
  for (unsigned i = 0; i < VARIANTS; i++) {
    const stp_launch_t *l = &all[i].result.launch;
    char c[32], s[32], cpu[32], sim[32], idle[32], macs[32], times[32];
    printf(ROW, variants[i].name,
           cell(c, sizeof c, "%.0f", l->has_cycles ? (double)l->cycles : NAN),
           cell(s, sizeof s, "%.4f", l->seconds), cell(cpu, sizeof cpu, "%.4f", l->cpu_seconds),
           cell(sim, sizeof sim, "%.1f", khz(&all[i])),
           cell(idle, sizeof idle, "%.0f", b->idle_khz[i]),
           cell(macs, sizeof macs, "%.1f", speed(job, &all[i]) / 1e6),
           cell(times, sizeof times, "%.2f", ratio(&all[0], &all[i])));
  }
  fflush(stdout);
}

static void json_number(const char *key, double value) {
  printf(", \"%s\": ", key);
  cli_json_number(stdout, value);
}

static void print_json(const bench_t *b, const cli_kernel_t *k, const figures_t *all, bool equal) {
  const stp_job_t *job = stp_kernel_job(k->kernel);
  printf("{\"kernel\": ");
  cli_json_string(stdout, job->kernel);
  printf(", \"file\": ");
  cli_json_string(stdout, job->file);
  printf(", \"macs\": %" PRIu64 ", \"dram_bytes\": %" PRIu64 ", \"equal\": %s, \"machines\": [",
         job->macs, job->compulsory_bytes, equal ? "true" : "false");
  for (unsigned i = 0; i < VARIANTS; i++) {
    const stp_launch_t *l = &all[i].result.launch;
    printf("%s{\"machine\": \"%s\", \"arith\": ", i > 0 ? ", " : "", variants[i].machine);
    if (variants[i].arith != NULL) {
      cli_json_string(stdout, variants[i].arith);
    } else {
      fputs("null", stdout);
    }
    json_number("cycles", l->has_cycles ? (double)l->cycles : NAN);
    json_number("seconds", l->seconds);
    json_number("cpu_seconds", l->cpu_seconds);
    printf(", \"runs\": %u", all[i].runs);
    json_number("sim_khz", khz(&all[i]));
    json_number("idle_khz", b->idle_khz[i]);
    json_number("macs_per_second", speed(job, &all[i]));
    json_number("times", ratio(&all[0], &all[i]));
    putchar('}');
  }
  printf("]}\n");
  fflush(stdout);
}

/* All machines on a kernel that is loaded. An exit code. */
static int bench_loaded(const bench_t *b, const cli_kernel_t *k) {
  stp_images_t out[VARIANTS];
  figures_t all[VARIANTS];
  stp_error_t error;
  int status = EXIT_RIGHT;
  memset(out, 0, sizeof out);
  memset(all, 0, sizeof all);
  for (unsigned i = 0; i < VARIANTS && status == EXIT_RIGHT; i++) {
    status = stp_images_new(k->kernel, &out[i], &error) != 0
                 ? cli_error(&error)
                 : measure(&variants[i], k, &out[i], &all[i]);
  }
  if (status == EXIT_RIGHT) {
    for (unsigned i = 1; i < VARIANTS; i++) {
      if (stp_images_compare(k->kernel, variants[0].name, &out[0], variants[i].name, &out[i],
                             &error) != 0) {
        status = cli_error(&error);
      }
    }
    if (b->json) {
      print_json(b, k, all, status == EXIT_RIGHT);
    } else {
      print_table(b, k, all);
    }
  }
  for (unsigned i = 0; i < VARIANTS; i++) stp_images_free(&out[i]);
  return status;
}

static int bench_kernel(const cli_command_t *self, bench_t *b, const char *path) {
  cli_kernel_t *k = calloc(1, sizeof *k);
  if (k == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  k->path = path;
  k->lenient = true;
  memcpy(k->args, b->args, sizeof b->args);
  k->num_args = b->num_args;
  int status = cli_kernel_load(self, k, true);
  if (status == EXIT_RIGHT) {
    status = bench_loaded(b, k);
    for (unsigned i = 0; i < b->num_args; i++) b->args[i].used |= k->args[i].used;
    cli_kernel_free(k);
  }
  free(k);
  return status;
}

static int parse(const cli_command_t *self, bench_t *b, int argc, char **argv) {
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    int status = EXIT_RIGHT;
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      b->kernels++;
    } else if (option == B_ARG) {
      status = cli_bind(self, b->args, &b->num_args, args.value);
    } else {
      b->json = true;
    }
    if (status != EXIT_RIGHT) return status;
  }
  if (!stp_machine_known("rtl")) {
    return cli_usage(self, "this build of Steeple has no machine 'rtl' to measure");
  }
  return EXIT_RIGHT;
}

/* All kernels of the command line, or the usual one. */
static int bench_all(const cli_command_t *self, bench_t *b, int argc, char **argv) {
  int worst = b->kernels == 0 ? bench_kernel(self, b, KERNEL) : EXIT_RIGHT;
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    if (option != CLI_POSITIONAL) continue;
    const int status = bench_kernel(self, b, args.value);
    if (status > worst) worst = status;
  }
  for (unsigned i = 0; i < b->num_args && worst == EXIT_RIGHT; i++) {
    if (!b->args[i].used) {
      worst = cli_usage(self, "no kernel has an argument '%.*s'", (int)b->args[i].name_len,
                        b->args[i].name);
    }
  }
  return worst;
}

static int bench(const cli_command_t *self, int argc, char **argv) {
  bench_t *b = calloc(1, sizeof *b);
  if (b == NULL) return cli_fail(EXIT_TRAP, "out of memory");
  int status = parse(self, b, argc, argv);
  for (unsigned i = 0; i < VARIANTS && status == EXIT_RIGHT; i++) {
    status = measure_idle(&variants[i], &b->idle_khz[i]);
  }
  if (status == EXIT_RIGHT) status = bench_all(self, b, argc, argv);
  free(b);
  return status;
}

const cli_command_t cli_bench = {
    .name = "bench",
    .synopsis = "[KERNEL.mlir...] [OPTION]...",
    .summary = "measure how fast RTL, RTL with fast arithmetic and model simulate",
    .text =
        "The machines run one after another, without taps or traces; their results must be equal.\n"
        "Without a kernel: the project's matmul_512. A run of less than a second is repeated, and\n"
        "the fastest counts.\n\n"
        "columns: cycles from doorbell to interrupt; seconds of the host for them;\n"
        "cpu s: of this process on a processor, which all that follows refers to; sim kHz: "
        "simulated\n"
        "cycles per millisecond; idle kHz: the same without a job; multiply-adds of the kernel's\n"
        "products per second; times: how many times faster than RTL with full arithmetic.\n",
    .options = options,
    .num_options = sizeof options / sizeof *options,
    .run = bench,
};
