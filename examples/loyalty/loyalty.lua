-- A shop's loyalty scheme: points for what one spends, tiers by points of the last year, and points that expire.

rulebook {
  id = "example/loyalty", version = 1, language = 1, title = "Loyalty scheme", effective_from = "2024-01-01", notice_days = 30,
  days = { from = "MIN(sale.day)" },
}

--- Points for a unit of money, before the tier's bonus. [point/EUR]
param.rate = 1
--- Days after which points expire. [1]
param.valid_days = { 365, min = 30, max = 3650 }
--- Points of the last year from which one is silver. [point]
param.silver_from = 500
--- Points of the last year from which one is gold. [point]
param.gold_from = 2000
--- What silver adds to the points of a sale. [1]
param.silver_bonus = "10%"
--- What gold adds. [1]
param.gold_bonus = "25%"

--- What was bought.
local sale = sheet("sale", { "receipt" })
sale.receipt  = number { whole = true }
sale.customer = text { required = true }
sale.day      = day { required = true }
--- [EUR]
sale.amount   = number { min = 0, required = true }

--- Points that were turned in for something.
local redeem = sheet("redeem", { "customer", "day" })
redeem.customer = text
redeem.day      = day
--- [point]
redeem.points   = number { above = 0, required = true }

--- A customer on a day, from the first sale on.
local card = sheet("card", { "customer", "day" },
  { rows = cross("sale.customer", "day"), where = "day >= MIN(sale.day BY customer)" })
--- [EUR]
card.spent    = "SUM(sale.amount BY customer, day)"
--- Points of the last year, before today: they decide the tier. [point]
card.recent   = "SUM(DAYS(PREV(earned, 0), valid_days))"
card.tier     = "IFS(recent >= gold_from, 'gold', recent >= silver_from, 'silver', TRUE, 'plain')"
--- Points earned today, whole ones. [point]
card.earned   = "ROUNDDOWN(spent * rate * (1 + IFS(tier = 'gold', gold_bonus, tier = 'silver', silver_bonus, TRUE, 0)), 0)"
--- [point]
card.redeemed = "COALESCE(redeem.points, 0)"
--- Points earned long enough ago to be void now: what is spent is taken from the oldest first. [point]
card.void     = "PREV(total, 0, valid_days)"
--- All points ever earned. [point]
card.total    = "RUNSUM(earned)"
--- Points that are gone: turned in, or expired before anybody did. [point]
card.gone     = "MAX(PREV(gone, 0) + redeemed, void)"
--- Points one can turn in. [point]
card.balance  = "total - gone"

check(card, "nobody turns in more than there is", "balance >= 0")
output { card = { "spent", "tier", "earned", "redeemed", "balance" } }

example("silver after five hundred points, with a bonus from the next sale on", {
  sale = { { receipt = 1, customer = "ann", day = "2024-01-05", amount = "600.40" }, { receipt = 2, customer = "ann", day = "2024-01-06", amount = 100 } },
  redeem = {},
  expect = { card = { { customer = "ann", day = "2024-01-05", tier = "plain", earned = 600, balance = 600 },
                      { customer = "ann", day = "2024-01-06", tier = "silver", earned = 110, balance = 710 } } } })
