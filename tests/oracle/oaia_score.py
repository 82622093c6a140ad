#!/usr/bin/env python3
"""oaia_score.py DATA_DIR OUT_DIR: the score from the published text; integers count 10^-18, coins come from hashlib."""
import csv
import hashlib
import os
import sys

from oaia_stop import ONE, half_even, number, rows, show, write

HOUR = 3_600_000


def times(a, b):
    return half_even(a * b, ONE)


def over(a, b):
    return half_even(a * ONE, b) if b > 0 else half_even(-a * ONE, -b)


def monkeys_below(seed, edges, total):
    """Monkeys whose total is below, and those whose is equal."""
    n = len(edges)
    stream = hashlib.shake_256(seed).digest(256 * n)
    bits = [byte >> i & 1 for byte in stream for i in range(8)]
    below = equal = 0
    for j in range(2048):
        mine = sum(e if bits[j * n + k] else -e for k, e in enumerate(edges))
        below += mine < total
        equal += mine == total
    return below, equal


def main(data, out):
    os.makedirs(out, exist_ok=True)
    close = {(r["pair"], int(r["time"])): number(r["close"]) for r in rows(data, "close")}
    slots, calls = {}, {}
    for r in rows(data, "slot"):
        slots.setdefault(r["season"], set()).add(int(r["time"]))
    universe = {(r["season"], r["pair"], int(r["horizon"])) for r in rows(data, "universe")}
    for r in rows(data, "call"):
        calls.setdefault((r["season"], r["agent"]), []).append(
            (int(r["time"]), r["pair"].encode(), int(r["horizon"]), r["direction"] == "short", number(r["size"])))

    def raw(pair, t, h):
        a, b = (None if u % HOUR else close.get((pair, u)) for u in (t, t + h * HOUR))
        return None if a is None or b is None else over(b, a) - ONE

    mu, table = {}, []
    for season, pair, h in universe:
        known = [r for r in (raw(pair, t, h) for t in slots.get(season, ())) if r is not None]
        mu[season, pair, h] = half_even(sum(known), len(known)) if known else None
        table.append((season, pair, str(h), show(mu[season, pair, h]), str(len(known))))
    write(out, "mu", ["season", "pair", "horizon", "mu", "slots"], sorted(table))

    agents = []
    for (season, agent), mine in calls.items():
        edges, total = [], 0
        for t, pair, h, short, size in sorted(mine):
            pair = pair.decode()
            r = raw(pair, t, h)
            if t not in slots.get(season, ()) or (season, pair, h) not in universe or r is None:
                continue
            edge = over(times(r - mu[season, pair, h], size), 100 * ONE)
            edges.append(edge)
            total += -edge if short else edge
        seed = hashlib.sha256(f"OAIA|{season}|{agent}".encode()).digest()
        below, equal = monkeys_below(seed, edges, total)
        percentile = half_even(100 * (2 * below + equal) * ONE, 2 * 2048)
        agents.append([season, agent, len(mine), len(edges), total, percentile])
    agents.sort(key=lambda a: (a[0], -a[5], -a[4], a[1].encode()))
    rank, table = {}, []
    for season, agent, n, scored, total, percentile in agents:
        place = ""
        if scored >= 10:
            rank[season] = rank.get(season, 0) + 1
            place = str(rank[season])
        table.append((season, agent, str(n), str(scored), show(total), show(percentile), "ranked" if scored >= 10 else "proving", place))
    write(out, "agent", ["season", "agent", "calls", "scored", "total", "percentile", "status", "rank"], table)


if __name__ == "__main__":
    main(*sys.argv[1:])
