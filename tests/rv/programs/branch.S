/* Branches taken and not taken, backwards and forwards, jumps and links, on bypassed operands. */
#include "rvtest.h"

.macro TAKEN n, br, a, b
  li gp, \n
  li a1, \a
  li a2, \b
  \br a1, a2, 1f
  j fail
1:
.endm
.macro NOT_TAKEN n, br, a, b
  li gp, \n
  li a1, \a
  li a2, \b
  \br a1, a2, 1f
  j 2f
1:
  j fail
2:
.endm

  RV_BEGIN
  TAKEN 1, beq, 5, 5
  NOT_TAKEN 2, beq, 5, 4
  TAKEN 3, bne, 5, 4
  NOT_TAKEN 4, bne, 5, 5
  TAKEN 5, blt, 0x80000000, 0x7fffffff
  NOT_TAKEN 6, blt, 0x7fffffff, 0x80000000
  NOT_TAKEN 7, blt, 3, 3
  TAKEN 8, bge, 0x7fffffff, 0x80000000
  TAKEN 9, bge, 3, 3
  NOT_TAKEN 10, bge, 0x80000000, 0x7fffffff
  TAKEN 11, bltu, 0x7fffffff, 0x80000000
  NOT_TAKEN 12, bltu, 0x80000000, 0x7fffffff
  NOT_TAKEN 13, bltu, 3, 3
  TAKEN 14, bgeu, 0x80000000, 0x7fffffff
  TAKEN 15, bgeu, 3, 3
  NOT_TAKEN 16, bgeu, 0x7fffffff, 0x80000000

  /* A loop. */
  li a0, 0
  li a1, 100
1:
  add a0, a0, a1
  addi a1, a1, -1
  bnez a1, 1b
  CHECK 20, a0, 5050

  /* JAL and JALR link, and JALR with rd = rs1. */
  li gp, 21
2:
  jal a0, 3f
  j fail
3:
  la a1, 2b
  sub a0, a0, a1
  CHECK 22, a0, 4
  la a0, 4f
5:
  jalr a0, 0(a0)
  j fail
4:
  la a1, 5b
  sub a0, a0, a1
  CHECK 23, a0, 4

  /* JALR clears bit 0 of its target, and adds its offset. */
  li gp, 24
  la a0, 6f
  jalr a1, 1(a0)
  j fail
6:
  la a0, 7f + 2047
  li gp, 25
  jalr x0, -2047(a0)
  j fail
7:
  /* A call tree. */
  li a0, 10
  call fib
  CHECK 26, a0, 55

  /* A branch on the result of a load, and through a loaded pointer. */
  la a2, table
  lw a1, 0(a2)
  li gp, 30
  beqz a1, fail
  lw a1, 4(a2)
  jr a1
  j fail
table_target:
  RV_END

fib:
  addi sp, sp, -16
  sw ra, 0(sp)
  sw s0, 4(sp)
  sw s1, 8(sp)
  li t0, 2
  blt a0, t0, 1f
  mv s0, a0
  addi a0, s0, -1
  call fib
  mv s1, a0
  addi a0, s0, -2
  call fib
  add a0, a0, s1
1:
  lw ra, 0(sp)
  lw s0, 4(sp)
  lw s1, 8(sp)
  addi sp, sp, 16
  ret

  .data
  .balign 4
table:
  .word 1
  .word table_target
