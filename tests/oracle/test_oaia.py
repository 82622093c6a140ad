#!/usr/bin/env python3
"""test_oaia.py BUILD [stop|score FIRST LAST]: `krules eval oaia/score` and `oaia/stop` against oracles written from the page.

Without seeds: the published cases, the seeds kept here, what later data must not move, empty tables, one row, and the few lines of
docs/oaia.md that recompute a score. Where BUILD has tools/ref_main the row-at-a-time interpreter must agree, too.
"""
import contextlib
import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import oaia_gen  # noqa: E402
import oaia_score  # noqa: E402
import oaia_stop  # noqa: E402

DAY = 86_400_000
SEEDS = {"stop": [3, 17, 104, 122, 143, 207], "score": [2, 7, 12]}
INPUT = {"swap": "time,seq,tx,taker,side,tokens,usd,pool", "token_transfer": "time,tx,sender,receiver,tokens",
         "funding": "time,sender,receiver", "excluded": "address,why"}


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.reader(f))


class Test:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.passed = self.failed = 0

    def note(self, name, fault):
        if fault:
            self.failed += 1
            print(f"FAIL {name}: {fault}")
        else:
            self.passed += 1

    def folder(self, name):
        path = os.path.join(self.work, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def krules(self, book, data, period, out, *more):
        args = [a for pair in zip(("--from", "--to"), period) for a in pair]
        run = subprocess.run([os.path.join(self.build, "krules"), "eval", book, "--data", data, *args, "--format", "csv", "--out", out, *more],
                             cwd=ROOT, capture_output=True, text=True)
        return run.returncode, run.stderr

    def compare(self, name, want, got):
        run = subprocess.run([sys.executable, os.path.join(ROOT, "tests/tools/compare.py"), want, got, "--tol", "0"], capture_output=True, text=True)
        self.note(name, run.stdout + run.stderr if run.returncode else None)

    def case(self, name, kind, data, period, want):
        got = self.folder("got")
        code, said = self.krules("oaia/" + kind, data, period, got)
        self.note(name + ": status", f"{code}: {said}" if code else None)
        if not code:
            self.compare(name + ": krules", want, got)
        ref = os.path.join(self.build, "tools/ref_main")
        if os.path.exists(ref):
            args = [a for pair in zip(("--from", "--to"), period) for a in pair]
            run = subprocess.run([ref, f"rules/oaia/{kind}/v1.lua", "--data", data, *args, "--out", self.folder("ref")], cwd=ROOT, capture_output=True, text=True)
            self.note(name + ": interpreter status", run.stderr if run.returncode else None)
            self.compare(name + ": interpreter", want, os.path.join(self.work, "ref"))

    def oracle(self, kind, data, period):
        want = self.folder("want")
        if kind == "stop":
            oaia_stop.main(data, *period, want)
        else:
            oaia_score.main(data, want)
        return want

    def made(self, kind, seed):
        data = self.folder("in")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            oaia_gen.make(kind, seed, data)
        return data, said.getvalue().split()

    def seed(self, kind, seed):
        data, period = self.made(kind, seed)
        self.case(f"{kind} seed {seed}", kind, data, period, self.oracle(kind, data, period))

    def published(self):
        cases = os.path.join(ROOT, "tests/cases/oaia")
        for name in sorted(os.listdir(cases)):
            kind = name.rstrip("0123456789")
            period = []
            if kind == "stop":
                with open(os.path.join(cases, name, "acts.txt"), encoding="utf-8") as f:
                    period = f.read().split("\n")[-2].split()[1::2]
            data, want = os.path.join(cases, name, "in"), os.path.join(cases, name, "expected")
            self.case(name, kind, data, period, want)
            self.compare(name + ": oracle", want, self.oracle(kind, data, period))

    def later_data(self, seed):
        """A published day never changes: with the records up to its end alone it is the same."""
        data, period = self.made("stop", seed)
        full, cut = self.folder("full"), self.folder("cut")
        self.krules("oaia/stop", data, period, full)
        low, high = (oaia_stop.day_number(d) for d in period)
        for day in random.Random(seed).sample(range(low, high + 1), min(3, high + 1 - low)):
            part = self.folder("part")
            for name in os.listdir(data):
                rows = read(os.path.join(data, name))
                with open(os.path.join(part, name), "w", newline="", encoding="utf-8") as f:
                    csv.writer(f, lineterminator="\n").writerows([rows[0]] + [r for r in rows[1:] if name == "excluded.csv" or int(r[0]) < (day + 1) * DAY])
            last = oaia_stop.day_text(day)
            code, said = self.krules("oaia/stop", part, [period[0], last], cut)
            fault = said if code else None
            for name in ("epoch.csv", "evidence.csv"):
                want = [r for r in read(os.path.join(full, name))[1:] if r[0] <= last]
                if not fault and want != read(os.path.join(cut, name))[1:]:
                    fault = f"{name} up to {last} differs without what came later"
            self.note(f"later data, seed {seed}", fault)

    def indifferent(self, seed):
        """Neither the order of the rows, nor the threads, nor the period asked for matters."""
        data, period = self.made("stop", seed)
        full, other = self.folder("full"), self.folder("other")
        self.krules("oaia/stop", data, period, full)
        for name in os.listdir(data):
            rows = read(os.path.join(data, name))
            mixed = random.Random(seed).sample(rows[1:], len(rows) - 1)
            with open(os.path.join(data, name), "w", newline="", encoding="utf-8") as f:
                csv.writer(f, lineterminator="\n").writerows([rows[0]] + mixed)
        for threads in "123":
            code, said = self.krules("oaia/stop", data, period, other, "--threads", threads)
            self.note(f"{threads} threads, rows mixed, seed {seed}", said if code or any(read(f"{full}/{n}") != read(f"{other}/{n}") for n in ("epoch.csv", "evidence.csv")) else None)
        day = period[1]
        code, said = self.krules("oaia/stop", data, [day, day], other)
        same = all([r for r in read(f"{full}/{n}") if r[0] in ("day", day)] == read(f"{other}/{n}") for n in ("epoch.csv", "evidence.csv"))
        self.note(f"{day} alone, seed {seed}", None if not code and same else said or "differs")

    def small(self):
        def tables(**rows):
            data = self.folder("in")
            for name, header in INPUT.items():
                with open(os.path.join(data, name + ".csv"), "w", encoding="utf-8") as f:
                    f.write("\n".join([header, *rows.get(name, [])]) + "\n")
            return data

        period = ["2026-01-01", "2026-02-03"]
        t = 20_454 * DAY + 5
        for name, rows in {"empty": {}, "a swap": {"swap": [f"{t},1,x,0xa,buy,1,2,0xp"]}, "a mint": {"token_transfer": [f"{t},x,,0xa,1000000"]},
                           "a funding": {"funding": [f"{t},0xa,0xb"]}, "an address": {"excluded": ["0xa,burn"]}}.items():
            data = tables(**rows)
            self.case(f"only {name}", "stop", data, period, self.oracle("stop", data, period))
        data = self.folder("in")
        for name, header in {"close": "pair,time,close", "slot": "season,time", "universe": "season,pair,horizon",
                             "call": "agent,season,time,pair,direction,size,horizon"}.items():
            with open(os.path.join(data, name + ".csv"), "w", encoding="utf-8") as f:
                f.write(header + "\n")
        self.case("score of nothing", "score", data, [], self.oracle("score", data, []))
        with open(os.path.join(data, "call.csv"), "a", encoding="utf-8") as f:
            f.write("a,S,0,P,long,1,1\n")
        self.case("score of one call", "score", data, [], self.oracle("score", data, []))
        for name, rows in {"close": ["P,0,1", "P,3600000,2"], "slot": ["S,0"], "universe": ["S,P,1", "S,P,9000000000000", "S,P,99999999999999999999"],
                           "call": ["a,S,0,P,long,1,99999999999999999999"]}.items():
            with open(os.path.join(data, name + ".csv"), "a", encoding="utf-8") as f:
                f.write("\n".join(rows) + "\n")
        self.case("horizons beyond all time", "score", data, [], self.oracle("score", data, []))

    def refused(self):
        """What the page calls an error ends with status 4 and names the cell."""
        good = {"stop": {"swap": ["5", "1", "x", "0xa", "buy", "1", "2", "0xp"], "token_transfer": ["5", "x", "0xa", "0xb", "1"],
                         "funding": ["5", "0xa", "0xb"], "excluded": ["0xc", "burn"], "notice": ["5", "9"]},
                "score": {"close": ["P", "0", "1.5"], "slot": ["S", "0"], "universe": ["S", "P", "1"], "call": ["a", "S", "0", "P", "long", "1", "1"]}}
        header = dict(INPUT, notice="time,effective", close="pair,time,close", slot="season,time", universe="season,pair,horizon",
                      call="agent,season,time,pair,direction,size,horizon")
        bad = {"swap": ["tokens=", "tokens=-1", "usd=", "usd=-0.5", "side=Buy", "side=", "taker=", "pool=", "time=", "seq=", "time=1.5", "usd=0.0000000000000000001"],
               "token_transfer": ["tokens=", "tokens=-1", "time="], "funding": ["time=", "sender=", "receiver="],
               "excluded": ["address=", "why=other", "why="], "notice": ["time=", "effective="],
               "close": ["close=0", "close=-1", "close=", "pair=", "time="], "slot": ["season=", "time="],
               "universe": ["horizon=0", "horizon=1.5", "horizon=-1", "horizon=", "season=", "pair="],
               "call": ["size=100.1", "size=-1", "size=", "direction=up", "direction=", "horizon=0", "horizon=2.5", "horizon=", "agent=", "season=", "pair=", "time="]}
        for kind, tables in good.items():
            for name in tables:
                for change in [None] + bad[name] + ["twice"] * (name in ("close", "swap")):
                    data = self.folder("in")
                    for other, row in tables.items():
                        lines, names = [list(row)], header[other].split(",")
                        if other == name and change == "twice": # one key, two values
                            lines.append(row[:-1] + (["2.5"] if name == "close" else ["0xq"]))
                        elif other == name and change:
                            column, value = change.split("=")
                            lines[0][names.index(column)] = value
                        with open(os.path.join(data, other + ".csv"), "w", encoding="utf-8") as f:
                            f.write("\n".join([header[other]] + [",".join(line) for line in lines]) + "\n")
                    period = ["1970-01-01", "1970-01-02"] if kind == "stop" else []
                    code, said = self.krules(f"rules/oaia/{kind}/v1.lua", data, period, self.folder("got"))
                    want = 4 if change else 0
                    self.note(f"{name} {change}", None if code == want and (not change or name in said) else f"status {code}: {said}")

    def documented(self):
        """The lines in docs/oaia.md, run as they stand there."""
        with open(os.path.join(ROOT, "docs/oaia.md"), encoding="utf-8") as f:
            code = re.search(r"```python\n(.*?)```", f.read(), re.S).group(1)
        for case in ("score1", "score2"):
            data = os.path.join(ROOT, "tests/cases/oaia", case)
            for agent in read(os.path.join(data, "expected/agent.csv"))[1::3]:
                script = os.path.join(self.work, "recompute.py")
                with open(script, "w", encoding="utf-8") as f:
                    f.write(code)
                run = subprocess.run([sys.executable, script, os.path.join(data, "in"), agent[0], agent[1]], capture_output=True, text=True)
                want = " ".join(agent[3:6])
                self.note(f"docs/oaia.md, {case} {agent[0]} {agent[1]}", None if run.stdout.strip() == want else f"{run.stdout}{run.stderr} instead of {want}")


def main(build, *which):
    with tempfile.TemporaryDirectory() as work:
        test = Test(os.path.abspath(build), work)
        if which:
            for seed in range(int(which[1]), int(which[2]) + 1):
                test.seed(which[0], seed)
        else:
            test.published()
            for kind, seeds in SEEDS.items():
                for seed in seeds:
                    test.seed(kind, seed)
            for seed in SEEDS["stop"][:3]:
                test.later_data(seed)
            test.indifferent(SEEDS["stop"][2])
            test.small()
            test.refused()
            test.documented()
        print(f"{test.passed} passed, {test.failed} failed")
        return test.failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
