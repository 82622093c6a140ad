rulebook { id = "test/wrong", version = 1, title = "Old", effective_from = "2024-01-01" }
