/* Loads and stores on the bus: sizes, lanes, side effects. */
#include "rvtest.h"
  RV_BEGIN
  /* Results that are needed at once. */
  li s4, DEV
  li a1, 0x89abcdef
  sw a1, DEV_SCRATCH(s4)
  lw a0, DEV_SCRATCH(s4)
  addi a0, a0, 1
  CHECK 40, a0, 0x89abcdf0
  lb a0, DEV_SCRATCH+1(s4)
  CHECK 41, a0, 0xffffffcd
  lhu a0, DEV_SCRATCH+2(s4)
  CHECK 42, a0, 0x89ab
  lh a0, DEV_SCRATCH+2(s4)
  CHECK 43, a0, 0xffff89ab
  lbu a0, DEV_SCRATCH+3(s4)
  CHECK 44, a0, 0x89
  li a1, 0x77665544
  sb a1, DEV_SCRATCH+2(s4)
  lw a0, DEV_SCRATCH(s4)
  CHECK 45, a0, 0x8944cdef
  sh a1, DEV_SCRATCH(s4)
  lw a0, DEV_SCRATCH(s4)
  CHECK 46, a0, 0x89445544
  /* Reads with side effects happen once. */
  lw a0, DEV_COUNT(s4)
  lw a1, DEV_COUNT(s4)
  lw x0, DEV_COUNT(s4)
  lw a2, DEV_COUNT(s4)
  sub a1, a1, a0
  CHECK 47, a1, 1
  sub a2, a2, a0
  CHECK 48, a2, 3
  RV_END
