/* The RTL and the model side by side: random unit programs for all ten units, run by the firmware
 * on both machines. Every stick that leaves a unit, memory, the completion record and the units'
 * counters must be the same.
 *
 *   test_differ [cases [first seed [stall seed]]]
 *
 * A case loads LX from device memory; then MNI units make random transfers, and each corelet runs
 * random loads through PT and SFU and stores the results. Counts of sticks fit together, mostly:
 * some cases trap, some block, and then the records must agree too. A stall seed that is not 0
 * randomises the RTL's memory and FIFOs, which may change nothing. */
#include "bench.h"
#include "jobs.h"

#define SRC 0x400000u
#define SRC_BYTES (1u << 18)
#define OUT 0x800000u
#define OUT_BYTES (1u << 18)
#define IN_BYTES (1u << 16) /* of LX from address 0: what is loaded first, and only read then */
#define LIMIT 400000u

/* --- what leaves units --- */

typedef struct stick {
  uint64_t addr, cycle;
  uint8_t data[128], strb[16];
} stick_t;

typedef struct log {
  stick_t *stick[STP_UNITS];
  size_t count[STP_UNITS], room[STP_UNITS];
} log_t;

static int on_stick(void *user, const struct stp_tap *t) {
  log_t *l = user;
  if (l->count[t->unit] == l->room[t->unit]) {
    l->room[t->unit] = l->room[t->unit] == 0 ? 1024 : 2 * l->room[t->unit];
    l->stick[t->unit] = realloc(l->stick[t->unit], l->room[t->unit] * sizeof(stick_t));
    assert_non_null(l->stick[t->unit]);
  }
  stick_t *s = &l->stick[t->unit][l->count[t->unit]++];
  s->addr = t->addr;
  s->cycle = t->cycle;
  memcpy(s->strb, t->strb, 16);
  for (unsigned k = 0; k < 128; k++) s->data[k] = t->strb[k / 8] >> k % 8 & 1 ? t->data[k] : 0;
  return 0;
}

/* --- random programs --- */

typedef struct gen {
  uint64_t seed;
  job_t *job;
  unsigned unit; /* that is written */
} gen_t;

static uint64_t pick(gen_t *g, uint64_t n) {
  return rnd(&g->seed) % n;
}
static bool chance(gen_t *g, unsigned percent) {
  return pick(g, 100) < percent;
}

static unsigned put(gen_t *g, uint64_t word) {
  job_t *j = g->job;
  /* A rare flipped bit: mostly a trap. */
  if (pick(g, 20000) == 0) word ^= 1ull << pick(g, 64);
  assert_true(j->words[g->unit] < STP_PROG_WORDS);
  j->word[g->unit][j->words[g->unit]] = word;
  return j->words[g->unit]++;
}

/* Scalar work that leaves r1..r7 alone, and something in r8..r15. */
static void scalars(gen_t *g) {
  for (uint64_t n = pick(g, 4); n != 0; n--) {
    const unsigned op = STP_OP_ADD + (unsigned)pick(g, 21), rd = 8 + (unsigned)pick(g, 8);
    if (chance(g, 50))
      put(g, insn(op, rd, 8 + (unsigned)pick(g, 8), 8 + (unsigned)pick(g, 8), 0, 0));
    else
      put(g, insn(op + 0x20, rd, 8 + (unsigned)pick(g, 8), 0, 0, (int32_t)pick(g, 1ull << 32)));
  }
}

