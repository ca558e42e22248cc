/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Job files. The layout is described in docs/jobfile.md: a header, a table of sections, then the
 * sections. All numbers are little-endian. Reading trusts nothing: a cursor checks every length,
 * and values are checked against their bounds.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

#define MAGIC "STPJOB\r\n"
enum {
  FORMAT_VERSION = 1,
  HEADER_BYTES = 24,
  ENTRY_BYTES = 16,
  MAX_STRING = 4096,
  MAX_TABLE = 65536,
};

typedef enum { SEC_META, SEC_BUFS, SEC_SCAL, SEC_PROG, SEC_LINE, SEC_COUNT } section_t;
static const char section_tags[SEC_COUNT][5] = {"META", "BUFS", "SCAL", "PROG", "LINE"};

/* ---- writing ----------------------------------------------------------------------------- */

typedef struct writer {
  uint8_t *data;
  size_t len, capacity;
  bool failed;
} writer_t;

static void put(writer_t *w, uint64_t value, int bytes) {
  if (w->len + 8 > w->capacity) {
    size_t capacity = w->capacity ? w->capacity * 2 : 1024;
    uint8_t *p = w->failed ? NULL : realloc(w->data, capacity);
    if (!p) {
      w->failed = true;
      return;
    }
    w->data = p;
    w->capacity = capacity;
  }
  for (int i = 0; i < bytes; i++) w->data[w->len++] = (uint8_t)(value >> 8 * i);
}

static void put_string(writer_t *w, const char *s) {
  size_t n = strlen(s);
  if (n > MAX_STRING) n = MAX_STRING;
  put(w, n, 2);
  for (size_t i = 0; i < n; i++) put(w, (uint8_t)s[i], 1);
}

static void patch(writer_t *w, size_t at, uint64_t value, int bytes) {
  if (w->failed) return;
  for (int i = 0; i < bytes; i++) w->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static void put_meta(writer_t *w, const stp_job_t *job) {
  put(w, job->text_hash, 8);
  put(w, job->tiles, 8);
  put(w, job->compulsory_bytes, 8);
  put(w, job->macs, 8);
  put(w, job->num_args, 4);
  put(w, job->lx_bytes, 4);
  put(w, job->grid_rank, 4);
  for (unsigned i = 0; i < job->grid_rank; i++) put(w, job->grid[i], 8);
  put_string(w, job->kernel);
  put_string(w, job->file);
  put_string(w, job->options);
}

static void put_buffers(writer_t *w, const stp_job_t *job) {
  put(w, job->num_buffers, 4);
  for (uint32_t i = 0; i < job->num_buffers; i++) {
    const stp_job_buffer_t *b = &job->buffers[i];
    put(w, (uint32_t)b->arg, 4);
    put(w, (uint32_t)b->position, 4);
    put(w, b->bytes, 8);
    put(w, b->elem, 1);
    put(w, b->dir, 1);
    put(w, b->rank, 1);
    put(w, 0, 1);
    for (unsigned d = 0; d < b->rank; d++) put(w, b->dims[d], 8);
    put_string(w, b->name);
  }
}

static void put_scalars(writer_t *w, const stp_job_t *job) {
  put(w, job->num_scalars, 4);
  for (uint32_t i = 0; i < job->num_scalars; i++) {
    const stp_job_scalar_t *s = &job->scalars[i];
    put(w, (uint32_t)s->arg, 4);
    put(w, (uint32_t)s->position, 4);
    put(w, (uint64_t)s->value, 8);
    put(w, s->elem, 4);
    put_string(w, s->name);
  }
}

static void put_programs(writer_t *w, const stp_job_t *job) {
  /* A program that equals an earlier unit's names that unit instead of repeating its words. */
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const stp_job_program_t *p = &job->programs[u];
    unsigned same = 0;
    while (same < u &&
           (!p->count || job->programs[same].count != p->count ||
            memcmp(job->programs[same].words, p->words, p->count * sizeof *p->words) != 0)) {
      same++;
    }
    put(w, p->count, 4);
    put(w, same, 4);
    for (uint32_t i = 0; same == u && i < p->count; i++) put(w, p->words[i], 8);
  }
}

