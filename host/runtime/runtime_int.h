/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of host/runtime. */
#ifndef STP_RUNTIME_INT_H
#define STP_RUNTIME_INT_H

#include "steeple/steeple.h"

#include "../job/job.h"
#include "../ktir/args.h"
#include "../ktir/ir.h"

struct stp_module {
  char *file, *text;
  size_t len;
  stp_ir_module_t *ir;
  stp_arena_t arena; /* parameter lists */
};

struct stp_kernel {
  stp_module_t *module;
  stp_ir_func_t *func;
  stp_arena_t arena;
  stp_bindings_t bindings;
  stp_kernel_args_t args;
  stp_job_t *job;
};

void stp_error_set(stp_error_t *error, stp_error_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Set `*error` and give -1: a macro, so that analysers see the value. */
#define stp_fail(error, kind, ...) (stp_error_set((error), (kind), __VA_ARGS__), -1)

/* Seconds of a clock that only goes forward. */
double stp_now(void);
/* Seconds that the process has spent on processors. */
double stp_cpu_now(void);

#endif
