/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .npy files: what NumPy writes is read and written back the same; every broken file gives its
 * message; no truncation or changed byte of a good file does harm.
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

/* A file: magic, version, a header of exactly this text, and data. */
static size_t make(uint8_t *buf, unsigned version, const char *header, const void *data, size_t n) {
  const size_t len = strlen(header);
  memcpy(buf, "\x93NUMPY", 6);
  buf[6] = (uint8_t)version;
  buf[7] = 0;
  size_t at = 8;
  for (unsigned i = 0; i < (version == 1 ? 2 : 4); i++) buf[at++] = (uint8_t)(len >> (8 * i));
  memcpy(buf + at, header, len);
  memcpy(buf + at + len, data, n);
  return at + len + n;
}

static int parse(unsigned version, const char *header, size_t data_bytes, stp_npy_t *a, char *err) {
  static const uint8_t data[256] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint8_t buf[2048];
  const size_t n = make(buf, version, header, data, data_bytes);
  err[0] = '\0';
  return stp_npy_parse(buf, n, a, err, 256);
}

static void test_good(void **state) {
  (void)state;
  static const struct {
    const char *header;
    char kind;
    unsigned size, rank;
    uint64_t count;
  } good[] = {
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (3, 2), }    \n", 'f', 2, 2, 6},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }\n", 'f', 4, 1, 5},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n", 'f', 8, 0, 1},
      {"{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 3, 4)}", 'u', 2, 4, 24},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (7,), }", 'i', 1, 1, 7},
      {"{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }", 'b', 1, 1, 7},
      {"{'descr': '<i8', 'fortran_order': False, 'shape': (0, 9), }", 'i', 8, 2, 0},
      {"{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<i4\"}", 'i', 4, 1, 2},
  };
  for (unsigned version = 1; version <= 3; version++) {
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
      stp_npy_t a;
      char err[256];
      assert_int_equal(parse(version, good[i].header, good[i].count * good[i].size, &a, err), 0);
      assert_int_equal(a.kind, good[i].kind);
      assert_int_equal(a.size, good[i].size);
      assert_int_equal(a.rank, good[i].rank);
      assert_int_equal(a.count, good[i].count);
      if (a.count > 0) assert_int_equal(a.data[0], 1);
      stp_npy_free(&a);
    }
  }
}

static void test_broken(void **state) {
  (void)state;
#define H(descr, order, shape)                                                                     \
  "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"
  static const struct {
    const char *header;
    size_t data;
    const char *message;
  } broken[] = {
      {H("'>f2'", "False", "(3,)"), 6, "not little-endian"},
      {H("'|f2'", "False", "(3,)"), 6, "not little-endian"},
      {H("'<f3'", "False", "(3,)"), 9, "type '<f3' are not supported"},
      {H("'<c8'", "False", "(3,)"), 24, "type '<c8' are not supported"},
      {H("'|O'", "False", "(3,)"), 24, "not supported"},
      {H("'<f16'", "False", "(3,)"), 48, "not supported"},
      {H("'<U4'", "False", "(3,)"), 48, "not supported"},
      {H("''", "False", "(3,)"), 6, "not supported"},
      {H("[('x', '<f2')]", "False", "(3,)"), 6, "structured"},
      {H("'<f2'", "True", "(3, 2)"), 12, "Fortran order"},
      {H("'<f2'", "0", "(3,)"), 6, "expected True or False"},
      {H("'<f2'", "False", "3"), 6, "expected a tuple"},
      {H("'<f2'", "False", "(3)"), 6, "is a number, not a tuple"},
      {H("'<f2'", "False", "(3 2)"), 12, "expected ',' or ')'"},
      {H("'<f2'", "False", "(-3,)"), 6, "expected a size"},
      {H("'<f2'", "False", "(99999999999999999999,)"), 6, "too large"},
      {H("'<f2'", "False", "(4294967296, 4294967296)"), 6, "too large"},
      {H("'<f2'", "False", "(3,)"), 5, "holds 5 bytes of data, its shape needs 6"},
      {H("'<f2'", "False", "(3,)"), 7, "holds 7 bytes of data, its shape needs 6"},
      {H("'<f2'", "False", "(3,)") "x", 6, "unexpected text after '}'"},
      {"{'descr': '<f2', 'fortran_order': False, }", 6, "key 'shape' is missing"},
      {"{'descr': '<f2', 'descr': '<f2', 'fortran_order': False, 'shape': (3,)}", 6, "twice"},
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (3,), 'more': 1}", 6,
       "unknown key 'more'"},
      {"{'descr' '<f2', 'fortran_order': False, 'shape': (3,)}", 6, "expected ':' after 'descr'"},
      {"{'descr': '<f2' 'fortran_order': False, 'shape': (3,)}", 6, "expected ',' or '}'"},
      {"{'descr': '<f2", 0, "does not end"},
      {"", 0, "expected '{'"},
      {"('a', 1)", 0, "expected '{'"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    stp_npy_t a;
    char err[256];
    assert_int_equal(parse(1, broken[i].header, broken[i].data, &a, err), -1);
    if (strstr(err, broken[i].message) == NULL) {
      fail_msg("%s: got '%s', expected '%s'", broken[i].header, err, broken[i].message);
    }
  }
}

