/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of causes, put together by hand, as text and JSON. */
#include "tui/report/cause.h"

#include <json-glib/json-glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct made {
	struct cause_tree tree;
	struct cause causes[12];
};

static struct cause *add(struct made *m, enum cause_kind kind, unsigned line, const char *text,
			 const char *clause, const char *value)
{
	struct cause *c = &m->causes[m->tree.causes->len];

	*c = (struct cause){ .kind = kind,
			     .function = "f",
			     .file = line ? "/src/p.c" : NULL,
			     .line = line,
			     .text = text,
			     .clause = clause,
			     .value = value };
	g_ptr_array_add(m->tree.causes, c);
	return c;
}

static void link_to(struct cause *from, unsigned to, enum cause_edge edge)
{
	const struct cause_link l = { to, edge };

	if (!from->because)
		from->because = g_array_new(FALSE, FALSE, sizeof l);
	g_array_append_val(from->because, l);
}

static void unfold_none(struct cause *c)
{
	c->because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
}

static void start(struct made *m)
{
	memset(m, 0, sizeof *m);
	m->tree.causes = g_ptr_array_new();
}

static void end(struct made *m)
{
	for (guint i = 0; i < m->tree.causes->len; i++)
		if (m->causes[i].because)
			g_array_free(m->causes[i].because, TRUE);
	g_ptr_array_free(m->tree.causes, TRUE);
}

/* Each kind and edge; two causes lead to the same one. */
static void make(struct made *m)
{
	struct cause *asked, *x, *passed, *decided, *returned;

	start(m);
	asked = add(m, CAUSE_ASKED, 9, "assert(x);", "x", "0");
	x = add(m, CAUSE_ASSIGNED, 7, "x = a[i] + g(2);", "x", "0");
	passed = add(m, CAUSE_PASSED, 3, "f(2, i);", "i", "1");
	decided = add(m, CAUSE_DECIDED, 6, "if (i < 4 || odd)", "i < 4", "true");
	returned = add(m, CAUSE_RETURNED, 2, "return -n;", "-n", "-2");
	add(m, CAUSE_INPUT, 3, "f(2, i);", "atoi returned", "1");
	add(m, CAUSE_INITIAL, 0, NULL, "limit, as it was initialized", "7");
	link_to(asked, 1, CAUSE_DATA);
	link_to(x, 4, CAUSE_DATA);
	link_to(x, 2, CAUSE_WHICH);
	link_to(x, 3, CAUSE_CONTROL);
	link_to(decided, 2, CAUSE_DATA);
	link_to(decided, 6, CAUSE_DATA);
	link_to(passed, 5, CAUSE_DATA);
	unfold_none(returned);
}

static char *printed(const struct cause_tree *t, enum tui_format format, unsigned width)
{
	const struct tui_options o = { .format = format, .width = width, .deeper = "why -d 8 x" };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print_causes(out, t, "why x", &o));
	fclose(out);
	return text;
}

static void prints(const struct cause_tree *t, unsigned width, const char *expected)
{
	char *text = printed(t, TUI_TEXT, width);

	if (strcmp(text, expected) != 0)
		print_message("%s", text);
	assert_string_equal(text, expected);
	free(text);
}

static void a_tree(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	prints(&m.tree, 80,
	       "x = 0 at /src/p.c:9 in f\n"
	       "  from       p.c:7  x = a[i] + g(2);   x = 0\n"
	       "    from     p.c:2  return -n;         -n is -2\n"
	       "    which    p.c:3  f(2, i);           i = 1\n"
	       "      from   p.c:3  f(2, i);           atoi returned 1\n"
	       "    when     p.c:6  if (i < 4 || odd)  i < 4: true\n"
	       "      from   p.c:3  f(2, i);           i = 1 (as above)\n"
	       "      from                             limit, as it was initialized: 7\n");
	prints(&m.tree, 50,
	       "x = 0 at /src/p.c:9 in f\n"
	       "  from       p.c:7  x = a[i] + g(2);   x = 0\n"
	       "    from     p.c:2  return -n;         -n is -2\n"
	       "    which    p.c:3  f(2, i);           i = 1\n"
	       "      from   p.c:3  f(2, i);           atoi returned 1\n"
	       "    when     p.c:6  if (i < 4 || odd)  i < 4: true\n"
	       "      from   p.c:3  f(2, i);           i = 1 (as above)\n"
	       "      from   limit, as it was initialized: 7\n");
	end(&m);
}

static void prints_rows(const struct cause_tree *t, unsigned root, unsigned most,
			const char *expected)
{
	const struct tui_options o = {
		.width = 80, .others = "--all", .max_rows = most, .from_row = "--row "
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print_causes_of(out, t, root, &o));
	fclose(out);
	if (strcmp(text, expected) != 0)
		print_message("%s", text);
	assert_string_equal(text, expected);
	free(text);
}

