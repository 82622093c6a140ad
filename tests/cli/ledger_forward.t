# 100 days of the pay rule; on the 51st another version takes effect: smoothing, cap, emission and a formula change
$ tests/cli/ledger/keys ann && mkdir -p $T/b/kokoah/pay && cp rules/kokoah/pay/v1.lua $T/b/kokoah/pay/ && sed -f tests/cli/ledger/v2.sed rules/kokoah/pay/v1.lua > $T/v2.lua && diff rules/kokoah/pay/v1.lua $T/v2.lua | grep '^>'
>   id = "kokoah/pay", version = 2, language = 1, title = "Kokoah pay rule",
>   effective_from = "2024-02-07", notice_days = 14,
> param.credit_smoothing = { 0.25, min = 0, max = 1 }
> param.skill_smoothing = { 0.4, min = 0, max = 1 }
> param.emission = { 6000, min = 0 }
> param.return_cap = { "8%", min = 0, max = 1 }
> account.gates        = "AND(OR(round_trips >= gate_trips, active_days >= gate_active), COALESCE(mean_account >= gate_value, FALSE))"

$ krules publish $T/b/kokoah/pay/v1.lua --rules $T/b --key $T/ann.pem --now 2023-12-01 && krules publish $T/v2.lua --rules $T/b --key $T/ann.pem --now 2024-01-24
published kokoah/pay v1, in force from 2023-01-01: the first entry of its ledger
published kokoah/pay v2, in force from 2024-02-07 (14 days of notice, unproven); entry 2 of its ledger

# the same as one file, cut by hand
$ sed -f tests/cli/ledger/cut.sed rules/kokoah/pay/v1.lua > $T/cut.lua; diff rules/kokoah/pay/v1.lua $T/cut.lua | grep '^>'
> account.smoothed = "(1 - IF(day < DATE(2024, 2, 7), 0.3, 0.25)) * IF(reset, 0, PREV(smoothed, 0)) + IF(day < DATE(2024, 2, 7), 0.3, 0.25) * credit"
> account.ret        = "CLIP(raw_return, -IF(day < DATE(2024, 2, 7), 10%, 8%), IF(day < DATE(2024, 2, 7), 10%, 8%))"
> account.g          = "(1 - IF(day < DATE(2024, 2, 7), 0.3, 0.4)) * PREV(g, 0) + IF(day < DATE(2024, 2, 7), 0.3, 0.4) * confidence * quality"
> account.gates        = "AND(IF(day < DATE(2024, 2, 7), AND(round_trips >= gate_trips, active_days >= gate_active), OR(round_trips >= gate_trips, active_days >= gate_active)), COALESCE(mean_account >= gate_value, FALSE))"
> day.miner_pool  = "IF(day < DATE(2024, 2, 7), emission, AS(6000, 'alpha')) * miners_share"

$ krules eval kokoah/pay --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --format csv --out $T/span --quiet && krules eval $T/cut.lua --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --format csv --out $T/cut --quiet && diff -r $T/span $T/cut && sed 1d $T/span/day.csv | wc -l
100

# no earlier day moves by a digit: what the first version gave up to its last day is in the long run, row by row
$ krules eval kokoah/pay@1 --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-02-06 --format csv --out $T/before --quiet; for f in account day report; do grep -E '(^|,)(2023-|2024-01-|2024-02-0[1-6])' $T/span/$f.csv > $T/rows; sed 1d $T/before/$f.csv | cmp - $T/rows && echo "$f: $(wc -l < $T/rows) rows, the same"; done
account: 586 rows, the same
day: 50 rows, the same
report: 74 rows, the same

# and from that day on the rows are others
$ krules eval kokoah/pay@1 --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --format csv --out $T/one --quiet; for f in account day; do diff $T/span/$f.csv $T/one/$f.csv | grep '^>' | grep -Eo '(20[0-9]{2}-[0-9-]+)' | sort -u | sed -n '1p; $p'; done
2024-02-07
2024-03-27
2024-02-07
2024-03-27

# a late day alone is the same row
$ krules eval kokoah/pay --rules $T/b --data tests/cases/kokoah/long/in --day 2024-03-27 --format csv --out $T/late --quiet; for f in account day report; do grep 2024-03-27 $T/span/$f.csv > $T/rows; sed 1d $T/late/$f.csv | cmp - $T/rows && echo "$f: the same"; done
account: the same
day: the same
report: the same

# a version that starts in the future changes nothing before it, nor does one that is withdrawn
$ sed 's/version = 2/version = 3/; s/2024-02-07/2030-01-01/; s/0.25/0.9/' $T/v2.lua > $T/v3.lua; krules publish $T/v3.lua --rules $T/b --key $T/ann.pem --now 2024-03-01 && krules eval kokoah/pay --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --format csv --out $T/coming --quiet && diff -r $T/span $T/coming && echo same
published kokoah/pay v3, in force from 2030-01-01 (2132 days of notice, unproven); entry 3 of its ledger
same

$ krules withdraw kokoah/pay@3 --rules $T/b --key $T/ann.pem --now 2024-03-02 && krules eval kokoah/pay --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --format csv --out $T/gone --quiet && diff -r $T/span $T/gone && echo same
withdrew kokoah/pay v3; entry 4 of its ledger
same

# one core or all
$ krules eval kokoah/pay --rules $T/b --data tests/cases/kokoah/long/in --from 2023-12-19 --to 2024-03-27 --threads 1 --format csv --out $T/alone --quiet && diff -r $T/span $T/alone && echo same
same

$ krules log kokoah/pay --rules $T/b --now 2024-03-02 --param emission
v1   from 2023-01-01  ended
     7200 [alpha]
v2   from 2024-02-07  in force
     6000 [alpha]

$ krules log kokoah/pay --rules $T/b --now 2024-03-02 --formula account.gates
v1   from 2023-01-01  ended
     AND(round_trips >= gate_trips, active_days >= gate_active, COALESCE(mean_account >= gate_value, FALSE))
v2   from 2024-02-07  in force
     AND(OR(round_trips >= gate_trips, active_days >= gate_active), COALESCE(mean_account >= gate_value, FALSE))
