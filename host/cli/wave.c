/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steeple wave: a trace in GTKWave. steeple wavefilter: what GTKWave's process filters call.
 *
 * The save files of waveforms/ name their tables and filters relative to the root of the tree.
 * GTKWave takes such paths from where it was started, so `wave` writes a copy with absolute paths
 * beside the trace, and opens that.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../job/asm.h"
#include "numerics.h"

#define CHIP_CORE "steeple_chip.g_core[0].u_core"

/* ---- wavefilter -------------------------------------------------------------------------- */

enum { MAX_SHOWN = 16, MAX_DIGITS = 1024, MAX_ANSWER = 960 };

static const struct {
  const char *name;
  int kind;     /* an instruction of this STP_KIND_, or -1 */
  unsigned fmt; /* else lanes of this format */
} filters[] = {
    {"insn-mni-lu", STP_KIND_MNI_LU, 0},
    {"insn-mni-su", STP_KIND_MNI_SU, 0},
    {"insn-lx-lu", STP_KIND_LX_LU, 0},
    {"insn-lx-su", STP_KIND_LX_SU, 0},
    {"insn-pt", STP_KIND_PT, 0},
    {"insn-sfu", STP_KIND_SFU, 0},
    {"f16", -1, STP_FMT_F16},
    {"bf16", -1, STP_FMT_BF16},
    {"f32", -1, STP_FMT_F32},
    {"i32", -1, STP_FMT_I32},
    {"i16", -1, STP_FMT_I16},
};

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* `count` hexadecimal digits; false if there is another character (x and z, of what is unknown). */
static bool hex(const char *text, size_t count, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < count; i++) {
    const int d = digit(text[i]);
    if (d < 0) return false;
    *value = *value << 4 | (unsigned)d;
  }
  return true;
}

/* The lanes of a stick, lane 0 (the last digits) first; the first of them, or "N x v" where all are
   equal. False if the digits are no lanes of the format. */
static bool show_lanes(const char *digits, size_t count, unsigned fmt, char *buf, size_t size) {
  const unsigned per_lane = 2 * stp_fmt_bytes(fmt), places = fmt == STP_FMT_F32 ? 7 : 5;
  const size_t lanes = count / per_lane;
  uint64_t first = 0, v;
  bool same = true;
  if (lanes == 0 || count % per_lane != 0) return false;
  for (size_t i = 0; i < lanes; i++) {
    if (!hex(digits + count - (i + 1) * per_lane, per_lane, &v)) return false;
    if (i == 0) first = v;
    same = same && v == first;
  }
  const size_t shown = same ? 1 : lanes < MAX_SHOWN ? lanes : MAX_SHOWN;
  size_t n = 0;
  if (same && lanes > 1) n = (size_t)snprintf(buf, size, "%zu x ", lanes);
  for (size_t i = 0; i < shown; i++) {
    hex(digits + count - (i + 1) * per_lane, per_lane, &v);
    n += (size_t)snprintf(buf + n, size - n, "%s%.*g", i == 0 ? "" : " ", places,
                          stp_num_to_double(fmt, (uint32_t)v));
  }
  if (shown < lanes && !same) snprintf(buf + n, size - n, " ...");
  return true;
}

static int wavefilter(const cli_command_t *self, int argc, char **argv) {
  if (argc != 1) return cli_usage(self, "one filter is wanted");
  size_t f = 0;
  const size_t known = sizeof filters / sizeof *filters;
  while (f < known && strcmp(filters[f].name, argv[0]) != 0) f++;
  if (f == known) return cli_usage(self, "there is no filter '%s'", argv[0]);
  char line[MAX_DIGITS + 16], answer[MAX_ANSWER];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char *digits = line + (line[0] == '$');
    const size_t count = strcspn(digits, "\r\n");
    uint64_t word;
    digits[count] = '\0';
    bool right;
    if (filters[f].kind >= 0) {
      right = count > 0 && count <= 16 && hex(digits, count, &word);
      if (right && word == 0) {
        snprintf(answer, sizeof answer, "-");
      } else if (right) {
        stp_disasm(word, (unsigned)filters[f].kind, answer, sizeof answer);
      }
    } else {
      right = show_lanes(digits, count, filters[f].fmt, answer, sizeof answer);
    }
    /* GTKWave waits for each answer. */
    if (printf("%.*s\n", MAX_ANSWER, right ? answer : digits) < 0 || fflush(stdout) != 0) break;
  }
  return EXIT_RIGHT;
}

const cli_command_t cli_wavefilter = {
    .name = "wavefilter",
    .synopsis = "FILTER",
    .summary = "show values of a trace as assembly or numbers, for GTKWave",
    .text = "Reads hexadecimal values, one a line, and writes a line for each. FILTER is one of\n"
            "insn-mni-lu, insn-mni-su, insn-lx-lu, insn-lx-su, insn-pt, insn-sfu: an instruction "
            "of such a\n"
            "unit as assembly;\n"
            "f16, bf16, f32, i32, i16: a stick as numbers, lane 0 first.\n",
    .run = wavefilter,
};

