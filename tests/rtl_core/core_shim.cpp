// The interface of the C model's core (cmodel/units/core.h) on the verilated core, so that the
// tests of the model run on the RTL.
#include "rtl_core.h"

#include "stp_arch.h"

#include <csetjmp>
#include <cstdarg>
#include <cstdlib>

extern "C" {
#include <cmocka.h>
}

// Stores of overlapping rows depend on the order of memory's writes, which is random with a seed.
__attribute__((constructor)) static void leave_out() {
  if (std::getenv("RTL_CORE_SEED") != nullptr) cmocka_set_skip_filter("mni_store");
}

struct stp_core {
  bench::RtlCore rtl;
  std::vector<uint8_t>
      lx; // a copy for tests that look at LX: taken at each stop, written back at each start
  bool copies = false;
  bool pending = false; // started, not stopped yet
  stp_core(unsigned core, unsigned cores, const stp_core_io_t &io, const bench::Timing &t)
      : rtl(core, cores, io, t) {}

  void pull() {
    for (unsigned s = 0; s < STP_LX_STICKS; s++) rtl.lx_read(s, &lx[128 * s]);
  }
  void push() {
    for (unsigned s = 0; s < STP_LX_STICKS; s++) rtl.lx_write(s, &lx[128 * s]);
  }
};

extern "C" {

// RTL_CORE_SEED: random timing.
stp_core_t *stp_core_create(unsigned core, unsigned cores, const stp_core_io_t *io) {
  bench::Timing t;
  const char *seed = std::getenv("RTL_CORE_SEED");
  if (seed != nullptr) t.seed = t.init = std::strtoull(seed, nullptr, 0);
  return new stp_core(core, cores, *io, t);
}

void stp_core_destroy(stp_core_t *c) {
  delete c;
}

void stp_core_set_tap(stp_core_t *c, stp_tap_fn fn, void *user) {
  c->rtl.tap = fn;
  c->rtl.tap_user = user;
}

bool stp_core_tap_stopped(const stp_core_t *c) {
  return c->rtl.tap_stop;
}

int stp_core_load_program(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]) {
  if (row >= STP_PROG_WORDS / STP_PROG_ROW_WORDS) return -1;
  c->rtl.load(0, units, row, words);
  return 0;
}

int stp_core_load_args(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]) {
  if (row >= STP_ARGS / 4) return -1;
  c->rtl.load(1, units, row, words);
  return 0;
}

void stp_core_clear(stp_core_t *c) {
  c->rtl.clear();
}

void stp_core_start(stp_core_t *c, uint32_t units) {
  if (c->copies) c->push();
  c->rtl.start(units);
  c->pending = units != 0;
}

// The model stops at once; the RTL when what is in flight has come back.
void stp_core_halt(stp_core_t *c) {
  c->rtl.halt();
  for (unsigned n = 0; n < 10000 && c->rtl.state().running != 0; n++) c->rtl.tick();
  c->pending = false;
}

uint64_t stp_core_run(stp_core_t *c, uint64_t budget) {
  if (!c->pending) return 0;
  uint64_t n = c->rtl.run(budget);
  if (c->rtl.state().stopped) {
    c->pending = false;
    if (c->copies) c->pull();
    n++;
  }
  return n;
}

void stp_core_get_state(const stp_core_t *c, stp_core_state_t *out) {
  *out = const_cast<stp_core_t *>(c)->rtl.state();
}

void stp_core_status(const stp_core_t *c, unsigned unit, uint8_t stick[128]) {
  const_cast<stp_core_t *>(c)->rtl.status(unit, stick);
}

uint8_t *stp_core_lx(stp_core_t *c) {
  if (!c->copies) {
    c->copies = true;
    c->lx.resize(STP_LX_BYTES);
    c->pull();
  }
  return c->lx.data();
}

} // extern "C"
