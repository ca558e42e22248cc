/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the KTIR front end share. */
#ifndef STP_TESTS_KTIR_FILES_H
#define STP_TESTS_KTIR_FILES_H

#include <stddef.h>

#include "ir.h"

/* The whole file, exactly as long as it is (so that a sanitizer sees reads past its end). The
   caller frees it. Fails the test if it cannot be read. */
char *stp_test_read_file(const char *path, size_t *len);

/* The names of the .mlir files in a directory, sorted; each is freed with the list by
   stp_test_free_names. Fails the test if there is none. */
char **stp_test_list_dir(const char *dir, size_t *count);
void stp_test_free_names(char **names, size_t count);

/* A copy of text without its final 0 byte, read as a module. Prints the diagnostics and fails the
   test if there are errors or if the number of warnings is not `warnings`. */
stp_ir_module_t *stp_test_read(const char *text, int warnings);
/* The module in generic form; the caller frees it. */
char *stp_test_print(const stp_ir_module_t *module);

#endif
