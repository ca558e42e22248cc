// The stick DMA alone against its meaning: random transfers, queued at random times, have the
// effect that they would have one after the other, whatever the memory's latency and order.
//
//   test_dma [verilator arguments]      STP_TEST_RUNS: seeds (default 30)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
extern "C" {
#include <cmocka.h>
}

#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vmgmt_dma.h"
#include "memory.h"
#include "stp_arch.h"
#include "svdpi.h"
#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *msg) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, msg);
  std::exit(1);
}
void vl_stop(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "assertion failed");
}
void vl_finish(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "unexpected $finish");
}

namespace {

using mgmt::Memory;
using mgmt::Stick;

constexpr unsigned kCores = 2;
constexpr uint64_t kBase = 0xff00000000; // the transfers' part of memory: so many sticks from here
constexpr unsigned kSticks = 96;

int main_argc;
char **main_argv;

// What transfers change, besides memory.
struct State {
  std::vector<uint8_t> tcm = std::vector<uint8_t>(STP_TCM_BYTES);
  std::vector<uint64_t> program =
      std::vector<uint64_t>(size_t(kCores) * STP_UNITS * STP_PROG_WORDS);
  std::vector<uint64_t> args = std::vector<uint64_t>(size_t(kCores) * STP_UNITS * STP_ARGS);
  bool operator==(const State &o) const {
    return tcm == o.tcm && program == o.program && args == o.args;
  }
};

std::vector<uint8_t> *tcm_told; // by the DPI call

struct Bench {
  explicit Bench(uint64_t seed) : memory(seed), rng(uint32_t(seed)) {
    context.commandArgs(main_argc, main_argv);
    context.randReset(2);
    context.randSeed(int(seed));
    told.resize(STP_TCM_BYTES);
    tcm_told = &told;
    for (Stick &s : status)
      for (uint8_t &x : s) x = uint8_t(rng());
    for (unsigned i = 0; i < kSticks; i++) {
      Stick s;
      for (uint8_t &x : s) x = uint8_t(rng());
      memory.sticks[kBase / 128 + i] = s;
    }
    for (uint64_t i = 1; i <= 4; i++) // the last sticks of memory
      memory.sticks[(uint64_t(1) << STP_ADDR_BITS) / 128 - i].fill(uint8_t(i));
    meant_memory = memory.sticks;
    for (size_t i = 0; i < is.tcm.size(); i++) told[i] = meant.tcm[i] = is.tcm[i] = uint8_t(rng());
    top.rst_ni = 0;
    top.req_i = 0;
    tick();
    tick();
    top.rst_ni = 1;
    tick();
  }
  ~Bench() {
    tcm_told = nullptr;
    top.final();
  }

  void tick() {
    Vmgmt_dma &t = top;
    t.clk_i = 0;
    memory.drive(t);
    t.tcm_ready_i = rng() % 4 != 0;
    t.tcm_rvalid_i = tcm_read >= 0;
    for (unsigned i = 0; i < 4; i++) t.tcm_rdata_i[i] = 0xbad0bad0;
    if (tcm_read >= 0) std::memcpy(t.tcm_rdata_i.data(), &is.tcm[size_t(tcm_read)], 16);
    for (unsigned n = 0; n < kCores; n++) {
      Stick s;
      s.fill(0x5a);
      if (stat_core == int(n)) s = status[STP_UNITS * n + stat_unit];
      std::memcpy(t.stat_data_i.data() + 32 * n, s.data(), 128);
    }
    t.eval();
    tcm_read = -1;
    stat_core = -1;
    if (t.rst_ni) {
      memory.sample(t);
      done += t.done_o;
      if (t.tcm_valid_o && t.tcm_ready_i) {
        if (t.tcm_we_o) {
          std::memcpy(&is.tcm[16u * t.tcm_addr_o], t.tcm_wdata_o.data(), 16);
        } else {
          tcm_read = 16 * int(t.tcm_addr_o);
        }
      }
      for (unsigned n = 0; n < kCores; n++) {
        if (t.stat_req_o >> n & 1) {
          stat_core = int(n);
          stat_unit = t.stat_unit_o;
        }
        if ((t.ld_valid_o >> n & 1) == 0) continue;
        for (unsigned u = 0; u < STP_UNITS; u++)
          for (unsigned k = 0; k < 16; k++) {
            if ((t.ld_units_o >> u & 1) == 0) continue;
            const uint64_t w = t.ld_data_o[2 * k] | uint64_t(t.ld_data_o[2 * k + 1]) << 32;
            const size_t unit = size_t(n) * STP_UNITS + u;
            if (t.ld_kind_o) {
              is.args[unit * STP_ARGS + 4 * t.ld_row_o + k] = w;
            } else {
              is.program[unit * STP_PROG_WORDS + 4 * t.ld_row_o + k] = w;
            }
          }
      }
    }
    t.clk_i = 1;
    t.eval();
  }

