#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 180
# explain --joint over many failing tests: a further one is explained only where the best sets so far do
# not explain it, and the best sets are those of explaining each; two faults, and wrong output.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0
complain() {
	echo "$*"
	failed=1
}

# parcel FILE [SED-EXPRESSION]: what a parcel costs, or a version of it; with -DPRINT it is printed
parcel() {
	cat >"$1" <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int cost(int grams, int zone)
{
	int base = 40;

	if (grams > 500)
		base = 70;
	if (zone == 2)
		base = base + 25;
	else if (zone > 2)
		base = base * 3;
	return base + grams / 100;
}

int main(int argc, char **argv)
{
	int got;

	if (argc < 4)
		return 2;
	got = cost(atoi(argv[1]), atoi(argv[2]));
#ifdef PRINT
	printf("%d\n", got);
#else
	assert(got == atoi(argv[3]));
#endif
	return 0;
}
END
	sed -i "${2:-}" "$1"
	gcc -g -O0 -o "${1%.c}" "$1" && gcc -g -O0 -DPRINT -o "${1%.c}-print" "$1" || exit 1
}
parcel "$tmp/right.c"
parcel "$tmp/one.c" 's/base = 70;/base = 60;/'                                      # line 10
parcel "$tmp/two.c" 's/base = 70;/base = 60;/; s/base \* 3/base * 2/'               # and line 14
one=$(grep -n 'base = 60' "$tmp/two.c" | cut -d: -f1) two=$(grep -n 'base \* 2' "$tmp/two.c" | cut -d: -f1)
for grams in 90 250 450 501 620 700 880 950 1100 1300 1700 2400; do
	for zone in 1 2 3 4; do
		echo "$grams $zone $("$tmp/right-print" $grams $zone 0)"
	done
done >"$tmp/suite"

# joint NAME ARGS...: the answer as NAME.json, its single lines and pairs as NAME
joint() {
	local name=$1
	shift
	"$WHY_BIN" explain --joint --failing all --limit joint_each=1 --no-evidence --max-suspects 0 --timeout 120 --format json \
		--tests "$tmp/suite" "$@" >"$tmp/$name.json" 2>"$tmp/said" || complain "$name: $(cat "$tmp/said")"
	python3 tests/validate.py tests/answer.schema.json <"$tmp/$name.json" || complain "$name: schema"
	jq -r '.suspects[] | [.statements[].line] | unique | map(tostring) | join("+")' "$tmp/$name.json" >"$tmp/$name"
}
minimal() { # NAME: no answer has all the lines of another one
	jq -e '[.suspects[] | [.statements[].line] | unique] | . as $all |
		[range(length) as $i | range(length) as $k | select($i != $k and ($all[$i] - $all[$k] == []))] == []' \
		"$tmp/$1.json" >/dev/null || complain "$1: an answer includes another one: $(cat "$tmp/$1")"
}
covered() { # NAME: how many were not explained themselves
	jq -r '.notes[]' "$tmp/$1.json" | sed -n 's/^\([0-9]*\) of them .*joint_best=0.*/\1/p'
}
explained() {
	jq '.tests.explained | length' "$tmp/$1.json"
}

joint each --limit joint_best=0 -- "$tmp/one"
joint fast -- "$tmp/one"
[ "$(explained fast)" = 36 ] && [ "$(explained each)" = 36 ] || complain "36 tests fail: $(explained fast), $(explained each)"
[ -z "$(covered each)" ] || complain "joint_best=0 explains each"
[ "$(covered fast)" -ge 30 ] || complain "only $(covered fast) of 36 were not explained themselves"
diff <(grep -v + "$tmp/each" | sort) <(grep -v + "$tmp/fast" | sort) >"$tmp/diff" ||
	complain "other single lines: $(cat "$tmp/diff")"
grep -qx "$one" "$tmp/fast" || complain "the fault is no answer: $(cat "$tmp/fast")"
[ "$(jq -c '[.suspects[].tests] | unique' "$tmp/fast.json")" = '[36]' ] || complain "not of all tests"

# However few sets are the best ones, no single line is lost; of larger ones the answer says that some
# are left out.
joint few --limit joint_best=1 -- "$tmp/one"
diff <(grep -v + "$tmp/each" | sort) <(grep -v + "$tmp/few" | sort) >"$tmp/diff" ||
	complain "joint_best=1: other single lines: $(cat "$tmp/diff")"
