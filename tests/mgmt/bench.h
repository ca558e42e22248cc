// The management subsystem alone, verilated for two cores: this bench is its host, its device
// memory behind the ring ports (random latency, order and stalls), and its cores, which do as the
// test says. The processor is compared with its simulator at every retired instruction.
#ifndef STP_TESTS_MGMT_BENCH_H
#define STP_TESTS_MGMT_BENCH_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "Vmgmt.h"
#include "lockstep.h"
#include "memory.h"
#include "stp_arch.h"

namespace mgmt {

constexpr unsigned kCores = 2;

// How a core is `after` cycles from its start, until it is halted or cleared.
struct Plan {
  uint64_t after = 100;
  unsigned running = 0, trapped = 0, blocked = 0;
  bool stopped = true, deadlock = false, leftover_fifo = false, leftover_token = false;
};

struct Core {
  Plan plan;
  std::array<std::array<uint64_t, STP_PROG_WORDS>, STP_UNITS> program{};
  std::array<std::array<uint64_t, STP_ARGS>, STP_UNITS> args{};
  std::array<Stick, STP_UNITS> status{};
  unsigned running = 0, trapped = 0, blocked = 0;
  bool stopped = false, deadlock = false, leftover_fifo = false, leftover_token = false;
  unsigned started = 0;                                 // mask of the last start
  uint64_t countdown = 0;                               // cycles to the plan; 0: none
  uint64_t halting = 0;                                 // cycles until a halt has worked
  unsigned starts = 0, clears = 0, halts = 0, rows = 0; // events since the test reset them
};

class Bench {
public:
  // argc and argv: Verilator's arguments. seed 0: fixed latency of 100 cycles, in order.
  Bench(int argc, char **argv, uint64_t seed, const std::vector<uint8_t> &image);
  ~Bench();

  void tick();
  // Host register accesses; the value is AXI's response: 0 or 2 (SLVERR).
  unsigned try_read(uint32_t offset, uint32_t *value);
  unsigned try_write(uint32_t offset, uint32_t value, unsigned strb = 15);
  uint32_t read(uint32_t offset); // must be answered with OKAY
  void write(uint32_t offset, uint32_t value);
  uint64_t read64(uint32_t low_offset);

  // Loads the image, releases the processor, and waits until the firmware is ready.
  void load();
  void boot();
  // Runs until the interrupt line rises, and acknowledges it. False: it does not within limit
  // cycles.
  bool wait_irq(uint64_t limit = 100000);
  void run(uint64_t cycles);

  Memory memory;
  std::array<Core, kCores> core;
  std::string console;
  std::string failure; // the first thing that was not as it must be
  uint64_t cycle = 0;
  stp::Lockstep lockstep;
  Vmgmt &top() { return top_; }

private:
  void complain(const std::string &what);
  void drive();
  void sample();
  void retired();

  VerilatedContext context_;
  Vmgmt top_{&context_, ""};
  std::vector<uint8_t> image_;
  int stat_core_ = -1;
  unsigned stat_unit_ = 0;
};

} // namespace mgmt

#endif
