# every recorded answer: imported, or left out for a reason that is said
$ cd tests/cli/import/samples && krules import hyperliquid *.json *.json.gz --into $T/all.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036 --builder-rate 0.01% | sort
error[E0513]: the record is between `0x700dec121c4714fc73892cee72f9759306ff0c3a` and `0x7c9fcf87196cfe155d9e624d410ccafa759c4151`, not of `0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036`
  --> CONSTRUCTED_userNonFundingLedgerUpdates_all_types.json:38:2
   = note: byte 794 of the file; nothing of it is imported
   = help: --address says whose ledger this is
error[E0513]: the state of the account does not say when it was read
  --> clearinghouseState_2023_old_shape.json:1:1
   = note: byte 0 of the file; nothing of it is imported
   = help: give --read-at TIME
error[E0513]: the record has no `subAccountUser`
  --> subAccounts2_jkorf.json:1:2
   = note: byte 1 of the file; nothing of it is imported
3 errors
CONSTRUCTED_clearinghouseState_no_margin_summary.json: clearinghouseState, 0 records, 0 new; no position
CONSTRUCTED_referral_builder.json: referral, 8 records, 0 new; nothing in it is for the tables
CONSTRUCTED_userFees.json: userFees, 12 records, 0 new; nothing in it is for the tables
CONSTRUCTED_userFills_dust_spot_netchild.json: userFills, 5 records, 4 new; 3 not on the main perpetuals; 1 of no price or size left out
CONSTRUCTED_userRole_all.json: userRole, 1 record, 1 new; agent
CONSTRUCTED_userRole_all.json: userRole, 1 record, 1 new; missing
CONSTRUCTED_userRole_all.json: userRole, 1 record, 1 new; subAccount
CONSTRUCTED_userRole_all.json: userRole, 1 record, 1 new; user
CONSTRUCTED_userRole_all.json: userRole, 1 record, 1 new; vault
CONSTRUCTED_ws_user_fill_liquidation.json: userFills, 1 record, 1 new
allMids_2023.json: allMids, 28 records, 0 new; nothing in it is for the tables
candleSnapshot_1h_kPEPE.json: candleSnapshot, 24 records, 24 new; its last candle may be unfinished
candleSnapshot_jkorf.json: candleSnapshot, 2 records, 0 new; candles of 1d are not used
clearinghouseState_jkorf.json: clearinghouseState, 1 record, 1 new
extraAgents.json: extraAgents, 2 records, 0 new; nothing in it is for the tables
historicalOrders.json: historicalOrders, 5 records, 0 new; nothing in it is for the tables
metaAndAssetCtxs_jkorf.json: metaAndAssetCtxs, 3 records, 0 new; marks without a time are left out: give --read-at TIME
meta_2023_old_shape.json: meta, 1 record, 0 new; nothing in it is for the tables
portfolio_vault.json.gz: portfolio, 194 records, 154 new
spotClearinghouseState_jkorf.json: spotClearinghouseState, 1 record, 0 new; nothing in it is for the tables
spotMeta_jkorf.json: spotMeta, 2 records, 0 new; nothing in it is for the tables
subAccounts_jkorf.json: subAccounts, 1 record, 1 new
userFills_2023_old_shape.json.gz: userFills, 500 records, 500 new
userFills_2024_cloid_purr_ccxt.json: userFills, 2 records, 2 new; 1 not on the main perpetuals
userFills_builder_hip3_liquidation_ccxt.json: userFills, 5 records, 5 new; 2 not on the main perpetuals
userFills_twapid_null_2025.json: userFills, 1 record, 1 new
userFunding.json: userFunding, 13 records, 0 new; nothing in it is for the tables
userFunding_jkorf.json: userFunding, 1 record, 0 new; nothing in it is for the tables
userNonFundingLedgerUpdates_empty.json: empty answer, 0 records, 0 new; it does not say of what, so nothing is learned from it (--kind, or its request beside it)
userNonFundingLedgerUpdates_jkorf.json: userNonFundingLedgerUpdates, 9 records, 9 new
userNonFundingLedgerUpdates_sdk.json: userNonFundingLedgerUpdates, 5 records, 5 new
userRateLimit.json: userRateLimit, 3 records, 0 new; nothing in it is for the tables
userRole_vault.json: userRole, 1 record, 0 new; vault
userTwapSliceFills_empty.json: empty answer, 0 records, 0 new; it does not say of what, so nothing is learned from it (--kind, or its request beside it)
userVaultEquities.json: userVaultEquities, 2 records, 0 new; nothing in it is for the tables

