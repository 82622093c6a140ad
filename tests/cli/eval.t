# the whole result, as files
$ krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --format csv --out $T/one
wrote $T/one

$ cat $T/one/account.csv $T/one/total.csv
customer,day,spent,points,part
ann,2024-01-01,10.5,21,0.724137931034482759
ann,2024-01-02,0.25,21.5,1
ann,2024-01-03,0,21.5,0
ann,2024-01-04,1,23.5,1
bob,2024-01-01,4,8,0.275862068965517241
bob,2024-01-02,0,8,0
bob,2024-01-03,20,48,1
bob,2024-01-04,0,48,0
day,spent
2024-01-01,14.5
2024-01-02,0.25
2024-01-03,20
2024-01-04,1

# versions: each day under the one in force, state carried over
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only account --format csv
customer,day,spent,points,part
ann,2024-01-01,10.5,21,0.724137931034482759
ann,2024-01-02,0.25,21.5,1
ann,2024-01-03,0,21.5,0
ann,2024-01-04,1,24.5,1
bob,2024-01-01,4,8,0.275862068965517241
bob,2024-01-02,0,8,0
bob,2024-01-03,20,68,1
bob,2024-01-04,0,68,0

$ krules eval shop/points@1 --rules tests/cli/books --data tests/cli/data --only account.points --from 2024-01-03 --format csv
customer,day,points
ann,2024-01-03,21.5
ann,2024-01-04,23.5
bob,2024-01-03,48
bob,2024-01-04,48

# a later day alone is the row of the full run
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --only account --format csv
customer,day,spent,points,part
ann,2024-01-04,1,24.5,1
bob,2024-01-04,0,68,0

# into a pipe: one JSON object a row
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01
{"sheet":"account","customer":"ann","day":"2024-01-01","spent":10.5,"points":21,"part":0.724137931034482759}
{"sheet":"account","customer":"bob","day":"2024-01-01","spent":4,"points":8,"part":0.275862068965517241}
{"sheet":"total","day":"2024-01-01","spent":14.5}

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01 --format json
{
"account": [
{"customer":"ann","day":"2024-01-01","spent":10.5,"points":21,"part":0.724137931034482759},
{"customer":"bob","day":"2024-01-01","spent":4,"points":8,"part":0.275862068965517241}
],
"total": [
{"day":"2024-01-01","spent":14.5}
]
}

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01 --only total --json
{"sheet":"total","day":"2024-01-01","spent":14.5}

# for people
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format table
total  2024-01-04  1 row
day         spent
            [EUR]
2024-01-04      1

account  2024-01-04  2 rows
customer  day         spent   points  part
                      [EUR]  [point]
ann       2024-01-04      1     24.5     1
bob       2024-01-04      0       68     0
total                     1     92.5
numbers are shortened; all days (2024-01-01 to 2024-01-04) with every digit: --format csv --out DIR

# chosen rows and columns
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "customer = 'ann'" --format jsonl
{"sheet":"account","customer":"ann","day":"2024-01-01","spent":10.5,"points":21,"part":0.724137931034482759}
{"sheet":"account","customer":"ann","day":"2024-01-02","spent":0.25,"points":21.5,"part":1}
{"sheet":"account","customer":"ann","day":"2024-01-03","spent":0,"points":21.5,"part":0}
{"sheet":"account","customer":"ann","day":"2024-01-04","spent":1,"points":24.5,"part":1}

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "customer = 'bob'" --only account.spent,sale --format jsonl
{"sheet":"account","customer":"bob","day":"2024-01-01","spent":4}
{"sheet":"account","customer":"bob","day":"2024-01-02","spent":0}
{"sheet":"account","customer":"bob","day":"2024-01-03","spent":20}
{"sheet":"account","customer":"bob","day":"2024-01-04","spent":0}
{"sheet":"sale","customer":"bob","day":"2024-01-01","receipt":2,"amount":4}
{"sheet":"sale","customer":"bob","day":"2024-01-03","receipt":4,"amount":20}

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "spent" --format jsonl
error[E0803]: --where wants a condition, but this is a number
 --> --where:1:1
  |
