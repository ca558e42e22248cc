/* The machine "model": management processor, its devices, device memory and cores, behind
 * steeple/machine.h.
 *
 * Time is counted in steps. In a step the management processor executes one instruction and each
 * core makes up to WORK_PER_STEP instructions and sticks; mtime and the host's cycle registers
 * count steps. A step does more than the hardware does in a cycle, so a watchdog that suits the
 * hardware suits the model. While the processor sleeps, the cores run in larger pieces and time
 * advances by as many steps; when nothing at all moves, time jumps to the next timer interrupt.
 *
 * The management DMA finishes within the write that starts it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "mem.h"
#include "rv.h"
#include "steeple/machine.h"
#include "stp_arch.h"

/* At most what a core can do in a cycle and a half: ten units, each an instruction and a stick. */
#define WORK_PER_STEP 32
/* Steps of a piece while the processor sleeps. */
#define SLEEP_STEPS 1024

enum { PENDING_DOORBELL = 1, PENDING_DMA = 2, PENDING_STOPPED = 4 };
enum { DMA_TO_TCM, DMA_PROGRAM, DMA_ARGS, DMA_FROM_TCM, DMA_STATUS };

typedef struct model {
  struct stp_machine base; /* first: an stp_machine * is a model * */
  stp_console_fn console;
  void *console_user;
  stp_retired_fn retired;
  void *retired_user;
  unsigned cores;
  stp_core_t *core[STP_MAX_CORES];
  bool stopped[STP_MAX_CORES]; /* as last seen */
  bool active[STP_MAX_CORES];  /* may be able to move */
  stp_mem_t mem;
  uint64_t bad_first, bad_end; /* sticks that the chip meets a bus error at */
  uint8_t tcm[STP_TCM_BYTES];
  stp_rv_t rv;
  bool tap_stop;
  struct stp_machine_stats stats;

  uint64_t mtime, mtimecmp;
  uint32_t mtime_hi, cycle_hi; /* latched */
  uint32_t control, doorbell, irq_status, irq_enable, queue_lo, queue_hi, queue_log2;
  uint32_t completed, fw_status, fw_version;
  uint32_t pending, enable;
  uint64_t t_doorbell, t_irq, t_start, t_halt;
  bool job_started; /* a unit was, since the last CLEAR */
  uint32_t dma_lo, dma_hi, dma_local, dma_count, dma_units, dma_cores, dma_segment;
  bool dma_error;
} model_t;

static model_t *model_of(struct stp_machine *m) {
  return (model_t *)m;
}

static int fail(struct stp_machine *m, const char *text) {
  snprintf(m->error, sizeof m->error, "%s", text);
  return -1;
}

/* --- device memory as units and DMA see it --- */

static uint64_t sticks_touched(uint64_t addr, size_t n) {
  return (addr + n - 1) / STP_STICK_BYTES - addr / STP_STICK_BYTES + 1;
}

static bool refused(const model_t *m, uint64_t addr, size_t n) {
  const uint64_t first = addr - addr % STP_STICK_BYTES;
  return first < m->bad_end && addr + n > m->bad_first;
}

static int device_read(void *user, uint64_t addr, void *buf, size_t n) {
  model_t *m = user;
  m->stats.dram_read_bytes += sticks_touched(addr, n) * STP_STICK_BYTES;
  if (refused(m, addr, n)) return -1;
  return stp_mem_read(&m->mem, addr, buf, n);
}

static int device_write(void *user, uint64_t addr, const void *buf, size_t n) {
  model_t *m = user;
  m->stats.dram_write_bytes += n;
  if (refused(m, addr, n)) return -1;
  return stp_mem_write(&m->mem, addr, buf, n);
}

/* --- management DMA --- */

static uint64_t le64(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned n = 0; n < 8; n++) v |= (uint64_t)p[n] << (8 * n);
  return v;
}

/* A transfer, with its operands as STP_MGMT_DMA_... names them. */
typedef struct transfer {
  uint32_t kind, local, count, units, cores;
  uint64_t addr;
} transfer_t;

