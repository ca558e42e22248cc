/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a unit's program: instructions are appended, labels and loop ends are filled in when
 * they are known.
 *
 *   stp_asm_t a;
 *   stp_asm_init(&a, STP_UNIT_LX_LU0);
 *   int loop = stp_asm_loop(&a, 0, 16);             // 16 times
 *   stp_asm_op(&a, STP_OP_LD, 4, 4, 0, 1, 128);     //   ld r4, r4, 128, 1
 *   stp_asm_loop_end(&a, loop);
 *   stp_asm_op(&a, STP_OP_HALT, 0, 0, 0, 0, 0);
 *   if (stp_asm_finish(&a)) puts(stp_asm_error(&a));
 *   ... a.words, a.count ...
 *   stp_asm_free(&a);
 *
 * The first error sticks and makes finish fail; appending after it is harmless.
 */
#ifndef STP_JOB_ASM_H
#define STP_JOB_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stp_arch.h"
#include "stp_isa.h"

typedef struct stp_asm_line {
  uint32_t pc, line, col;
} stp_asm_line_t;

typedef struct stp_asm {
  unsigned unit, kind; /* STP_UNIT_, STP_KIND_ */
  uint64_t words[STP_PROG_WORDS];
  uint32_t count;
  uint32_t last_loop_end; /* pc of the last instruction of the loop that was closed last, plus 1; 0:
                             none */
  int depth;              /* open hardware loops */
  uint32_t line, col;     /* the KTIR place of what is appended next; 0: none */
  uint32_t num_lines;
  stp_asm_line_t lines[STP_PROG_WORDS]; /* where the place changes, ascending pc */
  int num_labels;
  int32_t labels[256]; /* pc, or -1 while not bound */
  int num_fixups;
  struct {
    uint16_t pc, label;
  } fixups[512];
  char error[128]; /* "" while all is well */
} stp_asm_t;

void stp_asm_init(stp_asm_t *a, unsigned unit);
unsigned stp_unit_kind(unsigned unit); /* STP_KIND_ of STP_UNIT_ */

/* Append an instruction; checks that the unit has it and that the fields hold their values. Returns
 * its pc. */
uint32_t stp_asm_op(stp_asm_t *a, unsigned op, unsigned rd, unsigned ra, unsigned rb, unsigned aux,
                    int64_t imm);
/* rd := value, in one or two instructions. */
void stp_asm_li(stp_asm_t *a, unsigned rd, int64_t value);
/* wait or post (op) of token `index` with the unit `peer`. */
void stp_asm_token(stp_asm_t *a, unsigned op, unsigned peer, unsigned index);
/* An SFU instruction: fields as arch/isa.toml lays them out in aux and imm. */
void stp_asm_sfu(stp_asm_t *a, unsigned op, unsigned fmt, unsigned vd, unsigned va, unsigned vb,
                 unsigned vc, unsigned function, unsigned src_fmt, bool tee, unsigned ra,
                 unsigned rb);

/* Labels: make one, bind it to the next instruction, branch to it (op: STP_OP_JMP, STP_OP_BEQ,
 * ...). */
int stp_asm_label(stp_asm_t *a);
void stp_asm_bind(stp_asm_t *a, int label);
void stp_asm_branch(stp_asm_t *a, unsigned op, unsigned ra, unsigned rb, int label);

/* A hardware loop of (value of ra) + count trips, count < 2^19; returns a handle for the matching
   end. A body that would be empty, or would end with an inner loop's last instruction or a label,
   gets a nop.
 */
int stp_asm_loop(stp_asm_t *a, unsigned ra, int64_t count);
void stp_asm_loop_end(stp_asm_t *a, int loop);

/* The KTIR place of what follows. */
void stp_asm_at(stp_asm_t *a, uint32_t line, uint32_t col);

/* Resolve labels. 0, or -1: see the error. */
int stp_asm_finish(stp_asm_t *a);
const char *stp_asm_error(const stp_asm_t *a);

/*
 * One instruction as assembly text, for a unit of the kind (cfg fields have different names).
 * Always gives a text
 * (".word 0x..." for what is no instruction of the kind), terminated if n > 0. Returns its length
 * without truncation.
 */
int stp_disasm(uint64_t word, unsigned kind, char *buf, size_t n);

#endif
