/* One interface to every machine that can run Steeple's firmware and jobs.
 *
 * A machine is a chip with its device memory: the C model ("model") or the verilated RTL ("rtl").
 * Both take the same firmware image, the same register accesses (docs/reference/registers.md) and
 * the same job bytes.
 *
 *   struct stp_machine_options o = {.config = "c1"};
 *   struct stp_machine *m;
 *   if (stp_model_open(&o, &m, err, sizeof err) != 0) ...
 *   m->ops->reg_read(m, STP_HOST_ID, &id);
 *   m->ops->close(m);
 *
 * A machine is used by one thread at a time and shares nothing with other machines.
 */
#ifndef STEEPLE_MACHINE_H
#define STEEPLE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct stp_machine;

/* A stick, or part of one, that leaves a unit: see stp_tap_fn. */
struct stp_tap {
  unsigned core;
  unsigned unit;       /* STP_UNIT_... */
  int pc;              /* of the payload instruction; -1 where the machine does not tell (rtl) */
  uint64_t addr;       /* MNI_LU, LX_SU: LX byte address of the stick; MNI_SU: device address of it;
                          LX_LU: 0 = to PT, 1 = to SFU; PT, SFU: 0 */
  const uint8_t *data; /* 128 bytes, valid during the call */
  const uint8_t *strb; /* 16 bytes, a bit per data byte, least significant first; others of data are
                          not defined */
  uint64_t cycle;      /* since reset; 0 where the machine has no cycles (model) */
};

/* Called for every stick that leaves a unit, in order per unit. A non-zero return stops the
 * machine's run(). */
typedef int (*stp_tap_fn)(void *user, const struct stp_tap *tap);

/* Called for each byte that firmware writes to the console. */
typedef void (*stp_console_fn)(void *user, uint8_t byte);

/* An instruction that the management processor has retired, or a trap that it has taken. */
struct stp_retired {
  uint64_t cycle; /* since reset; model: step */
  uint32_t pc, insn;
  unsigned rd; /* register that was written; 0: none */
  uint32_t rd_value;
  int load, store;      /* it accessed memory or a register of a device ... */
  uint32_t addr, value; /* ... here, and this is what it loaded or stored */
  int trap;             /* it was not executed: mcause + 1, else 0 */
};

/* Called for each of them. */
typedef void (*stp_retired_fn)(void *user, const struct stp_retired *r);

struct stp_machine_options {
  const char *config;     /* "c1" */
  stp_console_fn console; /* may be NULL: discarded */
  void *console_user;
  stp_retired_fn retired; /* may be NULL */
  void *retired_user;
  const void *firmware; /* image for stp_device_open to load; NULL: the built-in one */
  size_t firmware_bytes;
  /* rtl only; zero means the default. */
  uint32_t dram_latency; /* cycles from request to data; 0 = 100 */
  uint64_t random_seed;  /* non-zero: randomise DRAM ready, latency and order, and FIFO stalls */
  uint64_t init_seed;    /* seed of the random initial state of registers and memories */
  int compare_processor; /* compare the management processor with its simulator at every retired
                            instruction */
  int fast_arithmetic;   /* the rows of PT and SFU call the C numerics library: the same bits in the
                            same cycles, several times faster; not with trace */
  int trace;             /* the machine shall be able to trace (slower): see trace_on */
};

/* What a machine counted since it was opened; fields that do not apply are 0. */
struct stp_machine_stats {
  uint64_t cycles;           /* rtl: clock cycles since reset; model: 0 */
  uint64_t dram_read_bytes;  /* whole beats of 128 bytes on the memory port */
  uint64_t dram_write_bytes; /* bytes with strobe */
  uint64_t retired;          /* instructions of the management processor */
  uint64_t retired_compared; /* of them, compared with the simulator */
};

/* All functions return 0, or -1 with a message that stp_machine.error holds until the next call. */
struct stp_machine_ops {
  void (*close)(struct stp_machine *m);
  /* Device memory, as the host's own path sees it (no cycles pass). Any address and length within
   * 40 bits. */
  int (*mem_read)(struct stp_machine *m, uint64_t addr, void *buf, size_t n);
  int (*mem_write)(struct stp_machine *m, uint64_t addr, const void *buf, size_t n);
  /* From now on the chip's own accesses to the sticks of [addr, addr + bytes) are answered with a
   * bus error; bytes = 0: none are. The host's are not touched. */
  int (*set_bus_error)(struct stp_machine *m, uint64_t addr, uint64_t bytes);
  /* Host registers and firmware memory over AXI4-Lite; offset is a multiple of 4. -1 on SLVERR. */
  int (*reg_read)(struct stp_machine *m, uint32_t offset, uint32_t *value);
  int (*reg_write)(struct stp_machine *m, uint32_t offset, uint32_t value);
  /* Runs until the interrupt line is high, a tap asks to stop, or limit cycles (model: steps) have
   * passed. *ran gets the cycles or steps. An assertion or a processor mismatch is -1. */
  int (*run)(struct stp_machine *m, uint64_t limit, uint64_t *ran);
  /* The level of the interrupt line: 0 or 1. */
  int (*irq)(struct stp_machine *m);
  /* Hardware reset; device memory keeps its contents. */
  int (*reset)(struct stp_machine *m);
  /* Sticks that leave units are reported to fn until it is set to NULL. */
  int (*set_tap)(struct stp_machine *m, stp_tap_fn fn, void *user);
  /* Trace to a file whose name ends in .vcd or .fst, cycles first..last (0, UINT64_MAX: all). -1
   * where not possible. */
  int (*trace_on)(struct stp_machine *m, const char *path, uint64_t first, uint64_t last);
  int (*trace_off)(struct stp_machine *m);
  void (*stats)(struct stp_machine *m, struct stp_machine_stats *out);
};

struct stp_machine {
  const struct stp_machine_ops *ops;
  const char *name; /* "model" or "rtl" */
  char error[512];  /* the last error */
};

/* Opens the C model. Returns 0, or -1 with a message in err. */
int stp_model_open(const struct stp_machine_options *o, struct stp_machine **out, char *err,
                   size_t err_size);
/* Opens the verilated RTL. Returns 0, or -1 with a message in err. */
int stp_rtl_open(const struct stp_machine_options *o, struct stp_machine **out, char *err,
                 size_t err_size);

#ifdef __cplusplus
}
#endif

#endif