/* A stick is four rows of four 64-bit words, for programs and for arguments alike. */
static bool dma_load_stick(model_t *m, const transfer_t *t, uint32_t row, const uint8_t *stick) {
  for (unsigned r = 0; r < 4; r++) {
    uint64_t words[4];
    for (unsigned k = 0; k < 4; k++) words[k] = le64(stick + 32 * r + 8 * k);
    for (unsigned n = 0; n < m->cores; n++) {
      if ((t->cores >> n & 1) == 0) continue;
      const int bad = t->kind == DMA_PROGRAM
                          ? stp_core_load_program(m->core[n], t->units, row + r, words)
                          : stp_core_load_args(m->core[n], t->units, row + r, words);
      if (bad) return false;
    }
  }
  return true;
}

static bool dma_stick(model_t *m, const transfer_t *t, uint32_t n) {
  uint8_t stick[STP_STICK_BYTES];
  const uint64_t addr = t->addr + (uint64_t)n * STP_STICK_BYTES;
  const uint32_t local = t->local + n * STP_STICK_BYTES;
  switch (t->kind) {
  case DMA_TO_TCM:
    return device_read(m, addr, m->tcm + local, STP_STICK_BYTES) == 0;
  case DMA_PROGRAM:
  case DMA_ARGS:
    return device_read(m, addr, stick, sizeof stick) == 0 &&
           dma_load_stick(m, t, t->local + 4 * n, stick);
  case DMA_FROM_TCM:
    return device_write(m, addr, m->tcm + local, STP_STICK_BYTES) == 0;
  default:
    stp_core_status(m->core[t->cores], n, stick);
    return device_write(m, addr, stick, sizeof stick) == 0;
  }
}

/* Whether the operands make sense; nothing moves otherwise. */
static bool dma_operands_ok(const model_t *m, const transfer_t *t) {
  const uint64_t bytes = (uint64_t)t->count * STP_STICK_BYTES, end = (uint64_t)1 << STP_ADDR_BITS;
  if (t->addr % STP_STICK_BYTES != 0 || t->addr > end || bytes > end - t->addr) return false;
  switch (t->kind) {
  case DMA_TO_TCM:
  case DMA_FROM_TCM:
    return t->local % STP_STICK_BYTES == 0 && t->local + bytes <= STP_TCM_BYTES;
  case DMA_PROGRAM:
    return t->local + 4 * (uint64_t)t->count <= STP_PROG_WORDS / STP_PROG_ROW_WORDS;
  case DMA_ARGS:
    return t->local + 4 * (uint64_t)t->count <= STP_ARGS / 4;
  case DMA_STATUS:
    return t->cores < m->cores && t->count <= STP_UNITS;
  default:
    return false;
  }
}

/* A transfer is over before the write that starts it is: it is never busy and its queue empty. */
static void dma_run(model_t *m, const transfer_t *t) {
  bool ok = dma_operands_ok(m, t);
  for (uint32_t n = 0; n < t->count && ok; n++) ok = dma_stick(m, t, n);
  m->dma_error |= !ok;
  m->pending |= PENDING_DMA;
}

/* The transfer of the registers. */
static transfer_t dma_transfer(const model_t *m, uint32_t kind) {
  return (transfer_t){.kind = kind,
                      .local = m->dma_local,
                      .count = m->dma_count,
                      .units = m->dma_units,
                      .cores = m->dma_cores,
                      .addr = (uint64_t)m->dma_hi << 32 | m->dma_lo};
}

static void dma_start(model_t *m, uint32_t kind) {
  const transfer_t t = dma_transfer(m, kind);
  dma_run(m, &t);
}

