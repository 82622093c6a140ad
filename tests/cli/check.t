$ krules check --rules tests/cli/books shop/points
shop/points v1: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors
shop/points v2: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors

$ krules check --rules tests/cli/books shop/points@1
shop/points v1: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors

$ krules check tests/cli/books/shop/points/v2.lua
shop/points v2: 1 parameter, 3 sheets, 4 formulas, 1 check, 0 examples: no errors

$ krules check --rules tests/cli/books shop/points --quiet

$ krules check --rules tests/cli/books shop/points --json
{"book":"shop/points","version":1,"file":"tests/cli/books/shop/points/v1.lua","sha256":"f6f49ea182369d2994f891a595bd70e5c3d40f7b32403019cd983e68f007b03a","effective_from":"2024-01-01","parameters":1,"sheets":3,"formulas":4,"checks":1,"examples":0}
{"book":"shop/points","version":2,"file":"tests/cli/books/shop/points/v2.lua","sha256":"d8460bb732185ef959f300153c2989ab025aaa965865f4c437bcf7a1bb5c1443","effective_from":"2024-01-03","parameters":1,"sheets":3,"formulas":4,"checks":1,"examples":0}

# what is not there
$ krules check --rules tests/cli/books shop/pints
error[E0702]: there is no rulebook `shop/pints`
  --> shop/pints
   = help: did you mean `shop/points`?
exit 3

$ krules check --rules tests/cli/books other
error[E0702]: there is no rulebook `other`
  --> other
   = help: there are: `shop/points`
exit 3

$ krules check --rules tests/cli/books shop/points@3
error[E0703]: `shop/points` has 2 versions, no version 3
  --> shop/points@3
exit 3

$ krules check --rules tests/cli/books shop/points@x
error[E0803]: `x` is not a version
  --> shop/points@x
exit 2

$ krules check nothing.lua
error[E0702]: there is no rule file `nothing.lua`
  --> nothing.lua
exit 3

$ krules check
error[E0803]: check wants a rulebook or a rule file
   = help: krules check kokoah/pay, or krules check FILE.lua
exit 2

# headers that do not fit
$ mkdir -p $T/b && sed 's/version = 1/version = 7/; s/shop.points/shop\/pints/' tests/cli/books/shop/points/v1.lua > $T/b/v1.lua && krules check --rules $T b
error[E0703]: this file's id is `shop/pints`, but it lies in the folder of `b`
 --> $T/b/v1.lua:1:1
  |
1 | rulebook {
  | ^^^^^^^^^^
error[E0703]: this file says version 7, but its name says 1
 --> $T/b/v1.lua:1:1
  |
1 | rulebook {
  | ^^^^^^^^^^
2 errors
exit 3

$ cp tests/cli/books/shop/points/v1.lua $T/b/v1.lua && sed 's/2024-01-03/2023-12-31/' tests/cli/books/shop/points/v2.lua > $T/b/v2.lua && sed -i 's/shop.points/b/' $T/b/v*.lua && krules check --rules $T b
error[E0703]: version 2 takes effect on 2023-12-31, not after version 1 (2024-01-01)
 --> $T/b/v2.lua:1:1
  |
1 | rulebook {
  | ^^^^^^^^^^
exit 3

# an error in a formula, with its place
$ sed 's/rate \* spent/rte * spent/' tests/cli/books/shop/points/v1.lua > $T/wrong.lua && krules check $T/wrong.lua
error[E0220]: sheet `account` has no column `rte`, and no parameter is called so
  --> $T/wrong.lua:21:37
   |
21 | account.points = "PREV(points, 0) + rte * spent"
   |                                     ^^^
   = help: did you mean `rate`?
exit 3

$ krules check $T/wrong.lua --json
{"code":"E0220","severity":"error","message":"sheet `account` has no column `rte`, and no parameter is called so","file":"$T/wrong.lua","line":21,"column":37,"end_column":40,"help":["did you mean `rate`?"]}
exit 3

# how the engine computes it
$ krules check --plan examples/five-lines/tips.lua
rows: rows of shift
column: shift.day
column: shift.name
column: shift.hours
column: shift.tips
index: index of shift(day)
groups: groups of shift in shift(day)
aggregate: aggregate 11 of shift
column: column 9 of shift
    r0 = GROUP aggregate 11 of shift by groups of shift in shift(day)
share: share 7 of shift
column: shift.paid
    r0 = LOAD share 7 of shift
rows: rows of (book)
example/tips v1: 0 parameters, 1 sheet, 1 formula, 0 checks, 0 examples: no errors

$ krules check --plan --json examples/five-lines/tips.lua | grep -c '"plan":"'
1
