// MNI-LU and MNI-SU against a reference that moves byte by byte.
//
// Random programs of cfg, xfer and post run on both engines at once, through ring and memory port,
// with random DRAM timing, LX refusals and token refusals. Every LX write, DRAM write, post and
// trap is compared in order with the reference; a post must come after what it promises. Fixed
// cases measure rates, and try traps, bus errors, a blocked post and a halt.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <csetjmp>
extern "C" {
#include <cmocka.h>
}

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include BENCH_HEADER
#include "bench.h"
#include "dram.h"
#include "stp_arch.h"
#include "stp_isa.h"
#include "verilated.h"

namespace {

using bench::Random;

constexpr uint64_t kSpace = 1ull << 40;
constexpr uint64_t kLx = 1ull << 21;

struct Insn {
  uint64_t insn, a, b, c;
  unsigned pc;
};

struct Piece {
  uint64_t stick; // address / 128
  uint8_t data[128];
  uint8_t strb[16];
};

struct Post {
  unsigned id;
  size_t pieces; // before it
};

struct Expected {
  std::vector<Piece> pieces;
  std::vector<Post> posts;
  bool trap = false;
  unsigned cause = 0, pc = 0;
  uint64_t addr = 0;
};

uint64_t encode(unsigned op, unsigned aux) {
  return static_cast<uint64_t>(op) << 56 | static_cast<uint64_t>(aux) << 32;
}

struct Program {
  std::vector<Insn> insns;
  void cfg(unsigned field, int64_t value) {
    insns.push_back({encode(STP_OP_CFG, field), 0, 0, static_cast<uint64_t>(value), pc()});
  }
  void post(unsigned id) { insns.push_back({encode(STP_OP_POST, id), 0, 0, 0, pc()}); }
  void xfer(uint64_t global, uint64_t lx, unsigned aux = 0) {
    insns.push_back({encode(STP_OP_XFER, aux), global, lx, 0, pc()});
  }
  void rows(int64_t n0, int64_t n1 = 1, int64_t gs1 = 0, int64_t ls1 = 0) {
    cfg(STP_CFG_MNI_N0, n0);
    cfg(STP_CFG_MNI_N1, n1);
    cfg(STP_CFG_MNI_GS1, gs1);
    cfg(STP_CFG_MNI_LS1, ls1);
  }
  unsigned pc() const { return static_cast<unsigned>(insns.size() * 3 + 5) % 1024; }
};

// --- the reference ---

struct Descriptor {
  uint64_t n[4] = {1, 1, 1, 1};
  int64_t gs[4] = {0, 0, 0, 0}, ls[4] = {0, 0, 0, 0};
  uint64_t lim[4] = {0xffffff, 0xffffff, 0xffffff, 0xffffff};
};

void row_pieces(Expected &e, bool store, uint64_t global, uint64_t lx, uint64_t total,
                uint64_t real, const stp::Dram &dram, const std::vector<uint8_t> &lxmem) {
  const uint64_t to = store ? global : lx;
  Piece *p = nullptr;
  for (uint64_t i = 0; i < total; i++) {
    const uint64_t at = to + i;
    if (p == nullptr || at % 128 == 0) {
      e.pieces.emplace_back();
      p = &e.pieces.back();
      std::memset(p, 0, sizeof *p);
      p->stick = at / 128;
    }
    uint8_t byte = 0;
    if (i < real) {
      if (store)
        byte = lxmem[lx + i];
      else
        dram.read(global + i, &byte, 1);
    }
    p->data[at % 128] = byte;
    p->strb[at % 128 / 8] |= static_cast<uint8_t>(1u << at % 8);
  }
}

Expected reference(bool store, const Program &program, const stp::Dram &dram,
                   const std::vector<uint8_t> &lxmem) {
  Expected e;
  Descriptor d;
  auto trap = [&](unsigned cause, uint64_t addr, unsigned pc) {
    e.trap = true;
    e.cause = cause;
    e.addr = addr & (kSpace - 1);
    e.pc = pc;
  };
  for (const Insn &in : program.insns) {
    const unsigned op = in.insn >> 56, aux = in.insn >> 32 & 0x1ff;
    const auto value = static_cast<int64_t>(in.c);
    if (op == STP_OP_CFG) {
      if (aux < 4) {
        if (value < 0 || value > 0xffffff) {
          trap(STP_CAUSE_BAD_OPERAND, in.c, in.pc);
          return e;
        }
        d.n[aux] = in.c;
      } else if (aux < 7) {
        if (value < -(1ll << 39) || value >= 1ll << 39) {
          trap(STP_CAUSE_BAD_OPERAND, in.c, in.pc);
          return e;
        }
        d.gs[aux - 3] = value;
      } else if (aux >= 8 && aux < 11) {
        if (value < -(1ll << 21) || value >= 1ll << 21) {
          trap(STP_CAUSE_BAD_OPERAND, in.c, in.pc);
          return e;
        }
        d.ls[aux - 7] = value;
      } else if (aux >= 12 && aux < 16) {
        d.lim[aux - 12] = value < 0 ? 0 : value > 0xffffff ? 0xffffff : in.c;
      } else {
        trap(STP_CAUSE_ILLEGAL, in.insn, in.pc);
        return e;
      }
    } else if (op == STP_OP_POST) {
      e.posts.push_back({aux, e.pieces.size()});
    } else if (op != STP_OP_XFER || aux > 15) {
      trap(STP_CAUSE_ILLEGAL, in.insn, in.pc);
      return e;
    } else {
      if (d.n[0] == 0) continue;
      for (uint64_t i3 = 0; i3 < d.n[3]; i3++)
        for (uint64_t i2 = 0; i2 < d.n[2]; i2++)
          for (uint64_t i1 = 0; i1 < d.n[1]; i1++) {
            const uint64_t i[4] = {0, i1, i2, i3};
            uint64_t g = in.a, l = in.b, real = d.lim[0] < d.n[0] ? d.lim[0] : d.n[0];
            bool limit = (aux & 1) && d.lim[0] < d.n[0];
            for (int k = 1; k < 4; k++) {
              g += i[k] * static_cast<uint64_t>(d.gs[k]);
              l += i[k] * static_cast<uint64_t>(d.ls[k]);
              if (i[k] >= d.lim[k]) {
                real = 0;
                if (aux >> k & 1) limit = true;
              }
            }
            const uint64_t total = store ? real : d.n[0];
            if (limit) {
              trap(STP_CAUSE_LIMIT, g, in.pc);
              return e;
            }
            if (real > 0 && (g >= kSpace || g + real > kSpace)) {
              trap(STP_CAUSE_GLOBAL_RANGE, g, in.pc);
              return e;
            }
            if (total > 0 && (l >= kLx || l + total > kLx)) {
              trap(STP_CAUSE_LX_RANGE, l, in.pc);
              return e;
            }
            row_pieces(e, store, g, l, total, real, dram, lxmem);
          }
    }
  }
  return e;
}

// --- the bench ---

struct Options {
  unsigned pl_gap = 0;      // percent of cycles without a payload
  unsigned lx_refuse = 0;   // percent
  unsigned post_refuse = 0; // percent; 100: never accepted
};

struct Side {
  const Program *program = nullptr;
  const Expected *expect = nullptr;
  size_t next = 0;   // payload
  size_t pieces = 0; // seen
  size_t posts = 0;
  uint64_t bytes = 0, takes = 0, items = 0;
  uint64_t first = 0, last = 0; // cycle of the first and the last piece
  bool trapped = false;
};

class Bench {
public:
  explicit Bench(const stp::DramConfig &config, uint64_t seed = 1)
      : dram(config), lx(kLx), ctx(std::make_unique<VerilatedContext>()), rng_(seed) {
    ctx->randReset(2);
    ctx->randSeed(static_cast<int>(seed % 1000 + 1));
    top = std::make_unique<Vmni_tb>(ctx.get(), "mni_tb");
    for (auto &b : lx) b = static_cast<uint8_t>(rng_.next());
    top->clear_i = 0;
    top->halt_i = 0;
    top->lu_pl_valid_i = 0;
    top->su_pl_valid_i = 0;
    top->su_lx_rsp_valid_i = 0;
    top->rst_ni = 0;
    for (int i = 0; i < 10; i++) { // the DRAM sees nothing of a master in reset
      bench::drive_dram(top.get(), dram);
      top->clk_i = i % 2;
      top->eval();
    }
    top->rst_ni = 1;
    tick();
  }
  ~Bench() { top->final(); }

