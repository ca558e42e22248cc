/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Row passes: code for a group of rows, worked side by side so that the latencies of one are filled
 * by the others. A reduction needs the whole row before its result can be used, so the code goes
 * over the row in rounds, one more than there are reductions in a chain; between rounds stands what
 * is done once per row. Round r computes what depends on at most r reductions. What a later round
 * needs again it computes again from the streams, or reads back from LX, where the first round that
 * had it has spilled it: whichever takes SFU fewer instructions.
 */
#include <stdlib.h>
#include <string.h>

#include "stp_isa.h"
#include "vgen.h"

enum { MAX_ROUNDS = 16, MAX_ACCS = 4, MAX_INSTS = 480, MAX_SIDE = 8, MAX_CHUNK = 8, MAX_WORK = 16 };

typedef struct rounds {
  const stp_pass_t *pass;
  bool spills;
  int count;
  bool exec[MAX_ROUNDS][STP_PASS_NODES], load[MAX_ROUNDS][STP_PASS_NODES],
      keep[MAX_ROUNDS][STP_PASS_NODES], sum[MAX_ROUNDS][STP_PASS_NODES];
  bool same[STP_PASS_NODES];
  int source[STP_PASS_NODES], spill[STP_PASS_NODES];
  int num_spills, spilled[STP_PASS_SPILLS];
} rounds_t;

/* ---- what each round does ----------------------------------------------------------------------
 */

static bool is_pair(const stp_pass_t *pass, int node) {
  return pass->nodes[node].elem == STP_ELEM_F32 && !pass->lanes32;
}

static bool is_leaf(const stp_node_t *n) {
  return n->row || n->kind != STP_NODE_OP;
}

/* Instructions per granule that it takes to have a value in a round. */
static int cost(const rounds_t *r, int round, int node) {
  const stp_node_t *n = &r->pass->nodes[node];
  if (n->row || n->kind == STP_NODE_CONST || r->same[node]) return 0;
  if (n->kind != STP_NODE_OP) return is_pair(r->pass, node) ? 2 : 0;
  if (r->exec[round][node] || r->load[round][node]) return 0;
  int sum = 1;
  for (int s = 0; s < n->num_srcs && sum < 8; s++) sum += cost(r, round, n->src[s]);
  return sum;
}

/* The first round that has computed the node before, -1: none. */
static int first_round(const rounds_t *r, int round, int node) {
  for (int k = 0; k < round; k++) {
    if (r->exec[k][node]) return k;
  }
  return -1;
}

static void need(rounds_t *r, int round, int node) {
  const stp_node_t *n = &r->pass->nodes[node];
  if (is_leaf(n) || r->exec[round][node] || r->load[round][node]) return;
  int first = first_round(r, round, node);
  bool known = r->spill[node] >= 0;
  if (first >= 0 && r->spills && !r->same[node] && (known || r->num_spills < STP_PASS_SPILLS) &&
      cost(r, round, node) > (is_pair(r->pass, node) ? 4 : 1)) {
    if (!known) {
      r->spill[node] = r->num_spills;
      r->spilled[r->num_spills++] = node;
    }
    r->keep[first][node] = true;
    r->load[round][node] = true;
    return;
  }
  r->exec[round][node] = true;
  for (int s = 0; s < n->num_srcs; s++) need(r, round, n->src[s]);
}

/* A sum of 16-bit values widened to f32 takes them as they are. */
static int sum_source(const stp_pass_t *pass, const stp_node_t *n) {
  const stp_node_t *from = &pass->nodes[n->src[0]];
  bool widened = n->fn == STP_VFOLD_ADD && from->kind == STP_NODE_OP && from->op == STP_OP_VUNPACK;
  return widened ? from->src[0] : n->src[0];
}

