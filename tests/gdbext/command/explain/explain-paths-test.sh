#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# explain --paths all: the formula of all paths gives the sets of the one that grows on demand, and goes
# down every side from the code alone; what the code does not tell, a run does; where it is cut off, the
# answer says so; rank --technique ba, ba+cw.
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
compare() { # LEAST_SIDES RUNS PROG ARGS...
	local least=$1 runs=$2 sides
	shift 2
	sets on-demand "$@"
	sets all "$@"
	[ -s "$tmp/all" ] || complain "$*: no set"
	diff "$tmp/on-demand" "$tmp/all" >"$tmp/diff" || complain "$*: other sets: $(cat "$tmp/diff")"
	sides=$(jq -r '.notes[]' "$tmp/all.json" | sed -n 's/^all paths: \([0-9]*\) side.* \([0-9]*\) by a run,.*/\1 \2/p')
	[ "${sides% *}" -ge "$least" ] && [ "${sides#* }" = "$runs" ] ||
		complain "$*: sides gone down by code and by runs: $sides"
}

compare 2 0 "$BUILD/samples/paper" 0 0
compare 2 0 "$BUILD/samples/larger" 1 2 2

# Three decisions, one in the other; the code tells all sides that the failing run did not take.
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
compare 3 0 "$tmp/nest" 30 1 7 70

# A table is read behind its end, where another one lies: that is no proof, in neither formula.
cat >"$tmp/beyond.c" <<'END'
#include <assert.h>
#include <stdlib.h>

static const int from[3] = { 0, 10, 20 };
static const int seconds[3] = { 15, 20, 25 };
static const int other[3] = { 1, 2, 3 };

static int pick(int height)
{
	int band = 0;

	while (band + 1 < 3 && height >= from[band + 1])
		band++;
	return seconds[band];
}

int main(int argc, char **argv)
{
	int s = pick(atoi(argv[argc - 1]));

	assert(s <= other[argc]);
	return 0;
}
END
gcc -g -O0 -o "$tmp/beyond" "$tmp/beyond.c" || exit 1
compare 1 0 "$tmp/beyond" 25
grep -q '^14$' "$tmp/all" || complain "the line that reads the table is no answer: $(cat "$tmp/all")"
grep -qx -e 10 -e 13 "$tmp/all" && complain "an index behind the table is proven: $(cat "$tmp/all")"

# What getenv() returns is not in the code: a run tells, or, where none is forced, nobody does.
cat >"$tmp/asks.c" <<'END'
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int level = 1;

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		const char *said = getenv("LEVEL");

		level = said ? (int)strlen(said) : 4;
	}
	assert(level == 4);
	return 0;
}
END
gcc -g -O0 -o "$tmp/asks" "$tmp/asks.c" || exit 1
unset LEVEL
compare 1 1 "$tmp/asks"
"$WHY_BIN" explain --paths all --no-hijack --format json -- "$tmp/asks" >"$tmp/alone.json" 2>/dev/null
jq -r '.notes[]' "$tmp/alone.json" | grep -q ', 0 by a run' || complain "runs were forced: $(jq .notes "$tmp/alone.json")"
jq -r '.notes[]' "$tmp/alone.json" | grep -q '^1 path ends where the code does not tell' ||
	complain "it is not said where the code ends: $(jq .notes "$tmp/alone.json")"
[ "$(jq .complete "$tmp/alone.json")" = false ] || complain "what the code does not tell is complete"

# A loop that can go on without end: the bound is hit, and named.
cat >"$tmp/loop.c" <<'END'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]), sum = 0;

	while (n > 0) {
		sum += n;
		n--;
	}
	assert(sum == 10);
	return 0;
}
END
gcc -g -O0 -o "$tmp/loop" "$tmp/loop.c" || exit 1
for unroll in 2 5; do
	"$WHY_BIN" explain --paths all --max-unroll $unroll --format json -- "$tmp/loop" 3 >"$tmp/loop.json"
	jq -r '.notes[]' "$tmp/loop.json" | grep -q "^the bound --max-unroll $unroll was hit" ||
		complain "the bound $unroll is not named: $(jq .notes "$tmp/loop.json")"
done

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
