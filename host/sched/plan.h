/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of a kernel: what build.c makes of the IR, layout.c completes, and the emitters turn
 * into unit programs.
 *
 * A plan is a tree of blocks of steps. A step is one of: a load (global memory to an LX buffer), a
 * store, a matrix product (LX buffers to PT accumulators), a pass (LX buffers and PT accumulators
 * through SFU to LX buffers), or a loop over a block. Every unit's program walks the same tree in
 * the same order and emits its own part of each step; so units agree on the order of sticks in
 * FIFOs and of tokens without further thought.
 *
 * Buffers belong to a block, their scope: they are filled and used up once per execution of it. All
 * buffers of a scope form a frame, of which LX holds one or more copies; a unit that touches the
 * frame keeps the offset of the copy in turn in a register (the ring symbol) and switches it at the
 * end of the block. For each producer and consumer of a buffer there is a token "full" and a token
 * "free"; the consumer posts "free" once per copy when its program starts, and the producer takes
 * those back at the end, so that nothing is left over.
 */
#ifndef STP_SCHED_PLAN_H
#define STP_SCHED_PLAN_H

#include "../job/job.h"
#include "../ktir/ir.h"
#include "lin.h"
#include "sched.h"

#define STP_PLAN_SYMS 512
#define STP_PLAN_BUFS 64
#define STP_PLAN_FRAMES 32
#define STP_PLAN_DEPTH 16 /* loops around each other that are looked at */
#define STP_PLAN_ONCE 16
#define STP_PLAN_ORDERS 16
#define STP_PLAN_LOOPS 64
#define STP_PLAN_MATMULS 64
#define STP_PASS_NODES 64
#define STP_PASS_STREAMS 8
#define STP_PASS_OUTS 4
#define STP_PASS_SPILLS 8

typedef struct stp_block stp_block_t;
typedef struct stp_step stp_step_t;
typedef struct stp_loop stp_loop_t;
typedef struct stp_matmul stp_matmul_t;

/* ---- LX ---------------------------------------------------------------------------------- */

typedef struct stp_frame {
  stp_block_t *scope;
  int copies;
  int64_t bytes; /* of one copy */
  int64_t base;  /* LX address */
  int ring;      /* symbol: offset of the copy in turn */
} stp_frame_t;

/* The edge of tokens between a producer and a consumer of a buffer. */
typedef struct stp_edge {
  unsigned from, to;   /* units: producer, consumer */
  unsigned full, free; /* token indices of from -> to and to -> from */
} stp_edge_t;

/*
 * A tile in LX: `rows` rows of `inner` elements, each row padded to whole granules of 64 elements.
 * What a load brings is followed by zeros up to `pitch`, and by rows of zeros up to `alloc_rows`.
 */
typedef struct stp_buf {
  int id;
  const char *name; /* for messages */
  stp_ir_elem_t elem;
  int rank;
  int64_t dims[STP_IR_MAX_RANK];
  int64_t rows, inner, granules, pitch, alloc_rows; /* pitch in bytes */
  stp_frame_t *frame;
  int64_t offset;                  /* in the frame */
  bool once;                       /* loaded once, for all turns */
  bool loaded;                     /* from memory; else SFU's output */
  const struct stp_access *access; /* what is loaded */
  const stp_loop_t *carried;     /* holds a value from one iteration to the next: written but in the
                                    last iteration, read     but in the first */
  bool split;                    /* every producer and consumer works on its own corelet's part */
  const stp_loop_t *result_of;   /* takes the last iteration's value of what this loop carries */
  unsigned producers, consumers; /* masks of units */
  int first[STP_UNITS],
      last[STP_UNITS]; /* consumers: first and last step of the scope that reads it; -1 */
  int writes_from[STP_UNITS],
      writes_to[STP_UNITS]; /* producers: first and last step that writes it, of the scope or, if
                               carried or the result of a loop, of the loop's body */
  int num_edges;
  stp_edge_t edges[16];
} stp_buf_t;

/* ---- memory ------------------------------------------------------------------------------ */

/* One dimension of an access tile. */
typedef struct stp_access_dim {
  int64_t count;
  stp_lin_t stride; /* elements */
  bool clipped;     /* elements from `limit` on lie outside the view */
  stp_lin_t limit;
} stp_access_dim_t;

