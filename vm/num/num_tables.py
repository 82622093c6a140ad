#!/usr/bin/env python3
"""Writes num_tables.c: the constants of num_exp.c and num_normal.c, from the decimal module alone (no library beyond Python's own).

    python3 vm/num/num_tables.py > vm/num/num_tables.c

Every constant is the nearest integer to its exact value times the stated power of 2; tests/unit/test_num_fn.c recomputes them with MPFR.
"""
from decimal import Decimal as D, getcontext, ROUND_HALF_EVEN
from fractions import Fraction

getcontext().prec = 130
ONE = 10**18
LN2 = D(2).ln()
LN10 = D(10).ln()


def nearest(x):
    return int(x.to_integral_value(rounding=ROUND_HALF_EVEN))


def limbs(v, n):
    v %= 1 << (64 * n)
    return "{ " + ", ".join(f"UINT64_C(0x{v >> (64 * i) & (2**64 - 1):016x})" for i in range(n)) + " }"


def table(kind, name, rows, comment):
    print(f"\n/* {comment} */\nconst {kind} {name}[{len(rows)}] = {{")
    for row in rows:
        print(f"    {row},")
    print("};")


def u192(x, scale):
    return "{ " + limbs(nearest(x * D(2) ** scale), 3) + " }"


def short_table(name, values, comment):
    print(f"\n/* {comment} */\nconst uint32_t {name}[{len(values)}] = {{")
    for i in range(0, len(values), 12):
        print("    " + " ".join(f"{v}," for v in values[i:i + 12]))
    print("};")


# ---- the normal distribution
PI = None


def pi():
    """Machin's formula."""
    def arctan_inverse(n):
        total, term, k = D(0), D(1) / n, 0
        while abs(term) > D(10) ** -128:
            total += term / (2 * k + 1) * (-1) ** k
            term /= n * n
            k += 1
        return total
    return 4 * (4 * arctan_inverse(D(5)) - arctan_inverse(D(239)))


def cosine(x):
    total, term, k = D(0), D(1), 0
    while abs(term) > D(10) ** -128:
        total += term
        k += 2
        term = -term * x * x / (k * (k - 1))
    return total


def tail(z):
    """1 - cdf(z) to some 80 digits after the point: 1/2 - density(z) * (z + z^3/3 + z^5/15 + ...), all terms positive."""
    total, term, k = D(0), z, 1
    while abs(term) > D(10) ** -110:
        total += term
        k += 2
        term = term * z * z / k
    return D("0.5") - total * (-z * z / 2).exp() / (2 * PI).sqrt()


DEGREE = 13
WIDE = 5  # coefficients 0 .. 4 have 128 bits
NARROW_BITS = 32  # fraction bits of the others


def piece(i):
    """Polynomial in s = t / 2^55, |s| <= 1, through the Chebyshev points of the piece [i, i + 1) * 2^56 counts; its value in counts."""
    nodes = [cosine(PI * (2 * k + 1) / (2 * (DEGREE + 1))) for k in range(DEGREE + 1)]
    centre = D(2 * i + 1) * 2**55 / ONE
    diffs = [tail(centre + s * 2**55 / ONE) * ONE for s in nodes]
    for level in range(1, DEGREE + 1):
        for k in range(DEGREE, level - 1, -1):
            diffs[k] = (diffs[k] - diffs[k - 1]) / (nodes[k] - nodes[k - level])
    poly = [D(0)] * (DEGREE + 1)
    poly[0] = diffs[DEGREE]
    for k in range(DEGREE - 1, -1, -1):  # poly = poly * (s - node) + diff
        for j in range(DEGREE, 0, -1):
            poly[j] = poly[j - 1] - poly[j] * nodes[k]
        poly[0] = diffs[k] - poly[0] * nodes[k]
    return poly


