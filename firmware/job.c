/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time from doorbell to first start, and from last stop to interrupt, is what a small job
 * costs. So the transfers of programs and arguments are queued as the descriptor has them, and the
 * descriptor is checked while they are under way: they only reach units that do not run, and the
 * DMA itself refuses wrong operands. What is wrong with a job is found out after it was refused.
 * Everything that can be prepared for the end is prepared while the units run, and a job without a
 * fault takes the straight path: look at the cores, status sticks, record, completion.
 */
#include "job.h"

#include <stdbool.h>
#include <stddef.h>

#include "console.h"
#include "dma.h"
#include "mmio.h"
#include "trap.h"

#define ALL_UNITS ((1u << STP_UNITS) - 1)
#define PROG_ROWS (STP_PROG_WORDS / STP_PROG_ROW_WORDS)
#define ROWS_PER_STICK (STP_STICK_BYTES / 8 / STP_PROG_ROW_WORDS)
#define ARG_STICKS (STP_ARGS * 8 / STP_STICK_BYTES)
#define MAX_SEGMENTS (sizeof((struct stp_descriptor *)NULL)->segment / sizeof(struct stp_segment))
#define WATCHDOG_SHIFT 10 /* its unit is 1,024 cycles */

/* Polls of a core that has been told to halt; what it has in flight takes some memory latencies. */
#define HALT_POLLS 1000000u

/* How the cores of a job were when it ended. */
typedef struct outcome {
  uint32_t status; /* STP_JOB_... */
  uint32_t core;   /* that the record is about */
  uint32_t running, trapped, blocked;
} outcome_t;

/* Sticks of memory from addr to its end, at most UINT32_MAX; 0 if addr is not stick aligned or
 * outside. */
static uint32_t room_from(uint64_t addr) {
  if ((addr % STP_STICK_BYTES) != 0 || addr >> STP_ADDR_BITS != 0) return 0;
  const uint64_t sticks = (((uint64_t)1 << STP_ADDR_BITS) - addr) / STP_STICK_BYTES;
  return sticks >> 32 != 0 ? UINT32_MAX : (uint32_t)sticks;
}

/* Queues the transfers of programs and arguments, right or wrong: see plausible. */
static inline void load(const struct stp_descriptor *d) {
  stp_mmio_write(STP_MGMT_DMA_ADDR_LO, (uint32_t)d->program_addr);
  stp_mmio_write(STP_MGMT_DMA_ADDR_HI, (uint32_t)(d->program_addr >> 32));
  stp_mmio_write(STP_MGMT_DMA_CORES, d->core_mask);
  const uint32_t segments = d->segments < MAX_SEGMENTS ? d->segments : MAX_SEGMENTS;
  for (const struct stp_segment *s = d->segment, *end = s + segments; s < end; s++)
    stp_dma_segment(s);
  if (d->arg_sticks == 0) return;
  stp_dma_memory(d->args_addr, d->arg_sticks);
  stp_mmio_write(STP_MGMT_DMA_LOCAL, 0);
  stp_mmio_write(STP_MGMT_DMA_UNITS, d->start_mask);
  stp_dma_start(STP_DMA_ARGS);
}

/* Units whose first instruction a good descriptor loads: the others would run an old program. */
static inline uint32_t loaded(const struct stp_descriptor *d) {
  uint32_t units = 0;
  for (const struct stp_segment *s = d->segment, *end = s + d->segments; s < end; s++) {
    if (s->dest == 0) units |= s->unit_mask;
  }
  return units;
}

static inline uint32_t all_cores(uint32_t cores) {
  return cores < 32 ? (1u << cores) - 1 : ~0u;
}

/* Whether a descriptor is good, if the DMA has met no error with its transfers: it refuses segments
 * and arguments that are not. */
static inline bool plausible(const struct stp_descriptor *d, uint32_t cores) {
  return d->magic == STP_DESCRIPTOR_MAGIC && d->segments <= MAX_SEGMENTS && d->flags == 0 &&
         d->reserved == 0 && d->core_mask != 0 && (d->core_mask & ~all_cores(cores)) == 0 &&
         d->start_mask != 0 && (d->start_mask & ~(ALL_UNITS & loaded(d))) == 0 &&
         room_from(d->completion_addr) >= 1 + STP_UNITS * cores;
}

