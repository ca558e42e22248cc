// The verilated core against the C model: random programs, every stick, final memory, LX and
// counters; and the cycle counts that the sequencer, LX-LU and LX-SU promise.
//
//   test_core [iterations]
#include "rtl_core.h"

#include "stp_arch.h"
#include "stp_isa.h"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

extern "C" {
#include <cmocka.h>
}

namespace {

using bench::Random;
using bench::RtlCore;
using bench::Timing;

unsigned iterations = 12;

constexpr size_t MEM = 1u << 20;

struct Memory {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(MEM);
  stp_core_io_t io() {
    return {this,
            [](void *u, uint64_t addr, void *buf, size_t n) {
              if (addr + n > MEM) return -1;
              std::memcpy(buf, static_cast<Memory *>(u)->bytes.data() + addr, n);
              return 0;
            },
            [](void *u, uint64_t addr, const void *buf, size_t n) {
              if (addr + n > MEM) return -1;
              std::memcpy(static_cast<Memory *>(u)->bytes.data() + addr, buf, n);
              return 0;
            }};
  }
};

// The sticks that left each unit: address, strobe, and the bytes under it.
struct Streams {
  std::vector<std::vector<uint8_t>> of[STP_UNITS];
  static int tap(void *user, const struct stp_tap *t) {
    std::vector<uint8_t> s(8 + 16 + 128);
    std::memcpy(&s[0], &t->addr, 8);
    std::memcpy(&s[8], t->strb, 16);
    for (unsigned k = 0; k < 128; k++)
      if (t->strb[k / 8] >> k % 8 & 1) s[24 + k] = t->data[k];
    static_cast<Streams *>(user)->of[t->unit].push_back(s);
    return 0;
  }
};

uint64_t insn(unsigned op, unsigned rd = 0, unsigned ra = 0, unsigned rb = 0, unsigned aux = 0,
              int64_t imm = 0) {
  return stp_insn(op, rd, ra, rb, aux, int32_t(imm));
}

struct Program {
  std::vector<uint64_t> words;
  unsigned at() const { return unsigned(words.size()); }
  unsigned emit(uint64_t w) {
    words.push_back(w);
    return at() - 1;
  }
  void li(unsigned rd, int64_t v) { emit(insn(STP_OP_ADDI, rd, 0, 0, 0, v)); }
  void li64(unsigned rd, uint64_t v) {
    emit(insn(STP_OP_ADDI, rd, 0, 0, 0, int32_t(uint32_t(v))));
    emit(insn(STP_OP_MOVHI, rd, rd, 0, 0, int32_t(uint32_t(v >> 32))));
  }
  void cfg(unsigned field, int64_t v) { emit(insn(STP_OP_CFG, 0, 0, 0, field, v)); }
  void post(unsigned peer, unsigned index = 0) {
    emit(insn(STP_OP_POST, 0, 0, 0, peer * 4 + index));
  }
  void wait(unsigned peer, unsigned index = 0) {
    emit(insn(STP_OP_WAIT, 0, 0, 0, peer * 4 + index));
  }
  // A loop of count iterations over what emit_body adds.
  template <class F> void loop(int64_t count, unsigned ra, F emit_body) {
    const unsigned head = emit(0);
    emit_body();
    words[head] = insn(STP_OP_LOOP, 0, ra, 0, 0, int64_t(uint64_t(count) << 12 | (at() - 1)));
  }
  void halt() { emit(insn(STP_OP_HALT)); }
};

using Programs = std::map<unsigned, Program>;

template <class Load> void load_programs(const Programs &programs, Load load) {
  for (const auto &[unit, p] : programs) {
    assert_true(p.words.size() <= STP_PROG_WORDS);
    std::vector<uint64_t> w = p.words;
    w.resize((w.size() + 3) / 4 * 4 + 4, 0);
    for (unsigned row = 0; row < w.size() / 4 && row < STP_PROG_WORDS / 4; row++)
      load(1u << unit, row, &w[4 * row]);
  }
}

uint32_t mask_of(const Programs &programs) {
  uint32_t m = 0;
  for (const auto &p : programs) m |= 1u << p.first;
  return m;
}

uint64_t word(RtlCore &rtl, unsigned unit, unsigned n) {
  uint64_t w[16];
  rtl.status(unit, reinterpret_cast<uint8_t *>(w));
  return w[n];
}

struct Outcome {
  bool halted = false; // every unit
  size_t sticks = 0;   // that left all units
};

// Runs the programs on both and compares everything.
Outcome compare(const Programs &programs, Random &random, const Timing &timing, const char *what,
                uint64_t number) {
  Memory rtl_mem, model_mem;
  for (auto &b : rtl_mem.bytes) b = uint8_t(random.next() >> 20);
  model_mem.bytes = rtl_mem.bytes;
  const stp_core_io_t rtl_io = rtl_mem.io(), model_io = model_mem.io();
  RtlCore rtl(5, 8, rtl_io, timing);
  stp_core_t *model = stp_core_create(5, 8, &model_io);
  assert_non_null(model);
  uint8_t *lx = stp_core_lx(model);
  for (unsigned s = 0; s < STP_LX_STICKS; s++) {
    for (unsigned k = 0; k < 128; k += 8) {
      const uint64_t v = random.next();
      std::memcpy(lx + 128 * s + k, &v, 8);
    }
    rtl.lx_write(s, lx + 128 * s);
  }
  Streams rtl_sticks, model_sticks;
  rtl.tap = Streams::tap;
  rtl.tap_user = &rtl_sticks;
  stp_core_set_tap(model, Streams::tap, &model_sticks);

  rtl.clear();
  stp_core_clear(model);
  load_programs(programs, [&](uint32_t units, unsigned row, const uint64_t *w) {
    rtl.load(0, units, row, w);
    stp_core_load_program(model, units, row, w);
  });
  for (unsigned row = 0; row < STP_ARGS / 4; row++) {
    uint64_t w[4];
    for (auto &v : w) v = random.next() >> random.below(60);
    rtl.load(1, 0x3ff, row, w);
    stp_core_load_args(model, 0x3ff, row, w);
  }
  rtl.start(mask_of(programs));
  stp_core_start(model, mask_of(programs));
  for (unsigned n = 0; stp_core_run(model, 100000) != 0; n++) {
    if (n < 10) continue;
    stp_core_destroy(model); // endless
    return {};
  }
  const uint64_t limit = 3000000;
  if (rtl.run(limit) == limit)
    fail_msg("%s %llu: the RTL does not stop", what, (unsigned long long)number);

  const stp_core_state_t r = rtl.state();
  stp_core_state_t m;
  stp_core_get_state(model, &m);
  bool same = r.running == m.running && r.trapped == m.trapped && r.blocked == m.blocked &&
              r.stopped == m.stopped && r.deadlock == m.deadlock &&
              r.leftover_fifo == m.leftover_fifo && r.leftover_token == m.leftover_token;
  if (!same)
    fail_msg("%s %llu: running %x/%x trapped %x/%x blocked %x/%x deadlock %d/%d leftover %d%d/%d%d",
             what, (unsigned long long)number, r.running, m.running, r.trapped, m.trapped,
             r.blocked, m.blocked, r.deadlock, m.deadlock, r.leftover_fifo, r.leftover_token,
             m.leftover_fifo, m.leftover_token);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const auto &a = rtl_sticks.of[u], &b = model_sticks.of[u];
    for (size_t n = 0; n < a.size() && n < b.size(); n++)
      if (a[n] != b[n])
        fail_msg("%s %llu: unit %u, stick %zu of %zu differs", what, (unsigned long long)number, u,
                 n, b.size());
    if (a.size() != b.size())
      fail_msg("%s %llu: unit %u sends %zu sticks, not %zu", what, (unsigned long long)number, u,
               a.size(), b.size());
    uint64_t rs[16], ms[16];
    rtl.status(u, reinterpret_cast<uint8_t *>(rs));
    stp_core_status(model, u, reinterpret_cast<uint8_t *>(ms));
    for (unsigned w : {STP_STAT_STATE, STP_STAT_TRAP_ADDR, STP_STAT_INSNS, STP_STAT_PAYLOADS,
                       STP_STAT_ITEMS, STP_STAT_BYTES, STP_STAT_MACS})
      // How far a sequencer ran ahead of its engine when that trapped or blocked is its own affair.
      if (rs[w] != ms[w] && (m.running == 0 || w == STP_STAT_STATE) &&
          (m.trapped == 0 || w <= STP_STAT_TRAP_ADDR))
        fail_msg("%s %llu: unit %u, status word %u is %llx, not %llx", what,
                 (unsigned long long)number, u, w, (unsigned long long)rs[w],
                 (unsigned long long)ms[w]);
  }
  for (unsigned s = 0; s < STP_LX_STICKS; s++) {
    uint8_t stick[128];
    rtl.lx_read(s, stick);
    if (std::memcmp(stick, lx + 128 * s, 128) != 0)
      fail_msg("%s %llu: LX stick %x differs", what, (unsigned long long)number, s);
  }
  if (rtl_mem.bytes != model_mem.bytes)
    fail_msg("%s %llu: device memory differs", what, (unsigned long long)number);
  stp_core_destroy(model);
  Outcome o;
  o.halted = r.running == 0 && r.trapped == 0;
  for (const auto &of : rtl_sticks.of) o.sticks += of.size();
  return o;
}

