// The bench of the verilated management processor: it runs an image from tightly coupled memory
// with the test device on the bus, beside the instruction-set simulator, and compares the two at
// every retired instruction. While it runs, the host reads words of the image at random times: they
// must be right, and must not disturb. The text of an image lies at its start, so the first 128
// bytes are taken as constant.
#ifndef STP_RV_BENCH_H
#define STP_RV_BENCH_H

#include "Vrv_tb.h"
#include "rv.h"
#include "testdev.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

constexpr uint32_t tcm_bytes = 65536;
constexpr uint64_t max_cycles = 20000000;

// xorshift64*
class random_source {
public:
  explicit random_source(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {
    if (state_ == 0) state_ = 1;
    next();
  }
  uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (uint32_t)((state_ * 0x2545f4914f6cdd1du) >> 32);
  }
  uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)next() * n) >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }

private:
  uint64_t state_;
};

struct run_result {
  bool agreed = false;
  bool exited = false;
  bool asleep = false;
  uint32_t exit_code = 0;
  uint64_t cycles = 0;
  uint64_t instructions = 0;
  uint64_t traps = 0;
  uint64_t interrupts = 0;
};

class bench {
public:
  // Of the image, the first `load_bytes` are loaded; the program must not read what lies behind.
  bench(const std::vector<uint8_t> &image, uint64_t seed, unsigned stall, unsigned reset_seed,
        uint32_t load_bytes = tcm_bytes)
      : image_(image), random_(seed), stall_(stall), load_bytes_(load_bytes), tcm_(tcm_bytes) {
    ctx_.randReset(2);
    ctx_.randSeed((int)reset_seed);
    top_ = std::make_unique<Vrv_tb>(&ctx_);
    std::memcpy(tcm_.data(), image.data(), image.size());
    stp_rv_init(&iss_, tcm_.data(), tcm_bytes, nullptr);
    load();
  }
  ~bench() { top_->final(); }

  // What rises at that cycle of the run, besides the program's own doing; 0: nothing.
  uint32_t lines = 0;
  uint64_t lines_at = 0;
  // Sees every record of the RTL's retirement port.
  std::function<void(const stp_rv_retire_t &)> on_retire;

  // random_irq: raise lines at random, and give up quietly when nothing can wake the processor or
  // cycles run out.
  run_result run(bool random_irq, uint64_t cycle_limit) {
    run_result res;
    unsigned asleep = 0;
    res.agreed = true;
    check_host_data_ = !random_irq; // a random program that runs into its data may write anywhere
    top_->core_rst_ni = 1;
    while (!dev_.exited && res.cycles < cycle_limit) {
      if (random_irq && random_.one_in(40)) {
        static const uint32_t line[] = {STP_RV_IRQ_SOFTWARE, STP_RV_IRQ_TIMER, STP_RV_IRQ_EXTERNAL};
        dev_.lines ^= line[random_.below(3)];
      }
      if (lines && res.cycles == lines_at) dev_.lines |= lines;
      host_access();
      mmio();
      cycle();
      res.cycles++;
      rv_testdev_tick(&dev_);
      asleep = top_->sleep_o ? asleep + 1 : 0;
      if (random_irq && asleep > 1000) {
        res.asleep = true;
        break;
      }
      if (!host_check() || !retire(&res)) {
        res.agreed = false;
        break;
      }
    }
    // The store to EXIT is still on its way to the retirement port.
    for (int i = 0; i < 40 && res.agreed && dev_.exited && !exit_retired_; i++) {
      mmio();
      cycle();
      if (!retire(&res)) res.agreed = false;
    }
    res.exited = dev_.exited;
    res.exit_code = dev_.exit_code;
    return res;
  }

private:
  void cycle() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void load() {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->core_rst_ni = 0;
    top_->h_valid_i = 0;
    top_->mmio_ready_i = 0;
    top_->mmio_rvalid_i = 0;
    top_->eval();
    cycle();
    cycle();
    top_->rst_ni = 1;
    top_->h_valid_i = 1;
    top_->h_we_i = 1;
    top_->h_be_i = 15;
    for (uint32_t a = 0; a < load_bytes_; a += 4) {
      top_->h_addr_i = a / 4;
      top_->h_wdata_i = word(a);
      top_->eval();
      cycle();
    }
    top_->h_valid_i = 0;
    top_->h_we_i = 0;
    cycle();
  }

  uint32_t word(uint32_t a) const {
    return tcm_[a] | tcm_[a + 1] << 8 | tcm_[a + 2] << 16 | (uint32_t)tcm_[a + 3] << 24;
  }

  // The host reads words that nobody writes. Ready depends on the processor's access in the same
  // cycle.
  void host_access() {
    if (!top_->h_valid_i && random_.one_in(8)) {
      top_->h_valid_i = 1;
      top_->h_addr_i = random_.below(32);
    }
  }
  bool host_check() {
    // Called after the edge: what was accepted at the edge is answered now.
    if (top_->h_rvalid_o) {
      uint32_t a = host_addr_ * 4;
      uint32_t expect =
          image_[a] | image_[a + 1] << 8 | image_[a + 2] << 16 | (uint32_t)image_[a + 3] << 24;
      if (!host_accepted_ || (check_host_data_ && top_->h_rdata_o != expect)) {
        std::printf("host read of 0x%04x: 0x%08x, expected 0x%08x\n", a, top_->h_rdata_o, expect);
        return false;
      }
    } else if (host_accepted_) {
      std::printf("host read of 0x%04x was not answered\n", host_addr_ * 4);
      return false;
    }
    return true;
  }

