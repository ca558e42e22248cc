/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region allocator: everything that belongs to one module is allocated here and freed at once.
 * Memory is zeroed. Allocation failure ends the process with a message (there is no useful way on).
 */
#ifndef STP_KTIR_ARENA_H
#define STP_KTIR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct stp_arena_chunk stp_arena_chunk_t;

typedef struct stp_arena {
  stp_arena_chunk_t *chunks; /* newest first */
  size_t used;               /* bytes used of the newest chunk */
  size_t total;              /* bytes handed out, for limits */
} stp_arena_t;

/* An empty arena; `stp_arena_free` gives all memory back and leaves it empty again. */
void stp_arena_init(stp_arena_t *arena);
void stp_arena_free(stp_arena_t *arena);

/* `size` zeroed bytes aligned for any type; a valid pointer also for size 0. */
void *stp_arena_alloc(stp_arena_t *arena, size_t size);
/* `count` zeroed elements of `size` bytes. */
void *stp_arena_array(stp_arena_t *arena, size_t count, size_t size);
/* Copies of memory and of a string of `len` bytes (terminated with 0). */
void *stp_arena_copy(stp_arena_t *arena, const void *data, size_t size);
char *stp_arena_strndup(stp_arena_t *arena, const char *text, size_t len);
/* printf into the arena. */
char *stp_arena_vprintf(stp_arena_t *arena, const char *format, va_list args);
char *stp_arena_printf(stp_arena_t *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A growing array in an arena: STP_VEC(type) v = {0}; *stp_vec_push(arena, &v) = x; */
#define STP_VEC(type)                                                                              \
  struct {                                                                                         \
    type *data;                                                                                    \
    int count;                                                                                     \
    int capacity;                                                                                  \
  }
#define STP_VEC_PUSH(arena, vec, value)                                                            \
  do {                                                                                             \
    if ((vec)->count == (vec)->capacity) {                                                         \
      size_t stp_size_ =                                                                           \
          sizeof *(vec)->data; /* NOLINT(bugprone-sizeof-expression): of pointers */               \
      (vec)->data = stp_vec_grow((arena), (vec)->data, (vec)->count, &(vec)->capacity, stp_size_); \
    }                                                                                              \
    (vec)->data[(vec)->count++] = (value);                                                         \
  } while (0)
void *stp_vec_grow(stp_arena_t *arena, const void *data, int count, int *capacity, size_t size);

#endif
