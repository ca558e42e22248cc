/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command `steeple`, run as a process on the model: options, exit codes, what goes to standard
 * output and what to standard error, files, and the line of JSON.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../host/job/asm.h"
#include "../../host/job/job.h"
#include "steeple_fw.h"

static const char *steeple, *kernels;
static char dir[64];
static char out[1 << 18], err[1 << 18];

static void slurp(const char *name, char *buf, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  buf[fread(buf, 1, size - 1, f)] = '\0';
  fclose(f);
}

static void spit(const char *name, const void *data, size_t n) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, n, f), n);
  fclose(f);
}

static void spit_text(const char *name, const char *text) {
  spit(name, text, strlen(text));
}

/* Runs a shell command in the test's directory, $S being the command, $K the kernels; gives the
   exit code. Standard output is left in `out`, standard error in `err`. */
static int sh(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int sh(const char *format, ...) {
  char command[4096], line[8192];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  snprintf(line, sizeof line, "cd %s && S='%s' K='%s' && ( %s ) >out 2>err </dev/null", dir,
           steeple, kernels, command);
  const int status = system(line);
  assert_true(WIFEXITED(status));
  slurp("out", out, sizeof out);
  slurp("err", err, sizeof err);
  return WEXITSTATUS(status);
}

static void expect_err(int code, const char *command, const char *message) {
  const int status = sh("%s", command);
  if (status != code) fail_msg("%s: exit code %d, not %d; %s", command, status, code, err);
  if (strstr(err, message) == NULL) fail_msg("%s: no '%s' in: %s", command, message, err);
  if (out[0] != '\0') fail_msg("%s: unexpected output: %s", command, out);
}

/* ---- command lines ----------------------------------------------------------------------- */

static void test_help(void **state) {
  (void)state;
  static const char *const commands[] = {"run",  "compile", "check",  "dump", "wavefilter",
                                         "info", "wave",    "report", "bench"};
  assert_int_equal(sh("$S --help"), 0);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    assert_non_null(strstr(out, commands[i]));
  }
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char text[64];
    assert_int_equal(sh("$S %s --help", commands[i]), 0);
    snprintf(text, sizeof text, "usage: steeple %s ", commands[i]);
    assert_int_equal(strncmp(out, text, strlen(text)), 0);
    assert_string_equal(err, "");
    assert_int_equal(sh("$S help %s", commands[i]), 0);
    assert_int_equal(strncmp(out, text, strlen(text)), 0);
    assert_int_equal(sh("$S %s -h", commands[i]), 0);
    assert_int_equal(strncmp(out, text, strlen(text)), 0);
  }
  assert_int_equal(sh("$S --version"), 0);
  assert_int_equal(strncmp(out, "Steeple ", 8), 0);
  assert_int_equal(sh("$S info"), 0);
  assert_non_null(strstr(out, "machines        model"));
}

