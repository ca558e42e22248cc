/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stick DMA. Transfers are queued and take effect in order; the queue has room for all
 * transfers of a job. A queued transfer owns its buffer until stp_dma_wait.
 */
#ifndef STP_FW_DMA_H
#define STP_FW_DMA_H

#include <stdbool.h>

#include "mmio.h"

/* Kinds of transfer, values of STP_MGMT_DMA_START. */
enum {
  STP_DMA_TO_TCM = 0,
  STP_DMA_PROGRAM = 1,
  STP_DMA_ARGS = 2,
  STP_DMA_FROM_TCM = 3,
  STP_DMA_STATUS = 4,
};

/* Device address and length, in sticks, of the transfers that follow. addr is stick aligned. */
static inline void stp_dma_memory(uint64_t addr, uint32_t sticks) {
  stp_mmio_write(STP_MGMT_DMA_ADDR_LO, (uint32_t)addr);
  stp_mmio_write(STP_MGMT_DMA_ADDR_HI, (uint32_t)(addr >> 32));
  stp_mmio_write(STP_MGMT_DMA_COUNT, sticks);
}

/* Queues the transfer that the registers describe. */
static inline void stp_dma_start(uint32_t kind) {
  stp_mmio_write(STP_MGMT_DMA_START, kind);
}

/* Queues a copy between device memory and a stick-aligned buffer of the processor's memory. */
static inline void stp_dma_to_tcm(void *buf, uint64_t addr, uint32_t sticks) {
  stp_dma_memory(addr, sticks);
  stp_mmio_write(STP_MGMT_DMA_LOCAL, (uint32_t)buf);
  stp_dma_start(STP_DMA_TO_TCM);
}

static inline void stp_dma_from_tcm(uint64_t addr, const void *buf, uint32_t sticks) {
  stp_dma_memory(addr, sticks);
  stp_mmio_write(STP_MGMT_DMA_LOCAL, (uint32_t)buf);
  stp_dma_start(STP_DMA_FROM_TCM);
}

/* Describes the transfer of the status sticks of all units of a core to device memory. */
static inline void stp_dma_prepare_status(uint64_t addr, uint32_t core) {
  stp_dma_memory(addr, STP_UNITS);
  stp_mmio_write(STP_MGMT_DMA_CORES, core);
}

/* Queues it. */
static inline void stp_dma_status(uint64_t addr, uint32_t core) {
  stp_dma_prepare_status(addr, core);
  stp_dma_start(STP_DMA_STATUS);
}

/* Queues the transfer of a program segment, whose first stick counts from the address that the
 * registers hold, to their cores. The DMA refuses one that is wrong in any field. */
static inline void stp_dma_segment(const struct stp_segment *s) {
  /* As it stands in memory, where the DMA has put it. */
  typedef uint32_t __attribute__((may_alias)) word_t;
  const word_t *words = (const word_t *)(const void *)s;
  stp_mmio_write(STP_MGMT_DMA_SEGMENT_LO, words[0]);
  stp_mmio_write(STP_MGMT_DMA_SEGMENT_HI, words[1]);
}

/* Waits until all queued transfers are done. False if one since the last call met a bus error. */
bool stp_dma_wait(void);

#endif
