/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libsteeple: contents of buffers, kernels, devices and launches on the model, and the comparison
 * of sticks.
 *
 * Random numbers are checked against values computed by an independent program from docs/random.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../host/npy/npy.h"
#include "../../host/runtime/exec.h"
#include "../../host/runtime/fill.h"
#include "steeple/steeple.h"

static const char *kernels; /* directory of the project's kernels */

/* ---- contents of buffers ----------------------------------------------------------------- */

static stp_buffer_info_t buffer(const char *name, const char *type, unsigned bytes,
                                const uint64_t *n) {
  return (stp_buffer_info_t){.name = name,
                             .type = type,
                             .elem_bytes = bytes,
                             .rank = 1,
                             .dims = n,
                             .bytes = *n * bytes,
                             .read = true};
}

static void test_random(void **state) {
  (void)state;
  const uint64_t n = 4, six = 6;
  uint16_t h[4];
  stp_buffer_info_t b = buffer("a", "f16", 2, &n);
  stp_fill_random(&b, 0, (uint8_t *)h);
  assert_memory_equal(h, ((uint16_t[]){0xb41b, 0x3bf8, 0x3be0, 0x35f3}), sizeof h);
  stp_fill_random(&b, 7, (uint8_t *)h);
  assert_memory_equal(h, ((uint16_t[]){0xacae, 0x29b9, 0xadc8, 0x3853}), sizeof h);
  b.name = "b";
  stp_fill_random(&b, 0, (uint8_t *)h);
  assert_memory_equal(h, ((uint16_t[]){0xb521, 0xb49d, 0x3414, 0xb908}), sizeof h);

  uint32_t w[4];
  b = buffer("a", "f32", 4, &n);
  stp_fill_random(&b, 0, (uint8_t *)w);
  assert_memory_equal(w, ((uint32_t[]){0xbe8358f5, 0x3f7f09e3, 0x3f7bf563}), 12);
  b = buffer("t", "i32", 4, &n);
  stp_fill_random(&b, 0, (uint8_t *)w);
  assert_memory_equal(w, ((uint32_t[]){0x1f13bda3, 0x1e8f35d9, 0x73034cba}), 12);

  uint32_t index[6];
  uint8_t bits[6];
  b = buffer("t", "i32", 4, &six);
  b.is_index = true;
  b.index_limit = 37;
  stp_fill_random(&b, 0, (uint8_t *)index);
  assert_memory_equal(index, ((uint32_t[]){4, 12, 19, 24, 7, 3}), sizeof index);
  b = buffer("t", "i1", 1, &six);
  stp_fill_random(&b, 0, bits);
  assert_memory_equal(bits, ((uint8_t[]){0, 0, 0, 1, 0, 1}), sizeof bits);
}

static void test_scalars(void **state) {
  (void)state;
  static const struct {
    const char *type, *text;
    int64_t value;
  } good[] = {
      {"index", "4000", 4000},
      {"index", "0x10", 16},
      {"i32", "-1", -1},
      {"i32", "4294967295", -1},
      {"i8", "-128", -128},
      {"i8", "255", -1},
      {"i1", "true", 1},
      {"i1", "1", 1},
      {"i64", "-9223372036854775808", INT64_MIN},
      {"f16", "1.5", 0x3e00},
      {"f32", "-2", 0xc0000000},
      {"bf16", "inf", 0x7f80},
      {"f16", "1.00048828125", 0x3c00}, /* a tie: to even */
  };
  static const struct {
    const char *type, *text, *message;
  } bad[] = {
      {"index", "", "no integer"},
      {"index", "4k", "no integer"},
      {"i8", "256", "does not fit"},
      {"i8", "-129", "does not fit"},
      {"i1", "2", "does not fit"},
      {"f16", "x", "no number"},
      {"index", "1.5", "no integer"},
      {"index", "--4", "no integer"},
      {"index", "99999999999999999999", "does not fit"},
  };
  stp_error_t error;
  int64_t v;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(stp_parse_scalar(good[i].type, good[i].text, &v, &error), 0);
    if (v != good[i].value) fail_msg("%s %s gives %lld", good[i].type, good[i].text, (long long)v);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(stp_parse_scalar(bad[i].type, bad[i].text, &v, &error), -1);
    if (strstr(error.text, bad[i].message) == NULL) fail_msg("'%s'", error.text);
  }
}

