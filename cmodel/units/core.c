/* The core: its life, its loader, its turn-taking and its status. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "units_int.h"

#define LX_POISON 0xa5
/* Steps of a unit before the next has its turn; only a unit that never waits reaches it. */
#define SLICE 4096

static const uint8_t unit_kind[STP_UNITS] = {
    STP_KIND_MNI_LU, STP_KIND_MNI_SU, STP_KIND_LX_LU, STP_KIND_PT,  STP_KIND_SFU,
    STP_KIND_LX_SU,  STP_KIND_LX_LU,  STP_KIND_PT,    STP_KIND_SFU, STP_KIND_LX_SU,
};

stp_core_t *stp_core_create(unsigned core, unsigned cores, const stp_core_io_t *io) {
  /* A multiple of the alignment, as aligned_alloc wants it; the vectors inside need it. */
  const size_t size = (sizeof(stp_core_t) + 63) / 64 * 64;
  stp_core_t *c = aligned_alloc(64, size);
  if (c == NULL) return NULL;
  memset(c, 0, size);
  c->lx = aligned_alloc(STP_STICK_BYTES, STP_LX_BYTES);
  if (c->lx == NULL) {
    free(c);
    return NULL;
  }
  memset(c->lx, LX_POISON, STP_LX_BYTES);
  c->core = core;
  c->cores = cores;
  c->io = *io;
  c->num = stp_num_fast();
  for (unsigned n = 0; n < STP_UNITS; n++) {
    stp_unit_t *u = &c->unit[n];
    u->id = (uint8_t)n;
    u->kind = unit_kind[n];
    u->corelet = n >= STP_UNIT_LX_LU1;
    for (unsigned pc = 0; pc < STP_PROG_WORDS; pc++) stp_decode(0, u->kind, &u->program[pc]);
  }
  stp_core_clear(c);
  return c;
}

void stp_core_destroy(stp_core_t *c) {
  if (c == NULL) return;
  free(c->lx);
  free(c);
}

void stp_core_set_tap(stp_core_t *c, stp_tap_fn fn, void *user) {
  c->tap = fn;
  c->tap_user = user;
}

bool stp_core_tap_stopped(const stp_core_t *c) {
  return c->tap_stop;
}

void stp_strobe(uint8_t strb[16], unsigned first, unsigned n) {
  memset(strb, 0, 16);
  for (unsigned j = first; j < first + n; j++) strb[j / 8] |= (uint8_t)(1u << j % 8);
}

void stp_tap_stick(stp_core_t *c, const stp_unit_t *u, unsigned pc, uint64_t addr,
                   const uint8_t *data, const uint8_t *strb) {
  static const uint8_t all[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const struct stp_tap t = {
      .core = c->core,
      .unit = u->id,
      .pc = (int)pc,
      .addr = addr,
      .data = data,
      .strb = strb == NULL ? all : strb,
  };
  if (c->tap(c->tap_user, &t) != 0) c->tap_stop = true;
}

int stp_core_load_program(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]) {
  if (row >= STP_PROG_WORDS / STP_PROG_ROW_WORDS) return -1;
  for (unsigned n = 0; n < STP_UNITS; n++) {
    stp_unit_t *u = &c->unit[n];
    if ((units >> n & 1) == 0) continue;
    for (unsigned k = 0; k < STP_PROG_ROW_WORDS; k++)
      stp_decode(words[k], u->kind, &u->program[row * STP_PROG_ROW_WORDS + k]);
  }
  return 0;
}

int stp_core_load_args(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]) {
  if (row >= STP_ARGS / 4) return -1;
  for (unsigned n = 0; n < STP_UNITS; n++)
    if ((units >> n & 1) != 0) memcpy(&c->unit[n].args[4 * row], words, 4 * sizeof words[0]);
  return 0;
}

static void clear_unit(stp_core_t *c, stp_unit_t *u) {
  u->running = u->halted = u->trapped = u->blocked = false;
  u->cause = STP_CAUSE_NONE;
  u->trap_addr = 0;
  u->pc = 0;
  u->loops = 0;
  u->loop_end = UINT32_MAX;
  memset(u->r, 0, sizeof u->r);
  memset(u->count, 0, sizeof u->count);
  stp_cfg_reset(u);
  stp_engine_clear(c, u);
}

