#!/usr/bin/env python3
"""link_cases.py OPEN.json DIR: the vectors of a link set as tables for `krules eval kokoah/link`, and what is expected of them.

Each vector and each variant becomes one registration of its hotkey with one commitment in it, so that none meets another's link; a move
is preceded by the link it moves from. DIR/in gets commitment.csv and registration.csv, DIR/expected/verdict.csv one line a commitment:
time, hotkey, link (accept or reject), agent (accept, reject, or empty where it names no machine)."""
import base64
import csv
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import ethereum  # noqa: E402

DAY = 86_400_000
START = 1_704_067_200_000  # 2024-01-01
STRIDE = 400 * DAY


def cases(vectors):
    for vector in vectors:
        yield vector
        for variant in vector["variants"]:
            yield {**vector, "p1": None, "a1": None, "scope": "", **variant}


def link_field(tag, address, signature):
    return base64.b64encode(tag + bytes.fromhex(address[2:]) + signature).decode()


def main(source, out):
    commitments, registrations, verdicts = [], [], []
    with open(source) as file:
        vectors = json.load(file)["vectors"]
    for number, case in enumerate(cases(vectors)):
        hotkey, netuid, begin = case["hotkey"], case["netuid"], START + number * STRIDE
        registrations.append([hotkey, begin, "", begin + STRIDE - 1, ""])
        move = case.get("p1")
        if move:
            line = f"kokoah-bind-1 netuid={netuid} hotkey={hotkey} address={move['prev_address']}"
            field = link_field(b"K1", move["prev_address"], ethereum.sign(int(move["prev_private_key"], 16), line))
            commitments.append([begin + DAY, netuid, hotkey, field])
            verdicts.append([begin + DAY, hotkey, "accept", ""])
        time = begin + 2 * DAY
        commitments.append([time, netuid, hotkey, " ".join(case["fields"])])
        agent_only = (case.get("scope") or "").startswith("A1 only")
        machine = len(case["fields"]) > 1 and not move
        verdicts.append([time, hotkey, "accept" if agent_only else case["verdict"], case["verdict"] if machine else ""])
    for name, head, rows in (("in/commitment", "time,netuid,hotkey,fields", commitments),
                             ("in/registration", "hotkey,registered_at,coldkey,left_at,miner", registrations),
                             ("expected/verdict", "time,hotkey,link,agent", verdicts)):
        path = os.path.join(out, name + ".csv")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head.split(","), *rows])


main(*sys.argv[1:])
