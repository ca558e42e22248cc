/* SPDX-License-Identifier: Apache-2.0 */
#include "reached.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 0x4000u /* 64 KB of tightly coupled memory */

static uint32_t reached[WORDS]; /* the instruction, or 0, which is none */
static bool any, registered;

void stp_rv_reached(uint32_t pc, uint32_t insn) {
  if (pc / 4 < WORDS) reached[pc / 4] = insn;
  any = true;
}

void stp_rv_reached_write(void) {
  const char *folder = getenv("STEEPLE_FIRMWARE_COVERAGE");
  uint64_t hash = 0xcbf29ce484222325u;
  char path[4096];
  if (!registered) registered = atexit(stp_rv_reached_write) == 0;
  if (folder == NULL || !any) return;
  for (uint32_t i = 0; i < WORDS; i++) hash = (hash ^ reached[i]) * 0x100000001b3u;
  snprintf(path, sizeof path, "%s/%016" PRIx64 ".pc", folder, hash);
  FILE *f = fopen(path, "w");
  for (uint32_t i = 0; f != NULL && i < WORDS; i++) {
    if (reached[i] != 0) fprintf(f, "%" PRIx32 " %08" PRIx32 "\n", i * 4, reached[i]);
  }
  if (f == NULL || fclose(f) != 0) fprintf(stderr, "%s: cannot be written\n", path);
  memset(reached, 0, sizeof reached);
  any = false;
}
