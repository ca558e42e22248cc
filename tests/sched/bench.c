/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "core.h"
#include "numerics.h"

bool bench_try(bench_t *b, const char *name, const char *text, int arg, int64_t value,
               bool dynamic) {
  memset(b, 0, sizeof *b);
  size_t len = strlen(text);
  b->text = malloc(len + 1);
  memcpy(b->text, text, len + 1);
  stp_diags_init(&b->diags, name, b->text, len);
  b->module = stp_ktir_read(name, b->text, len, &b->diags);
  if (!b->module) return false;
  stp_ir_func_t *func = stp_ir_func_find(b->module, NULL);
  if (!func) return false;
  bool bound[BENCH_ARGS] = {false}, keep[BENCH_ARGS] = {false};
  int64_t values[BENCH_ARGS] = {0};
  if (arg >= 0) {
    bound[arg] = true;
    keep[arg] = dynamic;
    values[arg] = value;
  }
  stp_bindings_t bindings = {BENCH_ARGS, bound, values};
  stp_compile_options_t options = {&bindings, keep, b->text, len};
  return stp_compile(func, &options, &b->job, &b->diags) == 0;
}

bool bench_compile_text(bench_t *b, const char *name, const char *text, int arg, int64_t value,
                        bool dynamic) {
  bool ok = bench_try(b, name, text, arg, value, dynamic);
  if (!ok) stp_diags_print(&b->diags, stderr);
  return ok;
}

bool bench_compile(bench_t *b, const char *path, int arg, int64_t value, bool dynamic) {
  memset(b, 0, sizeof *b);
  FILE *f = fopen(path, "rb");
  if (!f) {
    fprintf(stderr, "%s: cannot be read\n", path);
    return false;
  }
  char *text = calloc(1, 1 << 20);
  size_t n = fread(text, 1, (1 << 20) - 1, f);
  text[n] = 0;
  fclose(f);
  bool ok = bench_compile_text(b, path, text, arg, value, dynamic);
  free(text);
  return ok;
}

enum { GUARD = 4096 };

void bench_place(bench_t *b, unsigned skew) {
  size_t at = GUARD;
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    b->base[i] = at + skew;
    at += (b->job->buffers[i].bytes + skew + GUARD + 127) / 128 * 128;
  }
  free(b->memory);
  b->memory_size = at;
  b->memory = malloc(at);
  memset(b->memory, BENCH_POISON, at);
}

uint8_t *bench_buffer(bench_t *b, unsigned buffer) {
  return b->memory + b->base[buffer];
}

void bench_random(bench_t *b, unsigned buffer, uint32_t seed, double scale) {
  const stp_job_buffer_t *buf = &b->job->buffers[buffer];
  unsigned bytes = stp_job_elem_bytes(buf->elem);
  unsigned fmt = buf->elem == STP_JOB_ELEM_F16    ? STP_FMT_F16
                 : buf->elem == STP_JOB_ELEM_BF16 ? STP_FMT_BF16
                                                  : STP_FMT_F32;
  uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
  uint8_t *p = bench_buffer(b, buffer);
  for (uint64_t i = 0; i < buf->bytes / bytes; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    uint32_t v =
        stp_num_from_double(fmt, ((double)(x >> 11) / 9007199254740992.0 - 0.5) * 2 * scale);
    memcpy(p + i * bytes, &v, bytes); /* little-endian host, as everywhere in these tests */
  }
}

static int mem_read(void *user, uint64_t addr, void *buf, size_t n) {
  bench_t *b = user;
  if (addr > b->memory_size || n > b->memory_size - addr) return -1;
  memcpy(buf, b->memory + addr, n);
  b->dram_reads += n;
  return 0;
}

static int mem_write(void *user, uint64_t addr, const void *buf, size_t n) {
  bench_t *b = user;
  if (addr > b->memory_size || n > b->memory_size - addr) return -1;
  memcpy(b->memory + addr, buf, n);
  b->dram_writes += n;
  return 0;
}

