#include "bench.h"

#include <cstdio>
#include <cstdlib>

#include "svdpi.h"
#include "verilated.h"

// The DPI call has no handle of its bench: one bench lives at a time.
static stp::Lockstep *dma_sees = nullptr;

extern "C" void stp_tcm_dma(unsigned addr, unsigned data) {
  if (dma_sees != nullptr) dma_sees->tcm_write(addr, data);
}

namespace mgmt {

Bench::Bench(int argc, char **argv, uint64_t seed, const std::vector<uint8_t> &image)
    : memory(seed), image_(image) {
  context_.commandArgs(argc, argv);
  context_.randReset(2);
  context_.randSeed(int(seed + 1));
  dma_sees = &lockstep;
  Vmgmt &t = top_;
  t.rst_ni = 0;
  t.s_axil_awvalid_i = t.s_axil_wvalid_i = t.s_axil_arvalid_i = 0;
  t.s_axil_bready_i = t.s_axil_rready_i = 1;
  for (int i = 0; i < 4; i++) tick();
  t.rst_ni = 1;
  tick();
}

Bench::~Bench() {
  dma_sees = nullptr;
  top_.final();
}

void Bench::complain(const std::string &what) {
  if (failure.empty()) failure = what + " (cycle " + std::to_string(cycle) + ")";
}

void Bench::drive() {
  Vmgmt &t = top_;
  memory.drive(t);
  uint32_t running = 0, trapped = 0, blocked = 0;
  t.core_stopped_i = t.core_deadlock_i = t.core_leftover_fifo_i = t.core_leftover_token_i = 0;
  for (unsigned n = 0; n < kCores; n++) {
    const Core &c = core[n];
    running |= c.running << 10 * n;
    trapped |= c.trapped << 10 * n;
    blocked |= c.blocked << 10 * n;
    t.core_stopped_i |= c.stopped << n;
    t.core_deadlock_i |= c.deadlock << n;
    t.core_leftover_fifo_i |= c.leftover_fifo << n;
    t.core_leftover_token_i |= c.leftover_token << n;
  }
  t.core_running_i = running;
  t.core_trapped_i = trapped;
  t.core_blocked_i = blocked;
  // Rubbish unless a stick was asked for in the cycle before.
  for (unsigned n = 0; n < kCores; n++) {
    Stick s;
    s.fill(0xa5);
    if (stat_core_ == int(n)) s = core[n].status[stat_unit_];
    std::memcpy(t.core_stat_data_i.data() + 32 * n, s.data(), 128);
  }
}

void Bench::retired() {
  const Vmgmt &t = top_;
  if (!t.retire_valid_o) return;
  stp_rv_retire_t r = {};
  r.pc = t.retire_pc_o;
  r.insn = t.retire_insn_o;
  r.rd = t.retire_rd_o;
  r.rd_we = t.retire_rd_we_o;
  r.rd_data = t.retire_rd_data_o;
  r.mem_addr = t.retire_mem_addr_o;
  r.mem_we = t.retire_mem_we_o;
  r.mem_re = t.retire_mem_re_o;
  r.mem_data = t.retire_mem_data_o;
  r.trap = t.retire_trap_o;
  r.cause = t.retire_cause_o;
  r.irq = t.retire_irq_o;
  if (!lockstep.step(r)) complain(lockstep.message());
}

void Bench::sample() {
  Vmgmt &t = top_;
  memory.sample(t);
  if (!memory.failure.empty()) complain(memory.failure);
  if (t.console_valid_o) console += char(t.console_data_o);
  retired();
  stat_core_ = -1;
  for (unsigned n = 0; n < kCores; n++) {
    Core &c = core[n];
    // What happens by itself.
    if (c.countdown != 0 && --c.countdown == 0) {
      c.running = c.plan.running;
      c.trapped = c.plan.trapped;
      c.blocked = c.plan.blocked;
      c.stopped = c.plan.stopped;
      c.deadlock = c.plan.deadlock;
      c.leftover_fifo = c.plan.leftover_fifo;
      c.leftover_token = c.plan.leftover_token;
    }
    if (c.halting != 0 && --c.halting == 0) {
      c.running = c.blocked = 0;
      c.stopped = c.started != 0;
      c.deadlock = false;
    }
    // What the subsystem does.
    if (t.core_ld_valid_o >> n & 1) {
      c.rows++;
      if (c.running != 0) complain("a load while units run");
      for (unsigned u = 0; u < STP_UNITS; u++) {
        if ((t.core_ld_units_o >> u & 1) == 0) continue;
        for (unsigned k = 0; k < 16; k++) {
          const uint64_t w = t.core_ld_data_o[2 * k] | uint64_t(t.core_ld_data_o[2 * k + 1]) << 32;
          if (t.core_ld_kind_o) {
            if (t.core_ld_row_o >= STP_ARGS / 4) complain("no such argument row");
            c.args[u][4 * (t.core_ld_row_o % (STP_ARGS / 4)) + k] = w;
          } else {
            c.program[u][4 * t.core_ld_row_o + k] = w;
          }
        }
      }
    }
    if (t.core_clear_o >> n & 1) {
      c.clears++;
      if (c.running != 0) complain("a clear while units run");
      c.running = c.trapped = c.blocked = c.started = 0;
      c.stopped = c.deadlock = c.leftover_fifo = c.leftover_token = false;
      c.countdown = c.halting = 0;
    }
    if (t.core_halt_o >> n & 1) {
      c.halts++;
      c.countdown = 0;
      c.halting = 50;
    }
    const unsigned start = unsigned(t.core_start_o >> 10 * n) & 0x3ff;
    if (start != 0) {
      c.starts++;
      if (!memory.quiet()) complain("a start while the DMA is at work");
      if (c.started != 0) complain("a start without a clear");
      c.started = c.running = start;
      c.countdown = c.plan.after;
    }
    if (t.core_stat_req_o >> n & 1) {
      if (stat_core_ >= 0) complain("two cores asked for status");
      stat_core_ = int(n);
      stat_unit_ = t.core_stat_unit_o;
      if (stat_unit_ >= STP_UNITS) complain("status of no unit");
      stat_unit_ %= STP_UNITS;
    }
  }
}

void Bench::tick() {
  Vmgmt &t = top_;
  t.clk_i = 0;
  drive();
  t.eval();
  if (t.rst_ni) sample();
  t.clk_i = 1;
  t.eval();
  cycle++;
}

unsigned Bench::try_read(uint32_t offset, uint32_t *value) {
  Vmgmt &t = top_;
  t.s_axil_arvalid_i = 1;
  t.s_axil_araddr_i = offset;
  for (unsigned n = 0; n < 1000; n++) {
    t.clk_i = 0;
    t.eval();
    const bool taken = t.s_axil_arvalid_i && t.s_axil_arready_o, valid = t.s_axil_rvalid_o;
    const uint32_t data = t.s_axil_rdata_o;
    const unsigned resp = t.s_axil_rresp_o;
    tick();
    if (taken) t.s_axil_arvalid_i = 0;
    if (valid) {
      *value = data;
      return resp;
    }
  }
  complain("no answer to a host read");
  return 3;
}

unsigned Bench::try_write(uint32_t offset, uint32_t value, unsigned strb) {
  Vmgmt &t = top_;
  t.s_axil_awvalid_i = t.s_axil_wvalid_i = 1;
  t.s_axil_awaddr_i = offset;
  t.s_axil_wdata_i = value;
  t.s_axil_wstrb_i = strb;
  for (unsigned n = 0; n < 1000; n++) {
    t.clk_i = 0;
    t.eval();
    const bool aw = t.s_axil_awvalid_i && t.s_axil_awready_o,
               w = t.s_axil_wvalid_i && t.s_axil_wready_o;
    const bool valid = t.s_axil_bvalid_o;
    const unsigned resp = t.s_axil_bresp_o;
    tick();
    if (aw) t.s_axil_awvalid_i = 0;
    if (w) t.s_axil_wvalid_i = 0;
    if (valid) {
      if (resp == 0 && offset >= STP_HOST_TCM_BASE)
        lockstep.tcm_write(offset - STP_HOST_TCM_BASE, value);
      return resp;
    }
  }
  complain("no answer to a host write");
  return 3;
}

uint32_t Bench::read(uint32_t offset) {
  uint32_t value = 0;
  if (try_read(offset, &value) != 0) complain("a host read is refused");
  return value;
}

void Bench::write(uint32_t offset, uint32_t value) {
  if (try_write(offset, value) != 0) complain("a host write is refused");
}

uint64_t Bench::read64(uint32_t low_offset) {
  const uint32_t low = read(low_offset);
  return uint64_t(read(low_offset + 4)) << 32 | low;
}

void Bench::load() {
  for (size_t i = 0; i + 4 <= image_.size(); i += 4) {
    uint32_t word;
    std::memcpy(&word, &image_[i], 4);
    write(STP_HOST_TCM_BASE + uint32_t(i), word);
  }
}

void Bench::boot() {
  load();
  write(STP_HOST_IRQ_ENABLE, 7);
  write(STP_HOST_CONTROL, 1);
  if (!wait_irq()) complain("the firmware does not get ready");
  if (read(STP_HOST_FW_STATUS) != 1) complain("the firmware is not ready");
}

bool Bench::wait_irq(uint64_t limit) {
  for (uint64_t n = 0; n < limit; n++) {
    if (top_.irq_o) {
      write(STP_HOST_IRQ_STATUS, read(STP_HOST_IRQ_STATUS));
      return true;
    }
    tick();
    if (!failure.empty()) return false;
  }
  return false;
}

void Bench::run(uint64_t cycles) {
  for (uint64_t n = 0; n < cycles && failure.empty(); n++) tick();
}

} // namespace mgmt