static void test_usage(void **state) {
  (void)state;
  static const struct {
    const char *command, *message;
  } wrong[] = {
      {"$S", "usage: steeple COMMAND"},
      {"$S walk", "there is no command 'walk'"},
      {"$S help walk", "there is no command 'walk'"},
      {"$S run", "no kernel is given"},
      {"$S run $K/vector_add.mlir", "--on rtl or --on model is wanted"},
      {"$S run $K/vector_add.mlir --on", "option '--on' needs a value"},
      {"$S run $K/vector_add.mlir --on fpga", "there is no machine 'fpga'"},
      {"$S run $K/vector_add.mlir --wat", "unknown option '--wat'"},
      {"$S run $K/vector_add.mlir --wat=7", "unknown option '--wat'"},
      {"$S run $K/vector_add.mlir -x", "unknown option '-x'"},
      {"$S run $K/vector_add.mlir --json=1", "option '--json' takes no value"},
      {"$S run a.mlir b.mlir --on model", "more than one kernel"},
      {"$S run $K/vector_add.mlir --on model --check=model", "there is --check and --check=rtl"},
      {"$S run $K/vector_add.mlir --on model --arg a", "'a' is not NAME=VALUE"},
      {"$S run $K/vector_add.mlir --on model --arg z=zeros", "no argument 'z' (there is: a, b, c)"},
      {"$S run $K/vector_add.mlir --on model --arg 3=zeros", "no argument '3'"},
      {"$S run $K/vector_add.mlir --on model --arg a=zeros --arg a=random", "given twice"},
      {"$S run $K/vector_add.mlir --on model --arg a=zeros --arg 0=random", "given twice"},
      {"$S run $K/vector_add.mlir --on model --arg a=1.5", "it takes @file.npy"},
      {"$S run $K/vector_add.mlir --on model --arg a=random:x", "it takes @file.npy"},
      {"$S run $K/vector_add.mlir --on model --out z=z.npy", "no argument 'z' (there is: a, b, c)"},
      {"$S run $K/vector_add_dynamic.mlir --on model --arg n=4 --out n=n.npy",
       "argument 'n' is a scalar, but a buffer is wanted here"},
      {"$S compile $K/vector_add_dynamic.mlir --arg n=4 --arg a=zeros",
       "argument 'a' is a buffer, but a scalar is wanted here"},
      {"$S info $K/vector_add_dynamic.mlir --arg n=4 --arg m=4", "no argument 'm' (there is: n)"},
      {"$S info $K/vector_add.mlir --arg m=4", "no argument 'm' (there is: none)"},
      {"$S run $K/vector_add.mlir --on model --func f", "no function 'f' (there is: vector_add)"},
      {"$S run $K/vector_add.mlir --on model --trace t.fst", "no signals to trace"},
      {"$S run $K/vector_add.mlir --on model --trace-window 5", "FIRST:LAST is wanted"},
      {"$S run $K/vector_add.mlir --on model --trace-window 5:4", "FIRST:LAST is wanted"},
      {"$S run $K/vector_add.mlir --on model --trace-window 4:5", "give --trace FILE"},
      {"$S run $K/vector_add.mlir --on model --random-stalls 3",
       "--random-stalls is for the RTL, which does not run here"},
      {"$S run $K/vector_add.mlir --on model --compare-processor",
       "--compare-processor is for the RTL"},
      {"$S run $K/vector_add.mlir --on model --arith fast", "--arith is for the RTL"},
      {"$S run $K/vector_add.mlir --on model --arith slow",
       "there is --arith full and --arith fast"},
      {"$S bench --on model", "unknown option '--on'"},
      {"$S bench --arg n", "'n' is not NAME=VALUE"},
      {"$S report $K/vector_add.mlir --on model --init-seed 3", "--init-seed is for the RTL"},
      {"$S run $K/vector_add.mlir --on model --seed -1", "a number of at least"},
      {"$S run $K/vector_add.mlir --on model --config d1", "there is no configuration 'd1'"},
      {"$S run $K/vector_add.mlir --on model --config c0", "there is no configuration 'c0'"},
      {"$S run $K/vector_add.mlir --on model --dram-latency 0", "a number of at least 1"},
      {"$S run $K/vector_add_dynamic.mlir --on model", "scalar argument 'n' (index) has no value"},
      {"$S run $K/vector_add_dynamic.mlir --on model --arg n=many", "'many' is no integer"},
      {"$S run $K/vector_add_dynamic.mlir --on model --arg n=@n.npy", "no integer"},
      {"$S compile -", "-o FILE is wanted"},
      {"$S dump", "no job file is given"},
      {"$S check", "no kernel is given"},
      {"$S wave", "no trace is given"},
      {"$S wave t.fst --view moon", "there is no view 'moon'"},
      {"$S report", "no kernel is given"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    expect_err(2, wrong[i].command, wrong[i].message);
  }
}

static void test_bad_input(void **state) {
  (void)state;
  expect_err(3, "$S run nowhere.mlir --on model", "nowhere.mlir: No such file");
  expect_err(3, "echo 'func.func @f() {' | $S run - --on model", "<stdin>:");
  expect_err(3, "$S run $K/vector_add.mlir --on model --arg a=@nowhere.npy",
             "nowhere.npy: No such file");
  expect_err(3, "$S run $K/vector_add.mlir --on model --out c=/nowhere/c.npy",
             "/nowhere/c.npy: No such file");
  spit_text("text.npy", "hello");
  expect_err(3, "$S run $K/vector_add.mlir --on model --arg a=@text.npy", "this is no .npy file");
  expect_err(3, "$S dump text.npy", "text.npy: ");
  spit_text("bad.mlir",
            "module {\n  func.func @f() {\n    \"no.such\"() : () -> ()\n    return\n  }\n}\n");
  expect_err(3, "$S check bad.mlir", "bad.mlir:3:5: error: ");
  assert_non_null(strstr(err, "    \"no.such\"() : () -> ()\n    ^"));
  expect_err(3, "$S compile bad.mlir", "bad.mlir:3:5: error: ");
  expect_err(3, "$S wave nowhere.fst", "nowhere.fst: No such file");
}

/* Standard output that takes nothing, and files without an end. */
static void test_streams(void **state) {
  (void)state;
  assert_int_equal(sh("$S compile $K/vector_add.mlir -o s.stpjob"), 0);
  static const char *const commands[] = {"--help",
                                         "run --help",
                                         "info",
                                         "info $K/softmax.mlir",
                                         "dump s.stpjob",
                                         "run $K/softmax.mlir --on model --json",
                                         "run $K/softmax.mlir --on model --out y=-",
                                         "report $K/softmax.mlir --on model",
                                         "compile $K/softmax.mlir -o -"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char line[256];
    snprintf(line, sizeof line, "$S %s >/dev/full", commands[i]);
    expect_err(3, line, "No space left on device");
    snprintf(line, sizeof line, "$S %s >&-", commands[i]);
    expect_err(3, line, "Bad file descriptor");
  }
  expect_err(3, "$S check /dev/zero", "/dev/zero: more than 64 MiB");
  expect_err(3, "$S dump - </dev/zero", "<stdin>: more than 64 MiB");
  expect_err(3, "$S run $K/vector_add.mlir --on model --arg a=@/dev/zero", "this is no .npy file");
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --out a=a.npy --out c=c.npy"), 0);
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --arg a=@- --out c=- <a.npy >d.npy"),
                   0);
  assert_int_equal(sh("cmp c.npy d.npy"), 0);
}

