// What the benches of MNI, ring and memory port share: a small generator, and the DRAM model on a
// verilated design's pins.
#ifndef STP_TESTS_RTL_MNI_BENCH_H
#define STP_TESTS_RTL_MNI_BENCH_H

#include <cstdint>
#include <cstring>

#include "dram.h"

namespace bench {

struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull >> 11;
  }
  uint64_t below(uint64_t n) { return next() % n; }
  int64_t range(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(below(static_cast<uint64_t>(hi - lo + 1)));
  }
  bool percent(unsigned p) { return below(100) < p; }
};

// Before the design settles: what the DRAM drives in this cycle.
template <class Top> void drive_dram(Top *top, const stp::Dram &dram) {
  const stp::AxiSlavePins &p = dram.pins();
  top->arready_i = p.ar_ready;
  top->awready_i = p.aw_ready;
  top->wready_i = p.w_ready;
  top->rvalid_i = p.r_valid;
  if (p.r_valid) {
    top->rid_i = p.r_id;
    top->rresp_i = p.r_resp;
    std::memcpy(top->rdata_i.data(), p.r_data, 128);
  }
  top->bvalid_i = p.b_valid;
  if (p.b_valid) {
    top->bid_i = p.b_id;
    top->bresp_i = p.b_resp;
  }
}

// After it has settled, before the rising edge.
template <class Top> void step_dram(Top *top, stp::Dram &dram) {
  stp::AxiMasterPins m;
  m.ar_valid = top->arvalid_o;
  m.ar_id = top->arid_o;
  m.ar_addr = top->araddr_o;
  m.ar_len = top->arlen_o;
  m.ar_size = top->arsize_o;
  m.aw_valid = top->awvalid_o;
  m.aw_id = top->awid_o;
  m.aw_addr = top->awaddr_o;
  m.aw_len = top->awlen_o;
  m.aw_size = top->awsize_o;
  m.w_valid = top->wvalid_o;
  m.w_data = top->wdata_o.data();
  m.w_strb = top->wstrb_o.data();
  m.w_last = top->wlast_o;
  m.r_ready = top->rready_o;
  m.b_ready = top->bready_o;
  dram.step(m);
}

} // namespace bench

#endif
