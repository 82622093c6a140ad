-- The Kokoah link format: which address a hotkey speaks for, from what it wrote on chain.
-- Read it from top to bottom: parameters, what comes in, what a commitment says, whether it is signed, what is accepted, links and
-- machines. (§ …) names the section of the published rule; docs/rulings.md lists the readings taken.

rulebook { id = "kokoah/link", version = 1, language = 1, title = "Kokoah link format", effective_from = "2023-01-01", notice_days = 14 }

------------------------------------------------------------------------------------------------ parameters

--- The netuid of the subnet whose links these are; records of other subnets are skipped (§ The link format). [1]
param.subnet = { 42, min = 0, max = "65_535" }
--- Days that must have gone by since the last accepted change of address (§ The link format). [1]
param.change_days = { 60, min = 0, max = 3650 }
--- Bytes of a link: the tag, 20 of the address, 65 of the signature (§ The link format). [1]
param.link_bytes = { 87, min = 87, max = 87 }
--- Longest name of an agent's host (§ The link format). [1]
param.host_bytes = { 51, min = 1, max = 255 }

------------------------------------------------------------------------------------------------ what comes in

--- What a hotkey wrote on chain.
local commitment = sheet("commitment", { "time", "netuid", "hotkey" })
commitment.time   = time
commitment.netuid = number { whole = true, min = 0 }
commitment.hotkey = text
--- Its fields, with one space between two; empty is malformed.
commitment.fields = text

--- A hotkey's time in the subnet.
local registration = sheet("registration", { "hotkey", "registered_at" })
registration.hotkey        = text
registration.registered_at = time
registration.coldkey       = text
--- When the hotkey left, which releases its address; empty: it is still there.
registration.left_at       = time
--- Stable id of the miner, which survives swaps of the hotkey; empty: the hotkey itself.
registration.miner         = text

--- What the exchange answered about an address (krules import); only to know the master of a sub-account.
local role_read = sheet("role_read", {}, { optional = true })
role_read.address = address { required = true }
role_read.role    = text
role_read.master  = text

------------------------------------------------------------------------------------------------ what a commitment says

--- A commitment of this subnet.
local claim = sheet("claim", { "time", "hotkey", "of" }, {
  rows = distinct("commitment", { "time", "hotkey", of = "netuid" }), where = "of = subnet" })
claim.fields = "COALESCE(LOOKUP(commitment.fields, commitment.time = time, commitment.netuid = of, commitment.hotkey = hotkey), '')"

-- Up to three fields in any order, with one space between two (§ The link format).
define.head_of   = { "text", "IF(CONTAINS(text, ' '), LEFT(text, FIND(' ', text) - 1), text)" }
define.tail_of   = { "text", "IF(CONTAINS(text, ' '), MID(text, FIND(' ', text) + 1, LEN(text)), '')" }
define.nothing   = { "UNHEX('')" }
define.bytes_of  = { "field", "IFERROR(BASE64.DECODE(field), nothing())" }
-- Four characters of base64 are three bytes: enough to see the tag of a field that is broken further on.
define.tag_of    = { "field", "IFERROR(BYTES.TEXT(BYTES.MID(BASE64.DECODE(LEFT(field, 4)), 1, 2)), '')" }

claim.field1 = "head_of(fields)"
claim.rest1  = "tail_of(fields)"
claim.field2 = "head_of(rest1)"
claim.field3 = "tail_of(rest1)"
claim.spaces = "LEN(fields) - LEN(SUBSTITUTE(fields, ' ', ''))"
for n = 1, 3 do
  claim["tag" .. n] = "tag_of(field" .. n .. ")"
end
for _, tag in ipairs { "K1", "P1", "A1" } do
  claim["count" .. tag] = "IF(tag1 = '" .. tag .. "', 1, 0) + IF(tag2 = '" .. tag .. "', 1, 0) + IF(tag3 = '" .. tag .. "', 1, 0)"
  claim["bytes" .. tag] = "bytes_of(IFS(tag1 = '" .. tag .. "', field1, tag2 = '" .. tag .. "', field2, tag3 = '" .. tag .. "', field3, TRUE, ''))"
