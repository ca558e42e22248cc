/* Test values: every kind of special value, and random ones drawn where rounding is hard. */
#ifndef STP_TEST_VALUES_H
#define STP_TEST_VALUES_H

#include "numerics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rng {
  uint64_t s;
};

/* 64 random bits (splitmix64). */
uint64_t rng_next(struct rng *r);

/* Special and boundary values of a format (zeros, subnormals, ends of ranges, powers of two and
 * neighbours, infinities, NaNs of several kinds; for i32 its own). Gives how many; at most 64 go to
 * out. */
unsigned special_values(unsigned fmt, uint32_t out[64]);

/* A random value: uniform bits, specials, subnormals, and exponents in a narrow band, mixed. */
uint32_t random_value(struct rng *r, unsigned fmt);

/* Three operands that belong together: often near each other, near cancellation, or with an exact
 * product that ties. */
void random_operands(struct rng *r, unsigned fmt, uint32_t v[3]);

#ifdef __cplusplus
}
#endif

#endif
