/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/native-run.h"

#include <gio/gio.h>

struct running {
	GMainLoop *loop;
	GSubprocess *process;
	GBytes *out, *err;
	bool timed_out;
};

static void note_end_of_native_run(GObject *process, GAsyncResult *result, gpointer arg)
{
	struct running *r = arg;

	g_subprocess_communicate_finish(G_SUBPROCESS(process), result, &r->out, &r->err, NULL);
	g_main_loop_quit(r->loop);
}

static gboolean note_timeout(gpointer arg)
{
	struct running *r = arg;

	r->timed_out = true;
	g_subprocess_force_exit(r->process);
	return G_SOURCE_REMOVE;
}

static GSubprocess *start_native_run(const struct options *o, const char *program, GError **error)
{
	GSubprocessLauncher *launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE |
								  G_SUBPROCESS_FLAGS_STDERR_PIPE);
	g_auto(GStrv) argv = g_strdupv(o->program);
	GSubprocess *p;

	g_free(argv[0]);
	argv[0] = g_canonicalize_filename(program, NULL);
	if (!g_file_test(argv[0], G_FILE_TEST_IS_EXECUTABLE)) {
		g_free(argv[0]);
		argv[0] = g_strdup(program);
	}
	if (o->directory)
		g_subprocess_launcher_set_cwd(launcher, o->directory);
	g_subprocess_launcher_set_stdin_file_path(launcher,
						  o->stdin_file ? o->stdin_file : "/dev/null");
	p = g_subprocess_launcher_spawnv(launcher, (const char *const *)argv, error);
	g_object_unref(launcher);
	return p;
}

static void wait_for_native_run(struct running *r, double seconds)
{
	GMainContext *context = g_main_context_new();
	GSource *timeout = g_timeout_source_new((guint)MIN(seconds * 1000, G_MAXINT32));

	g_main_context_push_thread_default(context);
	r->loop = g_main_loop_new(context, FALSE);
	g_source_set_callback(timeout, note_timeout, r, NULL);
	g_source_attach(timeout, context);
	g_subprocess_communicate_async(r->process, NULL, NULL, note_end_of_native_run, r);
	g_main_loop_run(r->loop);
	g_source_destroy(timeout);
	g_source_unref(timeout);
	g_main_context_pop_thread_default(context);
	g_main_loop_unref(r->loop);
	g_main_context_unref(context);
}

/* bytes: freed; NULL is fine. */
static GString *text_of_bytes(GBytes *bytes)
{
	gsize n = 0;
	const char *text = bytes ? g_bytes_get_data(bytes, &n) : NULL;
	GString *all = g_string_new_len(text ? text : "", (gssize)n);

	if (bytes)
		g_bytes_unref(bytes);
	return all;
}

bool native_run(const struct options *o, const char *program, struct native_run *run,
		GError **error)
{
	struct running r = { .process = start_native_run(o, program, error) };

	if (!r.process)
		return false;
	wait_for_native_run(&r, o->run_timeout);
	*run = (struct native_run){ .timed_out = r.timed_out,
				    .exited = r.out && g_subprocess_get_if_exited(r.process) };
	if (run->exited)
		run->status = g_subprocess_get_exit_status(r.process);
	run->text[PRINTED_OUT] = text_of_bytes(r.out);
	run->text[PRINTED_ERR] = text_of_bytes(r.err);
	g_object_unref(r.process);
	return true;
}

void native_run_clear(struct native_run *run)
{
	for (unsigned s = 0; s < PRINTED_STREAMS; s++)
		if (run->text[s])
			g_string_free(run->text[s], TRUE);
	*run = (struct native_run){ 0 };
}
