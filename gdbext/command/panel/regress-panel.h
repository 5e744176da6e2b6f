/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `gdb-why regress --panel' shows: the changes to blame stand where explanations stand, the
 * tree of causes is the way to the failure, and the whole answer is the output.
 */
#ifndef GDBEXT_COMMAND_PANEL_REGRESS_PANEL_H
#define GDBEXT_COMMAND_PANEL_REGRESS_PANEL_H

#include "gdbext/options/options.h"
#include "solver/regress/answer.h"

/* Runs the panel until the user leaves it, and prints what GDB is to do then, as the panel command
 * does.  folder: the new version's, whose files are shown. */
bool regress_panel(const struct options *o, const struct regress_answer *a, const char *folder,
		   GError **error);

#endif
