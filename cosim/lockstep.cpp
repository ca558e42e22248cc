#include "lockstep.h"

#include "stp_arch.h"

namespace stp {

Lockstep::Lockstep() : tcm_(STP_TCM_BYTES) {
  reset();
}

void Lockstep::reset() {
  // All device accesses are answered by the lead's values, so there is no bus.
  const stp_rv_bus_t no_bus = {};
  stp_rv_init(&rv_, tcm_.data(), STP_TCM_BYTES, &no_bus);
}

void Lockstep::tcm_write(uint32_t addr, uint32_t data) {
  for (unsigned i = 0; i < 4; i++) tcm_[(addr + i) % STP_TCM_BYTES] = uint8_t(data >> (8 * i));
}

bool Lockstep::step(const stp_rv_retire_t &rtl) {
  const stp_rv_lead_t lead = stp_rv_lead(&rtl);
  stp_rv_retire_t iss;
  stp_rv_step_led(&rv_, &lead, &iss);
  char text[256];
  if (!stp_rv_compare(&rtl, &iss, text, sizeof text)) {
    message_ = "management processor differs from its simulator at retired instruction " +
               std::to_string(compared_) + ": " + text;
    return false;
  }
  compared_++;
  return true;
}

} // namespace stp
