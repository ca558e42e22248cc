/* SPDX-License-Identifier: Apache-2.0 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops and tokens ---------------------------------------------------------------------- */

/* Values from outside a loop keep their registers in it: give up the oldest if few are left. */
static void make_room(stp_emit_t *e) {
  enum { ROOM = 12 };
  for (;;) {
    unsigned oldest = 0;
    int left = 0;
    for (unsigned r = 1; r < STP_REGS; r++) {
      left += e->regs[r].state == STP_REG_FREE;
      if (e->regs[r].state == STP_REG_CACHED && !e->regs[r].busy &&
          (!oldest || e->regs[r].age < e->regs[oldest].age))
        oldest = r;
    }
    if (left >= ROOM || !oldest) return;
    e->regs[oldest].state = STP_REG_FREE;
  }
}

int stp_emit_loop(stp_emit_t *e, int64_t count) {
  if (count == 1) return -1;
  stp_lin_t many = stp_lin_const(count);
  unsigned r = count < 1 << 19 ? 0 : stp_emit_reg(e, &many);
  make_room(e);
  stp_emit_done(e);
  stp_emit_forget_fields(e);
  e->depth++;
  return stp_asm_loop(e->as, r, r ? 0 : count);
}

void stp_emit_loop_end(stp_emit_t *e, int loop) {
  if (loop < 0) return;
  stp_asm_loop_end(e->as, loop);
  e->depth--;
  stp_emit_forget_deeper(e);
  stp_emit_forget_fields(e);
}

stp_lin_t stp_emit_buf_addr(const stp_emit_t *e, const stp_buf_t *buf, int64_t offset) {
  (void)e;
  stp_lin_t a = buf->frame->copies > 1 ? stp_lin_sym(buf->frame->ring) : stp_lin_const(0);
  a.c = buf->frame->base + buf->offset + offset;
  return a;
}

const stp_buf_t *stp_emit_stream_buf(const stp_emit_t *e, const stp_stream_t *stream) {
  const stp_loop_t *loop = stream->buf->carried;
  return loop && e->first[loop->id] && stream->init ? stream->init : stream->buf;
}

void stp_emit_acquire(stp_emit_t *e, const stp_buf_t *buf) {
  for (int i = 0; i < buf->num_edges; i++) {
    const stp_edge_t *d = &buf->edges[i];
    if (d->from == e->unit) stp_asm_token(e->as, STP_OP_WAIT, d->to, d->free);
  }
}

void stp_emit_publish(stp_emit_t *e, const stp_buf_t *buf) {
  for (int i = 0; i < buf->num_edges; i++) {
    const stp_edge_t *d = &buf->edges[i];
    if (d->from == e->unit) stp_asm_token(e->as, STP_OP_POST, d->to, d->full);
  }
}

static void turn_ring(stp_emit_t *e, const stp_frame_t *f) {
  if (f->copies < 2 || !e->sym_reg[f->ring]) return;
  unsigned r = (unsigned)e->sym_reg[f->ring];
  if (f->copies == 2) {
    stp_emit_imm(e, STP_OP_XORI, r, r, f->bytes);
  } else {
    unsigned end = stp_emit_alloc(e);
    stp_emit_imm(e, STP_OP_ADDI, r, r, f->bytes);
    stp_emit_imm(e, STP_OP_SEQI, end, r, f->bytes * f->copies);
    stp_asm_op(e->as, STP_OP_CMOVNZ, r, 0, end, 0, 0);
    stp_emit_free(e, end);
  }
  for (int i = 1; i < STP_REGS; i++) {
    if (e->regs[i].state != STP_REG_CACHED) continue;
    for (int t = 0; t < e->regs[i].lin.n; t++) {
      if (e->regs[i].lin.t[t].sym == f->ring) e->regs[i].state = STP_REG_FREE;
    }
  }
}

void stp_emit_turn_carried(stp_emit_t *e, const stp_buf_t *buf) {
  if (buf->carried) turn_ring(e, buf->frame);
}

