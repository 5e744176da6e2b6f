/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every transcript of tests/mi, what GDB said in it: fed whole, byte by byte and
 * in random pieces it gives the same records, and so does what they print.
 *
 * A transcript states what it holds: lines `= ...' are its records one by one
 * (as mi_record_dump writes them), or a remark `# holds result 3, ...' has their
 * number by kind.
 */
#include "mi/transcript.h"
#include "tests/support/mi.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "tests/mi"
#define SPLITS 20
#define TRANSCRIPTS_MIN 30

static GString *said_by_gdb(const char *path)
{
	g_autoptr(GError) error = NULL;
	GArray *turns = mi_transcript_read(path, &error);
	GString *said = g_string_new(NULL);

	if (!turns)
		fail_msg("%s", error->message);
	for (guint i = 0; i < turns->len; i++) {
		const struct mi_turn *turn = &g_array_index(turns, struct mi_turn, i);
		size_t n;
		const char *text = g_bytes_get_data(turn->text, &n);

		if (turn->mark != '<' && turn->mark != '!')
			continue;
		g_string_append_len(said, text, (gssize)n);
		if (turn->mark == '<')
			g_string_append_c(said, '\n');
	}
	g_array_unref(turns);
	return said;
}

/* The rest of the lines that begin so, one a line; NULL when there is none. */
static char *lines_with(const char *path, const char *beginning)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GString) found = g_string_new(NULL);
	size_t n;

	assert_true(g_file_get_contents(path, &text, &n, NULL));
	for (size_t i = 0; i < n; i++) {
		if (!text[i])
			text[i] = 1;
	}
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (g_str_has_prefix(*line, beginning))
			g_string_append_printf(found, "%s\n", *line + strlen(beginning));
	}
	return found->len ? g_string_free(g_steal_pointer(&found), FALSE) : NULL;
}

static char *count_kinds(const GPtrArray *records)
{
	unsigned counts[MI_TARGET_OUTPUT + 1] = { 0 };
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < records->len; i++)
		counts[((struct mi_record *)g_ptr_array_index(records, i))->kind]++;
	for (unsigned kind = 0; kind <= MI_TARGET_OUTPUT; kind++) {
		if (counts[kind])
			g_string_append_printf(text, "%s%s %u", text->len ? ", " : "",
					       mi_record_kind_name(kind), counts[kind]);
	}
	g_string_append_c(text, '\n');
	return g_string_free(text, FALSE);
}

static void holds_what_it_states(void **state)
{
	const char *path = *state;
	g_autoptr(GString) said = said_by_gdb(path);
	g_autoptr(GPtrArray) records = test_mi_parse(said->str, said->len, TEST_MI_WHOLE, NULL, 0);
	g_autofree char *listed = lines_with(path, "= ");
	g_autofree char *counted = lines_with(path, "# holds ");
	g_autofree char *dump = test_mi_dump(records);
	g_autofree char *kinds = count_kinds(records);

	if (!listed && !counted)
		fail_msg("%s does not state what it holds; it is: %s", path, kinds);
	if (listed)
		assert_string_equal(dump, listed);
	if (counted)
		assert_string_equal(kinds, counted);
}

static void any_pieces_give_the_same(void **state)
{
	const char *path = *state;
	g_autoptr(GString) said = said_by_gdb(path);
	g_autoptr(GPtrArray) whole = test_mi_parse(said->str, said->len, TEST_MI_WHOLE, NULL, 0);
	g_autoptr(GPtrArray) bytes = test_mi_parse(said->str, said->len, 1, NULL, 0);

	test_mi_assert_same(whole, bytes, "byte by byte");
	for (guint32 seed = 1; seed <= SPLITS; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GPtrArray) pieces = test_mi_parse(said->str, said->len, 0, random, 0);

		test_mi_assert_same(whole, pieces, "in random pieces");
	}
}

static void printing_is_stable(void **state)
{
	const char *path = *state;
	g_autoptr(GString) said = said_by_gdb(path);
	g_autoptr(GPtrArray) records = test_mi_parse(said->str, said->len, TEST_MI_WHOLE, NULL, 0);
	g_autoptr(GString) printed = test_mi_print(records);
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	g_autoptr(GPtrArray) again = test_mi_parse(printed->str, printed->len, 0, random, 0);
	g_autoptr(GString) reprinted = test_mi_print(again);

	test_mi_assert_same(records, again, "printed and read again");
	assert_string_equal(printed->str, reprinted->str);
}

static void add(GArray *tests, const char *name, CMUnitTestFunction function, char *path)
{
	struct CMUnitTest test = {
		.name = g_strdup_printf("%s: %s", path, name),
		.test_func = function,
		.initial_state = path,
	};

	g_array_append_val(tests, test);
}

static void clear_test(gpointer test)
{
	g_free((char *)((struct CMUnitTest *)test)->name);
}

int main(void)
{
	g_autoptr(GArray) tests = g_array_new(FALSE, FALSE, sizeof(struct CMUnitTest));
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, NULL);
	const char *name;

	g_array_set_clear_func(tests, clear_test);
	while (folder && (name = g_dir_read_name(folder))) {
		char *path = g_strdup_printf("%s/%s", FOLDER, name);

		g_ptr_array_add(paths, path);
		if (!g_str_has_suffix(name, ".mi"))
			continue;
		add(tests, "states", holds_what_it_states, path);
		add(tests, "pieces", any_pieces_give_the_same, path);
		add(tests, "prints", printing_is_stable, path);
	}
	if (tests->len < 3 * TRANSCRIPTS_MIN) {
		g_printerr("only %u tests in %s (run from the project's root)\n", tests->len,
			   FOLDER);
		return 1;
	}
	return _cmocka_run_group_tests("transcripts", (struct CMUnitTest *)tests->data, tests->len,
				       NULL, NULL);
}
