/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two trees that a test writes, and what `gdb-why regress' answers about them, in the test's own
 * process. */
#ifndef TESTS_SUPPORT_TREES_H
#define TESTS_SUPPORT_TREES_H

#include "gdbext/regress/flow.h"

/* The folders old and new, with a folder lib in each. */
struct trees {
	char *room;
};

/* Set-up and tear-down of a test: *state is the struct trees. */
int trees_make(void **state);
int trees_remove(void **state);

/* Writes a file; path: below the room. */
void trees_put(const struct trees *t, const char *path, const char *text);
/* The same path below old and below new. */
void trees_put_both(const struct trees *t, const char *path, const char *old, const char *newer);

struct asked {
	struct options o;
	struct regression *r;
	const struct regress_answer *a; /* NULL = none: status and error say why */
	int status;
	GError *error;
};

/* Asks with the words of a command, NULL-terminated, behind `regress --directory ROOM --old old
 * --new new --timeout 300'; a later --old or --new counts. */
void trees_ask(const struct trees *t, const char *const *words, struct asked *out);
void trees_forget(struct asked *a);

/* The texts of the root's changes, one after the other; fails the test where there is no answer.
 * Free it. */
char *trees_root(const struct asked *a);

/* Asks; the root must be that, and be proven both ways. */
void trees_check_root(const struct trees *t, const char *const *words, const char *root);
/* Asks; there must be no answer, but that exit status and that text in the message. */
void trees_check_error(const struct trees *t, const char *const *words, int status,
		       const char *sentence);

#endif
