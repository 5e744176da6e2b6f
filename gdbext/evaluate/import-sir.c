/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIR, the Software-artifact Infrastructure Repository (Do, Elbaum, Rothermel):
 *
 *     source.alt/source.orig                the right program
 *     versions.alt/versions.XXX/vN          a faulty version; or, with FaultSeeds.h, a release
 *                                           in which each #define of that file is a fault
 *     testplans.alt/universe                a test a line: arguments and redirections, or
 *                                           fields (sir-plan.h); or
 *     testplans.alt/vN/NAME.universe        those of a release
 *     inputs                                where tests run
 */
#include "gdbext/evaluate/import-private.h"

#include "gdbext/evaluate/sir-plan.h"
#include "gdbext/evaluate/subject.h"

#include <string.h>

static const char seeds[] = "FaultSeeds.h";

bool import_is_sir(const char *folder)
{
	g_autofree char *versions = g_build_filename(folder, "versions.alt", NULL);

	return sir_plan_exists(folder) && g_file_test(versions, G_FILE_TEST_IS_DIR);
}

/* ---- versions ---- */

/* Where the right program is. */
static char *find_source(const char *folder)
{
	static const char *const names[] = { "source.alt/source.orig", "source.alt", "source" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);
		g_autoptr(GPtrArray) files = import_names(path, "*.c");

		if (files->len)
			return g_steal_pointer(&path);
	}
	return NULL;
}

static void import_plain_program(struct import *im, const char *folder, const char *name,
				 const char *source)
{
	g_autoptr(GPtrArray) c = import_names(folder, "*.c");
	g_autoptr(GPtrArray) h = import_names(folder, "*.h");
	g_autoptr(GString) lines = g_string_new(NULL);
	bool omission = false;

	g_ptr_array_extend_and_steal(c, g_steal_pointer(&h));
	for (guint i = 0; source && i < c->len; i++) {
		g_autofree char *right = g_build_filename(source, c->pdata[i], NULL);
		g_autofree char *wrong = g_build_filename(folder, c->pdata[i], NULL);

		import_differences(right, wrong, c->pdata[i], lines, &omission);
	}
	import_add(im, name, lines->str, omission);
}

/* Goes through a source line by line, with what is open of the fault's own condition. */
struct section {
	const char *fault;
	unsigned depth; /* of all conditions */
	unsigned own;	/* depth of the fault's; 0 = outside */
	bool faulty;	/* the lines here are compiled with the fault */
	unsigned lines; /* faulty ones in this section */
	bool missing;	/* it has lines that are compiled without the fault */
};

/* Is the fault's name a word of the condition? */
static bool names_fault(const char *text, const char *fault)
{
	g_autofree char *pattern = g_strdup_printf("\\b%s\\b", fault);

	return g_regex_match_simple(pattern, text, 0, 0);
}

static void begin_section(struct section *s, const char *directive)
{
	bool is_not = g_regex_match_simple("^#\\s*ifndef|!\\s*defined", directive, 0, 0);

	s->depth++;
	if (s->own || !names_fault(directive, s->fault))
		return;
	s->own = s->depth;
	s->faulty = !is_not;
	s->lines = 0;
	s->missing = false;
}

static void add_faulty_place(GString *lines, const char *file, unsigned line)
{
	g_string_append_printf(lines, "%s%s:%u", lines->len ? "," : "", file, line);
}

static void read_directive(struct section *s, const char *text, const char *file, unsigned line,
			   GString *lines, bool *omission)
{
	if (g_regex_match_simple("^#\\s*if", text, 0, 0)) {
		begin_section(s, text);
	} else if (g_regex_match_simple("^#\\s*el", text, 0, 0)) {
		s->faulty ^= s->own && s->own == s->depth;
	} else if (g_regex_match_simple("^#\\s*endif", text, 0, 0)) {
		if (s->own && s->own == s->depth) {
			if (!s->lines && s->missing) {
				*omission = true;
				add_faulty_place(lines, file, line + 1);
			}
			s->own = 0;
		}
		s->depth -= s->depth > 0;
	}
}

