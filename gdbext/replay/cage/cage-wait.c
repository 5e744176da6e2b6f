/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage-wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <time.h>

#define LONGEST_US 20000 /* for no reason */
#define NEVER INT64_MAX

static bool read_memory_of_thread(pid_t thread, uint64_t address, void *to, size_t n)
{
	struct iovec ours = { to, n }, theirs = { (void *)(uintptr_t)address, n };

	return process_vm_readv(thread, &ours, 1, &theirs, 1, 0) == (ssize_t)n;
}

static gint64 microseconds_of(const struct timespec *t)
{
	return t->tv_sec > NEVER / 4 / G_USEC_PER_SEC
		       ? NEVER / 4
		       : t->tv_sec * G_USEC_PER_SEC + (t->tv_nsec + 999) / 1000;
}

/* When time is up; its address is 0 = never.  0, else minus the error. */
static int read_end(pid_t thread, uint64_t address, bool absolute, bool of_day, gint64 *until)
{
	struct timespec t;

	*until = NEVER;
	if (!address)
		return 0;
	if (!read_memory_of_thread(thread, address, &t, sizeof t))
		return -EFAULT;
	if (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec >= 1000000000)
		return -EINVAL;
	*until = g_get_monotonic_time() + microseconds_of(&t);
	if (absolute)
		*until -= of_day ? g_get_real_time() : g_get_monotonic_time();
	return 0;
}

int cage_wait_begin(const struct seccomp_notif *request, struct cage_wait *wait)
{
	const __u64 *args = request->data.args;
	const bool by_bits = ((int)args[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	const pid_t thread = (pid_t)request->pid;
	uint32_t now;
	int bad;

	*wait = (struct cage_wait){ .id = request->id,
				    .thread = thread,
				    .address = args[0],
				    .value = (uint32_t)args[2],
				    .end = g_get_monotonic_time() + LONGEST_US };
	if (args[0] % sizeof now || (by_bits && !(uint32_t)args[5]))
		return -EINVAL;
	bad = read_end(thread, args[3], by_bits, (int)args[1] & FUTEX_CLOCK_REALTIME, &wait->until);
	if (bad)
		return bad;
	if (!read_memory_of_thread(thread, args[0], &now, sizeof now))
		return -EFAULT;
	return now == wait->value ? 0 : -EAGAIN;
}

gboolean cage_wait_is_over(const struct cage_wait *wait, int *result)
{
	gint64 time = g_get_monotonic_time();
	uint32_t now;

	*result = 0;
	if (!read_memory_of_thread(wait->thread, wait->address, &now, sizeof now) ||
	    now != wait->value)
		return true;
	if (time >= wait->until)
		*result = -ETIMEDOUT;
	return time >= MIN(wait->end, wait->until);
}
