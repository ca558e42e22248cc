#include "dram.h"

#include <algorithm>
#include <cstring>

namespace stp {

namespace {
constexpr uint64_t kSpace = 1ull << 40;
constexpr size_t kBeatBuffer = 4;     // write beats at the pins
constexpr size_t kAnswerBuffer = 4;   // read beats at the pins
constexpr size_t kAddressBuffer = 64; // write addresses ahead of their data
constexpr size_t kReads = 1u << 14;   // reads under way
constexpr uint32_t kSlvErr = 2;
} // namespace

Dram::Dram(const DramConfig &config) : config_(config), rng_(config.random_seed) {
  if (config_.latency == 0) config_.latency = 1;
  if (config_.size == 0 || config_.size > kSpace) config_.size = kSpace;
  drive();
}

const uint8_t *Dram::page(uint64_t addr) const {
  auto it = pages_.find(addr >> kPageBits);
  return it == pages_.end() ? nullptr : it->second->data();
}

uint8_t *Dram::page_for_write(uint64_t addr) {
  auto &p = pages_[addr >> kPageBits];
  if (!p) {
    p = std::make_unique<Page>();
    p->fill(kDramPoison);
  }
  return p->data();
}

void Dram::read(uint64_t addr, void *buf, size_t n) const {
  auto *to = static_cast<uint8_t *>(buf);
  while (n > 0) {
    const size_t at = addr & ((1u << kPageBits) - 1);
    const size_t part = std::min(n, (size_t{1} << kPageBits) - at);
    const uint8_t *from = addr < kSpace ? page(addr) : nullptr;
    if (from)
      std::memcpy(to, from + at, part);
    else
      std::memset(to, kDramPoison, part);
    to += part;
    addr += part;
    n -= part;
  }
}

void Dram::write(uint64_t addr, const void *buf, size_t n) {
  auto *from = static_cast<const uint8_t *>(buf);
  while (n > 0 && addr < kSpace) {
    const size_t at = addr & ((1u << kPageBits) - 1);
    const size_t part = std::min(n, (size_t{1} << kPageBits) - at);
    std::memcpy(page_for_write(addr) + at, from, part);
    from += part;
    addr += part;
    n -= part;
  }
}

// splitmix64: any seed will do, and the sequence is the same everywhere.
uint64_t Dram::random() {
  rng_ += 0x9e3779b97f4a7c15ull;
  uint64_t z = rng_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

bool Dram::chance(uint32_t percent) {
  return config_.random_seed != 0 && random() % 100 < percent;
}

uint64_t Dram::due() {
  uint64_t extra = 0;
  if (config_.random_seed != 0 && config_.random_latency != 0)
    extra = random() % (config_.random_latency + 1ull);
  return now_ + config_.latency + extra;
}

void Dram::set_error(uint64_t addr, uint64_t bytes) {
  bad_first_ = addr & ~uint64_t{kStickBytes - 1};
  bad_end_ = bytes == 0 ? 0 : addr + bytes;
}

// The address of a stick.
bool Dram::refused(uint64_t addr) const {
  return addr + kStickBytes > config_.size || (addr >= bad_first_ && addr < bad_end_);
}

// Which of the queue is answered in the next cycle: the first, or with randomisation any that is
// due and is the oldest of its ID.
bool Dram::pick(const std::deque<Pending> &queue, size_t &index) {
  if (queue.empty()) return false;
  if (config_.random_seed == 0) {
    index = 0;
    return queue.front().due <= now_ + 1;
  }
  if (chance(config_.random_stall)) return false;
  const size_t tries = std::min<size_t>(queue.size(), 4);
  for (size_t t = 0; t < tries; t++) {
    const size_t k = random() % std::min<size_t>(queue.size(), 512);
    if (queue[k].due > now_ + 1) continue;
    bool oldest = true;
    for (size_t j = 0; j < k && oldest; j++) oldest = queue[j].id != queue[k].id;
    if (!oldest) continue;
    index = k;
    return true;
  }
  index = 0;
  return queue.front().due <= now_ + 1;
}

void Dram::do_write() {
  Pending a = addresses_.front();
  const Beat &beat = beats_.front();
  if (!a.bad) {
    const uint64_t addr = a.addr & ~uint64_t{kStickBytes - 1};
    uint8_t *to = page_for_write(addr) + (addr & ((1u << kPageBits) - 1));
    for (unsigned i = 0; i < kStickBytes; i++)
      if (beat.strb[i / 8] >> (i % 8) & 1) to[i] = beat.data[i];
  }
  acks_.push_back(a);
  addresses_.pop_front();
  beats_.pop_front();
}

void Dram::step(const AxiMasterPins &in) {
  // Handshakes of the cycle that ends.
  if (out_.r_valid && in.r_ready) {
    answers_.pop_front();
    stats_.read_beats++;
    out_.r_valid = false;
  }
  if (out_.b_valid && in.b_ready) out_.b_valid = false;
  if (out_.ar_ready && in.ar_valid) {
    if (in.ar_len != 0 || in.ar_size != 7)
      error_ = "read burst or narrow read: only single beats of 128 bytes are supported";
    reads_.push_back(
        {in.ar_id, in.ar_addr, due(), refused(in.ar_addr & ~uint64_t{kStickBytes - 1})});
  }
  if (out_.aw_ready && in.aw_valid) {
    if (in.aw_len != 0 || in.aw_size != 7)
      error_ = "write burst or narrow write: only single beats of 128 bytes are supported";
    addresses_.push_back(
        {in.aw_id, in.aw_addr, due(), refused(in.aw_addr & ~uint64_t{kStickBytes - 1})});
  }
  if (out_.w_ready && in.w_valid) {
    if (!in.w_last) error_ = "write beat that is not the last: only single beats are supported";
    Beat beat;
    std::memcpy(beat.data.data(), in.w_data, beat.data.size());
    std::memcpy(beat.strb.data(), in.w_strb, beat.strb.size());
    for (uint8_t s : beat.strb) stats_.write_bytes += static_cast<unsigned>(__builtin_popcount(s));
    stats_.write_beats++;
    // The answer counts from the later of address and data.
    if (beats_.size() < addresses_.size()) addresses_[beats_.size()].due = due();
    beats_.push_back(beat);
  }

  // The data bus: one beat.
  size_t index = 0;
  const bool can_read = answers_.size() < kAnswerBuffer && pick(reads_, index);
  const bool can_write = !addresses_.empty() && !beats_.empty();
  if (can_write && (write_turn_ || !can_read)) {
    do_write();
    write_turn_ = false;
  } else if (can_read) {
    const Pending r = reads_[index];
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(index));
    answers_.emplace_back();
    Answer &a = answers_.back();
    a.id = r.id;
    a.resp = r.bad ? kSlvErr : 0;
    if (r.bad)
      a.data.fill(kDramPoison);
    else
      read(r.addr & ~uint64_t{kStickBytes - 1}, a.data.data(), a.data.size());
    write_turn_ = true;
  }
  drive();
  now_++;
}

// The outputs of the next cycle.
void Dram::drive() {
  out_.ar_ready = reads_.size() < kReads && !chance(config_.random_stall);
  out_.aw_ready = addresses_.size() < kAddressBuffer && !chance(config_.random_stall);
  out_.w_ready = beats_.size() < kBeatBuffer && !chance(config_.random_stall);
  out_.r_valid = !answers_.empty();
  if (out_.r_valid) {
    const Answer &a = answers_.front();
    out_.r_id = a.id;
    out_.r_resp = a.resp;
    out_.r_data = a.data.data();
  }
  size_t index = 0;
  if (!out_.b_valid && pick(acks_, index)) {
    out_.b_valid = true;
    out_.b_id = acks_[index].id;
    out_.b_resp = acks_[index].bad ? kSlvErr : 0;
    acks_.erase(acks_.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

void Dram::reset() {
  reads_.clear();
  addresses_.clear();
  beats_.clear();
  acks_.clear();
  answers_.clear();
  error_.clear();
  write_turn_ = false;
  out_ = AxiSlavePins{};
  drive();
}

bool Dram::busy() const {
  return !reads_.empty() || !addresses_.empty() || !beats_.empty() || !acks_.empty() ||
         !answers_.empty() || out_.b_valid;
}

} // namespace stp
