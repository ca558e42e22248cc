/* The machine "model" behind steeple/machine.h: host registers, device memory, and small programs
 * for the management processor, written by hand, that use each of its devices. */
#include "bench.h"
#include "steeple/machine.h"

typedef struct fixture {
  struct stp_machine *m;
  char console[64];
  unsigned printed;
  unsigned sticks, stop_at;
} fixture_t;

static void on_byte(void *user, uint8_t byte) {
  fixture_t *f = user;
  assert_true(f->printed < sizeof f->console - 1);
  f->console[f->printed++] = (char)byte;
}

static int setup(void **state) {
  fixture_t *f = calloc(1, sizeof *f);
  char err[200];
  const struct stp_machine_options o = {.config = "c2", .console = on_byte, .console_user = f};
  assert_non_null(f);
  assert_int_equal(stp_model_open(&o, &f->m, err, sizeof err), 0);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture_t *f = *state;
  f->m->ops->close(f->m);
  free(f);
  return 0;
}

static uint32_t get_reg(fixture_t *f, uint32_t offset) {
  uint32_t v;
  assert_int_equal(f->m->ops->reg_read(f->m, offset, &v), 0);
  return v;
}
static void set_reg(fixture_t *f, uint32_t offset, uint32_t v) {
  assert_int_equal(f->m->ops->reg_write(f->m, offset, v), 0);
}
static uint64_t run(fixture_t *f, uint64_t limit) {
  uint64_t ran = ~0ull;
  assert_int_equal(f->m->ops->run(f->m, limit, &ran), 0);
  assert_true(ran <= limit);
  return ran;
}

/* --- RISC-V by hand --- */

typedef struct prog {
  uint32_t word[2048];
  unsigned n;
} prog_t;

enum { ZERO = 0, T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11, A2 = 12 };

static void rv(prog_t *p, uint32_t word) {
  p->word[p->n++] = word;
}
static void rv_li(prog_t *p, unsigned rd, uint32_t v) {
  rv(p, ((v + 0x800) & 0xfffff000) | rd << 7 | 0x37);             /* lui */
  rv(p, (v & 0xfff) << 20 | rd << 15 | 0 << 12 | rd << 7 | 0x13); /* addi */
}
/* Word at address addr := value, by t0 and t1. */
static void rv_store(prog_t *p, uint32_t addr, uint32_t value) {
  rv_li(p, T0, addr);
  rv_li(p, T1, value);
  rv(p, T1 << 20 | T0 << 15 | 2 << 12 | 0x23); /* sw t1, 0(t0) */
}
/* rd := word at address addr. */
static void rv_load(prog_t *p, unsigned rd, uint32_t addr) {
  rv_li(p, T0, addr);
  rv(p, T0 << 15 | 2 << 12 | rd << 7 | 0x03);
}
/* The host's COMPLETED := register. */
static void rv_report(prog_t *p, unsigned rs) {
  rv_li(p, T0, STP_MGMT_HOSTIF_COMPLETED);
  rv(p, rs << 20 | T0 << 15 | 2 << 12 | 0x23);
}
static void rv_csrw(prog_t *p, unsigned csr, uint32_t value) {
  rv_li(p, T0, value);
  rv(p, csr << 20 | T0 << 15 | 1 << 12 | 0x73);
}
static void rv_wfi(prog_t *p) {
  rv(p, 0x10500073);
}
/* Raises the host's interrupt and then waits for ever, with no interrupt enabled. */
static void rv_end(prog_t *p) {
  rv_store(p, STP_MGMT_HOSTIF_IRQ_SET, 1);
  rv_csrw(p, 0x304, 0);
  rv_wfi(p);
  rv(p, 0xffdff06f); /* jal zero, -4 */
}

/* Loads a program at 0 and runs it until it raises the interrupt. */
static void rv_run(fixture_t *f, const prog_t *p) {
  set_reg(f, STP_HOST_CONTROL, 0);
  for (unsigned n = 0; n < p->n; n++) set_reg(f, STP_HOST_TCM_BASE + 4 * n, p->word[n]);
  set_reg(f, STP_HOST_IRQ_STATUS, 7);
  set_reg(f, STP_HOST_IRQ_ENABLE, 1);
  set_reg(f, STP_HOST_CONTROL, 1);
  run(f, 1000000);
  assert_int_equal(f->m->ops->irq(f->m), 1);
  assert_int_equal(get_reg(f, STP_HOST_IRQ_STATUS), 1);
}