$ cd tests/cli/import/samples && krules import hyperliquid CONSTRUCTED_userNonFundingLedgerUpdates_all_types.json --into $T/all.db --address 0x700dec121c4714fc73892cee72f9759306ff0c3a
CONSTRUCTED_userNonFundingLedgerUpdates_all_types.json: userNonFundingLedgerUpdates, 25 records, 25 new; 1 of unknown effect
25 records, 25 new, in $T/all.db
warning[W0516]: 1 ledger record cannot be told in money (`activateDexAbstraction`): the flow of its day is unknown
  --> CONSTRUCTED_userNonFundingLedgerUpdates_all_types.json

$ cd tests/cli/import/samples && krules import hyperliquid clearinghouseState_2023_old_shape.json metaAndAssetCtxs_jkorf.json --into $T/all.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036 --read-at 2023-03-20T12:00:00Z
clearinghouseState_2023_old_shape.json: clearinghouseState, 12 records, 12 new
metaAndAssetCtxs_jkorf.json: metaAndAssetCtxs, 3 records, 3 new
15 records, 15 new, in $T/all.db

# again: nothing new
$ sqlite3 $T/all.db .dump | sha256sum > $T/before; cd tests/cli/import/samples && krules import hyperliquid u*.json p*.gz c*.json --into $T/all.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036 >$T/out 2>$T/err; echo $?; grep -c ' 0 new' $T/out; grep -v ' 0 new' $T/out; sqlite3 $T/all.db .dump | sha256sum | cmp - $T/before && echo the same
4
16
the same

# what the tables hold: exact decimals as text
$ sqlite3 $T/all.db "SELECT market, count(*), group_concat(DISTINCT typeof(px)) FROM fill GROUP BY 1"
dex|2|text
perp|508|text
spot|3|text

$ sqlite3 $T/all.db "SELECT coin, px, sz, side, mark, builder, market FROM fill WHERE time > 1768000000000 ORDER BY time"
HYPE|25.585|1|sell||1|perp
HYPE|21.147|5.2|sell|21.193|0|perp
flx:CRCL|70|0.14|buy||0|dex
flx:CRCL|55.877|0.27|sell|55.92|0|dex
HYPE|33.209|0.73|buy||1|perp
BTC|66650|0.002|sell|66610|0|perp
MANTA|0.0849|114.3|sell||0|perp
ARB|0.0751|210.4|buy||0|perp

$ sqlite3 $T/all.db "SELECT f.coin, f.tid < 0, d.exchange_tid, count(*) FROM fill f JOIN fill_detail d USING (address, time, coin, tid, side) WHERE f.tid < 0 GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 4"
SUI|1||242
INJ|1||48
ARB|1||30
LTC|1||29

$ sqlite3 $T/all.db "SELECT count(*), min(value), sum(first = '1') FROM value_point"
154|0|0

$ sqlite3 $T/all.db "SELECT time, kind, usd FROM ledger_record WHERE address LIKE '0x700d%' AND (usd <> '0' OR usd IS NULL) ORDER BY time"
1767225600000|deposit|15000
1767225660000|withdraw|-250
1767225720000|accountClassTransfer|100
1767225780000|accountClassTransfer|-40
1767225840000|internalTransfer|-40
1767225900000|internalTransfer|75.5
1767225960000|subAccountTransfer|-2000
1767226020000|subAccountTransfer|500
1767226140000|send|-206.575
1767226200000|send|60
1767226260000|send|-33
1767226320000|vaultCreate|-100
1767226380000|vaultDeposit|-300
1767226440000|vaultWithdraw|294.663634
1767226500000|vaultDistribution|88.985153
1767226560000|vaultLeaderCommission|12.25
1767227040000|activateDexAbstraction|

