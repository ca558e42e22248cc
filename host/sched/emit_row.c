/* SPDX-License-Identifier: Apache-2.0 */
/* Row passes in the programs of LX-LU and LX-SU: groups of rows, and the runs of each. */
#include <stdlib.h>

#include "emit.h"
#include "emit_lx.h"
#include "vbody.h"

/* Where a run's granules lie: the row at `base` (in `reg` if that is not 0) of the group. */
typedef struct place {
  unsigned reg;
  stp_lin_t base;
  int64_t granule, row; /* bytes from one to the next */
  int64_t step;         /* bytes from one group to the next, per row */
  unsigned mode;        /* aux: sticks, or single elements */
  int64_t sticks;       /* of a granule, or of an element */
} place_t;

typedef struct side {
  stp_emit_t *e;
  const stp_pass_t *pass;
  const stp_vbody_t *v;
  unsigned op, aux; /* of transfers */
  stp_lin_t block;  /* first granule of the rows */
  place_t stream[STP_PASS_STREAMS], spill[STP_PASS_SPILLS], out;
} side_t;

static unsigned element_mode(stp_ir_elem_t elem) {
  return stp_ir_elem_bytes(elem) == 4 ? 2u << 1 : 1u << 1;
}

static place_t tile(side_t *s, const stp_buf_t *buf) {
  int64_t granule = STP_LANES16 * stp_ir_elem_bytes(buf->elem);
  place_t p = {.base = stp_emit_buf_addr(s->e, buf, 0),
               .granule = granule,
               .row = buf->pitch,
               .step = buf->pitch,
               .sticks = granule / STP_STICK_BYTES};
  if (s->pass->down) {
    p.granule = buf->pitch;
    p.row = p.step = granule;
  }
  return p;
}

/* A buffer's row as one element for each row. */
static void make_elements(place_t *p, const stp_buf_t *buf) {
  p->mode = element_mode(buf->elem);
  p->row = p->step = p->granule = stp_ir_elem_bytes(buf->elem);
}

/* Corelet 1 starts in the middle of the rows. */
static void add_share(side_t *s, place_t *p) {
  stp_lin_t corelet = stp_lin_sym(s->e->plan->corelet);
  stp_emit_add(s->e, &p->base, &corelet, stp_pass_lines(s->pass, 1).first * p->step);
  if (!p->mode) stp_emit_add(s->e, &p->base, &s->block, p->granule);
}

static void find_streams(side_t *s) {
  for (int i = 0; i < s->pass->num_streams; i++) {
    const stp_stream_t *st = &s->pass->streams[i];
    place_t p = tile(s, stp_emit_stream_buf(s->e, st));
    stp_emit_add(s->e, &p.base, &st->at, 1);
    if (st->splat) {
      make_elements(&p, st->buf);
      if (s->pass->lanes32) p.sticks = 1;
      if (st->row_bcast || s->pass->down) p.row = p.step = 0;
    } else if (st->row_bcast && !s->pass->down) {
      p.step = 0;
    }
    add_share(s, &p);
    s->stream[i] = p;
  }
}

static void find_spills(side_t *s) {
  const stp_row_plan_t *plan = &s->pass->row;
  for (int i = 0; i < plan->num_spills; i++) {
    const stp_node_t *n = &s->pass->nodes[plan->spill[i].node];
    int64_t granule = STP_LANES16 * stp_ir_elem_bytes(n->elem);
    place_t p = {.base = stp_lin_const(s->e->plan->spill_base + plan->spill[i].offset),
                 .granule = granule,
                 .row = plan->spill[i].pitch,
                 .sticks = granule / STP_STICK_BYTES};
    stp_lin_t corelet = stp_lin_sym(s->e->plan->corelet);
    stp_emit_add(s->e, &p.base, &corelet, s->e->plan->spill_bytes);
    s->spill[i] = p;
  }
}

static place_t *place_of(side_t *s, const stp_run_t *run) {
  if (run->kind == STP_RUN_STREAM) return &s->stream[run->index];
  return run->kind == STP_RUN_SPILL ? &s->spill[run->index] : &s->out;
}

/* Places that move from group to group are kept in registers. */
static void open_place(side_t *s, place_t *p) {
  if (!p->step) return;
  unsigned from = stp_emit_reg(s->e, &p->base);
  p->reg = stp_emit_alloc(s->e);
  stp_asm_op(s->e->as, STP_OP_ADDI, p->reg, from, 0, 0, 0);
  stp_emit_done(s->e);
}

