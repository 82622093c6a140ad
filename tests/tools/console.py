#!/usr/bin/env python3
"""console.py KRULES FILE.md …: runs the ```console blocks of documentation and compares what they print.

A line `$ command` is run by sh, the lines after it are what it prints (both streams). All blocks of a file share one folder, which
holds a copy of rules/ and links to data/, examples/ and tests/. Digests and other long hexadecimal numbers are shown as `…` in the
page, and `…` alone on a line stands for lines left out. Ends with `N passed, N failed`."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

krules, root, passed, failed = os.path.abspath(sys.argv[1]), os.getcwd(), 0, 0
env = dict(os.environ, PATH=os.path.dirname(krules) + ":" + os.environ["PATH"], NO_COLOR="1", COLUMNS="120", LC_ALL="C.UTF-8", TZ="UTC")


def mask(text):
    return re.sub(r"(?<!\.)\b[0-9a-f]{16,64}\b…?", "…", text)


def agrees(shown, printed):
    """Whether the page's lines are what was printed; a line `…` takes any lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(agrees(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and agrees(shown[1:], printed[1:])


for path in sys.argv[2:]:
    blocks = re.findall(r"```console\n(.*?)```", open(path, encoding="utf-8").read(), re.S)
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree("rules", work + "/rules")
        for name in ("data", "examples", "tests"):
            os.symlink(os.path.join(root, name), os.path.join(work, name))
        for block in blocks:
            for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
                lines = step.rstrip("\n").split("\n")
                command = lines.pop(0)
                while command.endswith("\\"):
                    command += "\n" + lines.pop(0)
                run = subprocess.run(["sh", "-c", command], cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                printed = mask(run.stdout).rstrip("\n").split("\n") if run.stdout.rstrip("\n") else []
                if agrees([line for line in lines if line], [line for line in printed if line]):
                    passed += 1
                else:
                    failed += 1
                    print(f"{path}: $ {command}")
                    print("\n".join(difflib.unified_diff(lines, printed, "the page", "printed", lineterm="")))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
