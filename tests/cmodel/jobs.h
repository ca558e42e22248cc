/* Jobs made of hand-written unit programs, run by the real firmware on any machine. */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "steeple/machine.h"
#include "stp_arch.h"

/* Where jobs lie in device memory; buffers of tests go elsewhere. */
#define JOB_QUEUE 0x1000u
#define JOB_PROGRAM 0x100000u
#define JOB_ARGS 0x180000u
#define JOB_COMPLETION 0x190000u

typedef struct job {
  uint64_t word[STP_UNITS][STP_PROG_WORDS];
  unsigned words[STP_UNITS]; /* 0: the unit is not started */
  uint64_t arg[STP_ARGS];    /* of every unit */
  uint32_t watchdog;
} job_t;

typedef struct job_result {
  struct stp_completion record;
  uint64_t status[STP_UNITS][16]; /* of core 0; zero where the job did not start */
  uint64_t steps;
} job_result_t;

/* Loads the firmware and waits until it is ready. */
void jobs_boot(struct stp_machine *m);
/* Writes a job, rings the doorbell, and waits at most limit steps or cycles for its completion:
 * false if it does not come. number counts the jobs of this machine, from 0. */
bool jobs_run(struct stp_machine *m, const job_t *j, unsigned number, uint64_t limit,
              job_result_t *out);

#endif
