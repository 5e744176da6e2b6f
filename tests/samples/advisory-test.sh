#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The advisory is what it says: the golden version agrees with itself on all
# inputs; each faulty version differs from it in the stated line only, is wrong
# on some inputs and right on others, and its failing test is the assertion.
. tests/support/samples-lib.sh

cp -R "$BUILD/samples/advisory/." "$dir" || { complain "the advisory was not built"; finish; }
inputs=$(wc -l <"$dir/inputs.txt")
[ "$inputs" -ge 1000 ] || complain "only $inputs test inputs"
"$dir/gen-inputs" | cmp -s - "$dir/inputs.txt" || complain "the generator is not deterministic"
[ "$("$dir/golden-batch" <"$dir/inputs.txt" | wc -l)" = 0 ] || complain "golden disagrees with itself"
cmp -s samples/advisory/advisory.c "$dir/golden.c" || complain "golden.c is not advisory.c"

# right_on VERSION: an input on which it is right passes as a test of its own.
right_on() {
	grep -vxFf "$dir/wrong" "$dir/inputs.txt" | head -n 1 >"$dir/right"
	[ -s "$dir/right" ] || return 1
	# shellcheck disable=SC2046
	"$dir/$1" $(cat "$dir/right")
}

check_version() {
	[ "$(diff samples/advisory/advisory.c "$dir/$1.c" | grep '^[0-9]')" = "$2c$2" ] ||
		complain "$1: line $2 is not its one difference"
	"$dir/$1-batch" <"$dir/inputs.txt" >"$dir/wrong" || complain "$1: crashes on some input"
	[ -s "$dir/wrong" ] || { complain "$1: right on every input"; return; }
	right_on "$1" 2>/dev/null || complain "$1: wrong on every input"
	# shellcheck disable=SC2046
	(ulimit -c 0; "$dir/$1" $(head -n 1 "$dir/wrong") 2>"$dir/err"; exit $?) 2>/dev/null
	[ $? = 134 ] && grep -q 'Assertion `advise' "$dir/err" || complain "$1: fails otherwise"
	printf '%s wrong on %s\n' "$1" "$(wc -l <"$dir/wrong")"
}

awk -F '\t' 'NR > 1 { print $1, $2 }' samples/advisory/versions.tsv >"$dir/versions"
while read -r version line; do
	check_version "$version" "$line"
done <"$dir/versions"
versions=$(wc -l <"$dir/versions")
[ "$versions" -ge 32 ] || complain "only $versions versions"
kinds=$(awk -F '\t' 'NR > 1 { print $3 }' samples/advisory/versions.tsv | sort -u | wc -l)
[ "$kinds" -ge 10 ] || complain "only $kinds kinds of fault"
echo "$versions versions of $kinds kinds, $inputs inputs"
finish
