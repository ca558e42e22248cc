/* SPDX-License-Identifier: Apache-2.0 */
#include "fill.h"
#include "runtime_int.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../npy/npy.h"
#include "numerics.h"

uint64_t stp_buffer_count(const stp_buffer_info_t *b) {
  uint64_t n = 1;
  for (unsigned i = 0; i < b->rank; i++) n *= b->dims[i];
  return n;
}

static void put_le(uint8_t *p, unsigned bytes, uint64_t v) {
  for (unsigned i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get_le(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

/* ---- element types ----------------------------------------------------------------------- */

/* How a type lies in a .npy file, and for floats the format of numerics. */
typedef struct elem {
  const char *type;
  char kind;
  unsigned size;
  bool is_float;
  int format; /* STP_FMT_..., or -1: the numerics library does not have it */
} elem_t;

static const elem_t elems[] = {
    {"i1", 'b', 1, false, -1},          {"i8", 'i', 1, false, -1},
    {"i16", 'i', 2, false, -1},         {"i32", 'i', 4, false, -1},
    {"i64", 'i', 8, false, -1},         {"index", 'i', 8, false, -1},
    {"f16", 'f', 2, true, STP_FMT_F16}, {"bf16", 'u', 2, true, STP_FMT_BF16},
    {"f32", 'f', 4, true, STP_FMT_F32}, {"f8E4M3FN", 'u', 1, true, -1},
    {"f8E5M2", 'u', 1, true, -1},       {"dl16", 'u', 2, true, -1},
};

static const elem_t *find_elem(const char *type) {
  for (size_t i = 0; i < sizeof elems / sizeof *elems; i++) {
    if (strcmp(elems[i].type, type) == 0) return &elems[i];
  }
  return NULL;
}

/* ---- random ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void stp_fill_random(const stp_buffer_info_t *b, uint64_t seed, uint8_t *data) {
  const elem_t *e = find_elem(b->type);
  const uint64_t key = mix(seed) ^ stp_job_hash(b->name, strlen(b->name));
  const uint64_t count = b->bytes / b->elem_bytes;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t x = mix(key + (i + 1) * 0x9e3779b97f4a7c15u);
    uint64_t v = x >> (64 - 8 * b->elem_bytes);
    if (b->is_index && b->index_limit > 0) {
      v = x % (uint64_t)b->index_limit;
    } else if (strcmp(b->type, "i1") == 0) {
      v = x >> 63;
    } else if (e != NULL && e->format >= 0) {
      v = stp_num_from_double((unsigned)e->format, ldexp((double)(x >> 11), -52) - 1.0);
    }
    put_le(data + i * b->elem_bytes, b->elem_bytes, v);
  }
}

/* ---- .npy -------------------------------------------------------------------------------- */

static void shape_text(unsigned rank, const uint64_t *dims, char *buf, size_t size) {
  size_t at = 0;
  buf[0] = '\0';
  for (unsigned i = 0; i < rank && at < size; i++) {
    const int n = snprintf(buf + at, size - at, "%s%" PRIu64, i > 0 ? "x" : "", dims[i]);
    at += n > 0 ? (size_t)n : 0;
  }
  if (rank == 0) snprintf(buf, size, "scalar");
}

static bool same_type(const elem_t *e, const stp_npy_t *a) {
  if (a->size != e->size) return false;
  if (a->kind == e->kind) return true;
  /* MLIR's integers have no sign, and a bool is a byte of 0 or 1. */
  if (!e->is_float && e->kind == 'i') return a->kind == 'u';
  return e->kind == 'b' && a->kind == 'u';
}

/* An element of a file as a double, if that is exact; else as an integer. */
typedef struct number {
  bool is_int, negative;
  uint64_t magnitude;
  double value;
} number_t;

static number_t read_number(const stp_npy_t *a, uint64_t i) {
  const uint64_t bits = get_le(a->data + i * a->size, a->size);
  number_t n = {.is_int = a->kind != 'f'};
  if (a->kind == 'f') {
    if (a->size == 8) {
      memcpy(&n.value, &bits, sizeof bits);
    } else {
      n.value = stp_num_to_double(a->size == 2 ? STP_FMT_F16 : STP_FMT_F32, (uint32_t)bits);
    }
    return n;
  }
  n.magnitude = bits;
  if (a->kind == 'i' && a->data[(i + 1) * a->size - 1] & 0x80) {
    uint64_t extended = bits;
    for (unsigned k = a->size; k < 8; k++) extended |= (uint64_t)0xff << (8 * k);
    n.negative = true;
    n.magnitude = 0 - extended;
  }
  return n;
}

/* A double that rounds to the same number in any format of at most 24 bits: below 53 bits of a
   large integer only the fact that something is there matters. */
static double integer_value(const number_t *n) {
  uint64_t m = n->magnitude;
  int shift = 0;
  for (; m >> 53; shift++) m = m >> 1 | (m & 1);
  const double v = ldexp((double)m, shift);
  return n->negative ? -v : v;
}

static bool convert_one(const elem_t *e, number_t n, uint64_t *bits) {
  if (e->is_float) {
    *bits = stp_num_from_double((unsigned)e->format, n.is_int ? integer_value(&n) : n.value);
    return true;
  }
  if (!n.is_int) {
    const double r = nearbyint(n.value);
    if (!(r > -9.3e18 && r < 1.9e19)) return false;
    n.negative = r < 0;
    const double m = fabs(r);
    if (m >= 18446744073709551616.0) return false;
    n.magnitude = (uint64_t)m;
  }
  const unsigned width = strcmp(e->type, "i1") == 0 ? 1 : 8 * e->size;
  const uint64_t most = n.negative ? (uint64_t)1 << (width - 1) : UINT64_MAX >> (64 - width);
  if (n.magnitude > most) return false;
  *bits = n.negative ? 0 - n.magnitude : n.magnitude;
  return true;
}

static int fill_from(const stp_buffer_info_t *b, const stp_npy_t *a, const char *path, bool convert,
                     uint8_t *data, stp_error_t *error) {
  char want[256], have[256];
  const elem_t *e = find_elem(b->type);
  if (e == NULL) return stp_fail(error, STP_ERROR_INPUT, "'%s': unknown type", b->name);
  shape_text(b->rank, b->dims, want, sizeof want);
  shape_text(a->rank, a->dims, have, sizeof have);
  if (a->rank != b->rank || memcmp(a->dims, b->dims, b->rank * sizeof *b->dims) != 0) {
    return stp_fail(error, STP_ERROR_INPUT, "%s: the array is %s, but '%s' is %s", path, have,
                    b->name, want);
  }
  const bool same = same_type(e, a);
  if (!same && !convert) {
    return stp_fail(error, STP_ERROR_INPUT,
                    "%s: the elements are '%c%u', but those of '%s' are %s, which is '%c%u' "
                    "(--convert rounds them)",
                    path, a->kind, a->size, b->name, b->type, e->kind, e->size);
  }
  if (!same && e->is_float && e->format < 0) {
    return stp_fail(error, STP_ERROR_INPUT, "%s: conversion to %s is not supported", path, b->type);
  }
  for (uint64_t i = 0; i < a->count; i++) {
    uint64_t bits = get_le(a->data + i * a->size, a->size);
    if (!same && !convert_one(e, read_number(a, i), &bits)) {
      return stp_fail(error, STP_ERROR_INPUT, "%s: element %" PRIu64 " does not fit in %s", path, i,
                      b->type);
    }
    if (same && e->kind == 'b' && bits > 1) {
      return stp_fail(error, STP_ERROR_INPUT,
                      "%s: element %" PRIu64 " is %" PRIu64 ", but an i1 is 0 or 1", path, i, bits);
    }
    put_le(data + i * b->elem_bytes, b->elem_bytes, bits);
  }
  return 0;
}

int stp_fill_npy(const stp_buffer_info_t *b, const char *path, bool convert, uint8_t *data,
                 stp_error_t *error) {
  stp_npy_t a;
  char text[512];
  if (stp_npy_read(path, &a, text, sizeof text) != 0) {
    return stp_fail(error, STP_ERROR_INPUT, "%s", text);
  }
  const int status = fill_from(b, &a, path, convert, data, error);
  stp_npy_free(&a);
  return status;
}

int stp_save_npy(const stp_buffer_info_t *b, const char *path, const uint8_t *data,
                 stp_error_t *error) {
  const elem_t *e = find_elem(b->type);
  if (e == NULL) return stp_fail(error, STP_ERROR_INPUT, "'%s': unknown type", b->name);
  stp_npy_t a = {.kind = e->kind, .size = e->size, .rank = b->rank, .count = stp_buffer_count(b)};
  memcpy(a.dims, b->dims, b->rank * sizeof *b->dims);
  char text[512];
  if (stp_npy_write(path, &a, data, text, sizeof text) != 0) {
    return stp_fail(error, STP_ERROR_INPUT, "%s", text);
  }
  return 0;
}

/* ---- scalars ----------------------------------------------------------------------------- */

static int parse_integer(const char *type, const char *text, unsigned width, int64_t *value,
                         stp_error_t *error) {
  const bool negative = text[0] == '-';
  const char *digits = text + negative;
  char *end;
  errno = 0;
  const unsigned long long m = strtoull(digits, &end, 0);
  if (digits[0] < '0' || digits[0] > '9' || *end != '\0') {
    return stp_fail(error, STP_ERROR_USAGE, "'%s' is no integer", text);
  }
  const uint64_t most = negative ? (uint64_t)1 << (width - 1) : UINT64_MAX >> (64 - width);
  if (errno != 0 || m > most) {
    return stp_fail(error, STP_ERROR_USAGE, "%s does not fit in %s", text, type);
  }
  const uint64_t bits = negative ? 0 - (uint64_t)m : (uint64_t)m;
  /* Sign-extended from the type's width; an i1 is 0 or 1. */
  *value = width == 1 ? (int64_t)(bits & 1)
                      : (int64_t)(bits << (64 - width)) / ((int64_t)1 << (64 - width));
  return 0;
}

int stp_parse_scalar(const char *type, const char *text, int64_t *value, stp_error_t *error) {
  const elem_t *e = find_elem(type);
  if (e == NULL) return stp_fail(error, STP_ERROR_INPUT, "unknown type '%s'", type);
  if (!e->is_float) {
    const unsigned width = strcmp(type, "i1") == 0 ? 1 : 8 * e->size;
    if (width == 1 && strcmp(text, "true") == 0) text = "1";
    if (width == 1 && strcmp(text, "false") == 0) text = "0";
    return parse_integer(type, text, width, value, error);
  }
  if (e->format < 0) {
    return stp_fail(error, STP_ERROR_INPUT, "scalars of type %s are not supported", type);
  }
  char *end;
  const double v = strtod(text, &end);
  if (end == text || *end != '\0') {
    return stp_fail(error, STP_ERROR_USAGE, "'%s' is no number", text);
  }
  *value = stp_num_from_double((unsigned)e->format, v);
  return 0;
}
