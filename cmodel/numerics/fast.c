/* The fast implementation, on the host's float arithmetic (IEEE binary32 and binary64, nearest
 * even, subnormals on).
 *
 * This file is compiled once without extensions and, on x86-64, once for AVX2 with FMA and F16C;
 * STP_NUM_TABLE and STP_NUM_NAME tell the two apart. Rows are worked in blocks of 64 lanes: widen
 * to float, compute, narrow, in loops that the compiler turns into vector instructions.
 *
 * A 16-bit result must be rounded once. For add, sub, mul, div and sqrt of 16-bit operands,
 * rounding to binary32 first changes nothing (24 >= 2p + 2 bits; and below bf16's normal range
 * binary32 still has 16 bits more). An FMA has no such guarantee: it is rounded to odd on the way,
 * which later roundings can't tell from the exact value.
 */
#include "formats.h"

#include <math.h>
#include <string.h>

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#include <immintrin.h>
#define HAVE_AVX2 1
#endif

#define BLOCK STP_NUM_BLOCK

static inline float as_float(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}

static inline uint32_t as_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

static inline uint32_t canonical(float f) {
  return f != f ? STP_NAN_F32 : as_bits(f);
}

/* f16 as float: the exponent is moved by a multiplication, which also normalises subnormals. */
static inline float widen_f16(uint32_t h) {
  const float magnitude = as_float((h & 0x7fffu) << 13) * 0x1p112f;
  const uint32_t top = (h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0;
  return as_float(as_bits(magnitude) | top | (h & 0x8000u) << 16);
}

static inline float widen_bf16(uint32_t h) {
  return as_float(h << 16);
}

static inline uint16_t narrow_f16(float f) {
  const uint32_t u = as_bits(f), x = u & 0x7fffffffu;
  uint32_t r = (x + 0xfffu + (x >> 13 & 1) - 0x38000000u) >> 13;
  /* Below the normal range: adding 0.5 puts the last place of f16 at the last place of binary32. */
  if (x < 0x38800000u) r = as_bits(as_float(x) + 0.5f) - 0x3f000000u;
  if (x >= 0x477ff000u) r = 0x7c00u;
  r |= u >> 16 & 0x8000u;
  return (uint16_t)(f != f ? STP_NAN_F16 : r);
}

static inline uint16_t narrow_bf16(float f) {
  const uint32_t u = as_bits(f);
  return (uint16_t)(f != f ? STP_NAN_BF16 : (u + 0x7fffu + (u >> 16 & 1)) >> 16);
}

/* a * b + c, rounded to odd: the nearest float toward zero, its last bit set if anything was lost.
 */
static inline float fma_odd(float a, float b, float c) {
  const double p = (double)a * (double)b; /* exact */
  const double d = (double)c;
  double s = p + d;
  const double bb = s - p;
  const double err = (p - (s - bb)) + (d - bb); /* s + err is exact */
  int64_t sb;
  memcpy(&sb, &s, 8);
  uint64_t eb;
  memcpy(&eb, &err, 8);
  /* An even last place: step toward the exact value. (Infinite s: err is NaN or 0, and s must
   * stay.) */
  const bool away = (((uint64_t)sb ^ eb) >> 63) == 0;
  const bool step = err != 0 && err == err && !(sb & 1);
  sb += step ? (away ? 1 : -1) : 0;
  memcpy(&s, &sb, 8);
  const float f = (float)s;
  uint32_t u = as_bits(f);
  const double back = (double)f;
  const bool inexact = back != s && s == s && (u & 0x7fffffffu) != 0x7f800000u;
  const bool outward = fabs(s) > fabs(back);
  u += inexact && !(u & 1) ? (outward ? 1u : ~0u)
                           : 0; /* never inward from 0: nothing is nearer to zero */
  return as_float(u);
}

/* The same for f16 values, whose product binary32 holds: its sum with c needs no wider format. */
static inline float fma_odd_f16(float a, float b, float c) {
  const float p = a * b;
  const float s = p + c;
  const float bb = s - p;
  const float err = (p - (s - bb)) + (c - bb);
  const bool step = err != 0 && err == err && !(as_bits(s) & 1);
  const bool away = (as_bits(s) ^ as_bits(err)) >> 31 == 0;
  return as_float(as_bits(s) + (step ? (away ? 1u : ~0u) : 0));
}

static void widen_row(unsigned fmt, unsigned n, const void *in, float *out) {
  if (!in) {
    memset(out, 0, n * sizeof *out);
    return;
  }
  const stp_lane16_t *h = in;
  unsigned i = 0;
  switch (fmt) {
  case STP_FMT_F16:
#ifdef HAVE_AVX2
    for (; i + 8 <= n; i += 8)
      _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(h + i))));
