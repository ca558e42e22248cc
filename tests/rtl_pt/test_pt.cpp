// PT against the integer path of the numerics library: random programs of wload, mm, aload, drain
// and post with random stalls; the cycles of the standard case; traps; halt.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
extern "C" {
#include <cmocka.h>
}
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Vpt.h"
#include "engine_bench.h"
#include "numerics.h"

typedef EngineBench<Vpt> Bench;

template <> void Bench::set_inputs(bool offered[2]) {
  offered[0] = offer(0, top.in_valid_i, top.in_data_i);
  offered[1] = false;
}
template <> void Bench::sample_fires(bool fire[2], const bool offered[2]) {
  fire[0] = offered[0] && top.in_ready_o;
  fire[1] = false;
}
template <> void Bench::sample_events() {
  macs += top.ev_mac_o;
}

static uint64_t wload(unsigned bank, unsigned nblk) {
  return stp_insn(STP_OP_WLOAD, 0, 0, 0, bank | nblk << 2, 0);
}
static uint64_t mm(unsigned bank, unsigned half, unsigned nblk, bool zero, unsigned fmt) {
  return stp_insn(STP_OP_MM, 0, 1, 2, bank | half << 1 | nblk << 2 | (unsigned)zero << 6 | fmt << 7,
                  0);
}
static uint64_t aload(unsigned half, unsigned fmt) {
  return stp_insn(STP_OP_ALOAD, 0, 1, 2, half << 1 | fmt << 7, 0);
}
static uint64_t drain(unsigned half) {
  return stp_insn(STP_OP_DRAIN, 0, 1, 2, half << 1, 0);
}
static uint64_t post(unsigned id) {
  return stp_insn(STP_OP_POST, 0, 0, 0, id, 0);
}

// A 16-bit value: mostly moderate, sometimes anything.
static uint16_t value16(std::mt19937 &r, unsigned fmt) {
  uint32_t x = r();
  if (x % 64 == 0) return (uint16_t)(x >> 16);
  if (fmt == STP_FMT_F16) return (uint16_t)((x >> 16 & 0x83ff) | (8 + (x >> 8) % 12) << 10);
  return (uint16_t)((x >> 16 & 0x807f) | (120 + (x >> 8) % 14) << 7);
}
static Stick stick16(std::mt19937 &r, unsigned fmt) {
  Stick s;
  for (unsigned i = 0; i < 32; i++) s.w[i] = value16(r, fmt) | (uint32_t)value16(r, fmt) << 16;
  return s;
}
static Stick stick32(std::mt19937 &r) {
  Stick s;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t x = r();
    s.w[i] = x % 64 == 0 ? (uint32_t)r() : (x & 0x807fffff) | (110 + (x >> 24) % 30) << 23;
  }
  return s;
}

// What PT means, one payload after the other.
struct Reference {
  const struct stp_num *num = stp_num_fast();
  uint16_t weight[2][64][64];
  uint32_t acc[2][64][64];
  std::vector<Stick> out;
  std::vector<Post> posts;
  size_t taken = 0;

  const Stick *next(const std::vector<Stick> &in) { return &in[taken++]; }
  void run(const Payload &p, const std::vector<Stick> &in) {
    const unsigned aux = stp_insn_aux(p.insn), half = aux >> 1 & 1, bank = aux & 1,
                   nblk = aux >> 2 & 15;
    const unsigned fmt = aux >> 7;
    switch (stp_insn_op(p.insn)) {
    case STP_OP_WLOAD:
      for (unsigned i = 0; i < 8 * nblk; i++) std::memcpy(weight[bank][i], next(in), 128);
      break;
    case STP_OP_MM: {
      uint32_t wide[64][64], a[64];
      num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64 * 64, weight[bank], nullptr, nullptr, wide);
      for (unsigned i = 0; i < p.a; i++) {
        num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64, next(in), nullptr, nullptr, a);
        uint32_t *row = acc[half][p.b + i];
        if (aux >> 6 & 1) std::memset(row, 0, 256);
        num->pt_row(nblk, a, wide, row);
      }
      break;
    }
    case STP_OP_ALOAD:
      for (unsigned i = 0; i < p.a; i++) {
        uint32_t *row = acc[half][p.b + i];
        if (fmt == STP_FMT_F32) {
          std::memcpy(row, next(in), 128);
          std::memcpy(row + 32, next(in), 128);
        } else {
          num->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64, next(in), nullptr, nullptr, row);
        }
      }
      break;
    case STP_OP_DRAIN:
      for (unsigned i = 0; i < 2 * p.a; i++) {
        Stick s;
        std::memcpy(s.w, acc[half][p.b + i / 2] + i % 2 * 32, 128);
        out.push_back(s);
      }
      break;
    default:
      posts.push_back({aux & 63u, out.size(), {taken, 0}});
      break;
    }
  }
};

