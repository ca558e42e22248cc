// SFU against the numerics library: every instruction on hard and random values, random programs
// with random stalls, cycles of the pipeline, traps, halt.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
extern "C" {
#include <cmocka.h>
}
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "../rtl_pt/engine_bench.h"
#include "Vsfu.h"
#include "numerics.h"

typedef EngineBench<Vsfu> Bench;

template <> void Bench::set_inputs(bool offered[2]) {
  offered[0] = offer(0, top.x_valid_i, top.x_data_i);
  offered[1] = offer(1, top.p_valid_i, top.p_data_i);
}
template <> void Bench::sample_fires(bool fire[2], const bool offered[2]) {
  if ((!offered[0] && top.x_ready_o) || (!offered[1] && top.p_ready_o)) std::abort();
  fire[0] = offered[0] && top.x_ready_o;
  fire[1] = offered[1] && top.p_ready_o;
}
template <> void Bench::sample_events() {}

// An instruction of SFU, as assembly would spell it.
struct Insn {
  unsigned op, fmt, vd, va = 0, vb = 0, vc = 0, fn = 0, sfmt = 0, tee = 0;
  uint64_t word() const {
    return stp_insn(op, 0, 1, 2, tee | fn << 1 | sfmt << 5,
                    (int32_t)(vd | va << 6 | vb << 12 | vc << 18 | fmt << 24));
  }
};

static unsigned sources_of(unsigned op) {
  switch (op) {
  case STP_OP_VLANE:
    return 0;
  case STP_OP_VMOV:
  case STP_OP_VABS:
  case STP_OP_VNEG:
  case STP_OP_VNOT:
  case STP_OP_VCVT:
  case STP_OP_VPACK:
  case STP_OP_VUNPACK:
  case STP_OP_VACC:
  case STP_OP_VFOLD:
  case STP_OP_VSPLAT:
  case STP_OP_VFUNC:
  case STP_OP_VSQRT:
    return 1;
  case STP_OP_VFMA:
  case STP_OP_VSEL:
    return 3;
  default:
    return 2;
  }
}
static bool unpacks(unsigned op) {
  return op == STP_OP_VUNPACK || op == STP_OP_VACC;
}
static bool pair_source(unsigned op, unsigned fmt) {
  return op == STP_OP_VPACK || (fmt == STP_FMT_F32P && !unpacks(op));
}
static unsigned source_bytes(unsigned op, unsigned fmt) {
  return op == STP_OP_VPACK ? 4 : unpacks(op) ? 2 : stp_fmt_bytes(fmt);
}

// What SFU means, one payload after the other.
struct Reference {
  const struct stp_num *num = stp_num_exact();
  Stick reg[32];
  std::vector<Stick> out;
  std::vector<Post> posts;
  size_t taken[2] = {0, 0};

  void run(const Insn &i, uint64_t a, uint64_t b, const std::vector<Stick> in[2]) {
    const bool pair = i.fmt == STP_FMT_F32P, psrc = pair_source(i.op, i.fmt);
    const unsigned bytes = source_bytes(i.op, i.fmt), obytes = stp_fmt_bytes(i.fmt);
    const unsigned lanes = obytes == 2 || pair ? 64 : 32;
    const unsigned operand[3] = {i.va, i.vb, i.vc};
    union Vec {
      Stick s[2];
      uint16_t h[128];
      uint32_t w[64];
    } v[3], r;
    for (unsigned n = 0; n < sources_of(i.op); n++) {
      const unsigned o = operand[n];
      if (o < 32) {
        v[n].s[0] = reg[o];
        if (psrc) v[n].s[1] = reg[o + 1];
      } else if (o == STP_V_X || o == STP_V_P) {
        v[n].s[0] = in[o - STP_V_X][taken[o - STP_V_X]++];
      } else {
        const uint64_t x = o == STP_V_SA ? a : o == STP_V_SB ? b : 0;
        for (unsigned k = 0; k < 64; k++) {
          if (bytes == 2)
            v[n].h[k] = v[n].h[k + 64] = (uint16_t)x;
          else
            v[n].w[k] = (uint32_t)x;
        }
      }
    }
    if (i.op == STP_OP_VFOLD || i.op == STP_OP_VSPLAT) {
      uint32_t x;
      if (i.op == STP_OP_VFOLD)
        x = num->fold(i.fn, i.fmt, lanes, &v[0]);
      else
        x = bytes == 2 ? v[0].h[i.vb] : v[0].w[i.vb];
      for (unsigned k = 0; k < 64; k++) {
        if (obytes == 2)
          r.h[k] = (uint16_t)x;
        else
          r.w[k] = x;
      }
    } else if (i.op == STP_OP_VLANE) {
      for (unsigned k = 0; k < 32; k++) r.w[k] = k + (uint32_t)a;
    } else {
      const void *c = i.op == STP_OP_VACC ? (const void *)&reg[i.vd] : (const void *)&v[2];
      assert_true(num->row(i.op, i.fn, i.fmt, i.sfmt, lanes, &v[0], &v[1], c, &r));
    }
    if (i.vd < 32) {
      reg[i.vd] = r.s[0];
      if (pair) reg[i.vd + 1] = r.s[1];
    }
    if (i.vd == STP_V_OUT || i.tee) out.push_back(r.s[0]);
  }
};

