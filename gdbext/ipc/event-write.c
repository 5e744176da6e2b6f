/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/ipc/event.h"
#include "gdbext/ipc/event-names.h"
#include "solver/answer/json/json.h"
#include "solver/answer/json/json-put.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool event_can_write(int fd, GError **error)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
		g_set_error(error, EVENT_ERROR, EVENT_ERROR_DESCRIPTOR,
			    "Events cannot be written to descriptor %d; open it for writing "
			    "before gdb-why is started.",
			    fd);
		return false;
	}
	return true;
}

/* A reader that has gone must not end us by SIGPIPE: the run's folder would stay behind. */
static void write_all_of_event(int fd, const char *bytes, size_t n)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe, before;
	ssize_t put = 0;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	while (n && ((put = write(fd, bytes, n)) >= 0 || errno == EINTR)) {
		bytes += MAX(put, 0);
		n -= (size_t)MAX(put, 0);
	}
	if (put < 0 && errno == EPIPE && !sigismember(&before, SIGPIPE))
		sigtimedwait(&pipe, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void put_event_text(JsonBuilder *b, const char *name, const char *text)
{
	if (text)
		put_string(b, name, text);
}

static char *line_of_event(const struct event *e)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_string(b, "event", event_kind_names[e->kind]);
	if (e->kind == EVENT_PROGRESS) {
		put_string(b, "stage", event_stage_names[e->stage]);
		put_count(b, "runs", e->runs);
	}
	if (e->kind == EVENT_FAILURE || e->kind == EVENT_END)
		put_count(b, "status", (uint64_t)e->status);
	if (e->kind == EVENT_FAILURE)
		put_bool(b, "about_record", e->about_record);
	put_event_text(b, "name", e->name);
	put_event_text(b, "ends", e->ends);
	put_event_text(b, "text", e->text);
	json_builder_end_object(b);
	return put_end(b, false);
}

/* The answer is text already. */
static char *line_of_answer(const struct event *e)
{
	g_autofree char *answer = tui_json_line(e->answer);

	return g_strdup_printf("{\"event\":\"%s\",\"answer\":%s}\n", event_kind_names[e->kind],
			       g_strchomp(answer));
}

void event_write(int fd, const struct event *e)
{
	g_autofree char *line = NULL;

	if (!fd)
		return;
	line = e->answer ? line_of_answer(e) : line_of_event(e);
	write_all_of_event(fd, line, strlen(line));
}
