-- OAIA: when the project must stop, with the definitions that this rests on. Measured at the close of every UTC day from records
-- before it; a published day is never revised. A cluster named in `evidence` is evidence about swaps, never an accusation of an address.
-- (§ …) names the section of the published page. docs/rulings.md lists the readings taken.

rulebook {
  id = "oaia/stop", version = 1, language = 1, title = "OAIA kill rules",
  effective_from = "2023-01-01", notice_days = 14,
  days = { from = "earliest(earliest(MIN(token_transfer.time), MIN(swap.time)), MIN(funding.time))", open = true },
  report = "epoch.announcement",
}

------------------------------------------------------------------------------------------------ parameters

--- Fewest tokens of a holder; less is dust (§ definitions, Dust wallet). [token]
param.dust = { "1_000_000", min = 0 }
--- Decline of the holders that ends the project (§ when we stop, Holders). [1]
param.holders_decline = { "15%", min = 0, max = 1 }
--- Days over which that is measured, both ends included; also those of the volume trigger, and within which two triggers meet (§ when we stop). [days]
param.window = { 30, min = 2, max = 1000 }
--- Holders that must once have been exceeded for the trigger to be live (§ when we stop, Holders). [1]
param.active_above = { 100, min = 0 }
--- Organic volume of a day below which it counts as dry (§ when we stop, Volume). [USD]
param.volume_floor = { 500, min = 0 }
--- How long before a sell its buys may be, in self-trading and in round trips: 24 hours (§ definitions, Excluded volume (a), (b)). [ms]
param.trip_window = { "86_400_000", min = 0 }
--- Fewest transfers of a path that goes through an intermediary (§ definitions, Excluded volume (a); ruling). [1]
param.fewest_hops = { 2, min = 1, max = 2 }
--- Part of a buy that must be sold again for a round trip (§ definitions, Excluded volume (b)). [1]
param.trip_part = { "80%", min = 0, max = 1 }
--- Round trips from which on a taker's swaps are excluded (§ definitions, Excluded volume (b)). [1]
param.trips = { 3, min = 1 }
--- Net change of a funded cluster, against its gross volume, below which its swaps are excluded (§ definitions, Excluded volume (c)). [1]
param.cluster_net = { "20%", min = 0, max = 1 }
--- Fewest takers of a cluster (§ definitions, Excluded volume (c); ruling). [1]
param.cluster_takers = { 2, min = 1 }
--- Calendar days over which a cluster is measured (§ definitions, Excluded volume (c)). [days]
param.cluster_days = { 30, min = 1, max = 1000 }
--- Public notice that the operator must give of a wind-down: 30 days (§ when we stop). [ms]
param.operator_notice = { "2_592_000_000", min = 0 }

--- The smaller of two that may be unknown.
define.earliest = { "a", "b", "IF(ISBLANK(a), b, IF(ISBLANK(b), a, MIN(a, b)))" }

------------------------------------------------------------------------------------------------ what comes in

--- Addresses that are left out, taken as given for all days (§ definitions, Excluded addresses).
local excluded = sheet("excluded", { "address" })
excluded.address = address
excluded.why     = one_of("operator", "lp-timelock", "vesting", "burn", "service") { required = true }

--- Movements of the token. No key: equal rows are separate records.
local token_transfer = sheet("token_transfer", {})
token_transfer.time     = time { required = true }
token_transfer.tx       = text
--- Empty: a mint.
token_transfer.sender   = address
--- Empty: no address.
token_transfer.receiver = address
--- [token]
token_transfer.tokens   = number { min = 0, required = true }
token_transfer.day      = "DAY(time)"

--- Swaps against a pool, in the order of the chain.
local swap = sheet("swap", { "time", "seq" })
swap.time   = time
swap.seq    = number
swap.tx     = text
swap.taker  = address { required = true }
--- buy: the taker gets tokens.
swap.side   = one_of("buy", "sell") { required = true }
--- [token]
swap.tokens = number { min = 0, required = true }
--- [USD]
swap.usd    = number { min = 0, required = true }
swap.pool   = address { required = true }
swap.day    = "DAY(time)"

--- Transfers of the chain's native coin. No key. Of several at one time the smaller sender comes first.
local funding = sheet("funding", {}, { order = { "time", "sender" } })
funding.time     = time { required = true }
funding.sender   = address { required = true }
funding.receiver = address { required = true }
funding.taker    = "receiver"

