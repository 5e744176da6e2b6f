/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/engine.h"

#include "gdbext/ipc/child.h"
#include "gdbext/lesson/lesson.h"

struct asked {
	GMainLoop *loop;
	struct explanation *e; /* the latest */
};

static void on_lesson_event(void *arg, struct event *event)
{
	struct asked *a = arg;

	if (!event->answer || event->kind != EVENT_RESULT)
		return;
	explanation_free(a->e);
	a->e = g_steal_pointer(&event->answer);
}

static void on_lesson_answer_end(void *arg)
{
	g_main_loop_quit(((struct asked *)arg)->loop);
}

struct explanation *lesson_explain(char *const *words, GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autofree char *self = g_file_read_link("/proc/self/exe", error);
	struct asked a = { .loop = g_main_loop_new(NULL, FALSE) };
	struct ipc_start how = { .on_event = on_lesson_event,
				 .on_end = on_lesson_answer_end,
				 .arg = &a };
	struct ipc_child *child;

	g_ptr_array_add(argv, self);
	g_ptr_array_add(argv, (gpointer) "explain");
	for (; *words; words++)
		g_ptr_array_add(argv, *words);
	g_ptr_array_add(argv, NULL);
	how.argv = (char *const *)argv->pdata;
	child = self ? ipc_child_new(&how, error) : NULL;
	if (child)
		g_main_loop_run(a.loop);
	if (child && !a.e)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_SYSTEM,
			    "The engine gave no answer: %s", ipc_child_complaints(child));
	ipc_child_free(child);
	g_main_loop_unref(a.loop);
	return a.e;
}
