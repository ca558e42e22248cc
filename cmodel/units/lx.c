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

/* The address of the current access of size bytes, or a trap. */
static bool address(stp_unit_t *u, unsigned size, uint64_t *out) {
  uint64_t addr = u->cur.a;
  for (unsigned k = 0; k < 4; k++) addr += u->i[k] * (uint64_t)u->desc[STP_CFG_LX_S0 + k];
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

stp_step_t stp_lx_lu_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  if (no_work(u)) return STP_STEP_DONE;
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
      memcpy(stick, c->lx + addr, valid);
      fill(stick, valid, (uint32_t)u->desc[STP_CFG_LX_PAD]);
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
