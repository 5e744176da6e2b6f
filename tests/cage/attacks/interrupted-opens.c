/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens that signals interrupt while the guard answers, on descriptors that another thread takes
 * away at the same time. */
#include "tests/cage/attack.h"

#include <pthread.h>
#include <sys/time.h>

static void nothing(int signo)
{
	(void)signo;
}

static void *take_away(void *arg)
{
	for (int i = 0; i < 200; i++) {
		DO(dup2(FD_WRITE, 3 + i % 4));
		DO(close(3 + i % 4));
	}
	return arg;
}

ATTACK(interrupted_opens)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	pthread_t thread;
	int beside;

	signal(SIGALRM, nothing);
	setitimer(ITIMER_REAL, &often, NULL);
	beside = !pthread_create(&thread, NULL, take_away, NULL);
	for (int i = 0; i < 50; i++) {
		int fd = open(w->file, i % 2 ? O_RDWR | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND,
			      0600);

		DO((int)write(fd, "x", 1));
		DO(open(w->folder, O_RDWR | 020200000 /* O_TMPFILE */, 0600));
		DO(unlink(w->file));
	}
	if (beside)
		pthread_join(thread, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
}
