// The firmware on the management subsystem: registers, boot, jobs good and bad, faults, restart.
//
//   test_mgmt steeple_fw.bin [verilator arguments]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
extern "C" {
#include <cmocka.h>
}

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

#include "bench.h"

// The run-time is built with VL_USER_STOP, _FATAL and _FINISH: this program says what they do.
void vl_fatal(const char *file, int line, const char *, const char *msg) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, msg);
  std::exit(1);
}
void vl_stop(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "assertion failed");
}
void vl_finish(const char *file, int line, const char *hier) {
  vl_fatal(file, line, hier, "unexpected $finish");
}

namespace {

using mgmt::Bench;
using mgmt::Core;
using mgmt::Plan;
using mgmt::Stick;

std::vector<uint8_t> image;
int main_argc;
char **main_argv;

constexpr uint64_t kQueue = 0x1234560000, kProgram = 0x9876500000, kArgs = 0x4400000080,
                   kDone = 0x2000000100;
constexpr unsigned kQueueLog2 = 2;

std::unique_ptr<Bench> new_bench(uint64_t seed) {
  return std::make_unique<Bench>(main_argc, main_argv, seed, image);
}

void assert_sound(Bench &b) {
  if (!b.failure.empty()) fail_msg("%s", b.failure.c_str());
}

// Boots, and says where the queue is.
std::unique_ptr<Bench> booted(uint64_t seed) {
  auto b = new_bench(seed);
  b->boot();
  b->write(STP_HOST_QUEUE_LO, uint32_t(kQueue));
  b->write(STP_HOST_QUEUE_HI, uint32_t(kQueue >> 32));
  b->write(STP_HOST_QUEUE_LOG2, kQueueLog2);
  assert_sound(*b);
  return b;
}

// A job with six programs of different lengths and a full set of arguments, as in real kernels.
stp_descriptor good_descriptor(uint32_t id) {
  stp_descriptor d = {};
  d.magic = STP_DESCRIPTOR_MAGIC;
  d.job_id = id;
  d.program_addr = kProgram;
  d.args_addr = kArgs;
  d.completion_addr = kDone;
  d.start_mask = 0x3ff;
  d.arg_sticks = 2;
  d.segments = 6;
  d.core_mask = 1;
  const uint16_t masks[6] = {0x001, 0x002, 0x044, 0x088, 0x110, 0x220};
  const uint16_t lengths[6] = {4, 2, 5, 3, 7, 1};
  uint16_t first = 0;
  for (unsigned i = 0; i < 6; i++) {
    d.segment[i] = {masks[i], first, lengths[i], 0};
    first = uint16_t(first + lengths[i]);
  }
  return d;
}

void fill_memory(Bench &b, uint32_t seed) {
  std::mt19937_64 rng(seed);
  for (unsigned i = 0; i < 64 * 16; i++) b.memory.put(kProgram + 8 * i, uint64_t(rng()));
  for (unsigned i = 0; i < 4 * 16; i++) b.memory.put(kArgs + 8 * i, uint64_t(rng()));
  for (Core &c : b.core)
    for (Stick &s : c.status)
      for (unsigned k = 0; k < 128; k += 8) {
        const uint64_t w = rng();
        std::memcpy(&s[k], &w, 8);
      }
}

void forget(Bench &b) {
  for (Core &c : b.core) c.starts = c.clears = c.halts = c.rows = 0;
  Stick poison;
  poison.fill(0xee);
  for (unsigned i = 0; i < 1 + STP_UNITS * mgmt::kCores; i++) b.memory.put(kDone + 128 * i, poison);
}

// Queues descriptors, rings once, and waits until all are completed.
void submit(Bench &b, const std::vector<stp_descriptor> &jobs, uint64_t limit = 100000) {
  const uint32_t first = b.read(STP_HOST_DOORBELL);
  for (size_t i = 0; i < jobs.size(); i++)
    b.memory.put(kQueue + ((first + i) & ((1u << kQueueLog2) - 1)) * 128, jobs[i]);
  b.write(STP_HOST_DOORBELL, uint32_t(first + jobs.size()));
  while (b.read(STP_HOST_COMPLETED) != first + jobs.size()) {
    if (!b.wait_irq(limit)) {
      assert_sound(b);
      fail_msg("no completion; console: %s", b.console.c_str());
    }
  }
  assert_sound(b);
}

stp_completion record(Bench &b) {
  for (unsigned i = sizeof(stp_completion); i < 128; i++)
    assert_int_equal(b.memory.get<uint8_t>(kDone + i), 0);
  return b.memory.get<stp_completion>(kDone);
}

void assert_status_sticks(Bench &b, unsigned core) {
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const Stick s = b.memory.get<Stick>(kDone + (1 + STP_UNITS * core + u) * 128);
    assert_memory_equal(s.data(), b.core[core].status[u].data(), 128);
  }
}