static char npy_path[64];

static void save(char kind, unsigned size, uint64_t n, const void *data) {
  stp_npy_t a = {.kind = kind, .size = size, .rank = 1, .dims = {n}, .count = n};
  char err[256];
  assert_int_equal(stp_npy_write(npy_path, &a, data, err, sizeof err), 0);
}

static void test_npy_types(void **state) {
  (void)state;
  const uint64_t n = 4;
  stp_error_t error;
  uint16_t h[4];
  const stp_buffer_info_t f16 = buffer("x", "f16", 2, &n), bf16 = buffer("x", "bf16", 2, &n);
  const stp_buffer_info_t i16 = buffer("x", "i16", 2, &n), i1 = buffer("x", "i1", 1, &n);

  const uint16_t raw[4] = {1, 2, 3, 0x8000};
  save('f', 2, 4, raw);
  assert_int_equal(stp_fill_npy(&f16, npy_path, false, (uint8_t *)h, &error), 0);
  assert_memory_equal(h, raw, sizeof h);
  assert_int_equal(stp_fill_npy(&bf16, npy_path, false, (uint8_t *)h, &error), -1);
  assert_non_null(strstr(error.text, "--convert"));
  save('u', 2, 4, raw);
  assert_int_equal(stp_fill_npy(&bf16, npy_path, false, (uint8_t *)h, &error), 0);
  assert_memory_equal(h, raw, sizeof h);
  assert_int_equal(stp_fill_npy(&i16, npy_path, false, (uint8_t *)h, &error), 0);

  save('f', 2, 3, raw);
  assert_int_equal(stp_fill_npy(&f16, npy_path, true, (uint8_t *)h, &error), -1);
  assert_non_null(strstr(error.text, "the array is 3, but 'x' is 4"));

  /* Rounded once, from double: 1 + 2^-11 + 2^-40 is above the tie, which a step through f32 would
   * hide. */
  const double d[4] = {1 + 0x1p-11 + 0x1p-40, -65520, 65519, 1.0 / 3};
  save('f', 8, 4, d);
  assert_int_equal(stp_fill_npy(&f16, npy_path, true, (uint8_t *)h, &error), 0);
  assert_memory_equal(h, ((uint16_t[]){0x3c01, 0xfc00, 0x7bff, 0x3555}), sizeof h);
  /* The same from an integer of 64 bits: 2^62 + 2^54 + 1 in bf16 is above the tie. */
  const int64_t big[4] = {((int64_t)1 << 62) + ((int64_t)1 << 54) + 1,
                          ((int64_t)1 << 62) + ((int64_t)1 << 54), -3, 0};
  save('i', 8, 4, big);
  assert_int_equal(stp_fill_npy(&bf16, npy_path, true, (uint8_t *)h, &error), 0);
  assert_memory_equal(h, ((uint16_t[]){0x5e81, 0x5e80, 0xc040, 0}), sizeof h);

  const double ties[4] = {0.5, 1.5, -2.5, 32767};
  save('f', 8, 4, ties);
  assert_int_equal(stp_fill_npy(&i16, npy_path, true, (uint8_t *)h, &error), 0);
  assert_memory_equal(h, ((int16_t[]){0, 2, -2, 32767}), sizeof h);
  const double large[4] = {0, 0, 65536, 0};
  save('f', 8, 4, large);
  assert_int_equal(stp_fill_npy(&i16, npy_path, true, (uint8_t *)h, &error), -1);
  assert_non_null(strstr(error.text, "element 2 does not fit in i16"));

  const uint8_t bools[4] = {0, 1, 2, 0};
  save('b', 1, 4, bools);
  assert_int_equal(stp_fill_npy(&i1, npy_path, false, (uint8_t *)h, &error), -1);
  assert_non_null(strstr(error.text, "element 2 is 2"));
}

