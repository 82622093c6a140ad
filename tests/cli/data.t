# tables as others write them, with headers of their own; twice changes nothing
$ cd data/kokoah/pay/example && krules import csv --rules ../../../../rules identity=identity.csv fill=fill.csv value_point=value_point.csv flow=flow.csv transfer=transfer.csv candle=candle.csv position=position.csv fill_read=fill_read.csv --into $T/csv.db && sed 's/tao_per_alpha/price/; s/verified/ok/' pool_rate.csv > $T/rates.csv && sed 's/verified/ok/' agent.csv > $T/agents.csv && krules import csv --rules ../../../../rules pool_rate=$T/rates.csv agent=$T/agents.csv --map price=tao_per_alpha,ok=verified --into $T/csv.db
identity.csv: identity, 12 records, 12 new
fill.csv: fill, 2445 records, 2445 new
value_point.csv: value_point, 3185 records, 3185 new
flow.csv: flow, 44 records, 44 new
transfer.csv: transfer, 5 records, 5 new
candle.csv: candle, 11672 records, 11672 new
position.csv: position, 1401 records, 1401 new
fill_read.csv: fill_read, 440 records, 440 new
19204 records, 19204 new, in $T/csv.db
$T/rates.csv: pool_rate, 800 records, 800 new
$T/agents.csv: agent, 80 records, 80 new
880 records, 880 new, in $T/csv.db

$ cd data/kokoah/pay/example && krules import csv --rules ../../../../rules identity=identity.csv flow=flow.csv transfer=transfer.csv --into $T/csv.db
identity.csv: identity, 12 records, 0 new
flow.csv: flow, 44 records, 0 new
transfer.csv: transfer, 5 records, 0 new
61 records, 0 new, in $T/csv.db

# the same data by digest, and the same result
$ krules data info --data data/kokoah/pay/example | head -12
table                rows  first       last        empty days  digest
identity               12  2024-02-07  2024-03-05          23  572bc3382ee59e82
fill                 2445  2024-02-02  2024-03-20           0  9f3559f9151e1495
value_point          3185  2024-02-02  2024-03-20           0  fdab8de432aadf3f
flow                   44  2024-02-03  2024-03-20          23  a986326a0a867c21
transfer                5  2024-02-16  2024-03-13          22  61857a0811f7199f
candle              11672  2024-02-02  2024-03-20           0  26cb5e824e9e22c0
position             1401  2024-02-02  2024-03-20           0  45282a23df3f0d99
fill_read             440  2024-02-08  2024-03-18           0  7778f03d6844d3c4
agent                  80  2024-02-08  2024-03-18           0  61c2401d36f6e350
pool_rate             800  2024-02-08  2024-03-18           0  088746092ca72bb4
digest of the data: bd1a2c66125c2902457c86e2e86e4ca1b61a5991e719f369a115b3e97f07cce3

$ krules data info --data $T/csv.db
table                rows  first       last        empty days  digest
identity               12  2024-02-07  2024-03-05          23  572bc3382ee59e82
fill                 2445  2024-02-02  2024-03-20           0  9f3559f9151e1495
value_point          3185  2024-02-02  2024-03-20           0  fdab8de432aadf3f
flow                   44  2024-02-03  2024-03-20          23  a986326a0a867c21
transfer                5  2024-02-16  2024-03-13          22  61857a0811f7199f
candle              11672  2024-02-02  2024-03-20           0  26cb5e824e9e22c0
position             1401  2024-02-02  2024-03-20           0  45282a23df3f0d99
fill_read             440  2024-02-08  2024-03-18           0  7778f03d6844d3c4
agent                  80  2024-02-08  2024-03-18           0  61c2401d36f6e350
pool_rate             800  2024-02-08  2024-03-18           0  088746092ca72bb4
digest of the data: bd1a2c66125c2902457c86e2e86e4ca1b61a5991e719f369a115b3e97f07cce3
known gaps
0x28594cbc073928e3080e15a69dd13edf4f605431  2024-02-29  fills are not whole
0x853226c578df7571fa9a133c69b1725c15544d89  2024-02-27  fills are not whole
0xa1e92da85daaddb691bbb5bff80dea8cf0b63c93  2024-02-12  fills are not whole

