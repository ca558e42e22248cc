/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  unsigned bytes;
} elems[STP_JOB_ELEM_COUNT] = {
    {"none", 0}, {"i1", 1},   {"i8", 1},  {"i16", 2},      {"i32", 4},    {"i64", 8},  {"index", 8},
    {"f16", 2},  {"bf16", 2}, {"f32", 4}, {"f8E4M3FN", 1}, {"f8E5M2", 1}, {"dl16", 2},
};

const char *stp_job_elem_name(stp_job_elem_t elem) {
  return (unsigned)elem < STP_JOB_ELEM_COUNT ? elems[elem].name : "?";
}

unsigned stp_job_elem_bytes(stp_job_elem_t elem) {
  return (unsigned)elem < STP_JOB_ELEM_COUNT ? elems[elem].bytes : 0;
}

static char *copy_string(const char *text) {
  size_t n = strlen(text) + 1;
  char *s = malloc(n);
  if (s) memcpy(s, text, n);
  return s;
}

stp_job_t *stp_job_new(void) {
  stp_job_t *job = calloc(1, sizeof *job);
  if (!job) return NULL;
  job->contract = STP_CONTRACT_VERSION;
  job->kernel = copy_string("");
  job->file = copy_string("");
  job->options = copy_string("");
  if (!job->kernel || !job->file || !job->options) {
    stp_job_free(job);
    return NULL;
  }
  return job;
}

void stp_job_free(stp_job_t *job) {
  if (!job) return;
  for (uint32_t i = 0; i < job->num_buffers; i++) free(job->buffers[i].name);
  for (uint32_t i = 0; i < job->num_scalars; i++) free(job->scalars[i].name);
  for (unsigned u = 0; u < STP_UNITS; u++) free(job->programs[u].words);
  free(job->buffers);
  free(job->scalars);
  free(job->lines);
  free(job->kernel);
  free(job->file);
  free(job->options);
  free(job);
}

uint64_t stp_job_hash(const void *data, size_t len) {
  const uint8_t *p = data;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < len; i++) h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

int stp_job_set_string(char **field, const char *text) {
  char *s = copy_string(text);
  if (!s) return -1;
  free(*field);
  *field = s;
  return 0;
}

int stp_job_set_program(stp_job_t *job, unsigned unit, const uint64_t *words, uint32_t count) {
  uint64_t *copy = NULL;
  if (count) {
    copy = malloc(count * sizeof *copy);
    if (!copy) return -1;
    memcpy(copy, words, count * sizeof *copy);
  }
  free(job->programs[unit].words);
  job->programs[unit].words = copy;
  job->programs[unit].count = count;
  return 0;
}

/* Make room for one more entry: tables grow at powers of two. */
static int grow(void **table, uint32_t count, size_t size) {
  if (count & (count - 1)) return 0;
  size_t capacity = count ? (size_t)count * 2 : 1;
  void *p = realloc(*table, capacity * size);
  if (!p) return -1;
  *table = p;
  return 0;
}

int stp_job_add_buffer(stp_job_t *job, const stp_job_buffer_t *buffer) {
  void *table = job->buffers;
  if (grow(&table, job->num_buffers, sizeof *buffer)) return -1;
  job->buffers = table;
  stp_job_buffer_t *b = &job->buffers[job->num_buffers];
  *b = *buffer;
  b->name = copy_string(buffer->name);
  if (!b->name) return -1;
  job->num_buffers++;
  return 0;
}

int stp_job_add_scalar(stp_job_t *job, const stp_job_scalar_t *scalar) {
  void *table = job->scalars;
  if (grow(&table, job->num_scalars, sizeof *scalar)) return -1;
  job->scalars = table;
  stp_job_scalar_t *s = &job->scalars[job->num_scalars];
  *s = *scalar;
  s->name = copy_string(scalar->name);
  if (!s->name) return -1;
  job->num_scalars++;
  return 0;
}

int stp_job_add_line(stp_job_t *job, const stp_job_line_t *line) {
  void *table = job->lines;
  if (grow(&table, job->num_lines, sizeof *line)) return -1;
  job->lines = table;
  job->lines[job->num_lines++] = *line;
  return 0;
}

uint16_t stp_job_unit_mask(const stp_job_t *job) {
  unsigned mask = 0;
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if (job->programs[u].count) mask |= 1u << u;
  }
  return (uint16_t)mask;
}

const stp_job_line_t *stp_job_find_line(const stp_job_t *job, unsigned unit, unsigned pc) {
  for (uint32_t i = 0; i < job->num_lines; i++) {
    const stp_job_line_t *l = &job->lines[i];
    if (l->unit == unit && pc >= l->pc && pc < (unsigned)l->pc + l->count) return l;
  }
  return NULL;
}

int stp_job_image(const stp_job_t *job, uint64_t **sticks, uint32_t *count,
                  struct stp_segment segments[STP_JOB_MAX_SEGMENTS]) {
  enum { WORDS = STP_STICK_BYTES / 8 };
  uint64_t *image = calloc((size_t)STP_UNITS * STP_PROG_WORDS, sizeof *image);
  if (!image) return -1;
  int num = 0;
  uint32_t used = 0;
  unsigned owner[STP_UNITS] = {0}; /* the unit whose program each segment is */
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const stp_job_program_t *p = &job->programs[u];
    if (!p->count) continue;
    int s = 0;
    while (s < num &&
           (job->programs[owner[s]].count != p->count ||
            memcmp(job->programs[owner[s]].words, p->words, p->count * sizeof *p->words) != 0)) {
      s++;
    }
    if (s == num) {
      uint32_t n = (p->count + WORDS - 1) / WORDS;
      memcpy(image + (size_t)used * WORDS, p->words, p->count * sizeof *p->words);
      owner[num] = u;
      segments[num++] = (struct stp_segment){0, (uint16_t)used, (uint16_t)n, 0};
      used += n;
    }
    segments[s].unit_mask = (uint16_t)(segments[s].unit_mask | 1u << u);
  }
  *sticks = image;
  *count = used;
  return num;
}
