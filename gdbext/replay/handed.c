/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/handed.h"

#include "gdbext/replay/internal.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define LOWEST 16 /* above what we and the loader have open */
#define ROOM 16	  /* descriptors that are left to the program at least */

G_STATIC_ASSERT((int)TRACE_MOST_HANDED <= (int)LAUNCH_MOST_HANDED);

/* Above what the user handed down; 0 = there is no room. */
static uint16_t find_place(const struct replay *r)
{
	guint n = r->inherited->len;
	int at = n ? MAX(g_array_index(r->inherited, int, n - 1) + 1, LOWEST) : LOWEST;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || (rlim_t)at + ROOM > limit.rlim_cur)
		return 0;
	return at + ROOM <= UINT16_MAX ? (uint16_t)at : 0;
}

/* Its access time stays as it is, where we may ask for that. */
static int open_to_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC);

	return fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static int open_one(const struct replay *r, const struct run_place *place, enum trace_handed what)
{
	const bool of_run = what >= TRACE_HANDED_TRACE;
	const char *const names[] = { [TRACE_HANDED_BASE] = REPLAY_BASE,
				      [TRACE_HANDED_TRACE] = "trace.0",
				      [TRACE_HANDED_TAIL] = "tail.0" };
	g_autofree char *path = NULL;

	if (what == TRACE_HANDED_PROGRAM)
		return open_to_read(r->program);
	path = g_build_filename(of_run ? place->folder : r->folder->path, names[what], NULL);
	return of_run ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
		      : open_to_read(path);
}

struct handed handed_open(const struct replay *r, const struct run_place *place, uint32_t flags)
{
	const uint16_t most = flags & TRACE_NATIVE   ? TRACE_HANDED_TRACE
			      : flags & TRACE_RECORD ? TRACE_MOST_HANDED
						     : TRACE_HANDED_TAIL;
	struct handed h = { .at = find_place(r) };

	while (h.at && h.n < most) {
		int fd = open_one(r, place, h.n);

		if (fd < 0)
			handed_close(&h);
		else
			h.fd[h.n++] = fd;
	}
	return h;
}

void handed_close(struct handed *h)
{
	while (h->n)
		close(h->fd[--h->n]);
	h->at = 0;
}