static bool run_core(bench_t *b, unsigned core, unsigned cores) {
  stp_core_io_t io = {b, mem_read, mem_write};
  stp_core_t *c = stp_core_create(core, cores, &io);
  stp_core_clear(c);
  uint16_t mask = stp_job_unit_mask(b->job);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const stp_job_program_t *p = &b->job->programs[u];
    for (uint32_t i = 0; i < p->count; i += 4) {
      uint64_t row[4] = {0};
      for (uint32_t k = 0; k < 4 && i + k < p->count; k++) row[k] = p->words[i + k];
      stp_core_load_program(c, 1u << u, i / 4, row);
    }
  }
  uint64_t args[STP_ARGS] = {0};
  for (uint32_t i = 0; i < b->job->num_buffers; i++) args[b->job->buffers[i].arg] = b->base[i];
  for (uint32_t i = 0; i < b->job->num_scalars; i++) {
    if (b->job->scalars[i].arg >= 0)
      args[b->job->scalars[i].arg] = (uint64_t)b->job->scalars[i].value;
  }
  for (unsigned r = 0; r < STP_ARGS / 4; r++) stp_core_load_args(c, mask, r, args + 4 * r);
  stp_core_start(c, mask);
  while (stp_core_run(c, 1000000) != 0) continue;
  stp_core_state_t s;
  stp_core_get_state(c, &s);
  bool ok = s.stopped && !s.running && !s.trapped && !s.leftover_fifo && !s.leftover_token;
  for (unsigned u = 0; u < STP_UNITS; u++) {
    uint8_t stick[128];
    uint64_t w[16];
    stp_core_status(c, u, stick);
    memcpy(w, stick, sizeof w);
    b->unit_work[u] += w[STP_STAT_ITEMS];
    b->macs += w[STP_STAT_MACS];
    if (s.trapped >> u & 1) b->cause = (unsigned)w[STP_STAT_STATE] & 0xff;
    if (ok || b->quiet) continue;
    char text[100] = "";
    unsigned pc = w[STP_STAT_STATE] >> 16 & 0xffff;
    if (pc < b->job->programs[u].count) {
      stp_disasm(b->job->programs[u].words[pc], stp_unit_kind(u), text, sizeof text);
    }
    fprintf(stderr, "core %u %-7s state 0x%03x cause %u addr 0x%" PRIx64 " pc %u: %s\n", core,
            stp_unit_names[u], (unsigned)w[STP_STAT_STATE] & 0xfff,
            (unsigned)w[STP_STAT_STATE] & 0xff, w[STP_STAT_TRAP_ADDR], pc, text);
  }
  if (!ok && !b->quiet) {
    fprintf(stderr, "running 0x%x trapped 0x%x deadlock %d leftover sticks %d tokens %d\n",
            s.running, s.trapped, s.deadlock, s.leftover_fifo, s.leftover_token);
  }
  stp_core_destroy(c);
  return ok;
}

bool bench_run(bench_t *b, unsigned cores) {
  uint8_t *before = malloc(b->memory_size);
  memcpy(before, b->memory, b->memory_size);
  b->macs = b->dram_reads = b->dram_writes = 0;
  b->cause = 0;
  memset(b->unit_work, 0, sizeof b->unit_work);
  bool ok = true;
  for (unsigned c = 0; c < cores && ok; c++) ok = run_core(b, c, cores);
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    const stp_job_buffer_t *buf = &b->job->buffers[i];
    if (buf->dir & STP_JOB_WRITTEN) memcpy(before + b->base[i], b->memory + b->base[i], buf->bytes);
  }
  for (size_t i = 0; ok && i < b->memory_size; i++) {
    if (before[i] == b->memory[i]) continue;
    fprintf(stderr, "byte 0x%zx outside the outputs was written\n", i);
    ok = false;
  }
  free(before);
  return ok;
}

void bench_close(bench_t *b) {
  stp_job_free(b->job);
  if (b->module) stp_ir_module_free(b->module);
  stp_diags_free(&b->diags);
  free(b->memory);
  free(b->text);
  memset(b, 0, sizeof *b);
}

void bench_dump(const bench_t *b) {
  char text[128];
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const stp_job_program_t *p = &b->job->programs[u];
    printf("%s: %u instructions\n", stp_unit_names[u], p->count);
    for (uint32_t i = 0; i < p->count; i++) {
      const stp_job_line_t *l = stp_job_find_line(b->job, u, i);
      stp_disasm(p->words[i], stp_unit_kind(u), text, sizeof text);
      printf("  %4u  %-40s %u\n", i, text, l ? l->line : 0);
    }
  }
}
