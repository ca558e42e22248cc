/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every op, and use lists. */
#include "internal.h"

bool stp_v_error_at(stp_verifier_t *v, const stp_ir_op_t *op, stp_loc_t loc, const char *format,
                    ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(&v->scratch, format, args);
  va_end(args);
  stp_diags_add(v->diags, STP_DIAG_ERROR, loc, "'%s' op %s", stp_ir_op_name(op->kind), message);
  return false;
}

bool stp_v_error(stp_verifier_t *v, const stp_ir_op_t *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(&v->scratch, format, args);
  va_end(args);
  return stp_v_error_at(v, op, op->loc, "%s", message);
}

void stp_v_warn(stp_verifier_t *v, const stp_ir_op_t *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = stp_arena_vprintf(&v->scratch, format, args);
  va_end(args);
  stp_diags_add(v->diags, STP_DIAG_WARNING, op->loc, "'%s' op %s", stp_ir_op_name(op->kind),
                message);
}

const char *stp_v_type(stp_verifier_t *v, const stp_ir_type_t *type) {
  return stp_ir_type_text(&v->scratch, type);
}

stp_loc_t stp_v_attr_loc(const stp_ir_op_t *op, const char *name) {
  const stp_ir_attr_t *attr = stp_ir_op_attr(op, name);
  return attr != NULL && attr->loc.line != 0 ? attr->loc : op->loc;
}

/* ---- regions ------------------------------------------------------------------------------ */

static stp_ir_op_kind_t terminator_of(stp_ir_op_kind_t parent) {
  switch (parent) {
  case STP_OP_NONE:
    return STP_OP_FUNC_RETURN;
  case STP_OP_SCF_FOR:
  case STP_OP_SCF_IF:
    return STP_OP_SCF_YIELD;
  case STP_OP_SCF_PARALLEL:
    return STP_OP_SCF_REDUCE;
  case STP_OP_SCF_FORALL:
    return STP_OP_SCF_FORALL_IN_PARALLEL;
  case STP_OP_SCF_REDUCE:
    return STP_OP_SCF_REDUCE_RETURN;
  case STP_OP_TENSOR_GENERATE:
    return STP_OP_TENSOR_YIELD;
  case STP_OP_KTDP_INTER_TILE_PRODUCE:
    return STP_OP_KTDP_YIELD_PARTIAL;
  case STP_OP_KTDP_INTER_TILE_REDUCE:
  case STP_OP_KTDP_INTER_TILE_REDUCE_SCATTER:
    return STP_OP_KTDP_YIELD_REDUCED;
  case STP_OP_KTDP_CONSTRUCT_INDIRECT_ACCESS_TILE:
    return STP_OP_KTDP_REGION_TERMINATOR;
  default:
    return STP_OP_LINALG_YIELD;
  }
}

static bool is_terminator(stp_ir_op_kind_t kind) {
  return kind == STP_OP_FUNC_RETURN || kind == STP_OP_SCF_YIELD || kind == STP_OP_SCF_REDUCE ||
         kind == STP_OP_SCF_FORALL_IN_PARALLEL || kind == STP_OP_SCF_REDUCE_RETURN ||
         kind == STP_OP_TENSOR_YIELD || kind == STP_OP_KTDP_YIELD_PARTIAL ||
         kind == STP_OP_KTDP_YIELD_REDUCED || kind == STP_OP_KTDP_REGION_TERMINATOR ||
         kind == STP_OP_LINALG_YIELD;
}

static bool verify_block(stp_verifier_t *v, const stp_ir_block_t *block) {
  const stp_ir_op_t *parent = block->parent;
  stp_ir_op_kind_t expected = terminator_of(parent != NULL ? parent->kind : STP_OP_NONE);
  if (parent != NULL && parent->kind == STP_OP_SCF_FORALL_IN_PARALLEL) {
    return true; /* has no terminator */
  }
  if (block->last != NULL && block->last->kind == expected) {
    return true;
  }
  if (block->last != NULL && is_terminator(block->last->kind)) {
    return stp_v_error(v, block->last, "ends this block, but '%s' is expected",
                       stp_ir_op_name(expected));
  }
  stp_loc_t loc = block->last != NULL ? block->last->loc : block->loc;
  stp_diags_add(v->diags, STP_DIAG_ERROR, loc, "the block that ends here must end with '%s'",
                stp_ir_op_name(expected));
  return false;
}

static bool verify_return(stp_verifier_t *v, const stp_ir_op_t *op) {
  const stp_ir_func_t *func = v->func;
  if (op->num_operands != func->num_result_types) {
    return stp_v_error(v, op, "returns %d value%s, but the function has %d result%s",
                       op->num_operands, op->num_operands == 1 ? "" : "s", func->num_result_types,
                       func->num_result_types == 1 ? "" : "s");
  }
  for (int i = 0; i < op->num_operands; i++) {
    if (op->operands[i]->type != func->result_types[i]) {
      return stp_v_error_at(
          v, op, op->operand_locs[i], "returns '%s' as result %d, but the function says '%s'",
          stp_v_type(v, op->operands[i]->type), i, stp_v_type(v, func->result_types[i]));
    }
  }
  return true;
}

static bool verify_op(stp_verifier_t *v, stp_ir_op_t *op) {
  const char *name = stp_ir_op_name(op->kind);
  switch (name[0]) {
  case 'k':
    return stp_verify_ktdp(v, op);
  case 's':
    return stp_verify_scf(v, op);
  case 'a':
    return stp_verify_arith(v, op);
  case 'l':
    return stp_verify_linalg(v, op);
  case 't':
    return stp_verify_tensor(v, op);
  case 'f':
    return verify_return(v, op);
  default:
    return op->kind == STP_OP_MEMREF_SUBVIEW ? stp_verify_tensor(v, op) : stp_verify_arith(v, op);
  }
}

/* Use lists in program order: walk backwards, prepending. */
static void build_uses(stp_ir_module_t *module, stp_ir_func_t *func) {
  STP_VEC(stp_ir_op_t *) ops = {0};
  for (stp_ir_op_t *op = stp_ir_walk(func->body, NULL); op != NULL;
       op = stp_ir_walk(func->body, op)) {
    STP_VEC_PUSH(&module->arena, &ops, op);
  }
  for (int i = ops.count - 1; i >= 0; i--) {
    stp_ir_op_t *op = ops.data[i];
    for (int k = op->num_operands - 1; k >= 0; k--) {
      stp_ir_value_t *value = op->operands[k];
      stp_ir_use_t *use = stp_arena_alloc(&module->arena, sizeof *use);
      *use = (stp_ir_use_t){op, k, value->uses};
      value->uses = use;
      value->num_uses++;
    }
  }
  func->num_ops = ops.count;
}

void stp_verify_func(stp_ir_module_t *module, stp_ir_func_t *func, stp_diags_t *diags) {
  stp_verifier_t v = {.module = module, .func = func, .diags = diags};
  stp_arena_init(&v.scratch);
  build_uses(module, func);
  verify_block(&v, func->body);
  for (stp_ir_op_t *op = stp_ir_walk(func->body, NULL); op != NULL && !stp_diags_full(diags);
       op = stp_ir_walk(func->body, op)) {
    bool ok = true;
    for (int i = 0; i < op->num_regions; i++) {
      ok = (op->regions[i] == NULL || verify_block(&v, op->regions[i])) && ok;
    }
    if (ok) {
      verify_op(&v, op);
    }
  }
  stp_arena_free(&v.scratch);
}
