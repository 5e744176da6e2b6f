/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where lessons are. */
#include "gdbext/lesson/lesson.h"
#include "gdbext/lesson/packed.h"

#include <string.h>

char *lesson_course(GError **error)
{
	/* installed, and built in the source tree */
	static const char *const from_program[] = { "../share/gdb-why/lessons",
						    "../../samples/lessons" };
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *here = self ? g_path_get_dirname(self) : g_strdup(".");
	const char *named = g_getenv("GDB_WHY_LESSONS");

	if (named && *named)
		return g_canonicalize_filename(named, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(from_program); i++) {
		g_autofree char *path = g_canonicalize_filename(from_program[i], here);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			return g_steal_pointer(&path);
	}
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
		    "The lessons are not beside %s; set GDB_WHY_LESSONS to their folder.", here);
	return NULL;
}

static gint by_order(gconstpointer a, gconstpointer b)
{
	const struct lesson *const *x = a, *const *y = b;

	return (*x)->order != (*y)->order ? ((*x)->order > (*y)->order ? 1 : -1)
					  : strcmp((*x)->name, (*y)->name);
}

GPtrArray *lesson_all(GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)lesson_free);
	g_autofree char *course = lesson_course(error);
	g_autoptr(GDir) dir = course ? g_dir_open(course, 0, error) : NULL;
	const char *name;

	if (!dir)
		return NULL;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(course, name, NULL);
		g_autofree char *ini = g_build_filename(folder, "lesson.ini", NULL);
		struct lesson *l;

		if (!packed_exists(ini))
			continue;
		l = lesson_read(folder, error);
		if (!l)
			return NULL;
		g_ptr_array_add(all, l);
	}
	g_ptr_array_sort(all, by_order);
	return g_steal_pointer(&all);
}

struct lesson *lesson_find(const char *word, GError **error)
{
	g_autofree char *course = strchr(word, '/') ? NULL : lesson_course(error);
	g_autofree char *folder = NULL, *ini = NULL;

	if (strchr(word, '/'))
		return lesson_read(word, error);
	if (!course)
		return NULL;
	folder = g_build_filename(course, word, NULL);
	ini = g_build_filename(folder, "lesson.ini", NULL);
	if (*word && packed_exists(ini))
		return lesson_read(folder, error);
	g_set_error(
		error, LESSON_ERROR, LESSON_ERROR_COURSE,
		"There is no lesson `%s'; `gdb-why lesson' lists them, and ./DIR is one of your "
		"own.",
		word);
	return NULL;
}