end
--- Made of known fields, each there once at most, the link itself among them, and written by a hotkey (§ The link format; ruling).
claim.formed = [[ AND(countK1 = 1, countP1 <= 1, countA1 <= 1, countK1 + countP1 + countA1 = spaces + 1,
                      BYTES.LEN(bytesK1) = link_bytes, OR(countP1 = 0, BYTES.LEN(bytesP1) = link_bytes),
                      NOT(ISBLANK(SS58.KEY(hotkey)))) ]]

------------------------------------------------------------------------------------------------ whether it is signed

define.address_in   = { "bytes", "'0x' & HEX(BYTES.MID(bytes, 3, 20))" }
define.signature_in = { "bytes", "BYTES.MID(bytes, 23, 65)" }

--- The address that is to be linked.
claim.address  = "IF(formed, address_in(bytesK1))"
--- The address that hands over to it.
claim.previous = "IF(AND(formed, countP1 = 1), address_in(bytesP1))"
--- The one line that both of them sign (§ The link format).
claim.line     = "'kokoah-bind-1 netuid=' & TEXT(subnet, 0) & ' hotkey=' & hotkey & ' address=' & address"
claim.signed   = "COALESCE(EIP191.SIGNER(line, signature_in(bytesK1)) = address, FALSE)"
claim.passed   = "COALESCE(EIP191.SIGNER(line, signature_in(bytesP1)) = previous, FALSE)"

-- Times are whole milliseconds; no record is three centuries away.
define.after        = { "time", "time + 1" }
define.ever         = { "time", "time + 10_000_000_000_000" }

--- The registration under which it was written.
claim.registered_at = "ASOF(registration.registered_at, after(time) BY hotkey)"
claim.left_at       = "ASOF(registration.left_at, after(time) BY hotkey)"
claim.present       = "AND(NOT(ISBLANK(registered_at)), COALESCE(left_at > time, TRUE))"

--- What is wrong with it, whoever holds the address; empty: nothing.
claim.fault = [[ IFS(NOT(formed), 'malformed',
                     NOT(signed), 'the signature is not by the address',
                     COALESCE(previous = address, FALSE), 'P1 names the new address itself',
                     AND(countP1 = 1, NOT(passed)), 'the signature of P1 is not by its address',
                     NOT(present), 'the hotkey is not registered',
                     TRUE, '') ]]

------------------------------------------------------------------------------------------------ what is accepted

-- A column of the commitment that the hotkey made at that time.
local function of_claim(column, at)
  return "LOOKUP(claim." .. column .. ", claim.time = " .. at .. ", claim.hotkey = hotkey, claim.of = subnet)"
end

--- What happens, one after the other: by time, releases before commitments of the same time, by the bytes of the hotkey (§ The link format).
local event = sheet("event", { "time", "kind", "hotkey" }, { order = { "time", "kind", "hotkey" }, rows = union {
  cross(distinct("registration", { time = "left_at", "hotkey" }), range("kind", 0, 0)),
  cross(distinct("claim", { "time", "hotkey" }), range("kind", 1, 1)) } })
event.release  = "kind = 0"
event.fault    = of_claim("fault", "time")
event.address  = of_claim("address", "time")
event.previous = of_claim("previous", "time")

