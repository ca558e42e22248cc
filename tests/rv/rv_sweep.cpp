// Exhaustive checks of the management processor, on RTL and simulator in lockstep:
//
//   rv_sweep instructions image.bin...   each instruction of the processor completes at least once
//   in the
//                                        images (which check what it does); ecall and ebreak trap
//   rv_sweep encodings                   every combination of opcode, funct3 and funct7 that is no
//   instruction,
//                                        and every funct12 of the system instructions, traps as
//                                        illegal, with itself as mtval
//   rv_sweep interrupts image.bin        the program boundary.S with its line rising in every
//   cycle: the
//                                        results are the same, and an interrupt has been taken at
//                                        every boundary between two instructions. Then the
//                                        simulator alone, at every step.
//
// Exit: 0 all right, 1 not so, 2 usage.
#include "insns.h"
#include "rv_bench.h"

#include <set>

namespace {

constexpr uint32_t insn_open = 0x30046073;  // csrsi mstatus, 8
constexpr uint32_t insn_close = 0x30047073; // csrci mstatus, 8

bool read_image(const char *path, std::vector<uint8_t> *image, uint32_t *size) {
  image->assign(tcm_bytes, 0);
  long n = rv_read_image(path, image->data(), image->size());
  if (n < 0) return false;
  *size = ((uint32_t)n + 3) & ~3u;
  return true;
}

bool check_run(const char *path, const run_result &res) {
  if (res.agreed && res.exited && res.exit_code == 0) return true;
  std::printf("%s: %s (exit code %u)\n", path,
              !res.agreed   ? "RTL and simulator differ"
              : !res.exited ? "does not end"
                            : "a check failed",
              res.exit_code);
  return false;
}

// ----------------------------------------------------------------------------------------------

int instructions(int count, char **paths) {
  std::vector<uint64_t> seen(rv_insn_count);
  for (int i = 0; i < count; i++) {
    std::vector<uint8_t> image;
    uint32_t size;
    if (!read_image(paths[i], &image, &size)) return 2;
    bench b(image, 1, 0, 1);
    b.on_retire = [&seen](const stp_rv_retire_t &r) {
      int n = rv_find_insn(r.insn);
      if (n < 0 || r.irq) return;
      bool call = r.insn == 0x00000073 || r.insn == 0x00100073;
      uint8_t cause = r.insn == 0x00000073 ? STP_RV_EXC_ECALL_M : STP_RV_EXC_BREAKPOINT;
      if (call ? r.trap && r.cause == cause : !r.trap) seen[n]++;
    };
    if (!check_run(paths[i], b.run(false, max_cycles))) return 1;
  }
  int missing = 0;
  for (int i = 0; i < rv_insn_count; i++) {
    std::printf("%-8s %10" PRIu64 "%s", rv_insns[i].name, seen[i], i % 4 == 3 ? "\n" : "    ");
    missing += seen[i] == 0;
  }
  std::printf("\n%d instructions, %d never completed\n", rv_insn_count, missing);
  return missing ? 1 : 0;
}

// ----------------------------------------------------------------------------------------------

// Runs words that must all trap; false if one does not as it should.
bool all_illegal(const std::vector<uint32_t> &words) {
  constexpr uint32_t handler[] = {
      0x341022f3, // csrr t0, mepc
      0x00428293, // addi t0, t0, 4
      0x34129073, // csrw mepc, t0
      0x30200073, // mret
  };
  std::vector<uint8_t> image(tcm_bytes);
  uint32_t at = 0;
  auto put = [&](uint32_t w) {
    for (unsigned k = 0; k < 4; k++) image[at + k] = (uint8_t)(w >> 8 * k);
    at += 4;
  };
  put(0x10000293); // li t0, 0x100
  put(0x30529073); // csrw mtvec, t0
  put(0x1f80006f); // jal x0, to 0x200
  at = 0x100;
  for (uint32_t w : handler) put(w);
  at = 0x200;
  for (uint32_t w : words) put(w);
  put(0x800002b7); // lui t0, 0x80000
  put(0x0002a023); // sw x0, 0(t0): EXIT
  put(0x0000006f); // j .
  bench b(image, 1, 0, 1);
  size_t next = 0;
  bool good = true;
  b.on_retire = [&](const stp_rv_retire_t &r) {
    if (r.pc < 0x200 || next == words.size()) return;
    uint32_t expect = words[next++];
    if (r.trap && !r.irq && r.cause == STP_RV_EXC_ILLEGAL && r.mem_addr == expect) return;
    if (good)
      std::printf("0x%08x: expected to be illegal: %s, cause %u, mtval 0x%08x\n", expect,
                  r.trap ? "traps" : "does not trap", r.cause, r.mem_addr);
    good = false;
  };
  return check_run("encodings", b.run(false, max_cycles)) && good && next == words.size();
}

int encodings() {
  std::vector<uint32_t> words;
  uint64_t total = 0;
  int legal = 0;
  auto flush = [&] {
    total += words.size();
    bool good = all_illegal(words);
    words.clear();
    return good;
  };
  auto add = [&](uint32_t w) {
    if (rv_find_insn(w) >= 0) {
      legal++;
      return true;
    }
    words.push_back(w);
    return words.size() < 15000 || flush();
  };
  constexpr uint32_t registers = 11u << 20 | 11u << 15 | 10u << 7;
  for (uint32_t f7 = 0; f7 < 128; f7++)
    for (uint32_t f3 = 0; f3 < 8; f3++)
      for (uint32_t op = 0; op < 128; op++)
        if (!add(f7 << 25 | f3 << 12 | op | registers)) return 1;
  for (uint32_t f12 = 0; f12 < 4096; f12++)
    for (uint32_t fields : {0u, 1u << 7, 1u << 15, 4u << 12})
      if (!add(f12 << 20 | fields | 0x73)) return 1;
  if (!words.empty() && !flush()) return 1;
  std::printf("%" PRIu64 " illegal encodings trap, %d legal ones left out\n", total, legal);
  return 0;
}

// ----------------------------------------------------------------------------------------------

// Counts instructions between the opening and the closing of interrupts.
class window {
public:
  void see(const stp_rv_retire_t &r) {
    if (r.trap && r.irq) {
      if (open_ && !in_handler_) taken = count;
      in_handler_ = true;
      return;
    }
    if (in_handler_) {
      if (r.insn == 0x30200073) in_handler_ = false;
      return;
    }
    if (open_) count++;
    if (r.insn == insn_open) open_ = true;
    if (r.insn == insn_close) open_ = false;
  }
  int count = 0;  // instructions completed in the window, the closing one included
  int taken = -1; // how many of them before the interrupt; -1: there was none

private:
  bool open_ = false, in_handler_ = false;
};

bool complete(const char *machine, const std::set<int> &taken, int count, uint64_t runs) {
  int missing = 0;
  for (int i = 0; i < count; i++) {
    if (taken.count(i)) continue;
    std::printf("%s: no interrupt was taken before instruction %d of the window\n", machine, i);
    missing++;
  }
  std::printf("%s: %" PRIu64 " runs, interrupts at %zu of %d boundaries\n", machine, runs,
              taken.size(), count);
  return missing == 0;
}

bool interrupts_on_rtl(const char *path) {
  std::vector<uint8_t> image;
  uint32_t size;
  if (!read_image(path, &image, &size)) return false;
  std::set<int> taken;
  int count = 0;
  uint64_t cycles = 0;
  // Run 0 is without an interrupt.
  for (uint64_t at = 0; at <= cycles; at++) {
    bench b(image, at + 1, 0, 1, size);
    window w;
    b.lines = at ? STP_RV_IRQ_TIMER : 0;
    b.lines_at = at;
    b.on_retire = [&w](const stp_rv_retire_t &r) { w.see(r); };
    run_result res = b.run(false, 100000);
    if (!check_run(path, res)) {
      std::printf("the line rose in cycle %" PRIu64 "\n", at);
      return false;
    }
    if (at == 0) {
      count = w.count;
      cycles = res.cycles;
    }
    if (w.count != count) {
      std::printf("the line rose in cycle %" PRIu64 ": %d instructions instead of %d\n", at,
                  w.count, count);
      return false;
    }
    if (w.taken >= 0) taken.insert(w.taken);
  }
  return complete("RTL and simulator", taken, count, cycles);
}

bool interrupts_on_simulator(const char *path) {
  std::vector<uint8_t> image;
  uint32_t size;
  if (!read_image(path, &image, &size)) return false;
  std::set<int> taken;
  int count = 0;
  uint64_t steps = 0;
  for (uint64_t at = 0; at <= steps; at++) {
    std::vector<uint8_t> tcm = image;
    rv_testdev_t dev = {};
    stp_rv_bus_t bus = {&dev, rv_testdev_load, rv_testdev_store};
    stp_rv_t rv;
    window w;
    stp_rv_init(&rv, tcm.data(), tcm_bytes, &bus);
    uint64_t n = 0;
    for (; n < 100000 && !dev.exited; n++) {
      if (at && n == at) dev.lines |= STP_RV_IRQ_TIMER;
      rv.irq = dev.lines;
      stp_rv_retire_t r;
      if (stp_rv_step(&rv, &r) == STP_RV_STEPPED) w.see(r);
    }
    if (!dev.exited || dev.exit_code) {
      std::printf("%s: on the simulator, the line rose in step %" PRIu64 ": exit code %u\n", path,
                  at, dev.exit_code);
      return false;
    }
    if (at == 0) {
      count = w.count;
      steps = n;
    }
    if (w.taken >= 0) taken.insert(w.taken);
  }
  return complete("simulator", taken, count, steps);
}

} // namespace

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "instructions" && argc > 2) return instructions(argc - 2, argv + 2);
  if (command == "encodings" && argc == 2) return encodings();
  if (command == "interrupts" && argc == 3)
    return interrupts_on_rtl(argv[2]) && interrupts_on_simulator(argv[2]) ? 0 : 1;
  std::fprintf(stderr,
               "usage: rv_sweep instructions image.bin... | encodings | interrupts image.bin\n");
  return 2;
}
