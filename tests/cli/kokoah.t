# the published cases of the pay rule: every cell equal
$ for s in small crowded middle long; do read from to < tests/cases/kokoah/$s/in/period.txt; krules eval kokoah/pay --data tests/cases/kokoah/$s/in --from $from --to $to --format csv --out $T/$s --quiet; python3 tests/tools/compare.py tests/cases/kokoah/$s/expected $T/$s; done
2592 cells compared, 0 off
10858 cells compared, 0 off
14176 cells compared, 0 off
50724 cells compared, 0 off

# one late day is the row of the full run
$ krules eval kokoah/pay --data tests/cases/kokoah/small/in --day 2024-03-04 --format csv --out $T/day --quiet; (head -1 $T/small/account.csv; grep 2024-03-04 $T/small/account.csv) | cmp - $T/day/account.csv

# neither the form of the data, nor the order of its rows, nor the number of cores changes a digit
$ krules eval kokoah/pay --data tests/cases/kokoah/small/in --from 2024-02-23 --to 2024-03-05 --format csv --out $T/a --receipt $T/a.json --threads 1 --quiet; diff -r $T/a $T/small

$ for f in tests/cases/kokoah/small/in/*.csv; do sqlite3 $T/data.db ".mode csv" ".import $f $(basename $f .csv)"; done; krules eval kokoah/pay --data $T/data.db --from 2024-02-23 --to 2024-03-05 --format csv --out $T/b --receipt $T/b.json --threads 3 --quiet; diff -r $T/a $T/b; diff $T/a.json $T/b.json

$ mkdir $T/in; for f in tests/cases/kokoah/small/in/*.csv; do (head -1 $f; tail -n +2 $f | awk '{ print length($0) * NR % 97, $0 }' | sort -n | cut -d' ' -f2-) > $T/in/$(basename $f); done; krules verify $T/a.json --data $T/in
equal: rules, data and every output sheet are those of the receipt

# a second version with the same formulas moves no digit: rows that only later records bring are computed, all others read back as recorded
$ mkdir -p $T/r/kokoah/pay && cp rules/kokoah/pay/v1.lua $T/r/kokoah/pay/ && sed 's/version = 1, language/version = 2, language/; s/effective_from = "2023-01-01"/effective_from = "2024-02-19"/' rules/kokoah/pay/v1.lua > $T/r/kokoah/pay/v2.lua && krules eval kokoah/pay --rules $T/r --data tests/cases/kokoah/crowded/in --from 2024-01-28 --to 2024-03-12 --format csv --out $T/o -q && python3 tests/tools/compare.py tests/cases/kokoah/crowded/expected $T/o --tol 0
10858 cells compared, 0 off
