/* SPDX-License-Identifier: Apache-2.0 */
/* What single elements mean: integers here, floats in exact mode by the integer numerics, floats in
 * float64 mode by the C library. One table says which is which. */
#include "internal.h"

#include <math.h>

/* ---- types ---------------------------------------------------------------------------------- */

int stp_num_fmt(stp_ir_elem_t elem) {
  switch (elem) {
  case STP_ELEM_F16:
    return STP_FMT_F16;
  case STP_ELEM_BF16:
    return STP_FMT_BF16;
  case STP_ELEM_F32:
    return STP_FMT_F32;
  default:
    return -1;
  }
}

double stp_cell_to_double(stp_ir_elem_t elem, uint64_t bits) {
  return stp_num_to_double((unsigned)stp_num_fmt(elem), (uint32_t)bits);
}

uint64_t stp_cell_from_double(stp_ir_elem_t elem, double value) {
  return stp_num_from_double((unsigned)stp_num_fmt(elem), value);
}

bool stp_cell_from_bits(const stp_run_t *r, stp_ir_elem_t elem, uint64_t bits, stp_cell_t *cell) {
  if (!r->wide || stp_ir_elem_is_int(elem)) {
    cell->u = bits;
    return true;
  }
  if (stp_num_fmt(elem) < 0) return false;
  cell->f = stp_cell_to_double(elem, bits);
  return true;
}

int64_t stp_int_wrap(uint64_t x, int width) {
  if (width == 1) return (int64_t)(x & 1);
  return (int64_t)(x << (64 - width)) >> (64 - width);
}

static uint64_t as_unsigned(int64_t x, int width) {
  return width == 64 ? (uint64_t)x : (uint64_t)x & (((uint64_t)1 << width) - 1);
}

/* i1 as a signed number is 0 or -1. */
static int64_t as_signed(int64_t x, int width) {
  return width == 1 ? -(x & 1) : x;
}

/* ---- the table ------------------------------------------------------------------------------ */

typedef double (*fn1_t)(double);
typedef double (*fn2_t)(double, double);

/* Float ops. In exact mode `op` (and `fn`) of the numerics, or, where `exact` is set, the float64
   function: its result is a number of the operands' type, so no rounding is involved. */
typedef struct {
  stp_ir_op_kind_t kind;
  int op; /* -1: none */
  unsigned fn;
  bool exact;
  fn1_t f1;
  fn2_t f2;
} float_op_t;

static double add2(double a, double b) {
  return a + b;
}
static double sub2(double a, double b) {
  return a - b;
}
static double mul2(double a, double b) {
  return a * b;
}
static double div2(double a, double b) {
  return a / b;
}
static double neg1(double a) {
  return -a;
}
static double rsqrt1(double a) {
  return 1 / sqrt(a);
}

/* -0 is below +0. */
static double larger(double a, double b) {
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}
static double maximum2(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : larger(a, b);
}
static double minimum2(double a, double b) {
  return -maximum2(-a, -b);
}
static double maxnum2(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : larger(a, b);
}
static double minnum2(double a, double b) {
  return -maxnum2(-a, -b);
}

