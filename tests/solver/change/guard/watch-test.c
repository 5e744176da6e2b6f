/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values a condition may compare at a place. */
#include "solver/change/guard/watch.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] = "struct text { int length, _M_length; char *_chars; };\n"
			     "int f(struct text *t)\n"
			     "{\n"
			     "	struct text copy = *t;\n"
			     "	return copy._M_length + t->length;\n"
			     "}\n"
			     "int main(void) { struct text t = { 1, 2, 0 }; return f(&t); }\n";

static bool has_watch(const GPtrArray *all, const char *text)
{
	for (guint i = 0; i < all->len; i++)
		if (strcmp(((const struct watch *)all->pdata[i])->text, text) == 0)
			return true;
	return false;
}

/* A library keeps its own values under names that C reserves for it. */
static void reserved_members_are_left_out(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "text.c", source, "cc -g -O0");
	struct image *im = image_open(path, NULL);
	g_autoptr(GPtrArray) all =
		watches_at(im, image_function_named(im, "f")->hi - 1, limits_default());

	(void)state;
	assert_true(has_watch(all, "copy.length"));
	assert_true(has_watch(all, "t->length"));
	assert_true(has_watch(all, "copy._chars"));
	assert_false(has_watch(all, "copy._M_length"));
	assert_false(has_watch(all, "t->_M_length"));
	image_free(im);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reserved_members_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
