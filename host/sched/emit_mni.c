/* SPDX-License-Identifier: Apache-2.0 */
/* MNI-LU and MNI-SU: a load or a store is one strided transfer. */
#include "emit.h"

/* One dimension of a transfer. */
typedef struct dim {
  int64_t count; /* rows of LX */
  int64_t valid; /* rows that exist in memory; the rest is zero filled */
  stp_lin_t gs;  /* bytes */
  int64_t ls;    /* bytes */
  bool clipped;
  stp_lin_t limit; /* rows */
} dim_t;

/* value, or at most `cap` */
static stp_lin_t capped(stp_emit_t *e, const stp_lin_t *value, int64_t cap) {
  int64_t lo, hi;
  if (stp_lin_range(value, e->plan->syms, &lo, &hi) && hi <= cap) return *value;
  if (stp_lin_is_const(value)) return stp_lin_const(cap);
  stp_sym_t s = {.kind = STP_SYM_OP,
                 .op = STP_LINOP_ALU,
                 .index = STP_OP_MIN - STP_OP_ADD,
                 .a = *value,
                 .b = stp_lin_const(cap)};
  for (int i = 0; i < value->n; i++) {
    const stp_block_t *b = e->plan->syms[value->t[i].sym].block;
    if (b && (!s.block || b->depth > s.block->depth)) s.block = b;
  }
  for (int i = 0; i < e->plan->num_syms; i++) {
    const stp_sym_t *x = &e->plan->syms[i];
    if (x->kind == STP_SYM_OP && x->op == s.op && x->index == s.index &&
        stp_lin_equal(&x->a, &s.a) && stp_lin_equal(&x->b, &s.b)) {
      return stp_lin_sym(i);
    }
  }
  return stp_lin_sym(stp_plan_sym(e->plan, &s));
}

static void emit_limit(stp_emit_t *e, unsigned field, const dim_t *d) {
  /* A limit at or above the count is none; the machine saturates negative ones to 0. */
  if (d->clipped) {
    stp_lin_t limit = d->valid < d->count ? capped(e, &d->limit, d->valid) : d->limit;
    stp_emit_field(e, field, &limit);
  } else {
    stp_emit_field_const(e, field, d->valid < d->count ? d->valid : 0xffffff);
  }
}

static void emit_transfer(stp_emit_t *e, const stp_lin_t *from, const stp_lin_t *lx,
                          const dim_t *row, const dim_t *dims, int num_dims) {
  stp_emit_field_const(e, STP_CFG_MNI_N0, row->count);
  emit_limit(e, STP_CFG_MNI_LIM0, row);
  for (int i = 0; i < 3; i++) {
    if (i >= num_dims) {
      stp_emit_field_const(e, STP_CFG_MNI_N1 + (unsigned)i, 1);
      stp_emit_field_const(e, STP_CFG_MNI_LIM1 + (unsigned)i, 0xffffff);
      continue;
    }
    stp_emit_field_const(e, STP_CFG_MNI_N1 + (unsigned)i, dims[i].count);
    emit_limit(e, STP_CFG_MNI_LIM1 + (unsigned)i, &dims[i]);
    if (dims[i].count <= 1) continue;
    stp_emit_field(e, STP_CFG_MNI_GS1 + (unsigned)i, &dims[i].gs);
    stp_emit_field_const(e, STP_CFG_MNI_LS1 + (unsigned)i, dims[i].ls);
  }
  stp_emit_done(e);
  unsigned g = stp_emit_reg(e, from), l = stp_emit_reg(e, lx);
  stp_asm_op(e->as, STP_OP_XFER, 0, g, l, 0, 0);
  stp_emit_done(e);
}

void stp_emit_order_wait(stp_emit_t *e, const stp_step_t *s) {
  for (int i = 0; i < e->plan->num_orders; i++) {
    const stp_order_t *o = &e->plan->orders[i];
    if (o->to != s || o->to_unit != e->unit) continue;
    stp_asm_token(e->as, STP_OP_WAIT, o->from_unit, o->token);
  }
}

