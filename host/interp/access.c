/* SPDX-License-Identifier: Apache-2.0 */
/* ktdp: views, access tiles, load and store. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TRIES ((int64_t)1 << 32) /* points of a bounding box, searched for those of the set */

/* ---- views ---------------------------------------------------------------------------------- */

static stp_view_t *new_view(stp_run_t *r, const stp_ir_op_t *op) {
  stp_view_t *view = calloc(1, sizeof *view);
  if (view == NULL) {
    stp_run_error(r, op, "finds no memory");
    return NULL;
  }
  const stp_ir_type_t *type = op->results[0]->type;
  view->obj = (stp_obj_t){OBJ_VIEW, 1};
  view->op = op;
  view->rank = type->rank;
  view->elem = view->storage = type->elem;
  for (int i = 0; i < type->rank; i++) view->dynamic[i] = type->dims[i] == STP_IR_DYNAMIC;
  return view;
}

/* The exact lower corner of a set that is no box, by search; its bounds if there are too many. */
static void find_corner(const stp_affine_set_t *set, const int64_t *syms, const int64_t *lo,
                        const int64_t *hi, int64_t *corner) {
  int n = set->num_dims;
  int64_t p[STP_IR_MAX_RANK], tries = 1;
  bool any = false, inside;
  memcpy(corner, lo, (size_t)n * sizeof *lo);
  for (int i = 0; i < n; i++) {
    if (hi[i] < lo[i] || __builtin_mul_overflow(tries, hi[i] - lo[i] + 1, &tries) ||
        tries > (1 << 22)) {
      return;
    }
  }
  memcpy(p, lo, (size_t)n * sizeof *p);
  for (;;) {
    if (stp_affine_set_contains(set, p, syms, &inside) && inside) {
      for (int i = 0; i < n; i++) corner[i] = !any || p[i] < corner[i] ? p[i] : corner[i];
      any = true;
    }
    int i = n - 1;
    while (i >= 0 && p[i] == hi[i]) p[i] = lo[i], i--;
    if (i < 0) return;
    p[i]++;
  }
}

static bool fill_view(stp_run_t *r, const stp_ir_op_t *op, stp_view_t *view) {
  const stp_ir_type_t *type = op->results[0]->type;
  const stp_val_t *offset = &r->env[op->u.view.offset->id];
  view->mem = stp_mem_find(r, op, offset->base, op->u.view.space);
  if (view->mem == NULL) return false;
  view->offset = offset->cell.i;
  view->storage = op->u.view.storage;
  for (int i = 0; i < type->rank; i++) {
    if (!stp_env_dim(r, op, &op->u.view.sizes[i], &view->sizes[i]) ||
        !stp_env_dim(r, op, &op->u.view.strides[i], &view->strides[i])) {
      return false;
    }
    if (view->sizes[i] < 0 || (!view->dynamic[i] && view->sizes[i] != type->dims[i])) {
      return stp_run_error(r, op, "has size %lld in dimension %d", (long long)view->sizes[i], i);
    }
  }
  const stp_affine_set_t *set = op->u.view.set;
  view->set = set;
  for (int i = 0; i < op->u.view.num_set_syms; i++) {
    if (!stp_env_int(r, op, op->u.view.set_syms[i], &view->syms[i])) return false;
  }
  int64_t lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
  view->is_box = stp_affine_set_as_box(set, view->syms, view->corner, view->box_hi);
  if (!view->is_box && stp_affine_set_bounds(set, view->syms, lo, hi)) {
    bool used = false; /* only partitions look at it */
    for (const stp_ir_use_t *u = op->results[0]->uses; u != NULL; u = u->next) {
      used = used || u->op->kind != STP_OP_KTDP_CONSTRUCT_ACCESS_TILE;
    }
    if (used) find_corner(set, view->syms, lo, hi, view->corner);
  }
  return true;
}

