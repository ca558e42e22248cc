// Every counter of a unit, of small programs, against values that are derived here by hand from
// what the modules promise; and that looking at counters changes nothing.
//
// Cycle n of a unit is the n-th that CYCLES counts: all units start together. In cycle 1 the first
// instruction is fetched, in cycle 2 it executes, and from then on one executes in every cycle
// (seq.sv). A payload that executes in cycle n can be taken by its engine in n + 1. Halt executes,
// and the unit is done in the first cycle after that in which the engine has nothing: that is the
// last one.
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

using bench::RtlCore;
using bench::Timing;

constexpr size_t MEM = 1u << 16;
constexpr unsigned LATENCY = 30;

uint8_t memory[MEM];

const stp_core_io_t io = {nullptr,
                          [](void *, uint64_t addr, void *buf, size_t n) {
                            if (addr + n > MEM) return -1;
                            std::memcpy(buf, memory + addr, n);
                            return 0;
                          },
                          [](void *, uint64_t addr, const void *buf, size_t n) {
                            if (addr + n > MEM) return -1;
                            std::memcpy(memory + addr, buf, n);
                            return 0;
                          }};

uint64_t insn(unsigned op, unsigned rd = 0, unsigned ra = 0, unsigned rb = 0, unsigned aux = 0,
              int64_t imm = 0) {
  return stp_insn(op, rd, ra, rb, aux, int32_t(imm));
}
uint64_t li(unsigned rd, int64_t value) {
  return insn(STP_OP_ADDI, rd, 0, 0, 0, value);
}
uint64_t cfg(unsigned field, int64_t value) {
  return insn(STP_OP_CFG, 0, 0, 0, field, value);
}
uint64_t token(unsigned op, unsigned peer, unsigned index) {
  return insn(op, 0, 0, 0, 4 * peer + index);
}
uint64_t vmov(unsigned vd, unsigned va) {
  return insn(STP_OP_VMOV, 0, 0, 0, 0, int64_t(STP_FMT_F16 << 24 | va << 6 | vd));
}
const uint64_t nop = insn(STP_OP_NOP), halt = insn(STP_OP_HALT);

using Program = std::vector<uint64_t>;
using Programs = std::map<unsigned, Program>;

