# a store of results: saving twice changes nothing, another result is refused, a reason restates it
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/results.db --receipt $T/receipt.json
$ krules eval shop/points --rules tests/cli/books --data tests/cli/data --format csv --out $T/o --save $T/results.db
$ mkdir $T/late && sed 's/4,20/4,21/' tests/cli/data/sale.csv > $T/late/sale.csv && krules eval shop/points --rules tests/cli/books --data $T/late --format csv --out $T/o --save $T/results.db
$ krules eval shop/points --rules tests/cli/books --data $T/late --format csv --out $T/o --save $T/results.db --replace 'a receipt was mistyped'
$ sqlite3 $T/results.db "select book, sheet, day, reason, old_version, new_version from restatement" "select count(*) from result_row"

# a receipt: equal, or what differs
$ sed 's/"[0-9a-f]\{64\}"/"…"/' $T/receipt.json
$ krules verify $T/receipt.json --rules tests/cli/books --data tests/cli/data
$ krules verify $T/receipt.json --rules tests/cli/books --data $T/late
$ krules verify $T/receipt.json --rules tests/cli/books --data $T/late --json
$ krules verify $T/receipt.json --book tests/cli/books/shop/points/v2.lua --data tests/cli/data
$ sed 's/"rows": 8, "sha256": "..../"rows": 8, "sha256": "0000/' $T/receipt.json > $T/false.json; krules verify $T/false.json --rules tests/cli/books --data tests/cli/data
$ echo '{}' > $T/no.json; krules verify $T/no.json --data tests/cli/data
$ krules verify $T/receipt.json

# the same data as JSON Lines or SQLite has the same digest
$ mkdir $T/j && sed 1d tests/cli/data/sale.csv | awk -F, '{ printf "{\"day\":\"%s\",\"customer\":\"%s\",\"receipt\":%s,\"amount\":%s}\n", $2, $1, $3, $4 }' | tac > $T/j/sale.jsonl && krules verify $T/receipt.json --rules tests/cli/books --data $T/j
$ sqlite3 $T/sales.db "create table sale (customer text, day text, receipt integer, amount text)" ".mode csv" ".import --skip 1 tests/cli/data/sale.csv sale" && krules verify $T/receipt.json --rules tests/cli/books --data $T/sales.db
$ mkdir $T/z && gzip -c tests/cli/data/sale.csv > $T/z/sale.csv.gz && krules verify $T/receipt.json --rules tests/cli/books --data $T/z
