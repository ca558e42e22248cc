/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on RTL: against model and interpreter, their cycles, and random stalls. */
#include "cosim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/job/job.h"
#include "../../host/runtime/reference.h"

/* ---- RTL = model = interpreter ----------------------------------------------------------- */

/* The run on RTL, with every stick compared with the log of a run on the model. */
static bool run_compared(const work_t *w, const stp_stick_log_t *log,
                         const struct stp_machine_options *o, run_t *run) {
  stp_stick_check_t *check = stp_stick_check_new(log);
  stp_device_t *d = NULL;
  stp_error_t e;
  const struct stp_machine_options model = {.config = w->item->config};
  bool good = check != NULL && work_run(w, "rtl", o, stp_stick_check_tap, check, run);
  if (good && stp_device_open("model", &model, &d, &e) != 0) {
    complain(w->item->name, "%s", e.text);
    good = false;
  }
  if (good && stp_stick_check_finish(check, "rtl", d, w->kernel, &w->in, &e) != 0) {
    complain(w->item->name, "%s", e.text);
    good = false;
  }
  if (good && stp_stick_check_compared(check) == 0) {
    complain(w->item->name, "no stick left a unit");
    good = false;
  }
  stp_device_close(d);
  stp_stick_check_free(check);
  return good;
}

static bool check_reference(const work_t *w, const stp_images_t *model) {
  stp_reference_t ref;
  stp_error_t e;
  if (stp_reference_run(w->kernel, &w->in, stderr, &ref, &e) != 0) {
    complain(w->item->name, "%s", e.text);
    return false;
  }
  bool good = same_images(w, "the model", model, "the interpreter", &ref.images);
  printf("%s: error against float64 %.3g, %.3g ulp\n", w->item->name, ref.max_error, ref.max_ulp);
  if (!(ref.max_error <= w->item->max_error)) {
    complain(w->item->name, "error against float64 is %.3g, the list allows %.3g", ref.max_error,
             w->item->max_error);
    good = false;
  }
  stp_reference_free(&ref);
  return good;
}

bool cosim_kernel(const item_t *item) {
  work_t w;
  run_t model = {0}, rtl = {0};
  stp_stick_log_t *log = stp_stick_log_new();
  const struct stp_machine_options o = {.compare_processor = 1};
  bool good = log != NULL && work_open(&w, item) &&
              work_run(&w, "model", NULL, stp_stick_log_record, log, &model) &&
              run_compared(&w, log, &o, &rtl) &&
              same_images(&w, "rtl", &rtl.out, "the model", &model.out) &&
              check_reference(&w, &model.out);
  if (good) {
    printf("%s: %" PRIu64 " sticks and final memory equal; %" PRIu64
           " instructions of the management processor compared\n",
           item->name, stp_stick_log_count(log), rtl.stats.retired_compared);
  }
  /* The records of retirement of the last few cycles may not have been looked at. */
  if (good &&
      (rtl.stats.retired_compared == 0 || rtl.stats.retired_compared + 16 < rtl.stats.retired)) {
    complain(item->name, "only %" PRIu64 " of %" PRIu64 " instructions of the processor compared",
             rtl.stats.retired_compared, rtl.stats.retired);
    good = false;
  }
  run_free(&model);
  run_free(&rtl);
  work_close(&w);
  stp_stick_log_free(log);
  return good;
}

/* ---- random stalls ----------------------------------------------------------------------- */

bool cosim_stalls(const item_t *item, uint64_t first, uint64_t last) {
  work_t w;
  run_t model = {0}, fixed = {0};
  stp_stick_log_t *log = stp_stick_log_new();
  uint64_t moved = 0;
  bool good = log != NULL && work_open(&w, item) &&
              work_run(&w, "model", NULL, stp_stick_log_record, log, &model) &&
              work_run(&w, "rtl", NULL, NULL, NULL, &fixed);
  for (uint64_t seed = first; good && seed <= last; seed++) {
    run_t rtl = {0};
    const struct stp_machine_options o = {
        .random_seed = seed, .init_seed = seed, .compare_processor = 1};
    good = run_compared(&w, log, &o, &rtl) &&
           same_images(&w, "rtl", &rtl.out, "the model", &model.out);
    if (good) {
      printf("%s: seed %" PRIu64 ": %" PRIu64 " cycles, %" PRIu64 " without stalls\n", item->name,
             seed, rtl.launch.cycles, fixed.launch.cycles);
      moved += rtl.launch.cycles != fixed.launch.cycles;
    } else {
      complain(item->name, "so with random stalls of seed %" PRIu64, seed);
    }
    run_free(&rtl);
  }
  if (good && moved == 0) {
    complain(item->name, "stalls changed no cycles: there were none");
    good = false;
  }
  run_free(&model);
  run_free(&fixed);
  work_close(&w);
  stp_stick_log_free(log);
  return good;
}

