/* SPDX-License-Identifier: Apache-2.0 */
/* Integer scalars of the kernel as linear forms. What does not fold becomes a symbol that the
 * sequencers compute. */
#include "build.h"
#include "stp_isa.h"

#define ALU(op) ((op)-STP_OP_ADD)

bool stp_build_lin(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *value,
                   stp_lin_t *lin) {
  if (b->has_lin[value->id]) {
    *lin = b->lins[value->id];
    return true;
  }
  if (value->def == NULL && value->block && value->block->parent == NULL) {
    return stp_build_error(b, op, "needs the value of argument '%%%s', which is not bound",
                           value->name);
  }
  return stp_build_error(
      b, op, "depends on '%%%s', which the scheduler cannot compute as a scalar yet", value->name);
}

/* The innermost block among those whose executions change a form's symbols. */
static const stp_block_t *form_block(const stp_plan_t *p, const stp_lin_t *a,
                                     const stp_block_t *block) {
  for (int i = 0; i < a->n; i++) {
    const stp_block_t *s = p->syms[a->t[i].sym].block;
    if (s && (!block || s->depth > block->depth)) block = s;
  }
  return block;
}

static void bound_alu(const stp_plan_t *p, stp_sym_t *s) {
  int64_t al, ah, bl, bh;
  bool ka = stp_lin_range(&s->a, p->syms, &al, &ah), kb = stp_lin_range(&s->b, p->syms, &bl, &bh);
  bool a_pos = ka && al >= 0, b_const = kb && bl == bh;
  s->bounded = true;
  switch (s->index + STP_OP_ADD) {
  case STP_OP_SLT:
  case STP_OP_SLTU:
  case STP_OP_SEQ:
  case STP_OP_SNE:
    s->lo = 0;
    s->hi = 1;
    return;
  case STP_OP_MUL:
    if (a_pos && kb && bl >= 0 && !__builtin_mul_overflow(ah, bh, &s->hi)) {
      s->lo = al * bl;
      return;
    }
    break;
  case STP_OP_DIVS:
  case STP_OP_DIVU:
    if (a_pos && b_const && bl > 0) {
      s->lo = al / bl;
      s->hi = ah / bl;
      return;
    }
    break;
  case STP_OP_REMS:
  case STP_OP_REMU:
    if (a_pos && b_const && bl > 0) {
      s->lo = 0;
      s->hi = ah < bl - 1 ? ah : bl - 1;
      return;
    }
    break;
  case STP_OP_AND:
    if (kb && bl >= 0) {
      s->lo = 0;
      s->hi = bh;
      return;
    }
    break;
  case STP_OP_SHR:
  case STP_OP_SRA:
    if (a_pos && b_const && bl >= 0 && bl < 64) {
      s->lo = (int64_t)((uint64_t)al >> bl);
      s->hi = (int64_t)((uint64_t)ah >> bl);
      return;
    }
    break;
  case STP_OP_MIN:
    if (ka && kb) {
      s->lo = al < bl ? al : bl;
      s->hi = ah < bh ? ah : bh;
      return;
    }
    break;
  case STP_OP_MAX:
    if (ka && kb) {
      s->lo = al > bl ? al : bl;
      s->hi = ah > bh ? ah : bh;
      return;
    }
    break;
  default:
    break;
  }
  s->bounded = false;
}

static bool same_op(const stp_sym_t *x, const stp_sym_t *y) {
  return x->kind == STP_SYM_OP && x->op == y->op && x->index == y->index &&
         stp_lin_equal(&x->a, &y->a) && stp_lin_equal(&x->b, &y->b) && stp_lin_equal(&x->d, &y->d);
}

static stp_lin_t op_form(stp_builder_t *b, stp_sym_t *s) {
  stp_plan_t *p = b->plan;
  s->kind = STP_SYM_OP;
  for (int i = 0; i < p->num_syms; i++) {
    if (same_op(&p->syms[i], s)) return stp_lin_sym(i);
  }
  s->block = form_block(p, &s->a, form_block(p, &s->b, form_block(p, &s->d, NULL)));
  return stp_lin_sym(stp_plan_sym(p, s));
}

static bool power_of_two(const stp_lin_t *a, int *log2) {
  if (!stp_lin_is_const(a) || a->c <= 0 || (a->c & (a->c - 1))) return false;
  *log2 = __builtin_ctzll((unsigned long long)a->c);
  return true;
}

static bool not_negative(const stp_plan_t *p, const stp_lin_t *a) {
  int64_t lo, hi;
  return stp_lin_range(a, p->syms, &lo, &hi) && lo >= 0;
}

