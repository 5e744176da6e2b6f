#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# The self-check on every sample: re-computing the recorded run gives every
# recorded address, value and branch.  Every second one is optimized, since then the
# shape of the code differs most; with THOROUGH=1 each is, too.
# timeout: 300
. tests/support/samples-lib.sh
need_tool

check_at() {
	name=$(basename "$1" .c)$2
	build "$1" "$dir/$name" "$2" 2>/dev/null || { complain "$name: does not compile"; return; }
	arguments "$1"
	# shellcheck disable=SC2086
	"$within" 60 "$WHY_BIN" explain --check --stdin "$dir/stdin" -- "$dir/$name" $arguments \
		>"$dir/out" 2>"$dir/err" ||
		complain "$name: --check ended with $?: $(head -n 1 "$dir/err")"
	checked=$((checked + 1))
}

checked=0 level=-O2
for file in samples/*.c; do
	[ "$level" = -O0 ] && level=-O2 || level=-O0
	for each in $([ "${THOROUGH:-}" ] && echo -O0 -O2 || echo $level); do
		check_at "$file" $each
	done
done
echo "$checked checked"
[ "$checked" -gt 0 ] || complain "no sample found"
finish
