#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The way from each suspect to the failure, in real answers: it starts at the
# suspect, ends at the failure, every link of it leads there, and of a program
# with one way it is exactly that way.
. tests/support/samples-lib.sh
need_tool
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

cat >"$dir/chain.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int twice(int x)
{
	return x + x;
}

int main(int argc, char **argv)
{
	int low = 0, high = 0;

	low = atoi(argv[argc - 1]) + 1;
	if (argc > 1)
		high = twice(low);
	high -= 2;
	assert(high < 5);
	return 0;
}
C

cat >"$dir/check.py" <<'PY'
import json, sys

answer = json.load(open(sys.argv[1]))
chain, failure = answer["chain"], answer["failure"]
wrong = []
for s in answer["suspects"]:
    links = s["chain"]
    if not links:
        wrong.append(f"suspect {s['rank']} has no chain")
        continue
    first, last = chain[links[0]], chain[links[-1]]
    if first["line"] not in [st["line"] for st in s["statements"]]:
        wrong.append(f"suspect {s['rank']} starts at line {first['line']}")
    said = s["statements"][0]
    if len(s["statements"]) == 1 and said["changes"] == 1 and said["kind"] in ("assignment", "return"):
        values = [v["value"] for v in first["values"]]
        if values != [f"{said['actual']} -> {said['witness']}"]:
            wrong.append(f"suspect {s['rank']} is {said['actual']} -> {said['witness']}, its way starts with {values}")
    if last["line"] != failure["line"] or last["clause"] != failure["requirement"]:
        wrong.append(f"suspect {s['rank']} does not end at the failure")
    reached, open_ = set(), [links[-1]]
    while open_:
        i = open_.pop()
        if i not in reached:
            reached.add(i)
            open_ += chain[i]["because"]
    if not set(links) <= reached:
        wrong.append(f"suspect {s['rank']}: a link does not lead to the failure")
    if len(links) > 12:
        wrong.append(f"suspect {s['rank']}: {len(links)} links")
if chain and chain[-1]["line"] != failure["line"]:
    wrong.append("the failure is not last")
for line, expected in (a.split("=") for a in sys.argv[2:]):
    ways = [[chain[i] for i in s["chain"]] for s in answer["suspects"]
            if s["size"] == 1 and s["statements"][0]["line"] == int(line)]
    got = [" ".join(f"{l['line']}{l['edge'][0]}" for l in w) for w in ways]
    if got != [expected]:
        wrong.append(f"line {line}: {got}, not {expected}")
print("\n".join(wrong))
sys.exit(bool(wrong))
PY

# name, program, its arguments, what the ways of single suspects are
check_ways() {
	"$WHY_BIN" explain --format json --limit way_changed_ms=1000000 -o "$dir/answer" -- "$2" $3 || {
		complain "$1: status $?"
		return
	}
	python3 "$dir/check.py" "$dir/answer" $4 || complain "$1: the chain is wrong"
}

# What a call returned is changed by the line that hands it on, which gives nothing itself.
cat >"$dir/handed.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int number(const char **s)
{
	if (*(*s)++ == '-')
		return number(s);
	return (*s)[-1] - '0';
}
int main(int argc, char **argv)
{
	const char *s = argv[1];
	int base = number(&s);
	int left = 2 * base;
	assert(left == -14);
	return 0;
}
C
gcc -g -O0 -o "$dir/handed" "$dir/handed.c" || exit 1
"$WHY_BIN" explain --format json -o "$dir/answer" -- "$dir/handed" -7 || complain "handed: status $?"
ways=$(jq -r '.chain as $all | [.suspects[] | select(.statements[0].kind == "code" and .statements[0].line == 6) |
	[.chain[] | $all[.] | "\(.line)\(.edge[:1])"] | join(" ")] | join(", ")' "$dir/answer")
[ "$ways" = "6d 12d 13d 14d" ] || complain "the way of what is handed on: $ways"

# Calls within each other: the way starts with the execution that is changed, and goes through the others.
cat >"$dir/calls.c" <<'C'
#include <assert.h>
static int take(const int *a, int n)
{
	int v = a[0];
	if (n > 1) {
		int rest = take(a + 1, n - 1);
		v = v - rest;
	}
	return v;
}
int main(void)
{
	int numbers[] = { 10, 4, 3 };
	int left = take(numbers, 3);
	assert(left == 3);
	return 0;
}
C
gcc -g -O0 -o "$dir/calls" "$dir/calls.c" || exit 1
check_ways calls "$dir/calls"

gcc -g -O0 -o "$dir/chain" "$dir/chain.c" || exit 1
set -- 6=6d_15d_16d_17d 13=13d_15d_6d_15d_16d_17d 14=14c_15d_16d_17d 15=15d_16d_17d
expected=$(echo "$@")
sed -i 's/a.split("=")/a.replace("_", " ").split("=")/' "$dir/check.py"
check_ways chain "$dir/chain" 6 "$expected"
check_ways paper "$BUILD/samples/paper" '0 0'
check_ways list-remove "$BUILD/samples/list-remove" "$(field samples/list-remove.c test)"
finish
