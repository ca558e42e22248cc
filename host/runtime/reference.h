/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel means: its run by the interpreter, which knows nothing of the machine. */
#ifndef STP_RUNTIME_REFERENCE_H
#define STP_RUNTIME_REFERENCE_H

#include "exec.h"

typedef struct stp_reference {
  stp_images_t images; /* final memory, bit for bit what every machine must leave */
  /* Of the buffers that are written and hold floats, against the same kernel in float64 without
     rounding: the largest difference, and the largest in units in the last place of the buffer's
     type. */
  double max_error, max_ulp;
} stp_reference_t;

/*
 * Interpret the kernel from these contents of its buffers, exactly and in float64. Diagnostics with
 * their place in the text go to `diagnostics`, unless it is NULL. stp_reference_free frees the
 * result.
 */
int stp_reference_run(const stp_kernel_t *kernel, const stp_images_t *in, FILE *diagnostics,
                      stp_reference_t *reference, stp_error_t *error);
void stp_reference_free(stp_reference_t *reference);

#endif
