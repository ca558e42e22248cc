/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader of job files: any bytes give a job or a message. What is loaded can be saved, made
 * into an image, and disassembled; what is saved loads again and saves the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "job.h"
#include "asm.h"

static void use(const stp_job_t *job) {
  uint64_t *sticks = NULL;
  uint32_t count = 0;
  struct stp_segment segments[STP_JOB_MAX_SEGMENTS];
  FUZZ_CHECK(stp_job_image(job, &sticks, &count, segments) >= 0);
  free(sticks);
  char text[160];
  for (unsigned unit = 0; unit < STP_UNITS; unit++) {
    for (uint32_t pc = 0; pc < job->programs[unit].count; pc++) {
      (void)stp_disasm(job->programs[unit].words[pc], stp_unit_kind(unit), text, sizeof text);
      (void)stp_job_find_line(job, unit, pc);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stp_job_t *job = NULL, *again = NULL;
  char err[256] = "";
  if (stp_job_load(data, size, &job, err, sizeof err) != 0) {
    FUZZ_CHECK(job == NULL && err[0] != 0);
    return 0;
  }
  use(job);
  uint8_t *first = NULL, *second = NULL;
  size_t first_len = 0, second_len = 0;
  FUZZ_CHECK(stp_job_save(job, &first, &first_len, err, sizeof err) == 0);
  FUZZ_CHECK(stp_job_load(first, first_len, &again, err, sizeof err) == 0);
  FUZZ_CHECK(stp_job_save(again, &second, &second_len, err, sizeof err) == 0);
  FUZZ_CHECK(first_len == second_len && memcmp(first, second, first_len) == 0);
  free(first);
  free(second);
  stp_job_free(job);
  stp_job_free(again);
  return 0;
}
