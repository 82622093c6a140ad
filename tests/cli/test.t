$ krules test examples/loyalty/loyalty.lua
ok    example/loyalty v1: silver after five hundred points, with a bonus from the next sale on (10 cells)
1 passed, 0 failed

$ krules test examples/loyalty/loyalty.lua --json
{"book":"example/loyalty","version":1,"example":"silver after five hundred points, with a bonus from the next sale on","holds":true,"cells":10}

$ sed "s/points = 22/points = 23/" docs/language.md | awk "/^\`\`\`lua/ { on = 1; next } /^\`\`\`/ { on = 0; exit } on" > $T/x.lua; krules test $T/x.lua
error[E0808]: `two customers`: `customer.points` is 22, not 23
  --> $T/x.lua:25:25
   |
25 |   expect = { customer = { { customer = "ann", spent = "11.4", points = 23 }, { customer = "bo", spent = 3, points = 6 } } } })
   |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = note: in the row customer[customer=ann, spent=11.4, points=23]
FAIL  example/points v1: two customers (6 cells)
0 passed, 1 failed
exit 1

# a key twice in an example is shown where it stands
$ sed 's/customer = "bo", number = 2/customer = "ann", number = 1/' docs/language.md | awk "/^\`\`\`lua/ { on = 1; next } /^\`\`\`/ { on = 0; exit } on" > $T/x.lua; krules test $T/x.lua
error[E0508]: example `two customers`: row 2 has the key of row 1, with another `amount`: `3`, not `10.4`
  --> $T/x.lua:23:10
   |
23 |   sale = { { customer = "ann", number = 1, amount = "10.40" }, { customer = "ann", number = 1, amount = 3 },
   |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = row: sale[customer=ann, number=1]
FAIL  example/points v1: two customers (0 cells)
0 passed, 1 failed
exit 4