$ sqlite3 $T/all.db "SELECT count(*), count(DISTINCT time) FROM flow WHERE address LIKE '0x700d%'; SELECT sender, receiver FROM transfer WHERE time > 1767000000000 ORDER BY time"
16|16
0x700dec121c4714fc73892cee72f9759306ff0c3a|0x7c9fcf87196cfe155d9e624d410ccafa759c4151
0x7c9fcf87196cfe155d9e624d410ccafa759c4151|0x700dec121c4714fc73892cee72f9759306ff0c3a
0x700dec121c4714fc73892cee72f9759306ff0c3a|0xa58408323269ad28ffc56964e27a9c3b6aca6d36
0xa58408323269ad28ffc56964e27a9c3b6aca6d36|0x700dec121c4714fc73892cee72f9759306ff0c3a
0x700dec121c4714fc73892cee72f9759306ff0c3a|0x7c9fcf87196cfe155d9e624d410ccafa759c4151
0x7c9fcf87196cfe155d9e624d410ccafa759c4151|0x700dec121c4714fc73892cee72f9759306ff0c3a

$ sqlite3 $T/all.db "SELECT coin, day, size FROM position ORDER BY day, coin LIMIT 3; SELECT role, master FROM role_read ORDER BY 1, 2; SELECT coin, time, px FROM mark ORDER BY 1; SELECT day, reason FROM gap"
APE|2023-03-19|-131.8
ARB|2023-03-19|246.5
ATOM|2023-03-19|-0.45
agent|
missing|
subAccount|0x183823293ce9e46f28010c1a847d399f0a6257e4
subAccount|0x700dec121c4714fc73892cee72f9759306ff0c3a
user|
vault|
BTC|1679313600000|14.3161
ETH|1679313600000|6.0436
HPOS|1679313600000|8.4542
2026-01-01|a ledger record `activateDexAbstraction` whose direction is not known

# the same record twice in one answer is two fills where the exchange gives no tid, in two answers one
$ echo '[{"coin":"@142","px":"104730.2","sz":"0.00001","side":"A","time":1762732800049,"oid":1,"tid":0}]' > $T/one.json; echo '[{"coin":"@142","px":"104730.2","sz":"0.00001","side":"A","time":1762732800049,"oid":1,"tid":0},{"coin":"@142","px":"104730.20","sz":"0.00001","side":"A","time":1762732800049,"oid":1}]' > $T/two.json; for f in one two one two; do krules import hyperliquid $T/$f.json --into $T/dust.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036; done; sqlite3 $T/dust.db "SELECT count(DISTINCT tid) FROM fill"
$T/one.json: userFills, 1 record, 1 new; 1 not on the main perpetuals
1 record, 1 new, in $T/dust.db
$T/two.json: userFills, 2 records, 1 new; 2 not on the main perpetuals
2 records, 1 new, in $T/dust.db
$T/one.json: userFills, 1 record, 0 new; 1 not on the main perpetuals
1 record, 0 new, in $T/dust.db
$T/two.json: userFills, 2 records, 0 new; 2 not on the main perpetuals
2 records, 0 new, in $T/dust.db
2

# records that contradict each other: both shown, nothing of that file, the other file is kept; another order's fill is another fill
$ echo '[{"coin":"ETH","px":"2000.5","sz":"1.0","side":"B","time":1762732800050,"oid":5,"tid":77,"startPosition":"0.0"}]' > $T/a.json

