rulebook { id = "test/wrong", version = 1, language = 2, title = "New", effective_from = "2024-01-01" }
