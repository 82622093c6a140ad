#!/usr/bin/env python3
"""test_kokoah.py BUILD [FIRST LAST]: `krules eval kokoah/pay` against kokoah_pay.py, every digit of every cell.

Without seeds: the ones kept here, then what must not matter (order of rows, threads, kind of store, the period asked
for, later records) and what must be refused. With them: seeds FIRST to LAST compared, nothing else.
"""
import csv
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from datetime import date, timedelta

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import kokoah_gen  # noqa: E402
import kokoah_pay  # noqa: E402
from exact import BadData  # noqa: E402

# Between them these notice every change of one comparison, bound, window, join or exclusion of the rule that was tried.
SEEDS = [4029, 4182, 4001, 4005, 4006, 4007, 4009, 4015, 4022, 4027, 4035, 4043, 4050, 4058, 4072, 4095, 5230, 5363]
SHEETS = ("account", "day", "report")
DAY = 86_400_000


class Test:
    def __init__(self, build, work):
        self.krules, self.work = os.path.join(build, "krules"), work
        self.passed = self.failed = 0

    def note(self, name, fault):
        if fault:
            self.failed += 1
            print(f"FAIL {name}: {fault}")
        else:
            self.passed += 1

    def eval(self, data, start, end, *more):
        """(exit status, messages, {sheet: text})"""
        out = tempfile.mkdtemp(dir=self.work)
        r = subprocess.run([self.krules, "eval", "kokoah/pay", "--data", data, "--from", start, "--to", end, "--format", "csv",
                            "--out", out, *more], cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
        sheets = {}
        for sheet in SHEETS:
            path = os.path.join(out, sheet + ".csv")
            if os.path.exists(path):
                with open(path, encoding="utf-8", newline="") as f:
                    sheets[sheet] = f.read()
        shutil.rmtree(out)
        return r.returncode, r.stdout + r.stderr, sheets

    def oracle(self, data, start, end):
        rule = kokoah_pay.Rule(kokoah_pay.Data(data))
        return kokoah_pay.as_csv(rule.run(kokoah_pay.day_number(start), kokoah_pay.day_number(end)))

    def world(self, seed):
        folder = os.path.join(self.work, str(seed))
        if not os.path.exists(folder):
            kokoah_gen.generate(seed, folder)
        with open(os.path.join(folder, "period.txt"), encoding="utf-8") as f:
            return (folder, *f.read().split())

    # -- agreement

    def agree(self, name, data, start, end, *more):
        status, said, have = self.eval(data, start, end, *more)
        if status:
            return self.note(name, f"exit {status}: {said[:600]}")
        return self.note(name, difference(self.oracle(data, start, end), have))

    def seeds(self, seeds):
        for seed in seeds:
            data, start, end = self.world(seed)
            self.agree(f"seed {seed}", data, start, end, "--threads", str(1 + seed % 3))

    # -- what must not matter

    def indifferent(self, seed):
        data, start, end = self.world(seed)
        _, _, want = self.eval(data, start, end)
        for threads in "123":
            self.same(f"seed {seed}, {threads} threads", want, self.eval(data, start, end, "--threads", threads))
        r = random.Random(seed)
        mixed = self.copy(data, lambda name, header, rows: (header, r.sample(rows, len(rows))))
        self.same(f"seed {seed}, rows in another order", want, self.eval(mixed, start, end))
        self.same(f"seed {seed}, a SQLite database", want, self.eval(self.database(data), start, end))
        days = [line.split(",")[0] for line in want["day"].splitlines()[1:]]
        for day in (days[0], days[len(days) // 2], days[-1]):
            alone = {sheet: only(text, day) for sheet, text in want.items()}
            self.same(f"seed {seed}, {day} alone", alone, self.eval(data, day, day))
            early = self.copy(data, known_by(day))
            self.same(f"seed {seed}, {day} from what was known a day later", alone, self.eval(early, day, day))

    def same(self, name, want, result):
        status, said, have = result
        self.note(name, f"exit {status}: {said[:600]}" if status else difference(want, have))

    def copy(self, data, change):
        """A copy of the data; change(name, header, rows) gives the header and rows of each table."""
        out = tempfile.mkdtemp(dir=self.work)
        for name in kokoah_pay.TABLES:
            with open(os.path.join(data, name + ".csv"), newline="", encoding="utf-8") as f:
                header, *rows = csv.reader(f)
            header, rows = change(name, header, rows)
            with open(os.path.join(out, name + ".csv"), "w", newline="", encoding="utf-8") as f:
                csv.writer(f, lineterminator="\n").writerows([header] + rows)
        return out

    def database(self, data):
        path = tempfile.mktemp(suffix=".db", dir=self.work)
        db = sqlite3.connect(path)
        for name in kokoah_pay.TABLES:
            with open(os.path.join(data, name + ".csv"), newline="", encoding="utf-8") as f:
                header, *rows = csv.reader(f)
            db.execute(f"CREATE TABLE \"{name}\" ({', '.join(f'{chr(34)}{c}{chr(34)} TEXT' for c in header)})")
            # Unknown is NULL in one half of the rows and an empty text in the other.
            rows = [[None if c == "" and i % 2 else c for c in row] for i, row in enumerate(rows)]
            db.executemany(f"INSERT INTO \"{name}\" VALUES ({', '.join('?' * len(header))})", rows)
        db.commit()
        db.close()
        return path

    # -- what must be refused

    def refuse(self, data):
        with open(os.path.join(data, "period.txt"), encoding="utf-8") as f:
            start, end = f.read().split()
        for name, wanted, change in refusals():
            done = []

            def once(table, header, rows, change=change, done=done):
                new = change(table, header, rows)
                if new is not None:
                    done.append(table)
                return new or (header, rows)

            bad = self.copy(data, once)
            if name.startswith("no table"):
                os.remove(os.path.join(bad, done[0] + ".csv"))
            status, said, _ = self.eval(bad, start, end)
            fault = None if done else "nothing changed"
            if not fault and (status != 4 or wanted not in said):
                fault = f"exit {status}, without `{wanted}`: {said[:600]}"
            try:
                self.oracle(bad, start, end)
                fault = fault or "the oracle takes it"
            except BadData:
                pass
            self.note(name, fault)
            shutil.rmtree(bad)


def difference(want, have):
    """None, or where two results part."""
    for sheet in SHEETS:
        if want[sheet] == have.get(sheet):
            continue
        if sheet not in have:
            return f"no {sheet}.csv"
        a, b = ([row for row in csv.reader(text.splitlines())] for text in (want[sheet], have[sheet]))
        for x, y in zip(a, b):
            if x != y:
                cells = [f"{c}: wanted {p!r}, got {q!r}" for c, p, q in zip(a[0], x, y) if p != q]
                return f"{sheet} {x[:2]}: {'; '.join(cells[:4])}"
        return f"{sheet}: {len(a)} rows wanted, {len(b)} got"
    return None


def only(text, day):
    lines = text.splitlines(keepends=True)
    at = lines[0].strip().split(",").index("day")
    return "".join(lines[:1] + [line for line in lines[1:] if line.rstrip("\n").split(",")[at] == day])


def known_by(day):
    """Leaves what a reader had 24 hours after the end of a day, when the next day's records are not all there."""
    last = date.fromisoformat(day)
    t1 = ((last - date(1970, 1, 1)).days + 1) * DAY

    def change(_, header, rows):
        at = {c: i for i, c in enumerate(header)}
        if "day" in at:
            rows = [row for row in rows if date.fromisoformat(row[at["day"]]) <= last]
        for column in ("time", "linked_at"):
            if column in at:
                rows = [row for row in rows if int(row[at[column]]) < t1 + DAY]
        if "unlinked_at" in at:
            rows = [[("" if i == at["unlinked_at"] and c and int(c) >= t1 + DAY else c) for i, c in enumerate(row)] for row in rows]
        return header, rows
    return change


def refusals():
    """(name, what the message must say, change)"""
    def cell(table, column, text):
        def change(name, header, rows):
            if name == table:
                at = header.index(column)
                return header, [row[:at] + [text] + row[at + 1:] if i == 0 else row for i, row in enumerate(rows)]
            return None
        return change

    def without(table, column):
        def change(name, header, rows):
            if name == table:
                at = header.index(column)
                return header[:at] + header[at + 1:], [row[:at] + row[at + 1:] for row in rows]
            return None
        return change

    def again(table, column, text):
        def change(name, header, rows):
            if name == table:
                at = header.index(column)
                return header, rows + [rows[0][:at] + [text if rows[0][at] != text else "1"] + rows[0][at + 1:]]
            return None
        return change

    def two_miners(name, header, rows):
        if name != "identity":
            return None
        at = {c: i for i, c in enumerate(header)}
        twin = list(rows[0])
        twin[at["miner"]], twin[at["unlinked_at"]] = "twin", ""
        other = ["" if i == at["unlinked_at"] else c for i, c in enumerate(rows[0])]
        return header, rows[1:] + [other, twin]

    def late_first(name, header, rows):
        if name != "value_point":
            return None
        at = {c: i for i, c in enumerate(header)}
        rows = sorted(rows, key=lambda row: (row[at["address"]], int(row[at["time"]])))
        latest = rows[-1]               # of an address with many points
        return header, [["1" if i == at["first"] else c for i, c in enumerate(row)] if row == latest else row for row in rows]

    yield "two miners are linked to one address", "an address is linked to one miner a day", two_miners
    yield "a later point says it is the first", "row: value_point[address=0x", late_first
    for table, words in kokoah_pay.TABLES.items():
        yield f"no table {table}", f"there is no table `{table}`", lambda name, h, r, t=table: (h, r) if name == t else None
        for word in words.split():
            column, _, kind = word.partition(":")
            column, may_be_empty = column.rstrip("*?"), "?" in column
            yield f"no column {table}.{column}", f"table `{table}` has no column `{column}`", without(table, column)
            if not may_be_empty:
                yield f"{table}.{column} is empty", f"`{column}` is", cell(table, column, "")
            if kind == "number":
                yield f"{table}.{column} with 19 decimals", "has more than 18 decimals", cell(table, column, "1.0000000000000000001")
                yield f"{table}.{column} is no number", "is not a number", cell(table, column, "1,5")
            elif kind:
                yield f"{table}.{column} is no {kind}", "`x`", cell(table, column, "x")
    for table, column in (("fill", "px"), ("fill", "counterparty"), ("value_point", "value"), ("candle", "close"), ("position", "size"),
                          ("fill_read", "count"), ("pool_rate", "tao_per_alpha"), ("identity", "hotkey")):
        text = "0x00" if column == "counterparty" else "7"
        yield f"a key again with another {table}.{column}", "this key stands on line", again(table, column, text)
    yield "a mark of 0", "is not above 0", cell("fill", "mark", "0")


def main():
    build = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, "build")
    with tempfile.TemporaryDirectory() as work:
        t = Test(build, work)
        if len(sys.argv) > 3:
            t.seeds(range(int(sys.argv[2]), int(sys.argv[3]) + 1))
        else:
            t.seeds(SEEDS)
            t.indifferent(SEEDS[0])
            t.indifferent(SEEDS[1])
            t.refuse(os.path.join(ROOT, "tests", "cases", "kokoah", "small", "in"))
    print(f"{t.passed} passed, {t.failed} failed")
    return t.failed != 0


if __name__ == "__main__":
    sys.exit(main())
