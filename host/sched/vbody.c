/* SPDX-License-Identifier: Apache-2.0 */
/* Code of values, and flat passes. */
#include <stdlib.h>
#include <string.h>

#include "stp_isa.h"
#include "vgen.h"

int stp_pass_tail(const stp_pass_t *pass) {
  return (int)(pass->inner % STP_LANES16);
}

bool stp_vgen_is_pair(const stp_vgen_t *g, const stp_node_t *n) {
  return n->elem == STP_ELEM_F32 && !g->pass->lanes32;
}

unsigned stp_vgen_format(const stp_vgen_t *g, const stp_node_t *n) {
  switch (n->elem) {
  case STP_ELEM_F16:
    return STP_FMT_F16;
  case STP_ELEM_BF16:
    return STP_FMT_BF16;
  default:
    return g->pass->lanes32 ? STP_FMT_F32 : STP_FMT_F32P;
  }
}

int16_t stp_vgen_reg(stp_vgen_t *g, bool pair) {
  if (g->v->num_regs == STP_VBODY_INSTS) {
    g->failed = true;
    return 0;
  }
  g->v->pair[g->v->num_regs] = pair;
  return (int16_t)g->v->num_regs++;
}

stp_vinst_t *stp_vgen_add(stp_vgen_t *g, unsigned op, unsigned fmt, int16_t dst, int num_srcs) {
  stp_vbody_t *v = g->v;
  if (v->num_insts == STP_VBODY_INSTS) {
    g->failed = true;
    return &g->scrap;
  }
  stp_vinst_t *i = &v->insts[v->num_insts++];
  memset(i, 0, sizeof *i);
  i->op = (uint8_t)op;
  i->fmt = (uint8_t)fmt;
  i->dst = dst;
  i->num_srcs = (uint8_t)num_srcs;
  return i;
}

stp_vsrc_t stp_vgen_from_reg(int16_t reg, bool high) {
  stp_vsrc_t s = {.kind = STP_VSRC_REG, .high = high, .reg = reg};
  return s;
}

stp_vsrc_t stp_vgen_from_bits(uint32_t bits) {
  stp_vsrc_t s = {.kind = bits ? STP_VSRC_SPLAT : STP_VSRC_ZERO, .bits = bits};
  return s;
}

/* ---- runs and parts ----------------------------------------------------------------------------
 */

static void add_run(stp_vgen_t *g, bool give, stp_run_t run) {
  stp_vbody_t *v = g->v;
  int *num = give ? &v->num_gives : &v->num_runs;
  run.first = g->first;
  run.row = g->row;
  if (*num == STP_VBODY_RUNS)
    g->failed = true;
  else
    (give ? v->gives : v->runs)[(*num)++] = run;
}

void stp_vgen_run(stp_vgen_t *g, stp_run_kind_t kind, int index, int64_t count, int rows) {
  add_run(g, false, (stp_run_t){.kind = kind, .index = index, .count = count, .rows = rows});
}

void stp_vgen_give(stp_vgen_t *g, stp_run_kind_t kind, int index, int64_t count, int rows) {
  add_run(g, true, (stp_run_t){.kind = kind, .index = index, .count = count, .rows = rows});
}

void stp_vgen_part(stp_vgen_t *g, int64_t times, int64_t step) {
  stp_vbody_t *v = g->v;
  stp_vpart_t *last = v->num_parts ? &v->parts[v->num_parts - 1] : NULL;
  if (v->num_insts == (last ? last->insts : 0)) return;
  bool join = v->num_parts > g->fence && last && last->times == 1 && times == 1;
  if (!join && v->num_parts == STP_VBODY_PARTS) {
    g->failed = true;
    return;
  }
  if (!join) last = &v->parts[v->num_parts++];
  *last = (stp_vpart_t){times, step, v->num_insts, v->num_runs, v->num_gives};
}

/* ---- which values are needed where ----------------------------------------------------------- */

static bool is_out(const stp_vgen_t *g, int node) {
  return g->pass->outs[0].node == node;
}