static void test_check(void **state) {
  (void)state;
  assert_int_equal(sh("$S check $K/*.mlir"), 0);
  assert_string_equal(out, "");
  assert_int_equal(sh("cat $K/vector_add.mlir | $S check -"), 0);
  static const char expected[] = "// expected-error@+1 {{no.such}}\n\"no.such\"() : () -> ()\n";
  spit_text("good.mlir", expected);
  assert_int_equal(sh("$S check --verify-diagnostics good.mlir"), 0);
  static const char other[] = "// expected-error@+1 {{no.suchthing}}\n\"no.such\"() : () -> ()\n";
  spit_text("other.mlir", other);
  assert_int_equal(sh("$S check --verify-diagnostics other.mlir"), 1);
}

/* ---- runs -------------------------------------------------------------------------------- */

/* What follows "key": in a line of JSON, up to the next comma or brace. */
static const char *json(const char *key) {
  static char value[256];
  char name[64];
  snprintf(name, sizeof name, "\"%s\": ", key);
  const char *at = strstr(out, name);
  if (at == NULL) fail_msg("no key '%s' in: %s", key, out);
  at += strlen(name);
  const size_t n = strcspn(at, ",}\n");
  snprintf(value, sizeof value, "%.*s", (int)n, at);
  return value;
}

static void test_json(void **state) {
  (void)state;
  static const char *const keys[] = {"kernel",  "machine",  "config",     "cycles",
                                     "macs",    "pt_share", "dram_bytes", "dram_share",
                                     "seconds", "sim_khz",  "status",     "tiles"};
  assert_int_equal(sh("$S run $K/matmul_64.mlir --on model --json"), 0);
  assert_int_equal(out[0], '{');
  const char *end = strchr(out, '\n');
  assert_non_null(end);
  assert_int_equal(end[1], '\0');
  assert_int_equal(end[-1], '}');
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) json(keys[i]);
  assert_string_equal(json("kernel"), "\"matmul_64\"");
  assert_string_equal(json("machine"), "\"model\"");
  assert_string_equal(json("config"), "\"c1\"");
  assert_string_equal(json("status"), "\"ok\"");
  assert_string_equal(json("macs"), "262144");
  assert_string_equal(json("dram_bytes"), "32768");
  assert_string_equal(json("cycles"), "null"); /* the model has no clock */
  assert_null(strstr(out, "\"equal\""));

  assert_int_equal(sh("$S run $K/matmul_64.mlir --on model --json --counters"), 0);
  assert_non_null(strstr(out, "\"counters\": [{\"core\": 0, \"unit\": \"mni_lu\", "));
  assert_non_null(strstr(err, "stall_token"));
  assert_int_equal(sh("$S run $K/matmul_64.mlir --on model"), 0);
  assert_string_equal(out, "");
}

/* The firmware: another image, and a log of what it executes. */
static void test_firmware(void **state) {
  (void)state;
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --processor-log log &&"
                      " grep -c ' store 80005004=000003' log"),
                   0);
  assert_string_equal(out, "1\n"); /* the units are started once */
  expect_err(3, "$S run $K/vector_add.mlir --on model --processor-log /dev/full", "/dev/full");
  expect_err(3, "$S run $K/vector_add.mlir --on model --processor-log no/log", "no/log");

  spit("fw.bin", stp_firmware, stp_firmware_size);
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --check --firmware fw.bin"), 0);
  spit("fw.bin", stp_firmware, 0);
  expect_err(3, "$S run $K/vector_add.mlir --on model --firmware fw.bin", "0 bytes");
  expect_err(3, "$S run $K/vector_add.mlir --on model --firmware no.bin", "no.bin");
  const uint32_t forever = 0x0000006f; /* j . */
  spit("fw.bin", &forever, sizeof forever);
  expect_err(4, "$S run $K/vector_add.mlir --on model --firmware fw.bin", "firmware");
}