/* --- tests --- */

static void options(void **state) {
  (void)state;
  struct stp_machine *m;
  char err[200];
  static const char *const bad[] = {"c0", "c33", "x1",  "",
                                    "c",  "c1x", "c01", "c99999999999999999999"};
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
    const struct stp_machine_options o = {.config = bad[n]};
    assert_int_equal(stp_model_open(&o, &m, err, sizeof err), -1);
    assert_non_null(strstr(err, "no configuration"));
  }
  const struct stp_machine_options trace = {.config = "c1", .trace = 1};
  assert_int_equal(stp_model_open(&trace, &m, err, sizeof err), -1);
  const struct stp_machine_options usual = {0};
  assert_int_equal(stp_model_open(&usual, &m, err, sizeof err), 0);
  assert_string_equal(m->name, "model");
  assert_int_equal(m->ops->trace_on(m, "x.fst", 0, 1), -1);
  assert_int_equal(m->ops->trace_off(m), -1);
  m->ops->close(m);
}

static void memory(void **state) {
  fixture_t *f = *state;
  struct stp_machine *m = f->m;
  uint8_t buf[400], back[400];
  for (unsigned n = 0; n < sizeof buf; n++) buf[n] = (uint8_t)(n * 7);
  static const uint64_t at[] = {0, 0xff80, 0xffff, 0xfffffff, (1ull << 40) - 400, 0x1234567890};
  for (size_t n = 0; n < sizeof at / sizeof at[0]; n++) {
    assert_int_equal(m->ops->mem_read(m, at[n], back, sizeof back), 0);
    if (n < 2) assert_int_equal(back[399], 0xa5);
    assert_int_equal(m->ops->mem_write(m, at[n], buf, sizeof buf), 0);
    assert_int_equal(m->ops->mem_read(m, at[n], back, sizeof back), 0);
    assert_memory_equal(buf, back, sizeof buf);
  }
  assert_int_equal(m->ops->mem_read(m, 0x10000 + 400, back, 4), 0);
  assert_memory_equal(back, "\xa5\xa5\xa5\xa5", 4);
  assert_int_equal(m->ops->mem_read(m, (1ull << 40) - 399, back, 400), -1);
  assert_int_equal(m->ops->mem_write(m, ~0ull, back, 1), -1);
  assert_true(m->error[0] != '\0');
  assert_int_equal(m->ops->mem_write(m, 1ull << 40, back, 0), 0);
}

