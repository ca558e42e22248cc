/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by args.c and extents.c. */
#ifndef STP_KTIR_ARGS_INTERNAL_H
#define STP_KTIR_ARGS_INTERNAL_H

#include "args.h"

/* A construct_memory_view op and what evaluation has found out about it. */
typedef struct stp_view {
  const stp_ir_op_t *op;
  int root;                       /* argument that is its address, or negative */
  int buffer;                     /* its buffer's number */
  int times;                      /* how often it was evaluated */
  bool varies;                    /* in size or offset */
  int64_t offset;                 /* of the first time, from the address */
  int64_t sizes[STP_IR_MAX_RANK]; /* smallest */
  int64_t strides[STP_IR_MAX_RANK];
  int64_t lo, hi; /* elements touched: [lo, hi) */
} stp_view_t;

typedef struct stp_analysis {
  const stp_ir_func_t *func;
  const stp_bindings_t *bindings;
  stp_arena_t *arena;
  stp_diags_t *diags;
  int num_views;
  stp_view_t *views;
  int num_buffers;
  stp_kernel_buffer_t *buffers;
  const stp_param_t *params;
} stp_analysis_t;

/* Evaluate all views for all tiles and fill shape, extent, start and index limits. */
bool stp_find_extents(stp_analysis_t *a);

#endif
