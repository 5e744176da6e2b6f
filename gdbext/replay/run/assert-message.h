/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the C library's assert prints on standard error:
 *
 *   p: p.c:13: P: Assertion `b <= a' failed.
 *
 * It is in the user's language, as the library's own catalogue of messages has it.  A
 * caged run has no debugger that could stop in __assert_fail, and a record that a limit
 * cut short does not end there, so the message has to tell.
 */
#ifndef GDBEXT_REPLAY_RUN_ASSERT_MESSAGE_H
#define GDBEXT_REPLAY_RUN_ASSERT_MESSAGE_H

#include <glib.h>
#include <stdbool.h>

/* The words around the expression: the library's format in some language. */
struct assert_words {
	char *begin, *end;
};

/* False when the format does not look like "%s%s%s:%u: %s%sAssertion `%s' failed.\n%n". */
bool assert_words_of(const char *format, struct assert_words *out);
void assert_words_clear(struct assert_words *w);

struct assert_message {
	char *expression;
	char *file, *function; /* NULL = it does not say */
	unsigned line;
};

/* The last such message in the text: in English (a program that sets no locale), or in the
 * language of our own locale, which is what the program gets from the same environment.
 * False when there is none. out may be NULL. */
bool assert_message_find(const char *text, struct assert_message *out);
bool assert_message_find_in(const char *text, const struct assert_words *w,
			    struct assert_message *out);
void assert_message_clear(struct assert_message *m);

#endif
