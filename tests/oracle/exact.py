"""Exact decimal arithmetic for the oracles: a number is a whole count of 10^-18.

Every function gives the exact mathematical value of its arguments, rounded once, half to even. Written with Python's
whole numbers and `decimal` alone, apart from anything in vm/, so that the two can be held against each other.
"""
import re
from decimal import Context, Decimal, ROUND_HALF_EVEN
from fractions import Fraction
from math import isqrt

ONE = 10 ** 18
NUMERAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class BadData(Exception):
    """What the data must not hold."""


def ratio(a, b):
    """a / b of two whole numbers, as a whole number, half to even."""
    if b < 0:
        a, b = -a, -b
    q, r = divmod(a, b)
    return q + (2 * r > b or (2 * r == b and q & 1))


def mul(a, b):
    return ratio(a * b, ONE)


def div(a, b):
    return ratio(a * ONE, b)


def clip(x, low, high):
    return max(low, min(high, x))


def number(text):
    """The number a text stands for; more than 18 decimals are refused."""
    if not NUMERAL.fullmatch(text):
        raise BadData(f"not a number: {text!r}")
    whole, _, part = text.partition(".")
    if len(part) > 18:
        raise BadData(f"more than 18 decimals: {text!r}")
    sign = -1 if whole.startswith("-") else 1
    return sign * (int(whole.lstrip("+-")) * ONE + int(part.ljust(18, "0")))


def show(x):
    """The shortest text of a number."""
    sign = "-" if x < 0 else ""
    whole, part = divmod(abs(x), ONE)
    tail = f"{part:018d}".rstrip("0")
    return f"{sign}{whole}.{tail}" if tail else f"{sign}{whole}"


def mean(values):
    return ratio(sum(values), len(values))


def correl(xs, ys):
    """Pearson's correlation, None without variance. Decided by comparing squares: no root is ever approximated."""
    n = len(xs)
    if n < 2:
        return None
    sx, sy = sum(xs), sum(ys)
    cov = n * sum(x * y for x, y in zip(xs, ys)) - sx * sy
    vx = n * sum(x * x for x in xs) - sx * sx
    vy = n * sum(y * y for y in ys) - sy * sy
    if vx == 0 or vy == 0:
        return None
    p, q = (cov * ONE) ** 2, vx * vy            # |correlation| in units of 10^-18 is sqrt(p / q)
    k = isqrt(p // q)
    twice = 4 * p - (2 * k + 1) ** 2 * q        # sign of sqrt(p / q) - (k + 1/2)
    k += twice > 0 or (twice == 0 and k & 1)
    return k if cov >= 0 else -k


# ---- high precision: values as Decimal in a context of many digits; the caller doubles them until the rounding is sure

def _context(digits):
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=-10 ** 9, Emax=10 ** 9)


def _pi(c):
    """Gauss and Legendre's mean."""
    a, b, t, p = Decimal(1), c.divide(Decimal(1), c.sqrt(Decimal(2))), Decimal("0.25"), Decimal(1)
    while c.abs(c.subtract(a, b)) > Decimal(10) ** (4 - c.prec):
        m = c.divide(c.add(a, b), Decimal(2))
        b = c.sqrt(c.multiply(a, b))
        d = c.subtract(a, m)
        t = c.subtract(t, c.multiply(p, c.multiply(d, d)))
        a, p = m, c.multiply(p, Decimal(2))
    s = c.add(a, b)
    return c.divide(c.multiply(s, s), c.multiply(t, Decimal(4)))


_root_two_pi = {}


def normal_cdf(z, c):
    """P(X <= z), |z| <= 14: 1/2 + density(z) * (z + z^3/3 + z^5/(3*5) + ...); all terms of one sign."""
    if c.prec not in _root_two_pi:
        _root_two_pi[c.prec] = c.sqrt(c.multiply(Decimal(2), _pi(c)))
    z2 = c.multiply(z, z)
    term = total = z
    k = 1
    while True:
        k += 2
        term = c.divide(c.multiply(term, z2), Decimal(k))
        if not term or c.abs(term) < c.abs(total).scaleb(-c.prec, c):
            break
        total = c.add(total, term)
    density = c.divide(c.exp(c.divide(c.minus(z2), Decimal(2))), _root_two_pi[c.prec])
    return c.add(Decimal("0.5"), c.multiply(density, total))


def _sure(value, error):
    """value * 10^18 as a whole number if every value within error rounds alike, else None."""
    wide = _context(400)
    low = wide.multiply(wide.subtract(value, error), Decimal(ONE)).to_integral_value(ROUND_HALF_EVEN, wide)
    high = wide.multiply(wide.add(value, error), Decimal(ONE)).to_integral_value(ROUND_HALF_EVEN, wide)
    return int(low) if low == high else None


