/* SPDX-License-Identifier: Apache-2.0 */
/* LX-LU and LX-SU: sticks of buffers, in the order in which PT and SFU take and give them. */
#include <stdlib.h>

#include "emit_lx.h"

/* Counts and strides of a transfer, innermost first. */
typedef struct dims {
  int64_t n[4], s[4];
} dims_t;

/* Merge dimensions that continue each other. */
static dims_t make_dims(const int64_t n[3], const int64_t s[3]) {
  dims_t d = {{1, 1, 1, 1}, {0, 0, 0, 0}};
  int at = 0;
  for (int i = 0; i < 3; i++) {
    if (n[i] == 1) continue;
    if (at > 0 && s[i] == d.s[at - 1] * d.n[at - 1]) {
      d.n[at - 1] *= n[i];
      continue;
    }
    d.n[at] = n[i];
    d.s[at++] = s[i];
  }
  return d;
}

static void set_dims(stp_emit_t *e, const dims_t *d) {
  for (unsigned i = 0; i < 4; i++) {
    stp_emit_field_const(e, STP_CFG_LX_N0 + i, d->n[i]);
    if (d->n[i] > 1) stp_emit_field_const(e, STP_CFG_LX_S0 + i, d->s[i]);
  }
}

void stp_emit_lx_dims(stp_emit_t *e, const int64_t n[3], const int64_t s[3]) {
  dims_t d = make_dims(n, s);
  set_dims(e, &d);
}

static void move(stp_emit_t *e, unsigned op, const stp_lin_t *addr, const dims_t *d, unsigned aux) {
  set_dims(e, d);
  unsigned r = stp_emit_reg(e, addr);
  stp_asm_op(e->as, op, 0, r, 0, aux, 0);
  stp_emit_done(e);
}

/* ---- the shape of a pass in LX ------------------------------------------------------------------
 */

/* Where a buffer's granules lie: `outer` times `inner` of them, from `first` on. */
typedef struct walk {
  int64_t sticks; /* of a granule */
  int64_t outer, outer_stride, inner, inner_stride;
  stp_lin_t base;
} walk_t;

static walk_t buffer_walk(stp_emit_t *e, const stp_pass_t *pass, const stp_buf_t *buf,
                          const stp_lin_t *at) {
  int64_t granule = STP_LANES16 * stp_ir_elem_bytes(buf->elem);
  walk_t w = {.sticks = granule / STP_STICK_BYTES, .outer = 1};
  stp_part_t rows = stp_part_rows(pass->rows, e->corelet), other = stp_part_rows(pass->rows, 1);
  int64_t share; /* where corelet 1 begins */
  w.inner_stride = granule;
  switch (pass->mode) {
  case STP_PASS_FLAT:
    if (pass->rows == 1) {
      w.inner = stp_part_rows(pass->granules, e->corelet).count;
      share = stp_part_rows(pass->granules, 1).first * granule;
    } else {
      w.inner = rows.count * pass->granules;
      share = other.first * buf->pitch;
    }
    break;
  case STP_PASS_PT:
    w.outer = stp_pass_blocks(pass, e->corelet).count;
    w.outer_stride = granule;
    w.inner = stp_pass_rows(pass, e->corelet).count;
    w.inner_stride = buf->pitch;
    share = stp_pass_rows(pass, 1).first * buf->pitch + stp_pass_blocks(pass, 1).first * granule;
    break;
  default:
    return w; /* rows: emit_row.c */
  }
  w.base = stp_emit_buf_addr(e, buf, 0);
  stp_lin_t corelet = stp_lin_sym(e->plan->corelet);
  stp_emit_add(e, &w.base, &corelet, share);
  stp_emit_add(e, &w.base, at, 1);
  return w;
}

static unsigned absent_streams(const stp_emit_t *e, const stp_pass_t *pass) {
  unsigned absent = 0;
  for (int i = 0; i < pass->num_streams; i++) {
    const stp_loop_t *loop = pass->streams[i].buf->carried;
    if (loop && e->first[loop->id] && !pass->streams[i].init) absent |= 1u << i;
  }
  return absent;
}

/* ---- LX-LU
 * --------------------------------------------------------------------------------------- */

/* A zero for each accumulator row, +0 or -0: sticks of which nothing is read. */
static void feed_clear(stp_emit_t *e, const stp_step_t *s) {
  int64_t rows = stp_matmul_rows(s->matmul, e->corelet).count *
                 stp_matmul_granules(s->matmul, e->corelet).count;
  stp_lin_t at = stp_lin_const(0);
  dims_t d = {{1, rows, 1, 1}, {0, 0, 0, 0}};
  stp_emit_field_const(e, STP_CFG_LX_PAD, s->bits >> 16 | (s->bits & 0x80000000u));
  stp_emit_field_const(e, STP_CFG_LX_LIM1, 0);
  move(e, STP_OP_LD, &at, &d, STP_LX_TO_PT);
  stp_emit_field_const(e, STP_CFG_LX_LIM1, 0xffffff);
}

