// Device memory behind the ring's ports of the management DMA.
#ifndef STP_TESTS_MGMT_MEMORY_H
#define STP_TESTS_MGMT_MEMORY_H

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace mgmt {

typedef std::array<uint8_t, 128> Stick;

class Memory {
public:
  // seed 0: always ready, answers in order after 100 cycles; else all of that is random.
  explicit Memory(uint64_t seed) : random_(seed != 0), rng_(uint32_t(seed)) {}

  std::map<uint64_t, Stick> sticks; // by stick number; others read as zeros
  std::set<uint64_t> bad;           // sticks that answer with a bus error
  uint64_t reads = 0, writes = 0;
  unsigned most_reads = 0; // that were in flight together
  std::string failure;

  template <class T> void put(uint64_t addr, const T &value) {
    for (size_t i = 0; i < sizeof value; i++)
      sticks[(addr + i) / 128][(addr + i) % 128] = reinterpret_cast<const uint8_t *>(&value)[i];
  }
  template <class T> T get(uint64_t addr) {
    uint8_t bytes[sizeof(T)];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = sticks[(addr + i) / 128][(addr + i) % 128];
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  // While the clock is low: what the memory drives.
  template <class Top> void drive(Top &t) {
    t.rd_req_ready_i = !random_ || rng_() % 4 != 0;
    t.wr_req_ready_i = !random_ || rng_() % 4 != 0;
    t.rd_rsp_valid_i = t.wr_rsp_valid_i = 0;
    // The ring gives one response a cycle.
    if (pending_.empty() || (random_ && rng_() % 4 == 0)) return;
    size_t pick = 0;
    if (random_) pick = rng_() % pending_.size();
    if (pending_[pick].due > now_) return;
    const Access a = pending_[pick];
    pending_.erase(pending_.begin() + long(pick));
    if (a.write) {
      t.wr_rsp_valid_i = 1;
      t.wr_rsp_slot_i = a.slot;
      t.wr_rsp_err_i = bad.count(a.stick) != 0;
      write_slots_.erase(a.slot);
    } else {
      t.rd_rsp_valid_i = 1;
      t.rd_rsp_slot_i = a.slot;
      t.rd_rsp_err_i = bad.count(a.stick) != 0;
      const auto found = sticks.find(a.stick);
      const Stick data = found != sticks.end() ? found->second : Stick{};
      std::memcpy(t.rd_rsp_data_i.data(), data.data(), 128);
      read_slots_.erase(a.slot);
    }
  }

  // Just before the clock rises: what the DMA asks.
  template <class Top> void sample(Top &t) {
    now_++;
    const uint64_t due = now_ + (random_ ? rng_() % 200 : 100);
    if (t.rd_req_valid_o && t.rd_req_ready_i) {
      reads++;
      if (!read_slots_.insert(t.rd_req_slot_o).second) failure = "a read slot is used twice";
      if (read_slots_.size() > most_reads) most_reads = unsigned(read_slots_.size());
      pending_.push_back({false, uint8_t(t.rd_req_slot_o), t.rd_req_addr_o, due});
    }
    if (t.wr_req_valid_o && t.wr_req_ready_i) {
      writes++;
      if (!write_slots_.insert(t.wr_req_slot_o).second) failure = "a write slot is used twice";
      pending_.push_back({true, uint8_t(t.wr_req_slot_o), t.wr_req_addr_o, due});
      for (unsigned i = 0; i < 128; i++)
        if (t.wr_req_strb_o[i / 32] >> (i % 32) & 1)
          sticks[t.wr_req_addr_o][i] = uint8_t(t.wr_req_data_o[i / 4] >> (8 * (i % 4)));
    }
  }
  bool quiet() const { return pending_.empty(); }

private:
  struct Access {
    bool write;
    uint8_t slot;
    uint64_t stick, due;
  };
  bool random_;
  std::mt19937 rng_;
  uint64_t now_ = 0;
  std::vector<Access> pending_;
  std::set<unsigned> read_slots_, write_slots_;
};

} // namespace mgmt

#endif