  void put(uint32_t reg, uint32_t value) {
    top.req_i = 1;
    top.we_i = 1;
    top.addr_i = reg & 0xfff;
    top.wdata_i = value;
    tick();
    top.req_i = 0;
  }
  uint32_t get(uint32_t reg) {
    top.req_i = 1;
    top.we_i = 0;
    top.addr_i = reg & 0xfff;
    top.clk_i = 0;
    top.eval();
    const uint32_t value = top.rdata_o;
    tick();
    top.req_i = 0;
    return value;
  }
  void wait_idle() {
    for (unsigned n = 0; (get(STP_MGMT_DMA_STATE) & 1) != 0; n++)
      if (n > 100000) fail_msg("the DMA does not get idle");
  }

  // What a transfer means. Returns whether it is without an error.
  bool mean(uint32_t kind, uint64_t addr, uint64_t local, uint64_t count, uint32_t units,
            uint32_t cores) {
    const uint64_t end = uint64_t(1) << STP_ADDR_BITS;
    if (addr % 128 != 0 || addr + 128 * count > end) return false;
    bool ok = true;
    switch (kind) {
    case 0:
    case 3:
      ok = local % 128 == 0 && local + 128 * count <= STP_TCM_BYTES;
      break;
    case 1:
      ok = local + 4 * count <= STP_PROG_WORDS / 4;
      break;
    case 2:
      ok = local + 4 * count <= STP_ARGS / 4;
      break;
    case 4:
      ok = cores < kCores && count <= STP_UNITS;
      break;
    default:
      ok = false;
      break;
    }
    if (!ok) return false;
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t stick = addr / 128 + i;
      if (memory.bad.count(stick) != 0) ok = false;
      Stick &s = meant_memory[stick];
      if (kind == 3) std::memcpy(s.data(), &meant.tcm[local + 128 * i], 128);
      if (kind == 4) s = status[STP_UNITS * cores + i];
      if (kind >= 3 || memory.bad.count(stick) != 0) continue;
      if (kind == 0) {
        std::memcpy(&meant.tcm[local + 128 * i], s.data(), 128);
        continue;
      }
      for (unsigned n = 0; n < kCores; n++)
        for (unsigned u = 0; u < STP_UNITS; u++) {
          if ((cores >> n & 1) == 0 || (units >> u & 1) == 0) continue;
          const size_t unit = size_t(n) * STP_UNITS + u;
          std::memcpy(kind == 1 ? &meant.program[unit * STP_PROG_WORDS + 4 * local + 16 * i]
                                : &meant.args[unit * STP_ARGS + 4 * local + 16 * i],
                      s.data(), 128);
        }
    }
    return ok;
  }