static bool is_absent(const stp_vgen_t *g, const stp_node_t *n) {
  return n->kind == STP_NODE_STREAM && (g->absent >> n->stream & 1);
}

static bool is_constant(const stp_vgen_t *g, const stp_node_t *n) {
  return n->kind == STP_NODE_CONST || is_absent(g, n);
}

/* Does the node's value come out of a FIFO, unit by unit? */
static bool is_fifo(const stp_vgen_t *g, int node) {
  const stp_node_t *n = &g->pass->nodes[node];
  if (n->row) return false;
  return (n->kind == STP_NODE_STREAM && !is_absent(g, n)) || n->kind == STP_NODE_PT ||
         g->load[node];
}

/* Uses of a node as an operand by what is computed per unit in this round; one of the users. */
static int uses_now(const stp_vgen_t *g, int node, int *user) {
  int count = 0;
  for (int i = 0; i < g->pass->num_nodes; i++) {
    const stp_node_t *n = &g->pass->nodes[i];
    int found = 0;
    if (g->sum[i]) found = g->source[i] == node;
    if (g->exec[i]) {
      for (int s = 0; s < n->num_srcs; s++) found += n->src[s] == node;
    }
    if (found) *user = i;
    count += found;
  }
  return count;
}

/* Could the node's only user in this round take it from the FIFO itself? */
static bool may_take(const stp_vgen_t *g, int node) {
  int user = 0;
  if (!is_fifo(g, node) || stp_vgen_is_pair(g, &g->pass->nodes[node])) return false;
  if (uses_now(g, node, &user) != 1 || (is_out(g, node) && g->out)) return false;
  return !g->same[node] || g->rows == 1 || g->same[user];
}

static bool from_pt(const stp_vgen_t *g, int node) {
  return g->pass->nodes[node].kind == STP_NODE_PT;
}

static bool takes_directly(const stp_vgen_t *g, int node) {
  int user = 0;
  if (!may_take(g, node)) return false;
  uses_now(g, node, &user);
  if (g->sum[user]) return true;
  /* One instruction takes one stick of a FIFO: the last operand does. */
  const stp_node_t *n = &g->pass->nodes[user];
  int last = -1;
  for (int s = 0; s < n->num_srcs; s++) {
    if (may_take(g, n->src[s]) && from_pt(g, n->src[s]) == from_pt(g, node)) last = n->src[s];
  }
  return last == node;
}

/* ---- code of a unit ----------------------------------------------------------------------------
 */

static int row_of(const stp_vgen_t *g, int unit) {
  return unit / g->per % g->rows;
}

int stp_vgen_place(const stp_vgen_t *g, int node, int unit) {
  if (g->pass->nodes[node].row) return g->row + row_of(g, unit);
  if (g->same[node]) return unit / (g->per * g->rows) * g->per + unit % g->per;
  return unit;
}

static stp_vsrc_t fifo(const stp_vgen_t *g, int node) {
  return (stp_vsrc_t){.kind = from_pt(g, node) ? STP_VSRC_P : STP_VSRC_X};
}

/* 32-bit lanes as a stick, not as a pair. */
static unsigned stick_format(const stp_vgen_t *g, const stp_node_t *n) {
  return n->elem == STP_ELEM_F32 ? STP_FMT_F32 : stp_vgen_format(g, n);
}

void stp_vgen_fetch(stp_vgen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  bool pair = stp_vgen_is_pair(g, n);
  int16_t r = stp_vgen_reg(g, pair);
  g->val[node][stp_vgen_place(g, node, unit)] = r;
  unsigned fmt = stick_format(g, n);
  stp_vgen_add(g, STP_OP_VMOV, fmt, r, 1)->src[0] = fifo(g, node);
  if (pair) {
    /* The second stick goes to the pair's odd register: marked by `fn`, which vmov does not use. */
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VMOV, fmt, r, 1);
    i->src[0] = fifo(g, node);
    i->fn = 1;
    i->updates = true;
  }
}

stp_vsrc_t stp_vgen_value(stp_vgen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  if (is_constant(g, n)) return stp_vgen_from_bits(n->bits);
  if (takes_directly(g, node)) return fifo(g, node);
  int16_t r = g->val[node][stp_vgen_place(g, node, unit)];
  if (r < 0) g->failed = true;
  return stp_vgen_from_reg(r < 0 ? 0 : r, false);
}

