#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The two engines of the recorder against each other.  Each program of tests/agent,
# recorded by jit, prints and ends as alone, and its record can be re-computed and
# tells the same as that of step: all but what two runs of step do not agree on
# either (process numbers, when an alarm comes).  timeout: 400
. tests/support/agent-lib.sh
unsteady=

# keep FOLDER: the record that was just made.
keep() {
	rm -rf "${dir:?}/$1"
	mv "$dir/record" "$dir/$1"
}

# same [OPTION] ...: does a run that is recorded with it tell the same as $dir/step?
same() {
	record --fixed-random --same-as="$dir/step" "$@"
	[ "$status" = "$expected" ]
}

# agrees WHAT OPTIONS... PROGRAM ARGS...: both engines.
agrees() {
	what=$1
	shift
	checked=$((checked + 1))
	record --fixed-random "$@"
	expected=$status
	mv "$dir/out" "$dir/expected"
	keep step
	same --jit --check "$@" && agreed=1 || agreed=
	cmp -s "$dir/expected" "$dir/out" || complain "$what: prints something else than with step"
	[ "$agreed" ] && return
	reason=$(tail -n 1 "$dir/out.err")
	# Does step agree with itself, each time?
	for _ in 1 2 3 4; do
		same "$@" || { unsteady="$unsteady $what,"; return; }
		same --jit --check "$@" && return
	done
	complain "$what: ends with another status or record: $reason"
}

# behaves WHAT PROGRAM ARGS...: as alone; and the record can be re-computed.
behaves() {
	what=$1
	shift
	alone "$dir/alone" "$@"
	expected=$status
	record --fixed-random --jit --addresses --check "$@"
	[ "$status" = "$expected" ] ||
		complain "$what: ends with $status, not $expected: $(tail -n 1 "$dir/out.err")"
	cmp -s "$dir/alone" "$dir/out" || complain "$what: prints something else than alone"
}

both() {
	agrees "$@"
	behaves "$@"
}

# Whatever the plan asks for.
for level in -O0 -O2; do
	compiled tests/gdbext/agent/programs/strings.c $level || exit 1
	for options in --addresses --max-insns=100 --max-insns=437 --caged; do
		agrees "strings $level $options" "$options" "$program"
	done
done
first_level=-O2 half_of_ways=1
each_program both
echo "differ from run to run:${unsteady:- none}"
finish
