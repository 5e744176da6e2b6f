#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The thread that failed is the one that is explained, however the threads are
# scheduled; what other threads wrote is input.  timeout: 120
. tests/support/samples-lib.sh
need_tool

# Thread K of four that run at once gets a number that is doubled wrongly; with
# K = 4 they all go well, and main finds the sum wrong.
cat >"$dir/threads.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
	int number, doubled;
};

static int twice(int x)
{
	int y = x * 2;

	if (x > 5)
		y = y + 1;
	return y;
}

static void *run(void *arg)
{
	struct job *job = arg;
	unsigned noise = 1;

	for (int i = 0; i < 300; i++)
		noise = noise * 31 + (noise >> 3);
	job->doubled = twice(job->number);
	assert(job->doubled == 2 * job->number);
	return (void *)(long)(noise | 1);
}

int main(int argc, char **argv)
{
	struct job jobs[4] = { { 2, 0 }, { 3, 0 }, { 4, 0 }, { 5, 0 } };
	int wrong = atoi(argv[argc - 1]), sum = 1;
	pthread_t threads[4];

	if (wrong < 4)
		jobs[wrong].number = 6;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, run, &jobs[i]))
			return 1;
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		sum += jobs[i].doubled;
	}
	assert(wrong < 4 || sum == 28);
	return 0;
}
C

# explains K FUNCTION LINE VALUES: the assertion fails in FUNCTION, and LINE is
# among the statements that are proven to be able to make it pass.
explains() {
	"$WHY_BIN" explain --limit mutant_runs=0 --format=json --max-suspects 0 -o "$dir/answer" -- "$program" "$1" 2>"$dir/err" ||
		complain "$program $1: status $?: $(cat "$dir/err")"
	function=$(jq -r .failure.function "$dir/answer")
	[ "$function" = "$2" ] || complain "$program $1: fails in $function, not in $2"
	lines=$(jq -r '[.suspects[] | select(.replay == "passes" and .size == 1) | .statements[0].line] | unique | join(" ")' \
		"$dir/answer")
	case " $lines " in
	*" $3 "*) ;;
	*) complain "$program $1: explained by lines $lines, not by $3" ;;
	esac
	for line in $lines; do
		[ "$line" -ge "$4" ] && [ "$line" -le "$5" ] || complain "$program $1: line $line is of another thread"
	done
}

for o in 0 2; do
	program=$dir/threads-$o
	"$CC" -g -O$o -o "$program" "$dir/threads.c" -pthread || exit 1
	for thread in 0 1 2 3; do
		for again in 1 2; do
			explains $thread run 13 9 27
		done
	done
	explains 4 main 33 29 49
done
finish
