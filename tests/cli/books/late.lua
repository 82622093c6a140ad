-- A rule with a flaw that no checker sees: which rows a day has depends on what comes later.
rulebook { id = "test/late", version = 1, language = 1, title = "Late", days = { from = "MIN(sale.day)" } }

local sale = sheet("sale", { "customer", "day", "receipt" })
sale.customer = text
sale.day      = day
sale.receipt  = number
sale.amount   = number { required = true }

local account = sheet("account", { "customer", "day" }, { rows = cross("sale.customer", "day") })
account.spent = "SUM(sale.amount)"
local vip = sheet("vip", { "customer" }, { rows = distinct("account", { "customer" }, "spent > 15") })
local visit = sheet("visit", { "customer", "day" }, { rows = cross("vip.customer", "day") })
local total = sheet("total", { "day" }, { rows = cross("day") })
total.vips   = "COUNT(visit.customer)"
total.before = "PREV(vips, 0)"

output { total = { "before" } }
