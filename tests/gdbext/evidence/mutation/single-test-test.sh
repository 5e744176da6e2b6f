#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No small change is run twice for a single failing test, nor one of code that the test does not
# execute, nor one that costs too much to be named.  Counted on the example: 54 runs; 107 otherwise.
. tests/support/samples-lib.sh
need_tool

"$WHY_BIN" explain --stats --color never -- "$BUILD/samples/paper" 0 0 >"$dir/answer"
grep -q '0 for 1 here: the test passes with that, too' "$dir/answer" || {
	complain "the change of line 27 was not found"
	cat "$dir/answer"
}
runs=$(awk '$1 == "changes" { print $4 }' "$dir/answer")
[ "${runs:-999}" -ge 20 ] && [ "$runs" -le 75 ] || complain "there were $runs runs with small changes"
finish
