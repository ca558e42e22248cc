/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cosim COMMAND [ARGUMENT]...: the regressions of kernels on RTL, one per call. What breaks is said
 * on standard error, with the command that repeats it; figures go to standard output.
 */
#include "cosim.h"

#include <stdlib.h>
#include <string.h>

typedef struct call {
  const list_t *list;
  char **args;
  const item_t *item; /* args[0], where it is a case */
  uint64_t number[3]; /* the arguments after it */
} call_t;

static bool do_kernel(const call_t *c) {
  return cosim_kernel(c->item);
}
static bool do_cycles(const call_t *c) {
  return cosim_cycles(c->item);
}
static bool do_fast(const call_t *c) {
  return cosim_fast(c->item);
}
static bool do_launch(const call_t *c) {
  return cosim_launch(c->item);
}
static bool do_baseline(const call_t *c) {
  return cosim_baseline(c->list);
}
static bool do_faults(const call_t *c) {
  return cosim_faults(c->list);
}

static bool do_machines(const call_t *c) {
  return cosim_machines(c->list);
}

static bool do_stalls(const call_t *c) {
  return cosim_stalls(c->item, c->number[1], c->number[2]);
}

static bool do_session(const call_t *c) {
  return cosim_session(c->list, c->args[0], (unsigned)c->number[1]);
}

static bool do_broken(const call_t *c) {
  return cosim_broken(c->item, c->number[1] > 0 ? (unsigned)c->number[1] : 1);
}

static bool do_mutants(const call_t *c) {
  return cosim_mutants(c->item, c->number[1], c->number[2]);
}

static bool do_tiles(const call_t *c) {
  return cosim_tiles(c->number[0], c->number[1]);
}

static const struct {
  const char *name, *args;
  int count, numbers; /* arguments; the first of them that is a number */
  bool on_case;
  bool (*run)(const call_t *c);
  const char *text;
} commands[] = {
    {"kernel", "CASE", 1, 1, true, do_kernel,
     "RTL = model in every stick, the processor = its simulator, memory = interpreter"},
    {"cycles", "CASE", 1, 1, true, do_cycles,
     "cycles against tests/baseline, and repeatable; floors"},
    {"fast", "CASE", 1, 1, true, do_fast,
     "RTL with fast arithmetic = RTL: sticks, memory, cycles and counters"},
    {"launch", "CASE", 1, 1, true, do_launch, "where the cycles of a launch go, phase by phase"},
    {"stalls", "CASE FIRST LAST", 3, 1, true, do_stalls, "random stalls of seeds FIRST to LAST"},
    {"session", "MACHINE JOBS", 2, 1, false, do_session, "many jobs on one machine"},
    {"machines", "", 0, 1, false, do_machines, "several RTL machines in one process share nothing"},
    {"faults", "", 0, 1, false, do_faults,
     "every fault in every unit, on RTL and model; and the job after it"},
    {"broken", "CASE EVERY", 2, 1, true, do_broken,
     "the case's job file, cut and with each byte changed (every EVERYth change), on the model"},
    {"mutants", "CASE FIRST LAST", 3, 1, true, do_mutants,
     "the case's programs with flipped bits, seeds FIRST to LAST, on RTL and model"},
    {"tiles", "FIRST LAST", 2, 0, false, do_tiles,
     "random kernels on tiles of about the size of LX, on the model: memory = interpreter"},
    {"baseline", "", 0, 1, false, do_baseline, "rewrite tests/baseline from runs on RTL"},
};
enum { NUM_COMMANDS = sizeof commands / sizeof *commands };

static int usage(void) {
  fputs("usage: cosim COMMAND [ARGUMENT]..., with cases of tests/cosim/kernels.list\n\n", stderr);
  for (unsigned i = 0; i < NUM_COMMANDS; i++) {
    fprintf(stderr, "  %-9s %-16s %s\n", commands[i].name, commands[i].args, commands[i].text);
  }
  return 2;
}

int main(int argc, char **argv) {
  static list_t list;
  call_t c = {.list = &list, .args = argv + 2};
  unsigned i = 0;
  while (i < NUM_COMMANDS && (argc < 2 || strcmp(commands[i].name, argv[1]) != 0)) i++;
  if (i == NUM_COMMANDS || argc != 2 + commands[i].count) return usage();
  for (int k = commands[i].numbers; k < commands[i].count; k++) {
    char *end;
    c.number[k] = strtoull(argv[2 + k], &end, 0);
    if (*argv[2 + k] == '\0' || *end != '\0') return usage();
  }
  if (!list_read(&list)) return 2;
  if (commands[i].on_case && (c.item = list_find(&list, argv[2])) == NULL) return 2;
  if (commands[i].run(&c)) return 0;
  fflush(stdout);
  fputs("alone:", stderr);
  for (int k = 0; k < argc; k++) fprintf(stderr, " %s", argv[k]);
  fputc('\n', stderr);
  return 1;
}
