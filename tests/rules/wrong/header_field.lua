rulebook { id = "test/wrong", version = 1, language = 1, titel = "Field", effective_from = "2024-01-01" }
