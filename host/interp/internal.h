/* SPDX-License-Identifier: Apache-2.0 */
/* Private to host/interp. */
#ifndef STP_INTERP_INTERNAL_H
#define STP_INTERP_INTERNAL_H

#include <stddef.h>

#include "interp.h"
#include "numerics.h"

/*
 * One element of a value. Integers and index: sign-extended to 64 bits (i1: 0 or 1). Floats: the
 * bit pattern in exact mode, the number in float64 mode.
 */
typedef union stp_cell {
  uint64_t u;
  int64_t i;
  double f;
} stp_cell_t;

/* ---- objects, counted by reference --------------------------------------------------------- */

typedef enum { OBJ_TENSOR, OBJ_VIEW, OBJ_TILE } stp_obj_kind_t;

typedef struct stp_obj {
  stp_obj_kind_t kind;
  int refs;
} stp_obj_t;

typedef struct stp_tensor {
  stp_obj_t obj;
  stp_ir_elem_t elem;
  int rank;
  int64_t dims[STP_IR_MAX_RANK];
  int64_t count;
  stp_cell_t cells[]; /* row-major */
} stp_tensor_t;

/*
 * A stretch of memory. Addresses are in bytes from the start of its space (of the argument).
 * Float64 mode keeps a double per unit beside the bytes: it counts where tag is the element type
 * with which it was stored; the bytes are its rounded value.
 */
typedef struct stp_mem {
  const char *name;
  uint8_t *bytes;
  int64_t origin, size; /* bytes */
  int unit;             /* elements are that wide or a multiple of it */
  double *wide;
  uint8_t *tag;
  /* By unit, tile + 1: who wrote it last, and who read it (-1: several); NULL if not followed. */
  int32_t *writer, *reader;
  bool owned; /* bytes are the interpreter's */
} stp_mem_t;

typedef struct stp_view {
  stp_obj_t obj;
  const stp_ir_op_t *op;
  int rank;
  int64_t sizes[STP_IR_MAX_RANK];
  bool dynamic[STP_IR_MAX_RANK]; /* out of range there: reads +0, is not written */
  /* a plain view */
  stp_mem_t *mem;
  int64_t offset; /* elements from the start of the space */
  int64_t strides[STP_IR_MAX_RANK];
  stp_ir_elem_t elem, storage;
  const stp_affine_set_t *set;     /* NULL for a subview */
  int64_t corner[STP_IR_MAX_RANK]; /* lower corner of the set's bounding box */
  bool is_box;
  int64_t box_hi[STP_IR_MAX_RANK]; /* is_box: the upper one; corner is the lower */
  int64_t syms[STP_IR_MAX_RANK];   /* the set's */
  /* a distributed view */
  int num_parts;
  struct stp_view **parts; /* referenced */
} stp_view_t;

typedef struct stp_access {
  stp_obj_t obj;
  const stp_ir_op_t *op;
  stp_view_t *view; /* referenced */
  const stp_affine_set_t *set;
  int64_t *syms;
  int rank; /* of the set and the tile */
  int perm[STP_IR_MAX_RANK * 2];
  int64_t dims[STP_IR_MAX_RANK * 2]; /* of the tile */
  int64_t base[STP_IR_MAX_RANK];     /* direct: the base coordinate */
  /* indirect */
  int num_captured;
  int64_t *captured;
  stp_view_t **tables; /* by subscript, NULL where direct; referenced; NULL for a direct tile */
} stp_access_t;

/* ---- values --------------------------------------------------------------------------------- */

typedef enum { VAL_NONE, VAL_SCALAR, VAL_OBJ } stp_val_kind_t;

typedef struct stp_val {
  stp_val_kind_t kind;
  stp_cell_t cell;
  const stp_ir_value_t *base; /* an integer relative to an address argument */
  stp_obj_t *obj;
} stp_val_t;

typedef struct stp_run {
  const stp_ir_func_t *func;
  const stp_bindings_t *scalars;
  const stp_kernel_args_t *args;
  const stp_interp_buffer_t *buffers;
  const stp_interp_options_t *options;
  stp_diags_t *diags;
  const struct stp_num *num;
  bool wide; /* float64 mode */
  int64_t tile;
  uint64_t steps;
  stp_val_t *env;           /* by value id */
  stp_mem_t *mem_of_buffer; /* by buffer: global addresses */
  stp_mem_t window;         /* views at constant offsets in global memory */
  stp_mem_t *lx;            /* by tile */
  int64_t lx_origin, lx_size;
  int lx_unit;
  bool lx_shared;       /* some view names a tile's LX */
  bool *race_reported;  /* 2 * id of a load's result; 2 * id of a stored value + 1 */
  const int64_t *point; /* of the innermost linalg op: for linalg.index */
} stp_run_t;

