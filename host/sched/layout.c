/* SPDX-License-Identifier: Apache-2.0 */
/* Places: which unit reads and writes each buffer, the tokens between them, and addresses in LX. */
#include "vbody.h"

bool stp_block_contains(const stp_block_t *outer, const stp_block_t *inner) {
  while (inner && inner != outer) inner = inner->parent ? inner->parent->block : NULL;
  return inner == outer;
}

const stp_step_t *stp_step_in(const stp_step_t *step, const stp_block_t *scope) {
  while (step && step->block != scope) step = step->block->parent;
  return step;
}

stp_part_t stp_part_rows(int64_t rows, int corelet) {
  int64_t half = (rows + 1) / 2;
  return corelet ? (stp_part_t){half, rows - half} : (stp_part_t){0, half};
}

stp_part_t stp_matmul_rows(const stp_matmul_t *m, int corelet) {
  return m->cols ? (stp_part_t){0, m->m} : stp_part_rows(m->m, corelet);
}

stp_part_t stp_matmul_granules(const stp_matmul_t *m, int corelet) {
  int64_t granules = (m->n + STP_LANES16 - 1) / STP_LANES16;
  return m->cols ? stp_part_rows(granules, corelet) : (stp_part_t){0, granules};
}

stp_part_t stp_pass_rows(const stp_pass_t *pass, int corelet) {
  return pass->cols ? (stp_part_t){0, pass->rows} : stp_part_rows(pass->rows, corelet);
}

stp_part_t stp_pass_lines(const stp_pass_t *pass, int corelet) {
  return pass->down ? stp_part_rows(pass->granules, corelet) : stp_pass_rows(pass, corelet);
}

int64_t stp_pass_steps(const stp_pass_t *pass) {
  return pass->down ? pass->rows : pass->granules;
}

stp_part_t stp_pass_blocks(const stp_pass_t *pass, int corelet) {
  return pass->cols ? stp_part_rows(pass->granules, corelet) : (stp_part_t){0, pass->granules};
}

stp_pass_t stp_pass_block(const stp_pass_t *pass) {
  stp_pass_t block = *pass;
  block.mode = STP_PASS_ROW;
  block.inner = STP_LANES16;
  block.granules = 1;
  return block;
}

/* Work is split by rows; a single row by granules where the pass can do that. */
static bool by_granules(const stp_step_t *s) {
  if (s->kind != STP_STEP_PASS) return false;
  return s->pass->cols || s->pass->down || (s->pass->mode == STP_PASS_FLAT && s->pass->rows == 1);
}

bool stp_step_active(const stp_step_t *s, int corelet) {
  if (s->kind == STP_STEP_MATMUL || s->kind == STP_STEP_CLEAR) {
    return stp_matmul_rows(s->matmul, corelet).count > 0 &&
           stp_matmul_granules(s->matmul, corelet).count > 0;
  }
  if (s->kind != STP_STEP_PASS) return true;
  return stp_part_rows(by_granules(s) ? s->pass->granules : s->pass->rows, corelet).count > 0;
}

/* The next step of the whole tree, in program order. */
static const stp_step_t *next_step(const stp_step_t *s) {
  if (s->kind == STP_STEP_LOOP) {
    if (s->loop->body->first) return s->loop->body->first;
    if (s->loop->none && s->loop->none->first) return s->loop->none->first;
  }
  while (s && !s->next) {
    const stp_block_t *done = s->block;
    s = done->parent;
    if (s && done == s->loop->body && s->loop->none && s->loop->none->first)
      return s->loop->none->first;
  }
  return s ? s->next : NULL;
}

typedef enum { SPLIT_NONE, SPLIT_ROWS, SPLIT_GRANULES, SPLIT_MIXED } split_t;

typedef struct layout {
  stp_plan_t *p;
  split_t split[STP_PLAN_BUFS];
  int edges[STP_UNITS][STP_UNITS]; /* token counters in use */
} layout_t;

static void consume(stp_buf_t *buf, unsigned unit, const stp_step_t *s) {
  int at = stp_step_in(s, buf->frame->scope)->index;
  if (!(buf->consumers >> unit & 1)) buf->first[unit] = at;
  buf->last[unit] = at;
  buf->consumers |= 1u << unit;
}

/* A unit writes the buffer in a step. */
static void produce(stp_buf_t *buf, unsigned unit, const stp_step_t *s, const stp_loop_t *carried) {
  int at = stp_step_in(s, carried ? carried->body : buf->frame->scope)->index;
  if (!(buf->producers >> unit & 1)) buf->writes_from[unit] = at;
  buf->writes_to[unit] = at;
  buf->producers |= 1u << unit;
}

static void note_split(layout_t *l, const stp_buf_t *buf, split_t split) {
  split_t *s = &l->split[buf->id];
  *s = *s == SPLIT_NONE || *s == split ? split : SPLIT_MIXED;
}

