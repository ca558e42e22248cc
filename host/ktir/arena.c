/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)64 * 1024)
#define ALIGN alignof(max_align_t)

struct stp_arena_chunk {
  stp_arena_chunk_t *older;
  size_t size;
  alignas(max_align_t) unsigned char data[];
};

static void out_of_memory(void) {
  fputs("steeple: out of memory\n", stderr);
  exit(EXIT_FAILURE);
}

void stp_arena_init(stp_arena_t *arena) {
  memset(arena, 0, sizeof *arena);
}

void stp_arena_free(stp_arena_t *arena) {
  stp_arena_chunk_t *chunk = arena->chunks;
  while (chunk != NULL) {
    stp_arena_chunk_t *older = chunk->older;
    free(chunk);
    chunk = older;
  }
  stp_arena_init(arena);
}

void *stp_arena_alloc(stp_arena_t *arena, size_t size) {
  if (size > SIZE_MAX / 2) {
    out_of_memory();
  }
  size = (size + ALIGN - 1) / ALIGN * ALIGN;
  if (size == 0) {
    size = ALIGN;
  }
  stp_arena_chunk_t *chunk = arena->chunks;
  if (chunk == NULL || chunk->size - arena->used < size) {
    size_t chunk_size = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    chunk = calloc(1, sizeof *chunk + chunk_size);
    if (chunk == NULL) {
      out_of_memory();
      return NULL;
    }
    chunk->size = chunk_size;
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
  }
  void *result = chunk->data + arena->used;
  arena->used += size;
  arena->total += size;
  return result;
}

void *stp_arena_array(stp_arena_t *arena, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 4 / size) {
    out_of_memory();
  }
  return stp_arena_alloc(arena, count * size);
}

void *stp_arena_copy(stp_arena_t *arena, const void *data, size_t size) {
  void *copy = stp_arena_alloc(arena, size);
  if (size > 0) {
    memcpy(copy, data, size);
  }
  return copy;
}

char *stp_arena_strndup(stp_arena_t *arena, const char *text, size_t len) {
  char *copy = stp_arena_alloc(arena, len + 1);
  if (len > 0) {
    memcpy(copy, text, len);
  }
  return copy;
}

char *stp_arena_vprintf(stp_arena_t *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args); // NOLINT(clang-analyzer-valist.Uninitialized)
  size_t size = len < 0 ? 1 : (size_t)len + 1;
  char *text = stp_arena_alloc(arena, size);
  vsnprintf(text, size, format, again);
  va_end(again);
  return text;
}

char *stp_arena_printf(stp_arena_t *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = stp_arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}

void *stp_vec_grow(stp_arena_t *arena, const void *data, int count, int *capacity, size_t size) {
  if (*capacity > 1 << 28) {
    out_of_memory();
  }
  *capacity = *capacity == 0 ? 4 : *capacity * 2;
  void *grown = stp_arena_array(arena, (size_t)*capacity, size);
  if (count > 0) {
    memcpy(grown, data, (size_t)count * size);
  }
  return grown;
}
