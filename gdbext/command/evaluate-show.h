/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `gdb-why evaluate --table', `--graph' and `--page': what was measured, for people. */
#ifndef GDBEXT_COMMAND_EVALUATE_SHOW_H
#define GDBEXT_COMMAND_EVALUATE_SHOW_H

#include "gdbext/options/options.h"

/* Shows the results in the folders of o->program, or in o->output when there are none.  Returns
 * the exit status. */
int evaluate_show(const struct options *o, GError **error);

#endif
