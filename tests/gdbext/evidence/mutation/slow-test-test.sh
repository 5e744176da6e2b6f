#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A test of the suite takes much longer than the one by which the time of a changed run is measured.
# It gets more time, so that the change that mends all failing tests is still found.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/slow.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int both(int a, int b)
{
	return a * b; /* FAULT */
}

int main(int argc, char **argv)
{
	volatile long work;

	if (argc < 5)
		return 0;
	work = atol(argv[1]);
	while (work > 0)
		work--;
	assert(both(atoi(argv[2]), atoi(argv[3])) == atoi(argv[4]));
	return 0;
}
C
build "$dir/slow.c" "$dir/slow"
# As many rounds as take some thirteen milliseconds here: a limit of one is kept by ticks of four.
rounds=$(python3 - "$dir/slow" <<'P'
import resource, subprocess, sys

def spent():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

before = spent()
subprocess.run([sys.argv[1], "100000000", "2", "2", "4"])
print(int(100000000 * 0.013 / (spent() - before)))
P
)
printf '0 3 1 4\n0 2 2 4\n0 7 2 9\n0 0 0 0\n%s 9 4 13\n' "$rounds" >"$dir/suite"
line=$(grep -nF '/* FAULT */' "$dir/slow.c" | cut -d: -f1)
# names_change OPTION...: is the line's change one that mends all of the suite?  Short tests take part of a millisecond.
names_change() {
	"$WHY_BIN" explain --format json --failing 1 --limit mutant_cpu_times=2 "$@" --tests "$dir/suite" -- "$dir/slow" >"$dir/answer" 2>"$dir/err"
	jq -e --argjson line "$line" '[.suspects[] | select(.statements[0].line == $line and .evidence.mended == 3 and .evidence.broken == 0)] |
		length > 0' "$dir/answer" >/dev/null
}
names_change || complain "the change is not found: $(jq -c '.suspects[].evidence' "$dir/answer") $(cat "$dir/err")"
names_change --limit mutant_slow_cpu_us=1000 && complain "no run was cut, so this test shows nothing"
finish
