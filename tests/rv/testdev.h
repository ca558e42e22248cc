/*
 * The device on the bus of the processor's test programs, the same for the simulator and the RTL:
 *
 *   0x00 EXIT         write: the program ends with this code (0: all is right)
 *   0x04 CONSOLE      write: a character
 *   0x08 LINES        read, write: interrupt lines, bits as in mip
 *   0x0c DELAY_LINES  write: lines that rise ...
 *   0x10 DELAY        write: ... after this many ticks (cycles on RTL, steps on the simulator)
 *   0x14 SCRATCH      read, write: 32 bits, by bytes
 *   0x18 COUNT        read: how often it was read before
 *
 * Everything else refuses. Offsets are from STP_RV_MMIO_BASE.
 */
#ifndef STP_RV_TESTDEV_H
#define STP_RV_TESTDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rv_testdev {
  uint32_t lines;
  uint32_t delay_lines;
  uint32_t delay; /* 0: nothing is going to rise */
  uint32_t scratch;
  uint32_t count;
  bool exited;
  uint32_t exit_code;
} rv_testdev_t;

/* addr is aligned to size (1, 2, 4). False: refused. Usable as the callbacks of stp_rv_bus_t. */
bool rv_testdev_load(void *dev, uint32_t addr, unsigned size, uint32_t *value);
bool rv_testdev_store(void *dev, uint32_t addr, unsigned size, uint32_t value);

/* Time passes by one tick. */
void rv_testdev_tick(rv_testdev_t *dev);

/* Reads a memory image of at most size bytes. Returns its length, or -1 with a message on stderr.
 */
long rv_read_image(const char *path, uint8_t *image, size_t size);

#ifdef __cplusplus
}
#endif

#endif
