/* SPDX-License-Identifier: Apache-2.0 */
/* For random kernels: the job on the C model of a core against the interpreter. */
#ifndef STP_TEST_SCHED_CHECK_H
#define STP_TEST_SCHED_CHECK_H

#include "bench.h"

/*
 * Compile the kernel, run it on random data of magnitudes below `scale`, and compare all memory
 * with what the interpreter leaves. False if the scheduler refuses the kernel; anything else that
 * is not equal fails the test, and prints the kernel. With STP_TEST_REFUSED set, refusals are
 * printed as well.
 */
bool check_kernel(unsigned number, const char *text, double scale);

#endif
