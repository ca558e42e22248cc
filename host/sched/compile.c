/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a job together: plan, layout, a program per unit, and the tables that go with them. */
#include <stdlib.h>
#include <string.h>

#include "emit.h"

static bool add_lines(stp_job_t *job, const stp_asm_t *as) {
  for (uint32_t i = 0; i < as->num_lines; i++) {
    const stp_asm_line_t *l = &as->lines[i];
    uint32_t end = i + 1 < as->num_lines ? as->lines[i + 1].pc : as->count;
    stp_job_line_t line = {(uint16_t)as->unit, (uint16_t)l->pc, (uint16_t)(end - l->pc), l->line,
                           l->col};
    if (l->line && stp_job_add_line(job, &line)) return false;
  }
  return true;
}

static bool add_buffer(stp_plan_t *p, stp_job_t *job, int i) {
  const stp_kernel_buffer_t *k = &p->args.buffers[i];
  stp_job_buffer_t b = {.name = (char *)k->name,
                        .elem = (stp_job_elem_t)k->storage,
                        .arg = i,
                        .position = k->arg,
                        .rank = (unsigned)k->rank};
  b.dir = (k->loaded ? STP_JOB_READ : 0u) | (k->stored ? STP_JOB_WRITTEN : 0u);
  uint64_t bytes = stp_job_elem_bytes(b.elem);
  b.bytes = bytes * (uint64_t)k->extent;
  for (int d = 0; d < k->rank; d++) {
    b.dims[d] = (uint64_t)k->shape[d];
    bytes *= b.dims[d];
  }
  if (b.bytes < bytes) b.bytes = bytes;
  job->compulsory_bytes += bytes * ((k->loaded ? 1 : 0) + (k->stored ? 1 : 0));
  return stp_job_add_buffer(job, &b) == 0;
}

static bool fill_job(stp_plan_t *p, const stp_compile_options_t *options, stp_job_t *job) {
  stp_ir_func_t *func = p->func;
  const char *file = func->module && func->module->file ? func->module->file : "";
  if (stp_job_set_string(&job->kernel, func->name) || stp_job_set_string(&job->file, file))
    return false;
  if (options->text) job->text_hash = stp_job_hash(options->text, options->text_len);
  job->grid_rank = (unsigned)func->grid_rank;
  for (int d = 0; d < func->grid_rank; d++) job->grid[d] = (uint64_t)func->grid[d];
  job->tiles = (uint64_t)func->num_tiles;
  int64_t values[STP_ARGS] = {0};
  for (int i = 0; i < func->body->num_args; i++) {
    if (p->scalar_arg[i] >= 0 && options->bindings)
      values[p->scalar_arg[i]] = options->bindings->values[i];
  }
  job->macs = stp_plan_macs(p, values);
  job->num_args = (uint32_t)p->num_args;
  job->lx_bytes = (uint32_t)p->lx_bytes;
  for (int i = 0; i < p->args.num_buffers; i++) {
    if (!add_buffer(p, job, i)) return false;
  }
  for (int i = 0; i < p->args.num_params; i++) {
    const stp_param_t *param = &p->args.params[i];
    const stp_bindings_t *b = options->bindings;
    if (param->kind != STP_PARAM_SCALAR || !b || i >= b->count || !b->bound[i]) continue;
    stp_job_scalar_t s = {.name = (char *)param->name,
                          .elem = (stp_job_elem_t)param->elem,
                          .arg = p->scalar_arg[i],
                          .position = i,
                          .value = b->values[i]};
    if (stp_job_add_scalar(job, &s)) return false;
  }
  stp_asm_t *as = malloc(sizeof *as);
  bool ok = as != NULL, any = false;
  for (unsigned u = 0; ok && u < STP_UNITS; u++) {
    ok = stp_emit_unit(p, u, as) && stp_job_set_program(job, u, as->words, as->count) == 0 &&
         add_lines(job, as);
    any |= as->count > 0;
  }
  if (ok && !any) {
    /* A kernel that accesses nothing. The machine starts only jobs in which a unit runs. */
    stp_asm_init(as, STP_UNIT_MNI_LU);
    stp_asm_op(as, STP_OP_HALT, 0, 0, 0, 0, 0);
    ok = stp_job_set_program(job, STP_UNIT_MNI_LU, as->words, as->count) == 0;
  }
  free(as);
  return ok;
}

/* How to compile: with tiles of more bytes than this split where they can be, and with loads moved
 * out of loops; with short code. */
typedef struct way {
  int64_t large;
  bool hoist, brief;
} way_t;

/* Why a try failed, if another way might do better. */
typedef struct again {
  bool lx_full, too_long;
} again_t;

static stp_job_t *compile(stp_ir_func_t *func, const stp_compile_options_t *options, way_t way,
                          stp_diags_t *diags, again_t *again) {
  stp_arena_t arena;
  stp_arena_init(&arena);
  stp_plan_t *p = stp_arena_alloc(&arena, sizeof *p);
  p->arena = &arena;
  p->diags = diags;
  p->func = func;
  p->large = way.large;
  p->hoist = way.hoist;
  p->brief = way.brief;
  stp_job_t *job = NULL;
  bool ok = true;
  if (!func->body) ok = stp_plan_error(p, func->loc, "function '%s' has no body", func->name);
  stp_bindings_t none = {0};
  ok = ok && stp_args_analyze(func, options->bindings ? options->bindings : &none, &arena, diags,
                              &p->args);
  ok = ok && stp_build(p, options) && stp_layout(p);
  if (ok) {
    job = stp_job_new();
    ok = job && fill_job(p, options, job);
    if (!ok && !p->failed) stp_plan_error(p, func->loc, "out of memory");
  }
  *again = (again_t){p->lx_full, p->too_long};
  stp_arena_free(&arena);
  if (!ok) {
    stp_job_free(job);
    job = NULL;
  }
  return job;
}

int stp_compile(stp_ir_func_t *func, const stp_compile_options_t *options, stp_job_t **out,
                stp_diags_t *diags) {
  /* What is large depends on how many tiles there are: if they do not fit, more of them are. */
  static const way_t ways[] = {{STP_LX_BYTES / 4, true, false},
                               {STP_LX_BYTES / 4, false, false},
                               {STP_LX_BYTES / 16, false, false},
                               {STP_LX_BYTES / 64, false, false},
                               {STP_LX_BYTES / 256, false, false}};
  enum { TRIES = sizeof ways / sizeof ways[0] };
  stp_job_t *job = NULL;
  bool brief = false;
  for (int i = 0; i < TRIES;) {
    const stp_diags_t before = *diags;
    way_t way = ways[i];
    again_t again;
    way.brief = brief;
    job = compile(func, options, way, diags, &again);
    if (job) break;
    if (again.too_long && !brief)
      brief = true;
    else if (again.lx_full && i < TRIES - 1)
      i++;
    else
      break;
    diags->list.count = before.list.count;
    diags->num_errors = before.num_errors;
    diags->num_warnings = before.num_warnings;
    diags->num_groups = before.num_groups;
  }
  if (!job) return -1;
  *out = job;
  return 0;
}