static bool fill_distributed(stp_run_t *r, const stp_ir_op_t *op, stp_view_t *view) {
  const stp_ir_type_t *type = op->results[0]->type;
  view->parts = calloc((size_t)op->num_operands, sizeof(stp_view_t *));
  if (view->parts == NULL) return stp_run_error(r, op, "finds no memory");
  for (int i = 0; i < op->num_operands; i++) {
    stp_view_t *part = stp_env_view(r, op->operands[i]);
    if (part->set == NULL) {
      return stp_run_error(r, op, "has partition %d, which has no coordinate set", i);
    }
    stp_obj_ref(&part->obj);
    view->parts[view->num_parts++] = part;
  }
  /* A dynamic size is one more than the largest coordinate of any partition. */
  for (int d = 0; d < type->rank; d++) {
    view->sizes[d] = type->dims[d];
    if (!view->dynamic[d]) continue;
    view->sizes[d] = 0;
    for (int i = 0; i < view->num_parts; i++) {
      const stp_view_t *part = stp_env_view(r, op->operands[i]);
      int64_t lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
      if (!stp_affine_set_bounds(part->set, part->syms, lo, hi) || hi[d] == INT64_MAX) {
        return stp_run_error(r, op, "has partition %d, whose coordinate set is not bounded", i);
      }
      view->sizes[d] = hi[d] + 1 > view->sizes[d] ? hi[d] + 1 : view->sizes[d];
    }
  }
  return true;
}

static bool fill_subview(stp_run_t *r, const stp_ir_op_t *op, stp_view_t *view) {
  const stp_view_t *source = stp_env_view(r, op->u.slice.source);
  if (source->parts != NULL) {
    return stp_run_error(r, op, "of a distributed view is not supported by the interpreter");
  }
  view->mem = source->mem;
  view->storage = source->storage;
  view->offset = source->offset;
  int next = 0;
  for (int i = 0; i < op->u.slice.rank; i++) {
    int64_t offset = 0, size = 0, stride = 0, last, step;
    if (!stp_env_dim(r, op, &op->u.slice.offsets[i], &offset) ||
        !stp_env_dim(r, op, &op->u.slice.sizes[i], &size) ||
        !stp_env_dim(r, op, &op->u.slice.strides[i], &stride)) {
      return false;
    }
    if (size < 0 || __builtin_mul_overflow(size > 0 ? size - 1 : 0, stride, &last) ||
        __builtin_add_overflow(last, offset, &last) ||
        (size > 0 &&
         (offset < 0 || offset >= source->sizes[i] || last < 0 || last >= source->sizes[i]))) {
      return stp_run_error(r, op,
                           "offset %lld, size %lld and stride %lld reach outside dimension %d of "
                           "size %lld",
                           (long long)offset, (long long)size, (long long)stride, i,
                           (long long)source->sizes[i]);
    }
    if (__builtin_mul_overflow(offset, source->strides[i], &step) ||
        __builtin_add_overflow(view->offset, step, &view->offset) ||
        __builtin_mul_overflow(stride, source->strides[i], &step)) {
      return stp_run_error(r, op, "reaches beyond what 64 bits can address");
    }
    if ((op->u.slice.dropped >> i & 1) != 0) continue;
    if (!view->dynamic[next] && size != op->results[0]->type->dims[next]) {
      return stp_run_error(r, op, "has size %lld in dimension %d", (long long)size, i);
    }
    view->sizes[next] = size;
    view->strides[next++] = step;
  }
  return true;
}

/* ---- access tiles --------------------------------------------------------------------------- */

static bool fill_values(stp_run_t *r, const stp_ir_op_t *op, int count,
                        stp_ir_value_t *const *values, int64_t **result) {
  *result = calloc((size_t)count + 1, sizeof **result);
  if (*result == NULL) return stp_run_error(r, op, "finds no memory");
  for (int i = 0; i < count; i++) {
    if (!stp_env_int(r, op, values[i], &(*result)[i])) return false;
  }
  return true;
}

