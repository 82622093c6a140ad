# a ledger that asks for two of three
$ tests/cli/ledger/keys ann bob cyd dan eve && mkdir -p $T/b/shop/points $T/p && sed 's/notice_days = 7,/notice_days = 7, emergency = { notice_days = 1 },/' tests/cli/books/shop/points/v1.lua > $T/b/shop/points/v1.lua && sed 's/notice_days = 7,/notice_days = 7, emergency = { notice_days = 1 },/; s/2024-01-03/2024-03-01/' tests/cli/books/shop/points/v2.lua > $T/p/v2.lua

$ krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --signers ann=$T/ann.pub.pem,bob=$T/bob.pub.pem,cyd=$T/cyd.pub.pem --threshold 4 --now 2024-02-01
error[E0735]: 4 of 3 signers cannot be asked for
  --> $T/b/shop/points/v1.lua
exit 5

$ krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --signers ann=$T/ann.pub.pem,bob=$T/ann.pub.pem --now 2024-02-01
error[E0735]: signers `ann` and `bob` have one key
  --> $T/b/shop/points/v1.lua
exit 5

$ krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/dan.pem --signers ann=$T/ann.pub.pem --now 2024-02-01
error[E0722]: the key 363d4a7cef8084f1… is none of those that may sign
  --> $T/b/shop/points/v1.lua
   = help: these may sign: `ann`
exit 5

$ krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --signers ann=$T/ann.pub.pem,bob=$T/bob.pub.pem,cyd=$T/cyd.pub.pem --threshold 2 --emergency-signers eve=$T/eve.pub.pem,dan=$T/dan.pub.pem --now 2024-02-01
signed entry 1 of shop/points (genesis): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

$ krules eval shop/points --rules $T/b --data tests/cli/data
error[E0703]: no version of `shop/points` is complete: the first waits for signatures
  --> shop/points
exit 3

$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now 2024-02-01
error[E0724]: version 1 waits for signatures (1 of 2)
  --> $T/p/v2.lua
   = help: `krules cosign` or `krules withdraw` it first
exit 5

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --now 2024-02-01
error[E0733]: `ann` has signed entry 1 already
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules cosign shop/points --rules $T/b --key $T/dan.pem --now 2024-02-01
error[E0722]: the key 363d4a7cef8084f1… is none of those that may sign
  --> $T/b/shop/points/ledger.jsonl
   = help: these may sign: `ann`, `bob`, `cyd`
exit 5

$ krules cosign shop/points --rules $T/b --key $T/bob.pem --now 2024-02-01
published shop/points v1, in force from 2024-01-01: the first entry of its ledger

$ krules cosign shop/points --rules $T/b --key $T/cyd.pem --now 2024-02-01
error[E0733]: no entry waits for a signature
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules keys shop/points --rules $T/b | cut -c 1-40
may sign: 2 needed
  ann                  b73e0a712048f895a
  bob                  e8db569f4a1d11d8f
  cyd                  8271e880b31930f08
in an emergency: 1 needed
  eve                  415feaf608b10a409
  dan                  363d4a7cef8084f15

# a version counts from its second signature: its notice does, too
$ krules publish $T/p/v2.lua --rules $T/b --key $T/cyd.pem --now 2024-02-05 --why 'three points'
signed entry 3 of shop/points (publish): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

$ krules log shop/points --rules $T/b --now 2024-02-22 | sed -n '/v2/,$p'
  3  v2   waiting    2024-03-01 to …           published 2024-02-05, 25 days of notice, unproven by cyd (1 of 2)
                  why: three points

$ krules eval shop/points@2 --rules $T/b --data tests/cli/data
error[E0703]: version 2 of `shop/points` waits for signatures (1 of 2)
  --> shop/points
exit 3

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --entry 3 --now 2024-02-25
error[E0733]: entry 3 (publish) waits for no signature: it lapsed, since it could no longer take effect or was overtaken
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --now 2024-02-25
error[E0733]: no entry waits for a signature
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules log shop/points --rules $T/b --now 2024-02-25 | sed -n '/v2/,$p'
  3  v2   lapsed     2024-03-01                published 2024-02-05, 25 days of notice, unproven by cyd
                  why: three points

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --now 2024-02-20 && krules log shop/points --rules $T/b --now 2024-02-22 | sed -n '/v2/,$p'
published shop/points v2, in force from 2024-03-01 (10 days of notice, unproven); entry 4 of its ledger
  3  v2   coming     2024-03-01 to …           published 2024-02-20, 10 days of notice, unproven by cyd, ann
                  why: three points
  4       cosign     entry 3 (publish of version 2)    signed 2024-02-20 by ann

