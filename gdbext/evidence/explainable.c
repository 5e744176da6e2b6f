/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/explainable.h"

#include "gdbext/evidence/mutation/neighbours.h"
#include "gdbext/question/ending.h"
#include "solver/rank/units.h"

/* Did it not end, run without a shell? */
static bool is_endless_test(const struct suite_result *r, unsigned i)
{
	const struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, i);

	return o->direct && o->verdict == SUITE_FAILED_LATE;
}

bool explainable_test(const struct options *options, const struct suite_result *r, unsigned i)
{
	const struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, i);

	if (!o->direct)
		return false;
	if (is_endless_test(r, i))
		return true;
	if (o->verdict == SUITE_FAILED_CRASH)
		return o->end.kind == SUITE_SIGNALLED && ending_is_crash(o->end.number);
	if (o->verdict == SUITE_FAILED_OUTPUT)
		return options->golden || options->expected;
	return o->verdict == SUITE_FAILED_STATUS && !options->expected;
}

/* Notes the lines of the i-th test.  False: an earlier test executed the same ones. */
static bool executes_new_lines(const struct suite_result *r, unsigned i, GHashTable *known)
{
	unsigned row = g_array_index(r->outcomes, struct suite_outcome, i).row;
	size_t n = profile_plan_units(r->plan)->lines->len;

	return row == UNIT_NONE ||
	       g_hash_table_add(known, g_bytes_new_take(neighbours_lines(r, row), n));
}

GArray *explainable_tests(const struct options *options, const struct suite_result *r)
{
	GArray *tests = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (unsigned endless = 0; endless < 2; endless++) {
		g_autoptr(GHashTable) known = g_hash_table_new_full(
			g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
		g_autoptr(GArray) same = g_array_new(FALSE, FALSE, sizeof(unsigned));

		for (unsigned i = 0; i < r->outcomes->len; i++)
			if (explainable_test(options, r, i) && is_endless_test(r, i) == endless)
				g_array_append_val(executes_new_lines(r, i, known) ? tests : same,
						   i);
		g_array_append_vals(tests, same->data, same->len);
	}
	return tests;
}
