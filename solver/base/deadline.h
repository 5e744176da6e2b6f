/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a question has to be over: when its time is up (--timeout), or when the user says so
 * (Ctrl-C, SIGTERM).  One is made for each question and handed down to whatever may take
 * long; everything that loops over a run, waits for a process or asks a solver looks at it
 * often enough to stop within a fraction of a second.
 */
#ifndef BASE_DEADLINE_H
#define BASE_DEADLINE_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>

struct deadline {
	gint64 end;			     /* monotonic time, microseconds */
	double seconds;			     /* that the question has in all */
	const volatile sig_atomic_t *signal; /* not 0 once a signal came; NULL = none is heard */
	gint64 busy_from;		     /* monotonic time; before it .busy_end cannot come */
	gint64 busy_end; /* processor time of this process, microseconds; 0 = it may use any */
};

#define DEADLINE_ERROR deadline_error_quark()
GQuark deadline_error_quark(void);
enum deadline_error {
	DEADLINE_ERROR_TIME,   /* the time is up */
	DEADLINE_ERROR_SIGNAL, /* the user ended it */
};

/* From now on.  signal: see above. */
struct deadline deadline_in(double seconds, const volatile sig_atomic_t *signal);

/* It is over as well once this process has used so much processor time from now on, so that other
 * work on the machine does not decide. */
void deadline_limit_busy(struct deadline *d, double seconds);

/* In all of these NULL is a deadline that never comes. */
bool deadline_is_over(const struct deadline *d);
/* False with error, which says why, when it is over. */
bool deadline_check(const struct deadline *d, GError **error);
/* Milliseconds until then, at most `most'; 0 when it is over. */
int deadline_left_ms(const struct deadline *d, int most);

#endif