  // Queues a transfer, once there is room. Gives what mean() gives.
  bool start(uint32_t kind, uint64_t addr, uint32_t local, uint32_t count, uint32_t units,
             uint32_t cores) {
    put(STP_MGMT_DMA_ADDR_LO, uint32_t(addr));
    put(STP_MGMT_DMA_ADDR_HI, uint32_t(addr >> 32));
    put(STP_MGMT_DMA_LOCAL, local);
    put(STP_MGMT_DMA_COUNT, count);
    put(STP_MGMT_DMA_UNITS, units);
    put(STP_MGMT_DMA_CORES, cores);
    while ((get(STP_MGMT_DMA_STATE) & 4) != 0) was_full = true;
    put(STP_MGMT_DMA_START, kind);
    return mean(kind, addr, local, count, units, cores);
  }

  // The same with a program segment, its two words as in a descriptor. No other register that
  // matters has a value that would do.
  bool start_segment(uint64_t base, uint32_t units, uint32_t first, uint32_t sticks, uint32_t dest,
                     uint32_t cores) {
    put(STP_MGMT_DMA_ADDR_LO, uint32_t(base));
    put(STP_MGMT_DMA_ADDR_HI, uint32_t(base >> 32));
    put(STP_MGMT_DMA_CORES, cores);
    for (uint32_t reg : {STP_MGMT_DMA_LOCAL, STP_MGMT_DMA_COUNT, STP_MGMT_DMA_UNITS})
      put(reg, 0xffffffff);
    put(STP_MGMT_DMA_SEGMENT_LO, units | first << 16);
    while ((get(STP_MGMT_DMA_STATE) & 4) != 0) was_full = true;
    put(STP_MGMT_DMA_SEGMENT_HI, sticks | dest << 16);
    if (units == 0 || units >> STP_UNITS != 0 || sticks == 0) return false;
    return mean(1, base + 128 * uint64_t(first), dest, sticks, units, cores);
  }

  void assert_as_meant() {
    if (!memory.failure.empty()) fail_msg("%s", memory.failure.c_str());
    assert_true(is == meant);
    assert_true(memory.sticks == meant_memory);
    assert_true(told == is.tcm);
  }

  VerilatedContext context;
  Memory memory;
  std::mt19937 rng;
  Vmgmt_dma top{&context, ""};
  State is, meant;
  std::map<uint64_t, Stick> meant_memory;
  std::array<Stick, kCores * STP_UNITS> status;
  std::vector<uint8_t> told;
  long tcm_read = -1;
  int stat_core = -1;
  unsigned stat_unit = 0;
  unsigned done = 0;
  bool was_full = false;
};

// A random transfer that is right.
bool random_start(Bench &b) {
  std::mt19937 &r = b.rng;
  const uint32_t kind = r() % 6;
  uint32_t count = 1 + r() % 12, local = 0, cores = 1 + r() % 3;
  if (kind == 5) {
    const uint32_t base = r() % 16, first = r() % (kSticks - count - base);
    return b.start_segment(kBase + 128 * base, 1 + r() % 1023, first, count,
                           r() % (256 - 4 * count + 1), cores);
  }
  if (kind == 2) count = 1 + r() % 4;
  if (kind == 4) count = 1 + r() % STP_UNITS;
  if (kind == 0 || kind == 3) local = 128 * (r() % 24);
  if (kind == 1) local = r() % (256 - 4 * count + 1);
  if (kind == 2) local = r() % (16 - 4 * count + 1);
  if (kind == 4) cores = r() % kCores;
  return b.start(kind, kBase + 128 * (r() % (kSticks - count)), local, count, r() % 1024, cores);
}

void test_random(void **) {
  const char *env = std::getenv("STP_TEST_RUNS");
  const unsigned runs = env != nullptr ? unsigned(std::atoi(env)) : 30;
  bool was_full = false;
  for (unsigned seed = 1; seed <= runs; seed++) {
    Bench b(seed);
    for (unsigned round = 0; round < 4; round++) {
      for (unsigned i = 0; i < 40; i++) {
        assert_true(random_start(b));
        if (b.rng() % 4 == 0)
          for (unsigned n = b.rng() % 400; n > 0; n--) b.tick();
      }
      b.wait_idle();
      b.tick();
      assert_int_equal(b.get(STP_MGMT_DMA_STATE), 0);
      b.assert_as_meant();
    }
    was_full |= b.was_full;
  }
  assert_true(was_full);
}

