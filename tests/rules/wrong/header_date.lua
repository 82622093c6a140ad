rulebook { id = "test/wrong", version = 1, language = 1, title = "Day", effective_from = "2024-02-30" }