Timing timing_of(unsigned n) {
  Timing t;
  t.seed = n % 3 == 0 ? 0 : n;
  t.init = n + 1;
  return t;
}

// ---------------------------------------------------------------- scalar programs

// Registers 1 .. 20 take part; 21 .. 25 count loops; 26 .. 31 are helpers.
void scalar_body(Program &p, Random &r, unsigned length, unsigned depth, bool lx) {
  static const unsigned regs = 20;
  const auto reg = [&r] { return 1 + unsigned(r.below(regs)); };
  const auto src = [&r] { return unsigned(r.below(regs + 1)); };
  const auto imm = [&r] { return int64_t(int32_t(uint32_t(r.next()))) >> r.below(32); };
  for (unsigned n = 0; n < length; n++) {
    switch (r.below(12)) {
    case 0:
      p.li64(reg(), r.next() >> r.below(64));
      break;
    case 1:
      p.emit(insn(STP_OP_CMOVNZ, reg(), src(), src()));
      break;
    case 2:
      p.emit(insn(STP_OP_ARG, reg(), 0, 0, 0, int64_t(r.below(STP_ARGS))));
      break;
    case 3:
      p.emit(insn(STP_OP_SPR, reg(), 0, 0, unsigned(r.below(4))));
      break;
    case 4:
      if (lx) {
        const unsigned size = unsigned(r.below(4));
        const unsigned base = reg();
        // An address inside LX: three bits of slack at the end for the immediate.
        p.emit(insn(STP_OP_ANDI, 26, base, 0, 0, (STP_LX_BYTES - 64) & ~7));
        p.emit(insn(STP_OP_LDX, reg(), 26, 0, size | unsigned(r.below(2)) << 2,
                    int64_t(r.below(64u >> size)) << size));
      }
      break;
    case 5: {
      // Over one or two instructions, or not.
      const unsigned op = STP_OP_BEQ + unsigned(r.below(6));
      const unsigned head = p.emit(0);
      const unsigned body = 1 + unsigned(r.below(2));
      for (unsigned k = 0; k < body; k++) p.emit(insn(STP_OP_ADDI, reg(), src(), 0, 0, imm()));
      p.emit(insn(STP_OP_NOP));
      p.words[head] = insn(op, 0, src(), src(), 0, p.at() - 1);
      break;
    }
    case 6:
      if (depth < 5) {
        const unsigned count = 21 + depth;
        const int64_t trips = int64_t(r.below(5)) - 1;
        p.li(count, trips + 3);
        p.loop(-3, count, [&] {
          scalar_body(p, r, 1 + unsigned(r.below(4)), depth + 1, lx);
          // Loops never share their last instruction.
          p.emit(insn(STP_OP_ADDI, reg(), src(), 0, 0, imm()));
        });
      }
      break;
    default: {
      static const unsigned n_alu = STP_OP_REMU - STP_OP_ADD + 1;
      const unsigned a = unsigned(r.below(n_alu));
      if (r.below(2) != 0)
        p.emit(insn(STP_OP_ADD + a, reg(), src(), src()));
      else
        p.emit(insn(STP_OP_ADDI + a, reg(), src(), 0, 0, imm()));
      break;
    }
    }
  }
}

