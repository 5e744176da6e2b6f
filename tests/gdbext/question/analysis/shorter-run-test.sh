#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A change with which the program reads less, and is over before it came to the crash, comes later.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/bank.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct account { int id; long balance; struct account *next; };
static struct account *head;
static struct account *find(int id)
{
	for (struct account *a = head; a; a = a->next)
		if (a->id == id)
			return a;
	return NULL;
}
static void create(int id)
{
	struct account *a = calloc(1, sizeof *a);
	a->id = id;
	head = a;
}
int main(void)
{
	char command[10];
	int id;
	long amount;
	while (scanf("%9s", command) == 1) {
		if (strcmp(command, "new") == 0) {
			scanf("%d", &id);
			create(id);
		} else if (strcmp(command, "put") == 0) {
			scanf("%d %ld", &id, &amount);
			find(id)->balance += amount;
		}
	}
	return 0;
}
C
build "$dir/bank.c" "$dir/bank" -w
printf 'new 1\nnew 2\nput 1 100\nput 2 30\n' >"$dir/input"

rank() { # LINE [OPTIONS...]
	line=$1
	shift
	"$WHY_BIN" explain --format json "$@" --stdin "$dir/input" -- "$dir/bank" >"$dir/answer" 2>"$dir/err"
	jq -r --argjson line "$line" '[.suspects[] | select(.statements[0].line == $line) | .rank][0] // 99' "$dir/answer"
}

reads=$(grep -n 'while (scanf' "$dir/bank.c" | cut -d: -f1)
without=$(rank "$reads" --limit shorter_insns=0) with=$(rank "$reads")
[ "$without" -lt 99 ] || complain "to read nothing more is no suspect: $(cat "$dir/err")"
[ "$with" -gt "$without" ] || complain "to read nothing more is suspect $with, and $without where its run is not made"

finish
