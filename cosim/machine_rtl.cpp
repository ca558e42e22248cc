// The machine "rtl": the verilated chip with its DRAM model and an AXI4-Lite master for the host.
//
// The chip is verilated three times: as it is; with arithmetic rows that call the C numerics
// library (fast arithmetic); and with tracing, since that is slower. RtlMachine is a template over
// the three classes. A clock cycle is 10 ns of trace time: inputs settle while the clock is low,
// outputs are sampled just before its rising edge, and new inputs are driven after it.

#include "dpi.h"
#include "dram/dram.h"
#include "lockstep.h"
#include "steeple/machine.h"

#include "Vchip.h"
#include "Vchip_fast.h"
#include "Vchip_trace.h"
#include "verilated_fst_c.h"

#include "stp_arch.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unistd.h>

namespace stp {
namespace {

constexpr uint64_t kCyclePs = 10000;    // traces count in picoseconds
constexpr uint64_t kRegTimeout = 10000; // cycles for an AXI4-Lite access

bool ends_with(const std::string &s, const char *suffix) {
  const size_t n = std::strlen(suffix);
  return s.size() >= n && s.compare(s.size() - n, n, suffix) == 0;
}

// Trace file of a window of cycles. Verilator writes FST; a .vcd is converted from it by GTKWave's
// fst2vcd.
class TraceFile {
public:
  TraceFile(const std::string &path, uint64_t first, uint64_t last)
      : path_(path), first_(first), last_(last) {
    if (ends_with(path, ".vcd")) {
      fst_path_ = path + ".fst";
    } else if (ends_with(path, ".fst")) {
      fst_path_ = path;
    } else {
      throw std::runtime_error("trace file '" + path + "' ends in neither .fst nor .vcd");
    }
  }
  template <class V> void open(V &top) {
    // Verilator reports a file that it cannot write only by a dead object: look first.
    std::FILE *probe = std::fopen(fst_path_.c_str(), "wb");
    if (probe == nullptr)
      throw std::runtime_error("cannot write '" + fst_path_ + "': " + std::strerror(errno));
    std::fclose(probe);
    top.trace(&fst_, 99);
    fst_.open(fst_path_.c_str());
  }
  void dump(uint64_t cycle, uint64_t time) {
    if (cycle >= first_ && cycle <= last_) fst_.dump(time);
  }
  void close() {
    fst_.close();
    if (fst_path_ == path_) return;
    const std::string command = "fst2vcd -f '" + fst_path_ + "' -o '" + path_ + "' > /dev/null";
    const int status = path_.find('\'') == std::string::npos ? std::system(command.c_str()) : -1;
    if (status != 0)
      throw std::runtime_error("cannot convert '" + fst_path_ +
                               "': is fst2vcd (package gtkwave) installed?");
    std::remove(fst_path_.c_str());
  }

private:
  std::string path_, fst_path_;
  uint64_t first_, last_;
  VerilatedFstC fst_;
};

class RtlBase : public stp_machine {
public:
  // cppcheck-suppress uninitDerivedMemberVar; braces do initialise them
  RtlBase() : stp_machine{} {}
  virtual ~RtlBase() = default;
  virtual void reset_chip() = 0;
  virtual void tick() = 0;
  virtual uint32_t reg_read(uint32_t offset) = 0;
  virtual void reg_write(uint32_t offset, uint32_t value) = 0;
  virtual bool irq() = 0;
  virtual void trace_on(const char *path, uint64_t first, uint64_t last) = 0;
  virtual void trace_off() = 0;

