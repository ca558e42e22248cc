/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end of the compiler: from a verified KTIR function and its bound scalars to a job.
 *
 *   stp_compile_options_t o = {.bindings = &bindings};
 *   stp_job_t *job;
 *   if (stp_compile(func, &o, &job, &diags)) stp_diags_print(&diags, stderr);
 *
 * Stages (host/sched/README.md): build.c turns the IR into a plan of steps, layout.c places buffers
 * in LX and numbers tokens, emit*.c write each unit's program, compile.c puts the job together.
 */
#ifndef STP_SCHED_H
#define STP_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "../job/job.h"
#include "../ktir/args.h"
#include "../ktir/ir.h"

typedef struct stp_compile_options {
  const stp_bindings_t *bindings; /* values of scalar arguments (args.h); NULL: none */
  const bool *dynamic; /* by argument: keep the scalar as a job argument instead of specialising the
                          programs to its value, which must be bound all the same; NULL: none */
  const char *text;    /* the KTIR text, for its hash; or NULL */
  size_t text_len;
} stp_compile_options_t;

/*
 * Compile one function. Returns 0 and a job owned by the caller (stp_job_free), or -1 with at least
 * one error in `diags`: the kernel reads or writes outside its views, or uses what the scheduler
 * does not support.
 */
int stp_compile(stp_ir_func_t *func, const stp_compile_options_t *options, stp_job_t **job,
                stp_diags_t *diags);

#endif
