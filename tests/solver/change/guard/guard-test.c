/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions learned from values: each is checked against the values themselves. */
#include "solver/change/guard/executions.h"
#include "solver/change/guard/guard.h"
#include "solver/image/variable/variable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const struct image_type int_type = {
	.kind = IMAGE_TYPE_INT, .name = "int", .size = 4, .is_signed = true
};
static const struct image_type bool_type = { .kind = IMAGE_TYPE_BOOL, .name = "_Bool", .size = 1 };
static const struct image_type double_type = { .kind = IMAGE_TYPE_FLOAT,
					       .name = "double",
					       .size = 8 };
static const struct image_type pointer_type = { .kind = IMAGE_TYPE_POINTER,
						.size = 8,
						.target = &int_type };

enum { WIDTH = 3 };

struct table {
	GPtrArray *watches;
	struct guard_samples s;
	GArray *constants;
};

static void add_watch(struct table *t, const char *text, const struct image_type *type)
{
	struct watch *w = g_new0(struct watch, 1);

	w->text = g_strdup(text);
	w->type = type;
	w->size = (unsigned)type->size;
	w->is_signed = type->is_signed || type->kind == IMAGE_TYPE_FLOAT;
	g_ptr_array_add(t->watches, w);
}

static struct table table_new(const struct image_type *a, const struct image_type *b,
			      const struct image_type *c)
{
	struct table t = { .watches = g_ptr_array_new_with_free_func((GDestroyNotify)watch_free) };

	add_watch(&t, "a", a);
	add_watch(&t, "b", b);
	add_watch(&t, "c", c);
	t.s = (struct guard_samples){ .watches = t.watches,
				      .hits = g_array_new(FALSE, FALSE, sizeof(struct guard_hit)),
				      .values = g_array_new(FALSE, FALSE,
							    sizeof(struct trace_note)) };
	t.constants = g_array_new(FALSE, FALSE, sizeof(int64_t));
	return t;
}

static void table_clear(struct table *t)
{
	g_ptr_array_unref(t->watches);
	g_array_unref(t->s.hits);
	g_array_unref(t->s.values);
	g_array_unref(t->constants);
}

static void hit(struct table *t, unsigned test, bool failing, uint64_t a, uint64_t b, uint64_t c)
{
	struct guard_hit h = { test, failing, t->s.values->len };
	const struct trace_note notes[WIDTH] = { { a, 1 }, { b, 1 }, { c, 1 } };

	g_array_append_vals(t->s.values, notes, WIDTH);
	g_array_append_val(t->s.hits, h);
}

/* The texts of what is learned, likeliest first, each followed by ';'. */
static char *learn(const struct table *t)
{
	struct limits limits = *limits_default();
	g_autoptr(GArray) found = NULL;
	GString *out = g_string_new(NULL);

	limits.guard_tries = 100;
	found = guards_learn(&t->s, t->constants, &limits);
	for (guint i = 0; i < found->len; i++) {
		g_autofree char *text = guard_text(&g_array_index(found, struct guard, i));

		g_string_append_printf(out, "%s;", text);
	}
	return g_string_free(out, FALSE);
}

static void a_bound_is_a_constant_of_the_program(void **state)
{
	struct table t = table_new(&int_type, &int_type, &int_type);
	const int64_t constant = 600;
	g_autofree char *text = NULL;

	(void)state;
	g_array_append_val(t.constants, constant);
	hit(&t, 1, true, 5, 655, 1);
	hit(&t, 2, true, 7, 900, 2);
	hit(&t, 3, false, 5, 20, 1);
	hit(&t, 4, false, 7, 599, 2);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "b > 600;") || g_str_has_prefix(text, "b >= 600;"));
	assert_null(strstr(text, "a "));
	table_clear(&t);
}

/* One execution of a failing test is enough; in passing ones it is one too many. */
static void executions_of_a_test(void **state)
{
	struct table t = table_new(&int_type, &int_type, &int_type);
	g_autofree char *before = NULL, *after = NULL;

	(void)state;
	hit(&t, 1, true, 1, 0, 0);
	hit(&t, 1, true, 9, 0, 0);
	hit(&t, 2, false, 1, 0, 0);
	hit(&t, 2, false, 4, 0, 0);
	before = learn(&t);
	assert_non_null(strstr(before, "a == 9;"));
	hit(&t, 2, false, 9, 0, 0);
	after = learn(&t);
	assert_string_equal(after, "");
	table_clear(&t);
}

