#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# timeout: 500
#
# Faults in floating-point code are found and proven: of some versions of the
# totals, the faulty line is a proven answer of its own in a failing test.
. tests/support/samples-lib.sh
need_tool
from=$BUILD/samples/totals

# check_version VERSION INPUT
check_version() {
	line=$(awk -F '\t' -v version="$1" '$1 == version { print $2 }' samples/totals/versions.tsv)
	# shellcheck disable=SC2046
	"$within" 120 "$WHY_BIN" explain --format=json --max-suspects 0 --timeout 100 \
		--stdin "$from/inputs/$2" -- "$from/$1" \
		$(sed -n "s/^$2 //p" "$from/tests.txt") >"$dir/$1.json" 2>"$dir/$1.err" ||
		complain "$1: $(head -n 1 "$dir/$1.err")"
	proven_sets "$dir/$1.json" >"$dir/$1.sets"
	grep -qx "{$line}" "$dir/$1.sets" ||
		complain "$1: line $line is not among those proven: $(tr '\n' ' ' <"$dir/$1.sets")"
	printf '%s line %s of %s\n' "$1" "$line" "$(tr '\n' ' ' <"$dir/$1.sets")"
}

# a factor in a series, degrees of freedom
[ -z "${THOROUGH:-}" ] || check_version v22 159
[ -z "${THOROUGH:-}" ] || check_version v33 082
# where the way goes on differently: a bound, a sign of four values, half of an odd number
check_version v14 045
[ -z "${THOROUGH:-}" ] || check_version v12 176
[ -z "${THOROUGH:-}" ] || check_version v25 045
finish
