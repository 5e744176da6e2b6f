/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The causes of values of all kinds, in runs made of files: each tree is compared as text. */
#include "tests/support/canned.h"

#include "solver/cause/cause.h"
#include "solver/limits/limits.h"
#include "solver/source/expression/c-expression.h"
#include "solver/source/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct asked {
	struct canned *canned;
	struct reverse_index *index;
	struct trace_point *point;
	struct explanation *e;
};

static struct asked ask(const char *program)
{
	g_autofree char *folder = g_build_filename("tests/data/runs", program, NULL);
	struct asked a = { .canned = canned_open(folder),
			   .index = reverse_index_new(limits_default()),
			   .e = explanation_new() };
	const struct canned *c = a.canned;
	GError *error = NULL;

	a.point = trace_point_new_at(c->images, c->n_images, c->failing.record, c->failing.thread,
				     NULL, 0, a.index, NULL, &error);
	if (!a.point)
		fail_msg("%s", error->message);
	return a;
}

static void forget(struct asked *a)
{
	trace_point_free(a->point);
	reverse_index_free(a->index);
	explanation_free(a->e);
	canned_free(a->canned);
}

static struct cause_tree *causes_of(const struct asked *a, const char *text, unsigned hops)
{
	const struct image *im = trace_point_image(a->point);
	struct c_expression *x = c_expression_parse(im, text, NULL);
	struct expression_code *code;
	struct cause_tree *tree;

	assert_non_null(x);
	code = expression_compile(im, trace_point_frame(a->point), x, NULL);
	assert_non_null(code);
	expression_run(code, trace_point_frame(a->point), trace_point_cursor(a->point));
	tree = cause_of_value(a->e, a->point, a->index, text, code);
	cause_unfold_all(tree, hops, 100);
	expression_code_free(code);
	c_expression_free(x);
	return tree;
}

/* A line a cause, behind what it leads to: "  from 86 picked = 5". */
static void put_causes(GString *out, const struct cause_tree *t, unsigned of, unsigned depth)
{
	static const char *const edges[] = { "from", "which", "when", "away" };
	static const char *const kinds[] = { "", " passed", " returned", " outside",
					     " at the start" };
	const struct cause *c = t->causes->pdata[of];

	for (guint i = 0; c->because && i < c->because->len; i++) {
		const struct cause_link *l = &g_array_index(c->because, struct cause_link, i);
		const struct cause *b = t->causes->pdata[l->cause];

		g_string_append_printf(out, "%*s%s %u %s", 2 * (int)depth, "", edges[l->edge],
				       b->line, b->clause ? b->clause : "-");
		if (b->value)
			g_string_append_printf(out, " = %s", b->value);
		g_string_append_printf(
			out, "%s\n", b->kind > CAUSE_DECIDED ? kinds[b->kind - CAUSE_DECIDED] : "");
		put_causes(out, t, l->cause, depth + 1);
	}
}

static void has_causes(const struct asked *a, const char *text, unsigned hops, const char *expected)
{
	struct cause_tree *t = causes_of(a, text, hops);
	GString *out = g_string_new(NULL);

	put_causes(out, t, 0, 0);
	if (strcmp(out->str, expected) != 0)
		print_message("%s:\n%s", text, out->str);
	assert_string_equal(out->str, expected);
	g_string_free(out, TRUE);
	cause_tree_free(t);
}

struct row {
	const char *text, *causes;
	unsigned hops;
};

static void check_rows(const char *program, const struct row *rows, size_t n)
{
	struct asked a = ask(program);

	for (size_t i = 0; i < n; i++)
		has_causes(&a, rows[i].text, rows[i].hops, rows[i].causes);
	forget(&a);
}

static void ordinary_values(void **state)
{
	static const struct row rows[] = {
		{ "total",
		  "from 99 total = 5\n"
		  "  from 99 total, zero from the start = 0 outside\n"
		  "  from 86 picked = 5\n"
		  "  when 98 sum > 5 = true\n",
		  2 },
		/* an element is chosen by its index, and is a constant */
		{ "element",
		  "from 87 element = 7\n"
		  "  from 87 table[3], a constant = 7 outside\n"
		  "  which 75 n = 4\n"
		  "    from 75 atoi returned = 4 outside\n"
		  "      from 0 argv[1], as the program was started with at the start\n",
		  3 },
		{ "small",
		  "from 91 small = 1\n"
		  "  from 82 small = 250\n"
		  "  from 75 n = 4\n",
		  2 },
		{ "color",
		  "from 79 color = BLUE\n"
		  "  when 79 n = true\n",
		  2 },
		{ "apply",
		  "from 75 apply = thrice\n"
		  "  when 75 n > 3 = true\n",
		  2 },
		{ "calls",
		  "from 44 calls = 3\n"
		  "  from 44 calls = 2\n"
		  "    from 44 calls = 1\n"
		  "      from 44 calls, zero from the start = 0 outside\n",
		  4 },
	};

	(void)state;
	check_rows("kinds", rows, G_N_ELEMENTS(rows));
}

