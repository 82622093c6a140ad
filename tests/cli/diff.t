# by meaning: comments, layout, order, names of Lua locals, the way a value is written
$ sed -e 's/local account/local konto/' -e 's/^account\./konto./' -e 's/output { account/output { konto/' -e 's/--- Points for each euro/--- So many points/' -e 's/param.rate = 2/param.rate = "200%"/' -e 's/"SUM(sale.amount)"/"sum( sale.amount BY customer, day )"/' tests/cli/books/shop/points/v1.lua | sed -e 's/check(account/check(konto/' > $T/same.lua; krules diff tests/cli/books/shop/points/v1.lua $T/same.lua --exit-code
tests/cli/books/shop/points/v1.lua → $T/same.lua: no change of meaning

# a value: what it reaches; the exit status only when asked for
$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua
shop/points v1 → shop/points v2: 1 parameter; 1 of 4 outputs reached
in force from 2024-01-03 (the old one from 2024-01-01)

parameters
  rate  2 point/EUR → 3 point/EUR
      reaches 1: account.points

what moves with it
  1 of 4 outputs: account.points

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --exit-code --format json | tail -n 3
{"summary": "shop/points v1 → shop/points v2: 1 parameter; 1 of 4 outputs reached", "old": {"name": "shop/points v1", "file": "tests/cli/books/shop/points/v1.lua", "sha256": "f6f49ea182369d2994f891a595bd70e5c3d40f7b32403019cd983e68f007b03a"}, "new": {"name": "shop/points v2", "file": "tests/cli/books/shop/points/v2.lua", "sha256": "d8460bb732185ef959f300153c2989ab025aaa965865f4c437bcf7a1bb5c1443"}, "changes": [
  {"kind": "header field", "how": "changed", "name": "effective_from", "old": "2024-01-01", "new": "2024-01-03", "reaches": []},
  {"kind": "parameter", "how": "changed", "name": "rate", "old": "2", "old_value": "2", "new": "3", "new_value": "3", "unit": "point/EUR", "doc": "Points for each euro.", "reaches": ["account.points"]}], "outputs": 4, "reached": ["account.points"], "verdicts": []}

# versions of a book, and a book alone: its last version against the one before
$ krules diff shop/points@1 shop/points@2 --rules tests/cli/books | head -n 1
shop/points v1 → shop/points v2: 1 parameter; 1 of 4 outputs reached

$ krules diff shop/points --rules tests/cli/books | head -n 1
shop/points v1 → shop/points v2: 1 parameter; 1 of 4 outputs reached

$ krules diff kokoah/pay@1
error[E0803]: `kokoah/pay@1` has one version: there is nothing to compare it with
  --> kokoah/pay@1
   = help: krules diff kokoah/pay@1 FILE.lua
exit 2

# formulas with the words that changed, a define and what follows from it, a column renamed, one that is recorded
$ sed -e 's/PREV(points, 0) + rate \* spent/PREV(points, 0) + rate * MIN(spent, 15)/' -e 's/account.part /account.portion/' -e 's/rate = 2/rate = 0.2/' tests/cli/books/shop/points/v1.lua > $T/b.lua; krules diff tests/cli/books/shop/points/v1.lua $T/b.lua --full
warning[W0740]: `rate` moves by a factor of about 10: from 2 to 0.2
 --> $T/b.lua:8:14
  |
8 | param.rate = 0.2
  |              ^^^
  = note: that is 2 to 0.2: a percentage may have been taken for a part of one, or a point misplaced
tests/cli/books/shop/points/v1.lua → $T/b.lua: 1 parameter, 2 formulas (1 only renamed); 1 of 4 outputs reached

parameters
  rate  2 point/EUR → 0.2 point/EUR
      Points for each euro.
      warning: moves by a factor of about 10
      reaches 1: account.points

formulas
  account.points [point]
      PREV(points, 0) + rate * {+MIN(+}spent{+, 15)+}
      All points so far.
      recorded cells stay; each row builds on the one before, so what was recorded fades but never leaves
      reaches 1: account.points
  account.portion (was account.part)
      means the same
      Spent, as a part of what all spent that day.

