#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# A suspect is certain executions of a statement.  Where they give different things a value, none of
# their names is used for all; what copies of a structure store is not shown as the value of a
# number; and `goto' of a session goes to the execution, or says that it cannot.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/several.c" <<'C'
#include <assert.h>
static int t[6];
int main(int argc, char **argv)
{
	int n = argc + 3;

	(void)argv;
	for (int i = 0; i < n; i++)
		t[i] = i * n;
	assert(t[1] == 7 && t[3] == 9);
	return 0;
}
C
build "$dir/several.c" "$dir/several" || complain "several.c does not compile"
"$WHY_BIN" explain --color never --max-suspects 0 -- "$dir/several" >"$dir/said"
tr -s ' \n' '  ' <"$dir/said" | grep -qF 'gave t[i] = 4, 12 (2 of 4 times); with t[i] = 7, 9 in turn the test passes' || ! default_limits ||
	complain "several executions: $(cat "$dir/said")"

cat >"$dir/copies.c" <<'C'
#include <assert.h>
#include <stdlib.h>
struct many { unsigned a; signed char b; unsigned c : 8; long d; int e; };
static struct many g = { 1, -1, 4, 7, 2 };
static int five = 5, *at = &five;
static long take(struct many first, struct many second)
{
	return first.d + second.e + (long)first.a;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);

	(*at) = (int)take(g, g) + n;
	assert(*at == 11);
	return 0;
}
C
build "$dir/copies.c" "$dir/copies" || complain "copies.c does not compile"
"$WHY_BIN" ask --depth 30 --format json why '*at' -- "$dir/copies" 2 >"$dir/said.json"
[ "$(jq -r '[.causes[].clause | strings | select(startswith("g.d"))] | length' "$dir/said.json")" -gt 0 ] || ! default_limits ||
	complain "copies: $(cat "$dir/said.json")"
false=$(jq -c '.causes[] | select(.clause == "(*at)" or (.clause // "" | test("^g(,|$)|untraced")))
	| select(.value != null or (.clause | test("untraced"))) | [.clause, .value]' "$dir/said.json")
[ -z "$false" ] || complain "a part of a structure is shown as a number: $false"

# a register that a function puts back is not what it returns
cat >"$dir/kept.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int three(void)
{
	return 3;
}
static int ten(void)
{
	__asm__ volatile("" ::: "rbx");
	return 10;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]), k = three() + ten();

	assert(k + n == 11);
	return 0;
}
C
build "$dir/kept.c" "$dir/kept" || complain "kept.c does not compile"
"$WHY_BIN" ask --depth 30 --format json why k -- "$dir/kept" 2 >"$dir/said.json"
false=$(jq -c '.causes[] | select(.clause == .text and .value != null) | [.clause, .value]' "$dir/said.json")
[ -z "$false" ] || complain "the value of a register is shown as that of a line: $false"

cat >"$dir/nested.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int sum(int n)
{
	int r = 0;

	if (n > 0)
		r = n + 2 * sum(n - 1);
	return r;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);

	assert(sum(n) == 12);
	return 0;
}
C
# without columns the line is one row, which begins with the outermost call and ends with the innermost
build "$dir/nested.c" "$dir/nested" -gno-column-info || complain "nested.c does not compile"
printf '%s\n' run why "export $dir/nested.json" quit | "$within" 60 "$WHY_BIN" -nx -q --args "$dir/nested" 3 >/dev/null 2>&1
for rank in $(jq '.suspects[] | select(.size == 1 and .statements[0].line == 8 and (.instances | length) == 1
	and .instances[0].stop != null) | .rank' "$dir/nested.json"); do
	of=$(jq -r ".suspects[$rank - 1].instances[0].stop" "$dir/nested.json")
	n=$(gdb -nx -batch -ex "tbreak *&${of%:*}" -ex "ignore 1 $((${of##*:} - 1))" -ex run -ex 'output n' \
		--args "$dir/nested" 3 2>/dev/null | tail -n 1)
	said=$(printf '%s\n' run why "goto $rank" 'output n' 'echo \n' kill quit |
		"$within" 60 "$WHY_BIN" -nx -q --args "$dir/nested" 3 2>/dev/null)
	case $said in
	*"(gdb) $n(gdb)"*) tried=$((${tried:-0} + 1)) ;;
	*) complain "goto $rank: $of is where n is $n: $said" ;;
	esac