def normal_tables():
    wide, narrow = [], []
    for i in range(128):
        poly = piece(i)
        wide.append("{ " + ", ".join(limbs(nearest(c * D(2) ** 64), 2) for c in poly[:WIDE]) + " }")
        values = [nearest(c * D(2) ** NARROW_BITS) for c in poly[WIDE:]]
        assert all(abs(v) < 2**62 for v in values) and sum(map(abs, values)) < 2**62
        narrow.append("{ " + ", ".join(str(v) for v in values) + " }")
    print(f"""
/* 10^18 (1 - cdf(z)) for z = (i + 1/2 + s/2) * 2^56 counts, |s| <= 1, as a polynomial in s of degree {DEGREE}: coefficients 0 .. {WIDE - 1} in
 * units of 2^-64 (two's complement, low limb first), the others in units of 2^-{NARROW_BITS}. */
const uint64_t kr_normal_wide[128][{WIDE}][2] = {{""")
    for row in wide:
        print(f"    {row},")
    print(f"}};\nconst int64_t kr_normal_narrow[128][{DEGREE + 1 - WIDE}] = {{")
    for row in narrow:
        print(f"    {row},")
    print("};")


def main():
    global PI
    PI = pi()
    print("""/* num_tables.c: constants of the elementary functions. Written by num_tables.py; see num_tables.h. */
/* clang-format off */
#include "vm/num/num_tables.h\"""")
    power = lambda n: (LN2 * n).exp()
    table("kr_u192", "kr_exp2_a", [u192(power(D(i) / 2**7), 191) for i in range(128)], "2^(i / 2^7), units of 2^-191")
    table("kr_u192", "kr_exp2_b", [u192(power(D(i) / 2**14), 191) for i in range(128)], "2^(i / 2^14), units of 2^-191")
    table("kr_u192", "kr_exp2_c", [u192(power(D(i) / 2**21) - 1, 192) for i in range(128)], "2^(i / 2^21) - 1, units of 2^-192")

    def reciprocals(name, count, step_bits, bits):
        values = [-(-(1 << (bits + step_bits)) // ((1 << step_bits) + i)) for i in range(count)]
        short_table("kr_ln_r" + name, values, f"1 / (1 + i / 2^{step_bits}), up to a multiple of 2^-{bits}")
        table("kr_u192", "kr_ln_" + name, [u192(-(D(v) / 2**bits).ln(), 184) for v in values], "minus the logarithm of that, units of 2^-184")
    reciprocals("a", 128, 7, 9)
    reciprocals("b", 192, 14, 16)
    reciprocals("c", 162, 21, 23)
    table("kr_u192", "kr_ln_scale", [u192(e * LN2 - 18 * LN10, 184) for e in range(128)], "ln(2^i / 10^18), units of 2^-184, two's complement")
    print("\n/* log2(e) / 10^18, units of 2^-256 */")
    print("const uint64_t kr_log2e_counts[4] = " + limbs(nearest(D(2) ** 256 / LN2 / ONE), 4) + ";")
    print("/* log2(e) / (2 * 10^36), units of 2^-256 */")
    print("const uint64_t kr_log2e_squares[3] = " + limbs(nearest(D(2) ** 256 / LN2 / 2 / ONE / ONE), 3) + ";")
    print("const kr_u192 kr_ln2 = " + u192(LN2, 192) + "; /* ln 2, units of 2^-192 */")
    print("const kr_u192 kr_log10e = " + u192(1 / LN10, 192) + "; /* log10(e), units of 2^-192 */")
    print("const kr_u192 kr_log2e_top = " + u192(1 / LN2 / ONE, 251) + "; /* log2(e) / 10^18, units of 2^-251 */")
    print("const uint64_t kr_inv_sqrt_2pi[2] = " + limbs(nearest(D(2) ** 129 / (2 * PI).sqrt()), 2) + "; /* 1 / sqrt(2 pi), units of 2^-129 */")
    print("const uint64_t kr_sqrt2[2] = " + limbs(nearest(D(2).sqrt() * 2**127), 2) + "; /* sqrt 2, units of 2^-127 */")
    short_table("kr_rsqrt_seed", [nearest(D(2) ** 15 / (D(2 * i + 1) / 512).sqrt()) for i in range(64, 256)],
                "1 / sqrt((i + 1/2) / 2^8) for i = 64 .. 255, units of 2^-15")
    normal_tables()


main()