$ printf '%s\n' '[{"coin":"ETH","px":"1.0","sz":"1","side":"B","time":1762732800050,"oid":6,"tid":78},' '{"coin":"ETH","px":"2000.6","sz":"1.0","side":"B","time":1762732800050,"oid":5,"tid":77}]' > $T/b.json; echo '[{"coin":"ETH","px":"2000.5","sz":"3","side":"B","time":1762732800050,"oid":9,"tid":77}]' > $T/c.json; krules import hyperliquid $T/a.json $T/b.json $T/c.json --into $T/conflict.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
error[E0514]: a fill contradicts what is already there
  --> $T/b.json:2:1
   = note: byte 86 of the file; nothing of it is imported
   = note: here:  0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036 1762732800050 ETH buy tid 77: px 2000.6, sz 1, startPosition -, fee -, closedPnl -
   = note: there: 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036 1762732800050 ETH buy tid 77: px 2000.5, sz 1, startPosition 0, fee -, closedPnl -
$T/a.json: userFills, 1 record, 1 new
$T/c.json: userFills, 1 record, 1 new
exit 4

$ sqlite3 $T/conflict.db "SELECT tid > 0, px, sz, builder IS NULL FROM fill ORDER BY 1"
0|2000.5|3|1
1|2000.5|1|1

# cut short, malformed, lacking, too many decimals
$ head -c 70 $T/a.json > $T/cut.json; krules import hyperliquid $T/cut.json --into $T/conflict.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
error[E0512]: the file ends before the value does
  --> $T/cut.json:1:71
   = note: byte 70 of the file; nothing of it is imported
exit 4

$ printf '[{"coin":"ETH",\n "px":"1.1" "sz":"1"}]' > $T/bad.json; krules import hyperliquid $T/bad.json --into $T/conflict.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
error[E0512]: `,` or a closing bracket is missing
  --> $T/bad.json:2:13
   = note: byte 28 of the file; nothing of it is imported
exit 4

$ echo '[{"coin":"ETH","px":"0.1234567890123456789","sz":"1","side":"B","time":1762732800050,"tid":1}]' | krules import hyperliquid - --into $T/conflict.db --address 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
error[E0505]: `0.1234567890123456789` of `px` has more than 18 decimals
  --> <standard input>:1:21
   = note: byte 20 of the file; nothing of it is imported
exit 4

$ krules import hyperliquid $T/a.json --into $T/nobody.db
error[E0513]: the answer does not say whose it is
  --> $T/a.json:1:1
   = note: byte 0 of the file; nothing of it is imported
   = help: give --address 0x…, or the request beside the response: {"request": {"type": …, "user": …}, "response": …}
exit 4

$ echo '{"hello":1}' | krules import hyperliquid - --into $T/nobody.db
error[E0513]: an answer of no known shape
  --> <standard input>:1:1
   = note: byte 0 of the file; nothing of it is imported
   = help: docs/operators.md lists the shapes that are recognised
exit 4

$ : | krules import hyperliquid - --into $T/nobody.db
error[E0512]: there is no answer in the file
  --> <standard input>
exit 4

$ gzip -c $T/a.json | krules import hyperliquid - --into $T/gz.db --address 0x2BA553D9F990A3B66B03B2DC0D030DFC1C061036
<standard input>: userFills, 1 record, 1 new
1 record, 1 new, in $T/gz.db

# the other side of a trade, when both accounts are imported; an account may trade with itself
$ echo '[{"coin":"ETH","px":"2000.5","sz":"1.0","side":"A","time":1762732800050,"oid":8,"tid":77}]' > $T/d.json; krules import hyperliquid $T/d.json --into $T/gz.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b -q; sqlite3 $T/gz.db "SELECT substr(address, 1, 6), side, substr(counterparty, 1, 6) FROM fill ORDER BY 1"
0x2ba5|buy|0x31ca
0x31ca|sell|0x2ba5