/* A value that is in a register, a FIFO or constant. */
void stp_vgen_send(stp_vgen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  int16_t r = g->val[node][stp_vgen_place(g, node, unit)];
  unsigned fmt = stick_format(g, n);
  int sticks = stp_vgen_is_pair(g, n) && (!n->row || g->pass->down)
                   ? 2
                   : 1; /* of a row's value, one lane is stored */
  for (int k = 0; k < sticks; k++) {
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VMOV, fmt, -1, 1);
    if (is_constant(g, n))
      i->src[0] = stp_vgen_from_bits(n->bits);
    else if (is_fifo(g, node) && r < 0)
      i->src[0] = fifo(g, node);
    else
      i->src[0] = stp_vgen_from_reg(r, k == 1);
  }
}

void stp_vgen_compute(stp_vgen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  int user = 0;
  bool give = !n->row && !g->same[node] && (g->keep[node] || (is_out(g, node) && g->out)),
       kept = n->row || g->same[node] || uses_now(g, node, &user) > 0 || !give;
  bool pair = stp_vgen_is_pair(g, n);
  stp_vsrc_t src[3] = {{0}};
  for (int s = 0; s < n->num_srcs; s++) src[s] = stp_vgen_value(g, n->src[s], unit);
  int16_t dst = -1;
  if (kept || pair) {
    dst = stp_vgen_reg(g, pair);
    g->val[node][stp_vgen_place(g, node, unit)] = dst;
  }
  unsigned fmt = stp_vgen_format(g, n);
  const stp_node_t *from = &g->pass->nodes[n->src[0]];
  stp_vinst_t *i = stp_vgen_add(g, n->op, fmt, dst, n->num_srcs);
  memcpy(i->src, src, sizeof src);
  i->fn = (uint8_t)n->fn;
  if (n->op == STP_OP_VUNPACK || n->op == STP_OP_VCVT)
    i->src_fmt = (uint8_t)stp_vgen_format(g, from);
  if (give && pair)
    stp_vgen_send(g, node, unit);
  else if (give && kept)
    i->tee = true;
}

/* ---- code of a node ----------------------------------------------------------------------------
 */

static void note(stp_vgen_t *g, int node) {
  const stp_node_t *n = &g->pass->nodes[node];
  if (from_pt(g, node) || is_constant(g, n)) return;
  int rows = g->same[node] ? 1 : g->rows;
  if (n->kind == STP_NODE_STREAM)
    stp_vgen_run(g, STP_RUN_STREAM, n->stream, g->granules, rows);
  else
    stp_vgen_run(g, STP_RUN_SPILL, g->spill[node], g->granules, rows);
}

void stp_vgen_note_direct(stp_vgen_t *g, int node) {
  if (takes_directly(g, node)) note(g, node);
}

void stp_vgen_node(stp_vgen_t *g, int node, int first, int end) {
  const stp_node_t *n = &g->pass->nodes[node];
  int user = 0;
  bool leaf = is_fifo(g, node), out = is_out(g, node) && g->out,
       each = !g->same[node]; /* a unit of every row */
  bool sent = out && (leaf || is_constant(g, n) || !each);
  bool fetched = leaf && ((uses_now(g, node, &user) > 0 && !takes_directly(g, node)) ||
                          (sent && !each && g->rows > 1));
  if (first == 0 && (fetched || (sent && leaf))) note(g, node);
  for (int u = first; u < end && fetched && !g->failed; u++) {
    if (each || row_of(g, u) == 0) stp_vgen_fetch(g, node, u);
  }
  if (g->exec[node]) {
    for (int s = 0; s < n->num_srcs && first == 0; s++) stp_vgen_note_direct(g, n->src[s]);
    for (int u = first; u < end && !g->failed; u++) {
      if (each || row_of(g, u) == 0) stp_vgen_compute(g, node, u);
    }
    if (first == 0 && g->keep[node])
      stp_vgen_give(g, STP_RUN_SPILL, g->spill[node], g->granules, g->rows);
  }
  for (int u = first; u < end && sent && !g->failed; u++) stp_vgen_send(g, node, u);
  if (first == 0 && out) stp_vgen_give(g, STP_RUN_OUT, 0, g->granules, g->rows);
}

