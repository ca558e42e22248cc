/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extents by execution: run the integer part of the kernel for every tile, but only the ops that a
 * view's offset, sizes and strides depend on, and the control flow around views.
 */
#include "args_internal.h"

#include <string.h>

#define MAX_STEPS 50000000           /* ops executed over all tiles */
#define MAX_BYTES ((int64_t)1 << 40) /* of the device's address space */

typedef struct {
  stp_analysis_t *a;
  stp_ival_t *env;      /* by value id */
  bool *value_used;     /* by value id: some view depends on it */
  stp_view_t **view_of; /* by result value id */
  int64_t steps;
  int64_t tile;
  bool failed;
  const stp_ir_value_t **work;
  int num_work;
  bool *body_used;     /* by the id of a block's first argument: something inside matters */
  stp_ival_t *yielded; /* scratch, as long as env */
} run_t;

/* ---- what must be executed ---------------------------------------------------------------- */

static void need(run_t *r, const stp_ir_value_t *v) {
  if (!r->value_used[v->id]) {
    r->value_used[v->id] = true;
    r->work[r->num_work++] = v;
  }
}

static void need_all(run_t *r, stp_ir_value_t *const *values, int count) {
  for (int i = 0; i < count; i++) {
    need(r, values[i]);
  }
}

static void need_bounds(run_t *r, const stp_ir_op_t *op) {
  if (op->kind == STP_OP_SCF_FOR) {
    need_all(r, op->operands, 3);
  } else if (op->kind == STP_OP_SCF_IF) {
    need(r, op->operands[0]);
  } else if (op->kind == STP_OP_SCF_PARALLEL || op->kind == STP_OP_SCF_FORALL) {
    need_all(r, op->operands, op->num_operands - op->u.parallel.num_inits);
  }
}

static void need_inputs(run_t *r, const stp_ir_value_t *v) {
  if (v->def == NULL) {
    const stp_ir_op_t *parent = v->block->parent;
    if (parent == NULL) {
      return;
    }
    need_bounds(r, parent);
    if (parent->kind == STP_OP_SCF_FOR && v->index > 0) {
      need(r, parent->u.loop.inits[v->index - 1]);
      need(r, v->block->last->operands[v->index - 1]);
    }
    return;
  }
  const stp_ir_op_t *op = v->def;
  if (op->kind == STP_OP_SCF_FOR) {
    need_bounds(r, op);
    need(r, op->u.loop.inits[v->index]);
    need(r, op->regions[0]->last->operands[v->index]);
    need(r, op->regions[0]->args[v->index + 1]);
  } else if (op->kind == STP_OP_SCF_IF) {
    need_bounds(r, op);
    for (int i = 0; i < 2; i++) {
      if (op->regions[i] != NULL) {
        need(r, op->regions[i]->last->operands[v->index]);
      }
    }
  } else if (op->num_regions == 0) {
    need_all(r, op->operands, op->num_operands);
  }
}

static void mark_used(run_t *r) {
  for (int i = 0; i < r->a->num_views; i++) {
    const stp_ir_op_t *op = r->a->views[i].op;
    need_all(r, op->operands, op->num_operands);
    need(r, op->results[0]); /* so that blocks that hold views are run */
    for (const stp_ir_op_t *p = op->block->parent; p != NULL; p = p->block->parent) {
      need_bounds(r, p);
    }
  }
  while (r->num_work > 0) {
    need_inputs(r, r->work[--r->num_work]);
  }
}

/* Does anything inside the block matter? */
static bool block_used(const run_t *r, const stp_ir_block_t *block) {
  return block->num_args == 0 || r->body_used[block->args[0]->id];
}

static void mark_bodies(run_t *r) {
  const stp_ir_block_t *body = r->a->func->body;
  for (const stp_ir_op_t *op = stp_ir_walk(body, NULL); op != NULL; op = stp_ir_walk(body, op)) {
    bool used = false;
    for (int i = 0; i < op->num_results; i++) {
      used = used || r->value_used[op->results[i]->id];
    }
    for (const stp_ir_block_t *b = op->block; used && b->parent != NULL; b = b->parent->block) {
      if (b->num_args > 0) {
        r->body_used[b->args[0]->id] = true;
      }
    }
  }
}

