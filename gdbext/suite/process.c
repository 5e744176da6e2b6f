/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/process.h"

#include "gdbext/replay/cage/launch.h"
#include "gdbext/replay/run/run-clock.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/suite/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct suite_process {
	struct supervisor *supervisor;
	pid_t pid;
	int pidfd, output; /* -1 = none */
	GChecksum *sum;
	GByteArray *printed; /* NULL = it is not kept, or is too long */
	uint64_t keep;	     /* bytes of it at most */
	struct suite_end end;
	gint64 start;
	struct run_clock clock;
	GSource *ended, *late, *readable; /* NULL = not watched */
	suite_process_done *done;
	void *arg;
};

static void stop_watching(GSource **source)
{
	if (!*source)
		return;
	g_source_destroy(*source);
	g_source_unref(*source);
	*source = NULL;
}

static void keep_printed(struct suite_process *p, const guint8 *bytes, gsize n)
{
	if (p->printed && p->printed->len + n <= p->keep)
		g_byte_array_append(p->printed, bytes, (guint)n);
	else
		g_clear_pointer(&p->printed, g_byte_array_unref);
}

enum taken { TAKEN_SOME, TAKEN_NOTHING, TAKEN_ALL };

static enum taken take_process_output(struct suite_process *p)
{
	guint8 buffer[16384];
	ssize_t got = read(p->output, buffer, sizeof buffer);

	if (got <= 0)
		return got < 0 && (errno == EAGAIN || errno == EINTR) ? TAKEN_NOTHING : TAKEN_ALL;
	p->end.length += (guint64)got;
	g_checksum_update(p->sum, buffer, got);
	keep_printed(p, buffer, (gsize)got);
	return TAKEN_SOME;
}

static gboolean note_output(gint fd, GIOCondition condition, gpointer arg)
{
	struct suite_process *p = arg;

	(void)fd;
	(void)condition;
	if (take_process_output(p) == TAKEN_ALL)
		stop_watching(&p->readable);
	return p->readable ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Kills its group; how it ended is known now, but when it was late. */
static void end_group(struct suite_process *p)
{
	struct supervised_end end = { .status = SIGKILL };

	supervisor_end(p->supervisor, p->pid, &end, NULL);
	p->pid = 0;
	if (p->end.kind == SUITE_TIMED_OUT)
		return;
	p->end.kind = WIFEXITED(end.status) ? SUITE_EXITED : SUITE_SIGNALLED;
	p->end.number = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : WTERMSIG(end.status);
}

static void finish_suite_process(struct suite_process *p)
{
	gsize length = SUITE_DIGEST;

	p->end.usecs = g_get_monotonic_time() - p->start;
	end_group(p);
	stop_watching(&p->ended);
	stop_watching(&p->late);
	stop_watching(&p->readable);
	/* All that a pipe holds; one who fled the group may go on writing. */
	for (int i = 0; i < 64 && p->output >= 0 && take_process_output(p) == TAKEN_SOME; i++)
		;
	if (p->sum)
		g_checksum_get_digest(p->sum, p->end.digest, &length);
	p->done(&p->end, p->arg);
}

static gboolean note_end_of_test(gint fd, GIOCondition condition, gpointer arg)
{
	(void)fd;
	(void)condition;
	finish_suite_process(arg);
	return G_SOURCE_REMOVE;
}

static GSource *watch_source(GSource *source, GSourceFunc call, struct suite_process *p,
			     GMainContext *context)
{
	g_source_set_callback(source, call, p, NULL);
	g_source_attach(source, context);
	return source;
}

static gboolean note_late(gpointer arg);

/* Looks at the run's clock again when its time may be up. */
static void watch_clock(struct suite_process *p, GMainContext *context)
{
	gint64 ms = run_clock_left(&p->clock) / 1000;

	p->late = watch_source(g_timeout_source_new((guint)CLAMP(ms, 1, G_MAXINT32)), note_late, p,
			       context);
}

static gboolean note_late(gpointer arg)
{
	struct suite_process *p = arg;
	GMainContext *context = g_source_get_context(p->late);

	if (run_clock_left(&p->clock) > 0) {
		stop_watching(&p->late);
		watch_clock(p, context);
		return G_SOURCE_REMOVE;
	}
	p->end.kind = SUITE_TIMED_OUT;
	finish_suite_process(p);
	return G_SOURCE_REMOVE;
}

static void watch_all(struct suite_process *p, double timeout, GMainContext *context)
{
	p->clock = run_clock_of_new(p->pid, timeout);
	p->ended = watch_source(g_unix_fd_source_new(p->pidfd, G_IO_IN),
				G_SOURCE_FUNC(note_end_of_test), p, context);
	watch_clock(p, context);
	if (p->output >= 0)
		p->readable = watch_source(g_unix_fd_source_new(p->output, G_IO_IN | G_IO_HUP),
					   G_SOURCE_FUNC(note_output), p, context);
}

/* Its three descriptors; [1] is the pipe's end that it writes to. */
static bool open_files(struct suite_process *p, const struct suite_process_start *s, int *fds,
		       GError **error)
{
	const char *in = s->stdin_file ? s->stdin_file : "/dev/null";
	int ends[2] = { -1, -1 };

	fds[0] = open(in, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fds[0] < 0) {
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ, "cannot read %s: %s", in,
			    g_strerror(errno));
		return false;
	}
	fcntl(fds[0], F_SETFL, 0);
	fds[2] = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (s->output && pipe2(ends, O_CLOEXEC) == 0) {
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
		p->output = ends[0];
		p->sum = g_checksum_new(G_CHECKSUM_SHA256);
	}
	fds[1] = s->output ? ends[1] : open("/dev/null", O_RDWR | O_CLOEXEC);
	if (fds[1] >= 0 && fds[2] >= 0)
		return true;
	g_set_error(error, SUITE_ERROR, SUITE_ERROR_SYSTEM, "no more files can be opened: %s",
		    g_strerror(errno));
	return false;
}