  // Sets the device's side of the bus and the interrupt lines for the coming edge.
  void mmio() {
    top_->mmio_rvalid_i = 0;
    top_->mmio_ready_i = 0;
    top_->mmio_rdata_i = random_.next();
    top_->mmio_err_i = random_.next() & 1;
    if (answering_) {
      if (wait_ > 0) {
        wait_--;
      } else {
        top_->mmio_rvalid_i = 1;
        top_->mmio_err_i = answer_err_;
        top_->mmio_rdata_i = answer_;
        answering_ = false;
        requested_ = false;
      }
    } else if (top_->mmio_valid_o) {
      if (!requested_) {
        requested_ = true;
        wait_ = stall_ ? random_.below(stall_ + 1) : 0;
      }
      if (wait_ > 0) {
        wait_--;
      } else {
        top_->mmio_ready_i = 1;
        access();
        answering_ = true;
        wait_ = stall_ ? random_.below(stall_ + 1) : 0;
      }
    }
    top_->irq_i = (dev_.lines & STP_RV_IRQ_SOFTWARE ? 1 : 0) |
                  (dev_.lines & STP_RV_IRQ_TIMER ? 2 : 0) |
                  (dev_.lines & STP_RV_IRQ_EXTERNAL ? 4 : 0);
    top_->eval(); // ready of the host port follows the processor combinationally
    host_accepted_ = top_->h_valid_i && top_->h_ready_o;
    host_addr_ = top_->h_addr_i;
    if (host_accepted_) host_pending_clear_ = true;
  }

  void access() {
    uint32_t addr = top_->mmio_addr_o;
    unsigned be = top_->mmio_be_o;
    unsigned size = be == 15 ? 4 : be == 3 || be == 12 ? 2 : 1;
    unsigned shift = 8 * (addr & 3);
    uint32_t v = 0;
    if (be != (((1u << size) - 1) << (addr & 3))) {
      std::printf("byte enables 0x%x at 0x%08x\n", be, addr);
      std::exit(1);
    }
    answer_ = random_.next();
    if (top_->mmio_we_o) {
      answer_err_ = !rv_testdev_store(&dev_, addr, size, top_->mmio_wdata_o >> shift);
    } else {
      answer_err_ = !rv_testdev_load(&dev_, addr, size, &v);
      // Lanes outside the access hold noise.
      if (!answer_err_) {
        uint32_t mask = (size == 4 ? 0xffffffffu : (1u << 8 * size) - 1) << shift;
        answer_ = (answer_ & ~mask) | (v << shift & mask);
      }
    }
  }

  bool retire(run_result *res) {
    if (host_pending_clear_) {
      top_->h_valid_i = 0;
      host_pending_clear_ = false;
    }
    if (!top_->retire_valid_o) return true;
    stp_rv_retire_t rtl = {}, iss;
    rtl.pc = top_->retire_pc_o;
    rtl.insn = top_->retire_insn_o;
    rtl.rd = top_->retire_rd_o;
    rtl.rd_we = top_->retire_rd_we_o;
    rtl.rd_data = top_->retire_rd_data_o;
    rtl.mem_addr = top_->retire_mem_addr_o;
    rtl.mem_we = top_->retire_mem_we_o;
    rtl.mem_re = top_->retire_mem_re_o;
    rtl.mem_data = top_->retire_mem_data_o;
    rtl.trap = top_->retire_trap_o;
    rtl.cause = top_->retire_cause_o;
    rtl.irq = top_->retire_irq_o;
    if (on_retire) on_retire(rtl);
    stp_rv_lead_t lead = stp_rv_lead(&rtl);
    stp_rv_step_led(&iss_, &lead, &iss);
    res->instructions += !rtl.trap;
    res->traps += rtl.trap && !rtl.irq;
    res->interrupts += rtl.trap && rtl.irq;
    if (rtl.mem_we && rtl.mem_addr == STP_RV_MMIO_BASE) exit_retired_ = true;
    char msg[200];
    if (stp_rv_compare(&rtl, &iss, msg, sizeof msg)) return true;
    std::printf("cycle %" PRIu64 ": %s\n", res->cycles, msg);
    return false;
  }

  const std::vector<uint8_t> image_;
  random_source random_;
  unsigned stall_;
  uint32_t load_bytes_;
  VerilatedContext ctx_;
  std::unique_ptr<Vrv_tb> top_;
  std::vector<uint8_t> tcm_;
  stp_rv_t iss_;
  rv_testdev_t dev_ = {};
  bool requested_ = false, answering_ = false, answer_err_ = false;
  unsigned wait_ = 0;
  uint32_t answer_ = 0;
  bool host_accepted_ = false, host_pending_clear_ = false;
  uint32_t host_addr_ = 0;
  bool check_host_data_ = true;
  bool exit_retired_ = false;
};

#endif
