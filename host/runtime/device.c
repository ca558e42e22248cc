/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices: a machine with firmware, device memory and launches.
 *
 * Device memory below BUFFERS_BASE belongs to the runtime: the job queue, and for the job in flight
 * its programs, arguments and completion record. Allocations lie above.
 */
#include "runtime_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_BASE 0x1000u
#define QUEUE_LOG2 4u
#define PROGRAM_BASE 0x10000u
#define ARGS_BASE 0x40000u
#define COMPLETION_BASE 0x50000u
#define BUFFERS_BASE 0x10000000u
#define ALIGN 4096u

#define IRQ_COMPLETED 1u
#define IRQ_READY 2u
#define IRQ_FAULT 4u
/* Firmware is ready, and answers a doorbell, long before. */
#define BOOT_CYCLES 2000000u

extern const unsigned char stp_firmware[];
extern const unsigned stp_firmware_size;

typedef struct block {
  uint64_t addr, bytes; /* a multiple of ALIGN, with the gap after it */
} block_t;

struct stp_device {
  struct stp_machine *m;
  unsigned cores;
  uint32_t doorbell;
  block_t *blocks; /* ascending addresses */
  size_t num_blocks;
};

bool stp_machine_known(const char *name) {
  if (strcmp(name, "model") == 0) return true;
#ifdef STP_HAVE_RTL
  if (strcmp(name, "rtl") == 0) return true;
#endif
  return false;
}

static int open_machine(const char *name, const struct stp_machine_options *o,
                        struct stp_machine **m, stp_error_t *error) {
  char text[512] = "";
  int status;
  if (strcmp(name, "model") == 0) {
    status = stp_model_open(o, m, text, sizeof text);
  } else if (strcmp(name, "rtl") == 0) {
#ifdef STP_HAVE_RTL
    status = stp_rtl_open(o, m, text, sizeof text);
#else
    return stp_fail(error, STP_ERROR_USAGE, "this build of Steeple has no machine 'rtl'");
#endif
  } else {
    return stp_fail(error, STP_ERROR_USAGE, "there is no machine '%s' (there is: model, rtl)",
                    name);
  }
  return status == 0 ? 0 : stp_fail(error, STP_ERROR_MACHINE, "%s: %s", name, text);
}

static int fail_machine(const stp_device_t *d, stp_error_t *error) {
  return stp_fail(error, STP_ERROR_MACHINE, "%s: %s", d->m->name, d->m->error);
}

static int reg_write(stp_device_t *d, uint32_t offset, uint32_t value, stp_error_t *error) {
  return d->m->ops->reg_write(d->m, offset, value) == 0 ? 0 : fail_machine(d, error);
}

static int reg_read(stp_device_t *d, uint32_t offset, uint32_t *value, stp_error_t *error) {
  return d->m->ops->reg_read(d->m, offset, value) == 0 ? 0 : fail_machine(d, error);
}

static int reg_read64(stp_device_t *d, uint32_t low, uint32_t high, uint64_t *value,
                      stp_error_t *error) {
  uint32_t lo, hi;
  if (reg_read(d, low, &lo, error) != 0 || reg_read(d, high, &hi, error) != 0) return -1;
  *value = (uint64_t)hi << 32 | lo;
  return 0;
}

static int load_firmware(stp_device_t *d, const unsigned char *image, size_t bytes,
                         stp_error_t *error) {
  if (bytes == 0 || bytes > STP_TCM_BYTES) {
    return stp_fail(error, STP_ERROR_INPUT, "the firmware image has %zu bytes: 1 to %u are right",
                    bytes, (unsigned)STP_TCM_BYTES);
  }
  for (uint32_t at = 0; at < bytes; at += 4) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4 && at + i < bytes; i++) word |= (uint32_t)image[at + i] << (8 * i);
    if (reg_write(d, STP_HOST_TCM_BASE + at, word, error) != 0) return -1;
  }
  return 0;
}

static int firmware_fault(stp_device_t *d, stp_error_t *error) {
  uint32_t status;
  if (reg_read(d, STP_HOST_FW_STATUS, &status, error) != 0) return -1;
  return stp_fail(error, STP_ERROR_MACHINE, "%s: firmware fault, FW_STATUS = 0x%08" PRIx32,
                  d->m->name, status);
}

