/* SPDX-License-Identifier: Apache-2.0 */
/* Which arguments are addresses, and where loads and stores go. The extents are in extents.c. */
#include "args_internal.h"

#include <string.h>

static bool func_error(stp_analysis_t *a, stp_loc_t loc, const char *format, const char *text) {
  stp_diags_add(a->diags, STP_DIAG_ERROR, loc, format, text);
  return false;
}

/* ---- addresses ---------------------------------------------------------------------------- */

typedef struct {
  stp_analysis_t *a;
  unsigned char *state; /* by value id: 0 not seen, 1 in progress, 2 done */
  int *root;            /* by value id, if done: argument number, -1 none, -2 several */
  int depth;
} roots_t;

#define NO_ROOT (-1)
#define SEVERAL (-2)

static int root_of(roots_t *r, const stp_ir_value_t *v);

/* Choices: the same address whichever way control goes. */
static int either(int x, int y) {
  return x == NO_ROOT || x == y ? y : y == NO_ROOT ? x : SEVERAL;
}

static int root_of_result(roots_t *r, const stp_ir_value_t *v) {
  const stp_ir_op_t *op = v->def;
  switch (op->kind) {
  case STP_OP_ARITH_ADDI: {
    int x = root_of(r, op->operands[0]);
    int y = root_of(r, op->operands[1]);
    return x == NO_ROOT ? y : y == NO_ROOT ? x : SEVERAL;
  }
  case STP_OP_ARITH_SUBI:
  case STP_OP_ARITH_INDEX_CAST:
  case STP_OP_ARITH_INDEX_CASTUI:
    return root_of(r, op->operands[0]);
  case STP_OP_KTDP_RUNTIME_ARG_EXTRACT:
    return op->u.extract == STP_ARG_VALUE ? root_of(r, op->operands[0]) : NO_ROOT;
  case STP_OP_ARITH_SELECT:
    return either(root_of(r, op->operands[1]), root_of(r, op->operands[2]));
  case STP_OP_SCF_IF: {
    int root = root_of(r, op->regions[0]->last->operands[v->index]);
    return either(root, root_of(r, op->regions[1]->last->operands[v->index]));
  }
  case STP_OP_SCF_FOR: {
    int root = root_of(r, op->u.loop.inits[v->index]);
    return either(root, root_of(r, op->regions[0]->last->operands[v->index]));
  }
  default:
    return NO_ROOT;
  }
}

static int root_of(roots_t *r, const stp_ir_value_t *v) {
  if (r->state[v->id] != 0) {
    return r->state[v->id] == 2 ? r->root[v->id] : NO_ROOT; /* round a loop: adds nothing */
  }
  if (r->depth > 2000) {
    return NO_ROOT;
  }
  r->depth++;
  r->state[v->id] = 1;
  int root = NO_ROOT;
  if (v->def != NULL) {
    root = root_of_result(r, v);
  } else if (v->block == r->a->func->body) {
    root = v->index;
  } else if (v->block->parent->kind == STP_OP_SCF_FOR && v->index > 0) {
    const stp_ir_op_t *loop = v->block->parent;
    root = root_of(r, loop->u.loop.inits[v->index - 1]);
    root = either(root, root_of(r, v->block->last->operands[v->index - 1]));
  }
  r->depth--;
  r->state[v->id] = 2;
  r->root[v->id] = root;
  return root;
}

/* ---- loads and stores --------------------------------------------------------------------- */

typedef struct {
  bool *seen; /* by value id */
  const stp_ir_value_t **list;
  int count;
} flow_t;

static void reach(flow_t *f, const stp_ir_value_t *v) {
  if (!f->seen[v->id]) {
    f->seen[v->id] = true;
    f->list[f->count++] = v;
  }
}

/* Where control flow takes operand `k` of a terminator or loop. */
static void reach_control(flow_t *f, const stp_ir_op_t *op, int k) {
  if (op->kind == STP_OP_SCF_FOR && k >= 3) {
    reach(f, op->regions[0]->args[k - 2]);
    reach(f, op->results[k - 3]);
  } else if (op->kind == STP_OP_SCF_YIELD && op->block->parent != NULL) {
    const stp_ir_op_t *parent = op->block->parent;
    reach(f, parent->results[k]);
    if (parent->kind == STP_OP_SCF_FOR) {
      reach(f, parent->regions[0]->args[k + 1]);
    }
  }
}