// Programs and arguments of a core are those of the descriptor.
void assert_loaded(Bench &b, const stp_descriptor &d, unsigned core) {
  for (unsigned i = 0; i < d.segments; i++) {
    const stp_segment &s = d.segment[i];
    for (unsigned u = 0; u < STP_UNITS; u++) {
      if ((s.unit_mask >> u & 1) == 0) continue;
      for (unsigned w = 0; w < 16u * s.sticks; w++)
        assert_true(b.core[core].program[u][4 * s.dest + w] ==
                    b.memory.get<uint64_t>(d.program_addr + 128u * s.first_stick + 8 * w));
    }
  }
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if ((d.start_mask >> u & 1) == 0) continue;
    for (unsigned a = 0; a < 16u * d.arg_sticks; a++)
      assert_true(b.core[core].args[u][a] == b.memory.get<uint64_t>(d.args_addr + 8 * a));
  }
}

void assert_ok(const stp_completion &c, uint32_t id) {
  assert_int_equal(c.magic, STP_COMPLETION_MAGIC);
  assert_int_equal(c.job_id, id);
  assert_int_equal(c.status, STP_JOB_OK);
  assert_int_equal(c.cause | c.core | c.unit | c.pc | c.blocked | c.running | c.trapped, 0);
  assert_true(c.addr == 0);
}

// A job without a fault must run after whatever happened before.
void assert_serves(Bench &b, uint32_t id) {
  forget(b);
  for (Core &c : b.core) c.plan = Plan{};
  const stp_descriptor d = good_descriptor(id);
  submit(b, {d});
  assert_ok(record(b), id);
  assert_loaded(b, d, 0);
  assert_status_sticks(b, 0);
  assert_int_equal(b.core[0].starts, 1);
}

void test_host_registers(void **) {
  auto b = new_bench(0);
  assert_int_equal(b->read(STP_HOST_ID), 0x5354504c);
  assert_int_equal(b->read(STP_HOST_VERSION), STP_CONTRACT_VERSION);
  assert_int_equal(b->read(STP_HOST_CONFIG), mgmt::kCores | STP_CORELETS << 8 | STP_UNITS << 16);
  assert_int_equal(b->read(STP_HOST_CONTROL), 0);
  assert_int_equal(b->read(STP_HOST_STATUS), 0);
  uint32_t v;
  for (uint32_t off : {0x38u, 0x3cu, 0x68u, 0x100u, 0xfffcu, 0x20000u, 0x3fffcu}) {
    assert_int_equal(b->try_read(off, &v), 2);
    assert_int_equal(b->try_write(off, 0), 2);
  }
  // Registers that can be written, with their bits.
  const struct {
    uint32_t off, bits;
  } rw[] = {{STP_HOST_DOORBELL, ~0u},  {STP_HOST_IRQ_ENABLE, 7},   {STP_HOST_QUEUE_LO, ~0u},
            {STP_HOST_QUEUE_HI, 0xff}, {STP_HOST_QUEUE_LOG2, 0xf}, {STP_HOST_CONTROL, 1}};
  for (const auto &r : rw) {
    b->write(r.off, 0xffffffff);
    if (r.off == STP_HOST_CONTROL) b->write(r.off, 0xfffffffe);
    assert_int_equal(b->read(r.off), r.off == STP_HOST_CONTROL ? 0 : r.bits);
    b->write(r.off, 0x5a5a5a5a);
    assert_int_equal(b->read(r.off), 0x5a5a5a5a & r.bits);
    // A partial write is refused and changes nothing.
    for (unsigned strb : {0u, 1u, 7u, 14u}) assert_int_equal(b->try_write(r.off, 0, strb), 2);
    assert_int_equal(b->read(r.off), 0x5a5a5a5a & r.bits);
  }
  // What can only be read ignores a write.
  for (uint32_t off : {STP_HOST_ID, STP_HOST_VERSION, STP_HOST_COMPLETED, STP_HOST_FW_STATUS}) {
    v = b->read(off);
    b->write(off, ~v);
    assert_int_equal(b->read(off), v);
  }
  // The counter counts cycles.
  const uint64_t c0 = b->read64(STP_HOST_CYCLE_LO), at = b->cycle;
  b->run(1000);
  const uint64_t c1 = b->read64(STP_HOST_CYCLE_LO);
  assert_true(c1 - c0 == b->cycle - at);
  assert_sound(*b);
}

