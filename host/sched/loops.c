/* SPDX-License-Identifier: Apache-2.0 */
/* scf.for: trip counts known or not, tensors that go from one iteration to the next. scf.if is a
 * loop of one trip or none. */
#include "build.h"

/* What the iterations of a loop take; the variable's range, as far as it is known. */
static bool bound_loop(stp_builder_t *b, const stp_ir_op_t *op, stp_loop_t *loop,
                       const stp_lin_t *ub) {
  stp_plan_t *p = b->plan;
  stp_lin_t span;
  if (!stp_lin_add(&span, ub, &loop->lb, -1))
    return stp_build_error(b, op, "has bounds that are too complex");
  int64_t lo, hi, lb_lo, lb_hi;
  bool known = stp_lin_range(&span, p->syms, &lo, &hi);
  stp_sym_t sym = {.kind = STP_SYM_LOOP, .index = loop->id, .block = loop->body};
  if (stp_lin_is_const(&span)) {
    loop->trip = (span.c - 1) / loop->step + 1;
  } else {
    loop->trip = -1;
    loop->some = known && lo > 0;
    if (!stp_build_trips(b, &span, loop->step, &loop->count))
      return stp_build_error(b, op, "has bounds that are too complex");
  }
  if (stp_lin_range(&loop->lb, p->syms, &lb_lo, &lb_hi)) {
    int64_t most = loop->trip >= 0 ? loop->trip - 1
                   : known         ? (hi - 1) / loop->step
                                   : STP_LOOP_TRIPS;
    if (most >= 0 && !__builtin_mul_overflow(most, loop->step, &sym.hi) &&
        !__builtin_add_overflow(sym.hi, lb_hi, &sym.hi)) {
      sym.bounded = true;
      sym.exact = loop->trip > 0;
      for (int i = 0; i < loop->lb.n; i++) sym.exact &= p->syms[loop->lb.t[i].sym].exact;
      sym.lo = lb_lo;
    }
  }
  loop->sym = stp_plan_sym(p, &sym);
  return !p->failed;
}

/* Begin the block that runs instead of the loop if it has no trips. */
static stp_block_t *none_block(stp_builder_t *b, stp_step_t *s) {
  stp_loop_t *loop = s->loop;
  if (!loop->none) {
    loop->none = stp_arena_alloc(b->plan->arena, sizeof *loop->none);
    loop->none->parent = s;
    loop->none->depth = s->block->depth + 1;
  }
  return loop->none;
}

/* The value, as it lies in a buffer. */
static stp_tval_t *in_lx(stp_builder_t *b, const stp_tval_t *t, stp_buf_t *buf) {
  stp_tval_t *n = stp_arena_alloc(b->plan->arena, sizeof *n);
  *n = *t;
  n->kind = STP_TV_BUF;
  n->buf = buf;
  n->offset = stp_lin_const(0);
  n->num_srcs = 0;
  return n;
}

/* The last iteration's value goes to a buffer of the enclosing block, or stays in PT. */
static bool build_result(stp_builder_t *b, const stp_ir_op_t *op, stp_step_t *s, int i,
                         stp_tval_t *next) {
  stp_loop_t *loop = s->loop;
  const stp_ir_value_t *arg = op->regions[0]->args[i + 1], *r = op->results[i];
  const stp_ir_op_t *yield = op->regions[0]->last;
  stp_tval_t *carry = b->tvals[arg->id], *init = b->tvals[op->u.loop.inits[i]->id];
  bool may_be_none = loop->trip < 0 && !loop->some;
  if (next->kind == STP_TV_PT && next->matmul && next->matmul->chain == loop) {
    b->block = s->block;
    stp_tval_t *result = stp_build_tval(b, op, r, STP_TV_PT);
    result->matmul = next->matmul;
    stp_build_chain_result(b, next->matmul, result);
    if (may_be_none) {
      b->block = none_block(b, s);
      stp_step_t *clear = stp_build_step(b, STP_STEP_CLEAR, op->loc);
      clear->matmul = next->matmul;
      clear->bits = init->bits;
    }
    b->block = loop->body;
    return true;
  }
  b->block = s->block;
  stp_buf_t *result = stp_build_buf(b, op, r->name, r->type->elem, r->type->rank, r->type->dims);
  if (result) stp_build_tval(b, op, r, STP_TV_BUF)->buf = result;
  bool ok = result != NULL;
  if (ok) result->result_of = loop;
  if (ok && may_be_none) {
    b->block = none_block(b, s);
    ok = stp_build_pass(b, op, carry->init ? in_lx(b, init, carry->init) : init,
                        &(stp_dest_t){.buf = result});
  }
  b->block = loop->body;
  stp_buf_t *buf = ok ? stp_build_carry(b, op, carry) : NULL;
  return buf && stp_build_pass(b, yield, next, &(stp_dest_t){.buf = buf, .last = result});
}

