// The verilated management processor against the instruction-set simulator, at every retired
// instruction.
//
//   rv_lockstep [options] image.bin...
//     --seed N       seed of device timing and of random programs (default 1)
//     --stall N      devices add up to N wait cycles before ready and before the answer (default 0)
//     --random N     run N random programs besides
//     --max-cpi X    fail if a program image takes more than X cycles per instruction
//
// An image is run twice, from two different random initial states of the RTL, which must take the
// same cycles; it must end with code 0. While it runs, the host reads words of the image at random
// times: they must be right, and must not disturb. The text of an image lies at its start, so the
// first 128 bytes are taken as constant.
//
// Random programs mix all instructions, illegal ones, misaligned and refused accesses, and
// interrupts at random times. They only have to agree. Exit: 0 all right, 1 a difference, 2 usage.
#include "Vrv_tb.h"
#include "rv.h"
#include "testdev.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// The run-time is built with VL_USER_STOP, _FATAL and _FINISH: this program says what they do.
void vl_fatal(const char *file, int line, const char *, const char *msg) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, msg);
  std::exit(1);
}
void vl_stop(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "the RTL stopped the simulation");
}
void vl_finish(const char *file, int line, const char *hier) {
  vl_stop(file, line, hier);
}

namespace {

constexpr uint32_t tcm_bytes = 65536;
constexpr uint64_t max_cycles = 20000000;

struct options {
  uint64_t seed = 1;
  unsigned stall = 0;
  unsigned random = 0;
  double max_cpi = 0;
};

// xorshift64*
class random_source {
public:
  explicit random_source(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {
    if (state_ == 0) state_ = 1;
    next();
  }
  uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (uint32_t)((state_ * 0x2545f4914f6cdd1du) >> 32);
  }
  uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)next() * n) >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }

private:
  uint64_t state_;
};

struct run_result {
  bool agreed = false;
  bool exited = false;
  bool asleep = false;
  uint32_t exit_code = 0;
  uint64_t cycles = 0;
  uint64_t instructions = 0;
  uint64_t traps = 0;
  uint64_t interrupts = 0;
};

class bench {
public:
  bench(const std::vector<uint8_t> &image, uint64_t seed, unsigned stall, unsigned reset_seed)
      : image_(image), random_(seed), stall_(stall), tcm_(tcm_bytes) {
    ctx_.randReset(2);
    ctx_.randSeed((int)reset_seed);
    top_ = std::make_unique<Vrv_tb>(&ctx_);
    std::memcpy(tcm_.data(), image.data(), image.size());
    stp_rv_init(&iss_, tcm_.data(), tcm_bytes, nullptr);
    load();
  }
  ~bench() { top_->final(); }

  // random_irq: raise lines at random, and give up quietly when nothing can wake the processor or
  // cycles run out.
  run_result run(bool random_irq, uint64_t cycle_limit) {
    run_result res;
    unsigned asleep = 0;
    res.agreed = true;
    check_host_data_ = !random_irq; // a random program that runs into its data may write anywhere
    top_->core_rst_ni = 1;
    while (!dev_.exited && res.cycles < cycle_limit) {
      if (random_irq && random_.one_in(40)) {
        static const uint32_t line[] = {STP_RV_IRQ_SOFTWARE, STP_RV_IRQ_TIMER, STP_RV_IRQ_EXTERNAL};
        dev_.lines ^= line[random_.below(3)];
      }
      host_access();
      mmio();
      cycle();
      res.cycles++;
      rv_testdev_tick(&dev_);
      asleep = top_->sleep_o ? asleep + 1 : 0;
      if (random_irq && asleep > 1000) {
        res.asleep = true;
        break;
      }
      if (!host_check() || !retire(&res)) {
        res.agreed = false;
        break;
      }
    }
    // The store to EXIT is still on its way to the retirement port.
    for (int i = 0; i < 40 && res.agreed && dev_.exited && !exit_retired_; i++) {
      mmio();
      cycle();
      if (!retire(&res)) res.agreed = false;
    }
    res.exited = dev_.exited;
    res.exit_code = dev_.exit_code;
    return res;
  }

private:
  void cycle() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void load() {
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->core_rst_ni = 0;
    top_->h_valid_i = 0;
    top_->mmio_ready_i = 0;
    top_->mmio_rvalid_i = 0;
    top_->eval();
    cycle();
    cycle();
    top_->rst_ni = 1;
    top_->h_valid_i = 1;
    top_->h_we_i = 1;
    top_->h_be_i = 15;
    for (uint32_t a = 0; a < tcm_bytes; a += 4) {
      top_->h_addr_i = a / 4;
      top_->h_wdata_i = word(a);
      top_->eval();
      cycle();
    }
    top_->h_valid_i = 0;
    top_->h_we_i = 0;
    cycle();
  }