#endif
    for (; i < n; i++) out[i] = widen_f16(h[i]);
    break;
  case STP_FMT_BF16:
    for (; i < n; i++) out[i] = widen_bf16(h[i]);
    break;
  default:
    memcpy(out, in, n * sizeof *out);
    break;
  }
}

static void narrow_row(unsigned fmt, unsigned n, const float *in, void *out) {
  stp_lane16_t *h = out;
  stp_lane32_t *w = out;
  unsigned i = 0;
  switch (fmt) {
  case STP_FMT_F16:
#ifdef HAVE_AVX2
    for (; i + 8 <= n; i += 8) {
      const __m256 v = _mm256_loadu_ps(in + i);
      const __m256 nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
      const __m256 one =
          _mm256_blendv_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32((int)STP_NAN_F32)), nan);
      _mm_storeu_si128((void *)(h + i), _mm256_cvtps_ph(one, _MM_FROUND_TO_NEAREST_INT));
    }
#endif
    for (; i < n; i++) h[i] = narrow_f16(in[i]);
    break;
  case STP_FMT_BF16:
    for (; i < n; i++) h[i] = narrow_bf16(in[i]);
    break;
  default:
    for (; i < n; i++) w[i] = canonical(in[i]);
    break;
  }
}

static inline uint32_t to_i32(float f) {
  const int32_t i = f >= 0x1p31f ? INT32_MAX : f >= -0x1p31f ? (int32_t)f : f < 0 ? INT32_MIN : 0;
  return (uint32_t)i;
}

/* i32 to 16 bits with one rounding: binary64 holds it, and rounding to odd takes it to binary32. */
static inline float from_i32_odd(int32_t i) {
  return fma_odd((float)(i >> 16), 65536.0f, (float)(i & 0xffff));
}

/* Minimum with -0 < +0: for numbers, a signed comparison of bits with the magnitude bits of
 * negatives inverted. */
static inline int32_t ordered(float f) {
  const int32_t i = (int32_t)as_bits(f);
  return i < 0 ? i ^ 0x7fffffff : i;
}
static inline float minimum(float a, float b) {
  const float r = ordered(a) < ordered(b) ? a : b;
  return a != a ? a : b != b ? b : r;
}
static inline float maximum(float a, float b) {
  const float r = ordered(a) > ordered(b) ? a : b;
  return a != a ? a : b != b ? b : r;
}

