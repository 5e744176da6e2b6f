/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of a recorded run, in the user's words: branches turned and variables set, and what
 * cannot be changed. */
#include "tests/support/canned.h"

#include "solver/change/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct change_of run_of(const struct canned *c)
{
	return (struct change_of){ c->images,	      c->n_images, c->failing.record,
				   c->failing.thread, NULL,	   NULL };
}

static struct stop stop_at(const struct canned *c, unsigned line)
{
	struct stop stop = { 0 };

	assert_true(stop_find_line(c->images, c->n_images, "paper.c", line, &stop, NULL));
	stop.count = 1;
	return stop;
}

static void flips(unsigned line, uint64_t nth, const char *says)
{
	struct canned *c = canned_open("tests/data/runs/paper");
	const struct change_of run = run_of(c);
	struct stop stop = stop_at(c, line);
	struct change change = { 0 };
	GError *error = NULL;
	bool ok = change_flip(&run, &stop, nth, &change, &error);

	if (ok) {
		assert_true(change.actions->len >= 1);
		assert_int_equal(change.line, line);
		assert_string_equal(change.text, says);
	} else {
		assert_true(g_error_matches(error, CHANGE_ERROR, CHANGE_ERROR_NONE));
		if (!strstr(error->message, says))
			fail_msg("no `%s' in: %s", says, error->message);
		g_clear_error(&error);
	}
	change_clear(&change);
	stop_clear(&stop);
	canned_free(c);
}

static void branches_are_turned(void **state)
{
	(void)state;
	flips(26, CHANGE_LAST, "`y < 5' goes false instead of true");
	flips(26, 1, "`y < 5' goes false instead of true");
	flips(22, CHANGE_LAST, "`x >= 0' goes false instead of true");
}

static void what_is_no_branch_is_not(void **state)
{
	(void)state;
	flips(27, CHANGE_LAST, "no branch of paper.c:27");
	flips(26, 2, "1 time");
}

static void sets(unsigned line, bool after, const char *assignment, const char *says)
{
	struct canned *c = canned_open("tests/data/runs/paper");
	const struct change_of run = run_of(c);
	struct stop stop = stop_at(c, line);
	struct change change = { 0 };
	GError *error = NULL;
	bool ok = change_set(&run, &stop, after, assignment, &change, &error);

	assert_int_equal(ok, says == NULL);
	if (ok) {
		assert_true(change.actions->len >= 1);
		assert_non_null(strstr(change.text, assignment));
	} else if (!strstr(error->message, says)) {
		fail_msg("no `%s' in: %s", says, error->message);
	}
	g_clear_error(&error);
	change_clear(&change);
	stop_clear(&stop);
	canned_free(c);
}

static void variables_are_set(void **state)
{
	(void)state;
	sets(30, false, "b = 0", NULL);
	sets(27, true, "b = -7", NULL);
	sets(30, false, "a = 5", NULL);
}

static void what_is_no_variable_is_not(void **state)
{
	(void)state;
	sets(30, false, "nothing = 0", "nothing");
	sets(30, false, "b == 0", "LVALUE = VALUE");
	sets(30, false, "3 = 4", "3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_are_turned),
		cmocka_unit_test(what_is_no_branch_is_not),
		cmocka_unit_test(variables_are_set),
		cmocka_unit_test(what_is_no_variable_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
