#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What was executed before the functions that are open at a crash were called, such as whether to
# do anything at all, dodges the crash; and a term that is a macro is told like another one.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/deep.c" <<'C'
#include <stdio.h>
#include <string.h>
#define OK 0
#define is_list(v) ((v)->kind == 'l')
struct value { int kind; struct value *rest; int number; };
static int start(const char *name) { return strlen(name) > 1000; }
static int sum(const struct value *v)
{
	int n = 0;
	if (v->rest != NULL || is_list(v))
		n = v->rest->number;
	return n + v->number;
}
static int evaluate(const struct value *v, int depth)
{
	return depth ? evaluate(v, depth - 1) : sum(v);
}
static int run(const struct value *v, int n)
{
	int all = 0;
	for (int i = 0; i < n; i++)
		all += evaluate(v + i, 2);
	return all;
}
int main(int argc, char **argv)
{
	struct value one = { 'n', NULL, 7 },
		     all[] = { { 'l', &one, 1 }, { 'n', &one, 2 }, { 'l', NULL, 3 } };
	int status = start(argv[0]);
	if (status == OK)
		printf("%d\n", run(all, 3));
	return 0;
}
C
build "$dir/deep.c" "$dir/deep" -w

rank() { # LINE [OPTIONS...]
	line=$1
	shift
	"$WHY_BIN" explain --format json "$@" "$dir/deep" >"$dir/answer" 2>"$dir/err"
	jq -r --argjson line "$line" '.suspects[] | select(.statements[0].line == $line) | .rank' "$dir/answer"
}

fault=$(grep -n 'is_list(v))$' "$dir/deep.c" | cut -d: -f1)
choice=$(grep -n 'status == OK' "$dir/deep.c" | cut -d: -f1)
without=$(rank "$choice" --limit order_call=0) with=$(rank "$choice")
[ "$with" -gt "$without" ] || complain "whether to run at all is suspect $with, without order_call $without"
[ "$(rank "$fault")" -le 3 ] || complain "the fault is not among the first three"
grep -qF "\`is_list(v)' left out" "$dir/answer" || complain "the term is not told"

finish