static void calls_pass_and_return(void **state)
{
	static const struct row rows[] = {
		{ "there.y",
		  "from 88 there.y = 21\n"
		  "  from 34 3 * n = 21 returned\n"
		  "    from 88 n = 7 passed\n"
		  "  which 77 p = &there\n",
		  3 },
		{ "sum",
		  "from 95 sum = 6\n"
		  "  from 70 n ? n + sum_to(n - 1) : 0 = 6 returned\n"
		  "    from 70 n ? n + sum_to(n - 1) : 0 = 3 returned\n"
		  "    from 95 n = 3 passed\n"
		  "    when 70 n = true\n",
		  3 },
		{ "chosen",
		  "from 94 chosen = 53\n"
		  "  from 60 53 = 53 returned\n"
		  "    when 50 switch (n) { = one way\n",
		  3 },
		/* the move to the register of the result, at the closing bracket, is no cause */
		{ "amount",
		  "from 80 amount = 3\n"
		  "  from 80 a constant = 0.25 outside\n"
		  "  from 39 amount * (1 + by) = 12\n"
		  "    from 39 a constant = 1 outside\n"
		  "    from 80 amount = 8 passed\n"
		  "    from 80 by = 0.5 passed\n",
		  3 },
	};

	(void)state;
	check_rows("kinds", rows, G_N_ELEMENTS(rows));
}

static void where_values_come_in(void **state)
{
	static const struct row rows[] = {
		{ "length",
		  "from 93 length = 4\n"
		  "  from 93 strlen returned = 4 outside\n"
		  "    from 0 argv[2], as the program was started with at the start\n",
		  3 },
		{ "nothing",
		  "from 100 nothing, never initialised: a leftover of the stack = 0 "
		  "outside\n",
		  2 },
		{ "text", "from 0 argv[2][0], as the program was started with at the start\n", 2 },
		{ "limit", "from 96 limit, as it was initialized = 7 outside\n", 2 },
		{ "rate", "from 0 rate, as it was initialized = 0.25 at the start\n", 2 },
		{ "argc", "from 0 argc, as the program was started with = 3 outside\n", 2 },
		{ "argv[1]",
		  "from 75 argv[1], as the program was started with outside\n"
		  "from 0 argv, as the program was started with outside\n",
		  2 },
	};

	(void)state;
	check_rows("kinds", rows, G_N_ELEMENTS(rows));
}

/* The member that was assigned, and not the first one that lies there. */
static void members_of_a_union(void **state)
{
	static const struct row row = { "u.whole",
					"from 90 u.bytes[1] = 9\n"
					"from 78 u.whole = 16909060\n",
					1 };

	(void)state;
	check_rows("kinds", &row, 1);
}

static void pointers_lead_to_objects(void **state)
{
	static const struct row rows[] = {
		{ "key", "from 62 key = 9 passed\n", 1 },
		{ "n",
		  "from 49 n = NULL\n"
		  "  from 27 n->next = NULL\n"
		  "    from 27 head, zero from the start = NULL outside\n"
		  "    which 22 n = one address\n"
		  "    when 59 i < 3 = true\n"
		  "  which 49 n = the node with key 3\n"
		  "    from 27 n->next = the node with key 3\n"
		  "    which 49 n = the node with key 10\n"
		  "    when 48 n->key != key = true\n"
		  "  when 48 n->key != key = true\n"
		  "    from 62 key = 9 passed\n"
		  "    from 24 n->key = 3\n"
		  "    which 49 n = the node with key 3\n"
		  "      from 27 n->next = the node with key 3\n"
		  "      which 49 n = the node with key 10\n"
		  "      when 48 n->key != key = true\n"
		  "    when 48 n->key != key = true\n",
		  3 },
	};

	(void)state;
	check_rows("list", rows, G_N_ELEMENTS(rows));
}

