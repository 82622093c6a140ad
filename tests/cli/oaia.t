# What the kill rules say in public; a short notice is named by a warning.
$ krules report oaia/stop --data tests/cases/oaia/stop1/in --day 2026-04-19
OAIA is in maintenance mode as of the close of 2026-04-19 (UTC).

What fired: organic volume was under $500 on each of the 30 days 2026-03-21 to 2026-04-19.

Figures of 2026-04-19: 135 distinct holders (135 on 2026-03-21); volume $1299.99, of which organic $499.99 and classified as excluded $800. Holders condition: not met. Volume condition: met.

What it means: The site and the ledger keep running. House agents may publish less often, and nothing new is spent. It ends on the first day with at least $500 of organic volume, or becomes a wind-down when the holders condition is met too or the operator decides.

Volume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address.

$ krules report oaia/stop --data tests/cases/oaia/stop1/in --day 2026-04-18
nothing to report on 2026-04-18

# The other condition was met on another day of the window: the notice says when.
$ krules report oaia/stop --data tests/cases/oaia/stop1/in --day 2026-06-21 | sed -n 3p
What fired: the holders condition (last met on 2026-06-21) and the volume condition (last met on 2026-05-23) were both met within the 30 days 2026-05-23 to 2026-06-21.

$ mkdir $T/none; for t in 'excluded address,why' 'token_transfer time,tx,sender,receiver,tokens' 'swap time,seq,tx,taker,side,tokens,usd,pool' 'funding time,sender,receiver'; do echo "${t#* }" >$T/none/${t% *}.csv; done

$ krules report oaia/stop --data $T/none
nothing to report: the data have no days

$ krules report oaia/stop --data tests/cases/oaia/stop2/in --from 2026-04-01 --to 2026-05-13
OAIA is in wind-down as of the close of 2026-04-19 (UTC).

What fired: the operator gave notice of at least 30 days, effective on 2026-04-19.

Figures of 2026-04-19: 103 distinct holders (120 on 2026-03-21); volume $1500, of which organic $0 and classified as excluded $800. Holders condition: not met. Volume condition: not met.

What it means: This is final. A receipt of everything spent and burned follows, as far as public records allow. The liquidity lock of 24 months is left to expire, unvested operator tokens are burned, no new predictions are published, and the site becomes a read-only archive.

Volume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address.

$ krules report oaia/stop --data tests/cases/oaia/stop3/in --from 2026-03-20 --to 2026-04-02 --json
{"day":"2026-04-02","text":"OAIA is in maintenance mode as of the close of 2026-04-02 (UTC).\n\nWhat fired: organic volume was under $500 on each of the 30 days 2026-03-04 to 2026-04-02.\n\nFigures of 2026-04-02: 3 distinct holders (4 on 2026-03-04); volume $0, of which organic $0 and classified as excluded $0. Holders condition: not met. Volume condition: met.\n\nWhat it means: The site and the ledger keep running. House agents may publish less often, and nothing new is spent. It ends on the first day with at least $500 of organic volume, or becomes a wind-down when the holders condition is met too or the operator decides.\n\nVolume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address."}
{"code":"N0822","severity":"note","message":"the last record in the data is of 2026-03-11: what comes after it, to 2026-04-02, is computed as days on which nothing happened","place":"--to"}

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

# Why a cell is what it is: a score call by call, a window, a day before, a lookup, a row that is not there.
$ krules explain oaia/score --data tests/cases/oaia/score1/in agent season=S1 agent=ten percentile --rows 3
agent[season=S1, agent=ten].percentile = 19.287109375
  Place of the total among the monkeys' totals, from 0 to 100, ties half.

  rules/oaia/score/v1.lua:100
    COINFLIP(call.edge, total, monkeys, seed BY season, agent)

computed from
  COINFLIP(call.edge, total, monkeys, seed BY season, agent) = 19.287109375
  total                                                      = -0.033926094671745411
  monkeys                                                    = 2048  (parameter)
  seed                                                       = c03efa314bbe464da3a3074d792e3c01cf842108ceabf7c0bcd66e8275be8bc8

