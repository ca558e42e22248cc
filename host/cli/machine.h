/* SPDX-License-Identifier: Apache-2.0 */
/* Options about machines, and runs of a kernel on them: shared by `run` and `report`. */
#ifndef STP_CLI_MACHINE_H
#define STP_CLI_MACHINE_H

#include "cli.h"

/* Options that `run` and `report` have in common come first in both tables. */
enum {
  OPT_SEED,
  OPT_CONFIG,
  OPT_DRAM_LATENCY,
  OPT_RANDOM_STALLS,
  OPT_INIT_SEED,
  OPT_COMPARE_PROCESSOR,
  OPT_ARITH,
  OPT_MAX_CYCLES,
  OPT_WATCHDOG,
  OPT_CONSOLE,
  OPT_FIRMWARE,
  OPT_PROCESSOR_LOG,
  OPT_COMMON
};
#define CLI_MACHINE_OPTIONS                                                                        \
  {"seed", "N", "seed of random inputs (docs/random.md); 0"},                                      \
      {"config", "NAME", "configuration of the chip: c1"},                                         \
      {"dram-latency", "N", "rtl: cycles from a DRAM request to its data; 100"},                   \
      {"random-stalls", "SEED",                                                                    \
       "rtl: DRAM latency, order and readiness and FIFO stalls at random"},                        \
      {"init-seed", "SEED", "rtl: registers and memories start with random contents"},             \
      {"compare-processor", NULL,                                                                  \
       "rtl: compare the management processor with its simulator at\n"                             \
       "every retired instruction"},                                                               \
      {"arith", "full|fast",                                                                       \
       "rtl: arithmetic of PT and SFU as verilated RTL, or by calls to the\n"                      \
       "C numerics library: the same bits and cycles, faster; full"},                              \
      {"max-cycles", "N", "give up after N cycles (model: steps)"},                                \
      {"watchdog", "N", "stop the job after N * 1,024 cycles"},                                    \
      {"console", NULL, "show what firmware prints"},                                              \
      {"firmware", "FILE", "load this image instead of the built-in firmware"}, {                  \
    "processor-log", "FILE",                                                                       \
        "write every instruction of the management processor (docs/firmware.md)"                   \
  }

typedef struct cli_machine {
  struct stp_machine_options options;
  uint64_t seed, max_cycles, watchdog;
  bool console;
  const char *firmware, *processor_log; /* files, or NULL */
} cli_machine_t;

void cli_machine_init(cli_machine_t *m);
/* Takes option number `option` < OPT_COMMON. An exit code. */
int cli_machine_option(cli_machine_t *m, const cli_command_t *command, int option,
                       const char *value);

/* For a command that runs no RTL: options that only RTL has are refused. An exit code. */
int cli_machine_no_rtl(const cli_machine_t *m, const cli_command_t *command);

/* A run of a kernel on one machine, and its figures. */
typedef struct cli_result {
  const char *machine;
  stp_launch_t launch;
  struct stp_machine_stats stats;       /* at the end */
  bool complete;                        /* the machine has answered */
  double pt_share, dram_share, sim_khz; /* NAN without cycles */
} cli_result_t;

typedef struct cli_run_request {
  const char *machine;
  const char *trace; /* file, or NULL */
  uint64_t trace_first, trace_last;
  uint64_t bytes_total;     /* traffic to be expected, for the progress; 0: the model is asked */
  bool quiet;               /* say nothing, whatever happens */
  stp_stick_log_t *record;  /* log all sticks; or NULL */
  stp_stick_check_t *check; /* compare all sticks; or NULL */
} cli_run_request_t;

/*
 * Open a machine, run the kernel, close it. An exit code: EXIT_RIGHT also if the check has failed
 * (ask it), else the launch is complete and its status OK; EXIT_TRAP if the status is not OK, which
 * is then printed.
 */
int cli_run_on(const cli_machine_t *m, const cli_kernel_t *k, const cli_run_request_t *request,
               stp_images_t *out, cli_result_t *result);

/* ---- runs with checks -------------------------------------------------------------------- */

typedef struct cli_request {
  const char *on;    /* the machine whose figures and results are wanted */
  const char *trace; /* as above */
  uint64_t trace_first, trace_last;
  bool check;     /* compare with the interpreter */
  bool check_rtl; /* compare RTL and model, every stick and final memory */
} cli_request_t;

typedef struct cli_outcome {
  cli_result_t result;       /* on the machine that was asked for */
  double model_seconds;      /* if the model ran too */
  bool checked, checked_rtl; /* the comparison has been made: */
  bool equal_reference;      /* the machine and the interpreter */
  bool equal_machines;       /* RTL and model */
  uint64_t sticks;           /* that were compared */
  double max_error, max_ulp; /* of the interpreter against float64 */
} cli_outcome_t;

/* All comparisons that were made came out equal. */
bool cli_outcome_equal(const cli_outcome_t *outcome);

/* Run a kernel as asked for. `out` gets the machine's results. An exit code; differences are
 * printed. */
int cli_perform(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *request,
                stp_images_t *out, cli_outcome_t *outcome);

/* Cycles of a unit that its counters put to no account (docs/counters.md); 0 on the model. */
uint64_t cli_idle(const uint64_t *counters);

/* One line of JSON to standard output. */
void cli_outcome_json(const cli_machine_t *m, const cli_kernel_t *k, const cli_request_t *request,
                      const cli_outcome_t *outcome, bool counters);

#endif
