/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/explainable.h"

#include "gdbext/question/ending.h"

bool explainable_is_endless(const struct suite_result *r, unsigned i)
{
	const struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, i);

	return o->direct && o->verdict == SUITE_FAILED_LATE;
}

bool explainable_test(const struct options *options, const struct suite_result *r, unsigned i)
{
	const struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, i);

	if (!o->direct)
		return false;
	if (explainable_is_endless(r, i))
		return true;
	if (o->verdict == SUITE_FAILED_CRASH)
		return o->end.kind == SUITE_SIGNALLED && ending_is_crash(o->end.number);
	if (o->verdict == SUITE_FAILED_OUTPUT)
		return options->golden || options->expected;
	return o->verdict == SUITE_FAILED_STATUS && !options->expected;
}