void stp_core_clear(stp_core_t *c) {
  for (unsigned n = 0; n < STP_UNITS; n++) clear_unit(c, &c->unit[n]);
  for (unsigned k = 0; k < STP_CORELETS; k++)
    for (unsigned f = 0; f < 4; f++) c->fifo[k][f].head = c->fifo[k][f].count = 0;
  memset(c->token, 0, sizeof c->token);
  c->started = c->quiet = c->halted = false;
  c->turn = 0;
}

void stp_core_start(stp_core_t *c, uint32_t units) {
  if ((units & ((1u << STP_UNITS) - 1)) == 0) return;
  c->started = true;
  c->quiet = false;
  if (c->halted) return;
  for (unsigned n = 0; n < STP_UNITS; n++) {
    stp_unit_t *u = &c->unit[n];
    if ((units >> n & 1) == 0 || u->running || u->trapped) continue;
    u->running = true;
    u->halted = false;
    u->pc = 0;
  }
}

void stp_core_halt(stp_core_t *c) {
  c->halted = true;
  for (unsigned n = 0; n < STP_UNITS; n++) {
    stp_unit_t *u = &c->unit[n];
    if (!u->running) continue;
    u->running = u->blocked = false;
    u->halted = true;
    stp_engine_clear(c, u);
  }
}

uint64_t stp_core_run(stp_core_t *c, uint64_t budget) {
  uint64_t total = 0;
  unsigned still = 0; /* units in a row that did not move */
  c->tap_stop = false;
  while (total < budget && still < STP_UNITS && !c->tap_stop) {
    stp_unit_t *u = &c->unit[c->turn];
    uint64_t work = 0;
    if (u->running) {
      const uint64_t left = budget - total;
      work = stp_unit_run(c, u, left < SLICE ? left : SLICE);
      u->blocked = u->running && work == 0;
    }
    total += work;
    still = work == 0 ? still + 1 : 0;
    c->turn = (c->turn + 1) % STP_UNITS;
  }
  if (still == STP_UNITS && c->started) c->quiet = true;
  return total;
}

void stp_core_get_state(const stp_core_t *c, stp_core_state_t *out) {
  memset(out, 0, sizeof *out);
  for (unsigned n = 0; n < STP_UNITS; n++) {
    const stp_unit_t *u = &c->unit[n];
    out->running |= (uint32_t)u->running << n;
    out->trapped |= (uint32_t)u->trapped << n;
    out->blocked |= (uint32_t)u->blocked << n;
  }
  out->stopped = c->started && (out->running == 0 || c->quiet);
  out->deadlock = out->stopped && out->running != 0 && out->trapped == 0;
  for (unsigned k = 0; k < STP_CORELETS; k++)
    for (unsigned f = 0; f < 4; f++) out->leftover_fifo |= c->fifo[k][f].count != 0;
  const uint8_t *t = &c->token[0][0][0];
  for (size_t n = 0; n < sizeof c->token; n++) out->leftover_token |= t[n] != 0;
}

void stp_core_status(const stp_core_t *c, unsigned unit, uint8_t stick[128]) {
  uint64_t word[16] = {0};
  if (unit < STP_UNITS) {
    const stp_unit_t *u = &c->unit[unit];
    memcpy(word, u->count, sizeof word);
    word[STP_STAT_STATE] = u->cause | (uint64_t)u->halted << 8 | (uint64_t)u->running << 9 |
                           (uint64_t)u->blocked << 10 | (uint64_t)(u->pc & 0xffff) << 16;
    word[STP_STAT_TRAP_ADDR] = u->trap_addr;
  }
  for (unsigned n = 0; n < STP_STICK_BYTES; n++) stick[n] = (uint8_t)(word[n / 8] >> 8 * (n % 8));
}

uint8_t *stp_core_lx(stp_core_t *c) {
  return c->lx;
}
