/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/golden.h"
#include "gdbext/replay/replay.h"

#include <gio/gio.h>
#include <signal.h>

struct golden {
	GMainLoop *loop;
	GSubprocess *process;
	GBytes *out;
	GError *error;
	bool timed_out;
};

static void note_end(GObject *process, GAsyncResult *result, gpointer arg)
{
	struct golden *g = arg;

	g_subprocess_communicate_finish(G_SUBPROCESS(process), result, &g->out, NULL, &g->error);
	g_main_loop_quit(g->loop);
}

static gboolean note_timeout(gpointer arg)
{
	struct golden *g = arg;

	g->timed_out = true;
	g_subprocess_force_exit(g->process);
	return G_SOURCE_REMOVE;
}

static GSubprocess *start(const struct options *o, GError **error)
{
	GSubprocessLauncher *launcher = g_subprocess_launcher_new(
		G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
	g_auto(GStrv) argv = g_strdupv(o->program);
	GSubprocess *p;

	g_free(argv[0]);
	argv[0] = g_canonicalize_filename(o->golden, NULL);
	if (!g_file_test(argv[0], G_FILE_TEST_IS_EXECUTABLE)) {
		g_free(argv[0]);
		argv[0] = g_strdup(o->golden);
	}
	if (o->directory)
		g_subprocess_launcher_set_cwd(launcher, o->directory);
	g_subprocess_launcher_set_stdin_file_path(launcher,
						  o->stdin_file ? o->stdin_file : "/dev/null");
	p = g_subprocess_launcher_spawnv(launcher, (const char *const *)argv, error);
	g_object_unref(launcher);
	return p;
}

static void wait_for(struct golden *g, double seconds)
{
	GMainContext *context = g_main_context_new();
	GSource *timeout = g_timeout_source_new((guint)MIN(seconds * 1000, G_MAXINT32));

	g_main_context_push_thread_default(context);
	g->loop = g_main_loop_new(context, FALSE);
	g_source_set_callback(timeout, note_timeout, g, NULL);
	g_source_attach(timeout, context);
	g_subprocess_communicate_async(g->process, NULL, NULL, note_end, g);
	g_main_loop_run(g->loop);
	g_source_destroy(timeout);
	g_source_unref(timeout);
	g_main_context_pop_thread_default(context);
	g_main_loop_unref(g->loop);
	g_main_context_unref(context);
}

bool golden_run(const struct options *o, struct expected_output *out, GError **error)
{
	struct golden g = { .process = start(o, error) };
	bool ok;

	*out = (struct expected_output){ 0 };
	if (!g.process) {
		g_prefix_error(
			error,
			"The program of --golden, %s, does not start; name a program that can "
			"be executed and prints what is right: ",
			o->golden);
		return false;
	}
	wait_for(&g, o->run_timeout);
	ok = !g.error && !g.timed_out && g_subprocess_get_if_exited(g.process);
	if (ok) {
		gsize n;
		const char *text = g_bytes_get_data(g.out, &n);

		out->text[PRINTED_OUT] = g_string_new_len(text ? text : "", (gssize)n);
		out->status = g_subprocess_get_exit_status(g.process);
	} else {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program of --golden %s; name one that the test passes with.",
			    g.timed_out ? "did not end in time" : "was killed by a signal");
	}
	g_clear_error(&g.error);
	g_clear_pointer(&g.out, g_bytes_unref);
	g_object_unref(g.process);
	return ok;
}
