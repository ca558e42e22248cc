/* Control registers: every operation, what each holds, counters, and what is refused. */
#include "rvtest.h"

/* Check n: all ones and then zero written to a register read back as given. */
.macro HOLDS n, csr, ones, zero
  li a1, -1
  csrw \csr, a1
  csrr a0, \csr
  CHECK \n, a0, \ones
  csrw \csr, x0
  csrr a0, \csr
  CHECK \n, a0, \zero
.endm

  RV_BEGIN
  /* The six operations. */
  li a1, 0x12345678
  csrrw a0, mscratch, a1
  csrrw a0, mscratch, x0
  CHECK 1, a0, 0x12345678
  csrrs a0, mscratch, a1
  CHECK 2, a0, 0
  li a2, 0x0000ffff
  csrrc a0, mscratch, a2
  CHECK 3, a0, 0x12345678
  csrrwi a0, mscratch, 0x15
  CHECK 4, a0, 0x12340000
  csrrsi a0, mscratch, 0x0a
  CHECK 5, a0, 0x15
  csrrci a0, mscratch, 0x03
  CHECK 6, a0, 0x1f
  csrr a0, mscratch
  CHECK 7, a0, 0x1c
  /* Destination and source in one register. */
  li a0, 0x77
  csrrw a0, mscratch, a0
  CHECK 8, a0, 0x1c
  csrrs a0, mscratch, a0
  CHECK 9, a0, 0x77
  csrr a0, mscratch
  CHECK 10, a0, 0x7f
  /* A value that is still in the pipeline. */
  la a2, word
  lw a1, 0(a2)
  csrw mscratch, a1
  csrr a1, mscratch
  addi a1, a1, 1
  CHECK 11, a1, 0xcafef00e

  /* What the registers hold. */
  csrr s0, mtvec
  HOLDS 20, mtvec, 0xfffffffd, 0
  csrw mtvec, s0
  HOLDS 21, mepc, 0xfffffffc, 0
  HOLDS 22, mcause, 0x8000001f, 0
  HOLDS 23, mtval, 0xffffffff, 0
  HOLDS 24, mie, 0x888, 0
  HOLDS 25, mip, 0, 0
  HOLDS 26, misa, 0x40001100, 0x40001100
  HOLDS 27, 0x310, 0, 0 /* mstatush */
  HOLDS 28, mhpmcounter3, 0, 0
  HOLDS 29, mhpmcounter31h, 0, 0
  HOLDS 30, mhpmevent3, 0, 0
  csrr a0, mstatus
  CHECK 31, a0, 0x1800
  li a1, ~8
  csrw mstatus, a1
  csrr a0, mstatus
  CHECK 32, a0, 0x1880
  li a1, -1
  csrw mstatus, a1
  csrr a0, mstatus
  CHECK 33, a0, 0x1888
  csrw mstatus, x0
  csrr a0, mhartid
  CHECK 34, a0, 0
  csrr a0, mvendorid
  CHECK 35, a0, 0
  csrr a0, marchid
  CHECK 36, a0, 0
  csrr a0, mimpid
  CHECK 37, a0, 0
  csrr a0, 0xf15 /* mconfigptr */
  CHECK 38, a0, 0

  /* minstret counts what completes; a write to it does not count itself. */
  csrr a0, minstret
  csrr a1, minstret
  sub a0, a1, a0
  CHECK 40, a0, 1
  csrw minstret, x0
  csrr a0, minstret
  CHECK 41, a0, 0
  csrw minstret, x0
  nop
  lw a1, 0(a2)
  mul a1, a1, a1
  csrr a0, minstret
  CHECK 42, a0, 3
  li a1, -2
  csrw minstreth, x0
  csrw minstret, a1
  nop
  nop
  csrr a0, minstret
  CHECK 43, a0, 0
  csrr a0, minstreth
  CHECK 44, a0, 1
  csrr a0, instreth
  CHECK 45, a0, 1
  csrw minstret, x0
  csrw minstreth, x0
  csrr a0, instret
  CHECK 46, a0, 0
  /* An instruction that traps is not counted; the seven of the handler are. */
  la s8, 1f
  csrw minstret, x0
  ecall
1:
  csrr a0, minstret
  CHECK 47, a0, 7

  /* mcycle runs, stops when told to, and can be set. */
  csrr a0, mcycle
  nop
  csrr a1, mcycle
  sltu a0, a0, a1
  CHECK 50, a0, 1
  csrwi mcountinhibit, 5
  csrr a0, mcycle
  csrr a1, minstret
  nop
  nop
  csrr a2, mcycle
  csrr a3, minstret
  sub a2, a2, a0
  CHECK 51, a2, 0
  sub a3, a3, a1
  CHECK 52, a3, 0
  li a1, 0x12345678
  csrw mcycle, a1
  csrw mcycleh, a1
  csrr a0, cycle
  CHECK 53, a0, 0x12345678
  csrr a0, cycleh
  CHECK 54, a0, 0x12345678
  HOLDS 55, mcountinhibit, 5, 0

  /* Registers that are not there, and writes to those that are read-only. A trap leaves the destination alone. */
  li a0, 0x55
  EXPECT_TRAP 60, EXC_ILLEGAL, 0x00002573, csrr a0, 0x000
  EXPECT_TRAP 61, EXC_ILLEGAL, 0xc0102573, csrr a0, time
  EXPECT_TRAP 62, EXC_ILLEGAL, 0x30302573, csrr a0, mideleg
  EXPECT_TRAP 63, EXC_ILLEGAL, 0x10002573, csrr a0, sstatus
  EXPECT_TRAP 64, EXC_ILLEGAL, 0xb0102573, csrr a0, 0xb01
  EXPECT_TRAP 65, EXC_ILLEGAL, 0x32102573, csrr a0, 0x321
  EXPECT_TRAP 66, EXC_ILLEGAL, 0xf1459573, csrrw a0, mhartid, a1
  EXPECT_TRAP 67, EXC_ILLEGAL, 0xf145a573, csrrs a0, mhartid, a1
  EXPECT_TRAP 68, EXC_ILLEGAL, 0xf140f573, csrrci a0, mhartid, 1
  EXPECT_TRAP 69, EXC_ILLEGAL, 0xf1401573, csrrw a0, mhartid, x0
  EXPECT_TRAP 70, EXC_ILLEGAL, 0xc0005073, csrwi cycle, 0
  EXPECT_TRAP 71, EXC_ILLEGAL, 0x7b002573, csrr a0, dcsr
  EXPECT_TRAP 72, EXC_ILLEGAL, 0x3a002573, csrr a0, pmpcfg0
  CHECK 73, a0, 0x55
  /* A source of x0 or 0 does not write. */
  csrrs a0, mhartid, x0
  CHECK 74, a0, 0
  csrrci a0, mhartid, 0
  CHECK 75, a0, 0
  RV_END
  .data
  .balign 4
word:
  .word 0xcafef00d
