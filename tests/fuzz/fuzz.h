/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzz target is a program that gives arbitrary bytes to something that reads bytes. Each target
 * defines the function below, which is what libFuzzer calls; without libFuzzer, replay.c calls it
 * with the files of the corpus.
 */
#ifndef STP_TESTS_FUZZ_H
#define STP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; a finding is a crash, a failed assertion, a hang or a sanitizer's report. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assertion that is always on. */
#define FUZZ_CHECK(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) fuzz_failed(__FILE__, __LINE__, #condition);                                 \
  } while (0)

#include <stdio.h>
#include <stdlib.h>

static inline void fuzz_failed(const char *file, int line, const char *condition) {
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
  abort();
}

#endif