/* ---- registers ------------------------------------------------------------------------------- */

/* The instruction after which a register is free again: its last use; or the part, if that is
 * repeated and the value was there before. */
static void find_ends(const stp_vbody_t *v, int16_t *last, int16_t *part_end) {
  int16_t made[STP_VBODY_INSTS];
  for (int r = 0; r < v->num_regs; r++) last[r] = made[r] = part_end[r] = -1;
  for (int p = 0, n = 0; p < v->num_parts; p++) {
    const stp_vpart_t *part = &v->parts[p];
    for (int first = n; n < part->insts; n++) {
      const stp_vinst_t *i = &v->insts[n];
      for (int s = 0; s <= i->num_srcs; s++) {
        int r = s < i->num_srcs ? (i->src[s].kind == STP_VSRC_REG ? i->src[s].reg : -1) : i->dst;
        if (r < 0) continue;
        if (made[r] < 0) made[r] = (int16_t)n;
        bool outlives = part->times > 1 && made[r] < first;
        last[r] = (int16_t)(outlives ? -1 : n);
        part_end[r] = (int16_t)(outlives ? p : -1);
      }
    }
  }
}

typedef struct alloc {
  const stp_vbody_t *v;
  bool used[STP_VBODY_REGS + 1];
  int16_t where[STP_VBODY_INSTS];
} alloc_t;

static void release(alloc_t *a, int r) {
  a->used[a->where[r]] = false;
  if (a->v->pair[r]) a->used[a->where[r] + 1] = false;
}

static bool place(alloc_t *a, int virt) {
  bool pair = a->v->pair[virt];
  int found = -1;
  for (int r = 0; r < STP_VBODY_REGS && found < 0; r++) {
    if (a->used[r]) continue;
    if (pair)
      found = r % 2 == 0 && r + 1 < STP_VBODY_REGS && !a->used[r + 1] ? r : -1;
    else
      found = r + 1 == STP_VBODY_REGS || a->used[r ^ 1] ? r : -1; /* keep pairs whole */
  }
  for (int r = 0; r < STP_VBODY_REGS && found < 0 && !pair; r++) found = a->used[r] ? -1 : r;
  if (found < 0) return false;
  a->where[virt] = (int16_t)found;
  a->used[found] = true;
  if (pair) a->used[found + 1] = true;
  return true;
}

/* Linear scan over the code: a register may take the result of the instruction that uses it last.
 */
static bool allocate(stp_vbody_t *v) {
  int16_t last[STP_VBODY_INSTS], part_end[STP_VBODY_INSTS];
  alloc_t a = {.v = v};
  find_ends(v, last, part_end);
  for (int r = 0; r < v->num_regs; r++) a.where[r] = -1;
  for (int p = 0, n = 0; p < v->num_parts; p++) {
    for (; n < v->parts[p].insts; n++) {
      stp_vinst_t *i = &v->insts[n];
      int virt = i->dst;
      for (int s = 0; s < i->num_srcs; s++) {
        if (i->src[s].kind != STP_VSRC_REG) continue;
        int r = i->src[s].reg;
        if (a.where[r] < 0) return false;
        i->src[s].reg = a.where[r];
        if (last[r] == n && r != virt) release(&a, r);
      }
      if (virt < 0) continue;
      if (a.where[virt] < 0 && !place(&a, virt)) return false;
      i->dst = a.where[virt];
      if (last[virt] == n) release(&a, virt); /* never read */
    }
    for (int r = 0; r < v->num_regs; r++) {
      if (part_end[r] == p && a.where[r] >= 0) release(&a, r);
    }
  }
  return true;
}

