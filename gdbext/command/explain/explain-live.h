/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person at a terminal sees while suspects are still looked for: the first ones found so
 * far.  The answer takes their place; a search that is interrupted leaves them on the screen.
 */
#ifndef GDBEXT_COMMAND_EXPLAIN_EXPLAIN_LIVE_H
#define GDBEXT_COMMAND_EXPLAIN_EXPLAIN_LIVE_H

#include "gdbext/question/question.h"

struct explain_live {
	char *shown;	/* NULL = nothing is on the screen */
	unsigned lines; /* that it takes there */
};

/* Shows what q finds from now on, when q's answer is text on a terminal that can move its cursor
 * up.  live: all zero; has to outlive the search. */
void explain_live_watch(struct explain_live *live, struct question *q);
/* Takes from the screen what was shown, and shows nothing more. */
void explain_live_erase(struct explain_live *live, struct question *q);
/* Leaves on the screen what was shown. */
void explain_live_clear(struct explain_live *live);

#endif
