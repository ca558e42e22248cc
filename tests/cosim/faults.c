/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every fault, in every unit that can meet it, on RTL and model. A case is a job of one or two
 * hand-written programs. Both machines must leave the same record and the same state of all units,
 * the record must be what the table says, the runtime's message must name the line of the faulting
 * instruction, and the job after it must run. At the end every cause and every status of
 * arch/job.toml must have had a case.
 */
#include "cosim.h"
#include "fault_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../host/job/job.h"
#include "stp_isa.h"

#define MAX_CYCLES 2000000u
#define WATCHDOG 4u /* in units of 1,024 cycles: more than a case takes that ends by itself */
#define FILE_NAME "fault.mlir"

/* ---- jobs -------------------------------------------------------------------------------- */

/* Machine 0 is the RTL, 1 the model. */
typedef struct bench {
  stp_device_t *d[2];
  uint64_t buffer[2]; /* its device address: the same on both */
  uint64_t args;      /* device address of the job arguments */
  stp_kernel_t *good; /* a job without a fault */
  bool cause[STP_CAUSES], status[STP_STATUSES];
  unsigned cases;
} bench_t;

static bool add_program(stp_job_t *job, unsigned unit, void (*build)(stp_asm_t *a)) {
  stp_asm_t *a = malloc(sizeof *a);
  bool good = a != NULL;
  if (good) {
    stp_asm_init(a, unit);
    stp_asm_at(a, 1, 1);
    build(a);
    good = stp_asm_finish(a) == 0 && stp_job_set_program(job, unit, a->words, a->count) == 0;
    if (!good) complain("faults", "unit %u: %s", unit, stp_asm_error(a));
  }
  for (uint32_t i = 0; good && i < a->num_lines; i++) {
    const stp_asm_line_t *l = &a->lines[i];
    const uint32_t end = i + 1 < a->num_lines ? a->lines[i + 1].pc : a->count;
    const stp_job_line_t line = {(uint16_t)unit, (uint16_t)l->pc, (uint16_t)(end - l->pc), l->line,
                                 l->col};
    good = stp_job_add_line(job, &line) == 0;
  }
  free(a);
  return good;
}

static stp_job_t *new_job(void) {
  stp_job_t *job = stp_job_new();
  const stp_job_buffer_t x = {.name = (char *)"x",
                              .elem = STP_JOB_ELEM_F16,
                              .dir = STP_JOB_READ | STP_JOB_WRITTEN,
                              .rank = 1,
                              .dims = {BUFFER_BYTES / 2},
                              .bytes = BUFFER_BYTES};
  if (job == NULL) return NULL;
  job->contract = STP_CONTRACT_VERSION;
  job->grid_rank = 1;
  job->grid[0] = job->tiles = job->num_args = 1;
  if (stp_job_set_string(&job->kernel, "fault") == 0 &&
      stp_job_set_string(&job->file, FILE_NAME) == 0 &&
      stp_job_set_string(&job->options, "") == 0 && stp_job_add_buffer(job, &x) == 0) {
    return job;
  }
  stp_job_free(job);
  return NULL;
}

/* The kernel of a job, by way of a job file. Frees the job. */
static stp_kernel_t *kernel_of(stp_job_t *job) {
  uint8_t *data = NULL;
  size_t len = 0;
  char text[512] = "out of memory";
  stp_kernel_t *k = NULL;
  stp_error_t e;
  if (job == NULL || stp_job_save(job, &data, &len, text, sizeof text) != 0) {
    complain("faults", "%s", text);
  } else if (stp_kernel_load("fault", data, len, &k, &e) != 0) {
    complain("faults", "%s", e.text);
  }
  free(data);
  stp_job_free(job);
  return k;
}

static stp_kernel_t *build_fault(const fault_t *f, unsigned unit) {
  stp_job_t *job = new_job();
  bool good = job != NULL;
  /* The table of lines is in the order of units. */
  for (unsigned u = 0; good && u < STP_UNITS; u++) {
    if (u == unit && f->build != NULL) good = add_program(job, u, f->build);
    if (u == f->other) good = add_program(job, u, f->build_other);
  }
  if (good) return kernel_of(job);
  stp_job_free(job);
  return NULL;
}

/* ---- the job after a fault ---------------------------------------------------------------- */

/* Two sticks from the buffer's begin to its middle, one through each corelet. What an earlier job
   has left in FIFOs, tokens, descriptors or registers would show. */