/* Up to BLOCK lanes of an operation on floats; false if op is not one. */
static bool float_block(unsigned op, unsigned fmt, unsigned n, const float *a, const float *b,
                        const float *c, float *r) {
  unsigned i;
  switch (op) {
  case STP_OP_VADD:
    for (i = 0; i < n; i++) r[i] = a[i] + b[i];
    break;
  case STP_OP_VSUB:
    for (i = 0; i < n; i++) r[i] = a[i] - b[i];
    break;
  case STP_OP_VMUL:
    for (i = 0; i < n; i++) r[i] = a[i] * b[i];
    break;
  case STP_OP_VDIV:
    for (i = 0; i < n; i++) r[i] = a[i] / b[i];
    break;
  case STP_OP_VSQRT:
    for (i = 0; i < n; i++) r[i] = sqrtf(a[i]);
    break;
  case STP_OP_VFMA:
    if (fmt == STP_FMT_F16)
      for (i = 0; i < n; i++) r[i] = fma_odd_f16(a[i], b[i], c[i]);
    else if (fmt == STP_FMT_BF16)
      for (i = 0; i < n; i++) r[i] = fma_odd(a[i], b[i], c[i]);
    else
      for (i = 0; i < n; i++) r[i] = fmaf(a[i], b[i], c[i]);
    break;
  case STP_OP_VMIN:
    for (i = 0; i < n; i++) r[i] = minimum(a[i], b[i]);
    break;
  case STP_OP_VMAX:
    for (i = 0; i < n; i++) r[i] = maximum(a[i], b[i]);
    break;
  case STP_OP_VMINNUM:
    for (i = 0; i < n; i++) r[i] = a[i] != a[i] ? b[i] : b[i] != b[i] ? a[i] : minimum(a[i], b[i]);
    break;
  case STP_OP_VMAXNUM:
    for (i = 0; i < n; i++) r[i] = a[i] != a[i] ? b[i] : b[i] != b[i] ? a[i] : maximum(a[i], b[i]);
    break;
  default:
    return false;
  }
  return true;
}

/* A predicate's set of outcomes as masks: branches would cost more than all four comparisons. */
static void compare_block(unsigned fn, unsigned fmt, unsigned n, const void *a, const void *b,
                          void *out) {
  const unsigned set = stp_predicate_set(fn), bytes = stp_fmt_bytes(fmt);
  const uint32_t equal = set & 1 ? ~0u : 0, greater = set & 2 ? ~0u : 0, less = set & 4 ? ~0u : 0,
                 unordered = set & 8 ? ~0u : 0;
  uint32_t r[BLOCK];
  if (fmt == STP_FMT_I32) {
    const uint32_t flip = stp_predicate_unsigned(fn) ? 0x80000000u : 0;
    for (unsigned i = 0; i < n; i++) {
      const int32_t x = (int32_t)(stp_load(a, 4, i) ^ flip),
                    y = (int32_t)(stp_load(b, 4, i) ^ flip);
      r[i] = (x == y ? equal : 0) | (x > y ? greater : 0) | (x < y ? less : 0);
    }
  } else {
    float fa[BLOCK], fb[BLOCK];
    widen_row(fmt, n, a, fa);
    widen_row(fmt, n, b, fb);
    for (unsigned i = 0; i < n; i++) {
      const float x = fa[i], y = fb[i];
      r[i] = (x == y ? equal : 0) | (x > y ? greater : 0) | (x < y ? less : 0) |
             (x != x || y != y ? unordered : 0);
    }
  }
  if (bytes == 4)
    memcpy(out, r, n * sizeof *r);
  else
    for (unsigned i = 0; i < n; i++) ((stp_lane16_t *)out)[i] = (uint16_t)r[i];
}

static void convert_block(unsigned fmt, unsigned sfmt, unsigned n, const void *a, void *out) {
  const stp_lane32_t *w = a;
  stp_lane32_t *o = out;
  float f[BLOCK];
  if (sfmt == STP_FMT_I32 && fmt == STP_FMT_I32) {
    memmove(out, a, n * sizeof *o);
  } else if (sfmt == STP_FMT_I32) {
    if (stp_fmt_bytes(fmt) == 2)
      for (unsigned i = 0; i < n; i++) f[i] = from_i32_odd((int32_t)w[i]);
    else
      for (unsigned i = 0; i < n; i++) f[i] = (float)(int32_t)w[i];
    narrow_row(fmt, n, f, out);
  } else {
    widen_row(sfmt, n, a, f);
    if (fmt == STP_FMT_I32)
      for (unsigned i = 0; i < n; i++) o[i] = to_i32(f[i]);
    else
      narrow_row(fmt, n, f, out);
  }
}

