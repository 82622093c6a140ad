# the first thing anybody types
$ krules
krules runs published rules: exact numbers from rulebooks that read like spreadsheets.

  krules eval kokoah/pay --data data/kokoah/pay/example   what a rulebook pays
  krules calc 'PSR({0.01, -0.002}, 0.03)'                 one formula, to the last digit
  krules help eval                                        a command, with examples

commands:
  eval, check, test, report, calc, explain, verify, publish, timestamp, withdraw, cosign, keys,
  log, import, data, replay, weights, diff, propose, sweep, help
`krules help` says what each does; `krules help functions` lists what formulas can say.

$ krules help
krules COMMAND [things] [--flags]

  eval       compute what a rulebook publishes, from data
  check      read rules and say what is wrong with them
  test       run the examples that rule files carry
  report     write what a rulebook says in public about a day
  calc       compute formulas of literals and lists, exactly
  explain    say why a cell is what it is, or what a message means
  verify     recompute a receipt and compare
  publish    publish a rule file as the next version of its book
  timestamp  write the request for an RFC 3161 timestamp
  withdraw   take back a version that is not yet in force
  cosign     add a signature to an entry that waits for it
  keys       who may sign for a rulebook; change it
  log        the history of a rulebook: versions, signatures, reasons
  import     read an exchange's answers, or tables, into a database
  data       what a dataset holds, and whether a day can be scored
  replay     prove that days computed one after the other give the digits of one run
  weights    a day's weights as the chain takes them: uids, and weights beside them
  diff       what a change of the rules means, and does
  propose    write the next version of a book, with a report to vote on
  sweep      many variants of a rule over the same data
  help       help on a command or a function of formulas

flags of every command
  -h, --help                      this help
      --rules DIR                 where the rulebooks are (default: ./rules, else beside the program)
      --json                      messages and answers as JSON on standard output
  -q, --quiet                     no line that says what was done
      --no-color                  no colour, even on a terminal

exit status
  0  done
  1  a finding: a check, a test or a verification that does not hold
  2  wrong use
  3  the rules have errors
  4  the data has errors
  5  refused by the rules of publication

Functions of formulas: `krules help functions`. What a message means: `krules explain E0203`.

$ krules --version
krules 0.1.0

$ krules help calc
krules calc [FORMULA …]
compute formulas of literals and lists, exactly

  krules calc '0.1 + 0.2'
      0.3
  krules calc 'PSR({0.01, -0.002, 0.013, 0.004}, 0.03)'
      a statistic, to the last digit
  echo 'SQRT(2)' | krules calc
      from standard input

Without a formula, or with `-`, each line of standard input is one, and each gives one line, an
empty one an empty line. A value that is an error code is an answer, too.

flags
  -h, --help                      this help
      --rules DIR                 where the rulebooks are (default: ./rules, else beside the program)
      --json                      messages and answers as JSON on standard output
  -q, --quiet                     no line that says what was done
      --no-color                  no colour, even on a terminal

exit status
  0  computed
  2  wrong use
  3  a formula has errors

$ krules calc --help | head -3
krules calc [FORMULA …]
compute formulas of literals and lists, exactly


$ krules help CLIP
CLIP(x, low, high)
  x, but no less than low and no more than high. A low above high is #NUM!.

  CLIP(1.2, 0, 1) = 1
  CLIP(0.5, 1, 0) = #NUM!

$ krules help clip --json
{"name":"CLIP","usage":"CLIP(x, low, high)","doc":"x, but no less than low and no more than high. A low above high is #NUM!.","source":null,"example":"CLIP(1.2, 0, 1)","gives":"1","edge":"CLIP(0.5, 1, 0)","edge_gives":"#NUM!"}

# mistyped: a suggestion, never a guess
$ krules evla
error[E0801]: there is no command `evla`
   = help: did you mean `krules eval`?
exit 2

$ krules frobnicate
error[E0801]: there is no command `frobnicate`
   = help: `krules help` lists the commands
exit 2

$ krules eval --dta x
error[E0802]: `krules eval` has no flag `--dta`
   = help: did you mean `--data`?
exit 2

$ krules eval --format
error[E0803]: `--format` needs a value: --format FORMAT
   = help: table, csv, json or jsonl
exit 2

$ krules eval -d a -d b
error[E0803]: `--data` is given twice
exit 2

$ krules eval --quiet=yes
error[E0803]: `--quiet` takes no value
exit 2

$ krules help clop
error[E0804]: there is no command or function `clop`
   = help: did you mean `CLIP`?
exit 2

$ krules explain E0505
E0505: more than 18 decimals

Numbers have at most 18 decimals. krules refuses more, rather than round a datum.

A command that meets it ends with status 4.

$ krules explain E0505 --json
{"code":"E0505","status":4,"title":"more than 18 decimals","explain":"Numbers have at most 18 decimals. krules refuses more, rather than round a datum."}

$ krules explain E9999
error[E0804]: there is no code `E9999`
   = help: `krules help errors` lists them
exit 2

$ krules explain
error[E0803]: explain wants a code, or a rulebook and a row
   = help: krules explain E0203
exit 2

# pages made of the tables
$ krules help functions --format markdown | grep -A 6 '^### `CLIP'
### `CLIP(x, low, high)`

x, but no less than low and no more than high. A low above high is #NUM!.

    CLIP(1.2, 0, 1) = 1
    CLIP(0.5, 1, 0) = #NUM!


$ krules help errors --format markdown | grep -A 2 E0505
## E0505: more than 18 decimals

Numbers have at most 18 decimals. krules refuses more, rather than round a datum. (Exit status 4.)

$ krules help commands --format markdown | grep -A 6 '^## krules calc'
## krules calc

`krules calc [FORMULA …]`: compute formulas of literals and lists, exactly.

Without a formula, or with `-`, each line of standard input is one, and each gives one line, an empty one an empty line. A value that is an error code is an answer, too.

    krules calc '0.1 + 0.2'

$ krules help --format bash >$T/bash; bash -n $T/bash && echo it parses
it parses

$ krules help --format man | grep -A 2 'SH NAME'
.SH NAME
krules \- run published rules
.SH SYNOPSIS

$ krules help --format markdown
error[E0803]: the format `markdown` has several pages
   = help: krules help commands, functions or errors --format markdown
exit 2

$ krules help --format pdf
error[E0803]: there is no page in the format `pdf`
   = help: markdown, man, bash, zsh, fish
exit 2

$ krules help calc --json | cut -c 1-160
{"verb":"calc","arguments":"[FORMULA …]","summary":"compute formulas of literals and lists, exactly","text":"Without a formula, or with `-`, each line of stan

# a full stop inside a name ends no sentence
$ krules help functions | grep -E '^(STDEV|ASOF|SHARPE)\('
STDEV(x)                                     The older name of STDEV.S: the root of VAR.S
SHARPE(x)                                    Sharpe ratio of returns per period: AVERAGE(x) / STDEV.S(x), as one exact value rounded once
ASOF(T.x, t WHERE condition BY a, b)         T.x of the last row of T, in T's order, that stands before t (strictly); its value, blank or not
