/* SPDX-License-Identifier: Apache-2.0 */
/* One job: from its descriptor in device memory to its completion record there. */
#ifndef STP_FW_JOB_H
#define STP_FW_JOB_H

#include <stdint.h>

#include "stp_arch.h"

/* Where the DMA puts and takes sticks. */
typedef struct stp_job_buffers {
  _Alignas(STP_STICK_BYTES) struct stp_descriptor descriptor;
  _Alignas(STP_STICK_BYTES) union {
    struct stp_completion record;
    uint32_t words[STP_STICK_BYTES / 4];
  } completion;
  _Alignas(STP_STICK_BYTES) uint64_t status[STP_STICK_BYTES / 8];
} stp_job_buffers_t;

/* To be called once: what is padding in a completion stick is zero. */
void stp_job_init(stp_job_buffers_t *b);

/*
 * Fetches the descriptor at `addr`, runs the job, and writes its status sticks and completion
 * record. Returns when all that is in memory and the cores of the job are at rest. A machine has
 * `cores` cores. Complaints go to the console.
 */
void stp_job_run(stp_job_buffers_t *b, uint64_t addr, uint32_t cores);

/* Stops core n if something runs on it, and waits until it is at rest. */
void stp_core_quiesce(uint32_t n);

#endif