/* Operations on bits and integers. Copies of the sources: out may be one of them, and the compiler
 * need not care. */
static void bits_block(unsigned op, unsigned bytes, unsigned n, const void *a, const void *b,
                       const void *c, void *out) {
  uint32_t va[BLOCK], vb[BLOCK], vc[BLOCK], r[BLOCK];
  uint16_t ha[BLOCK], hb[BLOCK], hc[BLOCK];
  const uint32_t sign = bytes == 2 ? 0x80008000u : 0x80000000u;
  const unsigned size = n * bytes;
  unsigned i;
  n = (size + 3) / 4; /* words: but for vsel and integers, lanes don't matter */
  memset(&va[n - 1], 0, 4);
  memset(&vb[n - 1], 0, 4);
  memcpy(va, a, size);
  if (b) memcpy(vb, b, size);
  switch (op) {
  case STP_OP_VMOV:
    memcpy(r, va, size);
    break;
  case STP_OP_VABS:
    for (i = 0; i < n; i++) r[i] = va[i] & ~sign;
    break;
  case STP_OP_VNEG:
    for (i = 0; i < n; i++) r[i] = va[i] ^ sign;
    break;
  case STP_OP_VSEL:
    if (bytes == 4) {
      memcpy(vc, c, size);
      for (i = 0; i < n; i++) r[i] = va[i] ? vb[i] : vc[i];
      break;
    }
    n = size / 2;
    memcpy(ha, va, size);
    memcpy(hb, vb, size);
    memcpy(hc, c, size);
    for (i = 0; i < n; i++) ha[i] = ha[i] ? hb[i] : hc[i];
    memcpy(r, ha, size);
    break;
  case STP_OP_VAND:
    for (i = 0; i < n; i++) r[i] = va[i] & vb[i];
    break;
  case STP_OP_VOR:
    for (i = 0; i < n; i++) r[i] = va[i] | vb[i];
    break;
  case STP_OP_VXOR:
    for (i = 0; i < n; i++) r[i] = va[i] ^ vb[i];
    break;
  case STP_OP_VNOT:
    for (i = 0; i < n; i++) r[i] = ~va[i];
    break;
  case STP_OP_VIADD:
    for (i = 0; i < n; i++) r[i] = va[i] + vb[i];
    break;
  case STP_OP_VISUB:
    for (i = 0; i < n; i++) r[i] = va[i] - vb[i];
    break;
  case STP_OP_VIMUL:
    for (i = 0; i < n; i++) r[i] = va[i] * vb[i];
    break;
  case STP_OP_VSHL:
    for (i = 0; i < n; i++) r[i] = va[i] << (vb[i] & 31);
    break;
  case STP_OP_VSHR:
    for (i = 0; i < n; i++) r[i] = va[i] >> (vb[i] & 31);
    break;
  case STP_OP_VSRA:
    for (i = 0; i < n; i++) r[i] = (uint32_t)((int32_t)va[i] >> (vb[i] & 31));
    break;
  case STP_OP_VIMIN:
    for (i = 0; i < n; i++) r[i] = (int32_t)va[i] < (int32_t)vb[i] ? va[i] : vb[i];
    break;
  default: /* vimax */
    for (i = 0; i < n; i++) r[i] = (int32_t)va[i] > (int32_t)vb[i] ? va[i] : vb[i];
    break;
  }
  memcpy(out, r, size);
}