/* A transfer's descriptor, small; addresses go to r1 and r2. */
static void transfer(gen_t *g, bool load) {
  const bool wild = chance(g, 1);
  const int64_t n0 = 1 + (int64_t)pick(g, chance(g, 50) ? 40 : 700);
  put(g, cfg(STP_CFG_MNI_N0, n0));
  put(g, cfg(STP_CFG_MNI_LIM0, chance(g, 70) ? 0xffffff : (int64_t)pick(g, (uint64_t)n0 + 2)));
  for (unsigned k = 1; k < 4; k++) {
    const int64_t n = (int64_t)pick(g, k == 1 ? 6 : 3) + (chance(g, 95) ? 1 : 0);
    put(g, cfg(STP_CFG_MNI_N0 + k, n));
    put(g, cfg(STP_CFG_MNI_LIM0 + k, chance(g, 70) ? 0xffffff : (int64_t)pick(g, 5)));
    put(g, cfg(STP_CFG_MNI_GS1 + k - 1, (int64_t)pick(g, 4000) - 1000));
    put(g, cfg(STP_CFG_MNI_LS1 + k - 1, (int64_t)pick(g, load ? 4000 : 1500) - (load ? 1000 : 0)));
  }
  const uint64_t far = 60000 + pick(g, load ? SRC_BYTES - 160000 : OUT_BYTES - 160000);
  put(g, li(1, (int64_t)((load ? SRC : OUT) + far)));
  put(g, li(2, load ? 0x48000 + (int64_t)pick(g, 100000) : (int64_t)pick(g, 40000)));
  if (wild && chance(g, 50)) put(g, insn(STP_OP_MOVHI, 1, 1, 0, 0, (int64_t)pick(g, 300)));
  /* A store that stays inside LX would read what nobody wrote, and that differs. */
  if (wild) put(g, insn(STP_OP_ADDI, 2, 2, 0, 0, load ? (int64_t)pick(g, 1 << 22) : 1 << 21));
  /* A scalar of LX moves the transfer a little. */
  if (chance(g, 30)) {
    put(g, insn(STP_OP_LDX, 4, 0, 0, (unsigned)pick(g, 8), (int64_t)pick(g, IN_BYTES / 8) * 8));
    put(g, insn(STP_OP_ANDI, 4, 4, 0, 0, 127));
    put(g, insn(STP_OP_ADD, 1, 1, 4, 0, 0));
  }
  const unsigned strict = chance(g, 2) ? (unsigned)pick(g, 16) : 0;
  put(g, insn(STP_OP_XFER, chance(g, 50) ? 5 : 0, 1, 2, strict, (int64_t)pick(g, 1000)));
}

static void mni(gen_t *g, unsigned unit) {
  const bool load = unit == STP_UNIT_MNI_LU;
  g->unit = unit;
  if (load) {
    put(g, li(1, SRC));
    put(g, cfg(STP_CFG_MNI_N0, IN_BYTES));
    put(g, insn(STP_OP_XFER, 0, 1, 0, 0, 0));
    put(g, post_to(STP_UNIT_MNI_SU, 0));
    put(g, post_to(STP_UNIT_LX_LU0, 0));
    put(g, post_to(STP_UNIT_LX_LU1, 0));
    /* Scalar loads must see what was loaded. */
    put(g, post_to(STP_UNIT_MNI_LU, 0));
    put(g, wait_from(STP_UNIT_MNI_LU, 0));
  } else {
    put(g, wait_from(STP_UNIT_MNI_LU, 0));
  }
  for (uint64_t n = 2 + pick(g, 6); n != 0; n--) {
    scalars(g);
    transfer(g, load);
    if (chance(g, 20)) {
      put(g, post_to(unit, 3));
      put(g, wait_from(unit, 3));
    }
  }
  put(g, halt());
}

/* LX-LU: exactly `total` sticks as columns of blocks; false, with nothing emitted, if they do not
 * come out even. */
static bool transposing(gen_t *g, unsigned total, unsigned to_sfu) {
  const unsigned wide = (unsigned)pick(g, 2), most = wide ? 32 : 64;
  const unsigned blocks = 1 + (unsigned)pick(g, 3), rows = 1 + (unsigned)pick(g, most);
  if (total % blocks != 0 || total / blocks > most) return false;
  const bool narrow = rows % 2 == 0 && chance(g, 50);
  const unsigned n = (blocks - 1) * most + rows;
  put(g, cfg(STP_CFG_LX_N0, narrow ? 2 : 1));
  put(g, cfg(STP_CFG_LX_N1, narrow ? n / 2 : n));
  put(g, cfg(STP_CFG_LX_N2, 1));
  put(g, cfg(STP_CFG_LX_N3, 1));
  put(g, cfg(STP_CFG_LX_S0, (int64_t)pick(g, 100) * 128));
  put(g, cfg(STP_CFG_LX_S1, (int64_t)pick(g, 300 / n + 1) * 128 + (pick(g, 2000) == 0)));
  put(g, cfg(STP_CFG_LX_LIM0, chance(g, 60) ? 0xffffff : (int64_t)pick(g, 280)));
  put(g, cfg(STP_CFG_LX_LIM1, chance(g, 80) ? 0xffffff : (int64_t)pick(g, n)));
  put(g, cfg(STP_CFG_LX_PAD, (int32_t)pick(g, 1ull << 32)));
  put(g, cfg(STP_CFG_LX_COLS, total / blocks == most ? 0xffffff : total / blocks));
  put(g, li(1, (int64_t)pick(g, 30) * 128));
  put(g, insn(STP_OP_LD, 6, 1, 0, to_sfu | 2u << wide | 8, 128));
  return true;
}

