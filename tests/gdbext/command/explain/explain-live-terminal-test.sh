#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# While suspects are looked for, a terminal shows those found so far; the answer takes their place,
# and a search that is interrupted or whose time is up loses none of them.  timeout: 240
set -u
. tests/support/session-lib.sh

cat >"$dir/total.c" <<'E2'
#include <stdio.h>
#include <stdlib.h>

static int total(const int *of, int n)
{
	int sum = 0;

	for (int i = 1; i < n; i++)
		sum += of[i];
	return sum;
}

int main(int argc, char **argv)
{
	int of[16], n = 0;

	while (n < 16 && n + 1 < argc) {
		of[n] = atoi(argv[n + 1]);
		n++;
	}
	printf("%d numbers\n", n);
	printf("total %d\n", total(of, n));
	return 0;
}
E2
${CC:-gcc} -g -O0 -o "$dir/total" "$dir/total.c" && printf '4 numbers\ntotal 27\n' >"$dir/want" || exit 1
run="$WHY explain --color never --expect $dir/want"
test="-- $dir/total 5 6 7 9"

# In a terminal; says at last how it ended.
open_run() { # window, options
	printf '%s\n' 'trap : INT' "$run $2 $test" 'echo status $?' 'sleep 300' >"$dir/$1.sh"
	start_window "$1" 90 60 "TERM=screen sh $dir/$1.sh"
}

open_run a ""
wait_screen a 'found so far (Ctrl-C'
wait_screen a '^status 0'
screen a | grep -q 'found so far' && complain "a: what was found so far still stands there"
screen a | grep -q 'proven by replay' || complain "a: no answer"

# Interrupted.
open_run b '--thorough --timeout 200'
wait_screen b 'found so far (Ctrl-C'
tmux -S "$dir/tmux" send-keys -t b C-c
wait_screen b '^status '
if screen b | grep -q '^status 130'; then
	screen b | grep -q 'found so far' || complain "b: what was found is gone"
	screen b | grep -q 'total.c:[0-9].*passes' || complain "b: no suspect is left"
fi

# On no terminal nothing is shown before the answer.
$run $test >"$dir/plain" 2>"$dir/err" </dev/null || complain "plain: status $?"
grep -q 'found so far' "$dir/plain" && complain "plain: what was found so far is in the file"

# Whatever was found in time is in the answer.
for seconds in 1 2 4; do
	"$WHY" explain --format json --stream --thorough --timeout $seconds --expect "$dir/want" $test \
		>"$dir/stream" 2>"$dir/err" </dev/null
	status=$?
	if jq -se 'any(.suspects | length > 0)' "$dir/stream" >/dev/null; then
		[ $status = 0 ] || complain "$seconds s: a suspect was told, but status $status: $(cat "$dir/err")"
		jq -se '.[-1].suspects | length > 0' "$dir/stream" >/dev/null || complain "$seconds s: the answer lost it"
	fi
done
done_testing
