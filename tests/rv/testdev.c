#include "testdev.h"
#include "rv.h"

#include <stdio.h>

enum {
  REG_EXIT = 0x00,
  REG_CONSOLE = 0x04,
  REG_LINES = 0x08,
  REG_DELAY_LINES = 0x0c,
  REG_DELAY = 0x10,
  REG_SCRATCH = 0x14,
  REG_COUNT = 0x18,
};

bool rv_testdev_load(void *ctx, uint32_t addr, unsigned size, uint32_t *value) {
  rv_testdev_t *dev = ctx;
  uint32_t word;

  (void)size;
  switch ((addr - STP_RV_MMIO_BASE) & ~3u) {
  case REG_LINES:
    word = dev->lines;
    break;
  case REG_SCRATCH:
    word = dev->scratch;
    break;
  case REG_COUNT:
    word = dev->count++;
    break;
  default:
    return false;
  }
  *value = word >> (8 * (addr & 3));
  return true;
}

bool rv_testdev_store(void *ctx, uint32_t addr, unsigned size, uint32_t value) {
  rv_testdev_t *dev = ctx;
  unsigned shift = 8 * (addr & 3);
  uint32_t mask = size == 4 ? 0xffffffffu : ((1u << (8 * size)) - 1) << shift;

  value = value << shift & mask;
  switch ((addr - STP_RV_MMIO_BASE) & ~3u) {
  case REG_EXIT:
    dev->exited = true;
    dev->exit_code = value;
    return true;
  case REG_CONSOLE:
    putchar((int)(value & 0xff));
    return true;
  case REG_LINES:
    dev->lines = value;
    return true;
  case REG_DELAY_LINES:
    dev->delay_lines = value;
    return true;
  case REG_DELAY:
    dev->delay = value;
    return true;
  case REG_SCRATCH:
    dev->scratch = (dev->scratch & ~mask) | value;
    return true;
  default:
    return false;
  }
}

void rv_testdev_tick(rv_testdev_t *dev) {
  if (dev->delay > 0 && --dev->delay == 0) dev->lines |= dev->delay_lines;
}

long rv_read_image(const char *path, uint8_t *image, size_t size) {
  FILE *f = fopen(path, "rb");
  size_t n;
  bool too_long;

  if (!f) {
    perror(path);
    return -1;
  }
  n = fread(image, 1, size, f);
  too_long = fgetc(f) != EOF;
  fclose(f);
  if (n == 0 || too_long) {
    fprintf(stderr, "%s: %s\n", path, too_long ? "longer than the memory" : "empty");
    return -1;
  }
  return (long)n;
}
