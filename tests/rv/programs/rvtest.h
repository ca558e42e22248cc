/*
 * Frame of the assembly programs that test the management processor and its simulator.
 *
 * A program is: #include "rvtest.h", RV_BEGIN, checks, RV_END. It ends by writing EXIT: 0 if all is
 * right, else the number of the check that failed, or 0x1000 + mcause after a trap that no check
 * expected.
 *
 * Registers: gp holds the number of the current check; s8..s11 belong to EXPECT_TRAP; t6 is scratch
 * of the checks.
 */
#ifndef RVTEST_H
#define RVTEST_H

/* The test device: tests/rv/testdev.h. */
#define DEV 0x80000000
#define DEV_EXIT 0x00
#define DEV_CONSOLE 0x04
#define DEV_LINES 0x08
#define DEV_DELAY_LINES 0x0c
#define DEV_DELAY 0x10
#define DEV_SCRATCH 0x14
#define DEV_COUNT 0x18
#define DEV_NOTHING 0x100

#define IRQ_SOFTWARE 0x008
#define IRQ_TIMER 0x080
#define IRQ_EXTERNAL 0x800

#define EXC_FETCH_MISALIGNED 0
#define EXC_FETCH_FAULT 1
#define EXC_ILLEGAL 2
#define EXC_BREAKPOINT 3
#define EXC_LOAD_MISALIGNED 4
#define EXC_LOAD_FAULT 5
#define EXC_STORE_MISALIGNED 6
#define EXC_STORE_FAULT 7
#define EXC_ECALL_M 11

#ifdef __ASSEMBLER__
/* clang-format off */

/* Registers have no reset: they are written before anything reads them. */
.macro RV_BEGIN
  .option norelax
  .section .text.start, "ax"
  .globl _start
_start:
  .irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li x\r, 0
  .endr
  la sp, _stack_top
  la t0, trap_entry
  csrw mtvec, t0
  .text
  j test_begin

  /* Traps go to s8 with mcause, mtval, mepc in s10, s11, s9; without s8 they end the program. */
  .balign 4
trap_entry:
  beqz s8, 1f
  csrr s9, mepc
  csrr s10, mcause
  csrr s11, mtval
  csrw mepc, s8
  li s8, 0
  mret
1:
  csrr gp, mcause
  li t6, 0x1000
  add gp, gp, t6
fail:
  li t6, DEV
  sw gp, DEV_EXIT(t6)
1:
  j 1b
pass:
  li gp, 0
  j fail

test_begin:
.endm

.macro RV_END
  j pass
.endm

/* Check n: register reg holds value. */
.macro CHECK n, reg, value
  li gp, \n
  li t6, \value
  bne \reg, t6, fail
.endm

/* Check n: rd of a two-operand instruction. */
.macro CHECK_RR n, insn, expect, a, b
  li a1, \a
  li a2, \b
  \insn a0, a1, a2
  CHECK \n, a0, \expect
.endm

.macro CHECK_RI n, insn, expect, a, imm
  li a1, \a
  \insn a0, a1, \imm
  CHECK \n, a0, \expect
.endm

/* Check n: this one instruction traps with cause and tval, and mepc is its address. */
.macro EXPECT_TRAP n, cause, tval, insn:vararg
  li gp, \n
  la s8, 9f
  li s10, -1
8:
  \insn
  j fail
9:
  li t6, \cause
  bne s10, t6, fail
  li t6, \tval
  bne s11, t6, fail
  la t6, 8b
  bne s9, t6, fail
.endm

/* clang-format on */
#endif
#endif
