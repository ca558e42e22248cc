/* SPDX-License-Identifier: Apache-2.0 */
#include "lin.h"

#include <string.h>

#include "stp_isa.h"

stp_lin_t stp_lin_sym(int sym) {
  stp_lin_t r = {0, 1, {{sym, 1}}};
  return r;
}

bool stp_lin_equal(const stp_lin_t *a, const stp_lin_t *b) {
  if (a->c != b->c || a->n != b->n) return false;
  for (int i = 0; i < a->n; i++) {
    if (a->t[i].sym != b->t[i].sym || a->t[i].k != b->t[i].k) return false;
  }
  return true;
}

bool stp_lin_add(stp_lin_t *r, const stp_lin_t *a, const stp_lin_t *b, int64_t scale) {
  stp_lin_t s = {0, 0, {{0, 0}}};
  int64_t v;
  if (__builtin_mul_overflow(b->c, scale, &v) || __builtin_add_overflow(a->c, v, &s.c))
    return false;
  int i = 0, j = 0;
  while (i < a->n || j < b->n) {
    int sym;
    int64_t k = 0;
    if (j == b->n || (i < a->n && a->t[i].sym <= b->t[j].sym)) {
      sym = a->t[i].sym;
      k = a->t[i++].k;
    } else {
      sym = b->t[j].sym;
    }
    if (j < b->n && b->t[j].sym == sym) {
      if (__builtin_mul_overflow(b->t[j].k, scale, &v) || __builtin_add_overflow(k, v, &k))
        return false;
      j++;
    }
    if (!k) continue;
    if (s.n == STP_LIN_TERMS) return false;
    s.t[s.n].sym = sym;
    s.t[s.n++].k = k;
  }
  *r = s;
  return true;
}

bool stp_lin_scale(stp_lin_t *r, const stp_lin_t *a, int64_t k) {
  stp_lin_t zero = stp_lin_const(0), from = *a;
  return stp_lin_add(r, &zero, &from, k);
}

bool stp_lin_range(const stp_lin_t *a, const stp_sym_t *syms, int64_t *lo, int64_t *hi) {
  int64_t l = a->c, h = l;
  for (int i = 0; i < a->n; i++) {
    const stp_sym_t *s = &syms[a->t[i].sym];
    int64_t k = a->t[i].k, x, y;
    if (!s->bounded || __builtin_mul_overflow(k, s->lo, &x) || __builtin_mul_overflow(k, s->hi, &y))
      return false;
    if (__builtin_add_overflow(l, k > 0 ? x : y, &l) ||
        __builtin_add_overflow(h, k > 0 ? y : x, &h))
      return false;
  }
  *lo = l;
  *hi = h;
  return true;
}

int64_t stp_alu(unsigned op, int64_t a, int64_t b) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (op + STP_OP_ADD) {
  case STP_OP_ADD:
    return (int64_t)(ua + ub);
  case STP_OP_SUB:
    return (int64_t)(ua - ub);
  case STP_OP_MUL:
    return (int64_t)(ua * ub);
  case STP_OP_AND:
    return a & b;
  case STP_OP_OR:
    return a | b;
  case STP_OP_XOR:
    return a ^ b;
  case STP_OP_SHL:
    return (int64_t)(ua << (ub & 63));
  case STP_OP_SHR:
    return (int64_t)(ua >> (ub & 63));
  case STP_OP_SRA:
    return a >> (ub & 63);
  case STP_OP_SLT:
    return a < b;
  case STP_OP_SLTU:
    return ua < ub;
  case STP_OP_SEQ:
    return a == b;
  case STP_OP_SNE:
    return a != b;
  case STP_OP_MIN:
    return a < b ? a : b;
  case STP_OP_MAX:
    return a > b ? a : b;
  case STP_OP_MINU:
    return ua < ub ? a : b;
  case STP_OP_MAXU:
    return ua > ub ? a : b;
  case STP_OP_DIVS:
    return !b ? -1 : b == -1 ? (int64_t)(0 - ua) : a / b;
  case STP_OP_DIVU:
    return !b ? -1 : (int64_t)(ua / ub);
  case STP_OP_REMS:
    return !b ? a : b == -1 ? 0 : a % b;
  case STP_OP_REMU:
    return !b ? a : (int64_t)(ua % ub);
  default:
    return 0;
  }
}
