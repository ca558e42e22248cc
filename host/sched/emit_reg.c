/* SPDX-License-Identifier: Apache-2.0 */
/* Values in registers and descriptor fields, as far as they are known. */
#include "emit.h"

void stp_emit_fail(stp_emit_t *e, const char *what) {
  if (!e->failed) {
    stp_plan_error(e->plan, e->plan->func->loc, "function '%s' needs %s in the program of %s",
                   e->plan->func->name, what, stp_unit_names[e->unit]);
  }
  e->failed = true;
}

/* ---- registers ----------------------------------------------------------------------------- */

static bool depends(const stp_emit_t *e, const stp_lin_t *a, const stp_block_t *block) {
  for (int i = 0; i < a->n; i++) {
    const stp_block_t *b = e->plan->syms[a->t[i].sym].block;
    if (b && stp_block_contains(block, b)) return true;
  }
  return false;
}

/* Is the form computed from the symbol? */
static bool depends_on(const stp_emit_t *e, const stp_lin_t *a, int sym) {
  for (int i = 0; i < a->n; i++) {
    const stp_sym_t *s = &e->plan->syms[a->t[i].sym];
    if (a->t[i].sym == sym) return true;
    if (s->kind == STP_SYM_OP &&
        (depends_on(e, &s->a, sym) || depends_on(e, &s->b, sym) || depends_on(e, &s->d, sym)))
      return true;
  }
  return false;
}

/* Cached values that an execution of the block changes are gone. */
void stp_emit_forget(stp_emit_t *e, const stp_block_t *block) {
  for (int r = 1; r < STP_REGS; r++) {
    if (e->regs[r].state == STP_REG_CACHED && depends(e, &e->regs[r].lin, block))
      e->regs[r].state = STP_REG_FREE;
  }
}

/* So are, after a loop, those that its body computed. */
void stp_emit_forget_deeper(stp_emit_t *e) {
  for (int r = 1; r < STP_REGS; r++) {
    if (e->regs[r].state == STP_REG_CACHED && e->regs[r].depth > e->depth)
      e->regs[r].state = STP_REG_FREE;
  }
}

void stp_emit_forget_sym(stp_emit_t *e, int sym) {
  for (int r = 1; r < STP_REGS; r++) {
    if (e->regs[r].state == STP_REG_CACHED && depends_on(e, &e->regs[r].lin, sym))
      e->regs[r].state = STP_REG_FREE;
  }
}

void stp_emit_forget_fields(stp_emit_t *e) {
  for (int i = 0; i < 16; i++) e->fields[i].known = false;
}

unsigned stp_emit_alloc(stp_emit_t *e) {
  unsigned best = 0;
  for (unsigned r = 1; r < STP_REGS && !best; r++) {
    if (e->regs[r].state == STP_REG_FREE && !e->regs[r].busy) best = r;
  }
  /* Give up the cached value that was used longest ago; one from outside the loop may still be
   * needed inside. */
  for (unsigned r = 1; r < STP_REGS && !best; r++) {
    if (e->regs[r].state != STP_REG_CACHED || e->regs[r].busy || e->regs[r].depth < e->depth)
      continue;
    best = r;
    for (unsigned q = r + 1; q < STP_REGS; q++) {
      if (e->regs[q].state == STP_REG_CACHED && !e->regs[q].busy && e->regs[q].depth >= e->depth &&
          e->regs[q].age < e->regs[best].age) {
        best = q;
      }
    }
  }
  if (!best) {
    stp_emit_fail(e, "more scalar registers than there are");
    return 1;
  }
  e->regs[best].state = STP_REG_PINNED;
  return best;
}

void stp_emit_free(stp_emit_t *e, unsigned reg) {
  e->regs[reg].state = STP_REG_FREE;
}

void stp_emit_done(stp_emit_t *e) {
  for (int r = 0; r < STP_REGS; r++) e->regs[r].busy = false;
}

static unsigned cached(stp_emit_t *e, const stp_lin_t *lin) {
  for (unsigned r = 1; r < STP_REGS; r++) {
    if (e->regs[r].state == STP_REG_CACHED && stp_lin_equal(&e->regs[r].lin, lin)) {
      e->regs[r].busy = true;
      e->regs[r].age = e->clock++;
      return r;
    }
  }
  return 0;
}

static unsigned remember(stp_emit_t *e, unsigned r, const stp_lin_t *lin) {
  e->regs[r].state = STP_REG_CACHED;
  e->regs[r].lin = *lin;
  e->regs[r].depth = e->depth;
  e->regs[r].busy = true;
  e->regs[r].age = e->clock++;
  return r;
}

void stp_emit_imm(stp_emit_t *e, unsigned op, unsigned rd, unsigned ra, int64_t imm) {
  stp_asm_op(e->as, op, rd, ra, 0, 0, imm);
}

