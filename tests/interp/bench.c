/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void bench_open(bench_t *b, const char *text, int num_scalars, const int64_t (*scalars)[2]) {
  memset(b, 0, sizeof *b);
  b->text = strdup(text);
  stp_diags_init(&b->diags, "kernel", b->text, strlen(b->text));
  stp_arena_init(&b->arena);
  b->module = stp_ktir_read("kernel", b->text, strlen(b->text), &b->diags);
  for (int i = 0; i < num_scalars; i++) {
    b->bound[scalars[i][0]] = true;
    b->values[scalars[i][0]] = scalars[i][1];
  }
  b->scalars = (stp_bindings_t){BENCH_MAX, b->bound, b->values};
  bool ok = b->module != NULL;
  if (ok) {
    b->func = stp_ir_func_find(b->module, NULL);
    ok = stp_args_analyze(b->func, &b->scalars, &b->arena, &b->diags, &b->args);
  }
  if (!ok) {
    stp_diags_print(&b->diags, stderr);
    fail_msg("the kernel does not read");
  }
  assert_true(b->args.num_buffers <= BENCH_MAX);
  for (int i = 0; i < b->args.num_buffers; i++) {
    const stp_kernel_buffer_t *k = &b->args.buffers[i];
    size_t bytes = (size_t)(k->extent * stp_ir_elem_bytes(k->storage));
    b->exact[i].data = malloc(bytes + (bytes == 0));
    b->wide[i].data = malloc(bytes + (bytes == 0));
    b->wide[i].wide = malloc((size_t)k->extent * sizeof(double) + 1);
    memset(b->exact[i].data, 0x5a, bytes);
  }
}

void bench_open_file(bench_t *b, const char *path, int num_scalars, const int64_t (*scalars)[2]) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) fail_msg("cannot read %s", path);
  char *text = calloc(1, 1 << 16);
  size_t n = fread(text, 1, (1 << 16) - 1, f);
  fclose(f);
  assert_true(n > 0);
  bench_open(b, text, num_scalars, scalars);
  free(text);
}

void bench_close(bench_t *b) {
  for (int i = 0; i < b->args.num_buffers; i++) {
    free(b->exact[i].data);
    free(b->wide[i].data);
    free(b->wide[i].wide);
  }
  stp_ir_module_free(b->module);
  stp_arena_free(&b->arena);
  stp_diags_free(&b->diags);
  free(b->text);
}

bool bench_exact(bench_t *b) {
  const stp_interp_options_t options = {STP_INTERP_EXACT, 0};
  return stp_interp_run(b->func, &b->scalars, &b->args, b->exact, &options, &b->diags);
}

bool bench_float64(bench_t *b) {
  const stp_interp_options_t options = {STP_INTERP_FLOAT64, 0};
  for (int i = 0; i < b->args.num_buffers; i++) {
    const stp_kernel_buffer_t *k = &b->args.buffers[i];
    memcpy(b->wide[i].data, b->exact[i].data, (size_t)(k->extent * stp_ir_elem_bytes(k->storage)));
  }
  return stp_interp_run(b->func, &b->scalars, &b->args, b->wide, &options, &b->diags);
}

void bench_run(bench_t *b) {
  if (!bench_exact(b)) {
    stp_diags_print(&b->diags, stderr);
    fail_msg("the kernel does not run");
  }
}

void bench_fails(bench_t *b, const char *message, unsigned line) {
  if (bench_exact(b)) fail_msg("the kernel runs, but '%s' was expected", message);
  for (int i = 0; i < b->diags.list.count; i++) {
    const stp_diag_t *d = &b->diags.list.data[i];
    if (d->severity == STP_DIAG_ERROR && strstr(d->message, message) != NULL) {
      if (line != 0) assert_int_equal(d->loc.line, line);
      return;
    }
  }
  stp_diags_print(&b->diags, stderr);
  fail_msg("no error says '%s'", message);
}

static int width(const bench_t *b, int buffer) {
  return stp_ir_elem_bytes(b->args.buffers[buffer].storage);
}

uint64_t bench_get(const bench_t *b, int buffer, int64_t i) {
  uint64_t bits = 0;
  int n = width(b, buffer);
  assert_true(i >= 0 && i < bench_extent(b, buffer));
  memcpy(&bits, b->exact[buffer].data + i * n, (size_t)n);
  return bits;
}

void bench_set(bench_t *b, int buffer, int64_t i, uint64_t bits) {
  int n = width(b, buffer);
  assert_true(i >= 0 && i < bench_extent(b, buffer));
  memcpy(b->exact[buffer].data + i * n, &bits, (size_t)n);
}

int64_t bench_extent(const bench_t *b, int buffer) {
  return b->args.buffers[buffer].extent;
}

/* ---- numbers -------------------------------------------------------------------------------- */

float f32_of(uint64_t bits) {
  uint32_t x = (uint32_t)bits;
  float f;
  memcpy(&f, &x, 4);
  return f;
}

uint64_t f32_bits(float value) {
  uint32_t x;
  memcpy(&x, &value, 4);
  return isnan(value) ? 0x7fc00000u : x;
}