/* NULL or what is wrong with a segment; `room` sticks are there from the program's address. */
static const char *check_segment(const struct stp_segment *s, uint32_t room) {
  if (s->unit_mask == 0 || (s->unit_mask & ~ALL_UNITS) != 0) return "segment.unit_mask";
  if (s->sticks == 0) return "segment.sticks";
  if (s->dest + s->sticks * ROWS_PER_STICK > PROG_ROWS) return "segment.dest";
  if (s->first_stick + s->sticks > room) return "segment.first_stick";
  return NULL;
}

/* NULL or the name of the first field that is wrong. */
static const char *check(const struct stp_descriptor *d, uint32_t cores) {
  if (d->magic != STP_DESCRIPTOR_MAGIC) return "magic";
  if (d->core_mask == 0 || (d->core_mask & ~all_cores(cores)) != 0) return "core_mask";
  if (d->start_mask == 0 || (d->start_mask & ~ALL_UNITS) != 0) return "start_mask";
  if (d->segments > MAX_SEGMENTS) return "segments";
  if (d->flags != 0) return "flags";
  if (d->reserved != 0) return "reserved";
  if (room_from(d->completion_addr) < 1 + STP_UNITS * cores) return "completion_addr";
  if (d->arg_sticks > ARG_STICKS) return "arg_sticks";
  if (d->arg_sticks != 0 && room_from(d->args_addr) < d->arg_sticks) return "args_addr";
  const uint32_t room = room_from(d->program_addr);
  if (room == 0) return "program_addr";
  for (uint32_t i = 0; i < d->segments; i++) {
    const char *wrong = check_segment(&d->segment[i], room);
    if (wrong != NULL) return wrong;
  }
  return (d->start_mask & ~loaded(d)) == 0 ? NULL : "start_mask";
}

static uint64_t now(void) {
  const uint32_t low = stp_mmio_read(STP_MGMT_TIMER_MTIME_LO);
  return (uint64_t)stp_mmio_read(STP_MGMT_TIMER_MTIME_HI) << 32 | low;
}

/* Arms the timer, which is not armed. */
static void set_timer(uint64_t at) {
  stp_mmio_write(STP_MGMT_TIMER_MTIMECMP_LO, (uint32_t)at);
  stp_mmio_write(STP_MGMT_TIMER_MTIMECMP_HI, (uint32_t)(at >> 32));
}

static void stop_timer(void) {
  stp_mmio_write(STP_MGMT_TIMER_MTIMECMP_HI, UINT32_MAX);
}

/* How a wait for cores ended. */
typedef enum { CORES_CLEAN, CORES_FAULT, CORES_LATE } ending_t;

/* Sleeps until all cores of the mask have stopped, or until the time `limit`. */
static ending_t wait_for_cores(uint32_t mask, uint64_t limit) {
  bool acknowledged = false;
  for (;;) {
    uint32_t stopped = STP_CORE_STOPPED, fault = 0, base = STP_MGMT_CORE_BASE;
    for (uint32_t m = mask; m != 0; m >>= 1, base += STP_MGMT_CORE_STRIDE) {
      if ((m & 1) == 0) continue;
      const uint32_t state = stp_mmio_read(base + (STP_MGMT_CORE_STATE - STP_MGMT_CORE_BASE));
      stopped &= state;
      fault |= state & ~STP_CORE_STOPPED;
      fault |= stp_mmio_read(base + (STP_MGMT_CORE_TRAPPED - STP_MGMT_CORE_BASE));
    }
    if (stopped != 0) return fault == 0 ? CORES_CLEAN : CORES_FAULT;
    if (limit != UINT64_MAX && now() >= limit) return CORES_LATE;
    /* Acknowledged and looked at once more before the sleep: a core that stops after that ends it.
     */
    if (acknowledged) {
      stp_wfi();
    } else {
      stp_mmio_write(STP_MGMT_INTC_ACK, STP_PENDING_STOPPED);
    }
    acknowledged = !acknowledged;
  }
}

