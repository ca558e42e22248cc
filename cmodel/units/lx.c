/* LX-LU and LX-SU: sticks between LX and the FIFOs. */
#include <string.h>

#include "units_int.h"

/* Modes of ld and st: aux[2:1]. */
enum { MODE_STICK = 0, MODE_16 = 1, MODE_32 = 2 };

static unsigned mode(const stp_unit_t *u) {
  return u->cur.insn->aux >> 1 & 3;
}

static bool no_work(const stp_unit_t *u) {
  for (unsigned k = 0; k < 4; k++)
    if (u->desc[STP_CFG_LX_N0 + k] == 0) return true;
  return false;
}

/* Bytes of the current stick inside the limits. */
static unsigned valid_bytes(const stp_unit_t *u) {
  if (u->i[1] >= (uint64_t)u->desc[STP_CFG_LX_LIM1]) return 0;
  const int64_t left = u->desc[STP_CFG_LX_LIM0] - (int64_t)STP_STICK_BYTES * u->i[0];
  return left <= 0 ? 0 : left >= STP_STICK_BYTES ? STP_STICK_BYTES : (unsigned)left;
}

static uint64_t current(const stp_unit_t *u) {
  uint64_t addr = u->cur.a;
  for (unsigned k = 0; k < 4; k++) addr += u->i[k] * (uint64_t)u->desc[STP_CFG_LX_S0 + k];
  return addr;
}

/* Whether a stick may be read at the current address. */
static bool address_ok(const stp_unit_t *u) {
  const uint64_t addr = current(u);
  return addr % STP_STICK_BYTES == 0 && addr < STP_LX_BYTES;
}

/* The address of the current access of size bytes, or a trap. */
static bool address(stp_unit_t *u, unsigned size, uint64_t *out) {
  const uint64_t addr = current(u);
  if ((addr & (size - 1)) != 0) {
    stp_unit_trap(u, STP_CAUSE_LX_MISALIGNED, addr, u->cur.pc);
    return false;
  }
  if (addr >= STP_LX_BYTES) {
    stp_unit_trap(u, STP_CAUSE_LX_RANGE, addr, u->cur.pc);
    return false;
  }
  *out = addr;
  return true;
}

/* Goes to the next stick. False: that was the last. */
static bool next(stp_unit_t *u) {
  unsigned k = 0;
  while (k < 4 && ++u->i[k] == (uint64_t)u->desc[STP_CFG_LX_N0 + k]) u->i[k++] = 0;
  return k < 4;
}

static void fill(uint8_t *stick, unsigned first, uint32_t pad) {
  for (unsigned j = first; j < STP_STICK_BYTES; j++) stick[j] = (uint8_t)(pad >> 8 * (j & 3));
}

/* The stick of LX at addr, with pad from byte valid on. */
static void read_stick(const stp_core_t *c, const stp_unit_t *u, uint64_t addr, unsigned valid,
                       uint8_t *stick) {
  memcpy(stick, c->lx + addr, valid);
  fill(stick, valid, (uint32_t)u->desc[STP_CFG_LX_PAD]);
}

bool stp_turn_full(const stp_core_t *c, const stp_unit_t *u) {
  return u->kind == STP_KIND_LX_LU && c->turn_lu[u->corelet].full != 0;
}

void stp_turn_clear(stp_core_t *c, stp_unit_t *u) {
  stp_turn_t *t = &c->turn_lu[u->corelet];
  t->full = 0;
  t->block[0].rows = t->block[1].rows = 0;
}

uint64_t stp_turn_run(stp_core_t *c, stp_unit_t *u) {
  uint64_t work = 0;
  while (stp_turn_full(c, u) && !c->tap_stop) {
    stp_turn_t *t = &c->turn_lu[u->corelet];
    stp_turn_block_t *b = &t->block[t->first];
    stp_fifo_t *f = stp_unit_fifo(c, u, b->to_sfu ? STP_FIFO_LXLU_SFU : STP_FIFO_LXLU_PT);
    if (b->sent < b->cols) {
      if (stp_fifo_full(f)) break;
      uint8_t *stick = stp_fifo_back(f);
      const size_t size = b->size, at = b->sent++ * size;
      for (size_t n = 0; n < b->rows; n++) memcpy(stick + n * size, b->row[n] + at, size);
      /* A missing row is all pad, of which this column has the bytes from at % 4 on. */
      for (size_t k = b->rows * size; k < STP_STICK_BYTES; k++)
        stick[k] = (uint8_t)(b->pad >> 8 * ((at + k % size) % 4));
      stp_fifo_push(c, u, f, b->pc, b->to_sfu);
      work++;
    }
    if (b->sent == b->cols) {
      b->rows = 0;
      t->first ^= 1;
      t->full--;
      work++;
    }
  }
  return work;
}

