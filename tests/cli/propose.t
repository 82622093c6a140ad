# only the values and the header change; a report lies beside it
$ krules propose shop/points --rules tests/cli/books --set rate=3.5 --effective 2024-06-01 --why 'more points' -o $T/p
shop/points v2 → shop/points v3: 1 parameter; 1 of 4 outputs reached
in force from 2024-06-01 (the old one from 2024-01-03); with 7 days of notice to be published by 2024-05-25
why: more points

parameters
  rate  3 point/EUR → 3.5 point/EUR
      reaches 1: account.points

what moves with it
  1 of 4 outputs: account.points
wrote $T/p/v3.lua, and reports beside it (.md, .html); publish it with `krules publish $T/p/v3.lua --key KEY.pem`

$ diff tests/cli/books/shop/points/v2.lua $T/p/v3.lua; ls $T/p
2,3c2,3
<   id = "shop/points", version = 2, language = 1, title = "Points for what is bought",
<   effective_from = "2024-01-03", notice_days = 7,
---
>   id = "shop/points", version = 3, language = 1, title = "Points for what is bought",
>   effective_from = "2024-06-01", notice_days = 7,
8c8
< param.rate = 3
---
> param.rate = 3.5
v3.html
v3.lua
v3.md

$ head -n 9 $T/p/v3.md; tail -n 1 $T/p/v3.html
# shop/points v2 → shop/points v3: 1 parameter; 1 of 4 outputs reached

in force from 2024-06-01 (the old one from 2024-01-03); with 7 days of notice to be published by 2024-05-25.

> more points

## parameters

- `rate`  3 point/EUR → 3.5 point/EUR
</body></html>

# shop/points v2 → shop/points v3: 1 parameter; 1 of 4 outputs reached
# shop/points v2 → shop/points v3: 1 parameter; 1 of 4 outputs reached
# with data: what it would have done, and whether its checks hold
$ krules propose tests/cli/books/shop/points/v1.lua --set rate=30 --effective 2024-06-01 --why 'many more points' --data tests/cli/data -o $T/q --quiet
error[E0806]: the check `nobody has more than 500 points` would not hold for 2 rows of `account`
  --> account[customer=bob, day=2024-01-03]
shop/points v1 → shop/points v2: 1 parameter; 1 of 4 outputs reached, 1 of 4 change on the data
in force from 2024-06-01 (the old one from 2024-01-01); with 7 days of notice to be published by 2024-05-25
why: many more points

parameters
  rate  2 point/EUR → 30 point/EUR
      reaches 1: account.points

what moves with it
  1 of 4 outputs: account.points

on data
  tests/cli/data, 2024-01-01 to 2024-01-04; each version in force on every day
  differences of totals by change: one change: all of the difference is its own
  account.points  total 199.5 point → 2,992.5 point (2992.5), +2,793; 8 of 8 cells differ
      gains bob  +1,568: 112 point → 1,680 point (1680)
      gains ann  +1,225: 87.5 point → 1,312.5 point (1312.5)
  3 published columns do not change

verdicts
  FAILS: check nobody has more than 500 points (2 rows, first account[customer=bob, day=2024-01-03])
exit 1

# from an edited copy; its own header is replaced
$ sed 's/points <= 500/points <= 5000/' tests/cli/books/shop/points/v2.lua > $T/edited.lua; krules propose shop/points --rules tests/cli/books --from $T/edited.lua --set rate=4 --effective 2024-06-01 --why 'room' -o $T/r --quiet; diff $T/edited.lua $T/r/v3.lua
shop/points v2 → shop/points v3: 1 parameter, 1 check; 1 of 4 outputs reached
in force from 2024-06-01 (the old one from 2024-01-03); with 7 days of notice to be published by 2024-05-25
why: room

parameters
  rate  3 point/EUR → 4 point/EUR
      reaches 1: account.points

checks and requirements
  nobody has more than 500 points
      check(account) points <= [-500-]{+5000+}

what moves with it
  1 of 4 outputs: account.points
2,3c2,3
<   id = "shop/points", version = 2, language = 1, title = "Points for what is bought",
<   effective_from = "2024-01-03", notice_days = 7,
---
>   id = "shop/points", version = 3, language = 1, title = "Points for what is bought",
>   effective_from = "2024-06-01", notice_days = 7,
8c8
< param.rate = 3
---
> param.rate = 4
exit 1

# refused
$ krules propose shop/points --rules tests/cli/books --set rate=4 --effective 2024-01-03 --why x -o $T/s
error[E0742]: 2024-01-03 is not after version 2, in force from 2024-01-03
  --> --effective
exit 5

$ krules propose shop/points --rules tests/cli/books --set rate=3 --effective 2024-06-01 --why x -o $T/s
error[E0742]: the proposal means what the last version means
  --> shop/points
   = help: --set name=value, or --from an edited copy
exit 5

$ krules propose shop/points --rules tests/cli/books --set rat=4 --effective 2024-06-01 --why x -o $T/s
error[E0804]: there is no parameter `rat`
  --> --set
   = help: did you mean `rate`?
exit 2