/* A carried buffer is not read in the first iteration. */
static bool reads_now(const stp_emit_t *e, const stp_buf_t *buf) {
  return !buf->carried || !e->first[buf->carried->id];
}

static void wait_full(stp_emit_t *e, const stp_step_t *s) {
  for (int n = 0; n < e->plan->num_bufs; n++) {
    const stp_buf_t *buf = e->plan->bufs[n];
    if (buf->once || buf->frame->scope != s->block || !(buf->consumers >> e->unit & 1) ||
        buf->first[e->unit] != s->index)
      continue;
    if (!reads_now(e, buf)) continue;
    for (int i = 0; i < buf->num_edges; i++) {
      const stp_edge_t *d = &buf->edges[i];
      if (d->to == e->unit) stp_asm_token(e->as, STP_OP_WAIT, d->from, d->full);
    }
  }
}

static void post_free(stp_emit_t *e, const stp_step_t *s) {
  for (int n = 0; n < e->plan->num_bufs; n++) {
    const stp_buf_t *buf = e->plan->bufs[n];
    if (buf->once || buf->frame->scope != s->block || !(buf->consumers >> e->unit & 1) ||
        buf->last[e->unit] != s->index)
      continue;
    if (!reads_now(e, buf)) continue;
    for (int i = 0; i < buf->num_edges; i++) {
      const stp_edge_t *d = &buf->edges[i];
      if (d->to == e->unit) stp_asm_token(e->as, STP_OP_POST, d->from, d->free);
    }
    stp_emit_turn_carried(e, buf);
  }
}

/* Is this the first (or the last) step that writes the buffer? Of what a loop carries an iteration
 * writes one of two; where there are no iterations, one step writes the result. */
static bool writes_here(const stp_emit_t *e, const stp_buf_t *buf, const stp_step_t *s,
                        bool first) {
  const stp_loop_t *loop = buf->carried ? buf->carried : buf->result_of;
  if (buf->loaded || !(buf->producers >> e->unit & 1)) return false;
  if (buf->result_of && s->block == loop->none)
    return s->kind == STP_STEP_PASS && s->pass->outs[0].buf == buf;
  if ((loop ? loop->body : buf->frame->scope) != s->block) return false;
  if (loop && e->last[loop->id] != (buf->result_of != NULL)) return false;
  return (first ? buf->writes_from : buf->writes_to)[e->unit] == s->index;
}

static void acquire_outputs(stp_emit_t *e, const stp_step_t *s) {
  for (int n = 0; n < e->plan->num_bufs; n++) {
    if (writes_here(e, e->plan->bufs[n], s, true)) stp_emit_acquire(e, e->plan->bufs[n]);
  }
}

static void publish_outputs(stp_emit_t *e, const stp_step_t *s) {
  for (int n = 0; n < e->plan->num_bufs; n++) {
    const stp_buf_t *buf = e->plan->bufs[n];
    if (!writes_here(e, buf, s, false)) continue;
    stp_emit_publish(e, buf);
    stp_emit_turn_carried(e, buf);
  }
}

/* ---- the walk ------------------------------------------------------------------------------ */

static bool has_part(const stp_emit_t *e, const stp_step_t *s);

static bool has_block(const stp_emit_t *e, const stp_block_t *block) {
  for (const stp_step_t *s = block->first; s; s = s->next) {
    if (has_part(e, s)) return true;
  }
  return false;
}

/* Does the unit need a scalar that the loop carries? */
static bool carries_needed(const stp_emit_t *e, const stp_loop_t *loop) {
  for (int i = 0; i < loop->num_carries && !e->steps_only; i++) {
    const stp_carry_t *c = &loop->carries[i];
    if (e->dry || e->facts->sym_used[c->sym] || e->facts->sym_used[c->result]) return true;
  }
  return false;
}