# builder: by the rate, cut to six decimals; by the builder's day files; one choice a database
$ echo '[{"coin":"HYPE","px":"33.209","sz":"0.73","side":"B","time":1770458548926,"tid":1,"fee":"0.012896","builderFee":"0.002424"},{"coin":"HYPE","px":"33.209","sz":"0.73","side":"B","time":1770458548927,"tid":2,"fee":"0.012896","builderFee":"0.002425"},{"coin":"HYPE","px":"33.209","sz":"0.73","side":"B","time":1770458548928,"tid":3,"fee":"0.01"}]' > $T/hype.json; krules import hyperliquid $T/hype.json --into $T/rate.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b --builder-rate 1e-4; sqlite3 $T/rate.db "SELECT tid, builder FROM fill"
$T/hype.json: userFills, 3 records, 3 new
3 records, 3 new, in $T/rate.db
1|1
2|0
3|0

$ krules import hyperliquid $T/hype.json --into $T/rate.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b --builder-rate 0.025%
error[E0514]: `$T/rate.db` tells the builder by rate 0.0001, this import by rate 0.00025
  --> $T/rate.db
   = help: one database holds one choice; begin another with --into
exit 4

$ mkdir $T/b; printf '%s\n' 'time,user,coin,side,px,sz,crossed,counterparty,builder_fee' '2026-02-07T10:02:28.926123Z,0x31ca8395cf837de08b24da3f660e77761dfb974b,HYPE,Bid,33.2090,0.73,true,0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036,0.002424' > $T/b/20260207.csv; krules import hyperliquid $T/hype.json --into $T/files.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b --builder-fills $T/b/20260207.csv; sqlite3 $T/files.db "SELECT tid, builder, counterparty FROM fill"
$T/b/20260207.csv: builder_fills, 1 record, 1 new
$T/hype.json: userFills, 3 records, 3 new
4 records, 4 new, in $T/files.db
1|1|0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
2|0|
3|0|

# a recorded series of marks: the newest of the minute before the fill
$ printf '%s\n' 'symbol,ts,price' 'HYPE,1770458540000,33.1' 'HYPE,1770458548926,33.2' 'HYPE,1770458549000,33.3' > $T/marks.csv; krules import csv mark=$T/marks.csv --map symbol=coin,ts=time,price=px --into $T/rate.db; sqlite3 $T/rate.db "SELECT tid, mark FROM fill"
$T/marks.csv: mark, 3 records, 3 new
3 records, 3 new, in $T/rate.db
1|33.2
2|33.2
3|33.2

# an unfinished candle gives way, a finished one does not
$ echo '[{"t":1770458400000,"T":1770458459999,"s":"HYPE","i":"1m","o":"1","c":"33.1","h":"1","l":"1","v":"10.0","n":5}]' > $T/open.json; echo '[{"t":1770458400000,"T":1770458459999,"s":"HYPE","i":"1m","o":"1","c":"33.4","h":"1","l":"1","v":"19.0","n":9},{"t":1770458460000,"T":1770458519999,"s":"HYPE","i":"1m","o":"1","c":"33.5","h":"1","l":"1","v":"1.0","n":1}]' > $T/whole.json; krules import hyperliquid $T/open.json $T/whole.json $T/open.json --into $T/rate.db; sqlite3 $T/rate.db "SELECT time, close, volume, open FROM candle JOIN candle_detail USING (coin, span, time)"
$T/open.json: candleSnapshot, 1 record, 1 new; its last candle may be unfinished
$T/whole.json: candleSnapshot, 2 records, 1 new; its last candle may be unfinished
$T/open.json: candleSnapshot, 1 record, 0 new; its last candle may be unfinished
4 records, 2 new, in $T/rate.db
1770458400000|33.4|19|0
1770458460000|33.5|1|1

$ sed 's/33.4/33.7/' $T/whole.json > $T/other.json; krules import hyperliquid $T/other.json --into $T/rate.db
error[E0514]: a candle contradicts what is already there
  --> $T/other.json:1:2
   = note: byte 1 of the file; nothing of it is imported
   = note: here:  HYPE 1m 1770458400000: close 33.7, volume 19, trades 9
   = note: there: HYPE 1m 1770458400000: close 33.4, volume 19, trades 9
exit 4

