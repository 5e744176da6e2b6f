/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 3 }; /* seconds that it gets to end when it is told to */

struct stream {
	int fd; /* -1: it has ended */
	guint source;
	GString *said;
};

struct child {
	GPid pid;
	struct stream out, error;
	guint watch, killer; /* sources; 0: none */
	int status;	     /* of its end; -1: it runs */
};

/* A Ctrl-C at the terminal is ours alone; when we die, it ends too. */
static void set_up(gpointer arg)
{
	(void)arg;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void stream_end(struct stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->source)
		g_source_remove(s->source);
	s->fd = -1;
	s->source = 0;
}

static gboolean on_bytes(gint fd, GIOCondition condition, gpointer arg)
{
	struct stream *s = arg;
	char bytes[4096];
	ssize_t n = read(fd, bytes, sizeof bytes);

	(void)condition;
	g_string_append_len(s->said, bytes, MAX(n, 0));
	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return G_SOURCE_CONTINUE;
	s->source = 0;
	stream_end(s);
	return G_SOURCE_REMOVE;
}

static void stream_listen(struct stream *s)
{
	s->said = g_string_new(NULL);
	s->source = g_unix_fd_add(s->fd, G_IO_IN | G_IO_HUP, on_bytes, s);
}

static void on_end(GPid pid, gint status, gpointer arg)
{
	struct child *child = arg;

	child->watch = 0;
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	/* nothing that it started outlives it */
	kill(-pid, SIGKILL);
	g_spawn_close_pid(pid);
}

struct child *child_start(char **argv, const struct context *c, GError **error)
{
	struct child child = { .status = -1 };
	struct child *out;

	if (!g_spawn_async_with_pipes(c->directory, argv, c->environment, G_SPAWN_DO_NOT_REAP_CHILD,
				      set_up, NULL, &child.pid, NULL, &child.out.fd,
				      &child.error.fd, error))
		return NULL;
	out = g_memdup2(&child, sizeof child);
	stream_listen(&out->out);
	stream_listen(&out->error);
	out->watch = g_child_watch_add(out->pid, on_end, out);
	return out;
}

bool child_has_ended(const struct child *child, int *status)
{
	*status = child->status;
	return child->status >= 0 && child->out.fd < 0 && child->error.fd < 0;
}

const GString *child_said(const struct child *child)
{
	return child->out.said;
}

const GString *child_complaints(const struct child *child)
{
	return child->error.said;
}

static gboolean on_late(gpointer arg)
{
	struct child *child = arg;

	child->killer = 0;
	if (child->status < 0)
		kill(-child->pid, SIGKILL);
	return G_SOURCE_REMOVE;
}

void child_cancel(struct child *child)
{
	if (child->killer || child->status >= 0)
		return;
	kill(-child->pid, SIGINT);
	child->killer = g_timeout_add_seconds(PATIENCE, on_late, child);
}

void child_free(struct child *child)
{
	if (!child)
		return;
	if (child->watch) {
		g_source_remove(child->watch);
		kill(-child->pid, SIGKILL);
		waitpid(child->pid, NULL, 0);
	}
	if (child->killer)
		g_source_remove(child->killer);
	stream_end(&child->out);
	stream_end(&child->error);
	g_string_free(child->out.said, TRUE);
	g_string_free(child->error.said, TRUE);
	g_free(child);
}
