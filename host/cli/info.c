/* SPDX-License-Identifier: Apache-2.0 */
/* steeple info: what this build is, or what a kernel wants. steeple wave: a trace in GTKWave. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../job/job.h"
#include "numerics.h"

extern const unsigned stp_firmware_size;

/* ---- info -------------------------------------------------------------------------------- */

enum { I_FUNC, I_ARG };

static const cli_option_t info_options[] = {
    {"func", "NAME", "the function, if the text has several"},
    {"arg", "NAME=VALUE", "a scalar argument, by name or position (0=...)"},
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
    printf("scalar    %d %s: %s = %" PRId64 "\n", (int)s->position, s->name,
           stp_job_elem_name(s->elem), s->value);
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
      const int status = cli_bind(self, k.args, &k.num_args, args.value);
      if (status != EXIT_RIGHT) return status;
    }
  }
  if (k.path == NULL) {
    if (k.num_args > 0 || k.func != NULL) return cli_usage(self, "no kernel is given");
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

/* ---- wave -------------------------------------------------------------------------------- */

enum { W_VIEW, W_PRINT };

static const cli_option_t wave_options[] = {
    {"view", "NAME", "chip, core or pt; else what the trace holds"},
    {"print", NULL, "print the command instead of starting GTKWave"},
};

static const struct {
  const char *module, *view;
} views[] = {{"steeple_chip", "chip"}, {"core", "core"}, {"pt", "pt"}};

static bool on_path(const char *program) {
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    const size_t n = strcspn(path, ":");
    char file[4096];
    const int len = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, program);
    if (len > 0 && (size_t)len < sizeof file && access(file, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* 'text' for a shell. */
static void quote(const char *text, char *buf, size_t size) {
  size_t n = 0;
  if (n + 1 < size) buf[n++] = '\'';
  for (; *text != '\0' && n + 6 < size; text++) {
    if (*text == '\'') {
      memcpy(buf + n, "'\\''", 4);
      n += 4;
    } else {
      buf[n++] = *text;
    }
  }
  if (n + 1 < size) buf[n++] = '\'';
  buf[n] = '\0';
}

/* The view whose module comes first in the scopes of a VCD text; NULL if there is none. */
static const char *view_of(FILE *vcd) {
  char line[1024];
  while (fgets(line, sizeof line, vcd) != NULL) {
    char kind[32], name[256];
    if (strncmp(line, "$enddefinitions", 15) == 0) break;
    if (sscanf(line, "$scope %31s %255s", kind, name) != 2) continue;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
      if (strcmp(name, views[i].module) == 0) return views[i].view;
    }
  }
  return NULL;
}

/* What a trace holds, from its scopes. fst2vcd comes with GTKWave. */
static const char *find_view(const char *path) {
  const size_t n = strlen(path);
  if (n > 4 && strcmp(path + n - 4, ".vcd") == 0) {
    FILE *f = fopen(path, "r");
    const char *view = f != NULL ? view_of(f) : NULL;
    if (f != NULL) fclose(f);
    return view;
  }
  if (!on_path("fst2vcd")) return NULL;
  char quoted[4096], command[4200];
  quote(path, quoted, sizeof quoted);
  snprintf(command, sizeof command, "fst2vcd -f %s 2>/dev/null", quoted);
  FILE *f = popen(command, "r");
  const char *view = f != NULL ? view_of(f) : NULL;
  if (f != NULL) pclose(f);
  return view;
}

static int wave(const cli_command_t *self, int argc, char **argv) {
  const char *path = NULL, *view = NULL;
  bool print = false;
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      if (path != NULL) return cli_usage(self, "more than one trace is given");
      path = args.value;
    } else if (option == W_PRINT) {
      print = true;
    } else {
      size_t i = 0;
      while (i < sizeof views / sizeof *views && strcmp(views[i].view, args.value) != 0) i++;
      if (i == sizeof views / sizeof *views) {
        return cli_usage(self, "there is no view '%s' (there is: chip, core, pt)", args.value);
      }
      view = views[i].view;
    }
  }
  if (path == NULL) return cli_usage(self, "no trace is given");
  struct stat st;
  if (stat(path, &st) != 0) return cli_fail(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  if (view == NULL) view = find_view(path);
  if (view == NULL) {
    view = "chip";
    cli_fail(0, "%s: cannot see what it holds; taking the view of the chip", path);
  }
  const char *dir = getenv("STEEPLE_WAVEFORMS");
  char save[4096];
  snprintf(save, sizeof save, "%s/%s.gtkw", dir != NULL ? dir : STEEPLE_WAVEFORMS, view);
  if (stat(save, &st) != 0) return cli_fail(EXIT_BAD_INPUT, "%s: %s", save, strerror(errno));

  const bool have = on_path("gtkwave");
  const bool display = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
  if (!print && have && display) {
    execlp("gtkwave", "gtkwave", "-f", path, "-a", save, (char *)NULL);
    return cli_fail(EXIT_BAD_INPUT, "gtkwave: %s", strerror(errno));
  }
  char a[4096], b[4096];
  quote(path, a, sizeof a);
  quote(save, b, sizeof b);
  if (!print)
    cli_fail(0, "%s; the command is:", have ? "there is no display" : "gtkwave is not installed");
  printf("gtkwave -f %s -a %s\n", a, b);
  return EXIT_RIGHT;
}

const cli_command_t cli_wave = {
    .name = "wave",
    .synopsis = "TRACE.fst|TRACE.vcd [OPTION]...",
    .summary = "open a trace in GTKWave with the save file for what it holds",
    .text = "Save files lie in waveforms/, or where STEEPLE_WAVEFORMS says. Without GTKWave or a "
            "display,\n"
            "the command is printed.\n",
    .options = wave_options,
    .num_options = sizeof wave_options / sizeof *wave_options,
    .run = wave,
};