/* LX-LU or LX-SU: exactly `total` sticks by ld or st with random patterns. */
static void pattern(gen_t *g, unsigned total, bool store, unsigned to_sfu) {
  int64_t n[4] = {1, 1, 1, 1};
  /* A product of four counts that is the total. */
  unsigned left = total;
  for (unsigned k = 0; k < 3; k++) {
    unsigned f = 1 + (unsigned)pick(g, left);
    while (left % f != 0) f--;
    n[k] = f;
    left /= f;
  }
  n[3] = left;
  const unsigned mode = chance(g, 70) ? 0 : 1 + (unsigned)pick(g, 2);
  const int64_t size = mode == 0 ? 128 : mode == 1 ? 2 : 4;
  const bool wild = pick(g, 1000) == 0;
  for (unsigned k = 0; k < 4; k++) {
    /* Positive strides that keep all of it inside 64 KB. */
    const int64_t most = 60000 / 4 / n[k] / size;
    put(g, cfg(STP_CFG_LX_N0 + k, n[k]));
    put(g, cfg(STP_CFG_LX_S0 + k,
               (int64_t)pick(g, (uint64_t)most + 1) * size + (wild ? (int64_t)pick(g, 200) : 0)));
  }
  put(g,
      cfg(STP_CFG_LX_LIM0, chance(g, 60) ? 0xffffff : (int64_t)pick(g, (uint64_t)n[0] * 128 + 20)));
  put(g, cfg(STP_CFG_LX_LIM1, chance(g, 80) ? 0xffffff : (int64_t)pick(g, (uint64_t)n[1] + 1)));
  if (!store) put(g, cfg(STP_CFG_LX_PAD, (int32_t)pick(g, 1ull << 32)));
  const int64_t base = store ? 0x80000 + 0x40000 * (g->unit == STP_UNIT_LX_SU1) : 0;
  put(g, li(1, base + (int64_t)pick(g, 3000 / (uint64_t)size) * size));
  put(g, insn(store ? STP_OP_ST : STP_OP_LD, 6, 1, 0, to_sfu | mode << 1, 128));
}

/* PT: returns the sticks that it sends to SFU; *taken gets those that it takes. */
static unsigned pt(gen_t *g, unsigned unit, unsigned *taken, bool small) {
  unsigned sent = 0;
  g->unit = unit;
  *taken = 0;
  /* All that can be read is written first. */
  put(g, li(1, 64));
  for (unsigned half = 0; half < 2; half++) put(g, insn(STP_OP_ALOAD, 0, 1, 0, half << 1, 0));
  for (unsigned bank = 0; bank < 2; bank++) put(g, insn(STP_OP_WLOAD, 0, 0, 0, bank | 8 << 2, 0));
  *taken += 256;
  for (uint64_t n = 1 + pick(g, small ? 6 : 16); n != 0; n--) {
    const unsigned bank = (unsigned)pick(g, 2), half = (unsigned)pick(g, 2),
                   nblk = 1 + (unsigned)pick(g, 8);
    const unsigned a = (unsigned)pick(g, small           ? 5
                                         : chance(g, 20) ? 65
                                                         : 12),
                   b = (unsigned)pick(g, 65 - a);
    const unsigned bad = pick(g, 400) == 0 ? (unsigned)pick(g, 80) : 0;
    scalars(g);
    put(g, li(1, a + bad));
    put(g, li(2, b));
    switch (pick(g, 6)) {
    case 0:
      put(g, insn(STP_OP_WLOAD, 0, 0, 0, bank | (small ? 1 : nblk) << 2, 0));
      *taken += 8 * (small ? 1 : nblk);
      break;
    case 1: {
      const unsigned format = (unsigned)pick(g, 3);
      put(g, insn(STP_OP_ALOAD, 0, 1, 2, half << 1 | format << 7, 0));
      *taken += format == 2 ? 2 * a : a;
      break;
    }
    case 2:
    case 3:
      put(g, insn(STP_OP_DRAIN, 0, 1, 2, half << 1, 0));
      sent += 2 * a;
      break;
    default:
      put(g,
          insn(STP_OP_MM, 0, 1, 2,
               bank | half << 1 | nblk << 2 | (unsigned)pick(g, 2) << 6 | (unsigned)pick(g, 2) << 7,
               0));
      *taken += a;
      break;
    }
    if (chance(g, 10)) {
      put(g, post_to(unit, 1));
      put(g, wait_from(unit, 1));
    }
  }
  put(g, halt());
  return sent;
}