static void put_lines(writer_t *w, const stp_job_t *job) {
  put(w, job->num_lines, 4);
  for (uint32_t i = 0; i < job->num_lines; i++) {
    const stp_job_line_t *l = &job->lines[i];
    put(w, l->unit, 2);
    put(w, l->pc, 2);
    put(w, l->count, 2);
    put(w, 0, 2);
    put(w, l->line, 4);
    put(w, l->col, 4);
  }
}

int stp_job_save(const stp_job_t *job, uint8_t **data, size_t *len, char *err, size_t err_size) {
  static void (*const writers[SEC_COUNT])(writer_t *, const stp_job_t *) = {
      [SEC_META] = put_meta,     [SEC_BUFS] = put_buffers, [SEC_SCAL] = put_scalars,
      [SEC_PROG] = put_programs, [SEC_LINE] = put_lines,
  };
  writer_t w = {0};
  for (int i = 0; i < 8; i++) put(&w, (uint8_t)MAGIC[i], 1);
  put(&w, FORMAT_VERSION, 4);
  put(&w, job->contract, 4);
  put(&w, SEC_COUNT, 4);
  put(&w, 0, 4);
  size_t table = w.len;
  for (int s = 0; s < SEC_COUNT; s++) {
    for (int i = 0; i < 4; i++) put(&w, (uint8_t)section_tags[s][i], 1);
    put(&w, 0, 4);
    put(&w, 0, 8);
  }
  for (int s = 0; s < SEC_COUNT; s++) {
    while (w.len % 8 && !w.failed) put(&w, 0, 1);
    size_t start = w.len;
    writers[s](&w, job);
    patch(&w, table + (size_t)s * ENTRY_BYTES + 4, start, 4);
    patch(&w, table + (size_t)s * ENTRY_BYTES + 8, w.len - start, 8);
  }
  patch(&w, HEADER_BYTES - 4, w.len, 4);
  if (w.failed) {
    free(w.data);
    snprintf(err, err_size, "out of memory");
    return -1;
  }
  *data = w.data;
  *len = w.len;
  return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct reader {
  const uint8_t *data;
  size_t at, end;
  const char *section;
  char *err;
  size_t err_size;
  bool failed;
} reader_t;

static void fail(reader_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(reader_t *r, const char *format, ...) {
  if (r->failed) return;
  r->failed = true;
  int n = snprintf(r->err, r->err_size, "job file, %s, byte %zu: ", r->section, r->at);
  va_list args;
  va_start(args, format);
  if (n >= 0 && (size_t)n < r->err_size)
    vsnprintf(r->err + n, r->err_size - (size_t)n, format, args);
  va_end(args);
}

static uint64_t get(reader_t *r, int bytes) {
  if (r->failed) return 0;
  if (r->end - r->at < (size_t)bytes) {
    fail(r, "ends within a number of %d bytes", bytes);
    return 0;
  }
  uint64_t v = 0;
  for (int i = 0; i < bytes; i++) v |= (uint64_t)r->data[r->at++] << 8 * i;
  return v;
}

/* A number that must be at most `max`. */
static uint64_t get_max(reader_t *r, int bytes, uint64_t max, const char *what) {
  uint64_t v = get(r, bytes);
  if (!r->failed && v > max) {
    r->at -= (size_t)bytes;
    fail(r, "%s is %llu, at most %llu is possible", what, (unsigned long long)v,
         (unsigned long long)max);
    return 0;
  }
  return v;
}

/* An argument number, or -1. */
static int32_t get_arg(reader_t *r, uint32_t limit, bool optional, const char *what) {
  uint64_t v = get(r, 4);
  if (r->failed) return -1;
  if (optional && v == 0xffffffffu) return -1;
  if (v >= limit) {
    r->at -= 4;
    fail(r, "%s is %llu, but there are %u", what, (unsigned long long)v, limit);
    return -1;
  }
  return (int32_t)v;
}

static void get_zero(reader_t *r, int bytes) {
  (void)get_max(r, bytes, 0, "a reserved field");
}

static void get_string(reader_t *r, char **out) {
  size_t n = (size_t)get_max(r, 2, MAX_STRING, "the length of a string");
  if (r->failed) return;
  if (r->end - r->at < n) {
    fail(r, "ends within a string of %zu bytes", n);
    return;
  }
  if (memchr(r->data + r->at, 0, n)) {
    fail(r, "a string holds a zero byte");
    return;
  }
  char *s = malloc(n + 1);
  if (!s) {
    fail(r, "out of memory");
    return;
  }
  memcpy(s, r->data + r->at, n);
  s[n] = 0;
  r->at += n;
  free(*out);
  *out = s;
}

static void get_meta(reader_t *r, stp_job_t *job) {
  job->text_hash = get(r, 8);
  job->tiles = get(r, 8);
  job->compulsory_bytes = get(r, 8);
  job->macs = get(r, 8);
  job->num_args = (uint32_t)get_max(r, 4, STP_ARGS, "the number of job arguments");
  job->lx_bytes = (uint32_t)get_max(r, 4, STP_LX_BYTES, "the LX size");
  job->grid_rank = (uint32_t)get_max(r, 4, STP_JOB_MAX_RANK, "the rank of the grid");
  uint64_t tiles = 1;
  for (unsigned i = 0; i < job->grid_rank; i++) {
    job->grid[i] = get_max(r, 8, INT32_MAX, "a grid size");
    if (__builtin_mul_overflow(tiles, job->grid[i], &tiles)) fail(r, "the grid has too many tiles");
  }
  if (!r->failed && tiles != job->tiles) {
    fail(r, "%llu tiles do not match the grid's %llu", (unsigned long long)job->tiles,
         (unsigned long long)tiles);
  }
  get_string(r, &job->kernel);
  get_string(r, &job->file);
  get_string(r, &job->options);
}

static void get_buffers(reader_t *r, stp_job_t *job) {
  uint32_t n = (uint32_t)get_max(r, 4, STP_ARGS, "the number of buffers");
  for (uint32_t i = 0; i < n && !r->failed; i++) {
    stp_job_buffer_t b = {0};
    b.arg = get_arg(r, job->num_args, false, "a buffer's job argument");
    b.position = get_arg(r, MAX_TABLE, true, "a buffer's position");
    b.bytes = get_max(r, 8, (uint64_t)1 << STP_ADDR_BITS, "a buffer's extent");
    b.elem = (stp_job_elem_t)get_max(r, 1, STP_JOB_ELEM_COUNT - 1, "an element type");
    b.dir = (unsigned)get_max(r, 1, STP_JOB_READ | STP_JOB_WRITTEN, "a direction");
    b.rank = (unsigned)get_max(r, 1, STP_JOB_MAX_RANK, "a rank");
    get_zero(r, 1);
    uint64_t bytes = stp_job_elem_bytes(b.elem);
    if (!r->failed && !bytes) fail(r, "a buffer has no element type");
    for (unsigned d = 0; d < b.rank && !r->failed; d++) {
      b.dims[d] = get(r, 8);
      if (__builtin_mul_overflow(bytes, b.dims[d], &bytes))
        fail(r, "a buffer's shape is too large");
    }
    if (!r->failed && bytes > b.bytes) {
      fail(r, "a shape of %llu bytes exceeds its extent of %llu", (unsigned long long)bytes,
           (unsigned long long)b.bytes);
    }
    get_string(r, &b.name);
    if (!r->failed && stp_job_add_buffer(job, &b)) fail(r, "out of memory");
    free(b.name);
  }
}

static void get_scalars(reader_t *r, stp_job_t *job) {
  uint32_t n = (uint32_t)get_max(r, 4, MAX_TABLE, "the number of scalars");
  for (uint32_t i = 0; i < n && !r->failed; i++) {
    stp_job_scalar_t s = {0};
    s.arg = get_arg(r, job->num_args, true, "a scalar's job argument");
    s.position = get_arg(r, MAX_TABLE, false, "a scalar's position");
    s.value = (int64_t)get(r, 8);
    s.elem = (stp_job_elem_t)get_max(r, 4, STP_JOB_ELEM_COUNT - 1, "an element type");
    get_string(r, &s.name);
    if (!r->failed && stp_job_add_scalar(job, &s)) fail(r, "out of memory");
    free(s.name);
  }
}

static void get_programs(reader_t *r, stp_job_t *job) {
  for (unsigned u = 0; u < STP_UNITS && !r->failed; u++) {
    uint32_t n = (uint32_t)get_max(r, 4, STP_PROG_WORDS, "the length of a program");
    unsigned same = (unsigned)get_max(r, 4, u, "the unit that shares a program");
    if (r->failed || !n) continue;
    int rc;
    if (same < u) {
      if (job->programs[same].count != n) {
        fail(r, "unit %u shares a program of unit %u, which is not as long", u, same);
        return;
      }
      rc = stp_job_set_program(job, u, job->programs[same].words, n);
    } else {
      if ((r->end - r->at) / 8 < n) {
        fail(r, "ends within a program of %u instructions", n);
        return;
      }
      uint64_t words[STP_PROG_WORDS];
      for (uint32_t i = 0; i < n; i++) words[i] = get(r, 8);
      rc = stp_job_set_program(job, u, words, n);
    }
    if (rc) fail(r, "out of memory");
  }
}

static void get_lines(reader_t *r, stp_job_t *job) {
  uint32_t n = (uint32_t)get_max(r, 4, MAX_TABLE, "the number of lines");
  for (uint32_t i = 0; i < n && !r->failed; i++) {
    stp_job_line_t l = {0};
    l.unit = (uint16_t)get_max(r, 2, STP_UNITS - 1, "a unit");
    l.pc = (uint16_t)get_max(r, 2, STP_PROG_WORDS - 1, "a program counter");
    l.count = (uint16_t)get_max(r, 2, STP_PROG_WORDS, "a count of instructions");
    get_zero(r, 2);
    l.line = (uint32_t)get(r, 4);
    l.col = (uint32_t)get(r, 4);
    if (!r->failed && l.pc + l.count > (int)job->programs[l.unit].count) {
      fail(r, "instructions %u .. %u are outside unit %u's program", l.pc, l.pc + l.count, l.unit);
    }
    if (!r->failed && stp_job_add_line(job, &l)) fail(r, "out of memory");
  }
}

int stp_job_load(const uint8_t *data, size_t len, stp_job_t **out, char *err, size_t err_size) {
  static void (*const readers[SEC_COUNT])(reader_t *, stp_job_t *) = {
      [SEC_META] = get_meta,     [SEC_BUFS] = get_buffers, [SEC_SCAL] = get_scalars,
      [SEC_PROG] = get_programs, [SEC_LINE] = get_lines,
  };
  reader_t r = {.data = data, .end = len, .section = "header", .err = err, .err_size = err_size};
  if (err_size) err[0] = 0;
  if (len < HEADER_BYTES || memcmp(data, MAGIC, 8) != 0) {
    snprintf(err, err_size, "not a job file");
    return -1;
  }
  r.at = 8;
  uint64_t version = get(&r, 4);
  if (version != FORMAT_VERSION) {
    snprintf(err, err_size, "job file of format %llu; this program reads format %d",
             (unsigned long long)version, FORMAT_VERSION);
    return -1;
  }
  uint32_t contract = (uint32_t)get(&r, 4);
  uint64_t sections = get(&r, 4), total = get(&r, 4);
  if (total != len)
    fail(&r, "the file has %zu bytes, its header says %llu", len, (unsigned long long)total);
  if (sections != SEC_COUNT)
    fail(&r, "%llu sections, expected %d", (unsigned long long)sections, SEC_COUNT);

  stp_job_t *job = stp_job_new();
  if (!job) fail(&r, "out of memory");
  if (job) job->contract = contract;
  for (int s = 0; s < SEC_COUNT && job && !r.failed; s++) {
    r.section = "section table";
    r.at = HEADER_BYTES + (size_t)s * ENTRY_BYTES;
    r.end = len;
    if (len - HEADER_BYTES < (size_t)(s + 1) * ENTRY_BYTES) {
      fail(&r, "ends within the section table");
      break;
    }
    if (memcmp(data + r.at, section_tags[s], 4) != 0)
      fail(&r, "expected section %s", section_tags[s]);
    r.at += 4;
    uint64_t start = get(&r, 4), size = get(&r, 8);
    if (!r.failed && (start > len || size > len - start)) {
      fail(&r, "section %s lies outside the file", section_tags[s]);
    }
    if (r.failed) break;
    r.section = section_tags[s];
    r.at = (size_t)start;
    r.end = (size_t)(start + size);
    readers[s](&r, job);
    if (!r.failed && r.at != r.end) fail(&r, "%zu bytes too many", r.end - r.at);
  }
  if (r.failed) {
    stp_job_free(job);
    return -1;
  }
  *out = job;
  return 0;
}
