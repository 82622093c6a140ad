#!/usr/bin/env python3
"""oaia_stop.py DATA_DIR FROM TO OUT_DIR: the kill rules from the published text, clause by clause and without haste.

Integers count 10^-18; nothing here knows how the rule file says it. Paths of (a) are found by trying every path without a repeated
address, so inputs must be small.
"""
import csv
import datetime
import os
import sys

ONE = 10 ** 18
DAY = 86_400_000
HOURS_24 = 24 * 3_600_000
DUST = 1_000_000 * ONE
EPOCH = datetime.date(1970, 1, 1)


def number(text):
    sign = -1 if text.startswith("-") else 1
    whole, _, part = text.lstrip("+-").partition(".")
    assert len(part) <= 18
    return sign * (int(whole or "0") * ONE + int(part.ljust(18, "0")))


def half_even(top, bottom):
    """top / bottom to a whole number, ties to even; bottom above 0."""
    q, r = divmod(top, bottom)
    if 2 * r > bottom or (2 * r == bottom and q % 2):
        q += 1
    return q


def show(x):
    if x is None:
        return ""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return x
    sign, x = ("-", -x) if x < 0 else ("", x)
    whole, part = divmod(x, ONE)
    part = str(part).rjust(18, "0").rstrip("0")
    return f"{sign}{whole}" + (f".{part}" if part else "")


def day_text(d):
    return (EPOCH + datetime.timedelta(days=d)).isoformat()


def day_number(text):
    return (datetime.date.fromisoformat(text) - EPOCH).days


def rows(folder, name, optional=False):
    path = os.path.join(folder, name + ".csv")
    if optional and not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


