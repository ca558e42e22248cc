/* SPDX-License-Identifier: Apache-2.0 */
#include "trap.h"

#include "console.h"
#include "mmio.h"

_Noreturn void stp_trap(uint32_t mcause, uint32_t mepc, uint32_t mtval) {
  stp_mmio_write(STP_MGMT_HOSTIF_FW_STATUS, STP_FW_DEAD | (mcause & 0xffff));
  stp_puts("steeple firmware: fatal trap: mcause ");
  stp_put_hex(mcause);
  stp_puts(" mepc ");
  stp_put_hex(mepc);
  stp_puts(" mtval ");
  stp_put_hex(mtval);
  stp_puts("\n");
  stp_mmio_write(STP_MGMT_HOSTIF_IRQ_SET, STP_IRQ_FAULT);
  /* With nothing enabled, no interrupt ends the sleep. */
  __asm__ volatile("csrw mie, zero");
  for (;;) stp_wfi();
}

_Noreturn void stp_fatal(const char *why) {
  stp_puts("steeple firmware: ");
  stp_puts(why);
  stp_puts("\n");
  __asm__ volatile("ebreak");
  __builtin_unreachable();
}