typedef struct stp_access {
  int arg;          /* symbol of the address */
  stp_lin_t offset; /* of the tile's first element from the address, in elements */
  stp_ir_elem_t elem;
  int rank;
  stp_access_dim_t dims[STP_IR_MAX_RANK];
  /* What the scheduler cannot prove: the machine traps with TRAPIF, code `dim`, where one of these
     is less than 0. */
  int num_checks;
  struct {
    int dim;
    stp_lin_t form;
  } checks[2 * STP_IR_MAX_RANK];
} stp_access_t;

/* ---- passes ------------------------------------------------------------------------------ */

typedef enum {
  STP_NODE_STREAM, /* sticks of an LX buffer, through LX-LU */
  STP_NODE_PT,     /* accumulators of a matrix product, as f32 */
  STP_NODE_CONST,  /* all lanes equal */
  STP_NODE_OP,     /* an SFU instruction */
  STP_NODE_REDUCE  /* along the row; every lane of the result is the row's value */
} stp_node_kind_t;

typedef struct stp_node {
  stp_node_kind_t kind;
  stp_ir_elem_t elem;
  bool row;  /* one value per row, the same in all lanes */
  int level; /* rounds over the row that must be complete before it can be computed */
  int stream;
  uint32_t bits;   /* CONST; STREAM of a carried buffer: its value in the first iteration */
  unsigned op, fn; /* STP_OP_V..., function */
  int num_srcs;
  int src[3];     /* nodes before this one; REDUCE: src[0] */
  uint32_t start; /* REDUCE: start value */
} stp_node_t;

typedef struct stp_stream {
  stp_buf_t *buf;
  stp_buf_t *init; /* buf is carried: what is read in the first iteration instead; NULL: nothing */
  bool row_bcast;  /* the buffer's only row serves for every row */
  bool splat;      /* element r of the buffer's only row, in every lane */
  stp_lin_t at;    /* bytes from the buffer's start to the pass's first element */
} stp_stream_t;

typedef struct stp_out {
  int node;
  stp_buf_t *buf;
  stp_buf_t *last; /* if buf is carried: where the last iteration's value goes instead */
  stp_lin_t at;    /* bytes from the start of either to the pass's first element */
} stp_out_t;

typedef enum {
  STP_PASS_FLAT, /* granules one after the other; rows do not matter */
  STP_PASS_PT,   /* column blocks outer, rows inner: the order in which PT drains */
  STP_PASS_ROW,  /* whole rows */
  STP_PASS_BLOCK /* in the order of PT, each column block worked as rows of one granule */
} stp_pass_mode_t;

/*
 * How a row pass works: `group` rows of a corelet at a time, in rounds over the rows. A round takes
 * `side` rows of them at a time, side by side, `chunk` granules after each other. Values that a
 * later round needs again wait in LX: a spilled value has a place for the group's rows at `offset`
 * of the corelet's spill area.
 */
typedef struct stp_row_plan {
  bool spills; /* may spill; else it computes again */
  int group, side, chunk;
  int order; /* how the code is put in order, a number of vrow.c */
  int num_spills;
  struct {
    int node;
    int64_t offset, pitch;
  } spill[STP_PASS_SPILLS];
  int64_t bytes; /* of LX, for each corelet */
} stp_row_plan_t;

typedef struct stp_pass {
  stp_pass_mode_t mode;
  int64_t rows, inner, granules; /* per row */
  bool cols;                     /* PT: corelets split the granules of a row instead of the rows */
  bool down;  /* ROW: reduces down the columns. What is said of rows holds for columns of granules,
                 and what is said of a row's granules for rows */
  bool brief; /* FLAT, PT: work granules one by one, for short code */
  bool lanes32; /* all values are f32: registers hold 32 elements, else 64 */
  int num_nodes, num_streams, num_outs;
  stp_node_t nodes[STP_PASS_NODES];
  stp_stream_t streams[STP_PASS_STREAMS];
  stp_out_t outs[STP_PASS_OUTS];
  stp_matmul_t *matmul; /* of the PT node, or NULL */
  stp_row_plan_t row;   /* ROW, BLOCK */
} stp_pass_t;