/* A stream's place: a register that moves on. */
typedef struct cursor {
  unsigned reg;
  walk_t w;
} cursor_t;

static void open_cursor(stp_emit_t *e, cursor_t *c, const stp_lin_t *at) {
  unsigned from = stp_emit_reg(e, at);
  c->reg = stp_emit_alloc(e);
  stp_asm_op(e->as, STP_OP_ADDI, c->reg, from, 0, 0, 0);
  stp_emit_done(e);
}

/* What LX-LU sends for a product: the rows of a 64x64 block of the right matrix, then those of the
 * left one. Beyond the end of what a pass computed there are no zeros: they are made here. */
enum { FULL = STP_PT_ROWS * STP_PT_BLOCKS };

typedef struct operands {
  const stp_matmul_t *m;
  int64_t rows, granules;
  int64_t first;           /* column block */
  int64_t w_down, w_right; /* bytes from a block of w to the next along k, and to that of the next
                              columns */
  stp_lin_t a, w;
  bool pad;
} operands_t;

/* Weights that lie as rows of k, one for each column: LX-LU transposes them. */
static void send_turned(stp_emit_t *e, const operands_t *o, int64_t n, int64_t k, unsigned rd,
                        unsigned ra, int64_t step) {
  int64_t left = o->m->n - (o->first + n) * STP_LANES16, rows = left < FULL ? left : FULL;
  dims_t d = {{rows, 1, 1, 1}, {o->m->w->pitch, 0, 0, 0}};
  if (o->pad) {
    d = (dims_t){{1, rows, 1, 1}, {0, o->m->w->pitch, 0, 0}};
    bool zeros = !o->m->w->loaded && k % STP_PT_ROWS;
    stp_emit_field_const(e, STP_CFG_LX_LIM0, zeros ? k * 2 : STP_STICK_BYTES);
    stp_emit_field_const(e, STP_CFG_LX_LIM1, 0xffffff);
  }
  /* Columns that the product does not have: zeros. */
  if (rows < FULL) stp_emit_field_const(e, STP_CFG_LX_PAD, 0);
  stp_emit_field_const(e, STP_CFG_LX_COLS, (k + STP_PT_ROWS - 1) / STP_PT_ROWS * STP_PT_ROWS);
  set_dims(e, &d);
  stp_asm_op(e->as, STP_OP_LD, rd, ra, 0, STP_LX_TO_PT | 1u << 1 | 1u << 3, step);
  stp_emit_done(e);
}

/* Those of column block n, for the next k numbers. */
static void send_weights(stp_emit_t *e, const operands_t *o, int64_t n, int64_t k, unsigned rd,
                         unsigned ra, int64_t step) {
  if (o->m->turned) {
    send_turned(e, o, n, k, rd, ra, step);
    return;
  }
  int64_t whole = (k + STP_PT_ROWS - 1) / STP_PT_ROWS * STP_PT_ROWS;
  dims_t d = {{whole, 1, 1, 1}, {o->m->w->pitch, 0, 0, 0}};
  if (o->pad) {
    d = (dims_t){{1, whole, 1, 1}, {0, o->m->w->pitch, 0, 0}};
    bool zeros = !o->m->w->loaded && k < whole;
    stp_emit_field_const(e, STP_CFG_LX_LIM0, STP_STICK_BYTES);
    stp_emit_field_const(e, STP_CFG_LX_LIM1, zeros ? k : 0xffffff);
  }
  set_dims(e, &d);
  stp_asm_op(e->as, STP_OP_LD, rd, ra, 0, STP_LX_TO_PT, step);
  stp_emit_done(e);
}

static void send_rows(stp_emit_t *e, const operands_t *o, int64_t k, unsigned rd, unsigned ra,
                      int64_t step) {
  dims_t d = {{o->rows, 1, 1, 1}, {o->m->a->pitch, 0, 0, 0}};
  if (o->pad) {
    d = (dims_t){{1, o->rows, 1, 1}, {0, o->m->a->pitch, 0, 0}};
    bool zeros = !o->m->a->loaded && k % STP_PT_ROWS;
    stp_emit_field_const(e, STP_CFG_LX_LIM0, zeros ? k * 2 : STP_STICK_BYTES);
    stp_emit_field_const(e, STP_CFG_LX_LIM1, 0xffffff);
  }
  set_dims(e, &d);
  stp_asm_op(e->as, STP_OP_LD, rd, ra, 0, STP_LX_TO_PT, step);
  stp_emit_done(e);
}