static void variables_in_registers(void **state)
{
	static const struct row rows[] = {
		{ "s",
		  "from 48 double s = scaled(atof(argv[3]), (double)b); passed\n"
		  "  from 25 value * by + 1 = 3 returned\n"
		  "    from 25 a constant = 1 outside\n"
		  "    from 48 argument 2 of scaled = 4 passed\n"
		  "      from 46 b = 4\n"
		  "    from 48 atof returned outside\n"
		  "      from 0 argv[3], as the program was started with at the start\n",
		  4 },
		{ "p.first",
		  "from 47 p.first = 3\n"
		  "  from 16 an intermediate result = 3 returned\n"
		  "    from 47 argument 1 of order = 3 passed\n"
		  "      from 46 a = 3\n"
		  "    when 18 a > b = one way\n"
		  "      from 47 argument 1 of order = 3 passed\n"
		  "        from 46 a = 3\n"
		  "      from 47 argument 2 of order = 4 passed\n",
		  4 },
		{ "p.second",
		  "from 47 p.second = 4\n"
		  "  from 16 an intermediate result = 4 returned\n"
		  "    from 47 argument 2 of order = 4 passed\n"
		  "    when 18 a > b = one way\n",
		  3 },
	};

	(void)state;
	check_rows("registers", rows, G_N_ELEMENTS(rows));
}

static void floating_point_numbers(void **state)
{
	static const struct row rows[] = {
		{ "result",
		  "from 36 result = 3\n"
		  "  when 35 !is_large(mean(values, n)) = true\n"
		  "    from 25 scaled > least * scale = 0 returned\n"
		  "      from 25 a constant = 5 outside\n"
		  "      from 23 scaled = 7.3125\n"
		  "        from 23 scale, as it was initialized = 1.5 outside\n"
		  "        from 35 value = 4.875 passed\n"
		  "      from 23 scale, as it was initialized = 1.5 outside\n",
		  5 },
		{ "values[1]",
		  "from 34 values[1] = 6\n"
		  "  from 34 atof returned outside\n"
		  "    from 0 argv[2], as the program was started with at the start\n"
		  "  which 33 i = 1\n"
		  "  when 33 i < n = true\n",
		  2 },
	};

	(void)state;
	check_rows("average", rows, G_N_ELEMENTS(rows));
}

/* ---- lines ---- */

static void line_has_causes(const char *program, unsigned number, bool reached,
			    const char *expected)
{
	struct asked a = ask(program);
	g_autofree char *file = g_strconcat(program, ".c", NULL);
	GString *out = g_string_new(NULL);
	struct stop line = { 0 };
	struct cause_tree *tree;
	GError *error = NULL;
	uint64_t bias;

	assert_true(
		stop_find_line(a.canned->images, a.canned->n_images, file, number, &line, NULL));
	assert_true(trace_point_bias_of(a.point, line.image, &bias));
	tree = cause_of_line(a.e, a.point, a.index, &line, bias, reached, &error);
	if (tree) {
		cause_unfold_all(tree, 1, 100);
		put_causes(out, tree, 0, 0);
	} else {
		g_string_append(out, error->message);
		g_clear_error(&error);
	}
	if (strcmp(out->str, expected) != 0)
		print_message("%s:%u:\n%s\n", program, number, out->str);
	assert_string_equal(out->str, expected);
	g_string_free(out, TRUE);
	cause_tree_free(tree);
	stop_clear(&line);
	forget(&a);
}

static void lines_are_reached_or_not(void **state)
{
	(void)state;
	line_has_causes("kinds", 99, true, "when 98 sum > 5 = true\n");
	line_has_causes("kinds", 97, false, "away 96 picked > limit = false\n");
	line_has_causes("kinds", 64, false, "away 50 n = one case\n");
	line_has_causes("kinds", 29, false,
			"No decision of the recorded code led away from kinds.c:29: the run ended "
			"before it, or nothing that ran calls its function by name.");
	line_has_causes("list", 50, false,
			"No decision has led away from list.c:50: the program stands before it, "
			"at list.c:48.");
	line_has_causes("loop", 12, true, "when 20 i < rounds = true\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordinary_values),
		cmocka_unit_test(calls_pass_and_return),
		cmocka_unit_test(where_values_come_in),
		cmocka_unit_test(members_of_a_union),
		cmocka_unit_test(pointers_lead_to_objects),
		cmocka_unit_test(variables_in_registers),
		cmocka_unit_test(floating_point_numbers),
		cmocka_unit_test(lines_are_reached_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
