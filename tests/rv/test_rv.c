/*
 * The instruction-set simulator alone. Usage: test_rv image.bin...
 *
 * Each image is a program of tests/rv/programs, which checks itself and must end with code 0.
 * Besides, the parts that no program can see: the simulator's interface, and that the comparison
 * with the RTL notices a difference in each field.
 */
#include "rv.h"
#include "testdev.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TCM_BYTES 65536u
#define MAX_STEPS 10000000u

static void test_program(void **state) {
  const char *path = *state;
  uint8_t *tcm = calloc(1, TCM_BYTES);
  rv_testdev_t dev = {0};
  stp_rv_bus_t bus = {&dev, rv_testdev_load, rv_testdev_store};
  stp_rv_t rv;

  assert_non_null(tcm);
  assert_true(rv_read_image(path, tcm, TCM_BYTES) > 0);
  stp_rv_init(&rv, tcm, TCM_BYTES, &bus);
  for (uint32_t n = 0; n < MAX_STEPS && !dev.exited; n++) {
    rv.irq = dev.lines;
    stp_rv_step(&rv, NULL);
    rv_testdev_tick(&dev);
  }
  free(tcm);
  assert_true(dev.exited);
  if (dev.exit_code != 0) print_error("%s: check %u failed\n", path, (unsigned)dev.exit_code);
  assert_int_equal(dev.exit_code, 0);
}

/* Puts instructions at address 0. */
static void assemble(uint8_t *tcm, const uint32_t *insn, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < 4; k++) tcm[4 * i + k] = (uint8_t)(insn[i] >> (8 * k));
}

static void test_records(void **state) {
  static const uint32_t code[] = {
      0x12300093, /* addi x1, x0, 0x123 */
      0x10102023, /* sw x1, 256(x0) */
      0x10001103, /* lh x2, 256(x0) */
      0x00000000, /* illegal */
  };
  uint8_t tcm[1024] = {0};
  stp_rv_retire_t r;
  stp_rv_t rv;

  (void)state;
  assemble(tcm, code, 4);
  stp_rv_init(&rv, tcm, sizeof tcm, NULL);
  assert_int_equal(stp_rv_step(&rv, &r), STP_RV_STEPPED);
  assert_int_equal(r.pc, 0);
  assert_int_equal(r.insn, code[0]);
  assert_true(r.rd_we && r.rd == 1 && r.rd_data == 0x123);
  assert_false(r.mem_re || r.mem_we || r.trap || r.irq);
  stp_rv_step(&rv, &r);
  assert_true(r.mem_we && !r.rd_we && r.mem_addr == 256 && r.mem_data == 0x123);
  stp_rv_step(&rv, &r);
  assert_true(r.mem_re && r.rd_we && r.mem_addr == 256 && r.mem_data == 0x123 &&
              r.rd_data == 0x123);
  stp_rv_step(&rv, &r);
  assert_true(r.trap && !r.irq && r.cause == STP_RV_EXC_ILLEGAL && r.pc == 12);
  assert_int_equal(rv.pc, 0);
  assert_int_equal(rv.minstret, 3);
}

static void test_sleep(void **state) {
  static const uint32_t code[] = {
      0x10500073, /* wfi */
      0x12300093, /* addi x1, x0, 0x123 */
  };
  uint8_t tcm[1024] = {0};
  stp_rv_retire_t r;
  stp_rv_t rv;

  (void)state;
  assemble(tcm, code, 2);
  stp_rv_init(&rv, tcm, sizeof tcm, NULL);
  rv.mie_reg = STP_RV_IRQ_TIMER;
  rv.mie = true;
  rv.mtvec = 0x200;
  assert_int_equal(stp_rv_step(&rv, &r), STP_RV_ASLEEP);
  rv.irq = STP_RV_IRQ_EXTERNAL; /* not enabled */
  assert_int_equal(stp_rv_step(&rv, &r), STP_RV_ASLEEP);
  rv.irq = STP_RV_IRQ_TIMER;
  assert_int_equal(stp_rv_step(&rv, &r), STP_RV_STEPPED);
  assert_true(!r.trap && r.insn == code[0]);
  assert_int_equal(stp_rv_step(&rv, &r), STP_RV_STEPPED);
  assert_true(r.trap && r.irq && r.cause == 7 && r.pc == 4);
  assert_int_equal(rv.pc, 0x200);
  assert_int_equal(rv.mepc, 4);
}

