/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/import.h"

#include "gdbext/evaluate/difference.h"
#include "gdbext/evaluate/import-private.h"

#include <errno.h>
#include <glib/gstdio.h>

static const struct import_layout layouts[] = {
	{ "versions.alt and testplans.alt (SIR)", import_is_sir, import_sir },
	{ "PROBLEM-bug-WRONG-RIGHT (Codeflaws)", import_is_codeflaws, import_codeflaws },
	{ "semantically_incorrect_submissions and tests (C-Pack-IPAs)", import_is_cpack,
	  import_cpack },
	{ "a folder with spectra.csv or coverage.csv for each version (coverage)",
	  import_is_coverage, import_coverage },
};

static bool add_subject(const char *path, GPtrArray *subjects, GError **error)
{
	struct subject *s = subject_read(path, error);

	if (s)
		g_ptr_array_add(subjects, s);
	return s;
}

static bool is_no_subject(const char *path, GError **error)
{
	g_autoptr(GString) marks = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++)
		g_string_append_printf(marks, "%s%s", i ? "; " : "", layouts[i].mark);
	return subject_wrong(error,
			     "%s is no subject of an evaluation: there is no subject.conf in it, "
			     "and nothing that a layout is known by: %s.",
			     path, marks->str);
}

bool import_subjects(const char *path, const char *out, GPtrArray *subjects, GError **error)
{
	g_autofree char *conf = g_build_filename(path, "subject.conf", NULL);
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);

	if (g_file_test(conf, G_FILE_TEST_EXISTS) || !g_file_test(path, G_FILE_TEST_IS_DIR))
		return add_subject(path, subjects, error);
	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++) {
		g_autofree char *made = NULL;

		if (!layouts[i].is_it(absolute))
			continue;
		made = layouts[i].import(absolute, out, error);
		return made && add_subject(made, subjects, error);
	}
	return is_no_subject(path, error);
}

/* ---- what the importers share ---- */

struct import *import_new(const char *out, const char *name)
{
	struct import *im = g_new0(struct import, 1);
	g_autofree char *absolute = g_canonicalize_filename(out, NULL);

	im->folder = g_build_filename(absolute, "subjects", name, NULL);
	im->conf = g_string_new("# Made by gdb-why evaluate.  It stays as it is when it is there "
				"already.\n[subject]\n");
	im->versions = g_string_new("version\tline\tomission\n");
	im->without = g_string_new(NULL);
	im->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	import_set(im, "name", "%s", name);
	return im;
}

void import_free(struct import *im)
{
	if (!im)
		return;
	g_free(im->folder);
	g_string_free(im->conf, TRUE);
	g_string_free(im->versions, TRUE);
	g_string_free(im->without, TRUE);
	g_hash_table_destroy(im->known);
	g_free(im);
}

void import_set(struct import *im, const char *key, const char *format, ...)
{
	va_list args;

	g_string_append_printf(im->conf, "%s = ", key);
	va_start(args, format);
	g_string_append_vprintf(im->conf, format, args);
	va_end(args);
	g_string_append_c(im->conf, '\n');
}

void import_add(struct import *im, const char *version, const char *lines, bool omission)
{
	if (!g_hash_table_add(im->known, g_strdup(version)))
		return;
	if (!*lines) {
		g_string_append_printf(im->without, "%s%s", im->without->len ? ", " : "", version);
		return;
	}
	g_string_append_printf(im->versions, "%s\t%s\t%d\n", version, lines, omission);
	im->n++;
}

/* Each file is written under one and the same other name first.  When this process is killed,
 * the next one writes over what it left. */
bool import_put(const struct import *im, const char *name, const char *text, GError **error)
{
	g_autofree char *path = g_build_filename(im->folder, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *other = g_build_filename(im->folder, ".new", NULL);
	g_autoptr(GError) why = NULL;

	if (g_mkdir_with_parents(folder, 0777) == 0 &&
	    g_file_set_contents_full(other, text, -1, G_FILE_SET_CONTENTS_NONE, 0666, &why) &&
	    g_rename(other, path) == 0)
		return true;
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE, "Cannot write %s: %s.", path,
		    why ? why->message : g_strerror(errno));
	return false;
}

char *import_finish(struct import *im, const char *what, GError **error)
{
	g_autofree char *conf = g_build_filename(im->folder, "subject.conf", NULL);
	char *folder = NULL;

	if (im->without->len)
		g_printerr("gdb-why: %s: left out because no faulty line was found: %s\n",
			   im->folder, im->without->str);
	if (!im->n)
		g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_READ,
			    "This looks like %s, but no faulty version of it could be read; "
			    "the handbook's page evaluate.md says what is looked for.",
			    what);
	else if (import_put(im, "versions.tsv", im->versions->str, error) &&
		 (g_file_test(conf, G_FILE_TEST_EXISTS) ||
		  import_put(im, "subject.conf", im->conf->str, error)))
		folder = g_strdup(im->folder);
	import_free(im);
	return folder;
}

bool import_differences(const char *right, const char *wrong, const char *name, GString *lines,
			bool *omission)
{
	g_autofree char *good = NULL, *bad = NULL;
	struct difference *d;

	if (!g_file_get_contents(right, &good, NULL, NULL) ||
	    !g_file_get_contents(wrong, &bad, NULL, NULL))
		return false;
	d = difference_new(good, bad);
	*omission |= d->omission;
	for (guint i = 0; i < d->lines->len; i++)
		g_string_append_printf(lines, "%s%s:%u", lines->len ? "," : "", name,
				       g_array_index(d->lines, unsigned, i));
	difference_free(d);
	return true;
}

GPtrArray *import_names(const char *folder, const char *pattern)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_pattern_match_simple(pattern, name))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, subject_compare_names);
	return names;
}