static const float_op_t float_ops[] = {
    {STP_OP_ARITH_ADDF, STP_OP_VADD, 0, false, NULL, add2},
    {STP_OP_ARITH_SUBF, STP_OP_VSUB, 0, false, NULL, sub2},
    {STP_OP_ARITH_MULF, STP_OP_VMUL, 0, false, NULL, mul2},
    {STP_OP_ARITH_DIVF, STP_OP_VDIV, 0, false, NULL, div2},
    {STP_OP_ARITH_REMF, -1, 0, true, NULL, fmod},
    {STP_OP_ARITH_MAXIMUMF, STP_OP_VMAX, 0, false, NULL, maximum2},
    {STP_OP_ARITH_MINIMUMF, STP_OP_VMIN, 0, false, NULL, minimum2},
    {STP_OP_ARITH_MAXNUMF, STP_OP_VMAXNUM, 0, false, NULL, maxnum2},
    {STP_OP_ARITH_MINNUMF, STP_OP_VMINNUM, 0, false, NULL, minnum2},
    {STP_OP_ARITH_NEGF, STP_OP_VNEG, 0, false, neg1, NULL},
    {STP_OP_MATH_ABSF, STP_OP_VABS, 0, false, fabs, NULL},
    {STP_OP_MATH_CEIL, -1, 0, true, ceil, NULL},
    {STP_OP_MATH_FLOOR, -1, 0, true, floor, NULL},
    {STP_OP_MATH_EXP, STP_OP_VFUNC, STP_VFUNC_EXP, false, exp, NULL},
    {STP_OP_MATH_EXP2, STP_OP_VFUNC, STP_VFUNC_EXP2, false, exp2, NULL},
    {STP_OP_MATH_LOG, STP_OP_VFUNC, STP_VFUNC_LOG, false, log, NULL},
    {STP_OP_MATH_LOG2, STP_OP_VFUNC, STP_VFUNC_LOG2, false, log2, NULL},
    {STP_OP_MATH_LOG1P, -1, 0, false, log1p, NULL},
    {STP_OP_MATH_SQRT, STP_OP_VSQRT, 0, false, sqrt, NULL},
    {STP_OP_MATH_RSQRT, STP_OP_VFUNC, STP_VFUNC_RSQRT, false, rsqrt1, NULL},
    {STP_OP_MATH_TANH, STP_OP_VFUNC, STP_VFUNC_TANH, false, tanh, NULL},
    {STP_OP_MATH_ERF, STP_OP_VFUNC, STP_VFUNC_ERF, false, erf, NULL},
    {STP_OP_MATH_SIN, STP_OP_VFUNC, STP_VFUNC_SIN, false, sin, NULL},
    {STP_OP_MATH_COS, STP_OP_VFUNC, STP_VFUNC_COS, false, cos, NULL},
    {STP_OP_MATH_POWF, -1, 0, false, NULL, pow},
    {STP_OP_MATH_FMA, STP_OP_VFMA, 0, false, NULL, NULL},
};

static const float_op_t *find_float_op(stp_ir_op_kind_t kind) {
  for (size_t i = 0; i < sizeof float_ops / sizeof float_ops[0]; i++) {
    if (float_ops[i].kind == kind) return &float_ops[i];
  }
  return NULL;
}

/* ---- floats --------------------------------------------------------------------------------- */

static bool unsupported(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  const char *elem = stp_ir_elem_name(row->from);
  if (row->kind == op->kind) {
    return stp_run_error(r, op, "on %s is not supported by the interpreter's numerics", elem);
  }
  return stp_run_error(r, op, "needs '%s' on %s, which the interpreter's numerics do not have",
                       stp_ir_op_name(row->kind), elem);
}

#define IN(k) (row->in[k][i * row->step[k]])

static void float64_row(const stp_row_t *row, const float_op_t *f) {
  for (int64_t i = 0; i < row->count; i++) {
    row->out[i].f = f->f1 != NULL   ? f->f1(IN(0).f)
                    : f->f2 != NULL ? f->f2(IN(0).f, IN(1).f)
                                    : IN(0).f * IN(1).f + IN(2).f;
  }
}

static bool float_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  const float_op_t *f = find_float_op(row->kind);
  if (f == NULL) return unsupported(r, op, row);
  if (r->wide) {
    float64_row(row, f);
    return true;
  }
  int fmt = stp_num_fmt(row->from);
  if (fmt >= 0 && f->exact) {
    for (int64_t i = 0; i < row->count; i++) {
      double a = stp_cell_to_double(row->from, IN(0).u);
      double y = f->f1 != NULL ? f->f1(a) : f->f2(a, stp_cell_to_double(row->from, IN(1).u));
      row->out[i].u = stp_cell_from_double(row->from, y);
    }
    return true;
  }
  if (fmt < 0 || f->op < 0 || !stp_num_supports((unsigned)f->op, f->fn, (unsigned)fmt, 0)) {
    return unsupported(r, op, row);
  }
  int operands = f->f1 != NULL ? 1 : f->f2 != NULL ? 2 : 3;
  for (int64_t i = 0; i < row->count; i++) {
    row->out[i].u =
        r->num->op((unsigned)f->op, f->fn, (unsigned)fmt, 0, (uint32_t)IN(0).u,
                   operands > 1 ? (uint32_t)IN(1).u : 0, operands > 2 ? (uint32_t)IN(2).u : 0);
  }
  return true;
}

/* Outcomes of a comparison: bit 0 equal, 1 greater, 2 less, 3 unordered. */
static bool float_outcome(unsigned predicate, unsigned outcome) {
  static const uint8_t sets[] = {
      [STP_CMPF_FALSE] = 0, [STP_CMPF_OEQ] = 1,  [STP_CMPF_OGT] = 2,  [STP_CMPF_OGE] = 3,
      [STP_CMPF_OLT] = 4,   [STP_CMPF_OLE] = 5,  [STP_CMPF_ONE] = 6,  [STP_CMPF_ORD] = 7,
      [STP_CMPF_UEQ] = 9,   [STP_CMPF_UGT] = 10, [STP_CMPF_UGE] = 11, [STP_CMPF_ULT] = 12,
      [STP_CMPF_ULE] = 13,  [STP_CMPF_UNE] = 14, [STP_CMPF_UNO] = 8,  [STP_CMPF_TRUE] = 15};
  return (sets[predicate & 15] & outcome) != 0;
}

