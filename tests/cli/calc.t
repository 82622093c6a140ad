$ krules calc '0.1 + 0.2'
$ krules calc '=1/3' '2/3'
$ krules calc 'PSR({0.01, -0.002, 0.013, 0.004}, 0.03)'
$ krules calc '1/0'
$ krules calc "'a' & 'b'" 'TRUE' '1 < 2' "DAY('2024-02-29') + 1"
$ printf '%s\n' '1 + 1' '1 +' 'SQRT(2)' 'SQRTT(2)' | krules calc
$ echo 'ROUND(2.5, 0)' | krules calc - --json
$ krules calc '1 + x'
$ krules calc 'SUM(1, 2' --json
