#!/usr/bin/env python3
"""Writes the tables of the SFU's functions, for C and for SystemVerilog (docs/numerics.md, Functions).

  arch/tables/functions.py           write the files
  arch/tables/functions.py --check   write nothing; fail and name each file that is stale

Two kinds of tables, in units of 2^-FRAC, both of a 32-bit fraction f (all integers; >> rounds down). 2^f, in parabolas
through both ends and the middle of each of 128 segments, i = f >> 25 and d = f mod 2^25:

  y = c0[i] + (((c1[i] + ((c2[i] * (d >> 9)) >> 16)) * d) >> 25)

and everything else, in cubics through both ends and two points between of each of 32 segments, i = f >> 27 and d = f mod 2^27:

  P = c0[i] + (((c1[i] + (((c2[i] + ((c3[i] * (d >> 11)) >> 16)) * (d >> 3)) >> 24)) * d) >> 27)

C model and RTL evaluate exactly this.
"""

import decimal
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FRAC = 34
SEG_BITS = 7
SEGMENTS = 1 << SEG_BITS
DELTA = 32 - SEG_BITS
CUBIC_BITS = 5
CUBICS = 1 << CUBIC_BITS
CUBIC_DELTA = 32 - CUBIC_BITS
POW2_BITS = (36, 30, 22)  # two's complement
CUBIC_WIDTHS = (36, 30, 24, 19)
LOG2E_FRAC = 37
LN2_FRAC = 40
# The fraction bits of 2/pi that products with an f32 use: bit 2^-1 down to 2^-TWO_OVER_PI_FRAC.
TWO_OVER_PI_FRAC = 198

decimal.getcontext().prec = 90
D = decimal.Decimal
ONE = D(1)
HALF = D("0.5")


def nearest(x):
    return int(x.to_integral_value(rounding=decimal.ROUND_HALF_EVEN))


def series(term, ratio):
    """term + term * ratio(1) + term * ratio(1) * ratio(2) + ..."""
    total, k = D(0), 0
    while term != 0 and (total == 0 or abs(term) > abs(total) * D(10) ** -88):
        total += term
        k += 1
        term *= ratio(k)
    return total


def arctan_inverse(n):
    return sum((D(-1) ** k / ((2 * k + 1) * D(n) ** (2 * k + 1)) for k in range(70)), D(0))


PI = 16 * arctan_inverse(5) - 4 * sum((D(-1) ** k / ((2 * k + 1) * D(239) ** (2 * k + 1)) for k in range(25)), D(0))


# What the tables hold, as functions of 0 <= f <= 1; `side` is 0 or 1 where the two halves of a table are different functions.


def pow2(f):
    return D(2) ** f


def ln_slope(f, side):
    """ln(m) / r: m = 1 + f and r = f for f below 1/2; m = (1 + f) / 2 and r = m - 1 from there."""
    r = (f - 1) / 2 if side else f
    return ONE if r == 0 else (1 + r).ln() / r


def log2_slope(f, side):
    return ln_slope(f, side) / D(2).ln()


def rsqrt_1(f, _):
    return 1 / (1 + f).sqrt()


def rsqrt_2(f, _):
    return 1 / (2 + 2 * f).sqrt()


def sin_slope(f, _):
    """sin(r pi/2) / r, r = f / 2"""
    return series(PI / 2, lambda k: -((f * PI / 4) ** 2) / (2 * k * (2 * k + 1)))


def cos_quarter(f, _):
    return series(ONE, lambda k: -((f * PI / 4) ** 2) / ((2 * k - 1) * 2 * k))


def tanh(x):
    t = (-2 * x).exp()
    return (1 - t) / (1 + t)


def erf(x):
    # e^(-x^2) times a series of positive terms: nothing cancels.
    return 2 / PI.sqrt() * (-x * x).exp() * series(x, lambda k: 2 * x * x / (2 * k + 1))


def slope(g, at_zero):
    return lambda f, _: g(f) / f if f else at_zero


def binade(g, low):
    return lambda f, _: g(low * (1 + f))


def sigmoid2(t):
    return 1 / (1 + D(2) ** -t)