void scalar_programs(void **) {
  for (unsigned n = 0; n < iterations; n++) {
    Random r(1000 + n);
    Programs programs;
    for (unsigned u = 0; u < STP_UNITS; u++) {
      const bool lx =
          u != STP_UNIT_PT0 && u != STP_UNIT_SFU0 && u != STP_UNIT_PT1 && u != STP_UNIT_SFU1;
      Program &p = programs[u];
      scalar_body(p, r, 60, 0, lx);
      // The registers leave as the address of a trap: the target of a jump.
      p.li(27, 0);
      for (unsigned k = 1; k <= 20; k++) {
        p.emit(insn(STP_OP_MULI, 27, 27, 0, 0, 0x01000193));
        p.emit(insn(STP_OP_XOR, 27, 27, k));
        p.emit(insn(STP_OP_SHRI, 28, 27, 0, 0, 29));
        p.emit(insn(STP_OP_XOR, 27, 27, 28));
      }
      p.emit(insn(STP_OP_ORI, 27, 27, 0, 0, 1 << 20));
      p.emit(insn(STP_OP_JR, 0, 27));
    }
    compare(programs, r, timing_of(n), "scalar program", n);
  }
}

// ---------------------------------------------------------------- data flow

int64_t near_zero(Random &r, int64_t n) {
  return int64_t(r.below(uint64_t(2 * n + 1))) - n;
}

