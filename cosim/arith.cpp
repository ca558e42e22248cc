// The arithmetic of the fast chip (rtl/arith/fast): rows of lanes handed to the C numerics library.
//
// A row has up to 64 lanes of 32 bits, as the RTL has them. What the library takes as 16-bit lanes
// has its bits in the low half of a lane (stp_row_lane), or comes widened to f32 (stp_row_wide), as
// the RTL's row of the same name wants it.

#include "numerics.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "svdpi.h"

namespace {

constexpr unsigned kLanes = 64;

// Asking for the processor's abilities takes long: once.
const struct stp_num &num() {
  static const struct stp_num *const table = stp_num_fast();
  return *table;
}

// A 16-bit value in each lane, one after another in `out`.
const void *pack(const svBitVecVal *in, unsigned lanes, uint16_t *out) {
  for (unsigned i = 0; i < lanes; i++) out[i] = static_cast<uint16_t>(in[i]);
  return out;
}

void unpack(const uint16_t *in, unsigned lanes, svBitVecVal *out) {
  for (unsigned i = 0; i < lanes; i++) out[i] = in[i];
}

// f32 lanes that hold values of a 16-bit format.
const void *narrow(const svBitVecVal *in, unsigned fmt, unsigned lanes, uint16_t *out) {
  num().row(STP_OP_VPACK, 0, fmt, 0, lanes, in, nullptr, nullptr, out);
  return out;
}

[[noreturn]] void unknown(unsigned op, unsigned fn, unsigned fmt) {
  throw std::runtime_error("fast arithmetic: operation " + std::to_string(op) + ", function " +
                           std::to_string(fn) + ", format " + std::to_string(fmt) +
                           " is not in the numerics library");
}

} // namespace

extern "C" {

void stp_row_fma16(unsigned lanes, unsigned fmt, const svBitVecVal *a, const svBitVecVal *b,
                   const svBitVecVal *c, svBitVecVal *q) {
  num().pt_step(fmt, lanes, static_cast<uint16_t>(*a), reinterpret_cast<const uint16_t *>(b), c, q);
}

void stp_row_lane(unsigned lanes, unsigned op, unsigned fn, unsigned fmt, unsigned sfmt,
                  const svBitVecVal *a, const svBitVecVal *b, const svBitVecVal *c,
                  svBitVecVal *q) {
  uint16_t a16[kLanes], b16[kLanes], c16[kLanes], q16[kLanes];
  const bool from16 = stp_fmt_bytes(sfmt) == 2, to16 = stp_fmt_bytes(fmt) == 2;
  // Only a conversion has lanes of two widths, and it has one source.
  const void *x = from16 ? pack(a, lanes, a16) : a;
  const void *y = from16 ? pack(b, lanes, b16) : b;
  const void *z = from16 ? pack(c, lanes, c16) : c;
  void *out = to16 ? static_cast<void *>(q16) : q;
  if (!num().row(op, fn, fmt, sfmt, lanes, x, y, z, out)) unknown(op, fn, fmt);
  if (to16) unpack(q16, lanes, q);
}

void stp_row_wide(unsigned lanes, unsigned op, unsigned fn, unsigned fmt, const svBitVecVal *a,
                  const svBitVecVal *b, const svBitVecVal *c, svBitVecVal *q) {
  uint16_t a16[kLanes], b16[kLanes], c16[kLanes], q16[kLanes];
  const bool half = stp_fmt_bytes(fmt) == 2;
  const void *x = half ? narrow(a, fmt, lanes, a16) : a;
  const void *y = half ? narrow(b, fmt, lanes, b16) : b;
  const void *z = half ? narrow(c, fmt, lanes, c16) : c;
  void *out = half ? static_cast<void *>(q16) : q;
  if (!num().row(op, fn, fmt, fmt, lanes, x, y, z, out)) unknown(op, fn, fmt);
  if (half) unpack(q16, lanes, q);
}

void stp_row_widen(unsigned lanes, unsigned fmt, const svBitVecVal *a, svBitVecVal *q) {
  num().row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, lanes, a, nullptr, nullptr, q);
}

} // extern "C"