/* ---- execution ---------------------------------------------------------------------------- */

static const stp_ival_t unknown = {false, NULL, 0};

/* Why is this value unknown? Report the unbound argument behind it, or the value itself. */
static void explain(run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *v, const char *what) {
  const stp_ir_func_t *func = r->a->func;
  bool *seen = stp_arena_array(r->a->arena, (size_t)func->num_values, sizeof *seen);
  const stp_ir_value_t **stack =
      stp_arena_array(r->a->arena, (size_t)func->num_values + 1, sizeof(void *));
  int count = 0;
  stack[count++] = v;
  seen[v->id] = true;
  r->failed = true;
  while (count > 0) {
    const stp_ir_value_t *x = stack[--count];
    if (x->def == NULL && x->block == func->body && !r->env[x->id].known) {
      stp_diags_add(r->a->diags, STP_DIAG_ERROR, x->loc,
                    "argument '%%%s' needs a value: the %s of a '%s' depends on it", x->name, what,
                    stp_ir_op_name(op->kind));
      stp_diags_add(r->a->diags, STP_DIAG_NOTE, op->loc, "it is here");
      return;
    }
    r->num_work = 0;
    memset(r->value_used, 0, (size_t)func->num_values * sizeof *r->value_used);
    need_inputs(r, x);
    for (int i = 0; i < r->num_work; i++) {
      const stp_ir_value_t *y = r->work[i];
      if (!seen[y->id] && !r->env[y->id].known) {
        seen[y->id] = true;
        stack[count++] = y;
      }
    }
  }
  stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                "'%s' op %s '%%%s' is not known before the kernel runs", stp_ir_op_name(op->kind),
                what, v->name);
}

static bool plain(run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *v, const char *what,
                  int64_t *result) {
  stp_ival_t x = r->env[v->id];
  if (!x.known) {
    explain(r, op, v, what);
    return false;
  }
  if (x.base != NULL) {
    stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                  "'%s' op %s '%%%s' depends on the address '%%%s'", stp_ir_op_name(op->kind), what,
                  v->name, x.base->name);
    r->failed = true;
    return false;
  }
  *result = x.value;
  return true;
}

static bool dim(run_t *r, const stp_ir_op_t *op, const stp_ir_dim_t *d, const char *what,
                int64_t *result) {
  *result = d->value;
  return d->ssa == NULL || plain(r, op, d->ssa, what, result);
}

static void overflow(run_t *r, const stp_ir_op_t *op) {
  stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                "'%s' op reaches beyond what 64 bits can address", stp_ir_op_name(op->kind));
  r->failed = true;
}

/* One evaluation of a view: widen its extent. */
static void run_view(run_t *r, const stp_ir_op_t *op) {
  stp_view_t *view = r->view_of[op->results[0]->id];
  int rank = op->results[0]->type->rank;
  int64_t sizes[STP_IR_MAX_RANK], strides[STP_IR_MAX_RANK];
  stp_ival_t offset = r->env[op->u.view.offset->id];
  if (!offset.known) {
    explain(r, op, op->u.view.offset, "offset");
    return;
  }
  int64_t lo = offset.value;
  int64_t hi = offset.value;
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    if (!dim(r, op, &op->u.view.sizes[i], "size", &sizes[i]) ||
        !dim(r, op, &op->u.view.strides[i], "stride", &strides[i])) {
      return;
    }
    if (sizes[i] < 0) {
      stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                    "'%s' op size %d is %lld, it must not be negative", stp_ir_op_name(op->kind), i,
                    (long long)sizes[i]);
      r->failed = true;
      return;
    }
    empty = empty || sizes[i] == 0;
    int64_t span;
    if (sizes[i] > 0 && (__builtin_mul_overflow(sizes[i] - 1, strides[i], &span) ||
                         __builtin_add_overflow(span < 0 ? lo : hi, span, span < 0 ? &lo : &hi))) {
      overflow(r, op);
      return;
    }
  }
  if (__builtin_add_overflow(hi, 1, &hi)) {
    overflow(r, op);
    return;
  }
  if (empty) {
    lo = hi = offset.value;
  }
  if (view->times == 0) {
    view->offset = offset.value;
    view->lo = lo;
    view->hi = hi;
    memcpy(view->sizes, sizes, (size_t)rank * sizeof *sizes);
    memcpy(view->strides, strides, (size_t)rank * sizeof *strides);
  } else {
    view->varies = view->varies || offset.value != view->offset;
    view->lo = lo < view->lo ? lo : view->lo;
    view->hi = hi > view->hi ? hi : view->hi;
    for (int i = 0; i < rank; i++) {
      view->varies = view->varies || sizes[i] != view->sizes[i] || strides[i] != view->strides[i];
      view->sizes[i] = sizes[i] < view->sizes[i] ? sizes[i] : view->sizes[i];
    }
  }
  view->times += view->times < INT32_MAX;
}