# to take it back takes two, as well; who published something that waits takes it back alone
$ krules withdraw shop/points@2 --rules $T/b --key $T/bob.pem --now 2024-02-21 --why 'too many points'
signed entry 5 of shop/points (withdraw): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

$ krules cosign shop/points --rules $T/b --key $T/bob.pem --now 2024-02-21
error[E0733]: `bob` has signed entry 5 already
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules cosign shop/points --rules $T/b --key $T/cyd.pem --now 2024-02-22 --why 'agreed'
withdrew shop/points v2; entry 6 of its ledger

$ sed 's/version = 2/version = 3/' $T/p/v2.lua > $T/p/v3.lua; krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem --now 2024-02-22 && krules withdraw shop/points@3 --rules $T/b --key $T/ann.pem --now 2024-02-22
signed entry 7 of shop/points (publish): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem
withdrew shop/points v3; entry 8 of its ledger

# keys are changed by those who may sign; a change that waits changes nothing
$ krules keys shop/points --rules $T/b --key $T/ann.pem --add dan=$T/dan.pub.pem --retire cyd --now 2024-02-23 --why 'cyd leaves'
signed entry 9 of shop/points (keys): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

$ sed 's/version = 2/version = 4/; s/03-01/03-20/' $T/p/v2.lua > $T/p/v4.lua; krules publish $T/p/v4.lua --rules $T/b --key $T/dan.pem --now 2024-02-23
error[E0722]: the key 363d4a7cef8084f1… is none of those that may sign
  --> $T/p/v4.lua
   = help: these may sign: `ann`, `bob`, `cyd`
exit 5

$ krules cosign shop/points --rules $T/b --key $T/cyd.pem --now 2024-02-23
changed who may sign for shop/points; entry 10 of its ledger

$ krules publish $T/p/v4.lua --rules $T/b --key $T/cyd.pem --now 2024-02-23
error[E0722]: the key 8271e880b31930f0… is none of those that may sign
  --> $T/p/v4.lua
   = help: these may sign: `ann`, `bob`, `dan`
exit 5

$ krules publish $T/p/v4.lua --rules $T/b --key $T/dan.pem --now 2024-02-23 && krules cosign shop/points --rules $T/b --key $T/bob.pem --now 2024-02-23
signed entry 11 of shop/points (publish): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem
published shop/points v4, in force from 2024-03-20 (26 days of notice, unproven); entry 12 of its ledger

$ krules keys shop/points --rules $T/b --key $T/ann.pem --retire zoe --now 2024-02-23
error[E0735]: there is no signer `zoe` to retire
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules keys shop/points --rules $T/b --key $T/ann.pem --retire ann,bob --now 2024-02-23
error[E0735]: 2 of 1 signers cannot be asked for
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules keys shop/points --rules $T/b --key $T/ann.pem --now 2024-02-23
error[E0803]: there is nothing to change
   = help: --add NAME=PUBLIC.pem, --retire NAME, --threshold M
exit 2

# an emergency: the form that the version in force names, its own signers, a reason; it leaves notices as they are
$ sed 's/version = 2/version = 5/; s/03-01/03-22/' $T/p/v2.lua > $T/p/v5.lua; krules publish $T/p/v5.lua --rules $T/b --key $T/eve.pem --now 2024-03-21
error[E0722]: the key 415feaf608b10a40… is none of those that may sign
  --> $T/p/v5.lua
   = help: these may sign: `ann`, `bob`, `dan`
exit 5

$ krules publish $T/p/v5.lua --rules $T/b --key $T/ann.pem --now 2024-03-21
error[E0725]: version 5 would take effect on 2024-03-22, 1 day after 2024-03-21, but version 4 demands 7 days of notice
  --> $T/p/v5.lua
   = note: in its emergency form (--emergency) the version in force demands 1
   = help: the earliest effective_from is 2024-03-28
