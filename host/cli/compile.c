/* SPDX-License-Identifier: Apache-2.0 */
/* steeple compile: a kernel to a job file. steeple check: a text only. steeple dump: a job file as
 * text. */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../job/asm.h"
#include "../job/job.h"
#include "../ktir/args.h"
#include "../ktir/ir.h"

/* ---- compile ----------------------------------------------------------------------------- */

enum { C_FUNC, C_ARG, C_DYNAMIC, C_OUTPUT };

static const cli_option_t compile_options[] = {
    {"func", "NAME", "the function to compile, if the text has several"},
    {"arg", "NAME=VALUE", "a scalar argument, by name or position (0=...)"},
    {"dynamic", "NAME", "keep this scalar at run time instead of compiling for its value"},
    {"o", "FILE", "the job file; - is standard output; KERNEL.stpjob"},
};

/* "dir/k.mlir" gives "dir/k.stpjob". */
static char *job_path(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  const size_t n = dot != NULL && dot != path && (slash == NULL || dot > slash + 1)
                       ? (size_t)(dot - path)
                       : strlen(path);
  char *p = malloc(n + sizeof ".stpjob");
  if (p == NULL) return NULL;
  memcpy(p, path, n);
  memcpy(p + n, ".stpjob", sizeof ".stpjob");
  return p;
}

static int save_job(const cli_kernel_t *k, const char *output) {
  uint8_t *data;
  size_t len;
  char text[512];
  if (stp_job_save(stp_kernel_job(k->kernel), &data, &len, text, sizeof text) != 0) {
    return cli_fail(EXIT_BAD_INPUT, "%s: %s", cli_file_name(k->path), text);
  }
  char *path = output != NULL ? NULL : job_path(k->path);
  const char *to = output != NULL ? output : path;
  const int status =
      to != NULL ? cli_write_file(to, data, len) : cli_fail(EXIT_TRAP, "out of memory");
  if (status == EXIT_RIGHT && strcmp(to, "-") != 0) {
    fprintf(stderr, "steeple: wrote %s, %zu bytes\n", to, len);
  }
  free(path);
  free(data);
  return status;
}

static int compile(const cli_command_t *self, int argc, char **argv) {
  cli_kernel_t k = {0};
  const char *output = NULL;
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  int status = EXIT_RIGHT;
  for (int option; status == EXIT_RIGHT && (option = cli_next(&args)) != CLI_END;) {
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      if (k.path != NULL) return cli_usage(self, "more than one kernel is given");
      k.path = args.value;
    } else if (option == C_FUNC) {
      k.func = args.value;
    } else if (option == C_ARG) {
      status = cli_bind(self, k.args, &k.num_args, args.value);
    } else if (option == C_DYNAMIC) {
      status = cli_keep(self, &k, args.value);
    } else {
      output = args.value;
    }
  }
  if (status != EXIT_RIGHT) return status;
  if (k.path != NULL && strcmp(k.path, "-") == 0 && output == NULL) {
    return cli_usage(self, "for a kernel from standard input, -o FILE is wanted");
  }
  status = cli_kernel_load(self, &k, false);
  if (status != EXIT_RIGHT) return status;
  status = save_job(&k, output);
  cli_kernel_free(&k);
  return status;
}

const cli_command_t cli_compile = {
    .name = "compile",
    .synopsis = "KERNEL.mlir [-o FILE] [OPTION]...",
    .summary = "compile a KTIR kernel to a job file",
    .text = "KERNEL.mlir may be -, standard input. Scalar arguments must be bound.\n",
    .options = compile_options,
    .num_options = sizeof compile_options / sizeof *compile_options,
    .run = compile,
};

/* ---- check ------------------------------------------------------------------------------- */

static const cli_option_t check_options[] = {
    {"verify-diagnostics", NULL,
     "compare the diagnostics with the expected-error comments of the text;\n"
     "a text may have several parts, divided by lines of // -----"},
};

/* Reads one text; sees to what a kernel's arguments may be as well. */
static int check_text(const char *file, const char *text, size_t len) {
  stp_diags_t diags;
  stp_diags_init(&diags, file, text, len);
  stp_ir_module_t *m = stp_ktir_read(file, text, len, &diags);
  bool ok = m != NULL;
  stp_arena_t arena;
  stp_arena_init(&arena);
  for (int i = 0; m != NULL && i < m->num_funcs; i++) {
    stp_kernel_args_t args;
    if (m->funcs[i]->body != NULL) {
      ok = stp_args_classify(m->funcs[i], &arena, &diags, &args) && ok;
    }
  }
  stp_diags_sort(&diags);
  stp_diags_print(&diags, stderr);
  stp_arena_free(&arena);
  if (m != NULL) stp_ir_module_free(m);
  stp_diags_free(&diags);
  return ok ? EXIT_RIGHT : EXIT_BAD_INPUT;
}

