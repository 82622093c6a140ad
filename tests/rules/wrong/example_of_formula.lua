rulebook { id = "test/wrong", version = 1, language = 1, title = "A wrong one", effective_from = "2024-01-01", days = { from = "MIN(identity.linked_at)" } }

--- Fee on a fill's value. [1]
param.fee_rate = "0.025%"
--- Returns looked at. [1]
param.window = 30

local identity = sheet("identity", { "miner", "linked_at" })
identity.miner     = text
identity.linked_at = time
identity.address   = address

local fill = sheet("fill", { "address", "time", "tid" })
fill.address = address
fill.time    = time
fill.tid     = number
fill.side    = one_of("buy", "sell")
--- [USD]
fill.px      = number { above = 0 }
fill.sz      = number { above = 0 }
fill.perp    = boolean
fill.day     = "DAY(time)"

local account = sheet("account", { "miner", "day" }, { rows = cross("identity.miner", "day") })
account.address = "ASOF(identity.address, END(day) BY miner)"
account.credit = "1"
example("one", { fill = { { address = "a", time = 0, tid = 1, day = "1970-01-01" } }, expect = {} })

output { account }
