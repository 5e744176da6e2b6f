/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/output-watch.h"

enum { FIRST_LOOK_US = 1000, MOST_BETWEEN_US = 20000 };

struct output_watch output_watch_new(const struct expected_output *expected, const char *folder,
				     uint64_t more)
{
	const gint64 now = g_get_monotonic_time();

	return (struct output_watch){
		.expected = expected,
		.folder = folder,
		.more = more,
		.began = now,
		.next = now + FIRST_LOOK_US,
	};
}

gint64 output_watch_look(struct output_watch *w, bool *over)
{
	const gint64 now = g_get_monotonic_time();

	if (!w->expected)
		return -1;
	if (now < w->next)
		return w->next - now;
	if (w->more ? expected_is_exceeded(w->expected, w->folder, w->more)
		    : expected_is_missed(w->expected, w->folder))
		*over = true;
	w->next = now + CLAMP(now - w->began, FIRST_LOOK_US, MOST_BETWEEN_US);
	return w->next - now;
}
