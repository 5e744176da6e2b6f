/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/lesson.h"

#include "gdbext/lesson/packed.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - lesson, lesson_error)

static void choice_clear(gpointer p)
{
	struct lesson_choice *c = p;

	g_free(c->name);
	g_strfreev(c->values);
}

static void lesson_fault_free(gpointer p)
{
	struct lesson_fault *f = p;

	for (unsigned i = 0; i < f->n_lines; i++) {
		g_free(f->right[i]);
		g_free(f->wrong[i]);
	}
	g_free(f->name);
	g_free(f->file);
	g_free(f->fails);
	g_free(f->question);
	g_free(f->reason);
	g_free(f);
}

void lesson_free(struct lesson *l)
{
	if (!l)
		return;
	g_free(l->folder);
	g_free(l->name);
	g_free(l->title);
	g_free(l->goal);
	g_free(l->shows);
	g_free(l->cannot);
	g_free(l->final);
	g_free(l->cflags);
	g_free(l->program);
	g_free(l->old);
	g_free(l->task);
	g_free(l->suite);
	g_free(l->measured);
	g_ptr_array_unref(l->faults);
	g_array_unref(l->names);
	g_array_unref(l->constants);
	g_free(l);
}

static char *text_of_key(GKeyFile *ini, const char *group, const char *key)
{
	char *text = g_key_file_get_string(ini, group, key, NULL);

	return text ? text : g_strdup("");
}

static void read_choices(GKeyFile *ini, const char *group, GArray *to)
{
	g_auto(GStrv) keys = g_key_file_get_keys(ini, group, NULL, NULL);

	for (char **key = keys; key && *key; key++) {
		struct lesson_choice c = { g_strdup(*key), g_key_file_get_string_list(
								   ini, group, *key, NULL, NULL) };

		if (c.values && c.values[0])
			g_array_append_val(to, c);
		else
			choice_clear(&c);
	}
}

static void read_fault_lines(GKeyFile *ini, const char *group, struct lesson_fault *f)
{
	for (unsigned i = 0; i < LESSON_LINES_MOST; i++) {
		g_autofree char *right = i ? g_strdup_printf("right%u", i + 1) : g_strdup("right");
		g_autofree char *wrong = i ? g_strdup_printf("wrong%u", i + 1) : g_strdup("wrong");

		if (!g_key_file_has_key(ini, group, right, NULL))
			return;
		f->right[i] = text_of_key(ini, group, right);
		f->wrong[i] = text_of_key(ini, group, wrong);
		f->n_lines++;
	}
}

static bool read_fault(struct lesson *l, GKeyFile *ini, const char *group, GError **error)
{
	struct lesson_fault *f = g_new0(struct lesson_fault, 1);
	g_autofree char *file = g_key_file_get_string(ini, group, "file", NULL);
	g_autofree char *path = file ? g_build_filename(l->folder, file, NULL) : NULL;

	f->name = g_strdup(strchr(group, '.') + 1);
	f->fails = g_key_file_get_string(ini, group, "fails", NULL);
	if (!f->fails)
		f->fails = text_of_key(ini, "lesson", "fails");
	f->question = text_of_key(ini, group, "question");
	f->reason = text_of_key(ini, group, "reason");
	read_fault_lines(ini, group, f);
	g_ptr_array_add(l->faults, f);
	if (path)
		return (f->file = packed_read(path, error)) != NULL;
	if (!f->n_lines)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "%s/lesson.ini: [%s] has neither right= and wrong= nor file=; say what "
			    "the fault is.",
			    l->folder, group);
	return f->n_lines;
}

static bool read_lesson_file(const struct lesson *l, const char *name, char **to, GError **error)
{
	g_autofree char *path = g_build_filename(l->folder, name, NULL);

	return (*to = packed_read(path, error)) != NULL;
}

static bool read_ini(struct lesson *l, GKeyFile *ini, GError **error)
{
	g_auto(GStrv) groups = g_key_file_get_groups(ini, NULL);
	g_autofree char *judged = text_of_key(ini, "lesson", "judged");

	l->title = text_of_key(ini, "lesson", "title");
	l->goal = text_of_key(ini, "lesson", "goal");
	l->shows = text_of_key(ini, "lesson", "shows");
	l->cannot = text_of_key(ini, "lesson", "cannot");
	l->final = text_of_key(ini, "lesson", "final");
	l->cflags = text_of_key(ini, "lesson", "cflags");
	l->minutes = (unsigned)g_key_file_get_integer(ini, "lesson", "minutes", NULL);
	l->order = (unsigned)g_key_file_get_integer(ini, "lesson", "order", NULL);
	l->visible = (unsigned)g_key_file_get_integer(ini, "lesson", "visible", NULL);
	l->by_output = strcmp(judged, "output") == 0;
	read_choices(ini, "names", l->names);
	read_choices(ini, "constants", l->constants);
	for (char **group = groups; *group; group++)
		if (g_str_has_prefix(*group, "fault.") && !read_fault(l, ini, *group, error))
			return false;
	if (l->faults->len)
		return true;
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
		    "%s/lesson.ini has no [fault.1]; say what the fault is.", l->folder);
	return false;
}

struct lesson *lesson_read(const char *folder, GError **error)
{
	struct lesson *l = g_new0(struct lesson, 1);
	g_autoptr(GKeyFile) ini = g_key_file_new();
	g_autofree char *path = g_build_filename(folder, "lesson.ini", NULL);
	g_autofree char *text = packed_read(path, error);

	l->folder = g_canonicalize_filename(folder, NULL);
	l->name = g_path_get_basename(l->folder);
	l->faults = g_ptr_array_new_with_free_func(lesson_fault_free);
	l->names = g_array_new(FALSE, FALSE, sizeof(struct lesson_choice));
	l->constants = g_array_new(FALSE, FALSE, sizeof(struct lesson_choice));
	g_array_set_clear_func(l->names, choice_clear);
	g_array_set_clear_func(l->constants, choice_clear);
	read_lesson_file(l, "old.c", &l->old, NULL);
	read_lesson_file(l, "difficulty.txt", &l->measured, NULL);
	if (text && g_key_file_load_from_data(ini, text, strlen(text), G_KEY_FILE_NONE, error) &&
	    read_ini(l, ini, error) && read_lesson_file(l, "golden.c", &l->program, error) &&
	    read_lesson_file(l, "tests.txt", &l->suite, error) &&
	    read_lesson_file(l, "task.md", &l->task, error))
		return l;
	g_prefix_error(error, "%s is no lesson: ", folder);
	lesson_free(l);
	return NULL;
}
