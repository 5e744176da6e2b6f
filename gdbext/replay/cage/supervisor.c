/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/supervisor.h"

#include "mi/descriptors.h"
#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/cage/launch-pack.h"
#include "gdbext/replay/cage/error.h"
#include "gdbext/replay/cage/together.h"
#include "mi/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STANDARD = 3, MOST_SENT = STANDARD + LAUNCH_MOST_HANDED }; /* descriptors in one message */

enum message_kind {
	MESSAGE_START,	 /* to the supervisor: .value = bytes of a packed launch that follow; its
			  * standard files, then what is handed down */
	MESSAGE_END,	 /* to the supervisor: .value = pid */
	MESSAGE_KILL,	 /* to the supervisor */
	MESSAGE_SESSION, /* to the supervisor: .value = GDB's */
	MESSAGE_STARTED, /* .value = pid; the listener of a caged run */
	MESSAGE_FAILED,	 /* .text */
	MESSAGE_ENDED,	 /* .end */
	MESSAGE_KILLED,
};

struct message {
	enum message_kind kind;
	int value;
	struct supervised_end end;
	char text[512];
};

struct supervisor {
	pid_t pid;
	int socket;
	GMutex lock; /* of the socket: one question, one answer */
};

/* ---- messages ---- */

struct envelope {
	struct msghdr header;
	struct iovec bytes;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(MOST_SENT * sizeof(int))];
};

static void set_envelope_bytes(struct envelope *e, void *bytes, size_t n)
{
	e->bytes = (struct iovec){ bytes, n };
	e->header = (struct msghdr){ .msg_iov = &e->bytes, .msg_iovlen = 1 };
}