static stp_lin_t alu(stp_builder_t *b, unsigned op, const stp_lin_t *x, const stp_lin_t *y) {
  if (stp_lin_is_const(x) && stp_lin_is_const(y))
    return stp_lin_const(stp_alu(ALU(op), x->c, y->c));
  stp_lin_t r;
  int log2;
  if (op == STP_OP_MUL) {
    if (stp_lin_is_const(y) && stp_lin_scale(&r, x, y->c)) return r;
    if (stp_lin_is_const(x) && stp_lin_scale(&r, y, x->c)) return r;
  }
  if (op == STP_OP_ADD && stp_lin_add(&r, x, y, 1)) return r;
  if (op == STP_OP_SUB && stp_lin_add(&r, x, y, -1)) return r;
  stp_sym_t s = {.op = STP_LINOP_ALU, .index = (int)ALU(op), .a = *x, .b = *y};
  if (power_of_two(y, &log2) && not_negative(b->plan, x)) {
    /* The iterative divider is slow: shift and mask where that is the same. */
    if (op == STP_OP_DIVS || op == STP_OP_DIVU) {
      if (!log2) return *x;
      s.index = (int)ALU(STP_OP_SHR);
      s.b = stp_lin_const(log2);
    } else if (op == STP_OP_REMS || op == STP_OP_REMU) {
      s.index = (int)ALU(STP_OP_AND);
      s.b = stp_lin_const(y->c - 1);
    }
  }
  bound_alu(b->plan, &s);
  if (s.bounded && s.lo == s.hi) return stp_lin_const(s.lo);
  return op_form(b, &s);
}

static stp_lin_t select_form(stp_builder_t *b, const stp_lin_t *c, const stp_lin_t *x,
                             const stp_lin_t *y) {
  if (stp_lin_is_const(c)) return c->c ? *x : *y;
  if (stp_lin_equal(x, y)) return *x;
  stp_sym_t s = {.op = STP_LINOP_SELECT, .a = *c, .b = *x, .d = *y};
  int64_t xl, xh, yl, yh;
  if (stp_lin_range(x, b->plan->syms, &xl, &xh) && stp_lin_range(y, b->plan->syms, &yl, &yh)) {
    s.bounded = true;
    s.lo = xl < yl ? xl : yl;
    s.hi = xh > yh ? xh : yh;
  }
  return op_form(b, &s);
}

/* Wrap to a type's width: values of iN are kept sign-extended (i1: 0 or 1). */
static stp_lin_t wrap(stp_builder_t *b, const stp_lin_t *a, stp_ir_elem_t elem) {
  int bits = stp_ir_elem_bits(elem);
  int64_t lo, hi;
  if (bits == 64) return *a;
  bool known = stp_lin_range(a, b->plan->syms, &lo, &hi);
  if (bits == 1) {
    if (known && lo >= 0 && hi <= 1) return *a;
    stp_lin_t one = stp_lin_const(1);
    return alu(b, STP_OP_AND, a, &one);
  }
  int64_t top = (int64_t)1 << (bits - 1);
  if (known && lo >= -top && hi < top) return *a;
  if (stp_lin_is_const(a))
    return stp_lin_const((int64_t)((uint64_t)a->c << (64 - bits)) >> (64 - bits));
  stp_sym_t s = {
      .op = STP_LINOP_SEXT, .index = bits, .a = *a, .bounded = true, .lo = -top, .hi = top - 1};
  return op_form(b, &s);
}

static stp_lin_t not_form(stp_builder_t *b, const stp_lin_t *a) {
  stp_lin_t zero = stp_lin_const(0);
  return alu(b, STP_OP_SEQ, a, &zero);
}

static bool is_i1(const stp_ir_value_t *value) {
  return value->type->elem == STP_ELEM_I1;
}

static stp_lin_t compare(stp_builder_t *b, const stp_ir_op_t *op, const stp_lin_t *x,
                         const stp_lin_t *y) {
  stp_lin_t t;
  stp_ir_cmpi_t pred = op->u.cmpi;
  /* A signed i1 is 0 or -1, and kept as 0 or 1: the order is the other way round. */
  if (is_i1(op->operands[0]) && pred >= STP_CMPI_SLT && pred <= STP_CMPI_SGE) {
    const stp_lin_t *other = x;
    x = y;
    y = other;
  }
  switch (pred) {
  case STP_CMPI_EQ:
    return alu(b, STP_OP_SEQ, x, y);
  case STP_CMPI_NE:
    return alu(b, STP_OP_SNE, x, y);
  case STP_CMPI_SLT:
    return alu(b, STP_OP_SLT, x, y);
  case STP_CMPI_SGT:
    return alu(b, STP_OP_SLT, y, x);
  case STP_CMPI_ULT:
    return alu(b, STP_OP_SLTU, x, y);
  case STP_CMPI_UGT:
    return alu(b, STP_OP_SLTU, y, x);
  case STP_CMPI_SLE:
    t = alu(b, STP_OP_SLT, y, x);
    break;
  case STP_CMPI_SGE:
    t = alu(b, STP_OP_SLT, x, y);
    break;
  case STP_CMPI_ULE:
    t = alu(b, STP_OP_SLTU, y, x);
    break;
  default:
    t = alu(b, STP_OP_SLTU, x, y);
    break;
  }
  return not_form(b, &t);
}

