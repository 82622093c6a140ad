#!/usr/bin/python3
"""Rolling PSR against 0.03 with numpy in double, on the rows that bench_stats.c makes.  usage: bench_stats.py ROWS WINDOW

Prints two lines: `name nanoseconds-per-row sum`. `windows` computes each window's moments from its values; `cumsum` from differences of
running power sums, which is faster and loses digits."""
import math
import sys
import time

import numpy as np

rows, w = int(sys.argv[1]), int(sys.argv[2])
with np.errstate(over='ignore'):
    z = np.uint64(20261130) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, rows + 1, dtype=np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
x = ((z % np.uint64(40001)).astype(np.int64) - 19500) / 1e6
erfc = np.frompyfunc(math.erfc, 1, 1)


def psr(mean, m2, m3, m4):
    s = mean / np.sqrt(m2 * (w / (w - 1)))
    z = (s - 0.03) * math.sqrt(w - 1) / np.sqrt(1 - m3 / (m2 * np.sqrt(m2)) * s + (m4 / (m2 * m2) - 1) / 4 * (s * s))
    return 0.5 * erfc(z * -math.sqrt(0.5)).astype(float)


def windows():
    total, step = 0.0, 20000  # chunks that stay in the cache
    for start in range(0, rows - w + 1, step):
        v = np.lib.stride_tricks.sliding_window_view(x[start:start + step + w - 1], w)
        mean = v.mean(1)
        c = v - mean[:, None]
        q = c * c
        total += psr(mean, q.mean(1), (q * c).mean(1), (q * q).mean(1)).sum()
    return total


def cumsum():
    def sums(v):
        t = np.concatenate(([0.0], np.cumsum(v)))
        return (t[w:] - t[:-w]) / w
    q = x * x
    a, b, c, d = sums(x), sums(q), sums(q * x), sums(q * q)
    a2 = a * a
    return psr(a, b - a2, c - 3 * a * b + 2 * a * a2, d - 4 * a * c + 6 * a2 * b - 3 * a2 * a2).sum()


for f in (windows, cumsum):
    best = math.inf
    for _ in range(3):
        t0 = time.perf_counter()
        total = f()
        best = min(best, time.perf_counter() - t0)
    print(f'{f.__name__} {best / rows * 1e9:.1f} {total:.6f}')