  uint32_t word(uint32_t a) const {
    return tcm_[a] | tcm_[a + 1] << 8 | tcm_[a + 2] << 16 | (uint32_t)tcm_[a + 3] << 24;
  }

  // The host reads words that nobody writes. Ready depends on the processor's access in the same
  // cycle.
  void host_access() {
    if (!top_->h_valid_i && random_.one_in(8)) {
      top_->h_valid_i = 1;
      top_->h_addr_i = random_.below(32);
    }
  }
  bool host_check() {
    // Called after the edge: what was accepted at the edge is answered now.
    if (top_->h_rvalid_o) {
      uint32_t a = host_addr_ * 4;
      uint32_t expect =
          image_[a] | image_[a + 1] << 8 | image_[a + 2] << 16 | (uint32_t)image_[a + 3] << 24;
      if (!host_accepted_ || (check_host_data_ && top_->h_rdata_o != expect)) {
        std::printf("host read of 0x%04x: 0x%08x, expected 0x%08x\n", a, top_->h_rdata_o, expect);
        return false;
      }
    } else if (host_accepted_) {
      std::printf("host read of 0x%04x was not answered\n", host_addr_ * 4);
      return false;
    }
    return true;
  }

  // Sets the device's side of the bus and the interrupt lines for the coming edge.
  void mmio() {
    top_->mmio_rvalid_i = 0;
    top_->mmio_ready_i = 0;
    top_->mmio_rdata_i = random_.next();
    top_->mmio_err_i = random_.next() & 1;
    if (answering_) {
      if (wait_ > 0) {
        wait_--;
      } else {
        top_->mmio_rvalid_i = 1;
        top_->mmio_err_i = answer_err_;
        top_->mmio_rdata_i = answer_;
        answering_ = false;
        requested_ = false;
      }
    } else if (top_->mmio_valid_o) {
      if (!requested_) {
        requested_ = true;
        wait_ = stall_ ? random_.below(stall_ + 1) : 0;
      }
      if (wait_ > 0) {
        wait_--;
      } else {
        top_->mmio_ready_i = 1;
        access();
        answering_ = true;
        wait_ = stall_ ? random_.below(stall_ + 1) : 0;
      }
    }
    top_->irq_i = (dev_.lines & STP_RV_IRQ_SOFTWARE ? 1 : 0) |
                  (dev_.lines & STP_RV_IRQ_TIMER ? 2 : 0) |
                  (dev_.lines & STP_RV_IRQ_EXTERNAL ? 4 : 0);
    top_->eval(); // ready of the host port follows the processor combinationally
    host_accepted_ = top_->h_valid_i && top_->h_ready_o;
    host_addr_ = top_->h_addr_i;
    if (host_accepted_) host_pending_clear_ = true;
  }

  void access() {
    uint32_t addr = top_->mmio_addr_o;
    unsigned be = top_->mmio_be_o;
    unsigned size = be == 15 ? 4 : be == 3 || be == 12 ? 2 : 1;
    unsigned shift = 8 * (addr & 3);
    uint32_t v = 0;
    if (be != (((1u << size) - 1) << (addr & 3))) {
      std::printf("byte enables 0x%x at 0x%08x\n", be, addr);
      std::exit(1);
    }
    answer_ = random_.next();
    if (top_->mmio_we_o) {
      answer_err_ = !rv_testdev_store(&dev_, addr, size, top_->mmio_wdata_o >> shift);
    } else {
      answer_err_ = !rv_testdev_load(&dev_, addr, size, &v);
      // Lanes outside the access hold noise.
      if (!answer_err_) {
        uint32_t mask = (size == 4 ? 0xffffffffu : (1u << 8 * size) - 1) << shift;
        answer_ = (answer_ & ~mask) | (v << shift & mask);
      }
    }
  }