static void registers(void **state) {
  fixture_t *f = *state;
  assert_int_equal(get_reg(f, STP_HOST_ID), 0x5354504c);
  assert_int_equal(get_reg(f, STP_HOST_VERSION), STP_CONTRACT_VERSION);
  assert_int_equal(get_reg(f, STP_HOST_CONFIG), 2 | 2 << 8 | 10 << 16);
  static const uint32_t rw[] = {STP_HOST_DOORBELL,         STP_HOST_QUEUE_LO,   STP_HOST_QUEUE_HI,
                                STP_HOST_QUEUE_LOG2,       STP_HOST_IRQ_ENABLE, STP_HOST_TCM_BASE,
                                STP_HOST_TCM_BASE + 0xfffc};
  for (size_t n = 0; n < sizeof rw / sizeof rw[0]; n++) {
    set_reg(f, rw[n], 5);
    assert_int_equal(get_reg(f, rw[n]), 5);
  }
  static const uint32_t ro[] = {STP_HOST_ID, STP_HOST_COMPLETED, STP_HOST_FW_STATUS,
                                STP_HOST_T_IRQ_LO, STP_HOST_T_HALT_HI};
  for (size_t n = 0; n < sizeof ro / sizeof ro[0]; n++) {
    const uint32_t before = get_reg(f, ro[n]);
    set_reg(f, ro[n], ~before);
    assert_int_equal(get_reg(f, ro[n]), before);
  }
  uint32_t v;
  static const uint32_t bad[] = {0x38, 0x3c, 0x68, 0xfffc, 0x20000, 2, STP_HOST_TCM_BASE + 1};
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
    assert_int_equal(f->m->ops->reg_read(f->m, bad[n], &v), -1);
    assert_non_null(strstr(f->m->error, "SLVERR"));
    assert_int_equal(f->m->ops->reg_write(f->m, bad[n], 0), -1);
  }
  /* Firmware is not written while it runs. */
  set_reg(f, STP_HOST_TCM_BASE, 0x6f);
  set_reg(f, STP_HOST_CONTROL, 1);
  assert_int_equal(f->m->ops->reg_write(f->m, STP_HOST_TCM_BASE, 7), -1);
  assert_int_equal(get_reg(f, STP_HOST_TCM_BASE), 0x6f);
  set_reg(f, STP_HOST_CONTROL, 0);
  /* Time passes though nothing runs. */
  assert_int_equal(run(f, 1000), 1000);
  assert_int_equal(get_reg(f, STP_HOST_CYCLE_LO), 1000);
  assert_int_equal(run(f, 1ull << 33), 1ull << 33);
  assert_int_equal(get_reg(f, STP_HOST_CYCLE_LO), 1000);
  assert_int_equal(get_reg(f, STP_HOST_CYCLE_HI), 2);
  assert_int_equal(get_reg(f, STP_HOST_STATUS), 0);
  assert_int_equal(f->m->ops->reset(f->m), 0);
  assert_int_equal(get_reg(f, STP_HOST_CYCLE_LO), 0);
  assert_int_equal(get_reg(f, STP_HOST_QUEUE_LO), 0);
}

static void console_and_hostif(void **state) {
  fixture_t *f = *state;
  prog_t p = {.n = 0};
  rv_store(&p, STP_MGMT_CONSOLE_TX, 'h');
  rv_store(&p, STP_MGMT_CONSOLE_TX, 'i');
  rv_store(&p, STP_MGMT_HOSTIF_FW_STATUS, 2);
  rv_store(&p, STP_MGMT_HOSTIF_FW_VERSION, 0xabcd1234);
  rv_load(&p, A0, STP_MGMT_HOSTIF_DOORBELL);
  rv_load(&p, A1, STP_MGMT_HOSTIF_QUEUE_LO);
  rv(&p, A1 << 20 | A0 << 15 | A0 << 7 | 0x33); /* add */
  rv_load(&p, A1, STP_MGMT_HOSTIF_CORES);
  rv(&p, A1 << 20 | A0 << 15 | A0 << 7 | 0x33);
  rv_load(&p, A1, STP_MGMT_INTC_PENDING);
  rv(&p, A1 << 20 | A0 << 15 | A0 << 7 | 0x33);
  rv_report(&p, A0);
  rv_end(&p);
  set_reg(f, STP_HOST_DOORBELL, 0x100);
  set_reg(f, STP_HOST_QUEUE_LO, 0x4000);
  rv_run(f, &p);
  assert_string_equal(f->console, "hi");
  assert_int_equal(get_reg(f, STP_HOST_FW_STATUS), 2);
  assert_int_equal(get_reg(f, STP_HOST_FW_VERSION), 0xabcd1234);
  assert_int_equal(get_reg(f, STP_HOST_COMPLETED), 0x4100 + 2 + 1);
  assert_int_equal(get_reg(f, STP_HOST_STATUS), 1);
  assert_true(get_reg(f, STP_HOST_T_IRQ_LO) > 0);
  set_reg(f, STP_HOST_IRQ_STATUS, 1);
  assert_int_equal(f->m->ops->irq(f->m), 0);
  struct stp_machine_stats s;
  f->m->ops->stats(f->m, &s);
  assert_true(s.retired > 20 && s.retired < 200);
}

