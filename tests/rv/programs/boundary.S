/*
 * A short program of every kind of instruction, run with an interrupt enabled and a handler that leaves its registers alone. rv_sweep lets
 * the line rise at every point: whatever the point, the results are the same.
 */
#include "rvtest.h"
  RV_BEGIN
  la t0, interrupted
  csrw mtvec, t0
  li t0, IRQ_TIMER
  csrw mie, t0
  li s0, DEV
  la s1, data
  li a0, 7
  li a1, 3
  csrsi mstatus, 8 /* from here ... */
  add a2, a0, a1
  sub a3, a2, a1
  mul a4, a2, a3
  mulhu a5, a4, a4
  div a5, a4, a1
  remu a6, a4, a2
  sw a4, 0(s1)
  lh a7, 0(s1)
  lbu t0, 1(s1)
  add a7, a7, t0
  sb a7, 2(s1)
  lw t1, 0(s1)
  li t2, 3
1:
  addi t2, t2, -1
  slli t1, t1, 1
  bnez t2, 1b
  beqz x0, 2f
  li t1, 0
2:
  call routine
  lui t3, 0x12345
  auipc t4, 0
  csrrw t5, mscratch, t3
  csrr t5, mscratch
  sw t5, DEV_SCRATCH(s0)
  lw s2, DEV_SCRATCH(s0)
  sb a0, DEV_SCRATCH(s0)
  lw s3, DEV_SCRATCH(s0)
  fence
  fence.i
  sltu s4, s3, s2
  div s5, s2, a0
  jal s6, 3f
3:
  la t5, 4f
  jr t5
  nop
4:
  xor s7, s5, s2
  csrci mstatus, 8 /* ... to here */

  CHECK 1, a2, 10
  CHECK 2, a3, 7
  CHECK 3, a4, 70
  CHECK 4, a5, 23
  CHECK 5, a6, 0
  CHECK 6, a7, 70
  CHECK 7, t1, 0x02300230
  CHECK 8, s2, 0x12345000
  CHECK 9, s3, 0x12345007
  CHECK 10, s4, 0
  CHECK 11, s5, 0x0299c249
  CHECK 12, s7, 0x10ad9249
  CHECK 13, t2, 100
  /* One interrupt at most, and mstatus as it was. */
  lw a0, count
  sltiu a0, a0, 2
  CHECK 14, a0, 1
  csrr a0, mstatus
  li a1, 0x80
  or a0, a0, a1
  CHECK 15, a0, 0x1880
  RV_END

routine:
  li t2, 100
  ret

  /* s9, s10 and s11 belong to the handler. */
  .balign 4
interrupted:
  la s9, count
  lw s10, 0(s9)
  addi s10, s10, 1
  sw s10, 0(s9)
  li s11, DEV
  sw x0, DEV_LINES(s11)
  mret

  .data
  .balign 4
data:
  .word 0
count:
  .word 0
