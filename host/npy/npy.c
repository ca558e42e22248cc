/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a .npy file is a Python dict literal of three keys, which this file reads strictly.
 */
#include "npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_LEN 6u
#define MAX_HEADER (1u << 16)

typedef struct reader {
  const uint8_t *p, *end;
  char *err;
  size_t err_size;
} reader_t;

static void set_error(reader_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set_error(reader_t *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (r->err_size > 0) vsnprintf(r->err, r->err_size, format, args);
  va_end(args);
}
#define fail(r, ...) (set_error((r), __VA_ARGS__), -1)

static void skip_space(reader_t *r) {
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')) r->p++;
}

static bool take(reader_t *r, char c) {
  skip_space(r);
  if (r->p == r->end || *r->p != (uint8_t)c) return false;
  r->p++;
  return true;
}

static bool take_word(reader_t *r, const char *word) {
  const size_t n = strlen(word);
  skip_space(r);
  if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0) return false;
  r->p += n;
  return true;
}

/* A string without escapes. */
static int take_string(reader_t *r, char *buf, size_t size, const char *what) {
  skip_space(r);
  if (r->p == r->end || (*r->p != '\'' && *r->p != '"')) {
    return fail(r, "header: expected %s", what);
  }
  const uint8_t quote = *r->p++;
  size_t n = 0;
  for (; r->p < r->end && *r->p != quote; r->p++) {
    if (*r->p < 0x20 || *r->p > 0x7e || *r->p == '\\' || n + 1 >= size) {
      return fail(r, "header: %s is too long or has unusual characters", what);
    }
    buf[n++] = (char)*r->p;
  }
  if (r->p == r->end) return fail(r, "header: %s does not end", what);
  r->p++;
  buf[n] = '\0';
  return 0;
}

static int take_number(reader_t *r, uint64_t *v) {
  skip_space(r);
  if (r->p == r->end || *r->p < '0' || *r->p > '9') {
    return fail(r, "header: expected a size in 'shape'");
  }
  *v = 0;
  for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
    const unsigned digit = (unsigned)(*r->p - '0');
    if (*v > ((uint64_t)INT64_MAX - digit) / 10)
      return fail(r, "header: a size in 'shape' is too large");
    *v = *v * 10 + digit;
  }
  return 0;
}

static int take_shape(reader_t *r, stp_npy_t *a) {
  if (!take(r, '(')) return fail(r, "header: expected a tuple for 'shape'");
  a->rank = 0;
  bool comma = true;
  while (!take(r, ')')) {
    if (!comma) return fail(r, "header: expected ',' or ')' in 'shape'");
    if (a->rank == STP_NPY_MAX_RANK) {
      return fail(r, "header: more than %d dimensions", STP_NPY_MAX_RANK);
    }
    if (take_number(r, &a->dims[a->rank]) != 0) return -1;
    a->rank++;
    comma = take(r, ',');
  }
  if (a->rank == 1 && !comma) return fail(r, "header: 'shape' is a number, not a tuple");
  return 0;
}

static int take_descr(reader_t *r, stp_npy_t *a) {
  skip_space(r);
  if (r->p < r->end && *r->p == '[') return fail(r, "structured arrays are not supported");
  char s[64];
  if (take_string(r, s, sizeof s, "a type for 'descr'") != 0) return -1;
  char order = s[0], kind = s[0] != '\0' ? s[1] : '\0';
  unsigned size = 0;
  bool plain = kind != '\0' && s[2] >= '1' && s[2] <= '9' && s[3] == '\0';
  if (plain) size = (unsigned)(s[2] - '0');
  switch (kind) {
  case 'f':
    plain = plain && (size == 2 || size == 4 || size == 8);
    break;
  case 'i':
  case 'u':
    plain = plain && (size == 1 || size == 2 || size == 4 || size == 8);
    break;
  case 'b':
    plain = plain && size == 1;
    break;
  default:
    plain = false;
  }
  if (!plain) return fail(r, "elements of type '%s' are not supported", s);
  if (order != '<' && !(order == '|' && size == 1)) {
    return fail(r, "elements of type '%s' are not little-endian ('<')", s);
  }
  a->kind = kind;
  a->size = size;
  return 0;
}