static void good_mni_lu(stp_asm_t *a) {
  stp_asm_op(a, STP_OP_ARG, 4, 0, 0, 0, 0);
  fault_cfg(a, STP_CFG_MNI_N0, 2 * STP_STICK_BYTES);
  stp_asm_op(a, STP_OP_XFER, 0, 4, 0, 0, 0);
  stp_asm_token(a, STP_OP_POST, STP_UNIT_LX_LU0, 0);
  stp_asm_token(a, STP_OP_POST, STP_UNIT_LX_LU1, 0);
  fault_halt(a);
}

static void good_lx_lu(stp_asm_t *a) {
  stp_asm_token(a, STP_OP_WAIT, STP_UNIT_MNI_LU, 0);
  stp_asm_op(a, STP_OP_SPR, 4, 0, 0, STP_SPR_CORELET, 0);
  stp_asm_op(a, STP_OP_SHLI, 4, 4, 0, 0, 7);
  stp_asm_op(a, STP_OP_LD, 0, 4, 0, 1, 0);
  fault_halt(a);
}

static void good_sfu(stp_asm_t *a) {
  fault_put(a, fault_sfu(STP_OP_VMOV, STP_FMT_F16, STP_V_OUT, STP_V_X, 0));
  fault_halt(a);
}

static void good_lx_su(stp_asm_t *a) {
  stp_asm_op(a, STP_OP_SPR, 4, 0, 0, STP_SPR_CORELET, 0);
  stp_asm_op(a, STP_OP_SHLI, 4, 4, 0, 0, 7);
  stp_asm_op(a, STP_OP_ADDI, 4, 4, 0, 0, 4096);
  stp_asm_op(a, STP_OP_ST, 0, 4, 0, 0, 0);
  stp_asm_token(a, STP_OP_POST, STP_UNIT_MNI_SU, 0);
  fault_halt(a);
}

static void good_mni_su(stp_asm_t *a) {
  stp_asm_token(a, STP_OP_WAIT, STP_UNIT_LX_SU0, 0);
  stp_asm_token(a, STP_OP_WAIT, STP_UNIT_LX_SU1, 0);
  stp_asm_op(a, STP_OP_ARG, 4, 0, 0, 0, 0);
  stp_asm_li(a, 5, 4096);
  fault_cfg(a, STP_CFG_MNI_N0, 2 * STP_STICK_BYTES);
  stp_asm_op(a, STP_OP_ADDI, 4, 4, 0, 0, BUFFER_BYTES / 2);
  stp_asm_op(a, STP_OP_XFER, 0, 4, 5, 0, 0);
  fault_halt(a);
}

static void good_pt(stp_asm_t *a) {
  fault_halt(a);
}

static stp_kernel_t *build_good(void) {
  static void (*const builds[STP_UNITS])(stp_asm_t *) = {
      good_mni_lu, good_mni_su, good_lx_lu, good_pt,  good_sfu,
      good_lx_su,  good_lx_lu,  good_pt,    good_sfu, good_lx_su};
  stp_job_t *job = new_job();
  bool good = job != NULL;
  for (unsigned u = 0; good && u < STP_UNITS; u++) good = add_program(job, u, builds[u]);
  if (good) return kernel_of(job);
  stp_job_free(job);
  return NULL;
}

static bool run_good(bench_t *b) {
  uint8_t data[BUFFER_BYTES];
  const stp_launch_options_t o = {.max_cycles = MAX_CYCLES, .watchdog = WATCHDOG};
  const unsigned bytes = 2 * STP_STICK_BYTES, to = BUFFER_BYTES / 2;
  for (unsigned m = 0; m < 2; m++) {
    stp_launch_t l;
    stp_error_t e;
    for (unsigned i = 0; i < BUFFER_BYTES; i++) data[i] = (uint8_t)(i * 7 + b->cases + i / 256);
    if (stp_device_write(b->d[m], b->buffer[m], data, sizeof data, &e) != 0 ||
        stp_device_launch(b->d[m], b->good, &b->buffer[m], &o, &l, &e) != 0 ||
        stp_device_read(b->d[m], b->buffer[m], data, sizeof data, &e) != 0) {
      complain("faults", "the job after it: %s", e.text);
      return false;
    }
    if (l.status != STP_JOB_OK || memcmp(data, data + to, bytes) != 0) {
      char text[1024];
      stp_launch_describe(b->good, &l, text, sizeof text);
      complain("faults", "the job after it on %s: %s, results %s",
               stp_device_machine(b->d[m])->name, text,
               memcmp(data, data + to, bytes) != 0 ? "wrong" : "right");
      return false;
    }
  }
  return true;
}

