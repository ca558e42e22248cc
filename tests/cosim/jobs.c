/* SPDX-License-Identifier: Apache-2.0 */
/* Many jobs on one machine, and job files that are broken. */
#include "cosim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/job/job.h"
#include "../../host/runtime/reference.h"
#include "stp_isa.h"

/* Jobs that share a machine are small. */
#define SMALL_BYTES 300000u
/* Far more than a small job takes, with or without the watchdog's help. */
#define MAX_CYCLES 4000000u
#define WATCHDOG 64u /* in units of 1,024 cycles */

typedef struct lcg {
  uint64_t x;
} lcg_t;

static uint32_t draw(lcg_t *r, uint32_t below) {
  r->x = r->x * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((r->x >> 33) % below);
}

/* ---- a kernel and its right answer ------------------------------------------------------- */

typedef struct answer {
  work_t work;
  stp_reference_t reference;
  uint64_t cycles; /* of a run in a session; 0: not yet run */
} answer_t;

static bool answer_open(answer_t *a, const item_t *item) {
  stp_error_t e;
  memset(a, 0, sizeof *a);
  if (!work_open(&a->work, item)) return false;
  if (stp_reference_run(a->work.kernel, &a->work.in, stderr, &a->reference, &e) == 0) return true;
  complain(item->name, "%s", e.text);
  return false;
}

static void answer_close(answer_t *a) {
  stp_reference_free(&a->reference);
  work_close(&a->work);
}

/* Run the kernel on a machine that may have run others before: the results must be right. */
static bool answer_run(const answer_t *a, stp_device_t *d, stp_launch_t *l) {
  const work_t *w = &a->work;
  memset(l, 0, sizeof *l);
  const stp_launch_options_t options = {.max_cycles = MAX_CYCLES};
  stp_images_t out;
  stp_error_t e;
  bool good = stp_images_new(w->kernel, &out, &e) == 0 &&
              stp_execute(d, w->kernel, &w->in, &out, &options, l, &e) == 0;
  if (!good) {
    complain(w->item->name, "%s", e.text);
  } else if (l->status != STP_JOB_OK) {
    char text[1024];
    stp_launch_describe(w->kernel, l, text, sizeof text);
    complain(w->item->name, "%s", text);
    good = false;
  } else {
    good =
        same_images(w, stp_device_machine(d)->name, &out, "the interpreter", &a->reference.images);
  }
  stp_images_free(&out);
  return good;
}

static stp_device_t *open_device(const char *machine, const char *config) {
  const struct stp_machine_options o = {.config = config};
  stp_device_t *d = NULL;
  stp_error_t e;
  if (stp_device_open(machine, &o, &d, &e) != 0) complain(machine, "%s", e.text);
  return d;
}

static bool is_small(const work_t *w) {
  uint64_t bytes = 0;
  for (unsigned i = 0; i < stp_kernel_buffers(w->kernel); i++) {
    bytes += stp_kernel_buffer(w->kernel, i).bytes;
  }
  return bytes <= SMALL_BYTES;
}

/* ---- sessions ---------------------------------------------------------------------------- */

static bool run_session(answer_t *answers, unsigned count, const char *machine, unsigned jobs) {
  lcg_t r = {jobs};
  stp_device_t *d = open_device(machine, answers[0].work.item->config);
  bool good = d != NULL;
  for (unsigned i = 0; good && i < jobs; i++) {
    answer_t *a = &answers[i < count ? i : draw(&r, count)];
    stp_launch_t l;
    good = answer_run(a, d, &l);
    if (!good) complain(machine, "so in job %u of the session", i);
    printf("%s: job %u: %s, %" PRIu64 " %s\n", machine, i, a->work.item->name, l.cycles,
           l.has_cycles ? "cycles" : "steps");
    /* The firmware's first job is a few cycles shorter; from then on nothing depends on the past.
     */
    if (good && a->cycles != 0 && a->cycles != l.cycles) {
      complain(a->work.item->name,
               "job %u of the session on %s takes %" PRIu64 ", the same job before took %" PRIu64,
               i, machine, l.cycles, a->cycles);
      good = false;
    }
    if (i > 0) a->cycles = l.cycles;
  }
  stp_device_close(d);
  return good;
}

