/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --progress: says on standard error what is going on, with a line each time that it
 * changes: "progress: record", "progress: solve", "progress: prove".
 */
#ifndef GDBEXT_QUESTION_PROGRESS_H
#define GDBEXT_QUESTION_PROGRESS_H

#include "gdbext/options/options.h"

#define PROGRESS_RECORD "record" /* the program is run for the first time */
#define PROGRESS_SOLVE "solve"	 /* what it did is analysed */
#define PROGRESS_PROVE "prove"	 /* it is run with a change */

/* Does nothing when nobody asked for it. */
void progress_say(const struct options *o, const char *phase);

#endif