static void run_block(run_t *r, const stp_ir_block_t *block);

static void copy_yield(run_t *r, const stp_ir_block_t *block, stp_ir_value_t *const *to) {
  const stp_ir_op_t *yield = block->last;
  for (int i = 0; i < yield->num_operands; i++) {
    r->yielded[i] = r->env[yield->operands[i]->id];
  }
  for (int i = 0; i < yield->num_operands; i++) {
    r->env[to[i]->id] = r->yielded[i];
  }
}

static void run_for(run_t *r, const stp_ir_op_t *op) {
  const stp_ir_block_t *body = op->regions[0];
  int64_t lb, ub, step;
  if (!block_used(r, body)) {
    bool wanted = false;
    for (int i = 0; i < op->num_results; i++) {
      wanted = wanted || r->value_used[op->results[i]->id];
    }
    if (!wanted) {
      return;
    }
  }
  if (!plain(r, op, op->u.loop.lb, "lower bound", &lb) ||
      !plain(r, op, op->u.loop.ub, "upper bound", &ub) ||
      !plain(r, op, op->u.loop.step, "step", &step)) {
    return;
  }
  if (step <= 0) {
    stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                  "'scf.for' op step must be positive, but is %lld", (long long)step);
    r->failed = true;
    return;
  }
  for (int i = 0; i < op->u.loop.num_inits; i++) {
    r->env[body->args[i + 1]->id] = r->env[op->u.loop.inits[i]->id];
  }
  for (int64_t i = lb; i < ub && !r->failed;) {
    r->env[body->args[0]->id] = (stp_ival_t){true, NULL, i};
    run_block(r, body);
    copy_yield(r, body, body->args + 1);
    if (__builtin_add_overflow(i, step, &i)) {
      break;
    }
  }
  for (int i = 0; i < op->num_results; i++) {
    r->env[op->results[i]->id] = r->env[body->args[i + 1]->id];
  }
}

static void run_if(run_t *r, const stp_ir_op_t *op) {
  stp_ival_t condition = r->env[op->operands[0]->id];
  if (condition.known && condition.base == NULL) {
    const stp_ir_block_t *branch = op->regions[condition.value != 0 ? 0 : 1];
    if (branch != NULL) {
      run_block(r, branch);
      copy_yield(r, branch, op->results);
    }
    return;
  }
  /* Decided at run time: both ways are possible. */
  for (int i = 0; i < 2; i++) {
    if (op->regions[i] != NULL) {
      run_block(r, op->regions[i]);
    }
  }
  for (int i = 0; i < op->num_results; i++) {
    r->env[op->results[i]->id] = unknown;
  }
}

