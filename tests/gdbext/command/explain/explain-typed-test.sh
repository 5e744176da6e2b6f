#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# "Proven" means that the same change, typed by a user, passes: what is told of each proven suspect is
# typed into a plain GDB, which knows nothing of what the proof really did.  timeout: 300
set -u
. tests/support/samples-lib.sh
need_tool

typed() { # EXPECTED ARGUMENT...
	expected=$1
	shift
	python3 tests/support/typed.py "$dir/answer" "$expected" "$dir/stdin" "$program" "$@" >>"$dir/typed" ||
		complain "$program: $(V=1 python3 tests/support/typed.py "$dir/answer" "$expected" "$dir/stdin" "$program" "$@" |
			grep -A 60 '^refuted' | cut -c 1-300)"
}

explain() { # OPTION... -- PROGRAM ARGUMENT...
	"$WHY_BIN" explain --format json --max-suspects 0 --limit mutant_runs=0 --stdin "$dir/stdin" "$@" \
		>"$dir/answer" 2>"$dir/err" || complain "$program: $(cat "$dir/err")"
}

by_output() { # FILE
	program=$dir/$(basename "$1" .c)
	arguments "$1"
	gcc -g -O0 -w -DFIXED -o "$program-fixed" "$1" && gcc -g -O0 -w -o "$program" "$1" || complain "$1 does not compile"
	# shellcheck disable=SC2086
	"$program-fixed" $arguments <"$dir/stdin" >"$dir/expected"
	explain --expect "$dir/expected" -- "$program" $arguments
	typed "$dir/expected" $arguments
}

by_status() { # FILE OPTION...
	program=$dir/$(basename "$1" .c)
	arguments "$1"
	build "$1" "$program" -w -lm
	shift
	# shellcheck disable=SC2086
	explain "$@" -- "$program" $arguments
	typed - $arguments
}

: >"$dir/typed"
for name in nested pair shop total two end; do
	by_output "tests/outputs/$name.c"
done
for name in foreign/bits foreign/expr foreign/listdelete foreign/copystruct; do
	by_status "tests/$name.c"
done
# with sides far from the failure first, a loop that ends earlier is found; the time of a busy machine ends nothing
by_status tests/bench/development/newton.c --limit late_sides_steps=20000 --limit merge_later_steps=20000 \
	--limit short_formula_ms=100000
count=$(grep -c '^typed' "$dir/typed")
[ "$count" -ge 20 ] || complain "only $count were typed: $(cat "$dir/typed")"
# the value that is held, and a loop that ends earlier than the formula thought
for told in 'argument 1 of take = .*argument 3 of printf' 'argument 2 of power = 2 -> 1, 15 times'; do
	grep -q "^typed .*$told" "$dir/typed" || complain "not typed: $told: $(cat "$dir/typed")"
done
[ $failures -eq 0 ]
