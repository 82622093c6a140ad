# Formulas and their canonical print (`formula => print`), or the whole message of what is wrong.
# `build/tests/test_parse --reset` rewrites the right sides; read the difference before committing.

# ---- values
1 => 1
10_000 => 10000
0.30 => 0.3
1e-6 => 0.000001
25% => 0.25
0.5 % => 0.005
(5)% => 0.05
.5 => 0.5
x% => x%
(x + 1)% => (x + 1)%
170141183460469231731.687303715884105727 => 170141183460469231731.687303715884105727
'it''s' => 'it''s'
"say ""so""" => 'say "so"'
"it's" => 'it''s'
true => TRUE
False => FALSE
credit_smoothing => credit_smoothing
fill.px => fill.px
= a => a
{1, 2,3} => {1, 2, 3}
{} => {}
{'a', x + 1} => {'a', x + 1}

# ---- precedence
1+2*3 => 1 + 2 * 3
(1+2)*3 => (1 + 2) * 3
1-2-3 => 1 - 2 - 3
1-(2-3) => 1 - (2 - 3)
a/b/c => a / b / c
a/(b*c) => a / (b * c)
-2^2 => -2 ^ 2
-(2^2) => -(2 ^ 2)
2^-3 => 2 ^ -3
2^3^2 => 2 ^ 3 ^ 2
2^(3^2) => 2 ^ (3 ^ 2)
- -x => --x
-+x => -+x
-x% => -x%
(-x)% => (-x)%
-(a+b) => -(a + b)
a&b&c => a & b & c
a & (b & c) => a & (b & c)
a + b & c => a + b & c
a & b = c => a & b = c
(a = b) = c => (a = b) = c
a <> b => a <> b
a<=b => a <= b
a>=b => a >= b
NOT(a) = b => NOT(a) = b
a = (b < c) => a = (b < c)
((((a)))) => a
by * where => by * where

# ---- calls
RUNCOUNT() => RUNCOUNT()
sum(fill.fee WHERE fill.counted) => sum(fill.fee WHERE fill.counted)
SUM(fill.fee where fill.counted by miner, day) => SUM(fill.fee WHERE fill.counted BY miner, day)
SUM(x.y BY ()) => SUM(x.y BY ())
SUM(x.y WHERE AND(x.a, x.b = c) BY k) => SUM(x.y WHERE AND(x.a, x.b = c) BY k)
STDEV.S(LAST(ret, n)) => STDEV.S(LAST(ret, n))
norm.s.dist (1) => norm.s.dist(1)
RANK(score DESC, time asc, id BY day) => RANK(score DESC, time ASC, id BY day)
COMPONENT(address, by, EDGES(identity.address, identity.coldkey, identity.linked_at WHERE identity.ok), EDGES(transfer.sender, transfer.receiver) BY ()) => COMPONENT(address, by, EDGES(identity.address, identity.coldkey, identity.linked_at WHERE identity.ok), EDGES(transfer.sender, transfer.receiver) BY ())
IF(ISBLANK(gpr30), clean, CLIP((gpr30 - gpr_floor) / gpr_span, 0, 1)) * IF(x >= 2, 0.5, 1) => IF(ISBLANK(gpr30), clean, CLIP((gpr30 - gpr_floor) / gpr_span, 0, 1)) * IF(x >= 2, 0.5, 1)
(1 - credit_smoothing) * IF(reset, 0, PREV(smoothed, 0)) + credit_smoothing * credit => (1 - credit_smoothing) * IF(reset, 0, PREV(smoothed, 0)) + credit_smoothing * credit

