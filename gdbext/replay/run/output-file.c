/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/output-file.h"

#include "gdbext/replay/cage/error.h"

void output_file_look(struct output_file *f)
{
	f->there = f->path && !stat(f->path, &f->was);
}

bool output_file_begin(struct output_file *f, const char *path, const char *folder, GError **error)
{
	g_autofree char *copy = g_build_filename(folder, "before", NULL), *text = NULL;
	gsize length;

	*f = (struct output_file){ .path = path ? g_canonicalize_filename(path, NULL) : NULL };
	output_file_look(f);
	if (f->there && !S_ISREG(f->was.st_mode)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_INPUT,
			    "%s is no regular file; --output-file names one that the test writes.",
			    path);
		return false;
	}
	if (!f->there)
		return true;
	if (!g_file_get_contents(f->path, &text, &length, error) ||
	    !g_file_set_contents(copy, text, (gssize)length, error))
		return false;
	f->before = g_steal_pointer(&copy);
	return true;
}

void output_file_end(struct output_file *f)
{
	g_free(f->path);
	g_free(f->before);
	*f = (struct output_file){ 0 };
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

GString *output_file_text(const struct output_file *f)
{
	g_autofree char *text = NULL;
	struct stat now;
	gsize length;

	if (!f->path || stat(f->path, &now) ||
	    (f->there && now.st_ino == f->was.st_ino && now.st_size == f->was.st_size &&
	     is_same_time(&now.st_mtim, &f->was.st_mtim)) ||
	    !g_file_get_contents(f->path, &text, &length, NULL))
		return NULL;
	return g_string_new_len(text, (gssize)length);
}

bool output_file_take(const struct output_file *f, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "out", NULL);
	GString *text = output_file_text(f);
	bool done;

	if (!text)
		return true;
	done = g_file_set_contents(path, text->str, (gssize)text->len, error);
	g_string_free(text, TRUE);
	return done;
}