10 rows of `call`: COINFLIP(call.edge, total, monkeys, seed BY season, agent)
  season agent time          pair    horizon direction size                  raw                    mu                  edge                     r
  S1     ten   1772409600000 ETHUSDT       1 long        48               0.0055 -0.000116129030794769  0.002695741934781489  0.002695741934781489
  S1     ten   1772524800000 SOLUSDT      72 long        53 0.033422585080068638  0.055103198498603331 -0.011490725111823387 -0.011490725111823387
  S1     ten   1772568000000 ETHUSDT      36 long         0 0.012496354174965664  0.000875881015959695                     0                     0
  … and 7 more (--rows 0 shows all)

$ krules explain oaia/score --data tests/cases/oaia/score1/in agent season=S1 agent=ten --rows 2
agent[season=S1, agent=ten]
  calls       10                     = COUNT(call.size BY season, agent)
  scored      10                     = COUNT(call.edge BY season, agent)
  total       -0.033926094671745411  = SUM(call.r BY season, agent)
  seed        c03efa314bbe464da3a3074d792e3c01cf842108ceabf7c0bcd66e8275be8bc8  = SHA256('OAIA|' & season & '|' & agent)
  percentile  19.287109375           = COINFLIP(call.edge, total, monkeys, seed BY season, agent)
  status      ranked                 = IF(scored < ranked_from, 'proving', 'ranked')
  rank        9                      = RANK(percentile DESC, total DESC WHERE status = 'ranked' BY season)

10 rows of `call`: call BY season, agent
  season agent time          pair    horizon direction size                  raw                    mu                  edge                     r
  S1     ten   1772409600000 ETHUSDT       1 long        48               0.0055 -0.000116129030794769  0.002695741934781489  0.002695741934781489
  S1     ten   1772524800000 SOLUSDT      72 long        53 0.033422585080068638  0.055103198498603331 -0.011490725111823387 -0.011490725111823387
  … and 8 more (--rows 0 shows all)

11 rows of `agent`: RANK(percentile DESC, total DESC WHERE status = 'ranked' BY season)
  season agent        calls scored                 total seed                                                                percentile status rank
  S1     binary-edges    12     12 -0.023589525893421112 d2117a43bc3f6a7435a146f0a22a15866302dc646db79a9fc6ad60579ca8ff8f 41.3818359375 ranked    7
  S1     equal-edges     12     12 -0.188716207147368896 a27b4a21704567c0b0616c013bb0a6327546bc81e10191fc1e2219f59cc1d15a   13.18359375 ranked   10
  … and 9 more (--rows 0 shows all)

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in epoch day=2026-04-20 was
epoch[day=2026-04-20].was = maintenance

  rules/oaia/stop/v1.lua:293
    PREV(state, 'running')

computed from
  PREV(state, 'running') = maintenance

1 row of `epoch`: PREV(state, 'running')
  day        state
  2026-04-19 maintenance

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in epoch day=2026-04-19 volume_condition --rows 2
epoch[day=2026-04-19].volume_condition = true
  Volume trigger.

  rules/oaia/stop/v1.lua:284
    AND(full, ALL(DAYS(dry, window)))

computed from
  full                   = true
  ALL(DAYS(dry, window)) = true
  window                 = 30  (parameter)

30 rows of `epoch`: ALL(DAYS(dry, window))
  day        dry
  2026-03-21 true
  2026-03-22 true
  … and 28 more (--rows 0 shows all)

# All rows, unscored ones too.
$ krules explain oaia/score --data tests/cases/oaia/score1/in agent season=S1 agent=nine total --rows 0
agent[season=S1, agent=nine].total = 0.007678580082249223
  Sum of r.

  rules/oaia/score/v1.lua:96
    SUM(call.r BY season, agent)

computed from
  SUM(call.r BY season, agent) = 0.007678580082249223

