# every combination, the last varying fastest
$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1..2/0.5 --data tests/cli/data --show 'MAX(account.points BY ())' --show 'SUM(account.spent BY ())' --format table
rate  MAX(account.points BY ())  SUM(account.spent BY ())
   1                         24                     35.75
 1.5                         36                     35.75
   2                         48                     35.75

$ krules sweep shop/points --rules tests/cli/books --vary rate=1,2.5 --data tests/cli/data --show 'MAX(account.points BY ())' --to 2024-01-02
rate,MAX(account.points BY ())
1,10.75
2.5,26.875

# parts, run by GNU parallel where it is installed, and put together: the bytes of the whole, and its receipt
$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=0..10/1 --data tests/cli/data --show 'MAX(account.points BY ())' -o $T/whole.csv --quiet; if command -v parallel >/dev/null; then seq 3 | HOME=$T parallel --will-cite -j 2 krules sweep tests/cli/books/shop/points/v1.lua --vary rate=0..10/1 --data tests/cli/data --show "'MAX(account.points BY ())'" --part {}/3 -o $T/part{}.csv --quiet; else for i in 1 2 3; do krules sweep tests/cli/books/shop/points/v1.lua --vary rate=0..10/1 --data tests/cli/data --show 'MAX(account.points BY ())' --part $i/3 -o $T/part$i.csv --quiet; done; fi; krules sweep --merge $T/part3.csv $T/part1.csv $T/part2.csv -o $T/merged.csv; cmp $T/merged.csv $T/whole.csv; cmp $T/merged.csv.receipt.json $T/whole.csv.receipt.json; cat $T/whole.csv.receipt.json
wrote $T/merged.csv and its receipt: 11 variants
{
  "sweep_receipt": 1,
  "engine": "krules 0.1.0",
  "book": "shop/points",
  "file_sha256": "f6f49ea182369d2994f891a595bd70e5c3d40f7b32403019cd983e68f007b03a",
  "data_sha256": "b36d31e278f36b5dae561f7a743466cc1049f00f898bcdb5dadeb5413fea49dc",
  "to": "",
  "vary": ["rate=0..10/1"],
  "show": ["MAX(account.points BY ())"],
  "part": 0,
  "parts": 0,
  "first": 0,
  "rows": 11,
  "all": 11,
  "output_sha256": "560ed758bdd7a3299ef0aa41618debc53dbd5f38724d42b7982bb6ca2d3f0a5d"
}

# the result does not depend on the number of cores
$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=0..10/1 --data tests/cli/data --show 'MAX(account.points BY ())' --threads 1 | cmp - $T/whole.csv

# parts that do not fit
$ krules sweep --merge $T/part1.csv $T/part3.csv
error[E0743]: part 2 of 3 is missing
  --> $T/part1.csv
exit 4

$ krules sweep --merge $T/part1.csv $T/part2.csv $T/part2.csv
error[E0743]: part 2 is there twice: also $T/part2.csv
  --> $T/part2.csv
exit 4

$ sed -i 's/48/49/' $T/part1.csv; krules sweep --merge $T/part1.csv $T/part2.csv $T/part3.csv
error[E0743]: the file is not as it was written: its receipt names another digest
  --> $T/part1.csv
exit 4

$ krules sweep tests/cli/books/shop/points/v2.lua --vary rate=0..10/1 --data tests/cli/data --show 'MAX(account.points BY ())' --part 1/3 -o $T/part1.csv --quiet; krules sweep --merge $T/part2.csv $T/part1.csv $T/part3.csv
error[E0743]: not a part of the same sweep as $T/part2.csv: it is about other rules
  --> $T/part1.csv
exit 4

# a chart, JSON
$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1..3/1 --data tests/cli/data --show 'MAX(account.points BY ())' --format svg | grep -e polyline -e '<title'
<title>shop/points</title>
<g fill="#1f5fa8" stroke="#1f5fa8"><polyline fill="none" points="150,274 470,154 790,34 "/><circle cx="150" cy="274" r="2.5"/><circle cx="470" cy="154" r="2.5"/><circle cx="790" cy="34" r="2.5"/></g>

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1..2/1 --data tests/cli/data --show 'MAX(account.points BY ())' --json
[
 {"rate": "1", "MAX(account.points BY ())": "24"},
 {"rate": "2", "MAX(account.points BY ())": "48"}
]

# the pay rule, whole
$ krules sweep kokoah/pay --vary credit_smoothing=0.2..0.4/0.1 --data data/kokoah/pay/example --show 'SUM(account.smoothed BY ())' --show 'COUNTIF(account.gates BY ())'
credit_smoothing,SUM(account.smoothed BY ()),COUNTIF(account.gates BY ())
0.2,1689.143195494754227242,347
0.3,1777.422903075150930816,347
0.4,1820.766114204874209461,347

# what cannot be
$ krules sweep kokoah/pay --vary credit_smoothing=0.5..1.5/0.5 --data data/kokoah/pay/example --show 'SUM(account.pay BY ())'
error[E0803]: `credit_smoothing=0.5..1.5/0.5`: 1.5 is outside the range that `credit_smoothing` declares
  --> --vary
   = help: from 0 to 1
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rat=1..2/1 --data tests/cli/data --show 'MAX(account.points BY ())'
error[E0804]: there is no parameter `rat`
  --> --vary
   = help: did you mean `rate`?
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=2..1/1 --data tests/cli/data --show 'MAX(account.points BY ())'
error[E0803]: `rate=2..1/1`: the step must be above 0, and the range must not run backwards
  --> --vary
   = help: name=first..last/step
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1..2/0.0000000001 --data tests/cli/data --show 'MAX(account.points BY ())'
error[E0803]: `rate=1..2/0.0000000001`: more than a million values
  --> --vary
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1,2 --vary rate=3 --data tests/cli/data --show 'MAX(account.points BY ())'
error[E0803]: `rate=3`: the parameter is varied twice
  --> --vary
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1,2 --data tests/cli/data --show 'MAX(account.pints BY ())'
error[E0221]: sheet `account` has no column `pints`
 --> --show:1:13
  |
1 | MAX(account.pints BY ())
  |             ^^^^^
  = help: did you mean `points`?
exit 3

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1,2 --data tests/cli/data --show 'points'
error[E0220]: nothing here is called `points`
 --> --show:1:1
  |
1 | points
  | ^^^^^^
  = help: sheet `account` has a column of this name: `account.points`
exit 3

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1,2 --data tests/cli/data
error[E0803]: sweep needs what to vary, what to show, and data
   = help: --vary name=a..b/step --show FORMULA --data PATH
exit 2

$ krules sweep tests/cli/books/shop/points/v1.lua --vary rate=1,2 --data tests/cli/data --show 'MAX(account.points BY ())' --part 4/3
error[E0803]: `4/3` names no part
  --> --part
   = help: --part 2/4: the second of four
exit 2
