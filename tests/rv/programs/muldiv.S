/* Products, quotients and remainders at their corners. */
#include "rvtest.h"
  RV_BEGIN
  CHECK_RR 1, mul, 42, 6, 7
  CHECK_RR 2, mul, 0, 0x80000000, 2
  CHECK_RR 3, mul, 1, 0xffffffff, 0xffffffff
  CHECK_RR 4, mul, 0x242d2080, 0x12345678, 0x9abcdef0
  CHECK_RR 5, mulh, 0xf8cc93d6, 0x12345678, 0x9abcdef0
  CHECK_RR 6, mulhsu, 0x0b00ea4e, 0x12345678, 0x9abcdef0
  CHECK_RR 7, mulhu, 0x0b00ea4e, 0x12345678, 0x9abcdef0
  CHECK_RR 8, mulh, 0, 0xffffffff, 0xffffffff
  CHECK_RR 9, mulhsu, 0xffffffff, 0xffffffff, 0xffffffff
  CHECK_RR 10, mulhu, 0xfffffffe, 0xffffffff, 0xffffffff
  CHECK_RR 11, mulh, 0x40000000, 0x80000000, 0x80000000
  CHECK_RR 12, mulhsu, 0xc0000000, 0x80000000, 0x80000000
  CHECK_RR 13, mulhu, 0x40000000, 0x80000000, 0x80000000
  CHECK_RR 14, mulh, 0xc0000000, 0x80000000, 0x7fffffff
  CHECK_RR 15, mulhsu, 0x7ffffffe, 0x7fffffff, 0xffffffff
  CHECK_RR 16, mulhsu, 0xffffffff, 0xffffffff, 1
  CHECK_RR 17, mulh, 0xffffffff, 1, 0xffffffff
  CHECK_RR 18, mulhu, 0, 1, 0xffffffff

  CHECK_RR 30, div, 3, 20, 6
  CHECK_RR 31, div, -3, -20, 6
  CHECK_RR 32, div, -3, 20, -6
  CHECK_RR 33, div, 3, -20, -6
  CHECK_RR 34, rem, 2, 20, 6
  CHECK_RR 35, rem, -2, -20, 6
  CHECK_RR 36, rem, 2, 20, -6
  CHECK_RR 37, rem, -2, -20, -6
  CHECK_RR 38, divu, 3, 20, 6
  CHECK_RR 39, remu, 2, 20, 6
  CHECK_RR 40, divu, 0x2aaaaaa7, -20, 6
  CHECK_RR 41, remu, 2, -20, 6
  CHECK_RR 42, div, -1, 5, 0
  CHECK_RR 43, div, -1, -5, 0
  CHECK_RR 44, div, -1, 0, 0
  CHECK_RR 45, divu, -1, 5, 0
  CHECK_RR 46, divu, -1, 0x80000000, 0
  CHECK_RR 47, rem, 5, 5, 0
  CHECK_RR 48, rem, -5, -5, 0
  CHECK_RR 49, remu, 0x80000000, 0x80000000, 0
  CHECK_RR 50, div, 0x80000000, 0x80000000, -1
  CHECK_RR 51, rem, 0, 0x80000000, -1
  CHECK_RR 52, divu, 0, 0x80000000, -1
  CHECK_RR 53, remu, 0x80000000, 0x80000000, -1
  CHECK_RR 54, div, 0x80000000, 0x80000000, 1
  CHECK_RR 55, div, 0, 0x7fffffff, 0x80000000
  CHECK_RR 56, rem, 0x7fffffff, 0x7fffffff, 0x80000000
  CHECK_RR 57, div, 1, 0x80000000, 0x80000000
  CHECK_RR 58, divu, 1, 0xffffffff, 0xffffffff
  CHECK_RR 59, divu, 0xffffffff, 0xffffffff, 1
  CHECK_RR 60, remu, 0x7fffffff, 0xffffffff, 0x80000000

  /* Back to back, with operands from the result before, and into a branch. */
  li a0, 3
  mul a0, a0, a0
  mul a0, a0, a0
  div a1, a0, a0
  rem a2, a0, a1
  add a0, a0, a1
  add a0, a0, a2
  CHECK 70, a0, 82
  li a1, 6
  li a2, 7
  mul a0, a1, a2
  li a3, 42
  li gp, 71
  bne a0, a3, fail
  divu a0, a3, a2
  bne a0, a1, fail
  RV_END
