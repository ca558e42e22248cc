// What the chip's DPI calls reach. The calls find their machine through the Verilator context that
// is being evaluated, so several machines live in one process.
#ifndef STP_DPI_H
#define STP_DPI_H

#include "lockstep.h"
#include "steeple/machine.h"

#include "verilated.h"

namespace stp {

struct Hooks {
  stp_tap_fn tap = nullptr;
  void *tap_user = nullptr;
  Lockstep *lockstep = nullptr;
  uint64_t stall_seed = 0; // 0: FIFOs never stall at random
  uint64_t cycle = 0;
  bool stop = false; // a tap asked to stop
};

struct Context final : VerilatedContext {
  Hooks *hooks = nullptr;
};

} // namespace stp

#endif