1 | spent
  | ^^^^^
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "nothing > 1" --format jsonl
error[E0803]: sheet `account` has no column `nothing`, and no parameter is called so
 --> --where:1:1
  |
1 | nothing > 1
  | ^^^^^^^
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only acount
error[E0804]: there is no sheet `acount`
  --> --only
   = help: did you mean `account`?
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only account.pints
error[E0804]: sheet `account` has no column `pints`
  --> --only
   = help: did you mean `points`?
exit 2

# wrong use
$ krules eval shop/points --rules tests/cli/books
error[E0803]: eval needs data
   = help: --data PATH: a folder of tables, or a SQLite database
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format cvs
error[E0803]: there is no format `cvs`; there are table, csv, json and jsonl
  --> --format
   = help: csv
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv
error[E0803]: 2 sheets do not fit into one CSV
  --> --format
   = help: choose one with --only SHEET, give a folder with --out DIR, or take --format jsonl
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --from 2024-13-01
error[E0803]: `2024-13-01` is not a day
  --> --from
   = help: write a real date as YYYY-MM-DD
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --from 2024-01-04 --to 2024-01-02
error[E0803]: the period ends (2024-01-02) before it begins (2024-01-04)
  --> --to
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --to 2024-01-02
error[E0803]: --day is --from and --to in one: give either
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --to 2023-12-31
error[E0704]: no version of `shop/points` is in force on 2023-12-31: the first takes effect on 2024-01-01
  --> shop/points
exit 2

$ krules eval shop/points --rules tests/cli/books --data nowhere
error[E0501]: `nowhere` cannot be read: No such file or directory
  --> nowhere
   = help: give a folder of NAME.csv or NAME.jsonl files, or a SQLite database
exit 4

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --threads none
error[E0803]: `none` is not a number of cores
  --> --threads
exit 2

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --out $T/x --format table
error[E0803]: a table is for the terminal, not for --out
  --> --format
   = help: take csv, json or jsonl
exit 2

# wrong data
$ mkdir $T/d && printf 'customer,day,receipt,amount,clerk\nann,2024-01-01,1,-3,zoe\nbob,2024-01-32,2,1,zoe\n' > $T/d/sale.csv && krules eval shop/points --rules tests/cli/books --data $T/d
note[N0511]: table `sale` has a column that the rules do not use: `clerk`
  --> $T/d/sale.csv
error[E0506]: `-3` is less than 0
  --> $T/d/sale.csv:2:18
   = row: sale[customer=ann, day=2024-01-01, receipt=1].amount
error[E0504]: `2024-01-32` is not a day
  --> $T/d/sale.csv:3:5
   = row: sale[customer=bob, day=2024-01-32, receipt=2].day
   = help: write a real date as YYYY-MM-DD
2 errors
exit 4

# an error in an output cell: named, and the status says so
$ printf 'customer,day,receipt,amount\nann,2024-01-01,1,3\nann,2024-01-02,2,0\n' > $T/d/sale.csv && krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account --format csv
customer,day,spent,points,part
ann,2024-01-01,3,6,1
ann,2024-01-02,0,6,#DIV/0!
error[E0805]: `account.part` is #DIV/0!
  --> account[customer=ann, day=2024-01-02].part
exit 4

$ krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account --format csv --keep-going --quiet
customer,day,spent,points,part
ann,2024-01-01,3,6,1
ann,2024-01-02,0,6,#DIV/0!

# a check that fails is a finding
$ printf 'customer,day,receipt,amount\nann,2024-01-01,1,300\nann,2024-01-02,2,1\n' > $T/d/sale.csv && krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account.points --format csv
error[E0806]: the check `nobody has more than 500 points` does not hold for 2 rows of `account`
  --> tests/cli/books/shop/points/v1.lua:29:1
   |
29 | check(account, "nobody has more than 500 points", "points <= 500")
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = row: account[customer=ann, day=2024-01-01]
   = note: also account[customer=ann, day=2024-01-02]
customer,day,points
ann,2024-01-01,600
ann,2024-01-02,602
exit 1

