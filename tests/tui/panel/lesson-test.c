/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a lesson: the task, hints and answers by key; slides of the way. */
#include "tests/support/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const struct panel_lesson lesson = {
	.title = "Off by one",
	.goal = "You can say which round of a loop is its last.",
	.progress = "0 of 3 hints, not answered",
	.task = "# Off by one\n\nThe program adds up\nsome numbers.\n\n    make test\n",
	.price = "5 points",
	.final = "Which of two changes is the better one?",
};

static bool shows(struct panel *p, const char *text)
{
	g_autofree char *got = screen_of(p, 110, 30);

	return strstr(got, text);
}

static void task(void **state)
{
	struct screen_fixture f = screen_paper(false);

	(void)state;
	panel_serve(f.p, ~0u);
	panel_set_lesson(f.p, &lesson, false);
	screen_check(f.p, 110, 24, "task");
	/* Tab comes to the task, and without a lesson it does not */
	screen_type(f.p, "\t\t\t");
	screen_check(f.p, 60, 16, "task-narrow");
	panel_set_lesson(f.p, NULL, false);
	assert_false(shows(f.p, "Off by one"));
	screen_type(f.p, "\t\t\t\t");
	assert_false(shows(f.p, "task"));
	screen_end(&f);
}

/* A new hint stands at the end, and is seen. */
static void end_is_shown(void **state)
{
	struct screen_fixture f = screen_paper(true);
	struct panel_lesson l = lesson;
	g_autoptr(GString) text = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 60; i++)
		g_string_append_printf(text, "    row %d\n", i);
	l.task = text->str;
	panel_set_lesson(f.p, &l, false);
	assert_true(shows(f.p, "row 3"));
	assert_false(shows(f.p, "row 59"));
	panel_set_lesson(f.p, &l, true);
	assert_true(shows(f.p, "row 59"));
	screen_end(&f);
}

static void requests(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct panel_lesson l = lesson;
	struct panel_request r;

	(void)state;
	panel_serve(f.p, ~0u);
	for (const char *key = "Hac"; *key; key++) {
		assert_int_equal(panel_key(f.p, *key).action, PANEL_NOTHING);
		assert_true(shows(f.p, "this is no lesson"));
	}
	panel_set_lesson(f.p, &lesson, false);
	panel_key(f.p, 'H');
	assert_true(shows(f.p, "a hint costs 5 points"));
	assert_int_equal(panel_key(f.p, PANEL_ESCAPE).action, PANEL_NOTHING);
	panel_key(f.p, 'H');
	assert_int_equal(panel_key(f.p, PANEL_ENTER).action, PANEL_HINT);
	l.price = NULL;
	panel_set_lesson(f.p, &l, false);
	assert_int_equal(panel_key(f.p, 'H').action, PANEL_NOTHING);
	assert_true(shows(f.p, "there is no other hint"));

	panel_key(f.p, 'a');
	assert_true(shows(f.p, "the fault is in line 10, because: _"));
	screen_type(f.p, "one too many");
	r = panel_key(f.p, PANEL_ENTER);
	assert_int_equal(r.action, PANEL_ANSWER);
	assert_int_equal(r.line, 10);
	assert_string_equal(r.text, "one too many");
	assert_int_equal(panel_key(f.p, 'c').action, PANEL_CHECK);
	screen_end(&f);
}

static void expected(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct panel_request r;

	(void)state;
	panel_serve(f.p, ~0u);
	panel_set_lesson(f.p, &lesson, false);
	panel_ask_expected(f.p);
	panel_key(f.p, PANEL_DOWN); /* reads on meanwhile */
	panel_key(f.p, PANEL_BACKSPACE);
	screen_type(f.p, "10 b");
	assert_true(shows(f.p, "which value there? 10 b_"));
	r = panel_key(f.p, PANEL_ENTER);
	assert_int_equal(r.action, PANEL_EXPECT);
	assert_string_equal(r.text, "10 b");
	panel_ask_expected(f.p);
	screen_type(f.p, "10 b");
	r = panel_key(f.p, PANEL_ESCAPE);
	assert_int_equal(r.action, PANEL_EXPECT);
	assert_string_equal(r.text, "");
	screen_end(&f);
}

static void slides(void **state)
{
	struct screen_fixture f = screen_paper(false);

	(void)state;
	panel_set_lesson(f.p, &lesson, false);
	panel_key(f.p, 'p');
	screen_check(f.p, 80, 24, "slide-goal");
	panel_key(f.p, ' ');
	screen_check(f.p, 80, 24, "slide-failure");
	panel_key(f.p, PANEL_RIGHT);
	screen_check(f.p, 80, 24, "slide-link");
	panel_key(f.p, PANEL_BACKSPACE);
	assert_true(shows(f.p, "step 2 of"));
	panel_key(f.p, 'G');
	assert_true(shows(f.p, lesson.final));
	panel_key(f.p, ' ');
	panel_key(f.p, 'k');
	screen_check(f.p, 80, 24, "slide-change");
	panel_key(f.p, 'g');
	assert_true(shows(f.p, "step 1 of"));
	assert_int_equal(panel_key(f.p, 'q').action, PANEL_NOTHING);
	assert_true(shows(f.p, "2 explanations"));

	panel_set_lesson(f.p, NULL, false);
	panel_key(f.p, 'p');
	assert_true(shows(f.p, "failed at"));
	screen_end(&f);
}

static void no_slides(void **state)
{
	struct panel *p = panel_new(NULL, true);
	struct explanation *e = explanation_new();

	(void)state;
	panel_set(p, e, NULL);
	panel_key(p, 'p');
	assert_true(shows(p, "nothing to show step by step"));
	panel_free(p);
	explanation_free(e);
}

/* Any keys at any size, with anything to show. */
static void anything(void **state)
{
	struct explanation *all[] = { explain_odd(), explain_nothing(), explain_long_chain(300) };
	static const int keys[] = { 'p',	 ' ',	       'G',	      'k',	 'H', 'a',
				    'c',	 '\t',	       'j',	      'q',	 'x', '\n',
				    PANEL_ENTER, PANEL_ESCAPE, PANEL_BACKTAB, PANEL_DOWN };
	unsigned seed = 11;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct panel *p = panel_new(NULL, i == 1);

		panel_serve(p, ~0u);
		panel_set(p, all[i], NULL);
		for (unsigned k = 0; k < 2000; k++) {
			g_autofree char *drawn = NULL;

			seed = seed * 1103515245 + 12345;
			panel_key(p, keys[(seed >> 16) % G_N_ELEMENTS(keys)]);
			if (k % 50 == 0)
				panel_set_lesson(p, k % 300 ? &lesson : NULL, k % 100);
			if (k % 70 == 0)
				panel_ask_expected(p);
			drawn = screen_of(p, 1 + (seed >> 8 & 127), 1 + (seed >> 20 & 63));
		}
		panel_free(p);
		explanation_free(all[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(task),	    cmocka_unit_test(end_is_shown),
		cmocka_unit_test(requests), cmocka_unit_test(expected),
		cmocka_unit_test(slides),   cmocka_unit_test(no_slides),
		cmocka_unit_test(anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