static void run_parallel(run_t *r, const stp_ir_op_t *op, int d) {
  if (d == op->u.parallel.rank) {
    run_block(r, op->regions[0]);
    return;
  }
  int64_t lb, ub, step;
  if (!dim(r, op, &op->u.parallel.lb[d], "lower bound", &lb) ||
      !dim(r, op, &op->u.parallel.ub[d], "upper bound", &ub) ||
      !dim(r, op, &op->u.parallel.step[d], "step", &step)) {
    return;
  }
  if (step <= 0) {
    stp_diags_add(r->a->diags, STP_DIAG_ERROR, op->loc,
                  "'%s' op step must be positive, but is %lld", stp_ir_op_name(op->kind),
                  (long long)step);
    r->failed = true;
    return;
  }
  for (int64_t i = lb; i < ub && !r->failed;) {
    r->env[op->regions[0]->args[d]->id] = (stp_ival_t){true, NULL, i};
    run_parallel(r, op, d + 1);
    r->steps++; /* an empty body takes time too; run_block sees the limit */
    if (__builtin_add_overflow(i, step, &i)) {
      break;
    }
  }
}

static void run_op(run_t *r, const stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_SCF_FOR:
    run_for(r, op);
    return;
  case STP_OP_SCF_IF:
    run_if(r, op);
    return;
  case STP_OP_SCF_PARALLEL:
  case STP_OP_SCF_FORALL:
    if (block_used(r, op->regions[0])) {
      run_parallel(r, op, 0);
    }
    return;
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
    run_view(r, op);
    return;
  case STP_OP_KTDP_GET_COMPUTE_TILE_ID:
    for (int i = 0; i < op->num_results; i++) {
      int64_t id = stp_tile_coordinate(r->a->func, r->tile, i);
      r->env[op->results[i]->id] = (stp_ival_t){true, NULL, id};
    }
    return;
  default:
    break;
  }
  if (op->num_results == 1 && r->value_used[op->results[0]->id]) {
    stp_ival_t in[3] = {unknown, unknown, unknown};
    for (int i = 0; i < op->num_operands && i < 3; i++) {
      in[i] = r->env[op->operands[i]->id];
    }
    r->env[op->results[0]->id] = op->num_operands <= 3 ? stp_eval_op(op, in) : unknown;
  }
}

static void run_block(run_t *r, const stp_ir_block_t *block) {
  for (const stp_ir_op_t *op = block->first; op != NULL && !r->failed; op = op->next) {
    if (++r->steps > MAX_STEPS) {
      stp_diags_add(r->a->diags, STP_DIAG_ERROR, r->a->func->loc,
                    "the extents of this kernel's buffers take too long to find out: more than %d "
                    "steps",
                    MAX_STEPS);
      r->failed = true;
      return;
    }
    run_op(r, op);
  }
}

/* ---- results ------------------------------------------------------------------------------ */

static bool row_major(const stp_view_t *view, int rank) {
  int64_t expected = 1;
  for (int i = rank - 1; i >= 0; i--) {
    if (view->sizes[i] != 1 && view->strides[i] != expected) {
      return false;
    }
    if (__builtin_mul_overflow(expected, view->sizes[i], &expected)) {
      return false;
    }
  }
  return true;
}

/* The size of a memref value in a dimension; -1 if it cannot be told. */
static int64_t memref_size(const run_t *r, const stp_ir_value_t *memref, int d) {
  if (memref->type->dims[d] != STP_IR_DYNAMIC) {
    return memref->type->dims[d];
  }
  if (memref->def == NULL) {
    return -1;
  }
  if (memref->def->kind == STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
    const stp_view_t *view = r->view_of[memref->id];
    return view->times > 0 ? view->sizes[d] : -1;
  }
  if (memref->def->kind != STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW) {
    return -1;
  }
  /* One more than the largest coordinate of any partition. */
  int64_t size = 0;
  for (int i = 0; i < memref->def->num_operands; i++) {
    const stp_ir_op_t *part = memref->def->operands[i]->def;
    if (part == NULL || part->kind != STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
      return -1;
    }
    const stp_view_t *view = r->view_of[part->results[0]->id];
    int64_t syms[STP_IR_MAX_RANK], lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
    int num_syms = 0;
    for (int k = 0; k < part->results[0]->type->rank; k++) {
      if (part->u.view.sizes[k].ssa != NULL) {
        syms[num_syms++] = view->sizes[k];
      }
    }
    if (view->times == 0 || !stp_affine_set_bounds(part->u.view.set, syms, lo, hi) ||
        hi[d] == INT64_MAX) {
      return -1;
    }
    size = hi[d] + 1 > size ? hi[d] + 1 : size;
  }
  return size;
}

