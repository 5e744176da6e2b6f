/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A prompt for commands that ask the user something.  At a terminal it has editing and
 * completion.  From a pipe or a file it reads line by line, and shows what it has read.
 */
#ifndef GDBEXT_SESSION_TERMINAL_LINE_H
#define GDBEXT_SESSION_TERMINAL_LINE_H

#include <stdbool.h>

struct line_reader;

/* words: what a line may begin with, NULL-terminated; they outlive it.  There is one at a time. */
struct line_reader *line_reader_new(const char *const *words);
void line_reader_free(struct line_reader *r);

enum line_end {
	LINE_READ,
	LINE_ENDED,	  /* Ctrl-D, or there is no more */
	LINE_INTERRUPTED, /* `interrupt' is readable */
};
/* Waits for a line, without its newline; the caller's.  interrupt: a descriptor. */
enum line_end line_reader_ask(struct line_reader *r, const char *text, int interrupt, char **line);

#endif
