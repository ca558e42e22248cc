// Every arithmetic row of rtl/arith, or of rtl/arith/fast, against the numerics library, bit for
// bit, with its latency.
//
// For each row, operation and format: all tuples of special values, then random operands; one
// 16-bit operand is exhaustive, and one f32 operand takes the boundaries of every exponent and many
// values between 2^-24 and 2^8. Rows enter with bubbles between them. argv[1] is the number of
// random lanes per operation and format (default 100000; 10^8 take about ten minutes). Above
// 1,000,000 the fast implementation gives the expected values (test_numerics compares it with the
// exact one).

// The verilated arith_tb: Varith_tb or Varith_fast_tb.
#define STRING(x) #x
#define HEADER(tb) STRING(tb.h)
#include HEADER(ARITH_TB)
#include "values.h"

#include <cstring>
#include <deque>
#include <memory>

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
}

// The run-time leaves these to its user (VL_USER_STOP and the like): a row that stops the
// simulation is a failure.
void vl_finish(const char *, int, const char *) {
  abort();
}
void vl_stop(const char *, int, const char *) {
  abort();
}
void vl_fatal(const char *, int, const char *, const char *message) {
  fprintf(stderr, "%s\n", message);
  abort();
}
double sc_time_stamp() {
  return 0;
}

namespace {

enum RowId { FMA16, ADD32, FMA32, DIV32, EXP32, FUNC32, CVT, CMP, INT };
const char *const row_name[] = {"fma16",  "add32", "fma32", "div32", "exp32",
                                "func32", "cvt",   "cmp",   "int"};
const char *const fmt_name[] = {"f16", "bf16", "f32", "f32p", "i32", "i16"};

struct Case {
  RowId row;
  unsigned op, fn, fmt, sfmt; // as struct stp_num takes them
  unsigned sources;
  unsigned values; // format that operands are drawn in
  bool widened;    // operands go to the row widened to f32
  bool exhaustive; // one 16-bit operand
};

struct Lanes {
  uint32_t a[64], b[64], c[64], want[64];
};

class Bench {
public:
  explicit Bench(long cases)
      : cases_(cases), num_(cases > 1000000 ? stp_num_fast() : stp_num_exact()) {
    context_.reset(new VerilatedContext);
    dut_.reset(new ARITH_TB(context_.get()));
    dut_->clk_i = 0;
    dut_->rst_ni = 0;
    dut_->valid_i = 0;
    step();
    step();
    dut_->rst_ni = 1;
    step();
  }
  ~Bench() { dut_->final(); }

  void run(const Case &c) {
    rng_.s = c.op * 64 + c.fn * 8 + c.fmt;
    const unsigned latency = dut_->latency_o >> (6 * c.row) & 0x3f;
    tuples_ = tuples(c);
    const long total = c.exhaustive ? 65536 : tuples_ + boundaries(c) + cases_;
    std::deque<std::pair<bool, Lanes>> pipe; // what entered in each cycle, oldest first
    long index = 0;                          // of the next lane
    checked_ = 0;
    for (unsigned idle = 0; idle <= latency; idle = index < total ? 0 : idle + 1) {
      const bool enter = index < total && (rng_next(&rng_) & 7) != 0;
      Lanes in;
      if (enter) {
        for (unsigned i = 0; i < 64; i++) {
          uint32_t v[3];
          draw(c, index++, v);
          in.a[i] = c.row == FMA16 && i > 0 ? in.a[0] : v[0];
          in.b[i] = v[1];
          in.c[i] = v[2];
        }
        if (c.row == FMA16 && index > tuples_) hard_addends(c, in);
        expect(c, in);
        drive(c, in);
      }
      dut_->valid_i = enter ? 1u << c.row : 0;
      pipe.emplace_back(enter, in);
      step();
      const bool due = pipe.size() == latency && pipe.front().first;
      assert_int_equal(dut_->valid_o, due ? 1u << c.row : 0);
      if (due) check(c, pipe.front().second);
      if (pipe.size() == latency) pipe.pop_front();
    }
    assert_true(checked_ >= total);
  }