// Queues payload and sticks on the bench, and has the reference do it.
struct Program {
  Bench &bench;
  Reference ref = {};
  std::vector<Stick> in;
  unsigned pc = 0;
  explicit Program(Bench &b) : bench(b) {}
  void feed(const Stick &s) {
    in.push_back(s);
    bench.in[0].push_back(s);
  }
  void add(uint64_t insn, uint64_t a = 0, uint64_t b = 0) {
    const unsigned op = stp_insn_op(insn), aux = stp_insn_aux(insn), fmt = aux >> 7;
    unsigned n = 0;
    if (op == STP_OP_WLOAD) n = 8 * (aux >> 2 & 15);
    if (op == STP_OP_MM) n = (unsigned)a;
    if (op == STP_OP_ALOAD) n = fmt == STP_FMT_F32 ? 2 * (unsigned)a : (unsigned)a;
    for (unsigned i = 0; i < n; i++)
      feed(op == STP_OP_ALOAD && fmt == STP_FMT_F32 ? stick32(bench.rng) : stick16(bench.rng, fmt));
    Payload p = {insn, a, b, pc++ & 1023};
    bench.payloads.push_back(p);
    ref.run(p, in);
  }
  void check(uint64_t limit) {
    if (!bench.drain(limit)) fail_msg("not done after %llu cycles", (unsigned long long)limit);
    assert_false(bench.top.trap_valid_o);
    assert_int_equal(bench.out.size(), ref.out.size());
    for (size_t i = 0; i < ref.out.size(); i++)
      for (unsigned k = 0; k < 32; k++)
        if (bench.out[i].w[k] != ref.out[i].w[k])
          fail_msg("stick %zu word %u: %08x, want %08x", i, k, bench.out[i].w[k], ref.out[i].w[k]);
    assert_int_equal(bench.posts.size(), ref.posts.size());
    for (size_t i = 0; i < ref.posts.size(); i++) {
      assert_int_equal(bench.posts[i].id, ref.posts[i].id);
      assert_true(bench.posts[i].outs >= ref.posts[i].outs);
      assert_true(bench.posts[i].ins[0] >= ref.posts[i].ins[0]);
    }
    assert_int_equal(bench.takes, pc);
    assert_int_equal(bench.in[0].size(), 0);
    assert_true(bench.top.idle_o);
    assert_false(bench.top.blocked_o);
  }
};

static Bench *g_bench;

// Everything that a random program reads has been written.
static void prologue(Program &p) {
  for (unsigned h = 0; h < 2; h++) {
    p.add(wload(h, 8));
    p.add(aload(h, p.bench.rng() % 3), 64, 0);
  }
}

static void random_program(unsigned seed, unsigned length, Rates rates) {
  Bench &b = *g_bench;
  b.clear();
  b.rng.seed(seed);
  Program p(b);
  b.rates = Rates();
  prologue(p);
  p.check(100000);
  b.rates = rates;
  for (unsigned i = 0; i < length; i++) {
    std::mt19937 &r = b.rng;
    unsigned n = r() % 4 == 0 ? r() % 65 : r() % 12, row = r() % (65 - n), half = r() % 2,
             bank = r() % 2;
    switch (r() % 8) {
    case 0:
      p.add(wload(bank, 1 + r() % 8));
      break;
    case 1:
      p.add(aload(half, r() % 3), n, row);
      break;
    case 2:
    case 3:
      p.add(drain(half), n, row);
      break;
    case 4:
      p.add(post(r() % 40));
      break;
    default:
      p.add(mm(bank, half, 1 + r() % 8, r() % 3 == 0, r() % 2), n, row);
      break;
    }
  }
  for (unsigned h = 0; h < 2; h++) p.add(drain(h), 64, 0);
  p.check(400000);
}

static unsigned long_runs() {
  const char *s = getenv("STP_TEST_RUNS");
  return s != nullptr ? (unsigned)atoi(s) : 6;
}

static void test_random(void **) {
  const Rates rates[6] = {{100, 100, 100, 100}, {100, 60, 100, 100}, {100, 100, 40, 20},
                          {30, 100, 100, 50},   {70, 70, 70, 10},    {100, 25, 25, 100}};
  for (unsigned i = 0; i < long_runs(); i++) random_program(i + 1, 40, rates[i % 6]);
}

