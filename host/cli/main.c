/* SPDX-License-Identifier: Apache-2.0 */
/* The command `steeple`. */
#include "cli.h"

#include <errno.h>
#include <string.h>

static const cli_command_t *const commands[] = {&cli_run,    &cli_compile, &cli_check,
                                                &cli_dump,   &cli_info,    &cli_wave,
                                                &cli_report, &cli_bench,   &cli_wavefilter};

#define NUM_COMMANDS (sizeof commands / sizeof commands[0])

static void usage(FILE *out) {
  fputs("usage: steeple COMMAND ...\n\n", out);
  for (size_t i = 0; i < NUM_COMMANDS; i++) {
    fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  }
  fputs(
      "\nsteeple COMMAND --help says more. Exit codes: 0 right, 1 differs, 2 usage, 3 bad input,\n"
      "4 trap or failure of the machine.\n",
      out);
}

/* A result that did not reach standard output is no success. */
static int finish(int status) {
  const bool bad = ferror(stdout) != 0;
  if (fflush(stdout) == 0 && !bad) return status;
  const int code =
      cli_fail(EXIT_BAD_INPUT, "standard output: %s", strerror(errno != 0 ? errno : EIO));
  return status > code ? status : code;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    usage(stderr);
    return EXIT_USAGE;
  }
  const bool help =
      strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0;
  if (help && argc == 2) {
    usage(stdout);
    return finish(EXIT_RIGHT);
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("Steeple %s, contract version %08x\n", STEEPLE_VERSION, STP_CONTRACT_VERSION);
    return finish(EXIT_RIGHT);
  }
  const char *name = argv[help ? 2 : 1];
  for (size_t i = 0; i < NUM_COMMANDS; i++) {
    const cli_command_t *c = commands[i];
    if (strcmp(name, c->name) != 0) continue;
    bool asked = help;
    for (int k = 2; k < argc && strcmp(argv[k], "--") != 0; k++) {
      asked = asked || strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0;
    }
    if (!asked) return finish(c->run(c, argc - 2, argv + 2));
    cli_help(c);
    return finish(EXIT_RIGHT);
  }
  fprintf(stderr, "steeple: there is no command '%s'\n", name);
  usage(stderr);
  return EXIT_USAGE;
}
