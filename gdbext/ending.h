/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a test that did not fail as it has to. */
#ifndef GDBEXT_ENDING_H
#define GDBEXT_ENDING_H

#include "gdbext/options.h"
#include "gdbext/replay/replay.h"

/* 0 for a failing assertion whose way was recorded to its end; else the exit
 * status, with one sentence in *error. program: as the user called it. */
int ending_check(const struct options *o, const char *program, const struct replay_failing *failing,
		 GError **error);

/* The exit status that an error means. */
int ending_status(const GError *error);

#endif
