/* SPDX-License-Identifier: Apache-2.0 */
/* steeple info: what this build is, or what a kernel wants. */
#include "cli.h"

#include <inttypes.h>

#include "../job/job.h"
#include "numerics.h"

extern const unsigned stp_firmware_size;

enum { I_FUNC, I_ARG, I_DYNAMIC };

static const cli_option_t info_options[] = {
    {"func", "NAME", "the function, if the text has several"},
    {"arg", "NAME=VALUE", "a scalar argument, by name or position (0=...)"},
    {"dynamic", "NAME", "keep this scalar at run time instead of compiling for its value"},
};

static void info_build(void) {
  printf("Steeple %s, contract version %08x\n", STEEPLE_VERSION, STP_CONTRACT_VERSION);
  printf("machines        model%s\n",
         stp_machine_known("rtl") ? ", rtl" : " (no rtl in this build)");
  printf("configurations  c1: 1 core, %d corelets, %d units\n", STP_CORELETS, STP_UNITS);
  printf("LX              %d bytes in %d banks\n", STP_LX_BYTES, STP_LX_BANKS);
  printf("programs        %d instructions, %d arguments of 64 bits\n", STP_PROG_WORDS, STP_ARGS);
  printf("firmware        %u bytes of %d\n", stp_firmware_size, STP_TCM_BYTES);
  printf("numerics        %s\n", stp_num_fast()->name);
  printf("waveforms       %s\n", STEEPLE_WAVEFORMS);
}

static void info_kernel(const cli_kernel_t *k) {
  const stp_job_t *job = stp_kernel_job(k->kernel);
  printf("kernel    %s, %" PRIu64 " tiles\n", job->kernel, job->tiles);
  for (unsigned i = 0; i < stp_kernel_buffers(k->kernel); i++) {
    const stp_buffer_info_t b = stp_kernel_buffer(k->kernel, i);
    printf("buffer    ");
    if (b.position >= 0) printf("%d ", b.position);
    printf("%s: ", b.name);
    for (unsigned d = 0; d < b.rank; d++) printf("%" PRIu64 "x", b.dims[d]);
    printf("%s, %s, %" PRIu64 " bytes", b.type,
           b.read && b.written ? "inout"
           : b.read            ? "in"
           : b.written         ? "out"
                               : "unused",
           b.bytes);
    if (b.is_index) printf(", indices below %" PRId64, b.index_limit);
    putchar('\n');
  }
  for (uint32_t i = 0; i < job->num_scalars; i++) {
    const stp_job_scalar_t *s = &job->scalars[i];
    printf("scalar    %d %s: %s = %" PRId64 "%s\n", (int)s->position, s->name,
           stp_job_elem_name(s->elem), s->value, s->arg >= 0 ? ", kept at run time" : "");
  }
  printf("work      %" PRIu64 " compulsory bytes, %" PRIu64 " multiply-adds\n",
         job->compulsory_bytes, job->macs);
  printf("programs ");
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if (job->programs[u].count > 0) {
      printf(" %s %" PRIu32, stp_unit_names[u], job->programs[u].count);
    }
  }
  printf("\nLX        %" PRIu32 " bytes\n", job->lx_bytes);
}

static int info(const cli_command_t *self, int argc, char **argv) {
  cli_kernel_t k = {0};
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      if (k.path != NULL) return cli_usage(self, "more than one kernel is given");
      k.path = args.value;
    } else if (option == I_FUNC) {
      k.func = args.value;
    } else {
      const int status = option == I_DYNAMIC ? cli_keep(self, &k, args.value)
                                             : cli_bind(self, k.args, &k.num_args, args.value);
      if (status != EXIT_RIGHT) return status;
    }
  }
  if (k.path == NULL) {
    if (k.num_args > 0 || k.num_dynamic > 0 || k.func != NULL)
      return cli_usage(self, "no kernel is given");
    info_build();
    return EXIT_RIGHT;
  }
  const int status = cli_kernel_load(self, &k, false);
  if (status != EXIT_RIGHT) return status;
  info_kernel(&k);
  cli_kernel_free(&k);
  return EXIT_RIGHT;
}

const cli_command_t cli_info = {
    .name = "info",
    .synopsis = "[KERNEL.mlir [OPTION]...]",
    .summary = "show what this build of Steeple has, or what a kernel wants from its caller",
    .options = info_options,
    .num_options = sizeof info_options / sizeof *info_options,
    .run = info,
};