--- The operator's notices of a wind-down; the table may be absent.
local notice = sheet("notice", {}, { optional = true, order = { "time" } })
notice.time      = time { required = true }
notice.effective = time { required = true }
notice.day       = "DAY(effective)"
--- A shorter notice has no effect (§ when we stop).
notice.valid     = "effective - time >= operator_notice"

------------------------------------------------------------------------------------------------ holders

--- Addresses that a swap names as its pool, and the day of the first.
local pool = sheet("pool", { "address" }, { rows = distinct("swap", { address = "pool" }) })
pool.since = "MIN(swap.day WHERE swap.pool = address BY ())"

--- An address on a day on which it moved tokens, or a swap named it as its pool.
local ledger = sheet("ledger", { "address", "day" }, { rows = union {
  distinct("token_transfer", { address = "receiver", day = "day" }), distinct("token_transfer", { address = "sender", day = "day" }),
  distinct("swap", { address = "pool", day = "day" }) } })
--- [token]
ledger.received = "SUM(token_transfer.tokens WHERE token_transfer.receiver = address BY day)"
--- [token]
ledger.sent     = "SUM(token_transfer.tokens WHERE token_transfer.sender = address BY day)"
--- Received less sent, up to the day's end. [token]
ledger.balance  = "RUNSUM(received - sent)"
--- Not excluded, not a pool, not dust (§ definitions, Distinct holders; ruling: nor a pool).
ledger.holds    = [[ AND(balance >= dust, ISBLANK(LOOKUP(excluded.why, excluded.address = address)),
                         COALESCE(LOOKUP(pool.since, pool.address = address) > day, TRUE)) ]]
--- What the day changed in the number of holders. [1]
ledger.change   = "IF(holds, 1, 0) - IF(PREV(holds, FALSE), 1, 0)"

------------------------------------------------------------------------------------------------ (a) self-trading through an intermediary

-- From when a receiver is no way through: a pool from its first day on, an excluded address always.
token_transfer.barred = [[ IF(ISBLANK(LOOKUP(excluded.why, excluded.address = receiver)),
                              LOOKUP(pool.since, pool.address = receiver), DATE(1, 1, 1)) ]]

-- The shortest path of transfers between two takers within a time, as the sell's day knows pools.
define.path = { "buyer", "bought", "seller", "sold", [[ HOPS(buyer, bought, seller, sold, fewest_hops, DAY(sold),
  EDGES(token_transfer.sender, token_transfer.receiver, token_transfer.time, token_transfer.barred WHERE token_transfer.tokens > 0) BY ()) ]] }

--- A buy and a later sell by somebody else within the window, in the order of the chain, whose takers a path of transfers joins.
local loop = sheet("loop", { "buy_time", "buy_seq", "sell_time", "sell_seq" }, { rows = join {
  a = "swap", b = "swap", on = {},
  where = [[ AND(a.side = 'buy', b.side = 'sell', b.time >= a.time, b.time <= a.time + trip_window,
                 OR(b.time > a.time, b.seq > a.seq), a.taker <> b.taker,
                 path(a.taker, a.time, b.taker, b.time) >= fewest_hops) ]],
  key = { buy_time = "a.time", buy_seq = "a.seq", sell_time = "b.time", sell_seq = "b.seq" } } })
loop.from    = "LOOKUP(swap.taker, swap.time = buy_time, swap.seq = buy_seq)"
loop.to      = "LOOKUP(swap.taker, swap.time = sell_time, swap.seq = sell_seq)"
loop.day     = "DAY(sell_time)"
--- Transfers of the shortest path (ruling). [1]
loop.hops    = "path(from, buy_time, to, sell_time)"
loop.cluster = "from & '>' & to"
--- The buy is of the sell's day; a buy of the day before stays as published.
loop.both    = "DAY(buy_time) = day"

--- Swaps that (a) excludes, by cluster.
local looped = sheet("looped", { "cluster", "time", "seq" }, { rows = union {
  distinct("loop", { cluster = "cluster", time = "sell_time", seq = "sell_seq" }),
  distinct("loop", { cluster = "cluster", time = "buy_time", seq = "buy_seq" }, "both") } })
looped.day = "DAY(time)"
--- [USD]
looped.usd = "LOOKUP(swap.usd, swap.time = time, swap.seq = seq)"

swap.loops = "COUNT(looped.cluster BY time, seq) > 0"

------------------------------------------------------------------------------------------------ (b) round trips