// A random transfer between memory [lo, lo + span) and LX [lx, lx + 64 KB).
void transfer(Program &p, Random &r, uint64_t lo, uint64_t lx) {
  const unsigned n0 = 1 + unsigned(r.below(r.below(3) == 0 ? 700 : 140));
  const unsigned n1 = 1 + unsigned(r.below(4)), n2 = 1 + unsigned(r.below(3)),
                 n3 = 1 + unsigned(r.below(2));
  p.cfg(STP_CFG_MNI_N0, n0);
  p.cfg(STP_CFG_MNI_N1, n1);
  p.cfg(STP_CFG_MNI_N2, n2);
  p.cfg(STP_CFG_MNI_N3, n3);
  // Rows of a store may not overlap in memory, nor rows of a load in LX, but for a fixed order:
  // both are in program order.
  p.cfg(STP_CFG_MNI_GS1, 1024 + near_zero(r, 200));
  p.cfg(STP_CFG_MNI_GS2, 6000 + near_zero(r, 100));
  p.cfg(STP_CFG_MNI_GS3, 20000 + near_zero(r, 100));
  p.cfg(STP_CFG_MNI_LS1, 1024 + near_zero(r, 200));
  p.cfg(STP_CFG_MNI_LS2, 6000 + near_zero(r, 100));
  p.cfg(STP_CFG_MNI_LS3, 20000 + near_zero(r, 100));
  p.cfg(STP_CFG_MNI_LIM0, r.below(3) == 0 ? int64_t(r.below(n0 + 10)) : 1 << 20);
  p.cfg(STP_CFG_MNI_LIM1, r.below(3) == 0 ? int64_t(r.below(n1 + 2)) : 1 << 20);
  p.li(1, int64_t(lo + r.below(8192)));
  p.li(2, int64_t(lx + r.below(8192)));
  p.emit(insn(STP_OP_XFER, 0, 1, 2));
}