static bool cmpf_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  static const uint8_t vcmp[] = {
      [STP_CMPF_FALSE] = STP_VCMP_FALSE, [STP_CMPF_OEQ] = STP_VCMP_OEQ,
      [STP_CMPF_OGT] = STP_VCMP_OGT,     [STP_CMPF_OGE] = STP_VCMP_OGE,
      [STP_CMPF_OLT] = STP_VCMP_OLT,     [STP_CMPF_OLE] = STP_VCMP_OLE,
      [STP_CMPF_ONE] = STP_VCMP_ONE,     [STP_CMPF_ORD] = STP_VCMP_ORD,
      [STP_CMPF_UEQ] = STP_VCMP_UEQ,     [STP_CMPF_UGT] = STP_VCMP_UGT,
      [STP_CMPF_UGE] = STP_VCMP_UGE,     [STP_CMPF_ULT] = STP_VCMP_ULT,
      [STP_CMPF_ULE] = STP_VCMP_ULE,     [STP_CMPF_UNE] = STP_VCMP_UNE,
      [STP_CMPF_UNO] = STP_VCMP_UNO,     [STP_CMPF_TRUE] = STP_VCMP_TRUE};
  int fmt = stp_num_fmt(row->from);
  if (!r->wide && fmt < 0) return unsupported(r, op, row);
  for (int64_t i = 0; i < row->count; i++) {
    if (r->wide) {
      double a = IN(0).f, b = IN(1).f;
      unsigned outcome = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
      row->out[i].u = float_outcome(row->predicate, outcome);
    } else {
      row->out[i].u = r->num->op(STP_OP_VCMP, vcmp[row->predicate & 15], (unsigned)fmt, 0,
                                 (uint32_t)IN(0).u, (uint32_t)IN(1).u, 0) != 0;
    }
  }
  return true;
}

/* ---- casts ---------------------------------------------------------------------------------- */

/* A 64-bit integer as a double rounded to odd: rounding that again to 24 bits or fewer is right. */
static double int_to_odd(bool negative, uint64_t magnitude) {
  int shift = magnitude >> 53 == 0 ? 0 : 11 - __builtin_clzll(magnitude);
  uint64_t top = magnitude >> shift;
  if (top << shift != magnitude) top |= 1;
  double x = ldexp((double)top, shift);
  return negative ? -x : x;
}

static bool int_to_float(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  int fmt = stp_num_fmt(row->to), width = stp_ir_elem_bits(row->from);
  bool is_signed = row->kind == STP_OP_ARITH_SITOFP;
  if (!r->wide && fmt < 0) return unsupported(r, op, row);
  for (int64_t i = 0; i < row->count; i++) {
    int64_t s = as_signed(IN(0).i, width);
    uint64_t u = as_unsigned(IN(0).i, width);
    bool negative = is_signed && s < 0;
    uint64_t magnitude = negative ? 0 - (uint64_t)s : is_signed ? (uint64_t)s : u;
    if (r->wide) {
      row->out[i].f = negative ? -(double)magnitude : (double)magnitude;
    } else if (magnitude <= INT32_MAX) {
      uint32_t x = negative ? 0 - (uint32_t)magnitude : (uint32_t)magnitude;
      row->out[i].u = r->num->op(STP_OP_VCVT, 0, (unsigned)fmt, STP_FMT_I32, x, 0, 0);
    } else {
      row->out[i].u = stp_cell_from_double(row->to, int_to_odd(negative, magnitude));
    }
  }
  return true;
}

/* Toward zero, saturating; NaN gives 0: the rule of numerics.md for i32, for every width. */
static bool float_to_int(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  int width = stp_ir_elem_bits(row->to);
  bool is_signed = row->kind == STP_OP_ARITH_FPTOSI;
  if (!r->wide && stp_num_fmt(row->from) < 0) return unsupported(r, op, row);
  double above = ldexp(1, is_signed ? width - 1 : width);
  uint64_t top = is_signed ? ((uint64_t)1 << (width - 1)) - 1 : as_unsigned(-1, width);
  for (int64_t i = 0; i < row->count; i++) {
    double x = trunc(r->wide ? IN(0).f : stp_cell_to_double(row->from, IN(0).u));
    uint64_t y;
    if (isnan(x)) {
      y = 0;
    } else if (x >= above) {
      y = top;
    } else if (x < 0) {
      y = !is_signed ? 0 : x <= -above ? ~top : 0 - (uint64_t)-x;
    } else {
      y = (uint64_t)x;
    }
    row->out[i].i = stp_int_wrap(y, width);
  }
  return true;
}