static bool has_part(const stp_emit_t *e, const stp_step_t *s) {
  switch (s->kind) {
  case STP_STEP_LOAD:
    return e->kind == STP_KIND_MNI_LU && (s->buf->consumers != 0 || s->access.num_checks != 0);
  case STP_STEP_STORE:
    return e->kind == STP_KIND_MNI_SU;
  case STP_STEP_MATMUL:
  case STP_STEP_CLEAR:
    return (e->kind == STP_KIND_LX_LU || e->kind == STP_KIND_PT) && stp_step_active(s, e->corelet);
  case STP_STEP_PASS:
    if (!stp_step_active(s, e->corelet)) return false;
    if (e->kind == STP_KIND_PT) return s->pass->matmul != NULL;
    if (e->kind == STP_KIND_LX_LU) return s->pass->num_streams > 0;
    return e->kind == STP_KIND_SFU || e->kind == STP_KIND_LX_SU;
  case STP_STEP_LOOP:
    if (carries_needed(e, s->loop)) return true;
    return has_block(e, s->loop->body) || (s->loop->none && has_block(e, s->loop->none));
  }
  return false;
}

/* Does this unit's code for the first (or the last) iteration of the loop differ from the others'?
 */
static bool differs(const stp_emit_t *e, const stp_block_t *body, const stp_loop_t *loop,
                    bool first) {
  for (const stp_step_t *s = body->first; s; s = s->next) {
    if (!has_part(e, s)) continue;
    if (s->kind == STP_STEP_LOOP && differs(e, s->loop->body, loop, first)) return true;
    if (s->kind == STP_STEP_MATMUL && first) {
      if (e->kind == STP_KIND_PT && s->matmul->chain == loop) return true;
      if (s->matmul->start && s->matmul->start->carried == loop) return true;
      if (s->matmul->start && s->matmul->chain == loop) return true;
    }
    if (s->kind != STP_STEP_PASS) continue;
    for (int i = 0; first && i < s->pass->num_streams; i++) {
      bool reads = e->kind == STP_KIND_LX_LU || e->kind == STP_KIND_SFU;
      if (reads && s->pass->streams[i].buf->carried == loop) return true;
    }
    for (int i = 0; !first && i < s->pass->num_outs; i++) {
      if (e->kind == STP_KIND_LX_SU && s->pass->outs[i].buf->carried == loop) return true;
    }
  }
  return false;
}

static void emit_block(stp_emit_t *e, const stp_block_t *block);

static void step_var(stp_emit_t *e, const stp_loop_t *loop) {
  unsigned r = (unsigned)e->sym_reg[loop->sym];
  if (r) stp_emit_imm(e, STP_OP_ADDI, r, r, loop->step);
  stp_emit_forget(e, loop->body);
}

/* ---- scalars that loops carry --------------------------------------------------------------- */

static bool carry_used(const stp_emit_t *e, const stp_carry_t *c) {
  return e->dry || e->facts->sym_used[c->sym] || e->facts->sym_used[c->result];
}

/* The register of a carried scalar, from its first use to the end of the program. */
static unsigned carry_reg(stp_emit_t *e, int sym) {
  if (!e->sym_reg[sym]) e->sym_reg[sym] = (int)stp_emit_alloc(e);
  return (unsigned)e->sym_reg[sym];
}

static void start_carries(stp_emit_t *e, const stp_loop_t *loop) {
  e->feeding = true;
  for (int i = 0; i < loop->num_carries; i++) {
    const stp_carry_t *c = &loop->carries[i];
    if (!carry_used(e, c)) continue;
    unsigned to = carry_reg(e, c->sym), from = stp_emit_reg(e, &c->init);
    stp_emit_imm(e, STP_OP_ADDI, to, from, 0);
    stp_emit_done(e);
  }
  e->feeding = false;
  stp_emit_forget(e, loop->body);
}

