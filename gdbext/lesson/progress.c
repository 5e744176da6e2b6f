/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this user did in which lesson. */
#include "gdbext/lesson/student.h"

static char *progress_file(void)
{
	return g_build_filename(g_get_user_data_dir(), "gdb-why", "lessons.ini", NULL);
}

void lesson_progress_note(const char *lesson, const char *folder, int points)
{
	g_autofree char *file = progress_file(), *parent = g_path_get_dirname(file);
	g_autoptr(GKeyFile) ini = g_key_file_new();

	g_key_file_load_from_file(ini, file, G_KEY_FILE_NONE, NULL);
	if (g_key_file_has_key(ini, lesson, "points", NULL))
		points = MAX(points, g_key_file_get_integer(ini, lesson, "points", NULL));
	g_key_file_set_string(ini, lesson, "folder", folder);
	if (points >= 0)
		g_key_file_set_integer(ini, lesson, "points", points);
	/* progress is a convenience: where it cannot be written, nothing else is lost */
	if (!g_mkdir_with_parents(parent, 0700))
		g_key_file_save_to_file(ini, file, NULL);
}

int lesson_progress_of(const char *lesson, char **folder)
{
	g_autofree char *file = progress_file();
	g_autoptr(GKeyFile) ini = g_key_file_new();

	*folder = NULL;
	if (!g_key_file_load_from_file(ini, file, G_KEY_FILE_NONE, NULL) ||
	    !g_key_file_has_group(ini, lesson))
		return -2;
	*folder = g_key_file_get_string(ini, lesson, "folder", NULL);
	return g_key_file_has_key(ini, lesson, "points", NULL)
		       ? g_key_file_get_integer(ini, lesson, "points", NULL)
		       : -1;
}
