#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Tests that fail by a signal or an exit status: each program of tests/endings says how
# it ends, and at which levels of optimization its faulty line is to be found.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

check() { # file, level
	program=$dir/$(basename "$1" .c)-O$2
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	ends=$(field "$1" ends)
	read -ra arguments <<<"$(field "$1" test)"
	"$CC" -g -O"$2" -w -pthread -o "$program" "$1" || { complain "$1 does not compile"; return; }
	# small changes of the code are another search, which the comparison that qsort calls and a check of NULL need
	changes=0
	case $1 in */sort.c | */builder.c | */tail.c | */newline.c) changes=5000 ;; esac
	"$WHY_BIN" explain --limit mutant_runs=$changes --format=json --max-suspects 0 -- "$program" "${arguments[@]}" \
		>"$dir/answer" 2>"$dir/err"
	status=$?
	explained_or_cut $status || complain "$program: status $status: $(cat "$dir/err")"
	got=$(jq -r '.failure.cause' "$dir/answer")
	jq -e '.notes | any(contains("a handler of the program"))' "$dir/answer" >"$dir/index" && [ "$1" != tests/endings/handler.c ] &&
		complain "$program: there is no handler"
	# a crash is one with any limits, but what led to it may be too far away
	[ "$got" = "$ends" ] || ! default_limits || complain "$program: ends by $got, not $ends"
	! default_limits || jq -e --argjson fault "$fault" \
		'[.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault)' \
		"$dir/answer" >"$dir/index" ||
		complain "$program: line $fault is no proven suspect: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
	jq -e 'all(.chain[]; .line > 0 and .text != "")' "$dir/answer" >"$dir/index" ||
		complain "$program: a step without place: $(jq -c .chain "$dir/answer")"
}

optimized=0
for file in tests/endings/*.c; do
	[ "$(field "$file" ends)" != "endless loop" ] || continue # explain-endless-test.sh
	for level in $(field "$file" levels); do
		# of those for all levels every second one, with THOROUGH=1 each
		[ "$level" = 0 ] || [ $((optimized++ % 2)) = 0 ] || [ "${THOROUGH:-}" ] || continue
		check "$file" "$level"
	done
done

# What a function of the library did, and what it called, is gone through: the fault is named first.
for file in sort text builder; do
	fault=$(grep -n '/\* fault \*/' "tests/endings/$file.c" | cut -d: -f1)
	read -ra arguments <<<"$(field "tests/endings/$file.c" test)"
	"$WHY_BIN" explain --format=json -- "$dir/$file-O0" "${arguments[@]}" >"$dir/answer" 2>"$dir/err"
	! default_limits || jq -e --argjson fault "$fault" '.suspects[0].statements[0].line == $fault' "$dir/answer" >"$dir/index" ||
		complain "$file: line $fault is not named first: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
done

# It is told that the programs that it would start were not.
! default_limits || jq -e '.notes | any(contains("starts no other programs"))' "$dir/answer" >"$dir/index" ||
	complain "builder: no note of programs: $(jq -c .notes "$dir/answer")"

# Where a pointer is compared with NULL, no number, order or check of that pointer is meant.
fault=$(grep -n '/\* fault \*/' tests/endings/tail.c | cut -d: -f1)
"$WHY_BIN" explain --format=json --max-suspects 0 -- "$dir/tail-O0" 3 >"$dir/answer" 2>"$dir/err"
got=$(jq -r --argjson fault "$fault" '[.suspects[] | select(.statements[0].line == $fault) | .evidence.change // "" ] | join(";")' "$dir/answer")
case $got in
"" | *checked* | *' for 0'* | *[\<\>]*) ! default_limits || complain "tail: line $fault is mended by $got" ;;
esac

