#!/usr/bin/env python3
"""link_check.py CASE RESULT: hold the sheets of `krules eval kokoah/link --format csv --out RESULT` against CASE/expected/verdict.csv."""
import csv
import sys


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main(case, result):
    reasons = {(r["time"], r["hotkey"]): r["reason"] for r in rows(result + "/refusal.csv")}
    links = {(r["linked_at"], r["hotkey"]) for r in rows(result + "/identity.csv")}
    machines = {(r["since"], r["hotkey"]) for r in rows(result + "/agent_machine.csv")}
    off, count = 0, 0
    for v in rows(case + "/expected/verdict.csv"):
        key = v["time"], v["hotkey"]
        linked, agent = "accept" if key in links else "reject", "accept" if key in machines else "reject" if reasons.get(key) == "A1 is malformed" else ""
        refused = key in reasons
        count += 1
        if linked != v["link"] or agent != v["agent"] or refused != ("reject" in (v["link"], v["agent"])):
            off += 1
            print(f"{key[1]} at {key[0]}: {linked}/{agent} instead of {v['link']}/{v['agent']} ({reasons.get(key, 'no reason')})")
    print(f"{count} verdicts compared, {off} off")
    sys.exit(off > 0)


main(*sys.argv[1:])