double value_of(stp_ir_elem_t elem, uint64_t bits) {
  if (elem == STP_ELEM_F32) return (double)f32_of(bits);
  if (elem == STP_ELEM_BF16) return (double)f32_of(bits << 16);
  int field = bits >> 10 & 31;
  double m = (double)(bits & 1023), x;
  if (field == 31)
    x = m != 0 ? (double)NAN : HUGE_VAL;
  else
    x = field == 0 ? ldexp(m, -24) : ldexp(m + 1024, field - 25);
  return bits >> 15 & 1 ? -x : x;
}

uint64_t bits_of(stp_ir_elem_t elem, double value) {
  if (elem == STP_ELEM_F32) return f32_bits((float)value);
  bool half = elem == STP_ELEM_F16;
  int fraction = half ? 10 : 7, lowest = half ? -14 : -126, bias = half ? 15 : 127;
  uint64_t sign = signbit(value) ? 0x8000 : 0, infinity = half ? 0x7c00 : 0x7f80;
  if (isnan(value)) return half ? 0x7e00 : 0x7fc0;
  if (isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int e = ilogb(value);
  if (e < lowest) e = lowest;
  double q = nearbyint(ldexp(fabs(value), fraction - e)); /* the host rounds to nearest even */
  uint64_t one = (uint64_t)1 << fraction;
  uint64_t bits =
      q < (double)one ? (uint64_t)q : ((uint64_t)(e + bias) << fraction) + ((uint64_t)q - one);
  return sign | (bits > infinity ? infinity : bits);
}

void bench_random(bench_t *b, int buffer, uint32_t seed, double scale) {
  stp_ir_elem_t elem = b->args.buffers[buffer].storage;
  uint32_t x = seed * 2654435761u + 12345;
  for (int64_t i = 0; i < bench_extent(b, buffer); i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    double unit = (double)(int32_t)x / 2147483648.0;
    bench_set(b, buffer, i,
              stp_ir_elem_is_float(elem) ? bits_of(elem, unit * scale) : (uint64_t)(unit * scale));
  }
}

int special_bits(stp_ir_elem_t elem, uint64_t *bits) {
  static const uint64_t half[] = {0,      0x0001, 0x03ff, 0x0400, 0x3800, 0x3bff, 0x3c00, 0x3c01,
                                  0x3e00, 0x4100, 0x63ff, 0x7bff, 0x7c00, 0x7c01, 0x7e55};
  static const uint64_t bfloat[] = {0,      0x0001, 0x007f, 0x0080, 0x3f00, 0x3f7f, 0x3f80, 0x3f81,
                                    0x3fc0, 0x4020, 0x4b7f, 0x7f7f, 0x7f80, 0x7f81, 0x7fd5};
  static const uint64_t single[] = {0,          0x00000001, 0x007fffff, 0x00800000, 0x3f000000,
                                    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40200000,
                                    0x4b7fffff, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fd55555};
  const uint64_t *list = elem == STP_ELEM_F16 ? half : elem == STP_ELEM_BF16 ? bfloat : single;
  uint64_t sign = elem == STP_ELEM_F32 ? 0x80000000u : 0x8000u;
  for (int i = 0; i < 15; i++) {
    bits[i] = list[i];
    bits[15 + i] = list[i] | sign;
  }
  return 30;
}

/* ---- kernels -------------------------------------------------------------------------------- */

char *elementwise_kernel(int num_ins, const char *const *ins, const char *out, int n,
                         const char *body) {
  size_t size = 0;
  char *text = NULL;
  FILE *f = open_memstream(&text, &size);
  fprintf(f,
          "#set = affine_set<(d0) : (d0 >= 0, -d0 + %d >= 0)>\n"
          "#id = affine_map<(d0) -> (d0)>\n"
          "module {\n  func.func @k(",
          n - 1);
  for (int i = 0; i < num_ins; i++) fprintf(f, "%%p%d: index, ", i);
  fprintf(f, "%%py: index) {\n    %%c0 = arith.constant 0 : index\n");
  for (int i = 0; i <= num_ins; i++) {
    const char *type = i < num_ins ? ins[i] : out;
    char name[8];
    snprintf(name, sizeof name, i < num_ins ? "%d" : "y", i);
    fprintf(f,
            "    %%v%s = ktdp.construct_memory_view %%p%s, sizes: [%d], strides: [1] {\n"
            "      coordinate_set = #set, memory_space = #ktdp.spyre_memory_space<HBM>\n"
            "    } : memref<%dx%s>\n"
            "    %%t%s = ktdp.construct_access_tile %%v%s[%%c0] {\n"
            "      access_tile_set = #set, access_tile_order = #id\n"
            "    } : memref<%dx%s> -> !ktdp.access_tile<%dxindex>\n",
            name, name, n, n, type, name, name, n, type, n);
    if (i < num_ins) {
      fprintf(f, "    %%x%s = ktdp.load %%t%s : !ktdp.access_tile<%dxindex> -> tensor<%dx%s>\n",
              name, name, n, n, type);
    }
  }
  fprintf(f,
          "    %s\n    ktdp.store %%r, %%ty : tensor<%dx%s>, !ktdp.access_tile<%dxindex>\n"
          "    return\n  }\n}\n",
          body, n, out, n);
  fclose(f);
  return text;
}
