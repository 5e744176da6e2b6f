/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths that are another one when they are looked at a second time: at a page's end, where the next
 * page comes and goes, and in memory that another thread writes all the time. */
#include "tests/cage/attack.h"

#include <stdatomic.h>
#include <stdbool.h>

struct swapped {
	char *path;
	const char *a, *b;
	atomic_bool end;
};

static void *swap_them(void *arg)
{
	struct swapped *s = arg;

	while (!s->end) {
		strcpy(s->path, s->a);
		strcpy(s->path, s->b);
	}
	return NULL;
}

ATTACK(changed_path)
{
	char path[4096];
	struct swapped s = { path, "/dev/null", w->file, false };
	pthread_t other;

	strcpy(path, s.a);
	if (pthread_create(&other, NULL, swap_them, &s))
		return;
	for (int i = 0; i < 150; i++) {
		int fd = open(path, O_WRONLY | O_TRUNC);

		DO(write(fd, "bad\n", 4));
		DO(ftruncate(fd, 0));
		DO(fchmod(fd, 0777));
		close(fd);
	}
	s.end = true;
	pthread_join(other, NULL);
}
