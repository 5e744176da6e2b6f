/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One answer in every format: what each has to hold, that what a program's text holds does no
 * harm in it, and that an output that takes no more is noticed. */
#include "tests/support/canned.h"

#include "solver/answer/describe.h"
#include "solver/answer/regions.h"
#include "solver/search/search.h"
#include "tui/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* The sample's answer, from files, which have to outlive it. */
static struct explanation *answer(struct canned *c)
{
	const struct search_options o = {
		.walk = { .granularity = WALK_BY_ROW, .unroll = 8, .requirement = c->requirement },
		.thread = c->failing.thread,
		.hijack = true
	};
	struct explanation *e = explanation_new();
	struct trace_point *m =
		trace_point_new(c->images, c->n_images, c->failing.record, c->failing.thread,
				c->failing.line, NULL, NULL, NULL);
	struct describer *d = describer_new(e, m);
	struct search *s =
		search_new(c->images, c->n_images, c->failing.record, &c->runner, &o, NULL);
	const struct search_answer *a;
	char zero[] = "0", *argv[] = { zero, zero, NULL };

	assert_non_null(s);
	requirement_describe(c->requirement, m, e);
	e->program = explanation_string(e, "/p/paper");
	e->argv = g_strdupv(argv);
	while ((a = search_next(s, NULL)))
		describe_answer(d, s, a);
	e->complete = search_complete(s);
	search_stats(s, &e->stats);
	describe_values(d, s, NULL);
	describe_finish(e, c->images, c->n_images);
	trace_point_coverage(m, e);
	assert_true(regions_describe(e, c->images, c->n_images, c->failing.record,
				     c->failing.thread, NULL, NULL, NULL));
	describer_free(d);
	search_free(s);
	trace_point_free(m);
	return e;
}

static char *printed(const struct tui_options *o)
{
	struct canned *c = canned_open("tests/data/runs/paper");
	struct explanation *e = answer(c);
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print(out, e, o));
	fclose(out);
	explanation_free(e);
	canned_free(c);
	return text;
}

static void holds(const struct tui_options *o, const char *const *words)
{
	char *text = printed(o);

	for (; *words; words++)
		if (!strstr(text, *words))
			fail_msg("no `%s' in: %s", *words, text);
	free(text);
}

static void text_has_suspects_and_the_way(void **state)
{
	const char *const words[] = { "2 explanations, each proven",
				      "paper.c:27",
				      "b = a + 1;",
				      "paper.c:26",
				      "gave b = 1",
				      NULL };
	const struct tui_options plain = { .color = TUI_COLOR_NEVER,
					   .width = 80,
					   .directory = "/tmp/canned" };
	const struct tui_options stats = { .color = TUI_COLOR_ALWAYS, .stats = true, .width = 60 };

	(void)state;
	holds(&plain, words);
	holds(&stats, (const char *const[]){ "\033[", "27", NULL });
}

static void json_is_one_line_where_asked(void **state)
{
	const struct tui_options o = { .format = TUI_JSON, .one_line = true };
	char *text = printed(&o);

	(void)state;
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	free(text);
}

static void html_is_a_page(void **state)
{
	const struct tui_options o = { .format = TUI_HTML };

	(void)state;
	holds(&o, (const char *const[]){ "<!DOCTYPE html>", "</html>", "b = a + 1;", "y &lt; 5",
					 NULL });
}

static void graphs_are_drawn(void **state)
{
	const struct tui_options chain = { .format = TUI_DOT };
	const struct tui_options regions = { .format = TUI_DOT, .graph = TUI_REGIONS };

	(void)state;
	holds(&chain, (const char *const[]){ "digraph", "->", "27", "}", NULL });
	holds(&regions, (const char *const[]){ "digraph", "main", "y < 5", NULL });
}

static void a_full_output_is_noticed(void **state)
{
	struct canned *c = canned_open("tests/data/runs/paper");
	struct explanation *e = answer(c);

	(void)state;
	for (int f = TUI_TEXT; f <= TUI_DOT; f++) {
		const struct tui_options o = { .format = (enum tui_format)f, .width = 80 };
		FILE *out = fopen("/dev/full", "w");

		assert_non_null(out);
		assert_false(tui_print(out, e, &o));
		fclose(out);
	}
	explanation_free(e);
	canned_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_suspects_and_the_way),
		cmocka_unit_test(json_is_one_line_where_asked),
		cmocka_unit_test(html_is_a_page),
		cmocka_unit_test(graphs_are_drawn),
		cmocka_unit_test(a_full_output_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