Program operator+(Program a, const Program &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Program times(unsigned n, uint64_t word) {
  return Program(n, word);
}

struct Counters {
  uint64_t cycles, insns, payloads, busy, in, out, token, mem, items, bytes, macs;
};

// Runs programs; looks at the status of all units in every cycle if it is asked to.
struct Run {
  RtlCore rtl;
  uint64_t cycles = 0;
  explicit Run(const Programs &programs, bool look = false) : rtl(0, 1, io, timing()) {
    rtl.clear();
    uint32_t mask = 0;
    for (const auto &[unit, p] : programs) {
      Program w = p;
      w.resize((w.size() + 3) / 4 * 4, 0);
      for (unsigned row = 0; row < w.size() / 4; row++) rtl.load(0, 1u << unit, row, &w[4 * row]);
      mask |= 1u << unit;
    }
    rtl.start(mask);
    uint8_t stick[128];
    while (!rtl.state().stopped) {
      assert_true(++cycles < 10000);
      if (look)
        rtl.status(unsigned(cycles) % STP_UNITS, stick); // that takes a cycle
      else
        rtl.tick();
    }
    assert_int_equal(rtl.state().running | rtl.state().trapped, 0);
    model(programs, *this);
  }
  // What the model counts, it counts alike.
  static void model(const Programs &programs, Run &r) {
    stp_core_t *m = stp_core_create(0, 1, &io);
    assert_non_null(m);
    uint32_t mask = 0;
    for (const auto &[unit, p] : programs) {
      Program w = p;
      w.resize((w.size() + 3) / 4 * 4, 0);
      for (unsigned row = 0; row < w.size() / 4; row++)
        stp_core_load_program(m, 1u << unit, row, &w[4 * row]);
      mask |= 1u << unit;
    }
    stp_core_start(m, mask);
    while (stp_core_run(m, 100000) != 0) continue;
    for (unsigned u = 0; u < STP_UNITS; u++) {
      uint64_t s[16];
      stp_core_status(m, u, reinterpret_cast<uint8_t *>(s));
      for (unsigned w :
           {STP_STAT_INSNS, STP_STAT_PAYLOADS, STP_STAT_ITEMS, STP_STAT_BYTES, STP_STAT_MACS})
        if (s[w] != r.word(u, w))
          fail_msg("%s: %s is %llu on the model", stp_unit_names[u], stp_counter_names[w],
                   (unsigned long long)s[w]);
    }
    stp_core_destroy(m);
  }
  static Timing timing() {
    Timing t;
    t.latency = LATENCY;
    return t;
  }
  uint64_t word(unsigned unit, unsigned n) {
    uint64_t w[16];
    rtl.status(unit, reinterpret_cast<uint8_t *>(w));
    return w[n];
  }
};

void expect(Run &r, unsigned unit, const Counters &c) {
  const struct {
    unsigned word;
    uint64_t value;
  } all[] = {
      {STP_STAT_CYCLES, c.cycles},     {STP_STAT_INSNS, c.insns},   {STP_STAT_PAYLOADS, c.payloads},
      {STP_STAT_BUSY, c.busy},         {STP_STAT_STALL_IN, c.in},   {STP_STAT_STALL_OUT, c.out},
      {STP_STAT_STALL_TOKEN, c.token}, {STP_STAT_STALL_MEM, c.mem}, {STP_STAT_ITEMS, c.items},
      {STP_STAT_BYTES, c.bytes},       {STP_STAT_MACS, c.macs}};
  bool same = true;
  for (const auto &x : all) {
    const uint64_t is = r.word(unit, x.word);
    if (is != x.value)
      print_message("%s: %s is %llu, not %llu\n", stp_unit_names[unit], stp_counter_names[x.word],
                    (unsigned long long)is, (unsigned long long)x.value);
    same = same && is == x.value;
  }
  assert_true(same);
}

// Two instructions and halt: cycles 2, 3, 4, and 5 to find that the engine has nothing.
void scalars(void **) {
  Programs p;
  for (unsigned u = 0; u < STP_UNITS; u++) p[u] = {li(1, 5), li(2, 6), halt};
  Run r(p);
  for (unsigned u = 0; u < STP_UNITS; u++) expect(r, u, {5, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

// LX-LU posts: ten nops in cycles 2 to 11, the post executes in 12, is taken in 13, and travels as
// a stick would (lx_lu.sv): 14, 15, and in 16 it fires. So the engine has it in hand for 3 cycles;
// 17 is the last. SFU waits from cycle 2; a post of cycle 16 lets the wait pass in 17
// (token_matrix.sv): it has waited 15 cycles, 2 to 16, with nothing in its engine. Halt in 18, 19
// is the last.
void tokens(void **) {
  Run r({{STP_UNIT_LX_LU0, times(10, nop) + Program{token(STP_OP_POST, STP_UNIT_SFU0, 1), halt}},
         {STP_UNIT_SFU0, {token(STP_OP_WAIT, STP_UNIT_LX_LU0, 1), halt}}});
  expect(r, STP_UNIT_LX_LU0, {17, 12, 1, 3, 0, 0, 0, 0, 0, 0, 0});
  expect(r, STP_UNIT_SFU0, {19, 2, 0, 0, 0, 0, 15, 0, 0, 0, 0});
}

// Four sticks from LX-LU by SFU to LX-SU.
// LX-LU: the ld executes in cycle 4 and is taken in 5; its first stick is in the FIFO three cycles
// later (lx_lu.sv), in 8, the others in 9, 10, 11. In hand from 6 on: 6 busy cycles; 12 is the
// last. SFU: the first vmov is taken in 3 and could issue in 4; a stick pushed in 8 can leave in 9
// (stick_fifo.sv), so it waits for input 5 cycles, 4 to 8. The four issue in 9 to 12. Bits are
// written back 3 cycles later and offered in the next (sfu.sv): 13 to 16, so it is busy from 9 to
// 16, 8 cycles; 17 is the last.
// LX-SU: the st is taken in 5 and could write in 6; it waits to 13, 8 cycles, and writes in 14 to
// 17, 4 busy cycles. 18 is the last.
void sticks(void **) {
  const Program move = times(4, vmov(STP_V_OUT, STP_V_X)) + Program{halt};
  const uint64_t n = cfg(STP_CFG_LX_N0, 4), s = cfg(STP_CFG_LX_S0, 128);
  Run r({{STP_UNIT_LX_LU0, {n, s, insn(STP_OP_LD, 0, 0, 0, 1), halt}},
         {STP_UNIT_SFU0, move},
         {STP_UNIT_LX_SU0, {n, s, insn(STP_OP_ST), halt}}});
  expect(r, STP_UNIT_LX_LU0, {12, 4, 3, 6, 0, 0, 0, 0, 4, 512, 0});
  expect(r, STP_UNIT_SFU0, {17, 5, 4, 8, 5, 0, 0, 0, 4, 512, 0});
  expect(r, STP_UNIT_LX_SU0, {18, 4, 3, 4, 8, 0, 0, 0, 4, 512, 0});
}

// Twenty sticks into a FIFO of 16 that SFU begins to empty late.
// LX-LU: as above, the first is read in cycle 6 and in the FIFO in 8, the 16th in 23: busy from 6
// to
// 23. SFU's first vmov executes in 42, after forty nops, is taken in 43 and issues in 44: then a
// place is free, which counts from 45 on (stick_fifo.sv). So 24 to 44 are 21 cycles of a full FIFO.
// The last four are read in 45 to 48 and in the FIFO in 47 to 50: busy from 45 to 50. 51 is the
// last. SFU: vmovs issue in 44 to 63, each when taken the cycle before, without a wait; the last is
// written back in 66. Taken in 43: busy from 44 to 66, 23 cycles; 67 is the last. Its 20 results go
// to a register: nothing leaves.
void full_fifo(void **) {
  Run r({{STP_UNIT_LX_LU0,
          {cfg(STP_CFG_LX_N0, 20), cfg(STP_CFG_LX_S0, 128), insn(STP_OP_LD, 0, 0, 0, 1), halt}},
         {STP_UNIT_SFU0, times(40, nop) + times(20, vmov(1, STP_V_X)) + Program{halt}}});
  expect(r, STP_UNIT_LX_LU0, {51, 4, 3, 24, 0, 21, 0, 0, 20, 2560, 0});
  expect(r, STP_UNIT_SFU0, {67, 61, 20, 23, 0, 0, 0, 0, 0, 0, 0});
}

// A row of 300 bytes from device address 0x180 to LX address 64: three sticks on either side.
// The xfer executes in cycle 5 and is taken in 6. Requests go out four cycles later (mni_lu.sv), in
// 10, 11, 12; the answers come 30 cycles later, 40 to 42, and are written four cycles after that,
// in 44, 45, 46. 47 is the last.
// Two cycles after the xfer is taken the row is an item (mni_rows.sv), in 8; it passes the row
// queue in two (mni_queue.sv), is taken by the aligner in 10 and wants data from 11 on. The first
// answer is in the aligner's window in 43: it waits 32 cycles, 11 to 42. The engine has it in hand
// from 7 on, so 7 to 10, 43, and 44 to 46 are busy: 8.
void load(void **) {
  Run r({{STP_UNIT_MNI_LU,
          {li(4, 0x180), li(5, 64), cfg(STP_CFG_MNI_N0, 300), insn(STP_OP_XFER, 0, 4, 5), halt}}});
  expect(r, STP_UNIT_MNI_LU, {47, 5, 2, 8, 0, 0, 0, 32, 3, 300, 0});
}

// A row of 300 bytes from LX address 64 to device address 0x18a: three sticks on either side, and
// of those in memory 118, 128 and 54 bytes.
// Taken in 6, LX is asked in 10, 11, 12 (mni_su.sv) and answers two cycles later, 12 to 14. The
// aligner has the row in 11, as above. Its first piece begins in the first stick of LX and ends in
// the second, which comes in 13 and is in the window in 15: 4 cycles of waiting, 11 to 14. Pieces
// are written in the cycles after: 16, 17, 18. The answers come in 46, 47, 48: 19 to 48 are 30 more
// cycles of waiting. In 49 the last place is given back, 50 is the last.
// Busy are 7 to 10, 15, 16 to 18 and 49: 9.
void store(void **) {
  Run r({{STP_UNIT_MNI_SU,
          {li(4, 0x18a), li(5, 64), cfg(STP_CFG_MNI_N0, 300), insn(STP_OP_XFER, 0, 4, 5), halt}}});
  expect(r, STP_UNIT_MNI_SU, {50, 5, 2, 9, 0, 0, 0, 34, 3, 300, 0});
}

// A product of 4 rows with one block: 8 sticks of weights, 4 of rows, 8 to drain.
// LX-LU sends 12 sticks as above: into the FIFO in cycles 8 to 19; busy from 6 to 19, 20 is the
// last. PT: wload executes in 3 and is taken in 4; its loader wants sticks from 5 on and gets them
// from 9 on: 4 cycles of an empty FIFO. Weights in 9 to 16, rows in 17 to 20. A group's first step
// is in the cycle after its last row (pt.sv): four steps, 21 to 24, of 512 multiply-adds. The last
// sum is in the accumulators 21 cycles later, written in 44; the drain's first stick leaves two
// cycles after that: 46 to 53. In hand from 5 on, so 9 to 53 are busy, 45 cycles; 54 is the last.
// SFU: its first vmov is taken in 3 and waits from 4 to 46, 43 cycles, for what PT sends in 46.
// They issue in 47 to 54, and the last is written back in 57: 47 to 57 are busy, 58 is the last.
void products(void **) {
  Run r(
      {{STP_UNIT_LX_LU0, {cfg(STP_CFG_LX_N0, 12), cfg(STP_CFG_LX_S0, 128), insn(STP_OP_LD), halt}},
       {STP_UNIT_PT0,
        {li(4, 4), insn(STP_OP_WLOAD, 0, 0, 0, 1 << 2), insn(STP_OP_MM, 0, 4, 0, 1 << 6 | 1 << 2),
         insn(STP_OP_DRAIN, 0, 4), halt}},
       {STP_UNIT_SFU0, times(8, vmov(1, STP_V_P)) + Program{halt}}});
  expect(r, STP_UNIT_LX_LU0, {20, 4, 3, 14, 0, 0, 0, 0, 12, 1536, 0});
  expect(r, STP_UNIT_PT0, {54, 5, 3, 45, 4, 0, 0, 0, 8, 1024, 4 * 512});
  expect(r, STP_UNIT_SFU0, {58, 9, 8, 11, 43, 0, 0, 0, 0, 0, 0});
}

// A post on a counter that is full.
// LX-SU: posts execute in cycles 2 to 17, are taken in 3 to 18 and due in the next, 4 to 19
// (lx_su.sv). Fifteen go, in 4 to 18. The sixteenth waits: SFU's first wait executes in 52, after
// fifty nops, and makes room for a post in 53. So 19 to 52 are 34 cycles of waiting for a token; 4
// to 18 and 53 are busy: 16. 54 is the last. SFU: sixteen waits in 52 to 67 find what they want,
// halt in 68, 69 is the last.
void full_token(void **) {
  Run r({{STP_UNIT_LX_SU0, times(16, token(STP_OP_POST, STP_UNIT_SFU0, 0)) + Program{halt}},
         {STP_UNIT_SFU0,
          times(50, nop) + times(16, token(STP_OP_WAIT, STP_UNIT_LX_SU0, 0)) + Program{halt}}});
  expect(r, STP_UNIT_LX_SU0, {54, 17, 16, 16, 0, 0, 34, 0, 0, 0, 0});
  expect(r, STP_UNIT_SFU0, {69, 67, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

// Looking at the status of units in every cycle changes neither cycles nor counters.
void looking(void **) {
  const Program move = times(40, vmov(STP_V_OUT, STP_V_X)) + Program{halt};
  const uint64_t n = cfg(STP_CFG_LX_N0, 40), s = cfg(STP_CFG_LX_S0, 128);
  const Programs p = {{STP_UNIT_LX_LU0, {n, s, insn(STP_OP_LD, 0, 0, 0, 1), halt}},
                      {STP_UNIT_SFU0, move},
                      {STP_UNIT_LX_SU0, {n, s, insn(STP_OP_ST), halt}}};
  uint64_t cycles[2], words[2][STP_UNITS][STP_COUNTERS];
  for (unsigned look = 0; look < 2; look++) {
    Run r(p, look != 0);
    cycles[look] = r.cycles;
    for (unsigned u = 0; u < STP_UNITS; u++)
      for (unsigned w = 0; w < STP_COUNTERS; w++) words[look][u][w] = r.word(u, w);
  }
  assert_true(cycles[0] == cycles[1]);
  assert_memory_equal(words[0], words[1], sizeof words[0]);
}

} // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalars),   cmocka_unit_test(tokens),     cmocka_unit_test(sticks),
      cmocka_unit_test(full_fifo), cmocka_unit_test(full_token), cmocka_unit_test(load),
      cmocka_unit_test(store),     cmocka_unit_test(products),   cmocka_unit_test(looking),
  };
  return cmocka_run_group_tests_name("counters", tests, nullptr, nullptr);
}
