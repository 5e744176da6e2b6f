/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/workplace.h"

#include "gdbext/regress/workshop/process.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "gdbext/replay/cage/supervisor.h"
#include "solver/evaluate/csv.h"
#include "solver/evaluate/measurement.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

static bool cannot_write(GError **error, const char *path, const char *why)
{
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE,
		    "Cannot write %s: %s; name another folder with --output, or make room.", path,
		    why);
	return false;
}

static bool make_working_folder(const char *path, GError **error)
{
	return g_mkdir_with_parents(path, 0777) == 0 ||
	       cannot_write(error, path, g_strerror(errno));
}

/* Whole: under another name first, so that what is there is never half of it.  One process works
 * in a workplace, so there is one such name. */
static bool write_whole_file(const struct workplace *w, const char *path, const char *text,
			     GError **error)
{
	g_autofree char *other = g_build_filename(w->folder, ".new", NULL);
	g_autoptr(GError) why = NULL;

	if (!g_file_set_contents_full(other, text, -1, G_FILE_SET_CONTENTS_NONE, 0666, &why))
		return cannot_write(error, other, why->message);
	return g_rename(other, path) == 0 || cannot_write(error, path, g_strerror(errno));
}

/* Are those of a folder these?  *there: it has some. */
static bool same_settings(const char *folder, const char *settings, bool *there, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "settings.txt", NULL);
	g_autofree char *before = NULL;

	*there = g_file_get_contents(path, &before, NULL, NULL);
	if (!*there || strcmp(before, settings) == 0)
		return true;
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE,
		    "%s holds measurements that were made with other options (settings.txt tells "
		    "which); take the same ones, or another folder.",
		    folder);
	return false;
}

static bool put_settings(const struct workplace *w, const char *settings, GError **error)
{
	g_autofree char *path = g_build_filename(w->folder, "settings.txt", NULL);
	bool there;

	return same_settings(w->folder, settings, &there, error) &&
	       (there || write_whole_file(w, path, settings, error));
}

bool workplace_check(const struct workplace *w, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(w->folder, "settings.txt", NULL);
	g_autofree char *settings = NULL;
	bool there;

	return g_file_get_contents(path, &settings, NULL, error) &&
	       same_settings(folder, settings, &there, error);
}

struct workplace *workplace_new(const char *folder, const char *settings, double build_timeout,
				GError **error)
{
	struct workplace *w = g_new0(struct workplace, 1);

	w->folder = g_canonicalize_filename(folder, NULL);
	w->build_timeout = build_timeout;
	if (!make_working_folder(w->folder, error) || !put_settings(w, settings, error))
		g_clear_pointer(&w, workplace_free);
	return w;
}

void workplace_free(struct workplace *w)
{
	if (!w)
		return;
	supervisor_free(w->supervisor);
	g_free(w->folder);
	g_free(w);
}

/* ---- builds ---- */

char *workplace_out(const struct workplace *w, const struct subject *s)
{
	return g_build_filename(w->folder, "build", s->name, NULL);
}

static bool not_built(GError **error, const struct regress_process *p, enum regress_end end,
		      int number)
{
	g_autofree char *how = NULL, *log = g_path_get_basename(p->log);

	if (end == REGRESS_CANCELLED)
		return replay_check_interrupt(error);
	how = end == REGRESS_TIMED_OUT ? g_strdup("takes too long")
	      : end == REGRESS_EXITED  ? g_strdup_printf("ends with status %d", number)
				       : g_strdup_printf("is killed by signal %d", number);
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_BUILD, "its build %s; build/%s tells why",
		    how, log);
	return false;
}

/* What the commands of a subject find in their environment beside ours. */
static char **environment_of_subject(const struct subject *s, const char *out,
				     const struct subject_version *v)
{
	char **env = g_get_environ();

	env = g_environ_unsetenv(env, "MAKEFLAGS");
	env = g_environ_unsetenv(env, "MAKELEVEL");
	env = g_environ_setenv(env, "FOLDER", s->folder, TRUE);
	env = g_environ_setenv(env, "OUT", out, TRUE);
	return v ? g_environ_setenv(env, "VERSION", v->name, TRUE) : env;
}

static bool run_subject_build(const struct workplace *w, const struct subject *s,
			      const char *command, const struct subject_version *v, GError **error)
{
	g_autofree char *out = workplace_out(w, s);
	g_autofree char *text = subject_expand(s, command, out, v);
	g_autofree char *log =
		v ? g_strconcat(out, ".", v->name, ".log", NULL) : g_strconcat(out, ".log", NULL);
	g_auto(GStrv) env = environment_of_subject(s, out, v);
	char *const argv[] = { (char *)"/bin/sh", (char *)"-c", text, NULL };
	struct regress_process p = { .supervisor = w->supervisor,
				     .argv = argv,
				     .envp = env,
				     .directory = s->folder,
				     .log = log,
				     .timeout = w->build_timeout };
	enum regress_end end;
	int number;

	if (!make_working_folder(out, error) || !regress_process_run(&p, &end, &number, error))
		return false;
	return (end == REGRESS_EXITED && number == 0) || not_built(error, &p, end, number);
}

