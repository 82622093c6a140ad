# a timestamp of RFC 3161 proves the notice. Tokens carry the time of this machine, so days are masked
$ tests/cli/ledger/keys ann bob && tests/cli/ledger/authority north && tests/cli/ledger/authority south && mkdir -p $T/b/shop/points $T/p && cp tests/cli/books/shop/points/v1.lua $T/b/shop/points/ && sed "s/2024-01-03/$(date -u -d '+20 days' +%F)/" tests/cli/books/shop/points/v2.lua > $T/p/v2.lua

$ krules timestamp $T/p/v2.lua -o $T/v2.tsq --quiet && openssl ts -query -in $T/v2.tsq -text 2>/dev/null | sed -n '1,2p; /Nonce/p; /Certificate/p' && cmp $T/v2.tsq - < $T/v2.tsq
Version: 1
Hash Algorithm: sha256
Nonce: unspecified
Certificate required: yes

$ tests/cli/ledger/authority north $T/v2.tsq $T/v2.tsr && krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --authority $T/north.crt --now 2024-02-01
published shop/points v1, in force from 2024-01-01: the first entry of its ledger

# of other bytes, of an authority that the ledger does not name, no answer at all, a refusal
$ sed 's/rate = 3/rate = 4/' $T/p/v2.lua > $T/p/other.lua; krules publish $T/p/other.lua --rules $T/b --key $T/ann.pem --timestamp $T/v2.tsr 2>&1 | sed 's/[0-9a-f]\{16\}…/…/'
error[E0730]: the timestamp token does not hold: it is about other bytes
  --> $T/p/other.lua
   = note: the token must be about SHA-256 …

$ tests/cli/ledger/authority south $T/v2.tsq $T/south.tsr; krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/south.tsr 2>&1 | sed 's/[0-9a-f]\{16\}…/…/'
error[E0730]: the timestamp token does not hold: its signature does not hold, or goes back to none of the authorities named (certificate verify error)
  --> $T/p/v2.lua
   = note: the token must be about SHA-256 …

$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/none.tsr
error[E0708]: `$T/none.tsr` cannot be read: No such file or directory
  --> $T/none.tsr
exit 4

$ openssl ts -query -data $T/p/v2.lua -sha512 -cert -out $T/long.tsq 2>/dev/null; tests/cli/ledger/authority north $T/long.tsq $T/long.tsr; krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/long.tsr
error[E0730]: `$T/long.tsr` is no timestamp: the authority's answer is a refusal
  --> $T/long.tsr
exit 5

$ openssl ts -query -data $T/p/v2.lua -sha256 -out $T/bare.tsq 2>/dev/null; tests/cli/ledger/authority north $T/bare.tsq $T/bare.tsr; krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/bare.tsr 2>&1 | sed 's/[0-9a-f]\{16\}…/…/'
error[E0730]: the timestamp token does not hold: it carries no certificate: ask the authority to put its own in (certReq)
  --> $T/p/v2.lua
   = note: the token must be about SHA-256 …

# one byte of the token is another
$ openssl ts -reply -in $T/v2.tsr -token_out -out $T/v2.token 2>/dev/null; size=$(wc -c < $T/v2.token); { head -c $((size - 1)) $T/v2.token; printf '\377'; } > $T/bent.token; krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/bent.token 2>&1 | sed 's/[0-9a-f]\{16\}…/…/; s/ (.*)//'
error[E0730]: the timestamp token does not hold: its signature does not hold, or goes back to none of the authorities named
  --> $T/p/v2.lua
   = note: the token must be about SHA-256 …

# the notice counts from the token's time, not from the clock's (here 15 days ahead); but no token leads back to a day that is over
$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --now $(date -u -d '+15 days' +%F) 2>&1 | sed 's/20[0-9][0-9]-[0-9-]*/DAY/g'
error[E0725]: version 2 would take effect on DAY, 5 days after DAY, but version 1 demands 7 days of notice
  --> $T/p/v2.lua
   = help: the earliest effective_from is DAY

$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/v2.token --now $(date -u -d '+20 days' +%F) 2>&1 | sed 's/20[0-9][0-9]-[0-9-]*/DAY/g'
error[E0727]: version 2 would take effect on DAY, which has begun: today is DAY
  --> $T/p/v2.lua
   = help: a version never reaches back: give it a later effective_from

$ krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/v2.token --now $(date -u -d '+15 days' +%F) 2>&1 | sed 's/20[0-9][0-9]-[0-9-]*/DAY/'
published shop/points v2, in force from DAY (20 days of notice, proven); entry 2 of its ledger

$ krules log shop/points --rules $T/b --now 2999-01-01 | sed 's/20[3-9][0-9]-[0-9-]*/DAY/g; s/202[5-9]-[0-9-]*/DAY/g'
  1  v1   ended      2024-01-01 to DAY  published 2024-02-01, the first entry by owner
  2  v2   in force   DAY to …           published DAY, 20 days of notice, proven by owner
                  timestamp of north

