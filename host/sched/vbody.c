/* SPDX-License-Identifier: Apache-2.0 */
#include "vbody.h"

#include <stdlib.h>
#include <string.h>

#include "stp_isa.h"

enum { MAX_UNITS = 64, MAX_ACCS = 4 };

typedef struct gen {
  stp_vbody_t *v;
  const stp_pass_t *pass;
  unsigned absent;
  int units; /* sticks of 32 lanes, or granules */
  int per;   /* units of a granule */
  int level;
  bool failed;
  int16_t val[STP_PASS_NODES][MAX_UNITS]; /* virtual register of a node's value, -1: not there */
  int16_t acc[STP_PASS_NODES][MAX_ACCS];
  stp_vinst_t scrap; /* takes what exceeds the code */
} gen_t;

int stp_pass_tail(const stp_pass_t *pass) {
  return (int)(pass->inner % STP_LANES16);
}

static bool is_pair(const gen_t *g, const stp_node_t *n) {
  return n->elem == STP_ELEM_F32 && !g->pass->lanes32;
}

static unsigned format(const gen_t *g, const stp_node_t *n) {
  switch (n->elem) {
  case STP_ELEM_F16:
    return STP_FMT_F16;
  case STP_ELEM_BF16:
    return STP_FMT_BF16;
  default:
    return g->pass->lanes32 ? STP_FMT_F32 : STP_FMT_F32P;
  }
}

static int16_t new_reg(gen_t *g, bool pair) {
  if (g->v->num_regs == STP_VBODY_INSTS) {
    g->failed = true;
    return 0;
  }
  g->v->pair[g->v->num_regs] = pair;
  return (int16_t)g->v->num_regs++;
}