static uint16_t hard16(std::mt19937 &r) {
  static const uint16_t v[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00,
                               0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe12, 0x7f80,
                               0xff80, 0x7fc0, 0x7f81, 0x0080, 0x007f, 0x3f80, 0xbf80, 0x7f7f};
  return v[r() % (sizeof v / sizeof v[0])];
}
static uint32_t hard32(std::mt19937 &r) {
  static const uint32_t v[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                               0x00800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000,
                               0xff800000, 0x7f800001, 0x7fc00000, 0xffc12345, 0x477fe000,
                               0x477ff000, 0x33000000, 0x38800000, 0x387fc000, 0x4f000000,
                               0xcf000000, 0x42b17218, 0xc2cff1b5, 31};
  return v[r() % (sizeof v / sizeof v[0])];
}
// A stick of one kind of data: any bits, moderate f16, bf16 or f32, hard values of 16 or 32 bits,
// small integers.
static Stick stick(std::mt19937 &r) {
  Stick s;
  const unsigned kind = r() % 7;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t x = r(), y = r();
    switch (kind) {
    case 0:
      s.w[i] = x;
      break;
    case 1:
      s.w[i] = (x & 0x83ff83ff) | (8 + (y & 0xf)) << 10 | (8 + (y >> 4 & 0xf)) << 26;
      break;
    case 2:
      s.w[i] = (x & 0x807f807f) | (120 + (y & 0xf)) << 7 | (120 + (y >> 4 & 0xf)) << 23;
      break;
    case 3:
      s.w[i] = (x & 0x807fffff) | (112 + (y & 0x1f)) << 23;
      break;
    case 4:
      s.w[i] = hard16(r) | (uint32_t)hard16(r) << 16;
      break;
    case 5:
      s.w[i] = hard32(r);
      break;
    default:
      s.w[i] = (uint32_t)((int32_t)x >> (y & 31));
      break;
    }
  }
  return s;
}
static uint64_t scalar(std::mt19937 &r) {
  switch (r() % 3) {
  case 0:
    return hard32(r);
  case 1:
    return hard16(r);
  default:
    return r() | (uint64_t)r() << 32;
  }
}