static void read_fault_source(const char *path, const char *file, const char *fault, GString *lines,
			      bool *omission)
{
	struct section s = { .fault = fault };
	g_autofree char *text = NULL;
	g_auto(GStrv) rows = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	rows = g_strsplit(text, "\n", -1);
	for (unsigned i = 0; rows[i]; i++) {
		const char *row = g_strstrip(rows[i]);

		if (*row == '#' && !g_regex_match_simple("^#\\s*define", row, 0, 0)) {
			read_directive(&s, row, file, i + 1, lines, omission);
		} else if (s.own && *row && s.faulty) {
			s.lines++;
			add_faulty_place(lines, file, i + 1);
		} else if (s.own && *row) {
			s.missing = true;
		}
	}
}

/* The names in FaultSeeds.h, whether they are defined there or stand in a comment. */
static GPtrArray *read_seeds(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *path = g_build_filename(folder, seeds, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GRegex) regex = g_regex_new("#\\s*define\\s+(\\w+)", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return names;
	g_regex_match(regex, text, 0, &found);
	for (; g_match_info_matches(found); g_match_info_next(found, NULL))
		g_ptr_array_add(names, g_match_info_fetch(found, 1));
	return names;
}

static void add_seeded(struct import *im, const char *folder, const char *name)
{
	g_autoptr(GPtrArray) faults = read_seeds(folder);
	g_autoptr(GPtrArray) files = import_names(folder, "*");

	for (guint f = 0; f < faults->len; f++) {
		g_autofree char *version = g_strdup_printf("%s.%s", name, (char *)faults->pdata[f]);
		g_autoptr(GString) lines = g_string_new(NULL);
		bool omission = false;

		for (guint i = 0; i < files->len; i++) {
			const char *file = files->pdata[i];
			g_autofree char *path = g_build_filename(folder, file, NULL);

			if ((g_str_has_suffix(file, ".c") || g_str_has_suffix(file, ".h")) &&
			    strcmp(file, seeds) != 0)
				read_fault_source(path, file, faults->pdata[f], lines, &omission);
		}
		import_add(im, version, lines->str, omission);
	}
}

/* The script that builds a version, and the right program beside it.  A seeded version is copied,
 * because its FaultSeeds.h has to be another. */
static const char build_script[] =
	"# Made by gdb-why evaluate: builds one version of a subject in SIR's layout.\n"
	"# $VERSION is vN, or vN.FAULT of a release with FaultSeeds.h; $OUT is where it goes.\n"
	"set -eu\n"
	"release=${VERSION%%.*} fault=${VERSION#*.}\n"
	"for from in \"$ROOT\"/versions.alt/*/\"$release\"; do\n"
	"	[ ! -e \"$from/FaultSeeds.h\" ] || break\n"
	"done\n"
	"compile_as() { # STANDARD FOLDER PROGRAM\n"
	"	gcc -w -g -O0 -std=\"$1\" ${SIR_CFLAGS-} -I \"$2\" -o \"$3\" \"$2\"/*.c "
	"${SIR_LIBS--lm}\n"
	"}\n"
	"compile() { # FOLDER PROGRAM: old C, and else C of today\n"
	"	compile_as gnu89 \"$@\" || compile_as gnu17 \"$@\"\n"
	"}\n"
	"if [ -e \"$from/FaultSeeds.h\" ]; then\n"
	"	rm -rf \"$OUT/$VERSION.src\"\n"
	"	cp -r \"$from\" \"$OUT/$VERSION.src\"\n"
	"	: >\"$OUT/$VERSION.src/FaultSeeds.h\"\n"
	"	compile \"$OUT/$VERSION.src\" \"$OUT/$VERSION.right\"\n"
	"	echo \"#define $fault\" >\"$OUT/$VERSION.src/FaultSeeds.h\"\n"
	"	compile \"$OUT/$VERSION.src\" \"$OUT/$VERSION\"\n"
	"else\n"
	"	compile \"$SOURCE\" \"$OUT/$VERSION.right\"\n"
	"	compile \"$from\" \"$OUT/$VERSION\"\n"
	"fi\n";

static void set_conf(struct import *im, const char *folder, const char *source)
{
	g_autofree char *inputs = g_build_filename(folder, "inputs", NULL);
	g_autofree char *root = g_shell_quote(folder);
	g_autofree char *right = g_shell_quote(source ? source : "");

	import_set(im, "build-version", "ROOT=%s SOURCE=%s sh {folder}/build.sh", root, right);
	import_set(im, "program", "{out}/{version}");
	import_set(im, "golden", "{out}/{version}.right");
	import_set(im, "suite", sir_plan_is_by_release(folder) ? "{version}.txt" : "suite.txt");
	import_set(im, "directory", "%s",
		   g_file_test(inputs, G_FILE_TEST_IS_DIR) ? inputs : folder);
}

/* The folders vN, char *. */
static GPtrArray *find_version_folders(const char *folder)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *all = g_build_filename(folder, "versions.alt", NULL);
	g_autoptr(GPtrArray) kinds = import_names(all, "*");

	for (guint k = 0; k < kinds->len; k++) {
		g_autofree char *kind = g_build_filename(all, kinds->pdata[k], NULL);
		g_autoptr(GPtrArray) names = import_names(kind, "v*");

		for (guint i = 0; i < names->len; i++)
			g_ptr_array_add(paths, g_build_filename(kind, names->pdata[i], NULL));
	}
	return paths;
}