--- What became of a commitment.
local verdict = sheet("verdict", { "hotkey", "time" }, { rows = fold {
  over = "event", per = {}, order = { "time", "kind", "hotkey" },
  state = { address_of = map(text, text), hotkey_of = map(text, text), changed_at = map(text, time) },
  step = function(state, event, emit)
    local hotkey, mine = event.hotkey, state.address_of[event.hotkey]
    if event.release then
      if mine ~= nil then
        state.hotkey_of[mine] = nil
        state.address_of[hotkey] = nil
      end
    else
      local reason = event.fault
      local first, changes = mine == nil, false
      if reason == "" then
        local holder = state.hotkey_of[event.address]
        if first then
          if holder ~= nil then reason = "the address is linked to another hotkey" end
        else
          changes = mine ~= event.address
          if changes then
            if event.previous == nil then
              reason = "a change of address without P1"
            elseif event.previous ~= mine then
              reason = "the address of P1 is not the one linked"
            elseif state.changed_at[hotkey] ~= nil and event.time - state.changed_at[hotkey] < param.change_days * 86400000 then
              reason = "too soon after the last accepted change"
            elseif holder ~= nil then
              reason = "the new address is not free"
            end
          end
        end
      end
      if reason == "" and (first or changes) then
        if changes then
          state.hotkey_of[mine] = nil
          state.changed_at[hotkey] = event.time
        end
        state.hotkey_of[event.address] = hotkey
        state.address_of[hotkey] = event.address
      end
      emit { hotkey = hotkey, time = event.time, reason = reason, links = reason == "" and (first or changes) }
    end
  end } })
verdict.hotkey   = text
verdict.time     = time
--- Why it was refused; "" when it was accepted.
verdict.reason   = text
--- It made a link: the first under a registration, or a change of address.
verdict.links    = boolean
verdict.accepted = "reason = ''"

------------------------------------------------------------------------------------------------ links and machines

define.earliest = { "a", "b", "COALESCE(MIN(a, b), a, b)" }

--- An accepted link.
local link = sheet("link", { "hotkey", "linked_at" }, { rows = distinct("verdict", { "hotkey", linked_at = "time" }, "links") })
link.miner       = "COALESCE(ASOF(registration.miner, after(linked_at) BY hotkey), hotkey)"
link.coldkey     = "ASOF(registration.coldkey, after(linked_at) BY hotkey)"
link.address     = of_claim("address", "linked_at")
--- The change of address or the leaving that ended it, whichever came first.
link.unlinked_at = [[ earliest(NEXT(verdict.time, after(linked_at), ever(linked_at) WHERE verdict.links BY hotkey),
                               ASOF(registration.left_at, after(linked_at) BY hotkey)) ]]

local function of_link(column)
  return "LOOKUP(link." .. column .. ", link.miner = miner, link.linked_at = linked_at)"
end

--- One row per identity, as the pay rule reads them.
local identity = sheet("identity", { "miner", "linked_at" }, { rows = distinct("link", { "miner", "linked_at" }) })
identity.hotkey      = of_link("hotkey")
identity.coldkey     = of_link("coldkey")
identity.address     = of_link("address")
--- The master account, where the exchange was asked and named one.
identity.master      = "ARGMIN(role_read.master, role_read.master WHERE role_read.role = 'subAccount' BY address)"
--- Empty: still linked.
identity.unlinked_at = of_link("unlinked_at")

claim.agent     = "countA1 = 1"
claim.port      = "IF(agent, BYTES.NUMBER(BYTES.MID(bytesA1, 35, 2)))"
claim.host_size = "BYTES.LEN(bytesA1) - 36"
claim.host      = "IF(agent, IFERROR(BYTES.TEXT(BYTES.MID(bytesA1, 37, host_bytes)), ''))"
--- The agent's field is whole: fingerprint, a port above 0, a host that is text (§ The link format; ruling).
claim.names     = "AND(agent, host_size >= 1, host_size <= host_bytes, port > 0, host <> '')"

--- The machine that an agent runs in, as the accepted commitment names it, until the next accepted one or the end of the registration.
local agent_machine = sheet("agent_machine", { "hotkey", "since" }, { rows = distinct("verdict", { "hotkey", since = "time" },
  "AND(accepted, " .. of_claim("names", "time") .. ")") })
--- SHA-256 of the agent's code, in hexadecimal.
agent_machine.code_hash = "HEX(BYTES.MID(" .. of_claim("bytesA1", "since") .. ", 3, 32))"
--- [1]
agent_machine.port      = of_claim("port", "since")
agent_machine.host      = of_claim("host", "since")
--- Empty: it is the one named now.
agent_machine.ended_at  = [[ earliest(ASOF(registration.left_at, after(since) BY hotkey),
                                      NEXT(verdict.time, after(since), ever(since) WHERE verdict.accepted BY hotkey)) ]]