/* An SFU instruction; *x, *p: takes from those FIFOs, which it may if given as true; *out: sends a
 * stick. */
static uint64_t sfu_random(gen_t *g, bool *x, bool *p, bool *out) {
  unsigned op, fmt, fn = 0, sfmt = 0, v[3] = {0, 0, 0}, vd, tee = 0;
  do op = STP_OP_VMOV + (unsigned)pick(g, STP_OP_VSQRT - STP_OP_VMOV + 1);
  while ((op == STP_OP_VDIV || op == STP_OP_VSQRT) && chance(g, 50));
  const struct stp_insn_info *info = &stp_insn_table[op];
  const unsigned sources = (unsigned)(info->syntax[1] - '0');
  do fmt = (unsigned)pick(g, 6);
  while ((info->formats >> fmt & 1) == 0);
  const bool wide = fmt == STP_FMT_F32 || fmt == STP_FMT_I32;
  if (op == STP_OP_VCMP) {
    do fn = (unsigned)pick(g, 16);
    while (fmt == STP_FMT_I32 && (fn == STP_VCMP_ORD || fn == STP_VCMP_UNO));
  }
  if (op == STP_OP_VFOLD) {
    do fn = (unsigned)pick(g, 5);
    while (fn == STP_VFOLD_ADD && fmt <= STP_FMT_BF16);
  }
  if (op == STP_OP_VFUNC) fn = (unsigned)pick(g, STP_VFUNCS);
  if (op == STP_OP_VCVT)
    sfmt = wide ? (chance(g, 50) ? STP_FMT_F32 : STP_FMT_I32) : (unsigned)pick(g, 2);
  if (op == STP_OP_VUNPACK || op == STP_OP_VACC) sfmt = (unsigned)pick(g, 2);
  const bool pair_in =
      op == STP_OP_VPACK || (fmt == STP_FMT_F32P && op != STP_OP_VUNPACK && op != STP_OP_VACC);
  const bool pair_out = fmt == STP_FMT_F32P;
  bool use_x = false, use_p = false;
  for (unsigned n = 0; n < sources; n++) {
    const uint64_t r = pick(g, 10);
    v[n] = (unsigned)pick(g, 32) & (pair_in ? ~1u : ~0u);
    if (r == 0) v[n] = STP_V_SA + (unsigned)pick(g, 3);
    if (pair_in) continue;
    if (r <= 3 && *x && !use_x) {
      v[n] = STP_V_X;
      use_x = true;
    } else if (r <= 6 && *p && !use_p) {
      v[n] = STP_V_P;
      use_p = true;
    }
  }
  if (op == STP_OP_VSPLAT) v[1] = (unsigned)pick(g, wide ? 32 : 64);
  vd = (unsigned)pick(g, 32) & (pair_out ? ~1u : ~0u);
  if (!pair_out && chance(g, 25))
    vd = STP_V_OUT;
  else if (!pair_out)
    tee = chance(g, 15);
  *x = use_x;
  *p = use_p;
  *out = vd == STP_V_OUT || tee;
  return sfu_fn(sfu(op, fmt, vd, v[0], v[1], v[2]), fn, sfmt) | (uint64_t)tee << 32 |
         (uint64_t)(8 + pick(g, 8)) << 46 | (uint64_t)(8 + pick(g, 8)) << 41;
}