/* One panel of k, addresses as forms. */
static void send_panel(stp_emit_t *e, const operands_t *o, int64_t at, int64_t k) {
  for (int64_t n = 0; n < o->granules; n++) {
    stp_lin_t w = o->w, a = o->a;
    w.c += at / FULL * o->w_down + n * o->w_right;
    a.c += at / STP_LANES16 * STP_STICK_BYTES;
    unsigned r = stp_emit_reg(e, &w);
    send_weights(e, o, n, k, 0, r, 0);
    r = stp_emit_reg(e, &a);
    send_rows(e, o, k, 0, r, 0);
  }
}

/* Many panels: a loop with addresses that step on. */
static void send_panels(stp_emit_t *e, const operands_t *o, int64_t count) {
  cursor_t w, a;
  open_cursor(e, &w, &o->w);
  open_cursor(e, &a, &o->a);
  int64_t down = o->w_down - (o->granules - 1) * o->w_right;
  int loop = stp_emit_loop(e, count);
  for (int64_t n = 0; n < o->granules; n++) {
    bool last = n == o->granules - 1;
    send_weights(e, o, n, FULL, w.reg, w.reg, last ? down : o->w_right);
    send_rows(e, o, FULL, last ? a.reg : 0, a.reg, last ? STP_STICK_BYTES : 0);
  }
  stp_emit_loop_end(e, loop);
  stp_emit_free(e, w.reg);
  stp_emit_free(e, a.reg);
}

/* Start values, in the order of the accumulators. */
static void feed_start(stp_emit_t *e, const stp_matmul_t *m) {
  stp_lin_t at = stp_emit_buf_addr(e, m->start, 0), corelet = stp_lin_sym(e->plan->corelet);
  int64_t granule = STP_LANES16 * stp_ir_elem_bytes(m->start->elem);
  int64_t n[3] = {granule / STP_STICK_BYTES, stp_matmul_rows(m, e->corelet).count,
                  stp_matmul_granules(m, e->corelet).count},
          s[3] = {STP_STICK_BYTES, m->start->pitch, granule};
  stp_emit_add(e, &at, &m->start_at, 1);
  stp_emit_add(e, &at, &corelet,
               stp_matmul_rows(m, 1).first * m->start->pitch +
                   stp_matmul_granules(m, 1).first * granule);
  dims_t d = make_dims(n, s);
  move(e, STP_OP_LD, &at, &d, STP_LX_TO_PT);
}

static void feed_matmul(stp_emit_t *e, const stp_matmul_t *m) {
  if (stp_emit_loads_start(e, m)) feed_start(e, m);
  stp_lin_t corelet = stp_lin_sym(e->plan->corelet);
  int64_t block = FULL * m->w->pitch;
  operands_t o = {.m = m,
                  .rows = stp_matmul_rows(m, e->corelet).count,
                  .granules = stp_matmul_granules(m, e->corelet).count,
                  .first = stp_matmul_granules(m, e->corelet).first,
                  .w_down = m->turned ? STP_STICK_BYTES : block,
                  .w_right = m->turned ? block : STP_STICK_BYTES,
                  .a = stp_emit_buf_addr(e, m->a, 0),
                  .w = stp_emit_buf_addr(e, m->w, 0)};
  stp_emit_add(e, &o.a, &m->a_at, 1);
  stp_emit_add(e, &o.w, &m->w_at, 1);
  stp_emit_add(e, &o.a, &corelet, stp_matmul_rows(m, 1).first * m->a->pitch);
  stp_emit_add(e, &o.w, &corelet, stp_matmul_granules(m, 1).first * o.w_right);
  bool computed = !m->a->loaded || !m->w->loaded;
  o.pad = computed && m->k % STP_PT_ROWS;
  int64_t panels = m->k / FULL, sent = 0;
  if (panels * o.granules > 8) {
    send_panels(e, &o, panels);
    sent = panels * FULL;
  }
  for (; sent < m->k; sent += FULL)
    send_panel(e, &o, sent, m->k - sent < FULL ? m->k - sent : FULL);
  if (o.pad) {
    stp_emit_field_const(e, STP_CFG_LX_LIM0, 0xffffff);
    stp_emit_field_const(e, STP_CFG_LX_LIM1, 0xffffff);
  }
}

