/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the interpreter: the caller's buffers, the window of views at constant offsets, LX. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static int64_t buffer_bytes(const stp_kernel_buffer_t *b) {
  return b->extent * stp_ir_elem_bytes(b->storage);
}

static bool no_memory(stp_run_t *r) {
  stp_diags_add(r->diags, STP_DIAG_ERROR, r->func->loc,
                "no memory to interpret '@%s' with buffers of this size", r->func->name);
  return false;
}

/* The doubles beside the bytes, and the maps of who wrote and read what. */
static bool add_shadows(stp_run_t *r, stp_mem_t *mem, bool stored, bool loaded) {
  size_t units = (size_t)(mem->size / mem->unit) + 1;
  if (r->wide) {
    mem->wide = calloc(units, sizeof *mem->wide);
    mem->tag = calloc(units, 1);
    return (mem->wide != NULL && mem->tag != NULL) || no_memory(r);
  }
  if (stored && r->func->num_tiles > 1) {
    mem->writer = calloc(units, sizeof *mem->writer);
    mem->reader = loaded ? calloc(units, sizeof *mem->reader) : NULL;
    return (mem->writer != NULL && (!loaded || mem->reader != NULL)) || no_memory(r);
  }
  return true;
}

static void free_mem(stp_mem_t *mem) {
  if (mem->owned) free(mem->bytes);
  free(mem->wide);
  free(mem->tag);
  free(mem->writer);
  free(mem->reader);
  *mem = (stp_mem_t){0};
}

/* What the buffers that lie at constant offsets in a space of this kind span, in bytes. */
typedef struct {
  int64_t lo, hi;
  int unit;
  bool any, stored, loaded;
} span_t;

static bool in_span(const stp_kernel_buffer_t *b, stp_ir_space_kind_t kind) {
  return b->arg < 0 && b->space.kind == kind && b->extent > 0;
}

static span_t find_span(const stp_run_t *r, stp_ir_space_kind_t kind) {
  span_t s = {0, 0, 8, false, false, false};
  for (int i = 0; i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    if (!in_span(b, kind)) continue;
    int bytes = stp_ir_elem_bytes(b->storage);
    int64_t lo = b->start * bytes, hi = lo + buffer_bytes(b);
    s.lo = !s.any || lo < s.lo ? lo : s.lo;
    s.hi = !s.any || hi > s.hi ? hi : s.hi;
    s.unit = bytes < s.unit ? bytes : s.unit;
    s.stored = s.stored || b->stored;
    s.loaded = s.loaded || b->loaded;
    s.any = true;
  }
  return s;
}

static bool setup_window(stp_run_t *r) {
  span_t s = find_span(r, STP_SPACE_GLOBAL);
  if (!s.any) return true;
  r->window = (stp_mem_t){.name = "memory at constant offsets",
                          .origin = s.lo,
                          .size = s.hi - s.lo,
                          .unit = s.unit,
                          .owned = true};
  r->window.bytes = calloc(1, (size_t)r->window.size);
  if (r->window.bytes == NULL) return no_memory(r);
  for (int i = 0; i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    if (!in_span(b, STP_SPACE_GLOBAL) || r->buffers[i].data == NULL) continue;
    int64_t at = b->start * stp_ir_elem_bytes(b->storage) - s.lo;
    memcpy(r->window.bytes + at, r->buffers[i].data, (size_t)buffer_bytes(b));
  }
  return add_shadows(r, &r->window, s.stored, s.loaded);
}

static bool setup_lx(stp_run_t *r) {
  span_t s = find_span(r, STP_SPACE_CT_LOCAL);
  if (!s.any) return true;
  r->lx = calloc((size_t)r->func->num_tiles, sizeof *r->lx);
  if (r->lx == NULL) return no_memory(r);
  r->lx_origin = s.lo;
  r->lx_size = s.hi - s.lo;
  r->lx_unit = s.unit;
  for (int i = 0; i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    r->lx_shared = r->lx_shared || (in_span(b, STP_SPACE_CT_LOCAL) && b->space.tile >= 0);
  }
  return true;
}

bool stp_mem_setup(stp_run_t *r) {
  r->mem_of_buffer = calloc((size_t)r->args->num_buffers + 1, sizeof *r->mem_of_buffer);
  if (r->mem_of_buffer == NULL) return no_memory(r);
  for (int i = 0; i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    if (b->arg < 0) continue;
    if (r->buffers[i].data == NULL && b->extent > 0) {
      stp_diags_add(r->diags, STP_DIAG_ERROR, b->value->loc, "address '%%%s' has no memory",
                    b->name);
      return false;
    }
    stp_mem_t *mem = &r->mem_of_buffer[i];
    *mem = (stp_mem_t){.name = b->name,
                       .bytes = r->buffers[i].data,
                       .size = buffer_bytes(b),
                       .unit = stp_ir_elem_bytes(b->storage)};
    if (!add_shadows(r, mem, b->stored, b->loaded)) return false;
  }
  return setup_window(r) && setup_lx(r);
}