/* SFU: takes p_sticks from PT. *x gets the sticks that it takes from LX-LU, *out those that it
 * sends. */
static void sfu_program(gen_t *g, unsigned unit, unsigned p_sticks, unsigned *x, unsigned *out,
                        bool small) {
  g->unit = unit;
  *x = *out = 0;
  for (unsigned n = 0; n < 32; n++) put(g, sfu(STP_OP_VMOV, STP_FMT_F16, n, STP_V_ZERO, 0, 0));
  for (uint64_t n = 4 + pick(g, small ? 12 : 60); n != 0; n--) {
    const unsigned times = chance(g, 25) ? 1 + (unsigned)pick(g, 6) : 1;
    bool use_x = true, use_p = p_sticks >= times, use_out;
    if (chance(g, 40)) scalars(g);
    if (small && *x + times > 14) use_x = false;
    const uint64_t word = sfu_random(g, &use_x, &use_p, &use_out);
    if (times > 1) put(g, loop_to(0, times, g->job->words[unit] + 1));
    put(g, word);
    *x += use_x * times;
    p_sticks -= use_p * times;
    *out += use_out * times;
    if (chance(g, 3)) {
      put(g, post_to(unit, 2));
      put(g, wait_from(unit, 2));
    }
  }
  /* Registers show at the end, and the rest of PT's sticks goes. */
  for (unsigned n = 0; n < 32; n++) put(g, sfu(STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, n, 0, 0));
  *out += 32;
  if (p_sticks != 0) {
    put(g, loop_to(0, p_sticks, g->job->words[unit] + 1));
    put(g, sfu(STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, STP_V_P, 0, 0));
    *out += p_sticks;
  }
  put(g, halt());
}

static void corelet(gen_t *g, unsigned first) {
  const unsigned lu = first, su = first + 3;
  unsigned taken, x, out;
  const bool small = chance(g, 60);
  const unsigned sent = pt(g, first + 1, &taken, small);
  sfu_program(g, first + 2, sent, &x, &out, small);
  if (chance(g, 3)) x += (unsigned)pick(g, 3) - 1;
  if (chance(g, 3)) out += (unsigned)pick(g, 3) - 1;

  g->unit = lu;
  put(g, wait_from(STP_UNIT_MNI_LU, 0));
  while (taken + x != 0) {
    const bool to_sfu = x != 0 && (taken == 0 || (taken <= 200 && chance(g, 60)));
    unsigned *left = to_sfu ? &x : &taken;
    const unsigned most = to_sfu ? 10 : taken > 200 ? 60 : 20;
    const unsigned n = 1 + (unsigned)pick(g, *left < most ? *left : most);
    if (g->job->words[lu] > STP_PROG_WORDS - 40) break;
    if (chance(g, 20)) scalars(g);
    if (!chance(g, 30) || !transposing(g, n, to_sfu)) pattern(g, n, false, to_sfu);
    if (chance(g, 5)) {
      put(g, post_to(lu, 2));
      put(g, wait_from(lu, 2));
    }
    *left -= n;
  }
  put(g, halt());

  g->unit = su;
  while (out != 0) {
    const unsigned n = 1 + (unsigned)pick(g, out < 40 ? out : 40);
    if (g->job->words[su] > STP_PROG_WORDS - 40) break;
    pattern(g, n, true, 0);
    out -= n;
  }
  put(g, halt());
}

static void random_job(job_t *j, uint64_t seed) {
  gen_t g = {.seed = seed * 0x9e3779b97f4a7c15ull + 1, .job = j};
  for (unsigned n = 0; n < 4; n++) rnd(&g.seed);
  memset(j, 0, sizeof *j);
  for (unsigned n = 0; n < STP_ARGS; n++) j->arg[n] = rnd(&g.seed);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    g.unit = u;
    for (unsigned r = 8; r < 16; r++)
      put(&g, insn(STP_OP_ARG, r, 0, 0, 0, (int64_t)pick(&g, STP_ARGS)));
  }
  mni(&g, STP_UNIT_MNI_LU);
  mni(&g, STP_UNIT_MNI_SU);
  corelet(&g, STP_UNIT_LX_LU0);
  corelet(&g, STP_UNIT_LX_LU1);
}

