/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The KTIR interpreter: what a kernel means, independent of any machine. It executes the typed IR
 * of a function for every compute tile in ascending order, on buffers in plain memory. It knows
 * nothing of units, LX capacity or schedules.
 *
 * Exact mode follows docs/numerics.md bit for bit, through the integer implementation of the
 * numerics: every machine must leave the same memory. Float64 mode runs the same kernel with every
 * float value in double and no rounding to the kernel's types on the way; comparing the two gives
 * the error of the kernel itself.
 */
#ifndef STP_INTERP_H
#define STP_INTERP_H

#include <stdbool.h>
#include <stdint.h>

#include "args.h"
#include "diag.h"
#include "ir.h"

typedef enum { STP_INTERP_EXACT, STP_INTERP_FLOAT64 } stp_interp_mode_t;

typedef struct stp_interp_options {
  stp_interp_mode_t mode;
  uint64_t max_steps; /* ops executed, over all tiles, before giving up; 0: no limit */
} stp_interp_options_t;

/* Memory of one buffer, owned by the caller. */
typedef struct stp_interp_buffer {
  /* extent * stp_ir_elem_bytes(storage) bytes, element 0 first: contents before the run, and after.
     In float64 mode it ends with the float64 results rounded to the elements' type, so give that
     run its own copy. NULL for a buffer in ct_local that is not bound (its contents start as 0). */
  uint8_t *data;
  /* Float64 mode, buffers of floats: `extent` doubles that receive the final contents; or NULL. Not
     read. */
  double *wide;
} stp_interp_buffer_t;

/*
 * Run all tiles of `func`. `args` comes from stp_args_analyze for the same function and bindings;
 * `scalars` binds every scalar argument that is used (floats: the bit pattern of the type);
 * buffers[i] is the memory of args->buffers[i]. False after an error, which is in `diags` at its
 * op, with the tile: accesses out of range in a static dimension, index entries out of range,
 * conflicting writes (different tiles leave different bits in one element), division by zero, ops
 * that the interpreter or the numerics do not have. Buffers then hold whatever had been written.
 * `diags` may come from a finished read of the module.
 */
bool stp_interp_run(const stp_ir_func_t *func, const stp_bindings_t *scalars,
                    const stp_kernel_args_t *args, const stp_interp_buffer_t *buffers,
                    const stp_interp_options_t *options, stp_diags_t *diags);

/* How far an exact run is from the float64 run of the same kernel. */
typedef struct stp_interp_error {
  /* Largest absolute difference, and its element. Equal infinities, and NaN in both, differ by 0;
     NaN or infinity in one alone differ by infinity. */
  double max_abs;
  int64_t at_abs;
  /* Largest difference in units in the last place of the buffer's type at the float64 value (of the
     smallest subnormal, below the normal range): stp_num_ulps of numerics.h. Rounding alone gives
     at most 0.5. */
  double max_ulp;
  int64_t at_ulp;
} stp_interp_error_t;

/*
 * Compare the `extent` elements of a buffer after both runs: `data` of the exact one, `wide` of the
 * float64 one. False, with zeros in the result, if the elements are not of a float type that the
 * numerics know. Elements that were not written count as equal.
 */
bool stp_interp_compare(const stp_kernel_buffer_t *buffer, const void *data, const double *wide,
                        stp_interp_error_t *error);

#endif
