/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The typed IR of a KTIR module, as read and verified from text.
 *
 * Reading gives a tree: module > functions > one block each > ops > regions (one block each, or
 * absent) > ops. Values are in SSA form with use lists. Attributes that an op's meaning depends on
 * are decoded into the op's payload `u`, the same whether the op was written in its custom or in
 * its generic form; after a successful read every payload pointer that is not marked "or NULL" is
 * set, so users of the IR need not look at the attribute list at all.
 *
 * Everything belongs to the module's arena and is immutable for users. Types are unique within a
 * module: two types are equal if and only if their pointers are.
 */
#ifndef STP_KTIR_IR_H
#define STP_KTIR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "affine.h"
#include "arena.h"
#include "diag.h"

#define STP_IR_DYNAMIC INT64_MIN /* a `?` dimension, stride or offset */
#define STP_IR_MAX_RANK 8

/* ---- types ------------------------------------------------------------------------------- */

typedef enum {
  STP_ELEM_NONE,
  STP_ELEM_I1, /* stored as one byte */
  STP_ELEM_I8,
  STP_ELEM_I16,
  STP_ELEM_I32,
  STP_ELEM_I64,
  STP_ELEM_INDEX, /* 64 bits, signed where it matters */
  STP_ELEM_F16,
  STP_ELEM_BF16,
  STP_ELEM_F32,
  STP_ELEM_F8E4M3FN,
  STP_ELEM_F8E5M2,
  STP_ELEM_DL16 /* a storage format only: never the element of a type, see u.view.storage */
} stp_ir_elem_t;

bool stp_ir_elem_is_float(stp_ir_elem_t elem);
bool stp_ir_elem_is_int(stp_ir_elem_t elem); /* iN or index */
int stp_ir_elem_bits(stp_ir_elem_t elem);    /* width of the value: 1, 8, 16, 32, 64 */
int stp_ir_elem_bytes(stp_ir_elem_t elem);   /* width in memory: 1, 2, 4, 8 */
/* The bit pattern of a double, rounded to nearest even in a float format. */
uint64_t stp_float_to_bits(stp_ir_elem_t elem, double value);
const char *stp_ir_elem_name(stp_ir_elem_t elem);

typedef enum { STP_SPACE_GLOBAL, STP_SPACE_CT_LOCAL } stp_ir_space_kind_t;

/* A memory space: HBM and global are the same, LX and ct_local are the same. */
typedef struct stp_ir_space {
  stp_ir_space_kind_t kind;
  int64_t tile; /* ct_local: the compute tile whose LX it is, or -1 = the executing tile's own */
} stp_ir_space_t;

typedef enum {
  STP_TYPE_NONE, /* of a value whose op was in error; never seen by users */
  STP_TYPE_SCALAR,
  STP_TYPE_TENSOR,
  STP_TYPE_MEMREF,
  STP_TYPE_ACCESS_TILE,
  STP_TYPE_TILE_FUTURE,
  STP_TYPE_RUNTIME_ARG,
} stp_ir_type_kind_t;

typedef struct stp_ir_type {
  stp_ir_type_kind_t kind;
  stp_ir_elem_t elem;  /* scalar, tensor, memref, runtime_arg; INDEX for an access tile */
  int rank;            /* tensor, memref, access tile */
  const int64_t *dims; /* rank sizes; STP_IR_DYNAMIC for ? */
  /* memref */
  const stp_ir_space_t *space; /* or NULL if the type names none */
  const int64_t *strides;      /* strided<> layout, or NULL: row-major */
  int64_t offset;
  /* tile_future */
  int num_members;
  const struct stp_ir_type *const *members; /* the partials' tensor types */
  const stp_affine_set_t *groups;
  /* runtime_arg; 0 if absent */
  int64_t granularity, upperbound;
} stp_ir_type_t;

/* Number of elements of a static shape; -1 if a dim is dynamic or the product overflows. */
int64_t stp_ir_type_count(const stp_ir_type_t *type);
/* Text as MLIR writes it. */
const char *stp_ir_type_text(stp_arena_t *arena, const stp_ir_type_t *type);