/* A program segment: its second word is `high`. */
static void dma_start_segment(model_t *m, uint32_t high) {
  transfer_t t = dma_transfer(m, DMA_PROGRAM);
  t.addr += (uint64_t)(m->dma_segment >> 16) * STP_STICK_BYTES;
  t.units = m->dma_segment & 0xffff;
  t.count = high & 0xffff;
  t.local = high >> 16;
  /* For some units, all of which exist, and with a length. */
  if (t.units == 0 || t.units >> STP_UNITS != 0 || t.count == 0) t.kind = UINT32_MAX;
  dma_run(m, &t);
}

/* --- cores --- */

/* Notes cores that have stopped since this was last called. */
static void watch_cores(model_t *m) {
  for (unsigned n = 0; n < m->cores; n++) {
    stp_core_state_t s;
    stp_core_get_state(m->core[n], &s);
    m->active[n] = s.running != 0 && !s.stopped;
    if (s.stopped && !m->stopped[n]) {
      m->pending |= PENDING_STOPPED;
      m->t_halt = m->mtime;
    }
    m->stopped[n] = s.stopped;
  }
}

/* Runs the cores for about a number of steps. Returns the steps that it took, 0 if no core could
 * move. */
static uint64_t run_cores(model_t *m, uint64_t steps) {
  uint64_t most = 0;
  bool any = false;
  for (unsigned n = 0; n < m->cores; n++) {
    if (!m->active[n] || m->tap_stop) continue;
    const uint64_t work = stp_core_run(m->core[n], steps * WORK_PER_STEP);
    if (stp_core_tap_stopped(m->core[n])) m->tap_stop = true;
    if (work > most) most = work;
    any = true;
  }
  if (any) watch_cores(m);
  return (most + WORK_PER_STEP - 1) / WORK_PER_STEP;
}

static bool cores_active(const model_t *m) {
  for (unsigned n = 0; n < m->cores; n++)
    if (m->active[n]) return true;
  return false;
}

static bool core_load(model_t *m, unsigned n, uint32_t reg, uint32_t *v) {
  stp_core_state_t s;
  stp_core_get_state(m->core[n], &s);
  switch (reg) {
  case STP_MGMT_CORE_CLEAR:
  case STP_MGMT_CORE_START:
  case STP_MGMT_CORE_HALT:
    *v = 0;
    return true;
  case STP_MGMT_CORE_RUNNING:
    *v = s.running;
    return true;
  case STP_MGMT_CORE_TRAPPED:
    *v = s.trapped;
    return true;
  case STP_MGMT_CORE_BLOCKED:
    *v = s.blocked;
    return true;
  case STP_MGMT_CORE_STATE:
    *v = s.stopped | (uint32_t)s.deadlock << 1 | (uint32_t)s.leftover_fifo << 2 |
         (uint32_t)s.leftover_token << 3;
    return true;
  default:
    return false;
  }
}

static bool core_store(model_t *m, unsigned n, uint32_t reg, uint32_t v) {
  switch (reg) {
  case STP_MGMT_CORE_CLEAR:
    stp_core_clear(m->core[n]);
    m->job_started = false;
    break;
  case STP_MGMT_CORE_START:
    if ((v & ((1u << STP_UNITS) - 1)) != 0 && !m->job_started) {
      m->job_started = true;
      m->t_start = m->mtime;
    }
    stp_core_start(m->core[n], v);
    break;
  case STP_MGMT_CORE_HALT:
    stp_core_halt(m->core[n]);
    break;
  case STP_MGMT_CORE_RUNNING:
  case STP_MGMT_CORE_TRAPPED:
  case STP_MGMT_CORE_BLOCKED:
  case STP_MGMT_CORE_STATE:
    return true;
  default:
    return false;
  }
  watch_cores(m);
  return true;
}

/* --- MMIO of the management processor: whole aligned words only --- */

static bool core_register(const model_t *m, uint32_t addr, unsigned *n, uint32_t *reg) {
  if (addr < STP_MGMT_CORE_BASE || addr - STP_MGMT_CORE_BASE >= m->cores * STP_MGMT_CORE_STRIDE)
    return false;
  *n = (addr - STP_MGMT_CORE_BASE) / STP_MGMT_CORE_STRIDE;
  *reg = addr - *n * STP_MGMT_CORE_STRIDE;
  return true;
}

