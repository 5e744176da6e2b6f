#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# A condition is missing: which one, what other tests of the suite say.  What is said is put into
# the source, compiled, and run.
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
#include <stdlib.h>

enum { LATE = 1, SICK = 4, GUEST = 8 };
struct person { int age; unsigned state; };

static int days(const struct person *p, int asked)
{
	int most = 20;

	if (p->age > 50 ADDED) /* CONDITION */
		most = 30;
	return asked < most ? asked : most;
}

static int pay(const struct person *p, int hours)
{
	int sum = hours * 10;

	sum += 15; /* STATEMENT */
	return sum + (p->age > 50);
}

static int oldest(const struct person *all, int n)
{
	int most = 0;

	for (const struct person *p = all; p < all + n; p++)
		if (p->age > most) /* ROUND */
			most = p->age;
	return most;
}

int main(int argc, char **argv)
{
	struct person p = { 0 }, all[8] = { { 0 } };
	int n = 0;

	if (argc < 5)
		return 0;
	if (argv[4][0] == 'o') {
		for (int i = 5; i < argc && n < 8; i++)
			all[n++].age = atoi(argv[i]);
		assert(oldest(all, n) == atoi(argv[3]));
		return 0;
	}
	p.age = atoi(argv[1]);
	p.state = (unsigned)atoi(argv[2]);
	assert(argv[4][0] != 'd' || days(&p, 40) == atoi(argv[3]));
	assert(argv[4][0] != 'p' || pay(&p, p.age) == atoi(argv[3]));
	return 0;
}
C
line() {
	grep -n "/\* $1 \*/" "$tmp/p.c" | cut -d: -f1
}
for age in 20 35 50 51 52 64; do
	for state in 0 1 4 5 8 12; do
		echo "$age $state $((age > 50 && (state & 4) == 0 ? 30 : 20)) d"
	done
done >"$tmp/suite-days"
for age in 1 7 20 39 41 50 60 66; do
	for state in 0 8; do
		echo "$age $state $((age * 10 + (age > 40 ? 15 : 0) + (age > 50))) p"
	done
done >"$tmp/suite-pay"


# Of those under 90: one round of several is wrong.
for ages in "20 30" "95 20 30" "30 20 97" "40" "20 91 60 12" "60 50 40 30" "89 1" "1 89" "12 99" "7 8 9" "88 2 96 3"; do
	most=0
	for age in $ages; do
		[ "$age" -ge 90 ] || [ "$age" -le "$most" ] || most=$age
	done
	echo "0 0 $most o $ages"
done >"$tmp/suite-oldest"

explain() { # NAME SUITE FLAGS...
	"$CC" -g -O0 "${@:3}" -DADDED= -o "$tmp/$1" "$tmp/p.c" || exit 1
	"$WHY_BIN" explain --failing 1 --tests "$tmp/suite-$2" --format=json -- "$tmp/$1" \
		>"$tmp/$1.json" 2>"$tmp/err" || wrong "$1: status $?: $(cat "$tmp/err")"
	python3 tests/validate.py tests/answer.schema.json <"$tmp/$1.json" || wrong "$1: schema"
}

at() { # NAME LINE FIELD: of the line's suspect
	jq -r ".suspects[] | select(.size == 1 and .statements[0].line == $2) | .evidence$3" "$tmp/$1.json"
}

# The same whatever the layout is: jumps are short here, long there.
for layout in -falign-labels=1 -falign-labels=256; do
	explain near$layout days $layout
	[ "$(at near$layout "$(line CONDITION)" .condition)" = '!(p->state & 4)' ] ||
		wrong "$layout: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/near$layout.json")"
	[ "$(at near$layout "$(line CONDITION)" '| .mended == .failing and .broken == 0 and .passing > 10')" = true ] ||
		wrong "$layout: counts"
	[ "$(jq '.lines[0].line' "$tmp/near$layout.json")" = "$(line CONDITION)" ] ||
		wrong "$layout: $(jq -c .lines "$tmp/near$layout.json")"
done
added=$(at near-falign-labels=1 "$(line CONDITION)" .change)
[ "$added" = "\`&& !(p->state & 4)' added" ] || wrong "change: $added"
# It is right: the source with it passes all tests.
added=${added#\`} added=${added%\' added}
"$CC" -g -O0 -DADDED="$added" -o "$tmp/mended" "$tmp/p.c" || exit 1
while read -r words; do
	"$tmp/mended" $words || wrong "with $added the test $words fails"
done <"$tmp/suite-days"

# In a loop.
explain round oldest
case $(at round "$(line ROUND)" .condition) in
*'< 90' | *'<= 89' | *'<= 90' | *'< 91') ;;
*) wrong "round: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/round.json")" ;;
esac

# A statement that lost its condition.
explain pay pay
condition=$(at pay "$(line STATEMENT)" .condition)
case $condition in
'p->age > 40' | 'p->age >= 40' | 'p->age > 39' | 'p->age >= 41' | 'hours > 40' | 'hours > 39' | 'hours >= 40' | 'hours >= 41') ;;
*) wrong "pay: $condition: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/pay.json")" ;;
esac
"$WHY_BIN" explain --all --failing 1 --tests "$tmp/suite-pay" -- "$tmp/pay" >"$tmp/text" || wrong "text: status $?"
tr -s ' \n' ' ' <"$tmp/text" | grep -qF "a condition is missing here: with \`if ($condition)' before it all" ||
	wrong "text: $(cat "$tmp/text")"
exit $failed