class Book:
    def __init__(self, folder):
        self.excluded = {r["address"] for r in rows(folder, "excluded")}
        self.transfers = [(int(r["time"]), r["sender"], r["receiver"], number(r["tokens"])) for r in rows(folder, "token_transfer")]
        self.swaps = sorted((int(r["time"]), number(r["seq"]), r["taker"], r["side"], number(r["tokens"]), number(r["usd"]), r["pool"])
                            for r in rows(folder, "swap"))
        self.funding = [(int(r["time"]), r["sender"], r["receiver"]) for r in rows(folder, "funding")]
        self.notices = [(int(r["time"]), int(r["effective"])) for r in rows(folder, "notice", True)]
        times = [t[0] for t in self.transfers] + [s[0] for s in self.swaps] + [f[0] for f in self.funding]
        self.first = min(times) // DAY if times else None
        self.hops_memo = {}

    # ---- holders
    def pools(self, d):
        return {s[6] for s in self.swaps if s[0] < (d + 1) * DAY}

    def holders(self, d):
        balance = {}
        for time, sender, receiver, tokens in self.transfers:
            if time >= (d + 1) * DAY:
                continue
            if sender:
                balance[sender] = balance.get(sender, 0) - tokens
            if receiver:
                balance[receiver] = balance.get(receiver, 0) + tokens
        pools = self.pools(d)
        return sum(1 for a, b in balance.items() if b >= DUST and a not in self.excluded and a not in pools)

    # ---- (a)
    def hops(self, x, t, y, u, d):
        blocked = self.pools(d) | self.excluded
        moves = {}
        for time, sender, receiver, tokens in self.transfers:
            if tokens > 0 and sender and receiver and t <= time <= u and sender != receiver:
                moves.setdefault(sender, set()).add((time, receiver))

        def within(node, since, left, seen):
            for time, other in moves.get(node, ()):
                if time < since or other in seen:
                    continue
                if other == y:
                    if left == 1:
                        return True
                elif left > 1 and other not in blocked and within(other, time, left - 1, seen | {other}):
                    return True
            return False

        nodes = set(moves) | {r for m in moves.values() for _, r in m}
        for n in range(2, len(nodes)):
            if within(x, t, n, {x}):
                return n
        return None

    def loops(self, d):
        """{(X, Y): (fewest hops, {index of swap})} by the sells of day d."""
        found = {}
        for j, (u, useq, y, uside, *_) in enumerate(self.swaps):
            if uside != "sell" or u // DAY != d:
                continue
            for i, (t, tseq, x, tside, *_) in enumerate(self.swaps[:j]):
                if tside != "buy" or x == y or u > t + HOURS_24:
                    continue
                hops = self.hops(x, t, y, u, d)
                if hops is None:
                    continue
                fewest, swaps = found.get((x, y), (hops, set()))
                swaps.add(j)
                if t // DAY == d:
                    swaps.add(i)
                found[x, y] = (min(fewest, hops), swaps)
        return found

    # ---- (b)
    def trips(self, d):
        """{taker: round trips up to the end of day d}."""
        count, buys = {}, {}
        for time, _, taker, side, tokens, *_ in self.swaps:
            if time >= (d + 1) * DAY:
                break
            mine = buys.setdefault(taker, [])
            if side == "buy":
                mine.append([time, tokens, 0, False])
                continue
            left = tokens
            for buy in mine:
                if time - buy[0] > HOURS_24:
                    continue
                used = min(left, buy[1] - buy[2])
                buy[2] += used
                left -= used
                if not buy[3] and buy[1] > 0 and buy[2] >= half_even(8 * buy[1], 10):
                    buy[3] = True
                    count[taker] = count.get(taker, 0) + 1
        return count

    # ---- (c)
    def clusters(self, d):
        """{funder: its takers} as of the end of day d."""
        end, members = (d + 1) * DAY, {}
        for taker in {s[2] for s in self.swaps if s[0] < end}:
            firsts = sorted((time, sender.encode()) for time, sender, receiver in self.funding if receiver == taker and time < end)
            if firsts:
                funder = firsts[0][1].decode()
                if funder not in self.excluded and funder != taker:
                    members.setdefault(funder, set()).add(taker)
        return {f: m for f, m in members.items() if len(m) >= 2}

    def day(self, d):
        """(all, organic, excluded, evidence rows) of day d."""
        todays = {i for i, s in enumerate(self.swaps) if s[0] // DAY == d}
        evidence, classified = [], set()
        if todays:
            for (x, y), (hops, swaps) in self.loops(d).items():
                evidence.append(("a", f"{x}>{y}", swaps, hops * ONE))
            for taker, n in self.trips(d).items():
                mine = {i for i in todays if self.swaps[i][2] == taker}
                if n >= 3 and mine:
                    evidence.append(("b", taker, mine, n * ONE))
            for funder, takers in self.clusters(d).items():
                window = [s for s in self.swaps if s[2] in takers and d - 29 <= s[0] // DAY <= d]
                bought = sum(s[4] for s in window if s[3] == "buy")
                sold = sum(s[4] for s in window if s[3] == "sell")
                mine = {i for i in todays if self.swaps[i][2] in takers}
                if mine and abs(bought - sold) < half_even(2 * (bought + sold), 10):
                    evidence.append(("c", funder, mine, half_even(abs(bought - sold) * ONE, bought + sold)))
        for _, _, swaps, _ in evidence:
            classified |= swaps
        usd = lambda which: sum(self.swaps[i][5] for i in which)
        organic = {i for i in todays - classified if self.swaps[i][2] not in self.excluded}
        table = [(day_text(d), c, name, str(len(swaps)), show(usd(swaps)), show(figure)) for c, name, swaps, figure in evidence]
        return usd(todays), usd(organic), usd(classified), table


def epochs(book, low, high):
    zero = ["0", "0", "0", "0", "false", "false", "running", ""]
    out, evidence = [], []
    for d in range(low, min(high + 1, book.first if book.first is not None else high + 1)):
        out.append([day_text(d)] + zero)
    if book.first is None:
        return out, evidence
    holders, organic, conditions, state, active = {}, {}, {}, "running", False
    for d in range(book.first, high + 1):
        holders[d] = book.holders(d)
        active |= holders[d] > 100
        volume, organic[d], excluded, table = book.day(d)
        h = v = False
        if d - 29 >= book.first:
            before = holders[d - 29]
            h = active and before > 0 and 100 * (before - holders[d]) >= 15 * before
            v = all(organic[k] < 500 * ONE for k in range(d - 29, d + 1))
        conditions[d] = (h, v)
        last = [conditions[k] for k in range(max(book.first, d - 29), d + 1)]
        reason = ""
        if state != "wind-down" and d > book.first: # running on the first day, whatever else
            if (h and any(c[1] for c in last)) or (v and any(c[0] for c in last)):
                reason, state = "both", "wind-down"
            elif h:
                reason, state = "holders", "wind-down"
            elif any(e // DAY == d and e >= t + 30 * DAY for t, e in book.notices):
                reason, state = "operator", "wind-down"
            elif v and state == "running":
                reason, state = "volume", "maintenance"
            elif state == "maintenance" and organic[d] >= 500 * ONE:
                reason, state = "recovery", "running"
        if low <= d:
            out.append([day_text(d), str(holders[d]), show(volume), show(organic[d]), show(excluded), show(h), show(v), state, reason])
            evidence += table
    return out, evidence


def write(folder, name, header, table):
    with open(os.path.join(folder, name + ".csv"), "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(header)
        w.writerows(table)


def main(data, low, high, out):
    os.makedirs(out, exist_ok=True)
    days, evidence = epochs(Book(data), day_number(low), day_number(high))
    write(out, "epoch", ["day", "holders", "volume", "organic", "excluded", "holders_condition", "volume_condition", "state", "reason"], days)
    write(out, "evidence", ["day", "criterion", "cluster", "swaps", "usd", "figure"], sorted(evidence))


if __name__ == "__main__":
    main(*sys.argv[1:])