static bool mmio_load(void *ctx, uint32_t addr, unsigned size, uint32_t *v) {
  model_t *m = ctx;
  unsigned n;
  uint32_t reg;
  if (size != 4) return false;
  if (core_register(m, addr, &n, &reg)) return core_load(m, n, reg, v);
  switch (addr) {
  case STP_MGMT_CONSOLE_TX:
    *v = 0;
    return true;
  case STP_MGMT_CONSOLE_STATUS:
    *v = 1;
    return true;
  case STP_MGMT_TIMER_MTIME_LO:
    m->mtime_hi = (uint32_t)(m->mtime >> 32);
    *v = (uint32_t)m->mtime;
    return true;
  case STP_MGMT_TIMER_MTIME_HI:
    *v = m->mtime_hi;
    return true;
  case STP_MGMT_TIMER_MTIMECMP_LO:
    *v = (uint32_t)m->mtimecmp;
    return true;
  case STP_MGMT_TIMER_MTIMECMP_HI:
    *v = (uint32_t)(m->mtimecmp >> 32);
    return true;
  case STP_MGMT_INTC_PENDING:
    *v = m->pending;
    return true;
  case STP_MGMT_INTC_ENABLE:
    *v = m->enable;
    return true;
  case STP_MGMT_INTC_ACK:
    *v = 0;
    return true;
  case STP_MGMT_HOSTIF_DOORBELL:
    *v = m->doorbell;
    return true;
  case STP_MGMT_HOSTIF_QUEUE_LO:
    *v = m->queue_lo;
    return true;
  case STP_MGMT_HOSTIF_QUEUE_HI:
    *v = m->queue_hi;
    return true;
  case STP_MGMT_HOSTIF_QUEUE_LOG2:
    *v = m->queue_log2;
    return true;
  case STP_MGMT_HOSTIF_COMPLETED:
    *v = m->completed;
    return true;
  case STP_MGMT_HOSTIF_FW_STATUS:
    *v = m->fw_status;
    return true;
  case STP_MGMT_HOSTIF_FW_VERSION:
    *v = m->fw_version;
    return true;
  case STP_MGMT_HOSTIF_IRQ_SET:
    *v = 0;
    return true;
  case STP_MGMT_HOSTIF_VERSION:
    *v = STP_CONTRACT_VERSION;
    return true;
  case STP_MGMT_HOSTIF_CORES:
    *v = m->cores;
    return true;
  case STP_MGMT_DMA_ADDR_LO:
    *v = m->dma_lo;
    return true;
  case STP_MGMT_DMA_ADDR_HI:
    *v = m->dma_hi;
    return true;
  case STP_MGMT_DMA_LOCAL:
    *v = m->dma_local;
    return true;
  case STP_MGMT_DMA_COUNT:
    *v = m->dma_count;
    return true;
  case STP_MGMT_DMA_UNITS:
    *v = m->dma_units;
    return true;
  case STP_MGMT_DMA_CORES:
    *v = m->dma_cores;
    return true;
  case STP_MGMT_DMA_START:
    *v = 0;
    return true;
  case STP_MGMT_DMA_STATE:
    *v = (uint32_t)m->dma_error << 1;
    return true;
  case STP_MGMT_DMA_SEGMENT_LO:
    *v = m->dma_segment;
    return true;
  case STP_MGMT_DMA_SEGMENT_HI:
    *v = 0;
    return true;
  default:
    return false;
  }
}

