/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/session.h"
#include "gdbext/session/session.h"

int session_command(const struct options *o, GError **error)
{
	struct session_words words;
	struct session_options s;
	int status = OPTIONS_EXIT_USAGE;

	if (!session_read_words(o->words, &words, error))
		return OPTIONS_EXIT_USAGE;
	s = (struct session_options){ .gdb = words.gdb,
				      .gdb_args = (const char *const *)words.gdb_args->pdata,
				      .commands = (const char *const *)words.commands->pdata,
				      .batch = words.batch };
	if (!session_run(&s, &status, error))
		status = OPTIONS_EXIT_USAGE;
	session_words_clear(&words);
	return status;
}