// A random walk over LX of at most max sticks, as cfg, then the ld or st; returns the number of
// sticks.
unsigned walk(Program &p, Random &r, unsigned op, unsigned aux, uint64_t lx, unsigned max) {
  unsigned n[4] = {1 + unsigned(r.below(r.below(3) == 0 ? 60 : 5)), 1 + unsigned(r.below(4)),
                   1 + unsigned(r.below(3)), 1 + unsigned(r.below(2))};
  if (n[0] * n[1] * n[2] * n[3] > max) {
    n[0] = max;
    n[1] = n[2] = n[3] = 1;
  }
  const bool turn = op == STP_OP_LD && r.below(3) == 0;
  const unsigned mode = turn ? 1 + unsigned(r.below(2)) : unsigned(r.below(5)) % 3;
  const int64_t unit = mode == 0 || turn ? 128 : mode == 1 ? 2 : 4;
  static const int64_t span[4] = {3, 60, 150, 200};
  for (unsigned k = 0; k < 4; k++)
    if (r.below(8) != 0)
      p.cfg(STP_CFG_LX_N0 + k, n[k]);
    else
      p.cfg(STP_CFG_LX_N0 + k, n[k] = 1);
  for (unsigned k = 0; k < 4; k++) p.cfg(STP_CFG_LX_S0 + k, near_zero(r, span[k]) * unit);
  p.cfg(STP_CFG_LX_LIM0, r.below(2) == 0 ? int64_t(r.below(128 * n[0] + 300)) : 1 << 30);
  p.cfg(STP_CFG_LX_LIM1, r.below(3) == 0 ? int64_t(r.below(n[1] + 1)) : -1 + (1 << 24));
  if (op == STP_OP_LD) p.cfg(STP_CFG_LX_PAD, int64_t(r.next()));
  // 60 * 3 + 3 * 60 + 2 * 150 + 200 sticks on either side.
  p.li64(1, lx + 128 * 900 + (unit == 128 ? 0 : uint64_t(unit) * r.below(64)));
  const unsigned sticks = n[0] * n[1] * n[2] * n[3];
  const unsigned most = mode == 1 ? 64 : 32;
  unsigned columns = most;
  if (turn) {
    columns = unsigned(r.below(2) == 0 ? 1 << 30 : r.below(70));
    p.cfg(STP_CFG_LX_COLS, columns);
  }
  p.emit(insn(op, 1, 1, 0, aux | mode << 1 | (turn ? 8 : 0), 128));
  return turn ? (sticks + most - 1) / most * (columns < most ? columns : most) : sticks;
}

