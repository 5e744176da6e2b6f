#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The totals are what they say: the golden version agrees with itself on all
# inputs and with the distribution's published values; each faulty version
# differs from it in the stated line only, is wrong on some inputs and right on
# most, and its failing test is the assertion.
. tests/support/samples-lib.sh

cp -R "$BUILD/samples/totals/." "$dir" || { complain "the totals were not built"; finish; }
inputs=$(wc -l <"$dir/tests.txt")
[ "$inputs" -ge 200 ] || complain "only $inputs test inputs"
mkdir "$dir/again" && "$dir/gen-inputs" "$dir/again"
diff -r "$dir/inputs" "$dir/again" >/dev/null || complain "the generator is not deterministic"
[ -z "$("$dir/golden-batch" "$dir"/inputs/*)" ] || complain "golden disagrees with itself"
cmp -s samples/totals/totals.c "$dir/golden.c" || complain "golden.c is not totals.c"

# run VERSION INPUT: one test of tests.txt.
run() {
	# shellcheck disable=SC2046
	(ulimit -c 0; "$dir/$1" $(sed -n "s/^$2 //p" "$dir/tests.txt") \
		<"$dir/inputs/$2" 2>"$dir/err"; exit $?) 2>/dev/null
}

# chances ROWS COLUMNS CELLS...: statistic and chance of a table, by golden.
chances() {
	echo "$@" | "$dir/golden" | awk '{ printf "%g %.8f", $4, $6 }'
}

# Tables whose statistic has one, two and four degrees of freedom: the chance of
# s is then erfc(sqrt(s/2)), exp(-s/2), and (1 + s/2) exp(-s/2).
[ "$(chances 2 2 30 20 20 30)" = "4 0.04550026" ] || complain "one degree of freedom"
[ "$(chances 3 2 30 20 20 30 25 25)" = "4 0.13533528" ] || complain "two degrees of freedom"
[ "$(chances 3 3 10 20 30 20 20 20 30 20 10)" = "20 0.00049940" ] ||
	complain "four degrees of freedom"

check_version() {
	[ "$(diff samples/totals/totals.c "$dir/$1.c" | grep '^[0-9]')" = "$2c$2" ] ||
		complain "$1: line $2 is not its one difference"
	"$dir/$1-batch" "$dir"/inputs/* >"$dir/wrong" || complain "$1: crashes on some input"
	sed 's|.*/||' "$dir/wrong" >"$dir/wrong.names"
	wrong=$(wc -l <"$dir/wrong")
	[ "$wrong" -gt 0 ] || { complain "$1: right on every input"; return; }
	[ $((2 * wrong)) -lt "$inputs" ] || complain "$1: wrong on $wrong of $inputs inputs"
	run "$1" "$(ls "$dir/inputs" | grep -vxFf "$dir/wrong.names" | head -n 1)" ||
		complain "$1: fails on an input on which it is right"
	for name in $(head -n "$most" "$dir/wrong.names"); do
		run "$1" "$name"
		[ $? = 134 ] && grep -q 'Assertion `' "$dir/err" || complain "$1: fails otherwise on $name"
	done
	printf '%s wrong on %s\n' "$1" "$wrong"
}

most=2 # failing tests of each version
[ -z "${THOROUGH:-}" ] || most=5
awk -F '\t' 'NR > 1 { print $1, $2 }' samples/totals/versions.tsv >"$dir/versions"
while read -r version line; do
	check_version "$version" "$line"
done <"$dir/versions"
versions=$(wc -l <"$dir/versions")
[ "$versions" -ge 15 ] || complain "only $versions versions"
kinds=$(awk -F '\t' 'NR > 1 { print $3 }' samples/totals/versions.tsv | sort -u | wc -l)
[ "$kinds" -ge 10 ] || complain "only $kinds kinds of fault"
echo "$versions versions of $kinds kinds, $inputs inputs"
finish
