#!/usr/bin/env python3
"""docs.py KRULES: runs what the documentation shows.

Blocks ```calc of docs/*.md hold lines `FORMULA = VALUE`;
blocks ```lua that begin with `rulebook` are rule files whose examples must hold; function rows are tested by the unit tests, and
```console blocks by console.py. Functions, commands, codes of messages and files that a page names must exist. Every code has a
test: a whole message in a transcript, or its name in a unit test.
Ends with `N passed, N failed`."""
import glob
import json
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


def names(what, field):
    lines = subprocess.run([krules, "help", what, "--json"], capture_output=True, text=True, check=True).stdout.splitlines()
    return {json.loads(line)[field].upper() for line in lines}


functions, verbs, codes = names("functions", "name"), names("commands", "verb"), names("errors", "code")
words = {"AND", "OR", "NOT", "TRUE", "FALSE", "WHERE", "BY", "ASC", "DESC"}
made = {"docs/functions.md", "docs/errors.md", "docs/commands.md"}
for path in sorted(set(glob.glob("docs/**/*.md", recursive=True)) - made) + glob.glob("rules/**/*.md", recursive=True) + ["README.md"]:
    text = open(path, encoding="utf-8").read()
    code = " ".join(re.findall(r"```\w*\n(.*?)```", text, re.S) + re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S)))
    own = {name.upper() for name in re.findall(r"(?:define|fn)\.(\w+)", code)}
    used = set(re.findall(r"(?<![\w.])([A-Z][A-Z0-9]+(?:\.[A-Z]+)*)\(", code)) - words - own
    used = {name for name in used if not name.startswith("KR")}
    say(used <= functions, f"{path}: functions that there are not", f"  {sorted(used - functions)}")
    called = {verb.upper() for verb in re.findall(r"(?:`|[$|] )krules ([a-z]+)", text)}
    say(called <= verbs, f"{path}: commands that there are not", f"  {sorted(called - verbs)}")
    named = set(re.findall(r"\b[EWN]0\d\d\d\b", text))
    say(named <= codes, f"{path}: codes that there are not", f"  {sorted(named - codes)}")
    links = [re.sub(r"#.*", "", link) for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link and not link.startswith("#")]
    gone = [link for link in links if not os.path.exists(os.path.join(os.path.dirname(path), link)) and os.path.normpath(os.path.join(os.path.dirname(path), link)) not in made]
    say(not gone, f"{path}: files that there are not", f"  {gone}")
shown = set()
for path in glob.glob("tests/**/*.err", recursive=True) + glob.glob("tests/**/*.t", recursive=True) + glob.glob("docs/*.md"):
    shown |= set(re.findall(r"(?:error|warning|note)\[([EWN]\d+)\]:", open(path, encoding="utf-8").read()))
units = "".join(open(path, encoding="utf-8").read() for path in glob.glob("tests/unit/*.c"))
defined = dict(re.findall(r'KR_ERROR\((\w+), "(\w+)"', open("vm/text/errors.def", encoding="utf-8").read()))
shown |= {code for name, code in defined.items() if re.search(rf"\b{name}\b", units)}
for name in sorted(codes):
    say(name in shown, f"{name}: no test shows its message")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
