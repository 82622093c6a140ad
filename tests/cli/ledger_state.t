# what a version must carry over from the one before it
$ tests/cli/ledger/keys ann && mkdir -p $T/b/shop/points $T/p && cp tests/cli/books/shop/points/v1.lua $T/b/shop/points/ && sed 's/2024-01-03/2024-02-20/' tests/cli/books/shop/points/v2.lua > $T/p/v2.lua && krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --now 2024-01-20
published shop/points v1, in force from 2024-01-01: the first entry of its ledger

# another type, unit, key, sequence
$ sed 's/^account.points.*/account.points = "OR(spent > 3, PREV(points, FALSE))"/; s/points <= 500/points/' $T/p/v2.lua > $T/p/type.lua; krules publish $T/p/type.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.points` reads back what the version before recorded, but its type was number and is boolean now
  --> $T/p/type.lua:21:1
   |
21 | account.points = "OR(spent > 3, PREV(points, FALSE))"
   | ^^^^^^^^^^^^^^
   = help: give the column (or its sheet) another name, and say its history = "blank", "backfill" or a value
exit 5

$ sed 's/^--- All points so far. \[point\]/--- [mile]/; s/\[point\/EUR\]/[mile\/EUR]/' $T/p/v2.lua > $T/p/unit.lua; krules publish $T/p/unit.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.points` reads back what the version before recorded, but its unit was [point] and is [mile] now
  --> $T/p/unit.lua:21:1
   |
21 | account.points = "PREV(points, 0) + rate * spent"
   | ^^^^^^^^^^^^^^
   = help: give the column (or its sheet) another name, and say its history = "blank", "backfill" or a value
exit 5

$ sed 's/sheet("account", { "customer", "day" }, { rows = cross("sale.customer", "day") })/sheet("account", { "customer", "receipt", "day" }, { rows = cross("sale.customer", "sale.receipt", "day") })/; s/"SUM(sale.amount)"/"SUM(sale.amount BY customer, day)"/; s/receipt  = number/receipt  = number { whole = true }/' $T/p/v2.lua > $T/p/key.lua; krules publish $T/p/key.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.points` reads back what the version before recorded, but its key was customer text, day day and is customer text, receipt number, day day now
  --> $T/p/key.lua:21:1
   |
21 | account.points = "PREV(points, 0) + rate * spent"
   | ^^^^^^^^^^^^^^
   = help: give the column (or its sheet) another name, and say its history = "blank", "backfill" or a value
exit 5

$ sed 's/sheet("account", { "customer", "day" }, { rows = cross("sale.customer", "day") })/sheet("account", { "customer", "day" }, { rows = cross("sale.customer", "day"), per = {} })/' $T/p/v2.lua > $T/p/walk.lua; krules publish $T/p/walk.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.points` reads back what the version before recorded, but its sequence was per customer, order day and is per, order day now
  --> $T/p/walk.lua:21:1
   |
21 | account.points = "PREV(points, 0) + rate * spent"
   | ^^^^^^^^^^^^^^
   = help: give the column (or its sheet) another name, and say its history = "blank", "backfill" or a value
exit 5

# renamed without carry, carried from what was never there
$ sed 's/account.points/account.score/; s/PREV(points/PREV(score/; s/points <=/score <=/' $T/p/v2.lua > $T/p/renamed.lua; krules publish $T/p/renamed.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.score` is read back in time and is new in this version: it says no history
  --> $T/p/renamed.lua:21:1
   |
21 | account.score = "PREV(score, 0) + rate * spent"
   | ^^^^^^^^^^^^^
   = help: say history = "blank", "backfill" or a value, or carry it from an earlier name
exit 5

$ (cat $T/p/renamed.lua; echo 'carry { account = { score = "pionts" } }') > $T/p/carried.lua; krules publish $T/p/carried.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
error[E0728]: `account.score` is carried from `pionts`, which the version before does not have
  --> $T/p/carried.lua:21:1
   |
21 | account.score = "PREV(score, 0) + rate * spent"
   | ^^^^^^^^^^^^^
exit 5

# carried under its new name; a name that was retired stays retired
$ (cat $T/p/renamed.lua; echo 'carry { account = { score = "points" } }') > $T/p/v2.lua; krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-01-21
published shop/points v2, in force from 2024-02-20 (30 days of notice, unproven); entry 2 of its ledger

$ sed 's/version = 2/version = 3/; s/02-20/03-20/; s/^carry.*//; s/^local total/account.points = { "spent + PREV(points, 0)", history = "blank" }\n&/' $T/p/v2.lua > $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-01-22
error[E0728]: `account.points` is the name of a column that an earlier version recorded and a later one retired
  --> $T/p/v3.lua:25:1
   |
25 | account.points = { "spent + PREV(points, 0)", history = "blank" }
   | ^^^^^^^^^^^^^^
   = help: give it another name, so that no record can be taken for one of this column
exit 5

# a new one says its history
$ sed -i 's/account.points = /account.bought = /; s/PREV(points/PREV(bought/; s/, history = "blank"//' $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-01-22
error[E0728]: `account.bought` is read back in time and is new in this version: it says no history
  --> $T/p/v3.lua:25:1
   |
25 | account.bought = { "spent + PREV(bought, 0)" }
   | ^^^^^^^^^^^^^^
   = help: say history = "blank", "backfill" or a value, or carry it from an earlier name
exit 5

$ sed -i 's/PREV(bought, 0)"/&, history = 0/' $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-01-22
published shop/points v3, in force from 2024-03-20 (58 days of notice, unproven); entry 3 of its ledger

$ krules log shop/points --rules $T/b --check | sed 's/head .*/head …/'
the ledger holds: 3 entries, head …

# a column that the first version computes but has no reason to keep is read back by the second
$ mkdir -p $T/h/hits $T/hd && printf 'day,n\n2024-01-01,1\n2024-01-02,2\n2024-01-03,4\n2024-01-04,8\n' > $T/hd/hit.csv

$ printf '%s\n' 'rulebook { id = "hits", version = 1, language = 1, effective_from = "2024-01-01", days = { from = "MIN(hit.day)" } }' 'local hit = sheet("hit", { "day" })' 'hit.day = day; hit.n = number' 'local each = sheet("each", { "day" }, { rows = cross("day") })' 'each.twice = "2 * hit.n"' 'each.shown = "twice + 1"' 'output { each = { "shown" } }' > $T/h/hits/v1.lua; sed 's/version = 1/version = 2/; s/from = "2024-01-01"/from = "2024-01-03"/; s/twice + 1/twice + PREV(twice, 0)/' $T/h/hits/v1.lua > $T/p/hits.lua

$ krules publish $T/h/hits/v1.lua --rules $T/h --key $T/ann.pem --now 2023-12-01 && krules publish $T/p/hits.lua --rules $T/h --key $T/ann.pem --now 2023-12-02 && krules eval hits --rules $T/h --data $T/hd --format csv
published hits v1, in force from 2024-01-01: the first entry of its ledger
published hits v2, in force from 2024-01-03 (32 days of notice, unproven); entry 2 of its ledger
day,shown
2024-01-01,3
2024-01-02,5
2024-01-03,12
2024-01-04,24