bool cosim_session(const list_t *list, const char *machine, unsigned jobs) {
  answer_t answers[MAX_CASES];
  unsigned count = 0;
  bool good = true;
  for (unsigned i = 0; good && i < list->count; i++) {
    /* One machine has one configuration. */
    if (strcmp(list->items[i].config, list->items[0].config) != 0) continue;
    work_t w;
    good = work_open(&w, &list->items[i]);
    const bool small = good && is_small(&w);
    work_close(&w);
    if (small) good = answer_open(&answers[count++], &list->items[i]);
  }
  if (good && count < 2) {
    complain(machine, "the list has too few small kernels for a session");
    good = false;
  }
  good = good && run_session(answers, count, machine, jobs);
  while (count > 0) answer_close(&answers[--count]);
  return good;
}

/* ---- several machines at a time ---------------------------------------------------------- */

static int count_sticks(void *user, const struct stp_tap *tap) {
  (void)tap;
  ++*(uint64_t *)user;
  return 0;
}

/*
 * Machines share nothing: what one is asked to do (compare the processor, stall, report sticks)
 * must happen to that one and no other, whichever was opened or closed last.
 */
static bool run_machines(const answer_t *a, stp_device_t *d[3]) {
  uint64_t sticks[3] = {0}, cycles[3] = {0};
  struct stp_machine_stats stats[3];
  bool good = true;
  for (unsigned i = 0; i < 3; i++) {
    struct stp_machine *m = stp_device_machine(d[i]);
    if (i < 2) m->ops->set_tap(m, count_sticks, &sticks[i]);
  }
  for (unsigned turn = 0; good && turn < 2; turn++) {
    for (unsigned i = 0; good && i < 3; i++) {
      stp_launch_t l;
      good = answer_run(a, d[i], &l);
      cycles[i] = l.cycles;
    }
  }
  for (unsigned i = 0; i < 3; i++) {
    struct stp_machine *m = stp_device_machine(d[i]);
    m->ops->stats(m, &stats[i]);
    printf("machine %u: %" PRIu64 " cycles, %" PRIu64 " sticks, %" PRIu64 " of %" PRIu64
           " instructions compared\n",
           i, cycles[i], sticks[i], stats[i].retired_compared, stats[i].retired);
  }
  if (good && (sticks[0] == 0 || sticks[0] != sticks[1] || sticks[2] != 0)) {
    complain("machines", "sticks of one machine were reported as those of another");
    good = false;
  }
  if (good && (stats[0].retired_compared == 0 || stats[1].retired_compared != 0)) {
    complain("machines", "the processor of the wrong machine was compared with its simulator");
    good = false;
  }
  if (good && (cycles[0] != cycles[2] || cycles[0] == cycles[1])) {
    complain("machines", "the wrong machine stalled at random");
    good = false;
  }
  return good;
}

bool cosim_machines(const list_t *list) {
  const item_t *item = list_find(list, "vector_add");
  answer_t a;
  if (item == NULL) return false;
  bool good = answer_open(&a, item);
  const struct stp_machine_options o[3] = {{.config = item->config, .compare_processor = 1},
                                           {.config = item->config, .random_seed = 5},
                                           {.config = item->config}};
  stp_device_t *d[3] = {NULL};
  for (unsigned i = 0; good && i < 3; i++) {
    stp_error_t e;
    good = stp_device_open("rtl", &o[i], &d[i], &e) == 0;
    if (!good) complain("machines", "%s", e.text);
  }
  good = good && run_machines(&a, d);
  stp_device_close(d[1]);
  stp_device_close(d[2]);
  stp_launch_t l;
  good = good && answer_run(&a, d[0], &l);
  stp_device_close(d[0]);
  answer_close(&a);
  return good;
}