# The chain of a division begins with what it divided by, which a product would only dodge; sizes are right.
cat >"$dir/length.c" <<'C'
#include <stdlib.h>
#include <string.h>
static int order(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
int main(int argc, char **argv)
{
	char *names[5] = { "c", "a", "b" };
	int share = 100 / (int)strlen(argv[1]);
	qsort(names, 5, sizeof names[0], order);
	return share > 100 || argc > 2;
}
C
"$CC" -g -O0 -w -o "$dir/length" "$dir/length.c" || complain "length.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/length" "" >"$dir/answer" 2>"$dir/err"
jq -e '.failure.cause == "SIGFPE" and (.opening | length == 1 and (.[0].clause | startswith("argv[1], "))) and
	all(.suspects[]; (.evidence.change // "") | contains("`*'"'"'") | not)' "$dir/answer" >"$dir/index" ||
	! default_limits || complain "length: $(jq -c '[.failure.cause, .opening, [.suspects[].evidence.change]]' "$dir/answer")"
"$WHY_BIN" explain --format=json -- "$dir/length" "word" >"$dir/answer" 2>"$dir/err"
jq -e '.suspects[0].evidence.change == "3 for 5"' "$dir/answer" >"$dir/index" || ! default_limits ||
	complain "length: $(jq -c '[.suspects[].evidence.change]' "$dir/answer")"

# What a handler of the program's makes of a fault is told, and the fault explained; also from a record.
fault=$(grep -n '/\* fault \*/' tests/endings/handler.c | cut -d: -f1)
for how in 'abort:SIGABRT' 'exit:exit status 3' 'again:SIGSEGV'; do
	"$WHY_BIN" explain --format=json --max-suspects 0 -- "$dir/handler-O0" 3 "${how%:*}" >"$dir/answer" 2>"$dir/err"
	[ "$(jq -r '.failure.cause' "$dir/answer")" = SIGSEGV ] || complain "handler ${how%:*}: $(cat "$dir/err")"
	jq -e --arg by "${how#*:}" '.notes | any(contains("took SIGSEGV, and ended it by " + $by))' "$dir/answer" >"$dir/index" ||
		complain "handler ${how%:*}: $(jq -c .notes "$dir/answer")"
	! default_limits || jq -e --argjson fault "$fault" \
		'[.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault)' "$dir/answer" >"$dir/index" ||
		complain "handler ${how%:*}: line $fault is no proven suspect"
done
"$WHY_BIN" record -o "$dir/handler.why" -- "$dir/handler-O0" 3 abort >"$dir/index"
"$WHY_BIN" explain --record "$dir/handler.why" --format=json --max-suspects 0 >"$dir/answer" 2>"$dir/err"
! default_limits || jq -e --argjson fault "$fault" \
	'.failure.cause == "SIGSEGV" and ([.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault))' \
	"$dir/answer" >"$dir/index" || complain "handler: from its record: $(jq -c '[.failure.cause, .suspects[].statements[].line]' "$dir/answer")"

# The record says how it ended, too, and answers as the run does.
"$WHY_BIN" record -o "$dir/lookup.why" -- "$dir/lookup-O0" 7 | grep -q ', SIGSEGV$' || complain "record: no SIGSEGV"
"$WHY_BIN" explain --record "$dir/lookup.why" >"$dir/from-record"
status=$?
explained_or_cut $status || complain "explain --record: status $status"
grep -q '^SIGSEGV at .*lookup.c:.* n = NULL$' "$dir/from-record" || complain "$(head -1 "$dir/from-record")"
! default_limits || grep -q 'proven by replay' "$dir/from-record" || complain "not proven: $(sed -n 2p "$dir/from-record")"

# Of a suite, the tests that end so are explained.
printf '%s\n' '1 2' '11 15 3' '30 40' '11' >"$dir/suite"
"$WHY_BIN" explain --format=json --tests "$dir/suite" -- "$dir/exit-O0" >"$dir/answer"
status=$?
explained_or_cut $status || complain "--tests: status $status"
! default_limits || jq -e '.tests.explained | length == 2' "$dir/answer" >"$dir/index" || complain "--tests: $(jq -c .tests "$dir/answer")"

# A stack overflow is called so, with the functions, about as many calls as GDB counts, and the
# conditions that could have ended it; one without a condition, and other crashes, are not.
"$CC" -g -O0 -w -o "$dir/recursion" tests/endings/recursion.c || complain "recursion.c does not compile"
(ulimit -s 512 && "$WHY_BIN" explain --timeout 10 --format=json -- "$dir/recursion" -3) >"$dir/answer" 2>"$dir/err"
rounds=$(jq -r '.failure.cause' "$dir/answer" | sed -nE 's/^stack overflow \(SIGSEGV\): (even, odd|odd, even) call each other, about ([0-9]*) rounds deep,$/\2/p')
frames=$(ulimit -s 512 && gdb -nx -batch -ex 'run -3' -ex 'bt -1' "$dir/recursion" 2>"$dir/err" </dev/null | sed -n 's/^#\([0-9]*\) .*/\1/p' | tail -1)
[ -n "$rounds" ] && [ "$frames" -gt 100 ] && [ $((rounds * 200)) -gt $((frames * 95)) ] && [ $((rounds * 200)) -lt $((frames * 105)) ] || ! default_limits ||
	complain "recursion: $(jq -c .failure "$dir/answer"), GDB has ${frames:-no} frames"
jq -e --arg line ":$(grep -n '/\* fault \*/' tests/endings/recursion.c | cut -d: -f1):" \
	'[.notes[] | select(test("depends on the condition") and contains($line))] | length == 1' "$dir/answer" >"$dir/index" || ! default_limits ||
	complain "recursion: $(jq -c .notes "$dir/answer")"
cat >"$dir/never.c" <<'C'
static int f(int *p)
{
	int a[64];

	a[0] = *p + 1;
	return f(a) + a[5];
}
int main(void)
{
	int a = 0;

	return f(&a);
}
C
"$CC" -g -O0 -w -o "$dir/never" "$dir/never.c" || complain "never.c does not compile"
(ulimit -s 512 && "$WHY_BIN" explain --timeout 10 -- "$dir/never") >"$dir/text" 2>"$dir/err"
grep -q '^stack overflow (SIGSEGV): f calls itself, about' "$dir/text" && grep -q 'nothing ends the recursion' "$dir/text" || ! default_limits ||
	complain "never: $(cat "$dir/text" "$dir/err")"

# A signal of someone else's is no fault of the program's.
cat >"$dir/alarm.c" <<'C'
#include <signal.h>
int main(void)
{
	raise(SIGTERM);
	return 0;
}
C
"$CC" -g -o "$dir/alarm" "$dir/alarm.c"
"$WHY_BIN" explain -- "$dir/alarm" >"$dir/out" 2>&1
[ $? -eq 3 ] && grep -q 'was killed by SIGTERM; only' "$dir/out" || complain "SIGTERM: $(cat "$dir/out")"
# Nor in a run that is long enough to be told of at once.
"$WHY_BIN" explain --limit nearby_from=0 -- "$dir/alarm" >"$dir/out" 2>&1
[ $? -eq 3 ] && grep -q 'was killed by SIGTERM; only' "$dir/out" || complain "SIGTERM, long: $(cat "$dir/out")"

[ $failures -eq 0 ]
