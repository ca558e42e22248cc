/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

/* ---- elements ---------------------------------------------------------------------------- */

static const struct {
  const char *name;
  int bits;
  bool is_float;
} elems[] = {
    [STP_ELEM_NONE] = {"none", 0, false},
    [STP_ELEM_I1] = {"i1", 1, false},
    [STP_ELEM_I8] = {"i8", 8, false},
    [STP_ELEM_I16] = {"i16", 16, false},
    [STP_ELEM_I32] = {"i32", 32, false},
    [STP_ELEM_I64] = {"i64", 64, false},
    [STP_ELEM_INDEX] = {"index", 64, false},
    [STP_ELEM_F16] = {"f16", 16, true},
    [STP_ELEM_BF16] = {"bf16", 16, true},
    [STP_ELEM_F32] = {"f32", 32, true},
    [STP_ELEM_F8E4M3FN] = {"f8E4M3FN", 8, true},
    [STP_ELEM_F8E5M2] = {"f8E5M2", 8, true},
    [STP_ELEM_DL16] = {"dl16", 16, true},
};

bool stp_ir_elem_is_float(stp_ir_elem_t elem) {
  return elems[elem].is_float;
}
bool stp_ir_elem_is_int(stp_ir_elem_t elem) {
  return elem >= STP_ELEM_I1 && elem <= STP_ELEM_INDEX;
}
int stp_ir_elem_bits(stp_ir_elem_t elem) {
  return elems[elem].bits;
}
int stp_ir_elem_bytes(stp_ir_elem_t elem) {
  return (elems[elem].bits + 7) / 8;
}
const char *stp_ir_elem_name(stp_ir_elem_t elem) {
  return elems[elem].name;
}

stp_ir_elem_t stp_elem_from_name(const char *name, size_t len) {
  for (int e = STP_ELEM_I1; e <= STP_ELEM_F8E5M2; e++) {
    if (strlen(elems[e].name) == len && memcmp(elems[e].name, name, len) == 0) {
      return (stp_ir_elem_t)e;
    }
  }
  return STP_ELEM_NONE;
}

/* ---- memory spaces ----------------------------------------------------------------------- */

bool stp_space_equal(const stp_ir_space_t *a, const stp_ir_space_t *b) {
  return a == b || (a != NULL && b != NULL && a->kind == b->kind && a->tile == b->tile);
}

const char *stp_space_text(stp_arena_t *arena, const stp_ir_space_t *space) {
  if (space->kind == STP_SPACE_GLOBAL) {
    return "#ktdp.memory_space<global>";
  }
  if (space->tile < 0) {
    return "#ktdp.memory_space<ct_local>";
  }
  return stp_arena_printf(arena, "#ktdp.memory_space<ct_local, ct_id = %lld>",
                          (long long)space->tile);
}

/* ---- unique types ------------------------------------------------------------------------ */

typedef struct type_entry {
  stp_ir_type_t type;
  struct type_entry *next;
} type_entry_t;

#define NUM_BUCKETS 256

struct stp_ir_types {
  type_entry_t *buckets[NUM_BUCKETS];
  const stp_ir_type_t *none;
  const stp_ir_type_t *scalars[STP_ELEM_DL16 + 1];
};

static uint64_t mix(uint64_t hash, uint64_t x) {
  return (hash ^ x) * 0x100000001b3u;
}

static uint64_t hash_type(const stp_ir_type_t *t) {
  uint64_t hash = mix(mix(mix(0xcbf29ce484222325u, t->kind), t->elem), (uint64_t)t->rank);
  for (int i = 0; i < t->rank; i++) {
    hash = mix(hash, (uint64_t)t->dims[i]);
  }
  hash = mix(hash, (uint64_t)t->num_members);
  return hash ^ hash >> 32;
}

