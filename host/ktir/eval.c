/* SPDX-License-Identifier: Apache-2.0 */
#include "args.h"

static const stp_ival_t unknown = {false, NULL, 0};

static stp_ival_t known(int64_t value) {
  return (stp_ival_t){true, NULL, value};
}

static int width_of(const stp_ir_value_t *value) {
  return stp_ir_elem_bits(value->type->elem);
}

/* Wrap to the width of a type: i1 is 0 or 1, others are sign-extended. */
static int64_t wrap(uint64_t x, int width) {
  if (width == 1) {
    return (int64_t)(x & 1);
  }
  return (int64_t)(x << (64 - width)) >> (64 - width);
}

/* As an unsigned number of the width. */
static uint64_t as_unsigned(int64_t x, int width) {
  return width == 64 ? (uint64_t)x : (uint64_t)x & (((uint64_t)1 << width) - 1);
}

/* As a signed number of the width: i1 is 0 or -1. */
static int64_t as_signed(int64_t x, int width) {
  return width == 1 ? -(x & 1) : x;
}

static stp_ival_t divide(stp_ir_op_kind_t kind, int64_t x, int64_t y, int width) {
  uint64_t ux = as_unsigned(x, width);
  uint64_t uy = as_unsigned(y, width);
  x = as_signed(x, width);
  y = as_signed(y, width);
  if (y == 0) {
    return unknown;
  }
  /* -2^(w-1) / -1 has no result in the type; remainders by -1 are 0. */
  bool minus_one = y == -1;
  int64_t lowest = INT64_MIN >> (64 - width);
  bool overflows = minus_one && x == lowest;
  switch (kind) {
  case STP_OP_ARITH_DIVUI:
    return known(wrap(ux / uy, width));
  case STP_OP_ARITH_REMUI:
    return known(wrap(ux % uy, width));
  case STP_OP_ARITH_CEILDIVUI:
    return known(wrap(ux / uy + (ux % uy != 0), width));
  case STP_OP_ARITH_REMSI:
    return known(minus_one ? 0 : wrap((uint64_t)(x % y), width));
  case STP_OP_ARITH_DIVSI:
    return overflows ? unknown : known(wrap((uint64_t)(x / y), width));
  case STP_OP_ARITH_FLOORDIVSI:
    return overflows ? unknown
                     : known(wrap((uint64_t)(x / y - (x % y != 0 && (x < 0) != (y < 0))), width));
  default:
    return overflows ? unknown
                     : known(wrap((uint64_t)(x / y + (x % y != 0 && (x < 0) == (y < 0))), width));
  }
}

static stp_ival_t shift(stp_ir_op_kind_t kind, int64_t x, int64_t y, int width) {
  uint64_t amount = as_unsigned(y, width);
  if (amount >= (uint64_t)width) {
    return unknown; /* poison in MLIR */
  }
  if (kind == STP_OP_ARITH_SHLI) {
    return known(wrap((uint64_t)x << amount, width));
  }
  if (kind == STP_OP_ARITH_SHRUI) {
    return known(wrap(as_unsigned(x, width) >> amount, width));
  }
  return known(wrap((uint64_t)(as_signed(x, width) >> amount), width));
}

static bool compare(stp_ir_cmpi_t predicate, int64_t x, int64_t y, int width) {
  uint64_t ux = as_unsigned(x, width);
  uint64_t uy = as_unsigned(y, width);
  x = as_signed(x, width);
  y = as_signed(y, width);
  switch (predicate) {
  case STP_CMPI_EQ:
    return x == y;
  case STP_CMPI_NE:
    return x != y;
  case STP_CMPI_SLT:
    return x < y;
  case STP_CMPI_SLE:
    return x <= y;
  case STP_CMPI_SGT:
    return x > y;
  case STP_CMPI_SGE:
    return x >= y;
  case STP_CMPI_ULT:
    return ux < uy;
  case STP_CMPI_ULE:
    return ux <= uy;
  case STP_CMPI_UGT:
    return ux > uy;
  default:
    return ux >= uy;
  }
}

static stp_ival_t binary(const stp_ir_op_t *op, stp_ival_t a, stp_ival_t b) {
  int width = width_of(op->results[0]);
  uint64_t x = (uint64_t)a.value;
  uint64_t y = (uint64_t)b.value;
  int64_t sx = as_signed(a.value, width);
  int64_t sy = as_signed(b.value, width);
  switch (op->kind) {
  case STP_OP_ARITH_ADDI:
    if (a.base != NULL && b.base != NULL) {
      return unknown;
    }
    return (stp_ival_t){true, a.base != NULL ? a.base : b.base, wrap(x + y, width)};
  case STP_OP_ARITH_SUBI:
    if (b.base != NULL && b.base != a.base) {
      return unknown;
    }
    return (stp_ival_t){true, b.base != NULL ? NULL : a.base, wrap(x - y, width)};
  default:
    break;
  }
  if (a.base != NULL || b.base != NULL) {
    return unknown;
  }
  switch (op->kind) {
  case STP_OP_ARITH_MULI:
    return known(wrap(x * y, width));
  case STP_OP_ARITH_ANDI:
    return known(wrap(x & y, width));
  case STP_OP_ARITH_ORI:
    return known(wrap(x | y, width));
  case STP_OP_ARITH_XORI:
    return known(wrap(x ^ y, width));
  case STP_OP_ARITH_SHLI:
  case STP_OP_ARITH_SHRSI:
  case STP_OP_ARITH_SHRUI:
    return shift(op->kind, a.value, b.value, width);
  case STP_OP_ARITH_MAXSI:
    return sx > sy ? a : b;
  case STP_OP_ARITH_MINSI:
    return sx < sy ? a : b;
  case STP_OP_ARITH_MAXUI:
    return as_unsigned(a.value, width) > as_unsigned(b.value, width) ? a : b;
  case STP_OP_ARITH_MINUI:
    return as_unsigned(a.value, width) < as_unsigned(b.value, width) ? a : b;
  default:
    return divide(op->kind, a.value, b.value, width);
  }
}

