/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layouts in which each faulty program stands beside the right one, and is one file.
 *
 *     Codeflaws (Tan et al., ICSE 2017): a folder PROBLEM-bug-WRONG-RIGHT each, with
 *     PROBLEM-WRONG.c, PROBLEM-RIGHT.c, and tests input-posN, input-negN, heldout-input-posN …
 *
 *     C-Pack-IPAs (Orvalho et al.): semantically_incorrect_submissions/YEAR/LAB/EX/NAME.c or
 *     NAME/NAME.c, with the right program NAME/NAME_fixed.c, and inputs tests/LAB/EX/NAME.in
 */
#include "gdbext/evaluate/import-private.h"

#include <string.h>

static void set_builds(struct import *im)
{
	import_set(
		im, "build-version", "%s",
		"gcc -w -g -O0 -std=gnu11 -o {out}/{version} {folder}/programs/{version}/wrong.c "
		"-lm && gcc -w -g -O0 -std=gnu11 -o {out}/{version}.right "
		"{folder}/programs/{version}/right.c -lm");
	import_set(im, "program", "{out}/{version}");
	import_set(im, "golden", "{out}/{version}.right");
	import_set(im, "suite", "suites/{version}.txt");
	import_set(im, "file", "wrong.c");
}

/* Copies both programs to the subject, where their names do not matter. */
static bool put_programs(const struct import *im, const char *version, const char *wrong,
			 const char *right, GError **error)
{
	g_autofree char *bad = NULL, *good = NULL;
	g_autofree char *to_bad = g_strdup_printf("programs/%s/wrong.c", version);
	g_autofree char *to_good = g_strdup_printf("programs/%s/right.c", version);

	return g_file_get_contents(wrong, &bad, NULL, error) &&
	       g_file_get_contents(right, &good, NULL, error) &&
	       import_put(im, to_bad, bad, error) && import_put(im, to_good, good, error);
}

/* A test for each file of inputs. */
static void add_tests(const char *folder, const char *pattern, GString *suite)
{
	g_autoptr(GPtrArray) names = import_names(folder, pattern);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		g_autofree char *quoted = g_shell_quote(path);

		g_string_append_printf(suite, "{} <%s\n", quoted);
	}
}

/* False with error: a file cannot be read or written. */
static bool import_pair(struct import *im, const char *version, const char *wrong,
			const char *right, const char *suite, GError **error)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autofree char *name = g_strdup_printf("suites/%s.txt", version);
	bool omission = false;

	if (!*suite || !import_differences(right, wrong, "wrong.c", lines, &omission))
		return true;
	import_add(im, version, lines->str, omission);
	return put_programs(im, version, wrong, right, error) && import_put(im, name, suite, error);
}

/* ---- Codeflaws ---- */

static const char codeflaws[] = "*-bug-*";

bool import_is_codeflaws(const char *folder)
{
	g_autofree char *name = g_path_get_basename(folder);
	g_autoptr(GPtrArray) names = import_names(folder, codeflaws);
	g_autoptr(GPtrArray) inputs = import_names(folder, "input-*");

	return names->len || (inputs->len && g_pattern_match_simple(codeflaws, name));
}

/* name: "71-A-bug-18359456-18359477" */
static bool add_flaw(struct import *im, const char *folder, const char *name, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(name, "-bug-", 2);
	g_auto(GStrv) numbers = g_strsplit(parts[1] ? parts[1] : "", "-", 2);
	g_autoptr(GString) suite = g_string_new(NULL);
	g_autofree char *bad = NULL, *good = NULL, *wrong = NULL, *right = NULL;

	if (!parts[1] || !numbers[0] || !numbers[1])
		return true;
	bad = g_strdup_printf("%s-%s.c", parts[0], numbers[0]);
	good = g_strdup_printf("%s-%s.c", parts[0], numbers[1]);
	wrong = g_build_filename(folder, bad, NULL);
	right = g_build_filename(folder, good, NULL);
	add_tests(folder, "input-*", suite);
	add_tests(folder, "heldout-input-*", suite);
	return import_pair(im, name, wrong, right, suite->str, error);
}