/* All of the next values come from the present ones. */
static void next_carries(stp_emit_t *e, const stp_loop_t *loop) {
  unsigned *next = calloc((size_t)loop->num_carries + 1, sizeof *next);
  if (!next) {
    stp_emit_fail(e, "more memory than there is");
    return;
  }
  e->feeding = true;
  for (int i = 0; i < loop->num_carries; i++) {
    const stp_carry_t *c = &loop->carries[i];
    if (!carry_used(e, c)) continue;
    unsigned from = stp_emit_reg(e, &c->next);
    next[i] = stp_emit_alloc(e);
    stp_emit_imm(e, STP_OP_ADDI, next[i], from, 0);
    stp_emit_done(e);
  }
  for (int i = 0; i < loop->num_carries; i++) {
    if (!next[i]) continue;
    stp_emit_imm(e, STP_OP_ADDI, carry_reg(e, loop->carries[i].sym), next[i], 0);
    stp_emit_free(e, next[i]);
  }
  e->feeding = false;
  free(next);
}

static void end_carries(stp_emit_t *e, const stp_loop_t *loop) {
  for (int i = 0; i < loop->num_carries; i++) {
    const stp_carry_t *c = &loop->carries[i];
    if (!e->dry && !e->facts->sym_used[c->result]) continue;
    unsigned to = carry_reg(e, c->result), from = carry_reg(e, c->sym);
    stp_emit_imm(e, STP_OP_ADDI, to, from, 0);
    stp_emit_forget_sym(e, c->result);
  }
}

/* After the first round: what carried scalars that are used are computed from is used, too. */
static void mark_used(stp_emit_t *e, const stp_lin_t *a) {
  stp_emit_facts_t *f = e->facts;
  for (int i = 0; i < a->n; i++) {
    int index = a->t[i].sym;
    const stp_sym_t *s = &e->plan->syms[index];
    if (s->kind == STP_SYM_OP) {
      mark_used(e, &s->a);
      mark_used(e, &s->b);
      mark_used(e, &s->d);
    }
    f->sym_used[index] = true;
  }
}

static bool close_carries(stp_emit_t *e, const stp_block_t *block) {
  bool more = false;
  stp_emit_facts_t *f = e->facts;
  for (const stp_step_t *s = block->first; s; s = s->next) {
    if (s->kind != STP_STEP_LOOP) continue;
    for (int i = 0; i < s->loop->num_carries; i++) {
      const stp_carry_t *c = &s->loop->carries[i];
      if (!f->sym_used[c->sym] && !f->sym_used[c->result]) continue;
      more |= !f->carry_done[c->sym];
      f->carry_done[c->sym] = true;
      f->sym_used[c->sym] = true;
      mark_used(e, &c->init);
      mark_used(e, &c->next);
    }
    more |= close_carries(e, s->loop->body);
  }
  return more;
}

static void emit_iteration(stp_emit_t *e, const stp_loop_t *loop, bool first, bool last) {
  e->first[loop->id] = first;
  e->last[loop->id] = last;
  emit_block(e, loop->body);
  if (loop->num_carries) {
    next_carries(e, loop);
    stp_emit_forget(e, loop->body);
  }
  if (!last) step_var(e, loop);
}

/* Trips in the middle of a loop, whose code is the same: PT alternates weight banks and
 * accumulator halves, which its instructions name, so two iterations make a round. */
static void emit_middle(stp_emit_t *e, const stp_loop_t *loop, int64_t middle) {
  int64_t unroll = e->kind == STP_KIND_PT && middle >= 2 ? 2 : 1, rounds = middle / unroll;
  stp_emit_forget(e, loop->body);
  int l = stp_emit_loop(e, rounds);
  for (int64_t i = 0; i < unroll; i++) emit_iteration(e, loop, false, false);
  if (rounds == 1) stp_emit_forget(e, loop->body);
  stp_emit_loop_end(e, l);
  for (int64_t i = rounds * unroll; i < middle; i++) emit_iteration(e, loop, false, false);
}

static void emit_static_loop(stp_emit_t *e, const stp_loop_t *loop) {
  int64_t trip = loop->trip;
  int64_t head = trip > 1 && differs(e, loop->body, loop, true) ? 1 : 0;
  int64_t tail = trip > 1 && differs(e, loop->body, loop, false) ? 1 : 0;
  int64_t middle = trip - head - tail;
  if (head) emit_iteration(e, loop, true, false);
  if (middle == 1)
    emit_iteration(e, loop, trip == 1, trip == 1);
  else if (middle > 0)
    emit_middle(e, loop, middle);
  if (tail) emit_iteration(e, loop, false, true);
}

