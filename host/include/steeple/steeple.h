/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libsteeple: read a KTIR kernel, compile it, and run it on a machine.
 *
 *   stp_error_t e;
 *   stp_module_t *module;
 *   stp_kernel_t *kernel;
 *   stp_device_t *device;
 *   struct stp_machine_options o = {.config = "c1"};
 *   stp_scalar_t n = {.position = 3, .value = 4096};
 *   if (stp_module_read("k.mlir", text, len, stderr, &module, &e)) ...
 *   if (stp_kernel_compile(module, NULL, &n, 1, stderr, &kernel, &e)) ...
 *   if (stp_device_open("model", &o, &device, &e)) ...
 *   for (unsigned i = 0; i < stp_kernel_buffers(kernel); i++) {
 *     stp_buffer_info_t b = stp_kernel_buffer(kernel, i);
 *     stp_device_alloc(device, b.bytes, &addr[i], &e);
 *     stp_device_write(device, addr[i], data[i], b.bytes, &e);
 *   }
 *   stp_launch_t result;
 *   if (stp_device_launch(device, kernel, addr, NULL, &result, &e)) ...
 *   stp_device_read(device, addr[2], data[2], size, &e);
 *
 * Functions that can fail return 0, or -1 with the reason in `*error`. Nothing here is shared
 * between objects but what is said: different devices may be used by different threads at the same
 * time, one device by one thread at a time.
 */
#ifndef STEEPLE_STEEPLE_H
#define STEEPLE_STEEPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "steeple/machine.h"
#include "stp_arch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------ */

typedef enum {
  STP_OK,
  STP_ERROR_USAGE,   /* a name, number or combination that the caller got wrong */
  STP_ERROR_INPUT,   /* a text, file or value that is wrong */
  STP_ERROR_MACHINE, /* the machine, the firmware or the host failed */
  STP_ERROR_DIFFERS, /* two machines that should agree do not */
} stp_error_kind_t;

typedef struct stp_error {
  stp_error_kind_t kind;
  char text[1024]; /* one or more lines, no newline at the end; may be empty if diagnostics were
                      printed */
} stp_error_t;

/* ---- kernels ----------------------------------------------------------------------------- */

typedef struct stp_module stp_module_t; /* a KTIR text, read and verified */
typedef struct stp_kernel stp_kernel_t; /* a function of it with bound scalars, compiled to a job */

/*
 * Read and verify a KTIR text. `file` is its name in messages. Diagnostics (errors and warnings) go
 * to `diagnostics`, unless it is NULL. The text is copied.
 */
int stp_module_read(const char *file, const char *text, size_t len, FILE *diagnostics,
                    stp_module_t **module, stp_error_t *error);
/* Kernels made from a module must be freed before it. */
void stp_module_free(stp_module_t *module);

/* A parameter of a function: the address of a buffer, or a scalar. */
typedef struct stp_parameter {
  const char *name; /* without % */
  const char *type; /* of the parameter itself: "index", "i32", "f16", ... */
  bool scalar;
} stp_parameter_t;

/*
 * The parameters of function `name`, or of the only one if that is NULL. `*parameters` is the
 * module's and lives as long.
 */
int stp_module_parameters(stp_module_t *module, const char *name, FILE *diagnostics,
                          const stp_parameter_t **parameters, unsigned *count, stp_error_t *error);

typedef struct stp_scalar {
  unsigned position; /* among the function's parameters */
  int64_t value;     /* an integer; for a float type its bit pattern */
  bool dynamic;      /* kept at run time: the programs serve other values, too (docs/command.md) */
} stp_scalar_t;

/* Compile function `name` (NULL: the only one) with its scalar parameters bound to these values. */
int stp_kernel_compile(stp_module_t *module, const char *name, const stp_scalar_t *scalars,
                       unsigned num_scalars, FILE *diagnostics, stp_kernel_t **kernel,
                       stp_error_t *error);
/*
 * The kernel of a compiled job file (docs/jobfile.md), which has no text: there is nothing to
 * compare its results with but another machine. Scalars must have the values that the job was
 * compiled for.
 */
int stp_kernel_load(const char *file, const void *data, size_t len, stp_kernel_t **kernel,
                    stp_error_t *error);
void stp_kernel_free(stp_kernel_t *kernel);
/*
 * Another value for a scalar of a compiled job file. Only what was kept at run time can have one,
 * and none above that of the compilation (or below 0), for which the sizes of the buffers are made.
 * The job's work is not known then: its counts become 0.
 */