static bool mmio_store(void *ctx, uint32_t addr, unsigned size, uint32_t v) {
  model_t *m = ctx;
  unsigned n;
  uint32_t reg;
  if (size != 4) return false;
  if (core_register(m, addr, &n, &reg)) return core_store(m, n, reg, v);
  switch (addr) {
  case STP_MGMT_CONSOLE_TX:
    if (m->console != NULL) m->console(m->console_user, (uint8_t)v);
    return true;
  case STP_MGMT_TIMER_MTIMECMP_LO:
    m->mtimecmp = (m->mtimecmp & 0xffffffff00000000u) | v;
    return true;
  case STP_MGMT_TIMER_MTIMECMP_HI:
    m->mtimecmp = (m->mtimecmp & 0xffffffffu) | (uint64_t)v << 32;
    return true;
  case STP_MGMT_INTC_ENABLE:
    m->enable = v & 7;
    return true;
  case STP_MGMT_INTC_ACK:
    m->pending &= ~v;
    return true;
  case STP_MGMT_HOSTIF_COMPLETED:
    m->completed = v;
    return true;
  case STP_MGMT_HOSTIF_FW_STATUS:
    m->fw_status = v;
    return true;
  case STP_MGMT_HOSTIF_FW_VERSION:
    m->fw_version = v;
    return true;
  case STP_MGMT_HOSTIF_IRQ_SET:
    m->irq_status |= v & 7;
    if ((v & 1) != 0) m->t_irq = m->mtime;
    return true;
  case STP_MGMT_DMA_ADDR_LO:
    m->dma_lo = v;
    return true;
  case STP_MGMT_DMA_ADDR_HI:
    m->dma_hi = v;
    return true;
  case STP_MGMT_DMA_LOCAL:
    m->dma_local = v;
    return true;
  case STP_MGMT_DMA_COUNT:
    m->dma_count = v;
    return true;
  case STP_MGMT_DMA_UNITS:
    m->dma_units = v;
    return true;
  case STP_MGMT_DMA_CORES:
    m->dma_cores = v;
    return true;
  case STP_MGMT_DMA_START:
    dma_start(m, v);
    return true;
  case STP_MGMT_DMA_STATE:
    m->dma_error = false;
    return true;
  case STP_MGMT_DMA_SEGMENT_LO:
    m->dma_segment = v;
    return true;
  case STP_MGMT_DMA_SEGMENT_HI:
    dma_start_segment(m, v);
    return true;
  default: {
    /* A write to a register that can only be read is answered and does nothing. */
    uint32_t ignored;
    return mmio_load(m, addr, size, &ignored);
  }
  }
}

/* --- machine interface --- */

static void reset(model_t *m) {
  for (unsigned n = 0; n < m->cores; n++) {
    stp_core_clear(m->core[n]);
    m->stopped[n] = m->active[n] = false;
  }
  const stp_rv_bus_t bus = {.ctx = m, .load = mmio_load, .store = mmio_store};
  stp_rv_init(&m->rv, m->tcm, STP_TCM_BYTES, &bus);
  m->tap_stop = false;
  m->mtime = 0;
  m->mtimecmp = UINT64_MAX;
  m->mtime_hi = m->cycle_hi = 0;
  m->control = m->doorbell = m->irq_status = m->irq_enable = 0;
  m->queue_lo = m->queue_hi = m->queue_log2 = 0;
  m->completed = m->fw_status = m->fw_version = 0;
  m->pending = m->enable = 0;
  m->t_doorbell = m->t_irq = m->t_start = m->t_halt = 0;
  m->job_started = false;
  m->dma_lo = m->dma_hi = m->dma_local = m->dma_count = m->dma_units = m->dma_cores = 0;
  m->dma_segment = 0;
  m->dma_error = false;
}

static void model_close(struct stp_machine *base) {
  model_t *m = model_of(base);
  for (unsigned n = 0; n < m->cores; n++) stp_core_destroy(m->core[n]);
  stp_mem_free(&m->mem);
  free(m);
}

static int model_mem_read(struct stp_machine *base, uint64_t addr, void *buf, size_t n) {
  if (stp_mem_read(&model_of(base)->mem, addr, buf, n) != 0)
    return fail(base, "mem_read: not inside the 40-bit address space");
  return 0;
}