/* ---- jobs that are wrong ----------------------------------------------------------------- */

/* The kernel of a job, by way of a job file. */
static stp_kernel_t *reload(const char *name, const stp_job_t *job) {
  uint8_t *data = NULL;
  size_t len = 0;
  char text[512];
  stp_error_t e;
  stp_kernel_t *k = NULL;
  if (stp_job_save(job, &data, &len, text, sizeof text) != 0) {
    complain(name, "%s", text);
    return NULL;
  }
  if (stp_kernel_load(name, data, len, &k, &e) != 0) complain(name, "%s", e.text);
  free(data);
  return k;
}

static bool same_record(const stp_launch_t *a, const stp_launch_t *b) {
  return a->status == b->status && a->cause == b->cause && a->core == b->core &&
         a->unit == b->unit && a->pc == b->pc && a->addr == b->addr && a->blocked == b->blocked &&
         a->trapped == b->trapped && a->running == b->running;
}

static void show_records(const char *name, const stp_launch_t *rtl, const stp_launch_t *model) {
  const stp_launch_t *both[] = {rtl, model};
  complain(name, "rtl and model leave different completion records");
  for (unsigned i = 0; i < 2; i++) {
    const stp_launch_t *l = both[i];
    complain(name,
             "%s: status %" PRIu32 ", cause %" PRIu32 ", core %" PRIu32 ", unit %" PRIu32
             ", pc %" PRIu32 ", address 0x%" PRIx64 ", blocked %03" PRIx32 ", running %03" PRIx32
             ", trapped %03" PRIx32,
             i == 0 ? "rtl" : "model", l->status, l->cause, l->core, l->unit, l->pc, l->addr,
             l->blocked, l->running, l->trapped);
  }
}

/* Launch a job that may be wrong from contents `in`. 0 if it is over, else -1. */
static int launch(stp_device_t *d, const stp_kernel_t *k, const stp_images_t *in, stp_images_t *out,
                  stp_launch_t *l, stp_error_t *e) {
  const stp_launch_options_t options = {.max_cycles = MAX_CYCLES, .watchdog = WATCHDOG};
  return stp_execute(d, k, in, out, &options, l, e);
}

/* ---- broken job files -------------------------------------------------------------------- */

/* A machine for broken jobs: a new one when the old one is beyond repair. */
typedef struct victim {
  const answer_t *answer;
  const char *machine;
  stp_device_t *device;
  unsigned files, refused, large, spilt, runs, ended[STP_STATUSES];
} victim_t;

static bool renew(victim_t *v) {
  stp_device_close(v->device);
  v->device = open_device(v->machine, v->answer->work.item->config);
  return v->device != NULL;
}

/* Contents for a job whose buffers may not be those of the kernel: repeated from its own. */
static void fill(const answer_t *a, const stp_kernel_t *k, stp_images_t *images) {
  for (unsigned i = 0; i < images->count; i++) {
    const unsigned from = i < a->work.in.count ? i : 0;
    const size_t bytes = (size_t)stp_kernel_buffer(k, i).bytes;
    const size_t have = (size_t)stp_kernel_buffer(a->work.kernel, from).bytes;
    for (size_t at = 0; at < bytes; at += have) {
      memcpy(images->data[i] + at, a->work.in.data[from], bytes - at < have ? bytes - at : have);
    }
  }
}

