/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page and the graph: well-formed whatever is in the answer, and complete. */
#include "tests/support/explain.h"
#include "tui/report/dot.h"
#include "tui/report/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const struct tui_options plain = { .directory = "/home/u/src", .width = 80 };

struct seen {
	GHashTable *ids;
	GPtrArray *links;
	unsigned drawings, rows;
};

static void on_start(GMarkupParseContext *context, const char *element, const char **names,
		     const char **values, gpointer data, GError **error)
{
	struct seen *seen = data;

	(void)error;
	assert_string_not_equal(element, "script");
	assert_string_not_equal(element, "link");
	/* browsers draw no tips of arrows that are defined elsewhere */
	if (strcmp(element, "marker") == 0)
		assert_string_equal(g_markup_parse_context_get_element_stack(context)->next->data,
				    "defs");
	seen->drawings += strcmp(element, "svg") == 0;
	seen->rows += strcmp(element, "tr") == 0;
	for (unsigned i = 0; names[i]; i++) {
		if (strcmp(names[i], "id") == 0)
			assert_true(g_hash_table_add(seen->ids, g_strdup(values[i])));
		if (strcmp(names[i], "href") == 0)
			g_ptr_array_add(seen->links, g_strdup(values[i]));
	}
}

/* The page is XML too: GLib reads it.  Each link leads to a place on it. */
static struct seen read_page(const char *page)
{
	static const GMarkupParser parser = { .start_element = on_start };
	struct seen seen = {
		.ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.links = g_ptr_array_new_with_free_func(g_free),
	};
	GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, &seen, NULL);
	const char *html = strstr(page, "<html");
	g_autoptr(GError) error = NULL;

	assert_true(g_str_has_prefix(page, "<!DOCTYPE html>"));
	assert_non_null(html);
	assert_true(g_markup_parse_context_parse(context, html, -1, &error));
	assert_true(g_markup_parse_context_end_parse(context, &error));
	g_markup_parse_context_free(context);
	for (unsigned i = 0; i < seen.links->len; i++) {
		const char *link = seen.links->pdata[i];

		assert_int_equal(link[0], '#');
		assert_true(g_hash_table_contains(seen.ids, link + 1));
	}
	return seen;
}

static void seen_clear(struct seen *seen)
{
	g_hash_table_destroy(seen->ids);
	g_ptr_array_unref(seen->links);
}

static void add_source(struct explanation *e, const char *file, unsigned n)
{
	struct explanation_source *s = explanation_source_add(e, file);

	for (unsigned i = 1; i <= n; i++)
		g_ptr_array_add(s->lines, g_strdup_printf("\tline(%u) & <b>;", i));
}

static void paper(void **state)
{
	struct explanation *e = explain_paper();
	g_autofree char *page = NULL;
	struct seen seen;

	(void)state;
	add_source(e, e->failure.file, 20);
	page = tui_html(stdout, e, &plain);
	seen = read_page(page);
	/* the tip and two drawings; three statements and twenty lines */
	assert_int_equal(seen.drawings, 3);
	assert_int_equal(seen.rows, 23);
	assert_true(g_hash_table_contains(seen.ids, "s2"));
	assert_true(g_hash_table_contains(seen.ids, "f0-13"));
	assert_non_null(strstr(page, "<h1>assertion `b &lt;= a&apos; failed at p.c:13 in P</h1>"));
	assert_non_null(strstr(page, "        line(7) &amp; &lt;b&gt;;"));
	assert_non_null(strstr(page, "replayed: the test passes"));
	assert_non_null(strstr(page,
			       "<p class=\"summary\">Likeliest: <a href=\"#f0-10\">p.c:10</a> "
			       "<code>b = a+1;</code> gave b = 1; with b = 0 the test "
			       "passes.</p>"));
	assert_null(strstr(page, "<details>"));
	seen_clear(&seen);
	explanation_free(e);
}

