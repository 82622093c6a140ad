# a rule file that is not there, or is too large
$ krules check nowhere.lua
error[E0702]: there is no rule file `nowhere.lua`
  --> nowhere.lua
exit 3

$ head -c 1100000 /dev/zero | tr '\0' '-' >$T/large.lua; krules check $T/large.lua
error[E0314]: the rule file is larger than 1 MB
  --> $T/large.lua
exit 3

# a number that a database keeps in binary
$ sqlite3 $T/tips.db "CREATE TABLE shift (day TEXT, name TEXT, hours REAL, tips TEXT); INSERT INTO shift VALUES ('2024-01-02', 'ann', 0.1, '7')"; krules eval examples/five-lines/tips.lua --data $T/tips.db
error[E0510]: `0.1` is a REAL cell, a binary number
  --> $T/tips.db:shift:rowid 1
   = row: shift[day=2024-01-02, name=ann].hours
   = help: store it as TEXT, as it was written
exit 4

# places where nothing can be written
$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --format csv --out /dev/null/result
error[E0701]: folder `/dev/null` cannot be made: there is a file of that name
  --> /dev/null
exit 4

$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --format json --out $T/no/such/folder.json
error[E0701]: `$T/no/such/folder.json` cannot be created: No such file or directory
  --> $T/no/such/folder.json
exit 4

$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --save /dev/null/results.db
{"sheet":"shift","day":"2024-03-01","name":"ann","hours":6,"tips":41.5,"paid":28.697142857142857143}
{"sheet":"shift","day":"2024-03-01","name":"bo","hours":4,"tips":12,"paid":19.131428571428571429}
{"sheet":"shift","day":"2024-03-01","name":"cy","hours":7.5,"tips":30.2,"paid":35.871428571428571429}
{"sheet":"shift","day":"2024-03-02","name":"ann","hours":8,"tips":55,"paid":37.55}
{"sheet":"shift","day":"2024-03-02","name":"bo","hours":8,"tips":20.1,"paid":37.55}
error[E0701]: the results store `/dev/null/results.db` cannot be written: unable to open database file
  --> /dev/null/results.db
exit 4

$ krules eval examples/five-lines/tips.lua --data examples/five-lines/data --receipt $T/no/such/receipt.json >/dev/null
error[E0701]: `$T/no/such/receipt.json` cannot be created: No such file or directory
  --> $T/no/such/receipt.json
exit 4

# a notice shorter than the rules ask for is named and changes nothing
$ cp -r tests/cases/oaia/stop1/in $T/in; printf 'time,effective\n1776000000000,1776600000000\n' >$T/in/notice.csv; krules eval oaia/stop --data $T/in --day 2026-04-12 --only epoch.state
warning[W0820]: the expectation `a notice shorter than the operator owes has no effect` does not hold for 1 row of `notice`
   --> rules/oaia/stop/v1.lua:330:1
    |
330 | warn(notice, "a notice shorter than the operator owes has no effect", "valid")
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = row: notice[time=1776000000000, effective=1776600000000]
{"sheet":"epoch","day":"2026-04-12","state":"running"}
