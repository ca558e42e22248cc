/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of buffers: random numbers (docs/random.md), NumPy arrays, poison. */
#ifndef STP_RUNTIME_FILL_H
#define STP_RUNTIME_FILL_H

#include "steeple/steeple.h"

/* What a buffer that is only written holds before a job. */
#define STP_POISON 0xa5u

/* Fill `data`, the whole extent of a buffer, with random elements: docs/random.md. The same
 * everywhere. */
void stp_fill_random(const stp_buffer_info_t *buffer, uint64_t seed, uint8_t *data);

/*
 * Fill a buffer from a file. Types and shape must match; with `convert` any type of number is
 * rounded to the buffer's (nearest even; integers that do not fit are an error).
 */
int stp_fill_npy(const stp_buffer_info_t *buffer, const char *path, bool convert, uint8_t *data,
                 stp_error_t *error);

/* Write a buffer to a file, in the type that stp_fill_npy wants without `convert`. */
int stp_save_npy(const stp_buffer_info_t *buffer, const char *path, const uint8_t *data,
                 stp_error_t *error);

/*
 * The value of a scalar from text: an integer (decimal, 0x...) in the range of the type, signed or
 * unsigned; true and false for i1; for float types any number, whose bit pattern it becomes.
 */
int stp_parse_scalar(const char *type, const char *text, int64_t *value, stp_error_t *error);

/* Elements of an array: their product of dims. */
uint64_t stp_buffer_count(const stp_buffer_info_t *buffer);

#endif
