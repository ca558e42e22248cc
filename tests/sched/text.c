/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics.h"
#include "stp_isa.h"

/* ---- writing kernels --------------------------------------------------------------------------
 */

void put(text_t *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  t->n += vsnprintf(t->s + t->n, sizeof t->s - (size_t)t->n, format, args);
  va_end(args);
  assert_true(t->n < (int)sizeof t->s);
}

void put_tile(text_t *t, const char *name, const char *elem, int rows, int cols, int pitch,
              int step, const char *row, const char *col, int tr, int tc) {
  put(t,
      "%%%s_view = ktdp.construct_memory_view %%%s, sizes: [%d, %d], strides: [%d, %d] {\n"
      "  coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
      "0)>,\n"
      "  memory_space = #ktdp.spyre_memory_space<HBM>\n} : memref<%dx%dx%s>\n",
      name, name, rows, cols, pitch, step, rows - 1, cols - 1, rows, cols, elem);
  put(t,
      "%%%s_tile = ktdp.construct_access_tile %%%s_view[%s, %s] {\n"
      "  access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + %d >= 0, d1 >= 0, -d1 + %d >= "
      "0)>,\n"
      "  access_tile_order = affine_map<(d0, d1) -> (d0, d1)>\n"
      "} : memref<%dx%dx%s> -> !ktdp.access_tile<%dx%dxindex>\n",
      name, name, row, col, tr - 1, tc - 1, rows, cols, elem, tr, tc);
}

void put_vector(text_t *t, const char *name, const char *elem, int size) {
  put(t,
      "%%%s_view = ktdp.construct_memory_view %%%s, sizes: [%d], strides: [1] {\n"
      "  coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + %d >= 0)>,\n"
      "  memory_space = #ktdp.spyre_memory_space<HBM>\n} : memref<%dx%s>\n"
      "%%%s_tile = ktdp.construct_access_tile %%%s_view[%%c0] {\n"
      "  access_tile_set = affine_set<(d0) : (d0 >= 0, -d0 + %d >= 0)>,\n"
      "  access_tile_order = affine_map<(d0) -> (d0)>\n"
      "} : memref<%dx%s> -> !ktdp.access_tile<%dxindex>\n",
      name, name, size, size - 1, size, elem, name, name, size - 1, size, elem, size);
}

void put_load(text_t *t, const char *value, const char *name, const char *shape,
              const char *access) {
  put(t, "%%%s = ktdp.load %%%s_tile : !ktdp.access_tile<%sxindex> -> tensor<%s>\n", value, name,
      access, shape);
}

void put_store(text_t *t, const char *value, const char *name, const char *shape,
               const char *access) {
  put(t, "ktdp.store %%%s, %%%s_tile : tensor<%s>, !ktdp.access_tile<%sxindex>\n", value, name,
      shape, access);
}

void put_head(text_t *t, const char *args, const char *grid) {
  put(t, "module {\nfunc.func @k(%s) attributes {grid = [%s]} {\n%%c0 = arith.constant 0 : index\n",
      args, grid);
}

void put_end(text_t *t) {
  put(t, "return\n}\n}\n");
}

void start(bench_t *b, const text_t *t, unsigned skew, double scale) {
  if (!bench_compile_text(b, "kernel.mlir", t->s, -1, 0, false)) {
    fprintf(stderr, "%s\n", t->s);
    fail();
  }
  bench_place(b, skew);
  for (uint32_t i = 0; i < b->job->num_buffers; i++) {
    if (b->job->buffers[i].dir & STP_JOB_READ) bench_random(b, i, i + 7, scale);
  }
}

/* ---- values -----------------------------------------------------------------------------------
 */

uint32_t get(bench_t *b, unsigned buffer, size_t i) {
  unsigned bytes = stp_job_elem_bytes(b->job->buffers[buffer].elem);
  uint32_t v = 0;
  memcpy(&v, bench_buffer(b, buffer) + i * bytes, bytes);
  return v;
}

uint32_t op3(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t x, uint32_t y,
             uint32_t z) {
  return stp_num_exact()->op(op, fn, fmt, sfmt, x, y, z);
}

uint32_t op2(unsigned op, unsigned fmt, uint32_t x, uint32_t y) {
  return op3(op, 0, fmt, 0, x, y, 0);
}

float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

uint32_t as_bits(float f) {
  uint32_t v;
  memcpy(&v, &f, 4);
  return v;
}

float widen(unsigned fmt, uint32_t v) {
  return (float)stp_num_to_double(fmt, v);
}

uint32_t narrow(unsigned fmt, float v) {
  return op3(STP_OP_VPACK, 0, fmt, 0, as_bits(v), 0, 0);
}

float row_sum(unsigned fmt, const uint32_t *x, size_t n) {
  float lane[64] = {0};
  for (size_t i = 0; i < n; i++) lane[i % 64] += widen(fmt, x[i]);
  for (size_t half = 32; half; half /= 2) {
    for (size_t i = 0; i < half; i++) lane[i] += lane[i + half];
  }
  return lane[0];
}