done
[ "${tried:-0}" -gt 0 ] || ! default_limits || complain "nothing to go to: $(jq -c '.suspects[] | [.rank, .instances]' "$dir/nested.json")"

# a variable that has the function's name is not what `goto' means, also where it is visible
cat >"$dir/named.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int sum(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
int main(int argc, char **argv)
{
	assert(sum(atoi(argv[argc - 1])) == 5);
	return 0;
}
C
build "$dir/named.c" "$dir/named" || complain "named.c does not compile"
said=$(printf '%s\n' 'set confirm off' 'break 9' run delete continue why 'goto 1' 'goto 2' 'goto 1' kill quit |
	"$within" 60 "$WHY_BIN" -nx -q --args "$dir/named" 4 2>&1)
[ "$(printf '%s\n' "$said" | grep -c 'Temporary breakpoint [0-9]* at 0x.*: file .*named.c, line ')" = 3 ] || ! default_limits ||
	complain "goto takes a variable for the function: $said"

# behind a line stands the value of its last execution in the failing run, which some forced runs go on from
cat >"$dir/list.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *next;
};

static struct node *insert(struct node *head, int key)
{
	struct node **at = &head, *n = malloc(sizeof *n);

	n->key = key;
	while (*at && (*at)->key > key)
		at = &(*at)->next;
	n->next = *at;
	*at = n;
	return head;
}

static int sorted(const struct node *n)
{
	for (; n && n->next; n = n->next)
		if (n->key > n->next->key)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct node *list = NULL;
	int i;

	for (i = 1; i < argc; i++)
		list = insert(list, atoi(argv[i]));
	for (struct node *n = list; n; n = n->next)
		printf("%d ", n->key);
	printf("\n");
	assert(sorted(list));
	return 0;
}
C
build "$dir/list.c" "$dir/list" || complain "list.c does not compile"
"$WHY_BIN" explain --limit mutant_runs=0 --format json -- "$dir/list" 3 1 2 >"$dir/list.json"
jq -e '[.line_values[] | select(.line == 35)] == [] or any(.line_values[]; .line == 35 and .value == "4" and (.stop | endswith(":4")))' \
	"$dir/list.json" >/dev/null || complain "the last value of a line: $(jq -c '.line_values' "$dir/list.json")"
jq -e 'all(.line_values[]; .stop != null)' "$dir/list.json" >/dev/null ||
	complain "values of other runs: $(jq -c '.line_values' "$dir/list.json")"

# what a division makes of the sign is not the number that it reads
build tests/foreign/digits.c "$dir/digits" || complain "digits.c does not compile"
"$WHY_BIN" explain --limit mutant_runs=0 --format json -- "$dir/digits" 1234 4 >"$dir/digits.json"
jq -e 'all(.line_values[]; .line != 19 or .name != "n as it is read here" or .value == "12")' "$dir/digits.json" >/dev/null ||
	complain "a part of a value has the name of the whole: $(jq -c '.line_values' "$dir/digits.json")"

# what is returned has the type of the function, and not that of the text behind `return'
cat >"$dir/wide.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static signed char low;
static unsigned short wide(void)
{
	return low;
}
int main(int argc, char **argv)
{
	low = (signed char)atoi(argv[argc - 1]);
	assert(wide() == 9);
	return 0;
}
C
build "$dir/wide.c" "$dir/wide" || complain "wide.c does not compile"
"$WHY_BIN" explain --limit mutant_runs=0 --format json -- "$dir/wide" -109 >"$dir/wide.json"
jq -e 'any(.line_values[]; .line == 6 and .name == "result" and .value == "65427")' "$dir/wide.json" >/dev/null ||
	complain "a result: $(jq -c '.line_values' "$dir/wide.json")"
finish
