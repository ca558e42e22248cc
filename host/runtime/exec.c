/* SPDX-License-Identifier: Apache-2.0 */
#include "exec.h"
#include "fill.h"
#include "runtime_int.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stp_isa.h"

/* Poisoned memory on either side of a buffer. */
#define GUARD 4096u

int stp_images_new(const stp_kernel_t *kernel, stp_images_t *images, stp_error_t *error) {
  const unsigned n = stp_kernel_buffers(kernel);
  /* Memory that is not there would be given all the same, and taken back with the process. */
  const uint64_t there = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
  uint64_t total = 0;
  for (unsigned i = 0; i < n; i++) total += stp_kernel_buffer(kernel, i).bytes;
  *images = (stp_images_t){0};
  if (total > there) {
    return stp_fail(error, STP_ERROR_INPUT,
                    "the buffers of '%s' need %" PRIu64 " bytes, more than this host has",
                    kernel->job->kernel, total);
  }
  *images = (stp_images_t){.count = n, .data = calloc(n > 0 ? n : 1, sizeof *images->data)};
  for (unsigned i = 0; images->data != NULL && i < n; i++) {
    const uint64_t bytes = stp_kernel_buffer(kernel, i).bytes;
    images->data[i] = bytes < SIZE_MAX ? malloc((size_t)bytes + 1) : NULL;
    if (images->data[i] == NULL) {
      stp_images_free(images);
      break;
    }
    memset(images->data[i], STP_POISON, (size_t)bytes);
  }
  if (images->data == NULL) return stp_fail(error, STP_ERROR_MACHINE, "out of memory");
  return 0;
}

void stp_images_free(stp_images_t *images) {
  for (unsigned i = 0; images->data != NULL && i < images->count; i++) free(images->data[i]);
  free(images->data);
  *images = (stp_images_t){0};
}

static int check_guard(stp_device_t *d, uint64_t addr, const char *where, const char *name,
                       stp_error_t *error) {
  uint8_t guard[GUARD];
  if (stp_device_read(d, addr, guard, sizeof guard, error) != 0) return -1;
  for (unsigned i = 0; i < GUARD; i++) {
    if (guard[i] == STP_POISON) continue;
    return stp_fail(error, STP_ERROR_DIFFERS,
                    "%s: memory %s buffer '%s' was written, at device address 0x%" PRIx64,
                    stp_device_machine(d)->name, where, name, addr + i);
  }
  return 0;
}

static int run(stp_device_t *d, const stp_kernel_t *kernel, const stp_images_t *in,
               stp_images_t *out, const uint64_t *base, const stp_launch_options_t *options,
               stp_launch_t *result, stp_error_t *error) {
  uint8_t guard[GUARD];
  uint64_t addrs[STP_ARGS];
  memset(guard, STP_POISON, sizeof guard);
  for (unsigned i = 0; i < in->count; i++) {
    const uint64_t bytes = stp_kernel_buffer(kernel, i).bytes;
    addrs[i] = base[i] + GUARD;
    if (stp_device_write(d, base[i], guard, sizeof guard, error) != 0 ||
        stp_device_write(d, addrs[i], in->data[i], (size_t)bytes, error) != 0 ||
        stp_device_write(d, addrs[i] + bytes, guard, sizeof guard, error) != 0) {
      return -1;
    }
  }
  if (stp_device_launch(d, kernel, addrs, options, result, error) != 0) return -1;
  if (result->status != STP_JOB_OK) return 0;
  for (unsigned i = 0; i < in->count; i++) {
    const stp_buffer_info_t b = stp_kernel_buffer(kernel, i);
    if (check_guard(d, base[i], "before", b.name, error) != 0 ||
        check_guard(d, addrs[i] + b.bytes, "after", b.name, error) != 0 ||
        stp_device_read(d, addrs[i], out->data[i], (size_t)b.bytes, error) != 0) {
      return -1;
    }
  }
  return 0;
}

int stp_execute(stp_device_t *d, const stp_kernel_t *kernel, const stp_images_t *in,
                stp_images_t *out, const stp_launch_options_t *options, stp_launch_t *result,
                stp_error_t *error) {
  uint64_t base[STP_ARGS];
  unsigned n = 0;
  int status = 0;
  for (; status == 0 && n < in->count; n++) {
    const uint64_t bytes = stp_kernel_buffer(kernel, n).bytes;
    status = stp_device_alloc(d, bytes + 2 * GUARD, &base[n], error);
    if (status != 0) break;
  }
  if (status == 0) status = run(d, kernel, in, out, base, options, result, error);
  while (n > 0) stp_device_free(d, base[--n]);
  return status;
}