static void test_lead(void **state) {
  static const uint32_t code[] = {
      0x80000137, /* lui x2, 0x80000 */
      0x00010083, /* lb x1, 0(x2) */
      0x00112223, /* sw x1, 4(x2) */
      0xb00022f3, /* csrr x5, mcycle */
  };
  uint8_t tcm[1024] = {0};
  stp_rv_retire_t r;
  stp_rv_lead_t lead;
  stp_rv_t rv;

  (void)state;
  assemble(tcm, code, 4);
  stp_rv_init(&rv, tcm, sizeof tcm, NULL); /* no bus: a led step does not need it */
  lead = (stp_rv_lead_t){0};
  stp_rv_step_led(&rv, &lead, &r);
  lead.load_value = 0xfe;
  stp_rv_step_led(&rv, &lead, &r);
  assert_true(!r.trap && r.rd_data == 0xfffffffeu); /* extension is the simulator's own */
  stp_rv_step_led(&rv, &lead, &r);
  assert_true(!r.trap && r.mem_we && r.mem_addr == 0x80000004u);
  rv.pc = 8;
  lead.bus_error = true;
  stp_rv_step_led(&rv, &lead, &r);
  assert_true(r.trap && r.cause == STP_RV_EXC_STORE_FAULT && r.mem_addr == 0x80000004u);
  rv.pc = 12;
  lead = (stp_rv_lead_t){.csr_value = 4711};
  stp_rv_step_led(&rv, &lead, &r);
  assert_int_equal(rv.x[5], 4711);
  /* An interrupt that may not be taken is not. */
  rv.pc = 0;
  lead = (stp_rv_lead_t){.irq = true, .irq_cause = 7};
  rv.mie = true;
  stp_rv_step_led(&rv, &lead, &r);
  assert_false(r.trap);
  rv.mie_reg = STP_RV_IRQ_TIMER;
  stp_rv_step_led(&rv, &lead, &r);
  assert_true(r.trap && r.irq && r.cause == 7);
}

static void test_compare(void **state) {
  stp_rv_retire_t load = {.pc = 8, .insn = 0x103, .rd = 2, .rd_we = true, .rd_data = 5};
  stp_rv_retire_t trap = {.pc = 8, .trap = true, .cause = 4, .mem_addr = 3};
  stp_rv_retire_t other;
  char msg[160];

  (void)state;
  load.mem_re = true;
  load.mem_addr = 0x100;
  load.mem_data = 5;
  assert_true(stp_rv_compare(&load, &load, msg, sizeof msg));
  assert_string_equal(msg, "");
  assert_true(stp_rv_compare(&trap, &trap, msg, sizeof msg));
#define NOTICES(base, field, value)                                                                \
  do {                                                                                             \
    other = base;                                                                                  \
    other.field = value;                                                                           \
    assert_false(stp_rv_compare(&other, &base, msg, sizeof msg));                                  \
    assert_non_null(strstr(msg, #field));                                                          \
    assert_false(stp_rv_compare(&base, &other, msg, sizeof msg));                                  \
  } while (0)
  NOTICES(load, pc, 12);
  NOTICES(load, insn, 0x183);
  NOTICES(load, rd, 3);
  NOTICES(load, rd_we, false);
  NOTICES(load, rd_data, 6);
  NOTICES(load, mem_re, false);
  NOTICES(load, mem_we, true);
  NOTICES(load, mem_addr, 0x104);
  NOTICES(load, mem_data, 6);
  NOTICES(load, trap, true);
  NOTICES(trap, irq, true);
  NOTICES(trap, cause, 5);
  NOTICES(trap, mem_addr, 2);
#undef NOTICES
  /* Fields that do not apply are not compared, and a short buffer is respected. */
  other = trap;
  other.rd_data = 99;
  other.mem_data = 99;
  assert_true(stp_rv_compare(&other, &trap, msg, sizeof msg));
  other.pc = 0;
  assert_false(stp_rv_compare(&other, &trap, msg, 4));
  assert_int_equal(strlen(msg), 3);
}

int main(int argc, char **argv) {
  static const struct CMUnitTest fixed[] = {
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_lead),
      cmocka_unit_test(test_compare),
  };
  struct CMUnitTest programs[64];
  size_t n = 0;
  int failed = cmocka_run_group_tests_name("simulator", fixed, NULL, NULL);

  for (int i = 1; i < argc && n < sizeof programs / sizeof programs[0]; i++)
    programs[n++] = (struct CMUnitTest){argv[i], test_program, NULL, NULL, argv[i]};
  if (n == 0 || (size_t)argc - 1 != n) {
    fprintf(stderr, "usage: test_rv image.bin... (1 to 64)\n");
    return 2;
  }
  /* cmocka's macro wants the array itself, so that its length can be taken. */
  failed += _cmocka_run_group_tests("programs", programs, n, NULL, NULL);
  return failed != 0;
}