# In the order of their numbers, which form the upper bits of the address of a segment.
CUBIC_TABLES = {
    "log2": ("log2(m) / r", log2_slope),
    "log": ("ln(m) / r", ln_slope),
    "rsqrt1": ("1 / sqrt(1 + f)", rsqrt_1),
    "rsqrt2": ("1 / sqrt(2 + 2f)", rsqrt_2),
    "sin": ("sin(r pi/2) / r, r = f/2", sin_slope),
    "cos": ("cos(f pi/4)", cos_quarter),
    "tanh": ("tanh(f) / f", slope(tanh, ONE)),
    "tanh1": ("tanh(1 + f)", binade(tanh, 1)),
    "tanh2": ("tanh(2 + 2f)", binade(tanh, 2)),
    "tanh4": ("tanh(4 + 4f)", binade(tanh, 4)),
    "tanh8": ("tanh(8 + 8f)", binade(tanh, 8)),
    "erf": ("erf(f) / f", slope(erf, 2 / PI.sqrt())),
    "erf1": ("erf(1 + f)", binade(erf, 1)),
    "erf2": ("erf(2 + 2f)", binade(erf, 2)),
    "sigmoid": ("1 / (1 + 2^-4f)", lambda f, _: sigmoid2(4 * f)),
    "sigmoid4": ("1 / (1 + 2^-(4 + 4f))", binade(sigmoid2, 4)),
    "sigmoid8": ("1 / (1 + 2^-(8 + 8f))", binade(sigmoid2, 8)),
    "sigmoid16": ("1 / (1 + 2^-(16 + 16f))", binade(sigmoid2, 16)),
}


def check_widths(row, widths):
    for value, bits in zip(row, widths):
        assert -(1 << (bits - 1)) <= value < (1 << (bits - 1)), (row, widths)


def pow2_rows():
    """(c0, c1, c2) of each segment; the sum c0 + c1 + c2 is the next segment's c0, so the curve has no gaps."""
    scale = D(1 << FRAC)
    ends = [nearest(pow2(D(i) / SEGMENTS) * scale) for i in range(SEGMENTS + 1)]
    rows = []
    for i in range(SEGMENTS):
        middle = pow2((D(i) + HALF) / SEGMENTS) * scale
        c2 = nearest(2 * (ends[i] + ends[i + 1] - 2 * middle))
        row = (ends[i], ends[i + 1] - ends[i] - c2, c2)
        check_widths(row, POW2_BITS)
        # The evaluation relies on 1 <= y < 2, also at the last point of a segment.
        for d in (0, 1, (1 << DELTA) - 1):
            y = row[0] + (((row[1] + ((row[2] * (d >> 9)) >> 16)) * d) >> DELTA)
            assert (1 << FRAC) <= y < (2 << FRAC)
        rows.append(row)
    return rows


def cubic_rows(g):
    """(c0, c1, c2, c3) of each segment, through both ends and the points at 3/10 and 7/10 of it."""
    scale = D(1 << FRAC)
    u, v = D("0.3"), D("0.7")
    rows = []
    for i in range(CUBICS):
        side = 2 * i // CUBICS
        y = [g((i + at) / CUBICS, side) * scale for at in (D(0), u, v, ONE)]
        c0, end = nearest(y[0]), nearest(y[3])
        # Divided differences from 0 of the slopes to the points: c1 + c2 t + c3 t^2 at t = u, v, 1.
        su, sv, s1 = (y[1] - c0) / u, (y[2] - c0) / v, D(end - c0)
        suv, sv1 = (sv - su) / (v - u), (s1 - sv) / (1 - v)
        c3 = nearest((sv1 - suv) / (1 - u))
        c2 = nearest(suv - (sv1 - suv) / (1 - u) * (u + v))
        row = (c0, end - c0 - c2 - c3, c2, c3)
        check_widths(row, CUBIC_WIDTHS)
        # The evaluation relies on 0 < P < 2 and on the widths of the sums in it.
        for d in (0, 1, 1 << 26, (1 << CUBIC_DELTA) - 1):
            a2 = row[2] + ((row[3] * (d >> 11)) >> 16)
            a1 = row[1] + ((a2 * (d >> 3)) >> 24)
            check_widths((a1, a2), CUBIC_WIDTHS[1:])
            assert 0 < row[0] + ((a1 * d) >> CUBIC_DELTA) < (2 << FRAC)
        rows.append(row)
    return rows


def two_over_pi():
    return int(2 / PI * (1 << TWO_OVER_PI_FRAC))