  void fill(uint64_t addr, size_t n) {
    std::vector<uint8_t> bytes(n);
    for (auto &b : bytes) b = static_cast<uint8_t>(rng_.next());
    dram.write(addr, bytes.data(), n);
  }

  void clear() {
    top->clear_i = 1;
    tick();
    top->clear_i = 0;
    acked_.clear();
    slots_.assign(256, 0);
    su_writes_ = 0;
  }

  // Runs both programs to their ends; what they do must be what the reference does.
  void run(const Program &lu, const Program &su, const Options &o, uint64_t limit = 400000) {
    const Expected le = reference(false, lu, dram, lx), se = reference(true, su, dram, lx);
    top->lu_pl_valid_i = 0;
    top->su_pl_valid_i = 0;
    clear();
    Side a, b;
    a.program = &lu;
    a.expect = &le;
    b.program = &su;
    b.expect = &se;
    const uint64_t start = now;
    while (!(finished(a, true) && finished(b, false))) {
      cycle(a, b, o);
      if (now - start > limit) {
        print_error("no end: LU %zu/%zu payloads %zu/%zu pieces %zu/%zu posts, SU %zu/%zu %zu/%zu "
                    "%zu/%zu\n",
                    a.next, lu.insns.size(), a.pieces, le.pieces.size(), a.posts, le.posts.size(),
                    b.next, su.insns.size(), b.pieces, se.pieces.size(), b.posts, se.posts.size());
        fail();
      }
    }
    // Nothing more may come.
    for (int i = 0; i < 300; i++) cycle(a, b, o);
    assert_int_equal(a.pieces, le.pieces.size());
    assert_int_equal(b.pieces, se.pieces.size());
    assert_int_equal(a.posts, le.posts.size());
    assert_int_equal(b.posts, se.posts.size());
    assert_int_equal(a.trapped, le.trap);
    assert_int_equal(b.trapped, se.trap);
    check_counts(a, le);
    check_counts(b, se);
    // The DRAM holds what MNI-SU wrote: later pieces over earlier ones.
    std::unordered_map<uint64_t, uint8_t> bytes;
    for (const Piece &p : se.pieces)
      for (unsigned i = 0; i < 128; i++)
        if (p.strb[i / 8] >> (i % 8) & 1) bytes[p.stick * 128 + i] = p.data[i];
    for (auto &kv : bytes) {
      uint8_t got;
      dram.read(kv.first, &got, 1);
      assert_int_equal(got, kv.second);
    }
    assert_string_equal(dram.error().c_str(), "");
    lu_side = a;
    su_side = b;
  }

