/*
 * The instruction-set simulator against QEMU, an implementation of RV32IM that is not ours.
 *
 *   rv_qemu QEMU image.bin...
 *
 * QEMU's machine "none" has a processor and memory at address 0, as ours, and no device at all. So
 * the programs must be free of interrupts and must not use the test device before they end. Before
 * every instruction, the program counter, all registers and the registers of traps must be equal.
 * What the RTL does is compared with the simulator by rv_lockstep.
 *
 * Exit: 0 equal, 1 a difference, 2 a program or QEMU cannot be run.
 */
#include "rv.h"
#include "testdev.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define TCM_BYTES 65536u
#define MAX_STEPS 1000000u

/* Registers that QEMU prints by name in each record, before the general ones. */
static const struct {
  const char *name;
  size_t offset;
} csrs[] = {
    {"mepc", offsetof(stp_rv_t, mepc)},         {"mcause", offsetof(stp_rv_t, mcause)},
    {"mtval", offsetof(stp_rv_t, mtval)},       {"mtvec", offsetof(stp_rv_t, mtvec)},
    {"mscratch", offsetof(stp_rv_t, mscratch)},
};
enum { CSRS = sizeof csrs / sizeof *csrs };

typedef struct record {
  uint32_t pc, csr[CSRS], x[32];
} record_t;

/* The next record of QEMU's log; false at its end. A record ends with x31. */
static bool read_record(FILE *log, record_t *r) {
  char line[256];
  while (fgets(line, sizeof line, log)) {
    char *p = line, name[16];
    unsigned value;
    int used;
    while (sscanf(p, " %15s %x%n", name, &value, &used) == 2) {
      p += used;
      if (strcmp(name, "pc") == 0) r->pc = value;
      for (int i = 0; i < CSRS; i++) {
        if (strcmp(name, csrs[i].name) == 0) r->csr[i] = value;
      }
      char *end;
      unsigned long n = name[0] == 'x' ? strtoul(name + 1, &end, 10) : 32;
      if (n >= 32 || *end != '/') continue;
      r->x[n] = value;
      if (n == 31) return true;
    }
  }
  return false;
}

static bool differs(const char *path, uint32_t step, uint32_t pc, const char *what, uint32_t ours,
                    uint32_t theirs) {
  if (ours == theirs) return false;
  printf("%s: before instruction %u, pc 0x%04x: %s is 0x%08x, in QEMU 0x%08x\n", path,
         (unsigned)step, (unsigned)pc, what, (unsigned)ours, (unsigned)theirs);
  return true;
}

static bool equal(const char *path, uint32_t step, const stp_rv_t *rv, const record_t *r) {
  bool differ = differs(path, step, rv->pc, "pc", rv->pc, r->pc);
  for (int i = 0; i < CSRS; i++) {
    uint32_t ours;
    memcpy(&ours, (const char *)rv + csrs[i].offset, sizeof ours);
    differ |= differs(path, step, rv->pc, csrs[i].name, ours, r->csr[i]);
  }
  for (unsigned i = 1; i < 32; i++) {
    char name[16];
    snprintf(name, sizeof name, "x%u", i);
    differ |= differs(path, step, rv->pc, name, rv->x[i], r->x[i]);
  }
  return !differ;
}

/* QEMU with its log on *log. It never ends by itself: stop() kills it. */
static pid_t start(const char *qemu, const char *path, FILE **log) {
  char loader[4096];
  int fds[2];
  snprintf(loader, sizeof loader, "loader,file=%s,addr=0,force-raw=on,cpu-num=0", path);
  if (pipe(fds) != 0) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(fds[1], 1) < 0) _exit(127);
    close(fds[0]);
    close(fds[1]);
    execlp(qemu, qemu, "-M", "none", "-cpu",
           "rv32,c=false,a=false,f=false,d=false,s=false,u=false,h=false,zba=false,zbb=false,zbc="
           "false,zbs=false",
           "-m", "64K", "-nographic", "-monitor", "none", "-serial", "none", "-singlestep", "-d",
           "nochain,cpu", "-D", "/dev/stdout", "-device", loader, (char *)NULL);
    _exit(127);
  }
  close(fds[1]);
  *log = pid < 0 ? NULL : fdopen(fds[0], "r");
  if (*log == NULL) close(fds[0]);
  return pid;
}

static void stop(pid_t pid, FILE *log) {
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  if (log != NULL) fclose(log);
}

static int run(const char *qemu, const char *path) {
  static uint8_t tcm[TCM_BYTES];
  memset(tcm, 0, sizeof tcm);
  if (rv_read_image(path, tcm, TCM_BYTES) < 0) return 2;
  rv_testdev_t dev = {0};
  stp_rv_bus_t bus = {&dev, rv_testdev_load, rv_testdev_store};
  stp_rv_t rv;
  stp_rv_init(&rv, tcm, TCM_BYTES, &bus);
  FILE *log = NULL;
  pid_t pid = start(qemu, path, &log);
  int status = log != NULL ? 0 : 2;
  uint32_t step = 0;
  for (; status == 0 && !dev.exited && step < MAX_STEPS; step++) {
    record_t r = {0};
    if (!read_record(log, &r)) {
      printf("%s: QEMU ends before instruction %u\n", path, (unsigned)step);
      status = 2;
    } else if (!equal(path, step, &rv, &r)) {
      status = 1;
    } else {
      stp_rv_step(&rv, NULL);
    }
  }
  stop(pid, log);
  if (status == 0 && (!dev.exited || dev.exit_code != 0)) {
    printf("%s: %s\n", path, dev.exited ? "a check failed" : "does not end");
    status = 1;
  }
  if (status == 0) printf("%s: %u instructions as in QEMU\n", path, (unsigned)step);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: rv_qemu QEMU image.bin...\n");
    return 2;
  }
  int worst = 0;
  for (int i = 2; i < argc; i++) {
    int status = run(argv[1], argv[i]);
    if (status > worst) worst = status;
  }
  return worst;
}
