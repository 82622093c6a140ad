rulebook { id = "test/wrong", version = 1, language = 1, title = "A wrong one", effective_from = "2024-01-01" }

local fill = sheet("fill", { "tid" })
fill.tid = number

local step = sheet("step", { "n" }, { rows = range("n", 1, "10_000_000_000") })
step.x = "n"

output { step }
