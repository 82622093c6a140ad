#!/usr/bin/env python3
"""peers_data.py ROWS_CSV OUTDIR: the peer workload's rows.csv (day,miner,phi,e,w,ret) as a table of ours."""
import datetime
import os
import sys

os.makedirs(sys.argv[2], exist_ok=True)
first = datetime.date(2024, 1, 1)
days = {}
with open(sys.argv[1]) as rows, open(os.path.join(sys.argv[2], "row.csv"), "w") as out:
    out.write("day,miner,phi,eligible,weight,ret\n")
    for line in rows:
        day, rest = line.split(",", 1)
        if day not in days:
            days[day] = (first + datetime.timedelta(int(day))).isoformat()
        out.write(days[day] + "," + rest)