static bool launch_test(struct suite_process *p, const struct suite_process_start *s,
			GError **error)
{
	struct launch l = {
		.path = s->path, .argv = s->argv, .envp = s->envp, .directory = s->directory
	};
	g_autoptr(GError) wrong = NULL;
	int fds[3] = { -1, -1, -1 };
	bool ok = open_files(p, s, fds, error);

	if (ok) {
		l.in = fds[0];
		l.out = fds[1];
		l.err = fds[2];
		p->start = g_get_monotonic_time();
		p->pid = supervisor_start(p->supervisor, &l, &wrong);
		ok = p->pid != 0;
		if (!ok)
			g_set_error(error, SUITE_ERROR, SUITE_ERROR_SYSTEM, "%.*s",
				    (int)strlen(wrong->message) - 1, wrong->message);
	}
	for (int i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return ok;
}

struct suite_process *suite_process_new(const struct suite_process_start *start,
					GMainContext *context, suite_process_done *done, void *arg,
					GError **error)
{
	struct suite_process *p = g_new0(struct suite_process, 1);

	p->supervisor = start->supervisor;
	p->pidfd = p->output = -1;
	p->done = done;
	p->arg = arg;
	p->keep = start->keep;
	p->printed = start->output && start->keep ? g_byte_array_new() : NULL;
	if (!launch_test(p, start, error)) {
		suite_process_free(p);
		return NULL;
	}
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (p->pidfd < 0) {
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_SYSTEM, "cannot watch it: %s",
			    g_strerror(errno));
		suite_process_free(p);
		return NULL;
	}
	watch_all(p, start->timeout, context);
	return p;
}

GBytes *suite_process_printed(const struct suite_process *p)
{
	return p->printed ? g_bytes_new(p->printed->data, p->printed->len) : NULL;
}

void suite_process_free(struct suite_process *p)
{
	if (!p)
		return;
	stop_watching(&p->ended);
	stop_watching(&p->late);
	stop_watching(&p->readable);
	if (p->pid)
		end_group(p);
	if (p->pidfd >= 0)
		close(p->pidfd);
	if (p->output >= 0)
		close(p->output);
	if (p->sum)
		g_checksum_free(p->sum);
	g_clear_pointer(&p->printed, g_byte_array_unref);
	g_free(p);
}

bool suite_digest_file(const char *path, guint64 *length, guint8 *digest, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
	gsize size = SUITE_DIGEST;

	if (!file)
		return false;
	*length = g_mapped_file_get_length(file);
	if (*length)
		g_checksum_update(sum, (const guchar *)g_mapped_file_get_contents(file),
				  (gssize)*length);
	g_checksum_get_digest(sum, digest, &size);
	return true;
}