struct Program {
  Bench &bench;
  Reference ref = {};
  std::vector<Stick> in[2];
  unsigned pc = 0;
  explicit Program(Bench &b) : bench(b) {}
  void feed(unsigned n) {
    in[n].push_back(stick(bench.rng));
    bench.in[n].push_back(in[n].back());
  }
  void add(const Insn &i) {
    const unsigned operand[3] = {i.va, i.vb, i.vc};
    for (unsigned n = 0; n < sources_of(i.op); n++)
      if (operand[n] == STP_V_X || operand[n] == STP_V_P) feed(operand[n] - STP_V_X);
    Payload p = {i.word(), scalar(bench.rng), scalar(bench.rng), pc++ & 1023};
    bench.payloads.push_back(p);
    ref.run(i, p.a, p.b, in);
  }
  void add_post(unsigned id) {
    bench.payloads.push_back({stp_insn(STP_OP_POST, 0, 0, 0, id, 0), 0, 0, pc++ & 1023});
    ref.posts.push_back({id, ref.out.size(), {ref.taken[0], ref.taken[1]}});
  }
  void load_all() {
    for (unsigned i = 0; i < 32; i++) add({STP_OP_VMOV, STP_FMT_I32, i, STP_V_X});
  }
  void dump_all() {
    for (unsigned i = 0; i < 32; i++) add({STP_OP_VMOV, STP_FMT_I32, STP_V_OUT, i});
  }
  void check(uint64_t limit) {
    if (!bench.drain(limit)) fail_msg("not done after %llu cycles", (unsigned long long)limit);
    if (bench.top.trap_valid_o)
      fail_msg("trap %u at payload %u", bench.top.trap_cause_o, bench.top.trap_pc_o);
    assert_int_equal(bench.out.size(), ref.out.size());
    for (size_t i = 0; i < ref.out.size(); i++)
      for (unsigned k = 0; k < 32; k++)
        if (bench.out[i].w[k] != ref.out[i].w[k])
          fail_msg("stick %zu word %u: %08x, want %08x", i, k, bench.out[i].w[k], ref.out[i].w[k]);
    assert_int_equal(bench.posts.size(), ref.posts.size());
    for (size_t i = 0; i < ref.posts.size(); i++) {
      assert_int_equal(bench.posts[i].id, ref.posts[i].id);
      assert_true(bench.posts[i].outs >= ref.posts[i].outs);
      for (int n = 0; n < 2; n++) assert_true(bench.posts[i].ins[n] >= ref.posts[i].ins[n]);
    }
    assert_int_equal(bench.takes, pc);
    assert_true(bench.in[0].empty() && bench.in[1].empty());
    assert_true(bench.top.idle_o);
    assert_false(bench.top.blocked_o);
  }
};

static Bench *g_bench;

// Every legal combination of opcode, function and formats.
static std::vector<Insn> combinations() {
  std::vector<Insn> all;
  for (unsigned op = STP_OP_VMOV; op <= STP_OP_VSQRT; op++)
    for (unsigned fmt = 0; fmt < STP_FMT_DL16; fmt++) {
      const uint16_t formats = stp_insn_table[op].formats;
      if ((formats >> fmt & 1) == 0) continue;
      for (unsigned fn = 0; fn < 16; fn++)
        for (unsigned sfmt = 0; sfmt < STP_FMT_DL16; sfmt++) {
          if (op == STP_OP_VCMP) {
            if (fmt == STP_FMT_I32 && (fn == STP_VCMP_ORD || fn == STP_VCMP_UNO)) continue;
          } else if (op == STP_OP_VFOLD) {
            if (fn > STP_VFOLD_MAXNUM || (fn == STP_VFOLD_ADD && stp_fmt_bytes(fmt) == 2)) continue;
          } else if (op == STP_OP_VFUNC) {
            if (fn >= STP_VFUNCS) continue;
          } else if (fn != 0) {
            continue;
          }
          if (op == STP_OP_VCVT) {
            if ((formats >> sfmt & 1) == 0 || stp_fmt_bytes(fmt) != stp_fmt_bytes(sfmt)) continue;
          } else if (sfmt != 0 && !(unpacks(op) && sfmt == STP_FMT_BF16)) {
            continue;
          }
          Insn i = {op, fmt, 0};
          i.fn = fn;
          i.sfmt = sfmt;
          all.push_back(i);
        }
    }
  return all;
}

// Gives the instruction random operands.
static Insn operands(Insn i, std::mt19937 &r) {
  const bool psrc = pair_source(i.op, i.fmt), pair = i.fmt == STP_FMT_F32P;
  unsigned *v[3] = {&i.va, &i.vb, &i.vc};
  bool used[2] = {false, false};
  for (unsigned n = 0; n < sources_of(i.op); n++) {
    unsigned o = r() % 3 == 0 ? 32 + r() % 5 : r() % 32;
    if (psrc) o = o < 32 ? o & ~1u : o < STP_V_SA ? o + 2 : o;
    if (o == STP_V_X || o == STP_V_P) {
      if (used[o - STP_V_X])
        o = STP_V_ZERO;
      else
        used[o - STP_V_X] = true;
    }
    *v[n] = o;
  }
  if (i.op == STP_OP_VSPLAT) i.vb = r() % (stp_fmt_bytes(i.fmt) == 2 ? 64 : 32);
  if (pair) {
    i.vd = r() % 16 * 2;
  } else {
    i.vd = r() % 3 == 0 ? (unsigned)STP_V_OUT : (unsigned)(r() % 32);
    i.tee = i.vd != STP_V_OUT && r() % 4 == 0;
  }
  return i;
}

