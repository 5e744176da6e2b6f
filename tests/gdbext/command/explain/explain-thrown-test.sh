#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A status that a handler made of an error is explained by what led to the error: what only reports
# it comes behind that, and a small change with which the program says the same mends nothing.
# timeout: 300
. tests/support/samples-lib.sh
need_tool

cat >"$dir/throw.c" <<'END'
#include <setjmp.h>
#include <stdio.h>
struct handler {
	jmp_buf env;
	int status;
};
static struct handler *handlers;
static int words[64];
static void fail(int status)
{
	handlers->status = status;
	longjmp(handlers->env, 1);
}
static int check(int total)
{
	if (total > 2000)
		fail(2);
	return total;
}
static int run(int n)
{
	int total = 0;

	for (int i = 0; i < 64; i++)
		words[i] = i + n;
	for (int i = 0; i < 64; i++)
		total += words[i];
	return check(total);
}
static int protect(int n)
{
	struct handler here = { .status = 0 };

	handlers = &here;
	if (setjmp(here.env) == 0)
		run(n);
	return here.status;
}
static int report(int status)
{
	if (status != 0)
		fputs("the total is too large\n", stderr);
	return status;
}
int main(int argc, char **argv)
{
	int status;

	(void)argv;
	status = protect(argc);
	status = report(status);
	return status == 0 ? 0 : 1;
}
END
build "$dir/throw.c" "$dir/throw" || complain "throw.c does not compile"
"$WHY_BIN" explain --all --format=json -- "$dir/throw" >"$dir/answer" || complain "throw: exit status $?"
jq -e '[.suspects[].statements[0].line] as $lines | ($lines | index(16)) < 4 and
	([50, 51, 52, 53] | all(. as $l | ($lines | index($l)) // 99 | . > 7))' "$dir/answer" >"$dir/index" ||
	complain "throw: the lines are $(jq -c '[.suspects[].statements[0].line]' "$dir/answer")"
jq -e '[.suspects[] | select(.statements[0].line >= 51) | .evidence.change | values] == []' "$dir/answer" >"$dir/index" ||
	complain "throw: a change of the report counts as a mend: $(jq -c '[.suspects[].evidence.change]' "$dir/answer")"

# Of a crash, the register that the access went through tells what the line's names do not, and the
# check that let it be made is the first suspect, although the function never returns.
cat >"$dir/wild.c" <<'END'
#include <stdint.h>
#include <stdlib.h>
struct function { struct code *code; };
struct code { int lines; };
struct function plain = { (struct code *)0x4141414141414141 };
static unsigned noise;
static volatile int seen;
__attribute__((noreturn, noinline)) static void report(struct function *f, int is_known)
{
	int line = 0;

	if (is_known || noise == 3)
		line = f->code->lines;
	seen = line;
	exit(0);
}
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000; i++)
		noise = noise * 31 + (unsigned)i + 1;
	report(&plain, argc);
}
END
for level in -O0 -O2; do
	build "$dir/wild.c" "$dir/wild" $level || complain "wild.c does not compile"
	"$WHY_BIN" explain --all --format=json -- "$dir/wild" >"$dir/answer" || complain "wild $level: exit status $?"
	jq -e '.opening[0].line == 13' "$dir/answer" >"$dir/index" ||
		complain "wild $level: the opening is $(jq -c .opening "$dir/answer")"
	jq -e '.suspects[0].statements[0] | .line == 12 and .kind == "condition"' "$dir/answer" >"$dir/index" ||
		complain "wild $level: the suspects are $(jq -c '[.suspects[].statements[0] | [.line, .kind]]' "$dir/answer")"
done

finish
