// Model of the DRAM behind Steeple's memory port: an AXI4 slave of 1,024 data bits with sparse
// storage.
//
//   stp::Dram dram(stp::DramConfig{});
//   dram.write(0x1000, bytes, n);                  // the host's own path: no cycles pass
//   each clock cycle, when the pins have settled and before the rising edge:
//     stp::AxiSlavePins out = dram.pins();         // what the slave drives in this cycle (apply
//     before settling) dram.step(in);                               // in: what the master drives
//     in this cycle
//
// The pins are plain values, so the class does not depend on the verilated design. An object holds
// all its state; there is nothing global. One thread at a time.
//
// Timing. All outputs are registers: they depend on earlier cycles only. A read accepted in cycle t
// has its data offered in cycle t + latency at the earliest; a write is answered latency cycles
// after the later of its address and data was accepted. One beat of 128 bytes crosses the data bus
// per cycle, read or write: reads and writes that wait at the same time take turns. Beats wait for
// it in small buffers at the pins, so over more than a few cycles reads and writes together move at
// most one stick per cycle.
//
// Order. Without randomisation everything is answered in the order in which it was accepted, per
// kind. With it, answers keep their order per ID and take any order between IDs. Writes change
// memory in the order of their addresses, always. A read that is accepted after the acknowledgement
// of a write was taken sees it; without waiting, a read may or may not see it.
#ifndef STP_COSIM_DRAM_H
#define STP_COSIM_DRAM_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

namespace stp {

// Byte that memory holds where nothing was written.
constexpr uint8_t kDramPoison = 0xa5;
constexpr unsigned kStickBytes = 128;

struct DramConfig {
  uint32_t latency = 100; // cycles, at least 1
  uint64_t size = 0; // bytes from address 0; accesses past it are answered with SLVERR. 0: 2^40
  // Non-zero: ready, latency and the order between IDs vary, drawn from a generator with this seed.
  uint64_t random_seed = 0;
  uint32_t random_latency = 64; // with a seed: up to this many cycles more per access
  uint32_t random_stall =
      25; // with a seed: percent of cycles in which each ready, or a new answer, is held back
};

// What the master drives. Data and strobes are little-endian and are read only while w_valid.
struct AxiMasterPins {
  bool ar_valid = false;
  uint32_t ar_id = 0;
  uint64_t ar_addr = 0;
  uint32_t ar_len = 0;
  uint32_t ar_size = 7;
  bool aw_valid = false;
  uint32_t aw_id = 0;
  uint64_t aw_addr = 0;
  uint32_t aw_len = 0;
  uint32_t aw_size = 7;
  bool w_valid = false;
  const void *w_data = nullptr; // 128 bytes
  const void *w_strb = nullptr; // 16 bytes
  bool w_last = true;
  bool r_ready = false;
  bool b_ready = false;
};

// What the slave drives. r_data points into the object, to 128 bytes that stay until the next
// step().
struct AxiSlavePins {
  bool ar_ready = false;
  bool aw_ready = false;
  bool w_ready = false;
  bool r_valid = false;
  uint32_t r_id = 0;
  const void *r_data = nullptr;
  uint32_t r_resp = 0;
  bool b_valid = false;
  uint32_t b_id = 0;
  uint32_t b_resp = 0;
};

struct DramStats {
  uint64_t read_beats = 0;  // taken by the master, 128 bytes each
  uint64_t write_beats = 0; // accepted from the master
  uint64_t write_bytes = 0; // bytes with strobe
};

class Dram {
public:
  explicit Dram(const DramConfig &config);

  // Host access: any range within 40 bits; what lies beyond reads as poison and is not written.
  void read(uint64_t addr, void *buf, size_t n) const;
  void write(uint64_t addr, const void *buf, size_t n);

  // Accesses to the sticks of [addr, addr + bytes) are answered with SLVERR from now on; bytes = 0:
  // none are.
  void set_error(uint64_t addr, uint64_t bytes);

  const AxiSlavePins &pins() const { return out_; }
  void step(const AxiMasterPins &in);

  // Hardware reset: accesses under way are forgotten, storage and statistics stay.
  void reset();

  bool busy() const; // something is under way
  const DramStats &stats() const { return stats_; }
  // Empty, or what the master did that this memory does not support (bursts, narrow beats). Stays
  // until reset().
  const std::string &error() const { return error_; }

private:
  static constexpr unsigned kPageBits = 16;
  using Page = std::array<uint8_t, 1u << kPageBits>;
  struct Pending {
    uint32_t id;
    uint64_t addr;
    uint64_t due;
    bool bad;
  };
  struct Beat {
    std::array<uint8_t, kStickBytes> data;
    std::array<uint8_t, kStickBytes / 8> strb;
  };
  struct Answer {
    uint32_t id;
    uint32_t resp;
    std::array<uint8_t, kStickBytes> data;
  };

  const uint8_t *page(uint64_t addr) const;
  uint8_t *page_for_write(uint64_t addr);
  uint64_t random();
  bool chance(uint32_t percent);
  uint64_t due();
  bool refused(uint64_t addr) const;
  bool pick(const std::deque<Pending> &queue, size_t &index);
  void do_write();
  void drive();

  DramConfig config_;
  uint64_t bad_first_ = 0, bad_end_ = 0; // sticks that are answered with an error: their addresses
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t now_ = 0;
  uint64_t rng_;
  bool write_turn_ = false;
  std::deque<Pending> reads_;     // accepted, data not yet fetched
  std::deque<Pending> addresses_; // writes whose data has not reached memory
  std::deque<Beat> beats_;        // write data that has not reached memory
  std::deque<Pending> acks_;      // writes that reached memory
  std::deque<Answer> answers_;    // read data at the pins, the first offered
  AxiSlavePins out_;
  DramStats stats_;
  std::string error_;
};

} // namespace stp

#endif
