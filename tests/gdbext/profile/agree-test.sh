#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Profiles against records: the programs of tests/agent and the samples print and end
# as alone while they are counted, and each block and each branch is counted as often
# as the record of a run of the same has it.  timeout: 400
. tests/support/patience.sh
CC=${CC:-gcc}
tools=$BUILD/tests
[ -x "$tools/drivers/run-profile" ] || { echo "run-profile is not there"; exit 1; }
export GDB_WHY_AGENT="$WHY_AGENT"
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-profile.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
failures=0
agreed=0

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# record PROGRAM ARGS...: its counts in $dir/recorded.
record() {
	rm -rf "$dir/record"
	mkdir "$dir/record"
	(cd "$dir" && exec "$within" 20 "$tools/drivers/run-plan" "$WHY_AGENT" record --jit "$@") \
		>/dev/null 2>&1 </dev/null
	"$tools/drivers/count-record" "$dir/record" "$1" >"$dir/recorded" 2>"$dir/recorded.err" ||
		complain "$what: $(cat "$dir/recorded.err")"
	sort -o "$dir/recorded" "$dir/recorded"
}

# agrees PROGRAM ARGS...
agrees() {
	(cd "$dir" && exec "$within" 20 "$@") >"$dir/alone" 2>/dev/null </dev/null
	expected=$?
	rm -f "$dir/profile"
	(cd "$dir" && exec "$within" 20 "$tools/drivers/run-profile" --blocks="$dir/counted" \
		"$dir/profile" "$@") >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	[ $status = $expected ] ||
		complain "$what: ends with $status, not $expected: $(tail -n 1 "$dir/err")"
	cmp -s "$dir/alone" "$dir/out" || complain "$what: prints something else than alone"
	[ "$compare" ] || return
	sort -o "$dir/counted" "$dir/counted"
	record "$@"
	cmp -s "$dir/counted" "$dir/recorded" && { agreed=$((agreed + 1)); return; }
	diff "$dir/counted" "$dir/recorded" | head -n 5
	complain "$what: counts differ"
}

# all_ways LEVEL SOURCE
all_ways() {
	program=$dir/$(basename "$2" .c)$1
	"$CC" -g "$1" -w -D_GNU_SOURCE -o "$program" "$2" -pthread -lm || {
		complain "$2: does not compile"
		return
	}
	for way in $(sed -n 's/^ \* ways: //p' "$2" | grep . || echo -); do
		compare=yes
		case $(basename "$2" .c)-$way in
		processes-*) continue ;; # prints what LD_PRELOAD is, which stays
		signals-faults) compare= ;;		      # a record has no instruction that faults
		signals-stack | crashes-overflow) compare= ;; # as deep as the environment leaves room
		endings-*) compare= ;;			      # spins until it is cancelled
		images-*) compare= ;;			      # a profile has all its processes, a record one
		signals-storm | signals-escapes | signals-stays | signals-spins | signals-leaves | \
			signals-vectors | threads-alarms) compare= ;; # as an alarm comes
		outside-signal | outside-thread) compare= ;; # spins until one comes
		esac
		[ "$way" = - ] && way=
		what="$(basename "$2") $1 $way"
		# shellcheck disable=SC2086
		agrees "$program" $way
	done
}

# Each optimized or not, with THOROUGH=1 both.
level=-O2
for source in tests/gdbext/agent/programs/*.c; do
	case $source in */run-plan.c) continue ;; esac
	[ $level = -O0 ] && level=-O2 || level=-O0
	for each in $([ "${THOROUGH:-}" ] && echo -O0 -O2 || echo $level); do
		all_ways "$each" "$source"
	done
done
for source in samples/*.c; do
	program=$dir/$(basename "$source" .c)
	"$CC" -g -O0 -o "$program" "$source" -lm || exit 1
	touch "$dir/KEEP"
	what=$(basename "$source") compare=yes
	# shellcheck disable=SC2046
	agrees "$program" $(sed -n 's/^ \* test: //p' "$source" | head -n 1 | sed "s|KEEP|$dir/KEEP|")
done
echo "$agreed agree"
[ "$agreed" -ge 60 ] || complain "only $agreed agree"
echo "$failures failed"
[ "$failures" = 0 ]
