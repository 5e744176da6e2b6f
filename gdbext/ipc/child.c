/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/ipc/child.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* So long it may take to remove its folders. */
enum { END_MS = 5000, MOST_AT_ONCE = 1 << 20 };

/* In the child: no keys of the panel's terminal are for it. */
static void leave_terminal(gpointer arg)
{
	(void)arg;
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void watch_fd(int watch, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event);
}

struct panel_child *panel_child_start(char *const *args, int watch, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autofree char *self = g_file_read_link("/proc/self/exe", error);
	struct panel_child c = { .pidfd = -1, .fds = { -1, -1 } };

	if (!self)
		return NULL;
	g_ptr_array_add(words, self);
	for (; *args; args++)
		g_ptr_array_add(words, *args);
	g_ptr_array_add(words, NULL);
	if (!g_spawn_async_with_pipes(NULL, (char **)words->pdata, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
				      leave_terminal, NULL, &c.pid, NULL, &c.fds[0], &c.fds[1],
				      error))
		return NULL;
	c.pidfd = (int)syscall(SYS_pidfd_open, c.pid, 0);
	g_assert(c.pidfd >= 0);
	watch_fd(watch, c.pidfd);
	for (int i = 0; i < 2; i++) {
		g_unix_set_fd_nonblocking(c.fds[i], TRUE, NULL);
		watch_fd(watch, c.fds[i]);
	}
	c.out = g_string_new(NULL);
	c.err = g_string_new(NULL);
	return g_memdup2(&c, sizeof(c));
}

static void take(int *fd, GString *to, size_t most)
{
	char buffer[4096];
	ssize_t got = 0;

	for (size_t n = 0; *fd >= 0 && n < most; n += (size_t)got) {
		got = read(*fd, buffer, sizeof(buffer));
		if (got < 0 && errno == EINTR) {
			got = 0;
			continue;
		}
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			close(*fd);
			*fd = -1;
			return;
		}
		g_string_append_len(to, buffer, got);
	}
}

static void close_all(struct panel_child *c)
{
	for (int i = 0; i < 2; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	if (c->pidfd >= 0)
		close(c->pidfd);
	c->fds[0] = c->fds[1] = c->pidfd = -1;
}

void panel_child_turn(struct panel_child *c)
{
	bool gone = !c->ended && waitpid(c->pid, &c->status, WNOHANG) == c->pid;

	take(&c->fds[0], c->out, gone ? G_MAXSIZE : MOST_AT_ONCE);
	take(&c->fds[1], c->err, gone ? G_MAXSIZE : MOST_AT_ONCE);
	if (gone) {
		c->ended = true;
		close_all(c);
	}
}

void panel_child_interrupt(struct panel_child *c)
{
	if (!c->ended)
		kill(c->pid, SIGINT);
}

/* What it still says is read, lest it waits for that. */
static void end(struct panel_child *c)
{
	gint64 late = g_get_monotonic_time() + END_MS * (gint64)1000;

	kill(c->pid, SIGTERM);
	while (!c->ended) {
		struct pollfd fds[] = { { .fd = c->pidfd, .events = POLLIN },
					{ .fd = c->fds[0], .events = POLLIN },
					{ .fd = c->fds[1], .events = POLLIN } };
		gint64 left = (late - g_get_monotonic_time()) / 1000;

		if (left <= 0)
			kill(c->pid, SIGKILL);
		poll(fds, G_N_ELEMENTS(fds), left > 0 ? (int)left : END_MS);
		panel_child_turn(c);
	}
}

void panel_child_free(struct panel_child *c)
{
	if (!c)
		return;
	if (!c->ended)
		end(c);
	g_string_free(c->out, TRUE);
	g_string_free(c->err, TRUE);
	g_free(c);
}
