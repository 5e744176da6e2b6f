#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Long runs: what is near the failure is proven by runs alone, and is in the answer before a
# formula is made.  timeout: 300
. tests/support/samples-lib.sh
need_tool

cat >"$dir/long.c" <<'END'
#include <assert.h>
#include <stdlib.h>
static unsigned noise;
static int *chosen(int *a, int *b, int which)
{
	if (which > 1)
		return a;
	return b;
}
int main(int argc, char **argv)
{
	int a = 1, b = 2, wrong, *p;
	wrong = atoi(argv[1]);
	p = chosen(&a, &b, wrong);
	for (int i = 0; i < 20000; i++)
		noise = noise * 31 + (unsigned)i;
	if (argc > 2)
		p = NULL;
	assert(*p == 1);
	return 0;
}
END
build "$dir/long.c" "$dir/long" || complain "long.c does not compile"

# lines FILE: of the proven suspects.
lines() {
	jq -c '[.suspects[] | select(.replay == "passes") | .statements[].line] | unique' "$1"
}

# The whole answer: the condition, and the value that it compares.
"$WHY_BIN" explain --format=json --max-suspects 0 -- "$dir/long" 1 >"$dir/answer" ||
	complain "assertion: status $?"
got=$(lines "$dir/answer")
echo "$got" | jq -e 'contains([6])' >"$dir/index" || complain "assertion: proven are lines $got"
jq -e '.stats.stages | map(.name) | index("nearby")' "$dir/answer" >"$dir/index" ||
	complain "no stage before the formula"

# It stands alone where no formula can be made.
"$WHY_BIN" explain --format=json --limit formula_terms=10000 --max-suspects 0 -- "$dir/long" 1 >"$dir/short" ||
	complain "without a formula: status $?"
got=$(lines "$dir/short")
echo "$got" | jq -e 'contains([6])' >"$dir/index" || complain "without a formula: proven are lines $got"
jq -e '.complete == false and (.notes | length) > 0' "$dir/short" >"$dir/index" ||
	complain "without a formula: nothing is said of what is missing"
jq -e 'all(.suspects[] | select(.statements[0].kind != "code"); .statements[0].execution > 0 and .statements[0].actual != .statements[0].witness)' \
	"$dir/short" >"$dir/index" || complain "suspects: $(jq -c '.suspects[].statements' "$dir/short")"

# A signal: the pointer, and the decision that changed it.
"$WHY_BIN" explain --format=json --limit formula_terms=10000 --max-suspects 0 -- "$dir/long" 2 x >"$dir/null" ||
	complain "NULL: status $?"
got=$(lines "$dir/null")
echo "$got" | jq -e 'contains([17])' >"$dir/index" || complain "NULL: proven are lines $got"

# What happened stands before the suspects: where the failing value came from.
jq -e '[.opening[].line][0] == 18 and .opening[0].values[0].value == "NULL"' "$dir/null" >"$dir/index" ||
	complain "opening: $(jq -c .opening "$dir/null")"
"$WHY_BIN" explain --limit formula_terms=10000 -- "$dir/long" 2 x >"$dir/text" || complain "text: status $?"
sed -n 2p "$dir/text" | grep -q "^  from  .*long.c:18  p = NULL;" ||
	complain "the text's second line is $(sed -n 2p "$dir/text")"

# A check is missing: an object that was passed before lets the test pass, each time.
cat >"$dir/check.c" <<'END'
#include <stddef.h>
struct table { int size; };
static unsigned noise;
static int size_of(const struct table *t)
{
	return t->size;
}
static int look(const struct table *all[], int i)
{
	return size_of(all[i]);
}
int main(void)
{
	struct table one = { 1 }, two = { 2 };
	const struct table *all[] = { &one, &two, NULL, NULL };
	int sum = 0;
	for (int i = 0; i < 20000; i++)
		noise = noise * 31 + (unsigned)i;
	for (int i = 0; i < 4; i++)
		sum += look(all, i);
	return sum == 0;
}
END
build "$dir/check.c" "$dir/check" || complain "check.c does not compile"
"$WHY_BIN" explain --format=json --limit formula_terms=10000 --max-suspects 0 -- "$dir/check" >"$dir/answer" ||
	complain "check: status $?"
jq -e '[.suspects[] | select(.replay == "passes") | select(.statements[0].line == 10 and
	.statements[0].kind == "call" and .statements[0].changes == 2 and
	([.instances[].execution] == [3, 4]))] | length == 1' "$dir/answer" >"$dir/index" ||
	complain "check: $(jq -c '[.suspects[] | [.statements[0].line, .statements[0].kind, .instances]]' "$dir/answer")"

# What fails is no suspect.
for answer in short null; do
	jq -e '[.suspects[].statements[].line] | index(19) | not' "$dir/$answer" >"$dir/index" ||
		complain "$answer: the failing line is a suspect"
done

