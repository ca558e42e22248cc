/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled kernel: what the scheduler makes, what tools show, and what a runtime needs to launch
 * it.
 *
 * A job holds a program per unit, the kernel's buffers and scalars with the job arguments that
 * carry them, and a table from instructions to KTIR source lines. `stp_job_save` turns it into a
 * file (docs/jobfile.md), the same bytes on every host; `stp_job_load` takes any bytes and gives
 * either a job in which every number is within its bounds or an error that says what is wrong.
 */
#ifndef STP_JOB_H
#define STP_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "stp_arch.h"

#define STP_JOB_MAX_RANK 8
#define STP_JOB_MAX_SEGMENTS 10

/* Element types of buffers and scalars, as numbered in job files. */
typedef enum {
  STP_JOB_ELEM_NONE,
  STP_JOB_ELEM_I1, /* one byte */
  STP_JOB_ELEM_I8,
  STP_JOB_ELEM_I16,
  STP_JOB_ELEM_I32,
  STP_JOB_ELEM_I64,
  STP_JOB_ELEM_INDEX, /* 64 bits */
  STP_JOB_ELEM_F16,
  STP_JOB_ELEM_BF16,
  STP_JOB_ELEM_F32,
  STP_JOB_ELEM_F8E4M3FN,
  STP_JOB_ELEM_F8E5M2,
  STP_JOB_ELEM_DL16,
  STP_JOB_ELEM_COUNT
} stp_job_elem_t;

const char *stp_job_elem_name(stp_job_elem_t elem); /* "f16", ...; "?" if out of range */
unsigned stp_job_elem_bytes(stp_job_elem_t elem);   /* bytes in memory; 0 if NONE or out of range */

enum { STP_JOB_READ = 1, STP_JOB_WRITTEN = 2 }; /* bits of a buffer's direction */

/* A region of device memory that the kernel reads or writes. */
typedef struct stp_job_buffer {
  char *name;
  stp_job_elem_t elem;
  unsigned dir; /* STP_JOB_READ | STP_JOB_WRITTEN */
  unsigned rank;
  uint64_t dims[STP_JOB_MAX_RANK]; /* row-major shape, in elements */
  uint64_t bytes;                  /* extent from its first byte, at least that of the shape */
  int32_t arg;                     /* job argument that holds its device address in bytes */
  int32_t position; /* position among the kernel's arguments, or -1 for a bound constant view */
} stp_job_buffer_t;

/* A scalar argument of the kernel. */
typedef struct stp_job_scalar {
  char *name;
  stp_job_elem_t elem;
  int32_t arg; /* job argument that holds it at run time, or -1: the programs are specialised to
                  `value` */
  int32_t position; /* position among the kernel's arguments */
  int64_t value;
} stp_job_scalar_t;

/* Instructions pc .. pc + count - 1 of a unit stem from this place of the KTIR text. */
typedef struct stp_job_line {
  uint16_t unit, pc, count;
  uint32_t line, col;
} stp_job_line_t;

/* A unit's program. Units whose programs are equal share words in the file and in device memory. */
typedef struct stp_job_program {
  uint32_t count; /* instructions; 0: the unit is not started */
  uint64_t *words;
} stp_job_program_t;

typedef struct stp_job {
  uint32_t contract;  /* STP_CONTRACT_VERSION of the compiler */
  uint64_t text_hash; /* stp_job_hash of the KTIR text, 0 if unknown */
  char *kernel;       /* name of the function */
  char *file;         /* name of the KTIR file */
  char *options;      /* compile options that change results, "" if none */
  unsigned grid_rank;
  uint64_t grid[STP_JOB_MAX_RANK];
  uint64_t tiles;            /* compute tiles */
  uint64_t compulsory_bytes; /* bytes that the kernel must move to and from memory: each loaded or
                                stored byte once */
  uint64_t macs;             /* multiply-adds of its matrix products */
  uint32_t num_args;         /* job arguments, at most STP_ARGS */
  uint32_t lx_bytes;         /* LX that the programs use */
  uint32_t num_buffers, num_scalars, num_lines;
  stp_job_buffer_t *buffers;
  stp_job_scalar_t *scalars;
  stp_job_line_t *lines; /* ordered by unit, then pc */
  stp_job_program_t programs[STP_UNITS];
} stp_job_t;

/* An empty job, to be freed with stp_job_free; NULL if memory runs out. */
stp_job_t *stp_job_new(void);
void stp_job_free(stp_job_t *job);

/* FNV-1a of 64 bits: identifies a text. */
uint64_t stp_job_hash(const void *data, size_t len);

/* Set a unit's program to a copy of `count` words (at most STP_PROG_WORDS). 0, or -1 if memory runs
 * out. */
int stp_job_set_program(stp_job_t *job, unsigned unit, const uint64_t *words, uint32_t count);
/* Append to a table; strings are copied. 0, or -1 if memory runs out. */
int stp_job_add_buffer(stp_job_t *job, const stp_job_buffer_t *buffer);
int stp_job_add_scalar(stp_job_t *job, const stp_job_scalar_t *scalar);
int stp_job_add_line(stp_job_t *job, const stp_job_line_t *line);
/* Replace a string of the job by a copy of `text`. 0, or -1 if memory runs out. */
int stp_job_set_string(char **field, const char *text);

/* Units that the job starts: those with a program. */
uint16_t stp_job_unit_mask(const stp_job_t *job);
/* The KTIR place of an instruction, or NULL. */
const stp_job_line_t *stp_job_find_line(const stp_job_t *job, unsigned unit, unsigned pc);

/*
 * The programs as they lie in device memory, and the segments that describe them to firmware.
 * `*sticks` (owned by the caller, free()) gets `*count` sticks of 16 instructions; equal programs
 * share sticks. Returns the number of segments, or -1 if memory runs out.
 */
int stp_job_image(const stp_job_t *job, uint64_t **sticks, uint32_t *count,
                  struct stp_segment segments[STP_JOB_MAX_SEGMENTS]);

/*
 * Serialise: `*data` (owned by the caller, free()) gets `*len` bytes. 0, or -1 with a message in
 * `err`. Load: 0 and `*job` (owned by the caller), or -1 with a message in `err` that names what is
 * wrong and where.
 */
int stp_job_save(const stp_job_t *job, uint8_t **data, size_t *len, char *err, size_t err_size);
int stp_job_load(const uint8_t *data, size_t len, stp_job_t **job, char *err, size_t err_size);

#endif
