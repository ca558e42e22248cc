// Ring and memory port with traffic of all their stops, against a shadow of memory.
//
// Every source reads and writes sticks of its own region, never one that is under way, and knows
// what each read must give. The soak randomises everything; the measurements use fixed memory
// timing: one stick per cycle in all, for reads, for writes and for both, in equal shares. Built
// for one core and for four.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <csetjmp>
extern "C" {
#include <cmocka.h>
}

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include BENCH_HEADER
#include "bench.h"
#include "dram.h"
#include "verilated.h"

namespace {

using bench::Random;

constexpr unsigned kSources = 5; // four cores at most, and management
constexpr unsigned kMgmt = 4;
constexpr unsigned kSlots = 256;
constexpr unsigned kSticks = 1024; // of a source's region
constexpr uint64_t kRegion = 1ull << 36;

using Stick = std::array<uint8_t, 128>;

// Puts n bits at bit offset at.
void put_bits(uint32_t *words, unsigned at, unsigned n, uint64_t value) {
  for (unsigned i = 0; i < n; i++) {
    const unsigned b = at + i;
    words[b / 32] = (words[b / 32] & ~(1u << b % 32)) | static_cast<uint32_t>(value >> i & 1)
                                                            << b % 32;
  }
}

struct Traffic {
  unsigned read = 0, write = 0; // percent of cycles in which a source wants one
};

struct Source {
  bool present = false;
  Traffic traffic;
  std::vector<Stick> shadow = std::vector<Stick>(kSticks);
  std::vector<bool> busy = std::vector<bool>(kSticks);
  // Slots: -1 free, else the stick.
  std::array<int, kSlots> reads, writes;
  std::vector<Stick> fresh = std::vector<Stick>(kSlots); // what a write leaves
  int rd_slot = -1, wr_slot = -1;                        // offered
  uint64_t reads_done = 0, writes_done = 0;
  Source() {
    reads.fill(-1);
    writes.fill(-1);
  }
};

class Bench {
public:
  explicit Bench(const stp::DramConfig &config, uint64_t seed)
      : dram(config), ctx(std::make_unique<VerilatedContext>()), rng_(seed) {
    ctx->randReset(2);
    ctx->randSeed(static_cast<int>(seed % 1000 + 1));
    top = std::make_unique<BENCH_TOP>(ctx.get(), "ring_tb");
    top->rd_req_valid_i = 0;
    top->wr_req_valid_i = 0;
    top->rst_ni = 0;
    for (int i = 0; i < 10; i++) {
      bench::drive_dram(top.get(), dram);
      top->clk_i = i % 2;
      top->eval();
    }
    top->rst_ni = 1;
    cores = top->cores_o;
    for (unsigned s = 0; s < kSources; s++) {
      sources[s].present = s < cores || s == kMgmt;
      for (auto &stick : sources[s].shadow)
        for (auto &b : stick) b = stp::kDramPoison;
    }
  }
  ~Bench() { top->final(); }

  void cycle() {
    for (unsigned s = 0; s < kSources; s++)
      if (sources[s].present) offer(s);
    bench::drive_dram(top.get(), dram);
    top->clk_i = 0;
    top->eval();
    bench::step_dram(top.get(), dram);
    unsigned rd_taken = top->rd_req_valid_i & top->rd_req_ready_o;
    unsigned wr_taken = top->wr_req_valid_i & top->wr_req_ready_o;
    for (unsigned s = 0; s < kSources; s++) {
      if (top->rd_rsp_valid_o >> s & 1) read_done(s);
      if (top->wr_rsp_valid_o >> s & 1) write_done(s);
    }
    top->clk_i = 1;
    top->eval();
    top->rd_req_valid_i &= ~rd_taken;
    top->wr_req_valid_i &= ~wr_taken;
  }

  bool quiet() const {
    return top->rd_req_valid_i == 0 && top->wr_req_valid_i == 0 && under_way == 0;
  }

  stp::Dram dram;
  std::unique_ptr<VerilatedContext> ctx; // outlives top
  std::unique_ptr<BENCH_TOP> top;
  unsigned cores = 0;
  std::array<Source, kSources> sources;
  unsigned under_way = 0;

private:
  static uint64_t address(unsigned s, int stick) {
    return (kRegion * (s + 1)) / 128 + static_cast<uint64_t>(stick);
  }

  int free_slot(const std::array<int, kSlots> &slots) {
    const unsigned from = static_cast<unsigned>(rng_.below(kSlots));
    for (unsigned i = 0; i < kSlots; i++)
      if (slots[(from + i) % kSlots] < 0) return static_cast<int>((from + i) % kSlots);
    return -1;
  }
  int idle_stick(Source &q) {
    for (unsigned tries = 0; tries < 20; tries++) {
      const auto k = static_cast<unsigned>(rng_.below(kSticks));
      if (!q.busy[k]) return static_cast<int>(k);
    }
    return -1;
  }

