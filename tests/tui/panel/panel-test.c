/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel without a terminal: screens, keys, and anything at any size. */
#include "tests/support/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void narrow(void **state)
{
	struct screen_fixture f = screen_paper(false);

	(void)state;
	screen_check(f.p, 60, 16, "narrow");
	panel_key(f.p, '\t');
	screen_check(f.p, 60, 16, "narrow-way");
	panel_key(f.p, '?');
	screen_check(f.p, 60, 16, "narrow-help");
	panel_key(f.p, 'x');
	screen_check(f.p, 60, 16, "narrow-way");
	screen_check(f.p, 30, 5, "too-small");
	screen_end(&f);
}

static void wide(void **state)
{
	struct screen_fixture f = screen_paper(true);

	(void)state;
	panel_output(f.p, "2 <= 1?\n");
	panel_key(f.p, ']');
	screen_check(f.p, 120, 30, "wide");
	screen_end(&f);
}

/* An empty line stands for what is suggested; what is typed takes its place. */
static void why_suggests_a_name(void **state)
{
	struct screen_fixture f = screen_paper(false);

	(void)state;
	panel_serve(f.p, 1u << PANEL_WHY);
	panel_key(f.p, 'w');
	assert_string_equal(panel_key(f.p, PANEL_ENTER).text, "b");
	screen_type(f.p, "wx");
	assert_string_equal(panel_key(f.p, PANEL_ENTER).text, "x");
	screen_type(f.p, "w\t2");
	assert_string_equal(panel_key(f.p, PANEL_ENTER).text, "b2");
	screen_end(&f);
}

/* The selection is one: a suspect's line, a line's suspect, a link's line. */
static void selection(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct panel_request r;

	(void)state;
	panel_serve(f.p, 1u << PANEL_GO_TO);
	r = panel_key(f.p, 's');
	assert_int_equal(r.action, PANEL_GO_TO);
	assert_int_equal(r.line, 10);
	panel_key(f.p, ']');
	assert_int_equal(panel_key(f.p, 's').line, 9);
	panel_key(f.p, '\t'); /* the way */
	panel_key(f.p, 'G');
	assert_int_equal(panel_key(f.p, 's').line, 13);
	panel_key(f.p, PANEL_BACKTAB);
	panel_key(f.p, PANEL_BACKTAB); /* the source */
	panel_key(f.p, 'g');
	screen_type(f.p, "jjjjjjjjj"); /* line 10 is the first suspect's */
	panel_key(f.p, '\t');
	panel_key(f.p, '\t');
	panel_key(f.p, 'g');
	assert_int_equal(panel_key(f.p, 's').line, 10);
	screen_end(&f);
}

static void searching(void **state)
{
	struct screen_fixture f = screen_paper(false);

	(void)state;
	panel_serve(f.p, 1u << PANEL_BREAK);
	panel_key(f.p, PANEL_BACKTAB); /* from the suspects to the source */
	panel_key(f.p, 'g');
	screen_type(f.p, "/b = ");
	panel_key(f.p, PANEL_ENTER);
	assert_int_equal(panel_key(f.p, 'b').line, 7);
	panel_key(f.p, 'n');
	assert_int_equal(panel_key(f.p, 'b').line, 10);
	panel_key(f.p, 'N');
	assert_int_equal(panel_key(f.p, 'b').line, 7);
	screen_type(f.p, "/nowhere");
	panel_key(f.p, PANEL_ENTER);
	screen_check(f.p, 60, 16, "not-found");
	screen_end(&f);
}

static void requests(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct panel_request r;

	(void)state;
	screen_type(f.p, "=");
	screen_type(f.p, "7");
	r = panel_key(f.p, PANEL_ENTER);
	assert_int_equal(r.action, PANEL_NOTHING); /* nobody serves it */
	screen_check(f.p, 60, 16, "not-served");
	panel_serve(f.p, 1u << PANEL_WHAT_IF | 1u << PANEL_FLIP);
	screen_type(f.p, "=x");
	panel_key(f.p, PANEL_BACKSPACE);
	screen_type(f.p, "7");
	r = panel_key(f.p, PANEL_ENTER);
	assert_int_equal(r.action, PANEL_WHAT_IF);
	assert_string_equal(r.text, "b = 7");
	assert_int_equal(r.line, 10);
	screen_type(f.p, "=");
	assert_int_equal(panel_key(f.p, PANEL_ESCAPE).action, PANEL_NOTHING);
	assert_int_equal(panel_key(f.p, 'f').action, PANEL_FLIP);
	assert_int_equal(panel_key(f.p, 'q').action, PANEL_QUIT);
	screen_end(&f);
}

