/* SPDX-License-Identifier: Apache-2.0 */
/* Text to the console, byte by byte. Nothing is buffered: each byte is out when the call returns.
 */
#ifndef STP_FW_CONSOLE_H
#define STP_FW_CONSOLE_H

#include <stdint.h>

void stp_puts(const char *text);
void stp_put_hex(uint32_t value);     /* eight digits */
void stp_put_decimal(uint32_t value); /* no leading zeros */

#endif