/* An access that no device answers is an access fault with mtval. */
static void faults(void **state) {
  fixture_t *f = *state;
  static const uint32_t bad[] = {0x80006000,
                                 0x80000008,
                                 0x80001010,
                                 STP_MGMT_CORE_BASE + 2 * STP_MGMT_CORE_STRIDE,
                                 STP_MGMT_CORE_BASE + 0x1c,
                                 0xfffffffc};
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
    for (unsigned store = 0; store < 2; store++) {
      prog_t p = {.n = 0};
      rv_csrw(&p, 0x305, 0x200); /* mtvec */
      if (store)
        rv_store(&p, bad[n], 0);
      else
        rv_load(&p, A0, bad[n]);
      rv(&p, 0x0000006f); /* jal zero, 0 */
      p.n = 0x200 / 4;
      rv(&p, 0x342025f3); /* csrr a1, mcause */
      rv_report(&p, A1);
      rv(&p, 0x343025f3); /* csrr a1, mtval */
      rv_li(&p, T0, STP_MGMT_HOSTIF_FW_STATUS);
      rv(&p, A1 << 20 | T0 << 15 | 2 << 12 | 0x23);
      rv_end(&p);
      rv_run(f, &p);
      assert_int_equal(get_reg(f, STP_HOST_COMPLETED), store ? 7 : 5);
      assert_int_equal(get_reg(f, STP_HOST_FW_STATUS), bad[n]);
    }
  }
}

static void timer(void **state) {
  fixture_t *f = *state;
  prog_t p = {.n = 0};
  /* wfi wakes at mtimecmp, though MIE is off; nothing steps in between. */
  rv_store(&p, STP_MGMT_TIMER_MTIMECMP_HI, 1);
  rv_store(&p, STP_MGMT_TIMER_MTIMECMP_LO, 0x500);
  rv_csrw(&p, 0x304, 1u << 7);
  rv_wfi(&p);
  rv_load(&p, A0, STP_MGMT_TIMER_MTIME_LO);
  rv_load(&p, A1, STP_MGMT_TIMER_MTIME_HI);
  rv_report(&p, A0);
  rv_store(&p, STP_MGMT_HOSTIF_FW_STATUS, 0);
  rv_li(&p, T0, STP_MGMT_HOSTIF_FW_STATUS);
  rv(&p, A1 << 20 | T0 << 15 | 2 << 12 | 0x23);
  rv_end(&p);
  for (unsigned n = 0; n < p.n; n++) set_reg(f, STP_HOST_TCM_BASE + 4 * n, p.word[n]);
  set_reg(f, STP_HOST_IRQ_ENABLE, 1);
  set_reg(f, STP_HOST_CONTROL, 1);
  run(f, 1ull << 40);
  assert_int_equal(f->m->ops->irq(f->m), 1);
  assert_int_equal(get_reg(f, STP_HOST_FW_STATUS), 1);
  assert_true(get_reg(f, STP_HOST_COMPLETED) >= 0x500 && get_reg(f, STP_HOST_COMPLETED) < 0x540);
}

static void dma(prog_t *p, unsigned kind, uint32_t addr, uint32_t local, uint32_t count,
                uint32_t units, uint32_t cores) {
  rv_store(p, STP_MGMT_DMA_ADDR_LO, addr);
  rv_store(p, STP_MGMT_DMA_ADDR_HI, 0x12);
  rv_store(p, STP_MGMT_DMA_LOCAL, local);
  rv_store(p, STP_MGMT_DMA_COUNT, count);
  rv_store(p, STP_MGMT_DMA_UNITS, units);
  rv_store(p, STP_MGMT_DMA_CORES, cores);
  rv_store(p, STP_MGMT_DMA_START, kind);
}

#define HIGH (0x12ull << 32)

static int count_stick(void *user, const struct stp_tap *t) {
  fixture_t *f = user;
  assert_int_equal(t->core, 1);
  f->sticks++;
  return f->sticks == f->stop_at;
}

/* A job on core 1: 5 sticks from device memory and back by way of LX; loaded, started, awaited and
 * read out by the processor. */