static void set_run(side_t *s, const stp_run_t *run) {
  const place_t *p = place_of(s, run);
  /* Of an element per row, both sticks of a pair are the same. */
  int64_t n[3] = {p->sticks, run->rows, run->count ? run->count : 1};
  int64_t st[3] = {p->mode ? 0 : STP_STICK_BYTES, p->row, p->granule};
  if (s->op == STP_OP_ST && p->mode) n[0] = 1;
  stp_emit_lx_dims(s->e, n, st);
}

static unsigned address(side_t *s, const stp_run_t *run, bool *own) {
  const place_t *p = place_of(s, run);
  int64_t offset = run->count ? run->first * p->granule : 0;
  if (p->step || run->kind == STP_RUN_SPILL) offset += run->row * p->row;
  *own = false;
  if (!p->reg) {
    stp_lin_t at = p->base;
    at.c += offset;
    return stp_emit_reg(s->e, &at);
  }
  if (!offset) return p->reg;
  unsigned at = stp_emit_alloc(s->e);
  stp_asm_op(s->e->as, STP_OP_ADDI, at, p->reg, 0, 0, offset);
  *own = true;
  return at;
}

static unsigned peer(const stp_emit_t *e, unsigned kind) {
  unsigned first = kind == STP_KIND_LX_SU ? STP_UNIT_LX_SU0 : STP_UNIT_LX_LU0,
           second = kind == STP_KIND_LX_SU ? STP_UNIT_LX_SU1 : STP_UNIT_LX_LU1;
  return e->corelet ? second : first;
}

static void transfer(side_t *s, const stp_run_t *run) {
  stp_emit_t *e = s->e;
  bool own;
  set_run(s, run);
  if (run->sync && s->op == STP_OP_LD)
    stp_asm_token(e->as, STP_OP_WAIT, peer(e, STP_KIND_LX_SU), e->plan->spill_token);
  unsigned at = address(s, run, &own);
  stp_asm_op(e->as, s->op, 0, at, 0, s->aux | place_of(s, run)->mode, 0);
  stp_emit_done(e);
  if (own) stp_emit_free(e, at);
}

static void post(side_t *s, const stp_run_t *run) {
  if (run->sync && s->op == STP_OP_ST)
    stp_asm_token(s->e->as, STP_OP_POST, peer(s->e, STP_KIND_LX_LU), s->e->plan->spill_token);
}

/* Several runs, `times` times: each has a register that steps on. */
static void repeat(side_t *s, const stp_run_t *runs, int num, int64_t times, int64_t step) {
  stp_emit_t *e = s->e;
  unsigned at[STP_VBODY_RUNS];
  for (int i = 0; i < num; i++) {
    bool own;
    unsigned from = address(s, &runs[i], &own);
    at[i] = from;
    if (!own) {
      at[i] = stp_emit_alloc(e);
      stp_asm_op(e->as, STP_OP_ADDI, at[i], from, 0, 0, 0);
    }
    stp_emit_done(e);
    if (runs[i].sync && s->op == STP_OP_LD)
      stp_asm_token(e->as, STP_OP_WAIT, peer(e, STP_KIND_LX_SU), e->plan->spill_token);
  }
  int loop = stp_emit_loop(e, times);
  for (int i = 0; i < num && !e->failed; i++) {
    set_run(s, &runs[i]);
    stp_asm_op(e->as, s->op, at[i], at[i], 0, s->aux | place_of(s, &runs[i])->mode,
               step * place_of(s, &runs[i])->granule);
    stp_emit_done(e);
  }
  stp_emit_loop_end(e, loop);
  for (int i = 0; i < num; i++) {
    stp_emit_free(e, at[i]);
    post(s, &runs[i]);
  }
}

/* Can `next` follow `run` in the same transfer? */
static bool continues(const stp_run_t *run, const stp_run_t *next) {
  return run->kind == next->kind && run->index == next->index && run->rows == next->rows &&
         run->row == next->row && run->count && next->count &&
         next->first == run->first + run->count;
}

static void flush(side_t *s, stp_run_t *held) {
  if (!held->rows) return;
  transfer(s, held);
  post(s, held);
  held->rows = 0;
}