what moves with it
  1 of 4 outputs: account.points

# with data: gains and losses, totals shared out among the changes so that the shares add up
$ krules diff tests/cli/books/shop/points/v1.lua $T/b.lua --data tests/cli/data --quiet 2>/dev/null | sed -n '/^on data/,$p'
on data
  tests/cli/data, 2024-01-01 to 2024-01-04; each version in force on every day
  differences of totals by change: Shapley value over 2 changes, from 4 runs; shares add up exactly
  account.points  total 199.5 point → 17.95 point, -181.55; 8 of 8 cells differ
      by rate  -170.55
      by account.points  -11
      loses bob  -102.8: 112 point → 9.2 point
      loses ann  -78.75: 87.5 point → 8.75 point
  3 published columns do not change

verdicts
  holds: check nobody has more than 500 points

# the new version in force from a day on: what was recorded before stays
$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --data tests/cli/data --from 2024-01-03 | sed -n '/^on data/,/^verdicts/p'
on data
  tests/cli/data, 2024-01-03 to 2024-01-04; the new version in force from the first of these days, the old one's records before
  differences of totals by change: one change: all of the difference is its own
  account.points  total 141 point → 182 point, +41; 3 of 4 cells differ
      gains bob  +40: 96 point → 136 point
      gains ann  +1: 45 point → 46 point
  3 published columns do not change

verdicts

# nothing changes with these data
$ sed 's/points <= 500/points <= 600/; s/rate \* spent/rate * MIN(spent, 10000)/' tests/cli/books/shop/points/v1.lua > $T/c.lua; krules diff tests/cli/books/shop/points/v1.lua $T/c.lua --data tests/cli/data
warning[W0741]: the rules differ, but nothing that is published changes with these data
  --> tests/cli/data
   = help: take data in which the change matters
tests/cli/books/shop/points/v1.lua → $T/c.lua: 1 formula, 1 check; 1 of 4 outputs reached, 0 of 4 change on the data

formulas
  account.points [point]
      … (points, 0) + rate * {+MIN(+}spent{+, 10000)+}
      recorded cells stay; each row builds on the one before, so what was recorded fades but never leaves
      reaches 1: account.points

checks and requirements
  nobody has more than 500 points
      check(account) points <= [-500-]{+600+}

what moves with it
  1 of 4 outputs: account.points

on data
  tests/cli/data, 2024-01-01 to 2024-01-04; each version in force on every day
  4 published columns do not change

verdicts
  holds: check nobody has more than 500 points

# an aggregate that matches other rows is named
$ sed '/^local total/i account.part2 = "PRORATE(1, spent BY day)"' tests/cli/books/shop/points/v1.lua > $T/d1.lua; sed 's/spent BY day)/spent BY customer, day)/' $T/d1.lua > $T/d2.lua; krules diff $T/d1.lua $T/d2.lua
$T/d1.lua → $T/d2.lua: 1 formula; 1 of 5 outputs reached

formulas
  account.part2
      PRORATE(1, spent BY {+customer,+} day)
      matches other rows: PRORATE over `account`: BY day → BY customer, day
      reaches 1: account.part2

what moves with it
  1 of 5 outputs: account.part2

# the pay rule: what a change of its smoothing would have done
$ sed -e 's/credit_smoothing = { 0.3/credit_smoothing = { 0.25/' -e 's/skill_share = { "20%"/skill_share = { "25%"/' rules/kokoah/pay/v1.lua > $T/pay.lua; krules diff kokoah/pay@1 $T/pay.lua --data data/kokoah/pay/example --top 2 | grep -A 8 'account.smoothed  '
  account.smoothed  total 1,777.42 USD (1777.422903075150930816) → 1,742.12 USD (1742.120593928824615198), -35.3023; 407 of 416 cells differ
      by credit_smoothing  -35.3023 (-35.302309146326315618)
      by skill_share  0
      loses m10  -7.829172: 420.9 USD (420.900007033598071914) → 413.0708 USD (413.070835172041820758)
      loses m4  -6.982045: 460.9544 USD (460.954361037993600043) → 453.9723 USD (453.972316106478510508)
  account.pay  total 123,984 alpha (123984.000000000000000003) → 123,984 alpha (123984.000000000000000002), -0.000000000000000001; 371 of 416 cells differ
      by credit_smoothing  -0.000000000000000001
      by skill_share  0
      gains m4  +243.9584: 30,979.71 alpha (30979.708629941677687378) → 31,223.67 alpha (31223.667046150985700402)

