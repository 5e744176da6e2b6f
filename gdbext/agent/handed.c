/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

void handed_begin(const struct trace_plan *plan)
{
	agent.handed_at = plan->handed;
	agent.handed = plan->n_handed <= TRACE_MOST_HANDED ? (1u << plan->n_handed) - 1 : 0;
}

int handed_take(enum trace_handed what)
{
	uint32_t bit = 1u << what;

	if (!(agent.handed & bit))
		return -1;
	agent.handed &= ~bit;
	return agent.handed_at + (int)what;
}

void handed_end(void)
{
	for (enum trace_handed what = 0; what < TRACE_MOST_HANDED; what++) {
		int fd = handed_take(what);

		if (fd >= 0)
			sys_close(fd);
	}
}