static unsigned runs(unsigned dflt) {
  const char *s = getenv("STP_TEST_RUNS");
  return s != nullptr ? (unsigned)atoi(s) : dflt;
}

// Each combination by itself, its result read back.
static void test_each(void **) {
  Bench &b = *g_bench;
  b.rng.seed(1);
  b.rates = Rates();
  for (const Insn &c : combinations()) {
    b.clear();
    Program p(b);
    p.load_all();
    for (unsigned n = 0; n < runs(4); n++) {
      Insn i = operands(c, b.rng);
      p.add(i);
      if (i.vd != STP_V_OUT) p.add({STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, i.vd});
      if (i.fmt == STP_FMT_F32P) p.add({STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, i.vd + 1});
    }
    p.dump_all();
    if (!b.drain(4000 + 100 * runs(4)) || b.top.trap_valid_o || b.out != p.ref.out) {
      for (size_t k = 0; k < p.ref.out.size() && k < b.out.size(); k++)
        if (!(b.out[k] == p.ref.out[k]))
          print_message("stick %zu: %08x, want %08x\n", k, b.out[k].w[0], p.ref.out[k].w[0]);
      fail_msg("op %02x fmt %u fn %u sfmt %u: %zu sticks of %zu, trap %u", c.op, c.fmt, c.fn,
               c.sfmt, b.out.size(), p.ref.out.size(), b.top.trap_valid_o ? b.top.trap_cause_o : 0);
    }
  }
}

static void random_program(unsigned seed, unsigned length, Rates rates) {
  static const std::vector<Insn> all = combinations();
  Bench &b = *g_bench;
  b.clear();
  b.rng.seed(seed);
  b.rates = rates;
  Program p(b);
  p.load_all();
  // Few registers make many hazards; whole runs of one class make streams.
  for (unsigned i = 0; i < length; i++) {
    if (b.rng() % 16 == 0) p.add_post(b.rng() % 40);
    Insn c = all[b.rng() % all.size()];
    const unsigned n = b.rng() % 4 == 0 ? 1 + b.rng() % 20 : 1;
    const bool few = b.rng() % 2 == 0;
    for (unsigned k = 0; k < n; k++) {
      Insn x = operands(c, b.rng);
      if (few) {
        if (x.vd < 32) x.vd &= 7;
        if (sources_of(x.op) > 0 && x.va < 32) x.va &= 7;
        if (sources_of(x.op) > 1 && x.vb < 32) x.vb &= 7;
      }
      p.add(x);
    }
  }
  p.dump_all();
  p.check(200000);
}

static void test_random(void **) {
  const Rates rates[6] = {{100, 100, 100, 100}, {100, 60, 100, 100}, {100, 100, 30, 20},
                          {40, 100, 100, 50},   {70, 70, 70, 10},    {100, 30, 30, 100}};
  for (unsigned i = 0; i < runs(12); i++) random_program(i + 1, 300, rates[i % 6]);
}

// Cycles in which n instructions issue, from the first to the last taken payload behind them.
static uint64_t cycles_of(Program &p, const std::vector<Insn> &list) {
  Bench &b = p.bench;
  b.rates = Rates();
  p.check(10000);
  for (const Insn &i : list) p.add(i);
  const size_t before = b.takes;
  while (b.takes == before) b.step();
  const uint64_t first = b.cycle;
  while (b.takes != before + list.size()) b.step();
  const uint64_t last = b.cycle;
  p.check(10000);
  return last - first;
}

static std::vector<Insn> repeat(const std::vector<Insn> &pattern, unsigned n) {
  std::vector<Insn> all;
  for (unsigned i = 0; i < n; i++) all.insert(all.end(), pattern.begin(), pattern.end());
  return all;
}

