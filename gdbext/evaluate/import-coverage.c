/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of other languages: a folder for each version as foreign.h says, with a file
 * *.buggy.lines (Defects4J): FILE#NUMBER#TEXT each, where TEXT may be FAULT_OF_OMISSION, or
 * FILE:NUMBER. */
#include "gdbext/evaluate/import-private.h"

#include <string.h>

static bool has_coverage(const char *folder)
{
	static const char *const names[] = { "coverage.csv", "spectra.csv", "spectra" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
			return true;
	}
	return false;
}

bool import_is_coverage(const char *folder)
{
	g_autoptr(GPtrArray) names = import_names(folder, "*");

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);

		if (has_coverage(path))
			return true;
	}
	return false;
}

/* A class of GZoltar is its file without the folders of the sources and without an end. */
static char *file_of_gzoltar_class(const char *name, const char *known)
{
	g_autofree char *stem = g_strdup(name);
	char *dot = strrchr(stem, '.');

	if (!known || strstr(known, name))
		return g_strdup(name);
	if (dot)
		*dot = '\0';
	return g_steal_pointer(&stem);
}

/* "org/x/Foo.java#12#text" as "org/x/Foo:12", and "a.py:12" as a table writes it. */
static void read_coverage_line(const char *line, const char *known, GString *lines, bool *omission)
{
	const char *colon = strchr(line, '#') ? NULL : strrchr(line, ':');
	g_autofree char *with_hash =
		colon ? g_strdup_printf("%.*s#%s", (int)(colon - line), line, colon + 1)
		      : g_strdup(line);
	g_auto(GStrv) parts = g_strsplit(with_hash, "#", 3);
	g_autofree char *file = NULL;

	if (!parts[0] || !parts[1] || !g_ascii_isdigit(*parts[1]))
		return;
	file = file_of_gzoltar_class(parts[0], known);
	g_string_append_printf(lines, "%s%s:%d", lines->len ? "," : "", file, atoi(parts[1]));
	*omission |= parts[2] && strstr(parts[2], "FAULT_OF_OMISSION");
}

/* The names of lines as the coverage writes them. */
static char *read_known(const char *folder)
{
	static const char *const names[] = { "coverage.csv", "spectra.csv", "spectra" };
	char *text = NULL;

	for (size_t i = 0; !text && i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		g_file_get_contents(path, &text, NULL, NULL);
	}
	return text;
}

static void add_version(struct import *im, const char *folder, const char *name)
{
	g_autoptr(GPtrArray) files = import_names(folder, "*buggy.lines");
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autofree char *known = read_known(folder);
	bool omission = false;

	for (guint i = 0; i < files->len; i++) {
		g_autofree char *path = g_build_filename(folder, files->pdata[i], NULL);
		g_autofree char *text = NULL;
		g_auto(GStrv) rows = NULL;

		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		rows = g_strsplit(text, "\n", -1);
		for (char **row = rows; *row; row++)
			read_coverage_line(*row, known, lines, &omission);
	}
	import_add(im, name, lines->str, omission);
}

char *import_coverage(const char *folder, const char *out, GError **error)
{
	g_autofree char *name = g_path_get_basename(folder);
	struct import *im = import_new(out, name);
	g_autoptr(GPtrArray) names = import_names(folder, "*");

	import_set(im, "coverage", "%s/{version}", folder);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);

		if (has_coverage(path))
			add_version(im, path, names->pdata[i]);
	}
	return import_finish(im, "coverage of other tools", error);
}