static void test_check_results(void **state) {
  (void)state;
  static const char *const list[] = {"vector_add.mlir",
                                     "vector_add_dynamic.mlir --arg n=4000",
                                     "softmax.mlir",
                                     "matmul_64.mlir",
                                     "matmul_64_f16.mlir",
                                     "matmul_37x129x75.mlir",
                                     "matmul_37x129x75_f16.mlir"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const int status = sh("$S run $K/%s --on model --check --json", list[i]);
    if (status != 0) fail_msg("%s: exit code %d: %s", list[i], status, err);
    assert_string_equal(json("equal"), "true");
    const double error = strtod(json("max_error"), NULL);
    assert_true(error > 0 && error < 1);
    assert_true(strtod(json("max_ulp"), NULL) > 0);
  }
}

static void test_binding(void **state) {
  (void)state;
  /* The same inputs by name, by position and from standard input. */
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --arg a=random:3 --arg b=zeros "
                      "--out c=c1.npy --out 0=a1.npy"),
                   0);
  assert_int_equal(
      sh("cat $K/vector_add.mlir | $S run - --on model --arg 0=random:3 --arg %%b=zeros "
         "--out=2=c2.npy && cmp c1.npy c2.npy"),
      0);
  /* c = a + 0, and a file that was written can be read. */
  assert_int_equal(sh("cmp a1.npy c1.npy"), 0);
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --arg a=@a1.npy --arg b=@a1.npy "
                      "--out c=c3.npy && ! cmp -s c1.npy c3.npy"),
                   0);
  /* Seeds. */
  assert_int_equal(
      sh("$S run $K/vector_add.mlir --on model --seed 3 --arg b=zeros --out c=c4.npy && "
         "cmp c1.npy c4.npy"),
      0);
  assert_int_equal(sh("$S run $K/vector_add.mlir --on model --arg b=zeros --out c=c5.npy && "
                      "! cmp -s c1.npy c5.npy"),
                   0);
  /* Types. */
  expect_err(3, "$S run $K/matmul_64.mlir --on model --arg a=@a1.npy", "the array is 4096, but");
  assert_int_equal(sh("$S run $K/matmul_64.mlir --on model --out 2=f32.npy"), 0);
  expect_err(3, "$S run $K/matmul_64.mlir --on model --arg 0=@f32.npy", "'f4', but those of");
  assert_int_equal(sh("$S run $K/matmul_64.mlir --on model --arg 0=@f32.npy --convert"), 0);
}

static void test_compile(void **state) {
  (void)state;
  assert_int_equal(sh("cp $K/vector_add_dynamic.mlir k.mlir && $S compile k.mlir --arg n=4000"), 0);
  assert_int_equal(sh("$S compile - --arg 3=4000 -o - < k.mlir > other.stpjob"), 0);
  assert_int_equal(sh("$S run k.stpjob --on model --out c=c1.npy"), 0);
  assert_int_equal(sh("$S run k.mlir --on model --arg n=4000 --out c=c2.npy && cmp c1.npy c2.npy"),
                   0);
  assert_int_equal(sh("$S run other.stpjob --on model --arg n=4000"), 0);
  expect_err(2, "$S run k.stpjob --on model --arg n=4001", "compiled for n = 4000");
  /* A scalar that stays one: smaller values fit the buffers. */
  assert_int_equal(sh("$S compile k.mlir --arg n=4000 --dynamic n -o kept.stpjob"), 0);
  assert_int_equal(sh("$S info k.mlir --arg n=4000 --dynamic n"), 0);
  assert_non_null(strstr(out, "3 n: index = 4000, kept at run time"));
  assert_int_equal(sh("$S dump kept.stpjob"), 0);
  assert_non_null(strstr(out, "n: index = 4000, in job argument 3"));
  assert_int_equal(sh("$S run kept.stpjob --on model --arg n=4000 --out c=c2.npy && cmp c1.npy "
                      "c2.npy"),
                   0);
  assert_int_equal(sh("$S run kept.stpjob --on model --arg n=700 --out c=c3.npy && "
                      "head -c 1528 c1.npy > head1 && head -c 1528 c3.npy | cmp - head1"),
                   0);
  assert_int_equal(sh("tail -c 6600 c3.npy | tr -d '\\245' | wc -c | grep -x 0"), 0);
  assert_int_equal(sh("$S run k.mlir --on model --check --arg n=700 --dynamic n"), 0);
  assert_int_equal(sh("$S report k.mlir --on model --arg n=700 --dynamic n"), 0);
  expect_err(2, "$S run kept.stpjob --on model --arg n=4001", "have room for n from 0 to 4000");
  expect_err(2, "$S run kept.stpjob --on model --dynamic n", "this is a job file");
  expect_err(2, "$S run k.mlir --on model --arg n=7 --dynamic m", "no such scalar argument");
  expect_err(2, "$S run k.mlir --on model --arg n=7 --dynamic a", "no such scalar argument");
  expect_err(2, "$S run k.mlir --on model --arg n=7 --dynamic n=7", "the name of a scalar");
  expect_err(2, "$S run k.mlir --on model --dynamic n", "has no value");
  expect_err(2, "$S run k.stpjob --on model --check", "no text to interpret");

  assert_int_equal(sh("$S dump k.stpjob"), 0);
  static const char *const parts[] = {"kernel    vector_add_dynamic",
                                      "scalar    n: index = 4000",
                                      "mni_lu: ",
                                      "sfu1: ",
                                      "halt",
                                      "; k.mlir:",
                                      "%x = ktdp.load %a_tile"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strstr(out, parts[i]) == NULL) fail_msg("no '%s' in the dump", parts[i]);
  }
  assert_int_equal(sh("$S dump --unit sfu0 k.stpjob"), 0);
  assert_int_equal(strncmp(out, "\nsfu0: ", 7), 0);
  assert_null(strstr(out, "lx_lu0: "));
  expect_err(2, "$S dump --unit alu k.stpjob", "there is no unit 'alu'");
  /* A text that has changed since is not shown. */
  assert_int_equal(sh("echo >> k.mlir && $S dump k.stpjob"), 0);
  assert_non_null(strstr(err, "is not the text that the job was made from"));
  assert_null(strstr(out, "%x = ktdp.load"));
}