/* ---- kernels, devices, launches ---------------------------------------------------------- */

static char *read_text(const char *path, size_t *len) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) fail_msg("cannot open %s", path);
  char *text = malloc(1 << 16);
  *len = fread(text, 1, 1 << 16, f);
  fclose(f);
  return text;
}

typedef struct setup {
  stp_module_t *module;
  stp_kernel_t *kernel;
  stp_device_t *device;
  stp_images_t in, out;
} setup_t;

static void open_kernel(setup_t *s, const char *name, const stp_scalar_t *scalars, unsigned n) {
  char path[1024];
  size_t len;
  stp_error_t e;
  memset(s, 0, sizeof *s);
  snprintf(path, sizeof path, "%s/%s", kernels, name);
  char *text = read_text(path, &len);
  assert_int_equal(stp_module_read(path, text, len, stderr, &s->module, &e), 0);
  free(text);
  assert_int_equal(stp_kernel_compile(s->module, NULL, scalars, n, stderr, &s->kernel, &e), 0);
  assert_int_equal(stp_images_new(s->kernel, &s->in, &e), 0);
  assert_int_equal(stp_images_new(s->kernel, &s->out, &e), 0);
  for (unsigned i = 0; i < s->in.count; i++) {
    const stp_buffer_info_t b = stp_kernel_buffer(s->kernel, i);
    if (b.read) stp_fill_random(&b, 1, s->in.data[i]);
  }
  const struct stp_machine_options o = {.config = "c1"};
  if (stp_device_open("model", &o, &s->device, &e) != 0) fail_msg("%s", e.text);
}

static void close_kernel(setup_t *s) {
  stp_device_close(s->device);
  stp_images_free(&s->in);
  stp_images_free(&s->out);
  stp_kernel_free(s->kernel);
  stp_module_free(s->module);
}

static void execute(setup_t *s) {
  stp_error_t e;
  stp_launch_t l;
  if (stp_execute(s->device, s->kernel, &s->in, &s->out, NULL, &l, &e) != 0) fail_msg("%s", e.text);
  assert_int_equal(l.status, STP_JOB_OK);
  assert_true(l.launch_cycles <= l.cycles);
}

static float half(uint16_t h) {
  const int exponent = h >> 10 & 31;
  const float f = (float)(h & 1023) + (exponent ? 1024.0f : 0.0f);
  float scale = 1.0f;
  for (int i = exponent ? exponent : 1; i < 25; i++) scale *= 0.5f;
  for (int i = 25; i < exponent; i++) scale *= 2.0f;
  return (h & 0x8000 ? -f : f) * scale;
}

static void test_launch(void **state) {
  (void)state;
  setup_t s;
  open_kernel(&s, "vector_add.mlir", NULL, 0);
  assert_int_equal(stp_kernel_buffers(s.kernel), 3);
  execute(&s);
  const uint16_t *a = (uint16_t *)s.in.data[0], *b = (uint16_t *)s.in.data[1];
  const uint16_t *c = (uint16_t *)s.out.data[2];
  for (unsigned i = 0; i < 4096; i++) {
    /* The sum of two f16 is exact in float but for the last rounding, at most half an ulp of f16
       (at most 2^-10 in [1, 2)). */
    const float want = half(a[i]) + half(b[i]), have = half(c[i]);
    const float off = want > have ? want - have : have - want;
    assert_true(off <= 0x1p-11f);
  }
  assert_memory_equal(s.in.data[0], s.out.data[0], 8192);
  close_kernel(&s);
}