int stp_images_compare(const stp_kernel_t *kernel, const char *a_name, const stp_images_t *a,
                       const char *b_name, const stp_images_t *b, stp_error_t *error) {
  for (unsigned i = 0; i < a->count; i++) {
    const stp_buffer_info_t info = stp_kernel_buffer(kernel, i);
    const unsigned size = info.elem_bytes;
    if (memcmp(a->data[i], b->data[i], (size_t)info.bytes) == 0) continue;
    uint64_t first = 0, differ = 0;
    const uint64_t count = info.bytes / size;
    for (uint64_t k = count; k-- > 0;) {
      if (memcmp(a->data[i] + k * size, b->data[i] + k * size, size) == 0) continue;
      first = k;
      differ++;
    }
    uint64_t x = 0, y = 0;
    for (unsigned k = 0; k < size; k++) {
      x |= (uint64_t)a->data[i][first * size + k] << (8 * k);
      y |= (uint64_t)b->data[i][first * size + k] << (8 * k);
    }
    return stp_fail(
        error, STP_ERROR_DIFFERS,
        "buffer '%s' differs in %" PRIu64 " of %" PRIu64 " elements, first in number %" PRIu64
        ": %s has 0x%0*" PRIx64 ", %s has 0x%0*" PRIx64,
        info.name, differ, count, first, a_name, (int)(2 * size), x, b_name, (int)(2 * size), y);
  }
  return 0;
}

/* ---- what became of a job ---------------------------------------------------------------- */

static void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t size, const char *format, ...) {
  const size_t at = strlen(text);
  va_list args;
  va_start(args, format);
  if (at < size) vsnprintf(text + at, size - at, format, args);
  va_end(args);
}

/* " (file:line:col)" of an instruction, if it is known. */
static void add_line(const stp_job_t *job, unsigned unit, unsigned pc, char *text, size_t size) {
  const stp_job_line_t *l = stp_job_find_line(job, unit, pc);
  if (l != NULL) add(text, size, " (%s:%" PRIu32 ":%" PRIu32 ")", job->file, l->line, l->col);
}

static const char *unit_name(unsigned unit) {
  return unit < STP_UNITS ? stp_unit_names[unit] : "?";
}

/* "; UNIT WHAT at pc N (file:line:col)" for the units of a mask. */
static void add_units(const stp_job_t *job, const stp_launch_t *r, uint32_t mask, const char *what,
                      char *text, size_t size) {
  const unsigned core = r->core < STP_MAX_CORES ? r->core : 0;
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if ((mask >> u & 1) == 0) continue;
    const unsigned pc = (unsigned)(r->counters[core][u][STP_STAT_STATE] >> 16) & 0xffff;
    add(text, size, "; %s %s at pc %u", unit_name(u), what, pc);
    add_line(job, u, pc, text, size);
  }
}

static void add_trap(const stp_job_t *job, const stp_launch_t *r, char *text, size_t size) {
  add(text, size, "trap: %s in core %" PRIu32 ", unit %s, pc %" PRIu32,
      r->cause < STP_CAUSES ? stp_cause_names[r->cause] : "?", r->core, unit_name(r->unit), r->pc);
  add_line(job, r->unit, r->pc, text, size);
  add(text, size, ", address or value 0x%" PRIx64, r->addr);
}

void stp_launch_describe(const stp_kernel_t *kernel, const stp_launch_t *r, char *text,
                         size_t size) {
  const stp_job_t *job = kernel->job;
  text[0] = '\0';
  switch (r->status) {
  case STP_JOB_OK:
    add(text, size, "the job is done");
    return;
  case STP_JOB_TRAP:
    add_trap(job, r, text, size);
    return;
  case STP_JOB_DEADLOCK:
    add(text, size, "deadlock: no unit can move");
    add_units(job, r, r->blocked, "is blocked", text, size);
    return;
  case STP_JOB_WATCHDOG:
    add(text, size, "watchdog: the job ran longer than its limit");
    if (r->cause != STP_CAUSE_NONE) {
      add(text, size, "; ");
      add_trap(job, r, text, size);
    }
    add_units(job, r, r->running, "was", text, size);
    return;
  case STP_JOB_LEFTOVER:
    add(text, size, "all units have halted, but sticks or tokens are left over");
    return;
  case STP_JOB_BUS_ERROR:
    add(text, size, "the memory answered with an error while the job was loaded");
    return;
  case STP_JOB_BAD_DESCRIPTOR:
    add(text, size, "the firmware refused the job: its console says which field is wrong");
    return;
  default:
    add(text, size, "job status %" PRIu32 ", which is none", r->status);
  }
}