char *import_codeflaws(const char *folder, const char *out, GError **error)
{
	struct import *im = import_new(out, "codeflaws");
	g_autoptr(GPtrArray) names = import_names(folder, codeflaws);
	g_autofree char *own = g_path_get_basename(folder);
	bool ok = true;

	set_builds(im);
	for (guint i = 0; ok && i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);

		ok = add_flaw(im, path, names->pdata[i], error);
	}
	if (!names->len)
		ok = add_flaw(im, folder, own, error);
	if (ok)
		return import_finish(im, "Codeflaws", error);
	import_free(im);
	return NULL;
}

/* ---- C-Pack-IPAs ---- */

static const char submissions[] = "semantically_incorrect_submissions";

bool import_is_cpack(const char *folder)
{
	g_autofree char *wrong = g_build_filename(folder, submissions, NULL);
	g_autofree char *tests = g_build_filename(folder, "tests", NULL);

	return g_file_test(wrong, G_FILE_TEST_IS_DIR) && g_file_test(tests, G_FILE_TEST_IS_DIR);
}

struct exercise {
	const char *root, *year, *lab, *ex;
};

static bool add_submission(struct import *im, const struct exercise *x, const char *folder,
			   const char *name, const char *suite, GError **error)
{
	g_autofree char *file = g_strconcat(name, ".c", NULL);
	g_autofree char *fixed = g_strconcat(name, "_fixed.c", NULL);
	g_autofree char *beside = g_build_filename(folder, file, NULL);
	g_autofree char *below = g_build_filename(folder, name, file, NULL);
	g_autofree char *right = g_build_filename(folder, name, fixed, NULL);
	g_autofree char *version = g_strdup_printf("%s-%s-%s", x->year, x->lab, name);
	bool is_below = g_file_test(below, G_FILE_TEST_EXISTS);

	return import_pair(im, version, is_below ? below : beside, right, suite, error);
}

static bool add_exercise(struct import *im, const struct exercise *x, GError **error)
{
	g_autofree char *folder =
		g_build_filename(x->root, submissions, x->year, x->lab, x->ex, NULL);
	g_autofree char *tests = g_build_filename(x->root, "tests", x->lab, x->ex, NULL);
	g_autofree char *dated = g_build_filename(x->root, "tests", x->year, x->lab, x->ex, NULL);
	g_autoptr(GPtrArray) names = import_names(folder, "*");
	g_autoptr(GString) suite = g_string_new(NULL);
	bool ok = true;

	add_tests(tests, "*.in", suite);
	if (!suite->len)
		add_tests(dated, "*.in", suite);
	for (guint i = 0; ok && i < names->len; i++)
		if (!g_str_has_suffix(names->pdata[i], ".c"))
			ok = add_submission(im, x, folder, names->pdata[i], suite->str, error);
	return ok;
}

char *import_cpack(const char *folder, const char *out, GError **error)
{
	struct import *im = import_new(out, "c-pack-ipas");
	g_autofree char *root = g_build_filename(folder, submissions, NULL);
	g_autoptr(GPtrArray) years = import_names(root, "*");
	bool ok = true;

	set_builds(im);
	for (guint y = 0; y < years->len; y++) {
		g_autofree char *year = g_build_filename(root, years->pdata[y], NULL);
		g_autoptr(GPtrArray) labs = import_names(year, "*");

		for (guint l = 0; l < labs->len; l++) {
			g_autofree char *lab = g_build_filename(year, labs->pdata[l], NULL);
			g_autoptr(GPtrArray) exercises = import_names(lab, "*");

			for (guint e = 0; ok && e < exercises->len; e++) {
				struct exercise x = { folder, years->pdata[y], labs->pdata[l],
						      exercises->pdata[e] };

				ok = add_exercise(im, &x, error);
			}
		}
	}
	if (ok)
		return import_finish(im, "C-Pack-IPAs", error);
	import_free(im);
	return NULL;
}
