#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The two engines of the recorder against each other.  Each program of tests/agent,
# recorded by jit, prints and ends as alone, and its record can be re-computed and
# tells the same as that of step: all but what two runs of step do not agree on
# either (process numbers, when an alarm comes).  timeout: 400
CC=${CC:-gcc}
driver=$BUILD/tests/agent/run-plan
[ -x "$driver" ] || { echo "$driver is not there"; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-engines.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
failures=0
checked=0
unsteady=

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# record OPTIONS... PROGRAM ARGS...: into $dir/record (the same name for all: it
# lies on the program's stack); its output in $dir/out, its status in $status.
record() {
	rm -rf "$dir/record"
	mkdir "$dir/record"
	(cd "$dir" && exec timeout -k 2 60 "$driver" "$WHY_AGENT" record --fixed-random "$@") \
		>"$dir/out" 2>"$dir/out.err" </dev/null
	status=$?
}

# keep FOLDER: the record that was just made.
keep() {
	rm -rf "${dir:?}/$1"
	mv "$dir/record" "$dir/$1"
}

# agrees WHAT OPTIONS... PROGRAM ARGS...: both engines.
agrees() {
	what=$1
	shift
	checked=$((checked + 1))
	record "$@"
	expected=$status
	mv "$dir/out" "$dir/expected"
	keep step
	record --jit --same-as="$dir/step" "$@"
	cmp -s "$dir/expected" "$dir/out" || complain "$what: prints something else than with step"
	[ "$status" = "$expected" ] && return
	reason=$(tail -n 1 "$dir/out.err")
	record --same-as="$dir/step" "$@"
	if [ "$status" = "$expected" ]; then
		complain "$what: ends with another status or record: $reason"
	else
		unsteady="$unsteady $what,"
	fi
}

# behaves WHAT PROGRAM ARGS...: as alone; and the record can be re-computed.
behaves() {
	what=$1
	shift
	(cd "$dir" && exec timeout -k 2 20 "$@") >"$dir/alone" 2>/dev/null </dev/null
	expected=$?
	record --jit --addresses --check "$@"
	[ "$status" = "$expected" ] ||
		complain "$what: ends with $status, not $expected: $(tail -n 1 "$dir/out.err")"
	cmp -s "$dir/alone" "$dir/out" || complain "$what: prints something else than alone"
}

# Whatever the plan asks for.
for o in 0 2; do
	program=$dir/strings
	"$CC" -g -O$o -w -D_GNU_SOURCE -o "$program" tests/agent/strings.c || exit 1
	for options in --addresses --max-insns=100 --max-insns=437 --caged; do
		agrees "strings -O$o $options" "$options" "$program"
	done
done
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
			agrees "$name -O$o $way" "$program" $way
			# shellcheck disable=SC2086
			behaves "$name -O$o $way" "$program" $way
		done
	done
done
echo "differ from run to run:${unsteady:- none}"
echo "$checked checked"
echo "$failures failed"
[ "$failures" = 0 ]