/* --- comparison --- */

typedef struct side {
  struct stp_machine *m;
  log_t log;
  job_result_t result;
  bool done;
  uint8_t out[OUT_BYTES];
} side_t;

static void run_side(side_t *s, const job_t *j, unsigned number, uint64_t seed) {
  static uint8_t data[SRC_BYTES];
  uint64_t state = seed + 77;
  for (unsigned n = 0; n < SRC_BYTES; n += 2) {
    uint16_t v = (uint16_t)rnd(&state);
    if (rnd(&state) % 4 != 0)
      v = (uint16_t)stp_num_from_double(STP_FMT_F16, ((double)(v & 0xfff) - 2048) / 256);
    data[n] = (uint8_t)v;
    data[n + 1] = (uint8_t)(v >> 8);
  }
  memset(s->out, 0, sizeof s->out);
  memset(s->log.count, 0, sizeof s->log.count);
  assert_int_equal(s->m->ops->mem_write(s->m, SRC, data, sizeof data), 0);
  assert_int_equal(s->m->ops->mem_write(s->m, OUT, s->out, sizeof s->out), 0);
  assert_int_equal(s->m->ops->set_tap(s->m, on_stick, &s->log), 0);
  s->done = jobs_run(s->m, j, number, LIMIT, &s->result);
  assert_int_equal(s->m->ops->set_tap(s->m, NULL, NULL), 0);
  assert_int_equal(s->m->ops->mem_read(s->m, OUT, s->out, sizeof s->out), 0);
}

static unsigned differences;

static void differ(uint64_t seed, const char *what, unsigned unit, uint64_t at, uint64_t rtl,
                   uint64_t model) {
  differences++;
  print_message("case %llu: %s, unit %s, at %llu: rtl 0x%llx, model 0x%llx\n",
                (unsigned long long)seed, what, unit < STP_UNITS ? stp_unit_names[unit] : "-",
                (unsigned long long)at, (unsigned long long)rtl, (unsigned long long)model);
}

static void compare_sticks(uint64_t seed, const side_t *r, const side_t *m, unsigned u) {
  const size_t n = r->log.count[u] < m->log.count[u] ? r->log.count[u] : m->log.count[u];
  for (size_t k = 0; k < n; k++) {
    const stick_t *a = &r->log.stick[u][k], *b = &m->log.stick[u][k];
    if (a->addr != b->addr) {
      differ(seed, "address of stick", u, k, a->addr, b->addr);
      return;
    }
    if (memcmp(a->strb, b->strb, 16) != 0) {
      differ(seed, "strobe of stick", u, k, a->strb[0], b->strb[0]);
      return;
    }
    for (unsigned i = 0; i < 128; i++) {
      if (a->data[i] == b->data[i]) continue;
      differ(seed, "data of stick", u, k * 1000 + i, a->data[i], b->data[i]);
      return;
    }
  }
  if (r->log.count[u] != m->log.count[u])
    differ(seed, "number of sticks", u, n, r->log.count[u], m->log.count[u]);
}

static void compare_status(uint64_t seed, const side_t *r, const side_t *m, unsigned u) {
  const uint64_t *a = r->result.status[u], *b = m->result.status[u];
  if (a[STP_STAT_STATE] != b[STP_STAT_STATE])
    differ(seed, "STATE", u, 0, a[STP_STAT_STATE], b[STP_STAT_STATE]);
  if (a[STP_STAT_TRAP_ADDR] != b[STP_STAT_TRAP_ADDR])
    differ(seed, "TRAP_ADDR", u, 1, a[STP_STAT_TRAP_ADDR], b[STP_STAT_TRAP_ADDR]);
  for (unsigned n = STP_STAT_ITEMS; n <= STP_STAT_MACS; n++)
    if (a[n] != b[n]) differ(seed, stp_counter_names[n], u, n, a[n], b[n]);
  if ((b[STP_STAT_STATE] & 0x100) == 0) return;
  if (a[STP_STAT_INSNS] != b[STP_STAT_INSNS])
    differ(seed, "INSNS", u, 0, a[STP_STAT_INSNS], b[STP_STAT_INSNS]);
  if (a[STP_STAT_PAYLOADS] != b[STP_STAT_PAYLOADS])
    differ(seed, "PAYLOADS", u, 0, a[STP_STAT_PAYLOADS], b[STP_STAT_PAYLOADS]);
}

