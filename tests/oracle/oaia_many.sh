#!/bin/bash
# oaia_many.sh BUILD stop|score FIRST LAST: the oracle, the interpreter and krules over seeds; prints those that differ.
build=$1 kind=$2; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
root=$(cd "$(dirname "$0")/../.." && pwd); cd "$root" || exit 2
bad=0 n=0
for seed in $(seq "$3" "$4"); do
    rm -rf "$work"/*; n=$((n + 1))
    period=$(python3 tests/oracle/oaia_gen.py $kind $seed "$work/in")
    set -- $period
    if [ $kind = stop ]; then
        python3 tests/oracle/oaia_stop.py "$work/in" "$1" "$2" "$work/want" || echo "seed $seed: oracle"
        args="--from $1 --to $2"
    else
        python3 tests/oracle/oaia_score.py "$work/in" "$work/want" || echo "seed $seed: oracle"
        args=
    fi
    $build/krules eval rules/oaia/$kind/v1.lua --data "$work/in" $args --format csv --out "$work/got" >"$work/eval.txt" 2>&1 || { echo "seed $seed: krules"; grep -m1 error "$work/eval.txt"; }
    python3 tests/tools/compare.py "$work/want" "$work/got" >"$work/cmp.txt" 2>&1 || { bad=$((bad + 1)); echo "seed $seed: krules differs"; head -8 "$work/cmp.txt"; }
    if [ -z "$NOREF" ]; then
        $build/tools/ref_main rules/oaia/$kind/v1.lua --data "$work/in" $args --out "$work/ref" 2>"$work/ref.txt" || echo "seed $seed: ref"
        python3 tests/tools/compare.py "$work/want" "$work/ref" >"$work/cmp.txt" 2>&1 || { bad=$((bad + 1)); echo "seed $seed: the interpreter differs"; head -8 "$work/cmp.txt"; }
    fi
done
echo "$n seeds, $bad differences"