  void cycle(Side &a, Side &b, const Options &o) {
    offer_lu(a, o);
    offer_su(b, o);
    top->lu_post_ready_i = !rng_.percent(o.post_refuse);
    top->su_post_ready_i = !rng_.percent(o.post_refuse);
    top->lu_lx_req_ready_i = !rng_.percent(o.lx_refuse);
    top->su_lx_req_ready_i = !rng_.percent(o.lx_refuse);
    top->su_lx_rsp_valid_i = read_[1].valid;
    if (read_[1].valid) std::memcpy(top->su_lx_rsp_data_i.data(), read_[1].data, 128);
    settle();
    observe_lu(a);
    observe_su(b);
    edge();
    if (taken_lu_) top->lu_pl_valid_i = 0;
    if (taken_su_) top->su_pl_valid_i = 0;
  }

  void tick() {
    settle();
    edge();
  }

  stp::Dram dram;
  std::vector<uint8_t> lx;
  std::unique_ptr<VerilatedContext> ctx; // outlives top
  std::unique_ptr<Vmni_tb> top;
  uint64_t now = 0;
  Side lu_side, su_side;
  size_t trap_after = SIZE_MAX; // pieces done at a trap, where not all of the expected ones

private:
  struct Read {
    bool valid = false;
    uint8_t data[128];
  };

  void settle() {
    bench::drive_dram(top.get(), dram);
    top->clk_i = 0;
    top->eval();
  }
  void edge() {
    bench::step_dram(top.get(), dram);
    read_[1] = read_[0];
    read_[0].valid = top->su_lx_req_valid_o && top->su_lx_req_ready_i && top->rst_ni;
    if (read_[0].valid) std::memcpy(read_[0].data, &lx[top->su_lx_req_addr_o * 128u], 128);
    top->clk_i = 1;
    top->eval();
    now++;
  }

  bool finished(const Side &s, bool lu) const {
    const bool idle = lu ? top->lu_idle_o : top->su_idle_o;
    if (s.expect->trap) return s.trapped;
    return s.next == s.program->insns.size() && idle && s.posts == s.expect->posts.size();
  }

