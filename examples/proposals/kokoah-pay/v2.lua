-- The Kokoah pay rule: a subnet pays traders from the fees they bring and the skill they show.
-- Read it from top to bottom: parameters, what comes in, identity, account value, fills that count, credit, return, skill,
-- mirrored share, pools and pay. (§ …) names the section of the published rule. docs/rulings.md lists the readings taken.

rulebook {
  id = "kokoah/pay", version = 2, language = 1, title = "Kokoah pay rule",
  effective_from = "2030-01-01", notice_days = 14,
  days = { from = "MIN(identity.linked_at)", lead = 29 },
}

------------------------------------------------------------------------------------------------ parameters

--- Kokoah's fee on a fill's value, maker and taker alike (§ Notation). [1]
param.fee_rate = { "0.025%", min = 0, max = "1%" }
--- Weight of today in the smoothed credit (§ Credit and smoothing). [1]
param.credit_smoothing = { 0.25, min = 0, max = 1 }
--- Weight of today in g (§ Skill). [1]
param.skill_smoothing = { 0.3, min = 0, max = 1 }
--- Alpha that the subnet emits a day (§ Parameters). [alpha]
param.emission = { 7200, min = 0 }
--- The miners' part of the emission; validators get another 41%, the owner 18%, locked (§ Parameters). [1]
param.miners_share = { "41%", min = 0, max = 1 }
--- The part of the miner pool that pays skill, when anyone has a skill weight (§ The two pools and pay). [1]
param.skill_share = { "25%", min = 0, max = 1 }
--- Mean account value from which a day is eligible (§ Eligibility). [USD]
param.eligible_value = { "10_000", min = 0, max = "1_000_000" }
--- Fewest recorded value points that make a day's account value known (§ Eligibility). [1]
param.fewest_points = { 4, min = 1, max = 1000 }
--- Trades after which a new identity's trades earn credit, the completing one included (§ Eligibility). [1]
param.qualifying_trades = { 3, min = 0, max = 1000 }
--- Value traded after which they do (§ Eligibility). [USD]
param.qualifying_value = { "1_000", min = 0, max = "1_000_000" }
--- Distance from the mark beyond which a fill is valued at the mark (§ Exclusions). [1]
param.off_market = { "0.5%", min = 0, max = 1 }
--- Share of a coin's traded value of the day above which an address moves the coin's marks itself (§ Exclusions). [1]
param.thin_coin = { "25%", min = 0, max = 1 }
--- Fills that the exchange keeps of an address; reaching it, part of a day may be missing (§ Exclusions). [1]
param.fill_limit = { "10_000", min = 1 }
--- How long after its end a day still takes in records that its definitions look ahead to: 24 hours (ruling: settling). [ms]
param.settle = { "86_400_000", min = 0, max = "604_800_000" }
--- Largest daily return, gain or loss, that counts (§ Skill). [1]
param.return_cap = { "10%", min = 0, max = 1 }
--- Returns that the PSR of confidence and the count of large losses look at (§ Skill). [1]
param.skill_window = { 60, min = 2, max = 1000 }
--- Fewest returns for a PSR (§ Skill). [1]
param.psr_fewest = { 10, min = 2, max = 1000 }
--- The PSR of a miner with fewer returns than that (§ Skill). [1]
param.psr_default = { 0.5, min = 0, max = 1 }
--- The daily Sharpe ratio that returns are measured against (§ Skill). [1]
param.daily_sharpe = { 0.03, min = -1, max = 1 }
--- PSR at which confidence begins (§ Skill). [1]
param.psr_floor = { 0.5, min = 0, max = 1 }
--- PSR above the floor over which confidence grows to 1 (§ Skill). [1]
param.psr_span = { 0.45, min = 0.01, max = 1 }
--- Returns that gain to pain looks at (§ Skill). [1]
param.gpr_window = { 30, min = 1, max = 1000 }
--- Returns after which a weight in gain to pain has halved (§ Skill). [1]
param.gpr_half_life = { 10, min = 1, max = 1000 }
--- Gain to pain at which quality begins (§ Skill). [1]
param.gpr_floor = { 1, min = 0, max = 100 }
--- Gain to pain above the floor over which quality grows to 1 (§ Skill). [1]
param.gpr_span = { 1.2, min = 0.01, max = 100 }
--- A day's loss beyond this, before the cap, is a large one (§ Skill). [1]
param.large_loss = { "10%", min = 0, max = 1 }
--- Large losses in the window that cut quality (§ Skill). [1]
param.large_losses = { 2, min = 1, max = 1000 }
--- What they cut it to (§ Skill). [1]
param.large_loss_factor = { 0.5, min = 0, max = 1 }
--- g at which the score is full (§ Skill). [1]
param.g_full = { 0.65, min = 0.01, max = 1 }
--- PSR that the entry test demands (§ The skill pool). [1]
param.entry_psr = { 0.95, min = 0, max = 1 }
--- Returns that the entry test looks at, all of them needed (§ The skill pool). [1]
param.entry_returns = { 90, min = 2, max = 1000 }
--- Score that luck alone may reach; skill is what lies above (§ The skill pool). [1]
param.luck_floor = { 0.25, min = 0, max = 0.99 }
--- Credited value over the window at which volume is full (§ The skill pool). [USD]
param.volume_full = { "1_000_000", min = 1 }
--- Calendar days of that window (§ The skill pool). [1]
param.volume_days = { 30, min = 1, max = 1000 }
--- What a verified agent's weight is raised by (§ The skill pool). [1]
param.agent_bonus = { "10%", min = 0, max = 1 }
--- Calendar days that the gates of the skill pool look at (§ The skill pool). [1]
param.gate_days = { 30, min = 1, max = 1000 }
--- Round trips that the gates demand (§ The skill pool). [1]
param.gate_trips = { 10, min = 0, max = "10_000" }
--- Active days that the gates demand (§ The skill pool). [1]
param.gate_active = { 7, min = 0, max = 1000 }
--- Mean account value at day's end that the gates demand (§ The skill pool). [USD]
param.gate_value = { 500, min = 0, max = "1_000_000" }
--- Correlation below which two positions mirror each other (§ Exclusions). [1]
param.mirror_correlation = { -0.8, min = -1, max = 1 }
--- Fewest days with a position that a correlation takes (§ Exclusions). [1]
param.mirror_days = { 10, min = 2, max = 1000 }
--- Calendar days that mirroring looks at (§ Exclusions). [1]
param.mirror_of = { 30, min = 2, max = 30 }
--- Mirrored share above which credit is cut (§ Exclusions). [1]
param.mirror_credit_cut = { "25%", min = 0, max = 1 }
--- Mirrored share above which the skill pool is closed (§ Exclusions). [1]
param.mirror_skill_cut = { "50%", min = 0, max = 1 }
--- Credited value over the window that the gates demand (§ The skill pool). [USD]
param.gate_volume = { "100_000", min = 0 }
--- Days for which it stays closed, the day itself included (§ Exclusions). [1]
param.penalty_days = { 30, min = 1, max = 1000 }
--- What a day's weights add up to (§ The two pools and pay). [1]
param.weights_total = { "65_535", min = 1 }

