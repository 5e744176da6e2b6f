/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/supervisor.h"

#include "mi/descriptors.h"
#include "gdbext/replay/replay.h"
#include "mi/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum message_kind {
	MESSAGE_START,	 /* to the supervisor */
	MESSAGE_KILL,	 /* to the supervisor */
	MESSAGE_SESSION, /* to the supervisor: .value = GDB's */
	MESSAGE_STARTED, /* .value = pid */
	MESSAGE_FAILED,	 /* .text */
	MESSAGE_KILLED,
};

struct message {
	enum message_kind kind;
	int value;
	char text[512];
};

struct supervisor {
	pid_t pid;
	int socket;
};

static void tell(int socket, enum message_kind kind, int value, const char *text)
{
	struct message m = { .kind = kind, .value = value };

	g_strlcpy(m.text, text ? text : "", sizeof m.text);
	while (send(socket, &m, sizeof m, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

static bool hear(int socket, struct message *m)
{
	ssize_t got;

	while ((got = recv(socket, m, sizeof *m, 0)) < 0 && errno == EINTR)
		;
	return got == sizeof *m;
}

/* ---- inside the supervisor ---- */

struct charge {
	int socket;
	pid_t pid;     /* the program, 0 = not running */
	int pidfd;     /* -1 = not running */
	pid_t session; /* GDB's, 0 = not known */
	const struct launch *launch;
};

/* The parent of pid as /proc tells it, 0 = no such process. */
static pid_t parent_of(const char *pid)
{
	char path[64], text[512];
	const char *after;
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof text - 1);
	close(fd);
	text[MAX(got, 0)] = '\0';
	after = strrchr(text, ')'); /* the name may hold anything */
	return after && strlen(after) > 4 ? atoi(after + 4) : 0;
}

static void kill_children(void)
{
	g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
	const char *name;
	pid_t self = getpid();

	while (proc && (name = g_dir_read_name(proc)))
		if (g_ascii_isdigit(*name) && parent_of(name) == self)
			kill(atoi(name), SIGKILL);
}

/* Children of who dies become ours, so this ends when all descendants are
 * gone. */
static void kill_everything(struct charge *c)
{
	for (;;) {
		pid_t got;
		int status;

		kill_children();
		got = waitpid(-1, &status, 0);
		if (got < 0 && errno == ECHILD)
			break;
		if (got == c->pid)
			c->pid = 0;
	}
	if (c->pidfd >= 0)
		close(c->pidfd);
	c->pidfd = -1;
}

static void start_charge(struct charge *c)
{
	g_autoptr(GError) error = NULL;
	pid_t pid = launch_start(c->launch, &error);
	int status;

	if (!pid) {
		tell(c->socket, MESSAGE_FAILED, 0, error->message);
		return;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFSTOPPED(status) || ptrace(PTRACE_DETACH, pid, NULL, (void *)SIGSTOP)) {
		tell(c->socket, MESSAGE_FAILED, 0,
		     "The program ended before its first instruction.");
		return;
	}
	c->pid = pid;
	c->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	tell(c->socket, MESSAGE_STARTED, pid, NULL);
}

static void reap_charge(struct charge *c)
{
	int status;

	if (waitpid(c->pid, &status, WNOHANG) != c->pid)
		return;
	c->pid = 0;
	close(c->pidfd);
	c->pidfd = -1;
}

static G_GNUC_NORETURN void keep(struct charge *c)
{
	for (;;) {
		struct pollfd fds[] = { { .fd = c->socket, .events = POLLIN },
					{ .fd = c->pidfd, .events = POLLIN } };
		struct message m;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			reap_charge(c);
		if (!fds[0].revents)
			continue;
		if (!hear(c->socket, &m))
			break;
		if (m.kind == MESSAGE_SESSION)
			c->session = m.value;
		if (m.kind == MESSAGE_START && !c->pid)
			start_charge(c);
		if (m.kind == MESSAGE_KILL) {
			kill_everything(c);
			tell(c->socket, MESSAGE_KILLED, 0, NULL);
		}
	}
	kill_everything(c);
	if (c->session)
		mi_child_sweep(c->session);
	_exit(0);
}

static bool needed(const struct launch *l, int socket, int fd)
{
	for (size_t i = 0; i < l->n_inherited; i++)
		if (fd == l->inherited[i])
			return true;
	return fd == socket || fd == l->in || fd == l->out || fd == l->err;
}

/* Pipes and files of ours must not stay open because the supervisor has them too. */
static void close_others(const struct launch *l, int socket)
{
	int highest = MAX(MAX(socket, l->in), MAX(l->out, l->err));

	for (size_t i = 0; i < l->n_inherited; i++)
		highest = MAX(highest, l->inherited[i]);
	for (int fd = 0; fd <= highest; fd++)
		if (!needed(l, socket, fd))
			close(fd);
	descriptors_close((unsigned)highest + 1, ~0u);
}

static G_GNUC_NORETURN void become_supervisor(int socket, const struct launch *l)
{
	struct charge c = { .socket = socket, .pidfd = -1, .launch = l };

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	close_others(l, socket);
	keep(&c);
}

/* ---- our side ---- */

struct supervisor *supervisor_new(const struct launch *l, GError **error)
{
	struct supervisor *k;
	int pair[2];
	pid_t pid = -1;

	if (!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		pid = launch_aside("gdb-why watcher");
		if (!pid)
			become_supervisor(pair[1], l);
	}
	if (pid < 0) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot start a process to watch over the program: %s.",
			    g_strerror(errno));
		return NULL;
	}
	close(pair[1]);
	k = g_new0(struct supervisor, 1);
	k->pid = pid;
	k->socket = pair[0];
	return k;
}

void supervisor_free(struct supervisor *k)
{
	if (!k)
		return;
	supervisor_kill(k);
	kill(k->pid, SIGKILL);
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(k->socket);
	g_free(k);
}

void supervisor_watch_session(struct supervisor *k, pid_t session)
{
	tell(k->socket, MESSAGE_SESSION, session, NULL);
}

pid_t supervisor_start(struct supervisor *k, GError **error)
{
	struct message m;

	tell(k->socket, MESSAGE_START, 0, NULL);
	if (!hear(k->socket, &m)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "The process that watches over the program was killed; run again.");
		return 0;
	}
	if (m.kind == MESSAGE_STARTED)
		return m.value;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "%s", m.text);
	return 0;
}

void supervisor_kill(struct supervisor *k)
{
	struct message m;

	tell(k->socket, MESSAGE_KILL, 0, NULL);
	while (hear(k->socket, &m) && m.kind != MESSAGE_KILLED)
		;
}