bool workplace_build(const struct workplace *w, const struct subject *s, GError **error)
{
	g_autofree char *out = workplace_out(w, s);
	g_autofree char *done = g_strconcat(out, ".built", NULL);

	if (!s->build || g_file_test(done, G_FILE_TEST_EXISTS))
		return true;
	return run_subject_build(w, s, s->build, NULL, error) &&
	       write_whole_file(w, done, "", error);
}

bool workplace_build_version(const struct workplace *w, const struct subject *s,
			     const struct subject_version *v, GError **error)
{
	return !s->build_version || run_subject_build(w, s, s->build_version, v, error);
}

/* ---- cells ---- */

static char *cell_path(const char *folder, const char *subject, const char *version,
		       const char *kind)
{
	g_autofree char *name = g_strconcat(version, kind, NULL);

	return g_build_filename(folder, "cells", subject, name, NULL);
}

static enum workplace_state state_of_cell(const struct workplace *w, const char *subject,
					  const char *version)
{
	g_autofree char *rows = cell_path(w->folder, subject, version, ".csv");
	g_autofree char *skipped = cell_path(w->folder, subject, version, ".skipped");

	if (g_file_test(rows, G_FILE_TEST_EXISTS))
		return WORKPLACE_MEASURED;
	return g_file_test(skipped, G_FILE_TEST_EXISTS) ? WORKPLACE_SKIPPED : WORKPLACE_NEW;
}

enum workplace_state workplace_state(const struct workplace *w, const struct subject *s,
				     const struct subject_version *v)
{
	return state_of_cell(w, s->name, v->name);
}

/* The rows come last: they say that the cell is there. */
bool workplace_put(const struct workplace *w, const struct subject *s,
		   const struct subject_version *v, const struct workplace_cell *cell,
		   GError **error)
{
	g_autofree char *rows = cell_path(w->folder, s->name, v->name, ".csv");
	g_autofree char *times = cell_path(w->folder, s->name, v->name, ".times.csv");
	g_autofree char *skipped = cell_path(w->folder, s->name, v->name, ".skipped");
	g_autofree char *folder = g_path_get_dirname(rows);

	if (!make_working_folder(folder, error))
		return false;
	if (cell->skipped)
		return write_whole_file(w, skipped, cell->skipped, error);
	if (!write_whole_file(w, times, cell->times, error) ||
	    !write_whole_file(w, rows, cell->rows, error))
		return false;
	g_unlink(skipped);
	return true;
}

/* The names in a folder, in order: those that end so, without the end.  Empty when there is no
 * such folder. */
static GPtrArray *list_names(const char *path, const char *end)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, end))
			g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(end)));
	g_ptr_array_sort(names, subject_compare_names);
	return names;
}

static bool take_cell(const struct workplace *w, const char *from, const char *subject,
		      const char *name, GError **error)
{
	g_autofree char *source = cell_path(from, subject, name, "");
	g_autofree char *target = cell_path(w->folder, subject, name, "");
	g_autofree char *folder = g_path_get_dirname(target);
	g_autofree char *text = NULL;

	if (g_file_test(target, G_FILE_TEST_EXISTS))
		return true;
	return make_working_folder(folder, error) &&
	       g_file_get_contents(source, &text, NULL, error) &&
	       write_whole_file(w, target, text, error);
}

/* The rows last, as in workplace_put: the other cells' names end otherwise. */
static bool take_cells(const struct workplace *w, const char *from, const char *subject,
		       GError **error)
{
	g_autofree char *folder = g_build_filename(from, "cells", subject, NULL);
	g_autoptr(GPtrArray) names = list_names(folder, "");

	for (unsigned rows = 0; rows < 2; rows++) {
		for (guint i = 0; i < names->len; i++) {
			const char *name = names->pdata[i];
			bool is_rows = g_str_has_suffix(name, ".csv") &&
				       !g_str_has_suffix(name, ".times.csv");

			if (is_rows == rows && !take_cell(w, from, subject, name, error))
				return false;
		}
	}
	return true;
}

/* ---- which versions there are ---- */

/* The rows of a workplace's list; none when there is no list. */
static char **read_expected(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "versions.txt", NULL);
	g_autofree char *text = NULL;

	return g_strsplit(g_file_get_contents(path, &text, NULL, NULL) ? text : "", "\n", -1);
}

/* Adds rows to those that are there. */
static bool add_expected(const struct workplace *w, char *const *rows, GError **error)
{
	g_autofree char *path = g_build_filename(w->folder, "versions.txt", NULL);
	g_auto(GStrv) before = read_expected(w->folder);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GString) text = g_string_new(NULL);
	char *const *const lists[] = { before, rows };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (char *const *row = lists[i]; *row; row++)
			if (**row && g_hash_table_add(known, *row))
				g_string_append_printf(text, "%s\n", *row);
	return write_whole_file(w, path, text->str, error);
}

