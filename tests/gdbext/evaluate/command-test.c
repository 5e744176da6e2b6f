/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `gdb-why evaluate' in this process, with the made-up subjects of subjects.sh: what it writes, and
 * what it says when it cannot.  timeout: 120
 */
#include "gdbext/command/evaluate.h"
#include "gdbext/evaluate/difference.h"
#include "gdbext/evaluate/foreign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* The command, with the folder of this test in the place of %s.  The exit status; *said: the
 * sentence, free it. */
static int evaluate(const char *folder, const char *words, char **said)
{
	g_autoptr(GString) line = g_string_new("gdb-why evaluate ");
	g_auto(GStrv) argv = NULL;
	g_autofree char **copy = NULL;
	char **given;
	struct options o;
	GError *error = NULL;
	int n, status;

	g_string_append(line, words);
	g_string_replace(line, "%s", folder, 0);
	assert_true(g_shell_parse_argv(line->str, &n, &argv, NULL));
	given = copy = g_memdup2(argv, sizeof(*argv) * (size_t)(n + 1));
	assert_true(options_parse(&n, &given, &o, &error));
	status = evaluate_command(&o, &error);
	options_clear(&o);
	*said = g_strdup(error ? error->message : "");
	g_clear_error(&error);
	return status;
}

static void expect(const char *folder, const char *words, int status, const char *sentence)
{
	g_autofree char *said = NULL;
	int got = evaluate(folder, words, &said);

	if (got != status || !strstr(said, sentence))
		fail_msg("%s: status %d, %s", words, got, said);
}

static int make_subjects(void **state)
{
	char *folder = g_dir_make_tmp("gdb-why-test-XXXXXX", NULL);
	g_autofree char *script = g_strdup_printf(
		". tests/gdbext/evaluate/subjects.sh && make_subject %s/mid && make_siemens %s/sir "
		"&& "
		"make_unix %s/unix && make_codeflaws %s/flaws && make_cpack %s/pack && "
		"make_coverage %s/foreign && make_declared %s/declared %s/uses",
		folder, folder, folder, folder, folder, folder, folder, folder);
	const char *argv[] = { "bash", "-c", script, NULL };
	int status = 1;

	*state = folder;
	g_setenv("XDG_CACHE_HOME", folder, TRUE);
	if (g_getenv("WHY_AGENT"))
		g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	return !g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
			     &status, NULL) ||
	       status != 0;
}

static int remove_subjects(void **state)
{
	const char *argv[] = { "rm", "-rf", *state, NULL };

	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
		     NULL);
	g_free(*state);
	return 0;
}

static char *read_below(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("there is no %s", path);
	return text;
}

static void measures_and_merges(void **state)
{
	g_autofree char *one = NULL, *both = NULL;

	expect(*state, "--techniques ochiai,jaccard,cp --sizes 100,50 -o %s/one %s/mid", 0, "");
	expect(*state, "--techniques ochiai,jaccard,cp --sizes 100,50 --shard 1/2 -o %s/s1 %s/mid",
	       0, "");
	expect(*state, "--techniques ochiai,jaccard,cp --sizes 100,50 --shard 2/2 -o %s/s2 %s/mid",
	       0, "");
	expect(*state, "--merge -o %s/both %s/s1 %s/s2", 0, "");
	one = read_below(*state, "one/results.csv");
	both = read_below(*state, "both/results.csv");
	assert_string_equal(one, both);
	assert_non_null(strstr(one, "mid,v1,1,0,100,0,27,"));
	/* once more: nothing is left to do */
	expect(*state, "--techniques ochiai,jaccard,cp --sizes 100,50 -o %s/one %s/mid", 0, "");
	expect(*state, "--sizes 100 -o %s/one %s/mid", 2, "made with other options");
	expect(*state, "--merge -o %s/all %s/nowhere", 2, "is not the --output folder");
}

/* Each version, with how many faults it has. */
static char *faults_in(const char *table)
{
	g_auto(GStrv) rows = g_strsplit(table, "\n", -1);
	GString *out = g_string_new(NULL);

	for (char **row = rows; *row && **row; row++) {
		g_auto(GStrv) cells = g_strsplit(*row, ",", -1);

		assert_true(g_strv_length(cells) > 3);
		g_string_append_printf(out, "%s,%s\n", cells[1], cells[2]);
	}
	return g_string_free(out, FALSE);
}

/* A faulty line without code counts as the lines that use what it declares. */
static void follows_lines_without_code(void **state)
{
	g_autofree char *declared = NULL, *uses = NULL, *faults = NULL, *expected = NULL;

	expect(*state, "--techniques ochiai -o %s/declared.out %s/declared", 0, "");
	expect(*state, "--techniques ochiai -o %s/uses.out %s/uses", 0, "");
	declared = read_below(*state, "declared.out/results.csv");
	uses = read_below(*state, "uses.out/results.csv");
	faults = faults_in(declared);
	expected = faults_in(uses);
	assert_string_equal(faults, expected);
	assert_non_null(strstr(faults, "macro,3\n"));
}

/* With techniques that explain failing tests. */
static void measures_explanations(void **state)
{
	g_autofree char *table = NULL;

	expect(*state, "--techniques ofc,ochiai --failing 1 -o %s/explained %s/uses", 0, "");
	table = read_below(*state, "explained/results.csv");
	assert_non_null(strstr(table, ",ofc,"));
}

static void shows_what_was_measured(void **state)
{
	g_autofree char *page = NULL, *matrix = NULL, *dot = g_find_program_in_path("dot");

	expect(*state, "-o %s/full %s/mid", 0, "");
	expect(*state, "--table --page %s/page.html --graph %s/m.csv %s/full", 0, "");
	expect(*state, "--which Gtheory --graph %s/theory.dot %s/full", 0, "");
	expect(*state, "--which Gtypical --graph %s/typical.dot %s/full", 0, "");
	expect(*state, "--list %s/mid", 0, "");
	if (dot) {
		g_autofree char *svg = NULL;

		expect(*state, "--graph %s %s/full", 0, "");
		svg = read_below(*state, "Gcrash.svg");
		assert_non_null(strstr(svg, "<svg"));
	}
	page = read_below(*state, "page.html");
	matrix = read_below(*state, "m.csv");
	assert_non_null(strstr(page, "<td>Ochiai</td><td>5</td>"));
	assert_non_null(strstr(page, "Gnon-single: versions with several faulty lines"));
	assert_non_null(strstr(matrix, "Gtheory,Naish1,Ochiai,"));
	expect(*state, "--which Gnone --graph %s/x.dot %s/full", 2, "There is no graph `Gnone'");
	expect(*state, "--techniques ochiai -o %s/few %s/mid", 0, "");
	expect(*state, "--graph %s/x.dot %s/few", 2, "measure with --techniques all");
	expect(*state, "--graph %s/x.png %s/full", 2, "ends in .svg, .dot or .csv");
	expect(*state, "--table %s/mid", 2, "There are no measurements");
}