  void widen() {
    for (unsigned fmt = 0; fmt < 2; fmt++) {
      for (unsigned base = 0; base < 65536; base += 64) {
        uint16_t h[64];
        uint32_t want[64];
        for (unsigned i = 0; i < 64; i++) h[i] = (uint16_t)(base + i);
        assert_true(num_->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, fmt, 64, h, nullptr, nullptr, want));
        dut_->ifmt_i = fmt;
        memcpy(dut_->h_i.data(), h, sizeof h);
        dut_->eval();
        for (unsigned i = 0; i < 64; i++) assert_int_equal(dut_->widen_o[i], want[i]);
      }
    }
  }

private:
  // Lanes that all tuples of special values take. fma16 has one a for a row of lanes: whole rows
  // for each.
  static long tuples(const Case &c) {
    uint32_t s[64];
    const long n = special_values(c.values, s);
    if (c.row == FMA16) return n * ((n * special_values(STP_FMT_F32, s) + 63) / 64 * 64);
    const long all = c.sources == 1 ? n : c.sources == 2 ? n * n : n * n * n;
    return (all + 63) / 64 * 64;
  }

  // Lanes that the boundaries of exponents of one f32 operand take: 128 values around each.
  static long boundaries(const Case &c) {
    return c.sources == 1 && c.values == STP_FMT_F32 ? 512 * 128 : 0;
  }

  // The operands of a lane: exhaustive, or special tuples, then boundaries, then random ones.
  void draw(const Case &c, long index, uint32_t v[3]) {
    v[0] = v[1] = v[2] = 0;
    if (c.exhaustive) {
      v[0] = (uint32_t)index;
    } else if (index >= tuples_ + boundaries(c)) {
      random_operands(&rng_, c.values, v);
      const uint64_t r = rng_next(&rng_);
      if (boundaries(c) != 0 && (r & 1)) // where functions are neither constant nor out of range
        v[0] = (v[0] & 0x807fffff) | (uint32_t)(103 + (r >> 8 & 31)) << 23;
    } else if (index >= tuples_) {
      const uint32_t at = (uint32_t)(index - tuples_);
      v[0] = ((at >> 7) << 23) + (at & 127) - 64;
    } else if (c.row == FMA16) {
      uint32_t s[64], w[64];
      const long n = special_values(c.values, s), m = special_values(STP_FMT_F32, w);
      const long rest = index % (tuples_ / n);
      v[0] = s[index / (tuples_ / n)];
      v[1] = s[rest / m % n];
      v[2] = w[rest % m];
    } else {
      uint32_t s[64];
      const long n = special_values(c.values, s);
      for (unsigned k = 0; k < c.sources; k++, index /= n) v[k] = s[index % n];
    }
  }

  // fma16's addend is f32: the drawn 16-bit value widened, or any f32 value, or one near the
  // product or its negative.
  void hard_addends(const Case &c, Lanes &in) {
    for (unsigned i = 0; i < 64; i++) {
      const uint64_t r = rng_next(&rng_);
      uint32_t w = num_->op(STP_OP_VUNPACK, 0, STP_FMT_F32P, c.values, in.c[i], 0, 0);
      if ((r & 3) == 0) w = random_value(&rng_, STP_FMT_F32);
      if ((r & 3) == 1) {
        const double p =
            stp_num_to_double(c.values, in.a[i]) * stp_num_to_double(c.values, in.b[i]);
        w = stp_num_from_double(STP_FMT_F32, r & 4 ? -p : p) + (uint32_t)(r >> 8 & 7) - 4;
      }
      in.c[i] = w;
    }
  }

  void step() {
    dut_->clk_i = 1;
    dut_->eval();
    dut_->clk_i = 0;
    dut_->eval();
  }

  static void pack(unsigned bytes, const uint32_t *in, void *out) {
    for (unsigned i = 0; i < 64; i++) {
      if (bytes == 2)
        ((uint16_t *)out)[i] = (uint16_t)in[i];
      else
        ((uint32_t *)out)[i] = in[i];
    }
  }