------------------------------------------------------------------------------------------------ what comes in
-- One table each. Empty means unknown; where nothing is said about it, a cell must not be empty.

--- One row per identity: a hotkey, the address it links and its registration.
local identity = sheet("identity", { "miner", "linked_at" })
--- Stable id of the miner; survives hotkey swaps.
identity.miner       = text
identity.linked_at   = time
identity.hotkey      = text { required = true }
--- Hotkeys of one coldkey have one owner; empty joins nobody.
identity.coldkey     = text
identity.address     = address { required = true }
--- The master account when the address is a sub-account; empty joins nobody.
identity.master      = address
--- Empty: still linked.
identity.unlinked_at = time
--- The holder of the coldkey, as no address is ever written: a coldkey joins by being the same, not by looking like an address.
identity.holder      = "'coldkey ' & coldkey"

--- One row per fill of an address.
local fill = sheet("fill", { "address", "time", "coin", "tid", "side" })
fill.address        = address
fill.time           = time
fill.coin           = text
fill.tid            = number { whole = true }
fill.side           = one_of("buy", "sell")
--- Price. [USD/coin]
fill.px             = number { above = 0, required = true }
--- Size, without sign. [coin]
fill.sz             = number { above = 0, required = true }
--- Position before the fill; empty where the exchange did not say. [coin]
fill.start_position = number
--- Mark price at the fill; empty where it was not recorded. [USD/coin]
fill.mark           = number { above = 0 }
--- The other side's address; empty: unknown.
fill.counterparty   = address
--- Carries Kokoah's builder code.
fill.builder        = boolean { required = true }
--- The exchange's main perpetuals, spot, builder-deployed perpetuals, or outcomes.
fill.market         = one_of("perp", "spot", "dex", "outcome") { required = true }
fill.day            = "DAY(time)"

--- The recorded history of an account's perpetuals value.
local value_point = sheet("value_point", { "address", "time" })
value_point.address = address
value_point.time    = time
--- Account value. [USD]
value_point.value   = number { required = true }
--- The first point that the account ever had.
value_point.first   = boolean { required = true }
value_point.day     = "DAY(time)"