  void offer(unsigned s) {
    Source &q = sources[s];
    if (!(top->rd_req_valid_i >> s & 1) && rng_.percent(q.traffic.read)) {
      const int slot = free_slot(q.reads), stick = idle_stick(q);
      if (slot >= 0 && stick >= 0) {
        q.reads[static_cast<unsigned>(slot)] = stick;
        q.busy[static_cast<unsigned>(stick)] = true;
        under_way++;
        top->rd_req_valid_i |= 1u << s;
        put_bits(top->rd_req_addr_i.data(), s * 33, 33, address(s, stick));
        put_slot(top->rd_req_slot_i, s, slot);
      }
    }
    if (!(top->wr_req_valid_i >> s & 1) && rng_.percent(q.traffic.write)) {
      const int slot = free_slot(q.writes), stick = idle_stick(q);
      if (slot >= 0 && stick >= 0) {
        q.writes[static_cast<unsigned>(slot)] = stick;
        q.busy[static_cast<unsigned>(stick)] = true;
        under_way++;
        top->wr_req_valid_i |= 1u << s;
        put_bits(top->wr_req_addr_i.data(), s * 33, 33, address(s, stick));
        put_slot(top->wr_req_slot_i, s, slot);
        Stick &fresh = q.fresh[static_cast<unsigned>(slot)];
        fresh = q.shadow[static_cast<unsigned>(stick)];
        Stick data;
        std::array<uint8_t, 16> strb;
        for (auto &b : data) b = static_cast<uint8_t>(rng_.next());
        for (auto &b : strb) b = rng_.percent(60) ? 0xff : static_cast<uint8_t>(rng_.next());
        for (unsigned i = 0; i < 128; i++)
          if (strb[i / 8] >> (i % 8) & 1) fresh[i] = data[i];
        std::memcpy(top->wr_req_data_i.data() + s * 32, data.data(), 128);
        std::memcpy(top->wr_req_strb_i.data() + s * 4, strb.data(), 16);
      }
    }
  }
  static void put_slot(QData &slots, unsigned s, int slot) {
    slots = (slots & ~(0xffull << s * 8)) | static_cast<uint64_t>(slot) << s * 8;
  }

  void read_done(unsigned s) {
    Source &q = sources[s];
    assert_true(q.present);
    const unsigned slot = top->rd_rsp_slot_o >> s * 8 & 0xff;
    const int stick = q.reads[slot];
    assert_true(stick >= 0);
    assert_false(top->rd_rsp_err_o >> s & 1);
    assert_memory_equal(top->rd_rsp_data_o.data() + s * 32,
                        q.shadow[static_cast<unsigned>(stick)].data(), 128);
    q.reads[slot] = -1;
    q.busy[static_cast<unsigned>(stick)] = false;
    q.reads_done++;
    under_way--;
  }
  void write_done(unsigned s) {
    Source &q = sources[s];
    assert_true(q.present);
    const unsigned slot = top->wr_rsp_slot_o >> s * 8 & 0xff;
    const int stick = q.writes[slot];
    assert_true(stick >= 0);
    assert_false(top->wr_rsp_err_o >> s & 1);
    q.shadow[static_cast<unsigned>(stick)] = q.fresh[slot];
    q.writes[slot] = -1;
    q.busy[static_cast<unsigned>(stick)] = false;
    q.writes_done++;
    under_way--;
  }

  Random rng_;
};

void soak(void **) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    stp::DramConfig config;
    config.random_seed = seed % 3 ? seed : 0;
    config.latency = static_cast<uint32_t>(seed * 17);
    config.random_stall = static_cast<uint32_t>(seed * 10);
    Bench b(config, seed);
    Random r(seed);
    for (auto &s : b.sources) {
      s.traffic.read = static_cast<unsigned>(r.below(101));
      s.traffic.write = static_cast<unsigned>(r.below(101));
    }
    for (int i = 0; i < 8000; i++) b.cycle();
    for (auto &s : b.sources) {
      if (s.present && s.traffic.read > 0) assert_true(s.reads_done > 10);
      if (s.present && s.traffic.write > 0) assert_true(s.writes_done > 10);
      s.traffic = Traffic{};
    }
    for (int i = 0; i < 3000 && !b.quiet(); i++) b.cycle();
    assert_true(b.quiet());
    assert_false(b.dram.busy());
    assert_string_equal(b.dram.error().c_str(), "");
  }
}

void measure(const char *what, Traffic t) {
  Bench b(stp::DramConfig{}, 3);
  for (auto &s : b.sources) s.traffic = t;
  for (int i = 0; i < 1000; i++) b.cycle();
  std::array<uint64_t, kSources> before{};
  const stp::DramStats from = b.dram.stats();
  for (unsigned s = 0; s < kSources; s++)
    before[s] = b.sources[s].reads_done + b.sources[s].writes_done;
  const int cycles = 4000;
  for (int i = 0; i < cycles; i++) b.cycle();
  const stp::DramStats to = b.dram.stats();
  const uint64_t beats = to.read_beats - from.read_beats + to.write_beats - from.write_beats;
  uint64_t least = UINT64_MAX, most = 0;
  for (unsigned s = 0; s < kSources; s++) {
    if (!b.sources[s].present) continue;
    const uint64_t done = b.sources[s].reads_done + b.sources[s].writes_done - before[s];
    least = done < least ? done : least;
    most = done > most ? done : most;
  }
  print_message("%u cores, %s: %.3f sticks per cycle, a source's share %.3f to %.3f\n", b.cores,
                what, static_cast<double>(beats) / cycles,
                static_cast<double>(least) / static_cast<double>(beats),
                static_cast<double>(most) / static_cast<double>(beats));
  assert_true(beats * 100 >= static_cast<uint64_t>(cycles) * 99);
  assert_true(beats <= static_cast<uint64_t>(cycles) + 8);
  assert_true(least * 100 >= most * 90);
}

void rates(void **) {
  measure("reads", {100, 0});
  measure("writes", {0, 100});
  measure("reads and writes", {100, 100});
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(soak), cmocka_unit_test(rates)};
  return cmocka_run_group_tests_name("ring", tests, nullptr, nullptr);
}