/* Loads the firmware, lets it run, and waits until it says that it is ready. */
static int boot(stp_device_t *d, const struct stp_machine_options *o, stp_error_t *error) {
  const bool own = o != NULL && o->firmware != NULL;
  const unsigned char *image = own ? o->firmware : stp_firmware;
  const size_t bytes = own ? o->firmware_bytes : stp_firmware_size;
  uint32_t v;
  if (reg_read(d, STP_HOST_VERSION, &v, error) != 0) return -1;
  if (v != STP_CONTRACT_VERSION) {
    return stp_fail(error, STP_ERROR_MACHINE,
                    "%s: the machine's contract version is %08" PRIx32 ", the host's is %08x",
                    d->m->name, v, STP_CONTRACT_VERSION);
  }
  if (reg_read(d, STP_HOST_CONFIG, &v, error) != 0) return -1;
  d->cores = v & 0xff;
  if (d->cores == 0 || d->cores > STP_MAX_CORES) {
    return stp_fail(error, STP_ERROR_MACHINE, "%s: the machine says it has %u cores", d->m->name,
                    d->cores);
  }
  uint8_t zeros[STP_STICK_BYTES << QUEUE_LOG2] = {0};
  if (d->m->ops->mem_write(d->m, QUEUE_BASE, zeros, sizeof zeros) != 0)
    return fail_machine(d, error);
  if (load_firmware(d, image, bytes, error) != 0 ||
      reg_write(d, STP_HOST_QUEUE_LO, QUEUE_BASE, error) != 0 ||
      reg_write(d, STP_HOST_QUEUE_HI, 0, error) != 0 ||
      reg_write(d, STP_HOST_QUEUE_LOG2, QUEUE_LOG2, error) != 0 ||
      reg_write(d, STP_HOST_IRQ_ENABLE, IRQ_COMPLETED | IRQ_READY | IRQ_FAULT, error) != 0 ||
      reg_write(d, STP_HOST_CONTROL, 1, error) != 0) {
    return -1;
  }
  if (d->m->ops->run(d->m, BOOT_CYCLES, NULL) != 0) return fail_machine(d, error);
  if (reg_read(d, STP_HOST_IRQ_STATUS, &v, error) != 0) return -1;
  if (v & IRQ_FAULT) return firmware_fault(d, error);
  if ((v & IRQ_READY) == 0) {
    return stp_fail(error, STP_ERROR_MACHINE, "%s: firmware is not ready after %u cycles",
                    d->m->name, BOOT_CYCLES);
  }
  if (reg_write(d, STP_HOST_IRQ_STATUS, v, error) != 0 ||
      reg_read(d, STP_HOST_FW_VERSION, &v, error) != 0) {
    return -1;
  }
  if (v != STP_CONTRACT_VERSION) {
    return stp_fail(error, STP_ERROR_MACHINE,
                    "%s: the firmware's contract version is %08" PRIx32 ", the host's is %08x",
                    d->m->name, v, STP_CONTRACT_VERSION);
  }
  return reg_read(d, STP_HOST_DOORBELL, &d->doorbell, error);
}