/* ---- sticks ------------------------------------------------------------------------------ */

typedef struct stick {
  uint64_t hash;
  int32_t pc;
} stick_t;

typedef struct stream {
  stick_t *sticks;
  size_t count, room;
} stream_t;

struct stp_stick_log {
  stream_t streams[STP_MAX_CORES][STP_UNITS];
};

typedef struct shot {
  bool taken;
  uint8_t data[STP_STICK_BYTES], strb[STP_STICK_BYTES / 8];
  uint64_t addr, cycle;
  int pc;
} shot_t;

struct stp_stick_check {
  const stp_stick_log_t *log;
  size_t at[STP_MAX_CORES][STP_UNITS];
  uint64_t compared;
  bool failed;
  unsigned core, unit;
  size_t index;
  shot_t shot; /* the stick that differs */
};

static uint64_t hash_stick(const struct stp_tap *t) {
  uint64_t h = t->addr * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < STP_STICK_BYTES / 8; i++) {
    uint64_t w, mask = 0;
    memcpy(&w, t->data + 8 * i, 8);
    /* Byte i of memory is the strobe's bit i, whatever the host's byte order. */
    uint8_t m[8];
    for (unsigned k = 0; k < 8; k++) m[k] = t->strb[i] >> k & 1 ? 0xff : 0;
    memcpy(&mask, m, 8);
    h = (h ^ (w & mask) ^ (uint64_t)t->strb[i] << 56) * 0xff51afd7ed558ccdu;
    h ^= h >> 29;
  }
  return h;
}

stp_stick_log_t *stp_stick_log_new(void) {
  return calloc(1, sizeof(stp_stick_log_t));
}

void stp_stick_log_free(stp_stick_log_t *log) {
  if (log == NULL) return;
  for (unsigned c = 0; c < STP_MAX_CORES; c++) {
    for (unsigned u = 0; u < STP_UNITS; u++) free(log->streams[c][u].sticks);
  }
  free(log);
}

uint64_t stp_stick_log_count(const stp_stick_log_t *log) {
  uint64_t n = 0;
  for (unsigned c = 0; c < STP_MAX_CORES; c++) {
    for (unsigned u = 0; u < STP_UNITS; u++) n += log->streams[c][u].count;
  }
  return n;
}

int stp_stick_log_record(void *user, const struct stp_tap *tap) {
  stp_stick_log_t *log = user;
  if (tap->core >= STP_MAX_CORES || tap->unit >= STP_UNITS) return 1;
  stream_t *s = &log->streams[tap->core][tap->unit];
  if (s->count == s->room) {
    const size_t room = s->room > 0 ? 2 * s->room : 256;
    stick_t *more = realloc(s->sticks, room * sizeof *more);
    if (more == NULL) return 1;
    s->sticks = more;
    s->room = room;
  }
  s->sticks[s->count++] = (stick_t){hash_stick(tap), tap->pc};
  return 0;
}

stp_stick_check_t *stp_stick_check_new(const stp_stick_log_t *log) {
  stp_stick_check_t *c = calloc(1, sizeof *c);
  if (c != NULL) c->log = log;
  return c;
}

void stp_stick_check_free(stp_stick_check_t *check) {
  free(check);
}

static void take_shot(shot_t *shot, const struct stp_tap *tap) {
  shot->taken = true;
  memcpy(shot->data, tap->data, sizeof shot->data);
  memcpy(shot->strb, tap->strb, sizeof shot->strb);
  shot->addr = tap->addr;
  shot->cycle = tap->cycle;
  shot->pc = tap->pc;
}

int stp_stick_check_tap(void *user, const struct stp_tap *tap) {
  stp_stick_check_t *c = user;
  if (c->failed || tap->core >= STP_MAX_CORES || tap->unit >= STP_UNITS) return 1;
  const stream_t *s = &c->log->streams[tap->core][tap->unit];
  const size_t i = c->at[tap->core][tap->unit]++;
  c->compared++;
  if (i < s->count && s->sticks[i].hash == hash_stick(tap)) return 0;
  c->failed = true;
  c->core = tap->core;
  c->unit = tap->unit;
  c->index = i;
  take_shot(&c->shot, tap);
  return 1;
}

bool stp_stick_check_failed(const stp_stick_check_t *check) {
  return check->failed;
}

uint64_t stp_stick_check_compared(const stp_stick_check_t *check) {
  return check->compared;
}

