/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second thread changes the path while the call is being looked at. */
#include "tests/cage/attack.h"

static char path[4096];

static void *change(void *arg)
{
	const struct world *w = arg;

	for (int i = 0; i < 2000; i++) {
		strcpy(path, "/dev/null");
		strcpy(path, i & 1 ? w->pipe : w->file);
	}
	return NULL;
}

ATTACK(open_race)
{
	pthread_t thread;
	char buffer[8];

	strcpy(path, "/dev/null");
	if (pthread_create(&thread, NULL, change, (void *)w))
		return;
	for (int i = 0; i < 30; i++) {
		int fd = open(path, O_RDWR | O_NONBLOCK);

		DO(write(fd, "harm", 4));
		DO(read(fd, buffer, sizeof buffer));
		close(fd);
	}
	pthread_join(thread, NULL);
}