static bool find_rounds(rounds_t *r, const stp_pass_t *pass, bool spills) {
  memset(r, 0, sizeof *r);
  r->pass = pass;
  r->spills = spills;
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (n->level >= r->count) r->count = n->level + 1;
    r->spill[i] = -1;
    r->source[i] = n->kind == STP_NODE_REDUCE ? sum_source(pass, n) : -1;
    if (n->kind == STP_NODE_STREAM && !n->row)
      r->same[i] = pass->streams[n->stream].row_bcast || pass->streams[n->stream].splat;
    if (n->kind != STP_NODE_OP || n->row) continue;
    bool all = true, any = false;
    for (int s = 0; s < n->num_srcs; s++) {
      all &= r->same[n->src[s]] || pass->nodes[n->src[s]].kind == STP_NODE_CONST;
      any |= r->same[n->src[s]];
    }
    r->same[i] = all && any;
  }
  if (r->count > MAX_ROUNDS) return false;
  const stp_out_t *out = &pass->outs[0];
  for (int round = 0; round < r->count; round++) {
    for (int i = 0; i < pass->num_nodes; i++) {
      r->sum[round][i] = r->source[i] >= 0 && pass->nodes[i].level - 1 == round;
      if (r->sum[round][i]) need(r, round, r->source[i]);
    }
    const stp_node_t *n = &pass->nodes[out->node];
    if (!n->row && n->level == round) need(r, round, out->node);
  }
  return true;
}

/* ---- reductions --------------------------------------------------------------------------------
 */

/* Is it a constant that makes zeros of zeros? */
static bool is_finite(const stp_node_t *n) {
  uint32_t infinity = n->elem == STP_ELEM_F16    ? 0x7c00u
                      : n->elem == STP_ELEM_BF16 ? 0x7f80u
                                                 : 0x7f800000u;
  return n->kind == STP_NODE_CONST && (n->bits & infinity) != infinity;
}

/* Are the node's values past the end of a row zeros (of any sign), which change no sum? `zeros`:
 * are those of the nodes before it? */
static bool keeps_zeros(const stp_pass_t *pass, const stp_node_t *n, const bool *zeros) {
  if (n->kind == STP_NODE_STREAM)
    return pass->streams[n->stream].buf->loaded && !pass->streams[n->stream].splat;
  if (n->kind != STP_NODE_OP) return false;
  const int *s = n->src;
  switch (n->op) {
  case STP_OP_VUNPACK:
  case STP_OP_VPACK:
  case STP_OP_VNEG:
  case STP_OP_VABS:
    return zeros[s[0]];
  case STP_OP_VADD:
  case STP_OP_VSUB:
    return zeros[s[0]] && zeros[s[1]];
  case STP_OP_VMUL:
    return (zeros[s[0]] && (zeros[s[1]] || is_finite(&pass->nodes[s[1]]))) ||
           (zeros[s[1]] && is_finite(&pass->nodes[s[0]]));
  default:
    return false;
  }
}

static bool ends_in_zeros(const stp_pass_t *pass, int node) {
  bool zeros[STP_PASS_NODES] = {false};
  for (int i = 0; i <= node; i++) zeros[i] = keeps_zeros(pass, &pass->nodes[i], zeros);
  return zeros[node];
}

static bool needs_mask(const stp_pass_t *pass, const stp_node_t *n, int source) {
  return stp_pass_tail(pass) && !pass->down &&
         !(n->fn == STP_VFOLD_ADD && ends_in_zeros(pass, source));
}

bool stp_vrow_uses_mask(const stp_pass_t *pass) {
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (n->kind == STP_NODE_REDUCE && needs_mask(pass, n, sum_source(pass, n))) return true;
  }
  return false;
}

/* The operation by which a reduction's lanes meet. */
static unsigned meet_op(unsigned fn) {
  static const unsigned ops[] = {STP_OP_VADD, STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM,
                                 STP_OP_VMAXNUM};
  return ops[fn];
}

/* Accumulators of a row. A sum has one order; minima and maxima of a single row may use several,
 * which hides their latency. */
static int num_accs(const stp_vgen_t *g, const stp_node_t *n, int chunk) {
  if (g->group > 1 || n->fn == STP_VFOLD_ADD) return 1;
  return chunk < MAX_ACCS ? chunk : MAX_ACCS;
}