// MNI-LU fills LX; per corelet LX-LU reads that, SFU passes it on, LX-SU writes elsewhere, and
// MNI-SU stores that.
Programs data_flow(Random &r) {
  Programs programs;
  constexpr uint64_t REGION = 256 * 1024;
  Program &ml = programs[STP_UNIT_MNI_LU], &ms = programs[STP_UNIT_MNI_SU];
  for (Program *p : {&ml, &ms}) p->li64(29, 1ull << 41);
  for (unsigned c = 0; c < 2; c++) {
    Program &lu = programs[STP_UNIT_LX_LU0 + 4 * c], &sfu = programs[STP_UNIT_SFU0 + 4 * c],
            &su = programs[STP_UNIT_LX_SU0 + 4 * c];
    for (Program *p : {&lu, &sfu, &su})
      p->li64(29, 1ull << 41); // an address that is wrong everywhere
    const unsigned rounds = 1 + unsigned(r.below(3));
    for (unsigned k = 0; k < rounds; k++) {
      const unsigned transfers = 1 + unsigned(r.below(3));
      for (unsigned t = 0; t < transfers; t++)
        transfer(ml, r, 64 * 1024 * c, REGION * c + 64 * 1024);
      ml.post(STP_UNIT_LX_LU0 + 4 * c, k);
      lu.wait(STP_UNIT_MNI_LU, k);
      unsigned total = 0;
      const unsigned walks = 1 + unsigned(r.below(3));
      for (unsigned w = 0; w < walks; w++) {
        total += walk(lu, r, STP_OP_LD, 1, REGION * c, 200);
        if (r.below(3) == 0) {
          lu.post(STP_UNIT_LX_LU0 + 4 * c, 3);
          if (r.below(2) == 0)
            lu.post(STP_UNIT_LX_LU0 + 4 * c, 2);
          else
            lu.post(STP_UNIT_SFU0 + 4 * c, 3);
          lu.wait(STP_UNIT_LX_LU0 + 4 * c, 3);
        }
      }
      sfu.loop(total, 0,
               [&] { sfu.emit(insn(STP_OP_VMOV, 0, 0, 0, 0, int64_t(STP_V_OUT | STP_V_X << 6))); });
      unsigned left = total;
      while (left != 0) {
        left -= walk(su, r, STP_OP_ST, 0, REGION * (2 + c), left);
        if (r.below(4) == 0) su.post(STP_UNIT_LX_SU0 + 4 * c, 1);
      }
      su.post(STP_UNIT_MNI_SU, k);
      ms.wait(STP_UNIT_LX_SU0 + 4 * c, k);
      transfer(ms, r, 512 * 1024 + 128 * 1024 * c, REGION * (2 + c) + 32 * 1024);
      // The next round of LX-SU may not overwrite what is being stored, nor that of MNI-LU what is
      // being read.
      ms.post(STP_UNIT_LX_SU0 + 4 * c, k);
      su.wait(STP_UNIT_MNI_SU, k);
      su.post(STP_UNIT_MNI_LU, c);
      ml.wait(STP_UNIT_LX_SU0 + 4 * c, c);
    }
  }
  for (auto &p : programs) p.second.halt();
  return programs;
}

void data_flow_programs(void **) {
  unsigned halted = 0;
  size_t sticks = 0;
  for (unsigned n = 0; n < iterations; n++) {
    Random r(2000 + n);
    const Programs programs = data_flow(r);
    const Outcome o = compare(programs, r, timing_of(n), "data flow", n);
    halted += o.halted;
    sticks += o.sticks;
  }
  std::printf("%u of %u programs halt, %zu sticks compared\n", halted, iterations, sticks);
  assert_true(2 * halted > iterations);
  assert_true(sticks > 100 * iterations);
}

// Makes an instruction wrong, such that accesses of units stay ordered (or the machines could
// rightly differ).
uint64_t broken(Random &r, uint64_t w) {
  const unsigned op = stp_insn_op(w);
  switch (r.below(6)) {
  case 0:
    return 0;
  case 1:
    return insn(STP_OP_HALT);
  case 2:
    return insn(STP_OP_TRAPIF, 0, 29, 0, 0, 42);
  case 3:
    return insn(STP_OP_POST, 0, 0, 0, 11 * 4);
  case 4:
    if (op == STP_OP_POST) return insn(STP_OP_NOP);
    return insn(STP_OP_JR, 0, 29);
  default:
    if (op == STP_OP_CFG) return insn(STP_OP_CFG, 0, 29);
    if (op == STP_OP_XFER && r.below(2) != 0) return insn(STP_OP_XFER, 0, 1, 29);
    if (op == STP_OP_LD || op == STP_OP_ST || op == STP_OP_XFER)
      return (w & ~(0x1full << 46)) | 29ull << 46;
    return insn(STP_OP_VMOV, 0, 0, 0, 0, 63);
  }
}