/* The first three are open; files are named whole only over their source. */
static void others_are_folded(void **state)
{
	struct explanation *e = explain_paper();
	const struct explanation_suspect *first = e->suspects->pdata[0];
	const unsigned own = e->suspects->len;
	g_autofree char *page = NULL;
	const char *open, *fold;

	(void)state;
	for (unsigned i = own; i < 5; i++)
		g_ptr_array_add(e->suspects, (gpointer)first);
	page = tui_html(stdout, e, &plain);
	open = strstr(page, "<li id=");
	fold = strstr(page, "<details><summary>p.c:10 gave b = 1; with b = 0</summary>");
	assert_non_null(fold);
	for (unsigned i = 0; i < 3; i++, open++)
		open = strstr(open, "<li id=");
	assert_true(open < fold && strstr(open, "<li id=") < fold);
	assert_non_null(strstr(fold + 1, "<details>"));
	for (unsigned i = own; i < 5; i++)
		g_ptr_array_steal_index(e->suspects, own);
	explanation_free(e);
}

/* Of a long file only what is near a line that is told of. */
static void excerpts(void **state)
{
	struct explanation *e = explain_paper();
	g_autofree char *page = NULL;
	struct seen seen;

	(void)state;
	add_source(e, e->failure.file, 5000);
	page = tui_html(stdout, e, &plain);
	seen = read_page(page);
	assert_true(g_hash_table_contains(seen.ids, "f0-13"));
	assert_true(g_hash_table_contains(seen.ids, "f0-19"));
	assert_false(g_hash_table_contains(seen.ids, "f0-20"));
	seen_clear(&seen);
	explanation_free(e);
}

/* Without a suspect it tells how it came to the failure, as the text does. */
static void opening(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_link l = { .file = "/home/u/src/p.c", .line = 2, .text = "f(b);" };
	struct explanation_value v = { "b", "BLUE" };
	g_autofree char *page = NULL;
	struct seen seen;

	(void)state;
	e->failure.kind = "assert";
	add_source(e, "/home/u/src/p.c", 3);
	l.values = g_array_new(FALSE, TRUE, sizeof v);
	g_array_append_val(l.values, v);
	g_array_append_val(e->opening, l);
	page = tui_html(stdout, e, &plain);
	seen = read_page(page);
	assert_non_null(strstr(page, "<td>from <a href=\"#f0-2\">p.c:2</a></td><td>f(b);</td>"
				     "<td class=\"values\">b = BLUE</td>"));
	assert_null(strstr(page, "<div class=\"beside\">"));
	seen_clear(&seen);
	explanation_free(e);
}

/* What was executed is told beside what else is, and alone is no reason to show a line. */
static void coverage(void **state)
{
	struct explanation *e = explain_paper();
	struct explanation_coverage c = { 0 };
	g_autofree char *page = NULL;
	struct seen seen;

	(void)state;
	add_source(e, e->failure.file, 5000);
	e->tests.suite = "<suite>";
	for (c.line = 1; c.line <= 5000; c.line++) {
		c.executed = c.line != 12 && c.line != 14;
		c.passed = c.line == 14 ? 3 : 0;
		g_array_append_val(explanation_source(e, e->failure.file)->coverage, c);
	}
	page = tui_html(stdout, e, &plain);
	seen = read_page(page);
	assert_false(g_hash_table_contains(seen.ids, "f0-20"));
	assert_non_null(strstr(page, "<tr id=\"f0-14\" class=\"not\">"));
	assert_non_null(strstr(page, "<tr id=\"f0-12\" class=\"suspect\">"));
	assert_non_null(strstr(page, "<td class=\"tests\">3/0</td>"));
	assert_non_null(strstr(page, "<span class=\"values\">b = 1 -&gt; 0</span></td></tr>"));
	seen_clear(&seen);
	explanation_free(e);
}

static void whatever_there_is(void **state)
{
	struct explanation *all[] = { explain_odd(), explain_nothing(), explain_long_chain(200) };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *page = tui_html(stdout, all[i], &plain);
		struct seen seen = read_page(page);

		seen_clear(&seen);
		explanation_free(all[i]);
	}
}

static void graph(void **state)
{
	struct explanation *e = explain_paper();
	g_autofree char *dot = tui_dot(stdout, e, &plain);

	(void)state;
	assert_non_null(strstr(dot, "n0 [label=\"1   p.c:10\\lb = a+1;\\lb = 1 -> 0\\l\""));
	assert_non_null(strstr(dot, "n0 -> n2;"));
	assert_true(g_str_has_suffix(dot, "}\n"));
	explanation_free(e);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper),
		cmocka_unit_test(excerpts),
		cmocka_unit_test(others_are_folded),
		cmocka_unit_test(opening),
		cmocka_unit_test(coverage),
		cmocka_unit_test(whatever_there_is),
		cmocka_unit_test(graph),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
