// The DRAM model by itself: storage, timing, bandwidth, order, errors.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <csetjmp>
extern "C" {
#include <cmocka.h>
}

#include <array>
#include <map>
#include <vector>

#include "bench.h"
#include "dram.h"

namespace {

using stp::AxiMasterPins;
using stp::Dram;
using stp::DramConfig;

const std::array<uint8_t, 128> kData = [] {
  std::array<uint8_t, 128> d{};
  for (unsigned i = 0; i < 128; i++) d[i] = static_cast<uint8_t>(i + 1);
  return d;
}();
const std::array<uint8_t, 16> kAll = [] {
  std::array<uint8_t, 16> s{};
  s.fill(0xff);
  return s;
}();

void storage(void **) {
  Dram d{DramConfig{}};
  uint8_t out[300], in[300];
  d.read((1ull << 40) - 300, out, 300);
  for (uint8_t b : out) assert_int_equal(b, stp::kDramPoison);
  for (unsigned i = 0; i < 300; i++) in[i] = static_cast<uint8_t>(i * 7);
  d.write(0x1ff80, in, 300); // crosses a page
  d.read(0x1ff80, out, 300);
  assert_memory_equal(in, out, 300);
  d.read(0x1ff7f, out, 1);
  assert_int_equal(out[0], stp::kDramPoison);
  d.write((1ull << 40) - 2, in + 10, 4); // two bytes are inside
  d.read((1ull << 40) - 2, out, 4);
  assert_int_equal(out[0], in[10]);
  assert_int_equal(out[1], in[11]);
  assert_int_equal(out[2], stp::kDramPoison);
}

// One access; returns cycles from acceptance to the valid of the answer.
unsigned read_latency(Dram &d, uint64_t addr) {
  AxiMasterPins m;
  m.r_ready = true;
  m.ar_valid = true;
  m.ar_addr = addr;
  while (!d.pins().ar_ready) d.step(m);
  d.step(m);
  m.ar_valid = false;
  unsigned n = 1;
  while (!d.pins().r_valid) {
    d.step(m);
    n++;
  }
  return n;
}
unsigned write_latency(Dram &d, uint64_t addr, const void *data, const void *strb, uint32_t *resp) {
  AxiMasterPins m;
  m.b_ready = true;
  m.aw_valid = true;
  m.aw_addr = addr;
  m.w_valid = true;
  m.w_data = data;
  m.w_strb = strb;
  d.step(m);
  m.aw_valid = m.w_valid = false;
  unsigned n = 1;
  while (!d.pins().b_valid) {
    d.step(m);
    n++;
  }
  *resp = d.pins().b_resp;
  d.step(m);
  return n;
}

void latency(void **) {
  for (uint32_t l : {1u, 5u, 100u}) {
    DramConfig c;
    c.latency = l;
    Dram d(c);
    uint32_t resp;
    assert_int_equal(read_latency(d, 0x1000), l);
    assert_int_equal(d.pins().r_resp, 0);
    Dram e(c);
    assert_int_equal(write_latency(e, 0x1000, kData.data(), kAll.data(), &resp), l);
    assert_int_equal(resp, 0);
  }
}

void strobes(void **) {
  Dram d{DramConfig{}};
  std::array<uint8_t, 16> strb{};
  strb[0] = 0x05;
  strb[15] = 0x80;
  uint32_t resp;
  write_latency(d, 0x2080, kData.data(), strb.data(), &resp);
  uint8_t out[128];
  d.read(0x2080, out, 128);
  for (unsigned i = 0; i < 128; i++)
    assert_int_equal(out[i], i == 0 || i == 2 || i == 127 ? kData[i] : stp::kDramPoison);
  assert_int_equal(d.stats().write_beats, 1);
  assert_int_equal(d.stats().write_bytes, 3);
  assert_int_equal(read_latency(d, 0x2080), 100);
  assert_memory_equal(d.pins().r_data, out, 128);
}

void errors(void **) {
  DramConfig c;
  c.size = 0x1000;
  Dram d(c);
  uint32_t resp;
  read_latency(d, 0x1000);
  assert_int_equal(d.pins().r_resp, 2);
  AxiMasterPins m;
  m.r_ready = true;
  d.step(m);
  read_latency(d, 0xf80);
  assert_int_equal(d.pins().r_resp, 0);
  d.step(m);
  write_latency(d, 0x1000, kData.data(), kAll.data(), &resp);
  assert_int_equal(resp, 2);
  uint8_t out;
  d.read(0x1000, &out, 1);
  assert_int_equal(out, stp::kDramPoison);
  assert_string_equal(d.error().c_str(), "");
  m.ar_valid = true;
  m.ar_len = 3;
  d.step(m);
  assert_string_not_equal(d.error().c_str(), "");
}

// Beats per cycle with reads, writes or both always offered.
double beats(bool reads, bool writes) {
  Dram d{DramConfig{}};
  AxiMasterPins m;
  m.r_ready = m.b_ready = true;
  m.w_data = kData.data();
  m.w_strb = kAll.data();
  uint32_t id = 0;
  const auto step = [&](unsigned n) {
    for (unsigned i = 0; i < n; i++) {
      m.ar_valid = reads;
      m.aw_valid = m.w_valid = writes;
      m.ar_id = m.aw_id = id++ & 0x3fff;
      d.step(m);
    }
  };
  step(500);
  const auto from = d.stats();
  step(2000);
  const auto to = d.stats();
  if (reads && writes) // fair
    assert_true(to.read_beats - from.read_beats > 990 && to.write_beats - from.write_beats > 990);
  return static_cast<double>(to.read_beats - from.read_beats + to.write_beats - from.write_beats) /
         2000;
}

void bandwidth(void **) {
  assert_true(beats(true, false) == 1.0);
  assert_true(beats(false, true) == 1.0);
  assert_true(beats(true, true) > 0.998 && beats(true, true) < 1.003);
}

// With randomisation: per ID in order, between IDs not; the same seed gives the same cycles.
uint64_t random_run(uint64_t seed, bool *mixed) {
  DramConfig c;
  c.random_seed = seed;
  Dram d(c);
  for (unsigned i = 0; i < 512; i++) {
    uint8_t stick[128] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8)};
    d.write(i * 128, stick, 128);
  }
  std::map<uint32_t, unsigned> last;
  AxiMasterPins m;
  bench::Random r(seed);
  unsigned asked = 0, got = 0, newest = 0;
  uint64_t cycles = 0;
  *mixed = false;
  while (got < 512) {
    m.ar_valid = asked < 512;
    m.ar_id = asked % 7;
    m.ar_addr = asked * 128;
    m.r_ready = cycles % 3 != 0;
    const auto out = d.pins();
    if (out.r_valid && m.r_ready) {
      const auto *p = static_cast<const uint8_t *>(out.r_data);
      const unsigned k = p[0] | p[1] << 8;
      assert_int_equal(k % 7, out.r_id);
      auto it = last.find(out.r_id);
      assert_int_equal(k, it == last.end() ? out.r_id : it->second + 7);
      last[out.r_id] = k;
      if (k < newest) *mixed = true;
      newest = k > newest ? k : newest;
      got++;
    }
    if (m.ar_valid && out.ar_ready) asked++;
    d.step(m);
    assert_true(++cycles < 100000);
  }
  assert_false(d.busy());
  return cycles;
}

void random_order(void **) {
  bool mixed;
  const uint64_t first = random_run(5, &mixed);
  assert_true(mixed);
  assert_int_equal(random_run(5, &mixed), first);
  assert_int_not_equal(random_run(6, &mixed), first);
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(storage),   cmocka_unit_test(latency),
                              cmocka_unit_test(strobes),   cmocka_unit_test(errors),
                              cmocka_unit_test(bandwidth), cmocka_unit_test(random_order)};
  return cmocka_run_group_tests_name("dram", tests, nullptr, nullptr);
}
