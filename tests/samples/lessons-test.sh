#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each lesson, and one seed of each (THOROUGH=1: five), are as they say: the program compiles
# without a warning, the test that the student sees fails, the hints are true, the fault is not in
# one place for all of five seeds.  The engine accepts the fault of every sixth lesson; with
# THOROUGH=1 of each and, of every third, of one seed with another place of it, and finds it as
# difficult as the first variant; with LESSON_PROVE=all (make bench-lessons) that of all seeds.
# LESSON_SEEDS: other seeds, LESSONS: only these.  timeout: 600
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-lessons.XXXXXX") && trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data GDB_WHY_LESSONS=$PWD/samples/lessons
failed=0
: >"$dir/proven"
complain() {
	echo "FAILED $*"
	failed=1
}

# one LESSON SEED ("" = none)
one() {
	name=$1${2:+ with seed $2}
	to=$dir/$1-$2
	"$WHY_BIN" lesson start "$1" "$to" ${2:+--seed "$2"} >/dev/null || { complain "$name: no start"; return; }
	make -s -C "$to" test CC="${CC:-gcc} -std=gnu17 -Wall -Wextra" >"$to/test.log" 2>&1 && complain "$name: its test passes"
	grep -q 'warning:' "$to/test.log" && complain "$name: $(cat "$to/test.log")"
	[ -e "$to/program" ] || complain "$name: nothing was built"
	[ -n "$2" ] || { lines=$(wc -l <"$to/program.c") && [ "$lines" -ge 60 ] && [ "$lines" -le 400 ]; } ||
		complain "$name: its program has $lines lines"

	"$WHY_BIN" lesson key "$1" ${2:+--seed "$2"} --fault-only --format json >"$to/key" 2>&1 || complain "$name: $(cat "$to/key")"
	place="$1 $(jq -r '.variant | split(" ")[0]' "$to/key")"
	echo "$place" >>"$dir/places"
	if [ -n "${LESSON_PROVE:-}" ] || { ! grep -qxF "$place" "$dir/proven" && [ "$(grep -c "^$1 " "$dir/proven")" -lt $most ]; }; then
		echo "$place" >>"$dir/proven"
		"$WHY_BIN" lesson key "$1" ${2:+--seed "$2"} --format json >"$to/key" 2>&1 || complain "$name: $(cat "$to/key")"
		# what is accepted is few: else any guess is right
		jq -e '.holds_fault and .equal and (.accepted | length) <= 20' "$to/key" >/dev/null || complain "$name: $(cat "$to/key")"
	fi
	[ -n "${V:-}" ] && jq -c . "$to/key"

	# The place that the second hint names has the fault in it.
	for n in 1 2 3; do
		"$WHY_BIN" lesson hint -C "$to" >"$to/hint$n" || complain "$name: hint $n"
		grep -q "^hint $n of 3 ([0-9]* points): ..........*" "$to/hint$n" || complain "$name: hint $n says nothing"
	done
	for line in $(jq -r .fault "$to/key" | tr + ' '); do
		grep -oE 'lines [0-9]+ (to|and) [0-9]+' "$to/hint2" |
			awk -v n="$line" '$2 <= n && n <= $4 { found = 1 } END { exit !found }' ||
			complain "$name: line $line is not where the second hint says: $(cat "$to/hint2")"
	done
	grep -q '@[A-Z]*@' "$to"/task.md "$to"/hint* && complain "$name: a number was not put in"

	[ -z "$2" ] || return 0
	# The program with the fault is not right.
	"$WHY_BIN" lesson answer --fix -C "$to" >/dev/null
	"$WHY_BIN" lesson check "$to" >"$to/check" 2>&1
	[ $? -eq 1 ] || complain "$name: the program with its fault passes: $(cat "$to/check")"
}

few=ivan
[ -z "${THOROUGH:-}" ] || few='ada ivan kim lea otto'
seeds=${LESSON_SEEDS-$few}
all=${LESSONS:-$(cd samples/lessons && echo */)}
number=0
for lesson in $all; do
	lesson=${lesson%/}
	number=$((number + 1))
	most=$((number % 6 == 3)) # variants to prove
	[ -z "${THOROUGH:-}" ] || most=$((number % 3 ? 1 : 2))
	for seed in '' $seeds; do
		one "$lesson" "$seed"
	done
	# students cannot copy line numbers
	[ "$(wc -w <<<"$seeds")" -lt 5 ] || [ "$(grep "^$lesson " "$dir/places" | sort -u | wc -l)" -ge 2 ] ||
		complain "$lesson: its seeds have the fault in one place only"
	[ "$(cut -d: -f1 "samples/lessons/$lesson/difficulty.txt" | sort -u | wc -l)" -ge 2 ] || complain "$lesson: it was not measured"
	for word in 'Goal' 'Time' 'Pitfalls' 'Discuss'; do
		grep -q "^\*\*$word\.\*\*" "samples/lessons/$lesson/README.md" || complain "$lesson/README.md: no $word"
	done
	for field in title goal shows cannot final fails; do
		grep -q "^$field=" "samples/lessons/$lesson/lesson.ini" || complain "$lesson/lesson.ini: no $field"
	done
done
exit $failed
