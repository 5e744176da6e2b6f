/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/ipc/child.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	EVENTS_FD = 3,		   /* in the child */
	PATIENCE_MS = 5000,	   /* so long it may take to remove its folders */
	MOST_LINE = 64 << 20,	   /* bytes of an event */
	MOST_STRAY = 64 << 10,	   /* bytes of standard error that are kept */
	MOST_AT_ONCE = 256 << 10,  /* bytes before others get their turn */
	MOST_LEFT = 64,		   /* such turns, when it has ended */
	UNREADABLE = 128 + SIGPIPE /* its status when nobody listens to it any more */
};

struct ipc_pipe {
	int fd; /* -1: it has ended */
	guint source;
	GString *bytes; /* that were not dealt with */
};

enum pipe_state { PIPE_HAS_MORE, PIPE_IS_EMPTY, PIPE_HAS_ENDED };

struct ipc_child {
	struct ipc_start start; /* its callbacks; the rest was the caller's */
	GPid pid;
	int pidfd;
	int input; /* its standard input; -1: it has none */
	struct ipc_pipe events, errors;
	guint watch, killer; /* sources; 0: none */
	gsize searched;	     /* bytes of events that hold no newline */
	unsigned lines;	     /* that were read */
	int status;	     /* as ipc_child_status */
	bool said_end, cancelled, unreadable, blames_record;
	GString *complaints;
};

static void complain_of_child(struct ipc_child *c, const char *text)
{
	g_string_append(c->complaints, text);
	if (!g_str_has_suffix(text, "\n"))
		g_string_append_c(c->complaints, '\n');
}

static gboolean on_late(gpointer arg)
{
	struct ipc_child *c = arg;

	c->killer = 0;
	kill(-c->pid, SIGKILL);
	return G_SOURCE_REMOVE;
}

/* It ends soon, in whatever way. */
static void make_end(struct ipc_child *c, int signo)
{
	if (c->killer || c->status >= 0)
		return;
	kill(-c->pid, signo);
	c->killer = g_timeout_add(PATIENCE_MS, on_late, c);
}

/* ---- what it says ---- */

static void give_up_events(struct ipc_child *c, const char *why)
{
	g_autofree char *text = g_strdup_printf(
		"What the analysis says cannot be read (line %u). %s", c->lines, why);

	complain_of_child(c, text);
	c->unreadable = true;
	make_end(c, SIGTERM);
}

static void take_event(struct ipc_child *c, struct event *e)
{
	switch (e->kind) {
	case EVENT_FAILURE:
		c->blames_record |= e->about_record;
		complain_of_child(c, e->text);
		break;
	case EVENT_NOTE:
		complain_of_child(c, e->text);
		break;
	case EVENT_END:
		c->said_end = true;
		break;
	default:
		c->start.on_event(c->start.arg, e);
	}
}

static void take_child_line(struct ipc_child *c, const char *line, gsize length)
{
	g_autoptr(GError) error = NULL;
	struct event e;

	c->lines++;
	if (event_read(line, length, &e, &error)) {
		take_event(c, &e);
		event_clear(&e);
	} else {
		give_up_events(c, error->message);
	}
}

/* All whole lines. */
static void take_event_lines(struct ipc_child *c)
{
	GString *b = c->events.bytes;
	gsize begin = 0;
	const char *newline;

	while (!c->unreadable &&
	       (newline = memchr(b->str + c->searched, '\n', b->len - c->searched))) {
		take_child_line(c, b->str + begin, (gsize)(newline - (b->str + begin)));
		begin = c->searched = (gsize)(newline + 1 - b->str);
	}
	g_string_erase(b, 0, (gssize)begin);
	if (b->len > MOST_LINE && !c->unreadable) {
		c->lines++;
		give_up_events(c, "It is longer than 64 MiB.");
	}
	if (c->unreadable)
		g_string_truncate(b, 0);
	c->searched = b->len;
}

static void pipe_end(struct ipc_pipe *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->source)
		g_source_remove(p->source);
	p->fd = -1;
	p->source = 0;
}

/* Takes what is there, without waiting. */
static enum pipe_state pipe_read(struct ipc_pipe *p)
{
	char buffer[16 << 10];
	ssize_t got = 1;