static bool is_int_scalar(const stp_ir_type_t *type) {
  return type->kind == STP_TYPE_SCALAR && stp_ir_elem_is_int(type->elem);
}

stp_ival_t stp_eval_op(const stp_ir_op_t *op, const stp_ival_t *in) {
  if (op->num_results != 1 || !is_int_scalar(op->results[0]->type)) {
    return unknown;
  }
  int width = width_of(op->results[0]);
  if (op->kind == STP_OP_ARITH_CONSTANT) {
    return known((int64_t)op->u.constant->bits[0]);
  }
  if (op->kind == STP_OP_KTDP_RUNTIME_ARG_EXTRACT) {
    const stp_ir_type_t *type = op->operands[0]->type;
    return op->u.extract == STP_ARG_VALUE         ? in[0]
           : op->u.extract == STP_ARG_GRANULARITY ? known(type->granularity)
                                                  : known(type->upperbound);
  }
  for (int i = 0; i < op->num_operands; i++) {
    if (!is_int_scalar(op->operands[i]->type)) {
      return unknown;
    }
  }
  if (op->kind == STP_OP_ARITH_SELECT) {
    if (!in[0].known) {
      return unknown;
    }
    return in[0].value != 0 ? in[1] : in[2];
  }
  for (int i = 0; i < op->num_operands; i++) {
    if (!in[i].known) {
      return unknown;
    }
  }
  if (STP_OP_IS_INT_BINARY(op->kind)) {
    return binary(op, in[0], in[1]);
  }
  int from = op->num_operands > 0 ? width_of(op->operands[0]) : 0;
  switch (op->kind) {
  case STP_OP_ARITH_CMPI:
    if (in[0].base != in[1].base) {
      return unknown;
    }
    return known(compare(op->u.cmpi, in[0].value, in[1].value, from));
  case STP_OP_MATH_ABSI:
    if (in[0].base != NULL) {
      return unknown;
    }
    return known(as_signed(in[0].value, width) < 0 ? wrap(0 - (uint64_t)in[0].value, width)
                                                   : in[0].value);
  case STP_OP_ARITH_EXTSI:
    return known(wrap((uint64_t)as_signed(in[0].value, from), width));
  case STP_OP_ARITH_EXTUI:
    return known(wrap(as_unsigned(in[0].value, from), width));
  case STP_OP_ARITH_INDEX_CAST: /* a narrower address is still the address */
    return (stp_ival_t){true, in[0].base, wrap((uint64_t)as_signed(in[0].value, from), width)};
  case STP_OP_ARITH_INDEX_CASTUI:
    return (stp_ival_t){true, in[0].base, wrap(as_unsigned(in[0].value, from), width)};
  case STP_OP_ARITH_TRUNCI:
  case STP_OP_ARITH_BITCAST:
    return in[0].base != NULL ? unknown : known(wrap((uint64_t)in[0].value, width));
  default:
    return unknown;
  }
}

int64_t stp_tile_coordinate(const stp_ir_func_t *func, int64_t tile, int dim) {
  for (int i = 0; i < dim && i < func->grid_rank; i++) {
    tile /= func->grid[i];
  }
  return dim < func->grid_rank ? tile % func->grid[dim] : 0;
}

static stp_ival_t eval(const stp_ir_func_t *func, const stp_bindings_t *bindings, int64_t tile,
                       const stp_ir_value_t *value, int *budget) {
  if (--*budget < 0) {
    return unknown;
  }
  if (value->def == NULL) {
    if (value->block != func->body || bindings == NULL || value->index >= bindings->count ||
        !bindings->bound[value->index]) {
      return unknown;
    }
    return known(bindings->values[value->index]);
  }
  const stp_ir_op_t *op = value->def;
  if (op->kind == STP_OP_KTDP_GET_COMPUTE_TILE_ID) {
    return known(stp_tile_coordinate(func, tile, value->index));
  }
  stp_ival_t in[3] = {unknown, unknown, unknown};
  if (op->num_operands > 3) {
    return unknown;
  }
  for (int i = 0; i < op->num_operands; i++) {
    in[i] = eval(func, bindings, tile, op->operands[i], budget);
  }
  return stp_eval_op(op, in);
}

stp_ival_t stp_eval_value(const stp_ir_func_t *func, const stp_bindings_t *bindings, int64_t tile,
                          const stp_ir_value_t *value) {
  int budget = 2000; /* of steps: bounds both the depth and shared subexpressions */
  return eval(func, bindings, tile, value, &budget);
}
