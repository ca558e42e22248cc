/* SPDX-License-Identifier: Apache-2.0 */
/* The iteration space of linalg ops, and their results. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

bool stp_find_space(stp_run_t *r, const stp_ir_op_t *op, stp_space_t *s) {
  s->num_loops = op->u.linalg.num_loops;
  s->num_streams = op->num_operands;
  for (int i = 0; i < s->num_loops; i++) s->extents[i] = -1;
  s->streams = calloc((size_t)op->num_operands + 1, sizeof *s->streams);
  if (s->streams == NULL) return stp_run_error(r, op, "finds no memory");
  for (int k = 0; k < op->num_operands; k++) {
    const stp_affine_map_t *map = op->u.linalg.maps[k];
    stp_stream_t *stream = &s->streams[k];
    if (op->operands[k]->type->kind == STP_TYPE_SCALAR) {
      stream->cells = &r->env[op->operands[k]->id].cell;
      continue;
    }
    const stp_tensor_t *t = stp_env_tensor(r, op->operands[k]);
    stream->cells = t->cells;
    int64_t stride = 1;
    for (int d = t->rank - 1; d >= 0; d--) {
      const stp_affine_expr_t *e = map->results[d];
      if (e->kind == STP_AFFINE_CONST) {
        if (e->value < 0 || e->value >= t->dims[d]) {
          return stp_run_error(r, op,
                               "reads index %lld of dimension %d of operand %d, whose size is "
                               "%lld",
                               (long long)e->value, d, k, (long long)t->dims[d]);
        }
        stream->start += e->value * stride;
      } else {
        int64_t *extent = &s->extents[e->value];
        if (*extent >= 0 && *extent != t->dims[d]) {
          return stp_run_error(r, op,
                               "has operand %d of size %lld in dimension %d, but another "
                               "operand asks for %lld",
                               k, (long long)t->dims[d], d, (long long)*extent);
        }
        *extent = t->dims[d];
        stream->strides[e->value] += stride;
      }
      stride *= t->dims[d];
    }
  }
  return true;
}

stp_tensor_t *stp_new_result(stp_run_t *r, const stp_ir_op_t *op, int i) {
  const stp_tensor_t *out = stp_env_tensor(r, op->u.linalg.outs[i]);
  stp_tensor_t *t = stp_tensor_new(r, op, out->elem, out->rank, out->dims);
  if (t != NULL && t->count > 0) memcpy(t->cells, out->cells, (size_t)t->count * sizeof *t->cells);
  return t;
}

stp_tensor_t **stp_new_results(stp_run_t *r, const stp_ir_op_t *op) {
  int count = op->u.linalg.num_outs;
  stp_tensor_t **outs = calloc((size_t)count + 1, sizeof(stp_tensor_t *));
  if (outs == NULL) {
    stp_run_error(r, op, "finds no memory");
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    outs[i] = stp_new_result(r, op, i);
    if (outs[i] != NULL) continue;
    while (i > 0) stp_obj_unref(&outs[--i]->obj);
    free(outs);
    return NULL;
  }
  return outs;
}