/* Run what a broken file turned into. Right is every end but a hang or a failure of the machine. */
static bool run_broken(victim_t *v, const stp_kernel_t *k, const char *what) {
  const char *name = v->answer->work.item->name;
  stp_images_t in, out;
  stp_launch_t l;
  stp_error_t e;
  if (stp_images_new(k, &in, &e) != 0) return true;
  if (stp_images_new(k, &out, &e) != 0) {
    stp_images_free(&in);
    return true;
  }
  fill(v->answer, k, &in);
  bool good = v->device != NULL || renew(v);
  v->runs++;
  if (good && launch(v->device, k, &in, &out, &l, &e) != 0) {
    good = e.kind == STP_ERROR_DIFFERS || e.kind == STP_ERROR_INPUT;
    if (!good) complain(name, "%s: %s", what, e.text);
    v->spilt++;
    good = renew(v) && good;
  } else if (good && l.status >= STP_STATUSES) {
    complain(name, "%s: a job ended with the unknown status %" PRIu32, what, l.status);
    good = false;
  } else if (good) {
    v->ended[l.status]++;
  }
  stp_images_free(&in);
  stp_images_free(&out);
  /* Whatever has run before: the machine still works. */
  if (good && v->runs % 32 == 0) {
    good = answer_run(v->answer, v->device, &l);
    if (!good) complain(name, "%s: the job after it fails", what);
  }
  return good;
}

/* Load a broken file, and run it where that works. The bytes are in a block of just their size, so
   that a sanitizer sees reads beyond them. */
static bool try_file(victim_t *v, const uint8_t *data, size_t len, bool run, const char *what) {
  uint8_t *copy = malloc(len > 0 ? len : 1);
  stp_kernel_t *k = NULL;
  stp_error_t e = {.text = ""};
  bool good = copy != NULL;
  v->files++;
  if (good && len > 0) memcpy(copy, data, len);
  if (good && stp_kernel_load("broken", copy, len, &k, &e) != 0) {
    v->refused++;
    good = e.kind == STP_ERROR_INPUT && strlen(e.text) > strlen("broken: ");
    if (!good) complain(v->answer->work.item->name, "%s: refused without a reason", what);
  } else if (good && run) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < stp_kernel_buffers(k); i++) bytes += stp_kernel_buffer(k, i).bytes;
    if (bytes > 1u << 26) {
      v->large++;
    } else {
      good = run_broken(v, k, what);
    }
  } else if (good) {
    complain(v->answer->work.item->name, "%s: is read without complaint", what);
    good = false;
  }
  stp_kernel_free(k);
  free(copy);
  return good;
}

static bool try_truncations(victim_t *v, const uint8_t *data, size_t len) {
  enum { TOTAL = 20 }; /* where the header says how long the file is */
  uint8_t *copy = malloc(len);
  bool good = copy != NULL;
  for (size_t n = 0; good && n < len; n++) {
    char what[64];
    snprintf(what, sizeof what, "cut to %zu bytes", n);
    good = try_file(v, data, n, false, what);
    memcpy(copy, data, n);
    for (unsigned i = 0; i < 4 && n >= TOTAL + 4; i++) copy[TOTAL + i] = (uint8_t)(n >> (8 * i));
    snprintf(what, sizeof what, "cut to %zu bytes, with a header that says so", n);
    good = good && try_file(v, copy, n, false, what);
  }
  free(copy);
  return good;
}

static bool try_bytes(victim_t *v, const uint8_t *data, size_t len, unsigned every) {
  static const uint8_t flips[] = {0x01, 0x80, 0xff, 0x10};
  uint8_t *copy = malloc(len);
  bool good = copy != NULL;
  if (good) memcpy(copy, data, len);
  for (size_t at = 0; good && at < len; at++) {
    for (size_t i = 0; good && i < sizeof flips; i++) {
      char what[64];
      if ((at * sizeof flips + i) % every != 0) continue;
      snprintf(what, sizeof what, "byte %zu xor 0x%02x", at, flips[i]);
      copy[at] ^= flips[i];
      good = try_file(v, copy, len, true, what);
      copy[at] ^= flips[i];
    }
  }
  free(copy);
  return good;
}

