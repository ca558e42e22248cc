/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of .npy files: any bytes give an array, whose header can be written again, or a
 * message. */
#include <stdlib.h>
#include <string.h>

#include "../../host/npy/npy.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stp_npy_t array, again;
  char err[256] = "";
  if (stp_npy_parse(data, size, &array, err, sizeof err) != 0) {
    FUZZ_CHECK(err[0] != 0);
    return 0;
  }
  size_t bytes = (size_t)array.count * array.size, len = 0;
  uint8_t sum = 0, *header = NULL;
  for (size_t i = 0; i < bytes; i++) sum = (uint8_t)(sum + array.data[i]);
  (void)sum;
  FUZZ_CHECK(stp_npy_header(&array, &header, &len) == 0 && len % 64 == 0);
  uint8_t *file = malloc(len + bytes);
  FUZZ_CHECK(file != NULL);
  memcpy(file, header, len);
  if (bytes > 0) memcpy(file + len, array.data, bytes);
  FUZZ_CHECK(stp_npy_parse(file, len + bytes, &again, err, sizeof err) == 0);
  FUZZ_CHECK(again.rank == array.rank && again.count == array.count && again.kind == array.kind);
  stp_npy_free(&again);
  stp_npy_free(&array);
  free(file);
  free(header);
  return 0;
}