static void rows_have_numbers(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	prints_rows(&m.tree, 0, 7,
		    "x = 0 at /src/p.c:9 in f\n"
		    " 1  from       p.c:7  x = a[i] + g(2);   x = 0\n"
		    " 2    from     p.c:2  return -n;         -n is -2\n"
		    " 3    which    p.c:3  f(2, i);           i = 1\n"
		    " 4      from   p.c:3  f(2, i);           atoi returned 1\n"
		    " 5    when     p.c:6  if (i < 4 || odd)  i < 4: true\n"
		    " 6      from   p.c:3  f(2, i);           i = 1 (as row 3)\n"
		    " 7      from                             limit, as it was initialized: 7\n");
	end(&m);
}

/* How the answer ends. */
static void prints_tip(const struct cause_tree *t, const struct tui_options *o, const char *tip)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print_causes_of(out, t, 0, o));
	fclose(out);
	if (!g_str_has_suffix(text, tip))
		print_message("%s", text);
	assert_true(g_str_has_suffix(text, tip));
	free(text);
}

/* The nearest are shown, and how to go on. */
static void rows_are_left_out(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	prints_rows(&m.tree, 0, 4,
		    "x = 0 at /src/p.c:9 in f\n"
		    " 1  from     p.c:7  x = a[i] + g(2);   x = 0\n"
		    " 2    from   p.c:2  return -n;         -n is -2\n"
		    " 3    which  p.c:3  f(2, i);           i = 1 ...\n"
		    " 4    when   p.c:6  if (i < 4 || odd)  i < 4: true ...\n"
		    "\n"
		    "try:  `--row 3' goes on from row 3; `--all' shows all 7 rows\n");
	end(&m);
}

static void a_row_can_be_gone_on_from(void **state)
{
	const struct tui_options o = { .width = 80, .max_rows = 4, .from_row = "--row " };
	struct made m;
	unsigned cause = 0;

	(void)state;
	make(&m);
	assert_true(tui_cause_of_row(&m.tree, 0, &o, 4, &cause));
	assert_int_equal(cause, 3);
	assert_false(tui_cause_of_row(&m.tree, 0, &o, 5, &cause));
	assert_false(tui_cause_of_row(&m.tree, 0, &o, 0, &cause));
	prints_rows(&m.tree, 3, 4,
		    "i < 4: true at /src/p.c:6 in f\n"
		    " 1  from     p.c:3  f(2, i);  i = 1\n"
		    " 2    from   p.c:3  f(2, i);  atoi returned 1\n"
		    " 3  from                      limit, as it was initialized: 7\n");
	end(&m);
}

/* Each door has its own commands; those that would number the rows anew are left out. */
static void commands_are_those_of_the_door(void **state)
{
	struct tui_options o = {
		.width = 80, .max_rows = 4, .from_row = "why --row 2.", .behind_row = " x"
	};
	struct made m;

	(void)state;
	make(&m);
	prints_tip(&m.tree, &o, "try:  `why --row 2.3 x' goes on from row 3\n");
	o.others = "why --all x";
	prints_tip(&m.tree, &o,
		   "try:  `why --row 2.3 x' goes on from row 3; `why --all x' shows all 7 rows\n");
	o.max_rows = 0;
	o.others = NULL;
	prints_tip(&m.tree, &o, "limit, as it was initialized: 7\n");
	end(&m);
}

/* `return NULL;' */
static void a_constant_is_not_said_twice(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	link_to(add(&m, CAUSE_ASKED, 9, "use(x);", "x", "NULL"), 1, CAUSE_DATA);
	unfold_none(add(&m, CAUSE_RETURNED, 7, "return NULL;", "NULL", "NULL"));
	prints(&m.tree, 80,
	       "x = NULL at /src/p.c:9 in f\n"
	       "  from   p.c:7  return NULL;  NULL\n");
	end(&m);
}

/* What is not unfolded can be asked for. */
static void a_cut_says_how_to_go_on(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	link_to(add(&m, CAUSE_ASKED, 9, "assert(x);", "x", "0"), 1, CAUSE_DATA);
	add(&m, CAUSE_ASSIGNED, 7, "x = y;", "x", "0");
	prints(&m.tree, 80,
	       "x = 0 at /src/p.c:9 in f\n"
	       "  from   p.c:7  x = y;  x = 0\n"
	       "\n"
	       "try:  `why -d 8 x' goes further back\n");
	end(&m);
}

