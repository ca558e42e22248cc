/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines, messages, files, JSON. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cli_next(cli_args_t *a) {
  if (a->at >= a->argc) return CLI_END;
  const char *word = a->argv[a->at++];
  a->value = word;
  if (a->only_positional || word[0] != '-' || word[1] == '\0') return CLI_POSITIONAL;
  if (strcmp(word, "--") == 0) {
    a->only_positional = true;
    return cli_next(a);
  }
  /* An option whose name is a letter is written with one dash. */
  const bool letter = word[1] != '-';
  const char *name = letter ? word + 1 : word + 2, *equal = letter ? NULL : strchr(name, '=');
  const size_t n = equal != NULL ? (size_t)(equal - name) : strlen(name);
  for (unsigned i = 0; i < a->command->num_options; i++) {
    const cli_option_t *o = &a->command->options[i];
    const bool is_letter = o->name[1] == '\0';
    if (is_letter != letter || strlen(o->name) != n || memcmp(o->name, name, n) != 0) continue;
    a->value = equal != NULL ? equal + 1 : NULL;
    if (o->arg == NULL && equal != NULL) {
      cli_usage(a->command, "option '--%s' takes no value", o->name);
      return CLI_BAD;
    }
    if (o->arg != NULL && o->arg[0] != '[' && equal == NULL) {
      if (a->at >= a->argc) {
        cli_usage(a->command, "option '%s' needs a value: %s", word, o->arg);
        return CLI_BAD;
      }
      a->value = a->argv[a->at++];
    }
    return (int)i;
  }
  cli_usage(a->command, "unknown option '%.*s'", (int)(name + n - word), word);
  return CLI_BAD;
}

void cli_help(const cli_command_t *c) {
  printf("usage: steeple %s %s\n\n%s\n", c->name, c->synopsis, c->summary);
  if (c->text != NULL) printf("\n%s", c->text);
  if (c->num_options > 0) printf("\noptions:\n");
  for (unsigned i = 0; i < c->num_options; i++) {
    const cli_option_t *o = &c->options[i];
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s", o->name[1] == '\0' ? "-" : "--", o->name,
             o->arg == NULL || o->arg[0] == '[' ? "" : " ", o->arg != NULL ? o->arg : "");
    /* Lines of a help text after the first are indented like the first. */
    printf("  %-26s ", left);
    for (const char *p = o->help; *p != '\0'; p++) {
      putchar(*p);
      if (*p == '\n') printf("%-29s", "");
    }
    putchar('\n');
  }
}

static void message(const char *format, va_list args) {
  fputs("steeple: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

int cli_fail(int exit_code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  message(format, args);
  va_end(args);
  return exit_code;
}

int cli_usage(const cli_command_t *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  message(format, args);
  va_end(args);
  fprintf(stderr, "steeple: see steeple %s --help\n", command->name);
  return EXIT_USAGE;
}

int cli_error(const stp_error_t *error) {
  cli_fail(0, "%s", error->text);
  switch (error->kind) {
  case STP_ERROR_USAGE:
    return EXIT_USAGE;
  case STP_ERROR_INPUT:
    return EXIT_BAD_INPUT;
  case STP_ERROR_DIFFERS:
    return EXIT_DIFFERS;
  default:
    return EXIT_TRAP;
  }
}

bool cli_number(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  if (text == NULL || text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  const unsigned long long v = strtoull(text, &end, 0);
  if (*end != '\0' || errno != 0 || v > most) return false;
  *value = v;
  return true;
}

/* ---- files ------------------------------------------------------------------------------- */

/* Far more than any kernel or job file has; devices and pipes may never end. */
#define MAX_FILE ((size_t)64 << 20)

const char *cli_file_name(const char *path) {
  return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

char *cli_read_file(const char *path, size_t *len) {
  const bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdin : fopen(path, "rb");
  if (f == NULL) {
    cli_fail(0, "%s: %s", path, strerror(errno));
    return NULL;
  }
  size_t size = 0, room = 1 << 16;
  char *data = malloc(room);
  bool too_long = false;
  errno = 0;
  while (data != NULL) {
    size += fread(data + size, 1, room - size, f);
    too_long = size > MAX_FILE;
    if (size < room || too_long) break;
    char *more = realloc(data, room *= 2);
    if (more == NULL) free(data);
    data = more;
  }
  const bool bad = ferror(f) != 0;
  const int why = errno;
  if (!standard) fclose(f);
  if (bad || too_long || data == NULL) {
    cli_fail(0, "%s: %s", cli_file_name(path),
             bad        ? strerror(why != 0 ? why : EIO)
             : too_long ? "more than 64 MiB are no kernel and no job file"
                        : "out of memory");
    free(data);
    return NULL;
  }
  *len = size;
  return data;
}

int cli_write_file(const char *path, const void *data, size_t len) {
  const bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdout : fopen(path, "wb");
  if (f == NULL) return cli_fail(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  bool ok = fwrite(data, 1, len, f) == len;
  ok = (standard ? fflush(f) : fclose(f)) == 0 && ok;
  return ok ? 0 : cli_fail(EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
}

/* ---- JSON -------------------------------------------------------------------------------- */

void cli_json_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
    if (*p == '"' || *p == '\\') {
      fprintf(out, "\\%c", *p);
    } else if (*p < 0x20 || *p == 0x7f) {
      fprintf(out, "\\u%04x", *p);
    } else {
      fputc(*p, out);
    }
  }
  fputc('"', out);
}

void cli_json_number(FILE *out, double value) {
  if (isfinite(value)) {
    fprintf(out, "%.9g", value);
  } else {
    fputs("null", out);
  }
}