/* Enter on a line that the test printed asks for its call. */
static void printed_lines(void **state)
{
	struct screen_fixture f = screen_paper(true);

	(void)state;
	panel_serve(f.p, 1u << PANEL_WHY | 1u << PANEL_GO_TO);
	panel_output(f.p, "> the test's standard output");
	panel_test_output(f.p, "one\ntwo\n");
	panel_output(f.p, "> the test's standard error was empty");
	panel_key(f.p, '\t');
	panel_key(f.p, '\t');
	panel_key(f.p, PANEL_END);
	assert_int_equal(panel_key(f.p, PANEL_ENTER).action, PANEL_NOTHING);
	panel_key(f.p, PANEL_UP);
	assert_string_equal(panel_key(f.p, PANEL_ENTER).text, "output 2");
	panel_key(f.p, PANEL_UP);
	assert_string_equal(panel_key(f.p, PANEL_ENTER).text, "output 1");
	panel_key(f.p, PANEL_UP);
	assert_int_equal(panel_key(f.p, PANEL_ENTER).action, PANEL_NOTHING);
	panel_show_line(f.p, "p.c", 4);
	assert_int_equal(panel_key(f.p, 's').line, 4);
	panel_show_line(f.p, "none.c", 2);
	assert_int_equal(panel_key(f.p, 's').line, 4);
	screen_end(&f);
}

static void clicks(void **state)
{
	struct screen_fixture f = screen_paper(false);
	g_autofree char *drawn = NULL;

	(void)state;
	panel_serve(f.p, 1u << PANEL_GO_TO);
	drawn = screen_of(f.p, 60, 16);
	panel_click(f.p, 5, 10); /* the second suspect */
	assert_int_equal(panel_key(f.p, 's').line, 9);
	g_free(drawn);
	drawn = screen_of(f.p, 60, 16);
	panel_click(f.p, 5, 2); /* the first line of the source that is shown */
	panel_click(f.p, 500, 500);
	assert_int_not_equal(panel_key(f.p, 's').line, 9);
	screen_end(&f);
}

/* A new answer keeps what is selected. */
static void news(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct explanation *more = explain_paper();

	(void)state;
	screen_add_source(more, more->failure.file);
	panel_serve(f.p, 1u << PANEL_GO_TO);
	panel_key(f.p, ']');
	panel_set(f.p, more, "still looking");
	assert_int_equal(panel_key(f.p, 's').line, 9);
	screen_check(f.p, 60, 16, "busy");
	panel_free(f.p);
	f.p = NULL;
	explanation_free(more);
	screen_end(&f);
}

/* As long as nobody selects anything, the likeliest suspect of a new answer is. */
static void better_news(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct explanation *more = explain_paper();
	gpointer first = more->suspects->pdata[0];

	(void)state;
	more->suspects->pdata[0] = more->suspects->pdata[1];
	more->suspects->pdata[1] = first;
	screen_add_source(more, more->failure.file);
	panel_serve(f.p, 1u << PANEL_GO_TO);
	assert_int_not_equal(panel_key(f.p, 's').line, 9);
	panel_set(f.p, more, "still looking");
	assert_int_equal(panel_key(f.p, 's').line, 9);
	panel_free(f.p);
	f.p = NULL;
	explanation_free(more);
	screen_end(&f);
}

static void shows(struct panel *p, const char *text, bool expected)
{
	g_autofree char *is = screen_of(p, 100, 24);

	if (!strstr(is, text) == expected)
		fail_msg("`%s' is %s in:\n%s", text, expected ? "not" : "there", is);
}

