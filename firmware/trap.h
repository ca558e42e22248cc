/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the firmware: it cannot go on, the host is told, and the processor sleeps until reset.
 */
#ifndef STP_FW_TRAP_H
#define STP_FW_TRAP_H

#include <stdint.h>

/* Called by the trap vector: the firmware itself did something that it must not. */
_Noreturn void stp_trap(uint32_t mcause, uint32_t mepc, uint32_t mtval);

/* A state in which going on would be wrong: says why, and traps (mcause 3, breakpoint). */
_Noreturn void stp_fatal(const char *why);

#endif