static stp_vinst_t *add(gen_t *g, unsigned op, unsigned fmt, int16_t dst, int num_srcs) {
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

static stp_vsrc_t from_reg(int16_t reg, bool high) {
  stp_vsrc_t s = {.kind = STP_VSRC_REG, .high = high, .reg = reg};
  return s;
}

static stp_vsrc_t from_bits(uint32_t bits) {
  stp_vsrc_t s = {.kind = bits ? STP_VSRC_SPLAT : STP_VSRC_ZERO, .bits = bits};
  return s;
}

/* The granule of a unit comes next on X. */
static void note_run(gen_t *g, int stream, int unit) {
  stp_vbody_t *v = g->v;
  int64_t granule = unit / g->per;
  if (v->num_runs) {
    stp_run_t *r = &v->runs[v->num_runs - 1];
    if (r->stream == stream && (granule == r->first + r->count - 1) && g->per == 2 && unit % 2)
      return;
    if (r->stream == stream && granule == r->first + r->count) {
      r->count++;
      return;
    }
  }
  if (v->num_runs == STP_VBODY_RUNS) {
    g->failed = true;
    return;
  }
  v->runs[v->num_runs++] = (stp_run_t){stream, granule, 1};
}

/* ---- which values are needed where ----------------------------------------------------------- */

/* The round over the row in which a node is computed; reductions add up in the one before. */
static int work_level(const stp_node_t *n) {
  return n->kind == STP_NODE_REDUCE ? n->level - 1 : n->level;
}

static bool is_out(const gen_t *g, int node) {
  return g->pass->outs[0].node == node;
}

/* Uses of a node as an operand by what is computed per unit in this round. */
static int uses_now(const gen_t *g, int node, const stp_node_t **user) {
  int count = 0;
  for (int i = 0; i < g->pass->num_nodes; i++) {
    const stp_node_t *n = &g->pass->nodes[i];
    if ((n->kind != STP_NODE_OP && n->kind != STP_NODE_REDUCE) || work_level(n) != g->level)
      continue;
    for (int s = 0; s < n->num_srcs; s++) {
      if (n->src[s] != node) continue;
      count++;
      *user = n;
    }
  }
  return count;
}

static int uses_ever(const gen_t *g, int node) {
  int count = 0;
  for (int i = 0; i < g->pass->num_nodes; i++) {
    const stp_node_t *n = &g->pass->nodes[i];
    for (int s = 0; s < n->num_srcs; s++) count += n->src[s] == node;
  }
  return count;
}

static bool is_absent(const gen_t *g, const stp_node_t *n) {
  return n->kind == STP_NODE_STREAM && (g->absent >> n->stream & 1);
}

static bool is_constant(const gen_t *g, const stp_node_t *n) {
  return n->kind == STP_NODE_CONST || is_absent(g, n);
}

static bool is_fifo(const gen_t *g, const stp_node_t *n) {
  return (n->kind == STP_NODE_STREAM && !is_absent(g, n)) || n->kind == STP_NODE_PT;
}

/* May the only user of a leaf in this round take it from the FIFO itself? */
static bool takes_directly(const gen_t *g, int node) {
  const stp_node_t *n = &g->pass->nodes[node], *user = NULL;
  if (!is_fifo(g, n) || n->row || is_pair(g, n)) return false;
  if (uses_now(g, node, &user) != 1 || is_out(g, node)) return false;
  if (user->row && user->kind != STP_NODE_REDUCE) return false;
  /* One instruction takes one stick of a FIFO: the last operand does. */
  int last = -1;
  for (int s = 0; s < user->num_srcs; s++) {
    const stp_node_t *x = &g->pass->nodes[user->src[s]];
    if (is_fifo(g, x) && x->kind == n->kind && !x->row && !is_pair(g, x)) last = user->src[s];
  }
  return last == node;
}

/* ---- code ---------------------------------------------------------------------------------- */

static stp_vsrc_t fifo(gen_t *g, const stp_node_t *n, int unit, bool new_granule) {
  stp_vsrc_t s = {.kind = n->kind == STP_NODE_PT ? STP_VSRC_P : STP_VSRC_X};
  if (n->kind == STP_NODE_STREAM && new_granule) note_run(g, n->stream, unit);
  return s;
}

/* Bring a leaf's unit into a register. */
static void fetch(gen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  bool pair = is_pair(g, n);
  int16_t r = new_reg(g, pair);
  g->val[node][unit] = r;
  unsigned fmt = n->elem == STP_ELEM_F32 ? STP_FMT_F32 : format(g, n);
  add(g, STP_OP_VMOV, fmt, r, 1)->src[0] = fifo(g, n, unit, true);
  if (pair) {
    /* The second stick goes to the pair's odd register: marked by `fn`, which vmov does not use. */
    stp_vinst_t *i = add(g, STP_OP_VMOV, fmt, r, 1);
    i->src[0] = fifo(g, n, unit, false);
    i->fn = 1;
    i->updates = true;
  }
}

static stp_vsrc_t value(gen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  if (is_constant(g, n)) return from_bits(n->bits);
  if (takes_directly(g, node)) return fifo(g, n, unit, true);
  int16_t r = g->val[node][n->row ? 0 : unit];
  if (r < 0) g->failed = true;
  return from_reg(r < 0 ? 0 : r, false);
}

/* Send a value that is in a register, a FIFO or constant to OUT. */
static void send(gen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  bool pair = is_pair(g, n);
  unsigned fmt = n->elem == STP_ELEM_F32 ? STP_FMT_F32 : format(g, n);
  int sticks = pair && !n->row ? 2 : 1; /* of a row's value, one lane is stored */
  for (int k = 0; k < sticks; k++) {
    stp_vinst_t *i = add(g, STP_OP_VMOV, fmt, -1, 1);
    if (is_constant(g, n))
      i->src[0] = from_bits(n->bits);
    else if (is_fifo(g, n) && g->val[node][unit] < 0)
      i->src[0] = fifo(g, n, unit, k == 0);
    else
      i->src[0] = from_reg(g->val[node][n->row ? 0 : unit], k == 1);
  }
}

static void compute(gen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node];
  bool out = is_out(g, node) && !n->row,
       kept = uses_ever(g, node) > 0 || !is_out(g, node) || n->row;
  bool pair = is_pair(g, n);
  stp_vsrc_t src[3] = {{0}};
  for (int s = 0; s < n->num_srcs; s++) src[s] = value(g, n->src[s], unit);
  int16_t dst = -1;
  if (kept || pair) {
    dst = new_reg(g, pair);
    g->val[node][n->row ? 0 : unit] = dst;
  }
  unsigned fmt = format(g, n);
  const stp_node_t *from = &g->pass->nodes[n->src[0]];
  stp_vinst_t *i = add(g, n->op, fmt, dst, n->num_srcs);
  memcpy(i->src, src, sizeof src);
  i->fn = (uint8_t)n->fn;
  if (n->op == STP_OP_VUNPACK || n->op == STP_OP_VCVT) i->src_fmt = (uint8_t)format(g, from);
  if (out && pair)
    send(g, node, unit);
  else if (out && kept)
    i->tee = true;
}