/* Report an error at the op, with the tile; gives false. */
bool stp_run_error(stp_run_t *r, const stp_ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool stp_run_warn(stp_run_t *r, const stp_ir_op_t *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* value.c */
void stp_obj_ref(stp_obj_t *obj);
void stp_obj_unref(stp_obj_t *obj); /* NULL is allowed */
/* A tensor of zeros; NULL with an error at the op if it is too large. */
stp_tensor_t *stp_tensor_new(stp_run_t *r, const stp_ir_op_t *op, stp_ir_elem_t elem, int rank,
                             const int64_t *dims);
void stp_env_set(stp_run_t *r, const stp_ir_value_t *v, stp_val_t val); /* takes the reference */
void stp_env_set_obj(stp_run_t *r, const stp_ir_value_t *v, stp_obj_t *obj); /* likewise */
void stp_env_set_cell(stp_run_t *r, const stp_ir_value_t *v, stp_cell_t cell);
void stp_env_set_int(stp_run_t *r, const stp_ir_value_t *v, int64_t value);
void stp_env_copy(stp_run_t *r, const stp_ir_value_t *to, const stp_ir_value_t *from);
stp_tensor_t *stp_env_tensor(stp_run_t *r, const stp_ir_value_t *v);
stp_view_t *stp_env_view(stp_run_t *r, const stp_ir_value_t *v);
/* An integer that is no address. */
bool stp_env_int(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *v, int64_t *result);
bool stp_env_dim(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_dim_t *dim, int64_t *result);

/* memory.c */
bool stp_mem_setup(stp_run_t *r);
void stp_mem_finish(stp_run_t *r); /* results back to the caller, and free */
void stp_mem_end_tile(stp_run_t *r);
/* The memory that a view with this base (an address argument or NULL) and space lies in; NULL with
   an error at the op. */
stp_mem_t *stp_mem_find(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *base,
                        const stp_ir_space_t *space);
/* Element `index` counted from the start of the space, as `elem` stored as `storage`. */
bool stp_mem_load(stp_run_t *r, const stp_ir_op_t *op, stp_mem_t *mem, stp_ir_elem_t storage,
                  int64_t index, stp_cell_t *cell);
bool stp_mem_store(stp_run_t *r, const stp_ir_op_t *op, stp_mem_t *mem, stp_ir_elem_t storage,
                   int64_t index, stp_cell_t cell);

/* access.c: views, access tiles, load and store */
bool stp_run_access(stp_run_t *r, const stp_ir_op_t *op);

/* scalar.c: what single elements mean */
int stp_num_fmt(stp_ir_elem_t elem); /* of the numerics; -1 if they do not have it */
/* Between the number and its bits; for types that stp_num_fmt knows. */
double stp_cell_to_double(stp_ir_elem_t elem, uint64_t bits);
uint64_t stp_cell_from_double(stp_ir_elem_t elem, double value);
/* The cell of a bit pattern of the type; false if float64 mode does not know the type. */
bool stp_cell_from_bits(const stp_run_t *r, stp_ir_elem_t elem, uint64_t bits, stp_cell_t *cell);
int64_t stp_int_wrap(uint64_t x, int width);

/* An elementwise op on rows. */
typedef struct stp_row {
  stp_ir_op_kind_t kind;  /* of arith or math */
  unsigned predicate;     /* cmpi, cmpf */
  stp_ir_elem_t from, to; /* element types of the operands (select: of the values) and the result */
  int64_t count;
  const stp_cell_t *in[3];
  int step[3]; /* 1, or 0: the same element for all */
  stp_cell_t *out;
} stp_row_t;
/* False with an error at `op`. */
bool stp_run_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row);

/* elementwise.c */
bool stp_run_elementwise(stp_run_t *r, const stp_ir_op_t *op);
bool stp_run_constant(stp_run_t *r, const stp_ir_op_t *op);

/* space.c: the iteration space of a linalg op */
#define STP_MAX_LOOPS (2 * STP_IR_MAX_RANK)

/* An operand seen from the loops: element = start + sum of strides. */
typedef struct {
  const stp_cell_t *cells;
  int64_t start, strides[STP_MAX_LOOPS];
} stp_stream_t;

typedef struct {
  int num_loops, num_streams;
  int64_t extents[STP_MAX_LOOPS];
  stp_stream_t *streams; /* ins, then outs */
} stp_space_t;

/* False with an error at the op. The streams are freed by the caller in any case. */
bool stp_find_space(stp_run_t *r, const stp_ir_op_t *op, stp_space_t *s);
/* A copy of output i, which becomes the op's result; NULL with an error at the op. */
stp_tensor_t *stp_new_result(stp_run_t *r, const stp_ir_op_t *op, int i);
/* All of them, in an array to be freed with the references in it; NULL with an error. */
stp_tensor_t **stp_new_results(stp_run_t *r, const stp_ir_op_t *op);

/* linalg.c, tensor.c */
bool stp_run_linalg(stp_run_t *r, const stp_ir_op_t *op);
bool stp_run_tensor(stp_run_t *r, const stp_ir_op_t *op);

/* interp.c */
bool stp_run_block(stp_run_t *r, const stp_ir_block_t *block); /* up to its terminator */
bool stp_run_op(stp_run_t *r, const stp_ir_op_t *op);

#endif