/* ---- attributes -------------------------------------------------------------------------- */

/* The value of a constant: one element (splat or scalar) or all of them, row-major. */
typedef struct stp_ir_dense {
  const stp_ir_type_t *type; /* scalar or static tensor */
  bool splat;
  int64_t count;        /* entries in bits: 1 if splat or scalar */
  const uint64_t *bits; /* the bit pattern of each; integers and index sign-extended to 64 bits
                           (i1: 0 or 1) */
} stp_ir_dense_t;

typedef enum {
  STP_ATTR_UNIT,
  STP_ATTR_BOOL,
  STP_ATTR_INT,   /* with optional type */
  STP_ATTR_FLOAT, /* with optional type */
  STP_ATTR_STRING,
  STP_ATTR_TYPE,
  STP_ATTR_FUNC_TYPE, /* (T, T) -> T */
  STP_ATTR_ARRAY,
  STP_ATTR_INTS, /* array<i64: ...> and the like */
  STP_ATTR_DENSE,
  STP_ATTR_MAP,
  STP_ATTR_SET,
  STP_ATTR_SPACE,
  STP_ATTR_SYMBOL,  /* @name */
  STP_ATTR_KEYWORD, /* #dialect.mnemonic<keyword>, such as #linalg.iterator_type<parallel> */
  STP_ATTR_DICT,
  STP_ATTR_OPAQUE, /* well formed, of a dialect that is ignored with a warning */
} stp_ir_attr_kind_t;

typedef struct stp_ir_attr {
  stp_ir_attr_kind_t kind;
  stp_loc_t loc;
  const stp_ir_type_t *type; /* INT, FLOAT: the type after the colon, or NULL; TYPE: the type */
  int64_t i;                 /* BOOL, INT */
  double f;                  /* FLOAT */
  bool hex;                  /* INT written in hexadecimal */
  const char *str;           /* STRING, SYMBOL (without @), KEYWORD */
  const char *mnemonic;      /* KEYWORD: what stands before < */
  int count;                 /* ARRAY, INTS, DICT; FUNC_TYPE: of inputs and results together */
  int num_inputs;            /* FUNC_TYPE */
  const stp_ir_type_t *const *types;      /* FUNC_TYPE: inputs, then results */
  const struct stp_ir_attr *const *items; /* ARRAY, DICT */
  const char *const *keys;                /* DICT */
  const int64_t *ints;                    /* INTS */
  const stp_ir_dense_t *dense;
  const stp_affine_map_t *map;
  const stp_affine_set_t *set;
  const stp_ir_space_t *space;
} stp_ir_attr_t;

typedef struct stp_ir_named_attr {
  const char *name;
  stp_loc_t loc; /* of the name */
  const stp_ir_attr_t *value;
} stp_ir_named_attr_t;

/* ---- ops --------------------------------------------------------------------------------- */

typedef enum {
  STP_OP_NONE,
#define STP_OP(kind, name, syntax, min_ops, max_ops, min_res, max_res, regions) STP_OP_##kind,
#include "ops.def"
#undef STP_OP
  STP_OP_COUNT
} stp_ir_op_kind_t;

#define STP_OP_IN(kind, first, last) ((kind) >= STP_OP_##first && (kind) <= STP_OP_##last)
#define STP_OP_IS_INT_BINARY(kind) STP_OP_IN(kind, ARITH_ADDI, ARITH_MINUI)
#define STP_OP_IS_FLOAT_BINARY(kind) STP_OP_IN(kind, ARITH_ADDF, ARITH_MINNUMF)
#define STP_OP_IS_FLOAT_UNARY(kind) STP_OP_IN(kind, ARITH_NEGF, MATH_FLOOR)
#define STP_OP_IS_MATH(kind) STP_OP_IN(kind, MATH_EXP, MATH_ABSI)
#define STP_OP_IS_CAST(kind) STP_OP_IN(kind, ARITH_EXTF, ARITH_BITCAST)
/* Elementwise on scalars or tensors alike: all of arith but constant, and math. */
#define STP_OP_IS_ELEMENTWISE(kind) STP_OP_IN(kind, ARITH_ADDI, ARITH_SELECT)
#define STP_OP_IS_MATMUL(kind) STP_OP_IN(kind, LINALG_MATMUL, LINALG_BATCH_MATMUL_TRANSPOSE_B)
#define STP_OP_IS_LINALG_ELEMENTWISE(kind) STP_OP_IN(kind, LINALG_ADD, LINALG_COPY)
#define STP_OP_IS_LINALG(kind) STP_OP_IN(kind, LINALG_MATMUL, LINALG_GENERIC)