/* The shape that distributed views over this one buffer agree on. */
static bool distributed_shape(const run_t *r, int number, stp_kernel_buffer_t *b) {
  const stp_analysis_t *a = r->a;
  bool found = false;
  for (int i = 0; i < a->num_views; i++) {
    if (a->views[i].buffer != number) {
      continue;
    }
    for (const stp_ir_use_t *use = a->views[i].op->results[0]->uses; use != NULL; use = use->next) {
      const stp_ir_op_t *op = use->op;
      if (op->kind != STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW) {
        continue;
      }
      int rank = op->results[0]->type->rank;
      int64_t product = 1;
      int64_t shape[STP_IR_MAX_RANK];
      for (int k = 0; k < op->num_operands; k++) {
        const stp_ir_value_t *part = op->operands[k];
        if (part->def == NULL || part->def->kind != STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW ||
            r->view_of[part->id]->buffer != number) {
          return false;
        }
      }
      for (int d = 0; d < rank; d++) {
        shape[d] = memref_size(r, op->results[0], d);
        if (shape[d] < 0 || __builtin_mul_overflow(product, shape[d], &product)) {
          return false;
        }
      }
      if (product != b->extent ||
          (found &&
           (b->rank != rank || memcmp(b->shape, shape, (size_t)rank * sizeof *shape) != 0))) {
        return false;
      }
      found = true;
      b->rank = rank;
      memcpy(b->shape, shape, (size_t)rank * sizeof *shape);
    }
  }
  return found;
}

static bool common_shape(const stp_analysis_t *a, int number, stp_kernel_buffer_t *b) {
  const stp_view_t *first = NULL;
  for (int i = 0; i < a->num_views; i++) {
    const stp_view_t *view = &a->views[i];
    if (view->buffer != number || view->times == 0) {
      continue;
    }
    int rank = view->op->results[0]->type->rank;
    if (view->varies || view->offset != b->start || !row_major(view, rank)) {
      return false;
    }
    if (first != NULL && (b->rank != rank || memcmp(first->sizes, view->sizes,
                                                    (size_t)rank * sizeof *view->sizes) != 0)) {
      return false;
    }
    first = view;
    b->rank = rank;
  }
  if (first == NULL) {
    return false;
  }
  memcpy(b->shape, first->sizes, (size_t)b->rank * sizeof *b->shape);
  return true;
}

static bool finish_buffer(run_t *r, int number) {
  stp_analysis_t *a = r->a;
  stp_kernel_buffer_t *b = &a->buffers[number];
  int64_t lo = 0;
  int64_t hi = 0;
  bool some = false;
  for (int i = 0; i < a->num_views; i++) {
    const stp_view_t *view = &a->views[i];
    if (view->buffer != number || view->times == 0) {
      continue;
    }
    if (view->lo < 0) {
      stp_diags_add(a->diags, STP_DIAG_ERROR, view->op->loc,
                    b->arg >= 0
                        ? "'ktdp.construct_memory_view' op reaches %lld elements before the "
                          "start of '%%%s'"
                        : "'ktdp.construct_memory_view' op reaches %lld elements before the "
                          "start of memory",
                    (long long)-view->lo, b->name);
      return false;
    }
    lo = !some || view->lo < lo ? view->lo : lo;
    hi = !some || view->hi > hi ? view->hi : hi;
    some = true;
  }
  b->start = b->arg >= 0 ? 0 : lo;
  b->extent = hi - b->start;
  if (hi > MAX_BYTES / stp_ir_elem_bytes(b->storage)) {
    stp_diags_add(a->diags, STP_DIAG_ERROR, b->value->loc,
                  "'%%%s' reaches beyond the device's 40-bit addresses", b->name);
    return false;
  }
  if (!distributed_shape(r, number, b) && !common_shape(a, number, b)) {
    b->rank = 1;
    b->shape[0] = b->extent;
  }
  return true;
}