static uint32_t f16_to_f32(uint32_t h) {
  uint32_t sign = (h & 0x8000u) << 16, exp = h >> 10 & 31, frac = h & 0x3ffu;
  if (exp == 31) return sign | 0x7f800000u | frac << 13;
  if (exp == 0) {
    if (!frac) return sign;
    exp = 1;
    while (!(frac & 0x400u)) {
      frac <<= 1;
      exp--;
    }
    frac &= 0x3ffu;
  }
  return sign | (exp + 112) << 23 | frac << 13;
}

/* The start value of a sum, as f32. */
static uint32_t start_of_sum(const stp_node_t *n) {
  return n->elem == STP_ELEM_F32    ? n->start
         : n->elem == STP_ELEM_BF16 ? n->start << 16
                                    : f16_to_f32(n->start);
}

/* In straight code the first values start minima and maxima themselves. A sum down the columns
 * begins with its start value; one of lanes gets it at the end. */
static void start_reduce(stp_vgen_t *g, int node, int accs, bool straight) {
  const stp_node_t *n = &g->pass->nodes[node];
  bool sum = n->fn == STP_VFOLD_ADD, pair = sum || stp_vgen_is_pair(g, n);
  for (int a = g->row; a < g->row + g->rows * accs; a++) {
    g->acc[node][a] = -1;
    if (!sum && straight) continue;
    g->acc[node][a] = stp_vgen_reg(g, pair);
    unsigned fmt = pair ? STP_FMT_F32P : stp_vgen_format(g, n);
    stp_vgen_add(g, STP_OP_VMOV, fmt, g->acc[node][a], 1)->src[0] =
        stp_vgen_from_bits(!sum            ? n->start
                           : g->pass->down ? start_of_sum(n)
                                           : 0);
  }
}

static void reduce_unit(stp_vgen_t *g, int node, int unit, int accs, int16_t mask) {
  const stp_node_t *n = &g->pass->nodes[node], *from = &g->pass->nodes[g->source[node]];
  stp_vsrc_t x = stp_vgen_value(g, g->source[node], unit);
  unsigned fmt = stp_vgen_format(g, from);
  bool sum = n->fn == STP_VFOLD_ADD, pair = stp_vgen_is_pair(g, from);
  if (mask != -1) {
    /* Lanes past the end of the row: +0 for a sum, the start value (which counts anyway) for the
     * others. */
    int16_t t = stp_vgen_reg(g, pair);
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VSEL, fmt, t, 3);
    i->src[0] = pair ? stp_vgen_from_reg(mask, false) : (stp_vsrc_t){.kind = STP_VSRC_MASK};
    i->src[1] = x;
    i->src[2] = stp_vgen_from_bits(sum ? 0 : n->start);
    x = stp_vgen_from_reg(t, false);
    g->v->uses_mask = true;
  }
  int16_t *acc = &g->acc[node][g->group > 1 ? g->row + unit % g->rows : unit % accs];
  if (sum && !pair) {
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VACC, STP_FMT_F32P, *acc, 1);
    i->src[0] = x;
    i->src_fmt = (uint8_t)fmt;
    i->updates = true;
    return;
  }
  bool fresh = *acc < 0;
  if (fresh) *acc = stp_vgen_reg(g, pair);
  stp_vinst_t *i = stp_vgen_add(g, meet_op(n->fn), fmt, *acc, 2);
  i->src[0] = fresh ? stp_vgen_from_bits(n->start) : stp_vgen_from_reg(*acc, false);
  i->src[1] = x;
  i->updates = !fresh;
}

static void reduce(stp_vgen_t *g, int node, int accs, bool tail, int first, int end) {
  const stp_node_t *n = &g->pass->nodes[node], *from = &g->pass->nodes[g->source[node]];
  int16_t mask = -1;
  if (tail && needs_mask(g->pass, n, g->source[node])) {
    mask = 0;
    if (stp_vgen_is_pair(g, from)) {
      mask = stp_vgen_reg(g, true);
      stp_vinst_t *i = stp_vgen_add(g, STP_OP_VUNPACK, STP_FMT_F32P, mask, 1);
      i->src[0] = (stp_vsrc_t){.kind = STP_VSRC_MASK};
      i->src_fmt = STP_FMT_F16;
    }
  }
  if (first == 0) stp_vgen_note_direct(g, g->source[node]);
  for (int u = first; u < end && !g->failed; u++) reduce_unit(g, node, u, accs, mask);
}

