# a store of results: saving twice changes nothing, another result is refused, a reason restates it
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/results.db --receipt $T/receipt.json
wrote $T/o
saved in $T/results.db: 8 days of sheets
receipt in $T/receipt.json; check it with `krules verify $T/receipt.json --data tests/cli/data`

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/results.db
wrote $T/o
saved in $T/results.db: nothing new

$ mkdir $T/late && sed 's/4,20/4,21/' tests/cli/data/sale.csv > $T/late/sale.csv && krules eval shop/points --rules tests/cli/books --data $T/late --format csv --out $T/o --save $T/results.db
wrote $T/o
error[E0705]: `$T/results.db` has another result of 2024-01-03 for sheet `account`: "spent":"20" there, "spent":"21" here
  --> account[customer=bob, day=2024-01-03]
   = help: to restate it, say why: --replace 'REASON'
error[E0705]: `$T/results.db` has another result of 2024-01-04 for sheet `account`: "points":"68" there, "points":"71" here
  --> account[customer=bob, day=2024-01-04]
error[E0705]: `$T/results.db` has another result of 2024-01-03 for sheet `total`: "spent":"20" there, "spent":"21" here
  --> total[day=2024-01-03]
3 errors
exit 1

$ krules eval shop/points --rules tests/cli/books --data $T/late --format csv --out $T/o --save $T/results.db --replace 'a receipt was mistyped'
wrote $T/o
saved in $T/results.db: 3 days of sheets

$ sqlite3 $T/results.db "select book, sheet, day, reason, old_version, new_version from restatement" "select count(*) from result_row"
shop/points|account|2024-01-03|a receipt was mistyped|2|2
shop/points|account|2024-01-04|a receipt was mistyped|2|2
shop/points|total|2024-01-03|a receipt was mistyped|2|2
12

# a receipt: equal, or what differs
$ sed 's/"[0-9a-f]\{64\}"/"…"/' $T/receipt.json
{
  "receipt": 1,
  "engine": "krules 0.1.0",
  "book": "shop/points",
  "versions": [
    { "version": 1, "file": "tests/cli/books/shop/points/v1.lua", "sha256": "…" },
    { "version": 2, "file": "tests/cli/books/shop/points/v2.lua", "sha256": "…" }
  ],
  "from": "2024-01-01",
  "to": "2024-01-04",
  "data_sha256": "…",
  "tables": [
    { "name": "sale", "rows": 5, "sha256": "…" }
  ],
  "output_sha256": "…",
  "sheets": [
    { "name": "account", "rows": 8, "sha256": "…" },
    { "name": "total", "rows": 4, "sha256": "…" }
  ]
}

$ krules verify $T/receipt.json --rules tests/cli/books --data tests/cli/data
equal: rules, data and every output sheet are those of the receipt

$ krules verify $T/receipt.json --rules tests/cli/books --data $T/late
error[E0707]: table `sale` differs: 5 rows, sha256 b744cd9818c7c762… in the receipt; 5 rows, b2bc898d0f74e94b… here
  --> $T/receipt.json
error[E0707]: sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 8 rows, 66c81b5cd72145ea… here
  --> $T/receipt.json
error[E0707]: sheet `total` differs: 4 rows, sha256 42273e5604963939… in the receipt; 4 rows, a6cd3ed32c1b0c3a… here
  --> $T/receipt.json
error[E0707]: so the result differs because of other data
  --> $T/receipt.json
4 errors
exit 1

$ krules verify $T/receipt.json --rules tests/cli/books --data $T/late --json
{"receipt":"$T/receipt.json","equal":false}
{"code":"E0707","severity":"error","message":"table `sale` differs: 5 rows, sha256 b744cd9818c7c762… in the receipt; 5 rows, b2bc898d0f74e94b… here","place":"$T/receipt.json"}
{"code":"E0707","severity":"error","message":"sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 8 rows, 66c81b5cd72145ea… here","place":"$T/receipt.json"}
{"code":"E0707","severity":"error","message":"sheet `total` differs: 4 rows, sha256 42273e5604963939… in the receipt; 4 rows, a6cd3ed32c1b0c3a… here","place":"$T/receipt.json"}
{"code":"E0707","severity":"error","message":"so the result differs because of other data","place":"$T/receipt.json"}
exit 1

