#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES ((size_t)1 << STP_MEM_PAGE_BITS)
#define ENTRIES ((size_t)1 << STP_MEM_TABLE_BITS)

void stp_mem_free(stp_mem_t *m) {
  for (size_t t = 0; t < ENTRIES; t++) {
    if (m->table[t] == NULL) continue;
    for (size_t p = 0; p < ENTRIES; p++) free(m->table[t][p]);
    free(m->table[t]);
    m->table[t] = NULL;
  }
}

static int outside(uint64_t addr, size_t n) {
  const uint64_t space = (uint64_t)1 << STP_ADDR_BITS;
  return addr > space || space - addr < n;
}

static size_t table_of(uint64_t addr) {
  return (size_t)(addr >> (STP_MEM_PAGE_BITS + STP_MEM_TABLE_BITS));
}
static size_t page_of(uint64_t addr) {
  return (size_t)(addr >> STP_MEM_PAGE_BITS) & (ENTRIES - 1);
}
static size_t offset_of(uint64_t addr) {
  return (size_t)addr & (PAGE_BYTES - 1);
}

int stp_mem_read(const stp_mem_t *m, uint64_t addr, void *buf, size_t n) {
  if (outside(addr, n)) return -1;
  uint8_t *to = buf;
  while (n != 0) {
    const size_t offset = offset_of(addr), room = PAGE_BYTES - offset, k = n < room ? n : room;
    uint8_t *const *table = m->table[table_of(addr)];
    const uint8_t *page = table == NULL ? NULL : table[page_of(addr)];
    if (page != NULL)
      memcpy(to, page + offset, k);
    else
      memset(to, STP_MEM_POISON, k);
    to += k;
    addr += k;
    n -= k;
  }
  return 0;
}

static uint8_t *page_for_write(stp_mem_t *m, uint64_t addr) {
  uint8_t ***table = &m->table[table_of(addr)];
  if (*table == NULL) *table = calloc(ENTRIES, sizeof **table);
  if (*table == NULL) return NULL;
  uint8_t **page = &(*table)[page_of(addr)];
  if (*page == NULL) {
    *page = malloc(PAGE_BYTES);
    if (*page != NULL) memset(*page, STP_MEM_POISON, PAGE_BYTES);
  }
  return *page;
}

int stp_mem_write(stp_mem_t *m, uint64_t addr, const void *buf, size_t n) {
  if (outside(addr, n)) return -1;
  const uint8_t *from = buf;
  while (n != 0) {
    const size_t offset = offset_of(addr), room = PAGE_BYTES - offset, k = n < room ? n : room;
    uint8_t *page = page_for_write(m, addr);
    if (page == NULL) return -1;
    memcpy(page + offset, from, k);
    from += k;
    addr += k;
    n -= k;
  }
  return 0;
}
