# What the kill rules say in public; a short notice is named by a warning.
$ krules report oaia/stop --data tests/cases/oaia/stop1/in --day 2026-04-19
OAIA is in maintenance mode as of the close of 2026-04-19 (UTC).

What fired: organic volume was under $500 on each of the 30 days 2026-03-21 to 2026-04-19.

Figures of 2026-04-19: 135 distinct holders (135 on 2026-03-21); volume $1299.99, of which organic $499.99 and classified as excluded $800. Holders condition: not met. Volume condition: met.

What it means: The site and the ledger keep running. House agents may publish less often, and nothing new is spent. It ends on the first day with at least $500 of organic volume, or becomes a wind-down when the holders condition is met too or the operator decides.

Volume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address.

$ krules report oaia/stop --data tests/cases/oaia/stop1/in --day 2026-04-18
nothing to report on 2026-04-18

$ krules report oaia/stop --data tests/cases/oaia/stop2/in --from 2026-04-01 --to 2026-05-13
OAIA is in wind-down as of the close of 2026-04-19 (UTC).

What fired: the operator gave notice of at least 30 days, effective on 2026-04-19.

Figures of 2026-04-19: 103 distinct holders (120 on 2026-03-21); volume $1500, of which organic $0 and classified as excluded $800. Holders condition: not met. Volume condition: not met.

What it means: This is final. A receipt of everything spent and burned follows, as far as public records allow. The liquidity lock of 24 months is left to expire, unvested operator tokens are burned, no new predictions are published, and the site becomes a read-only archive.

Volume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address.

$ krules report oaia/stop --data tests/cases/oaia/stop3/in --from 2026-03-20 --to 2026-04-02 --json
{"day":"2026-04-02","text":"OAIA is in maintenance mode as of the close of 2026-04-02 (UTC).\n\nWhat fired: organic volume was under $500 on each of the 30 days 2026-03-04 to 2026-04-02.\n\nFigures of 2026-04-02: 3 distinct holders (4 on 2026-03-04); volume $0, of which organic $0 and classified as excluded $0. Holders condition: not met. Volume condition: met.\n\nWhat it means: The site and the ledger keep running. House agents may publish less often, and nothing new is spent. It ends on the first day with at least $500 of organic volume, or becomes a wind-down when the holders condition is met too or the operator decides.\n\nVolume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address."}

$ krules report oaia/score --data tests/cases/oaia/score1/in
error[E0803]: rulebook `oaia/score` has no reports
   = help: name a text column of a sheet with days in the header: report = "epoch.announcement"
exit 2

$ krules report oaia/stop
error[E0803]: report needs data
  --> --data
   = help: name the folder or database that holds the input tables
exit 2

# Paths: what HOPS refuses.
$ printf 'rulebook { id = "t", version = 1, language = 1 }\nlocal t = sheet("t", { "a", "b", "time" })\nt.a = text\nt.b = text\nt.time = time\nt.n = number\nt.x = "HOPS(a, time, b, time, 3, DAY(time), EDGES(t.a, t.b, t.time) BY ())"\nt.y = "HOPS(a, time, b, EDGES(t.a, t.b, t.time) BY ())"\nt.z = "HOPS(a, time, b, time, 2, DAY(time), EDGES(t.a, t.b, t.time, t.n) BY ())"\nt.u = "HOPS(a, n, b, time, 2, DAY(time), EDGES(t.a, t.b, t.time) BY ())"\nt.v = "SUM(HOPS(t.a, t.time, t.b, t.time, 2, DAY(t.time), EDGES(t.a, t.b, t.time) BY ()) BY ())"\n' >$T/hops.lua

$ krules check $T/hops.lua
error[E0240]: HOPS finds paths of at least 1 or at least 2 edges
 --> $T/hops.lua:7:31
  |
7 | t.x = "HOPS(a, time, b, time, 3, DAY(time), EDGES(t.a, t.b, t.time) BY ())"
  |                               ^
  = help: a longer path without a node twice would mean trying all of them; give a parameter `min = 1, max = 2`
error[E0240]: HOPS takes six arguments, then what leads from node to node
 --> $T/hops.lua:8:8
  |
8 | t.y = "HOPS(a, time, b, EDGES(t.a, t.b, t.time) BY ())"
  |        ^^^^
  = help: HOPS(from, t, to, u, least, by, EDGES(T.a, T.b, T.time, T.barred WHERE condition), … BY a, b)
error[E0225]: what bars a node must be, like `by`, day, and `t.n` is number
 --> $T/hops.lua:9:69
  |
9 | t.z = "HOPS(a, time, b, time, 2, DAY(time), EDGES(t.a, t.b, t.time, t.n) BY ())"
  |                                                                     ^^^
error[E0225]: the start of a path's time is a time or a day, not number
  --> $T/hops.lua:10:16
   |
10 | t.u = "HOPS(a, n, b, time, 2, DAY(time), EDGES(t.a, t.b, t.time) BY ())"
   |                ^
error[E0235]: `HOPS` cannot stand inside `SUM`
  --> $T/hops.lua:11:12
   |
11 | t.v = "SUM(HOPS(t.a, t.time, t.b, t.time, 2, DAY(t.time), EDGES(t.a, t.b, t.time) BY ()) BY ())"
   |            ^^^^
   = help: put it in a column of its own and name that here
5 errors
exit 3
