/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the interpreter and their lifetime. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void stp_obj_ref(stp_obj_t *obj) {
  obj->refs++;
}

void stp_obj_unref(stp_obj_t *obj) {
  if (obj == NULL || --obj->refs > 0) return;
  if (obj->kind == OBJ_VIEW) {
    stp_view_t *view = (stp_view_t *)obj;
    for (int i = 0; i < view->num_parts; i++) {
      if (view->parts[i] != NULL) stp_obj_unref(&view->parts[i]->obj);
    }
    free(view->parts);
  } else if (obj->kind == OBJ_TILE) {
    stp_access_t *a = (stp_access_t *)obj;
    if (a->view != NULL) {
      for (int i = 0; a->tables != NULL && i < a->view->rank; i++) {
        if (a->tables[i] != NULL) stp_obj_unref(&a->tables[i]->obj);
      }
      stp_obj_unref(&a->view->obj);
    }
    free(a->tables);
    free(a->captured);
    free(a->syms);
  }
  free(obj);
}

stp_tensor_t *stp_tensor_new(stp_run_t *r, const stp_ir_op_t *op, stp_ir_elem_t elem, int rank,
                             const int64_t *dims) {
  int64_t count = 1;
  bool overflow = false;
  for (int i = 0; i < rank; i++) {
    if (dims[i] < 0) {
      stp_run_error(r, op, "makes a tensor of size %lld in dimension %d", (long long)dims[i], i);
      return NULL;
    }
    overflow = overflow || __builtin_mul_overflow(count, dims[i], &count);
  }
  stp_tensor_t *t = NULL;
  if (!overflow && (uint64_t)count < (SIZE_MAX - sizeof *t) / sizeof(stp_cell_t)) {
    t = calloc(1, sizeof *t + (size_t)count * sizeof(stp_cell_t));
  }
  if (t == NULL) {
    stp_run_error(r, op, "makes a tensor that is too large for the interpreter's memory");
    return NULL;
  }
  t->obj = (stp_obj_t){OBJ_TENSOR, 1};
  t->elem = elem;
  t->rank = rank;
  t->count = count;
  if (rank > 0) memcpy(t->dims, dims, (size_t)rank * sizeof *dims);
  return t;
}

void stp_env_set(stp_run_t *r, const stp_ir_value_t *v, stp_val_t val) {
  stp_obj_unref(r->env[v->id].obj);
  r->env[v->id] = val;
}

void stp_env_set_obj(stp_run_t *r, const stp_ir_value_t *v, stp_obj_t *obj) {
  stp_env_set(r, v, (stp_val_t){.kind = VAL_OBJ, .obj = obj});
}

void stp_env_set_cell(stp_run_t *r, const stp_ir_value_t *v, stp_cell_t cell) {
  stp_env_set(r, v, (stp_val_t){.kind = VAL_SCALAR, .cell = cell});
}

void stp_env_set_int(stp_run_t *r, const stp_ir_value_t *v, int64_t value) {
  stp_env_set_cell(r, v, (stp_cell_t){.i = value});
}

void stp_env_copy(stp_run_t *r, const stp_ir_value_t *to, const stp_ir_value_t *from) {
  stp_val_t val = r->env[from->id];
  if (val.obj != NULL) stp_obj_ref(val.obj);
  stp_env_set(r, to, val);
}

stp_tensor_t *stp_env_tensor(stp_run_t *r, const stp_ir_value_t *v) {
  return (stp_tensor_t *)r->env[v->id].obj;
}

stp_view_t *stp_env_view(stp_run_t *r, const stp_ir_value_t *v) {
  return (stp_view_t *)r->env[v->id].obj;
}

bool stp_env_int(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *v, int64_t *result) {
  if (r->env[v->id].base != NULL) {
    return stp_run_error(r, op, "uses '%%%s' as a number, but it depends on the address '%%%s'",
                         v->name, r->env[v->id].base->name);
  }
  *result = r->env[v->id].cell.i;
  return true;
}

bool stp_env_dim(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_dim_t *dim, int64_t *result) {
  *result = dim->value;
  return dim->ssa == NULL || stp_env_int(r, op, dim->ssa, result);
}
