#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# explain --tests: statements weigh 1/suspiciousness, cheaper explanations come
# first, and failing tests of the suite are explained together with one GDB.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

cat >"$tmp/p.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int middle(int a, int b, int c)
{
	int m = c;

	if (b < c) {
		if (a < b)
			m = b;
		else if (a < c)
			m = b; /* FAULT */
	} else {
		if (a > b)
			m = b;
		else if (a > c)
			m = a;
	}
	return m;
}

int main(int argc, char **argv)
{
	int n[4] = { 0 };

	for (int i = 0; i < 4 && i + 1 < argc; i++)
		n[i] = atoi(argv[i + 1]);
	assert(middle(n[0], n[1], n[2]) == n[3]);
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/p" "$tmp/p.c" || exit 1
fault=$(grep -n FAULT "$tmp/p.c" | cut -d: -f1)
cat >"$tmp/suite" <<'S'
3 3 5 3
1 2 3 2
3 2 1 2
5 5 5 5
first: 2 1 3 2
1 3 2 2
shell: {} 2 1 4 2 && true
second: 5 3 9 5
3 1 2 2
third: 4 0 7 4
fourth: 6 1 8 6
1 1 1 1
S
cat >"$tmp/gdb" <<S
#!/bin/sh
echo started >>"$tmp/gdbs"
exec gdb "\$@"
S
chmod +x "$tmp/gdb"

wrong() {
	echo "$*"
	failed=1
}

why() {
	name=$1
	shift
	"$WHY_BIN" explain --gdb "$tmp/gdb" --tests "$tmp/suite" --format=json "$@" \
		>"$tmp/$name.json" 2>"$tmp/err" || wrong "$name: status $?: $(cat "$tmp/err")"
	python3 tests/validate.py tests/answer.schema.json <"$tmp/$name.json" || wrong "$name: schema"
}

is() {
	got=$(jq -r "$2" "$tmp/$1.json")
	[ "$got" = "$3" ] || wrong "$1: $2 is $got, not $3"
}

# The test of the command line.
why own --limit vacuity_lines=0 --limit mutant_runs=200 -- "$tmp/p" 2 1 3 2
is own '[.tests.passed, .tests.failed, .tests.technique] | join(" ")' '7 5 Ochiai'
is own '.tests.explained | length' 0
is own '.suspects[0].statements[0].line' "$fault"
is own '.suspects[0].replay' passes
why weighed --no-evidence -- "$tmp/p" 2 1 3 2
is weighed '[.suspects[] | select(.replay == "passes") | .weight] | . == sort' true
is weighed '[.suspects[] | select(.replay == "passes") | .weight * .score * 1000 | round] | unique | join(" ")' 1000
is own '[.notes[] | select(test("7 passing and 5 failing tests"))] | length' 1

# Each weighs what rank says of its lines.
"$WHY_BIN" rank --tests "$tmp/suite" --format=json -- "$tmp/p" >"$tmp/rank.json" || wrong rank
jq -n --slurpfile a "$tmp/own.json" --slurpfile r "$tmp/rank.json" '
	($r[0].lines | map({ (.line | tostring): .scores[0].score }) | add) as $score
	| [$a[0].suspects[] | . as $s | [.statements[].line] | unique | map($score[tostring])
	   | select(all(. > 0)) | [(map(1 / .) | add), $s.weight]
	   | (.[0] - .[1]) | fabs < 1e-6] | [length > 1, all] | all' >"$tmp/same"
[ "$(cat "$tmp/same")" = true ] || wrong "the weights are not those of rank"

# What follows asks for no evidence, unless there is time for it.
evidence=$([ "${THOROUGH:-}" ] || echo --no-evidence)
# Another technique: one that suspects what passing tests execute.
why wong $evidence --technique wong1 -- "$tmp/p" 2 1 3 2
is wong '.tests.technique' Wong1
is wong '[.suspects[] | select(.replay == "passes" and .size == 1) | .weight] | unique | length' 1

# Failing tests of the suite, but for what a shell runs.
: >"$tmp/gdbs"
why three --limit vacuity_lines=0 --limit mutant_runs=100 -- "$tmp/p"
is three '.tests.explained | join(" ")' 'first second third'
is three '.argv | join(" ")' '2 1 3 2'
is three '.suspects[0].tests' 3
is three '.suspects[0].statements[0].line' "$fault"
is three '.lines[0].line' "$fault"
is three '[.lines[].score] | . == (sort | reverse)' true
[ "$(wc -l <"$tmp/gdbs")" = 1 ] || wrong "GDB was started $(wc -l <"$tmp/gdbs") times"
why all $evidence --failing all -- "$tmp/p"
is all '.tests.explained | join(" ")' 'first second third fourth'
is all '.suspects[0].tests' 4
why named $evidence --failing third -- "$tmp/p"
is named '.tests.explained | join(" ")' third
is named '.argv | join(" ")' '4 0 7 4'
why placed $evidence --failing "$tmp/suite:11" -- "$tmp/p"
is placed '.tests.explained | join(" ")' fourth

# All at once: one fault, and two that need a statement each.
why joint $evidence --joint --failing all -- "$tmp/p"
is joint '.suspects[0].statements | map(.line) | unique | join(" ")' "$fault"
is joint '[.suspects[].tests] | unique | join(" ")' 4
sed 's|m = a;|m = c; /* SECOND */|' "$tmp/p.c" >"$tmp/q.c"
second=$(grep -n SECOND "$tmp/q.c" | cut -d: -f1)
"$CC" -g -O0 -o "$tmp/q" "$tmp/q.c" || exit 1
echo '2 3 1 2' >>"$tmp/suite"
why both $evidence --joint --failing all -- "$tmp/q"
is both '.tests.failed' 6
is both '[.suspects[] | [.statements[].line] | unique] | contains([['"$fault, $second"']])' true
sed -i '$d' "$tmp/suite"

# As a ranking.
"$WHY_BIN" rank --limit vacuity_lines=0 --limit mutant_runs=100 --tests "$tmp/suite" --technique ofc+cw,ofc,ochiai --format=json -- "$tmp/p" \
	>"$tmp/ranked.json" || wrong "rank: status $?"
is ranked '.techniques | join(" ")' 'ofc+cw ofc Ochiai'
is ranked '.lines[0].line' "$fault"
is ranked '.lines[0].scores[0].rank' 1
is ranked '.lines | length' "$(jq '.lines | length' "$tmp/rank.json")"
# What no explanation names follows in the order of the formula.
is ranked '[.lines[].scores[0].score] | min > 0 and . == (sort | reverse)' true
is ranked '[.lines[-4:][].scores[2].rank] | . == sort and length == 4' true

# What cannot be.
refuses() {
	"$WHY_BIN" explain --tests "$tmp/suite" "${@:3}" -- "$tmp/p" >/dev/null 2>"$tmp/err"
	got=$?
	[ $got = "$1" ] || wrong "${*:3}: status $got, not $1"
	grep -q -- "$2" "$tmp/err" || wrong "${*:3}: $(cat "$tmp/err")"
}
refuses 2 'no test nobody' --failing nobody
refuses 2 'did not fail' --failing "$tmp/suite:2"
refuses 2 'run by a shell' --failing shell
refuses 2 'no technique' --technique nonsense
refuses 2 'by one technique' --technique ochiai,wong1
sed -i '/first\|second\|third\|fourth\|shell/d' "$tmp/suite"
refuses 1 'No test failed'
# Without failing tests the suite says nothing, but its absence is no reason not to answer.
why mute $evidence -- "$tmp/p" 2 1 3 2
is mute '.tests.technique' null
is mute '.suspects[0].weight' null
exit $failed