  Hooks hooks; // what the chip's DPI calls reach
  std::unique_ptr<Dram> dram;
  stp_machine_stats stats{};
};

// What differs between the traced and the untraced chips.
template <class V> struct Tracer {
  void on(V &, const char *, uint64_t, uint64_t) {
    throw std::runtime_error("this machine was opened without tracing");
  }
  void off() {}
  void dump(uint64_t, uint64_t) {}
};

template <> struct Tracer<Vchip_trace> {
  std::unique_ptr<TraceFile> file;
  void on(Vchip_trace &top, const char *path, uint64_t first, uint64_t last) {
    off();
    auto f = std::make_unique<TraceFile>(path, first, last);
    f->open(top);
    file = std::move(f);
  }
  void off() {
    if (!file) return;
    const auto f = std::move(file);
    f->close();
  }
  void dump(uint64_t cycle, uint64_t time) {
    if (file) file->dump(cycle, time);
  }
};

template <class V> class RtlMachine final : public RtlBase {
public:
  explicit RtlMachine(const stp_machine_options &o) : options_(o) {
    context_.hooks = &hooks;
    hooks.stall_seed = o.random_seed;
    context_.traceEverOn(std::is_same<V, Vchip_trace>::value);
    context_.randReset(o.init_seed != 0 ? 2 : 0);
    if (o.init_seed != 0) context_.randSeed(int(1 + o.init_seed % 0x7ffffffe));
    DramConfig d;
    if (o.dram_latency != 0) d.latency = o.dram_latency;
    d.random_seed = o.random_seed;
    dram = std::make_unique<Dram>(d);
    if (o.compare_processor) lockstep_ = std::make_unique<Lockstep>();
    hooks.lockstep = lockstep_.get();
    top_ = std::make_unique<V>(&context_, "");
    reset_chip();
  }
  ~RtlMachine() override {
    try {
      tracer_.off();
    } catch (const std::exception &e) {
      std::fprintf(stderr, "steeple: %s\n", e.what());
    }
    use_context();
    top_->final();
    save_coverage();
  }

  void reset_chip() override {
    use_context();
    // Reset begins with an edge: without one, flip-flops that start at random values stay so until
    // the first clock.
    top_->clk_i = 0;
    top_->rst_ni = 1;
    top_->eval();
    top_->rst_ni = 0;
    top_->s_axil_awvalid_i = top_->s_axil_wvalid_i = top_->s_axil_arvalid_i = 0;
    top_->s_axil_bready_i = top_->s_axil_rready_i = 1;
    top_->s_axil_wstrb_i = 0xf;
    dram->reset();
    if (lockstep_) lockstep_->reset();
    for (int i = 0; i < 4; i++) tick();
    top_->rst_ni = 1;
    for (int i = 0; i < 4; i++) tick();
  }

  void tick() override {
    V &t = *top_;
    use_context();
    t.clk_i = 0;
    drive_axi();
    t.eval();
    tracer_.dump(stats.cycles, context_.time());
    context_.timeInc(kCyclePs / 2);
    if (t.rst_ni) {
      observe();
      dram->step(master_pins());
    }
    t.clk_i = 1;
    t.eval();
    tracer_.dump(stats.cycles, context_.time());
    context_.timeInc(kCyclePs - kCyclePs / 2);
    stats.cycles++;
    hooks.cycle = stats.cycles;
    if (!dram->error().empty()) throw std::runtime_error(dram->error());
  }

  uint32_t reg_read(uint32_t offset) override {
    V &t = *top_;
    use_context();
    t.s_axil_arvalid_i = 1;
    t.s_axil_araddr_i = offset;
    bool accepted = false;
    for (uint64_t n = 0; n < kRegTimeout; n++) {
      t.clk_i = 0;
      t.eval(); // ready and valid as they stand before the edge
      const bool ready = !accepted && t.s_axil_arready_o;
      const bool valid = t.s_axil_rvalid_o;
      const uint32_t data = t.s_axil_rdata_o;
      const unsigned resp = t.s_axil_rresp_o;
      tick();
      if (ready) {
        accepted = true;
        t.s_axil_arvalid_i = 0;
      }
      if (valid) {
        if (resp != 0) fail_reg("read", offset, "SLVERR");
        return data;
      }
    }
    fail_reg("read", offset, "no answer");
  }

  void reg_write(uint32_t offset, uint32_t value) override {
    V &t = *top_;
    use_context();
    t.s_axil_awvalid_i = t.s_axil_wvalid_i = 1;
    t.s_axil_awaddr_i = offset;
    t.s_axil_wdata_i = value;
    for (uint64_t n = 0; n < kRegTimeout; n++) {
      t.clk_i = 0;
      t.eval();
      const bool aw = t.s_axil_awvalid_i && t.s_axil_awready_o;
      const bool w = t.s_axil_wvalid_i && t.s_axil_wready_o;
      const bool valid = t.s_axil_bvalid_o;
      const unsigned resp = t.s_axil_bresp_o;
      tick();
      if (aw) t.s_axil_awvalid_i = 0;
      if (w) t.s_axil_wvalid_i = 0;
      if (valid) {
        if (resp != 0) fail_reg("write", offset, "SLVERR");
        if (lockstep_ && offset >= STP_HOST_TCM_BASE)
          lockstep_->tcm_write(offset - STP_HOST_TCM_BASE, value);
        return;
      }
    }
    fail_reg("write", offset, "no answer");
  }

  bool irq() override { return top_->irq_o != 0; }

  void trace_on(const char *path, uint64_t first, uint64_t last) override {
    tracer_.on(*top_, path, first, last);
  }
  void trace_off() override { tracer_.off(); }

private:
  [[noreturn]] void fail_reg(const char *what, uint32_t offset, const char *why) {
    char text[96];
    std::snprintf(text, sizeof text, "%s of host register %#x: %s", what, offset, why);
    throw std::runtime_error(text);
  }

  void drive_axi() {
    V &t = *top_;
    const AxiSlavePins &p = dram->pins();
    t.m_axi_awready_i = p.aw_ready;
    t.m_axi_wready_i = p.w_ready;
    t.m_axi_bvalid_i = p.b_valid;
    t.m_axi_bid_i = p.b_id;
    t.m_axi_bresp_i = p.b_resp;
    t.m_axi_arready_i = p.ar_ready;
    t.m_axi_rvalid_i = p.r_valid;
    t.m_axi_rlast_i = 1;
    if (p.r_valid) {
      t.m_axi_rid_i = p.r_id;
      t.m_axi_rresp_i = p.r_resp;
      std::memcpy(t.m_axi_rdata_i.data(), p.r_data, STP_STICK_BYTES);
    }
  }

  AxiMasterPins master_pins() {
    V &t = *top_;
    AxiMasterPins m;
    m.ar_valid = t.m_axi_arvalid_o;
    m.ar_id = t.m_axi_arid_o;
    m.ar_addr = t.m_axi_araddr_o;
    m.ar_len = t.m_axi_arlen_o;
    m.ar_size = t.m_axi_arsize_o;
    m.aw_valid = t.m_axi_awvalid_o;
    m.aw_id = t.m_axi_awid_o;
    m.aw_addr = t.m_axi_awaddr_o;
    m.aw_len = t.m_axi_awlen_o;
    m.aw_size = t.m_axi_awsize_o;
    m.w_valid = t.m_axi_wvalid_o;
    m.w_data = t.m_axi_wdata_o.data();
    m.w_strb = t.m_axi_wstrb_o.data();
    m.w_last = t.m_axi_wlast_o;
    m.r_ready = t.m_axi_rready_o;
    m.b_ready = t.m_axi_bready_o;
    return m;
  }

  // Outputs that need no answer: console and retired instructions.
  void observe() {
    V &t = *top_;
    if (t.console_valid_o && options_.console != nullptr)
      options_.console(options_.console_user, t.console_data_o);
    if (!t.retire_valid_o) return;
    stats.retired++;
    if (options_.retired != nullptr) report();
    if (!lockstep_) return;
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
    if (!lockstep_->step(r)) {
      throw std::runtime_error(lockstep_->message() + " (cycle " + std::to_string(stats.cycles) +
                               ")");
    }
    stats.retired_compared = lockstep_->compared();
  }

  // In a build with -Dcoverage=rtl: what the chip has counted goes to a new file in the folder
  // that the environment names.
  void save_coverage() {
#ifdef STP_RTL_COVERAGE
    const char *folder = std::getenv("STEEPLE_RTL_COVERAGE");
    // From random contents every register has an edge into reset, which says nothing.
    if (folder == nullptr || options_.init_seed != 0) return;
    static std::atomic<unsigned> files{0};
    std::string path = std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                       std::to_string(files++) + ".dat";
    context_.coveragep()->write(path.c_str());
#endif
  }

  void report() {
    const V &t = *top_;
    stp_retired r = {};
    r.cycle = stats.cycles;
    r.pc = t.retire_pc_o;
    r.insn = t.retire_insn_o;
    r.rd = t.retire_rd_we_o && !t.retire_trap_o ? t.retire_rd_o : 0;
    r.rd_value = t.retire_rd_data_o;
    r.load = t.retire_mem_re_o;
    r.store = t.retire_mem_we_o;
    r.addr = t.retire_mem_addr_o;
    r.value = t.retire_mem_data_o;
    r.trap = t.retire_trap_o ? t.retire_cause_o + 1 : 0;
    options_.retired(options_.retired_user, &r);
  }

  // Verilator's run-time takes the thread's current context for DPI calls and for the removal of
  // scopes, which may be that of another machine.
  void use_context() {
    Verilated::threadContextp(&context_);
  }

  const stp_machine_options options_;
  Context context_;
  std::unique_ptr<V> top_;
  std::unique_ptr<Lockstep> lockstep_;
  Tracer<V> tracer_;
};

RtlBase &self(stp_machine *m) {
  return *static_cast<RtlBase *>(m);
}

// Runs f and turns an exception into -1 and a message.
template <class F> int guarded(stp_machine *m, F f) {
  try {
    f();
    return 0;
  } catch (const std::exception &e) {
    std::snprintf(m->error, sizeof m->error, "%s", e.what());
    return -1;
  }
}

int check_range(stp_machine *m, uint64_t addr, size_t n) {
  const uint64_t end = uint64_t(1) << STP_ADDR_BITS;
  if (addr <= end && n <= end - addr) return 0;
  std::snprintf(m->error, sizeof m->error, "device address %#llx + %zu is outside %d bits",
                (unsigned long long)addr, n, STP_ADDR_BITS);
  return -1;
}

int op_mem_read(stp_machine *m, uint64_t addr, void *buf, size_t n) {
  if (check_range(m, addr, n) != 0) return -1;
  return guarded(m, [&] { self(m).dram->read(addr, buf, n); });
}

int op_mem_write(stp_machine *m, uint64_t addr, const void *buf, size_t n) {
  if (check_range(m, addr, n) != 0) return -1;
  return guarded(m, [&] { self(m).dram->write(addr, buf, n); });
}

int op_run(stp_machine *m, uint64_t limit, uint64_t *ran) {
  RtlBase &r = self(m);
  uint64_t n = 0;
  const int status = guarded(m, [&] {
    r.hooks.stop = false;
    while (n < limit && !r.irq() && !r.hooks.stop) {
      r.tick();
      n++;
    }
  });
  if (ran != nullptr) *ran = n;
  return status;
}

const stp_machine_ops kOps = {
    [](stp_machine *m) { delete &self(m); },
    op_mem_read,
    op_mem_write,
    [](stp_machine *m, uint64_t addr, uint64_t bytes) {
      self(m).dram->set_error(addr, bytes);
      return 0;
    },
    [](stp_machine *m, uint32_t offset, uint32_t *value) {
      return guarded(m, [&] { *value = self(m).reg_read(offset); });
    },
    [](stp_machine *m, uint32_t offset, uint32_t value) {
      return guarded(m, [&] { self(m).reg_write(offset, value); });
    },
    op_run,
    [](stp_machine *m) { return int(self(m).irq()); },
    [](stp_machine *m) { return guarded(m, [&] { self(m).reset_chip(); }); },
    [](stp_machine *m, stp_tap_fn fn, void *user) {
      self(m).hooks.tap = fn;
      self(m).hooks.tap_user = user;
      return 0;
    },
    [](stp_machine *m, const char *path, uint64_t first, uint64_t last) {
      return guarded(m, [&] { self(m).trace_on(path, first, last); });
    },
    [](stp_machine *m) { return guarded(m, [&] { self(m).trace_off(); }); },
    [](stp_machine *m, stp_machine_stats *out) {
      RtlBase &r = self(m);
      r.stats.dram_read_bytes = r.dram->stats().read_beats * STP_STICK_BYTES;
      r.stats.dram_write_bytes = r.dram->stats().write_bytes;
      *out = r.stats;
    },
};

} // namespace
} // namespace stp

extern "C" int stp_rtl_open(const stp_machine_options *o, stp_machine **out, char *err,
                            size_t err_size) {
  *out = nullptr;
  if (o->config != nullptr && std::strcmp(o->config, "c1") != 0) {
    std::snprintf(err, err_size, "no RTL of configuration '%s' is built (there is: c1)", o->config);
    return -1;
  }
  if (o->trace && o->fast_arithmetic) {
    std::snprintf(err, err_size, "the chip with fast arithmetic has no signals to trace");
    return -1;
  }
  try {
    stp::RtlBase *m;
    if (o->fast_arithmetic) {
      m = new stp::RtlMachine<Vchip_fast>(*o);
    } else if (o->trace) {
      m = new stp::RtlMachine<Vchip_trace>(*o);
    } else {
      m = new stp::RtlMachine<Vchip>(*o);
    }
    m->ops = &stp::kOps;
    m->name = "rtl";
    m->error[0] = '\0';
    *out = m;
    return 0;
  } catch (const std::exception &e) {
    std::snprintf(err, err_size, "%s", e.what());
    return -1;
  }
}
