# the published vectors of the link format: every verdict
$ krules eval kokoah/link --data tests/cases/link/in --format csv --out $T/link --quiet; python3 tests/tools/link_check.py tests/cases/link $T/link
19 verdicts compared, 0 off

# the tables of that case are made of the vectors
$ python3 tests/tools/link_cases.py tests/cases/link/open.json $T/case; diff -r $T/case/in tests/cases/link/in; diff -r $T/case/expected tests/cases/link/expected

# links in the form the pay rule reads
$ head -1 $T/link/identity.csv; mkdir $T/pay; cp tests/cases/kokoah/small/in/*.csv $T/pay; cp $T/link/identity.csv $T/pay; krules eval kokoah/pay --data $T/pay --day 2024-01-03 --only account.linked,account.weight --format csv --out -
miner,linked_at,hotkey,coldkey,address,master,unlinked_at
miner,day,linked,weight
5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo,2024-01-03,true,0
wrote -

# a hotkey that is registered twice at a time
$ cp -r tests/cases/link/in $T/twice; echo 5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo,1704067200001,,,m >> $T/twice/registration.csv; krules eval kokoah/link --data $T/twice --only identity
error[E0807]: the requirement `a hotkey is registered once at a time` does not hold for 2 rows of `registration`
   --> rules/kokoah/link/v1.lua:229:1
    |
229 | require(registration, "a hotkey is registered once at a time", "OR(RUNCOUNT() = 1, COALESCE(PREV(left_at) <= registered_at, FALSE))")
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = row: registration[hotkey=5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo, registered_at=1704067200001]
    = note: also registration[hotkey=5GXeg7F6hM17XcSkqA3QhKQ2TLQKbTP65mkZHY38XYUDAevo, registered_at=1738627200000]
exit 4
