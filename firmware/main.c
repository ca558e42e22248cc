/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware: takes jobs from the queue in device memory, in order, and sleeps when there is
 * none. */
#include "console.h"
#include "dma.h"
#include "job.h"
#include "mmio.h"
#include "trap.h"

/* Brings the chip to rest: the processor may have been reset alone, in the middle of a job. */
static void quiesce(uint32_t cores) {
  for (uint32_t n = 0; n < cores; n++) stp_core_quiesce(n);
  stp_dma_wait();
  stp_mmio_write(STP_MGMT_TIMER_MTIMECMP_LO, UINT32_MAX);
  stp_mmio_write(STP_MGMT_TIMER_MTIMECMP_HI, UINT32_MAX);
}

/* The device address of the queue's entry for job number `index`. */
static uint64_t entry(uint32_t index) {
  const uint32_t low = stp_mmio_read(STP_MGMT_HOSTIF_QUEUE_LO);
  const uint32_t high = stp_mmio_read(STP_MGMT_HOSTIF_QUEUE_HI);
  const uint32_t log2 = stp_mmio_read(STP_MGMT_HOSTIF_QUEUE_LOG2);
  return ((uint64_t)high << 32 | low) + (index & ((1u << log2) - 1)) * STP_STICK_BYTES;
}

_Noreturn void stp_main(void) {
  stp_job_buffers_t buffers;
  stp_job_init(&buffers);
  stp_mmio_write(STP_MGMT_HOSTIF_FW_VERSION, STP_CONTRACT_VERSION);
  stp_puts("steeple firmware ");
  stp_put_hex(STP_CONTRACT_VERSION);
  if (stp_mmio_read(STP_MGMT_HOSTIF_VERSION) != STP_CONTRACT_VERSION) {
    stp_puts(": made for other hardware\n");
    stp_fatal("the hardware's contract version differs");
  }
  const uint32_t cores = stp_mmio_read(STP_MGMT_HOSTIF_CORES);
  quiesce(cores);
  uint32_t done = stp_mmio_read(STP_MGMT_HOSTIF_COMPLETED);
  stp_puts(": ready\n");
  stp_mmio_write(STP_MGMT_HOSTIF_FW_STATUS, STP_FW_READY);
  stp_mmio_write(STP_MGMT_HOSTIF_IRQ_SET, STP_IRQ_READY);
  stp_mmio_write(STP_MGMT_INTC_ENABLE, STP_PENDING_DOORBELL);

  for (;;) {
    stp_job_prepare(&buffers);
    while (stp_mmio_read(STP_MGMT_HOSTIF_DOORBELL) == done) {
      /* Acknowledged before a last look: a doorbell after it ends the sleep. */
      stp_mmio_write(STP_MGMT_INTC_ACK, STP_PENDING_DOORBELL);
      if (stp_mmio_read(STP_MGMT_HOSTIF_DOORBELL) == done) stp_wfi();
    }
    stp_job_fetch(entry(done));
    stp_job_run(&buffers, cores, ++done);
    stp_mmio_write(STP_MGMT_HOSTIF_FW_STATUS, STP_FW_READY);
    stp_mmio_write(STP_MGMT_INTC_ENABLE, STP_PENDING_DOORBELL);
  }
}
