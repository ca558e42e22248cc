/* SPDX-License-Identifier: Apache-2.0 */
/* The module in MLIR's generic form. */
#include <inttypes.h>

#include "internal.h"

typedef struct {
  FILE *out;
  stp_arena_t scratch;
} printer_t;

static void print_op(printer_t *pr, const stp_ir_op_t *op, int indent);

static const char *type_text(printer_t *pr, const stp_ir_type_t *type) {
  return stp_ir_type_text(&pr->scratch, type);
}

static void print_string(printer_t *pr, const char *s) {
  fputc('"', pr->out);
  for (; *s != 0; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\' || c < 0x20 || c >= 0x7f) {
      fprintf(pr->out, "\\%02X", c);
    } else {
      fputc(c, pr->out);
    }
  }
  fputc('"', pr->out);
}

/* One number of a dense constant: exact, so floats go as bit patterns. */
static void print_number(printer_t *pr, stp_ir_elem_t elem, uint64_t bits) {
  if (elem == STP_ELEM_I1) {
    fputs(bits != 0 ? "true" : "false", pr->out);
  } else if (stp_ir_elem_is_float(elem)) {
    fprintf(pr->out, "0x%0*" PRIX64, stp_ir_elem_bits(elem) / 4, bits);
  } else {
    fprintf(pr->out, "%" PRId64, (int64_t)bits);
  }
}

static void print_dense_dim(printer_t *pr, const stp_ir_dense_t *d, int dim, int64_t *next) {
  if (dim == d->type->rank) {
    print_number(pr, d->type->elem, d->bits[(*next)++]);
    return;
  }
  fputc('[', pr->out);
  for (int64_t i = 0; i < d->type->dims[dim]; i++) {
    fputs(i > 0 ? ", " : "", pr->out);
    print_dense_dim(pr, d, dim + 1, next);
  }
  fputc(']', pr->out);
}

static void print_dense(printer_t *pr, const stp_ir_dense_t *d) {
  if (d->type->kind == STP_TYPE_SCALAR) {
    print_number(pr, d->type->elem, d->bits[0]);
    if (d->type->elem != STP_ELEM_I1) {
      fprintf(pr->out, " : %s", type_text(pr, d->type));
    }
    return;
  }
  fputs("dense<", pr->out);
  if (d->splat) {
    print_number(pr, d->type->elem, d->bits[0]);
  } else if (d->count > 0) {
    int64_t next = 0;
    print_dense_dim(pr, d, 0, &next);
  }
  fprintf(pr->out, "> : %s", type_text(pr, d->type));
}

static void print_attr(printer_t *pr, const stp_ir_attr_t *attr) {
  switch (attr->kind) {
  case STP_ATTR_UNIT:
  case STP_ATTR_OPAQUE:
    fputs("unit", pr->out);
    break;
  case STP_ATTR_BOOL:
    fputs(attr->i != 0 ? "true" : "false", pr->out);
    break;
  case STP_ATTR_INT:
    fprintf(pr->out, "%" PRId64, attr->i);
    break;
  case STP_ATTR_FLOAT: {
    const char *text = stp_arena_printf(&pr->scratch, "%.17e", attr->f);
    fputs(text, pr->out);
    break;
  }
  case STP_ATTR_STRING:
    print_string(pr, attr->str);
    break;
  case STP_ATTR_TYPE:
    fputs(type_text(pr, attr->type), pr->out);
    break;
  case STP_ATTR_FUNC_TYPE:
    fputc('(', pr->out);
    for (int i = 0; i < attr->num_inputs; i++) {
      fprintf(pr->out, "%s%s", i > 0 ? ", " : "", type_text(pr, attr->types[i]));
    }
    fputs(") -> (", pr->out);
    for (int i = attr->num_inputs; i < attr->count; i++) {
      fprintf(pr->out, "%s%s", i > attr->num_inputs ? ", " : "", type_text(pr, attr->types[i]));
    }
    fputc(')', pr->out);
    break;
  case STP_ATTR_ARRAY:
    fputc('[', pr->out);
    for (int i = 0; i < attr->count; i++) {
      fputs(i > 0 ? ", " : "", pr->out);
      print_attr(pr, attr->items[i]);
    }
    fputc(']', pr->out);
    break;
  case STP_ATTR_INTS:
    fputs("array<i64", pr->out);
    for (int i = 0; i < attr->count; i++) {
      fprintf(pr->out, "%s%" PRId64, i > 0 ? ", " : ": ", attr->ints[i]);
    }
    fputc('>', pr->out);
    break;
  case STP_ATTR_DENSE:
    print_dense(pr, attr->dense);
    break;
  case STP_ATTR_MAP:
    fprintf(pr->out, "affine_map<%s>", stp_affine_map_text(&pr->scratch, attr->map));
    break;
  case STP_ATTR_SET:
    fprintf(pr->out, "affine_set<%s>", stp_affine_set_text(&pr->scratch, attr->set));
    break;
  case STP_ATTR_SPACE:
    fputs(stp_space_text(&pr->scratch, attr->space), pr->out);
    break;
  case STP_ATTR_SYMBOL:
    fprintf(pr->out, "@%s", attr->str);
    break;
  case STP_ATTR_KEYWORD:
    fprintf(pr->out, "#%s<%s>", attr->mnemonic, attr->str);
    break;
  case STP_ATTR_DICT:
    fputc('{', pr->out);
    for (int i = 0; i < attr->count; i++) {
      fputs(i > 0 ? ", " : "", pr->out);
      print_string(pr, attr->keys[i]);
      fputs(" = ", pr->out);
      print_attr(pr, attr->items[i]);
    }
    fputc('}', pr->out);
    break;
  }
}

