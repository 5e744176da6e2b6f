/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIR, the Software-artifact Infrastructure Repository (Do, Elbaum, Rothermel):
 *
 *     source.alt/source.orig                the right program
 *     versions.alt/versions.XXX/vN          a faulty version; or, with FaultSeeds.h, a release
 *                                           in which each #define of that file is a fault
 *     testplans.alt/universe                a test a line: arguments and redirections, or
 *                                           -P[ARGUMENTS]
 *     inputs                                where tests run
 */
#include "gdbext/evaluate/import-private.h"

#include "gdbext/evaluate/subject.h"

#include <string.h>

static const char seeds[] = "FaultSeeds.h";

static char *find_universe(const char *folder)
{
	g_autofree char *plans = g_build_filename(folder, "testplans.alt", NULL);
	static const char *const patterns[] = { "universe", "universe*", "*universe*" };

	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
		g_autoptr(GPtrArray) names = import_names(plans, patterns[i]);

		for (guint k = 0; k < names->len; k++) {
			g_autofree char *path = g_build_filename(plans, names->pdata[k], NULL);

			if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
				return g_steal_pointer(&path);
		}
	}
	return NULL;
}

bool import_is_sir(const char *folder)
{
	g_autofree char *versions = g_build_filename(folder, "versions.alt", NULL);
	g_autofree char *universe = find_universe(folder);

	return universe && g_file_test(versions, G_FILE_TEST_IS_DIR);
}

/* ---- the suite ---- */

/* In a line of ours, {} is the program; the word stays the same with its quotes closed and opened
 * between the two. */
static void append_words(const char *text, GString *out)
{
	char quote = '\0';

	for (; *text; text++) {
		if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? '\0' : *text;
		g_string_append_c(out, *text);
		if (*text == '{' && text[1] == '}')
			g_string_append(out, quote == '"' ? "\"\"" : "''");
	}
}

/* What stands in -P[…]; a line without fields is arguments alone.  NULL: it has other fields. */
static char *arguments_of(const char *line)
{
	size_t n = strlen(line);

	if (!g_regex_match_simple("^-[A-Z]\\[", line, 0, 0))
		return g_strdup(line);
	if (line[1] != 'P' || line[n - 1] != ']' ||
	    g_regex_match_simple("\\]\\s*-[A-Z]\\[", line, 0, 0))
		return NULL;
	return g_strndup(line + 3, n - 4);
}

static char *make_suite(const char *universe, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	bool has_fields;
	GString *suite;

	if (!g_file_get_contents(universe, &text, NULL, error))
		return NULL;
	suite = g_string_new(NULL);
	lines = g_strsplit(text, "\n", -1);
	has_fields = g_regex_match_simple("^\\s*-[A-Z]\\[", text, G_REGEX_MULTILINE, 0);
	for (char **line = lines; *line; line++) {
		g_autofree char *arguments = arguments_of(g_strstrip(*line));

		/* an empty line is a test without arguments where lines are nothing but these */
		if (!arguments || (!*arguments && (!line[1] || (has_fields && !**line))))
			continue;
		g_string_append(suite, "{} ");
		append_words(arguments, suite);
		g_string_append_c(suite, '\n');
	}
	return g_string_free(suite, FALSE);
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

static void add_plain(struct import *im, const char *folder, const char *name, const char *source)
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

static void add_place(GString *lines, const char *file, unsigned line)
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
				add_place(lines, file, line + 1);
			}
			s->own = 0;
		}
		s->depth -= s->depth > 0;
	}
}

static void read_source(const char *path, const char *file, const char *fault, GString *lines,
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

		if (*row == '#') {
			read_directive(&s, row, file, i + 1, lines, omission);
		} else if (s.own && *row && s.faulty) {
			s.lines++;
			add_place(lines, file, i + 1);
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
				read_source(path, file, faults->pdata[f], lines, &omission);
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
	"compile() { # FOLDER PROGRAM\n"
	"	gcc -w -g -O0 -std=gnu89 ${SIR_CFLAGS-} -I \"$1\" -o \"$2\" \"$1\"/*.c "
	"${SIR_LIBS--lm}\n"
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
	import_set(im, "suite", "suite.txt");
	import_set(im, "directory", "%s",
		   g_file_test(inputs, G_FILE_TEST_IS_DIR) ? inputs : folder);
}

/* The folders vN, char *. */
static GPtrArray *list_versions(const char *folder)
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
	g_autoptr(GPtrArray) paths = list_versions(folder);
	bool seeded = false;

	for (unsigned round = 0; round < 2 && !(round && seeded); round++) {
		for (guint i = 0; i < paths->len; i++) {
			const char *path = paths->pdata[i];
			g_autofree char *name = g_path_get_basename(path);
			g_autofree char *faults = g_build_filename(path, seeds, NULL);

			if (round)
				add_plain(im, path, name, source);
			else if (g_file_test(faults, G_FILE_TEST_EXISTS))
				add_seeded(im, path, name);
			seeded |= g_file_test(faults, G_FILE_TEST_EXISTS);
		}
	}
}

char *import_sir(const char *folder, const char *out, GError **error)
{
	g_autofree char *name = g_path_get_basename(folder);
	g_autofree char *universe = find_universe(folder);
	g_autofree char *source = find_source(folder);
	g_autofree char *suite = make_suite(universe, error);
	struct import *im;

	if (!suite)
		return NULL;
	im = import_new(out, name);
	set_conf(im, folder, source);
	add_versions(im, folder, source);
	if (import_put(im, "suite.txt", suite, error) &&
	    import_put(im, "build.sh", build_script, error))
		return import_finish(im, "SIR", error);
	import_free(im);
	return NULL;
}