/* Code that may be jumped over, or come to from elsewhere: what it computes is not known after it,
 * and nothing that other code computed in its place is known in it. */
static void enter_region(stp_emit_t *e, const stp_loop_t *loop) {
  stp_emit_forget(e, loop->body);
  stp_emit_forget_fields(e);
  e->depth++;
}

static void leave_region(stp_emit_t *e) {
  e->depth--;
  stp_emit_forget_deeper(e);
  stp_emit_forget_fields(e);
}

static void emit_trips(stp_emit_t *e, const stp_loop_t *loop, unsigned count, int unroll) {
  enter_region(e, loop);
  int l = stp_asm_loop(e->as, count, 0);
  for (int i = 0; i < unroll; i++) emit_iteration(e, loop, false, false);
  stp_asm_loop_end(e->as, l);
  leave_region(e);
}

/* The code of the middle as often as a register says; perhaps not once. */
static void emit_counted(stp_emit_t *e, const stp_loop_t *loop, unsigned count) {
  if (e->kind != STP_KIND_PT) {
    emit_trips(e, loop, count, 1);
    return;
  }
  unsigned rounds = stp_emit_alloc(e);
  stp_emit_imm(e, STP_OP_SRAI, rounds, count, 1);
  emit_trips(e, loop, rounds, 2);
  stp_emit_imm(e, STP_OP_ANDI, rounds, count, 1);
  emit_trips(e, loop, rounds, 1);
  stp_emit_free(e, rounds);
}

/* A loop whose trip count only the machine knows. Where the first and the last iteration both have
 * code of their own, so has one that is both. */
static void emit_dynamic_loop(stp_emit_t *e, const stp_loop_t *loop) {
  stp_asm_t *as = e->as;
  bool head = differs(e, loop->body, loop, true), tail = differs(e, loop->body, loop, false);
  bool none = loop->none && has_block(e, loop->none);
  unsigned from = stp_emit_reg(e, &loop->count), count = stp_emit_alloc(e);
  stp_emit_imm(e, STP_OP_ADDI, count, from, 0);
  stp_emit_done(e);
  if (!head && !tail && !none && !loop->branch) {
    emit_counted(e, loop, count);
    stp_emit_free(e, count);
    return;
  }
  int none_label = stp_asm_label(as), only_label = stp_asm_label(as), end = stp_asm_label(as);
  unsigned bank = e->bank, half = e->half;
  if (!loop->some) stp_asm_branch(as, STP_OP_BGE, 0, count, none_label);
  if (head && tail) {
    stp_lin_t one = stp_lin_const(1);
    stp_asm_branch(as, STP_OP_BEQ, count, stp_emit_reg(e, &one), only_label);
    stp_emit_done(e);
  }
  enter_region(e, loop);
  if (head || tail) stp_emit_imm(e, STP_OP_ADDI, count, count, -(int64_t)head - (int64_t)tail);
  if (head) emit_iteration(e, loop, true, false);
  if (loop->branch)
    emit_iteration(e, loop, true, true);
  else
    emit_counted(e, loop, count);
  if (tail) emit_iteration(e, loop, false, true);
  leave_region(e);
  if (none || (head && tail)) stp_asm_branch(as, STP_OP_JMP, 0, 0, end);
  stp_asm_bind(as, only_label);
  if (head && tail) {
    enter_region(e, loop);
    e->bank = bank;
    e->half = half;
    emit_iteration(e, loop, true, true);
    leave_region(e);
    if (none) stp_asm_branch(as, STP_OP_JMP, 0, 0, end);
  }
  stp_asm_bind(as, none_label);
  if (none) {
    enter_region(e, loop);
    emit_block(e, loop->none);
    leave_region(e);
  }
  stp_asm_bind(as, end);
  stp_emit_free(e, count);
}

