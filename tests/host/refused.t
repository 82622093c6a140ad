Rule files that are refused, each with its whole message. A case begins with `=== title`; lines that begin with `| ` are what
krules says. `KR_RESET=1 build/tests/test_host` writes the messages anew: read the difference.

=== a numeral with a point outside a declaration
local cut = 0.5
| error[E0302]: Lua would make `0.5` a binary number
|  --> t.lua:1:13
|   |
| 1 | local cut = 0.5
|   |             ^^^
|   = help: a value with a point stands alone in a declaration (param.x = 0.3), or inside a formula's text

=== a numeral with a point inside an expression
param.x = 0.1 + 0.2
| error[E0302]: Lua would make `0.1` a binary number
|  --> t.lua:1:11
|   |
| 1 | param.x = 0.1 + 0.2
|   |           ^^^
|   = help: a value with a point stands alone in a declaration (param.x = 0.3), or inside a formula's text
| error[E0302]: Lua would make `0.2` a binary number
|  --> t.lua:1:17
|   |
| 1 | param.x = 0.1 + 0.2
|   |                 ^^^
|   = help: a value with a point stands alone in a declaration (param.x = 0.3), or inside a formula's text

=== division
param.x = 1/24
| error[E0302]: Lua computes `/` in binary
|  --> t.lua:1:12
|   |
| 1 | param.x = 1/24
|   |            ^
|   = help: compute in a formula: there it is exact

=== power
local n = 2^10
| error[E0302]: Lua computes `^` in binary
|  --> t.lua:1:12
|   |
| 1 | local n = 2^10
|   |            ^
|   = help: compute in a formula: there it is exact

=== a whole number of 2^63
local n = 9223372036854775808
| error[E0302]: `9223372036854775808` is too large for a whole number of Lua
|  --> t.lua:1:11
|   |
| 1 | local n = 9223372036854775808
|   |           ^^^^^^^^^^^^^^^^^^^
|   = help: a number that large stands alone in a declaration (param.x = …), or inside a formula's text

=== a hexadecimal number that would wrap
local n = 0xffffffffffffffff
| error[E0302]: a hexadecimal number must be whole and below 2^63
|  --> t.lua:1:11
|   |
| 1 | local n = 0xffffffffffffffff
|   |           ^^^^^^^^^^^^^^^^^^

=== whole numbers that overflow
local n = 9223372036854775807 + 1
| error[E0305]: 9223372036854775807 + 1 is too large for a whole number of Lua
|  --> t.lua:1:1
|   |
| 1 | local n = 9223372036854775807 + 1
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== a number with underscores
param.cap = 10_000
| error[E0301]: `10_000` is not a number of Lua
|  --> t.lua:1:13
|   |
| 1 | param.cap = 10_000
|   |             ^^^^^^
|   = help: a number with `_` between its digits is written as text: "10_000"

=== a percentage
param.cap = 25%
param.other = 3
| error[E0301]: a percentage is not a number of Lua
|  --> t.lua:1:15
|   |
| 1 | param.cap = 25%
|   |               ^
|   = help: write it as text: "25%"

=== a parameter that is computed
param.x = 3 * 4
| error[E0309]: a parameter is one number or one text, written out
|  --> t.lua:1:11
|   |
| 1 | param.x = 3 * 4
|   |           ^^^^^
|   = help: compute in a formula that names the parameter

=== more than 18 decimals
param.x = 0.1234567890123456789
| error[E0102]: `0.1234567890123456789` has more than 18 decimals
|  --> t.lua:1:11
|   |
| 1 | param.x = 0.1234567890123456789
|   |           ^^^^^^^^^^^^^^^^^^^^^

=== out of range
param.x = 1e30
| error[E0103]: `1e30` is out of range
|  --> t.lua:1:11
|   |
| 1 | param.x = 1e30
|   |           ^^^^

=== outside its own range
param.x = { 0.5, min = 0, max = "10%" }
| error[E0402]: parameter `x` is 0.5, above its own max of 0.1
|  --> t.lua:1:13
|   |
| 1 | param.x = { 0.5, min = 0, max = "10%" }
|   |             ^^^

=== a misspelt option of a parameter
param.x = { 0.5, mni = 0 }
| error[E0310]: a parameter has no option `mni`
|  --> t.lua:1:18
|   |
| 1 | param.x = { 0.5, mni = 0 }
|   |                  ^^^
|   = help: did you mean `min`?

