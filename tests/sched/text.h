/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the scheduler: kernels written by the test, and the values that they should give. */
#ifndef STP_TEST_SCHED_TEXT_H
#define STP_TEST_SCHED_TEXT_H

#include "bench.h"

/* ---- writing kernels --------------------------------------------------------------------- */

typedef struct text {
  char s[16384];
  int n;
} text_t;

/* All of these append to the text; without room for it the test fails. */
void put(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* View and access tile of a rows x cols matrix on argument `name`; tile of tr x tc at [row, col]
 * (SSA names). */
void put_tile(text_t *t, const char *name, const char *elem, int rows, int cols, int pitch,
              int step, const char *row, const char *col, int tr, int tc);
/* The same of a whole vector. */
void put_vector(text_t *t, const char *name, const char *elem, int size);
void put_load(text_t *t, const char *value, const char *name, const char *shape,
              const char *access);
void put_store(text_t *t, const char *value, const char *name, const char *shape,
               const char *access);
/* Begin and end of the only function, k. */
void put_head(text_t *t, const char *args, const char *grid);
void put_end(text_t *t);
/* Compile the text, place its buffers and fill those that it reads. */
void start(bench_t *b, const text_t *t, unsigned skew, double scale);

/* ---- values ------------------------------------------------------------------------------ */

/* The bits of element `i` of a buffer. */
uint32_t get(bench_t *b, unsigned buffer, size_t i);
/* SFU's operations on one lane, by the library of numerics. */
uint32_t op3(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t x, uint32_t y,
             uint32_t z);
uint32_t op2(unsigned op, unsigned fmt, uint32_t x, uint32_t y);
float as_float(uint32_t bits);
uint32_t as_bits(float f);
float widen(unsigned fmt, uint32_t v);
uint32_t narrow(unsigned fmt, float v);
/* The sum of a row by docs/numerics.md, as f32. */
float row_sum(unsigned fmt, const uint32_t *x, size_t n);

#endif