	for (gsize n = 0; p->fd >= 0 && n < MOST_AT_ONCE; n += (gsize)MAX(got, 0)) {
		got = read(p->fd, buffer, sizeof(buffer));
		if (got < 0 && errno == EAGAIN)
			return PIPE_IS_EMPTY;
		if (got == 0 || (got < 0 && errno != EINTR))
			return PIPE_HAS_ENDED;
		g_string_append_len(p->bytes, buffer, MAX(got, 0));
	}
	return p->fd < 0 ? PIPE_HAS_ENDED : PIPE_HAS_MORE;
}

static enum pipe_state read_events(struct ipc_child *c)
{
	enum pipe_state state = pipe_read(&c->events);

	take_event_lines(c);
	return state;
}

/* Only the end of a long text is kept, because the end tells most. */
static enum pipe_state read_errors(struct ipc_child *c)
{
	GString *b = c->errors.bytes;
	enum pipe_state state = pipe_read(&c->errors);

	if (b->len > 2 * MOST_STRAY)
		g_string_erase(b, 0, (gssize)(b->len - MOST_STRAY));
	return state;
}

static gboolean on_bytes(gint fd, GIOCondition condition, gpointer arg)
{
	struct ipc_child *c = arg;
	struct ipc_pipe *p = fd == c->events.fd ? &c->events : &c->errors;

	(void)condition;
	if ((p == &c->events ? read_events(c) : read_errors(c)) != PIPE_HAS_ENDED)
		return G_SOURCE_CONTINUE;
	p->source = 0;
	pipe_end(p);
	return G_SOURCE_REMOVE;
}

/* ---- its end ---- */

/* A child that ends as it should says so. */
static void explain_end(struct ipc_child *c, int how)
{
	g_autofree char *text = NULL;

	if (c->errors.bytes->len) {
		g_autofree char *stray = g_utf8_make_valid(c->errors.bytes->str, -1);

		complain_of_child(c, stray);
	}
	if (c->said_end || c->unreadable)
		return;
	if (c->cancelled)
		text = g_strdup("Interrupted.");
	else if (WIFSIGNALED(how))
		text = g_strdup_printf("The analysis was ended by a signal (%s).",
				       g_strsignal(WTERMSIG(how)));
	else if (!c->errors.bytes->len)
		text = g_strdup_printf("The analysis ended with status %d in the middle of its "
				       "answer.",
				       WEXITSTATUS(how));
	if (text)
		complain_of_child(c, text);
}

static int status_of_analysis(const struct ipc_child *c, int how)
{
	if (c->unreadable)
		return UNREADABLE;
	if (WIFSIGNALED(how))
		return 128 + WTERMSIG(how);
	/* it ended without having said all */
	return WEXITSTATUS(how) || c->said_end ? WEXITSTATUS(how) : UNREADABLE;
}

/* Nothing that it started outlives it; whatever it had time to say is heard. */
static void take_end(struct ipc_child *c)
{
	int how = 0;

	kill(-c->pid, SIGKILL);
	for (int i = 0; i < MOST_LEFT && read_events(c) == PIPE_HAS_MORE; i++)
		;
	for (int i = 0; i < MOST_LEFT && read_errors(c) == PIPE_HAS_MORE; i++)
		;
	pipe_end(&c->events);
	pipe_end(&c->errors);
	waitpid(c->pid, &how, 0);
	explain_end(c, how);
	c->status = status_of_analysis(c, how);
	if (c->killer)
		g_source_remove(c->killer);
	c->killer = 0;
}

static gboolean on_pidfd(gint fd, GIOCondition condition, gpointer arg)
{
	struct ipc_child *c = arg;

	(void)fd;
	(void)condition;
	c->watch = 0;
	take_end(c);
	c->start.on_end(c->start.arg);
	return G_SOURCE_REMOVE;
}

/* ---- its beginning ---- */