/* A job that traps: the exit code, and where it happened. */
static void test_trap(void **state) {
  (void)state;
  stp_job_t *job = stp_job_new();
  assert_non_null(job);
  assert_int_equal(stp_job_set_string(&job->kernel, "trapper") |
                       stp_job_set_string(&job->file, "trapper.mlir"),
                   0);
  job->contract = STP_CONTRACT_VERSION;
  job->grid_rank = 1;
  job->grid[0] = job->tiles = 1;
  stp_asm_t *a = malloc(sizeof *a);
  stp_asm_init(a, STP_UNIT_MNI_LU);
  stp_asm_at(a, 12, 5);
  stp_asm_li(a, 1, 1);
  stp_asm_op(a, STP_OP_TRAPIF, 0, 1, 0, 0, 77);
  stp_asm_op(a, STP_OP_HALT, 0, 0, 0, 0, 0);
  if (stp_asm_finish(a) != 0) fail_msg("%s", stp_asm_error(a));
  assert_int_equal(stp_job_set_program(job, STP_UNIT_MNI_LU, a->words, a->count), 0);
  const stp_job_line_t line = {.unit = STP_UNIT_MNI_LU, .pc = 0, .count = 3, .line = 12, .col = 5};
  assert_int_equal(stp_job_add_line(job, &line), 0);
  uint8_t *data;
  size_t len;
  char text[256] = "";
  if (stp_job_save(job, &data, &len, text, sizeof text) != 0) fail_msg("%s", text);
  spit("trap.stpjob", data, len);
  free(data);
  free(a);
  stp_job_free(job);

  assert_int_equal(sh("$S run trap.stpjob --on model --json"), 4);
  assert_non_null(strstr(err, "trap: trapif in core 0, unit mni_lu, pc 1 (trapper.mlir:12:5)"));
  assert_string_equal(json("status"), "\"trap\"");
  assert_string_equal(json("unit"), "\"mni_lu\"");
  assert_string_equal(json("pc"), "1");
  assert_string_equal(json("addr"), "77");
  assert_string_equal(json("line"), "12");
}

static void test_give_up(void **state) {
  (void)state;
  expect_err(4, "$S run $K/vector_add.mlir --on model --max-cycles 20", "not over after");
}

/* Every cut of a job file is an error of its own. */
static void test_broken_jobs(void **state) {
  (void)state;
  assert_int_equal(sh("$S compile $K/vector_add.mlir -o v.stpjob"), 0);
  for (unsigned cut = 6; cut < 1400; cut += 97) {
    assert_int_equal(sh("head -c %u v.stpjob > cut.stpjob && $S run cut.stpjob --on model", cut),
                     3);
    if (strstr(err, "cut.stpjob: ") == NULL) fail_msg("%u: %s", cut, err);
  }
}

