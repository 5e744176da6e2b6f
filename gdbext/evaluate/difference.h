/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines of a faulty file are not as in the right one. */
#ifndef GDBEXT_EVALUATE_DIFFERENCE_H
#define GDBEXT_EVALUATE_DIFFERENCE_H

#include <glib.h>
#include <stdbool.h>

struct difference {
	GArray *lines; /* unsigned, of the faulty file, ascending */
	/* Lines are missing there, and none stand in their place; .lines then has those in front
	 * of which they belong. */
	bool omission;
};

/* Blank lines and blanks count for nothing. */
struct difference *difference_new(const char *right, const char *wrong);
void difference_free(struct difference *d);

#endif
