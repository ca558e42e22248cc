#include "jobs.h"

#include "bench.h"
#include "steeple_fw.h"

#define QUEUE_LOG2 2
enum { IRQ_COMPLETED = 1, IRQ_READY = 2 };

static void reg(struct stp_machine *m, uint32_t offset, uint32_t value) {
  if (m->ops->reg_write(m, offset, value) != 0) fail_msg("%s", m->error);
}

static void write_mem(struct stp_machine *m, uint64_t addr, const void *p, size_t n) {
  if (m->ops->mem_write(m, addr, p, n) != 0) fail_msg("%s", m->error);
}

static bool await(struct stp_machine *m, uint32_t irq, uint64_t limit, uint64_t *steps) {
  uint64_t ran = 0;
  uint32_t status;
  *steps = 0;
  while (*steps < limit) {
    if (m->ops->run(m, limit - *steps, &ran) != 0) fail_msg("%s", m->error);
    *steps += ran;
    if (m->ops->reg_read(m, STP_HOST_IRQ_STATUS, &status) != 0) fail_msg("%s", m->error);
    reg(m, STP_HOST_IRQ_STATUS, status);
    if ((status & irq) != 0) return true;
    if (ran == 0 && !m->ops->irq(m)) return false;
  }
  return false;
}

void jobs_boot(struct stp_machine *m) {
  uint64_t steps;
  for (unsigned n = 0; n < stp_firmware_size; n += 4) {
    const unsigned char *p = stp_firmware + n;
    reg(m, STP_HOST_TCM_BASE + n,
        (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
  }
  reg(m, STP_HOST_QUEUE_LO, JOB_QUEUE);
  reg(m, STP_HOST_QUEUE_HI, 0);
  reg(m, STP_HOST_QUEUE_LOG2, QUEUE_LOG2);
  reg(m, STP_HOST_IRQ_ENABLE, 7);
  reg(m, STP_HOST_CONTROL, 1);
  assert_true(await(m, IRQ_READY, 1000000, &steps));
}

bool jobs_run(struct stp_machine *m, const job_t *j, unsigned number, uint64_t limit,
              job_result_t *out) {
  struct stp_descriptor d = {
      .magic = STP_DESCRIPTOR_MAGIC,
      .job_id = 100 + number,
      .program_addr = JOB_PROGRAM,
      .args_addr = JOB_ARGS,
      .completion_addr = JOB_COMPLETION,
      .arg_sticks = STP_ARGS * 8 / STP_STICK_BYTES,
      .core_mask = 1,
      .watchdog = j->watchdog,
  };
  unsigned stick = 0;
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if (j->words[u] == 0) continue;
    const unsigned sticks = (j->words[u] + 15) / 16;
    d.segment[d.segments++] = (struct stp_segment){.unit_mask = (uint16_t)(1u << u),
                                                   .first_stick = (uint16_t)stick,
                                                   .sticks = (uint16_t)sticks};
    d.start_mask |= (uint16_t)(1u << u);
    write_mem(m, JOB_PROGRAM + 128 * stick, j->word[u], 128 * sticks);
    stick += sticks;
  }
  memset(out, 0, sizeof *out);
  write_mem(m, JOB_ARGS, j->arg, sizeof j->arg);
  write_mem(m, JOB_COMPLETION, out->status, 128);
  write_mem(m, JOB_COMPLETION + 128, out->status, sizeof out->status);
  write_mem(m, JOB_QUEUE + 128 * (number % (1 << QUEUE_LOG2)), &d, sizeof d);
  reg(m, STP_HOST_DOORBELL, number + 1);
  if (!await(m, IRQ_COMPLETED, limit, &out->steps)) return false;
  if (m->ops->mem_read(m, JOB_COMPLETION, &out->record, sizeof out->record) != 0 ||
      m->ops->mem_read(m, JOB_COMPLETION + 128, out->status, sizeof out->status) != 0)
    fail_msg("%s", m->error);
  assert_int_equal(out->record.magic, STP_COMPLETION_MAGIC);
  assert_int_equal(out->record.job_id, d.job_id);
  return true;
}