static bool fits(int64_t v) {
  return v >= INT32_MIN && v <= INT32_MAX;
}

static unsigned sym_reg(stp_emit_t *e, int index);

/* rd := k * value of symbol */
static void scaled(stp_emit_t *e, unsigned rd, int sym, int64_t k) {
  unsigned r = sym_reg(e, sym);
  if (k == 1) {
    stp_emit_imm(e, STP_OP_ADDI, rd, r, 0);
  } else if (k > 0 && (k & (k - 1)) == 0) {
    stp_emit_imm(e, STP_OP_SHLI, rd, r, __builtin_ctzll((unsigned long long)k));
  } else if (fits(k)) {
    stp_emit_imm(e, STP_OP_MULI, rd, r, k);
  } else {
    stp_lin_t c = stp_lin_const(k);
    unsigned kr = stp_emit_reg(e, &c);
    stp_asm_op(e->as, STP_OP_MUL, rd, r, kr, 0, 0);
  }
}

static unsigned alu_sym(stp_emit_t *e, const stp_sym_t *s, unsigned rd) {
  unsigned a = stp_emit_reg(e, &s->a);
  switch (s->op) {
  case STP_LINOP_ALU:
    if (stp_lin_is_const(&s->b) && fits(s->b.c)) {
      stp_emit_imm(e, STP_OP_ADDI + (unsigned)s->index, rd, a, s->b.c);
    } else {
      unsigned b = stp_emit_reg(e, &s->b);
      stp_asm_op(e->as, STP_OP_ADD + (unsigned)s->index, rd, a, b, 0, 0);
    }
    break;
  case STP_LINOP_SELECT: {
    unsigned b = stp_emit_reg(e, &s->b), d = stp_emit_reg(e, &s->d);
    stp_emit_imm(e, STP_OP_ADDI, rd, d, 0);
    stp_asm_op(e->as, STP_OP_CMOVNZ, rd, b, a, 0, 0);
    break;
  }
  case STP_LINOP_SEXT:
    stp_emit_imm(e, STP_OP_SHLI, rd, a, 64 - s->index);
    stp_emit_imm(e, STP_OP_SRAI, rd, rd, 64 - s->index);
    break;
  }
  return rd;
}

/* A coordinate of the tile from its flat number: dimension 0 varies fastest. */
static void tile_coordinate(stp_emit_t *e, int dim, unsigned rd) {
  const stp_ir_func_t *f = e->plan->func;
  int64_t below = 1, above = 1;
  for (int d = 0; d < dim; d++) below *= f->grid[d];
  for (int d = dim + 1; d < f->grid_rank; d++) above *= f->grid[d];
  unsigned r = (unsigned)e->tile_reg;
  int64_t size = f->grid[dim];
  if (below > 1) {
    if (below & (below - 1))
      stp_emit_imm(e, STP_OP_DIVUI, rd, r, below);
    else
      stp_emit_imm(e, STP_OP_SHRI, rd, r, __builtin_ctzll((unsigned long long)below));
    r = rd;
  }
  if (above > 1) {
    if (size & (size - 1))
      stp_emit_imm(e, STP_OP_REMUI, rd, r, size);
    else
      stp_emit_imm(e, STP_OP_ANDI, rd, r, size - 1);
    r = rd;
  }
  if (r != rd) stp_emit_imm(e, STP_OP_ADDI, rd, r, 0);
}

static unsigned sym_reg(stp_emit_t *e, int index) {
  const stp_sym_t *s = &e->plan->syms[index];
  if (!e->feeding) e->facts->sym_used[index] = true;
  if (e->sym_reg[index]) return (unsigned)e->sym_reg[index];
  if (s->kind == STP_SYM_TILE && e->plan->func->num_tiles == e->plan->func->grid[s->index]) {
    return (unsigned)e->tile_reg;
  }
  stp_lin_t self = stp_lin_sym(index);
  unsigned r = cached(e, &self);
  if (r) return r;
  r = stp_emit_alloc(e);
  switch (s->kind) {
  case STP_SYM_ARG:
  case STP_SYM_SCALAR:
    stp_emit_imm(e, STP_OP_ARG, r, 0, s->index);
    break;
  case STP_SYM_CORELET:
    stp_asm_op(e->as, STP_OP_SPR, r, 0, 0, STP_SPR_CORELET, 0);
    break;
  case STP_SYM_TILE:
    tile_coordinate(e, s->index, r);
    break;
  case STP_SYM_OP:
    alu_sym(e, s, r);
    break;
  default:
    stp_emit_fail(e, "a loop variable outside its loop");
  }
  return remember(e, r, &self);
}

