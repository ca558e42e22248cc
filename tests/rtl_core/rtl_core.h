// A verilated core with memory behind its ring ports: what the benches of this folder drive.
#ifndef STP_TESTS_RTL_CORE_H
#define STP_TESTS_RTL_CORE_H

#include "core.h"
#include "stp_arch.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

class Vcore;
class VerilatedContext;

namespace bench {

// xorshift64*, as everywhere in the tests.
struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
  }
  uint64_t below(uint64_t n) { return (next() >> 11) % n; }
};

struct Timing {
  unsigned latency = 30; // cycles from request to response
  uint64_t seed = 0; // not 0: random ready, latency and order of responses, random stalls of FIFOs
  uint64_t init = 1; // seed of the random initial state
};

class RtlCore {
public:
  RtlCore(unsigned core, unsigned cores, const stp_core_io_t &io, const Timing &timing);
  ~RtlCore();

  // A row of four words of programs (kind 0) or arguments (1); the hardware is given the stick that
  // it is part of.
  void load(unsigned kind, uint32_t units, unsigned row, const uint64_t words[4]);
  void clear();
  void start(uint32_t units);
  void halt();
  // Cycles until the core has stopped or the tap asked for it, at most limit.
  uint64_t run(uint64_t limit);
  void tick();
  stp_core_state_t state();
  void status(unsigned unit, uint8_t stick[128]);
  // LX as bytes, by stick.
  void lx_read(unsigned stick, uint8_t data[128]);
  void lx_write(unsigned stick, const uint8_t data[128]);
  uint64_t cycle() const { return cycle_; }

  stp_tap_fn tap = nullptr;
  void *tap_user = nullptr;
  bool tap_stop = false; // the tap ended the last run
  uint64_t stall_seed = 0;

private:
  struct Request {
    uint64_t due;
    bool write;
    uint64_t addr;
    uint8_t slot;
    std::vector<uint8_t> data, strb;
  };
  void respond();

  uint64_t program_[STP_UNITS][STP_PROG_WORDS] = {}, args_[STP_UNITS][STP_ARGS] = {};
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vcore> top_;
  stp_core_io_t io_;
  Timing timing_;
  Random random_;
  std::vector<Request> reads_, writes_;
  uint64_t cycle_ = 0;
};

} // namespace bench

#endif
