/* SPDX-License-Identifier: Apache-2.0 */
/* The command `steeple`: what its files share. */
#ifndef STP_CLI_H
#define STP_CLI_H

#include "steeple/steeple.h"

#include "../runtime/exec.h"

enum {
  EXIT_RIGHT = 0,
  EXIT_DIFFERS = 1,   /* results that should be equal are not */
  EXIT_USAGE = 2,     /* the command line is wrong */
  EXIT_BAD_INPUT = 3, /* a file is wrong, or cannot be read or written */
  EXIT_TRAP = 4,      /* the job did not end well, or the machine failed */
};

/* ---- command lines ----------------------------------------------------------------------- */

typedef struct cli_option {
  const char *name; /* without -- */
  const char *arg;  /* NULL: a flag; "[=X]": may have a value; else what the value is called */
  const char *help;
} cli_option_t;

typedef struct cli_command {
  const char *name, *synopsis, *summary;
  const char *text; /* more help, or NULL */
  const cli_option_t *options;
  unsigned num_options;
  int (*run)(const struct cli_command *self, int argc, char **argv);
} cli_command_t;

extern const cli_command_t cli_run, cli_compile, cli_check, cli_dump, cli_info, cli_wave,
    cli_wavefilter, cli_report, cli_bench;

typedef struct cli_args {
  const cli_command_t *command;
  int argc, at;
  char **argv;
  bool only_positional; /* after -- */
  const char *value;    /* of the option (NULL: none given), or the positional argument */
} cli_args_t;

enum { CLI_END = -1, CLI_POSITIONAL = -2, CLI_BAD = -3 };

/* The next thing on a command line: the number of an option in command->options, or one of the
   above. CLI_BAD: a message was printed. */
int cli_next(cli_args_t *args);

/* Help to standard output. */
void cli_help(const cli_command_t *command);

/* "steeple: ..." and, for usage, where help is, to standard error. Returns `exit_code`. */
int cli_fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_usage(const cli_command_t *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for an error of the library; the exit code follows from its kind. */
int cli_error(const stp_error_t *error);

/* A whole number from text; false if it is none or exceeds `most`. */
bool cli_number(const char *text, uint64_t most, uint64_t *value);

/* ---- files ------------------------------------------------------------------------------- */

/* The bytes of a file, or of standard input for "-"; free(). NULL, and a message, if that fails. */
char *cli_read_file(const char *path, size_t *len);
int cli_write_file(const char *path, const void *data, size_t len); /* "-": standard output */
const char *cli_file_name(const char *path);                        /* "-" is called <stdin> */

/* ---- kernels ----------------------------------------------------------------------------- */

#define CLI_MAX_BINDINGS 64

/* NAME=VALUE of the options --arg and --out. */
typedef struct cli_binding {
  const char *name, *value;
  size_t name_len;
  bool used;
} cli_binding_t;

/* What the options that choose a kernel and its arguments say. */
typedef struct cli_kernel {
  const char *path, *func;
  cli_binding_t args[CLI_MAX_BINDINGS], outs[CLI_MAX_BINDINGS];
  cli_binding_t dynamic[CLI_MAX_BINDINGS]; /* names only */
  unsigned num_args, num_outs, num_dynamic;
  uint64_t seed;
  bool convert;
  bool lenient; /* bindings of arguments that the kernel does not have are no error */
  /* filled by cli_kernel_load */
  char *text;
  stp_module_t *module;
  stp_kernel_t *kernel;
  stp_images_t inputs;
} cli_kernel_t;

/* Add NAME=VALUE to a list; an exit code. */
int cli_bind(const cli_command_t *command, cli_binding_t *list, unsigned *count, const char *text);
/* Note a scalar's name for --dynamic; an exit code. */
int cli_keep(const cli_command_t *command, cli_kernel_t *k, const char *name);
/* Read and compile the kernel with its scalars bound; with `fill`, fill its inputs too. An exit
 * code. */
int cli_kernel_load(const cli_command_t *command, cli_kernel_t *k, bool fill);
/* Write what --out asks for. An exit code. */
int cli_kernel_save(const cli_kernel_t *k, const stp_images_t *images);
void cli_kernel_free(cli_kernel_t *k);

/* ---- output ------------------------------------------------------------------------------ */

/* A string in JSON, with quotes. */
void cli_json_string(FILE *out, const char *text);
/* A number in JSON: null if it is not finite. */
void cli_json_number(FILE *out, double value);

/* Progress of a run on standard error: at once on a terminal, else after 5 seconds and every 5
 * seconds. */
typedef struct cli_progress {
  const char *machine;
  bool has_cycles;
  struct stp_machine *m;              /* for the bytes moved so far */
  uint64_t bytes_before, bytes_total; /* total 0: not known, ask expect() */
  uint64_t (*expect)(const void *user);
  const void *expect_user;
  double next;
  bool shown, tty;
  const stp_stick_check_t *check; /* gives up when it has failed; or NULL */
} cli_progress_t;

void cli_progress_start(cli_progress_t *p, stp_device_t *device);
int cli_progress(void *progress, uint64_t cycles, double seconds);
void cli_progress_end(cli_progress_t *p);

#endif
