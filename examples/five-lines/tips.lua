rulebook { id = "example/tips", version = 1, language = 1, title = "Tips, shared by hours", effective_from = "2024-01-01" }
local shift = sheet("shift", { "day", "name" })
shift.day = day; shift.name = text; shift.hours = number { min = 0 }; shift.tips = number { min = 0 }
shift.paid = "PRORATE(SUM(shift.tips BY day), hours BY day)"
output { shift }