static void emit_loop(stp_emit_t *e, const stp_loop_t *loop) {
  bool needs_var = e->dry || e->facts->sym_used[loop->sym];
  unsigned var = 0;
  if (needs_var) {
    unsigned from = stp_emit_reg(e, &loop->lb);
    var = stp_emit_alloc(e);
    stp_emit_imm(e, STP_OP_ADDI, var, from, 0);
    stp_emit_done(e);
    e->sym_reg[loop->sym] = (int)var;
  }
  start_carries(e, loop);
  if (loop->trip < 0)
    emit_dynamic_loop(e, loop);
  else
    emit_static_loop(e, loop);
  e->first[loop->id] = e->last[loop->id] = false;
  end_carries(e, loop);
  if (var) {
    stp_emit_free(e, var);
    e->sym_reg[loop->sym] = 0;
  }
  stp_emit_forget(e, loop->body);
}

static void emit_block(stp_emit_t *e, const stp_block_t *block) {
  for (const stp_step_t *s = block->first; s && !e->failed; s = s->next) {
    if (!has_part(e, s)) continue;
    stp_asm_at(e->as, s->loc.line, s->loc.col);
    wait_full(e, s);
    stp_emit_order_wait(e, s);
    acquire_outputs(e, s);
    if (s->kind == STP_STEP_LOOP) {
      emit_loop(e, s->loop);
    } else {
      switch (e->kind) {
      case STP_KIND_MNI_LU:
      case STP_KIND_MNI_SU:
        stp_emit_mni(e, s);
        break;
      case STP_KIND_LX_LU:
        stp_emit_lx_lu(e, s);
        break;
      case STP_KIND_PT:
        stp_emit_pt(e, s);
        break;
      case STP_KIND_SFU:
        stp_emit_sfu(e, s);
        break;
      default:
        stp_emit_lx_su(e, s);
        break;
      }
    }
    stp_emit_done(e);
    publish_outputs(e, s);
    stp_emit_order_post(e, s);
    post_free(e, s);
  }
  if (block->frame) turn_ring(e, block->frame);
}

/* Credits: what a consumer gives at the start, the producer takes back at the end. */
static void emit_credits(stp_emit_t *e, bool start) {
  for (int i = 0; i < e->plan->num_orders; i++) {
    const stp_order_t *o = &e->plan->orders[i];
    if (!o->carried) continue;
    if (start && o->from_unit == e->unit) stp_asm_token(e->as, STP_OP_POST, o->to_unit, o->token);
    if (!start && o->to_unit == e->unit) stp_asm_token(e->as, STP_OP_WAIT, o->from_unit, o->token);
  }
  for (int n = 0; n < e->plan->num_bufs; n++) {
    const stp_buf_t *buf = e->plan->bufs[n];
    for (int i = 0; i < buf->num_edges; i++) {
      const stp_edge_t *d = &buf->edges[i];
      for (int c = 0; c < buf->frame->copies; c++) {
        if (start && d->to == e->unit) stp_asm_token(e->as, STP_OP_POST, d->from, d->free);
        if (!start && d->from == e->unit) stp_asm_token(e->as, STP_OP_WAIT, d->to, d->free);
      }
    }
  }
}

static void emit_prologue(stp_emit_t *e) {
  stp_emit_facts_t *f = e->facts;
  emit_credits(e, true);
  stp_emit_constant_fields(e);
  for (int i = 0; i < e->plan->num_frames; i++) {
    int sym = e->plan->frames[i]->ring;
    if (e->plan->frames[i]->copies < 2 || !(e->dry || f->sym_used[sym])) continue;
    unsigned r = stp_emit_alloc(e);
    stp_emit_imm(e, STP_OP_ADDI, r, 0, 0);
    e->sym_reg[sym] = (int)r;
  }
  if (e->kind == STP_KIND_SFU) stp_emit_sfu_prologue(e);
  stp_emit_done(e);
}

/* Loads for all turns, in a program of MNI-LU; in those of who reads them, before and after the
 * turns, the tokens. */