/* What several loads of one line found out is said once, and what has no words not at all. */
static void a_row_is_not_said_again(void **state)
{
	struct made m;
	struct cause *asked;

	(void)state;
	start(&m);
	asked = add(&m, CAUSE_ASKED, 9, "assert(x);", "x", "0");
	add(&m, CAUSE_INPUT, 3, "grow(a);", "malloc returned", NULL);
	add(&m, CAUSE_INPUT, 3, "grow(a);", "malloc returned", NULL);
	unfold_none(add(&m, CAUSE_ASSIGNED, 3, "grow(a);", NULL, NULL));
	add(&m, CAUSE_INPUT, 4, "grow(a);", "malloc returned", NULL);
	add(&m, CAUSE_INPUT, 3, "grow(a);", "malloc returned", NULL);
	for (unsigned i = 1; i < 5; i++)
		link_to(asked, i, CAUSE_DATA);
	link_to(asked, 5, CAUSE_WHICH);
	prints(&m.tree, 80,
	       "x = 0 at /src/p.c:9 in f\n"
	       "  from   p.c:3  grow(a);  malloc returned\n"
	       "  from   p.c:4  grow(a);  malloc returned\n"
	       "  which  p.c:3  grow(a);  malloc returned\n");
	end(&m);
}

static void a_constant_has_no_cause(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	unfold_none(add(&m, CAUSE_ASKED, 9, "assert(x);", "3", "3"));
	prints(&m.tree, 80,
	       "3 = 3 at /src/p.c:9 in f\n"
	       "  it is a constant, or it had this value from the start\n");
	end(&m);
}

static void a_line_that_nothing_decided(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	unfold_none(add(&m, CAUSE_ASKED, 9, "return x;", "was reached", NULL));
	prints(&m.tree, 80,
	       "/src/p.c:9 in f was reached\n"
	       "  no decision led there, but for any that would have ended the program\n");
	end(&m);
}

/* Why a line was reached: it has no value. */
static void a_question_about_a_line(void **state)
{
	struct made m;

	(void)state;
	start(&m);
	link_to(add(&m, CAUSE_ASKED, 9, "assert(x);", "why not line 5", NULL), 1, CAUSE_AWAY);
	unfold_none(add(&m, CAUSE_DECIDED, 4, "if (x > 3)", "x > 3", "false"));
	prints(&m.tree, 80,
	       "/src/p.c:9 in f why not line 5\n"
	       "  since  p.c:4  if (x > 3)  false\n");
	end(&m);
}

/* Files of several folders keep them; control characters of the program do no harm. */
static void names_are_made_harmless(void **state)
{
	struct made m;
	char *text;

	(void)state;
	start(&m);
	link_to(add(&m, CAUSE_ASKED, 9, "assert(x);", "x\033[31m", "\"\033]0;t\a\""), 1,
		CAUSE_DATA);
	unfold_none(add(&m, CAUSE_ASSIGNED, 4, "x = \"\033\";", "x", "1"));
	m.causes[1].file = "/lib/q.c";
	text = printed(&m.tree, TUI_TEXT, 80);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\a'));
	assert_non_null(strstr(text, "/lib/q.c:4"));
	free(text);
	end(&m);
}

static void json_has_the_links(void **state)
{
	struct made m;
	char *text;
	JsonParser *parser = json_parser_new();
	JsonObject *o, *x, *link;
	JsonArray *causes;

	(void)state;
	make(&m);
	text = printed(&m.tree, TUI_JSON, 80);
	assert_true(json_parser_load_from_data(parser, text, -1, NULL));
	o = json_node_get_object(json_parser_get_root(parser));
	assert_string_equal(json_object_get_string_member(o, "question"), "why x");
	causes = json_object_get_array_member(o, "causes");
	assert_int_equal(json_array_get_length(causes), 7);
	x = json_array_get_object_element(causes, 1);
	assert_int_equal(json_object_get_int_member(x, "line"), 7);
	link = json_array_get_object_element(json_object_get_array_member(x, "because"), 1);
	assert_int_equal(json_object_get_int_member(link, "cause"), 2);
	assert_string_equal(json_object_get_string_member(link, "edge"), "which");
	g_object_unref(parser);
	free(text);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree),
		cmocka_unit_test(rows_have_numbers),
		cmocka_unit_test(rows_are_left_out),
		cmocka_unit_test(a_row_can_be_gone_on_from),
		cmocka_unit_test(a_cut_says_how_to_go_on),
		cmocka_unit_test(commands_are_those_of_the_door),
		cmocka_unit_test(a_constant_is_not_said_twice),
		cmocka_unit_test(a_row_is_not_said_again),
		cmocka_unit_test(a_constant_has_no_cause),
		cmocka_unit_test(a_line_that_nothing_decided),
		cmocka_unit_test(a_question_about_a_line),
		cmocka_unit_test(names_are_made_harmless),
		cmocka_unit_test(json_has_the_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
