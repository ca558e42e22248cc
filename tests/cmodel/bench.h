/* A core with plain memory, and words of unit programs written by hand: for the tests in this
 * folder. */
#ifndef BENCH_H
#define BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core.h"
#include "numerics.h"
#include "stp_arch.h"
#include "stp_isa.h"

#define MEM_BYTES (1u << 22)

/* Device memory from address 0; past its end is a bus error. bad is an address whose stick fails,
 * if not 0. */
typedef struct bench {
  uint8_t *mem;
  uint64_t bad;
  stp_core_t *core;
  unsigned at[STP_UNITS]; /* next instruction of each program */
  uint32_t used;          /* units that have a program */
  uint64_t word[STP_UNITS][STP_PROG_WORDS];
  uint64_t arg[STP_UNITS][STP_ARGS];
} bench_t;

bench_t *bench_open(void);
void bench_close(bench_t *b);
/* Appends a word to a unit's program; returns its pc. */
unsigned emit(bench_t *b, unsigned unit, uint64_t word);
/* Loads all programs and clears the core; the words stay. */
void bench_load(bench_t *b);
void bench_arg(bench_t *b, unsigned unit, unsigned number, uint64_t value);
/* Loads, starts every unit with a program, and runs to the end. Then the programs are empty again.
 */
stp_core_state_t bench_run(bench_t *b);
/* A word of the status stick. */
uint64_t stat(const bench_t *b, unsigned unit, unsigned word);
/* Fails unless the unit trapped so. */
void expect_trap(const bench_t *b, unsigned unit, unsigned cause, unsigned pc, uint64_t addr);
/* Random numbers (xorshift). */
uint64_t rnd(uint64_t *state);

/* An instruction from its fields. */
static inline uint64_t insn(unsigned op, unsigned rd, unsigned ra, unsigned rb, unsigned aux,
                            int64_t imm) {
  return (uint64_t)op << 56 | (uint64_t)rd << 51 | (uint64_t)ra << 46 | (uint64_t)rb << 41 |
         (uint64_t)aux << 32 | (uint32_t)imm;
}
static inline uint64_t halt(void) {
  return insn(STP_OP_HALT, 0, 0, 0, 0, 0);
}
/* rd := value, for values of 32 bits with sign. */
static inline uint64_t li(unsigned rd, int64_t value) {
  return insn(STP_OP_ADDI, rd, 0, 0, 0, value);
}
static inline uint64_t cfg(unsigned field, int64_t value) {
  return insn(STP_OP_CFG, 0, 0, 0, field, value);
}
static inline uint64_t post_to(unsigned peer, unsigned index) {
  return insn(STP_OP_POST, 0, 0, 0, peer * 4 + index, 0);
}
static inline uint64_t wait_from(unsigned peer, unsigned index) {
  return insn(STP_OP_WAIT, 0, 0, 0, peer * 4 + index, 0);
}
/* loop count + ra times over the instructions up to end. */
static inline uint64_t loop_to(unsigned ra, int64_t count, unsigned end) {
  return insn(STP_OP_LOOP, 0, ra, 0, 0, (int64_t)((uint64_t)count << 12 | end));
}
/* An SFU instruction. */
static inline uint64_t sfu(unsigned op, unsigned format, unsigned vd, unsigned va, unsigned vb,
                           unsigned vc) {
  return insn(op, 0, 0, 0, 0, (int64_t)(format << 24 | vc << 18 | vb << 12 | va << 6 | vd));
}
/* The same with function and source format. */
static inline uint64_t sfu_fn(uint64_t word, unsigned function, unsigned source) {
  return word | (uint64_t)(function << 1 | source << 5) << 32;
}

#endif
