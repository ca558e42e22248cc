/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up: the processor begins here, at address 0, with undefined registers, and comes here again
 * after each reset, with .data as the last run left it: there is none, the linker script sees to it.
 */
  .section .text.start, "ax"
  .globl _start
_start:
  .irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li x\r, 0
  .endr
  csrw mstatus, zero      /* interrupts wake wfi, and are never taken */
  la t0, trap_vector
  csrw mtvec, t0
  li t0, (1 << 11) | (1 << 7)
  csrw mie, t0            /* external and timer */
  la sp, _stack_top
  call stp_main           /* does not return */

  .balign 4
trap_vector:
  la sp, _stack_top       /* nothing is resumed, and sp may be what is wrong */
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  j stp_trap
