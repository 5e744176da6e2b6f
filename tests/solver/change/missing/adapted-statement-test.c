/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which statements are made of those that a program has. */
#include "solver/change/missing/adapted-statement.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] =
	"struct item { struct item *next, *prev; int key; };\n"
	"struct list { struct item *first, *last; int length; };\n"
	"struct list *waiting;\n"
	"void append(struct list *l, struct item *i) { l->last->next = i; l->length++; }\n"
	"struct list *take(struct list *l, struct item *i) { l->length -= i->key; return l; }\n"
	"void raise(struct list *from, struct list *to, struct item *i)\n"
	"{ from = take(from, i); append(to, i); }\n"
	"void wake(struct item *i) { i->key = 0; }\n";

static void add_text(void *texts, const char *text)
{
	g_ptr_array_add(texts, g_strdup(text));
}

/* The texts with commas between them; free it. */
static char *joined(GPtrArray *texts)
{
	char *all;

	g_ptr_array_add(texts, NULL);
	all = g_strjoinv(", ", (char **)texts->pdata);
	g_ptr_array_unref(texts);
	return all;
}

static struct adapted_place place_in(const struct patched *p, const struct limits *limits,
				     const char *function)
{
	return (struct adapted_place){ p->im, limits,
				       image_function_named(p->im, function)->hi - 1 };
}

static void assert_links(const struct patched *p, const char *text, const char *expected)
{
	struct limits limits = *limits_default();
	struct adapted_place at = place_in(p, &limits, "append");
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *all = NULL;

	adapted_back_links(&at, text, add_text, texts);
	all = joined(texts);
	assert_string_equal(all, expected);
}

static void links_have_a_way_back(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	assert_links(p, "l->last->next = i", "i->prev = l->last");
	assert_links(p, "i->prev = l->last", "l->last->next = i");
	/* no link of two objects of one type */
	assert_links(p, "l->last = i", "");
	assert_links(p, "i->key = 3", "");
	assert_links(p, "append(l, i)", "");
	patched_free(p);
}

static void assert_calls(const struct patched *p, const char *text, const char *expected)
{
	struct limits limits = *limits_default();
	struct adapted_place at = place_in(p, &limits, "wake");
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *all = NULL;

	g_ptr_array_add(variables, (gpointer) "i->key");
	g_ptr_array_add(variables, (gpointer) "waiting");
	adapted_calls(&at, text, image_function_named(p->im, "raise")->hi - 1, variables, add_text,
		      texts);
	all = joined(texts);
	assert_string_equal(all, expected);
}

static void calls_take_variables_of_the_place(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	assert_calls(p, "from = take(from, i)", "take(waiting, i)");
	assert_calls(p, "append(to, i)", "append(waiting, i)");
	assert_calls(p, "take(waiting, i)", "take(waiting, i)");
	/* two variables are too many, and this is no call */
	assert_calls(p, "append(from, to)", "");
	assert_calls(p, "from = to", "");
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_have_a_way_back),
		cmocka_unit_test(calls_take_variables_of_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