/* Does the pass take a part of the buffer, whose halves are not those of the buffer? */
static bool is_part(const stp_pass_t *pass, const stp_buf_t *buf, const stp_lin_t *at) {
  return at->n || at->c || buf->rows != pass->rows || buf->granules != pass->granules;
}

static void note_step(layout_t *l, const stp_step_t *s) {
  switch (s->kind) {
  case STP_STEP_LOAD:
    if (s->buf->frame) produce(s->buf, STP_UNIT_MNI_LU, s, NULL);
    return;
  case STP_STEP_STORE:
    consume(s->buf, STP_UNIT_MNI_SU, s);
    return;
  default:
    break;
  }
  split_t split = by_granules(s) ? SPLIT_GRANULES : SPLIT_ROWS;
  for (int c = 0; c < STP_CORELETS; c++) {
    unsigned lu = c ? STP_UNIT_LX_LU1 : STP_UNIT_LX_LU0, su = c ? STP_UNIT_LX_SU1 : STP_UNIT_LX_SU0;
    if (!stp_step_active(s, c)) continue;
    if (s->kind == STP_STEP_MATMUL) {
      consume(s->matmul->a, lu, s);
      consume(s->matmul->w, lu, s);
      if (s->matmul->start) {
        consume(s->matmul->start, lu, s);
        note_split(l, s->matmul->start, SPLIT_MIXED);
      }
      note_split(l, s->matmul->a, SPLIT_MIXED);
      note_split(l, s->matmul->w, SPLIT_MIXED);
    } else if (s->kind == STP_STEP_PASS) {
      const stp_pass_t *pass = s->pass;
      for (int i = 0; i < pass->num_streams; i++) {
        const stp_stream_t *st = &pass->streams[i];
        consume(st->buf, lu, s);
        bool mixed = st->row_bcast || st->splat || is_part(pass, st->buf, &st->at);
        note_split(l, st->buf, mixed ? SPLIT_MIXED : split);
        if (st->init) {
          consume(st->init, lu, s);
          note_split(l, st->init, mixed ? SPLIT_MIXED : split);
        }
      }
      for (int i = 0; i < pass->num_outs; i++) {
        const stp_out_t *o = &pass->outs[i];
        bool mixed = pass->nodes[o->node].row || is_part(pass, o->buf, &o->at);
        split_t how = mixed ? SPLIT_MIXED : split;
        if (o->buf->result_of) /* of a loop without iterations */
          o->buf->producers |= 1u << su;
        else
          produce(o->buf, su, s, o->buf->carried);
        note_split(l, o->buf, how);
        if (o->last) {
          produce(o->last, su, s, o->buf->carried);
          note_split(l, o->last, how);
        }
      }
    }
  }
}

static void make_edges(stp_buf_t *buf) {
  for (unsigned from = 0; from < STP_UNITS; from++) {
    if (!(buf->producers >> from & 1)) continue;
    for (unsigned to = 0; to < STP_UNITS; to++) {
      if (!(buf->consumers >> to & 1)) continue;
      bool corelets = from >= STP_UNIT_LX_LU0 && to >= STP_UNIT_LX_LU0;
      if (buf->split && corelets && (from >= STP_UNIT_LX_LU1) != (to >= STP_UNIT_LX_LU1)) continue;
      stp_edge_t *e = &buf->edges[buf->num_edges++];
      e->from = from;
      e->to = to;
    }
  }
}

static int64_t place_frames(stp_plan_t *p) {
  int64_t at = 0;
  for (int i = 0; i < p->num_frames; i++) {
    p->frames[i]->base = at;
    at += p->frames[i]->bytes * p->frames[i]->copies;
  }
  return at;
}

/*
 * How row passes are worked, and the most that one of them spills. If that does not fit into LX
 * beside the tiles, no pass spills.
 */
static bool plan_rows(stp_plan_t *p, bool spills) {
  p->spill_bytes = 0;
  for (const stp_step_t *s = p->body->first; s; s = next_step(s)) {
    if (s->kind != STP_STEP_PASS) continue;
    bool block = s->pass->mode == STP_PASS_BLOCK;
    if (s->pass->mode != STP_PASS_ROW && !block) continue;
    stp_pass_t pass = block ? stp_pass_block(s->pass) : *s->pass;
    pass.row.spills = spills;
    bool ok = stp_vrow_plan(&pass, stp_pass_lines(s->pass, 0).count);
    s->pass->row = pass.row;
    if (!ok) {
      return stp_plan_error(p, s->loc,
                            "an expression over rows needs more SFU registers than there are; the "
                            "scheduler does not split it yet");
    }
    if (s->pass->row.bytes > p->spill_bytes) p->spill_bytes = s->pass->row.bytes;
  }
  return true;
}

static bool is_carried(const stp_plan_t *p, const stp_frame_t *f) {
  for (int n = 0; n < p->num_bufs; n++) {
    if (p->bufs[n]->frame == f && p->bufs[n]->carried) return true;
  }
  return false;
}

