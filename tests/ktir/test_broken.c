/* SPDX-License-Identifier: Apache-2.0 */
/* Every broken kernel gives exactly the errors that its comments announce, at their places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "files.h"

static void test_broken_kernels(void **state) {
  (void)state;
  size_t count;
  char **names = stp_test_list_dir(BROKEN_DIR, &count);
  int differences = 0;
  assert_true(count >= 25);
  for (size_t i = 0; i < count; i++) {
    size_t len;
    char *text = stp_test_read_file(names[i], &len);
    stp_diags_t diags;
    stp_diags_init(&diags, names[i], text, len);
    stp_ir_module_t *module = stp_ktir_read(names[i], text, len, &diags);
    assert_null(module);
    stp_diags_free(&diags);
    differences += stp_ktir_verify_diagnostics(names[i], text, len, stderr);
    free(text);
  }
  stp_test_free_names(names, count);
  assert_int_equal(differences, 0);
}

/* The check itself: it must see a message that is missing, unexpected, elsewhere or different. */
static int check(const char *text) {
  FILE *out = fopen("/dev/null", "w");
  assert_non_null(out);
  int differences = stp_ktir_verify_diagnostics("test.mlir", text, strlen(text), out);
  fclose(out);
  return differences;
}

static void test_check_can_fail(void **state) {
  (void)state;
  assert_int_equal(check("func.func @f() {\n  // expected-error@+1 {{unknown op}}\n"
                         "  foo.bar\n  return\n}\n"),
                   0);
  assert_int_equal(check("func.func @f() {\n  // expected-error@+1:3 {{unknown op 'foo.bar'}}\n"
                         "  foo.bar\n  return\n}\n"),
                   0);
  assert_int_equal(check("func.func @f() {\n  foo.bar // expected-error {{unknown op}}\n"
                         "  return\n}\n"),
                   0);
  assert_int_equal(check("func.func @f() {\n  foo.bar\n"
                         "  // expected-error @above {{unknown op}}\n  return\n}\n"),
                   0);
  assert_int_equal(check("// expected-error@3 {{unknown op}}\nfunc.func @f() {\n  foo.bar\n"
                         "  return\n}\n"),
                   0);
  /* Unexpected; missing; wrong text (both); wrong line (both); wrong column (both). */
  assert_int_equal(check("func.func @f() {\n  foo.bar\n  return\n}\n"), 1);
  assert_int_equal(check("func.func @f() {\n  // expected-error@+1 {{unknown op}}\n"
                         "  return\n}\n"),
                   1);
  assert_int_equal(check("func.func @f() {\n  // expected-error@+1 {{unknown type}}\n"
                         "  foo.bar\n  return\n}\n"),
                   2);
  assert_int_equal(check("func.func @f() {\n  // expected-error@+2 {{unknown op}}\n"
                         "  foo.bar\n  return\n}\n"),
                   2);
  assert_int_equal(check("func.func @f() {\n  // expected-error@+1:4 {{unknown op}}\n"
                         "  foo.bar\n  return\n}\n"),
                   2);
  assert_int_equal(check("// expected-error {{never closed\n"), 1);
}

static void test_sections(void **state) {
  (void)state;
  assert_int_equal(check("func.func @f() {\n  return\n}\n// -----\nfunc.func @f() {\n"
                         "  // expected-error@below {{unknown op}}\n  foo.bar\n  return\n}\n"),
                   0);
  assert_int_equal(check("func.func @f() {\n  return\n}\n// -----\nfunc.func @f() {\n"
                         "  // expected-error@7 {{unknown op}}\n  foo.bar\n  return\n}\n"),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_broken_kernels),
      cmocka_unit_test(test_check_can_fail),
      cmocka_unit_test(test_sections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
