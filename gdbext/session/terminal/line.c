/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/terminal/line.h"

#include "gdbext/session/terminal/prompt.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct line_reader {
	const char *const *words;
	struct prompt *prompt;
};

static char **complete_in_session(void *arg, const char *line)
{
	const struct line_reader *r = arg;
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	for (const char *const *w = r->words; *w; w++)
		if (g_str_has_prefix(*w, line))
			g_ptr_array_add(found, g_strdup(*w));
	g_ptr_array_add(found, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&found), FALSE);
}

struct line_reader *line_reader_new(const char *const *words)
{
	struct line_reader *r = g_new0(struct line_reader, 1);

	r->words = words;
	r->prompt = prompt_new(complete_in_session, r);
	return r;
}

void line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	prompt_free(r->prompt);
	g_free(r);
}

enum line_end line_reader_ask(struct line_reader *r, const char *text, int interrupt, char **line)
{
	struct pollfd wait[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				 { .fd = interrupt, .events = POLLIN } };
	bool ended = false;

	*line = NULL;
	prompt_begin(r->prompt, text);
	while (!prompt_take(r->prompt, line, &ended)) {
		if (poll(wait, G_N_ELEMENTS(wait), -1) < 0)
			continue; /* a signal; what is to be done about it is readable */
		if (wait[1].revents) {
			prompt_end(r->prompt);
			putchar('\n');
			return LINE_INTERRUPTED;
		}
		if (wait[0].revents)
			prompt_feed(r->prompt);
	}
	if (!prompt_is_terminal(r->prompt))
		puts(*line ? *line : "");
	else if (*line)
		prompt_add_history(r->prompt, *line);
	return *line ? LINE_READ : LINE_ENDED;
}
