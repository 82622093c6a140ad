# the whole result, as files
$ krules eval tests/cli/books/shop/points/v1.lua --data tests/cli/data --format csv --out $T/one
$ cat $T/one/account.csv $T/one/total.csv

# versions: each day under the one in force, state carried over
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only account --format csv
$ krules eval shop/points@1 --rules tests/cli/books --data tests/cli/data --only account.points --from 2024-01-03 --format csv

# a later day alone is the row of the full run
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --only account --format csv

# into a pipe: one JSON object a row
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01 --format json
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-01 --only total --json

# for people
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format table

# chosen rows and columns
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "customer = 'ann' & ''" --format jsonl
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "customer = 'bob'" --only account.spent,sale --format jsonl
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "spent" --format jsonl
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --where "nothing > 1" --format jsonl
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only acount
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only account.pints

# wrong use
$ krules eval shop/points --rules tests/cli/books
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format cvs
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --from 2024-13-01
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --from 2024-01-04 --to 2024-01-02
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --to 2024-01-02
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --to 2023-12-31
$ krules eval shop/points --rules tests/cli/books --data nowhere
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --threads none
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --out $T/x --format table

# wrong data
$ mkdir $T/d && printf 'customer,day,receipt,amount,clerk\nann,2024-01-01,1,-3,zoe\nbob,2024-01-32,2,1,zoe\n' > $T/d/sale.csv && krules eval shop/points --rules tests/cli/books --data $T/d

# an error in an output cell: named, and the status says so
$ printf 'customer,day,receipt,amount\nann,2024-01-01,1,3\nann,2024-01-02,2,0\n' > $T/d/sale.csv && krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account --format csv
$ krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account --format csv --keep-going --quiet

# a check that fails is a finding
$ printf 'customer,day,receipt,amount\nann,2024-01-01,1,300\nann,2024-01-02,2,1\n' > $T/d/sale.csv && krules eval shop/points@1 --rules tests/cli/books --data $T/d --only account.points --format csv