/* The runs of one group of `granules`; afterwards the cursors stand at the next group. */
static void feed_group(stp_emit_t *e, const stp_vbody_t *v, cursor_t *cursors, int64_t granules) {
  for (int i = 0; i < v->num_runs; i++) {
    const stp_run_t *run = &v->runs[i];
    cursor_t *c = &cursors[run->index];
    bool last = true;
    for (int n = i + 1; n < v->num_runs; n++) last &= v->runs[n].index != run->index;
    int64_t n[3] = {c->w.sticks, run->count, 1}, s[3] = {STP_STICK_BYTES, c->w.inner_stride, 0};
    dims_t d = make_dims(n, s);
    set_dims(e, &d);
    unsigned at = c->reg;
    if (run->first) {
      at = stp_emit_alloc(e);
      stp_asm_op(e->as, STP_OP_ADDI, at, c->reg, 0, 0, run->first * c->w.inner_stride);
    }
    bool in_place = last && at == c->reg;
    stp_asm_op(e->as, STP_OP_LD, in_place ? c->reg : 0, at, 0, STP_LX_TO_SFU,
               in_place ? granules * c->w.inner_stride : 0);
    if (at != c->reg) stp_emit_free(e, at);
    if (last && !in_place) {
      stp_asm_op(e->as, STP_OP_ADDI, c->reg, c->reg, 0, 0, granules * c->w.inner_stride);
    }
    stp_emit_done(e);
  }
}

/* Flat and PT passes: groups of granules, streams in turn. */
static void feed_groups(stp_emit_t *e, const stp_pass_t *pass, stp_vbody_t *v, unsigned absent) {
  cursor_t cursors[STP_PASS_STREAMS];
  int present = 0, only = 0;
  for (int i = 0; i < pass->num_streams; i++) {
    cursors[i].w =
        buffer_walk(e, pass, stp_emit_stream_buf(e, &pass->streams[i]), &pass->streams[i].at);
    if (absent >> i & 1) continue;
    present++;
    only = i;
  }
  if (!present) return;
  const walk_t *w = &cursors[only].w;
  if (present == 1) {
    int64_t n[3] = {w->sticks, w->inner, w->outer},
            s[3] = {STP_STICK_BYTES, w->inner_stride, w->outer_stride};
    dims_t d = make_dims(n, s);
    move(e, STP_OP_LD, &w->base, &d, STP_LX_TO_SFU);
    return;
  }
  int64_t group = stp_vbody_group(pass, w->inner);
  for (int64_t o = 0; o < w->outer; o++) {
    for (int i = 0; i < pass->num_streams; i++) {
      if (absent >> i & 1) continue;
      stp_lin_t at = cursors[i].w.base;
      at.c += o * cursors[i].w.outer_stride;
      open_cursor(e, &cursors[i], &at);
    }
    int64_t left = w->inner;
    for (int64_t size = group; left > 0 && size > 0; size = left) {
      int64_t count = left / size;
      if (!stp_vbody_make(v, pass, size, absent)) break;
      int loop = stp_emit_loop(e, count);
      feed_group(e, v, cursors, size);
      stp_emit_loop_end(e, loop);
      left -= count * size;
    }
    for (int i = 0; i < pass->num_streams; i++) {
      if (!(absent >> i & 1)) stp_emit_free(e, cursors[i].reg);
    }
  }
}

void stp_emit_lx_lu(stp_emit_t *e, const stp_step_t *s) {
  if (s->kind == STP_STEP_MATMUL) {
    feed_matmul(e, s->matmul);
    return;
  }
  if (s->kind == STP_STEP_CLEAR) {
    feed_clear(e, s);
    return;
  }
  stp_vbody_t *v = malloc(sizeof *v);
  if (!v) return;
  unsigned absent = absent_streams(e, s->pass);
  if (s->pass->mode == STP_PASS_ROW || s->pass->mode == STP_PASS_BLOCK)
    stp_emit_row_lu(e, s->pass, v, absent);
  else
    feed_groups(e, s->pass, v, absent);
  free(v);
}

/* ---- LX-SU
 * --------------------------------------------------------------------------------------- */

void stp_emit_lx_su(stp_emit_t *e, const stp_step_t *s) {
  const stp_pass_t *pass = s->pass;
  const stp_out_t *out = &pass->outs[0];
  stp_buf_t *buf = out->last && e->last[out->buf->carried->id] ? out->last : out->buf;
  if (pass->mode == STP_PASS_ROW || pass->mode == STP_PASS_BLOCK) {
    stp_vbody_t *v = malloc(sizeof *v);
    if (v) stp_emit_row_su(e, pass, buf, v, absent_streams(e, pass));
    free(v);
  } else {
    walk_t w = buffer_walk(e, pass, buf, &out->at);
    int64_t n[3] = {w.sticks, w.inner, w.outer},
            st[3] = {STP_STICK_BYTES, w.inner_stride, w.outer_stride};
    dims_t d = make_dims(n, st);
    move(e, STP_OP_ST, &w.base, &d, 0);
  }
}
