/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/foreign.h"

#include "gdbext/evaluate/subject.h"
#include "solver/evaluate/csv.h"

#include <string.h>

/* A package's dots, and the `$' between it and the class, are folders. */
static char *file_of_class(const char *name, gsize n)
{
	char *file = g_strndup(name, n);
	char *inner = strchr(file, '$'), *more = inner ? strchr(inner + 1, '$') : NULL;

	if (more)
		*more = '\0';
	if (inner)
		g_strdelimit(file, ".$", '/');
	return file;
}

bool foreign_read_line(const char *text, char **file, unsigned *line)
{
	const char *hash = strchr(text, '#'), *colon = strrchr(text, ':');
	const char *number = colon ? colon + 1 : hash ? hash + 1 : NULL;
	guint64 n;

	if (!number || !g_ascii_string_to_unsigned(number, 10, 1, G_MAXINT32, &n, NULL))
		return false;
	*line = (unsigned)n;
	if (hash && colon && hash < colon)
		*file = file_of_class(text, (gsize)(hash - text));
	else
		*file = g_strndup(text, (gsize)(number - 1 - text));
	return **file || (g_free(*file), false);
}

void foreign_free(struct foreign *c)
{
	if (!c)
		return;
	units_free(c->units);
	spectrum_free(c->spectrum);
	g_free(c->crashed);
	g_free(c);
}

static struct foreign *foreign_new(void)
{
	struct foreign *c = g_new0(struct foreign, 1);

	c->units = units_new();
	c->spectrum = spectrum_new();
	return c;
}

/* Two entries of one line are one line with two statements. */
static bool add_foreign_line(struct foreign *c, const char *text)
{
	g_autofree char *file = NULL;
	unsigned number;

	if (!foreign_read_line(text, &file, &number))
		return false;
	units_add_statement(c->units, units_line(c->units, file, number), UNIT_NONE);
	return true;
}

/* The first one that there is; its path, or NULL with error. */
static char *read_either(const char *folder, const char *first, const char *second, char **text,
			 GError **error)
{
	g_autofree char *path = g_build_filename(folder, first, NULL);
	g_autofree char *other = g_build_filename(folder, second, NULL);

	if (g_file_get_contents(path, text, NULL, NULL))
		return g_steal_pointer(&path);
	if (g_file_get_contents(other, text, NULL, NULL))
		return g_steal_pointer(&other);
	subject_wrong(error, "there is no %s in %s", first, folder);
	return NULL;
}

static bool read_spectra_lines(struct foreign *c, const char *folder, GError **error)
{
	g_autofree char *text = NULL;
	g_autofree char *path = read_either(folder, "spectra.csv", "spectra", &text, error);
	g_auto(GStrv) lines = path ? g_strsplit(text, "\n", -1) : NULL;

	for (unsigned i = 0; lines && lines[i]; i++) {
		if (!*g_strstrip(lines[i]) || (i == 0 && strcmp(lines[i], "name") == 0))
			continue;
		if (!add_foreign_line(c, lines[i]))
			return subject_wrong(error, "%s:%u: `%s' is no line of a program", path,
					     i + 1, lines[i]);
	}
	return path && (c->units->lines->len || subject_wrong(error, "%s names no line", path));
}

static GPtrArray *read_names(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *path = g_build_filename(folder, "tests.csv", NULL);
	g_autofree char *text = NULL;
	const char *at;
	char **fields;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return names;
	at = text;
	while ((fields = csv_record(&at))) {
		if (*fields[0] && strcmp(fields[0], "name") != 0)
			g_ptr_array_add(names, g_strdup(fields[0]));
		g_strfreev(fields);
	}
	return names;
}

/* "1 0 0 1 -": false when it is not so. */
static bool read_spectrum_row(struct foreign *c, const char *row, const char *name)
{
	unsigned n = c->units->statements->len, unit = 0;
	size_t length = strlen(row);
	char end = length ? row[length - 1] : ' ';
	const char *p = row;

	if (end != '+' && end != '-')
		return false;
	spectrum_begin(c->spectrum, name, end == '+' ? SPECTRUM_PASSED : SPECTRUM_FAILED);
	for (; p < row + length - 1; p++) {
		if (*p == ' ' || *p == '\t')
			continue;
		if ((*p != '0' && *p != '1') || unit == n)
			break;
		if (*p == '1')
			spectrum_add(c->spectrum, SPECTRUM_STATEMENT, unit, 1);
		unit++;
	}
	if (p == row + length - 1 && unit == n) {
		spectrum_end(c->spectrum);
		return true;
	}
	spectrum_drop(c->spectrum);
	return false;
}

