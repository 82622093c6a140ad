#!/usr/bin/env python3
"""kill_save.py KRULES FOLDER [COUNT]: kill -9 a save that goes on from half a store, at random moments; then a disk that is full.

Each time the store must open, be sound, and hold all of the old state or all of the new one, results and recorded cells alike; and the
same save afterwards must complete it."""
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

DATA = "tests/cases/kokoah/small/in"


def contents(path):
    with sqlite3.connect(path) as db:
        assert db.execute("pragma integrity_check").fetchone()[0] == "ok", "the store is damaged"
        return [db.execute(f"select * from {table} order by 1, 2, 3, 4").fetchall() for table in ("result", "result_row", "state", "state_row")]


def main(krules, folder, count=12):
    os.makedirs(folder, exist_ok=True)
    store, half = folder + "/r.db", folder + "/half.db"
    command = [krules, "eval", "kokoah/pay", "--data", DATA, "--format", "csv", "--out", folder + "/out", "--resume", "--quiet", "--save"]
    subprocess.run([*command, half, "--to", "2024-02-25"], check=True)
    old = contents(half)
    shutil.copy(half, store)
    begin = time.monotonic()
    subprocess.run([*command, store], check=True)
    span = time.monotonic() - begin
    new = contents(store)
    assert len(new[1]) > len(old[1])
    seed = random.randrange(10**6)
    dice = random.Random(seed)
    for turn in range(int(count)):
        shutil.copy(half, store)
        process = subprocess.Popen([*command, store], stderr=subprocess.DEVNULL)
        time.sleep(dice.random() * span)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if turn % 2:  # else the save itself is the first to open what was left
            after = contents(store)
            assert after in (old, new), f"seed {seed}: neither the old state nor the new one"
        subprocess.run([*command, store], check=True)
        assert contents(store) == new, f"seed {seed}: the save afterwards does not complete it"
    shutil.copy(half, store)

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limit = os.path.getsize(half) + 20000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    full = subprocess.run([*command, store], preexec_fn=no_room, capture_output=True, check=False)
    assert full.returncode == 4 and b"E0701" in full.stderr, full.stderr
    assert contents(store) == old, "a full disk left half a save"
    print("all or nothing, every time")


main(*sys.argv[1:])