static void test_report(void **state) {
  (void)state;
  assert_int_equal(sh("$S report $K/vector_add.mlir $K/vector_add_dynamic.mlir $K/softmax.mlir "
                      "--on model --arg n=4000"),
                   0);
  assert_non_null(strstr(out, "kernel "));
  assert_non_null(strstr(out, "\nvector_add_dynamic "));
  unsigned equal = 0;
  for (const char *p = out; (p = strstr(p, "model = interpreter")) != NULL; p++) equal++;
  assert_int_equal(equal, 3);
  assert_int_equal(sh("$S report $K/vector_add.mlir nowhere.mlir --on model --json"), 3);
  assert_string_equal(json("kernel"), "\"vector_add\"");
  assert_int_equal(sh("$S report $K/vector_add.mlir --on model --arg m=3"), 2);
  assert_non_null(strstr(err, "no kernel has an argument 'm'"));
}

static void expect_wave(const char *args, const char *file, const char *save) {
  char end[128];
  assert_int_equal(sh("STEEPLE_WAVEFORMS=. $S wave %s", args), 0);
  snprintf(end, sizeof end, " -f '%s' -a '%s'\n", file, save);
  assert_non_null(strstr(out, " gtkwave "));
  assert_non_null(strstr(out, end));
}

static void test_wave(void **state) {
  (void)state;
  spit_text("chip.vcd",
            "$scope module TOP $end\n$scope module steeple_chip $end\n$enddefinitions $end\n");
  spit_text("pt.vcd", "$scope module TOP $end\n$scope module pt $end\n$enddefinitions $end\n");
  assert_int_equal(sh("touch chip.gtkw pt.gtkw"), 0);
  expect_wave("--print chip.vcd", "chip.vcd", "chip.vcd.chip.gtkw");
  expect_wave("--print pt.vcd", "pt.vcd", "pt.vcd.pt.gtkw");
  expect_wave("--print chip.vcd --view pt", "chip.vcd", "chip.vcd.pt.gtkw");
  assert_int_equal(sh("unset DISPLAY WAYLAND_DISPLAY; STEEPLE_WAVEFORMS=. $S wave pt.vcd"), 0);
  assert_non_null(strstr(out, " gtkwave "));
  assert_non_null(strstr(err, "the command is:"));
  spit_text("other.vcd", "$scope module top $end\n$enddefinitions $end\n");
  expect_err(3, "$S wave other.vcd", "other.vcd: this is no trace of Steeple");
  assert_int_equal(sh("test -e other.vcd.chip.gtkw"), 1);
}

/* The copy of a save file has absolute paths, the scopes of the trace, and the corelet asked for.
 */
static void test_wave_save(void **state) {
  (void)state;
#define PT "steeple_chip.g_core[0].u_core.g_unit[3].g_engine.u_engine"
  spit_text("chip.vcd", "$scope module steeple_chip $end\n$enddefinitions $end\n");
  spit_text("pt.vcd", "$scope module pt $end\n$enddefinitions $end\n");
  spit_text("pt.gtkw",
            "@28\n^1 waveforms/generated/op.txt\n+{x} " PT ".x[1:0]\n^>1 waveforms/filters/f16\n");
  expect_wave("--print pt.vcd", "pt.vcd", "pt.vcd.pt.gtkw");
  assert_int_equal(sh("D=$(pwd) && printf '@28\n^1 %%s/./generated/op.txt\n+{x} pt.x[1:0]\n^>1 "
                      "/bin/sh %%s/./filters/f16\n' \"$D\" \"$D\" | diff - pt.vcd.pt.gtkw"),
                   0);
  expect_wave("--print chip.vcd --view pt", "chip.vcd", "chip.vcd.pt.gtkw");
  assert_int_equal(sh("grep -qF '+{x} " PT ".x[1:0]' chip.vcd.pt.gtkw"), 0);
  expect_wave("--print chip.vcd --view pt --corelet 1", "chip.vcd", "chip.vcd.pt.gtkw");
  assert_int_equal(sh("grep -qF 'u_core.g_unit[7].g_engine.u_engine.x[1:0]' chip.vcd.pt.gtkw"), 0);
  expect_wave("--print --stick bf16 pt.vcd", "pt.vcd", "pt.vcd.pt.gtkw");
  assert_non_null(strstr(out, "STEEPLE_STICK=bf16 "));
  expect_err(2, "$S wave --corelet 2 pt.vcd", "there is no corelet '2'");
  expect_err(2, "$S wave --stick f64 pt.vcd", "there is no format 'f64'");
  expect_err(3, "STEEPLE_WAVEFORMS=/nowhere $S wave pt.vcd", "/nowhere/pt.gtkw: No such file");
#undef PT
}

