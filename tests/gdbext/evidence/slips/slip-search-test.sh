#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the formula does not reach, because values go through a library or lists are built
# otherwise, a small change of the code tells: the faulty line comes first, with the change that
# lets the test print all that is expected; `try' shows the same.
. tests/support/samples-lib.sh
need_tool

# Values go through qsort, which is not traced.
cat >"$dir/words.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct word { char text[16]; int count; } words[20];
static int used;

static void add(const char *text)
{
	for (int i = 0; i < used; i++)
		if (strcmp(words[i].text, text) == 0) {
			words[i].count++;
			return;
		}
	strcpy(words[used].text, text);
	words[used].count = 0;
	used++;
}

static int by_count(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return y->count - x->count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		add(argv[i]);
	qsort(words, used, sizeof words[0], by_count);
	for (int i = 0; i < used; i++)
		printf("%s %d\n", words[i].text, words[i].count);
	return 0;
}
C
# The comparison is the wrong way round.
sed 's/y->count - x->count/x->count - y->count/; s/count = 0/count = 1/' "$dir/words.c" >"$dir/order.c"
# One list is lost at the end of each merge: what is missing is another variable, under a condition.
cat >"$dir/merge.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *merge(struct node *a, struct node *b)
{
	struct node first, *t = &first;

	while (a && b) {
		if (a->v <= b->v) {
			t->next = a;
			a = a->next;
		} else {
			t->next = b;
			b = b->next;
		}
		t = t->next;
	}
	t->next = a;
	return first.next;
}

int main(int argc, char **argv)
{
	struct node *l = NULL;

	for (int i = 1; i < argc; i++) {
		struct node *n = malloc(sizeof *n);

		n->v = atoi(argv[i]);
		n->next = NULL;
		l = merge(l, n);
	}
	for (; l; l = l->next)
		printf("%d\n", l->v);
	return 0;
}
C
# A list in a table is cut off by each new element; what is missing stands in another line.
cat >"$dir/table.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static struct entry { int key; struct entry *next; } *table[2];

static void put(int key)
{
	struct entry **at = &table[key % 2], *e = malloc(sizeof *e);

	for (struct entry *p = *at; p; p = p->next)
		if (p->key == key)
			return;
	e->key = key;
	e->next = NULL;
	*at = e;
}

static int has(int key)
{
	for (struct entry *p = table[key % 2]; p; p = p->next)
		if (p->key == key)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc - 2; i++)
		put(atoi(argv[i]));
	for (int i = 1; i < argc; i++)
		printf("%s: %s\n", argv[i], has(atoi(argv[i])) ? "yes" : "no");
	return 0;
}
C
# The last `=' is looked for in place of the first.
cat >"$dir/split.c" <<'C'
#include <stdio.h>
#include <string.h>

static void split(char *text)
{
	char *eq = strrchr(text, '='), *end = strchr(text, '#');

	if (end)
		*end = 0;
	if (!eq)
		return;
	*eq = 0;
	printf("%s is %s\n", text, eq + 1);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		split(argv[i]);
	return 0;
}
C
# A line is missing: the branch that would print it was decided by another variable long before.
cat >"$dir/pending.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static int before, after, pending;

static void show(int n)
{
	if (pending > 0) {
		printf("%d\n", n);
		pending--;
	}
}

static void match(int n)
{
	printf("%d!\n", n);
	pending = before;
}

int main(int argc, char **argv)
{
	before = atoi(argv[1]);
	after = atoi(argv[2]);
	for (int i = 3; i < argc; i++) {
		int n = atoi(argv[i]);

		if (n % 10 == 0)
			match(n);
		else
			show(n);
	}
	return 0;
}
C
# name, the faulty line, what the change says, the expected lines, the arguments
check() {
	name=$1 line=$2 change=$3 expected=$4
	shift 4
	[ -x "$dir/$name" ] || build "$dir/$name.c" "$dir/$name" -w
	printf '%b' "$expected" >"$dir/expected"
	# shellcheck disable=SC2086
	"$WHY_BIN" explain --limit slip_enough_ms=0 ${options:-} --format json --expect "$dir/expected" -- "$dir/$name" "$@" >"$dir/answer" 2>"$dir/err"
	python3 tests/validate.py tests/answer.schema.json <"$dir/answer" ||
		{ complain "$name: not by the schema"; cat "$dir/err"; }
	jq -e --argjson line "$line" --arg change "$change" '.suspects[0]
		| .replay == "passes" and .statements[0].line == $line and .evidence.change == $change' \
		"$dir/answer" >/dev/null || {
		complain "$name: line $line is not first, with $change"
		jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].witness, .evidence.change]' "$dir/answer"
		cat "$dir/err"
	}
	rank=$(jq --argjson line "$line" '[.suspects[] | select(.statements[0].kind == "code" and .statements[0].line == $line) | .rank][0] // 0' "$dir/answer")
	[ "$rank" = 0 ] && return
	"$WHY_BIN" try --suspect "$dir/answer:$rank" -- "$dir/$name" "$@" >"$dir/tried" 2>&1
	grep -qF "with $change" "$dir/tried" || { complain "$name: try does not say $change"; cat "$dir/tried"; }
	sed -n 's/^  is   //p' "$dir/tried" >"$dir/is"
	[ -s "$dir/is" ] && grep -qxF -f "$dir/is" "$dir/expected" ||
		{ complain "$name: try prints something else"; cat "$dir/tried"; }
}
check words 16 '1 for 0' 'b 2\na 1\nc 1\n' a b c b
check order 24 "the operands of \`-' exchanged" 'b 2\na 1\nc 1\n' a b c b
check merge 20 "\`b' where the value is 0" '1\n2\n5\n7\n9\n' 5 2 9 1 7
check split 6 "\`strchr' for \`strrchr'" 'a is 1\nopts is -x=2\n' a=1#one opts=-x=2
check table 14 "\`*at' stored" '4: yes\n7: yes\n6: yes\n5: no\n2: no\n' 4 7 6 5 2
# There is no time for any line at first; then the lines on which a branch depends are tried.
options='--limit slip_lines_us=0 --limit slip_data=0 --limit slip_near_lines=0 --limit slip_behind_lines=3'
check pending 17 "\`after' for \`before'" '10!\n11\n12\n20!\n21\n' 0 2 9 10 11 12 13 20 21
options=

# The change is the only proof of the line, so the text has no need to say it twice.
printf 'a is 1\nopts is -x=2\n' >"$dir/expected"
"$WHY_BIN" explain --color never --expect "$dir/expected" -- "$dir/split" a=1#one opts=-x=2 >"$dir/text"
tr -s ' \n' ' ' <"$dir/text" | grep -qF "with \`strchr' for \`strrchr' the test passes" ||
	{ complain "the text does not say the change"; cat "$dir/text"; }
grep -q 'with that, too' "$dir/text" && complain "the change is said twice"
finish