/* Output is shown from the first line of the last answer on; keys go there when it says so. */
static void answers(void **state)
{
	struct screen_fixture f = screen_paper(false);
	GString *many = g_string_new(NULL);

	(void)state;
	for (unsigned i = 1; i <= 100; i++)
		g_string_append_printf(many, "line %u.\n", i);
	panel_answer(f.p, many->str, true);
	shows(f.p, "line 1.", true);
	shows(f.p, "line 90.", false);
	panel_key(f.p, 'G');
	shows(f.p, "line 100.", true);
	panel_answer(f.p, "b = 1, from line 10", false);
	shows(f.p, "b = 1, from line 10", true);
	shows(f.p, "output (", true);
	panel_entitle_output(f.p, "specification: a round");
	shows(f.p, "specification: a round (", true);
	shows(f.p, "output (", false);
	panel_entitle_output(f.p, NULL);
	shows(f.p, "output (", true);
	g_string_free(many, TRUE);
	screen_end(&f);
}

/* What a line gave last stands beside it, where nothing else is said. */
static void values(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct explanation_line_value v = { .file = f.e->failure.file,
					    .line = 7,
					    .value = { "count", "12345" } };

	(void)state;
	g_array_append_val(f.e->line_values, v);
	panel_set(f.p, f.e, NULL);
	shows(f.p, "count = 12345", true);
	screen_end(&f);
}

/* Without a suspect the way is how it came to the failure; below the source there is no other. */
static void opening(void **state)
{
	struct screen_fixture f = screen_paper(false);
	struct explanation_value v = { "c", "case BLUE" };
	struct explanation_link from = { .file = f.e->failure.file, .line = 6, .text = "a = x" };

	(void)state;
	from.values = g_array_new(FALSE, TRUE, sizeof v);
	g_array_append_val(from.values, v);
	g_array_append_val(f.e->opening, from);
	g_ptr_array_set_size(f.e->suspects, 0);
	panel_set(f.p, f.e, NULL);
	shows(f.p, "   from p.c:6  a = x  c = case BLUE", true);
	shows(f.p, "way to the failure (1 of 1)", true);
	screen_end(&f);
}

static void collect(void *arg, const char *file, unsigned line, const char *text)
{
	g_string_append_printf(arg, "%s:%u %s\n", file, line, text);
}

static enum tui_role role_at(struct panel *p, unsigned x, unsigned y)
{
	struct canvas c;
	enum tui_role role;

	canvas_init(&c, 100, 24);
	panel_draw(p, &c);
	role = canvas_at(&c, x, y)->role;
	canvas_deinit(&c);
	return role;
}

/* What was executed, by whom; and what the user adds. */
static void marks(void **state)
{
	static const struct explanation_coverage all[] = {
		{ 4, true, 3, 1 },  { 6, true, 3, 1 },	 { 7, true, 3, 1 },  { 9, true, 3, 1 },
		{ 10, true, 0, 1 }, { 12, false, 3, 0 }, { 13, true, 3, 1 }, { 14, false, 0, 0 },
	};
	struct screen_fixture f = screen_paper(false);
	g_autoptr(GString) found = g_string_new(NULL);

	(void)state;
	g_array_append_vals(explanation_source(f.e, f.e->failure.file)->coverage, all,
			    G_N_ELEMENTS(all));
	panel_set(f.p, f.e, NULL);
	panel_serve(f.p, 1u << PANEL_BREAK);
	assert_int_equal(panel_key(f.p, 'b').line, 10);
	screen_type(f.p, "mcheck this");
	panel_key(f.p, PANEL_ENTER);
	panel_remark(f.p, f.e->failure.file, 9, PANEL_REMARK_RESULT, "turned: it\tpasses");
	panel_key(f.p, PANEL_BACKTAB);
	panel_key(f.p, 'G');
	panel_key(f.p, 'b');
	screen_check(f.p, 100, 24, "marks");
	assert_int_equal(role_at(f.p, 20, 15), TUI_FAINT); /* return b; */
	assert_int_equal(role_at(f.p, 20, 8), TUI_PLAIN);  /* b = 0; */
	panel_key(f.p, 'b');
	panel_remarks(f.p, PANEL_REMARK_BREAK, collect, found);
	assert_string_equal(found->str, "/home/u/src/p.c:10 b\n");
	panel_key(f.p, ']');
	panel_key(f.p, '[');
	screen_type(f.p, "m");
	panel_key(f.p, 'U' - '@');
	panel_key(f.p, PANEL_ENTER);
	g_string_truncate(found, 0);
	panel_remarks(f.p, PANEL_REMARK_NOTE, collect, found);
	assert_string_equal(found->str, "");
	screen_end(&f);
}

