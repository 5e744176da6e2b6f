/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 3 }; /* seconds that it gets to end after Ctrl-C */

struct child {
	struct session *session;
	struct child_result *result;
	GPid pid;
	unsigned seconds, until_killed;
	bool shows, ended;
	guint out, error;
};

/* A Ctrl-C at the terminal is ours alone; when we die, it ends too. */
static void set_up(gpointer arg)
{
	(void)arg;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static gboolean take(gint fd, GString *to)
{
	char bytes[4096];
	ssize_t n = read(fd, bytes, sizeof bytes);

	g_string_append_len(to, bytes, MAX(n, 0));
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static gboolean on_output(gint fd, GIOCondition condition, gpointer arg)
{
	struct child *child = arg;

	(void)condition;
	if (take(fd, child->result->said))
		return G_SOURCE_CONTINUE;
	child->out = 0;
	return G_SOURCE_REMOVE;
}

static gboolean on_error(gint fd, GIOCondition condition, gpointer arg)
{
	struct child *child = arg;

	(void)condition;
	if (take(fd, child->result->error))
		return G_SOURCE_CONTINUE;
	child->error = 0;
	return G_SOURCE_REMOVE;
}

static void on_end(GPid pid, gint status, gpointer arg)
{
	struct child *child = arg;

	child->result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	child->ended = true;
	/* nothing that it started outlives it */
	kill(-pid, SIGKILL);
	g_spawn_close_pid(pid);
}

static void show_progress(const struct child *child)
{
	if (!child->shows)
		return;
	printf("\rrunning the program again and analysing it: %u s (Ctrl-C cancels)",
	       child->seconds);
	fflush(stdout);
}

static gboolean on_second(gpointer arg)
{
	struct child *child = arg;

	child->seconds++;
	if (child->until_killed && !--child->until_killed)
		kill(-child->pid, SIGKILL);
	show_progress(child);
	return G_SOURCE_CONTINUE;
}

static void wait_for_end(struct child *child)
{
	struct session *s = child->session;
	bool told = false;

	while (!child->ended || child->out || child->error) {
		session_turn(s);
		if (told || (!s->interrupted && !s->hung_up && !s->lost))
			continue;
		told = true;
		s->interrupted = false;
		child->until_killed = PATIENCE;
		kill(-child->pid, SIGINT);
	}
}

static void watch(struct child *child, int out, int error)
{
	guint tick = g_timeout_add_seconds(1, on_second, child);

	g_child_watch_add(child->pid, on_end, child);
	child->out = g_unix_fd_add(out, G_IO_IN | G_IO_HUP, on_output, child);
	child->error = g_unix_fd_add(error, G_IO_IN | G_IO_HUP, on_error, child);
	show_progress(child);
	wait_for_end(child);
	g_source_remove(tick);
	if (child->shows)
		fputs("\r\033[K", stdout);
	fflush(stdout);
	close(out);
	close(error);
}

bool child_run(struct session *s, char **argv, const struct context *c, struct child_result *result,
	       GError **error)
{
	struct child child = { .session = s, .result = result, .shows = isatty(STDOUT_FILENO) };
	int out, err;

	*result = (struct child_result){ g_string_new(NULL), g_string_new(NULL), 0 };
	if (!g_spawn_async_with_pipes(c->directory, argv, c->environment, G_SPAWN_DO_NOT_REAP_CHILD,
				      set_up, NULL, &child.pid, NULL, &out, &err, error))
		return false;
	watch(&child, out, err);
	return true;
}

void child_result_clear(struct child_result *result)
{
	if (result->said)
		g_string_free(result->said, TRUE);
	if (result->error)
		g_string_free(result->error, TRUE);
	*result = (struct child_result){ 0 };
}

void child_complain(const GString *said)
{
	g_auto(GStrv) lines = g_strsplit(said->str, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line)
			fprintf(stderr, "%s\n",
				g_str_has_prefix(*line, "gdb-why: ") ? *line + strlen("gdb-why: ")
								     : *line);
}