// Independent instructions issue every cycle; dependent ones and shorter classes wait for the
// stated times.
static void test_cycles(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  p.load_all();
  const unsigned OUT = STP_V_OUT, X = STP_V_X, P = STP_V_P;
  const struct {
    std::vector<Insn> pattern;
    unsigned n;
    uint64_t cycles;
  } cases[] = {
      {{{STP_OP_VADD, STP_FMT_F16, OUT, X, P}}, 60, 59},
      {{{STP_OP_VFMA, STP_FMT_F32P, 2, 4, 6, 8}}, 60, 59},
      {{{STP_OP_VDIV, STP_FMT_F16, OUT, X, 3}}, 60, 59},
      {{{STP_OP_VDIV, STP_FMT_F16, OUT, X, 6}, {STP_OP_VSQRT, STP_FMT_F32P, 2, 4}}, 30, 59},
      {{{STP_OP_VFUNC, STP_FMT_F32P, 2, 4}}, 60, 59},
      {{{STP_OP_VFOLD, STP_FMT_F32P, 2, 4}}, 60, 59},
      {{{STP_OP_VUNPACK, STP_FMT_F32P, 2, X}}, 60, 59},
      {{{STP_OP_VMOV, STP_FMT_F16, OUT, X}, {STP_OP_VAND, STP_FMT_F16, OUT, 1, P}}, 30, 59},
      // Longer classes after shorter ones do not wait.
      {{{STP_OP_VMAX, STP_FMT_F16, 1, 2, 3},
        {STP_OP_VNOT, STP_FMT_F16, 1, 2},
        {STP_OP_VADD, STP_FMT_F16, 1, 2, 3},
        {STP_OP_VFUNC, STP_FMT_F16, 1, 2},
        {STP_OP_VFUNC, STP_FMT_F16, 1, 2, 0, 0, STP_VFUNC_LOG},
        {STP_OP_VFOLD, STP_FMT_F16, 1, 2, 0, 0, 2},
        {STP_OP_VDIV, STP_FMT_F16, 1, 2, 3}},
       1,
       6},
      // The other way round, write-back stays in order: 17 + 1 - 2 cycles.
      {{{STP_OP_VDIV, STP_FMT_F16, 1, 2, 3},
        {STP_OP_VMAX, STP_FMT_F16, 4, 2, 3},
        {STP_OP_VMAX, STP_FMT_F16, 4, 2, 3}},
       1,
       17},
      // Chains: compare 2, bits 3, add 6, exp 7, other functions 14 cycles.
      {{{STP_OP_VMAX, STP_FMT_F16, 1, 1, X}}, 20, 19 * 2},
      {{{STP_OP_VNOT, STP_FMT_F16, 1, 1}}, 20, 19 * 3},
      {{{STP_OP_VACC, STP_FMT_F32P, 2, X}}, 20, 19 * 6},
      {{{STP_OP_VACC, STP_FMT_F32P, 2, X},
        {STP_OP_VACC, STP_FMT_F32P, 4, X},
        {STP_OP_VACC, STP_FMT_F32P, 6, X},
        {STP_OP_VACC, STP_FMT_F32P, 8, X},
        {STP_OP_VACC, STP_FMT_F32P, 10, X},
        {STP_OP_VACC, STP_FMT_F32P, 12, X}},
       10,
       59},
      {{{STP_OP_VFUNC, STP_FMT_F16, 1, 1}}, 20, 19 * 7},
      {{{STP_OP_VFUNC, STP_FMT_F32P, 2, 2, 0, 0, STP_VFUNC_SIN}}, 20, 19 * 14},
      {{{STP_OP_VFUNC, STP_FMT_F16, 1, 1, 0, 0, STP_VFUNC_RECIPROCAL}}, 20, 19 * 17},
      {{{STP_OP_VDIV, STP_FMT_F32, 1, 1, 2}}, 20, 19 * 17},
      {{{STP_OP_VSQRT, STP_FMT_BF16, 1, 1}}, 20, 19 * 17},
      {{{STP_OP_VFOLD, STP_FMT_F32, 1, 1}}, 20, 19 * 16},
  };
  unsigned k = 0;
  for (const auto &c : cases) {
    std::vector<Insn> list = repeat(c.pattern, c.n);
    // A payload is taken as the one before it issues: the last of these is taken as the last of the
    // list issues.
    list.push_back({STP_OP_VMOV, STP_FMT_F16, 31, 30});
    uint64_t cycles = cycles_of(p, list);
    if (cycles != c.cycles + 1)
      fail_msg("case %u: %llu cycles, want %llu", k, (unsigned long long)cycles,
               (unsigned long long)c.cycles + 1);
    k++;
  }
}

