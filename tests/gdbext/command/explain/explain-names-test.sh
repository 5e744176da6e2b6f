#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# timeout: 300
#
# An object of the heap is told by the string in it.  What is proposed for a bool or an enumeration has a name: no level 7 of three, no truth 2.  A part of
# what a function returns has another name than that of the function's variable.  A pointer to an
# argument of the program is shown as its text, although the program never read that.
. tests/support/samples-lib.sh
need_tool
named=$(! default_limits || echo none) # with other limits nothing may be found

cat >"$dir/names.c" <<'C'
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
enum level { LOW = 1, MIDDLE = 4, HIGH = 9 };
struct door { enum level level; bool open; };
int main(int argc, char **argv)
{
	struct door d;
	int n = atoi(argv[argc - 1]), sum;

	d.level = n > 3 ? HIGH : LOW;
	d.open = n > 7;
	sum = d.level * 2 + d.open;
	assert(sum > 2 && sum < 18);
	return 0;
}
C
gcc -g -O0 -o "$dir/names" "$dir/names.c" || complain "names.c does not compile"
"$WHY_BIN" explain --format json --timeout 30 -- "$dir/names" 2 >"$dir/answer" 2>"$dir/said"
python3 - "$dir/answer" $named <<'P' || complain "$(cat "$dir/said")"
import json, sys
answer = json.load(open(sys.argv[1]))
found = {}
for suspect in answer["suspects"]:
    for s in suspect["statements"]:
        found.setdefault(s["clause"], []).append(s["witness"])
assert set(found.get("d.level", sys.argv[2:])) <= {"MIDDLE", "HIGH"}, found
assert set(found.get("d.open", ["true"])) <= {"true"}, found
P

# what a function returns is no longer its variable: a change of that would not be seen
gcc -g -O0 -o "$dir/copy" tests/foreign/copystruct.c || complain "copystruct.c does not compile"
"$WHY_BIN" explain --format json --timeout 30 -- "$dir/copy" 1 2 5 7 >"$dir/answer" 2>"$dir/said"
python3 - "$dir/answer" $named <<'P' || complain "$(cat "$dir/said")"
import json, sys
answer = json.load(open(sys.argv[1]))
returned = [s["clause"] for a in answer["suspects"] for s in a["statements"] if s["line"] == 31]
assert (returned or not sys.argv[2:]) and all(c.endswith(" as it is returned") for c in returned), returned
P
cat >"$dir/pick.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static const char *pick(char **from, int n)
{
	const char *name = from[1];

	if (n > 2)
		name = from[2];
	return name;
}

int main(int argc, char **argv)
{
	const char *name = pick(argv, argc);

	assert(atoi(name) == 5);
	return 0;
}
C
build "$dir/pick.c" "$dir/pick"
"$WHY_BIN" explain --all --format json -- "$dir/pick" 5 7 >"$dir/answer" 2>"$dir/said"
jq -e 'any(.suspects[].statements[]; .line == 9 and .actual == "\"7\"" and .witness == "\"5\"")' "$dir/answer" >"$dir/index" || ! default_limits || {
	complain "a pointer to an argument is not shown as text"
	jq -c '.suspects[] | [.statements[] | [.line, .clause, .actual, .witness]]' "$dir/answer"
}
grep -n 'one address' "$dir/answer" && complain 'one address'
# A function on one line: its closing bracket hands on what `return' gave.
printf '#include <stdio.h>\nstatic double area(double b, double h) { return b * h; }\n%s\n' \
	'int main(int argc, char **argv) { (void)argv; printf("%.1f\n", area(argc + 5, 5)); return 0; }' >"$dir/area.c"
gcc -g -O0 -o "$dir/area" "$dir/area.c" || complain "area.c does not compile"
echo 15.0 >"$dir/expected"
"$WHY_BIN" explain --format json --timeout 30 --expect "$dir/expected" -- "$dir/area" >"$dir/answer" 2>"$dir/said"
jq -e --arg named "$named" '[.suspects[].statements[] | select(.line == 2)] as $s |
	$named == "none" or any($s[]; .kind == "return" and .actual == "30" and .witness == "15")' "$dir/answer" >"$dir/index" || ! default_limits ||
	complain "area: $(jq -c '[.suspects[].statements[]]' "$dir/answer") $(cat "$dir/said")"
# A constant text that printf is given is shown as text, although nothing says its type.
printf '#include <stdio.h>\nstatic const char *const names[] = { "red", "green" };\n%s\n' \
	'int main(int argc, char **argv) { (void)argv; printf("%d %s\n", 1, names[argc & 1]); return 0; }' >"$dir/light.c"