const char *stp_ir_op_name(stp_ir_op_kind_t kind); /* "arith.addf" */

typedef struct stp_ir_op stp_ir_op_t;
typedef struct stp_ir_block stp_ir_block_t;
typedef struct stp_ir_func stp_ir_func_t;

typedef struct stp_ir_use {
  stp_ir_op_t *op;
  int operand; /* index in op->operands */
  struct stp_ir_use *next;
} stp_ir_use_t;

typedef struct stp_ir_value {
  int id;           /* dense within the function, from 0: index for side tables */
  const char *name; /* as written, without %; "x#1" for the second of `%x:2` */
  const stp_ir_type_t *type;
  stp_loc_t loc;         /* of the definition */
  stp_ir_op_t *def;      /* the op whose result it is, or NULL for a block argument */
  stp_ir_block_t *block; /* the block whose argument it is, or NULL for an op result */
  int index;             /* number of the result or argument */
  stp_ir_use_t *uses;    /* in program order */
  int num_uses;
} stp_ir_value_t;

struct stp_ir_block {
  int num_args;
  stp_ir_value_t **args;
  stp_ir_op_t *first, *last; /* last is the terminator, inserted where MLIR lets it be left out */
  stp_ir_op_t *parent;       /* the op that has the region, or NULL for a function's body */
  stp_ir_func_t *func;
  stp_loc_t loc;
};

/* A number that is static or comes from an SSA value. */
typedef struct stp_ir_dim {
  int64_t value;       /* if ssa is NULL */
  stp_ir_value_t *ssa; /* of type index, or NULL */
} stp_ir_dim_t;

typedef enum { /* values are MLIR's */
               STP_CMPI_EQ,
               STP_CMPI_NE,
               STP_CMPI_SLT,
               STP_CMPI_SLE,
               STP_CMPI_SGT,
               STP_CMPI_SGE,
               STP_CMPI_ULT,
               STP_CMPI_ULE,
               STP_CMPI_UGT,
               STP_CMPI_UGE
} stp_ir_cmpi_t;
typedef enum { /* values are MLIR's */
               STP_CMPF_FALSE,
               STP_CMPF_OEQ,
               STP_CMPF_OGT,
               STP_CMPF_OGE,
               STP_CMPF_OLT,
               STP_CMPF_OLE,
               STP_CMPF_ONE,
               STP_CMPF_ORD,
               STP_CMPF_UEQ,
               STP_CMPF_UGT,
               STP_CMPF_UGE,
               STP_CMPF_ULT,
               STP_CMPF_ULE,
               STP_CMPF_UNE,
               STP_CMPF_UNO,
               STP_CMPF_TRUE
} stp_ir_cmpf_t;

typedef enum { STP_ITER_PARALLEL, STP_ITER_REDUCTION } stp_ir_iter_t;

/* One subscript of an indirect access tile; the map's dims are captured values, then variables. */
typedef struct stp_ir_subscript {
  stp_ir_value_t *table;       /* ind(%table[...]): the index view; NULL for a direct subscript */
  const stp_affine_map_t *map; /* as many results as the table has dims; one if direct */
} stp_ir_subscript_t;