static int take_order(reader_t *r) {
  if (take_word(r, "False")) return 0;
  if (take_word(r, "True")) {
    return fail(r, "the array is in Fortran order; save numpy.ascontiguousarray(a) instead");
  }
  return fail(r, "header: expected True or False for 'fortran_order'");
}

static int take_dict(reader_t *r, stp_npy_t *a) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  unsigned seen = 0;
  if (!take(r, '{')) return fail(r, "header: expected '{'");
  bool comma = true;
  while (!take(r, '}')) {
    char key[32];
    if (!comma) return fail(r, "header: expected ',' or '}'");
    if (take_string(r, key, sizeof key, "a key") != 0) return -1;
    unsigned k = 0;
    while (k < 3 && strcmp(key, keys[k]) != 0) k++;
    if (k == 3) return fail(r, "header: unknown key '%s'", key);
    if (seen >> k & 1) return fail(r, "header: key '%s' occurs twice", key);
    seen |= 1u << k;
    if (!take(r, ':')) return fail(r, "header: expected ':' after '%s'", key);
    const int status = k == 0 ? take_descr(r, a) : k == 1 ? take_order(r) : take_shape(r, a);
    if (status != 0) return status;
    comma = take(r, ',');
  }
  for (unsigned k = 0; k < 3; k++) {
    if ((seen >> k & 1) == 0) return fail(r, "header: key '%s' is missing", keys[k]);
  }
  skip_space(r);
  if (r->p != r->end) return fail(r, "header: unexpected text after '}'");
  return 0;
}

/* The number of elements; sizes whose product exceeds what memory can hold are an error. */
static int count_elements(reader_t *r, stp_npy_t *a) {
  a->count = 1;
  for (unsigned i = 0; i < a->rank; i++) {
    if (a->dims[i] == 0) a->count = 0;
  }
  for (unsigned i = 0; i < a->rank && a->count != 0; i++) {
    if (a->count > (uint64_t)INT64_MAX / 8 / a->dims[i]) {
      return fail(r, "header: the sizes in 'shape' are too large");
    }
    a->count *= a->dims[i];
  }
  return 0;
}

int stp_npy_parse(const uint8_t *bytes, size_t len, stp_npy_t *out, char *err, size_t err_size) {
  reader_t r = {.p = bytes, .end = bytes + len, .err = err, .err_size = err_size};
  memset(out, 0, sizeof *out);
  if (len < MAGIC_LEN || memcmp(bytes, MAGIC, MAGIC_LEN) != 0) {
    return fail(&r, "this is no .npy file (it does not begin with \\x93NUMPY)");
  }
  if (len < MAGIC_LEN + 4) return fail(&r, "the file ends within its first bytes");
  const unsigned major = bytes[6], minor = bytes[7];
  if (major < 1 || major > 3 || minor != 0) {
    return fail(&r, "version %u.%u of the format is not supported (1.0, 2.0 and 3.0 are)", major,
                minor);
  }
  const size_t at = major == 1 ? 10 : 12;
  if (len < at) return fail(&r, "the file ends within its first bytes");
  size_t n = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (major > 1) n |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (n > MAX_HEADER) return fail(&r, "header: %zu bytes are too many", n);
  if (n > len - at) {
    return fail(&r, "the file ends within its header: %zu bytes of %zu are there", len - at, n);
  }
  r.p = bytes + at;
  r.end = r.p + n;
  if (take_dict(&r, out) != 0 || count_elements(&r, out) != 0) return -1;

  const uint64_t have = len - at - n, want = out->count * out->size;
  if (have != want) {
    return fail(&r, "the file holds %" PRIu64 " bytes of data, its shape needs %" PRIu64, have,
                want);
  }
  out->data = malloc(want > 0 ? (size_t)want : 1);
  if (out->data == NULL) return fail(&r, "out of memory");
  if (want > 0) memcpy(out->data, bytes + at + n, (size_t)want);
  return 0;
}