int stp_device_open(const char *machine, const struct stp_machine_options *options,
                    stp_device_t **device, stp_error_t *error) {
  *device = NULL;
  stp_device_t *d = calloc(1, sizeof *d);
  if (d == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  if (open_machine(machine, options, &d->m, error) != 0 || boot(d, options, error) != 0) {
    stp_device_close(d);
    return -1;
  }
  *device = d;
  return 0;
}

void stp_device_close(stp_device_t *d) {
  if (d == NULL) return;
  if (d->m != NULL) d->m->ops->close(d->m);
  free(d->blocks);
  free(d);
}

struct stp_machine *stp_device_machine(stp_device_t *d) {
  return d->m;
}

/* First fit. */
int stp_device_alloc(stp_device_t *d, uint64_t bytes, uint64_t *addr, stp_error_t *error) {
  const uint64_t end = (uint64_t)1 << STP_ADDR_BITS;
  if (bytes > end - BUFFERS_BASE - 2 * ALIGN) {
    return stp_fail(error, STP_ERROR_INPUT, "%" PRIu64 " bytes do not fit in device memory", bytes);
  }
  /* A gap of at least a stick, and room for the alignment. */
  const uint64_t size = (bytes + STP_STICK_BYTES + ALIGN - 1) / ALIGN * ALIGN;
  uint64_t at = BUFFERS_BASE + ALIGN;
  size_t i = 0;
  for (; i < d->num_blocks && d->blocks[i].addr - at < size; i++) {
    at = d->blocks[i].addr + d->blocks[i].bytes;
  }
  if (at > end || end - at < size) {
    return stp_fail(error, STP_ERROR_INPUT, "device memory is full: no place for %" PRIu64 " bytes",
                    bytes);
  }
  block_t *blocks = realloc(d->blocks, (d->num_blocks + 1) * sizeof *blocks);
  if (blocks == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  memmove(blocks + i + 1, blocks + i, (d->num_blocks - i) * sizeof *blocks);
  blocks[i] = (block_t){at, size};
  d->blocks = blocks;
  d->num_blocks++;
  *addr = at;
  return 0;
}

void stp_device_free(stp_device_t *d, uint64_t addr) {
  for (size_t i = 0; i < d->num_blocks; i++) {
    if (d->blocks[i].addr != addr) continue;
    memmove(d->blocks + i, d->blocks + i + 1, (d->num_blocks - i - 1) * sizeof *d->blocks);
    d->num_blocks--;
    return;
  }
}

int stp_device_write(stp_device_t *d, uint64_t addr, const void *data, size_t bytes,
                     stp_error_t *error) {
  return d->m->ops->mem_write(d->m, addr, data, bytes) == 0 ? 0 : fail_machine(d, error);
}

int stp_device_read(stp_device_t *d, uint64_t addr, void *data, size_t bytes, stp_error_t *error) {
  return d->m->ops->mem_read(d->m, addr, data, bytes) == 0 ? 0 : fail_machine(d, error);
}

/* ---- launches ---------------------------------------------------------------------------- */

static void put_le(uint8_t *p, unsigned bytes, uint64_t v) {
  for (unsigned i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get_le(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

#define PUT(stick, type, field, value)                                                             \
  put_le((stick) + offsetof(struct type, field), sizeof((struct type *)0)->field, value)
#define GET(stick, type, field)                                                                    \
  get_le((stick) + offsetof(struct type, field), sizeof((struct type *)0)->field)

static int write_program(stp_device_t *d, const stp_job_t *job, uint8_t *descriptor,
                         stp_error_t *error) {
  uint64_t *sticks = NULL;
  uint32_t count = 0;
  struct stp_segment segments[STP_JOB_MAX_SEGMENTS];
  const int n = stp_job_image(job, &sticks, &count, segments);
  if (n < 0) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  int status = 0;
  for (uint32_t i = 0; status == 0 && i < count; i++) {
    uint8_t stick[STP_STICK_BYTES];
    for (unsigned k = 0; k < 16; k++) put_le(stick + 8 * k, 8, sticks[16 * (size_t)i + k]);
    status = stp_device_write(d, PROGRAM_BASE + (uint64_t)i * STP_STICK_BYTES, stick, sizeof stick,
                              error);
  }
  free(sticks);
  for (int i = 0; i < n; i++) {
    uint8_t *p = descriptor + offsetof(struct stp_descriptor, segment) +
                 (size_t)i * sizeof(struct stp_segment);
    PUT(p, stp_segment, unit_mask, segments[i].unit_mask);
    PUT(p, stp_segment, first_stick, segments[i].first_stick);
    PUT(p, stp_segment, sticks, segments[i].sticks);
    PUT(p, stp_segment, dest, segments[i].dest);
  }
  PUT(descriptor, stp_descriptor, segments, (uint64_t)n);
  return status;
}

static int write_args(stp_device_t *d, const stp_job_t *job, const uint64_t *addrs,
                      stp_error_t *error) {
  uint8_t bytes[STP_ARGS * 8] = {0};
  for (uint32_t i = 0; i < job->num_buffers; i++) {
    put_le(bytes + 8 * (size_t)job->buffers[i].arg, 8, addrs[i]);
  }
  for (uint32_t i = 0; i < job->num_scalars; i++) {
    const stp_job_scalar_t *s = &job->scalars[i];
    if (s->arg >= 0) put_le(bytes + 8 * (size_t)s->arg, 8, (uint64_t)s->value);
  }
  return stp_device_write(d, ARGS_BASE, bytes, sizeof bytes, error);
}

/* Programs, arguments, an empty completion record, and the descriptor in the next entry of the
 * queue. */
static int write_job(stp_device_t *d, const stp_job_t *job, const uint64_t *addrs,
                     uint32_t watchdog, stp_error_t *error) {
  uint8_t stick[STP_STICK_BYTES] = {0};
  PUT(stick, stp_descriptor, magic, STP_DESCRIPTOR_MAGIC);
  PUT(stick, stp_descriptor, job_id, d->doorbell);
  PUT(stick, stp_descriptor, program_addr, PROGRAM_BASE);
  PUT(stick, stp_descriptor, args_addr, ARGS_BASE);
  PUT(stick, stp_descriptor, completion_addr, COMPLETION_BASE);
  PUT(stick, stp_descriptor, start_mask, stp_job_unit_mask(job));
  PUT(stick, stp_descriptor, arg_sticks, (job->num_args + 15) / 16);
  PUT(stick, stp_descriptor, core_mask, ((uint64_t)1 << d->cores) - 1);
  PUT(stick, stp_descriptor, watchdog, watchdog);
  if (write_program(d, job, stick, error) != 0 || write_args(d, job, addrs, error) != 0) return -1;
  uint8_t nothing[STP_STICK_BYTES] = {0};
  for (unsigned i = 0; i < 1 + STP_UNITS * d->cores; i++) {
    const uint64_t at = COMPLETION_BASE + (uint64_t)i * STP_STICK_BYTES;
    if (stp_device_write(d, at, nothing, sizeof nothing, error) != 0) return -1;
  }
  const uint32_t entry = d->doorbell & ((1u << QUEUE_LOG2) - 1);
  return stp_device_write(d, QUEUE_BASE + (uint64_t)entry * STP_STICK_BYTES, stick, sizeof stick,
                          error);
}

/* Runs until the interrupt. Pieces are sized so that progress is reported about five times a
 * second. */
static int wait_irq(stp_device_t *d, const stp_launch_options_t *o, stp_error_t *error) {
  const double start = stp_now();
  uint64_t done = 0, piece = 2000, idle_check = (uint64_t)1 << 24;
  while (!d->m->ops->irq(d->m)) {
    uint64_t limit = piece, ran = 0;
    if (o->max_cycles != 0 && done >= o->max_cycles) {
      return stp_fail(error, STP_ERROR_MACHINE, "%s: the job is not over after %" PRIu64 " cycles",
                      d->m->name, done);
    }
    if (o->max_cycles != 0 && limit > o->max_cycles - done) limit = o->max_cycles - done;
    const double before = stp_now();
    if (d->m->ops->run(d->m, limit, &ran) != 0) return fail_machine(d, error);
    done += ran;
    const double now = stp_now();
    if (now - before < 0.1) piece *= 2;
    if (now - before > 0.4 && piece > 100) piece /= 2;
    if (o->progress != NULL && o->progress(o->progress_user, done, now - start) != 0) {
      return stp_fail(error, STP_ERROR_MACHINE, "%s: stopped after %" PRIu64 " cycles", d->m->name,
                      done);
    }
    /* Rarely, so that it does not cost time: a machine in which no unit runs has lost its job. */
    if (done >= idle_check) {
      uint32_t status;
      if (reg_read(d, STP_HOST_STATUS, &status, error) != 0) return -1;
      if ((status & 2) == 0 && !d->m->ops->irq(d->m)) {
        return stp_fail(error, STP_ERROR_MACHINE,
                        "%s: firmware does not answer: no unit runs, and no job was completed",
                        d->m->name);
      }
      idle_check = done + ((uint64_t)1 << 24);
    }
  }
  return 0;
}

static int read_times(stp_device_t *d, stp_launch_t *r, stp_error_t *error) {
  uint64_t doorbell, irq, start, halt;
  if (reg_read64(d, STP_HOST_T_DOORBELL_LO, STP_HOST_T_DOORBELL_HI, &doorbell, error) != 0 ||
      reg_read64(d, STP_HOST_T_IRQ_LO, STP_HOST_T_IRQ_HI, &irq, error) != 0 ||
      reg_read64(d, STP_HOST_T_START_LO, STP_HOST_T_START_HI, &start, error) != 0 ||
      reg_read64(d, STP_HOST_T_HALT_LO, STP_HOST_T_HALT_HI, &halt, error) != 0) {
    return -1;
  }
  r->cycles = irq - doorbell;
  /* A job that started nothing leaves the times of an earlier one. */
  const bool started = start >= doorbell && halt >= start && irq >= halt;
  r->launch_cycles = started ? (start - doorbell) + (irq - halt) : r->cycles;
  return 0;
}

static int read_completion(stp_device_t *d, stp_launch_t *r, stp_error_t *error) {
  uint8_t stick[STP_STICK_BYTES];
  if (stp_device_read(d, COMPLETION_BASE, stick, sizeof stick, error) != 0) return -1;
  if (GET(stick, stp_completion, magic) != STP_COMPLETION_MAGIC ||
      GET(stick, stp_completion, job_id) != d->doorbell - 1) {
    return stp_fail(error, STP_ERROR_MACHINE, "%s: firmware left no completion record of the job",
                    d->m->name);
  }
  r->status = (uint32_t)GET(stick, stp_completion, status);
  r->cause = (uint32_t)GET(stick, stp_completion, cause);
  r->core = (uint32_t)GET(stick, stp_completion, core);
  r->unit = (uint32_t)GET(stick, stp_completion, unit);
  r->pc = (uint32_t)GET(stick, stp_completion, pc);
  r->blocked = (uint32_t)GET(stick, stp_completion, blocked);
  r->addr = GET(stick, stp_completion, addr);
  r->running = (uint32_t)GET(stick, stp_completion, running);
  r->trapped = (uint32_t)GET(stick, stp_completion, trapped);
  for (unsigned i = 0; i < d->cores * STP_UNITS; i++) {
    const uint64_t at = COMPLETION_BASE + (1 + (uint64_t)i) * STP_STICK_BYTES;
    if (stp_device_read(d, at, stick, sizeof stick, error) != 0) return -1;
    for (unsigned k = 0; k < 16; k++) {
      r->counters[i / STP_UNITS][i % STP_UNITS][k] = get_le(stick + 8 * k, 8);
    }
  }
  return 0;
}

int stp_device_launch(stp_device_t *d, const stp_kernel_t *kernel, const uint64_t *addrs,
                      const stp_launch_options_t *options, stp_launch_t *r, stp_error_t *error) {
  const stp_launch_options_t none = {0};
  const stp_launch_options_t *o = options != NULL ? options : &none;
  const stp_job_t *job = kernel->job;
  memset(r, 0, sizeof *r);
  r->cores = d->cores;
  r->has_cycles = strcmp(d->m->name, "model") != 0;
  if (write_job(d, job, addrs, o->watchdog, error) != 0) return -1;

  struct stp_machine_stats before, after;
  d->m->ops->stats(d->m, &before);
  const double start = stp_now(), cpu_start = stp_cpu_now();
  d->doorbell++;
  uint32_t pending;
  if (reg_write(d, STP_HOST_DOORBELL, d->doorbell, error) != 0 || wait_irq(d, o, error) != 0) {
    return -1;
  }
  r->seconds = stp_now() - start;
  r->cpu_seconds = stp_cpu_now() - cpu_start;
  d->m->ops->stats(d->m, &after);
  r->dram_read_bytes = after.dram_read_bytes - before.dram_read_bytes;
  r->dram_write_bytes = after.dram_write_bytes - before.dram_write_bytes;
  r->retired = after.retired - before.retired;

  if (reg_read(d, STP_HOST_IRQ_STATUS, &pending, error) != 0) return -1;
  if (pending & IRQ_FAULT) return firmware_fault(d, error);
  if (reg_write(d, STP_HOST_IRQ_STATUS, pending, error) != 0 || read_times(d, r, error) != 0)
    return -1;
  return read_completion(d, r, error);
}
