/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/class.h"

#include <glib/gstdio.h>
#include <string.h>

static void class_row_clear(gpointer p)
{
	struct lesson_row *r = p;

	g_free(r->student);
	lesson_grade_free(r->grade);
	g_free(r->problem);
	g_free(r->remark);
}

static gint compare_student_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static GPtrArray *folders_in(const char *folder, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		GStatBuf st;

		if (name[0] != '.' && !g_lstat(path, &st) && S_ISDIR(st.st_mode))
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_student_names);
	if (dir && names->len)
		return names;
	if (dir)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER,
			    "%s has no folder of a student in it.", folder);
	g_ptr_array_unref(names);
	return NULL;
}

/* Is it of the lesson that it may be of? */
static bool is_allowed(struct lesson_student *s, const char *lesson, GError **error)
{
	g_autofree char *said = g_path_get_basename(s->word);
	g_autofree char *wanted = lesson ? g_path_get_basename(lesson) : NULL;

	if (lesson && strcmp(said, wanted) == 0) {
		g_free(s->word);
		s->word = g_strdup(lesson);
		return true;
	}
	if (!lesson && !strchr(s->word, '/'))
		return true;
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER,
		    lesson ? "It is of another lesson: %s."
			   : "It is of no lesson of the course, but of %s; name that by --lesson.",
		    s->word);
	return false;
}

static struct lesson_row grade_one(const char *folder, const char *name, const char *lesson,
				   const struct lesson_search *how, double run_seconds)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	struct lesson_row r = { .student = g_utf8_make_valid(name, -1) };
	g_autoptr(GError) wrong = NULL;
	struct lesson_student *s = lesson_student_open(path, &wrong);

	if (s && is_allowed(s, lesson, &wrong))
		r.grade = lesson_grade(s, how, run_seconds, &wrong);
	if (!r.grade)
		r.problem = g_strdup(wrong ? wrong->message : "");
	lesson_student_free(s);
	return r;
}

/* Two who have the same program may have talked. */
static void remark_on_seeds(GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		struct lesson_row *r = &g_array_index(rows, struct lesson_row, i);

		for (guint k = 0; r->grade && r->grade->seed && !r->remark && k < i; k++) {
			const struct lesson_row *other = &g_array_index(rows, struct lesson_row, k);

			if (other->grade && g_strcmp0(other->grade->seed, r->grade->seed) == 0 &&
			    strcmp(other->grade->lesson, r->grade->lesson) == 0)
				r->remark = g_strdup_printf("same seed as %s", other->student);
		}
	}
}

GArray *lesson_class(const char *folder, const char *lesson, const struct lesson_search *how,
		     double run_seconds, GError **error)
{
	g_autoptr(GPtrArray) names = folders_in(folder, error);
	GArray *rows;

	if (!names)
		return NULL;
	rows = g_array_new(FALSE, FALSE, sizeof(struct lesson_row));
	g_array_set_clear_func(rows, class_row_clear);
	for (guint i = 0; i < names->len; i++) {
		struct lesson_row r = grade_one(folder, names->pdata[i], lesson, how, run_seconds);

		g_array_append_val(rows, r);
	}
	remark_on_seeds(rows);
	return rows;
}