  void check_counts(const Side &s, const Expected &e) {
    uint64_t bytes = 0;
    for (const Piece &p : e.pieces)
      for (uint8_t m : p.strb) bytes += static_cast<unsigned>(__builtin_popcount(m));
    assert_int_equal(s.bytes, bytes);
    assert_int_equal(s.items, e.pieces.size());
    assert_int_equal(s.takes, s.next);
  }

  void offer_lu(Side &s, const Options &o) {
    if (!top->lu_pl_valid_i && s.next < s.program->insns.size() && !rng_.percent(o.pl_gap))
      top->lu_pl_valid_i = 1;
    if (top->lu_pl_valid_i) {
      const Insn &i = s.program->insns[s.next];
      top->lu_pl_insn_i = i.insn;
      top->lu_pl_a_i = i.a;
      top->lu_pl_b_i = i.b;
      top->lu_pl_c_i = i.c;
      top->lu_pl_pc_i = i.pc;
    }
  }
  void offer_su(Side &s, const Options &o) {
    if (!top->su_pl_valid_i && s.next < s.program->insns.size() && !rng_.percent(o.pl_gap))
      top->su_pl_valid_i = 1;
    if (top->su_pl_valid_i) {
      const Insn &i = s.program->insns[s.next];
      top->su_pl_insn_i = i.insn;
      top->su_pl_a_i = i.a;
      top->su_pl_b_i = i.b;
      top->su_pl_c_i = i.c;
      top->su_pl_pc_i = i.pc;
    }
  }

  void see_piece(Side &s, uint64_t stick, const uint32_t *data, const uint32_t *strb,
                 unsigned bytes) {
    assert_true(s.pieces < s.expect->pieces.size());
    const Piece &p = s.expect->pieces[s.pieces];
    assert_int_equal(stick, p.stick);
    assert_memory_equal(strb, p.strb, 16);
    uint8_t got[128];
    std::memcpy(got, data, 128);
    for (unsigned i = 0; i < 128; i++)
      if (!(p.strb[i / 8] >> (i % 8) & 1)) got[i] = 0;
    assert_memory_equal(got, p.data, 128);
    if (s.pieces == 0) s.first = now;
    s.last = now;
    s.pieces++;
    s.bytes += bytes;
  }
  void see_post(Side &s, unsigned id, size_t done) {
    assert_true(s.posts < s.expect->posts.size());
    const Post &p = s.expect->posts[s.posts++];
    assert_int_equal(id, p.id);
    assert_true(done >= p.pieces);
  }
  void see_trap(Side &s, unsigned cause, uint64_t addr, unsigned pc, size_t done) {
    assert_true(s.expect->trap);
    assert_int_equal(cause, s.expect->cause);
    assert_int_equal(addr, s.expect->addr);
    assert_int_equal(pc, s.expect->pc);
    assert_int_equal(done, trap_after != SIZE_MAX ? trap_after : s.expect->pieces.size());
    assert_int_equal(s.posts, s.expect->posts.size());
    s.trapped = true;
  }

  void observe_lu(Side &s) {
    if (s.trapped) assert_false(top->lu_pl_ready_o);
    taken_lu_ = top->lu_pl_valid_i && top->lu_pl_ready_o;
    if (taken_lu_) s.next++;
    if (top->lu_lx_req_valid_o && top->lu_lx_req_ready_i) {
      assert_true(top->lu_lx_req_we_o);
      see_piece(s, top->lu_lx_req_addr_o, top->lu_lx_req_wdata_o.data(),
                top->lu_lx_req_wstrb_o.data(), top->lu_ev_bytes_o);
    }
    if (top->lu_post_valid_o && top->lu_post_ready_i) {
      see_post(s, top->lu_post_id_o, s.pieces);
      // Nothing of a later transfer is written before the post.
      assert_int_equal(s.pieces, s.expect->posts[s.posts - 1].pieces);
    }
    if (top->lu_trap_valid_o && !s.trapped)
      see_trap(s, top->lu_trap_cause_o, top->lu_trap_addr_o, top->lu_trap_pc_o, s.pieces);
    s.takes += top->lu_ev_o >> 5 & 1;
    s.items += top->lu_ev_o & 1;
  }
  void observe_su(Side &s) {
    if (s.trapped) assert_false(top->su_pl_ready_o);
    taken_su_ = top->su_pl_valid_i && top->su_pl_ready_o;
    if (taken_su_) s.next++;
    // Responses count at the edge: a post in the same cycle is too early.
    size_t done = 0;
    while (done < acked_.size() && acked_[done]) done++;
    if (top->su_post_valid_o && top->su_post_ready_i) see_post(s, top->su_post_id_o, done);
    if (top->su_trap_valid_o && !s.trapped)
      see_trap(s, top->su_trap_cause_o, top->su_trap_addr_o, top->su_trap_pc_o, done);
    if (top->su_wr_req_valid_o && top->su_wr_req_ready_o) {
      see_piece(s, top->su_wr_req_addr_o, top->su_wr_req_data_o.data(),
                top->su_wr_req_strb_o.data(), top->su_ev_bytes_o);
      slots_[top->su_wr_req_slot_o] = su_writes_++;
      acked_.push_back(false);
    }
    if (top->su_wr_rsp_valid_o) {
      const size_t w = slots_[top->su_wr_rsp_slot_o];
      assert_true(w < acked_.size() && !acked_[w]);
      acked_[w] = !top->su_wr_rsp_err_o;
    }
    if (top->su_lx_req_valid_o) assert_false(top->su_lx_req_we_o);
    s.takes += top->su_ev_o >> 5 & 1;
    s.items += top->su_ev_o & 1;
  }