/* The runs of a group, or its gives. Those that continue each other go together. */
static void move_group(side_t *s, bool gives) {
  const stp_vbody_t *v = s->v;
  const stp_run_t *list = gives ? v->gives : v->runs;
  stp_run_t held = {.rows = 0};
  for (int p = 0, n = 0; p < v->num_parts && !s->e->failed; p++) {
    const stp_vpart_t *part = &v->parts[p];
    int end = gives ? part->gives : part->runs, num = end - n;
    if (part->times > 1 && num > 1) {
      flush(s, &held);
      repeat(s, &list[n], num, part->times, part->step);
      n = end;
    }
    for (; n < end; n++) {
      stp_run_t run = list[n];
      run.count *= part->times;
      /* A post at the end of the second is one at the end of both. */
      if (continues(&held, &run) && !(gives ? held.sync : run.sync)) {
        held.count += run.count;
        held.sync |= run.sync;
        continue;
      }
      flush(s, &held);
      held = run;
    }
  }
  flush(s, &held);
}

/* All groups of the corelet's rows. */
static void move_rows(side_t *s, stp_vbody_t *v, bool gives, unsigned absent) {
  stp_emit_t *e = s->e;
  int64_t left = stp_pass_lines(s->pass, e->corelet).count;
  place_t *moving[STP_PASS_STREAMS + 1];
  int num = 0;
  if (gives) moving[num++] = &s->out;
  for (int i = 0; i < s->pass->num_streams && !gives; i++) {
    if (!(absent >> i & 1)) moving[num++] = &s->stream[i];
  }
  for (int i = 0; i < num; i++) open_place(s, moving[i]);
  s->v = v;
  for (int64_t size = s->pass->row.group; left > 0 && !e->failed; left %= size) {
    if (size > left) size = left;
    if (!stp_vrow_make(v, s->pass, size, absent)) break; /* SFU's part reports it */
    int loop = stp_emit_loop(e, left / size);
    move_group(s, gives);
    for (int i = 0; i < num; i++) {
      const place_t *p = moving[i];
      if (p->reg) stp_asm_op(e->as, STP_OP_ADDI, p->reg, p->reg, 0, 0, size * p->step);
    }
    stp_emit_loop_end(e, loop);
  }
  for (int i = 0; i < num; i++) {
    if (moving[i]->reg) stp_emit_free(e, moving[i]->reg);
  }
}

static void row_lu(stp_emit_t *e, const stp_pass_t *pass, stp_vbody_t *v, unsigned absent,
                   const stp_lin_t *block) {
  side_t s = {.e = e, .pass = pass, .op = STP_OP_LD, .aux = STP_LX_TO_SFU, .block = *block};
  find_streams(&s);
  find_spills(&s);
  move_rows(&s, v, false, absent);
}

static void row_su(stp_emit_t *e, const stp_pass_t *pass, const stp_buf_t *buf, stp_vbody_t *v,
                   unsigned absent, const stp_lin_t *block) {
  side_t s = {.e = e, .pass = pass, .op = STP_OP_ST, .block = *block};
  find_spills(&s);
  s.out = tile(&s, buf);
  if (pass->nodes[pass->outs[0].node].row && !pass->down) make_elements(&s.out, buf);
  stp_emit_add(e, &s.out.base, &pass->outs[0].at, 1);
  add_share(&s, &s.out);
  move_rows(&s, v, true, absent);
}

/* The granule at which a column block of this corelet lies. */
static stp_lin_t block_at(stp_emit_t *e, const stp_pass_t *pass, int64_t n) {
  stp_lin_t at = stp_lin_const(n), corelet = stp_lin_sym(e->plan->corelet);
  stp_emit_add(e, &at, &corelet, stp_pass_blocks(pass, 1).first);
  return at;
}

void stp_emit_row_lu(stp_emit_t *e, const stp_pass_t *pass, stp_vbody_t *v, unsigned absent) {
  if (pass->mode == STP_PASS_ROW) {
    stp_lin_t none = stp_lin_const(0);
    row_lu(e, pass, v, absent, &none);
    return;
  }
  stp_pass_t block = stp_pass_block(pass);
  for (int64_t n = 0; n < stp_pass_blocks(pass, e->corelet).count; n++) {
    stp_lin_t at = block_at(e, pass, n);
    row_lu(e, &block, v, absent, &at);
  }
}

void stp_emit_row_su(stp_emit_t *e, const stp_pass_t *pass, const stp_buf_t *buf, stp_vbody_t *v,
                     unsigned absent) {
  if (pass->mode == STP_PASS_ROW) {
    stp_lin_t none = stp_lin_const(0);
    row_su(e, pass, buf, v, absent, &none);
    return;
  }
  stp_pass_t block = stp_pass_block(pass);
  for (int64_t n = 0; n < stp_pass_blocks(pass, e->corelet).count; n++) {
    stp_lin_t at = block_at(e, pass, n);
    row_su(e, &block, buf, v, absent, &at);
  }
}
