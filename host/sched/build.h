/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the plan builder share: build.c (ops and steps), scalar.c, access.c, pass.c,
 * values.c, macs.c, cone.c. */
#ifndef STP_SCHED_BUILD_H
#define STP_SCHED_BUILD_H

#include "plan.h"

/* What is known of a tensor value. Nothing is computed until a store, a product or a loop needs it.
 */
typedef enum {
  STP_TV_NONE,
  STP_TV_CONST, /* all elements are `bits` */
  STP_TV_BUF,   /* lies in LX */
  STP_TV_LOAD,  /* lies in memory: a large tile, which is loaded where it is used */
  STP_TV_CARRY, /* lies in LX, from the previous iteration; in the first one it lies in `init`, or
                   if that is NULL all elements are `bits` */
  STP_TV_PT, /* a product of prod[0] and prod[1], from prod[2] if that is not NULL: computed where
                it is used; with `matmul`, what lies in its accumulators */
  STP_TV_OP, /* elementwise on srcs: SFU instruction `op`, function `fn` */
  STP_TV_REDUCE, /* of srcs[0] along its last dimension, from `bits`; fn is the STP_VFOLD_ function
                  */
  STP_TV_BCAST,  /* srcs[0] repeated along `bcast_dims` (bit set) */
  STP_TV_TURNED  /* srcs[0], a matrix, transposed: only products take it */
} stp_tv_kind_t;

typedef struct stp_tval {
  stp_tv_kind_t kind;
  const stp_ir_value_t *ssa;
  stp_loc_t loc; /* of the op that made it */
  const char *op_name;
  stp_ir_elem_t elem;
  int rank;
  const int64_t *dims;
  stp_block_t *block; /* where it became known */
  uint32_t bits;
  stp_buf_t *buf, *init;
  stp_lin_t offset;           /* BUF: of its first byte in the buffer */
  const stp_access_t *access; /* LOAD, and BUF if it was one */
  unsigned stamp,
      stamp_over; /* of the last walk that came here; and of the last that makes others */
  int num_also;   /* other loads of the same tile */
#define STP_TV_ALSO 3
  const stp_ir_value_t *also[STP_TV_ALSO];
  stp_matmul_t *matmul;
  struct stp_tval *prod[3];
  const stp_ir_op_t *prod_op;
  bool turned; /* PT: prod[1] has rows of k */
  unsigned op, fn;
  int depth; /* OP, REDUCE, BCAST: of what it is computed from; 0: not known yet */
  int num_srcs;
  struct stp_tval *srcs[3];
  unsigned bcast_dims;
  bool outer; /* REDUCE: along all dimensions but the last one instead */
} stp_tval_t;

/* A part of a tile: rows and columns from the given ones on. */
typedef struct stp_tile_part {
  int64_t rows, cols;
  stp_lin_t row, col; /* col: a multiple of 64 */
} stp_tile_part_t;

/* Where a pass puts its result: a buffer (carried: with another one for the last iteration), or
 * memory. */
typedef struct stp_dest {
  stp_buf_t *buf, *last;
  const stp_access_t *store;
  stp_loc_t store_loc;
} stp_dest_t;

/* A product whose accumulators a loop keeps, from before the loop until they are drained. */
typedef struct stp_chain {
  const stp_ir_op_t *op;
  int64_t rows;
  int base[2];
  bool live;
  stp_tval_t *result; /* what the loop leaves, after it */
} stp_chain_t;

/* Stores of large tiles that wait to become a loop over pieces, and what they read. */
#define STP_SPLIT_STORES 4
#define STP_SPLIT_LOADS 8
typedef struct stp_split {
  int num_stores, num_loads;
  struct {
    const stp_ir_op_t *op;
    stp_tval_t *value;
    stp_access_t access;
  } stores[STP_SPLIT_STORES];
  stp_tval_t *loads[STP_SPLIT_LOADS];
} stp_split_t;