$ krules data info --data $T/csv.db --json | cut -c1-260
{"data":"bd1a2c66125c2902457c86e2e86e4ca1b61a5991e719f369a115b3e97f07cce3","tables":[{"table":"identity","rows":12,"first":"2024-02-07","last":"2024-03-05","empty_days":23,"digest":"572bc3382ee59e8289c4bed43ea51bcd789707a382d64621e6b4bca01bacc99d"},{"table":"f

$ krules data check --data $T/csv.db --day 2024-03-18
2024-03-18  ready

$ krules eval kokoah/pay --data $T/csv.db --day 2024-03-18 --only account.pay --format csv >$T/a && krules eval kokoah/pay --data data/kokoah/pay/example --day 2024-03-18 --only account.pay --format csv | cmp - $T/a && wc -l < $T/a
11

# a day that has not settled, by what was read and by a time that is given
$ krules data check --data $T/csv.db --day 2024-03-20 | head -3
2024-03-20  not ready
  - the day settles at 2024-03-22T00:00:00.000Z; the newest record or reading is of 2024-03-21T00:00:00.000Z
  - fills of 0x1c95dac5c41bb85d6ac71278dda58905029d27ab were never read

$ krules data check --data $T/csv.db --day 2024-03-18 --now 2024-03-19T12:00:00Z
2024-03-18  not ready
  - the day settles at 2024-03-20T00:00:00.000Z; the newest record or reading is of 2024-03-19T12:00:00.000Z
exit 1

# tables that may be sparse: where they end is said
$ krules data check --data $T/csv.db --day 2024-03-23 --now 2024-03-26T00:00:00Z | grep note
  note: the table `flow` as imported ends at 2024-03-21T00:00:00.000Z: deposits and withdrawals after it are not known
  note: the table `agent` as imported ends at 2024-03-19T00:00:00.000Z: machines that passed after it are not known
  note: no pool rate of the day: pay in dollars will be unknown

$ krules eval kokoah/pay --data $T/csv.db --day 2024-03-21 2>&1 | tail -4
error[E0515]: 1 of the 1 day asked for cannot be scored yet
  --> $T/csv.db
   = help: --incomplete computes all the same; `krules data check` lists what is missing
20 errors

$ krules eval kokoah/pay --data $T/csv.db --day 2024-03-20 --incomplete --only account.pay --format csv | head -3
miner,day,pay
m1,2024-03-20,278.521260070265149791
m10,2024-03-20,866.620973849297841662

# answers of the exchange about the same days: the same result
$ python3 tests/cli/import/answers.py data/kokoah/pay/example $T/answers && krules import hyperliquid $T/answers/*.json --builder-fills "$(ls $T/answers/builder/*.csv | paste -sd,)" --into $T/api.db -q && echo imported
imported

$ krules data check --data $T/api.db --day 2024-03-18
2024-03-18  not ready
  - the table `identity` was never imported
  - the table `agent` was never imported (its header alone says that there is none)
  note: no pool rate of the day: pay in dollars will be unknown
exit 1

$ cd data/kokoah/pay/example && krules import csv --rules ../../../../rules identity=identity.csv agent=agent.csv pool_rate=pool_rate.csv --into $T/api.db -q && krules data check --rules ../../../../rules --data $T/api.db --day 2024-03-18
2024-03-18  ready

$ cp -r data/kokoah/pay/example $T/tables && sqlite3 -csv -header $T/api.db 'SELECT * FROM fill_read' > $T/tables/fill_read.csv && krules eval kokoah/pay --data $T/tables --to 2024-03-18 --format csv --out $T/one -q && krules eval kokoah/pay --data $T/api.db --to 2024-03-18 --incomplete --format csv --out $T/two -q && diff -r $T/one $T/two && wc -l < $T/two/account.csv
397

# the order of imports does not matter, nor whether it is one or many
$ for f in $(ls -r $T/answers/*.json); do krules import hyperliquid $f --into $T/order.db -q || echo $f; done; krules import hyperliquid $T/answers/states.json --builder-fills "$(ls -r $T/answers/builder/*.csv | paste -sd,)" --into $T/order.db -q; cd data/kokoah/pay/example && krules import csv --rules ../../../../rules identity=identity.csv agent=agent.csv pool_rate=pool_rate.csv --into $T/order.db -q; for n in api order; do sqlite3 $T/$n.db .dump | grep INSERT | sort | sha256sum; done | uniq | wc -l
1

# tables of another rulebook
$ krules import csv --book examples/five-lines/tips.lua $(ls examples/five-lines/data/*.csv | sed 's|.*/\(.*\).csv|\1=&|') --into $T/tips.db && krules eval examples/five-lines/tips.lua --data $T/tips.db --format jsonl | head -2
examples/five-lines/data/shift.csv: shift, 5 records, 5 new
5 records, 5 new, in $T/tips.db
{"sheet":"shift","day":"2024-03-01","name":"ann","hours":6,"tips":41.5,"paid":28.697142857142857143}
{"sheet":"shift","day":"2024-03-01","name":"bo","hours":4,"tips":12,"paid":19.131428571428571429}

$ krules data check --book examples/five-lines/tips.lua --data $T/tips.db
error[E0803]: what a day needs is known of kokoah/pay only
  --> example/tips
exit 2

# unknown is not 0: an unknown kind of record, a day without its points, fills that nobody attributed
$ echo '{"request":{"type":"userNonFundingLedgerUpdates","user":"0x28594cbc073928e3080e15a69dd13edf4f605431"},"response":[{"time":1710760000000,"hash":"0x9","delta":{"type":"newThing","usdc":"5"}}]}' | krules import hyperliquid - --into $T/api.db; krules data check --data $T/api.db --day 2024-03-18; krules eval kokoah/pay --data $T/api.db --day 2024-03-18 --only account.known,account.end_value,account.ret --where "address = '0x28594cbc073928e3080e15a69dd13edf4f605431'" --format csv; krules data info --data $T/api.db | tail -1
<standard input>: userNonFundingLedgerUpdates, 1 record, 1 new; 1 of unknown effect
1 record, 1 new, in $T/api.db
warning[W0516]: 1 ledger record cannot be told in money (`newThing`): the flow of its day is unknown
  --> <standard input>
2024-03-18  ready
  note: flows of 0x28594cbc073928e3080e15a69dd13edf4f605431 are not known: its return of the day is unknown
miner,day,known,end_value,ret
m4,2024-03-18,false,,
0x28594cbc073928e3080e15a69dd13edf4f605431  2024-03-18  a ledger record of the unknown kind `newThing`

$ echo '{"request":{"type":"userFillsByTime","user":"0x28594cbc073928e3080e15a69dd13edf4f605431"},"response":[{"coin":"ETH","px":"3500.0","sz":"1","side":"B","time":1711060000000,"tid":5,"oid":1}]}' | krules import hyperliquid - --into $T/api.db -q; krules data check --data $T/api.db --day 2024-03-21 | grep -E 'builder|marks'
  - fills of 0x28594cbc073928e3080e15a69dd13edf4f605431: 1 do not say whether they carry the builder's code (import with --builder-rate or --builder-fills)
  - marks: 1 of 1 perpetual fills of 0x28594cbc073928e3080e15a69dd13edf4f605431 have none

# what is missing when only fills were read
$ echo '[{"coin":"ETH","px":"3500.0","sz":"1","side":"B","time":1710760000000,"tid":5,"oid":1}]' | krules import hyperliquid - --into $T/fills.db --address 0x28594cbc073928e3080e15a69dd13edf4f605431 --builder-rate 0.025% -q; cd data/kokoah/pay/example && grep -E 'miner|0x28594cbc' identity.csv | sed 's/170[0-9]*,$/1707000000000,/' > $T/i.csv && krules import csv --rules ../../../../rules identity=$T/i.csv --into $T/fills.db -q; krules data check --rules ../../../../rules --data $T/fills.db --day 2024-03-18
2024-03-18  not ready
  - the day settles at 2024-03-20T00:00:00.000Z; the newest record or reading is of 2024-03-18T11:06:40.001Z
  - the table `agent` was never imported (its header alone says that there is none)
  - fills of 0x28594cbc073928e3080e15a69dd13edf4f605431: read up to 2024-03-18T11:06:40.001Z, wanted up to 2024-03-20T00:00:00.000Z
  - marks: 1 of 1 perpetual fills of 0x28594cbc073928e3080e15a69dd13edf4f605431 have none
  - account value of 0x28594cbc073928e3080e15a69dd13edf4f605431 was never read
  - positions of 0x28594cbc073928e3080e15a69dd13edf4f605431: not read between 2024-03-19T00:00:00.000Z and 2024-03-20T00:00:00.000Z
  - ledger of 0x28594cbc073928e3080e15a69dd13edf4f605431 (deposits, withdrawals, transfers) was never read
  - candles 1m of ETH were never read
  - candles 1h of ETH were never read
  note: no pool rate of the day: pay in dollars will be unknown
exit 1

$ krules eval kokoah/pay --data $T/fills.db --day 2024-03-18 --incomplete --only account.pay --format csv
miner,day,pay
m4,2024-03-18,0

# rows that contradict each other, cells that were empty, bad cells
$ printf '%s\n' miner,linked_at,hotkey,coldkey,address,master,unlinked_at x,1,h,,0x28594cbc073928e3080e15a69dd13edf4f605431,, > $T/x.csv && krules import csv identity=$T/x.csv --into $T/x.db && sed 's/,,$/,,5/; s/h,,/h,c,/' $T/x.csv > $T/y.csv && krules import csv identity=$T/y.csv --into $T/x.db && krules import csv identity=$T/x.csv --into $T/x.db -q && sqlite3 $T/x.db 'SELECT * FROM identity' && sed 's/h,/k,/' $T/x.csv > $T/z.csv && krules import csv identity=$T/z.csv --into $T/x.db
$T/x.csv: identity, 1 record, 1 new
1 record, 1 new, in $T/x.db
$T/y.csv: identity, 1 record, 0 new
1 record, 0 new, in $T/x.db
x|1|h|c|0x28594cbc073928e3080e15a69dd13edf4f605431||5
error[E0514]: a row of `identity` contradicts what is already there
  --> $T/z.csv:2
   = note: here:  identity[miner=x, linked_at=1, hotkey=k, coldkey=, address=0x28594cbc073928e3080e15a69dd13edf4f605431, master=, unlinked_at=]
   = note: there: identity[miner=x, linked_at=1, hotkey=h, coldkey=c, address=0x28594cbc073928e3080e15a69dd13edf4f605431, master=, unlinked_at=5]
exit 4

$ printf '%s\n' miner,linked_at,hotkey,coldkey,address,master,unlinked_at x,one,h,,0x28594cbc073928e3080e15a69dd13edf4f605431,, > $T/w.csv; krules import csv identity=$T/w.csv --into $T/x.db
error[E0504]: `one` is not a time
  --> $T/w.csv:2:3
   = row: identity[miner=x, linked_at=one].linked_at
   = help: write whole milliseconds since 1970-01-01 UTC, or YYYY-MM-DDTHH:MM:SS.mmmZ
exit 4

# wrong use
$ krules data
error[E0803]: data wants one of check and info
   = help: krules data check --data data.db --day D, or krules data info --data PATH
exit 2

$ krules data check --data data/kokoah/pay/example --day 2024-03-18
error[E0501]: `data/kokoah/pay/example` does not remember what was read
  --> data/kokoah/pay/example
   = help: databases made by `krules import` do; of other data nothing can be told but what is in it
exit 4

$ krules data check --data $T/api.db --day yesterday
error[E0803]: `yesterday` is not a day
   = help: write a real date as YYYY-MM-DD
exit 2

$ krules data check --data $T/api.db --from 2024-03-18 --to 2024-03-17
error[E0803]: the period ends (2024-03-17) before it begins (2024-03-18)
  --> --to
exit 2

$ krules data info --data $T/api.db --day 2024-03-18
error[E0803]: --day is for `krules data check`
exit 2