static void emit_once(stp_emit_t *e, bool start) {
  for (int n = 0; n < e->plan->num_once; n++) {
    const stp_step_t *s = e->plan->once[n];
    const stp_buf_t *buf = s->buf;
    stp_asm_at(e->as, s->loc.line, s->loc.col);
    if (start && has_part(e, s)) stp_emit_mni(e, s);
    stp_emit_done(e);
    for (int i = 0; i < buf->num_edges; i++) {
      const stp_edge_t *d = &buf->edges[i];
      if (d->to != e->unit) continue;
      stp_asm_token(e->as, start ? STP_OP_WAIT : STP_OP_POST, d->from, start ? d->full : d->free);
    }
  }
}

/* The tiles of this core, in turns: core, core + cores, ... */
static void emit_turns(stp_emit_t *e) {
  stp_asm_t *as = e->as;
  int64_t tiles = e->plan->func->num_tiles;
  int end = stp_asm_label(as);
  unsigned t = stp_emit_alloc(e);
  e->tile_reg = (int)t;
  stp_asm_op(as, STP_OP_SPR, t, 0, 0, STP_SPR_CORE, 0);
  if (tiles == 1) {
    stp_asm_branch(as, STP_OP_BNE, t, 0, end);
    emit_block(e, e->plan->body);
  } else {
    unsigned count = stp_emit_alloc(e), cores = stp_emit_alloc(e);
    stp_asm_li(as, count, tiles);
    stp_asm_op(as, STP_OP_SPR, cores, 0, 0, STP_SPR_CORES, 0);
    int top = stp_asm_label(as), last = stp_asm_label(as);
    stp_asm_branch(as, STP_OP_BGE, t, count, end);
    emit_once(e, true);
    stp_asm_bind(as, top);
    e->depth++;
    stp_emit_forget(e, e->plan->body);
    stp_emit_forget_fields(e);
    int unroll = e->kind == STP_KIND_PT ? 2 : 1;
    for (int i = 0; i < unroll && !e->failed; i++) {
      emit_block(e, e->plan->body);
      stp_asm_op(as, STP_OP_ADD, t, t, cores, 0, 0);
      stp_emit_forget(e, e->plan->body);
      if (i < unroll - 1) stp_asm_branch(as, STP_OP_BGE, t, count, last);
    }
    stp_asm_branch(as, STP_OP_BLT, t, count, top);
    stp_asm_bind(as, last);
    e->depth--;
    stp_emit_forget_deeper(e);
    emit_once(e, false);
  }
  stp_asm_at(as, 0, 0);
  stp_asm_bind(as, end);
}

static void emit_program(stp_emit_t *e) {
  emit_prologue(e);
  emit_turns(e);
  emit_credits(e, false);
  stp_asm_op(e->as, STP_OP_HALT, 0, 0, 0, 0, 0);
  if (stp_asm_finish(e->as) && !e->failed) {
    e->plan->too_long = e->as->count >= STP_PROG_WORDS;
    stp_plan_error(e->plan, e->plan->func->loc, "function '%s': %s", e->plan->func->name,
                   stp_asm_error(e->as));
    e->failed = true;
  }
}

bool stp_emit_unit(stp_plan_t *p, unsigned unit, stp_asm_t *as) {
  stp_emit_facts_t facts;
  stp_emit_t e;
  memset(&facts, 0, sizeof facts);
  for (int round = 0; round < 2; round++) {
    memset(&e, 0, sizeof e);
    stp_asm_init(as, unit);
    e.plan = p;
    e.as = as;
    e.unit = unit;
    e.kind = as->kind;
    e.corelet = unit >= STP_UNIT_LX_LU1;
    e.facts = &facts;
    e.dry = round == 0;
    e.steps_only = true;
    bool any = has_block(&e, p->body);
    for (int i = 0; i < p->num_once; i++) any |= has_part(&e, p->once[i]);
    e.steps_only = false;
    if (!any) return true;
    emit_program(&e);
    if (e.failed) return false;
    while (e.dry && close_carries(&e, p->body)) continue;
  }
  return true;
}
