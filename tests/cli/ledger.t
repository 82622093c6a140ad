# the first publication begins the ledger; it may be effective in the past
$ tests/cli/ledger/keys ann bob && mkdir -p $T/b/shop/points $T/p && cp tests/cli/books/shop/points/v1.lua $T/b/shop/points/ && cp tests/cli/books/shop/points/v2.lua $T/p/

$ krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --now 2024-02-01T10:00 --why 'in force since January'
published shop/points v1, in force from 2024-01-01: the first entry of its ledger

# the next version: refused when it is not the next, of an unknown signer, late, before an earlier one, in the past
$ sed 's/version = 2/version = 3/' $T/p/v2.lua > $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00
error[E0724]: this is version 3, but the next one of `shop/points` is 2
  --> $T/p/v3.lua
exit 5

$ sed 's/2024-01-03/2024-02-20/' tests/cli/books/shop/points/v2.lua > $T/p/v2.lua; krules publish $T/p/v2.lua --rules $T/b --key $T/bob.pem --now 2024-02-02T10:00
error[E0722]: the key e8db569f4a1d11d8… is none of those that may sign
  --> $T/p/v2.lua
   = help: these may sign: `owner`
exit 5

$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-02-14T00:00
error[E0725]: version 2 would take effect on 2024-02-20, 6 days after 2024-02-14, but version 1 demands 7 days of notice
  --> $T/p/v2.lua
   = help: the earliest effective_from is 2024-02-21
exit 5

$ sed 's/2024-01-03/2023-12-30/' tests/cli/books/shop/points/v2.lua > $T/p/early.lua; krules publish $T/p/early.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00
error[E0726]: version 2 would take effect on 2023-12-30, not after version 1 (2024-01-01)
  --> $T/p/early.lua
   = help: effective days only move forward
exit 5

$ sed 's/2024-01-03/2024-02-02/' tests/cli/books/shop/points/v2.lua > $T/p/today.lua; krules publish $T/p/today.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00
error[E0727]: version 2 would take effect on 2024-02-02, which has begun: today is 2024-02-02
  --> $T/p/today.lua
   = help: a version never reaches back: give it a later effective_from
exit 5

$ sed '/effective_from/d' tests/cli/books/shop/points/v2.lua > $T/p/never.lua; krules publish $T/p/never.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00
error[E0703]: version 2 does not say when it takes effect
 --> $T/p/never.lua:1:1
  |
