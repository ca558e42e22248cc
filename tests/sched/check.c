/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp.h"

/* What the kernel should leave, in the bench's memory before it runs. */
static void interpret(bench_t *b, uint8_t *memory) {
  stp_arena_t arena;
  stp_arena_init(&arena);
  stp_ir_func_t *func = stp_ir_func_find(b->module, NULL);
  stp_bindings_t none = {0};
  stp_kernel_args_t args;
  assert_true(stp_args_analyze(func, &none, &arena, &b->diags, &args));
  stp_interp_buffer_t buffers[BENCH_ARGS] = {{NULL, NULL}};
  assert_true(args.num_buffers <= BENCH_ARGS);
  memcpy(memory, b->memory, b->memory_size);
  for (int i = 0; i < args.num_buffers; i++) buffers[i].data = memory + b->base[i];
  stp_interp_options_t options = {.mode = STP_INTERP_EXACT};
  if (!stp_interp_run(func, &none, &args, buffers, &options, &b->diags)) {
    stp_diags_print(&b->diags, stderr);
    fail();
  }
  stp_arena_free(&arena);
}

bool check_kernel(unsigned number, const char *text, double scale) {
  bench_t b;
  bool compiled = bench_try(&b, "kernel.mlir", text, -1, 0, false);
  if (!compiled) {
    const char *message = b.diags.list.data[0].message;
    bool refused =
        strstr(message, "scheduler") != NULL || strstr(message, "not supported yet") != NULL ||
        strstr(message, "than there are") != NULL || strstr(message, "that exceed LX") != NULL ||
        strstr(message, "exceeds 1024 instructions") != NULL;
    if (!refused || getenv("STP_TEST_REFUSED")) {
      fprintf(stderr, "case %u: ", number);
      stp_diags_print(&b.diags, stderr);
    }
    assert_true(refused);
  } else {
    bench_place(&b, 2 * (number % 5) * 4);
    for (uint32_t i = 0; i < b.job->num_buffers; i++) {
      if (b.job->buffers[i].dir & STP_JOB_READ) bench_random(&b, i, number + i, scale);
    }
    uint8_t *memory = malloc(b.memory_size);
    interpret(&b, memory);
    bool same = bench_run(&b, 1) && memcmp(memory, b.memory, b.memory_size) == 0;
    if (!same) {
      size_t at = 0, wrong = 0;
      for (size_t i = b.memory_size; i-- > 0;) {
        if (memory[i] == b.memory[i]) continue;
        at = i;
        wrong++;
      }
      fprintf(stderr, "case %u differs in %zu bytes from 0x%zx on:\n%s", number, wrong, at, text);
      for (uint32_t i = 0; i < b.job->num_buffers; i++)
        fprintf(stderr, "buffer %s at 0x%llx\n", b.job->buffers[i].name,
                (unsigned long long)b.base[i]);
    }
    assert_true(same);
    free(memory);
  }
  bench_close(&b);
  return compiled;
}