def emit_c(parabolas, cubics):
    out = [
        "/* Generated by arch/tables/functions.py; do not edit. */",
        "#ifndef STP_FUNC_TABLES_H",
        "#define STP_FUNC_TABLES_H",
        "",
        "#include <stdint.h>",
        "",
        f"#define STP_FUNC_SEG_BITS {SEG_BITS}",
        f"#define STP_FUNC_FRAC {FRAC}",
        f"#define STP_FUNC_LOG2E_FRAC {LOG2E_FRAC}",
        f"#define STP_FUNC_LOG2E UINT64_C({nearest(D(1 << LOG2E_FRAC) / D(2).ln())})",
        f"#define STP_FUNC_LN2_FRAC {LN2_FRAC}",
        f"#define STP_FUNC_LN2 UINT64_C({nearest(D(1 << LN2_FRAC) * D(2).ln())})",
        "",
        f"/* One segment of 2^f, in units of 2^-{FRAC}. */",
        "struct stp_func_seg {",
        "  int64_t c0;",
        "  int32_t c1, c2;",
        "};",
        "",
        "/* 2^f, 0 <= f < 1 */",
        f"static const struct stp_func_seg stp_func_pow2[{SEGMENTS}] = {{",
    ]
    out += [f"    {{INT64_C({c0}), {c1}, {c2}}}," for c0, c1, c2 in parabolas]
    out += ["};", "", "/* The other tables' numbers: a segment's address is the number times 32 plus f >> 27. */", "enum {"]
    out += [f"  STP_FUNC_T_{name.upper()} = {n}, /* {text} */" for n, (name, (text, _)) in enumerate(cubics.items())]
    out += [
        "};",
        "",
        f"/* One segment of them, in units of 2^-{FRAC}. */",
        "struct stp_func_cubic {",
        "  int64_t c0;",
        "  int32_t c1, c2, c3;",
        "};",
        "",
        f"static const struct stp_func_cubic stp_func_cubic[{len(cubics) * CUBICS}] = {{",
    ]
    for _, rows in cubics.values():
        out += [f"    {{INT64_C({c0}), {c1}, {c2}, {c3}}}," for c0, c1, c2, c3 in rows]
    out += [
        "};",
        "",
        "/* W[e + 2] = floor(2/pi * 2^(e + 71)) mod 2^96 for e = -2 ... 127, lowest word first. */",
        "static const uint32_t stp_func_two_over_pi[130][3] = {",
    ]
    for e in range(-2, 128):
        w = two_over_pi() >> (TWO_OVER_PI_FRAC - 71 - e)
        out.append("    {" + ", ".join(f"0x{w >> 32 * k & 0xffffffff:08x}u" for k in range(3)) + "},")
    return "\n".join(out + ["};", "", "#endif", ""])


def literal(value, bits):
    return f"{bits}'h{value & ((1 << bits) - 1):x}"


def rom(name, rows, widths):
    """Declarations and an initial block for the columns of rows."""
    out = [f"logic [{bits - 1}:0] {name}_c{k}[0:{len(rows) - 1}];" for k, bits in enumerate(widths)]
    out.append("initial begin")
    for i, row in enumerate(rows):
        out.append("  " + " ".join(f"{name}_c{k}[{i}] = {literal(v, b)};" for k, (v, b) in enumerate(zip(row, widths))))
    return out + ["end"]


def emit_sv_pow2(parabolas):
    out = [
        "// Generated by arch/tables/functions.py; do not edit. Include inside a module.",
        f"// 2^f, 0 <= f < 1, in units of 2^-{FRAC}",
    ]
    return "\n".join(out + rom("pow2", parabolas, POW2_BITS) + [""])


def emit_sv_cubic(cubics):
    out = [
        "// Generated by arch/tables/functions.py; do not edit. Include inside a module.",
        f"// Address: number of the table times {CUBICS}, plus f >> {CUBIC_DELTA}; in units of 2^-{FRAC}, two's complement.",
    ]
    rows = [row for _, table in cubics.values() for row in table]
    return "\n".join(out + rom("cubic", rows, CUBIC_WIDTHS) + [""])


def emit_sv_const(cubics):
    out = [
        "// Generated by arch/tables/functions.py; do not edit. Include inside a module.",
        "// log2(e) in units of 2^-37; ln(2) in units of 2^-40; 2/pi in units of 2^-198; the numbers of the cubic tables.",
        f"localparam logic [{LOG2E_FRAC}:0] FUNC_LOG2E = {LOG2E_FRAC + 1}'d{nearest(D(1 << LOG2E_FRAC) / D(2).ln())};",
        f"localparam logic [{LN2_FRAC - 1}:0] FUNC_LN2 = {LN2_FRAC}'d{nearest(D(1 << LN2_FRAC) * D(2).ln())};",
        f"localparam logic [{TWO_OVER_PI_FRAC - 1}:0] FUNC_TWO_OVER_PI = {literal(two_over_pi(), TWO_OVER_PI_FRAC)};",
    ]
    for n, (name, (text, _)) in enumerate(cubics.items()):
        out.append(f"localparam logic [4:0] FUNC_T_{name.upper()} = 5'd{n};  // {text}")
    return "\n".join(out + [""])


def main(argv):
    if argv not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    parabolas = pow2_rows()
    cubics = {name: (text, cubic_rows(g)) for name, (text, g) in CUBIC_TABLES.items()}
    files = {
        "arch/generated/stp_func_tables.h": emit_c(parabolas, cubics),
        "arch/generated/stp_func_tables.svh": emit_sv_pow2(parabolas),
        "arch/generated/stp_func_cubic.svh": emit_sv_cubic(cubics),
        "arch/generated/stp_func_const.svh": emit_sv_const(cubics),
    }
    stale = 0
    for name, text in files.items():
        path = ROOT / name
        if path.exists() and path.read_text() == text:
            continue
        if argv:
            print(f"{name}: stale; run arch/tables/functions.py", file=sys.stderr)
            stale = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {name}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
