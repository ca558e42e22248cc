/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a unit's program: scalar values in registers, descriptor fields, tokens, the walk over
 * the plan.
 *
 * A program is emitted twice. The first round finds out which descriptor fields are the same
 * throughout (they are then set once, at the start), and which loop variables and rings the unit
 * needs; the second round is kept.
 */
#ifndef STP_SCHED_EMIT_H
#define STP_SCHED_EMIT_H

#include "../job/asm.h"
#include "plan.h"

/* What the first round learns. */
typedef struct stp_emit_facts {
  bool sym_used[STP_PLAN_SYMS];
  bool carry_done[STP_PLAN_SYMS];
  bool field_set[16], field_varies[16];
  int64_t field_value[16];
} stp_emit_facts_t;

typedef struct stp_emit {
  stp_plan_t *plan;
  stp_asm_t *as;
  unsigned unit, kind;
  int corelet;     /* 0 for MNI units */
  bool dry;        /* first round */
  bool steps_only; /* loops count as work for their steps alone, not for scalars */
  stp_emit_facts_t *facts;
  bool failed;

  struct {
    enum { STP_REG_FREE, STP_REG_PINNED, STP_REG_CACHED } state;
    bool busy; /* an operand of the instruction being emitted */
    int depth; /* loop nesting at which a cached value was computed */
    unsigned age;
    stp_lin_t lin; /* the value of a cached register */
  } regs[STP_REGS];
  unsigned clock;
  bool feeding;               /* code that computes what a loop carries */
  int depth;                  /* loops around the code being emitted */
  int sym_reg[STP_PLAN_SYMS]; /* pinned register of a symbol, or 0 */
  int tile_reg;               /* flat tile number, or 0 */

  struct {
    bool known;
    int64_t value;
  } fields[16]; /* descriptor fields as last set in this stretch of code */

  /* Which iteration of each loop the code being emitted is for; neither: one in the middle. */
  bool first[STP_PLAN_LOOPS], last[STP_PLAN_LOOPS];

  bool masks; /* SFU: passes make their masks themselves */

  /* PT: the bank for the next weights, the half for the next product, the half of each product. */
  unsigned bank, half;
  unsigned matmul_half[STP_PLAN_MATMULS];
} stp_emit_t;

/* A register that holds the form's value, until stp_emit_done. r0 for 0. */
unsigned stp_emit_reg(stp_emit_t *e, const stp_lin_t *lin);
/* A fresh register for code that changes it; give it back with stp_emit_free. */
unsigned stp_emit_alloc(stp_emit_t *e);
void stp_emit_free(stp_emit_t *e, unsigned reg);
/* The instruction is complete: its operand registers may be reused. */
void stp_emit_done(stp_emit_t *e);
/* What registers hold is gone: what an execution of the block changes; what is computed from a
 * symbol; what was computed in loops deeper than this. */
void stp_emit_forget(stp_emit_t *e, const stp_block_t *block);
void stp_emit_forget_sym(stp_emit_t *e, int sym);
void stp_emit_forget_deeper(stp_emit_t *e);
/* An instruction of register and immediate. */
void stp_emit_imm(stp_emit_t *e, unsigned op, unsigned rd, unsigned ra, int64_t imm);
/* An error: the function needs `what` in this unit's program. */
void stp_emit_fail(stp_emit_t *e, const char *what);

/* Set a descriptor field; nothing if it is known to hold the value. */
void stp_emit_field(stp_emit_t *e, unsigned field, const stp_lin_t *value);
void stp_emit_field_const(stp_emit_t *e, unsigned field, int64_t value);
/* At the program's start: fields that never change. */
void stp_emit_constant_fields(stp_emit_t *e);
/* No field is known from here on. */
void stp_emit_forget_fields(stp_emit_t *e);

/* A hardware loop of `count` > 0 trips around code that changes no symbol; one trip gives straight
 * code. */
int stp_emit_loop(stp_emit_t *e, int64_t count);
void stp_emit_loop_end(stp_emit_t *e, int loop);

/* LX address of a byte of a buffer: `offset` is what it adds. */
stp_lin_t stp_emit_buf_addr(const stp_emit_t *e, const stp_buf_t *buf, int64_t offset);
/* Add to a form a corelet's share: `per_corelet` bytes if it runs on corelet 1. */
void stp_emit_add(stp_emit_t *e, stp_lin_t *lin, const stp_lin_t *other, int64_t scale);

/* What a stream reads in this iteration. */
const stp_buf_t *stp_emit_stream_buf(const stp_emit_t *e, const stp_stream_t *stream);

/* Tokens of a producer: before it writes a buffer, and after. */
void stp_emit_acquire(stp_emit_t *e, const stp_buf_t *buf);
void stp_emit_publish(stp_emit_t *e, const stp_buf_t *buf);
/* A carried buffer's copy in turn changes at every use, on each side. */
void stp_emit_turn_carried(stp_emit_t *e, const stp_buf_t *buf);

/* MNI units: tokens between accesses of the same memory, before and after a step. */
void stp_emit_order_wait(stp_emit_t *e, const stp_step_t *s);
void stp_emit_order_post(stp_emit_t *e, const stp_step_t *s);

/* Does a product start its accumulators in this iteration, and with values from LX? */
bool stp_emit_starts(const stp_emit_t *e, const stp_matmul_t *m);
bool stp_emit_loads_start(const stp_emit_t *e, const stp_matmul_t *m);
/* Each unit's part of a step (not of loops). */
void stp_emit_mni(stp_emit_t *e, const stp_step_t *s);
void stp_emit_lx_lu(stp_emit_t *e, const stp_step_t *s);
void stp_emit_lx_su(stp_emit_t *e, const stp_step_t *s);
void stp_emit_pt(stp_emit_t *e, const stp_step_t *s);
void stp_emit_sfu(stp_emit_t *e, const stp_step_t *s);
/* SFU: registers that hold a value throughout the program; emitted at its start. */
void stp_emit_sfu_prologue(stp_emit_t *e);

/* The program of a unit, into `as`; as->count is 0 if the unit has nothing to do. False after an
 * error. */
bool stp_emit_unit(stp_plan_t *p, unsigned unit, stp_asm_t *as);

#endif