static void show_victim(const victim_t *v) {
  printf("%s on %s: %u files, %u refused, %u with buffers that are too large, %u run: %u changed "
         "memory around buffers",
         v->answer->work.item->name, v->machine, v->files, v->refused, v->large, v->runs, v->spilt);
  for (unsigned i = 0; i < STP_STATUSES; i++) {
    printf(", %u %s", v->ended[i], stp_status_names[i]);
  }
  putchar('\n');
}

bool cosim_broken(const item_t *item, unsigned every) {
  answer_t a;
  uint8_t *data = NULL;
  size_t len = 0;
  char text[512];
  bool good = answer_open(&a, item);
  if (good && stp_job_save(stp_kernel_job(a.work.kernel), &data, &len, text, sizeof text) != 0) {
    complain(item->name, "%s", text);
    good = false;
  }
  victim_t v = {.answer = &a, .machine = "model"};
  good = good && try_truncations(&v, data, len) && try_bytes(&v, data, len, every);
  if (good) show_victim(&v);
  if (good && (v.refused == 0 || v.ended[STP_JOB_OK] == 0 || v.ended[STP_JOB_TRAP] == 0)) {
    complain(item->name, "no file was refused, no job ended well, or none trapped");
    good = false;
  }
  stp_device_close(v.device);
  free(data);
  answer_close(&a);
  return good;
}

/* ---- programs with flipped bits, on RTL and model ---------------------------------------- */

/* How a job ended: the record, and final memory if it ended well. */
typedef struct ending {
  bool over, spilt; /* spilt: memory around buffers was changed, and the rest is unknown */
  stp_launch_t launch;
  stp_images_t out;
} ending_t;

/* Run on `*d`, which is replaced by a new machine if the job spoils it. */
static bool end_of(stp_device_t **d, const struct stp_machine_options *o, const stp_kernel_t *k,
                   const stp_images_t *in, const char *what, ending_t *end) {
  stp_error_t e;
  memset(end, 0, sizeof *end);
  const char *machine = stp_device_machine(*d)->name;
  if (stp_images_new(k, &end->out, &e) != 0) {
    complain(what, "%s", e.text);
    return false;
  }
  if (launch(*d, k, in, &end->out, &end->launch, &e) == 0) {
    end->over = end->launch.status < STP_STATUSES;
    if (!end->over) complain(what, "unknown status %" PRIu32, end->launch.status);
    return end->over;
  }
  end->spilt = e.kind == STP_ERROR_DIFFERS;
  if (!end->spilt) complain(what, "%s", e.text);
  stp_device_close(*d);
  *d = NULL;
  if (stp_device_open(machine, o, d, &e) == 0) return end->spilt;
  complain(what, "%s", e.text);
  return false;
}

/* What was written around buffers may look like what was there before, so that one machine may have
   noticed and the other not: nothing to compare. */
static bool same_ending(const ending_t *a, const ending_t *b) {
  return a->spilt || b->spilt || same_record(&a->launch, &b->launch);
}

/* Do the records depend on time, or on the initial state? Then RTL itself gives several. */
static bool is_racy(const item_t *item, const stp_kernel_t *k, const stp_images_t *in,
                    const ending_t *rtl, const char *what) {
  bool racy = false;
  for (uint64_t seed = 1; !racy && seed <= 12; seed++) {
    const struct stp_machine_options o = {.config = item->config,
                                          .random_seed = seed,
                                          .init_seed = seed,
                                          .dram_latency = seed % 2 != 0 ? 1 : 1000};
    stp_device_t *d = NULL;
    stp_error_t e;
    ending_t end;
    if (stp_device_open("rtl", &o, &d, &e) != 0) break;
    const bool ran = end_of(&d, &o, k, in, what, &end);
    racy = ran && !same_ending(rtl, &end);
    stp_images_free(&end.out);
    stp_device_close(d);
  }
  return racy;
}

typedef struct duel {
  const answer_t *answer;
  struct stp_machine_options options;
  stp_device_t *rtl, *model;
  unsigned runs, spilt, racy, other, ended[STP_STATUSES];
} duel_t;