1 | rulebook {
  | ^^^^^^^^^^
  = help: add effective_from = "YYYY-MM-DD"
exit 3

# the clock cannot go back before the last entry
$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-01-31T10:00
error[E0727]: the clock is behind the ledger, whose last entry was made at 2024-02-01T10:00:00.000Z
  --> $T/p/v2.lua
   = help: set the clock, or wait
exit 5

# examples and checks must hold
$ (cat $T/p/v2.lua; echo 'example("three a euro", { sale = { { "customer", "day", "receipt", "amount" }, { "ann", "2024-01-01", 1, 2 } }, expect = { account = { { "customer", "day", "points" }, { "ann", "2024-01-01", 4 } } } })') > $T/p/example.lua; krules publish $T/p/example.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00
error[E0808]: `three a euro`: `account.points` is 6, not 4
  --> $T/p/example.lua:31:134
   |
31 | … t" }, { "ann", "2024-01-01", 1, 2 } }, expect = { account = { { "customer", "day", "points" }, { "ann", "2024-01-01", 4 } } } })
   |                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = note: in the row account[customer=ann, day=2024-01-01, points=4]
error[E0729]: 1 of 1 examples of version 2 do not hold
  --> $T/p/example.lua
2 errors
exit 5

$ sed 's/points <= 500/points <= 50/' $T/p/v2.lua > $T/p/check.lua; krules publish $T/p/check.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00 --data tests/cli/data
error[E0806]: the check `nobody has more than 500 points` does not hold for 2 rows of `account`
  --> $T/p/check.lua:29:1
   |
29 | check(account, "nobody has more than 500 points", "points <= 50")
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = row: account[customer=bob, day=2024-01-03]
   = note: also account[customer=bob, day=2024-01-04]
error[E0729]: checks of version 2 do not hold on the data `tests/cli/data`: 2 rows
  --> $T/p/check.lua
2 errors
exit 5

# nothing was written by what was refused
$ ls $T/b/shop/points && krules log shop/points --rules $T/b --now 2024-02-02
ledger.jsonl
v1.lua
  1  v1   in force   2024-01-01 to …           published 2024-02-01, the first entry by owner
                  why: in force since January

# published, from a file elsewhere
$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-02-02T10:00 --why 'three points a euro' --data tests/cli/data
published shop/points v2, in force from 2024-02-20 (18 days of notice, unproven); entry 2 of its ledger

$ cmp $T/p/v2.lua $T/b/shop/points/v2.lua && krules log shop/points --rules $T/b --now 2024-02-10
  1  v1   in force   2024-01-01 to 2024-02-19  published 2024-02-01, the first entry by owner
                  why: in force since January
  2  v2   coming     2024-02-20 to …           published 2024-02-02, 18 days of notice, unproven by owner
                  why: three points a euro

$ krules log shop/points --rules $T/b --now 2024-02-20 --param rate
v1   from 2024-01-01  ended
     2 [point/EUR]
     why: in force since January
v2   from 2024-02-20  in force
     3 [point/EUR]
     why: three points a euro

$ krules log shop/points --rules $T/b --now 2024-02-20 --formula account.points
v1   from 2024-01-01  ended
     PREV(points, 0) + rate * spent [point]
     why: in force since January

$ krules log shop/points --rules $T/b --now 2024-02-20 --param rte
error[E0804]: no version has this parameter or formula
  --> shop/points
   = help: a parameter is named alone, a formula as sheet.column
exit 2

$ krules log shop/points --rules $T/b --check | sed 's/head .*/head …/'
the ledger holds: 2 entries, head …

# once more is not the next
$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-02-03T10:00
error[E0724]: this is version 2, but the next one of `shop/points` is 3
  --> $T/p/v2.lua
   = note: version 2 is published: a published version never changes
exit 5

# comments, layout and order leave the meaning as it is; the file's digest shows them
$ (head -c -0 $T/p/v2.lua; echo '-- a remark') | sed 's/version = 2/version = 3/; s/02-20/03-20/; s/^param.rate = 3/param.rate   =   3.0/' > $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-02-04T10:00 --quiet; krules log shop/points --rules $T/b --json --now 2024-02-04 | sed 's/.*"version":\([0-9]*\).*"model_sha256":"\(.*\)","sha256".*/\1 \2/' | sort | uniq -c -f 1 | awk '{ print $1, $2 }'
1 1
2 2

# withdrawn while it is not in force, the last first; its number is used up
$ krules withdraw shop/points@2 --rules $T/b --key $T/ann.pem --now 2024-02-05
error[E0732]: version 3 was published on top of version 2
  --> $T/b/shop/points/ledger.jsonl
   = help: withdraw version 3 first
exit 5

$ krules withdraw shop/points@3 --rules $T/b --key $T/bob.pem --now 2024-02-05
error[E0722]: the key e8db569f4a1d11d8… is none of those that may sign
  --> $T/b/shop/points/ledger.jsonl
   = help: these may sign: `owner`
exit 5

$ krules withdraw shop/points@3 --rules $T/b --key $T/ann.pem --now 2024-02-05 --why 'changes nothing' && krules withdraw shop/points@3 --rules $T/b --key $T/ann.pem --now 2024-02-05
withdrew shop/points v3; entry 4 of its ledger
error[E0732]: version 3 is withdrawn already
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules withdraw shop/points@2 --rules $T/b --key $T/ann.pem --now 2024-02-20
error[E0732]: version 2 is in force since 2024-02-20
  --> $T/b/shop/points/ledger.jsonl
   = help: publish a further version: what was in force stays
exit 5

$ krules withdraw shop/points@1 --rules $T/b --key $T/ann.pem --now 2024-02-20
error[E0732]: version 1 is the first entry of the ledger, which names who may sign: it stays
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules withdraw shop/points@7 --rules $T/b --key $T/ann.pem --now 2024-02-20
error[E0732]: version 7 was never published
  --> $T/b/shop/points/ledger.jsonl
   = help: `krules log shop/points` lists the versions
exit 5

$ krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-02-06T10:00
error[E0724]: this is version 3, but the next one of `shop/points` is 4
  --> $T/p/v3.lua
   = note: version 3 was published and withdrawn: its number is used up
exit 5

$ krules propose shop/points --rules $T/b --set rate=4 --effective 2024-05-01 --why more -o $T/proposal --quiet >/dev/null; ls $T/proposal
v4.html
v4.lua
v4.md

$ krules eval shop/points@3 --rules $T/b --data tests/cli/data
error[E0703]: version 3 of `shop/points` was withdrawn
  --> shop/points
exit 3

$ krules log shop/points --rules $T/b --now 2024-02-21
  1  v1   ended      2024-01-01 to 2024-02-19  published 2024-02-01, the first entry by owner
                  why: in force since January
  2  v2   in force   2024-02-20 to …           published 2024-02-02, 18 days of notice, unproven by owner
                  why: three points a euro
  3  v3   withdrawn  2024-03-20                published 2024-02-04, 45 days of notice, unproven by owner
  4       withdraw   version 3                         signed 2024-02-05 by owner
                  why: changes nothing

# the ledger decides: days before, and the version's own
$ sed 's/2024-01-0/2024-02-2/' tests/cli/data/sale.csv > $T/sale.csv; mkdir $T/d; cat tests/cli/data/sale.csv > $T/d/sale.csv; sed '1d; s/2024-01-0/2024-02-2/' tests/cli/data/sale.csv >> $T/d/sale.csv; krules eval shop/points --rules $T/b --data $T/d --only account.points --from 2024-02-18 --to 2024-02-21 --where 'customer = "ann"' --format csv --receipt $T/receipt.json
customer,day,points
ann,2024-02-18,23.5
ann,2024-02-19,23.5
ann,2024-02-20,23.5
ann,2024-02-21,55
receipt in $T/receipt.json; check it with `krules verify $T/receipt.json --data $T/d`

# a file that was not published is no version
$ cp $T/p/v3.lua $T/b/shop/points/v4.lua; krules check shop/points --rules $T/b; krules check shop/points@4 --rules $T/b; rm $T/b/shop/points/v4.lua
shop/points v1: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors
shop/points v2: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors
note[N0738]: `$T/b/shop/points/v4.lua` was not published: it is no version of `shop/points`
  --> $T/b/shop/points/v4.lua
error[E0703]: version 4 of `shop/points` was not published
  --> shop/points

# a published file that was changed is refused, by whatever reads it
$ echo >> $T/b/shop/points/v2.lua; krules eval shop/points --rules $T/b --data $T/d
error[E0723]: the file of version 2 is not the one that was published: sha256 1336f0046a4bdcb3… here, cbb3786cf7fa2a04… in entry 2 of the ledger
  --> $T/b/shop/points/v2.lua
   = help: put the published file back; `$T/b/shop/points/ledger.jsonl:2` refers to it
exit 5

$ sed 's/version = 2/version = 4/; s/2024-02-20/2024-04-20/' $T/p/v2.lua > $T/p/v4.lua; krules publish $T/p/v4.lua --rules $T/b --key $T/ann.pem --now 2024-02-22
error[E0723]: the file of version 2 is not the one that was published: sha256 1336f0046a4bdcb3… here, cbb3786cf7fa2a04… in entry 2 of the ledger
  --> $T/b/shop/points/v2.lua
   = help: put the published file back; `$T/b/shop/points/ledger.jsonl:2` refers to it
exit 5

$ krules log shop/points --rules $T/b --check
error[E0723]: the file of version 2 is not the one that was published: sha256 1336f0046a4bdcb3… here, cbb3786cf7fa2a04… in entry 2 of the ledger
  --> $T/b/shop/points/v2.lua
   = help: put the published file back; `$T/b/shop/points/ledger.jsonl:2` refers to it
exit 5

$ rm $T/b/shop/points/v2.lua; krules log shop/points --rules $T/b --check; cp $T/p/v2.lua $T/b/shop/points/v2.lua
error[E0723]: the file of version 2 is gone
  --> $T/b/shop/points/v2.lua
   = help: put the published file back; `$T/b/shop/points/ledger.jsonl:2` refers to it

# the first line that was changed is named: other text, another signature, a line taken out, the end cut off
$ cp $T/b/shop/points/ledger.jsonl $T/kept; sed -i '2s/three points/four points/' $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check
error[E0721]: the signature of `owner` does not hold
  --> $T/b/shop/points/ledger.jsonl:2
exit 5

$ sed '2s/,"token"/ ,"token"/' $T/kept > $T/b/shop/points/ledger.jsonl; krules eval shop/points --rules $T/b --data $T/d
error[E0720]: line 2 is no entry of a ledger: it is not written as the ledger writes its lines: it was changed by hand
  --> $T/b/shop/points/ledger.jsonl:2
exit 5

$ sed '3d' $T/kept > $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check 2>&1 | sed 's/[0-9a-f]\{16\}…/…/g'
error[E0720]: the line does not follow the one before it: it is entry 4 after …, the line before is entry 2, …
  --> $T/b/shop/points/ledger.jsonl:3

$ head -c 1000 $T/kept > $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check
error[E0720]: line 2 is no entry of a ledger: its last line has no end: the file was cut short
  --> $T/b/shop/points/ledger.jsonl:2
exit 5

$ : > $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check
error[E0720]: the ledger is empty
  --> $T/b/shop/points/ledger.jsonl
exit 5

# a shortened ledger holds by itself, but not against a receipt
$ head -n 3 $T/kept > $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check | sed 's/head .*/head …/'; krules verify $T/receipt.json --rules $T/b --data $T/d
the ledger holds: 3 entries, head …
error[E0707]: the ledger was shortened: it had 4 entries when the receipt was made, and has 3
  --> $T/receipt.json
exit 1

$ cp $T/kept $T/b/shop/points/ledger.jsonl; krules verify $T/receipt.json --rules $T/b --data $T/d
equal: rules, data and every output sheet are those of the receipt

# nor does one that was written anew, or is gone
$ sed 's/"head": "................/"head": "0000000000000000/' $T/receipt.json > $T/bent.json; krules verify $T/bent.json --rules $T/b --data $T/d 2>&1 | sed 's/is [0-9a-f]*…/is …/'
error[E0707]: the ledger was rewritten: entry 4 was 0000000000000000… when the receipt was made, and is …
  --> $T/bent.json

$ mkdir -p $T/n/shop && cp -r $T/b/shop/points $T/n/shop/ && rm $T/n/shop/points/ledger.jsonl $T/n/shop/points/v3.lua && krules verify $T/receipt.json --rules $T/n --data $T/d
error[E0707]: the receipt was made under a ledger of 4 entries, and there is none here
  --> $T/receipt.json
exit 1

# without a ledger the headers decide
$ krules log shop/points --rules tests/cli/books
     v1   from 2024-01-01  Points for what is bought
     v2   from 2024-01-03  Points for what is bought
shop/points has no ledger: the headers of its files decide

$ krules log shop/points --rules tests/cli/books --check
error[E0737]: `shop/points` has no ledger
  --> shop/points
   = help: `krules publish` of its version 1 begins one
exit 5

$ krules cosign shop/points --rules tests/cli/books --key $T/ann.pem
error[E0737]: `shop/points` has no ledger
  --> shop/points
   = help: `krules publish` of its version 1 begins one
exit 5

# keys
$ krules publish $T/p/v4.lua --rules $T/b
error[E0803]: publish signs: it needs --key KEY.pem
   = help: openssl genpkey -algorithm ed25519 -out KEY.pem makes one
exit 2

$ krules publish $T/p/v4.lua --rules $T/b --key $T/ann.pub.pem --now 2024-02-22
error[E0736]: `$T/ann.pub.pem` is not an Ed25519 private key in PEM
  --> $T/ann.pub.pem
   = help: openssl genpkey -algorithm ed25519 -out KEY.pem
exit 2

$ krules publish $T/p/v4.lua --rules $T/b --key $T/ann.pem --now 2024-02-22 --timestamp $T/p/v4.lua
error[E0730]: `$T/p/v4.lua` is no timestamp: it is neither an answer of an authority nor a token (RFC 3161, DER)
  --> $T/p/v4.lua
exit 5

# a reason is one line of text: no other line of the history can be drawn with it
$ krules withdraw shop/points@2 --rules $T/b --key $T/ann.pem --now 2024-02-22 --why "$(printf 'ok\n  9  v9   in force')"
error[E0803]: a reason is one line of UTF-8 text; byte 3 of this one is no part of such a line
  --> --why
   = help: write it in one line, and point to what is longer
exit 2

$ krules withdraw shop/points@2 --rules $T/b --key $T/ann.pem --now 2024-02-22 --why "$(printf 'bad \377')"
error[E0803]: a reason is one line of UTF-8 text; byte 5 of this one is no part of such a line
  --> --why
   = help: write it in one line, and point to what is longer
exit 2

$ krules keys shop/points --rules $T/b --key $T/ann.pem --now 2024-02-22 --add "$(printf 'bob\n9 v9')=$T/bob.pub.pem"
error[E0803]: the name of a signer is one line of UTF-8 text; byte 4 of this one is no part of such a line
  --> $T/bob.pub.pem
exit 2

# one writer at a time
$ flock $T/b/shop/points krules withdraw shop/points@2 --rules $T/b --key $T/ann.pem --now 2024-02-22
error[E0701]: `$T/b/shop/points` is being written by another krules: Resource temporarily unavailable
  --> $T/b/shop/points
exit 4

# what a rule means is in no comment and in no layout, folds and functions included: the same model_sha256
$ cp -r rules/kokoah rules/oaia $T/b/; for s in kokoah/pay oaia/score oaia/stop; do krules publish $T/b/$s/v1.lua --rules $T/b --key $T/ann.pem --now 2024-01-01 -q; sed 's/version = 1,/version = 2,/; s/2023-01-01/2024-03-01/; s/^--[ -][^[]*$//; s/^--- .*\[/--- [/; s/  */ /g' $T/b/$s/v1.lua > $T/x.lua; krules publish $T/x.lua --rules $T/b --key $T/ann.pem --now 2024-01-02 -q; krules log $s --rules $T/b --json | grep -o '"model_sha256":"[^"]*"' | uniq -c | sed "s, *\([0-9]*\) .*,$s \1,"; done
kokoah/pay 2
oaia/score 2
oaia/stop 2