exit 5

$ krules publish $T/p/v5.lua --rules $T/b --key $T/eve.pem --now 2024-03-21 --emergency
error[E0731]: an emergency has a reason, which the ledger keeps
  --> $T/p/v5.lua
   = help: say --why TEXT
exit 5

$ krules publish $T/p/v5.lua --rules $T/b --key $T/ann.pem --now 2024-03-21 --emergency --why 'a leak'
error[E0722]: the key b73e0a712048f895… is none of those that may sign in an emergency
  --> $T/p/v5.lua
   = help: in an emergency may sign: `eve`, `dan`
exit 5

$ sed 's/notice_days = 7/notice_days = 3/' $T/p/v5.lua > $T/p/short.lua; krules publish $T/p/short.lua --rules $T/b --key $T/eve.pem --now 2024-03-21 --emergency --why 'a leak'
error[E0731]: an emergency version cannot change what notice later versions owe (`notice_days`, `emergency`)
  --> $T/p/short.lua
   = help: change these with full notice
exit 5

$ krules publish $T/p/v5.lua --rules $T/b --key $T/eve.pem --now 2024-03-22 --emergency --why 'a leak'
error[E0727]: version 5 would take effect on 2024-03-22, which has begun: today is 2024-03-22
  --> $T/p/v5.lua
   = help: a version never reaches back: give it a later effective_from
exit 5

$ krules publish $T/p/v5.lua --rules $T/b --key $T/eve.pem --now 2024-03-21T23:00 --emergency --why 'a leak'
published shop/points v5, in force from 2024-03-22 (1 day of notice, unproven); entry 13 of its ledger

$ krules log shop/points --rules $T/b --now 2024-03-30 && krules log shop/points --rules $T/b --check | sed 's/head .*/head …/'
  1  v1   ended      2024-01-01 to 2024-03-19  published 2024-02-01, the first entry by ann, bob
  2       cosign     entry 1 (genesis of version 1)    signed 2024-02-01 by bob
  3  v2   withdrawn  2024-03-01                published 2024-02-05, 25 days of notice, unproven by cyd, ann
                  why: three points
  4       cosign     entry 3 (publish of version 2)    signed 2024-02-20 by ann
  5       withdraw   version 2                         signed 2024-02-21 by bob, cyd
                  why: too many points
  6       cosign     entry 5 (withdraw of version 2)   signed 2024-02-22 by cyd
                  why: agreed
  7  v3   withdrawn  2024-03-01                published 2024-02-22, 8 days of notice, unproven by ann
  8       withdraw   version 3                         signed 2024-02-22 by ann
  9       keys       2 of ann, bob, dan; emergency: 1 of eve, dan  signed 2024-02-23 by ann, cyd
                  why: cyd leaves
 10       cosign     entry 9 (keys)                    signed 2024-02-23 by cyd
 11  v4   ended      2024-03-20 to 2024-03-21  published 2024-02-23, 26 days of notice, unproven by dan, bob
 12       cosign     entry 11 (publish of version 4)   signed 2024-02-23 by bob
 13  v5   in force   2024-03-22 to …           published 2024-03-21, 1 day of notice (emergency), unproven by eve
                  why: a leak
the ledger holds: 13 entries, head …

# a version without the form gives nobody a shorter notice
$ sed 's/version = 5/version = 6/; s/03-22/04-20/; s/ emergency = { notice_days = 1 },//' $T/p/v5.lua > $T/p/v6.lua; krules publish $T/p/v6.lua --rules $T/b --key $T/ann.pem --now 2024-03-30 --quiet; krules cosign shop/points --rules $T/b --key $T/bob.pem --now 2024-03-30; sed 's/version = 5/version = 7/; s/03-22/04-25/' $T/p/v5.lua > $T/p/v7.lua; krules publish $T/p/v7.lua --rules $T/b --key $T/eve.pem --now 2024-04-21 --emergency --why 'a leak'
published shop/points v6, in force from 2024-04-20 (21 days of notice, unproven); entry 15 of its ledger
error[E0731]: version 6, which is in force, names no emergency form
  --> $T/p/v7.lua
exit 5