void test_tcm_window(void **) {
  auto b = new_bench(0);
  std::mt19937 rng(3);
  std::vector<uint32_t> words(STP_TCM_BYTES / 4);
  for (uint32_t i = 0; i < words.size(); i++) {
    words[i] = rng();
    b->write(STP_HOST_TCM_BASE + 4 * i, words[i]);
  }
  for (uint32_t i = 0; i < words.size(); i++)
    assert_int_equal(b->read(STP_HOST_TCM_BASE + 4 * i), words[i]);
  assert_int_equal(b->try_write(STP_HOST_TCM_BASE, 0, 3), 2);
  assert_int_equal(b->read(STP_HOST_TCM_BASE), words[0]);
  // With the processor out of reset (it traps and loops), the window can be read only.
  for (uint32_t i = 0; i < 64; i++) b->write(STP_HOST_TCM_BASE + 4 * i, 0x0000006f); // j .
  b->write(STP_HOST_CONTROL, 1);
  b->run(50);
  assert_int_equal(b->try_write(STP_HOST_TCM_BASE + 0x1000, 1), 2);
  assert_int_equal(b->read(STP_HOST_TCM_BASE + 0x1000), words[0x400]);
  b->write(STP_HOST_CONTROL, 0);
  b->write(STP_HOST_TCM_BASE + 0x1000, 1);
  assert_int_equal(b->read(STP_HOST_TCM_BASE + 0x1000), 1);
  assert_sound(*b);
}

void test_boot(void **) {
  auto b = booted(0);
  char line[64];
  std::snprintf(line, sizeof line, "steeple firmware %08x: ready\n", STP_CONTRACT_VERSION);
  assert_string_equal(b->console.c_str(), line);
  assert_int_equal(b->read(STP_HOST_FW_VERSION), STP_CONTRACT_VERSION);
  assert_int_equal(b->read(STP_HOST_IRQ_STATUS), 0);
  assert_int_equal(b->read(STP_HOST_STATUS), 1);
  // Asleep, after some instructions: nothing retires.
  b->run(100);
  const uint64_t before = b->lockstep.compared();
  b->run(2000);
  assert_true(b->lockstep.compared() == before);
  assert_sound(*b);
}

void test_job(void **) {
  auto b = booted(0);
  fill_memory(*b, 1);
  forget(*b);
  const stp_descriptor d = good_descriptor(77);
  submit(*b, {d});
  assert_ok(record(*b), 77);
  assert_loaded(*b, d, 0);
  assert_status_sticks(*b, 0);
  assert_int_equal(b->core[0].started, 0x3ff);
  assert_int_equal(b->core[0].clears, 1);
  assert_int_equal(b->core[0].halts, 0);
  // The other core was left alone.
  assert_int_equal(b->core[1].starts + b->core[1].clears + b->core[1].rows, 0);
  const uint64_t bell = b->read64(STP_HOST_T_DOORBELL_LO), start = b->read64(STP_HOST_T_START_LO),
                 halt = b->read64(STP_HOST_T_HALT_LO), irq = b->read64(STP_HOST_T_IRQ_LO);
  assert_true(bell < start && start < halt && halt < irq);
  const uint64_t launch = start - bell, end = irq - halt;
  print_message("launch: %" PRIu64 " + %" PRIu64 " cycles\n", launch, end);
  assert_in_range(halt - start, 100, 105);
  // Leaves some for the ring, so that a launch on the chip takes less than 800.
  assert_in_range(launch + end, 1, 640);
  b->run(100);
  assert_int_equal(b->read(STP_HOST_FW_STATUS), 1);
  assert_serves(*b, 78);
}

