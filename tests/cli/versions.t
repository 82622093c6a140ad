# a version that starts in the future moves no digit of an earlier day
$ mkdir -p $T/b/shop/points && cp tests/cli/books/shop/points/v1.lua $T/b/shop/points/ && krules eval shop/points --rules $T/b --data tests/cli/data --to 2024-01-04 --format csv --out $T/one --quiet

$ sed 's/2024-01-03/2030-01-01/' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --to 2024-01-04 --format csv --out $T/two --quiet && diff -r $T/one $T/two

# nor does one that starts on a later day of the period
$ cp tests/cli/books/shop/points/v2.lua $T/b/shop/points/ && krules eval shop/points --rules $T/b --data tests/cli/data --to 2024-01-02 --format csv --out $T/three --quiet && grep -v -e -03, -e -04, $T/one/account.csv | diff - $T/three/account.csv

# a renamed column is carried; rows of the days before are the earlier version's, and have no such column
$ sed 's/account.points/account.score/; s/PREV(points/PREV(score/; s/points <=/score <=/; /^output/i carry { account = { score = "points" } }' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --only account.score --format csv
customer,day,score
ann,2024-01-01,
ann,2024-01-02,
ann,2024-01-03,21.5
ann,2024-01-04,24.5
bob,2024-01-01,
bob,2024-01-02,
bob,2024-01-03,68
bob,2024-01-04,68

# a new column that is read back says what stands before its first day
$ sed '/^local total/i account.most = "MAX(spent, PREV(most, 0))"' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --only account.most --format csv
error[E0605]: `account.most` is read back in time and is new in this version: it says no history
  --> $T/b/shop/points/v2.lua:25:1
   |
25 | account.most = "MAX(spent, PREV(most, 0))"
   | ^^^^^^^^^^^^
   = help: say history = "blank", "backfill" or a value, or carry it from an earlier name
exit 3

$ sed '/^local total/i account.most = { "MAX(spent, PREV(most, 0))", history = "backfill" }' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --only account.most --from 2024-01-03 --format csv
customer,day,most
ann,2024-01-03,10.5
ann,2024-01-04,10.5
bob,2024-01-03,20
bob,2024-01-04,20

$ sed '/^local total/i account.most = { "COALESCE(MAX(spent, PREV(most, 0)), spent)", history = "blank" }' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --only account.most --from 2024-01-03 --format csv
customer,day,most
ann,2024-01-03,0
ann,2024-01-04,1
bob,2024-01-03,20
bob,2024-01-04,20

$ sed '/^local total/i account.most = { "MAX(spent, PREV(most, 0))", history = 5 }' tests/cli/books/shop/points/v2.lua > $T/b/shop/points/v2.lua && krules eval shop/points --rules $T/b --data tests/cli/data --only account.most --from 2024-01-03 --format csv
customer,day,most
ann,2024-01-03,5
ann,2024-01-04,5
bob,2024-01-03,20
bob,2024-01-04,20

# a book without days: each season is the version's that was in force when it began (governed_by)
$ mkdir -p $T/g/race && printf 'season,day,runner,points\ns1,2024-01-01,a,5\ns1,2024-03-01,b,7\ns2,2024-02-10,a,2\n' > $T/g/lap.csv

$ printf '%s\n' 'rulebook { id = "race", version = 1, language = 1, effective_from = "2024-01-01", governed_by = "MIN(lap.day BY season)" }' 'param.factor = 1' 'local lap = sheet("lap", { "season", "day", "runner" })' 'lap.season = text; lap.day = day; lap.runner = text; lap.points = number' 'local season = sheet("season", { "season" }, { rows = cross("lap.season") })' 'season.points = "factor * SUM(lap.points)"' 'output { season }' > $T/g/race/v1.lua; sed 's/version = 1/version = 2/; s/factor = 1/factor = 10/; s/2024-01-01/2024-02-01/' $T/g/race/v1.lua > $T/g/race/v2.lua

$ krules eval race --rules $T/g --data $T/g --format csv
season,points
s1,12
s2,20