/* The rows' results from their accumulators: each step for all rows, so that none waits. */
static void finish_reduce(stp_vgen_t *g, int node, int accs) {
  const stp_node_t *n = &g->pass->nodes[node];
  unsigned fmt = stp_vgen_format(g, n);
  bool sum = n->fn == STP_VFOLD_ADD, pair = sum || stp_vgen_is_pair(g, n);
  int16_t *acc = g->acc[node], *val = g->val[node];
  for (int a = 1; a < accs; a++) {
    if (acc[a] < 0) continue; /* the row was too short for it */
    stp_vinst_t *i = stp_vgen_add(g, meet_op(n->fn), fmt, acc[0], 2);
    i->src[0] = stp_vgen_from_reg(acc[0], false);
    i->src[1] = stp_vgen_from_reg(acc[a], false);
    i->updates = true;
  }
  for (int r = 0; r < g->group; r++) {
    if (g->pass->down) {
      val[r] = acc[r];
      continue;
    }
    val[r] = stp_vgen_reg(g, pair);
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VFOLD, sum ? STP_FMT_F32P : fmt, val[r], 1);
    i->fn = (uint8_t)n->fn;
    i->src[0] = stp_vgen_from_reg(acc[r], false);
  }
  if (!sum) return;
  uint32_t start = g->pass->down ? 0 : start_of_sum(n);
  for (int r = 0; r < g->group && (start & 0x7fffffffu); r++) {
    stp_vinst_t *i = stp_vgen_add(g, STP_OP_VADD, STP_FMT_F32P, val[r], 2);
    i->src[0] = stp_vgen_from_bits(start);
    i->src[1] = stp_vgen_from_reg(val[r], false);
    i->updates = true;
  }
  for (int r = 0; r < g->group && fmt != STP_FMT_F32P; r++) {
    int16_t packed = stp_vgen_reg(g, false);
    stp_vgen_add(g, STP_OP_VPACK, fmt, packed, 1)->src[0] = stp_vgen_from_reg(val[r], false);
    val[r] = packed;
  }
}

/* ---- the code of a group -----------------------------------------------------------------------
 */

/* Once per row, before round `level`: results of reductions, ops on values of rows, splats. */
static void between_rounds(stp_vgen_t *g, int level, int chunk) {
  const stp_pass_t *pass = g->pass;
  g->row = 0;
  g->rows = g->group;
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (!n->row || n->level != level) continue;
    if (n->kind == STP_NODE_REDUCE) finish_reduce(g, i, num_accs(g, n, chunk));
    if (n->kind == STP_NODE_STREAM) stp_vgen_run(g, STP_RUN_STREAM, n->stream, 0, g->rows);
    for (int r = 0; r < g->rows; r++) {
      if (n->kind == STP_NODE_STREAM) stp_vgen_fetch(g, i, r * g->per);
      if (n->kind == STP_NODE_OP) stp_vgen_compute(g, i, r * g->per);
    }
    if (pass->outs[0].node != i) continue;
    for (int r = 0; r < g->rows; r++) stp_vgen_send(g, i, r * g->per);
    stp_vgen_give(g, STP_RUN_OUT, 0, 0, g->rows);
  }
}

/* All nodes of a round for some units of the chunk. */
static void strip_of(stp_vgen_t *g, int chunk, bool tail, int first, int end) {
  const stp_pass_t *pass = g->pass;
  for (int i = 0; i < pass->num_nodes && !g->failed; i++) {
    const stp_node_t *n = &pass->nodes[i];
    if (g->sum[i]) reduce(g, i, num_accs(g, n, chunk), tail, first, end);
    if (!n->row && n->kind != STP_NODE_REDUCE) stp_vgen_node(g, i, first, end);
  }
}