/* A source of 200,000 lines, a way of 10,000 links: what is drawn costs no more. */
static void large(void **state)
{
	struct explanation *e = explain_long_chain(10000);
	const char *file = e->failure.file;
	struct explanation_source *s =
		file ? explanation_source_add(e, file) : explanation_source_add(e, "/long.c");
	struct panel *p = panel_new(NULL, true);
	g_autofree char *last = NULL;

	(void)state;
	for (unsigned i = 1; i <= 200000; i++)
		g_ptr_array_add(s->lines, g_strdup_printf("line %u", i));
	panel_serve(p, 1u << PANEL_GO_TO);
	panel_set(p, e, NULL);
	panel_key(p, '\t'); /* the way */
	for (unsigned i = 0; i < 3000; i++) {
		g_autofree char *drawn = screen_of(p, 100, 30);

		panel_key(p, i % 500 == 0 ? 'G' : 'k');
	}
	panel_key(p, '\t');
	panel_key(p, '\t'); /* the source */
	for (unsigned i = 0; i < 3000; i++) {
		g_autofree char *drawn = screen_of(p, 100, 30);

		panel_key(p, PANEL_PAGE_DOWN);
	}
	panel_key(p, 'g');
	screen_type(p, "/line 200000");
	panel_key(p, PANEL_ENTER);
	last = screen_of(p, 100, 30);
	assert_non_null(strstr(last, "  200000      line 200000"));
	panel_free(p);
	explanation_free(e);
}

/* Whatever there is, at any size, with any keys. */
static void anything(void **state)
{
	struct explanation *all[] = { explain_odd(), explain_nothing(), explain_long_chain(300) };
	static const int keys[] = { 'j',
				    'k',
				    'G',
				    'g',
				    '\t',
				    ']',
				    'h',
				    'l',
				    'n',
				    '/',
				    'a',
				    PANEL_ENTER,
				    PANEL_PAGE_DOWN,
				    PANEL_PAGE_UP,
				    '?',
				    '=',
				    'w',
				    PANEL_BACKSPACE,
				    PANEL_ESCAPE,
				    PANEL_BACKTAB,
				    'f',
				    's',
				    'e' };
	unsigned seed = 7;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct panel *p = panel_new(NULL, i == 1);
		g_autofree char *early = screen_of(p, 80, 24);

		panel_serve(p, ~0u);
		panel_set(p, all[i], NULL);
		for (unsigned k = 0; k < 3000; k++) {
			g_autofree char *drawn = NULL;

			seed = seed * 1103515245 + 12345;
			panel_key(p, keys[(seed >> 16) % G_N_ELEMENTS(keys)]);
			if (k % 100 == 0)
				panel_output(p, "some output\n\tand more");
			drawn = screen_of(p, 1 + (seed >> 8 & 127), 1 + (seed >> 20 & 63));
		}
		panel_free(p);
		explanation_free(all[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(narrow),
		cmocka_unit_test(wide),
		cmocka_unit_test(why_suggests_a_name),
		cmocka_unit_test(selection),
		cmocka_unit_test(searching),
		cmocka_unit_test(requests),
		cmocka_unit_test(printed_lines),
		cmocka_unit_test(clicks),
		cmocka_unit_test(news),
		cmocka_unit_test(better_news),
		cmocka_unit_test(marks),
		cmocka_unit_test(large),
		cmocka_unit_test(anything),
		cmocka_unit_test(answers),
		cmocka_unit_test(values),
		cmocka_unit_test(opening),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