=== a misspelt function
local s = shet("s", {})
| error[E0304]: unknown name `shet`
|  --> t.lua:1:11
|   |
| 1 | local s = shet("s", {})
|   |           ^^^^
|   = help: did you mean `sheet`?

=== a misspelt local
local account = sheet("account", { "miner" })
acount.x = "1"
| error[E0304]: unknown name `acount`
|  --> t.lua:2:1
|   |
| 2 | acount.x = "1"
|   | ^^^^^^
|   = help: did you mean `account`?

=== a misspelt column, read
local account = sheet("account", { "miner" })
account.smoothed = "1"
account.pay = "2 * " .. account.smoothd
| error[E0304]: `account` has no `smoothd` yet
|  --> t.lua:3:33
|   |
| 3 | account.pay = "2 * " .. account.smoothd
|   |                                 ^^^^^^^
|   = help: did you mean `smoothed`?

=== a misspelt option of a sheet
local account = sheet("account", { "miner" }, { orderd = { "miner" } })
| error[E0310]: a sheet has no option `orderd`
|  --> t.lua:1:49
|   |
| 1 | local account = sheet("account", { "miner" }, { orderd = { "miner" } })
|   |                                                 ^^^^^^
|   = help: did you mean `order`?

=== a second assignment
local account = sheet("account", { "miner" })
account.pay = "1"
account.pay = "2"
| error[E0308]: column `pay` of sheet `account` is declared twice
|  --> t.lua:3:1
|   |
| 3 | account.pay = "2"
|   | ^^^^^^^^^^^
|  ::: t.lua:2:1
|   |
| 2 | account.pay = "1"
|   | ----------- first here

=== a parameter twice
param.x = 1
param.x = 2
| error[E0308]: parameter `x` is declared twice
|  --> t.lua:2:1
|   |
| 2 | param.x = 2
|   | ^^^^^^^
|  ::: t.lua:1:1
|   |
| 1 | param.x = 1
|   | ------- first here

=== a sheet twice
sheet("a", {})
sheet("a", {})
| error[E0308]: sheet `a` is declared twice
|  --> t.lua:2:7
|   |
| 2 | sheet("a", {})
|   |       ^^^
|  ::: t.lua:1:7
|   |
| 1 | sheet("a", {})
|   |       --- first here

=== a column that is a parameter
rulebook { id = "t", version = 1, language = 1 }
param.rate = 1
local s = sheet("s", { "k" })
s.rate = "2"
| error[E0308]: `rate` is a column of `s` and a parameter
|  --> t.lua:4:1
|   |
| 4 | s.rate = "2"
|   | ^^^^^^
|  ::: t.lua:2:1
|   |
| 2 | param.rate = 1
|   | ---------- the parameter

=== several assignments at once
local s = sheet("s", {})
s.a, s.b = "1", "2"
| error[E0303]: one declaration is one assignment
|  --> t.lua:2:1
|   |
| 2 | s.a, s.b = "1", "2"
|   | ^^^^^^^^^^^^^^^^^^^
|   = help: Lua assigns several from right to left, which would turn their order round

=== a global
total = 1
| error[E0304]: `total` is not declared
|  --> t.lua:1:1
|   |
| 1 | total = 1
|   | ^^^^^
|   = help: a variable is declared with `local total`

=== one of ours assigned to
sheet = 1
| error[E0303]: `sheet` cannot be assigned to
|  --> t.lua:1:1
|   |
| 1 | sheet = 1
|   | ^^^^^

=== a declaring function as a value
local s = sheet
| error[E0303]: `sheet` can only be called
|  --> t.lua:1:11
|   |
| 1 | local s = sheet
|   |           ^^^^^

=== pcall
pcall(function() end)
| error[E0303]: `pcall` is not available in a rule file
|  --> t.lua:1:1
|   |
| 1 | pcall(function() end)
|   | ^^^^^
|   = help: an error ends the loading of the file

=== load
load("x = 1")
| error[E0303]: `load` is not available in a rule file
|  --> t.lua:1:1
|   |
| 1 | load("x = 1")
|   | ^^^^

=== string methods
local t = ("abc"):upper()
| error[E0305]: attempt to index a string value (constant 'abc')
|  --> t.lua:1:1
|   |
| 1 | local t = ("abc"):upper()
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: a text has no methods here: upper(x), sub(x, 1, 3), len(x)

=== metatables
setmetatable({}, {})
| error[E0303]: `setmetatable` is not available in a rule file
|  --> t.lua:1:1
|   |
| 1 | setmetatable({}, {})
|   | ^^^^^^^^^^^^

