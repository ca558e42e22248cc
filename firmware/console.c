/* SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

#include "mmio.h"

static void put(char c) {
  while ((stp_mmio_read(STP_MGMT_CONSOLE_STATUS) & 1) == 0) continue;
  stp_mmio_write(STP_MGMT_CONSOLE_TX, (uint8_t)c);
}

void stp_puts(const char *text) {
  for (; *text != '\0'; text++) put(*text);
}

void stp_put_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) put("0123456789abcdef"[value >> shift & 15]);
}

void stp_put_decimal(uint32_t value) {
  char digits[10];
  unsigned n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (n > 0) put(digits[--n]);
}
