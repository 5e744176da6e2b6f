/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask.h"
#include "gdbext/command/evaluate.h"
#include "gdbext/command/explain/explain.h"
#include "gdbext/command/follow-program.h"
#include "gdbext/command/given-stdin.h"
#include "gdbext/command/lesson.h"
#include "gdbext/command/panel/panel.h"
#include "gdbext/command/rank.h"
#include "gdbext/command/record.h"
#include "gdbext/command/regress.h"
#include "gdbext/command/session.h"
#include "gdbext/command/specs/specs.h"
#include "gdbext/command/try/try.h"
#include "gdbext/ipc/event.h"
#include "gdbext/options/log.h"
#include "gdbext/record/archive.h"
#include "gdbext/replay/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>

/* What is closed must not become some file of ours by chance.  In its place stands one of which
 * nothing can be read, or to which nothing can be written, as if it were closed still. */
static void hold_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

static int print_text(char *text)
{
	fputs(text, stdout);
	g_free(text);
	return 0;
}

static void tell_failure_event(const struct options *o, int status, const GError *error)
{
	int fd = (int)o->events;

	if (error && fd)
		event_write(fd, &(struct event){ .kind = EVENT_FAILURE,
						 .status = status,
						 .about_record = error->domain == RECORD_ERROR,
						 .text = error->message });
	else if (error && !replay_pipe_closed())
		fprintf(stderr, "gdb-why: %s\n", error->message);
	event_write(fd, &(struct event){ .kind = EVENT_END, .status = status });
}

static int execute_chosen_command(const struct options *o, GError **error)
{
	switch (o->command) {
	case OPTIONS_HELP:
		return print_text(options_help(o));
	case OPTIONS_VERSION:
		return print_text(options_version());
	case OPTIONS_SESSION:
		return session_command(o, error);
	case OPTIONS_RECORD:
		return record_command(o, error);
	case OPTIONS_ASK:
		return ask_command(o, error);
	case OPTIONS_PANEL:
		return panel_command(o, error);
	case OPTIONS_TRY:
		return try_command(o, error);
	case OPTIONS_REGRESS:
		return regress_command(o, error);
	case OPTIONS_SPECS:
		return specs_command(o, error);
	case OPTIONS_EVALUATE:
		return evaluate_command(o, error);
	case OPTIONS_RANK:
		return rank_command(o, error);
	case OPTIONS_LESSON:
		return lesson_command(o, error);
	case OPTIONS_EXPLAIN:
		return explain_command(o, error);
	}
	g_assert_not_reached();
}

/* Nobody reads standard output any more, and the process that started us should see that. */
static void end_by_pipe(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

int main(int argc, char **argv)
{
	struct options o;
	GError *error = NULL;
	int status;

	hold_standard_files();
	replay_outlive_pipe();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is told in words */
	setlocale(LC_ALL, "");
	if (!log_start(&error) || !options_parse(&argc, &argv, &o, &error)) {
		fprintf(stderr, "gdb-why: %s\n", error->message);
		g_clear_error(&error);
		return OPTIONS_EXIT_USAGE;
	}
	given_stdin(&o);
	if (o.events && !event_can_write((int)o.events, &error)) {
		o.events = 0;
		status = OPTIONS_EXIT_USAGE;
	} else if (lesson_refuses(&o, &error) || !follow_program(&o, &error)) {
		status = OPTIONS_EXIT_USAGE;
	} else {
		status = execute_chosen_command(&o, &error);
	}
	tell_failure_event(&o, status, error);
	g_clear_error(&error);
	options_clear(&o);
	fflush(stdout);
	if (replay_pipe_closed())
		end_by_pipe();
	return status;
}