  bool retire(run_result *res) {
    if (host_pending_clear_) {
      top_->h_valid_i = 0;
      host_pending_clear_ = false;
    }
    if (!top_->retire_valid_o) return true;
    stp_rv_retire_t rtl = {}, iss;
    rtl.pc = top_->retire_pc_o;
    rtl.insn = top_->retire_insn_o;
    rtl.rd = top_->retire_rd_o;
    rtl.rd_we = top_->retire_rd_we_o;
    rtl.rd_data = top_->retire_rd_data_o;
    rtl.mem_addr = top_->retire_mem_addr_o;
    rtl.mem_we = top_->retire_mem_we_o;
    rtl.mem_re = top_->retire_mem_re_o;
    rtl.mem_data = top_->retire_mem_data_o;
    rtl.trap = top_->retire_trap_o;
    rtl.cause = top_->retire_cause_o;
    rtl.irq = top_->retire_irq_o;
    stp_rv_lead_t lead = stp_rv_lead(&rtl);
    stp_rv_step_led(&iss_, &lead, &iss);
    res->instructions += !rtl.trap;
    res->traps += rtl.trap && !rtl.irq;
    res->interrupts += rtl.trap && rtl.irq;
    if (rtl.mem_we && rtl.mem_addr == STP_RV_MMIO_BASE) exit_retired_ = true;
    char msg[200];
    if (stp_rv_compare(&rtl, &iss, msg, sizeof msg)) return true;
    std::printf("cycle %" PRIu64 ": %s\n", res->cycles, msg);
    return false;
  }

  const std::vector<uint8_t> image_;
  random_source random_;
  unsigned stall_;
  VerilatedContext ctx_;
  std::unique_ptr<Vrv_tb> top_;
  std::vector<uint8_t> tcm_;
  stp_rv_t iss_;
  rv_testdev_t dev_ = {};
  bool requested_ = false, answering_ = false, answer_err_ = false;
  unsigned wait_ = 0;
  uint32_t answer_ = 0;
  bool host_accepted_ = false, host_pending_clear_ = false;
  uint32_t host_addr_ = 0;
  bool check_host_data_ = true;
  bool exit_retired_ = false;
};

// ----------------------------------------------------------------------------------------------
// random programs

// Registers of a random program. x4..x7 are written only by its frame: a loop counter, and three
// bases.
enum { reg_jump = 3, reg_loop = 4, reg_memory = 5, reg_bus = 6, reg_nowhere = 7, reg_handler = 31 };

constexpr uint32_t body_at = 0x400, data_at = 0x8000;

