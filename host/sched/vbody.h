/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SFU code of a pass: for some granules (64 elements each) of a flat pass, or for some rows of
 * a row pass. It is a sequence of parts, each of them straight code that is repeated a number of
 * times, on registers and constants; and it says which sticks it takes from LX-LU (runs) and gives
 * to LX-SU (gives). All three units' programs come from it, so that they agree.
 */
#ifndef STP_SCHED_VBODY_H
#define STP_SCHED_VBODY_H

#include "plan.h"

#define STP_VBODY_INSTS 960
#define STP_VBODY_RUNS 256
#define STP_VBODY_PARTS 64

typedef enum {
  STP_VSRC_REG,
  STP_VSRC_X,
  STP_VSRC_P,
  STP_VSRC_SPLAT,
  STP_VSRC_ZERO,
  STP_VSRC_MASK
} stp_vsrc_kind_t;

typedef struct stp_vsrc {
  uint8_t kind;
  uint8_t high;  /* REG: the second stick of a pair */
  int16_t reg;   /* REG: virtual, after allocation the number of the first stick */
  uint32_t bits; /* SPLAT */
} stp_vsrc_t;

typedef struct stp_vinst {
  uint8_t op, fmt, fn, src_fmt, num_srcs;
  bool tee;
  bool updates; /* dst is also a source */
  int16_t dst;  /* register, -1: OUT */
  stp_vsrc_t src[3];
} stp_vinst_t;

/* What a run moves. */
typedef enum {
  STP_RUN_STREAM, /* a stream of the pass, to SFU */
  STP_RUN_SPILL,  /* a value that waits in LX for a later round over the row, either way */
  STP_RUN_OUT     /* the pass's result, from SFU */
} stp_run_kind_t;

/*
 * Sticks that come next: of granules `first` to first + count - 1 (of the group, or the row) in
 * this order, each of them of `rows` rows one after the other, from `row` of the group on. In a
 * part that is repeated, `first` is the first time's. Values that are one element per row: of
 * `rows` rows, count 0.
 */
typedef struct stp_run {
  stp_run_kind_t kind;
  int index; /* of the stream or spill */
  int64_t first, count;
  int row, rows;
  bool sync; /* from LX: it reads what the round before has spilled; to LX: the round's last */
} stp_run_t;

/* Straight code: ends of its instructions, runs and gives, which begin where the part before ended.
 */
typedef struct stp_vpart {
  int64_t times;
  int64_t step; /* granules from one time to the next */
  int insts, runs, gives;
} stp_vpart_t;

typedef struct stp_vbody {
  int num_insts, num_regs, num_runs, num_gives, num_parts;
  bool uses_mask;
  stp_vinst_t insts[STP_VBODY_INSTS];
  bool pair[STP_VBODY_INSTS]; /* by virtual register */
  stp_run_t runs[STP_VBODY_RUNS], gives[STP_VBODY_RUNS];
  stp_vpart_t parts[STP_VBODY_PARTS];
} stp_vbody_t;

/* Elements of a row beyond its last whole granule, which need a mask in reductions; 0: none. */
int stp_pass_tail(const stp_pass_t *pass);
/* Registers that bodies must leave alone: the last holds the mask of a pass's tail, 16 bits a lane.
 */
#define STP_VBODY_REGS 31
#define STP_VMASK_REG 31

/*
 * Make the code for `granules` granules of a flat or PT pass. Bit i of `absent`: stream i is a
 * carried buffer in the first iteration, its value is the constant of its node. False if it needs
 * more registers or instructions than there are.
 */
bool stp_vbody_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t granules, unsigned absent);

/* Granules per group of a flat or PT pass over `count` granules: at most 8, so that a granule takes
 * fewest cycles. 0: none. */
int64_t stp_vbody_group(const stp_pass_t *pass, int64_t count);

/*
 * Row passes. stp_vrow_plan decides how rows are worked, `rows` of them per corelet (pass->row):
 * false if SFU cannot do it. stp_vrow_make makes the code for `rows` rows, at most pass->row.group.
 */
bool stp_vrow_plan(stp_pass_t *pass, int64_t rows);
bool stp_vrow_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t rows, unsigned absent);
/* Does the code need the mask of the pass's tail? */
bool stp_vrow_uses_mask(const stp_pass_t *pass);

/* How code is put in order: looking at `window` instructions at a time (0: not at all) for the one
 * that can issue first, or the one whose result is there first: results are written in order, so a
 * slow instruction holds up quick ones behind it. */
typedef struct stp_vorder {
  int window;
  bool results;
} stp_vorder_t;

/* Order the code to wait less, and give it registers. False if it needs more than there are: then
 * it is as it was. */
bool stp_vbody_finish(stp_vbody_t *v, const stp_vorder_t *by);
/* The order alone, registers still virtual. False if there is no memory. */
bool stp_vbody_schedule(stp_vbody_t *v, const stp_vorder_t *by);
/* Cycles that the code takes if no FIFO makes it wait; registers are allocated. */
int64_t stp_vbody_cycles(const stp_vbody_t *v);

#endif