# Markdown and HTML, whole in one file; the same bytes whatever the number of cores
$ krules diff kokoah/pay@1 $T/pay.lua --data data/kokoah/pay/example --format html -o $T/1.html --threads 1 --quiet; krules diff kokoah/pay@1 $T/pay.lua --data data/kokoah/pay/example --format html -o $T/2.html --threads 3 --quiet; cmp $T/1.html $T/2.html; grep -c '<svg' $T/1.html; ! grep -E '<script|src=|href=|@import|url\(' $T/1.html
4

$ krules diff kokoah/pay@1 $T/pay.lua --format md | head -n 12
# rules/kokoah/pay/v1.lua → $T/pay.lua: 2 parameters; 7 of 39 outputs reached

## parameters

- `credit_smoothing`  0.3 → 0.25
  - Weight of today in the smoothed credit.
  - reaches 7: account.smoothed, account.pay, account.pay_usd, account.weight, day.skill_pool, day.volume_pool, day.burned
- `skill_share`  20% (0.2) → 25% (0.25)
  - The part of the miner pool that pays skill, when anyone has a skill weight.
  - reaches 5: account.pay, account.pay_usd, account.weight, day.skill_pool, day.volume_pool

## what moves with it

# rules/kokoah/pay/v1.lua → $T/pay.lua: 2 parameters; 7 of 39 outputs reached
# rules/kokoah/pay/v1.lua → $T/pay.lua: 2 parameters; 7 of 39 outputs reached
# what cannot be
$ krules diff a.lua
error[E0702]: there is no rule file `a.lua`
  --> a.lua
exit 3

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --format pdf
error[E0803]: there is no format `pdf`; there are text, md, html and json
  --> --format
exit 2

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --top 3
error[E0803]: --top goes with --data
exit 2

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --data tests/cli/data --measure account.nothing
error[E0804]: `account.nothing` names no number column that both versions publish
  --> --measure
   = help: SHEET.COLUMN, each once, apart by commas
exit 2

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --data tests/cli/data --measure account.spent,account.nothing
error[E0804]: `account.spent,account.nothing` also names what is no number column that both versions publish
  --> --measure
   = help: SHEET.COLUMN, each once, apart by commas
exit 2

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --data tests/cli/data --top 0
error[E0803]: `0` is not a number that it takes
  --> --top
exit 2

$ krules diff tests/cli/books/shop/points/v1.lua tests/cli/books/shop/points/v2.lua --data tests/cli/data --budget 0
error[E0803]: `0` is not a number that it takes
  --> --budget
exit 2

# history as it would have been: days before are as they were
$ krules eval shop/points@1 --rules tests/cli/books --data tests/cli/data --what-if $T/c.lua --only account.points --format csv | head -n 3
customer,day,points
ann,2024-01-01,21
ann,2024-01-02,21.5

$ sed 's/rate = 2/rate = 5/' tests/cli/books/shop/points/v1.lua > $T/e.lua; krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --what-if $T/e.lua --from 2024-01-03 --only account.points --format csv
customer,day,points
ann,2024-01-03,21.5
ann,2024-01-04,26.5
bob,2024-01-03,108
bob,2024-01-04,108

$ krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --what-if $T/e.lua --save $T/x.db
error[E0803]: --what-if only tries: it takes neither --save nor --receipt
   = help: a result that is kept must come of published rules
exit 2

$ krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --what-if rules/kokoah/pay/v1.lua
error[E0803]: `rules/kokoah/pay/v1.lua` is a version of `kokoah/pay`, not of `shop/points`
  --> --what-if
exit 2
