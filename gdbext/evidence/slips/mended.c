/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips/mended.h"

bool mended_where_it_fails(const struct explanation *e, const char *file, unsigned line)
{
	return line == e->failure.line && g_strcmp0(file, e->failure.file) == 0;
}

/* Has it to be another value at each of several executions?  Then it only says what the sum of some
 * others should have been. */
static bool differs_each_time(const struct explanation_suspect *suspect)
{
	const char *first = NULL;

	for (guint i = 0; i < suspect->instances->len; i++) {
		const struct explanation_instance *x =
			&g_array_index(suspect->instances, struct explanation_instance, i);

		if (first && g_strcmp0(first, x->witness) != 0)
			return true;
		first = x->witness;
	}
	return false;
}

/* Has one of several executions to give another value?  Then it is about what that one is given. */
static bool is_one_of_several(const struct explanation_suspect *suspect,
			      const struct explanation_statement *st)
{
	return suspect->instances->len == 1 && st->executions > 1;
}

/* Does the suspect only return what others made?  A change of the code in that line would be told.
 */
static bool mended_only_returns(const struct explanation_suspect *suspect)
{
	const struct explanation_statement *st =
		suspect->statements->len
			? &g_array_index(suspect->statements, struct explanation_statement, 0)
			: NULL;

	return st && g_strcmp0(st->kind, "return") == 0 && !suspect->evidence;
}

/* Should what began as 0 be something else?  Then it may not have been counted, or set.  And where
 * a store goes is seldom what is wrong with it. */
static bool is_unset_or_moved(const struct explanation_statement *st)
{
	return g_strcmp0(st->kind, "store") == 0 ||
	       (g_strcmp0(st->kind, "assignment") == 0 && g_strcmp0(st->actual, "0") == 0);
}

bool mended_says_little(const struct explanation_suspect *suspect)
{
	const struct explanation_statement *st =
		suspect->statements->len
			? &g_array_index(suspect->statements, struct explanation_statement, 0)
			: NULL;

	return st && !suspect->evidence &&
	       (mended_only_returns(suspect) || is_unset_or_moved(st) ||
		differs_each_time(suspect));
}

static bool tells_much(const struct explanation *e, const struct explanation_suspect *suspect)
{
	const struct explanation_statement *st =
		&g_array_index(suspect->statements, struct explanation_statement, 0);

	return !mended_where_it_fails(e, st->file, st->line) &&
	       (suspect->evidence ||
		(g_strcmp0(st->kind, "condition") != 0 && !mended_says_little(suspect) &&
		 !is_one_of_several(suspect, st)));
}

bool mended_by_suspect(const struct explanation *e)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *suspect = e->suspects->pdata[i];

		if (suspect->statements->len && suspect->replay == REPLAY_PASSES &&
		    tells_much(e, suspect))
			return true;
	}
	return false;
}
