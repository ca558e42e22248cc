#include "bench.h"

static int mem_read(void *user, uint64_t addr, void *buf, size_t n) {
  bench_t *b = user;
  if (addr + n > MEM_BYTES) return -1;
  if (b->bad != 0 && addr < b->bad + 128 && addr + n > b->bad) return -1;
  memcpy(buf, b->mem + addr, n);
  return 0;
}

static int mem_write(void *user, uint64_t addr, const void *buf, size_t n) {
  bench_t *b = user;
  if (addr + n > MEM_BYTES) return -1;
  if (b->bad != 0 && addr < b->bad + 128 && addr + n > b->bad) return -1;
  memcpy(b->mem + addr, buf, n);
  return 0;
}

bench_t *bench_open(void) {
  bench_t *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->mem = calloc(1, MEM_BYTES);
  assert_non_null(b->mem);
  const stp_core_io_t io = {.user = b, .read = mem_read, .write = mem_write};
  b->core = stp_core_create(3, 8, &io);
  assert_non_null(b->core);
  return b;
}

void bench_close(bench_t *b) {
  stp_core_destroy(b->core);
  free(b->mem);
  free(b);
}

unsigned emit(bench_t *b, unsigned unit, uint64_t word) {
  assert_true(b->at[unit] < STP_PROG_WORDS);
  b->word[unit][b->at[unit]] = word;
  b->used |= 1u << unit;
  return b->at[unit]++;
}

void bench_load(bench_t *b) {
  for (unsigned u = 0; u < STP_UNITS; u++)
    for (unsigned row = 0; row < STP_PROG_WORDS / 4; row++)
      assert_int_equal(stp_core_load_program(b->core, 1u << u, row, &b->word[u][4 * row]), 0);
  stp_core_clear(b->core);
}

void bench_arg(bench_t *b, unsigned unit, unsigned number, uint64_t value) {
  b->arg[unit][number] = value;
  assert_int_equal(
      stp_core_load_args(b->core, 1u << unit, number / 4, &b->arg[unit][number / 4 * 4]), 0);
}

stp_core_state_t bench_run(bench_t *b) {
  stp_core_state_t s;
  bench_load(b);
  stp_core_start(b->core, b->used);
  for (unsigned n = 0; stp_core_run(b->core, 1000) != 0; n++) assert_true(n < 1000000);
  stp_core_get_state(b->core, &s);
  assert_true(s.stopped);
  memset(b->word, 0, sizeof b->word);
  memset(b->at, 0, sizeof b->at);
  b->used = 0;
  return s;
}

uint64_t stat(const bench_t *b, unsigned unit, unsigned word) {
  uint8_t stick[STP_STICK_BYTES];
  uint64_t v = 0;
  stp_core_status(b->core, unit, stick);
  for (unsigned n = 0; n < 8; n++) v |= (uint64_t)stick[8 * word + n] << (8 * n);
  return v;
}

void expect_trap(const bench_t *b, unsigned unit, unsigned cause, unsigned pc, uint64_t addr) {
  stp_core_state_t s;
  stp_core_get_state(b->core, &s);
  assert_int_equal(s.trapped, 1u << unit);
  const uint64_t state = stat(b, unit, STP_STAT_STATE);
  assert_string_equal(stp_cause_names[state & 0xff], stp_cause_names[cause]);
  assert_int_equal(state >> 16 & 0xffff, pc);
  assert_int_equal(stat(b, unit, STP_STAT_TRAP_ADDR), addr);
}

uint64_t rnd(uint64_t *state) {
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  *state = x;
  return x * 0x2545f4914f6cdd1dull;
}
