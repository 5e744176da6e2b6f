#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# What other tests of a suite say for and against explanations: a small change of the
# faulty line that mends all failing tests and breaks no passing one; a passing test with
# the same operands.  Changed programs are caged, and end.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

wrong() {
	echo "$*"
	failed=1
}

cat >"$tmp/p.c" <<'C'
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <fcntl.h>

struct order {
	int items, price, member;
};

static bool is_large(const struct order *o)
{
	return o->items * o->price > 100; /* FAULT */
}

static int rebate(const struct order *o)
{
	bool large = is_large(o);

	if (o->items > 1000000)
		open(OUT, O_CREAT | O_WRONLY, 0600);
	if (large) /* USE */
		return 10;
	return o->member ? 5 : 0;
}

int main(int argc, char **argv)
{
	struct order o = { 0 };
	int spent = 0;

	if (argc < 4)
		return 0;
	o.items = atoi(argv[1]);
	o.price = atoi(argv[2]);
	o.member = atoi(argv[3]);
	for (int i = 0; i < o.items; i++) /* LOOP */
		spent += o.price;
	assert(spent == o.items * o.price);
	assert(rebate(&o) == (spent >= 100 ? 10 : o.member ? 5 : 0));
	return 0;
}
C
"$CC" -g -O0 -DOUT="\"$tmp/written\"" -o "$tmp/p" "$tmp/p.c" || exit 1
line() {
	grep -n "$1" "$tmp/p.c" | cut -d: -f1
}
for items in 1 3 4 5 9 10 20 25 50 99; do
	for price in 1 2 4 5 10 25 100; do
		echo "$items $price $((items % 2))"
	done
done >"$tmp/suite"

why() {
	name=$1
	shift
	"$WHY_BIN" explain --tests "$tmp/suite" --format=json "$@" -- "$tmp/p" \
		>"$tmp/$name.json" 2>"$tmp/err" || wrong "$name: status $?: $(cat "$tmp/err")"
	python3 tests/validate.py tests/answer.schema.json <"$tmp/$name.json" || wrong "$name: schema"
}

is() {
	got=$(jq -r "$2" "$tmp/$1.json")
	[ "$got" = "$3" ] || wrong "$1: $2 is $got, not $3"
}
fault=$(line FAULT) use=$(line USE) loop=$(line LOOP)
at() {
	echo ".suspects[] | select(.size == 1 and .statements[0].line == $1)"
}

why with
is with '.suspects[0].statements[0].line' "$fault"
# Of whole numbers, both say the same.
right="IN(\"99 for 100\", \"\`>=' for \`>'\")"
is with ".suspects[0].evidence.change | $right" true
is with '.suspects[0].evidence | .mended == .failing and .failing > 4 and .broken == 0 and .passing > 20' true
is with '.lines[0].line' "$fault"
# A passing test finds `large' as it is here and needs it so.
is with "$(at "$use") | .evidence.contradicted != null and .evidence.change == null" true
is with '[.suspects[] | select(.replay == "passes") | .score] | . == (sort | reverse)' true
is with "[.suspects[] | select(.evidence.contradicted)] | length > 0" true
is with '[.suspects[] | select(.replay == "passes" and .evidence.change == null) | .evidence.contradicted != null]
	| . == sort' true
# Who speaks against it is a passing test of the suite.
other=$(jq -r "$(at "$use") | .evidence.contradicted" "$tmp/with.json")
"$tmp/p" $(sed -n "${other}p" "$tmp/suite") || wrong "test $other does not pass"
# What was changed to write a file could not.
[ ! -e "$tmp/written" ] || wrong "a changed program wrote a file"

# The same, as text and as a page, and as a ranking.
"$WHY_BIN" explain --tests "$tmp/suite" -- "$tmp/p" >"$tmp/text" || wrong "text: status $?"
tr -s ' \n' ' ' <"$tmp/text" >"$tmp/line"
grep -q "\(99 for 100\|\`>=' for \`>'\) here: all [0-9]* failing tests tried pass with it, and 0 of [0-9]* passing ones fail" "$tmp/line" ||
	wrong "text: $(cat "$tmp/text")"
grep -q "test $other passes and has the same operands there, but fails with this change" "$tmp/line" ||
	wrong "text: $(cat "$tmp/text")"
[ -z "${THOROUGH:-}" ] || "$WHY_BIN" explain --format=html --tests "$tmp/suite" -- "$tmp/p" >"$tmp/page" || wrong "html: status $?"
[ -z "${THOROUGH:-}" ] || grep -q "99 for 100 here\|for \`&gt;&apos; here\|for \`&gt;' here" "$tmp/page" || wrong "html"
"$WHY_BIN" rank --technique ofc+cw,joint,ofc --format=json --tests "$tmp/suite" -- "$tmp/p" >"$tmp/rank.json" ||
	wrong "rank: status $?"
is rank ".lines[] | select(.line == $fault) | [.scores[0,1].rank] | join(\" \")" '1 1'
is rank "[.lines[] | select(.line == $use) | .scores[0].rank][0] > [.lines[] | select(.line == $fault) | .scores[0].rank][0]" true

# Without.
why without --no-evidence
is without '[.suspects[].evidence] | unique | length' 1
is without '.suspects[0].evidence' null
"$WHY_BIN" explain --no-evidence -- "$tmp/p" 1 2 3 >/dev/null 2>"$tmp/err"
[ $? = 2 ] && grep -q 'no-evidence is about --tests' "$tmp/err" || wrong "alone: $(cat "$tmp/err")"

# Without a check of its own: what it prints is judged, by another program's or by files.
sed '/<stdlib.h>/s/$/\n#include <stdio.h>/; s/assert(rebate.*/printf("rebate %d\\n", rebate(\&o));/; /assert/d' "$tmp/p.c" >"$tmp/print.c"
sed 's/price > 100/price >= 100/' "$tmp/print.c" >"$tmp/right.c"
for program in print right; do
	"$CC" -g -O0 -DOUT="\"$tmp/written\"" -o "$tmp/$program" "$tmp/$program.c" || exit 1
done
mkdir "$tmp/expected"
number=0
while read -r words; do
	number=$((number + 1))
	"$tmp/right" $words >"$tmp/expected/$number.out"
done <"$tmp/suite"
printed=$(grep -n FAULT "$tmp/print.c" | cut -d: -f1)
for by in "--golden $tmp/right" "--expected $tmp/expected"; do
	"$WHY_BIN" explain --tests "$tmp/suite" --format=json $by -- "$tmp/print" >"$tmp/print.json" 2>"$tmp/err" ||
		wrong "$by: status $?: $(cat "$tmp/err")"
	is print '.suspects[0].statements[0].line' "$printed"
	is print ".suspects[0].evidence.change | $right" true
	is print '.suspects[0].evidence | .mended == .failing and .failing > 4 and .broken == 0 and .passing > 20' true
	is print "[.suspects[] | select(.evidence.contradicted)] | length > 0" true
done
[ ! -e "$tmp/written" ] || wrong "a changed program wrote a file"

# One test of the command line.
"$WHY_BIN" explain --tests "$tmp/suite" --format=json -- "$tmp/p" 10 10 1 >"$tmp/own.json" || wrong "own: status $?"
is own ".suspects[0].evidence.change | $right" true
exit $failed
