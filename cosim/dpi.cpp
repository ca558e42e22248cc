#include "dpi.h"

#include "stp_arch.h"

#include "svdpi.h"

namespace {

stp::Hooks &hooks() {
  return *static_cast<stp::Context *>(Verilated::threadContextp())->hooks;
}

} // namespace

extern "C" {

svBit stp_tap_enabled() {
  return hooks().tap != nullptr;
}

void stp_tap(int core, int unit, unsigned long long addr, const svBitVecVal *data,
             const svBitVecVal *strb) {
  stp::Hooks &h = hooks();
  if (h.tap == nullptr) return;
  struct stp_tap t = {};
  t.core = unsigned(core);
  t.unit = unsigned(unit);
  t.pc = -1;
  t.addr = addr;
  t.data = reinterpret_cast<const uint8_t *>(data);
  t.strb = reinterpret_cast<const uint8_t *>(strb);
  t.cycle = h.cycle;
  if (h.tap(h.tap_user, &t) != 0) h.stop = true;
}

void stp_tcm_dma(unsigned addr, unsigned data) {
  if (hooks().lockstep != nullptr) hooks().lockstep->tcm_write(addr, data);
}

// Seed of the random stalls of FIFO number id; 0: none.
unsigned stp_stall_seed(unsigned id) {
  const uint64_t seed = hooks().stall_seed;
  if (seed == 0) return 0;
  uint64_t z = seed + 0x9e3779b97f4a7c15u * (id + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return unsigned(z >> 32) | 1;
}

} // extern "C"
