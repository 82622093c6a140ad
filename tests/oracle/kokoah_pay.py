#!/usr/bin/env python3
"""kokoah_pay.py DATA FROM TO OUT: a second opinion on the Kokoah pay rule.

Computes the sheets account, day and report of every day FROM ... TO from the CSV tables of DATA into OUT, straight from
the definitions of the specification, day by day and with loops, knowing nothing of rule files or of the engine.
Exit status 4 and a message when the data is not allowed.
"""
import csv
import io
import os
import sys
from collections import defaultdict
from datetime import date, timedelta

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from exact import (BadData, ONE, apportion, clip, correl, div, gpr, mean, mul, number, psr, ratio, show, twa,  # noqa: E402
                   value_at)

DAY = 86_400_000
EPOCH = date(1970, 1, 1)
N = number

TABLES = {      # column: type; * key, ? may be empty
    "identity": "miner* linked_at*:time hotkey coldkey? address master? unlinked_at?:time",
    "fill": "address* time*:time coin* tid*:whole side*:side px:number sz:number start_position?:number mark?:number"
            " counterparty? builder:flag market:market",
    "value_point": "address* time*:time value:number first:flag",
    "flow": "address time:time usd:number",
    "transfer": "sender receiver time:time",
    "candle": "coin* span*:span time*:time close:number volume?:number",
    "position": "address* coin* day*:day size:number",
    "fill_read": "address* day*:day count?:whole complete?:flag",
    "agent": "miner* day*:day verified:flag",
    "pool_rate": "day*:day block*:whole tao_per_alpha:number",
}
WORDS = {"side": ("buy", "sell"), "flag": ("0", "1"), "market": ("perp", "spot", "dex", "outcome"), "span": ("1m", "1h")}


def day_number(text):
    try:
        d = date.fromisoformat(text)
    except ValueError:
        raise BadData(f"not a day: {text!r}") from None
    return (d - EPOCH).days


def read_cell(kind, text):
    if kind == "number":
        return number(text)
    if kind in ("time", "whole"):
        try:
            return int(text)
        except ValueError:
            raise BadData(f"not a whole number: {text!r}") from None
    if kind == "day":
        return day_number(text)
    if kind in WORDS and text not in WORDS[kind]:
        raise BadData(f"{text!r} is none of {WORDS[kind]}")
    return int(text) if kind == "flag" else text


def read_table(folder, table):
    path = os.path.join(folder, table + ".csv")
    if not os.path.exists(path):
        raise BadData(f"no table {table}")
    columns = []
    for word in TABLES[table].split():
        name, _, kind = word.partition(":")
        columns.append((name.rstrip("*?"), kind or "text", "*" in name, "?" in name))
    rows, seen = [], {}
    with open(path, newline="", encoding="utf-8") as f:
        reader = csv.DictReader(f)
        for name, *_ in columns:
            if name not in (reader.fieldnames or []):
                raise BadData(f"{table}: no column {name}")
        for line in reader:
            row, key = {}, []
            for name, kind, is_key, may_be_empty in columns:
                text = line[name]
                if text == "" and not may_be_empty:
                    raise BadData(f"{table}: {name} is empty")
                row[name] = None if text == "" else read_cell(kind, text)
                if is_key:
                    key.append(row[name])
            key = tuple(key)
            if key in seen:
                if seen[key] != row:
                    raise BadData(f"{table}: key {key} twice with other values")
                continue
            if key:
                seen[key] = row
            rows.append(row)
    return rows


class Groups:
    """Union-find over any values."""

    def __init__(self):
        self.parent = {}

    def root(self, x):
        self.parent.setdefault(x, x)
        while self.parent[x] != x:
            x = self.parent[x]
        return x

    def join(self, a, b):
        self.parent[self.root(a)] = self.root(b)

    def owner_of(self, row):
        """An identity's address with its master and with all of its coldkey."""
        self.root(row["address"])
        if row["master"] is not None:
            self.join(row["address"], row["master"])
        if row["coldkey"] is not None:
            self.join(row["address"], ("coldkey", row["coldkey"]))


def after(fill):
    if fill["start_position"] is None:
        return None
    return fill["start_position"] + (fill["sz"] if fill["side"] == "buy" else -fill["sz"])


