/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/deadline.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - deadline - error, deadline_error)

struct deadline deadline_in(double seconds, const volatile sig_atomic_t *signal)
{
	/* some thousand years are never */
	gint64 us = (gint64)(CLAMP(seconds, 0, 1e12) * 1e6);

	return (struct deadline){ g_get_monotonic_time() + us, seconds, signal };
}

static bool is_ended_by_signal(const struct deadline *d)
{
	return d->signal && *d->signal;
}

bool deadline_is_over(const struct deadline *d)
{
	return d && (is_ended_by_signal(d) || g_get_monotonic_time() >= d->end);
}

bool deadline_check(const struct deadline *d, GError **error)
{
	if (!deadline_is_over(d))
		return true;
	if (is_ended_by_signal(d))
		g_set_error(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL, "Interrupted by SIG%s.",
			    sigabbrev_np(*d->signal));
	else
		g_set_error(error, DEADLINE_ERROR, DEADLINE_ERROR_TIME,
			    "There was no answer within %g second%s; give it more with --timeout.",
			    d->seconds, d->seconds == 1 ? "" : "s");
	return false;
}

int deadline_left_ms(const struct deadline *d, int most)
{
	gint64 left;

	if (!d)
		return most;
	if (is_ended_by_signal(d))
		return 0;
	left = (d->end - g_get_monotonic_time() + 999) / 1000;
	return (int)CLAMP(left, 0, most);
}