/* Results of reductions that the loop's body uses are computed once, before it. */
static bool settle_outside(stp_builder_t *b, const stp_ir_op_t *loop, const stp_ir_op_t *op) {
  for (int r = 0; r < op->num_regions; r++) {
    if (!op->regions[r]) continue;
    for (const stp_ir_op_t *i = op->regions[r]->first; i; i = i->next) {
      for (int k = 0; k < i->num_operands; k++) {
        stp_tval_t *t = b->tvals[i->operands[k]->id];
        while (t && t->kind == STP_TV_BCAST) t = t->srcs[0];
        if (t && t->block == b->block && stp_cone_has(b, t, STP_TV_REDUCE) &&
            !stp_build_materialise(b, loop, t))
          return false;
      }
      if (!settle_outside(b, loop, i)) return false;
    }
  }
  return true;
}

/* Integers that are carried; tensors have entries that are not used. */
static bool carry_scalars(stp_builder_t *b, const stp_ir_op_t *op, stp_loop_t *loop) {
  stp_plan_t *p = b->plan;
  int n = op->u.loop.num_inits;
  loop->carries = stp_arena_array(p->arena, (size_t)n + 1, sizeof *loop->carries);
  for (int i = 0; i < n; i++) {
    const stp_ir_value_t *arg = op->regions[0]->args[i + 1], *r = op->results[i];
    if (arg->type->kind == STP_TYPE_TENSOR) continue;
    stp_carry_t *c = &loop->carries[loop->num_carries++];
    if (!stp_build_lin(b, op, op->u.loop.inits[i], &c->init)) return false;
    stp_sym_t in = {.kind = STP_SYM_CARRY, .index = loop->id, .block = loop->body};
    stp_sym_t out = {.kind = STP_SYM_CARRY, .index = loop->id, .block = b->block};
    c->sym = stp_plan_sym(p, &in);
    c->result = stp_plan_sym(p, &out);
    b->lins[arg->id] = stp_lin_sym(c->sym);
    b->lins[r->id] = stp_lin_sym(c->result);
    b->has_lin[arg->id] = b->has_lin[r->id] = true;
  }
  return !p->failed;
}

static bool yield_scalars(stp_builder_t *b, const stp_ir_op_t *op, stp_loop_t *loop) {
  const stp_ir_op_t *yield = op->regions[0]->last;
  for (int i = 0, k = 0; i < op->u.loop.num_inits; i++) {
    if (op->results[i]->type->kind == STP_TYPE_TENSOR) continue;
    if (!stp_build_lin(b, yield, yield->operands[i], &loop->carries[k++].next)) return false;
  }
  return true;
}