static void print_types(printer_t *pr, stp_ir_value_t *const *values, int count) {
  fputc('(', pr->out);
  for (int i = 0; i < count; i++) {
    fprintf(pr->out, "%s%s", i > 0 ? ", " : "", type_text(pr, values[i]->type));
  }
  fputc(')', pr->out);
}

static void print_region(printer_t *pr, const stp_ir_block_t *block, int indent) {
  fputs("{\n", pr->out);
  if (block != NULL) {
    if (block->num_args > 0) {
      fprintf(pr->out, "%*s^bb0(", indent, "");
      for (int i = 0; i < block->num_args; i++) {
        fprintf(pr->out, "%s%%%d: %s", i > 0 ? ", " : "", block->args[i]->id,
                type_text(pr, block->args[i]->type));
      }
      fputs("):\n", pr->out);
    }
    for (const stp_ir_op_t *op = block->first; op != NULL; op = op->next) {
      print_op(pr, op, indent + 2);
    }
  }
  fprintf(pr->out, "%*s}", indent, "");
}

static void print_op(printer_t *pr, const stp_ir_op_t *op, int indent) {
  fprintf(pr->out, "%*s", indent, "");
  for (int i = 0; i < op->num_results; i++) {
    fprintf(pr->out, "%s%%%d", i > 0 ? ", " : "", op->results[i]->id);
  }
  fprintf(pr->out, "%s\"%s\"(", op->num_results > 0 ? " = " : "", stp_ir_op_name(op->kind));
  for (int i = 0; i < op->num_operands; i++) {
    fprintf(pr->out, "%s%%%d", i > 0 ? ", " : "", op->operands[i]->id);
  }
  fputc(')', pr->out);
  int printed = 0;
  for (int i = 0; i < op->num_attrs; i++) {
    if (strchr(op->attrs[i].name, '.') == NULL || strncmp(op->attrs[i].name, "steeple.", 8) == 0) {
      fprintf(pr->out, "%s\"%s\" = ", printed++ == 0 ? " <{" : ", ", op->attrs[i].name);
      if (op->kind == STP_OP_ARITH_CONSTANT && strcmp(op->attrs[i].name, "value") == 0) {
        print_dense(pr, op->u.constant);
      } else {
        print_attr(pr, op->attrs[i].value);
      }
    }
  }
  fputs(printed > 0 ? "}>" : "", pr->out);
  if (op->num_regions > 0) {
    fputs(" (", pr->out);
    for (int i = 0; i < op->num_regions; i++) {
      fputs(i > 0 ? ", " : "", pr->out);
      print_region(pr, op->regions[i], indent);
    }
    fputc(')', pr->out);
  }
  fputs(" : ", pr->out);
  print_types(pr, op->operands, op->num_operands);
  fputs(" -> ", pr->out);
  print_types(pr, op->results, op->num_results);
  fputc('\n', pr->out);
}

static void print_func(printer_t *pr, const stp_ir_func_t *func) {
  if (func->body == NULL) {
    return;
  }
  fputs("  \"func.func\"() <{function_type = (", pr->out);
  for (int i = 0; i < func->body->num_args; i++) {
    fprintf(pr->out, "%s%s", i > 0 ? ", " : "", type_text(pr, func->body->args[i]->type));
  }
  fputs(") -> (", pr->out);
  for (int i = 0; i < func->num_result_types; i++) {
    fprintf(pr->out, "%s%s", i > 0 ? ", " : "", type_text(pr, func->result_types[i]));
  }
  fputs("), sym_name = ", pr->out);
  print_string(pr, func->name);
  fputs("}> (", pr->out);
  print_region(pr, func->body, 2);
  fputs(") {grid = [", pr->out);
  for (int i = 0; i < func->grid_rank; i++) {
    fprintf(pr->out, "%s%" PRId64, i > 0 ? ", " : "", func->grid[i]);
  }
  fputs("]} : () -> ()\n", pr->out);
}

void stp_ir_print(const stp_ir_module_t *module, FILE *out) {
  printer_t pr = {.out = out};
  stp_arena_init(&pr.scratch);
  fputs("\"builtin.module\"() ({\n", out);
  for (int i = 0; i < module->num_funcs; i++) {
    print_func(&pr, module->funcs[i]);
  }
  fputs("}) : () -> ()\n", out);
  stp_arena_free(&pr.scratch);
}