static int model_mem_write(struct stp_machine *base, uint64_t addr, const void *buf, size_t n) {
  if (stp_mem_write(&model_of(base)->mem, addr, buf, n) != 0)
    return fail(base, "mem_write: not inside the 40-bit address space, or out of memory");
  return 0;
}

static int model_set_bus_error(struct stp_machine *base, uint64_t addr, uint64_t bytes) {
  model_t *m = model_of(base);
  m->bad_first = addr - addr % STP_STICK_BYTES;
  m->bad_end = bytes == 0 ? 0 : addr + bytes;
  return 0;
}

static bool host_tcm(uint32_t offset, uint32_t *at) {
  *at = offset - STP_HOST_TCM_BASE;
  return offset >= STP_HOST_TCM_BASE && *at < STP_TCM_BYTES;
}

static int bad_register(struct stp_machine *base, const char *what, uint32_t offset) {
  snprintf(base->error, sizeof base->error, "%s: no register at offset 0x%x (SLVERR)", what,
           (unsigned)offset);
  return -1;
}

static int model_reg_read(struct stp_machine *base, uint32_t offset, uint32_t *value) {
  model_t *m = model_of(base);
  uint32_t at;
  if (offset % 4 != 0) return bad_register(base, "reg_read", offset);
  if (host_tcm(offset, &at)) {
    *value = 0;
    for (unsigned n = 0; n < 4; n++) *value |= (uint32_t)m->tcm[at + n] << (8 * n);
    return 0;
  }
  switch (offset) {
  case STP_HOST_ID:
    *value = 0x5354504c;
    return 0;
  case STP_HOST_VERSION:
    *value = STP_CONTRACT_VERSION;
    return 0;
  case STP_HOST_CONFIG:
    *value = m->cores | STP_CORELETS << 8 | STP_UNITS << 16;
    return 0;
  case STP_HOST_CONTROL:
    *value = m->control;
    return 0;
  case STP_HOST_STATUS: {
    *value = m->control & 1;
    for (unsigned n = 0; n < m->cores; n++) {
      stp_core_state_t s;
      stp_core_get_state(m->core[n], &s);
      if (s.running != 0) *value |= 2;
    }
    return 0;
  }
  case STP_HOST_DOORBELL:
    *value = m->doorbell;
    return 0;
  case STP_HOST_IRQ_STATUS:
    *value = m->irq_status;
    return 0;
  case STP_HOST_IRQ_ENABLE:
    *value = m->irq_enable;
    return 0;
  case STP_HOST_QUEUE_LO:
    *value = m->queue_lo;
    return 0;
  case STP_HOST_QUEUE_HI:
    *value = m->queue_hi;
    return 0;
  case STP_HOST_QUEUE_LOG2:
    *value = m->queue_log2;
    return 0;
  case STP_HOST_COMPLETED:
    *value = m->completed;
    return 0;
  case STP_HOST_FW_STATUS:
    *value = m->fw_status;
    return 0;
  case STP_HOST_FW_VERSION:
    *value = m->fw_version;
    return 0;
  case STP_HOST_CYCLE_LO:
    m->cycle_hi = (uint32_t)(m->mtime >> 32);
    *value = (uint32_t)m->mtime;
    return 0;
  case STP_HOST_CYCLE_HI:
    *value = m->cycle_hi;
    return 0;
  case STP_HOST_T_DOORBELL_LO:
    *value = (uint32_t)m->t_doorbell;
    return 0;
  case STP_HOST_T_DOORBELL_HI:
    *value = (uint32_t)(m->t_doorbell >> 32);
    return 0;
  case STP_HOST_T_IRQ_LO:
    *value = (uint32_t)m->t_irq;
    return 0;
  case STP_HOST_T_IRQ_HI:
    *value = (uint32_t)(m->t_irq >> 32);
    return 0;
  case STP_HOST_T_START_LO:
    *value = (uint32_t)m->t_start;
    return 0;
  case STP_HOST_T_START_HI:
    *value = (uint32_t)(m->t_start >> 32);
    return 0;
  case STP_HOST_T_HALT_LO:
    *value = (uint32_t)m->t_halt;
    return 0;
  case STP_HOST_T_HALT_HI:
    *value = (uint32_t)(m->t_halt >> 32);
    return 0;
  default:
    return bad_register(base, "reg_read", offset);
  }
}