=== the clock
local now = os.time()
| error[E0303]: `os` is not available in a rule file
|  --> t.lua:1:13
|   |
| 1 | local now = os.time()
|   |             ^^
|   = help: nothing asks the clock: days come from the data and the period asked for

=== a file
require "other"
| error[E0303]: a rule file loads no other file
|  --> t.lua:1:9
|   |
| 1 | require "other"
|   |         ^^^^^^^
|   = help: `require(sheet, title, formula)` states what the data must satisfy

=== print
print("hello")
| error[E0303]: `print` is not available in a rule file
|  --> t.lua:1:1
|   |
| 1 | print("hello")
|   | ^^^^^
|   = help: a rule file prints nothing; `krules explain` shows where a value comes from

=== the environment
local e = _ENV
| error[E0303]: `_ENV` is not available in a rule file
|  --> t.lua:1:11
|   |
| 1 | local e = _ENV
|   |           ^^^^

=== reserved names
local _KRx = 1
| error[E0303]: names that begin with `_KR` are reserved
|  --> t.lua:1:7
|   |
| 1 | local _KRx = 1
|   |       ^^^^

=== an endless loop
local i = 0
while true do i = i + 1 end
| error[E0306]: the rule file used up its budget of 20000000 steps here
|  --> t.lua:2:1
|   |
| 2 | while true do i = i + 1 end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: is this inside a loop that does not end?

=== an endless recursion
local function f(n) return 1 + f(n + 1) end
f(1)
| error[E0305]: stack overflow
|  --> t.lua:1:1
|   |
| 1 | local function f(n) return 1 + f(n + 1) end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: does a function call itself without end?

=== a memory bomb
local t = {}
for i = 1, 10000000 do t[i] = { i } end
| error[E0307]: the rule file used up its 64 MB of memory here
|  --> t.lua:2:1
|   |
| 2 | for i = 1, 10000000 do t[i] = { i } end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: is there a loop that makes longer and longer text or lists?

=== a text that grows
local s = "x"
while true do s = s .. s end
| error[E0307]: the rule file used up its 64 MB of memory here
|  --> t.lua:2:1
|   |
| 2 | while true do s = s .. s end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: is there a loop that makes longer and longer text or lists?

=== a text that is repeated
local s = rep("x", 1000000000)
| error[E0305]: rep: a text of 1000000000 times 1 bytes is too long
|  --> t.lua:1:1
|   |
| 1 | local s = rep("x", 1000000000)
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== a reference in a condition
param.on = true
if param.on then param.x = 1 end
| error[E0305]: a reference is no condition: it has its value in formulas, with IF
|  --> t.lua:2:1
|   |
| 2 | if param.on then param.x = 1 end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== a reference compared
param.n = 3
if param.n == 3 then param.x = 1 end
| error[E0305]: a reference has no value while the file is read: compare in a formula
|  --> t.lua:2:1
|   |
| 2 | if param.n == 3 then param.x = 1 end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== a decimal compared
local cuts = { 1, 2 }
cuts.x = 0.5
if cuts.x < 1 then param.x = 1 end
| error[E0305]: a number and a number have no order: here only two whole numbers or two texts do; compare the rest in a formula
|  --> t.lua:3:1
|   |
| 3 | if cuts.x < 1 then param.x = 1 end
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== not of a reference
param.on = true
local off = not param.on
| error[E0305]: a reference is no condition: it has its value in formulas, with IF
|  --> t.lua:2:1
|   |
| 2 | local off = not param.on
|   | ^^^^^^^^^^^^^^^^^^^^^^^^

=== Lua computing with a reference
param.n = 3
local m = param.n * 2
| error[E0305]: Lua computes here with whole numbers only, not with a reference: compute in a formula
|  --> t.lua:2:1
|   |
| 2 | local m = param.n * 2
|   | ^^^^^^^^^^^^^^^^^^^^^

=== a table in a text
local s = "a" .. {}
| error[E0305]: attempt to concatenate a table value
|  --> t.lua:1:1
|   |
| 1 | local s = "a" .. {}
|   | ^^^^^^^^^^^^^^^^^^^

=== tostring of a table
local s = tostring({})
| error[E0305]: tostring: argument 1 is a text, not a table
|  --> t.lua:1:1
|   |
| 1 | local s = tostring({})
|   | ^^^^^^^^^^^^^^^^^^^^^^

