/* The units of one core: ten sequencers and their engines, the FIFOs and tokens between them, and
 * LX.
 *
 * It is the reference that the RTL equals in every stick that leaves a unit, in their order per
 * unit, and in the final state. Time does not exist here: a unit runs until it must wait for a FIFO
 * or a token.
 *
 *   stp_core_t *c = stp_core_create(0, 1, &io);
 *   stp_core_clear(c);
 *   stp_core_load_program(c, 1u << STP_UNIT_MNI_LU, 0, words);     four instructions a row
 *   stp_core_start(c, mask);
 *   while (stp_core_run(c, 1000000) != 0) continue;
 *   stp_core_get_state(c, &state);
 *
 * What a core does when several things are wrong with one instruction, and other fine print of
 * arch/isa.toml, stands in cmodel/units/README.md.
 *
 * A core has no state outside stp_core_t; different cores may be used by different threads.
 */
#ifndef STP_CORE_H
#define STP_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "steeple/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stp_core stp_core_t;

/* Device memory. Both functions move n bytes (at least 1, inside the 40-bit space) and return 0, or
 * -1, with nothing moved, for an error response, which traps the unit with cause BUS. */
typedef struct stp_core_io {
  void *user;
  int (*read)(void *user, uint64_t addr, void *buf, size_t n);
  int (*write)(void *user, uint64_t addr, const void *buf, size_t n);
} stp_core_io_t;

typedef struct stp_core_state {
  uint32_t running; /* mask of units that run */
  uint32_t trapped; /* mask of units that trapped */
  uint32_t blocked; /* mask of units that run and, when last tried, could not move */
  bool stopped;     /* something was started, and no unit runs or none can move */
  bool deadlock;    /* stopped with running units and no trap */
  bool leftover_fifo;
  bool leftover_token;
} stp_core_state_t;

/* Makes a core with number core of cores. LX starts as bytes 0xA5, registers as zero. NULL when out
 * of memory. */
stp_core_t *stp_core_create(unsigned core, unsigned cores, const stp_core_io_t *io);
void stp_core_destroy(stp_core_t *c);

/* fn (NULL: none) is called for each stick that leaves a unit. When it returns non-zero, the
 * current stp_core_run ends early: after the sticks of the same row of an MNI transfer. */
void stp_core_set_tap(stp_core_t *c, stp_tap_fn fn, void *user);
/* True when the last stp_core_run was ended by the tap. */
bool stp_core_tap_stopped(const stp_core_t *c);

/* Write four instructions, or four arguments, of each unit in the mask. -1 if the row does not
 * exist. */
int stp_core_load_program(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]);
int stp_core_load_args(stp_core_t *c, uint32_t units, unsigned row, const uint64_t words[4]);

/* Clears what a job must not inherit: sequencer and engine control, scalar registers, descriptors,
 * FIFOs, tokens, counters, traps. Programs, arguments and data (LX, SFU registers, weights,
 * accumulators) stay. */
void stp_core_clear(stp_core_t *c);
/* Starts the units of a mask at pc 0. Units that run or trapped are left alone, and after
 * stp_core_halt all of them are until the next clear. */
void stp_core_start(stp_core_t *c, uint32_t units);
/* Stops every unit, as the watchdog does. */
void stp_core_halt(stp_core_t *c);

/* Runs about budget instructions and sticks. Returns how many there were; 0: nothing can move. */
uint64_t stp_core_run(stp_core_t *c, uint64_t budget);

void stp_core_get_state(const stp_core_t *c, stp_core_state_t *out);
/* The status stick of a unit (counters as arch/job.toml numbers them; those of cycles are zero). */
void stp_core_status(const stp_core_t *c, unsigned unit, uint8_t stick[128]);

/* LX, STP_LX_BYTES bytes, owned by the core: for tests and tools. */
uint8_t *stp_core_lx(stp_core_t *c);

#ifdef __cplusplus
}
#endif

#endif
