// LX under random traffic from all seven ports, against an array: every response, its time and
// order, strobes, fairness, and that ports which want different banks do not disturb each other.
#include "Vlx_mem.h"

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

extern "C" {
#include <cmocka.h>
}

namespace {

constexpr unsigned READERS = 4, WRITERS = 3, PORTS = READERS + WRITERS;

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

unsigned bank_of(unsigned s) {
  return (s ^ s >> 4 ^ s >> 8) & 15;
}

struct Stick {
  uint8_t byte[128];
};

class Bench {
public:
  // What each port wants in this cycle.
  struct Want {
    bool valid = false;
    unsigned stick = 0;
    Stick data = {};
    uint8_t strb[16] = {};
  } want[PORTS];
  bool taken[PORTS] = {};

  Bench() : context_(new VerilatedContext), memory_(1 << 14) {
    context_->randReset(2);
    top_.reset(new Vlx_mem(context_.get()));
    top_->rst_ni = 0;
    top_->rd_valid_i = 0;
    top_->wr_valid_i = 0;
    edge();
    top_->rst_ni = 1;
  }

  void edge() {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }

  // One cycle: offers what is wanted, checks the responses of this cycle, and follows in the array
  // what was taken.
  void cycle() {
    unsigned rv = 0, wv = 0;
    uint64_t ra = 0, wa = 0;
    for (unsigned p = 0; p < READERS; p++) {
      rv |= unsigned(want[p].valid) << p;
      ra |= uint64_t(want[p].stick) << 14 * p;
    }
    for (unsigned p = 0; p < WRITERS; p++) {
      wv |= unsigned(want[READERS + p].valid) << p;
      wa |= uint64_t(want[READERS + p].stick) << 14 * p;
    }
    top_->rd_valid_i = rv;
    top_->rd_addr_i = ra;
    top_->wr_valid_i = wv;
    top_->wr_addr_i = wa;
    std::memcpy(top_->wr_data0_i.data(), want[4].data.byte, 128);
    std::memcpy(top_->wr_data1_i.data(), want[5].data.byte, 128);
    std::memcpy(top_->wr_data2_i.data(), want[6].data.byte, 128);
    std::memcpy(top_->wr_strb0_i.data(), want[4].strb, 16);
    std::memcpy(top_->wr_strb1_i.data(), want[5].strb, 16);
    std::memcpy(top_->wr_strb2_i.data(), want[6].strb, 16);
    top_->clk_i = 0;
    top_->eval();

    const void *rsp[READERS] = {top_->rsp_data0_o.data(), top_->rsp_data1_o.data(),
                                top_->rsp_data2_o.data(), top_->rsp_data3_o.data()};
    for (unsigned p = 0; p < READERS; p++) {
      const bool due = !expect_[p].empty() && expect_[p].front().cycle == now_;
      assert_int_equal(top_->rsp_valid_o >> p & 1, due);
      if (!due) continue;
      assert_memory_equal(rsp[p], expect_[p].front().data.byte, 128);
      expect_[p].pop_front();
      responses++;
    }

    unsigned banks = 0;
    for (unsigned p = 0; p < PORTS; p++) {
      const bool ready =
          p < READERS ? top_->rd_ready_o >> p & 1 : top_->wr_ready_o >> (p - READERS) & 1;
      taken[p] = want[p].valid && ready;
      if (!taken[p]) continue;
      // One request per bank.
      assert_false(banks >> bank_of(want[p].stick) & 1);
      banks |= 1u << bank_of(want[p].stick);
      Stick &s = memory_[want[p].stick];
      if (p < READERS) {
        expect_[p].push_back({now_ + 2, s});
      } else {
        for (unsigned k = 0; k < 128; k++)
          if (want[p].strb[k / 8] >> k % 8 & 1) s.byte[k] = want[p].data.byte[k];
      }
    }
    // A bank that is wanted is used.
    for (unsigned p = 0; p < PORTS; p++)
      if (want[p].valid) assert_true(banks >> bank_of(want[p].stick) & 1);
    top_->clk_i = 1;
    top_->eval();
    now_++;
  }

  uint64_t responses = 0;

private:
  struct Expect {
    uint64_t cycle;
    Stick data;
  };
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vlx_mem> top_;
  std::vector<Stick> memory_;
  std::deque<Expect> expect_[READERS];
  uint64_t now_ = 0;
};

void random_write(Bench::Want &w, Random &r, bool whole) {
  for (unsigned k = 0; k < 128; k++) w.data.byte[k] = uint8_t(r.next() >> 30);
  for (unsigned k = 0; k < 16; k++) w.strb[k] = whole ? 0xff : uint8_t(r.next() >> 30);
}

void traffic(void **) {
  Bench b;
  Random r(1);
  // Sticks that take part; they get a value first.
  unsigned sticks[64];
  for (unsigned &s : sticks) {
    s = unsigned(r.below(1 << 14));
    for (unsigned p = READERS; p < PORTS; p++) b.want[p].valid = false;
    b.want[READERS].valid = true;
    b.want[READERS].stick = s;
    random_write(b.want[READERS], r, true);
    b.cycle();
    assert_true(b.taken[READERS]);
  }
  for (auto &w : b.want) w.valid = false;
  unsigned waited[PORTS] = {};
  for (unsigned n = 0; n < 60000; n++) {
    const unsigned load = n / 10000; // from idle to crowded
    for (unsigned p = 0; p < PORTS; p++) {
      Bench::Want &w = b.want[p];
      if (w.valid && !b.taken[p]) {
        // Round robin: the six others at most go first.
        assert_true(++waited[p] < PORTS);
        continue;
      }
      waited[p] = 0;
      w.valid = r.below(6) <= load;
      w.stick = sticks[r.below(n % 3000 < 300 ? 4 : 64)];
      if (p >= READERS && w.valid) random_write(w, r, r.below(2) == 0);
    }
    b.cycle();
  }
  assert_true(b.responses > 50000);
}

void no_conflict(void **) {
  // Seven ports in seven banks, in any rows: all are taken in every cycle. First every stick gets a
  // value.
  Bench b;
  Random r(2);
  for (unsigned n = 0; n < 1 << 14; n++) {
    b.want[READERS].valid = true;
    b.want[READERS].stick = n;
    random_write(b.want[READERS], r, true);
    b.cycle();
    assert_true(b.taken[READERS]);
  }
  for (unsigned n = 0; n < 2000; n++) {
    for (unsigned p = 0; p < PORTS; p++) {
      const unsigned row = unsigned(r.below(1024));
      const unsigned bank = (n + 3 * p) % 16;
      b.want[p].valid = true;
      b.want[p].stick = row << 4 | ((bank ^ row ^ row >> 4) & 15);
      if (p >= READERS) random_write(b.want[p], r, r.below(2) == 0);
    }
    b.cycle();
    for (unsigned p = 0; p < PORTS; p++) assert_true(b.taken[p]);
  }
}

} // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(traffic), cmocka_unit_test(no_conflict)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