=== a syntax error
local x = = 3
| error[E0301]: unexpected `=`
|  --> t.lua:1:11
|   |
| 1 | local x = = 3
|   |           ^

=== a call that is not closed
local s = sheet("s", { "k" }
s.x = "1"
| error[E0301]: expected `)` to close `(`, found `s`
|  --> t.lua:2:1
|   |
| 2 | s.x = "1"
|   | ^
|  ::: t.lua:1:16
|   |
| 1 | local s = sheet("s", { "k" }
|   |                - opened here

=== a function that is not ended
local function f()
  return 1
| error[E0301]: expected `end` to close `function`, found the end of the file
|  --> t.lua:2:11
|   |
| 2 |   return 1
|   |           ^
|  ::: t.lua:1:7
|   |
| 1 | local function f()
|   |       -------- opened here

=== a text that is not closed
param.x = "abc
| error[E0301]: this text is not closed on its line
|  --> t.lua:1:11
|   |
| 1 | param.x = "abc
|   |           ^
|   = help: a formula of several lines stands in `[[ … ]]`

=== a long text that is not closed
param.x = [[abc
def
| error[E0301]: this long text is not closed
|  --> t.lua:1:11
|   |
| 1 | param.x = [[abc
|   |           ^^

=== straight quotes
param.x = “abc”
| error[E0301]: unexpected character `“`
|  --> t.lua:1:11
|   |
| 1 | param.x = “abc”
|   |           ^
|   = help: use straight quotes: " or '

=== not equal
if 1 != 2 then end
| error[E0301]: unexpected character `!`
|  --> t.lua:1:6
|   |
| 1 | if 1 != 2 then end
|   |      ^
|   = help: Lua writes "not equal" `~=`

=== an unknown attribute
local x <close> = 1
| error[E0301]: a local may be `<const>`, not `<close>`
|  --> t.lua:1:10
|   |
| 1 | local x <close> = 1
|   |          ^^^^^

=== an error inside a formula
rulebook { id = "t", version = 1, language = 1 }
local s = sheet("s", { "k" })
s.x = "1 + "
| error[E0204]: a value is missing after `+`, where the formula ends
|  --> t.lua:3:10
|   |
| 3 | s.x = "1 + "
|   |          ^

=== an error inside a formula of several lines
rulebook { id = "t", version = 1, language = 1 }
local s = sheet("s", { "k" })
s.x = [[
  IF(a,
     b c) ]]
| error[E0205]: an operator is missing before `c`
|  --> t.lua:5:8
|   |
| 5 |      b c) ]]
|   |        ^
|   = help: write an operator, such as `*`, or a comma before the next argument

=== an error inside a formula after escapes
rulebook { id = "t", version = 1, language = 1 }
local s = sheet("s", { "k" })
s.x = "a & \"q\" & \z
       b c"
| error[E0205]: an operator is missing before `c`
|  --> t.lua:4:10
|   |
| 4 |        b c"
|   |          ^
|   = help: write an operator, such as `*`, between the two

=== an error inside joined text
rulebook { id = "t", version = 1, language = 1 }
local s = sheet("s", { "k" })
s.x = "a + " ..
      "b c"
| error[E0205]: an operator is missing before `c`
|  --> t.lua:4:10
|   |
| 4 |       "b c"
|   |          ^
|   = help: write an operator, such as `*`, between the two

=== an error inside a formula made by a macro
rulebook { id = "t", version = 1, language = 1 }
local s = sheet("s", { "k" })
local function twice(x) return x .. " " .. x end
s.x = twice("a")
| error[E0205]: an operator is missing before `a`
|  --> t.lua:4:7
|   |
| 4 | s.x = twice("a")
|   |       ---------- makes the formula
|  ::: formula:1:3
|   |
| 1 | a a
|   |   ^
|   = help: write an operator, such as `*`, between the two

=== a column of another kind
local s = sheet("s", { "k" })
s.x = function() end
| error[E0309]: column `x` is a formula or a type, not a function
|  --> t.lua:2:7
|   |
| 2 | s.x = function() end
|   |       ^^^^^^^^^^^^^^
|   = help: a type (number, text, …) says that the data has it, a text computes it

=== a column of nothing
local s = sheet("s", { "k" })
s.x = nil
| error[E0309]: `x` is declared as nothing (nil)
|  --> t.lua:2:7
|   |
| 2 | s.x = nil
|   |       ^^^

=== a name that formulas cannot say
local s = sheet("s", { "k" })
s["a b"] = "1"
| error[E0309]: `a b` is not a name that a formula can say
|  --> t.lua:2:1
|   |
| 2 | s["a b"] = "1"
|   | ^^^^^^^^
|   = help: a name is letters, digits and `_`, and begins with no digit

=== a reserved word
local s = sheet("s", { "k" })
s.WHERE = "1"
| error[E0309]: `WHERE` is a word of the formula language, not a name
|  --> t.lua:2:1
|   |
| 2 | s.WHERE = "1"
|   | ^^^^^^^

=== a unit that is none
--- The price. [USD per coin]
param.price = 1
| error[E0311]: `USD per coin` is not a unit
|  --> t.lua:1:16
|   |
| 1 | --- The price. [USD per coin]
|   |                ^^^^^^^^^^^^^^
|   = help: a unit is a product of names with whole powers: [USD], [alpha/day], [1/day^2], [1]

=== a bare word in cross
local s = sheet("s", { "miner", "day" }, { rows = cross("miner", "day") })
| error[E0309]: `miner` names no set of values
|  --> t.lua:1:57
|   |
| 1 | local s = sheet("s", { "miner", "day" }, { rows = cross("miner", "day") })
|   |                                                         ^^^^^^^
|   = help: a column is written "sheet.column", the rulebook's days "day"

=== a type of row set
local s = sheet("s", { "day" }, { rows = cross(day) })
| error[E0309]: `day` is a type here
|  --> t.lua:1:48
|   |
| 1 | local s = sheet("s", { "day" }, { rows = cross(day) })
|   |                                                ^^^
|   = help: the days of the rulebook are written "day"

=== union of unequal parts
local s = sheet("s", { "a" }, { rows = union { distinct("t", { "a" }), distinct("t", { "b" }) } })
| error[E0309]: this part gives `b`, which the first part of the `union` has not
|  --> t.lua:1:72
|   |
| 1 | local s = sheet("s", { "a" }, { rows = union { distinct("t", { "a" }), distinct("t", { "b" }) } })
|   |                                                                        ^^^^^^^^^^^^^^^^^^^^^^

=== no header
param.x = 1
| error[E0315]: the file declares no rulebook
|  --> t.lua:1:1
|   |
| 1 | param.x = 1
|   | ^
|   = help: begin with rulebook { id = "book/name", version = 1, language = 1, title = "…" }

=== another language
rulebook { id = "t", version = 1, language = 2 }
| error[E0315]: language 2 is not known
|  --> t.lua:1:46
|   |
| 1 | rulebook { id = "t", version = 1, language = 2 }
|   |                                              ^
|   = help: this program knows language 1

=== a misspelt field of the header
rulebook { id = "t", versoin = 1, language = 1 }
| error[E0310]: `rulebook` has no option `versoin`
|  --> t.lua:1:22
|   |
| 1 | rulebook { id = "t", versoin = 1, language = 1 }
|   |                      ^^^^^^^
|   = help: did you mean `version`?

=== the header twice
rulebook { id = "t", version = 1, language = 1 }
rulebook { id = "t", version = 1, language = 1 }
| error[E0308]: the header is declared twice
|  --> t.lua:2:1
|   |
| 2 | rulebook { id = "t", version = 1, language = 1 }
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
|  ::: t.lua:1:1
|   |
| 1 | rulebook { id = "t", version = 1, language = 1 }
|   | ------------------------------------------------ first here

=== an output that is no sheet
output { 3 }
| error[E0309]: an output is a sheet, not a number
|  --> t.lua:1:10
|   |
| 1 | output { 3 }
|   |          ^

=== an output that is unknown
output("acount")
| error[E0304]: there is no sheet `acount`
|  --> t.lua:1:8
|   |
| 1 | output("acount")
|   |        ^^^^^^^^

=== an output twice
local s = sheet("s", { "k" })
output { s, s }
| error[E0308]: sheet `s` is an output already
|  --> t.lua:2:13
|   |
| 2 | output { s, s }
|   |             ^

=== an error of the file's own
error("this file is not finished")
| error[E0305]: this file is not finished
|  --> t.lua:1:1
|   |
| 1 | error("this file is not finished")
|   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

=== fn: a function from elsewhere
local function f(x) return x end
fn.f = f
| error[E0309]: `fn.f` is a function, written out here
|  --> t.lua:2:8
|   |
| 2 | fn.f = f
|   |        ^
|   = help: fn.f = function(x) … end

=== fn: a variable from outside
local limit = 5
fn.f = function(x) return x + limit end
| error[E0312]: `limit` belongs to the file, not to this function
|  --> t.lua:2:31
|   |
| 2 | fn.f = function(x) return x + limit end
|   |                               ^^^^^
|  ::: t.lua:1:7
|   |
| 1 | local limit = 5
|   |       ----- declared here
|   = help: give it as an argument, or make it a parameter

=== fn: unknown name
param.rate = 2
fn.f = function(x) return x * rate end
| error[E0312]: unknown name `rate`
|  --> t.lua:2:31
|   |
| 2 | fn.f = function(x) return x * rate end
|   |                               ^^^^
|   = help: did you mean `param.rate`?

=== fn: a table
fn.f = function(x) local t = {} return x end
| error[E0312]: there are no tables in a function of rows
|  --> t.lua:1:30
|   |
| 1 | fn.f = function(x) local t = {} return x end
|   |                              ^^
|   = help: a fold's state may hold lists and maps

=== fn: a function within
fn.f = function(x) local function g() return 1 end return g() end
| error[E0312]: there are no functions within a function of rows
|  --> t.lua:1:20
|   |
| 1 | fn.f = function(x) local function g() return 1 end return g() end
|   |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
|   = help: write fn.name = function … end at the level of the file
| error[E0312]: only functions of rows and primitives can be called here
|  --> t.lua:1:59
|   |
| 1 | fn.f = function(x) local function g() return 1 end return g() end
|   |                                                           ^^^
|   = help: a local function is written fn.name = function … end at the level of the file

=== fn: goto
fn.f = function(x) goto done ::done:: return x end
| error[E0312]: `goto` is not available in a function of rows
|  --> t.lua:1:20
|   |
| 1 | fn.f = function(x) goto done ::done:: return x end
|   |                    ^^^^^^^^^

=== fn: a call without effect
fn.f = function(x) ABS(x) return x end
| error[E0312]: this call has no effect
|  --> t.lua:1:20
|   |
| 1 | fn.f = function(x) ABS(x) return x end
|   |                    ^^^^^^

=== fn: break outside a loop
fn.f = function(x) break end
| error[E0312]: `break` outside a loop
|  --> t.lua:1:20
|   |
| 1 | fn.f = function(x) break end
|   |                    ^^^^^

=== fn: more than 18 decimals
fn.f = function(x) return x + 0.1234567890123456789 end
| error[E0102]: `0.1234567890123456789` has more than 18 decimals
|  --> t.lua:1:31
|   |
| 1 | fn.f = function(x) return x + 0.1234567890123456789 end
|   |                               ^^^^^^^^^^^^^^^^^^^^^

=== fn: the name of a primitive
fn.abs = function(x) return x end
| error[E0308]: the function `abs` has the name of the function ABS
|  --> t.lua:1:1
|   |
| 1 | fn.abs = function(x) return x end
|   | ^^^^^^

=== fold: an unknown state
sheet("e", {})
local s = sheet("s", { "k" }, { rows = fold { over = "e", state = { count = 0 },
  step = function(state, row, emit) state.cuont = 1 end } })
| error[E0312]: the fold has no state `cuont`
|  --> t.lua:3:37
|   |
| 3 |   step = function(state, row, emit) state.cuont = 1 end } })
|   |                                     ^^^^^^^^^^^
|   = help: did you mean `count`?

=== fold: remove from no list
sheet("e", {})
local s = sheet("s", { "k" }, { rows = fold { over = "e", state = { count = 0 },
  step = function(state, row, emit) remove(state.count) end } })
| error[E0312]: `remove` takes a list of the fold's state
|  --> t.lua:3:37
|   |
| 3 |   step = function(state, row, emit) remove(state.count) end } })
|   |                                     ^^^^^^^^^^^^^^^^^^^
|   = help: remove(state.queue) takes the last, remove(state.queue, 1) the first

=== a parameter that only looks like a number
param.x = "10 %"
| error[E0309]: `10 %` is not a number
|  --> t.lua:1:11
|   |
| 1 | param.x = "10 %"
|   |           ^^^^^^
|   = help: numbers are written plain, as 0.5, 25% or 10_000; for a text say type = text

=== a text within a text
check(sheet, "title", "name = "ann"")
| error[E0301]: expected `)` to close `(`, found `ann`
|  --> t.lua:1:32
|   |
| 1 | check(sheet, "title", "name = "ann"")
|   |                                ^^^
|   |      - opened here
|   = help: the text ended before it: a text within a text is written '…' inside "…"
