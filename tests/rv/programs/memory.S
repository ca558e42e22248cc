/* Loads and stores of all sizes, signs and alignments; loads that feed what follows; code that is written. */
#include "rvtest.h"
  RV_BEGIN
  la s0, data
  lw a0, 0(s0)
  CHECK 1, a0, 0x8281f07f
  lb a0, 0(s0)
  CHECK 2, a0, 0x7f
  lb a0, 1(s0)
  CHECK 3, a0, 0xfffffff0
  lb a0, 2(s0)
  CHECK 4, a0, 0xffffff81
  lb a0, 3(s0)
  CHECK 5, a0, 0xffffff82
  lbu a0, 0(s0)
  CHECK 6, a0, 0x7f
  lbu a0, 1(s0)
  CHECK 7, a0, 0xf0
  lbu a0, 3(s0)
  CHECK 8, a0, 0x82
  lh a0, 0(s0)
  CHECK 9, a0, 0xfffff07f
  lh a0, 2(s0)
  CHECK 10, a0, 0xffff8281
  lhu a0, 0(s0)
  CHECK 11, a0, 0xf07f
  lhu a0, 2(s0)
  CHECK 12, a0, 0x8281
  lh a0, 4(s0)
  CHECK 13, a0, 0x1234

  /* Stores touch their own bytes only. */
  la s1, scratch
  li a1, 0xaabbccdd
  sw a1, 0(s1)
  li a2, 0x11223344
  sb a2, 1(s1)
  lw a0, 0(s1)
  CHECK 20, a0, 0xaabb44dd
  sb a2, 3(s1)
  lw a0, 0(s1)
  CHECK 21, a0, 0x44bb44dd
  sb a2, 0(s1)
  sb a2, 2(s1)
  lw a0, 0(s1)
  CHECK 22, a0, 0x44444444
  sh a1, 2(s1)
  lw a0, 0(s1)
  CHECK 23, a0, 0xccdd4444
  sh a1, 0(s1)
  lw a0, 0(s1)
  CHECK 24, a0, 0xccddccdd
  lw a0, 4(s1)
  CHECK 25, a0, 0x55555555

  /* Negative offsets, and the ends of memory. */
  addi s2, s1, 2044
  sw a2, -2044(s2)
  lw a0, -2044(s2)
  CHECK 26, a0, 0x11223344
  li s2, 0x10000
  sw a1, -4(s2)
  lw a0, -4(s2)
  CHECK 27, a0, 0xaabbccdd
  sb a2, -1(s2)
  lb a0, -1(s2)
  CHECK 28, a0, 0x44
  lw a0, 0(x0)
  la a1, _start
  lw a1, 0(a1)
  sub a0, a0, a1
  CHECK 29, a0, 0

  /* The result of a load as an operand of the next instruction, and as its address and its data. */
  la s3, chain
  lw s3, 0(s3)
  lw s3, 0(s3)
  lw a0, 0(s3)
  addi a0, a0, 1
  CHECK 30, a0, 0x1235
  lw a1, 0(s0)
  sw a1, 8(s1)
  lw a0, 8(s1)
  CHECK 31, a0, 0x8281f07f
  lb a1, 1(s0)
  sw a1, 8(s1)
  lw a0, 8(s1)
  add a0, a0, a0
  CHECK 32, a0, 0xffffffe0
  lw a1, 4(s0)
  lw a1, 0(s0)
  mv a0, a1
  CHECK 33, a0, 0x8281f07f
  lw a1, 0(s0)
  li a1, 3
  mv a0, a1
  CHECK 34, a0, 3
  lw a1, 4(s0)
  mul a0, a1, a1
  CHECK 35, a0, 0x014b5a90
  lw a1, 4(s0)
  divu a0, a1, a1
  CHECK 36, a0, 1

  /* A copy loop. */
  la a1, data
  la a2, copy
  li a3, 4
1:
  lw a4, 0(a1)
  sw a4, 0(a2)
  addi a1, a1, 4
  addi a2, a2, 4
  addi a3, a3, -1
  bnez a3, 1b
  la a2, copy
  lw a0, 0(a2)
  lw a1, 4(a2)
  add a0, a0, a1
  lw a1, 8(a2)
  add a0, a0, a1
  lw a1, 12(a2)
  add a0, a0, a1
  CHECK 37, a0, 0x8282029b

  /* Code that is written and then run. */
  la a1, patch
  li a2, 0x00700513 /* li a0, 7 */
  sw a2, 0(a1)
  fence.i
  call patch
  CHECK 50, a0, 7
  la a1, patch
  li a2, 0x00800513 /* li a0, 8 */
  sw a2, 0(a1)
  fence.i
  call patch
  CHECK 51, a0, 8
  fence
  fence rw, w
  RV_END

  .balign 4
patch:
  unimp
  ret

  .data
  .balign 4
data:
  .word 0x8281f07f, 0x00001234, 8, 0xfffffff0 - 0x10
chain:
  .word chain2
chain2:
  .word data + 4
scratch:
  .word 0, 0x55555555, 0, 0
copy:
  .word 0, 0, 0, 0