/* ---- wave -------------------------------------------------------------------------------- */

enum { W_VIEW, W_STICK, W_CORELET, W_PRINT };

static const cli_option_t wave_options[] = {
    {"view", "NAME", "chip, core or pt; else what the trace holds"},
    {"stick", "FORMAT", "show sticks as f16 (else), bf16, f32, i32 or i16"},
    {"corelet", "N", "pt: of corelet 0 (else) or 1"},
    {"print", NULL, "print the command instead of starting GTKWave"},
};

/* Traces by the module at their top, and where that module is in a trace of the chip. */
static const struct {
  const char *module, *view, *scope;
} views[] = {{"steeple_chip", "chip", "steeple_chip"},
             {"core", "core", CHIP_CORE},
             {"pt", "pt", CHIP_CORE ".g_unit[3].g_engine.u_engine"}};

enum { VIEWS = sizeof views / sizeof *views };

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

/* The view whose module comes first in the scopes of a VCD text; VIEWS if there is none. */
static size_t view_of(FILE *vcd) {
  char line[1024];
  while (fgets(line, sizeof line, vcd) != NULL) {
    char kind[32], name[256];
    if (strncmp(line, "$enddefinitions", 15) == 0) break;
    if (sscanf(line, "$scope %31s %255s", kind, name) != 2) continue;
    for (size_t i = 0; i < VIEWS; i++) {
      if (strcmp(name, views[i].module) == 0) return i;
    }
  }
  return VIEWS;
}

static bool is_vcd(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".vcd") == 0;
}

/* What a trace holds, from its scopes. fst2vcd comes with GTKWave. */
static size_t find_view(const char *path) {
  if (is_vcd(path)) {
    FILE *f = fopen(path, "r");
    const size_t view = f != NULL ? view_of(f) : VIEWS;
    if (f != NULL) fclose(f);
    return view;
  }
  if (!on_path("fst2vcd")) return VIEWS;
  char quoted[4096], command[4200];
  quote(path, quoted, sizeof quoted);
  snprintf(command, sizeof command, "fst2vcd -f %s 2>/dev/null", quoted);
  FILE *f = popen(command, "r");
  const size_t view = f != NULL ? view_of(f) : VIEWS;
  if (f != NULL) pclose(f);
  return view;
}

/* One line of a save file with what `wave` replaces: the folder of tables and filters, the scope at
   the top of the trace by the name of its module, corelet 0 by 1. */
static void adapt(FILE *out, const char *line, const char *dir, const char *scope,
                  const char *module, bool corelet1) {
  static const char here[] = "waveforms/", unit[] = "g_unit[3]";
  const char *p;
  if (line[0] == '^' && (p = strstr(line, here)) != NULL) {
    /* GTKWave cuts the name of a program at its first space, but not the argument behind. */
    const char *shell = line[1] == '>' ? "/bin/sh " : "";
    fprintf(out, "%.*s%s%s/%s", (int)(p - line), line, shell, dir, p + strlen(here));
    return;
  }
  if (line[0] == '+' && strcmp(scope, module) != 0 && (p = strstr(line, scope)) != NULL) {
    fprintf(out, "%.*s%s%s", (int)(p - line), line, module, p + strlen(scope));
    return;
  }
  if (line[0] == '+' && corelet1 && (p = strstr(line, unit)) != NULL) {
    fprintf(out, "%.*sg_unit[7]%s", (int)(p - line), line, p + strlen(unit));
    return;
  }
  fputs(line, out);
}

/* Copy the save file `from` to `to`. An exit code. */
static int adapt_save(const char *from, const char *to, const char *dir, const char *scope,
                      const char *module, bool corelet1) {
  char line[8192];
  FILE *in = fopen(from, "r");
  if (in == NULL) {
    return cli_fail(EXIT_BAD_INPUT,
                    "%s: %s (set STEEPLE_WAVEFORMS to the folder waveforms/ of the source tree)",
                    from, strerror(errno));
  }
  FILE *out = fopen(to, "w");
  if (out == NULL) {
    fclose(in);
    return cli_fail(EXIT_BAD_INPUT, "%s: %s", to, strerror(errno));
  }
  while (fgets(line, sizeof line, in) != NULL) adapt(out, line, dir, scope, module, corelet1);
  const bool bad = ferror(in) || ferror(out);
  fclose(in);
  if (fclose(out) != 0 || bad) {
    return cli_fail(EXIT_BAD_INPUT, "%s: cannot copy it to '%s'", from, to);
  }
  return EXIT_RIGHT;
}

typedef struct wave {
  const char *path, *stick;
  size_t view; /* VIEWS: not given */
  bool print, corelet1;
} wave_t;