static void job(void **state) {
  fixture_t *f = *state;
  uint64_t words[32] = {0}, args[16] = {HIGH + 0x8001, HIGH + 0x9003};
  uint8_t data[640], back[640];
  for (unsigned n = 0; n < sizeof data; n++) data[n] = (uint8_t)(n * n);
  unsigned n = 0;
  /* Both units run this; they differ in the unit number: MNI-LU loads argument 0, MNI-SU stores
   * argument 1. */
  words[n++] = insn(STP_OP_SPR, 3, 0, 0, STP_SPR_UNIT, 0);
  words[n++] = insn(STP_OP_ARG, 1, 3, 0, 0, 0);
  words[n++] = cfg(STP_CFG_MNI_N0, sizeof data);
  words[n++] = insn(STP_OP_BEQ, 0, 3, 0, 0, 5);
  words[n++] = wait_from(STP_UNIT_MNI_LU, 0);
  words[n++] = insn(STP_OP_XFER, 0, 1, 0, 0, 0);
  words[n++] = insn(STP_OP_BNE, 0, 3, 0, 0, 8);
  words[n++] = post_to(STP_UNIT_MNI_SU, 0);
  words[n++] = halt();
  struct stp_machine *m = f->m;
  assert_int_equal(m->ops->mem_write(m, HIGH + 0x1000, words, sizeof words), 0);
  assert_int_equal(m->ops->mem_write(m, HIGH + 0x2000, args, sizeof args), 0);
  assert_int_equal(m->ops->mem_write(m, HIGH + 0x8001, data, sizeof data), 0);

  prog_t p = {.n = 0};
  const uint32_t core1 = STP_MGMT_CORE_STRIDE;
  rv_store(&p, STP_MGMT_CORE_CLEAR + core1, 1);
  dma(&p, 1, 0x1000, 0, 2, 3, 2);
  dma(&p, 2, 0x2000, 0, 1, 3, 2);
  rv_store(&p, STP_MGMT_INTC_ACK, 7);
  rv_store(&p, STP_MGMT_INTC_ENABLE, 4);
  rv_csrw(&p, 0x304, 1u << 11);
  rv_store(&p, STP_MGMT_CORE_START + core1, 3);
  rv_wfi(&p);
  dma(&p, 4, 0x3000, 0, 10, 0, 1);
  rv_load(&p, A0, STP_MGMT_CORE_STATE + core1);
  rv_report(&p, A0);
  rv_end(&p);
  assert_int_equal(m->ops->set_tap(m, count_stick, f), 0);
  f->stop_at = 7;
  for (unsigned k = 0; k < p.n; k++) set_reg(f, STP_HOST_TCM_BASE + 4 * k, p.word[k]);
  set_reg(f, STP_HOST_IRQ_ENABLE, 1);
  set_reg(f, STP_HOST_CONTROL, 1);
  run(f, 100000);
  /* The tap ended that run at the row's sticks; the next one goes on. */
  assert_int_equal(m->ops->irq(m), 0);
  assert_true(f->sticks >= 7);
  run(f, 100000);
  assert_int_equal(m->ops->irq(m), 1);
  assert_int_equal(f->sticks, 5 + 6);
  assert_int_equal(get_reg(f, STP_HOST_COMPLETED), 1); /* stopped, no deadlock, nothing left over */
  assert_int_equal(m->ops->mem_read(m, HIGH + 0x9003, back, sizeof back), 0);
  assert_memory_equal(data, back, sizeof data);
  uint64_t status[160];
  assert_int_equal(m->ops->mem_read(m, HIGH + 0x3000, status, sizeof status), 0);
  assert_int_equal(status[STP_STAT_STATE] & 0x7ff, 0x100);
  assert_int_equal(status[16 * 1 + STP_STAT_BYTES], sizeof data);
  assert_int_equal(status[16 * 2 + STP_STAT_STATE], 0);
  assert_true(get_reg(f, STP_HOST_T_START_LO) != 0);
  assert_true(get_reg(f, STP_HOST_T_HALT_LO) >= get_reg(f, STP_HOST_T_START_LO));
  struct stp_machine_stats s;
  m->ops->stats(m, &s);
  assert_int_equal(s.dram_write_bytes, sizeof data + 10 * 128);
  assert_int_equal(s.dram_read_bytes, 3 * 128 + 6 * 128);
}

