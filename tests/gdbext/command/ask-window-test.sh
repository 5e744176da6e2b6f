#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `ask --window N --at STOP': the window lies before the stop, not before the run's end, and what
# is said of the stop is what is said without a window.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/rounds.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static unsigned seen;

static int scale(int odd)
{
	int s = 3;

	if (odd)
		s = s + 1;
	return s;
}

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		seen += 3;
}

int main(int argc, char **argv)
{
	int sum = 0, rounds = atoi(argv[argc - 1]);

	for (int i = 0; i < 5; i++) {
		sum += scale(i % 2);
		work(rounds);
	}
	assert(sum < 17);
	return 0;
}
C
build "$dir/rounds.c" "$dir/rounds"
squeezed=' \n'
line=$(grep -n 'return s;' "$dir/rounds.c" | cut -d: -f1)

# In one part of the run, and in several; the last one is in the window of the run's end.
for parts in window_part=20000000 window_part=5000; do
	asks 0 "rounds.c:$line in scale 1 from rounds.c:8 int s = 3; s = 3" --window 1K --limit $parts --at "rounds.c:$line" 'why s' -- "$dir/rounds" 2000
	asks 0 "rounds.c:$line in scale 1 from rounds.c:11 s = s + 1; s = 4" --window 1K --limit $parts --at "rounds.c:$line:4" 'why s' -- "$dir/rounds" 2000
	asks 3 "comes to rounds.c:$line only 5 times" --window 1K --limit $parts --at "rounds.c:$line:6" 'why s' -- "$dir/rounds" 2000
	asks 3 "only 1 time;" --window 1K --limit $parts --at "main:2" 'why sum' -- "$dir/rounds" 2000
done
asks 0 "gave s = 4; with s = 9 it holds" --window 1K --at "rounds.c:$line:2" 'why not s == 9' -- "$dir/rounds" 2000
# What was made before the window is not said to come from elsewhere.
asks 0 'sum, made before the part of the run that was kept' --window 100 'why sum' -- "$dir/rounds" 2000
# A window that holds the whole run.
asks 0 "rounds.c:$line in scale 1 from rounds.c:11 s = s + 1; s = 4" --window 1M --at "rounds.c:$line:4" 'why s' -- "$dir/rounds" 2000
# Never: that is said only when it is true.
asks 3 'The run never comes to rounds.c:' --window 1K --at "rounds.c:$(grep -n 'return 0;' "$dir/rounds.c" | cut -d: -f1)" 'why sum' -- "$dir/rounds" 2000

# Without --window a long run's end is recorded first: where a cause was before it, all of the run is,
# and the answer is the same.  The value that nothing read in the window is known, too.
cat >"$dir/sides.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static unsigned seen;
static int early, late, unread, decided;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		seen += 3;
}

int main(int argc, char **argv)
{
	early = argc + 3;
	unread = 8;
	if (early > 4) {
		work(atoi(argv[argc - 1]));
		decided = 3;
	}
	late = argc + 5;
	assert(early + late < 12);
	return 0;
}
C
build "$dir/sides.c" "$dir/sides"
for about in early late unread seen decided; do
	for window in 1000 0; do
		"$WHY_BIN" ask --limit ask_window=$window "why $about" -- "$dir/sides" 2000 >"$dir/$window" 2>"$dir/err" ||
			complain "why $about, ask_window=$window: status $?: $(cat "$dir/err")"
	done
	cmp -s "$dir/1000" "$dir/0" || complain "why $about: $(diff "$dir/1000" "$dir/0")"
done
# A loop of main's that began in the window has no cause before it.
cat >"$dir/loop.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static unsigned seen;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		seen += 3;
}

int main(int argc, char **argv)
{
	int sum, other = 0;

	for (int i = 0; i < 2; i++) {
		other += argc;
		if (i == 1 || argc > 9)
			work(atoi(argv[argc - 1]));
	}
	sum = 0;
	for (int i = 0; i < 3; i++)
		if (i != 1)
			sum += 2 + i;
	assert(sum + other == 9);
	return 0;
}
C
build "$dir/loop.c" "$dir/loop"
for about in sum other; do
	for window in 1000 0; do
		GDB_WHY_LOG=command:debug "$WHY_BIN" ask --limit ask_window=$window "why $about" -- "$dir/loop" 2000 >"$dir/$window" 2>"$dir/err-$window" ||
			complain "why $about, ask_window=$window: status $?: $(cat "$dir/err-$window")"
	done
	cmp -s "$dir/1000" "$dir/0" || complain "why $about: $(diff "$dir/1000" "$dir/0")"
	said=$(grep -c 'before the end that was kept' "$dir/err-1000")
	[ "$said" = "$([ $about = sum ] && echo 0 || echo 1)" ] || complain "why $about: the whole run was recorded $said times"
done
asks 0 'from sides.c:15 early = argc + 3; early = 5' --limit ask_window=1000 'why early' -- "$dir/sides" 2000
asks 0 'when sides.c:17 if (early > 4) { true' --limit ask_window=1000 'why decided' -- "$dir/sides" 2000
asks 0 'from sides.c:21 late = argc + 5; late = 7' --limit ask_window=1000 'why late' -- "$dir/sides" 2000
finish
