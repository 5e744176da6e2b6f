#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that make the recorder's life hard (tests/agent): recorded, each
# prints what it prints alone and ends as it ends alone, and its record can be
# re-computed.  timeout: 300
. tests/support/agent-lib.sh

# behaves WHAT PROGRAM ARGS...: alone, and recorded.
behaves() {
	what=$1
	shift
	checked=$((checked + 1))
	alone "$dir/plain" "$@"
	expected=$status
	record "$@"
	[ "$status" = "$expected" ] || complain "$what: ends with $status, not $expected"
	cmp -s "$dir/plain" "$dir/out" || {
		complain "$what: prints something else"
		diff "$dir/plain" "$dir/out" | head -5
	}
	recomputes "$what" "$@"
}

# recomputes NAME PROGRAM ARGS...: the record agrees with the program.
recomputes() {
	what=$1
	shift
	(cd "$dir" && exec "$within" 60 "$WHY_BIN" explain --check -- "$@") >"$dir/check" 2>&1 </dev/null
	status=$?
	[ "$status" = 0 ] && grep -q '^checked [1-9]' "$dir/check" ||
		complain "$what: --check ended with $status: $(head -n 1 "$dir/check")"
}

# engines-test.sh has them all, by both engines
half_of_ways=1
each_program behaves
finish
