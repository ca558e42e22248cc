/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the interpreter: kernels from text, buffers as long as they must be, numbers. */
#ifndef STP_TESTS_INTERP_BENCH_H
#define STP_TESTS_INTERP_BENCH_H

#include "interp.h"

#define BENCH_MAX 8

typedef struct bench {
  char *text;
  stp_diags_t diags;
  stp_ir_module_t *module;
  const stp_ir_func_t *func;
  stp_arena_t arena;
  stp_kernel_args_t args;
  bool bound[BENCH_MAX];
  int64_t values[BENCH_MAX];
  stp_bindings_t scalars;
  stp_interp_buffer_t exact[BENCH_MAX], wide[BENCH_MAX]; /* data is never NULL */
} bench_t;

/* Read and analyse a kernel; fails the test on errors. Scalars by argument number: the first
   `num_scalars` pairs of (argument, value) in `scalars`. Buffers are poisoned. */
void bench_open(bench_t *b, const char *text, int num_scalars, const int64_t (*scalars)[2]);
void bench_open_file(bench_t *b, const char *path, int num_scalars, const int64_t (*scalars)[2]);
void bench_close(bench_t *b);

/* Run one mode; the float64 run starts from the contents of the exact buffers. */
bool bench_exact(bench_t *b);
bool bench_float64(bench_t *b);
/* Run and fail the test on errors. */
void bench_run(bench_t *b);
/* Run and fail the test unless there is an error with this text, at this line if it is not 0. */
void bench_fails(bench_t *b, const char *message, unsigned line);

/* Elements of a buffer, as integers or bit patterns. */
uint64_t bench_get(const bench_t *b, int buffer, int64_t i);
void bench_set(bench_t *b, int buffer, int64_t i, uint64_t bits);
int64_t bench_extent(const bench_t *b, int buffer);

/* Numbers, in plain floating-point arithmetic. */
double value_of(stp_ir_elem_t elem, uint64_t bits);
uint64_t bits_of(stp_ir_elem_t elem, double value); /* nearest, ties to even; canonical NaN */
float f32_of(uint64_t bits);
uint64_t f32_bits(float value); /* canonical NaN */
/* Fill with numbers of about this size, the same for a seed. */
void bench_random(bench_t *b, int buffer, uint32_t seed, double scale);
/* Bit patterns that matter: zeros, subnormals, extremes, infinities, NaNs. */
int special_bits(stp_ir_elem_t elem, uint64_t *bits); /* at most 32 */

/* A kernel of one tile: buffers %a, %b (and %c) of `ins` types and %y of type `out`, all of n
   elements; `body` makes %r from %x0, %x1, %x2 : tensor<n x T>. The caller frees the text. */
char *elementwise_kernel(int num_ins, const char *const *ins, const char *out, int n,
                         const char *body);

#endif
