/*
 * Which instructions simulated processors execute, for the coverage of the firmware. Only in builds
 * with -Dcoverage=c, where rv.c is compiled with STP_RV_COVERAGE; with STEEPLE_FIRMWARE_COVERAGE
 * unset nothing is written. One set per process: instances of stp_rv_t that run side by side share
 * it. Not for several threads.
 */
#ifndef STP_RV_REACHED_H
#define STP_RV_REACHED_H

#include <stdint.h>

/* The instruction at pc is executed. */
void stp_rv_reached(uint32_t pc, uint32_t insn);

/* Write the set as lines "pc insn", hexadecimal, to a file of the folder that
 * STEEPLE_FIRMWARE_COVERAGE names, and empty it: before another program is simulated, and when the
 * process ends. Equal sets have one file. */
void stp_rv_reached_write(void);

#endif
