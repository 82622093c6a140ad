rulebook { id = "test/wrong", version = "one", language = 1, title = "Version", effective_from = "2024-01-01" }
