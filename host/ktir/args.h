/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel wants from its caller: which function arguments are addresses of buffers and which
 * are scalars; for each buffer its element type, shape, extent and direction.
 *
 * Use: stp_args_classify says what each argument is. The caller binds the scalars that it has
 * values for, and stp_args_analyze then evaluates the kernel's index arithmetic for every compute
 * tile.
 */
#ifndef STP_KTIR_ARGS_H
#define STP_KTIR_ARGS_H

#include "ir.h"

typedef enum {
  STP_PARAM_ADDRESS, /* reaches the offset of a view through additions */
  STP_PARAM_SCALAR   /* anything else */
} stp_param_kind_t;

/* One entry per function argument, in order. */
typedef struct stp_param {
  const char *name; /* without % */
  stp_param_kind_t kind;
  stp_ir_elem_t elem;              /* of the argument's own type: index, iN or a float */
  int buffer;                      /* ADDRESS: its number in the list of buffers; else -1 */
  int64_t granularity, upperbound; /* of a runtime_arg; 0 if there is none */
} stp_param_t;

/* Values of scalars for the analysis, by argument number. Float scalars need none. */
typedef struct stp_bindings {
  int count; /* of entries; arguments beyond it are not bound */
  const bool *bound;
  const int64_t *values; /* integers and index, sign-extended */
} stp_bindings_t;

typedef struct stp_kernel_buffer {
  const char *name;            /* of the argument, or of the view with a constant offset */
  int arg;                     /* function argument, or -1: a view at a constant offset */
  const stp_ir_value_t *value; /* the argument, or the view */
  stp_ir_space_t space;        /* global but for views at a constant offset in ct_local */
  stp_ir_elem_t elem;          /* of the views: what the kernel computes with */
  stp_ir_elem_t storage;       /* in memory: elem, or DL16 */
  bool loaded, stored;         /* in, out; neither if no load or store uses the views */
  int rank;
  int64_t shape[STP_IR_MAX_RANK];
  int64_t extent; /* in elements: all views lie in [0, extent) from the buffer's start */
  int64_t start;  /* views at constant offsets: element offset of the buffer's start in its space */
  /* An index table: entries must be in [0, index_limit), else the kernel traps. */
  bool is_index;
  int64_t index_limit;
} stp_kernel_buffer_t;

typedef struct stp_kernel_args {
  int num_params;
  const stp_param_t *params;
  int num_buffers; /* addresses in the order of arguments, then constant views in program order */
  const stp_kernel_buffer_t *buffers;
} stp_kernel_args_t;

/*
 * Say what each argument is. `result->buffers` is filled but for shape, extent, start and index
 * limit. Memory is the arena's. False after errors (two addresses in one offset; two element widths
 * on one address; argument or result types that a kernel cannot have), which are in `diags`.
 */
bool stp_args_classify(const stp_ir_func_t *func, stp_arena_t *arena, stp_diags_t *diags,
                       stp_kernel_args_t *result);

/*
 * As above, with everything filled. False if a scalar that sizes depend on is not bound, if they
 * depend on loaded data, or if a view begins before its argument.
 */
bool stp_args_analyze(const stp_ir_func_t *func, const stp_bindings_t *bindings, stp_arena_t *arena,
                      stp_diags_t *diags, stp_kernel_args_t *result);

/* ---- integer evaluation ------------------------------------------------------------------ */

/* An integer, perhaps relative to an address argument. */
typedef struct stp_ival {
  bool known;
  const stp_ir_value_t *base; /* an address argument, or NULL */
  int64_t value;              /* sign-extended from the type's width */
} stp_ival_t;

/*
 * Evaluate one op on scalar integers: constants, arith on integers and index, casts between them,
 * cmpi, select, runtime_arg_extract. in[i] is the value of operand i. The result is unknown for any
 * other op, for unknown operands that matter, on division by zero and on overflow of a signed
 * division; `base` is kept through additions, subtractions from it and index casts only.
 */
stp_ival_t stp_eval_op(const stp_ir_op_t *op, const stp_ival_t *in);

/* The id of the tile in dimension `dim` of the grid for flat tile number `tile`. */
int64_t stp_tile_coordinate(const stp_ir_func_t *func, int64_t tile, int dim);

/*
 * Evaluate a value outside any loop from the bindings and a flat tile number, following
 * definitions. Unknown if it depends on anything else: loops, loaded data, unbound arguments.
 */
stp_ival_t stp_eval_value(const stp_ir_func_t *func, const stp_bindings_t *bindings, int64_t tile,
                          const stp_ir_value_t *value);

#endif