/* Quotient rounded down (ceil false) or up. Exact for every sign of x; y must be positive. */
static bool round_divide(stp_builder_t *b, const stp_ir_op_t *op, const stp_lin_t *x,
                         const stp_lin_t *y, bool ceil, stp_lin_t *r) {
  int64_t lo, hi;
  if (!stp_lin_range(y, b->plan->syms, &lo, &hi) || lo <= 0) {
    return stp_build_error(b, op, "needs a divisor that is known to be positive");
  }
  stp_lin_t zero = stp_lin_const(0);
  stp_lin_t q = alu(b, STP_OP_DIVS, x, y), rem = alu(b, STP_OP_REMS, x, y);
  stp_lin_t fix = ceil ? alu(b, STP_OP_SLT, &zero, &rem) : alu(b, STP_OP_SLT, &rem, &zero);
  *r = alu(b, ceil ? STP_OP_ADD : STP_OP_SUB, &q, &fix);
  return true;
}

static bool binary(stp_builder_t *b, const stp_ir_op_t *op, const stp_lin_t *x, const stp_lin_t *y,
                   stp_lin_t *r) {
  bool is_unsigned = op->kind == STP_OP_ARITH_DIVUI || op->kind == STP_OP_ARITH_REMUI ||
                     op->kind == STP_OP_ARITH_CEILDIVUI || op->kind == STP_OP_ARITH_SHRUI;
  bool divides = is_unsigned || STP_OP_IN(op->kind, ARITH_DIVSI, ARITH_REMUI);
  bool narrow = stp_ir_elem_bits(op->results[0]->type->elem) < 64;
  if (divides && op->kind != STP_OP_ARITH_SHRUI && stp_lin_is_const(y) && y->c == 0) {
    return stp_build_error(b, op, "divides by zero");
  }
  if (is_unsigned && narrow && !not_negative(b->plan, x)) {
    return stp_build_error(
        b, op, "of a type narrower than 64 bits needs an operand that is known not to be negative");
  }
  switch (op->kind) {
  case STP_OP_ARITH_ADDI:
    *r = alu(b, STP_OP_ADD, x, y);
    break;
  case STP_OP_ARITH_SUBI:
    *r = alu(b, STP_OP_SUB, x, y);
    break;
  case STP_OP_ARITH_MULI:
    *r = alu(b, STP_OP_MUL, x, y);
    break;
  case STP_OP_ARITH_DIVSI:
    *r = alu(b, STP_OP_DIVS, x, y);
    break;
  case STP_OP_ARITH_DIVUI:
    *r = alu(b, STP_OP_DIVU, x, y);
    break;
  case STP_OP_ARITH_REMSI:
    *r = alu(b, STP_OP_REMS, x, y);
    break;
  case STP_OP_ARITH_REMUI:
    *r = alu(b, STP_OP_REMU, x, y);
    break;
  case STP_OP_ARITH_ANDI:
    *r = alu(b, STP_OP_AND, x, y);
    break;
  case STP_OP_ARITH_ORI:
    *r = alu(b, STP_OP_OR, x, y);
    break;
  case STP_OP_ARITH_XORI:
    *r = alu(b, STP_OP_XOR, x, y);
    break;
  case STP_OP_ARITH_SHLI:
    *r = alu(b, STP_OP_SHL, x, y);
    break;
  case STP_OP_ARITH_SHRSI:
    *r = alu(b, STP_OP_SRA, x, y);
    break;
  case STP_OP_ARITH_SHRUI:
    *r = alu(b, STP_OP_SHR, x, y);
    break;
  case STP_OP_ARITH_MAXSI:
    *r = alu(b, is_i1(op->results[0]) ? STP_OP_MIN : STP_OP_MAX, x, y);
    break;
  case STP_OP_ARITH_MINSI:
    *r = alu(b, is_i1(op->results[0]) ? STP_OP_MAX : STP_OP_MIN, x, y);
    break;
  case STP_OP_ARITH_MAXUI:
    *r = alu(b, STP_OP_MAXU, x, y);
    break;
  case STP_OP_ARITH_MINUI:
    *r = alu(b, STP_OP_MINU, x, y);
    break;
  case STP_OP_ARITH_FLOORDIVSI:
    return round_divide(b, op, x, y, false, r);
  case STP_OP_ARITH_CEILDIVSI:
    return round_divide(b, op, x, y, true, r);
  case STP_OP_ARITH_CEILDIVUI:
    if (!not_negative(b->plan, x))
      return stp_build_error(b, op, "needs operands that are known not to be negative");
    return round_divide(b, op, x, y, true, r);
  default:
    return stp_build_error(b, op, "is not supported by the scheduler yet");
  }
  return true;
}

