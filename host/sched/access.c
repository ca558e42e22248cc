/* SPDX-License-Identifier: Apache-2.0 */
/* Memory views and access tiles as strided boxes. */
#include <string.h>

#include "build.h"

static bool dim_form(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_dim_t *dim,
                     stp_lin_t *lin) {
  if (dim->ssa) return stp_build_lin(b, op, dim->ssa, lin);
  *lin = stp_lin_const(dim->value);
  return true;
}

/* The set of a view must be its whole box; sizes that are not constants are tried with sample
 * values. */
static bool view_set_is_box(stp_builder_t *b, const stp_ir_op_t *view, const stp_lin_t *sizes,
                            int rank) {
  const stp_affine_set_t *set = view->u.view.set;
  static const int64_t samples[2] = {1000, 77};
  for (int s = 0; s < 2; s++) {
    int64_t syms[STP_IR_MAX_RANK + 1] = {0}, want[STP_IR_MAX_RANK], lo[STP_IR_MAX_RANK],
                                   hi[STP_IR_MAX_RANK];
    if (view->u.view.num_set_syms > STP_IR_MAX_RANK || set->num_dims != rank) return false;
    for (int d = 0; d < rank; d++)
      want[d] = stp_lin_is_const(&sizes[d]) ? sizes[d].c : samples[s] + d;
    for (int i = 0; i < view->u.view.num_set_syms; i++) {
      for (int d = 0; d < rank; d++) {
        if (view->u.view.sizes[d].ssa == view->u.view.set_syms[i]) syms[i] = want[d];
      }
    }
    if (!stp_affine_set_as_box(set, syms, lo, hi)) return false;
    for (int d = 0; d < rank; d++) {
      bool empty = want[d] <= 0 && hi[d] < lo[d];
      if (!empty && (lo[d] != 0 || hi[d] != want[d] - 1)) return false;
    }
  }
  (void)b;
  return true;
}

/* The address symbol of a view and the rest of its offset. */
static bool split_offset(stp_builder_t *b, const stp_ir_op_t *op, const stp_lin_t *offset,
                         stp_access_t *access) {
  access->arg = -1;
  access->offset = stp_lin_const(offset->c);
  for (int i = 0; i < offset->n; i++) {
    const stp_sym_t *s = &b->plan->syms[offset->t[i].sym];
    if (s->kind == STP_SYM_ARG) {
      if (access->arg >= 0) return stp_build_error(b, op, "has a view at the sum of two addresses");
      if (offset->t[i].k != 1)
        return stp_build_error(b, op, "has a view at a multiple of an address");
      access->arg = offset->t[i].sym;
      continue;
    }
    access->offset.t[access->offset.n++] = offset->t[i];
  }
  if (access->arg < 0) {
    return stp_build_error(
        b, op, "has a view at a constant address, which the scheduler does not support yet");
  }
  return true;
}

/* Is the whole range of the form sure to occur here? Then a range that is too large is an error of
 * the kernel. */
static bool range_is_exact(const stp_builder_t *b, const stp_lin_t *a) {
  for (int i = 0; i < a->n; i++) {
    if (!b->plan->syms[a->t[i].sym].exact) return false;
  }
  for (const stp_block_t *block = b->block; block->parent; block = block->parent->block) {
    const stp_loop_t *loop = block->parent->loop;
    if (loop->trip < 0 && !loop->some) return false;
  }
  return true;
}

static void add_check(stp_access_t *access, int dim, const stp_lin_t *form) {
  access->checks[access->num_checks].dim = dim;
  access->checks[access->num_checks++].form = *form;
}

/* Is the tile inside the view in dimension d? What cannot be known now is checked on the machine.
 */
static bool check_dim(stp_builder_t *b, const stp_ir_op_t *op, int d, const stp_lin_t *first,
                      const stp_lin_t *size, bool dynamic, stp_access_t *access) {
  stp_plan_t *p = b->plan;
  stp_access_dim_t *dim = &access->dims[d];
  const char *verb = op->kind == STP_OP_KTDP_STORE ? "writes" : "reads";
  int64_t lo, hi;
  bool known = stp_lin_range(first, p->syms, &lo, &hi);
  if (!known || lo < 0) {
    if (known && range_is_exact(b, first)) {
      return stp_build_error(
          b, op, "%s from index %lld on in dimension %d, before the view's first element", verb,
          (long long)lo, d);
    }
    add_check(access, d, first);
  }
  stp_lin_t room;
  if (!stp_lin_add(&room, size, first, -1))
    return stp_build_error(b, op, "has an index that is too complex");
  int64_t room_lo, room_hi;
  bool room_known = stp_lin_range(&room, p->syms, &room_lo, &room_hi);
  if (room_known && room_lo >= dim->count) return true;
  if (dynamic) {
    dim->clipped = true;
    dim->limit = room;
    return true;
  }
  if (room_known && range_is_exact(b, &room)) {
    return stp_build_error(b, op,
                           "%s indices up to %lld in dimension %d, but the view has only %lld",
                           verb, (long long)(hi + dim->count - 1), d, (long long)size->c);
  }
  room.c -= dim->count;
  add_check(access, d, &room);
  return true;
}