static void compare(uint64_t seed, const side_t *r, const side_t *m) {
  const struct stp_completion *a = &r->result.record, *b = &m->result.record;
  if (r->done != m->done) {
    differ(seed, "completion", STP_UNITS, 0, r->done, m->done);
    return;
  }
  if (a->status != b->status) differ(seed, "status", STP_UNITS, 0, a->status, b->status);
  if (a->cause != b->cause) differ(seed, "cause", STP_UNITS, 0, a->cause, b->cause);
  if (a->unit != b->unit) differ(seed, "unit", STP_UNITS, 0, a->unit, b->unit);
  if (a->pc != b->pc) differ(seed, "pc", STP_UNITS, 0, a->pc, b->pc);
  if (a->addr != b->addr) differ(seed, "addr", STP_UNITS, 0, a->addr, b->addr);
  if (a->blocked != b->blocked) differ(seed, "blocked", STP_UNITS, 0, a->blocked, b->blocked);
  if (a->running != b->running) differ(seed, "running", STP_UNITS, 0, a->running, b->running);
  if (a->trapped != b->trapped) differ(seed, "trapped", STP_UNITS, 0, a->trapped, b->trapped);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    compare_sticks(seed, r, m, u);
    compare_status(seed, r, m, u);
  }
  for (unsigned n = 0; n < OUT_BYTES; n++) {
    if (r->out[n] == m->out[n]) continue;
    differ(seed, "memory", STP_UNITS, OUT + n, r->out[n], m->out[n]);
    break;
  }
}

static unsigned cases = 25;
static uint64_t first_seed = 1, stall_seed;

static void same(void **state) {
  (void)state;
  static side_t rtl, model;
  char err[500];
  const struct stp_machine_options o = {
      .config = "c1", .random_seed = stall_seed, .init_seed = 5, .compare_processor = 1};
  unsigned endings[STP_STATUSES] = {0}, causes[STP_CAUSES] = {0};
  job_t *j = malloc(sizeof *j);
  assert_non_null(j);
  if (stp_rtl_open(&o, &rtl.m, err, sizeof err) != 0 ||
      stp_model_open(&o, &model.m, err, sizeof err) != 0)
    fail_msg("%s", err);
  jobs_boot(rtl.m);
  jobs_boot(model.m);
  for (unsigned n = 0; n < cases && differences < 40; n++) {
    const uint64_t seed = first_seed + n;
    random_job(j, seed);
    run_side(&model, j, n, seed);
    run_side(&rtl, j, n, seed);
    compare(seed, &rtl, &model);
    if (!rtl.done || !model.done) break;
    if (model.result.record.status < STP_STATUSES) endings[model.result.record.status]++;
    if (model.result.record.cause < STP_CAUSES) causes[model.result.record.cause]++;
  }
  for (unsigned s = 0; s < STP_STATUSES; s++)
    if (endings[s] != 0) print_message("%u cases ended as %s\n", endings[s], stp_status_names[s]);
  for (unsigned c = 1; c < STP_CAUSES; c++)
    if (causes[c] != 0) print_message("%u traps of cause %s\n", causes[c], stp_cause_names[c]);
  rtl.m->ops->close(rtl.m);
  model.m->ops->close(model.m);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    free(rtl.log.stick[u]);
    free(model.log.stick[u]);
  }
  free(j);
  assert_int_equal(differences, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) cases = (unsigned)strtoul(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  if (argc > 3) stall_seed = strtoull(argv[3], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(same)};
  return cmocka_run_group_tests_name("rtl and model side by side", tests, NULL, NULL);
}
