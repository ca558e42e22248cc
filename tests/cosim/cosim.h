/* SPDX-License-Identifier: Apache-2.0 */
/* The regressions. Each gives true if all is right, and complains about what is not. */
#ifndef COSIM_H
#define COSIM_H

#include "bench.h"

/* kernels.c: one case. */
bool cosim_kernel(const item_t *item);
bool cosim_cycles(const item_t *item);
bool cosim_fast(const item_t *item);
bool cosim_stalls(const item_t *item, uint64_t first, uint64_t last);
/* Rewrites tests/baseline. */
bool cosim_baseline(const list_t *list);

/* launch.c: where the cycles of a launch go. */
bool cosim_launch(const item_t *item);

/* faults.c: every fault that a unit or a job can meet. */
bool cosim_faults(const list_t *list);

/* jobs.c: several jobs on one machine, job files that are broken. */
bool cosim_session(const list_t *list, const char *machine, unsigned jobs);
bool cosim_machines(const list_t *list);
bool cosim_broken(const item_t *item, unsigned every);
bool cosim_mutants(const item_t *item, uint64_t first, uint64_t last);

/* tiles.c: random kernels on tiles of about the size of LX. */
bool cosim_tiles(uint64_t first, uint64_t last);

#endif