static void test_traps(void **) {
  const uint64_t low = 0xffffffffffull;
  const struct {
    uint64_t word;
    unsigned cause, value;
  } bad[] = {
      {stp_insn(STP_OP_MM, 0, 1, 2, 4, 0), STP_CAUSE_ILLEGAL, 0},
      {stp_insn(STP_OP_CFG, 0, 0, 0, 0, 0), STP_CAUSE_ILLEGAL, 0},
      {stp_insn(0xeb, 0, 1, 2, 0, 0), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_I32, 0, 0, 0}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VMOV, STP_FMT_DL16, 0, 0}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VMOV, 15, 0, 0}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VMOV, STP_FMT_F16, 0, 0, 1}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 0, 1, 1}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 0, 1, 0, 1}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 0, 1, 0, 0, 1}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 0, 1}.word() | 1ull << 28, STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 0, 1}.word() | 1ull << 51, STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VFOLD, STP_FMT_F16, 0, 0}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VFOLD, STP_FMT_F32, 0, 0, 0, 0, 5}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VFUNC, STP_FMT_F32, 0, 0, 0, 0, STP_VFUNCS}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VCMP, STP_FMT_I32, 0, 0, 1, 0, STP_VCMP_ORD}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VCVT, STP_FMT_F32, 0, 0, 0, 0, 0, STP_FMT_F16}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VUNPACK, STP_FMT_F32P, 0, 0, 0, 0, 0, STP_FMT_F32}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VLANE, STP_FMT_I32, 0, 1}.word(), STP_CAUSE_ILLEGAL, 0},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 37, 1}.word(), STP_CAUSE_BAD_OPERAND, 37},
      {Insn{STP_OP_VADD, STP_FMT_F16, 33, 0, 63}.word(), STP_CAUSE_BAD_OPERAND, 63},
      {Insn{STP_OP_VADD, STP_FMT_F16, 0, 32, 32}.word(), STP_CAUSE_BAD_OPERAND, 32},
      {Insn{STP_OP_VFMA, STP_FMT_F16, 0, 33, 32, 33}.word(), STP_CAUSE_BAD_OPERAND, 33},
      {Insn{STP_OP_VFMA, STP_FMT_F16, 0, 1, 32, 32}.word(), STP_CAUSE_BAD_OPERAND, 32},
      {Insn{STP_OP_VADD, STP_FMT_F32P, 0, 2, 5}.word(), STP_CAUSE_BAD_OPERAND, 5},
      {Insn{STP_OP_VADD, STP_FMT_F32P, 3, 2, 4}.word(), STP_CAUSE_BAD_OPERAND, 3},
      {Insn{STP_OP_VADD, STP_FMT_F32P, 2, 32, 4}.word(), STP_CAUSE_BAD_OPERAND, 32},
      {Insn{STP_OP_VADD, STP_FMT_F32P, 32, 2, 4}.word(), STP_CAUSE_BAD_OPERAND, 32},
      {Insn{STP_OP_VPACK, STP_FMT_F16, 0, 33}.word(), STP_CAUSE_BAD_OPERAND, 33},
      {Insn{STP_OP_VUNPACK, STP_FMT_F32P, 1, 33}.word(), STP_CAUSE_BAD_OPERAND, 1},
      {Insn{STP_OP_VMOV, STP_FMT_F16, 33, 1}.word(), STP_CAUSE_BAD_OPERAND, 33},
      {Insn{STP_OP_VMOV, STP_FMT_F16, 32, 1, 0, 0, 0, 0, 1}.word(), STP_CAUSE_BAD_OPERAND, 32},
      {Insn{STP_OP_VMOV, STP_FMT_F32P, 2, 4, 0, 0, 0, 0, 1}.word(), STP_CAUSE_BAD_OPERAND, 2},
      {Insn{STP_OP_VSPLAT, STP_FMT_F32, 2, 4, 32}.word(), STP_CAUSE_BAD_OPERAND, 32},
  };
  Bench &b = *g_bench;
  for (const auto &t : bad) {
    b.clear();
    b.rates = {100, 100, 30, 40};
    Program p(b);
    p.load_all();
    p.add({STP_OP_VDIV, STP_FMT_F16, STP_V_OUT, 1, 2});
    p.dump_all();
    p.add_post(9);
    const unsigned good = p.pc;
    b.payloads.push_back({t.word, 0, 0, good});
    b.payloads.push_back({Insn{STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, 1}.word(), 0, 0, good + 1});
    assert_true(b.drain(5000));
    assert_true(b.top.trap_valid_o);
    assert_int_equal(b.top.trap_cause_o, t.cause);
    assert_int_equal(b.top.trap_addr_o, t.cause == STP_CAUSE_ILLEGAL ? t.word & low : t.value);
    assert_int_equal(b.top.trap_pc_o, good);
    assert_true(b.out == p.ref.out);
    assert_int_equal(b.posts.size(), 1);
    b.run(60);
    assert_true(b.top.trap_valid_o);
    assert_int_equal(b.payloads.size(), 1);
    assert_int_equal(b.out.size(), p.ref.out.size());
  }
}