# Executions are counted from the beginning, wherever the formula begins.
cat >"$dir/late.c" <<'END'
#include <assert.h>
static unsigned noise;
static int twice(int x)
{
	int y = x + x + 1;
	return y;
}
int main(void)
{
	int v = twice(1) + twice(2);
	for (int i = 0; i < 20000; i++)
		noise = noise * 31 + (unsigned)i;
	v = twice(4);
	assert(v == 8);
	return 0;
}
END
build "$dir/late.c" "$dir/late" || complain "late.c does not compile"
"$WHY_BIN" explain --format=json --limit last_part=20000 --limit nearby_runs=0 --max-suspects 0 \
	-- "$dir/late" >"$dir/answer" || complain "late: status $?"
jq -e '[.suspects[] | select(.replay == "passes") | .statements[] | select(.line == 5)]
	| length == 1 and .[0].execution == 3 and .[0].executions == 3' "$dir/answer" >"$dir/index" ||
	complain "late: $(jq -c '[.suspects[].statements[] | [.line, .execution, .executions]]' "$dir/answer")"
jq -e '.complete == false and any(.notes[]; contains("only the last 3000 of"))' "$dir/answer" >"$dir/index" ||
	complain "late: nothing is said of what was not looked at: $(jq -c .notes "$dir/answer")"

# By runs alone: what the function gave, and what became of it.
"$WHY_BIN" explain --format=json --limit last_part=20000 --limit formula_terms=10000 --max-suspects 0 \
	-- "$dir/late" >"$dir/answer" || complain "late, runs alone: status $?"
got=$(lines "$dir/answer")
echo "$got" | jq -e 'contains([5, 6, 13])' >"$dir/index" || complain "late, runs alone: proven are lines $got"

# Executions are the same when they are counted by the index up to shortly before them.
"$WHY_BIN" explain --format=json --limit last_part=20000 --limit formula_terms=10000 --max-suspects 0 \
	--limit nearby_seen_insns=10 -- "$dir/late" >"$dir/index-answer" || complain "late, by the index: status $?"
for answer in answer index-answer; do
	jq -c '[.suspects[] | [.statements[] | [.line, .execution, .executions]] + .instances]' "$dir/$answer" >"$dir/$answer.executions"
done
cmp -s "$dir/answer.executions" "$dir/index-answer.executions" ||
	complain "late, by the index: $(cat "$dir/index-answer.executions") in place of $(cat "$dir/answer.executions")"

# Where the end of a long run holds all that the failure depends on, no more of it becomes a formula;
# where it holds nothing of that, and something is proven, it becomes none.
for place in 0:"only the last 1000 of" 1:"have nothing of it"; do
	"$CC" -g -O0 -DN=3000 -DWHERE="${place%%:*}" -o "$dir/beside" tests/bench/programs/beside-loop.c || complain "beside-loop.c does not compile"
	"$WHY_BIN" explain --format=json --limit least_part=1000 --limit last_part=10000 --limit met_formula=1000000 -- "$dir/beside" \
		>"$dir/answer" || complain "beside: status $?"
	jq -e --arg said "${place#*:}" --argjson fault "$(grep -n '/\* fault \*/' tests/bench/programs/beside-loop.c | cut -d: -f1)" '.complete == false and
		any(.notes[]; contains($said)) and .suspects[0].replay == "passes" and .suspects[0].statements[0].line == $fault' "$dir/answer" >"$dir/index" ||
		complain "beside a loop, $place: $(jq -c '[.notes, .suspects[].statements[].line]' "$dir/answer")"
done

# Once a likely change meets the check, nothing of a longer run does, and the rounds of a loop around
# the fault get some runs only.
for place in 0 1 2; do
	"$CC" -g -O0 -DN=3000 -DWHERE=$place -o "$dir/beside" tests/bench/programs/beside-loop.c || complain "beside-loop.c does not compile"
	GDB_WHY_LOG=search:debug "$WHY_BIN" explain --format=json --limit nearby_mended_runs=20 -- "$dir/beside" >"$dir/answer" 2>"$dir/log" ||
		complain "met: status $?"
	[ "$(lines "$dir/answer")" = '[12,13,31]' ] || complain "met, $place: $(lines "$dir/answer")"
	jq -e '.stats.stages | map(.name) | index("nearby") and (index("formula") | not)' "$dir/answer" >"$dir/index" ||
		complain "met, $place: $(jq -c .stats.stages "$dir/answer")"
	tried=$(grep -c 'nearby: .*beside-loop\.c:28,' "$dir/log")
	[ "$tried" -le 50 ] || complain "met, $place: the loop's branch and counter are changed $tried times"
done

# Of a run that would take too long only the end is looked at, with a small part of it as formula.
"$CC" -g -O0 -DN=3000 -DWHERE=0 -o "$dir/beside" tests/bench/programs/beside-loop.c || complain "beside-loop.c does not compile"
"$WHY_BIN" explain --format=json --limit whole_run_a_second=100 --limit ask_window=20000 --limit met_formula=1000000 --limit least_part=1000 \
	-- "$dir/beside" >"$dir/answer" || complain "too long: status $?"