static bool float_to_float(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  int from = stp_num_fmt(row->from), to = stp_num_fmt(row->to);
  if (!r->wide && (from < 0 || to < 0)) return unsupported(r, op, row);
  for (int64_t i = 0; i < row->count; i++) {
    if (r->wide)
      row->out[i] = IN(0);
    else
      row->out[i].u =
          r->num->op(STP_OP_VCVT, 0, (unsigned)to, (unsigned)from, (uint32_t)IN(0).u, 0, 0);
  }
  return true;
}

static bool bitcast_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  bool from_float = r->wide && stp_ir_elem_is_float(row->from);
  bool to_float = stp_ir_elem_is_float(row->to);
  int width = stp_ir_elem_bits(row->to);
  if (from_float && stp_num_fmt(row->from) < 0) return unsupported(r, op, row);
  for (int64_t i = 0; i < row->count; i++) {
    uint64_t bits = from_float ? stp_cell_from_double(row->from, IN(0).f) : IN(0).u;
    if (!to_float)
      row->out[i].i = stp_int_wrap(bits, width);
    else if (!stp_cell_from_bits(r, row->to, as_unsigned((int64_t)bits, width), &row->out[i]))
      return unsupported(r, op, row);
  }
  return true;
}

/* ---- integers ------------------------------------------------------------------------------- */

static const char *divide(stp_ir_op_kind_t kind, int64_t a, int64_t b, int width, uint64_t *out) {
  uint64_t ua = as_unsigned(a, width), ub = as_unsigned(b, width);
  a = as_signed(a, width);
  b = as_signed(b, width);
  if (b == 0) return "divides by zero";
  bool is_unsigned =
      kind == STP_OP_ARITH_DIVUI || kind == STP_OP_ARITH_REMUI || kind == STP_OP_ARITH_CEILDIVUI;
  if (is_unsigned) {
    *out = kind == STP_OP_ARITH_REMUI ? ua % ub
                                      : ua / ub + (kind == STP_OP_ARITH_CEILDIVUI && ua % ub != 0);
    return NULL;
  }
  if (b == -1) { /* INT64_MIN / -1 must not be computed */
    *out = kind == STP_OP_ARITH_REMSI ? 0 : 0 - (uint64_t)a;
    bool overflows = kind != STP_OP_ARITH_REMSI && a == INT64_MIN >> (64 - width);
    return overflows ? "divides the lowest number by -1, which has no result" : NULL;
  }
  bool inexact = a % b != 0, negative = (a < 0) != (b < 0);
  int64_t q = a / b;
  if (kind == STP_OP_ARITH_FLOORDIVSI) q -= inexact && negative;
  if (kind == STP_OP_ARITH_CEILDIVSI) q += inexact && !negative;
  *out = kind == STP_OP_ARITH_REMSI ? (uint64_t)(a % b) : (uint64_t)q;
  return NULL;
}

/* Gives NULL, or what is wrong. */
static const char *int_binary(stp_ir_op_kind_t kind, int64_t a, int64_t b, int width,
                              uint64_t *out) {
  uint64_t ua = as_unsigned(a, width), ub = as_unsigned(b, width);
  int64_t sa = as_signed(a, width), sb = as_signed(b, width);
  switch (kind) {
  case STP_OP_ARITH_ADDI:
    *out = ua + ub;
    return NULL;
  case STP_OP_ARITH_SUBI:
    *out = ua - ub;
    return NULL;
  case STP_OP_ARITH_MULI:
    *out = ua * ub;
    return NULL;
  case STP_OP_ARITH_ANDI:
    *out = ua & ub;
    return NULL;
  case STP_OP_ARITH_ORI:
    *out = ua | ub;
    return NULL;
  case STP_OP_ARITH_XORI:
    *out = ua ^ ub;
    return NULL;
  case STP_OP_ARITH_SHLI:
  case STP_OP_ARITH_SHRSI:
  case STP_OP_ARITH_SHRUI:
    if (ub >= (uint64_t)width) return "shifts by the width of the type or more";
    *out = kind == STP_OP_ARITH_SHLI    ? ua << ub
           : kind == STP_OP_ARITH_SHRUI ? ua >> ub
                                        : (uint64_t)(sa >> ub);
    return NULL;
  case STP_OP_ARITH_MAXSI:
    *out = sa > sb ? ua : ub;
    return NULL;
  case STP_OP_ARITH_MINSI:
    *out = sa < sb ? ua : ub;
    return NULL;
  case STP_OP_ARITH_MAXUI:
    *out = ua > ub ? ua : ub;
    return NULL;
  case STP_OP_ARITH_MINUI:
    *out = ua < ub ? ua : ub;
    return NULL;
  default:
    return divide(kind, a, b, width, out);
  }
}