// Bank and half alternate, 64 rows, 8 blocks: after the first step one step per cycle to the end,
// and the drains hide.
static void test_full_rate(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  const unsigned n = 6;
  for (unsigned i = 0; i < n; i++) {
    p.add(wload(i % 2, 8));
    p.add(mm(i % 2, i % 2, 8, true, 0), 64, 0);
    p.add(drain(i % 2), 64, 0);
  }
  uint64_t first = 0, last = 0, start = b.cycle, steps = 0;
  while (steps < 512 * n) {
    uint64_t before = b.macs, now = b.cycle;
    b.step();
    if (b.macs != before) {
      if (steps++ == 0) first = now;
      last = now;
    }
    assert_true(b.cycle - start < 10000);
  }
  assert_int_equal(last - first + 1, 512 * n);
  assert_int_equal(first - start, 1 + 64 + 8); // payload, weights, the first group
  p.check(1000);
  assert_int_equal(b.out_cycle.back() - b.out_cycle[b.out_cycle.size() - 128], 127);
  assert_int_equal(b.out_cycle[b.out_cycle.size() - 128] - last,
                   22); // write 20 after the last step, then read and send
}

// One block: a new row each cycle for as long as there are sticks, over instructions of whole
// groups.
static void test_one_block(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  p.add(wload(0, 1));
  for (unsigned i = 0; i < 8; i++) p.add(mm(0, 0, 1, i == 0, 0), 64, 0);
  uint64_t first = 0, last = 0;
  while (b.macs < 512) {
    uint64_t before = b.macs, now = b.cycle;
    b.step();
    if (b.macs != before) {
      if (before == 0) first = now;
      last = now;
    }
    assert_true(now < 1u << 30);
  }
  assert_int_equal(last - first + 1, 512);
  p.add(drain(0), 64, 0);
  p.check(1000);
}

// Fewer rows than the accumulator's latency: four cycles from a row to itself.
static void test_short_groups(void **) {
  Bench &b = *g_bench;
  for (unsigned rows = 1; rows <= 8; rows++) {
    b.clear();
    b.rates = Rates();
    Program p(b);
    p.add(wload(1, 8));
    p.add(mm(1, 1, 8, true, 1), rows, 64 - rows);
    p.add(mm(1, 1, 8, false, 1), rows, 64 - rows);
    p.add(drain(1), rows, 64 - rows);
    uint64_t first = 0, last = 0, start = b.cycle;
    while (b.macs < 16 * rows) {
      uint64_t before = b.macs, now = b.cycle;
      b.step();
      if (b.macs != before) {
        if (before == 0) first = now;
        last = now;
      }
      assert_true(now - start < 2000);
    }
    assert_int_equal(last - first + 1, 15 * (rows < 4 ? 4 : rows) + rows);
    p.check(1000);
  }
}

struct Bad {
  uint64_t insn, a, b;
  unsigned cause;
  uint64_t addr;
};

static void test_traps(void **) {
  const uint64_t low = 0xffffffffffull;
  const Bad bad[] = {
      {stp_insn(STP_OP_CFG, 0, 0, 0, 0, 0), 0, 0, STP_CAUSE_ILLEGAL, (uint64_t)0},
      {stp_insn(STP_OP_VADD, 0, 0, 0, 0, 5), 0, 0, STP_CAUSE_ILLEGAL, 5},
      {wload(0, 0), 0, 0, STP_CAUSE_BAD_OPERAND, 0},
      {wload(0, 9), 0, 0, STP_CAUSE_BAD_OPERAND, 9},
      {wload(0, 1) | 2ull << 32, 0, 0, STP_CAUSE_ILLEGAL, (wload(0, 1) | 2ull << 32) & low},
      {wload(0, 1) | 0x40ull << 32, 0, 0, STP_CAUSE_ILLEGAL, (wload(0, 1) | 0x40ull << 32) & low},
      {mm(0, 0, 15, false, 0), 99, 0, STP_CAUSE_BAD_OPERAND, 15},
      {mm(0, 0, 8, false, 2), 1, 0, STP_CAUSE_ILLEGAL, mm(0, 0, 8, false, 2) & low},
      {mm(0, 0, 8, false, 0), 65, 0, STP_CAUSE_BAD_OPERAND, 65},
      {mm(0, 0, 8, false, 0), 64, 1, STP_CAUSE_BAD_OPERAND, 1},
      {mm(0, 0, 8, false, 0), 0, 65, STP_CAUSE_BAD_OPERAND, 65},
      {mm(0, 0, 8, false, 0), ~0ull, 0, STP_CAUSE_BAD_OPERAND, low},
      {aload(0, 3), 1, 0, STP_CAUSE_ILLEGAL, aload(0, 3) & low},
      {aload(1, 2), 3, 62, STP_CAUSE_BAD_OPERAND, 62},
      {drain(0) | 1ull << 32, 1, 0, STP_CAUSE_ILLEGAL, (drain(0) | 1ull << 32) & low},
      {drain(0), 1, 0xffff000000000040ull, STP_CAUSE_BAD_OPERAND, 0x40},
  };
  Bench &b = *g_bench;
  for (const Bad &t : bad) {
    b.clear();
    b.rates = {100, 100, 30, 100};
    Program p(b);
    p.add(wload(0, 2));
    p.add(mm(0, 0, 2, true, 0), 20, 3);
    p.add(drain(0), 20, 3);
    p.add(post(7));
    const unsigned good = p.pc;
    b.payloads.push_back({t.insn, t.a, t.b, good});
    b.payloads.push_back({drain(1), 64, 0, good + 1});
    assert_true(b.drain(5000));
    assert_true(b.top.trap_valid_o);
    assert_int_equal(b.top.trap_cause_o, t.cause);
    assert_int_equal(b.top.trap_addr_o, t.addr);
    assert_int_equal(b.top.trap_pc_o, good);
    assert_int_equal(b.out.size(), 40);
    assert_true(b.out == p.ref.out);
    assert_int_equal(b.posts.size(), 1);
    b.run(100);
    assert_true(b.top.trap_valid_o);
    assert_int_equal(b.payloads.size(), 1);
    assert_int_equal(b.out.size(), 40);
  }
}

