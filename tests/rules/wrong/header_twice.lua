rulebook { id = "test/wrong", version = 1, language = 1, title = "One", effective_from = "2024-01-01" }
rulebook { id = "test/wrong", version = 1, language = 1, title = "Two", effective_from = "2024-01-01" }
