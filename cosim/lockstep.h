// Compares the management processor with the instruction-set simulator at every retired
// instruction. The RTL leads: interrupts, loads from MMIO and the DMA's writes into the tightly
// coupled memory are taken from it.
#ifndef STP_LOCKSTEP_H
#define STP_LOCKSTEP_H

#include "rv.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stp {

class Lockstep {
public:
  Lockstep();
  // Puts the simulator in the state after reset; its memory keeps its contents.
  void reset();
  // A word that the host or the DMA wrote into the tightly coupled memory; addr is a byte address
  // in it.
  void tcm_write(uint32_t addr, uint32_t data);
  // Takes one record of the RTL's retirement port. False: they differ, and message() says how.
  bool step(const stp_rv_retire_t &rtl);
  const std::string &message() const { return message_; }
  uint64_t compared() const { return compared_; }

private:
  std::vector<uint8_t> tcm_;
  stp_rv_t rv_;
  uint64_t compared_ = 0;
  std::string message_;
};

} // namespace stp

#endif