int stp_kernel_set_scalar(stp_kernel_t *kernel, unsigned position, int64_t value,
                          stp_error_t *error);
/* Was it compiled from a text, rather than loaded from a job file? */
bool stp_kernel_has_text(const stp_kernel_t *kernel);

typedef struct stp_buffer_info {
  const char *name;
  const char *type;    /* element type: "f16", ... */
  unsigned elem_bytes; /* in memory */
  unsigned rank;
  const uint64_t *dims;
  uint64_t bytes; /* extent; at least the product of dims and elem_bytes */
  int position;   /* among the function's parameters; -1: a view at a constant offset */
  bool read, written;
  bool is_index; /* an index table, with entries in [0, index_limit) */
  int64_t index_limit;
} stp_buffer_info_t;

unsigned stp_kernel_buffers(const stp_kernel_t *kernel);
stp_buffer_info_t stp_kernel_buffer(const stp_kernel_t *kernel, unsigned i);

struct stp_job;
/* The compiled job (host/job/job.h); the kernel's. */
const struct stp_job *stp_kernel_job(const stp_kernel_t *kernel);

/* ---- devices ----------------------------------------------------------------------------- */

typedef struct stp_device stp_device_t; /* a machine with firmware running on it */

/* Is there a machine of this name in this build? */
bool stp_machine_known(const char *name);

/* Open the machine "model" or "rtl", load the firmware and wait until it is ready. */
int stp_device_open(const char *machine, const struct stp_machine_options *options,
                    stp_device_t **device, stp_error_t *error);
void stp_device_close(stp_device_t *device);
/* The machine itself, for taps, traces and statistics. */
struct stp_machine *stp_device_machine(stp_device_t *device);

/*
 * Allocate device memory, aligned to 4,096 bytes and with at least one stick around it that belongs
 * to no other allocation. Contents are undefined. Everything is freed when the device is closed.
 */
int stp_device_alloc(stp_device_t *device, uint64_t bytes, uint64_t *addr, stp_error_t *error);
void stp_device_free(stp_device_t *device, uint64_t addr);
int stp_device_write(stp_device_t *device, uint64_t addr, const void *data, size_t bytes,
                     stp_error_t *error);
int stp_device_read(stp_device_t *device, uint64_t addr, void *data, size_t bytes,
                    stp_error_t *error);

/* Called from time to time during a launch with cycles (model: steps) so far and host seconds.
   Non-zero gives up. */
typedef int (*stp_progress_fn)(void *user, uint64_t cycles, double seconds);

typedef struct stp_launch_options {
  stp_progress_fn progress;
  void *progress_user;
  uint64_t max_cycles; /* give up after so many cycles (model: steps); 0: never */
  uint32_t watchdog;   /* limit of the job in units of 1,024 cycles; 0: none */
} stp_launch_options_t;

/* What became of a job. */
typedef struct stp_launch {
  uint32_t status; /* STP_JOB_...; all below but times is 0 unless it says otherwise */
  uint32_t cause, core, unit, pc; /* STP_JOB_TRAP: of the lowest-numbered unit that trapped */
  uint64_t addr;
  uint32_t blocked, running, trapped; /* masks of units */
  bool has_cycles;        /* false for the model: it has no clock, cycles count its steps */
  uint64_t cycles;        /* doorbell to interrupt */
  uint64_t launch_cycles; /* doorbell to first unit start, plus last unit halt to interrupt */
  double seconds;         /* of the host, for the same */
  double cpu_seconds;     /* of the process on the host's processors, for the same */
  uint64_t dram_read_bytes, dram_write_bytes; /* traffic of the memory port, all of it */
  uint64_t retired;                           /* instructions of the management processor */
  unsigned cores;
  uint64_t counters[STP_MAX_CORES][STP_UNITS][16]; /* status sticks: STP_STAT_... */
} stp_launch_t;

/*
 * Run a kernel and wait for it; addrs[i] is the device address of buffer i. 0 says that the job is
 * over: see status for how.
 */
int stp_device_launch(stp_device_t *device, const stp_kernel_t *kernel, const uint64_t *addrs,
                      const stp_launch_options_t *options, stp_launch_t *result,
                      stp_error_t *error);

#ifdef __cplusplus
}
#endif

#endif
