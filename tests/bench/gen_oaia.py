#!/usr/bin/env python3
"""gen_oaia.py stop|score OUT_DIR [scale]: inputs of size for the OAIA rules, the same for the same scale.

stop, scale 1: 1,000,000 transfers among 200,000 addresses and 120,000 swaps by 20,000 takers over 200 days, with bots that trade
round, rings that pass tokens on between a buy and a sell, and an exchange that funds strangers.
score, scale 1: an agent with 100,000 calls and 20 with 1,000.
"""
import os
import random
import sys

DAY = 86_400_000
START = 20_454 * DAY


def stop(out, scale):
    r = random.Random(7)
    people = int(200_000 * scale)
    takers = int(20_000 * scale)
    days, pools = 200, ["0x" + "f" * 39 + c for c in "01"]
    name = [f"0x{i * 2654435761 % 2**64:040x}" for i in range(people)]
    swaps, transfers, funding = [], [], []

    def swap(t, taker, side, tokens):
        swaps.append((t, len(swaps), taker, side, tokens, f"{tokens * 0.0004:.6f}", pools[len(swaps) % 2 if len(swaps) % 50 == 0 else 0]))
        a, b = (pools[0], taker) if side == "buy" else (taker, pools[0])
        transfers.append((t, a, b, tokens))

    while len(swaps) < 100_000 * scale:
        swap(START + r.randrange(days * DAY), name[r.randrange(takers)], r.choice(["buy", "sell"]), r.randint(100, 900_000))
    for bot in range(max(1, int(10 * scale))): # a thousand round trips each
        for k in range(int(500)):
            t = START + r.randrange(days * DAY - 7_200_000)
            swap(t, name[bot], "buy", 5000)
            swap(t + 3_600_000, name[bot], "sell", 4500)
    while len(swaps) < 120_000 * scale: # rings
        a, b, c = (name[r.randrange(takers)] for _ in range(3))
        t = START + r.randrange(days * DAY - DAY)
        swap(t, a, "buy", 70_000)
        transfers.append((t + 1000, a, c, 70_000))
        transfers.append((t + 2000, c, b, 70_000))
        swap(t + r.randrange(3000, DAY), b, "sell", 70_000)
    for i in range(people):
        transfers.append((START + r.randrange(30 * DAY), "", name[i], r.choice([500_000, 1_000_000, 2_500_000])))
    while len(transfers) < 1_000_000 * scale:
        transfers.append((START + r.randrange(days * DAY), name[r.randrange(people)], name[int(people * r.random() ** 3)], r.randint(1, 2000)))
    for i in range(takers):
        funding.append((START + r.randrange(DAY), name[people - 1 - i // 3 if i % 4 else people - 1], name[i]))
    write(out, "swap", "time,seq,tx,taker,side,tokens,usd,pool", (f"{t},{q},s{q},{a},{s},{n},{u},{p}" for t, q, a, s, n, u, p in swaps))
    write(out, "token_transfer", "time,tx,sender,receiver,tokens", (f"{t},t{i},{a},{b},{n}" for i, (t, a, b, n) in enumerate(transfers)))
    write(out, "funding", "time,sender,receiver", (f"{t},{a},{b}" for t, a, b in funding))
    write(out, "excluded", "address,why", [f"{pools[1]},lp-timelock", f"{name[people - 2]},service"])


def score(out, scale):
    r = random.Random(7)
    base, hours = START, 4000
    pairs = [f"P{i}-USD" for i in range(20)]
    write(out, "close", "pair,time,close", (f"{p},{base + h * 3_600_000},{r.randint(1, 99999)}.{r.randint(0, 999999)}" for p in pairs for h in range(hours)))
    write(out, "slot", "season,time", (f"S1,{base + h * 3_600_000}" for h in range(0, hours - 100)))
    write(out, "universe", "season,pair,horizon", (f"S1,{p},{h}" for p in pairs for h in (1, 4, 24)))
    calls = [("whale", int(100_000 * scale))] + [(f"agent{i}", 1000) for i in range(20)]
    write(out, "call", "agent,season,time,pair,direction,size,horizon",
          (f"{a},S1,{base + r.randrange(hours - 100) * 3_600_000},{r.choice(pairs)},{r.choice(['long', 'short'])},{r.randint(0, 100)},{r.choice((1, 4, 24))}"
           for a, n in calls for _ in range(n)))


def write(out, name, header, lines):
    with open(os.path.join(out, name + ".csv"), "w", encoding="utf-8") as f:
        f.write(header + "\n")
        f.writelines(line + "\n" for line in lines)


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    (stop if sys.argv[1] == "stop" else score)(sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 1)