void test_two_cores(void **) {
  auto b = booted(0);
  fill_memory(*b, 2);
  forget(*b);
  b->core[0].plan.after = 700;
  b->core[1].plan.after = 3000;
  stp_descriptor d = good_descriptor(5);
  d.core_mask = 3;
  submit(*b, {d});
  assert_ok(record(*b), 5);
  for (unsigned n = 0; n < 2; n++) {
    assert_loaded(*b, d, n);
    assert_status_sticks(*b, n);
    assert_int_equal(b->core[n].starts, 1);
  }
  assert_in_range(b->read64(STP_HOST_T_HALT_LO) - b->read64(STP_HOST_T_START_LO), 3000, 3020);
  // Core 1 alone; and a fault of core 1 while core 0 is fine.
  forget(*b);
  d.core_mask = 2;
  submit(*b, {d});
  assert_ok(record(*b), 5);
  assert_status_sticks(*b, 1);
  assert_int_equal(b->core[0].starts, 0);
  forget(*b);
  d.core_mask = 3;
  b->core[1].plan.trapped = 0x20;
  submit(*b, {d});
  assert_int_equal(record(*b).status, STP_JOB_TRAP);
  assert_int_equal(record(*b).core, 1);
  assert_int_equal(record(*b).unit, 5);
}

void test_queue(void **) {
  auto b = booted(0);
  fill_memory(*b, 3);
  // More jobs than entries in the end, so that the queue wraps; several per doorbell.
  for (unsigned round = 0; round < 4; round++) {
    forget(*b);
    std::vector<stp_descriptor> jobs;
    for (unsigned i = 0; i < 3; i++) {
      jobs.push_back(good_descriptor(100 * round + i));
      jobs[i].start_mask = uint16_t(1 << i);
    }
    submit(*b, jobs);
    assert_int_equal(b->core[0].starts, 3);
    assert_int_equal(b->core[0].started, 4);
    assert_int_equal(record(*b).job_id, 100 * round + 2);
  }
  // A doorbell in the middle of a job is not lost.
  forget(*b);
  b->core[0].plan.after = 5000;
  const uint32_t n = b->read(STP_HOST_DOORBELL);
  b->memory.put(kQueue + (n & 3) * 128, good_descriptor(1));
  b->memory.put(kQueue + ((n + 1) & 3) * 128, good_descriptor(2));
  b->write(STP_HOST_DOORBELL, n + 1);
  b->run(2500);
  assert_int_equal(b->read(STP_HOST_STATUS), 3);
  assert_int_equal(b->read(STP_HOST_FW_STATUS), 2);
  b->write(STP_HOST_DOORBELL, n + 2);
  assert_true(b->wait_irq());
  assert_int_equal(b->read(STP_HOST_COMPLETED), n + 1);
  assert_true(b->wait_irq());
  assert_int_equal(b->read(STP_HOST_COMPLETED), n + 2);
  assert_int_equal(b->core[0].starts, 2);
  assert_sound(*b);
}