bool stp_vbody_finish(stp_vbody_t *v, const stp_vorder_t *by) {
  stp_vbody_t *copy = malloc(sizeof *copy);
  if (!copy) return false;
  *copy = *v;
  bool ok = (by->window == 0 || stp_vbody_schedule(copy, by)) && allocate(copy);
  if (ok) *v = *copy;
  free(copy);
  return ok;
}

/* ---- flat passes -------------------------------------------------------------------------------
 */

void stp_vgen_init(stp_vgen_t *g, stp_vbody_t *v, const stp_pass_t *pass, unsigned absent) {
  memset(g, 0, sizeof *g);
  memset(v, 0, sizeof *v);
  g->v = v;
  g->pass = pass;
  g->absent = absent;
  g->per = pass->lanes32 ? 2 : 1;
  g->group = g->rows = 1;
  memset(g->val, -1, sizeof g->val);
  for (int i = 0; i < pass->num_nodes; i++) g->spill[i] = -1;
}

/* Ways to order a group's code: window, and units that go through all nodes together. */
static const struct {
  stp_vorder_t by;
  int strip;
} orders[] = {{{48, false}, 64}, {{48, true}, 64}, {{48, true}, 4},
              {{48, false}, 2},  {{0, false}, 64}, {{0, false}, 1}};
enum { NUM_ORDERS = sizeof orders / sizeof orders[0] };

static bool make_in_order(stp_vgen_t *g, stp_vbody_t *v, const stp_pass_t *pass, int granules,
                          unsigned absent, int order) {
  int units = granules * (pass->lanes32 ? 2 : 1), strip = orders[order].strip, drains = 0;
  if (units > STP_VGEN_UNITS) return false;
  stp_vgen_init(g, v, pass, absent);
  g->granules = granules;
  g->out = true;
  for (int i = 0; i < pass->num_nodes; i++) {
    g->exec[i] = pass->nodes[i].kind == STP_NODE_OP;
    drains += pass->nodes[i].kind == STP_NODE_PT;
  }
  for (int u = 0; u < units; u += strip) {
    for (int i = 0; i < pass->num_nodes; i++)
      stp_vgen_node(g, i, u, units < u + strip ? units : u + strip);
  }
  stp_vgen_part(g, 1, 0);
  /* Strips keep the order of sticks only if there is one run of each FIFO. */
  if (strip < units && (v->num_runs > 1 || v->num_gives > 1 || drains > 1)) return false;
  return !g->failed && stp_vbody_finish(v, &orders[order].by);
}

bool stp_vbody_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t granules, unsigned absent) {
  stp_vgen_t *g = malloc(sizeof *g);
  stp_vbody_t *other = malloc(sizeof *other);
  int64_t least = INT64_MAX;
  bool ok = g && other && granules <= STP_VGEN_UNITS;
  for (int i = 0; ok && i < NUM_ORDERS; i++) {
    /* What PT gives is taken, and handed on, as soon as it is there. */
    if (pass->matmul && i > 0 && orders[i].by.window) continue;
    if (!make_in_order(g, other, pass, (int)granules, absent, i)) continue;
    int64_t cycles = stp_vbody_cycles(other);
    if (cycles >= least) continue;
    least = cycles;
    *v = *other;
  }
  free(g);
  free(other);
  return least < INT64_MAX;
}

/* Cycles that LX-LU takes to start a group's transfers; a single one goes on from group to group.
 */
static int64_t feed_cycles(const stp_vbody_t *v) {
  enum { START = 5 };
  return v->num_runs > 1 ? (int64_t)v->num_runs * START : 0;
}

int64_t stp_vbody_group(const stp_pass_t *pass, int64_t count) {
  static const int64_t sizes[] = {8, 6, 4, 3, 2, 1};
  stp_vbody_t *v = malloc(sizeof *v);
  int64_t best = 0, least = 0;
  for (int i = 0; v && i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
    int64_t size = sizes[i];
    if (size > count || (pass->brief && size > 1) || !stp_vbody_make(v, pass, size, 0)) continue;
    int64_t cycles = stp_vbody_cycles(v) + feed_cycles(v),
            all = (count / size + (count % size != 0)) * cycles;
    if (best && all >= least) continue;
    best = size;
    least = all;
  }
  free(v);
  return best;
}
