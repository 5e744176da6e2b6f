/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/deadline.h"

#include <string.h>
#include <time.h>

G_DEFINE_QUARK(gdb - why - deadline - error, deadline_error)

struct deadline deadline_in(double seconds, const volatile sig_atomic_t *signal)
{
	/* some thousand years are never */
	gint64 us = (gint64)(CLAMP(seconds, 0, 1e12) * 1e6);

	return (struct deadline){ .end = g_get_monotonic_time() + us,
				  .seconds = seconds,
				  .signal = signal };
}

static gint64 busy_us(void)
{
	struct timespec t;

	return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) ? 0
							   : t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void deadline_limit_busy(struct deadline *d, double seconds)
{
	gint64 us = (gint64)(CLAMP(seconds, 0, 1e12) * 1e6);

	d->busy_from = g_get_monotonic_time() + us;
	d->busy_end = busy_us() + us;
}

/* No process is busier than the clock goes, so its time need not be asked for before that. */
static bool was_busy(const struct deadline *d, gint64 now)
{
	return d->busy_end && now >= d->busy_from && busy_us() >= d->busy_end;
}

static bool is_ended_by_signal(const struct deadline *d)
{
	return d->signal && *d->signal;
}

bool deadline_is_over(const struct deadline *d)
{
	gint64 now;

	if (!d || is_ended_by_signal(d))
		return d != NULL;
	now = g_get_monotonic_time();
	return now >= d->end || was_busy(d, now);
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
