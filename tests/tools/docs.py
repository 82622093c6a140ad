#!/usr/bin/env python3
"""docs.py KRULES: runs what the documentation shows.

Blocks ```calc of docs/*.md hold lines `FORMULA = VALUE`;
blocks ```lua that begin with `rulebook` are rule files whose examples must hold; function rows are tested by the unit tests.
Ends with `N passed, N failed`."""
import glob
import os
import re
import subprocess
import sys
import tempfile

krules, passed, failed = sys.argv[1], 0, 0


def say(ok, what, detail=""):
    global passed, failed
    passed, failed = passed + ok, failed + (not ok)
    if not ok:
        print(f"FAIL {what}\n{detail}")


for path in sorted(glob.glob("docs/*.md")) + ["README.md"]:
    text = open(path, encoding="utf-8").read()
    for kind, block in re.findall(r"```(\w+)\n(.*?)```", text, re.S):
        if kind == "calc":
            for line in block.splitlines():
                if not line.strip():
                    continue
                formula, value = re.fullmatch(r"(.*?\S)\s+= ?(\S*)\s*", line).groups()
                r = subprocess.run([krules, "calc", "--", formula], capture_output=True, text=True)
                say(r.stdout.rstrip("\n") == value, f"{path}: {formula}", f"  expected {value!r}, got {r.stdout!r} {r.stderr}")
        elif kind == "lua" and block.startswith("rulebook"):
            with tempfile.TemporaryDirectory() as d:
                file = os.path.join(d, "rule.lua")
                open(file, "w", encoding="utf-8").write(block)
                r = subprocess.run([krules, "test", file], capture_output=True, text=True)
                say(r.returncode == 0, f"{path}: a rule file", r.stdout + r.stderr)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