static int check_file(const char *path, bool verify) {
  size_t len;
  char *text = cli_read_file(path, &len);
  if (text == NULL) return EXIT_BAD_INPUT;
  const char *file = cli_file_name(path);
  int status;
  if (!verify) {
    status = check_text(file, text, len);
  } else {
    status = stp_ktir_verify_diagnostics(file, text, len, stderr) == 0 ? EXIT_RIGHT : EXIT_DIFFERS;
  }
  free(text);
  return status;
}

static int check(const cli_command_t *self, int argc, char **argv) {
  bool verify = false;
  unsigned files = 0;
  int worst = EXIT_RIGHT;
  for (int pass = 0; pass < 2; pass++) {
    cli_args_t args = {.command = self, .argc = argc, .argv = argv};
    for (int option; (option = cli_next(&args)) != CLI_END;) {
      if (option == CLI_BAD) return EXIT_USAGE;
      if (option != CLI_POSITIONAL) {
        verify = true;
      } else if (pass == 1) {
        const int status = check_file(args.value, verify);
        if (status > worst) worst = status;
      } else {
        files++;
      }
    }
    if (files == 0) return cli_usage(self, "no kernel is given");
  }
  return worst;
}

const cli_command_t cli_check = {
    .name = "check",
    .synopsis = "KERNEL.mlir... [--verify-diagnostics]",
    .summary = "read and verify KTIR texts, and nothing else",
    .text = "KERNEL.mlir may be -, standard input. Exit code 0: no errors; 3: errors. With\n"
            "--verify-diagnostics 0: as the comments say; 1: not so.\n",
    .options = check_options,
    .num_options = sizeof check_options / sizeof *check_options,
    .run = check,
};

/* ---- dump -------------------------------------------------------------------------------- */

enum { D_UNIT, D_SOURCE };

static const cli_option_t dump_options[] = {
    {"unit", "NAME", "only the program of this unit (mni_lu, lx_lu0, pt0, ...)"},
    {"source", "FILE", "the KTIR text, for its lines; else the file that the job names"},
};

/* A text by lines, to show what an instruction stems from. */
typedef struct source {
  char *text;
  size_t len;
} source_t;

static const char *source_line(const source_t *s, uint32_t line, int *len) {
  size_t at = 0;
  *len = 0;
  if (s->text == NULL) return "";
  for (uint32_t n = 1; n < line; n++) {
    const char *end = memchr(s->text + at, '\n', s->len - at);
    if (end == NULL) return "";
    at = (size_t)(end - s->text) + 1;
  }
  while (at < s->len && (s->text[at] == ' ' || s->text[at] == '\t')) at++;
  while (at + (size_t)*len < s->len && s->text[at + (size_t)*len] != '\n' && *len < 100) (*len)++;
  return s->text + at;
}

static void dump_shape(const stp_job_buffer_t *b) {
  for (unsigned d = 0; d < b->rank; d++) printf("%" PRIu64 "x", b->dims[d]);
  fputs(stp_job_elem_name(b->elem), stdout);
}

static void dump_header(const stp_job_t *job) {
  printf("kernel    %s\nfile      %s, text hash %016" PRIx64 "\ncontract  %08x\n", job->kernel,
         job->file, job->text_hash, (unsigned)job->contract);
  if (job->options[0] != '\0') printf("options   %s\n", job->options);
  printf("grid     ");
  for (unsigned d = 0; d < job->grid_rank; d++) printf(" %" PRIu64, job->grid[d]);
  printf(" (%" PRIu64 " tiles)\nbytes     %" PRIu64 " compulsory, %u of LX\nmacs      %" PRIu64
         "\n",
         job->tiles, job->compulsory_bytes, (unsigned)job->lx_bytes, job->macs);
  for (uint32_t i = 0; i < job->num_buffers; i++) {
    const stp_job_buffer_t *b = &job->buffers[i];
    static const char *const dirs[] = {"unused", "in", "out", "inout"};
    printf("buffer    %s: ", b->name);
    dump_shape(b);
    printf(", %s, %" PRIu64 " bytes, address in job argument %d\n", dirs[b->dir & 3], b->bytes,
           (int)b->arg);
  }
  for (uint32_t i = 0; i < job->num_scalars; i++) {
    const stp_job_scalar_t *s = &job->scalars[i];
    printf("scalar    %s: %s = %" PRId64, s->name, stp_job_elem_name(s->elem), s->value);
    if (s->arg >= 0) printf(", in job argument %d", (int)s->arg);
    putchar('\n');
  }
}

