/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that has printed something wrong is over, and is looked at less and less often before. */
#include "gdbext/replay/run/output-watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <glib/gstdio.h>

static void print_so_far(const char *folder, const char *text)
{
	g_autofree char *path = g_build_filename(folder, "out", NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* As if the run had begun so long ago, and were to be looked at now. */
static bool is_over_after(struct output_watch *w, gint64 us, gint64 *left)
{
	bool over = false;

	w->next = g_get_monotonic_time();
	w->began = w->next - us;
	*left = output_watch_look(w, &over);
	return over;
}

static void a_wrong_byte_is_enough(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("watch-XXXXXX", NULL);
	g_autofree char *out = g_build_filename(folder, "out", NULL);
	struct expected_output e = { 0 };
	struct output_watch wrong, much, nobody;
	gint64 left;

	(void)state;
	e.text[PRINTED_OUT] = g_string_new("ten\n");
	wrong = output_watch_new(&e, folder, 0);
	much = output_watch_new(&e, folder, 4);
	nobody = output_watch_new(NULL, folder, 0);
	print_so_far(folder, "te");
	assert_false(is_over_after(&wrong, 1000, &left));
	assert_false(is_over_after(&much, 1000, &left));
	print_so_far(folder, "to");
	assert_true(is_over_after(&wrong, 1000, &left));
	assert_false(is_over_after(&much, 1000, &left));
	print_so_far(folder, "too much.");
	assert_true(is_over_after(&much, 1000, &left));
	assert_false(is_over_after(&nobody, 1000, &left));
	assert_int_equal(left, -1);
	expected_clear(&e);
	g_remove(out);
	assert_int_equal(g_rmdir(folder), 0);
}

static void looks_come_later_and_later(void **state)
{
	static const struct {
		gint64 gone, left;
	} cases[] = { { 1000, 1000 }, { 4000, 4000 }, { 500000, 20000 } };
	struct expected_output e = { 0 };
	struct output_watch w = output_watch_new(&e, "/none", 0);
	bool over = false;
	gint64 left;

	(void)state;
	w.next += G_USEC_PER_SEC; /* it is not time yet */
	left = output_watch_look(&w, &over);
	assert_in_range(left, G_USEC_PER_SEC / 2, G_USEC_PER_SEC + 1000);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_false(is_over_after(&w, cases[i].gone, &left));
		/* some time passes in the test itself */
		assert_true(left >= cases[i].left && w.next > w.began + cases[i].gone);
	}
	assert_int_equal(left, 20000);
	assert_false(over);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_byte_is_enough),
		cmocka_unit_test(looks_come_later_and_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