# ---- signs that are none of ours
a ? b : c
| error[E0206]: `?` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a ? b : c
|   |   ^
|   = help: a choice is IF(condition, then, else)
a == b
| error[E0206]: `==` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a == b
|   |   ^^
|   = help: equality is written `=`
a != b
| error[E0206]: `!=` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a != b
|   |   ^^
|   = help: write `<>`
a ~= b
| error[E0206]: `~=` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a ~= b
|   |   ^^
|   = help: write `<>`
a=>b
| error[E0206]: `=>` is not an operator of formulas
|  --> formula:1:2
|   |
| 1 | a=>b
|   |  ^^
|   = help: write `>=`
a =< b
| error[E0206]: `=<` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a =< b
|   |   ^^
|   = help: write `<=`
a && b
| error[E0206]: `&&` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a && b
|   |   ^^
|   = help: write AND(a, b)
a || b
| error[E0206]: `||` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a || b
|   |   ^^
|   = help: write OR(a, b); text is joined with `&`
!a
| error[E0206]: `!` is not an operator of formulas
|  --> formula:1:1
|   |
| 1 | !a
|   | ^
|   = help: not is NOT(condition), unequal is `<>`, a column of another sheet is sheet.column
a ** 2
| error[E0206]: `**` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a ** 2
|   |   ^^
|   = help: write `^`
a // b
| error[E0206]: `//` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a // b
|   |   ^^
|   = help: the whole part of a quotient is INT(a / b) or TRUNC(a / b)
a .. b
| error[E0206]: `..` is not an operator of formulas
|  --> formula:1:3
|   |
| 1 | a .. b
|   |   ^^
|   = help: text is joined with `&`
SUM(a; b)
| error[E0206]: `;` does not belong in a formula
|  --> formula:1:6
|   |
| 1 | SUM(a; b)
|   |      ^
|   = help: arguments are separated by a comma: write `,`
fill[px]
| error[E0206]: `[` does not belong in a formula
|  --> formula:1:5
|   |
| 1 | fill[px]
|   |     ^
|   = help: a column of another sheet is sheet.column; a list is {1, 2, 3}
A1:B2
| error[E0206]: `:` does not belong in a formula
|  --> formula:1:3
|   |
| 1 | A1:B2
|   |   ^
|   = help: a range of rows is an aggregate, such as SUM(sheet.column WHERE condition BY key)
$A$1
| error[E0206]: `$` does not belong in a formula
|  --> formula:1:1
|   |
| 1 | $A$1
|   | ^
|   = help: columns and parameters are written by their names alone
#REF!
| error[E0206]: `#` does not belong in a formula
|  --> formula:1:1
|   |
| 1 | #REF!
|   | ^
|   = help: errors come from computing; NA() gives #N/A
`a`
| error[E0201]: a backtick does not belong in a formula
|  --> formula:1:1
|   |
| 1 | `a`
|   | ^
|   = help: text stands in 'single' or "double" quotes
a \ b
| error[E0201]: `\` is not a sign of a formula
|  --> formula:1:3
|   |
| 1 | a \ b
|   |   ^
“a”
| error[E0201]: `“` is a typographic quote
|  --> formula:1:1
|   |
| 1 | “a”
|   | ^
|   = help: write " or '
‘a’
| error[E0201]: `‘` is a typographic quote
|  --> formula:1:1
|   |
| 1 | ‘a’
|   | ^
|   = help: write '
a − b
| error[E0201]: `−` is a typographic minus
|  --> formula:1:3
|   |
| 1 | a − b
|   |   ^
|   = help: write -
a × b
| error[E0201]: `×` is a multiplication sign
|  --> formula:1:3
|   |
| 1 | a × b
|   |   ^
|   = help: write *
a ÷ b
| error[E0201]: `÷` is a division sign
|  --> formula:1:3
|   |
| 1 | a ÷ b
|   |   ^
|   = help: write /
a ≤ b
| error[E0201]: `≤` is not a sign of a formula
|  --> formula:1:3
|   |
| 1 | a ≤ b
|   |   ^
|   = help: write <=
a ≠ b
| error[E0201]: `≠` is not a sign of a formula
|  --> formula:1:3
|   |
| 1 | a ≠ b
|   |   ^
|   = help: write <>
Φ * 2
| error[E0201]: `Φ` is not a sign of a formula
|  --> formula:1:1
|   |
| 1 | Φ * 2
|   | ^
|   = help: names are of the letters a-z and A-Z, digits and `_`; other text stands in quotes
粉 + 1
| error[E0201]: `粉` is not a sign of a formula
|  --> formula:1:1
|   |
| 1 | 粉 + 1
|   | ^^
|   = help: names are of the letters a-z and A-Z, digits and `_`; other text stands in quotes
a + b
| error[E0201]: here stands a no-break space (U+00A0)
|  --> formula:1:2
|   |
| 1 | a + b
|   |  ^
|   = help: replace it by a plain space
x +​ 1
| error[E0201]: here stands an invisible space (U+200B)
|  --> formula:1:4
|   |
| 1 | x +​ 1
|   |    ^
|   = help: remove it
a	+	Φ
| error[E0201]: `Φ` is not a sign of a formula
|  --> formula:1:5
|   |
| 1 | a   +   Φ
|   |         ^
|   = help: names are of the letters a-z and A-Z, digits and `_`; other text stands in quotes
'漢字' + Φ
| error[E0201]: `Φ` is not a sign of a formula
|  --> formula:1:8
|   |
| 1 | '漢字' + Φ
|   |          ^
|   = help: names are of the letters a-z and A-Z, digits and `_`; other text stands in quotes

# ---- numerals
3x
| error[E0101]: `3x` is not a number
|  --> formula:1:1
|   |
| 1 | 3x
|   | ^^
|   = help: a name begins with a letter; a product is written `3 * x`
2.5.1
| error[E0101]: `2.5.1` is not a number
|  --> formula:1:1
|   |
| 1 | 2.5.1
|   | ^^^^^
|   = help: write digits, with `_` between them if you like, one point, and an exponent such as `e-6`
1__000
| error[E0101]: `1__000` is not a number
|  --> formula:1:1
|   |
| 1 | 1__000
|   | ^^^^^^
|   = help: write digits, with `_` between them if you like, one point, and an exponent such as `e-6`
5_
| error[E0101]: `5_` is not a number
|  --> formula:1:1
|   |
| 1 | 5_
|   | ^^
|   = help: write digits, with `_` between them if you like, one point, and an exponent such as `e-6`
1e
| error[E0101]: `1e` is not a number
|  --> formula:1:1
|   |
| 1 | 1e
|   | ^^
|   = help: a name begins with a letter; a product is written `1 * e`
0x10
| error[E0101]: `0x10` is not a number
|  --> formula:1:1
|   |
| 1 | 0x10
|   | ^^^^
|   = help: a name begins with a letter; a product is written `0 * x10`
0.1234567890123456789
| error[E0102]: `0.1234567890123456789` has more than 18 decimals
|  --> formula:1:1
|   |
| 1 | 0.1234567890123456789
|   | ^^^^^^^^^^^^^^^^^^^^^
|   = help: round it to 18 decimals, the finest a number can be
1e-19
| error[E0102]: `1e-19` has more than 18 decimals
|  --> formula:1:1
|   |
| 1 | 1e-19
|   | ^^^^^
|   = help: round it to 18 decimals, the finest a number can be
0.00000000000000001%
| error[E0102]: `0.00000000000000001%` has more than 18 decimals
|  --> formula:1:1
|   |
| 1 | 0.00000000000000001%
|   | ^^^^^^^^^^^^^^^^^^^^
|   = help: round it to 18 decimals, the finest a number can be
999999999999999999999
| error[E0103]: `999999999999999999999` is out of range
|  --> formula:1:1
|   |
| 1 | 999999999999999999999
|   | ^^^^^^^^^^^^^^^^^^^^^
|   = help: numbers reach to about 1.7e20 on both sides of zero
1,5
| error[E0205]: a comma stands outside the brackets of a function
|  --> formula:1:2
|   |
| 1 | 1,5
|   |  ^
|   = help: a decimal point is written `0.5`, thousands are set off as in `10_000`
10,000.50
| error[E0205]: a comma stands outside the brackets of a function
|  --> formula:1:3
|   |
| 1 | 10,000.50
|   |   ^
|   = help: a decimal point is written `0.5`, thousands are set off as in `10_000`

# ---- brackets and quotes
(a + b
| error[E0202]: this bracket is not closed
|  --> formula:1:1
|   |
| 1 | (a + b
|   | ^
|   = help: add `)`
SUM(fill.fee
| error[E0202]: this bracket is not closed
|  --> formula:1:4
|   |
| 1 | SUM(fill.fee
|   |    ^
|   = help: add `)`
SUM(fill.fee WHERE fill.a
| error[E0202]: this bracket is not closed
|  --> formula:1:4
|   |
| 1 | SUM(fill.fee WHERE fill.a
|   |    ^
|   = help: add `)`
{1, 2
| error[E0202]: this bracket is not closed
|  --> formula:1:1
|   |
| 1 | {1, 2
|   | ^
|   = help: add `}`
a + b)
| error[E0202]: `)` closes a bracket that was never opened
|  --> formula:1:6
|   |
| 1 | a + b)
|   |      ^
|   = help: remove it, or open the bracket before
{1, 2)
| error[E0202]: `)` closes another bracket than was opened
|  --> formula:1:6
|   |
| 1 | {1, 2)
|   |      ^
|   | - opened here
|   = help: write `}`
(1, 2)
| error[E0205]: a comma stands outside the brackets of a function
|  --> formula:1:3
|   |
| 1 | (1, 2)
|   |   ^
|   = help: a comma separates the arguments of a function or the members of a list {1, 2, 3}
'open
| error[E0202]: the text that begins here has no end
|  --> formula:1:1
|   |
| 1 | 'open
|   | ^^^^^
|   = help: end the text with '; a ' inside it is written twice
"open
| error[E0202]: the text that begins here has no end
|  --> formula:1:1
|   |
| 1 | "open
|   | ^^^^^
|   = help: end the text with "; a " inside it is written twice
SUM('a" BY day)
| error[E0202]: the text that begins here has no end
|  --> formula:1:5
|   |
| 1 | SUM('a" BY day)
|   |     ^^^^^^^^^^^
|   = help: end the text with '; a ' inside it is written twice

# ---- missing values

=
| error[E0203]: the formula is empty
|  --> formula:1:1
|   |
| 1 | =
|   | ^
|   = help: write a value, a name or a function, such as `price * amount`
a +
| error[E0204]: a value is missing after `+`, where the formula ends
|  --> formula:1:3
|   |
| 1 | a +
|   |   ^
* a
| error[E0204]: a value is missing before `*`
|  --> formula:1:1
|   |
| 1 | * a
|   | ^
a + * b
| error[E0204]: a value is missing between `+` and `*`
|  --> formula:1:3
|   |
| 1 | a + * b
|   |   ^^^
IF(a, , b)
| error[E0204]: a value is missing between `,` and `,`
|  --> formula:1:5
|   |
| 1 | IF(a, , b)
|   |     ^^^
IF(, b)
| error[E0204]: a value is missing between `(` and `,`
|  --> formula:1:3
|   |
| 1 | IF(, b)
|   |   ^^
IF(a, b,)
| error[E0204]: a value is missing between `,` and `)`
|  --> formula:1:8
|   |
| 1 | IF(a, b,)
|   |        ^^
{1, , 2}
| error[E0204]: a value is missing between `,` and `,`
|  --> formula:1:3
|   |
| 1 | {1, , 2}
|   |   ^^^
()
| error[E0204]: nothing stands between these brackets
|  --> formula:1:1
|   |
| 1 | ()
|   | ^^
a ^
| error[E0204]: a value is missing after `^`, where the formula ends
|  --> formula:1:3
|   |
| 1 | a ^
|   |   ^
-
| error[E0204]: a value is missing after `-`, where the formula ends
|  --> formula:1:1
|   |
| 1 | -
|   | ^
fill.
| error[E0210]: the name of a column is missing behind `fill.`
|  --> formula:1:1
|   |
| 1 | fill.
|   | ^^^^^
|   = help: a column of another sheet is written sheet.column; names begin with a letter
.px
| error[E0204]: a value is missing before `.`
|  --> formula:1:1
|   |
| 1 | .px
|   | ^
|   = help: a column of another sheet is written sheet.column
fill.1
| error[E0210]: the name of a column is missing behind `fill.`
|  --> formula:1:1
|   |
| 1 | fill.1
|   | ^^^^^
|   = help: a column of another sheet is written sheet.column; names begin with a letter
a.b.c
| error[E0210]: `a.b.c` has more than one point
|  --> formula:1:1
|   |
| 1 | a.b.c
|   | ^^^^^
|   = help: a column of another sheet is written sheet.column
NOT => NOT

# ---- two values side by side
a b
| error[E0205]: an operator is missing before `b`
|  --> formula:1:3
|   |
| 1 | a b
|   |   ^
|   = help: write an operator, such as `*`, between the two
2 (a + b)
| error[E0205]: an operator is missing before `(`
|  --> formula:1:3
|   |
| 1 | 2 (a + b)
|   |   ^
|   = help: write an operator, such as `*`, between the two
(a)(b)
| error[E0205]: an operator is missing before `(`
|  --> formula:1:4
|   |
| 1 | (a)(b)
|   |    ^
|   = help: write an operator, such as `*`, between the two
IF(a b, c)
| error[E0205]: an operator is missing before `b`
|  --> formula:1:6
|   |
| 1 | IF(a b, c)
|   |      ^
|   = help: write an operator, such as `*`, or a comma before the next argument
not a
| error[E0205]: an operator is missing before `a`
|  --> formula:1:5
|   |
| 1 | not a
|   |     ^
|   = help: write NOT(condition)
if a then b else c
| error[E0205]: an operator is missing before `a`
|  --> formula:1:4
|   |
| 1 | if a then b else c
|   |    ^
|   = help: write IF(condition, then, else)
a mod b
| error[E0205]: an operator is missing before `mod`
|  --> formula:1:3
|   |
| 1 | a mod b
|   |   ^^^
|   = help: write MOD(a, b)
7 % 2
| error[E0205]: an operator is missing before `2`
|  --> formula:1:5
|   |
| 1 | 7 % 2
|   |     ^
|   = help: `%` is percent; the remainder of a division is MOD(a, b)
a % b
| error[E0205]: an operator is missing before `b`
|  --> formula:1:5
|   |
| 1 | a % b
|   |     ^
|   = help: `%` is percent; the remainder of a division is MOD(a, b)
side in {'buy', 'sell'}
| error[E0205]: an operator is missing before `in`
|  --> formula:1:6
|   |
| 1 | side in {'buy', 'sell'}
|   |      ^^
|   = help: write OR(x = 'a', x = 'b')
x is y
| error[E0205]: an operator is missing before `is`
|  --> formula:1:3
|   |
| 1 | x is y
|   |   ^^
|   = help: equality is written `=`; for an unknown value write ISBLANK(x)
a "b"
| error[E0205]: an operator is missing before `"b"`
|  --> formula:1:3
|   |
| 1 | a "b"
|   |   ^^^
|   = help: write an operator, such as `*`, between the two

# ---- words
a and b
| error[E0206]: `and` is a function, not an operator
|  --> formula:1:3
|   |
| 1 | a and b
|   |   ^^^
|   = help: write AND(a, b)
a OR b
| error[E0206]: `OR` is a function, not an operator
|  --> formula:1:3
|   |
| 1 | a OR b
|   |   ^^
|   = help: write OR(a, b)
a xor b
| error[E0206]: `xor` is a function, not an operator
|  --> formula:1:3
|   |
| 1 | a xor b
|   |   ^^^
|   = help: write XOR(a, b)
x WHERE y
| error[E0207]: `WHERE` does not belong here
|  --> formula:1:3
|   |
| 1 | x WHERE y
|   |   ^^^^^
|   = help: WHERE stands inside the brackets of an aggregate, behind its arguments: SUM(sheet.column WHERE condition)
SUM(x) WHERE y
| error[E0207]: `WHERE` does not belong here
|  --> formula:1:8
|   |
| 1 | SUM(x) WHERE y
|   |        ^^^^^
|   = help: WHERE stands inside the brackets of an aggregate, behind its arguments: SUM(sheet.column WHERE condition)
SUM((x WHERE y))
| error[E0207]: `WHERE` does not belong here
|  --> formula:1:8
|   |
| 1 | SUM((x WHERE y))
|   |        ^^^^^
|   = help: WHERE stands inside the brackets of an aggregate, behind its arguments: SUM(sheet.column WHERE condition)
SUM(WHERE x)
| error[E0207]: `WHERE` stands where a value is expected
|  --> formula:1:5
|   |
| 1 | SUM(WHERE x)
|   |     ^^^^^
|   = help: WHERE stands inside the brackets of an aggregate, behind its arguments: SUM(sheet.column WHERE condition)
SUM(x.y BY a WHERE x.z)
| error[E0207]: `WHERE` stands behind `BY`
|  --> formula:1:14
|   |
| 1 | SUM(x.y BY a WHERE x.z)
|   |              ^^^^^
|   = help: WHERE comes first: SUM(sheet.column WHERE condition BY key, key)
SUM(x.y WHERE x.a WHERE x.b)
| error[E0207]: a second `WHERE`
|  --> formula:1:19
|   |
| 1 | SUM(x.y WHERE x.a WHERE x.b)
|   |                   ^^^^^
|   = help: write WHERE AND(a, b)
SUM(x.y BY)
| error[E0207]: BY is followed by names of columns
|  --> formula:1:11
|   |
| 1 | SUM(x.y BY)
|   |           ^
|   = help: write BY a, b; `BY ()` is the whole sheet
SUM(x.y BY (a, b))
| error[E0207]: the columns of BY stand without brackets
|  --> formula:1:12
|   |
| 1 | SUM(x.y BY (a, b))
|   |            ^
|   = help: write BY a, b; `BY ()` is the whole sheet
SUM(x.y BY (
| error[E0202]: this bracket is not closed
|  --> formula:1:12
|   |
| 1 | SUM(x.y BY (
|   |            ^
|   = help: add `)`
SUM(x.y BY x.a)
| error[E0207]: BY takes plain names of columns, each standing on both sides
|  --> formula:1:12
|   |
| 1 | SUM(x.y BY x.a)
|   |            ^^^
|   = help: write the column's name without its sheet
SUM(x.y BY a + 1)
| error[E0207]: BY takes plain names of columns, each standing on both sides
|  --> formula:1:12
|   |
| 1 | SUM(x.y BY a + 1)
|   |            ^^^
|   = help: give the value a column of its own and name that
SUM(x.y BY a,)
| error[E0207]: BY is followed by names of columns
|  --> formula:1:14
|   |
| 1 | SUM(x.y BY a,)
|   |              ^
|   = help: write BY a, b; `BY ()` is the whole sheet
BY
| error[E0207]: `BY` stands where a value is expected
|  --> formula:1:1
|   |
| 1 | BY
|   | ^^
|   = help: BY stands inside the brackets of an aggregate, last: SUM(sheet.column WHERE condition BY key, key)
ASC + 1
| error[E0207]: `ASC` stands where a value is expected
|  --> formula:1:1
|   |
| 1 | ASC + 1
|   | ^^^
|   = help: ASC and DESC stand behind an argument of RANK: RANK(x DESC BY day)
x DESC
| error[E0207]: `DESC` does not belong here
|  --> formula:1:3
|   |
| 1 | x DESC
|   |   ^^^^
|   = help: ASC and DESC stand behind an argument of RANK: RANK(x DESC BY day)
fill.WHERE
| error[E0210]: `WHERE` is reserved and cannot name a column
|  --> formula:1:6
|   |
| 1 | fill.WHERE
|   |      ^^^^^
|   = help: names of columns are written in small letters
SUM(x.y BY a b)
| error[E0205]: a comma is missing before `b`
|  --> formula:1:14
|   |
| 1 | SUM(x.y BY a b)
|   |              ^
|   = help: write BY a, b

# ---- chains of comparisons
a < b < c
| error[E0208]: a comparison is followed by another
|  --> formula:1:1
|   |
| 1 | a < b < c
|   | ^^^^^^^
|   = help: write AND(a < b, b < c); to compare two conditions set one in brackets
0 <= x <= 1
| error[E0208]: a comparison is followed by another
|  --> formula:1:1
|   |
| 1 | 0 <= x <= 1
|   | ^^^^^^^^^
|   = help: write AND(a < b, b < c); to compare two conditions set one in brackets
a = b = c
| error[E0208]: a comparison is followed by another
|  --> formula:1:1
|   |
| 1 | a = b = c
|   | ^^^^^^^
|   = help: write AND(a = b, b = c); to compare two conditions set one in brackets