static void expect_filter(const char *filter, const char *in, const char *want) {
  assert_int_equal(sh("printf '%s\n' | $S wavefilter %s", in, filter), 0);
  out[strcspn(out, "\n")] = '\0';
  assert_string_equal(out, want);
}

static void test_wavefilter(void **state) {
  (void)state;
  expect_filter("insn-pt", "0200000000000000", "halt");
  expect_filter("insn-pt", "0", "-");
  expect_filter("insn-lx-lu", "b000000000000000", ".word 0xb000000000000000");
  expect_filter("insn-pt", "xxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxx");
  expect_filter("f16", "3c00", "1");
  expect_filter("f16", "C0003C00", "1 -2");
  expect_filter("f16", "3c003c003c003c00", "4 x 1");
  expect_filter("f16", "fe00", "nan");
  expect_filter("f16", "3c0", "3c0");
  expect_filter("bf16", "bf803f80", "1 -1");
  expect_filter("f32", "404000003f800000", "1 3");
  expect_filter("f32", "3dcccccd3f800000", "1 0.1");
  expect_filter("i32", "ffffffff00000007", "7 -1");
  expect_filter("i16", "xxxx0001", "xxxx0001");
  expect_filter("f16", "", "");
  /* A longer stick is cut, and each line has its answer. */
  assert_int_equal(sh("( for i in 1 2; do printf '3c00%%0128d\n' 0; done ) | $S wavefilter f16"),
                   0);
  assert_string_equal(out,
                      "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ...\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ...\n");
  expect_err(2, "$S wavefilter", "one filter is wanted");
  expect_err(2, "$S wavefilter f64", "there is no filter 'f64'");
}

/* ---- the RTL, if the build has it --------------------------------------------------------- */

static void test_rtl(void **state) {
  (void)state;
  char cycles[64];
  assert_int_equal(sh("$S run $K/vector_add.mlir --on rtl --check=rtl --compare-processor --json"),
                   0);
  assert_string_equal(json("machine"), "\"rtl\"");
  assert_string_equal(json("arith"), "\"full\"");
  assert_string_equal(json("equal"), "true");
  assert_string_equal(json("rtl_equals_model"), "true");
  assert_true(strtod(json("sticks"), NULL) > 400);
  assert_true(strtod(json("retired_compared"), NULL) > 400);
  assert_non_null(strstr(err, "processor = simulator: yes ("));
  assert_true(strtod(json("dram_share"), NULL) > 0.01);
  assert_true(strtod(json("sim_khz"), NULL) > 0);
  snprintf(cycles, sizeof cycles, "%s", json("cycles"));
  assert_true(strtod(cycles, NULL) > strtod(json("launch_cycles"), NULL));
  for (unsigned seed = 1; seed <= 2; seed++) {
    assert_int_equal(sh("$S run $K/vector_add.mlir --on rtl --init-seed %u --json", seed), 0);
    assert_string_equal(json("cycles"), cycles);
  }
  assert_int_equal(sh("$S run $K/vector_add.mlir --on rtl --arith fast --check=rtl --json"), 0);
  assert_string_equal(json("arith"), "\"fast\"");
  assert_string_equal(json("cycles"), cycles);
  assert_string_equal(json("rtl_equals_model"), "true");
  assert_int_equal(sh("$S run $K/vector_add.mlir --on rtl --dram-latency 400 --json"), 0);
  assert_true(strtod(json("cycles"), NULL) > strtod(cycles, NULL) + 300);
  assert_int_equal(sh("$S run $K/vector_add.mlir --on rtl --check=rtl --random-stalls 7 --json"),
                   0);
  assert_string_equal(json("equal"), "true");
}