  void expect(const Case &c, Lanes &in) {
    alignas(4) unsigned char a[256], b[256], d[256], out[256];
    if (c.row == FMA16) {
      uint16_t h[64];
      pack(2, in.a, h);
      num_->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, c.values, 64, h, nullptr, nullptr, a);
      pack(2, in.b, h);
      num_->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, c.values, 64, h, nullptr, nullptr, b);
      assert_true(num_->row(STP_OP_VFMA, 0, STP_FMT_F32, 0, 64, a, b, in.c, in.want));
      return;
    }
    const unsigned from = stp_fmt_bytes(c.op == STP_OP_VCVT ? c.sfmt : c.fmt),
                   to = stp_fmt_bytes(c.fmt);
    pack(from, in.a, a);
    pack(to, in.b, b);
    pack(to, in.c, d);
    assert_true(num_->row(c.op, c.fn, c.fmt, c.sfmt, 64, a, b, d, out));
    for (unsigned i = 0; i < 64; i++)
      in.want[i] = to == 2 ? ((uint16_t *)out)[i] : ((uint32_t *)out)[i];
  }

  void drive(const Case &c, const Lanes &in) {
    const uint32_t *const from[3] = {in.a, in.b, in.c};
    uint32_t *const to[3] = {dut_->a_i.data(), dut_->b_i.data(), dut_->c_i.data()};
    dut_->op_i = c.op;
    dut_->pred_i = c.fn;
    dut_->ofmt_i = c.fmt;
    dut_->ifmt_i = c.row == FMA16 ? c.values : c.op == STP_OP_VCVT ? c.sfmt : c.fmt;
    dut_->half_i = stp_fmt_bytes(c.fmt) == 2;
    for (unsigned k = 0; k < 3; k++) {
      if (c.widened && c.values != STP_FMT_F32) {
        uint16_t h[64];
        pack(2, from[k], h);
        stp_num_portable()->row(STP_OP_VUNPACK, 0, STP_FMT_F32P, c.values, 64, h, nullptr, nullptr,
                                to[k]);
      } else {
        // The upper half of a 16-bit operand is noise: rows must ignore it.
        const bool noise = c.row >= CVT && c.values != STP_FMT_F32 && c.values != STP_FMT_I32;
        for (unsigned i = 0; i < 64; i++)
          to[k][i] = noise ? from[k][i] | (uint32_t)rng_next(&rng_) << 16 : from[k][i];
      }
    }
    if (c.row == FMA16) {
      uint16_t h[64];
      pack(2, in.b, h);
      memcpy(dut_->h_i.data(), h, sizeof h);
    }
  }

  void check(const Case &c, const Lanes &in) {
    const uint32_t *const out[] = {
        dut_->fma16_o.data(), dut_->add32_o.data(), dut_->fma32_o.data(),
        dut_->div32_o.data(), dut_->exp32_o.data(), dut_->func32_o.data(),
        dut_->cvt_o.data(),   dut_->cmp_o.data(),   dut_->int_o.data()};
    if (memcmp(out[c.row], in.want, sizeof in.want) == 0) {
      checked_ += 64;
      return;
    }
    for (unsigned i = 0; i < 64; i++)
      if (out[c.row][i] != in.want[i])
        print_error("%s: op 0x%x fn %u fmt %s sfmt %s lane %u: a %x b %x c %x gives %x, want %x\n",
                    row_name[c.row], c.op, c.fn, fmt_name[c.fmt], fmt_name[c.sfmt], i, in.a[i],
                    in.b[i], in.c[i], out[c.row][i], in.want[i]);
    fail();
  }

  const long cases_;
  const struct stp_num *const num_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<ARITH_TB> dut_;
  struct rng rng_ = {0};
  long tuples_ = 0; // of the case that runs
  long checked_ = 0;
};

long random_lanes = 100000;

void fma16_row(void **) {
  Bench b(random_lanes);
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16})
    b.run({FMA16, STP_OP_VFMA, 0, STP_FMT_F32, f, 3, f, false, false});
}

void add32_row(void **) {
  Bench b(random_lanes);
  b.run({ADD32, STP_OP_VADD, 0, STP_FMT_F32, 0, 2, STP_FMT_F32, false, false});
}

