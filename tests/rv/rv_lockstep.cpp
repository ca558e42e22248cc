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
// same cycles; it must end with code 0.
//
// Random programs mix all instructions, illegal ones, misaligned and refused accesses, and
// interrupts at random times. They only have to agree. Exit: 0 all right, 1 a difference, 2 usage.
#include "rv_bench.h"

namespace {

struct options {
  uint64_t seed = 1;
  unsigned stall = 0;
  unsigned random = 0;
  double max_cpi = 0;
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