/* What happened. Of several cores with a fault, the lowest-numbered with the worst one counts. */
static outcome_t look(uint32_t mask, bool in_time) {
  outcome_t o = {.status = STP_JOB_OK};
  for (uint32_t n = 0; mask >> n != 0; n++) {
    if ((mask >> n & 1) == 0) continue;
    const uint32_t state = stp_mmio_read(stp_core_reg(STP_MGMT_CORE_STATE, n));
    const uint32_t trapped = stp_mmio_read(stp_core_reg(STP_MGMT_CORE_TRAPPED, n));
    uint32_t status = STP_JOB_OK;
    if ((state & STP_CORE_LEFTOVER) != 0) status = STP_JOB_LEFTOVER;
    if ((state & STP_CORE_DEADLOCK) != 0) status = STP_JOB_DEADLOCK;
    if (trapped != 0) status = STP_JOB_TRAP;
    if (!in_time && (state & STP_CORE_STOPPED) == 0 && trapped == 0) status = STP_JOB_WATCHDOG;
    /* From bad to worse: left over, deadlock, watchdog, trap. */
    static const uint8_t rank[] = {
        [STP_JOB_OK] = 0,       [STP_JOB_LEFTOVER] = 1, [STP_JOB_DEADLOCK] = 2,
        [STP_JOB_WATCHDOG] = 3, [STP_JOB_TRAP] = 4,
    };
    if (rank[status] <= rank[o.status]) continue;
    o.status = status;
    o.core = n;
    o.trapped = trapped;
    o.running = stp_mmio_read(stp_core_reg(STP_MGMT_CORE_RUNNING, n));
    o.blocked =
        status == STP_JOB_DEADLOCK ? stp_mmio_read(stp_core_reg(STP_MGMT_CORE_BLOCKED, n)) : 0;
  }
  if (!in_time) o.status = STP_JOB_WATCHDOG;
  return o;
}

/* Stops core n if something runs on it, and waits until it is at rest. */
void stp_core_quiesce(uint32_t n) {
  if (stp_mmio_read(stp_core_reg(STP_MGMT_CORE_RUNNING, n)) == 0) return;
  stp_mmio_write(stp_core_reg(STP_MGMT_CORE_HALT, n), 1);
  for (uint32_t i = 0; i < HALT_POLLS; i++) {
    if (stp_mmio_read(stp_core_reg(STP_MGMT_CORE_RUNNING, n)) == 0) return;
  }
  stp_fatal("a core does not halt");
}

static void complain(const struct stp_completion *c, const char *wrong) {
  stp_puts("job ");
  stp_put_decimal(c->job_id);
  switch (c->status) {
  case STP_JOB_BAD_DESCRIPTOR:
    stp_puts(": bad descriptor: ");
    stp_puts(wrong);
    stp_puts("\n");
    return;
  case STP_JOB_BUS_ERROR:
    stp_puts(": bus error while loading\n");
    return;
  case STP_JOB_WATCHDOG:
    stp_puts(": watchdog: units still running ");
    stp_put_hex(c->running);
    break;
  case STP_JOB_DEADLOCK:
    stp_puts(": deadlock: units blocked ");
    stp_put_hex(c->blocked);
    break;
  case STP_JOB_LEFTOVER:
    stp_puts(": sticks or tokens left over");
    break;
  default:
    break;
  }
  if (c->cause != STP_CAUSE_NONE) {
    stp_puts(": trap ");
    stp_put_decimal(c->cause);
    stp_puts(" in unit ");
    stp_put_decimal(c->unit);
    stp_puts(" at ");
    stp_put_decimal(c->pc);
  }
  stp_puts(", core ");
  stp_put_decimal(c->core);
  stp_puts("\n");
}

/* A record that says OK; faults fill in the rest. */
static void prepare(struct stp_completion *c, uint32_t job_id) {
  c->magic = STP_COMPLETION_MAGIC;
  c->job_id = job_id;
  c->status = STP_JOB_OK;
  c->cause = STP_CAUSE_NONE;
  c->core = c->unit = c->pc = c->blocked = 0;
  c->addr = 0;
  c->running = c->trapped = 0;
}

/* Ends a job that did not start: there are no status sticks. */
static void refuse(stp_job_buffers_t *b, uint32_t cores) {
  struct stp_completion *c = &b->completion.record;
  const char *wrong = check(&b->descriptor, cores);
  prepare(c, b->descriptor.job_id);
  c->status = wrong != NULL ? STP_JOB_BAD_DESCRIPTOR : STP_JOB_BUS_ERROR;
  complain(c, wrong);
  if (room_from(b->descriptor.completion_addr) < 1 + STP_UNITS * cores) return;
  stp_dma_from_tcm(b->descriptor.completion_addr, c, 1);
  if (!stp_dma_wait()) stp_puts("bus error while writing a completion record\n");
}

/* Where the status sticks of core n go. */
static uint64_t status_addr(uint64_t completion, uint32_t n) {
  return completion + (1 + STP_UNITS * n) * STP_STICK_BYTES;
}

/* Queues the status sticks of the cores of a mask, from core n on. */
static void write_status(uint64_t completion, uint32_t mask, uint32_t n) {
  for (; mask >> n != 0; n++) {
    if ((mask >> n & 1) != 0) stp_dma_status(status_addr(completion, n), n);
  }
}