build "$dir/light.c" "$dir/light"
echo 1 red >"$dir/expected"
"$WHY_BIN" explain --format json --timeout 30 --expect "$dir/expected" -- "$dir/light" >"$dir/answer" 2>"$dir/said"
jq -e 'any(.suspects[].statements[]; .clause == "argument 3 of printf" and .actual == "\"green\"" and .witness == "\"red\"")' \
	"$dir/answer" >"$dir/index" || ! default_limits ||
	complain "light: $(jq -c '[.suspects[].statements[]]' "$dir/answer") $(cat "$dir/said")"

# Objects that look alike are told apart: in the failure, and where another one would have been right.
cat >"$dir/alike.c" <<'C'
#include <assert.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *make(int key, struct node *next)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	n->next = next;
	return n;
}
int main(void)
{
	struct node *a = make(3, NULL), *b = make(4, a), *c;
	b->key = 3;
	c = b->next;
	assert(c == b);
	return 0;
}
C
build "$dir/alike.c" "$dir/alike"
"$WHY_BIN" explain --format json --timeout 30 -- "$dir/alike" >"$dir/answer" 2>"$dir/said"
jq -e '[.failure.values[].value] == ["the node with key 3, made at alike.c:6, the 1st", "the node with key 3, made at alike.c:6, the 2nd"]' \
	"$dir/answer" >"$dir/index" || ! default_limits || complain "alike: $(jq -c .failure.values "$dir/answer") $(cat "$dir/said")"
jq -e 'any(.suspects[].statements[]; .line == 15 and .actual == "the node with key 3" and .witness == "another node with key 3")' \
	"$dir/answer" >"$dir/index" || ! default_limits ||
	complain "alike: $(jq -c '[.suspects[].statements[]]' "$dir/answer") $(cat "$dir/said")"
# An index that the optimizer leaves in the register of results is not what the function returns.
gcc -g -Og -o "$dir/hash" tests/foreign/hash.c || complain "hash.c does not compile"
"$WHY_BIN" explain --format json --timeout 30 -- "$dir/hash" 3 11 >"$dir/answer" 2>"$dir/said"
jq -e '(.line_values | length) > 3 and all(.line_values[]; .line != 45 or .name != "result" or .value == "100")' \
	"$dir/answer" >"$dir/index" || ! default_limits || complain "hash: $(jq -c .line_values "$dir/answer")"

# An empty text that printf is given is one.
cat >"$dir/empty.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);
	printf("%d item%s.\n", n, n > 3 ? "" : "s");
	return 0;
}
C
build "$dir/empty.c" "$dir/empty"
echo 5 items. >"$dir/expected"
"$WHY_BIN" explain --format json --timeout 30 --expect "$dir/expected" -- "$dir/empty" 5 >"$dir/answer" 2>"$dir/said"
jq -e 'any(.suspects[].statements[]; .clause == "argument 3 of printf" and .actual == "\"\"" and .witness == "\"s\"")' \
	"$dir/answer" >"$dir/index" || ! default_limits ||
	complain "empty: $(jq -c '[.suspects[].statements[]]' "$dir/answer") $(cat "$dir/said")"


cat >"$dir/items.c" <<'C'
#include <assert.h>
#include <stdlib.h>

struct item {
	const char *name;
	int count;
	char shelf[4];
	struct item *next;
};

static struct item *add(struct item *list, const char *name, int count)
{
	struct item *i = calloc(1, sizeof *i);

	i->name = name;
	i->count = count;
	i->shelf[0] = 'a';
	i->next = list;
	return i;
}

int main(void)
{
	struct item *list = add(add(NULL, "saw", 2), "nail", 30), *p = list;

	while (p && p->count > 10)
		p = p->next;
	assert(p == list);
	return 0;
}
C
gcc -g -O0 -o "$dir/items" "$dir/items.c" || complain "items.c does not compile"
"$WHY_BIN" explain --timeout 30 -- "$dir/items" 2>"$dir/said" | tr -s ' \n' ' ' >"$dir/answer"
grep -q 'p = the item with name "saw", list = the item with name "nail"' "$dir/answer" ||
	complain "items are told by: $(head -c 300 "$dir/answer")"
# Where the statement keeps a quotient in k itself, k is not what is read then.
cat >"$dir/rest.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), k = 1, rounds = 9;

again:
	k = (k + argc) % 3;
	if (rounds++ < 5)
		goto again;
	assert(n == 77);
	return 0;
}
C
build "$dir/rest.c" "$dir/rest"
"$WHY_BIN" explain --format json -- "$dir/rest" 2 3 >"$dir/answer" 2>"$dir/said"
jq -c '[.line_values[] | select(.line == 8) | [.name, .value]]' "$dir/answer" >"$dir/index"
grep -qxF '[["k","1"]]' "$dir/index" || ! default_limits || complain "k in line 8: $(cat "$dir/index")"
finish
