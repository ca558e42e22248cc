/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The straight-line SFU code of a pass for some granules (64 elements each) of its iteration:
 * instructions on registers, and the order in which they take sticks from LX-LU. Both units'
 * programs come from it, so that they agree.
 */
#ifndef STP_SCHED_VBODY_H
#define STP_SCHED_VBODY_H

#include "plan.h"

#define STP_VBODY_INSTS 960
#define STP_VBODY_RUNS 256

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

/* `count` granules of a stream from `first` on (of the group or the row) come next. */
typedef struct stp_run {
  int stream;
  int64_t first, count;
} stp_run_t;

typedef struct stp_vbody {
  int num_insts, num_regs, num_runs;
  bool overflow; /* too much code */
  bool uses_mask;
  stp_vinst_t insts[STP_VBODY_INSTS];
  bool pair[STP_VBODY_INSTS]; /* by virtual register */
  stp_run_t runs[STP_VBODY_RUNS];
} stp_vbody_t;

/* Elements of a row beyond its last whole granule, which need a mask in reductions; 0: none. */
int stp_pass_tail(const stp_pass_t *pass);
/* Registers that bodies must leave alone: the mask of a pass's tail lies in the last pair. */
#define STP_VBODY_REGS 30
#define STP_VMASK_REG 30

/*
 * Make the code for `granules` granules: a group of them, or in row mode the whole row. Bit i of
 * `absent`: stream i is a carried buffer in the first iteration, its value is the constant of its
 * node. False if it needs more registers or instructions than there are.
 */
bool stp_vbody_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t granules, unsigned absent);

/* Reorder the code, registers still virtual, to wait less. False: it stays as it is. */
bool stp_vbody_schedule(stp_vbody_t *v);

/* Granules per group of a flat or PT pass over `count` granules: as many as the registers allow, at
 * most 8. 0: none. */
int64_t stp_vbody_group(const stp_pass_t *pass, int64_t count);

#endif