/* ---- cycles ------------------------------------------------------------------------------ */

/* Cycles in which no unit runs yet, or any more: of every kernel, at most. */
#define MAX_LAUNCH 800

#define UPDATE "if that is meant: BUILD/tests/cosim/cosim baseline (it rewrites tests/baseline)"

static void baseline_path(const char *config, char *path, size_t size) {
  snprintf(path, size, "%s/baseline/%s.list", COSIM_TESTS, config);
}

static bool baseline(const item_t *item, uint64_t *cycles, uint64_t *launch) {
  char path[1024], line[256], name[64];
  baseline_path(item->config, path, sizeof path);
  FILE *f = fopen(path, "r");
  bool found = false;
  while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
    found = sscanf(line, "%63s %" SCNu64 " %" SCNu64, name, cycles, launch) == 3 &&
            strcmp(name, item->name) == 0;
  }
  if (f != NULL) fclose(f);
  if (!found) complain(item->name, "%s has no cycles of it; %s", path, UPDATE);
  return found;
}

static bool near(const item_t *item, const char *what, uint64_t now, uint64_t then) {
  const double change = 100.0 * ((double)now - (double)then) / (double)then;
  printf("%s: %" PRIu64 " %s, %+.2f %% from the baseline's %" PRIu64 "\n", item->name, now, what,
         change, then);
  if (fabs(change) <= 2.0) return true;
  complain(item->name, "%" PRIu64 " %s, %+.1f %% from the baseline's %" PRIu64 "; %s", now, what,
           change, then, UPDATE);
  return false;
}

/* The formulas of docs/architecture.md. */
static bool check_floor(const work_t *w, uint64_t cycles) {
  const struct stp_job *job = stp_kernel_job(w->kernel);
  const item_t *item = w->item;
  const double pt = (double)job->macs / (1024.0 * (double)cycles);
  const double dram = (double)job->compulsory_bytes / (128.0 * (double)cycles);
  bool good = true;
  printf("%s: pt_share %.3f, dram_share %.3f\n", item->name, pt, dram);
  if (pt < item->min_pt) {
    complain(item->name, "pt_share is %.3f, at least %.2f is due", pt, item->min_pt);
    good = false;
  }
  if (dram < item->min_dram) {
    complain(item->name, "dram_share is %.3f, at least %.2f is due", dram, item->min_dram);
    good = false;
  }
  return good;
}

/* Every cycle of a unit is of one kind at most: the kinds' sum does not exceed its cycles. */
static bool check_kinds(const work_t *w, const stp_launch_t *l) {
  static const unsigned kinds[] = {STP_STAT_BUSY, STP_STAT_STALL_IN, STP_STAT_STALL_OUT,
                                   STP_STAT_STALL_TOKEN, STP_STAT_STALL_MEM};
  for (unsigned u = 0; u < STP_UNITS; u++) {
    const uint64_t *counters = l->counters[0][u];
    uint64_t sum = 0;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) sum += counters[kinds[i]];
    if (sum <= counters[STP_STAT_CYCLES]) continue;
    complain(w->item->name, "unit %u was busy or stalled for %" PRIu64 " of %" PRIu64 " cycles", u,
             sum, counters[STP_STAT_CYCLES]);
    return false;
  }
  return true;
}

/* Time, counters and results of two runs must be the same in every bit. */
static bool same_runs(const work_t *w, const run_t *a, const run_t *b, const char *what) {
  const item_t *item = w->item;
  bool good = same_images(w, "one run", &a->out, "the other", &b->out);
  if (a->launch.cycles != b->launch.cycles || a->launch.launch_cycles != b->launch.launch_cycles ||
      a->stats.cycles != b->stats.cycles) {
    complain(item->name,
             "%" PRIu64 " and %" PRIu64 " cycles (launch %" PRIu64 " and %" PRIu64
             ", since reset %" PRIu64 " and %" PRIu64 ")",
             a->launch.cycles, b->launch.cycles, a->launch.launch_cycles, b->launch.launch_cycles,
             a->stats.cycles, b->stats.cycles);
    good = false;
  }
  if (memcmp(a->launch.counters, b->launch.counters, sizeof a->launch.counters) != 0) {
    complain(item->name, "the counters of the units differ");
    good = false;
  }
  if (a->launch.dram_read_bytes != b->launch.dram_read_bytes ||
      a->launch.dram_write_bytes != b->launch.dram_write_bytes ||
      a->launch.retired != b->launch.retired) {
    complain(item->name, "memory traffic or instructions of the management processor differ");
    good = false;
  }
  if (!good) complain(item->name, "so between two runs that should be the same: %s", what);
  return good;
}