/* One block of a supported operation. */
static void block(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, unsigned n, const void *a,
                  const void *b, const void *c, void *out) {
  const unsigned bytes = stp_fmt_bytes(fmt);
  float fa[BLOCK], fb[BLOCK], fc[BLOCK], fr[BLOCK];
  switch (op) {
  case STP_OP_VCMP:
    compare_block(fn, fmt, n, a, b, out);
    return;
  case STP_OP_VCVT:
  case STP_OP_VUNPACK:
    convert_block(fmt, sfmt, n, a, out);
    return;
  case STP_OP_VPACK:
    convert_block(fmt, STP_FMT_F32, n, a, out);
    return;
  case STP_OP_VACC:
    widen_row(sfmt, n, a, fa);
    widen_row(STP_FMT_F32, n, c, fc);
    for (unsigned i = 0; i < n; i++) fr[i] = fc[i] + fa[i];
    narrow_row(STP_FMT_F32, n, fr, out);
    return;
  case STP_OP_VFUNC:
    widen_row(fmt, n, a, fa);
    if (fn == STP_VFUNC_RECIPROCAL)
      for (unsigned i = 0; i < n; i++) fr[i] = 1.0f / fa[i];
    else
      STP_NUM_FUNCS(fn, bytes == 2, n, fa, fr);
    narrow_row(fmt, n, fr, out);
    return;
  default:
    break;
  }
  if ((op >= STP_OP_VADD && op <= STP_OP_VMAXNUM) || op == STP_OP_VSQRT) {
    widen_row(fmt, n, a, fa);
    widen_row(fmt, n, b, fb);
    widen_row(fmt, n, op == STP_OP_VFMA ? c : NULL, fc);
    if (float_block(op, fmt, n, fa, fb, fc, fr)) {
      narrow_row(fmt, n, fr, out);
      return;
    }
  }
  bits_block(op, bytes, n, a, b, c, out);
}

static const void *advance(const void *row, unsigned bytes) {
  return row ? (const char *)row + bytes : NULL;
}

static bool fast_row(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, unsigned lanes,
                     const void *a, const void *b, const void *c, void *out) {
  if (!stp_num_supports(op, fn, fmt, sfmt)) return false;
  if (fmt == STP_FMT_F32P) fmt = STP_FMT_F32;
  if (sfmt == STP_FMT_F32P) sfmt = STP_FMT_F32;
  const unsigned to = stp_fmt_bytes(fmt);
  unsigned from = to;
  if (op == STP_OP_VPACK) from = 4;
  if (op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC) from = stp_fmt_bytes(sfmt);
  while (lanes) {
    const unsigned n = lanes < BLOCK ? lanes : BLOCK;
    block(op, fn, fmt, sfmt, n, a, b, c, out);
    a = advance(a, n * from);
    b = advance(b, n * to);
    c = advance(c, n * to);
    out = (char *)out + n * to;
    lanes -= n;
  }
  return true;
}

static uint32_t fast_op(unsigned op, unsigned fn, unsigned fmt, unsigned sfmt, uint32_t a,
                        uint32_t b, uint32_t c) {
  if (!stp_num_supports(op, fn, fmt, sfmt)) return 0;
  const unsigned to = stp_fmt_bytes(fmt);
  unsigned from = to;
  if (op == STP_OP_VPACK) from = 4;
  if (op == STP_OP_VCVT || op == STP_OP_VUNPACK || op == STP_OP_VACC) from = stp_fmt_bytes(sfmt);
  uint32_t ra, rb, rc, rr = 0;
  stp_store(&ra, from, 0, a);
  stp_store(&rb, to, 0, b);
  stp_store(&rc, to, 0, c);
  block(op, fn, fmt == STP_FMT_F32P ? STP_FMT_F32 : fmt, sfmt == STP_FMT_F32P ? STP_FMT_F32 : sfmt,
        1, &ra, &rb, &rc, &rr);
  return stp_load(&rr, to, 0);
}

