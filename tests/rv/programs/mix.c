/* Compiled code: sorting, hashing, 64-bit arithmetic, recursion, byte and half-word data. Each part
 * checks its own result. */
#include <stddef.h>
#include <stdint.h>

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void sort(int16_t *v, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; i++) {
      int16_t x = v[i];
      int j = i;
      for (; j >= gap && v[j - gap] > x; j -= gap) v[j] = v[j - gap];
      v[j] = x;
    }
}

static int test_sort(void) {
  static int16_t v[200];
  uint32_t state = 1, sum = 0, sorted_sum = 0;
  for (int i = 0; i < 200; i++) {
    v[i] = (int16_t)next_random(&state);
    sum += (uint32_t)v[i];
  }
  sort(v, 200);
  for (int i = 0; i < 200; i++) {
    sorted_sum += (uint32_t)v[i];
    if (i > 0 && v[i - 1] > v[i]) return 1;
  }
  return sum != sorted_sum;
}

static uint32_t crc32(const uint8_t *p, size_t n) {
  uint32_t c = 0xffffffffu;
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1));
  }
  return ~c;
}

static int test_crc(void) {
  static const char text[] = "123456789";
  return crc32((const uint8_t *)text, 9) != 0xcbf43926u;
}

static int test_wide(void) {
  volatile uint64_t a = UINT64_C(0x123456789abcdef0), b = UINT64_C(0xfedcba987);
  volatile int64_t c = -INT64_C(1234567890123), d = 1000;
  if (a / b != 0x1249249) return 1;
  if (a % b != a - a / b * b) return 1;
  if (c / d != -1234567890) return 1;
  if (c % d != -123) return 1;
  return a * b != UINT64_C(0x70a3d5f941160090);
}

static int test_primes(void) {
  static uint8_t composite[1000];
  int count = 0;
  for (unsigned i = 2; i < 1000; i++) {
    if (composite[i]) continue;
    count++;
    for (unsigned j = i * i; j < 1000; j += i) composite[j] = 1;
  }
  return count != 168;
}

static uint32_t ackermann(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static int test_decimal(void) {
  char text[12];
  uint32_t v = 4294967295u;
  int n = 0;
  do text[n++] = (char)('0' + v % 10);
  while (v /= 10);
  for (int i = 0; i < n; i++)
    if (text[n - 1 - i] != "4294967295"[i]) return 1;
  return n != 10;
}

int main(void) {
  if (test_sort()) return 1;
  if (test_crc()) return 2;
  if (test_wide()) return 3;
  if (test_primes()) return 4;
  if (ackermann(2, 3) != 9) return 5;
  if (test_decimal()) return 6;
  return 0;
}