static bool read_matrix(struct foreign *c, const char *folder, GError **error)
{
	g_autofree char *text = NULL;
	g_autofree char *path = read_either(folder, "matrix.txt", "matrix", &text, error);
	g_autoptr(GPtrArray) names = read_names(folder);
	g_auto(GStrv) rows = path ? g_strsplit(text, "\n", -1) : NULL;
	unsigned tests = 0;

	for (unsigned i = 0; rows && rows[i]; i++) {
		g_autofree char *number = g_strdup_printf("%u", i + 1);

		if (!*g_strstrip(rows[i]))
			continue;
		if (!read_spectrum_row(c, rows[i],
				       tests < names->len ? names->pdata[tests] : number))
			return subject_wrong(
				error,
				"%s:%u: a row has a 0 or a 1 for each of the %u lines, and + "
				"or -",
				path, i + 1, c->units->statements->len);
		tests++;
	}
	return path && (tests || subject_wrong(error, "%s has no test", path));
}

static bool read_verdict(const char *text, enum spectrum_verdict *out)
{
	static const struct {
		const char *word;
		enum spectrum_verdict verdict;
	} words[] = {
		{ "PASS", SPECTRUM_PASSED },   { "PASSED", SPECTRUM_PASSED },
		{ "OK", SPECTRUM_PASSED },     { "1", SPECTRUM_PASSED },
		{ "+", SPECTRUM_PASSED },      { "FAIL", SPECTRUM_FAILED },
		{ "FAILED", SPECTRUM_FAILED }, { "ERROR", SPECTRUM_FAILED },
		{ "0", SPECTRUM_FAILED },      { "-", SPECTRUM_FAILED },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_ascii_strcasecmp(words[i].word, text) == 0) {
			*out = words[i].verdict;
			return true;
		}
	}
	return false;
}

static bool read_table_row(struct foreign *c, char **fields)
{
	unsigned n = c->units->statements->len;
	enum spectrum_verdict verdict;

	if (g_strv_length(fields) != n + 2 || !read_verdict(fields[1], &verdict))
		return false;
	spectrum_begin(c->spectrum, fields[0], verdict);
	for (unsigned i = 0; i < n; i++) {
		guint64 times;

		if (!g_ascii_string_to_unsigned(fields[i + 2], 10, 0, SPECTRUM_MOST, &times,
						NULL)) {
			spectrum_drop(c->spectrum);
			return false;
		}
		spectrum_add(c->spectrum, SPECTRUM_STATEMENT, i, times);
	}
	spectrum_end(c->spectrum);
	return true;
}

static bool read_foreign_table(struct foreign *c, const char *path, const char *text,
			       GError **error)
{
	const char *at = text;
	g_auto(GStrv) header = csv_record(&at);
	unsigned columns = header ? g_strv_length(header) : 0, line = 1;
	char **fields;

	for (unsigned i = 2; i < columns; i++)
		if (!add_foreign_line(c, header[i]))
			return subject_wrong(error, "%s:1: `%s' is no line of a program", path,
					     header[i]);
	if (columns < 3)
		return subject_wrong(
			error,
			"%s:1: the columns are test, outcome and lines such as a.py:12, with "
			"commas between them",
			path);
	while ((fields = csv_record(&at))) {
		g_auto(GStrv) owned = fields;

		line++;
		if (owned[0] && (*owned[0] || owned[1]) && !read_table_row(c, fields))
			return subject_wrong(
				error,
				"%s:%u: a row has a test's name, an outcome (PASS or FAIL), "
				"and a count for each of the %u lines",
				path, line, c->units->statements->len);
	}
	return spectrum_n_tests(c->spectrum) || subject_wrong(error, "%s has no test", path);
}

struct foreign *foreign_read(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "coverage.csv", NULL);
	g_autofree char *text = NULL;
	struct foreign *c = foreign_new();
	bool ok;

	if (g_file_get_contents(path, &text, NULL, NULL))
		ok = read_foreign_table(c, path, text, error);
	else
		ok = read_spectra_lines(c, folder, error) && read_matrix(c, folder, error);
	c->crashed = g_new0(bool, spectrum_n_tests(c->spectrum) + 1);
	if (!ok)
		g_clear_pointer(&c, foreign_free);
	return c;
}