--- Commitments that were refused, whole or, where the link was accepted, in the part about the agent.
local refusal = sheet("refusal", { "time", "hotkey" }, { rows = distinct("verdict", { "time", "hotkey" },
  "OR(NOT(accepted), AND(" .. of_claim("agent", "time") .. ", NOT(" .. of_claim("names", "time") .. ")))") })
refusal.reason = "IF(verdict.accepted, 'A1 is malformed', verdict.reason)"

------------------------------------------------------------------------------------------------ what must hold

require(registration, "a hotkey leaves after it registers", "left_at >= registered_at")
require(registration, "a hotkey is registered once at a time", "OR(RUNCOUNT() = 1, COALESCE(PREV(left_at) <= registered_at, FALSE))")
check(link, "an address is linked to one hotkey at a time",
  "COUNT(link.hotkey WHERE AND(link.hotkey <> hotkey, link.linked_at <= linked_at, COALESCE(link.unlinked_at > linked_at, TRUE)) BY address) = 0")

output {
  identity = { "hotkey", "coldkey", "address", "master", "unlinked_at" },
  agent_machine = { "code_hash", "port", "host", "ended_at" },
  refusal = { "reason" },
}

example("a link, one with a machine, and one that was signed for another subnet", {
  commitment = {
    { time = 1000, netuid = 42, hotkey = "5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo",
      fields = "SzG76QHTUeVT3K/2YTQDRVRe6wXr2brwnxIFck24PzgDTdt/k5KoG1Au6suhr6iTd5I/v+foAnmc9Mrosa7r+I4o8rQuvhbKib/FDRMjgfHmG9cqVkMc" },
    { time = 2000, netuid = 42, hotkey = "5DbiNvgybiDzTGS1oKKjrphj8sKctts2d8gUrTYmBGA3VLEv",
      fields = "SzFO5P6Och6Tf4PEzgs2NhmDu0GZCKdx9ANDYNAzYLj0qHxdXWpFzbt1ylsMtvrqKfhIlfAnGW/FjrGu7q7EpzsC/MDTyVGbB0wf6MiVWMTHOr3meNwc QTGULADroflXEDA5LD0TDWlQNIEMJU619enIo1ruQQPTkSD7YWdlbnQtNC5leGFtcGxlLm9yZw==" },
    { time = 3000, netuid = 42, hotkey = "5Et8LAFhi5UAskU4Kkrxpt2DqQUFoQgY5MqUKmh8ZV75QcEQ",
      fields = "SzHVFCAvx7dXi+pBve/9XpYbIZR6USegc95IWAs9AbsmGe+v5/03Vt7P8DJZ3lf2+uBCAMncJBf+WvEMUWzKTEXgtoWkKjWQe0e0h02PzDedYzrqFwgc" } },
  registration = { { hotkey = "5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo", registered_at = 0, left_at = 9000, miner = "m1" }, { hotkey = "5DbiNvgybiDzTGS1oKKjrphj8sKctts2d8gUrTYmBGA3VLEv", registered_at = 0 }, { hotkey = "5Et8LAFhi5UAskU4Kkrxpt2DqQUFoQgY5MqUKmh8ZV75QcEQ", registered_at = 0 } },
  expect = {
    identity = { { miner = "m1", linked_at = 1000, address = "0xbbe901d351e553dcaff661340345545eeb05ebd9", unlinked_at = 9000 },
                 { miner = "5DbiNvgybiDzTGS1oKKjrphj8sKctts2d8gUrTYmBGA3VLEv", linked_at = 2000, address = "0x4ee4fe8e721e937f83c4ce0b36361983bb419908" } },
    agent_machine = { { hotkey = "5DbiNvgybiDzTGS1oKKjrphj8sKctts2d8gUrTYmBGA3VLEv", since = 2000, port = 8443, host = "agent-4.example.org" } },
    refusal = { { time = 3000, hotkey = "5Et8LAFhi5UAskU4Kkrxpt2DqQUFoQgY5MqUKmh8ZV75QcEQ", reason = "the signature is not by the address" } } } })