static void find_index_limits(run_t *r) {
  stp_analysis_t *a = r->a;
  for (int i = 0; i < a->num_buffers; i++) {
    a->buffers[i].index_limit = -1;
  }
  for (const stp_ir_op_t *op = stp_ir_walk(a->func->body, NULL); op != NULL;
       op = stp_ir_walk(a->func->body, op)) {
    if (op->kind != STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE || op->results[0]->num_uses == 0) {
      continue;
    }
    for (int d = 0; d < op->u.indirect.num_subscripts; d++) {
      const stp_ir_value_t *table = op->u.indirect.subscripts[d].table;
      int64_t limit = table != NULL ? memref_size(r, op->u.indirect.base, d) : -1;
      if (table == NULL || limit < 0) {
        continue;
      }
      /* The table is a view, or a distributed view of several. */
      const stp_ir_op_t *def = table->def;
      for (int k = 0; def != NULL && k < (def->num_operands > 0 ? def->num_operands : 1); k++) {
        const stp_ir_op_t *part = def;
        if (def->kind == STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW) {
          part = def->operands[k]->def;
        } else if (k > 0) {
          break;
        }
        if (part == NULL || part->kind != STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
          continue;
        }
        stp_kernel_buffer_t *b = &a->buffers[r->view_of[part->results[0]->id]->buffer];
        b->is_index = true;
        b->index_limit = b->index_limit < 0 || limit < b->index_limit ? limit : b->index_limit;
      }
    }
  }
  for (int i = 0; i < a->num_buffers; i++) {
    if (a->buffers[i].index_limit < 0) {
      a->buffers[i].index_limit = 0;
    }
  }
}

static bool needs_tile_id(const run_t *r) {
  const stp_ir_block_t *body = r->a->func->body;
  for (const stp_ir_op_t *op = stp_ir_walk(body, NULL); op != NULL; op = stp_ir_walk(body, op)) {
    for (int i = 0; op->kind == STP_OP_KTDP_GET_COMPUTE_TILE_ID && i < op->num_results; i++) {
      if (r->value_used[op->results[i]->id]) {
        return true;
      }
    }
  }
  return false;
}

bool stp_find_extents(stp_analysis_t *a) {
  const stp_ir_func_t *func = a->func;
  size_t n = (size_t)func->num_values;
  run_t r = {.a = a,
             .env = stp_arena_array(a->arena, n, sizeof *r.env),
             .value_used = stp_arena_array(a->arena, n, sizeof *r.value_used),
             .view_of = stp_arena_array(a->arena, n, sizeof(void *)),
             .work = stp_arena_array(a->arena, n, sizeof(void *)),
             .body_used = stp_arena_array(a->arena, n, sizeof *r.body_used),
             .yielded = stp_arena_array(a->arena, n, sizeof *r.yielded)};
  for (int i = 0; i < a->num_views; i++) {
    r.view_of[a->views[i].op->results[0]->id] = &a->views[i];
  }
  for (int i = 0; i < func->body->num_args; i++) {
    const stp_ir_value_t *arg = func->body->args[i];
    if (a->params[i].kind == STP_PARAM_ADDRESS) {
      r.env[arg->id] = (stp_ival_t){true, arg, 0};
    } else if (a->bindings != NULL && i < a->bindings->count && a->bindings->bound[i]) {
      r.env[arg->id] = (stp_ival_t){true, NULL, a->bindings->values[i]};
    }
  }
  mark_used(&r);
  mark_bodies(&r);
  int64_t tiles = needs_tile_id(&r) ? func->num_tiles : 1;
  for (r.tile = 0; r.tile < tiles && !r.failed; r.tile++) {
    run_block(&r, func->body);
  }
  for (int i = 0; i < a->num_buffers && !r.failed; i++) {
    r.failed = !finish_buffer(&r, i);
  }
  if (!r.failed) {
    find_index_limits(&r);
  }
  return !r.failed;
}
