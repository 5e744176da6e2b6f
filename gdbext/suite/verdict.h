/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes a test pass. */
#ifndef GDBEXT_SUITE_VERDICT_H
#define GDBEXT_SUITE_VERDICT_H

#include "gdbext/suite/process.h"

enum suite_rule {
	SUITE_BY_STATUS,   /* it exits with status 0 */
	SUITE_BY_GOLDEN,   /* it writes and exits as another program does */
	SUITE_BY_EXPECTED, /* it writes what a file holds, whatever its status */
};

enum suite_verdict {
	SUITE_PASSED,
	SUITE_FAILED_STATUS,
	SUITE_FAILED_OUTPUT,
	SUITE_FAILED_CRASH, /* killed by a signal, under each rule */
	SUITE_FAILED_LATE,  /* not ended in time, likewise */
	SUITE_UNKNOWN,	    /* it was not run, or tells nothing */
};

/* Whether it was killed by a signal; a shell (not direct) tells that of what it
 * ran by a status above 128. */
bool suite_crashed(const struct suite_end *end, bool direct);

/* Whether what the golden program did can be compared with. */
bool suite_is_reference(const struct suite_end *golden, bool direct);

/* reference: what the golden program did, or the expected length and digest;
 * NULL for SUITE_BY_STATUS. */
enum suite_verdict suite_judge(const struct suite_end *end, bool direct, enum suite_rule rule,
			       const struct suite_end *reference);

static inline bool suite_is_failure(enum suite_verdict v)
{
	return v != SUITE_PASSED && v != SUITE_UNKNOWN;
}

#endif
