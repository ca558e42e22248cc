#include "rtl_core.h"

#include "Vcore.h"
#include "Vcore.dir/Vcore___024root.h"

#include "stp_arch.h"

#include "svdpi.h"

#include <cstring>

namespace bench {

namespace {

// The core whose model is evaluated: DPI calls come only from inside eval().
thread_local RtlCore *current = nullptr;

} // namespace

extern "C" {

svBit stp_tap_enabled() {
  return current != nullptr && current->tap != nullptr;
}

void stp_tap(int core, int unit, unsigned long long addr, const svBitVecVal *data,
             const svBitVecVal *strb) {
  struct stp_tap t = {};
  t.core = unsigned(core);
  t.unit = unsigned(unit);
  t.pc = -1;
  t.addr = addr;
  t.data = reinterpret_cast<const uint8_t *>(data);
  t.strb = reinterpret_cast<const uint8_t *>(strb);
  t.cycle = current->cycle();
  if (current->tap(current->tap_user, &t) != 0) current->tap_stop = true;
}

unsigned stp_stall_seed(unsigned id) {
  if (current == nullptr || current->stall_seed == 0) return 0;
  return unsigned(Random(current->stall_seed + id).next() >> 32) | 1;
}

} // extern "C"

RtlCore::RtlCore(unsigned core, unsigned cores, const stp_core_io_t &io, const Timing &timing)
    : context_(new VerilatedContext), io_(io), timing_(timing), random_(timing.seed) {
  context_->randReset(2);
  context_->randSeed(int(timing.init));
  stall_seed = timing.seed;
  top_.reset(new Vcore(context_.get(), "core"));
  top_->core_id_i = core;
  top_->cores_i = cores;
  top_->clk_i = 0;
  top_->rst_ni = 0;
  top_->ld_valid_i = 0;
  top_->clear_i = 0;
  top_->halt_i = 0;
  top_->start_mask_i = 0;
  top_->stat_req_i = 0;
  top_->rd_req_ready_i = 0;
  top_->wr_req_ready_i = 0;
  top_->rd_rsp_valid_i = 0;
  top_->wr_rsp_valid_i = 0;
  for (int i = 0; i < 3; i++) tick();
  top_->rst_ni = 1;
  uint8_t poison[128];
  std::memset(poison, 0xa5, sizeof poison);
  for (unsigned s = 0; s < STP_LX_STICKS; s++) lx_write(s, poison);
}

RtlCore::~RtlCore() = default;

void RtlCore::tick() {
  current = this;
  top_->rd_req_ready_i = timing_.seed == 0 || random_.below(4) != 0;
  top_->wr_req_ready_i = timing_.seed == 0 || random_.below(4) != 0;
  respond();
  top_->clk_i = 0;
  top_->eval();
  const uint64_t extra = timing_.seed == 0 ? 0 : random_.below(60);
  if (top_->rst_ni && top_->rd_req_valid_o && top_->rd_req_ready_i)
    reads_.push_back({cycle_ + timing_.latency + extra,
                      false,
                      uint64_t(top_->rd_req_addr_o) << 7,
                      top_->rd_req_slot_o,
                      {},
                      {}});
  if (top_->rst_ni && top_->wr_req_valid_o && top_->wr_req_ready_i) {
    const uint8_t *d = reinterpret_cast<const uint8_t *>(top_->wr_req_data_o.data());
    const uint8_t *s = reinterpret_cast<const uint8_t *>(top_->wr_req_strb_o.data());
    writes_.push_back({cycle_ + timing_.latency + extra, true, uint64_t(top_->wr_req_addr_o) << 7,
                       top_->wr_req_slot_o, std::vector<uint8_t>(d, d + 128),
                       std::vector<uint8_t>(s, s + 16)});
  }
  top_->clk_i = 1;
  top_->eval();
  cycle_++;
  current = nullptr;
}

// The access takes place when its response is given: the latest that it may.
void RtlCore::respond() {
  top_->rd_rsp_valid_i = 0;
  top_->wr_rsp_valid_i = 0;
  for (size_t i = 0; i < reads_.size(); i++) {
    if (reads_[i].due > cycle_) continue;
    uint8_t stick[128] = {0};
    top_->rd_rsp_valid_i = 1;
    top_->rd_rsp_slot_i = reads_[i].slot;
    top_->rd_rsp_err_i = io_.read(io_.user, reads_[i].addr, stick, 128) != 0;
    std::memcpy(top_->rd_rsp_data_i.data(), stick, 128);
    reads_.erase(reads_.begin() + long(i));
    break;
  }
  for (size_t i = 0; i < writes_.size(); i++) {
    const Request &w = writes_[i];
    if (w.due > cycle_) continue;
    int bad = 0;
    const auto set = [&w](unsigned n) { return n < 128 && (w.strb[n / 8] >> n % 8 & 1) != 0; };
    for (unsigned from = 0; from < 128; from++) {
      unsigned to = from;
      while (set(to)) to++;
      if (to != from) bad |= io_.write(io_.user, w.addr + from, &w.data[from], to - from);
      from = to;
    }
    top_->wr_rsp_valid_i = 1;
    top_->wr_rsp_slot_i = w.slot;
    top_->wr_rsp_err_i = bad != 0;
    writes_.erase(writes_.begin() + long(i));
    break;
  }
}

void RtlCore::load(unsigned kind, uint32_t units, unsigned row, const uint64_t words[4]) {
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if ((units >> u & 1) == 0) continue;
    uint64_t *all = kind == 0 ? program_[u] : args_[u];
    std::memcpy(all + 4 * row, words, 32);
    top_->ld_valid_i = 1;
    top_->ld_kind_i = kind;
    top_->ld_units_i = 1u << u;
    top_->ld_row_i = row & ~3u;
    std::memcpy(top_->ld_data_i.data(), all + 4 * (row & ~3u), 128);
    tick();
  }
  top_->ld_valid_i = 0;
}