// One word is wrong: traps, deadlocks, leftovers.
void broken_programs(void **) {
  unsigned stopped = 0;
  for (unsigned n = 0; n < 4 * iterations; n++) {
    Random r(3000 + n);
    Programs programs = data_flow(r);
    auto p = programs.begin();
    std::advance(p, long(r.below(programs.size())));
    uint64_t &w = p->second.words[2 + r.below(p->second.words.size() - 2)];
    w = broken(r, w);
    stopped += !compare(programs, r, timing_of(n), "broken program", n).halted;
  }
  std::printf("%u of %u programs trap or block\n", stopped, 4 * iterations);
  assert_true(stopped > iterations);
}

// ---------------------------------------------------------------- cycles

// Cycles of a unit from start to halt.
uint64_t cycles_of(const Programs &programs, unsigned unit, uint64_t init = 1) {
  Memory mem;
  Timing t;
  t.init = init;
  RtlCore rtl(0, 1, mem.io(), t);
  rtl.clear();
  load_programs(programs, [&](uint32_t units, unsigned row, const uint64_t *w) {
    rtl.load(0, units, row, w);
  });
  rtl.start(mask_of(programs));
  assert_true(rtl.run(1000000) < 1000000);
  assert_int_equal(rtl.state().trapped | rtl.state().running, 0);
  return word(rtl, unit, STP_STAT_CYCLES);
}

void straight_code(void **) {
  // One cycle each, also round hardware loops; two more for the start, two for halt.
  Programs programs;
  Program &p = programs[STP_UNIT_MNI_SU];
  p.halt();
  const uint64_t base = cycles_of(programs, STP_UNIT_MNI_SU);
  assert_in_range(base, 2, 5);
  p.words.clear();
  for (unsigned n = 0; n < 100; n++) p.emit(insn(STP_OP_ADDI, 1, 1, 0, 0, 1));
  p.halt();
  assert_int_equal(cycles_of(programs, STP_UNIT_MNI_SU), base + 100);
  p.words.clear();
  p.loop(10, 0, [&] {
    p.loop(20, 0, [&] { p.emit(insn(STP_OP_ADDI, 1, 1, 0, 0, 1)); });
    p.emit(insn(STP_OP_XORI, 2, 1, 0, 0, 1));
  });
  p.halt();
  assert_int_equal(cycles_of(programs, STP_UNIT_MNI_SU), base + 1 + 10 * (1 + 20 + 1));
}