# the header's form
$ sed 's/emergency = { notice_days = 1 }/emergency = { notice_days = 8 }/' $T/p/v7.lua > $T/p/long.lua; krules check $T/p/long.lua
error[E0315]: the notice of an emergency (8) must be shorter than `notice_days` (7)
 --> $T/p/long.lua:3:79
  |
3 |   effective_from = "2024-04-25", notice_days = 7, emergency = { notice_days = 8 },
  |                                                                               ^
exit 3

$ sed 's/emergency = { notice_days = 1 }/emergency = { days = 1 }/' $T/p/v7.lua > $T/p/long.lua; krules check $T/p/long.lua
error[E0310]: `emergency` has no option `days`
 --> $T/p/long.lua:3:65
  |
3 |   effective_from = "2024-04-25", notice_days = 7, emergency = { days = 1 },
  |                                                                 ^^^^
  = help: it has `notice_days`
exit 3

# signers are named when a ledger begins; later, keys says who
$ krules publish $T/p/v7.lua --rules $T/b --key $T/ann.pem --threshold 1 --now 2024-04-21
error[E0803]: signers are named when a ledger begins
  --> $T/p/v7.lua
   = help: `krules keys shop/points` changes them
exit 2

$ krules keys shop/points --rules $T/b --key $T/ann.pem --emergency-retire eve --emergency-add ann=$T/ann.pub.pem --emergency-threshold 2 --now 2024-04-22 && krules keys shop/points --rules $T/b --key $T/bob.pem --threshold 3 --now 2024-04-22
signed entry 16 of shop/points (keys): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem
signed entry 17 of shop/points (keys): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

# two entries wait: which? When one of them is complete, the other was made from keys that are no more
$ krules cosign shop/points --rules $T/b --key $T/dan.pem --now 2024-04-22
error[E0733]: 2 entries wait for signatures
  --> $T/b/shop/points/ledger.jsonl
   = help: say which: --entry N (`krules log` lists them)
exit 5

$ krules cosign shop/points --rules $T/b --key $T/dan.pem --entry 16 --now 2024-04-22 && krules keys shop/points --rules $T/b | cut -c 1-30; krules log shop/points --rules $T/b --now 2024-04-22 | tail -n 3
changed who may sign for shop/points; entry 18 of its ledger
may sign: 2 needed
  ann                  b73e0a7
  bob                  e8db569
  dan                  363d4a7
in an emergency: 2 needed
  dan                  363d4a7
  ann                  b73e0a7
 16       keys       2 of ann, bob, dan; emergency: 2 of dan, ann  signed 2024-04-22 by ann, dan
 17       keys       3 of ann, bob, dan; emergency: 1 of eve, dan  signed 2024-04-22 by bob (lapsed)
 18       cosign     entry 16 (keys)                   signed 2024-04-22 by dan

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --entry 17 --now 2024-04-22
error[E0733]: entry 17 (keys) waits for no signature: it lapsed, since it could no longer take effect or was overtaken
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules cosign shop/points --rules $T/b --key $T/ann.pem --entry 99 --now 2024-04-22
error[E0733]: there is no entry 99
  --> $T/b/shop/points/ledger.jsonl
exit 5

$ krules keys shop/points --rules $T/b --json --now 2024-04-22 | head -n 1
{"name":"ann","key":"b73e0a712048f895a5758bb3bbf81553d1ac5c5b80a179b533a6cad355df56be","emergency":false,"threshold":2}

$ openssl pkey -in $T/bob.pem | krules keys shop/points --rules $T/b --key - --add eve=$T/eve.pub.pem --json --now 2024-04-23; openssl genpkey -algorithm ed25519 -aes256 -pass pass:x -out $T/sealed.pem; krules cosign shop/points --rules $T/b --key $T/sealed.pem --now 2024-04-23
{"entry":19,"kind":"keys","book":"shop/points","version":0,"effective_from":"","notice":0,"proven":false,"complete":false,"signatures":1,"needed":2,"path":"$T/b/shop/points/ledger.jsonl"}
error[E0736]: the key `$T/sealed.pem` is encrypted
  --> $T/sealed.pem
   = help: hand it over decrypted: openssl pkey -in $T/sealed.pem | krules … --key -
exit 2
