$ krules calc '0.1 + 0.2'
0.3

$ krules calc '=1/3' '2/3'
0.333333333333333333
0.666666666666666667

$ krules calc 'PSR({0.01, -0.002, 0.013, 0.004}, 0.03)'
0.909439231542158176

$ krules calc '1/0'
#DIV/0!

$ krules calc "'a' & 'b'" 'TRUE' '1 < 2' "DAY('2024-02-29') + 1"
ab
true
true
2024-03-01

$ printf '%s\n' '1 + 1' '1 +' 'SQRT(2)' 'SQRTT(2)' | krules calc
2
error[E0204]
error[E0204]: a value is missing after `+`, where the formula ends
 --> <formula>:1:3
  |
1 | 1 +
  |   ^
1.414213562373095049
error[E0223]
error[E0223]: there is no function `SQRTT`
 --> <formula>:1:1
  |
1 | SQRTT(2)
  | ^^^^^
  = help: did you mean `SQRT`?
exit 3

$ echo 'ROUND(2.5, 0)' | krules calc - --json
{"formula":"ROUND(2.5, 0)","type":"number","value":"3","error":false}

$ krules calc '1 + x'
error[E0220]: nothing here is called `x`
 --> <formula>:1:5
  |
1 | 1 + x
  |     ^
exit 3

$ krules calc 'SUM(1, 2' --json
{"code":"E0202","severity":"error","message":"this bracket is not closed","file":"<formula>","line":1,"column":4,"end_column":5,"help":["add `)`"]}
exit 3

# a formula may begin with a sign
$ krules calc '-2 ^ 2' '-.5' '-(1 + 1)'
4
-0.5
-2

$ krules calc 1 > /dev/full
error[E0701]: standard output cannot be written
exit 4

$ printf "1 + 1\n\nSUM({1, 2})\n" | krules calc
2

3
