/* SPDX-License-Identifier: Apache-2.0 */
/* Making a pass's code, value by value: what vbody.c (flat passes) and vrow.c (row passes) share.
 */
#ifndef STP_SCHED_VGEN_H
#define STP_SCHED_VGEN_H

#include "vbody.h"

#define STP_VGEN_UNITS 64
#define STP_VGEN_ROWS 16

/*
 * Code is made for a chunk of granules of `rows` rows at a time, from `row` of the group on. A unit
 * is what an instruction works on, a stick of 32 lanes or a granule, of one row; units are numbered
 * by granule, then row, then half.
 */
typedef struct stp_vgen {
  stp_vbody_t *v;
  const stp_pass_t *pass;
  unsigned absent;
  bool failed;
  int fence; /* code after this number of parts stays behind them */
  int group; /* rows of the group */
  int row, rows;
  int per;       /* units of a granule */
  int64_t first; /* the chunk's first granule */
  int granules;  /* of the chunk */
  bool out;      /* the pass's result goes to OUT in this round, if it is a leaf or computed */
  bool exec[STP_PASS_NODES];                   /* ops computed in this round */
  bool load[STP_PASS_NODES];                   /* ops whose values are read back in this round */
  bool keep[STP_PASS_NODES];                   /* ops whose values are spilled in this round */
  bool sum[STP_PASS_NODES];                    /* reductions that take values in this round */
  int source[STP_PASS_NODES];                  /* of reductions: the node whose values they take */
  int spill[STP_PASS_NODES];                   /* number of an op's spilled values, or -1 */
  bool same[STP_PASS_NODES];                   /* the same in every row */
  int16_t val[STP_PASS_NODES][STP_VGEN_UNITS]; /* virtual register of a value, -1: not there */
  int16_t acc[STP_PASS_NODES][STP_VGEN_ROWS];
  stp_vinst_t scrap; /* takes what exceeds the code */
} stp_vgen_t;

void stp_vgen_init(stp_vgen_t *g, stp_vbody_t *v, const stp_pass_t *pass, unsigned absent);

bool stp_vgen_is_pair(const stp_vgen_t *g, const stp_node_t *n);
unsigned stp_vgen_format(const stp_vgen_t *g, const stp_node_t *n);
int16_t stp_vgen_reg(stp_vgen_t *g, bool pair);
stp_vinst_t *stp_vgen_add(stp_vgen_t *g, unsigned op, unsigned fmt, int16_t dst, int num_srcs);
stp_vsrc_t stp_vgen_from_reg(int16_t reg, bool high);
stp_vsrc_t stp_vgen_from_bits(uint32_t bits);

/* Where a node's value for a unit is kept: values of a row, and those that all rows have in common,
 * are kept once. */
int stp_vgen_place(const stp_vgen_t *g, int node, int unit);
/* An operand: the node's value for a unit. */
stp_vsrc_t stp_vgen_value(stp_vgen_t *g, int node, int unit);
/* A value of a row: bring a splat into a register, compute it, send it to OUT. `unit` is the row.
 */
void stp_vgen_fetch(stp_vgen_t *g, int node, int unit);
void stp_vgen_compute(stp_vgen_t *g, int node, int unit);
void stp_vgen_send(stp_vgen_t *g, int node, int unit);
/* The code of a node that is no value of a row, for units from `first` up to `end` of the chunk.
 * Its runs are noted at the first unit, for the whole chunk. */
void stp_vgen_node(stp_vgen_t *g, int node, int first, int end);
/* If what is computed next takes the node's sticks from their FIFO: note the chunk's run. */
void stp_vgen_note_direct(stp_vgen_t *g, int node);
/* Sticks of the kind come next, or go next. */
void stp_vgen_run(stp_vgen_t *g, stp_run_kind_t kind, int index, int64_t count, int rows);
void stp_vgen_give(stp_vgen_t *g, stp_run_kind_t kind, int index, int64_t count, int rows);
/* The code since the last part is one: append it to the one before if both are done once. */
void stp_vgen_part(stp_vgen_t *g, int64_t times, int64_t step);

#endif
