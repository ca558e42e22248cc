/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to the processor's registers. Addresses are STP_MGMT_... of stp_arch.h.
 */
#ifndef STP_FW_MMIO_H
#define STP_FW_MMIO_H

#include <stdint.h>

#include "stp_arch.h"

/* Bits of STP_MGMT_INTC_PENDING. */
#define STP_PENDING_DOORBELL 1u
#define STP_PENDING_DMA 2u
#define STP_PENDING_STOPPED 4u

/* Bits of STP_MGMT_HOSTIF_IRQ_SET. */
#define STP_IRQ_COMPLETED 1u
#define STP_IRQ_READY 2u
#define STP_IRQ_FAULT 4u

/* Values of FW_STATUS. */
#define STP_FW_READY 1u
#define STP_FW_BUSY 2u
#define STP_FW_DEAD 0xdead0000u

/* Bits of STP_MGMT_CORE_STATE. */
#define STP_CORE_STOPPED 1u
#define STP_CORE_DEADLOCK 2u
#define STP_CORE_LEFTOVER 12u /* of sticks or of tokens */

/* NOLINTBEGIN(performance-no-int-to-ptr): addresses of registers are numbers. */
static inline uint32_t stp_mmio_read(uint32_t addr) {
  return *(const volatile uint32_t *)addr;
}

static inline void stp_mmio_write(uint32_t addr, uint32_t value) {
  *(volatile uint32_t *)addr = value;
}
/* NOLINTEND(performance-no-int-to-ptr) */

/* The address of core n's copy of an STP_MGMT_CORE_... register. */
static inline uint32_t stp_core_reg(uint32_t reg, uint32_t n) {
  return reg + n * STP_MGMT_CORE_STRIDE;
}

/* Sleeps until an interrupt is pending. Interrupts are never taken: mstatus.MIE stays 0. */
static inline void stp_wfi(void) {
  __asm__ volatile("wfi" ::: "memory");
}

#endif