void test_bad_descriptors(void **) {
  auto b = booted(0);
  fill_memory(*b, 4);
  const uint64_t end = uint64_t(1) << STP_ADDR_BITS;
  const struct {
    const char *field;
    std::function<void(stp_descriptor &)> spoil;
  } cases[] = {
      {"magic", [](stp_descriptor &d) { d.magic ^= 0x100; }},
      {"core_mask", [](stp_descriptor &d) { d.core_mask = 0; }},
      {"core_mask", [](stp_descriptor &d) { d.core_mask = 5; }},
      {"core_mask", [](stp_descriptor &d) { d.core_mask = 0x80000001; }},
      {"start_mask", [](stp_descriptor &d) { d.start_mask = 0; }},
      {"start_mask", [](stp_descriptor &d) { d.start_mask = 0x401; }},
      {"start_mask", [](stp_descriptor &d) { d.segment[5].unit_mask = 0x020; }}, // 9: no program
      {"start_mask", [](stp_descriptor &d) { d.segment[0].dest = 1; }},
      {"segments", [](stp_descriptor &d) { d.segments = 11; }},
      {"start_mask", [](stp_descriptor &d) { d.segments = 0; }},
      {"flags", [](stp_descriptor &d) { d.flags = 1; }},
      {"reserved", [](stp_descriptor &d) { d.reserved = 0x8000; }},
      {"arg_sticks", [](stp_descriptor &d) { d.arg_sticks = 5; }},
      {"args_addr", [](stp_descriptor &d) { d.args_addr += 8; }},
      {"args_addr", [=](stp_descriptor &d) { d.args_addr = end - 128; }},
      {"args_addr", [](stp_descriptor &d) { d.args_addr = UINT64_MAX - 127; }},
      {"program_addr", [](stp_descriptor &d) { d.program_addr += 64; }},
      {"program_addr", [=](stp_descriptor &d) { d.program_addr |= end; }},
      {"segment.first_stick", [=](stp_descriptor &d) { d.program_addr = end - 8 * 128; }},
      {"segment.unit_mask", [](stp_descriptor &d) { d.segment[3].unit_mask = 0; }},
      {"segment.unit_mask", [](stp_descriptor &d) { d.segment[3].unit_mask = 0x400; }},
      {"segment.sticks", [](stp_descriptor &d) { d.segment[3].sticks = 0; }},
      {"segment.dest", [](stp_descriptor &d) { d.segment[3].sticks = 65; }},
      {"segment.dest", [](stp_descriptor &d) { d.segment[3].dest = 256 - 11; }},
      {"segment.dest", [](stp_descriptor &d) { d.segment[3].dest = 0xffff; }},
  };
  uint32_t id = 1000;
  for (const auto &c : cases) {
    forget(*b);
    b->console.clear();
    stp_descriptor d = good_descriptor(id);
    c.spoil(d);
    submit(*b, {d});
    const stp_completion r = record(*b);
    assert_int_equal(r.magic, STP_COMPLETION_MAGIC);
    assert_int_equal(r.job_id, id);
    assert_int_equal(r.status, STP_JOB_BAD_DESCRIPTOR);
    const std::string text =
        "job " + std::to_string(id) + ": bad descriptor: " + std::string(c.field) + "\n";
    assert_string_equal(b->console.c_str(), text.c_str());
    assert_int_equal(b->core[0].starts, 0);
    assert_int_equal(b->memory.get<uint8_t>(kDone + 128), 0xee); // no status sticks
    id++;
  }
  // Where there is no place for a record, the count tells.
  for (uint64_t bad : {kDone + 16, end - 128, end, UINT64_MAX - 127}) {
    forget(*b);
    stp_descriptor d = good_descriptor(id);
    d.completion_addr = bad;
    const uint64_t writes = b->memory.writes;
    submit(*b, {d});
    assert_true(b->memory.writes == writes);
    assert_int_equal(b->core[0].starts, 0);
  }
  // Segments of the largest size and the last rows are fine, and so are the last sticks of memory.
  forget(*b);
  stp_descriptor d = good_descriptor(id);
  d.segments = 2;
  d.segment[0] = {0x3ff, 0, 64, 0};
  d.segment[1] = {0x100, 3, 1, 252};
  d.arg_sticks = 4;
  submit(*b, {d});
  assert_ok(record(*b), id);
  assert_true(b->memory.most_reads >= 16);
  for (unsigned w = 0; w < 16; w++)
    assert_true(b->core[0].program[8][1008 + w] ==
                b->memory.get<uint64_t>(kProgram + 3 * 128 + 8 * w));
  for (unsigned w = 0; w < 1008; w++)
    assert_true(b->core[0].program[8][w] == b->memory.get<uint64_t>(kProgram + 8 * w));
  d.program_addr = end - 64 * 128;
  d.args_addr = end - 4 * 128;
  submit(*b, {d});
  assert_ok(record(*b), id);
  // Address 0 is an address like any other.
  d.program_addr = d.args_addr = 0;
  submit(*b, {d});
  assert_ok(record(*b), id);
  assert_serves(*b, id + 1);
}

void put_status(Bench &b, unsigned core, unsigned unit, uint64_t state, uint64_t addr) {
  std::memcpy(&b.core[core].status[unit][0], &state, 8);
  std::memcpy(&b.core[core].status[unit][8], &addr, 8);
}