static bool fill_tile(stp_run_t *r, const stp_ir_op_t *op, stp_access_t *a, const stp_view_t *view,
                      const stp_affine_set_t *set, const stp_affine_map_t *order) {
  const stp_ir_type_t *type = op->results[0]->type;
  a->view = (stp_view_t *)view;
  stp_obj_ref(&a->view->obj);
  a->set = set;
  a->rank = set->num_dims;
  if (a->rank > (int)(sizeof a->perm / sizeof a->perm[0])) {
    return stp_run_error(r, op, "has more dimensions than the interpreter supports");
  }
  stp_affine_map_permutation(order, a->perm);
  int64_t lo[2 * STP_IR_MAX_RANK] = {0}, hi[2 * STP_IR_MAX_RANK] = {0};
  bool box = stp_affine_set_as_box(set, a->syms, lo, hi);
  for (int i = 0; i < a->rank; i++) {
    a->dims[i] = type->dims[i];
    if (a->dims[i] != STP_IR_DYNAMIC) continue;
    if (!box) {
      return stp_run_error(r, op, "has a dynamic shape, but its set is no box");
    }
    int64_t first = lo[a->perm[i]], last = hi[a->perm[i]];
    a->dims[i] = last < first ? 0 : last - first + 1;
  }
  return true;
}

static bool fill_direct(stp_run_t *r, const stp_ir_op_t *op, stp_access_t *a) {
  const stp_affine_map_t *map = op->u.access.map;
  int64_t *indices = NULL;
  bool ok = fill_values(r, op, op->u.access.num_syms, op->u.access.syms, &a->syms) &&
            fill_tile(r, op, a, stp_env_view(r, op->u.access.base), op->u.access.set,
                      op->u.access.order) &&
            fill_values(r, op, op->u.access.num_indices, op->u.access.indices, &indices);
  for (int d = 0; ok && d < map->num_results; d++) {
    if (!stp_affine_eval(map->results[d], indices, indices + map->num_dims, &a->base[d])) {
      ok = stp_run_error(r, op, "subscript %d has no value: it overflows or divides by zero", d);
    }
  }
  free(indices);
  return ok;
}

static bool fill_indirect(stp_run_t *r, const stp_ir_op_t *op, stp_access_t *a) {
  a->num_captured = op->u.indirect.num_captured;
  if (!fill_values(r, op, op->u.indirect.num_syms, op->u.indirect.syms, &a->syms) ||
      !fill_tile(r, op, a, stp_env_view(r, op->u.indirect.base), op->u.indirect.set,
                 op->u.indirect.order) ||
      !fill_values(r, op, a->num_captured, op->u.indirect.captured, &a->captured)) {
    return false;
  }
  a->tables = calloc((size_t)a->view->rank + 1, sizeof(stp_view_t *));
  if (a->tables == NULL) return stp_run_error(r, op, "finds no memory");
  for (int i = 0; i < op->u.indirect.num_subscripts; i++) {
    if (op->u.indirect.subscripts[i].table == NULL) continue;
    a->tables[i] = stp_env_view(r, op->u.indirect.subscripts[i].table);
    stp_obj_ref(&a->tables[i]->obj);
  }
  return true;
}

/* ---- elements ------------------------------------------------------------------------------- */

typedef struct {
  bool outside; /* in a dynamic dimension */
  stp_mem_t *mem;
  stp_ir_elem_t storage;
  int64_t index;
} place_t;

static bool in_part(const stp_view_t *part, const int64_t *c) {
  if (part->is_box) {
    for (int d = 0; d < part->rank; d++) {
      if (c[d] < part->corner[d] || c[d] > part->box_hi[d]) return false;
    }
    return true;
  }
  bool inside = false;
  return stp_affine_set_contains(part->set, c, part->syms, &inside) && inside;
}

/* Where a coordinate of a view lies. `strict`: out of range is an error in dynamic dimensions too.
 */
static bool find_place(stp_run_t *r, const stp_ir_op_t *op, const stp_view_t *view,
                       const int64_t *c, bool strict, place_t *place) {
  place->outside = false;
  for (int d = 0; d < view->rank; d++) {
    if (c[d] >= 0 && c[d] < view->sizes[d]) continue;
    if (strict || !view->dynamic[d]) {
      return stp_run_error(r, op,
                           "reaches coordinate %lld in dimension %d of '%%%s', whose size is "
                           "%lld",
                           (long long)c[d], d, view->op->results[0]->name,
                           (long long)view->sizes[d]);
    }
    place->outside = true;
  }
  if (place->outside) return true;
  int64_t local[STP_IR_MAX_RANK] = {0};
  const stp_view_t *part = view;
  if (view->parts != NULL) {
    int i = 0;
    while (i < view->num_parts && !in_part(view->parts[i], c)) i++;
    if (i == view->num_parts) {
      return stp_run_error(r, op,
                           "reaches a coordinate of '%%%s' that is in none of its partitions "
                           "(the first dimension's is %lld)",
                           view->op->results[0]->name, (long long)(view->rank > 0 ? c[0] : 0));
    }
    part = view->parts[i];
    for (int d = 0; d < part->rank; d++) local[d] = c[d] - part->corner[d];
    return find_place(r, op, part, local, true, place);
  }
  place->mem = part->mem;
  place->storage = part->storage;
  place->index = part->offset;
  for (int d = 0; d < part->rank; d++) {
    int64_t step;
    if (__builtin_mul_overflow(c[d], part->strides[d], &step) ||
        __builtin_add_overflow(place->index, step, &place->index)) {
      return stp_run_error(r, op, "reaches beyond what 64 bits can address");
    }
  }
  return true;
}

