#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# Small changes that need more than other bytes in the same place: a branch to a far place, exchanged
# arguments, a constant that only an explanation's value tells, a quotient that has to be rounded otherwise.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

cat >"$tmp/p.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int between(int a, int low, int high)
{
	int in = 0;

	if (a >= low || a <= high) /* JOINED */
		in = 1;
	return in;
}

static int less(int a, int b)
{
	return a - 3 * b;
}

static int fee(int n)
{
	int base = 250; /* CONSTANT */

	return base + n * n;
}

static int pages(int lines, int a_page)
{
	int n = 0;

	n = lines / a_page; /* ROUNDED */
	return n;
}

static int grams(int ounces)
{
	return ounces * 2835 / 100; /* NEAREST */
}

static int started(int minutes)
{
	return minutes / 60 + 1; /* STARTED */
}

int main(int argc, char **argv)
{
	int a, b, is = 0;

	if (argc < 5)
		return 0;
	a = atoi(argv[2]);
	b = atoi(argv[3]);
	if (argv[1][0] == 'j')
		is = between(a, 10, b);
	if (argv[1][0] == 'e')
		is = less(b, a); /* EXCHANGED */
	if (argv[1][0] == 'c')
		is = fee(a);
	if (argv[1][0] == 'r')
		is = pages(a, b);
	if (argv[1][0] == 'n')
		is = grams(a);
	if (argv[1][0] == 's')
		is = started(a);
	assert(is == atoi(argv[4]));
	return 0;
}
C
for a in 1 5 9 10 20 33 50; do
	for b in 15 30 40; do
		echo "j $a $b $((a >= 10 && a <= b))" >>"$tmp/suite-j"
		echo "e $a $b $((a - 3 * b))" >>"$tmp/suite-e"
		echo "r $a $b $(((a + b - 1) / b))
r $((a * b)) $b $a" >>"$tmp/suite-r"
	done
	echo "c $a 0 $((3791 + a * a))" >>"$tmp/suite-c"
	echo "n $a 0 $(((a * 2835 + 50) / 100))" >>"$tmp/suite-n"
	echo "s $a 0 $(((a + 59) / 60))
s $((a * 60)) 0 $a" >>"$tmp/suite-s"
done
echo "e 4 4 -8
x 0 0 0
y 1 1 0" | tee -a "$tmp/suite-e" "$tmp/suite-c" >/dev/null
sed -i '/^e/d' "$tmp/suite-c"

changes() { # NAME MARK CHANGE FLAGS...
	"$CC" -g -O0 "${@:4}" -o "$tmp/$1" "$tmp/p.c" || exit 1
	"$WHY_BIN" explain --failing 1 --tests "$tmp/suite-$1" --format=json -- "$tmp/$1" >"$tmp/$1.json" ||
		{ echo "$1: status $?"; failed=1; }
	got=$(jq -r --argjson line "$(grep -n "/\* $2 \*/" "$tmp/p.c" | cut -d: -f1)" \
		'.suspects[] | select(.size == 1 and .statements[0].line == $line) | .evidence.change' "$tmp/$1.json")
	[ "$got" = "$3" ] || {
		echo "$1: $got, not $3"
		jq -c '.suspects[] | [.statements[0].line, .statements[0].witness, .evidence]' "$tmp/$1.json"
		failed=1
	}
}
changes j JOINED '`&&'\'' for `||'\''' -falign-labels=256
changes e EXCHANGED '`a'\'' and `b'\'' exchanged'
changes c CONSTANT '3791 for 250'
changes r ROUNDED 'rounded up'
changes s STARTED 'rounded up, without `+ 1'\'''
changes n NEAREST 'rounded to the nearest number'
exit $failed