void fma32_row(void **) {
  Bench b(random_lanes);
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32}) {
    for (unsigned op : {STP_OP_VADD, STP_OP_VSUB, STP_OP_VMUL})
      b.run({FMA32, op, 0, f, f, 2, f, true, false});
    b.run({FMA32, STP_OP_VFMA, 0, f, f, 3, f, true, false});
  }
}

// A function, of every 16-bit operand and of f32 operands.
void function(Bench &b, RowId row, unsigned fn) {
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16})
    b.run({row, STP_OP_VFUNC, fn, f, f, 1, f, true, true});
  b.run({row, STP_OP_VFUNC, fn, STP_FMT_F32, STP_FMT_F32, 1, STP_FMT_F32, false, false});
}

void div32_row(void **) {
  Bench b(random_lanes);
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32})
    b.run({DIV32, STP_OP_VDIV, 0, f, f, 2, f, true, false});
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16})
    b.run({DIV32, STP_OP_VSQRT, 0, f, f, 1, f, true, true});
  b.run({DIV32, STP_OP_VSQRT, 0, STP_FMT_F32, STP_FMT_F32, 1, STP_FMT_F32, false, false});
  function(b, DIV32, STP_VFUNC_RECIPROCAL);
}

void exp32_row(void **) {
  Bench b(random_lanes);
  for (unsigned fn : {STP_VFUNC_EXP, STP_VFUNC_EXP2}) function(b, EXP32, fn);
}

void func32_row(void **) {
  Bench b(random_lanes);
  for (unsigned fn = 0; fn < STP_VFUNCS; fn++)
    if (fn != STP_VFUNC_EXP && fn != STP_VFUNC_EXP2 && fn != STP_VFUNC_RECIPROCAL)
      function(b, FUNC32, fn);
}

void cvt_row(void **) {
  Bench b(random_lanes);
  for (unsigned from : {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32, STP_FMT_I32})
    for (unsigned to : {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32, STP_FMT_I32})
      b.run({CVT, STP_OP_VCVT, 0, to, from, 1, from, false, stp_fmt_bytes(from) == 2});
}

void cmp_row(void **) {
  Bench b(random_lanes / 4);
  for (unsigned f : {STP_FMT_F16, STP_FMT_BF16, STP_FMT_F32, STP_FMT_I32}) {
    for (unsigned fn = 0; fn < 16; fn++) b.run({CMP, STP_OP_VCMP, fn, f, f, 2, f, false, false});
    if (f != STP_FMT_I32)
      for (unsigned op : {STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM, STP_OP_VMAXNUM})
        b.run({CMP, op, 0, f, f, 2, f, false, false});
  }
}

void int_row(void **) {
  Bench b(random_lanes / 4);
  for (unsigned f : {STP_FMT_F16, STP_FMT_F32}) {
    for (unsigned op : {STP_OP_VMOV, STP_OP_VABS, STP_OP_VNEG, STP_OP_VNOT})
      b.run({INT, op, 0, f, f, 1, f, false, f == STP_FMT_F16});
    for (unsigned op : {STP_OP_VAND, STP_OP_VOR, STP_OP_VXOR})
      b.run({INT, op, 0, f, f, 2, f, false, false});
    b.run({INT, STP_OP_VSEL, 0, f, f, 3, f, false, false});
  }
  for (unsigned op : {STP_OP_VIADD, STP_OP_VISUB, STP_OP_VIMUL, STP_OP_VSHL, STP_OP_VSHR,
                      STP_OP_VSRA, STP_OP_VIMIN, STP_OP_VIMAX})
    b.run({INT, op, 0, STP_FMT_I32, STP_FMT_I32, 2, STP_FMT_I32, false, false});
}

void widen_row(void **) {
  Bench b(random_lanes);
  b.widen();
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) random_lanes = atol(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fma16_row), cmocka_unit_test(add32_row), cmocka_unit_test(fma32_row),
      cmocka_unit_test(div32_row), cmocka_unit_test(exp32_row), cmocka_unit_test(func32_row),
      cmocka_unit_test(cvt_row),   cmocka_unit_test(cmp_row),   cmocka_unit_test(int_row),
      cmocka_unit_test(widen_row),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