def psr(values, benchmark):
    """Probabilistic Sharpe ratio of at least two returns against a benchmark (both numbers)."""
    n = len(values)
    s1 = sum(values)
    # Whole numbers throughout: deviations times n, so that the moments are exact.
    dev = [n * v - s1 for v in values]
    d2 = sum(d * d for d in dev)
    if d2 == 0:
        if s1:
            return ONE if s1 > 0 else 0
        digits = 60
        while True:
            c = _context(digits)
            z = c.multiply(c.divide(Decimal(-benchmark), Decimal(ONE)), c.sqrt(Decimal(n - 1)))
            done = _sure(normal_cdf(z, c), Decimal(10) ** (10 - digits))
            if done is not None:
                return done
            digits *= 2
    d3 = sum(d ** 3 for d in dev)
    d4 = sum(d ** 4 for d in dev)
    # With m_k = d_k / n^(k+1):  S = s1 / n / sqrt(m2 * n / (n - 1)) = s1 * sqrt((n - 1) / d2)
    # skew * S = sqrt(n) d3 / d2^(3/2) * S = d3 * s1 * sqrt(n (n - 1)) / d2^2 ; kurtosis = n d4 / d2^2
    if s1 * benchmark >= 0 and s1 * s1 * (n - 1) * ONE * ONE == benchmark * benchmark * d2:
        return ONE // 2
    # root = 1 - a*sqrt(n(n-1)) + b, a and b rational over the common divisor 4 d2^3
    under = 4 * d2 ** 3
    a = 4 * d3 * s1 * d2
    b = (n * d4 - d2 * d2) * s1 * s1 * (n - 1)
    digits = 60
    while True:
        c = _context(digits)
        unit = 10 ** digits
        root = (under + b) * unit - a * isqrt(n * (n - 1) * unit * unit)        # times under * unit, off by |a|
        s = c.multiply(Decimal(s1), c.sqrt(c.divide(Decimal(n - 1), Decimal(d2))))
        num = c.subtract(s, c.divide(Decimal(benchmark), Decimal(ONE)))
        num_off = c.multiply(c.add(c.abs(s), Decimal(1)), Decimal(10) ** (3 - digits))
        digits *= 2
        # Both differences can cancel; nothing is taken from them before 25 digits are left.
        if root < abs(a) * 10 ** 25 or c.abs(num) < num_off.scaleb(25):
            continue
        z = c.divide(c.multiply(num, c.sqrt(Decimal(n - 1))), c.sqrt(c.divide(Decimal(root), Decimal(under * unit))))
        if c.abs(z) > 14:
            return ONE if z > 0 else 0
        off = c.add(c.divide(Decimal(abs(a)), Decimal(root)), c.divide(num_off, c.abs(num)))
        off = c.add(c.multiply(off, Decimal(14)), Decimal(10) ** (6 - c.prec))
        done = _sure(normal_cdf(z, c), off)
        if done is not None:
            return done


_weights = {}


def halving_weight(k, half_life):
    """2^(-k / half_life), rounded."""
    if (k, half_life) not in _weights:
        c = _context(80)
        w = c.divide(Decimal(1), c.power(Decimal(2), c.divide(Decimal(k), Decimal(half_life))))
        _weights[k, half_life] = _sure(w, Decimal(10) ** -70)
    return _weights[k, half_life]


def gpr(newest_first, half_life):
    """Gain to pain with halving weights; None when nothing was lost."""
    gain = pain = 0
    for k, r in enumerate(newest_first):
        w = halving_weight(k, half_life)
        gain += w * r
        pain += w * min(r, 0)
    return None if pain == 0 else ratio(gain * ONE, abs(pain))


def _line(points, t):
    """The line through points (time, value), sorted, at t; it holds past the last, the first is not past t."""
    before = None
    for time, value in points:
        if time > t:
            return Fraction(before[1]) + Fraction((value - before[1]) * (t - before[0]), time - before[0])
        before = (time, value)
    return Fraction(before[1])


def value_at(points, t):
    value = _line(points, t)
    return ratio(value.numerator, value.denominator)


def twa(points, start, end):
    """Time-weighted average of the line over [start, end); before the first point the value is 0."""
    area = Fraction(0)
    cuts = sorted({max(start, points[0][0]), end} | {t for t, _ in points if start < t < end})
    for a, b in zip(cuts, cuts[1:]):
        area += (_line(points, a) + _line(points, b)) * (b - a) / 2
    value = area / (end - start)
    return ratio(value.numerator, value.denominator)


def apportion(shares, whole):
    """{key: number} -> {key: whole number}, summing to whole, by largest remainders; ties to the smaller key."""
    total = sum(shares.values())
    if total == 0:
        return {k: 0 for k in shares}
    parts = {k: divmod(whole * v, total) for k, v in shares.items()}
    left = whole - sum(q for q, _ in parts.values())
    order = sorted(parts, key=lambda k: (-parts[k][1], k))
    return {k: parts[k][0] + (k in order[:left]) for k in parts}