bool stp_build_access(stp_builder_t *b, const stp_ir_op_t *op, const stp_ir_value_t *value,
                      stp_access_t *access) {
  const stp_ir_op_t *tile = value->def;
  if (!tile || tile->kind != STP_OP_KTDP_CONSTRUCT_ACCESS_TILE) {
    if (tile && tile->kind == STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE) {
      return stp_build_error(b, tile, "is not supported by the scheduler yet");
    }
    return stp_build_error(b, op,
                           "needs an access tile that is made by 'ktdp.construct_access_tile'");
  }
  const stp_ir_op_t *view = tile->u.access.base->def;
  if (!view || view->kind != STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
    if (view) return stp_build_error(b, view, "is not supported by the scheduler yet");
    return stp_build_error(b, tile, "needs a view that is made by 'ktdp.construct_memory_view'");
  }
  const stp_ir_type_t *type = view->results[0]->type;
  int rank = type->rank;
  if (view->u.view.space->kind != STP_SPACE_GLOBAL) {
    return stp_build_error(b, view, "in LX memory is not supported by the scheduler yet");
  }
  if (view->u.view.storage != type->elem) {
    return stp_build_error(b, view, "with steeple.storage is not supported by the scheduler yet");
  }
  stp_lin_t offset, sizes[STP_IR_MAX_RANK], strides[STP_IR_MAX_RANK];
  if (!stp_build_lin(b, view, view->u.view.offset, &offset) ||
      !split_offset(b, view, &offset, access))
    return false;
  for (int d = 0; d < rank; d++) {
    if (!dim_form(b, view, &view->u.view.sizes[d], &sizes[d])) return false;
    if (!dim_form(b, view, &view->u.view.strides[d], &strides[d])) return false;
  }
  if (!view_set_is_box(b, view, sizes, rank)) {
    return stp_build_error(
        b, view,
        "with a coordinate_set other than all of its sizes is not supported by the "
        "scheduler yet");
  }

  const stp_affine_map_t *map = tile->u.access.map;
  const stp_affine_set_t *set = tile->u.access.set;
  int num_indices = tile->u.access.num_indices;
  stp_lin_t *indices = stp_arena_array(b->plan->arena, (size_t)num_indices + 1, sizeof *indices);
  for (int i = 0; i < num_indices; i++) {
    if (!stp_build_lin(b, tile, tile->u.access.indices[i], &indices[i])) return false;
  }
  int64_t syms[16] = {0}, lo[STP_IR_MAX_RANK], hi[STP_IR_MAX_RANK];
  if (tile->u.access.num_syms > 16) return stp_build_error(b, tile, "has too many symbols");
  for (int i = 0; i < tile->u.access.num_syms; i++) {
    stp_lin_t s;
    if (!stp_build_lin(b, tile, tile->u.access.syms[i], &s)) return false;
    if (!stp_lin_is_const(&s)) {
      return stp_build_error(
          b, tile,
          "with a set that is not known at compile time is not supported by the scheduler "
          "yet");
    }
    syms[i] = s.c;
  }
  if (set->num_dims != rank || !stp_affine_set_as_box(set, syms, lo, hi)) {
    return stp_build_error(b, tile,
                           "with a set that is not a box is not supported by the scheduler yet");
  }
  if (!stp_affine_map_is_identity(tile->u.access.order)) {
    return stp_build_error(
        b, tile, "with an order other than the identity is not supported by the scheduler yet");
  }
  access->elem = type->elem;
  access->rank = rank;
  access->num_checks = 0;
  for (int d = 0; d < rank; d++) {
    stp_lin_t first, low = stp_lin_const(lo[d]), size = sizes[d], part;
    if (!stp_build_affine(b, tile, map->results[d], indices, indices + map->num_dims, &first))
      return false;
    if (!stp_lin_add(&first, &first, &low, 1))
      return stp_build_error(b, tile, "has an index that is too complex");
    stp_access_dim_t *dim = &access->dims[d];
    memset(dim, 0, sizeof *dim);
    dim->count = hi[d] - lo[d] + 1;
    dim->stride = strides[d];
    if (!check_dim(b, op, d, &first, &size, type->dims[d] == STP_IR_DYNAMIC, access)) return false;
    bool ok;
    if (stp_lin_is_const(&strides[d])) {
      ok = stp_lin_add(&access->offset, &access->offset, &first, strides[d].c);
    } else if (stp_lin_is_const(&first)) {
      ok = stp_lin_scale(&part, &strides[d], first.c) &&
           stp_lin_add(&access->offset, &access->offset, &part, 1);
    } else {
      return stp_build_error(
          b, tile,
          "at a variable index of a variable stride is not supported by the scheduler yet");
    }
    if (!ok) return stp_build_error(b, tile, "has an index that is too complex");
  }
  return true;
}