--- Money into an account or out of it: deposits, withdrawals, account and vault transfers. No key: every row counts.
local flow = sheet("flow", {})
flow.address = address { required = true }
flow.time    = time { required = true }
--- Above 0: into the account. [USD]
flow.usd     = number { required = true }
flow.day     = "DAY(time)"

--- Transfers between addresses, which join them into one cluster. No key.
local transfer = sheet("transfer", {})
transfer.sender   = address { required = true }
transfer.receiver = address { required = true }
transfer.time     = time { required = true }

--- The exchange's candles; a candle belongs to the day in which it opens.
local candle = sheet("candle", { "coin", "span", "time" })
candle.coin   = text
candle.span   = one_of("1m", "1h")
candle.time   = time
--- Closing price. [USD/coin]
candle.close  = number { required = true }
--- Amount traded; empty: 0. [coin]
candle.volume = number
candle.day    = "DAY(time)"

--- Positions as read after a day.
local position = sheet("position", { "address", "coin", "day" })
position.address = address
position.coin    = text
position.day     = day
--- Signed size on the main perpetuals. [coin]
position.size    = number { required = true }

--- How complete the reading of an address's fills was. No row: not limited.
local fill_read = sheet("fill_read", { "address", "day" })
fill_read.address  = address
fill_read.day      = day
--- Fills of the day and since it ended, in what was read. [1]
fill_read.count    = number { whole = true, min = 0 }
--- Whether the later fills could be read. Empty, like an empty count: nothing that limits is known.
fill_read.complete = boolean

--- Agents checked by the validator. No row: not verified.
local agent = sheet("agent", { "miner", "day" })
agent.miner    = text
agent.day      = day
--- The sealed machine passed this validator's check on that day.
agent.verified = boolean { required = true }

--- Pool rates at blocks anchored to a day.
local pool_rate = sheet("pool_rate", { "day", "block" })
pool_rate.day           = day
pool_rate.block         = number { whole = true }
--- Price of one alpha. [TAO/alpha]
pool_rate.tao_per_alpha = number { required = true }

------------------------------------------------------------------------------------------------ identity

--- A miner on a day, from the day of its first link on.
local account = sheet("account", { "miner", "day" },
  { rows = cross("identity.miner", "day"), where = "END(day) > MIN(identity.linked_at BY miner)" })

-- The day belongs whole to the identity that is the last one linked before the day's end (§ Eligibility).
account.since    = "ASOF(identity.linked_at, END(day) BY miner)"
account.unlinked = "ASOF(identity.unlinked_at, END(day) BY miner)"
--- The miner has an identity at the day's end that has not been unlinked before it.
account.linked   = "IF(ISBLANK(unlinked), TRUE, unlinked >= END(day))"
account.address  = "IF(linked, ASOF(identity.address, END(day) BY miner))"
account.hotkey   = "IF(linked, ASOF(identity.hotkey, END(day) BY miner))"
account.holder   = "IF(linked, ASOF(identity.holder, END(day) BY miner))"
account.master   = "IF(linked, ASOF(identity.master, END(day) BY miner))"
--- A new address, registration or hotkey took effect on this day: credit and qualification start again (§ Eligibility).
account.reset    = "DAY(since) = day"

------------------------------------------------------------------------------------------------ account value

--- An address on a day, whoever is linked to it.
local wallet = sheet("wallet", { "address", "day" }, { rows = cross("identity.address", "day") })

wallet.points     = "COUNT(value_point.value BY address, day)"
wallet.began      = "MIN(value_point.time BY address)"
wallet.born       = "MIN(value_point.time WHERE value_point.first BY address)"
--- Enough recorded points in the day, and a history that reaches back to its start or begins in it (§ Eligibility).
wallet.known      = "AND(points >= fewest_points, OR(began <= START(day), COALESCE(born >= START(day), FALSE)))"
--- Time-weighted mean over the day of the points joined by straight lines; 0 before the first point (§ Eligibility). [USD]
wallet.mean_value = "IF(known, TWA(value_point.value, START(day), END(day), END(day) + settle, 0 BY address))"
--- The line's value at the day's end (§ Skill). [USD]
wallet.end_value  = "IF(known, VALUE_AT(value_point.value, END(day), END(day) + settle, 0 BY address))"

account.known      = "COALESCE(wallet.known, FALSE)"
--- Mean account value Ē of the day (§ Eligibility). [USD]
account.mean_value = "IF(known, wallet.mean_value)"
--- Account value E at the day's end (§ Skill). [USD]
account.end_value  = "IF(known, wallet.end_value)"
--- Unknown is not eligible (§ Eligibility).
account.eligible   = "IF(known, mean_value >= eligible_value, FALSE)"

------------------------------------------------------------------------------------------------ fills that count

