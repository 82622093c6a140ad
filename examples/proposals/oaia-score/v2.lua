-- OAIA: how an agent is ranked. An agent's calls on hourly closes are set against 2,048 coin-flipping monkeys that make the
-- same calls but toss for the side. (§ …) names the section of the published page. docs/rulings.md lists the readings taken.

rulebook {
  id = "oaia/score", version = 2, language = 1, title = "OAIA score",
  effective_from = "2030-01-01", notice_days = 14,
  governed_by = "MIN(slot.time BY season)",
}

------------------------------------------------------------------------------------------------ parameters

--- Monkeys that shadow each agent (§ the score, in six lines, 3). [1]
param.monkeys = { "2_048", min = 1, max = "1_000_000" }
--- Scored calls from which an agent is ranked (§ the score, in six lines, 5). [1]
param.ranked_from = { 20, min = 0, max = "1_000_000" }
--- Closes are hourly: a moment off the hour has none (§ the score, in six lines, 1). [ms]
param.hour = { "3_600_000", min = 1 }
--- What the size of a call is out of (§ the score, in six lines, 2). [1]
param.full_size = { 100, min = 1 }

------------------------------------------------------------------------------------------------ what comes in

--- The cached hourly closes.
local close = sheet("close", { "pair", "time" })
close.pair  = text
close.time  = time
--- [quote]
close.close = number { above = 0, required = true }

--- The moments of a season at which calls can be made.
local slot = sheet("slot", { "season", "time" })
slot.season = text
slot.time   = time

--- What can be called in a season.
local universe = sheet("universe", { "season", "pair", "horizon" })
universe.season  = text
universe.pair    = text
--- Whole hours. [1]
universe.horizon = number { whole = true, above = 0 }

--- The agents' calls. No key: equal rows are separate calls. The order of the columns is the order of the coins: an agent's calls
--- of a season by time, pair, horizon, direction (long first) and size.
local call = sheet("call", {}, { order = { "time", "pair", "horizon", "direction", "size" } })
call.season    = text { required = true }
call.agent     = text { required = true }
call.time      = time { required = true }
call.pair      = text { required = true }
--- Whole hours. [1]
call.horizon   = number { whole = true, above = 0, required = true }
call.direction = one_of("long", "short") { required = true }
--- [1]
call.size      = number { min = 0, max = 100, required = true }

------------------------------------------------------------------------------------------------ what the market did

--- Every move that could be called in a season.
local move = sheet("move", { "season", "pair", "horizon", "time" }, { rows = join {
  a = "universe", b = "slot", on = { "season" },
  key = { season = "a.season", pair = "a.pair", horizon = "a.horizon", time = "b.time" } } })
move.on_hour = "MOD(time - START(DAY(time)), hour) = 0"
--- [quote]
move.start   = "IF(on_hour, LOOKUP(close.close, close.pair = pair, close.time = time))"
--- Nothing is looked for after the last close: a horizon may be of any length. [quote]
move.finish  = "IF(AND(on_hour, horizon <= (MAX(close.time BY ()) - time) / hour), LOOKUP(close.close, close.pair = pair, close.time = time + horizon * hour))"
--- Raw move; unknown when either close is missing (§ the score, in six lines, 1). [1]
move.raw     = "finish / start - 1"

--- Mean move of a pair and horizon over the season's slots (§ the score, in six lines, 2).
local mu = sheet("mu", { "season", "pair", "horizon" }, { rows = distinct("universe", { "season", "pair", "horizon" }) })
--- [1]
mu.mu    = "AVERAGE(move.raw BY season, pair, horizon)"
--- Slots whose move is known. [1]
mu.slots = "COUNT(move.raw BY season, pair, horizon)"

------------------------------------------------------------------------------------------------ the calls

