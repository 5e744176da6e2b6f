#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same again and again (STRESS_RUNS times; `make stress` does more of them): each
# sample (without STRESS_RUNS or THOROUGH=1 every third one), a threaded program and
# programs full of signals and exceptions, recorded by jit, print and end each time as
# alone, none hangs, and each record of a sample tells the same as the first one, those
# of the others can be re-computed.  timeout: 100000
. tests/support/samples-lib.sh
samples_dir=$dir
. tests/support/agent-lib.sh
trap 'rm -rf "$dir" "$samples_dir"' EXIT
runs=${STRESS_RUNS:-$([ "${THOROUGH:-}" ] && echo 3 || echo 1)}

# once WHAT OPTIONS... PROGRAM ARGS...: recorded, as alone.
once() {
	what=$1
	shift
	checked=$((checked + 1))
	(cd "$dir" && exec "$within" 30 "$driver" "$WHY_AGENT" record --fixed-random --jit "$@") \
		>"$dir/out" 2>"$dir/out.err" <"$dir/stdin"
	status=$?
	[ "$status" = "$expected" ] || complain "$what: run $nth ends with $status, not $expected:" \
		"$(tail -n 1 "$dir/out.err")"
	cmp -s "$dir/alone" "$dir/out" || complain "$what: run $nth prints something else"
}

# renew: an empty folder for the record.
renew() {
	rm -rf "$dir/record"
	mkdir "$dir/record"
}

# repeated WHAT PROGRAM ARGS...: a program that does the same in each run.
repeated() {
	label=$1
	shift
	nth=first
	renew
	once "$label" "$@"
	mv "$dir/record" "$dir/first"
	for nth in $(seq "$runs"); do
		renew
		once "$label" --same-as="$dir/first" "$@"
	done
	rm -rf "$dir/first"
}

# unsteady WHAT PROGRAM ARGS...: one of which each run is another.
unsteady() {
	label=$1
	shift
	alone "$dir/alone" "$@"
	expected=$status
	for nth in $(seq "$runs"); do
		renew
		once "$label" --addresses --check "$@"
	done
}

sample() {
	build "$1" "$dir/program" 2>/dev/null || { complain "$1 does not compile"; return; }
	arguments "$1"
	# shellcheck disable=SC2086
	(cd "$dir" && exec "$within" 20 ./program $arguments) >"$dir/alone" 2>/dev/null <"$dir/stdin"
	expected=$?
	# shellcheck disable=SC2086
	repeated "$1" ./program $arguments
}

[ -z "${STRESS_RUNS:-}" ] || THOROUGH=1
for file in $(some samples/*.c tests/foreign/*.c); do
	sample "$file"
done
: >"$dir/stdin"
each_program unsteady tests/gdbext/agent/programs/threads.c tests/gdbext/agent/programs/signals.c tests/gdbext/agent/programs/exceptions.cc
finish