static void set_control(model_t *m, uint32_t value) {
  /* The processor's state is lost whenever it is in reset. */
  if ((value & 1) == 0 || (m->control & 1) == 0) {
    const stp_rv_bus_t bus = {.ctx = m, .load = mmio_load, .store = mmio_store};
    stp_rv_init(&m->rv, m->tcm, STP_TCM_BYTES, &bus);
  }
  m->control = value & 1;
}

static int model_reg_write(struct stp_machine *base, uint32_t offset, uint32_t value) {
  model_t *m = model_of(base);
  uint32_t at;
  if (offset % 4 != 0) return bad_register(base, "reg_write", offset);
  if (host_tcm(offset, &at)) {
    if (m->control & 1)
      return fail(base,
                  "reg_write: firmware memory is not written while the processor runs (SLVERR)");
    for (unsigned n = 0; n < 4; n++) m->tcm[at + n] = (uint8_t)(value >> 8 * n);
    return 0;
  }
  switch (offset) {
  case STP_HOST_CONTROL:
    set_control(m, value);
    return 0;
  case STP_HOST_DOORBELL:
    m->doorbell = value;
    m->pending |= PENDING_DOORBELL;
    m->t_doorbell = m->mtime;
    return 0;
  case STP_HOST_IRQ_STATUS:
    m->irq_status &= ~value;
    return 0;
  case STP_HOST_IRQ_ENABLE:
    m->irq_enable = value & 7;
    return 0;
  case STP_HOST_QUEUE_LO:
    m->queue_lo = value;
    return 0;
  case STP_HOST_QUEUE_HI:
    m->queue_hi = value & 0xff;
    return 0;
  case STP_HOST_QUEUE_LOG2:
    m->queue_log2 = value & 0xf;
    return 0;
  default: {
    /* A write to a register that can only be read is answered and does nothing. */
    uint32_t ignored;
    if (model_reg_read(base, offset, &ignored) == 0) return 0;
    return bad_register(base, "reg_write", offset);
  }
  }
}

static int model_irq(struct stp_machine *base) {
  const model_t *m = model_of(base);
  return (m->irq_status & m->irq_enable) != 0;
}

/* Steps, at most limit, until something may happen that is not in the hands of cores or processor.
 */
static uint64_t until_timer(const model_t *m, uint64_t limit) {
  if ((m->rv.mie_reg & STP_RV_IRQ_TIMER) == 0 || m->mtimecmp <= m->mtime) return limit;
  const uint64_t left = m->mtimecmp - m->mtime;
  return left < limit ? left : limit;
}

static void report(const model_t *m, const stp_rv_retire_t *r) {
  const struct stp_retired out = {
      .cycle = m->mtime,
      .pc = r->pc,
      .insn = r->insn,
      .rd = r->rd_we ? r->rd : 0,
      .rd_value = r->rd_data,
      .load = r->mem_re,
      .store = r->mem_we,
      .addr = r->mem_addr,
      .value = r->mem_data,
      .trap = r->trap ? r->cause + 1 : 0,
  };
  m->retired(m->retired_user, &out);
}

/* One step, or a piece of time in which the processor sleeps. Returns the steps. */
static uint64_t step(model_t *m, uint64_t limit) {
  bool asleep = (m->control & 1) == 0;
  if (!asleep) {
    m->rv.irq = (m->mtime >= m->mtimecmp ? STP_RV_IRQ_TIMER : 0) |
                ((m->pending & m->enable) != 0 ? STP_RV_IRQ_EXTERNAL : 0);
    stp_rv_retire_t retire;
    asleep = stp_rv_step(&m->rv, &retire) == STP_RV_ASLEEP;
    if (!asleep && !retire.trap) m->stats.retired++;
    if (!asleep && m->retired != NULL) report(m, &retire);
  }
  if (!asleep) {
    run_cores(m, 1);
    return 1;
  }
  const uint64_t most = (m->control & 1) == 0 ? limit : until_timer(m, limit);
  if (!cores_active(m)) return most;
  const uint64_t steps = run_cores(m, most < SLEEP_STEPS ? most : SLEEP_STEPS);
  return steps == 0 ? 1 : steps < most ? steps : most;
}

