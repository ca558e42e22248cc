/* SPDX-License-Identifier: Apache-2.0 */
/* The builder of unit programs: what it puts into words, and that its first error sticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm.h"
#include "stp_isa.h"

static stp_asm_t *fresh(unsigned unit) {
  stp_asm_t *a = malloc(sizeof *a);
  assert_non_null(a);
  stp_asm_init(a, unit);
  return a;
}

static void fails(stp_asm_t *a, const char *message) {
  assert_int_equal(stp_asm_finish(a), -1);
  assert_string_equal(stp_asm_error(a), message);
  free(a);
}

/* A constant takes one instruction if it is 32 bits, else two; the machine's registers then hold
 * it. */
static void constants(void **state) {
  (void)state;
  static const int64_t values[] = {0,         1,         -1,        INT32_MAX, INT32_MIN,
                                   1ll << 31, 1ll << 32, INT64_MAX, INT64_MIN, -(1ll << 31) - 1};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    stp_asm_t *a = fresh(STP_UNIT_MNI_LU);
    stp_asm_li(a, 5, values[i]);
    assert_int_equal(stp_asm_finish(a), 0);
    assert_int_equal(a->count, values[i] == (int32_t)values[i] ? 1 : 2);
    uint64_t value = (uint64_t)(int64_t)(int32_t)a->words[0];
    if (a->count == 2) value = (uint32_t)value | a->words[1] << 32;
    assert_int_equal((int64_t)value, values[i]);
    free(a);
  }
}

/* Branches forwards and backwards, an empty loop, a loop that ends where another does. */
static void places(void **state) {
  (void)state;
  stp_asm_t *a = fresh(STP_UNIT_MNI_LU);
  int forwards = stp_asm_label(a), backwards = stp_asm_label(a);
  stp_asm_bind(a, backwards);
  stp_asm_branch(a, STP_OP_BEQ, 1, 2, forwards);
  int outer = stp_asm_loop(a, 0, 3);
  int inner = stp_asm_loop(a, 0, 4);
  stp_asm_loop_end(a, inner);
  stp_asm_loop_end(a, outer);
  stp_asm_bind(a, forwards);
  stp_asm_branch(a, STP_OP_BNE, 1, 2, backwards);
  stp_asm_op(a, STP_OP_HALT, 0, 0, 0, 0, 0);
  assert_int_equal(stp_asm_finish(a), 0);
  /* beq, loop, loop, nop of the inner body, nop that ends the outer, bne, halt */
  assert_int_equal(a->count, 7);
  assert_int_equal((uint32_t)a->words[0], 5);
  assert_int_equal((uint32_t)a->words[1], 3 << 12 | 4);
  assert_int_equal((uint32_t)a->words[2], 4 << 12 | 3);
  assert_int_equal((uint32_t)a->words[5], 0);
  free(a);
}

static void errors(void **state) {
  (void)state;
  stp_asm_t *a = fresh(STP_UNIT_MNI_LU);
  stp_asm_op(a, STP_OP_VADD, 0, 0, 0, 0, 0);
  stp_asm_op(a, STP_OP_ADDI, 99, 0, 0, 0, 0); /* harmless: the first error sticks */
  fails(a, "mni_lu has no instruction 0xc9");
  a = fresh(STP_UNIT_MNI_LU);
  stp_asm_op(a, 1000, 0, 0, 0, 0, 0);
  fails(a, "mni_lu has no instruction 0x3e8");
  a = fresh(STP_UNIT_SFU0);
  stp_asm_op(a, STP_OP_ADDI, STP_REGS, 0, 0, 0, 0);
  fails(a, "sfu0: addi: an operand is out of range");
  a = fresh(STP_UNIT_SFU0);
  stp_asm_op(a, STP_OP_ADDI, 1, 0, 0, 0, 1ll << 31);
  fails(a, "sfu0: addi: 2147483648 exceeds 32 bits");
  a = fresh(STP_UNIT_SFU0);
  stp_asm_loop(a, 0, 1 << 19);
  fails(a, "a loop count of 524288 does not fit the instruction");
  a = fresh(STP_UNIT_SFU0);
  for (int i = 0; i <= STP_LOOP_DEPTH; i++) stp_asm_loop(a, 0, 2);
  fails(a, "loops nested deeper than 8");
  a = fresh(STP_UNIT_SFU0);
  stp_asm_loop(a, 0, 2);
  fails(a, "sfu0: a loop without its end");
  a = fresh(STP_UNIT_SFU0);
  int label = stp_asm_label(a);
  stp_asm_branch(a, STP_OP_BEQ, 0, 0, label);
  fails(a, "sfu0: a branch to a label that is not bound to an instruction");
  a = fresh(STP_UNIT_SFU0);
  int end = stp_asm_label(a);
  stp_asm_branch(a, STP_OP_BEQ, 0, 0, end);
  stp_asm_bind(a, end); /* at the end there is no instruction */
  fails(a, "sfu0: a branch to a label that is not bound to an instruction");
}

/* More than a program, its labels or its branches can be. */
static void limits(void **state) {
  (void)state;
  stp_asm_t *a = fresh(STP_UNIT_PT0);
  for (int i = 0; i < STP_PROG_WORDS; i++) stp_asm_op(a, STP_OP_NOP, 0, 0, 0, 0, 0);
  assert_int_equal(stp_asm_finish(a), 0);
  stp_asm_op(a, STP_OP_HALT, 0, 0, 0, 0, 0);
  assert_int_equal(a->count, STP_PROG_WORDS);
  fails(a, "the program of pt0 exceeds 1024 instructions");
  a = fresh(STP_UNIT_PT0);
  for (size_t i = 0; i <= sizeof a->labels / sizeof *a->labels; i++) stp_asm_label(a);
  fails(a, "too many labels");
  a = fresh(STP_UNIT_PT0);
  int label = stp_asm_label(a);
  stp_asm_bind(a, label);
  for (size_t i = 0; i <= sizeof a->fixups / sizeof *a->fixups; i++)
    stp_asm_branch(a, STP_OP_BEQ, 0, 0, label);
  fails(a, "too many branches");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constants), cmocka_unit_test(places),
                                     cmocka_unit_test(errors), cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