typedef struct stp_builder {
  stp_plan_t *plan;
  const stp_compile_options_t *options;
  stp_block_t *block; /* the one being filled */
  bool *has_lin;      /* by value id: integer scalars */
  stp_lin_t *lins;
  stp_tval_t **tvals; /* by value id: tensors, and float scalars as tensors of no dimensions */
  const stp_ir_type_t *shape; /* in a linalg.generic: of all values of its body; else NULL */
  int num_chains;
  stp_chain_t chains[STP_PLAN_MATMULS];
  stp_split_t split;
  int num_lazy;
  int num_loaded;
  stp_tval_t *loaded[32];          /* loads after which no store has changed their memory */
  stp_tval_t *lazy[STP_PLAN_BUFS]; /* large tiles that were not loaded at once */
  unsigned stamp;                  /* the last that was given to a walk */
  unsigned *use_stamps;            /* by value id: of the last walk over uses */
} stp_builder_t;

/* 'op.name' op ... at the op's place; always false. */
bool stp_build_error(stp_builder_t *b, const stp_ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* scalar.c: an integer op (or cast, comparison, select of scalars). False if there was an error. */
bool stp_build_scalar_op(stp_builder_t *b, const stp_ir_op_t *op);
/* The form of an integer value; false and an error if it has none. */
bool stp_build_lin(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *value,
                   stp_lin_t *lin);
/* An affine expression over forms. */
bool stp_build_affine(stp_builder_t *b, const stp_ir_op_t *op, const stp_affine_expr_t *e,
                      const stp_lin_t *dims, const stp_lin_t *syms, stp_lin_t *lin);

/* access.c: the memory that a load or store touches through the access tile `value`. */
bool stp_build_access(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *value,
                      stp_access_t *access);

/* macs.c: note a product of the current block, with its operands as loaded; turned: w is n x k. */
void stp_build_macs(stp_builder_t *b, int64_t m, int64_t n, int64_t k, const stp_access_t *a,
                    const stp_access_t *w, bool turned);

/* One alu operation (STP_OP_ADD ...) on forms. */
stp_lin_t stp_build_alu(stp_builder_t *b, unsigned op, const stp_lin_t *x, const stp_lin_t *y);
stp_lin_t stp_build_select(stp_builder_t *b, const stp_lin_t *c, const stp_lin_t *x,
                           const stp_lin_t *y);
/* The trip count of a loop over `span` > 0 or not, by steps: 0 or less if there are none. False if
 * the form is too complex. */
bool stp_build_trips(stp_builder_t *b, const stp_lin_t *span, int64_t step, stp_lin_t *count);

/* build.c */
bool stp_build_ops(stp_builder_t *b, const stp_ir_block_t *block);
/* A new description of a tensor, and of which it is. */
stp_tval_t *stp_build_tval(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v,
                           stp_tv_kind_t kind);
/* The tensor's description. NULL only after an error that was reported. */
stp_tval_t *stp_build_operand(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *v);
/* Has it a static shape, and elements that SFU can hold: f16, bf16, f32? */
bool stp_build_check_tensor(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_type_t *type);
stp_buf_t *stp_build_buf(stp_builder_t *b, const stp_ir_op_t *op, const char *name,
                         stp_ir_elem_t elem, int rank, const int64_t *dims);
/* The buffer of a STP_TV_CARRY value, made at its first use. NULL after an error. */
stp_buf_t *stp_build_carry(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t);
/* The frame of a block's buffers. NULL after an error. */
stp_frame_t *stp_build_frame(stp_builder_t *b, stp_block_t *scope);
/* Put a step into a block: before `next`, or at the end. */
void stp_build_link(stp_block_t *block, stp_step_t *s, const stp_step_t *next);
stp_step_t *stp_build_step(stp_builder_t *b, stp_step_kind_t kind, stp_loc_t loc);

/* A store of the value, or of a piece of it, in the current block. */
bool stp_build_store_step(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                          const stp_access_t *access);
/* The buffer of a STP_TV_LOAD value, loaded in the value's block before what follows. `op` needs
   it. NULL after an error. */
stp_buf_t *stp_build_place_load(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t);

/* split.c: tiles too large for LX. */
bool stp_split_is_large(const stp_builder_t *b, const stp_ir_type_t *type);
/* Take the store into the group that becomes a loop over pieces; else what must come before the
   store has been done. */
bool stp_split_store(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                     const stp_access_t *access, bool *taken);
/* Make the loop of the stores that wait: before any other step. `at` is the op that comes next. */
bool stp_split_flush(stp_builder_t *b, const stp_ir_op_t *at);
/* values.c: an op that computes floats. */
bool stp_build_value(stp_builder_t *b, const stp_ir_op_t *op);

/* hoist.c: move loads out of a loop whose body is complete; and out of the turns over tiles. */
bool stp_hoist_loop(stp_builder_t *b, stp_step_t *loop);
bool stp_hoist_turns(stp_builder_t *b);
/* A load of the same tile in this block, still valid; or NULL. Note one; note a store. */
stp_tval_t *stp_hoist_loaded(const stp_builder_t *b, const stp_access_t *access,
                             const stp_ir_type_t *type);
void stp_hoist_note(stp_builder_t *b, stp_tval_t *t);
void stp_hoist_stored(stp_builder_t *b, int arg);

/* loops.c */
/* A new loop in the current block, but for its variable, bounds and steps. NULL after an error. */
stp_loop_t *stp_build_loop(stp_builder_t *b, const stp_ir_op_t *op);
bool stp_build_for(stp_builder_t *b, const stp_ir_op_t *op);
bool stp_build_if(stp_builder_t *b, const stp_ir_op_t *op);

/* cone.c: what a value is computed from. Values share what they are computed from, and may do so at
 * every step (x + x): a walk must come to each of them once only. */
bool stp_cone_has(stp_builder_t *b, stp_tval_t *t, stp_tv_kind_t kind);
/* Has it a reduction, or a product that is broadcast, so that rows must be whole? */
bool stp_cone_row_wise(stp_builder_t *b, stp_tval_t *t);
/* The reduction whose row values make up a value that is not broadcast again: its source has the
 * pass's shape. NULL if there is none. */
stp_tval_t *stp_cone_reduction(stp_builder_t *b, stp_tval_t *t);
/* How often the cone of `t` uses `what`. */
int stp_cone_uses(stp_builder_t *b, stp_tval_t *t, const stp_tval_t *what);

/* pass.c: add passes to the current block that compute `t` into its destination. */
bool stp_build_pass(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, const stp_dest_t *dest);
/* One pass, or one for a part of `t`; `matmul` has computed the same part of the product `pt` in
   its cone, if that is not NULL. A buffer of the size of `t`, or with dest->store of the part's. */
bool stp_build_one_pass(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                        const stp_dest_t *dest, const stp_tile_part_t *part, const stp_tval_t *pt,
                        stp_matmul_t *matmul);
/* product.c */
bool stp_build_matmul(stp_builder_t *b, const stp_ir_op_t *op);
/* Before the body of a loop: which of its products stay in the accumulators; after it, the value
 * that one leaves there; and that it is used up. */
void stp_build_chains(stp_builder_t *b, const stp_ir_op_t *loop);
void stp_build_chain_result(stp_builder_t *b, const stp_matmul_t *m, stp_tval_t *result);
void stp_build_end_chain(stp_builder_t *b, const stp_matmul_t *m);
/* Compute the product `pt`, as a whole or part by part, and drain it into passes that compute `t`.
 */
bool stp_build_drain(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t, stp_tval_t *pt,
                     const stp_dest_t *dest);
/* Load a part of a tile that lies in memory (STP_TV_LOAD) to a buffer of the current block. */
stp_buf_t *stp_build_load_part(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t,
                               const stp_tile_part_t *part);
/* Part of an access of two dimensions. */
bool stp_build_part(stp_builder_t *b, const stp_ir_op_t *op, const stp_access_t *whole,
                    const stp_tile_part_t *part, stp_access_t *access);
/* The value in LX: as it is, or after a pass. NULL after an error. */
stp_buf_t *stp_build_materialise(stp_builder_t *b, const stp_ir_op_t *op, stp_tval_t *t);

#endif
