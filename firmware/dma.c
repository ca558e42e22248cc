/* SPDX-License-Identifier: Apache-2.0 */
#include "dma.h"

#define STATE_BUSY 1u
#define STATE_ERROR 2u

bool stp_dma_wait(void) {
  /* A transfer takes a memory latency: too short to sleep. */
  uint32_t state;
  do {
    state = stp_mmio_read(STP_MGMT_DMA_STATE);
  } while ((state & STATE_BUSY) != 0);
  __asm__ volatile("" ::: "memory"); /* what the DMA wrote is read after this */
  if ((state & STATE_ERROR) == 0) return true;
  stp_mmio_write(STP_MGMT_DMA_STATE, 0);
  return false;
}
