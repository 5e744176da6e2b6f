#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# Each faulty version of the families that are judged by what they print differs from the golden
# one in the stated line, and fails a test of its suite: every FAMILY_STEPth version (5).
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
ulimit -c 0 -t 10

# run VERSION TEST: what it prints, and its status.
run() {
	eval "${tests[$2]/\{\}/"$from/$1"}" 2>&1
	echo "status $?"
}

# fails VERSION: a test's number is enough.
fails() {
	for i in "${!tests[@]}"; do
		[ -e "$tmp/$i" ] || run golden "$i" >"$tmp/$i"
		run "$1" "$i" >"$tmp/now"
		cmp -s "$tmp/now" "$tmp/$i" || return 0
	done
	return 1
}

for family in queue subst; do
	from=$BUILD/samples/$family
	rm -f "$tmp"/*
	mapfile -t tests < <(sed 's/^[0-9]*: //' "$from/suite.txt")
	[ "${#tests[@]}" -ge 500 ] || { echo "$family: ${#tests[@]} tests"; failed=1; }
	cmp -s "samples/$family/$family.c" "$from/golden.c" || { echo "$family: another golden.c"; failed=1; }
	while read -r version line _; do
		[ "$(diff "$from/golden.c" "$from/$version.c" | sed -n 's/^\([0-9]*\)c\1$/\1/p')" = "$line" ] ||
			{ echo "$family $version does not differ in line $line"; failed=1; }
		((10#${version#v} % ${FAMILY_STEP:-5})) || fails "$version" || { echo "$family $version passes all tests"; failed=1; }
	done < <(tail -n +2 "samples/$family/versions.tsv")
done
exit $failed
