/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults: programs that fault, and how they must end. Private to the test of faults.
 */
#ifndef COSIM_FAULT_TABLE_H
#define COSIM_FAULT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../host/job/asm.h"

/* The place, in a text that does not exist, of the instruction that faults, and of all others. */
#define FAULT_LINE 77
#define FAULT_COL 5

/* The job's only buffer: argument 0. The last stick of it meets a bus error if a case wants one. */
#define BUFFER_BYTES 8192u
#define BAD_STICK (BUFFER_BYTES - STP_STICK_BYTES)

#define NOBODY STP_UNITS

/*
 * For ILLEGAL, the address is that of the word, and not in the table; for BUS and LIMIT it counts
 * from the buffer.
 */
typedef struct fault {
  const char *name;
  unsigned units;              /* runs once with each of these */
  void (*build)(stp_asm_t *a); /* its program */
  uint32_t status, cause;
  uint64_t addr;
  unsigned other; /* another unit with a program, or NOBODY */
  void (*build_other)(stp_asm_t *a);
  bool other_stays; /* the other unit is blocked, or still runs, in the end */
} fault_t;

extern const fault_t cosim_fault_table[];
extern const unsigned cosim_fault_count;

/* For programs: a word that is no more than that, right or wrong; halt; a descriptor field. */
void fault_put(stp_asm_t *a, uint64_t word);
void fault_halt(stp_asm_t *a);
void fault_cfg(stp_asm_t *a, unsigned field, int64_t value);
/* An SFU instruction. */
uint64_t fault_sfu(unsigned op, unsigned format, unsigned vd, unsigned va, unsigned vb);

#endif