uint32_t enc_r(uint32_t f7, uint32_t rs2, uint32_t rs1, uint32_t f3, uint32_t rd, uint32_t op) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
uint32_t enc_i(uint32_t imm, uint32_t rs1, uint32_t f3, uint32_t rd, uint32_t op) {
  return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
uint32_t enc_s(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t f3) {
  return (imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 31) << 7 | 0x23;
}
uint32_t enc_b(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t f3) {
  return (imm >> 12 & 1) << 31 | (imm >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
         (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7 | 0x63;
}
uint32_t enc_j(uint32_t imm, uint32_t rd) {
  return (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 |
         (imm >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
constexpr uint32_t csr_mtvec = 0x305, csr_mscratch = 0x340, csr_mepc = 0x341, csr_mcause = 0x342;
uint32_t enc_csrrw(uint32_t rd, uint32_t csr, uint32_t rs1) {
  return enc_i(csr, rs1, 1, rd, 0x73);
}
uint32_t enc_csrr(uint32_t rd, uint32_t csr) {
  return enc_i(csr, 0, 2, rd, 0x73);
}

class program {
public:
  explicit program(random_source &random) : random_(random), image_(tcm_bytes) {}

  std::vector<uint8_t> build() {
    uint32_t end = body_at + 4 * (200 + random_.below(1000));

    // Handler: an exception is stepped over, but a fetch from nowhere ends the program; an
    // interrupt lowers all lines. It changes no register.
    at_ = 0x300;
    emit(enc_csrrw(0, csr_mscratch, reg_handler));
    emit(enc_csrr(reg_handler, csr_mcause));
    emit(enc_b(40, 0, reg_handler, 4)); // blt x31, x0: interrupt
    emit(enc_i(0xfff, reg_handler, 0, reg_handler, 0x13));
    emit(enc_b(16, 0, reg_handler, 1)); // bne x31, x0: not a fetch fault
    set(reg_handler, end);
    emit(enc_j(12, 0));
    emit(enc_csrr(reg_handler, csr_mepc));
    emit(enc_i(4, reg_handler, 0, reg_handler, 0x13));
    emit(enc_csrrw(0, csr_mepc, reg_handler));
    emit(enc_j(12, 0));
    emit(0x80000037 | reg_handler << 7); // lui x31, 0x80000
    emit(enc_s(8, 0, reg_handler, 2));   // LINES = 0
    emit(enc_csrr(reg_handler, csr_mscratch));
    emit(0x30200073);

    at_ = 0;
    emit(0x00000037 | 1 << 7);
    emit(enc_i(0x300, 1, 0, 1, 0x13));
    emit(enc_csrrw(0, csr_mtvec, 1));
    for (uint32_t r = 1; r < 32; r++) set(r, interesting());
    set(reg_jump, 0x40000000);
    set(reg_loop, 50);
    set(reg_memory, data_at);
    set(reg_bus, 0x80000014);
    set(reg_nowhere, 0x40000000);
    set(8, 0x888);
    emit(enc_csrrw(0, 0x304, 8));      // mie
    emit(enc_i(0x300, 8, 6, 0, 0x73)); // csrsi mstatus, 8
    emit(enc_j(body_at - at_, 0));

    at_ = body_at;
    while (at_ < end) instruction();
    for (int i = 0; i < 16; i++) emit(enc_i(0, 0, 0, 0, 0x13)); // jumps may skip a few
    emit(0x80000037 | reg_handler << 7);
    emit(enc_s(0, 0, reg_handler, 2));
    emit(enc_j(0, 0));
    for (uint32_t a = data_at - 0x800; a < data_at + 0x800; a += 4) put(a, interesting());
    return image_;
  }

private:
  void put(uint32_t a, uint32_t v) {
    for (unsigned k = 0; k < 4; k++) image_[a + k] = (uint8_t)(v >> 8 * k);
  }
  void emit(uint32_t v) {
    put(at_, v);
    at_ += 4;
  }
  void set(uint32_t r, uint32_t v) {
    emit(((v + 0x800) & 0xfffff000u) | r << 7 | 0x37);
    emit(enc_i(v & 0xfff, r, 0, r, 0x13));
  }
  uint32_t interesting() {
    static const uint32_t corner[] = {0,          1,      2,      0xffffffff, 0x80000000,
                                      0x7fffffff, 0xffff, 0x8000, 0x80,       0xfffffffe};
    if (random_.one_in(3)) return corner[random_.below(sizeof corner / sizeof corner[0])];
    return random_.one_in(3) ? random_.below(64) : random_.next();
  }
  uint32_t rd() {
    uint32_t r = random_.one_in(2) ? 8 + random_.below(4) : random_.below(32);
    return r >= reg_jump && r <= reg_nowhere ? 8 : r;
  }
  uint32_t rs() { return random_.one_in(2) ? 8 + random_.below(4) : random_.below(32); }
  // Mostly forward by a few instructions, rarely to the middle of one.
  uint32_t forward() { return 4 * (1 + random_.below(6)) + (random_.one_in(16) ? 2 : 0); }
  uint32_t base() {
    uint32_t k = random_.below(8);
    return k == 0 ? reg_nowhere : k < 3 ? reg_bus : reg_memory;
  }
  uint32_t offset(uint32_t base_reg) {
    if (base_reg == reg_bus && !random_.one_in(8)) return random_.below(8);
    if (random_.one_in(8)) return random_.next() & 0xfff;
    return random_.below(8) * 4 +
           (random_.one_in(3) ? random_.below(4) : 0); // few words, so that loads meet stores
  }

  void instruction() {
    uint32_t k = random_.below(100);
    if (k < 22) {
      uint32_t f3 = random_.below(8);
      uint32_t f7 = (f3 == 0 || f3 == 5) && random_.one_in(2) ? 0x20 : 0;
      emit(enc_r(f7, rs(), rs(), f3, rd(), 0x33));
    } else if (k < 36) {
      uint32_t f3 = random_.below(8);
      uint32_t imm = random_.next() & 0xfff;
      if (f3 == 1) imm &= 31;
      if (f3 == 5) imm &= 0x41f;
      emit(enc_i(imm, rs(), f3, rd(), 0x13));
    } else if (k < 44) {
      emit(enc_r(1, rs(), rs(), random_.below(8), rd(), 0x33));
    } else if (k < 58) {
      static const uint32_t f3[] = {0, 1, 2, 4, 5};
      uint32_t b = random_.one_in(16) ? rs() : base();
      emit(enc_i(offset(b), b, f3[random_.below(5)], rd(), 0x03));
    } else if (k < 70) {
      uint32_t b = base();
      emit(enc_s(offset(b), rs(), b, random_.below(3)));
    } else if (k < 80) {
      static const uint32_t f3[] = {0, 1, 4, 5, 6, 7};
      emit(enc_b(forward(), rs(), rs(), f3[random_.below(6)]));
    } else if (k < 83) {
      emit(enc_j(forward(), rd()));
    } else if (k < 85) {
      emit(reg_jump << 7 | 0x17); // auipc x3, 0
      // The link keeps the base near, for when a jump leaves the auipc out.
      emit(enc_i(forward() + 4 + random_.below(2), reg_jump, 0, reg_jump, 0x67));
    } else if (k < 87) {
      uint32_t back = 4 * (2 + random_.below(12));
      if (at_ - body_at < back) return;
      // The target counts down, so that no jump past it can make the loop endless.
      put(at_ - back, enc_i(0xfff, reg_loop, 0, reg_loop, 0x13));
      emit(enc_b((0u - back) & 0x1ffe, reg_loop, 0, 4)); // blt x0, x4: back
    } else if (k < 89) {
      emit((random_.next() & 0xfffff000u) | rd() << 7 | (random_.one_in(2) ? 0x37 : 0x17));
    } else if (k < 95) {
      csr();
    } else if (k < 98) {
      static const uint32_t fixed[] = {0x00000073, 0x00100073, 0x0000000f,
                                       0x0000100f, 0x10500073, 0x00000000};
      emit(fixed[random_.below(6)]);
    } else {
      uint32_t v = random_.next();
      uint32_t op = v & 0x7f;
      // Any bits, but nothing that escapes the frame: stores, jumps and CSR writes anywhere.
      if (op == 0x23 || op == 0x6f || op == 0x67 || op == 0x63 || op == 0x73) v ^= 0x10;
      if ((v >> 7 & 31) >= reg_jump && (v >> 7 & 31) <= reg_nowhere) v |= 8 << 7;
      emit(v);
    }
  }

  void csr() {
    static const uint32_t writable[] = {0x300, 0x304, 0x320, 0x340, 0x341, 0x342,
                                        0x343, 0x344, 0x301, 0x310, 0xb00, 0xb02,
                                        0xb80, 0xb82, 0xb03, 0x323, 0xf14, 0xc00};
    static const uint32_t readable[] = {0x305, 0x300, 0x304, 0x344, 0xb00, 0xb02,
                                        0xb82, 0xc02, 0xf11, 0xf15, 0xc01};
    uint32_t f3 = random_.below(6);
    f3 += f3 < 3 ? 1 : 2;
    if (random_.one_in(3)) {
      emit(enc_i(readable[random_.below(11)], 0, 2, rd(), 0x73));
    } else if (random_.one_in(10)) {
      emit(enc_i(random_.next() & 0xfff & ~0x300u, rs(), f3, rd(), 0x73)); // mostly not there
    } else {
      emit(enc_i(writable[random_.below(18)], rs(), f3, rd(), 0x73));
    }
  }

  random_source &random_;
  std::vector<uint8_t> image_;
  uint32_t at_ = 0;
};

// ----------------------------------------------------------------------------------------------
// command

bool run_image(const char *path, const options &opt) {
  std::vector<uint8_t> image(tcm_bytes);
  long n = rv_read_image(path, image.data(), image.size());
  if (n < 0) return false;
  run_result first;
  for (unsigned reset_seed = 1; reset_seed <= 2; reset_seed++) {
    run_result res = bench(image, opt.seed, opt.stall, reset_seed).run(false, max_cycles);
    double cpi = res.instructions ? (double)res.cycles / (double)res.instructions : 0;
    const char *why = !res.agreed                            ? "RTL and simulator differ"
                      : !res.exited                          ? "does not end"
                      : res.exit_code                        ? "a check failed"
                      : opt.max_cpi > 0 && cpi > opt.max_cpi ? "too many cycles"
                      : reset_seed > 1 && res.cycles != first.cycles
                          ? "cycles depend on the initial state"
                          : nullptr;
    if (reset_seed == 1 || why)
      std::printf("%s: %" PRIu64 " cycles, %" PRIu64 " instructions (%.2f cycles each), %" PRIu64
                  " exceptions, %" PRIu64 " interrupts\n",
                  path, res.cycles, res.instructions, cpi, res.traps, res.interrupts);
    if (why) {
      std::printf("%s: %s (exit code %u)\n", path, why, res.exit_code);
      return false;
    }
    if (reset_seed == 1) first = res;
  }
  return true;
}

bool run_random(const options &opt) {
  run_result sum;
  unsigned ended = 0;
  for (unsigned i = 0; i < opt.random; i++) {
    random_source random(opt.seed + i);
    std::vector<uint8_t> image = program(random).build();
    run_result res = bench(image, opt.seed + i, opt.stall, i + 1).run(true, 100000);
    if (!res.agreed) {
      std::printf("random program of seed %" PRIu64 ": RTL and simulator differ\n", opt.seed + i);
      return false;
    }
    ended += res.exited;
    sum.cycles += res.cycles;
    sum.instructions += res.instructions;
    sum.traps += res.traps;
    sum.interrupts += res.interrupts;
  }
  std::printf("%u random programs (%u reached their end): %" PRIu64 " cycles, %" PRIu64
              " instructions, %" PRIu64 " exceptions, %" PRIu64 " interrupts\n",
              opt.random, ended, sum.cycles, sum.instructions, sum.traps, sum.interrupts);
  // A generator that gets stuck early tests nothing.
  if (opt.random >= 10 && (ended < opt.random / 2 || sum.traps == 0 || sum.interrupts == 0)) {
    std::printf("the random programs are not varied\n");
    return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  options opt;
  std::vector<const char *> images;
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    bool has_value = i + 1 < argc;
    if (a == "--seed" && has_value)
      opt.seed = std::strtoull(argv[++i], nullptr, 0);
    else if (a == "--stall" && has_value)
      opt.stall = (unsigned)std::strtoul(argv[++i], nullptr, 0);
    else if (a == "--random" && has_value)
      opt.random = (unsigned)std::strtoul(argv[++i], nullptr, 0);
    else if (a == "--max-cpi" && has_value)
      opt.max_cpi = std::strtod(argv[++i], nullptr);
    else if (a.compare(0, 1, "-") == 0) {
      std::fprintf(
          stderr,
          "usage: rv_lockstep [--seed N] [--stall N] [--random N] [--max-cpi X] image.bin...\n");
      return 2;
    } else
      images.push_back(argv[i]);
  }
  if (images.empty() && opt.random == 0) {
    std::fprintf(stderr, "rv_lockstep: nothing to run\n");
    return 2;
  }
  bool good = true;
  for (const char *path : images) good &= run_image(path, opt);
  if (opt.random) good &= run_random(opt);
  return good ? 0 : 1;
}
