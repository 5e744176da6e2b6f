/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/task.h"

#include "gdbext/suite/cache-private.h"

#include <errno.h>
#include <glib/gstdio.h>

struct task *task_new(struct pool *p, unsigned index)
{
	struct task *t = g_new0(struct task, 1);

	t->pool = p;
	t->index = index;
	t->test = p->result->suite->tests->pdata[index];
	return t;
}

void task_free(struct task *t)
{
	if (!t)
		return;
	suite_process_free(t->process);
	suite_command_clear(&t->command);
	task_close_folder(t);
	if (t->profile)
		g_bytes_unref(t->profile);
	if (t->packed)
		g_bytes_unref(t->packed);
	g_free(t->fault);
	g_free(t);
}

char *task_profile(const struct task *t)
{
	return g_build_filename(t->folder, "profile", NULL);
}

char **task_environ(struct task *t, bool golden, GError **error)
{
	struct pool *p = t->pool;
	const char *program = golden ? p->golden : p->result->program;
	g_autofree char *own = NULL, *profile = NULL;
	g_auto(GStrv) env = NULL;

	t->folder = folder_make_run(p->folder->path, t->index, error);
	if (!t->folder)
		return NULL;
	own = g_build_filename(t->folder, "tmp", NULL);
	profile = task_profile(t);
	if (g_mkdir(own, 0700)) {
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_SYSTEM, "cannot make %s: %s", own,
			    g_strerror(errno));
		return NULL;
	}
	env = g_environ_setenv(g_get_environ(), "TMPDIR", own, TRUE);
	env = g_environ_setenv(g_steal_pointer(&env), "PROG", program, TRUE);
	return golden ? g_steal_pointer(&env) : profile_environ(p->result->plan, env, profile);
}

void task_close_folder(struct task *t)
{
	if (t->folder)
		folder_remove(t->folder);
	g_clear_pointer(&t->folder, g_free);
}

void task_put_aside(struct task *t)
{
	g_autofree char *path = t->folder ? task_profile(t) : NULL;
	g_autofree char *contents = NULL;
	gsize length;

	if (!path || !g_file_get_contents(path, &contents, &length, NULL) || length > G_MAXINT32)
		return;
	g_autoptr(GBytes) bytes = g_bytes_new_take(g_steal_pointer(&contents), length);

	t->packed = cache_pack(bytes);
	t->size = (guint32)length;
	task_close_folder(t);
}
