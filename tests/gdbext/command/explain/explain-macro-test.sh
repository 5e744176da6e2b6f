#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A condition that stands in a macro is named as the macro asks it, with its arguments; a change of it, which would be
# one of all uses of the macro, is not told.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/check.h" <<'C'
#define CHECK(c) do { if (!(c)) { fprintf(stderr, "%s\n", #c); return 1; } } while (0)
#define CHECK_TEXT(a, b) do { const char *x_ = (a); if (x_ == NULL || strcmp(x_, (b)) != 0) { \
	fprintf(stderr, "%s is %s\n", #a, x_ ? x_ : "(none)"); return 1; } } while (0)
C
cat >"$dir/macro.c" <<'C'
#include <stdio.h>
#include <string.h>
#include "check.h"
static const char *names[] = { "zero", "one", "two" };
static const char *name_of(int n)
{
	return n > 0 && n < 2 ? names[n] : NULL; /* fault */
}
static int names_are_right(int n)
{
	CHECK(sizeof names / sizeof *names == n);
	CHECK(name_of(7) == NULL);
	CHECK_TEXT(name_of(1), "one");
	CHECK_TEXT(name_of(2), "two");
	return 0;
}
int main(void)
{
	int bad = 0;
	bad += names_are_right(3);
	return bad;
}
C
build "$dir/macro.c" "$dir/macro" || complain "macro.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/macro" >"$dir/answer" || complain "exit status $?"
jq -e '[.suspects[].statements[] | select(.kind == "condition" and .line > 10 and .line < 15)] | length > 0 and
	all(.[]; .actual != "one way" and .witness != "the other way")' "$dir/answer" >"$dir/index" ||
	complain "$(jq -c '.suspects[].statements[] | [.line, .kind, .clause, .actual, .witness]' "$dir/answer")"
jq -e '[.chain[] | select(.line == 14 and .edge == "control") | .clause] | index(["x_ == NULL"])' "$dir/answer" >"$dir/index" ||
	complain "$(jq -c '.chain[] | [.line, .clause, .values]' "$dir/answer")"
jq -e 'all(.suspects[]; .statements[0].line < 11 or .statements[0].line > 14 or .evidence.change == null or
	(.evidence.change | test("negated|always|never") | not))' "$dir/answer" >"$dir/index" ||
	complain "$(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
[ $failures -eq 0 ]