/* A transposing ld: reads rows while a block has room for them. */
static stp_step_t turn_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  stp_turn_t *t = &c->turn_lu[u->corelet];
  const unsigned size = mode(u) == MODE_16 ? 2 : 4, most = STP_STICK_BYTES / size;
  for (;;) {
    const unsigned valid = valid_bytes(u);
    uint64_t addr = 0;
    if (t->full == 2) return STP_STEP_BLOCKED;
    if (valid != 0 && t->full != 0 && !address_ok(u)) return STP_STEP_BLOCKED;
    if (valid != 0 && !address(u, STP_STICK_BYTES, &addr)) return STP_STEP_TRAP;
    stp_turn_block_t *b = &t->block[(t->first + t->full) % 2];
    if (b->rows == 0) {
      const uint64_t cols = (uint64_t)u->desc[STP_CFG_LX_COLS];
      b->size = (uint8_t)size;
      b->cols = (uint8_t)(cols < most ? cols : most);
      b->sent = 0;
      b->to_sfu = u->cur.insn->aux & 1;
      b->pc = u->cur.pc;
      b->pad = (uint32_t)u->desc[STP_CFG_LX_PAD];
    }
    read_stick(c, u, addr, valid, b->row[b->rows++]);
    ++*work;
    const bool more = next(u);
    if (!more || b->rows == most) t->full++;
    if (!more) return STP_STEP_DONE;
    if (*work >= budget) return STP_STEP_AGAIN;
  }
}

stp_step_t stp_lx_lu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  if (no_work(u)) return STP_STEP_DONE;
  if ((u->cur.insn->aux & 8) != 0) return turn_step(c, u, work, budget);
  if (stp_turn_full(c, u)) return STP_STEP_BLOCKED;
  const unsigned to_sfu = u->cur.insn->aux & 1, m = mode(u);
  const unsigned size = m == MODE_STICK ? STP_STICK_BYTES : m == MODE_16 ? 2 : 4;
  stp_fifo_t *f = stp_unit_fifo(c, u, to_sfu ? STP_FIFO_LXLU_SFU : STP_FIFO_LXLU_PT);
  for (;;) {
    const unsigned valid = m == MODE_STICK ? valid_bytes(u) : size;
    uint64_t addr = 0;
    if (valid != 0 && !address(u, size, &addr)) return STP_STEP_TRAP;
    if (stp_fifo_full(f)) return STP_STEP_BLOCKED;
    uint8_t *stick = stp_fifo_back(f);
    if (m == MODE_STICK) {
      read_stick(c, u, addr, valid, stick);
    } else {
      for (unsigned j = 0; j < STP_STICK_BYTES; j += size) memcpy(stick + j, c->lx + addr, size);
    }
    stp_fifo_push(c, u, f, u->cur.pc, to_sfu);
    ++*work;
    if (!next(u)) return STP_STEP_DONE;
    if (*work >= budget || c->tap_stop) return STP_STEP_AGAIN;
  }
}

stp_step_t stp_lx_su_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  if (no_work(u)) return STP_STEP_DONE;
  const unsigned m = mode(u);
  const unsigned size = m == MODE_STICK ? STP_STICK_BYTES : m == MODE_16 ? 2 : 4;
  stp_fifo_t *f = stp_unit_fifo(c, u, STP_FIFO_SFU_LXSU);
  for (;;) {
    const unsigned valid = m == MODE_STICK ? valid_bytes(u) : size;
    uint64_t addr = 0;
    if (valid != 0 && !address(u, size, &addr)) return STP_STEP_TRAP;
    if (f->count == 0) return STP_STEP_BLOCKED;
    if (valid != 0) {
      memcpy(c->lx + addr, stp_fifo_front(f), valid);
      u->count[STP_STAT_ITEMS]++;
      u->count[STP_STAT_BYTES] += valid;
      if (c->tap != NULL) {
        const uint64_t stick = addr - addr % STP_STICK_BYTES;
        uint8_t strb[16];
        stp_strobe(strb, (unsigned)(addr - stick), valid);
        stp_tap_stick(c, u, u->cur.pc, stick, c->lx + stick, strb);
      }
    }
    stp_fifo_pop(f);
    ++*work;
    if (!next(u)) return STP_STEP_DONE;
    if (*work >= budget || c->tap_stop) return STP_STEP_AGAIN;
  }
}
