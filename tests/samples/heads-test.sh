#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What each sample says at its head is true: it compiles without a warning, its
# test fails the assertion at the stated line, and with the faulty lines
# corrected the same test passes.
. tests/support/samples-lib.sh

check_head() {
	name=$(basename "$1" .c)
	arguments "$1"
	build "$1" "$dir/$name" || { complain "$name: does not compile cleanly"; return; }
	# shellcheck disable=SC2086
	(ulimit -c 0; "$within" 10 "$dir/$name" $arguments <"$dir/stdin" >/dev/null 2>"$dir/err"; exit $?) \
		2>/dev/null
	status=$?
	[ "$status" = 134 ] || complain "$name: status $status instead of an abort"
	grep -Eq "^[^ ]+: [^ ]*$name\.c:$(field "$1" fails): .*Assertion" "$dir/err" ||
		complain "$name: fails elsewhere: $(head -n 1 "$dir/err")"
	corrected "$1" >"$dir/$name-corrected.c"
	[ "$(diff "$1" "$dir/$name-corrected.c" | grep -c '^>')" = "$(field "$1" faulty | wc -w)" ] ||
		complain "$name: the corrections are not what was said"
	build "$dir/$name-corrected.c" "$dir/$name-corrected" ||
		{ complain "$name: does not compile when corrected"; return; }
	# shellcheck disable=SC2086
	(ulimit -c 0; "$within" 10 "$dir/$name-corrected" $arguments <"$dir/stdin" >/dev/null 2>&1) ||
		complain "$name: still fails when corrected"
	checked=$((checked + 1))
}

checked=0
for file in samples/*.c tests/foreign/*.c; do
	check_head "$file"
done
echo "$checked checked"
[ "$checked" -ge 30 ] || complain "only $checked samples found"
finish
