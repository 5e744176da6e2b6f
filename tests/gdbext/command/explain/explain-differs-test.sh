#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A test that does not do the same each time: the answer begins with that.  One that does has no
# such note.  A test of threads that passes while it is recorded may have a race.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

# What it does is in the file that it counts in: the caged run sees the count of the first.
cat >"$dir/counts.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int next(const char *file)
{
	FILE *f = fopen(file, "r+");
	int n = 0;

	if (!f || fscanf(f, "%d", &n) != 1)
		exit(9);
	rewind(f);
	fprintf(f, "%d\n", n + 1);
	fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	int run = next(argv[argc - 1]), rounds = 3, sum = 0;

	switch (*argv[1]) {
	case 'v': /* another value */
		sum = 100 + run;
		assert(sum < 50);
		break;
	case 'w': /* another way */
		for (int i = 0; i < rounds + run; i++)
			sum += i;
		assert(sum < 0);
		break;
	case 'p': /* it passes */
		assert(run > 0);
		break;
	case 's':
		return run ? 7 : 5;
	default: /* the same */
		assert(argc + rounds < 0);
	}
	return 0;
}
C
build "$dir/counts.c" "$dir/counts"

begins() { # letter, beginning of the text, .differs in JSON
	echo 0 >"$dir/number"
	"$WHY_BIN" explain --limit mutant_runs=0 --color never -- "$dir/counts" "$1" "$dir/number" >"$dir/text" 2>"$dir/err"
	tr -s ' \n' ' ' <"$dir/text" | grep -q "^$2" || complain "$1 begins: $(head -3 "$dir/text" "$dir/err")"
	echo 0 >"$dir/number"
	"$WHY_BIN" explain --limit mutant_runs=0 --format json -- "$dir/counts" "$1" "$dir/number" >"$dir/json" 2>"$dir/err"
	jq -e ".differs == $3" "$dir/json" >"$dir/is" || complain "$1: $(jq -c .differs "$dir/json")"
}
same='note: this test does not do the same each time: run again, '
begins v "${same}it fails with sum = 101 now\. So a changed run may pass" '"it fails with sum = 101 now"'
begins w "${same}it takes another way to the failure now\." '"it takes another way to the failure now"'
begins p "${same}it passes now\." '"it passes now"'
begins s "${same}it fails in another way now\." '"it fails in another way now"'
begins x "assertion \`argc + rounds < 0' failed" null

# The limit turns it off.
echo 0 >"$dir/number"
"$WHY_BIN" explain --limit mutant_runs=0 --limit second_run_ms=0 -- "$dir/counts" v "$dir/number" >"$dir/text" 2>"$dir/err"
head -1 "$dir/text" | grep -q '^assertion' || complain "second_run_ms=0: $(head -2 "$dir/text")"
echo 0 >"$dir/number"
"$WHY_BIN" explain --limit mutant_runs=0 --format html -- "$dir/counts" v "$dir/number" >"$dir/html" 2>"$dir/err"
grep -q '<p[^>]*>this test does not do the same each time' "$dir/html" || complain "not in HTML"

cat >"$dir/passes.c" <<'C'
#include <pthread.h>
static int n;
static void *add(void *arg)
{
	n++;
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	if (argc > 1 && !pthread_create(&t, NULL, add, NULL))
		pthread_join(t, NULL);
	return n != argc - 1;
}
C
build "$dir/passes.c" "$dir/passes" -pthread
"$WHY_BIN" explain --limit mutant_runs=0 -- "$dir/passes" x >"$dir/text" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'did not fail.*a race may vanish' "$dir/err" || complain "threads: $(cat "$dir/err")"
"$WHY_BIN" explain --limit mutant_runs=0 -- "$dir/passes" >"$dir/text" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'exited with status 0\.  Where what' "$dir/err" || complain "no threads: $(cat "$dir/err")"
finish
