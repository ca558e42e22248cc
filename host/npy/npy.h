/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's .npy files, versions 1 to 3: arrays of plain numbers, little-endian, in C order.
 *
 * Reading trusts nothing: any bytes give either an array whose data is all there, or an error that
 * says what is wrong.
 */
#ifndef STP_NPY_H
#define STP_NPY_H

#include <stddef.h>
#include <stdint.h>

#define STP_NPY_MAX_RANK 32

/* Big-endian, structured and object arrays, strings, complex and extended numbers, and Fortran
   order are refused. */
typedef struct stp_npy {
  char kind;     /* 'f', 'i', 'u', or 'b' (a bool of one byte) */
  unsigned size; /* bytes of an element: f 2, 4, 8; i and u 1, 2, 4, 8; b 1 */
  unsigned rank;
  uint64_t dims[STP_NPY_MAX_RANK];
  uint64_t count; /* elements */
  uint8_t *data;  /* count * size bytes */
} stp_npy_t;

/*
 * The array in the `len` bytes of a file. 0, and `out->data` is the caller's (stp_npy_free); or -1
 * with a message in `err`, and nothing to free.
 */
int stp_npy_parse(const uint8_t *bytes, size_t len, stp_npy_t *out, char *err, size_t err_size);
void stp_npy_free(stp_npy_t *array);

/* The same for a file; the message begins with its path. */
int stp_npy_read(const char *path, stp_npy_t *out, char *err, size_t err_size);

/*
 * The bytes in front of the data of a file (version 1) for such an array; `array->data` and count
 * are not looked at. `*header` (owned by the caller, free()) gets `*len` bytes, a multiple of 64. 0
 * or -1 if memory runs out.
 */
int stp_npy_header(const stp_npy_t *array, uint8_t **header, size_t *len);

/* Write a file ("-": standard output); `data` has the array's count * size bytes, array->data is
   not looked at. 0, or -1 with a message in `err`. */
int stp_npy_write(const char *path, const stp_npy_t *array, const void *data, char *err,
                  size_t err_size);

#endif