/* ---- LX ------------------------------------------------------------------------------------- */

/* A tile's LX, made when it is first used: zeros and what is bound. */
static stp_mem_t *lx_of(stp_run_t *r, int64_t tile) {
  stp_mem_t *mem = &r->lx[tile];
  if (mem->bytes != NULL) return mem;
  *mem = (stp_mem_t){
      .name = "LX", .origin = r->lx_origin, .size = r->lx_size, .unit = r->lx_unit, .owned = true};
  mem->bytes = calloc(1, (size_t)mem->size);
  if (mem->bytes == NULL) {
    no_memory(r);
    return NULL;
  }
  for (int i = 0; i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    if (!in_span(b, STP_SPACE_CT_LOCAL) || r->buffers[i].data == NULL ||
        (b->space.tile >= 0 && b->space.tile != tile)) {
      continue;
    }
    int64_t at = b->start * stp_ir_elem_bytes(b->storage) - mem->origin;
    memcpy(mem->bytes + at, r->buffers[i].data, (size_t)buffer_bytes(b));
  }
  return add_shadows(r, mem, false, false) ? mem : NULL;
}

void stp_mem_end_tile(stp_run_t *r) {
  /* Contents do not survive the tile, but other tiles may look at what was bound by name. */
  if (r->lx != NULL && !r->lx_shared) free_mem(&r->lx[r->tile]);
}

stp_mem_t *stp_mem_find(stp_run_t *r, const stp_ir_op_t *op, const stp_ir_value_t *base,
                        const stp_ir_space_t *space) {
  if (base != NULL) {
    int buffer = r->args->params[base->index].buffer;
    if (buffer < 0) {
      stp_run_error(r, op, "views '%%%s', which is not an address", base->name);
      return NULL;
    }
    return &r->mem_of_buffer[buffer];
  }
  if (space->kind == STP_SPACE_CT_LOCAL) {
    if (r->lx == NULL) {
      r->window.name = "nothing"; /* an empty view: it has no element to reach */
      return &r->window;
    }
    return lx_of(r, space->tile >= 0 ? space->tile : r->tile);
  }
  return &r->window;
}

/* ---- access --------------------------------------------------------------------------------- */

static bool locate(stp_run_t *r, const stp_ir_op_t *op, const stp_mem_t *mem, int bytes,
                   int64_t index, int64_t *at) {
  int64_t address;
  if (__builtin_mul_overflow(index, bytes, &address) ||
      __builtin_sub_overflow(address, mem->origin, at) || *at < 0 || *at > mem->size - bytes) {
    return stp_run_error(r, op, "reaches element %lld, outside '%s'", (long long)index, mem->name);
  }
  return true;
}

static uint64_t read_bits(const uint8_t *at, int bytes) {
  uint64_t x = 0;
  for (int i = bytes - 1; i >= 0; i--) x = x << 8 | at[i];
  return x;
}

/* Without inter-tile ops tiles run in no order: one reads what another writes. */
static bool race(stp_run_t *r, const stp_ir_op_t *op, const stp_mem_t *mem, int64_t other,
                 bool reads) {
  bool *reported = reads ? &r->race_reported[2 * op->results[0]->id]
                         : &r->race_reported[2 * op->operands[0]->id + 1];
  if (*reported) return true;
  *reported = true;
  return other < 0 ? stp_run_warn(r, op,
                                  "writes part of '%s' that other tiles have read: a machine may "
                                  "run tiles in any order",
                                  mem->name)
                   : stp_run_warn(r, op,
                                  "%s part of '%s' that tile %lld has %s: a machine may run tiles "
                                  "in any order",
                                  reads ? "reads" : "writes", mem->name, (long long)other,
                                  reads ? "written" : "read");
}

bool stp_mem_load(stp_run_t *r, const stp_ir_op_t *op, stp_mem_t *mem, stp_ir_elem_t storage,
                  int64_t index, stp_cell_t *cell) {
  int bytes = stp_ir_elem_bytes(storage);
  int64_t at = 0;
  if (!locate(r, op, mem, bytes, index, &at)) return false;
  int64_t unit = at / mem->unit;
  if (mem->reader != NULL) {
    int32_t me = (int32_t)r->tile + 1;
    int32_t last = mem->writer[unit];
    if (last != 0 && last != me && op->num_results > 0) race(r, op, mem, last - 1, true);
    mem->reader[unit] = mem->reader[unit] == 0 || mem->reader[unit] == me ? me : -1;
  }
  if (r->wide && mem->tag[unit] == (uint8_t)storage) {
    cell->f = mem->wide[unit];
    return true;
  }
  uint64_t bits = read_bits(mem->bytes + at, bytes);
  if (stp_ir_elem_is_int(storage)) {
    cell->i = stp_int_wrap(bits, storage == STP_ELEM_I1 ? 1 : bytes * 8);
    return true;
  }
  if (storage == STP_ELEM_DL16 || !stp_cell_from_bits(r, storage, bits, cell)) {
    return stp_run_error(r, op, "of elements of type %s is not supported by the interpreter",
                         stp_ir_elem_name(storage));
  }
  return true;
}