static int parse(const cli_command_t *self, wave_t *w, int argc, char **argv) {
  cli_args_t args = {.command = self, .argc = argc, .argv = argv};
  for (int option; (option = cli_next(&args)) != CLI_END;) {
    uint64_t number;
    size_t i = 0;
    switch (option) {
    case CLI_BAD:
      return EXIT_USAGE;
    case CLI_POSITIONAL:
      if (w->path != NULL) return cli_usage(self, "more than one trace is given");
      w->path = args.value;
      break;
    case W_PRINT:
      w->print = true;
      break;
    case W_CORELET:
      if (!cli_number(args.value, STP_CORELETS - 1, &number)) {
        return cli_usage(self, "there is no corelet '%s'", args.value);
      }
      w->corelet1 = number == 1;
      break;
    case W_STICK:
      while (i < sizeof filters / sizeof *filters &&
             (filters[i].kind >= 0 || strcmp(filters[i].name, args.value) != 0)) {
        i++;
      }
      if (i == sizeof filters / sizeof *filters) {
        return cli_usage(self, "there is no format '%s' (there is: f16, bf16, f32, i32, i16)",
                         args.value);
      }
      w->stick = filters[i].name;
      break;
    default:
      while (i < VIEWS && strcmp(views[i].view, args.value) != 0) i++;
      if (i == VIEWS) {
        return cli_usage(self, "there is no view '%s' (there is: chip, core, pt)", args.value);
      }
      w->view = i;
    }
  }
  return EXIT_RIGHT;
}

static int wave(const cli_command_t *self, int argc, char **argv) {
  wave_t w = {.stick = "f16", .view = VIEWS};
  int status = parse(self, &w, argc, argv);
  if (status != EXIT_RIGHT) return status;
  if (w.path == NULL) return cli_usage(self, "no trace is given");
  struct stat st;
  if (stat(w.path, &st) != 0) return cli_fail(EXIT_BAD_INPUT, "%s: %s", w.path, strerror(errno));
  size_t top = find_view(w.path);
  if (top == VIEWS) {
    if (is_vcd(w.path) || on_path("fst2vcd")) {
      return cli_fail(EXIT_BAD_INPUT,
                      "%s: this is no trace of Steeple: it has none of the modules steeple_chip, "
                      "core and pt",
                      w.path);
    }
    top = 0;
    if (w.view == VIEWS) {
      cli_fail(0,
               "%s: cannot see what it holds without fst2vcd (package gtkwave); taking the view of "
               "the chip",
               w.path);
    }
  }
  if (w.view == VIEWS) w.view = top;
  const char *source = getenv("STEEPLE_WAVEFORMS"), *view = views[w.view].view;
  if (source == NULL) source = STEEPLE_WAVEFORMS;
  char cwd[2048] = "", dir[4096], from[8192], save[4096], self_path[4096];
  if (source[0] != '/' && getcwd(cwd, sizeof cwd) == NULL) {
    return cli_fail(EXIT_BAD_INPUT, "%s: %s", source, strerror(errno));
  }
  snprintf(dir, sizeof dir, "%s%s%s", cwd, cwd[0] != '\0' ? "/" : "", source);
  snprintf(from, sizeof from, "%s/%s.gtkw", dir, view);
  snprintf(save, sizeof save, "%s.%s.gtkw", w.path, view);
  status =
      adapt_save(from, save, dir, views[top].scope, views[top].module, w.corelet1 && w.view == 2);
  if (status != EXIT_RIGHT) return status;
  /* The filters run this very program. */
  const ssize_t n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
  snprintf(self_path + (n > 0 ? n : 0), 8, "%s", n > 0 ? "" : "steeple");

  const bool have = on_path("gtkwave");
  const bool display = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
  if (!w.print && have && display) {
    if (setenv("STEEPLE", self_path, 1) == 0 && setenv("STEEPLE_STICK", w.stick, 1) == 0) {
      execlp("gtkwave", "gtkwave", "--rcvar", "do_initial_zoom_fit yes", "-f", w.path, "-a", save,
             (char *)NULL);
    }
    return cli_fail(EXIT_BAD_INPUT, "gtkwave: %s", strerror(errno));
  }
  char a[4096], b[4096], c[4096];
  quote(w.path, a, sizeof a);
  quote(save, b, sizeof b);
  quote(self_path, c, sizeof c);
  if (!w.print) {
    cli_fail(0, "%s; the command is:", have ? "there is no display" : "gtkwave is not installed");
  }
  printf("STEEPLE=%s STEEPLE_STICK=%s gtkwave --rcvar 'do_initial_zoom_fit yes' -f %s -a %s\n", c,
         w.stick, a, b);
  return EXIT_RIGHT;
}

const cli_command_t cli_wave = {
    .name = "wave",
    .synopsis = "TRACE.fst|TRACE.vcd [OPTION]...",
    .summary = "open a trace in GTKWave with the save file for what it holds",
    .text = "Save files lie in waveforms/, or where STEEPLE_WAVEFORMS says; TRACE.fst.VIEW.gtkw is "
            "a copy\n"
            "for this trace, written anew each time. Without GTKWave or a display, the command is\n"
            "printed.\n",
    .options = wave_options,
    .num_options = sizeof wave_options / sizeof *wave_options,
    .run = wave,
};
