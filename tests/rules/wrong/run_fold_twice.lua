rulebook { id = "test/wrong", version = 1, language = 1, title = "A wrong one", effective_from = "2024-01-01" }

local fill = sheet("fill", { "address", "tid" })
fill.address = text
fill.tid     = number

local lot = sheet("lot", { "address" }, { rows = fold { over = "fill", per = { "address" }, order = { "tid" }, state = { n = 0 }, step = function(state, row, emit)
  state.n = state.n + 1
  emit { address = row.address, n = state.n }
end } })
lot.address = text
lot.n       = number

output { lot }