/* Follow a view to the loads and stores through it. */
static void follow_view(stp_analysis_t *a, const stp_ir_op_t *view, stp_kernel_buffer_t *buffer) {
  flow_t f = {.seen = stp_arena_array(a->arena, (size_t)a->func->num_values, sizeof(bool)),
              .list = stp_arena_array(a->arena, (size_t)a->func->num_values, sizeof(void *))};
  reach(&f, view->results[0]);
  for (int i = 0; i < f.count; i++) {
    for (const stp_ir_use_t *use = f.list[i]->uses; use != NULL; use = use->next) {
      const stp_ir_op_t *op = use->op;
      switch (op->kind) {
      case STP_OP_KTDP_CONSTRUCT_DISTRIBUTED_MEMORY_VIEW:
      case STP_OP_KTDP_CONSTRUCT_ACCESS_TILE:
      case STP_OP_MEMREF_SUBVIEW:
        reach(&f, op->results[0]);
        break;
      case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
        if (use->operand == 0) {
          reach(&f, op->results[0]);
        } else if (op->results[0]->num_uses > 0) {
          buffer->loaded = true;
          buffer->is_index = true;
        }
        break;
      case STP_OP_KTDP_LOAD:
        buffer->loaded = true;
        break;
      case STP_OP_KTDP_STORE:
        buffer->stored = true;
        break;
      default:
        reach_control(&f, op, use->operand);
        break;
      }
    }
  }
}

/* ---- classification ----------------------------------------------------------------------- */

static bool check_signature(stp_analysis_t *a) {
  const stp_ir_func_t *func = a->func;
  if (func->body == NULL) {
    return func_error(a, func->loc, "function '@%s' has no body", func->name);
  }
  if (func->num_result_types > 0) {
    return func_error(a, func->loc, "kernel '@%s' must not return values", func->name);
  }
  bool ok = true;
  for (int i = 0; i < func->body->num_args; i++) {
    const stp_ir_value_t *arg = func->body->args[i];
    if (arg->type->kind != STP_TYPE_SCALAR && arg->type->kind != STP_TYPE_RUNTIME_ARG) {
      ok = func_error(a, arg->loc,
                      "argument of a kernel must be index, an integer or a float, not '%s'",
                      stp_ir_type_text(a->arena, arg->type));
    }
  }
  return ok;
}

static bool add_to_buffer(stp_analysis_t *a, const stp_ir_op_t *view, int number) {
  stp_kernel_buffer_t *b = &a->buffers[number];
  stp_ir_elem_t elem = view->results[0]->type->elem;
  stp_ir_elem_t storage = view->u.view.storage;
  if (b->elem == STP_ELEM_NONE) {
    b->elem = elem;
    b->storage = storage;
  } else if (stp_ir_elem_bytes(storage) != stp_ir_elem_bytes(b->storage)) {
    stp_diags_add(
        a->diags, STP_DIAG_ERROR, view->loc,
        "'ktdp.construct_memory_view' op views '%%%s' as %s, but another view of it is of "
        "%s, of another width",
        b->name, stp_ir_elem_name(storage), stp_ir_elem_name(b->storage));
    return false;
  }
  follow_view(a, view, b);
  return true;
}