--- Only the exchange's main perpetuals (§ Exclusions; ruling).
fill.perp   = "market = 'perp'"
--- The miner who is linked to this address on that day.
fill.miner  = "LOOKUP(account.miner, account.address = address, account.day = day)"
--- Since when.
fill.since  = "account.since"
--- A fill with Kokoah's builder code, on a perpetual, since the link (§ Notation).
fill.kokoah = "AND(builder, perp, NOT(ISBLANK(miner)), COALESCE(time >= since, FALSE))"

-- The set of addresses that coldkeys, masters or transfers had joined before a time: a label, equal for its members (§ Exclusions).
define.cluster = { "node", "by", [[
  COMPONENT(node, by, EDGES(identity.address, identity.holder, identity.linked_at),
                      EDGES(identity.address, identity.master, identity.linked_at),
                      EDGES(transfer.sender, transfer.receiver, transfer.time) BY ()) ]] }

--- Against the address's own cluster (§ Exclusions).
fill.own      = "COALESCE(cluster(counterparty, END(day)) = cluster(address, END(day)), FALSE)"
--- Against an address that anyone has linked on that day (§ Exclusions).
fill.internal = "NOT(ISBLANK(LOOKUP(account.miner, account.address = counterparty, account.day = day)))"
fill.counted  = "AND(kokoah, NOT(own), NOT(internal))"

--- Priced off the mark (§ Exclusions); with no mark, not.
fill.off      = "COALESCE(ABS(px / mark - 1) > off_market, FALSE)"
--- Value of the fill, at the mark where the price is off it (§ Exclusions). [USD]
fill.value    = "sz * IF(off, mark, px)"
--- Kokoah fee b (§ Notation). [USD]
fill.fee      = "fee_rate * value"

------------------------------------------------------------------------------------------------ qualification and credit

--- A trade: the counted fills of one identity with one coin, side and time (§ Eligibility).
local trade = sheet("trade", { "miner", "since", "time", "coin", "side" }, {
  rows = distinct("fill", { "miner", "since", "time", "coin", "side" }, "counted"),
  per = { "miner", "since" }, order = { "time", "coin", "side" },
})
trade.day   = "DAY(time)"
--- [USD]
trade.value = "SUM(fill.value WHERE fill.counted)"
--- [USD]
trade.fee   = "SUM(fill.fee WHERE fill.counted)"
--- Trades of the identity so far, this one included. [1]
trade.count  = "RUNCOUNT()"
--- Their value. [USD]
trade.volume = "RUNSUM(value)"
--- Earns credit: from the trade on that completes both counts (§ Eligibility).
trade.earns  = "AND(count >= qualifying_trades, volume >= qualifying_value)"

--- Fee credit Φ of the day, cut by a mirrored share (§ Credit and smoothing). [USD]
account.credit   = "IF(eligible, SUM(trade.fee WHERE trade.earns), 0) * IF(mirrored > mirror_credit_cut, 1 - mirrored, 1)"
--- Credited value N of the day (§ The skill pool). [USD]
account.notional = "IF(eligible, SUM(trade.value WHERE trade.earns), 0)"
--- Smoothed credit Φ̂: 30% today, then each day 70% of the day before (§ Credit and smoothing). [USD]
account.smoothed = "(1 - credit_smoothing) * IF(reset, 0, PREV(smoothed, 0)) + credit_smoothing * credit"

------------------------------------------------------------------------------------------------ daily return

--- [USD]
wallet.flows     = "SUM(flow.usd)"
--- What prices off the mark gave the account (§ Skill; ruling: with its sign). [USD]
wallet.offmarket = "SUM((fill.mark - fill.px) * fill.sz * IF(fill.side = 'buy', 1, -1) WHERE AND(fill.perp, fill.off) BY address, day)"

--- What an address traded in a coin on a day, beside all that was traded in it.
local traded = sheet("traded", { "address", "coin", "day" }, { rows = distinct("fill", { "address", "coin", "day" }, "perp") })
--- [USD]
traded.own    = "SUM(fill.px * fill.sz WHERE fill.perp)"
--- [USD]
traded.market = "SUM(candle.close * COALESCE(candle.volume, 0) WHERE candle.span = '1m' BY coin, day)"
--- Thin coin (§ Exclusions).
traded.thin   = "own > thin_coin * market"

--- Fill limit (§ Exclusions).
wallet.limited  = "OR(COALESCE(fill_read.count >= fill_limit, FALSE), COALESCE(NOT(fill_read.complete), FALSE))"
wallet.shadowed = "OR(ANY(traded.thin), limited)"

