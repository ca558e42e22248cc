/* Device memory: 40-bit byte addresses, kept in pages that come into being when they are written.
 * What was never written reads as bytes 0xA5. */
#ifndef STP_MEM_H
#define STP_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "stp_arch.h"

#define STP_MEM_POISON 0xa5
#define STP_MEM_PAGE_BITS 16
#define STP_MEM_TABLE_BITS 12 /* two levels of tables: 12 + 12 + 16 = 40 */

typedef struct stp_mem {
  uint8_t **table[1 << STP_MEM_TABLE_BITS];
} stp_mem_t;

void stp_mem_free(stp_mem_t *m);
/* Both: 0, or -1 where the bytes are not all inside the address space, or (write) no memory is
 * left; then a part may have been written. */
int stp_mem_read(const stp_mem_t *m, uint64_t addr, void *buf, size_t n);
int stp_mem_write(stp_mem_t *m, uint64_t addr, const void *buf, size_t n);

#endif
