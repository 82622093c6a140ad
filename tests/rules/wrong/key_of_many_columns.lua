rulebook { id = "test/wrong", version = 1, language = 1, title = "A wrong one", effective_from = "2024-01-01" }

-- A match by more columns than the engine takes.
local fill = sheet("fill", { "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15", "c16", "c17" })
fill.c1 = number
fill.c2 = number
fill.c3 = number
fill.c4 = number
fill.c5 = number
fill.c6 = number
fill.c7 = number
fill.c8 = number
fill.c9 = number
fill.c10 = number
fill.c11 = number
fill.c12 = number
fill.c13 = number
fill.c14 = number
fill.c15 = number
fill.c16 = number
fill.c17 = number

output { fill }