--- A day whose profit counts as zero for skill and whose loss counts in full (§ Exclusions).
account.shadowed   = "COALESCE(wallet.shadowed, FALSE)"
--- Money moved in or out (§ Skill). [USD]
account.flows      = "COALESCE(wallet.flows, 0)"
--- [USD]
account.offmarket  = "COALESCE(wallet.offmarket, 0)"
--- Linked today and the day before with one address, both days known, with something to earn on (§ Skill).
account.returns    = "COALESCE(AND(known, PREV(known), address = PREV(address), PREV(end_value) > 0), FALSE)"
--- [1]
account.gain       = "IF(returns, (end_value - PREV(end_value) - flows - offmarket) / PREV(end_value))"
--- Daily return before the cap (§ Skill). [1]
account.raw_return = "IF(shadowed, MIN(0, gain), gain)"
--- Daily return r (§ Skill). [1]
account.ret        = "CLIP(raw_return, -return_cap, return_cap)"

------------------------------------------------------------------------------------------------ skill
-- LAST takes known values only: a day without a return is stepped over.

--- Probabilistic Sharpe ratio of the last 60 returns (§ Skill). [1]
account.psr60      = "IF(COUNT(LAST(ret, skill_window)) < psr_fewest, psr_default, PSR(LAST(ret, skill_window), daily_sharpe))"
--- (§ Skill). [1]
account.confidence = "CLIP((psr60 - psr_floor) / psr_span, 0, 1)"
--- Gain to pain of the last 30 returns, the newest weighing most; unknown without a loss (§ Skill). [1]
account.gpr30      = "GPR(LAST(ret, gpr_window), gpr_half_life)"
--- Quality of a record without a loss: 1 with a gain in it, else 0 (ruling). [1]
account.lossless   = "IF(COALESCE(MAX(LAST(ret, gpr_window)) > 0, FALSE), 1, 0)"
account.lost_much  = "raw_return < -large_loss"
--- (§ Skill). [1]
account.quality    = [[ IF(ISBLANK(gpr30), lossless, CLIP((gpr30 - gpr_floor) / gpr_span, 0, 1))
                        * IF(COUNTIF(LAST(lost_much, skill_window)) >= large_losses, large_loss_factor, 1) ]]
--- Smoothed like the credit (§ Skill). [1]
account.g          = "(1 - skill_smoothing) * PREV(g, 0) + skill_smoothing * confidence * quality"
--- The score g′ that the leaderboard shows (§ Skill). [1]
account.score      = "MIN(1, g / g_full)"
--- PSR of the last 90 returns; unknown with fewer (§ The skill pool). [1]
account.psr90      = "IF(COUNT(LAST(ret, entry_returns)) >= entry_returns, PSR(LAST(ret, entry_returns), daily_sharpe))"
--- Entry test passed (§ The skill pool).
account.entry      = "COALESCE(psr90 >= entry_psr, FALSE)"
--- Skill s above the luck floor (§ The skill pool). [1]
account.skill      = "MAX(0, (score - luck_floor) / (1 - luck_floor))"
--- Volume v: credited value of the last 30 days, against what is full (§ The skill pool). [1]
account.volume     = "MIN(1, SUM(DAYS(notional, volume_days)) / volume_full)"

--- Position after the fill. [coin]
fill.after           = "start_position + IF(side = 'buy', sz, -sz)"
--- The position returns to zero or changes its sign (§ The skill pool).
fill.round_trip      = "COALESCE(AND(perp, start_position <> 0, OR(after = 0, SIGN(after) <> SIGN(start_position))), FALSE)"
account.trips        = "COUNT(fill.tid WHERE fill.round_trip)"
account.active       = "ANY(fill.kokoah)"
--- Round trips in the window of the gates (§ The skill pool). [1]
account.round_trips  = "SUM(DAYS(trips, gate_days))"
--- Days with a Kokoah fill (§ The skill pool). [1]
account.active_days  = "COUNTIF(DAYS(active, gate_days))"
--- Mean of the known values at day's end (§ The skill pool). [USD]
account.mean_account = "AVERAGE(DAYS(end_value, gate_days))"
--- All three gates passed (§ The skill pool).
account.gates        = "AND(round_trips >= gate_trips, SUM(DAYS(notional, gate_days)) >= gate_volume, active_days >= gate_active, COALESCE(mean_account >= gate_value, FALSE))"
account.verified     = "COALESCE(agent.verified, FALSE)"
--- Skill weight w (§ The skill pool). [1]
account.skill_weight = [[ IF(AND(eligible, NOT(penalty), gates, entry),
                             skill * volume * IF(verified, 1 + agent_bonus, 1), 0) ]]

------------------------------------------------------------------------------------------------ mirrored share

--- Whose a linked address is on a day: a label over those linked that day (§ Exclusions).
account.owner = "COMPONENT(address, EDGES(account.address, account.holder), EDGES(account.address, account.master) BY day)"

