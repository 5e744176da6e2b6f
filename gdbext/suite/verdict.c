/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/verdict.h"

#include <signal.h>
#include <string.h>

bool suite_crashed(const struct suite_end *end, bool direct)
{
	if (end->kind == SUITE_SIGNALLED)
		return true;
	return end->kind == SUITE_EXITED && !direct && end->number > 128 &&
	       end->number < 128 + NSIG;
}

bool suite_is_reference(const struct suite_end *golden, bool direct)
{
	return golden->kind == SUITE_EXITED && !suite_crashed(golden, direct);
}

static bool wrote_the_same(const struct suite_end *a, const struct suite_end *b)
{
	return a->length == b->length && memcmp(a->digest, b->digest, SUITE_DIGEST) == 0;
}

enum suite_verdict suite_judge(const struct suite_end *end, bool direct, enum suite_rule rule,
			       const struct suite_end *reference)
{
	if (end->kind == SUITE_TIMED_OUT)
		return SUITE_FAILED_LATE;
	if (suite_crashed(end, direct))
		return SUITE_FAILED_CRASH;
	if (rule == SUITE_BY_STATUS && end->number)
		return SUITE_FAILED_STATUS;
	if (rule == SUITE_BY_GOLDEN && end->number != reference->number)
		return SUITE_FAILED_STATUS;
	if (rule != SUITE_BY_STATUS && !wrote_the_same(end, reference))
		return SUITE_FAILED_OUTPUT;
	return SUITE_PASSED;
}
