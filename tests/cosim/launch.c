/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cycles of a launch go: phases that end with what firmware does to its registers. */
#include "cosim.h"

#include <inttypes.h>
#include <stdlib.h>

/* A phase ends when the processor has done this for the first time since it began. */
typedef struct phase {
  const char *name;
  uint32_t reg; /* it accesses this register; 0: it executes any instruction */
  bool store;
  uint32_t mask, value; /* what is loaded or stored, under the mask */
} phase_t;

static const phase_t phases[] = {
    {"the doorbell wakes the processor", 0, false, 0, 0},
    {"the queue's entry is found", STP_MGMT_DMA_START, true, ~0u, 0},
    {"the descriptor comes", STP_MGMT_DMA_STATE, false, 1, 0},
    {"transfers of programs and arguments are queued", STP_MGMT_DMA_START, true, ~0u, 2},
    {"the descriptor is checked, the core cleared", STP_MGMT_CORE_CLEAR, true, 0, 0},
    {"programs and arguments come", STP_MGMT_DMA_STATE, false, 1, 0},
    {"start", STP_MGMT_CORE_START, true, 0, 0},
    {"the last halt wakes the processor", 0, false, 0, 0},
    {"it looks at the core and queues status sticks", STP_MGMT_DMA_START, true, ~0u, 4},
    {"the record is queued", STP_MGMT_DMA_START, true, ~0u, 3},
    {"status sticks and record go to memory", STP_MGMT_DMA_STATE, false, 1, 0},
    {"completion and interrupt", STP_MGMT_HOSTIF_IRQ_SET, true, 1, 1},
};
enum { PHASES = sizeof phases / sizeof *phases, AFTER_START = 7, MAX_RECORDS = 1 << 16 };

typedef struct records {
  struct stp_retired record[MAX_RECORDS];
  unsigned count;
} records_t;

static void keep(void *user, const struct stp_retired *r) {
  records_t *all = user;
  if (all->count < MAX_RECORDS) all->record[all->count++] = *r;
}

static bool ends(const phase_t *p, const struct stp_retired *r) {
  if (p->reg == 0) return true;
  return (p->store ? r->store : r->load) && r->addr == p->reg && (r->value & p->mask) == p->value;
}

/* The cycle of the record that ends phase p, which began in cycle `from`; 0 if there is none. */
static uint64_t end_of(const records_t *all, const phase_t *p, uint64_t from) {
  for (unsigned i = 0; i < all->count; i++) {
    if (all->record[i].cycle > from && ends(p, &all->record[i])) return all->record[i].cycle;
  }
  return 0;
}

static bool read_time(struct stp_machine *m, uint32_t low, uint64_t *cycle) {
  uint32_t l, h;
  if (m->ops->reg_read(m, low, &l) != 0 || m->ops->reg_read(m, low + 4, &h) != 0) return false;
  *cycle = (uint64_t)h << 32 | l;
  return true;
}

static bool show(const item_t *item, const records_t *all, const stp_launch_t *l,
                 struct stp_machine *m) {
  uint64_t doorbell, start, halt, irq, sum = 0;
  if (!read_time(m, STP_HOST_T_DOORBELL_LO, &doorbell) ||
      !read_time(m, STP_HOST_T_START_LO, &start) || !read_time(m, STP_HOST_T_HALT_LO, &halt) ||
      !read_time(m, STP_HOST_T_IRQ_LO, &irq)) {
    complain(item->name, "%s", m->error);
    return false;
  }
  /* An access to a register retires a fixed time after it was made, and the machine counts cycles
     from another one than the chip. */
  uint64_t shift = 0;
  for (unsigned i = 0; i < all->count; i++) {
    const struct stp_retired *r = &all->record[i];
    if (r->store && r->addr == STP_MGMT_CORE_START) shift = r->cycle - start;
  }
  uint64_t from = doorbell + shift;
  for (unsigned i = 0; i < PHASES; i++) {
    if (i == AFTER_START) from = halt + shift;
    const uint64_t end = end_of(all, &phases[i], from);
    if (end == 0) {
      complain(item->name, "the firmware did not do what ends the phase '%s'", phases[i].name);
      return false;
    }
    printf("%5" PRIu64 "  %s\n", end - from, phases[i].name);
    sum += end - from;
    from = end;
  }
  printf("%5" PRIu64 "  launch of %s\n", sum, item->name);
  if (sum == l->launch_cycles && from == irq + shift) return true;
  complain(item->name, "the phases' sum is %" PRIu64 ", the launch took %" PRIu64, sum,
           l->launch_cycles);
  return false;
}

bool cosim_launch(const item_t *item) {
  work_t w;
  stp_device_t *d = NULL;
  stp_images_t out = {0};
  stp_launch_t l;
  stp_error_t e = {.text = "out of memory"};
  records_t *all = calloc(1, sizeof *all);
  const struct stp_machine_options o = {
      .config = item->config, .retired = keep, .retired_user = all};
  bool good = work_open(&w, item);
  if (good && (all == NULL || stp_device_open("rtl", &o, &d, &e) != 0 ||
               stp_images_new(w.kernel, &out, &e) != 0 ||
               stp_execute(d, w.kernel, &w.in, &out, NULL, &l, &e) != 0)) {
    complain(item->name, "%s", e.text);
    good = false;
  }
  good = good && show(item, all, &l, stp_device_machine(d));
  stp_images_free(&out);
  stp_device_close(d);
  work_close(&w);
  free(all);
  return good;
}
