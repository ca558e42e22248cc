/* SPDX-License-Identifier: Apache-2.0 */
/* The list of cases, kernels with their contents, and runs of them: for the regressions on RTL. */
#ifndef COSIM_BENCH_H
#define COSIM_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../host/runtime/exec.h"

#define MAX_CASES 64
#define MAX_CASE_ARGS 8

/* A line of kernels.list. */
typedef struct item {
  char name[64], file[128], config[16];
  double max_error;
  double min_pt, min_dram; /* shares of the peak; 0: none is asked for */
  unsigned num_args;
  char args[MAX_CASE_ARGS][64]; /* NAME=VALUE */
} item_t;

typedef struct list {
  unsigned count;
  item_t items[MAX_CASES];
} list_t;

/* Says what broke, in the form "case: text". */
void complain(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Read the list; false, and a complaint, if a line of it is wrong. */
bool list_read(list_t *list);
/* The case of this name; NULL and a complaint if there is none. */
const item_t *list_find(const list_t *list, const char *name);

/* A kernel, compiled, with random inputs of seed 0. */
typedef struct work {
  const item_t *item;
  stp_module_t *module;
  stp_kernel_t *kernel;
  stp_images_t in;
} work_t;

/* Compile a case. False and a complaint if that fails; close it all the same. */
bool work_open(work_t *w, const item_t *item);
/* The same of a text instead of item->file. */
bool work_open_text(work_t *w, const item_t *item, const char *text, size_t len);
void work_close(work_t *w);

/* One run on a machine of its own. */
typedef struct run {
  stp_images_t out;
  stp_launch_t launch;
  struct stp_machine_stats stats;
} run_t;

/*
 * Run on machine "rtl" or "model"; `tap` may be NULL. False and a complaint unless the job ended
 * well or the tap stopped it. `run` must be freed by run_free in every case.
 */
bool work_run(const work_t *w, const char *machine, const struct stp_machine_options *options,
              stp_tap_fn tap, void *user, run_t *run);
void run_free(run_t *run);

/* Are the final memories equal? If not, a complaint. */
bool same_images(const work_t *w, const char *a_name, const stp_images_t *a, const char *b_name,
                 const stp_images_t *b);

#endif