--- Buys that were round trips: each sell is spent on the taker's buys of the window before it, oldest first (ruling).
local trip = sheet("trip", { "time", "seq" }, { order = { "done" }, rows = fold {
  over = "swap", per = { "taker" }, order = { "time", "seq" },
  state = { time = list(time), seq = list(number), bought = list(number), left = list(number), first = 1 },
  step = function(state, swap, emit)
    if swap.side == "buy" then
      insert(state.time, swap.time)
      insert(state.seq, swap.seq)
      insert(state.bought, swap.tokens)
      insert(state.left, swap.tokens)
    else
      while state.first <= #state.time and swap.time - state.time[state.first] > param.trip_window do
        state.first = state.first + 1
      end
      local rest = swap.tokens
      for i = state.first, #state.time do
        local before = state.left[i]
        local spent = min(rest, before)
        local answer = param.trip_part * state.bought[i]
        state.left[i] = before - spent
        rest = rest - spent
        if state.bought[i] > 0 and state.bought[i] - before < answer and state.bought[i] - state.left[i] >= answer then
          emit { time = state.time[i], seq = state.seq[i], taker = swap.taker, done = swap.time }
        end
      end
    end
  end } })
trip.time  = time
trip.seq   = number
trip.taker = address
--- When the buy was answered.
trip.done  = time

trip.day   = "DAY(done)"

--- A taker on a day that completed round trips.
local tripper = sheet("tripper", { "taker", "day" }, { rows = distinct("trip", { "taker", "day" }) })
--- [1]
tripper.today = "COUNT(trip.done)"
--- [1]
tripper.so_far = "RUNSUM(today)"

--- Round trips of the taker up to the day's end. [1]
swap.tripped  = "COALESCE(ASOF(tripper.so_far, day + 1 BY taker), 0)"
swap.trips_on = "tripped >= trips"

------------------------------------------------------------------------------------------------ (c) funded clusters

--- Everybody who ever swapped, the first funder and since when both hold (ruling).
local taker = sheet("taker", { "taker" }, { rows = distinct("swap", { "taker" }) })
taker.first   = "MIN(swap.time BY taker)"
taker.funded  = "MIN(funding.time BY taker)"
taker.sender  = "FIRST(funding.sender BY taker)"
--- The funder, unless that is excluded or the taker itself.
taker.funder  = "IF(AND(sender <> taker, ISBLANK(LOOKUP(excluded.why, excluded.address = sender))), sender)"
taker.since   = "IF(NOT(ISBLANK(funder)), MAX(first, funded))"

swap.funder   = "LOOKUP(taker.funder, taker.taker = taker)"
swap.since    = "LOOKUP(taker.since, taker.taker = taker)"
swap.grouped  = "COALESCE(since < END(day), FALSE)"

--- A funder's cluster on a day on which it swapped.
local cluster = sheet("cluster", { "funder", "day" }, { rows = distinct("swap", { "funder", "day" }, "grouped") })
--- Its takers so far. [1]
cluster.takers = "COUNT(taker.taker WHERE taker.since < END(day) BY funder)"
--- [token]
cluster.bought = "SUM(swap.tokens WHERE AND(swap.side = 'buy', swap.since < END(day), swap.day > day - cluster_days, swap.day <= day) BY funder)"
--- [token]
cluster.sold   = "SUM(swap.tokens WHERE AND(swap.side = 'sell', swap.since < END(day), swap.day > day - cluster_days, swap.day <= day) BY funder)"
--- Net change (§ definitions, Excluded volume (c)). [token]
cluster.net    = "ABS(bought - sold)"
--- [token]
cluster.gross  = "bought + sold"
cluster.idle   = "AND(takers >= cluster_takers, net < cluster_net * gross)"
--- Net against gross. [1]
cluster.share  = "net / gross"

swap.idle      = "IF(grouped, COALESCE(LOOKUP(cluster.idle, cluster.funder = funder, cluster.day = day), FALSE), FALSE)"

------------------------------------------------------------------------------------------------ evidence and volume

swap.classified = "OR(loops, trips_on, idle)"
--- Taker not excluded, swap not classified (§ definitions, Organic volume).
swap.organic    = "AND(NOT(classified), ISBLANK(LOOKUP(excluded.why, excluded.address = taker)))"

looped.criterion  = "'a'"
swap.by_trips     = "'b'"
swap.by_cluster   = "'c'"

--- What classifies swaps of a day, by criterion and cluster (§ definitions, last paragraph).
local evidence = sheet("evidence", { "day", "criterion", "cluster" }, { rows = union {
  distinct("looped", { day = "day", criterion = "criterion", cluster = "cluster" }),
  distinct("swap", { day = "day", criterion = "by_trips", cluster = "taker" }, "trips_on"),
  distinct("swap", { day = "day", criterion = "by_cluster", cluster = "funder" }, "idle") } })
