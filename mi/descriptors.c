/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/descriptors.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <unistd.h>

/* Descriptors are smaller than the limit on them, unless it was lowered meanwhile. */
static unsigned end_of_descriptors(void)
{
	enum { NO_LIMIT = 1 << 20 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max > NO_LIMIT)
		return NO_LIMIT;
	return (unsigned)limit.rlim_max;
}

void descriptors_close(unsigned first, unsigned last)
{
	unsigned end;

	if (!close_range(first, last, 0))
		return;
	end = end_of_descriptors();
	for (unsigned fd = first; fd <= last && fd < end; fd++)
		close((int)fd);
}

void descriptors_close_on_exec(unsigned first, unsigned last)
{
	unsigned end;

	if (!close_range(first, last, CLOSE_RANGE_CLOEXEC))
		return;
	end = end_of_descriptors();
	for (unsigned fd = first; fd <= last && fd < end; fd++)
		fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}