/* ---- cases ------------------------------------------------------------------------------- */

static uint64_t state_of(const stp_launch_t *l, unsigned unit) {
  return l->counters[0][unit][STP_STAT_STATE];
}

static void show(const char *machine, const stp_launch_t *l) {
  complain("faults",
           "%s: status %" PRIu32 ", cause %" PRIu32 ", core %" PRIu32 ", unit %" PRIu32
           ", pc %" PRIu32 ", address 0x%" PRIx64 ", blocked %03" PRIx32 ", running %03" PRIx32
           ", trapped %03" PRIx32,
           machine, l->status, l->cause, l->core, l->unit, l->pc, l->addr, l->blocked, l->running,
           l->trapped);
}

/* The same record, and the same state of all units. Of a watchdog the cause alone is the same. */
static bool same_end(const stp_launch_t *rtl, const stp_launch_t *model) {
  bool same = rtl->status == model->status && rtl->cause == model->cause;
  if (rtl->status != STP_JOB_WATCHDOG) {
    same = same && rtl->core == model->core && rtl->unit == model->unit && rtl->pc == model->pc &&
           rtl->addr == model->addr && rtl->blocked == model->blocked &&
           rtl->running == model->running && rtl->trapped == model->trapped;
    for (unsigned u = 0; u < STP_UNITS; u++) {
      if (state_of(rtl, u) != state_of(model, u) ||
          rtl->counters[0][u][STP_STAT_TRAP_ADDR] != model->counters[0][u][STP_STAT_TRAP_ADDR]) {
        complain("faults", "state of %s: rtl 0x%" PRIx64 ", model 0x%" PRIx64, stp_unit_names[u],
                 state_of(rtl, u), state_of(model, u));
        same = false;
      }
    }
  }
  if (!same) {
    show("rtl", rtl);
    show("model", model);
  }
  return same;
}

/* Is the end of a job what the table says? `wrong` gets what is not. */
static const char *wrong_end(const bench_t *b, const fault_t *f, unsigned unit,
                             const stp_kernel_t *k, const stp_launch_t *l, const char *text) {
  const stp_job_t *job = stp_kernel_job(k);
  const unsigned bit = 1u << unit, other = f->other_stays ? 1u << f->other : 0;
  uint64_t addr = f->addr;
  if (l->status != f->status) return "status";
  if (l->cause != f->cause) return "cause";
  if (f->cause == STP_CAUSE_NONE && l->trapped != 0) return "trapped";
  if (f->status == STP_JOB_DEADLOCK && (l->blocked != (bit | other) || l->running != l->blocked))
    return "blocked";
  if (f->status == STP_JOB_TRAP && l->running != other) return "running";
  if (f->status == STP_JOB_WATCHDOG && l->running != (f->other == NOBODY ? bit : other))
    return "running";
  if (f->cause != STP_CAUSE_NONE) {
    if (f->other == NOBODY && l->trapped != bit) return "trapped";
    if ((l->trapped & bit) == 0) return "trapped";
    if (l->unit != unit || l->core != 0) return "unit";
    if (f->cause == STP_CAUSE_BUS || f->cause == STP_CAUSE_LIMIT) addr += b->buffer[0];
    if (f->cause == STP_CAUSE_ILLEGAL)
      addr = job->programs[unit].words[l->pc] & (((uint64_t)1 << STP_ADDR_BITS) - 1);
    if (l->addr != addr) return "address";
  }
  /* The message names the line of the instruction, which tells that the pc is right. */
  bool has_line = false;
  for (uint32_t i = 0; i < job->num_lines; i++) {
    has_line = has_line || (job->lines[i].unit == unit && job->lines[i].line == FAULT_LINE);
  }
  if (has_line && strstr(text, "(" FILE_NAME ":77:5)") == NULL) return "line in the message";
  if (!has_line && f->cause == STP_CAUSE_PC_RANGE && l->pc != STP_PROG_WORDS) return "pc";
  return NULL;
}

