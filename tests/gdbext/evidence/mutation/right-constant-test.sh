#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# A constant is wrong, and a failing test has the right one at hand.  Or a limit is wrong, each failing test passes from another value on, and neither the right one nor any
# other constant of the program is near.  The value that is said is put into the source, and all
# tests pass.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

cat >"$tmp/golden.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static int limits[3];

static void set_up(void)
{
	limits[0] = 310;
	limits[1] = 740; /* LIMIT */
	limits[2] = 1930;
}

static int allowance(int urgent, int distance)
{
	return urgent ? distance - 45 : distance; /* LESS */
}

static int is_special(int height)
{
	return height == 1480; /* EQUAL */
}

static const char *kind(int band, int urgent, int distance, int height)
{
	if (is_special(height))
		return "special";
	if (height < 20)
		return "low";
	if (allowance(urgent, distance) >= limits[band])
		return height > 5000 ? "high" : "far";
	return "near";
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	set_up();
	puts(kind(atoi(argv[1]) % 3, atoi(argv[2]), atoi(argv[3]), atoi(argv[4])));
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/golden" "$tmp/golden.c" || exit 1
for band in 0 1 2; do
	for distance in 40 120 290 305 330 420 655 701 712 723 738 741 746 765 772 784 790 860 1200 1850 1925 1944 1960 2400; do
		for urgent in 0 1; do
			echo "$band $urgent $distance $((distance * 37 % 6100))"
		done
	done
done >"$tmp/suite"

# search MARK FROM TO: with FROM replaced in that line the evidence says a value, which is put there.
search() {
	local mark=$1 from=$2 to=$3 line said test
	line=$(grep -n "/\* $mark \*/" "$tmp/golden.c" | cut -d: -f1)
	sed "${line}s/$from/$to/" "$tmp/golden.c" >"$tmp/wrong.c"
	"$CC" -g -O0 -o "$tmp/wrong" "$tmp/wrong.c" || exit 1
	"$WHY_BIN" explain --all --format=json --golden "$tmp/golden" --tests "$tmp/suite" -- "$tmp/wrong" \
		>"$tmp/answer" 2>"$tmp/err" || {
		echo "$mark: status $?: $(cat "$tmp/err")"
		failed=1
		return
	}
	said=$(jq -r --argjson line "$line" 'first(.suspects[] | select(.statements[0].line == $line)
		| .evidence.change // empty)' "$tmp/answer" | sed -n "s/^\(-\?[0-9]*\) for $to.*/\1/p")
	[ -n "$said" ] || {
		echo "$mark: no value for $to: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$tmp/answer")"
		failed=1
		return
	}
	sed -i "${line}s/$to/$said/" "$tmp/wrong.c"
	"$CC" -g -O0 -o "$tmp/wrong" "$tmp/wrong.c" || exit 1
	printed wrong | cmp - "$tmp/prints" || {
		echo "$mark: with $said for $to the test in this line fails"
		failed=1
	}
}

# printed PROGRAM: what it prints in each test, a line each
printed() {
	while read -r test; do
		# shellcheck disable=SC2086
		"$tmp/$1" $test
	done <"$tmp/suite"
}
printed golden >"$tmp/prints"
[ "$(sort -u "$tmp/prints" | wc -l)" -ge 4 ] || { echo "golden prints only $(sort -u "$tmp/prints")"; failed=1; }

search LIMIT 740 700
[ -z "${THOROUGH:-}" ] || search LIMIT 740 777
[ -z "${THOROUGH:-}" ] || search LESS 45 5
search EQUAL 1480 1470
[ "$(jq '.lines[0].line' "$tmp/answer")" = "$(grep -n '/\* EQUAL \*/' "$tmp/golden.c" | cut -d: -f1)" ] || {
	echo "EQUAL: not first: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$tmp/answer")"
	failed=1
}

# Letters of the wrong case are a likelier slip than other characters that mend the tests, too.
cat >"$tmp/small.c" <<'C'
#include <stdio.h>

static char of_name[256];

static void add(int from, int to)
{
	for (int c = from; c <= to; c++)
		of_name[c] = 1;
}

int main(int argc, char **argv)
{
	int n = 0;

	add('0', '9');
	add('a', 'z'); /* CASE */
	for (const char *at = argc > 1 ? argv[1] : ""; *at; at++)
		n += of_name[(unsigned char)*at];
	printf("%d\n", n);
	return 0;
}
C
sed "s/'a', 'z'/'A', 'Z'/" "$tmp/small.c" >"$tmp/capital.c"
"$CC" -g -O0 -o "$tmp/small" "$tmp/small.c" && "$CC" -g -O0 -o "$tmp/capital" "$tmp/capital.c" || exit 1
printf '%s\n' a1 b c.d z0 yz-9 k q_r m x,y n0 1 2.3 09 . - 7,7 +4 '3 ' _ 55 >"$tmp/words"
"$WHY_BIN" explain --no-cache --golden "$tmp/small" --tests "$tmp/words" --format json -- "$tmp/capital" >"$tmp/answer"
jq -e --argjson line "$(grep -n '/\* CASE \*/' "$tmp/small.c" | cut -d: -f1)" '
	.suspects[0] | .statements[0].line == $line and .evidence.effort < 2.15 and (.evidence.change | contains("'"'z'"'"))' \
	"$tmp/answer" >/dev/null || {
	echo "CASE: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change, .evidence.effort]' "$tmp/answer")"
	failed=1
}
exit $failed
