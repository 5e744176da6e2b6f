#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# explain --paths all: the formula of all paths gives the sets of the one that grows on demand, after
# runs down every side; where it is cut off, the answer says so; rank --technique ba, ba+cw.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
complain() {
	echo "$*"
	failed=1
}
# sets HOW PROG ARGS...: the proven sets of lines
sets() {
	how=$1
	shift
	"$WHY_BIN" explain --paths "$how" --thorough --max-suspects 0 --max-size 2 --format json -- "$@" \
		>"$tmp/$how.json" 2>"$tmp/said" || complain "$how $*: $(cat "$tmp/said")"
	jq -r '.suspects[] | select(.replay == "passes") | [.statements[].line] | unique | map(tostring) | join("+")' \
		"$tmp/$how.json" | sort -u >"$tmp/$how"
}
compare() { # LEAST_RUNS PROG ARGS...
	local least=$1
	shift
	sets on-demand "$@"
	sets all "$@"
	[ -s "$tmp/all" ] || complain "$*: no set"
	diff "$tmp/on-demand" "$tmp/all" >"$tmp/diff" || complain "$*: other sets: $(cat "$tmp/diff")"
	[ "$(jq .stats.runs "$tmp/all.json")" -ge "$least" ] ||
		complain "$*: $(jq .stats.runs "$tmp/all.json") runs do not go down every side"
}

compare 2 "$BUILD/samples/paper" 0 0
compare 3 "$BUILD/samples/larger" 1 2 2

# Three decisions, one in the other: a run for each side that the failing run did not take.
cat >"$tmp/nest.c" <<'END'
#include <assert.h>
#include <stdlib.h>

static int price(int age, int member, int days)
{
	int p = 100;

	if (age < 18) {
		p = 50;
		if (member)
			p = p - 10;
	} else if (member) {
		if (days > 7)
			p = 70;
		else
			p = 80;
	}
	return p;
}

int main(int argc, char **argv)
{
	assert(argc == 5);
	assert(price(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])) == atoi(argv[4]));
	return 0;
}
END
gcc -g -O0 -o "$tmp/nest" "$tmp/nest.c" || exit 1
compare 4 "$tmp/nest" 30 1 7 70

# The bound is said.
"$WHY_BIN" explain --paths all --limit path_runs=2 -- "$tmp/nest" 30 1 7 70 >"$tmp/text" 2>&1
grep -q path_runs "$tmp/text" || complain "the limit is not named: $(cat "$tmp/text")"
"$WHY_BIN" explain --paths all --no-hijack -- "$tmp/nest" 30 1 7 70 >/dev/null 2>&1
[ $? -le 3 ] || complain "without forced runs it does not end"

# As techniques.
"$WHY_BIN" rank --technique ba,ba+cw,ofc --format json --tests samples/larger-tests.txt -- \
	"$BUILD/samples/larger" >"$tmp/rank.json" 2>"$tmp/said" || complain "rank: $(cat "$tmp/said")"
[ "$(jq -c .techniques "$tmp/rank.json")" = '["ba","ba+cw","ofc"]' ] || complain "techniques"
[ "$(jq '.lines[] | select(.line == 20) | .scores[1].rank' "$tmp/rank.json")" = 1 ] ||
	complain "ba+cw does not rank line 20 first"
exit $failed
