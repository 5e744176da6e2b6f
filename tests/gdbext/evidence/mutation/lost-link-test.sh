#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A statement that is missing and stands nowhere else: the link back in a list with links to both
# sides, and a call that another function makes for other variables.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

struct job {
	struct job *next, *prev;
	int number;
};

struct queue {
	struct job *first, *last;
	int length;
};

static struct queue ready, blocked;

static void append(struct queue *q, struct job *j)
{
	j->prev = q->last;
	if (q->last)
		q->last->next = j;
	else
		q->first = j;
	q->last = j;
	j->next = NULL;
	q->length++;
}

static void take_out(struct queue *q, struct job *j)
{
	if (j->next)
		j->next->prev = j->prev;
	else
		q->last = j->prev;
	if (j->prev)
		j->prev->next = j->next;
	else
		q->first = j->next;
	q->length--;
}

static struct job *nth(struct queue *q, int n)
{
	struct job *j = q->first;

	for (int i = 0; j && i < n; i++)
		j = j->next;
	return j;
}

static void move(struct queue *from, struct queue *to, int n)
{
	struct job *j = nth(from, n);

	if (j) {
		take_out(from, j);
		append(to, j);
	}
}

static void unblock(int n)
{
	struct job *j = nth(&blocked, n);

	if (j) {
		take_out(&blocked, j);
		append(&ready, j);
	}
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 4; i++) {
		struct job *j = calloc(1, sizeof *j);

		j->number = i;
		append(&ready, j);
	}
	for (int i = 1; i < argc; i++) {
		int n = atoi(argv[i]);

		if (n < 10)
			move(&ready, &blocked, n);
		else
			unblock(n - 10);
	}
	for (struct job *j = ready.first; j; j = j->next)
		printf("%d ", j->number);
	printf("of %d, %d blocked\n", ready.length, blocked.length);
	return 0;
}
C
build "$dir/right.c" "$dir/right"
for i in 0 1 2 3; do
	echo "$i"
	echo "$i $i"
	echo "1 $i $i"
	echo "$i 10"
	echo "0 $i 11"
	echo "$i 0 10 11"
	echo "$i 0 11 1 10"
done >"$dir/suite"

# finds LINE CHANGE...: without that line, one of these changes is told of a suspect.  A busy machine may
# count more processor time.
finds() {
	sed "$1s/.*/;/" "$dir/right.c" >"$dir/lost.c"
	build "$dir/lost.c" "$dir/lost"
	lost=$1
	shift
	"$WHY_BIN" explain --timeout 240 --limit mutant_least_cpu_us=20000 --format json --golden "$dir/right" --tests "$dir/suite" -- "$dir/lost" >"$dir/answer" 2>"$dir/err"
	found=$(jq -r '.suspects[] | select(.replay == "passes" and .evidence.broken == 0) |
		"\(.statements[0].line) \(.evidence.change)"' "$dir/answer")
	for wanted; do
		echo "$found" | grep -qxF "$wanted" && return
	done
	complain "without line $lost: $found"
	cat "$dir/err"
}
finds 18 "19 \`j->prev = q->last' put before it" "17 \`j->prev = q->last' put before it"
finds 65 "66 \`take_out(&blocked, j)' put before it" "64 \`take_out(&blocked, j)' put behind it"

finish