static bool send_all(int socket, const void *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t sent = send(socket, (const char *)bytes + done, n - done, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return false;
		done += sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

static bool receive_all(int socket, void *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = recv(socket, (char *)bytes + done, n - done, MSG_WAITALL);

		if (!got || (got < 0 && errno != EINTR))
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* A message and what follows it.  The descriptors travel with the first byte. */
static bool tell_bytes(int socket, void *bytes, size_t n, const int *fds, size_t n_fds)
{
	struct envelope e;
	struct cmsghdr *c;
	ssize_t sent;

	set_envelope_bytes(&e, bytes, n);
	if (n_fds) {
		e.header.msg_control = e.control;
		e.header.msg_controllen = CMSG_SPACE(n_fds * sizeof *fds);
		c = CMSG_FIRSTHDR(&e.header);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n_fds * sizeof *fds);
		memcpy(CMSG_DATA(c), fds, n_fds * sizeof *fds);
	}
	while ((sent = sendmsg(socket, &e.header, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return sent > 0 && send_all(socket, (char *)bytes + sent, n - (size_t)sent);
}

static bool tell_with(int socket, struct message *m, const int *fds, size_t n_fds)
{
	return tell_bytes(socket, m, sizeof *m, fds, n_fds);
}

static bool tell_supervisor(int socket, enum message_kind kind, int value)
{
	struct message m = { .kind = kind, .value = value };

	return tell_with(socket, &m, NULL, 0);
}

static void tell_failure(int socket, const char *text)
{
	struct message m = { .kind = MESSAGE_FAILED };

	g_strlcpy(m.text, text, sizeof m.text);
	tell_with(socket, &m, NULL, 0);
}

/* Those of fds that did not come are -1. */
static bool hear_with(int socket, struct message *m, int *fds)
{
	struct envelope e;
	struct cmsghdr *c;
	ssize_t got;

	set_envelope_bytes(&e, m, sizeof *m);
	e.header.msg_control = e.control;
	e.header.msg_controllen = sizeof e.control;
	for (int i = 0; i < MOST_SENT; i++)
		fds[i] = -1;
	while ((got = recvmsg(socket, &e.header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	c = got > 0 ? CMSG_FIRSTHDR(&e.header) : NULL;
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(c), MIN(c->cmsg_len - CMSG_LEN(0), MOST_SENT * sizeof *fds));
	return got > 0 && receive_all(socket, (char *)m + got, sizeof *m - (size_t)got);
}

static void close_all(int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* ---- inside the supervisor ---- */

struct charge {
	int socket;
	const struct cage *cage;
	bool narrowed;
	GArray *running; /* pid_t: nobody has asked yet how these ended */
	pid_t session;	 /* GDB's, 0 = not known */
	struct launch_kept kept;
};

/* The parent of pid as /proc tells it, 0 = no such process. */
static pid_t parent_process_of(const char *pid)
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
		if (g_ascii_isdigit(*name) && parent_process_of(name) == self)
			kill(atoi(name), SIGKILL);
}

/* Children of who dies become ours, so this ends when all descendants are
 * gone. */
static void kill_everything(struct charge *c)
{
	do
		kill_children();
	while (waitpid(-1, NULL, 0) > 0 || errno != ECHILD);
	g_array_set_size(c->running, 0);
}

/* It stopped at its first instruction, as our ptracee: now it stays stopped without us. */
static bool leave_stopped(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSTOPPED(status) && !ptrace(PTRACE_DETACH, pid, NULL, (void *)SIGSTOP);
}

static void start_charge(struct charge *c, const guint8 *packed, const int *fds)
{
	struct message started = { .kind = MESSAGE_STARTED };
	g_autoptr(GError) error = NULL;
	struct launch_parcel p;
	int listener = -1;
	pid_t pid;

	launch_unpack(&p, packed);
	p.launch.in = fds[0];
	p.launch.out = fds[1];
	p.launch.err = fds[2];
	p.launch.handed = fds + STANDARD;
	p.launch.cage = p.caged ? c->cage : NULL;
	p.launch.narrowed = c->narrowed;
	p.launch.listener = &listener;
	p.launch.kept = &c->kept;
	pid = launch_start(&p.launch, &error);
	if (pid)
		g_array_append_val(c->running, pid);
	if (!pid) {
		tell_failure(c->socket, error->message);
	} else if (p.launch.stop && !leave_stopped(pid)) {
		tell_failure(c->socket, "The program ended before its first instruction.");
	} else {
		started.value = pid;
		tell_with(c->socket, &started, &listener, listener >= 0);
	}
	close_all(&listener, 1);
	launch_parcel_clear(&p);
}

static bool receive_and_start(struct charge *c, size_t n, const int *fds)
{
	g_autofree guint8 *packed = g_malloc(n);

	if (!receive_all(c->socket, packed, n))
		return false;
	start_charge(c, packed, fds);
	return true;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void end_charge(struct charge *c, pid_t pid)
{
	struct message ended = { .kind = MESSAGE_ENDED };
	struct rusage used = { 0 };

	for (guint i = 0; i < c->running->len; i++) {
		if (g_array_index(c->running, pid_t, i) != pid)
			continue;
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL); /* it may have moved to another group */
		while (wait4(pid, &ended.end.status, 0, &used) < 0 && errno == EINTR)
			;
		ended.end.cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
		g_array_remove_index_fast(c->running, i);
		break;
	}
	/* What others left behind and has ended. */
	while (!c->running->len && waitpid(-1, NULL, WNOHANG) > 0)
		;
	tell_with(c->socket, &ended, NULL, 0);
}

static bool do_one(struct charge *c)
{
	struct message m;
	int fds[MOST_SENT];
	bool goes_on = hear_with(c->socket, &m, fds);

	if (goes_on && m.kind == MESSAGE_SESSION)
		c->session = m.value;
	else if (goes_on && m.kind == MESSAGE_START)
		goes_on = receive_and_start(c, (size_t)m.value, fds);
	else if (goes_on && m.kind == MESSAGE_END)
		end_charge(c, m.value);
	else if (goes_on && m.kind == MESSAGE_KILL) {
		kill_everything(c);
		tell_supervisor(c->socket, MESSAGE_KILLED, 0);
	}
	close_all(fds, MOST_SENT);
	return goes_on;
}

static bool is_needed_descriptor(const int *inherited, size_t n, int fd)
{
	for (size_t i = 0; i < n; i++)
		if (fd == inherited[i])
			return true;
	return false;
}

/* Pipes and files of ours must not stay open because the supervisor has them too.  The first
 * three are taken, so that nothing else gets their numbers. */
static void close_others(const int *inherited, size_t n, int socket)
{
	int highest = socket, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < 3; fd++)
		if (fd != socket && null >= 0)
			dup2(null, fd);
	for (size_t i = 0; i < n; i++)
		highest = MAX(highest, inherited[i]);
	for (int fd = 3; fd <= highest; fd++)
		if (fd != socket && !is_needed_descriptor(inherited, n, fd))
			close(fd);
	descriptors_close((unsigned)highest + 1, ~0u);
}

/* When memory is short the kernel ends a forced run, and nobody else.  Children inherit that. */
static void be_ended_first(void)
{
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, most, strlen(most)) < 0)
		g_debug("oom_score_adj stays: %s", g_strerror(errno));
	close(fd);
}

static G_GNUC_NORETURN void become_supervisor(struct charge *c, bool narrows)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (narrows)
		be_ended_first();
	c->narrowed = narrows && cage_narrow_self(c->cage);
	while (do_one(c))
		;
	kill_everything(c);
	if (c->session)
		mi_child_sweep(c->session);
	_exit(0);
}

/* ---- our side ---- */

static struct supervisor *start_supervisor(const char *name, const struct cage *cage, bool narrows,
					   const int *inherited, size_t n_inherited, GError **error)
{
	struct supervisor *k;
	int pair[2];
	pid_t pid = -1;

	if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		pid = launch_aside(name);
		if (!pid) {
			struct charge c = { .socket = pair[1],
					    .cage = cage,
					    .running = g_array_new(FALSE, FALSE, sizeof(pid_t)) };

			close_others(inherited, n_inherited, pair[1]);
			become_supervisor(&c, narrows);
		}
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
	g_mutex_init(&k->lock);
	return k;
}

struct supervisor *supervisor_new(const struct cage *cage, const int *inherited, size_t n_inherited,
				  GError **error)
{
	return start_supervisor("gdb-why watcher", cage, false, inherited, n_inherited, error);
}

struct supervisor *supervisor_new_caged(const struct cage *cage, const int *inherited,
					size_t n_inherited, GError **error)
{
	return start_supervisor("gdb-why cage", cage, true, inherited, n_inherited, error);
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
	g_mutex_clear(&k->lock);
	g_free(k);
}

void supervisor_watch_session(struct supervisor *k, pid_t session)
{
	g_mutex_lock(&k->lock);
	tell_supervisor(k->socket, MESSAGE_SESSION, session);
	g_mutex_unlock(&k->lock);
}

static bool is_gone(GError **error)
{
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		    "The process that watches over the program was killed; run again.");
	return false;
}

pid_t supervisor_start(struct supervisor *k, const struct launch *l, GError **error)
{
	g_autoptr(GByteArray) packed = launch_pack(l);
	struct message m = { .kind = MESSAGE_START, .value = (int)packed->len };
	int given[MOST_SENT] = { l->in, l->out, l->err }, fds[MOST_SENT];
	bool answered;

	for (size_t i = 0; i < l->n_handed; i++)
		given[STANDARD + i] = l->handed[i];
	/* All goes in one message, because the supervisor would wake twice for two. */
	g_byte_array_prepend(packed, (const guint8 *)&m, sizeof m);
	g_mutex_lock(&k->lock);
	if (l->together)
		together_bring(l->together, k->pid);
	answered =
		tell_bytes(k->socket, packed->data, packed->len, given, STANDARD + l->n_handed) &&
		hear_with(k->socket, &m, fds);
	if (l->together)
		together_release(l->together, k->pid);
	g_mutex_unlock(&k->lock);
	if (!answered)
		return is_gone(error);
	if (m.kind != MESSAGE_STARTED) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "%s", m.text);
		return 0;
	}
	if (l->cage)
		*l->listener = fds[0];
	return m.value;
}

bool supervisor_end(struct supervisor *k, pid_t pid, struct supervised_end *end, GError **error)
{
	struct message m;
	int fds[MOST_SENT];
	bool answered;

	g_mutex_lock(&k->lock);
	answered = tell_supervisor(k->socket, MESSAGE_END, pid) && hear_with(k->socket, &m, fds);
	g_mutex_unlock(&k->lock);
	if (!answered)
		return is_gone(error);
	if (end)
		*end = m.end;
	return true;
}

void supervisor_kill(struct supervisor *k)
{
	struct message m;
	int fds[MOST_SENT];

	g_mutex_lock(&k->lock);
	if (tell_supervisor(k->socket, MESSAGE_KILL, 0))
		while (hear_with(k->socket, &m, fds) && m.kind != MESSAGE_KILLED)
			;
	g_mutex_unlock(&k->lock);
}