--- Classified swaps of the day. [1]
evidence.swaps  = [[ IFS(criterion = 'a', COUNT(looped.usd BY day, cluster),
                         criterion = 'b', COUNT(swap.usd WHERE AND(swap.trips_on, swap.taker = cluster) BY day),
                         TRUE, COUNT(swap.usd WHERE AND(swap.idle, swap.funder = cluster) BY day)) ]]
--- Their value. [USD]
evidence.usd    = [[ IFS(criterion = 'a', SUM(looped.usd BY day, cluster),
                         criterion = 'b', SUM(swap.usd WHERE AND(swap.trips_on, swap.taker = cluster) BY day),
                         TRUE, SUM(swap.usd WHERE AND(swap.idle, swap.funder = cluster) BY day)) ]]
--- (a) fewest transfers, (b) round trips so far, (c) net against gross. [1]
evidence.figure = [[ IFS(criterion = 'a', MIN(loop.hops BY day, cluster),
                         criterion = 'b', MAX(swap.tripped WHERE swap.taker = cluster BY day),
                         TRUE, LOOKUP(cluster.share, cluster.funder = cluster, cluster.day = day)) ]]

------------------------------------------------------------------------------------------------ the close of a day

--- The close of a day (§ when we stop).
local epoch = sheet("epoch", { "day" }, { rows = cross("day") })
epoch.begun     = "DAY(earliest(earliest(MIN(token_transfer.time BY ()), MIN(swap.time BY ())), MIN(funding.time BY ())))"
--- The window's first day has data.
epoch.full      = "COALESCE(day - window + 1 >= begun, FALSE)"
--- [1]
epoch.moved     = "SUM(ledger.change)"
--- Distinct holders (§ definitions). [1]
epoch.holders   = "RUNSUM(moved)"
--- [1]
epoch.before    = "PREV(holders, 0, window - 1)"
--- All volume. [USD]
epoch.volume    = "SUM(swap.usd)"
--- Organic volume (§ definitions). [USD]
epoch.organic   = "SUM(swap.usd WHERE swap.organic)"
--- Excluded volume, each swap once (§ definitions). [USD]
epoch.excluded  = "SUM(swap.usd WHERE swap.classified)"

--- Holders trigger (§ when we stop, Holders).
epoch.holders_condition = "AND(full, RUNMAX(holders) > active_above, RATIO(before - holders, before, -1) >= holders_decline)"
epoch.dry               = "organic < volume_floor"
--- Volume trigger (§ when we stop, Volume).
epoch.volume_condition  = "AND(full, ALL(DAYS(dry, window)))"
--- One is met today and the other today or within the window (§ when we stop, Both together).
epoch.both              = [[ OR(AND(holders_condition, ANY(DAYS(volume_condition, window))),
                                AND(volume_condition, ANY(DAYS(holders_condition, window)))) ]]
--- A valid notice takes effect on this day (§ when we stop).
epoch.operator          = "ANY(notice.valid)"
--- The state of the first day of data is running; changes come after it (ruling).
epoch.live              = "COALESCE(day > begun, FALSE)"

epoch.was    = "PREV(state, 'running')"
--- Why the state changes on this day; empty when it does not (§ when we stop).
epoch.reason = [[ IF(AND(live, was <> 'wind-down'),
                    IFS(both, 'both', holders_condition, 'holders', operator, 'operator',
                        AND(was = 'running', volume_condition), 'volume',
                        TRUE, IF(AND(was = 'maintenance', organic >= volume_floor), 'recovery'))) ]]
--- running, maintenance or wind-down, after the close (§ when we stop).
epoch.state  = [[ IF(ISBLANK(reason), was,
                    IFS(reason = 'volume', 'maintenance', reason = 'recovery', 'running', TRUE, 'wind-down')) ]]

------------------------------------------------------------------------------------------------ what is said in public

epoch.declined_on = "IF(holders_condition, day)"
epoch.dry_on      = "IF(volume_condition, day)"
epoch.fired = [[ IFS(reason = 'volume', 'organic volume was under $' & volume_floor & ' on each of the ' & window & ' days ' & (day - window + 1) & ' to ' & day,
                     reason = 'recovery', 'organic volume of ' & day & ' is at least $' & volume_floor,
                     reason = 'operator', 'the operator gave notice of at least ' & operator_notice / 86_400_000 & ' days, effective on ' & day,
                     reason = 'holders', 'distinct holders declined by at least ' & 100 * holders_decline & '% from ' & (day - window + 1) & ' to ' & day,
                     TRUE, 'the holders condition (last met on ' & MAX(DAYS(declined_on, window)) & ') and the volume condition (last met on ' & MAX(DAYS(dry_on, window)) &
                           ') were both met within the ' & window & ' days ' & (day - window + 1) & ' to ' & day) ]]