/* Completes the record of a job with a fault, and brings its cores to rest. */
static void write_fault(stp_job_buffers_t *b, const outcome_t *o) {
  const struct stp_descriptor *d = &b->descriptor;
  struct stp_completion *c = &b->completion.record;
  c->status = o->status;
  c->core = o->core;
  c->running = o->running;
  c->trapped = o->trapped;
  c->blocked = o->blocked;
  write_status(d->completion_addr, d->core_mask, 0);
  if (o->trapped != 0) {
    uint32_t unit = 0;
    while ((o->trapped >> unit & 1) == 0) unit++;
    stp_dma_to_tcm(b->status, status_addr(d->completion_addr, o->core) + unit * STP_STICK_BYTES, 1);
    stp_dma_wait(); /* an error shows in the record's own transfer, too: same place in memory */
    const uint32_t state = (uint32_t)b->status[STP_STAT_STATE];
    c->unit = unit;
    c->cause = state & 0xff;
    c->pc = state >> 16;
    c->addr = b->status[STP_STAT_TRAP_ADDR];
  }
  stp_dma_wait();
  for (uint32_t n = 0; d->core_mask >> n != 0; n++) {
    if ((d->core_mask >> n & 1) != 0) stp_core_quiesce(n);
  }
  complain(c, "");
}

void stp_job_init(stp_job_buffers_t *b) {
  for (size_t i = 0; i < sizeof b->completion.words / sizeof b->completion.words[0]; i++) {
    ((volatile uint32_t *)b->completion.words)[i] = 0;
  }
}

static inline void run(stp_job_buffers_t *b, uint32_t cores) {
  struct stp_descriptor *d = &b->descriptor;
  stp_mmio_write(STP_MGMT_HOSTIF_FW_STATUS, STP_FW_BUSY);
  stp_mmio_write(STP_MGMT_INTC_ENABLE, STP_PENDING_STOPPED);
  if (!stp_dma_wait()) {
    /* Nothing in it can be trusted, so nowhere to write to. */
    stp_puts("bus error while fetching a descriptor\n");
    return;
  }

  load(d);
  if (!plausible(d, cores)) {
    stp_dma_wait(); /* for what was queued; its errors are no more of interest */
    refuse(b, cores);
    return;
  }
  const uint32_t mask = d->core_mask;
  uint32_t first = 0; /* the lowest-numbered core of the job */
  while ((mask >> first & 1) == 0) first++;
  for (uint32_t n = first; mask >> n != 0; n++) {
    if ((mask >> n & 1) != 0) stp_mmio_write(stp_core_reg(STP_MGMT_CORE_CLEAR, n), 1);
  }
  if (!stp_dma_wait()) {
    refuse(b, cores);
    return;
  }
  uint32_t n = first;
  do {
    if ((mask >> n & 1) != 0) stp_mmio_write(stp_core_reg(STP_MGMT_CORE_START, n), d->start_mask);
  } while (mask >> ++n != 0);

  uint64_t limit = UINT64_MAX;
  if (d->watchdog != 0) {
    limit = now() + ((uint64_t)d->watchdog << WATCHDOG_SHIFT);
    set_timer(limit);
  }
  /* For the end. */
  prepare(&b->completion.record, d->job_id);
  stp_dma_prepare_status(status_addr(d->completion_addr, first), first);
  stp_mmio_write(STP_MGMT_DMA_LOCAL, (uint32_t)&b->completion); /* of the record's transfer */
  const ending_t ending = wait_for_cores(mask, limit);
  if (ending == CORES_CLEAN) {
    stp_dma_start(STP_DMA_STATUS);
    write_status(d->completion_addr, mask, first + 1);
    stp_dma_memory(d->completion_addr, 1);
    stp_dma_start(STP_DMA_FROM_TCM);
  } else {
    const outcome_t o = look(mask, ending != CORES_LATE);
    write_fault(b, &o);
    stp_dma_from_tcm(d->completion_addr, &b->completion, 1);
  }
  if (limit != UINT64_MAX) stop_timer();
  if (!stp_dma_wait()) stp_puts("bus error while writing a completion record\n");
}

void stp_job_run(stp_job_buffers_t *b, uint32_t cores, uint32_t count) {
  run(b, cores);
  stp_mmio_write(STP_MGMT_HOSTIF_COMPLETED, count);
  stp_mmio_write(STP_MGMT_HOSTIF_IRQ_SET, STP_IRQ_COMPLETED);
}
