/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a kernel on a device from given contents of its buffers, and the comparison of what
 * two machines did.
 */
#ifndef STP_RUNTIME_EXEC_H
#define STP_RUNTIME_EXEC_H

#include "steeple/steeple.h"

/* The contents of all buffers of a kernel, each over its whole extent. */
typedef struct stp_images {
  unsigned count;
  uint8_t **data;
} stp_images_t;

/* Poison everywhere. 0, or -1 if memory runs out. stp_images_free leaves an empty set. */
int stp_images_new(const stp_kernel_t *kernel, stp_images_t *images, stp_error_t *error);
void stp_images_free(stp_images_t *images);

/*
 * Put buffers with contents `in` into device memory, launch, and read them back to `out`, which may
 * be `in`. Memory around the buffers is filled with poison before and looked at afterwards: a
 * change there is an error of the kind STP_ERROR_DIFFERS. `out` is only written if the job's status
 * is OK.
 */
int stp_execute(stp_device_t *device, const stp_kernel_t *kernel, const stp_images_t *in,
                stp_images_t *out, const stp_launch_options_t *options, stp_launch_t *result,
                stp_error_t *error);

/* Compare two final memories byte for byte: 0 if equal, else -1 and the first difference in `error`
   (STP_ERROR_DIFFERS). The names say whose they are. */
int stp_images_compare(const stp_kernel_t *kernel, const char *a_name, const stp_images_t *a,
                       const char *b_name, const stp_images_t *b, stp_error_t *error);

/* What became of a job, for a reader: the status, and for a trap core, unit, pc, cause, address and
   the KTIR line. `text` gets at most `size` bytes. */
void stp_launch_describe(const stp_kernel_t *kernel, const stp_launch_t *result, char *text,
                         size_t size);

/* ---- sticks ------------------------------------------------------------------------------ */

/*
 * The sticks that leave units: recorded on one machine, compared on another as they come. A log
 * keeps a hash and a program counter per stick and stream, a stream being a unit of a core.
 */
typedef struct stp_stick_log stp_stick_log_t;

stp_stick_log_t *stp_stick_log_new(void); /* NULL if memory runs out */
void stp_stick_log_free(stp_stick_log_t *log);
uint64_t stp_stick_log_count(const stp_stick_log_t *log); /* sticks of all streams */

/* The tap that appends to a log; user is the log. It stops the machine only if memory runs out. */
int stp_stick_log_record(void *user, const struct stp_tap *tap);

/* Compare with a log; for one run. */
typedef struct stp_stick_check stp_stick_check_t;
stp_stick_check_t *stp_stick_check_new(const stp_stick_log_t *log);
void stp_stick_check_free(stp_stick_check_t *check);
/* The tap that compares; user is the check. It stops the machine at the first difference. */
int stp_stick_check_tap(void *user, const struct stp_tap *tap);
/* Has a difference been found? For a progress function, to give up then. */
bool stp_stick_check_failed(const stp_stick_check_t *check);
uint64_t stp_stick_check_compared(const stp_stick_check_t *check);

/*
 * The verdict: 0 if all sticks of all streams came and were equal; else -1 with unit, program
 * counter, KTIR line, cycle, trace time and the first differing bytes in `error`
 * (STP_ERROR_DIFFERS). To show the bytes, the run that filled the log is repeated on `device` (of
 * the machine that was logged) from `in`. The names are those of the checked and of the logged
 * machine.
 */
int stp_stick_check_finish(stp_stick_check_t *check, const char *name, stp_device_t *device,
                           const stp_kernel_t *kernel, const stp_images_t *in, stp_error_t *error);

#endif
