# the neurons of the last example day, one uid a miner, and some that are no miners
$ (echo day,hotkey,uid; tail -n +2 data/kokoah/pay/example/identity.csv | cut -d, -f2 | sort -u | awk '{ printf "2024-03-18,%s,%d\n", $0, NR * 3 }'; echo 2024-03-18,burn,0; echo 2024-03-18,other,7; echo 2024-03-17,burn,4) > $T/neuron.csv

$ krules weights --data data/kokoah/pay/example --day 2024-03-18 --neurons $T/neuron.csv --burn-hotkey burn --quiet | tee $T/out.json
{"day":"2024-03-18","burned":false,"uids":[3,6,9,12,15,18,21,27,30,33],"weights":[2008,911,467,6262,17196,3125,9066,2435,15287,8778]}

# they add up, and are the weights of the accounts
$ python3 -c "import json, sys; d = json.load(open(sys.argv[1])); assert sum(d['weights']) == 65535 and len(d['uids']) == len(d['weights']) and 0 not in d['weights']" $T/out.json

$ krules weights --data data/kokoah/pay/example --day 2024-03-18 --neurons $T --format csv --quiet | tail -n +2 | cut -d, -f3 | sort > $T/ours; krules eval kokoah/pay --data data/kokoah/pay/example --day 2024-03-18 --only account.weight --format csv --out - --quiet | cut -d, -f3 | grep '^[1-9]' | sort | diff - $T/ours

# with the zeros: every neuron of the day
$ krules weights --data data/kokoah/pay/example --day 2024-03-18 --neurons $T --format csv --keep-zeros --quiet | grep -c ,0$
3

# a day on which nobody has credit yet is burned
$ (cat $T/neuron.csv; echo 2024-02-08,burn,5) > $T/n2; mkdir $T/n; mv $T/n2 $T/n/neuron.csv; mkdir $T/d; cp data/kokoah/pay/example/*.csv $T/d; head -1 data/kokoah/pay/example/fill.csv > $T/d/fill.csv; krules weights --data $T/d --day 2024-02-08 --neurons $T/n --burn-hotkey burn
{"day":"2024-02-08","burned":true,"uids":[5],"weights":[65535]}
2024-02-08 is burned: all 65535 to burn

$ krules weights --data $T/d --day 2024-02-08 --neurons $T/n
error[E0517]: 2024-02-08 is burned: all weight goes to the burn hotkey, and none is named
   = help: give --burn-hotkey HOTKEY
exit 4

$ krules weights --data $T/d --day 2024-02-08 --neurons $T/n --burn-hotkey other
error[E0517]: 2024-02-08 is burned, and the burn hotkey other is no neuron on that day
  --> --burn-hotkey
exit 4

# a miner with a weight that is no neuron, and a day without neurons
$ grep -v ',3$' $T/neuron.csv > $T/n/neuron.csv; krules weights --data data/kokoah/pay/example --day 2024-03-18 --neurons $T/n
error[E0517]: hotkey 53ywdYhLq2ajsD3ubxuKTGs6v8e32NAibiv1ehvnYHNEwEyZ has weight 2008, but is no neuron on 2024-03-18
  --> account[miner=m3, day=2024-03-18]
   = help: a weight that nobody takes would leave the others more than their share
exit 4

$ krules weights --data data/kokoah/pay/example --day 2024-03-16 --neurons $T
error[E0517]: there are no neurons of 2024-03-16
  --> $T
   = help: give a `neuron` table (day, hotkey, uid) with the neurons of that day
exit 4

# one uid of two hotkeys
$ echo 2024-03-18,again,7 >> $T/n/neuron.csv; krules weights --data data/kokoah/pay/example --day 2024-03-18 --neurons $T/n
error[E0807]: the requirement `a uid is one hotkey's on a day` does not hold for 2 rows of `neuron`
 --> neuron:6:1
  |
6 | require(neuron, "a uid is one hotkey's on a day", "COUNT(neuron.hotkey BY day, uid) = 1")
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = row: neuron[day=2024-03-18, hotkey=again]
  = note: also neuron[day=2024-03-18, hotkey=other]
exit 4

$ krules weights --data data/kokoah/pay/example
error[E0803]: weights needs a day
   = help: krules weights --data DIR --day DAY --neurons neuron.csv --burn-hotkey HOTKEY
exit 2

# a day that an imported database is not ready for
$ krules import csv $(for f in data/kokoah/pay/example/*.csv; do echo $(basename $f .csv)=$f; done) --into $T/d.db --quiet; sed 's/2024-03-18/2024-03-20/' $T/neuron.csv > $T/n/neuron.csv; krules weights --data $T/d.db --day 2024-03-20 --neurons $T/n 2>/dev/null; krules weights --data $T/d.db --day 2024-03-20 --neurons $T/n 2>&1 | tail -4
error[E0515]: 1 of the 1 day asked for cannot be scored yet
  --> $T/d.db
   = help: --incomplete computes all the same; `krules data check` lists what is missing
20 errors

$ krules weights --data $T/d.db --day 2024-03-20 --neurons $T/n --incomplete --quiet
{"day":"2024-03-20","burned":false,"uids":[3,12,15,18,21,27,30,33],"weights":[1397,15127,19239,4173,5262,1497,12657,6183]}