static uint32_t fast_fold(unsigned fn, unsigned fmt, unsigned lanes, const void *a) {
  static const uint8_t op[] = {STP_OP_VADD, STP_OP_VMIN, STP_OP_VMAX, STP_OP_VMINNUM,
                               STP_OP_VMAXNUM};
  if (fn >= sizeof op || lanes == 0 || lanes > 64 || (lanes & (lanes - 1)) != 0) return 0;
  float v[BLOCK], r[BLOCK];
  widen_row(fmt, lanes, a, v);
  for (unsigned n = lanes / 2; n; n /= 2) {
    float_block(op[fn], STP_FMT_F32, n, v, v + n, v, r);
    memcpy(v, r, n * sizeof *v);
  }
  uint32_t out = 0;
  narrow_row(fmt, 1, v, &out);
  return stp_load(&out, stp_fmt_bytes(fmt), 0);
}

static void fast_pt_row(unsigned nblk, const uint32_t *a, const uint32_t (*w)[64],
                        uint32_t acc[64]) {
#ifdef HAVE_AVX2
  for (unsigned k = 0; k < nblk; k++) {
    __m256 chunk[8];
    for (unsigned v = 0; v < 8; v++) chunk[v] = _mm256_setzero_ps();
    for (unsigned i = 8 * k; i < 8 * k + 8; i++) {
      const __m256 x = _mm256_castsi256_ps(_mm256_set1_epi32((int)a[i]));
      for (unsigned v = 0; v < 8; v++)
        chunk[v] = _mm256_fmadd_ps(
            x, _mm256_castsi256_ps(_mm256_loadu_si256((const void *)(w[i] + 8 * v))), chunk[v]);
    }
    for (unsigned v = 0; v < 8; v++) {
      const __m256 s = _mm256_castsi256_ps(_mm256_loadu_si256((const void *)(acc + 8 * v)));
      _mm256_storeu_si256((void *)(acc + 8 * v), _mm256_castps_si256(_mm256_add_ps(s, chunk[v])));
    }
  }
#else
  for (unsigned k = 0; k < nblk; k++) {
    float chunk[64] = {0};
    for (unsigned i = 8 * k; i < 8 * k + 8; i++)
      for (unsigned j = 0; j < 64; j++)
        chunk[j] = fmaf(as_float(a[i]), as_float(w[i][j]), chunk[j]);
    for (unsigned j = 0; j < 64; j++) acc[j] = as_bits(as_float(acc[j]) + chunk[j]);
  }
#endif
  /* A NaN stays one through the chain, so it is enough to make it canonical at the end. */
  for (unsigned j = 0; j < 64; j++) acc[j] = canonical(as_float(acc[j]));
}

static void fast_pt_step(unsigned fmt, unsigned lanes, uint16_t a, const uint16_t *w,
                         const uint32_t *c, uint32_t *out) {
  const bool bf16 = fmt == STP_FMT_BF16;
  const float x = bf16 ? widen_bf16(a) : widen_f16(a);
  unsigned j = 0;
#ifdef HAVE_AVX2
  const __m256 factor = _mm256_set1_ps(x),
               nan = _mm256_castsi256_ps(_mm256_set1_epi32(STP_NAN_F32));
  for (; j + 8 <= lanes; j += 8) {
    const __m128i h = _mm_loadu_si128((const void *)(w + j));
    const __m256 y = bf16 ? _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(h), 16))
                          : _mm256_cvtph_ps(h);
    const __m256 sum = _mm256_castsi256_ps(_mm256_loadu_si256((const void *)(c + j)));
    const __m256 r = _mm256_fmadd_ps(factor, y, sum);
    const __m256 bits = _mm256_blendv_ps(r, nan, _mm256_cmp_ps(r, r, _CMP_UNORD_Q));
    _mm256_storeu_si256((void *)(out + j), _mm256_castps_si256(bits));
  }
#endif
  for (; j < lanes; j++)
    out[j] = canonical(fmaf(x, bf16 ? widen_bf16(w[j]) : widen_f16(w[j]), as_float(c[j])));
}

const struct stp_num STP_NUM_TABLE = {
    .name = STP_NUM_NAME,
    .op = fast_op,
    .row = fast_row,
    .fold = fast_fold,
    .pt_row = fast_pt_row,
    .pt_step = fast_pt_step,
};
