/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware image, to be written to the processor's memory at offset 0 while it is in reset. */
#ifndef STEEPLE_FW_H
#define STEEPLE_FW_H

#ifdef __cplusplus
extern "C" {
#endif

extern const unsigned char stp_firmware[];
extern const unsigned stp_firmware_size; /* bytes, a multiple of 4 */

#ifdef __cplusplus
}
#endif

#endif