--- Two addresses that were of one owner on some day.
local duo = sheet("duo", { "address", "other" }, { rows = join {
  a = "account", b = "account", on = { "owner", "day" }, where = "a.address <> b.address",
  key = { address = "a.address", other = "b.address" } } })

-- The position at a day's end is the one from which the next fill starts. Of several fills at one instant that is the one
-- which no other of them feeds; where that does not single one out, the smallest tid, a buy before a sell (§ Exclusions; ruling).
--- Other fills of the instant that end where this one starts. [1]
fill.fed = "COUNT(fill.tid WHERE AND(fill.perp, fill.after = start_position) BY address, coin, time)"
local instant = sheet("instant", { "address", "coin", "time" }, { rows = distinct("fill", { "address", "coin", "time" }, "perp") })
--- [1]
instant.heads = "COUNT(fill.tid WHERE AND(fill.perp, fill.fed = 0))"
--- [coin]
instant.start = [[ IF(heads = 1, ARGMIN(fill.start_position, fill.tid WHERE AND(fill.perp, fill.fed = 0)),
                                 ARGMIN(fill.start_position, fill.tid WHERE fill.perp)) ]]

--- The day-end position of an address in a coin, for addresses that shared an owner with another.
local holding = sheet("holding", { "address", "coin", "day" }, { rows = cross(union {
  distinct("fill", { "address", "coin" }, "perp"), distinct("position", { "address", "coin" }) }, "day"),
  where = "COUNT(duo.other BY address) > 0" })
--- [coin]
holding.next  = "NEXT(instant.start, END(day), END(day) + settle BY address, coin)"
--- [coin]
holding.size  = "COALESCE(next, position.size, 0)"
--- Close of the coin's last hourly candle of the day (§ Exclusions). [USD/coin]
holding.price = "ARGMAX(candle.close, candle.time WHERE candle.span = '1h' BY coin, day)"
--- [USD]
holding.value = "size * COALESCE(price, 0)"

--- Such a pair, in a coin, on a day.
local pair = sheet("pair", { "address", "other", "coin", "day" }, { rows = join {
  a = "duo", b = "holding", on = { "address" },
  key = { address = "a.address", other = "a.other", coin = "b.coin", day = "b.day" } } })
--- [USD]
pair.x      = "COALESCE(LOOKUP(holding.value, holding.address = address, holding.coin = coin, holding.day = day), 0)"
--- [USD]
pair.y      = "COALESCE(LOOKUP(holding.value, holding.address = other, holding.coin = coin, holding.day = day), 0)"
--- A day that the correlation takes: one of the two holds a position (§ Exclusions).
pair.active = "OR(x <> 0, y <> 0)"
--- [USD]
pair.xa     = "IF(active, x)"
--- [USD]
pair.ya     = "IF(active, y)"
--- Both linked on this day, with one owner.
pair.one    = [[ COALESCE(LOOKUP(account.owner, account.address = address, account.day = day)
                          = LOOKUP(account.owner, account.address = other, account.day = day), FALSE) ]]
--- The two positions mirror each other (§ Exclusions).
pair.mirror = [[ AND(one, COUNTIF(DAYS(active, mirror_of)) >= mirror_days,
                     COALESCE(CORREL(DAYS(xa, mirror_of), DAYS(ya, mirror_of)) < mirror_correlation, FALSE)) ]]

--- For a mirrored coin of an address on a day: the days of the window that ends there, and what stood opposite on each.
local opposite = sheet("opposite", { "address", "coin", "day", "back" }, {
  rows = cross(distinct("pair", { "address", "coin", "day" }, "mirror"), range("back", 0, "mirror_of - 1")) })
opposite.on   = "day - back"
--- [USD]
opposite.x    = "LOOKUP(holding.value, holding.address = address, holding.coin = coin, holding.day = on)"
--- [USD]
opposite.y    = [[ SUM(MAX(0, -SIGN(x) * LOOKUP(holding.value, holding.address = pair.other, holding.coin = coin, holding.day = on))
                       WHERE pair.mirror BY address, coin, day) ]]
--- [USD]
opposite.part = "MIN(ABS(x), y)"

--- [USD]
wallet.gross     = "SUM(ABS(holding.value))"
--- All that was held on the days of that window. It is looked up, not read back as recorded: an address may come to share its owner later.
local held = sheet("held", { "address", "day", "back" }, {
  rows = cross(distinct("opposite", { "address", "day" }), range("back", 0, "mirror_of - 1")) })