void RtlCore::clear() {
  top_->clear_i = 1;
  tick();
  top_->clear_i = 0;
  tick();
}

void RtlCore::start(uint32_t units) {
  top_->start_mask_i = units & 0x3ff;
  tick();
  top_->start_mask_i = 0;
  tick();
}

void RtlCore::halt() {
  top_->halt_i = 1;
  tick();
  top_->halt_i = 0;
}

uint64_t RtlCore::run(uint64_t limit) {
  uint64_t n = 0;
  tap_stop = false;
  while (n < limit && !top_->stopped_o && !tap_stop) {
    tick();
    n++;
  }
  return n;
}

stp_core_state_t RtlCore::state() {
  stp_core_state_t s = {};
  s.running = top_->running_o;
  s.trapped = top_->trapped_o;
  s.blocked = top_->blocked_o;
  s.stopped = top_->stopped_o;
  s.deadlock = top_->deadlock_o;
  s.leftover_fifo = top_->leftover_fifo_o;
  s.leftover_token = top_->leftover_token_o;
  return s;
}

void RtlCore::status(unsigned unit, uint8_t stick[128]) {
  top_->stat_req_i = 1;
  top_->stat_unit_i = unit & 15;
  tick();
  top_->stat_req_i = 0;
  std::memcpy(stick, top_->stat_data_o.data(), 128);
}

namespace {

// The memory of an LX bank.
template <unsigned B> struct Bank;
#define BANK(b)                                                                                    \
  template <> struct Bank<b> {                                                                     \
    static uint8_t *at(Vcore *top, unsigned row) {                                                 \
      return reinterpret_cast<uint8_t *>(                                                          \
          top->rootp                                                                               \
              ->core__DOT__u_lx__DOT__g_bank__BRA__##b##__KET____DOT__u_bank__DOT__u_mem__DOT__mem \
                  [row]                                                                            \
              .data());                                                                            \
    }                                                                                              \
  }
BANK(0);
BANK(1);
BANK(2);
BANK(3);
BANK(4);
BANK(5);
BANK(6);
BANK(7);
BANK(8);
BANK(9);
BANK(10);
BANK(11);
BANK(12);
BANK(13);
BANK(14);
BANK(15);

uint8_t *lx_stick(Vcore *top, unsigned s) {
  using At = uint8_t *(*)(Vcore *, unsigned);
  static const At at[16] = {Bank<0>::at,  Bank<1>::at,  Bank<2>::at,  Bank<3>::at,
                            Bank<4>::at,  Bank<5>::at,  Bank<6>::at,  Bank<7>::at,
                            Bank<8>::at,  Bank<9>::at,  Bank<10>::at, Bank<11>::at,
                            Bank<12>::at, Bank<13>::at, Bank<14>::at, Bank<15>::at};
  return at[(s ^ s >> 4 ^ s >> 8) & 15](top, s >> 4);
}

} // namespace

void RtlCore::lx_read(unsigned stick, uint8_t data[128]) {
  std::memcpy(data, lx_stick(top_.get(), stick), 128);
}
void RtlCore::lx_write(unsigned stick, const uint8_t data[128]) {
  std::memcpy(lx_stick(top_.get(), stick), data, 128);
}

} // namespace bench

double sc_time_stamp() {
  return 0;
}
