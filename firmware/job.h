/* SPDX-License-Identifier: Apache-2.0 */
/* One job: from its descriptor in device memory to its completion record there. */
#ifndef STP_FW_JOB_H
#define STP_FW_JOB_H

#include <stdint.h>

#include "dma.h"
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

/* Prepares the fetch of a descriptor: nothing else may use the DMA until stp_job_fetch. */
static inline void stp_job_prepare(stp_job_buffers_t *b) {
  stp_mmio_write(STP_MGMT_DMA_LOCAL, (uint32_t)&b->descriptor);
  stp_mmio_write(STP_MGMT_DMA_COUNT, 1);
}

/* Begins to fetch the descriptor at `addr`: the first thing after a doorbell. */
static inline void stp_job_fetch(uint64_t addr) {
  stp_mmio_write(STP_MGMT_DMA_ADDR_LO, (uint32_t)addr);
  stp_mmio_write(STP_MGMT_DMA_ADDR_HI, (uint32_t)(addr >> 32));
  stp_dma_start(STP_DMA_TO_TCM);
}

/*
 * Runs the job whose descriptor is being fetched, writes its status sticks and completion record,
 * and tells the host that `count` jobs are completed. By then all that is in memory and the cores
 * of the job are at rest. The machine has `cores` cores. Complaints go to the console.
 */
void stp_job_run(stp_job_buffers_t *b, uint32_t cores, uint32_t count);

/* Stops core n if something runs on it, and waits until it is at rest. */
void stp_core_quiesce(uint32_t n);

#endif