unsigned stp_emit_reg(stp_emit_t *e, const stp_lin_t *lin) {
  if (lin->n == 0 && lin->c == 0) return 0;
  if (lin->n == 1 && lin->t[0].k == 1 && lin->c == 0) {
    unsigned r = sym_reg(e, lin->t[0].sym);
    e->regs[r].busy = true;
    return r;
  }
  unsigned r = cached(e, lin);
  if (r) return r;
  if (lin->n == 0) {
    r = stp_emit_alloc(e);
    stp_asm_li(e->as, r, lin->c);
    return remember(e, r, lin);
  }
  /* A sum: start from the value without its constant, if that is at hand, else term by term. */
  stp_lin_t base = *lin;
  base.c = 0;
  unsigned from = lin->c && fits(lin->c) ? cached(e, &base) : 0;
  if (lin->c && fits(lin->c) && !from && lin->n == 1 && lin->t[0].k == 1)
    from = sym_reg(e, lin->t[0].sym);
  if (from) {
    e->regs[from].busy = true;
    r = stp_emit_alloc(e);
    stp_emit_imm(e, STP_OP_ADDI, r, from, lin->c);
    return remember(e, r, lin);
  }
  r = stp_emit_alloc(e);
  int start = 0;
  while (start < lin->n - 1 && lin->t[start].k == 1) start++;
  scaled(e, r, lin->t[start].sym, lin->t[start].k);
  for (int i = 0; i < lin->n; i++) {
    if (i == start) continue;
    unsigned s = sym_reg(e, lin->t[i].sym);
    e->regs[s].busy = true;
    if (lin->t[i].k == 1) {
      stp_asm_op(e->as, STP_OP_ADD, r, r, s, 0, 0);
    } else if (lin->t[i].k == -1) {
      stp_asm_op(e->as, STP_OP_SUB, r, r, s, 0, 0);
    } else {
      unsigned t = stp_emit_alloc(e);
      scaled(e, t, lin->t[i].sym, lin->t[i].k);
      stp_asm_op(e->as, STP_OP_ADD, r, r, t, 0, 0);
      stp_emit_free(e, t);
    }
  }
  if (lin->c && fits(lin->c)) {
    stp_emit_imm(e, STP_OP_ADDI, r, r, lin->c);
  } else if (lin->c) {
    stp_lin_t c = stp_lin_const(lin->c);
    unsigned k = stp_emit_reg(e, &c);
    stp_asm_op(e->as, STP_OP_ADD, r, r, k, 0, 0);
  }
  return remember(e, r, lin);
}

void stp_emit_add(stp_emit_t *e, stp_lin_t *lin, const stp_lin_t *other, int64_t scale) {
  if (!stp_lin_add(lin, lin, other, scale)) stp_emit_fail(e, "an address that is too complex");
}

/* ---- descriptor fields --------------------------------------------------------------------- */

static int64_t field_reset(const stp_emit_t *e, unsigned field) {
  bool mni = e->kind == STP_KIND_MNI_LU || e->kind == STP_KIND_MNI_SU;
  if (field <= 3) return 1;
  bool lim = mni ? field >= STP_CFG_MNI_LIM0 : field >= STP_CFG_LX_LIM0 && field != STP_CFG_LX_PAD;
  return lim ? 0xffffff : 0;
}

void stp_emit_field(stp_emit_t *e, unsigned field, const stp_lin_t *value) {
  stp_emit_facts_t *f = e->facts;
  bool is_const = stp_lin_is_const(value);
  if (e->dry) {
    if (!is_const || (f->field_set[field] && f->field_value[field] != value->c))
      f->field_varies[field] = true;
    f->field_set[field] = true;
    f->field_value[field] = value->c;
  } else if (!f->field_varies[field]) {
    return;
  }
  if (is_const && e->fields[field].known && e->fields[field].value == value->c) return;
  stp_lin_t base = *value;
  int64_t imm = fits(value->c) ? value->c : 0;
  base.c -= imm;
  stp_asm_op(e->as, STP_OP_CFG, 0, stp_emit_reg(e, &base), 0, field, imm);
  e->fields[field].known = is_const;
  e->fields[field].value = value->c;
}

void stp_emit_field_const(stp_emit_t *e, unsigned field, int64_t value) {
  stp_lin_t c = stp_lin_const(value);
  stp_emit_field(e, field, &c);
}

void stp_emit_constant_fields(stp_emit_t *e) {
  const stp_emit_facts_t *f = e->facts;
  for (unsigned i = 0; !e->dry && i < 16; i++) {
    if (!f->field_set[i] || f->field_varies[i] || f->field_value[i] == field_reset(e, i)) continue;
    stp_lin_t base = stp_lin_const(fits(f->field_value[i]) ? 0 : f->field_value[i]);
    stp_asm_op(e->as, STP_OP_CFG, 0, stp_emit_reg(e, &base), 0, i, f->field_value[i] - base.c);
  }
}
