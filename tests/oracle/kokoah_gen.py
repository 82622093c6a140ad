#!/usr/bin/env python3
"""kokoah_gen.py SEED OUT: a small, crowded world for the Kokoah pay rule, made to let clauses meet.

Writes the tables as CSV into OUT with period.txt (FROM TO). The same seed gives the same bytes. Few miners share few
addresses, owners and coins; times, prices, volumes and values sit on the edges of the definitions as often as not.
"""
import csv
import os
import random
import sys
from datetime import date, timedelta
from fractions import Fraction

DAY = 86_400_000
EPOCH = date(1970, 1, 1)
NAMES = ["a", "B", "a-b", "m10", "m2", "zz", "M", "é", "ab", "Z9", "0"]


def iso(day):
    return (EPOCH + timedelta(day)).isoformat()


def text(x):
    """A Fraction with at most 18 decimals, as text."""
    n = round(Fraction(x) * 10 ** 18)
    whole, part = divmod(abs(n), 10 ** 18)
    tail = f"{part:018d}".rstrip("0")
    return ("-" if n < 0 else "") + str(whole) + ("." + tail if tail else "")


class World:
    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.kind = r.choice(["short", "short", "middle", "middle", "mirror", "mirror", "long", "long"])
        self.length = {"short": r.randint(6, 20), "middle": r.randint(30, 48), "mirror": r.randint(12, 45),
                       "long": r.randint(96, 130)}[self.kind]
        self.calm = self.kind == "long" and r.random() < 0.8     # records good enough for the skill pool
        self.pure = self.kind == "mirror" and r.random() < 0.5      # no other positions than those of the mirrored pair
        self.first = (r.choice([date(2023, 1, 1), date(2024, 2, 10), date(2024, 12, 20), date(2025, 6, 1)]) - EPOCH).days
        self.days = range(self.first, self.first + self.length)
        self.coins = r.sample(["BTC", "ETH", "TAO", "kPEPE", "@1"], r.randint(1, 3))
        self.addresses = ["0x" + "".join(r.choice("0123456789abcdef") for _ in range(40)) for _ in range(r.randint(2, 6))]
        self.masters = ["0x" + "".join(r.choice("0123456789abcdef") for _ in range(40)) for _ in range(2)]
        self.strangers = ["0x" + "".join(r.choice("0123456789abcdef") for _ in range(40)) for _ in range(3)]
        self.coldkeys = ["ck1", "ck2"] if self.kind != "mirror" or r.random() < 0.3 else ["ck1"]
        if seed % 10 == 8:              # a coldkey that looks like an address is still none
            self.coldkeys[0] = self.strangers[0]
        self.price = {c: Fraction(r.choice([1, 2, 3, 100, 7, Fraction("0.000123"), Fraction("64000.5")])) for c in self.coins}
        self.price.setdefault("TAO", Fraction(450))
        self.price["HELD"] = Fraction(r.choice([1, 7, 1000]))
        self.tables = {name: [] for name in ("identity", "fill", "value_point", "flow", "transfer", "candle", "position",
                                             "fill_read", "agent", "pool_rate")}

    # -- chances

    def maybe(self, p):
        return self.r.random() < p

    def decimal(self, low, high, places=None):
        places = self.r.choice([0, 1, 2, 6, 18]) if places is None else places
        return Fraction(self.r.randint(int(low * 10 ** places), int(high * 10 ** places)), 10 ** places)

    def moment(self, day):
        """A time of the day, often its edge."""
        t0 = day * DAY
        return t0 + self.r.choice([0, 0, 1, DAY - 1, DAY - 1, DAY // 2, self.r.randrange(DAY), self.r.randrange(DAY)])

    def add(self, table, **row):
        self.tables[table].append(row)

    # -- who

    def make_identities(self):
        r = self.r
        count = r.randint(1, min(5, len(self.addresses) + 1)) if self.kind != "mirror" else r.randint(2, 5)
        for name in r.sample(NAMES, count):
            t = self.moment(self.first + (0 if self.calm or self.maybe(0.6) else r.randrange(self.length)))
            address, coldkey = r.choice(self.addresses), self.a_coldkey()
            number = 0
            gaps = {"long": [5, 40, 90, 200], "mirror": [1, 5, 12, 30, 30]}.get(self.kind, [0, 1, 2, 5, 12, 30])
            gaps = [95, 100, 120, 200] if self.calm else gaps
            while t < (self.first + self.length + 2) * DAY:
                row = {"miner": name, "linked_at": t, "hotkey": f"{name}-hk{number}", "coldkey": coldkey,
                       "address": address, "master": self.a_master(), "unlinked_at": ""}
                gap = r.choice(gaps)
                t = max(t + 1, self.moment(t // DAY + gap))
                what = r.choice(["swap", "swap", "address", "coldkey", "unlink", "unlink", "flicker", "stay", "stay"])
                if what == "unlink" or (what != "stay" and self.maybe(0.3)):
                    row["unlinked_at"] = t - r.choice([0, 0, 1]) if t - 1 > row["linked_at"] else t
                if self.fits(row):
                    self.tables["identity"].append(row)
                    number += 1
                if what == "stay" or number > 5:
                    break
                if what == "flicker":
                    row["unlinked_at"] = row["linked_at"] + 1
                if what == "unlink":
                    t = max(t + r.choice([0, 1]), self.moment(t // DAY + r.choice([0, 0, 1, 2, 6])))
                if what == "address" or self.maybe(0.2):
                    address = r.choice(self.addresses)
                if what == "coldkey" or self.maybe(0.2):
                    coldkey = self.a_coldkey()
        if not self.tables["identity"]:
            raise AssertionError("the first identity always fits")
        self.first = min(row["linked_at"] for row in self.tables["identity"]) // DAY
        self.used = sorted({row["address"] for row in self.tables["identity"]})

    def a_coldkey(self):
        return self.r.choice(self.coldkeys + [""]) if self.kind != "mirror" and not self.calm else self.r.choice(self.coldkeys)

    def a_master(self):
        return self.r.choice(["", "", ""] + self.masters + self.addresses[:1])

    def holders(self, day, rows):
        """Who is linked to what at the end of a day."""
        last = {}
        for row in rows:
            if row["linked_at"] < (day + 1) * DAY:
                if row["miner"] not in last or row["linked_at"] > last[row["miner"]]["linked_at"]:
                    last[row["miner"]] = row
        return [row for row in last.values() if row["unlinked_at"] == "" or row["unlinked_at"] >= (day + 1) * DAY]

    def fits(self, row):
        """No address is held by two miners at the end of a day, the days after the period included."""
        rows = self.tables["identity"] + [row]
        if any(o["miner"] == row["miner"] and o["linked_at"] == row["linked_at"] for o in self.tables["identity"]):
            return False
        for day in range(min(self.days), max(self.days) + 6):
            held = [x["address"] for x in self.holders(day, rows)]
            if len(held) != len(set(held)):
                return False
        return True

    def make_transfers(self):
        everyone = self.addresses + self.masters + self.strangers
        for _ in range(self.r.choice([0, 0, 1, 2, 4])):
            a, b = self.r.choice(everyone), self.r.choice(everyone)
            self.add("transfer", sender=a, receiver=b, time=self.moment(self.r.choice(self.days)))
            if self.maybe(0.1):
                self.tables["transfer"].append(dict(self.tables["transfer"][-1]))

    # -- account values

    def make_values(self):
        for address in self.used:
            style = self.r.choice(["edge", "constant", "steady", "losses", "ladder", "small", "least", "wild", "zero"])
            if self.kind == "long":
                style = self.r.choice(["steady", "steady", "steady", "constant", "losses", "ladder", "edge", "saw"])
            born = min(self.days) + (self.r.randrange(self.length) if self.maybe(0 if self.calm else 0.3) else -self.r.choice([0, 1, 3]))
            self.value_series(address, style, born)

    def value_series(self, address, style, born):
        r = self.r
        value = Fraction(10_000) if style in ("edge", "constant") else Fraction(r.choice([12_000, 10_000, 20_000, 25_000]))
        if style in ("small", "least"):
            value = Fraction(r.choice([500, 499, 700]) if style == "small" else 500)
        times = set()
        gap = 0.004 if self.calm else 0.02 if self.kind == "long" else 0.12
        for day in range(born, max(self.days) + 3):
            if self.maybe(gap):
                continue
            t0 = day * DAY
            count = r.choice([4, 4, 4, 5, 6]) if self.maybe(0.99 if self.calm else 0.93) else r.choice([1, 2, 3])
            picks = {t0 + r.randrange(DAY) for _ in range(count)}
            if self.maybe(0.5):
                picks = set(list(picks)[1:]) | {t0 + r.choice([0, 1, DAY - 1])}
            if style == "ladder":
                picks |= {t0}
            for t in sorted(picks):
                value = self.next_value(style, value, t)
                times.add(t)
                self.add("value_point", address=address, time=t, value=text(value), first=0)
            if style in ("edge", "constant") and self.maybe(0.3):
                self.add("flow", address=address, time=self.moment(day), usd=text(r.choice([-100, 100, -1000, 2500])))
        rows = [row for row in self.tables["value_point"] if row["address"] == address]
        if rows and self.maybe(0.6):
            min(rows, key=lambda row: row["time"])["first"] = 1

    def next_value(self, style, value, t):
        r = self.r
        if style == "edge":
            return Fraction(10_000) + r.choice([0, 0, 0, Fraction(1, 10 ** 6), -Fraction(1, 10 ** 6), 5, -5])
        if style in ("constant", "least"):
            return value
        if style == "ladder":       # the day's return is the step at its end: exact tenths, or a hair beside
            if t % DAY or value > 10 ** 6:
                return value if value < 10 ** 6 else Fraction(20_000)
            step = r.choice([Fraction(9, 10), Fraction(11, 10), Fraction(1), Fraction(10, 9), Fraction(1)])
            return Fraction(round(value * step * 10 ** 12), 10 ** 12) if value > 8_000 else Fraction(16_000)
        if style == "steady":
            return max(Fraction(10_100), round(value * (1 + Fraction(r.randint(-20, 60), 20_000)), 6)) if value < 10 ** 6 else value
        if style == "losses":
            return round(value * r.choice([Fraction(9, 10), Fraction(89, 100), Fraction(115, 100), Fraction(104, 100), 1]), 9) \
                if 5_000 < value < 10 ** 6 else Fraction(15_000)
        if style == "saw":
            return Fraction(20_000) + (t // DAY % 2) * r.choice([100, 100, 2000])
        if style == "small":
            return Fraction(r.choice([500, 500, 499, 501, Fraction("500.000000000000000001")]))
        if style == "zero":
            return Fraction(r.choice([0, 0, -50, 12_000, 30_000, Fraction(1, 10 ** 6)]))
        return self.decimal(5_000, 40_000)

    def make_flows(self):
        for _ in range(self.r.choice([0, 0, 1] if self.calm else [0, 2, 8])):
            row = {"address": self.r.choice(self.used), "time": self.moment(self.r.choice(self.days)),
                   "usd": text(self.decimal(-3000, 3000))}
            self.add("flow", **row)
            if self.maybe(0.2):
                self.add("flow", **row)

    # -- fills

    def make_fills(self):
        r = self.r
        linked_at = [row["linked_at"] for row in self.tables["identity"]]
        self.tid = 1
        for row in self.tables["identity"]:
            if self.maybe(0.25):
                self.qualify(row)
        for address in self.used:
            rate = r.choice({"long": [0.5, 1, 1], "mirror": [-1, 0.2, 1]}.get(self.kind, [0.3, 1, 3]))
            quiet = min(self.days) + r.randrange(self.length) if self.maybe(0.3) else max(self.days) + 2
            for day in range(min(self.days) - 1, max(self.days) + 3):
                if day > quiet:
                    break
                for _ in range(max(0, int(rate + r.random()))):
                    coin = r.choice(self.coins)
                    t = self.moment(day)
                    if self.maybe(0.08):
                        t = r.choice(linked_at) + r.choice([-1, 0, 1])
                    if self.maybe(0.25) and not self.pure:
                        self.burst(address, coin, t)
                    else:
                        side, sz, start = r.choice(["buy", "sell"]), self.size(coin), self.start(coin)
                        if start and self.maybe(0.5):
                            side, sz = "sell" if start > 0 else "buy", abs(start)
                        self.fill(address, coin, t, side, sz, start)

    def qualify(self, row):
        """Trades soon after a link, the first three worth $1,000 together, exactly or a hair less; at times all at one instant."""
        together = self.maybe(0.4)
        day = row["linked_at"] // DAY + self.r.choice([0, 1, 1, 2])
        worth = self.r.choice([[333, 333, 334], [1, 500, 499], [400, 200, Fraction("399.999999")], [600, 300, 100], [500, 500, 1, 700, 30]])
        for i, usd in enumerate(worth):
            px = Fraction(self.r.choice([1, 2, 4]))
            t = max(day * DAY, row["linked_at"]) + (0 if together else i)
            self.add("fill", address=row["address"], time=t, coin=self.r.choice(self.coins), tid=self.next_tid(),
                     side=self.r.choice(["buy", "sell"]) if together else "buy", px=text(px), sz=text(Fraction(usd) / px), start_position="", mark="", counterparty="", builder=1,
                     market="perp")

    def size(self, coin):
        r = self.r
        usd = r.choice([333, Fraction(1000, 3), 500, 334, 1000, 999, 1, 2500, 40_000, 400_000])
        if self.maybe(0.5):
            return round(Fraction(usd) / self.price[coin], r.choice([0, 2, 8])) or Fraction(1)
        return r.choice([Fraction(1), Fraction(2), Fraction(5), self.decimal(1, 30), Fraction(1, 10 ** 18)])

    def start(self, coin):
        r = self.r
        return None if self.pure else r.choice([None, Fraction(0), Fraction(0), Fraction(1), Fraction(-1), Fraction(2), Fraction(-2), self.decimal(-9, 9)])

    def burst(self, address, coin, t):
        """Several fills at one instant: a chain, a loop, both sides of one trade, or unrelated."""
        r = self.r
        shape = r.choice(["chain", "chain", "loop", "self", "loose", "forest"])
        position = self.start(coin)
        if position is None:
            position = Fraction(0)
        begin = position
        steps = []
        for _ in range(r.randint(2, 4)):
            side, sz = r.choice(["buy", "sell"]), r.choice([Fraction(1), Fraction(2), self.size(coin)])
            steps.append((side, sz, position))
            position += sz if side == "buy" else -sz
        if shape == "loop" and position != begin:
            steps.append(("buy" if begin > position else "sell", abs(begin - position), position))
        if shape == "self":
            sz = Fraction(r.choice([1, 2]))
            steps = [("buy", sz, begin), ("sell", sz, r.choice([begin + sz, begin, begin - sz]))]
        if shape == "forest":
            steps += [(s, z, p + 1) for s, z, p in steps]
        if shape == "loose":
            steps = [(s, z, self.start(coin)) for s, z, _ in steps]
        r.shuffle(steps)
        shared = self.next_tid() if shape == "self" else None
        market = "perp" if self.maybe(0.75) else None
        for side, sz, start in steps:
            if self.maybe(0.1):
                start = None
            self.fill(address, coin, t, side, sz, start, tid=shared, market=market)

    def next_tid(self):
        self.tid += self.r.choice([1, 1, 7, 90])
        # Small numbers of one and of several digits: their order as text is another than as numbers.
        return self.tid if self.maybe(0.7) else 10 ** 15 - self.tid

    def fill(self, address, coin, t, side, sz, start, tid=None, market=None):
        r = self.r
        mark = r.choice([None, self.price[coin], self.price[coin], self.decimal(1, 9, 6), Fraction(7), Fraction(1, 4)])
        px = mark or self.price[coin]
        if self.calm and self.maybe(0.97):
            mark = px = self.price[coin]
        px = px * r.choice([1, 1, 1] if self.calm and self.maybe(0.97) else [1, 1, 1, Fraction("1.005"), Fraction("0.995"), Fraction("1.00500000000001"), Fraction("1.02"),
                            Fraction("0.9"), Fraction("1.001")])
        px = Fraction(round(px * 10 ** 18) + r.choice([0, 0, 0, 1, -1]), 10 ** 18)
        self.add("fill", address=address, time=t, coin=coin, tid=tid or self.next_tid(), side=side, px=text(px), sz=text(sz),
                 start_position="" if start is None else text(start), mark="" if mark is None else text(mark),
                 counterparty=self.counterparty(address), builder=0 if self.maybe(0.15) else 1,
                 market=market or r.choice(["perp"] * (12 if tid is None else 3) + ["spot", "dex", "outcome"]))

    def counterparty(self, address):
        r = self.r
        return r.choice(["", "", "", "", r.choice(self.strangers), r.choice(self.strangers), r.choice(self.masters),
                         r.choice(self.addresses), address if self.maybe(0.3) else ""])

    # -- positions; mirrored pairs

    def make_positions(self):
        r = self.r
        days = range(min(self.days) - 32, max(self.days) + 2)
        taken = set()

        def put(address, coin, day, size):
            if (address, coin, day) not in taken:
                taken.add((address, coin, day))
                self.add("position", address=address, coin=coin, day=iso(day), size=text(size))

        if len(self.used) > 1 and self.maybe(0.9 if self.kind == "mirror" or self.calm else 0.4):
            for _ in range(1 if self.pure else r.choice([1, 1, 2, 3])):
                a, b = self.two_of_one_owner()
                noise = r.choice([0, 0, 0, 0.1])
                # A coin that is held and never traded keeps the positions as they are put here.
                coin = r.choice(self.coins + ["HELD"] * 3)
                factor = r.choice([Fraction(1, 2), Fraction(1, 4)] if self.pure else [
                    Fraction(1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), Fraction("0.500001"), Fraction(3, 4), Fraction(3)])
                begin = r.choice(days)
                span = r.choice([9, 10, 11, 10, 20, 60, 160])
                xs, ys = self.at_the_limit() if self.maybe(0.3) else (None, None)
                for i, day in enumerate(range(begin, begin + span)):
                    if xs:
                        x, y = Fraction(xs[i % 10]), Fraction(ys[i % 10])
                    else:
                        x = Fraction(r.choice([1, 2, 3, -1, -4, 5]))
                        y = -x * factor
                        if self.maybe(noise):
                            y = r.choice([Fraction(0), x, y * 3])
                    put(a, coin, day, x)
                    put(b, coin, day, y)
        for address in self.used:
            if not self.pure and self.maybe(0.1 if self.kind == "mirror" or self.calm else 0.3):
                for day in days:
                    if self.maybe(0.3):
                        put(address, r.choice(self.coins), day, r.choice([Fraction(0), Fraction(1), Fraction(-2), self.decimal(-3, 3)]))

    def two_of_one_owner(self):
        pairs = sorted({(a["address"], b["address"]) for a in self.tables["identity"] for b in self.tables["identity"]
                        if a["address"] != b["address"] and a["coldkey"] == b["coldkey"] != ""})
        return self.r.choice(pairs) if pairs and self.maybe(0.8) else self.r.sample(self.used, 2)

    def at_the_limit(self):
        """Ten pairs of small whole numbers, none (0, 0), whose correlation is -0.8 exactly."""
        r = self.r
        while True:
            xs = [r.randint(-3, 3) for _ in range(10)]
            ys = [-x + r.choice([0, 0, 1, -1, 2]) for x in xs]
            if any(x == y == 0 for x, y in zip(xs, ys)):
                continue
            sx, sy = sum(xs), sum(ys)
            cov = 10 * sum(x * y for x, y in zip(xs, ys)) - sx * sy
            vx, vy = (10 * sum(x * x for x in v) - sum(v) ** 2 for v in (xs, ys))
            if cov < 0 and 25 * cov * cov == 16 * vx * vy:
                return xs, ys

    # -- prices, volumes and the rest

    def make_candles(self):
        r = self.r
        used = {}
        for f in self.tables["fill"]:
            if f["market"] == "perp":
                key = f["coin"], f["time"] // DAY
                used.setdefault(key, {}).setdefault(f["address"], []).append(f)
        steady = self.maybe(0.8 if self.kind == "mirror" else 0.4)
        for coin in sorted(set(self.coins) | {"TAO", "HELD"}):
            for day in range(min(self.days) - 32, max(self.days) + 2):
                for hour in sorted(r.sample(range(24), r.choice([0, 1, 1, 2, 3] if not steady and coin != "HELD" else [1]))):
                    close = self.price[coin] if steady or coin == "HELD" else self.price[coin] * self.decimal(1, 3, 3)
                    self.add("candle", coin=coin, span="1h", time=day * DAY + hour * 3_600_000,
                             close=text(close), volume=r.choice(["", "0", "12.5"]))
                if (coin, day) in used and (self.calm or self.maybe(0.9)):
                    self.volumes(coin, day, used[coin, day])

    def volumes(self, coin, day, by_address):
        """Minute candles that put the day's thin-coin limit at, just under, or far over what somebody traded."""
        r = self.r
        own = 0
        for f in by_address[r.choice(sorted(by_address))]:
            own += Fraction(round(Fraction(f["px"]) * Fraction(f["sz"]) * 10 ** 18), 10 ** 18)
        all_of_them = sum((Fraction(f["px"]) * Fraction(f["sz"]) for v in by_address.values() for f in v), Fraction(0))
        total = round(400 * all_of_them + 1, 6) if self.calm and self.maybe(0.98) else r.choice([
            4 * own, 4 * own, 4 * own - Fraction(4, 10 ** 18), own, 40 * own, 400 * own, 400 * own, Fraction(0)])
        total = max(total, Fraction(0))
        minutes = sorted(r.sample([0, 1, 60, 700, 1439], 3))
        first = round(total / 3, 6)
        for minute, volume in zip(minutes, [first, total - first, ""]):
            self.add("candle", coin=coin, span="1m", time=day * DAY + minute * 60_000, close=r.choice(["1", "1.0"]),
                     volume=volume if volume == "" else text(volume))

    def make_rest(self):
        r = self.r
        for address in self.used:
            for day in self.days:
                if self.maybe(0.005 if self.calm else 0.1):
                    self.add("fill_read", address=address, day=iso(day), count=r.choice([9_999, 10_000, 10_001, 3, ""]),
                             complete=r.choice([1, 1, 1, 0]))
        for name in sorted({row["miner"] for row in self.tables["identity"]}):
            for day in self.days:
                if self.maybe(0.4):
                    self.add("agent", miner=name, day=iso(day), verified=r.choice([0, 1, 1]))
        for day in self.days:
            for block in r.sample(range(day * 7200, day * 7200 + 7200), r.choice([0, 1, 3, 20])):
                self.add("pool_rate", day=iso(day), block=block, tao_per_alpha=text(self.decimal(Fraction("0.01"), Fraction("0.09"), 6)))

    def repeat_rows(self):
        """Keyed rows twice, their numbers written otherwise."""
        for name, column in (("fill", "px"), ("value_point", "value"), ("position", "size"), ("candle", "close"),
                             ("pool_rate", "tao_per_alpha"), ("identity", None), ("agent", None), ("fill_read", None)):
            rows = self.tables[name]
            for row in self.r.sample(rows, min(len(rows), 4)):
                row = dict(row)
                if column and "." in row[column] and len(row[column].partition(".")[2]) < 18:
                    row[column] += "0"
                elif column and "." not in row[column]:
                    row[column] += ".0"
                rows.append(row)

    def write(self, out):
        os.makedirs(out, exist_ok=True)
        for name, rows in self.tables.items():
            self.r.shuffle(rows)
            columns = HEADERS[name].split()
            self.r.shuffle(columns)
            with open(os.path.join(out, name + ".csv"), "w", newline="", encoding="utf-8") as f:
                w = csv.writer(f, lineterminator=self.r.choice(["\n", "\r\n"]))
                w.writerow(columns)
                w.writerows([row[c] for c in columns] for row in rows)
        start, end = self.first, max(self.days)
        if self.maybe(0.3):
            start = self.r.choice([start - 5, start + self.length // 2])
        if self.maybe(0.15):            # on, when no more records come
            end += self.r.choice([1, 2, 40])
        with open(os.path.join(out, "period.txt"), "w", encoding="utf-8") as f:
            f.write(f"{iso(start)} {iso(max(end, start))}\n")


HEADERS = {
    "identity": "miner linked_at hotkey coldkey address master unlinked_at",
    "fill": "address time coin tid side px sz start_position mark counterparty builder market",
    "value_point": "address time value first", "flow": "address time usd", "transfer": "sender receiver time",
    "candle": "coin span time close volume", "position": "address coin day size",
    "fill_read": "address day count complete", "agent": "miner day verified", "pool_rate": "day block tao_per_alpha",
}


def generate(seed, out):
    w = World(seed)
    for step in (w.make_identities, w.make_transfers, w.make_values, w.make_flows, w.make_fills, w.make_positions,
                 w.make_candles, w.make_rest, w.repeat_rows):
        step()
    w.write(out)


if __name__ == "__main__":
    generate(int(sys.argv[1]), sys.argv[2])