static bool int_compare(unsigned predicate, int64_t a, int64_t b, int width) {
  uint64_t ua = as_unsigned(a, width), ub = as_unsigned(b, width);
  int64_t sa = as_signed(a, width), sb = as_signed(b, width);
  switch (predicate) {
  case STP_CMPI_EQ:
    return ua == ub;
  case STP_CMPI_NE:
    return ua != ub;
  case STP_CMPI_SLT:
    return sa < sb;
  case STP_CMPI_SLE:
    return sa <= sb;
  case STP_CMPI_SGT:
    return sa > sb;
  case STP_CMPI_SGE:
    return sa >= sb;
  case STP_CMPI_ULT:
    return ua < ub;
  case STP_CMPI_ULE:
    return ua <= ub;
  case STP_CMPI_UGT:
    return ua > ub;
  default:
    return ua >= ub;
  }
}

static bool int_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  int from = stp_ir_elem_bits(row->from), to = stp_ir_elem_bits(row->to);
  for (int64_t i = 0; i < row->count; i++) {
    int64_t a = IN(0).i;
    uint64_t y = 0;
    const char *wrong = NULL;
    switch (row->kind) {
    case STP_OP_ARITH_CMPI:
      y = int_compare(row->predicate, a, IN(1).i, from);
      break;
    case STP_OP_MATH_ABSI:
      y = as_signed(a, from) < 0 ? 0 - (uint64_t)as_signed(a, from) : (uint64_t)a;
      break;
    case STP_OP_ARITH_EXTSI:
    case STP_OP_ARITH_INDEX_CAST:
      y = (uint64_t)as_signed(a, from);
      break;
    case STP_OP_ARITH_EXTUI:
    case STP_OP_ARITH_INDEX_CASTUI:
      y = as_unsigned(a, from);
      break;
    case STP_OP_ARITH_TRUNCI:
      y = (uint64_t)a;
      break;
    default:
      wrong = int_binary(row->kind, a, IN(1).i, from, &y);
      break;
    }
    if (wrong != NULL) return stp_run_error(r, op, "%s", wrong);
    row->out[i].i = stp_int_wrap(y, to);
  }
  return true;
}

static bool select_row(const stp_row_t *row) {
  for (int64_t i = 0; i < row->count; i++) row->out[i] = IN(0).u != 0 ? IN(1) : IN(2);
  return true;
}

bool stp_run_row(stp_run_t *r, const stp_ir_op_t *op, const stp_row_t *row) {
  stp_ir_op_kind_t kind = row->kind;
  switch (kind) {
  case STP_OP_ARITH_SELECT:
    return select_row(row);
  case STP_OP_ARITH_CMPF:
    return cmpf_row(r, op, row);
  case STP_OP_ARITH_EXTF:
  case STP_OP_ARITH_TRUNCF:
  case STP_OP_ARITH_CONVERTF:
    return float_to_float(r, op, row);
  case STP_OP_ARITH_SITOFP:
  case STP_OP_ARITH_UITOFP:
    return int_to_float(r, op, row);
  case STP_OP_ARITH_FPTOSI:
  case STP_OP_ARITH_FPTOUI:
    return float_to_int(r, op, row);
  case STP_OP_ARITH_BITCAST:
    return bitcast_row(r, op, row);
  case STP_OP_ARITH_CMPI:
  case STP_OP_ARITH_EXTSI:
  case STP_OP_ARITH_EXTUI:
  case STP_OP_ARITH_TRUNCI:
  case STP_OP_ARITH_INDEX_CAST:
  case STP_OP_ARITH_INDEX_CASTUI:
  case STP_OP_MATH_ABSI:
    return int_row(r, op, row);
  default:
    return STP_OP_IS_INT_BINARY(kind) ? int_row(r, op, row) : float_row(r, op, row);
  }
}
