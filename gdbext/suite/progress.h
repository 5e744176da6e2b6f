/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar on standard error that says how far a suite is.  Without a terminal there is none. */
#ifndef GDBEXT_SUITE_PROGRESS_H
#define GDBEXT_SUITE_PROGRESS_H

#include "gdbext/suite/run.h"

struct progress_bar {
	bool shown; /* something stands there now */
	gint64 last;
};

/* For struct suite_options; arg: a struct progress_bar, all zero at first. */
void progress_bar_show(const struct suite_progress *p, void *arg);
/* Wipes it away. */
void progress_bar_clear(struct progress_bar *bar);

/* The bar in at most width columns.  Free it. */
char *progress_bar_text(const struct suite_progress *p, unsigned width);

#endif
