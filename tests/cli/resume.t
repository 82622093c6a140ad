# a book with versions, a day at a time: the state goes on over the change of version
$ for d in 1 2 3 4; do krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-0$d --save $T/r.db --resume --format csv --out $T/$d --quiet; done; krules eval shop/points --rules tests/cli/books --data tests/cli/data --save $T/full.db --format csv --out $T/all --quiet; (head -1 $T/1/account.csv; for d in 1 2 3 4; do tail -n +2 $T/$d/account.csv; done | sort) | diff - $T/all/account.csv && sqlite3 $T/r.db "select book, version, last_day from state" "select version, sheet, day, key, cells from state_row"
shop/points|1|2024-01-02
shop/points|2|2024-01-04
1|account|2024-01-01|["ann","2024-01-01"]|{"customer":"ann","day":"2024-01-01","points":"21"}
1|account|2024-01-01|["bob","2024-01-01"]|{"customer":"bob","day":"2024-01-01","points":"8"}
1|account|2024-01-02|["ann","2024-01-02"]|{"customer":"ann","day":"2024-01-02","points":"21.5"}
1|account|2024-01-02|["bob","2024-01-02"]|{"customer":"bob","day":"2024-01-02","points":"8"}
2|account|2024-01-01|["ann","2024-01-01"]|{"customer":"ann","day":"2024-01-01","points":"21"}
2|account|2024-01-01|["bob","2024-01-01"]|{"customer":"bob","day":"2024-01-01","points":"8"}
2|account|2024-01-02|["ann","2024-01-02"]|{"customer":"ann","day":"2024-01-02","points":"21.5"}
2|account|2024-01-02|["bob","2024-01-02"]|{"customer":"bob","day":"2024-01-02","points":"8"}
2|account|2024-01-03|["ann","2024-01-03"]|{"customer":"ann","day":"2024-01-03","points":"21.5"}
2|account|2024-01-03|["bob","2024-01-03"]|{"customer":"bob","day":"2024-01-03","points":"68"}
2|account|2024-01-04|["ann","2024-01-04"]|{"customer":"ann","day":"2024-01-04","points":"24.5"}
2|account|2024-01-04|["bob","2024-01-04"]|{"customer":"bob","day":"2024-01-04","points":"68"}

# the two stores hold the same results
$ for db in r full; do sqlite3 $T/$db.db "select * from result_row" > $T/$db.txt; done; diff $T/r.txt $T/full.txt

# days that are there: nothing new
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --save $T/r.db --resume --format csv --out $T/x
wrote $T/x
saved in $T/r.db: nothing new

# what is read back is the recorded cell, not one computed anew
$ cp $T/r.db $T/other.db; sqlite3 $T/other.db "select cells from state_row where day = '2024-01-03' and version = 2"; sqlite3 $T/other.db "update state_row set cells = replace(cells, '\"points\":\"', '\"points\":\"1000') where day = '2024-01-03' and version = 2"; krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --save $T/other.db --resume --format csv --out $T/y --only account
{"customer":"ann","day":"2024-01-03","points":"21.5"}
{"customer":"bob","day":"2024-01-03","points":"68"}
error[E0806]: the check `nobody has more than 500 points` does not hold for 2 rows of `account`
  --> tests/cli/books/shop/points/v2.lua:29:1
   |
29 | check(account, "nobody has more than 500 points", "points <= 500")
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = row: account[customer=ann, day=2024-01-04]
   = note: also account[customer=bob, day=2024-01-04]
wrote $T/y
error[E0705]: `$T/other.db` has another result of 2024-01-04 for sheet `account`: "points":"24.5" there, "points":"100024.5" here
  --> account[customer=ann, day=2024-01-04]
   = help: to restate it, say why: --replace 'REASON'
error[E0705]: `$T/other.db` has another result of 2024-01-04 for sheet `account`: "points":"68" there, "points":"100068" here
  --> account[customer=bob, day=2024-01-04]
3 errors, 2 of them shown
exit 1

# state of another rule file is refused
$ sqlite3 $T/other.db "update state set rules_sha256 = '00'"; krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --save $T/other.db --resume
error[E0744]: the state in `$T/other.db` cannot be gone on from: it was made by another rule file than version 2 is now
  --> $T/other.db
   = help: run without --resume: it computes every day, and saves the state anew
exit 4

# saving without --resume renews the state that a store keeps
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --save $T/other.db --format csv --out $T/z --quiet; sqlite3 $T/other.db "select * from state_row" > $T/other.txt; sqlite3 $T/r.db "select * from state_row" | diff - $T/other.txt

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --resume
error[E0803]: --resume goes on from what --save keeps: name the store
   = help: krules eval … --save results.db --resume
exit 2

# replay: day by day and all at once
$ krules replay shop/points --rules tests/cli/books --data tests/cli/data
equal: 4 days one after the other, each from what the day before recorded, give the 48 cells of one run

$ krules replay kokoah/pay --data tests/cases/kokoah/small/in --to 2024-03-05
equal: 13 days one after the other, each from what the day before recorded, give the 2738 cells of one run

$ krules replay kokoah/pay --data data/kokoah/pay/example --from 2024-03-01 --to 2024-03-10 --json
{"equal":true,"days":10,"cells":3620,"differences":0}

$ krules replay oaia/score --data tests/cases/oaia/score1/in
error[E0803]: there are no days to replay
  --> oaia/score
exit 2

# killed at random moments, and on a full disk: the store holds all of a save or nothing of it
$ python3 tests/tools/kill_save.py "$KRULES_DIR/krules" $T/kill 8
all or nothing, every time

# a rule whose past depends on what comes later
$ krules replay tests/cli/books/late.lua --data tests/cli/data
error[E0745]: a day at a time gives 0, all days at once 1
  --> total[day=2024-01-02].before
error[E0745]: a day at a time gives 0, all days at once 1
  --> total[day=2024-01-03].before
2 errors
exit 1

# over a change of version, with rows of earlier days that are new when it takes effect
$ mkdir -p $T/books/kokoah/pay; cp rules/kokoah/pay/v1.lua $T/books/kokoah/pay; sed 's/version = 1,/version = 2,/; s/effective_from = "2023-01-01"/effective_from = "2024-02-12"/; s/credit_smoothing = { 0.3/credit_smoothing = { 0.2/' rules/kokoah/pay/v1.lua > $T/books/kokoah/pay/v2.lua; krules replay kokoah/pay --rules $T/books --data data/kokoah/pay/example --to 2024-02-20
equal: 14 days one after the other, each from what the day before recorded, give the 4548 cells of one run

# a receipt of a day that went on from recorded state holds for a full run
$ for d in 3 4; do krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-0$d --save $T/v.db --resume --receipt $T/v.json --format csv --out $T/v --quiet; done; krules verify $T/v.json --rules tests/cli/books --data tests/cli/data
equal: rules, data and every output sheet are those of the receipt

# state that was damaged, and a book without days
$ cp $T/r.db $T/bad.db; sqlite3 $T/bad.db "update state_row set cells = '{' where day = '2024-01-02' and version = 2"; krules eval shop/points --rules tests/cli/books --data tests/cli/data --day 2024-01-04 --save $T/bad.db --resume
error[E0744]: the state in `$T/bad.db` cannot be gone on from: a row of `account` is not as it was written
  --> $T/bad.db
   = help: run without --resume: it computes every day, and saves the state anew
exit 4

$ krules eval oaia/score --data tests/cases/oaia/score1/in --save $T/bad.db --resume --only agent
error[E0803]: `oaia/score` has no days: no day goes on from another
  --> --resume
exit 2
