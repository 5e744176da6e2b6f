#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --window: of a long run only the end is kept, explained and run anew; the answer says
# so, and what was before is input.  timeout: 300
. tests/support/samples-lib.sh
need_tool
driver=$BUILD/tests/drivers/run-plan

# Fails after millions of instructions: by what was done before them ("early"), at their
# end ("late"), or in calls that were open all the time ("deep").
cat >"$dir/long.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static unsigned seen;
static int scale;

static int set_scale(int early)
{
	int s = 3;

	if (early)
		s = s + 1; /* early: s is 3 */
	return s;
}

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		seen += 3;
}

static int largest(const int *a, int n)
{
	int best = a[0];

	for (int i = 1; i < n - 1; i++) /* late: i < n */
		if (a[i] > best)
			best = a[i];
	return best;
}

static int deep(int n, int rounds)
{
	int below;

	if (n == 0) {
		work(rounds);
		return 1;
	}
	below = deep(n - 1, rounds);
	if (n == 7)
		below = below + 1; /* deep: nothing is added */
	return below + 1;
}

int main(int argc, char **argv)
{
	int way = argc > 2 ? atoi(argv[2]) : 0; /* 0 late, 1 deep, 2 early */
	int rounds = atoi(argv[1]), a[3] = { 3, 1, 9 };

	scale = set_scale(way == 2);
	if (way == 1)
		assert(deep(20, rounds) == 21);
	work(rounds);
	if (way == 2)
		assert(scale == 3);
	else if (way == 0)
		assert(largest(a, 3) == 9);
	return 0;
}
C
build "$dir/long.c" "$dir/long" || exit 1
number_of() {
	case $1 in late) echo 0 ;; deep) echo 1 ;; early) echo 2 ;; esac
}

line_of() {
	grep -n "/\* $1:" "$dir/long.c" | cut -d : -f 1
}

# ask WAY WINDOW [OPTION...]: the answer in $dir/json.
ask() {
	way=$1 window=$2
	shift 2
	"$WHY_BIN" explain --format=json --max-size 1 --window "$window" "$@" -- "$dir/long" 100000 "$(number_of "$way")" \
		>"$dir/json" 2>"$dir/err" || [ $? = 3 ] || complain "$way $*: $(head -n 1 "$dir/err")"
	python3 tests/validate.py tests/answer.schema.json <"$dir/json" ||
		complain "$way $*: not by the schema"
}

# finds WHAT: is the line with that fault among the answer's, and proven?
finds() {
	jq -e --argjson line "$(line_of "$1")" \
		'.suspects | any(.replay == "passes" and (.statements | any(.line == $line)))' \
		"$dir/json" >/dev/null
}

says_so() {
	jq -e '.not_run == null and .stats.instructions == 1024 and
		(.notes | any(contains("only the last 1024 instructions up to here were kept")))' "$dir/json" >/dev/null ||
		complain "$1: no word of the window: $(jq -c "[.not_run, .notes]" "$dir/json")"
}

for engine in jit step; do
	for way in late deep; do
		ask "$way" 1K --engine "$engine"
		finds "$way" || complain "$way, $engine: the fault is not found"
		says_so "$way"
	done
	ask early 1K --engine "$engine"
	finds early && complain "early, $engine: a fault is found of which there is no record"
	says_so early
	for window in 1K 100K; do
		"$WHY_BIN" explain --check --window "$window" --engine "$engine" -- "$dir/long" 100000 1 \
			>"$dir/out" 2>&1 && grep -q '^checked [1-9]' "$dir/out" ||
			complain "--check --window $window: $(head -n 1 "$dir/out")"
	done
done

# A run that is not longer is explained as without it, and proven.
"$WHY_BIN" explain --format=json --max-size 1 --window 1M -- "$dir/long" 40 2 >"$dir/json"
jq -e '.not_run == null and (.notes | all(contains("window") | not)) and
	(.suspects | any(.replay == "passes"))' "$dir/json" >/dev/null || complain "a short run is not whole"
finds early || complain "a short run: the fault is not found"

# Without it, where the limit ends the record, its name is said; with it, the limit does not.
"$WHY_BIN" explain --max-record 256 -- "$dir/long" 100000 0 2>"$dir/err"
[ $? = 3 ] && grep -q -- '--window' "$dir/err" || complain "the limit: $(cat "$dir/err")"
ask late 1K --max-record 1M
finds late || complain "with --max-record: the fault is not found"

# A record of it says the same elsewhere.
"$WHY_BIN" record --window 1K -o "$dir/long.why" -- "$dir/long" 100000 0 >/dev/null ||
	complain "cannot be recorded"
"$WHY_BIN" explain --format=json --max-size 1 --record "$dir/long.why" >"$dir/json"
finds late || complain "from a record: the fault is not found"
says_so "from a record"

# A run that is never the same twice cannot be counted into.
cat >"$dir/random.c" <<'C'
#include <assert.h>
#include <unistd.h>
int main(void)
{
	unsigned sum = 0;

	for (int i = 0; i < 100000 + getpid() % 1009; i++)
		sum += i % 2;
	sum = sum > 10;
	assert(sum == 3);
	return 0;
}
C
build "$dir/random.c" "$dir/random" || exit 1
"$WHY_BIN" explain --format=json --max-size 1 --window 1K -- "$dir/random" >"$dir/json"
jq -e '.not_run | contains("a second run is not the same")' "$dir/json" >/dev/null ||
	complain "no word of another second run: $(jq -c .not_run "$dir/json")"

# Signals and threads while parts come and go.
for source in signals threads outside calls floats; do
	"$CC" -g -O2 -w -D_GNU_SOURCE -o "$dir/$source" "tests/gdbext/agent/programs/$source.c" -pthread -lm || exit 1
	for way in $(sed -n 's/^ \* ways: //p' "tests/gdbext/agent/programs/$source.c" | grep . || echo -); do
		[ "$way" = - ] && way=
		rm -rf "$dir/record"
		mkdir "$dir/record"
		# shellcheck disable=SC2086
		(cd "$dir" && "$within" 20 "./$source" $way) >"$dir/alone" 2>/dev/null
		expected=$?
		# shellcheck disable=SC2086
		(cd "$dir" && exec "$within" 60 "$driver" "$WHY_AGENT" record --jit --check --window=5000 \
			"$dir/$source" $way) >"$dir/out" 2>"$dir/err"
		status=$?
		[ $status = $expected ] ||
			complain "$source $way: ends with $status, not $expected: $(tail -n 1 "$dir/err")"
	done
done
finish