# a full page, newest first: what lies behind it was not read; a page that reaches it makes the day whole
$ python3 tests/cli/import/page.py 1770000000000 2000 newest > $T/p1.json; krules import hyperliquid $T/p1.json --into $T/page.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b --read-at 2026-03-01; sqlite3 $T/page.db "SELECT day, count, complete FROM fill_read ORDER BY day LIMIT 3; SELECT day, count, complete FROM fill_read ORDER BY day DESC LIMIT 2"
$T/p1.json: userFills, 2000 records, 2000 new; a full page: more may lie behind it
2000 records, 2000 new, in $T/page.db
2026-02-02|2000|0
2026-02-03|1872|1
2026-02-04|1728|1
2026-02-28|0|
2026-02-27|0|1

$ python3 tests/cli/import/page.py 1769800000000 300 > $T/p2.json; krules import hyperliquid $T/p2.json --into $T/page.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b --kind userFillsByTime --asked-from 2026-01-01 --asked-to 1770000000000; sqlite3 $T/page.db "SELECT day, count, complete FROM fill_read ORDER BY day LIMIT 4"
$T/p2.json: userFillsByTime, 300 records, 300 new
300 records, 300 new, in $T/page.db
2026-01-30|174|1
2026-01-31|270|1
2026-02-01|254|1
2026-02-02|2000|1

# the master of a sub-account fills what the table of identities leaves empty
$ printf '%s\n' miner,linked_at,hotkey,coldkey,address,master,unlinked_at x,1,h,,0x31ca8395cf837de08b24da3f660e77761dfb974b,, > $T/id.csv; krules import csv identity=$T/id.csv --into $T/role.db -q; echo '{"role":"subAccount","data":{"master":"0x2BA553d9f990a3b66b03b2dc0d030dfc1c061036"}}' | krules import hyperliquid - --into $T/role.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b; krules import csv identity=$T/id.csv --into $T/role.db; sqlite3 $T/role.db 'SELECT master FROM identity'
<standard input>: userRole, 1 record, 1 new; subAccount
1 record, 1 new, in $T/role.db
$T/id.csv: identity, 1 record, 0 new
1 record, 0 new, in $T/role.db
0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036

# two masters contradict each other; merged fills cannot be told apart
$ echo '{"role":"subAccount","data":{"master":"0x3ba553d9f990a3b66b03b2dc0d030dfc1c061036"}}' | krules import hyperliquid - --into $T/role.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b
error[E0514]: a sub-account's master contradicts what is already there
  --> <standard input>:1:1
   = note: byte 0 of the file; nothing of it is imported
   = note: here:  0x31ca8395cf837de08b24da3f660e77761dfb974b: 0x3ba553d9f990a3b66b03b2dc0d030dfc1c061036
   = note: there: 0x31ca8395cf837de08b24da3f660e77761dfb974b: 0x2ba553d9f990a3b66b03b2dc0d030dfc1c061036
exit 4

$ echo '{"request":{"type":"userFillsByTime","user":"0x31ca8395cf837de08b24da3f660e77761dfb974b","aggregateByTime":true},"response":[]}' | krules import hyperliquid - --into $T/role.db
error[E0513]: fills merged by time cannot be told apart again: ask without `aggregateByTime`
  --> <standard input>:1:108
   = note: byte 107 of the file; nothing of it is imported
exit 4

# an empty answer whose request is known tells that there was nothing
$ echo '{"request":{"type":"userFillsByTime","user":"0x31ca8395cf837de08b24da3f660e77761dfb974b","startTime":1770000000000},"response":[],"read_at":1770300000000}' | krules import hyperliquid - --into $T/role.db; echo '[]' | krules import hyperliquid - --kind candleSnapshot --coin ETH --asked-from 2026-02-02 --asked-to 2026-02-03 --read-at 2026-02-04 --into $T/role.db; sqlite3 $T/role.db 'SELECT kind, coin, span, from_ms, to_ms FROM read_log WHERE kind NOT LIKE "csv%"'
<standard input>: userFillsByTime, 0 records, 0 new
0 records, 0 new, in $T/role.db
<standard input>: candleSnapshot, 0 records, 0 new; no trade in ETH
0 records, 0 new, in $T/role.db
candleSnapshot|ETH|1h|1769990400000|1770076800001
candleSnapshot|ETH|1m|1769990400000|1770076800001
fills|||1770000000000|1770300000000