static void test_blocked(void **) {
  Bench &b = *g_bench;
  b.clear();
  b.rates = Rates();
  Program p(b);
  p.load_all();
  p.check(1000);
  p.add({STP_OP_VADD, STP_FMT_F16, STP_V_OUT, STP_V_X, STP_V_P});
  b.in[1].clear();
  b.run(50);
  assert_true(b.top.blocked_o);
  assert_int_equal(b.in[0].size(), 1); // nothing is taken before both are there
  b.in[1].push_back(p.in[1].back());
  b.step();
  assert_false(b.top.blocked_o);
  b.rates.out = 0;
  for (unsigned i = 0; i < 50; i++) p.add({STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, i % 32});
  b.run(200);
  assert_true(b.top.blocked_o);
  b.rates = Rates();
  b.rates.post = 0;
  p.add_post(1);
  p.add_post(2);
  p.add({STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, 5});
  b.run(200);
  assert_int_equal(b.out.size(), p.ref.out.size()); // a post stops nothing behind it
  assert_true(b.top.blocked_o);
  b.rates.post = 100;
  p.check(1000);
}

static void test_halt(void **) {
  Bench &b = *g_bench;
  for (unsigned when = 1; when < 200; when += 7) {
    b.clear();
    b.rates = {100, 100, 30, 100};
    Program p(b);
    p.load_all();
    for (unsigned i = 0; i < 40; i++) {
      p.add({STP_OP_VDIV, STP_FMT_F16, STP_V_OUT, i % 32, 2});
      p.add({STP_OP_VADD, STP_FMT_F16, i % 32, STP_V_X, 2});
    }
    b.run(when);
    b.top.halt_i = 1;
    b.step();
    b.top.halt_i = 0;
    for (unsigned i = 0; i < 40 && !b.top.idle_o; i++) b.step();
    assert_true(b.top.idle_o);
    const uint64_t takes = b.takes;
    b.run(30);
    assert_int_equal(b.takes, takes);
    random_program(when, 10, Rates());
  }
}

static void test_speed(void **) {
  Bench &b = *g_bench;
  const struct {
    const char *name;
    Insn insn;
  } list[] = {{"vmov", {STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, 1}},
              {"vadd f16", {STP_OP_VADD, STP_FMT_F16, STP_V_OUT, 1, 2}},
              {"vadd f32", {STP_OP_VADD, STP_FMT_F32, STP_V_OUT, 1, 2}},
              {"vdiv f16", {STP_OP_VDIV, STP_FMT_F16, STP_V_OUT, 1, 2}},
              {"exp f16", {STP_OP_VFUNC, STP_FMT_F16, STP_V_OUT, 1}},
              {"erf f16", {STP_OP_VFUNC, STP_FMT_F16, STP_V_OUT, 1, 0, 0, STP_VFUNC_ERF}},
              {"sin f16", {STP_OP_VFUNC, STP_FMT_F16, STP_V_OUT, 1, 0, 0, STP_VFUNC_SIN}}};
  for (const auto &l : list) {
    b.clear();
    b.rates = Rates();
    for (unsigned i = 0; i < 3000; i++) b.payloads.push_back({l.insn.word(), 0, 0, 0});
    const uint64_t start = b.cycle;
    const auto t0 = std::chrono::steady_clock::now();
    assert_true(b.drain(10000));
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    print_message("%-10s %6.0f kHz\n", l.name, 1e-3 * (double)(b.cycle - start) / s);
  }
  b.clear();
  const auto t0 = std::chrono::steady_clock::now();
  b.run(100000);
  print_message("idle       %6.0f kHz\n",
                100 / std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
}

int main(int argc, char **argv) {
  Bench bench(argc, argv);
  g_bench = &bench;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each),    cmocka_unit_test(test_cycles), cmocka_unit_test(test_traps),
      cmocka_unit_test(test_blocked), cmocka_unit_test(test_random), cmocka_unit_test(test_halt),
      cmocka_unit_test(test_speed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
