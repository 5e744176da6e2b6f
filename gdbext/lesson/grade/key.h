/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instructor may know of a variant: the fault, the lines that are accepted, and how
 * difficult it is, as measured by the engine. */
#ifndef GDBEXT_LESSON_GRADE_KEY_H
#define GDBEXT_LESSON_GRADE_KEY_H

#include "gdbext/lesson/difficulty.h"
#include "gdbext/lesson/grade/results.h"

struct lesson_key {
	unsigned accepted; /* sets */
	bool holds_fault;  /* is the fault's own set of lines among them? */
	unsigned failing, passing;
	/* .chain: from the fault to the failure, or from the first suspect */
	struct lesson_difficulty difficulty;
	bool equal; /* is it as difficult as the first variant, as far as that was measured? */
};

/* free with g_free. */
struct lesson_key *lesson_key_of(const struct lesson_variant *v, const struct lesson_truth *t);
/* TEXT or JSON; t NULL = the fault alone, without what is accepted; free it. */
char *lesson_key_text(const struct lesson_variant *v, const struct lesson_truth *t,
		      enum lesson_format format);

#endif
