/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that belongs to a process is another, and does not go with the run. */
#include "tests/cage/attack.h"

#include <sys/time.h>
#include <time.h>

static void *wait_for_ever(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

ATTACK(own_state)
{
	struct itimerval soon = { { 1000, 0 }, { 1000, 0 } };
	pthread_t thread;
	timer_t timer;
	sigset_t all;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	DO(kill(getpid(), SIGUSR1));
	DO(kill(0, SIGUSR1));
	DO(setitimer(ITIMER_REAL, &soon, NULL));
	DO(setitimer(ITIMER_PROF, &soon, NULL));
	DO(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	umask(0777);
	DO(chdir("/"));
	DO(setpgid(0, 0));
	setsid();
	DO(prctl(PR_SET_PDEATHSIG, 0));
	DO(prctl(PR_SET_CHILD_SUBREAPER, 1));
	DO(prctl(PR_SET_NAME, "harm"));
	DO(prctl(PR_SET_DUMPABLE, 0));
	DO(munmap((void *)0x1c0000000000, 1 << 20));
	DO(open(w->file, O_RDWR));
	for (int i = 0; i < 20; i++)
		DO(pthread_create(&thread, NULL, wait_for_ever, NULL));
	syscall(SYS_exit_group, 0);
}