static bool run_mutant(duel_t *v, const stp_kernel_t *k, const char *what) {
  const item_t *item = v->answer->work.item;
  const stp_images_t *in = &v->answer->work.in;
  ending_t rtl = {0}, model = {0};
  stp_error_t e;
  bool good = end_of(&v->rtl, &v->options, k, in, what, &rtl) &&
              end_of(&v->model, &v->options, k, in, what, &model);
  v->runs++;
  if (good) {
    v->spilt += rtl.spilt || model.spilt;
    if (!rtl.spilt && !model.spilt) v->ended[rtl.launch.status]++;
    const bool compared = !rtl.spilt && !model.spilt && rtl.launch.status == STP_JOB_OK;
    if (!same_ending(&rtl, &model)) {
      good = is_racy(item, k, in, &rtl, what);
      if (!good) show_records(what, &rtl.launch, &model.launch);
      v->racy++;
    } else if (compared && stp_images_compare(k, "a", &rtl.out, "b", &model.out, &e) != 0) {
      v->other++;
    }
  }
  stp_images_free(&rtl.out);
  stp_images_free(&model.out);
  if (good && v->runs % 32 == 0) {
    stp_launch_t l;
    good = answer_run(v->answer, v->rtl, &l) && answer_run(v->answer, v->model, &l);
    if (!good) complain(item->name, "%s: the job after it fails", what);
  }
  return good;
}

/*
 * Random flips of one to three bits in the programs. How the job ends must be the same on both
 * machines, and neither may hang, fail an assertion or spoil the next job. Results are counted
 * only: a program without its tokens, or that reads LX before it has written it, has none.
 */
static bool try_mutant(duel_t *v, uint64_t seed) {
  const char *name = v->answer->work.item->name;
  uint8_t *data = NULL;
  size_t len = 0;
  char text[512], what[64];
  stp_job_t *job = NULL;
  lcg_t r = {seed * 0x9e3779b97f4a7c15u};
  bool good =
      stp_job_save(stp_kernel_job(v->answer->work.kernel), &data, &len, text, sizeof text) == 0 &&
      stp_job_load(data, len, &job, text, sizeof text) == 0;
  if (!good) complain(name, "%s", text);
  for (unsigned flips = 1 + draw(&r, 3); good && flips > 0;) {
    stp_job_program_t *p = &job->programs[draw(&r, STP_UNITS)];
    if (p->count == 0) continue;
    const uint32_t bit = draw(&r, 64);
    const uint32_t pc = draw(&r, p->count);
    p->words[pc] ^= (uint64_t)1 << bit;
    flips--;
  }
  stp_kernel_t *k = good ? reload(name, job) : NULL;
  snprintf(what, sizeof what, "mutant %" PRIu64, seed);
  good = k != NULL && run_mutant(v, k, what);
  stp_kernel_free(k);
  stp_job_free(job);
  free(data);
  return good;
}

bool cosim_mutants(const item_t *item, uint64_t first, uint64_t last) {
  answer_t a;
  bool good = answer_open(&a, item);
  duel_t v = {.answer = &a, .options = {.config = item->config}};
  if (good) v.rtl = open_device("rtl", item->config);
  if (good) v.model = open_device("model", item->config);
  good = v.rtl != NULL && v.model != NULL;
  for (uint64_t seed = first; good && seed <= last; seed++) good = try_mutant(&v, seed);
  printf("%s: %u mutants on rtl and model: %u changed memory around buffers, %u race, "
         "%u have other results",
         item->name, v.runs, v.spilt, v.racy, v.other);
  for (unsigned i = 0; i < STP_STATUSES; i++) printf(", %u %s", v.ended[i], stp_status_names[i]);
  putchar('\n');
  stp_device_close(v.rtl);
  stp_device_close(v.model);
  answer_close(&a);
  return good;
}