void test_trap(void **) {
  auto b = booted(0);
  fill_memory(*b, 5);
  forget(*b);
  // Units 4 and 7 trapped, 1 and 3 wait for ever: the record is about unit 4, and the core is
  // halted.
  b->core[0].plan.running = b->core[0].plan.blocked = 0x00a;
  b->core[0].plan.trapped = 0x090;
  put_status(*b, 0, 4, STP_CAUSE_LIMIT | 0x1f3u << 16 | 0x100, 0xab12345678);
  submit(*b, {good_descriptor(9)});
  const stp_completion r = record(*b);
  assert_int_equal(r.status, STP_JOB_TRAP);
  assert_int_equal(r.cause, STP_CAUSE_LIMIT);
  assert_int_equal(r.core, 0);
  assert_int_equal(r.unit, 4);
  assert_int_equal(r.pc, 0x1f3);
  assert_true(r.addr == 0xab12345678);
  assert_int_equal(r.running, 0x00a);
  assert_int_equal(r.trapped, 0x090);
  assert_int_equal(r.blocked, 0);
  assert_status_sticks(*b, 0);
  assert_int_equal(b->core[0].halts, 1);
  assert_non_null(std::strstr(b->console.c_str(), "job 9: trap 11 in unit 4 at 499, core 0\n"));
  assert_serves(*b, 10);
}

void test_deadlock_and_leftover(void **) {
  auto b = booted(0);
  fill_memory(*b, 6);
  forget(*b);
  b->core[0].plan.running = b->core[0].plan.blocked = 0x03c;
  b->core[0].plan.deadlock = true;
  submit(*b, {good_descriptor(11)});
  stp_completion r = record(*b);
  assert_int_equal(r.status, STP_JOB_DEADLOCK);
  assert_int_equal(r.blocked, 0x03c);
  assert_int_equal(r.running, 0x03c);
  assert_int_equal(r.cause | r.unit | r.pc | r.trapped, 0);
  assert_status_sticks(*b, 0);
  assert_int_equal(b->core[0].halts, 1);
  assert_non_null(
      std::strstr(b->console.c_str(), "job 11: deadlock: units blocked 0000003c, core 0\n"));
  assert_serves(*b, 12);
  for (int tokens = 0; tokens < 2; tokens++) {
    forget(*b);
    b->core[0].plan = Plan{};
    (tokens ? b->core[0].plan.leftover_token : b->core[0].plan.leftover_fifo) = true;
    submit(*b, {good_descriptor(13)});
    r = record(*b);
    assert_int_equal(r.status, STP_JOB_LEFTOVER);
    assert_int_equal(r.cause | r.running | r.trapped | r.blocked, 0);
    assert_int_equal(b->core[0].halts, 0);
    assert_serves(*b, 14);
  }
}

void test_watchdog(void **) {
  auto b = booted(0);
  fill_memory(*b, 7);
  forget(*b);
  b->core[0].plan.after = 1000000;
  stp_descriptor d = good_descriptor(21);
  d.watchdog = 3;
  submit(*b, {d});
  stp_completion r = record(*b);
  assert_int_equal(r.status, STP_JOB_WATCHDOG);
  assert_int_equal(r.running, 0x3ff);
  assert_int_equal(r.cause, 0);
  assert_int_equal(b->core[0].halts, 1);
  assert_int_equal(b->core[0].running, 0);
  assert_status_sticks(*b, 0);
  // It fired when the time was over, and not before.
  assert_in_range(b->read64(STP_HOST_T_HALT_LO) - b->read64(STP_HOST_T_START_LO), 3 * 1024,
                  3 * 1024 + 600);
  assert_serves(*b, 22);
  // A job that is faster is not touched; nor is one without a limit that is slower.
  forget(*b);
  b->core[0].plan.after = 2900;
  submit(*b, {d});
  assert_ok(record(*b), 21);
  forget(*b);
  b->core[0].plan.after = 9000;
  submit(*b, {good_descriptor(23)});
  assert_ok(record(*b), 23);
  assert_int_equal(b->core[0].halts, 0);
  // A unit that trapped is named, though the clock ended the job.
  forget(*b);
  b->core[0].plan = Plan{};
  b->core[0].plan.running = 0x3fb;
  b->core[0].plan.trapped = 0x004;
  b->core[0].plan.stopped = false;
  put_status(*b, 0, 2, STP_CAUSE_TRAPIF | 7u << 16, 42);
  submit(*b, {d});
  r = record(*b);
  assert_int_equal(r.status, STP_JOB_WATCHDOG);
  assert_int_equal(r.cause, STP_CAUSE_TRAPIF);
  assert_int_equal(r.unit, 2);
  assert_int_equal(r.pc, 7);
  assert_true(r.addr == 42);
  assert_serves(*b, 24);
}