--- Unknown for a call at no slot or out of the universe: it is counted and not scored. [1]
call.raw    = "LOOKUP(move.raw, move.season = season, move.pair = pair, move.horizon = horizon, move.time = time)"
--- [1]
call.mu     = "LOOKUP(mu.mu, mu.season = season, mu.pair = pair, mu.horizon = horizon)"
--- The move against the mean, in proportion to the size (§ the score, in six lines, 2). [1]
call.edge   = "(raw - mu) * size / full_size"
--- Demeaned outcome r (§ the score, in six lines, 2). [1]
call.r      = "IF(direction = 'long', edge, -edge)"

------------------------------------------------------------------------------------------------ the agents

--- An agent in a season.
local agent = sheet("agent", { "season", "agent" }, { rows = distinct("call", { "season", "agent" }) })
--- Calls made. [1]
agent.calls      = "COUNT(call.size BY season, agent)"
--- Calls scored. [1]
agent.scored     = "COUNT(call.edge BY season, agent)"
--- Sum of r (§ the score, in six lines, 4). [1]
agent.total      = "SUM(call.r BY season, agent)"
--- Seed of the agent's coins (§ the score, in six lines, 6; ruling: the epoch is the season).
agent.seed       = "SHA256('OAIA|' & season & '|' & agent)"
--- Place of the total among the monkeys' totals, from 0 to 100, ties half (§ the score, in six lines, 3 and 4; ruling: the coins are the seed's SHAKE256 stream). [1]
agent.percentile = "COINFLIP(call.edge, total, monkeys, seed BY season, agent)"
--- Proving until enough calls are scored (§ the score, in six lines, 5).
agent.status     = "IF(scored < ranked_from, 'proving', 'ranked')"
--- From 1, in the season: highest percentile, then highest total, then the smaller id (ruling). [1]
agent.rank       = "RANK(percentile DESC, total DESC WHERE status = 'ranked' BY season)"

output {
  agent = { "calls", "scored", "total", "percentile", "status", "rank" },
  mu = { "mu", "slots" },
}

------------------------------------------------------------------------------------------------ a case to check by hand

example("moves of +10%, -10% and 0 have the mean 0; a call earns its move by its size; what is out of the universe is counted, not scored; without a scored call the percentile is 50 (§ the score, in six lines)", {
  close = { { pair = "BTC", time = "2024-01-02T00:00:00.000Z", close = 100 }, { pair = "BTC", time = "2024-01-02T01:00:00.000Z", close = 110 },
            { pair = "BTC", time = "2024-01-02T02:00:00.000Z", close = 99 }, { pair = "BTC", time = "2024-01-02T03:00:00.000Z", close = 99 } },
  slot = { { season = "S1", time = "2024-01-02T00:00:00.000Z" }, { season = "S1", time = "2024-01-02T01:00:00.000Z" },
           { season = "S1", time = "2024-01-02T02:00:00.000Z" }, { season = "S1", time = "2024-01-02T03:00:00.000Z" } },
  universe = { { season = "S1", pair = "BTC", horizon = 1 } },
  call = { { season = "S1", agent = "ann", time = "2024-01-02T00:00:00.000Z", pair = "BTC", horizon = 1, direction = "long", size = 100 },
           { season = "S1", agent = "ann", time = "2024-01-02T01:00:00.000Z", pair = "BTC", horizon = 1, direction = "short", size = 50 },
           { season = "S1", agent = "bo", time = "2024-01-02T00:00:00.000Z", pair = "ETH", horizon = 1, direction = "long", size = 100 } },
  expect = {
    mu = { { season = "S1", pair = "BTC", horizon = 1, mu = 0, slots = 3 } },
    agent = { -- three quarters of the tosses of two coins give less than both moves, a quarter as much
              { season = "S1", agent = "ann", calls = 2, scored = 2, total = "0.15", percentile = "87.5244140625", status = "proving" },
              { season = "S1", agent = "bo", calls = 1, scored = 0, total = 0, percentile = 50, status = "proving" } } } })