void test_bus_errors(void **) {
  for (unsigned seed = 1; seed <= 10; seed++) {
    Bench b(seed);
    for (unsigned i = 0; i < 8; i++) b.memory.bad.insert(kBase / 128 + b.rng() % kSticks);
    for (unsigned i = 0; i < 30; i++) {
      bool ok = true;
      for (unsigned k = 1 + b.rng() % 3; k > 0; k--) ok &= random_start(b);
      b.wait_idle();
      assert_int_equal(b.get(STP_MGMT_DMA_STATE), ok ? 0 : 2);
      // The bit stays until it is cleared.
      assert_int_equal(b.get(STP_MGMT_DMA_STATE), ok ? 0 : 2);
      b.put(STP_MGMT_DMA_STATE, 0);
      assert_int_equal(b.get(STP_MGMT_DMA_STATE), 0);
      b.tick();
      b.assert_as_meant();
    }
  }
}

void test_operands(void **) {
  Bench b(1);
  const uint64_t end = uint64_t(1) << STP_ADDR_BITS;
  const struct {
    uint32_t kind;
    uint64_t addr;
    uint32_t local, count, cores;
    bool ok;
  } cases[] = {
      {0, kBase, 0, 1, 1, true},
      {0, kBase + 64, 0, 1, 1, false},
      {0, kBase, 64, 1, 1, false},
      {0, kBase, STP_TCM_BYTES - 128, 1, 1, true},
      {0, kBase, STP_TCM_BYTES - 128, 2, 1, false},
      {0, kBase, STP_TCM_BYTES, 0, 1, true},
      {0, kBase, 0xffffff80, 1, 1, false},
      {0, kBase, 0, 513, 1, false},
      {0, kBase, 0, 0xffffffff, 1, false},
      {0, kBase, 0, 0x02000000, 1, false},
      {0, end - 128, 0, 1, 1, true},
      {0, end - 128, 0, 2, 1, false},
      {1, kBase, 0, 64, 1, true},
      {1, kBase, 0, 65, 1, false},
      {1, kBase, 252, 1, 1, true},
      {1, kBase, 253, 1, 1, false},
      {1, kBase, 0, 0x40000000, 1, false},
      {2, kBase, 0, 4, 2, true},
      {2, kBase, 0, 5, 2, false},
      {2, kBase, 12, 1, 3, true},
      {2, kBase, 13, 1, 3, false},
      {3, kBase, 0, 1, 1, true},
      {3, kBase, 8, 1, 1, false},
      {3, end - 256, 0, 2, 1, true},
      {4, kBase, 0, 10, 1, true},
      {4, kBase, 0, 11, 1, false},
      {4, kBase, 0, 1, kCores, false},
      {4, kBase, 0, 1, 32, false},
      {5, kBase, 0, 1, 1, false},
      {8, kBase, 0, 1, 1, false},
      {0x80000000, kBase, 0, 1, 1, false},
      {1, kBase, 0, 0, 1, true},
      {0, end, 0, 1, 1, false},
      {0, kBase | uint64_t(1) << 63, 0, 1, 1, false},
  };
  for (const auto &c : cases) {
    const unsigned done = b.done;
    assert_true(b.start(c.kind, c.addr, c.local, c.count, 0x155, c.cores) == c.ok);
    b.wait_idle();
    b.tick();
    assert_int_equal(b.get(STP_MGMT_DMA_STATE), c.ok ? 0 : 2);
    // "Idle" is told once per transfer, also of one that moves nothing.
    assert_int_equal(b.done, done + 1);
    b.put(STP_MGMT_DMA_STATE, 0);
    b.assert_as_meant();
  }
}

