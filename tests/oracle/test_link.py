#!/usr/bin/env python3
"""test_link.py BUILD [FIRST LAST]: `krules eval kokoah/link` against kokoah_link.py on random histories, every cell."""
import csv
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import kokoah_link  # noqa: E402


def main(build, first=1, last=4):
    passed = failed = 0
    reasons = set()
    for seed in range(int(first), int(last) + 1):
        world = kokoah_link.World(seed)
        wanted = kokoah_link.Rule(world.netuid, world.signers).run(world.commitments, world.registrations)
        reasons |= {row[2] for row in wanted["refusal"]}
        with tempfile.TemporaryDirectory() as work:
            world.write(work + "/in")
            r = subprocess.run([os.path.join(build, "krules"), "eval", "kokoah/link", "--data", work + "/in", "--format", "csv", "--out", work + "/out"],
                               cwd=os.path.dirname(os.path.dirname(HERE)), capture_output=True, text=True, check=False)
            if r.returncode:
                failed += 1
                print(f"FAIL seed {seed}: {r.stdout}{r.stderr}")
                continue
            for sheet, rows in wanted.items():
                with open(f"{work}/out/{sheet}.csv", newline="", encoding="utf-8") as file:
                    found = list(csv.reader(file))[1:]
                passed += found == rows
                if found != rows:
                    failed += 1
                    print(f"FAIL seed {seed}, {sheet}: first difference", next(((w, f) for w, f in zip(rows, found) if w != f), (len(rows), len(found))))
    if len(reasons) < 10:
        print("FAIL: the histories meet too few reasons:", sorted(reasons))
        failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main(*sys.argv[1:])
