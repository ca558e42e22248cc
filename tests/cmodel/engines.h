/* What the tests of single engines share. */
#ifndef STP_TESTS_ENGINES_H
#define STP_TESTS_ENGINES_H
#include "bench.h"

static inline int setup(void **state) {
  *state = bench_open();
  return 0;
}
static inline int teardown(void **state) {
  bench_close(*state);
  return 0;
}

static inline uint64_t vmov(unsigned to, unsigned from) {
  return sfu(STP_OP_VMOV, STP_FMT_F16, to, from, 0, 0);
}

/* The operands of an LX unit. */
typedef struct agen {
  uint64_t a;
  int64_t n[4], s[4], lim0, lim1;
  uint32_t pad;
  unsigned mode;
} agen_t;

static inline void emit_agen(bench_t *b, unsigned unit, const agen_t *g, unsigned op,
                             unsigned aux) {
  for (unsigned k = 0; k < 4; k++) {
    emit(b, unit, cfg(STP_CFG_LX_N0 + k, g->n[k]));
    emit(b, unit, cfg(STP_CFG_LX_S0 + k, g->s[k]));
  }
  emit(b, unit, cfg(STP_CFG_LX_LIM0, g->lim0));
  emit(b, unit, cfg(STP_CFG_LX_LIM1, g->lim1));
  emit(b, unit, cfg(STP_CFG_LX_PAD, (int32_t)g->pad));
  emit(b, unit, li(1, (int64_t)g->a));
  emit(b, unit, insn(op, 1, 1, 0, aux | g->mode << 1, 0));
}

/* What the tap has seen of one unit. */
typedef struct seen {
  unsigned unit;
  size_t count, stop_at;
  struct {
    uint64_t addr;
    int pc;
    uint8_t data[128], strb[16];
  } stick[20000];
} seen_t;

static inline int on_stick(void *user, const struct stp_tap *t) {
  seen_t *s = user;
  if (t->unit != s->unit) return 0;
  assert_int_equal(t->core, 3);
  assert_true(s->count < 20000);
  s->stick[s->count].addr = t->addr;
  s->stick[s->count].pc = t->pc;
  memcpy(s->stick[s->count].data, t->data, 128);
  memcpy(s->stick[s->count].strb, t->strb, 16);
  s->count++;
  return s->count == s->stop_at;
}

static inline bool strobed(const uint8_t strb[16], unsigned n) {
  return strb[n / 8] >> n % 8 & 1;
}

#endif