void test_segments(void **) {
  Bench b(1);
  const uint64_t end = uint64_t(1) << STP_ADDR_BITS;
  const struct {
    uint64_t base;
    uint32_t units, first, sticks, dest;
    bool ok;
  } cases[] = {
      {kBase, 0x3ff, 0, 1, 0, true},          {kBase, 0x001, 5, 3, 40, true},
      {kBase, 0x200, 0, 64, 0, true},         {kBase, 0x200, 0, 65, 0, false},
      {kBase, 0x010, 9, 1, 252, true},        {kBase, 0x010, 9, 1, 253, false},
      {kBase, 0x010, 9, 1, 0xffff, false},    {kBase, 0x010, 9, 0xffff, 0, false},
      {kBase, 0x000, 0, 1, 0, false},         {kBase, 0x400, 0, 1, 0, false},
      {kBase, 0x8001, 0, 1, 0, false},        {kBase, 0x001, 0, 0, 0, false},
      {kBase + 8, 0x001, 0, 1, 0, false},     {end - 4 * 128, 0x001, 3, 1, 0, true},
      {end - 4 * 128, 0x001, 3, 2, 0, false}, {end - 4 * 128, 0x001, 0xffff, 1, 0, false},
      {end, 0x001, 0, 1, 0, false},
  };
  for (const auto &c : cases) {
    const unsigned done = b.done;
    assert_true(b.start_segment(c.base, c.units, c.first, c.sticks, c.dest, 3) == c.ok);
    b.wait_idle();
    b.tick();
    assert_int_equal(b.get(STP_MGMT_DMA_STATE), c.ok ? 0 : 2);
    assert_int_equal(b.done, done + 1);
    b.put(STP_MGMT_DMA_STATE, 0);
    b.assert_as_meant();
  }
}

void test_registers(void **) {
  Bench b(1);
  const struct {
    uint32_t reg, bits;
  } rw[] = {{STP_MGMT_DMA_ADDR_LO, ~0u},   {STP_MGMT_DMA_ADDR_HI, ~0u}, {STP_MGMT_DMA_LOCAL, ~0u},
            {STP_MGMT_DMA_COUNT, ~0u},     {STP_MGMT_DMA_UNITS, ~0u},   {STP_MGMT_DMA_CORES, ~0u},
            {STP_MGMT_DMA_SEGMENT_LO, ~0u}};
  for (const auto &r : rw) {
    b.put(r.reg, 0xc3a5969a);
    assert_int_equal(b.get(r.reg), 0xc3a5969a & r.bits);
  }
}

// Status sticks are written one every two cycles.
void test_status_rate(void **) {
  Bench b(0);
  b.start(4, kBase, 0, 10, 1, 1);
  unsigned cycles = 0;
  while (b.done == 0 && cycles < 1000) {
    b.tick();
    cycles++;
  }
  print_message("10 status sticks: %u cycles\n", cycles);
  assert_in_range(cycles, 10 * 2 + 100, 10 * 2 + 110);
  b.assert_as_meant();
}

// Programs move at a stick a cycle, after one latency of 100 cycles.
void test_rate(void **) {
  Bench b(0);
  b.start(1, kBase, 0, 64, 1, 1);
  unsigned cycles = 0;
  while (b.done == 0 && cycles < 1000) {
    b.tick();
    cycles++;
  }
  print_message("64 program sticks: %u cycles\n", cycles);
  assert_in_range(cycles, 64 + 100, 64 + 110);
  assert_int_equal(b.memory.most_reads, 64);
}

} // namespace

extern "C" void stp_tcm_dma(unsigned addr, unsigned data) {
  if (tcm_told == nullptr) return;
  for (unsigned i = 0; i < 4; i++) (*tcm_told)[addr + i] = uint8_t(data >> 8 * i);
}

int main(int argc, char **argv) {
  main_argc = argc;
  main_argv = argv;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registers),   cmocka_unit_test(test_rate),
      cmocka_unit_test(test_status_rate), cmocka_unit_test(test_operands),
      cmocka_unit_test(test_segments),    cmocka_unit_test(test_random),
      cmocka_unit_test(test_bus_errors),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
