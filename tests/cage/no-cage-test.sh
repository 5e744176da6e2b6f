#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Where the system gives no cage nothing is forced, and every answer says so.
. tests/support/samples-lib.sh
need_tool
"$CC" -o "$dir/without-seccomp" tests/cage/without-seccomp.c || exit 1
"$CC" -g -O0 -o "$dir/paper" samples/paper.c || exit 1
cat >"$dir/four.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int m = argc > 1 ? atoi(argv[1]) : 0;

	if (m > 2)
		m = m + 1;
	assert(m != 4);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/four" "$dir/four.c" || exit 1
printf '1\n2\n3\n' >"$dir/suite"
without() { # what is refused, then the command
	refused=$1
	shift
	"$dir/without-seccomp" "$refused" "$WHY_BIN" "$@" 2>&1
}

for refused in all missing notification; do
	without $refused explain --format=json -- "$dir/paper" 0 0 >"$dir/answer"
	jq -e '.not_run | contains("no cage")' "$dir/answer" >/dev/null ||
		complain "$refused: explain does not say why nothing was run: $(head -c 300 "$dir/answer")"
	[ "$(jq '[.suspects[] | select(.replay != "not run")] | length' "$dir/answer")" = 0 ] ||
		complain "$refused: something was run: $(jq -c '.suspects[].replay' "$dir/answer")"
done
without all explain -- "$dir/paper" 0 0 >"$dir/text"
tr -s ' \n' ' ' <"$dir/text" | grep -q 'so nothing is proven: this system gives no cage' ||
	complain "the text does not say it: $(cat "$dir/text")"
without all try --flip paper.c:26 -- "$dir/paper" 0 0 >"$dir/try"
[ $? = 2 ] || complain "try ended with another status"
grep -q 'Nothing can be tried, since this system gives no cage' "$dir/try" || complain "$(cat "$dir/try")"
without all rank --no-cache --tests "$dir/suite" --technique ofc+cw -- "$dir/four" >"$dir/rank"
tr -s ' \n' ' ' <"$dir/rank" | grep -q 'so nothing is proven: this system gives no cage' ||
	complain "rank does not say it: $(cat "$dir/rank")"
without all explain --tests "$dir/suite" -- "$dir/four" 3 >"$dir/text"
tr -s ' \n' ' ' <"$dir/text" | grep -q 'so nothing is proven: this system gives no cage' ||
	complain "explain with tests does not say it: $(cat "$dir/text")"

# What is not the program's: no answer takes it for its exit status.
(ulimit -f 4 && "$WHY_BIN" explain -- "$dir/paper" 0 0) >"$dir/limit" 2>&1
[ $? = 2 ] || complain "a limit for files is told as the program's failure"
grep -q 'ulimit -f' "$dir/limit" || complain "$(cat "$dir/limit")"
(ulimit -n 20 && "$WHY_BIN" explain -- "$dir/paper" 0 0) >"$dir/limit" 2>&1
grep -q 'raise that limit (ulimit -n)' "$dir/limit" || complain "$(cat "$dir/limit")"

# Closed standard files.
"$WHY_BIN" explain -- "$dir/paper" 0 0 <&- 2>&- >"$dir/closed"
explained_or_cut $? || complain "closed standard files: another status"
! default_limits || grep -q '2 explanations, each proven' "$dir/closed" || complain "closed: $(cat "$dir/closed")"
"$WHY_BIN" explain -- "$dir/paper" 0 0 >&- 2>"$dir/closed"
[ $? = 2 ] || complain "an answer that cannot be written is no failure"
grep -q 'The answer cannot be written: Bad file descriptor' "$dir/closed" || complain "$(cat "$dir/closed")"
finish