def is_off_market(fill):
    return fill["mark"] is not None and abs(div(fill["px"], fill["mark"]) - ONE) > N("0.005")


class Data:
    """The tables, and what follows from records of an address and a day alone."""

    def __init__(self, folder):
        t = {name: read_table(folder, name) for name in TABLES}
        self.identities = t["identity"]
        self.transfers = t["transfer"]
        self.perp = defaultdict(list)           # (address, day) -> fills
        self.coin_fills = defaultdict(list)     # (address, coin) -> fills
        for f in t["fill"]:
            if f["mark"] is not None and f["mark"] <= 0:
                raise BadData("fill: mark is not above 0")
            if f["market"] == "perp":
                self.perp[f["address"], f["time"] // DAY].append(f)
                self.coin_fills[f["address"], f["coin"]].append(f)
        self.points = defaultdict(list)
        for p in t["value_point"]:
            self.points[p["address"]].append((p["time"], p["value"], p["first"]))
        for address, points in self.points.items():
            points.sort()
            if any(first for _, _, first in points[1:]):
                raise BadData(f"value_point: a later point of {address} says it is the first")
        self.flows = defaultdict(int)
        for f in t["flow"]:
            self.flows[f["address"], f["time"] // DAY] += f["usd"]
        self.minute_volume = defaultdict(int)   # (coin, day) -> sum of close * volume
        self.hour_closes = defaultdict(list)    # (coin, day) -> (time, close)
        for c in t["candle"]:
            key = c["coin"], c["time"] // DAY
            if c["span"] == "1m":
                self.minute_volume[key] += mul(c["close"], c["volume"] or 0)
            else:
                self.hour_closes[key].append((c["time"], c["close"]))
        self.position = {(p["address"], p["coin"], p["day"]): p["size"] for p in t["position"]}
        self.coins = defaultdict(set)           # address -> coins it has a perp fill or a position in
        for address, coin in list(self.coin_fills) + [(a, c) for a, c, _ in self.position]:
            self.coins[address].add(coin)
        self.read_limited = {(r["address"], r["day"]) for r in t["fill_read"]
                             if r["complete"] == 0 or (r["count"] is not None and r["count"] >= 10_000)}
        self.verified = {(a["miner"], a["day"]) for a in t["agent"] if a["verified"]}
        self.rates = defaultdict(list)
        for r in t["pool_rate"]:
            self.rates[r["day"]].append(r["tao_per_alpha"])
        self.day_end_value = {}

    def account_value(self, address, day):
        """(average, end value) or None when the day is unknown."""
        t0, t1 = day * DAY, (day + 1) * DAY
        points = [p for p in self.points[address] if p[0] < t1 + DAY]
        inside = [p for p in points if t0 <= p[0] < t1]
        reaches = any(p[0] <= t0 for p in points) or any(first for _, _, first in inside)
        if len(inside) < 4 or not reaches:
            return None
        line = [(t, v) for t, v, _ in points]
        return twa(line, t0, t1), value_at(line, t1)

    def is_shadowed(self, address, day):
        if (address, day) in self.read_limited:
            return True
        own = defaultdict(int)
        for f in self.perp[address, day]:
            own[f["coin"]] += mul(f["px"], f["sz"])
        return any(v > mul(N("0.25"), self.minute_volume[coin, day]) for coin, v in own.items())

    def off_market(self, address, day):
        total = 0
        for f in self.perp[address, day]:
            if is_off_market(f):
                gain = mul(f["mark"] - f["px"], f["sz"])
                total += gain if f["side"] == "buy" else -gain
        return total

    def round_trips(self, address, day):
        count = 0
        for f in self.perp[address, day]:
            start = f["start_position"]
            if start is not None and start != 0:
                end = after(f)
                count += end == 0 or (end > 0) != (start > 0)
        return count

    def end_value(self, address, coin, day):
        """Signed value of the position at the end of a day."""
        key = address, coin, day
        if key not in self.day_end_value:
            closes = self.hour_closes.get((coin, day))
            self.day_end_value[key] = mul(self.end_position(*key), max(closes)[1]) if closes else 0
        return self.day_end_value[key]

    def end_position(self, address, coin, day):
        t1 = (day + 1) * DAY
        fills = [f for f in self.coin_fills.get((address, coin), ()) if t1 <= f["time"] < t1 + DAY]
        if fills:
            instant = min(f["time"] for f in fills)
            fills = [f for f in fills if f["time"] == instant]
            starts = [f for f in fills if f["start_position"] is None or
                      all(g is f or after(g) != f["start_position"] for g in fills)]
            if len(starts) != 1:
                starts = sorted(fills, key=lambda f: (f["tid"], f["side"]))
            if starts[0]["start_position"] is not None:
                return starts[0]["start_position"]
        return self.position.get((address, coin, day), 0)


class Miner:
    """What is carried from day to day."""

    def __init__(self, name, rows):
        self.name = name
        self.rows = sorted(rows, key=lambda r: r["linked_at"])
        self.smoothed = self.g = 0
        self.raw, self.ret = [], []         # known returns, oldest first
        self.days = {}                      # day -> (identity, account value, round trips, active)
        self.notional = {}
        self.penalty_until = -1
        self.trades, self.traded = 0, 0     # of the identity, so far
        self.qualifying = None

    def identity(self, day):
        """(row, linked) of the row that counts on a day; (None, False) before the first link."""
        rows = [r for r in self.rows if r["linked_at"] < (day + 1) * DAY]
        if not rows:
            return None, False
        gone = rows[-1]["unlinked_at"]
        return rows[-1], not (gone is not None and gone < (day + 1) * DAY)


class Rule:
    def __init__(self, data):
        self.data = data
        rows = defaultdict(list)
        for row in data.identities:
            rows[row["miner"]].append(row)
        self.miners = [Miner(name, rows[name]) for name in sorted(rows, key=lambda s: s.encode())]
        self.first = min(row["linked_at"] for row in data.identities) // DAY

    def run(self, start, end):
        account, days, report = [], [], []
        for day in range(self.first, end + 1):
            a, d, r = self.one_day(day)
            if day >= start:
                account += a
                days.append(d)
                report += r
        account.sort(key=lambda row: (row["miner"].encode(), row["day"]))
        report.sort(key=lambda row: (row["miner"].encode(), row["day"]))
        return {"account": account, "day": days, "report": report}

    # -- one day

    def one_day(self, day):
        t1 = (day + 1) * DAY
        linked = {}                             # miner -> row
        for m in self.miners:
            row, is_linked = m.identity(day)
            if is_linked:
                linked[m] = row
        addresses = [row["address"] for row in linked.values()]
        for a in addresses:
            if addresses.count(a) > 1:
                raise BadData(f"two miners are linked to {a} on {EPOCH + timedelta(day)}")

        cluster = Groups()
        for row in self.data.identities:
            if row["linked_at"] < t1:
                cluster.owner_of(row)
        for t in self.data.transfers:
            if t["time"] < t1:
                cluster.join(t["sender"], t["receiver"])
        owner = Groups()
        for row in linked.values():
            owner.owner_of(row)

        mirrored = self.mirrored_shares(day, linked, owner)
        report = []
        for m in linked:
            if mirrored[m] > N("0.5"):
                report.append({"miner": m.name, "day": day, "m": mirrored[m]})
                for other, row in linked.items():
                    if owner.root(row["address"]) == owner.root(linked[m]["address"]):
                        other.penalty_until = day + 29

        rows = {}
        for m in self.miners:
            if m.rows[0]["linked_at"] < t1:
                rows[m] = self.account(m, day, linked, set(addresses), cluster, mirrored)
        d = self.pools(day, rows)
        return list(rows.values()), d, report

    def mirrored_shares(self, day, linked, owner):
        days = range(day - 29, day + 1)
        groups = defaultdict(list)
        for row in linked.values():
            groups[owner.root(row["address"])].append(row["address"])
        shares = {}
        for m, row in linked.items():
            a = row["address"]
            others = [b for b in groups[owner.root(a)] if b != a]
            shares[m] = self.mirrored_share(a, others, days) if others else 0
        return shares

    def mirrored_share(self, a, others, days):
        value = self.data.end_value
        over = under = 0
        for coin in sorted(self.data.coins[a]):
            xa = [value(a, coin, t) for t in days]
            under += sum(map(abs, xa))
            against = [0] * len(days)
            for b in others:
                xb = [value(b, coin, t) for t in days]
                both = [(x, y) for x, y in zip(xa, xb) if x or y]
                if len(both) < 10:
                    continue
                c = correl([x for x, _ in both], [y for _, y in both])
                if c is not None and c < N("-0.8"):
                    for i, (x, y) in enumerate(zip(xa, xb)):
                        if (x > 0 > y) or (x < 0 < y):
                            against[i] += abs(y)
            over += sum(min(abs(x), y) for x, y in zip(xa, against))
        return div(over, under) if under else 0

    def credit(self, m, day, row, linked_addresses, cluster):
        """(fees, value) of the day's fills that earn; moves the identity's qualification on."""
        fees = value = 0
        trades = defaultdict(list)
        for f in self.kokoah_fills(day, row):
            with_whom = f["counterparty"]
            if with_whom is not None and (with_whom in linked_addresses or
                                          cluster.root(with_whom) == cluster.root(row["address"])):
                continue
            trades[f["time"], f["coin"].encode(), f["side"]].append(f)
        for key in sorted(trades):
            values = [mul(f["sz"], f["mark"] if is_off_market(f) else f["px"]) for f in trades[key]]
            m.trades += 1
            m.traded += sum(values)
            if m.trades >= 3 and m.traded >= N("1000"):
                value += sum(values)
                fees += sum(mul(N("0.00025"), v) for v in values)
        return fees, value

    def kokoah_fills(self, day, row):
        return [f for f in self.data.perp[row["address"], day] if f["builder"] and f["time"] >= row["linked_at"]]

    def account(self, m, day, linked, linked_addresses, cluster, mirrored):
        current, _ = m.identity(day)
        row = linked.get(m)
        is_reset = current["linked_at"] // DAY == day
        if m.qualifying is not current:
            m.qualifying, m.trades, m.traded = current, 0, 0

        known = fees = value = flows = off = 0
        shadowed, raw = False, None
        if row:
            a = row["address"]
            known = self.data.account_value(a, day)
            flows = self.data.flows.get((a, day), 0)
            off = self.data.off_market(a, day)
            shadowed = self.data.is_shadowed(a, day)
            fees, value = self.credit(m, day, row, linked_addresses, cluster)
            m.days[day] = (a, known, self.data.round_trips(a, day), bool(self.kokoah_fills(day, row)))
            before = m.days.get(day - 1)
            if known and before and before[0] == a and before[1] and before[1][1] > 0:
                raw = div(known[1] - before[1][1] - flows - off, before[1][1])
                if shadowed:
                    raw = min(0, raw)
                m.raw.append(raw)
                m.ret.append(clip(raw, N("-0.1"), N("0.1")))
        average, end = known if known else (None, None)
        eligible = bool(known) and average >= N("10000")
        share = mirrored.get(m, 0)
        credit = mul(fees, ONE - share) if share > N("0.25") else fees
        if not eligible:
            credit = value = 0
        m.smoothed = mul(N("0.7"), 0 if is_reset else m.smoothed) + mul(N("0.3"), credit)
        m.notional[day] = value

        out = {"miner": m.name, "day": day, "linked": bool(row), "known": bool(known), "mean_value": average,
               "end_value": end, "eligible": eligible, "credit": credit, "notional": value, "smoothed": m.smoothed,
               "flows": flows, "offmarket": off, "shadowed": shadowed, "raw_return": raw,
               "ret": None if raw is None else m.ret[-1]}
        out.update(self.skill(m, day))
        out["mirrored"] = share
        out["penalty"] = day <= m.penalty_until
        weight = 0
        if eligible and not out["penalty"] and out["gates"] and out["entry"]:
            bonus = N("1.1") if (m.name, day) in self.data.verified else ONE
            weight = mul(mul(out["skill"], out["volume"]), bonus)
        out["skill_weight"] = weight
        return out

    def skill(self, m, day):
        psr60 = psr(m.ret[-60:], N("0.03")) if len(m.ret) >= 10 else N("0.5")
        confidence = clip(div(psr60 - N("0.5"), N("0.45")), 0, ONE)
        newest = m.ret[::-1][:30]
        g2p = gpr(newest, 10) if newest else None
        if g2p is not None:
            quality = clip(div(g2p - ONE, N("1.2")), 0, ONE)
        else:
            quality = ONE if any(r > 0 for r in newest) else 0
        if sum(r < N("-0.1") for r in m.raw[-60:]) >= 2:
            quality = mul(quality, N("0.5"))
        m.g = mul(N("0.7"), m.g) + mul(mul(N("0.3"), confidence), quality)
        score = min(ONE, div(m.g, N("0.65")))
        psr90 = psr(m.ret[-90:], N("0.03")) if len(m.ret) >= 90 else None
        recent = [m.days[t] for t in range(day - 29, day + 1) if t in m.days]
        trips = sum(d[2] for d in recent)
        active = sum(d[3] for d in recent)
        ends = [d[1][1] for d in recent if d[1]]
        average = mean(ends) if ends else None
        return {"psr60": psr60, "confidence": confidence, "gpr30": g2p, "quality": quality, "g": m.g, "score": score,
                "psr90": psr90, "entry": psr90 is not None and psr90 >= N("0.95"),
                "skill": max(0, div(score - N("0.25"), N("0.75"))),
                "volume": min(ONE, div(sum(m.notional.get(t, 0) for t in range(day - 29, day + 1)), N("1000000"))),
                "round_trips": trips * ONE, "active_days": active * ONE, "mean_account": average,
                "gates": trips >= 10 and active >= 7 and average is not None and average >= N("500")}

    def pools(self, day, rows):
        whole = mul(N("7200"), N("0.41"))
        paid = {m: r["smoothed"] for m, r in rows.items() if r["eligible"] and r["smoothed"] > 0}
        skilled = {m: r["skill_weight"] for m, r in rows.items() if r["skill_weight"] > 0}
        skill_pool = 0 if not skilled else whole if not paid else mul(N("0.2"), whole)
        volume_pool = whole - skill_pool
        closes = [close for _, close in self.data.hour_closes.get(("TAO", day), ())]
        rates = self.data.rates.get(day)
        dollars = mul(mean(rates), mean(closes)) if rates and closes else None
        for m, r in rows.items():
            pay = 0
            for pool, part in ((volume_pool, paid), (skill_pool, skilled)):
                if m in part:
                    pay += ratio(pool * part[m], sum(part.values()))
            r["pay"] = pay
            r["pay_usd"] = None if dollars is None else mul(pay, dollars)
        weights = apportion({m.name.encode(): r["pay"] for m, r in rows.items()}, 65_535)
        for m, r in rows.items():
            r["weight"] = weights[m.name.encode()] * ONE
        return {"day": day, "miner_pool": whole, "skill_pool": skill_pool, "volume_pool": volume_pool,
                "burned": 0 if paid or skilled else whole, "alpha_usd": dollars}


HEADERS = {
    "account": "miner day linked known mean_value end_value eligible credit notional smoothed flows offmarket shadowed"
               " raw_return ret psr60 confidence gpr30 quality g score psr90 entry skill volume round_trips active_days"
               " mean_account gates mirrored penalty skill_weight pay pay_usd weight",
    "day": "day miner_pool skill_pool volume_pool burned alpha_usd",
    "report": "miner day m",
}


def write_cell(name, value):
    if name == "day":
        return (EPOCH + timedelta(value)).isoformat()
    if value is None or isinstance(value, str):
        return value or ""
    return ("false", "true")[value] if isinstance(value, bool) else show(value)


def as_csv(sheets):
    """{sheet: the text of its file}"""
    files = {}
    for sheet, rows in sheets.items():
        columns = HEADERS[sheet].split()
        text = io.StringIO()
        w = csv.writer(text, lineterminator="\n")
        w.writerow(columns)
        w.writerows([write_cell(c, row[c]) for c in columns] for row in rows)
        files[sheet] = text.getvalue()
    return files


def main():
    folder, start, end, out = sys.argv[1:]
    try:
        files = as_csv(Rule(Data(folder)).run(day_number(start), day_number(end)))
    except BadData as e:
        print(e, file=sys.stderr)
        return 4
    os.makedirs(out, exist_ok=True)
    for sheet, text in files.items():
        with open(os.path.join(out, sheet + ".csv"), "w", newline="", encoding="utf-8") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