struct stp_ir_op {
  stp_ir_op_kind_t kind;
  stp_loc_t loc; /* of the op's name */
  int num_operands, num_results, num_regions, num_attrs;
  stp_ir_value_t **operands;
  stp_ir_value_t **results;
  stp_ir_block_t **regions; /* each has exactly one block, or is NULL (absent else branch) */
  const stp_ir_named_attr_t *attrs; /* in MLIR's canonical names */
  stp_loc_t *operand_locs;
  stp_ir_block_t *block; /* the block it stands in */
  stp_ir_op_t *prev, *next;

  union {
    /* arith.constant */
    const stp_ir_dense_t *constant;
    /* arith.cmpi, arith.cmpf */
    stp_ir_cmpi_t cmpi;
    stp_ir_cmpf_t cmpf;
    /* linalg.index */
    int dim;
    /* ktdp.runtime_arg_extract */
    enum { STP_ARG_VALUE, STP_ARG_GRANULARITY, STP_ARG_UPPERBOUND } extract;

    /* ktdp.construct_memory_view: rank is that of the result type */
    struct {
      stp_ir_value_t *offset; /* index: elements from the start of the space */
      const stp_ir_dim_t *sizes, *strides;
      const stp_affine_set_t *set; /* coordinate_set; the sizes if it was left out */
      int num_set_syms;            /* == set->num_syms; symbol i is bound to set_syms[i] */
      stp_ir_value_t **set_syms;   /* the dynamic sizes, left to right */
      const stp_ir_space_t *space;
      stp_ir_elem_t storage; /* the element type, or DL16 */
    } view;
    /* ktdp.construct_distributed_memory_view: the partitions are the operands */

    /* ktdp.construct_access_tile: base coordinate = map(indices); points = base + set, sorted by
       the order map, fill the tile row-major. The tile's shape is usually that of the set, dims
       permuted; it need only have as many elements. */
    struct {
      stp_ir_value_t *base; /* memref (or tensor) */
      const stp_affine_map_t *map;
      int num_indices, num_syms;
      stp_ir_value_t **indices; /* the map's dims, then its symbols if any */
      stp_ir_value_t **syms;    /* the set's symbols */
      const stp_affine_set_t *set;
      const stp_affine_map_t *order; /* a permutation */
    } access;
    /* ktdp.construct_indirect_access_tile: variables range over set; region 0's arguments are the
       variables, its body is empty */
    struct {
      stp_ir_value_t *base;
      int num_subscripts, num_captured, num_syms;
      const stp_ir_subscript_t *subscripts; /* one per dim of base */
      stp_ir_value_t **captured;
      stp_ir_value_t **syms;
      const stp_affine_set_t *set;
      const stp_affine_map_t *order;
    } indirect;

    /* scf.for: body = regions[0], arguments: induction variable, then one per init */
    struct {
      stp_ir_value_t *lb, *ub, *step;
      int num_inits;
      stp_ir_value_t **inits;
    } loop;
    /* scf.if: condition = operands[0], then = regions[0], else = regions[1] or NULL */

    /* scf.parallel (inits: initial values of reductions), scf.forall (inits: shared outputs) */
    struct {
      int rank;
      const stp_ir_dim_t *lb, *ub, *step;
      int num_inits;
      stp_ir_value_t **inits;
    } parallel;

    /* every linalg op but index and yield */
    struct {
      int num_ins, num_outs;
      stp_ir_value_t **ins, **outs;
      /* The iteration space: filled for every op, named or not. maps: ins, then outs. */
      int num_loops;
      const stp_ir_iter_t *iterators;
      const stp_affine_map_t *const *maps;
      int num_dims;
      const int64_t *dims; /* reduce, broadcast: dimensions; transpose: permutation */
      /* reduce: the op if each output is folded by that one op on (element, accumulator) in
         either order; NONE for any other body. generic: likewise, if some loop is a reduction. */
      stp_ir_op_kind_t combiner;
      stp_ir_block_t *body; /* reduce, map, generic: arguments ins, then outs (map: may lack
                               outs); NULL for named ops */
    } linalg;

