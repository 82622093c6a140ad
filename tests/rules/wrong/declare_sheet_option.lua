rulebook { id = "test/wrong", version = 1, language = 1, title = "A wrong one", effective_from = "2024-01-01", days = { from = "MIN(identity.linked_at)" } }
local fill = sheet("fill", { "day" }, { row = cross("day") })