held.on    = "day - back"
--- [USD]
held.gross = "LOOKUP(wallet.gross, wallet.address = address, wallet.day = on)"
--- Mirrored share m: the part of the position held over the window that stood opposite to the owner's other addresses (§ Exclusions; ruling). [1]
account.mirrored = "IF(linked, RATIO(SUM(opposite.part BY address, day), SUM(held.gross BY address, day), 0), 0)"
--- The largest share among the owner's addresses. [1]
account.worst    = "MAX(account.mirrored BY owner, day)"
account.struck   = "COALESCE(worst > mirror_skill_cut, FALSE)"
--- Out of the skill pool (§ Exclusions).
account.penalty  = "ANY(DAYS(struck, penalty_days))"

------------------------------------------------------------------------------------------------ pools and pay

--- A day of the rule.
local day = sheet("day", { "day" }, { rows = cross("day"), where = "END(day) > MIN(identity.linked_at BY ())" })
--- Miner pool A (§ Notation). [alpha]
day.miner_pool  = "emission * miners_share"
day.any_credit  = "ANY(account.smoothed > 0 WHERE account.eligible)"
day.any_skill   = "ANY(account.skill_weight > 0)"
--- Skill pool S (§ The two pools and pay). [alpha]
day.skill_pool  = "IFS(NOT(any_skill), 0, NOT(any_credit), miner_pool, TRUE, skill_share * miner_pool)"
--- Volume pool V (§ The two pools and pay). [alpha]
day.volume_pool = "miner_pool - skill_pool"
--- What goes to the burn hotkey, when nobody has credit or a skill weight (§ The two pools and pay). [alpha]
day.burned      = "IF(OR(any_credit, any_skill), 0, miner_pool)"
--- [USD/coin]
day.tao_usd     = "AVERAGE(candle.close WHERE AND(candle.coin = 'TAO', candle.span = '1h'))"
--- Dollar value p of one alpha, only to show pay in dollars (§ Notation). [USD/alpha]
day.alpha_usd   = "AVERAGE(pool_rate.tao_per_alpha) * AS(tao_usd, 'USD/TAO')"

--- What the miner is paid (§ The two pools and pay). [alpha]
account.pay     = [[ PRORATE(day.volume_pool, IF(eligible, smoothed, 0) BY day)
                     + PRORATE(day.skill_pool, skill_weight BY day) ]]
--- [USD]
account.pay_usd = "pay * day.alpha_usd"
--- Weight on chain until the next day is scored: whole numbers, by largest remainders (§ The two pools and pay; ruling). [1]
account.weight  = "APPORTION(pay, weights_total BY day)"

--- Mirrored shares that close the skill pool (§ Exclusions).
local report = sheet("report", { "miner", "day" }, { rows = distinct("account", { "miner", "day" }, "mirrored > mirror_skill_cut") })
--- The mirrored share. [1]
report.m = "account.mirrored"

------------------------------------------------------------------------------------------------ what must hold

require(account, "an address is linked to one miner a day", "OR(ISBLANK(address), COUNT(account.miner BY address, day) = 1)")
require(value_point, "only an account's first point is marked first", "OR(NOT(first), time = MIN(value_point.time BY address))")
check(day, "paid or burned, the whole of A", "ABS(SUM(account.pay) + burned - miner_pool) < 0.000000000001")
check(day, "weights add up, or the day is burned", "SUM(account.weight) = IF(burned > 0, 0, weights_total)")

output {
  account = { "linked", "known", "mean_value", "end_value", "eligible", "credit", "notional", "smoothed", "flows", "offmarket", "shadowed",
              "raw_return", "ret", "psr60", "confidence", "gpr30", "quality", "g", "score", "psr90", "entry", "skill", "volume",
              "round_trips", "active_days", "mean_account", "gates", "mirrored", "penalty", "skill_weight", "pay", "pay_usd", "weight" },
  day = { "miner_pool", "skill_pool", "volume_pool", "burned", "alpha_usd" },
  report = { "m" },
}

------------------------------------------------------------------------------------------------ a case to check by hand

