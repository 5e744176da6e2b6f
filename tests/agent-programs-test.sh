#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that make the recorder's life hard (tests/agent): recorded, each
# prints what it prints alone and ends as it ends alone, and its record can be
# re-computed.  timeout: 300
CC=${CC:-gcc}
driver=$BUILD/tests/agent/run-plan
[ -x "$driver" ] || { echo "$driver is not there"; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-agent.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
failures=0
checked=0

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# alone OUT PROGRAM...: its output in OUT, its status in $status; a signal is 128 + its number.
alone() {
	out=$1
	shift
	(cd "$dir" && exec timeout -k 2 20 "$@") >"$out" 2>"$out.err" </dev/null
	status=$?
}

# behaves NAME PROGRAM ARGS...: alone, and recorded.
behaves() {
	what=$1
	shift
	checked=$((checked + 1))
	alone "$dir/plain" "$@"
	expected=$status
	rm -rf "$dir/record"
	mkdir "$dir/record"
	alone "$dir/recorded" "$driver" "$WHY_AGENT" "$dir/record" "$@"
	[ "$status" = "$expected" ] || complain "$what: ends with $status, not $expected"
	cmp -s "$dir/plain" "$dir/recorded" || {
		complain "$what: prints something else"
		diff "$dir/plain" "$dir/recorded" | head -5
	}
}

# recomputes NAME PROGRAM ARGS...: the record agrees with the program.
recomputes() {
	what=$1
	shift
	(cd "$dir" && exec timeout -k 2 60 "$WHY_BIN" explain --check -- "$@") >"$dir/check" 2>&1 </dev/null
	status=$?
	[ "$status" = 0 ] && grep -q '^checked [1-9]' "$dir/check" ||
		complain "$what: --check ended with $status: $(head -n 1 "$dir/check")"
}

for o in 0 2; do
	for source in tests/agent/*.c; do
		name=$(basename "$source" .c)
		[ "$name" = run-plan ] && continue
		program=$dir/$name-$o
		"$CC" -g -O$o -w -D_GNU_SOURCE -o "$program" "$source" -pthread -lm || {
			complain "$name: does not compile"
			continue
		}
		for way in $(sed -n 's/^ \* ways: //p' "$source" | grep . || echo -); do
			[ "$way" = - ] && way=
			# shellcheck disable=SC2086
			behaves "$name -O$o $way" "$program" $way
			# shellcheck disable=SC2086
			recomputes "$name -O$o $way" "$program" $way
		done
	done
done
echo "$checked checked"
echo "$failures failed"
[ "$failures" = 0 ]