  Random rng_;
  Read read_[2];
  std::vector<bool> acked_;
  std::vector<size_t> slots_ = std::vector<size_t>(256, 0);
  size_t su_writes_ = 0;
  bool taken_lu_ = false, taken_su_ = false;
};

const Program kNothing;
constexpr uint64_t kLoadBase = 0x100000, kLoadBytes = 0x100000; // read only
constexpr uint64_t kStoreBase = 0x40000000;                     // far from it

Program random_program(Random &r, bool store, bool traps) {
  Program p;
  const unsigned transfers = 1 + static_cast<unsigned>(r.below(8));
  for (unsigned t = 0; t < transfers; t++) {
    int64_t n0 = r.percent(5) ? 0 : r.percent(60) ? r.range(1, 400) : r.range(1, 2500);
    if (r.percent(20)) n0 = 128 * r.range(1, 4);
    p.cfg(STP_CFG_MNI_N0, n0);
    int64_t n[4] = {n0, r.range(1, 9), r.range(1, 3), r.range(1, 3)};
    for (unsigned k = 1; k < 4; k++) {
      if (r.percent(3)) n[k] = 0;
      p.cfg(STP_CFG_MNI_N0 + k, n[k]);
      p.cfg(STP_CFG_MNI_GS1 + k - 1, r.range(-9000, 9000));
      p.cfg(STP_CFG_MNI_LS1 + k - 1, r.percent(50) ? r.range(-9000, 9000) : n0);
      if (r.percent(30))
        p.cfg(STP_CFG_MNI_LIM0 + k, r.range(-2, n[k] + 1));
      else
        p.cfg(STP_CFG_MNI_LIM0 + k, r.percent(50) ? 0xffffff : INT64_MAX);
    }
    p.cfg(STP_CFG_MNI_LIM0, r.percent(30) ? r.range(-5, n0 + 5) : 0xffffff);
    const unsigned posts_before = static_cast<unsigned>(r.below(3));
    for (unsigned k = 0; k < posts_before; k++) p.post(static_cast<unsigned>(r.below(40)));
    uint64_t g = (store ? kStoreBase : kLoadBase) + kLoadBytes / 4 + r.below(kLoadBytes / 2);
    uint64_t l = kLx / 4 + r.below(kLx / 2);
    unsigned aux = 0;
    if (traps && r.percent(30)) {
      switch (r.below(9)) {
      case 0:
        g = kSpace - r.below(3000);
        break;
      case 1:
        l = kLx - r.below(3000);
        break;
      case 2:
        g = r.below(3000);
        break; // negative strides leave the space
      case 3:
        l = r.below(3000);
        break;
      case 4:
        aux = static_cast<unsigned>(r.below(16));
        break;
      case 5:
        p.cfg(STP_CFG_MNI_N0 + static_cast<unsigned>(r.below(4)), r.percent(50) ? 1 << 24 : -1);
        break;
      case 6:
        p.cfg(r.percent(50) ? 7 : 11 + 16 * static_cast<unsigned>(r.below(3)), 1);
        break;
      case 7:
        p.cfg(STP_CFG_MNI_GS1, r.percent(50) ? 1ll << 39 : INT64_MIN);
        break;
      default:
        p.cfg(STP_CFG_MNI_LS2, r.percent(50) ? 1 << 21 : -(1 << 21) - 1);
        break;
      }
    }
    p.xfer(g, l, aux);
    if (r.percent(70)) p.post(static_cast<unsigned>(r.below(40)));
  }
  return p;
}

unsigned rounds() {
  const char *s = getenv("STP_TEST_ROUNDS");
  return s ? static_cast<unsigned>(strtoul(s, nullptr, 10)) : 60;
}

void random_programs(bool traps, uint64_t seed0) {
  for (uint64_t seed = seed0; seed < seed0 + rounds() / 6 + 1; seed++) {
    Random r(seed);
    stp::DramConfig config;
    config.latency = static_cast<uint32_t>(r.range(1, 120));
    if (r.percent(80)) config.random_seed = seed;
    config.random_stall = static_cast<uint32_t>(r.below(60));
    Bench b(config, seed);
    b.fill(kLoadBase, kLoadBytes);
    b.fill(0, 0x10000);
    b.fill(kSpace - 0x10000, 0x10000);
    for (unsigned k = 0; k < 6; k++) {
      Options o;
      if (r.percent(50)) o.pl_gap = static_cast<unsigned>(r.below(90));
      if (r.percent(50)) o.lx_refuse = static_cast<unsigned>(r.below(80));
      if (r.percent(50)) o.post_refuse = static_cast<unsigned>(r.below(95));
      const Program lu = random_program(r, false, traps), su = random_program(r, true, traps);
      if (!traps) {
        b.run(lu, su, o);
      } else { // both go to the ends of memory: one after the other
        b.run(lu, kNothing, o);
        b.run(kNothing, su, o);
      }
    }
  }
}

void random_transfers(void **) {
  random_programs(false, 1);
}
void random_traps(void **) {
  random_programs(true, 1000);
}

// Every alignment of both sides, rows about a stick long.
void every_alignment(void **) {
  stp::DramConfig config;
  config.latency = 20;
  Bench b(config);
  b.fill(kLoadBase, kLoadBytes);
  for (unsigned g = 0; g < 128; g++) {
    Program lu, su;
    for (unsigned l = g % 2; l < 128; l += 2) {
      const int64_t n = 1 + (g * 37 + l * 11) % 300;
      lu.rows(n, 2, 3000, 777);
      lu.xfer(kLoadBase + 50000 + g, 0x40000 + l);
      su.rows(n, 2, 3000, 777);
      su.xfer(kStoreBase + 50000 + g + l * 8192ull, 0x80000 + l);
    }
    b.run(lu, su, Options{});
  }
}

// Cycles from the first to the last piece, inclusive.
uint64_t load_cycles(Bench &b, const Program &p) {
  b.run(p, kNothing, Options{});
  return b.lu_side.last - b.lu_side.first + 1;
}
uint64_t store_cycles(Bench &b, const Program &p) {
  b.run(kNothing, p, Options{});
  return b.su_side.last - b.su_side.first + 1;
}

uint64_t sticks(uint64_t start, uint64_t n) {
  return (start % 128 + n + 127) / 128;
}

void contiguous_rate(void **) {
  Bench b{stp::DramConfig{}};
  b.fill(kLoadBase, kLoadBytes);
  for (unsigned misalign : {0u, 1u, 64u, 127u}) {
    Program p;
    p.rows(65536);
    p.xfer(kLoadBase + misalign, 4096);
    const uint64_t load = load_cycles(b, p);
    Program q;
    q.rows(65536);
    q.xfer(kStoreBase + misalign, 4096);
    const uint64_t store = store_cycles(b, q);
    print_message("64 KB, misaligned by %u: load %llu cycles, store %llu\n", misalign,
                  (unsigned long long)load, (unsigned long long)store);
    // First piece to last: one cycle per piece.
    assert_int_equal(load, 512);
    assert_int_equal(store, sticks(misalign, 65536));
  }
}

// Rows of 128 to 512 bytes at any alignment: a row takes as many cycles as the side with more
// sticks has.
void strided_rate(void **) {
  Bench b{stp::DramConfig{}};
  b.fill(kLoadBase, kLoadBytes);
  Random r(7);
  uint64_t dram_sticks = 0, cycles = 0, extra = 0;
  for (unsigned k = 0; k < 60; k++) {
    const uint64_t n = static_cast<uint64_t>(r.range(128, 512)), rows = 400;
    const uint64_t ga = r.below(128), la = r.percent(50) ? 0 : r.below(128);
    const int64_t gs = 1024, ls = 512 + 128; // the alignment stays
    const uint64_t d = sticks(ga, n), l = sticks(la, n), bound = rows * (d > l ? d : l);
    Program p, q;
    p.rows(static_cast<int64_t>(n), static_cast<int64_t>(rows), gs, ls);
    p.xfer(kLoadBase + ga, la);
    q.rows(static_cast<int64_t>(n), static_cast<int64_t>(rows), gs, ls);
    q.xfer(kStoreBase + ga, la);
    const uint64_t load = load_cycles(b, p), store = store_cycles(b, q);
    assert_true(load <= bound && load + 4 >= bound);
    assert_true(store <= bound && store + 4 >= bound);
    dram_sticks += rows * d;
    cycles += load;
    if (l > d) extra += rows * (l - d);
  }
  print_message("strided rows: %llu DRAM sticks in %llu cycles; %llu of them because LX takes one "
                "write per cycle\n",
                (unsigned long long)dram_sticks, (unsigned long long)cycles,
                (unsigned long long)extra);
}

// A load and a store of different transfers, each with cfg and post, in a row: what a compiled
// kernel does.
void tiles_rate(void **) {
  Program p;
  for (unsigned t = 0; t < 64; t++) {
    p.cfg(STP_CFG_MNI_N0, 128);
    p.cfg(STP_CFG_MNI_N1, 64);
    p.cfg(STP_CFG_MNI_GS1, 1024);
    p.cfg(STP_CFG_MNI_LS1, 128);
    p.xfer(kLoadBase + t * 128, t % 8 * 8192);
    p.post(8);
  }
  uint64_t cycles[2];
  for (unsigned k = 0; k < 2; k++) { // two initial states of all registers and memories
    Bench b(stp::DramConfig{}, k + 1);
    b.fill(kLoadBase, kLoadBytes);
    cycles[k] = load_cycles(b, p);
  }
  print_message("64 tiles of 64 rows of 128 bytes with posts: %llu cycles for 4096 sticks\n",
                (unsigned long long)cycles[0]);
  assert_true(cycles[0] <= 4096 + 64 * 2);
  assert_int_equal(cycles[0], cycles[1]);
}

// Memory ends in the middle of a row. What does not need the failed stick is done, and the unit
// that traps says where.
void bus_errors(void **) {
  constexpr uint64_t end = 0x200000;
  for (uint64_t seed = 0; seed < 8; seed++) {
    stp::DramConfig config;
    config.size = end;
    config.random_seed = seed;
    Bench b(config, seed + 1);
    b.fill(kLoadBase, kLoadBytes);
    for (bool load : {true, false}) {
      Program p;
      p.rows(1000, 10, 1024, 1024);
      p.xfer(load ? kLoadBase : 0x10000, 0x8000);
      p.post(9);
      p.rows(700, 4, 1024, 1024);
      const size_t bad = p.insns.size();
      p.xfer(end - 2000, 0x41);
      Program whole = p;
      whole.post(10);
      whole.xfer(kLoadBase, 0x4000);
      // The second row of the second transfer, at end - 976 + 0 .. 699, is the last good one; the
      // third is all bad.
      Expected e = reference(!load, p, b.dram, b.lx);
      Expected rows;
      row_pieces(rows, !load, end - 2000 + 2048, 0x41 + 2048, 700, 700, b.dram, b.lx);
      row_pieces(rows, !load, end - 2000 + 3072, 0x41 + 3072, 700, 700, b.dram, b.lx);
      e.trap = true;
      e.cause = STP_CAUSE_BUS;
      e.addr = end;
      e.pc = p.insns[bad].pc;
      const size_t good = e.pieces.size() - rows.pieces.size();
      Expected none;
      Side lu, su;
      lu.program = su.program = &kNothing;
      lu.expect = su.expect = &none;
      Side &s = load ? lu : su;
      s.program = &whole;
      s.expect = &e;
      // A store may have made later writes when the answer comes; a load has made none.
      if (load)
        e.pieces.resize(good);
      else
        e = [&] {
          Expected all = reference(true, whole, b.dram, b.lx);
          all.posts.resize(1);
          all.trap = true;
          all.cause = e.cause;
          all.addr = e.addr;
          all.pc = e.pc;
          return all;
        }();
      b.trap_after = good;
      b.clear();
      for (int i = 0; i < 5000 && !s.trapped; i++) b.cycle(lu, su, Options{});
      assert_true(s.trapped);
      assert_false(b.dram.busy());
      for (int i = 0; i < 300; i++) b.cycle(lu, su, Options{});
      assert_int_equal(s.posts, 1);
      b.trap_after = SIZE_MAX;
      // A cleared engine works again.
      Program again;
      again.rows(3000, 3, 4000, 3000);
      again.xfer(kLoadBase, 0x123);
      again.post(3);
      b.run(load ? again : kNothing, load ? kNothing : again, Options{});
    }
  }
}

// A post that nobody takes blocks the unit, on the LX side at once.
void blocked_posts(void **) {
  Bench b{stp::DramConfig{}};
  b.fill(kLoadBase, kLoadBytes);
  Program p;
  p.rows(1000, 3, 1000, 1000);
  p.xfer(kLoadBase, 0);
  p.post(5);
  p.xfer(kLoadBase, 0x8000);
  Program q = p;
  for (Insn &i : q.insns)
    if (i.insn >> 56 == STP_OP_XFER) i.a += kStoreBase;
  const Expected le = reference(false, p, b.dram, b.lx), se = reference(true, q, b.dram, b.lx);
  Side lu, su;
  lu.program = &p;
  lu.expect = &le;
  su.program = &q;
  su.expect = &se;
  b.clear();
  Options never;
  never.post_refuse = 100;
  for (int i = 0; i < 1500; i++) b.cycle(lu, su, never);
  assert_true(b.top->lu_blocked_o);
  assert_true(b.top->su_blocked_o);
  assert_int_equal(lu.pieces, le.posts[0].pieces);
  assert_false(b.top->lu_idle_o);
  for (int i = 0; i < 1500; i++) b.cycle(lu, su, Options{});
  assert_int_equal(lu.pieces, le.pieces.size());
  assert_int_equal(su.pieces, se.pieces.size());
  assert_int_equal(lu.posts, 1);
  assert_int_equal(su.posts, 1);
  assert_true(b.top->lu_idle_o);
  assert_true(b.top->su_idle_o);
  assert_false(b.top->lu_blocked_o);
}

// A halt at any moment: the engines come to rest, and work after a clear.
void halts(void **) {
  stp::DramConfig config;
  for (unsigned at = 0; at < 200; at += 3) {
    config.random_seed = at % 2 ? at : 0;
    Bench b(config, at + 1);
    b.fill(kLoadBase, 0x20000);
    Program p, q;
    for (unsigned k = 0; k < 4; k++) {
      p.rows(777, 10, 1000, 1000);
      p.xfer(kLoadBase + 3, 5);
      p.post(6);
      q.rows(777, 10, 1000, 1000);
      q.xfer(kStoreBase + 3, 5);
      q.post(6);
    }
    const Expected le = reference(false, p, b.dram, b.lx), se = reference(true, q, b.dram, b.lx);
    Side lu, su;
    lu.program = &p;
    lu.expect = &le;
    su.program = &q;
    su.expect = &se;
    b.clear();
    Options o;
    o.lx_refuse = at % 50;
    o.post_refuse = at % 5 == 0 ? 100 : 0;
    for (unsigned i = 0; i < at; i++) b.cycle(lu, su, o);
    b.top->halt_i = 1;
    b.cycle(lu, su, o);
    b.top->halt_i = 0;
    int i = 0;
    while (!(b.top->lu_idle_o && b.top->su_idle_o)) {
      b.cycle(lu, su, o);
      assert_true(++i < 2000);
    }
    const size_t seen = lu.pieces + su.pieces;
    for (i = 0; i < 200; i++) b.cycle(lu, su, Options{});
    assert_int_equal(lu.pieces + su.pieces, seen);
    assert_false(b.top->lu_trap_valid_o || b.top->su_trap_valid_o);
    assert_false(b.dram.busy());
    b.run(p, q, Options{});
  }
}

} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_alignment), cmocka_unit_test(random_transfers),
      cmocka_unit_test(random_traps),    cmocka_unit_test(contiguous_rate),
      cmocka_unit_test(strided_rate),    cmocka_unit_test(tiles_rate),
      cmocka_unit_test(bus_errors),      cmocka_unit_test(blocked_posts),
      cmocka_unit_test(halts),
  };
  return cmocka_run_group_tests_name("mni", tests, nullptr, nullptr);
}