example("a trade earns from the third trade and $1,000 on; 25% of the day's credit is smoothed in; pay follows it; weights by largest remainders (§ Eligibility, Credit and smoothing, The two pools and pay)", {
  identity = { { miner = "ann", linked_at = "2024-01-02T00:00:00.000Z", hotkey = "h1", address = "0xaa" },
               { miner = "bo", linked_at = "2024-01-02T00:00:00.000Z", hotkey = "h2", address = "0xbb" } },
  fill = { -- ann: $500, $500, then $600, which earns 0.025% = $0.15; bo: $100, $1,000, then $1,800, which earns $0.45
    { address = "0xaa", time = "2024-01-02T01:00:00.000Z", coin = "BTC", tid = 1, side = "buy", px = 500, sz = 1, builder = true, market = "perp" },
    { address = "0xaa", time = "2024-01-02T02:00:00.000Z", coin = "BTC", tid = 2, side = "buy", px = 500, sz = 1, builder = true, market = "perp" },
    { address = "0xaa", time = "2024-01-02T03:00:00.000Z", coin = "BTC", tid = 3, side = "buy", px = 500, sz = "1.2", builder = true, market = "perp" },
    { address = "0xbb", time = "2024-01-02T01:00:00.000Z", coin = "BTC", tid = 4, side = "sell", px = 500, sz = "0.2", builder = true, market = "perp" },
    { address = "0xbb", time = "2024-01-02T02:00:00.000Z", coin = "BTC", tid = 5, side = "sell", px = 500, sz = 2, builder = true, market = "perp" },
    { address = "0xbb", time = "2024-01-02T03:00:00.000Z", coin = "BTC", tid = 6, side = "sell", px = 500, sz = "3.6", builder = true, market = "perp" } },
  value_point = {
    { address = "0xaa", time = "2024-01-02T00:00:00.000Z", value = 12000, first = true }, { address = "0xaa", time = "2024-01-02T06:00:00.000Z", value = 12000, first = false },
    { address = "0xaa", time = "2024-01-02T12:00:00.000Z", value = 12000, first = false }, { address = "0xaa", time = "2024-01-02T18:00:00.000Z", value = 12000, first = false },
    { address = "0xbb", time = "2024-01-02T00:00:00.000Z", value = 10000, first = true }, { address = "0xbb", time = "2024-01-02T06:00:00.000Z", value = 10000, first = false },
    { address = "0xbb", time = "2024-01-02T12:00:00.000Z", value = 10000, first = false }, { address = "0xbb", time = "2024-01-02T18:00:00.000Z", value = 10000, first = false } },
  flow = {}, transfer = {}, candle = {}, position = {}, fill_read = {}, agent = {}, pool_rate = {},
  expect = {
    account = { -- A = 41% of 7,200 = 2,952, all of it by credit, 1 : 3; weights 16,383.75 and 49,151.25
      { miner = "ann", day = "2024-01-02", mean_value = 12000, eligible = true, credit = "0.15", notional = 600, smoothed = "0.0375", pay = 738, weight = 16384 },
      { miner = "bo", day = "2024-01-02", mean_value = 10000, eligible = true, credit = "0.45", notional = 1800, smoothed = "0.1125", pay = 2214, weight = 49151 } },
    day = { { day = "2024-01-02", miner_pool = 2952, skill_pool = 0, volume_pool = 2952, burned = 0 } } } })

example("the return leaves out deposits and what prices off the mark gave; a day without an eligible miner is burned (§ Skill, Exclusions, The two pools and pay)", {
  identity = { { miner = "ann", linked_at = "2024-01-02T00:00:00.000Z", hotkey = "h1", address = "0xaa" } },
  fill = { -- bought at 99 what is worth 100: $1 each given by the price
    { address = "0xaa", time = "2024-01-03T05:00:00.000Z", coin = "ETH", tid = 1, side = "buy", px = 99, sz = 6, mark = 100, builder = false, market = "perp" } },
  value_point = {
    { address = "0xaa", time = "2024-01-02T00:00:00.000Z", value = 1000, first = true }, { address = "0xaa", time = "2024-01-02T06:00:00.000Z", value = 1000, first = false },
    { address = "0xaa", time = "2024-01-02T12:00:00.000Z", value = 1000, first = false }, { address = "0xaa", time = "2024-01-02T18:00:00.000Z", value = 1000, first = false },
    { address = "0xaa", time = "2024-01-03T00:00:00.000Z", value = 1000, first = false }, { address = "0xaa", time = "2024-01-03T06:00:00.000Z", value = 1000, first = false },
    { address = "0xaa", time = "2024-01-03T12:00:00.000Z", value = 1000, first = false }, { address = "0xaa", time = "2024-01-03T18:00:00.000Z", value = 1126, first = false } },
  flow = { { address = "0xaa", time = "2024-01-03T12:00:00.000Z", usd = 100 } },
  transfer = {}, position = {}, fill_read = {}, agent = {}, pool_rate = {},
  candle = { { coin = "ETH", span = "1m", time = "2024-01-03T05:00:00.000Z", close = 100, volume = 1000 } },
  expect = {
    account = { -- (1,126 - 1,000 - 100 - 6) / 1,000
      { miner = "ann", day = "2024-01-02", end_value = 1000, eligible = false, flows = 0, offmarket = 0, shadowed = false, pay = 0, weight = 0 },
      { miner = "ann", day = "2024-01-03", end_value = 1126, eligible = false, flows = 100, offmarket = 6, shadowed = false, raw_return = "0.02", ret = "0.02", pay = 0, weight = 0 } },
    day = { { day = "2024-01-02", miner_pool = 2952, burned = 2952 }, { day = "2024-01-03", miner_pool = 2952, burned = 2952 } } } })