# a period without rows, and days of which nothing was read
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2023-12-01 --only total
error[E0704]: no version of `shop/points` is in force on 2023-12-01: the first takes effect on 2024-01-01
  --> shop/points
exit 2

$ krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --day 2023-12-01 --only total
warning[W0821]: 2023-12-01 is before the first day of `shop/points`: no row is of this period
  --> --day

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --from 2024-02-01 --only total
warning[W0821]: 2024-02-01 is after the last day of `shop/points`: no row is of this period
  --> --from

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-09 --only total
note[N0822]: the last record in the data is of 2024-01-04: what comes after it, to 2024-01-09, is computed as days on which nothing happened
  --> --day
{"sheet":"total","day":"2024-01-09","spent":0}

# a book without days: its rows' own days are chosen, where they have one
$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --day 2024-03-02
{"sheet":"shift","day":"2024-03-02","name":"ann","hours":8,"tips":55,"paid":37.55}
{"sheet":"shift","day":"2024-03-02","name":"bo","hours":8,"tips":20.1,"paid":37.55}

$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --from 2024-04-01 --to 2024-05-01
warning[W0821]: no row is of this period
  --> --from

$ printf 'rulebook { id = "t/t", version = 1, language = 1, title = "T" }\nlocal a = sheet("a", { "k" })\na.k = text\na.v = number\noutput { a }\n' > $T/a.lua; mkdir $T/a; printf 'k,v\nx,1\n' > $T/a/a.csv; krules eval $T/a.lua --data $T/a --day 2024-01-01
error[E0803]: `t/t` has no days, and no row of these sheets has one: there is no period to choose
  --> --day
   = help: leave it out; --where chooses rows by their cells
exit 2

$ krules eval $T/a.lua --data $T/a
{"sheet":"a","k":"x","v":1}

# a book that publishes nothing, and one whose columns run in a circle, do not pass the check
$ grep -v output $T/a.lua > $T/b.lua; krules check $T/b.lua
error[E0410]: `t/t` publishes nothing
 --> $T/b.lua:1:1
  |
1 | rulebook { id = "t/t", version = 1, language = 1, title = "T" }
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: name its sheets: output { … }
exit 3

$ krules eval $T/b.lua --data $T/a
error[E0410]: `t/t` publishes nothing
 --> $T/b.lua:1:1
  |
1 | rulebook { id = "t/t", version = 1, language = 1, title = "T" }
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: name its sheets: output { … }
exit 3

$ sed 's/^output/a.x = "y + 1"\na.y = "x * 2"\noutput/' $T/a.lua > $T/c.lua; krules check $T/c.lua
error[E0601]: columns read each other in a cycle: `a.x` -> `a.y` -> `a.x`
 --> $T/c.lua:5:1
  |
5 | a.x = "y + 1"
  | ^^^
 ::: $T/c.lua:6:1
  |
6 | a.y = "x * 2"
  | ---
  = help: close the cycle through PREV, or through a window or LOOKUP of earlier rows
exit 3

# a header in another form, and a table that may be absent under another name
$ mkdir $T/h; printf 'k; v\nx; 1\n' > $T/h/a.csv; krules eval $T/a.lua --data $T/h
error[E0503]: table `a` has no column `k`
  --> $T/h/a.csv
   = help: the header is one cell, `k; v`: cells are parted by commas
error[E0503]: table `a` has no column `v`
  --> $T/h/a.csv
   = help: the header is one cell, `k; v`: cells are parted by commas
2 errors
exit 4

$ printf 'k, v\nx, 1\n' > $T/h/a.csv; krules eval $T/a.lua --data $T/h
error[E0503]: table `a` has no column `v`
  --> $T/h/a.csv
   = help: is ` v` meant to be it? give it the name `v`
exit 4

$ printf 'rulebook { id = "t/t", version = 1, language = 1, title = "T" }\nlocal a = sheet("bonus", { "k" }, { optional = true })\na.k = text\na.v = number\noutput { a }\n' > $T/d.lua; printf 'k,v\nx,1\n' > $T/h/bonsu.csv; krules eval $T/d.lua --data $T/h
note[N0511]: there is no table `bonus`, which may be absent; is `bonsu` meant to be it?
  --> $T/h
