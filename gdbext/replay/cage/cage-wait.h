/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits by futex(2) that others could notice.  The place where a thread waits is known to the
 * kernel by the file that is mapped there, so who waits in a file that others map, even to read
 * it, may be woken in their stead.  So no thread of a caged run waits in the kernel but at a place
 * of its own process (FUTEX_PRIVATE_FLAG): for others the guard looks at the place until it holds
 * another value, or time is up.  That a wait ends for no reason everybody has to expect (futex(2)),
 * so each ends after a while, which also lets the thread take its signals.
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_WAIT_H
#define GDBEXT_REPLAY_CAGE_CAGE_WAIT_H

#include <glib.h>
#include <stdint.h>
#include <sys/types.h>

struct seccomp_notif;

struct cage_wait {
	uint64_t id; /* of the question */
	pid_t thread;
	uint64_t address;
	uint32_t value;	   /* while this is there it waits */
	gint64 end, until; /* monotonic microseconds: for no reason; when time is up, INT64_MAX =
			      never */
};

/* FUTEX_WAIT or FUTEX_WAIT_BITSET as a thread of the run asks for it.  0 = it waits, see *wait;
 * else minus the error that the call has. */
int cage_wait_begin(const struct seccomp_notif *request, struct cage_wait *wait);
/* Is it over?  Then *result is what the call returns: a value, or minus the error. */
gboolean cage_wait_is_over(const struct cage_wait *wait, int *result);

#endif
