-- The peer benchmark's workload: smoothing, sharing by day and a rolling PSR over 256 miners and 365 days.
rulebook { id = "bench/peers", version = 1, language = 1, title = "Peer workload", effective_from = "2023-01-01" }

local row = sheet("row", { "miner", "day" })
row.miner    = number { whole = true }
row.day      = day
row.phi      = number { required = true }
row.eligible = number { required = true }
row.weight   = number { required = true }
row.ret      = number { required = true }
row.smoothed = "0.7 * PREV(smoothed, 0) + 0.3 * phi"
row.pay      = "PRORATE(1000, eligible * smoothed BY day) + PRORATE(100, eligible * weight BY day)"
row.psr      = "IF(RUNCOUNT() >= 60, PSR(LAST(ret, 60), 0))"

output { row = { "smoothed", "pay", "psr" } }