/*
 * A chunk of granules: node after node, each for all units; or so for a strip of units at a time,
 * which takes fewer registers. That keeps the order of sticks only if there is one run each way.
 */
static void chunk_of(stp_vgen_t *g, int64_t first, int64_t count, int chunk, int strip, bool tail) {
  const stp_pass_t *pass = g->pass;
  stp_vbody_t *v = g->v;
  g->first = first;
  g->granules = (int)count;
  for (int i = 0; i < pass->num_nodes; i++) {
    if (!pass->nodes[i].row) memset(g->val[i], -1, sizeof g->val[i]);
  }
  int units = g->granules * g->rows * g->per, runs = v->num_runs, gives = v->num_gives;
  for (int u = 0; u < units && !g->failed; u += strip)
    strip_of(g, chunk, tail, u, units < u + strip ? units : u + strip);
  if (units > strip && (v->num_runs > runs + 1 || v->num_gives > gives + 1)) g->failed = true;
}

static void round_of(stp_vgen_t *g, int side, int chunk, int strip, bool fence) {
  const stp_pass_t *pass = g->pass;
  bool masked = false;
  for (int i = 0; i < pass->num_nodes; i++)
    masked |= g->sum[i] && needs_mask(pass, &pass->nodes[i], g->source[i]);
  int64_t full = stp_pass_steps(pass) - (masked ? 1 : 0), times = full / chunk;
  stp_vgen_part(g, 1, 0);
  /* What waits for spilled values must not come before code that spills them. */
  if (fence) g->fence = g->v->num_parts;
  for (g->row = 0; g->row < g->group; g->row += side) {
    g->rows = side < g->group - g->row ? side : g->group - g->row;
    for (int i = 0; i < pass->num_nodes; i++) {
      if (g->sum[i]) start_reduce(g, i, num_accs(g, &pass->nodes[i], chunk), times <= 1);
    }
    stp_vgen_part(g, 1, 0);
    if (times) {
      chunk_of(g, 0, chunk, chunk, strip, false);
      stp_vgen_part(g, times, chunk);
    }
    if (full % chunk) chunk_of(g, times * chunk, full % chunk, chunk, strip, false);
    if (masked) chunk_of(g, full, 1, chunk, strip, true);
    stp_vgen_part(g, 1, 0);
  }
}

static void generate(stp_vgen_t *g, const rounds_t *r, int side, int chunk, int strip) {
  const stp_pass_t *pass = g->pass;
  stp_vbody_t *v = g->v;
  int last_kept = -1; /* the last give of what has been spilled and not waited for */
  memcpy(g->same, r->same, sizeof g->same);
  memcpy(g->source, r->source, sizeof g->source);
  memcpy(g->spill, r->spill, sizeof g->spill);
  for (int level = 0; level < r->count && !g->failed; level++) {
    const stp_node_t *out = &pass->nodes[pass->outs[0].node];
    memset(g->exec, 0, sizeof g->exec);
    between_rounds(g, level, chunk);
    memcpy(g->exec, r->exec[level], sizeof g->exec);
    memcpy(g->load, r->load[level], sizeof g->load);
    memcpy(g->keep, r->keep[level], sizeof g->keep);
    memcpy(g->sum, r->sum[level], sizeof g->sum);
    g->out = !out->row && out->level == level;
    int first_run = v->num_runs, first_give = v->num_gives;
    bool loads = false, keeps = false, works = g->out;
    for (int i = 0; i < pass->num_nodes; i++) {
      loads |= g->load[i];
      keeps |= g->keep[i];
      works |= g->sum[i];
    }
    if (works) round_of(g, side, chunk, strip, loads && last_kept >= 0);
    if (g->failed) return;
    if (loads && last_kept >= 0) {
      v->gives[last_kept].sync = true;
      v->runs[first_run].sync = true;
      last_kept = -1;
    }
    if (keeps && v->num_gives > first_give) last_kept = v->num_gives - 1;
  }
  stp_vgen_part(g, 1, 0);
}