void test_bus_errors(void **) {
  auto b = booted(0);
  fill_memory(*b, 8);
  for (uint64_t bad : {kProgram, kProgram + 21 * 128, kArgs + 128}) {
    forget(*b);
    b->memory.bad = {bad / 128};
    submit(*b, {good_descriptor(31)});
    const stp_completion r = record(*b);
    assert_int_equal(r.status, STP_JOB_BUS_ERROR);
    assert_int_equal(b->core[0].starts, 0);
    b->memory.bad.clear();
    assert_serves(*b, 32);
  }
  // The descriptor itself.
  b->console.clear();
  b->memory.bad = {kQueue / 128, kQueue / 128 + 1, kQueue / 128 + 2, kQueue / 128 + 3};
  const uint64_t writes = b->memory.writes;
  submit(*b, {good_descriptor(33)});
  assert_true(b->memory.writes == writes);
  assert_string_equal(b->console.c_str(), "bus error while fetching a descriptor\n");
  b->memory.bad.clear();
  assert_serves(*b, 34);
  // A completion record or a status stick.
  for (uint64_t bad : {kDone, kDone + 128 * 3}) {
    b->console.clear();
    b->memory.bad = {bad / 128};
    submit(*b, {good_descriptor(35)});
    assert_string_equal(b->console.c_str(), "bus error while writing a completion record\n");
    b->memory.bad.clear();
    assert_serves(*b, 36);
  }
}

// The processor alone is reset in the middle of a job: the cores are brought to rest, and the queue
// goes on with the next job.
void test_restart(void **) {
  auto b = booted(0);
  fill_memory(*b, 9);
  forget(*b);
  b->core[0].plan.after = 1000000;
  const uint32_t n = b->read(STP_HOST_DOORBELL);
  b->memory.put(kQueue + (n & 3) * 128, good_descriptor(41));
  b->write(STP_HOST_DOORBELL, n + 1);
  b->run(3000);
  assert_int_equal(b->core[0].running, 0x3ff);
  b->write(STP_HOST_CONTROL, 0);
  b->run(100);
  b->lockstep.reset();
  b->core[0].plan = Plan{};
  b->write(STP_HOST_CONTROL, 1);
  // Ready again, and then the job that was not completed runs once more.
  while (b->read(STP_HOST_COMPLETED) != n + 1) {
    assert_true(b->wait_irq());
    assert_sound(*b);
  }
  assert_int_equal(b->core[0].halts, 1);
  assert_int_equal(b->core[0].starts, 2);
  assert_ok(record(*b), 41);
  assert_serves(*b, 42);
}

// The firmware's own trap: an illegal instruction where it would go to sleep.
void test_fatal(void **) {
  auto b = new_bench(0);
  b->load();
  // The first wfi is that of the main loop.
  size_t at = 0;
  for (uint32_t word = 0; word != 0x10500073; at += 4) {
    assert_true(at + 4 <= image.size());
    std::memcpy(&word, &image[at], 4);
  }
  b->write(STP_HOST_TCM_BASE + uint32_t(at - 4), 0);
  b->write(STP_HOST_IRQ_ENABLE, 4);
  b->write(STP_HOST_CONTROL, 1);
  assert_true(b->wait_irq());
  assert_int_equal(b->read(STP_HOST_FW_STATUS), 0xdead0002);
  assert_non_null(
      std::strstr(b->console.c_str(), "steeple firmware: fatal trap: mcause 00000002 mepc 0000"));
  const uint64_t before = b->lockstep.compared();
  b->write(STP_HOST_DOORBELL, 1);
  b->run(1000);
  assert_true(b->lockstep.compared() <= before + 3);
  assert_int_equal(b->read(STP_HOST_COMPLETED), 0);
  assert_sound(*b);
}