stp_lin_t stp_build_alu(stp_builder_t *b, unsigned op, const stp_lin_t *x, const stp_lin_t *y) {
  return alu(b, op, x, y);
}

stp_lin_t stp_build_select(stp_builder_t *b, const stp_lin_t *c, const stp_lin_t *x,
                           const stp_lin_t *y) {
  return select_form(b, c, x, y);
}

bool stp_build_trips(stp_builder_t *b, const stp_lin_t *span, int64_t step, stp_lin_t *count) {
  stp_lin_t more = stp_lin_const(step - 1), by = stp_lin_const(step), up;
  int log2 = 0;
  if (step == 1) {
    *count = *span;
    return true;
  }
  if (!stp_lin_add(&up, span, &more, 1)) return false;
  if (power_of_two(&by, &log2)) {
    by = stp_lin_const(log2);
    *count = alu(b, STP_OP_SRA, &up, &by);
  } else {
    *count = alu(b, STP_OP_DIVS, &up, &by);
  }
  return true;
}

bool stp_build_scalar_op(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_lin_t v[3] = {{0}}, r = {0};
  for (int i = 0; i < op->num_operands && i < 3; i++) {
    if (!stp_build_lin(b, op, op->operands[i], &v[i])) return false;
  }
  stp_ir_elem_t elem = op->results[0]->type->elem;
  if (STP_OP_IS_INT_BINARY(op->kind)) {
    if (!binary(b, op, &v[0], &v[1], &r)) return false;
  } else {
    switch (op->kind) {
    case STP_OP_ARITH_CMPI:
      r = compare(b, op, &v[0], &v[1]);
      break;
    case STP_OP_ARITH_SELECT:
      r = select_form(b, &v[0], &v[1], &v[2]);
      break;
    case STP_OP_ARITH_INDEX_CAST:
    case STP_OP_ARITH_EXTSI:
      r = v[0];
      /* i1 is kept as 0 or 1; sign extension makes -1 of 1. */
      if (is_i1(op->operands[0]) && !stp_lin_scale(&r, &v[0], -1)) return false;
      break;
    case STP_OP_ARITH_TRUNCI:
      r = v[0];
      break;
    case STP_OP_ARITH_EXTUI:
    case STP_OP_ARITH_INDEX_CASTUI:
      if (!is_i1(op->operands[0]) && stp_ir_elem_bits(op->operands[0]->type->elem) < 64 &&
          !not_negative(b->plan, &v[0])) {
        return stp_build_error(b, op, "needs an operand that is known not to be negative");
      }
      r = v[0];
      break;
    default:
      return stp_build_error(b, op, "is not supported by the scheduler yet");
    }
  }
  b->lins[op->results[0]->id] = wrap(b, &r, elem);
  b->has_lin[op->results[0]->id] = true;
  return !b->plan->failed;
}

bool stp_build_affine(stp_builder_t *b, const stp_ir_op_t *op, const stp_affine_expr_t *e,
                      const stp_lin_t *dims, const stp_lin_t *syms, stp_lin_t *lin) {
  stp_lin_t x, y;
  switch (e->kind) {
  case STP_AFFINE_CONST:
    *lin = stp_lin_const(e->value);
    return true;
  case STP_AFFINE_DIM:
    *lin = dims[e->value];
    return true;
  case STP_AFFINE_SYM:
    *lin = syms[e->value];
    return true;
  default:
    break;
  }
  if (!stp_build_affine(b, op, e->lhs, dims, syms, &x) ||
      !stp_build_affine(b, op, e->rhs, dims, syms, &y)) {
    return false;
  }
  switch (e->kind) {
  case STP_AFFINE_ADD:
    *lin = alu(b, STP_OP_ADD, &x, &y);
    return true;
  case STP_AFFINE_MUL:
    *lin = alu(b, STP_OP_MUL, &x, &y);
    return true;
  case STP_AFFINE_FLOORDIV:
    return round_divide(b, op, &x, &y, false, lin);
  case STP_AFFINE_CEILDIV:
    return round_divide(b, op, &x, &y, true, lin);
  default: {
    stp_lin_t q, product;
    if (!round_divide(b, op, &x, &y, false, &q)) return false;
    product = alu(b, STP_OP_MUL, &q, &y);
    *lin = alu(b, STP_OP_SUB, &x, &product);
    return true;
  }
  }
}
