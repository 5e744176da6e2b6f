#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where the program changes how floating-point operations round, their results stay those
# of the run, and the statistics count them; what rounds to nearest is a formula.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/round.c" <<'C'
#include <assert.h>
#include <fenv.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	double x = argc > 1 ? atof(argv[1]) : 0, third;

	fesetround(MODE);
	third = x / 3.0;
	assert(third < 0.3);
	return 0;
}
C

# concretized MODE: how many values the analysis took from the run.
concretized() {
	gcc -g -O0 -w -DMODE="$1" -o "$dir/round" "$dir/round.c" -lm || exit 1
	"$WHY_BIN" explain --format=json --max-suspects 0 -- "$dir/round" 1 >"$dir/answer.json" 2>"$dir/err"
	[ $? -le 1 ] || {
		complain "$1: exit status; $(cat "$dir/err")"
		return
	}
	jq -e '[.suspects[] | select(.replay == "fails")] == []' "$dir/answer.json" >/dev/null ||
		complain "$1: an answer that does not hold"
	jq .stats.concretized "$dir/answer.json"
}

[ "$(concretized FE_TONEAREST)" = 0 ] || complain "to nearest: $(jq .stats.concretized "$dir/answer.json")"
for mode in FE_UPWARD FE_DOWNWARD FE_TOWARDZERO; do
	n=$(concretized $mode)
	[ "$n" -ge 1 ] 2>/dev/null || complain "$mode: counted $n values"
done
finish