static bool build_body(stp_builder_t *b, const stp_ir_op_t *op, stp_step_t *s,
                       stp_buf_t *const *first) {
  const stp_ir_block_t *ir_body = op->regions[0];
  const stp_ir_op_t *yield = ir_body->last;
  int n = op->u.loop.num_inits;
  b->block = s->loop->body;
  for (int i = 0; i < n; i++) {
    const stp_ir_value_t *arg = ir_body->args[i + 1];
    if (arg->type->kind != STP_TYPE_TENSOR) continue;
    const stp_tval_t *init = b->tvals[op->u.loop.inits[i]->id];
    if (!stp_build_check_tensor(b, op, arg->type)) return false;
    stp_tval_t *carry = stp_build_tval(b, op, arg, STP_TV_CARRY);
    carry->bits = init->bits;
    carry->init = first[i];
  }
  stp_build_chains(b, op);
  if (!stp_build_ops(b, ir_body)) return false;
  for (int i = 0; i < n; i++) {
    if (op->results[i]->type->kind != STP_TYPE_TENSOR) continue;
    stp_tval_t *next = stp_build_operand(b, op, yield->operands[i]);
    if (!next || !build_result(b, op, s, i, next)) return false;
  }
  return true;
}

stp_loop_t *stp_build_loop(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_plan_t *p = b->plan;
  if (p->num_loops == STP_PLAN_LOOPS) {
    stp_build_error(b, op, "is one loop too many for the scheduler");
    return NULL;
  }
  stp_loop_t *loop = stp_arena_alloc(p->arena, sizeof *loop);
  loop->id = p->num_loops++;
  loop->body = stp_arena_alloc(p->arena, sizeof *loop->body);
  loop->body->depth = b->block->depth + 1;
  stp_step_t *s = stp_build_step(b, STP_STEP_LOOP, op->loc);
  s->loop = loop;
  loop->body->parent = s;
  return loop;
}

bool stp_build_for(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_plan_t *p = b->plan;
  stp_lin_t lb, ub, step;
  if (!stp_build_lin(b, op, op->u.loop.lb, &lb) || !stp_build_lin(b, op, op->u.loop.ub, &ub) ||
      !stp_build_lin(b, op, op->u.loop.step, &step)) {
    return false;
  }
  if (!stp_lin_is_const(&step) || step.c <= 0) {
    return stp_build_error(b, op, "needs a step that is a positive constant");
  }
  int n = op->u.loop.num_inits;
  for (int i = 0; i < n; i++) {
    const stp_ir_type_t *type = op->u.loop.inits[i]->type;
    if (type->kind == STP_TYPE_SCALAR && stp_ir_elem_is_int(type->elem)) continue;
    if (type->kind != STP_TYPE_TENSOR) {
      return stp_build_error(b, op,
                             "that carries a float scalar is not supported by the scheduler yet");
    }
    if (!stp_build_operand(b, op, op->u.loop.inits[i])) return false;
  }
  if (!stp_split_flush(b, op)) return false;
  stp_lin_t span;
  int64_t lo, hi;
  if (stp_lin_add(&span, &ub, &lb, -1) && stp_lin_range(&span, p->syms, &lo, &hi) && hi <= 0) {
    for (int i = 0; i < n; i++) {
      int to = op->results[i]->id, from = op->u.loop.inits[i]->id;
      b->tvals[to] = b->tvals[from];
      b->has_lin[to] = b->has_lin[from];
      b->lins[to] = b->lins[from];
    }
    return true;
  }
  if (!settle_outside(b, op, op)) return false;
  /* What tensors start from, in LX unless they are constants. */
  stp_buf_t **first = stp_arena_array(p->arena, (size_t)n + 1, sizeof(void *));
  for (int i = 0; i < n; i++) {
    if (op->u.loop.inits[i]->type->kind != STP_TYPE_TENSOR) continue;
    stp_tval_t *init = stp_build_operand(b, op, op->u.loop.inits[i]);
    if (!init) return false;
    if (init->kind != STP_TV_CONST) first[i] = stp_build_materialise(b, op, init);
    if (init->kind != STP_TV_CONST && !first[i]) return false;
  }
  stp_loop_t *loop = stp_build_loop(b, op);
  if (!loop) return false;
  stp_step_t *s = loop->body->parent;
  stp_block_t *outer = b->block;
  loop->lb = lb;
  loop->step = step.c;
  if (!bound_loop(b, op, loop, &ub)) return false;
  const stp_ir_value_t *var = op->regions[0]->args[0];
  b->lins[var->id] = stp_lin_sym(loop->sym);
  b->has_lin[var->id] = true;
  bool ok = carry_scalars(b, op, loop) && build_body(b, op, s, first) && yield_scalars(b, op, loop);
  b->block = outer;
  return ok && stp_hoist_loop(b, s);
}

