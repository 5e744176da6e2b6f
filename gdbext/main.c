/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask.h"
#include "gdbext/command/explain.h"
#include "gdbext/command/panel.h"
#include "gdbext/command/rank.h"
#include "gdbext/command/record.h"
#include "gdbext/command/regress.h"
#include "gdbext/command/session.h"
#include "gdbext/command/try.h"
#include "gdbext/options/log.h"

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

int main(int argc, char **argv)
{
	struct options o;
	GError *error = NULL;
	int status;

	hold_standard_files();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is told in words */
	setlocale(LC_ALL, "");
	if (!log_start(&error) || !options_parse(&argc, &argv, &o, &error)) {
		fprintf(stderr, "gdb-why: %s\n", error->message);
		g_clear_error(&error);
		return OPTIONS_EXIT_USAGE;
	}
	if (o.command == OPTIONS_HELP)
		status = print_text(options_help(&o));
	else if (o.command == OPTIONS_VERSION)
		status = print_text(options_version());
	else if (o.command == OPTIONS_SESSION)
		status = session_command(&o, &error);
	else if (o.command == OPTIONS_RECORD)
		status = record_command(&o, &error);
	else if (o.command == OPTIONS_ASK)
		status = ask_command(&o, &error);
	else if (o.command == OPTIONS_PANEL)
		status = panel_command(&o, &error);
	else if (o.command == OPTIONS_TRY)
		status = try_command(&o, &error);
	else if (o.command == OPTIONS_REGRESS)
		status = regress_command(&o, &error);
	else if (o.command == OPTIONS_RANK)
		status = rank_command(&o, &error);
	else
		status = explain_command(&o, &error);
	if (error)
		fprintf(stderr, "gdb-why: %s\n", error->message);
	g_clear_error(&error);
	options_clear(&o);
	return status;
}
