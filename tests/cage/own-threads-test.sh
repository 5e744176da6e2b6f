#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# A caged run may signal its own threads, from each of them.
. tests/support/samples-lib.sh
need_tool
cat >"$dir/p.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile int got;

static void on(int signo)
{
	(void)signo;
	got++;
}

static void *thread(void *arg)
{
	pthread_kill(pthread_self(), SIGUSR1);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	signal(SIGUSR1, on);
	pthread_kill(pthread_self(), SIGUSR1);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	if (argc > 0) /* FLIP */
		got++;
	assert(got == 4);
	return 0;
}
C
"$CC" -g -O0 -pthread -o "$dir/p" "$dir/p.c" || exit 1
line=$(grep -n FLIP "$dir/p.c" | cut -d: -f1)
for engine in jit step; do
	"$WHY_BIN" try --engine "$engine" --flip "p.c:$line" -- "$dir/p" >"$dir/answer" 2>&1
	grep -q '^it passes' "$dir/answer" || complain "$engine: $(cat "$dir/answer")"
done
finish