static bool same_ints(const int64_t *a, const int64_t *b, int n) {
  if (n == 0 || a == b) {
    return true;
  }
  return a != NULL && b != NULL && memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool same_type(const stp_ir_type_t *a, const stp_ir_type_t *b) {
  if (a->kind != b->kind || a->elem != b->elem || a->rank != b->rank ||
      !same_ints(a->dims, b->dims, a->rank) || (a->strides == NULL) != (b->strides == NULL) ||
      !same_ints(a->strides, b->strides, a->rank) || a->offset != b->offset ||
      !stp_space_equal(a->space, b->space) || a->num_members != b->num_members ||
      a->granularity != b->granularity || a->upperbound != b->upperbound ||
      (a->groups == NULL) != (b->groups == NULL)) {
    return false;
  }
  for (int i = 0; i < a->num_members; i++) {
    if (a->members[i] != b->members[i]) {
      return false;
    }
  }
  return a->groups == NULL || stp_affine_set_equal(a->groups, b->groups);
}

const stp_ir_type_t *stp_type_unique(stp_ir_module_t *module, const stp_ir_type_t *type) {
  type_entry_t **bucket = &module->types->buckets[hash_type(type) % NUM_BUCKETS];
  for (type_entry_t *e = *bucket; e != NULL; e = e->next) {
    if (same_type(&e->type, type)) {
      return &e->type;
    }
  }
  stp_arena_t *arena = &module->arena;
  type_entry_t *e = stp_arena_alloc(arena, sizeof *e);
  e->type = *type;
  e->type.dims = stp_arena_copy(arena, type->dims, (size_t)type->rank * sizeof *type->dims);
  if (type->strides != NULL) {
    e->type.strides =
        stp_arena_copy(arena, type->strides, (size_t)type->rank * sizeof *type->strides);
  }
  if (type->num_members > 0) {
    e->type.members =
        stp_arena_copy(arena, type->members, (size_t)type->num_members * sizeof(void *));
  }
  e->next = *bucket;
  *bucket = e;
  return &e->type;
}

const stp_ir_type_t *stp_type_shaped(stp_ir_module_t *module, stp_ir_type_kind_t kind,
                                     stp_ir_elem_t elem, int rank, const int64_t *dims) {
  stp_ir_type_t type = {.kind = kind, .elem = elem, .rank = rank, .dims = dims};
  return stp_type_unique(module, &type);
}

void stp_types_init(stp_ir_module_t *module) {
  module->types = stp_arena_alloc(&module->arena, sizeof *module->types);
  stp_ir_type_t none = {.kind = STP_TYPE_NONE};
  module->types->none = stp_type_unique(module, &none);
  for (int e = STP_ELEM_I1; e <= STP_ELEM_F8E5M2; e++) {
    stp_ir_type_t type = {.kind = STP_TYPE_SCALAR, .elem = (stp_ir_elem_t)e};
    module->types->scalars[e] = stp_type_unique(module, &type);
  }
}

const stp_ir_type_t *stp_type_none(stp_ir_module_t *module) {
  return module->types->none;
}

const stp_ir_type_t *stp_type_scalar(stp_ir_module_t *module, stp_ir_elem_t elem) {
  return module->types->scalars[elem];
}

bool stp_type_is_index(const stp_ir_type_t *type) {
  return type->kind == STP_TYPE_SCALAR && type->elem == STP_ELEM_INDEX;
}

bool stp_type_is_scalar_or_tensor(const stp_ir_type_t *type) {
  return type->kind == STP_TYPE_SCALAR || type->kind == STP_TYPE_TENSOR;
}

int64_t stp_ir_type_count(const stp_ir_type_t *type) {
  int64_t count = 1;
  for (int i = 0; i < type->rank; i++) {
    if (type->dims[i] == STP_IR_DYNAMIC || __builtin_mul_overflow(count, type->dims[i], &count)) {
      return -1;
    }
  }
  return count;
}

/* ---- text -------------------------------------------------------------------------------- */

static const char *dims_text(stp_arena_t *arena, const stp_ir_type_t *type) {
  const char *text = "";
  for (int i = 0; i < type->rank; i++) {
    text = type->dims[i] == STP_IR_DYNAMIC
               ? stp_arena_printf(arena, "%s?x", text)
               : stp_arena_printf(arena, "%s%lldx", text, (long long)type->dims[i]);
  }
  return text;
}

static const char *number_text(stp_arena_t *arena, int64_t n) {
  return n == STP_IR_DYNAMIC ? "?" : stp_arena_printf(arena, "%lld", (long long)n);
}

static const char *memref_text(stp_arena_t *arena, const stp_ir_type_t *type) {
  const char *text =
      stp_arena_printf(arena, "memref<%s%s", dims_text(arena, type), stp_ir_elem_name(type->elem));
  if (type->strides != NULL) {
    text = stp_arena_printf(arena, "%s, strided<[", text);
    for (int i = 0; i < type->rank; i++) {
      text = stp_arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "",
                              number_text(arena, type->strides[i]));
    }
    text = stp_arena_printf(arena, "%s]", text);
    if (type->offset != 0) {
      text = stp_arena_printf(arena, "%s, offset: %s", text, number_text(arena, type->offset));
    }
    text = stp_arena_printf(arena, "%s>", text);
  }
  if (type->space != NULL) {
    text = stp_arena_printf(arena, "%s, %s", text, stp_space_text(arena, type->space));
  }
  return stp_arena_printf(arena, "%s>", text);
}

const char *stp_ir_type_text(stp_arena_t *arena, const stp_ir_type_t *type) {
  switch (type->kind) {
  case STP_TYPE_NONE:
    return "<error>";
  case STP_TYPE_SCALAR:
    return stp_ir_elem_name(type->elem);
  case STP_TYPE_TENSOR:
    return stp_arena_printf(arena, "tensor<%s%s>", dims_text(arena, type),
                            stp_ir_elem_name(type->elem));
  case STP_TYPE_MEMREF:
    return memref_text(arena, type);
  case STP_TYPE_ACCESS_TILE:
    return stp_arena_printf(arena, "!ktdp.access_tile<%sindex>", dims_text(arena, type));
  case STP_TYPE_TILE_FUTURE: {
    const char *text = "!ktdp.tile_future<(";
    for (int i = 0; i < type->num_members; i++) {
      text = stp_arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "",
                              stp_ir_type_text(arena, type->members[i]));
    }
    return stp_arena_printf(arena, "%s), groups = affine_set<%s>>", text,
                            stp_affine_set_text(arena, type->groups));
  }
  case STP_TYPE_RUNTIME_ARG: {
    const char *text =
        stp_arena_printf(arena, "!ktdp.runtime_arg<%s", stp_ir_elem_name(type->elem));
    if (type->granularity > 0) {
      text = stp_arena_printf(arena, "%s, granularity=%lld", text, (long long)type->granularity);
    }
    if (type->upperbound > 0) {
      text = stp_arena_printf(arena, "%s, upperbound=%lld", text, (long long)type->upperbound);
    }
    return stp_arena_printf(arena, "%s>", text);
  }
  }
  return "?";
}