/* ---- scf.if -------------------------------------------------------------------------------- */

/* The condition is known now: one region's ops are as if they stood here. */
static bool build_taken(stp_builder_t *b, const stp_ir_op_t *op, bool taken) {
  const stp_ir_block_t *region = op->regions[taken ? 0 : 1];
  if (!region) return true;
  if (!stp_build_ops(b, region)) return false;
  for (int i = 0; i < op->num_results; i++) {
    int to = op->results[i]->id, from = region->last->operands[i]->id;
    b->tvals[to] = b->tvals[from];
    b->has_lin[to] = b->has_lin[from];
    b->lins[to] = b->lins[from];
  }
  return true;
}

/* One region, and its tensors into the buffers of the results. */
static bool build_region(stp_builder_t *b, const stp_ir_op_t *op, int r,
                         stp_buf_t *const *results) {
  const stp_ir_block_t *region = op->regions[r];
  if (!stp_build_ops(b, region)) return false;
  for (int i = 0; i < op->num_results; i++) {
    if (!results[i]) continue;
    stp_tval_t *t = stp_build_operand(b, region->last, region->last->operands[i]);
    if (!t || !stp_build_pass(b, region->last, t, &(stp_dest_t){.buf = results[i]})) return false;
  }
  return true;
}

bool stp_build_if(stp_builder_t *b, const stp_ir_op_t *op) {
  stp_lin_t cond;
  if (!stp_build_lin(b, op, op->operands[0], &cond)) return false;
  if (stp_lin_is_const(&cond)) return build_taken(b, op, cond.c != 0);
  if (!stp_split_flush(b, op) || !settle_outside(b, op, op)) return false;
  stp_buf_t **results =
      stp_arena_array(b->plan->arena, (size_t)op->num_results + 1, sizeof(stp_buf_t *));
  for (int i = 0; i < op->num_results; i++) {
    const stp_ir_value_t *v = op->results[i];
    if (v->type->kind == STP_TYPE_SCALAR) {
      if (stp_ir_elem_is_int(v->type->elem)) continue;
      return stp_build_error(b, op, "with a float scalar as its result is not supported yet");
    }
    if (!stp_build_check_tensor(b, op, v->type)) return false;
    results[i] = stp_build_buf(b, op, v->name, v->type->elem, v->type->rank, v->type->dims);
    if (!results[i]) return false;
    stp_build_tval(b, op, v, STP_TV_BUF)->buf = results[i];
  }
  stp_loop_t *loop = stp_build_loop(b, op);
  if (!loop) return false;
  stp_step_t *s = loop->body->parent;
  stp_sym_t sym = {.kind = STP_SYM_LOOP, .index = loop->id, .block = loop->body, .bounded = true};
  loop->sym = stp_plan_sym(b->plan, &sym);
  loop->branch = true;
  loop->step = 1;
  loop->trip = -1;
  loop->count = cond;
  b->block = loop->body;
  bool ok = build_region(b, op, 0, results);
  if (ok && op->regions[1]) {
    b->block = none_block(b, s);
    ok = build_region(b, op, 1, results);
  }
  b->block = s->block;
  /* An op with results has both branches. */
  for (int i = 0; ok && op->regions[1] && i < op->num_results; i++) {
    if (results[i]) continue;
    stp_lin_t x, y;
    ok = stp_build_lin(b, op, op->regions[0]->last->operands[i], &x) &&
         stp_build_lin(b, op, op->regions[1]->last->operands[i], &y);
    if (!ok) break;
    b->lins[op->results[i]->id] = stp_build_select(b, &cond, &x, &y);
    b->has_lin[op->results[i]->id] = true;
  }
  return ok && !b->plan->failed;
}