bool stp_mem_store(stp_run_t *r, const stp_ir_op_t *op, stp_mem_t *mem, stp_ir_elem_t storage,
                   int64_t index, stp_cell_t cell) {
  int bytes = stp_ir_elem_bytes(storage);
  int64_t at = 0;
  if (!locate(r, op, mem, bytes, index, &at)) return false;
  bool is_float = !stp_ir_elem_is_int(storage);
  if (storage == STP_ELEM_DL16 || (r->wide && is_float && stp_num_fmt(storage) < 0)) {
    return stp_run_error(r, op, "of elements of type %s is not supported by the interpreter",
                         stp_ir_elem_name(storage));
  }
  uint64_t bits = r->wide && is_float ? stp_cell_from_double(storage, cell.f) : cell.u;
  if (bytes < 8) bits &= ((uint64_t)1 << 8 * bytes) - 1;
  int64_t unit = at / mem->unit;
  if (mem->writer != NULL) {
    int32_t me = (int32_t)r->tile + 1;
    bool changes = read_bits(mem->bytes + at, bytes) != bits;
    for (int64_t u = unit; u < (at + bytes) / mem->unit; u++) {
      int32_t last = mem->writer[u];
      if (last != 0 && last != me && changes) {
        return stp_run_error(r, op,
                             "writes element %lld of '%s', to which tile %lld has written another "
                             "value",
                             (long long)index, mem->name, (long long)last - 1);
      }
      if (changes && mem->reader != NULL && mem->reader[u] != 0 && mem->reader[u] != me) {
        race(r, op, mem, mem->reader[u] - 1, false);
      }
      mem->writer[u] = me;
    }
  }
  for (int i = 0; i < bytes; i++) mem->bytes[at + i] = (uint8_t)(bits >> 8 * i);
  if (r->wide) {
    memset(mem->tag + unit, 0, (size_t)(bytes / mem->unit));
    if (is_float) {
      mem->tag[unit] = (uint8_t)storage;
      mem->wide[unit] = cell.f;
    }
  }
  return true;
}

/* ---- results -------------------------------------------------------------------------------- */

static void give_back(stp_run_t *r, int i, stp_mem_t *mem) {
  const stp_kernel_buffer_t *b = &r->args->buffers[i];
  int bytes = stp_ir_elem_bytes(b->storage);
  int64_t from = b->start * bytes - mem->origin; /* start is 0 for arguments */
  if (b->arg >= 0) from = 0;
  if (mem->owned && r->buffers[i].data != NULL) {
    memcpy(r->buffers[i].data, mem->bytes + from, (size_t)buffer_bytes(b));
  }
  if (r->buffers[i].wide == NULL || !r->wide || stp_num_fmt(b->storage) < 0) return;
  for (int64_t k = 0; k < b->extent; k++) {
    int64_t at = from + k * bytes;
    int64_t unit = at / mem->unit;
    r->buffers[i].wide[k] = mem->tag[unit] == (uint8_t)b->storage
                                ? mem->wide[unit]
                                : stp_cell_to_double(b->storage, read_bits(mem->bytes + at, bytes));
  }
}

void stp_mem_finish(stp_run_t *r) {
  for (int i = 0; r->mem_of_buffer != NULL && i < r->args->num_buffers; i++) {
    const stp_kernel_buffer_t *b = &r->args->buffers[i];
    if (b->extent <= 0) continue;
    stp_mem_t *mem = b->arg >= 0 ? &r->mem_of_buffer[i] : &r->window;
    if (b->arg < 0 && b->space.kind == STP_SPACE_CT_LOCAL) {
      mem = r->lx != NULL && b->space.tile >= 0 ? &r->lx[b->space.tile] : NULL;
    }
    if (mem != NULL && mem->bytes != NULL && (!r->wide || mem->tag != NULL)) give_back(r, i, mem);
  }
  for (int i = 0; r->mem_of_buffer != NULL && i < r->args->num_buffers; i++) {
    free_mem(&r->mem_of_buffer[i]);
  }
  for (int64_t i = 0; r->lx != NULL && i < r->func->num_tiles; i++) free_mem(&r->lx[i]);
  free_mem(&r->window);
  free(r->mem_of_buffer);
  free(r->lx);
}