/* Takes one stick of one stream out of a run. */
typedef struct capture {
  unsigned core, unit;
  size_t index, at;
  shot_t shot;
} capture_t;

static int capture_tap(void *user, const struct stp_tap *tap) {
  capture_t *c = user;
  if (tap->core == c->core && tap->unit == c->unit && c->at++ == c->index) {
    take_shot(&c->shot, tap);
  }
  return 0;
}

static bool strobe(const shot_t *s, unsigned i) {
  return s->strb[i / 8] >> (i % 8) & 1;
}

static void add_bytes(const shot_t *s, unsigned from, unsigned count, char *text, size_t size) {
  for (unsigned i = from; i < from + count && i < STP_STICK_BYTES; i++) {
    if (strobe(s, i)) {
      add(text, size, " %02x", s->data[i]);
    } else {
      add(text, size, " --");
    }
  }
}

static void add_difference(const shot_t *mine, const char *name, const shot_t *other,
                           const char *other_name, char *text, size_t size) {
  if (mine->addr != other->addr) {
    add(text, size, "; address 0x%" PRIx64 " in %s, 0x%" PRIx64 " in %s", mine->addr, name,
        other->addr, other_name);
  }
  for (unsigned i = 0; i < STP_STICK_BYTES; i++) {
    if (strobe(mine, i) == strobe(other, i) &&
        (!strobe(mine, i) || mine->data[i] == other->data[i])) {
      continue;
    }
    const unsigned from = i / 8 * 8;
    add(text, size, "\n  bytes %u..%u of the stick: %s", from, from + 7, name);
    add_bytes(mine, from, 8, text, size);
    add(text, size, ", %s", other_name);
    add_bytes(other, from, 8, text, size);
    add(text, size, " (first difference in byte %u; -- is a byte that is not written)", i);
    return;
  }
}

static int missing(const stp_stick_check_t *c, const char *name, const char *other_name,
                   const stp_kernel_t *kernel, stp_error_t *error) {
  for (unsigned k = 0; k < STP_MAX_CORES; k++) {
    for (unsigned u = 0; u < STP_UNITS; u++) {
      const stream_t *s = &c->log->streams[k][u];
      const size_t n = c->at[k][u];
      if (n >= s->count) continue;
      stp_error_set(
          error, STP_ERROR_DIFFERS,
          "core %u, unit %s: %s sent %zu sticks, %s sent %zu; the first that is missing stems "
          "from pc %d",
          k, unit_name(u), name, n, other_name, s->count, (int)s->sticks[n].pc);
      if (s->sticks[n].pc >= 0) {
        add_line(kernel->job, u, (unsigned)s->sticks[n].pc, error->text, sizeof error->text);
      }
      return -1;
    }
  }
  return 0;
}

int stp_stick_check_finish(stp_stick_check_t *c, const char *name, stp_device_t *device,
                           const stp_kernel_t *kernel, const stp_images_t *in, stp_error_t *error) {
  struct stp_machine *m = stp_device_machine(device);
  if (!c->failed) return missing(c, name, m->name, kernel, error);

  const stream_t *s = &c->log->streams[c->core][c->unit];
  const bool extra = c->index >= s->count;
  const int pc = extra ? c->shot.pc : (int)s->sticks[c->index].pc;
  stp_error_set(error, STP_ERROR_DIFFERS,
                "%s and %s differ: core %u, unit %s, stick %zu of its stream", name, m->name,
                c->core, unit_name(c->unit), c->index);
  char *text = error->text;
  const size_t size = sizeof error->text;
  if (pc >= 0) {
    add(text, size, ", pc %d", pc);
    add_line(kernel->job, c->unit, (unsigned)pc, text, size);
  }
  /* A cycle takes 10 ns of a trace; its rising edge is in the middle. */
  add(text, size, ", cycle %" PRIu64 " (trace time %" PRIu64 " ns)", c->shot.cycle,
      10 * c->shot.cycle + 5);
  if (extra) {
    add(text, size, "; %s sends only %zu sticks", m->name, s->count);
    return -1;
  }

  capture_t capture = {.core = c->core, .unit = c->unit, .index = c->index};
  stp_images_t out;
  stp_launch_t again;
  stp_error_t ignored;
  if (stp_images_new(kernel, &out, &ignored) != 0) return -1;
  m->ops->set_tap(m, capture_tap, &capture);
  stp_execute(device, kernel, in, &out, NULL, &again, &ignored);
  m->ops->set_tap(m, NULL, NULL);
  stp_images_free(&out);
  if (capture.shot.taken) {
    add_difference(&c->shot, name, &capture.shot, m->name, text, size);
  }
  return -1;
}