static int model_run(struct stp_machine *base, uint64_t limit, uint64_t *ran) {
  model_t *m = model_of(base);
  const uint64_t start = m->mtime;
  m->tap_stop = false;
  while (m->mtime - start < limit && !model_irq(base) && !m->tap_stop)
    m->mtime += step(m, limit - (m->mtime - start));
  if (ran != NULL) *ran = m->mtime - start;
  return 0;
}

static int model_reset(struct stp_machine *base) {
  reset(model_of(base));
  return 0;
}

static int model_set_tap(struct stp_machine *base, stp_tap_fn fn, void *user) {
  model_t *m = model_of(base);
  for (unsigned n = 0; n < m->cores; n++) stp_core_set_tap(m->core[n], fn, user);
  return 0;
}

static int model_trace_on(struct stp_machine *base, const char *path, uint64_t first,
                          uint64_t last) {
  (void)path;
  (void)first;
  (void)last;
  return fail(base, "the model has no signals to trace; use the machine 'rtl'");
}

static int model_trace_off(struct stp_machine *base) {
  return fail(base, "the model has no signals to trace; use the machine 'rtl'");
}

static void model_stats(struct stp_machine *base, struct stp_machine_stats *out) {
  *out = model_of(base)->stats;
}

static const struct stp_machine_ops model_ops = {
    .close = model_close,
    .mem_read = model_mem_read,
    .mem_write = model_mem_write,
    .set_bus_error = model_set_bus_error,
    .reg_read = model_reg_read,
    .reg_write = model_reg_write,
    .run = model_run,
    .irq = model_irq,
    .reset = model_reset,
    .set_tap = model_set_tap,
    .trace_on = model_trace_on,
    .trace_off = model_trace_off,
    .stats = model_stats,
};

/* Number of cores of a configuration "c<n>", 0 if there is none such. */
static unsigned config_cores(const char *config) {
  if (config == NULL) return 1;
  if (config[0] != 'c') return 0;
  unsigned n = 0;
  for (const char *s = config + 1; *s != '\0'; s++) {
    if (*s < '0' || *s > '9' || n > STP_MAX_CORES || (n == 0 && *s == '0')) return 0;
    n = 10 * n + (unsigned)(*s - '0');
  }
  return n <= STP_MAX_CORES ? n : 0;
}

int stp_model_open(const struct stp_machine_options *o, struct stp_machine **out, char *err,
                   size_t err_size) {
  const unsigned cores = config_cores(o->config);
  if (cores == 0) {
    snprintf(err, err_size, "no configuration '%s': c1 to c%d are known", o->config, STP_MAX_CORES);
    return -1;
  }
  if (o->trace) {
    snprintf(err, err_size, "the model has no signals to trace; use the machine 'rtl'");
    return -1;
  }
  model_t *m = calloc(1, sizeof *m);
  if (m == NULL) {
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  m->base.ops = &model_ops;
  m->base.name = "model";
  m->console = o->console;
  m->console_user = o->console_user;
  m->retired = o->retired;
  m->retired_user = o->retired_user;
  const stp_core_io_t io = {.user = m, .read = device_read, .write = device_write};
  for (; m->cores < cores; m->cores++) {
    m->core[m->cores] = stp_core_create(m->cores, cores, &io);
    if (m->core[m->cores] == NULL) {
      snprintf(err, err_size, "out of memory");
      model_close(&m->base);
      return -1;
    }
  }
  reset(m);
  *out = &m->base;
  return 0;
}