/*
 * A product of a tile, or of parts of tiles, that fits in the accumulators: for each corelet rows x
 * granules of 64 columns, 64 at most. Accumulators are rows of one of two halves, column blocks
 * outer, rows inner.
 */
struct stp_matmul {
  int id;
  const stp_ir_op_t *op;
  int64_t m, n, k;
  stp_buf_t *a, *w;
  stp_lin_t a_at, w_at;    /* bytes from the buffers' starts to the first elements */
  unsigned fmt;            /* of the inputs: 0 f16, 1 bf16 */
  bool cols;               /* corelets split columns instead of rows */
  bool turned;             /* w has a row for each column of the product */
  const stp_loop_t *chain; /* accumulates over the iterations of this loop; NULL: starts anew */
  stp_matmul_t *acc;       /* adds to the accumulators of this product; NULL: has its own */
  stp_buf_t *start;        /* start values, or NULL: starts at +0 */
  stp_lin_t start_at;
  int base[2];        /* first accumulator row in each half; -1: that half has no room */
  stp_ir_elem_t elem; /* of the result */
};

/* ---- blocks ------------------------------------------------------------------------------ */

typedef enum {
  STP_STEP_LOAD,
  STP_STEP_STORE,
  STP_STEP_MATMUL,
  STP_STEP_PASS,
  STP_STEP_LOOP,
  STP_STEP_CLEAR /* the accumulators of a product that a loop did not run for: +0 or -0 */
} stp_step_kind_t;

struct stp_step {
  stp_step_kind_t kind;
  int index; /* in its block */
  stp_block_t *block;
  stp_loc_t loc;
  stp_buf_t *buf;       /* LOAD, STORE */
  stp_access_t access;  /* LOAD, STORE */
  stp_matmul_t *matmul; /* MATMUL, CLEAR */
  uint32_t bits;        /* CLEAR: the zero, as f32 */
  stp_pass_t *pass;     /* PASS */
  stp_loop_t *loop;     /* LOOP */
  bool fence;           /* STORE: after all earlier writes are answered */
  stp_step_t *next;
};

/*
 * A load and a store of the same memory, or loops that hold them: `to` waits until `from` is done.
 * Carried: `from` of the previous execution of the block; before the first one, `from_unit` posts
 * at its program's start.
 */
typedef struct stp_order {
  const stp_step_t *from, *to;
  unsigned from_unit, to_unit;
  bool carried;
  unsigned token; /* index */
} stp_order_t;

/* An integer that a loop carries from one iteration to the next. */
typedef struct stp_carry {
  int sym, result; /* symbols: in an iteration, after the loop */
  stp_lin_t init, next;
} stp_carry_t;

struct stp_loop {
  int id;
  int sym; /* its variable */
  stp_lin_t lb;
  int64_t step;
  int64_t trip; /* -1: `count` at run time, 0 or less for none */
  stp_lin_t count;
  bool branch; /* an scf.if: `count` is 0 or 1, the variable of no use */
  bool some;   /* `count` is known to be more than 0 */
  int num_carries;
  stp_carry_t *carries;
  stp_block_t *body;
  stp_block_t *none; /* runs instead if there are no trips; or NULL */
};

/* More iterations than a loop whose end is not known at compile time will ever make. */
#define STP_LOOP_TRIPS ((int64_t)1 << 40)

struct stp_block {
  stp_step_t
      *parent; /* the loop step that it is part of; NULL: the kernel, executed once per tile */
  int depth;
  int num_steps;
  stp_step_t *first, *last;
  stp_frame_t *frame; /* of its buffers, or NULL */
};

/* A product as the kernel states it, and where tiles clip its sizes. */
typedef struct stp_macs {
  const stp_block_t *block;
  int64_t size[3]; /* m, n, k */
  int num_clips, clip_dim[4];
  stp_lin_t clip[4];
  struct stp_macs *next;
} stp_macs_t;

