#!/usr/bin/env python3
"""Python's decimal (libmpdec) on the operations of bench_num.c, per call, 40 digits, the result rounded to 18 decimals half to even."""
import decimal
import random
import timeit

decimal.getcontext().prec = 40
D = decimal.Decimal
STEP = D(1).scaleb(-18)
random.seed(42)


def numbers(low, high, n=256):
    return [D(random.randrange(low * 10**18, high * 10**18)).scaleb(-18) for _ in range(n)]


def line(name, call, *lists):
    rows = list(zip(*lists))
    runs = 20 if name in ("ln", "exp", "pow") else 200
    best = min(timeit.repeat(lambda: [call(*row) for row in rows], number=runs, repeat=3))
    print(f"{name:9} {best / runs / len(rows) * 1e9:10.1f}")


amounts, factors, small = numbers(1, 10**6), numbers(1, 1000), numbers(-10, 10)
print("ns per call   Python decimal, rounded to 18 decimals")
line("add", lambda a, b: a + b, amounts, factors)
line("mul", lambda a, b: (a * b).quantize(STEP), amounts, factors)
line("div", lambda a, b: (a / b).quantize(STEP), amounts, factors)
line("sqrt", lambda a: a.sqrt().quantize(STEP), amounts)
line("ln", lambda a: a.ln().quantize(STEP), amounts)
line("exp", lambda a: a.exp().quantize(STEP), small)
line("pow", lambda a, b: (a**b).quantize(STEP), numbers(0, 2000), numbers(-3, 3))