/* In the child: keys of our terminal are not for it, and when we die, it ends too. */
static void set_up_child(gpointer arg)
{
	(void)arg;
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static bool spawn_child(struct ipc_child *c, const struct ipc_start *start, int events_fd,
			GError **error)
{
	g_autofree char *events = g_strdup_printf("--events=%d", EVENTS_FD);
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	const int target = EVENTS_FD;

	for (char *const *word = start->argv; *word; word++) {
		g_ptr_array_add(words, *word);
		if (words->len == 2)
			g_ptr_array_add(words, events);
	}
	g_ptr_array_add(words, NULL);
	return g_spawn_async_with_pipes_and_fds(
		start->directory, (const char *const *)words->pdata,
		(const char *const *)start->environment,
		G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_CLOEXEC_PIPES,
		set_up_child, NULL, -1, -1, -1, &events_fd, &target, 1, &c->pid,
		start->is_answered ? &c->input : NULL, NULL, &c->errors.fd, error);
}

static bool begin_child(struct ipc_child *c, const struct ipc_start *start, GError **error)
{
	int fds[2];
	bool ok;

	if (!g_unix_open_pipe(fds, FD_CLOEXEC, error))
		return false;
	c->events.fd = fds[0];
	ok = spawn_child(c, start, fds[1], error);
	close(fds[1]);
	if (!ok)
		return false;
	c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	if (c->pidfd >= 0)
		return true;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
		    "The analysis cannot be watched, so it is not begun: %s.", g_strerror(errno));
	kill(-c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	return false;
}

static void listen_to(struct ipc_child *c, struct ipc_pipe *p)
{
	g_unix_set_fd_nonblocking(p->fd, TRUE, NULL);
	p->source = g_unix_fd_add(p->fd, G_IO_IN | G_IO_HUP, on_bytes, c);
}

static void free_all(struct ipc_child *c)
{
	pipe_end(&c->events);
	pipe_end(&c->errors);
	if (c->pidfd >= 0)
		close(c->pidfd);
	if (c->input >= 0)
		close(c->input);
	g_string_free(c->events.bytes, TRUE);
	g_string_free(c->errors.bytes, TRUE);
	g_string_free(c->complaints, TRUE);
	g_free(c);
}

struct ipc_child *ipc_child_new(const struct ipc_start *start, GError **error)
{
	struct ipc_child *c = g_new0(struct ipc_child, 1);

	c->start = *start;
	c->status = c->pidfd = c->input = c->events.fd = c->errors.fd = -1;
	c->events.bytes = g_string_new(NULL);
	c->errors.bytes = g_string_new(NULL);
	c->complaints = g_string_new(NULL);
	if (!begin_child(c, start, error)) {
		free_all(c);
		return NULL;
	}
	listen_to(c, &c->events);
	listen_to(c, &c->errors);
	c->watch = g_unix_fd_add(c->pidfd, G_IO_IN, on_pidfd, c);
	return c;
}

/* What it still says is read, so that it does not wait for that, and not listened to. */
static void end_now(struct ipc_child *c)
{
	gint64 late = g_get_monotonic_time() + PATIENCE_MS * (gint64)1000, left;
	struct pollfd fds[] = { { .fd = c->pidfd, .events = POLLIN },
				{ .fd = c->events.fd, .events = POLLIN },
				{ .fd = c->errors.fd, .events = POLLIN } };

	g_source_remove(c->watch);
	c->unreadable = true;
	kill(c->pid, SIGTERM);
	while (!(fds[0].revents & POLLIN) && (left = (late - g_get_monotonic_time()) / 1000) > 0) {
		poll(fds, G_N_ELEMENTS(fds), (int)left);
		if (fds[1].revents && read_events(c) == PIPE_HAS_ENDED)
			fds[1].fd = -1;
		if (fds[2].revents && read_errors(c) == PIPE_HAS_ENDED)
			fds[2].fd = -1;
	}
	take_end(c);
}

void ipc_child_free(struct ipc_child *c)
{
	if (!c)
		return;
	if (c->status < 0)
		end_now(c);
	free_all(c);
}

/* A line is shorter than what a pipe holds, so this does not wait.  When the child has ended
 * meanwhile, its end tells that. */
void ipc_child_tell(struct ipc_child *c, const char *line)
{
	g_autofree char *whole = g_strconcat(line, "\n", NULL);
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction before;
	ssize_t written;

	if (c->input < 0)
		return;
	sigaction(SIGPIPE, &ignored, &before);
	written = write(c->input, whole, strlen(whole));
	(void)written;
	sigaction(SIGPIPE, &before, NULL);
}

void ipc_child_cancel(struct ipc_child *c)
{
	c->cancelled = true;
	make_end(c, SIGINT);
}

int ipc_child_status(const struct ipc_child *c)
{
	return c->status;
}

bool ipc_child_blames_record(const struct ipc_child *c)
{
	return c->blames_record;
}

const char *ipc_child_complaints(const struct ipc_child *c)
{
	return c->complaints->str;
}