jq -r '.notes[]' "$tmp/few.json" | grep -q ' of several lines each, .* left out' ||
	complain "nothing says that sets are left out: $(jq -c .notes "$tmp/few.json")"
! jq -r '.notes[]' "$tmp/each.json" | grep -q 'left out' || complain "joint_best=0 leaves something out"

# Line 14 alone does not explain what line 10 does, and the other way round: the first test that shows it
# is explained, and both lines are in one answer.
joint both -- "$tmp/two"
grep -qx "$one+$two" "$tmp/both" || complain "two faults: $(head -n 5 "$tmp/both")"
[ "$(covered both)" -ge 25 ] || complain "two faults: $(covered both) covered of $(explained both)"
! grep -qx "$one\|$two" "$tmp/both" || complain "one line cannot explain two faults"

# Where a small change mends all and breaks none, further tests are only run with it.
# evident NAME ARGS...: joint(), with evidence
evident() {
	local name=$1
	shift
	"$WHY_BIN" explain --joint --failing all --limit joint_each=5 --timeout 120 --format json --tests "$tmp/suite" "$@" \
		>"$tmp/$name.json" 2>"$tmp/said" || complain "$name: $(cat "$tmp/said")"
}
more() { # NAME: how many tests were only run
	jq -r '.notes[]' "$tmp/$1.json" | sed -n 's/^\([0-9]*\) more failing tests\{0,1\} pass.*mended_each=0.*/\1/p'
}
for x in 1 2 3 4 5; do echo "$x 1 $("$tmp/right-print" $x 1 0)"; done >>"$tmp/suite" # these pass
evident alike -- "$tmp/one"
[ "$(more alike)" = 31 ] && [ "$(explained alike)" = 5 ] || complain "with a change: $(more alike) more than $(explained alike)"
[ "$(jq '.suspects[0].statements[0].line' "$tmp/alike.json")" = "$one" ] || complain "with a change: another line is first"
evident alike-each --limit mended_each=0 -- "$tmp/one"
[ -z "$(more alike-each)" ] && [ "$(explained alike-each)" = 36 ] || complain "mended_each=0: only $(explained alike-each)"
evident unlike -- "$tmp/two" # no change of one line mends two faults
[ -z "$(more unlike)" ] || complain "two faults: $(more unlike) tests by one change"

# What is printed decides.
joint printed --golden "$tmp/right-print" -- "$tmp/one-print"
grep -qx "$one" "$tmp/printed" || complain "by output: $(cat "$tmp/printed")"
# A change that mended one test counts in another one only where it does the same there.
# same_lines NAME ARGS...: by what mended others and by explaining each, with the suite on standard input
same_lines() {
	local name=$1
	shift
	gcc -g -O0 -o "$tmp/$name-program" "$tmp/$name.c" || exit 1
	cat >"$tmp/suite"
	joint "$name-each" --limit joint_best=0 "$@" -- "$tmp/$name-program"
	joint "$name" "$@" -- "$tmp/$name-program"
	diff <(sort "$tmp/$name-each") <(sort "$tmp/$name") >"$tmp/diff" || complain "$name: $(cat "$tmp/diff")"
}

# *v is in the first test where *w is in the next ones.
cat >"$tmp/heap.c" <<'END'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int room = argc > 1 ? atoi(argv[1]) : 0, got;
	char *before = malloc(room);
	int *v = malloc(24), *w = malloc(24);

	before[0] = 0;
	w[0] = room / 8;
	v[0] = room / 4;
	got = (room > 30) * v[0] + (room <= 30) * w[0];
	assert(got == 7);
	return 0;
}
END
printf '%s\n' 56 24 20 49 | same_lines heap --hard-addresses
[ "$(covered heap)" -ge 1 ] || complain "heap: each test was explained"

# v[4] is in the array in the first test only, and something harmless lies behind it.
cat >"$tmp/index.c" <<'END'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int room = argc > 1 ? atoi(argv[1]) : 0, at, got;
	int *v = malloc(room * sizeof(int));

	for (int i = 0; i < room; i++)
		v[i] = i < 4 ? 1 : 7;
	at = room / room;
	got = v[at];
	assert(got < 1 || got > 4);
	return 0;
}
END
printf '%s\n' 8 4 4 | same_lines index

for name in each fast few both printed; do minimal $name; done
[ "$(covered printed)" -ge 25 ] || complain "by output: $(covered printed) covered of $(explained printed)"
exit $failed
