/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an explanation owns, and what was found before when it is put aside for another search. */
#include "solver/explanation.h"

#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static unsigned line_of(const struct explanation *e, guint i)
{
	const struct explanation_suspect *s = e->suspects->pdata[i];

	return g_array_index(s->statements, struct explanation_statement, 0).line;
}

static void add(struct explanation *e, unsigned line)
{
	struct explanation_suspect *s = explain_add_suspect(e, REPLAY_PASSES);

	explain_add_statement(s, (struct explanation_statement){ .file = "/p.c", .line = line });
}

static void what_was_found_is_taken_back(void **state)
{
	struct explanation *e = explain_paper();
	struct explanation_found before;
	unsigned line = line_of(e, 0);
	guint suspects = e->suspects->len, links = e->chain->len;

	(void)state;
	e->failure.line = 30;
	before = explanation_put_aside(e);
	assert_int_equal(e->suspects->len, 0);
	assert_int_equal(e->chain->len, 0);
	assert_int_equal(e->failure.line, 0);
	assert_int_equal(e->failure.values->len, 0);
	assert_int_equal(before.suspects->len, suspects);
	add(e, 7); /* the other search finds something, which goes */
	explanation_take_back(e, &before);
	assert_int_equal(e->suspects->len, suspects);
	assert_int_equal(e->chain->len, links);
	assert_int_equal(e->failure.line, 30);
	assert_int_equal(line_of(e, 0), line);
	explanation_free(e);
}

static void what_was_found_later_stands(void **state)
{
	struct explanation *e = explain_paper();
	struct explanation_found before = explanation_put_aside(e);

	(void)state;
	add(e, 7);
	explanation_found_clear(&before);
	assert_int_equal(e->suspects->len, 1);
	assert_int_equal(line_of(e, 0), 7);
	explanation_free(e);
}

static void strings_and_sources_are_its_own(void **state)
{
	struct explanation *e = explanation_new();
	char word[] = "word";
	const char *kept = explanation_string(e, word);
	struct explanation_source *source = explanation_source_add(e, "/p.c");

	(void)state;
	word[0] = 'l';
	assert_string_equal(kept, "word");
	assert_ptr_equal(explanation_string(e, "word"), kept); /* once */
	assert_null(explanation_string(e, NULL));
	assert_ptr_equal(explanation_source(e, "/p.c"), source);
	assert_null(explanation_source(e, "/q.c"));
	assert_null(explanation_source(e, NULL));
	explanation_free(e);
	explanation_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_is_taken_back),
		cmocka_unit_test(what_was_found_later_stands),
		cmocka_unit_test(strings_and_sources_are_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