bool workplace_expect(const struct workplace *w, const GPtrArray *subjects, GError **error)
{
	g_autoptr(GStrvBuilder) rows = g_strv_builder_new();
	g_auto(GStrv) all = NULL;

	for (guint i = 0; i < subjects->len; i++) {
		const struct subject *s = subjects->pdata[i];

		for (guint k = 0; k < s->versions->len; k++) {
			const struct subject_version *v = s->versions->pdata[k];
			g_autofree char *row = g_strdup_printf("%s\t%s", s->name, v->name);

			g_strv_builder_add(rows, row);
		}
	}
	all = g_strv_builder_end(rows);
	return add_expected(w, all, error);
}

/* How many of those expected have no cell? */
static unsigned count_missing(const struct workplace *w)
{
	g_auto(GStrv) rows = read_expected(w->folder);
	unsigned missing = 0;

	for (char **row = rows; *row; row++) {
		g_auto(GStrv) words = g_strsplit(*row, "\t", 2);

		if (words[0] && words[1])
			missing += state_of_cell(w, words[0], words[1]) == WORKPLACE_NEW;
	}
	return missing;
}

bool workplace_take(const struct workplace *w, const char *folder, GError **error)
{
	g_auto(GStrv) expected = read_expected(folder);
	g_autofree char *cells = g_build_filename(folder, "cells", NULL);
	g_autoptr(GPtrArray) subjects = list_names(cells, "");

	if (!subjects->len) {
		g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_READ,
			    "There are no measurements in %s; name the --output folder of an "
			    "evaluation.",
			    folder);
		return false;
	}
	for (guint i = 0; i < subjects->len; i++)
		if (!take_cells(w, folder, subjects->pdata[i], error))
			return false;
	return add_expected(w, expected, error);
}

/* ---- all cells ---- */

struct gathering {
	GString *rows, *times, *skipped;
	struct workplace_count count;
};

static bool append_file(const struct workplace *w, const char *subject, const char *version,
			const char *kind, GString *out, GError **error)
{
	g_autofree char *path = cell_path(w->folder, subject, version, kind);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return false;
	g_string_append(out, text);
	return true;
}

static void append_skipped(const char *subject, const char *version, const char *why, GString *out)
{
	csv_field(out, subject);
	csv_field(out, version);
	csv_field(out, why);
	g_string_append_c(out, '\n');
}

static bool gather_subject(const struct workplace *w, const char *subject, struct gathering *g,
			   GError **error)
{
	g_autofree char *folder = g_build_filename(w->folder, "cells", subject, NULL);
	g_autoptr(GPtrArray) measured = list_names(folder, ".csv");
	g_autoptr(GPtrArray) skipped = list_names(folder, ".skipped");

	for (guint i = 0; i < measured->len; i++) {
		const char *version = measured->pdata[i];

		if (g_str_has_suffix(version, ".times"))
			continue;
		if (!append_file(w, subject, version, ".csv", g->rows, error) ||
		    !append_file(w, subject, version, ".times.csv", g->times, error))
			return false;
		g->count.measured++;
	}
	for (guint i = 0; i < skipped->len; i++) {
		g_autoptr(GString) why = g_string_new(NULL);

		/* it was measured later */
		if (g_ptr_array_find_with_equal_func(measured, skipped->pdata[i], g_str_equal,
						     NULL))
			continue;
		if (!append_file(w, subject, skipped->pdata[i], ".skipped", why, error))
			return false;
		append_skipped(subject, skipped->pdata[i], why->str, g->skipped);
		g->count.skipped++;
	}
	return true;
}

static bool write_table(const struct workplace *w, const char *name, const GString *text,
			GError **error)
{
	g_autofree char *path = g_build_filename(w->folder, name, NULL);

	return write_whole_file(w, path, text->str, error);
}

bool workplace_gather(const struct workplace *w, struct workplace_count *count, GError **error)
{
	g_autofree char *cells = g_build_filename(w->folder, "cells", NULL);
	g_autoptr(GPtrArray) subjects = list_names(cells, "");
	struct gathering g = { .rows = g_string_new(measurement_header),
			       .times = g_string_new(measurement_time_header),
			       .skipped = g_string_new("subject,version,reason\n") };
	bool ok = true;

	for (guint i = 0; ok && i < subjects->len; i++)
		ok = gather_subject(w, subjects->pdata[i], &g, error);
	ok = ok && write_table(w, "times.csv", g.times, error) &&
	     write_table(w, "skipped.csv", g.skipped, error) &&
	     write_table(w, "results.csv", g.rows, error);
	g.count.missing = count_missing(w);
	*count = g.count;
	g_string_free(g.rows, TRUE);
	g_string_free(g.times, TRUE);
	g_string_free(g.skipped, TRUE);
	return ok;
}
