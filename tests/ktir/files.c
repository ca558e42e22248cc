/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *stp_test_read_file(const char *path, size_t *len) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    fail_msg("cannot open %s", path);
    return NULL;
  }
  char *text = NULL;
  size_t size = 0;
  for (;;) {
    char part[4096];
    size_t n = fread(part, 1, sizeof part, f);
    if (n == 0) {
      break;
    }
    char *grown = realloc(text, size + n);
    assert_non_null(grown);
    text = grown;
    memcpy(text + size, part, n);
    size += n;
  }
  fclose(f);
  assert_non_null(text);
  *len = size;
  return text;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **stp_test_list_dir(const char *dir, size_t *count) {
  char **names = NULL;
  *count = 0;
  DIR *d = opendir(dir);
  if (d == NULL) {
    fail_msg("cannot open %s", dir);
    return NULL;
  }
  for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
    size_t len = strlen(e->d_name);
    if (len > 5 && strcmp(e->d_name + len - 5, ".mlir") == 0) {
      char **grown = realloc(names, (*count + 1) * sizeof *names);
      size_t size = strlen(dir) + len + 2;
      char *path = malloc(size);
      assert_non_null(grown);
      assert_non_null(path);
      snprintf(path, size, "%s/%s", dir, e->d_name);
      names = grown;
      names[(*count)++] = path;
    }
  }
  closedir(d);
  assert_true(*count > 0);
  qsort(names, *count, sizeof *names, by_name);
  return names;
}

void stp_test_free_names(char **names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(names[i]);
  }
  free(names);
}

stp_ir_module_t *stp_test_read(const char *text, int warnings) {
  size_t len = strlen(text);
  char *copy = malloc(len > 0 ? len : 1);
  assert_non_null(copy);
  memcpy(copy, text, len);
  stp_diags_t diags;
  stp_diags_init(&diags, "test.mlir", copy, len);
  stp_ir_module_t *module = stp_ktir_read("test.mlir", copy, len, &diags);
  if (module == NULL || diags.num_warnings != warnings) {
    stp_diags_print(&diags, stderr);
    fprintf(stderr, "---- in:\n%s\n", text);
  }
  assert_non_null(module);
  assert_int_equal(diags.num_warnings, warnings);
  stp_diags_free(&diags);
  free(copy);
  return module;
}

char *stp_test_print(const stp_ir_module_t *module) {
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  assert_non_null(out);
  stp_ir_print(module, out);
  fclose(out);
  return text;
}