static bool is_once(const stp_plan_t *p, const stp_frame_t *f) {
  for (int n = 0; n < p->num_bufs; n++) {
    if (p->bufs[n]->frame == f) return p->bufs[n]->once;
  }
  return false;
}

/*
 * Two copies of a frame let the next execution of its block fill one while the other is in use. A
 * carried value needs two: one is read while the other is written. Small frames get more, so that
 * enough loads are on their way to cover DRAM's latency; each copy takes one of a token counter's
 * values, so only where counters need not be shared.
 */
static void choose_copies(const stp_plan_t *p, stp_frame_t *f) {
  enum { IN_FLIGHT = STP_MNI_READ_SLOTS * STP_STICK_BYTES, MOST = 8 };
  int64_t times = p->func->num_tiles;
  for (const stp_block_t *b = f->scope; b->parent && times < MOST; b = b->parent->block)
    times *= b->parent->loop->branch ? 1 : b->parent->loop->trip < 0 ? MOST : b->parent->loop->trip;
  f->bytes = (f->bytes + STP_STICK_BYTES - 1) / STP_STICK_BYTES * STP_STICK_BYTES;
  f->copies = times == 1 ? 1 : 2;
  if (is_once(p, f)) {
    f->copies = 1;
    return;
  }
  if (is_carried(p, f)) {
    f->copies = 2;
    return;
  }
  if (p->num_bufs > STP_TOKENS_PER_PAIR) return;
  while (f->copies > 1 && f->copies * 2 <= MOST && f->copies < times &&
         f->copies * f->bytes < IN_FLIGHT)
    f->copies *= 2;
}

bool stp_layout(stp_plan_t *p) {
  layout_t l = {.p = p};
  for (int i = 0; i < p->num_once; i++) note_step(&l, p->once[i]);
  for (const stp_step_t *s = p->body->first; s; s = next_step(s)) note_step(&l, s);
  if (!stp_order(p)) return false;
  for (int i = 0; i < p->num_orders; i++) {
    stp_order_t *o = &p->orders[i];
    unsigned from = o->from_unit, to = o->to_unit;
    if (l.edges[from][to] == STP_TOKENS_PER_PAIR) {
      return stp_plan_error(p, o->to->loc,
                            "too many accesses of the same memory for the scheduler");
    }
    o->token = (unsigned)l.edges[from][to]++;
  }
  for (int i = 0; i < p->num_bufs; i++) {
    stp_buf_t *buf = p->bufs[i];
    buf->split = l.split[i] == SPLIT_ROWS || l.split[i] == SPLIT_GRANULES;
    if (!buf->consumers && buf->loaded) continue; /* a load that nothing uses is dropped */
    buf->offset = buf->frame->bytes;
    buf->frame->bytes += buf->alloc_rows * buf->pitch;
  }
  for (int i = 0; i < p->num_frames; i++) choose_copies(p, p->frames[i]);
  if (!plan_rows(p, true)) return false;
  p->lx_bytes = place_frames(p) + STP_CORELETS * p->spill_bytes;
  for (int i = 0; i < p->num_frames && p->lx_bytes > STP_LX_BYTES; i++) {
    stp_frame_t *f = p->frames[i];
    if (!is_carried(p, f)) f->copies = 1;
    p->lx_bytes = place_frames(p) + STP_CORELETS * p->spill_bytes;
  }
  if (p->lx_bytes > STP_LX_BYTES && p->spill_bytes) {
    if (!plan_rows(p, false)) return false;
    p->lx_bytes = place_frames(p);
  }
  p->spill_base = p->lx_bytes - STP_CORELETS * p->spill_bytes;
  for (int c = 0; c < STP_CORELETS && p->spill_bytes; c++) {
    unsigned lu = c ? STP_UNIT_LX_LU1 : STP_UNIT_LX_LU0, su = c ? STP_UNIT_LX_SU1 : STP_UNIT_LX_SU0;
    p->spill_token = (unsigned)l.edges[su][lu]++;
  }
  if (p->lx_bytes > STP_LX_BYTES) {
    p->lx_full = true;
    return stp_plan_error(p, p->func->loc,
                          "the tiles of function '%s' that cannot be split take %lld bytes of LX, "
                          "which has %d",
                          p->func->name, (long long)p->lx_bytes, STP_LX_BYTES);
  }
  for (int i = 0; i < p->num_frames; i++) {
    stp_sym_t *ring = &p->syms[p->frames[i]->ring];
    ring->bounded = true;
    ring->hi = (p->frames[i]->copies - 1) * p->frames[i]->bytes;
  }
  for (int i = 0; i < p->num_bufs; i++) {
    if (p->bufs[i]->consumers || !p->bufs[i]->loaded) make_edges(p->bufs[i]);
  }
  return stp_tokens(p, (const int(*)[STP_UNITS])l.edges);
}