[ "$(lines "$dir/answer")" = '[12,13,31]' ] || complain "too long: $(lines "$dir/answer")"
jq -e '.complete == false and any(.notes[]; contains("too long for all of it")) and any(.notes[]; contains("only the last 1000 of the run")) and
	.stats.instructions == 20000' "$dir/answer" >"$dir/index" || complain "too long: $(jq -c '[.notes, .stats.instructions]' "$dir/answer")"

# A short run has no use for it.
"$WHY_BIN" explain --format=json --limit nearby_from=100000000 --limit nearby_turned=0 --max-suspects 0 -- \
	"$dir/long" 1 >"$dir/without"
jq -e '.stats.stages | map(.name) | index("nearby") | not' "$dir/without" >"$dir/index" ||
	complain "runs are made nearby, unasked"
# A condition that is wrong in each of many rounds, the first of which crashes, long before the end.
cat >"$dir/each.c" <<'END'
#include <stddef.h>
struct item { struct item *next; int value; };
static struct item first, second;
static unsigned noise;
static int value_of(const struct item *i)
{
	return i->value;
}
static int find(struct item *from)
{
	if (from->next || from->value >= 0)
		return value_of(from->next);
	return -1;
}
static int work(void)
{
	int sum = 0;
	for (int i = 0; i < 20; i++) {
		sum += find(i % 2 ? &first : &second);
		for (int k = 0; k < 2000; k++)
			noise = noise * 31 + (unsigned)k;
	}
	return sum;
}
int main(int argc, char **argv)
{
	(void)argv;
	for (int k = 0; k < 5000; k++)
		noise = noise * 31 + (unsigned)k;
	first.next = &second;
	if (argc < 2)
		work();
	return 0;
}
END
build "$dir/each.c" "$dir/each" || complain "each.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/each" >"$dir/answer" || complain "each: status $?"
jq -e '.suspects[0] | .replay == "passes" and (.statements[0] | .line == 11 and .changes == 10)' \
	"$dir/answer" >"$dir/index" || complain "each: $(jq -c '[.suspects[] | [.replay, .statements]]' "$dir/answer")"

# Rounds of a loop around the failing value do not take the runs of what is farther off.
cat >"$dir/around.c" <<'END'
#include <assert.h>
static unsigned noise;
static int twice(int x)
{
	int y = x + x + 1;
	return y;
}
int main(void)
{
	int v = 0;
	for (int i = 0; i < 3000; i++) {
		noise ^= (unsigned)i;
		if (i == 1500)
			v = twice(4);
	}
	assert(v == 8);
	return 0;
}
END
build "$dir/around.c" "$dir/around" || complain "around.c does not compile"
GDB_WHY_LOG=search:debug "$WHY_BIN" explain --format=json --limit mutant_runs=0 --limit nearby_place_insns=1 --limit nearby_checkpoint=100 -- "$dir/around" \
	>"$dir/answer" 2>"$dir/log" || complain "around: status $?"
tried=$(grep -c 'nearby: .*around\.c:11,' "$dir/log")
[ "$tried" -ge 1 ] && [ "$tried" -le 4 ] || complain "around: the loop's branch and counter are changed $tried times"
# They need not run the rounds before those that are changed: a checkpoint stands in the middle.
grep -qE 'a checkpoint before instruction 1[0-3][0-9]{3} of 270' "$dir/log" || complain "around: no checkpoint stands in the middle"
# What an instruction gave earlier is the same, noted while executions are counted, or looked up afterwards.
for counted in 0 1000000; do
	GDB_WHY_LOG=search:debug "$WHY_BIN" explain --format=json --limit mutant_runs=0 --limit nearby_counted=$counted -- "$dir/long" 1 \
		2>&1 >"$dir/other" | grep 'nearby: .*distance' >"$dir/counted.$counted"
done
[ -s "$dir/counted.0" ] || complain "counted: nothing is changed"
cmp "$dir/counted.0" "$dir/counted.1000000" || complain "counted: other changes are tried"
[ "$(lines "$dir/answer")" = '[5,6,14]' ] || complain "around: $(lines "$dir/answer")"

# A value that is compared or subtracted becomes what it is compared with, too.
cat >"$dir/gap.c" <<'END'
#include <assert.h>
static int begins[] = { 540, 615, 810, 1050 };
int main(void)
{
	int longest = 0, busy = 0;
	for (int i = 0; i < 4; i++) {
		if (begins[i] - busy > longest)
			longest = begins[i] - busy;
		busy = begins[i] + 60;
	}
	assert(longest == 180);
	return 0;
}
END
build "$dir/gap.c" "$dir/gap" || complain "gap.c does not compile"
GDB_WHY_LOG=search:debug "$WHY_BIN" explain --format=json --limit mutant_runs=0 --limit nearby_from=0 -- "$dir/gap" \
	>"$dir/answer" 2>"$dir/log" || complain "gap: status $?"
grep -q 'nearby: .*gap\.c:5, .* 0 -> 0x21c, 1 times: passes' "$dir/log" || complain "gap: $(grep 'nearby: .*gap.c:5' "$dir/log")"

finish