void stp_npy_free(stp_npy_t *array) {
  free(array->data);
  array->data = NULL;
}

static uint8_t *read_all(FILE *f, size_t *len) {
  size_t size = 0, room = 1 << 16;
  uint8_t *data = malloc(room);
  while (data != NULL) {
    size += fread(data + size, 1, room - size, f);
    if (size < room || memcmp(data, MAGIC, MAGIC_LEN) != 0) break;
    uint8_t *more = realloc(data, room *= 2);
    if (more == NULL) free(data);
    data = more;
  }
  *len = size;
  return data;
}

int stp_npy_read(const char *path, stp_npy_t *out, char *err, size_t err_size) {
  reader_t r = {.err = err, .err_size = err_size};
  memset(out, 0, sizeof *out);
  const bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdin : fopen(path, "rb");
  if (f == NULL) return fail(&r, "%s: %s", path, strerror(errno));
  size_t len = 0;
  errno = 0;
  uint8_t *bytes = read_all(f, &len);
  const bool bad = ferror(f) != 0;
  const int why = errno;
  if (!standard) fclose(f);
  if (bytes == NULL) return fail(&r, "%s: out of memory", path);
  char text[256];
  int status;
  if (bad) {
    status = fail(&r, "%s: %s", path, strerror(why != 0 ? why : EIO));
  } else {
    status = stp_npy_parse(bytes, len, out, text, sizeof text);
    if (status != 0) set_error(&r, "%s: %s", path, text);
  }
  free(bytes);
  return status;
}

int stp_npy_header(const stp_npy_t *a, uint8_t **header, size_t *len) {
  char shape[STP_NPY_MAX_RANK * 22 + 8] = "";
  size_t at = 0;
  for (unsigned i = 0; i < a->rank; i++) {
    const int n = snprintf(shape + at, sizeof shape - at, "%s%" PRIu64 "%s", i > 0 ? ", " : "",
                           a->dims[i], a->rank == 1 ? "," : "");
    at += (size_t)n;
  }
  char text[sizeof shape + 80];
  const int n =
      snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%s), }",
               a->size == 1 ? '|' : '<', a->kind, a->size, shape);
  /* Spaces up to a newline, so that the data is aligned. */
  const size_t total = (10 + (size_t)n + 1 + 63) / 64 * 64;
  uint8_t *p = malloc(total);
  if (p == NULL) return -1;
  memset(p, ' ', total);
  memcpy(p, MAGIC, MAGIC_LEN);
  p[6] = 1;
  p[7] = 0;
  p[8] = (uint8_t)(total - 10);
  p[9] = (uint8_t)((total - 10) >> 8);
  memcpy(p + 10, text, (size_t)n);
  p[total - 1] = '\n';
  *header = p;
  *len = total;
  return 0;
}

int stp_npy_write(const char *path, const stp_npy_t *a, const void *data, char *err,
                  size_t err_size) {
  reader_t r = {.err = err, .err_size = err_size};
  uint8_t *header;
  size_t len;
  if (stp_npy_header(a, &header, &len) != 0) return fail(&r, "%s: out of memory", path);
  const bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdout : fopen(path, "wb");
  if (f == NULL) {
    free(header);
    return fail(&r, "%s: %s", path, strerror(errno));
  }
  const size_t bytes = (size_t)(a->count * a->size);
  const bool ok = fwrite(header, 1, len, f) == len && fwrite(data, 1, bytes, f) == bytes;
  const bool closed = (standard ? fflush(f) : fclose(f)) == 0;
  free(header);
  return ok && closed ? 0 : fail(&r, "%s: %s", path, strerror(errno));
}
