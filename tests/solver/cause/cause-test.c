/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a value is what it is, and why a line was reached or not, in a run made of files. */
#include "tests/support/canned.h"

#include "solver/cause/cause.h"
#include "solver/source/expression/c-expression.h"
#include "solver/source/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Where the sample fails, with all steps until there. */
struct asked {
	struct canned *canned;
	struct reverse_index *index;
	struct trace_point *point;
	struct explanation *e;
};

static struct asked ask(void)
{
	struct asked a = { .canned = canned_open("tests/data/runs/paper"),
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

static struct cause_tree *causes_of_value(const struct asked *a, const char *text, unsigned hops)
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
	assert_false(tree->cut);
	expression_code_free(code);
	c_expression_free(x);
	return tree;
}

static struct cause_tree *causes_of_line(const struct asked *a, unsigned number, bool reached,
					 GError **error)
{
	struct stop line = { 0 };
	struct cause_tree *tree = NULL;
	uint64_t bias;

	assert_true(stop_find_line(a->canned->images, a->canned->n_images, "paper.c", number, &line,
				   NULL));
	if (trace_point_bias_of(a->point, line.image, &bias))
		tree = cause_of_line(a->e, a->point, a->index, &line, bias, reached, error);
	stop_clear(&line);
	if (tree)
		cause_unfold_all(tree, 3, 100);
	return tree;
}

/* The cause of that kind in that line, or NULL. */
static const struct cause *find(const struct cause_tree *t, enum cause_kind kind, unsigned line)
{
	for (guint i = 0; i < t->causes->len; i++) {
		const struct cause *c = t->causes->pdata[i];

		if (c->kind == kind && c->line == line)
			return c;
	}
	return NULL;
}

static void assert_well_made(const struct cause_tree *t)
{
	for (guint i = 0; i < t->causes->len; i++) {
		const struct cause *c = t->causes->pdata[i];

		for (guint k = 0; c->because && k < c->because->len; k++) {
			unsigned to = g_array_index(c->because, struct cause_link, k).cause;

			assert_true(to < t->causes->len);
			assert_true(to != i);
		}
	}
}

/* b is a + 1 because of line 27, which ran because of the condition in line 26. */
static void values_have_causes(void **state)
{
	struct asked a = ask();
	struct cause_tree *t = causes_of_value(&a, "b", 5);
	const struct cause *b = find(t, CAUSE_ASSIGNED, 27);

	(void)state;
	assert_well_made(t);
	assert_int_equal(((const struct cause *)t->causes->pdata[0])->kind, CAUSE_ASKED);
	assert_non_null(b);
	assert_string_equal(b->clause, "b");
	assert_string_equal(b->value, "1");
	assert_string_equal(b->text, "b = a + 1;");
	assert_non_null(find(t, CAUSE_DECIDED, 26));
	assert_non_null(find(t, CAUSE_ASSIGNED, 23));
	assert_null(find(t, CAUSE_ASSIGNED, 29)); /* it did not run */
	cause_tree_free(t);
	forget(&a);
}

/* One hop is the assignment alone. */
static void so_many_hops(void **state)
{
	struct asked a = ask();
	struct cause_tree *t = causes_of_value(&a, "b", 1);

	(void)state;
	assert_non_null(find(t, CAUSE_ASSIGNED, 27));
	assert_null(find(t, CAUSE_ASSIGNED, 23));
	cause_tree_free(t);
	forget(&a);
}

static void lines_have_causes(void **state)
{
	struct asked a = ask();
	GError *error = NULL;
	struct cause_tree *t = causes_of_line(&a, 27, true, &error);

	(void)state;
	assert_non_null(t);
	assert_non_null(find(t, CAUSE_DECIDED, 26));
	cause_tree_free(t);
	t = causes_of_line(&a, 29, false, &error);
	assert_non_null(t);
	assert_non_null(find(t, CAUSE_DECIDED, 26));
	cause_tree_free(t);
	forget(&a);
}

/* A line that did not run has no reason to have run, and the other way round. */
static void what_did_not_happen_has_none(void **state)
{
	struct asked a = ask();
	GError *error = NULL;

	(void)state;
	assert_null(causes_of_line(&a, 29, true, &error));
	assert_non_null(error);
	g_clear_error(&error);
	assert_null(causes_of_line(&a, 27, false, &error));
	assert_non_null(error);
	g_clear_error(&error);
	forget(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_causes),
		cmocka_unit_test(so_many_hops),
		cmocka_unit_test(lines_have_causes),
		cmocka_unit_test(what_did_not_happen_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
