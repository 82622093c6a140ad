#!/usr/bin/env python3
"""answers.py CSV_FOLDER OUT_FOLDER: tables of rules/kokoah/pay turned back into what the exchange would have answered, each answer with
its request, so that a test can import them and compute the same. Marks ride on `liquidation`, counterparties on the builder's day files."""
import csv, json, os, sys
from collections import defaultdict

DAY = 86400000
source, out = sys.argv[1:3]
os.makedirs(out + "/builder", exist_ok=True)


def rows(name):
    with open(f"{source}/{name}.csv", newline="") as f:
        return list(csv.DictReader(f))


def day_ms(text):
    import datetime
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days * DAY


def write(name, request, response, read_at):
    with open(f"{out}/{name}.json", "w") as f:
        json.dump({"request": request, "response": response, "read_at": read_at}, f)


fills, points, flows = defaultdict(list), defaultdict(list), defaultdict(list)
builder = defaultdict(list)
tables = {n: rows(n) for n in ("fill", "value_point", "flow", "transfer", "candle", "position", "identity")}
end = max(int(r["time"]) for n in ("fill", "value_point", "candle") for r in tables[n]) // DAY * DAY + 2 * DAY
addresses = sorted({r["address"] for n in ("fill", "value_point", "flow", "identity") for r in tables[n]})

for r in tables["fill"]:
    o = {"coin": r["coin"], "px": r["px"], "sz": r["sz"], "side": "B" if r["side"] == "buy" else "A", "time": int(r["time"]), "dir": "", "closedPnl": "0.0",
         "hash": "0x" + "0" * 64, "oid": 1, "crossed": True, "fee": "0.0", "tid": int(r["tid"]), "feeToken": "USDC"}
    if r["start_position"] != "":
        o["startPosition"] = r["start_position"]
    if r["mark"] != "":
        o["liquidation"] = {"markPx": r["mark"], "method": "market"}
    fills[r["address"]].append(o)
    if r["builder"] in ("1", "true"):
        builder[int(r["time"]) // DAY].append([r["time"], r["address"], r["coin"], r["side"], r["px"], r["sz"], r["counterparty"]])
    else:
        builder[int(r["time"]) // DAY]
for a in addresses:
    all_of_a = sorted(fills[a], key=lambda o: o["time"])
    for n, start in enumerate(range(0, max(len(all_of_a), 1), 100)):  # overlapping pages
        page = all_of_a[max(start - 5, 0):start + 100]
        last = start + 100 >= len(all_of_a)
        write(f"fills_{a}_{n}", {"type": "userFillsByTime", "user": a, "startTime": 0 if n == 0 else page[0]["time"],
                                 "endTime": end if last else page[-1]["time"]}, page, end)
for day, lines in builder.items():
    import datetime
    with open(f"{out}/builder/{datetime.date.fromordinal(719163 + day):%Y%m%d}.csv", "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["time", "user", "coin", "side", "px", "sz", "counterparty"])
        w.writerows(lines)

for r in tables["value_point"]:
    points[r["address"]].append((int(r["time"]), r["value"], r["first"] in ("1", "true")))
for a, all_points in points.items():
    all_points.sort()
    history = [[t, v] for t, v, _ in all_points]
    older = [] if all_points[0][2] else [[history[0][0] - DAY, "0.0"]]
    windows = {"day": history[-1:], "week": history[-1:], "month": history[-1:], "allTime": older + history[:1], "perpDay": history[-9:], "perpWeek": history,
               "perpMonth": history[::5], "perpAllTime": history[:1]}
    write(f"portfolio_{a}", {"type": "portfolio", "user": a}, [[n, {"accountValueHistory": h, "pnlHistory": [], "vlm": "0.0"}] for n, h in windows.items()], end)

for r in tables["flow"]:
    usd = r["usd"]
    flows[r["address"]].append({"time": int(r["time"]), "hash": "0x0", "delta": {"type": "withdraw", "usdc": usd[1:], "nonce": 1, "fee": "1.0"} if usd[0] == "-"
                                else {"type": "deposit", "usdc": usd}})
for r in tables["transfer"]:
    flows[r["sender"]].append({"time": int(r["time"]), "hash": "0x0", "delta": {"type": "spotTransfer", "token": "USDC", "amount": "1.0", "usdcValue": "1.0", "user": r["sender"],
                                                                               "destination": r["receiver"], "fee": "0.0", "nonce": None}})
for a in sorted(set(addresses) | set(flows)):
    write(f"ledger_{a}", {"type": "userNonFundingLedgerUpdates", "user": a, "startTime": 0}, flows[a], end)

held = defaultdict(list)
days = sorted({r["day"] for r in tables["position"]})
for a in addresses:
    for day in days:
        held[a, day]  # an account without a position was read as well
for r in tables["position"]:
    held[r["address"], r["day"]].append({"type": "oneWay", "position": {"coin": r["coin"], "szi": r["size"]}})
with open(f"{out}/states.json", "w") as f:  # many answers in one file
    for (a, day), positions in sorted(held.items()):
        f.write(json.dumps({"request": {"type": "clearinghouseState", "user": a}, "response": {"assetPositions": positions, "time": day_ms(day) + DAY + 3600000}}) + "\n")

candles = defaultdict(list)
for r in tables["candle"]:
    span = 60000 if r["span"] == "1m" else 3600000
    candles[r["coin"], r["span"]].append({"t": int(r["time"]), "T": int(r["time"]) + span - 1, "s": r["coin"], "i": r["span"], "o": r["close"], "c": r["close"], "h": r["close"],
                                          "l": r["close"], "v": r["volume"] or "0", "n": 1})
for (coin, span), all_of_coin in candles.items():
    all_of_coin.sort(key=lambda c: c["t"])
    with open(f"{out}/candles_{coin}_{span}.json", "w") as f:
        for start in range(0, len(all_of_coin), 400):
            page = all_of_coin[max(start - 1, 0):start + 400]
            f.write(json.dumps({"request": {"type": "candleSnapshot", "req": {"coin": coin, "interval": span, "startTime": page[0]["t"], "endTime": page[-1]["T"]}},
                                "response": page, "read_at": end}) + "\n")