$ krules log shop/points --rules $T/b --check | sed 's/head .*/head …/' && krules log shop/points --rules $T/b --check --authority $T/north.crt | sed 's/head .*/head …/'; krules log shop/points --rules $T/b --check --authority $T/south.crt
the ledger holds: 2 entries, head …
the ledger holds: 2 entries, head …
error[E0730]: the timestamp token does not hold: its signature does not hold, or goes back to none of the authorities named (certificate verify error)
  --> $T/b/shop/points/ledger.jsonl:2
exit 5

$ krules log shop/points --rules $T/b --check --authority $T/p/v2.lua
error[E0730]: `$T/p/v2.lua` holds no certificate in PEM
  --> $T/p/v2.lua
exit 5

# a token in the ledger is exchanged for one of another time: the signature no longer holds
$ sleep 1.1; tests/cli/ledger/authority north $T/v2.tsq $T/later.tsr; openssl ts -reply -in $T/later.tsr -token_out -out $T/later.token 2>/dev/null; cp $T/b/shop/points/ledger.jsonl $T/kept; sed "2s|\"token\":\"[^\"]*\"|\"token\":\"$(openssl base64 -A -in $T/later.token)\"|" $T/kept > $T/b/shop/points/ledger.jsonl; krules log shop/points --rules $T/b --check
error[E0721]: the signature of `owner` does not hold
  --> $T/b/shop/points/ledger.jsonl:2
exit 5

# without authorities in the ledger the token's own certificate is taken, and named
$ rm $T/b/shop/points/ledger.jsonl $T/b/shop/points/v2.lua; krules publish $T/b/shop/points/v1.lua --rules $T/b --key $T/ann.pem --now 2024-02-01 --signers ann=$T/ann.pub.pem,bob=$T/bob.pub.pem && krules publish $T/p/v2.lua --rules $T/b --key $T/ann.pem --timestamp $T/south.tsr --quiet && krules log shop/points --rules $T/b | sed 's/20[3-9][0-9]-[0-9-]*/DAY/g; s/202[5-9]-[0-9-]*/DAY/g'
published shop/points v1, in force from 2024-01-01: the first entry of its ledger
  1  v1   in force   2024-01-01 to DAY  published 2024-02-01, the first entry by ann
  2  v2   coming     DAY to …           published DAY, 20 days of notice, proven by ann
                  timestamp of south (an authority that the ledger does not name)

# a cosignature is stamped with the line that it signs, a change of keys with the ledger's head
$ krules keys shop/points --rules $T/b --key $T/ann.pem --threshold 2 && sed "s/version = 2/version = 3/; s/effective_from = \"[0-9-]*\"/effective_from = \"$(date -u -d '+40 days' +%F)\"/" $T/p/v2.lua > $T/p/v3.lua && krules publish $T/p/v3.lua --rules $T/b --key $T/ann.pem
changed who may sign for shop/points; entry 3 of its ledger
signed entry 4 of shop/points (publish): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem

$ krules timestamp shop/points@3 --rules $T/b -o $T/v3.tsq && tests/cli/ledger/authority north $T/v3.tsq $T/v3.tsr && krules cosign shop/points --rules $T/b --key $T/bob.pem --timestamp $T/v3.tsr 2>&1 | sed 's/20[0-9][0-9]-[0-9-]*/DAY/'
wrote $T/v3.tsq; send it to an authority (curl -H 'Content-Type: application/timestamp-query' --data-binary @$T/v3.tsq URL -o TOKEN), then --timestamp TOKEN
published shop/points v3, in force from DAY (40 days of notice, proven); entry 5 of its ledger

$ krules timestamp shop/points --rules $T/b -o - > $T/head.tsq; tests/cli/ledger/authority north $T/head.tsq $T/head.tsr; krules keys shop/points --rules $T/b --key $T/ann.pem --authority $T/north.crt --timestamp $T/head.tsr && krules log shop/points --rules $T/b --check | sed 's/head .*/head …/'
signed entry 6 of shop/points (keys): 1 of 2 signatures; next: krules cosign shop/points --key KEY.pem
the ledger holds: 6 entries, head …

$ krules timestamp shop/points:9 --rules $T/b -o - ; krules timestamp shop/points@v9 --rules $T/b -o -
error[E0804]: the ledger has no entry `9`
  --> shop/points:9
   = help: `krules log` lists them
error[E0804]: the ledger has no version `v9`
  --> shop/points@v9
   = help: `krules log` lists them
exit 2

$ krules timestamp $T/p/none.lua
error[E0708]: there is no file `$T/p/none.lua`
  --> $T/p/none.lua
exit 4
