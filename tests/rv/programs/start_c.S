/* Start of the programs in C: clears .bss, calls main, and ends with what it returns: 0 if all is right. */
#include "rvtest.h"
  RV_BEGIN
  la a0, _bss_start
  la a1, _bss_end
1:
  bgeu a0, a1, 2f
  sw x0, 0(a0)
  addi a0, a0, 4
  j 1b
2:
  call main
  mv gp, a0
  j fail