/* ---- fast arithmetic --------------------------------------------------------------------- */

bool cosim_fast(const item_t *item) {
  const struct stp_machine_options o = {.compare_processor = 1, .fast_arithmetic = 1};
  work_t w;
  run_t model = {0}, full = {0}, fast = {0};
  stp_stick_log_t *log = stp_stick_log_new();
  bool good = log != NULL && work_open(&w, item) &&
              work_run(&w, "model", NULL, stp_stick_log_record, log, &model) &&
              work_run(&w, "rtl", NULL, NULL, NULL, &full) && run_compared(&w, log, &o, &fast) &&
              same_runs(&w, &full, &fast, "full and fast arithmetic");
  if (good) {
    printf("%s: the same %" PRIu64 " cycles, counters and results; %" PRIu64
           " sticks equal the model's\n",
           item->name, fast.launch.cycles, stp_stick_log_count(log));
  }
  run_free(&model);
  run_free(&full);
  run_free(&fast);
  work_close(&w);
  stp_stick_log_free(log);
  return good;
}

bool cosim_cycles(const item_t *item) {
  static const struct {
    uint64_t init_seed;
    const char *what;
  } again[] = {{0, "all the same"}, {1, "initial state 1"}, {2, "initial state 2"}};
  work_t w;
  run_t first = {0};
  uint64_t cycles, launch;
  bool good = work_open(&w, item) && work_run(&w, "rtl", NULL, NULL, NULL, &first);
  if (good) {
    const bool known = baseline(item, &cycles, &launch);
    good = known && near(item, "cycles", first.launch.cycles, cycles);
    good = known && near(item, "launch cycles", first.launch.launch_cycles, launch) && good;
    good = check_floor(&w, first.launch.cycles) && good;
    good = check_kinds(&w, &first.launch) && good;
    if (first.launch.launch_cycles > MAX_LAUNCH) {
      complain(item->name, "a launch takes %" PRIu64 " cycles, at most %d are allowed",
               first.launch.launch_cycles, MAX_LAUNCH);
      good = false;
    }
    for (unsigned i = 0; i < sizeof again / sizeof *again; i++) {
      run_t run = {0};
      const struct stp_machine_options o = {.init_seed = again[i].init_seed};
      good = work_run(&w, "rtl", &o, NULL, NULL, &run) &&
             same_runs(&w, &first, &run, again[i].what) && good;
      run_free(&run);
    }
  }
  run_free(&first);
  work_close(&w);
  return good;
}

static bool write_baseline(const list_t *list, const char *config) {
  char path[1024];
  baseline_path(config, path, sizeof path);
  FILE *f = fopen(path, "w");
  if (f == NULL) {
    complain(path, "cannot be written");
    return false;
  }
  fprintf(
      f,
      "# Cycles of tests/cosim/kernels.list on %s, doorbell to interrupt, and the launch cycles "
      "among them.\n"
      "# Written by: BUILD/tests/cosim/cosim baseline\n",
      config);
  bool good = true;
  for (unsigned i = 0; good && i < list->count; i++) {
    work_t w;
    run_t run = {0};
    if (strcmp(list->items[i].config, config) != 0) continue;
    good = work_open(&w, &list->items[i]) && work_run(&w, "rtl", NULL, NULL, NULL, &run);
    if (good) {
      fprintf(f, "%-24s %10" PRIu64 " %6" PRIu64 "\n", list->items[i].name, run.launch.cycles,
              run.launch.launch_cycles);
    }
    run_free(&run);
    work_close(&w);
  }
  if (fclose(f) != 0) good = false;
  if (good) printf("wrote %s\n", path);
  return good;
}

bool cosim_baseline(const list_t *list) {
  bool good = true;
  for (unsigned i = 0; i < list->count; i++) {
    bool done = false;
    for (unsigned k = 0; k < i; k++) {
      done |= strcmp(list->items[k].config, list->items[i].config) == 0;
    }
    if (!done) good = write_baseline(list, list->items[i].config) && good;
  }
  return good;
}