static bool load_at(stp_run_t *r, const stp_ir_op_t *op, const stp_view_t *view, const int64_t *c,
                    bool strict, stp_cell_t *cell) {
  place_t place = {0};
  if (!find_place(r, op, view, c, strict, &place)) return false;
  if (place.outside) {
    cell->u = 0; /* also the double 0 */
    return true;
  }
  return stp_mem_load(r, op, place.mem, place.storage, place.index, cell);
}

static bool evaluate(stp_run_t *r, const stp_ir_op_t *op, const stp_affine_expr_t *e,
                     const int64_t *dims, int64_t *result) {
  return stp_affine_eval(e, dims, NULL, result) ||
         stp_run_error(r, op, "has a subscript without a value: it overflows or divides by zero");
}

/* The base coordinate for a point of the set, whose variables stand in vars + num_captured. */
static bool coordinate(stp_run_t *r, const stp_ir_op_t *op, const stp_access_t *a,
                       const int64_t *vars, int64_t *c) {
  const int64_t *p = vars + a->num_captured;
  if (a->tables == NULL) {
    for (int d = 0; d < a->rank; d++) {
      if (__builtin_add_overflow(a->base[d], p[d], &c[d])) {
        return stp_run_error(r, op, "reaches beyond what 64 bits can address");
      }
    }
    return true;
  }
  for (int d = 0; d < a->view->rank; d++) {
    const stp_ir_subscript_t *sub = &a->op->u.indirect.subscripts[d];
    if (a->tables[d] == NULL) {
      if (!evaluate(r, op, sub->map->results[0], vars, &c[d])) return false;
      continue;
    }
    int64_t at[STP_IR_MAX_RANK] = {0};
    for (int i = 0; i < sub->map->num_results; i++) {
      if (!evaluate(r, op, sub->map->results[i], vars, &at[i])) return false;
    }
    stp_cell_t entry = {0};
    if (!load_at(r, op, a->tables[d], at, false, &entry)) return false;
    c[d] = entry.i;
    if (c[d] < 0 || c[d] >= a->view->sizes[d]) {
      return stp_run_error(r, op,
                           "finds index %lld in '%%%s', outside dimension %d of '%%%s', whose "
                           "size is %lld",
                           (long long)c[d], a->tables[d]->op->results[0]->name, d,
                           a->view->op->results[0]->name, (long long)a->view->sizes[d]);
    }
  }
  return true;
}

