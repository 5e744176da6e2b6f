#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# limits: any
# What a loop does at the end of each run of things is forgotten for the last run: the statements that are missing
# behind the loop are named there, and typed they mend the test.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/groups.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct group { char key; int sum; };
static int sums(const char *t, struct group *out)
{
	int n = 0, sum = 0;
	char key = 0;
	while (*t) {
		char k = t[0];
		if (key && k != key) {
			out[n].key = key;
			out[n].sum = sum;
			n++;
			sum = 0;
		}
		key = k;
		sum += atoi(t + 2);
		t += strcspn(t, ",");
		t += *t == ',';
	}
	return n; /* fault */
}
int main(void)
{
	struct group g[8] = { { 0, 0 } };
	int n = sums("a:1,a:2,b:5,c:7", g);
	assert(n == 3);
	assert(g[2].sum == 7);
	return 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/groups.c" | cut -d: -f1)
"$CC" -g -w -O0 -o "$dir/groups" "$dir/groups.c" || complain "groups.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/groups" >"$dir/answer" 2>"$dir/err"
explained_or_cut $? || complain "$(cat "$dir/err")"
! default_limits || jq -e --argjson fault "$fault" '.suspects[0] | .statements[0].line == $fault and
	.evidence.change == "a copy of lines 12 to 15 put before it"' "$dir/answer" >/dev/null ||
	complain "first: $(jq -c '.suspects[0] | [.statements[0].line, .evidence.change]' "$dir/answer")"
{ head -n $((fault - 1)) "$dir/groups.c" && sed -n 12,15p "$dir/groups.c" && tail -n +"$fault" "$dir/groups.c"; } >"$dir/typed.c"
"$CC" -g -w -O0 -o "$dir/typed" "$dir/typed.c" && "$dir/typed" || complain "what is told, typed, does not mend the test"
[ $failures -eq 0 ]
