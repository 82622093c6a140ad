rulebook { id = "test/wrong", version = 1, language = 1, title = "Days", effective_from = "2024-01-01", days = { from = "MIN(identity.linked)" } }
local identity = sheet("identity", { "miner" })
identity.miner = text
identity.linked_at = time
