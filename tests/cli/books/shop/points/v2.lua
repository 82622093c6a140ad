rulebook {
  id = "shop/points", version = 2, language = 1, title = "Points for what is bought",
  effective_from = "2024-01-03", notice_days = 7,
  days = { from = "MIN(sale.day)" },
}

--- Points for each euro. [point/EUR]
param.rate = 3

local sale = sheet("sale", { "customer", "day", "receipt" })
sale.customer = text
sale.day      = day
sale.receipt  = number
--- [EUR]
sale.amount   = number { min = 0 }

local account = sheet("account", { "customer", "day" }, { rows = cross("sale.customer", "day") })
--- Money spent that day. [EUR]
account.spent  = "SUM(sale.amount)"
--- All points so far. [point]
account.points = "PREV(points, 0) + rate * spent"
--- Spent, as a part of what all spent that day. [1]
account.part   = "spent / total.spent"

local total = sheet("total", { "day" }, { rows = cross("day") })
--- [EUR]
total.spent = "SUM(account.spent)"

check(account, "nobody has more than 500 points", "points <= 500")
output { account, total }
