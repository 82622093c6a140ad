#!/usr/bin/env python3
"""page.py START COUNT [newest]: a page of COUNT fills, one every ten minutes from START (ms), oldest or newest first."""
import json, sys
start, count = int(sys.argv[1]), int(sys.argv[2])
fills = [{"coin": "ETH", "px": "2000.0", "sz": "1.0", "side": "B", "time": start + n * 600000, "startPosition": f"{n}.0", "oid": n + 1, "tid": start // 1000 * 10000 + n + 1,
          "fee": "0.1"} for n in range(count)]
print(json.dumps(fills[::-1] if "newest" in sys.argv else fills))