void streams(void **) {
  // A thousand loads of a stick by a loop of one payload; the same by one payload; and to both
  // corelets at once. Then sixteen blocks through the transposer, four to a payload.
  for (unsigned way = 0; way < 5; way++) {
    Programs programs;
    for (unsigned c = 0; c < (way == 3 ? 2 : 1); c++) {
      Program &lu = programs[STP_UNIT_LX_LU0 + 4 * c], &sfu = programs[STP_UNIT_SFU0 + 4 * c],
              &su = programs[STP_UNIT_LX_SU0 + 4 * c];
      lu.li(1, 4096 * 7 * c);
      su.li(1, 1 << 20 | 4096 * 5 * c);
      if (way == 0) {
        lu.loop(1000, 0, [&] { lu.emit(insn(STP_OP_LD, 1, 1, 0, 1, 128)); });
        su.loop(1000, 0, [&] { su.emit(insn(STP_OP_ST, 1, 1, 0, 0, 128)); });
      } else if (way == 1) {
        // Ten by a payload, with a cfg and a post in each round.
        lu.cfg(STP_CFG_LX_N0, 10);
        lu.cfg(STP_CFG_LX_S0, 128);
        lu.loop(100, 0, [&] {
          lu.cfg(STP_CFG_LX_PAD, 0);
          lu.emit(insn(STP_OP_LD, 1, 1, 0, 1, 1280));
          lu.post(STP_UNIT_LX_SU0, 0);
        });
        su.cfg(STP_CFG_LX_N0, 10);
        su.cfg(STP_CFG_LX_S0, 128);
        su.loop(100, 0, [&] {
          su.wait(STP_UNIT_LX_LU0, 0);
          su.emit(insn(STP_OP_ST, 1, 1, 0, 0, 1280));
        });
      } else if (way == 4) {
        lu.cfg(STP_CFG_LX_N0, 256);
        lu.cfg(STP_CFG_LX_S0, 128);
        lu.loop(4, 0, [&] { lu.emit(insn(STP_OP_LD, 1, 1, 0, 1 | 1 << 1 | 8, 256 * 128)); });
        su.cfg(STP_CFG_LX_N0, 1024);
        su.cfg(STP_CFG_LX_S0, 128);
        su.emit(insn(STP_OP_ST, 1, 1, 0, 0, 0));
      } else {
        lu.cfg(STP_CFG_LX_N0, 1000);
        lu.cfg(STP_CFG_LX_S0, 128);
        lu.emit(insn(STP_OP_LD, 1, 1, 0, 1, 0));
        su.cfg(STP_CFG_LX_N0, 1000);
        su.cfg(STP_CFG_LX_S0, 128);
        su.emit(insn(STP_OP_ST, 1, 1, 0, 0, 0));
      }
      sfu.loop(way == 4 ? 1024 : 1000, 0,
               [&] { sfu.emit(insn(STP_OP_VMOV, 0, 0, 0, 0, int64_t(STP_V_OUT | STP_V_X << 6))); });
      lu.halt();
      sfu.halt();
      su.halt();
    }
    const uint64_t lu = cycles_of(programs, STP_UNIT_LX_LU0),
                   su = cycles_of(programs, STP_UNIT_LX_SU0);
    std::printf("%d sticks, way %u: LX-LU %llu cycles, LX-SU %llu\n", way == 4 ? 1024 : 1000, way,
                (unsigned long long)lu, (unsigned long long)su);
    // Reads and writes of one corelet meet in a bank now and then; with two corelets more often.
    assert_in_range(su, 1000, way >= 3 ? 1150 : 1060);
    assert_in_range(lu, 1000, way >= 3 ? 1150 : 1060);
    assert_int_equal(su, cycles_of(programs, STP_UNIT_LX_SU0, 99));
  }
}

void watchdog(void **) {
  // Halt while transfers are under way: the core comes to rest, and the next job is right.
  Random r(77);
  const Programs flow = data_flow(r);
  for (unsigned after = 20; after < 400; after += 37) {
    Memory mem;
    Timing t;
    t.seed = after;
    RtlCore rtl(0, 1, mem.io(), t);
    rtl.clear();
    load_programs(
        flow, [&](uint32_t units, unsigned row, const uint64_t *w) { rtl.load(0, units, row, w); });
    rtl.start(mask_of(flow));
    rtl.run(after);
    rtl.halt();
    for (unsigned n = 0; n < 500 && rtl.state().running != 0; n++) rtl.tick();
    assert_int_equal(rtl.state().running, 0);
    assert_true(rtl.state().stopped);
    assert_false(rtl.state().deadlock);
    rtl.clear();
    assert_int_equal(rtl.state().leftover_fifo, 0);
    assert_int_equal(rtl.state().leftover_token, 0);
    assert_int_equal(rtl.state().stopped, 0);
    rtl.start(mask_of(flow));
    assert_true(rtl.run(1000000) < 1000000);
    assert_int_equal(rtl.state().running | rtl.state().trapped, 0);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) iterations = unsigned(std::atoi(argv[1]));
  const CMUnitTest tests[] = {
      cmocka_unit_test(scalar_programs), cmocka_unit_test(data_flow_programs),
      cmocka_unit_test(broken_programs), cmocka_unit_test(straight_code),
      cmocka_unit_test(streams),         cmocka_unit_test(watchdog),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
