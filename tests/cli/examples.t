# every example of examples/ runs
$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --format table
shift  5 rows
day         name  hours  tips     paid
2024-03-01  ann       6  41.5  28.6971
2024-03-01  bo        4    12  19.1314
2024-03-01  cy      7.5  30.2  35.8714
2024-03-02  ann       8    55    37.55
2024-03-02  bo        8  20.1    37.55
numbers are shortened; every digit: --format csv --out DIR

$ krules eval examples/loyalty/loyalty.lua --data examples/loyalty/data --format table
card  2025-01-20  2 rows
customer  day         spent  tier    earned  redeemed  balance
                      [EUR]         [point]   [point]  [point]
ann       2025-01-20     12  plain       12         0       73
bo        2025-01-20      0  gold         0         0     1269
total                    12              12         0     1342
numbers are shortened; all days (2024-01-05 to 2025-01-20) with every digit: --format csv --out DIR

# a program that embeds libkrules
$ ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I. -o $T/embed examples/embed/embed.c $KRULES_DIR/libkrules.a $(pkg-config --libs lua5.4 sqlite3 libcjson libcrypto mpfr gmp) -lz -lpthread

$ $T/embed examples/five-lines/tips.lua examples/five-lines/data shift paid
2024-03-01	ann	28.697142857142857143
2024-03-01	bo	19.131428571428571429
2024-03-01	cy	35.871428571428571429
2024-03-02	ann	37.55
2024-03-02	bo	37.55

$ $T/embed examples/five-lines/tips.lua nowhere shift paid
error[E0501]: `nowhere` cannot be read: No such file or directory
  --> nowhere
   = help: give a folder of NAME.csv or NAME.jsonl files, or a SQLite database
exit 4