$ krules propose shop/points --rules tests/cli/books --set rate --effective 2024-06-01 --why x -o $T/s
error[E0803]: `rate` sets nothing
  --> --set
   = help: --set name=value
exit 2

$ krules propose shop/points --rules tests/cli/books --set rate=4 --effective tomorrow --why x -o $T/s
error[E0803]: `tomorrow` is not a day
  --> --effective
   = help: write a real date as YYYY-MM-DD
exit 2

$ krules propose shop/points --rules tests/cli/books --set rate=4 --effective 2024-06-01
error[E0803]: propose needs a reason
   = help: --why TEXT
exit 2

$ krules propose shop/points --rules tests/cli/books --effective 2024-06-01 --why x
error[E0803]: propose needs a change
   = help: --set name=value, or --from an edited copy
exit 2

$ krules propose kokoah/pay --set credit_smoothing=2.5 --effective 2030-06-01 --why x -o $T/s
error[E0402]: parameter `credit_smoothing` is 2.5, above its own max of 1
  --> $T/s/v2.lua:16:28
   |
16 | param.credit_smoothing = { 2.5, min = 0, max = 1 }
   |                            ^^^
exit 3

$ krules propose shop/points --rules tests/cli/books --set rate=4 --effective 2024-06-01 --why x -o tests/cli/books/shop/points
error[E0742]: a proposal does not lie among the published versions
  --> tests/cli/books/shop/points
   = help: propose it elsewhere, and `krules publish` the file when it is agreed
exit 5

# a lone file of a book, too: a file beside it would be a version
$ mkdir -p $T/lone/shop/points; cp tests/cli/books/shop/points/v1.lua $T/lone/shop/points/; krules propose $T/lone/shop/points/v1.lua --set rate=4 --effective 2024-06-01 --why x -o $T/lone/shop/points; ls $T/lone/shop/points
error[E0742]: a proposal does not lie among the published versions
  --> $T/lone/shop/points
   = help: propose it elsewhere, and `krules publish` the file when it is agreed
v1.lua

# a reason is one line of text
$ krules propose shop/points --rules tests/cli/books --set rate=4 --effective 2024-06-01 --why "$(printf 'one\n## two')" -o $T/s
error[E0803]: a reason is one line of UTF-8 text; byte 4 of this one is no part of such a line
  --> --why
   = help: write it in one line, and point to what is longer
exit 2

# no notice: the day itself is too late
$ sed 's/notice_days = 7/notice_days = 0/' tests/cli/books/shop/points/v1.lua > $T/none.lua; krules propose $T/none.lua --set rate=4 --effective 2024-06-01 --why x -o $T/s -q | sed -n 2p; rm -r $T/none.lua $T/lone $T/s
in force from 2024-06-01 (the old one from 2024-01-01); with 0 days of notice to be published by 2024-05-31

$ krules propose shop/points --rules tests/cli/books --from rules/kokoah/pay/v1.lua --effective 2024-06-01 --why x -o $T/s
error[E0742]: `rules/kokoah/pay/v1.lua` is a version of `kokoah/pay`, not of `shop/points`
  --> rules/kokoah/pay/v1.lua
exit 5

# state that does not carry
$ sed 's/account.points/account.score/; s/PREV(points/PREV(score/; s/points <=/score <=/' tests/cli/books/shop/points/v2.lua > $T/renamed.lua; krules propose shop/points --rules tests/cli/books --from $T/renamed.lua --effective 2024-06-01 --why x -o $T/s
error[E0728]: `account.score` is read back in time and is new in this version: it says no history
  --> $T/s/v3.lua:21:1
   |
21 | account.score = "PREV(score, 0) + rate * spent"
   | ^^^^^^^^^^^^^
   = help: say history = "blank", "backfill" or a value, or carry it from an earlier name
exit 5

$ ls $T
edited.lua
p
q
r
renamed.lua

# a value that moves by a factor of ten is warned of, in `check` too
$ mkdir -p $T/b/shop/points; cp tests/cli/books/shop/points/v1.lua $T/b/shop/points/; sed 's/rate = 3/rate = 0.2/' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua; krules check shop/points --rules $T/b
shop/points v1: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors
shop/points v2: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors
warning[W0740]: `rate` moves by a factor of about 10: from 2 to 0.2
 --> $T/b/shop/points/v2.lua:8:14
  |
8 | param.rate = 0.2
  |              ^^^
  = note: that is 2 to 0.2: a percentage may have been taken for a part of one, or a point misplaced

# the examples under examples/proposals are what the command makes of the rules today (else: run examples/proposals/make)
$ examples/proposals/make $T/again >/dev/null 2>&1; for f in kokoah-pay/v2.lua kokoah-pay/v2.md kokoah-pay/v2.html oaia-score/v2.lua oaia-score/v2.md oaia-score/v2.html; do sed "s|$T/again|examples/proposals|g" $T/again/$f | cmp - examples/proposals/$f; done

# a parameter has one value in a proposal
$ krules propose shop/points --rules tests/cli/books --set rate=3 --set rate=4 --effective 2024-06-01 --why x -o $T/s
error[E0803]: `rate` is set twice
  --> --set
   = help: a proposal gives each parameter one value
exit 2