$ krules verify $T/receipt.json --book tests/cli/books/shop/points/v2.lua --data tests/cli/data
error[E0707]: version 1 of the rules is used in the receipt, but not here
  --> $T/receipt.json
error[E0707]: sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 8 rows, cd7cd932ebdd4f6f… here
  --> $T/receipt.json
error[E0707]: so the result differs because of other rules
  --> $T/receipt.json
3 errors
exit 1

$ sed 's/"rows": 8, "sha256": "..../"rows": 8, "sha256": "0000/' $T/receipt.json > $T/false.json; krules verify $T/false.json --rules tests/cli/books --data tests/cli/data
error[E0707]: sheet `account` differs: 8 rows, sha256 0000b5bd552f6dae… in the receipt; 8 rows, aeb1b5bd552f6dae… here
  --> $T/false.json
error[E0707]: rules and data are those of the receipt, so the engine differs (krules 0.1.0 there, krules 0.1.0 here) or the receipt is false
  --> $T/false.json
   = help: run the engine version that the receipt names, too
2 errors
exit 1

$ echo '{}' > $T/no.json; krules verify $T/no.json --data tests/cli/data
error[E0706]: `$T/no.json` is not a receipt of krules
  --> $T/no.json
exit 2

$ krules verify $T/receipt.json
error[E0803]: verify needs the data that the receipt is about
   = help: --data PATH: a folder of tables, or a SQLite database
exit 2

# with the published files: the first cells that differ
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/p --receipt $T/p/receipt.json --quiet; krules verify $T/p/receipt.json --rules tests/cli/books --data $T/late
error[E0707]: table `sale` differs: 5 rows, sha256 b744cd9818c7c762… in the receipt; 5 rows, b2bc898d0f74e94b… here
  --> $T/p/receipt.json
error[E0707]: sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 8 rows, 66c81b5cd72145ea… here
  --> $T/p/receipt.json
error[E0707]: sheet `total` differs: 4 rows, sha256 42273e5604963939… in the receipt; 4 rows, a6cd3ed32c1b0c3a… here
  --> $T/p/receipt.json
error[E0707]: `20` was published, `21` comes out here
  --> account[customer=bob, day=2024-01-03].spent
error[E0707]: `68` was published, `71` comes out here
  --> account[customer=bob, day=2024-01-03].points
error[E0707]: `68` was published, `71` comes out here
  --> account[customer=bob, day=2024-01-04].points
error[E0707]: `20` was published, `21` comes out here
  --> total[day=2024-01-03].spent
error[E0707]: so the result differs because of other data
  --> $T/p/receipt.json
8 errors
exit 1

$ mkdir $T/more && sed '/4,20/d' tests/cli/data/sale.csv > $T/more/sale.csv && echo 'carl,2024-01-02,7,9' >> $T/more/sale.csv && krules verify $T/receipt.json --published $T/p --rules tests/cli/books --data $T/more
error[E0707]: table `sale` differs: 5 rows, sha256 b744cd9818c7c762… in the receipt; 5 rows, 25ddc51b3a9a9bdc… here
  --> $T/receipt.json
error[E0707]: sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 12 rows, 336bd5a6147c674d… here
  --> $T/receipt.json
error[E0707]: sheet `total` differs: 4 rows, sha256 42273e5604963939… in the receipt; 4 rows, 78897a1931a5f5b1… here
  --> $T/receipt.json
error[E0707]: `1` was published, `0.027027027027027027` comes out here
  --> account[customer=ann, day=2024-01-02].part
