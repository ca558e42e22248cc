/* MNI-LU and MNI-SU: rows of bytes between device memory and LX; and the descriptor fields of all
 * units. */
#include <string.h>

#include "units_int.h"

#define FIELD_MAX 0xffffff

void stp_cfg_reset(stp_unit_t *u) {
  memset(u->cfg, 0, sizeof u->cfg);
  /* Fields 0..3 are counts and 12..15 limits in both descriptors, but for the pad of LX units. */
  for (unsigned f = 0; f < 4; f++) u->cfg[f] = 1;
  for (unsigned f = 12; f < 16; f++) u->cfg[f] = FIELD_MAX;
  if (u->kind == STP_KIND_LX_LU || u->kind == STP_KIND_LX_SU) u->cfg[STP_CFG_LX_PAD] = 0;
}

/* The low bits of v as a signed number. */
static int64_t sign_extend(uint64_t v, unsigned bits) {
  const uint64_t sign = (uint64_t)1 << (bits - 1);
  v &= (sign << 1) - 1;
  return (int64_t)((v ^ sign) - sign);
}

/* Whether v is a signed number of that many bits. */
static bool fits(uint64_t v, unsigned bits) {
  return (uint64_t)sign_extend(v, bits) == v;
}

bool stp_cfg_write(stp_unit_t *u, const stp_payload_t *p) {
  const unsigned field = p->insn->aux;
  const bool mni = u->kind == STP_KIND_MNI_LU || u->kind == STP_KIND_MNI_SU;
  const uint64_t v = p->c;
  if (field < 4) {
    if (v > FIELD_MAX) return false;
    u->cfg[field] = (int64_t)v;
  } else if (field < 12) {
    const unsigned bits = mni && field < STP_CFG_MNI_LS1 ? STP_ADDR_BITS : 22;
    if (!fits(v, bits)) return false;
    u->cfg[field] = sign_extend(v, bits);
  } else if (!mni && field == STP_CFG_LX_PAD) {
    u->cfg[field] = (int64_t)(v & 0xffffffffu);
  } else {
    const int64_t lim = (int64_t)v;
    u->cfg[field] = lim < 0 ? 0 : lim > FIELD_MAX ? FIELD_MAX : lim;
  }
  return true;
}

/* Sticks that the bytes addr .. addr + n - 1 touch. */
static uint64_t sticks(uint64_t addr, uint64_t n) {
  return n == 0 ? 0 : (addr + n - 1) / STP_STICK_BYTES - addr / STP_STICK_BYTES + 1;
}

/* Bytes from addr to the end of its stick, at most n. */
static size_t piece(uint64_t addr, uint64_t n) {
  const uint64_t room = STP_STICK_BYTES - addr % STP_STICK_BYTES;
  return (size_t)(room < n ? room : n);
}

static stp_step_t bus_error(stp_unit_t *u, uint64_t addr) {
  stp_unit_trap(u, STP_CAUSE_BUS, addr - addr % STP_STICK_BYTES, u->cur.pc);
  return STP_STEP_TRAP;
}

/* Reports the LX sticks of a row, or counts them. */
static void lx_written(stp_core_t *c, stp_unit_t *u, uint64_t l, uint64_t n) {
  u->count[STP_STAT_ITEMS] += sticks(l, n);
  u->count[STP_STAT_BYTES] += n;
  if (c->tap == NULL) return;
  while (n != 0) {
    const size_t k = piece(l, n);
    const uint64_t stick = l - l % STP_STICK_BYTES;
    uint8_t strb[16];
    stp_strobe(strb, (unsigned)(l - stick), (unsigned)k);
    stp_tap_stick(c, u, u->cur.pc, stick, c->lx + stick, strb);
    l += k;
    n -= k;
  }
}

/* A row of n bytes to LX, of which the first valid ones come from g and the others are zero. */
static stp_step_t load_row(stp_core_t *c, stp_unit_t *u, uint64_t g, uint64_t l, uint64_t n,
                           uint64_t valid) {
  if (valid != 0 && c->io.read(c->io.user, g, c->lx + l, (size_t)valid) != 0) {
    /* Which stick was it? The LX sticks that need neither it nor a later one are written. */
    uint8_t buf[STP_STICK_BYTES];
    uint64_t good = 0;
    while (good < valid) {
      const size_t k = piece(g + good, valid - good);
      if (c->io.read(c->io.user, g + good, buf, k) != 0) break;
      good += k;
    }
    const uint64_t end = (l + good) / STP_STICK_BYTES * STP_STICK_BYTES;
    if (end > l && c->io.read(c->io.user, g, c->lx + l, (size_t)(end - l)) == 0)
      lx_written(c, u, l, end - l);
    return bus_error(u, g + good);
  }
  memset(c->lx + l + valid, 0, (size_t)(n - valid));
  lx_written(c, u, l, n);
  return STP_STEP_DONE;
}

