#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program with one faulty line and its suite: what passes by each rule, what is
# left out, and the faulty line first in text, JSON and CSV.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

cat >"$tmp/p.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static int middle(int a, int b, int c)
{
	if (b < c) {
		if (a < b)
			return b;
		if (a < c)
			return FAULT;
	} else {
		if (a > b)
			return b;
		if (a > c)
			return a;
	}
	return c;
}

int main(int argc, char **argv)
{
	int n[3] = { 0 };
	if (argc == 1)
		return scanf("%d %d %d", &n[0], &n[1], &n[2]) == 3 ? middle(n[0], n[1], n[2]) : 99;
	for (int i = 0; i < 3 && i + 1 < argc; i++)
		n[i] = atoi(argv[i + 1]);
	printf("%d\n", middle(n[0], n[1], n[2]));
	return 0;
}
C
"$CC" -g -O0 -DFAULT=b -o "$tmp/p" "$tmp/p.c" && "$CC" -g -O0 -DFAULT=a -o "$tmp/golden" "$tmp/p.c" || exit 1
fault=$(grep -n FAULT "$tmp/p.c" | cut -d: -f1)

cat >"$tmp/suite" <<'S'
# the middle of three
3 3 5
1 2 3
3 2 1
five: 5 5 5
{} '5' "3" 4 <numbers

{} 2 1 3 | cat
{} <numbers
S
echo 2 1 3 >"$tmp/numbers"
mkdir "$tmp/out"
for t in 2:3 3:2 4:2 five:5 6:4 8:2; do echo "${t#*:}" >"$tmp/out/${t%:*}.out"; done
: >"$tmp/out/9.out"

rank() {
	"$WHY_BIN" rank -C "$tmp" "$@" -- ./p >"$tmp/answer" 2>"$tmp/errors"
	status=$?
}
wrong() {
	echo "$*: status $status"
	head -n 20 "$tmp/answer" "$tmp/errors"
	failed=1
}
# counts FAILED PASSED LEFT_OUT
counts() {
	jq -e --argjson f "$1" --argjson p "$2" --argjson l "$3" \
		'.counts.failed == $f and .counts.passed == $p and .counts.left_out == $l' \
		"$tmp/answer" >/dev/null
}

for rule in --golden=./golden --expected=out; do
	rank --tests suite $rule
	{ [ $status -eq 0 ] && [ ! -s "$tmp/errors" ] &&
		grep -q "^ *1 .* p.c:$fault  *return FAULT;$" "$tmp/answer"; } || wrong "text $rule"
	rank --tests suite $rule --format=json -j 3
	{ [ $status -eq 0 ] && [ "$(jq '.lines[0].line' "$tmp/answer")" = "$fault" ] &&
		{ [ $rule = --expected=out ] || counts 2 5 0; } &&
		python3 tests/validate.py --strict tests/ranking.schema.json <"$tmp/answer"; } || wrong "json $rule"
done
# of what is expected only the output counts
counts 1 6 0 || wrong "expected"

# By status: what reads its numbers exits with the middle one.
printf '%s\n' '{} <numbers' '1 2 3' 'test "$({} 2 1 3)" = 2' '{} 3 2 1 >&-' >"$tmp/by-status"
rank --tests by-status --format=json
{ [ $status -eq 0 ] && counts 2 2 0 &&
	[ "$(jq -c '[.tests[].verdict]' "$tmp/answer")" = '["failed: status","passed","failed: status","passed"]' ]; } ||
	wrong "status"

# Bad lines are named with their number and cost only themselves.
{ cat "$tmp/suite" && printf '%s\n' "1 'x" 'five: 1' '{} (' 'true # {}' '{} <missing'; } >"$tmp/bad"
rank --tests bad --golden ./golden --format=json
{ [ $status -eq 0 ] && counts 2 5 5 && [ "$(wc -l <"$tmp/errors")" = 5 ] &&
	grep -q "^gdb-why: bad:10: its quote ' is not closed; this test is left out.$" "$tmp/errors" &&
	grep -q '^gdb-why: bad:11: the name five is that of bad:5;' "$tmp/errors" &&
	grep -q '^gdb-why: bad:12: it ended with status 2 and did not run the program;' "$tmp/errors" &&
	grep -q '^gdb-why: bad:14: cannot read .*missing' "$tmp/errors"; } || wrong "bad lines"

# A folder of scripts, which get the program in both ways.
mkdir "$tmp/scripts"
printf '#!/bin/sh\nexec "$PROG" 1 2 3\n' >"$tmp/scripts/1.sh" && chmod +x "$tmp/scripts/1.sh"
echo 'test "$($1 2 1 3)" = 2' >"$tmp/scripts/2.sh"
echo 'touch "$TMPDIR/x" && $1 3 3 3' >"$tmp/scripts/10.sh"
rank --tests scripts --format=json
{ [ $status -eq 0 ] && counts 1 2 0 && [ "$(jq -c '[.tests[].name]' "$tmp/answer")" = '["1","2","10"]' ]; } ||
	wrong "scripts"

rank --tests suite --golden ./golden --technique all --format csv -o "$tmp/csv"
{ [ $status -eq 0 ] && [ ! -s "$tmp/answer" ] && python3 - "$tmp/csv" "$fault" <<'PY'; } || wrong "csv"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len(rows) > 15, rows
assert rows[0]["line"] == sys.argv[2] and rows[0]["Ochiai rank"] == "1", rows[0]
assert len(rows[0]) >= 5 + 4 * 50 and all(None not in r and None not in r.values() for r in rows)
PY
rank --tests suite --golden ./golden --annotate --color=always
{ [ $status -eq 0 ] && grep -q "$(printf '\033\\[1;31m *return FAULT;')" "$tmp/answer" &&
	[ "$(grep -c . "$tmp/answer")" -gt 25 ]; } || wrong "annotated"

# fails STATUS SENTENCE OPTIONS...
fails() {
	expected=$1 sentence=$2
	shift 2
	rank "$@"
	{ [ $status -eq "$expected" ] && [ ! -s "$tmp/answer" ] && [ "$(wc -l <"$tmp/errors")" = 1 ] &&
		grep -q "^gdb-why: .*$sentence" "$tmp/errors"; } || wrong "$@"
}
printf '%s\n' '1 2 3' '3 2 1' >"$tmp/all-pass"
echo '{} <numbers' >"$tmp/all-fail"
: >"$tmp/empty"
fails 1 'No test failed: all 2 passed' --tests all-pass
fails 3 'No test passed: all 1 failed' --tests all-fail
fails 2 'is empty; write one test a line' --tests empty
fails 2 'There is no test suite missing' --tests missing
fails 2 'has no tests' --tests out
fails 2 'There is no program ./missing' --tests suite --golden ./missing
fails 2 'There is no folder missing' --tests suite --expected missing
fails 2 "There is no technique .nonsense'" --tests suite --technique nonsense
fails 2 'there is no folder missing' --tests suite --golden ./golden -o missing/x
"$CC" -O0 -DFAULT=b -o "$tmp/plain" "$tmp/p.c"
"$WHY_BIN" rank --tests "$tmp/suite" -- "$tmp/plain" 2>"$tmp/errors"
[ $? -eq 2 ] && grep -q -- '-g' "$tmp/errors" || { echo "without -g:"; cat "$tmp/errors"; failed=1; }
# a compiler may have one of its own there
[ "$(ls -A "$tmp/cache" | grep -vx ccache)" = gdb-why ] || { ls -A "$tmp/cache"; failed=1; }
exit $failed