static void variables_bits_and_pointers(void **state)
{
	struct table t = table_new(&int_type, &int_type, &pointer_type);
	g_autofree char *text = NULL;

	(void)state;
	hit(&t, 1, true, 5, 4, 0);
	hit(&t, 2, true, (uint32_t)-2, (uint32_t)-3, 0);
	hit(&t, 3, false, 3, 3, 0x1000);
	hit(&t, 4, false, 0, 40, 0x2000);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "c == NULL;"));
	assert_non_null(strstr(text, "a > b;"));
	assert_null(strstr(text, "a >= b;"));
	assert_non_null(strstr(text, "c == NULL;"));
	table_clear(&t);

	t = table_new(&int_type, &bool_type, &int_type);
	hit(&t, 1, true, 4 | 8, 1, 0);
	hit(&t, 2, true, 4 | 1, 1, 0);
	hit(&t, 3, false, 8, 0, 0);
	hit(&t, 4, false, 11, 0, 0);
	g_free(text);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "b;") || g_str_has_prefix(text, "!b;"));
	assert_non_null(strstr(text, "a & 4;"));
	assert_null(strstr(text, "a & 8;"));
	table_clear(&t);
}

static uint64_t bits(double d)
{
	uint64_t out;

	memcpy(&out, &d, sizeof out);
	return out;
}

static void real_numbers(void **state)
{
	struct table t = table_new(&double_type, &double_type, &int_type);
	g_autofree char *text = NULL;

	(void)state;
	hit(&t, 1, true, bits(-3.5), bits(1), 0);
	hit(&t, 2, true, bits(-0.25), bits(7), 0);
	hit(&t, 3, false, bits(0.5), bits(1), 0);
	hit(&t, 4, false, bits(2), bits(7), 0);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "a <= 0;") || g_str_has_prefix(text, "a < 0;"));
	table_clear(&t);
}

static void negations(void **state)
{
	static const int64_t some[] = { -3, 0, 1, 2, 4, 7 };

	(void)state;
	for (enum guard_op op = GUARD_LT; op <= GUARD_NO_BIT; op++) {
		struct guard g = { .is.op = op }, n = guard_negated(&g);

		for (unsigned i = 0; i < G_N_ELEMENTS(some); i++)
			for (unsigned k = 0; k < G_N_ELEMENTS(some); k++)
				assert_int_not_equal(guard_holds(&g.is, some[i], some[k]),
						     guard_holds(&n.is, some[i], some[k]));
	}
}

/* Neither a alone nor b alone tells the tests apart. */
static void two_comparisons_together(void **state)
{
	struct table t = table_new(&int_type, &int_type, &pointer_type);
	g_autofree char *text = NULL, *alone = NULL;
	const int64_t constant = 0;

	(void)state;
	g_array_append_val(t.constants, constant);
	hit(&t, 1, true, 3, 8, 0x1000);
	hit(&t, 2, true, 9, 2, 0x1000);
	hit(&t, 3, true, 5, 5, 0x1000);
	hit(&t, 4, false, 3, 0, 0x1000);
	hit(&t, 5, false, 5, 0, 0x2000);
	hit(&t, 6, false, 0, 8, 0x1000);
	hit(&t, 7, false, 0, 2, 0x2000);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "a > 0 && b > 0;"));
	/* nobody needs two where one does */
	g_array_set_size(t.s.hits, 5);
	alone = learn(&t);
	assert_non_null(strstr(alone, "b > 0;"));
	assert_null(strstr(alone, "&&"));
	table_clear(&t);
}

/* The program's own numbers come before round ones. */
static void real_numbers_of_the_program(void **state)
{
	struct table t = table_new(&double_type, &double_type, &int_type);
	g_autoptr(GArray) reals = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autofree char *text = NULL;
	const int64_t limit = (int64_t)bits(7.25);

	(void)state;
	g_array_append_val(reals, limit);
	t.s.reals = reals;
	hit(&t, 1, true, bits(7.5), bits(1), 0);
	hit(&t, 2, true, bits(40), bits(2), 0);
	hit(&t, 3, false, bits(7), bits(1), 0);
	hit(&t, 4, false, bits(0.5), bits(2), 0);
	text = learn(&t);
	assert_true(g_str_has_prefix(text, "a > 7.25;") || g_str_has_prefix(text, "a >= 7.25;"));
	table_clear(&t);
}