/* A row of n bytes from LX. */
static stp_step_t store_row(stp_core_t *c, stp_unit_t *u, uint64_t g, uint64_t l, uint64_t n) {
  if (c->tap == NULL && c->io.write(c->io.user, g, c->lx + l, (size_t)n) == 0) {
    u->count[STP_STAT_ITEMS] += sticks(g, n);
    u->count[STP_STAT_BYTES] += n;
    return STP_STEP_DONE;
  }
  while (n != 0) {
    const size_t k = piece(g, n);
    const unsigned offset = (unsigned)(g % STP_STICK_BYTES);
    if (c->io.write(c->io.user, g, c->lx + l, k) != 0) return bus_error(u, g);
    if (c->tap != NULL) {
      uint8_t data[STP_STICK_BYTES] = {0}, strb[16];
      memcpy(data + offset, c->lx + l, k);
      stp_strobe(strb, offset, (unsigned)k);
      stp_tap_stick(c, u, u->cur.pc, g - offset, data, strb);
    }
    u->count[STP_STAT_ITEMS]++;
    u->count[STP_STAT_BYTES] += k;
    g += k;
    l += k;
    n -= k;
  }
  return STP_STEP_DONE;
}

static stp_step_t row(stp_core_t *c, stp_unit_t *u, uint64_t g, uint64_t l) {
  const int64_t *cfg = u->desc;
  const unsigned traps = u->cur.insn->aux;
  const uint64_t n = (uint64_t)cfg[STP_CFG_MNI_N0], lim0 = (uint64_t)cfg[STP_CFG_MNI_LIM0];
  const bool load = u->kind == STP_KIND_MNI_LU;
  uint64_t valid = n < lim0 ? n : lim0;
  unsigned past = lim0 < n;
  for (unsigned k = 1; k < 4; k++) {
    if (u->i[k] >= (uint64_t)cfg[STP_CFG_MNI_LIM0 + k]) {
      past |= 1u << k;
      valid = 0;
    }
  }
  if ((past & traps) != 0) {
    stp_unit_trap(u, STP_CAUSE_LIMIT, g, u->cur.pc);
    return STP_STEP_TRAP;
  }
  const uint64_t space = (uint64_t)1 << STP_ADDR_BITS;
  if (valid != 0 && (g >= space || space - g < valid)) {
    stp_unit_trap(u, STP_CAUSE_GLOBAL_RANGE, g, u->cur.pc);
    return STP_STEP_TRAP;
  }
  const uint64_t lx_bytes = load ? n : valid;
  if (lx_bytes != 0 && (l >= STP_LX_BYTES || STP_LX_BYTES - l < lx_bytes)) {
    stp_unit_trap(u, STP_CAUSE_LX_RANGE, l, u->cur.pc);
    return STP_STEP_TRAP;
  }
  if (load) return load_row(c, u, g, l, n, valid);
  return valid == 0 ? STP_STEP_DONE : store_row(c, u, g, l, valid);
}

stp_step_t stp_mni_step(stp_core_t *c, stp_unit_t *u, uint64_t *work, uint64_t budget) {
  const int64_t *cfg = u->desc;
  for (unsigned k = 0; k < 4; k++)
    if (cfg[STP_CFG_MNI_N0 + k] == 0) return STP_STEP_DONE;
  for (;;) {
    uint64_t g = u->cur.a, l = u->cur.b;
    for (unsigned k = 1; k < 4; k++) {
      g += u->i[k] * (uint64_t)cfg[STP_CFG_MNI_GS1 + k - 1];
      l += u->i[k] * (uint64_t)cfg[STP_CFG_MNI_LS1 + k - 1];
    }
    if (row(c, u, g, l) == STP_STEP_TRAP) return STP_STEP_TRAP;
    *work += 1 + (uint64_t)cfg[STP_CFG_MNI_N0] / STP_STICK_BYTES;
    unsigned k = 1;
    while (k < 4 && ++u->i[k] == (uint64_t)cfg[STP_CFG_MNI_N0 + k]) u->i[k++] = 0;
    if (k == 4) return STP_STEP_DONE;
    if (*work >= budget || c->tap_stop) return STP_STEP_AGAIN;
  }
}