# tables in JSON Lines, and a ledger read by two pages of the limit
$ echo '{"coin":"ETH","time":1770000000000,"px":2000.5}' > $T/mark.jsonl; krules import csv mark=$T/mark.jsonl --into $T/role.db
$T/mark.jsonl: mark, 1 record, 1 new
1 record, 1 new, in $T/role.db

$ python3 -c 'import json; print(json.dumps([{"time": 1770000000000 + n * 1000000, "hash": "0x%d" % n, "delta": {"type": "deposit", "usdc": "1.0"}} for n in range(500)]))' > $T/l1.json; krules import hyperliquid $T/l1.json --into $T/role.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b; sqlite3 $T/role.db 'SELECT day, reason FROM gap'; echo '[{"time":1770499000000,"hash":"0x499","delta":{"type":"deposit","usdc":"1.0"}},{"time":1770600000000,"hash":"0x999","delta":{"type":"deposit","usdc":"1.0"}}]' | krules import hyperliquid - --into $T/role.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b; sqlite3 $T/role.db 'SELECT count(*) FROM gap; SELECT count(*) FROM flow'
$T/l1.json: userNonFundingLedgerUpdates, 500 records, 500 new
500 records, 500 new, in $T/role.db
2026-02-07|a full page of the ledger: more lies behind it
<standard input>: userNonFundingLedgerUpdates, 2 records, 1 new
2 records, 1 new, in $T/role.db
0
501

# wrong use
$ krules import
error[E0803]: import wants to know what it reads: hyperliquid or csv
   = help: krules import hyperliquid FILE… --into data.db, or krules import csv TABLE=FILE… --into data.db
exit 2

$ krules import hyperliquid
error[E0803]: import has nothing to read
   = help: krules import hyperliquid fills.json --into data.db
exit 2

$ krules import hyperliqid $T/a.json --into $T/a.db
error[E0803]: import wants to know what it reads: hyperliquid or csv
  --> hyperliqid
   = help: hyperliquid
exit 2

$ krules import hyperliquid $T/a.json --into $T/a.db --address 0x12
error[E0803]: `0x12` is not an address
  --> --address
   = help: an address is 0x and 40 hex digits
exit 2

$ krules import hyperliquid $T/a.json --into $T/a.db --kind userFils
error[E0803]: there is no answer `userFils`
  --> --kind
   = help: did you mean `userFills`?
exit 2

$ krules import hyperliquid $T/a.json --into $T/a.db --builder-rate 0
error[E0803]: `0` is not a rate
  --> --builder-rate
   = help: write a part of the fill's value above 0, such as 0.025% or 0.00025
exit 2

$ krules import csv identity --into $T/a.db
error[E0803]: a table is given as TABLE=FILE
  --> identity
   = help: identity=links.csv
exit 2

$ krules import csv identiti=$T/a.csv --into $T/a.db
error[E0803]: the rules read no table `identiti`
  --> identiti
   = help: did you mean `identity`?
exit 2

$ krules import csv mark=$T/marks.csv --map symbol=coin,ts=time,price=px,foo=bar --into $T/a.db
error[E0803]: no header is called `foo`
  --> --map
exit 2

$ krules import csv mark=$T/marks.csv --into $T/a.db --address 0x31ca8395cf837de08b24da3f660e77761dfb974b
error[E0803]: --address is for `krules import hyperliquid`
exit 2

$ ls $T/a.db 2>/dev/null; sqlite3 $T/a.db "SELECT count(*) FROM mark" 2>&1 | head -1
Error: in prepare, no such table: mark
