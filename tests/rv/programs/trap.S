/* Exceptions: causes, mtval, mepc, that the trapping instruction changes nothing, and the way back. */
#include "rvtest.h"
  RV_BEGIN
  li a0, 0x55
  EXPECT_TRAP 1, EXC_ECALL_M, 0, ecall
  li gp, 2
  la s8, 1f
  la s0, 2f
2:
  ebreak
  j fail
1:
  CHECK 3, s10, EXC_BREAKPOINT
  bne s9, s0, fail
  bne s11, s0, fail

  EXPECT_TRAP 36, EXC_ILLEGAL, 0x12000073, .word 0x12000073 /* sfence.vma */

  /* Misaligned addresses, in memory and on the bus; also where nothing is. */
  la s0, word
  la a1, word + 1
  li gp, 40
  la s8, 1f
  lw a0, 1(s0)
  j fail
1:
  CHECK 40, s10, EXC_LOAD_MISALIGNED
  bne s11, a1, fail
  li a1, 0x8001
  EXPECT_TRAP 41, EXC_LOAD_MISALIGNED, 0x8002, lw a0, 1(a1)
  EXPECT_TRAP 42, EXC_LOAD_MISALIGNED, 0x8003, lw a0, 2(a1)
  EXPECT_TRAP 43, EXC_LOAD_MISALIGNED, 0x8001, lh a0, 0(a1)
  EXPECT_TRAP 44, EXC_LOAD_MISALIGNED, 0x8003, lhu a0, 2(a1)
  EXPECT_TRAP 45, EXC_STORE_MISALIGNED, 0x8002, sw a0, 1(a1)
  EXPECT_TRAP 46, EXC_STORE_MISALIGNED, 0x8001, sh a0, 0(a1)
  li a1, DEV + DEV_SCRATCH
  EXPECT_TRAP 47, EXC_LOAD_MISALIGNED, DEV + DEV_SCRATCH + 2, lw a0, 2(a1)
  EXPECT_TRAP 48, EXC_STORE_MISALIGNED, DEV + DEV_SCRATCH + 1, sh a0, 1(a1)
  li a1, 0x40000000
  EXPECT_TRAP 49, EXC_LOAD_MISALIGNED, 0x40000002, lw a0, 2(a1)

  /* Addresses where nothing is, and a bus that refuses. */
  EXPECT_TRAP 50, EXC_LOAD_FAULT, 0x40000000, lw a0, 0(a1)
  EXPECT_TRAP 51, EXC_STORE_FAULT, 0x40000003, sb a0, 3(a1)
  li a1, 0x10000
  EXPECT_TRAP 52, EXC_LOAD_FAULT, 0x10000, lb a0, 0(a1)
  EXPECT_TRAP 53, EXC_STORE_FAULT, 0x10004, sw a0, 4(a1)
  li a1, 0x7ffffffc
  EXPECT_TRAP 54, EXC_LOAD_FAULT, 0x7ffffffc, lw a0, 0(a1)
  li a1, DEV + DEV_NOTHING
  EXPECT_TRAP 55, EXC_LOAD_FAULT, DEV + DEV_NOTHING, lw a0, 0(a1)
  EXPECT_TRAP 56, EXC_STORE_FAULT, DEV + DEV_NOTHING + 8, sw a0, 8(a1)
  EXPECT_TRAP 57, EXC_LOAD_FAULT, DEV + DEV_NOTHING + 3, lbu a0, 3(a1)
  li a1, 0
  EXPECT_TRAP 58, EXC_LOAD_FAULT, 0xfffffffc, lw a0, -4(a1)
  CHECK 59, a0, 0x55

  /* Jumps to halves of words: the jump traps, and does not link. */
  la a1, 1f
  li gp, 60
  la s8, 2f
  li ra, 0x66
3:
  jalr ra, 2(a1)
1:
  j fail
2:
  CHECK 60, s10, EXC_FETCH_MISALIGNED
  addi a1, a1, 2
  bne s11, a1, fail
  la t6, 3b
  bne s9, t6, fail
  CHECK 61, ra, 0x66
  li a1, 0x1001
  EXPECT_TRAP 62, EXC_FETCH_MISALIGNED, 0x1002, jalr ra, 2(a1)
  la s0, 1f + 6
  li gp, 63
  la s8, 2f
1:
  .word 0x006000ef /* jal ra, .+6 */
  j fail
2:
  CHECK 63, s10, EXC_FETCH_MISALIGNED
  bne s11, s0, fail
  la s0, 1f + 6
  li gp, 64
  la s8, 2f
1:
  .word 0x00000363 /* beq x0, x0, .+6 */
  j fail
2:
  CHECK 64, s10, EXC_FETCH_MISALIGNED
  bne s11, s0, fail
  li gp, 65
  .word 0x00001363 /* bne x0, x0, .+6: not taken, so no trap */
  CHECK 66, ra, 0x66

  /* Fetches from where nothing is: mepc is the target, the jump has linked. */
.macro FETCH_FAULT n, target
  li gp, \n
  la s8, 2f
  li a1, \target
  li ra, 0
  la s0, 1f
  jalr ra, 0(a1)
1:
  j fail
2:
  CHECK \n, s10, EXC_FETCH_FAULT
  bne s11, a1, fail
  bne s9, a1, fail
  bne ra, s0, fail
.endm
  FETCH_FAULT 70, 0x10000
  FETCH_FAULT 71, 0x40000000
  FETCH_FAULT 72, DEV
  FETCH_FAULT 73, 0xfffffffc

  /* mstatus over a trap and back. */
  csrsi mstatus, 8
  la s8, 1f
  la t0, look
  csrw mtvec, t0
  ecall
1:
  CHECK 80, s0, 0x1880
  csrr a0, mstatus
  CHECK 81, a0, 0x1888
  csrci mstatus, 8
  ecall
  CHECK 82, s0, 0x1800
  csrr a0, mstatus
  CHECK 83, a0, 0x1880

  /* In vectored mode exceptions still go to the base. */
  ori t0, t0, 1
  csrw mtvec, t0
  li s0, 0
  ecall
  CHECK 84, s0, 0x1800
  RV_END

  /* Leaves mstatus in s0 and steps over the instruction. */
  .balign 4
look:
  csrr s0, mstatus
  csrr t6, mepc
  addi t6, t6, 4
  csrw mepc, t6
  mret

  .data
  .balign 8
word:
  .word 0, 0