static void test_bench(void **state) {
  (void)state;
  assert_int_equal(sh("$S bench $K/matmul_5x7x3.mlir --json"), 0);
  assert_string_equal(json("kernel"), "\"matmul_5x7x3\"");
  assert_string_equal(json("macs"), "105");
  assert_string_equal(json("equal"), "true");
  /* The machines, in order, each with all figures. */
  static const char *const keys[] = {"cycles",  "seconds",  "cpu_seconds",     "runs",
                                     "sim_khz", "idle_khz", "macs_per_second", "times"};
  static const char *const machines[] = {"{\"machine\": \"rtl\", \"arith\": \"full\", ",
                                         "{\"machine\": \"rtl\", \"arith\": \"fast\", ",
                                         "{\"machine\": \"model\", \"arith\": null, "};
  double cycles[2];
  const char *at = strstr(out, "\"machines\": [");
  assert_non_null(at);
  for (unsigned i = 0; i < 3; i++) {
    at = strstr(at, machines[i]);
    assert_non_null(at);
    for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++) {
      char key[64];
      snprintf(key, sizeof key, "\"%s\": ", keys[k]);
      const char *value = strstr(at, key);
      assert_non_null(value);
      value += strlen(key);
      /* The model has no clock. */
      const bool null = i == 2 && strstr("cycles sim_khz idle_khz", keys[k]) != NULL;
      if (null) {
        assert_int_equal(strncmp(value, "null", 4), 0);
      } else {
        assert_true(strtod(value, NULL) > 0);
        if (k == 0) cycles[i] = strtod(value, NULL);
      }
    }
  }
  assert_true(cycles[0] == cycles[1]);
  assert_int_equal(sh("$S bench $K/one_element.mlir $K/matmul_5x7x3.mlir"), 0);
  assert_non_null(strstr(out, "one_element: 0 multiply-adds"));
  assert_non_null(strstr(out, "matmul_5x7x3: 105 multiply-adds"));
  const char *row = strstr(strstr(out, "matmul_5x7x3"), "rtl full ");
  double f[7];
  assert_non_null(row);
  assert_int_equal(sscanf(row, "rtl full %lf %lf %lf %lf %lf %lf %lf", &f[0], &f[1], &f[2], &f[3],
                          &f[4], &f[5], &f[6]),
                   7);
  assert_true(f[0] == cycles[0] && f[2] > 0 && f[3] > 0 && f[4] > 0 && f[6] == 1);
  expect_err(3, "$S bench nowhere.mlir", "nowhere.mlir: No such file");
  expect_err(2, "$S bench $K/vector_add_dynamic.mlir", "scalar argument 'n' (index) has no value");
  assert_int_equal(sh("$S bench $K/one_element.mlir --arg n=4"), 2);
  assert_non_null(strstr(err, "no kernel has an argument 'n'"));
}

static void test_rtl_trace(void **state) {
  (void)state;
  expect_err(2, "$S run $K/vector_add.mlir --on rtl --trace t.txt",
             "ends in neither .fst nor .vcd");
  expect_err(2, "$S run $K/vector_add.mlir --on rtl --arith fast --trace t.fst",
             "trace with --arith full");
  expect_err(3, "$S run $K/vector_add.mlir --on rtl --trace /nowhere/t.fst", "cannot write");
  assert_int_equal(
      sh("$S run $K/vector_add.mlir --on rtl --trace t.fst --trace-window :9000 && test -s t.fst"),
      0);
  expect_err(0, "$S run $K/vector_add.mlir --on rtl --trace t.fst --trace-window 7000:7100",
             "t.fst has cycles 7000 to 7100");
  expect_err(0, "$S run $K/vector_add.mlir --on rtl --trace u.fst --trace-window 90000:",
             "u.fst has no cycles: the job took cycles ");
  assert_int_equal(sh("touch chip.gtkw"), 0);
  expect_wave("--print t.fst", "t.fst", "t.fst.chip.gtkw");
}

/* The commands run in a directory of their own. */
static const char *absolute(const char *path, char *buf, size_t size) {
  char cwd[4096];
  if (path[0] == '/' || getcwd(cwd, sizeof cwd) == NULL) return path;
  snprintf(buf, size, "%s/%s", cwd, path);
  return buf;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) return 2;
  const int with_rtl = argc == 4 && strcmp(argv[3], "rtl") == 0;
  static char command_path[8192], kernels_path[8192];
  steeple = absolute(argv[1], command_path, sizeof command_path);
  kernels = absolute(argv[2], kernels_path, sizeof kernels_path);
  strcpy(dir, "/tmp/steeple-cli-XXXXXX");
  if (mkdtemp(dir) == NULL) return 2;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_help),        cmocka_unit_test(test_usage),
      cmocka_unit_test(test_bad_input),   cmocka_unit_test(test_streams),
      cmocka_unit_test(test_check),       cmocka_unit_test(test_json),
      cmocka_unit_test(test_firmware),    cmocka_unit_test(test_check_results),
      cmocka_unit_test(test_binding),     cmocka_unit_test(test_compile),
      cmocka_unit_test(test_trap),        cmocka_unit_test(test_give_up),
      cmocka_unit_test(test_broken_jobs), cmocka_unit_test(test_report),
      cmocka_unit_test(test_wave),        cmocka_unit_test(test_wave_save),
      cmocka_unit_test(test_wavefilter),
  };
  const struct CMUnitTest rtl[] = {cmocka_unit_test(test_rtl), cmocka_unit_test(test_bench),
                                   cmocka_unit_test(test_rtl_trace)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (with_rtl) failed += cmocka_run_group_tests(rtl, NULL, NULL);
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", dir);
  return system(command) != 0 ? 2 : failed;
}