/* Ways to order a chunk's code, from those that overlap much to those that take few registers. */
static const struct {
  stp_vorder_t by;
  int strip;
} orders[] = {{{64, true}, 64},  {{48, false}, 64}, {{24, true}, 64}, {{48, true}, 8},
              {{48, false}, 8},  {{48, true}, 4},   {{48, false}, 4}, {{12, true}, 64},
              {{12, false}, 64}, {{12, false}, 4},  {{0, false}, 64}, {{0, false}, 4},
              {{0, false}, 2}};
enum { NUM_ORDERS = sizeof orders / sizeof orders[0] };

static bool make(stp_vbody_t *v, const stp_pass_t *pass, int64_t rows, unsigned absent,
                 const stp_row_plan_t *plan, int order) {
  stp_vgen_t *g = malloc(sizeof *g);
  rounds_t *r = malloc(sizeof *r);
  bool ok = g && r && find_rounds(r, pass, plan->spills);
  if (ok) {
    stp_vgen_init(g, v, pass, absent);
    g->group = (int)rows;
    generate(g, r, plan->side, plan->chunk, orders[order].strip);
    ok = !g->failed && stp_vbody_finish(v, &orders[order].by);
  }
  free(g);
  free(r);
  return ok;
}

bool stp_vrow_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t rows, unsigned absent) {
  for (int i = pass->row.order; i < NUM_ORDERS; i++) {
    if (make(v, pass, rows, absent, &pass->row, i)) return true;
  }
  return false;
}

static bool place_spills(stp_pass_t *pass) {
  stp_row_plan_t *p = &pass->row;
  rounds_t *r = malloc(sizeof *r);
  bool ok = r && find_rounds(r, pass, p->spills);
  p->num_spills = ok ? r->num_spills : 0;
  p->bytes = 0;
  for (int i = 0; i < p->num_spills; i++) {
    int node = r->spilled[i];
    p->spill[i].node = node;
    p->spill[i].offset = p->bytes;
    p->spill[i].pitch =
        stp_pass_steps(pass) * STP_LANES16 * stp_ir_elem_bytes(pass->nodes[node].elem);
    p->bytes += p->group * p->spill[i].pitch;
  }
  free(r);
  return ok;
}

/* Try the orders of a plan; keep it in *best if it takes fewer cycles than *least for all groups.
 */
static void try_orders(const stp_pass_t *pass, stp_vbody_t *v, stp_row_plan_t *plan, int64_t groups,
                       int64_t *least, stp_row_plan_t *best) {
  for (plan->order = 0; plan->order < NUM_ORDERS; plan->order++) {
    if (!make(v, pass, plan->group, 0, plan, plan->order)) continue;
    if (v->num_insts > MAX_INSTS) break;
    int64_t all = stp_vbody_cycles(v) * groups + v->num_insts / 4;
    if (all >= *least) continue;
    *least = all;
    *best = *plan;
  }
}

bool stp_vrow_plan(stp_pass_t *pass, int64_t rows) {
  stp_vbody_t *v = malloc(sizeof *v);
  stp_row_plan_t plan = {.spills = pass->row.spills}, best = plan;
  int64_t least = INT64_MAX;
  int most = rows < STP_VGEN_ROWS ? (int)rows : STP_VGEN_ROWS;
  for (plan.group = most; v && plan.group > 0; plan.group--) {
    int64_t groups = (rows + plan.group - 1) / plan.group;
    /* As few rows at a time as make this number of groups. */
    if (plan.group > 1 && (rows + plan.group - 2) / (plan.group - 1) == groups) continue;
    for (int parts = 1; parts <= 4 && parts <= plan.group; parts *= 2) {
      plan.side = (plan.group + parts - 1) / parts;
      if (plan.side > MAX_SIDE) continue;
      for (plan.chunk = 1; plan.chunk <= MAX_CHUNK && plan.chunk <= stp_pass_steps(pass);
           plan.chunk++) {
        if (plan.chunk > 1 && plan.side * plan.chunk > MAX_WORK) break;
        try_orders(pass, v, &plan, groups, &least, &best);
      }
    }
  }
  free(v);
  pass->row = best;
  return best.group > 0 && place_spills(pass);
}