error[E0707]: `0` was published, `#DIV/0!` comes out here
  --> account[customer=ann, day=2024-01-03].part
error[E0707]: `20` was published, `0` comes out here
  --> account[customer=bob, day=2024-01-03].spent
error[E0707]: `68` was published, `8` comes out here
  --> account[customer=bob, day=2024-01-03].points
error[E0707]: `1` was published, `#DIV/0!` comes out here
  --> account[customer=bob, day=2024-01-03].part
error[E0707]: `0.25` was published, `9.25` comes out here
  --> total[day=2024-01-02].spent
error[E0707]: `20` was published, `0` comes out here
  --> total[day=2024-01-03].spent
error[E0707]: so the result differs because of other data
  --> $T/receipt.json
11 errors
exit 1

$ cp -r $T/p $T/forged; sed -i 's/68/69/' $T/forged/account.csv; krules verify $T/receipt.json --published $T/forged --rules tests/cli/books --data $T/late
error[E0707]: table `sale` differs: 5 rows, sha256 b744cd9818c7c762… in the receipt; 5 rows, b2bc898d0f74e94b… here
  --> $T/receipt.json
error[E0707]: sheet `account` differs: 8 rows, sha256 aeb1b5bd552f6dae… in the receipt; 8 rows, 66c81b5cd72145ea… here
  --> $T/receipt.json
error[E0707]: sheet `total` differs: 4 rows, sha256 42273e5604963939… in the receipt; 4 rows, a6cd3ed32c1b0c3a… here
  --> $T/receipt.json
error[E0707]: `20` was published, `21` comes out here
  --> total[day=2024-01-03].spent
error[E0707]: so the result differs because of other data
  --> $T/receipt.json
5 errors
exit 1

# published files that were changed, where all else agrees; a row more; a selection says so
$ krules verify $T/receipt.json --published $T/forged --rules tests/cli/books --data tests/cli/data
error[E0707]: `0.275862069965517241` was published, `0.275862068965517241` comes out here
  --> account[customer=bob, day=2024-01-01].part
error[E0707]: `69` was published, `68` comes out here
  --> account[customer=bob, day=2024-01-03].points
error[E0707]: `69` was published, `68` comes out here
  --> account[customer=bob, day=2024-01-04].points
error[E0707]: the file is not what the receipt is of: sheet `account` comes out as the receipt says, the file says otherwise
  --> $T/forged/account.csv
4 errors
exit 1

$ tail -1 $T/p/account.csv | sed 's/^[a-z]*/dora/' >> $T/p/account.csv; krules verify $T/p/receipt.json --rules tests/cli/books --data tests/cli/data
error[E0707]: the row was published, but is not here
  --> account[dora, 2024-01-04]
error[E0707]: the file is not what the receipt is of: sheet `account` comes out as the receipt says, the file says otherwise
  --> $T/p/account.csv
2 errors
exit 1

$ mkdir $T/odd; sed '1s/points/points2/' $T/forged/account.csv > $T/odd/account.csv; krules verify $T/receipt.json --published $T/odd --rules tests/cli/books --data tests/cli/data | tail -1; sed 's/$/\r/' $T/forged/total.csv > $T/odd/total.csv; rm $T/odd/account.csv; krules verify $T/receipt.json --published $T/odd --rules tests/cli/books --data tests/cli/data
error[E0707]: sheet `account` has no column `points2`, or the file has it twice
  --> $T/odd/account.csv
error[E0707]: `0.275862069965517241` was published, `0.275862068965517241` comes out here
  --> account[customer=bob, day=2024-01-01].part
error[E0707]: the file is not what the receipt is of: sheet `account` comes out as the receipt says, the file says otherwise
  --> $T/odd/account.csv
3 errors
equal: rules, data and every output sheet are those of the receipt

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --only account.points --format csv --out $T/less --receipt $T/less/receipt.json --quiet; krules verify $T/less/receipt.json --rules tests/cli/books --data tests/cli/data
note[N0709]: the file holds 8 of the 8 rows of `account`, 3 of its 5 columns: they are those of the receipt
  --> $T/less/account.csv