12 rows of `call`: SUM(call.r BY season, agent)
  season agent time          pair    horizon direction size                   raw                    mu                  edge                     r
  S1     nine  1772424000000 ETHUSDT      72 short       50  0.011270077281792298 -0.002701644097375672  0.006985860689583985 -0.006985860689583985
  S1     nine  1772467200000 NOCLOSE       1 long        85                                                                                        
  S1     nine  1772481600000 ETHUSDT      36 long        25  0.033582953712518693  0.000875881015959695   0.00817676817413975   0.00817676817413975
  S1     nine  1772524800000 SOLUSDT       1 long        50  0.006599999524819455  0.000303125089780087  0.003148437217519684  0.003148437217519684
  S1     nine  1772568000000 BTCUSDT      72 short        0 -0.015916042499532225  0.000295492333146968                     0                     0
  S1     nine  1772611200000 BTCUSDT      36 short       25 -0.024968390534843073  0.000652505295145722 -0.006405223957497199  0.006405223957497199
  S1     nine  1772668800000 ETHUSDT      72 long        25  0.003249765443932368 -0.002701644097375672   0.00148785238532701   0.00148785238532701
  S1     nine  1772726400000 SOLUSDT       1 short       25  0.007300000412270855  0.000303125089780087  0.001749218830622692 -0.001749218830622692
  S1     nine  1772755200000 ETHUSDT       1 short       81                       -0.000116129030794769                                            
  S1     nine  1772798400000 BTCUSDT      36 short       15  0.019349986175330677  0.000652505295145722  0.002804622132027743 -0.002804622132027743
  S1     nine  1772856000000 ETHUSDT       1 long         0                       -0.000116129030794769                                            
  S1     nine  1772870400000 BTCUSDT      72 long         0   0.02821887884118567  0.000295492333146968                     0                     0

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in evidence criterion=a usd --rows 2
error[E0804]: 25 rows of `evidence` are so
   = help: say more of its columns, as KEY=VALUE: there are evidence[day=2026-02-16, criterion=a, cluster=0xselfx0101>0xselfy0104] and evidence[day=2026-06-16, criterion=a, cluster=0xselfx0201>0xselfy0204]
exit 2

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in epoch day=2027-04-19 usd
error[E0804]: no row of `epoch` is so
   = help: values are written as in the results: text as it is, days as 2026-01-31, times in milliseconds
exit 2

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in epoch day=2026-04-19 organics
error[E0804]: sheet `epoch` has no column `organics`
   = help: did you mean `organic`?
exit 2

$ krules explain oaia/stop --data tests/cases/oaia/stop1/in epoch day=2026-04-19 reason --json
{"row":"epoch[day=2026-04-19]","columns":[
{"column":"reason","value":"volume","type":"text","unit":"","doc":"Why the state changes on this day; empty when it does not.","place":"rules/oaia/stop/v1.lua:295","formula":" IF(AND(live, was <> 'wind-down'),\n                    IFS(both, 'both', holders_condition, 'holders', operator, 'operator',\n                        AND(was = 'running', volume_condition), 'volume',\n                        TRUE, IF(AND(was = 'maintenance', organic >= volume_floor), 'recovery'))) ","meaning":"IF(AND(live, was <> 'wind-down'), IFS(both, 'both', holders_condition, 'holders', operator, 'operator', AND(was = 'running', volume_condition), 'volume', TRUE, IF(AND(was = 'maintenance', organic >= volume_floor), 'recovery')))","from":[{"what":"live","value":"true","kind":"column"},{"what":"was","value":"running","kind":"column"},{"what":"both","value":"false","kind":"column"},{"what":"holders_condition","value":"false","kind":"column"},{"what":"operator","value":"false","kind":"column"},{"what":"volume_condition","value":"true","kind":"column"},{"what":"organic","value":"499.99","kind":"column"},{"what":"volume_floor","value":"500","kind":"parameter"}]}],"rows":[]}