/* Beside releases with seeded faults, those without any are no faulty versions. */
static void add_versions(struct import *im, const char *folder, const char *source)
{
	g_autoptr(GPtrArray) paths = find_version_folders(folder);
	bool seeded = false;

	for (unsigned round = 0; round < 2 && !(round && seeded); round++) {
		for (guint i = 0; i < paths->len; i++) {
			const char *path = paths->pdata[i];
			g_autofree char *name = g_path_get_basename(path);
			g_autofree char *faults = g_build_filename(path, seeds, NULL);

			if (round)
				import_plain_program(im, path, name, source);
			else if (g_file_test(faults, G_FILE_TEST_EXISTS))
				add_seeded(im, path, name);
			seeded |= g_file_test(faults, G_FILE_TEST_EXISTS);
		}
	}
}

/* Is it the release itself, or one of its faults (vN.FAULT)? */
static bool is_of_release(const char *version, const char *release)
{
	size_t n = strlen(release);

	return strncmp(version, release, n) == 0 && (!version[n] || version[n] == '.');
}

static bool put_release_suite(const struct import *im, const char *release, const char *suite,
			      GError **error)
{
	GHashTableIter iter;
	gpointer version;

	g_hash_table_iter_init(&iter, im->known);
	while (g_hash_table_iter_next(&iter, &version, NULL)) {
		g_autofree char *file = g_strdup_printf("%s.txt", (char *)version);

		if (is_of_release(version, release) && !import_put(im, file, suite, error))
			return false;
	}
	return true;
}

/* Writes the suites: one for all, or one for each version.  Says how many tests are left out. */
static bool put_suites(const struct import *im, const char *folder, GError **error)
{
	g_autoptr(GPtrArray) paths = find_version_folders(folder);
	g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool by_release = sir_plan_is_by_release(folder), ok = true;
	unsigned left_out = 0;

	for (guint i = 0; ok && i < (by_release ? paths->len : 1); i++) {
		g_autofree char *release = g_path_get_basename(by_release ? paths->pdata[i] : "");
		g_autofree char *suite = NULL;

		if (!g_hash_table_add(done, g_strdup(release)))
			continue;
		suite = sir_plan_suite(folder, release, &left_out, error);
		ok = suite && (by_release ? put_release_suite(im, release, suite, error)
					  : import_put(im, "suite.txt", suite, error));
	}
	if (left_out)
		g_printerr("gdb-why: %s: %u test%s left out: a script of theirs is not there, or "
			   "another program is their driver.\n",
			   im->folder, left_out, left_out == 1 ? " is" : "s are");
	return ok;
}

char *import_sir(const char *folder, const char *out, GError **error)
{
	g_autofree char *name = g_path_get_basename(folder);
	g_autofree char *source = find_source(folder);
	struct import *im = import_new(out, name);

	set_conf(im, folder, source);
	add_versions(im, folder, source);
	if (put_suites(im, folder, error) && import_put(im, "build.sh", build_script, error))
		return import_finish(im, "SIR", error);
	import_free(im);
	return NULL;
}