/* The operation by which a reduction's lanes meet. */
static unsigned meet_op(unsigned fn) {
  static const unsigned ops[] = {STP_OP_VADD, STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM,
                                 STP_OP_VMAXNUM};
  return ops[fn];
}

static int num_accs(const gen_t *g, const stp_node_t *n) {
  /* A sum has one order; minima and maxima may use several accumulators, which hides the latency of
   * each. */
  int accs = n->fn == STP_VFOLD_ADD || is_pair(g, n) ? 1 : MAX_ACCS;
  return accs < g->units ? accs : g->units;
}

static void start_reduce(gen_t *g, int node) {
  const stp_node_t *n = &g->pass->nodes[node];
  for (int a = 0; a < MAX_ACCS; a++) g->acc[node][a] = -1;
  if (n->fn != STP_VFOLD_ADD) return;
  g->acc[node][0] = new_reg(g, true);
  add(g, STP_OP_VMOV, STP_FMT_F32P, g->acc[node][0], 1)->src[0] = from_bits(0);
}

static void reduce_unit(gen_t *g, int node, int unit) {
  const stp_node_t *n = &g->pass->nodes[node], *from = &g->pass->nodes[n->src[0]];
  stp_vsrc_t x = value(g, n->src[0], unit);
  unsigned fmt = format(g, from);
  bool sum = n->fn == STP_VFOLD_ADD;
  if (stp_pass_tail(g->pass) && unit == g->units - 1) {
    /* Lanes past the end of the row: +0 for a sum, the start value (which counts anyway) for the
     * others. */
    int16_t t = new_reg(g, is_pair(g, from));
    stp_vinst_t *i = add(g, STP_OP_VSEL, fmt, t, 3);
    i->src[0] = (stp_vsrc_t){.kind = STP_VSRC_MASK};
    i->src[1] = x;
    i->src[2] = from_bits(sum ? 0 : n->start);
    x = from_reg(t, false);
    g->v->uses_mask = true;
  }
  int16_t *acc = &g->acc[node][sum ? 0 : unit % num_accs(g, n)];
  if (sum && fmt != STP_FMT_F32P) {
    stp_vinst_t *i = add(g, STP_OP_VACC, STP_FMT_F32P, *acc, 1);
    i->src[0] = x;
    i->src_fmt = (uint8_t)fmt;
    i->updates = true;
    return;
  }
  bool fresh = *acc < 0;
  if (fresh) *acc = new_reg(g, is_pair(g, n));
  stp_vinst_t *i = add(g, meet_op(n->fn), fmt, *acc, 2);
  i->src[0] = fresh ? from_bits(n->start) : from_reg(*acc, false);
  i->src[1] = x;
  i->updates = !fresh;
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

static void finish_reduce(gen_t *g, int node) {
  const stp_node_t *n = &g->pass->nodes[node];
  unsigned fmt = format(g, n);
  bool sum = n->fn == STP_VFOLD_ADD;
  for (int a = 1; a < num_accs(g, n); a++) {
    stp_vinst_t *i = add(g, meet_op(n->fn), fmt, g->acc[node][0], 2);
    i->src[0] = from_reg(g->acc[node][0], false);
    i->src[1] = from_reg(g->acc[node][a], false);
    i->updates = true;
  }
  int16_t r = new_reg(g, sum || is_pair(g, n));
  stp_vinst_t *i = add(g, STP_OP_VFOLD, sum ? STP_FMT_F32P : fmt, r, 1);
  i->fn = (uint8_t)n->fn;
  i->src[0] = from_reg(g->acc[node][0], false);
  if (sum) {
    uint32_t start = n->elem == STP_ELEM_F32    ? n->start
                     : n->elem == STP_ELEM_BF16 ? n->start << 16
                                                : f16_to_f32(n->start);
    if (start & 0x7fffffffu) {
      i = add(g, STP_OP_VADD, STP_FMT_F32P, r, 2);
      i->src[0] = from_bits(start);
      i->src[1] = from_reg(r, false);
      i->updates = true;
    }
    if (fmt != STP_FMT_F32P) {
      int16_t packed = new_reg(g, false);
      add(g, STP_OP_VPACK, fmt, packed, 1)->src[0] = from_reg(r, false);
      r = packed;
    }
  }
  g->val[node][0] = r;
}

/* Values of the row, once per row: leaves that are splats, ops on row values. */
static void row_values(gen_t *g) {
  for (int i = 0; i < g->pass->num_nodes; i++) {
    const stp_node_t *n = &g->pass->nodes[i];
    if (!n->row || n->level != g->level) continue;
    if (n->kind == STP_NODE_STREAM) fetch(g, i, 0);
    if (n->kind == STP_NODE_OP) compute(g, i, 0);
    if (is_out(g, i)) send(g, i, 0);
  }
}

static void units(gen_t *g, int first, int end) {
  const stp_pass_t *pass = g->pass;
  for (int i = 0; i < pass->num_nodes; i++) {
    const stp_node_t *n = &pass->nodes[i], *user;
    bool leaf = is_fifo(g, n) && !n->row;
    bool fetched = leaf && uses_now(g, i, &user) > 0 && !takes_directly(g, i);
    bool sent = is_out(g, i) && g->level == 0 && (leaf || is_constant(g, n));
    for (int u = first; u < end && !g->failed; u++) {
      if (fetched) fetch(g, i, u);
      if (sent) send(g, i, u);
      if (n->kind == STP_NODE_OP && !n->row && n->level == g->level) compute(g, i, u);
      if (n->kind == STP_NODE_REDUCE && n->level - 1 == g->level) reduce_unit(g, i, u);
    }
  }
}

static void generate(gen_t *g) {
  const stp_pass_t *pass = g->pass;
  int levels = 0;
  for (int i = 0; i < pass->num_nodes; i++) {
    if (pass->nodes[i].level > levels) levels = pass->nodes[i].level;
  }
  int chunk = pass->mode == STP_PASS_ROW ? 4 : g->units;
  for (g->level = 0; g->level <= levels && !g->failed; g->level++) {
    for (int i = 0; i < pass->num_nodes; i++) {
      const stp_node_t *n = &pass->nodes[i];
      bool leaf = is_fifo(g, n) && !n->row;
      for (int u = 0; leaf && u < g->units; u++)
        g->val[i][u] = -1; /* leaves come again in every round */
      if (n->kind == STP_NODE_REDUCE && n->level - 1 == g->level) start_reduce(g, i);
    }
    row_values(g);
    for (int u = 0; u < g->units; u += chunk)
      units(g, u, u + chunk < g->units ? u + chunk : g->units);
    for (int i = 0; i < pass->num_nodes; i++) {
      if (pass->nodes[i].kind == STP_NODE_REDUCE && pass->nodes[i].level - 1 == g->level)
        finish_reduce(g, i);
    }
  }
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Linear scan over the code: a register is free again after its last use, also for the result of
 * that instruction. */
static bool allocate(stp_vbody_t *v) {
  int16_t last[STP_VBODY_INSTS], where[STP_VBODY_INSTS];
  bool used[STP_VBODY_REGS + 1] = {false};
  for (int r = 0; r < v->num_regs; r++) {
    last[r] = -1;
    where[r] = -1;
  }
  for (int n = 0; n < v->num_insts; n++) {
    const stp_vinst_t *i = &v->insts[n];
    for (int s = 0; s < i->num_srcs; s++) {
      if (i->src[s].kind == STP_VSRC_REG) last[i->src[s].reg] = (int16_t)n;
    }
    if (i->dst >= 0) last[i->dst] = (int16_t)n;
  }
  for (int n = 0; n < v->num_insts; n++) {
    stp_vinst_t *i = &v->insts[n];
    int virt = i->dst;
    for (int s = 0; s < i->num_srcs; s++) {
      if (i->src[s].kind != STP_VSRC_REG) continue;
      int r = i->src[s].reg, at = where[r];
      if (at < 0) return false;
      i->src[s].reg = (int16_t)at;
      if (last[r] == n && r != virt) {
        used[at] = false;
        if (v->pair[r]) used[at + 1] = false;
      }
    }
    if (virt < 0) continue;
    if (where[virt] < 0) {
      int found = -1;
      for (int r = 0; r < STP_VBODY_REGS && found < 0; r++) {
        if (used[r]) continue;
        if (v->pair[virt]) {
          if (r % 2 == 0 && !used[r + 1]) found = r;
        } else if (used[r ^ 1]) {
          found = r; /* keep pairs whole while halves are left */
        }
      }
      for (int r = 0; r < STP_VBODY_REGS && found < 0 && !v->pair[virt]; r++) {
        if (!used[r]) found = r;
      }
      if (found < 0) return false;
      where[virt] = (int16_t)found;
      used[found] = true;
      if (v->pair[virt]) used[found + 1] = true;
    }
    i->dst = where[virt];
    if (last[virt] == n) { /* never read */
      used[where[virt]] = false;
      if (v->pair[virt]) used[where[virt] + 1] = false;
    }
  }
  return true;
}

/* A better order may need more registers: then the plain one stays. */
static bool schedule_and_allocate(stp_vbody_t *v) {
  stp_vbody_t *plain = malloc(sizeof *plain);
  if (!plain) return false;
  *plain = *v;
  bool ok = stp_vbody_schedule(v) && allocate(v);
  if (!ok) {
    *v = *plain;
    ok = allocate(v);
  }
  free(plain);
  return ok;
}

bool stp_vbody_make(stp_vbody_t *v, const stp_pass_t *pass, int64_t granules, unsigned absent) {
  gen_t *g = calloc(1, sizeof *g);
  if (!g) return false;
  memset(v, 0, sizeof *v);
  g->v = v;
  g->pass = pass;
  g->absent = absent;
  g->per = pass->lanes32 ? 2 : 1;
  bool ok = granules * g->per <= MAX_UNITS;
  if (ok) {
    g->units = (int)granules * g->per;
    memset(g->val, -1, sizeof g->val);
    memset(g->acc, -1, sizeof g->acc);
    generate(g);
    ok = !g->failed && schedule_and_allocate(v);
  }
  free(g);
  return ok;
}

int64_t stp_vbody_group(const stp_pass_t *pass, int64_t count) {
  stp_vbody_t *v = malloc(sizeof *v);
  int64_t size = 8;
  while (v && size > 0 && (size > count || !stp_vbody_make(v, pass, size, 0))) size /= 2;
  free(v);
  return v ? size : 0;
}