/* Jobs one after the other on the same device; elements beyond a symbolic size stay as they are. */
static void test_many_launches(void **state) {
  (void)state;
  setup_t s;
  const stp_scalar_t n = {.position = 3, .value = 4000};
  open_kernel(&s, "vector_add_dynamic.mlir", &n, 1);
  execute(&s);
  uint8_t first[8000];
  assert_int_equal(stp_kernel_buffer(s.kernel, 2).bytes, sizeof first);
  memcpy(first, s.out.data[2], sizeof first);
  for (unsigned i = 0; i < 40; i++) {
    memset(s.out.data[2], 0, sizeof first);
    execute(&s);
    assert_memory_equal(s.out.data[2], first, sizeof first);
  }
  close_kernel(&s);
}

static void test_memory(void **state) {
  (void)state;
  setup_t s;
  stp_error_t e;
  uint64_t a[8];
  open_kernel(&s, "vector_add.mlir", NULL, 0);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(stp_device_alloc(s.device, 1000 * (i + 1), &a[i], &e), 0);
    assert_int_equal(a[i] % 4096, 0);
    for (unsigned k = 0; k < i; k++) {
      assert_true(a[i] >= a[k] + 1000 * (k + 1) + STP_STICK_BYTES ||
                  a[k] >= a[i] + 1000 * (i + 1) + STP_STICK_BYTES);
    }
  }
  stp_device_free(s.device, a[2]);
  uint64_t again;
  assert_int_equal(stp_device_alloc(s.device, 3000, &again, &e), 0);
  assert_int_equal(again, a[2]);
  assert_int_equal(stp_device_alloc(s.device, UINT64_MAX, &again, &e), -1);
  assert_int_equal(stp_device_alloc(s.device, (uint64_t)1 << 39, &again, &e), 0);
  assert_int_equal(stp_device_alloc(s.device, (uint64_t)1 << 39, &again, &e), -1);
  assert_non_null(strstr(e.text, "device memory is full"));
  close_kernel(&s);
}

/* A job that does not end in time is given up, and says so. */
static void test_give_up(void **state) {
  (void)state;
  setup_t s;
  stp_error_t e;
  stp_launch_t l;
  const stp_launch_options_t o = {.max_cycles = 20};
  open_kernel(&s, "vector_add.mlir", NULL, 0);
  assert_int_equal(stp_execute(s.device, s.kernel, &s.in, &s.out, &o, &l, &e), -1);
  assert_int_equal(e.kind, STP_ERROR_MACHINE);
  assert_non_null(strstr(e.text, "not over after"));
  close_kernel(&s);
}

/* ---- sticks ------------------------------------------------------------------------------ */

static void run_tapped(setup_t *s, stp_tap_fn fn, void *user) {
  struct stp_machine *m = stp_device_machine(s->device);
  m->ops->set_tap(m, fn, user);
  execute(s);
  m->ops->set_tap(m, NULL, NULL);
}

/* Passes sticks on to a check, and spoils one of them. */
typedef struct spoiler {
  stp_stick_check_t *check;
  unsigned unit, skip;
  size_t at, index;
  uint8_t byte;
} spoiler_t;

static int spoil(void *user, const struct stp_tap *tap) {
  spoiler_t *p = user;
  struct stp_tap t = *tap;
  uint8_t data[STP_STICK_BYTES];
  if (t.unit == p->unit && p->at++ == p->index) {
    if (p->skip) return 0;
    memcpy(data, t.data, sizeof data);
    data[p->byte] ^= 0x10;
    t.data = data;
    t.cycle = 1234;
  }
  stp_stick_check_tap(p->check, &t);
  return 0;
}