void stp_emit_order_post(stp_emit_t *e, const stp_step_t *s) {
  for (int i = 0; i < e->plan->num_orders; i++) {
    const stp_order_t *o = &e->plan->orders[i];
    if (o->from != s || o->from_unit != e->unit) continue;
    stp_asm_token(e->as, STP_OP_POST, o->to_unit, o->token);
  }
}

/* The writes of earlier stores are answered before those of this one begin. */
static void fence(stp_emit_t *e) {
  stp_asm_token(e->as, STP_OP_POST, e->unit, 0);
  stp_asm_token(e->as, STP_OP_WAIT, e->unit, 0);
}

/* Indices that are not known to lie in the view. */
static void emit_checks(stp_emit_t *e, const stp_access_t *a) {
  for (int i = 0; i < a->num_checks; i++) {
    unsigned r = stp_emit_reg(e, &a->checks[i].form), bad = stp_emit_alloc(e);
    stp_asm_op(e->as, STP_OP_SLTI, bad, r, 0, 0, 0);
    stp_asm_op(e->as, STP_OP_TRAPIF, 0, bad, 0, 0, a->checks[i].dim);
    stp_emit_free(e, bad);
    stp_emit_done(e);
  }
}

void stp_emit_mni(stp_emit_t *e, const stp_step_t *s) {
  const stp_buf_t *buf = s->buf;
  const stp_access_t *a = &s->access;
  bool load = s->kind == STP_STEP_LOAD;
  emit_checks(e, a);
  if (load && !buf->consumers) return;
  int64_t bytes = stp_ir_elem_bytes(buf->elem), row_bytes = buf->pitch;
  if (load) stp_emit_acquire(e, buf);
  if (s->fence) fence(e);

  stp_lin_t from = stp_lin_sym(a->arg), lx = stp_emit_buf_addr(e, buf, 0);
  stp_emit_add(e, &from, &a->offset, bytes);
  dim_t row, dims[STP_IR_MAX_RANK] = {{0}};
  int num = 0, last = a->rank - 1;
  const stp_access_dim_t *inner = &a->dims[last];
  bool contiguous = (stp_lin_is_const(&inner->stride) && inner->stride.c == 1) || inner->count == 1;
  row = (dim_t){.count = load ? row_bytes : buf->inner * bytes, .valid = buf->inner * bytes};
  if (!contiguous) {
    /* Single elements, one row of the transfer each. The padding is written by a transfer of zeros
     * first. */
    if (load && row_bytes != buf->inner * bytes) {
      dim_t zeros = {.count = row_bytes, .valid = 0};
      dim_t rows = {.count = buf->alloc_rows, .valid = buf->alloc_rows, .ls = row_bytes};
      emit_transfer(e, &from, &lx, &zeros, &rows, 1);
    }
    row = (dim_t){.count = bytes, .valid = bytes};
    dims[0] = (dim_t){.count = inner->count,
                      .valid = inner->count,
                      .ls = bytes,
                      .clipped = inner->clipped,
                      .limit = inner->limit};
    stp_emit_add(e, &dims[0].gs, &inner->stride, bytes);
    num = 1;
  } else if (inner->clipped) {
    row.clipped = true;
    stp_emit_add(e, &row.limit, &inner->limit, bytes);
  }
  int64_t ls = row_bytes;
  for (int d = last - 1; d >= 0; d--) {
    dim_t *x = &dims[num];
    *x = (dim_t){.count = a->dims[d].count,
                 .valid = a->dims[d].count,
                 .ls = ls,
                 .clipped = a->dims[d].clipped,
                 .limit = a->dims[d].limit};
    stp_emit_add(e, &x->gs, &a->dims[d].stride, bytes);
    /* Rows of zeros after the last one, where a product needs whole chunks. */
    if (load && last == 1) x->count = buf->alloc_rows;
    ls *= a->dims[d].count;
    if (a->dims[d].count == 1 && !x->clipped && x->count == 1) continue;
    if (++num > 3) {
      stp_plan_error(
          e->plan, s->loc,
          "a tile of more than %d strided dimensions is not supported by the scheduler yet",
          contiguous ? 4 : 3);
      e->failed = true;
      return;
    }
  }
  emit_transfer(e, &from, &lx, &row, dims, num);
  if (load) stp_emit_publish(e, buf);
}