/* Move every element of a tile; the set's points in the order of the order map. */
static bool transfer(stp_run_t *r, const stp_ir_op_t *op, const stp_access_t *a, stp_tensor_t *t,
                     bool store) {
  int n = a->rank;
  int64_t lo[2 * STP_IR_MAX_RANK], hi[2 * STP_IR_MAX_RANK], c[STP_IR_MAX_RANK] = {0};
  bool box = stp_affine_set_as_box(a->set, a->syms, lo, hi);
  if (!box && !stp_affine_set_bounds(a->set, a->syms, lo, hi)) {
    return stp_run_error(r, op, "moves a tile whose set is not bounded");
  }
  int64_t next = 0, tries = 0;
  bool empty = false;
  for (int i = 0; i < n; i++) empty = empty || hi[i] < lo[i];
  int64_t *vars = calloc((size_t)(a->num_captured + n) + 1, sizeof *vars);
  if (vars == NULL) return stp_run_error(r, op, "finds no memory");
  if (a->num_captured > 0) {
    memcpy(vars, a->captured, (size_t)a->num_captured * sizeof *vars);
  }
  int64_t *p = vars + a->num_captured;
  memcpy(p, lo, (size_t)n * sizeof *p);
  bool ok = true;
  while (ok && !empty) {
    bool inside = box;
    if (!box && !stp_affine_set_contains(a->set, p, a->syms, &inside)) {
      ok = stp_run_error(r, op,
                         "moves a tile whose set has no value: it overflows or divides by "
                         "zero");
    }
    if (ok && inside) {
      if (next == t->count) {
        next++;
        break;
      }
      place_t place = {0};
      ok = coordinate(r, op, a, vars, c) && find_place(r, op, a->view, c, false, &place);
      if (ok && !store && place.outside) {
        t->cells[next].u = 0;
      } else if (ok && !place.outside) {
        ok = store ? stp_mem_store(r, op, place.mem, place.storage, place.index, t->cells[next])
                   : stp_mem_load(r, op, place.mem, place.storage, place.index, &t->cells[next]);
      }
      next++;
    }
    if (ok && ++tries > MAX_TRIES) {
      ok = stp_run_error(r, op, "moves a tile whose set is too sparse to enumerate");
    }
    int i = n - 1;
    while (i >= 0 && p[a->perm[i]] == hi[a->perm[i]]) {
      p[a->perm[i]] = lo[a->perm[i]];
      i--;
    }
    if (i < 0) break;
    p[a->perm[i]]++;
  }
  free(vars);
  if (ok && next != t->count) {
    return stp_run_error(r, op, "moves a tile of %lld elements, but its set has %s points",
                         (long long)t->count, next > t->count ? "more" : "fewer");
  }
  return ok;
}

static bool run_load(stp_run_t *r, const stp_ir_op_t *op) {
  const stp_access_t *a = (const stp_access_t *)r->env[op->operands[0]->id].obj;
  const stp_ir_type_t *type = op->results[0]->type;
  stp_tensor_t *t = stp_tensor_new(r, op, type->elem, a->rank, a->dims);
  if (t == NULL) return false;
  stp_env_set_obj(r, op->results[0], &t->obj);
  return transfer(r, op, a, t, false);
}

static bool run_store(stp_run_t *r, const stp_ir_op_t *op) {
  stp_tensor_t *t = stp_env_tensor(r, op->operands[0]);
  const stp_access_t *a = (const stp_access_t *)r->env[op->operands[1]->id].obj;
  for (int i = 0; i < a->rank; i++) {
    if (t->dims[i] != a->dims[i]) {
      return stp_run_error(r, op,
                           "stores a tensor of size %lld in dimension %d to a tile of size "
                           "%lld",
                           (long long)t->dims[i], i, (long long)a->dims[i]);
    }
  }
  return transfer(r, op, a, t, true);
}

static bool run_view(stp_run_t *r, const stp_ir_op_t *op) {
  stp_view_t *view = new_view(r, op);
  if (view == NULL) return false;
  stp_env_set_obj(r, op->results[0], &view->obj);
  return op->kind == STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW               ? fill_view(r, op, view)
         : op->kind == STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW ? fill_distributed(r, op, view)
                                                                     : fill_subview(r, op, view);
}

static bool run_tile(stp_run_t *r, const stp_ir_op_t *op) {
  stp_access_t *a = calloc(1, sizeof *a);
  if (a == NULL) return stp_run_error(r, op, "finds no memory");
  a->obj = (stp_obj_t){OBJ_TILE, 1};
  a->op = op;
  stp_env_set_obj(r, op->results[0], &a->obj);
  return op->kind == STP_OP_KTDP_CONSTRUCT_ACCESS_TILE ? fill_direct(r, op, a)
                                                       : fill_indirect(r, op, a);
}

bool stp_run_access(stp_run_t *r, const stp_ir_op_t *op) {
  switch (op->kind) {
  case STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW:
  case STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW:
  case STP_OP_MEMREF_SUBVIEW:
    return run_view(r, op);
  case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
    return run_tile(r, op);
  case STP_OP_KTDP_LOAD:
    return run_load(r, op);
  default:
    return run_store(r, op);
  }
}