equal: rules, data and every output sheet are those of the receipt

# the same data as JSON Lines or SQLite has the same digest
$ mkdir $T/j && sed 1d tests/cli/data/sale.csv | awk -F, '{ printf "{\"day\":\"%s\",\"customer\":\"%s\",\"receipt\":%s,\"amount\":%s}\n", $2, $1, $3, $4 }' | tac > $T/j/sale.jsonl && krules verify $T/receipt.json --rules tests/cli/books --data $T/j
equal: rules, data and every output sheet are those of the receipt

$ sqlite3 $T/sales.db "create table sale (customer text, day text, receipt integer, amount text)" ".mode csv" ".import --skip 1 tests/cli/data/sale.csv sale" && krules verify $T/receipt.json --rules tests/cli/books --data $T/sales.db
equal: rules, data and every output sheet are those of the receipt

$ mkdir $T/z && gzip -c tests/cli/data/sale.csv > $T/z/sale.csv.gz && krules verify $T/receipt.json --rules tests/cli/books --data $T/z
equal: rules, data and every output sheet are those of the receipt

# killed at any moment, the store and the files are the old ones or the new ones
$ run="krules eval kokoah/pay --data tests/cases/kokoah/small/in --format csv --quiet"; $run --out $T/k --save $T/full.db; full=$(sqlite3 $T/full.db "select count(*) from result_row"); for i in 01 02 03 04 05 06 08 13; do $run --out $T/k --save $T/$i.db 2>/dev/null & sleep 0.$i; kill -9 $! 2>/dev/null; wait $! 2>/dev/null; echo "$(sqlite3 $T/$i.db "pragma integrity_check") $(sqlite3 $T/$i.db "select count(*) from result_row" 2>/dev/null)"; done | grep -v -x -e "ok " -e "ok 0" -e "ok $full"; wc -l < $T/k/account.csv
95

# a row that was there and is not there now is a difference, also where it was the only one of its day
$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --save $T/tips.db --quiet --format csv --out $T/tips; mkdir $T/fewer; sed '/-02,/d' examples/five-lines/data/shift.csv > $T/fewer/shift.csv; krules eval examples/five-lines/tips.lua --data $T/fewer --save $T/tips.db --format csv --out $T/tips
wrote $T/tips
error[E0705]: 2 rows of sheet `shift` stored for 2024-03-02 are not in this result
  --> $T/tips.db
exit 1

$ krules eval examples/five-lines/tips.lua --data $T/fewer --save $T/tips.db --format csv --out $T/tips --replace 'the second evening was a rehearsal'; sqlite3 $T/tips.db "select day, reason, old_output_sha256 <> new_output_sha256 from restatement" "select count(*) from result_row where day = '2024-03-02'"
wrote $T/tips
saved in $T/tips.db: 1 days of sheets
2024-03-02|the second evening was a rehearsal|1
0

# other columns than were stored are told from other cells; part of a day's rows is not stored
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/columns.db --only account.points --day 2024-01-04 --quiet; krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/columns.db --only account --day 2024-01-04 --quiet
error[E0705]: `$T/columns.db` holds other columns of sheet `account` for 2024-01-04: "points" there, "spent" here
  --> account[customer=ann, day=2024-01-04]
   = help: save the same columns each time (--only), or restate the day: --replace 'REASON'
error[E0705]: `$T/columns.db` holds other columns of sheet `account` for 2024-01-04: "points" there, "spent" here
  --> account[customer=bob, day=2024-01-04]
2 errors
exit 1

$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --save $T/columns.db --where 'points > 30'
error[E0803]: --save keeps whole days, and --where takes rows out of them
  --> --where
   = help: leave one of them out; --only chooses sheets and columns
exit 2
