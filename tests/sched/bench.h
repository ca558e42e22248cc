/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the scheduler: compile a kernel, run its job on the C model of a core with buffers
 * in plain memory. */
#ifndef STP_TEST_SCHED_BENCH_H
#define STP_TEST_SCHED_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched.h"

#define BENCH_ARGS 8
#define BENCH_POISON 0xc7

typedef struct bench {
  stp_job_t *job;
  char *text;
  stp_ir_module_t *module;
  stp_diags_t diags;
  uint8_t *memory;
  size_t memory_size;
  uint64_t base[BENCH_ARGS]; /* device address of each of the job's buffers */
  /* after bench_run */
  uint64_t macs;       /* counted by PT */
  uint64_t dram_reads; /* bytes */
  uint64_t dram_writes;
  uint64_t unit_work[STP_UNITS]; /* sticks that left each unit */
  unsigned cause;                /* of a trap */
  bool quiet;                    /* set by the caller: a run that fails prints nothing */
} bench_t;

/* Read a kernel file and compile its only function; the scalar at position `arg` (if >= 0) has the
   value. Errors are printed, and false returned. */
bool bench_compile(bench_t *b, const char *path, int arg, int64_t value, bool dynamic);
/* The same from text. */
bool bench_compile_text(bench_t *b, const char *name, const char *text, int arg, int64_t value,
                        bool dynamic);
/* Read and compile, without printing: what was wrong is in b->diags. */
bool bench_try(bench_t *b, const char *name, const char *text, int arg, int64_t value,
               bool dynamic);

/* Give every buffer memory, `skew` bytes past a stick's start, with poison around and in it. */
void bench_place(bench_t *b, unsigned skew);
uint8_t *bench_buffer(bench_t *b, unsigned buffer);
/* Fill a buffer with small random numbers of its element type. */
void bench_random(bench_t *b, unsigned buffer, uint32_t seed, double scale);
/* Run the job on `cores` cores one after the other. False, with a message, if it traps, hangs,
   leaves something over, or writes outside the buffers that it may write. */
bool bench_run(bench_t *b, unsigned cores);
void bench_close(bench_t *b);
/* Print all programs. */
void bench_dump(const bench_t *b);

#endif
