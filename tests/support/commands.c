/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/commands.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include "gdbext/command/ask.h"
#include "gdbext/command/explain/explain.h"
#include "gdbext/command/lesson.h"
#include "gdbext/command/rank.h"
#include "gdbext/command/record.h"
#include "gdbext/command/specs/specs.h"
#include "gdbext/command/try/try.h"
#include "gdbext/ipc/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *commands_begin(void)
{
	char *folder;

	support_need_replay();
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	folder = test_folder_new();
	assert_int_equal(chdir(folder), 0);
	return folder;
}

static int execute(const struct options *o, GError **error)
{
	switch (o->command) {
	case OPTIONS_ASK:
		return ask_command(o, error);
	case OPTIONS_LESSON:
		return lesson_command(o, error);
	case OPTIONS_SPECS:
		return specs_command(o, error);
	case OPTIONS_RECORD:
		return record_command(o, error);
	case OPTIONS_RANK:
		return rank_command(o, error);
	case OPTIONS_TRY:
		return try_command(o, error);
	default:
		return explain_command(o, error);
	}
}

static int parse_and_execute(const char *line)
{
	g_auto(GStrv) words = NULL;
	GError *error = NULL;
	struct options o;
	int n, status = OPTIONS_EXIT_USAGE;

	assert_true(g_shell_parse_argv(line, &n, &words, NULL));
	g_autofree char **argv = g_memdup2(words, sizeof(*words) * (size_t)(n + 1));
	char **given = argv;
	if (options_parse(&n, &given, &o, &error)) {
		status = execute(&o, &error);
		options_clear(&o);
	}
	if (error)
		printf("%s\n", error->message);
	g_clear_error(&error);
	return status;
}

/* All that it prints, for people and for programs; free it. */
static char *say(const char *line, int *status)
{
	int out = dup(1), err = dup(2), fd = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *text = NULL;

	fflush(NULL);
	dup2(fd, 1);
	dup2(fd, 2);
	*status = parse_and_execute(line);
	fflush(NULL);
	dup2(out, 1);
	dup2(err, 2);
	close(fd);
	close(out);
	close(err);
	assert_true(g_file_get_contents("said", &text, NULL, NULL));
	return text;
}

/* What is wrong with one of them; NULL: nothing. */
static char *difference(const struct command_case *x)
{
	int status;
	g_autofree char *text = say(x->line, &status);

	if (status != x->status)
		return g_strdup_printf("%s: status %d: %s", x->line, status, text);
	for (size_t k = 0; k < G_N_ELEMENTS(x->says) && x->says[k]; k++)
		if (!strstr(text, x->says[k]))
			return g_strdup_printf("%s: `%s' is missing in: %s", x->line, x->says[k],
					       text);
	return NULL;
}

void commands_expect(const struct command_case *all, size_t n)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++) {
		g_autofree char *text = difference(&all[i]);

		if (text)
			printf("%s\n", text);
		wrong += text != NULL;
	}
	assert_int_equal(wrong, 0);
}

bool commands_is_child(int argc, char **argv, int *status)
{
	GError *error = NULL;
	struct options o;

	if (argc < 2 || strcmp(argv[1], "explain") != 0)
		return false;
	*status = OPTIONS_EXIT_USAGE;
	if (options_parse(&argc, &argv, &o, &error)) {
		*status = execute(&o, &error);
		event_write((int)o.events, &(struct event){ .kind = EVENT_END, .status = *status });
		options_clear(&o);
	}
	if (error)
		fprintf(stderr, "%s\n", error->message);
	g_clear_error(&error);
	return true;
}
