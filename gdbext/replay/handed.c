/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/handed.h"

#include "gdbext/replay/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LOWEST 16 /* above what we and the loader have open */
#define ROOM 16	  /* descriptors that are left to the program at least */

/* The number is at most UINT16_MAX. */
G_STATIC_ASSERT((int)TRACE_PLAN_DIGITS >= 5);
G_STATIC_ASSERT((int)TRACE_MOST_HANDED <= (int)LAUNCH_MOST_HANDED);

/* Above what the user handed down; 0 = there is no room. */
static uint16_t find_handed_place(const struct replay *r)
{
	guint n = r->inherited->len;
	int at = n ? MAX(g_array_index(r->inherited, int, n - 1) + 1, LOWEST) : LOWEST;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || (rlim_t)at + ROOM > limit.rlim_cur)
		return 0;
	return at + ROOM <= UINT16_MAX ? (uint16_t)at : 0;
}

/* Its access time stays as it is, where we may ask for that. */
static int open_handed_to_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC);

	return fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static int open_one(const struct replay *r, const struct run_place *place, enum trace_handed what)
{
	const bool of_run = what == TRACE_HANDED_PLAN || what >= TRACE_HANDED_TRACE;
	const char *const names[] = { [TRACE_HANDED_PLAN] = "plan",
				      [TRACE_HANDED_BASE] = REPLAY_BASE,
				      [TRACE_HANDED_TRACE] = "trace.0",
				      [TRACE_HANDED_TAIL] = "tail.0" };
	g_autofree char *path = NULL;

	if (what == TRACE_HANDED_PROGRAM)
		return open_handed_to_read(r->program);
	path = g_build_filename(of_run ? place->folder : r->folder->path, names[what], NULL);
	if (what == TRACE_HANDED_PLAN)
		return open(path, O_RDWR | O_CLOEXEC);
	return of_run ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
		      : open_handed_to_read(path);
}

struct handed handed_choose(const struct replay *r, uint32_t flags)
{
	const uint16_t most = flags & TRACE_NATIVE   ? TRACE_HANDED_TRACE
			      : flags & TRACE_RECORD ? TRACE_MOST_HANDED
						     : TRACE_HANDED_TAIL;
	struct handed h = { .at = find_handed_place(r) };

	h.n = h.at ? most : 0;
	return h;
}

/* The environment stays as long as it is, since the stack lies below it. */
static void tell_place(const struct handed *h, char **environment)
{
	static const char name[] = TRACE_PLAN_ENV "=";
	char digits[TRACE_PLAN_DIGITS + 1];

	g_snprintf(digits, sizeof digits, "%0*u", TRACE_PLAN_DIGITS, (unsigned)h->at);
	for (char **e = environment; *e; e++)
		if (g_str_has_prefix(*e, name))
			memcpy(*e + strlen(name), digits, TRACE_PLAN_DIGITS);
}

bool handed_open(struct handed *h, const struct replay *r, const struct run_place *place,
		 GError **error)
{
	for (; h->n_open < h->n; h->n_open++) {
		h->fd[h->n_open] = open_one(r, place, h->n_open);
		if (h->fd[h->n_open] >= 0)
			continue;
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot open the recorder's files in %s: %s.", place->folder,
			    g_strerror(errno));
		return false;
	}
	tell_place(h, place->envp);
	return true;
}

void handed_close(struct handed *h)
{
	while (h->n_open)
		close(h->fd[--h->n_open]);
	*h = (struct handed){ 0 };
}