typedef struct stp_plan {
  stp_arena_t *arena;
  stp_diags_t *diags;
  stp_ir_func_t *func;
  bool failed;
  bool lx_full;  /* and smaller pieces might help */
  bool too_long; /* a program; shorter code might help */
  bool brief;    /* code as short as it can be, if it is slower */
  bool hoist;    /* loads may be moved out of loops, where their tiles take LX for longer */
  int64_t large; /* bytes: larger tiles are split where they can be */
  int num_syms, num_bufs, num_frames, num_loops, num_matmuls;
  stp_sym_t syms[STP_PLAN_SYMS];
  stp_buf_t *bufs[STP_PLAN_BUFS];
  stp_frame_t *frames[STP_PLAN_FRAMES];
  int num_orders;
  stp_order_t orders[STP_PLAN_ORDERS];
  int corelet; /* symbol */
  stp_kernel_args_t
      args; /* job arguments: addresses of buffers, in their order, then scalars kept at run time */
  int num_args;
  int scalar_arg[STP_ARGS]; /* by function argument: job argument of a scalar, or -1 */
  stp_block_t *body;
  int num_once;
  stp_step_t *once[STP_PLAN_ONCE]; /* loads before the turns over tiles; not in `body` */
  int64_t lx_bytes;
  /* Values that row passes spill: for each corelet, and the token that says they are there. What
   * was there before has been read: its sticks have gone through SFU to what is written now. */
  int64_t spill_base, spill_bytes;
  unsigned spill_token;
  struct stp_macs *macs; /* products of the kernel, for its multiply-adds */
} stp_plan_t;

/* Report an error at a place; always returns false. */
bool stp_plan_error(stp_plan_t *p, stp_loc_t loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does a block contain the other, or are they the same? */
bool stp_block_contains(const stp_block_t *outer, const stp_block_t *inner);
/* The step of `scope` in which `step` happens: itself or a loop around it. */
const stp_step_t *stp_step_in(const stp_step_t *step, const stp_block_t *scope);

/* Rows or, if there is only one row, granules of a tile that a corelet works on: from *first,
 * *count of them. */
typedef struct stp_part {
  int64_t first, count;
} stp_part_t;
stp_part_t stp_part_rows(int64_t rows, int corelet);
/* A corelet's rows and granules of columns of a product. */
stp_part_t stp_matmul_rows(const stp_matmul_t *m, int corelet);
stp_part_t stp_matmul_granules(const stp_matmul_t *m, int corelet);
/* A corelet's rows and granules of a pass in the order of PT. */
stp_part_t stp_pass_rows(const stp_pass_t *pass, int corelet);
/* What a row pass works side by side, rows or columns of granules; and the granules of each. */
stp_part_t stp_pass_lines(const stp_pass_t *pass, int corelet);
int64_t stp_pass_steps(const stp_pass_t *pass);
stp_part_t stp_pass_blocks(const stp_pass_t *pass, int corelet);
/* One column block of such a pass as a pass over rows. */
stp_pass_t stp_pass_block(const stp_pass_t *pass);
/* Does the corelet have any work in a step? */
bool stp_step_active(const stp_step_t *step, int corelet);
/* Order accesses of the same memory: fills in orders and fences. Consumers of buffers must be
 * known. */
bool stp_order(stp_plan_t *p);

/* What two accesses of one buffer have to do with each other at any one time: the same elements, in
 * the same order; no element in common, for sure; and of one: all elements at places of their own.
 */
bool stp_access_same(const stp_access_t *x, const stp_access_t *y);
bool stp_access_apart(const stp_access_t *x, const stp_access_t *y);
bool stp_access_distinct(const stp_access_t *a);

/* Token indices of edges; taken: by pair of units, counters that are in use for something else,
 * from 0 on. May move the steps in which consumers wait for buffers and give them back. */
bool stp_tokens(stp_plan_t *p, const int taken[STP_UNITS][STP_UNITS]);

/* Fill in frames, addresses, edges and token indices. */
bool stp_layout(stp_plan_t *p);

/* The body of a function as a plan; scalars: see sched.h. False if there were errors. */
bool stp_build(stp_plan_t *p, const stp_compile_options_t *options);

/* Multiply-adds of the kernel's products; args: values of scalars that are job arguments, by job
 * argument. */
uint64_t stp_plan_macs(const stp_plan_t *p, const int64_t *args);

/* A new symbol; its index, or 0 after an error (symbol 0 always exists). */
int stp_plan_sym(stp_plan_t *p, const stp_sym_t *sym);

#endif
