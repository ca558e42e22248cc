/* Register and immediate arithmetic, shifts, comparisons, LUI and AUIPC, x0. */
#include "rvtest.h"
  RV_BEGIN
  CHECK_RR 1, add, 0, 0, 0
  CHECK_RR 2, add, 0x80000000, 0x7fffffff, 1
  CHECK_RR 3, add, 0, 0xffffffff, 1
  CHECK_RR 4, sub, 0xffffffff, 0, 1
  CHECK_RR 5, sub, 0x7fffffff, 0x80000000, 1
  CHECK_RR 6, and, 0x00f000f0, 0x0ff00ff0, 0xf0f0f0f0
  CHECK_RR 7, or, 0xfff0fff0, 0x0ff00ff0, 0xf0f0f0f0
  CHECK_RR 8, xor, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0
  CHECK_RR 9, sll, 0x80000000, 1, 31
  CHECK_RR 10, sll, 0x42, 0x21, 0xffffffe1
  CHECK_RR 11, sll, 0x12345678, 0x12345678, 32
  CHECK_RR 12, srl, 1, 0x80000000, 31
  CHECK_RR 13, srl, 0x7fffffff, 0xffffffff, 1
  CHECK_RR 14, sra, 0xffffffff, 0x80000000, 31
  CHECK_RR 15, sra, 0xc0000000, 0x80000000, 1
  CHECK_RR 16, sra, 0x3fffffff, 0x7fffffff, 0x21
  CHECK_RR 17, slt, 1, 0x80000000, 0x7fffffff
  CHECK_RR 18, slt, 0, 0x7fffffff, 0x80000000
  CHECK_RR 19, slt, 0, 5, 5
  CHECK_RR 20, slt, 1, 0xffffffff, 0
  CHECK_RR 21, sltu, 0, 0x80000000, 0x7fffffff
  CHECK_RR 22, sltu, 1, 0x7fffffff, 0x80000000
  CHECK_RR 23, sltu, 0, 0xffffffff, 0
  CHECK_RR 24, sltu, 0, 9, 9
  CHECK_RI 30, addi, 0xfffff800, 0, -2048
  CHECK_RI 31, addi, 0x800007fe, 0x7fffffff, 2047
  CHECK_RI 32, andi, 0xfffff800, 0xffffffff, -2048
  CHECK_RI 33, andi, 0x0f0, 0x0ff00ff0, 0x0f0
  CHECK_RI 34, ori, 0xffffff0f, 0, -241
  CHECK_RI 35, xori, 0xedcba987, 0x12345678, -1
  CHECK_RI 36, slti, 1, 0x80000000, -1
  CHECK_RI 37, slti, 0, 0, -1
  CHECK_RI 38, sltiu, 1, 0, -1
  CHECK_RI 39, sltiu, 1, 0, 1
  CHECK_RI 40, sltiu, 0, 0xffffffff, -1
  CHECK_RI 41, slli, 0x80000000, 0xffffffff, 31
  CHECK_RI 42, slli, 0x12345678, 0x12345678, 0
  CHECK_RI 43, srli, 0x00001234, 0x12345678, 16
  CHECK_RI 44, srai, 0xffff8765, 0x87654321, 16
  CHECK_RI 45, srai, 0x00001234, 0x12345678, 16

  lui a0, 0xfffff
  CHECK 50, a0, 0xfffff000
  lui a0, 0
  CHECK 51, a0, 0
1:
  auipc a0, 0
  la a1, 1b
  sub a0, a0, a1
  CHECK 52, a0, 0
2:
  auipc a0, 0xfffff
  la a1, 2b
  sub a0, a0, a1
  CHECK 53, a0, 0xfffff000

  /* x0 stays zero, also as a bypassed result. */
  li a0, 77
  add x0, a0, a0
  add a1, x0, x0
  CHECK 60, a1, 0
  lui x0, 0x12345
  mv a1, x0
  CHECK 61, a1, 0
  la a2, word
  lw x0, 0(a2)
  mv a1, x0
  CHECK 62, a1, 0
  mul x0, a0, a0
  mv a1, x0
  CHECK 63, a1, 0

  /* Chains where each instruction needs the one before. */
  li a0, 1
  add a0, a0, a0
  add a0, a0, a0
  add a0, a0, a0
  sub a1, a0, a0
  add a1, a1, a0
  CHECK 70, a1, 8
  RV_END
  .data
word:
  .word 0xdeadbeef