/* It may hold in so many passing tests all the same. */
static void spare_tests(void **state)
{
	struct table t = table_new(&int_type, &int_type, &int_type);
	g_autofree char *none = NULL, *one = NULL;

	(void)state;
	hit(&t, 1, true, 4, 0, 0);
	hit(&t, 1, true, 2, 0, 0);
	hit(&t, 2, false, 4, 0, 0);
	hit(&t, 2, false, 2, 0, 0);
	hit(&t, 3, false, 1, 0, 0);
	none = learn(&t);
	t.s.spare = 1;
	one = learn(&t);
	assert_null(strstr(none, "a & 4;"));
	assert_non_null(strstr(one, "a & 4;"));
	table_clear(&t);
}

/* What is not known separates nothing. */
static void unknown_values(void **state)
{
	struct table t = table_new(&int_type, &int_type, &int_type);
	g_autofree char *text = NULL;

	(void)state;
	hit(&t, 1, true, 9, 0, 0);
	hit(&t, 2, false, 1, 0, 0);
	g_array_index(t.s.values, struct trace_note, WIDTH).known = 0;
	text = learn(&t);
	assert_string_equal(text, "");
	table_clear(&t);
}

/* The same for one test: what divides its executions at a line. */
static char *divide(const struct table *t, const char *line)
{
	g_autoptr(GArray) found = guards_of_executions(&t->s, line, t->constants, limits_default());
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < found->len; i++) {
		g_autofree char *text = guard_text(&g_array_index(found, struct guard, i));

		g_string_append_printf(out, "%s;", text);
	}
	return g_string_free(out, FALSE);
}

/* What stands in the line is compared first.  Each way to divide three executions comes once. */
static void executions_of_one_test(void **state)
{
	struct table t = table_new(&int_type, &int_type, &int_type);
	const int64_t constant = 3;
	g_autofree char *text = NULL, *elsewhere = NULL;

	(void)state;
	g_array_append_val(t.constants, constant);
	hit(&t, 1, true, 30, 10, 7);
	hit(&t, 1, true, 2, 3, 7);
	hit(&t, 1, true, 5, 1, 7);
	text = divide(&t, "a -= b;");
	assert_true(g_str_has_prefix(text, "a < b;a > b;"));
	assert_null(strstr(text, "c"));
	assert_non_null(strstr(text, "b < 3;")); /* the third one alone */
	elsewhere = divide(&t, "c++;");
	assert_string_equal(elsewhere, ""); /* c is the same in all of them */
	table_clear(&t);
}

/* A letter is compared with letters, and a pointer with NULL only. */
static void executions_by_type(void **state)
{
	static const struct image_type char_type = {
		.kind = IMAGE_TYPE_CHAR, .name = "char", .size = 1, .is_signed = true
	};
	struct table t = table_new(&int_type, &char_type, &pointer_type);
	const int64_t constant = 9;
	g_autofree char *text = NULL, *pointers = NULL;

	(void)state;
	g_array_append_val(t.constants, constant);
	hit(&t, 1, true, 1, 'x', 0x4000);
	hit(&t, 1, true, 200, 'y', 0);
	text = divide(&t, "f(a, b);");
	assert_null(strstr(text, "a < b"));
	assert_null(strstr(text, "b > a"));
	pointers = divide(&t, "c = c->next;");
	assert_string_equal(pointers, "c == NULL;c != NULL;");
	table_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executions_of_one_test),
		cmocka_unit_test(executions_by_type),
		cmocka_unit_test(a_bound_is_a_constant_of_the_program),
		cmocka_unit_test(executions_of_a_test),
		cmocka_unit_test(variables_bits_and_pointers),
		cmocka_unit_test(real_numbers),
		cmocka_unit_test(negations),
		cmocka_unit_test(two_comparisons_together),
		cmocka_unit_test(real_numbers_of_the_program),
		cmocka_unit_test(spare_tests),
		cmocka_unit_test(unknown_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