static void imports_layouts(void **state)
{
	static const char *const layouts[] = { "sir", "unix", "flaws", "pack", "foreign" };

	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++) {
		g_autofree char *words = g_strdup_printf("--techniques naish2 -o %%s/%s.out %%s/%s",
							 layouts[i], layouts[i]);
		g_autofree char *results = g_strdup_printf("%s.out/results.csv", layouts[i]);
		g_autofree char *skipped = g_strdup_printf("%s.out/skipped.csv", layouts[i]);
		g_autofree char *rows = NULL, *why = NULL;

		expect(*state, words, 0, "");
		rows = read_below(*state, results);
		why = read_below(*state, skipped);
		assert_non_null(strstr(rows, ",Naish2,best,"));
		assert_string_equal(why, "subject,version,reason\n");
	}
}

static void says_what_is_wrong(void **state)
{
	expect(*state, "-o %s/x", 2, "no subject was named");
	expect(*state, "-o %s/x %s/nowhere", 2, "is no subject of an evaluation");
	expect(*state, "-o %s/x %s/mid %s/mid", 2, "there are two subjects mid");
	expect(*state, "--shard 0/2 -o %s/x %s/mid", 2, "--shard takes I/N");
	expect(*state, "--sizes 0 -o %s/x %s/mid", 2, "--sizes takes percentages");
	expect(*state, "--techniques guess -o %s/x %s/mid", 2, "There is no technique");
}

static void finds_differences(void **state)
{
	struct difference *d = difference_new("a\nb\nc\n", "a\nx\nc\n\n");

	(void)state;
	assert_int_equal(d->lines->len, 1);
	assert_int_equal(g_array_index(d->lines, unsigned, 0), 2);
	assert_false(d->omission);
	difference_free(d);
	d = difference_new("a\nb\nc\n", "a\nc\n");
	assert_true(d->omission);
	assert_int_equal(g_array_index(d->lines, unsigned, 0), 2);
	difference_free(d);
	d = difference_new("a\n  b\n", "a\nb\n\n");
	assert_int_equal(d->lines->len, 0);
	assert_false(d->omission);
	difference_free(d);
}

static void reads_places_of_other_languages(void **state)
{
	static const struct {
		const char *text, *file;
		unsigned line;
	} lines[] = {
		{ "org.x$Foo#bar(int):12", "org/x/Foo", 12 },
		{ "org.x$Foo$Inner#bar():3", "org/x/Foo", 3 },
		{ "a/b.py:7", "a/b.py", 7 },
		{ "org/x/Foo.java#9", "org/x/Foo.java", 9 },
	};
	static const char *const wrong[] = { "", "name", "a.c", "a.c:0", "a.c:x", ":3" };
	unsigned line;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *file = NULL;

		assert_true(foreign_read_line(lines[i].text, &file, &line));
		assert_string_equal(file, lines[i].file);
		assert_int_equal(line, lines[i].line);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		char *file;

		assert_false(foreign_read_line(wrong[i], &file, &line));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measures_and_merges),
		cmocka_unit_test(follows_lines_without_code),
		cmocka_unit_test(measures_explanations),
		cmocka_unit_test(shows_what_was_measured),
		cmocka_unit_test(imports_layouts),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(finds_differences),
		cmocka_unit_test(reads_places_of_other_languages),
	};

	return cmocka_run_group_tests(tests, make_subjects, remove_subjects);
}
