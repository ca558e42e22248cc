/* The real firmware on the machine "model": each way in which a job can end, one after the other on
 * one machine. */
#include "bench.h"
#include "jobs.h"

typedef struct fixture {
  struct stp_machine *m;
  unsigned jobs;
  char console[4000];
  unsigned printed;
} fixture_t;

static void on_byte(void *user, uint8_t byte) {
  fixture_t *f = user;
  if (f->printed < sizeof f->console - 1) f->console[f->printed++] = (char)byte;
}

static int setup(void **state) {
  static const struct stp_machine_options plain = {.config = "c1"};
  fixture_t *f = calloc(1, sizeof *f);
  char err[200];
  assert_non_null(f);
  struct stp_machine_options o = plain;
  o.console = on_byte;
  o.console_user = f;
  assert_int_equal(stp_model_open(&o, &f->m, err, sizeof err), 0);
  jobs_boot(f->m);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture_t *f = *state;
  f->m->ops->close(f->m);
  free(f);
  return 0;
}

static void add(job_t *j, unsigned unit, uint64_t word) {
  j->word[unit][j->words[unit]++] = word;
}

/* A copy of 1,000 bytes that ends in the given way. */
static void copy_job(job_t *j, uint64_t from, uint64_t to) {
  const unsigned lu = STP_UNIT_MNI_LU, su = STP_UNIT_MNI_SU;
  memset(j, 0, sizeof *j);
  j->arg[0] = from;
  j->arg[1] = to;
  add(j, lu, insn(STP_OP_ARG, 1, 0, 0, 0, 0));
  add(j, lu, cfg(STP_CFG_MNI_N0, 1000));
  add(j, lu, insn(STP_OP_XFER, 0, 1, 0, 0, 0));
  add(j, lu, post_to(su, 0));
  add(j, su, insn(STP_OP_ARG, 1, 0, 0, 0, 1));
  add(j, su, cfg(STP_CFG_MNI_N0, 1000));
  add(j, su, wait_from(lu, 0));
  add(j, su, insn(STP_OP_XFER, 0, 1, 0, 0, 0));
  add(j, su, halt());
}

static job_result_t run_job(fixture_t *f, const job_t *j) {
  job_result_t r;
  assert_true(jobs_run(f->m, j, f->jobs++, 10000000, &r));
  return r;
}

static void endings(void **state) {
  fixture_t *f = *state;
  job_t *j = malloc(sizeof *j);
  uint8_t data[1000], back[1000];
  assert_non_null(j);
  for (unsigned n = 0; n < sizeof data; n++) data[n] = (uint8_t)(n * 13);
  assert_int_equal(f->m->ops->mem_write(f->m, 0x1230000001, data, sizeof data), 0);
  for (unsigned round = 0; round < 3; round++) {
    copy_job(j, 0x1230000001, 0xff00000003 + 0x10000 * round);
    add(j, STP_UNIT_MNI_LU, halt());
    job_result_t r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_OK);
    assert_int_equal(f->m->ops->mem_read(f->m, 0xff00000003 + 0x10000 * round, back, sizeof back),
                     0);
    assert_memory_equal(data, back, sizeof data);
    assert_int_equal(r.status[STP_UNIT_MNI_SU][STP_STAT_BYTES], 1000);

    copy_job(j, 0x1230000001, 0xff00000003);
    add(j, STP_UNIT_MNI_LU, insn(STP_OP_ARG, 1, 0, 0, 0, 70));
    r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_TRAP);
    assert_int_equal(r.record.cause, STP_CAUSE_ARG_RANGE);
    assert_int_equal(r.record.unit, STP_UNIT_MNI_LU);
    assert_int_equal(r.record.pc, 4);
    assert_int_equal(r.record.addr, 70);
    assert_int_equal(r.record.trapped, 1);
    assert_int_equal(r.record.running, 0);

    copy_job(j, 0x1230000001, 0xff00000003);
    add(j, STP_UNIT_MNI_LU, wait_from(STP_UNIT_PT0, 0));
    add(j, STP_UNIT_LX_SU1, cfg(STP_CFG_LX_N0, 3));
    add(j, STP_UNIT_LX_SU1, insn(STP_OP_ST, 0, 0, 0, 0, 0));
    add(j, STP_UNIT_LX_SU1, halt());
    r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_DEADLOCK);
    assert_int_equal(r.record.blocked, 1u << STP_UNIT_MNI_LU | 1u << STP_UNIT_LX_SU1);

    copy_job(j, 0x1230000001, 0xff00000003);
    add(j, STP_UNIT_MNI_LU, post_to(STP_UNIT_PT1, 3));
    add(j, STP_UNIT_MNI_LU, halt());
    r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_LEFTOVER);

    copy_job(j, 0x1230000001, 0xff00000003);
    add(j, STP_UNIT_MNI_LU, insn(STP_OP_JMP, 0, 0, 0, 0, 4));
    j->watchdog = 20;
    r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_WATCHDOG);
    assert_int_equal(r.record.running, 1);
    assert_true(r.steps >= 20 * 1024 && r.steps < 40 * 1024);

    memset(j->words, 0, sizeof j->words);
    r = run_job(f, j);
    assert_int_equal(r.record.status, STP_JOB_BAD_DESCRIPTOR);
  }
  assert_non_null(strstr(f->console, "deadlock"));
  uint32_t done;
  assert_int_equal(f->m->ops->reg_read(f->m, STP_HOST_COMPLETED, &done), 0);
  assert_int_equal(done, 18);
  free(j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(endings, setup, teardown),
  };
  return cmocka_run_group_tests_name("firmware on the model", tests, NULL, NULL);
}