// Random latencies, order and stalls of memory; random jobs, good, bad, and faulty.
void test_random(void **) {
  const char *env = std::getenv("STP_TEST_RUNS");
  const unsigned runs = env != nullptr ? unsigned(std::atoi(env)) : 6;
  for (unsigned seed = 1; seed <= runs; seed++) {
    std::mt19937 rng(seed);
    auto b = booted(seed);
    for (unsigned i = 0; i < 12; i++) {
      fill_memory(*b, rng());
      forget(*b);
      stp_descriptor d = good_descriptor(rng());
      d.core_mask = 1 + rng() % 3;
      d.arg_sticks = uint16_t(rng() % 5);
      d.segments = uint8_t(1 + rng() % 10);
      d.start_mask = 0;
      for (unsigned s = 0; s < d.segments; s++) {
        const uint16_t sticks = uint16_t(1 + rng() % 6);
        d.segment[s] = {uint16_t(1u << s), uint16_t(rng() % 58), sticks, 0};
        d.start_mask = uint16_t(d.start_mask | 1u << s);
      }
      uint32_t expect = STP_JOB_OK;
      for (unsigned n = 0; n < 2; n++) {
        Plan &p = b->core[n].plan;
        p = Plan{};
        p.after = 1 + rng() % 2000;
        if ((d.core_mask >> n & 1) == 0 || rng() % 4 != 0 || expect != STP_JOB_OK) continue;
        const unsigned unit = 31u - unsigned(__builtin_clz(d.start_mask));
        switch (rng() % 3) {
        case 0:
          p.trapped = 1u << unit;
          expect = STP_JOB_TRAP;
          break;
        case 1:
          p.running = p.blocked = 1u << unit;
          p.deadlock = true;
          expect = STP_JOB_DEADLOCK;
          break;
        default:
          p.leftover_fifo = true;
          expect = STP_JOB_LEFTOVER;
          break;
        }
      }
      submit(*b, {d}, 1000000);
      assert_int_equal(record(*b).status, expect);
      assert_int_equal(record(*b).job_id, d.job_id);
      for (unsigned n = 0; n < 2; n++) {
        assert_int_equal(b->core[n].starts, d.core_mask >> n & 1);
        if ((d.core_mask >> n & 1) == 0) continue;
        assert_loaded(*b, d, n);
        assert_status_sticks(*b, n);
      }
    }
  }
}

// Two runs with different initial states of the RTL take the same cycles.
void test_same_cycles(void **) {
  uint64_t total[2];
  for (int i = 0; i < 2; i++) {
    std::vector<char *> args(main_argv, main_argv + main_argc);
    char seed[32];
    std::snprintf(seed, sizeof seed, "+verilator+seed+%d", 100 + i);
    args.push_back(seed);
    Bench b(int(args.size()), args.data(), 0, image);
    b.boot();
    b.write(STP_HOST_QUEUE_LO, uint32_t(kQueue));
    b.write(STP_HOST_QUEUE_HI, uint32_t(kQueue >> 32));
    b.write(STP_HOST_QUEUE_LOG2, kQueueLog2);
    fill_memory(b, 1);
    submit(b, {good_descriptor(1), good_descriptor(2)});
    total[i] = b.read64(STP_HOST_T_IRQ_LO);
  }
  assert_true(total[0] == total[1]);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: test_mgmt steeple_fw.bin [verilator arguments]\n");
    return 2;
  }
  std::FILE *f = std::fopen(argv[1], "rb");
  if (f == nullptr) {
    std::perror(argv[1]);
    return 2;
  }
  for (int c; (c = std::fgetc(f)) != EOF;) image.push_back(uint8_t(c));
  std::fclose(f);
  while (image.size() % 4 != 0) image.push_back(0);
  main_argc = argc;
  main_argv = argv;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_host_registers),
      cmocka_unit_test(test_tcm_window),
      cmocka_unit_test(test_boot),
      cmocka_unit_test(test_job),
      cmocka_unit_test(test_two_cores),
      cmocka_unit_test(test_queue),
      cmocka_unit_test(test_bad_descriptors),
      cmocka_unit_test(test_trap),
      cmocka_unit_test(test_deadlock_and_leftover),
      cmocka_unit_test(test_watchdog),
      cmocka_unit_test(test_bus_errors),
      cmocka_unit_test(test_restart),
      cmocka_unit_test(test_fatal),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_same_cycles),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
