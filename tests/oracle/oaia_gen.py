#!/usr/bin/env python3
"""oaia_gen.py stop|score SEED OUT_DIR: a small, crowded input whose clauses meet each other; prints the period (stop).

Few addresses play every part at once (taker, pool, funder, excluded, way through); times fall on one another, on both ends of a day and of
24 hours; amounts on the bounds.
"""
import csv
import os
import random
import sys

DAY = 86_400_000
HOUR = 3_600_000
START = 20_454 # 2026-01-01


def table(out, name, header, rows):
    with open(os.path.join(out, name + ".csv"), "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(header)
        w.writerows(rows)


def day_text(d):
    import datetime
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=d)).isoformat()


class Stop:
    def __init__(self, r):
        self.r = r
        self.people = [f"0x{c}{i}" for i, c in enumerate("abcdefgh"[:r.randint(4, 8)])]
        self.pools = r.sample(self.people, r.choice([0, 0, 1])) + ["0xpool", "0xpool2"][:r.randint(1, 2)]
        self.length = r.choice([3, 8, 34, 45, 70])
        self.busy = r.sample(range(self.length), min(self.length, r.randint(1, 9)))
        self.grid = [0, 1, HOUR, 12 * HOUR, DAY - 1, DAY - 2] + [r.randrange(DAY) for _ in range(4)]
        self.near = []

    def time(self):
        r = self.r
        if self.near and r.random() < 0.4: # at, or just by, another time; or a day from it
            t = r.choice(self.near) + r.choice([0, 0, 0, 1, -1, 1000, DAY, DAY + 1, DAY - 1])
        else:
            t = (START + r.choice(self.busy)) * DAY + r.choice(self.grid)
        t = min(max(t, START * DAY), (START + self.length) * DAY - 1)
        self.near.append(t)
        return t

    def amount(self):
        r = self.r
        return r.choice(["0", "1", "100", "80", "79.999999999999999999", "125", "0.000000000000000001", "0.5", str(r.randint(1, 300)), f"{r.randint(1, 99)}.{r.randint(1, 999)}"])

    def write(self, out):
        r, people = self.r, self.people
        swaps, transfers, funding, seqs = [], [], [], {}
        last = (START + self.length) * DAY - 1

        def swap(t, taker, side, tokens):
            t = min(t, last)
            seq = seqs.setdefault(t, r.choice([0, 1, 100]))
            seqs[t] += r.choice([1, 1, 2])
            usd = r.choice(["0", "500", "499.999999999999999999", "250", str(r.randint(0, 900)), f"{r.randint(0, 400)}.{r.randint(0, 9)}"])
            pool = r.choice(self.pools)
            swaps.append((t, seq, f"s{len(swaps)}", taker, side, tokens, usd, pool))
            if r.random() < 0.3:
                a, b = (pool, taker) if side == "buy" else (taker, pool)
                transfers.append((t, f"s{len(swaps)}", a, b, tokens))

        for _ in range(r.randint(1, 30)):
            swap(self.time(), r.choice(people), r.choice(["buy", "sell"]), self.amount())
        for _ in range(r.choice([0, 1, 3, 4, 6])): # buys that are sold again, whole or in parts, on the bounds
            t, taker = self.time(), r.choice(people[:2])
            bought = r.choice(["100", "0.000000000000000001", "3", "7.5"])
            swap(t, taker, "buy", bought)
            if r.random() < 0.5:
                swap(t, taker, "buy", "50")
            for _ in range(r.choice([1, 1, 2])):
                swap(t + r.choice([0, 1, HOUR, DAY - 1, DAY, DAY + 1]), taker, "sell", r.choice(["80", "79.999999999999999999", "120", "40", "2.4", "6", "0.000000000000000001"]))
        for _ in range(r.choice([0, 1, 2, 4])): # a buy, a way through, a sell
            t, path = self.time(), r.sample(people + self.pools[:1] * (r.random() < 0.2), r.randint(2, min(5, len(people))))
            swap(t, path[0], "buy", self.amount())
            end = t + r.choice([0, 1, HOUR, DAY, DAY + 1])
            for k, (a, b) in enumerate(zip(path, path[1:])):
                at = min(max(t, r.choice([t, t, end, (t + end) // 2]) if k else t), end, last)
                transfers.append((at, f"l{len(transfers)}", a, b, r.choice(["1", "0.5", "1", "0"])))
                t = at
            swap(end, path[-1], "sell", self.amount())
        for _ in range(r.randint(0, 40)):
            a, b = r.choice(people + [""] + self.pools), r.choice(people + [""] + self.pools)
            transfers.append((self.time(), f"t{len(transfers)}", a, b, self.amount()))
        for _ in range(r.randint(0, 8)): # a way through, step by step, perhaps at one moment
            t, path = self.time(), r.sample(people, r.randint(2, min(5, len(people))))
            for a, b in zip(path, path[1:]):
                transfers.append((t, f"p{len(transfers)}", a, b, self.amount()))
                t += r.choice([0, 0, 1, HOUR])
                t = min(t, (START + self.length) * DAY - 1)
        for a in people + self.pools: # about the bound of dust
            if r.random() < 0.5:
                transfers.append((self.time(), "m", "", a, r.choice(["1000000", "999999.999999999999999999", "1000000.5", "2000000"])))
        if r.random() < 0.5: # many holders, of whom a few go
            t, n = START * DAY + r.randrange(3) * DAY * (self.length > 30), r.choice([100, 101, 120])
            crowd = [f"0xh{i}" for i in range(n)]
            transfers += [(t, "m", "", a, "1000000") for a in crowd]
            for day in sorted(r.sample(range(self.length), min(self.length, 4))):
                for a in r.sample(crowd, r.choice([3, 10, 15, 16, 18])):
                    transfers.append(((START + day) * DAY + r.choice([0, DAY - 1, 5]), "g", a, r.choice(["", "0xh0"]), r.choice(["0.000000000000000001", "1"])))
        if r.random() < 0.4: # one funder of most, early
            boss = r.choice(people + ["0xf", "0xexchange"])
            funding += [(START * DAY + r.choice([0, HOUR, 3 * DAY]), boss, a) for a in people if r.random() < 0.8]
        for a in people:
            for _ in range(r.choice([0, 1, 1, 2])):
                funding.append((self.time(), r.choice(people + ["0xf", "0xe", "zF", "0xexchange"]), a))
        excluded = [(a, r.choice(["operator", "lp-timelock", "vesting", "burn", "service"])) for a in r.sample(people + self.pools + ["0xexchange", "0xh1"], r.randint(0, 3))]
        notices = []
        for _ in range(r.choice([0, 0, 0, 0, 1, 2])):
            effective = (START + r.randint(-2, self.length + 2)) * DAY + r.choice([0, DAY - 1, 7])
            notices.append((effective - 30 * DAY + r.choice([0, 1, -1, -DAY]), effective))
        transfers = transfers + [r.choice(transfers) for _ in range(r.choice([0, 0, 2])) if transfers]
        for t in (swaps, transfers, funding):
            r.shuffle(t)
        table(out, "swap", ["time", "seq", "tx", "taker", "side", "tokens", "usd", "pool"], swaps)
        table(out, "token_transfer", ["time", "tx", "sender", "receiver", "tokens"], transfers)
        table(out, "funding", ["time", "sender", "receiver"], funding)
        table(out, "excluded", ["address", "why"], excluded)
        if notices or r.random() < 0.5:
            table(out, "notice", ["time", "effective"], notices)
        print(day_text(START + r.choice([-3, 0, 0, 2])), day_text(START + self.length + r.choice([0, 0, 3])))


def score(r, out):
    pairs = r.sample(["BTC-USD", "ETH", "a,b", "Z", "é", "AA"], r.randint(1, 4))
    seasons = ["S1", "S2"][:r.randint(1, 2)]
    hours = 60
    base = 1_767_225_600_000
    close = [(p, base + h * HOUR + r.choice([0] * 9 + [1]), r.choice(["100", "1", f"{r.randint(1, 999)}.{r.randint(1, 10**9)}", "0.000001"]))
             for p in pairs for h in range(hours) if r.random() < 0.8]
    slots = sorted({(s, base + r.choice([0, 0, 0, 1]) + r.randrange(40) * HOUR) for s in seasons for _ in range(r.randint(0, 20))})
    universe = sorted({(s, p, r.choice([1, 2, 3, 24])) for s in seasons for p in pairs for _ in range(2)})
    agents = r.sample(["alpha", "beta", "B", "z|z", "ü", "Alpha"], r.randint(1, 6))
    calls = []
    for a in agents:
        for _ in range(r.choice([1, 5, 10, 12, 30])):
            s = r.choice(seasons)
            t = r.choice([x[1] for x in slots if x[0] == s] or [base]) + r.choice([0] * 20 + [1, HOUR])
            calls.append([s, a, t, r.choice(pairs + ["none"] if r.random() < 0.1 else pairs), r.choice(["long", "short"]),
                          r.choice(["0", "100", "50", "33.333333333333333333", str(r.randint(0, 100))]), r.choice([1, 2, 3, 24])])
    if len(agents) > 1: # one agent copies another, one takes the other sides
        for c in [c for c in calls if c[1] == agents[0]]:
            calls.append([c[0], "copy"] + c[2:])
            calls.append([c[0], "anti"] + c[2:4] + ["short" if c[4] == "long" else "long"] + c[5:])
    r.shuffle(calls)
    table(out, "close", ["pair", "time", "close"], close)
    table(out, "slot", ["season", "time"], slots)
    table(out, "universe", ["season", "pair", "horizon"], universe)
    table(out, "call", ["agent", "season", "time", "pair", "direction", "size", "horizon"], [[c[1], c[0]] + c[2:] for c in calls])


def make(kind, seed, folder):
    os.makedirs(folder, exist_ok=True)
    source = random.Random(f"{kind} {seed}")
    if kind == "stop":
        Stop(source).write(folder)
    else:
        score(source, folder)


if __name__ == "__main__":
    make(*sys.argv[1:])