static bool find_buffers(stp_analysis_t *a) {
  const stp_ir_func_t *func = a->func;
  int num_args = func->body->num_args;
  size_t n = (size_t)func->num_values;
  roots_t r = {.a = a,
               .state = stp_arena_array(a->arena, n, 1),
               .root = stp_arena_array(a->arena, n, sizeof(int))};
  stp_param_t *params = stp_arena_array(a->arena, (size_t)num_args, sizeof *params);
  a->buffers =
      stp_arena_array(a->arena, (size_t)num_args + (size_t)a->num_views, sizeof *a->buffers);
  bool ok = true;
  for (int i = 0; i < num_args; i++) {
    const stp_ir_value_t *arg = func->body->args[i];
    params[i] = (stp_param_t){arg->name, STP_PARAM_SCALAR,       arg->type->elem,
                              -1,        arg->type->granularity, arg->type->upperbound};
  }
  for (int i = 0; i < a->num_views; i++) {
    stp_view_t *view = &a->views[i];
    int root = root_of(&r, view->op->u.view.offset);
    if (root == SEVERAL) {
      stp_diags_add(a->diags, STP_DIAG_ERROR, view->op->operand_locs[0],
                    "'ktdp.construct_memory_view' op offset is made from two addresses");
      ok = false;
    } else if (root >= 0) {
      params[root].kind = STP_PARAM_ADDRESS;
      if (view->op->u.view.space->kind == STP_SPACE_CT_LOCAL) {
        stp_diags_add(a->diags, STP_DIAG_ERROR, view->op->operand_locs[0],
                      "'ktdp.construct_memory_view' op offset in ct_local must not come from the "
                      "argument '%%%s'",
                      params[root].name);
        ok = false;
      }
    }
    view->root = root;
  }
  if (!ok) {
    return false;
  }
  for (int i = 0; i < num_args; i++) {
    if (params[i].kind == STP_PARAM_ADDRESS) {
      stp_kernel_buffer_t *b = &a->buffers[a->num_buffers];
      params[i].buffer = a->num_buffers++;
      *b = (stp_kernel_buffer_t){.name = params[i].name, .arg = i, .value = func->body->args[i]};
      if (!stp_ir_elem_is_int(params[i].elem)) {
        return func_error(a, func->body->args[i]->loc, "address '%%%s' must be an integer or index",
                          params[i].name);
      }
    }
  }
  for (int i = 0; i < a->num_views; i++) {
    stp_view_t *view = &a->views[i];
    if (view->root >= 0) {
      view->buffer = params[view->root].buffer;
    } else {
      stp_kernel_buffer_t *b = &a->buffers[a->num_buffers];
      view->buffer = a->num_buffers++;
      *b = (stp_kernel_buffer_t){.name = view->op->results[0]->name,
                                 .arg = -1,
                                 .value = view->op->results[0],
                                 .space = *view->op->u.view.space};
    }
    ok = add_to_buffer(a, view->op, view->buffer) && ok;
  }
  a->params = params;
  return ok;
}

static bool start(stp_analysis_t *a, const stp_ir_func_t *func, stp_arena_t *arena,
                  stp_diags_t *diags) {
  *a = (stp_analysis_t){.func = func, .arena = arena, .diags = diags};
  if (!check_signature(a)) {
    return false;
  }
  for (stp_ir_op_t *op = stp_ir_walk(func->body, NULL); op != NULL;
       op = stp_ir_walk(func->body, op)) {
    a->num_views += op->kind == STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW;
  }
  a->views = stp_arena_array(arena, (size_t)a->num_views, sizeof *a->views);
  int next = 0;
  for (stp_ir_op_t *op = stp_ir_walk(func->body, NULL); op != NULL;
       op = stp_ir_walk(func->body, op)) {
    if (op->kind == STP_OP_KTDP_CONSTRUCT_MEMORY_VIEW) {
      a->views[next++].op = op;
    }
  }
  return find_buffers(a);
}

static void finish(const stp_analysis_t *a, stp_kernel_args_t *result) {
  result->num_params = a->func->body->num_args;
  result->params = a->params;
  result->num_buffers = a->num_buffers;
  result->buffers = a->buffers;
}

bool stp_args_classify(const stp_ir_func_t *func, stp_arena_t *arena, stp_diags_t *diags,
                       stp_kernel_args_t *result) {
  stp_analysis_t a;
  if (!start(&a, func, arena, diags)) {
    return false;
  }
  finish(&a, result);
  return true;
}

bool stp_args_analyze(const stp_ir_func_t *func, const stp_bindings_t *bindings, stp_arena_t *arena,
                      stp_diags_t *diags, stp_kernel_args_t *result) {
  stp_analysis_t a;
  if (!start(&a, func, arena, diags)) {
    return false;
  }
  a.bindings = bindings;
  if (!stp_find_extents(&a)) {
    return false;
  }
  finish(&a, result);
  return true;
}
