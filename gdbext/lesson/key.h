/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instructor may know of a variant: the fault, the lines that are accepted, and how
 * difficult it is, as measured by the engine. */
#ifndef GDBEXT_LESSON_KEY_H
#define GDBEXT_LESSON_KEY_H

#include "gdbext/lesson/results.h"

struct lesson_key {
	unsigned accepted; /* sets */
	bool holds_fault;  /* is the fault's own set of lines among them? */
	unsigned failing, passing;
	unsigned chain;	   /* links from the fault to the failure, or from the first suspect */
	unsigned suspects; /* of the answer */
	unsigned rank;	   /* the place of the fault's lines among them, 0 = none */
};

/* free with g_free. */
struct lesson_key *lesson_key_of(const struct lesson_variant *v, const struct lesson_truth *t);
/* TEXT or JSON; free it. */
char *lesson_key_text(const struct lesson_variant *v, const struct lesson_truth *t,
		      enum lesson_format format);

#endif