static bool run_case(bench_t *b, const fault_t *f, unsigned unit) {
  const stp_launch_options_t o = {.max_cycles = MAX_CYCLES, .watchdog = WATCHDOG};
  stp_kernel_t *k = build_fault(f, unit);
  stp_launch_t l[2];
  char text[2048] = "";
  bool good = k != NULL;
  for (unsigned m = 0; good && m < 2; m++) {
    struct stp_machine *machine = stp_device_machine(b->d[m]);
    stp_error_t e;
    if (f->status == STP_JOB_BUS_ERROR) {
      machine->ops->set_bus_error(machine, b->args, STP_STICK_BYTES);
    } else if (f->cause == STP_CAUSE_BUS) {
      machine->ops->set_bus_error(machine, b->buffer[m] + BAD_STICK, STP_STICK_BYTES);
    }
    good = stp_device_launch(b->d[m], k, &b->buffer[m], &o, &l[m], &e) == 0;
    if (!good) complain("faults", "%s", e.text);
    machine->ops->set_bus_error(machine, 0, 0);
  }
  if (good) {
    stp_launch_describe(k, &l[0], text, sizeof text);
    good = same_end(&l[0], &l[1]);
    const char *wrong = wrong_end(b, f, unit, k, &l[0], text);
    if (wrong != NULL) {
      complain("faults", "%s is not the right one: %s", wrong, text);
      show("rtl", &l[0]);
      good = false;
    }
    b->cause[f->cause] = b->status[f->status] = true;
    b->cases++;
  }
  if (good) {
    printf("%s in %s: %s\n", f->name, stp_unit_names[unit], text);
  } else {
    complain("faults", "so with: %s in %s", f->name, stp_unit_names[unit]);
  }
  stp_kernel_free(k);
  return good;
}

static bool open_bench(bench_t *b, const char *config) {
  static const char *const names[] = {"rtl", "model"};
  memset(b, 0, sizeof *b);
  b->good = build_good();
  if (b->good == NULL) return false;
  for (unsigned m = 0; m < 2; m++) {
    const struct stp_machine_options o = {.config = config};
    stp_error_t e;
    if (stp_device_open(names[m], &o, &b->d[m], &e) != 0 ||
        stp_device_alloc(b->d[m], BUFFER_BYTES, &b->buffer[m], &e) != 0) {
      complain("faults", "%s", e.text);
      return false;
    }
  }
  if (!run_good(b)) return false;
  /* Where the runtime keeps arguments, the first job's descriptor says. */
  struct stp_machine *m = stp_device_machine(b->d[0]);
  uint32_t low = 0, high = 0;
  uint8_t bytes[8];
  if (m->ops->reg_read(m, STP_HOST_QUEUE_LO, &low) != 0 ||
      m->ops->reg_read(m, STP_HOST_QUEUE_HI, &high) != 0 ||
      m->ops->mem_read(m, ((uint64_t)high << 32 | low) + offsetof(struct stp_descriptor, args_addr),
                       bytes, sizeof bytes) != 0) {
    complain("faults", "%s", m->error);
    return false;
  }
  for (unsigned i = 0; i < 8; i++) b->args |= (uint64_t)bytes[i] << (8 * i);
  return b->buffer[0] == b->buffer[1];
}

bool cosim_faults(const list_t *list) {
  bench_t b;
  bool good = open_bench(&b, list->items[0].config), all = true;
  for (unsigned i = 0; good && i < cosim_fault_count; i++) {
    for (unsigned u = 0; u < STP_UNITS; u++) {
      if ((cosim_fault_table[i].units >> u & 1) != 0)
        all = run_case(&b, &cosim_fault_table[i], u) && all;
    }
    good = run_good(&b);
    if (!good) complain("faults", "so after: %s", cosim_fault_table[i].name);
  }
  for (unsigned c = 1; good && c < STP_CAUSES; c++) {
    if (b.cause[c]) continue;
    complain("faults", "no case has the cause %s", stp_cause_names[c]);
    all = false;
  }
  for (unsigned s = 1; good && s < STP_STATUSES; s++) {
    if (b.status[s]) continue;
    complain("faults", "no case has the status %s", stp_status_names[s]);
    all = false;
  }
  printf("%u cases\n", b.cases);
  stp_kernel_free(b.good);
  for (unsigned m = 0; m < 2; m++) stp_device_close(b.d[m]);
  return good && all;
}
