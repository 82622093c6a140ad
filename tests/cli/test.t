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