static void test_rank_limit(void **state) {
  (void)state;
  char header[512] = "{'descr': '|i1', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < STP_NPY_MAX_RANK + 1; i++) strcat(header, "1, ");
  strcat(header, ")}");
  stp_npy_t a;
  char err[256];
  assert_int_equal(parse(1, header, 1, &a, err), -1);
  assert_non_null(strstr(err, "more than 32 dimensions"));
}

static void expect(const uint8_t *bytes, size_t len, const char *message) {
  stp_npy_t a;
  char err[256] = "";
  assert_int_equal(stp_npy_parse(bytes, len, &a, err, sizeof err), -1);
  if (strstr(err, message) == NULL) fail_msg("got '%s', expected '%s'", err, message);
}

static void test_framing(void **state) {
  (void)state;
  expect((const uint8_t *)"", 0, "no .npy file");
  expect((const uint8_t *)"PK\3\4", 4, "no .npy file");
  expect((const uint8_t *)"\x93NUMPY\1", 7, "ends within its first bytes");
  expect((const uint8_t *)"\x93NUMPY\4\0\0\0\0\0", 12, "version 4.0");
  expect((const uint8_t *)"\x93NUMPY\1\1\0\0", 10, "version 1.1");
  expect((const uint8_t *)"\x93NUMPY\2\0\0\0", 10, "ends within its first bytes");
  expect((const uint8_t *)"\x93NUMPY\1\0\x40\0{", 11, "1 bytes of 64 are there");
  expect((const uint8_t *)"\x93NUMPY\2\0\xff\xff\xff\xff{", 13, "4294967295 bytes are too many");
}

/* Every cut of a good file is an error, and every changed byte gives an array or an error. */
static void test_mutations(void **state) {
  (void)state;
  static const uint8_t data[12] = {1, 2, 3};
  uint8_t good[256], buf[256];
  stp_npy_t a;
  char err[256];
  const size_t n =
      make(good, 1, "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 2), }\n", data, 12);
  for (size_t cut = 0; cut < n; cut++) {
    uint8_t *exact = malloc(cut > 0 ? cut : 1);
    memcpy(exact, good, cut);
    assert_int_equal(stp_npy_parse(exact, cut, &a, err, sizeof err), -1);
    free(exact);
  }
  for (size_t at = 0; at < n; at++) {
    for (unsigned v = 0; v < 256; v++) {
      memcpy(buf, good, n);
      buf[at] = (uint8_t)v;
      if (stp_npy_parse(buf, n, &a, err, sizeof err) != 0) continue;
      assert_int_equal(a.count * a.size, 12);
      stp_npy_free(&a);
    }
  }
}

static void test_round_trip(void **state) {
  (void)state;
  uint8_t data[48];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7);
  static const stp_npy_t shapes[] = {
      {.kind = 'f', .size = 2, .rank = 2, .dims = {4, 6}, .count = 24},
      {.kind = 'f', .size = 4, .rank = 1, .dims = {12}, .count = 12},
      {.kind = 'u', .size = 2, .rank = 3, .dims = {2, 3, 4}, .count = 24},
      {.kind = 'i', .size = 8, .rank = 0, .count = 1},
      {.kind = 'b', .size = 1, .rank = 2, .dims = {0, 3}, .count = 0},
  };
  char path[] = "/tmp/steeple-npy-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    stp_npy_t a = shapes[i], b;
    char err[256] = "";
    assert_int_equal(stp_npy_write(path, &a, data, err, sizeof err), 0);
    assert_int_equal(stp_npy_read(path, &b, err, sizeof err), 0);
    assert_int_equal(b.kind, a.kind);
    assert_int_equal(b.size, a.size);
    assert_int_equal(b.rank, a.rank);
    assert_memory_equal(b.dims, a.dims, a.rank * sizeof *a.dims);
    assert_memory_equal(b.data, data, (size_t)(a.count * a.size));
    stp_npy_free(&b);
  }
  unlink(path);
  stp_npy_t a;
  char err[256] = "";
  assert_int_equal(stp_npy_read(path, &a, err, sizeof err), -1);
  assert_non_null(strstr(err, path));
}

/* The bytes that NumPy's own writer gives for this array. */
static void test_header_bytes(void **state) {
  (void)state;
  const stp_npy_t a = {.kind = 'f', .size = 2, .rank = 1, .dims = {4000}};
  uint8_t *header;
  size_t len;
  assert_int_equal(stp_npy_header(&a, &header, &len), 0);
  assert_int_equal(len, 128);
  static const char begin[] = "\x93NUMPY\1\0\x76\0{'descr': '<f2', 'fortran_order': False, "
                              "'shape': (4000,), }      ";
  assert_memory_equal(header, begin, sizeof begin - 1);
  assert_int_equal(header[127], '\n');
  free(header);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),         cmocka_unit_test(test_broken),
      cmocka_unit_test(test_rank_limit),   cmocka_unit_test(test_framing),
      cmocka_unit_test(test_mutations),    cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_header_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
