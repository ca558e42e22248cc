/* Interrupts: enables, priority, vectors, entry and return, wfi, and that mip shows the lines. */
#include "rvtest.h"
  RV_BEGIN
  li s0, DEV
  la t0, vectors + 1
  csrw mtvec, t0

  /* mip shows the lines, whatever mie. */
  li a1, IRQ_TIMER
  sw a1, DEV_LINES(s0)
  csrr a0, mip
  CHECK 1, a0, IRQ_TIMER
  li a1, IRQ_SOFTWARE | IRQ_EXTERNAL
  sw a1, DEV_LINES(s0)
  csrr a0, mip
  CHECK 2, a0, IRQ_SOFTWARE | IRQ_EXTERNAL
  li a1, -1
  csrc mip, a1
  csrr a0, mip
  CHECK 3, a0, IRQ_SOFTWARE | IRQ_EXTERNAL

  /* No interrupt without MIE, and none without its bit in mie. */
  li s1, 0
  li a1, -1
  csrw mie, a1
  nop
  nop
  CHECK 4, s1, 0
  csrw mie, x0
  csrsi mstatus, 8
  nop
  nop
  CHECK 5, s1, 0
  csrci mstatus, 8

  /* Priority: external, software, timer; one after the other from one opening of MIE. The vectors shift s1 and add a digit. */
  li a1, IRQ_SOFTWARE | IRQ_EXTERNAL | IRQ_TIMER
  sw a1, DEV_LINES(s0)
  csrw mie, a1
  la s2, 1f
  csrsi mstatus, 8
1:
  nop
  nop
  CHECK 6, s1, 0xb37
  csrr a0, mip
  CHECK 7, a0, 0
  bne s3, s2, fail /* mepc was the instruction after the csrsi */
  csrr a0, mstatus
  CHECK 8, a0, 0x1888
  csrr a0, mcause
  CHECK 9, a0, 0x80000007
  csrr a0, mtval
  CHECK 10, a0, 0

  /* A store to a device that raises a line: the interrupt comes before what follows runs away. */
  li s1, 0
  li a1, IRQ_SOFTWARE
  sw a1, DEV_LINES(s0)
  nop
  nop
  nop
  CHECK 11, s1, 3

  /* Lines that rise while other work runs: loops, divisions, bus accesses. */
  li s1, 0
  li a1, IRQ_TIMER
  sw a1, DEV_DELAY_LINES(s0)
  li a1, 25
  sw a1, DEV_DELAY(s0)
  li a2, 1000
1:
  addi a2, a2, -1
  bnez s1, 2f
  bnez a2, 1b
2:
  CHECK 12, s1, 7
  li s1, 0
  li a1, 9
  sw a1, DEV_DELAY(s0)
  li a2, 100
  li a3, 7
1:
  div a4, a2, a3
  lw a5, DEV_COUNT(s0)
  CHECK 13, a4, 14
  beqz s1, 1b
  CHECK 14, s1, 7

  /* wfi with interrupts enabled: the wfi completes, then the interrupt is taken behind it. */
  li s1, 0
  la s2, 1f
  li a1, 30
  sw a1, DEV_DELAY(s0)
  wfi
1:
  CHECK 15, s1, 7
  bne s3, s2, fail
  /* wfi with MIE clear: it wakes, no interrupt is taken. */
  csrci mstatus, 8
  li s1, 0
  li a1, 30
  sw a1, DEV_DELAY(s0)
  wfi
  CHECK 16, s1, 0
  csrr a0, mip
  CHECK 17, a0, IRQ_TIMER
  /* It does not wait when one is pending. */
  wfi
  wfi
  CHECK 18, s1, 0
  /* Opening MIE takes it, and mret from outside a handler opens MIE too. */
  li a1, 0x1880
  csrw mstatus, a1
  la a1, 1f
  csrw mepc, a1
  la s2, 1f
  mret
  j fail
1:
  nop
  CHECK 19, s1, 7
  bne s3, s2, fail

  /* A wfi that an interrupt outside mie does not wake. */
  csrci mstatus, 8
  li a1, IRQ_EXTERNAL
  csrw mie, a1
  li a1, IRQ_TIMER
  sw a1, DEV_LINES(s0)
  li a1, IRQ_EXTERNAL
  sw a1, DEV_DELAY_LINES(s0)
  li a1, 30
  sw a1, DEV_DELAY(s0)
  wfi
  csrr a0, mip
  CHECK 20, a0, IRQ_TIMER | IRQ_EXTERNAL
  sw x0, DEV_LINES(s0)

  /* Direct mode: interrupts go to the base. */
  li s1, 0
  la t0, direct
  csrw mtvec, t0
  csrsi mstatus, 8
  li a1, IRQ_EXTERNAL
  sw a1, DEV_LINES(s0)
  nop
  nop
  nop
  CHECK 21, s1, 0xd
  csrr a0, mcause
  CHECK 22, a0, 0x8000000b

  /* An interrupt in the way of an instruction that traps: both are seen. */
  la t0, vectors + 1
  csrw mtvec, t0
  li a1, IRQ_TIMER
  csrw mie, a1
  csrci mstatus, 8
  sw a1, DEV_LINES(s0)
  li s1, 0
  csrsi mstatus, 8
  ecall
  CHECK 23, s1, 0x7e
  RV_END

  /* Handlers: s1 = s1 * 16 + digit, mepc to s3, and the line goes down. */
  .balign 4
vectors:
  j exception
  .irp n, 1,2
  j fail
  .endr
  j software
  .irp n, 4,5,6
  j fail
  .endr
  j timer
  .irp n, 8,9,10
  j fail
  .endr
  j external

exception:
  slli s1, s1, 4
  ori s1, s1, 0xe
  csrr s3, mepc
  addi t4, s3, 4
  csrw mepc, t4
  mret
.macro HANDLER digit, line
  slli s1, s1, 4
  ori s1, s1, \digit
  csrr t4, mcause
  andi t4, t4, 0x1f
  addi t4, t4, -\digit
  bnez t4, fail
  csrr s3, mepc
  lw t3, DEV_LINES(s0)
  li t4, ~\line
  and t3, t3, t4
  sw t3, DEV_LINES(s0)
  mret
.endm
software:
  HANDLER 3, IRQ_SOFTWARE
timer:
  HANDLER 7, IRQ_TIMER
external:
  HANDLER 0xb, IRQ_EXTERNAL

  .balign 4
direct:
  slli s1, s1, 4
  ori s1, s1, 0xd
  sw x0, DEV_LINES(s0)
  mret
