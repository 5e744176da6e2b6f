/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other tests of the same program, once GDB has seen the first of them fail:
 * recorded by a direct run, which says on standard error what failed.
 */
#include "gdbext/replay/internal.h"
#include "gdbext/replay/preflight.h"

#include <string.h>

bool replay_turn_to(struct replay *r, char *const *argv, const char *stdin_file, GError **error)
{
	char *input = preflight_stdin(stdin_file, r->directory, r->folder->path, error);

	if (!input)
		return false;
	g_free(r->stdin_path);
	r->stdin_path = input;
	g_strfreev(r->argv);
	r->argv = g_strdupv((char **)argv);
	return true;
}

/* Takes the last word off that ends before a colon and a blank; NULL: there is
 * none. */
static char *take_last(char *text)
{
	char *colon = g_strrstr(text, ": ");

	if (!colon)
		return NULL;
	*colon = '\0';
	return colon + 2;
}

/* "p: p.c:13: P: Assertion `b <= a' failed."; the function is left out where the
 * compiler does not tell it. */
static void read_message(const char *text, struct replay_failing *failing)
{
	static const char begins[] = "Assertion `", ends[] = "' failed.\n";
	const char *begin = g_strrstr(text, begins);
	const char *end = begin ? g_strrstr(begin, ends) : NULL;
	const char *line = begin;
	g_autofree char *place = NULL;
	char *word, *number;

	if (!end)
		return;
	failing->expression =
		g_strndup(begin + strlen(begins), (gsize)(end - begin) - strlen(begins));
	while (line > text && line[-1] != '\n')
		line--;
	place = g_strndup(line, (gsize)(begin - line));
	if (!take_last(place))
		return;
	/* "p: p.c:13: P" */
	for (word = take_last(place); word; word = take_last(place)) {
		number = strrchr(word, ':');
		if (number && strspn(number + 1, "0123456789") == strlen(number + 1)) {
			failing->line = (unsigned)g_ascii_strtoull(number + 1, NULL, 10);
			failing->file = g_strndup(word, (gsize)(number - word));
			return;
		}
		g_free(failing->function);
		failing->function = g_strdup(word);
	}
}

static void read_assertion(struct replay_failing *failing)
{
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!g_file_get_contents(failing->err, &text, &length, NULL))
		return;
	for (gsize i = 0; i < length; i++) /* NULs must not hide the rest */
		if (!text[i])
			text[i] = ' ';
	read_message(text, failing);
}

bool replay_record_other(struct replay *r, struct replay_failing *failing, unsigned *threads,
			 GError **error)
{
	struct run_request request = { .record = true };
	struct run_result result = { 0 };
	struct trace_head head;

	if (!replay_runner(r)->run(replay_runner(r), &request, &result, error))
		return false;
	*failing = (struct replay_failing){ .end = result.end,
					    .status = result.status,
					    .signo = result.signo,
					    .run_ms = result.ms,
					    .record = result.record };
	failing->out = g_build_filename(failing->record, "out", NULL);
	failing->err = g_build_filename(failing->record, "err", NULL);
	if (failing->end == RUN_ASSERT)
		read_assertion(failing);
	for (*threads = 0; replay_read_head(failing->record, *threads, &head);)
		++*threads;
	return true;
}