    /* tensor.extract_slice (dest NULL), insert_slice, parallel_insert_slice, memref.subview */
    struct {
      stp_ir_value_t *source, *dest;
      int rank; /* of the larger shape, in which offsets, sizes and strides count */
      const stp_ir_dim_t *offsets, *sizes, *strides;
      unsigned dropped; /* bit d: the smaller shape lacks dim d (of size 1) */
    } slice;

    /* tensor.expand_shape, collapse_shape: dim i of the smaller shape corresponds to
       group_size[i] consecutive dims of the larger one */
    struct {
      int num_groups;
      const int *group_size;
      const stp_ir_dim_t *shape; /* expand_shape: the result's sizes */
    } reshape;

    /* ktdp.inter_tile_*: sets of tile ids (i)[g] */
    struct {
      const stp_affine_set_t *tiles;        /* producers (produce) or consumers (others) */
      const stp_affine_set_t *dependencies; /* producer_dependency_per_consumer, or NULL */
      stp_ir_value_t *future;               /* NULL for produce */
      int num_identities;
      stp_ir_value_t **identities;
      int64_t scatter_dim; /* reduce_scatter, -1 if not given */
    } inter;
  } u;
};

struct stp_ir_func {
  const char *name;
  stp_loc_t loc;
  int grid_rank;                 /* 1 if no grid is given */
  int64_t grid[STP_IR_MAX_RANK]; /* sizes; dimension 0 varies fastest in the flat tile id */
  int64_t num_tiles;             /* their product */
  stp_ir_block_t *body;          /* arguments = the function's; NULL for a declaration */
  int num_result_types;
  const stp_ir_type_t *const *result_types;
  int num_values; /* ids of values run from 0 to num_values - 1 */
  int num_ops;
  int num_attrs;
  const stp_ir_named_attr_t *attrs;
  struct stp_ir_module *module;
  bool broken; /* had errors while it was read; never set in a module that a user sees */
};

typedef struct stp_ir_module {
  stp_arena_t arena;
  const char *file; /* copy of the name given to the reader */
  int num_funcs;
  stp_ir_func_t **funcs;
  int num_attrs;
  const stp_ir_named_attr_t *attrs;
  struct stp_ir_types *types; /* the table of unique types */
} stp_ir_module_t;

/* ---- reading and walking ----------------------------------------------------------------- */

/*
 * Read and verify a module from text (which need not be terminated). Problems go to `diags`, which
 * was initialised for the same text. Returns the module, owned by the caller, or NULL if there was
 * an error; warnings alone do not make it fail. Never crashes, whatever the bytes.
 */
stp_ir_module_t *stp_ktir_read(const char *file, const char *text, size_t len, stp_diags_t *diags);
void stp_ir_module_free(stp_ir_module_t *module);

/*
 * --verify-diagnostics: split the text at lines that begin with "// -----", read each section and
 * compare its diagnostics with the expected-... comments in it (diag.h). Differences go to `out`.
 * Returns their number: 0 means that the file is as its comments say.
 */
int stp_ktir_verify_diagnostics(const char *file, const char *text, size_t len, FILE *out);

/* The function of that name; `name` NULL: the only one. NULL if there is none (or several). */
stp_ir_func_t *stp_ir_func_find(const stp_ir_module_t *module, const char *name);

/* The op's attribute of that name, or NULL. */
const stp_ir_attr_t *stp_ir_op_attr(const stp_ir_op_t *op, const char *name);

/* The op that comes after `op` in a walk of everything inside `root` (pre-order, program order);
   start with `op` NULL. Returns NULL at the end. */
stp_ir_op_t *stp_ir_walk(const stp_ir_block_t *root, const stp_ir_op_t *op);

/* The integer of a scalar constant of integer or index type; false for any other value. */
bool stp_ir_value_constant(const stp_ir_value_t *value, int64_t *result);

/* Print the module in MLIR's generic form, with unique value names; reading it back gives the same
   module. */
void stp_ir_print(const stp_ir_module_t *module, FILE *out);

#endif