/* The watchdog's way: a core that never ends is stopped by HALT when the timer says so. */
static void halt_by_timer(void **state) {
  fixture_t *f = *state;
  const uint64_t words[16] = {insn(STP_OP_JMP, 0, 0, 0, 0, 0)};
  assert_int_equal(f->m->ops->mem_write(f->m, HIGH + 0x1000, words, sizeof words), 0);
  prog_t p = {.n = 0};
  rv_store(&p, STP_MGMT_CORE_CLEAR, 1);
  dma(&p, 1, 0x1000, 0, 1, 8, 1);
  rv_store(&p, STP_MGMT_TIMER_MTIMECMP_HI, 0);
  rv_store(&p, STP_MGMT_TIMER_MTIMECMP_LO, 50000);
  rv_csrw(&p, 0x304, 1u << 7);
  rv_store(&p, STP_MGMT_CORE_START, 8);
  rv_wfi(&p);
  rv_load(&p, A0, STP_MGMT_CORE_RUNNING);
  rv_store(&p, STP_MGMT_CORE_HALT, 1);
  rv_load(&p, A1, STP_MGMT_CORE_STATE);
  rv(&p, 8 << 20 | A1 << 15 | 1 << 12 | A1 << 7 | 0x13); /* slli a1, a1, 8 */
  rv(&p, A1 << 20 | A0 << 15 | A0 << 7 | 0x33);
  rv_report(&p, A0);
  rv_end(&p);
  rv_run(f, &p);
  assert_int_equal(get_reg(f, STP_HOST_COMPLETED), 0x108);
  const uint32_t now = get_reg(f, STP_HOST_CYCLE_LO);
  assert_true(now >= 50000 && now < 52000);
}

static void dma_operands(void **state) {
  fixture_t *f = *state;
  static const struct {
    unsigned kind;
    uint32_t addr, local, count, cores;
    bool ok;
  } cases[] = {
      {0, 0, 0xff80, 1, 0, true}, {0, 0, 0xff80, 2, 0, false}, {0, 64, 0, 1, 0, false},
      {0, 0, 64, 1, 0, false},    {1, 0, 252, 1, 3, true},     {1, 0, 253, 1, 3, false},
      {2, 0, 12, 1, 3, true},     {2, 0, 0, 5, 3, false},      {3, 0, 0, 512, 0, true},
      {3, 0, 0, 513, 0, false},   {4, 0, 0, 10, 1, true},      {4, 0, 0, 11, 1, false},
      {4, 0, 0, 1, 2, false},     {5, 0, 0, 1, 0, false},      {0, 0, 0, 0xffffffff, 0, false},
      {1, 0, 0, 0, 1, true},
  };
  for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
    prog_t p = {.n = 0};
    /* TCM from 0x8000 is free; cases that fill more of it than that overwrite what has run already
     * or fail. */
    rv_store(&p, STP_MGMT_INTC_ACK, 7);
    rv_store(&p, STP_MGMT_DMA_STATE, 0); /* clears the error of the case before */
    dma(&p, cases[n].kind, cases[n].addr, cases[n].local, cases[n].count, 1, cases[n].cores);
    rv_load(&p, A0, STP_MGMT_DMA_STATE);
    rv_load(&p, A1, STP_MGMT_INTC_PENDING);
    rv(&p, 8 << 20 | A1 << 15 | 1 << 12 | A1 << 7 | 0x13);
    rv(&p, A1 << 20 | A0 << 15 | A0 << 7 | 0x33);
    rv_report(&p, A0);
    rv_end(&p);
    rv_run(f, &p);
    assert_int_equal(get_reg(f, STP_HOST_COMPLETED), cases[n].ok ? 0x200 : 0x202);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options),
      cmocka_unit_test_setup_teardown(memory, setup, teardown),
      cmocka_unit_test_setup_teardown(registers, setup, teardown),
      cmocka_unit_test_setup_teardown(console_and_hostif, setup, teardown),
      cmocka_unit_test_setup_teardown(faults, setup, teardown),
      cmocka_unit_test_setup_teardown(timer, setup, teardown),
      cmocka_unit_test_setup_teardown(job, setup, teardown),
      cmocka_unit_test_setup_teardown(halt_by_timer, setup, teardown),
      cmocka_unit_test_setup_teardown(dma_operands, setup, teardown),
  };
  return cmocka_run_group_tests_name("machine model", tests, NULL, NULL);
}
