/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/explain.h"
#include "tui/report/hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* What to try next depends on why there is no more. */
static void the_hint_is_about_what_is_missing(void **state)
{
	const struct tui_options o = { 0 };
	struct explanation *e = explain_nothing();
	struct explanation_suspect *s;
	g_autofree char *cut = NULL, *whole = NULL, *output = NULL, *further = NULL;
	g_autofree char *failed = NULL, *at_prompt = NULL;
	g_autofree char *branches = NULL, *waits = NULL;

	(void)state;
	e->complete = false;
	cut = tui_hint(e, 0, NULL, &o);
	assert_true(g_str_has_prefix(cut, "a longer --timeout, more --max-runs"));
	e->complete = true;
	whole = tui_hint(e, 0, NULL, &o);
	assert_true(g_str_has_prefix(whole, "--granularity instance changes one"));
	e->failure.kind = "output";
	output = tui_hint(e, 0, NULL, &o);
	assert_true(g_str_has_prefix(output, "gdb-why ask 'why output' says"));
	at_prompt = tui_hint(e, 0, NULL, &(struct tui_options){ .go_to = "goto 1" });
	assert_true(g_str_has_prefix(at_prompt, "`why output' says"));
	s = explain_add_suspect(e, REPLAY_FAILS);
	failed = tui_hint(e, 1, NULL, &o);
	assert_true(g_str_has_prefix(failed, "--thorough looks longer for changes"));
	s->further_from = 1;
	s->further_to = 2;
	further = tui_hint(e, 1, NULL, &o);
	assert_true(g_str_has_prefix(further, "--thorough looks longer for one change"));
	s = explain_add_suspect(e, REPLAY_NOT_RUN);
	waits = tui_hint(e, 2, NULL, &o);
	assert_true(g_str_has_prefix(waits, "a longer --timeout leaves time for the replays"));
	s->needs_run = true;
	branches = tui_hint(e, 2, NULL, &o);
	assert_true(g_str_has_prefix(branches, "more --max-runs and a longer --timeout"));
	explanation_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hint_is_about_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