// blocked_o settles where only a FIFO or a post is missing, and is never seen for long where
// something moves.
static void test_blocked(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  p.add(wload(0, 8));
  p.add(mm(0, 0, 8, true, 0), 8, 0);
  std::deque<Stick> held = b.in[0];
  b.in[0].resize(70);
  for (unsigned i = 0; i < 70; i++) held.pop_front();
  b.run(200);
  assert_true(b.top.blocked_o);
  assert_false(b.top.idle_o);
  b.in[0] = held;
  b.step();
  assert_false(b.top.blocked_o);
  b.rates.out = 0;
  p.add(drain(0), 8, 0);
  b.run(400);
  assert_true(b.top.blocked_o);
  b.rates.out = 100;
  b.rates.post = 0;
  p.add(post(3));
  b.run(100);
  assert_true(b.top.blocked_o);
  assert_true(b.top.post_valid_o);
  b.rates.post = 100;
  p.check(1000);
}

// halt drops what is in hand; after a clear the engine works as new.
static void test_halt(void **) {
  Bench &b = *g_bench;
  for (unsigned when = 1; when < 400; when += 13) {
    b.clear();
    b.rates = {100, 100, 50, 100};
    Program p(b);
    for (unsigned i = 0; i < 3; i++) {
      p.add(wload(i % 2, 4));
      p.add(mm(i % 2, 0, 4, true, 0), 64, 0);
      p.add(drain(0), 64, 0);
      p.add(post(1));
    }
    b.run(when);
    b.top.halt_i = 1;
    b.step();
    b.top.halt_i = 0;
    for (unsigned i = 0; i < 40 && !b.top.idle_o; i++) b.step();
    assert_true(b.top.idle_o);
    const uint64_t takes = b.takes;
    b.run(50);
    assert_int_equal(b.takes, takes);
    random_program(when, 3, Rates());
  }
}

static void test_speed(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  const unsigned n = 20;
  for (unsigned i = 0; i < n; i++) {
    p.add(wload(i % 2, 8));
    p.add(mm(i % 2, i % 2, 8, true, 0), 64, 0);
    p.add(drain(i % 2), 64, 0);
  }
  auto t0 = std::chrono::steady_clock::now();
  assert_true(b.drain(100000));
  auto t1 = std::chrono::steady_clock::now();
  const double s = std::chrono::duration<double>(t1 - t0).count();
  print_message("%.1f M simulated multiply-adds per second\n", 512.0 * 512 * n / s * 1e-6);
  b.clear();
  t0 = std::chrono::steady_clock::now();
  b.run(200000);
  t1 = std::chrono::steady_clock::now();
  print_message("%.0f kHz idle\n", 200 / std::chrono::duration<double>(t1 - t0).count());
}

int main(int argc, char **argv) {
  Bench bench(argc, argv);
  g_bench = &bench;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_rate),    cmocka_unit_test(test_one_block),
      cmocka_unit_test(test_short_groups), cmocka_unit_test(test_traps),
      cmocka_unit_test(test_blocked),      cmocka_unit_test(test_halt),
      cmocka_unit_test(test_random),       cmocka_unit_test(test_speed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