static void dump_unit(const stp_job_t *job, unsigned unit, const source_t *source) {
  const stp_job_program_t *p = &job->programs[unit];
  printf("\n%s: %" PRIu32 " instructions\n", stp_unit_names[unit], p->count);
  const stp_job_line_t *last = NULL;
  for (uint32_t pc = 0; pc < p->count; pc++) {
    const stp_job_line_t *l = stp_job_find_line(job, unit, pc);
    if (l != NULL && (last == NULL || l->line != last->line || l->col != last->col)) {
      int len;
      const char *line = source_line(source, l->line, &len);
      printf("                                ; %s:%" PRIu32 ":%" PRIu32 "%s%.*s\n", job->file,
             l->line, l->col, len > 0 ? ": " : "", len, line);
    }
    last = l;
    char text[256];
    stp_disasm(p->words[pc], stp_unit_kind(unit), text, sizeof text);
    printf("  %4" PRIu32 "  %016" PRIx64 "  %s\n", pc, p->words[pc], text);
  }
}

static int dump_file(const char *path, int only, const char *source_path) {
  size_t len;
  char *data = cli_read_file(path, &len);
  if (data == NULL) return EXIT_BAD_INPUT;
  stp_job_t *job;
  char text[512];
  const bool is_job = len >= 6 && memcmp(data, "STPJOB", 6) == 0;
  const int status = stp_job_load((const uint8_t *)data, len, &job, text, sizeof text);
  free(data);
  if (status != 0) {
    return cli_fail(EXIT_BAD_INPUT, "%s: %s%s", cli_file_name(path), text,
                    is_job ? "" : " (steeple compile makes one)");
  }

  source_t source = {0};
  if (source_path != NULL) {
    source.text = cli_read_file(source_path, &source.len);
    if (source.text == NULL) {
      stp_job_free(job);
      return EXIT_BAD_INPUT;
    }
  } else {
    /* The text that the job was made from, if it is still there. */
    FILE *f = fopen(job->file, "rb");
    if (f != NULL) {
      fclose(f);
      source.text = cli_read_file(job->file, &source.len);
    }
  }
  if (source.text != NULL && job->text_hash != 0 &&
      stp_job_hash(source.text, source.len) != job->text_hash) {
    cli_fail(0, "%s is not the text that the job was made from; its lines are left out",
             source_path != NULL ? source_path : job->file);
    free(source.text);
    source.text = NULL;
  }
  if (only < 0) dump_header(job);
  for (unsigned u = 0; u < STP_UNITS; u++) {
    if ((only < 0 && job->programs[u].count > 0) || only == (int)u) dump_unit(job, u, &source);
  }
  free(source.text);
  stp_job_free(job);
  return EXIT_RIGHT;
}

static int dump(const cli_command_t *self, int argc, char **argv) {
  const char *path = NULL, *source = NULL;
  int only = -1;
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    if (option == CLI_BAD) return EXIT_USAGE;
    if (option == CLI_POSITIONAL) {
      if (path != NULL) return cli_usage(self, "more than one job file is given");
      path = args.value;
    } else if (option == D_SOURCE) {
      source = args.value;
    } else {
      for (only = STP_UNITS - 1; only >= 0 && strcmp(stp_unit_names[only], args.value) != 0;)
        only--;
      if (only < 0) return cli_usage(self, "there is no unit '%s'", args.value);
    }
  }
  if (path == NULL) return cli_usage(self, "no job file is given");
  return dump_file(path, only, source);
}

const cli_command_t cli_dump = {
    .name = "dump",
    .synopsis = "JOBFILE [--unit NAME] [--source FILE]",
    .summary = "show a job file: buffers, scalars, and each unit's program with its KTIR lines",
    .text = "JOBFILE may be -, standard input.\n",
    .options = dump_options,
    .num_options = sizeof dump_options / sizeof *dump_options,
    .run = dump,
};