static void test_sticks(void **state) {
  (void)state;
  setup_t s;
  stp_error_t e;
  open_kernel(&s, "softmax.mlir", NULL, 0);
  stp_stick_log_t *log = stp_stick_log_new();
  run_tapped(&s, stp_stick_log_record, log);
  assert_true(stp_stick_log_count(log) > 1000);

  stp_stick_check_t *check = stp_stick_check_new(log);
  run_tapped(&s, stp_stick_check_tap, check);
  assert_int_equal(stp_stick_check_finish(check, "rtl", s.device, s.kernel, &s.in, &e), 0);
  assert_int_equal(stp_stick_check_compared(check), stp_stick_log_count(log));
  stp_stick_check_free(check);

  /* One bit of one stick: it is found, with everything that a reader wants to know. */
  check = stp_stick_check_new(log);
  spoiler_t p = {.check = check, .unit = STP_UNIT_SFU0, .index = 17, .byte = 42};
  run_tapped(&s, spoil, &p);
  assert_true(stp_stick_check_failed(check));
  assert_int_equal(stp_stick_check_finish(check, "rtl", s.device, s.kernel, &s.in, &e), -1);
  assert_int_equal(e.kind, STP_ERROR_DIFFERS);
  static const char *const parts[] = {"core 0",        "unit sfu0",  "stick 17", ", pc ",
                                      "softmax.mlir:", "cycle 1234", "12345 ns", "byte 42"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strstr(e.text, parts[i]) == NULL) fail_msg("no '%s' in: %s", parts[i], e.text);
  }
  stp_stick_check_free(check);

  /* A stick that is missing at the end of a stream. */
  check = stp_stick_check_new(log);
  const struct stp_machine *m = stp_device_machine(s.device);
  (void)m;
  p = (spoiler_t){.check = check, .unit = STP_UNIT_MNI_SU, .skip = 1, .index = 0};
  /* Count the unit's sticks first: the last one is the one to leave out. */
  stp_launch_t l;
  assert_int_equal(stp_execute(s.device, s.kernel, &s.in, &s.out, NULL, &l, &e), 0);
  p.index = (size_t)l.counters[0][STP_UNIT_MNI_SU][STP_STAT_ITEMS] - 1;
  run_tapped(&s, spoil, &p);
  assert_false(stp_stick_check_failed(check));
  assert_int_equal(stp_stick_check_finish(check, "rtl", s.device, s.kernel, &s.in, &e), -1);
  if (strstr(e.text, "unit mni_su: rtl sent") == NULL) fail_msg("%s", e.text);
  stp_stick_check_free(check);
  stp_stick_log_free(log);
  close_kernel(&s);
}

static void test_compare(void **state) {
  (void)state;
  setup_t s;
  stp_error_t e;
  open_kernel(&s, "vector_add.mlir", NULL, 0);
  execute(&s);
  stp_images_t other;
  assert_int_equal(stp_images_new(s.kernel, &other, &e), 0);
  for (unsigned i = 0; i < 3; i++) memcpy(other.data[i], s.out.data[i], 8192);
  assert_int_equal(stp_images_compare(s.kernel, "rtl", &s.out, "model", &other, &e), 0);
  other.data[2][2 * 100 + 1] ^= 1;
  other.data[2][2 * 300] ^= 1;
  assert_int_equal(stp_images_compare(s.kernel, "rtl", &s.out, "model", &other, &e), -1);
  if (strstr(e.text, "buffer 'c' differs in 2 of 4096 elements, first in number 100") == NULL) {
    fail_msg("%s", e.text);
  }
  stp_images_free(&other);
  close_kernel(&s);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  kernels = argv[1];
  strcpy(npy_path, "/tmp/steeple-fill-XXXXXX");
  close(mkstemp(npy_path));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),        cmocka_unit_test(test_scalars),
      cmocka_unit_test(test_npy_types),     cmocka_unit_test(test_launch),
      cmocka_unit_test(test_many_launches), cmocka_unit_test(test_memory),
      cmocka_unit_test(test_give_up),       cmocka_unit_test(test_sticks),
      cmocka_unit_test(test_compare),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(npy_path);
  return failed;
}
