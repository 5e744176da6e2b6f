#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# A program tells of its failure on standard error, and its status follows.  What only
# changes the status hides the failure; what decided about the message comes first, also when
# longjmp led there.  timeout: 60
set -u
. tests/support/samples-lib.sh
need_tool
default_limits || exit 0

cat >"$dir/interpret.c" <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf up;
static int depth[64];

static void raise_error(const char *what, int n)
{
	fprintf(stderr, "error: %s %d\n", what, n);
	longjmp(up, 2);
}

static int weigh(int n)
{
	int sum = 0;

	for (int i = 0; i < 20; i++)
		sum += (i * n) % 7;
	return sum;
}

static void step(int n)
{
	int used = weigh(n) % 64;

	depth[used]++;
	if (n > 29) /* the fault: 30 is fine */
		raise_error("too many", n);
}

static int run(int rounds)
{
	int status = setjmp(up);

	if (status)
		return status;
	for (int i = 1; i <= rounds; i++)
		step(i);
	return 0;
}

int main(int argc, char **argv)
{
	int status = argc == 2 ? run(atoi(argv[1])) : 1;

	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
C
"$CC" -g -O0 -o "$dir/interpret" "$dir/interpret.c" || complain "it does not compile"
"$WHY_BIN" explain --format=json --limit nearby_from=100 -- "$dir/interpret" 30 >"$dir/answer" 2>"$dir/err"
explained_or_cut $? || complain "status $?: $(cat "$dir/err")"
line_of() { grep -n "$1" "$dir/interpret.c" | cut -d: -f1; }
jq -e --argjson l "$(line_of 'the fault')" '.suspects[0].statements[0].line == $l' "$dir/answer" >"$dir/out" ||
	complain "the check that raised it is not first: $(jq -c '[.suspects[].statements[0].line]' "$dir/answer")"

# Where nothing else mends it, what hides it is an answer all the same.
cat >"$dir/always.c" <<'C'
#include <stdio.h>

int main(int argc, char **argv)
{
	volatile int sum = 0;

	(void)argv;
	fputs("note: this is always said\n", stderr);
	for (int i = 0; i < 300; i++)
		sum += i;
	return sum == 44850 && argc > 0;
}
C
"$CC" -g -O0 -o "$dir/always" "$dir/always.c" || complain "it does not compile"
"$WHY_BIN" explain --format=json --limit nearby_from=100 -- "$dir/always" >"$dir/answer" 2>"$dir/err"
explained_or_cut $? || complain "always: status $?: $(cat "$dir/err")"
jq -e '[.suspects[] | select(.replay == "passes")] | length > 0' "$dir/answer" >"$dir/out" ||
	complain "always: nothing is proven: $(cat "$dir/answer")"

[ $failures -eq 0 ]