epoch.means = [[ IFS(state = 'maintenance', 'The site and the ledger keep running. House agents may publish less often, and nothing new is spent. It ends on the first day with at least $'
                                            & volume_floor & ' of organic volume, or becomes a wind-down when the holders condition is met too or the operator decides.',
                     state = 'running', 'Maintenance ends and everything runs as before.',
                     TRUE, 'This is final. A receipt of everything spent and burned follows, as far as public records allow. The liquidity lock of 24 months is left to expire, ' &
                           'unvested operator tokens are burned, no new predictions are published, and the site becomes a read-only archive.') ]]
--- The public notice of a change of state (§ how we stop): what fired, the figures, the window and what it means; empty without a change.
epoch.announcement = [[ IF(NOT(ISBLANK(reason)), 'OAIA is in ' & IFS(state = 'wind-down', 'wind-down', state = 'maintenance', 'maintenance mode', TRUE, 'normal operation again') & ' as of the close of ' & day & ' (UTC).

What fired: ' & fired & '.

Figures of ' & day & ': ' & holders & ' distinct holders (' & IF(full, before & ' on ' & (day - window + 1), 'too few days of data for a window') & '); volume $' & volume & ', of which organic $' & organic &
' and classified as excluded $' & excluded & '. Holders condition: ' & IF(holders_condition, 'met', 'not met') & '. Volume condition: ' & IF(volume_condition, 'met', 'not met') & '.

What it means: ' & means & '

Volume is classified by published criteria and listed by cluster; a cluster is evidence about swaps and says nothing about the person behind an address.') ]]

warn(notice, "a notice shorter than the operator owes has no effect", "valid")

output {
  epoch = { "holders", "volume", "organic", "excluded", "holders_condition", "volume_condition", "state", "reason" },
  evidence = { "swaps", "usd", "figure" },
}

------------------------------------------------------------------------------------------------ a case to check by hand

example("a holder has a million tokens or more; a taker's third round trip within 24 hours takes its swaps of the day out of organic volume (§ definitions)", {
  excluded = {}, funding = {}, notice = {},
  token_transfer = { { time = "2024-01-02T00:00:00.000Z", receiver = "0xa1", tokens = 2000000 },
                     { time = "2024-01-03T00:00:00.000Z", sender = "0xa1", receiver = "0xa2", tokens = 1500000 } },
  swap = { { time = "2024-01-02T01:00:00.000Z", seq = 1, taker = "0xa1", side = "buy", tokens = 100, usd = 600, pool = "0xf0" },
           { time = "2024-01-03T01:00:00.000Z", seq = 1, taker = "0xb1", side = "buy", tokens = 10, usd = 5, pool = "0xf0" },
           { time = "2024-01-03T01:10:00.000Z", seq = 2, taker = "0xb1", side = "sell", tokens = 10, usd = 4, pool = "0xf0" },
           { time = "2024-01-03T01:20:00.000Z", seq = 3, taker = "0xb1", side = "buy", tokens = 10, usd = 5, pool = "0xf0" },
           { time = "2024-01-03T01:30:00.000Z", seq = 4, taker = "0xb1", side = "sell", tokens = 10, usd = 4, pool = "0xf0" },
           { time = "2024-01-03T01:40:00.000Z", seq = 5, taker = "0xb1", side = "buy", tokens = 10, usd = 5, pool = "0xf0" },
           { time = "2024-01-03T01:50:00.000Z", seq = 6, taker = "0xb1", side = "sell", tokens = 10, usd = 4, pool = "0xf0" },
           { time = "2024-01-03T02:00:00.000Z", seq = 7, taker = "0xa2", side = "sell", tokens = 20, usd = 70, pool = "0xf0" } },
  expect = {
    epoch = { { day = "2024-01-02", holders = 1, volume = 600, organic = 600, excluded = 0, state = "running" },
              { day = "2024-01-03", holders = 1, volume = 97, organic = 70, excluded = 27, state = "running" } },
    evidence = { { day = "2024-01-03", criterion = "b", cluster = "0xb1", swaps = 6, usd = 27, figure = 3 } } } })
